//! The children of a node: its moves, what is known of the positions behind them, and a first
//! guess where nothing is. It must not know in which order nodes are searched.

use super::Memory;
use super::estimate;
use super::hands;
use super::path::Path;
use super::table::{Key, NO_SLOT};
use super::value::{FOREVER, NOTHING, Role, Value};
use crate::position::movegen::{MoveSink, Promotions};
use crate::position::{Position, ScoredMove, attacks};
use crate::types::{Bitboard, Hand, Move, Piece, PieceKind, Square};

/// A move of a node and what it leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) key: Key,
    pub(super) value: Value,
    /// Its slot in the table, or `NO_SLOT`.
    pub(super) slot: u32,
    /// The slot of the position from which it was searched last, or `NO_SLOT`.
    pub(super) parent: u32,
    pub(super) mv: Move,
    /// An earlier child, by its place among its siblings, that is to be settled before this one
    /// counts: most often this one then goes the same way. [`NOBODY`] for none.
    pub(super) behind: u16,
    /// See [`estimate::order`].
    pub(super) order: i16,
    /// The children of this child that count by their maximum.
    pub(super) marks: u16,
    /// What it cost so far, as a code of the table.
    pub(super) effort: u8,
    /// Nobody has searched it.
    pub(super) is_new: bool,
    /// It counts by its maximum with others of its kind, not by the sum.
    pub(super) is_maxed: bool,
    /// It waits for the child it is behind.
    pub(super) waits: bool,
}

/// No child.
pub(super) const NOBODY: u16 = u16::MAX;

/// The bit that marks a child, by its place, in a node's marks.
pub(super) fn mark(place: usize) -> u16 {
    1 << (place % 12)
}

/// The node to expand.
#[derive(Clone, Copy)]
pub(super) struct Node<'s> {
    /// The path down to the node itself.
    pub(super) path: &'s Path,
    /// Plies to the horizon.
    pub(super) remaining: u16,
    /// Nobody has expanded it before.
    pub(super) is_new: bool,
    /// Its children that count by their maximum.
    pub(super) marks: u16,
}

/// Makes the children of nodes; keeps its buffer from one to the next.
#[derive(Debug, Default)]
pub(super) struct Expander {
    moves: Vec<ScoredMove>,
    /// The chains met so far, with the place of their last open child.
    chains: Vec<(Chain, u16)>,
    /// State of the dice that make helpers differ; 0 for none.
    dice: u64,
}

impl Expander {
    pub(super) fn new(dice: u64) -> Expander {
        Expander { dice, ..Expander::default() }
    }

    /// Puts the node's children at the end of `children`, up to one that settles the node. Returns
    /// whether some numbers come from a place nearer to the root.
    pub(super) fn expand(
        &mut self,
        position: &mut Position,
        memory: &Memory,
        node: Node<'_>,
        children: &mut Vec<Child>,
    ) -> bool {
        let side = node.path.side();
        let start = children.len();
        self.list(position, memory, node, children);
        children[start..].iter().for_each(|child| memory.table.prefetch_known(child.key.board));
        let mut has_old = false;
        self.chains.clear();
        for place in 0..self.moves.len() {
            let child = &mut children[start + place];
            has_old |= look_up(memory, node, child);
            if child.value.is_open() {
                child.behind = self.behind(position, side, child.mv, place as u16);
                child.is_maxed = node.marks & mark(place) != 0 || is_twin(position, side, child.mv);
            }
            self.judge(position, memory, node, &mut children[start..], place);
            if children[start + place].value.is_won(side) {
                children.truncate(start + place + 1);
                break;
            }
        }
        has_old
    }

    /// All moves with the keys of the positions behind them; memory is asked to get ready.
    fn list(
        &mut self,
        position: &Position,
        memory: &Memory,
        node: Node<'_>,
        children: &mut Vec<Child>,
    ) {
        self.moves.clear();
        let side = node.path.side();
        match side {
            Role::Attacker => position.generate_checks(Promotions::All, &mut self.moves),
            Role::Defender => position.generate_all(Promotions::All, &mut self.moves),
        }
        let attacker = node.path.attacker();
        let (hand, king) = (position.hand(attacker), position.king(!attacker));
        for entry in &self.moves {
            let mv = entry.mv();
            let board = position.board_key_after(mv);
            memory.table.prefetch(board);
            let hand = if side == Role::Attacker { hands::after(position, mv, hand) } else { hand };
            children.push(Child {
                key: Key { board, hand },
                value: Value::open(1, 1),
                slot: NO_SLOT,
                parent: NO_SLOT,
                mv,
                behind: NOBODY,
                order: estimate::order(position, king, mv),
                marks: 0,
                effort: 0,
                is_new: false,
                is_maxed: false,
                waits: false,
            });
        }
    }

    /// The open child of the same chain before this one, which becomes the last of it.
    fn behind(&mut self, position: &Position, side: Role, mv: Move, place: u16) -> u16 {
        let Some(chain) = Chain::of(position, side, mv) else { return NOBODY };
        match self.chains.iter_mut().find(|(other, _)| *other == chain) {
            Some((_, last)) => std::mem::replace(last, place),
            None => {
                self.chains.push((chain, place));
                NOBODY
            }
        }
    }

    /// Says what can be said of a child without searching it.
    fn judge(
        &mut self,
        position: &mut Position,
        memory: &Memory,
        node: Node<'_>,
        children: &mut [Child],
        place: usize,
    ) {
        let side = node.path.side();
        let before = children.get(usize::from(children[place].behind));
        let waits = before.is_some_and(|before| before.waits || before.value.is_open());
        let child = &mut children[place];
        child.waits = waits;
        if !child.is_new || !child.value.is_open() {
            return;
        }
        let obvious = match side {
            Role::Defender if node.is_new && !waits => after_evasion(position, child.mv),
            Role::Attacker if node.remaining == 1 => Some(after_last_check(position, child)),
            _ => None,
        };
        if let Some(value) = obvious {
            child.value = value;
            if side == Role::Defender {
                memory.table.store_settled(child.key.board, value, 1);
            }
            return;
        }
        let guess = estimate::first_guess(position, side, child.mv);
        let (pn, dn) = (guess.pn() + self.roll(), guess.dn() + self.roll());
        child.value = Value::open(pn.max(child.value.pn()), dn.max(child.value.dn()));
    }

    /// One in four times 1, for helpers.
    fn roll(&mut self) -> u64 {
        if self.dice == 0 {
            return 0;
        }
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        u64::from(self.dice >> 62 == 0)
    }
}

/// What the path and memory hold of a child. Returns whether numbers come from nearer to the root.
fn look_up(memory: &Memory, node: Node<'_>, child: &mut Child) -> bool {
    let key = child.key;
    if let Some(leans_on) = node.path.repeats(key) {
        child.value = Value::NoMate { within: FOREVER, leans_on, hand: key.hand };
        return false;
    }
    // An evasion and a mating check after it need two plies more.
    let least = if node.path.side() == Role::Attacker { 1 } else { 2 };
    if node.remaining < least {
        let within = node.remaining.saturating_sub(1);
        child.value = Value::NoMate { within, leans_on: NOTHING, hand: key.hand };
        return false;
    }
    let remaining = node.remaining - 1;
    let found = memory.table.look_up(key, node.path.depth() + 1, remaining);
    child.value = found.value;
    child.effort = found.effort;
    child.slot = found.slot;
    child.parent = found.parent;
    child.marks = found.maxed;
    child.is_new = found.slot == NO_SLOT;
    if found.value.is_open() && found.repeats {
        let path = node.path.longer(key);
        if let Some(value) = memory.paths.look_up(path, key.hand, remaining) {
            child.value = value;
        }
    }
    found.is_old && child.value.is_open()
}

/// The value of the attacker's position after an evasion, where it is seen at once: a mate in one,
/// or no check at all.
fn after_evasion(position: &mut Position, mv: Move) -> Option<Value> {
    let gives_check = position.gives_check(mv);
    position.do_move_with(mv, gives_check);
    let value = if let Some(mate) = position.mate_in_one() {
        position.do_move_with(mate, true);
        let mated = hands::with_all_interpositions(position, Hand::EMPTY);
        position.undo_move(mate);
        Some(Value::Mate { plies: 1, hand: hands::before(position, mate, mated) })
    } else if has_check(position) {
        None
    } else {
        let hand = hands::without_new_checks(position, Hand::FULL);
        Some(Value::NoMate { within: FOREVER, leans_on: NOTHING, hand })
    };
    position.undo_move(mv);
    value
}

/// The value of the defender's position after a check with which the horizon is reached.
fn after_last_check(position: &mut Position, child: &Child) -> Value {
    position.do_move_with(child.mv, true);
    let value = if position.has_legal_move() {
        Value::NoMate { within: 0, leans_on: NOTHING, hand: child.key.hand }
    } else {
        Value::Mate { plies: 0, hand: hands::with_all_interpositions(position, Hand::EMPTY) }
    };
    position.undo_move(child.mv);
    value
}

/// Whether the side to move can give check.
fn has_check(position: &Position) -> bool {
    let mut seen = Seen(false);
    position.generate_checks(Promotions::Useful, &mut seen);
    if !seen.0 {
        position.generate_checks(Promotions::All, &mut seen);
    }
    seen.0
}

/// Whether any move came.
struct Seen(bool);

impl MoveSink for Seen {
    fn piece(&mut self, _: Piece, _: Square, targets: Bitboard, _: bool) {
        self.0 |= !targets.is_empty();
    }

    fn pawns(&mut self, _: Piece, targets: Bitboard, _: bool) {
        self.0 |= !targets.is_empty();
    }

    fn drops(&mut self, _: Piece, targets: Bitboard) {
        self.0 |= !targets.is_empty();
    }
}

/// Children of which one after the other is searched: as a rule they all go the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chain {
    /// Pieces interposed on a square.
    Interposed(Square),
    /// Pieces interposed where they only go lost.
    Sacrificed,
    /// With promotion and without.
    Move(Square, Square),
}

impl Chain {
    fn of(position: &Position, side: Role, mv: Move) -> Option<Chain> {
        let (us, to) = (position.side_to_move(), mv.to());
        if mv.is_drop() {
            if side == Role::Attacker {
                return None;
            }
            let stands = !position.attackers(us, to, position.occupied()).is_empty();
            let stands = stands || position.gives_check(mv);
            return Some(if stands { Chain::Interposed(to) } else { Chain::Sacrificed });
        }
        let zone = Bitboard::promotion_zone(us);
        if !zone.contains(mv.from()) && !zone.contains(to) {
            return None;
        }
        let kind = position.piece_at(mv.from())?.kind();
        let gains = match kind {
            PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook => true,
            PieceKind::Lance => to.relative_rank(us) == 1,
            _ => false,
        };
        gains.then_some(Chain::Move(mv.from(), to))
    }
}

/// Whether a move is one of two lance moves to the square before the king, which are much the same.
fn is_twin(position: &Position, side: Role, mv: Move) -> bool {
    if side == Role::Defender || mv.is_drop() {
        return false;
    }
    let (us, to) = (position.side_to_move(), mv.to());
    let is_lance = position.piece_at(mv.from()) == Some(Piece::new(us, PieceKind::Lance));
    let promotes = matches!(to.relative_rank(us), 1 | 2);
    is_lance
        && promotes
        && position.king(!us).is_some_and(|king| attacks::pawn(us, to).contains(king))
}
