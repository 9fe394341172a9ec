//! The transposition table: its memory, the cluster of a key, the generation of the running search, and
//! smaller sizes when memory is refused.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::thread;

use super::cluster::{Cluster, WAYS};
use super::entry::{Generation, TtEntry};
use super::keyed_entry::KeyedEntry;
use crate::sys::{self, AllocationError, HugePages};
use crate::types::message::{Message, message};

/// A transposition table. Threads share it by reference and never wait for each other.
///
/// ```
/// use kawasemi::tt::{TtEntry, TranspositionTable};
/// use kawasemi::types::{Bound, Move, Score};
///
/// let table = TranspositionTable::new(1).unwrap();
/// table.new_search();
/// let probe = table.probe(0x1234_5678_9abc_def0);
/// assert!(probe.hit.is_none());
/// let entry = TtEntry {
///     mv: "7g7f".parse().unwrap(),
///     score: Score(30),
///     eval: Score(25),
///     depth: 8,
///     bound: Bound::Lower,
///     is_pv: false,
/// };
/// table.store(probe.slot, entry);
/// assert_eq!(table.probe(0x1234_5678_9abc_def0).hit, Some(entry));
/// ```
pub struct TranspositionTable {
    clusters: HugePages<Cluster>,
    /// The number of the running search.
    search_number: AtomicU8,
    /// Whether anything was stored since the last clear.
    used: AtomicBool,
}

/// The result of a probe.
#[derive(Clone, Copy, Debug)]
pub struct TtProbe {
    /// A copy of the entry, which other threads do not change.
    pub hit: Option<TtEntry>,
    /// Where to store the result of the search.
    pub slot: TtSlot,
}

/// The place for the entry of one key. Valid only in the table that was probed.
#[derive(Clone, Copy, Debug)]
pub struct TtSlot {
    key: u64,
    cluster: usize,
    way: usize,
}

impl TranspositionTable {
    /// An empty table of this many MiB, at least 1, which need not be a power of two. Returns at once: the system
    /// zeroes memory when it is first touched.
    ///
    /// # Errors
    /// If the system does not grant the memory.
    pub fn new(size_mib: usize) -> Result<TranspositionTable, AllocationError> {
        TranspositionTable::of_clusters(size_mib.max(1).saturating_mul(CLUSTERS_PER_MIB))
    }

    /// A table of this many MiB. If that would leave hardly any memory, the table takes most of what is
    /// left. If the system refuses, the size is halved until it is granted, then halved once more. Returns a message
    /// for the user if the table is smaller.
    pub fn with_fallback(size_mib: usize) -> (TranspositionTable, Option<Message>) {
        TranspositionTable::with_available(size_mib, sys::available_memory())
    }

    /// [`TranspositionTable::with_fallback`] when `available` bytes of memory are available.
    fn with_available(
        size_mib: usize,
        available: Option<u64>,
    ) -> (TranspositionTable, Option<Message>) {
        let Some(available) = available else {
            return fall_back(size_mib, TranspositionTable::new);
        };
        // Many systems would grant more, and end the process when the memory is used.
        let max_mib = sys::usable_memory(available).saturating_sub(ROOM_FOR_MATE_SEARCHES) >> 20;
        if max_mib == 0 {
            let left = available >> 20;
            let message = message!(
                "there is hardly any memory: {left} MiB are left; searching almost without a table",
                "メモリが足りません（残り{left} MiB）。置換表をほとんど使わずに探索します"
            );
            return (TranspositionTable::smallest(), Some(message));
        }
        if size_mib as u64 <= max_mib {
            return fall_back(size_mib, TranspositionTable::new);
        }
        let (table, _) = fall_back(max_mib as usize, TranspositionTable::new);
        let granted = table.size_mib();
        let message = message!(
            "{size_mib} MiB for the transposition table are more than the {max_mib} MiB that may be \
             taken of the memory that is left; using {granted} MiB instead",
            "置換表の{size_mib} MiBは、残りのメモリから使える{max_mib} MiBを超えています。{granted} MiBにします"
        );
        (table, Some(message))
    }

    /// The smallest table, of two cache lines.
    ///
    /// # Panics
    /// If even that is refused.
    fn smallest() -> TranspositionTable {
        TranspositionTable::of_clusters(2).expect("a hundred bytes of memory")
    }

    /// `clusters` must be even and not 0.
    fn of_clusters(clusters: usize) -> Result<TranspositionTable, AllocationError> {
        let clusters = HugePages::zeroed(clusters)?;
        // Marked as used, so that the first clear touches the memory: no search waits for it.
        Ok(TranspositionTable {
            clusters,
            search_number: AtomicU8::new(0),
            used: AtomicBool::new(true),
        })
    }

    /// Clears all entries and the generation, with this many threads, or with more if the table is large. If a search
    /// runs, some of its entries survive.
    pub fn clear(&self, threads: usize) {
        self.search_number.store(0, Relaxed);
        if !self.used.swap(false, Relaxed) {
            return;
        }
        let threads = clearing_threads(threads, self.size_mib(), sys::processors());
        let share = self.clusters.len().div_ceil(threads).max(CLUSTERS_PER_MIB);
        let mut shares = self.clusters.chunks(share);
        let own = shares.next().unwrap_or_default();
        thread::scope(|scope| {
            for share in shares {
                let wipe = move || share.iter().for_each(Cluster::clear);
                // Works without the thread if the system refuses it.
                if thread::Builder::new().spawn_scoped(scope, wipe).is_err() {
                    wipe();
                }
            }
            own.iter().for_each(Cluster::clear);
        });
    }

    /// Starts a new generation. Generations wrap around after 32 searches: an entry not touched for 32
    /// searches counts as new in one search of 32.
    pub fn new_search(&self) {
        self.search_number.fetch_add(1, Relaxed);
    }

    /// Prefetches the cluster of `key`.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        sys::prefetch(&raw const self.clusters[self.index(key)]);
    }

    /// Looks up a key.
    #[inline]
    pub fn probe(&self, key: u64) -> TtProbe {
        let index = self.index(key);
        let cluster = &self.clusters[index];
        match cluster.find(key) {
            Some((way, packed)) => {
                TtProbe { hit: Some(packed.entry()), slot: TtSlot { key, cluster: index, way } }
            }
            None => {
                let way = cluster.victim(self.generation());
                TtProbe { hit: None, slot: TtSlot { key, cluster: index, way } }
            }
        }
    }

    /// Stores `entry` in the slot of its probe. An entry of another position is replaced. An old entry of the same
    /// position keeps its move if `entry` has none. It keeps the rest if it is of this search and at least four plies
    /// deeper (six if `entry` is of a PV node), unless `entry` is exact.
    #[inline]
    pub fn store(&self, slot: TtSlot, entry: TtEntry) {
        // Written once and then only read, so that the cache line is not moved between cores.
        if !self.used.load(Relaxed) {
            self.used.store(true, Relaxed);
        }
        self.clusters[slot.cluster].store(slot.way, slot.key, entry, self.generation());
    }

    /// Stores an entry of another process by the same rules. The table is not changed in any other way.
    pub fn insert(&self, KeyedEntry { key, entry }: KeyedEntry) {
        self.store(self.probe(key).slot, entry);
    }

    /// The share of entries of this search in permille, estimated from the first clusters.
    pub fn hashfull(&self) -> u32 {
        let sample = &self.clusters[..self.clusters.len().min(SAMPLED_CLUSTERS)];
        let current = self.generation();
        let count: usize = sample.iter().map(|cluster| cluster.count(current)).sum();
        (count * 1000 / (sample.len() * WAYS)) as u32
    }

    /// The size in MiB (0 for the few cache lines that [`TranspositionTable::with_fallback`] ends at).
    pub fn size_mib(&self) -> usize {
        self.clusters.len() / CLUSTERS_PER_MIB
    }

    #[inline(always)]
    fn generation(&self) -> Generation {
        Generation::of(self.search_number.load(Relaxed))
    }

    /// The cluster of a key. The pair of clusters is `key * pairs / 2^64` (Lemire's multiply-shift), for tables of any
    /// size. Bit 0 of the key, the side to move, selects one of the two, so that positions that differ only in the
    /// side to move never share a cluster (YaneuraOu).
    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        let pairs = (self.clusters.len() / 2) as u64;
        let pair = ((u128::from(key) * u128::from(pairs)) >> 64) as usize;
        pair << 1 | (key & 1) as usize
    }
}

const CLUSTERS_PER_MIB: usize = (1 << 20) / size_of::<Cluster>();
/// The size for which another thread is useful to clear a table. The GUI waits for it, and on a busy machine one thread
/// took more than a second for each GiB of memory that it touched for the first time.
const MIB_PER_CLEARING_THREAD: usize = 256;
/// The memory that a table leaves for the root mate search, about 9 MiB per solver, and for `go
/// mate`.
const ROOM_FOR_MATE_SEARCHES: u64 = 20 << 20;
/// Clusters that [`TranspositionTable::hashfull`] samples.
const SAMPLED_CLUSTERS: usize = 1000;

/// The number of threads that clear a table: as many as wanted, or one for each [`MIB_PER_CLEARING_THREAD`] as far as
/// there are processors.
fn clearing_threads(wanted: usize, size_mib: usize, processors: Option<usize>) -> usize {
    let useful = (size_mib / MIB_PER_CLEARING_THREAD).min(processors.unwrap_or(1));
    wanted.max(useful).max(1)
}

/// Halves the size until `make` grants it, and takes half of that: many systems grant nearly all memory
/// and run out of it when it is used. See [`TranspositionTable::with_fallback`].
fn fall_back(
    size_mib: usize,
    make: impl Fn(usize) -> Result<TranspositionTable, AllocationError>,
) -> (TranspositionTable, Option<Message>) {
    if let Ok(table) = make(size_mib) {
        return (table, None);
    }
    let refusal = message!(
        "{size_mib} MiB for the transposition table were refused by the system",
        "置換表のメモリを{size_mib} MiB確保できません"
    );
    let first = (size_mib / 2).max(1);
    let mut sizes = std::iter::successors(Some(first), |&size| (size > 1).then_some(size / 2));
    let granted = sizes.find(|&size| make(size).is_ok());
    match granted.and_then(|size| make((size / 2).max(1)).ok()) {
        Some(table) => {
            let granted = table.size_mib();
            let message =
                message!("{}; using {granted} MiB instead", "{}。{granted} MiBにします"; refusal);
            (table, Some(message))
        }
        None => {
            let message = message!(
                "{}, nor was 1 MiB; searching almost without a table",
                "{}。1 MiBも確保できないので、置換表をほとんど使わずに探索します";
                refusal
            );
            (TranspositionTable::smallest(), Some(message))
        }
    }
}

impl fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TranspositionTable")
            .field("size_mib", &self.size_mib())
            .field("search_number", &self.search_number)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
