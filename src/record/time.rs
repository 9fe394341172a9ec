//! Reads and writes times.

use std::time::Duration;

/// The longest valid time in seconds: about thirty years.
pub(super) const MAX_SECONDS: u64 = 1_000_000_000;

/// Reads seconds with an optional fraction, as in CSA: `12`, `1.5`, `1.`.
pub fn read_csa_seconds(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) {
        return None;
    }
    let whole: u64 = whole.parse().ok().filter(|&seconds| seconds <= MAX_SECONDS)?;
    let nanos = fraction.bytes().chain(std::iter::repeat(b'0')).take(9);
    let nanos = nanos.fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'));
    Some(Duration::new(whole, nanos))
}

/// Reads whole milliseconds.
pub(super) fn read_millis(text: &str) -> Option<Duration> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let millis: u64 = digits.then(|| text.parse().ok())??;
    (millis <= MAX_SECONDS * 1000).then(|| Duration::from_millis(millis))
}

/// Reads hours, minutes and seconds, where the hours are optional: `0:12`, `1:02:03`, `00:01.5`.
/// Without hours, minutes may exceed 59.
pub(super) fn read_clock(text: &str) -> Option<Duration> {
    let parts: Vec<&str> = text.split(':').map(str::trim).collect();
    let (&last, rest) = parts.split_last()?;
    if rest.is_empty() || rest.len() > 2 {
        return None;
    }
    let mut whole: u64 = 0;
    for part in rest {
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let number: u64 = digits.then(|| part.parse().ok())??;
        whole = whole.checked_mul(60)?.checked_add(number)?;
    }
    let whole = whole.checked_mul(60).filter(|&seconds| seconds <= MAX_SECONDS)?;
    Some(Duration::from_secs(whole) + read_csa_seconds(last)?)
}

/// Seconds with as many decimals as necessary: `12`, `1.5`.
pub(super) fn decimal(time: Duration) -> String {
    let text = format!("{}.{:09}", time.as_secs(), time.subsec_nanos());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Hours, minutes and seconds, for people: `0:00:07`, `1:02:03`.
pub fn format_duration(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_read_and_written() {
        for (text, millis, again) in [
            ("12", 12_000, "12"),
            ("1.", 1000, "1"),
            ("0.25", 250, "0.25"),
            ("010.50", 10_500, "10.5"),
        ] {
            let time = Duration::from_millis(millis);
            assert_eq!(read_csa_seconds(text), Some(time), "{text}");
            assert_eq!(decimal(time), again);
        }
        for text in ["", ".", ".5", "-1", "1.5s", "+1", "99999999999", "１２"] {
            assert_eq!(read_csa_seconds(text), None, "{text}");
        }
    }

    #[test]
    fn clocks_are_read() {
        for (text, seconds) in [("0:12", 12), (" 1:02:03", 3723), ("75:00", 4500), ("00: 5", 5)] {
            assert_eq!(read_clock(text), Some(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["12", "", ":", "1:", ":5", "1:2:3:4", "a:b", "99999999999:00", "1:-2"] {
            assert_eq!(read_clock(text), None, "{text}");
        }
    }

    #[test]
    fn clocks_are_shown() {
        for (seconds, face) in [(7, "0:00:07"), (3723, "1:02:03"), (360_000, "100:00:00")] {
            assert_eq!(format_duration(Duration::from_secs(seconds)), face);
        }
    }
}
