//! Reading `info` lines: depth, nodes, score and PV of a search.
//!
//! Lenient: a line that cannot be read must not end a game. But the scores and moves count: for the end of
//! hopeless games in matches, and for the votes and fallback moves of a cluster.

use std::fmt;

use crate::types::{Bound, Color, Move};

/// A score as an engine prints it, from its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineScore {
    Centipawns(i64),
    /// Plies to the mate, if the engine says how many.
    Mates(Option<u64>),
    Mated(Option<u64>),
}

/// The score of a mate at the root. Every mate is beyond the largest evaluation.
const MATE_CENTIPAWNS: i64 = 100_000;
const MAX_EVALUATION: i64 = 90_000;

impl EngineScore {
    /// The score as one number: evaluations are at most 90,000, mates are beyond, and shorter mates further
    /// out.
    pub fn centipawns(self) -> i64 {
        let distance = |plies: Option<u64>| MATE_CENTIPAWNS - plies.unwrap_or(0).min(9_999) as i64;
        match self {
            EngineScore::Centipawns(value) => value.clamp(-MAX_EVALUATION, MAX_EVALUATION),
            EngineScore::Mates(plies) => distance(plies),
            EngineScore::Mated(plies) => -distance(plies),
        }
    }

    /// The score from Black's side, if `mover` is the side of the engine.
    pub fn for_black(self, mover: Color) -> EngineScore {
        match mover {
            Color::Black => self,
            Color::White => match self {
                EngineScore::Centipawns(value) => EngineScore::Centipawns(value.saturating_neg()),
                EngineScore::Mates(plies) => EngineScore::Mated(plies),
                EngineScore::Mated(plies) => EngineScore::Mates(plies),
            },
        }
    }
}

impl fmt::Display for EngineScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            EngineScore::Centipawns(value) => write!(f, "cp {value}"),
            EngineScore::Mates(Some(plies)) => write!(f, "mate {plies}"),
            EngineScore::Mates(None) => f.write_str("mate +"),
            EngineScore::Mated(Some(plies)) => write!(f, "mate -{plies}"),
            EngineScore::Mated(None) => f.write_str("mate -"),
        }
    }
}

/// The latest results of one search, for the best line only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchInfo {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub score: Option<EngineScore>,
    /// What the score is, a bound only if no exact score of its first move is known.
    pub bound: Bound,
    /// The words after `pv` of the line that gave the score.
    pub pv: String,
    /// The first move of the latest `pv`, with or without a score.
    pub best: Option<Move>,
    /// The first `info string error` line, in any case.
    pub error: Option<String>,
}

impl SearchInfo {
    /// Adds the contents of a line. Lines from `multipv 2` on count for the nodes only. Unknown words are
    /// skipped. Returns whether the score and PV are now those of the line.
    pub fn update(&mut self, line: &str) -> bool {
        if self.error.is_none() && is_error(line) {
            self.error = Some(line.trim().into());
        }
        let line = InfoLine::read(line);
        self.nodes = line.nodes.or(self.nodes);
        if line.multipv > 1 {
            return false;
        }
        self.depth = line.depth.or(self.depth);
        self.best = line.first_move().or(self.best);
        let is_taken = line.score.is_some() && !self.is_better_known_than(&line);
        if is_taken {
            self.score = line.score;
            self.bound = line.bound;
            self.pv.clear();
            self.pv.push_str(line.pv);
        }
        is_taken
    }

    /// Whether a line only bounds the score of a move whose exact score is known. A bound may be far from the
    /// score, and its PV is short.
    fn is_better_known_than(&self, line: &InfoLine<'_>) -> bool {
        self.bound == Bound::Exact
            && line.bound != Bound::Exact
            && line.first_move().is_none_or(|first| first_move(&self.pv) == Some(first))
    }
}

/// Whether a line is an `info string error`, in any case.
pub(super) fn is_error(line: &str) -> bool {
    let mut words = line.split_whitespace().skip_while(|&word| word == "info");
    let error = |word: &str| word.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("error"));
    words.next() == Some("string") && words.next().is_some_and(error)
}

/// The text of an `info string error` line in any case, without the words that Kawasemi writes before it.
pub fn error_text(line: &str) -> Option<&str> {
    let text = line.strip_prefix("info string ").unwrap_or(line);
    is_error(line).then(|| text.strip_prefix("error: ").unwrap_or(text))
}

/// The fields of one `info` line.
#[derive(Debug, Default)]
pub struct InfoLine<'a> {
    /// From 1.
    pub multipv: u32,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub score: Option<EngineScore>,
    /// `None` without a score.
    pub bound: Bound,
    /// The words after `pv`.
    pub pv: &'a str,
}

impl<'a> InfoLine<'a> {
    pub fn first_move(&self) -> Option<Move> {
        first_move(self.pv)
    }

    /// Reads a line, with or without the word `info`. Unknown words are skipped.
    pub fn read(line: &'a str) -> InfoLine<'a> {
        let mut info = InfoLine { multipv: 1, ..InfoLine::default() };
        let mut rest = line;
        while let Some((word, after)) = next_word(rest) {
            rest = after;
            match word {
                "string" => break,
                "pv" => {
                    info.pv = after.trim();
                    break;
                }
                "depth" => info.depth = take_number(&mut rest),
                "nodes" => info.nodes = take_number(&mut rest),
                "multipv" => info.multipv = take_number(&mut rest).unwrap_or(1),
                "score" => {
                    info.score = take_score(&mut rest);
                    info.bound = info.score.map_or(Bound::None, |_| Bound::Exact);
                }
                "lowerbound" if info.score.is_some() => info.bound = Bound::Lower,
                "upperbound" if info.score.is_some() => info.bound = Bound::Upper,
                _ => {}
            }
        }
        info
    }
}

/// The first word of a PV, if it is a move.
fn first_move(pv: &str) -> Option<Move> {
    pv.split_whitespace().next()?.parse().ok()
}

/// The first word and the rest.
fn next_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    if text.is_empty() {
        return None;
    }
    Some(text.split_at(text.find(char::is_whitespace).unwrap_or(text.len())))
}

/// Removes a leading number; any other word stays.
fn take_number<T: std::str::FromStr>(rest: &mut &str) -> Option<T> {
    let (word, after) = next_word(rest)?;
    let number = word.parse().ok()?;
    *rest = after;
    Some(number)
}

fn take_score(rest: &mut &str) -> Option<EngineScore> {
    let (kind, after) = next_word(rest)?;
    let (value, after) = next_word(after)?;
    *rest = after;
    match kind {
        "cp" => value.parse().ok().map(EngineScore::Centipawns),
        "mate" => Some(match value.strip_prefix('-') {
            Some(plies) => EngineScore::Mated(plies.parse().ok()),
            // No side mates in no move: the side to move is mated.
            None if value == "0" => EngineScore::Mated(Some(0)),
            None => EngineScore::Mates(value.trim_start_matches('+').parse().ok()),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(lines: &[&str]) -> SearchInfo {
        let mut info = SearchInfo::default();
        for line in lines {
            info.update(line);
        }
        info
    }

    #[test]
    fn an_info_line_with_all_fields_is_read() {
        let line = "info depth 12 seldepth 20 multipv 1 score cp -34 upperbound time 99 \
                    nodes 123456 nps 1000000 hashfull 3 pv 7g7f 3c3d";
        let expected = SearchInfo {
            depth: Some(12),
            nodes: Some(123_456),
            score: Some(EngineScore::Centipawns(-34)),
            bound: Bound::Upper,
            pv: "7g7f 3c3d".into(),
            best: "7g7f".parse().ok(),
            error: None,
        };
        assert_eq!(info(&[line]), expected);
    }

    /// Regression: games were resigned, and moves voted for, by bounds, and records had their short PVs.
    #[test]
    fn a_bound_replaces_no_exact_score_of_the_same_move() {
        let exact = "info depth 9 score cp 50 pv 7g7f 3c3d 2g2f";
        let after = |lines: &[&str]| {
            let found = info(&[&[exact][..], lines].concat());
            (found.score.map(EngineScore::centipawns), found.bound, found.pv)
        };
        let known = (Some(50), Bound::Exact, "7g7f 3c3d 2g2f".to_string());
        assert_eq!(after(&["info depth 10 score cp -900 upperbound pv 7g7f"]), known);
        assert_eq!(after(&["info depth 10 score cp 900 lowerbound nodes 5"]), known);
        assert_eq!(after(&["info depth 10 score cp 900 lowerbound pv (none)"]), known);
        let other = (Some(90), Bound::Lower, "2g2f".to_string());
        assert_eq!(after(&["info score cp 90 lowerbound pv 2g2f"]), other);
        let next = (Some(20), Bound::Upper, "7g7f".to_string());
        assert_eq!(
            after(&["info score cp 90 lowerbound pv 2g2f", "info score cp 20 upperbound pv 7g7f"]),
            next
        );
        let exact_again = (Some(-3), Bound::Exact, "7g7f 8c8d".to_string());
        assert_eq!(after(&["info score cp -3 pv 7g7f 8c8d"]), exact_again);
    }

    #[test]
    fn a_bound_without_a_score_says_nothing() {
        assert_eq!(InfoLine::read("info depth 3 lowerbound pv 7g7f").bound, Bound::None);
        assert_eq!(InfoLine::read("info score cp x upperbound").bound, Bound::None);
    }

    #[test]
    fn the_first_error_is_kept() {
        let lines = ["info string no error", "info string Error! no net", "info string error: two"];
        assert_eq!(info(&lines).error.as_deref(), Some("info string Error! no net"));
        assert_eq!(info(&["info depth 3 pv 7g7f string error"]).error, None);
    }

    #[test]
    fn the_words_before_an_error_are_left_out_if_they_are_the_usual_ones() {
        assert_eq!(error_text("info string error: no net"), Some("no net"));
        assert_eq!(error_text("info string Error! no net"), Some("Error! no net"));
        assert_eq!(error_text("info string no error: here"), None);
    }

    #[test]
    fn scores_of_other_lines_and_words_of_strings_do_not_count() {
        let lines = [
            "info depth 5 nodes 10 multipv 1 score cp 50 pv 7g7f",
            "info depth 5 nodes 20 multipv 2 score cp 20 pv 2g2f",
            "info string depth 99 score cp 9999",
            "info nodes 30 currmove 2g2f depth",
        ];
        let found = info(&lines);
        assert_eq!((found.depth, found.nodes), (Some(5), Some(30)));
        assert_eq!(found.score, Some(EngineScore::Centipawns(50)));
        assert_eq!(found.pv, "7g7f");
    }

    #[test]
    fn the_best_move_is_that_of_the_latest_variation_with_or_without_a_score() {
        let best =
            |line: &str| info(&["info score cp 5 pv 7g7f 3c3d", line]).best.unwrap().to_string();
        assert_eq!(best("info depth 9 pv 2g2f"), "2g2f");
        assert_eq!(best("info depth 9 score cp 7 lowerbound"), "7g7f");
        assert_eq!(best("info multipv 2 pv 2g2f"), "7g7f");
        assert_eq!(best("info pv (none)"), "7g7f");
    }

    #[test]
    fn mates_are_read_with_and_without_their_length_and_order_like_scores() {
        let score = |text: &str| info(&[&format!("info score {text} nodes 1")]).score.unwrap();
        assert_eq!(score("mate 5"), EngineScore::Mates(Some(5)));
        assert_eq!(score("mate +3"), EngineScore::Mates(Some(3)));
        assert_eq!(score("mate +"), EngineScore::Mates(None));
        assert_eq!(score("mate -4"), EngineScore::Mated(Some(4)));
        assert_eq!(score("mate -"), EngineScore::Mated(None));
        // Regression: an engine that was mated counted as the one that mates.
        assert_eq!(score("mate 0"), EngineScore::Mated(Some(0)));
        assert_eq!(score("mate -0"), EngineScore::Mated(Some(0)));
        let ascending = ["mate -2", "mate -8", "cp -3000", "cp 0", "cp 3000", "mate 9", "mate 1"];
        let values = ascending.map(|text| score(text).centipawns());
        assert!(values.is_sorted(), "{values:?}");
        for text in ["cp 5", "cp -5", "mate 7", "mate -7", "mate +", "mate -"] {
            assert_eq!(score(text).to_string(), text);
        }
    }

    #[test]
    fn a_score_of_white_is_turned_for_black_and_the_lowest_becomes_the_highest() {
        use EngineScore::{Centipawns, Mated, Mates};
        let turned = [
            (Centipawns(25), Centipawns(-25)),
            (Centipawns(i64::MIN), Centipawns(i64::MAX)),
            (Mates(Some(3)), Mated(Some(3))),
            (Mated(None), Mates(None)),
        ];
        for (score, for_black) in turned {
            assert_eq!(score.for_black(Color::White), for_black);
            assert_eq!(score.for_black(Color::Black), score);
        }
    }
}
