//! The trainer as users call it, on games that the self-play tool has just played.

use std::fs;
use std::process::{Command, Stdio};

use crate::folder::Folder;

const SELFPLAY: &str = env!("CARGO_BIN_EXE_selfplay");
const TRAIN: &str = env!("CARGO_BIN_EXE_train");
const ENGINE: &str = env!("CARGO_BIN_EXE_kawasemi");

/// A file of some short games.
fn games_in(place: &Folder) -> String {
    let path = place.path("all.games");
    let limits = ["--games", "12", "--nodes", "20", "--max-moves", "60", "--hash", "1"];
    stdout_of(SELFPLAY, &[&["generate", "--out", &path][..], &limits].concat());
    path
}

fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    command
}

#[track_caller]
fn stdout_of(program: &str, arguments: &[&str]) -> String {
    crate::program::stdout_of(&mut command(program, arguments))
}

#[track_caller]
fn stderr_of(arguments: &[&str]) -> String {
    crate::program::stderr_of(&mut command(TRAIN, arguments))
}

/// The log of a training that has no report yet.
const EMPTY_LOG: &str =
    "step\tepoch\tlearning_rate\ttrain_loss\tloss\terror\toutcomes\tmoves\tseconds\n";

/// The smallest network, in small batches.
const SMALL: [&str; 8] =
    ["--architecture", "K-P 64x2-8-8", "--batch", "32", "--held-out", "200", "--noisy", "true"];

#[test]
fn games_become_a_network_that_the_engine_plays_with() {
    let place = Folder::new();
    let games = games_in(&place);
    let [folder, net, drawing] = ["out", "again.bin", "again.svg"].map(|name| place.path(name));
    let settings = place.write("settings", "lambda = 0.5 # half and half\nepochs = 2\n");
    let run = ["run", &games, "--out", &folder, "--config", &settings, "--reports", "2"];
    let stdout = stdout_of(TRAIN, &[&run[..], &SMALL].concat());
    for words in
        ["the training is complete\n", "\nepoch 2.00: loss ", "\nrange ", "\nquantised error "]
    {
        assert!(stdout.contains(words), "{words}\n{stdout}");
    }
    let [checkpoint, log] = ["checkpoint", "log.tsv"].map(|name| format!("{folder}/{name}"));
    assert!(
        stdout_of(TRAIN, &["export", &checkpoint, "--out", &net]).contains("K+P 64x2-8-8, after ")
    );
    assert!(fs::read(&net).unwrap() == fs::read(format!("{folder}/net.bin")).unwrap());
    stdout_of(TRAIN, &["plot", &log, "--out", &drawing]);
    let curves = fs::read_to_string(&drawing).unwrap();
    assert_eq!(curves, fs::read_to_string(format!("{folder}/curves.svg")).unwrap());
    let check = ["check", &net, &games, "--checkpoint", &checkpoint, "--noisy", "true"];
    let found = stdout_of(TRAIN, &check);
    assert!(found.starts_with("network    K+P 64x2-8-8, FV_SCALE 16\n"), "{found}");
    let info = stdout_of(ENGINE, &["eval", "info", &net]);
    assert!(info.contains("K+P 64x2-8-8") && info.contains("used in the mapped file"), "{info}");
    let bench = ["bench", "--depth", "1"];
    let signature = |out: String| out.lines().last().unwrap().to_owned();
    let with_network = signature(stdout_of(ENGINE, &[&bench[..], &["--eval", &net]].concat()));
    assert_ne!(with_network, signature(stdout_of(ENGINE, &bench)));
}

/// Regression: it reported losses that are not numbers, as if it had diverged.
#[test]
fn without_held_out_positions_there_is_no_validation_report() {
    let place = Folder::new();
    let (games, folder) = (games_in(&place), place.path("out"));
    let run =
        ["run", &games, "--out", &folder, "--architecture", "K-P 64x2-8-8", "--held-out", "0"];
    let stdout = stdout_of(TRAIN, &[&run[..], &["--epochs", "1", "--reports", "1"]].concat());
    assert!(stdout.contains("\nepoch 1.00: loss 0."), "{stdout}");
    assert!(!stdout.contains("NaN") && !stdout.contains("held out"), "{stdout}");
}

#[test]
fn help_explains_every_argument() {
    let of_train = ["run", "export", "check", "average", "plot"].map(|name| (TRAIN, name));
    let of_files = ["stats", "filter", "dedup", "shuffle", "convert", "positions"];
    let of_selfplay = of_files.map(|name| (SELFPLAY, name));
    for (program, name) in of_train.into_iter().chain(of_selfplay) {
        let help = stdout_of(program, &[name, "-h"]);
        for line in help.lines().filter(|line| line.starts_with("  ")) {
            assert!(line.trim().contains("  "), "{name}: {line}");
        }
    }
}

/// Regression: the help ended with status 0 where it could not be written.
#[cfg(target_os = "linux")]
#[test]
fn a_help_that_cannot_be_written_is_an_error() {
    let [gauntlet, spsa] = [env!("CARGO_BIN_EXE_gauntlet"), env!("CARGO_BIN_EXE_spsa")];
    for program in [TRAIN, SELFPLAY, gauntlet, spsa] {
        for flag in ["--help", "--version"] {
            let full = crate::program::full_output();
            let output = command(program, &[flag]).stdout(full).output().unwrap();
            let text = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{program} {flag}: {text}");
            assert!(text.contains(": "), "{program} {flag}: {text}");
        }
    }
}

#[test]
fn invalid_arguments_are_reported() {
    let place = Folder::new();
    let [games, folder] = ["x.games", "out"].map(|name| place.path(name));
    let run = |more: &[&str]| stderr_of(&[&["run", &games, "--out", &folder][..], more].concat());
    assert!(run(&[]).contains("x.games: "));
    place.write("x.games", "Dear diary");
    assert!(run(&[]).contains("x.games: it is not a game file; `selfplay convert` makes one of"));
    assert!(run(&["--lambda", "2"]).contains("lambda must be a number from 0 to 1, not \"2\""));
    assert!(run(&["--architecture", "K-P 250x2-32-32"]).contains("widths are multiples of 32"));
    assert!(run(&["--bucket-mode", "progress8"]).contains("progress8 cannot be trained"));
    let settings = place.write("settings", "epochs = 2\nepoch = 3\n");
    assert!(run(&["--config", &settings]).contains("no setting \"epoch\""));
    assert!(run(&["--config", "/nowhere"]).contains("/nowhere: "));
    let export = ["export", &games, "--out", &folder];
    assert!(stderr_of(&export).contains("not a checkpoint of a training"));
    assert!(stderr_of(&["average", &games, &games, "--out", &folder]).contains("x.games"));
    assert!(stderr_of(&["plot", &games]).contains("x.games, line 1"));
    assert!(stderr_of(&["check", "/nowhere", &games]).contains("/nowhere"));
    assert!(stderr_of(&["check", &games, &games]).contains("x.games"));
}

/// Regression: a mistyped number ended in a panic, when the system refused the threads.
#[test]
fn a_mistyped_number_of_threads_is_refused() {
    let place = Folder::new();
    let [games, folder] = ["x.games", "out"].map(|name| place.path(name));
    let complaint = stderr_of(&["run", &games, "--out", &folder, "--threads", "100000"]);
    assert!(complaint.contains("1024"), "{complaint}");
}

/// Regression: it had no effect, and nothing said so.
#[test]
fn a_divisor_other_than_that_of_the_file_is_refused() {
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/eval/kawasemi.bin");
    let error = stderr_of(&["check", net, "/nowhere", "--fv-scale", "1"]);
    assert!(error.contains("kawasemi.bin: it states FV_SCALE "), "{error}");
    assert!(error.ends_with(", so --fv-scale 1 has no effect\n"), "{error}");
}

/// Regression: of more positions than 32 bits can count, an epoch visited only some.
#[test]
fn more_positions_than_an_epoch_can_number_are_refused() {
    let error = stderr_of(&["run", "/nowhere", "--out", "x", "--max-positions", "4294967296"]);
    assert!(error.contains("4294967296 is not in 0..=4294967295"), "{error}");
}

/// Regression: a network replaced the checkpoint that it was made from, and a drawing its log.
#[test]
fn an_input_file_is_not_overwritten() {
    let place = Folder::new();
    let log = place.write("log.tsv", EMPTY_LOG);
    for command in ["export", "plot"] {
        let error = stderr_of(&[command, &log, "--out", &log]);
        assert!(error.contains("log.tsv: it is the input"), "{error}");
        assert_eq!(fs::read_to_string(&log).unwrap(), EMPTY_LOG);
    }
}

#[test]
fn a_network_averaged_with_itself_is_the_same_network() {
    let place = Folder::new();
    let (net, mean) = (concat!(env!("CARGO_MANIFEST_DIR"), "/eval/kawasemi.bin"), place.path("x"));
    let stdout = stdout_of(TRAIN, &["average", net, net, "--out", &mean]);
    assert!(stdout.contains("ZoneKA_hm1 1024x2-15-32 in 9 stacks"), "{stdout}");
    assert!(fs::read(net).unwrap() == fs::read(&mean).unwrap());
    assert!(stderr_of(&["average", net, &mean, "--out", &mean]).contains("it is the input"));
}

#[test]
fn a_mean_keeps_the_mean_evaluation_of_the_first_network() {
    let place = Folder::new();
    let games = games_in(&place);
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/eval/kawasemi.bin");
    let [lower, mean] = ["lower.bin", "mean.bin"].map(|name| place.path(name));
    stdout_of(TRAIN, &["average", net, net, "--out", &lower, "--output-bias", "-1000"]);
    let average = ["average", net, &lower, "--out", &mean, "--bias-games", &games];
    let stdout = stdout_of(TRAIN, &average);
    assert!(stdout.contains("bias      500 added"), "{stdout}");
    assert!(fs::read(net).unwrap() == fs::read(&mean).unwrap());
    let both = [&average[..], &["--output-bias", "1"]].concat();
    assert!(stderr_of(&both).contains("cannot be used with"));
    let unread = place.path("unread.bin");
    stderr_of(&["average", net, &lower, "--out", &unread, "--bias-games", "/nowhere"]);
    assert!(fs::metadata(unread).is_err(), "a network with another bias is not written");
}

/// Regression: an existing drawing was truncated at once, and with a full disk both were lost.
#[test]
fn a_plot_replaces_an_older_one_atomically() {
    let place = Folder::new();
    let log = place.write("log.tsv", EMPTY_LOG);
    let (drawing, old) = (place.write("curves.svg", "old"), place.path("old.svg"));
    // Another name for the file, which shows whether that is written over.
    fs::hard_link(&drawing, &old).unwrap();
    stdout_of(TRAIN, &["plot", &log, "--out", &drawing]);
    assert!(fs::read_to_string(&drawing).unwrap().ends_with("</svg>\n"));
    assert_eq!(fs::read_to_string(&old).unwrap(), "old");
}

/// Regression: it could not be interrupted before all games had been read.
#[cfg(unix)]
#[test]
fn a_second_interrupt_ends_the_training_while_it_reads() {
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    let place = Folder::new();
    let (games, out) = (place.path("games"), place.path("out"));
    assert!(Command::new("mkfifo").arg(&games).status().unwrap().success());
    let mut running = command(TRAIN, &["run", &games, "--out", &out]).spawn().unwrap();
    // When this end is open, so is the other one, which has nothing to read.
    let _writer = fs::File::options().write(true).open(&games).unwrap();
    let begun = Instant::now();
    while running.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it goes on");
        crate::signal::send("INT", running.id());
        sleep(Duration::from_millis(100));
    }
    assert_eq!(running.wait().unwrap().code(), Some(130));
}

/// Ctrl-C at a terminal is this signal.
#[cfg(unix)]
#[test]
fn an_interrupted_training_ends_cleanly_and_resumes_to_the_same_network() {
    use std::io::{BufRead, BufReader, Read};

    let place = Folder::new();
    let games = games_in(&place);
    let arguments = |folder: &str, threads: &str| {
        let fixed = ["--epochs", "40", "--reports", "40", "--threads", threads];
        let all = [&["run", &games, "--out", folder][..], &fixed, &SMALL].concat();
        all.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let [straight, broken] = ["straight", "broken"].map(|name| place.path(name));
    let train = |folder: &str, threads| {
        stdout_of(TRAIN, &arguments(folder, threads).iter().map(String::as_str).collect::<Vec<_>>())
    };
    let mut running = Command::new(TRAIN)
        .args(arguments(&broken, "1"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(running.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("epoch 1.00: loss ")));
    crate::signal::send("INT", running.id());
    lines.for_each(|line| drop(line.unwrap()));
    let mut stdout = String::new();
    running.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    assert_eq!(running.wait().unwrap().code(), Some(130));
    assert!(stdout.contains("stopped; the same command resumes it"), "{stdout}");
    assert!(train(&broken, "2").contains("the training is complete"));
    train(&straight, "1");
    for name in ["net.bin", "best.bin", "checkpoint"] {
        let [one, other] = [&straight, &broken].map(|folder| fs::read(format!("{folder}/{name}")));
        assert!(one.unwrap() == other.unwrap(), "{name}");
    }
}
