//! Numbers in arguments of the tools.

use std::str::FromStr;

/// Maximum number of threads, of processes, and of games in parallel: more than a machine can use, so that a
/// mistyped number does not exhaust it.
const MAX_THREADS: usize = 1024;

/// Parses a number of threads, of processes, or of games in parallel, at least `min`.
pub fn thread_count(min: usize) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text| {
        let number =
            text.parse().ok().filter(|number: &usize| (min..=MAX_THREADS).contains(number));
        number.ok_or_else(|| format!("this must be a whole number from {min} to {MAX_THREADS}"))
    }
}

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
    fn a_number_of_threads_is_more_than_none_and_no_more_than_a_machine_can_use() {
        let parse = thread_count(1);
        assert_eq!((parse("1"), parse("1024")), (Ok(1), Ok(1024)));
        for text in ["0", "1025", "-1", "1.5", "", "two"] {
            assert_eq!(parse(text).unwrap_err(), "this must be a whole number from 1 to 1024");
        }
        assert_eq!(thread_count(0)("0"), Ok(0));
    }

    #[test]
    fn a_list_has_the_requested_number_of_values_within_their_limit() {
        assert_eq!(parse_numbers("8,30, 100", 100), Some([8, 30, 100]));
        for text in ["8,30", "8,30,100,100", "8,30,101", "8,-1,0", "8,,0", ""] {
            assert_eq!(parse_numbers::<u8, 3>(text, 100), None, "{text}");
        }
    }
}
