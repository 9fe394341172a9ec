//! Random games that contain everything that a record may contain.

use std::time::Duration;

use kawasemi::position::{Position, Setup};
use kawasemi::record::{
    Ending, Evaluation, EvaluationValue, GameCursor, GameRecord, GameStep, HeaderKey, NodeId,
    RecordFormat,
};
use kawasemi::types::{Color, Move};
use proptest::prelude::*;

/// What a game may contain apart from moves.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    pub branches: bool,
    pub times: bool,
    pub fractions: bool,
    pub comments: bool,
    /// Comments that begin like a bookmark of JKF.
    pub marked_comments: bool,
    pub remarks: bool,
    pub bookmarks: bool,
    pub plain_evaluations: bool,
    pub evaluations: bool,
    /// Nodes in evaluations that are plain otherwise.
    pub node_counts: bool,
    pub endings: &'static [Ending],
    pub foreign: bool,
    pub headers: &'static [HeaderKey],
    /// Headers with names of any kind.
    pub odd_names: bool,
    /// Line breaks in notes.
    pub long_notes: bool,
    /// Numbers of the first move other than 1.
    pub start_numbers: bool,
}

const COMMON: &[Ending] = &[
    Ending::Resign,
    Ending::Mate,
    Ending::NoMate,
    Ending::Declaration,
    Ending::Sennichite,
    Ending::Jishogi,
    Ending::TimeUp,
    Ending::IllegalMove,
    Ending::Interrupted,
];

/// Endings with words of their own.
#[rustfmt::skip]
fn foreign(number: usize) -> Ending {
    Ending::Other(["封じ手", "FOREIGN", "two words", "７六歩(77)", "plus+", ""][number % 6].into())
}

const ALL: &[Ending] = &[
    Ending::Resign,
    Ending::Draw,
    Ending::MaxMoves,
    Ending::IllegalAction(Color::Black),
    Ending::IllegalAction(Color::White),
    Ending::WinByDefault,
    Ending::LossByDefault,
    Ending::Matta,
    Ending::Error,
    Ending::IllegalMove,
];

const KIF: &[Ending] = &[Ending::Resign, Ending::WinByDefault, Ending::Mate, Ending::TimeUp];
const CSA: &[Ending] = &[Ending::Draw, Ending::IllegalAction(Color::White), Ending::Error];
const PLAYERS: &[HeaderKey] = &[
    HeaderKey::Black,
    HeaderKey::White,
    HeaderKey::Event,
    HeaderKey::Site,
    HeaderKey::Start,
    HeaderKey::Opening,
];
const CSA3: &[HeaderKey] =
    &[HeaderKey::Black, HeaderKey::Note, HeaderKey::Jishogi, HeaderKey::MaxMoves, HeaderKey::Site];
const KEYS: &[HeaderKey] = &[
    HeaderKey::Title,
    HeaderKey::White,
    HeaderKey::Note,
    HeaderKey::TimeLimit,
    HeaderKey::Byoyomi,
    HeaderKey::MaxMoves,
    HeaderKey::Black,
];

impl Features {
    pub const EVERYTHING: Features = Features {
        branches: true,
        times: true,
        fractions: true,
        comments: true,
        marked_comments: true,
        remarks: true,
        bookmarks: true,
        plain_evaluations: true,
        evaluations: true,
        node_counts: true,
        endings: ALL,
        foreign: true,
        headers: KEYS,
        odd_names: true,
        long_notes: true,
        start_numbers: true,
    };

    /// What a notation holds without loss.
    pub const fn held_by(format: RecordFormat) -> Features {
        let none = Features {
            branches: false,
            times: false,
            fractions: false,
            comments: false,
            marked_comments: false,
            remarks: false,
            bookmarks: false,
            plain_evaluations: false,
            evaluations: false,
            node_counts: false,
            endings: &[],
            foreign: false,
            headers: &[],
            odd_names: false,
            long_notes: false,
            start_numbers: false,
        };
        let all = Features { odd_names: false, ..Features::EVERYTHING };
        match format {
            RecordFormat::Csa => Features {
                times: true,
                comments: true,
                marked_comments: true,
                remarks: true,
                plain_evaluations: true,
                endings: CSA,
                headers: PLAYERS,
                ..none
            },
            RecordFormat::Csa3 => Features {
                fractions: true,
                node_counts: true,
                headers: CSA3,
                long_notes: true,
                ..Features::held_by(RecordFormat::Csa)
            },
            RecordFormat::Kif => Features {
                fractions: false,
                endings: KIF,
                foreign: false,
                long_notes: false,
                ..all
            },
            RecordFormat::Ki2 => Features {
                times: false,
                fractions: false,
                endings: COMMON,
                foreign: false,
                long_notes: false,
                ..all
            },
            RecordFormat::Jkf => Features {
                fractions: false,
                marked_comments: false,
                remarks: false,
                start_numbers: false,
                endings: COMMON,
                foreign: false,
                ..all
            },
            RecordFormat::Usi => Features { start_numbers: true, ..none },
            RecordFormat::Sfen => none,
        }
    }
}

const STARTS: [&str; 6] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "7nl/7k1/9/7pp/9/6N2/9/9/9 b GS2r2b3g3s2n3l16p 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
];

const WORDS: [&str; 17] = [
    "encoding=UTF-8",
    "good",
    "好手、▲７六歩",
    "変化：3手",
    "1 ７六歩(77)",
    "%TORYO,T1",
    "/",
    "'*",
    "まで3手で中断",
    "先手：誰か",
    "&",
    "#",
    "手合割：香落ち",
    "\"{}[]\\",
    "position startpos",
    "",
    "(12:34/5)",
];

type Numbers = Vec<(u8, u16)>;

/// A game with at most these features.
pub fn game(features: Features) -> impl Strategy<Value = GameRecord> {
    let steps = prop::collection::vec((any::<u8>(), any::<u16>()), 0..80);
    (0..STARTS.len(), steps).prop_map(move |(start, steps)| build(start, &steps, features))
}

/// Values and names of headers that look like something else.
const ODD_TEXTS: [&str; 12] = [
    "good",
    "a/b/c/d/e/f/g/h/i b",
    "9/9/9/9/9/9/9/9/9 w - 1",
    "position startpos",
    "1 ７六歩(77)",
    "x：y",
    "C:\\new",
    "[{",
    "+7776FU",
    "'",
    "まで3手で中断",
    "先手の棋力",
];

/// A text, or a time where CSA wants one.
fn header_value(key: &HeaderKey, nth: usize, features: Features) -> String {
    match key {
        HeaderKey::Date | HeaderKey::Start | HeaderKey::End => {
            format!("2024/01/{:02} 10:00:00", nth % 28 + 1)
        }
        HeaderKey::Note if features.long_notes => format!("one\n{}\\\\n", WORDS[nth % WORDS.len()]),
        _ => format!("{}{nth}", ODD_TEXTS[nth % ODD_TEXTS.len()]),
    }
}

fn build(start: usize, steps: &Numbers, features: Features) -> GameRecord {
    let mut setup: Setup = STARTS[start].parse().unwrap();
    if !features.start_numbers {
        setup.game_ply = 1;
    }
    let mut cursor = GameCursor::new(setup).unwrap();
    for (nth, key) in features.headers.iter().enumerate() {
        if steps.len().is_multiple_of(nth + 2) {
            let value = header_value(key, nth + steps.len(), features);
            cursor.headers_mut().add(key.clone(), value);
        }
    }
    if features.odd_names {
        let name = ODD_TEXTS[steps.len() / 2 % ODD_TEXTS.len()];
        let value = ODD_TEXTS[steps.len() % ODD_TEXTS.len()];
        cursor.headers_mut().add(HeaderKey::Other(name.into()), value);
    }
    for &(kind, number) in steps {
        let number = usize::from(number);
        match kind % 16 {
            0 if features.branches => {
                let moves = cursor.moves();
                cursor.go_to(number % (moves + 1));
            }
            1 => decorate(&mut cursor, number, features),
            2 if !features.endings.is_empty() && !has_end(&cursor) => {
                let known = features.endings[number % features.endings.len()].clone();
                let ending = if features.foreign && number.is_multiple_of(5) {
                    foreign(number / 5)
                } else {
                    known
                };
                if features.branches || number.is_multiple_of(7) {
                    cursor.end(ending);
                }
            }
            3..6 => decorate(&mut cursor, number, features),
            _ => {
                let open = features.branches || !has_end(&cursor);
                let moves = cursor.position().legal_moves();
                if let Some(mv) = moves.moves().nth(number % moves.len().max(1)).filter(|_| open) {
                    cursor.play(mv).unwrap();
                }
            }
        }
    }
    cursor.into_game()
}

/// Whether the cursor is after an end, or at a position with a recorded end.
fn has_end(cursor: &GameCursor) -> bool {
    let game = cursor.game();
    let is_end = |id: NodeId| matches!(game.node(id).step(), GameStep::Ending(_));
    is_end(cursor.current()) || game.node(cursor.current()).children().iter().any(|&id| is_end(id))
}

fn decorate(cursor: &mut GameCursor, number: usize, features: Features) {
    let word = WORDS[number / 8 % WORDS.len()];
    let line = some_line(cursor.position(), number);
    let at_start = cursor.current() == NodeId::ROOT;
    let at_end = has_end(cursor);
    let node = cursor.node_mut();
    let plain = Evaluation::new(EvaluationValue::Centipawns(number as i64 - 3000), line);
    match number % 8 {
        0 | 1 if features.times && !at_start => {
            let fraction = if features.fractions { number as u64 * 10 % 1000 } else { 0 };
            *node.elapsed = Some(Duration::from_millis(number as u64 / 10 * 1000 + fraction));
        }
        2 | 3 if features.comments && (features.marked_comments || !word.starts_with('&')) => {
            node.comments.push(word.to_owned());
        }
        4 if features.remarks => node.remarks.push(format!(" {word}").trim_end().to_owned()),
        5 if features.bookmarks => *node.bookmark = Some(word.to_owned()),
        6 if features.plain_evaluations && !at_end => node.evaluations.push(plain),
        7 if features.node_counts && !at_end && number.is_multiple_of(7) => {
            let (nodes, heading) = (Some(number as u64), "対局".into());
            node.evaluations.push(Evaluation { nodes, heading, ..plain });
        }
        7 if features.evaluations && !at_end => node.evaluations.push(Evaluation {
            value: match number % 3 {
                0 => EvaluationValue::Mate { winner: Color::White, plies: Some(7) },
                _ => plain.value,
            },
            rank: number.is_multiple_of(5).then_some(2),
            time: Some(Duration::from_millis(number as u64 / 100 * 100)),
            depth: Some(number as u32 % 40),
            selective_depth: number.is_multiple_of(4).then_some(50),
            nodes: Some(number as u64 * 1000),
            heading: if number.is_multiple_of(2) { "対局".into() } else { "解析 0 △".into() },
            ..plain
        }),
        _ => {}
    }
}

/// Up to three moves from here.
fn some_line(position: &Position, number: usize) -> Vec<Move> {
    let mut position = position.clone();
    let mut line = Vec::new();
    for _ in 0..number % 4 {
        let moves = position.legal_moves();
        let Some(mv) = moves.moves().nth(number % moves.len().max(1)) else { break };
        position.do_move(mv);
        line.push(mv);
    }
    line
}

/// A game as a list that does not depend on the order in which it was built.
pub fn flat(game: &GameRecord) -> Vec<String> {
    let mut flat = vec![format!("{:?} {:?}", game.headers, game.start())];
    let mut open = vec![(NodeId::ROOT, 0)];
    while let Some((id, depth)) = open.pop() {
        let node = game.node(id);
        flat.push(format!(
            "{depth} {:?} {:?} {:?} {:?} {:?} {:?}",
            node.step(),
            node.elapsed,
            node.comments,
            node.remarks,
            node.evaluations,
            node.bookmark,
        ));
        open.extend(node.children().iter().rev().map(|&child| (child, depth + 1)));
    }
    flat
}
