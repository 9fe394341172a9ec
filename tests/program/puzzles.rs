//! The command `puzzles` as users call it.

use std::fs;
use std::process::Command;

use kawasemi::position::Position;
use kawasemi::record::{ErrorPolicy, read_bytes};
use kawasemi::types::Move;
use serde_json::Value as Json;

use crate::folder::Folder;
use crate::kawasemi::command as kawasemi;

/// A mate in one and, in another game, one in three were missed.
const GAMES: &str = include_str!("../web/missed.usi");

fn command(nodes: &str, arguments: &[&str]) -> Command {
    let mut command = kawasemi(&["--usi-option", "EvalDir=", "puzzles", "--hash", "1"]);
    command.args(["--nodes", nodes]).args(arguments);
    command
}

#[track_caller]
fn stdout_of(arguments: &[&str]) -> String {
    crate::program::stdout_of(&mut command("400", arguments))
}

#[track_caller]
fn stderr_of(arguments: &[&str]) -> String {
    crate::program::stderr_of(&mut command("400", arguments))
}

/// The data of a page for practice.
fn data(page: &str) -> Json {
    let page = fs::read_to_string(page).unwrap();
    let (_, behind) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(behind.split_once("</script>").unwrap().0).unwrap()
}

fn usi(named: &Json) -> Move {
    named[0].as_str().unwrap().parse().unwrap()
}

/// Replays everything on a page: all legal moves are there, and all lines are legal.
fn check_page(data: &Json) {
    for problem in data["problems"].as_array().unwrap() {
        let mut position = Position::from_sfen(problem["start"].as_str().unwrap()).unwrap();
        for step in problem["steps"].as_array().unwrap() {
            let others = step["others"].as_array().unwrap();
            let mut known: Vec<String> = others
                .iter()
                .map(|other| &other["move"])
                .chain([&step["answer"]])
                .map(|named| usi(named).to_string())
                .collect();
            let mut legal: Vec<String> =
                position.legal_moves().moves().map(|mv| mv.to_string()).collect();
            known.sort_unstable();
            legal.sort_unstable();
            assert_eq!(known, legal);
            for other in others {
                let mut after = position.clone();
                let line = other["line"].as_array().unwrap();
                [&other["move"]].into_iter().chain(line).for_each(|named| {
                    after.try_play(usi(named)).unwrap();
                });
            }
            for named in [&step["answer"], &step["reply"]].into_iter().filter(|it| !it.is_null()) {
                position.try_play(usi(named)).unwrap();
            }
        }
        for named in problem["rest"].as_array().unwrap() {
            position.try_play(usi(named)).unwrap();
        }
    }
}

#[test]
fn missed_moves_become_a_list_a_page_a_file_for_shogihome_and_records() {
    let folder = Folder::new();
    let games = folder.write("games.usi", GAMES);
    let [page, json, kif, sfen] =
        ["a.html", "a.json", "a.kifu", "a.sfen"].map(|it| folder.path(it));
    let list = stdout_of(&[&games, "-o", &page, "-o", &json, "-o", &kif, "-o", &sfen]);
    let rows: Vec<Vec<&str>> = list.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 2, "{list}");
    let mut first = rows.iter().filter(|row| row[5] == "G*5b");
    let first = first.next().unwrap_or_else(|| panic!("{list}"));
    assert_eq!(first[0], "4k4/9/4G4/9/9/9/9/9/4K4 b G2r2b2g4s4n4l18p 1");
    assert_eq!(first[1..5], ["mate", "1", "mate,gold_at_head", "games.usi, game 1, move 1"]);
    let is_mate_in_three = |moves: &str| moves.starts_with("R*2a ") && moves.ends_with('+');
    assert!(rows.iter().any(|row| is_mate_in_three(row[5])), "{list}");

    let data = data(&page);
    assert_eq!(data["problems"].as_array().unwrap().len(), 2);
    check_page(&data);

    let text = fs::read_to_string(&json).unwrap();
    check_shogihome(&serde_json::from_str(&text).unwrap());
    let records = read_bytes(&fs::read(&kif).unwrap(), None, ErrorPolicy::Refuse).unwrap().1.games;
    let positions = fs::read_to_string(&sfen).unwrap();
    assert_eq!((records.len(), positions.lines().count()), (2, 2), "{positions}");
    for (record, row) in records.iter().zip(&rows) {
        assert_eq!(record.start_position().to_sfen(), row[0]);
        assert!(positions.contains(row[0]), "{positions}");
        assert!(record.nodes().any(|(_, node)| node.comments == ["実戦の手"]));
    }
}

/// Regression: the tags were the English words of the JSON, later with the comma of English, and the place was
/// `games.usi 1 1手目`.
#[test]
fn the_list_is_in_the_language_asked_for() {
    let folder = Folder::new();
    let list = stdout_of(&[&folder.write("games.usi", GAMES), "--lang", "ja"]);
    let row = "\t詰み\t1\t詰み、頭金\tgames.usi 第1局 1手目\t▲５二金打\n";
    assert!(list.contains(row), "{list}");
}

/// Regression: the game of such a puzzle had the name `-`, as in the title `- 第1局 1手目`.
#[test]
fn puzzles_from_standard_input_say_so() {
    let folder = Folder::new();
    let kif = folder.path("a.kifu");
    let mut puzzles = command("400", &["-", "-o", &kif]);
    puzzles.stdin(fs::File::open(folder.write("games.usi", GAMES)).unwrap());
    let list = crate::program::stdout_of(&mut puzzles);
    assert!(list.contains("\tstandard input, game 1, move 1\t"), "{list}");
    let records = fs::read_to_string(kif).unwrap();
    assert!(records.contains("：標準入力 第1局 1手目\n"), "{records}");
}

/// By `specs/next-move-problem-format.md` of ShogiHome.
fn check_shogihome(json: &Json) {
    assert_eq!((&json["format"], &json["version"]), (&"shogihome-next-move".into(), &1.into()));
    let problems = json["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 2);
    for problem in problems {
        let sfen = problem["sfen"].as_str().unwrap();
        let position = Position::from_sfen(sfen).unwrap();
        assert!(sfen.ends_with(" 1"), "{sfen}");
        let candidates = problem["candidates"].as_array().unwrap();
        assert!(candidates.len() == 2 && candidates[0]["accepted"] == true);
        assert_eq!(candidates[1]["accepted"], false);
        for candidate in candidates {
            assert_eq!(candidate["usi"], candidate["pv"][0]);
            assert_ne!(candidate["score"].is_null(), candidate["mate"].is_null());
            let mut after = position.clone();
            for mv in candidate["pv"].as_array().unwrap() {
                after.try_play(mv.as_str().unwrap().parse().unwrap()).unwrap();
            }
        }
        // Black mates, so it is positive.
        assert!(candidates[0]["mate"].as_i64().unwrap() > 0);
        let played = problem["actualMove"]["usi"].as_str().unwrap();
        assert!(position.clone().try_play(played.parse().unwrap()).is_ok());
        assert_eq!(problem["source"]["ply"], 1);
    }
}

/// A pawn mates, and a rook takes another one, with and without promotion.
#[test]
fn the_page_and_shogihome_accept_the_answer_without_promotion() {
    let games = "sfen 3nkn2l/3p1p3/4P4/9/9/9/9/4L4/K8 b 2r2b4g4s2n2l15p 1 moves 9i9h 1a1b\n\
                 sfen 4k4/4g4/7r1/9/9/9/9/4G2R1/4K4 b - 1 moves 2h4h 2c2i+\n";
    let folder = Folder::new();
    let (games, page) = (folder.write("a.usi", games), folder.path("a.html"));
    let json = folder.path("a.json");
    stdout_of(&[&games, "-o", &page, "-o", &json]);
    let data = data(&page);
    check_page(&data);
    let json: Json = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    for (answer, also, kind) in [("5c5b+", "5c5b", "also_mates"), ("2h2c+", "2h2c", "also_right")] {
        let problems = data["problems"].as_array().unwrap();
        let mut steps = problems.iter().map(|problem| &problem["steps"][0]);
        let step = steps.find(|step| step["answer"][0] == answer).unwrap();
        let others = step["others"].as_array().unwrap();
        let right: Vec<_> = others.iter().filter(|other| other["kind"] != "wrong").collect();
        assert_eq!(right.len(), 1, "{right:?}");
        assert_eq!((&right[0]["move"][0], &right[0]["kind"]), (&also.into(), &kind.into()));
        let problems = json["problems"].as_array().unwrap();
        let candidates = problems.iter().flat_map(|it| it["candidates"].as_array().unwrap());
        let mut accepted = candidates.filter(|it| it["accepted"] == true);
        assert!(accepted.any(|it| it["usi"] == also), "{json}");
    }
}

#[test]
fn a_problem_contains_the_move_that_leads_to_it() {
    let folder = Folder::new();
    let game = "sfen 3k5/9/4G4/9/9/9/9/9/4K4 w G2r2b2g4s4n4l18p 1 moves 6a5a 5i5h 5a4a\n";
    let (games, json) = (folder.write("a.usi", game), folder.path("a.json"));
    stdout_of(&[&games, "-o", &json]);
    let json: Json = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    let problem = &json["problems"][0];
    let previous = &problem["previousMove"];
    let mut before = Position::from_sfen(previous["sfen"].as_str().unwrap()).unwrap();
    before.try_play(previous["usi"].as_str().unwrap().parse().unwrap()).unwrap();
    let board = |sfen: &str| sfen.rsplit_once(' ').unwrap().0.to_owned();
    assert_eq!(board(&before.to_sfen()), board(problem["sfen"].as_str().unwrap()));
}

#[test]
fn the_puzzles_do_not_depend_on_the_number_of_threads() {
    let folder = Folder::new();
    let games = folder.write("games.usi", GAMES);
    let list = |threads: &str| stdout_of(&[&games, "--threads", threads]);
    assert_eq!(list("1"), list("2"));
}

#[test]
fn a_problem_of_two_games_is_listed_once() {
    let folder = Folder::new();
    let first = GAMES.lines().next().unwrap();
    let list = stdout_of(&[&folder.write("games.usi", format!("{first}\n{first}\n"))]);
    assert_eq!(list.lines().count(), 1, "{list}");
}

#[test]
fn a_game_in_which_nothing_was_missed_gives_an_empty_page_and_no_record() {
    let folder = Folder::new();
    let games = folder.write("a.usi", "startpos moves 7g7f 3c3d\n");
    let [page, kif, csa] = ["a.html", "a.kif", "a.csa"].map(|name| folder.path(name));
    let mut puzzles = command("400", &[&games, "-o", &page, "-o", &kif, "-o", &csa]);
    let output = puzzles.output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    assert_eq!(data(&page)["problems"].as_array().unwrap().len(), 0);
    let notices = String::from_utf8(output.stderr).unwrap();
    // Regression: only the missing records told that there are no puzzles.
    assert_eq!(notices.matches("kawasemi: puzzles: 0\n").count(), 1, "{notices}");
    for record in [&kif, &csa] {
        assert!(!fs::exists(record).unwrap());
        let notice = format!("kawasemi: no puzzles found; {record} is not written\n");
        assert_eq!(notices.matches(&notice).count(), 1, "{notices}");
    }
}

#[test]
fn only_moves_of_the_player_asked_for_become_problems() {
    let folder = Folder::new();
    let game = GAMES.lines().next().unwrap();
    let (usi, kif) = (folder.write("a.usi", game), folder.path("a.kifu"));
    crate::program::stdout_of(&mut kawasemi(&["convert", &usi, "-o", &kif]));
    let text = fs::read_to_string(&kif).unwrap();
    let named = text.replace("手数----指手", "先手：Sato\n後手：Ito\n手数----指手");
    let games = folder.write("b.kifu", named);
    // Black missed a mate.
    for (player, count) in [("Sato", 1), ("sATO", 1), ("Ito", 0)] {
        let list = stdout_of(&[&games, "--player", player]);
        assert_eq!(list.lines().count(), count, "{player}: {list}");
    }
    let text = stderr_of(&[&games, "--player", "Kato"]);
    assert!(text.contains("no player of these games has \"Kato\" in the name"), "{text}");
}

#[test]
fn unreadable_inputs_and_unwritable_outputs_are_refused_before_the_search() {
    let folder = Folder::new();
    let games = folder.write("a.sfen", GAMES);
    let text = stderr_of(&[&games, "-o", &games]);
    assert!(text.contains("is one of the input files"), "{text}");
    assert_eq!(fs::read_to_string(&games).unwrap(), GAMES);
    // Regression: a file in which no game was found was replaced.
    let memo = folder.write("memo.kif", "大切なメモ\n");
    let text = stderr_of(&[&games, &memo, "--partial", "-o", &memo]);
    assert!(text.contains("memo.kif: is one of the input files"), "{text}");
    let text = stderr_of(&[&games, "-o", &folder.path("a.pdf")]);
    assert!(text.contains("the name must end in .html, .json"), "{text}");
    let text = stderr_of(&[&games, "-o", &folder.write("mine.html", "<h1>mine</h1>")]);
    assert!(text.contains("is not a page of this command"), "{text}");
    let text = stderr_of(&[&games, "-o", &folder.write("mine.json", "{}")]);
    assert!(text.contains("is not a problem file of ShogiHome"), "{text}");
    let old = folder.write("old.kif", "手合割：平手\n");
    let text = stderr_of(&[&games, "--player", "Kato", "-o", &old]);
    assert!(
        text.contains("old.kif: the file exists, and is replaced if puzzles are found"),
        "{text}"
    );
    let twice = folder.path("twice.html");
    let text = stderr_of(&[&games, "-o", &twice, "-o", &twice]);
    assert!(text.contains("twice.html: is given twice as an output"), "{text}");
    let text = stderr_of(&[&games, "-o", &folder.path("none/a.html")]);
    assert!(text.contains("there is no such folder"), "{text}");
    let illegal = folder.write("b.usi", "startpos moves 7g7e\n");
    assert!(stderr_of(&[&illegal]).contains("7g7e"), "{}", stderr_of(&[&illegal]));
    assert_eq!(stdout_of(&[&illegal, "--partial"]), "");
}

#[test]
fn names_of_players_are_escaped_on_the_page() {
    let folder = Folder::new();
    let kif = folder.path("a.kifu");
    stdout_of(&[&folder.write("a.usi", GAMES), "-o", &kif]);
    let text = fs::read_to_string(&kif).unwrap();
    let named =
        text.replace("手数----指手", "先手：</script><script>alert(1)</script>\n手数----指手");
    let page = folder.path("a.html");
    // The solutions are not played, so the positions are problems again.
    let games = folder.write("b.kifu", named.replace("   1 ５二金打", "   1 ５八玉(59)"));
    stdout_of(&[&games, "--partial", "-o", &page]);
    let page = fs::read_to_string(&page).unwrap();
    assert!(page.contains("\\u003c/script\\u003e\\u003cscript\\u003ealert(1)"), "{page}");
    assert_eq!(page.matches("<script").count(), 2);
}

/// Ctrl-C while games are searched.
#[cfg(unix)]
#[test]
fn an_interrupt_writes_the_puzzles_found_so_far() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let folder = Folder::new();
    let long = format!("startpos moves {}\n", "2h3h 8b7b 3h2h 7b8b ".repeat(2));
    let (games, page) = (folder.write("a.usi", long), folder.path("a.html"));
    let mut child = command("1000000000", &[&games, "-o", &page])
        .args(["--threads", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines();
    assert_eq!(errors.next().unwrap().unwrap(), "kawasemi: games: 1, positions: 9");
    crate::signal::send("INT", child.id());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(errors.next().unwrap().unwrap().contains("stopped; "));
    assert_eq!(data(&page)["problems"].as_array().unwrap().len(), 0);
}

#[test]
fn made_and_checked_mate_problems_become_the_same_page() {
    let folder = Folder::new();
    let page = folder.path("made.html");
    crate::program::stdout_of(&mut kawasemi(&["mate", "--make", "1", "--count", "1", "-o", &page]));
    check_page(&data(&page));
    // Mate in three; there are other first moves, and moves that are no checks.
    let list = folder.write("list", "k8/9/K8/9/9/9/9/9/9 b BN 1\n4k4/9/9/9/9/9/9/9/4K4 b - 1\n");
    let page = folder.path("checked.html");
    let output =
        kawasemi(&["mate", "--check", &list, "--hash", "4", "-o", &page]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let notices = String::from_utf8(output.stderr).unwrap();
    assert!(notices.contains("left out of the page: 1"), "{notices}");
    let data = data(&page);
    check_page(&data);
    let problem = &data["problems"][0];
    assert_eq!((&problem["goal"], &problem["plies"]), (&"tsume".into(), &3.into()));
    let others = problem["steps"][0]["others"].as_array().unwrap();
    let kind = |usi: &str| {
        let other = others.iter().find(|other| other["move"][0] == usi).unwrap();
        (other["kind"].as_str().unwrap().to_owned(), other["line"].as_array().unwrap().len())
    };
    assert_eq!(kind("9c9d").0, "no_check");
    assert!(others.iter().any(|other| other["kind"] == "also_mates"), "{others:?}");
    let refuted = others.iter().filter(|other| other["kind"] == "wrong");
    assert!(
        refuted.clone().count() > 0
            && refuted.clone().all(|other| !other["line"].as_array().unwrap().is_empty())
    );
    let text = crate::program::stderr_of(&mut kawasemi(&["mate", &list, "-o", &page]));
    assert!(text.contains("--output needs --check or --make"), "{text}");
}

/// Regression: the page asked for a mate in three plies, and wanted a solution of five.
#[test]
fn the_length_on_the_page_of_a_mate_problem_is_that_of_its_solution() {
    let folder = Folder::new();
    // The gold is a futile interposition, which does not count.
    let usi = "position sfen 3lk1n2/3p1p3/9/3N3N1/9/9/9/9/8R b Bg 1 \
               moves 1i5i G*5c 5i5c 5a4a B*3b\n";
    let (usi, record) = (folder.write("a.usi", usi), folder.path("a.kif"));
    let page = folder.path("a.html");
    crate::program::stdout_of(&mut kawasemi(&["convert", &usi, "-o", &record]));
    let check = ["mate", "--check", &record, "--hash", "4", "--lang", "en", "-o", &page];
    let text = String::from_utf8(kawasemi(&check).output().unwrap().stdout).unwrap();
    let wanted = "mate in 3; one solution; pieces left: 1; \
                  move 2 of the recorded solution is a futile interposition;";
    assert!(text.contains(wanted) && text.contains("; given: 5"), "{text}");
    let data = data(&page);
    check_page(&data);
    let problem = &data["problems"][0];
    assert_eq!((&problem["plies"], problem["steps"].as_array().unwrap().len()), (&5.into(), 3));
}
