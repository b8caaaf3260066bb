//! The maps of a sweep, as its folder names them.

use std::path::Path;

use jostle::formats::shown_path;
use serde::Deserialize;

use crate::LabError;
use crate::error::reason_of_library;
use crate::record::Identity;

/// What a spec says about maps.
#[derive(Deserialize)]
struct SpecOfMaps {
    #[serde(default)]
    defaults: TableOfMaps,
    #[serde(default)]
    sweep: Vec<TableOfMaps>,
    #[serde(default)]
    walks: Vec<TableOfMaps>,
}

/// A table without maps has those of the defaults, or scenarios that name theirs.
#[derive(Deserialize, Default)]
struct TableOfMaps {
    maps: Option<Vec<String>>,
}

/// The maps that the specs of a folder of results name, as they are written there: records have only the last part of these names. Planners in
/// the specs need not be known. A `*` stands for any name. None if the folder does not belong to a sweep.
///
/// # Errors
/// When the file that says which sweep the folder belongs to cannot be read.
pub fn maps_of(folder: &Path) -> Result<Vec<String>, LabError> {
    let Some(identity) = Identity::read(folder)? else { return Ok(Vec::new()) };
    let mut maps = Vec::new();
    for (_, spec) in identity.specs() {
        let spec: SpecOfMaps = toml::from_str(spec).map_err(|error| {
            let (file, reason) = (Identity::path(folder), reason_of_library(error.message()));
            LabError::input(format!("{}: the spec: {reason}", shown_path(&file)))
        })?;
        let tables = spec.sweep.into_iter().chain(spec.walks).chain([spec.defaults]);
        maps.extend(tables.filter_map(|table| table.maps).flatten());
    }
    maps.sort_unstable();
    maps.dedup();
    Ok(maps)
}
