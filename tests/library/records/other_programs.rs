//! What other programs write that the descriptions of the formats leave open.

use kawasemi::record::{
    ConversionLoss, Encoding, Ending, ErrorPolicy, GameRecord, GameStep, HeaderKey, NodeId,
    ParsedGames, RecordFormat, WarningKind, detect, read, read_bytes, write,
};
use kawasemi::types::Color;

use super::{clean, diagram, moves, parsed};

fn written(game: &GameRecord, format: RecordFormat) -> String {
    let (text, losses) = write(std::slice::from_ref(game), format, Encoding::Utf8);
    assert!(losses.is_empty(), "{losses:?} in\n{text}");
    text
}

/// The moves of every line from the start to its end, and what kind of end it has.
fn lines(game: &GameRecord) -> Vec<String> {
    let mut lines = Vec::new();
    let mut open = vec![(NodeId::ROOT, String::new())];
    while let Some((id, line)) = open.pop() {
        let node = game.node(id);
        let line = match node.step() {
            GameStep::Start => line,
            GameStep::Move(mv) => format!("{line} {mv}"),
            GameStep::Ending(_) => format!("{line} end"),
        };
        if node.children().is_empty() {
            lines.push(line.trim().to_owned());
        }
        open.extend(node.children().iter().rev().map(|&child| (child, line.clone())));
    }
    lines
}

#[test]
fn the_hand_may_be_written_as_the_square_00() {
    let text = "手合割：平手\n1 ７六歩(77) ( 0:01/00:00:01)\n2 ３四歩(33) ( 0:02/00:00:02)\n\
                3 ２二角成(88) ( 0:03/00:00:04)\n4 同　銀(31) ( 0:04/00:00:06)\n";
    for (drop, end) in [
        ("５五角打(00)", "投了打(00)"),
        ("５五角打（００）", "投了打（００）"),
        ("５五角(00)", "投了(00)"),
        ("５五角打 (00)", "投了"),
    ] {
        let game = clean(&format!("{text}5 {drop}   ( 0:05/00:00:09)\n6 {end} ( 0:06/00:00:12)\n"));
        assert_eq!(moves(&game), "7g7f 3c3d 8h2b+ 3a2b B*5e", "{drop}");
        assert_eq!(game.ending(), Some(&Ending::Resign));
        let seconds = game.nodes().filter_map(|(_, node)| node.elapsed).map(|time| time.as_secs());
        assert_eq!(seconds.collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6], "{drop}");
    }
}

/// Regression: a piece of the same kind on the board moved there.
#[test]
fn a_piece_from_the_square_00_does_not_come_from_the_board() {
    let text = "後手の持駒：なし\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n\
                | ・ ・ ・ ・ 金 ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n\
                | ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n\
                | ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n\
                | ・ ・ ・ ・ 玉 ・ ・ ・ ・|\n先手の持駒：金\n先手番\n1 ５二金(00)\n";
    assert_eq!(moves(&clean(text)), "G*5b");
}

const BASE: &str =
    "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n4 ８四歩(83)\n5 ２五歩(26)\n";

/// Regression: it went on with the branch before, where that ended at the move before.
#[test]
fn a_branch_leaves_the_latest_line_that_has_a_move_of_its_number() {
    let text = format!("{BASE}変化：3手\n3 ６六歩(67)\n変化：4手\n4 ４四歩(43)\n");
    let expected = ["7g7f 3c3d 2g2f 8c8d 2f2e", "7g7f 3c3d 2g2f 4c4d", "7g7f 3c3d 6g6f"];
    assert_eq!(lines(&clean(&text)), expected);
    // The latest line that has the move, not the main line.
    let text = format!(
        "{BASE}変化：2手\n2 ８四歩(83)\n3 ２六歩(27)\n4 ８五歩(84)\n\
         変化：3手\n3 ６六歩(67)\n変化：4手\n4 ３四歩(33)\n"
    );
    let expected = [
        "7g7f 3c3d 2g2f 8c8d 2f2e",
        "7g7f 8c8d 2g2f 8d8e",
        "7g7f 8c8d 2g2f 3c3d",
        "7g7f 8c8d 6g6f",
    ];
    assert_eq!(lines(&clean(&text)), expected);
    // An end has a number too.
    let text = format!("{BASE}変化：3手\n3 中断\n変化：3手\n3 ６六歩(67)\n");
    assert_eq!(lines(&clean(&text))[1..], ["7g7f 3c3d end", "7g7f 3c3d 6g6f"]);
}

#[test]
fn a_branch_that_no_line_has_a_move_for_continues_with_the_main_line() {
    let text = format!("{BASE}変化：3手\n3 ６六歩(67)\n変化：6手\n6 ８五歩(84)\n");
    assert_eq!(moves(&clean(&text)), "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e");
    // If the main line is too short, with the latest line that is long enough.
    let text = "手合割：平手\n1 ７六歩(77)\n変化：1手\n1 ２六歩(27)\n2 ８四歩(83)\n変化：3手\n3 ２五歩(26)\n";
    assert_eq!(lines(&clean(text)), ["7g7f", "2g2f 8c8d 2f2e"]);
}

/// Regression: the second one silently became a branch, or an error.
#[test]
fn a_repeated_move_number_in_a_branch_is_read_as_the_next() {
    let text = format!("{BASE}変化：3手\n3 ６六歩(67)\n3 ８四歩(83)\n4 投了\n");
    let ParsedGames { games, warnings } = parsed(&text);
    assert_eq!(lines(&games[0])[1], "7g7f 3c3d 6g6f 8c8d end");
    let numbers: Vec<usize> = warnings
        .iter()
        .filter(|warning| matches!(warning.kind, WarningKind::UnexpectedNumber(_)))
        .map(|warning| warning.line)
        .collect();
    assert_eq!((numbers, warnings.len()), (vec![9, 10], 2));
    // A move that cannot be the next begins a branch, as where there are no headings.
    let text = format!("{BASE}変化：3手\n3 ６六歩(67)\n3 ９六歩(97)\n");
    assert_eq!(lines(&clean(&text))[1..], ["7g7f 3c3d 6g6f", "7g7f 3c3d 9g9f"]);
}

#[test]
fn evaluations_of_csa_3_have_nodes() {
    let text = "V3.0\nPI\n+\n+7776FU\nT1\n'** 30 -3334FU +2726FU #1234\n";
    let game = clean(text);
    let [evaluation] = &game.node(game.main_line().nth(1).unwrap()).evaluations[..] else {
        panic!("{game:?}")
    };
    assert_eq!((evaluation.nodes, evaluation.line.len()), (Some(1234), 2));
    assert!(written(&game, RecordFormat::Csa3).contains("\n'** 30 -3334FU +2726FU #1234\n"));
    assert_eq!(clean(&written(&game, RecordFormat::Kif)), game, "KIF has them in other words");
    let (text, losses) = write(&[game], RecordFormat::Csa, Encoding::Utf8);
    assert!(text.contains("\n'** 30 -3334FU +2726FU\n"), "{text}");
    assert_eq!(losses.count(ConversionLoss::EvaluationDetails), 1);
}

/// Regression: they were only comments.
#[test]
fn evaluations_of_shogihome_are_kept_in_every_notation_with_comments() {
    let comments = ["#評価値=108", "*詰み=先手勝ち:5手", "#読み筋=△３四歩", "#深さ=8"];
    let lines: String = comments.iter().map(|comment| format!("*{comment}\n")).collect();
    let game = clean(&format!("手合割：平手\n1 ７六歩(77)\n{lines}"));
    let node = game.node(game.main_line().nth(1).unwrap());
    let values = node.evaluations.iter().map(|evaluation| evaluation.value.centipawns());
    assert_eq!(values.collect::<Vec<_>>(), [108, 30_000]);
    assert_eq!(node.comments, comments[2..]);
    for format in [RecordFormat::Kif, RecordFormat::Ki2, RecordFormat::Csa, RecordFormat::Jkf] {
        let text = written(&game, format);
        assert!(comments.iter().all(|comment| text.contains(comment)), "{text}");
        assert_eq!(clean(&text), game, "{text}");
    }
}

#[test]
fn notes_of_csa_3_have_line_breaks() {
    let game = clean("V3.0\n$NOTE:one\\ntwo \\\\n \\x\nPI\n+\n+7776FU\n");
    assert_eq!(game.headers.get(&HeaderKey::Note), Some("one\ntwo \\n \\x"));
    let text = written(&game, RecordFormat::Csa3);
    assert!(text.contains("\n$NOTE:one\\ntwo \\\\n \\\\x\n"), "{text}");
    assert_eq!(clean(&text), game);
    let (text, losses) = write(&[game], RecordFormat::Kif, Encoding::Utf8);
    assert!(text.contains("\n備考：one two \\n \\x\n"), "{text}");
    assert_eq!(losses.count(ConversionLoss::LineBreaks), 1);
}

#[test]
fn the_time_of_one_side_has_two_names_in_csa_3() {
    let with = |black: &str, white: &str| {
        clean(&format!("V3.0\n${black}:600+10+0\n${white}:300+5+0\nPI\n+\n+7776FU\n"))
    };
    let game = with("TIME+", "TIME-");
    assert_eq!(game.headers.get(&HeaderKey::WhiteTimeLimit), Some("300+5+0"));
    assert_eq!(with("TIMET+", "TIMET-"), game);
    assert!(written(&game, RecordFormat::Csa3).contains("\n$TIME+:600+10+0\n"));
}

#[test]
fn times_with_a_sign_count_milliseconds() {
    let millis = |times: [&str; 2]| {
        let text = format!("PI\n+\n+7776FU,{}\n-3334FU\n{}\n", times[0], times[1]);
        let ParsedGames { games, warnings } = parsed(&text);
        let times = games[0].nodes().filter_map(|(_, node)| node.elapsed);
        (times.map(|time| time.as_millis()).collect::<Vec<_>>(), warnings.len())
    };
    assert_eq!(millis(["T+600", "T+12345"]), (vec![600, 12_345], 0));
    assert_eq!(millis(["T600", "T0.6"]), (vec![600_000, 600], 0));
    assert_eq!(millis(["T+", "T+1.5"]), (vec![], 2));
    assert_eq!(millis(["T-600", "T+99999999999999999999"]), (vec![], 2));
}

#[test]
fn the_line_below_the_moves_keeps_winner_and_foul() {
    let other = |words: &str| Ending::Other(words.into());
    let foul = Ending::IllegalAction;
    for (words, ending) in [
        // Black has moved, and White is to move.
        ("反則により後手の勝ち", foul(Color::Black)),
        ("反則により先手の勝ち", Ending::IllegalMove),
        ("先手の反則により後手の勝ち", foul(Color::Black)),
        ("二歩により後手の勝ち", foul(Color::Black)),
        ("王手放置の反則により上手の勝ち", foul(Color::Black)),
        ("連続王手の千日手により先手の勝ち", Ending::IllegalMove),
        ("時間切れにより先手の勝ち", Ending::TimeUp),
        ("時間切れにより後手の勝ち", other("時間切れにより後手の勝ち")),
        ("後手の時間切れ負け", Ending::TimeUp),
        ("先手の切れ負け", other("先手の切れ負け")),
        ("入玉により後手の勝ち", Ending::Declaration),
        ("入玉により先手の勝ち", other("入玉により先手の勝ち")),
        ("先手の入玉勝ち", other("先手の入玉勝ち")),
        ("投了により先手の勝ち", Ending::Resign),
        ("後手の投了", Ending::Resign),
        ("立会人の裁定により後手の勝ち", other("立会人の裁定により後手の勝ち")),
        ("後手の反則により後手の勝ち", other("後手の反則により後手の勝ち")),
    ] {
        for text in ["手合割：平手\n▲７六歩\n", "手合割：平手\n1 ７六歩(77)\n"]
        {
            let game = clean(&format!("{text}まで1手で{words}\n"));
            assert_eq!(game.ending(), Some(&ending), "{words}");
            assert_eq!(
                clean(&written(&game, RecordFormat::Ki2)).ending(),
                Some(&ending),
                "{words}"
            );
        }
    }
}

/// Regression: the side to move lost.
#[test]
fn a_win_on_time_is_no_loss_on_time() {
    for (word, ending) in [
        ("時間切れ勝ち", Ending::Other("時間切れ勝ち".into())),
        ("入玉宣言勝ち", Ending::Declaration),
    ] {
        let game = clean(&format!("手合割：平手\n1 ７六歩(77)\n2 {word}\n"));
        assert_eq!(game.ending(), Some(&ending), "{word}");
    }
}

/// Regression: the move after the CR became the main line, and those of the game a branch.
#[test]
fn a_text_box_of_windows_breaks_the_lines_of_a_comment_with_cr() {
    let text = "手合割：平手\n先手：A\n1 ７六歩(77)\n*次は\r△８四歩\n2 ３四歩(33)\n3 投了\n";
    let game = clean(&text.replace('\n', "\r\n"));
    assert_eq!((moves(&game).as_str(), lines(&game).len()), ("7g7f 3c3d", 1));
    let first = game.node(game.main_line().nth(1).unwrap());
    assert_eq!(first.comments, ["次は", "△８四歩"]);
    let jkf = clean(r#"{"header":{},"moves":[{"comments":["a\r\nb\rc"]}]}"#);
    assert_eq!(jkf.node(NodeId::ROOT).comments, ["a", "b", "c"]);
}

#[test]
fn the_last_move_before_a_diagram_determines_the_side_to_move() {
    let side = |text: &str| clean(&format!("{}{text}\n", diagram("v玉"))).start().side;
    assert_eq!(side("手数＝25 ▲５九玉 まで"), Color::White);
    assert_eq!(side("手数＝26  △５一玉  まで"), Color::Black);
    assert_eq!(side("手数＝25 ▲５九玉 まで\n先手番"), Color::Black, "the turn counts more");
    assert_eq!(side("手数＝25 まで"), Color::Black, "a number tells nothing after a handicap");
    assert_eq!(side("手数＝25 ▲５九玉 まで\n1 ５八玉(59)"), Color::Black, "so does a move");
    assert_eq!(side("1 ５二玉(51)"), Color::White);
    assert_eq!(side("△５二玉"), Color::White);
}

#[test]
fn two_marks_show_that_a_piece_of_a_diagram_is_whites() {
    for king in ["v玉", "^玉"] {
        let start = clean(&diagram(king)).start().to_string();
        assert_eq!(start, "4k4/9/9/9/9/9/9/9/4K4 b - 1", "{king}");
    }
}

#[test]
fn an_empty_text_in_jkf_is_false() {
    for (value, mv) in [("\"\"", "8h3c"), ("false", "8h3c"), ("null", "8h3c"), ("true", "8h3c+")] {
        let text = format!(
            r#"{{"moves":[{{}},{{"move":{{"from":{{"x":7,"y":7}},"to":{{"x":7,"y":6}},"piece":"FU"}}}},
            {{"move":{{"from":{{"x":9,"y":3}},"to":{{"x":9,"y":4}},"piece":"FU"}}}},
            {{"move":{{"from":{{"x":8,"y":8}},"to":{{"x":3,"y":3}},"piece":"KA","promote":{value},"same":""}}}}]}}"#
        );
        assert!(moves(&clean(&text)).ends_with(mv), "{value}");
    }
}

/// Regression: it was an ending in its own words, without a winner.
#[test]
fn an_illegal_action_without_a_sign_is_one_by_the_side_that_is_not_to_move() {
    let pawn = |x: u8, from: u8, to: u8| {
        format!(
            r#"{{"move":{{"from":{{"x":{x},"y":{from}}},"to":{{"x":{x},"y":{to}}},"piece":"FU"}}}}"#
        )
    };
    let steps = [pawn(7, 7, 6), pawn(3, 3, 4)];
    let csa = ["+7776FU\n", "-3334FU\n"];
    for (moves, offender) in [(1, Color::Black), (2, Color::White)] {
        let jkf = steps[..moves].join(",");
        let jkf = format!(r#"{{"moves":[{{}},{jkf},{{"special":"ILLEGAL_ACTION"}}]}}"#);
        for text in [jkf, format!("PI\n+\n{}%ILLEGAL_ACTION\n", csa[..moves].concat())] {
            let game = clean(&text);
            assert_eq!(game.ending(), Some(&Ending::IllegalAction(offender)), "{text}");
            assert!(written(&game, RecordFormat::Kif).contains(" 反則勝ち\n"), "{text}");
        }
    }
}

/// Regression: the file was taken for one in USI notation.
#[test]
fn a_header_with_slashes_is_no_position() {
    for text in ["a/b/c/d/e/f/g/h/i x", "９/9/9/9/9/9/9/9/9 b", "1/2/3/4/5/6/7/8/9 手"] {
        let text = format!("手合割：平手\n備考：{text}\n {text}：1\n▲７六歩\n");
        assert_eq!(detect(&text), Some(RecordFormat::Ki2), "{text}");
    }
}

/// Regression: it was read as a game without moves.
#[test]
fn a_web_page_is_no_game() {
    let page = "<!DOCTYPE html>\n<html>\n<a href=\"https://example.org/\">x</a>\n'use strict';\n-\n\
                先手：A\n後手：B\n場所：東京\n1 名\nまでのお知らせ\n</html>\n";
    for name in [None, Some(RecordFormat::Kif), Some(RecordFormat::Csa)] {
        let Ok((_, parsed)) = read_bytes(page.as_bytes(), name, ErrorPolicy::Refuse) else {
            continue;
        };
        assert_eq!(parsed.games, [], "{name:?}");
    }
    let lines: Vec<&str> = page.lines().filter(|line| !line.starts_with(['\'', '-'])).collect();
    let (format, parsed) =
        read_bytes(lines.join("\n").as_bytes(), None, ErrorPolicy::Refuse).unwrap();
    assert_eq!((format, parsed.games), (RecordFormat::Kif, vec![]));
    // Regression: with this line it was.
    let named = page.replace("先手：A", "手合割：平手");
    let parsed = read(&named, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap();
    assert_eq!(parsed.games, []);
    assert_eq!(clean("手合割：平手\n備考：A\n").headers.iter().count(), 1);
    // With a game in it, it is one; and headers alone are a game without moves.
    let page = page.replace("1 名", "1 ７六歩(77)");
    let parsed = read(&page, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap();
    assert_eq!(parsed.games.iter().map(moves).collect::<Vec<_>>(), ["7g7f"]);
    assert_eq!(clean("先手：A\n後手：B\n").headers.iter().count(), 2);
}

/// Regression: Kifu for JS reads no `#` line in KI2 between a diagram and a blank line.
#[test]
fn remarks_on_a_game_are_above_its_diagram() {
    let mut game = clean("sfen 4k4/9/9/9/9/9/9/9/4K4 w - 1 moves 5a5b\n");
    game.node_mut(NodeId::ROOT).remarks.push(" made by hand".into());
    for format in [RecordFormat::Ki2, RecordFormat::Kif] {
        let text = written(&game, format);
        assert!(text.contains("手合割：その他\n# made by hand\n後手の持駒"), "{text}");
        assert_eq!(clean(&text), game);
    }
}

/// Regression: they were comments of the move, and JKF lost those of other notations.
#[test]
fn bookmarks_of_jkf_are_comments_with_a_mark() {
    let game = clean("手合割：平手\n&start\n1 ７六歩(77)\n*good\n*&no mark\n&first\n");
    let text = written(&game, RecordFormat::Jkf);
    assert!(text.contains(r#"{"comments":["&start"]}"#), "{text}");
    assert!(text.contains(r#""comments":["good"," &no mark","&first"]"#), "{text}");
    let back = clean(&text);
    let bookmarks: Vec<_> = back.nodes().map(|(_, node)| node.bookmark.as_deref()).collect();
    assert_eq!(bookmarks, [Some("start"), Some("first")]);
    let last = back.node(back.main_line().last().unwrap());
    assert_eq!(last.comments, ["good", " &no mark"]);
    assert_eq!(written(&back, RecordFormat::Jkf), text);
    let two = text.replace("good", "&second");
    let ParsedGames { games, warnings } = parsed(&two);
    let last = games[0].node(games[0].main_line().last().unwrap());
    assert_eq!(last.bookmark.as_deref(), Some("second"));
    assert!(matches!(warnings[0].kind, WarningKind::DuplicateAnnotation(_)), "{warnings:?}");
}

/// Regression: CSA dropped both silently.
#[test]
fn bookmarks_of_the_start_and_encoding_comments_are_kept_or_reported() {
    let kif = "手合割：平手\n#CSA encoding=UTF-8\n#encoding=x\n&mark\n1 ７六歩(77)\n#encoding=y\n";
    let game = clean(kif);
    for format in [RecordFormat::Csa, RecordFormat::Csa3] {
        let (text, losses) = write(std::slice::from_ref(&game), format, Encoding::Utf8);
        assert_eq!(losses.count(ConversionLoss::Bookmarks), 1, "{text}");
        let back = clean(&text);
        let remarks: Vec<&String> = back.nodes().flat_map(|(_, node)| &node.remarks).collect();
        assert_eq!(remarks, [" CSA encoding=UTF-8", " encoding=x", " encoding=y"], "{text}");
        assert_eq!(written(&back, format), text);
    }
}
