//! Runs the solver on many positions of one problem, with shared tables.

use parking_lot::RwLock;

use super::dfpn::Restriction;
use super::limits::{NodeCounter, SharedLimits, SolverLimits};
use super::node_key::NodeKey;
use super::node_value::{ANY_LENGTH, NodeType, NodeValue};
use super::path::node_type_of;
use super::proof_table::LengthBounds;
use super::solution::MAX_PLIES;
use super::tables::SolverTables;
use super::threads::{SearchRoot, SolverThreads};
use super::tracer::LineTracer;
use crate::position::Position;
use crate::sys::AllocationError;
use crate::types::{Color, Move};

/// The result of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofResult {
    /// Proved: mate in at most this many plies.
    Mate(u16),
    /// Proved: no mate within the given plies, or of any length.
    NoMate { of_any_length: bool },
    /// A limit was reached first.
    Unknown,
}

/// Solves positions of one problem, with either side to move, by checks and evasions. Keeps its tables
/// from one query to the next.
///
/// ```
/// use kawasemi::mate::{ProofResult, MateProver, SolverLimits};
/// use kawasemi::position::Position;
/// use kawasemi::types::Color;
/// let mut prover = MateProver::new(Color::Black, 1).unwrap();
/// let limits = SolverLimits::UNLIMITED;
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
/// assert_eq!(prover.prove(&position, None, &limits), ProofResult::Mate(1));
/// ```
#[derive(Debug)]
pub struct MateProver {
    tables: RwLock<SolverTables>,
    attacker: Color,
    without_drops: bool,
    avoided: Vec<NodeKey>,
    nodes: u64,
}

impl MateProver {
    /// A prover that may take `memory_mib` mebibytes, and a seventh more while it grows.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn new(attacker: Color, memory_mib: usize) -> Result<MateProver, AllocationError> {
        let tables = RwLock::new(SolverTables::new(memory_mib << 20)?);
        Ok(MateProver { tables, attacker, without_drops: false, avoided: Vec::new(), nodes: 0 })
    }

    /// A prover for the game in which the defender may not drop pieces. Clears the tables.
    #[must_use]
    pub fn without_drops(mut self) -> MateProver {
        self.reset(self.attacker);
        self.without_drops = true;
        self
    }

    /// Clears the tables for another problem.
    pub fn reset(&mut self, attacker: Color) {
        self.tables.get_mut().clear();
        self.attacker = attacker;
        self.avoided.clear();
        self.nodes = 0;
    }

    /// Forbids the attacker to reach the first [`MAX_PLIES`] + 1 of these positions, as many as the longest line of a
    /// mate has. Clears the tables.
    pub fn avoid(&mut self, positions: &[Position]) {
        self.reset(self.attacker);
        let keys = positions.iter().map(|position| NodeKey::of(position, self.attacker));
        self.avoided = keys.take(usize::from(MAX_PLIES) + 1).collect();
    }

    pub fn attacker(&self) -> Color {
        self.attacker
    }

    /// Positions expanded so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the attacker mates within this many plies, or at all. Only the nodes, the deadline and the
    /// stop of the limits count.
    pub fn prove(
        &mut self,
        position: &Position,
        plies: Option<u16>,
        limits: &SolverLimits<'_>,
    ) -> ProofResult {
        let key = NodeKey::of(position, self.attacker);
        let covers =
            |avoided: &NodeKey| avoided.board == key.board && avoided.hand.covers(key.hand);
        if self.avoided.iter().any(covers) {
            return ProofResult::NoMate { of_any_length: true };
        }
        let horizon = plies.unwrap_or(MAX_PLIES).min(MAX_PLIES);
        if let Some(known) = self.known(position, horizon, plies.is_none()) {
            return known;
        }
        if horizon == 0 && node_type_of(position, self.attacker) == NodeType::Or {
            return ProofResult::NoMate { of_any_length: false };
        }
        let restriction = Restriction { without_drops: self.without_drops, avoided: &self.avoided };
        let root = SearchRoot { position, attacker: self.attacker, horizon, restriction };
        let shared = SharedLimits::new(limits);
        let mut counter = NodeCounter::main(&shared, limits);
        let threads = SolverThreads { tables: &self.tables, limits: &shared, count: 1 };
        let value = threads.search_single(root, &mut counter);
        self.nodes += counter.nodes();
        match value {
            Some(NodeValue::Mate { plies, .. }) => ProofResult::Mate(plies),
            Some(NodeValue::NoMate { within: ANY_LENGTH, .. }) => {
                ProofResult::NoMate { of_any_length: true }
            }
            Some(NodeValue::NoMate { .. }) if plies.is_some() => {
                ProofResult::NoMate { of_any_length: false }
            }
            _ => ProofResult::Unknown,
        }
    }

    /// Probes the table for a position.
    fn known(&self, position: &Position, horizon: u16, any_length: bool) -> Option<ProofResult> {
        let key = NodeKey::of(position, self.attacker);
        let LengthBounds { mate, no_mate } = self.tables.read().proofs.length_bounds(key);
        if let Some(plies) = mate.filter(|&plies| plies <= horizon) {
            return Some(ProofResult::Mate(plies));
        }
        let within = no_mate?;
        let of_any_length = within == ANY_LENGTH;
        let is_enough = of_any_length || !any_length && within >= horizon;
        is_enough.then_some(ProofResult::NoMate { of_any_length })
    }

    /// A line to the mate from a position that is proved to be mate within this many plies: the defender
    /// plays the longest known defence. `None` if a limit ends the search, and for restricted games.
    pub fn line(
        &mut self,
        position: &Position,
        plies: u16,
        limits: &SolverLimits<'_>,
    ) -> Option<Vec<Move>> {
        if self.without_drops || !self.avoided.is_empty() {
            return None;
        }
        let shared = SharedLimits::new(limits);
        let mut counter = NodeCounter::main(&shared, limits);
        let threads = SolverThreads { tables: &self.tables, limits: &shared, count: 1 };
        let tracer =
            LineTracer::new(position, &threads, &mut counter, false).for_attacker(self.attacker);
        let line = tracer.line(plies);
        self.nodes += counter.nodes();
        line.map(|line| line.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GENEROUS_LIMITS: SolverLimits<'static> =
        SolverLimits { nodes: Some(200_000), ..SolverLimits::UNLIMITED };

    fn position(sfen: &str) -> Position {
        Position::from_sfen(sfen).unwrap()
    }

    #[test]
    fn a_prover_answers_for_both_sides_and_every_length() {
        let mut prover = MateProver::new(Color::Black, 4).unwrap();
        let mut root = position("9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1");
        assert_eq!(
            prover.prove(&root, Some(9), &GENEROUS_LIMITS),
            ProofResult::NoMate { of_any_length: false }
        );
        assert_eq!(prover.prove(&root, Some(11), &GENEROUS_LIMITS), ProofResult::Mate(11));
        let check = prover.line(&root, 11, &GENEROUS_LIMITS).unwrap()[0];
        root.do_move(check);
        assert_eq!(
            prover.prove(&root, Some(8), &GENEROUS_LIMITS),
            ProofResult::NoMate { of_any_length: false }
        );
        assert_eq!(prover.prove(&root, None, &GENEROUS_LIMITS), ProofResult::Mate(10));
        let refused = position("4k4/9/9/9/9/9/9/9/R8 b - 1");
        let none = ProofResult::NoMate { of_any_length: true };
        assert_eq!(prover.prove(&refused, None, &GENEROUS_LIMITS), none);
    }

    #[test]
    fn a_defender_without_drops_is_mated_from_afar() {
        let root = position("k8/9/1K7/9/9/9/9/9/8R b g 1");
        let mut prover = MateProver::new(Color::Black, 4).unwrap();
        assert!(!matches!(prover.prove(&root, Some(1), &GENEROUS_LIMITS), ProofResult::Mate(_)));
        let mut prover = prover.without_drops();
        assert_eq!(prover.prove(&root, Some(1), &GENEROUS_LIMITS), ProofResult::Mate(1));
    }

    #[test]
    fn a_mate_that_leads_only_through_avoided_positions_does_not_count() {
        let root = position("4k4/9/4P4/9/9/9/9/9/9 b G 1");
        let mut mated = root.clone();
        mated.do_move("G*5b".parse().unwrap());
        let mut prover = MateProver::new(Color::Black, 4).unwrap();
        prover.avoid(&[root.clone(), mated]);
        let mut other = root.clone();
        other.do_move("G*4b".parse().unwrap());
        let answer = prover.prove(&other, None, &GENEROUS_LIMITS);
        assert!(matches!(answer, ProofResult::NoMate { .. }), "{answer:?}");
        assert_eq!(
            prover.prove(&root, None, &GENEROUS_LIMITS),
            ProofResult::NoMate { of_any_length: true }
        );
    }

    /// Regression: only the first 999 positions of a longer line were avoided.
    #[test]
    fn a_line_of_more_than_a_thousand_positions_is_avoided() {
        let root = position("4k4/9/4P4/9/9/9/9/9/9 b G 1");
        let elsewhere = position("k8/9/9/9/9/9/9/9/9 b G 1");
        let mut prover = MateProver::new(Color::Black, 4).unwrap();
        let mut line = vec![elsewhere; 1500];
        prover.avoid(&line);
        assert!(matches!(prover.prove(&root, None, &GENEROUS_LIMITS), ProofResult::Mate(_)));
        line.push(root.clone());
        prover.avoid(&line);
        assert_eq!(
            prover.prove(&root, None, &GENEROUS_LIMITS),
            ProofResult::NoMate { of_any_length: true }
        );
        // Whatever a record holds, the path has room for it.
        line.resize(20_000, root.clone());
        prover.avoid(&line);
        assert_eq!(
            prover.prove(&root, None, &GENEROUS_LIMITS),
            ProofResult::NoMate { of_any_length: true }
        );
    }
}
