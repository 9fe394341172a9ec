//! Engine descriptions as a line of text: `name=new cmd="./engine -x" option.Threads=1 nodes=5`.
//!
//! A description consists of words `key=value`, separated by white space, including line breaks. Single
//! or double quotes enclose white space and the other quote; a backslash is an ordinary character,
//! because paths contain it. The value of `cmd` is split by the same rules.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::time_control::{TimeControl, TimeControlError};
use crate::tools::fingerprint;
use crate::usi_client::{UnclosedQuote, split_command_line};

/// One engine of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// Unique in the match, without white space.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Working directory; `None` for the tool's own.
    pub directory: Option<PathBuf>,
    /// USI options in the order in which they are sent.
    pub options: Vec<(String, String)>,
    pub control: TimeControl,
    /// How late an answer may come without a time loss.
    pub margin: Duration,
    pub ponder: bool,
    /// Start a new process for every game.
    pub restart: bool,
}

impl EngineSpec {
    /// The fingerprints of its program and of all files that it names. Log files, named by options or
    /// arguments such as `--log FILE`, are excluded: they change with every game.
    pub fn fingerprints(&self) -> String {
        let is_log = |name: &str| name.to_ascii_lowercase().contains("log");
        let is_read = |name: &str| !(name.starts_with('-') && is_log(name));
        let arguments = self.command.windows(2).filter(|pair| is_read(&pair[0]));
        let values = self.options.iter().filter(|(name, _)| !is_log(name));
        let named = arguments.map(|pair| &pair[1]).chain(values.map(|(_, value)| value));
        let program = self.command.first().map_or("", String::as_str);
        fingerprint::of_program(program, self.directory.as_deref(), named.map(String::as_str))
    }
}

/// Defaults for all engines.
#[derive(Clone, Debug)]
pub struct SpecDefaults {
    pub options: Vec<(String, String)>,
    /// Not used for an engine that has any limit of its own.
    pub control: TimeControl,
    pub margin: Duration,
    pub ponder: bool,
}

impl SpecDefaults {
    /// The default margin in milliseconds.
    pub const MARGIN_MS: u64 = 100;
}

impl Default for SpecDefaults {
    fn default() -> SpecDefaults {
        SpecDefaults {
            options: Vec::new(),
            control: TimeControl::default(),
            margin: Duration::from_millis(SpecDefaults::MARGIN_MS),
            ponder: false,
        }
    }
}

/// Why the description of an engine is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecError {
    UnclosedQuote,
    NoKey(String),
    UnknownKey(String),
    BadValue { key: String, value: String },
    NoCommand,
    BadName(String),
    SameName(String),
    TimeControl(TimeControlError),
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecError::UnclosedQuote => UnclosedQuote.fmt(f),
            SpecError::NoKey(word) => write!(f, "`{word}` is not key=value"),
            SpecError::UnknownKey(key) => write!(
                f,
                "unknown key `{key}`; known are name, cmd, dir, option.NAME, time, inc, byoyomi, \
                 movetime, nodes, depth, margin, ponder, restart"
            ),
            SpecError::BadValue { key, value } => write!(f, "{key} cannot be `{value}`"),
            SpecError::NoCommand => f.write_str("cmd is missing"),
            SpecError::BadName(name) => {
                write!(f, "`{name}` is not a valid name: letters, digits and ._+- only")
            }
            SpecError::SameName(name) => write!(f, "two engines are called `{name}`"),
            SpecError::TimeControl(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SpecError {}

impl From<UnclosedQuote> for SpecError {
    fn from(UnclosedQuote: UnclosedQuote) -> SpecError {
        SpecError::UnclosedQuote
    }
}

impl From<TimeControlError> for SpecError {
    fn from(error: TimeControlError) -> SpecError {
        SpecError::TimeControl(error)
    }
}

/// Reads the descriptions of all engines of a match.
///
/// # Errors
/// The number, from 1, of the first invalid description, and its error.
pub fn read_specs(
    texts: &[String],
    defaults: &SpecDefaults,
) -> Result<Vec<EngineSpec>, (usize, SpecError)> {
    let mut names = HashSet::new();
    let mut specs = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        let spec = read_spec(text, defaults).map_err(|error| (i + 1, error))?;
        if !names.insert(spec.name.clone()) {
            return Err((i + 1, SpecError::SameName(spec.name)));
        }
        specs.push(spec);
    }
    Ok(specs)
}

/// Reads one description.
///
/// # Errors
/// See [`SpecError`].
pub fn read_spec(text: &str, defaults: &SpecDefaults) -> Result<EngineSpec, SpecError> {
    let mut spec = EngineSpec {
        name: String::new(),
        command: Vec::new(),
        directory: None,
        options: defaults.options.clone(),
        control: defaults.control,
        margin: defaults.margin,
        ponder: defaults.ponder,
        restart: false,
    };
    let mut name = None;
    let mut limits: Option<TimeControl> = None;
    for word in split_command_line(text)? {
        let (key, value) = word.split_once('=').ok_or_else(|| SpecError::NoKey(word.clone()))?;
        let bad = || SpecError::BadValue { key: key.into(), value: value.into() };
        match key {
            "name" => name = Some(value.to_string()),
            "cmd" => spec.command = split_command_line(value)?,
            "dir" => spec.directory = Some(value.into()),
            "margin" => spec.margin = Duration::from_millis(value.parse().map_err(|_| bad())?),
            "ponder" => spec.ponder = value.parse().map_err(|_| bad())?,
            "restart" => spec.restart = value.parse().map_err(|_| bad())?,
            _ => match key.strip_prefix("option.") {
                Some(name) => set_option(&mut spec.options, name, value),
                None => {
                    let mut control = limits.unwrap_or_default();
                    let limit = control.set(key, value);
                    limit.ok_or_else(|| SpecError::UnknownKey(key.into()))?.map_err(|_| bad())?;
                    limits = Some(control);
                }
            },
        }
    }
    let program = spec.command.first().ok_or(SpecError::NoCommand)?;
    spec.name = name.unwrap_or_else(|| program_name(program));
    spec.control = limits.unwrap_or(defaults.control);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    if spec.name.is_empty() || !spec.name.chars().all(is_plain) {
        return Err(SpecError::BadName(spec.name));
    }
    spec.control.check()?;
    Ok(spec)
}

/// The file name of a program without directory and extension.
fn program_name(program: &str) -> String {
    let stem = Path::new(program).file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Sets an option, replacing an earlier value of the same name (in any case).
pub fn set_option(options: &mut Vec<(String, String)>, name: &str, value: &str) {
    match options.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        Some((_, old)) => *old = value.into(),
        None => options.push((name.into(), value.into())),
    }
}

impl fmt::Display for EngineSpec {
    /// Everything that a game depends on, in a fixed order; free text as Rust strings.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name={} cmd={:?}", self.name, self.command)?;
        if let Some(directory) = &self.directory {
            write!(f, " dir={directory:?}")?;
        }
        for (name, value) in &self.options {
            write!(f, " option.{name}={value:?}")?;
        }
        write!(f, " {} margin={}", self.control, self.margin.as_millis())?;
        write!(f, " ponder={} restart={}", self.ponder, self.restart)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defaults() -> SpecDefaults {
        SpecDefaults {
            options: vec![("Threads".into(), "1".into()), ("USI_Hash".into(), "16".into())],
            control: TimeControl { byoyomi: Duration::from_millis(100), ..TimeControl::default() },
            margin: Duration::from_millis(50),
            ponder: false,
        }
    }

    fn read(text: &str) -> Result<EngineSpec, SpecError> {
        read_spec(text, &defaults())
    }

    #[test]
    fn a_bare_command_takes_its_name_from_the_program_and_the_rest_from_the_defaults() {
        let spec = read("cmd=/opt/engines/kawasemi.exe").unwrap();
        assert_eq!(spec.name, "kawasemi");
        assert_eq!(spec.command, ["/opt/engines/kawasemi.exe"]);
        assert_eq!(spec.options, defaults().options);
        assert_eq!(spec.control, defaults().control);
        assert_eq!((spec.margin, spec.ponder), (Duration::from_millis(50), false));
    }

    #[test]
    fn every_key_is_understood() {
        let text = "name=a cmd='./e -x \"b c\"' dir=/tmp option.Eval_File='/a b/nn.bin'\n\
                    option.usi_hash=64 time=1000 inc=10 margin=300 ponder=true restart=true";
        let spec = read(text).unwrap();
        assert_eq!(spec.name, "a");
        assert_eq!(spec.command, ["./e", "-x", "b c"]);
        assert_eq!(spec.directory, Some("/tmp".into()));
        let options = [("Threads", "1"), ("USI_Hash", "64"), ("Eval_File", "/a b/nn.bin")];
        assert_eq!(spec.options, options.map(|(name, value)| (name.into(), value.into())));
        let (time, increment) = (Duration::from_millis(1000), Duration::from_millis(10));
        assert_eq!(spec.control, TimeControl { time, increment, ..TimeControl::default() });
        assert_eq!(
            (spec.margin, spec.ponder, spec.restart),
            (Duration::from_millis(300), true, true)
        );
    }

    #[test]
    fn one_limit_of_its_own_replaces_all_limits_of_the_defaults() {
        let spec = read("cmd=x nodes=1000").unwrap();
        assert_eq!(spec.control, TimeControl { nodes: Some(1000), ..TimeControl::default() });
    }

    /// Regression: the tuner counted answers of engines with clocks as late that were hardly late.
    #[test]
    fn the_time_margin_has_a_default() {
        let spec = read_spec("cmd=x movetime=100", &SpecDefaults::default()).unwrap();
        assert_eq!(spec.margin, Duration::from_millis(100));
    }

    #[test]
    fn an_empty_value_and_one_with_equals_signs_are_values() {
        let spec = read("cmd=x option.Book= option.Net=\"a=b\" option.Empty=''").unwrap();
        let options = spec.options[2..].to_vec();
        let expected = [("Book", ""), ("Net", "a=b"), ("Empty", "")];
        assert_eq!(options, expected.map(|(name, value)| (name.into(), value.into())));
    }

    #[test]
    fn backslashes_are_kept() {
        assert_eq!(read(r"name=k cmd=C:\e\k.exe").unwrap().command, [r"C:\e\k.exe"]);
    }

    #[test]
    fn invalid_engine_descriptions_are_reported() {
        let error = |text| read(text).unwrap_err();
        assert_eq!(error("cmd='x"), SpecError::UnclosedQuote);
        assert_eq!(error("cmd=x fast"), SpecError::NoKey("fast".into()));
        assert_eq!(error("cmd=x tc=1"), SpecError::UnknownKey("tc".into()));
        let (key, value) = ("nodes".into(), "1k".into());
        assert_eq!(error("cmd=x nodes=1k"), SpecError::BadValue { key, value });
        let (key, value) = ("ponder".into(), "on".into());
        assert_eq!(error("cmd=x ponder=on"), SpecError::BadValue { key, value });
        assert_eq!(error("name=x"), SpecError::NoCommand);
        assert_eq!(error("name='a b' cmd=x"), SpecError::BadName("a b".into()));
        assert_eq!(
            error("cmd=x inc=1 byoyomi=1"),
            SpecError::TimeControl(TimeControlError::ByoyomiAndIncrement)
        );
        let unlimited = read_spec("cmd=x", &SpecDefaults::default());
        assert_eq!(unlimited, Err(SpecError::TimeControl(TimeControlError::Unlimited)));
    }

    /// Regression: a match could not continue once an engine of it had written its log.
    #[test]
    fn a_log_is_no_part_of_the_engine_that_writes_it() {
        let folder = tempfile::tempdir().unwrap();
        for (option, is_part) in [("EvalFile", true), ("DebugLogFile", false), ("Log", false)] {
            let path = folder.path().join(option);
            let spec = read(&format!("cmd=nowhere option.{option}='{}'", path.display())).unwrap();
            let before = spec.fingerprints();
            std::fs::write(&path, "a line").unwrap();
            assert_eq!(spec.fingerprints() != before, is_part, "{option}");
        }
        for (option, is_part) in [("--net", true), ("--log", false), ("-LogFile", false)] {
            let path = folder.path().join(format!("of{option}"));
            let command = format!("nowhere {option} \"{}\"", path.display());
            let spec = read(&format!("cmd='{command}'")).unwrap();
            let before = spec.fingerprints();
            std::fs::write(&path, "a line").unwrap();
            assert_eq!(spec.fingerprints() != before, is_part, "{option}");
        }
    }

    #[test]
    fn two_engines_of_one_name_are_refused() {
        let texts = ["cmd=a".to_string(), "cmd=b".into(), "cmd=c name=a".into()];
        assert_eq!(read_specs(&texts, &defaults()), Err((3, SpecError::SameName("a".into()))));
        assert_eq!(read_specs(&texts[..2], &defaults()).unwrap().len(), 2);
    }

    #[test]
    fn the_text_of_an_engine_contains_everything_that_changes_its_play() {
        let texts = [
            "cmd=x",
            "cmd='x y'",
            "cmd=x option.A=1",
            "cmd=x nodes=1",
            "cmd=x margin=1",
            "cmd=x ponder=true",
            "cmd=x dir=d",
            "cmd=x restart=true",
            "cmd=x name=y",
        ];
        let lines: HashSet<String> =
            texts.iter().map(|text| read(text).unwrap().to_string()).collect();
        assert_eq!(lines.len(), texts.len());
    }
}
