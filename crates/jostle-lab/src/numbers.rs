//! Lists of numbers as users write them, and numbers as they are printed.

use jostle::formats::quoted;

/// The most numbers in one list, more than any experiment wants: a typing error should not fill the memory.
pub const MOST_NUMBERS: usize = 1_000_000;

/// Reads numbers and ranges with commas: `25-400/25,600` is 25, 50, 75, ... 400, 600.
///
/// # Errors
/// When the text is not of that form, or stands for more than a million numbers.
pub fn parse_numbers(text: &str) -> Result<Vec<u64>, String> {
    let mut numbers = Vec::new();
    for part in text.split(',').map(str::trim) {
        let wrong = || {
            let forms = "write 7, 1-10, or 25-400/25 with a step";
            format!("{} is not a number or a range: {forms}", quoted(part))
        };
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
        let (range, step) = match part.split_once('/') {
            Some((range, step)) if range.contains('-') => (range, number(step)?),
            Some(_) => return Err(wrong()),
            None => (part, 1),
        };
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last) = (number(first)?, number(last)?);
        if step == 0 || first > last {
            return Err(wrong());
        }
        let more = (last - first) / step;
        // Checked before memory is taken for them.
        if more >= (MOST_NUMBERS - numbers.len()) as u64 {
            return Err(too_many(&quoted(text)));
        }
        numbers.extend((0..=more).map(|index| first + index * step));
    }
    Ok(numbers)
}

/// The error of a list that is too long.
pub fn too_many(list: &str) -> String {
    let most = grouped(MOST_NUMBERS as u64);
    format!("{list} stands for more than {most} numbers, the most that a list can have")
}

/// A whole number with commas between thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated_by_commas() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(123), "123");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn numbers_and_ranges_are_read() {
        assert_eq!(parse_numbers("7").unwrap(), [7]);
        assert_eq!(parse_numbers("1-3, 9").unwrap(), [1, 2, 3, 9]);
        assert_eq!(parse_numbers("25-100/25").unwrap(), [25, 50, 75, 100]);
        assert_eq!(parse_numbers("1-10/4").unwrap(), [1, 5, 9]);
        let largest = u64::MAX;
        assert_eq!(parse_numbers(&largest.to_string()).unwrap(), [largest]);
        for wrong in ["", "x", "3-1", "1-", "-1", "1-5/0", "5/2", "1-2-3", "1,,2", "1-9/1/2"] {
            assert!(parse_numbers(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_list_of_too_many_numbers_is_refused_before_memory_is_taken() {
        let expected = "stands for more than 1,000,000 numbers";
        for bomb in [
            "0-99999999999",
            "1-18446744073709551615",
            "0-18446744073709551615",
            "0-1000000",
            "1-600000,1-600000",
            "1-1000000,7",
        ] {
            assert!(parse_numbers(bomb).unwrap_err().contains(expected), "{bomb}");
        }
        assert_eq!(parse_numbers("1-1000000").unwrap().len(), 1_000_000);
        assert_eq!(parse_numbers("0-18446744073709551615/18446744073709551615").unwrap().len(), 2);
    }
}
