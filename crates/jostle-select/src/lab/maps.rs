//! The maps of records.

use std::path::Path;

use jostle::Rules;
use jostle::formats::shown_path;
use jostle_lab::{LabError, NamedMap};

/// Where the maps of records are looked for.
pub struct MapLibrary<'a> {
    /// Names as specs write them, which may have folders in them.
    pub names: Vec<String>,
    /// Folders to look in, one after the other.
    pub folders: &'a [&'a Path],
}

impl MapLibrary<'_> {
    /// The map that records call so. It must have the floor that it had then.
    ///
    /// # Errors
    /// When it is not there, cannot be read, or has another floor.
    pub fn find(&self, map: &str, floor: Option<&str>, rules: Rules) -> Result<NamedMap, LabError> {
        let is_meant = |name: &&String| {
            Path::new(name).file_stem().is_some_and(|stem| stem.to_string_lossy() == map)
        };
        let names = self.names.iter().filter(is_meant).cloned();
        // A built-in map, or a file that no spec names.
        let names = names.chain([map.to_owned(), format!("{map}.map")]);
        let (mut missing, mut other) = (None, None);
        for name in names {
            let found = match NamedMap::find_in(self.folders, &name, rules) {
                Ok(found) => found,
                Err(error) => {
                    missing.get_or_insert(error);
                    continue;
                }
            };
            let has = format!("{:016x}", found.fingerprint());
            if floor.is_none_or(|floor| floor == has) {
                return Ok(found);
            }
            other.get_or_insert_with(|| {
                let file = found.file.as_deref().map_or_else(|| name.clone(), shown_path);
                format!(
                    "{file}: this map has another floor than the one that the runs were made on"
                )
            });
        }
        let folders: Vec<String> = self.folders.iter().map(shown_path).collect();
        Err(match (other, missing) {
            (Some(reason), _) => LabError::input(reason),
            (None, Some(error)) => {
                LabError::input(format!("{error} (looked for in {})", folders.join(" and ")))
            }
            (None, None) => LabError::input(format!("{map}: there is no such map")),
        })
    }
}
