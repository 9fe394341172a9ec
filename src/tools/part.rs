//! A part of a job that several processes or machines share.
//!
//! A job consists of numbered units, and each follows from the arguments and its number. So a part is a range of
//! these numbers, and the parts together make what one process makes.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The key of the line in the header of a file that holds one part only.
pub const PART: &str = "part";

/// One of several parts of nearly the same size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// From 1.
    number: u64,
    count: u64,
}

impl Part {
    /// The only part.
    pub const WHOLE: Part = Part { number: 1, count: 1 };

    pub fn number(self) -> u64 {
        self.number
    }

    pub fn count(self) -> u64 {
        self.count
    }

    pub fn is_whole(self) -> bool {
        self.count == 1
    }

    /// Its units of `all`.
    pub fn units(self, all: u64) -> Range<u64> {
        let start =
            |number: u64| (u128::from(all) * u128::from(number) / u128::from(self.count)) as u64;
        start(self.number - 1)..start(self.number)
    }
}

impl Default for Part {
    fn default() -> Part {
        Part::WHOLE
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers = text.split_once('/').map(|(number, count)| (number.parse(), count.parse()));
        match numbers {
            Some((Ok(number), Ok(count))) if (1..=count).contains(&number) => {
                Ok(Part { number, count })
            }
            _ => Err("a part is written as 3/8, the third of eight".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_cover_all_units_once_and_have_nearly_equal_sizes() {
        for all in [0, 1, 7, 8, 9, 1000, u64::MAX] {
            for count in [1, 2, 3, 8, 13] {
                let parts = (1..=count).map(|number| Part { number, count }.units(all));
                let ends = parts.fold(0, |end, part| {
                    assert_eq!(part.start, end);
                    let size = part.end - part.start;
                    assert!([size, size.max(1) - 1].contains(&(all / count)), "{part:?} of {all}");
                    part.end
                });
                assert_eq!(ends, all);
            }
        }
    }

    #[test]
    fn a_part_is_written_with_its_number_and_their_count() {
        let part: Part = "3/8".parse().unwrap();
        assert_eq!((part.number(), part.count(), part.to_string().as_str()), (3, 8, "3/8"));
        for wrong in ["", "3", "0/8", "9/8", "1/0", "-1/8", "a/b", "1/8/8", "3 / 8"] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }
}
