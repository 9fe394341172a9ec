//! Parses `bestmove` lines, which decide games: strictly, for matches that test engines, and
//! leniently, for games that must not be lost because of the form of an answer.

use std::fmt;

use crate::types::Move;

/// The content of a `bestmove` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestMove {
    /// `ponder` is `None` if there is none or it is not a move.
    Move {
        best: Move,
        ponder: Option<Move>,
    },
    Resign,
    DeclareWin,
}

/// The line is not `bestmove` with a move, `resign` or `win`, and perhaps `ponder` with another word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestMoveError;

impl fmt::Display for BestMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a valid bestmove line")
    }
}

impl std::error::Error for BestMoveError {}

/// Reads a `bestmove` line.
///
/// # Errors
/// [`BestMoveError`] for any other line.
pub fn parse_bestmove(line: &str) -> Result<BestMove, BestMoveError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (best, ponder) = match words[..] {
        ["bestmove", best] => (best, None),
        ["bestmove", best, "ponder", ponder] => (best, Some(ponder)),
        _ => return Err(BestMoveError),
    };
    match best {
        "resign" => Ok(BestMove::Resign),
        "win" => Ok(BestMove::DeclareWin),
        _ => Ok(BestMove::Move {
            best: best.parse().map_err(|_| BestMoveError)?,
            ponder: ponder.and_then(|ponder| ponder.parse().ok()),
        }),
    }
}

/// The possible readings of a `bestmove` line, in the order of its words up to `ponder`. The caller takes the
/// first legal one, because some engines append a second move without `ponder`, or `ponder` without a move.
pub fn possible_answers(line: &str) -> impl Iterator<Item = BestMove> {
    let mut words = line.split_whitespace();
    let is_answer = words.next() == Some("bestmove");
    let mut after_ponder = words.clone().skip_while(|&word| word != "ponder").skip(1);
    let ponder = after_ponder.next().and_then(|word| word.parse().ok());
    words.take_while(move |&word| is_answer && word != "ponder").filter_map(
        move |word| match word {
            "resign" => Some(BestMove::Resign),
            "win" => Some(BestMove::DeclareWin),
            _ => Some(BestMove::Move { best: word.parse().ok()?, ponder }),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        let mv = |text: &str| text.parse::<Move>().unwrap();
        let expected = BestMove::Move { best: mv("7g7f"), ponder: None };
        assert_eq!(parse_bestmove("bestmove 7g7f"), Ok(expected));
        let expected = BestMove::Move { best: mv("P*5e"), ponder: Some(mv("2b3c+")) };
        assert_eq!(parse_bestmove(" bestmove  P*5e ponder 2b3c+ "), Ok(expected));
        assert_eq!(parse_bestmove("bestmove resign"), Ok(BestMove::Resign));
        assert_eq!(parse_bestmove("bestmove win"), Ok(BestMove::DeclareWin));
    }

    #[test]
    fn an_invalid_ponder_move_is_no_error() {
        let expected = BestMove::Move { best: "7g7f".parse().unwrap(), ponder: None };
        assert_eq!(parse_bestmove("bestmove 7g7f ponder (null)"), Ok(expected));
    }

    #[test]
    fn every_word_before_ponder_is_a_possible_answer() {
        let read = |line: &str| possible_answers(line).collect::<Vec<_>>();
        let mv = |text: &str| text.parse::<Move>().unwrap();
        let answer = |best: &str, ponder: Option<&str>| BestMove::Move {
            best: mv(best),
            ponder: ponder.map(mv),
        };
        for (line, expected) in [
            ("bestmove 8c8d ponder 7g7f", vec![answer("8c8d", Some("7g7f"))]),
            ("bestmove 8c8d ponder", vec![answer("8c8d", None)]),
            ("bestmove 8d8e 6i7h", vec![answer("8d8e", None), answer("6i7h", None)]),
            ("bestmove move: 8d8e ponder (null)", vec![answer("8d8e", None)]),
            ("bestmove resign .", vec![BestMove::Resign]),
            ("bestmove win 8d8e", vec![BestMove::DeclareWin, answer("8d8e", None)]),
            ("bestmove pass", vec![]),
            ("bestmove 0000", vec![]),
            ("bestmove", vec![]),
            ("bestmove ponder 8c8d", vec![]),
            ("checkmate 8c8d", vec![]),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
    }

    #[test]
    fn lines_that_are_no_answer_are_refused() {
        let lines = [
            "",
            "bestmove",
            "bestmove 7g7",
            "bestmove 7g7f ponder",
            "bestmove none",
            "bestmove 7g7f 3c3d",
            "bestmove 7g7f ponder 3c3d 2g2f",
            "checkmate nomate",
        ];
        for line in lines {
            assert_eq!(parse_bestmove(line), Err(BestMoveError), "{line}");
        }
    }
}
