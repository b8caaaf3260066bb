//! What a file of walks says about itself, and its name.

use std::collections::BTreeMap;
use std::fmt::Write;

use jostle::search::Lrta;
use serde::{Deserialize, Serialize};

use super::spec::name_of;
use crate::fingerprint::fingerprint;
use crate::record::Build;
use crate::sweep::WALK_FILES;

/// The form of the files. Another number means other columns or other facts.
const FORM: u32 = 1;

/// The facts of a batch: the walks of all settings on some problems of one map. They stand in the metadata of its file, as JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Facts {
    /// The form of the file; this build writes and reads [one form](Self::is_of_this_form).
    pub form: u32,
    /// The name of the map.
    pub map: String,
    /// The [fingerprint](crate::NamedMap::fingerprint) of the map.
    pub map_fingerprint: String,
    /// Free names for the map.
    pub labels: BTreeMap<String, String>,
    /// Where its problems come from.
    pub problems: ProblemFacts,
    /// The first problem of this batch.
    pub first: usize,
    /// How many problems this batch has.
    pub count: usize,
    /// How many settings walk.
    pub settings: usize,
    /// The fingerprint of all their parameters.
    pub settings_fingerprint: String,
    /// A walk that is so many times as long as the shortest path ends, and counts as just that.
    pub longest: f64,
    /// The version of Jostle that made it.
    pub version: String,
    /// Its commit; none if it was built without git.
    pub commit: Option<String>,
}

/// Where the problems of a map come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProblemFacts {
    /// How many the map has, all batches together.
    pub all: usize,
    /// The seed that drew them; none if they were read.
    pub seed: Option<u64>,
    /// The fingerprint of problems that were read.
    pub scenario: Option<String>,
}

impl Facts {
    /// The facts of all problems of a map, by this build.
    pub fn of_map(
        (map, map_fingerprint): (&str, &str),
        labels: &BTreeMap<String, String>,
        problems: ProblemFacts,
        settings: &[Lrta],
        longest: f64,
    ) -> Self {
        let Build { version, commit } = Build::this();
        Self {
            form: FORM,
            map: map.to_owned(),
            map_fingerprint: map_fingerprint.to_owned(),
            labels: labels.clone(),
            first: 0,
            count: problems.all,
            problems,
            settings: settings.len(),
            settings_fingerprint: fingerprint_of(settings),
            longest,
            version,
            commit,
        }
    }

    /// How many walks the batch has.
    pub const fn walks(&self) -> usize {
        self.count * self.settings
    }

    /// Whether a file with these facts is of the form that this build reads.
    pub const fn is_of_this_form(&self) -> bool {
        self.form == FORM
    }

    /// Whether these are walks of the same problems with the same settings, on the same map. Labels are not walked, and any build will do.
    pub fn are_the_same_walks(&self, other: &Self) -> bool {
        let Self { labels, version, commit, .. } = other.clone();
        Self { labels, version, commit, ..self.clone() } == *other
    }

    /// Whether these are the same walks, but on other versions of the map or of its file of problems.
    pub fn are_of_another_version(&self, other: &Self) -> bool {
        let is_scenario = |facts: &Self| facts.problems.scenario.is_some();
        if is_scenario(self) != is_scenario(other) || self.are_the_same_walks(other) {
            return false;
        }
        let mut same = self.clone();
        same.map_fingerprint.clone_from(&other.map_fingerprint);
        if is_scenario(self) {
            // Another file of problems may have another number of them.
            same.problems = other.problems.clone();
            (same.first, same.count) = (other.first, other.count);
        }
        same.are_the_same_walks(other)
    }

    /// The name of its file. Letters that not every system allows in names are written as numbers.
    pub fn file_name(&self) -> String {
        let mut name = WALK_FILES.0.to_owned();
        for letter in self.map.chars() {
            if letter.is_alphanumeric() || "-_=+ ".contains(letter) {
                name.push(letter);
            } else {
                // Writing to a string cannot fail.
                let _ = write!(name, "%{:02X}", u32::from(letter));
            }
        }
        if self.count < self.problems.all {
            let _ = write!(name, ".{}-{}", self.first, self.first + self.count - 1);
        }
        name + WALK_FILES.1
    }
}

/// The fingerprint of settings, which only equal ones share.
pub fn fingerprint_of(settings: &[Lrta]) -> String {
    let names = settings.iter().flat_map(|setting| (name_of(setting) + "\n").into_bytes());
    format!("{:016x}", fingerprint(names))
}
