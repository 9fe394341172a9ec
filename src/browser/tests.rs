//! Calls as a page makes them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

use super::call;

fn answer(name: &str, argument: Value) -> Value {
    let request = json!({ "call": name, "argument": argument }).to_string();
    serde_json::from_str(&call(request.as_bytes())).unwrap()
}

fn result(name: &str, argument: Value) -> Value {
    let answer = answer(name, argument);
    assert!(answer["error"].is_null(), "{answer}");
    answer["result"].clone()
}

fn error(name: &str, argument: Value) -> String {
    let answer = answer(name, argument);
    answer["error"]["en"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

fn moves(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn a_position_has_its_legal_moves_and_the_name_of_the_last_one() {
    let found = result("position", json!({ "sfen": "startpos", "moves": ["7g7f", "3c3d"] }));
    let legal = found["legal"].as_array().unwrap();
    assert!(legal.contains(&json!("8h2b+")) && legal.contains(&json!("8h2b")), "{found}");
    assert!(!legal.contains(&json!("7g7f")));
    assert_eq!((&found["side"], &found["check"]), (&json!("black"), &json!(false)));
    assert_eq!(found["last"], json!({ "usi": "3c3d", "ja": "△３四歩", "en": "P-3d" }));
    assert_eq!((&found["end"], &found["declaration"]), (&Value::Null, &json!(false)));
    assert!(found["sfen"].as_str().unwrap().ends_with(" b - 3"), "{found}");
}

#[test]
fn the_ends_by_the_rules_are_known() {
    let end = |sfen: &str, line: &str| {
        result("position", json!({ "sfen": sfen, "moves": moves(line) }))["end"].clone()
    };
    let mate = end("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b");
    assert_eq!(mate, json!({ "reason": "mate", "winner": "black" }));
    let stalemate = end("k8/2G6/1G7/9/9/9/9/9/4K4 w - 1", "");
    assert_eq!(stalemate, json!({ "reason": "no_moves", "winner": "black" }));
    let draw = end("startpos", &"4i4h 6a6b 4h4i 6b6a ".repeat(3));
    assert_eq!(draw, json!({ "reason": "repetition", "winner": null }));
    // Black checks all the time, and loses.
    let perpetual = end("4k4/9/9/9/5R3/9/9/9/8K b - 1", &"4e5e 5a4a 5e4e 4a5a ".repeat(3));
    assert_eq!(perpetual, json!({ "reason": "perpetual_check", "winner": "white" }));
}

#[test]
fn white_declares_with_the_points_of_a_handicap_less() {
    let declares = |hand: &str| {
        let sfen = format!("4K4/9/9/9/9/9/9/7+p+p/sssskgggg w {hand} 2");
        result("position", json!({ "sfen": sfen }))["declaration"] == true
    };
    assert!(declares("RB4N4L9P7p") && !declares("RB4N4L10P6p"));
}

#[test]
fn lines_are_spelled_up_to_their_first_illegal_move() {
    let lines = json!([["7g7f", "3c3d", "8h2b+"], ["7g7f", "7g7f"], ["nonsense"], []]);
    let found = result("spell", json!({ "sfen": "startpos", "lines": lines }));
    let lengths = found.as_array().unwrap().iter().map(|line| line.as_array().unwrap().len());
    assert_eq!(lengths.collect::<Vec<_>>(), [3, 1, 0, 0]);
    assert_eq!(found[0][2]["ja"], "▲２二角成");
}

#[test]
fn every_handicap_has_a_legal_start() {
    let found = result("handicaps", Value::Null);
    let found = found.as_array().unwrap();
    assert_eq!(found.len(), 16);
    for handicap in found {
        result("position", json!({ "sfen": handicap["sfen"] }));
    }
    assert_eq!((&found[15]["name"], &found[15]["preset"]), (&json!("十枚落ち"), &json!("10")));
}

/// Regression: every start with White to move was a handicap on the page, but not in the records that it writes.
#[test]
fn a_start_is_a_handicap_if_it_is_one_in_records() {
    let tonbo = "4k4/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let lance = "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    for (sfen, mv, expected) in [
        ("startpos", "7g7f", false),
        ("4k4/9/9/9/9/9/9/9/4K4 w - 1", "5a5b", false),
        (lance, "5a5b", true),
        (tonbo, "5a5b", true),
    ] {
        let position = result("position", json!({ "sfen": sfen, "moves": [mv] }));
        let text = format!("{sfen} moves {mv}");
        let mut game = result("readGames", json!({ "text": text }))["games"][0].clone();
        assert_eq!(
            (&position["handicap"], &game["handicap"]),
            (&json!(expected), &json!(expected))
        );
        // What the page says about it does not matter.
        game["handicap"] = json!(!expected);
        let text = result("writeGame", json!({ "game": game, "format": "ki2" }))["text"].clone();
        let again = result("readGames", json!({ "text": text }));
        assert_eq!(again["games"][0]["handicap"], expected, "{text}");
    }
}

const KIF: &str = "手合割：平手\n先手：羽生\n後手：<script>alert(1)</script>\n*前置き\n\
    手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:12/00:00:12)\n**解析 評価値 88 読み筋 △３四歩(33)\n\
    *感想\n   2 ３四歩(33)   ( 0:01/00:00:01)\n   3 投了\n\n変化：2手\n   2 ８四歩(83)\n";

#[test]
fn a_game_is_read_with_all_that_it_holds() {
    let found = result("readGames", json!({ "text": KIF }));
    assert_eq!((&found["format"], found["notes"].as_array().unwrap().len()), (&json!("kif"), 0));
    let game = &found["games"][0];
    assert_eq!(game["headers"][0], json!(["先手", "羽生"]));
    assert_eq!(game["headers"][1], json!(["後手", "<script>alert(1)</script>"]));
    let nodes = game["nodes"].as_array().unwrap();
    let steps: Vec<_> = nodes
        .iter()
        .map(|node| (node["parent"].as_u64(), node["usi"].as_str(), node["end"].as_str()))
        .collect();
    assert_eq!(
        steps,
        [
            (None, None, None),
            (Some(0), Some("7g7f"), None),
            (Some(1), Some("3c3d"), None),
            (Some(2), None, Some("resign")),
            (Some(1), Some("8c8d"), None),
        ]
    );
    assert_eq!(nodes[0]["comments"], json!(["前置き"]));
    assert_eq!((&nodes[1]["ja"], &nodes[1]["seconds"]), (&json!("▲７六歩"), &json!(12.0)));
    assert_eq!(nodes[1]["evaluations"][0]["centipawns"], 88);
    assert_eq!(nodes[1]["evaluations"][0]["line"], json!(["3c3d"]));
}

#[test]
fn every_notation_is_read_from_a_file_and_written_again() {
    let game = result("readGames", json!({ "text": KIF }))["games"][0].clone();
    for (format, name) in
        [("kif", "a.kif"), ("ki2", "a.ki2"), ("csa", "a.csa"), ("usi", "a.sfen"), ("jkf", "a.jkf")]
    {
        let query = json!({ "game": game, "format": format, "encoding": "shift_jis" });
        let file = result("writeGame", query)["base64"].clone();
        let again = result("readGames", json!({ "base64": file, "name": name }));
        assert_eq!(
            (&again["format"], &again["games"][0]["nodes"][2]["usi"]),
            (&json!(format), &json!("3c3d"))
        );
    }
    let sfen = result("writeGame", json!({ "game": game, "format": "sfen" }));
    assert!(sfen["text"].as_str().unwrap().ends_with(" b - 3\n"), "{sfen}");
    assert!(!sfen["losses"].as_array().unwrap().is_empty());
}

#[test]
fn a_game_written_in_kif_reads_back_as_the_same_game() {
    let game = result("readGames", json!({ "text": KIF }))["games"][0].clone();
    let text = result("writeGame", json!({ "game": game, "format": "kif" }))["text"].clone();
    let again = result("readGames", json!({ "text": text }));
    assert_eq!(again["games"][0], game);
}

/// Regression: the second branch erased times, comments and evaluations of the first.
#[test]
fn two_branches_that_begin_with_one_move_keep_what_both_hold() {
    let evaluation = json!({ "centipawns": 30, "heading": "解析", "line": ["3c3d"] });
    let game = json!({ "start": "startpos", "nodes": [
        {},
        { "parent": 0, "usi": "2g2f", "seconds": 5.0, "evaluations": [evaluation] },
        { "parent": 1, "usi": "3c3d" },
        { "parent": 0, "usi": "2g2f", "comments": ["the record"] },
        { "parent": 3, "usi": "8c8d" },
    ]});
    let kif = result("writeGame", json!({ "game": game, "format": "kif" }))["text"].clone();
    let nodes = result("readGames", json!({ "text": kif }))["games"][0]["nodes"].clone();
    assert_eq!(nodes[1]["seconds"], 5.0, "{kif}");
    assert_eq!(nodes[1]["comments"], json!(["the record"]));
    assert_eq!(nodes[1]["evaluations"][0]["centipawns"], 30);
    assert_eq!((&nodes[2]["usi"], &nodes[3]["usi"]), (&json!("3c3d"), &json!("8c8d")));
}

#[test]
fn a_game_is_read_up_to_an_illegal_move_with_a_note() {
    let found = result("readGames", json!({ "text": "position startpos moves 7g7f 7g7f" }));
    assert_eq!(found["games"][0]["nodes"].as_array().unwrap().len(), 2);
    let note = found["notes"][0]["en"].as_str().unwrap();
    assert!(note.starts_with("line 1: move 2, `7g7f`: there is no piece"), "{note}");
}

/// Regression: the page showed these messages in English to Japanese users.
#[test]
fn every_message_has_a_japanese_text() {
    let is_japanese = |message: &Value| {
        let text = message["ja"].as_str().unwrap_or_else(|| panic!("{message}"));
        assert!(text.chars().any(|c| ('\u{3041}'..='\u{30ff}').contains(&c)), "{text}");
        // Names and quoted words stay; two words in a row are English.
        let words: Vec<&str> = text.split(' ').collect();
        let is_word =
            |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic());
        assert!(!words.windows(2).any(|pair| pair.iter().all(|word| is_word(word))), "{text}");
    };
    let failed = |name: &str, argument: Value| is_japanese(&answer(name, argument)["error"]);
    for text in ["", "hello", "9/9/9 b - 1", "{\"moves\": 3}", "{\"moves\":[", "[3 4]", "{]"] {
        failed("readGames", json!({ "text": text }));
    }
    failed("readGames", json!({ "base64": "?" }));
    failed("readGames", json!({ "text": "x".repeat(5 << 20) }));
    failed(
        "readGames",
        json!({ "text": "startpos moves ".to_owned() + &"4i4h 6a6b 4h4i 6b6a ".repeat(5000) }),
    );
    failed("position", json!({ "sfen": "startpos", "moves": ["7g7e"] }));
    failed("position", json!({ "sfen": "startpos", "moves": ["9"] }));
    failed("position", json!({ "sfen": "4k4/9/9/9/9/4P4/4P4/9/4K4 b - 1" }));
    let game = |nodes: Value| json!({ "start": "startpos", "nodes": nodes });
    failed("writeGame", json!({ "game": game(json!([])), "format": "9" }));
    failed("writeGame", json!({ "game": game(json!([])), "format": "kif", "encoding": "9" }));
    for node in [
        json!({ "parent": 1 }),
        json!({ "parent": 0 }),
        json!({ "parent": 0, "usi": "9" }),
        json!({ "parent": 0, "usi": "7g7e" }),
        json!({ "parent": 0, "end": "9" }),
        json!({ "parent": 0, "usi": "7g7f", "seconds": -1.0 }),
        json!({ "parent": 0, "usi": "7g7f", "evaluations": [{ "winner": "9" }] }),
    ] {
        failed("writeGame", json!({ "game": game(json!([{}, node])), "format": "kif" }));
    }
    let read = result("readGames", json!({ "text": format!("{KIF}{}", "ことば\n".repeat(30)) }));
    let notes = read["notes"].as_array().unwrap();
    assert!(notes.len() > 20);
    notes.iter().for_each(is_japanese);
    let query = json!({ "game": read["games"][0], "format": "sfen" });
    let losses = result("writeGame", query)["losses"].clone();
    assert!(losses.as_array().unwrap().len() > 2);
    losses.as_array().unwrap().iter().for_each(is_japanese);
}

#[test]
fn a_text_without_a_game_is_an_error() {
    for text in ["", "hello", "<html><body>先手：羽生</body></html>", "{\"moves\": 3}", "\0\0\0"]
    {
        error("readGames", json!({ "text": text }));
    }
    assert_eq!(error("readGames", json!({ "base64": "?" })), "this is not base64");
    error("readGames", json!({}));
}

#[test]
fn ten_megabytes_are_refused_and_four_are_read_or_refused() {
    let text = "\u{6f22}".repeat(10_000_000 / 3);
    let message = error("readGames", json!({ "text": text }));
    assert_eq!(message, "9.5 MiB is too much: at most 4.0 are read");
    let message = error("readGames", json!({ "text": "x".repeat(17 << 20) }));
    assert!(message.ends_with("at most 16.0 are read"), "{message}");
    error("readGames", json!({ "text": "*\n".repeat(1 << 20) }));
    let noisy = format!("{KIF}{}", "変化：9手\n".repeat(200_000));
    let found = result("readGames", json!({ "text": noisy }));
    assert!(found["notes"].as_array().unwrap().len() <= 22);
}

#[test]
fn of_many_games_the_first_are_returned_and_of_a_huge_game_none() {
    let many = "startpos moves 7g7f\n".repeat(501);
    let found = result("readGames", json!({ "text": many }));
    assert_eq!(found["games"].as_array().unwrap().len(), 500);
    let note =
        json!({ "en": "only the first 500 games are shown", "ja": "最初の500局だけを表示します" });
    assert_eq!(found["notes"], json!([note]));
    let huge = format!("startpos moves {}", "4i4h 6a6b 4h4i 6b6a ".repeat(5000));
    let message = error("readGames", json!({ "text": huge }));
    assert!(message.starts_with("the game has 20000 moves"), "{message}");
}

#[test]
fn an_invalid_tree_is_refused() {
    let refused = |nodes: Value| {
        let game = json!({ "start": "startpos", "nodes": nodes });
        error("writeGame", json!({ "game": game, "format": "kif" }))
    };
    assert_eq!(refused(json!([{}, {}])), "node 1: the parent must be a move before it");
    assert_eq!(refused(json!([{ "parent": 0 }])), "node 0: the parent must be a move before it");
    assert_eq!(refused(json!([{}, { "parent": 1, "usi": "7g7f" }])), refused(json!([{}, {}])));
    assert_eq!(
        refused(json!([{}, { "parent": 0 }])),
        "node 1: it must have either a move or an end"
    );
    assert_eq!(refused(json!([{}, { "parent": 0, "usi": "joho" }])), "node 1: this is not a move");
    assert_eq!(
        refused(json!([{}, { "parent": 0, "end": "joho" }])),
        "node 1: no line ends with this word"
    );
    assert_eq!(refused(json!([{ "seconds": -1.0 }])), "node 0: this is not a time");
    refused(json!([{}, { "parent": 0, "end": "resign" }, { "parent": 1, "usi": "7g7f" }]));
    assert!(refused(json!([{}, { "parent": 0, "usi": "7g7e" }])).starts_with("node 1: the piece"));
}

/// Regression: the second end was dropped, an unknown winner was Black, and an invalid time was left out.
#[test]
fn what_a_game_cannot_hold_is_an_error_of_its_node() {
    let refused = |node: Value| {
        let nodes = json!([{}, { "parent": 0, "end": "resign" }, node]);
        let game = json!({ "start": "startpos", "nodes": nodes });
        error("writeGame", json!({ "game": game, "format": "kif" }))
    };
    let other_end = json!({ "parent": 0, "end": "time_up" });
    assert_eq!(refused(other_end), "node 2: the line already has another end");
    let with =
        |evaluation: Value| json!({ "parent": 0, "usi": "7g7f", "evaluations": [evaluation] });
    let winner = refused(with(json!({ "winner": "sente" })));
    assert_eq!(winner, "node 2: the winner must be black or white");
    assert_eq!(refused(with(json!({ "seconds": -1.0 }))), "node 2: this is not a time");
}

/// Regression: the rest of the heading became a line of the record.
#[test]
fn a_heading_with_a_line_break_stays_one_line() {
    let evaluation = json!({ "centipawns": 30, "heading": "解析\n投了" });
    let nodes = json!([{}, { "parent": 0, "usi": "7g7f", "evaluations": [evaluation] }]);
    let game = json!({ "start": "startpos", "nodes": nodes });
    for (format, line) in [("kif", "**解析 投了 評価値 30\n"), ("csa", "'**解析 投了 評価値 30\n")]
    {
        let written = result("writeGame", json!({ "game": game, "format": format }));
        assert!(written["text"].as_str().unwrap().contains(line), "{written}");
    }
}

#[test]
fn nonsense_is_an_error_and_no_panic() {
    for request in ["", "{", "[]", "null", r#"{"call":1}"#, r#"{"call":"joho"}"#, "\u{0}"] {
        let answer: Value = serde_json::from_str(&call(request.as_bytes())).unwrap();
        assert!(answer["error"]["en"].is_string(), "{request}: {answer}");
    }
    call(&[0xff, 0xfe]);
    call("[".repeat(1 << 20).as_bytes());
    error("position", json!({ "sfen": "9/9" }));
    error("position", json!({ "sfen": "startpos", "moves": ["7g7e"] }));
    error("position", json!({ "sfen": "startpos", "moves": ["0000", "resign"] }));
    error("position", json!({ "sfen": 3 }));
    error("writeGame", json!({ "game": { "start": "9", "nodes": [] }, "format": "kif" }));
    error("writeGame", json!({ "game": { "start": "startpos", "nodes": [] }, "format": "pgn" }));
    result("writeGame", json!({ "game": { "start": "startpos", "nodes": [] }, "format": "kif" }));
}

#[test]
fn a_file_in_shift_jis_is_read() {
    let query = json!({ "base64": BASE64.encode(b"\x90\xe6\x8e\xe8\x81F\x89H\x90\xb6\n   1 \x82V\x98Z\x95\xe0(77)\n") });
    let game = result("readGames", query)["games"][0].clone();
    assert_eq!(game["headers"][0], json!(["先手", "羽生"]));
}
