//! The command line of the tuner, with an engine that is a shell script.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use kawasemi::nnue::file::{LoadOptions, load};
use kawasemi::search::params::{PARAMS, ParamSpec};

use crate::folder::Folder;
use crate::small_network::small_network;

/// The working directory of the tuner.
struct SpsaFolder(Folder);

impl SpsaFolder {
    fn new() -> SpsaFolder {
        SpsaFolder(Folder::new())
    }

    /// An engine that has this parameter as an option.
    fn engine(&self, row: &ParamSpec) {
        let ParamSpec { name, default, min, max, .. } = row;
        self.engine_with(&format!("Tune_{name} type spin default {default} min {min} max {max}"));
    }

    /// An engine that has this option, logs its input, keeps copies of the networks that it is given,
    /// and resigns.
    fn engine_with(&self, option: &str) {
        let script = format!(
            "echo start >> told
             while read -r line; do case \"$line\" in
               usi) echo 'option name {option}'; echo usiok;;
               setoption*) echo \"$line\" >> told
                 net=${{line##* }}; pair=${{net%/*}}
                 case \"$net\" in *.networks/*) cp \"$net\" \"${{pair##*/}}.bin\";; esac;;
               isready) echo readyok;;
               go*) echo 'bestmove resign';;
               quit) exit 0;;
             esac; done"
        );
        self.0.write("engine.sh", script);
        self.0.write("openings", "startpos\nstartpos moves 7g7f\n");
    }

    fn spsa(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_spsa"));
        command.current_dir(self.0.path("")).args(arguments).output().unwrap()
    }

    fn tune(&self, name: &str, more: &[&str]) -> Output {
        let usual = ["-e", "cmd='sh engine.sh'", "--openings", "openings", "--state", "state"];
        self.spsa(&[&usual[..], &["--params", name, "--pairs", "6", "--batch", "2"], more].concat())
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path(name)).unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_tuning_keeps_its_engines_and_gives_them_values_for_every_game() {
    let folder = SpsaFolder::new();
    let row = &PARAMS[0];
    folder.engine(row);
    let ParamSpec { name, default, min, max, step } = row;
    let expected = format!(
        "    {name} = {default}, {min}, {max}, {step}; // {default} -> {default} (+0.00 steps)\n"
    );

    // Black resigns at once, so every pair is a draw and no value changes.
    let end = folder.tune(name, &[]);
    assert_eq!(text(&end.stdout), expected, "{}", text(&end.stderr));
    let told = folder.read("told");
    assert_eq!(told.matches("start\n").count(), 2);
    let begin = format!("setoption name Tune_{name} value ");
    let values: Vec<i32> =
        told.lines().filter_map(|line| line.strip_prefix(&begin)?.parse().ok()).collect();
    let count = |is_wanted: &dyn Fn(&i32) -> bool| values.iter().filter(|&v| is_wanted(v)).count();
    assert_eq!(count(&|value| value == default), 2, "once for each engine when it starts");
    assert_eq!(count(&|value| (min..default).contains(&value)), 12, "for one side of every game");
    assert_eq!(count(&|value| value > default && value <= max), 12, "for the other");
    assert_eq!(folder.read("state.tsv").lines().count(), 1 + 1 + 3);

    // All pairs have been played.
    assert_eq!(text(&folder.tune(name, &[]).stdout), expected);
    assert_eq!(folder.read("told"), told);
    assert_eq!(text(&folder.spsa(&["--report", "state"]).stdout), expected);
    let other = folder.tune(name, &["--seed", "2"]);
    assert!(text(&other.stderr).contains("another tuning"), "{}", text(&other.stderr));
}

/// Regression: it ended by the signal, and an interrupt while it wrote its state left a temporary file.
#[test]
fn a_tuning_that_is_terminated_ends_with_the_status_of_an_interrupt() {
    let folder = SpsaFolder::new();
    let row = &PARAMS[0];
    folder.engine(row);
    let mut command = Command::new(env!("CARGO_BIN_EXE_spsa"));
    command.current_dir(folder.0.path("")).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.args(["-e", "cmd='sh engine.sh'", "--openings", "openings", "--state", "state"]);
    // So many that they cannot be played before the signal.
    command.args(["--params", row.name, "--pairs", "1000000"]);
    let mut running = command.spawn().unwrap();
    // The first progress, which comes when signals are handled.
    let mut told = BufReader::new(running.stderr.take().unwrap());
    told.read_line(&mut String::new()).unwrap();
    crate::signal::send("TERM", running.id());
    let end = running.wait_with_output().unwrap();
    assert_eq!((end.status.code(), text(&end.stdout)), (Some(130), String::new()));
}

#[test]
fn the_values_are_written_into_the_source() {
    let folder = SpsaFolder::new();
    let source = include_str!("../../src/search/params.rs");
    folder.0.write("params.rs", source);
    let ParamSpec { name, default, min, max, step } = PARAMS[0];
    let row = format!("# row {name} = {default}, {min}, {max}, {step}");
    let state = format!("{row}\npairs 9\npoints 2\n{name} {}\n", f64::from(default) + 0.9);
    folder.0.write("state", state);
    let end = folder.spsa(&["--report", "state", "--write", "params.rs"]);
    assert!(end.status.success(), "{}", text(&end.stderr));
    let line = |default: i32| format!("    {name} = {default}, {min}, {max}, {step};");
    let expected = source.replace(&line(default), &line(default + 1));
    assert_ne!(expected, source);
    assert_eq!(folder.read("params.rs"), expected);
}

#[test]
fn numbers_of_a_network_are_tuned_with_any_engine_that_loads_files() {
    let folder = SpsaFolder::new();
    folder.engine_with("EvalFile type string default <empty>");
    let (numbers, mut bytes) = small_network();
    folder.0.write("nn.bin", &bytes);
    let start = numbers.stacks[0].output.bias[0];

    let end = folder.tune("out_bias", &["--eval", "nn.bin", "--write", "new.bin"]);
    let (min, max) = (start - 30_000, start + 30_000);
    let expected =
        format!("    OUT_BIAS = {start}, {min}, {max}, 60; // {start} -> {start} (+0.00 steps)\n");
    assert_eq!(text(&end.stdout), expected, "{}", text(&end.stderr));
    assert!(fs::read(folder.0.path("new.bin")).unwrap() == bytes, "nothing has moved");

    let told = folder.read("told");
    let given = told.lines().filter(|line| line.starts_with("setoption name EvalFile value /"));
    assert_eq!(given.count(), 2 + 24, "at the start, and for both sides of every game");
    assert!(!Path::new(&folder.0.path("state.networks")).exists());
    for pair in 1..=6 {
        let biases = ["plus", "minus"].map(|side| {
            let kept = folder.0.path(&format!("{pair}-{side}.bin"));
            let tuned = load(kept.as_ref(), &LoadOptions::default()).unwrap().parameters();
            assert_eq!(tuned.stacks[0].output.weights, numbers.stacks[0].output.weights);
            tuned.stacks[0].output.bias[0]
        });
        let [plus, minus] = biases.map(|bias| bias - start);
        assert!((60..150).contains(&plus.abs()), "{plus}");
        assert!((plus + minus).abs() <= 1, "moved aside to either side, but for rounding");
    }

    fs::remove_file(folder.0.path("new.bin")).unwrap();
    let report = ["--report", "state", "--moved", "0.5", "--eval", "nn.bin", "--write", "new.bin"];
    let end = folder.spsa(&report);
    assert!(end.status.success() && end.stdout.is_empty(), "{}", text(&end.stderr));
    assert!(fs::read(folder.0.path("new.bin")).unwrap() == bytes);
    let complaint = |net: &[u8]| {
        folder.0.write("nn.bin", net);
        text(&folder.spsa(&report).stderr)
    };
    assert!(complaint(b"no network").starts_with("spsa: nn.bin: "));
    // The file ends with the bias and the 32 weights of the output layer.
    let bias = bytes.len() - 32 - 4;
    bytes[bias] ^= 1;
    assert!(complaint(&bytes).contains("OUT_BIAS is not the one that was tuned"));
    let end = folder.spsa(&["--report", "state", "--write", "new.bin"]);
    assert!(
        text(&end.stderr).contains("for a parameter of a network, give --eval"),
        "{}",
        text(&end.stderr)
    );
    let all = ["-e", "cmd='sh engine.sh'", "--openings", "openings", "--state", "all", "--eval"];
    let end = folder.spsa(&[&all[..], &["new.bin"]].concat());
    assert!(text(&end.stderr).starts_with("spsa: --params must say"), "{}", text(&end.stderr));
}

#[test]
fn an_engine_that_was_not_built_for_tuning_is_refused() {
    let folder = SpsaFolder::new();
    folder.engine(&PARAMS[0]);
    let end = folder.tune(PARAMS[1].name, &[]);
    assert!(!end.status.success());
    let expected = format!("spsa: the engine: it declares no option `Tune_{}`\n", PARAMS[1].name);
    assert!(text(&end.stderr).ends_with(&expected), "{}", text(&end.stderr));
    let end = folder.tune("NOTHING_*", &[]);
    assert_eq!(text(&end.stderr), "spsa: no parameter is called `NOTHING_*`\n");
}

/// Regression: a mistyped number ended in a panic, when the system refused the threads.
#[test]
fn a_mistyped_number_of_games_in_parallel_is_refused() {
    let folder = SpsaFolder::new();
    folder.engine(&PARAMS[0]);
    let end = folder.tune(PARAMS[0].name, &["--concurrency", "100000"]);
    assert_eq!(end.status.code(), Some(2));
    assert!(text(&end.stderr).contains("1024"), "{}", text(&end.stderr));
}

/// Regression: 0, which elsewhere turns adjudication off, adjudicated even games as won.
#[test]
fn a_score_of_zero_for_adjudication_is_refused() {
    let folder = SpsaFolder::new();
    folder.engine(&PARAMS[0]);
    let end = folder.tune(PARAMS[0].name, &["--resign-score", "0"]);
    assert_eq!(end.status.code(), Some(2));
    assert!(text(&end.stderr).contains("--resign-score"), "{}", text(&end.stderr));
}
