//! Numbers in arguments of the tools.

use std::str::FromStr;

/// Maximum number of threads, of processes, and of games in parallel: more than a machine can use, so that a
/// mistyped number does not exhaust it.
pub const MAX_THREADS: u64 = 1024;

/// Exactly `N` numbers of at most `max`, separated by commas; `None` if the text is anything else.
pub fn parse_numbers<T: FromStr + PartialOrd + Copy, const N: usize>(
    text: &str,
    max: T,
) -> Option<[T; N]> {
    let number = |word: &str| word.trim().parse().ok().filter(|&number| number <= max);
    text.split(',').map(number).collect::<Option<Vec<T>>>()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_the_requested_number_of_values_within_their_limit() {
        assert_eq!(parse_numbers("8,30, 100", 100), Some([8, 30, 100]));
        for text in ["8,30", "8,30,100,100", "8,30,101", "8,-1,0", "8,,0", ""] {
            assert_eq!(parse_numbers::<u8, 3>(text, 100), None, "{text}");
        }
    }
}
