//! The scores of the previous searches of a game. The time manager uses them to detect a falling
//! score, and the answer to decide on resignation.

use crate::position::Position;
use crate::types::{Color, Score};

/// The results of one search that the next one uses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PreviousScores {
    /// The average score of the last search, with the side to move.
    last: Option<(Color, Score)>,
    /// The average score of a search that ended while pondering, with the key of its position.
    pondered: Option<(u64, Color, Score)>,
}

impl PreviousScores {
    /// Prepares for a search of `position`. A search that ended while pondering counts if the move
    /// it pondered on was played.
    pub(super) fn begin(&mut self, position: &Position) {
        if let Some((key, side, average)) = self.pondered.take()
            && position.key_before(2) == Some(key)
        {
            self.last = Some((side, average));
        }
    }

    /// Stores the average score of a finished search of `position`, if it has one.
    pub(super) fn store(&mut self, position: &Position, average: Option<Score>, ponders: bool) {
        let side = position.side_to_move();
        if ponders {
            // Whether the expected move is played is not known yet.
            self.pondered = average.map(|average| (position.key(), side, average));
        } else {
            self.last = average.map(|average| (side, average));
        }
    }

    /// The average score of the last search from the view of `side`. The last search may have been
    /// for the other side: stochastic pondering searches the opponent's position, and analysis moves
    /// either way.
    pub(super) fn previous_average(&self, side: Color) -> Option<Score> {
        self.last.map(|(color, score)| if color == side { score } else { -score })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_of_a_search_for_the_other_side_is_negated() {
        let last = Some((Color::White, Score(120)));
        let previous = PreviousScores { last, ..PreviousScores::default() };
        assert_eq!(previous.previous_average(Color::White), Some(Score(120)));
        assert_eq!(previous.previous_average(Color::Black), Some(Score(-120)));
        assert_eq!(PreviousScores::default().previous_average(Color::Black), None);
    }
}
