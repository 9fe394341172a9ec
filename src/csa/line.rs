//! The lines of a server, each for itself. What is understood of a line does not depend on what
//! came before it; whether it may come now is for the session and the game to say.

use std::fmt;
use std::time::Duration;

use crate::record::read_csa_seconds;

/// A line of a server, outside a `Game_Summary`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ServerLine<'a> {
    /// The echo of a keep-alive.
    Blank,
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
    /// A move or `%TORYO` and the like, as the server passed it on to both players.
    Played(PlayedLine<'a>),
    /// Why a game ends.
    Reason(Reason),
    /// What the end of a game is for this player.
    Result(GameResult),
    /// `##[CHAT][name] text` and the like, of the extended mode.
    Extended(&'a str),
    /// A comment, without its `'`.
    Comment(&'a str),
    Other(&'a str),
}

/// `+7776FU,T12,'a comment`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlayedLine<'a> {
    /// A move that may be none, or a word such as `%TORYO`.
    pub(super) text: &'a str,
    pub(super) taken: Option<Duration>,
    pub(super) comment: Option<&'a str>,
}

/// Why a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    Resign,
    TimeUp,
    IllegalMove,
    IllegalAction,
    Sennichite,
    PerpetualCheck,
    Declaration,
    MaxMoves,
}

/// What the end of a game is for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameResult {
    Win,
    Lose,
    Draw,
    /// The limit of moves: neither won nor lost.
    Censored,
    /// Broken off.
    Interrupted,
}

const REASONS: &[(&str, Reason)] = &[
    ("#RESIGN", Reason::Resign),
    ("#TIME_UP", Reason::TimeUp),
    ("#ILLEGAL_MOVE", Reason::IllegalMove),
    ("#ILLEGAL_ACTION", Reason::IllegalAction),
    ("#SENNICHITE", Reason::Sennichite),
    ("#OUTE_SENNICHITE", Reason::PerpetualCheck),
    ("#JISHOGI", Reason::Declaration),
    ("#MAX_MOVES", Reason::MaxMoves),
];

const RESULTS: &[(&str, GameResult)] = &[
    ("#WIN", GameResult::Win),
    ("#LOSE", GameResult::Lose),
    ("#DRAW", GameResult::Draw),
    ("#CENSORED", GameResult::Censored),
    ("#CHUDAN", GameResult::Interrupted),
];

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Resign => "resignation",
            Reason::TimeUp => "time",
            Reason::IllegalMove => "an illegal move",
            Reason::IllegalAction => "an illegal action",
            Reason::Sennichite => "repetition",
            Reason::PerpetualCheck => "perpetual check",
            Reason::Declaration => "declaration",
            Reason::MaxMoves => "the limit of moves",
        })
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::Win => "won",
            GameResult::Lose => "lost",
            GameResult::Draw => "drawn",
            GameResult::Censored => "no result",
            GameResult::Interrupted => "broken off",
        })
    }
}

impl<'a> ServerLine<'a> {
    /// What a line says. Blanks at its ends do not count.
    pub(super) fn read(line: &'a str) -> ServerLine<'a> {
        let line = line.trim();
        match line.as_bytes() {
            [] => ServerLine::Blank,
            [b'+' | b'-' | b'%', ..] => ServerLine::Played(PlayedLine::read(line)),
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
    let reason = reason.map(|&(_, reason)| ServerLine::Reason(reason));
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

impl<'a> PlayedLine<'a> {
    fn read(line: &'a str) -> PlayedLine<'a> {
        let (text, mut rest) = line.split_once(',').unwrap_or((line, ""));
        let mut taken = None;
        // A comment is the last, and may hold commas.
        while !rest.is_empty() && !rest.starts_with('\'') {
            let (field, behind) = rest.split_once(',').unwrap_or((rest, ""));
            taken = taken.or(field.trim().strip_prefix('T').and_then(read_csa_seconds));
            rest = behind;
        }
        PlayedLine { text: text.trim(), taken, comment: rest.strip_prefix('\'') }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(line: &str) -> (&str, Option<u64>, Option<&str>) {
        match ServerLine::read(line) {
            ServerLine::Played(PlayedLine { text, taken, comment }) => {
                (text, taken.map(|taken| taken.as_millis() as u64), comment)
            }
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn moves_are_read_with_times_of_every_form() {
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
    fn commands_and_endings_are_known_by_the_whole_line() {
        let read = ServerLine::read;
        assert_eq!(read(""), ServerLine::Blank);
        assert_eq!(read("LOGIN:kawasemi OK"), ServerLine::LoginOk);
        assert_eq!(read("LOGIN:incorrect"), ServerLine::LoginIncorrect);
        assert_eq!(read("START:a+b"), ServerLine::Start("a+b"));
        assert_eq!(read("REJECT:a+b by c"), ServerLine::Reject { id: "a+b", by: "c" });
        assert_eq!(read("#OUTE_SENNICHITE"), ServerLine::Reason(Reason::PerpetualCheck));
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
