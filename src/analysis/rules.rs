//! Results by the rules, without a search.

use super::analysis_score::{AnalysisScore, BoundedScore, WinReason};
use super::position_analysis::Variation;
use crate::position::{EnteringKingRule, Position, Repetition};
use crate::search::request::PvEnding;
use crate::types::Move;

/// The result of a position if the game is over there.
pub(super) fn decided_by_rules(position: &Position, rule: EnteringKingRule) -> Option<Variation> {
    let (score, ending) = if !position.has_legal_move() {
        let mate = WinReason::Mate { plies: 0, is_shortest: true };
        (AnalysisScore::Loss(mate), Some(PvEnding::Mated))
    } else if rule == EnteringKingRule::Try && position.has_won_by_try() {
        (AnalysisScore::Loss(WinReason::Declaration), None)
    } else {
        match position.repetition()? {
            Repetition::Win => {
                (AnalysisScore::Win(WinReason::PerpetualCheck), Some(PvEnding::RepetitionWin))
            }
            Repetition::Loss => {
                (AnalysisScore::Loss(WinReason::PerpetualCheck), Some(PvEnding::RepetitionLoss))
            }
            Repetition::Draw => (AnalysisScore::Centipawns(0), Some(PvEnding::RepetitionDraw)),
            // Not rules of the game.
            Repetition::Superior | Repetition::Inferior => return None,
        }
    };
    let estimate = BoundedScore::exact(score);
    Some(Variation { estimate, ending, ..Variation::default() })
}

/// Whether the side to move at the start of a line of `moves` moves wins by its ending; `None` if the
/// ending decides nothing.
pub(super) fn wins(moves: usize, ending: PvEnding) -> Option<bool> {
    let is_ours = moves.is_multiple_of(2);
    match ending {
        PvEnding::Declaration | PvEnding::RepetitionWin => Some(is_ours),
        PvEnding::Mated | PvEnding::RepetitionLoss => Some(!is_ours),
        PvEnding::RepetitionDraw | PvEnding::Superior | PvEnding::Inferior => None,
    }
}

/// The position after a line; `None` if a move is illegal.
pub(super) fn position_after(position: &Position, line: &[Move]) -> Option<Position> {
    let mut position = position.clone();
    let played = line.iter().all(|&mv| position.try_play(mv).is_ok());
    played.then_some(position)
}

/// Whether the last move of a line wins by the try rule, for the side of its first move if `wins`, else
/// for the other side.
pub(super) fn ends_with_try(
    position: &Position,
    line: &[Move],
    rule: EnteringKingRule,
    wins: bool,
) -> bool {
    let is_ours = !line.len().is_multiple_of(2);
    rule == EnteringKingRule::Try
        && is_ours == wins
        && position_after(position, line).is_some_and(|end| end.has_won_by_try())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(sfen: &str, moves: &str) -> Position {
        let line: Vec<Move> = moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
        position_after(&Position::from_sfen(sfen).unwrap(), &line).unwrap()
    }

    #[test]
    fn mates_and_repetitions_are_known_without_a_search() {
        let score = |position: &Position| {
            decided_by_rules(position, EnteringKingRule::Csa27).map(|found| found.estimate.score)
        };
        let mated = after("4k4/9/4G4/9/9/9/9/9/4K4 b G 1", "G*5b");
        assert_eq!(
            score(&mated),
            Some(AnalysisScore::Loss(WinReason::Mate { plies: 0, is_shortest: true }))
        );
        let shuffle = "5i4i 5a4a 4i5i 4a5a ";
        let start = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
        assert_eq!(score(&after(start, &shuffle.repeat(2))), None);
        assert_eq!(score(&after(start, &shuffle.repeat(3))), Some(AnalysisScore::Centipawns(0)));
        // Black checks with every move.
        let start = "4k4/9/9/9/9/9/9/5R3/K8 b - 1";
        let checks = "4h5h 5a4a 5h4h 4a5a ";
        let won = score(&after(start, &checks.repeat(3)));
        assert_eq!(won, Some(AnalysisScore::Loss(WinReason::PerpetualCheck)));
    }

    #[test]
    fn a_try_ends_the_game_where_that_is_the_rule() {
        let start = "9/4K4/9/9/9/9/9/4k4/9 b - 1";
        let score = |moves: &str, rule| {
            decided_by_rules(&after(start, moves), rule).map(|found| found.estimate.score)
        };
        let lost = Some(AnalysisScore::Loss(WinReason::Declaration));
        assert_eq!(score("5b5a", EnteringKingRule::Try), lost);
        assert_eq!(score("5b5a", EnteringKingRule::Csa27), None);
        assert_eq!(score("5b4a", EnteringKingRule::Try), None);
        let ends = |moves: &str, rule, wins| {
            let line: Vec<Move> = moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
            ends_with_try(&Position::from_sfen(start).unwrap(), &line, rule, wins)
        };
        assert!(ends("5b5a", EnteringKingRule::Try, true));
        assert!(!ends("5b5a", EnteringKingRule::Try, false));
        assert!(ends("5b6b 5h5i", EnteringKingRule::Try, false));
        assert!(!ends("5b5a", EnteringKingRule::None, true));
    }

    #[test]
    fn the_end_of_a_line_tells_who_wins() {
        assert_eq!(wins(1, PvEnding::Mated), Some(true));
        assert_eq!(wins(2, PvEnding::Mated), Some(false));
        assert_eq!(wins(0, PvEnding::Declaration), Some(true));
        assert_eq!(wins(3, PvEnding::RepetitionWin), Some(false));
        assert_eq!(wins(3, PvEnding::RepetitionLoss), Some(true));
        assert_eq!(wins(3, PvEnding::Superior), None);
    }
}
