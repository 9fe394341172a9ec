//! From games to a network: interrupted, with other numbers of threads, with truncated files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tempfile::{TempDir, tempdir};

use super::*;
use crate::nnue;
use crate::position::Setup;
use crate::tools::game_file::{GameFileHeader, GameFileWriter, GameMove, ScoredGame};
use crate::tools::referee::{GameEnd, GameEndReason};
use crate::tools::train::check::check;
use crate::tools::train::checkpoint::{Checkpoint, CheckpointError};
use crate::tools::train::log::{self, LogRow};
use crate::tools::train::plot;
use crate::tools::train::recipe::Recipe;
use crate::tools::train::training_data::{self, SampleCounts, TrainingData, TrainingDataError};
use crate::types::{Color, Score};

/// The folder of a test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A file of random games.
    fn games(&self, name: &str, count: u64, seed: u64) -> PathBuf {
        let games: Vec<ScoredGame> = (0..count).map(|number| game(seed, number)).collect();
        self.written(name, &games)
    }

    fn written(&self, name: &str, games: &[ScoredGame]) -> PathBuf {
        let path = self.path(name);
        let (mut writer, _) =
            GameFileWriter::append(&path, &GameFileHeader::new(), &mut |_| {}).unwrap();
        games.iter().for_each(|game| writer.push(game).unwrap());
        writer.finish().unwrap();
        path
    }
}

/// A random game whose scores are those of the pieces in hand.
fn game(seed: u64, number: u64) -> ScoredGame {
    let mut random = Random::of_part(seed, number);
    let mut position = Position::startpos();
    let mut plies = Vec::new();
    for ply in 0..60 {
        let moves: Vec<Move> = position.legal_moves().moves().collect();
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.below(moves.len())];
        let pieces =
            |color| position.hand(color).iter().map(|(_, count)| count as i32).sum::<i32>();
        let (us, them) = (position.side_to_move(), !position.side_to_move());
        let score = Score(200 * (pieces(us) - pieces(them)) + random.below(20) as i32);
        plies.push(if ply < 4 {
            GameMove::unsearched(mv)
        } else {
            GameMove::searched(mv, score, ply % 3 != 0)
        });
        position.do_move(mv);
    }
    let end = match random.below(3) {
        0 => GameEnd::draw(GameEndReason::MaxMoves),
        1 => GameEnd::win(Color::Black, GameEndReason::Resign),
        _ => GameEnd::win(Color::White, GameEndReason::Resign),
    };
    ScoredGame { start: Setup::startpos(), plies, end }
}

fn recipe(settings: &str) -> Recipe {
    let mut recipe = Recipe::default();
    let usual = "architecture = K-P 64x2-8-8\nbatch = 100\nepochs = 2\nreports = 3\nheld-out = 100";
    recipe.set_all(usual).unwrap();
    recipe.set_all(settings).unwrap_or_else(|error| panic!("{error}"));
    recipe
}

fn config(folder: PathBuf, games: &[&Path], recipe: Recipe, threads: usize) -> TrainingConfig {
    TrainingConfig {
        games: games.iter().map(|&path| path.to_owned()).collect(),
        validation: Vec::new(),
        folder,
        recipe,
        threads,
        checkpoint_every: Duration::MAX,
        max_positions: 100_000,
    }
}

/// Records the events, and may stop the training.
#[derive(Default)]
struct Listener<'a> {
    stop: Option<(u64, &'a AtomicBool)>,
    reports: Vec<LogRow>,
    notes: Vec<String>,
}

impl TrainingObserver for Listener<'_> {
    fn message(&mut self, text: &str) {
        self.notes.push(text.into());
    }

    fn progress(&mut self, status: &TrainingStatus) {
        if let Some((step, stop)) = self.stop.filter(|(step, _)| status.steps >= *step) {
            assert!(step <= status.all_steps);
            stop.store(true, Ordering::Relaxed);
        }
    }

    fn report(&mut self, row: &LogRow, _is_best: bool) {
        self.reports.push(*row);
    }
}

fn train(config: &TrainingConfig) -> TrainingOutcome {
    run(config, &AtomicBool::new(false), &mut Listener::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

fn error_of(config: &TrainingConfig) -> String {
    let result = run(config, &AtomicBool::new(false), &mut Listener::default());
    result.expect_err("it cannot be").to_string()
}

/// The results of a training that do not depend on the clock.
fn left(folder: &Path) -> [Vec<u8>; 3] {
    ["checkpoint", "net.bin", "best.bin"].map(|name| fs::read(folder.join(name)).unwrap())
}

#[test]
fn a_training_that_was_interrupted_ends_as_if_it_had_not_been() {
    let folder = Folder::new();
    let games = folder.games("games", 60, 1);
    for (name, settings) in [
        ("classic", "weight-decay = 0.1"),
        (
            "stacks",
            "architecture = HalfKA_hm2 64x2-15-8\nbucket-mode = k3k3\nlambda = 0.5\nfinal-lambda = 1",
        ),
        ("moves", "ranking-weight = 0.1\nranking-negatives = 3"),
    ] {
        let config = |folder| config(folder, &[&games], recipe(settings), 2);
        let straight = config(folder.path(&format!("{name}-straight")));
        assert_eq!(train(&straight).reason, StopReason::Done);
        let broken = config(folder.path(&format!("{name}-broken")));
        for step in [3, 11] {
            let stop = AtomicBool::new(false);
            let mut listener = Listener { stop: Some((step, &stop)), ..Listener::default() };
            let outcome = run(&broken, &stop, &mut listener).unwrap();
            assert_eq!(outcome.reason, StopReason::Stopped);
            assert!(outcome.network.is_none() && !broken.folder.join("net.bin").exists());
        }
        let outcome = train(&broken);
        assert_eq!(outcome.reason, StopReason::Done);
        assert!(left(&straight.folder) == left(&broken.folder), "{name}");
        let rows = |config: &TrainingConfig| {
            let rows = log::read(&config.folder.join("log.tsv")).unwrap();
            rows.into_iter().map(|row| LogRow { seconds: 0.0, ..row }).collect::<Vec<_>>()
        };
        assert_eq!(rows(&straight), rows(&broken));
        assert_eq!(rows(&straight).len(), 3);
        // Nothing is left to be done, so nothing changes.
        assert_eq!(train(&broken).reason, StopReason::Done);
        assert!(left(&straight.folder) == left(&broken.folder), "{name}");
    }
}

#[test]
fn the_result_depends_on_the_seed_and_not_on_the_number_of_threads() {
    let folder = Folder::new();
    let games = folder.games("games", 80, 2);
    let train_with = |name: &str, settings: &str, threads| {
        let config = config(folder.path(name), &[&games], recipe(settings), threads);
        train(&config);
        left(&config.folder)
    };
    let settings = "architecture = HalfKP_vm 64x2-8-8\nbatch = 3000\nepochs = 3\nlr = 0.003";
    let one = train_with("one", settings, 1);
    assert!(one == train_with("three", settings, 3));
    let [_, net, _] = train_with("seed", &format!("{settings}\nseed = 2"), 2);
    assert!(net != one[1]);
    let with_moves = format!("{settings}\nranking-weight = 0.1");
    let one_with_moves = train_with("moves-one", &with_moves, 1);
    assert!(one_with_moves == train_with("moves-three", &with_moves, 3));
    assert!(one_with_moves[1] != one[1]);
}

#[test]
fn the_curves_can_be_drawn_again_from_the_log() {
    let folder = Folder::new();
    let games = folder.games("games", 20, 3);
    let settings = "epochs = 8\nreports = 8\nnoisy = true\nheld-out = 200\nbatch = 32";
    let config = config(folder.path("out"), &[&games], recipe(settings), 1);
    train(&config);
    let drawing = fs::read_to_string(config.folder.join("curves.svg")).unwrap();
    assert!(drawing.contains("<polyline"));
    assert_eq!(drawing, plot::svg(&log::read(&config.folder.join("log.tsv")).unwrap()));
}

#[test]
fn training_reduces_the_loss_on_held_out_positions() {
    let folder = Folder::new();
    let games = folder.games("games", 300, 3);
    let settings = "lr = 0.003\nlambda = 1\nepochs = 4\nreports = 4\nnoisy = true\nheld-out = 200";
    let config = config(folder.path("out"), &[&games], recipe(settings), 2);
    let mut listener = Listener::default();
    let outcome = run(&config, &AtomicBool::new(false), &mut listener).unwrap();
    let losses: Vec<f64> = listener.reports.iter().map(|row| row.loss).collect();
    assert_eq!(losses.len(), 4);
    assert!(losses[3] < losses[0] / 2.0, "{losses:?}");
    assert_eq!(outcome.last, listener.reports.last().copied());
    let written = outcome.network.unwrap();
    let quantization_error = written.quantization_error.unwrap();
    assert!(
        written.accumulators.fits()
            && quantization_error.mean < 15.0
            && quantization_error.worst < 100.0,
        "{quantization_error}"
    );

    let exported = folder.path("exported.bin");
    let checkpoint = config.folder.join("checkpoint");
    export_checkpoint(&checkpoint, &exported, WeightChoice::Ema, 1).unwrap();
    assert_eq!(fs::read(&exported).unwrap(), fs::read(&written.path).unwrap());
    export_checkpoint(&checkpoint, &exported, WeightChoice::Last, 1).unwrap();
    assert_ne!(fs::read(&exported).unwrap(), fs::read(&written.path).unwrap());

    let findings = |checkpoint| {
        let path = &written.path;
        check(path, std::slice::from_ref(&games), &config.recipe, checkpoint, 2).unwrap()
    };
    let against_checkpoint = findings(Some(&*checkpoint));
    assert!(against_checkpoint.quantization_error.mean < 15.0);
    let findings = findings(None);
    assert!(findings.quantization_error.mean < against_checkpoint.quantization_error.mean);
    assert!(findings.report.loss < losses[0] / 2.0 && findings.fv_scale == 16);
    assert!(findings.to_string().contains("quantised"));
}

/// Regression: with another scale than that of the training, the network of the checkpoint was compared in a wrong
/// unit.
#[test]
fn the_quantisation_error_against_a_checkpoint_does_not_depend_on_the_scale_of_the_check() {
    let folder = Folder::new();
    let games = folder.games("games", 40, 4);
    let config = config(folder.path("out"), &[&games], recipe("scale = 900"), 2);
    let net = train(&config).network.unwrap().path;
    let checkpoint = config.folder.join("checkpoint");
    let [same, other] = ["scale = 900", "scale = 450"].map(|scale| {
        let games = std::slice::from_ref(&games);
        let checked = check(&net, games, &recipe(scale), Some(checkpoint.as_path()), 2).unwrap();
        checked.quantization_error
    });
    assert_eq!(same, other);
}

/// Regression: 0.0 % of no decided games were predicted, and 0.0 % of no best moves found.
#[test]
fn a_check_without_decided_games_or_best_moves_says_so() {
    let folder = Folder::new();
    let drawn = |number| {
        let mut game = game(5, number);
        game.end = GameEnd::draw(GameEndReason::MaxMoves);
        for ply in &mut game.plies {
            if let Some(score) = ply.score() {
                *ply = GameMove::searched(ply.mv(), score, false);
            }
        }
        game
    };
    let games = folder.written("games", &(0..40).map(drawn).collect::<Vec<_>>());
    let config = config(folder.path("out"), &[&games], recipe(""), 2);
    let net = train(&config).network.unwrap().path;
    let checked = check(&net, std::slice::from_ref(&games), &config.recipe, None, 2).unwrap();
    let report = checked.to_string();
    assert!(report.contains("\noutcomes   no game is decided\n"), "{report}");
    assert!(report.contains("\nmoves      no quiet best move is known\n"), "{report}");
}

/// Regression: it panicked.
#[test]
fn a_network_is_not_validated_if_no_position_passes_the_filter() {
    let folder = Folder::new();
    let games = folder.games("games", 40, 4);
    let config = config(folder.path("out"), &[&games], recipe(""), 2);
    let net = train(&config).network.unwrap().path;
    let strict = recipe("first-ply = 1000");
    let error = check(&net, std::slice::from_ref(&games), &strict, None, 2).unwrap_err();
    let expected = "there is no position to evaluate the network on: 40 games, ";
    assert!(error.to_string().starts_with(expected), "{error}");
}

/// Regression: the error asked for the coefficients that were beside the network.
#[test]
fn a_network_is_checked_with_the_progress_coefficients_beside_it() {
    let folder = Folder::new();
    let games = folder.games("games", 40, 4);
    let (features, topology) = (FeatureSet::KP, Topology::Sfnn { stacks: 8, shortcut: true });
    let architecture = Architecture { features, width: 64, h1: 7, h2: 8, topology };
    let numbers = nnue::RandomNetwork::new(architecture, 1).parameters();
    let description = nnue::file::description(&architecture, Some("progress8kpabs"), Some(16));
    let (net, mut bytes) = (folder.path("net.bin"), Vec::new());
    nnue::file::write(&mut bytes, &numbers, &description).unwrap();
    fs::write(&net, bytes).unwrap();
    let checked = || check(&net, std::slice::from_ref(&games), &recipe(""), None, 1);
    let error = checked().unwrap_err().to_string();
    assert!(error.contains("needs progress coefficients"), "{error}");
    let coefficients = vec![0; 8 * nnue::ProgressModel::WEIGHTS];
    fs::write(folder.path("progress.bin"), coefficients).unwrap();
    assert_eq!(checked().unwrap().architecture, architecture);
}

#[test]
fn training_can_begin_with_a_network() {
    let folder = Folder::new();
    let games = folder.games("games", 40, 4);
    let first = config(folder.path("first"), &[&games], recipe("lr = 0.003"), 2);
    let net = train(&first).network.unwrap().path;
    for settings in ["factorizer = true", "factorizer = false", "architecture = K-P 64x2-16-8"] {
        let still = format!("{settings}\nlr = 0\nfinal-lr = 0\ninit = {}", net.display());
        let second = config(folder.path("second"), &[&games], recipe(&still), 2);
        if settings.starts_with("architecture") {
            assert!(error_of(&second).contains("K+P 64x2-8-8, but K+P 64x2-16-8"));
            continue;
        }
        let again = train(&second).network.unwrap().path;
        assert!(fs::read(&again).unwrap() == fs::read(&net).unwrap());
        fs::remove_dir_all(&second.folder).unwrap();
    }
}

/// Regression: only a network file could be the initial network, so the next training began without
/// what one had learned below half a unit of the file.
#[test]
fn training_can_begin_with_weights_that_are_not_rounded() {
    let folder = Folder::new();
    let games = folder.games("games", 40, 4);
    let shortcut = "architecture = K-P 64x2-15-8\nbucket-mode = k3k3";
    for (name, network) in [("classic", ""), ("shortcut", shortcut)] {
        let settings = format!("{network}\nlr = 0.003\nscale = 900");
        let first = config(folder.path(name), &[&games], recipe(&settings), 2);
        train(&first);
        let unquantized = first.folder.join("checkpoint-unquantized");
        let still = format!(
            "{network}\nscale = 450\nlr = 0\nfinal-lr = 0\nquantize-share = 0\ninit = {}",
            unquantized.display()
        );
        let again = folder.path(&format!("{name}-again"));
        let second = config(again, &[&games], recipe(&still), 2);
        let net = train(&second).network.unwrap().path;
        let trainer = |path: &Path| Checkpoint::open(path).unwrap().trainer(1).unwrap();
        let (before, after) = (trainer(&unquantized), trainer(&second.folder.join("checkpoint")));
        let is_between = |number: &f32| (0.1..0.9).contains(&(*number * 127.0).fract());
        assert!(before.ema_weights().bias.iter().any(is_between), "{name}: rounded");
        // Bias, rows of the king buckets, shared rows.
        assert!(after.weights.arrays()[..3] == before.ema_weights().arrays()[..3], "{name}");
        // The scores stay, so the outputs in the new unit are twice as large.
        let exported = folder.path("exported.bin");
        export_checkpoint(&unquantized, &exported, WeightChoice::Ema, 1).unwrap();
        assert!(fs::read(&exported).unwrap() == fs::read(&net).unwrap(), "{name}");
        assert!(!second.folder.join("checkpoint-unquantized").exists(), "it would be the same");
    }
}

#[test]
fn a_checkpoint_of_another_network_or_a_damaged_one_is_no_initial_network() {
    let folder = Folder::new();
    let games = folder.games("games", 40, 4);
    let first = "architecture = K-P 64x2-15-8\nbucket-mode = k3k3";
    train(&config(folder.path("first"), &[&games], recipe(first), 2));
    let checkpoint = folder.path("first").join("checkpoint");
    let refusal = |settings: &str| {
        let settings = format!("{settings}\ninit = {}", checkpoint.display());
        error_of(&config(folder.path("second"), &[&games], recipe(&settings), 2))
    };
    for (settings, expected) in [
        ("architecture = K-P 64x2-15-16\nbucket-mode = k3k3", "64x2-15-8 in 9 stacks, but K+P"),
        ("architecture = K-P 64x2-15-8\nbucket-mode = k9k9", "has the bucket mode k3k3, but k9k9"),
    ] {
        let error = refusal(settings);
        assert!(error.contains(expected), "{error}");
    }
    let whole = fs::read(&checkpoint).unwrap();
    fs::write(&checkpoint, &whole[..whole.len() / 2]).unwrap();
    assert!(refusal(first).contains("truncated: "));
}

/// Regression: the games were read before, which takes minutes.
#[test]
fn an_initial_network_that_cannot_be_used_is_an_error_before_the_games_are_read() {
    let folder = Folder::new();
    let init = format!("init = {}", folder.path("missing.bin").display());
    let config = config(folder.path("out"), &[&folder.path("games")], recipe(&init), 1);
    assert!(error_of(&config).contains("missing.bin"), "{}", error_of(&config));
}

#[test]
fn fv_scale_changes_the_unit_of_scores_only() {
    let folder = Folder::new();
    let games = folder.games("games", 40, 4);
    let [usual, larger] = ["scale = 600", "scale = 600\noutput-scale = 800\nfv-scale = 12"]
        .map(|settings| config(folder.path(settings), &[&games], recipe(settings), 2))
        .map(|config| train(&config).network.unwrap());
    let [usual_network, larger_network] = [&usual, &larger].map(|written| {
        nnue::file::load(&written.path, &nnue::file::LoadOptions::default()).unwrap()
    });
    assert_eq!((usual_network.fv_scale, larger_network.fv_scale), (Some(16), Some(12)));
    assert!(usual_network.parameters() == larger_network.parameters());
    let [usual, larger] = [usual, larger].map(|written| written.quantization_error.unwrap());
    assert_eq!(usual.losses, larger.losses);
    assert!((larger.mean / usual.mean - 4.0 / 3.0).abs() < 0.01);
}

#[test]
fn without_a_better_report_patience_ends() {
    let folder = Folder::new();
    let games = folder.games("games", 40, 4);
    let settings =
        "lr = 0\nfinal-lr = 0\nepochs = 50\nreports = 50\npatience = 3\nquantize-share = ";
    // Ten reports are in the last fifth, in which a network is quantised whatever they say.
    for (share, reports) in [("0", 4), ("0.2", 14)] {
        let recipe = recipe(&format!("{settings}{share}"));
        let config = config(folder.path(share), &[&games], recipe, 1);
        let mut listener = Listener::default();
        let outcome = run(&config, &AtomicBool::new(false), &mut listener).unwrap();
        assert_eq!((outcome.reason, listener.reports.len()), (StopReason::Done, reports));
        assert!(outcome.network.is_some());
        assert!(listener.notes.iter().any(|note| note.starts_with("early stopping")), "{share}");
    }
}

/// Regression: every report counted as no improvement, so training ended early.
#[test]
fn without_held_out_positions_patience_does_not_end() {
    let folder = Folder::new();
    let games = folder.games("games", 40, 4);
    let recipe = recipe("held-out = 0\nreports = 10\npatience = 3\nquantize-share = 0");
    let config = config(folder.path("out"), &[&games], recipe, 1);
    let mut listener = Listener::default();
    let outcome = run(&config, &AtomicBool::new(false), &mut listener).unwrap();
    assert_eq!((outcome.reason, listener.reports.len()), (StopReason::Done, 10));
}

/// Regression: it continued to its end, and NaN became zeros in the network.
#[test]
fn a_training_that_diverges_ends_with_the_reason() {
    let folder = Folder::new();
    let games = folder.games("games", 40, 4);
    let settings = "lr = 1\nfinal-lr = 1\nweight-decay = 100\nepochs = 20\nreports = 1";
    let config = config(folder.path("out"), &[&games], recipe(settings), 1);
    let error = error_of(&config);
    assert!(error.contains("start again with a smaller lr"), "{error}");
    for name in ["checkpoint", "best.bin", "net.bin"] {
        assert!(!config.folder.join(name).exists(), "{name}");
    }
}

#[test]
fn incomplete_and_damaged_checkpoints_are_refused_with_the_reason() {
    let folder = Folder::new();
    let games = folder.games("games", 30, 5);
    let config = config(folder.path("out"), &[&games], recipe(""), 1);
    train(&config);
    let path = config.folder.join("checkpoint");
    let whole = fs::read(&path).unwrap();
    for length in [0, 5, 11] {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(
            matches!(Checkpoint::open(&path), Err(CheckpointError::NotACheckpoint)),
            "{length}"
        );
    }
    for length in [12, 100, 2000, whole.len() / 2, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        let error = Checkpoint::open(&path).unwrap_err();
        let CheckpointError::Size { needs, has } = error else { panic!("{error}") };
        assert!(has == length as u64 && needs <= whole.len() as u64);
        assert!(error_of(&config).contains("truncated: "));
    }
    fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
    assert!(error_of(&config).contains("more than"));
    for at in [whole.len() / 2, whole.len() - 1] {
        let mut damaged = whole.clone();
        damaged[at] ^= 4;
        fs::write(&path, &damaged).unwrap();
        assert!(error_of(&config).contains("its checksum is wrong"));
    }
    let text = |from: &str, to: &str| {
        let length = u32::from_le_bytes(whole[8..12].try_into().unwrap()) as usize;
        let text = std::str::from_utf8(&whole[12..12 + length]).unwrap().replace(from, to);
        let length = (text.len() as u32).to_le_bytes();
        [&whole[..8], &length, text.as_bytes(), &whole[12 + length_of(&whole)..]].concat()
    };
    for (from, to, expected) in [
        ("[progress]", "[]", "its text cannot be read"),
        ("steps = ", "steps = x", "its text cannot be read"),
        ("epochs = 2", "epochs = 0", "its settings: epochs must be"),
        ("64x2-8-8", "2304x2-128-128", "truncated: "),
        ("64x2-8-8", "65x2-8-8", "its settings: the engine does not support"),
    ] {
        fs::write(&path, text(from, to)).unwrap();
        assert!(error_of(&config).contains(expected), "{}", error_of(&config));
    }
    fs::write(&path, &whole).unwrap();
    assert_eq!(train(&config).reason, StopReason::Done);
}

fn length_of(checkpoint: &[u8]) -> usize {
    u32::from_le_bytes(checkpoint[8..12].try_into().unwrap()) as usize
}

#[test]
fn a_checkpoint_of_another_training_is_refused() {
    let folder = Folder::new();
    let games = folder.games("games", 30, 5);
    let first = config(folder.path("out"), &[&games], recipe(""), 1);
    train(&first);
    let other = TrainingConfig { recipe: recipe("lambda = 0.5"), ..first.clone() };
    let error = error_of(&other);
    assert!(error.contains("other settings") && error.contains("lambda = 0.7, not 0.5"), "{error}");
    assert!(error.ends_with("or begin another one in another folder (--out)"), "{error}");
    let more = folder.games("more", 2, 6);
    let other = TrainingConfig { games: vec![games, more], ..first };
    assert!(error_of(&other).contains("on other positions"));
}

fn read(
    files: &[&Path],
    recipe: &Recipe,
    max_positions: u32,
) -> Result<TrainingData, TrainingDataError> {
    let files: Vec<PathBuf> = files.iter().map(|&path| path.to_owned()).collect();
    training_data::read(&files, &[], recipe, &Buckets::One, 2, max_positions)
}

#[test]
fn positions_pass_the_filter_and_are_counted() {
    let folder = Folder::new();
    let ply = |mv: &str, score| GameMove::searched(mv.parse().unwrap(), Score(score), true);
    let plies = vec![
        GameMove::unsearched("7g7f".parse().unwrap()),
        ply("3c3d", -10),
        ply("8h2b+", 20),
        ply("3a2b", -5000),
        ply("B*4e", 30),
        ply("B*6e", 40),
        ply("4e5f", 50),
        ply("6e7f", 60),
        ply("5f3d", 31_999),
    ];
    let black = GameEnd::win(Color::Black, GameEndReason::Resign);
    let game = ScoredGame { start: Setup::startpos(), plies, end: black };
    let games = folder.written("games", &[game.clone(), game]);
    let counted = |settings: &str| {
        let data = read(&[&games], &recipe(&format!("held-out = 0\n{settings}")), 100).unwrap();
        assert_eq!(data.counts.games, 2);
        (data.training, data.counts)
    };
    let (learned, counts) = counted("");
    let labels: Vec<(i16, i8)> =
        learned.iter().map(|sample| (sample.label.score, sample.label.result)).collect();
    assert_eq!(labels, [(-10, -1), (30, 1), (40, -1), (50, 1)]);
    let expected = SampleCounts {
        games: 2,
        positions: 18,
        unsearched: 2,
        early: 0,
        checks: 0,
        noisy: 4,
        extreme: 4,
        repeated: 4,
        surplus: 0,
    };
    assert_eq!(counts, expected);
    assert_eq!(counted("repeats = true").0.len(), 8);
    assert_eq!(counted("repeats = true\nper-game = 3").0.len(), 6);
    assert_eq!(counted("noisy = true").0.len(), 6);
    assert_eq!(counted("max-score = 5000\nnoisy = true").0.len(), 7);
    let (learned, counts) = counted("first-ply = 5");
    assert_eq!((learned.len(), counts.early), (2, 8));
    assert!(counts.to_string().contains("2 games, 18 positions, 2 not searched, 8 too early"));
}

/// A game whose scores all equal its number.
fn marked(number: u64) -> ScoredGame {
    let mut marked = game(7, number);
    let mark = |ply: &GameMove| match ply.score() {
        Some(_) => GameMove::searched(ply.mv(), Score(number as i32), ply.is_best()),
        None => *ply,
    };
    marked.plies = marked.plies.iter().map(mark).collect();
    marked
}

#[test]
fn games_are_held_out_as_a_whole() {
    let folder = Folder::new();
    let games = folder.written("games", &(0..200).map(marked).collect::<Vec<_>>());
    let read_with = |settings: &str| read(&[&games], &recipe(settings), 100_000).unwrap();
    let all = read_with("held-out = 0");
    let part = read_with("held-out = 250");
    let games_of = |samples: &[TrainingSample]| -> BTreeSet<i16> {
        samples.iter().map(|sample| sample.label.score).collect()
    };
    let (learned, held_out) = (games_of(&part.training), games_of(&part.held_out));
    assert!(learned.is_disjoint(&held_out));
    assert_eq!(learned.len() + held_out.len(), games_of(&all.training).len());
    assert!((30..70).contains(&held_out.len()), "{}", held_out.len());
    assert_eq!(part.training.len() + part.held_out.len(), all.training.len());
    let few = read_with("held-out = 250\nheld-out-positions = 10");
    assert_eq!((few.held_out.len(), few.training.len()), (10, part.training.len()));
    assert_eq!(few.counts.surplus as usize, part.held_out.len() - 10);
    assert_ne!(all.fingerprint, part.fingerprint);
    assert_eq!(part.fingerprint, read_with("held-out = 250").fingerprint);
    assert_ne!(held_out, games_of(&read_with("held-out = 250\nseed = 2").held_out));
    assert!(matches!(read(&[&games], &recipe(""), 50), Err(TrainingDataError::TooMany(50))));
}

/// Regression: labelled positions are games of one move, so some positions of each game were held out and others
/// learned.
#[test]
fn positions_of_validation_files_are_held_out_and_no_others() {
    let folder = Folder::new();
    let games = folder.written("games", &(0..60).map(marked).collect::<Vec<_>>());
    let other = folder.written("other", &(50..100).map(marked).collect::<Vec<_>>());
    let recipe = recipe("held-out = 250\nrepeats = true");
    let read = |validation: &[PathBuf]| {
        let files = std::slice::from_ref(&games);
        training_data::read(files, validation, &recipe, &Buckets::One, 2, 100_000)
    };
    let data = read(&[other]).unwrap();
    let marks = |samples: &[TrainingSample]| {
        let marks = samples.iter().map(|sample| sample.label.score);
        (marks.clone().min(), marks.max())
    };
    assert_eq!(marks(&data.training), (Some(0), Some(59)));
    assert_eq!(marks(&data.held_out), (Some(50), Some(99)));
    assert!(read(&[folder.path("missing")]).is_err());
}

/// Regression: the training ran without any validation, and without `best.bin`.
#[test]
fn files_for_validation_without_a_position_are_refused() {
    let folder = Folder::new();
    let games = folder.games("games", 10, 3);
    let config = config(folder.path("out"), &[&games], recipe(""), 1);
    // All of its positions occur in the games too.
    let config = TrainingConfig { validation: vec![games], ..config };
    let expected = "there is no position to evaluate the network on: 20 games, ";
    assert!(error_of(&config).starts_with(expected), "{}", error_of(&config));
}

#[test]
fn single_positions_as_games_are_pointed_out_unless_other_files_validate() {
    let folder = Folder::new();
    let single = |number| {
        let mut label = marked(number);
        let mv = label.plies[0].mv();
        label.plies = vec![GameMove::searched(mv, Score(10), true)];
        label
    };
    let labels = folder.written("labels", &(0..40).map(single).collect::<Vec<_>>());
    let is_pointed_out = |name: &str, settings: &str, validation: &[PathBuf]| {
        let recipe = recipe(&format!("epochs = 1\nrepeats = true\nnoisy = true\n{settings}"));
        let config = config(folder.path(name), &[&labels], recipe, 1);
        let config = TrainingConfig { validation: validation.to_vec(), ..config };
        let mut listener = Listener::default();
        run(&config, &AtomicBool::new(false), &mut listener).unwrap();
        listener.notes.iter().any(|note| note.contains("--validation names files of other games"))
    };
    assert!(is_pointed_out("share", "held-out = 250", &[]));
    assert!(!is_pointed_out("none", "held-out = 0", &[]));
    let games = folder.games("games", 10, 3);
    assert!(!is_pointed_out("other", "held-out = 250", &[games]));
}

/// Regression: the first ones were kept, which all came from the first games.
#[test]
fn surplus_held_out_positions_are_left_out_at_random() {
    let folder = Folder::new();
    let games = folder.written("games", &(0..200).map(marked).collect::<Vec<_>>());
    let settings = "held-out = 250\nheld-out-positions = 20";
    let data = read(&[&games], &recipe(settings), 100_000).unwrap();
    let later = data.held_out.iter().filter(|sample| sample.label.score >= 100).count();
    assert!((3..=17).contains(&later) && data.held_out.len() == 20, "{later}");
}

#[test]
fn positions_in_check_are_left_out_unless_asked_for() {
    let folder = Folder::new();
    let ply = |mv: &str, score| GameMove::searched(mv.parse().unwrap(), Score(score), true);
    let plies = vec![ply("7g7f", 1), ply("8c8d", 2), ply("8h3c+", 3), ply("5a6b", 4)];
    let end = GameEnd::draw(GameEndReason::MaxMoves);
    let games = folder.written("games", &[ScoredGame { start: Setup::startpos(), plies, end }]);
    for (settings, expected, checks) in [("", &[1, 2][..], 1), ("checks = true", &[1, 2, 4], 0)] {
        let recipe = recipe(&format!("held-out = 0\n{settings}"));
        let data = read(&[&games], &recipe, 100).unwrap();
        let scores: Vec<i16> = data.training.iter().map(|sample| sample.label.score).collect();
        assert_eq!((&scores[..], data.counts.checks), (expected, checks));
    }
}

#[test]
fn bad_games_are_reported_and_left_out() {
    let folder = Folder::new();
    let mut bad = game(1, 2);
    bad.plies[20] = GameMove::searched("1a1b".parse().unwrap(), Score(0), true);
    let games = folder.written("games", &[game(1, 1), bad, game(1, 3)]);
    let data = read(&[&games], &recipe(""), 10_000).unwrap();
    assert_eq!(data.counts.games, 3);
    assert!(matches!(&data.warnings[..], [told] if told.contains("game 1 of all: ply 20, 1a1b")));
    let good = folder.written("good", &[game(1, 1), game(1, 3)]);
    assert_eq!(read(&[&good], &recipe("held-out = 0"), 10_000).unwrap().training.len(), {
        let data = read(&[&games], &recipe("held-out = 0"), 10_000).unwrap();
        data.training.len()
    });
    let mut bytes = fs::read(&good).unwrap();
    let end = bytes.len();
    bytes[end - 10] ^= 1;
    fs::write(&good, bytes).unwrap();
    let data = read(&[&good], &recipe(""), 10_000).unwrap();
    assert_eq!((data.training.len(), data.warnings.len()), (0, 1));
    let config = config(folder.path("out"), &[&good], recipe(""), 1);
    assert_eq!(error_of(&config), "there is no position to train on");
    let illegal = GameMove::searched("1a1b".parse().unwrap(), Score(0), true);
    let bad = |number| ScoredGame { plies: vec![illegal], ..game(1, number) };
    let many = folder.written("many", &(0..25).map(bad).collect::<Vec<_>>());
    let warnings = read(&[&many], &recipe(""), 10_000).unwrap().warnings;
    assert_eq!((warnings.len(), warnings[20].as_str()), (21, "5 more such warnings"));
    fs::write(&good, "no games").unwrap();
    assert!(read(&[&good], &recipe(""), 10_000).unwrap_err().to_string().contains("good"));
}
