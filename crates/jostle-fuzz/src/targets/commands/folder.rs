//! The folder in which a command line is run: small inputs of every kind, and what may become of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;

use crate::fault::{Fault, ensure};

const A_MAP: &str = "type octile\nheight 3\nwidth 4\nmap\n....\n.@..\n...@\n";
const B_MAP: &str = "type octile\nheight 2\nwidth 9\nmap\n.........\n...@@@...\n";
const A_SCEN: &str =
    "version 1\n0\ta.map\t4\t3\t0\t0\t2\t0\t2.0\n0\ta.map\t4\t3\t0\t2\t3\t0\t4.0\n";
/// Fifty bytes that ask for a map of a thousand million cells.
const BOMB_SCEN: &str = "version 1\n0\ta.map\t32768\t32768\t0\t0\t2\t0\t2.0\n";
const A_SCRIPT: &str = "1 wall (2,0)\n2 send 0 (3,1)\n3 floor (2,0)\n";
const A_PATHS: &str = "starts=(0,0),\ngoals=(2,0),\nsolution=\n0:(0,0),\n1:(1,0),\n2:(2,0),\n";
const BAD_PATHS: &str = "starts=(0,0),\ngoals=(2,0),\nsolution=\n0:(0,0),\n1:(3,0),\n";
const SPEC: &str = "[[sweep]]\nmaps = [\"a.map\"]\nagents = [1, 2]\nplanners = [\"pibt\", \"lra\"]\n\
                    limits = [\"9steps\"]\n";
const RECORD: &str = concat!(
    r#"{"planner":"bmaa","map":"m","agents":10,"seed":1,"kind":"random","neighbours":8,"limit":"30s","#,
    r#""ticks":9,"seconds":0.1,"ending":"all-arrived","completion_rate":1.0,"completion_ticks":5.0,"#,
    r#""completion_seconds":0.5,"travel_distance":7.5,"makespan":9,"sum_of_costs":50,"expansions":1,"#,
    r#""searches":1,"tick_p99_us":1500.0,"tick_max_us":1.0,"first_tick_us":1.0,"later_tick_max_us":1.0,"#,
    r#""success_rate":1.0,"path_length":5.0,"path_over_shortest":null,"cycles":0.0,"planner_bytes":0,"#,
    r#""fingerprint":"f","version":"0.1.0"}"#,
    "\n"
);

/// The inputs by name.
const INPUTS: [(&str, &str); 15] = [
    ("a.map", A_MAP),
    ("b.map", B_MAP),
    ("x/a.map", A_MAP),
    ("bad.map", "type octile\nheight 3\n\u{1b}[31m\n"),
    ("a.scen", A_SCEN),
    ("bomb.scen", BOMB_SCEN),
    ("bad.scen", "version 7\u{7}\n"),
    ("a.script", A_SCRIPT),
    ("bad.script", "1 wall (2\r,0)\n"),
    ("a.paths", A_PATHS),
    ("bad.paths", BAD_PATHS),
    ("spec.toml", SPEC),
    ("bad.toml", "[[sweep]]\nmaps = [\"\u{7f}\"]\n"),
    ("results/records.jsonl", RECORD),
    ("torn.jsonl", "{\"key\":\"ca"),
];

/// A folder with inputs, and an empty folder for outputs.
pub struct Folder(TempDir);

/// What is at a path: the text of a file, or where a link leads.
#[derive(PartialEq, Debug)]
enum Entry {
    File(Vec<u8>),
    Link(PathBuf),
}

impl Folder {
    /// A new folder with all inputs.
    pub fn new() -> Result<Self, String> {
        let folder = Self(tempfile::tempdir().map_err(|error| error.to_string())?);
        folder.fill().map_err(|error| error.to_string())?;
        Ok(folder)
    }

    fn fill(&self) -> std::io::Result<()> {
        for name in ["out", "x", "results"] {
            fs::create_dir(self.path().join(name))?;
        }
        for (name, text) in INPUTS {
            fs::write(self.path().join(name), text)?;
        }
        std::os::unix::fs::symlink("a.map", self.path().join("link.map"))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Checks that no input has changed, and that every new file is in a place that one of the words names. A file
    /// that only one word names is no input if it has changed, but an output that was there before.
    ///
    /// # Errors
    /// The first file that is wrong.
    pub fn check(&self, words: &[String]) -> Result<(), Fault> {
        let mut found = BTreeMap::new();
        collect(self.path(), Path::new(""), &mut found)
            .map_err(|error| Fault::new("a folder cannot be read", error.to_string()))?;
        for (name, text) in INPUTS {
            let entry = found.remove(Path::new(name));
            let is_same = entry == Some(Entry::File(text.as_bytes().to_vec()));
            let is_output = words.iter().filter(|word| is_called(word, name)).count() == 1;
            ensure(is_same || is_output, "an input is changed", || name.to_owned())?;
        }
        let link = found.remove(Path::new("link.map"));
        ensure(link == Some(Entry::Link("a.map".into())), "a link is replaced", String::new)?;
        for path in found.keys() {
            let is_asked_for = words.iter().any(|word| names(word, path))
                // A report goes beside its records unless it is told where.
                || (words[0] == "report" && path.components().any(is_report));
            ensure(is_asked_for, "a file appears where none was asked for", || {
                path.display().to_string()
            })?;
        }
        Ok(())
    }
}

fn is_report(component: Component<'_>) -> bool {
    component.as_os_str().to_string_lossy().ends_with("report")
}

/// Whether a word, or its part after `=`, names this input, perhaps through the link.
fn is_called(word: &str, name: &str) -> bool {
    let value = word.split_once('=').map_or(word, |(_, value)| value);
    value == name || (value == "link.map" && name == "a.map")
}

/// Whether a word, or its part after `=`, names a path or a folder around it.
fn names(word: &str, path: &Path) -> bool {
    let plain = |text: &str| -> PathBuf {
        Path::new(text).components().filter(|part| *part != Component::CurDir).collect()
    };
    let value = word.split_once('=').map_or(word, |(_, value)| value);
    [word, value].iter().any(|text| !text.is_empty() && path.starts_with(plain(text)))
}

/// All files and links under a folder, by their paths in it.
fn collect(root: &Path, under: &Path, found: &mut BTreeMap<PathBuf, Entry>) -> std::io::Result<()> {
    for entry in fs::read_dir(root.join(under))? {
        let entry = entry?;
        let path = under.join(entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(root, &path, found)?;
        } else if kind.is_symlink() {
            found.insert(path, Entry::Link(fs::read_link(entry.path())?));
        } else {
            found.insert(path, Entry::File(fs::read(entry.path())?));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn only_what_the_words_name_may_appear() {
        let folder = Folder::new().unwrap();
        let line = words("run a.map --paths=out/p.txt --replay new");
        folder.check(&line).unwrap();
        for (name, is_asked_for) in
            [("out/p.txt", true), ("new", true), ("out/q.txt", false), ("a.map.tmp", false)]
        {
            let path = folder.path().join(name);
            fs::write(&path, "").unwrap();
            assert_eq!(folder.check(&line).is_ok(), is_asked_for, "{name}");
            fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn an_input_that_changes_is_found() {
        let folder = Folder::new().unwrap();
        fs::write(folder.path().join("a.scen"), "").unwrap();
        let fault = folder.check(&words("run a.map --scen a.scen --paths=a.scen")).unwrap_err();
        assert_eq!(fault.to_string(), "an input is changed: a.scen");
        folder.check(&words("run a.map --paths a.scen")).unwrap();
        assert!(folder.check(&words("run a.map")).is_err());
    }

    #[test]
    fn a_link_that_is_replaced_by_a_file_is_found() {
        let folder = Folder::new().unwrap();
        fs::remove_file(folder.path().join("link.map")).unwrap();
        fs::write(folder.path().join("link.map"), A_MAP).unwrap();
        assert!(folder.check(&words("maps link.map --out link.map")).is_err());
    }
}
