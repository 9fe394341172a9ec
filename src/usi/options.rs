//! The registry: one row for each option, and what is made from the rows.
//!
//! A row holds what the outside must know of an option: its name, the range it accepts, a line of
//! help. From the rows come the `option` lines, the parser with its range check, the table in the
//! README and `engine_define.xml`. The values and their defaults are [`Settings`]; what a changed
//! setting does is the engine's affair.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

use super::quote::{ascii, quote};
use crate::engine::Settings;
use crate::position::EnteringKingRule;
use crate::types::MAX_PLY;

/// One option.
#[derive(Debug)]
pub struct Row {
    /// As declared to the GUI. Without blanks: several GUIs cut names there.
    pub name: &'static str,
    /// Names accepted besides, for GUIs that write the option otherwise. Not declared: a GUI that
    /// is told of two options sets both.
    pub aliases: &'static [&'static str],
    pub group: Group,
    pub kind: Kind,
    /// The default in words, where it depends on the machine.
    pub varying_default: Option<&'static str>,
    /// One line of help, ASCII.
    pub help: &'static str,
}

/// Related options, in the order in which a user looks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Engine,
    Strength,
    Analysis,
    Rules,
    Time,
    Files,
}

impl Group {
    pub const ALL: [Group; 6] =
        [Group::Engine, Group::Strength, Group::Analysis, Group::Rules, Group::Time, Group::Files];

    pub fn title(self) -> &'static str {
        match self {
            Group::Engine => "Engine",
            Group::Strength => "Strength",
            Group::Analysis => "Analysis",
            Group::Rules => "Rules of the game",
            Group::Time => "Time",
            Group::Files => "Files",
        }
    }
}

/// What an option may be set to, and where it lives in the settings.
#[derive(Debug)]
pub enum Kind {
    Check {
        get: fn(&Settings) -> bool,
        set: fn(&mut Settings, bool),
    },
    /// A number of the range, both ends included.
    Spin {
        min: i64,
        max: i64,
        get: fn(&Settings) -> i64,
        set: fn(&mut Settings, i64),
    },
    /// One of some words, each with a label for people. The value is the index of the word.
    Combo {
        words: &'static [Word],
        get: fn(&Settings) -> usize,
        set: fn(&mut Settings, usize),
    },
    /// A path; none for the empty text.
    File {
        get: fn(&Settings) -> Option<&Path>,
        set: fn(&mut Settings, Option<PathBuf>),
    },
}

/// A word of a combo: as sent, and as a person reads it (no commas).
pub type Word = (&'static str, &'static str);

/// How the protocol spells an empty text.
const EMPTY: &str = "<empty>";

macro_rules! check {
    ($field:ident) => {
        Kind::Check {
            get: |settings| settings.$field,
            set: |settings, value| settings.$field = value,
        }
    };
}

// The casts lose nothing: a value set is within the range, and every range within the field's type.
macro_rules! spin {
    ($min:expr, $max:expr, $($field:tt)+) => {
        Kind::Spin {
            min: $min,
            max: $max,
            get: |settings| settings.$($field)+ as i64,
            set: |settings, value| settings.$($field)+ = value as _,
        }
    };
}

macro_rules! path {
    ($field:ident) => {
        Kind::File {
            get: |settings| settings.$field.as_deref(),
            set: |settings, value| settings.$field = value,
        }
    };
}

/// A row as most are: no other names, and the same default on every machine.
const fn row(name: &'static str, group: Group, kind: Kind, help: &'static str) -> Row {
    Row { name, aliases: &[], group, kind, varying_default: None, help }
}

/// The entering-king rules in the order of the words of the option.
const KING_RULES: [EnteringKingRule; 6] = [
    EnteringKingRule::None,
    EnteringKingRule::Csa24,
    EnteringKingRule::Csa24Handicap,
    EnteringKingRule::Csa27,
    EnteringKingRule::Csa27Handicap,
    EnteringKingRule::Try,
];

const KING_RULE_WORDS: [Word; 6] = [
    ("NoEnteringKing", "no declaration"),
    ("CSARule24", "24 points"),
    ("CSARule24H", "24 points with handicap"),
    ("CSARule27", "27 points"),
    ("CSARule27H", "27 points with handicap"),
    ("TryRule", "try rule"),
];

const KING_RULE: Kind = Kind::Combo {
    words: &KING_RULE_WORDS,
    get: |settings| {
        KING_RULES.iter().position(|&rule| rule == settings.entering_king).unwrap_or_default()
    },
    set: |settings, index| settings.entering_king = KING_RULES[index],
};

/// All options, in the order in which they are declared.
pub static ROWS: [Row; 31] = [
    Row {
        name: "USI_Hash",
        aliases: &["Hash"],
        group: Group::Engine,
        kind: spin!(1, 33_554_432, hash_mb),
        varying_default: None,
        help: "Memory for the transposition table in MiB. Less is used if the system refuses.",
    },
    Row {
        name: "Threads",
        aliases: &[],
        group: Group::Engine,
        kind: spin!(1, 1024, threads),
        varying_default: Some("one for each processor, at most 32"),
        help: "Processors to think with.",
    },
    row(
        "USI_Ponder",
        Group::Engine,
        check!(ponder),
        "The GUI lets the engine think on the opponent's time; own moves may then take longer.",
    ),
    row(
        "Stochastic_Ponder",
        Group::Engine,
        check!(stochastic_ponder),
        "Ponder on the position before the expected move, so that no reply is a surprise.",
    ),
    row(
        "USI_OwnBook",
        Group::Engine,
        check!(own_book),
        "Play from the engine's own opening book where there is one. None is shipped yet.",
    ),
    row(
        "USI_LimitStrength",
        Group::Strength,
        check!(limit_strength),
        "Play weaker, as USI_Strength says.",
    ),
    row(
        "USI_Strength",
        Group::Strength,
        spin!(-15, 9, strength),
        "Level when limited: -15 is 15 kyu (beginner), -1 is 1 kyu, 1 is 1 dan, 9 is 9 dan. Estimates.",
    ),
    row(
        "DepthLimit",
        Group::Strength,
        spin!(0, MAX_PLY as i64, depth_limit),
        "Most plies to search when the GUI asks for no depth; 0 for no limit.",
    ),
    row(
        "NodesLimit",
        Group::Strength,
        spin!(0, i64::MAX, nodes_limit),
        "Most positions to search when the GUI asks for no count; 0 for no limit.",
    ),
    row(
        "ResignValue",
        Group::Strength,
        spin!(0, Settings::NEVER_RESIGN as i64, resign_value),
        "Resign when this many centipawns behind; 99999 to play on to the mate.",
    ),
    Row {
        name: "MultiPV",
        aliases: &["USI_MultiPV"],
        group: Group::Analysis,
        kind: spin!(1, 600, multi_pv),
        varying_default: None,
        help: "Candidate moves to show.",
    },
    row(
        "USI_AnalyseMode",
        Group::Analysis,
        check!(analysis),
        "Judge as in analysis, the same from both sides, not as in a game.",
    ),
    row(
        "ConsiderationMode",
        Group::Analysis,
        check!(consideration),
        "Show lines to their full length, ended by rep_draw, win and the like. Not every GUI copes.",
    ),
    row(
        "OutputFailLHPV",
        Group::Analysis,
        check!(report_bounds),
        "Show scores too that are only known to be at least or at most so high.",
    ),
    row(
        "PvInterval",
        Group::Analysis,
        spin!(0, 100_000, pv_interval_ms),
        "Milliseconds at least between two reports; 0 for every one.",
    ),
    row(
        "GenerateAllLegalMoves",
        Group::Analysis,
        check!(all_legal_moves),
        "Consider pointless non-promotions too.",
    ),
    row(
        "USI_ShowCurrLine",
        Group::Analysis,
        check!(show_current_line),
        "Report the line being searched. Not every GUI copes.",
    ),
    row(
        "USI_ShowRefutations",
        Group::Analysis,
        check!(show_refutations),
        "Report what refutes each move. Not every GUI copes.",
    ),
    row("EnteringKingRule", Group::Rules, KING_RULE, "How an entered king wins by declaration."),
    row(
        "MaxMovesToDraw",
        Group::Rules,
        spin!(0, 100_000, max_moves_to_draw),
        "The game is a draw after this many moves; 0 for no limit.",
    ),
    row(
        "DrawValueBlack",
        Group::Rules,
        spin!(-30_000, 30_000, draw_value.0[0]),
        "Centipawns that a draw is worth to the engine as Black (sente).",
    ),
    row(
        "DrawValueWhite",
        Group::Rules,
        spin!(-30_000, 30_000, draw_value.0[1]),
        "Centipawns that a draw is worth to the engine as White (gote).",
    ),
    row(
        "NetworkDelay",
        Group::Time,
        spin!(0, 10_000, network_delay_ms),
        "Milliseconds that every move loses on its way. About 120 for play over a network.",
    ),
    row(
        "NetworkDelay2",
        Group::Time,
        spin!(0, 10_000, network_delay2_ms),
        "Milliseconds kept back from the last reserve. About 1120 for play over a network.",
    ),
    row(
        "MinimumThinkingTime",
        Group::Time,
        spin!(0, 100_000, minimum_thinking_ms),
        "Milliseconds to think on a move at least, where the clock allows.",
    ),
    row(
        "SlowMover",
        Group::Time,
        spin!(1, 1000, slow_mover_percent),
        "Percent of the usual time to take early in the game.",
    ),
    row(
        "RoundUpToFullSecond",
        Group::Time,
        check!(round_up_to_full_second),
        "Use each second begun to its end, for clocks that count whole seconds only.",
    ),
    row(
        "EvalFile",
        Group::Files,
        path!(eval_file),
        "Evaluation file instead of the built-in evaluation. Not used yet.",
    ),
    row(
        "FV_SCALE",
        Group::Files,
        spin!(0, 128, fv_scale),
        "Divisor of the evaluation file's scores; 0 for what the file says. Not used yet.",
    ),
    row(
        "DebugLogFile",
        Group::Files,
        path!(debug_log),
        "Write all lines from and to the GUI into this file.",
    ),
    row(
        "ThinkingLog",
        Group::Files,
        path!(thinking_log),
        "Write the session into this file in the Thinking Log Format.",
    ),
];

/// Why an option was not set. Foreign text in it is already fit to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    UnknownName {
        name: String,
    },
    MissingValue {
        name: &'static str,
    },
    NotABoolean {
        name: &'static str,
        value: String,
    },
    NotANumber {
        name: &'static str,
        value: String,
    },
    OutOfRange {
        name: &'static str,
        value: String,
        min: i64,
        max: i64,
    },
    NotAWord {
        name: &'static str,
        value: String,
        words: &'static [Word],
    },
    /// `NAME=VALUE` was expected.
    NotAnAssignment {
        text: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::UnknownName { name } => write!(f, "no option is called {name}"),
            OptionError::MissingValue { name } => write!(f, "option {name} needs a value"),
            OptionError::NotABoolean { name, value } => {
                write!(f, "option {name} is true or false, not {value}")
            }
            OptionError::NotANumber { name, value } => {
                write!(f, "option {name} is a number, not {value}")
            }
            OptionError::OutOfRange { name, value, min, max } => {
                write!(f, "option {name} is from {min} to {max}, not {value}")
            }
            OptionError::NotAWord { name, value, words } => {
                write!(f, "option {name} is one of")?;
                words.iter().try_for_each(|(word, _)| write!(f, " {word}"))?;
                write!(f, ", not {value}")
            }
            OptionError::NotAnAssignment { text } => {
                write!(f, "an option is set by NAME=VALUE, not by {text}")
            }
        }
    }
}

impl std::error::Error for OptionError {}

/// The option of this name or alias, upper and lower case alike.
pub fn find(name: &[u8]) -> Option<&'static Row> {
    let same = |known: &&str| known.as_bytes().eq_ignore_ascii_case(name);
    ROWS.iter().find(|row| same(&row.name) || row.aliases.iter().any(same))
}

/// Sets one option. On an error the settings are as before.
///
/// ```
/// use kawasemi::engine::Settings;
/// use kawasemi::usi::options;
/// let mut settings = Settings::default();
/// options::set(&mut settings, b"hash", Some(b"64")).unwrap();
/// assert_eq!(settings.hash_mb, 64);
/// let error = options::set(&mut settings, b"Threads", Some(b"0")).unwrap_err();
/// assert_eq!(error.to_string(), "option Threads is from 1 to 1024, not \"0\"");
/// ```
pub fn set(
    settings: &mut Settings,
    name: &[u8],
    value: Option<&[u8]>,
) -> Result<&'static Row, OptionError> {
    let row = find(name).ok_or_else(|| OptionError::UnknownName { name: quote(name) })?;
    let value = value.ok_or(OptionError::MissingValue { name: row.name })?;
    row.set(settings, value)?;
    Ok(row)
}

/// Sets one option by `NAME=VALUE`, as on the command line.
pub fn assign(settings: &mut Settings, text: &[u8]) -> Result<&'static Row, OptionError> {
    let error = || OptionError::NotAnAssignment { text: quote(text) };
    let equals = text.iter().position(|&byte| byte == b'=').ok_or_else(error)?;
    set(settings, &text[..equals], Some(&text[equals + 1..]))
}

/// The `option` lines. Their defaults are what `initial` holds: a GUI sends every option at its
/// declared default, and must not undo what the command line has set.
pub fn declarations(initial: &Settings) -> impl Iterator<Item = String> {
    ROWS.iter().map(|row| row.declaration(initial))
}

impl Row {
    fn set(&self, settings: &mut Settings, value: &[u8]) -> Result<(), OptionError> {
        let name = self.name;
        match &self.kind {
            Kind::Check { set, .. } => {
                let value = parse_bool(value)
                    .ok_or_else(|| OptionError::NotABoolean { name, value: quote(value) })?;
                set(settings, value);
            }
            Kind::Spin { min, max, set, .. } => set(settings, parse_spin(name, value, *min, *max)?),
            Kind::Combo { words, set, .. } => {
                let same = |(word, _): &Word| word.as_bytes().eq_ignore_ascii_case(value);
                let index = words.iter().position(same).ok_or_else(|| OptionError::NotAWord {
                    name,
                    value: quote(value),
                    words,
                })?;
                set(settings, index);
            }
            Kind::File { set, .. } => set(settings, parse_path(value)),
        }
        Ok(())
    }

    /// The value as the protocol writes it, ASCII.
    pub fn value(&self, settings: &Settings) -> Cow<'static, str> {
        match &self.kind {
            Kind::Check { get, .. } => Cow::Borrowed(if get(settings) { "true" } else { "false" }),
            Kind::Spin { get, .. } => Cow::Owned(get(settings).to_string()),
            Kind::Combo { words, get, .. } => Cow::Borrowed(words[get(settings)].0),
            Kind::File { get, .. } => match get(settings) {
                None => Cow::Borrowed(EMPTY),
                Some(path) => Cow::Owned(ascii(path.as_os_str().as_encoded_bytes())),
            },
        }
    }

    /// The line that tells a GUI of this option.
    fn declaration(&self, initial: &Settings) -> String {
        let mut line = format!("option name {} type {}", self.name, self.kind.word());
        line += " default ";
        line += &self.value(initial);
        line += &self.kind.range();
        line
    }
}

impl Kind {
    fn word(&self) -> &'static str {
        match self {
            Kind::Check { .. } => "check",
            Kind::Spin { .. } => "spin",
            Kind::Combo { .. } => "combo",
            // Not `filename`: a GUI is known that drops options of a type it does not know.
            Kind::File { .. } => "string",
        }
    }

    /// What stands behind the default: each part begins with a blank.
    fn range(&self) -> String {
        match self {
            Kind::Spin { min, max, .. } => format!(" min {min} max {max}"),
            Kind::Combo { words, .. } => {
                words.iter().map(|(word, _)| format!(" var {word}")).collect()
            }
            Kind::Check { .. } | Kind::File { .. } => String::new(),
        }
    }
}

fn parse_bool(value: &[u8]) -> Option<bool> {
    let known = [(&b"true"[..], true), (b"false", false)];
    known.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(value)).map(|(_, value)| value)
}

fn parse_spin(name: &'static str, value: &[u8], min: i64, max: i64) -> Result<i64, OptionError> {
    let digits = value.strip_prefix(b"-").or(value.strip_prefix(b"+")).unwrap_or(value);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(OptionError::NotANumber { name, value: quote(value) });
    }
    // What is a number and yet not read is too long for the type, so out of every range.
    let number = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
    let in_range = number.filter(|number| (min..=max).contains(number));
    in_range.ok_or_else(|| OptionError::OutOfRange { name, value: quote(value), min, max })
}

fn parse_path(value: &[u8]) -> Option<PathBuf> {
    let empty = value.is_empty() || value.eq_ignore_ascii_case(EMPTY.as_bytes());
    (!empty).then(|| path(value))
}

/// A path may hold any bytes.
#[cfg(unix)]
fn path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

/// A path is text.
#[cfg(not(unix))]
fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn changed(assignments: &[&str]) -> Settings {
        let mut settings = Settings::default();
        for text in assignments {
            assign(&mut settings, text.as_bytes()).unwrap();
        }
        settings
    }

    fn error(name: &str, value: Option<&str>) -> String {
        let mut settings = Settings::default();
        let error = set(&mut settings, name.as_bytes(), value.map(str::as_bytes)).unwrap_err();
        assert_eq!(settings, Settings::default(), "{name}");
        error.to_string()
    }

    /// A value that the row accepts and that is not the default.
    fn other_value(row: &Row) -> String {
        let default = row.value(&Settings::default());
        match &row.kind {
            Kind::Check { get, .. } => (!get(&Settings::default())).to_string(),
            Kind::Spin { min, max, .. } => {
                [min, max].map(ToString::to_string).into_iter().find(|end| *end != default).unwrap()
            }
            Kind::Combo { words, .. } => {
                words.iter().find(|(word, _)| *word != default).unwrap().0.to_string()
            }
            Kind::File { .. } => "some file".to_string(),
        }
    }

    #[test]
    fn every_name_is_declared_once_and_found_in_any_case() {
        let names: Vec<String> = ROWS
            .iter()
            .flat_map(|row| [&[row.name], row.aliases].concat())
            .map(str::to_ascii_lowercase)
            .collect();
        for name in &names {
            assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{name}");
            assert!(!name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '_'), "{name}");
            assert!(find(name.as_bytes()).is_some(), "{name}");
            assert!(find(name.to_ascii_uppercase().as_bytes()).is_some(), "{name}");
        }
    }

    /// Two rows on one field, or a getter and a setter on different ones, fail here.
    #[test]
    fn every_option_changes_its_own_setting_and_no_other() {
        for row in &ROWS {
            let mut settings = Settings::default();
            let value = other_value(row);
            row.set(&mut settings, value.as_bytes()).unwrap();
            assert_eq!(row.value(&settings), value, "{}", row.name);
            for other in ROWS.iter().filter(|other| other.name != row.name) {
                let default = other.value(&Settings::default());
                assert_eq!(other.value(&settings), default, "{} by {}", other.name, row.name);
            }
            row.set(&mut settings, row.value(&Settings::default()).as_bytes()).unwrap();
            assert_eq!(settings, Settings::default(), "{}", row.name);
        }
    }

    #[test]
    fn every_default_is_in_its_range() {
        for row in &ROWS {
            let default = row.value(&Settings::default());
            row.set(&mut Settings::default(), default.as_bytes()).unwrap();
        }
    }

    #[test]
    fn both_ends_of_a_range_are_accepted_and_nothing_beyond() {
        for row in &ROWS {
            let Kind::Spin { min, max, .. } = row.kind else { continue };
            for value in [min, max] {
                let mut settings = Settings::default();
                row.set(&mut settings, value.to_string().as_bytes()).unwrap();
                assert_eq!(row.value(&settings), value.to_string(), "{}", row.name);
            }
            for value in [i128::from(min) - 1, i128::from(max) + 1, i128::MAX] {
                let said = error(row.name, Some(&value.to_string()));
                let expected =
                    format!("option {} is from {min} to {max}, not \"{value}\"", row.name);
                assert_eq!(said, expected);
            }
        }
    }

    #[test]
    fn the_declared_lines_are_as_clients_read_them() {
        let lines: Vec<String> = declarations(&changed(&["Threads=3"])).collect();
        for expected in [
            "option name USI_Hash type spin default 256 min 1 max 33554432",
            "option name Threads type spin default 3 min 1 max 1024",
            "option name USI_Ponder type check default false",
            "option name MultiPV type spin default 1 min 1 max 600",
            "option name NodesLimit type spin default 0 min 0 max 9223372036854775807",
            "option name EnteringKingRule type combo default CSARule27 var NoEnteringKing \
             var CSARule24 var CSARule24H var CSARule27 var CSARule27H var TryRule",
            "option name DebugLogFile type string default <empty>",
        ] {
            assert!(lines.iter().any(|line| line == expected), "{expected}");
        }
        assert_eq!(lines.len(), ROWS.len());
    }

    /// One client keeps a default in 32 bits and loses the option otherwise; one cuts a default at
    /// the first blank; all want single blanks and ASCII.
    #[test]
    fn no_declared_line_upsets_a_known_client() {
        for (row, line) in ROWS.iter().zip(declarations(&Settings::default())) {
            assert!(line.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{line}");
            assert!(!line.contains("  ") && !line.ends_with(' '), "{line}");
            let default = row.value(&Settings::default());
            assert!(!default.contains(' '), "{line}");
            if let Kind::Spin { .. } = row.kind {
                assert!(default.parse::<i32>().is_ok(), "{line}");
            }
            let read = usi::EngineCommand::parse(&line).unwrap();
            let usi::EngineCommand::Option(read) = read else { panic!("not an option: {line}") };
            assert_eq!(read.name, row.name);
        }
    }

    #[test]
    fn aliases_set_the_same_option() {
        assert_eq!(changed(&["Hash=64"]), changed(&["usi_hash=64"]));
        assert_eq!(changed(&["USI_MultiPV=5"]), changed(&["multipv=5"]));
        assert_eq!(changed(&["Hash=64"]).hash_mb, 64);
        assert_eq!(changed(&["USI_MultiPV=5"]).multi_pv, 5);
    }

    #[test]
    fn values_are_read_in_any_case_and_files_with_blanks() {
        let settings = changed(&[
            "USI_Ponder=TRUE",
            "enteringkingrule=csarule24h",
            "EvalFile=/My Nets/a b.nnue",
            "ThinkingLog=<EMPTY>",
            "DrawValueWhite=-30",
        ]);
        assert!(settings.ponder);
        assert_eq!(settings.entering_king, EnteringKingRule::Csa24Handicap);
        assert_eq!(settings.eval_file.as_deref(), Some(Path::new("/My Nets/a b.nnue")));
        assert_eq!(settings.thinking_log, None);
        assert_eq!(settings.draw_value.0, [Settings::default().draw_value.0[0], -30]);
    }

    #[test]
    fn an_empty_value_unsets_a_file() {
        for text in ["EvalFile=", "EvalFile=<empty>"] {
            assert_eq!(changed(&["EvalFile=x", text]), Settings::default());
        }
    }

    #[test]
    fn errors_say_what_is_wrong_and_keep_the_old_value() {
        assert_eq!(error("Joho", Some("1")), "no option is called \"Joho\"");
        assert_eq!(error("Threads", None), "option Threads needs a value");
        assert_eq!(error("Threads", Some("")), "option Threads is a number, not \"\"");
        assert_eq!(error("threads", Some("2x")), "option Threads is a number, not \"2x\"");
        assert_eq!(error("threads", Some("--2")), "option Threads is a number, not \"--2\"");
        assert_eq!(error("Hash", Some("0")), "option USI_Hash is from 1 to 33554432, not \"0\"");
        assert_eq!(error("USI_Ponder", Some("1")), "option USI_Ponder is true or false, not \"1\"");
        assert_eq!(
            error("EnteringKingRule", Some("\u{3042}")),
            "option EnteringKingRule is one of NoEnteringKing CSARule24 CSARule24H CSARule27 \
             CSARule27H TryRule, not \"???\""
        );
        let said = assign(&mut Settings::default(), b"Threads").unwrap_err().to_string();
        assert_eq!(said, "an option is set by NAME=VALUE, not by \"Threads\"");
    }

    #[test]
    fn an_assignment_is_split_at_the_first_equals_sign() {
        assert_eq!(changed(&["EvalFile=a=b"]).eval_file.as_deref(), Some(Path::new("a=b")));
    }

    #[cfg(unix)]
    #[test]
    fn a_path_keeps_bytes_that_are_no_text() {
        let mut settings = Settings::default();
        set(&mut settings, b"EvalFile", Some(b"/\x83\x65\xff")).unwrap();
        let path = settings.eval_file.as_deref().unwrap();
        assert_eq!(path.as_os_str().as_encoded_bytes(), b"/\x83\x65\xff");
        assert_eq!(find(b"EvalFile").unwrap().value(&settings), "/?e?");
    }

    #[test]
    fn every_help_is_one_line_of_ascii_and_a_sentence() {
        for row in &ROWS {
            assert!(row.help.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{}", row.name);
            assert!(row.help.ends_with('.') && row.help.len() <= 100, "{}", row.name);
        }
    }

    #[test]
    fn rows_of_a_group_stand_together() {
        let mut groups: Vec<Group> = ROWS.iter().map(|row| row.group).collect();
        groups.dedup();
        assert_eq!(groups, Group::ALL);
    }

    proptest! {
        #[test]
        fn no_value_can_upset_an_option(
            index in 0..ROWS.len(),
            value in prop::option::of(prop::collection::vec(any::<u8>(), 0..20)),
        ) {
            let row = &ROWS[index];
            let mut settings = Settings::default();
            match set(&mut settings, row.name.as_bytes(), value.as_deref()) {
                Ok(set) => prop_assert_eq!(set.name, row.name),
                Err(error) => {
                    prop_assert_eq!(settings, Settings::default());
                    prop_assert!(error.to_string().is_ascii());
                }
            }
        }
    }
}
