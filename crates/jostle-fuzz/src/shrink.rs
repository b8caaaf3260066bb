//! Makes a failing case smaller: leaves out parts of lists and texts, and halves numbers, as long as it still fails.
//!
//! A case is shrunk as the JSON that it is written out as, so that one shrinker serves all of them.

use serde_json::Value;

/// Tries smaller versions of a case until none fails in the same way, or `tries` of them were tried.
/// `still_fails` is asked about each; it must say no to what is not a case.
pub fn shrink(case: Value, tries: usize, mut still_fails: impl FnMut(&Value) -> bool) -> Value {
    let mut shrinker = Shrinker { best: case, left: tries, still_fails: &mut still_fails };
    loop {
        let before = shrinker.best.clone();
        shrinker.visit(&mut Vec::new());
        if shrinker.left == 0 || shrinker.best == before {
            return shrinker.best;
        }
    }
}

/// How many other values of the same name are tried for a number.
const MOST_OTHERS: usize = 4;

struct Shrinker<'a> {
    best: Value,
    left: usize,
    still_fails: &'a mut dyn FnMut(&Value) -> bool,
}

/// One step from a value to a value inside it.
#[derive(Clone)]
enum Step {
    Index(usize),
    Key(String),
}

impl Shrinker<'_> {
    /// Shrinks the value at a path, and then the values inside it.
    fn visit(&mut self, path: &mut Vec<Step>) {
        match at(&self.best, path).clone() {
            Value::Array(items) => {
                // A position has a fixed length: trying to shorten it would waste tries.
                if items.len() != 2 || !items.iter().all(Value::is_number) {
                    self.drop_parts(path, items, |items| Value::Array(items.to_vec()));
                }
                let mut index = 0;
                while index < at(&self.best, path).as_array().map_or(0, Vec::len) {
                    self.visit_inside(path, Step::Index(index));
                    index += 1;
                }
            }
            Value::Object(fields) => {
                // Numbers first: a case with fewer ticks is faster to try.
                let (numbers, others): (Vec<_>, Vec<_>) =
                    fields.iter().partition(|(_, value)| value.is_number());
                for (key, _) in numbers.into_iter().chain(others) {
                    self.visit_inside(path, Step::Key(key.clone()));
                }
            }
            Value::String(text) => {
                let letters = text.chars().collect();
                self.drop_parts(path, letters, |letters: &[char]| {
                    Value::String(letters.iter().collect())
                });
            }
            Value::Number(number) => {
                if let Some(number) = number.as_u64() {
                    self.lower(path, number);
                }
            }
            Value::Bool(_) | Value::Null => {}
        }
    }

    fn visit_inside(&mut self, path: &mut Vec<Step>, step: Step) {
        if self.left > 0 {
            path.push(step);
            self.visit(path);
            path.pop();
        }
    }

    /// Leaves out parts of a list: halves first, then quarters, down to single items.
    fn drop_parts<T: Clone>(
        &mut self,
        path: &[Step],
        mut items: Vec<T>,
        whole: impl Fn(&[T]) -> Value,
    ) {
        let mut part = items.len();
        while part > 0 {
            // From the end, because what comes first is most often needed by what follows.
            let mut end = items.len();
            while end > 0 && self.left > 0 {
                let begin = end.saturating_sub(part);
                let rest = [&items[..begin], &items[end..]].concat();
                if self.try_instead(path, whole(&rest)) {
                    items = rest;
                }
                end = begin.min(items.len());
            }
            part /= 2;
        }
    }

    /// Lowers a number: to nothing, to what has the same name elsewhere, then by ever smaller shares. What has the
    /// same name elsewhere is most often another agent, and then one of the two can go.
    fn lower(&mut self, path: &[Step], number: u64) {
        let mut others = Vec::new();
        if let Some(Step::Key(name)) = path.last() {
            numbers_named(name, &self.best, &mut others);
            others.sort_unstable();
            others.dedup();
        }
        for other in others.into_iter().filter(|other| *other < number).take(MOST_OTHERS) {
            if self.try_instead(path, other.into()) {
                return;
            }
        }
        let (mut number, mut less) = (number, number);
        while less > 0 && self.left > 0 {
            if self.try_instead(path, (number - less).into()) {
                number -= less;
                less = less.min(number);
            } else {
                less /= 2;
            }
        }
    }

    fn try_instead(&mut self, path: &[Step], value: Value) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let mut candidate = self.best.clone();
        *at_mut(&mut candidate, path) = value;
        let fails = (self.still_fails)(&candidate);
        if fails {
            self.best = candidate;
        }
        fails
    }
}

/// All numbers that are called this in a value.
fn numbers_named(name: &str, value: &Value, found: &mut Vec<u64>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| numbers_named(name, item, found)),
        Value::Object(fields) => {
            found.extend(fields.get(name).and_then(Value::as_u64));
            fields.values().for_each(|field| numbers_named(name, field, found));
        }
        _ => {}
    }
}

fn at<'a>(value: &'a Value, path: &[Step]) -> &'a Value {
    path.iter().fold(value, |value, step| match step {
        Step::Index(index) => &value[*index],
        Step::Key(key) => &value[key.as_str()],
    })
}

fn at_mut<'a>(value: &'a mut Value, path: &[Step]) -> &'a mut Value {
    path.iter().fold(value, |value, step| match step {
        Step::Index(index) => &mut value[*index],
        Step::Key(key) => &mut value[key.as_str()],
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_makes_a_case_fail_is_left() {
        let case = json!({
            "list": [5, 80, 12, 99, 31],
            "text": "much ado about nothing",
            "flag": true,
            "pairs": [{ "agent": 8 }, { "agent": 21 }, { "agent": 21 }],
            "at": [7, 9],
        });
        let fails = |case: &Value| {
            let list = case["list"].as_array().unwrap();
            list.iter().any(|number| number.as_u64() > Some(40))
                && case["text"].as_str().unwrap().contains('b')
                && case["at"].as_array().unwrap().len() == 2
                && case["pairs"].as_array().unwrap().len() >= 2
                && case["pairs"][0]["agent"].as_u64() >= Some(8)
        };
        let small = shrink(case, 10_000, fails);
        let expected = json!({
            "list": [41],
            "text": "b",
            "flag": true,
            "pairs": [{ "agent": 8 }, { "agent": 0 }],
            "at": [0, 0],
        });
        assert_eq!(small, expected);
    }

    #[test]
    fn it_stops_when_its_tries_are_used_up() {
        let (case, mut asked) = (json!([9, 9, 9, 9]), 0);
        shrink(case, 3, |_| {
            asked += 1;
            true
        });
        assert!(asked <= 3);
    }
}
