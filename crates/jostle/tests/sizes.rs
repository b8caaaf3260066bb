//! What chooses looks at nothing that differs in a copy, on another machine, on other threads or in
//! another run: no capacity of a list, no size in bytes, no address, no clock, no order of a hash
//! map. Functions called `memory` report sizes, and nothing else may ask them; limits are in
//! [nominal bytes](jostle::Budget::with_memory).
//!
//! The sources are read word by word, so this sees names and not types: a size that goes by another
//! name, through a macro or from a type of the standard library that is not listed, escapes it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Where else sizes, addresses and clocks may stand: the file, the function, and why.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("planners/bmaa/state.rs", "learned", "a report"),
    ("planners/incremental/scene.rs", "shared_size", "a report"),
    ("search/learned.rs", "add", "when to make room changes nothing else"),
    ("search/sectors/nodes.rs", "make_room", "when to make room changes nothing else"),
    ("search/sectors/sweep.rs", "", "a report"),
    ("search/tiles.rs", "set_word", "when to make room changes nothing else"),
    ("simulate.rs", "", "a clock of the caller, for measures"),
    ("simulate.rs", "start", "a clock of the caller, for measures"),
    ("solvers/conflict_tree/joint.rs", "go_to", "a path that is the same one need not be compared"),
    ("solvers/lacam/room.rs", "make_room", "when to make room changes nothing else"),
    ("trace/tape.rs", "record", "how a trace is cut into chunks cannot be seen"),
];

/// Words that name such a thing wherever they stand.
const WORDS: [&str; 15] = [
    "size_of",
    "size_of_val",
    "align_of",
    "align_of_val",
    "addr",
    "addr_of",
    "as_ptr",
    "as_mut_ptr",
    "ptr",
    "ptr_eq",
    "available_parallelism",
    "Instant",
    "SystemTime",
    "RandomState",
    "DefaultHasher",
];

/// Names of functions and constants of types that are such a thing where they are called or named
/// by a path.
const CALLS: [&str; 4] = ["capacity", "memory", "MEMORY", "spare_capacity_mut"];

/// A word or a sign of a source, and its line.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Token {
    text: String,
    line: usize,
}

/// The words and signs of a source, without comments and without what stands in quotes.
fn tokens(source: &str) -> Vec<Token> {
    let letters: Vec<char> = source.chars().collect();
    let at = |index: usize| letters.get(index).copied().unwrap_or('\0');
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let (mut tokens, mut index, mut line) = (Vec::new(), 0, 1);
    while index < letters.len() {
        let begin = index;
        match at(index) {
            '/' if at(index + 1) == '/' => {
                while index < letters.len() && at(index) != '\n' {
                    index += 1;
                }
            }
            '/' if at(index + 1) == '*' => {
                let mut depth = 0;
                loop {
                    match (at(index), at(index + 1)) {
                        ('/', '*') => (depth, index) = (depth + 1, index + 2),
                        ('*', '/') => (depth, index) = (depth - 1, index + 2),
                        _ => index += 1,
                    }
                    if depth == 0 || index >= letters.len() {
                        break;
                    }
                }
            }
            '"' => index = end_of_quote(&letters, index),
            // A letter in quotes, and not the name of a lifetime.
            '\'' if at(index + 1) == '\\' || at(index + 2) == '\'' => {
                index += if at(index + 1) == '\\' { 3 } else { 2 };
                while index < letters.len() && at(index) != '\'' {
                    index += 1;
                }
                index += 1;
            }
            letter if is_word(letter) => {
                while is_word(at(index)) {
                    index += 1;
                }
                let word: String = letters[begin..index].iter().collect();
                let rest = &letters[index..];
                let hashes = rest.iter().take_while(|&&letter| letter == '#').count();
                if matches!(word.as_str(), "r" | "br" | "cr") && at(index + hashes) == '"' {
                    index = end_of_raw_quote(&letters, index, hashes);
                } else {
                    tokens.push(Token { text: word, line });
                }
            }
            letter => {
                if !letter.is_whitespace() {
                    tokens.push(Token { text: letter.to_string(), line });
                }
                index += 1;
            }
        }
        let passed = &letters[begin..index.min(letters.len())];
        line += passed.iter().filter(|&&letter| letter == '\n').count();
    }
    tokens
}

/// Where a quote ends that begins here.
fn end_of_quote(letters: &[char], begin: usize) -> usize {
    let mut index = begin + 1;
    while letters.get(index).is_some_and(|&letter| letter != '"') {
        index += if letters[index] == '\\' { 2 } else { 1 };
    }
    index + 1
}

/// Where a quote ends that begins here with so many hashes.
fn end_of_raw_quote(letters: &[char], begin: usize, hashes: usize) -> usize {
    let mut index = begin + hashes + 1;
    while index < letters.len() {
        let after = &letters[index + 1..];
        let is_closed =
            after.iter().take(hashes).filter(|&&letter| letter == '#').count() == hashes;
        if letters[index] == '"' && is_closed {
            return index + 1 + hashes;
        }
        index += 1;
    }
    index
}

/// Where the item ends that begins here: behind its body, or its semicolon.
fn end_of_item(tokens: &[Token], begin: usize) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(begin) {
        match token.text.as_str() {
            "{" | "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            "}" => {
                depth -= 1;
                if depth == 0 {
                    return index + 1;
                }
            }
            // A field, a variant or an element ends with its comma.
            ";" | "," if depth == 0 => return index + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// Whether the tokens from here on are these.
fn stands(tokens: &[Token], at: usize, texts: &[&str]) -> bool {
    texts
        .iter()
        .enumerate()
        .all(|(more, text)| tokens.get(at + more).is_some_and(|token| token.text == *text))
}

const OF_TESTS: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];

/// The tokens of a source without what is compiled for tests alone, and the modules that are.
fn without_tests(tokens: &[Token]) -> (Vec<Token>, Vec<String>) {
    let (mut rest, mut modules) = (Vec::new(), Vec::new());
    let mut index = 0;
    while index < tokens.len() {
        if !stands(tokens, index, &OF_TESTS) {
            rest.push(tokens[index].clone());
            index += 1;
            continue;
        }
        index += OF_TESTS.len();
        while stands(tokens, index, &["#", "["]) {
            index = 1
                + (index..tokens.len()).find(|&at| tokens[at].text == "]").unwrap_or(tokens.len());
        }
        let end = end_of_item(tokens, index);
        let item = &tokens[index..end];
        if let Some(at) = item.iter().position(|token| token.text == "mod")
            && stands(item, at + 2, &[";"])
        {
            modules.push(item[at + 1].text.clone());
        }
        index = end;
    }
    (rest, modules)
}

/// What a source looks at that it must not: the line, the innermost function, and the word.
fn looks(tokens: &[Token]) -> Vec<(usize, String, String)> {
    let (mut looks, mut depth) = (Vec::new(), 0usize);
    // The functions around the present token, and how deep in braces they begin.
    let mut around: Vec<(String, usize)> = Vec::new();
    let mut announced: Option<(String, usize)> = None;
    // How deep in round and square brackets the present token is.
    let mut nested = 0usize;
    let unordered = unordered(tokens);
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    for (index, token) in tokens.iter().enumerate() {
        let (before, after) = (text(index.wrapping_sub(1)), text(index + 1));
        let by_path = before == ":" && text(index.wrapping_sub(2)) == ":";
        match token.text.as_str() {
            "fn" if after.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') => {
                announced = Some((after.to_owned(), nested));
            }
            "{" => {
                depth += 1;
                if let Some((name, _)) = announced.take() {
                    around.push((name, depth));
                }
            }
            "}" => {
                around.pop_if(|(_, begin)| *begin == depth);
                depth = depth.saturating_sub(1);
            }
            "(" | "[" => nested += 1,
            ")" | "]" => nested = nested.saturating_sub(1),
            // A function of a trait without a body ends here, and the type of an array does not.
            ";" => announced = announced.filter(|(_, begin)| *begin < nested),
            _ => {}
        }
        let word = token.text.as_str();
        let is_call = CALLS.contains(&word) && before != "fn" && (by_path || after == "(");
        let is_pointer = word == "*" && matches!(after, "const" | "mut") && before == "as";
        let is_width =
            word == "BITS" && by_path && matches!(text(index.wrapping_sub(3)), "usize" | "isize");
        let is_walk = unordered.get(word).is_some_and(|&from| index > from) && walks(tokens, index);
        if is_call || is_pointer || is_width || is_walk || WORDS.contains(&word) {
            let within = announced.as_ref().or(around.last()).map(|(name, _)| name.clone());
            looks.push((token.line, within.unwrap_or_default(), word.to_owned()));
        }
    }
    looks
}

/// The names of hash maps and sets, whose order differs from run to run, and from where on: a list
/// that is made a set of may have had the same name.
fn unordered(tokens: &[Token]) -> BTreeMap<&str, usize> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let mut names = BTreeMap::new();
    for (index, token) in tokens.iter().enumerate() {
        if !matches!(token.text.as_str(), "HashMap" | "HashSet") {
            continue;
        }
        let mut at = index.wrapping_sub(1);
        while text(at) == ":" && text(at.wrapping_sub(1)) == ":" {
            at = at.wrapping_sub(3);
        }
        while matches!(text(at), "&" | "mut") {
            at = at.wrapping_sub(1);
        }
        if matches!(text(at), ":" | "=") {
            let is_new = matches!(text(at.wrapping_sub(2)), "let" | "mut");
            let end = (index..tokens.len()).find(|&at| text(at) == ";").unwrap_or(index);
            let from = names.entry(text(at.wrapping_sub(1))).or_insert(usize::MAX);
            *from = (*from).min(if is_new { end } else { 0 });
        }
    }
    names
}

/// Whether the entries of the map or set that is named here are gone through.
fn walks(tokens: &[Token], index: usize) -> bool {
    const WALKS: [&str; 11] = [
        "iter",
        "iter_mut",
        "keys",
        "values",
        "values_mut",
        "into_iter",
        "into_keys",
        "into_values",
        "drain",
        "retain",
        "extract_if",
    ];
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let mut at = index.wrapping_sub(1);
    while matches!(text(at), "." | "self" | "&" | "mut") {
        at = at.wrapping_sub(1);
    }
    let is_loop = text(at) == "in" && text(index + 1) == "{";
    is_loop || text(index + 1) == "." && WALKS.contains(&text(index + 2))
}

/// All sources in a folder.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn nothing_that_chooses_looks_at_a_size_an_address_or_a_clock() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    files.sort();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        let (tokens, modules) = without_tests(&tokens(&text));
        let folder = match path.file_stem().unwrap().to_str().unwrap() {
            "mod" | "lib" => path.parent().unwrap().to_owned(),
            _ => path.with_extension(""),
        };
        (path.clone(), tokens, modules.into_iter().map(move |name| folder.join(name + ".rs")))
    };
    let read: Vec<_> = files.iter().map(read).collect();
    let tests: BTreeSet<PathBuf> = read.iter().flat_map(|(.., tests)| tests.clone()).collect();
    let is_test =
        |path: &Path| path.to_string_lossy().ends_with("_test.rs") || tests.contains(path);
    let (mut found, mut used, mut reports) = (Vec::new(), BTreeSet::new(), 0);
    for (path, tokens, _) in read.iter().filter(|(path, ..)| !is_test(path)) {
        let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        for (line, function, word) in looks(tokens) {
            let allowed =
                ALLOWED.iter().position(|&(file, within, _)| (file, within) == (&name, &function));
            match allowed {
                _ if function == "memory" => reports += 1,
                Some(number) => {
                    used.insert(number);
                }
                None => found.push(format!("{name}:{line}: `{word}` in `{function}`")),
            }
        }
    }
    assert!(reports > 200, "the sources are read as they should be");
    assert!(found.is_empty(), "what chooses looks at what may differ:\n{}", found.join("\n"));
    for (number, (file, function, _)) in ALLOWED.iter().enumerate() {
        assert!(used.contains(&number), "{file}: `{function}` need not be allowed any more");
    }
}

#[test]
fn what_is_planted_in_a_source_is_found() {
    let source = r##"
        use std::time::Instant; // capacity()
        /* capacity() /* size_of */ ptr */
        const NAMES: [&str; 2] = ["a.capacity() \" {", r#"size_of " {"#];
        trait Held { fn memory(&self) -> usize; fn other(&self) -> [u8; 3]; }
        impl<'a> Table<'a> {
            fn memory(&self) -> usize { self.list.capacity() * size_of::<u32>() }
            fn is_full(&self) -> bool {
                let brace = '{';
                fn inner<const N: usize>(list: [u8; N]) -> usize { list.as_ptr() as usize }
                self.list.len() == self.list . capacity ( )
            }
            fn most(&self) -> usize {
                self.parts.iter().map(Part::memory).sum::<usize>() + self.memory + 1usize
            }
            fn wide(&self, with: usize) -> u32 { Vec::<u8>::with_capacity(with); usize::BITS }
        }
        fn ask(known: &HashMap<u32, u32>) -> u32 { known.get(&1).copied().unwrap_or(0) }
        fn walk(&self) {
            let mut seen: HashSet<u32> = seen.iter().collect();
            for one in &seen { self.list.iter(); seen.retain(|_| true); }
        }
        #[cfg(test)]
        #[path = "other_test.rs"]
        mod tests;
        #[cfg(test)]
        fn for_tests() { size_of::<u8>() }
        fn last(list: &[u8]) -> *const u8 { list as *const _ as *const u8 }
        "##;
    let (rest, modules) = without_tests(&tokens(source));
    assert_eq!(modules, ["tests"]);
    let found: Vec<_> = looks(&rest);
    let found: Vec<(usize, &str, &str)> = found
        .iter()
        .map(|(line, function, word)| (*line, function.as_str(), word.as_str()))
        .collect();
    let expected = [
        (2, "", "Instant"),
        (7, "memory", "capacity"),
        (7, "memory", "size_of"),
        (10, "inner", "as_ptr"),
        (11, "is_full", "capacity"),
        (14, "most", "memory"),
        (16, "wide", "BITS"),
        (21, "walk", "seen"),
        (21, "walk", "seen"),
        (28, "last", "*"),
        (28, "last", "*"),
    ];
    assert_eq!(found, expected);
}
