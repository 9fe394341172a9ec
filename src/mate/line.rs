//! The line of a mate out of the solver's memory, and the check that it is one.

use super::budget::Meter;
use super::path::role;
use super::table::Key;
use super::team::{Question, Team};
use super::value::{Role, Value};
use crate::position::Position;
use crate::position::movegen::Promotions;
use crate::types::{Color, Hand, Move};

/// Moves tried for a line in all: for long mates some hundred times their length.
const STEPS: usize = 50_000;

/// Follows proofs from the root down: the attacker's shortest mate, the defender's longest.
pub(super) struct Tracer<'a, 'm> {
    position: Position,
    attacker: Color,
    team: &'a Team<'a>,
    meter: &'a mut Meter<'m>,
    /// The root's mate is known to be no shorter than traced.
    exact: bool,
}

/// A line and the plies within which it is known that every defence ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) moves: Vec<Move>,
    pub(super) within: u16,
}

/// A move and the plies to mate after it, as far as is known.
type Step = (Move, u16);

/// Where the way back ends.
enum Back {
    /// At a defender's node with a mate of so many plies.
    At(u16),
    /// At the root, with what its children allow.
    Root(Option<u16>),
}

/// How a node goes on.
enum Next {
    Move(Step),
    /// The defender has no move.
    Mated,
}

impl<'a, 'm> Tracer<'a, 'm> {
    pub(super) fn new(
        root: &Position,
        team: &'a Team<'a>,
        meter: &'a mut Meter<'m>,
        exact: bool,
    ) -> Self {
        let (position, attacker) = (root.clone(), root.side_to_move());
        Tracer { position, attacker, team, meter, exact }
    }

    /// The line of a mate that is known to take at most `plies`. `None` when the budget does not
    /// suffice to find again what the memory has lost.
    ///
    /// What is known are upper bounds. Where they are loose the defender is led into a line that
    /// ends early; then they are drawn tighter on the way back, and as soon as another defence
    /// promises more, the line goes on with that one. If it then comes to no end, the one before
    /// has to do; but not where an exact one is wanted.
    pub(super) fn line(mut self, plies: u16) -> Option<Line> {
        let mut open: Vec<Move> = Vec::new();
        let (mut steps, mut remaining) = (0, plies);
        let mut complete: Option<Vec<Move>> = None;
        loop {
            let from = open.len();
            if !self.extend(&mut open, remaining) {
                let moves = complete.filter(|_| !self.exact)?;
                return Some(Line { moves, within: plies });
            }
            let moves = open.clone();
            steps += open.len() - from;
            let enough = steps > STEPS || self.meter.is_over();
            let back = self.go_back(&mut open, enough);
            match back {
                Back::At(plies) => (remaining, complete) = (plies, Some(moves)),
                Back::Root(within) => {
                    return Some(Line { moves, within: within.unwrap_or(plies).min(plies) });
                }
            }
        }
    }

    /// Plays on to the mate; it stands there afterwards. False, with all taken back, if it cannot.
    fn extend(&mut self, line: &mut Vec<Move>, plies: u16) -> bool {
        let mut remaining = plies;
        loop {
            let next = match self.side() {
                Role::Attacker => self.attack(remaining),
                Role::Defender => self.defence(remaining),
            };
            let Some(next) = next else {
                line.drain(..).rev().for_each(|mv| self.position.undo_move(mv));
                return false;
            };
            let Next::Move((mv, plies)) = next else { return true };
            self.position.do_move(mv);
            line.push(mv);
            remaining = plies;
        }
    }

    /// Takes a line back and stores for its positions what their children now allow, up to a
    /// defence that now promises less than another (not if it is `enough`).
    fn go_back(&mut self, line: &mut Vec<Move>, enough: bool) -> Back {
        let (mut plies, mut played) = (Some(0), 0);
        while let Some(mv) = line.pop() {
            self.position.undo_move(mv);
            plies = self.allowed();
            played += 1;
            let Some(plies) = plies else { continue };
            let Key { board, hand } = self.key();
            let value = Value::Mate { plies, hand };
            self.team.memory.read().table.store_settled(board, value, 0);
            if !enough && self.side() == Role::Defender && plies > played {
                return Back::At(plies);
            }
        }
        Back::Root(plies)
    }

    /// The mate of a node as far as its children are known; `None` where one is missing.
    fn allowed(&mut self) -> Option<u16> {
        let known = self.moves().into_iter().map(|mv| self.after(mv, u16::MAX - 2));
        let known: Vec<Option<u16>> = known.collect();
        let plies = match self.side() {
            Role::Attacker => known.into_iter().flatten().min()?,
            Role::Defender => known.into_iter().collect::<Option<Vec<u16>>>()?.into_iter().max()?,
        };
        Some(plies + 1)
    }

    fn side(&self) -> Role {
        role(self.attacker, &self.position)
    }

    fn key(&self) -> Key {
        Key::of(&self.position, self.attacker)
    }

    /// The checks of the attacker, or the evasions of the defender.
    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        match self.side() {
            Role::Attacker => self.position.generate_checks(Promotions::All, &mut moves),
            Role::Defender => self.position.generate_legal(&mut moves),
        }
        moves.into_iter().map(|entry| entry.mv()).collect()
    }

    /// The check with the shortest known mate.
    fn attack(&mut self, remaining: u16) -> Option<Next> {
        let after = remaining.checked_sub(1)?;
        if self.best_attack(after).is_none() {
            self.search(remaining)?;
        }
        self.best_attack(after).map(Next::Move)
    }

    fn best_attack(&mut self, after: u16) -> Option<Step> {
        let steps = self.moves().into_iter();
        let steps = steps.filter_map(|mv| Some((mv, self.after(mv, after)?)));
        steps.min_by_key(|&(_, plies)| plies)
    }

    /// The evasion that holds out longest.
    fn defence(&mut self, remaining: u16) -> Option<Next> {
        let mut steps: Vec<Step> = Vec::new();
        for mv in self.moves() {
            let after = remaining.checked_sub(1)?;
            let plies = match self.after(mv, after) {
                Some(plies) => plies,
                None => self.search_after(mv, after)?,
            };
            steps.push((mv, plies));
        }
        steps.sort_by_key(|&(_, plies)| std::cmp::Reverse(plies));
        let Some(&longest) = steps.first() else { return Some(Next::Mated) };
        steps.retain(|step| step.1 == longest.1);
        let exact = if self.exact { self.exact_among(&steps) } else { None };
        Some(Next::Move(exact.unwrap_or(longest)))
    }

    /// The first of some evasions after which no mate is faster. Those of which that is known come
    /// before others: most often there is one, and nothing need be searched.
    fn exact_among(&mut self, steps: &[Step]) -> Option<Step> {
        let known = steps.iter().find(|&&step| self.is_known_exact(step));
        known.or_else(|| steps.iter().find(|&&step| self.is_exact(step))).copied()
    }

    /// Whether it is known that no mate is faster after an evasion.
    fn is_known_exact(&mut self, (mv, plies): Step) -> bool {
        let Some(faster) = plies.checked_sub(2) else { return true };
        self.position.do_move(mv);
        let (_, no_mate) = self.team.memory.read().table.bounds(self.key());
        self.position.undo_move(mv);
        no_mate.is_some_and(|within| within >= faster)
    }

    /// Whether a search for a faster mate after an evasion proves that there is none.
    fn is_exact(&mut self, (mv, plies): Step) -> bool {
        let Some(faster) = plies.checked_sub(2) else { return true };
        self.position.do_move(mv);
        let exact = matches!(self.value(faster), Some(Value::NoMate { .. }));
        self.position.undo_move(mv);
        exact
    }

    /// Plies to a mate after a move, if one within `limit` is known.
    fn after(&mut self, mv: Move, limit: u16) -> Option<u16> {
        self.position.do_move(mv);
        let plies = self.known(limit);
        self.position.undo_move(mv);
        plies
    }

    fn known(&self, limit: u16) -> Option<u16> {
        if self.side() == Role::Defender && !self.position.has_legal_move() {
            return Some(0);
        }
        let (mate, _) = self.team.memory.read().table.bounds(self.key());
        mate.filter(|&plies| plies <= limit)
    }

    fn search_after(&mut self, mv: Move, limit: u16) -> Option<u16> {
        self.position.do_move(mv);
        let plies = self.search(limit);
        self.position.undo_move(mv);
        plies
    }

    /// Finds again a mate within `limit` plies for the attacker, who is to move.
    fn search(&mut self, limit: u16) -> Option<u16> {
        match self.value(limit)? {
            Value::Mate { plies, .. } if plies <= limit => Some(plies),
            _ => None,
        }
    }

    fn value(&mut self, horizon: u16) -> Option<Value> {
        if horizon == 0 {
            let hand = Hand::EMPTY;
            return Some(Value::NoMate { within: 0, leans_on: super::value::NOTHING, hand });
        }
        let question = Question { position: &self.position, attacker: self.attacker, horizon };
        self.team.settle_alone(question, self.meter)
    }
}

/// Whether a line is what it claims: legal moves, every one of the attacker's a check, the last
/// one mate. It trusts nothing of the solver, only the rules.
pub(super) fn is_mate(root: &Position, line: &[Move]) -> bool {
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

    use super::super::Memory;
    use super::super::budget::{Ledger, SolverLimits};
    use super::*;

    /// A proven mate was not answered where the budget ended before a better defence was found.
    #[test]
    fn a_line_to_the_mate_is_not_lost_in_search_of_a_better_one() {
        let root = Position::from_sfen("1k7/9/9/9/9/1G+R6/9/9/9 b GS 1").unwrap();
        let budget = SolverLimits { nodes: Some(0), depth: None, deadline: None, stop: &|| false };
        let trace = |exact| {
            let memory = RwLock::new(Memory::new(1 << 20).unwrap());
            // After the first evasion there is a mate in one, but that is not known; nor is how to go
            // on after the other.
            for (moves, plies) in [("S*9b", 10), ("S*9b 8a8b", 9), ("S*9b 8a9b", 7)] {
                let mut position = root.clone();
                for mv in moves.split(' ') {
                    position.try_play(mv.parse().unwrap()).unwrap();
                }
                let Key { board, hand } = Key::of(&position, root.side_to_move());
                memory.read().table.store_settled(board, Value::Mate { plies, hand }, 1);
            }
            let ledger = Ledger::new(&budget);
            let team = Team { memory: &memory, ledger: &ledger, threads: 1 };
            let mut meter = Meter::leading(&ledger, &budget);
            Tracer::new(&root, &team, &mut meter, exact).line(11)
        };
        let line = trace(false).unwrap();
        assert!(is_mate(&root, &line.moves));
        assert_eq!((line.moves.len(), line.within), (3, 11));
        assert_eq!(trace(true), None);
    }
}
