//! Numbers and ranges, written the same in all commands.

use std::ops::RangeInclusive;

use jostle::formats::quoted;
use jostle_lab::{grouped, parse_numbers};

/// A list of numbers and ranges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbers(pub Vec<u64>);

impl std::str::FromStr for Numbers {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        parse_numbers(text).map(Self).map_err(|reason| why_not(text).unwrap_or(reason))
    }
}

/// Why one of the parts of a list is no number nor range, if it is a common mistake.
fn why_not(numbers: &str) -> Option<String> {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    numbers.split(',').map(str::trim).find_map(|part| {
        if part.strip_prefix('-').and_then(number).is_some() {
            return Some(format!("{} is negative", quoted(part)));
        }
        let (first, last) = part.split('/').next()?.split_once('-')?;
        let (first, last) = (number(first)?, number(last)?);
        let turned = format!("{last}-{first}");
        (first > last).then(|| format!("{} runs backwards: write {turned}", quoted(part)))
    })
}

/// Reads whole numbers in a range.
pub fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            let (least, most) = (grouped(*range.start()), grouped(*range.end()));
            match *range.end() {
                u64::MAX => format!("it is a whole number, not below {least}"),
                _ => format!("it is a whole number from {least} to {most}"),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_numbers_that_is_wrong_says_why() {
        let wrong = |text: &str| text.parse::<Numbers>().unwrap_err();
        assert_eq!(wrong("-1"), "'-1' is negative");
        assert_eq!(wrong("3,10-5"), "'10-5' runs backwards: write 5-10");
        assert!(wrong("x").ends_with("write 7, 1-10, or 25-400/25 with a step"));
        let number = whole::<u16>(1..=1000);
        assert_eq!(number("1000"), Ok(1000));
        for text in ["0", "-1", "1001", "x", ""] {
            assert_eq!(number(text).unwrap_err(), "it is a whole number from 1 to 1,000");
        }
    }
}
