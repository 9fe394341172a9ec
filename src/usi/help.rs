//! The answer to `help`: what may be typed in a conversation, and what an option is for.
//!
//! Owns the choice of commands that a person needs and the words on them; those on options are the
//! registry's. In English, as all that the protocol carries.

use super::options::{self, OptionError, Row};
use crate::engine::Settings;

/// What may be typed, and what it does. Of USI no more than a person needs who is no GUI.
const COMMANDS: [(&str, &str); 26] = [
    ("help", "list what may be typed"),
    ("help Threads", "explain an option; help go, a command"),
    ("usi", "say which engine this is and which options it has"),
    ("setoption name Threads value 2", "set an option"),
    ("getoption Threads", "show an option as it is; getoption alone, all of them"),
    ("isready", "get everything ready, and answer readyok"),
    ("usinewgame", "forget the last game"),
    ("position startpos moves 7g7f 3c3d", "set up a game"),
    ("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1", "set up a position"),
    ("posdiff 2g2f", "play on from the position that stands"),
    ("d", "show the board"),
    ("moves", "list the legal moves"),
    ("key", "show the key of the position"),
    ("side", "say whose move it is, black or white"),
    ("eval", "show what the position is worth before any search"),
    ("compiler", "show which evaluation is in use, and with which instructions"),
    ("go byoyomi 1000", "search for a move, for so many milliseconds at most"),
    ("go movetime 1000", "search for so many milliseconds"),
    ("go depth 12", "search so many plies deep"),
    ("go nodes 100000", "search so many positions"),
    ("go infinite", "search until stop"),
    ("go mate 10000", "search for a mate by the side to move"),
    ("go perft 4", "count the legal move sequences of this length"),
    ("stop", "end the search, and answer with what it has found"),
    ("debug on", "tell more of what goes on; debug off, less"),
    ("quit", "end the program"),
];

/// What a person hardly types, and is told of who asks for it by name.
const OF_GUIS: [(&str, &str); 3] = [
    ("ponderhit", "the move that a go ponder waits for was played: search on by the clock"),
    ("gameover win", "end the search, as stop does"),
    ("register later", "answered by registration ok: nothing need be registered"),
];

/// A line for each thing that may be typed.
pub(super) fn commands() -> Vec<String> {
    COMMANDS.iter().map(|&command| taught(command)).collect()
}

/// What there is to say of a command or an option of this name.
///
/// # Errors
/// There is neither.
pub(super) fn on(
    name: &[u8],
    initial: &Settings,
    settings: &Settings,
) -> Result<Vec<String>, OptionError> {
    let begins = |line: &str| {
        let rest = line.as_bytes().strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b" "))
    };
    let commands = COMMANDS.iter().chain(&OF_GUIS).filter(|(line, _)| begins(line));
    let lines: Vec<String> = commands.map(|&command| taught(command)).collect();
    if !lines.is_empty() {
        return Ok(lines);
    }
    options::named(name).map(|row| explained(row, initial, settings).into())
}

fn taught((line, meaning): (&str, &str)) -> String {
    format!("{line}: {meaning}")
}

fn explained(row: &Row, initial: &Settings, settings: &Settings) -> [String; 2] {
    let aliases: String = row.aliases.iter().map(|alias| format!(" (or {alias})")).collect();
    let (default, now) = (row.value(initial), row.value(settings));
    [
        format!("{}{aliases}: {}", row.name, row.help.en),
        format!("values: {}; default: {default}; now: {now}", row.kind.values("")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usi::command::{Command, parse};
    use crate::usi::options::declared;

    fn try_help_on(name: &str) -> Result<Vec<String>, OptionError> {
        let settings = Settings { hash_mb: 64, ..Settings::default() };
        on(name.as_bytes(), &Settings::default(), &settings)
    }

    fn help_on(name: &str) -> Vec<String> {
        try_help_on(name).unwrap()
    }

    #[test]
    fn what_is_taught_is_understood() {
        for (line, _) in COMMANDS.into_iter().chain(OF_GUIS) {
            let parsed = parse(line.as_bytes());
            assert!(parsed.command.is_some() && parsed.errors.is_empty(), "{line}");
            let named = match parsed.command {
                Some(Command::SetOption { name, .. }) => name,
                Some(Command::GetOption(name) | Command::Help(name)) => name.unwrap_or_default(),
                _ => continue,
            };
            assert!(named.is_empty() || options::find(&named).is_some(), "{line}");
        }
    }

    #[test]
    fn every_command_and_every_option_is_explained_in_ascii() {
        let words = COMMANDS.iter().filter_map(|(line, _)| line.split(' ').next());
        for name in words.chain(declared().map(|row| row.name)) {
            let lines = help_on(name);
            assert!(!lines.is_empty(), "{name}");
            for line in lines {
                assert!(line.starts_with(name) || line.starts_with("values: "), "{line}");
                assert!(line.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{line}");
            }
        }
    }

    #[test]
    fn an_option_is_explained_with_its_values_by_any_of_its_names() {
        let lines = help_on("usi_hash");
        let [meaning, values] = &lines[..] else { panic!("{lines:?}") };
        assert!(meaning.starts_with("USI_Hash (or Hash): MiB for the "), "{meaning}");
        assert_eq!(values, "values: 1 to 33554432; default: 256; now: 64");
        assert_eq!(help_on("hash"), help_on("USI_Hash"));
        assert_eq!(
            help_on("MateAim")[1],
            "values: First (the first one found), Short (shorter where that is cheap), Shortest \
             (proven to be the shortest); default: Shortest; now: Shortest"
        );
    }

    /// They were said to be no commands.
    #[test]
    fn commands_that_guis_send_are_explained_to_who_asks_for_them() {
        for name in ["ponderhit", "gameover", "gameover win", "register"] {
            let lines = help_on(name);
            assert!(lines.len() == 1 && lines[0].starts_with(name), "{lines:?}");
            assert!(lines[0].bytes().all(|byte| matches!(byte, b' '..=b'~')), "{lines:?}");
        }
    }

    #[test]
    fn a_command_is_explained_by_its_first_words() {
        assert_eq!(help_on("d"), ["d: show the board"]);
        assert_eq!(help_on("go").len(), 7);
        assert_eq!(help_on("go mate"), ["go mate 10000: search for a mate by the side to move"]);
        for name in ["g", "go m", "joho"] {
            let said = try_help_on(name).unwrap_err().to_string();
            assert_eq!(said, format!("no option is called \"{name}\""));
        }
    }
}
