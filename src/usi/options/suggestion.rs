//! The suggestion for a mistyped option name.

/// Maximum edit distance of a name that is still recognised.
const MAX_TYPOS: usize = 2;
/// The prefix of many names, which users leave out.
const PREFIX: &str = "USI_";

/// The name nearest to this one, in any case, if one is near.
pub(super) fn suggestion(
    name: &[u8],
    known: impl Iterator<Item = &'static str>,
) -> Option<&'static str> {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    let distance = |known: &'static str| {
        let spellings = [Some(known), known.strip_prefix(PREFIX)].into_iter().flatten();
        // Comparing lengths first keeps names of megabytes cheap.
        let near = spellings.filter(|other| other.len().abs_diff(name.len()) <= MAX_TYPOS);
        let typos = near.map(|other| strsim::levenshtein(&other.to_ascii_lowercase(), &name));
        typos.filter(|&count| count <= MAX_TYPOS).min().map(|count| (count, known))
    };
    known.filter_map(distance).min().map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::super::registry::declared;
    use super::*;
    use crate::engine::BookOptionSet;

    fn suggested(name: &str) -> Option<&'static str> {
        suggestion(name.as_bytes(), declared(BookOptionSet::V1).map(|option| option.name))
    }

    #[test]
    fn names_with_up_to_two_typos_are_recognised() {
        for name in ["threads", "Thread", "Thraeds", "hreadsx"] {
            assert_eq!(suggested(name), Some("Threads"), "{name}");
        }
        for name in ["Th", "Thrd", "", "Joho", "Clear Hash", "Skill Level"] {
            assert_eq!(suggested(name), None, "{name}");
        }
    }

    #[test]
    fn every_name_is_nearest_to_itself() {
        for option in declared(BookOptionSet::V1) {
            assert_eq!(suggested(option.name), Some(option.name));
        }
    }

    #[test]
    fn the_prefix_usi_may_be_missing_or_uci() {
        for name in ["Ponder", "UCI_Ponder", "usi_pondre"] {
            assert_eq!(suggested(name), Some("USI_Ponder"), "{name}");
        }
    }
}
