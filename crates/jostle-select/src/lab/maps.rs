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
        let names = self.names.iter().filter_map(|name| meant(name, map));
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

/// The file that a name in a spec stands for, if it can be the map that records call so. A `*` stands for any name.
fn meant(name: &str, map: &str) -> Option<String> {
    let path = Path::new(name);
    let stem = path.file_stem()?.to_string_lossy();
    if stem == map {
        return Some(name.to_owned());
    }
    let (front, back) = stem.split_once('*')?;
    let fits =
        map.len() >= front.len() + back.len() && map.starts_with(front) && map.ends_with(back);
    let file = match path.extension() {
        Some(extension) => format!("{map}.{}", extension.to_string_lossy()),
        None => map.to_owned(),
    };
    fits.then(|| path.with_file_name(file).to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_a_spec_stands_for_maps_of_its_stem() {
        let meant = |name, map| meant(name, map);
        assert_eq!(meant("bg/AR0700SR.map", "AR0700SR").as_deref(), Some("bg/AR0700SR.map"));
        assert_eq!(meant("bg/*.map", "AR0700SR").as_deref(), Some("bg/AR0700SR.map"));
        assert_eq!(meant("bg/AR*SR.map", "AR0700SR").as_deref(), Some("bg/AR0700SR.map"));
        assert_eq!(meant("bg/AR*SR.map", "AR0700"), None);
        assert_eq!(meant("bg/AR07*0700SR.map", "AR0700SR"), None, "the ends overlap");
        assert_eq!(meant("bg/AR0711SR.map", "AR0700SR"), None);
    }
}
