//! Mate problems: records as problems, the check, and the making of problems.

use std::collections::HashSet;

use serde_json::Value;

use crate::folder::Folder;
use crate::kawasemi::{command, kawasemi, stderr_of, stdout_of};
use crate::manual;

/// A sound problem with its solution.
const SOUND: &str = "position sfen 8k/4r1G2/9/9/9/9/9/9/9 b R2b3g4s4n4l18p 1 moves R*2a 1a1b 2a2b+";
/// Mate in three; there are other first moves.
const UNSOUND: &str = "k8/9/K8/9/9/9/9/9/9 b BN 1\t3\n";
const NO_MATE: &str = "4k4/9/9/9/9/9/9/9/4K4 b - 1\n";

/// A problem in KIF, which begins with a diagram.
fn kif(folder: &Folder, name: &str, game: &str) -> String {
    let (usi, kif) = (folder.write("game.usi", game), folder.path(name));
    stdout_of(&["convert", &usi, "-o", &kif]);
    kif
}

fn assert_wrong(arguments: &[&str]) {
    let output = kawasemi(arguments);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && text.contains("wrong lengths or solutions"), "{text}");
}

/// Regression: "'?' in rank a is not a piece".
#[test]
fn a_problem_may_be_a_record_whose_moves_are_the_solution() {
    let folder = Folder::new();
    let problem = kif(&folder, "a.kif", SOUND);
    let text = stdout_of(&["mate", &problem, "--hash", "4", "--moves", "--lang", "ja"]);
    assert!(text.contains("\n     1     3      3 "), "{text}");
    assert!(text.contains("▲２一飛 △１二玉 ▲２二飛成"), "{text}");
    let empty = kif(&folder, "b.kif", SOUND.split(" moves").next().unwrap());
    let text = stdout_of(&["mate", &problem, &empty, "--hash", "4"]);
    assert!(text.contains("b.kif\n     1     3      ? "), "{text}");
    let longer =
        SOUND.replace(" b R2b3g", " b RG2b2g").replace("R*2a 1a1b 2a2b+", "R*2a 1a1b G*1c 1b2a");
    let refuted = kif(&folder, "c.kif", &longer);
    assert_wrong(&["mate", &refuted, "--hash", "4"]);
}

#[test]
fn a_check_says_whether_a_problem_is_sound() {
    let folder = Folder::new();
    let sound = kif(&folder, "a.kif", SOUND);
    let list = folder.write("list", [UNSOUND, NO_MATE].concat());
    let english = stdout_of(&["mate", "--check", &sound, &list, "--hash", "4", "--lang", "en"]);
    let wanted = "mate in 3; one solution; no pieces left; the recorded solution is right";
    assert!(english.contains(wanted), "{english}");
    assert!(english.contains("  R*2a K-1b R-2b+\n"), "{english}");
    assert!(english.contains("move 1: N*8c: independent mate, as long\n"), "{english}");
    assert!(english.contains("no mate: unsolvable"), "{english}");
    let japanese = stdout_of(&["mate", "--check", &list, "--hash", "4", "--lang", "ja"]);
    // Regression: the parts were separated by the marks of English, `;` and `,`.
    for words in
        ["1: 3手詰、余詰あり、駒余り1枚", "▲８三桂: 余詰、同手数\n", "打ち場所非限定", "不詰"]
    {
        assert!(japanese.contains(words), "{words}: {japanese}");
    }
}

/// Regression: only the JSON had them.
#[test]
fn defences_as_long_as_that_of_the_main_line_are_listed_if_they_leave_no_more_pieces() {
    let folder = Folder::new();
    let list = folder.write("list", "9/6k2/9/4R3G/6N2/9/9/9/9 b BS 1\n");
    let check = |language: &str| {
        let limits = ["--hash", "4", "--nodes", "20000", "--lang", language];
        stdout_of(&[&["mate", "--check", &list][..], &limits].concat())
    };
    let (english, japanese) = (check("en"), check("ja"));
    let line = "  G-2c K-4a S*3b K-4b N-4c+\n";
    assert!(english.contains(line), "{english}");
    assert!(english.contains("    move 2: defences as long: K-4b\n"), "{english}");
    assert!(japanese.contains("    2手目: 変化同手数: △４二玉\n"), "{japanese}");
    // The bishop is left too after this interposition.
    let more = folder.write("more", "3lk1n2/3p1p3/9/3N3N1/9/9/9/9/8R b Bg 1\n");
    let text = stdout_of(&["mate", "--check", &more, "--hash", "4", "--lang", "en"]);
    assert!(text.contains("mate in 3; ") && !text.contains("defences as long"), "{text}");
}

/// Regression: a problem without pieces in the defender's hand, often a mistake, was solved without a word.
#[test]
fn pieces_that_the_defender_lacks_are_named_and_can_be_added() {
    const FULL: &str = "8k/4r1G2/9/9/9/9/9/9/9 b R2b3g4s4n4l18p 1";
    let folder = Folder::new();
    let lacking = FULL.replace("3g4s4n4l18p", "2g4s4n4l15p");
    let list = folder.write("list", format!("{FULL}\n{lacking}\n"));
    let run = |arguments: &[&str]| {
        let output = kawasemi(&[&["mate", &list, "--hash", "4"], arguments].concat());
        assert!(output.status.success(), "{output:?}");
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    let notice = "problems whose defender lacks pieces in hand: 1; --fill-hand adds them\n";
    for (arguments, named) in [
        (&["--lang", "en"][..], 0),
        (&["--check", "--lang", "en"], 1),
        (&["--check", "--lang", "ja"], 1),
    ] {
        let [text, told] = run(arguments);
        assert!(told.ends_with(notice), "{told}");
        let facts = [
            "; missing from the defender's hand: 1 gold, 3 pawns (",
            "、玉方の持ち駒に金1枚・歩3枚が足りない (",
        ];
        let found: usize = facts.iter().map(|fact| text.matches(*fact).count()).sum();
        assert_eq!(found, named, "{text}");
        let [text, told] = run(&[arguments, &["--fill-hand"]].concat());
        assert!(!told.contains("--fill-hand") && !text.contains("missing from"), "{told}{text}");
    }
    let record = folder.path("out.kifu");
    let [text, _] = run(&["--check", "--json"]);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&json["problems"][0]["missing"], &json["problems"][1]["missing"]),
        (&"-".into(), &"G3P".into())
    );
    let [text, _] = run(&["--check", "--json", "--fill-hand", "-o", &record]);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&json["problems"][1]["missing"], &json["problems"][1]["sfen"]),
        (&"-".into(), &FULL.into())
    );
    let kif = std::fs::read_to_string(&record).unwrap();
    assert_eq!(kif.matches("角二　金三　銀四　桂四　香四　歩十八").count(), 2, "{kif}");
}

#[test]
fn a_check_that_reaches_its_limit_reports_undecided() {
    let folder = Folder::new();
    let list = folder.write("list", "9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1\t11\n");
    let check = |nodes: &str| {
        stdout_of(&["mate", "--check", &list, "--hash", "4", "--lang", "en", "--nodes", nodes])
    };
    assert!(check("1").starts_with("1: not decided"), "{}", check("1"));
    let text = check("3000");
    assert!(text.contains("not decided"), "{text}");
    assert!(!text.contains("one solution") && !text.contains("unsolvable"), "{text}");
}

/// Regression: such a length was contradicted by `mate`, but not by `mate --check`.
#[test]
fn a_length_above_that_of_a_proved_mate_is_wrong_even_if_the_length_is_not_decided() {
    let folder = Folder::new();
    let list = folder.write("list", "9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1\t13\n");
    let check = ["mate", "--check", &list, "--hash", "4", "--lang", "en", "--nodes", "3000"];
    let text = String::from_utf8(kawasemi(&check).stdout).unwrap();
    assert!(text.contains("mate within 11, ") && text.contains("; given: 13 ("), "{text}");
    assert_wrong(&check);
}

#[test]
fn a_wrong_recorded_solution_is_detected() {
    let folder = Folder::new();
    let wrong = kif(&folder, "a.kif", &SOUND.replace("R*2a 1a1b 2a2b+", "R*1d 1a2b"));
    let output = kawasemi(&["mate", "--check", &wrong, "--hash", "4", "--lang", "en"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("the recorded solution fails at move 1"), "{text}");
    let short = folder.write("list", UNSOUND.replace("\t3", "\t1"));
    assert_wrong(&["mate", "--check", &short, "--hash", "4"]);
}

/// Regression: `手数が違う` stood beside `不詰`, the solution of a record was called 指定, and the length in a list 作意.
#[test]
fn japanese_texts_name_what_is_contradicted() {
    let folder = Folder::new();
    let unsolvable = folder.write("unsolvable", NO_MATE.replace('\n', "\t3\n"));
    let solved = kawasemi(&["mate", &unsolvable, "--hash", "4", "--lang", "ja"]);
    let text = String::from_utf8(solved.stdout).unwrap();
    let row = text.lines().nth(1).unwrap();
    assert!(row.contains(" 不詰 ") && row.ends_with("  作意・手数と不一致"), "{text}");
    // Its column is as wide as the others.
    assert!(text.contains(&format!("\n作意・手数と不一致  {:>12}\n", 1)), "{text}");
    assert!(text.starts_with("  番号  手数   指定 "), "{text}");
    let wrong = kif(&folder, "a.kif", &SOUND.replace("R*2a 1a1b 2a2b+", "R*1d 1a2b"));
    let short = folder.write("short", UNSOUND.replace("\t3", "\t1"));
    for (file, given) in [(wrong, "作意は1手"), (short, "指定は1手")] {
        let checked = kawasemi(&["mate", "--check", &file, "--hash", "4", "--lang", "ja"]);
        let text = String::from_utf8(checked.stdout).unwrap();
        assert!(text.contains(given), "{text}");
    }
}

#[test]
fn a_check_is_written_as_json_and_as_a_record_with_branches() {
    let folder = Folder::new();
    let (list, record) = (folder.write("list", UNSOUND), folder.path("out.kif"));
    let text = stdout_of(&["mate", "--check", &list, "--hash", "4", "--json", "-o", &record]);
    let json: Value = serde_json::from_str(&text).unwrap();
    let problem = &json["problems"][0];
    assert_eq!(problem["verdict"], "mate");
    assert_eq!((&problem["plies"], &problem["one_solution"]), (&3.into(), &false.into()));
    let second = problem["second"].as_array().unwrap();
    let knight = second.iter().find(|one| one["move"]["usi"] == "N*8c").unwrap();
    assert_eq!((&knight["kind"], &knight["length"]), (&"independent".into(), &"equal".into()));
    // Regression: moves had no English names.
    let names = serde_json::json!({ "usi": "N*8c", "ja": "▲８三桂", "en": "N*8c" });
    assert_eq!(knight["move"], names);
    let moves = problem["line"]["moves"].as_array().unwrap();
    assert!(moves.iter().all(|mv| mv["en"].is_string()), "{moves:?}");
    let lines = stdout_of(&["convert", &record, "--to", "jkf"]);
    assert!(lines.contains("forks") && lines.contains("余詰"), "{lines}");
    let text = stderr_of(&["mate", &list, "-o", &record]);
    assert!(text.contains("--output needs --check or --make"), "{text}");
}

#[test]
fn every_key_of_the_json_is_in_the_manual() {
    let folder = Folder::new();
    // The second problem stays undecided.
    let list = folder.write("list", [UNSOUND, "9/4k4/2K2R3/9/9/9/9/9/9 b 2L 1\n"].concat());
    let problem = kif(&folder, "a.kif", SOUND);
    let check = ["mate", "--check", &list, &problem, "--hash", "4", "--nodes", "3000", "--json"];
    let json = serde_json::from_str(&stdout_of(&check)).unwrap();
    manual::check_keys(&json, include_str!("../../docs/mate.md"));
}

#[test]
fn composed_problems_are_sound_and_follow_from_the_seed_on_any_number_of_threads() {
    let folder = Folder::new();
    // Regression: the fifth problem of this seed equals an earlier one, and four were printed.
    let make = |threads: &str| {
        stdout_of(&["mate", "--make", "1", "--count", "5", "--seed", "5", "--threads", threads])
    };
    let list = make("1");
    assert_eq!(list, make("2"));
    assert_eq!(list.lines().collect::<HashSet<_>>().len(), 5, "{list}");
    let text =
        stdout_of(&["mate", "--check", &folder.write("list", list), "--hash", "4", "--lang", "en"]);
    assert_eq!(text.matches("mate in 1; one solution; no pieces left").count(), 5, "{text}");
    assert!(stderr_of(&["mate", "--make", "4"]).contains("an odd number"));
}

/// Regression: a second solution of a later move was played in the branch before it, which panicked.
#[test]
fn a_record_of_a_check_has_every_second_solution_in_a_branch_of_the_main_line() {
    let folder = Folder::new();
    let list = folder.write("list", "7k1/9/6P2/9/9/9/9/9/9 b RG 1\n");
    let record = folder.path("checked.kifu");
    stdout_of(&["mate", "--check", &list, "--hash", "4", "-o", &record]);
    let kif = std::fs::read_to_string(&record).unwrap();
    let branches: Vec<&str> = kif.split("変化：").skip(1).map(|branch| branch.trim_end()).collect();
    assert_eq!(branches.len(), 9, "{kif}");
    // KIF has the branches of later moves first.
    for (branch, mv) in branches.iter().zip(["１三飛成(23)", "１三飛(23)", "２一金打"]) {
        assert!(branch.starts_with("3手\n") && branch.contains(&format!("   3 {mv}")), "{kif}");
    }
    for branch in &branches[3..] {
        assert!(branch.starts_with("1手\n   1 ２") && branch.contains("飛打"), "{kif}");
    }
}

#[test]
fn several_problems_are_checked_at_the_same_time_with_the_results_of_one_thread() {
    let folder = Folder::new();
    let sound = SOUND.split(" moves").next().unwrap();
    let list = folder.write("list", format!("{UNSOUND}{NO_MATE}{sound}\n").repeat(5));
    let check = |threads: &str| {
        let arguments = ["mate", "--check", &list, "--hash", "8", "--threads", threads, "--json"];
        let mut json: Value = serde_json::from_str(&stdout_of(&arguments)).unwrap();
        for problem in json["problems"].as_array_mut().unwrap() {
            problem.as_object_mut().unwrap().remove("ms");
        }
        json
    };
    let one = check("1");
    assert_eq!(one["problems"].as_array().unwrap().len(), 15);
    assert_eq!(one, check("3"));
    // In text each problem has its line with the number, in order.
    let text = stdout_of(&["mate", "--check", &list, "--threads", "4", "--lang", "en"]);
    let numbers = text.lines().filter_map(|line| line.split_once(": "));
    let numbers: Vec<u32> = numbers.filter_map(|(number, _)| number.parse().ok()).collect();
    assert_eq!(numbers, (1..=15).collect::<Vec<_>>(), "{text}");
}

/// Regression: an interrupt left nothing: no list, no file and no message.
#[cfg(unix)]
#[test]
fn an_interrupted_check_writes_the_problems_so_far() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    let folder = Folder::new();
    // So many that the check cannot end before the interrupt.
    let (list, out) = (folder.write("list", UNSOUND.repeat(100_000)), folder.path("checked.kifu"));
    let mut check = command(&["mate", "--check", &list, "--hash", "1", "-o", &out]);
    let mut child = check.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut text = BufReader::new(child.stdout.take().unwrap());
    text.read_line(&mut String::new()).unwrap();
    crate::signal::send("INT", child.id());
    let mut rest = String::new();
    text.read_to_string(&mut rest).unwrap();
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("stopped; the problems so far follow"), "{told}");
    assert!(output.status.code() == Some(130) && rest.contains("mate in 3"), "{told}{rest}");
    assert!(std::fs::read_to_string(&out).unwrap().contains("手数"), "{out}");
}

/// Regression: the status was 0, as if all problems were made.
#[cfg(target_os = "linux")]
#[test]
fn interrupted_composing_ends_with_the_status_of_an_interrupt() {
    use std::process::Stdio;

    // So many that they cannot be made before the interrupt.
    let mut composing = command(&["mate", "--make", "3", "--count", "1000000"]);
    composing.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = composing.spawn().unwrap();
    crate::signal::until_interruptible(child.id());
    crate::signal::send("INT", child.id());
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains(" of 1000000 problems made"), "{told}");
    assert_eq!(output.status.code(), Some(130), "{told}");
    // The time that the user allows is no interrupt.
    let made = stdout_of(&["mate", "--make", "1", "--count", "1000000", "--time", "0"]);
    assert_eq!(made, "");
}

/// Regression: the problems were printed before the file was written, so it was never written.
#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_does_not_lose_the_file() {
    let folder = Folder::new();
    let list = folder.write("list", UNSOUND.repeat(2));
    for (name, arguments, count) in [
        ("made.kifu", &["--make", "1", "--count", "2", "--seed", "5"][..], 2),
        ("checked.kifu", &["--check", &list, "--hash", "1"], 2),
        ("json.kifu", &["--check", &list, "--hash", "1", "--json"], 2),
    ] {
        let out = folder.path(name);
        let arguments = [&["mate"], arguments, &["-o", &out]].concat();
        let full = crate::program::full_output();
        let output = command(&arguments).stdout(full).output().unwrap();
        assert!(!output.status.success(), "{output:?}");
        let records = std::fs::read_to_string(&out).unwrap();
        assert_eq!(records.matches("手数----").count(), count, "{name}: {records}");
    }
}

/// Regression: the check ended with status 0 if the reader of its results had gone.
#[test]
fn a_wrong_length_is_an_error_even_if_nobody_reads_the_results() {
    let folder = Folder::new();
    let list = folder.write("list", UNSOUND.replace("\t3", "\t5"));
    for more in [&["--json"][..], &[]] {
        let mut check = command(&[&["mate", "--check", &list, "--hash", "1"], more].concat());
        let output = check.stdout(crate::program::closed_pipe()).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains("wrong lengths or solutions"), "{text}");
    }
}

/// Regression: the file of problems was replaced by the output of its check.
#[test]
fn a_check_does_not_replace_the_file_of_problems() {
    let folder = Folder::new();
    let problem = kif(&folder, "a.kifu", SOUND);
    let before = std::fs::read_to_string(&problem).unwrap();
    let output = kawasemi(&["mate", "--check", &problem, "-o", &problem]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("is one of the input files"), "{text}");
    assert_eq!(std::fs::read_to_string(&problem).unwrap(), before);
}

/// Regression: a title in a record could send escape sequences to the terminal.
#[test]
fn titles_are_printed_without_control_characters() {
    let folder = Folder::new();
    let problem = kif(&folder, "a.kifu", SOUND);
    let text = std::fs::read_to_string(&problem).unwrap();
    std::fs::write(&problem, format!("表題：red\x1b[31m\n{text}")).unwrap();
    let text = stdout_of(&["mate", "--check", &problem, "--hash", "4"]);
    assert!(text.starts_with("1 red?[31m: mate in 3; "), "{text}");
}

/// Regression: the file was replaced by an empty one.
#[test]
fn a_record_stays_as_it_was_if_no_problem_is_found() {
    let folder = Folder::new();
    for name in ["old.kif", "old.sfen", "old.csa", "old.jkf"] {
        let record = folder.write(name, "a record");
        let make = ["mate", "--make", "15", "--time", "0", "-o", &record];
        let output = kawasemi(&make);
        let notices = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{notices}");
        let notice = format!("kawasemi: no problem found; {record} is not written\n");
        assert!(notices.contains(&notice), "{notices}");
        assert_eq!(std::fs::read_to_string(&record).unwrap(), "a record");
    }
}

/// Regression: the record of a check began without them.
#[test]
fn the_record_of_a_check_keeps_the_headers_and_comments_of_the_problem() {
    let folder = Folder::new();
    let problem = kif(&folder, "a.kifu", SOUND);
    let text = std::fs::read_to_string(&problem).unwrap();
    let headers = "作者：伊藤看寿\n作品名：小品\n発表誌：図巧\n";
    let text = text.replace("手合割：その他", "手合割：詰将棋");
    let (head, moves) = text.split_once("手数----").unwrap();
    let (heading, moves) = moves.split_once('\n').unwrap();
    let text = format!("{head}{headers}手数----{heading}\n*ねらいは飛車\n{moves}");
    std::fs::write(&problem, text).unwrap();
    let [once, twice] = ["once.kifu", "twice.kifu"].map(|name| folder.path(name));
    stdout_of(&["mate", "--check", &problem, "--hash", "4", "-o", &once]);
    let checked = std::fs::read_to_string(&once).unwrap();
    for line in headers.lines().chain(["手合割：詰将棋", "*ねらいは飛車"]) {
        assert!(checked.lines().any(|written| written == line), "{line}: {checked}");
    }
    assert!(checked.contains("作意は正しい"), "{checked}");
    stdout_of(&["mate", "--check", &once, "--hash", "4", "-o", &twice]);
    assert_eq!(std::fs::read_to_string(&twice).unwrap(), checked);
}

#[test]
fn the_title_of_a_problem_may_be_the_name_of_the_work() {
    let folder = Folder::new();
    let problem = kif(&folder, "a.kifu", SOUND);
    let text = std::fs::read_to_string(&problem).unwrap();
    for (headers, title) in [
        ("作品名：煙詰", "1 煙詰: "),
        ("作品名：煙詰\n表題：図巧", "1 図巧: "),
        ("表題：\n作品名：煙詰", "1 煙詰: "),
    ] {
        std::fs::write(&problem, format!("{headers}\n{text}")).unwrap();
        let text = stdout_of(&["mate", "--check", &problem, "--hash", "4"]);
        assert!(text.starts_with(title), "{headers}: {text}");
    }
}

/// Regression: the record of an earlier check kept its result, so `7手詰` stood beside `未判定`; and a record
/// whose check was not decided lost its solution.
#[test]
fn a_later_check_replaces_the_result_of_an_earlier_one_and_keeps_the_solution() {
    let folder = Folder::new();
    let problem = kif(&folder, "a.kifu", SOUND);
    let [undecided, decided] = ["undecided.kifu", "decided.kifu"].map(|name| folder.path(name));
    stdout_of(&["mate", "--check", &problem, "--hash", "4", "--nodes", "1", "-o", &undecided]);
    let text = std::fs::read_to_string(&undecided).unwrap();
    assert!(text.contains("\n*Kawasemiの検討：未判定\n"), "{text}");
    stdout_of(&["mate", "--check", &undecided, "--hash", "4", "-o", &decided]);
    let text = std::fs::read_to_string(&decided).unwrap();
    let result = "\n*Kawasemiの検討：3手詰、余詰なし、駒余りなし、作意は正しい\n";
    assert!(text.contains(result) && !text.contains("未判定"), "{text}");
}

/// Regression: the lists that `>` writes in the PowerShell of Windows were refused.
#[test]
fn a_list_may_be_in_utf_16() {
    let folder = Folder::new();
    let wide = UNSOUND.encode_utf16();
    let bytes: Vec<u8> = [0xfeff].into_iter().chain(wide).flat_map(u16::to_le_bytes).collect();
    let text = stdout_of(&["mate", &folder.write("list.txt", bytes), "--hash", "4"]);
    assert!(text.contains("\n     1     3      3 "), "{text}");
}

/// Regression: every warning was printed.
#[test]
fn warnings_about_a_file_of_problems_are_limited() {
    let folder = Folder::new();
    let problem = kif(&folder, "a.kifu", SOUND);
    let text = std::fs::read_to_string(&problem).unwrap() + &"memo\n".repeat(50);
    std::fs::write(&problem, text).unwrap();
    let output = kawasemi(&["mate", "--check", &problem, "--hash", "4"]);
    let notices = String::from_utf8(output.stderr).unwrap();
    assert_eq!(notices.matches("`memo` is not understood").count(), 20, "{notices}");
    assert!(notices.contains("a.kifu: 30 more warnings\n"), "{notices}");
}
