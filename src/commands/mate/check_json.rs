//! Checks as JSON.

use kawasemi::position::{Position, sfen};
use kawasemi::record::SpelledMove;
use kawasemi::tsume::{CheckVerdict, MainLine, SecondSolution};
use kawasemi::types::{ByColor, Hand, Move};
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
    let line = report.line.as_ref();
    let moves = line.map_or(&[][..], |line| &line.moves[..]);
    let mut positions = LinePositions::new(&checked.position, moves);
    let undecided = report.undecided.iter().map(
        |&(ply, mv)| json!({ "ply": ply + 1, "move": SpelledMove::of(positions.at(ply), mv) }),
    );
    let undecided: Vec<Value> = undecided.collect();
    let second = report.second_solutions.iter().map(|one| second(one, positions.at(one.ply)));
    let second: Vec<Value> = second.collect();
    let missing = ByColor([checked.position.setup().missing_pieces(), Hand::EMPTY]);
    json!({
        "file": checked.problem.file,
        "number": checked.problem.number,
        "title": checked.problem.info.title(),
        "sfen": checked.position.to_sfen(),
        "missing": sfen::hands_field(missing),
        "verdict": verdict,
        "plies": plies,
        "decided": report.is_decided(),
        "one_solution": report.is_unique(),
        "given_plies": checked.problem.given.plies(),
        "recorded": report.recorded.map(recorded_name),
        "contradicted": checked.is_wrong(),
        "line_decided": report.is_line_decided(),
        "line": line.map(|line| main_line(line, &mut positions)),
        "second": second,
        "undecided": undecided,
        "nodes": report.nodes,
        "ms": checked.elapsed.as_millis() as u64,
    })
}

fn main_line(line: &MainLine, positions: &mut LinePositions<'_>) -> Value {
    let moves = SpelledMove::line(positions.at(0), line.moves.iter().copied());
    let equal_defences: Option<Vec<Value>> = line.equal_defences.as_ref().map(|equal| {
        let equal = equal.iter().map(|one| {
            let mv = SpelledMove::of(positions.at(one.ply), one.mv);
            json!({ "ply": one.ply + 1, "move": mv, "left": one.pieces_left })
        });
        equal.collect()
    });
    json!({ "moves": moves, "left": line.pieces_left, "equal_defences": equal_defences })
}

/// A second solution, from the position before it.
fn second(one: &SecondSolution, start: &Position) -> Value {
    let line = std::iter::once(one.mv).chain(one.line.iter().copied());
    json!({
        "ply": one.ply + 1,
        "move": SpelledMove::of(start, one.mv),
        "kind": kind_name(one.kind),
        "length": length_name(one.length),
        "within": one.within,
        "line": SpelledMove::line(start, line),
    })
}

/// The positions of a line, one at a time.
struct LinePositions<'a> {
    moves: &'a [Move],
    /// The moves that are played.
    ply: usize,
    position: Position,
}

impl<'a> LinePositions<'a> {
    fn new(start: &Position, moves: &'a [Move]) -> LinePositions<'a> {
        LinePositions { moves, ply: 0, position: start.clone() }
    }

    /// The position after this many moves of the line.
    fn at(&mut self, ply: usize) -> &Position {
        while self.ply > ply {
            self.ply -= 1;
            self.position.undo_move(self.moves[self.ply]);
        }
        for &mv in &self.moves[self.ply..ply] {
            self.position.do_move(mv);
        }
        self.ply = ply;
        &self.position
    }
}
