//! What real files say in unusual ways is read, or a warning tells what is left out.

use kawasemi::record::{
    ConversionLoss, Encoding, Ending, ErrorPolicy, GameRecord, HeaderKey, NodeId, ParsedGames,
    RecordFormat, WarningKind, detect, kanji_diagram, read, side_names, write,
};
use kawasemi::types::Color;

use super::{clean, diagram, moves, parsed};

/// The only game of a text, and the warnings about it.
fn read_one(text: &str) -> (GameRecord, Vec<WarningKind>) {
    let ParsedGames { mut games, warnings } = parsed(text);
    assert_eq!(games.len(), 1, "{text}");
    (games.remove(0), warnings.into_iter().map(|warning| warning.kind).collect())
}

fn seconds(game: &GameRecord) -> Vec<Option<u64>> {
    let times = game.main_line().skip(1).map(|id| game.node(id).elapsed);
    times.map(|time| time.map(|time| time.as_secs())).collect()
}

/// Two moves of KIF, and these lines.
fn kif(tail: &str) -> String {
    format!("手合割：平手\n1 ７六歩(77) ( 0:01/00:00:01)\n2 ３四歩(33) ( 0:01/00:00:01)\n{tail}\n")
}

/// Regression: such a line became a header, because its time has colons, and the move was gone.
#[test]
fn a_move_without_its_number_is_no_header() {
    for third in [
        "     ２六歩(27)   ( 0:02/00:00:03)",
        "   3２六歩(27)   ( 0:02/00:00:03)",
        "２６歩(27)(0:02/0:00:03)+",
    ] {
        let text = kif(third);
        let game = clean(&text);
        assert_eq!(moves(&game), "7g7f 3c3d 2g2f", "{text}");
        assert_eq!(seconds(&game), [Some(1), Some(1), Some(2)], "{text}");
        assert_eq!(game.headers.iter().count(), 0);
    }
    let text = "手合割：平手\n７六歩(77)   ( 0:01/00:00:01)\n３四歩(33)\n２二角成(88) (0:xx/)\n\
                同　銀(31)   ( 0:03/00:00:03)\n４五角打   ( 0:04/)\n投了 ( 0:xx/)\n";
    let (game, warnings) = read_one(text);
    assert_eq!(moves(&game), "7g7f 3c3d 8h2b+ 3a2b B*4e");
    assert_eq!(seconds(&game), [Some(1), None, None, Some(3), Some(4), None]);
    assert_eq!(game.ending(), Some(&Ending::Resign));
    let is_time = |kind: &WarningKind| matches!(kind, WarningKind::InvalidTime(_));
    assert!(warnings.len() == 2 && warnings.iter().all(is_time), "{warnings:?}");
    let branch = clean(&kif("3 ２六歩(27)\n変化：2手\n2８四歩(83)"));
    assert_eq!(branch.nodes().count(), 5);
}

/// Regression: these too were headers, without a warning.
#[test]
fn a_line_with_a_time_is_no_header() {
    let (game, warnings) = read_one(&kif("   4 封じ手   ( 0:05/00:00:06)"));
    assert_eq!(game.ending(), Some(&Ending::Other("封じ手".into())));
    assert_eq!(seconds(&game)[2], Some(5));
    assert!(matches!(warnings[..], [WarningKind::UnexpectedNumber(_)]), "{warnings:?}");
    let (game, warnings) = read_one(&kif("封じ手   ( 0:05/00:00:06)\n備考：昼食 (1:00/1:00)"));
    assert_eq!(game.headers.get(&HeaderKey::Note), Some("昼食 (1:00/1:00)"));
    assert!(matches!(warnings[..], [WarningKind::UnknownLine(_)]), "{warnings:?}");
    let text = kif("７六ほ(77)   ( 0:01/00:00:02)");
    let error = read(&text, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap_err().to_string();
    assert!(error.ends_with("this is not a move"), "{error}");
    // A sentence that begins with a move is none.
    let (game, warnings) = read_one(&kif("２六歩(27)が好手\n２六歩"));
    assert_eq!(moves(&game), "7g7f 3c3d");
    assert_eq!(warnings.len(), 2, "{warnings:?}");
}

/// Regression: it was dropped silently if a step had ended the line.
#[test]
fn the_line_below_the_moves_completes_or_contradicts_the_ending() {
    for (step, stated, ending) in [
        ("中断", "まで2手で時間切れにより後手の勝ち", Ending::TimeUp),
        ("中断", "まで後手の反則負け", Ending::IllegalAction(Color::White)),
        ("中断", "まで2手で中断", Ending::Interrupted),
        ("中断", "まで2手", Ending::Interrupted),
        ("投了", "まで2手で後手の勝ち", Ending::Resign),
        ("切れ負け", "まで2手で後手の勝ち", Ending::TimeUp),
        ("切れ負け", "まで2手で先手の負け", Ending::TimeUp),
        ("詰み", "まで2手詰め", Ending::Mate),
        ("詰み", "まで、2手にて後手勝ち", Ending::Mate),
        ("入玉勝ち", "まで2手で先手の勝ち", Ending::Declaration),
        ("反則勝ち", "まで2手で先手の勝ち", Ending::IllegalAction(Color::White)),
        ("千日手", "まで2手で引き分け", Ending::Sennichite),
    ] {
        let game = clean(&kif(&format!("3 {step} ( 0:05/00:00:06)\n{stated}")));
        assert_eq!(game.ending(), Some(&ending), "{step}, {stated}");
        assert_eq!(seconds(&game)[2], Some(5), "{step}, {stated}");
    }
    for (step, stated, ending) in [
        ("投了", "まで2手で後手の反則負け", Ending::Resign),
        ("投了", "まで2手で先手の勝ち", Ending::Resign),
        ("投了", "まで2手で時間切れにより後手の勝ち", Ending::Resign),
        ("持将棋", "まで2手で先手の勝ち", Ending::Jishogi),
        ("中断", "まで90手で後手の勝ち", Ending::Interrupted),
    ] {
        let (game, warnings) = read_one(&kif(&format!("3 {step}\n{stated}")));
        assert_eq!(game.ending(), Some(&ending), "{step}, {stated}");
        assert!(matches!(warnings[..], [WarningKind::DuplicateEnding(_)]), "{step}, {stated}");
    }
    let (game, warnings) = read_one("▲７六歩 △３四歩 ▲投了\nまで2手で先手の勝ち\nまでの棋譜\n");
    assert_eq!(game.ending(), Some(&Ending::Resign));
    use WarningKind::{DuplicateEnding, UnknownLine};
    assert!(matches!(warnings[..], [DuplicateEnding(_), UnknownLine(_)]), "{warnings:?}");
}

/// Regression: it was dropped silently.
#[test]
fn text_after_a_time_is_a_comment_or_reported() {
    let last = |tail: &str| {
        let (game, warnings) = read_one(&kif(&format!("3 ２六歩(27) {tail}")));
        assert_eq!(moves(&game), "7g7f 3c3d 2g2f", "{tail}");
        let node = game.node(game.main_line().last().unwrap());
        let seconds = node.elapsed.map(|time| time.as_secs());
        (seconds, node.comments.clone(), warnings)
    };
    let comment = |text: &str| vec![text.to_owned()];
    for time in ["( 0:05/00:00:06)", "( 0:05/00:00:06)+", "（0:05）"] {
        assert_eq!(last(time), (Some(5), vec![], vec![]), "{time}");
        assert_eq!(last(&format!("{time} *好手+")), (Some(5), comment("好手+"), vec![]), "{time}");
        let (seconds, comments, warnings) = last(&format!("{time} メモ"));
        assert_eq!((seconds, comments), (Some(5), vec![]), "{time}");
        assert!(matches!(warnings[..], [WarningKind::UnknownLine(_)]), "{warnings:?}");
    }
    assert_eq!(last("*好手"), (None, comment("好手"), vec![]));
    assert_eq!(last("+"), (None, vec![], vec![]));
}

/// Regression: a warning said that the game was read as an even one.
#[test]
fn an_unknown_handicap_with_a_diagram_is_no_even_game() {
    let key = HeaderKey::Other("手合割".into());
    for name in ["月落ち", "トンボ"] {
        let game = clean(&format!("手合割：{name}\n{}1 ５二玉(51)\n", diagram("v玉")));
        assert_eq!(moves(&game), "5a5b");
        for format in [RecordFormat::Kif, RecordFormat::Ki2, RecordFormat::Jkf] {
            let (text, losses) = write(std::slice::from_ref(&game), format, Encoding::Utf8);
            assert!(losses.is_empty(), "{losses:?} in\n{text}");
            assert_eq!(text.matches("手合割").count(), 1, "{text}");
            let back = clean(&text);
            assert_eq!(back.headers.get(&key), Some(name), "{text}");
            assert_eq!(back.start(), game.start(), "{text}");
        }
    }
    // A name that readers know stands for its own position only.
    let (game, _) = read_one(&format!("手合割：香落ち\n{}1 ５二玉(51)\n", diagram("v玉")));
    let (text, _) = write(&[game], RecordFormat::Kif, Encoding::Utf8);
    assert!(text.contains("手合割：その他\n"), "{text}");
    let (game, warnings) = read_one("手合割：月落ち\n1 ７六歩(77)\n");
    assert!(matches!(warnings[..], [WarningKind::UnknownHandicap(_)]), "{warnings:?}");
    assert_eq!(game.headers.get(&key), None);
}

/// Regression: it was lost without a warning.
#[test]
fn a_handicap_is_not_left_out_silently_because_of_a_diagram() {
    for name in ["香落ち", "二枚落ち"] {
        let other = format!("手合割：{name}\n{}1 ５二玉(51)\n", diagram("v玉"));
        let (game, warnings) = read_one(&other);
        assert!(game.start().to_string().starts_with("4k4/9/"), "{}", game.start());
        assert!(matches!(warnings[..], [WarningKind::OtherHandicap(_)]), "{warnings:?}");
    }
    clean(&format!("手合割：平手\n{}1 ５二玉(51)\n", diagram("v玉")));
    // The diagram of the handicap itself.
    let game = clean("手合割：香落ち\n1 ５二玉(51)\n");
    let board = kanji_diagram(game.start(), &side_names(game.start()));
    let again = clean(&format!("手合割：香落ち\n{board}1 ５二玉(51)\n"));
    assert_eq!(again.start(), game.start());
}

/// Regression: they were unknown, and the first move was refused.
#[test]
fn handicaps_of_lishogi_are_known_by_their_names() {
    for (name, ranks) in [
        ("トンボ", "4k4/1r5b1/ppppppppp"),
        ("トンボ+香", "l3k3l/1r5b1/ppppppppp"),
        ("トンボ＋桂香", "ln2k2nl/1r5b1/ppppppppp"),
        ("兩香落ち", "1nsgkgsn1/1r5b1/ppppppppp"),
        ("両香落ち", "1nsgkgsn1/1r5b1/ppppppppp"),
        ("歩三兵", "4k4/9/9"),
        ("裸王", "4k4/9/9"),
    ] {
        let game = clean(&format!("手合割：{name}\n   1 ５二玉(51)\n"));
        assert_eq!(moves(&game), "5a5b", "{name}");
        assert!(game.start().to_string().starts_with(ranks), "{name}: {}", game.start());
        let (text, losses) = write(std::slice::from_ref(&game), RecordFormat::Kif, Encoding::Utf8);
        assert!(
            losses.is_empty() && text.contains(&format!("手合割：{name}\n上手の持駒")),
            "{text}"
        );
        assert_eq!(clean(&text), game);
    }
    assert!(clean("手合割：歩三兵\n1 ５五歩打\n").start().to_string().ends_with(" w 3p 1"));
    let on_lishogi = |name: &str| {
        clean(&format!(
            "開始日時：2024/01/01\n手合割：{name}\n場所：https://lishogi.org/x\n1 ５二玉(51)\n"
        ))
    };
    for (name, rank) in [("三枚落ち", "1nsgkgsnl"), ("七枚落ち", "3gkgs2"), ("九枚落ち", "4kg3")]
    {
        let game = on_lishogi(name);
        assert!(game.start().to_string().starts_with(&format!("{rank}/9/ppppppppp/")), "{name}");
        let (text, losses) = write(std::slice::from_ref(&game), RecordFormat::Kif, Encoding::Utf8);
        assert!(losses.is_empty(), "{losses:?} in\n{text}");
        assert_eq!(clean(&text), game);
    }
    assert_eq!(on_lishogi("二枚落ち").start(), clean("手合割：二枚落ち\n1 ５二玉(51)\n").start());
}

/// Regression: the file was refused.
#[test]
fn the_line_below_the_moves_may_stand_after_the_last_one_in_ki2() {
    for (stated, ending) in [
        ("まで2手で後手の勝ち", Ending::Resign),
        ("　まで、2手で中断", Ending::Interrupted),
        ("まで2手詰", Ending::Mate),
    ] {
        let game = clean(&format!("▲７六歩 △３四歩 {stated}\n"));
        assert_eq!((moves(&game).as_str(), game.ending()), ("7g7f 3c3d", Some(&ending)));
    }
    let (game, warnings) = read_one("▲７六歩 △３四歩まで\n▲２六歩\n");
    assert_eq!(moves(&game), "7g7f 3c3d 2g2f");
    assert!(matches!(warnings[..], [WarningKind::UnknownLine(_)]), "{warnings:?}");
}

/// Regression: they were 先手 and 後手 again, contrary to the manual.
#[test]
fn the_players_of_an_unusual_handicap_keep_their_names() {
    let game = clean("手合割：トンボ\n下手：A\n上手：B\n1 ５二玉(51)\n2 ７六歩(77)\n3 投了\n");
    for (format, names) in [
        (RecordFormat::Kif, &["上手の持駒：", "下手の持駒：", "上手番", "下手：A", "上手：B"][..]),
        (RecordFormat::Ki2, &["上手の持駒：", "まで2手で下手の勝ち"][..]),
        (RecordFormat::Jkf, &[r#""下手":"A""#, r#""上手":"B""#][..]),
    ] {
        let (text, losses) = write(std::slice::from_ref(&game), format, Encoding::Utf8);
        assert!(losses.is_empty() && names.iter().all(|name| text.contains(name)), "{text}");
        assert!(!text.contains("先手") && !text.contains("後手"), "{text}");
        assert_eq!(clean(&text), game, "{text}");
    }
}

/// Regression: a warning said that a line was lost, and `convert` did not replace the file.
#[test]
fn a_board_that_is_to_be_turned_loses_nothing() {
    let game = clean("手合割：平手\n盤面回転\n先手：A\n1 ７六歩(77)\n");
    assert_eq!((moves(&game).as_str(), game.headers.iter().count()), ("7g7f", 1));
}

/// Regression: it was a header, and Black was to move.
#[test]
fn a_header_may_tell_the_side_to_move_in_a_diagram() {
    let start = |above: &str, below: &str| {
        let game = clean(&format!("{above}{}{below}", diagram("v玉")));
        assert_eq!(game.headers.iter().count(), 0, "{above}{below}");
        game.start().side
    };
    for (side, color) in [
        ("後手", Color::White),
        ("上手番", Color::White),
        (" 後", Color::White),
        ("先手", Color::Black),
        ("下", Color::Black),
    ] {
        let line = format!("手番：{side}\n");
        assert_eq!((start(&line, ""), start("", &line)), (color, color), "{side}");
    }
    let game = clean(&format!("手番：不明\n{}", diagram("v玉")));
    let key = HeaderKey::Other("手番".into());
    assert_eq!((game.start().side, game.headers.get(&key)), (Color::Black, Some("不明")));
    // In other notations it is only a header.
    let game = clean(r#"{"header":{"手番":"後手"},"moves":[]}"#);
    let (text, losses) = write(&[game], RecordFormat::Kif, Encoding::Utf8);
    assert_eq!(losses.count(ConversionLoss::Headers), 1, "{text}");
    assert!(!text.contains("手番："), "{text}");
}

/// Regression: only the square of `同` was taken from it.
#[test]
fn the_last_move_before_a_diagram_is_kept_as_a_remark() {
    let with = |count: &str| {
        let game = clean(&format!("{}手数＝{count}\n1 ５二玉(51)\n", diagram("v玉")));
        game.node(NodeId::ROOT).remarks.clone()
    };
    assert_eq!(with("4 ▲５九玉 まで"), ["手数＝4 ▲５九玉 まで"]);
    assert_eq!(with("4　▲５九玉"), ["手数＝4　▲５九玉"]);
    for count in ["4", "4手 まで", "4  まで"] {
        assert_eq!(with(count), [""; 0], "{count}");
    }
    let text = format!("{}手数＝4 ▲５九玉 まで\n1 ５二玉(51)\n", diagram("v玉"));
    let game = clean(&text);
    for (format, lost) in [(RecordFormat::Kif, 0), (RecordFormat::Ki2, 0), (RecordFormat::Jkf, 1)] {
        let (text, losses) = write(std::slice::from_ref(&game), format, Encoding::Utf8);
        assert_eq!(losses.count(ConversionLoss::Remarks), lost, "{text}");
        assert_eq!(text.contains("#手数＝4 ▲５九玉 まで\n"), lost == 0, "{text}");
    }
}

/// Regression: the notation was detected, but no line was understood.
#[test]
fn csa_may_be_indented() {
    let text = "  V2.2\n  N+A\n\t$EVENT:x\n  PI\n  +\n  +7776FU, T12\n　-3334FU\n  T3, 'seen, twice\n \
                %TORYO\n /\n  PI\n  +\n  +2726FU\n";
    let parsed = read(text, detect(text).unwrap(), ErrorPolicy::Refuse).unwrap();
    assert_eq!(parsed.warnings, []);
    let played: Vec<String> = parsed.games.iter().map(moves).collect();
    assert_eq!(played, ["7g7f 3c3d", "2g2f"]);
    let game = &parsed.games[0];
    assert_eq!(seconds(game), [Some(12), Some(3), None]);
    assert_eq!(game.headers.get(&HeaderKey::Event), Some("x"));
    let second = game.node(game.main_line().nth(2).unwrap());
    assert_eq!(second.remarks, ["seen, twice"]);
}

/// Regression: only `/` ended a game, so joined files were refused, or lost all games but the first.
#[test]
fn a_game_of_csa_also_begins_with_its_version() {
    let one = |version: &str, player: &str, mv: &str| {
        format!(
            "{version}\nN+{player}\nPI\n+\n{mv}\nT1\n%TORYO\n$END_TIME:2024/01/02\n'summary:toryo\n"
        )
    };
    let text = [
        one("V2", "A", "+7776FU"),
        one("'CSA encoding=UTF-8\nV3.0", "B", "+2726FU"),
        one("V2.2", "C", "+9796FU"),
    ]
    .concat();
    let read_games = |text: &str| {
        let ParsedGames { games, warnings } =
            read(text, RecordFormat::Csa, ErrorPolicy::KeepPartial).unwrap();
        let named = |game: &GameRecord| {
            let player = game.headers.get(&HeaderKey::Black).unwrap_or_default();
            assert_eq!(game.headers.get(&HeaderKey::End).is_some(), game.ending().is_some());
            format!("{player} {}", moves(game))
        };
        (games.iter().map(named).collect::<Vec<_>>(), warnings.len())
    };
    let games = |first: &str| [first, "B 2g2f", "C 9g9f"].map(str::to_owned).to_vec();
    assert_eq!(read_games(&text), (games("A 7g7f"), 0));
    assert_eq!(read_games(&text.replacen("+7776FU", "+7775FU", 1)), (games("A "), 1));
}

/// Regression: the mark of the second file hid its first line, so that its start or its game was lost, and Ctrl+Z was
/// an unknown line or invalid JSON.
#[test]
fn joined_files_may_have_byte_order_marks_between_them_and_ctrl_z_after_them() {
    for file in [
        "手合割：二枚落ち\n   1 ６二銀(71)\n   2 投了\n",
        "V2.2\nPI82HI22KA\n-\n-7162GI\n%TORYO\n",
        "{\"initial\":{\"preset\":\"2\"},\"moves\":[{},{\"move\":{\"from\":{\"x\":7,\"y\":1},\
         \"to\":{\"x\":6,\"y\":2},\"piece\":\"GI\"}}]}\n",
    ] {
        let ParsedGames { games, warnings } =
            parsed(&(format!("\u{feff}{file}").repeat(2) + "\u{1a}"));
        let played: Vec<String> = games.iter().map(moves).collect();
        assert_eq!((played, warnings), (vec!["7a6b".to_owned(); 2], vec![]), "{file}");
    }
}

/// Regression: each became an ending in its own words, without a winner in other notations.
#[test]
fn results_are_read_in_many_words() {
    let foul = |color| Ending::IllegalAction(color);
    for (stated, ending) in [
        ("まで2手で後手勝ち", Ending::Resign),
        ("まで2手にて後手の勝ち", Ending::Resign),
        ("まで、2手で、後手の勝ち", Ending::Resign),
        ("まで2手で先手投了", Ending::Resign),
        ("まで2手で先手の負け", Ending::Resign),
        ("まで2手で後手の勝ち（時間切れ）", Ending::TimeUp),
        ("まで2手で後手の勝ち (投了)", Ending::Resign),
        ("まで2手で時間切れで後手勝ち", Ending::TimeUp),
        ("まで2手で後手の時間切れ勝ち", Ending::TimeUp),
        ("まで2手で詰みにより後手の勝ち", Ending::Mate),
        ("まで2手で後手の勝ち（詰み）", Ending::Mate),
        ("まで2手で先手の入玉宣言勝ち", Ending::Declaration),
        ("まで2手で先手の反則負け（二歩）", Ending::IllegalMove),
        ("まで2手で連続王手の千日手により後手の反則負け", foul(Color::White)),
        ("まで2手で千日手により引き分け", Ending::Sennichite),
        ("まで2手で持将棋で引き分け", Ending::Jishogi),
        ("まで2手で持将棋（24点法）", Ending::Jishogi),
        // White cannot declare on Black's turn.
        ("まで2手で後手の入玉宣言勝ち", Ending::Other("後手の入玉宣言勝ち".into())),
        ("まで2手で後手の勝ち（秒読み）", Ending::Other("後手の勝ち（秒読み）".into())),
    ] {
        let game = clean(&format!("▲７六歩 △３四歩\n{stated}\n"));
        assert_eq!(game.ending(), Some(&ending), "{stated}");
        let (text, losses) = write(std::slice::from_ref(&game), RecordFormat::Ki2, Encoding::Utf8);
        assert!(losses.is_empty(), "{losses:?} in\n{text}");
        assert_eq!(clean(&text).ending(), Some(&ending), "{text}");
    }
}
