//! Checks as JSON.

use kawasemi::position::Position;
use kawasemi::record::japanese_move;
use kawasemi::tsume::{CheckVerdict, MainLine, SecondSolution};
use kawasemi::types::Move;
use serde_json::{Value, json};

use super::check_words::{kind_name, length_name, recorded_name};
use super::checked_problem::CheckedProblem;

pub fn json(all: &[CheckedProblem<'_>]) -> Value {
    json!({ "problems": all.iter().map(problem).collect::<Vec<_>>() })
}

fn problem(checked: &CheckedProblem<'_>) -> Value {
    let report = &checked.report;
    let (verdict, plies) = match report.verdict {
        CheckVerdict::NoMate => ("no_mate", None),
        CheckVerdict::Undecided => ("undecided", None),
        CheckVerdict::Mate(plies) => ("mate", Some(plies)),
        CheckVerdict::MateWithin(plies) => ("mate_within", Some(plies)),
    };
    let positions = report.line.as_ref().map(|line| positions(&checked.position, &line.moves));
    let positions = positions.unwrap_or_default();
    let undecided = report
        .undecided
        .iter()
        .map(|&(ply, mv)| json!({ "ply": ply + 1, "move": spelled(&positions[ply], mv) }));
    json!({
        "file": checked.problem.file,
        "number": checked.problem.number,
        "title": checked.problem.info.title(),
        "sfen": checked.position.to_sfen(),
        "verdict": verdict,
        "plies": plies,
        "decided": report.is_decided(),
        "one_solution": report.is_unique(),
        "given_plies": checked.problem.given.plies(),
        "recorded": report.recorded.map(recorded_name),
        "contradicted": checked.is_wrong(),
        "line_decided": report.is_line_decided(),
        "line": report.line.as_ref().map(|line| main_line(line, &positions)),
        "second": report.second_solutions.iter().map(|one| second(one, &positions)).collect::<Vec<_>>(),
        "undecided": undecided.collect::<Vec<_>>(),
        "nodes": report.nodes,
        "ms": checked.elapsed.as_millis() as u64,
    })
}

fn main_line(line: &MainLine, positions: &[Position]) -> Value {
    let moves = line.moves.iter().zip(positions).map(|(&mv, position)| spelled(position, mv));
    let equal = line.equal_defences.iter().map(|one| {
        let mv = spelled(&positions[one.ply], one.mv);
        json!({ "ply": one.ply + 1, "move": mv, "left": one.pieces_left })
    });
    json!({
        "moves": moves.collect::<Vec<_>>(),
        "left": line.pieces_left,
        "equal_defences": equal.collect::<Vec<_>>(),
    })
}

fn second(one: &SecondSolution, positions: &[Position]) -> Value {
    let start = &positions[one.ply];
    let line: Vec<Move> = [&[one.mv], &one.line[..]].concat();
    let moves = line.iter().zip(self::positions(start, &line)).map(|(&mv, at)| spelled(&at, mv));
    json!({
        "ply": one.ply + 1,
        "move": spelled(start, one.mv),
        "kind": kind_name(one.kind),
        "length": length_name(one.length),
        "within": one.within,
        "line": moves.collect::<Vec<_>>(),
    })
}

fn spelled(position: &Position, mv: Move) -> Value {
    json!({ "usi": mv.to_string(), "ja": japanese_move(position, mv) })
}

/// The positions before the moves of a line.
fn positions(start: &Position, line: &[Move]) -> Vec<Position> {
    let mut position = start.clone();
    let before = line.iter().map(|&mv| {
        let before = position.clone();
        position.do_move(mv);
        before
    });
    before.collect()
}
