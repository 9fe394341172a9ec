//! Parses one line of the GUI.

use std::time::Duration;

use kawasemi::types::excerpt;

use crate::engine::clock::Go;
use crate::engine::ofen::Position;

/// A command of the GUI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Uoi,
    NewGame,
    SetOption {
        name: String,
        value: String,
    },
    ScoreType,
    IsReady,
    /// `None` if it was refused: the position of the GUI is then unknown.
    Position(Option<Position>),
    Go(Go),
    Pass(Position),
    Stop,
    GameOver,
    Quit,
}

/// The result of parsing a line, complete or in part.
#[derive(Debug, PartialEq, Eq)]
pub struct Parsed {
    /// `None` for a comment, and for a line without a valid command.
    pub command: Option<Command>,
    /// The error in the line, if any.
    pub error: Option<String>,
}

/// Parses one line of any bytes.
pub fn parse(line: &[u8]) -> Parsed {
    let text = String::from_utf8_lossy(line);
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    match words[..] {
        [] => Parsed { command: None, error: None },
        [first, ..] if first.starts_with('#') => Parsed { command: None, error: None },
        ["uoi"] => command(Command::Uoi),
        ["uoinewgame"] => command(Command::NewGame),
        ["isready"] => command(Command::IsReady),
        ["stop"] => command(Command::Stop),
        ["quit"] => command(Command::Quit),
        ["score", "scale", "and", "type"] => command(Command::ScoreType),
        ["setoption", ref rest @ ..] => set_option(rest),
        ["position", ref rest @ ..] => position(rest),
        ["pass", ref rest @ ..] => pass(rest),
        ["go", ref rest @ ..] => go(rest),
        ["gameover", ref rest @ ..] => game_over(rest),
        _ => refused(format!("no command: \"{}\"", excerpt(line))),
    }
}

fn command(command: Command) -> Parsed {
    Parsed { command: Some(command), error: None }
}

fn refused(error: String) -> Parsed {
    Parsed { command: None, error: Some(error) }
}

fn set_option(words: &[&str]) -> Parsed {
    let ["name", rest @ ..] = words else {
        return refused("setoption needs name and value".into());
    };
    let Some(at) = rest.iter().position(|&word| word == "value").filter(|&at| at > 0) else {
        return refused("setoption needs name and value".into());
    };
    let (name, value) = (rest[..at].join(" "), rest[at + 1..].join(" "));
    command(Command::SetOption { name, value })
}

fn parse_position(words: &[&str]) -> Result<Position, String> {
    match words {
        [ofen] => Position::from_ofen(ofen).map_err(|error| error.to_string()),
        _ => Err(format!("one ofen is needed, not {} words", words.len())),
    }
}

fn position(words: &[&str]) -> Parsed {
    let (position, error) = match parse_position(words) {
        Ok(position) => (Some(position), None),
        Err(error) => (None, Some(format!("position refused: {error}"))),
    };
    Parsed { command: Some(Command::Position(position)), error }
}

fn pass(words: &[&str]) -> Parsed {
    match parse_position(words) {
        Ok(position) => command(Command::Pass(position)),
        Err(error) => refused(format!("pass refused: {error}")),
    }
}

/// Parses the arguments of `go`. Invalid words are ignored, because every `go` needs an answer; a word that is not the
/// time of a clock may be the next argument. A negative time is zero.
fn go(words: &[&str]) -> Parsed {
    let mut go = Go::default();
    let mut error = None;
    let mut rest = words.iter();
    while let Some(&word) = rest.next() {
        let mut millis = || {
            let number: i64 = rest.as_slice().first()?.parse().ok()?;
            rest.next();
            Some(Duration::from_millis(number.max(0) as u64))
        };
        let known = match word {
            "infinite" => {
                go.is_infinite = true;
                Some(())
            }
            "btime" => millis().map(|time| go.time[0] = Some(time)),
            "wtime" => millis().map(|time| go.time[1] = Some(time)),
            "binc" => millis().map(|time| go.increment[0] = time),
            "winc" => millis().map(|time| go.increment[1] = time),
            _ => None,
        };
        if known.is_none() && error.is_none() {
            error = Some(format!("go: \"{}\" is ignored", excerpt(word)));
        }
    }
    Parsed { command: Some(Command::Go(go)), error }
}

/// Parses the arguments of `gameover`. It ends the search even if they are invalid.
fn game_over(words: &[&str]) -> Parsed {
    let is_number = |word: &str| word.parse::<u8>().is_ok_and(|discs| discs <= 64);
    let is_known = match words {
        [result, "by", reason, "bstone", black, "wstone", white] => {
            ["black_win", "white_win", "draw"].contains(result)
                && ["resign", "double_pass", "abnormal"].contains(reason)
                && is_number(black)
                && is_number(white)
        }
        _ => false,
    };
    let error = (!is_known).then(|| "gameover: its result is not understood".to_owned());
    Parsed { command: Some(Command::GameOver), error }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::engine::testing::START;

    fn parsed(line: &str) -> (Option<Command>, Option<String>) {
        let Parsed { command, error } = parse(line.as_bytes());
        (command, error)
    }

    #[test]
    fn every_command_of_the_draft_is_known() {
        let second = Duration::from_secs(1);
        let clock = Go { time: [Some(second), Some(2 * second)], ..Go::default() };
        let with_increment = Go { increment: [3 * second, 4 * second], ..clock };
        let infinite = Go { is_infinite: true, ..Go::default() };
        let option = Command::SetOption { name: "Hash".into(), value: "64".into() };
        for (line, expected) in [
            ("uoi", Command::Uoi),
            ("uoinewgame", Command::NewGame),
            ("setoption name Hash value 64", option),
            ("score scale and type", Command::ScoreType),
            ("isready", Command::IsReady),
            ("go btime 1000 wtime 2000", Command::Go(clock)),
            ("go btime 1000 wtime 2000 binc 3000 winc 4000", Command::Go(with_increment)),
            ("go infinite", Command::Go(infinite)),
            ("stop", Command::Stop),
            ("gameover black_win by double_pass bstone 40 wstone 24", Command::GameOver),
            ("gameover white_win by resign bstone 4 wstone 60", Command::GameOver),
            ("gameover draw by abnormal bstone 2 wstone 2", Command::GameOver),
            ("quit", Command::Quit),
            (&format!("position {START}"), Command::Position(Some(Position::START))),
            (&format!("pass {START}"), Command::Pass(Position::START)),
        ] {
            assert_eq!(parsed(line), (Some(expected), None), "{line}");
        }
    }

    /// Regression: the engine searched for a second when its time was over.
    #[test]
    fn a_negative_time_is_zero() {
        let go = Go { time: [Some(Duration::ZERO), Some(Duration::from_secs(1))], ..Go::default() };
        let expected = (Some(Command::Go(go)), None);
        assert_eq!(parsed("go btime -30 wtime 1000 binc -1 winc 0"), expected);
    }

    /// Regression: the name of the next clock was taken for the time, and White searched for a second.
    #[test]
    fn a_clock_without_a_time_does_not_cost_the_next_one() {
        let go = Go { time: [None, Some(Duration::from_secs(2))], ..Go::default() };
        let ignored = "go: \"btime\" is ignored";
        assert_eq!(parsed("go btime wtime 2000"), (Some(Command::Go(go)), Some(ignored.into())));
        let go = Go { is_infinite: true, ..Go::default() };
        let ignored = "go: \"binc\" is ignored";
        assert_eq!(parsed("go binc infinite"), (Some(Command::Go(go)), Some(ignored.into())));
    }

    #[test]
    fn a_comment_has_no_effect() {
        for line in ["# uoi", "#go", " #", " "] {
            assert_eq!(parsed(line), (None, None), "{line}");
        }
    }

    #[test]
    fn a_refused_line_is_explained_and_has_no_effect() {
        for (line, expected) in [
            ("usi", "no command: \"usi\""),
            ("quit now", "no command: \"quit now\""),
            ("setoption Hash 3", "setoption needs name and value"),
            ("setoption name value 3", "setoption needs name and value"),
            ("pass", "pass refused: one ofen is needed, not 0 words"),
        ] {
            assert_eq!(parsed(line), (None, Some(expected.into())), "{line}");
        }
    }

    /// The GUI waits for an answer to `go`, and the engine does not know the position after an invalid `position`.
    #[test]
    fn a_damaged_line_that_the_gui_relies_on_has_an_effect() {
        let refused = "position refused: an ofen has 65 characters, not 8";
        assert_eq!(
            parsed("position startpos"),
            (Some(Command::Position(None)), Some(refused.into()))
        );
        let go = Go { time: [None, Some(Duration::from_secs(2))], ..Go::default() };
        let ignored = "go: \"btime\" is ignored";
        assert_eq!(parsed("go btime x wtime 2000"), (Some(Command::Go(go)), Some(ignored.into())));
        let unknown = "gameover: its result is not understood";
        assert_eq!(parsed("gameover win"), (Some(Command::GameOver), Some(unknown.into())));
    }

    proptest! {
        #[test]
        fn any_bytes_are_parsed(line: Vec<u8>) {
            parse(&line);
        }
    }
}
