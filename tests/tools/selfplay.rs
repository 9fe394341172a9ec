//! The tool for training data as users call it.

use std::fs;
#[cfg(unix)]
use std::io::{BufRead, BufReader};
#[cfg(unix)]
use std::process::{Child, ChildStderr, Command, Stdio};
#[cfg(unix)]
use std::thread::sleep;
#[cfg(unix)]
use std::time::Duration;

use kawasemi::tools::game_file::{GameFileHeader, GameFileReader, GameFileWriter, ScoredGame};

use crate::folder::Folder;
use crate::program::closed_pipe;
#[cfg(unix)]
use crate::program::started_after;
use crate::selfplay_command::{selfplay, stderr_of, stdout_of};
use crate::small_network::small_network;

fn games(path: &str) -> Vec<ScoredGame> {
    GameFileReader::open(path.as_ref()).unwrap().collect::<Result<_, _>>().unwrap()
}

/// Regression: the planes replaced the positions.
#[test]
fn inputs_for_the_teacher_do_not_replace_their_positions() {
    let folder = Folder::new();
    let positions = folder.write("positions.txt", "startpos\n");
    let planes = folder.path("planes");
    stdout_of(&["inputs", &positions, "--out", &planes]);
    assert!(!fs::read(&planes).unwrap().is_empty());
    let error = stderr_of(&["inputs", &positions, "--out", &positions]);
    assert!(error.contains("positions.txt: it is the input"), "{error}");
    assert_eq!(fs::read_to_string(&positions).unwrap(), "startpos\n");
}

/// `selfplay` on what has the effect of a full disk: no file can be longer than two blocks of 512 or 1,024 bytes.
#[cfg(unix)]
fn selfplay_on_full_disk(arguments: &[&str]) -> Command {
    let mut command = started_after("trap '' XFSZ && ulimit -f 2", env!("CARGO_BIN_EXE_selfplay"));
    command.args(arguments);
    command
}

/// Regression: what a full disk took of them replaced the file, and looked like the inputs of fewer positions.
#[cfg(unix)]
#[test]
fn inputs_that_a_full_disk_cuts_off_leave_the_old_file() {
    let folder = Folder::new();
    let positions = folder.write("positions.txt", "startpos\n".repeat(10));
    let planes = folder.write("planes", "old");
    let mut limited = selfplay_on_full_disk(&["inputs", &positions, "--out", &planes]);
    let error = crate::program::stderr_of(&mut limited);
    assert!(error.contains("planes: "), "{error}");
    assert_eq!(fs::read_to_string(&planes).unwrap(), "old");
}

/// Regression: every run ended at it again, and nothing after it was ever searched.
#[test]
fn a_game_that_breaks_the_rules_is_reported_and_left_out() {
    let folder = Folder::new();
    let [trunk, mixed] = ["trunk.games", "mixed.games"].map(|name| folder.path(name));
    stdout_of(&["generate", "--out", &trunk, "--games", "1", "--nodes", "30", "--max-moves", "40"]);
    let sound = games(&trunk).remove(0);
    let mut illegal = sound.clone();
    illegal.plies.remove(0);
    let (mut writer, _) =
        GameFileWriter::append(mixed.as_ref(), &GameFileHeader::new(), &mut |_| {}).unwrap();
    [illegal, sound].iter().for_each(|game| writer.push(game).unwrap());
    writer.finish().unwrap();
    let [of_mixed, of_trunk] = [(&mixed, "1.games"), (&trunk, "2.games")].map(|(source, name)| {
        let out = folder.path(name);
        let arguments = ["rescore", source, "--out", &out, "--nodes", "20", "--share", "100"];
        let output = selfplay(&arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        (games(&out), String::from_utf8(output.stderr).unwrap())
    });
    assert!(of_mixed.1.contains("mixed.games: game 0: ply 0, "), "{}", of_mixed.1);
    assert!(!of_mixed.0.is_empty() && of_mixed.0 == of_trunk.0);
}

/// Regression: a pattern was taken for the name of a file. The shells of Windows do not expand wildcards.
#[cfg(windows)]
#[test]
fn file_patterns_are_expanded() {
    let folder = Folder::new();
    for (name, seed) in [("one.games", "1"), ("two.games", "2")] {
        let limits = ["--games", "1", "--nodes", "10", "--max-moves", "20", "--seed", seed];
        stdout_of(&[&["generate", "--out", &folder.path(name)][..], &limits].concat());
    }
    let all = folder.path("all.games");
    stdout_of(&["dedup", &folder.path("???.games"), "--out", &all]);
    assert_eq!(games(&all).len(), 2);
}

#[test]
fn games_do_not_go_into_a_file_whose_name_is_one_of_positions_or_records() {
    let folder = Folder::new();
    let trunk = folder.path("trunk.games");
    stdout_of(&["generate", "--out", &trunk, "--games", "1", "--nodes", "10", "--max-moves", "20"]);
    for name in ["out.bin", "out.psv", "out.HCPE", "out.csa"] {
        let out = folder.path(name);
        for arguments in
            [&["generate", "--out", &out, "--games", "1"][..], &["rescore", &trunk, "--out", &out]]
        {
            assert!(
                stderr_of(arguments).contains("this extension is for another kind of file"),
                "{arguments:?}"
            );
        }
        assert!(!fs::exists(&out).unwrap());
    }
}

#[test]
fn a_closed_pipe_is_no_error_for_a_report() {
    let folder = Folder::new();
    let path = folder.path("one.games");
    stdout_of(&["generate", "--out", &path, "--games", "1", "--nodes", "10", "--max-moves", "20"]);
    let output = selfplay(&["stats", &path]).stdout(closed_pipe()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stderr, b"");
}

#[test]
fn games_are_generated_counted_filtered_shuffled_and_converted() {
    let folder = Folder::new();
    let [raw, quiet, once, mixed, psv, hcpe] =
        ["raw.games", "quiet.games", "once.games", "mixed.games", "all.psv", "all.hcpe"]
            .map(|name| folder.path(name));
    let openings = folder.write("openings.txt", "startpos moves 7g7f 3c3d\n");
    let generate = |count: &str| {
        let fixed = ["--nodes", "30", "--max-moves", "80", "--threads", "2", "--hash", "1"];
        let start = ["generate", "--out", &raw, "--openings", &openings, "--games", count];
        stdout_of(&[&start[..], &fixed].concat())
    };
    assert!(generate("2").starts_with("2 games, "));
    assert!(generate("4").starts_with("4 games, "));
    assert_eq!(games(&raw).len(), 4);
    let report = stdout_of(&["stats", &raw]);
    for words in ["\n  nodes=30\n", "\ngames       4: ", "a ply\n", "\nwin rate    "] {
        assert!(report.contains(words), "{words}\n{report}");
    }
    let kept = stdout_of(&["filter", &raw, "--out", &quiet, "--no-check", "--no-capture"]);
    assert!(kept.starts_with("4 of 4 games, "), "{kept}");
    stdout_of(&["dedup", &raw, &quiet, "--out", &once]);
    assert_eq!(games(&once).len(), 4);
    stdout_of(&["shuffle", &once, "--out", &mixed, "--seed", "3"]);
    assert!(games(&mixed).iter().all(|game| games(&once).contains(game)));
    stdout_of(&["convert", &quiet, "--out", &psv]);
    stdout_of(&["convert", &psv, "--out", &hcpe]);
    let positions: usize = games(&quiet).iter().map(ScoredGame::scored).sum();
    assert_eq!(fs::metadata(&psv).unwrap().len(), 40 * positions as u64);
    assert_eq!(fs::metadata(&hcpe).unwrap().len(), 38 * positions as u64);
}

/// Regression: all of them were open at the same time.
#[cfg(unix)]
#[test]
fn more_files_are_processed_than_a_process_may_open() {
    let folder = Folder::new();
    let one = folder.path("one.games");
    stdout_of(&["generate", "--out", &one, "--games", "1", "--nodes", "10", "--max-moves", "20"]);
    let copies: Vec<String> =
        (0..64).map(|number| folder.path(&format!("{number}.games"))).collect();
    copies.iter().for_each(|copy| _ = fs::copy(&one, copy).unwrap());
    let with_few = |arguments: &[&str]| {
        let mut command = started_after("ulimit -n 32", env!("CARGO_BIN_EXE_selfplay"));
        crate::program::stdout_of(command.args(arguments).args(&copies).stdin(Stdio::null()))
    };
    let all = folder.path("all.games");
    assert!(with_few(&["shuffle", "--out", &all]).starts_with("64 of 64 games, "));
    assert_eq!(games(&all), vec![games(&one).remove(0); 64]);
    let openings = folder.path("openings.txt");
    assert!(with_few(&["positions", "--out", &openings]).starts_with("64 of 64 games, "));
}

/// A pipe can be read only once.
#[cfg(unix)]
#[test]
fn games_are_read_from_a_pipe() {
    let folder = Folder::new();
    let [one, pipe, all] = ["one.games", "pipe.games", "all.games"].map(|name| folder.path(name));
    stdout_of(&["generate", "--out", &one, "--games", "1", "--nodes", "10", "--max-moves", "20"]);
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let copying = {
        let (one, pipe) = (one.clone(), pipe.clone());
        std::thread::spawn(move || fs::write(pipe, fs::read(one).unwrap()).unwrap())
    };
    stdout_of(&["dedup", &pipe, "--out", &all]);
    copying.join().unwrap();
    assert_eq!(games(&all), games(&one));
}

#[test]
fn a_network_plays_and_the_game_file_names_it() {
    let folder = Folder::new();
    let (_, bytes) = small_network();
    let (net, out) = (folder.write("net.bin", bytes), folder.path("out.games"));
    let arguments =
        ["generate", "--out", &out, "--games", "1", "--nodes", "20", "--max-start-score", "0"];
    let with_scale = |call: fn(&[&str]) -> String, scale: &str| {
        let more = ["--eval", &net, "--max-moves", "30", "--option", scale];
        call(&[&arguments[..], &more].concat())
    };
    with_scale(stdout_of, "FV_SCALE=24");
    let reader = GameFileReader::open(out.as_ref()).unwrap();
    let evaluation = reader.header().get("evaluation").unwrap();
    assert!(evaluation.starts_with("K+P 64x2-8-16"), "{evaluation}");
    assert!(evaluation.ends_with(" scale 24"), "{evaluation}");
    let other = with_scale(stderr_of, "FV_SCALE=20");
    assert!(other.contains("scale 24") && other.contains("scale 20"), "{other}");
}

/// Regression: only the file of the network was checked, and only if there was one.
#[test]
fn games_continue_only_with_the_same_files_next_to_the_network() {
    let folder = Folder::new();
    let (net, out) = (folder.write("nn.bin", small_network().1), folder.path("out.games"));
    let limits = ["--nodes", "20", "--max-moves", "30", "--max-start-score", "0"];
    let with = |call: fn(&[&str]) -> String, games: &str| {
        let start = ["generate", "--out", &out, "--eval", &net, "--games", games];
        call(&[&start[..], &limits].concat())
    };
    folder.write("progress.bin", "first");
    with(stdout_of, "1");
    with(stdout_of, "2");
    let options = folder.write("eval_options.txt", "Threads 1");
    assert!(with(stderr_of, "3").contains("evaluation="));
    fs::remove_file(options).unwrap();
    with(stdout_of, "3");
    folder.write("progress.bin", "second");
    assert!(with(stderr_of, "4").contains("evaluation="));
}

#[test]
fn help_names_the_files_that_a_command_reads() {
    let records =
        ["stats", "convert", "positions"].map(|name| (name, "Game files or game records;"));
    for (name, files) in
        records.into_iter().chain([("join", "Game files, or files of predictions")])
    {
        let help = stdout_of(&[name, "-h"]);
        assert!(help.contains(files), "{name}: {help}");
    }
}

#[test]
fn invalid_arguments_are_reported() {
    let folder = Folder::new();
    let out = folder.path("out.games");
    let generate = |more: &[&str]| {
        stderr_of(&[&["generate", "--out", &out, "--games", "1"][..], more].concat())
    };
    assert!(stderr_of(&["generate", "--out", &out]).contains("--games"));
    assert!(generate(&["--random-plies", "8-4"]).contains("4-8/14"));
    assert!(generate(&["--nodes", "0"]).contains("a search needs at least one node"));
    assert!(generate(&["--openings", "/nowhere"]).contains("/nowhere: "));
    assert!(generate(&["--eval", "/nowhere"]).contains("/nowhere"));
    assert!(generate(&["--option", "Joho=1"]).contains("Joho"));
    assert!(stderr_of(&["stats"]).contains("<IN>"));
    assert!(stderr_of(&["stats", "/nowhere"]).contains("/nowhere: "));
    fs::write(&out, "Dear diary").unwrap();
    assert!(stderr_of(&["stats", &out]).contains("not a game file"));
    assert!(generate(&[]).contains("not a game file"));
    assert!(stderr_of(&["filter", &out, "--out", "x.psv"]).contains("not a game file"));
}

/// Regression: neither the help nor the error told the words for the ends of games.
#[test]
fn the_words_for_the_ends_of_games_are_listed() {
    let error = stderr_of(&["filter", "in.games", "--out", "out.games", "--no-ending", "draw"]);
    assert!(error.contains("max_moves, ") && error.contains("protocol_error"), "{error}");
}

/// Regression: a mistyped number ended in a panic, when the system refused the threads.
#[test]
fn a_mistyped_number_of_threads_is_refused() {
    let folder = Folder::new();
    let [games, out] = ["in.games", "out.games"].map(|name| folder.path(name));
    for command in [
        &["generate", "--threads", "100000"][..],
        &["rescore", &games, "--threads", "100000"],
        &["label", &games, "--teachers", "100000"],
    ] {
        let complaint = stderr_of(&[command, &["--out", &out]].concat());
        assert!(complaint.contains("1024"), "{complaint}");
        assert!(!fs::exists(&out).unwrap());
    }
}

/// Regression: a game file was continued with other options, because its header did not contain them.
#[test]
fn games_continue_with_the_same_options_only() {
    let folder = Folder::new();
    let out = folder.path("out.games");
    let arguments = ["generate", "--out", &out, "--nodes", "20", "--max-moves", "40"];
    let with = |more: &[&'static str]| [&arguments[..], more].concat();
    stdout_of(&with(&["--games", "1", "--option", "GenerateAllLegalMoves=true"]));
    let complaint = stderr_of(&with(&["--games", "2"]));
    assert!(complaint.contains("options=GenerateAllLegalMoves=true"), "{complaint}");
    stdout_of(&with(&["--games", "2", "--option", "GenerateAllLegalMoves=true"]));
    let complaint = stderr_of(&with(&["--games", "2", "--option", "EvalDir=eval"]));
    assert!(complaint.contains("by --eval"), "{complaint}");
}

/// Endless games, some of which have been played, and the messages about them.
#[cfg(unix)]
#[track_caller]
fn under_way(command: &mut Command, out: &str) -> (Child, BufReader<ChildStderr>) {
    let limits = ["--nodes", "20", "--max-moves", "60", "--games", "1000000"];
    command.args(["generate", "--out", out]).args(limits);
    let mut running = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = BufReader::new(running.stderr.take().unwrap());
    let mut first = String::new();
    told.read_line(&mut first).unwrap();
    assert!(first.contains(" per second, "), "{first}");
    (running, told)
}

/// Regression: they ended with their terminal in spite of `nohup`.
#[cfg(unix)]
#[test]
fn games_continue_under_nohup_when_their_terminal_is_gone() {
    let folder = Folder::new();
    // The effect of `nohup`, which not every system has.
    let mut command = started_after("trap '' HUP", env!("CARGO_BIN_EXE_selfplay"));
    let out = folder.path("out.games");
    let (mut running, _told) = under_way(&mut command, &out);
    crate::signal::send("HUP", running.id());
    // A run that is stopped writes at most one more block of 64 KiB.
    let length = || fs::metadata(&out).map_or(0, |data| data.len());
    let before = length();
    while length() <= before + 2 * (64 << 10) {
        let ended = running.try_wait().unwrap();
        assert!(ended.is_none(), "{ended:?}");
        sleep(Duration::from_millis(10));
    }
    crate::signal::send("INT", running.id());
    assert_eq!(running.wait().unwrap().code(), Some(130));
}

/// Regression: what a full disk had taken of a block stayed in the file, and the block followed it if there was room
/// again.
#[cfg(unix)]
#[test]
fn a_block_that_a_full_disk_cuts_off_is_removed() {
    let folder = Folder::new();
    let out = folder.path("out.games");
    let limits = ["--nodes", "20", "--max-moves", "150", "--play-on", "100", "--threads", "1"];
    let generate = [&["generate", "--out", &out, "--games", "8"][..], &limits].concat();
    let error = crate::program::stderr_of(&mut selfplay_on_full_disk(&generate));
    assert!(error.contains("out.games: "), "{error}");
    let resumed = selfplay(&generate).output().unwrap();
    let told = String::from_utf8(resumed.stderr).unwrap();
    assert!(resumed.status.success() && !told.contains("removed"), "{told}");
    assert_eq!(games(&out).len(), 8);
}

/// Ctrl-C at a terminal is this signal.
#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_cleanly_and_resumes() {
    let folder = Folder::new();
    let out = folder.path("out.games");
    let (mut running, _told) = under_way(&mut selfplay(&[]), &out);
    crate::signal::send("INT", running.id());
    // Not all games are played.
    assert_eq!(running.wait().unwrap().code(), Some(130));
    let before = games(&out);
    let more = before.len() + 1;
    let count = more.to_string();
    let limits = ["--nodes", "20", "--max-moves", "60", "--games", &count];
    stdout_of(&[&["generate", "--out", &out][..], &limits].concat());
    let after = games(&out);
    assert_eq!((after.len(), &after[..before.len()]), (more, &before[..]));
}
