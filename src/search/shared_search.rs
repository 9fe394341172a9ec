//! Shared search: the exchange of deep table entries with other engines that search the same position, so that
//! together they act like the threads of one engine (the idea of Stockfish's cluster).

use parking_lot::Mutex;

use crate::tt::KeyedEntry;
use crate::types::Depth;

/// Maximum number of entries between two reports. Further ones are dropped.
const MAX_ENTRIES: usize = 512;
/// Minimum depth of an entry that is shared, in an iteration of any depth.
const MIN_DEPTH: Depth = 3;

/// Entries that wait for the next report.
#[derive(Debug, Default)]
pub(super) struct SharedEntries(Mutex<Vec<KeyedEntry>>);

impl SharedEntries {
    pub(super) fn add(&self, entry: KeyedEntry) {
        let mut entries = self.0.lock();
        if entries.len() < MAX_ENTRIES {
            entries.push(entry);
        }
    }

    /// The entries since the last call.
    pub(super) fn take(&self) -> Vec<KeyedEntry> {
        std::mem::take(&mut self.0.lock())
    }
}

/// Minimum depth of an entry that is shared: half of the iteration's, so that a longer search does not
/// send more.
pub(super) fn share_depth(iteration: Depth) -> Depth {
    (iteration / 2).max(MIN_DEPTH)
}

/// Whether the engine with this number, from 1, skips an iteration, so that identical engines search
/// different trees: the first skips none, the next two skip every other one, in turn, the next four two of
/// every four, and so on (the scheme of Stockfish's threads from 2016 to 2018).
pub(super) fn is_skipped(iteration: Depth, number: u32) -> bool {
    let (mut phase, mut length) = (number.saturating_sub(2) as Depth, 1);
    while phase >= 2 * length {
        phase -= 2 * length;
        length += 1;
    }
    number > 1 && (iteration + phase) / length % 2 != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_leave_out_different_iterations_and_the_first_none() {
        let searched = |number| -> String {
            (1..=12).map(|it| if is_skipped(it, number) { '.' } else { 'x' }).collect()
        };
        assert_eq!([0, 1].map(searched), ["xxxxxxxxxxxx"; 2]);
        assert_eq!([2, 3].map(searched), [".x.x.x.x.x.x", "x.x.x.x.x.x."]);
        let fours = ["x..xx..xx..x", "..xx..xx..xx", ".xx..xx..xx.", "xx..xx..xx.."];
        assert_eq!([4, 5, 6, 7].map(searched), fours);
        assert_eq!(searched(8), "xx...xxx...x");
    }

    #[test]
    fn entries_that_nobody_takes_do_not_fill_the_memory() {
        let entries = SharedEntries::default();
        let entry = "0123456789abcdefc0110014001e0000".parse().unwrap();
        (0..2 * MAX_ENTRIES).for_each(|_| entries.add(entry));
        assert_eq!((entries.take().len(), entries.take().len()), (MAX_ENTRIES, 0));
    }
}
