//! Which build of Jostle made a record.

use std::fmt;

/// A build of Jostle.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Build {
    /// The version.
    pub version: String,
    /// The commit, with `-dirty` if sources were changed since; none if it was built without git.
    pub commit: Option<String>,
}

impl Build {
    /// The build of this program.
    pub fn this() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            // The build script finds it out.
            commit: option_env!("JOSTLE_COMMIT").map(str::to_owned),
        }
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.commit {
            Some(commit) => write!(f, "{} ({commit})", self.version),
            None => f.write_str(&self.version),
        }
    }
}
