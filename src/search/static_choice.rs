//! The move that a person plays after a short look: one that captures, checks or goes forward and fits the
//! own plan, while what the opponent can do next is hardly seen.
//!
//! Each move is judged by the network twice: as if the opponent passed, which is the own plan, and as it
//! is. The first ignores threats, forks and pieces that hang. What a look does see is whether the piece
//! that moves can be captured, so nothing is given away for nothing.

use crate::nnue::{Evaluator, Network};
use crate::position::Position;
use crate::types::{Color, Move, PieceKind, Random, Score, Square};

/// A move that loses more than this in the exchange on its square, a little more than a pawn, gives its
/// piece away.
const MOST_GIVEN: i32 = 100;
/// What makes a move attractive beside its value, in score units (a pawn is 90). Estimates.
const CAPTURE_APPEAL: f64 = 40.0;
const CHECK_APPEAL: f64 = 60.0;
/// For each rank that a piece other than the king moves forward.
const FORWARD_APPEAL: f64 = 12.0;
/// A move this many spreads below the best one is never chosen.
const WORST_CHOICE: f64 = 3.0;

/// Whether a move gives its own piece away, which everybody sees.
pub(super) fn gives_away(position: &Position, mv: Move) -> bool {
    !position.see_ge(mv, -MOST_GIVEN)
}

/// How a player looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    /// How much of what the opponent can do next is seen, from 0 to 1.
    pub(super) awareness: f64,
    /// A move that looks worse by this much is chosen 1/e times as often, in score units.
    pub(super) spread: f64,
}

/// A move and its score by the network alone.
pub(super) type LookedAt = (Move, Score);

impl Look {
    /// The move to play among `moves`, which must be legal; `None` if there are none.
    pub(super) fn choose(
        self,
        position: &Position,
        network: &Network,
        moves: &[Move],
        random: &mut Random,
    ) -> Option<LookedAt> {
        let others = moves.iter().copied().filter(|&mv| !gives_away(position, mv));
        let safe: Vec<Move> = others.collect();
        let moves = if safe.is_empty() { moves } else { &safe };
        let mut eye = Eye {
            evaluator: Evaluator::new(network.clone(), position),
            position: position.clone(),
        };
        let seen: Vec<Seen> = moves.iter().map(|&mv| eye.look_at(mv)).collect();
        let attractions: Vec<f64> = seen.iter().map(|seen| seen.attraction(self)).collect();
        let chosen = draw(&attractions, self.spread, random)?;
        Some((moves[chosen], seen[chosen].score))
    }
}

/// Draws an index; a value that is lower by `spread` is 1/e times as likely.
fn draw(values: &[f64], spread: f64, random: &mut Random) -> Option<usize> {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weight = |value: &f64| {
        let spreads = (best - value) / spread;
        if spreads > WORST_CHOICE { 0.0 } else { (-spreads).exp() }
    };
    let weights: Vec<f64> = values.iter().map(weight).collect();
    let mut drawn = random.unit() * weights.iter().sum::<f64>();
    let is_drawn = |weight: &f64| {
        drawn -= weight;
        drawn < 0.0
    };
    weights.iter().position(is_drawn).or_else(|| weights.iter().position(|&weight| weight > 0.0))
}

/// What is seen of a move.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// With the opponent to move.
    score: Score,
    /// As if the opponent passed; the same as `score` for a check.
    plan: Score,
    appeal: f64,
}

impl Seen {
    fn attraction(self, look: Look) -> f64 {
        let (score, plan) = (f64::from(self.score.0), f64::from(self.plan.0));
        look.awareness * score + (1.0 - look.awareness) * plan + self.appeal
    }
}

struct Eye {
    evaluator: Evaluator,
    position: Position,
}

impl Eye {
    fn look_at(&mut self, mv: Move) -> Seen {
        let appeal = appeal(&self.position, mv);
        let delta = self.position.do_move(mv);
        self.evaluator.push(&delta);
        let score = -self.evaluator.evaluate(&self.position);
        let plan = if self.position.in_check() { score } else { self.plan() };
        self.position.undo_move(mv);
        self.evaluator.pop();
        Seen { score, plan, appeal }
    }

    /// The evaluation if the opponent passes.
    fn plan(&mut self) -> Score {
        self.position.do_null_move();
        self.evaluator.push_null();
        let plan = self.evaluator.evaluate(&self.position);
        self.position.undo_null_move();
        self.evaluator.pop();
        plan
    }
}

/// How attractive a move is by its look.
fn appeal(position: &Position, mv: Move) -> f64 {
    let capture = if position.is_capture(mv) { CAPTURE_APPEAL } else { 0.0 };
    let check = if position.gives_check(mv) { CHECK_APPEAL } else { 0.0 };
    capture + check + FORWARD_APPEAL * f64::from(ranks_forward(position, mv).max(0))
}

/// The ranks that a piece other than the king moves towards the opponent; 0 for a drop.
fn ranks_forward(position: &Position, mv: Move) -> i32 {
    if mv.is_drop() || position.mover(mv) == PieceKind::King {
        return 0;
    }
    let rank = |square: Square| square.rank() as i32;
    let down = rank(mv.to()) - rank(mv.from());
    if position.side_to_move() == Color::Black { -down } else { down }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::MoveList;
    use crate::position::movegen::Promotions;

    fn looks(sfen: &str, look: Look) -> Vec<String> {
        let position = Position::from_sfen(sfen).unwrap();
        let mut list = MoveList::default();
        position.generate_all(Promotions::Useful, &mut list);
        let moves: Vec<Move> = list.moves().collect();
        let mut random = Random::new(7);
        let mut choose = |_| look.choose(&position, &Network::built_in(), &moves, &mut random);
        (0..200).map(|i| choose(i).unwrap().0.to_string()).collect()
    }

    /// The weakest look.
    const WEAK: Look = Look { awareness: 0.2, spread: 300.0 };

    #[test]
    fn the_same_seed_gives_the_same_moves_and_moves_vary() {
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let moves = looks(start, WEAK);
        assert_eq!(moves, looks(start, WEAK));
        assert!(moves.iter().any(|mv| *mv != moves[0]));
    }

    #[test]
    fn not_even_the_weakest_look_gives_a_rook_or_a_bishop_for_nothing() {
        let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL b - 5";
        let moves = looks(sfen, WEAK);
        // The knight and the bishop can capture on 3c, and nothing can on 5e but the bishop.
        assert!(!moves.iter().any(|mv| mv.starts_with("8h3c")));
        assert!(moves.iter().any(|mv| mv.starts_with("8h")), "the test needs another position");
    }

    #[test]
    fn a_threat_to_another_piece_is_overlooked_at_times_and_less_by_a_better_look() {
        // The pawn on 3g attacks the rook.
        let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/9/9/9/PPPPPPpPP/1B4R2/LNSGKGSNL b P 1";
        let hangs = |look| looks(sfen, look).iter().filter(|mv| !mv.starts_with("3h")).count();
        let (weak, strong) = (hangs(WEAK), hangs(Look { awareness: 1.0, spread: 40.0 }));
        assert!(weak > strong + 10, "{weak} {strong}");
    }

    #[test]
    fn captures_checks_and_forward_moves_attract() {
        let position = Position::from_sfen("4k4/9/9/4p4/9/4R4/9/9/4K4 b P 1").unwrap();
        let appeal = |mv: &str| appeal(&position, mv.parse().unwrap());
        assert!(appeal("5f5d") > appeal("5f5e") && appeal("5f5e") > appeal("5f5g"));
        assert_eq!(appeal("5i5h"), 0.0);
        assert_eq!(appeal("P*4b"), 0.0);
    }
}
