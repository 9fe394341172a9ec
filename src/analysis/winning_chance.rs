//! From what a position is worth to how likely it is won.

use super::analysis_score::AnalysisScore;

/// Centipawns at which the side ahead wins about three games in four.
///
/// Of all logistic curves this one makes the results of games that the engine played against itself
/// the likeliest, given the score before each move (`selfplay stats`, there in units of 90 to a pawn).
/// For the built-in net (generation 20) 24,783 games with 600 to 1,000 nodes a move (1.94 million
/// scores) give 941, and 58,789 games with 1,200 to 2,000 nodes 802: deeper searches make more of an
/// advantage. Those of an analysis are deeper still, so it is the lower one. 141,378 games of the first
/// kind by another try of the net give 932. Each new net has to be fitted anew. Most shogi programs
/// have used 600 since Ponanza, which was found for evaluations of other scales.
const SLOPE: f64 = 800.0;

/// The share of the points that the side to move makes of such a position, from 0 to 1, in games of
/// engines. (People make more of bad positions and less of good ones.)
pub fn winning_chance(score: AnalysisScore) -> f64 {
    match score {
        AnalysisScore::Centipawns(value) => 1.0 / (1.0 + (-f64::from(value) / SLOPE).exp()),
        AnalysisScore::Win(_) => 1.0,
        AnalysisScore::Loss(_) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::WinReason;

    #[test]
    fn chances_of_both_sides_make_one_and_an_end_is_certain() {
        for value in [0, 1, 300, 30_000] {
            let sum = winning_chance(AnalysisScore::Centipawns(value))
                + winning_chance(AnalysisScore::Centipawns(-value));
            assert!((sum - 1.0).abs() < 1e-12, "{value}");
        }
        assert!((winning_chance(AnalysisScore::Centipawns(800)) - 0.731).abs() < 0.001);
        assert_eq!(winning_chance(AnalysisScore::Win(WinReason::Declaration)), 1.0);
        assert_eq!(winning_chance(AnalysisScore::Loss(WinReason::PerpetualCheck)), 0.0);
    }
}
