//! Every text is read or refused with a reason, in time and memory bounded by its length.

use std::fmt::Write;
use std::time::{Duration, Instant};

use kawasemi::position::Setup;
use kawasemi::record::{
    ConversionLoss, Encoding, ErrorPolicy, GameCursor, HeaderKey, RecordFormat, read, read_bytes,
    write, write_bytes,
};
use proptest::prelude::*;

use super::generate::{Features, game};

/// Reads bytes in every way, and writes the result in every notation.
fn digest(bytes: &[u8]) {
    let (text, _) = kawasemi::record::decode(bytes);
    for policy in [ErrorPolicy::Refuse, ErrorPolicy::KeepPartial] {
        let _ = read_bytes(bytes, None, policy).map_err(|error| error.to_string());
        for format in RecordFormat::ALL {
            match read(&text, format, policy) {
                Ok(parsed) => {
                    parsed.warnings.iter().for_each(|warning| drop(warning.to_string()));
                    for target in RecordFormat::ALL {
                        let (bytes, _) = write_bytes(&parsed.games, target, Encoding::ShiftJis);
                        let again = read_bytes(&bytes, Some(target), ErrorPolicy::KeepPartial);
                        assert!(again.is_ok() || parsed.games.is_empty(), "{again:?}");
                    }
                }
                Err(error) => assert!(error.line > 0 && error.to_string().len() < 600),
            }
        }
    }
}

/// Bytes that occur in records, for random texts.
const SCRAPS: [&str; 24] = [
    "\n",
    "\r",
    " ",
    "　",
    "変化：2手",
    "同",
    "成",
    "(",
    ")",
    "+",
    "-",
    "%",
    "'",
    ",",
    "/",
    "*",
    "#",
    "00AL",
    "T",
    "9",
    "：",
    "{\"moves\":[",
    "}",
    "手合割：その他\n|",
];

proptest! {
    #![proptest_config(super::cases(64))]

    #[test]
    fn arbitrary_bytes_cause_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        digest(&bytes);
    }

    #[test]
    fn arbitrary_fragments_of_records_cause_no_panic(scraps in prop::collection::vec(0..SCRAPS.len(), 0..60)) {
        let text: String = scraps.into_iter().map(|at| SCRAPS[at]).collect();
        digest(text.as_bytes());
    }
}

proptest! {
    #![proptest_config(super::cases(24))]

    #[test]
    fn damaged_records_cause_no_panic(
        game in game(Features::EVERYTHING),
        format in 0..RecordFormat::ALL.len(),
        encoding in 0..Encoding::ALL.len(),
        wounds in prop::collection::vec((any::<u16>(), any::<u8>(), any::<u8>()), 1..6),
    ) {
        let (mut bytes, _) = write_bytes(&[game], RecordFormat::ALL[format], Encoding::ALL[encoding]);
        for (place, kind, value) in wounds {
            let place = usize::from(place) % (bytes.len() + 1);
            let end = (place + usize::from(value)).min(bytes.len());
            match kind % 5 {
                0 => drop(bytes.drain(place..end)),
                1 => bytes.insert(place, value),
                2 => bytes.iter_mut().skip(place).take(1).for_each(|byte| *byte = value),
                3 => {
                    let copy = bytes[place..end].to_vec();
                    bytes.extend(copy);
                }
                _ => {
                    let scrap = SCRAPS[usize::from(value) % SCRAPS.len()].bytes();
                    drop(bytes.splice(place..place, scrap).collect::<Vec<u8>>());
                }
            }
        }
        digest(&bytes);
    }
}

/// Both sides move a rook back and forth.
fn shuffle(moves: usize) -> impl Iterator<Item = &'static str> {
    ["2h3h", "8b7b", "3h2h", "7b8b"].into_iter().cycle().take(moves)
}

#[test]
fn the_length_of_a_line_of_moves_is_limited() {
    let mut text = String::from("startpos moves");
    shuffle(100_001).for_each(|mv| {
        let _ = write!(text, " {mv}");
    });
    let error = read(&text, RecordFormat::Usi, ErrorPolicy::Refuse).unwrap_err();
    assert_eq!(error.to_string(), "line 1: move 100001, `2h3h`: a line has at most 100000 moves");
    let parsed = read(&text, RecordFormat::Usi, ErrorPolicy::KeepPartial).unwrap();
    assert_eq!(parsed.games[0].main_moves().count(), 100_000);
}

/// A KIF file with a branch at every move of its main line.
fn comb(depth: usize) -> String {
    let kif = ["３八飛(28)", "７二飛(82)", "２八飛(38)", "８二飛(72)"];
    let other = ["４八飛(28)", "６二飛(82)", "４八飛(38)", "６二飛(72)"];
    let mut text = String::from("手合割：平手\n");
    for (at, mv) in kif.iter().cycle().take(depth).enumerate() {
        let _ = writeln!(text, "{} {mv}", at + 1);
    }
    for at in (1..depth).rev() {
        let _ = writeln!(text, "変化：{at}手\n{at} {}", other[(at - 1) % 4]);
    }
    text
}

#[test]
fn sibling_branches_keep_their_order() {
    let mut text = String::from("手合割：平手\n   1 ２六歩(27)\n   2 ８四歩(83)\n");
    let first_moves = ["３四歩(33)", "４四歩(43)", "５四歩(53)", "６四歩(63)", "７四歩(73)"];
    first_moves.iter().for_each(|mv| {
        let _ = writeln!(text, "変化：2手\n2 {mv}");
    });
    let parsed = read(&text, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap();
    assert_eq!(parsed.games[0].nodes().count(), 3 + first_moves.len());
    let (jkf, losses) = write(&parsed.games, RecordFormat::Jkf, Encoding::Utf8);
    assert!(losses.is_empty());
    let back = read(&jkf, RecordFormat::Jkf, ErrorPolicy::Refuse).unwrap();
    assert_eq!(super::generate::flat(&back.games[0]), super::generate::flat(&parsed.games[0]));
}

#[test]
fn a_branch_at_every_move_is_read() {
    let text = comb(3000);
    let parsed = read(&text, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap();
    assert_eq!(parsed.games[0].nodes().count(), 1 + 3000 + 2999);
    let (kif, losses) = write(&parsed.games, RecordFormat::Kif, Encoding::Utf8);
    assert!(losses.is_empty());
    assert_eq!(kif.matches("変化").count(), 2999);
}

/// A game in which each branch leaves the one before it, so that they are nested.
fn stairs(levels: usize) -> String {
    let mut text = String::from("手合割：平手\n");
    for level in 0..levels {
        let at = |nth: usize| level * 4 + nth;
        let _ = writeln!(text, "{} ３八飛(28)\n変化：{}手", at(1), at(1));
        let _ = writeln!(text, "{} ４八飛(28)\n{} ７二飛(82)", at(1), at(2));
        let _ = writeln!(text, "{} ２八飛(48)\n{} ８二飛(72)", at(3), at(4));
    }
    text
}

#[test]
fn branches_that_nest_too_deeply_for_json_are_counted() {
    let parsed = read(&stairs(100), RecordFormat::Kif, ErrorPolicy::Refuse).unwrap();
    let nodes = parsed.games[0].nodes().count();
    let (jkf, losses) = write(&parsed.games, RecordFormat::Jkf, Encoding::Utf8);
    let back = read(&jkf, RecordFormat::Jkf, ErrorPolicy::Refuse).unwrap();
    let lost = losses.count(ConversionLoss::DeepBranches);
    assert!(lost > 0);
    assert_eq!(back.games[0].nodes().count() + lost, nodes);
    let (kif, losses) = write(&parsed.games, RecordFormat::Kif, Encoding::Utf8);
    assert!(losses.is_empty());
    let back = read(&kif, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap();
    assert_eq!(back.games[0].nodes().count(), nodes);
}

#[test]
fn deep_json_is_refused() {
    let open = "{\"moves\":[{\"forks\":[[".to_string() + &"{\"forks\":[[".repeat(100_000);
    for text in [open, "[".repeat(1 << 20), "{\"moves\":".repeat(1 << 16)] {
        assert!(read(&text, RecordFormat::Jkf, ErrorPolicy::KeepPartial).is_err());
    }
}

#[test]
fn the_moves_replayed_between_branches_are_limited() {
    let mut text = String::from("手合割：平手\n");
    let kif = ["３八飛(28)", "７二飛(82)", "２八飛(38)", "８二飛(72)"];
    for (at, mv) in kif.iter().cycle().take(20_000).enumerate() {
        let _ = writeln!(text, "{} {mv}", at + 1);
    }
    for _ in 0..60 {
        text.push_str("変化：1手\n1 ４八飛(28)\n変化：20000手\n20000 ３四歩(33)\n");
    }
    let error = read(&text, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap_err();
    assert!(error.to_string().contains("`変化：20000手`"), "{error}");
}

/// Regression: for each of these headers all others were searched, so that a file of 4 MB took minutes.
#[test]
fn the_time_to_write_very_many_headers_is_bounded_by_their_number() {
    for (key, value) in [(HeaderKey::Title, "a"), (HeaderKey::Date, "2026/01/02")] {
        let mut cursor = GameCursor::new(Setup::startpos()).unwrap();
        (0..200_000).for_each(|_| cursor.headers_mut().add(key.clone(), value));
        let games = [cursor.into_game()];
        let start = Instant::now();
        let (csa, losses) = write(&games, RecordFormat::Csa, Encoding::Utf8);
        assert!(start.elapsed() < Duration::from_secs(20), "{key:?}");
        assert!(losses.is_empty());
        assert_eq!(csa.matches('$').count(), 200_000);
    }
}
