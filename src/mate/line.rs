//! The line of a mate out of the solver's memory, and the check that it is one.

use super::budget::Meter;
use super::dfpn::Search;
use super::table::{Distance, Key, Memory};
use super::value::{Role, Value, settled};
use crate::position::Position;
use crate::position::movegen::Promotions;
use crate::types::{Color, Move};

/// Times that a line is traced anew because it turned out shorter than was known.
const ROUNDS: usize = 64;

/// Follows proofs from the root down: the attacker's shortest mate, the defender's longest.
pub(super) struct Tracer<'a, 'm> {
    position: Position,
    attacker: Color,
    memory: &'a mut Memory,
    meter: &'a mut Meter<'m>,
}

/// A move and the plies to mate after it, as far as is known.
type Step = (Move, u16);

/// How a node goes on.
enum Next {
    Move(Step),
    /// The defender has no move.
    Mated,
}

impl<'a, 'm> Tracer<'a, 'm> {
    pub(super) fn new(root: &Position, memory: &'a mut Memory, meter: &'a mut Meter<'m>) -> Self {
        Tracer { position: root.clone(), attacker: root.side_to_move(), memory, meter }
    }

    /// The line of a mate that is known to take at most `plies`. `None` when the budget does not
    /// suffice to find again what the memory has lost.
    ///
    /// What is known are upper bounds. Where they are loose the defender is led into a line that
    /// ends early; then they are drawn tighter on the way back, and the defender chooses again.
    pub(super) fn line(mut self, plies: u16) -> Option<Vec<Move>> {
        let mut plies = plies;
        let mut line = Vec::new();
        for _ in 0..ROUNDS {
            line = self.trace(plies)?;
            let tightened = self.go_back(&line);
            self.meter.poll();
            if line.len() >= usize::from(plies) || self.meter.is_spent() {
                break;
            }
            plies = tightened.unwrap_or(plies).min(plies);
        }
        Some(line)
    }

    /// Plays a line to its mate; it stands at its end afterwards.
    fn trace(&mut self, plies: u16) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        let mut remaining = plies;
        loop {
            let next = match self.side() {
                Role::Attacker => self.attack(remaining)?,
                Role::Defender => self.defence(remaining)?,
            };
            let Next::Move((mv, plies)) = next else { return Some(line) };
            self.position.do_move(mv);
            line.push(mv);
            remaining = plies;
        }
    }

    /// Takes a line back and stores for its positions what their children now allow. Returns what
    /// they allow for the root.
    fn go_back(&mut self, line: &[Move]) -> Option<u16> {
        let mut plies = Some(0);
        for &mv in line.iter().rev() {
            self.position.undo_move(mv);
            plies = self.allowed();
            if let Some(plies) = plies {
                let key = Key::of(&self.position, self.attacker);
                self.memory.table.store(key, Value::Mate { plies }, Distance::FAR, 0);
            }
        }
        plies
    }

    /// The mate of a node as far as its children are known; `None` where one is missing.
    fn allowed(&mut self) -> Option<u16> {
        let side = self.side();
        let missing = Value::open(1, 1);
        let values: Vec<Value> = self
            .moves()
            .into_iter()
            .map(|mv| self.after(mv, u16::MAX - 1).map_or(missing, |plies| Value::Mate { plies }))
            .filter(|value| side == Role::Defender || !value.is_open())
            .collect();
        if values.iter().any(|value| value.is_open()) {
            return None;
        }
        match settled(side, values.into_iter()) {
            Value::Mate { plies } => Some(plies),
            _ => None,
        }
    }

    fn side(&self) -> Role {
        if self.position.side_to_move() == self.attacker { Role::Attacker } else { Role::Defender }
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
        steps.filter_map(|mv| Some((mv, self.after(mv, after)?))).min_by_key(|&(_, plies)| plies)
    }

    /// The evasion that holds out longest.
    fn defence(&mut self, remaining: u16) -> Option<Next> {
        let mut best: Option<Step> = None;
        for mv in self.moves() {
            let after = remaining.checked_sub(1)?;
            let plies = match self.after(mv, after) {
                Some(plies) => plies,
                None => self.search_after(mv, after)?,
            };
            if best.is_none_or(|(_, longest)| plies > longest) {
                best = Some((mv, plies));
            }
        }
        Some(best.map_or(Next::Mated, Next::Move))
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
        let key = Key::of(&self.position, self.attacker);
        match self.memory.table.look_up(key, limit, Distance::FAR) {
            Some(Value::Mate { plies }) => Some(plies),
            _ => None,
        }
    }

    fn search_after(&mut self, mv: Move, limit: u16) -> Option<u16> {
        self.position.do_move(mv);
        let plies = self.search(limit);
        self.position.undo_move(mv);
        plies
    }

    /// Finds again a mate within `limit` plies for the attacker, who is to move.
    fn search(&mut self, limit: u16) -> Option<u16> {
        if limit == 0 {
            return None;
        }
        let search = Search::new(&mut self.position, self.memory, self.meter, limit, false);
        match search.run()? {
            Value::Mate { plies } => Some(plies),
            _ => None,
        }
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
