//! The results of a match: the counts for the report.
//!
//! Games are only added up, whether they come from players or from a file, so a continued match has
//! the same results as an uninterrupted one.

use std::collections::{BTreeMap, HashMap};

use super::elo::{Pentanomial, Wdl};
use super::match_file::{MatchGameLine, MatchRecord};
use super::search_stats::EngineSearchStats;
use super::sprt::{Sprt, SprtVerdict};
use super::time_control::TimeControl;
use crate::tools::referee::{GameEndReason, GameOutcome};
use crate::types::{ByColor, Color};

/// The counts of a match.
#[derive(Clone, Debug)]
pub struct MatchResults {
    pub engines: Vec<EngineResults>,
    pub pairings: Vec<PairingResults>,
    /// All games from Black's side.
    pub colors: Wdl,
    pub end_reasons: BTreeMap<GameEndReason, u64>,
    pub plies: u64,
    pub sprt: Option<SprtState>,
}

/// The counts of one engine.
#[derive(Clone, Debug, Default)]
pub struct EngineResults {
    pub name: String,
    pub total: Wdl,
    pub stats: EngineSearchStats,
    pub control: TimeControl,
    /// Games with a clock, and the sum of the shares of its time that were used.
    pub clock_games: u64,
    pub clock_shares: f64,
    /// Games lost by an error of the engine, by reason.
    pub forfeits: BTreeMap<GameEndReason, u64>,
    /// Engine faults after the end of a game.
    pub late_faults: u64,
}

/// The counts of the games of two engines, from the side of the first.
#[derive(Clone, Debug, Default)]
pub struct PairingResults {
    /// Indices of engines.
    pub first: usize,
    pub second: usize,
    /// By the colour of the first engine.
    pub by_color: ByColor<Wdl>,
    pub pairs: Pentanomial,
    /// For pairs with one finished game, by number: the half points of the first engine.
    open_pairs: HashMap<usize, usize>,
}

/// The sequential test and its verdict. The first verdict is final.
#[derive(Clone, Copy, Debug)]
pub struct SprtState {
    pub test: Sprt,
    pub verdict: Option<SprtVerdict>,
}

impl PairingResults {
    pub fn total(&self) -> Wdl {
        let mut total = self.by_color[Color::Black];
        total += self.by_color[Color::White];
        total
    }

    fn add(&mut self, pair: usize, color: Color, outcome: GameOutcome) {
        let points = outcome.half_points(color);
        self.by_color[color] += wdl(points);
        match self.open_pairs.remove(&pair) {
            Some(other) => self.pairs.0[points + other] += 1,
            None => {
                self.open_pairs.insert(pair, points);
            }
        }
    }
}

impl MatchResults {
    /// No games yet. Pairings are indices of engines. The test applies to the first pairing.
    pub fn new(names: &[&str], pairings: &[(usize, usize)], sprt: Option<Sprt>) -> MatchResults {
        let engine =
            |name: &&str| EngineResults { name: name.to_string(), ..EngineResults::default() };
        let pairing =
            |&(first, second): &_| PairingResults { first, second, ..PairingResults::default() };
        MatchResults {
            engines: names.iter().map(engine).collect(),
            pairings: pairings.iter().map(pairing).collect(),
            colors: Wdl::default(),
            end_reasons: BTreeMap::new(),
            plies: 0,
            sprt: sprt.map(|test| SprtState { test, verdict: None }),
        }
    }

    /// Sets the time controls of the engines.
    pub fn with_time_controls(
        mut self,
        controls: impl IntoIterator<Item = TimeControl>,
    ) -> MatchResults {
        let engines = self.engines.iter_mut().zip(controls);
        engines.for_each(|(engine, control)| engine.control = control);
        self
    }

    /// Adds pairs that were played elsewhere to the first pairing, before any games: the first verdict is
    /// final.
    pub fn with_earlier_pairs(mut self, pairs: Pentanomial) -> MatchResults {
        if let Some(pairing) = self.pairings.first_mut() {
            pairing.pairs += pairs;
        }
        self.test();
        self
    }

    /// Results of the pairs and games of any match file. Every two engines that met are a pairing, in the order
    /// of the engines.
    pub fn of_record(record: &MatchRecord, sprt: Option<Sprt>) -> MatchResults {
        let MatchRecord { engines, earlier_pairs, games } = record;
        let names: Vec<&str> = engines.iter().map(|(name, _)| name.as_str()).collect();
        let find = |name: &String| names.iter().position(|known| known == name);
        let mut pairings: Vec<(usize, usize)> = Vec::new();
        for game in games {
            let [black, white] = game.names.0.each_ref().map(find);
            if let (Some(black), Some(white)) = (black, white) {
                pairings.push((black.min(white), black.max(white)));
            }
        }
        if earlier_pairs.pairs() > 0 && engines.len() == 2 {
            pairings.push((0, 1));
        }
        pairings.sort_unstable();
        pairings.dedup();
        let controls = engines.iter().map(|(_, control)| *control);
        let mut results = MatchResults::new(&names, &pairings, sprt)
            .with_time_controls(controls)
            .with_earlier_pairs(*earlier_pairs);
        for game in games {
            results.add(game);
        }
        results
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.colors.games()
    }

    /// Adds a game. Returns false, and changes nothing, if its engines are not a pairing.
    pub fn add(&mut self, game: &MatchGameLine) -> bool {
        let find = |name: &str| self.engines.iter().position(|engine| engine.name == name);
        let [black, white] = game.names.0.each_ref().map(|name| find(name));
        let (Some(black), Some(white)) = (black, white) else { return false };
        let meets = |pairing: &&mut PairingResults| {
            [(black, white), (white, black)].contains(&(pairing.first, pairing.second))
        };
        let Some(pairing) = self.pairings.iter_mut().find(meets) else { return false };
        let color = if pairing.first == black { Color::Black } else { Color::White };
        pairing.add(game.number / 2, color, game.end.outcome);
        self.add_to_engines(game, ByColor([black, white]));
        self.colors += wdl(game.end.outcome.half_points(Color::Black));
        *self.end_reasons.entry(game.end.reason).or_default() += 1;
        self.plies += game.plies as u64;
        self.test();
        true
    }

    fn add_to_engines(&mut self, game: &MatchGameLine, indices: ByColor<usize>) {
        for color in Color::ALL {
            let engine = &mut self.engines[indices[color]];
            engine.total += wdl(game.end.outcome.half_points(color));
            let stats = game.stats[color];
            engine.stats += stats;
            if let Some(share) = engine.control.share_used(stats.searches, stats.time_ms) {
                engine.clock_games += 1;
                engine.clock_shares += share;
            }
            if game.end.reason.is_forfeit() && game.end.outcome == GameOutcome::Win(!color) {
                *engine.forfeits.entry(game.end.reason).or_default() += 1;
            }
        }
        for (color, _) in &game.late_faults {
            self.engines[indices[*color]].late_faults += 1;
        }
    }

    fn test(&mut self) {
        let Some(sprt) = &mut self.sprt else { return };
        let Some(pairing) = self.pairings.first() else { return };
        sprt.verdict = sprt.verdict.or_else(|| sprt.test.verdict(sprt.test.llr(pairing.pairs)));
    }

    /// The verdict of the sequential test.
    pub fn verdict(&self) -> Option<SprtVerdict> {
        self.sprt.and_then(|sprt| sprt.verdict)
    }
}

/// The result of one game by its half points.
fn wdl(half_points: usize) -> Wdl {
    let is = |points| u64::from(half_points == points);
    Wdl { wins: is(2), draws: is(1), losses: is(0) }
}

#[cfg(test)]
mod tests {
    use super::super::match_file::tests::line;
    use super::*;
    use crate::usi_client::EngineFaultKind;

    const BLACK: GameOutcome = GameOutcome::Win(Color::Black);
    const WHITE: GameOutcome = GameOutcome::Win(Color::White);

    /// A match file with engines of these names.
    fn record(
        names: &[&str],
        earlier_pairs: Pentanomial,
        games: Vec<MatchGameLine>,
    ) -> MatchRecord {
        let engines = names.iter().map(|name| (name.to_string(), TimeControl::default()));
        MatchRecord { engines: engines.collect(), earlier_pairs, games }
    }

    fn results(sprt: Option<Sprt>) -> MatchResults {
        MatchResults::new(&["a", "b"], &[(0, 1)], sprt)
    }

    #[test]
    fn pairs_are_counted_when_both_games_are_played_in_whatever_order() {
        let mut results = results(None);
        let games = [
            line(1, ["b", "a"], WHITE),             // a wins
            line(2, ["a", "b"], GameOutcome::Draw), // first of the next pair
            line(0, ["a", "b"], BLACK),             // a wins: 4 half points
            line(3, ["b", "a"], BLACK),             // a loses: 1 half point
            line(4, ["a", "b"], WHITE),             // alone
        ];
        for game in &games {
            assert!(results.add(game));
        }
        let pairing = &results.pairings[0];
        assert_eq!(pairing.pairs, Pentanomial([0, 1, 0, 0, 1]));
        assert_eq!(pairing.total(), Wdl { wins: 2, draws: 1, losses: 2 });
        assert_eq!(pairing.by_color[Color::White], Wdl { wins: 1, draws: 0, losses: 1 });
        assert_eq!(results.colors, Wdl { wins: 2, draws: 1, losses: 2 });
        assert_eq!(results.engines[1].total, Wdl { wins: 2, draws: 1, losses: 2 });
        assert_eq!(results.games(), 5);
    }

    #[test]
    fn forfeits_are_counted_for_the_loser_and_late_faults_for_whoever_had_them() {
        let mut results = results(None);
        let mut game = line(0, ["a", "b"], BLACK);
        game.end.reason = GameEndReason::TimeLoss;
        game.late_faults = vec![(Color::Black, EngineFaultKind::Hang)];
        results.add(&game);
        assert!(results.engines[0].forfeits.is_empty());
        assert_eq!(results.engines[1].forfeits, BTreeMap::from([(GameEndReason::TimeLoss, 1)]));
        assert_eq!(results.engines[0].late_faults, 1);
    }

    #[test]
    fn games_of_other_engines_are_not_counted() {
        let mut results = results(None);
        assert!(!results.add(&line(0, ["a", "c"], BLACK)));
        assert_eq!(results.games(), 0);
    }

    #[test]
    fn pairings_are_found_in_the_games() {
        let games = vec![line(0, ["c", "a"], BLACK), line(1, ["a", "c"], BLACK)];
        let record = record(&["a", "b", "c"], Pentanomial::default(), games);
        let results = MatchResults::of_record(&record, None);
        assert_eq!(results.pairings.len(), 1);
        let pairing = &results.pairings[0];
        assert_eq!((pairing.first, pairing.second, pairing.pairs.0), (0, 2, [0, 0, 1, 0, 0]));
    }

    #[test]
    fn earlier_pairs_count_in_the_sequential_test_but_are_no_games() {
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05).ok();
        let results = |pairs| results(sprt).with_earlier_pairs(Pentanomial(pairs));
        let mut undecided = results([2, 20, 60, 24, 3]);
        assert_eq!((undecided.verdict(), undecided.games()), (None, 0));
        undecided.add(&line(218, ["a", "b"], BLACK));
        undecided.add(&line(219, ["b", "a"], WHITE));
        assert_eq!(undecided.pairings[0].pairs.0, [2, 20, 60, 24, 4]);
        let decided = results([20, 100, 200, 260, 120]);
        assert_eq!(decided.verdict(), Some(SprtVerdict::AcceptH1));
    }

    /// Regression: the report tested the games of the file alone, and the verdict of these was final.
    #[test]
    fn the_report_of_a_match_file_counts_the_earlier_pairs_before_the_games() {
        let wins = |pair: usize| {
            [line(2 * pair, ["a", "b"], BLACK), line(2 * pair + 1, ["b", "a"], WHITE)]
        };
        let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05).ok();
        let results = |earlier, pairs: usize| {
            let games = (0..pairs).flat_map(wins).collect();
            MatchResults::of_record(&record(&["a", "b"], Pentanomial(earlier), games), sprt)
        };
        assert_eq!(results([0; 5], 40).verdict(), Some(SprtVerdict::AcceptH1));
        assert_eq!(results([60, 0, 20, 0, 20], 40).verdict(), Some(SprtVerdict::AcceptH0));
        assert_eq!(results([1, 2, 3, 2, 1], 0).pairings[0].pairs.0, [1, 2, 3, 2, 1]);
    }

    #[test]
    fn a_decision_of_the_sequential_test_is_final() {
        let mut results = results(Some(Sprt::new(0.0, 50.0, 0.05, 0.05).unwrap()));
        let mut number = 0;
        let mut pair = |results: &mut MatchResults, first, second| {
            results.add(&line(number, ["a", "b"], first));
            results.add(&line(number + 1, ["b", "a"], second));
            number += 2;
        };
        for _ in 0..40 {
            pair(&mut results, BLACK, WHITE);
            pair(&mut results, BLACK, BLACK);
        }
        assert_eq!(results.verdict(), Some(SprtVerdict::AcceptH1));
        for _ in 0..200 {
            pair(&mut results, WHITE, BLACK);
        }
        assert_eq!(results.verdict(), Some(SprtVerdict::AcceptH1));
    }
}
