//! A brute-force mate solver: builds the graph of the positions that checks and evasions lead to, and
//! finds the mates in it backwards from the mated positions. It uses the rules alone.

use std::collections::HashMap;

use kawasemi::position::Position;
use kawasemi::types::Move;

/// The plies of the shortest mate against the best defence, or `Some(None)` for no mate. `None` if the
/// graph has more than `limit` positions of the attacker.
pub fn shortest_mate(root: &Position, limit: usize) -> Option<Option<usize>> {
    let mut graph = MateGraph::default();
    graph.number(root);
    // All lines up to the horizon are in the graph. A longer mate may not be the shortest.
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
struct MateGraph {
    numbers: HashMap<u64, usize>,
    /// The attacker to move in each.
    positions: Vec<Position>,
    /// For each expanded position, for each check, the positions after the evasions.
    checks: Vec<Vec<Vec<usize>>>,
}

impl MateGraph {
    fn number(&mut self, position: &Position) -> usize {
        let next = self.positions.len();
        let number = *self.numbers.entry(position.key()).or_insert(next);
        if number == next {
            self.positions.push(position.clone());
        }
        number
    }

    /// Expands all leaves. Returns whether there were any.
    fn grow(&mut self) -> bool {
        let (first, end) = (self.checks.len(), self.positions.len());
        for number in first..end {
            let mut position = self.positions[number].clone();
            let checks = checks(&mut position);
            // If a check mates, only such checks are followed.
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
