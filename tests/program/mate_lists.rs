//! Lists of mate problems: a position in each line, with its length if that is known.

use std::io::Write;
use std::process::Stdio;

use crate::folder::Folder;
use crate::kawasemi::{command, kawasemi, stderr_of, stdout_of};

const PROBLEMS: &str = "# two mates and a refutation\n\n\
    4k4/9/4P4/9/9/9/9/9/9 b G 1\t1\tby hand\n\
    sfen k8/9/K8/9/9/9/9/9/9 b BN 1\t?\n\
    4k4/9/9/9/9/9/9/9/4K4 b - 1\n";

#[test]
fn a_file_of_problems_is_solved_line_by_line() {
    let folder = Folder::new();
    let problems = folder.write("problems", PROBLEMS);
    let text = stdout_of(&["mate", &problems, "--hash", "4", "--threads", "2"]);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(&rows[1][..3], ["3", "1", "1"], "{text}");
    assert_eq!(&rows[2][..3], ["4", "3", "?"], "{text}");
    assert_eq!(&rows[3][..3], ["5", "none", "?"], "{text}");
    assert!(rows.contains(&vec!["solved", "2"]) && rows.contains(&vec!["contradicted", "0"]));
}

/// Regression: a list whose lines end with CR alone was refused as one line, unlike a record.
#[test]
fn the_lines_of_a_list_may_have_the_ends_of_any_system() {
    let folder = Folder::new();
    let mixed = PROBLEMS.replacen('\n', "\r\r\n", 1);
    for text in [PROBLEMS.replace('\n', "\r"), PROBLEMS.replace('\n', "\r\n"), mixed] {
        let text = stdout_of(&["mate", &folder.write("problems", text), "--hash", "4"]);
        let rows: Vec<&str> = text.lines().map(str::trim_start).collect();
        for (row, number) in rows[1..].iter().zip(["3 ", "4 ", "5 "]) {
            assert!(row.starts_with(number), "{text}");
        }
    }
}

#[test]
fn a_problem_may_be_a_position_with_moves_as_in_usi() {
    let folder = Folder::new();
    let line = "position sfen 3k5/9/4P4/9/9/9/9/9/9 w G 1 moves 6a5a\t1\n";
    let text = stdout_of(&["mate", &folder.write("problems", line), "--hash", "4"]);
    assert!(text.contains("\n     1     1      1 "), "{text}");
}

#[test]
fn a_wrong_length_is_reported() {
    let folder = Folder::new();
    for wrong in ["G 1\t3\t", "G 1\t0\t"] {
        let problems = folder.write("problems", PROBLEMS.replace("G 1\t1\t", wrong));
        let output = kawasemi(&["mate", &problems, "--hash", "4"]);
        let (text, complaint) = (output.stdout, String::from_utf8(output.stderr).unwrap());
        assert!(!output.status.success() && complaint.contains("wrong lengths"), "{complaint}");
        assert!(String::from_utf8(text).unwrap().contains(" contradicted\n"));
    }
}

/// Regression: an interrupt lost the summary, and what the search in progress had found.
#[cfg(unix)]
#[test]
fn an_interrupted_list_ends_with_a_summary_of_the_problems_so_far() {
    use std::io::{BufRead, BufReader, Read};

    let folder = Folder::new();
    // More rows than a pipe holds, so that the list cannot end before the interrupt.
    let list = folder.write("list", "4k4/9/4P4/9/9/9/9/9/9 b G 1\n".repeat(100_000));
    let mut solving = command(&["mate", &list, "--hash", "1"]);
    let mut child = solving.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut text = BufReader::new(child.stdout.take().unwrap());
    text.read_line(&mut String::new()).unwrap();
    crate::signal::send("INT", child.id());
    let mut rest = String::new();
    text.read_to_string(&mut rest).unwrap();
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("stopped; the summary covers the problems so far"), "{told}");
    assert!(output.status.code() == Some(130) && rest.contains("\nsolved "), "{told}{rest}");
}

#[test]
fn a_file_that_holds_no_problems_is_refused_with_its_name_and_the_line() {
    assert!(stderr_of(&["mate", "no/such/file"]).contains("no/such/file"));
    let folder = Folder::new();
    let bad = folder.write("bad", format!("{PROBLEMS}9/9 b - 1\n"));
    assert!(stderr_of(&["mate", &bad]).contains(&format!("{bad}: line 6: ")));
    let bad = folder.write("none", "# to be filled\n");
    assert!(stderr_of(&["mate", &bad]).contains("the file has no problems"));
    // Regression: text was called a wrong rank of a board, and a folder an error 21.
    let bad = folder.write("words", "hello world\n");
    let text = stderr_of(&["mate", &bad]);
    assert!(
        text.contains("line 1: no valid SFEN or USI position: 'hello' is not a board"),
        "{text}"
    );
    // Regression: a position that breaks the rules was called no SFEN.
    let bad = folder.write("in check", "4k4/4R4/9/9/9/9/9/9/9 b - 1\n");
    let text = stderr_of(&["mate", &bad]);
    assert!(text.contains("position: the side not to move is in check"), "{text}");
    assert!(!text.contains("neither"), "{text}");
    assert!(stderr_of(&["mate", &folder.path(".")]).contains("this is a folder, not a file"));
    let bad = folder.write("length", PROBLEMS.replace("\t1\t", "\tone\t"));
    assert!(stderr_of(&["mate", &bad]).contains(&format!("{bad}: line 3: ")));
}

/// Regression: such a problem, which mostly has the wrong side to move, was called unsolvable.
#[test]
fn a_problem_without_a_king_to_mate_is_refused() {
    let folder = Folder::new();
    let list = folder.write("list", PROBLEMS.replace("4P4/9/9/9/9/9/9 b", "4P4/9/9/9/9/9/9 w"));
    let record = folder.path("a.kifu");
    let usi = folder.write("a.usi", "position sfen 4k4/9/4P4/9/9/9/9/9/9 w G 1\n");
    stdout_of(&["convert", &usi, "-o", &record]);
    for (file, number) in [(list, 3), (record, 1)] {
        let text = stderr_of(&["mate", "--check", &file]);
        let wanted = format!("{file}: problem {number}: the defender, who is not to move, has no");
        assert!(text.contains(&wanted), "{text}");
    }
}

/// Regression: the wrong side seemed to be to move.
#[test]
fn a_solution_in_a_list_is_refused_with_the_way_to_give_it() {
    let folder = Folder::new();
    let line = "position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1 moves G*5b\n";
    let text = stderr_of(&["mate", "--check", &folder.write("a.usi", line)]);
    assert!(text.contains("a.usi: line 1: after the moves the defender, who is not"), "{text}");
    assert!(text.contains("as a record (.kif) if they are its solution"), "{text}");
}

#[test]
fn mate_prints_the_moves_if_requested() {
    let folder = Folder::new();
    let problems = folder.write("problems", PROBLEMS);
    let text = stdout_of(&["mate", &problems, "--hash", "4", "--moves"]);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert_eq!(lines[2], "G*5b", "{text}");
    assert_eq!(lines[4].split(' ').count(), 3, "{text}");
    assert!(lines[5].starts_with("5  none"), "{text}");
}

/// Regression: the moves were in USI.
#[test]
fn moves_in_english_are_in_western_notation() {
    let folder = Folder::new();
    let problem = folder.write("problem", "8k/4r1G2/9/9/9/9/9/9/9 b R2b3g4s4n4l18p 1\n");
    let text = stdout_of(&["mate", &problem, "--hash", "4", "--moves", "--lang", "en"]);
    assert!(text.contains("\n       R*2a K-1b R-2b+\n"), "{text}");
    let made = stdout_of(&["mate", "--make", "1", "--count", "1", "--lang", "en"]);
    let mv = made.trim_end().rsplit('\t').next().unwrap();
    assert!(mv.starts_with(|letter: char| letter.is_ascii_uppercase() || letter == '+'), "{made}");
}

#[test]
fn problems_are_read_from_standard_input_with_comments_in_any_encoding() {
    let remark = [&b"\xef\xbb\xbf# "[..], b"\x8bl\x8f\xe8\r\n"].concat();
    let text = [&remark, "4k4/9/4P4/9/9/9/9/9/9 b G 1\t1\t".as_bytes(), &remark].concat();
    let mut mate = command(&["mate", "-", "--hash", "4"]);
    let mut process = mate.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    process.stdin.take().unwrap().write_all(&text).unwrap();
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("\n     2     1      1 "));
}

/// Regression: the name of their file was `-`.
#[test]
fn problems_from_standard_input_say_so_among_files() {
    let folder = Folder::new();
    let file = folder.write("problems", "4k4/9/4P4/9/9/9/9/9/9 b G 1\t1\n");
    for (option, name) in [("--moves", "\nstandard input\n"), ("--check", "standard input 1: ")] {
        let mut mate = command(&["mate", "-", &file, "--hash", "4", option]);
        let text = crate::program::stdout_of(mate.stdin(std::fs::File::open(&file).unwrap()));
        assert!(text.contains(name), "{text}");
    }
}

/// Regression: each problem reserved memory for a long game, so that a large file took all memory.
#[cfg(target_os = "linux")]
#[test]
fn a_large_file_of_problems_takes_little_memory() {
    let folder = Folder::new();
    let good = "4k4/9/4P4/9/9/9/9/9/9 b G 1\t1\n";
    // An invalid line ends the command after all lines have been read.
    let problems = folder.write("problems", good.repeat(40_000) + "9/9 b - 1\n");
    let mut limited =
        crate::program::started_after("ulimit -v 1048576", env!("CARGO_BIN_EXE_kawasemi"));
    let text = crate::program::stderr_of(limited.args(["mate", &problems]));
    assert!(text.contains("line 40001: "), "{text}");
}
