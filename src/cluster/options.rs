//! The options of the cluster: the options of the workers, two of its own, and the logs.
//!
//! Threads and memory are split among the workers on this machine; workers on other machines keep the
//! values of their own command lines.

use std::str::FromStr;
use std::time::Duration;

use crate::engine::{BookOptionSet, Settings};
use crate::usi::options::{OptionGroup, UsiOption, declared};
use crate::usi_client::{OptionDeclaration, is_always_accepted, setoption_line};

/// The use of the workers on our own turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum OwnTurnMode {
    /// One worker searches; the others are idle.
    None,
    /// The move of most workers.
    Majority,
    /// The move of the worker with the highest score.
    Optimistic,
    /// Workers of one version exchange deep entries of their transposition tables, and vote like the threads of
    /// one engine.
    #[default]
    Shared,
}

impl OwnTurnMode {
    const ALL: [OwnTurnMode; 4] =
        [OwnTurnMode::None, OwnTurnMode::Majority, OwnTurnMode::Optimistic, OwnTurnMode::Shared];

    fn name(self) -> &'static str {
        match self {
            OwnTurnMode::None => "none",
            OwnTurnMode::Majority => "majority",
            OwnTurnMode::Optimistic => "optimistic",
            OwnTurnMode::Shared => "shared",
        }
    }
}

impl FromStr for OwnTurnMode {
    type Err = String;

    fn from_str(text: &str) -> Result<OwnTurnMode, String> {
        let found =
            OwnTurnMode::ALL.into_iter().find(|turn| turn.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| "MultiPonderOwnTurn is none, majority, optimistic or shared".into())
    }
}

const RANKING_TIME: &str = "MultiPonderTime";
const OWN_TURN: &str = "MultiPonderOwnTurn";
const PONDER: &str = "USI_Ponder";
/// The option that makes a worker exchange entries.
pub(super) const WORKER_NUMBER: &str = "ClusterWorker";
/// The default and the range of the time of the ranking search, in milliseconds.
const DEFAULT_RANKING_MS: u64 = 100;
const MIN_RANKING_MS: u64 = 10;
const MAX_RANKING_MS: u64 = 10_000;

/// Options whose value is split among the workers of one machine.
const SPLIT_OPTIONS: [&str; 3] = ["Threads", "USI_Hash", "Hash"];

/// The options of the cluster, and their values.
#[derive(Debug)]
pub(super) struct ClusterOptions {
    /// The `option` lines of the first worker.
    declared: Vec<String>,
    /// Names and values in the order in which they were first set. Values are bytes, because file names
    /// may be in any encoding.
    set: Vec<(String, Vec<u8>)>,
    pub(super) own_turn: OwnTurnMode,
    /// The time of the search that ranks the replies of the opponent.
    pub(super) ranking_time: Duration,
}

/// The description of an option of the cluster itself.
#[derive(Debug)]
pub(super) struct ClusterOption {
    pub(super) name: &'static str,
    pub(super) meaning: &'static str,
    pub(super) values: String,
    pub(super) current: String,
}

/// The index of a worker among those on this machine, from 0, and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LocalShare {
    pub(super) index: u64,
    pub(super) count: u64,
}

impl ClusterOptions {
    pub(super) fn new() -> ClusterOptions {
        let ranking_time = Duration::from_millis(DEFAULT_RANKING_MS);
        ClusterOptions {
            declared: Vec::new(),
            set: Vec::new(),
            own_turn: OwnTurnMode::default(),
            ranking_time,
        }
    }

    /// Takes over the `option` lines of the first worker.
    pub(super) fn set_declared(&mut self, lines: &[String]) {
        if self.declared.is_empty() {
            self.declared = lines.to_vec();
        }
    }

    /// The `option` lines of the cluster; `initial` are its settings at the start.
    pub(super) fn declarations(&self, initial: &Settings) -> Vec<String> {
        let is_own = |line: &str| logs().any(|row| is_called(line, row.name));
        let is_hidden = |line: &str| is_called(line, PONDER) || is_called(line, WORKER_NUMBER);
        let others = self.declared.iter().filter(|line| !is_hidden(line) && !is_own(line));
        // Workers keep no logs, and a GUI sends back the defaults that are declared.
        let logs = logs().map(|row| row.declaration(initial));
        let ponder = format!("option name {PONDER} type check default true");
        let time = format!(
            "option name {RANKING_TIME} type spin \
             default {DEFAULT_RANKING_MS} min {MIN_RANKING_MS} max {MAX_RANKING_MS}"
        );
        let turn = format!(
            "option name {OWN_TURN} type combo default shared \
             var none var majority var optimistic var shared"
        );
        others.cloned().chain(logs).chain([ponder, time, turn]).collect()
    }

    /// Sets an option. True if the option is one of the workers.
    ///
    /// # Errors
    /// If the value of one of the cluster's own options is invalid.
    pub(super) fn set(&mut self, name: &str, value: &[u8]) -> Result<bool, String> {
        let text = String::from_utf8_lossy(value);
        if name.eq_ignore_ascii_case(RANKING_TIME) {
            let ms = text.parse().ok().filter(|ms| (MIN_RANKING_MS..=MAX_RANKING_MS).contains(ms));
            let ms = ms.ok_or_else(|| {
                format!("{RANKING_TIME} is from {MIN_RANKING_MS} to {MAX_RANKING_MS}")
            })?;
            self.ranking_time = Duration::from_millis(ms);
            return Ok(false);
        }
        if name.eq_ignore_ascii_case(OWN_TURN) {
            self.own_turn = text.parse()?;
            return Ok(false);
        }
        match self.set.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, old)) => *old = value.into(),
            None => self.set.push((name.into(), value.into())),
        }
        Ok(true)
    }

    /// The option of the cluster itself with this name.
    pub(super) fn cluster_option(&self, name: &[u8]) -> Option<ClusterOption> {
        if name.eq_ignore_ascii_case(RANKING_TIME.as_bytes()) {
            return Some(ClusterOption {
                name: RANKING_TIME,
                meaning: "Milliseconds of the search that ranks the opponent's replies.",
                values: format!(
                    "{MIN_RANKING_MS} to {MAX_RANKING_MS}; default: {DEFAULT_RANKING_MS}"
                ),
                current: self.ranking_time.as_millis().to_string(),
            });
        }
        name.eq_ignore_ascii_case(OWN_TURN.as_bytes()).then(|| ClusterOption {
            name: OWN_TURN,
            meaning: "What the other workers do on our own turn: rest, vote, or search together and vote.",
            values: "none, majority, optimistic, shared; default: shared".into(),
            current: self.own_turn.name().into(),
        })
    }

    /// Whether the workers have an option of this name.
    pub(super) fn is_declared(&self, name: &str) -> bool {
        declares(&self.declared, name)
    }

    /// The value of an option, set or by default.
    pub(super) fn value(&self, name: &str) -> Option<&[u8]> {
        let set = self.set.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        set.map(|(_, value)| value.as_slice()).or_else(|| default(&self.declared, name))
    }

    /// The `setoption` lines for a worker that declares these options.
    pub(super) fn lines_for(&self, declared: &[String], share: Option<LocalShare>) -> Vec<Vec<u8>> {
        let mut lines = Vec::new();
        let is_set = |name: &str| self.set.iter().any(|(set, _)| set.eq_ignore_ascii_case(name));
        // By default each worker would use the whole machine.
        for name in SPLIT_OPTIONS.into_iter().filter(|name| !is_set(name)) {
            if let Some(value) = default(declared, name) {
                lines.extend(line(declared, share, name, value));
            }
        }
        if !is_set(PONDER) {
            lines.push(setoption_line(PONDER, b"true"));
        }
        let set = self.set.iter();
        lines.extend(set.filter_map(|(name, value)| line(declared, share, name, value)));
        lines
    }

    /// The `setoption` line of one option, if the worker declares the option and should receive it.
    pub(super) fn line_for(
        &self,
        declared: &[String],
        share: Option<LocalShare>,
        name: &str,
    ) -> Option<Vec<u8>> {
        line(declared, share, name, self.value(name)?)
    }
}

/// Checks the value of an option of the cluster itself. False if the cluster has no such option.
///
/// # Errors
/// If the value is invalid.
pub fn check_cluster_option(name: &str, value: &str) -> Result<bool, String> {
    ClusterOptions::new().set(name, value.as_bytes()).map(|is_of_workers| !is_of_workers)
}

/// The options that name the logs.
fn logs() -> impl Iterator<Item = &'static UsiOption> {
    declared(BookOptionSet::V1).filter(|row| row.group == OptionGroup::Logs)
}

/// Whether an option of this name is declared.
pub(super) fn declares(declared: &[String], name: &str) -> bool {
    declared.iter().any(|line| is_called(line, name))
}

fn line(
    declared: &[String],
    share: Option<LocalShare>,
    name: &str,
    value: &[u8],
) -> Option<Vec<u8>> {
    if !is_always_accepted(name) && !declares(declared, name) {
        return None;
    }
    let is_split = SPLIT_OPTIONS.iter().any(|split| split.eq_ignore_ascii_case(name));
    let number = std::str::from_utf8(value).ok().and_then(|text| text.parse::<u64>().ok());
    Some(match number {
        Some(total) if is_split => {
            let LocalShare { index, count } = share?;
            let part = (total / count + u64::from(index < total % count)).max(1);
            setoption_line(name, part.to_string().as_bytes())
        }
        _ => setoption_line(name, value),
    })
}

/// Whether an `option` line declares this option.
fn is_called(line: &str, name: &str) -> bool {
    OptionDeclaration::read(line).is_some_and(|option| option.name.eq_ignore_ascii_case(name))
}

/// The default that an option is declared with.
fn default<'a>(declared: &'a [String], name: &str) -> Option<&'a [u8]> {
    let line = declared.iter().find(|line| is_called(line, name))?;
    OptionDeclaration::read(line)?.default.map(str::as_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared() -> Vec<String> {
        [
            "option name USI_Hash type spin default 256 min 1 max 1024",
            "option name Threads type spin default 7 min 1 max 512",
            "option name USI_Ponder type check default false",
            "option name MultiPV type spin default 1 min 1 max 600",
            "option name EvalFile type string default <empty>",
        ]
        .map(str::to_owned)
        .to_vec()
    }

    fn options() -> ClusterOptions {
        let mut options = ClusterOptions::new();
        options.set_declared(&declared());
        options
    }

    fn texts(lines: Vec<Vec<u8>>) -> Vec<String> {
        lines.into_iter().map(|line| String::from_utf8(line).unwrap()).collect()
    }

    #[test]
    fn the_cluster_declares_the_options_of_a_worker_and_its_own() {
        let lines = options().declarations(&Settings::default());
        let ponder: Vec<_> = lines.iter().filter(|line| line.contains("USI_Ponder")).collect();
        assert_eq!(ponder, ["option name USI_Ponder type check default true"]);
        assert!(lines.contains(&declared()[1]));
        assert!(lines.iter().any(|line| line.contains("MultiPonderTime type spin default 100 ")));
        assert!(
            lines.iter().any(|line| line.ends_with("none var majority var optimistic var shared"))
        );
    }

    /// Regression: a second `usi` declared the value that was set as the default.
    #[test]
    fn the_declared_default_of_the_ranking_time_does_not_follow_the_setting() {
        let mut options = options();
        options.set("MultiPonderTime", b"50").unwrap();
        let lines = options.declarations(&Settings::default());
        let expected = "option name MultiPonderTime type spin default 100 min 10 max 10000";
        assert!(lines.iter().any(|line| line == expected), "{lines:?}");
    }

    #[test]
    fn threads_and_hash_are_split_and_each_worker_has_some() {
        let mut options = options();
        let lines = |options: &ClusterOptions, share| {
            texts(options.lines_for(&declared(), share)).join("; ")
        };
        let share = |index| Some(LocalShare { index, count: 3 });
        let expected = "setoption name Threads value 3; setoption name USI_Hash value 86; \
                    setoption name USI_Ponder value true";
        assert_eq!(lines(&options, share(0)), expected);
        assert_eq!(lines(&options, None), "setoption name USI_Ponder value true");
        assert_eq!(options.set("threads", b"2"), Ok(true));
        let threads =
            |options: &ClusterOptions, share| options.line_for(&declared(), share, "Threads");
        assert_eq!(threads(&options, share(0)).unwrap(), b"setoption name Threads value 1");
        assert_eq!(threads(&options, share(2)).unwrap(), b"setoption name Threads value 1");
        options.set("threads", b"8").unwrap();
        assert_eq!(threads(&options, share(1)).unwrap(), b"setoption name Threads value 3");
        assert_eq!(threads(&options, share(2)).unwrap(), b"setoption name Threads value 2");
        assert_eq!(threads(&options, None), None);
    }

    #[test]
    fn other_options_go_to_all_workers_that_have_them() {
        let mut options = options();
        options.set("EvalFile", b"").unwrap();
        options.set("Unheard", b"1").unwrap();
        options.set("USI_Ponder", b"false").unwrap();
        options.set("evalfile", b"a b.bin").unwrap();
        let lines = texts(options.lines_for(&declared(), None));
        let expected =
            ["setoption name EvalFile value a b.bin", "setoption name USI_Ponder value false"];
        assert_eq!(lines, expected);
        assert_eq!(options.value("MultiPV"), Some(&b"1"[..]));
        assert_eq!(options.value("multipv"), Some(&b"1"[..]));
    }

    #[test]
    fn the_cluster_options_are_not_sent_and_have_a_range() {
        let mut options = options();
        assert_eq!(options.set("multipondertime", b"50"), Ok(false));
        assert_eq!(options.ranking_time, Duration::from_millis(50));
        assert!(options.set("MultiPonderTime", b"9").is_err());
        assert_eq!(options.set("MultiPonderOwnTurn", b"Optimistic"), Ok(false));
        assert_eq!(options.own_turn, OwnTurnMode::Optimistic);
        assert!(options.set("MultiPonderOwnTurn", b"all").is_err());
    }
}
