//! The files that a sweep reads, for those who send it to other machines.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::plan::{Maps, NamedScenario};
use super::spec::{AgentsOf, SweepSpec};
use crate::LabError;

/// A file that a sweep reads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SweepFile {
    /// Its name in the spec, where it is looked for beside the spec first; for the spec itself the name of its file.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}

/// The spec, and then every scenario and map file that it names. Built-in maps need no files.
///
/// # Errors
/// When a map is missing or cannot be read.
pub fn files_of(
    spec: &SweepSpec,
    path: &Path,
    maps: Option<&Path>,
) -> Result<Vec<SweepFile>, LabError> {
    let mut found = Maps::new(&spec.folder, maps);
    let mut files = BTreeMap::new();
    for table in &spec.tables {
        if let AgentsOf::Scens { files: scens, .. } = &table.agents {
            for (found_scen, (name, _)) in found.named_scenarios(table)?.into_iter().zip(scens) {
                let NamedScenario { scen, map, map_name } = found_scen;
                files.insert(name.clone(), scen.path);
                files.extend(map.file.clone().map(|file| (map_name, file)));
            }
        }
        for (name, place) in &table.maps {
            let map = found
                .find(name, table)
                .map_err(|reason| LabError::input(format!("{place}: {reason}")))?;
            if let Some(file) = &map.file {
                files.insert(name.clone(), file.clone());
            }
        }
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let of_spec = SweepFile { name, path: path.to_owned() };
    let of_maps = files.into_iter().map(|(name, path)| SweepFile { name, path });
    Ok([of_spec].into_iter().chain(of_maps).collect())
}
