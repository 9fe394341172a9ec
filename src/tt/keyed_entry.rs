//! An entry with its key as text, as the workers of a cluster exchange it (the idea of Stockfish's cluster).

use std::fmt;
use std::str::FromStr;

use super::entry::TtEntry;

/// An entry and the key of its position.
///
/// As text it is one word of 32 hexadecimal digits: the key, then the packed entry. What is read may
/// come from anywhere: a word that no search can have written is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyedEntry {
    pub key: u64,
    /// With mates counted from the position.
    pub entry: TtEntry,
}

impl fmt::Display for KeyedEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}", self.key, self.entry.to_bits())
    }
}

/// A word is not an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidEntry;

impl FromStr for KeyedEntry {
    type Err = InvalidEntry;

    fn from_str(word: &str) -> Result<KeyedEntry, InvalidEntry> {
        if word.len() != 32 || !word.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(InvalidEntry);
        }
        let bits = u128::from_str_radix(word, 16).map_err(|_| InvalidEntry)?;
        let entry = TtEntry::from_bits(bits as u64).ok_or(InvalidEntry)?;
        Ok(KeyedEntry { key: (bits >> 64) as u64, entry })
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::PLAIN;
    use super::super::table::TranspositionTable;
    use super::*;
    use crate::types::{Bound, MAX_PLY, Move, Score};

    fn reads(word: &str) -> Option<KeyedEntry> {
        word.parse().ok()
    }

    #[test]
    fn an_entry_that_is_read_is_found_in_the_table() {
        let mv: Move = "P*5e".parse().unwrap();
        let entries = [
            PLAIN,
            TtEntry { mv, is_pv: true, ..PLAIN },
            TtEntry { score: Score::mate_in(3), eval: Score::NONE, bound: Bound::Exact, ..PLAIN },
            TtEntry { score: Score::mated_in(4), depth: MAX_PLY as i32, ..PLAIN },
        ];
        let table = TranspositionTable::new(1).unwrap();
        for (number, entry) in (1..).zip(entries) {
            let key = number * 0x1234_5678_9abc_def1;
            let sent = KeyedEntry { key, entry };
            table.insert(reads(&sent.to_string()).unwrap());
            assert_eq!(table.probe(key).hit, Some(entry));
        }
    }

    #[test]
    fn words_that_no_search_writes_are_refused() {
        let good = KeyedEntry { key: 7, entry: PLAIN };
        let word = good.to_string();
        assert_eq!(reads(&word), Some(good));
        for bad in ["", "7", &word[1..], &format!("{word}0"), &format!("+{}", &word[1..])] {
            assert_eq!(reads(bad), None, "{bad}");
        }
        let with = |entry| reads(&KeyedEntry { key: 7, entry }.to_string());
        let too_high = Score::MATE + 1;
        for entry in [
            TtEntry { score: too_high, ..PLAIN },
            TtEntry { score: -too_high, ..PLAIN },
            TtEntry { eval: Score::MAX_EVAL + 1, ..PLAIN },
            TtEntry { depth: 0, ..PLAIN },
            TtEntry { depth: MAX_PLY as i32 + 1, ..PLAIN },
            TtEntry { bound: Bound::None, ..PLAIN },
            TtEntry { mv: Move::NULL, ..PLAIN },
        ] {
            assert_eq!(with(entry), None, "{entry:?}");
        }
        let no_move = u64::from(u16::MAX);
        assert_eq!(TtEntry::from_bits(PLAIN.to_bits() | no_move), None);
    }
}
