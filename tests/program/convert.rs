//! The command `convert`.

use std::io::Write;
#[cfg(unix)]
use std::process::Command;
use std::process::Stdio;

use crate::folder::Folder;
use crate::kawasemi::{command, kawasemi, stderr_of, stdout_of};
#[cfg(unix)]
use crate::program::started_after;

#[test]
fn a_record_is_converted_to_the_notation_and_encoding_asked_for_and_losses_are_reported() {
    let folder = Folder::new();
    let path = |name| folder.path(name);
    let kif = "手合割：平手\n先手：羽生\n   1 ７六歩(77)   ( 0:12/00:00:12)\n*感想\n";
    folder.write("a.txt", kif);
    let output = kawasemi(&["convert", &path("a.txt"), "--to", "usi"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stdout, b"position startpos moves 7g7f\n");
    let stderr = String::from_utf8(output.stderr).unwrap();
    let expected = "kawasemi: in usi: 1 header left out\n\
                    kawasemi: in usi: 1 line of comment left out\n\
                    kawasemi: in usi: 1 time left out\n";
    assert_eq!(stderr, expected);
    // By the file extension: KIF in Shift_JIS, and back in UTF-8.
    assert_eq!(stdout_of(&["convert", &path("a.txt"), "-o", &path("b.kif")]), "");
    let bytes = std::fs::read(path("b.kif")).unwrap();
    assert!(bytes.windows(4).any(|bytes| bytes == [0x89, 0x48, 0x90, 0xb6]), "羽生 in Shift_JIS");
    stdout_of(&["convert", &path("b.kif"), "--output", &path("c.kifu")]);
    let text = std::fs::read_to_string(path("c.kifu")).unwrap();
    assert!(text.contains("encoding=UTF-8") && text.contains("先手：羽生"), "{text}");
    let both = stdout_of(&["convert", &path("a.txt"), &path("b.kif"), "--to", "csa"]);
    assert_eq!(both.matches("N+羽生\nPI\n+\n+7776FU\nT12\n'*感想\n").count(), 2, "{both}");
}

#[test]
fn the_encoding_is_that_of_the_extension_unless_another_is_given() {
    let folder = Folder::new();
    let game = folder.write("a.kifu", "手合割：平手\n先手：羽生\n   1 ７六歩(77)\n");
    let (shift_jis, utf_8) = (&b"\x89\x48\x90\xb6"[..], "羽生".as_bytes());
    let nothing: &[&str] = &[];
    for (name, more, begins, contains) in [
        ("b.kif", nothing, &b"#KIF"[..], shift_jis),
        ("c.csa", nothing, b"V2.2", shift_jis),
        // The extensions do not belong to the notation.
        ("d.dat", &["--to", "kif"], b"#KIF", utf_8),
        ("e.csa", &["--to", "kif"], b"#KIF", utf_8),
        ("f.kif", &["--encoding", "utf-8-bom"], b"\xef\xbb\xbf#KIF", utf_8),
        ("g.kifu", &["--encoding", "shift_jis"], b"#KIF", shift_jis),
    ] {
        let out = folder.path(name);
        stdout_of(&[&["convert", &game, "-o", &out], more].concat());
        let bytes = std::fs::read(&out).unwrap();
        let has_name = bytes.windows(contains.len()).any(|window| window == contains);
        assert!(bytes.starts_with(begins) && has_name, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_record_that_cannot_be_written_to_its_end_stays_as_it_was() {
    let folder = Folder::new();
    let file = folder.path("a.kif");
    let kif = "手合割：平手\n   1 ７六歩(77)   ( 0:12/00:00:12)\n";
    std::fs::write(&file, kif).unwrap();
    // No file may grow: like a full disk.
    let mut limited = started_after("ulimit -f 0", env!("CARGO_BIN_EXE_kawasemi"));
    assert!(!limited.args(["convert", &file, "-o", &file]).status().unwrap().success());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), kif);
}

#[test]
fn convert_refuses_illegal_moves_or_keeps_what_comes_before() {
    let folder = Folder::new();
    let path = |name| folder.path(name);
    folder.write("a.csa", "PI\n+\n+7776FU\n-3335FU\n");
    let text = stderr_of(&["convert", &path("a.csa"), "--to", "usi"]);
    assert!(text.ends_with("a.csa: line 4: move 2, `-3335FU`: the piece does not move that way\n"));
    let output = kawasemi(&["convert", &path("a.csa"), "--to", "usi", "--partial"]);
    assert_eq!(output.stdout, b"position startpos moves 7g7f\n");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("line 4: move 2, ")
            && stderr.ends_with("the rest of this game is left out\n")
    );
    assert!(stderr_of(&["convert", &path("a.csa")]).contains("name the file to write"));
    let text = stderr_of(&["convert", &path("a.csa"), "-o", "b.foo"]);
    assert!(text.contains("b.foo: the name must end in .kif, "), "{text}");
    assert!(stderr_of(&["convert", &path("none.csa"), "--to", "kif"]).contains("none.csa: "));
    folder.write("empty.kif", "");
    assert!(stderr_of(&["convert", &path("empty.kif"), "--to", "usi"]).contains("no game in it"));
    folder.write("b", "hello");
    let text = stderr_of(&["convert", &path("b"), "--to", "usi"]);
    assert!(text.contains("b: the notation is not KIF"), "{text}");
}

#[test]
fn an_unknown_notation_or_encoding_is_refused_with_the_known_ones() {
    for (flag, known) in [
        ("--to", "the formats are csa, csa3, kif, ki2, jkf, usi, sfen\n"),
        ("--encoding", "the encodings are utf-8, utf-8-bom, shift_jis\n"),
    ] {
        let text = stderr_of(&["convert", "no.kif", flag, "latin1"]);
        assert!(text.contains(known), "{text}");
    }
}

/// Nothing is written even if only the last of several files is invalid.
#[test]
fn convert_writes_nothing_if_it_refuses_a_file() {
    let folder = Folder::new();
    let good = folder.write("good.sfen", "startpos moves 7g7f\n");
    let bad = folder.write("bad.csa", "PI\n+\n+7776FU\n-3335FU\n");
    let (old, new) = (folder.write("old.kif", "a game"), folder.path("new.kif"));
    for out in [&old, &new] {
        assert!(stderr_of(&["convert", &good, &bad, "-o", out]).contains("bad.csa: line 4: "));
    }
    assert_eq!(std::fs::read_to_string(old).unwrap(), "a game");
    assert!(!std::fs::exists(new).unwrap());
}

/// Regression: the error about a whole file named its first line.
#[test]
fn a_file_without_a_game_is_described() {
    let folder = Folder::new();
    let (empty, words) = (folder.write("empty", "\n"), folder.write("words.txt", "hello world\n"));
    let packed = folder.write("a.kif.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03");
    for (file, why) in [
        (&empty, "empty: there is no game in it: it is empty\n"),
        (&words, "words.txt: the notation is not KIF, KI2, CSA, JKF, USI or SFEN\n"),
        (&folder.path("."), "this is a folder, not a file\n"),
        (&packed, "this is compressed by gzip, and must be unpacked first\n"),
    ] {
        let text = stderr_of(&["convert", file, "--to", "kif"]);
        assert!(text.ends_with(why), "{text}");
        assert_eq!(stderr_of(&["analyze", file]), text);
    }
}

#[test]
fn a_file_without_games_does_not_stop_the_others_if_games_may_be_partial() {
    let folder = Folder::new();
    let game = folder.write("a.sfen", "startpos moves 7g7f\n");
    let (empty, words) = (folder.write("empty.kif", ""), folder.write("words", "hello"));
    let convert = |files: &[&str]| kawasemi(&[&["convert", "--to", "usi"][..], files].concat());
    assert!(!convert(&[&game, &empty]).status.success());
    let output = convert(&["--partial", &empty, &game, &words]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stdout, b"position startpos moves 7g7f\n");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("empty.kif: there is no game in it: it is empty\n"), "{stderr}");
    assert!(stderr.contains("words: the notation is not KIF"), "{stderr}");
    let text = stderr_of(&["convert", "--to", "usi", "--partial", &empty, &words]);
    assert!(text.ends_with("kawasemi: there is no game in any of the files\n"), "{text}");
}

#[test]
fn convert_reads_standard_input_and_writes_standard_output() {
    let mut convert = command(&["convert", "-", "-o", "-", "--to", "sfen", "--encoding", "utf-8"]);
    let mut program = convert.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    program.stdin.take().unwrap().write_all("▲７六歩\n".as_bytes()).unwrap();
    let output = program.wait_with_output().unwrap();
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), sfen);
}

/// Regression: a closed terminal made the program panic before it had written its file.
#[test]
fn a_file_is_written_even_if_nobody_reads_the_messages() {
    let folder = Folder::new();
    let games = folder.write("two.sfen", "startpos moves 7g7f\nstartpos moves 2g2f\n");
    let out = folder.path("two.kif");
    let mut convert = command(&["convert", &games, "-o", &out]);
    assert!(convert.stderr(crate::program::closed_pipe()).status().unwrap().success());
    assert!(std::fs::metadata(out).is_ok());
}

/// Regression: the contents of the log, and what came after, were lost.
#[cfg(target_os = "linux")]
#[test]
fn the_file_of_standard_output_may_also_be_named() {
    let folder = Folder::new();
    let games = folder.write("one.sfen", "startpos moves 7g7f\n");
    let log = folder.write("log", "before\n");
    let open = || std::fs::OpenOptions::new().append(true).open(&log).unwrap();
    let mut convert = command(&["convert", &games, "--to", "usi", "-o", "/dev/stdout"]);
    assert!(convert.stdout(open()).status().unwrap().success());
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "before\nposition startpos moves 7g7f\n");
}

#[test]
fn a_conversion_with_losses_replaces_its_source_only_if_allowed() {
    let folder = Folder::new();
    let kif = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n変化：2手\n   2 ８四歩(83)\n";
    let file = folder.write("a.kif", kif);
    let text = stderr_of(&["convert", &file, "-o", &file, "--to", "csa"]);
    assert!(text.contains("in csa: 1 move of a branch left out"), "{text}");
    assert!(text.contains("a.kif: is an input file") && text.contains("--lossy"), "{text}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), kif);
    #[cfg(unix)]
    {
        let mut command = command(&["convert", "-", "-o", &file, "--to", "csa"]);
        command.stdin(std::fs::File::open(&file).unwrap());
        let output = command.output().unwrap();
        assert!(!output.status.success(), "standard input is a source too");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), kif);
    }
    // Something that was not understood is lost too.
    let odd = folder.write("b.kif", format!("{kif}何か\n"));
    assert!(stderr_of(&["convert", &odd, "-o", &odd]).contains("b.kif: is an input file"));
    // Analysis writes the same kinds of files, and says so before the work.
    let arguments = ["analyze", &odd, "-o", &odd, "--nodes", "1"];
    let text = stderr_of(&arguments);
    assert!(text.contains("b.kif: is an input file") && !text.contains("positions"), "{text}");
    // Nothing is lost in another file, in the same notation, or by will.
    stdout_of(&["convert", &file, "-o", &folder.path("c.csa")]);
    stdout_of(&["convert", &file, "-o", &file, "--encoding", "utf-8"]);
    assert!(std::fs::read_to_string(&file).unwrap().contains("変化"));
    stdout_of(&["convert", &file, "-o", &file, "--to", "csa", "--lossy"]);
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("V2.2\n"));
}

/// Regression: KIF got the time limit of CSA 3 as it was, which other programs do not understand.
#[test]
fn time_limits_are_understood_and_written_in_the_syntax_of_csa() {
    let folder = Folder::new();
    for limit in ["1500+30+0", "１５００＋３０＋０", "00:25+30"] {
        let kif = format!("手合割：平手\n持ち時間：{limit}\n   1 ７六歩(77)\n");
        let kif = folder.write("a.kifu", kif);
        for (version, line) in [("csa", "$TIME_LIMIT:00:25+30\n"), ("csa3", "$TIME:1500+30+0\n")] {
            let text = stdout_of(&["convert", &kif, "--to", version]);
            assert!(text.contains(line), "{limit}: {text}");
        }
    }
    let csa = folder.write("a.csa", "V3.0\n$TIME:1500+30+0\nPI\n+\n+7776FU\n");
    for notation in ["kif", "ki2", "jkf"] {
        let text = stdout_of(&["convert", &csa, "--to", notation]);
        assert!(text.contains("00:25+30") && !text.contains("1500"), "{text}");
    }
}

#[test]
fn characters_that_an_encoding_lacks_are_reported_with_the_way_to_write_them() {
    let folder = Folder::new();
    let file = folder.write("a.kifu", "手合割：平手\n先手：𠮷野\n   1 ７六歩(77)\n");
    let convert = |name: &str| {
        let output = kawasemi(&["convert", &file, "-o", &folder.path(name)]);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(
        convert("b.kif"),
        "kawasemi: in kif: 1 character unknown to the encoding, written as ?\n\
         kawasemi: in kif: --encoding utf-8 or the extension .kifu selects UTF-8, which has every \
         character\n"
    );
    assert!(convert("b.ki2").contains("the extension .ki2u"));
    assert_eq!(convert("b.kifu"), "");
    // Analysis refuses to lose them, and has no option for the encoding.
    let own = folder.write("own.kif", std::fs::read(&file).unwrap());
    let text = stderr_of(&["analyze", &own, "-o", &own, "--nodes", "1"]);
    let hint = "in kif: the extension .kifu selects UTF-8, which has every character\n";
    assert!(text.contains(hint) && text.contains("is an input file"), "{text}");
}

/// Regression: the extension .kifu was said to select UTF-8 for CSA.
#[test]
fn an_extension_that_keeps_every_character_is_named_only_for_kif_and_ki2() {
    let folder = Folder::new();
    let file = folder.write("a.csa", "V2.2\nN+𠮷野\nPI\n+\n+7776FU\n");
    let convert = kawasemi(&["convert", &file, "-o", &folder.path("b.csa")]);
    assert!(convert.status.success(), "{convert:?}");
    let text = String::from_utf8(convert.stderr).unwrap();
    let hint = "in csa: --encoding utf-8 selects UTF-8, which has every character\n";
    assert!(text.ends_with(hint), "{text}");
    let text = stderr_of(&["analyze", &file, "-o", &file, "--nodes", "1"]);
    let hint =
        "in csa: the file is in Shift_JIS; KIF (.kifu) is in UTF-8, which has every character\n";
    assert!(text.contains(hint) && text.contains("is an input file"), "{text}");
}

#[test]
fn a_missing_folder_is_reported_before_the_work() {
    let folder = Folder::new();
    let out = folder.path("missing/x.csa");
    let text = stderr_of(&["convert", &folder.path("none.kif"), "-o", &out]);
    assert!(text.ends_with("missing: there is no such folder\n"), "{text}");
}

#[test]
fn a_text_without_a_game_is_an_error() {
    let folder = Folder::new();
    let page = folder.write("page.html", "<!DOCTYPE html>\n<p>\n棋戦：A\nsome words\n</p>\n");
    let named = folder.write("page.kif", "<!DOCTYPE html>\n<a href=\"http://a.b/\">\n");
    for file in [&page, &named] {
        let output = kawasemi(&["convert", file, "--to", "kif"]);
        assert_eq!((output.status.code(), output.stdout), (Some(1), vec![]));
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.ends_with("there is no game in it\n"), "{text}");
    }
}

/// Regression: the input was said to be missing, or nothing was named at all.
#[cfg(unix)]
#[test]
fn a_missing_temporary_folder_is_named() {
    let folder = Folder::new();
    // More than is kept in memory.
    let games = folder.write("many.sfen", "startpos moves 7g7f\n".repeat(20_000));
    let padded = folder.write("padded.sfen", "\n".repeat(2 << 20) + "startpos moves 7g7f\n");
    let missing = folder.path("missing");
    for (input, stdin) in [(games.as_str(), None), ("-", Some(padded))] {
        let mut convert = command(&["convert", input, "--to", "kif"]);
        convert.env("TMPDIR", &missing);
        if let Some(stdin) = stdin {
            convert.stdin(std::fs::File::open(stdin).unwrap());
        }
        let text = crate::program::stderr_of(&mut convert);
        let why = format!("no temporary file can be written in the folder {missing}: ");
        assert!(text.lines().last().unwrap().contains(&why), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn a_source_that_can_be_read_only_once_is_read() {
    let script = "printf 'startpos moves 7g7f\\n' | \"$0\" convert /dev/stdin --to usi";
    let arguments = ["-c", script, env!("CARGO_BIN_EXE_kawasemi")];
    let output = Command::new("sh").args(arguments).output().unwrap();
    assert_eq!(output.stdout, b"position startpos moves 7g7f\n", "{output:?}");
}

/// Regression: such a device was copied until the disk was full.
#[cfg(unix)]
#[test]
fn a_device_without_an_end_is_refused() {
    let missing = Folder::new().path("missing");
    for arguments in [&["convert", "/dev/zero", "--to", "kif"][..], &["mate", "/dev/zero"]] {
        // Without a temporary folder, a program that reads the device ends too.
        let text = crate::program::stderr_of(command(arguments).env("TMPDIR", &missing));
        assert!(text.ends_with("/dev/zero: this is a device without an end\n"), "{text}");
    }
    let zero = std::fs::File::open("/dev/zero").unwrap();
    let mut from_stdin = command(&["convert", "-", "--to", "kif"]);
    let text = crate::program::stderr_of(from_stdin.env("TMPDIR", &missing).stdin(zero));
    assert!(text.ends_with("-: this is a device without an end\n"), "{text}");
}

/// The most memory, in KiB, that the program took when it had written all games.
#[cfg(target_os = "linux")]
fn memory_for(files: &[&str], format: &str) -> u64 {
    use std::io::Read;

    let mut command = command(&[&["convert", "--to", format], files].concat());
    let mut program = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // The output begins when everything has been read. It is more than a pipe holds, so it waits.
    let mut output = program.stdout.take().unwrap();
    output.read_exact(&mut [0]).unwrap();
    let most = crate::kawasemi::status_kib(program.id(), "VmHWM");
    std::io::copy(&mut output, &mut std::io::sink()).unwrap();
    assert!(program.wait().unwrap().success());
    most
}

/// Regression: it took 38 times the size of the file.
#[cfg(target_os = "linux")]
#[test]
fn the_memory_does_not_grow_with_the_number_of_games() {
    let folder = Folder::new();
    let few = folder.write("few.sfen", "startpos moves 2g2f 8c8d 2f2e 8d8e\n".repeat(1600));
    let many: Vec<String> = ["usi", "csa", "kif", "jkf"]
        .into_iter()
        .map(|format| {
            let out = folder.path(&format!("few.{format}"));
            stdout_of(&["convert", &few, "--to", format, "-o", &out]);
            let games = std::fs::read(&out).unwrap();
            let separator = if format == "csa" { &b"/\n"[..] } else { b"\n" };
            folder
                .write(&format!("many.{format}"), [games.as_slice(), separator].concat().repeat(3))
        })
        .collect();
    for (file, format) in many.iter().zip(["csa", "kif", "jkf", "usi"]) {
        let (less, more) = (memory_for(&[&few], format), memory_for(&[file, file], format));
        assert!(more < less + 4 * 1024, "{file} to {format}: {less} and {more} KiB");
    }
}
