//! Work that several processes share, and `selfplay join`.

use std::fs;

use kawasemi::tools::game_file::{GameFileHeader, GameFileReader, GameFileWriter, ScoredGame};

use crate::folder::Folder;
use crate::selfplay_command::{stderr_of, stdout_of};

/// Plays some games of a job of many.
#[track_caller]
fn generate(out: &str, first: u64, games: u64) {
    let (first, games) = (first.to_string(), games.to_string());
    let words = ["generate", "--out", out, "--first-game", &first, "--games", &games];
    stdout_of(&[&words[..], &["--nodes", "20", "--max-moves", "40", "--threads", "1"]].concat());
}

/// Joins files, which are given in some order.
fn join<'a>(out: &'a str, files: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    let files = files.iter().map(String::as_str);
    [&["join", "--out", out], more].concat().into_iter().chain(files).collect()
}

/// Writes the file anew with other games or another header.
fn rewrite(path: &str, change: impl Fn(&str, &str) -> String, keep: impl Fn(usize) -> bool) {
    let reader = GameFileReader::open(path.as_ref()).unwrap();
    let mut header = GameFileHeader::new();
    reader.header().entries().for_each(|(key, value)| header.set(key, change(key, value)));
    let games: Vec<ScoredGame> = reader.collect::<Result<_, _>>().unwrap();
    fs::remove_file(path).unwrap();
    let (mut writer, _) = GameFileWriter::append(path.as_ref(), &header, &mut |_| {}).unwrap();
    let kept = games.iter().enumerate().filter(|&(number, _)| keep(number));
    kept.for_each(|(_, game)| writer.push(game).unwrap());
    writer.complete().unwrap();
}

#[test]
fn eight_tasks_give_byte_for_byte_the_games_of_one_process() {
    let folder = Folder::new();
    let (whole, joined) = (folder.path("whole.games"), folder.path("joined.games"));
    generate(&whole, 0, 20);
    let mut parts = Vec::new();
    for task in 0..8 {
        let (first, end) = (task * 20 / 8, (task + 1) * 20 / 8);
        parts.push(folder.path(&format!("{task}.games")));
        generate(&parts[task as usize], first, end - first);
    }
    parts.rotate_left(3);
    let report = stdout_of(&join(&joined, &parts, &["--games", "20"]));
    assert!(report.starts_with("20 games, "), "{report}");
    assert_eq!(fs::read(&joined).unwrap(), fs::read(&whole).unwrap());
}

/// Regression: `join` panicked.
#[test]
fn games_are_not_joined_to_a_file_whose_name_is_one_of_positions_or_records() {
    let folder = Folder::new();
    let part = folder.path("part.games");
    generate(&part, 0, 1);
    for name in ["joined.psv", "joined.bin", "joined.hcpe", "joined.csa"] {
        let joined = folder.path(name);
        let error = stderr_of(&join(&joined, std::slice::from_ref(&part), &["--games", "1"]));
        assert!(error.contains("it is of a different kind"), "{name}: {error}");
        assert!(fs::metadata(&joined).is_err(), "nothing is written");
    }
}

#[test]
fn a_killed_task_is_not_joined_and_can_be_resumed() {
    let folder = Folder::new();
    let (whole, joined) = (folder.path("whole.games"), folder.path("joined.games"));
    generate(&whole, 0, 6);
    let parts = ["0.games", "1.games"].map(|name| folder.path(name));
    generate(&parts[0], 0, 3);
    generate(&parts[1], 3, 3);
    let complete = fs::read(&parts[1]).unwrap();
    // Killed before the last bytes, in the middle of a block, and between two blocks.
    for left_out in [1, 40, 32] {
        fs::write(&parts[1], &complete[..complete.len() - left_out]).unwrap();
        let error = stderr_of(&join(&joined, &parts, &["--games", "6"]));
        assert!(error.contains("1.games: it is not complete"), "{left_out}: {error}");
        assert!(fs::metadata(&joined).is_err(), "nothing is written");
        generate(&parts[1], 3, 3);
        assert_eq!(fs::read(&parts[1]).unwrap(), complete, "{left_out}");
    }
    stdout_of(&join(&joined, &parts, &["--games", "6"]));
    assert_eq!(fs::read(&joined).unwrap(), fs::read(&whole).unwrap());
}

#[test]
fn missing_and_duplicate_games_and_those_of_another_program_are_reported() {
    let folder = Folder::new();
    let joined = folder.path("joined.games");
    let parts = ["0.games", "1.games", "2.games"].map(|name| folder.path(name));
    for (first, part) in [0, 2, 4].into_iter().zip(&parts) {
        generate(part, first, 2);
    }
    let refused = |files: &[String], more: &[&str], reason: &str| {
        let error = stderr_of(&join(&joined, files, more));
        assert!(error.contains(reason), "{reason}: {error}");
        assert!(fs::metadata(&joined).is_err(), "nothing is written");
    };
    let six = ["--games", "6"];
    refused(&parts, &[], "--games");
    refused(&parts[..2], &six, "games 4 to 5 are missing");
    refused(&parts[1..], &six, "games 0 to 1 are missing");
    refused(&[parts[0].clone(), parts[2].clone()], &six, "games 2 to 3 are missing");
    refused(&parts, &["--games", "5"], "6 games");
    let again = folder.path("again.games");
    generate(&again, 3, 1);
    refused(&[&parts[..], std::slice::from_ref(&again)].concat(), &six, "have the same games");
    let other = folder.path("other.games");
    fs::copy(&parts[1], &other).unwrap();
    let newer = |key: &str, value: &str| match key {
        "program" => "0123456789abcdef".to_owned(),
        _ => value.to_owned(),
    };
    rewrite(&other, newer, |_| true);
    let mixed = [parts[0].clone(), other, parts[2].clone()];
    refused(&mixed, &six, "other.games: it was made with other settings than the first file");
    refused(&mixed, &six, "program=0123456789abcdef");
    let mut damaged = fs::read(&parts[0]).unwrap();
    let middle = damaged.len() - 60;
    damaged[middle] ^= 1;
    fs::write(&parts[0], damaged).unwrap();
    refused(&parts, &six, "0.games: ");
    fs::write(&parts[0], "something else").unwrap();
    refused(&parts, &six, "0.games: it is not a game file");
}

/// Regression: the error named the command that had ended the file after a number of positions.
#[test]
fn games_up_to_a_number_of_positions_need_a_number_of_games_before_they_are_joined() {
    let folder = Folder::new();
    let (joined, part) = (folder.path("joined.games"), folder.path("part.games"));
    let words = ["generate", "--out", &part, "--positions", "10", "--nodes", "20"];
    stdout_of(&[&words[..], &["--max-moves", "40", "--threads", "1"]].concat());
    let error = stderr_of(&join(&joined, std::slice::from_ref(&part), &["--games", "1"]));
    assert!(error.contains("it is not complete") && error.contains("with --games"), "{error}");
}

#[test]
fn a_file_whose_header_does_not_say_which_part_it_is_is_refused() {
    let folder = Folder::new();
    let (joined, part) = (folder.path("joined.games"), folder.path("part.games"));
    for (key, value) in [("part", "4/3"), ("part", "second"), ("first game", "-1")] {
        let mut header = GameFileHeader::new();
        header.set(key, value);
        let (writer, _) = GameFileWriter::append(part.as_ref(), &header, &mut |_| {}).unwrap();
        writer.complete().unwrap();
        let error = stderr_of(&join(&joined, std::slice::from_ref(&part), &["--games", "1"]));
        let expected = "part.games: its header does not say which part it is";
        assert!(error.contains(expected), "{key}={value}: {error}");
        assert!(fs::metadata(&joined).is_err(), "nothing is written");
        fs::remove_file(&part).unwrap();
    }
}

#[test]
fn parts_of_rescored_games_join_to_the_bytes_of_one_process() {
    let folder = Folder::new();
    let trunk = folder.path("trunk.games");
    generate(&trunk, 0, 5);
    // Positions as games of one move: more than the games of one unit of `rescore`.
    let (list, positions) = (folder.path("trunk.psv"), folder.path("positions.games"));
    stdout_of(&["convert", &trunk, "--out", &list]);
    stdout_of(&["convert", &list, "--out", &positions]);
    let path = |name: &str| folder.path(&format!("rescored-{name}.games"));
    let make = |out: &str, part: &str| {
        let words = ["rescore", &positions, "--out", out, "--nodes", "15", "--threads", "1"];
        stdout_of(&[&words[..], &["--share", "40", "--part", part]].concat());
    };
    let (whole, joined) = (path("whole"), path("joined"));
    make(&whole, "1/1");
    let parts: Vec<String> = (1..=3).map(|part| path(&part.to_string())).collect();
    for (number, out) in parts.iter().enumerate() {
        make(out, &format!("{}/3", number + 1));
        make(out, &format!("{}/3", number + 1));
    }
    let error = stderr_of(&join(&joined, &parts[..2], &[]));
    assert!(error.contains("part 3/3 is missing"), "{error}");
    let twice = [&parts[..], &parts[1..2]].concat();
    let error = stderr_of(&join(&joined, &twice, &[]));
    assert!(error.contains("have the same games"), "{error}");
    let error =
        stderr_of(&join(&joined, &[&parts[..], std::slice::from_ref(&whole)].concat(), &[]));
    assert!(error.contains("a part of another kind"), "{error}");
    stdout_of(&join(&joined, &parts, &[]));
    assert_eq!(fs::read(&joined).unwrap(), fs::read(&whole).unwrap());
}
