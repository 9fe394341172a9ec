//! What the solver remembers of positions, in a bounded space. It owns packing, dominance between
//! hands, growth and replacement; it must not know how values are found.
//!
//! Entries of one board share a run of slots whatever the hands, because a mate with less in hand
//! is a mate with more, and a refutation with more in hand is one with less. What it holds about
//! mates and refutations is true on every path.
//!
//! It grows by adding larger parts, not by moving what it has: a short search touches little
//! memory, and a long one never stops to copy.

use bytemuck::{Pod, Zeroable};

use super::value::{NOTHING, Value};
use crate::position::Position;
use crate::types::{Color, Hand};

/// What fixes a position: the board with the side to move, and the attacker's hand (the
/// defender's is the rest).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) board: u64,
    pub(super) hand: Hand,
}

impl Key {
    pub(super) fn of(position: &Position, attacker: Color) -> Key {
        Key { board: position.board_key(), hand: position.hand(attacker) }
    }
}

/// The question that proof numbers belong to: those of a search with a near horizon say nothing
/// about another distance to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Distance(u16);

impl Distance {
    /// The horizon is so far that it does not count.
    pub(super) const FAR: Distance = Distance(u16::MAX);

    /// So many plies, or [`Distance::FAR`].
    pub(super) fn new(plies: u16, far: bool) -> Distance {
        if far { Distance::FAR } else { Distance(plies) }
    }
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Entry {
    board: u64,
    hand: Hand,
    pn: u32,
    dn: u32,
    /// Positions searched to know this, at least one.
    effort: u32,
    /// Plies to a mate and one; zero for none known.
    mate: u16,
    /// Plies within which there is no mate.
    no_mate: u16,
    distance: u16,
    padding: u16,
}

impl Entry {
    fn is_empty(&self) -> bool {
        self.effort == 0
    }

    fn is_of(&self, key: Key) -> bool {
        self.board == key.board && self.hand == key.hand
    }

    fn update(&mut self, value: Value, distance: Distance) {
        match value {
            Value::Open { pn, dn } => {
                (self.pn, self.dn, self.distance) = (pn, dn, distance.0);
            }
            Value::Mate { plies } => {
                let known = if self.mate == 0 { u16::MAX } else { self.mate };
                self.mate = known.min(plies + 1);
            }
            Value::NoMate { within, leans_on } => {
                debug_assert_eq!(leans_on, NOTHING);
                self.no_mate = self.no_mate.max(within);
            }
        }
    }
}

/// The bytes of an entry as whole words: a vector of them comes from the system already zeroed.
type Slot = [u64; 4];

/// Slots searched for a key.
const RUN: usize = 16;
/// Slots of the first part: a mebibyte.
const FIRST_PART: usize = (1 << 20) / size_of::<Slot>();
/// How much larger than the last part the next one is.
const GROWTH: usize = 8;

#[derive(Debug)]
struct Part {
    slots: Vec<Slot>,
    used: usize,
}

impl Part {
    fn new(slots: usize) -> Part {
        Part { slots: vec![[0; 4]; slots], used: 0 }
    }

    fn is_crowded(&self) -> bool {
        self.used * 4 >= self.slots.len() * 3
    }

    /// Where a board's run begins: the upper half of the key chooses.
    fn start(&self, board: u64) -> usize {
        let places = self.slots.len() - RUN + 1;
        (((board >> 32) * places as u64) >> 32) as usize
    }

    fn run(&self, board: u64) -> &[Entry] {
        let start = self.start(board);
        bytemuck::cast_slice(&self.slots[start..start + RUN])
    }

    fn run_mut(&mut self, board: u64) -> &mut [Entry] {
        let start = self.start(board);
        bytemuck::cast_slice_mut(&mut self.slots[start..start + RUN])
    }

    /// The entries of a board.
    fn of_board(&self, board: u64) -> impl Iterator<Item = &Entry> {
        let filled = self.run(board).iter().take_while(|entry| !entry.is_empty());
        filled.filter(move |entry| entry.board == board)
    }

    fn find(&mut self, key: Key) -> Option<&mut Entry> {
        self.run_mut(key.board).iter_mut().find(|entry| entry.is_of(key))
    }

    /// A new entry, in the place of nothing or of what cost least.
    fn add(&mut self, key: Key) -> &mut Entry {
        let run = self.run_mut(key.board);
        let place = (0..RUN).min_by_key(|&place| run[place].effort).expect("a run has places");
        let was_empty = run[place].is_empty();
        self.used += usize::from(was_empty);
        let entry = &mut self.run_mut(key.board)[place];
        *entry = Entry { board: key.board, hand: key.hand, ..Entry::zeroed() };
        entry
    }
}

/// Values by position.
#[derive(Debug)]
pub(super) struct Table {
    parts: Vec<Part>,
    /// Slots of all parts.
    slots: usize,
    /// What they may come to.
    limit: usize,
}

impl Table {
    /// An empty table that will take up to so many bytes (and never less than one run of slots).
    pub(super) fn new(bytes: usize) -> Table {
        let limit = (bytes / size_of::<Slot>()).max(RUN);
        let slots = FIRST_PART.min(limit);
        Table { parts: vec![Part::new(slots)], slots, limit }
    }

    /// How full it is, in thousandths of its limit.
    pub(super) fn permille(&self) -> u32 {
        let used: usize = self.parts.iter().map(|part| part.used).sum();
        (used * 1000 / self.limit) as u32
    }

    /// What is known of a position with so many plies to the horizon. Nothing else is known of a
    /// position that is mate or has none.
    pub(super) fn look_up(&self, key: Key, remaining: u16, distance: Distance) -> Option<Value> {
        let mut open = None;
        let mut mate: Option<u16> = None;
        for entry in self.parts.iter().flat_map(|part| part.of_board(key.board)) {
            if entry.mate != 0 && entry.mate <= remaining + 1 && key.hand.covers(entry.hand) {
                mate = Some(mate.map_or(entry.mate, |best| best.min(entry.mate)));
            }
            if entry.no_mate != 0 && entry.no_mate >= remaining && entry.hand.covers(key.hand) {
                return Some(Value::NoMate { within: entry.no_mate, leans_on: NOTHING });
            }
            if entry.hand == key.hand && entry.distance == distance.0 && entry.pn != 0 {
                open = Some(Value::open(entry.pn, entry.dn));
            }
        }
        mate.map(|plies| Value::Mate { plies: plies - 1 }).or(open)
    }

    /// Keeps what a search of `effort` positions found. The value must lean on no path.
    pub(super) fn store(&mut self, key: Key, value: Value, distance: Distance, effort: u64) {
        let effort = effort.min(u64::from(u32::MAX)) as u32;
        let entry = self.entry(key);
        entry.effort = entry.effort.saturating_add(effort).max(1);
        entry.update(value, distance);
    }

    fn entry(&mut self, key: Key) -> &mut Entry {
        let last = self.parts.len() - 1;
        match self.parts.iter_mut().position(|part| part.find(key).is_some()) {
            Some(part) => self.parts[part].find(key).expect("it was found there"),
            None => {
                if self.parts[last].is_crowded() {
                    self.grow();
                }
                self.parts.last_mut().expect("a table has a part").add(key)
            }
        }
    }

    /// Adds a part, if the limit allows one.
    fn grow(&mut self) {
        let last = self.parts[self.parts.len() - 1].slots.len();
        let (wanted, rest) = (last * GROWTH, self.limit - self.slots);
        // A part of the usual size must not leave over a rest that is worth nothing.
        let slots = if wanted * 2 > rest { rest } else { wanted };
        if slots >= RUN {
            self.parts.push(Part::new(slots));
            self.slots += slots;
        }
    }
}

/// Refutations that hold on one path only, by a key of the whole path; the newest wins its slot.
#[derive(Debug)]
pub(super) struct PathTable {
    slots: Vec<[u64; 2]>,
}

impl PathTable {
    /// An empty table of so many bytes, a power of two.
    pub(super) fn new(bytes: usize) -> PathTable {
        debug_assert!(bytes.is_power_of_two());
        PathTable { slots: vec![[0; 2]; bytes / size_of::<[u64; 2]>()] }
    }

    /// The refutation of the last position of a path, if it reaches to the horizon.
    pub(super) fn look_up(&self, path: u64, remaining: u16) -> Option<Value> {
        let [key, value] = self.slots[self.index(path)];
        let (within, leans_on) = (value as u16, (value >> 16) as u16);
        let holds = key == path && within != 0 && within >= remaining;
        holds.then_some(Value::NoMate { within, leans_on })
    }

    pub(super) fn store(&mut self, path: u64, within: u16, leans_on: u16) {
        let index = self.index(path);
        self.slots[index] = [path, u64::from(within) | u64::from(leans_on) << 16];
    }

    fn index(&self, path: u64) -> usize {
        path as usize & (self.slots.len() - 1)
    }
}

/// What searches remember.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) table: Table,
    pub(super) paths: PathTable,
}

impl Memory {
    /// Empty, with so many bytes for positions and for paths; the latter a power of two.
    pub(super) fn new(positions: usize, paths: usize) -> Memory {
        Memory { table: Table::new(positions), paths: PathTable::new(paths) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mate::value::FOREVER;
    use crate::types::PieceKind;

    const FAR: Distance = Distance::FAR;
    const ENOUGH: u16 = 100;

    fn key(board: u64, pieces: &[PieceKind]) -> Key {
        let mut hand = Hand::EMPTY;
        for &kind in pieces {
            hand.add(kind);
        }
        Key { board, hand }
    }

    const NO_MATE: Value = Value::NoMate { within: FOREVER, leans_on: NOTHING };

    #[test]
    fn a_mate_holds_with_more_in_hand_and_a_refutation_with_less() {
        let [poor, middle, rich] = [&[][..], &[PieceKind::Gold], &[PieceKind::Gold; 2]];
        let mut table = Table::new(1 << 20);
        table.store(key(1, middle), Value::Mate { plies: 3 }, FAR, 1);
        table.store(key(2, middle), NO_MATE, FAR, 1);
        let look_up = |board, hand| table.look_up(key(board, hand), ENOUGH, FAR);
        assert_eq!(look_up(1, poor), None);
        assert_eq!(look_up(1, middle), Some(Value::Mate { plies: 3 }));
        assert_eq!(look_up(1, rich), Some(Value::Mate { plies: 3 }));
        assert_eq!(look_up(2, poor), Some(NO_MATE));
        assert_eq!(look_up(2, middle), Some(NO_MATE));
        assert_eq!(look_up(2, rich), None);
        assert_eq!(look_up(1, &[PieceKind::Silver]), None);
        assert_eq!(look_up(2, &[PieceKind::Silver]), None);
    }

    #[test]
    fn what_is_known_is_told_only_within_the_horizon() {
        let mut table = Table::new(1 << 20);
        let key = key(1, &[]);
        table.store(key, Value::Mate { plies: 7 }, FAR, 1);
        table.store(key, Value::NoMate { within: 3, leans_on: NOTHING }, FAR, 1);
        table.store(key, Value::open(5, 6), FAR, 1);
        let mate = Some(Value::Mate { plies: 7 });
        let no_mate = Some(Value::NoMate { within: 3, leans_on: NOTHING });
        for (remaining, value) in [(1, no_mate), (3, no_mate), (5, Some(Value::open(5, 6)))] {
            assert_eq!(table.look_up(key, remaining, FAR), value);
        }
        assert_eq!(table.look_up(key, 5, Distance::new(5, false)), None);
        assert_eq!(table.look_up(key, 7, FAR), mate);
        // A longer mate and a shorter refutation tell nothing new.
        table.store(key, Value::Mate { plies: 9 }, FAR, 1);
        table.store(key, Value::NoMate { within: 1, leans_on: NOTHING }, FAR, 1);
        assert_eq!(table.look_up(key, 7, FAR), mate);
        assert_eq!(table.look_up(key, 3, FAR), no_mate);
    }

    /// Boards spread over the whole table.
    fn board(number: u64) -> u64 {
        (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    #[test]
    fn a_table_grows_up_to_its_limit_and_keeps_what_it_has() {
        let entries = 4 * FIRST_PART as u64;
        let mut table = Table::new(16 << 20);
        for number in 0..entries {
            table.store(key(board(number), &[]), Value::open(number as u32 + 1, 1), FAR, 1);
        }
        let lost = (0..entries).filter(|&number| {
            let found = table.look_up(key(board(number), &[]), ENOUGH, FAR);
            found != Some(Value::open(number as u32 + 1, 1))
        });
        assert!(lost.count() < entries as usize / 100);
        assert!(table.parts.len() > 1 && table.slots <= table.limit);
        assert!((200..300).contains(&table.permille()), "{} permille", table.permille());
    }

    #[test]
    fn a_full_table_keeps_what_cost_most() {
        let mut table = Table::new(RUN * size_of::<Slot>());
        let dear = key(board(0), &[]);
        table.store(dear, Value::open(7, 7), FAR, 1000);
        for number in 1..1000 {
            let cheap = key(board(number), &[]);
            table.store(cheap, Value::open(1, 2), FAR, 1);
            assert_eq!(table.look_up(cheap, ENOUGH, FAR), Some(Value::open(1, 2)));
        }
        assert_eq!(table.look_up(dear, ENOUGH, FAR), Some(Value::open(7, 7)));
        assert_eq!(table.permille(), 1000);
    }

    #[test]
    fn a_refutation_by_path_is_told_for_that_path_and_its_horizon() {
        let mut paths = PathTable::new(1 << 10);
        assert_eq!(paths.look_up(0, 0), None);
        paths.store(77, 9, 4);
        assert_eq!(paths.look_up(77, 9), Some(Value::NoMate { within: 9, leans_on: 4 }));
        assert_eq!(paths.look_up(77, 11), None);
        assert_eq!(paths.look_up(77 + (1 << 20), 9), None);
    }
}
