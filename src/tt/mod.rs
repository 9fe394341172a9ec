//! The transposition table: the results of searches by position, shared by all threads.
//!
//! Owns the packing of a [`TtEntry`], the guard against torn entries, replacement and ageing; start with
//! [`TranspositionTable`]. Depends neither on positions (only on their keys) nor on the search.
//!
//! A cluster of four entries of 16 bytes is one cache line. An entry is two words, the packed data and
//! the key XORed with the data, which are read and written separately without a lock: halves of
//! different writes do not match the key and count as no entry (Hyatt and Mann, "A lock-less
//! transposition table implementation for parallel search", ICGA Journal 25/1, 2002). So all 64 bits of
//! the key are compared. The ten-byte entries of chess engines, with 16 bits of the key, hold 1.5 times as many
//! positions, but one probe of a full table in twenty thousand is a false hit, and they have no room for the guard.

mod cluster;
mod entry;
mod keyed_entry;
mod mate_score;
mod table;

pub use entry::TtEntry;
pub use keyed_entry::{InvalidEntry, KeyedEntry};
pub use table::{TranspositionTable, TtProbe, TtSlot};
