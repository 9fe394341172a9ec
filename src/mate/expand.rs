//! The children of a node: its moves, what is known of the positions behind them, and a first
//! guess where nothing is. It must not know in which order nodes are searched.

use super::path::Path;
use super::table::{Distance, Memory};
use super::value::{NOTHING, Role, Value};
use crate::position::movegen::{Promotions, Sink};
use crate::position::{Position, ScoredMove};
use crate::types::{Bitboard, Move, Piece, PieceKind, Square};

/// A move of a node and what it leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) mv: Move,
    pub(super) value: Value,
    /// An earlier child, by its place among its siblings, that is to be settled before this one
    /// counts: most often this one then goes the same way.
    pub(super) behind: Option<u16>,
}

/// The node to expand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'s> {
    /// The path down to the node itself.
    pub(super) path: &'s Path,
    /// Plies to the horizon.
    pub(super) remaining: u16,
    pub(super) far: bool,
}

/// Makes the children of nodes; keeps its buffer from one to the next.
#[derive(Debug, Default)]
pub(super) struct Expander {
    moves: Vec<ScoredMove>,
}

impl Expander {
    /// Puts the node's children at the end of `children`. One that settles the node ends the list.
    pub(super) fn expand(
        &mut self,
        position: &mut Position,
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
        let mut order = Order::new(children.len());
        for entry in &self.moves {
            let mv = entry.mv();
            let behind = order.behind(side, *entry, children);
            position.do_move_with(mv, side == Role::Attacker || position.gives_check(mv));
            let value = match side {
                Role::Attacker => after_check(position, memory, node),
                Role::Defender => after_evasion(position, memory, node),
            };
            position.undo_move(mv);
            children.push(Child { mv, value, behind });
            if value.is_won(side) && is_absolute(value) {
                break;
            }
        }
    }
}

fn is_absolute(value: Value) -> bool {
    matches!(value, Value::Mate { plies: 0 } | Value::REFUTED)
}

/// The value of a position that the attacker has just given check in.
fn after_check(position: &Position, memory: &Memory, node: Node<'_>) -> Value {
    if let Some(value) = known(position, memory, node) {
        return value;
    }
    let evasions = count_evasions(position);
    if evasions == 0 {
        return Value::Mate { plies: 0 };
    }
    let remaining = node.remaining - 1;
    if remaining < 2 {
        // The evasion and a mating check after it need two plies more.
        return Value::NoMate { within: 1, leans_on: NOTHING };
    }
    Value::open(evasions, 1)
}

/// The value of a position that the defender has just left a check in.
fn after_evasion(position: &Position, memory: &Memory, node: Node<'_>) -> Value {
    let key = node.path.key_of(position);
    node.path.repeated(key).or_else(|| known(position, memory, node)).unwrap_or(Value::open(1, 1))
}

/// What memory holds of a position.
fn known(position: &Position, memory: &Memory, node: Node<'_>) -> Option<Value> {
    let remaining = node.remaining - 1;
    let distance = Distance::new(remaining, node.far);
    let found = memory.table.look_up(node.path.key_of(position), remaining, distance);
    if found.is_some_and(|value| !value.is_open()) {
        return found;
    }
    memory.paths.look_up(node.path.longer(position), remaining).or(found)
}

/// Which child waits for which.
struct Order {
    start: usize,
    /// The last drop on each square.
    drops: [Option<u16>; Square::COUNT],
}

impl Order {
    fn new(start: usize) -> Order {
        Order { start, drops: [None; Square::COUNT] }
    }

    /// The child that the next one waits for. An interposed piece waits for the cheaper one on the
    /// same square; a move that does without a promotion waits for the promotion.
    fn behind(&mut self, side: Role, entry: ScoredMove, children: &[Child]) -> Option<u16> {
        let mv = entry.mv();
        let place = (children.len() - self.start) as u16;
        if mv.is_drop() {
            return match side {
                Role::Attacker => None,
                Role::Defender => self.drops[mv.to().index()].replace(place),
            };
        }
        let gains_by_promotion = matches!(
            entry.piece().kind(),
            PieceKind::Pawn | PieceKind::Lance | PieceKind::Bishop | PieceKind::Rook
        );
        if !gains_by_promotion {
            return None;
        }
        let promotion = Move::board(mv.from(), mv.to(), true);
        let siblings = &children[self.start..];
        siblings.iter().position(|child| child.mv == promotion).map(|place| place as u16)
    }
}

/// How many ways out of check there are, all interpositions on a square taken for one.
fn count_evasions(position: &Position) -> u32 {
    let mut evasions = Evasions::default();
    position.generate_all(Promotions::Useful, &mut evasions);
    if evasions.count() == 0 && position.has_legal_move() { 1 } else { evasions.count() }
}

#[derive(Default)]
struct Evasions {
    moves: u32,
    interposed: Bitboard,
}

impl Evasions {
    fn count(&self) -> u32 {
        self.moves + self.interposed.len()
    }
}

impl Sink for Evasions {
    fn piece(&mut self, _: Piece, _: Square, targets: Bitboard, _: bool) {
        self.moves += targets.len();
    }

    fn pawns(&mut self, _: Piece, targets: Bitboard, _: bool) {
        self.moves += targets.len();
    }

    fn drops(&mut self, _: Piece, targets: Bitboard) {
        self.interposed |= targets;
    }
}
