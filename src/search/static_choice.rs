//! The move that a weak level plays without a search, by static evaluations.
//!
//! The network evaluates each move twice: as it is, and as if the opponent passed. The second evaluation
//! ignores threats, forks and hanging pieces other than the moved one, which the static exchange
//! evaluation covers.

use super::softmax::sample_by_softmax;
use crate::nnue::{Evaluator, Network};
use crate::position::{Position, Repetition};
use crate::types::{Move, PieceKind, Random, Score};

/// A move that loses more than this by static exchange, a little more than a pawn, hangs its piece.
const MAX_EXCHANGE_LOSS: i32 = 100;
/// Bonuses in score units (a pawn is 90). Estimates.
const CAPTURE_BONUS: f64 = 40.0;
const CHECK_BONUS: f64 = 60.0;
/// For each rank that a piece other than the king moves forward.
const FORWARD_BONUS: f64 = 12.0;

/// Whether a move loses the moved piece for nothing or for too little.
pub(super) fn hangs_piece(position: &Position, mv: Move) -> bool {
    !position.see_ge(mv, -MAX_EXCHANGE_LOSS)
}

/// The parameters of the choice.
#[derive(Clone, Copy, Debug)]
pub(super) struct StaticChoice {
    /// The weight of the evaluation after the move, from 0 to 1; the evaluation after a pass has the rest.
    pub(super) reply_weight: f64,
    /// A move that is worse by this much is chosen 1/e times as often, in score units.
    pub(super) temperature: f64,
}

impl StaticChoice {
    /// The move to play among `moves`, which must be legal, and its static evaluation; `None` if there
    /// are none.
    pub(super) fn choose(
        self,
        position: &Position,
        network: &Network,
        moves: &[Move],
        random: &mut Random,
    ) -> Option<(Move, Score)> {
        let others = moves.iter().copied().filter(|&mv| !hangs_piece(position, mv));
        let safe: Vec<Move> = others.collect();
        let moves = if safe.is_empty() { moves } else { &safe };
        let mut evaluator = CandidateEvaluator {
            evaluator: Evaluator::new(network.clone(), position),
            position: position.clone(),
        };
        let candidates: Vec<Candidate> = moves.iter().map(|&mv| evaluator.evaluate(mv)).collect();
        let values: Vec<f64> = candidates.iter().map(|candidate| candidate.value(self)).collect();
        let chosen = sample_by_softmax(&values, self.temperature, f64::INFINITY, random)?;
        Some((moves[chosen], candidates[chosen].score))
    }
}

/// The evaluations of a move, for the side that plays it.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// With the opponent to move.
    score: Score,
    /// As if the opponent passed; the same as `score` for a check.
    pass_score: Score,
    bonus: f64,
}

impl Candidate {
    fn value(self, choice: StaticChoice) -> f64 {
        let (score, pass_score) = (f64::from(self.score.0), f64::from(self.pass_score.0));
        choice.reply_weight * score + (1.0 - choice.reply_weight) * pass_score + self.bonus
    }
}

struct CandidateEvaluator {
    evaluator: Evaluator,
    position: Position,
}

impl CandidateEvaluator {
    fn evaluate(&mut self, mv: Move) -> Candidate {
        let bonus = bonus(&self.position, mv);
        let dirty = self.position.do_move(mv);
        self.evaluator.push(&dirty);
        let score = match self.position.repetition() {
            // The last check of a perpetual check loses, as a foul does.
            Some(Repetition::Win) => Score::mated_in(1),
            _ => -self.evaluator.evaluate(&self.position),
        };
        let pass_score = if self.position.in_check() { score } else { self.evaluate_pass() };
        self.position.undo_move(mv);
        self.evaluator.pop();
        Candidate { score, pass_score, bonus }
    }

    /// The evaluation if the opponent passes.
    fn evaluate_pass(&mut self) -> Score {
        self.position.do_null_move();
        self.evaluator.push_null();
        let pass_score = self.evaluator.evaluate(&self.position);
        self.position.undo_null_move();
        self.evaluator.pop();
        pass_score
    }
}

fn bonus(position: &Position, mv: Move) -> f64 {
    let capture = if position.is_capture(mv) { CAPTURE_BONUS } else { 0.0 };
    let check = if position.gives_check(mv) { CHECK_BONUS } else { 0.0 };
    capture + check + FORWARD_BONUS * f64::from(ranks_forward(position, mv).max(0))
}

/// The ranks that a piece other than the king moves towards the opponent; 0 for a drop.
fn ranks_forward(position: &Position, mv: Move) -> i32 {
    if mv.is_drop() || position.moved_kind_before(mv) == PieceKind::King {
        return 0;
    }
    let us = position.side_to_move();
    i32::from(mv.from().relative_rank(us)) - i32::from(mv.to().relative_rank(us))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(sfen: &str, choice: StaticChoice) -> Vec<String> {
        choices_in(&Position::from_sfen(sfen).unwrap(), choice)
    }

    fn choices_in(position: &Position, choice: StaticChoice) -> Vec<String> {
        let moves: Vec<Move> = position.useful_moves().moves().collect();
        let mut random = Random::new(7);
        let mut choose = |_| choice.choose(position, &Network::built_in(), &moves, &mut random);
        (0..200).map(|i| choose(i).unwrap().0.to_string()).collect()
    }

    /// The parameters of a weak level.
    const WEAK: StaticChoice = StaticChoice { reply_weight: 0.2, temperature: 300.0 };

    #[test]
    fn the_same_seed_gives_the_same_moves_and_moves_vary() {
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let moves = choices(start, WEAK);
        assert_eq!(moves, choices(start, WEAK));
        assert!(moves.iter().any(|mv| *mv != moves[0]));
    }

    #[test]
    fn not_even_the_weakest_level_gives_a_rook_or_a_bishop_for_nothing() {
        let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL b - 5";
        let moves = choices(sfen, WEAK);
        // The knight and the bishop can capture on 3c, and nothing can on 5e but the bishop.
        assert!(!moves.iter().any(|mv| mv.starts_with("8h3c")));
        assert!(moves.iter().any(|mv| mv.starts_with("8h")), "the test needs another position");
    }

    #[test]
    fn a_threat_to_another_piece_is_overlooked_at_times_and_less_by_a_better_level() {
        for (sfen, attacked) in [
            // A pawn attacks the rook on 2e.
            ("lnsgkgsnl/1r5b1/ppppppp1p/7p1/7R1/9/PPPPPPPPP/1B7/LNSGKGSNL b - 1", "2e"),
            // A pawn attacks the gold on 5e.
            ("lnsgkgsnl/1r5b1/pppp1pppp/4p4/4G4/9/PPPPPPPPP/1B5R1/LNS1KGSNL b - 1", "5e"),
        ] {
            let hangs = |choice| {
                choices(sfen, choice).iter().filter(|mv| !mv.starts_with(attacked)).count()
            };
            let (weak, strong) =
                (hangs(WEAK), hangs(StaticChoice { reply_weight: 1.0, temperature: 40.0 }));
            assert!(weak > strong + 50, "{weak} {strong}");
        }
    }

    /// Regression: a move without a search could be the check that loses by perpetual check.
    #[test]
    fn a_check_that_loses_by_perpetual_check_is_not_played_without_a_search() {
        let mut position = Position::from_sfen("7k1/9/9/9/9/9/9/4K4/R8 b - 1").unwrap();
        let moves = "9i2i 2a1a 2i1i 1a2a 1i2i 2a1a 2i1i 1a2a 1i2i 2a1a 2i1i 1a2a";
        for mv in moves.split(' ') {
            position.try_play(mv.parse().unwrap()).unwrap();
        }
        let nearly_random = StaticChoice { reply_weight: 0.2, temperature: 3000.0 };
        assert!(!choices_in(&position, nearly_random).iter().any(|mv| mv == "1i2i"));
    }

    #[test]
    fn captures_checks_and_forward_moves_get_a_bonus() {
        let position = Position::from_sfen("4k4/9/9/4p4/9/4R4/9/9/4K4 b P 1").unwrap();
        let bonus = |mv: &str| bonus(&position, mv.parse().unwrap());
        assert!(bonus("5f5d") > bonus("5f5e") && bonus("5f5e") > bonus("5f5g"));
        assert_eq!(bonus("5i5h"), 0.0);
        assert_eq!(bonus("P*4b"), 0.0);
    }
}
