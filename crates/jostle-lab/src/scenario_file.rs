//! Scenario files: agents that are read, and the map that their rows name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jostle::Rules;
use jostle::formats::{STANDARD_INPUT, Scenario, quoted, read_scenario, shown_path};
use jostle::instance::{InstanceError, Reach};
use jostle::{Grid, Instance};

use crate::save::plain;
use crate::{LabError, NamedMap, Problem};

/// A scenario file, read.
#[derive(Clone, Debug)]
pub struct ScenarioFile {
    /// Its name in records: that of the file without folders and ending.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    scenario: Scenario,
}

impl ScenarioFile {
    /// Reads a scenario.
    ///
    /// # Errors
    /// When it cannot be read, or is not a scenario.
    pub fn read(path: &Path) -> Result<Self, LabError> {
        let scenario = read_scenario(path).map_err(LabError::input)?;
        let stem = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        let name = if stem == STANDARD_INPUT { "stdin".to_owned() } else { stem.into_owned() };
        Ok(Self { name, path: path.to_owned(), scenario })
    }

    /// How many agents it has.
    pub fn rows(&self) -> usize {
        self.scenario.rows.len()
    }

    /// The map that its rows name; none without rows.
    ///
    /// # Errors
    /// When they name several maps.
    fn map(&self) -> Result<Option<&str>, LabError> {
        let rows = &self.scenario.rows;
        let Some(map) = rows.first().map(|row| row.map.as_str()) else { return Ok(None) };
        match rows.iter().find(|row| row.map != map) {
            Some(other) => Err(LabError::input(format!(
                "{}: line {}: this row is for the map {}, and those before it are for {}",
                shown_path(&self.path),
                other.line,
                quoted(&other.map),
                quoted(map)
            ))),
            None => Ok(Some(map)),
        }
    }

    /// Finds the map that its rows name: beside the scenario, in the folder above it, as in the MovingAI benchmark, or in one of
    /// these folders. `text` is the name by which the scenario was found there. Returns the map with the name by which it was found.
    ///
    /// # Errors
    /// When its rows do not name one map, or the map is not found, or cannot be read.
    pub fn find_map(
        &self,
        text: &str,
        folders: &[&Path],
        rules: Rules,
    ) -> Result<(String, NamedMap), LabError> {
        let wrong =
            |reason: String| LabError::input(format!("{}: {reason}", shown_path(&self.path)));
        let Some(map) = self.map()? else {
            return Err(wrong("there are no agents".to_owned()));
        };
        let names = names_of(text, map);
        let name = names.into_iter().find(|name| NamedMap::is_there(folders, name));
        let name = name.ok_or_else(|| {
            let places = "beside the scenario, in the folder above it, or in the folder that JOSTLE_MAPS names";
            wrong(format!("its map {} was not found {places}: name the map", quoted(map)))
        })?;
        let map = NamedMap::find_in(folders, &name, rules)?;
        Ok((name, map))
    }

    /// Which of these maps the scenario is for: the only one, whatever its name, or the one that its rows name.
    ///
    /// # Errors
    /// When its rows name none of several maps.
    pub fn choose<'a>(
        &self,
        maps: impl ExactSizeIterator<Item = &'a NamedMap> + Clone,
    ) -> Result<usize, LabError> {
        if maps.len() == 1 {
            return Ok(0);
        }
        let named = self.map()?.unwrap_or_default();
        let stem = Path::new(named).file_stem().unwrap_or_default().to_string_lossy();
        let is_named = |map: &NamedMap| map.name == stem || plain(&map.name) == stem;
        maps.clone().position(is_named).ok_or_else(|| {
            let others = maps.map(|map| map.name.clone()).collect::<Vec<_>>().join(", ");
            let file = shown_path(&self.path);
            LabError::input(format!(
                "{file}: this scenario is for the map {}, and the maps are {others}",
                quoted(named)
            ))
        })
    }

    /// The problem that its first rows make on a map. `hint` says how goals that are out of reach are accepted.
    ///
    /// # Errors
    /// When there are fewer rows than that, or their starts and goals do not make an instance.
    pub fn problem(
        &self,
        map: &NamedMap,
        agents: usize,
        reach: Reach,
        hint: &str,
    ) -> Result<Problem, LabError> {
        let grid: &Grid = &map.grid;
        let located = |error: InstanceError| {
            let row = error.agent().and_then(|agent| self.scenario.rows.get(agent));
            let place = row.map_or_else(String::new, |row| format!("line {}: ", row.line));
            let hint = match error {
                InstanceError::OutOfReach { .. } => format!(" ({hint})"),
                _ => String::new(),
            };
            LabError::input(format!("{}: {place}{error}{hint}", shown_path(&self.path)))
        };
        let instance =
            Instance::from_scenario(grid, &self.scenario, agents, reach).map_err(located)?;
        Ok(Problem {
            map: map.name.clone(),
            map_fingerprint: map.fingerprint(),
            seed: None,
            kind: None,
            scen: Some(Arc::from(self.name.as_str())),
            instance,
            lifelong: None,
        })
    }
}

/// The names under which the map of a scenario is looked for, the likeliest first.
fn names_of(scenario: &str, map: &str) -> Vec<String> {
    let scenario = Path::new(scenario);
    let file = Path::new(map).file_name().unwrap_or(map.as_ref());
    let beside = scenario.parent();
    let above = beside.and_then(Path::parent);
    let places = [
        beside.map(|folder| folder.join(map)),
        beside.map(|folder| folder.join(file)),
        above.map(|folder| folder.join(file)),
        Some(map.into()),
        Some(file.into()),
    ];
    let mut names: Vec<String> = Vec::new();
    for place in places.into_iter().flatten() {
        let name = place.to_string_lossy().into_owned();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_is_looked_for_near_the_scenario_first() {
        assert_eq!(
            names_of("mapf/scen/a-random-1.scen", "a.map"),
            ["mapf/scen/a.map", "mapf/a.map", "a.map"]
        );
        assert_eq!(names_of("a.scen", "dao/a.map"), ["dao/a.map", "a.map"]);
        assert_eq!(names_of("-", "a.map"), ["a.map"]);
    }

    #[test]
    fn rows_of_several_maps_name_the_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("two.scen");
        let rows = "version 1\n0 a.map 4 3 0 0 3 0 3\n0 b.map 4 3 0 1 3 1 3\n";
        std::fs::write(&path, rows).unwrap();
        let scenario = ScenarioFile::read(&path).unwrap();
        let error = scenario.find_map("two.scen", &[], Rules::default()).unwrap_err().to_string();
        let expected = "two.scen: line 3: this row is for the map 'b.map', and those before it are for 'a.map'";
        assert!(error.ends_with(expected), "{error}");
    }
}
