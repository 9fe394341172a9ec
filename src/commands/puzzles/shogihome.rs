//! The problem file of ShogiHome: JSON as `specs/next-move-problem-format.md` of ShogiHome defines it, version
//! 1. A problem there has one move to find; the further moves of our puzzles are in the line of the answer.

use kawasemi::analysis::{AnalysisScore, WinReason};
use kawasemi::engine;
use kawasemi::puzzles::{Alternative, CandidateLine, SAVED, UNIQUE_MARGIN};
use kawasemi::types::{Color, Move};
use serde_json::{Map, Value, json};

use super::searched_game::FoundPuzzle;

/// The name of the format, which begins the file.
pub const FORMAT: &str = "shogihome-next-move";
/// The centipawns of a win without a mate.
const DECIDED: i32 = 30_000;

pub fn json(puzzles: &[FoundPuzzle<'_>], nodes: u64) -> String {
    let percent = |share: f64| (share * 100.0).round();
    let all = json!({
        "format": FORMAT,
        "version": 1,
        "metadata": {
            "title": format!("{} ({nodes} nodes)", engine::NAME),
            "appVersion": env!("CARGO_PKG_VERSION"),
            "engine": { "name": engine::NAME, "multiPV": 2 },
            "criteria": {
                "adoptionWinRateDiff": percent(UNIQUE_MARGIN),
                "acceptableWinRateDiff": percent(UNIQUE_MARGIN),
                "minWinRate": percent(SAVED),
            },
        },
        "problems": puzzles.iter().map(problem).collect::<Vec<_>>(),
    });
    serde_json::to_string_pretty(&all).expect("plain values can be written as JSON") + "\n"
}

fn problem(FoundPuzzle { source, puzzle }: &FoundPuzzle<'_>) -> Value {
    let side = puzzle.position.side_to_move();
    let examined = &puzzle.steps[0].examination;
    let mut candidates =
        vec![candidate(&puzzle.line(), examined.best.depth, examined.best.score, side, true)];
    if let Some(Alternative { mv, score, line, .. }) = puzzle.steps[0].also_right() {
        candidates.push(candidate(&[&[*mv], &line[..]].concat(), 0, *score, side, true));
    }
    if let Some(CandidateLine { score, moves, depth }) = &examined.second {
        candidates.push(candidate(moves, *depth, *score, side, false));
    }
    let wrong = puzzle.steps[0].alternatives.iter().find(|it| it.mv == puzzle.played);
    let mut actual = Map::new();
    actual.insert("usi".into(), json!(puzzle.played.to_string()));
    if let Some(wrong) = wrong {
        actual.extend(score(wrong.score, side));
        actual.insert("scoreSource".into(), json!("research"));
    }
    let mut all = Map::new();
    all.insert("sfen".into(), json!(puzzle.position.to_sfen()));
    all.insert("candidates".into(), Value::Array(candidates));
    all.insert("actualMove".into(), Value::Object(actual));
    if let Some((before, mv)) = &puzzle.previous {
        let previous = json!({ "usi": mv.to_string(), "sfen": before.to_sfen() });
        all.insert("previousMove".into(), previous);
    }
    let mut origin = Map::new();
    origin.insert("path".into(), json!(source.file));
    origin.insert("ply".into(), json!(puzzle.ply));
    let facts = [
        ("blackPlayer", source.player(Color::Black)),
        ("whitePlayer", source.player(Color::White)),
        ("date", source.date()),
    ];
    for (key, value) in facts {
        origin.extend(value.map(|value| (key.to_owned(), json!(value))));
    }
    all.insert("source".into(), Value::Object(origin));
    Value::Object(all)
}

fn candidate(
    moves: &[Move],
    depth: i32,
    value: AnalysisScore,
    side: Color,
    accepted: bool,
) -> Value {
    let names: Vec<String> = moves.iter().map(Move::to_string).collect();
    let mut all = Map::new();
    all.insert("usi".into(), json!(names[0]));
    all.extend(score(value, side));
    if depth > 0 {
        all.insert("depth".into(), json!(depth));
    }
    all.insert("accepted".into(), json!(accepted));
    all.insert("pv".into(), json!(names));
    Value::Object(all)
}

/// `score` or `mate`, from Black's side.
fn score(score: AnalysisScore, side: Color) -> Option<(String, Value)> {
    let black = if side == Color::Black { score } else { score.negated() };
    Some(match black {
        AnalysisScore::Centipawns(value) => ("score".into(), json!(value)),
        AnalysisScore::Win(WinReason::Mate { plies, .. }) => ("mate".into(), json!(plies)),
        AnalysisScore::Loss(WinReason::Mate { plies, .. }) => {
            ("mate".into(), json!(-i64::from(plies)))
        }
        AnalysisScore::Win(_) => ("score".into(), json!(DECIDED)),
        AnalysisScore::Loss(_) => ("score".into(), json!(-DECIDED)),
    })
}
