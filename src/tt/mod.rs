//! The transposition table: what searches found out about positions, shared by all threads.
//!
//! Owns the packing of an entry, the guard against torn entries, replacement and ageing. It must
//! not know what a position is (a key stands for it), nor when or why the search asks.
//!
//! Four entries of 16 bytes share a cache line. An entry is two words, the packed data and the key
//! XORed with the data, written and read separately without a lock: two halves of different writes
//! do not belong to the key that is asked for and count as no entry (Hyatt and Mann, "A lock-less
//! transposition table implementation for parallel search", ICGA Journal 25/1, 2002). All 64 bits
//! of the key are compared that way. The ten-byte entries with 16 key bits that chess engines use
//! hold half as many positions again, but admit a false hit every twenty thousand probes of a full
//! table and leave no bits for a guard.

mod cluster;
mod entry;
mod ply;
mod table;

pub use entry::TtEntry;
pub use ply::score_to_tt;
pub use table::{TranspositionTable, TtProbe, TtSizeError, TtSlot};
