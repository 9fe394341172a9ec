use std::fs;
use std::num::NonZeroU32;

use super::adjudicator::{DrawRule, WinRule};
use super::start_positions::{RandomPlies, StartPositions};
use super::*;
use crate::engine::Settings;
use crate::nnue::Network;
use crate::sys::AllocationError;
use crate::tools::game_file::tests::Place;
use crate::tools::game_file::{ExistingGames, GameFileReader, GameMove, Replay, ScoredGame};
use crate::tools::opening::read_openings;
use crate::tools::part::Part;
use crate::tools::referee::{GameEndReason, GameOutcome};
use crate::types::{Color, Score};

/// Games with few nodes that use every option a little.
fn config(place: &Place) -> GenerateConfig {
    let scatter = |text: &str| text.parse::<RandomPlies>().unwrap();
    let list = "startpos moves 7g7f 3c3d 2g2f 8c8d\nstartpos moves 2g2f 8c8d 2f2e 8d8e";
    GenerateConfig {
        common: common(place),
        first_game: 0,
        games: None,
        opponents: Vec::new(),
        starts: StartPositions {
            openings: read_openings(list).unwrap().into(),
            openings_percent: 50,
            random_from_startpos: scatter("2-4/8"),
            random_after_opening: scatter("0-1/2"),
        },
        max_start_score: Some(Score(600)),
        sampling: Some(MoveSampling { lines: 3, margin: Score(40), plies: 10 }),
        win: Some(WinRule { score: Score(1500), plies: 4 }),
        draw: None,
        unadjudicated_percent: 20,
        max_moves: 120,
    }
}

fn common(place: &Place) -> CommonConfig {
    CommonConfig {
        out: place.path.clone(),
        positions: None,
        threads: 1,
        part: Part::WHOLE,
        seed: 1,
        nodes: 50,
        node_variation_percent: 20,
        hash_mib: 1,
        network: crate::nnue::Network::built_in(),
        network_name: "built-in".into(),
        options: Settings::default().search_options(),
        option_arguments: String::new(),
    }
}

/// Records the existing contents, and stops the run after this many games.
struct Listener<'a> {
    stop: &'a StopSignal,
    stop_at: Option<u64>,
    found: Option<(u64, u64)>,
}

impl SelfplayObserver for Listener<'_> {
    fn opened(&mut self, contents: &ExistingGames) {
        self.found = Some((contents.games, contents.cut));
    }

    fn progress(&mut self, progress: &SelfplayProgress) {
        if self.stop_at.is_some_and(|games| progress.games >= games) {
            self.stop.raise();
        }
    }
}

fn played(config: &impl GameJob, stop_at: Option<u64>) -> (SelfplayProgress, Option<(u64, u64)>) {
    let stop = StopSignal::new();
    let mut listener = Listener { stop: &stop, stop_at, found: None };
    let progress = run(config, &stop, &mut listener).unwrap();
    (progress, listener.found)
}

fn games(place: &Place) -> Vec<ScoredGame> {
    GameFileReader::open(&place.path).unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn the_games_follow_from_the_seed_whatever_the_threads_and_interruptions() {
    let (one, two) = (Place::new("one-thread.games"), Place::new("two-threads.games"));
    let first = GenerateConfig { games: Some(12), ..config(&one) };
    assert_eq!(played(&first, None).0.games, 12);
    let expected = games(&one);
    assert_eq!(expected.len(), 12);

    let mut second = first.clone();
    (second.common.threads, second.common.out) = (2, two.path.clone());
    played(&second, None);
    assert_eq!(fs::read(&one.path).unwrap(), fs::read(&two.path).unwrap(), "two threads");

    fs::remove_file(&two.path).unwrap();
    let (stopped, _) = played(&second, Some(4));
    assert!((4..12).contains(&stopped.games), "{stopped:?}");
    assert_eq!(games(&two), expected[..stopped.games as usize]);
    // As if the process had been killed while writing.
    let mut bytes = fs::read(&two.path).unwrap();
    bytes.extend(b"\xb1KWBLOCK\x05");
    fs::write(&two.path, bytes).unwrap();
    let (progress, found) = played(&second, None);
    assert_eq!(found, Some((stopped.games, 9)));
    assert_eq!((progress.games, progress.old_positions), (12, stopped.positions));
    assert_eq!(games(&two), expected, "interrupted");

    let mut other = first;
    other.common.seed = 2;
    let error = run(&other, &StopSignal::new(), &mut Silent).unwrap_err().to_string();
    assert!(error.contains("seed=1") && error.contains("seed=2"), "{error}");
}

#[test]
fn an_opponent_plays_one_side_of_each_game_with_its_own_network() {
    let place = Place::new("opponent.games");
    let mut config = GenerateConfig { games: Some(2), ..config(&place) };
    let network =
        Network { fv_scale: NonZeroU32::new(1_000_000).unwrap(), ..config.common.network.clone() };
    config.opponents = vec![Opponent { network, name: "one that sees no difference".into() }];
    played(&config, None);
    for (game, white) in games(&place).iter().zip([true, false]) {
        let start = Replay::new(game).unwrap().position().side_to_move();
        let of_opponent = |ply: usize| (ply.is_multiple_of(2) == (start == Color::White)) == white;
        let mean = |opponent: bool| {
            let plies =
                game.plies.iter().enumerate().filter(|&(ply, _)| of_opponent(ply) == opponent);
            let scores: Vec<i32> =
                plies.filter_map(|(_, ply)| Some(ply.score()?.0.abs())).collect();
            let quiet: Vec<i32> = scores.into_iter().filter(|&score| score < 10_000).collect();
            quiet.iter().sum::<i32>() / quiet.len() as i32
        };
        assert!(mean(true) < 5 && mean(false) > 50, "{} {}", mean(true), mean(false));
    }
}

struct Silent;

impl SelfplayObserver for Silent {
    fn opened(&mut self, _contents: &ExistingGames) {}
    fn progress(&mut self, _progress: &SelfplayProgress) {}
}

struct Failing;

impl SelfplayObserver for Failing {
    fn opened(&mut self, _contents: &ExistingGames) {}
    fn progress(&mut self, _progress: &SelfplayProgress) {
        panic!("the observer fails");
    }
}

/// Regression: the threads played on without end, games that nobody received.
#[test]
fn a_panic_of_the_observer_ends_the_run() {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;

    use crossbeam::channel::bounded;

    let (ended, end) = bounded(1);
    std::thread::spawn(move || {
        let place = Place::new("panic.games");
        let mut config = config(&place);
        config.common.positions = Some(1_000_000_000);
        let play_all = || run(&config, &StopSignal::new(), &mut Failing);
        let _ = ended.send(catch_unwind(AssertUnwindSafe(play_all)).is_err());
    });
    assert_eq!(end.recv_timeout(Duration::from_secs(60)), Ok(true));
}

#[test]
fn generation_ends_with_the_game_that_reaches_the_number_of_positions() {
    let place = Place::new("positions.games");
    let mut config = config(&place);
    (config.common.positions, config.common.threads) = (Some(300), 2);
    let (progress, _) = played(&config, None);
    let counts: Vec<u64> = games(&place).iter().map(|game| game.scored() as u64).collect();
    let total: u64 = counts.iter().sum();
    assert_eq!((progress.games, progress.positions), (counts.len() as u64, total));
    assert!(total >= 300 && total - counts[counts.len() - 1] < 300);
    let (again, _) = played(&config, None);
    assert_eq!(again.positions, again.old_positions, "nothing is left to do");
}

/// The result of the last position by the rules, and the moves to it.
fn check_game(game: &ScoredGame, config: &GenerateConfig) {
    let mut replay = Replay::new(game).unwrap();
    let mut scores = Vec::new();
    while let Some(sample) = replay.advance().unwrap() {
        assert_eq!(sample.position.repetition(), None);
        let color = sample.position.side_to_move();
        let black = |score: Score| if color == Color::Black { score } else { -score };
        scores.push(sample.score().map(black));
    }
    let (end, last) = (game.end, replay.position());
    match end.reason {
        GameEndReason::NoMove => {
            assert!(!last.has_legal_move());
            assert_eq!(end.outcome, GameOutcome::Win(!last.side_to_move()));
        }
        GameEndReason::MaxMoves => assert_eq!(last.game_ply(), config.max_moves + 1),
        GameEndReason::Adjudication => {
            let rule = config.win.unwrap();
            let last = &scores[scores.len() - rule.plies as usize..];
            let sign = if end.outcome == GameOutcome::Win(Color::Black) { 1 } else { -1 };
            assert!(last.iter().all(|score| score.unwrap().0 * sign >= rule.score.0));
        }
        GameEndReason::Sennichite | GameEndReason::PerpetualCheck => {
            assert!(last.repetition().is_some())
        }
        GameEndReason::Declaration => {
            assert!(last.declaration_win(crate::position::EnteringKingRule::Csa27));
        }
        other => panic!("{other}"),
    }
}

#[test]
fn games_are_legal_end_by_the_rules_and_start_balanced() {
    let place = Place::new("legal.games");
    let mut config = GenerateConfig { games: Some(30), ..config(&place) };
    config.common.threads = 2;
    played(&config, None);
    let games = games(&place);
    let mut from_list = 0;
    for game in &games {
        check_game(game, &config);
        let searched: Vec<bool> = game.plies.iter().map(|ply| ply.score().is_some()).collect();
        let last_random = searched.iter().rposition(|&searched| !searched).unwrap();
        assert!(last_random < 8, "{searched:?}");
        let first = game.plies[last_random + 1].score().unwrap();
        assert!(first.0.abs() <= 600);
        from_list += usize::from(searched[..4].iter().all(|&searched| !searched));
    }
    assert!((5..28).contains(&from_list), "{from_list}");
    let sampled =
        |game: &ScoredGame| game.plies.iter().any(|ply| !ply.is_best() && ply.score().is_some());
    assert!(
        games.iter().filter(|game| sampled(game)).count() > 15,
        "moves are chosen among several"
    );
    let mut whole = games.clone();
    whole.dedup_by(|a, b| a.plies == b.plies);
    assert_eq!(whole.len(), games.len());
    let end_reasons: Vec<GameEndReason> = games.iter().map(|game| game.end.reason).collect();
    assert!(end_reasons.contains(&GameEndReason::Adjudication), "{end_reasons:?}");
}

#[test]
fn a_contradictory_configuration_is_refused() {
    let place = Place::new("refused.games");
    let good = GenerateConfig { games: Some(1), ..config(&place) };
    assert_eq!(good.check(), Ok(()));
    let with = |change: &dyn Fn(&mut CommonConfig)| {
        let mut config = good.clone();
        change(&mut config.common);
        config
    };
    let wrong = [
        (GenerateConfig { games: None, ..good.clone() }, SelfplayConfigError::Endless),
        (
            GenerateConfig { unadjudicated_percent: 101, ..good.clone() },
            SelfplayConfigError::Percent,
        ),
        (with(&|common| common.nodes = 0), SelfplayConfigError::NodesOutOfRange),
        (with(&|common| common.nodes = u64::MAX), SelfplayConfigError::NodesOutOfRange),
        (with(&|common| common.threads = 0), SelfplayConfigError::NoThread),
        (with(&|common| common.hash_mib = 0), SelfplayConfigError::NoHash),
        (with(&|common| common.node_variation_percent = 101), SelfplayConfigError::Percent),
        (
            GenerateConfig { win: Some(WinRule { score: Score(1), plies: 1 }), ..good.clone() },
            SelfplayConfigError::WinPlies,
        ),
        (
            GenerateConfig {
                draw: Some(DrawRule { score: Score(1), plies: 0, from: 1 }),
                ..good.clone()
            },
            SelfplayConfigError::DrawPlies,
        ),
        (GenerateConfig { max_moves: 8, ..good.clone() }, SelfplayConfigError::LongStart),
        (GenerateConfig { max_moves: 7, ..good.clone() }, SelfplayConfigError::LongOpening(1)),
    ];
    for (config, error) in wrong {
        assert_eq!(config.check(), Err(error));
        assert!(run(&config, &StopSignal::new(), &mut Silent).is_err());
    }
    assert!(!place.path.exists());
}

/// Regression: the message said that a thread could not be started.
#[test]
fn refused_memory_is_the_only_reason_given() {
    let place = Place::new("no-memory.games");
    let mut config = GenerateConfig { games: Some(1), ..config(&place) };
    config.common.hash_mib = usize::MAX;
    let error = run(&config, &StopSignal::new(), &mut Silent).unwrap_err();
    assert_eq!(error.to_string(), AllocationError { bytes: usize::MAX }.to_string());
}

#[test]
fn starts_that_are_never_balanced_are_an_error_and_no_endless_loop() {
    let place = Place::new("unbalanced.games");
    let mut config = GenerateConfig {
        games: Some(1),
        max_start_score: Some(Score(-1)),
        starts: StartPositions::default(),
        ..config(&place)
    };
    config.common.nodes = 1;
    let error = run(&config, &StopSignal::new(), &mut Silent).unwrap_err();
    assert_eq!(error.to_string(), "game 0: none of 1000 starts is balanced");
}

#[test]
fn a_second_stop_abandons_the_games_in_progress() {
    let place = Place::new("stop.games");
    let stop = StopSignal::new();
    stop.raise();
    stop.raise();
    let mut config = GenerateConfig { games: Some(1_000_000), ..config(&place) };
    config.common.threads = 2;
    assert_eq!(run(&config, &stop, &mut Silent).unwrap().games, 0);
    assert!(games(&place).is_empty());
}

#[test]
fn the_remaining_time_is_that_of_the_nearer_goal() {
    let progress = SelfplayProgress {
        games: 40,
        next_unit: 30,
        positions: 1500,
        first_unit: 20,
        old_positions: 500,
        end_unit: Some(100),
        all_positions: Some(2000),
        elapsed: std::time::Duration::from_secs(10),
    };
    assert_eq!(progress.rate(), 100.0);
    assert_eq!(progress.remaining_time().map(|time| time.as_secs()), Some(5));
    let endless = SelfplayProgress { all_positions: None, ..progress };
    assert_eq!(endless.remaining_time().map(|time| time.as_secs()), Some(70));
    assert_eq!(SelfplayProgress::default().remaining_time(), None);
}

/// Regression: the largest number of games failed, because the remaining time could not be estimated.
#[test]
fn an_implausibly_long_remaining_time_is_not_shown() {
    let elapsed = std::time::Duration::from_secs(10);
    let end_unit = Some(u64::MAX);
    let endless =
        SelfplayProgress { next_unit: 1, end_unit, elapsed, ..SelfplayProgress::default() };
    assert_eq!(endless.remaining_time(), None);
}

#[test]
fn a_rescored_game_keeps_moves_and_end_and_has_scores_at_some_quiet_positions_alone() {
    let (source, place) = (Place::new("quick.games"), Place::new("rescored.games"));
    played(&GenerateConfig { games: Some(4), ..config(&source) }, None);
    let quick = games(&source);
    let mut config = RescoreConfig {
        common: CommonConfig { nodes: 400, ..common(&place) },
        games: quick.clone().into(),
        source: "four games".into(),
        share_percent: 50,
    };
    played(&config, None);
    let rescored = games(&place);
    assert_eq!(rescored.len(), quick.len());
    let (mut quiet, mut scored, mut changed) = (0, 0, 0);
    for (old, new) in quick.iter().zip(&rescored) {
        assert_eq!((&old.start, old.end), (&new.start, new.end));
        assert!(old.plies.iter().map(|ply| ply.mv()).eq(new.plies.iter().map(|ply| ply.mv())));
        let mut replay = Replay::new(old).unwrap();
        while let Some(sample) = replay.advance().unwrap() {
            let is_quiet =
                sample.score().is_some() && sample.is_quiet() && !sample.position.in_check();
            let score = new.plies[sample.ply].score();
            assert!(score.is_none() || is_quiet);
            quiet += usize::from(is_quiet);
            scored += usize::from(score.is_some());
            changed += usize::from(score.is_some() && score != sample.score());
        }
    }
    assert!(scored * 4 > quiet && scored * 4 < quiet * 3, "{scored} of {quiet}");
    assert!(changed * 2 > scored, "{changed} of {scored}");

    // Continued by two threads.
    fs::remove_file(&place.path).unwrap();
    config.common.threads = 2;
    played(&config, Some(1));
    played(&config, None);
    assert!(games(&place) == rescored);
}

/// Regression: the number of the unit was taken for that of a game.
#[test]
fn a_game_that_cannot_be_rescored_is_named_by_the_numbers_of_its_unit() {
    let (source, place) = (Place::new("legal.games"), Place::new("illegal.games"));
    played(&GenerateConfig { games: Some(1), ..config(&source) }, None);
    let mut game = games(&source).remove(0);
    game.plies.truncate(1);
    let mut illegal = game.clone();
    illegal.plies[0] = GameMove::unsearched("5i5a".parse().unwrap());
    let config = RescoreConfig {
        common: common(&place),
        games: std::iter::repeat_n(game, 64).chain([illegal]).collect(),
        source: "65 games".into(),
        share_percent: 0,
    };
    let error = run(&config, &StopSignal::new(), &mut Silent).unwrap_err().to_string();
    assert!(error.starts_with("games 64 to 64: a game to rescore: "), "{error}");
}

#[test]
fn rescored_games_are_the_same_when_an_interruption_splits_those_that_share_histories() {
    let (source, place) = (Place::new("openings.games"), Place::new("scores.games"));
    played(&GenerateConfig { games: Some(2), ..config(&source) }, None);
    let openings = games(&source).into_iter().map(|mut game| {
        game.plies.truncate(12);
        game
    });
    let openings: Vec<ScoredGame> = openings.collect();
    let mut config = RescoreConfig {
        common: common(&place),
        games: openings.iter().cycle().take(150).cloned().collect(),
        source: "150 openings".into(),
        share_percent: 100,
    };
    played(&config, None);
    let whole = games(&place);
    assert_eq!(whole.len(), 150);
    for finished in [1, 100] {
        fs::remove_file(&place.path).unwrap();
        config.common.threads = 2;
        played(&config, Some(finished));
        played(&config, None);
        assert!(games(&place) == whole, "after {finished} games");
    }
}
