//! The command `help`: lists the commands, or explains a command or an option. In English, like the
//! whole protocol.

use super::options::{self, OptionError, UsiOption};
use crate::engine::Settings;

/// Examples of commands with their meaning: the commands that are useful at a terminal.
const COMMANDS: [(&str, &str); 26] = [
    ("help", "list the commands"),
    ("help Threads", "explain an option or, as in help go, a command"),
    ("usi", "show the name and the options of the engine"),
    ("setoption name Threads value 2", "set an option"),
    ("getoption Threads", "show the value of an option; getoption alone shows all"),
    ("isready", "prepare everything, then answer readyok"),
    ("usinewgame", "start a new game"),
    ("position startpos moves 7g7f 3c3d", "set up a game"),
    ("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1", "set up a position"),
    ("posdiff 2g2f", "play moves from the current position"),
    ("d", "show the board"),
    ("moves", "list the legal moves"),
    ("key", "show the hash key of the position"),
    ("side", "show the side to move, black or white"),
    ("eval", "show the static evaluation of the position"),
    ("compiler", "show the build, the evaluation and its CPU instructions"),
    ("go byoyomi 1000", "search for at most this many milliseconds"),
    ("go movetime 1000", "search for exactly this many milliseconds"),
    ("go depth 12", "search to this depth in plies"),
    ("go nodes 100000", "search this many nodes"),
    ("go infinite", "search until stop"),
    ("go mate 10000", "search for a mate for at most this many milliseconds"),
    ("go perft 4", "count the legal move sequences of this length"),
    ("stop", "stop the search and get its answer"),
    ("debug on", "show more messages; debug off, fewer"),
    ("quit", "end the program"),
];

/// Commands that only GUIs and `kawasemi cluster` send: explained by name, but not listed.
const GUI_COMMANDS: [(&str, &str); 4] = [
    ("ponderhit", "the expected move was played: continue the search on the clock"),
    ("gameover win", "stop the search"),
    ("entries", "put search results of another worker of a cluster into the transposition table"),
    ("register later", "answered by registration ok; no registration is needed"),
];

/// One line for each command.
pub(super) fn commands() -> Vec<String> {
    COMMANDS.iter().map(|&command| explain_command(command)).collect()
}

/// Explains the command or option of this name.
///
/// # Errors
/// If no command or option has this name.
pub(super) fn on(
    name: &[u8],
    initial: &Settings,
    settings: &Settings,
) -> Result<Vec<String>, OptionError> {
    let begins = |line: &str| {
        let rest = line.as_bytes().strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b" "))
    };
    let commands = COMMANDS.iter().chain(&GUI_COMMANDS).filter(|(line, _)| begins(line));
    let lines: Vec<String> = commands.map(|&command| explain_command(command)).collect();
    if !lines.is_empty() {
        return Ok(lines);
    }
    let option = options::find_or_suggest(initial.profile.book_options, name);
    option.map(|option| explain_option(option, initial, settings).into())
}

fn explain_command((line, meaning): (&str, &str)) -> String {
    format!("{line}: {meaning}")
}

fn explain_option(option: &UsiOption, initial: &Settings, settings: &Settings) -> [String; 2] {
    let aliases: String = option.aliases.iter().map(|alias| format!(" (or {alias})")).collect();
    let (default, now) = (option.value(initial), option.value(settings));
    [
        format!("{}{aliases}: {}", option.name, option.help.en),
        format!("values: {}; default: {default}; now: {now}", option.kind.values("")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::BookOptionSet;
    use crate::usi::command::{Command, parse};
    use crate::usi::options::declared;

    fn try_help_on(name: &str) -> Result<Vec<String>, OptionError> {
        let settings = Settings { hash_mib: 64, ..Settings::default() };
        on(name.as_bytes(), &Settings::default(), &settings)
    }

    fn help_on(name: &str) -> Vec<String> {
        try_help_on(name).unwrap()
    }

    #[test]
    fn every_listed_command_is_parsed() {
        for (line, _) in COMMANDS.into_iter().chain(GUI_COMMANDS) {
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

    /// Regression: the manual lacked `posdiff` and `debug`.
    #[test]
    fn the_manual_lists_the_commands_that_usi_lacks() {
        const USI: [&str; 8] =
            ["usi", "setoption", "isready", "usinewgame", "position", "go", "stop", "quit"];
        let manual = include_str!("../../docs/usi.md");
        for word in COMMANDS.iter().filter_map(|(line, _)| line.split(' ').next()) {
            let is_listed = |end| manual.contains(&format!("| `{word}{end}"));
            assert!(USI.contains(&word) || is_listed('`') || is_listed(' '), "{word}");
        }
    }

    #[test]
    fn every_command_and_every_option_is_explained_in_ascii() {
        let words = COMMANDS.iter().filter_map(|(line, _)| line.split(' ').next());
        for name in words.chain(declared(BookOptionSet::V1).map(|option| option.name)) {
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
        assert!(meaning.starts_with("USI_Hash (or Hash): Transposition table "), "{meaning}");
        assert_eq!(values, "values: 1 to 33554432; default: 256; now: 64");
        assert_eq!(help_on("hash"), help_on("USI_Hash"));
        assert_eq!(
            help_on("MateAim")[1],
            "values: First (the first mate found), Short (shortened by a quick search), Shortest (proven \
             shortest); default: Shortest; now: Shortest"
        );
        let kernels = &help_on("EvalKernel")[1];
        assert!(kernels.starts_with("values: auto (fastest available), scalar, "), "{kernels}");
    }

    #[test]
    fn commands_of_guis_are_explained_by_name() {
        for name in ["ponderhit", "gameover", "gameover win", "entries", "register"] {
            let lines = help_on(name);
            assert!(lines.len() == 1 && lines[0].starts_with(name), "{lines:?}");
            assert!(lines[0].bytes().all(|byte| matches!(byte, b' '..=b'~')), "{lines:?}");
        }
    }

    #[test]
    fn a_command_is_explained_by_its_first_words() {
        assert_eq!(help_on("d"), ["d: show the board"]);
        assert_eq!(help_on("go").len(), 7);
        assert_eq!(
            help_on("go mate"),
            ["go mate 10000: search for a mate for at most this many milliseconds"]
        );
        for name in ["g", "go m", "joho"] {
            let message = try_help_on(name).unwrap_err().to_string();
            assert_eq!(message, format!("no option is called \"{name}\""));
        }
    }
}
