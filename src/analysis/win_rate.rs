//! Converts scores to win rates.

use super::analysis_score::AnalysisScore;

/// Centipawns at which the side ahead wins about three games in four between engines.
///
/// A maximum likelihood fit of a logistic curve to self-play results, given the score before each move
/// (`selfplay stats`, there in units of 90 a pawn). Deeper searches convert advantages more often, so the
/// value of the games with the most nodes is used. The constant has to be fitted for each new network;
/// `docs/analyze.md` has the figures. Most shogi programs use 600, from Ponanza, which was found for
/// evaluations of other scales.
const ENGINE_SCALE: f64 = 800.0;

/// The scale for games between people.
///
/// From the statistics that shogi-supplement published in 2026: 11,547 games of lishogi, 1.06 million moves,
/// each judged by a strong network at 400,000 nodes. Its centipawns are those of that network, for which
/// programs use 600, so for the built-in network the constant is an estimate.
const HUMAN_SCALE: f64 = 1254.0;

/// The expected score of the side to move, from 0 to 1, in games of engines. Losses and grades use it.
pub fn win_rate(score: AnalysisScore) -> f64 {
    logistic(score, ENGINE_SCALE)
}

/// The expected score in games of people, who win more games from bad positions and lose more from good ones.
pub fn human_win_rate(score: AnalysisScore) -> f64 {
    logistic(score, HUMAN_SCALE)
}

fn logistic(score: AnalysisScore, scale: f64) -> f64 {
    match score {
        AnalysisScore::Centipawns(value) => 1.0 / (1.0 + (-f64::from(value) / scale).exp()),
        AnalysisScore::Win(_) => 1.0,
        AnalysisScore::Loss(_) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::WinReason;

    #[test]
    fn the_chances_of_both_sides_add_up_to_one_and_a_decided_game_is_certain() {
        for value in [0, 1, 300, 30_000] {
            let sum = win_rate(AnalysisScore::Centipawns(value))
                + win_rate(AnalysisScore::Centipawns(-value));
            assert!((sum - 1.0).abs() < 1e-12, "{value}");
        }
        assert!((win_rate(AnalysisScore::Centipawns(800)) - 0.731).abs() < 0.001);
        // People win more games than engines when they are behind.
        let behind = AnalysisScore::Centipawns(-1254);
        assert!((human_win_rate(behind) - 0.269).abs() < 0.001);
        assert!(win_rate(behind) < 0.18);
        assert_eq!(human_win_rate(AnalysisScore::Win(WinReason::Declaration)), 1.0);
        assert_eq!(win_rate(AnalysisScore::Win(WinReason::Declaration)), 1.0);
        assert_eq!(win_rate(AnalysisScore::Loss(WinReason::PerpetualCheck)), 0.0);
    }
}
