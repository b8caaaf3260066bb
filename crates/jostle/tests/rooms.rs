//! The rooms of the engine depend on each other without cycles, as `docs/architecture.md` says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// For each room, the rooms it names.
type Rooms = BTreeMap<String, BTreeSet<String>>;

/// Adds the rooms that the files of a folder name, tests left out.
fn read(folder: &Path, room: Option<&str>, rooms: &mut Rooms) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let room = room.unwrap_or(&stem);
        if path.is_dir() {
            read(&path, Some(room), rooms);
        } else if stem != "lib" && stem != "testing" && !stem.ends_with("_test") {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            let names = lines.flat_map(|line| line.split("crate::").skip(1)).map(first_word);
            let known = rooms.entry(room.to_owned()).or_default();
            known.extend(names.filter(|name| name != room));
        }
    }
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}

/// Everything that can be reached from a room.
fn reached<'a>(rooms: &'a Rooms, from: &str, seen: &mut BTreeSet<&'a str>) {
    for next in rooms.get(from).into_iter().flatten() {
        if seen.insert(next) {
            reached(rooms, next, seen);
        }
    }
}

#[test]
fn rooms_depend_on_each_other_without_cycles() {
    let mut rooms = Rooms::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), None, &mut rooms);
    assert!(rooms["planners"].contains("search"), "the files are read as they should be");
    for room in rooms.keys() {
        let mut seen = BTreeSet::new();
        reached(&rooms, room, &mut seen);
        assert!(!seen.contains(room.as_str()), "{room} depends on itself, by way of {seen:?}");
    }
    let mut search = BTreeSet::new();
    reached(&rooms, "search", &mut search);
    assert!(!search.contains("world"), "searches know no world");
}
