//! The slow truth about mates: the graph of positions that checks and evasions lead to, and the
//! mates in it worked out backwards from the mated ones. It uses the rules alone.

use std::collections::HashMap;

use kawasemi::position::Position;
use kawasemi::types::Move;

/// Plies of the shortest mate against the best defence, `Some(None)` for no mate; `None` when more
/// than `limit` positions of the attacker had to be looked at.
pub fn shortest_mate(root: &Position, limit: usize) -> Option<Option<usize>> {
    let mut graph = Graph::default();
    graph.number(root);
    // The horizon is the plies within which every line has been looked at to its end. A mate found
    // beyond it may have a shorter rival.
    for horizon in (1..).step_by(2) {
        let grown = graph.grow();
        match graph.mate_of_root() {
            Some(plies) if plies <= horizon || !grown => return Some(Some(plies)),
            None if !grown => return Some(None),
            _ => {}
        }
        if graph.positions.len() > limit {
            break;
        }
    }
    None
}

#[derive(Default)]
struct Graph {
    numbers: HashMap<u64, usize>,
    /// The attacker to move in each.
    positions: Vec<Position>,
    /// For each position looked at, for each check, where the evasions lead.
    checks: Vec<Vec<Vec<usize>>>,
}

impl Graph {
    fn number(&mut self, position: &Position) -> usize {
        let next = self.positions.len();
        let number = *self.numbers.entry(position.key()).or_insert(next);
        if number == next {
            self.positions.push(position.clone());
        }
        number
    }

    /// Looks at every position not yet looked at. Returns whether there was one.
    fn grow(&mut self) -> bool {
        let (first, end) = (self.checks.len(), self.positions.len());
        for number in first..end {
            let mut position = self.positions[number].clone();
            let checks = checks(&mut position);
            // Where a check mates, no other need be followed.
            let mates = checks.iter().any(|&(_, mates)| mates);
            let followed = checks.into_iter().filter(|&(_, mate)| mate == mates);
            let evasions = followed.map(|(mv, _)| self.evasions(&mut position, mv)).collect();
            self.checks.push(evasions);
        }
        first < end
    }

    fn evasions(&mut self, position: &mut Position, check: Move) -> Vec<usize> {
        position.do_move(check);
        let mut numbers = Vec::new();
        for evasion in position.legal_moves().moves() {
            position.do_move(evasion);
            numbers.push(self.number(position));
            position.undo_move(evasion);
        }
        position.undo_move(check);
        numbers
    }

    fn mate_of_root(&self) -> Option<usize> {
        let mut mates = vec![false; self.positions.len()];
        // Each round finds the mates that are two plies longer.
        for plies in (1..).step_by(2) {
            let mated = |evasions: &Vec<usize>| evasions.iter().all(|&to| mates[to]);
            let found: Vec<usize> = (0..self.checks.len())
                .filter(|&from| !mates[from] && self.checks[from].iter().any(mated))
                .collect();
            if found.contains(&0) {
                return Some(plies);
            }
            if found.is_empty() {
                return None;
            }
            for from in found {
                mates[from] = true;
            }
        }
        None
    }
}

/// The moves that give check, and whether they mate.
fn checks(position: &mut Position) -> Vec<(Move, bool)> {
    let mut checks = Vec::new();
    for mv in position.legal_moves().moves() {
        position.do_move(mv);
        if position.in_check() {
            checks.push((mv, position.legal_moves().is_empty()));
        }
        position.undo_move(mv);
    }
    checks
}
