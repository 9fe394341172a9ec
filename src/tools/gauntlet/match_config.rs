//! The configuration of a match.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::elo::Pentanomial;
use super::engine_spec::EngineSpec;
use super::schedule::{Schedule, TournamentFormat};
use super::sprt::Sprt;
use crate::tools::fingerprint;
use crate::tools::opening::Opening;
use crate::tools::referee::GameRules;
use crate::usi_client::EngineTimeouts;

/// A match to play.
#[derive(Clone, Debug)]
pub struct MatchConfig {
    pub engines: Vec<EngineSpec>,
    pub openings: Vec<Opening>,
    pub format: TournamentFormat,
    /// Pairs of games for each pairing of engines.
    pub pairs: usize,
    /// Seed for shuffling the openings; `None` keeps their order.
    pub seed: Option<u64>,
    /// Games in parallel.
    pub concurrency: usize,
    pub rules: GameRules,
    pub timeouts: EngineTimeouts,
    /// Time limit of a move of an engine without a clock.
    pub move_timeout: Duration,
    pub sprt: Option<Sprt>,
    /// Pairs of this match that were played elsewhere, from its first openings. They are not played again, and
    /// count in the SPRT and in the Elo by pairs.
    pub earlier_pairs: Pentanomial,
    pub files: MatchFiles,
}

/// The files of a match. What is `None` is not written.
#[derive(Clone, Debug, Default)]
pub struct MatchFiles {
    /// One line a game. With this file a match can be continued.
    pub match_file: Option<PathBuf>,
    /// A folder for one CSA file a game.
    pub csa: Option<PathBuf>,
    /// Reports on faults of engines.
    pub faults: Option<PathBuf>,
    /// When this file appears, games in progress are finished and the match ends.
    pub stop: Option<PathBuf>,
}

/// Why a match cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchConfigError {
    FewEngines,
    NoOpening,
    NoGame,
    /// A sequential test needs exactly two engines.
    SprtNeedsTwoEngines,
    /// Counts of earlier pairs do not name their engines.
    EarlierPairsNeedTwoEngines,
    /// The opening in this line reaches the move limit.
    LongOpening(usize),
}

impl fmt::Display for MatchConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchConfigError::FewEngines => f.write_str("a match needs two engines"),
            MatchConfigError::NoOpening => f.write_str("there is no opening to play from"),
            MatchConfigError::NoGame => {
                f.write_str("the numbers of games and of games at a time must be at least 1")
            }
            MatchConfigError::SprtNeedsTwoEngines => {
                f.write_str("a sequential test is between two engines")
            }
            MatchConfigError::EarlierPairsNeedTwoEngines => {
                f.write_str("earlier pairs are of a match between two engines")
            }
            MatchConfigError::LongOpening(line) => {
                write!(f, "the opening in line {line} reaches the move limit (--max-moves)")
            }
        }
    }
}

impl std::error::Error for MatchConfigError {}

impl MatchConfig {
    /// # Errors
    /// See [`MatchConfigError`].
    pub fn check(&self) -> Result<(), MatchConfigError> {
        if self.engines.len() < 2 {
            return Err(MatchConfigError::FewEngines);
        }
        if self.openings.is_empty() {
            return Err(MatchConfigError::NoOpening);
        }
        if self.pairs == 0 || self.concurrency == 0 {
            return Err(MatchConfigError::NoGame);
        }
        if self.sprt.is_some() && self.engines.len() > 2 {
            return Err(MatchConfigError::SprtNeedsTwoEngines);
        }
        if self.earlier_pairs.pairs() > 0 && self.engines.len() > 2 {
            return Err(MatchConfigError::EarlierPairsNeedTwoEngines);
        }
        let is_long = |opening: &&Opening| opening.position().game_ply() > self.rules.max_moves;
        match self.openings.iter().find(is_long) {
            Some(opening) => Err(MatchConfigError::LongOpening(opening.line)),
            None => Ok(()),
        }
    }

    pub fn schedule(&self) -> Schedule {
        let (engines, openings) = (self.engines.len(), self.openings.len());
        Schedule::new(self.format, engines, openings, self.pairs, self.seed)
    }

    /// Everything that the games depend on, for the header of the match file. The number of games,
    /// the concurrency and the sequential test may change when a match is continued.
    pub fn header(&self) -> Vec<String> {
        let mut header = vec!["kawasemi match record 1".to_string()];
        for engine in &self.engines {
            header.push(format!("engine {engine} files={}", engine.fingerprints()));
        }
        let lines = self.openings.iter().map(|opening| format!("{} {opening}", opening.line));
        let (count, mark) = (self.openings.len(), fingerprint::of_texts(lines));
        let seed = self.seed.map_or("none".into(), |seed| seed.to_string());
        header.push(format!("openings count={count} mark={mark} shuffle={seed}"));
        // `longest_move` is the earlier name of the timeout: with another one, matches could not be continued.
        header.push(format!("format {:?} longest_move={:?}", self.format, self.move_timeout));
        let GameRules { max_moves, entering_king, resign } = &self.rules;
        let resign = resign
            .map_or("none".into(), |rule| format!("{}cp,{}moves", rule.centipawns, rule.moves));
        header.push(format!("rules max_moves={max_moves} king={entering_king:?} resign={resign}"));
        if self.earlier_pairs.pairs() > 0 {
            header.push(format!("earlier pairs={:?}", self.earlier_pairs.0));
        }
        header
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::engine_spec::{SpecDefaults, read_specs};
    use super::*;
    use crate::position::EnteringKingRule;
    use crate::tools::opening::read_openings;

    /// Engines `a` and `b`, two openings, two pairs, nothing written.
    pub(in super::super) fn config() -> MatchConfig {
        let texts = ["name=a cmd=x depth=1".into(), "name=b cmd=x depth=1".into()];
        MatchConfig {
            engines: read_specs(&texts, &SpecDefaults::default()).unwrap(),
            openings: read_openings("startpos\nstartpos moves 7g7f").unwrap(),
            format: TournamentFormat::Gauntlet,
            pairs: 2,
            seed: None,
            concurrency: 1,
            rules: GameRules {
                max_moves: 512,
                entering_king: EnteringKingRule::Csa27,
                resign: None,
            },
            timeouts: EngineTimeouts::default(),
            move_timeout: Duration::from_secs(60),
            sprt: None,
            earlier_pairs: Pentanomial::default(),
            files: MatchFiles::default(),
        }
    }

    #[test]
    fn matches_that_cannot_be_played_are_refused() {
        let error = |change: &dyn Fn(&mut MatchConfig)| {
            let mut config = config();
            change(&mut config);
            config.check().unwrap_err()
        };
        assert_eq!(config().check(), Ok(()));
        assert_eq!(error(&|config| config.engines.truncate(1)), MatchConfigError::FewEngines);
        assert_eq!(error(&|config| config.openings.clear()), MatchConfigError::NoOpening);
        assert_eq!(error(&|config| config.concurrency = 0), MatchConfigError::NoGame);
        assert_eq!(error(&|config| config.rules.max_moves = 1), MatchConfigError::LongOpening(2));
        let many = error(&|config| {
            config.engines.push(config.engines[0].clone());
            config.sprt = Sprt::new(0.0, 5.0, 0.05, 0.05).ok();
        });
        assert_eq!(many, MatchConfigError::SprtNeedsTwoEngines);
        let many = error(&|config| {
            config.engines.push(config.engines[0].clone());
            config.earlier_pairs.0[2] = 1;
        });
        assert_eq!(many, MatchConfigError::EarlierPairsNeedTwoEngines);
    }

    #[test]
    fn the_header_contains_exactly_the_settings_that_games_depend_on() {
        let header = |change: &dyn Fn(&mut MatchConfig)| {
            let mut config = config();
            change(&mut config);
            config.header()
        };
        let same = header(&|config| {
            config.pairs = 9;
            config.concurrency = 4;
            config.sprt = Sprt::new(0.0, 5.0, 0.05, 0.05).ok();
        });
        assert_eq!(same, config().header());
        let changes: [&dyn Fn(&mut MatchConfig); 7] = [
            &|config| config.engines[1].ponder = true,
            &|config| config.openings.reverse(),
            &|config| config.seed = Some(1),
            &|config| config.earlier_pairs.0[4] = 1,
            &|config| config.format = TournamentFormat::RoundRobin,
            &|config| config.rules.max_moves = 300,
            &|config| config.move_timeout = Duration::from_secs(1),
        ];
        for (i, change) in changes.into_iter().enumerate() {
            assert_ne!(header(change), config().header(), "change {i}");
        }
    }
}
