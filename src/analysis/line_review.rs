//! What the moves of a game gave away, and how well each side played.

use std::sync::Arc;

use super::analysis_score::{AnalysisScore, BoundedScore, WinReason};
use super::line_cursor::{Branch, LineCursor};
use super::position_analysis::{AnalysisResults, PositionAnalysis};
use super::winning_chance::winning_chance;
use crate::position::Position;
use crate::record::{GameRecord, NodeId};
use crate::types::{ByColor, Color, Move};

/// Knows which moves belong to the theory of openings.
pub trait OpeningBook {
    fn contains(&self, position: &Position, mv: Move) -> bool;
}

/// What a move gave away, compared with the best.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MoveLoss {
    /// `None` where the game was or is decided, so that there is no number.
    pub centipawns: Option<i32>,
    /// Of the winning chance, from 0 to 1.
    pub chance: f64,
}

/// How bad a bad move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    Dubious,
    Mistake,
    Blunder,
}

impl Grade {
    /// By what a move gave away of the winning chance: 2.5, 5 and 10 hundredths, which is about 0.8,
    /// 1.6 and 3.2 pawns where neither side is ahead.
    pub fn of(loss: f64) -> Option<Grade> {
        match loss {
            loss if loss >= 0.10 => Some(Grade::Blunder),
            loss if loss >= 0.05 => Some(Grade::Mistake),
            loss if loss >= 0.025 => Some(Grade::Dubious),
            _ => None,
        }
    }
}

/// A move of a game, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedMove {
    pub node: NodeId,
    pub mv: Move,
    pub side: Color,
    /// What was found of the position before it.
    pub before: Arc<PositionAnalysis>,
    /// And of the position after it.
    pub after: Arc<PositionAnalysis>,
    pub is_best: bool,
    pub is_book: bool,
    pub loss: MoveLoss,
}

impl ReviewedMove {
    pub fn grade(&self) -> Option<Grade> {
        Grade::of(self.loss.chance)
    }

    /// What the move is worth to its player.
    pub fn score(&self) -> BoundedScore {
        self.after.best().estimate.before_move()
    }

    /// Whether it lets the other side off a mate.
    pub fn misses_mate(&self) -> bool {
        let mates = |score| matches!(score, AnalysisScore::Win(WinReason::Mate { .. }));
        mates(self.before.best().estimate.score) && !mates(self.score().score)
    }
}

/// How a side played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideStats {
    /// Moves that are judged.
    pub moves: usize,
    /// Of these the best.
    pub best: usize,
    pub dubious: usize,
    pub mistakes: usize,
    pub blunders: usize,
    /// Moves whose loss is a number, and what they lost together.
    counted: usize,
    centipawns: i64,
    /// What all moves lost of the winning chance.
    chance: f64,
}

impl SideStats {
    fn add(&mut self, judged: &ReviewedMove) {
        self.moves += 1;
        self.best += usize::from(judged.is_best);
        match judged.grade() {
            Some(Grade::Dubious) => self.dubious += 1,
            Some(Grade::Mistake) => self.mistakes += 1,
            Some(Grade::Blunder) => self.blunders += 1,
            None => {}
        }
        if let Some(loss) = judged.loss.centipawns {
            self.counted += 1;
            self.centipawns += i64::from(loss);
        }
        self.chance += judged.loss.chance;
    }

    /// Mean loss in centipawns of the moves made while nothing was decided.
    pub fn mean_loss(&self) -> Option<f64> {
        (self.counted > 0).then(|| self.centipawns as f64 / self.counted as f64)
    }

    /// The share of the winning chance that a move kept in the mean, from 0 to 1.
    pub fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| 1.0 - self.chance / self.moves as f64)
    }
}

/// The moves of a line of a game, judged by what was found of its positions.
#[derive(Clone, Debug, PartialEq)]
pub struct LineReview {
    /// `None` for the main line.
    pub branch: Option<Branch>,
    /// All moves of the line from the start of the game on, with their nodes.
    pub line: Vec<(NodeId, Move)>,
    /// One for each move of the line, or of the branch alone; `None` where a position was not
    /// examined.
    pub moves: Vec<Option<ReviewedMove>>,
    /// What was found of the last position.
    pub end: Option<Arc<PositionAnalysis>>,
    pub tallies: ByColor<SideStats>,
}

impl LineReview {
    /// Of the main line.
    pub fn new(
        game: &GameRecord,
        results: &AnalysisResults,
        openings: Option<&dyn OpeningBook>,
    ) -> LineReview {
        LineReview::of_path(LineCursor::new(game), None, results, openings)
    }

    /// Of a branch.
    pub fn of_branch(
        game: &GameRecord,
        branch: Branch,
        results: &AnalysisResults,
        openings: Option<&dyn OpeningBook>,
    ) -> LineReview {
        LineReview::of_path(LineCursor::through(game, &branch), Some(branch), results, openings)
    }

    fn of_path(
        mut path: LineCursor,
        branch: Option<Branch>,
        results: &AnalysisResults,
        openings: Option<&dyn OpeningBook>,
    ) -> LineReview {
        let after = branch.map_or(0, |branch| branch.after);
        let end = results.get(path.key(path.made())).cloned();
        while path.made() > after && path.step_back() {}
        let mut moves = Vec::with_capacity(path.moves().len() - after);
        let mut tallies = ByColor::<SideStats>::default();
        while let Some(&(node, mv)) = path.moves().get(path.made()) {
            let judged = judge(&path, node, mv, results, openings);
            if let Some(judged) = &judged {
                tallies[judged.side].add(judged);
            }
            moves.push(judged);
            path.step_forward();
        }
        LineReview { branch, line: path.moves().to_vec(), moves, end, tallies }
    }

    /// How many moves of the line stand before those that are judged here.
    pub fn after(&self) -> usize {
        self.branch.map_or(0, |branch| branch.after)
    }

    /// Whether every position has been examined.
    pub fn is_complete(&self) -> bool {
        self.end.is_some() && self.moves.iter().all(Option::is_some)
    }
}

fn judge(
    path: &LineCursor,
    node: NodeId,
    mv: Move,
    results: &AnalysisResults,
    openings: Option<&dyn OpeningBook>,
) -> Option<ReviewedMove> {
    let made = path.made();
    let before = results.get(path.key(made))?.clone();
    let after = results.get(path.key(made + 1))?.clone();
    let position = path.position();
    let is_best = before.best_move() == Some(mv);
    let played = after.best().estimate.before_move().score;
    let loss = if is_best { MoveLoss::nothing(played) } else { MoveLoss::between(&before, played) };
    let is_book = openings.is_some_and(|openings| openings.contains(position, mv));
    Some(ReviewedMove {
        node,
        mv,
        side: position.side_to_move(),
        before,
        after,
        is_best,
        is_book,
        loss,
    })
}

impl MoveLoss {
    fn nothing(played: AnalysisScore) -> MoveLoss {
        MoveLoss { centipawns: (!played.is_decided()).then_some(0), chance: 0.0 }
    }

    fn between(before: &PositionAnalysis, played: AnalysisScore) -> MoveLoss {
        let best = before.best().estimate.score;
        let centipawns = match (best, played) {
            (AnalysisScore::Centipawns(best), AnalysisScore::Centipawns(played)) => {
                Some((best - played).max(0))
            }
            _ => None,
        };
        let chance = (winning_chance(best) - winning_chance(played)).max(0.0);
        MoveLoss { centipawns, chance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Variation;
    use std::time::Duration;

    fn position_analysis(score: AnalysisScore) -> PositionAnalysis {
        let variation = Variation { estimate: BoundedScore::exact(score), ..Variation::default() };
        PositionAnalysis { variations: vec![variation], nodes: 0, elapsed: Duration::ZERO }
    }

    fn loss(best: AnalysisScore, played: AnalysisScore) -> MoveLoss {
        MoveLoss::between(&position_analysis(best), played)
    }

    const MATE: WinReason = WinReason::Mate { plies: 5, is_shortest: true };

    #[test]
    fn losses_are_numbers_only_between_numbers_and_never_below_nothing() {
        let lost = loss(AnalysisScore::Centipawns(300), AnalysisScore::Centipawns(-300));
        assert_eq!(lost.centipawns, Some(600));
        assert!((lost.chance - 0.185).abs() < 0.001, "{lost:?}");
        let lost = loss(AnalysisScore::Centipawns(0), AnalysisScore::Centipawns(20));
        assert_eq!(lost, MoveLoss { centipawns: Some(0), chance: 0.0 });
        let lost = loss(AnalysisScore::Centipawns(0), AnalysisScore::Loss(MATE));
        assert_eq!(lost, MoveLoss { centipawns: None, chance: 0.5 });
        let lost = loss(AnalysisScore::Win(MATE), AnalysisScore::Win(WinReason::Unproven));
        assert_eq!(lost, MoveLoss { centipawns: None, chance: 0.0 });
    }

    #[test]
    fn from_an_even_position_grades_begin_at_about_0_8_and_1_6_and_3_2_pawns() {
        let grade = |lost: i32| {
            Grade::of(loss(AnalysisScore::Centipawns(0), AnalysisScore::Centipawns(-lost)).chance)
        };
        let grades = [75, 85, 155, 165, 320, 330].map(grade);
        let (dubious, mistake, blunder) =
            (Some(Grade::Dubious), Some(Grade::Mistake), Some(Grade::Blunder));
        assert_eq!(grades, [None, dubious, dubious, mistake, mistake, blunder]);
    }

    #[test]
    fn grades_begin_at_two_and_a_half_five_and_ten_hundredths() {
        let grades = [0.0, 0.024, 0.025, 0.05, 0.09, 0.1, 1.0].map(Grade::of);
        let (dubious, mistake, blunder) =
            (Some(Grade::Dubious), Some(Grade::Mistake), Some(Grade::Blunder));
        assert_eq!(grades, [None, None, dubious, mistake, mistake, blunder, blunder]);
    }
}
