//! The program as a user calls it.

#[cfg(target_os = "linux")]
use std::io::Write;
use std::process::Output;
#[cfg(target_os = "linux")]
use std::process::Stdio;

use kawasemi::nnue::{FeatureRows, Isa, built_in};

use crate::folder::Folder;
use crate::kawasemi::{command, kawasemi, stderr_of, stdout_of};
#[cfg(target_os = "linux")]
use crate::program::{full_output, started_after};
use crate::small_network::small_network;
#[cfg(target_os = "linux")]
use crate::usi::engine::Engine;

#[test]
fn perft_counts_the_start_position() {
    assert!(stdout_of(&["perft", "3"]).starts_with("25470 leaves in "));
    assert!(stdout_of(&["perft", "0"]).starts_with("1 leaves in "));
    assert!(stdout_of(&["perft", "0", "--divide"]).starts_with("1 leaves in "));
}

#[test]
fn perft_counts_a_given_position_by_its_moves() {
    let most_moves = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    let text = stdout_of(&["perft", "1", "--sfen", most_moves, "--divide"]);
    assert_eq!(text.lines().count(), 594);
    assert!(text.lines().take(593).all(|line| line.ends_with(": 1")), "{text}");
    assert!(text.lines().last().unwrap().starts_with("593 leaves in "), "{text}");
}

/// Regression: the help ended with status 0 where it could not be written.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_an_error_for_the_help_too() {
    let arguments =
        [&["--help"][..], &["help"], &["convert", "--help"], &["--version"], &["options"]];
    for arguments in arguments {
        let output = command(arguments).stdout(full_output()).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {text}");
        assert!(text.starts_with("kawasemi: "), "{arguments:?}: {text}");
    }
}

/// Regression: a session whose answers could not be written ended with status 0.
#[cfg(target_os = "linux")]
#[test]
fn a_session_whose_answers_cannot_be_written_fails() {
    for arguments in [&[][..], &["cluster", "--workers", "1"]] {
        let mut child = command(arguments)
            .stdin(Stdio::piped())
            .stdout(full_output())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The session may have ended already.
        let _ = child.stdin.take().unwrap().write_all(b"usi\n");
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {text}");
        assert!(text.contains("No space left on device"), "{arguments:?}: {text}");
    }
}

#[test]
fn an_invalid_position_is_refused_with_the_reason() {
    let text = stderr_of(&["perft", "1", "--sfen", "9/9 b - 1"]);
    assert!(text.starts_with("kawasemi: ") && text.contains("rank"), "{text}");
    let text = stderr_of(&["perft", "1", "--sfen", "金"]);
    assert!(text.starts_with("kawasemi: '金' is not a board"), "{text}");
    // The blanks of Japanese are blanks.
    let text =
        stdout_of(&["perft", "1", "--sfen", "position\u{3000}startpos\u{3000}moves\u{3000}7g7f"]);
    assert!(text.starts_with("30 leaves "), "{text}");
}

#[test]
fn the_help_is_in_the_language_of_the_system() {
    for (locale, words) in [("C", "Usage: kawasemi mate"), ("ja_JP.UTF-8", "使い方: kawasemi mate")]
    {
        let output = command(&["mate", "--help"]).env("LC_ALL", locale).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.contains(words), "{text}");
    }
}

/// Regression: the quoted text was `it\'s`.
#[test]
fn quoted_text_is_shown_without_escapes_for_quotation_marks() {
    let text = in_japanese(&["perft", "1", "--sfen", "it's"]);
    assert!(text.contains("「it's」は盤面ではありません"), "{text}");
}

/// Regression: what options and USI words quote was in ASCII quotation marks.
#[test]
fn messages_in_japanese_quote_options_and_words_as_all_others_do() {
    for (arguments, message) in [
        (&["--usi-option", "Joho=1", "define"][..], "「Joho」というオプションはありません"),
        (&["--", "USI_Hash=x"], "オプションUSI_Hashの値は数です。「x」は使えません"),
        (&["--", "Threads"], "オプションはNAME=VALUEで指定します。「Threads」は使えません"),
        (&["perft", "1", "--sfen", "startpos moves 9z"], "movesの後の「9z」は指し手ではありません"),
    ] {
        let text = in_japanese(arguments);
        assert!(text.contains(message) && !text.contains('"'), "{text}");
    }
}

/// The output on a Japanese system.
fn japanese_output(arguments: &[&str]) -> Output {
    command(arguments).env("LC_ALL", "ja_JP.UTF-8").output().unwrap()
}

/// Standard output or, of a command that fails, its errors.
fn in_japanese(arguments: &[&str]) -> String {
    let output = japanese_output(arguments);
    let bytes = if output.status.success() { output.stdout } else { output.stderr };
    String::from_utf8(bytes).unwrap()
}

#[test]
fn errors_in_arguments_are_in_the_language_of_the_system() {
    for (arguments, start) in [
        (&["perft", "1", "--divied"][..], "エラー: 引数 '--divied' はありません\n"),
        (&["anaylze", "game.kif"], "エラー: コマンド 'anaylze' はありません\n"),
        (
            &["bench", "--depth", "247"],
            "エラー: '--depth <DEPTH>' の値 '247' は使えません: 1から246までの整数を指定してください\n",
        ),
        (
            &["mate", "--make", "4"],
            "エラー: '--make <PLIES>' の値 '4' は使えません: 1から15までの奇数を指定してください\n",
        ),
    ] {
        let text = in_japanese(arguments);
        assert!(text.starts_with(start) && text.contains("'--help'"), "{text}");
    }
    // Help is no error.
    assert!(in_japanese(&["--help"]).contains("使い方: kawasemi"));
    assert!(in_japanese(&["--version"]).starts_with("kawasemi "));
}

#[test]
fn reports_of_perft_bench_and_eval_are_in_the_language_of_the_system() {
    assert!(in_japanese(&["perft", "2"]).starts_with("合計 900（"));
    let bench = in_japanese(&["bench", "--depth", "1"]);
    let lines: Vec<&str> = bench.lines().collect();
    let [first, .., time, speed, signature] = lines[..] else { panic!("{bench}") };
    assert!(first.contains("、Threads 1、USI_Hash ") && first.contains("、深さ 1"), "{bench}");
    assert!(!first.contains(" for ") && time.starts_with("時間 "), "{bench}");
    assert!(speed.starts_with("速度 毎秒 ") && signature.starts_with("Bench: "), "{bench}");
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/eval/kawasemi.bin");
    let bench = in_japanese(&["bench", "--depth", "1", "--eval", network]);
    assert!(bench.contains("評価関数") && !bench.contains("evaluation"), "{bench}");
    let text = in_japanese(&["eval", "info", network]);
    let labels = ["構造: ", "サイズ: ", "ハッシュ: 0x", "説明: ", "特徴量の重み: ", "FV_SCALE: "];
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), labels.len(), "{text}");
    assert!(lines.iter().zip(labels).all(|(line, label)| line.starts_with(label)), "{text}");
}

#[test]
fn log_options_without_effect_are_reported() {
    for (arguments, is_told) in [(&["perft", "0"][..], true), (&["options"][..], false)] {
        let output = kawasemi(&[&["--usi-option", "DebugLogFile=x.log"][..], arguments].concat());
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{text}");
        assert_eq!(text.contains("DebugLogFile and ThinkingLog have no effect here"), is_told);
    }
}

/// Regression: an option that a command does not use was ignored without a word.
#[test]
fn options_that_a_command_does_not_use_are_named() {
    let told = |arguments: &[&str]| {
        let options = ["--usi-option", "USI_Hash=1", "--usi-option", "Threads=1"];
        let output = kawasemi(&[&options[..], arguments].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    for arguments in [&["perft", "1"][..], &["define"]] {
        let text = told(arguments);
        assert!(text.contains("USI_Hash, Threads"), "{arguments:?}: {text}");
    }
    let text = told(&["mate", "--make", "1", "--count", "1"]);
    assert!(text.contains("USI_Hash") && !text.contains("Threads"), "{text}");
    let text = told(&["bench", "--depth", "1"]);
    assert!(!text.contains("USI_Hash"), "{text}");
}

/// Regression: these were in English.
#[test]
fn errors_of_records_and_networks_are_in_the_language_of_the_system() {
    let folder = Folder::new();
    let record = folder
        .write("damaged.kif", "手合割：謎落ち\n1 ７六歩(77) \n2 ３四歩(33)\n3 ５五歩(57)\n何か\n");
    let output = japanese_output(&["convert", &record, "--partial", "--to", "usi"]);
    let warnings = String::from_utf8(output.stderr).unwrap();
    for warning in [
        "1行目：手合割「謎落ち」は不明なので平手としました\n",
        "3手目「５五歩(57)」：その駒はそこに動けません。この対局の残りを省きました\n",
    ] {
        assert!(warnings.contains(warning), "{warnings}");
    }
    let (_, net) = small_network();
    let damaged = folder.write("nn.bin", &net[..net.len() - 9]);
    for arguments in [&["eval", "info", &damaged][..], &["bench", "--eval", &damaged]] {
        let text = in_japanese(arguments);
        assert!(text.contains("コピーし直してください\n") && !text.contains("again"), "{text}");
    }
    let missing = folder.path("none.kif");
    let text = in_japanese(&["convert", &missing, "--to", "csa"]);
    assert_eq!(text, format!("kawasemi: {missing}: ファイルまたはフォルダがありません\n"));
}

/// What a command says in Japanese with a limit of this many KiB of memory.
#[cfg(target_os = "linux")]
fn in_japanese_with_memory(kibibytes: usize, arguments: &[&str]) -> String {
    let limit = format!("ulimit -v {kibibytes}");
    let mut command = started_after(&limit, env!("CARGO_BIN_EXE_kawasemi"));
    command.args(arguments).env("LC_ALL", "ja_JP.UTF-8").env_remove("LANGUAGE");
    let output = command.output().unwrap();
    assert!(!output.status.success(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Regression: these were in English.
#[cfg(target_os = "linux")]
#[test]
fn missing_memory_is_reported_in_the_language_of_the_system() {
    let folder = Folder::new();
    let record = folder.write("game.kif", "手合割：平手\n   1 中断\n");
    for arguments in
        [&["analyze", &record][..], &["bench", "--depth", "1"], &["--", "BookFile=no_book"]]
    {
        let text = in_japanese_with_memory(80_000, arguments);
        assert!(text.contains("メモリ") && !text.contains("system"), "{text}");
    }
}

/// Regression: the stack of a thread was refused as `Resource temporarily unavailable`.
#[cfg(target_os = "linux")]
#[test]
fn a_check_of_mate_problems_without_memory_for_its_thread_says_so() {
    let folder = Folder::new();
    let problem = folder.write("problem", "4k4/9/4P4/9/9/9/9/9/9 b G 1\n");
    let text = in_japanese_with_memory(200_000, &["mate", "--check", "--hash", "4", &problem]);
    assert!(text.contains("スレッドを起動できません。メモリが足りないか"), "{text}");
}

#[test]
fn define_prints_the_committed_file() {
    let committed = include_str!("../../engine_define.xml").replace("\r\n", "\n");
    assert!(stdout_of(&["define"]) == committed, "engine_define.xml is not what define prints");
    let committed = include_str!("../../engine_define.ja.xml").replace("\r\n", "\n");
    assert!(stdout_of(&["define", "--lang", "ja"]) == committed, "engine_define.ja.xml is not");
    assert!(stderr_of(&["define", "--lang", "de"]).contains("a language is one of en, ja"));
}

#[test]
fn options_are_explained_in_both_languages() {
    let english = stdout_of(&["options", "--lang", "en"]);
    assert!(english.contains("Number of candidate moves to show."), "{english}");
    let japanese = stdout_of(&["--usi-option", "MultiPV=7", "options", "--lang", "ja"]);
    let row = japanese.lines().find(|line| line.contains("MultiPV")).unwrap();
    assert!(row.ends_with("  表示する候補手の数。") && row.contains("  7  "), "{row}");
    let committed = include_str!("../../translation.txt").replace("\r\n", "\n");
    assert!(stdout_of(&["options", "--translation"]) == committed, "translation.txt is not");
}

/// Regression: a name, which `help` in a session explains, was refused as an argument.
#[test]
fn the_named_options_are_explained_alone() {
    let text = stdout_of(&["options", "hash", "Threads", "MateAim", "--lang", "en"]);
    let blocks: Vec<&str> = text.split("\n\n").collect();
    assert!(blocks.len() == 3 && blocks[1].starts_with("General\n  USI_Hash, Hash "), "{text}");
    assert!(blocks[1].contains("\n  Threads ") && blocks[1].lines().count() == 3, "{text}");
    assert!(blocks[2].starts_with("Analysis\n  MateAim ") && blocks[2].contains("- Short "));
    let refused = kawasemi(&["options", "Threads", "Treads"]);
    assert_eq!((refused.status.code(), &refused.stdout[..]), (Some(2), &b""[..]));
    let told = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(told, "kawasemi: no option is called \"Treads\"; did you mean Threads?\n");
}

#[test]
fn an_unknown_option_is_refused_with_the_reason() {
    let text = stderr_of(&["--usi-option", "Joho=1", "define"]);
    assert_eq!(text, "kawasemi: no option is called \"Joho\"\n");
    let text = stderr_of(&["--", "Threads=4", "USI_Hash=0"]);
    assert_eq!(text, "kawasemi: option USI_Hash is from 1 to 33554432, not \"0\"\n");
    let text = stderr_of(&["--", "Threads"]);
    assert_eq!(text, "kawasemi: an option must have the form NAME=VALUE, not \"Threads\"\n");
}

/// The names in the command table of a help text, except `help` itself.
fn commands_of(help: &str) -> Vec<&str> {
    let (_, table) = help.split_once("Commands:\n").unwrap_or_default();
    let rows = table.lines().take_while(|row| !row.is_empty());
    let names = rows.filter_map(|row| row.split_whitespace().next());
    names.filter(|&name| name != "help").collect()
}

#[test]
fn every_argument_of_every_command_is_explained() {
    let mut commands: Vec<Vec<String>> = vec![Vec::new()];
    let mut seen = 0;
    while let Some(command) = commands.pop() {
        let words: Vec<&str> = command.iter().map(String::as_str).chain(["-h"]).collect();
        let text = stdout_of(&words);
        let (_, table) = text.split_once("\n\nUsage: ").unwrap();
        for row in table.lines().filter(|row| row.starts_with("  ")) {
            assert!(row.trim().contains("  "), "{command:?}: {row:?} is not explained");
        }
        for name in commands_of(&text) {
            commands.push([&command[..], &[name.to_owned()]].concat());
        }
        seen += 1;
    }
    assert!(seen > 15, "only {seen} commands");
}

#[test]
fn an_unknown_command_is_reported() {
    let text = stderr_of(&["anaylze", "game.kif"]);
    assert!(text.starts_with("error: there is no command 'anaylze'\n"), "{text}");
    assert!(stderr_of(&["define", "define"]).contains("unexpected argument 'define'"));
    let text = stderr_of(&["game.kif"]);
    assert!(text.contains("tip: did you mean 'analyze game.kif'?"), "{text}");
    let text = in_japanese(&["game.kif"]);
    assert!(text.contains("コマンドの候補: analyze game.kif"), "{text}");
    // Regression: the usage was in the English text only.
    assert!(text.contains("\n使い方: kawasemi [OPTIONS] "), "{text}");
    assert!(stderr_of(&["analyse", "no/such/file"]).contains("no/such/file"));
}

/// Regression: the error did not say that the program has this option, and only its commands do not.
#[test]
fn a_usi_option_after_the_command_is_told_its_place() {
    for option in [&["--usi-option", "Threads=2"][..], &["--usi-option=Threads=2"]] {
        let arguments = [&["bench"][..], option].concat();
        let text = stderr_of(&arguments);
        assert!(text.contains("\n  tip: it comes before the command, as in 'kawasemi "), "{text}");
        let text = in_japanese(&arguments);
        assert!(
            text.starts_with("エラー: '--usi-option' はコマンドの前に指定してください"),
            "{text}"
        );
    }
}

#[test]
fn a_hash_size_or_thread_count_of_zero_is_refused() {
    for (option, number) in [("--hash", "0"), ("--threads", "0"), ("--hash", "99999999999")] {
        let text = stderr_of(&["bench", option, number]);
        assert!(text.contains(&format!("'{number}' for '{option} ")), "{text}");
    }
    let text = stderr_of(&["book", "make", "no/such/book.db", "--hash", "0"]);
    assert!(text.contains("'0' for '--hash "), "{text}");
}

/// Regression: it was refused, although a search can be as deep.
#[test]
fn the_largest_depth_is_accepted() {
    let analyze = ["analyze", "no/such/file"];
    for command in [&["bench"][..], &analyze[..]] {
        let text = stderr_of(&[command, &["--depth", "247"][..]].concat());
        assert!(text.contains("must be a whole number from 1 to 246"), "{text}");
    }
    let text = stderr_of(&[&analyze[..], &["--depth", "246"][..]].concat());
    assert!(text.starts_with("kawasemi: ") && text.contains("no/such/file"), "{text}");
}

/// Regression: they were accepted and ignored.
#[test]
fn arguments_of_records_that_would_have_no_effect_are_refused() {
    for (arguments, named) in [
        (&["analyze", "no.kif", "--json", "--human"][..], "--human"),
        (&["analyze", "no.kif", "--lossy"], "--output <"),
        (&["convert", "no.kif", "--to", "csa", "--lossy"], "--output <"),
    ] {
        let output = kawasemi(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(named), "{text}");
    }
}

/// Regression: the status was that of other errors if the program, not the parser, found the fault.
#[test]
fn every_wrong_argument_has_the_status_of_wrong_arguments() {
    for arguments in [
        &["--usi-option", "Threads=0", "define"][..],
        &["--", "Threads"],
        &["bench", "--kernel", "none"],
        &["perft", "1", "--sfen", "9/9 b - 1"],
        &["convert", "no.kif"],
        &["convert", "no.kif", "-o", "a.foo"],
        &["analyze", "no.kif", "-o", "a.sfen"],
        &["analyze", "no.kif", "--html", "-"],
        &["analyze", "no.kif", "--html", "a.kif"],
        &["mate", "no.kif", "-o", "a.kif"],
        &["mate", "no.kif", "--check", "-o", "a.foo"],
        &["book", "lookup", "no.db", "9/9 b - 1"],
        &["book", "convert", "no.db", "a.foo"],
        &["book", "convert", "no.db", "a.sbk"],
        &["book", "make", "a.bin"],
        &["cluster", "--worker", ""],
        &["cluster", "--worker", "'a"],
        &["cluster", "--workers", "1", "--worker", "a", "--worker", "b"],
        &["csa", "--name", "a"],
        &["csa", "--host", "a", "--name", "a"],
        &["csa", "--engine", ""],
    ] {
        let output = kawasemi(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    }
    // A file that is missing is no wrong argument.
    assert_eq!(kawasemi(&["convert", "no.kif", "--to", "csa"]).status.code(), Some(1));
}

/// Regression: the words were those of a library: digits in a string, ranges of a type.
#[test]
fn an_invalid_number_is_refused_with_the_allowed_range() {
    for (arguments, range) in [
        (&["perft", "x"][..], "from 0 to 246"),
        (&["perft", "-1"], "unexpected argument"),
        (&["cluster", "--workers", "0"], "from 1 to 256"),
        (&["csa", "--config", "no", "--port", "99999"], "from 1 to 65535"),
        (&["mate", "no", "--time", "1.5"], "a whole number, 0 or more"),
        (&["analyze", "no", "--multipv", "many"], "from 1 to 600"),
        (&["book", "make", "no.db", "--ply-cost", "x"], "from 0 to 2147483647"),
    ] {
        let text = stderr_of(arguments);
        assert!(text.contains(range), "{text}");
        for word in ["digit", "string", "..", "u16", "i64"] {
            let first = text.lines().next().unwrap();
            assert!(!first.contains(word), "{text}");
        }
    }
}

#[test]
fn every_command_has_a_row_in_the_readme() {
    let help = stdout_of(&["--help"]);
    let names = commands_of(&help);
    assert!(names.len() > 5, "{help}");
    let readme = include_str!("../../README.md");
    for name in names {
        let row = format!("| `kawasemi {name}");
        assert!(readme.lines().any(|line| line.starts_with(&row)), "no row for {name}");
    }
}

#[test]
fn eval_describes_a_file_and_writes_an_aligned_copy() {
    let (_, mut bytes) = small_network();
    // One more byte of description, and nothing is aligned.
    let length = u32::from_le_bytes(bytes[8..12].try_into().unwrap());
    bytes[8..12].copy_from_slice(&(length + 1).to_le_bytes());
    bytes.insert(12, b'x');
    let folder = Folder::new();
    let (old, new) = (folder.write("old.bin", bytes), folder.path("new.bin"));
    let text = stdout_of(&["eval", "info", &old]);
    assert!(text.starts_with("network      K+P 64x2-8-16, classic\n"), "{text}");
    assert!(text.contains("copied when loaded"), "{text}");
    let text = stdout_of(&["eval", "convert", &old, &new]);
    assert!(text.contains("used in the mapped file"), "{text}");
    assert_eq!(text, stdout_of(&["eval", "info", &new]));
    let text = stderr_of(&["eval", "convert", &old, &old]);
    assert!(text.starts_with("kawasemi: ") && text.contains("another name"), "{text}");
    let text = stderr_of(&["eval", "info", &folder.path("none.bin")]);
    assert!(text.contains("none.bin: cannot be read"), "{text}");
}

/// Regression: the notes, and the length of a description that is cut, were in English.
#[test]
fn eval_describes_an_odd_file_in_the_language_of_the_system() {
    let (_, mut bytes) = small_network();
    // A wrong hash, and a description too long to be shown.
    bytes[4] ^= 1;
    let length = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
    let (head, rest) = (&bytes[..8], &bytes[12 + length..]);
    let bytes = [head, &1000_u32.to_le_bytes(), &[b'x'; 1000], rest].concat();
    let folder = Folder::new();
    let text = in_japanese(&["eval", "info", &folder.write("odd.bin", bytes)]);
    assert!(text.contains("xxx…（1000 バイト）\n"), "{text}");
    assert!(text.contains("\n注: ヘッダーのハッシュが中身と合いません\n"), "{text}");
}

/// Regression: `help help` listed all commands in English, and every command had a summary to distinguish.
#[test]
fn the_help_on_the_help_is_in_the_language_of_the_system() {
    for arguments in [&["help", "help"][..], &["help", "book", "help"]] {
        let text = in_japanese(arguments);
        assert!(text.contains("使い方: kawasemi ") && text.contains("  [COMMAND]...  "), "{text}");
        assert!(!text.contains("Print") && !text.contains("Commands"), "{text}");
    }
    assert!(in_japanese(&["mate", "-h"]).contains("この説明を表示する（-h は要約）\n"));
    assert!(in_japanese(&["perft", "-h"]).contains("この説明を表示する\n"));
}

/// Regression: the short form was explained before the long one, as the same.
#[test]
fn the_help_on_usi_options_shows_how_to_write_them() {
    let help = stdout_of(&["--help"]);
    for example in
        ["kawasemi -- Threads=4 USI_Hash=1024", "kawasemi --usi-option Threads=4 analyze"]
    {
        assert!(help.contains(example), "{help}");
    }
    assert!(!help.contains("Short form"), "{help}");
}

/// Regression: the status 130 was promised for every command, also those that handle no signal.
#[test]
fn the_help_names_the_commands_that_a_signal_ends() {
    let english = stdout_of(&["--help"]);
    let words = english.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("ends perft, bench, and mate without --check and --make, by the signal")
    );
    assert!(in_japanese(&["--help"]).contains("シグナルで終了します"));
}

/// The signature of a bench of this depth with more arguments: the number in the last line.
fn signature(depth: &str, more: &[&str]) -> u64 {
    let text = stdout_of(&[&["bench", "--depth", depth][..], more].concat());
    let last = text.lines().last().unwrap();
    last.strip_prefix("Bench: ").unwrap_or_else(|| panic!("{text}")).parse().unwrap()
}

#[test]
fn bench_prints_its_conditions_before_its_results() {
    let text = stdout_of(&["bench", "--depth", "1", "--hash", "2", "--kernel", "scalar"]);
    let head = text.lines().next().unwrap();
    assert!(head.starts_with(&format!("{} for ", kawasemi::engine::NAME)), "{text}");
    assert!(head.ends_with("; kernels: scalar; Threads 1, USI_Hash 2, depth 1"), "{text}");
}

#[test]
fn the_signature_is_the_same_each_time() {
    let first = signature("2", &[]);
    assert_eq!(signature("2", &[]), first);
    assert_ne!(signature("3", &[]), first);
}

/// So that the signature is the same on every processor.
#[test]
fn the_signature_is_the_same_with_every_kernel() {
    let usual = signature("3", &[]);
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        assert_eq!(signature("3", &["--kernel", isa.name()]), usual, "{isa}");
    }
}

/// The resident memory, in KiB, of the program when it is ready to play.
#[cfg(target_os = "linux")]
fn resident(hash_mib: u64, threads: u64) -> u64 {
    let settings = [format!("USI_Hash={hash_mib}"), format!("Threads={threads}")];
    // Independent of networks in the working directory.
    let mut engine = Engine::start(&["--", "EvalDir=", &settings[0], &settings[1]]);
    engine.send("isready");
    engine.until("readyok");
    let resident = crate::kawasemi::status_kib(engine.id(), "VmRSS");
    engine.quit();
    resident
}

/// A memory size in `engine_define.xml`, in MiB.
fn declared_memory(element: &str) -> u64 {
    let file = include_str!("../../engine_define.xml");
    let value = file.split(&format!("<{element}>")).nth(1).unwrap();
    value.split('<').next().unwrap().parse().unwrap()
}

/// MyShogi compares the sum in the file with the free memory, and warns its user.
#[cfg(target_os = "linux")]
#[test]
fn the_program_takes_the_memory_that_engine_define_names() {
    const TABLE: u64 = 16;
    let thread = declared_memory("StackPerThread");
    let rest = declared_memory("EvalMemory") + declared_memory("WorkingMemory") + TABLE;
    // As many as are started on one processor.
    let (one, four) = (resident(TABLE, 1), resident(TABLE, 4));
    let added = (four - one) / 3;
    assert!((256 * thread..=1024 * thread).contains(&added), "a thread takes {added} KiB");
    let (one, four) = (one / 1024, four / 1024);
    assert!(one <= thread + rest && four <= 4 * thread + rest, "{one} and {four} MiB taken");
}

/// Regression: the file named the memory of an earlier network.
#[test]
fn engine_define_names_the_memory_of_the_built_in_network() {
    let network = built_in();
    let transformer = &network.transformer;
    let weights = transformer.rows_in_16_bits().len();
    let bytes = match transformer.rows() {
        FeatureRows::Words(_) => 2 * weights,
        FeatureRows::Bytes(_) => weights,
    };
    assert_eq!(declared_memory("EvalMemory"), bytes.div_ceil(1 << 20) as u64);
}

/// Regression: these were in English on every system.
#[test]
fn errors_of_books_clusters_games_and_options_are_in_the_language_of_the_system() {
    let folder = Folder::new();
    let file: &str = &folder.write("book.db", [0; 40]);
    for (arguments, told) in [
        (&["book", "info", file][..], "読み込める形式の定跡ではありません"),
        (&["book", "make", "new.bin"], "作る定跡は.dbか.ybbです"),
        (&["book", "convert", file, "new.sbk"], "ShogiGUIの定跡は読むだけです"),
        (&["cluster", "--worker", ""], "--workerにはプログラムが必要です"),
        (&["cluster", "--worker", "'a"], "引用符が閉じていません"),
        (&["csa"], "--hostがありません"),
        (&["csa", "--host", "a", "--name", "a b", "--game", "g"], "半角の英数字"),
        (&["--usi-option", "Threads=x", "perft", "1"], "オプションThreadsの値は数です"),
        (&["--usi-option", "Thread=1", "perft", "1"], "Threadsですか？"),
        (&["perft", "1", "--sfen", "sfen 9/9 b - 1"], "盤面が2段しかありません"),
        (&["perft", "1", "--sfen", "startpos moves 7g7e"], "その駒はそこに動けません"),
        (&["mate", "--output", "a.kif", "a.txt"], "--outputは--checkか--makeと一緒に"),
    ] {
        let text = in_japanese(arguments);
        assert!(text.starts_with("kawasemi: ") && text.contains(told), "{text}");
    }
}
