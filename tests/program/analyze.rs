//! The command `analyze` as users call it.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use kawasemi::position::Position;
use kawasemi::record::{ErrorPolicy, EvaluationValue, RecordFormat, read_bytes};
use serde_json::Value as Json;

use crate::folder::Folder;
use crate::kawasemi::command as kawasemi;
use crate::manual;

fn command(arguments: &[&str]) -> Command {
    // Independent of networks in the working directory.
    let mut command = kawasemi(&["--usi-option", "EvalDir=", "analyze"]);
    command.args(["--threads", "1", "--hash", "2"]).args(arguments);
    command
}

fn analyze(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

#[track_caller]
fn stdout_of(arguments: &[&str]) -> String {
    crate::program::stdout_of(&mut command(arguments))
}

#[track_caller]
fn stderr_of(arguments: &[&str]) -> String {
    crate::program::stderr_of(&mut command(arguments))
}

/// Names with characters that are special in HTML. White loses a bishop for nothing.
const KIF: &str = "手合割：平手
先手：</script><script>alert(1)</script>
後手：A & B <!--
場所：https://example.org/
   1 ７六歩(77)   ( 0:12/00:00:12)
   2 ３四歩(33)   ( 0:03/00:00:03)
   3 ２六歩(27)   ( 0:01/00:00:13)
   4 ８八角成(22)   ( 0:01/00:00:04)
   5 同　銀(79)   ( 0:01/00:00:14)
   6 ５五角打   ( 0:01/00:00:05)
   7 ４八銀(39)   ( 0:01/00:00:15)
   8 ７七角成(55)   ( 0:01/00:00:06)
   9 投了
";

/// Black mates at once.
const MATE: &str = "sfen 4k4/9/4G4/9/9/9/9/9/4K4 b G2r2b2g4s4n4l18p 1 moves G*5b\n";

/// Regression: the giver of a handicap, who moves first, was called 後手, and the other player 先手.
#[test]
fn the_japanese_summary_of_a_handicap_game_names_its_sides() {
    let folder = Folder::new();
    let sides_of = |name, handicap| {
        let record = format!("手合割：{handicap}\n   1 中断\n");
        let text = stdout_of(&[&folder.write(name, &record), "--nodes", "300", "--lang", "ja"]);
        let sides = text.lines().filter_map(|line| line.split_once(": 手数"));
        sides.map(|(side, _)| side.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(sides_of("a.kif", "六枚落ち"), ["下手", "上手"]);
    assert_eq!(sides_of("b.kif", "平手"), ["先手", "後手"]);
}

/// Regression: the page called the sides of a handicap game 先手 and 後手, because it did not get their names.
#[test]
fn the_page_and_json_have_the_names_of_the_sides() {
    let folder = Folder::new();
    for (handicap, names) in [("六枚落ち", ["下手", "上手"]), ("平手", ["先手", "後手"])]
    {
        let record = folder.write("a.kif", format!("手合割：{handicap}\n   1 中断\n"));
        let text = stdout_of(&[&record, "--depth", "1", "--json"]);
        let json: Json = serde_json::from_str(&text).unwrap();
        let found = ["black", "white"].map(|side| &json["games"][0]["side_names"][side]["ja"]);
        assert_eq!(found.map(|name| name.as_str().unwrap()), names);
    }
}

#[test]
fn the_table_has_a_row_for_every_move_and_one_for_each_side() {
    let folder = Folder::new();
    let text = stdout_of(&[&folder.write("a.kif", KIF), "--nodes", "300"]);
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows[0], "a.kif: ▲</script><script>alert(1)</script> △A & B <!--");
    // Below a row may be a sentence.
    let row_of = |number: usize| {
        let is_meant = |row: &&&str| row.split_whitespace().next() == Some(&number.to_string());
        *rows.iter().find(is_meant).unwrap_or_else(|| panic!("{number}: {text}"))
    };
    (1..=8).for_each(|number| _ = row_of(number));
    assert!(row_of(1).contains(" P-7f ") && row_of(4).contains(" Bx8h+ "), "{text}");
    assert!(rows.iter().any(|row| row.starts_with("Black: moves 4, best ")), "{text}");
    assert!(rows.iter().any(|row| row.starts_with("White: moves 4, best ")), "{text}");
    let japanese = stdout_of(&[&folder.path("a.kif"), "--depth", "2", "--lang", "ja"]);
    assert!(japanese.contains(" ▲同　銀 ") && japanese.contains("先手: 手数 4"), "{japanese}");
}

/// Regression: a name in a record could clear the terminal, colour it or reorder its text.
#[test]
fn names_of_records_and_files_are_shown_without_control_characters() {
    let folder = Folder::new();
    let kif = KIF.replace("A & B", "A\x1b[2J\u{202e}\u{9b}B");
    let file = folder.write("a\x1b.kif", kif.replace("3 ２六歩", "3 ２六\x1b歩"));
    let output = analyze(&[&file, "--depth", "1", "--partial", "--html", &folder.path("a.html")]);
    assert!(output.status.success(), "{output:?}");
    let shown = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    let page = fs::read_to_string(folder.path("a.html")).unwrap();
    assert!(shown.contains("△A?[2J??B") && page.contains("A?[2J??B"), "{shown}");
    for text in [shown, page] {
        let is_hidden = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!text.contains(is_hidden), "{text:?}");
        assert!(!text.contains("\\u001b") && !text.contains("\\u202e"), "{text}");
    }
}

#[test]
fn a_mate_has_its_length_and_its_line() {
    let folder = Folder::new();
    let text = stdout_of(&[&folder.write("a.sfen", MATE), "--movetime", "50"]);
    let row = text.lines().nth(2).unwrap();
    assert!(
        row.contains("G*5b") && row.contains(" +mate  100%") && row.contains("+mate 1 "),
        "{text}"
    );
    // A position without moves has lines too.
    let bare = MATE.split(" moves").next().unwrap();
    let text = stdout_of(&[&folder.write("b.sfen", bare), "--nodes", "300", "--multipv", "2"]);
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[2].ends_with(" +mate 1 G*5b") && rows[2].contains(" (end) "), "{text}");
    assert!(rows[3].starts_with("          ") && rows[3].len() > 60, "{text}");
}

#[test]
fn book_moves_are_marked_for_positions_with_colours_swapped_too() {
    const BOOK: &str = "#YANEURAOU-DB2016 1.00\n\
        sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
        7g7f none 0 1 1\n\
        sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 2\n\
        7g7f none 0 1 1\n";
    let folder = Folder::new();
    let (kif, book) = (folder.write("a.kif", KIF), folder.write("a.db", BOOK));
    let text = stdout_of(&[&kif, "--depth", "1", "--book", &book, "--json"]);
    let json: Json = serde_json::from_str(&text).unwrap();
    let moves = json["games"][0]["moves"].as_array().unwrap();
    let is_book = |number: usize| moves[number]["analysis"]["is_book"].as_bool().unwrap();
    // The second is in the book with the colours exchanged.
    assert_eq!([0, 1, 2].map(is_book), [true, true, false]);
    assert!(stderr_of(&[&kif, "--book", &folder.path("none.db")]).contains("none.db"));
}

/// Regression: moves of the engine's own book were graded `?!`.
#[test]
fn the_shipped_book_is_used_unless_the_engine_is_to_use_none() {
    let folder = Folder::new();
    let kif = folder.write("a.kif", KIF);
    let is_book = |options: &[&str]| {
        let mut command = kawasemi(options);
        command.args(["analyze", "--depth", "1", "--threads", "1", "--json", &kif]);
        let json: Json = serde_json::from_str(&crate::program::stdout_of(&mut command)).unwrap();
        json["games"][0]["moves"][0]["analysis"]["is_book"].as_bool().unwrap()
    };
    assert!(is_book(&[]));
    assert!(!is_book(&["--usi-option", "USI_OwnBook=false"]));
}

/// Replays everything in the JSON and checks that it is consistent.
fn check(json: &Json) {
    assert_eq!(json["complete"], true);
    for game in json["games"].as_array().unwrap() {
        let mut position = Position::from_sfen(game["start"].as_str().unwrap()).unwrap();
        let moves = game["moves"].as_array().unwrap();
        let record =
            read_bytes(game["kif"].as_str().unwrap().as_bytes(), None, ErrorPolicy::Refuse);
        let record = &record.unwrap().1.games[0];
        assert_eq!(record.start_position().to_sfen(), game["start"]);
        let recorded = record.main_moves().map(|mv| mv.to_string());
        assert!(recorded.eq(moves.iter().map(|mv| mv["move"]["usi"].as_str().unwrap())));
        let ends = moves.iter().map(|mv| &mv["analysis"]["before"]).chain([&game["end"]]);
        let played = moves.iter().map(Some).chain([None]);
        for (found, mv) in ends.zip(played) {
            for line in found["lines"].as_array().unwrap() {
                let mut position = position.clone();
                for mv in line["moves"].as_array().unwrap() {
                    position.try_play(mv["usi"].as_str().unwrap().parse().unwrap()).unwrap();
                }
                let is_mate = line["score"]["by"] == "mate";
                assert_eq!(is_mate, !position.has_legal_move(), "{line}");
                assert_ne!(
                    line["score"]["centipawns"].is_null(),
                    line["score"]["winner"].is_null()
                );
            }
            let Some(mv) = mv else { continue };
            assert!(mv["analysis"]["win_rate_loss"].as_f64().unwrap() >= 0.0, "{mv}");
            position.try_play(mv["move"]["usi"].as_str().unwrap().parse().unwrap()).unwrap();
        }
    }
}

#[test]
fn json_is_reproducible_and_all_its_lines_are_legal() {
    let folder = Folder::new();
    let files = [folder.write("a.kif", KIF), folder.write("b.sfen", MATE)];
    let ask = || stdout_of(&[&files[0], &files[1], "--nodes", "400", "--multipv", "3", "--json"]);
    let mut json: Json = serde_json::from_str(&ask()).unwrap();
    check(&json);
    let games = json["games"].as_array().unwrap();
    assert_eq!(games.len(), 2);
    assert_eq!(games[0]["ending"], "resign");
    assert_eq!(games[0]["moves"][0]["seconds"], 12.0);
    assert_eq!(games[0]["moves"][0]["analysis"]["before"]["lines"].as_array().unwrap().len(), 3);
    assert!(games[0]["moves"][7]["analysis"]["grade"].is_string(), "the bishop was given away");
    let mut again: Json = serde_json::from_str(&ask()).unwrap();
    [&mut json, &mut again].into_iter().for_each(forget_times);
    assert_eq!(json, again);
}

#[test]
fn every_key_of_the_json_is_in_the_manual() {
    let folder = Folder::new();
    let (kif, branched) = (folder.write("a.kif", KIF), folder.write("b.kif", BRANCHED));
    let text = stdout_of(&[&kif, &branched, "--nodes", "300", "--branches", "--json"]);
    let json = serde_json::from_str(&text).unwrap();
    manual::check_keys(&json, include_str!("../../docs/analyze.md"));
}

#[test]
fn a_game_from_standard_input_is_analysed() {
    let ask = |arguments: &[&str]| {
        let mut analysis = command(&[&["-", "--nodes", "50"], arguments].concat());
        let mut program = analysis.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        program.stdin.take().unwrap().write_all(MATE.as_bytes()).unwrap();
        let output = program.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let table = ask(&[]);
    // Regression: the table began with `-: `.
    assert!(table.starts_with("standard input: ▲? △?\n") && table.contains(" G*5b "), "{table}");
    let json: Json = serde_json::from_str(&ask(&["--json"])).unwrap();
    assert_eq!(json["games"][0]["file"], "-");
}

#[test]
fn the_win_rates_are_those_of_games_between_people_if_requested() {
    let folder = Folder::new();
    let game = folder.write("a.kif", KIF);
    let rows = |arguments: &[&str]| {
        let text = stdout_of(&[&[game.as_str(), "--nodes", "300"], arguments].concat());
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let (usual, human) = (rows(&[]), rows(&["--human"]));
    let legend = "win: for games between people; losses are for games between engines.";
    assert_eq!(human.last().map(String::as_str), Some(legend), "{human:?}");
    assert_eq!(human.len(), usual.len() + 1, "{usual:?}");
    // The bishop is given away, after which people win more often than engines.
    let last_move = |rows: &[String]| rows.iter().rfind(|row| row.starts_with("   8 ")).cloned();
    assert_ne!(last_move(&human).unwrap(), last_move(&usual).unwrap());
}

/// Regression: 不戦勝 and 不戦敗 were the same, a foul had no side, and rare endings were left out.
#[test]
fn json_tells_every_ending_of_a_record() {
    let folder = Folder::new();
    for (word, keyword) in [
        ("不戦勝", "win_by_default"),
        ("不戦敗", "loss_by_default"),
        ("反則負け", "foul"),
        ("反則勝ち", "foul_by_black"),
        ("待った", "matta"),
        ("封じ手", "other:封じ手"),
    ] {
        let record = folder.write("a.kif", format!("   1 ７六歩(77)\n   2 {word}\n"));
        let text = stdout_of(&[&record, "--depth", "1", "--json"]);
        let json: Json = serde_json::from_str(&text).unwrap();
        assert_eq!(json["games"][0]["ending"], keyword, "{word}");
    }
}

/// Times differ from run to run.
fn forget_times(json: &mut Json) {
    match json {
        Json::Object(members) => {
            members.remove("milliseconds");
            members.values_mut().for_each(forget_times);
        }
        Json::Array(items) => items.iter_mut().for_each(forget_times),
        _ => {}
    }
}

#[test]
fn the_page_is_self_contained_and_escapes_names() {
    let folder = Folder::new();
    let (game, page) = (folder.write("a.kif", KIF), folder.path("a.html"));
    stdout_of(&[&game, "--nodes", "300", "--html", &page]);
    let html = fs::read_to_string(&page).unwrap();
    let (before, rest) = html.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let (data, after) = rest.split_once("</script>").unwrap();
    check(&serde_json::from_str(data).unwrap());
    let named: Json = serde_json::from_str(data).unwrap();
    assert_eq!(named["games"][0]["black"], "</script><script>alert(1)</script>");
    assert!(!data.contains('<'));
    assert_eq!(html.matches("<script").count(), 2);
    for part in [before, after] {
        // The name of a namespace is not loaded.
        let part = part.replace("http://www.w3.org/2000/svg", "");
        assert!(!part.contains("http:") && !part.contains("https:"), "{part}");
        assert!(!part.contains(" src=") && !part.contains("<link"), "{part}");
    }
    assert!(before.contains("default-src 'none'"));
}

/// Regression: a page for friends abroad was in the language of the system that made it.
#[test]
fn the_page_uses_the_language_of_the_browser_unless_one_is_given() {
    let folder = Folder::new();
    let (game, page) = (folder.write("a.sfen", MATE), folder.path("a.html"));
    stdout_of(&[&game, "--nodes", "50", "--html", &page]);
    assert!(fs::read_to_string(&page).unwrap().starts_with("<!doctype html>\n<html>\n"));
    stdout_of(&[&game, "--nodes", "50", "--html", &page, "--lang", "ja"]);
    assert!(
        fs::read_to_string(&page).unwrap().starts_with("<!doctype html>\n<html lang=\"ja\">\n")
    );
}

#[test]
fn the_page_and_json_hold_the_record_with_its_branches_times_and_comments() {
    let folder = Folder::new();
    let branched = stdout_of(&[&folder.write("a.kif", BRANCHED), "--nodes", "50", "--json"]);
    let json: Json = serde_json::from_str(&branched).unwrap();
    let kif = json["games"][0]["kif"].as_str().unwrap();
    assert!(kif.contains("変化：4手") && kif.contains("*a word") && !kif.contains("解析"), "{kif}");
    let timed = stdout_of(&[&folder.write("b.kif", KIF), "--nodes", "50", "--json"]);
    let json: Json = serde_json::from_str(&timed).unwrap();
    let kif = json["games"][0]["kif"].as_str().unwrap();
    assert!(kif.contains("0:12/00:00:12") && kif.contains("投了"), "{kif}");
}

#[test]
fn annotated_records_keep_their_comments_when_read_back() {
    let folder = Folder::new();
    let game = folder.write("a.kif", KIF);
    for (name, format) in
        [("b.kif", RecordFormat::Kif), ("b.kifu", RecordFormat::Kif), ("b.csa", RecordFormat::Csa)]
    {
        let path = folder.path(name);
        // Enough that no score is a bound, which is told in words alone.
        stdout_of(&[&game, "--nodes", "2000", "--output", &path]);
        let (found, parsed) =
            read_bytes(&fs::read(&path).unwrap(), None, ErrorPolicy::Refuse).unwrap();
        assert_eq!((found, parsed.warnings.len()), (format, 0), "{name}");
        let game = &parsed.games[0];
        let nodes: Vec<_> = game.main_line().map(|id| game.node(id)).collect();
        assert_eq!(nodes.len(), 10);
        for node in &nodes[..9] {
            assert_eq!(node.evaluations.len(), 1, "{name}");
        }
        // White has given a bishop away.
        assert!(
            matches!(nodes[8].evaluations[0].value, EvaluationValue::Centipawns(value) if value > 300)
        );
        assert!(nodes[8].comments.iter().any(|comment| comment.contains("最善手 ")), "{name}");
    }
}

/// Black loses the bishop in one variation, which contains another one, and begins differently in a
/// third.
const BRANCHED: &str = "手合割：平手
   1 ７六歩(77)
   2 ３四歩(33)
   3 ２六歩(27)
   4 投了

変化：3手
   3 ３三角成(88)
*a word
   4 同　桂(21)
   5 ２六歩(27)

変化：4手
   4 同　角(22)

変化：1手
   1 ９六歩(97)
";

#[test]
fn branches_are_analysed_if_requested() {
    let folder = Folder::new();
    let (game, page) = (folder.write("a.kif", BRANCHED), folder.path("a.html"));
    let branched = ["--nodes", "300", "--branches"];
    let text = stdout_of(&[&[game.as_str(), "--json", "--html", &page], &branched[..]].concat());
    let json: Json = serde_json::from_str(&text).unwrap();
    check(&json);
    let one = &json["games"][0];
    assert_eq!(
        (&one["branches_left_out"], &one["ending"]),
        (&Json::from(0), &Json::from("resign"))
    );
    let branches = one["branches"].as_array().unwrap();
    let kept = |branch: &Json| {
        let moves = branch["moves"].as_array().unwrap();
        let moves: Vec<_> = moves.iter().map(|mv| mv["move"]["usi"].as_str().unwrap()).collect();
        (branch["of"].as_u64().unwrap(), branch["after"].as_u64().unwrap(), moves.join(" "))
    };
    let expected = [(0, 0, "9g9f"), (0, 2, "8h3c+ 2a3c 2g2f"), (2, 3, "2b3c")];
    let expected = expected.map(|(of, after, moves)| (of, after, moves.to_owned()));
    assert_eq!(branches.iter().map(kept).collect::<Vec<_>>(), expected);
    let blunder = &branches[1]["moves"][0];
    assert_eq!((&blunder["number"], &blunder["side"]), (&Json::from(3), &Json::from("black")));
    assert!(blunder["analysis"]["grade"].is_string(), "{blunder}");
    assert!(branches.iter().all(|branch| branch["end"].is_object() && branch["ending"].is_null()));
    assert!(fs::read_to_string(&page).unwrap().contains("\"after\":2,\"moves\":[{\"number\":3"));
    let table = stdout_of(&[&[game.as_str()], &branched[..]].concat());
    let (main, below) = table.split_once("\nBranch 1 (of the main line, from move 1)\n").unwrap();
    assert!(!main.contains("Bx3c+") && !table.contains("left out"), "{table}");
    let japanese = stdout_of(&[&[game.as_str(), "--lang", "ja"], &branched[..]].concat());
    assert!(japanese.contains("\n分岐3（分岐2の4手目から）\n   4 △同　角"), "{japanese}");
    assert!(below.contains("\nBranch 3 (of branch 2, from move 4)\n   4 "), "{table}");
}

#[test]
fn skipped_branches_are_reported_and_kept() {
    let folder = Folder::new();
    let (game, whole, main) =
        (folder.write("a.kif", BRANCHED), folder.path("b.kif"), folder.path("c.kif"));
    let output = analyze(&[&game, "--nodes", "100", "--output", &main]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("branches left out: 3; --branches analyses them too"), "{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("\nBranches left out: 3; --branches analyses them too.\n"), "{text}");
    stdout_of(&[&game, "--nodes", "100", "--output", &whole, "--branches"]);
    let read = |path: &str| {
        let (_, parsed) = read_bytes(&fs::read(path).unwrap(), None, ErrorPolicy::Refuse).unwrap();
        parsed.games.into_iter().next().unwrap()
    };
    let [before, main, whole] = [&game, &main, &whole].map(|path| read(path));
    let evaluated = |game: &kawasemi::record::GameRecord| {
        game.nodes().filter(|(_, node)| !node.evaluations.is_empty()).count()
    };
    // The start and eight moves; of these the start and three on the main line.
    assert_eq!([&before, &main, &whole].map(evaluated), [0, 4, 9]);
    for annotated in [main, whole] {
        let moves = |game: &kawasemi::record::GameRecord| {
            game.nodes().map(|(_, node)| node.mv()).collect::<Vec<_>>()
        };
        assert_eq!(moves(&annotated), moves(&before));
        let mut comments = annotated.nodes().flat_map(|(_, node)| &node.comments);
        assert!(comments.any(|comment| comment == "a word"));
    }
}

#[test]
fn errors_are_reported_before_the_analysis() {
    let folder = Folder::new();
    let game = folder.write("a.kif", KIF);
    assert!(stderr_of(&["none.kif"]).contains("none.kif: "));
    let text = stderr_of(&[&game, "--output", &folder.path("b.txt")]);
    assert!(text.contains("the name must end in .kif"), "{text}");
    let text = stderr_of(&[&game, "--html", &folder.path("no/such/b.html")]);
    assert!(text.contains("there is no such folder"), "{text}");
    let text = stderr_of(&[&game, "--html", &folder.path("")]);
    assert!(text.contains("is a folder"), "{text}");
    // No file system allows names of this length.
    let text = stderr_of(&[&game, "--output", &folder.path(&format!("{}.kif", "a".repeat(5000)))]);
    assert!(text.contains("aaa.kif: "), "{text}");
    let text = stderr_of(&[&game, "--html", "-"]);
    assert!(text.contains("--html needs the name of a file"), "{text}");
    let text = stderr_of(&[&game, "--nodes", "5", "--depth", "5"]);
    assert!(text.contains("cannot be used with"), "{text}");
    // Regression: a network of this name was replaced by the page.
    let other = folder.write("nn.bin", "a network");
    let text = stderr_of(&[&game, "--html", &other]);
    assert!(text.contains("nn.bin: is not a page of this command"), "{text}");
    assert_eq!(fs::read(other).unwrap(), b"a network");
    let text = stderr_of(&[&game, "--eval", "none.bin", "--nodes", "5"]);
    assert!(text.contains("none.bin"), "{text}");
    let illegal = folder.write("c.csa", "PI\n+\n+7776FU\n-3335FU\n");
    assert!(stderr_of(&[&illegal]).contains("line 4: move 2"));
    assert!(stdout_of(&[&illegal, "--partial", "--nodes", "50"]).contains(" P-7f "));
}

#[test]
fn a_file_without_games_does_not_stop_the_others_if_games_may_be_partial() {
    let folder = Folder::new();
    let (game, empty) = (folder.write("a.sfen", MATE), folder.write("empty.kif", ""));
    assert!(stderr_of(&[&game, &empty, "--nodes", "5"]).contains("empty.kif: there is no game"));
    let output = analyze(&[&empty, &game, "--nodes", "5", "--partial"]);
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("a.sfen: "));
    assert!(String::from_utf8(output.stderr).unwrap().contains("empty.kif: there is no game"));
}

/// Regression: the output replaced it, although nothing of it was read.
#[test]
fn a_file_without_games_is_not_overwritten() {
    let folder = Folder::new();
    let (game, memo) = (folder.write("a.sfen", MATE), folder.write("memo.kif", "大切なメモ\n"));
    let arguments = [&game, &memo, "--nodes", "5", "--partial", "--output", &memo];
    let text = stderr_of(&arguments);
    assert!(text.contains("memo.kif: is an input file, and the content named above"), "{text}");
    assert_eq!(fs::read_to_string(&memo).unwrap(), "大切なメモ\n");
}

#[test]
fn a_page_overwrites_no_record() {
    let folder = Folder::new();
    let (game, other) = (folder.write("a.kif", KIF), folder.write("b.kif", KIF));
    // The expansion of `--html *.kif` by a shell.
    let text = stderr_of(&["--html", &game, &other, "--nodes", "5"]);
    assert!(text.contains("a.kif: is a name for records of games, not for a page"), "{text}");
    assert_eq!(fs::read_to_string(&game).unwrap(), KIF);
}

/// A device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_written_does_not_lose_the_analysis() {
    let folder = Folder::new();
    let game = folder.write("a.kif", KIF);
    let (full, page) = (folder.path("full.kif"), folder.path("a.html"));
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    let output = analyze(&[&game, "--nodes", "50", "--output", &full, "--html", &page]);
    assert!(!output.status.success());
    assert!(String::from_utf8(output.stderr).unwrap().contains("full.kif: "));
    assert!(String::from_utf8(output.stdout).unwrap().contains(" P-7f "));
    assert!(fs::read_to_string(&page).unwrap().contains("\"complete\":true"));
}

/// Ctrl-C ends the analysis, but the report is still written.
#[cfg(unix)]
#[test]
fn an_interrupted_analysis_reports_the_results_so_far() {
    use std::io::{BufRead, BufReader};

    let folder = Folder::new();
    // The last position is a draw by the rules and needs no search. The search of the one before it
    // would take a minute.
    let cycle = " 2h3h 8b7b 3h2h 7b8b";
    let game = folder.write("a.sfen", format!("startpos moves{}\n", cycle.repeat(3)));
    let page = folder.path("a.html");
    // Regression: the status was 0, so scripts took the analysis for complete.
    for signal in ["INT", "TERM"] {
        let mut child = command(&[&game, "--movetime", "60000", "--json", "--html", &page])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap()).lines();
        assert_eq!(errors.next().unwrap().unwrap(), "kawasemi: positions to analyse: 13");
        crate::signal::send(signal, child.id());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        assert!(errors.next().unwrap().unwrap().contains("stopped; "));
        let json: Json = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["complete"], false);
        assert!(fs::read_to_string(&page).unwrap().contains("\"complete\":false"));
        let game = &json["games"][0];
        assert_eq!(game["moves"].as_array().unwrap().len(), 12);
        assert!(game["moves"][0]["analysis"].is_null());
        assert!(game["end"].is_object());
    }
}

/// Regression: the status was 0 if the reader of the results had gone, as after Ctrl-C in a pipeline.
#[cfg(unix)]
#[test]
fn an_interrupted_analysis_that_nobody_reads_has_the_status_of_an_interrupt() {
    use std::io::{BufRead, BufReader};

    let folder = Folder::new();
    let game = folder.write("a.sfen", "startpos moves 7g7f 3c3d\n");
    let mut child = command(&[&game, "--movetime", "60000"])
        .stdout(crate::program::closed_pipe())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines();
    assert_eq!(errors.next().unwrap().unwrap(), "kawasemi: positions to analyse: 3");
    crate::signal::send("INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
