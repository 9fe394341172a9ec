//! The names of labelled positions, and the rows of the tables.

use super::castles::CASTLES;
use super::formation::FormationRow;
use super::openings::OPENINGS;
use super::pattern::Pattern;
use super::recognition::{castle, formations};
use super::{FormationEvent, FormationKind};
use crate::position::Position;
use crate::record::HANDICAPS;
use crate::types::{Color, Move};

const LABELLED: &str = include_str!("labelled.txt");

/// A line of the file: its kind, its names, its moves.
fn entries() -> impl Iterator<Item = (char, &'static str, Vec<Move>)> {
    LABELLED.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(|line| {
        let (label, moves) = line.split_once(" : ").expect(line);
        let kind = label.chars().next().expect(line);
        let moves = moves.split_whitespace().map(|mv| mv.parse().expect(line)).collect();
        (kind, label[kind.len_utf8()..].trim(), moves)
    })
}

/// The moves of one side, between which the other one moves a gold to and fro.
fn alone(side: Color, moves: &[Move]) -> Vec<Move> {
    let waiting = ["6a6b", "6b6a"].map(|mv| mv.parse::<Move>().unwrap());
    let turned = |mv: Move| if side == Color::Black { mv } else { mv.rotated() };
    let mut all = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        let wait = turned(waiting[index % 2]);
        if side == Color::Black {
            all.extend([turned(mv), wait]);
        } else {
            all.extend([wait, turned(mv)]);
        }
    }
    all
}

fn play(start: &Position, moves: &[Move]) -> Result<Position, String> {
    let mut position = start.clone();
    for &mv in moves {
        let board = position.to_sfen();
        position.try_play(mv).map_err(|error| format!("{mv} in {board}: {error}"))?;
    }
    Ok(position)
}

/// The openings that stand at the end: the last one of each side, and of both.
fn openings(events: &[FormationEvent]) -> String {
    let marks = [("▲", Some(Color::Black)), ("△", Some(Color::White)), ("◇", None)];
    let last = |&(mark, side): &(&str, Option<Color>)| {
        let mut of_side = events.iter().rev().filter(|event| event.side == side);
        let last = of_side.find(|event| event.formation.kind == FormationKind::Opening)?;
        Some(format!("{mark}{}", last.formation.name.ja))
    };
    let names: Vec<String> = marks.iter().filter_map(last).collect();
    if names.is_empty() { "-".into() } else { names.join(" ") }
}

/// An error where the label says something else.
fn check(kind: char, label: &str, moves: &[Move]) -> Result<(), String> {
    let start = Position::startpos();
    let castle_name =
        |position: &Position, side| castle(position, side).map_or("-", |it| it.name.ja);
    let found = match kind {
        '囲' => {
            let mut found = Vec::new();
            for side in Color::ALL {
                let end = play(&start, &alone(side, moves))?;
                found.push(castle_name(&end, side));
                assert_eq!(castle_name(&end, !side), "-", "{label}");
            }
            found.dedup();
            found.join(", ")
        }
        '組' => {
            let mut found = Vec::new();
            for side in Color::ALL {
                let moves = alone(side, moves);
                play(&start, &moves)?;
                let events = formations(&start, &moves);
                let is_castle =
                    |event: &&FormationEvent| event.formation.kind == FormationKind::Castle;
                let last = events.iter().rev().find(is_castle);
                found.push(last.map_or("-", |event| event.formation.name.ja));
            }
            found.dedup();
            found.join(", ")
        }
        '▲' | '△' => {
            let side = if kind == '▲' { Color::Black } else { Color::White };
            let moves = alone(side, moves);
            play(&start, &moves)?;
            openings(&formations(&start, &moves)).trim_start_matches(kind).to_owned()
        }
        '棋' => {
            play(&start, moves)?;
            openings(&formations(&start, moves))
        }
        '駒' => {
            let name = label.split(", ").next().expect(label);
            let handicap = HANDICAPS.iter().find(|handicap| handicap.name == name).expect(label);
            let start = Position::from_setup(&handicap.setup()).unwrap();
            play(&start, moves)?;
            let names = formations(&start, moves).into_iter().map(|event| event.formation.name.ja);
            [name].into_iter().chain(names).collect::<Vec<_>>().join(", ")
        }
        _ => panic!("{kind} is no kind of a line"),
    };
    if found == label { Ok(()) } else { Err(format!("{found} for {kind} {label}")) }
}

#[test]
fn two_hundred_labelled_positions_have_their_names() {
    let all: Vec<_> = entries().collect();
    assert!(all.len() >= 200, "{}", all.len());
    let wrong: Vec<String> =
        all.iter().filter_map(|(kind, label, moves)| check(*kind, label, moves).err()).collect();
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), all.len());
}

#[test]
fn every_name_is_in_the_labelled_positions() {
    let all: Vec<&str> = entries().map(|(_, label, _)| label).collect();
    let names = |label: &str| -> Vec<String> {
        label.split(' ').map(|name| name.trim_start_matches(['▲', '△', '◇']).into()).collect()
    };
    let known: Vec<String> = all.into_iter().flat_map(names).collect();
    for row in CASTLES.iter().chain(OPENINGS) {
        // A name may itself hold a mark.
        let name = row.formation.name.ja;
        assert!(known.iter().any(|known| known == name), "{name}");
    }
}

#[test]
fn there_are_forty_castles_and_forty_openings_and_every_row_is_a_pattern() {
    for (table, kind) in [(CASTLES, FormationKind::Castle), (OPENINGS, FormationKind::Opening)] {
        let mut names: Vec<&str> = table.iter().map(|row| row.formation.name.ja).collect();
        names.sort_unstable();
        names.dedup();
        assert!(names.len() >= 40, "{}", names.len());
        let is_right = |row: &FormationRow| {
            row.formation.kind == kind
                && row.formation.name.en.is_ascii()
                && Pattern::read(row.pattern).is_some()
        };
        assert_eq!(table.iter().find(|row| !is_right(row)).map(|row| row.formation.name.ja), None);
    }
}

#[test]
fn no_start_position_has_a_castle() {
    for handicap in HANDICAPS {
        let start = Position::from_setup(&handicap.setup()).unwrap();
        for side in Color::ALL {
            assert_eq!(castle(&start, side), None, "{}", handicap.name);
        }
    }
}

#[test]
fn a_special_opening_replaces_a_general_one_of_its_family_only() {
    let moves = |text: &str| -> Vec<Move> {
        text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
    };
    let names = |text: &str| -> Vec<&str> {
        let found = formations(&Position::startpos(), &moves(text));
        found.iter().map(|event| event.formation.name.ja).collect()
    };
    let tateishi = alone(Color::Black, &moves("7g7f 6g6f 2h6h 6f6e 6h6f 7f7e 6f7f 6i7h"));
    let tateishi: Vec<String> = tateishi.iter().map(ToString::to_string).collect();
    assert_eq!(names(&tateishi.join(" ")), ["四間飛車", "立石流四間飛車"]);
    // The rook that goes on to another file has had its name.
    assert_eq!(names("7g7f 3c3d 6g6f 8c8d 2h6h 8d8e 8h7g 7a6b 6h8h"), ["四間飛車"]);
}
