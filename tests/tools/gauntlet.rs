//! The match tool with engines that misbehave, which are shell scripts, and its command line.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use kawasemi::position::EnteringKingRule;
use kawasemi::tools::gauntlet::elo::Wdl;
use kawasemi::tools::gauntlet::engine_spec::{SpecDefaults, read_specs};
use kawasemi::tools::gauntlet::match_config::{MatchConfig, MatchFiles};
use kawasemi::tools::gauntlet::match_results::MatchResults;
use kawasemi::tools::gauntlet::schedule::TournamentFormat;
use kawasemi::tools::gauntlet::{MatchEnd, MatchEndReason, MatchObserver, play_match};
use kawasemi::tools::opening::Opening;
use kawasemi::tools::referee::{GameEndReason, GameRules};
use kawasemi::usi_client::{EngineFaultKind, EngineTimeouts};

use crate::folder::Folder;

/// The folder of the engines of a test.
struct MatchFolder(Folder);

impl MatchFolder {
    fn new() -> MatchFolder {
        MatchFolder(Folder::new())
    }

    fn path(&self, name: &str) -> String {
        self.0.path(name)
    }

    /// Shell commands to set a flag, and to wait for it and clear it. The output of an engine before
    /// it set the flag has arrived when the other engine continues, except for the time that a thread
    /// needs to read it.
    fn flag(&self) -> (String, String) {
        let flag = self.path("flag");
        let wait = format!("until test -e '{flag}'; do sleep 0.01; done; rm '{flag}'; sleep 0.1");
        (format!(": > '{flag}'"), wait)
    }

    /// An engine with these shell commands at `go`; `$position` is the last position, `$go` the line.
    fn engine(&self, name: &str, on_go: &str) -> String {
        self.engine_that(name, "echo readyok", on_go, ":")
    }

    fn engine_that(&self, name: &str, on_isready: &str, on_go: &str, on_stop: &str) -> String {
        let script = format!(
            "while read -r line; do case \"$line\" in
               usi) echo 'id name fake'; echo 'option name Level type spin default 1 min 0 max 9'
                    echo usiok;;
               isready) {on_isready};;
               position*) position=$line;;
               go*) go=$line; {on_go};;
               stop) {on_stop};;
               quit) exit 0;;
             esac; done"
        );
        let path = self.0.write(&format!("{name}.sh"), script);
        format!("name={name} cmd='sh \"{path}\"'")
    }
}

#[derive(Default)]
struct Listener {
    warnings: Vec<String>,
}

impl MatchObserver for Listener {
    fn progress(&mut self, _standing: &MatchResults, _games: usize) {}

    fn warn(&mut self, text: &str) {
        self.warnings.push(text.into());
    }
}

const RESIGN: &str = "echo bestmove resign";

fn config(engines: &[String], files: MatchFiles) -> MatchConfig {
    MatchConfig {
        engines: read_specs(engines, &SpecDefaults::default()).unwrap(),
        openings: vec![Opening::startpos(1)],
        format: TournamentFormat::Gauntlet,
        pairs: 1,
        seed: None,
        concurrency: 1,
        rules: GameRules { max_moves: 512, entering_king: EnteringKingRule::Csa27, resign: None },
        timeouts: EngineTimeouts {
            ready: Duration::from_secs(20),
            stop: Duration::from_millis(300),
            quit: Duration::from_secs(5),
        },
        move_timeout: Duration::from_secs(20),
        sprt: None,
        earlier_pairs: Default::default(),
        files,
    }
}

/// Two pairs between an engine under test and one that always resigns.
fn play(engine: String, other: String) -> (MatchEnd, Listener) {
    play_by(config(&[engine, other], MatchFiles::default()))
}

/// The same with other settings.
fn play_by(config: MatchConfig) -> (MatchEnd, Listener) {
    let config = MatchConfig { pairs: 2, ..config };
    let mut listener = Listener::default();
    let end = play_match(&config, &mut listener).unwrap();
    assert!(matches!(end.reason, MatchEndReason::AllPlayed), "{:?}", end.reason);
    (end, listener)
}

/// Plays an engine with these limits and these shell commands at `go`; returns how it forfeited its
/// games.
fn forfeits(limits: &str, on_go: &str) -> (BTreeMap<GameEndReason, u64>, Vec<String>) {
    let folder = MatchFolder::new();
    let engine = format!("{} {limits}", folder.engine("bad", on_go));
    let other = format!("{} movetime=5000", folder.engine("good", RESIGN));
    let (end, listener) = play(engine, other);
    assert_eq!(end.results.pairings[0].total(), Wdl { wins: 2, draws: 0, losses: 2 });
    (end.results.engines[0].forfeits.clone(), listener.warnings)
}

#[test]
fn a_process_that_dies_is_a_crash_and_is_started_again() {
    let (forfeits, warnings) = forfeits("movetime=5000", "exit 3");
    assert_eq!(forfeits, BTreeMap::from([(GameEndReason::Fault(EngineFaultKind::Crash), 2)]));
    assert!(warnings[0].contains("exit status: 3"), "{warnings:?}");
}

#[test]
fn an_engine_that_never_answers_is_a_hang_and_the_match_continues() {
    let (forfeits, _) = forfeits("movetime=50 margin=50", ":");
    assert_eq!(forfeits, BTreeMap::from([(GameEndReason::Fault(EngineFaultKind::Hang), 2)]));
}

#[test]
fn an_engine_that_floods_its_output_forever_is_a_hang() {
    let (forfeits, _) =
        forfeits("movetime=50 margin=50", "while :; do echo info depth 1; echo readyok; done");
    assert_eq!(forfeits, BTreeMap::from([(GameEndReason::Fault(EngineFaultKind::Hang), 2)]));
}

#[test]
fn a_late_answer_loses_only_the_game() {
    let folder = MatchFolder::new();
    let late = folder.engine("late", "sleep 0.1; echo bestmove 7g7f");
    let engines = [
        format!("{late} movetime=20 margin=20"),
        format!("{} movetime=5000", folder.engine("good", RESIGN)),
    ];
    let mut config = config(&engines, MatchFiles::default());
    // A busy machine may take long to start `sleep`; that must not count as a hang.
    config.timeouts.stop = Duration::from_secs(20);
    let (end, listener) = play_by(config);
    let forfeits = &end.results.engines[0].forfeits;
    assert_eq!(*forfeits, BTreeMap::from([(GameEndReason::TimeLoss, 2)]));
    let warnings = listener.warnings;
    assert!(warnings[0].contains("lost by time_loss: bestmove 7g7f after "), "{warnings:?}");
}

#[test]
fn an_illegal_move_loses() {
    let (illegal, _) = forfeits("nodes=1", "echo bestmove 7g7e");
    assert_eq!(illegal, BTreeMap::from([(GameEndReason::IllegalMove, 2)]));
}

#[test]
fn a_second_answer_to_one_go_is_a_protocol_error() {
    let folder = MatchFolder::new();
    let (set, await_flag) = folder.flag();
    let twice = format!(
        "case $position in *moves*) echo bestmove resign;;
           *) echo bestmove 7g7f; echo bestmove 7g7f; {set};;
         esac"
    );
    let slow = format!(
        "case $position in *7g7f) {await_flag}; echo bestmove 3c3d;;
           *) echo bestmove resign;;
         esac"
    );
    let engine = format!("{} nodes=1", folder.engine("twice", &twice));
    let (end, listener) = play(engine, format!("{} nodes=1", folder.engine("slow", &slow)));
    assert_eq!(
        end.results.engines[0].forfeits[&GameEndReason::Fault(EngineFaultKind::Protocol)],
        2
    );
    assert!(
        listener.warnings[0].contains("unexpected answer: bestmove 7g7f"),
        "{:?}",
        listener.warnings
    );
}

#[test]
fn much_output_before_an_answer_is_harmless() {
    let folder = MatchFolder::new();
    let noise = "yes info depth 7 nodes 70 string | head -c 3000000; \
                 head -c 300000 /dev/zero >&2; echo; echo bestmove resign";
    let engine = format!("{} movetime=15000", folder.engine("loud", noise));
    let other = format!("{} movetime=5000", folder.engine("good", RESIGN));
    let (end, _) = play(engine, other);
    assert!(end.results.engines[0].forfeits.is_empty());
    assert_eq!(end.results.engines[0].stats.mean_depth(), Some(7.0));
}

#[test]
fn an_answer_before_the_ponderhit_is_a_protocol_error() {
    let folder = MatchFolder::new();
    let (set, await_flag) = folder.flag();
    let on_go = format!(
        "case \"$position$go\" in
           *ponder*) echo bestmove 2g2f; {set};;
           *startposgo*) echo bestmove 7g7f ponder 3c3d;;
           *) echo bestmove resign;;
         esac"
    );
    let engine = format!("{} time=60000 ponder=true", folder.engine("hasty", &on_go));
    let slow = format!(
        "case \"$position\" in *7g7f) {await_flag}; echo bestmove 3c3d;; *) echo bestmove 7g7f;; esac"
    );
    let other = format!("{} time=60000", folder.engine("slow", &slow));
    let (end, listener) = play(engine, other);
    let forfeits = &end.results.engines[0].forfeits;
    assert_eq!(forfeits[&GameEndReason::Fault(EngineFaultKind::Protocol)], 2);
    assert!(
        listener.warnings[0].contains("unexpected answer: bestmove 2g2f"),
        "{:?}",
        listener.warnings
    );
}

#[test]
fn a_ponder_search_continues_after_its_hit() {
    let folder = MatchFolder::new();
    let on_go = "case \"$position$go\" in
                   *ponder*) ;;
                   *startposgo*) echo bestmove 7g7f ponder 3c3d;;
                   *) echo bestmove resign;;
                 esac";
    let script = folder.engine("patient", on_go);
    let path = folder.path("patient.sh");
    let text = fs::read_to_string(&path).unwrap();
    let text = text.replace("quit)", "ponderhit) echo bestmove resign;; quit)");
    fs::write(&path, text).unwrap();
    let other = folder.engine(
        "sure",
        "case \"$position\" in *7g7f) echo bestmove 3c3d;; *) echo bestmove 7g7f;; esac",
    );
    let (end, listener) =
        play(format!("{script} time=5000 ponder=true"), format!("{other} time=5000"));
    assert_eq!(listener.warnings, [""; 0]);
    let stats = end.results.engines[0].stats;
    assert_eq!((stats.ponder_searches, stats.ponder_hits), (2, 2));
}

#[test]
fn an_engine_that_cannot_start_ends_the_match_with_its_error() {
    let folder = MatchFolder::new();
    let good = format!("{} nodes=1", folder.engine("good", RESIGN));
    // Such an engine would continue with another network.
    let on_isready = "echo 'info string error: there is no file \"nn.bin\"'; echo readyok";
    let netless = folder.engine_that("netless", on_isready, RESIGN, ":");
    let bad = [
        ("name=bad nodes=1 cmd=/nowhere/engine".to_string(), "cannot start it"),
        ("name=bad nodes=1 cmd=false".into(), "crash: the process ended"),
        (format!("{} nodes=1 option.Lewel=2", folder.engine("bad", RESIGN)), "no option `Lewel`"),
        (format!("{netless} nodes=1 name=bad"), "info string error: there is no file \"nn.bin\""),
    ];
    for (bad, reason) in bad {
        let config = config(&[good.clone(), bad], MatchFiles::default());
        let end = play_match(&config, &mut Listener::default()).unwrap();
        let MatchEndReason::Failure(error) = end.reason else { panic!("{:?}", end.reason) };
        let error = error.to_string();
        assert!(error.starts_with("engine bad: ") && error.contains(reason), "{error}");
    }
}

fn gauntlet(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gauntlet")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn lines_of_games(path: &str) -> usize {
    fs::read_to_string(path).unwrap().lines().filter(|line| line.starts_with("game=")).count()
}

#[test]
fn the_tool_plays_resumes_and_reports() {
    let folder = MatchFolder::new();
    let (a, b) = (folder.engine("a", RESIGN), folder.engine("b", RESIGN));
    let lines = "startpos moves 7g7f 3c3d\nstartpos moves 7g7f\n";
    let openings = folder.0.write("openings.txt", lines);
    let (out, csa) = (folder.path("a-b.match"), folder.path("csa"));
    let play = |pairs: &str| {
        gauntlet(&[
            "-e",
            &a,
            "-e",
            &b,
            "-o",
            "Level=3",
            "--nodes",
            "5",
            "--openings",
            &openings,
            "--pairs",
            pairs,
            "-c",
            "2",
            "--out",
            &out,
            "--csa",
            &csa,
            "--sprt",
            "-5",
            "5",
        ])
    };
    let first = play("1");
    assert!(first.status.success(), "{}", text(&first.stderr));
    assert!(text(&first.stdout).contains("a - b: +1 -1 =0, score 50.00 %\n"));
    assert_eq!(lines_of_games(&out), 2);
    let second = play("2");
    assert!(text(&second.stdout).starts_with("Games 4, "), "{}", text(&second.stdout));
    assert_eq!(lines_of_games(&out), 4);
    assert_eq!(fs::read_dir(csa).unwrap().count(), 4);
    let again = gauntlet(&["--report", &out, "--sprt", "-5", "5"]);
    assert_eq!(text(&again.stdout), text(&second.stdout));
    let other = gauntlet(&["-e", &a, "-e", &b, "--nodes", "6", "--out", &out]);
    assert!(!other.status.success());
    assert!(text(&other.stderr).contains("belongs to another match"), "{}", text(&other.stderr));
}

#[test]
fn invalid_arguments_are_reported() {
    let error = |arguments: &[&str]| {
        let output = gauntlet(arguments);
        assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{output:?}");
        text(&output.stderr)
    };
    let two = ["-e", "cmd=a nodes=1", "-e", "cmd=b nodes=1"];
    assert!(error(&["-e", "cmd=a"]).contains("engine 1: nothing limits its thinking"));
    assert!(error(&two[..2]).contains("a match needs two engines"));
    assert!(error(&[&two[..], &["--sprt", "5", "0"]].concat()).contains("elo0 must be smaller"));
    assert!(error(&[&two[..], &["--openings", "/nowhere"]].concat()).contains("/nowhere: "));
    assert!(error(&["--report", "/nowhere"]).contains("/nowhere: "));
}

/// Regression: a mistyped number ended in a panic, when the system refused the threads.
#[test]
fn a_mistyped_number_of_games_in_parallel_is_refused() {
    let engines = ["-e", "cmd=a nodes=1", "-e", "cmd=b nodes=1"];
    let end = gauntlet(&[&engines[..], &["--concurrency", "100000"]].concat());
    assert_eq!(end.status.code(), Some(2));
    assert!(text(&end.stderr).contains("1024"), "{}", text(&end.stderr));
}

/// Regression: 0, which elsewhere turns adjudication off, adjudicated even games as won.
#[test]
fn a_score_of_zero_for_adjudication_is_refused() {
    let engines = ["-e", "cmd=a nodes=1", "-e", "cmd=b nodes=1"];
    let end = gauntlet(&[&engines[..], &["--resign-score", "0"]].concat());
    assert_eq!(end.status.code(), Some(2));
    assert!(text(&end.stderr).contains("--resign-score"), "{}", text(&end.stderr));
}

/// Regression: all finished games were lost if they could not be written.
#[test]
fn an_interrupted_match_reports_its_result_so_far() {
    let folder = MatchFolder::new();
    // In its second game it waits for a line that does not come.
    let once = "test \"$played\" && read -r never; played=yes; echo bestmove resign";
    let (once, other) = (folder.engine("once", once), folder.engine("other", "echo bestmove 7g7f"));
    let mut running = Command::new(env!("CARGO_BIN_EXE_gauntlet"))
        .args(["-e", &once, "-e", &other, "--nodes", "5"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(running.stderr.take().unwrap()).lines();
    assert!(told.next().unwrap().unwrap().starts_with("1/2 "));
    crate::signal::send("INT", running.id());
    let end = running.wait_with_output().unwrap();
    assert_eq!(end.status.code(), Some(130));
    let report = text(&end.stdout);
    assert!(
        report.starts_with("Games 1, ") && report.contains("once - other: +0 -1 =0"),
        "{report}"
    );
    assert!(report.ends_with("Stopped by an interrupt.\n"), "{report}");
}

/// Scripts depend on it.
#[test]
fn a_match_that_cannot_continue_exits_with_an_error() {
    let folder = MatchFolder::new();
    let (good, bad) = (folder.engine("good", RESIGN), "name=bad cmd=/nowhere/engine");
    let end = gauntlet(&["-e", &good, "-e", bad, "--nodes", "5"]);
    assert_eq!(end.status.code(), Some(1));
    let error = text(&end.stderr);
    assert!(error.contains("gauntlet: engine bad: cannot start it: "), "{error}");
}

/// Regression: the sequential test of the first two engines was printed below the figures of others.
#[test]
fn a_report_on_many_engines_has_no_sequential_test() {
    let folder = MatchFolder::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| folder.engine(name, RESIGN));
    let out = folder.path("many.match");
    let played = gauntlet(&["-e", &a, "-e", &b, "-e", &c, "--nodes", "5", "--out", &out]);
    assert!(played.status.success(), "{}", text(&played.stderr));
    let report = gauntlet(&["--report", &out, "--sprt", "0", "5"]);
    let expected = format!("gauntlet: {out}: a sequential test is between two engines\n");
    assert_eq!(text(&report.stderr), expected);
    assert!(gauntlet(&["--report", &out]).status.success());
}

/// Regression: the rest of a line that a full disk had cut off became the beginning of the next.
#[test]
fn a_match_file_on_a_full_disk_keeps_whole_lines() {
    let folder = MatchFolder::new();
    let (a, b) = (folder.engine("a", RESIGN), folder.engine("b", RESIGN));
    let out = folder.path("a-b.match");
    // Without its signal, exceeding the limit is an error like that of a full disk.
    let limit = "trap '' XFSZ && ulimit -f 4";
    let end = crate::program::started_after(limit, env!("CARGO_BIN_EXE_gauntlet"))
        .args(["-e", &a, "-e", &b, "--nodes", "5", "--pairs", "30", "--out", &out])
        .output()
        .unwrap();
    assert!(text(&end.stderr).contains("a-b.match: "), "{}", text(&end.stderr));
    let record = fs::read_to_string(&out).unwrap();
    assert!(record.ends_with('\n') && (1..60).contains(&lines_of_games(&out)), "{record}");
}
