//! "Did you mean": the name that somebody probably wanted to type.

/// The name that is spelt most like what was typed; none if no name is so close that it was probably meant.
///
/// A name is close if at most one typing error for every three letters of the longer of the two leads to it: an extra, missing or wrong
/// letter, or two letters swapped. Case is ignored. If only one name begins with what was typed, that name is close as well.
///
/// ```
/// use jostle::registry::nearest;
///
/// assert_eq!(nearest("bmma", ["bmaa", "far"]), Some("bmaa"));
/// assert_eq!(nearest("teleport", ["bmaa", "far"]), None);
/// ```
pub fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // No name is that long, and the distance takes time for every pair of letters.
    if typed.len() > 4 * LONGEST_NAME {
        return None;
    }
    let letters = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<Vec<char>>();
    let typed = letters(typed);
    let mut best: Option<(usize, &str)> = None;
    let (mut longer, mut longer_names) = (None, 0);
    for name in names {
        let spelt = letters(name);
        if typed.len() >= SHORTEST_BEGINNING && spelt.starts_with(&typed) {
            longer = Some(name);
            longer_names += 1;
        }
        let allowed = typed.len().max(spelt.len()) / 3;
        let errors = errors(&typed, &spelt);
        if errors <= allowed && best.is_none_or(|(least, _)| errors < least) {
            best = Some((errors, name));
        }
    }
    best.map(|(_, name)| name).or(longer.filter(|_| longer_names == 1))
}

/// What an error says after a name that is not known: the name that was probably meant, or, if no name is close, all of them, after
/// `known`.
///
/// ```
/// use jostle::registry::did_you_mean;
///
/// assert_eq!(did_you_mean("cav", &["cave", "rooms"], "the maps are"), "did you mean 'cave'?");
/// assert_eq!(did_you_mean("dungeon", &["cave", "rooms"], "the maps are"), "the maps are cave, rooms");
/// ```
pub fn did_you_mean(typed: &str, names: &[&str], known: &str) -> String {
    match nearest(typed, names.iter().copied()) {
        Some(name) => format!("did you mean '{name}'?"),
        None => format!("{known} {}", names.join(", ")),
    }
}

/// The most letters of a name that somebody types; file names can be longer.
const LONGEST_NAME: usize = 64;

/// With fewer letters, the beginning of a name could mean anything.
const SHORTEST_BEGINNING: usize = 3;

/// How many typing errors lead from one text to the other: the Damerau-Levenshtein distance in which no part is changed twice.
fn errors(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &from) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, &to) in b.iter().enumerate() {
            let replaced = last[j] + usize::from(from != to);
            let mut fewest = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from == b[j - 1] && a[i - 1] == to {
                fewest = fewest.min(before[j - 1] + 1);
            }
            row.push(fewest);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 9] =
        ["jostle", "bmaa", "bmaa-c", "bmaa-f-c", "far", "whca", "pibt", "astar-replan", "lacam"];

    fn meant(typed: &str) -> Option<&'static str> {
        nearest(typed, NAMES)
    }

    #[test]
    fn typing_errors_are_counted() {
        let errors = |a: &str, b: &str| {
            errors(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
        };
        for (a, b, expected) in [
            ("", "", 0),
            ("cave", "cave", 0),
            ("cave", "cav", 1),
            ("cave", "caves", 1),
            ("cave", "cove", 1),
            ("cave", "acve", 1),
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("ca", "abc", 3),
        ] {
            assert_eq!(errors(a, b), expected, "{a} {b}");
            assert_eq!(errors(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn a_name_that_was_nearly_typed_is_found() {
        for (typed, expected) in [
            ("bmma", "bmaa"),
            ("BMAA", "bmaa"),
            ("bma", "bmaa"),
            ("bmaa_c", "bmaa-c"),
            ("jostel", "jostle"),
            ("pitb", "pibt"),
            ("astar-repaln", "astar-replan"),
            ("astar", "astar-replan"),
            ("fra", "far"),
        ] {
            assert_eq!(meant(typed), Some(expected), "{typed}");
        }
    }

    #[test]
    fn nothing_absurd_is_suggested() {
        for typed in ["", "x", "xy", "teleport", "zzz", "as", "ba", "dungeon", "a*", "ärger"] {
            assert_eq!(meant(typed), None, "{typed}");
        }
        assert_eq!(meant(&"bmaa".repeat(100_000)), None);
    }
}
