//! Which option was meant by a name that is none.

use std::mem;

use super::declared;

/// A name is recognised that is so many bytes away.
const MOST_SLIPS: usize = 2;
/// Many names begin so, and people leave it out.
const PREFIX: &str = "USI_";

/// The option whose name is nearest to this one, if any is near.
pub(super) fn alike(name: &[u8]) -> Option<&'static str> {
    let near = |known: &'static str| {
        let spellings = [Some(known), known.strip_prefix(PREFIX)].into_iter().flatten();
        let fewest = spellings.filter_map(|spelling| slips(spelling.as_bytes(), name)).min();
        fewest.map(|count| (count, known))
    };
    declared().filter_map(|row| near(row.name)).min().map(|(_, known)| known)
}

/// How many bytes must be added, left out or changed to make one of the other, upper and lower case
/// alike; `None` if they are more than count. Long names cost nothing.
fn slips(one: &[u8], other: &[u8]) -> Option<usize> {
    if one.len().abs_diff(other.len()) > MOST_SLIPS {
        return None;
    }
    // From the part of `one` that has been read to each beginning of `other`.
    let mut distances: Vec<usize> = (0..=other.len()).collect();
    for (read, byte) in one.iter().enumerate() {
        let mut before = mem::replace(&mut distances[0], read + 1);
        for (index, against) in other.iter().enumerate() {
            let changed = before + usize::from(!byte.eq_ignore_ascii_case(against));
            before = distances[index + 1];
            distances[index + 1] = changed.min(before + 1).min(distances[index] + 1);
        }
    }
    distances.last().copied().filter(|&count| count <= MOST_SLIPS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted_one_by_one() {
        let count = |one: &str, other: &str| slips(one.as_bytes(), other.as_bytes());
        for (one, other, expected) in [
            ("Threads", "threads", Some(0)),
            ("Threads", "Thread", Some(1)),
            ("Threads", "Thraeds", Some(2)),
            ("MultiPV", "Multi_PV", Some(1)),
            ("MultiPV", "xMultPV", Some(2)),
            ("BookDir", "EvalDir", None),
            ("Threads", "Th", None),
            ("", "ab", Some(2)),
        ] {
            assert_eq!(count(one, other), expected, "{one} {other}");
            assert_eq!(count(other, one), expected, "{other} {one}");
        }
    }

    #[test]
    fn every_name_is_nearest_to_itself() {
        for row in declared() {
            assert_eq!(alike(row.name.as_bytes()), Some(row.name));
        }
    }

    #[test]
    fn the_usual_beginning_may_be_missing_or_that_of_chess() {
        for name in ["Ponder", "UCI_Ponder", "usi_pondre"] {
            assert_eq!(alike(name.as_bytes()), Some("USI_Ponder"), "{name}");
        }
        for name in ["", "Joho", "Clear Hash", "Skill Level"] {
            assert_eq!(alike(name.as_bytes()), None, "{name}");
        }
    }
}
