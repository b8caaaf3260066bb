//! Limits as text.

use std::time::Duration;

use jostle::Limits;
use jostle::formats::quoted;

use crate::grouped;

/// Reads `4096steps`, `30s`, `5000000expansions`, or several with commas.
///
/// # Errors
/// When the text is not of that form.
pub fn parse_limits(text: &str) -> Result<Limits, String> {
    let expected = || {
        let forms = "write 4096steps, 30s, 5000000expansions, or several with commas";
        format!("{} is not a limit: {forms}", quoted(text))
    };
    let mut limits = Limits::default();
    for part in text.split(',').map(str::trim) {
        let number = part.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let whole = || number.parse().map_err(|_| expected());
        match &part[number.len()..] {
            "steps" | "ticks" if limits.ticks.is_none() => limits.ticks = Some(whole()?),
            "expansions" if limits.expansions.is_none() => limits.expansions = Some(whole()?),
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
    let expansions = limits.expansions.map(|expansions| format!("{expansions}expansions"));
    [ticks, time, expansions].into_iter().flatten().collect::<Vec<_>>().join(",")
}

/// Limits in words: `30 s or 4,096 ticks`.
pub fn show_limits(limits: Limits) -> String {
    let time = limits.time.map(|time| format!("{} s", time.as_secs_f64()));
    let ticks = limits.ticks.map(|ticks| format!("{} ticks", grouped(ticks)));
    let expansions =
        limits.expansions.map(|expansions| format!("{} expansions", grouped(expansions)));
    [time, ticks, expansions].into_iter().flatten().collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_they_are_written() {
        for text in
            ["4096steps", "30s", "7expansions", "100steps,0.25s", "100steps,30s,9expansions"]
        {
            assert_eq!(write_limits(parse_limits(text).unwrap()), text);
        }
    }

    #[test]
    fn limits_are_read() {
        let limits = parse_limits("5000000expansions, 30s,4096steps").unwrap();
        let expected = Limits {
            ticks: Some(4096),
            time: Some(Duration::from_secs(30)),
            expansions: Some(5_000_000),
        };
        assert_eq!(limits, expected);
        assert_eq!(show_limits(limits), "30 s or 4,096 ticks or 5,000,000 expansions");
        assert_eq!(parse_limits("1.5min").unwrap().time, Some(Duration::from_secs(90)));
        assert_eq!(parse_limits("250ms").unwrap().time, Some(Duration::from_millis(250)));
        for wrong in [
            "",
            "30",
            "s",
            "-3s",
            "3s,4s",
            "12parsecs",
            "1e400s",
            "NaNs",
            "expansions",
            "1.5expansions",
            "9expansions,9expansions",
        ] {
            assert!(parse_limits(wrong).is_err(), "{wrong}");
        }
    }
}
