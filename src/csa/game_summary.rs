//! Parsing a `Game_Summary`, by which the server proposes a game.

use std::time::Duration;

use super::clock::TimeRule;
use super::player::GameConditions;
use crate::position::Setup;
use crate::record::{self, ErrorPolicy, RecordError, RecordFormat, side_names};
use crate::types::message::{Message, message};
use crate::types::{ByColor, Color, Move};

/// Maximum size of a proposal. One that continues a long game has some hundred lines.
const MAX_LINES: usize = 8192;
const MAX_BYTES: usize = 1 << 20;
/// The longest time that is accepted, in seconds: some thirty years.
const MAX_SECONDS: f64 = 1e9;

/// A proposed game.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GameSummary {
    /// Empty if the server sends none.
    pub(super) id: String,
    pub(super) names: ByColor<String>,
    /// Our colour.
    pub(super) us: Color,
    pub(super) max_moves: Option<u32>,
    pub(super) times: ByColor<TimeRule>,
    pub(super) start: Setup,
    /// The moves already played, with the time of each.
    pub(super) moves: Vec<(Move, Duration)>,
    /// Whether the moves are those of a buoy, a game from a prepared position.
    pub(super) is_buoy: bool,
}

impl GameSummary {
    pub(super) fn conditions(&self) -> GameConditions {
        let rule = &self.times[self.us];
        GameConditions {
            max_moves: self.max_moves,
            unit: rule.unit,
            least_time_per_move: rule.least_time_per_move,
        }
    }

    /// The players and the time, for the user.
    pub(super) fn message(&self) -> Message {
        let ([black, white], [first, second]) = (&self.names.0, side_names(&self.start).0);
        let (id, first, second) = (&self.id, first.ja, second.ja);
        let space = if id.is_empty() { "" } else { " " };
        message!(
            "game{space}{id}: {black} (Black) against {white} (White), {}",
            "対局{id}：{first}{black}、{second}{white}、{}";
            self.times[self.us].message()
        )
    }
}

/// The reason why a proposal cannot be played.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SummaryError {
    TooLong,
    /// Our colour is missing.
    NoSide,
    /// An invalid value.
    Value {
        key: String,
        value: String,
    },
    /// Another game than shogi, by its `Format`.
    Format(String),
    Position(RecordError),
}

impl SummaryError {
    pub(super) fn message(&self) -> Message {
        match self {
            SummaryError::TooLong => message!("it is too long", "対局条件が長すぎます"),
            SummaryError::NoSide => {
                message!("Your_Turn is missing", "Your_Turnがありません")
            }
            SummaryError::Value { key, value } => {
                message!("{key} cannot be {value:?}", "{key}の値「{value}」は使えません")
            }
            SummaryError::Format(format) => {
                message!(
                    "the format {format:?} is not supported",
                    "形式「{format}」には対応していません"
                )
            }
            SummaryError::Position(error) => {
                message!("its position: {}", "局面の誤り：{}"; error.message())
            }
        }
    }
}

/// Collects the lines of a proposal, after `BEGIN Game_Summary`.
#[derive(Debug, Default)]
pub(super) struct SummaryReader {
    lines: Vec<String>,
    bytes: usize,
}

impl SummaryReader {
    /// Adds a line. Returns the proposal after the last one.
    pub(super) fn push(&mut self, line: &str) -> Option<Result<GameSummary, SummaryError>> {
        if line.trim() == "END Game_Summary" {
            return Some(SummaryParser::read(&self.lines));
        }
        self.bytes += line.len();
        if self.bytes > MAX_BYTES || self.lines.len() >= MAX_LINES {
            return Some(Err(SummaryError::TooLong));
        }
        self.lines.push(line.trim_end().to_owned());
        None
    }

    /// The id of the game, to reject an invalid proposal; empty if it has not come yet.
    pub(super) fn id(&self) -> &str {
        let id = self.lines.iter().find_map(|line| line.strip_prefix("Game_ID:"));
        id.unwrap_or_default().trim()
    }
}

/// Amounts of time in units, as they are announced.
#[derive(Clone, Copy, Default)]
struct TimeAmounts {
    total: f64,
    byoyomi: f64,
    delay: f64,
    increment: f64,
    least_time_per_move: f64,
}

/// A `Time` section.
#[derive(Clone, Copy, Default)]
struct TimeSection {
    unit: Option<Duration>,
    amounts: TimeAmounts,
    round_up: bool,
}

/// The fields of a proposal that have been read.
#[derive(Default)]
struct SummaryParser<'a> {
    id: &'a str,
    names: ByColor<&'a str>,
    us: Option<Color>,
    to_move: Option<Color>,
    max_moves: Option<u32>,
    times: ByColor<TimeSection>,
    position: Vec<&'a str>,
}

impl<'a> SummaryParser<'a> {
    fn read(lines: &'a [String]) -> Result<GameSummary, SummaryError> {
        let mut parser = SummaryParser::default();
        let mut section = "";
        for line in lines {
            let line = line.as_str();
            if let Some(name) = line.strip_prefix("BEGIN ") {
                section = name.trim();
            } else if line.starts_with("END ") {
                section = "";
            } else if section == "Position" {
                parser.position.push(line);
            } else if let Some((key, value)) = line.split_once(':') {
                parser.set_field(section, key.trim(), value.trim())?;
            }
        }
        parser.finish()
    }

    fn set_field(&mut self, section: &str, key: &str, value: &'a str) -> Result<(), SummaryError> {
        let sides: &[Color] = match section {
            "" => return self.set_general_field(key, value),
            "Time" => &Color::ALL,
            "Time+" => &[Color::Black],
            "Time-" => &[Color::White],
            _ => return Ok(()),
        };
        let invalid = || SummaryError::Value { key: key.into(), value: value.into() };
        sides.iter().try_for_each(|&side| self.times[side].set(key, value)).ok_or_else(invalid)
    }

    fn set_general_field(&mut self, key: &str, value: &'a str) -> Result<(), SummaryError> {
        let invalid = || SummaryError::Value { key: key.into(), value: value.into() };
        match key {
            "Game_ID" => self.id = value,
            "Name+" => self.names[Color::Black] = value,
            "Name-" => self.names[Color::White] = value,
            "Your_Turn" => self.us = Some(parse_side(value).ok_or_else(invalid)?),
            "To_Move" => self.to_move = parse_side(value),
            "Max_Moves" => {
                let moves: u32 = value.parse().map_err(|_| invalid())?;
                self.max_moves = (moves > 0).then_some(moves);
            }
            "Format" if !value.starts_with("Shogi 1.") => {
                return Err(SummaryError::Format(value.into()));
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(mut self) -> Result<GameSummary, SummaryError> {
        let us = self.us.ok_or(SummaryError::NoSide)?;
        let (start, moves) = self.game()?;
        let stopwatch = stopwatch_unit(self.id);
        let times = self.times.0.map(|times| times.rule(stopwatch));
        Ok(GameSummary {
            id: self.id.into(),
            names: ByColor(self.names.0.map(String::from)),
            us,
            max_moves: self.max_moves,
            times: ByColor(times),
            start,
            moves,
            is_buoy: is_buoy(self.id),
        })
    }

    /// The start position and the moves. Servers disagree on whether `To_Move` is the side to move before
    /// or after these moves, so it is used only if the position does not say it.
    fn game(&mut self) -> Result<(Setup, Vec<(Move, Duration)>), SummaryError> {
        let is_known = self.position.iter().any(|line| line.starts_with(['+', '-']));
        if let Some(color) = self.to_move.filter(|_| !is_known) {
            self.position.push(if color == Color::Black { "+" } else { "-" });
        }
        let text = self.position.join("\n");
        let reading = record::read(&text, RecordFormat::Csa, ErrorPolicy::Refuse);
        let reading = reading.map_err(SummaryError::Position)?;
        let Some(game) = reading.games.into_iter().next() else {
            return Ok((Setup::startpos(), Vec::new()));
        };
        let timed = |node: &record::GameNode| Some((node.mv()?, node.elapsed.unwrap_or_default()));
        let moves = game.main_line().filter_map(|id| timed(game.node(id))).collect();
        Ok((game.start().clone(), moves))
    }
}

fn parse_side(value: &str) -> Option<Color> {
    match value {
        "+" => Some(Color::Black),
        "-" => Some(Color::White),
        _ => None,
    }
}

/// The requested name of a game of shogi-server, as in `event+name-900-060+black+white+time`.
fn requested_name(id: &str) -> Option<&str> {
    id.split('+').nth(1)
}

/// Whether the game is a buoy of shogi-server.
fn is_buoy(id: &str) -> bool {
    requested_name(id).is_some_and(|name| name.starts_with("buoy_"))
}

/// The unit of a stopwatch game of shogi-server, in seconds: a byoyomi with a leading zero. The server
/// then writes the unit as `1min`, but all times in seconds.
fn stopwatch_unit(id: &str) -> Option<u64> {
    let unit = requested_name(id)?.rsplit_once('-')?.1;
    let digits =
        unit.len() > 1 && unit.starts_with('0') && unit.bytes().all(|c| c.is_ascii_digit());
    unit.parse().ok().filter(|&seconds: &u64| digits && seconds > 0)
}

impl TimeSection {
    /// `None` for an invalid value.
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        let amounts = &mut self.amounts;
        match key {
            "Time_Unit" => self.unit = Some(parse_unit(value)?),
            "Total_Time" => amounts.total = parse_amount(value)?,
            "Byoyomi" => amounts.byoyomi = parse_amount(value)?,
            "Delay" => amounts.delay = parse_amount(value)?,
            "Increment" => amounts.increment = parse_amount(value)?,
            "Least_Time_Per_Move" => amounts.least_time_per_move = parse_amount(value)?,
            "Time_Roundup" => self.round_up = value == "YES",
            _ => {}
        }
        Some(())
    }

    fn rule(self, stopwatch: Option<u64>) -> TimeRule {
        let minute = Duration::from_secs(60);
        let unit = self.unit.unwrap_or(Duration::from_secs(1));
        let stopwatch = stopwatch.filter(|_| unit == minute).map(Duration::from_secs);
        let scale = if stopwatch.is_some() { 1.0 } else { unit.as_secs_f64() };
        let time = |amount: f64| Duration::from_secs_f64((amount * scale).clamp(0.0, MAX_SECONDS));
        let TimeAmounts { total, byoyomi, delay, increment, least_time_per_move } = self.amounts;
        TimeRule {
            unit: stopwatch.unwrap_or(unit),
            total: time(total),
            // A stopwatch has no byoyomi: it is the unit that it counts by.
            byoyomi: if stopwatch.is_some() { Duration::ZERO } else { time(byoyomi) },
            delay: time(delay),
            increment: time(increment),
            least_time_per_move: time(least_time_per_move),
            round_up: self.round_up,
        }
    }
}

/// A number, which some servers write with a fraction.
fn parse_amount(value: &str) -> Option<f64> {
    let number: f64 = value.parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number)
}

/// `1sec`, `10msec`, `1min`; the number may be missing.
fn parse_unit(value: &str) -> Option<Duration> {
    let split = value.find(|c: char| !c.is_ascii_digit())?;
    let (number, word) = value.split_at(split);
    let number: u32 = if number.is_empty() { 1 } else { number.parse().ok()? };
    let one = match word {
        "msec" => Duration::from_millis(1),
        "sec" => Duration::from_secs(1),
        "min" => Duration::from_secs(60),
        _ => return None,
    };
    one.checked_mul(number).filter(|unit| !unit.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<GameSummary, SummaryError> {
        let mut reader = SummaryReader::default();
        let found = text.lines().find_map(|line| reader.push(line));
        found.or_else(|| reader.push("END Game_Summary")).unwrap()
    }

    fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Regression: the giver of a handicap was called 後手, and the other player 先手.
    #[test]
    fn the_japanese_message_names_the_sides_of_a_handicap_game() {
        let message = |start| {
            let position = format!("BEGIN Position\n{start}\nEND Position");
            let players = "Game_ID:x\nName+:a\nName-:b\nYour_Turn:+";
            read(&format!("{players}\n{position}\n")).unwrap().message()
        };
        assert!(message("PI11KY\n-").ja.starts_with("対局x：下手a、上手b、"));
        assert!(message("PI\n+").ja.starts_with("対局x：先手a、後手b、"));
        assert!(message("PI11KY\n-").en.starts_with("game x: a (Black) against b (White), "));
    }

    /// Regression: the message began with `game : a`.
    #[test]
    fn the_message_on_a_game_without_an_id_has_no_space_for_it() {
        let message = read("Name+:a\nName-:b\nYour_Turn:+").unwrap().message();
        assert!(message.en.starts_with("game: a (Black) against b (White), "), "{message}");
        assert!(message.ja.starts_with("対局：先手a、後手b、"), "{}", message.ja);
    }

    #[test]
    fn a_proposal_of_shogi_server_is_read() {
        let text = "Protocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\n\
            Declaration:Jishogi 1.1\nGame_ID:wdoor+floodgate-300-10F+a+b+20260101000000\n\
            Name+:a\nName-:b\nYour_Turn:-\nRematch_On_Draw:NO\nTo_Move:+\nMax_Moves:256\n\
            BEGIN Time\nTime_Unit:1sec\nTotal_Time:300\nByoyomi:0\nIncrement:10\n\
            Least_Time_Per_Move:0\nEND Time\nBEGIN Position\n\
            P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA * \n\
            P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4 *  *  *  *  *  *  *  *  * \n\
            P5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \n\
            P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI * \n\
            P9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n+7776FU,T1\n-3334FU,T12\nEND Position\n\
            END Game_Summary\n";
        let summary = read(text).unwrap();
        assert_eq!(summary.id, "wdoor+floodgate-300-10F+a+b+20260101000000");
        assert_eq!((summary.us, summary.max_moves), (Color::White, Some(256)));
        assert_eq!(summary.names, ByColor(["a".into(), "b".into()]));
        let rule = TimeRule { total: s(300), increment: s(10), ..TimeRule::default() };
        assert_eq!(summary.times, ByColor([rule; 2]));
        assert_eq!(summary.start, Setup::startpos());
        let moves = [("7g7f", 1), ("3c3d", 12)].map(|(mv, t)| (mv.parse().unwrap(), s(t)));
        assert_eq!(summary.moves, moves);
    }

    #[test]
    fn nearly_everything_may_be_missing() {
        let summary = read("Your_Turn:+").unwrap();
        assert_eq!((summary.us, summary.start), (Color::Black, Setup::startpos()));
        assert_eq!((summary.id.as_str(), summary.max_moves), ("", None));
        assert_eq!(summary.times, ByColor([TimeRule::default(); 2]));
        let start = read("Your_Turn:+\nTo_Move:-\nBEGIN Position\nPI82HI22KA\nEND Position");
        assert_eq!(start.unwrap().start.side, Color::White);
    }

    #[test]
    fn times_have_units_of_their_own_and_may_differ_by_side() {
        let text = "Your_Turn:+\nBEGIN Time+\nTime_Unit:10msec\nTotal_Time:1000\nByoyomi:50\n\
            Time_Roundup:YES\nEND Time+\nBEGIN Time-\nTime_Unit:1min\nTotal_Time:15\n\
            Delay:1\nLeast_Time_Per_Move:0.5\nEND Time-";
        let times = read(text).unwrap().times;
        let black = TimeRule {
            unit: Duration::from_millis(10),
            total: s(10),
            byoyomi: Duration::from_millis(500),
            round_up: true,
            ..TimeRule::default()
        };
        assert_eq!(times[Color::Black], black);
        let white = TimeRule {
            unit: s(60),
            total: s(900),
            delay: s(60),
            least_time_per_move: s(30),
            ..Default::default()
        };
        assert_eq!(times[Color::White], white);
    }

    #[test]
    fn the_stopwatch_of_shogi_server_counts_in_seconds_whatever_it_says() {
        let text = "Game_ID:e+n-900-060+a+b+1\nYour_Turn:+\nBEGIN Time\nTime_Unit:1min\n\
            Total_Time:900\nByoyomi:60\nEND Time";
        let expected = TimeRule { unit: s(60), total: s(900), ..TimeRule::default() };
        assert_eq!(read(text).unwrap().times, ByColor([expected; 2]));
        for other in ["e+n-900-60+a+b+1", "e+n-900-0+a+b+1", "x", "e+n-900-0F+a+b"] {
            assert_eq!(stopwatch_unit(other), None, "{other}");
        }
    }

    #[test]
    fn a_buoy_is_recognised_by_the_requested_name() {
        let is_buoy = |id: &str| read(&format!("Game_ID:{id}\nYour_Turn:+")).unwrap().is_buoy;
        assert!(is_buoy("e+buoy_n-300-10F+a+b+1"));
        for other in ["e+n-300-10F+buoy_a+b+1", "e+a_buoy_n-300-10F+a+b+1", "buoy_n-300-10F", ""] {
            assert!(!is_buoy(other), "{other}");
        }
    }

    #[test]
    fn a_game_summary_that_cannot_be_played_is_refused_with_the_reason() {
        let error = |text: &str| read(text).unwrap_err().message().en;
        assert_eq!(error(""), "Your_Turn is missing");
        assert_eq!(error("Your_Turn:x"), "Your_Turn cannot be \"x\"");
        assert_eq!(error("Format:Go 1.0\nYour_Turn:+"), "the format \"Go 1.0\" is not supported");
        for time in ["Time_Unit:1week", "Time_Unit:0sec", "Total_Time:-1", "Byoyomi:inf", "Delay:x"]
        {
            error(&format!("Your_Turn:+\nBEGIN Time\n{time}\nEND Time"));
        }
        let moves = "Your_Turn:+\nBEGIN Position\nPI\n+\n+7775FU\nEND Position";
        assert!(error(moves).starts_with("its position: line 3: move 1"), "{}", error(moves));
    }

    /// Regression: the id in `REJECT` had the space, so it was not the server's.
    #[test]
    fn the_id_of_an_invalid_proposal_has_no_spaces() {
        let mut reader = SummaryReader::default();
        reader.push("Game_ID: e+n-300-10F+a+b+1");
        assert_eq!(reader.id(), "e+n-300-10F+a+b+1");
    }

    #[test]
    fn a_proposal_without_end_is_given_up() {
        let mut reader = SummaryReader::default();
        let found = (0..=MAX_LINES).find_map(|_| reader.push("x:y"));
        assert_eq!(found, Some(Err(SummaryError::TooLong)));
        let long = "x".repeat(MAX_BYTES + 1);
        assert_eq!(SummaryReader::default().push(&long), Some(Err(SummaryError::TooLong)));
    }
}
