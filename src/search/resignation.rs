//! Whether to resign after a search.

use super::handicap::handicap_pieces;
use super::request::Request;
use super::search_context::SearchContext;
use super::strength::StrengthLevel;
use crate::position::{Position, see_value};
use crate::types::{Color, Score};

/// Whether to resign with `score` for the move to play. `search_score` is the score of the search, if there is one,
/// before a level or a proof has changed it; `previous_average` is the average score of the previous search.
pub(super) fn should_resign(
    context: &SearchContext,
    search_score: Option<Score>,
    score: Score,
    previous_average: Option<Score>,
) -> bool {
    // Not in analysis, and not by a static evaluation.
    let Request { limits, options, position, .. } = &context.request;
    let is_analysis = context.request.is_analysis() || !limits.search_moves.is_empty();
    let Some(search_score) = search_score.filter(|_| !is_analysis) else { return false };
    // A level may play a worse move than the best that it knows.
    let best_score = search_score.max(score);
    let level = options.strength.map(StrengthLevel::new);
    let by_level = |value| level.map_or(Some(value), |level| level.resigns_at(value));
    let value = options.resign_value.and_then(by_level);
    value.is_some_and(|value| {
        is_hopeless(
            value.saturating_add(handicap_centipawns(position)),
            previous_average,
            best_score,
        )
    })
}

/// Whether the side is `value` centipawns behind. One short search may be wrong, so the previous one
/// must agree, unless it is a mate.
fn is_hopeless(value: i32, previous_average: Option<Score>, now: Score) -> bool {
    let is_behind = |score: Score| score.centipawns() <= -value;
    is_behind(now) && (now.is_loss() || previous_average.is_some_and(is_behind))
}

/// A network puts the giver of a handicap further behind than the exchange values of the pieces: two pieces
/// count as some 2,300 centipawns, not 2,050.
const HANDICAP_PERCENT: i32 = 125;

/// The handicap that the side to move gives, in centipawns: White plays without the missing pieces. The game began with
/// that deficit, so it is no reason to resign.
fn handicap_centipawns(position: &Position) -> i32 {
    if position.side_to_move() == Color::Black {
        return 0;
    }
    let given = handicap_pieces(position);
    let worth: i32 = given.iter().map(|(kind, count)| see_value(kind) * count as i32).sum();
    Score(worth * HANDICAP_PERCENT / 100).centipawns()
}

#[cfg(test)]
mod tests {
    use super::super::request::{Limits, SearchOptions};
    use super::super::testing::{START, context, request};
    use super::*;
    use crate::types::PieceKind;

    #[test]
    fn a_level_does_not_resign_because_of_a_bad_move_that_it_chose_at_random() {
        let resigns = |strength, search_score, score| {
            let options =
                SearchOptions { resign_value: Some(300), strength, ..SearchOptions::for_tests() };
            let context = context(request(START, Limits::default(), options));
            should_resign(&context, Some(Score(search_score)), Score(score), Some(Score(-2000)))
        };
        assert!(!resigns(Some(-9), 0, -2000), "the level knows a better move");
        let lost = [None, Some(1), Some(-9), Some(-10)];
        assert_eq!(lost.map(|level| resigns(level, -2000, -2000)), [true, true, true, false]);
        // A kyu resigns late.
        assert_eq!(lost.map(|level| resigns(level, -400, -400)), [true, true, false, false]);
    }

    #[test]
    fn the_handicap_is_whites_missing_material_and_captures_do_not_change_it() {
        let given = |sfen| handicap_centipawns(&Position::from_sfen(sfen).unwrap());
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        assert_eq!(given(start), 0);
        let two = (see_value(PieceKind::Rook) + see_value(PieceKind::Bishop)) * 125 / 90;
        assert!(two > 2400, "the network's score of that position is -2,260 to -2,370");
        assert_eq!(given("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"), two);
        assert_eq!(given("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"), 0);
        // A silver is in hand, and the rook is promoted.
        assert_eq!(given("lnsgkg1nl/3+R5/pppppp1pp/9/9/9/PPPPPPPPP/1B7/LNSGKGSNL w Sp 1"), two);
        // Regression: in a position of few pieces White never resigned, because all others counted as given.
        assert_eq!(given("7nl/7k1/9/6R2/9/9/9/9/9 w G 1"), 0);
    }
}
