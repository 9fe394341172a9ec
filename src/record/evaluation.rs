//! Evaluations by engines, and the comments that contain them.
//!
//! Three formats are read and written, all without the comment mark of the notation. The servers of
//! floodgate write `* 120 -3334FU +2625FU`: centipawns as Black sees them, and the line that follows
//! the move in CSA; some clients send the line in USI, from the move itself on. CSA 3 adds the nodes,
//! `#1234`. ShogiGUI writes one line with names before the values, of which all but the evaluation may
//! be missing: `*対局 時間 00:01.5 深さ 12/20 ノード数 12345 評価値 88 読み筋 ▲２六歩(27) △３四歩(33)`. Under 対局 the line
//! begins with the played move, otherwise with the reply. ShogiHome writes a line for each value, with a `*` before
//! those of the player and a `#` before others: `#評価値=108`, `*詰み=先手勝ち:5手`. Only these two are evaluations;
//! its other lines (読み筋, 深さ) stay comments.
//!
//! A comment that would change when written again stays a comment.

use std::fmt::Write;
use std::time::Duration;

use super::csa_move::{csa_move, read_csa_move};
use super::{japanese_move, japanese_text};
use crate::position::Position;
use crate::types::{Color, Move};

/// The heading of an evaluation by a player during the game.
const GAME_HEADING: &str = "対局";
/// The headings of ShogiHome's format: of an evaluation by the player, and of others.
const SHOGIHOME_PLAYER: &str = "*";
const SHOGIHOME_HEADINGS: [&str; 2] = [SHOGIHOME_PLAYER, "#"];
const SHOGIHOME_WINNERS: [(&str, Color); 2] = [("先手", Color::Black), ("後手", Color::White)];
/// The score that means a mate in the floodgate format.
pub const FLOODGATE_MATE: i64 = 30_000;

/// An engine's evaluation of the position after a move.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Evaluation {
    pub value: EvaluationValue,
    /// The principal variation after the move.
    pub line: Vec<Move>,
    /// The multi-PV rank, from 1.
    pub rank: Option<u32>,
    pub time: Option<Duration>,
    pub depth: Option<u32>,
    pub selective_depth: Option<u32>,
    pub nodes: Option<u64>,
    /// The text before the first value: such as 対局 or 解析 in ShogiGUI's format, `*` or `#` in ShogiHome's.
    pub heading: String,
}

/// A score from Black's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationValue {
    Centipawns(i64),
    /// A mate, with its length in plies if known.
    Mate {
        winner: Color,
        plies: Option<u32>,
    },
}

impl Default for EvaluationValue {
    fn default() -> EvaluationValue {
        EvaluationValue::Centipawns(0)
    }
}

impl EvaluationValue {
    /// In centipawns; a mate exceeds all scores.
    pub fn centipawns(self) -> i64 {
        match self {
            EvaluationValue::Centipawns(value) => value,
            EvaluationValue::Mate { winner: Color::Black, .. } => FLOODGATE_MATE,
            EvaluationValue::Mate { winner: Color::White, .. } => -FLOODGATE_MATE,
        }
    }
}

impl Evaluation {
    /// A score and a variation, without other values.
    pub fn new(value: EvaluationValue, line: Vec<Move>) -> Evaluation {
        Evaluation { value, line, ..Evaluation::default() }
    }

    /// Reads a comment on the move `played`, which leads to `position`; `None` for any other
    /// comment.
    pub(super) fn read(
        text: &str,
        played: Option<Move>,
        position: &mut Position,
    ) -> Option<Evaluation> {
        let body = text.strip_prefix('*');
        if let Some(found) = body.and_then(|body| read_floodgate(body, played, position)) {
            return Some(found);
        }
        let found = read_shogihome(text).or_else(|| read_shogigui(body?, played, position))?;
        let again = found.with_names(played, position);
        same_words(&again, text).then_some(found)
    }

    /// Whether floodgate's format can hold all values, with or without the nodes.
    pub(super) fn fits_floodgate(&self, with_nodes: bool) -> bool {
        let nodes = self.nodes.filter(|_| with_nodes);
        let held = Evaluation { nodes, ..Evaluation::new(self.value, self.line.clone()) };
        let plain = if nodes.is_some() { self.clone().without_heading() } else { self.clone() };
        plain == held && matches!(self.value, EvaluationValue::Centipawns(_))
    }

    fn without_heading(mut self) -> Evaluation {
        self.heading.clear();
        self
    }

    /// Whether a player of the game made this evaluation.
    pub fn is_by_player(&self) -> bool {
        self.heading.is_empty() || [GAME_HEADING, SHOGIHOME_PLAYER].contains(&self.heading.as_str())
    }

    /// Whether it comes from ShogiHome's format, which has nothing but the score.
    pub(super) fn is_shogihome(&self) -> bool {
        let score = Evaluation::new(self.value, Vec::new());
        SHOGIHOME_HEADINGS.contains(&self.heading.as_str())
            && self.clone().without_heading() == score
    }

    /// A comment on the move `played`, in floodgate's format if that holds all values, else with the names of the
    /// values.
    pub(super) fn comment(&self, played: Option<Move>, position: &mut Position) -> String {
        if self.fits_floodgate(false) {
            self.floodgate(position)
        } else {
            self.with_names(played, position)
        }
    }

    /// A comment on the move `played`, in ShogiHome's format if it comes from there, else in ShogiGUI's.
    pub(super) fn with_names(&self, played: Option<Move>, position: &mut Position) -> String {
        if self.is_shogihome() { self.shogihome() } else { self.shogigui(played, position) }
    }

    /// In ShogiHome's format: `#評価値=108`.
    fn shogihome(&self) -> String {
        let score = match self.value {
            EvaluationValue::Centipawns(value) => format!("評価値={value}"),
            EvaluationValue::Mate { winner, plies } => {
                let (name, _) = SHOGIHOME_WINNERS[winner.index()];
                let plies = plies.map(|plies| format!(":{plies}手")).unwrap_or_default();
                format!("詰み={name}勝ち{plies}")
            }
        };
        format!("{}{score}", self.heading)
    }

    /// In floodgate's format: `* 120 -3334FU`. The variation ends before an illegal move.
    pub fn floodgate(&self, position: &mut Position) -> String {
        let mut text = format!("* {}", self.value.centipawns());
        for_each_position(position, &self.line, |position, mv| {
            let _ = write!(text, " {}", csa_move(position, mv));
        });
        text
    }

    /// In ShogiGUI's format, after the move `played`.
    fn shogigui(&self, played: Option<Move>, position: &mut Position) -> String {
        let heading = if self.heading.is_empty() { GAME_HEADING } else { &self.heading };
        let mut text = format!("*{heading}");
        if let Some(rank) = self.rank {
            let _ = write!(text, " 候補{rank}");
        }
        if let Some(time) = self.time {
            let (minutes, seconds) = (time.as_secs() / 60, time.as_secs() % 60);
            let _ = write!(text, " 時間 {minutes:02}:{seconds:02}.{}", time.subsec_millis() / 100);
        }
        if let Some(depth) = self.depth {
            let _ = write!(text, " 深さ {depth}");
        }
        if let (Some(_), Some(selective)) = (self.depth, self.selective_depth) {
            let _ = write!(text, "/{selective}");
        }
        if let Some(nodes) = self.nodes {
            let _ = write!(text, " ノード数 {nodes}");
        }
        let _ = write!(text, " 評価値 {}", shogigui_value(self.value));
        if self.line.is_empty() {
            return text;
        }
        text.push_str(" 読み筋");
        match played {
            Some(mv) if heading == GAME_HEADING => {
                position.undo_move(mv);
                let line: Vec<Move> = [mv].into_iter().chain(self.line.iter().copied()).collect();
                push_line(&mut text, position, &line);
                position.do_move(mv);
            }
            _ => push_line(&mut text, position, &self.line),
        }
        text
    }
}

fn shogigui_value(value: EvaluationValue) -> String {
    match value {
        EvaluationValue::Centipawns(value) => value.to_string(),
        EvaluationValue::Mate { winner, plies } => {
            let sign = if winner == Color::Black { '+' } else { '-' };
            let plies = plies.map(|plies| format!(" {plies}")).unwrap_or_default();
            format!("{sign}詰{plies}")
        }
    }
}

fn push_line(text: &mut String, position: &mut Position, line: &[Move]) {
    for_each_position(position, line, |position, mv| {
        let mark = japanese_text::mark(position.side_to_move());
        let last = position.history().next_back().map(Move::to);
        let _ = write!(text, " {mark}{}", japanese_move::kif_move(position, mv, last));
    });
}

/// Calls `show` for each move of a line before it is made. Ends before an illegal move. The position is
/// restored.
fn for_each_position(
    position: &mut Position,
    line: &[Move],
    mut show: impl FnMut(&Position, Move),
) {
    let mut made = 0;
    while let Some(&mv) = line.get(made)
        && position.is_legal(mv)
    {
        show(position, mv);
        position.do_move(mv);
        made += 1;
    }
    line[..made].iter().rev().for_each(|&mv| position.undo_move(mv));
}

/// Reads the moves of a line; `None` if one is invalid. The position is restored.
fn read_line<'a>(
    mut words: impl Iterator<Item = &'a str>,
    position: &mut Position,
    read: impl Fn(&str, &Position) -> Option<Move>,
) -> Option<Vec<Move>> {
    let mut line: Vec<Move> = Vec::new();
    let is_sound = words.all(|word| {
        let mv = read(word, position).filter(|&mv| position.try_play(mv).is_ok());
        line.extend(mv);
        mv.is_some()
    });
    line.iter().rev().for_each(|&mv| position.undo_move(mv));
    is_sound.then_some(line)
}

fn read_floodgate(body: &str, played: Option<Move>, position: &mut Position) -> Option<Evaluation> {
    let (body, nodes) = split_nodes(body);
    let mut words = body.split_ascii_whitespace().peekable();
    let value = EvaluationValue::Centipawns(words.next()?.parse().ok()?);
    let in_usi = |word: &&str| played.is_some_and(|mv| word.parse() == Ok(mv));
    let line = if words.peek().is_some_and(in_usi) {
        words.next();
        read_line(words, position, |word, _| word.parse().ok())
    } else {
        read_line(words, position, |word, position| read_csa_move(word, position).ok())
    };
    // In ShogiGUI's format, which has more than these two values, this is the heading.
    let heading = nodes.map_or("", |_| GAME_HEADING).to_owned();
    Some(Evaluation { nodes, heading, ..Evaluation::new(value, line?) })
}

/// The nodes at the end, which CSA 3 adds: `30 -8384FU +2625FU #1234`.
fn split_nodes(body: &str) -> (&str, Option<u64>) {
    let (before, last) = body.trim_end().rsplit_once(' ').unwrap_or((body, ""));
    match last.strip_prefix('#').and_then(|nodes| nodes.parse().ok()) {
        Some(nodes) => (before, Some(nodes)),
        None => (body, None),
    }
}

/// Reads a score of ShogiHome: `#評価値=108`, `*詰み=先手勝ち:5手`.
fn read_shogihome(text: &str) -> Option<Evaluation> {
    let heading = SHOGIHOME_HEADINGS.into_iter().find(|heading| text.starts_with(heading))?;
    let (name, value) = text[heading.len()..].split_once('=')?;
    let value = match name {
        "評価値" => EvaluationValue::Centipawns(value.parse().ok()?),
        "詰み" => {
            let (player, length) = value.split_once("勝ち")?;
            let (_, winner) = SHOGIHOME_WINNERS.into_iter().find(|(name, _)| *name == player)?;
            let plies = match length {
                "" => None,
                length => Some(length.strip_prefix(':')?.strip_suffix('手')?.parse().ok()?),
            };
            EvaluationValue::Mate { winner, plies }
        }
        _ => return None,
    };
    Some(Evaluation { heading: heading.to_owned(), ..Evaluation::new(value, Vec::new()) })
}

/// Reads named values in any order, and the variation after them.
fn read_shogigui(body: &str, played: Option<Move>, position: &mut Position) -> Option<Evaluation> {
    let (values, line) = match body.split_once(" 読み筋") {
        Some((values, line)) => (values, line),
        None => (body, ""),
    };
    let mut evaluation = Evaluation::default();
    let mut heading: Vec<&str> = Vec::new();
    let mut words = values.split_ascii_whitespace().peekable();
    let mut value = None;
    while let Some(word) = words.next() {
        match word {
            "時間" => evaluation.time = Some(read_clock(words.next()?)?),
            "深さ" => {
                let word = words.next()?;
                let (depth, selective) = word.split_once('/').unwrap_or((word, ""));
                evaluation.depth = Some(depth.parse().ok()?);
                evaluation.selective_depth = selective.parse().ok();
            }
            "ノード数" => evaluation.nodes = Some(words.next()?.parse().ok()?),
            "評価値" => {
                let word = words.next()?;
                let plies = words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
                value = Some(read_value(word, plies)?);
            }
            _ => match word.strip_prefix("候補") {
                Some(rank) => evaluation.rank = Some(rank.parse().ok()?),
                None => heading.push(word),
            },
        }
    }
    evaluation.value = value?;
    evaluation.heading = heading.join(" ");
    evaluation.line = match played {
        Some(mv) if evaluation.heading == GAME_HEADING && !line.trim().is_empty() => {
            position.undo_move(mv);
            let line = read_japanese(line, position);
            position.do_move(mv);
            let (first, rest) = line?.split_first().map(|(&first, rest)| (first, rest.to_vec()))?;
            (first == mv).then_some(rest)?
        }
        _ => read_japanese(line, position)?,
    };
    Some(evaluation)
}

fn read_value(word: &str, plies: Option<&str>) -> Option<EvaluationValue> {
    let winner = match word {
        "+詰" => Color::Black,
        "-詰" => Color::White,
        _ => return plies.is_none().then(|| word.parse().ok().map(EvaluationValue::Centipawns))?,
    };
    let plies = plies.map(str::parse).transpose().ok()?;
    Some(EvaluationValue::Mate { winner, plies })
}

/// Minutes, seconds and tenths: `01:23.4`.
fn read_clock(text: &str) -> Option<Duration> {
    let (minutes, seconds) = text.split_once(':')?;
    let (seconds, tenths) = seconds.split_once('.')?;
    let number = |text: &str| text.parse::<u32>().ok().map(u64::from);
    let tenths = number(tenths).filter(|&tenths| tenths < 10)?;
    let millis = (number(minutes)? * 60 + number(seconds)?) * 1000 + tenths * 100;
    Some(Duration::from_millis(millis))
}

fn read_japanese(text: &str, position: &mut Position) -> Option<Vec<Move>> {
    let starts: Vec<usize> =
        text.char_indices().filter(|&(_, c)| japanese_text::is_mark(c)).map(|(at, _)| at).collect();
    let first = starts.first().copied().unwrap_or(text.len());
    if !text[..first].trim().is_empty() {
        return None;
    }
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    let words = starts.iter().copied().zip(ends).map(|(from, to)| &text[from..to]);
    read_line(words, position, |word, position| {
        let (parsed_move, rest) = japanese_move::read_move(word)?;
        let last = position.history().next_back().map(Move::to);
        let mv = parsed_move.resolve(position, last).ok()?;
        rest.trim().is_empty().then_some(mv)
    })
}

/// Whether two texts differ only in white space.
fn same_words(one: &str, other: &str) -> bool {
    let visible = |c: &char| !c.is_whitespace();
    one.chars().filter(visible).eq(other.chars().filter(visible))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(sfen: &str, mv: &str) -> (Position, Option<Move>) {
        let mut position = Position::from_sfen(sfen).unwrap();
        let mv = mv.parse().unwrap();
        position.try_play(mv).unwrap();
        (position, Some(mv))
    }

    fn start() -> (Position, Option<Move>) {
        after("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "7g7f")
    }

    fn line(moves: &str) -> Vec<Move> {
        moves.split(' ').map(|mv| mv.parse().unwrap()).collect()
    }

    #[test]
    fn floodgates_format_is_read_in_csa_and_in_usi() {
        let (mut position, played) = start();
        let key = position.key();
        let mut read = |text: &str| Evaluation::read(text, played, &mut position);
        let expected = Evaluation::new(EvaluationValue::Centipawns(-30), line("3c3d 2g2f"));
        assert_eq!(read("* -30 -3334FU +2726FU"), Some(expected.clone()));
        assert_eq!(read("* -30 7g7f 3c3d 2g2f"), Some(expected.clone()));
        assert_eq!(
            read("*120"),
            Some(Evaluation::new(EvaluationValue::Centipawns(120), Vec::new()))
        );
        let nodes =
            Evaluation { nodes: Some(1234), heading: GAME_HEADING.into(), ..expected.clone() };
        assert_eq!(read("* -30 -3334FU +2726FU #1234"), Some(nodes));
        for text in [
            "* -30 +3334FU",
            "* -30 -3334FU #",
            "* -30 #x",
            "* -30 -3334FU +483",
            "* 1.5",
            "* good",
            "*",
            "30",
            "* 5 3c3d",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(expected.floodgate(&mut position), "* -30 -3334FU +2726FU");
        assert_eq!(position.key(), key);
    }

    #[test]
    fn shogiguis_format_is_read_and_written_again() {
        let (mut position, played) = start();
        let game = "*対局 時間 00:01.5 深さ 12/20 ノード数 12345 評価値 88 読み筋 ▲７六歩(77) △３四歩(33) ▲２二角成(88) △同　銀(31)";
        let read = Evaluation::read(game, played, &mut position).unwrap();
        assert_eq!(read.line, line("3c3d 8h2b+ 3a2b"));
        assert_eq!(read.time, Some(Duration::from_millis(1500)));
        assert_eq!(
            (read.depth, read.selective_depth, read.nodes),
            (Some(12), Some(20), Some(12345))
        );
        assert_eq!(read.shogigui(played, &mut position), game);
        let mut again = |text: &str| {
            let read = Evaluation::read(text, played, &mut position).expect(text);
            assert!(same_words(&read.shogigui(played, &mut position), text), "{text}");
            read
        };
        let read =
            again("*解析 0 △ 候補2 時間 00:00.0 深さ 32 ノード数 1 評価値 0 読み筋 △３四歩(33) ");
        assert_eq!(
            (read.rank, read.line, read.heading),
            (Some(2), line("3c3d"), "解析 0 △".into())
        );
        let read = again("*検討 評価値 -詰 6");
        assert_eq!(read.value, EvaluationValue::Mate { winner: Color::White, plies: Some(6) });
        assert_eq!(again("*検討 評価値 +詰").value.centipawns(), 30_000);
    }

    #[test]
    fn a_comment_that_would_change_when_written_again_stays_a_comment() {
        let (mut position, played) = start();
        for text in [
            "*対局 評価値 +88",
            "*対局 評価値",
            "*対局 深さ 12/ 評価値 1",
            "*対局 評価値 5 読み筋 ▲２六歩(27)",
            "*対局 評価値 5 読み筋 ▲７六歩(77) △３五歩(33)",
            "*解析 評価値 5 読み筋 何か △３四歩(33)",
            "*解析 評価値 5 時間 00:00.0",
            "*ただの感想",
            "#評価値=+108",
            "#評価値=1.5",
            "#評価値=108（下界値）",
            "評価値=108",
            "*# 評価値 108",
            "*詰み=先手勝ち:05手",
            "#詰み=先手勝ち:5",
            "#詰み=下手勝ち",
            "#読み筋=△３四歩",
            "#",
            "",
        ] {
            assert_eq!(Evaluation::read(text, played, &mut position), None, "{text}");
        }
    }

    /// Regression: they stayed comments.
    #[test]
    fn shogihomes_format_is_read_and_written_again() {
        let (mut position, played) = start();
        let mate = |winner, plies| EvaluationValue::Mate { winner, plies };
        for (text, value, is_by_player) in [
            ("#評価値=108", EvaluationValue::Centipawns(108), false),
            ("*評価値=-210", EvaluationValue::Centipawns(-210), true),
            ("#詰み=先手勝ち:5手", mate(Color::Black, Some(5)), false),
            ("*詰み=後手勝ち", mate(Color::White, None), true),
        ] {
            let read = Evaluation::read(text, played, &mut position).expect(text);
            assert_eq!((read.value, read.is_by_player()), (value, is_by_player), "{text}");
            assert_eq!(read.comment(played, &mut position), text);
            assert_eq!(Evaluation::read(text, None, &mut position).as_ref(), Some(&read));
        }
        // With other values only ShogiGUI's format holds it.
        let deep = Evaluation { depth: Some(8), heading: "#".into(), ..Evaluation::default() };
        let text = deep.comment(played, &mut position);
        assert_eq!(text, "*# 深さ 8 評価値 0");
        assert_eq!(Evaluation::read(&text, played, &mut position), Some(deep));
    }
}
