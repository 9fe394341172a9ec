//! Parsing the lines of a server, independently of the state of the session.

use std::time::Duration;

use crate::record::read_csa_seconds;
use crate::types::message::{Message, message};

/// A line of a server, outside a `Game_Summary`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ServerLine<'a> {
    /// The echo of a keep-alive.
    Empty,
    LoginOk,
    LoginIncorrect,
    LogoutCompleted,
    /// `BEGIN Game_Summary`.
    SummaryBegins,
    Start(&'a str),
    Reject {
        id: &'a str,
        by: &'a str,
    },
    /// A move, or a word such as `%TORYO`, as the server sends it to both players.
    Played(MoveLine<'a>),
    /// Why a game ends.
    EndReason(EndReason),
    /// The result for this player.
    Result(GameResult),
    /// `##[CHAT][name] text` and the like, of the extended mode.
    Extended(&'a str),
    /// A comment, without its `'`.
    Comment(&'a str),
    Other(&'a str),
}

/// `+7776FU,T12,'a comment`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveLine<'a> {
    /// A move, possibly invalid, or a word such as `%TORYO`.
    pub(super) text: &'a str,
    pub(super) taken: Option<Duration>,
    pub(super) comment: Option<&'a str>,
}

/// Why a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndReason {
    Resign,
    TimeUp,
    IllegalMove,
    IllegalAction,
    Sennichite,
    PerpetualCheck,
    Declaration,
    MaxMoves,
}

/// The result of a game for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameResult {
    Win,
    Lose,
    Draw,
    /// No result, by the move limit.
    Censored,
    /// Broken off.
    Interrupted,
}

const REASONS: &[(&str, EndReason)] = &[
    ("#RESIGN", EndReason::Resign),
    ("#TIME_UP", EndReason::TimeUp),
    ("#ILLEGAL_MOVE", EndReason::IllegalMove),
    ("#ILLEGAL_ACTION", EndReason::IllegalAction),
    ("#SENNICHITE", EndReason::Sennichite),
    ("#OUTE_SENNICHITE", EndReason::PerpetualCheck),
    ("#JISHOGI", EndReason::Declaration),
    ("#MAX_MOVES", EndReason::MaxMoves),
];

const RESULTS: &[(&str, GameResult)] = &[
    ("#WIN", GameResult::Win),
    ("#LOSE", GameResult::Lose),
    ("#DRAW", GameResult::Draw),
    ("#CENSORED", GameResult::Censored),
    ("#CHUDAN", GameResult::Interrupted),
];

impl EndReason {
    pub(super) fn message(self) -> Message {
        match self {
            EndReason::Resign => message!("resignation", "投了"),
            EndReason::TimeUp => message!("time forfeit", "時間切れ"),
            EndReason::IllegalMove => message!("an illegal move", "反則手"),
            EndReason::IllegalAction => message!("an illegal action", "反則"),
            EndReason::Sennichite => message!("repetition", "千日手"),
            EndReason::PerpetualCheck => message!("perpetual check", "連続王手の千日手"),
            EndReason::Declaration => message!("declaration", "入玉宣言"),
            EndReason::MaxMoves => message!("the move limit", "最大手数到達"),
        }
    }
}

impl GameResult {
    pub(super) fn message(self) -> Message {
        match self {
            GameResult::Win => message!("won", "勝ち"),
            GameResult::Lose => message!("lost", "負け"),
            GameResult::Draw => message!("drawn", "引き分け"),
            GameResult::Censored => message!("no result", "結果なし"),
            GameResult::Interrupted => message!("interrupted", "中断"),
        }
    }
}

impl<'a> ServerLine<'a> {
    /// Parses a line. Spaces at both ends are ignored.
    pub(super) fn read(line: &'a str) -> ServerLine<'a> {
        let line = line.trim();
        match line.as_bytes() {
            [] => ServerLine::Empty,
            [b'+' | b'-' | b'%', ..] => ServerLine::Played(MoveLine::read(line)),
            [b'#', b'#', ..] => ServerLine::Extended(line[2..].trim()),
            [b'#', ..] => ending(line).unwrap_or(ServerLine::Other(line)),
            [b'\'', ..] => ServerLine::Comment(&line[1..]),
            _ => command(line).unwrap_or(ServerLine::Other(line)),
        }
    }
}

fn ending(line: &str) -> Option<ServerLine<'_>> {
    let reason = REASONS.iter().find(|(word, _)| *word == line);
    let result = RESULTS.iter().find(|(word, _)| *word == line);
    let reason = reason.map(|&(_, reason)| ServerLine::EndReason(reason));
    reason.or(result.map(|&(_, result)| ServerLine::Result(result)))
}

fn command(line: &str) -> Option<ServerLine<'_>> {
    match line {
        "LOGOUT:completed" => return Some(ServerLine::LogoutCompleted),
        "BEGIN Game_Summary" => return Some(ServerLine::SummaryBegins),
        _ => {}
    }
    let (word, rest) = line.split_once(':')?;
    match word {
        "LOGIN" if rest == "incorrect" => Some(ServerLine::LoginIncorrect),
        "LOGIN" if rest.ends_with(" OK") => Some(ServerLine::LoginOk),
        "START" => Some(ServerLine::Start(rest)),
        "REJECT" => {
            let (id, by) = rest.split_once(" by ").unwrap_or((rest, ""));
            Some(ServerLine::Reject { id, by })
        }
        _ => None,
    }
}

impl<'a> MoveLine<'a> {
    fn read(line: &'a str) -> MoveLine<'a> {
        let (text, mut rest) = line.split_once(',').unwrap_or((line, ""));
        let mut taken = None;
        // A comment is the last field, and may contain commas.
        while !rest.is_empty() && !rest.starts_with('\'') {
            let (field, after) = rest.split_once(',').unwrap_or((rest, ""));
            taken = taken.or(field.trim().strip_prefix('T').and_then(read_csa_seconds));
            rest = after;
        }
        MoveLine { text: text.trim(), taken, comment: rest.strip_prefix('\'') }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(line: &str) -> (&str, Option<u64>, Option<&str>) {
        match ServerLine::read(line) {
            ServerLine::Played(MoveLine { text, taken, comment }) => {
                (text, taken.map(|taken| taken.as_millis() as u64), comment)
            }
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn moves_are_read_with_all_forms_of_times() {
        assert_eq!(played("+7776FU,T12\r"), ("+7776FU", Some(12_000), None));
        assert_eq!(played("-3334FU,T1."), ("-3334FU", Some(1000), None));
        assert_eq!(played("-3334FU,T0.25"), ("-3334FU", Some(250), None));
        assert_eq!(played("%TORYO,T3"), ("%TORYO", Some(3000), None));
        assert_eq!(played("%TORYO"), ("%TORYO", None, None));
        let commented = "+7776FU,T2,'* 30 -3334FU, and more";
        assert_eq!(played(commented), ("+7776FU", Some(2000), Some("* 30 -3334FU, and more")));
        assert_eq!(played("+7776FU,,Tx,T-1,"), ("+7776FU", None, None));
        assert_eq!(played("+77"), ("+77", None, None));
    }

    #[test]
    fn commands_and_ends_are_recognised_by_the_whole_line() {
        let read = ServerLine::read;
        assert_eq!(read(""), ServerLine::Empty);
        assert_eq!(read("LOGIN:kawasemi OK"), ServerLine::LoginOk);
        assert_eq!(read("LOGIN:incorrect"), ServerLine::LoginIncorrect);
        assert_eq!(read("START:a+b"), ServerLine::Start("a+b"));
        assert_eq!(read("REJECT:a+b by c"), ServerLine::Reject { id: "a+b", by: "c" });
        assert_eq!(read("#OUTE_SENNICHITE"), ServerLine::EndReason(EndReason::PerpetualCheck));
        assert_eq!(read("#CENSORED"), ServerLine::Result(GameResult::Censored));
        assert_eq!(read("#WINNER"), ServerLine::Other("#WINNER"));
        assert_eq!(read("##[CHAT][a] hi"), ServerLine::Extended("[CHAT][a] hi"));
        assert_eq!(read("'hello"), ServerLine::Comment("hello"));
        assert_eq!(read("BEGIN Game_Summary"), ServerLine::SummaryBegins);
        for other in ["LOGIN", "LOGIN:", "START", "BEGIN", "username a is already connected", "語"]
        {
            assert_eq!(read(other), ServerLine::Other(other));
        }
    }
}
