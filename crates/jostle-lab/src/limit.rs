//! How users write limits.

use std::time::Duration;

use jostle::Limits;

/// Reads `4096steps`, `30s`, or both with a comma.
///
/// # Errors
/// When it is none of these.
pub fn parse_limits(text: &str) -> Result<Limits, String> {
    let expected =
        || format!("'{text}' is not a limit: write 4096steps, 30s, or both with a comma");
    let mut limits = Limits { ticks: None, time: None };
    for part in text.split(',').map(str::trim) {
        let number = part.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        match &part[number.len()..] {
            "steps" | "ticks" if limits.ticks.is_none() => {
                limits.ticks = Some(number.parse().map_err(|_| expected())?);
            }
            unit @ ("s" | "ms" | "min") if limits.time.is_none() => {
                let unit = match unit {
                    "ms" => 0.001,
                    "min" => 60.0,
                    _ => 1.0,
                };
                let seconds = number.parse::<f64>().map_err(|_| expected())? * unit;
                let time = Duration::try_from_secs_f64(seconds).map_err(|_| expected())?;
                limits.time = Some(time);
            }
            _ => return Err(expected()),
        }
    }
    Ok(limits)
}

/// Writes limits as [`parse_limits`] reads them.
pub fn write_limits(limits: Limits) -> String {
    let ticks = limits.ticks.map(|ticks| format!("{ticks}steps"));
    let time = limits.time.map(|time| format!("{}s", time.as_secs_f64()));
    ticks.into_iter().chain(time).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_they_are_written() {
        for text in ["4096steps", "30s", "100steps,0.25s"] {
            assert_eq!(write_limits(parse_limits(text).unwrap()), text);
        }
    }

    #[test]
    fn limits_are_read() {
        let limits = parse_limits("30s,4096steps").unwrap();
        assert_eq!(limits, Limits { ticks: Some(4096), time: Some(Duration::from_secs(30)) });
        assert_eq!(parse_limits("1.5min").unwrap().time, Some(Duration::from_secs(90)));
        assert_eq!(parse_limits("250ms").unwrap().time, Some(Duration::from_millis(250)));
        for wrong in ["", "30", "s", "-3s", "3s,4s", "12parsecs", "1e400s", "NaNs"] {
            assert!(parse_limits(wrong).is_err(), "{wrong}");
        }
    }
}
