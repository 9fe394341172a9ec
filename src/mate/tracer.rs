//! The line of a mate, traced through the proof table, and the check that it is a mate.

use super::dfpn::Restriction;
use super::limits::NodeCounter;
use super::node_key::NodeKey;
use super::node_value::{NO_REPETITION, NodeType, NodeValue};
use super::path::node_type_of;
use super::threads::{SearchRoot, SolverThreads};
use crate::position::Position;
use crate::position::movegen::NonPromotions;
use crate::types::{Color, Hand, Move};

/// Maximum number of moves played to find a line: about a hundred times the length of a long mate.
const MAX_PLAYED: usize = 50_000;

/// Follows the proof from the root: the attacker plays the shortest mate, the defender the longest.
pub(super) struct LineTracer<'a, 'm> {
    position: Position,
    attacker: Color,
    threads: &'a SolverThreads<'a>,
    counter: &'a mut NodeCounter<'m>,
    /// Whether it is proved that the root has no shorter mate than the traced one.
    exact: bool,
}

/// A line, and the plies within which every defence is proved to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MateLine {
    pub(super) moves: Vec<Move>,
    pub(super) within: u16,
}

/// A move and the plies to the mate after it, as far as is known.
type MoveToMate = (Move, u16);

/// Where [`LineTracer::backtrack`] ends.
enum Backtrack {
    /// At an AND node, with the plies to the mate.
    At(u16),
    /// At the root, with the plies that its children allow.
    Root(Option<u16>),
}

/// How the line continues from a node.
enum Continuation {
    Move(MoveToMate),
    /// The defender has no move.
    Mated,
}

impl<'a, 'm> LineTracer<'a, 'm> {
    pub(super) fn new(
        root: &Position,
        threads: &'a SolverThreads<'a>,
        counter: &'a mut NodeCounter<'m>,
        exact: bool,
    ) -> Self {
        let (position, attacker) = (root.clone(), root.side_to_move());
        LineTracer { position, attacker, threads, counter, exact }
    }

    /// The tracer with this attacker, who need not be the side to move.
    pub(super) fn for_attacker(self, attacker: Color) -> Self {
        LineTracer { attacker, ..self }
    }

    /// The line of a mate that is known to take at most `plies`. `None` if the limits do not suffice to find
    /// again what the table has lost.
    ///
    /// The lengths in the table are upper bounds. If they are loose, the line follows a defence that ends
    /// early. Then the bounds are tightened on the way back, and as soon as another defence promises to last
    /// longer, the line continues with that one. If the new line finds no end, the previous one is returned,
    /// unless an exact line is wanted.
    pub(super) fn line(mut self, plies: u16) -> Option<MateLine> {
        let mut open: Vec<Move> = Vec::new();
        let (mut played, mut remaining) = (0, plies);
        let mut complete: Option<Vec<Move>> = None;
        loop {
            let from = open.len();
            if !self.extend(&mut open, remaining) {
                let moves = complete.filter(|_| !self.exact)?;
                return Some(MateLine { moves, within: plies });
            }
            let moves = open.clone();
            played += open.len() - from;
            let to_root = played > MAX_PLAYED || self.counter.is_over();
            match self.backtrack(&mut open, to_root) {
                Backtrack::At(plies) => (remaining, complete) = (plies, Some(moves)),
                Backtrack::Root(within) => {
                    let within = within.unwrap_or(plies).min(plies);
                    return Some(MateLine { moves, within });
                }
            }
        }
    }

    /// Extends the line to the mate and leaves the position there. On failure takes back the whole
    /// line and returns false.
    fn extend(&mut self, line: &mut Vec<Move>, plies: u16) -> bool {
        let mut remaining = plies;
        loop {
            let next = match self.node_type() {
                NodeType::Or => self.best_check(remaining),
                NodeType::And => self.best_evasion(remaining),
            };
            let Some(next) = next else {
                line.drain(..).rev().for_each(|mv| self.position.undo_move(mv));
                return false;
            };
            let Continuation::Move((mv, plies)) = next else { return true };
            self.position.do_move(mv);
            line.push(mv);
            remaining = plies;
        }
    }

    /// Takes the line back and stores for its positions the length that follows from their children.
    /// Unless `to_root`, stops at a node where another defence now seems to last longer.
    fn backtrack(&mut self, line: &mut Vec<Move>, to_root: bool) -> Backtrack {
        let (mut plies, mut played) = (Some(0), 0);
        while let Some(mv) = line.pop() {
            self.position.undo_move(mv);
            plies = self.length_from_children();
            played += 1;
            let Some(plies) = plies else { continue };
            let NodeKey { board, hand } = self.key();
            let value = NodeValue::Mate { plies, hand };
            self.threads.tables.read().proofs.store_solved(board, value, 0);
            if !to_root && self.node_type() == NodeType::And && plies > played {
                return Backtrack::At(plies);
            }
        }
        Backtrack::Root(plies)
    }

    /// The plies to the mate as far as the children are known; `None` where one is missing.
    fn length_from_children(&mut self) -> Option<u16> {
        let known = self.moves().into_iter().map(|mv| self.known_length_after(mv, u16::MAX - 2));
        let known: Vec<Option<u16>> = known.collect();
        let plies = match self.node_type() {
            NodeType::Or => known.into_iter().flatten().min()?,
            NodeType::And => known.into_iter().collect::<Option<Vec<u16>>>()?.into_iter().max()?,
        };
        Some(plies + 1)
    }

    fn node_type(&self) -> NodeType {
        node_type_of(&self.position, self.attacker)
    }

    fn key(&self) -> NodeKey {
        NodeKey::of(&self.position, self.attacker)
    }

    /// The checks of the attacker, or the evasions of the defender.
    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        match self.node_type() {
            NodeType::Or => self.position.generate_checks(NonPromotions::All, &mut moves),
            NodeType::And => self.position.generate_legal(NonPromotions::All, &mut moves),
        }
        moves.into_iter().map(|scored| scored.mv()).collect()
    }

    /// The check with the shortest known mate.
    fn best_check(&mut self, remaining: u16) -> Option<Continuation> {
        let after = remaining.checked_sub(1)?;
        if self.best_known_check(after).is_none() {
            self.find_length(remaining)?;
        }
        self.best_known_check(after).map(Continuation::Move)
    }

    fn best_known_check(&mut self, after: u16) -> Option<MoveToMate> {
        let mates = self.moves().into_iter();
        let mates = mates.filter_map(|mv| Some((mv, self.known_length_after(mv, after)?)));
        mates.min_by_key(|&(_, plies)| plies)
    }

    /// The evasion with the longest mate.
    fn best_evasion(&mut self, remaining: u16) -> Option<Continuation> {
        let mut evasions: Vec<MoveToMate> = Vec::new();
        for mv in self.moves() {
            let after = remaining.checked_sub(1)?;
            let plies = match self.known_length_after(mv, after) {
                Some(plies) => plies,
                None => self.find_length_after(mv, after)?,
            };
            evasions.push((mv, plies));
        }
        evasions.sort_by_key(|&(_, plies)| std::cmp::Reverse(plies));
        let Some(&longest) = evasions.first() else { return Some(Continuation::Mated) };
        evasions.retain(|evasion| evasion.1 == longest.1);
        let exact = if self.exact { self.exact_among(&evasions) } else { None };
        Some(Continuation::Move(exact.unwrap_or(longest)))
    }

    /// The first of these evasions after which no mate is shorter. Evasions for which the table proves it come
    /// first: usually there is one, and no search is needed.
    fn exact_among(&mut self, evasions: &[MoveToMate]) -> Option<MoveToMate> {
        let known = evasions.iter().find(|&&evasion| self.is_known_exact(evasion));
        known.or_else(|| evasions.iter().find(|&&evasion| self.is_exact(evasion))).copied()
    }

    /// Whether the table knows that no mate is shorter after an evasion.
    fn is_known_exact(&mut self, (mv, plies): MoveToMate) -> bool {
        let Some(shorter) = plies.checked_sub(2) else { return true };
        self.position.do_move(mv);
        let bounds = self.threads.tables.read().proofs.length_bounds(self.key());
        self.position.undo_move(mv);
        bounds.no_mate.is_some_and(|within| within >= shorter)
    }

    /// Whether a search proves that no mate is shorter after an evasion.
    fn is_exact(&mut self, (mv, plies): MoveToMate) -> bool {
        let Some(shorter) = plies.checked_sub(2) else { return true };
        self.position.do_move(mv);
        let exact = matches!(self.solve(shorter), Some(NodeValue::NoMate { .. }));
        self.position.undo_move(mv);
        exact
    }

    /// The plies to the mate after a move, if one within `limit` is known.
    fn known_length_after(&mut self, mv: Move, limit: u16) -> Option<u16> {
        self.position.do_move(mv);
        let plies = self.known_length(limit);
        self.position.undo_move(mv);
        plies
    }

    /// The plies to the mate in the position, if one within `limit` is known.
    fn known_length(&self, limit: u16) -> Option<u16> {
        if self.node_type() == NodeType::And && !self.position.has_legal_move() {
            return Some(0);
        }
        let bounds = self.threads.tables.read().proofs.length_bounds(self.key());
        bounds.mate.filter(|&plies| plies <= limit)
    }

    fn find_length_after(&mut self, mv: Move, limit: u16) -> Option<u16> {
        self.position.do_move(mv);
        let plies = self.find_length(limit);
        self.position.undo_move(mv);
        plies
    }

    /// Finds again a mate within `limit` plies for the attacker, who is to move.
    fn find_length(&mut self, limit: u16) -> Option<u16> {
        match self.solve(limit)? {
            NodeValue::Mate { plies, .. } if plies <= limit => Some(plies),
            _ => None,
        }
    }

    /// The value of the position for mates within `horizon` plies, searched again.
    fn solve(&mut self, horizon: u16) -> Option<NodeValue> {
        if horizon == 0 {
            let hand = Hand::EMPTY;
            return Some(NodeValue::NoMate { within: 0, repetition_depth: NO_REPETITION, hand });
        }
        let (position, attacker) = (&self.position, self.attacker);
        let restriction = Restriction::default();
        let root = SearchRoot { position, attacker, horizon, restriction };
        self.threads.search_single(root, self.counter)
    }
}

/// Whether a line is a mate: its moves are legal, every one of the attacker is a check, and the last
/// one mates. This follows from the rules alone, not from the solver.
pub fn is_mate(root: &Position, line: &[Move]) -> bool {
    let mut position = root.clone();
    for (ply, &mv) in line.iter().enumerate() {
        let attacks = ply % 2 == 0;
        if position.try_play(mv).is_err() || attacks && !position.in_check() {
            return false;
        }
    }
    line.len() % 2 == 1 && position.legal_moves().is_empty()
}

#[cfg(test)]
mod tests {
    use parking_lot::RwLock;

    use super::super::limits::{SharedLimits, SolverLimits};
    use super::super::tables::SolverTables;
    use super::*;

    /// Regression: a proved mate was lost if the limits ended the search for a better defence.
    #[test]
    fn a_line_to_the_mate_is_not_lost_in_the_search_for_a_better_one() {
        let root = Position::from_sfen("1k7/9/9/9/9/1G+R6/9/9/9 b GS 1").unwrap();
        let limits = SolverLimits { nodes: Some(0), ..SolverLimits::UNLIMITED };
        let trace = |exact| {
            let tables = RwLock::new(SolverTables::new(1 << 20).unwrap());
            // The table does not know the mate in one after the first evasion, nor any move after the
            // other.
            for (moves, plies) in [("S*9b", 10), ("S*9b 8a8b", 9), ("S*9b 8a9b", 7)] {
                let mut position = root.clone();
                for mv in moves.split(' ') {
                    position.try_play(mv.parse().unwrap()).unwrap();
                }
                let NodeKey { board, hand } = NodeKey::of(&position, root.side_to_move());
                tables.read().proofs.store_solved(board, NodeValue::Mate { plies, hand }, 1);
            }
            let shared = SharedLimits::new(&limits);
            let threads = SolverThreads { tables: &tables, limits: &shared, count: 1 };
            let mut counter = NodeCounter::main(&shared, &limits);
            LineTracer::new(&root, &threads, &mut counter, exact).line(11)
        };
        let line = trace(false).unwrap();
        assert!(is_mate(&root, &line.moves));
        assert_eq!((line.moves.len(), line.within), (3, 11));
        assert_eq!(trace(true), None);
    }
}
