//! Deviations of real files from the descriptions of the formats.

use kawasemi::record::{
    ConversionLoss, Encoding, Ending, ErrorPolicy, GameRecord, HeaderKey, ParsedGames, ReadWarning,
    RecordFormat, WarningKind, detect, read, read_bytes, write,
};
use kawasemi::types::Color;

use super::{moves, parsed};

fn games(text: &str) -> Vec<GameRecord> {
    parsed(text).games
}

fn only_moves(text: &str) -> String {
    let games = games(text);
    assert_eq!(games.len(), 1, "{text}");
    moves(&games[0])
}

#[test]
fn kif_is_read_in_any_width_and_with_any_end_of_line() {
    let usual = "開始日時：2024/01/02\n手合割：平手　　\n先手：A\n後手：B\n\
                 手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:12/00:00:12)\n   \
                 2 ３四歩(33)   ( 0:01/00:00:01)+\n   3 ２二角成(88) ( 1:00/00:01:12)\n   \
                 4 同　銀(31)   ( 0:00/00:00:01)\n   5 投了         ( 0:05/00:01:17)\n";
    let expected = "7g7f 3c3d 8h2b+ 3a2b";
    let narrow = usual.replace('：', ":").replace('　', " ");
    let wide = usual.replace("   1 ７六歩(77)", "　１　７６歩（７７）");
    let texts = [
        usual.to_owned(),
        usual.replace('\n', "\r\n"),
        usual.replace('\n', "\r\r\n"),
        usual.replace('\n', "\r"),
        usual.replace('\n', "\r").replacen('\r', "\n", 1),
        format!("\u{feff}{usual}"),
        usual.replace('\n', "  　\n"),
        usual.replace("同　銀", "同銀"),
        usual.replace("同　銀", "同 銀"),
        usual.replace("同　銀", "２二銀"),
        usual.replace("手合割：平手　　\n", ""),
        usual.replace("手数----指手---------消費時間--\n", ""),
        usual.trim_end().to_owned(),
        narrow,
        wide,
    ];
    for text in texts {
        let games = games(&text);
        assert_eq!(games.len(), 1, "{text}");
        assert_eq!(moves(&games[0]), expected, "{text}");
        assert_eq!(games[0].ending(), Some(&Ending::Resign));
        assert_eq!(games[0].headers.get(&HeaderKey::Black), Some("A"));
        let times: Vec<_> = games[0].main_line().map(|id| games[0].node(id).elapsed).collect();
        assert_eq!(times[1].unwrap().as_secs(), 12, "{text}");
        assert_eq!(times[3].unwrap().as_secs(), 60, "{text}");
    }
}

#[test]
fn kif_without_or_with_odd_times_is_read() {
    let parsed = read(
        "1 ７六歩(77)\n2 ３四歩(33) (0:xx/)\n3 ２六歩(27) (1:02:03/1:02:03)\n",
        RecordFormat::Kif,
        ErrorPolicy::Refuse,
    );
    let parsed = parsed.unwrap();
    assert_eq!(moves(&parsed.games[0]), "7g7f 3c3d 2g2f");
    assert!(
        matches!(parsed.warnings[..], [ref warning] if warning.line == 2 && matches!(warning.kind, WarningKind::InvalidTime(_)))
    );
    let last = parsed.games[0].main_line().last().unwrap();
    assert_eq!(parsed.games[0].node(last).elapsed.unwrap().as_secs(), 3723);
}

#[test]
fn comments_and_unknown_lines_may_come_between_headers() {
    let text = "# made by hand\n*first\n手合割：平手\nsome words\n*second\n先　手：A\n1 ７六歩(77)\n18 歳のとき\n*third\n&mark\n";
    let parsed = read(text, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap();
    let game = &parsed.games[0];
    let root = game.main_line().next().unwrap();
    assert_eq!(game.node(root).comments, ["first", "second"]);
    assert_eq!(game.node(root).remarks, [" made by hand"]);
    assert_eq!(game.headers.get(&HeaderKey::Black), Some("A"));
    let last = game.node(game.main_line().last().unwrap());
    assert_eq!((last.comments[0].as_str(), last.bookmark.as_deref()), ("third", Some("mark")));
    let lines: Vec<usize> = parsed.warnings.iter().map(|warning| warning.line).collect();
    assert_eq!(lines, [4, 8]);
}

#[test]
fn handicaps_have_many_names_and_players() {
    for name in ["二枚落ち", "２枚落ち　", "2枚落", "二枚落"] {
        let text = format!("手合割：{name}\n上手：A\n下手：B\n1 ６二銀(71)\n2 ７六歩(77)\n");
        let games = games(&text);
        assert_eq!(moves(&games[0]), "7a6b 7g7f", "{name}");
        assert_eq!(games[0].headers.get(&HeaderKey::White), Some("A"));
    }
    let parsed =
        read("手合割：月落ち\n1 ７六歩(77)\n", RecordFormat::Kif, ErrorPolicy::Refuse).unwrap();
    assert!(matches!(parsed.warnings[0].kind, WarningKind::UnknownHandicap(_)));
}

#[test]
fn a_diagram_overrides_a_handicap_header() {
    let text = "手合割：平手\n後手の持駒：飛二 角 金四 銀 桂四 香四 歩十七 \n  ９ ８ ７ ６ ５ ４ ３ ２ １\n\
                +---------------------------+\n\
                | ・ ・ ・v銀v玉v銀 ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n\
                | ・ ・ ・ ・ と ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ 馬 ・ ・|四\n\
                | ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n\
                | ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n\
                | ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n+---------------------------+\n\
                先手の持駒：銀 \n手数＝6  △４一銀  まで\n";
    let problem = format!("{text}1 ５二馬(34)\n2 同銀(61)\n3 ６二銀打\n4 詰み\nまで3手詰\n");
    let games = games(&problem);
    assert_eq!(moves(&games[0]), "3d5b 6a5b S*6b");
    assert_eq!(games[0].ending(), Some(&Ending::Mate));
    assert_eq!(games[0].start().game_ply, 7);
    let otherwise = self::games(&problem.replace("の持駒", "の持ち駒"));
    assert_eq!(otherwise, games, "hands are known in either spelling");
    let problems = format!("{text}{}後手番\n{text}", text.replace("手合割：平手\n", ""));
    let sides: Vec<Color> = self::games(&problems).iter().map(|game| game.start().side).collect();
    assert_eq!(sides, [Color::Black, Color::White, Color::Black]);
}

#[test]
fn branches_are_found_with_and_without_their_headings() {
    let text = "1 ７六歩(77)+\n2 ３四歩(33)+\n3 ２六歩(27)\n4 中断\n\n変化：3手\n3 ６六歩(67)\n\n変化：2手\n2 ８四歩(83)\n";
    let bare = text.replace("変化：3手\n", "").replace("変化：2手\n", "");
    let wide = text.replace("変化：", "変化:　").replace("2手", "２手");
    for text in [text, &bare, &wide] {
        let games = games(text);
        assert_eq!(moves(&games[0]), "7g7f 3c3d 2g2f");
        let branches: usize =
            games[0].nodes().filter(|(_, node)| node.children().len() > 1).count();
        assert_eq!((branches, games[0].nodes().count()), (2, 7), "{text}");
    }
    // From a short branch back to the main line.
    let text = "1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n変化：1手\n1 ２六歩(27)\n変化：3手\n3 ６六歩(67)\n";
    assert_eq!(games(text)[0].nodes().count(), 6);
}

#[test]
fn a_kif_file_may_contain_several_games() {
    let one = "手合割：平手\n先手：A\n1 ７六歩(77)\n2 中断\n";
    let games = games(&format!("{one}{one}\n{one}"));
    assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["7g7f"; 3]);
}

/// Regression: White was named in the game before.
#[test]
fn another_game_may_begin_with_the_name_of_white() {
    for (white, black) in [("後手", "先手"), ("上手", "下手")] {
        let one = |w: &str, b: &str| format!("{white}：{w}\n{black}：{b}\n1 ７六歩(77)\n2 中断\n");
        let games = games(&format!("{}{}", one("A", "B"), one("C", "D")));
        let names = games.iter().map(|game| {
            [HeaderKey::White, HeaderKey::Black]
                .map(|key| game.headers.get(&key).unwrap_or_default())
        });
        assert_eq!(names.collect::<Vec<_>>(), [["A", "B"], ["C", "D"]]);
        assert!(games.iter().all(|game| game.headers.iter().count() == 2));
    }
}

/// Regression: the header was in the game before.
#[test]
fn a_header_before_the_first_header_of_a_game_belongs_to_that_game() {
    let one = |event: &str| format!("棋戦：{event}\n手合割：平手\n1 ７六歩(77)\n2 中断\n");
    let games = games(&format!("{}{}\n備考：C\n", one("A"), one("B")));
    let headers = games.iter().map(|game| {
        let values = [HeaderKey::Event, HeaderKey::Note]
            .map(|key| game.headers.get(&key).unwrap_or_default());
        (game.headers.iter().count(), values)
    });
    assert_eq!(headers.collect::<Vec<_>>(), [(1, ["A", ""]), (2, ["B", "C"])]);
    // The same after a game that is not read to its end.
    let spoilt = one("A").replace("７六歩", "５五歩");
    let text = format!("{spoilt}{}", one("B"));
    let games = read(&text, RecordFormat::Kif, ErrorPolicy::KeepPartial).unwrap().games;
    let events: Vec<_> = games.iter().map(|game| game.headers.get(&HeaderKey::Event)).collect();
    assert_eq!(events, [Some("A"), Some("B")]);
}

#[test]
fn move_numbers_may_continue_from_a_diagram() {
    assert_eq!(only_moves("101 ７六歩(77)\n102 ３四歩(33)\n103 投了\n"), "7g7f 3c3d");
    let parsed =
        read("1 ７六歩(77)\n5 ３四歩(33)\n", RecordFormat::Kif, ErrorPolicy::Refuse).unwrap();
    assert_eq!(moves(&parsed.games[0]), "7g7f 3c3d");
    assert!(matches!(parsed.warnings[0].kind, WarningKind::UnexpectedNumber(_)));
}

#[test]
fn an_unknown_word_ends_a_line() {
    let text = "1 封じ手+\n変化：1手\n1 ７六歩(77)\n2 立会人裁定 ( 0:01/00:00:01)\n";
    let game = &games(&format!("手合割：平手\n{text}"))[0];
    assert_eq!(game.ending(), Some(&Ending::Other("封じ手".into())));
    assert_eq!(game.nodes().count(), 4);
}

#[test]
fn ki2_is_read_with_its_marks_and_ends() {
    let text = "開始日時：2024/01/02\n\n*first\n▲７六歩 △３四歩 ▲２二角成△同　銀\n*last\n☗４五角 ☖５二金右\nまで、6手で後手の勝ち\n";
    let games = games(text);
    assert_eq!(moves(&games[0]), "7g7f 3c3d 8h2b+ 3a2b B*4e 6a5b");
    let ends = [
        ("まで2手で先手の勝ち", Ending::Other("先手の勝ち".into())),
        ("まで2手で後手の勝ち", Ending::Resign),
        ("まで2手で中断", Ending::Interrupted),
        ("まで2手で千日手", Ending::Sennichite),
        ("まで2手で持将棋成立", Ending::Jishogi),
        ("まで2手で引き分け", Ending::Draw),
        ("まで2手で時間切れにより後手の勝ち", Ending::TimeUp),
        ("まで2手で先手の反則負け", Ending::IllegalMove),
        ("まで2手で後手の反則負け", Ending::IllegalAction(Color::White)),
        ("まで2手で先手の反則勝ち", Ending::IllegalAction(Color::White)),
        ("まで2手で先手の入玉勝ち", Ending::Declaration),
        ("まで2手詰", Ending::Mate),
        ("まで2手で封じ手", Ending::Other("封じ手".into())),
    ];
    for (end, ending) in ends {
        let games = self::games(&format!("▲７六歩 △３四歩\n{end}\n"));
        assert_eq!(games[0].ending(), Some(&ending), "{end}");
        let games = self::games(&format!("1 ７六歩(77)\n2 ３四歩(33)\n{end}\n"));
        assert_eq!(games[0].ending(), Some(&ending), "{end}");
    }
}

/// Shogi DB2 writes it like this. Regression: the move could not be read, and the file was refused.
#[test]
fn in_ki2_an_ending_may_stand_among_the_moves() {
    let white_won = "後手の勝ち";
    for (end, ending, stated) in [
        ("▲投了", Ending::Resign, white_won),
        ("☗投了　", Ending::Resign, white_won),
        ("投了", Ending::Resign, white_won),
        ("▲中断 (0:05)", Ending::Interrupted, "中断"),
        ("▲時間切れ", Ending::TimeUp, white_won),
        ("▲反則勝ち", Ending::IllegalAction(Color::White), "先手の勝ち"),
    ] {
        for text in [
            format!("▲７六歩 △３四歩 {end}\n"),
            format!("▲７六歩 △３四歩\n{end}\nまで2手で{stated}\n"),
            format!("1 ７六歩(77)\n2 ３四歩(33)\n3 {end}\n"),
        ] {
            let ParsedGames { games, warnings } =
                read(&text, detect(&text).unwrap(), ErrorPolicy::Refuse).unwrap();
            assert_eq!((games.len(), moves(&games[0]).as_str()), (1, "7g7f 3c3d"), "{text}");
            assert_eq!(games[0].ending(), Some(&ending), "{text}");
            assert_eq!(warnings, [], "{text}");
            let last = games[0].node(games[0].main_line().last().unwrap());
            assert_eq!(last.elapsed.is_some(), end.contains("0:05"), "{text}");
        }
    }
    for text in ["▲７六歩 △投了図以下\n", "▲７六歩 △投了 ▲２六歩\n", "▲７六歩\n△\n"]
    {
        let error = read(text, RecordFormat::Ki2, ErrorPolicy::Refuse).unwrap_err().to_string();
        assert!(error.ends_with("this is not a move"), "{error}");
    }
}

#[test]
fn names_of_players_with_marks_are_skipped_before_the_first_move() {
    for names in ["▲藤井聡太　△渡辺明", "▲三浦九段 △", "☗ A"] {
        for moves in ["手合割：平手\n▲７六歩 △３四歩\n", "1 ７六歩(77)\n2 ３四歩(33)\n"]
        {
            let text = format!("{names}\n{moves}");
            let parsed = read(&text, detect(&text).unwrap(), ErrorPolicy::Refuse).unwrap();
            let played: Vec<String> = parsed.games.iter().map(self::moves).collect();
            assert_eq!(played, ["7g7f 3c3d"], "{text}");
            assert!(
                matches!(
                    parsed.warnings[..],
                    [ReadWarning { line: 1, kind: WarningKind::UnknownLine(_) }]
                ),
                "{text}"
            );
        }
    }
    for text in ["▲７六ほ\n", "▲藤井 △３四ほ\n", "▲７六歩\n▲藤井\n"] {
        let error = read(text, RecordFormat::Ki2, ErrorPolicy::Refuse).unwrap_err().to_string();
        assert!(error.ends_with("this is not a move"), "{error}");
    }
}

#[test]
fn a_draw_survives_conversion_to_every_notation_that_can_express_it() {
    for word in ["引き分け", "引分け", "引分"] {
        let game = &games(&format!("1 ７六歩(77)\n2 {word}\n"))[0];
        for format in [RecordFormat::Csa, RecordFormat::Csa3, RecordFormat::Jkf] {
            let (text, losses) = write(std::slice::from_ref(game), format, Encoding::Utf8);
            assert!(losses.is_empty(), "{losses:?} in\n{text}");
            assert_eq!(games(&text)[0].ending(), Some(&Ending::Draw), "{text}");
        }
        // Few programs know the word.
        for format in [RecordFormat::Kif, RecordFormat::Ki2] {
            let (text, losses) = write(std::slice::from_ref(game), format, Encoding::Utf8);
            assert!(text.contains("持将棋") && !losses.is_empty(), "{text}");
        }
    }
}

#[test]
fn csa_is_read_with_joined_blanks_and_late_headers() {
    let text = "V2\nN+A\nN-B\n'Max_Moves:256\n$EVENT:x\n\
        P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI * * * * * -KA *\nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n\
        P4 *  *  *  *  *  *  *  *  * \nP5 * * * * * * * * *\nP6*********\n\
        P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI * \n\
        P9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n'rating:A+1:B+2\n+7776FU,T12\n'** 30 -3334FU\n-3334FU\nT1.\n\
        %TORYO,T3\n'summary:toryo\n$END_TIME:2024/01/02\n/\n";
    let games = games(text);
    assert_eq!((games.len(), moves(&games[0]).as_str()), (1, "7g7f 3c3d"));
    let game = &games[0];
    assert_eq!(game.headers.get(&HeaderKey::End), Some("2024/01/02"));
    let nodes: Vec<_> = game.main_line().map(|id| game.node(id)).collect();
    assert_eq!(nodes[1].evaluations[0].value.centipawns(), 30);
    assert_eq!(nodes[3].elapsed.unwrap().as_secs(), 3);
    assert_eq!(nodes[3].remarks, ["summary:toryo"]);
    assert_eq!(only_moves("+7776FU\n-3334FU\n"), "7g7f 3c3d");
    assert_eq!(only_moves("PI82HI22KA\r\n-7162GI\r\n"), "7a6b");
}

#[test]
fn pieces_are_placed_on_an_empty_board() {
    let text = "P-51OU\nP+53TO00KI\nP-00AL\n+\n+0052KI\n%TSUMI\n";
    let game = &games(text)[0];
    assert_eq!(moves(game), "G*5b");
    assert_eq!(game.start().to_string(), "4k4/9/4+P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
}

#[test]
fn usi_lines_of_every_form_are_read() {
    let text = "# openings\n\nstartpos\nposition startpos moves 7g7f resign\nmoves 2g2f\n\
        sfen 4k4/9/9/9/9/9/9/9/4K4 w - 12 moves 5a5b\n4k4/9/9/9/9/9/9/9/4K4 b - 1\n";
    let games = games(text);
    let all: Vec<String> = games.iter().map(moves).collect();
    assert_eq!(all, ["", "7g7f", "2g2f", "5a5b", ""]);
    assert_eq!(games[1].ending(), Some(&Ending::Resign));
    assert_eq!(games[3].start().game_ply, 12);
}

#[test]
fn lines_of_usi_may_end_with_any_result_that_usi_knows() {
    for (word, ending) in [
        ("timeup", Ending::TimeUp),
        ("illegal", Ending::IllegalMove),
        ("rep_win", Ending::Other("rep_win".into())),
    ] {
        let game = &games(&format!("position startpos moves 7g7f {word}\n"))[0];
        assert_eq!((moves(game), game.ending()), ("7g7f".into(), Some(&ending)));
    }
}

#[test]
fn jkf_with_few_fields_is_read() {
    let text = r#"{"header":{"先手":"A"},"moves":[{},
        {"move":{"to":{"x":7,"y":6},"from":{"x":7,"y":7},"color":true,"piece":"FU"}},
        {"move":{"to":{"x":3,"y":4},"from":{"x":3,"y":3},"piece":"FU"}},
        {"move":{"to":{"x":2,"y":2},"from":{"x":8,"y":8},"piece":"KA","promote":true}},
        {"move":{"from":{"x":3,"y":1},"piece":"GI","same":true}},
        {"move":{"to":{"x":4,"y":5},"piece":"KA"}},
        {"special":"CHUDAN","extra":[1]}]}"#;
    assert_eq!(only_moves(text), "7g7f 3c3d 8h2b+ 3a2b B*4e");
    assert_eq!(games(&format!("{text}\n{text}")).len(), 2);
    assert_eq!(games(&format!("[{text},{text}]")).len(), 2);
}

#[test]
fn a_title_in_brackets_is_not_read_as_json() {
    for title in ["[第70期王将戦]", "{memo}", "[ 2024 ]"] {
        for moves in ["1 ７六歩(77)\n", "▲７六歩\n"] {
            assert_eq!(only_moves(&format!("{title}\n手合割：平手\n{moves}")), "7g7f", "{title}");
        }
    }
    for text in ["{\n\"moves\":[{}]}", "[\n{\"moves\":[{}]}]", "[ ]", "{ }", "[[", "[ {"] {
        assert_eq!(detect(text), Some(RecordFormat::Jkf), "{text}");
    }
}

#[test]
fn a_file_in_an_old_encoding_is_read() {
    let bytes = b"\x8e\xe8\x8d\x87\x8a\x84\x81F\x95\xbd\x8e\xe8\n   1 \x82V\x98Z\x95\xe0(77)\n";
    let (format, parsed) = read_bytes(bytes, None, ErrorPolicy::Refuse).unwrap();
    assert_eq!((format, moves(&parsed.games[0])), (RecordFormat::Kif, "7g7f".into()));
}

#[test]
fn date_and_time_of_the_start_are_separate_headers() {
    let kif = "手合割：平手\n対局日：2024/01/02\n開始日時：2024/01/02 10:00:00\n";
    let game = &games(kif)[0];
    assert_eq!(game.headers.get(&HeaderKey::Date), Some("2024/01/02"));
    assert_eq!(game.headers.get(&HeaderKey::Start), Some("2024/01/02 10:00:00"));
    let written =
        |game: &GameRecord, format| write(std::slice::from_ref(game), format, Encoding::Utf8).0;
    assert!(written(game, RecordFormat::Kif).contains("\n対局日：2024/01/02\n"));
    assert_eq!(written(game, RecordFormat::Csa).matches("$START_TIME").count(), 1);
    assert_eq!(written(game, RecordFormat::Jkf).matches("開始日時").count(), 1);
    let game = &games("手合割：平手\n対局日：2024/01/02\n")[0];
    assert!(written(game, RecordFormat::Csa).contains("$START_TIME:2024/01/02\n"));
}

/// Regression: it was always lost in CSA.
#[test]
fn the_title_is_the_event_in_csa_if_there_is_no_other() {
    for (headers, event, lost) in
        [("表題：A\n", "A", 0), ("表題：A\n棋戦：B\n", "B", 1), ("棋戦：B\n", "B", 0)]
    {
        let game = &games(&format!("手合割：平手\n{headers}"))[0];
        for format in [RecordFormat::Csa, RecordFormat::Csa3] {
            let (text, losses) = write(std::slice::from_ref(game), format, Encoding::Utf8);
            assert_eq!(losses.count(ConversionLoss::Headers), lost, "{text}");
            assert_eq!(text.matches("$EVENT:").count(), 1, "{text}");
            assert_eq!(games(&text)[0].headers.get(&HeaderKey::Event), Some(event), "{text}");
        }
    }
}

#[test]
fn dates_are_written_in_the_format_of_csa_or_reported_as_lost() {
    let written = |day: &str| {
        let game = &games(&format!("手合割：平手\n開始日時：{day}\n"))[0];
        let (text, losses) = write(std::slice::from_ref(game), RecordFormat::Csa, Encoding::Utf8);
        (text.contains("$START_TIME:1999/07/15 19:07:12\n"), losses.count(ConversionLoss::Headers))
    };
    assert_eq!(written("1999/07/15(木) 19:07:12"), (true, 0));
    assert_eq!(written("平成十一年"), (false, 1));
}

#[test]
fn jkf_names_no_header_twice() {
    let game = &games("手合割：平手\n備考：A\n備考：B\n")[0];
    let (text, losses) = write(std::slice::from_ref(game), RecordFormat::Jkf, Encoding::Utf8);
    assert_eq!(text.matches("備考").count(), 1);
    assert_eq!(losses.count(ConversionLoss::Headers), 1);
}

#[test]
fn the_end_by_time_of_81dojo_is_known() {
    let game = &games("1 ７六歩(77)   ( 0:7/)\n 2  Time-up   ( 0:0/)\n")[0];
    assert_eq!(game.ending(), Some(&Ending::TimeUp));
}

#[test]
fn an_unreadable_move_is_no_ending() {
    let text = "手合割：平手\n   1 \u{fffd}V\u{fffd}Z\u{fffd}\u{fffd}(77)   ( 0:00/00:00:00)\n";
    let error = read(text, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap_err();
    assert!(error.to_string().ends_with("this is not a move"), "{error}");
    assert_eq!(error.line, 2);
}

#[test]
fn json_without_moves_is_no_game() {
    for text in [r#"{"a":1}"#, "{}", r#"{"engine":"Kawasemi","games":[]}"#] {
        let error = read(text, RecordFormat::Jkf, ErrorPolicy::Refuse).unwrap_err().to_string();
        assert!(error.contains("missing field `moves`"), "{error}");
    }
}

#[test]
fn binary_files_are_not_games_whatever_their_name() {
    let bytes: Vec<u8> = (0..=255).cycle().take(2000).collect();
    let error = read_bytes(&bytes, Some(RecordFormat::Kif), ErrorPolicy::Refuse).unwrap_err();
    assert_eq!(error.to_string(), "the notation is not KIF, KI2, CSA, JKF, USI or SFEN");
}

#[test]
fn a_time_before_the_first_move_is_reported() {
    let with = |seconds: u32| {
        let text = format!(
            r#"{{"moves":[{{"time":{{"now":{{"m":0,"s":{seconds}}}}}}},
            {{"move":{{"from":{{"x":7,"y":7}},"to":{{"x":7,"y":6}},"piece":"FU"}},"time":{{"now":{{"s":2}}}}}}]}}"#
        );
        let parsed = read(&text, RecordFormat::Jkf, ErrorPolicy::Refuse).unwrap();
        let times = parsed.games[0].nodes().filter_map(|(_, node)| node.elapsed);
        assert_eq!(times.map(|time| time.as_secs()).collect::<Vec<_>>(), [2]);
        parsed.warnings
    };
    assert!(matches!(with(5)[..], [ReadWarning { line: 1, kind: WarningKind::InvalidTime(_) }]));
    assert_eq!(with(0), []);
}

#[test]
fn csa_reports_further_names_of_a_player() {
    let game = &games("先手：一\n先手：二\n後手：三\n1 ７六歩(77)\n")[0];
    let (text, losses) = write(std::slice::from_ref(game), RecordFormat::Csa, Encoding::Utf8);
    assert!(text.contains("N+一\nN-三\n"), "{text}");
    assert_eq!(losses.count(ConversionLoss::Headers), 1);
}

/// White's king on 5a before Black's pawn on 5c.
fn board() -> String {
    let rank = |piece: &str| format!("| ・ ・ ・ ・{piece} ・ ・ ・ ・|\n");
    format!("{}{}{}{}", rank("v玉"), rank(" ・"), rank(" 歩"), rank(" ・").repeat(6))
}

#[test]
fn whites_hand_may_be_below_the_diagram() {
    let steps = "1 ５二金打\n2 詰み\n";
    let problem = format!("先手の持駒：金\n{}後手の持駒：歩\n{steps}", board());
    let game = &games(&problem)[0];
    assert_eq!(only_moves(&problem), "G*5b");
    assert_eq!(game.start().to_string(), "4k4/9/4P4/9/9/9/9/9/9 b Gp 1");
    let both = format!("手合割：詰将棋\n{problem}").repeat(2);
    assert_eq!(games(&both).iter().map(moves).collect::<Vec<_>>(), ["G*5b"; 2]);
    // The moves after an invalid diagram do not become a game of their own.
    let keep = |text: &str| read(text, RecordFormat::Kif, ErrorPolicy::KeepPartial).unwrap().games;
    let spoilt = "先手の持駒：金\n| 犬|\n後手の持駒：なし\n1 ７六歩(77)\n";
    assert!(keep(spoilt).is_empty());
    let next = format!("後手の持駒：なし\n{}先手の持駒：金\n{steps}", board());
    for hand in ["なし", "犬"] {
        let text = format!("後手の持駒：{hand}\n| 犬|\n先手の持駒：なし\n{next}");
        assert_eq!(keep(&text).iter().map(moves).collect::<Vec<_>>(), ["G*5b"]);
    }
}

/// Regression: a large number, or one after a blank, silently became another one.
#[test]
fn the_number_of_moves_before_a_diagram_is_kept_or_reported() {
    let with = |count: &str| {
        let text = format!("{}手数＝{count}\n1 ５二歩成(53)\n", board());
        let ParsedGames { games, warnings } =
            read(&text, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap();
        (games[0].start().game_ply, warnings)
    };
    for (count, ply) in [("6", 7), ("　６手", 7), ("199999", 200_000), ("999999", 1_000_000)] {
        assert_eq!(with(count), (ply, vec![]), "{count}");
    }
    for count in ["1000000", "99999999999", "x"] {
        let (ply, warnings) = with(count);
        assert_eq!(ply, 1, "{count}");
        assert!(
            matches!(warnings[..], [ReadWarning { line: 10, kind: WarningKind::UnknownLine(_) }]),
            "{warnings:?}"
        );
    }
}

/// Regression: the move before it was missing, although the line below the diagram names it.
#[test]
fn the_first_move_may_have_the_destination_of_the_last_one_before_the_diagram() {
    // White's silver has moved to 5b, in front of Black's pawn.
    let diagram = board().replacen(" ・ ・ ・ ・ ・", " ・ ・ ・ ・v銀", 1);
    let with = |count: &str, step: &str| {
        let text = format!("{diagram}手数＝{count}\n{step}\n");
        let parsed = read(&text, RecordFormat::Kif, ErrorPolicy::Refuse);
        parsed.map(|parsed| moves(&parsed.games[0])).map_err(|error| error.to_string())
    };
    for count in ["6  △５二銀  まで", "6手　☖５二銀(41)まで", "６ ５二銀引まで"]
    {
        for step in ["1 同　歩成(53)", "7 同歩成(53)", "▲同　歩成"] {
            assert_eq!(with(count, step), Ok("5c5b+".into()), "{count}, {step}");
        }
    }
    for count in ["6", "6 まで", "6 △同　銀 まで"] {
        let error = with(count, "1 同　歩成(53)").unwrap_err();
        assert!(error.ends_with("there is no move before it"), "{error}");
    }
}

/// Regression: they began a game from the initial position, with the moves of the other game.
#[test]
fn names_after_an_invalid_diagram_start_no_game() {
    let names = "先手：A\n後手：B\n";
    let next = format!("{names}1 ２六歩(27)\n2 中断\n");
    for moves in ["1 ７六歩(77)\n2 投了\n", "▲７六歩 △３四歩\n"] {
        let text = format!("後手の持駒：なし\n| 犬|\n先手の持駒：なし\n{names}{moves}{next}");
        let parsed = read(&text, RecordFormat::Kif, ErrorPolicy::KeepPartial).unwrap();
        let played: Vec<String> = parsed.games.iter().map(self::moves).collect();
        assert_eq!(played, ["2g2f"], "{text}");
        assert_eq!(parsed.games[0].headers.get(&HeaderKey::White), Some("B"));
        assert!(matches!(
            parsed.warnings[..],
            [ReadWarning { line: 2, kind: WarningKind::RestSkipped(_) }]
        ));
    }
}

#[test]
fn a_title_that_starts_like_an_ending_is_not_an_ending() {
    for title in ["詰将棋第一番", "投了図以下", "中断 (昼食)"] {
        let text = format!("{title}\n手合割：平手\n1 ７六歩(77)\n");
        let parsed = read(&text, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap();
        assert_eq!(parsed.games.iter().map(moves).collect::<Vec<_>>(), ["7g7f"], "{title}");
        assert!(
            matches!(
                parsed.warnings[..],
                [ReadWarning { line: 1, kind: WarningKind::UnknownLine(_) }]
            ),
            "{title}"
        );
    }
    for end in ["投了", "投了　+", "投了 ( 0:05/00:00:05)", "投了（0:05）+"] {
        let game = &games(&format!("1 ７六歩(77)\n{end}\n"))[0];
        assert_eq!(game.ending(), Some(&Ending::Resign), "{end}");
    }
}

/// Regression: this CSA entering-king rule has this name in KIF, and it was left out.
#[test]
fn a_header_named_like_an_ending_is_kept() {
    let game = &games("V3.0\n$JISHOGI:27\nPI\n+\n+7776FU\n")[0];
    for format in [RecordFormat::Kif, RecordFormat::Ki2] {
        let (text, losses) = write(std::slice::from_ref(game), format, Encoding::Utf8);
        assert!(losses.is_empty(), "{losses:?} in\n{text}");
        let back = &games(&text)[0];
        assert_eq!(back.headers.get(&HeaderKey::Jishogi), Some("27"), "{text}");
        assert_eq!((moves(back).as_str(), back.ending()), ("7g7f", None), "{text}");
    }
    let text = r#"{"header":{"投了 (0":"5)"},"moves":[]}"#;
    let (text, losses) = write(&games(text), RecordFormat::Kif, Encoding::Utf8);
    assert_eq!(
        (losses.count(ConversionLoss::Headers), text.contains("投了")),
        (1, false),
        "{text}"
    );
}

#[test]
fn the_name_of_a_kind_of_problem_is_kept() {
    let key = HeaderKey::Other("手合割".into());
    for name in ["詰将棋", "詰将棋問題", "必至問題"] {
        let text = format!("手合割：{name}　\n{}先手の持駒：金\n1 ５二金打\n", board());
        for format in [RecordFormat::Kif, RecordFormat::Ki2, RecordFormat::Jkf] {
            let (text, losses) = write(&games(&text), format, Encoding::Utf8);
            assert!(losses.is_empty(), "{losses:?} in\n{text}");
            assert_eq!(text.matches("手合割").count(), 1, "{text}");
            assert_eq!(games(&text)[0].headers.get(&key), Some(name), "{text}");
        }
    }
    let game = &games("手合割：詰将棋\n1 ７六歩(77)\n")[0];
    let (text, losses) = write(std::slice::from_ref(game), RecordFormat::Kif, Encoding::Utf8);
    assert!(text.contains("手合割：平手\n"), "{text}");
    assert_eq!(losses.count(ConversionLoss::Headers), 1);
}

#[test]
fn a_branch_that_repeats_a_move_leaves_its_time() {
    let text = "1 ７六歩(77) ( 0:12/)\n2 ３四歩(33) ( 0:01/)\n変化：1手\n\
                1 ７六歩(77) ( 0:30/)\n2 ８四歩(83)\n";
    let seconds = |text: &str| {
        let ParsedGames { games, warnings } =
            read(text, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap();
        let first = games[0].node(games[0].main_line().nth(1).unwrap());
        (first.elapsed.unwrap().as_secs(), warnings)
    };
    let (first, warnings) = seconds(text);
    assert_eq!(first, 12);
    assert!(
        matches!(
            warnings[..],
            [ReadWarning { line: 4, kind: WarningKind::DuplicateAnnotation(_) }]
        ),
        "{warnings:?}"
    );
    assert_eq!(seconds(&text.replace("0:30", "0:12")), (12, vec![]));
}

/// Regression: it silently replaced the first one.
#[test]
fn a_second_time_of_a_move_in_csa_is_reported() {
    let text = "PI\n+\n+7776FU,T12\nT12\nT34\n";
    let ParsedGames { games, warnings } =
        read(text, RecordFormat::Csa, ErrorPolicy::Refuse).unwrap();
    let last = games[0].node(games[0].main_line().last().unwrap());
    assert_eq!(last.elapsed.unwrap().as_secs(), 12);
    assert!(
        matches!(
            warnings[..],
            [ReadWarning { line: 5, kind: WarningKind::DuplicateAnnotation(_) }]
        ),
        "{warnings:?}"
    );
}

/// Regression: they silently became a branch, and the game ended before them.
#[test]
fn moves_after_an_ending_continue_the_line() {
    let step = |x: u8, y: u8| {
        let (from, to) = (format!(r#"{{"x":{x},"y":{y}}}"#), if y == 7 { 6 } else { 4 });
        format!(r#"{{"move":{{"from":{from},"to":{{"x":{x},"y":{to}}},"piece":"FU"}}}}"#)
    };
    let (first, second, third) = (step(7, 7), step(3, 3), step(2, 7));
    let jkf = format!(
        r#"{{"moves":[{{}},{first},{{"special":"CHUDAN"}},{second},{third},{{"special":"TORYO"}}]}}"#
    );
    let csa = "PI\n+\n+7776FU\n%CHUDAN\n'*lunch\n-3334FU\n+2726FU\n%TORYO\n";
    let ki2 = "▲７六歩\nまで1手で中断\n△３四歩 ▲２六歩\nまで3手で先手の勝ち\n";
    for (format, text) in
        [(RecordFormat::Csa, csa), (RecordFormat::Ki2, ki2), (RecordFormat::Jkf, jkf.as_str())]
    {
        let ParsedGames { games, warnings } = read(text, format, ErrorPolicy::Refuse).unwrap();
        assert_eq!(moves(&games[0]), "7g7f 3c3d 2g2f", "{format}");
        assert_eq!(games[0].ending(), Some(&Ending::Resign), "{format}");
        assert_eq!(games[0].nodes().count(), 6, "{format}: the end is still there");
        let [warning] = &warnings[..] else { panic!("{format}: {warnings:?}") };
        assert!(matches!(warning.kind, WarningKind::MoveAfterEnding(_)), "{format}: {warning}");
    }
    let kif =
        "1 ７六歩(77)\nまで1手で中断\n2 ３四歩(33)\n3 ２六歩(27)\n4 投了\nまで3手で先手の勝ち\n";
    let ParsedGames { games, warnings } =
        read(kif, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap();
    assert_eq!(moves(&games[0]), "7g7f 3c3d 2g2f");
    assert!(
        matches!(warnings[..], [ReadWarning { line: 3, kind: WarningKind::MoveAfterEnding(_) }]),
        "{warnings:?}"
    );
    // Branches that say where they begin are normal.
    let kif = "1 ７六歩(77)\n2 中断\n変化：2手\n2 ３四歩(33)\n";
    let ParsedGames { games, warnings } =
        read(kif, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap();
    assert_eq!((moves(&games[0]).as_str(), warnings), ("7g7f", vec![]));
}

#[test]
fn a_second_bookmark_is_reported() {
    let text = "1 ７六歩(77)\n&one\n&two\n&one\n";
    let ParsedGames { games, warnings } =
        read(text, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap();
    let last = games[0].node(games[0].main_line().last().unwrap());
    assert_eq!(last.bookmark.as_deref(), Some("one"));
    assert!(
        matches!(
            warnings[..],
            [ReadWarning { line: 3, kind: WarningKind::DuplicateAnnotation(_) }]
        ),
        "{warnings:?}"
    );
}

/// One move of JKF that took this many seconds.
fn jkf_with_seconds(seconds: &str) -> ParsedGames {
    let text = format!(
        r#"{{"moves":[{{}},{{"move":{{"from":{{"x":7,"y":7}},"to":{{"x":7,"y":6}},"piece":"FU"}},
        "time":{{"now":{{"m":1,"s":{seconds}}}}}}}]}}"#
    );
    read(&text, RecordFormat::Jkf, ErrorPolicy::Refuse).unwrap()
}

#[test]
fn jkf_may_have_fractions_of_seconds() {
    for (seconds, millis) in [("1.5", 61_500), ("2", 62_000), ("2.0", 62_000), ("0.25", 60_250)] {
        let ParsedGames { games, warnings } = jkf_with_seconds(seconds);
        let last = games[0].node(games[0].main_line().last().unwrap());
        assert_eq!(last.elapsed.unwrap().as_millis(), millis, "{seconds}");
        assert_eq!(warnings, [], "{seconds}");
    }
    let (text, losses) = write(&jkf_with_seconds("1.5").games, RecordFormat::Jkf, Encoding::Utf8);
    assert!(text.contains(r#""now":{"m":1,"s":1}"#), "{text}");
    assert_eq!(losses.count(ConversionLoss::TimeFractions), 1);
    for seconds in ["-1", "-0.5", "1000000.5", "1e300"] {
        let warnings = jkf_with_seconds(seconds).warnings;
        assert!(
            matches!(warnings[..], [ReadWarning { line: 1, kind: WarningKind::InvalidTime(_) }]),
            "{seconds}"
        );
    }
}

/// Regression: it named `time` instead of the time.
#[test]
fn a_warning_about_a_time_of_jkf_shows_the_time() {
    let warnings = jkf_with_seconds("-0.5").warnings;
    assert_eq!(warnings[0].to_string(), "line 1: `0:1:-0.5` is not a time: left out");
}

#[test]
fn headers_of_jkf_that_are_no_text_are_reported() {
    let text = r#"{"header":{"先手":"A","備考":3,"a":true,"b":null,"c":[1]},"moves":[]}"#;
    let ParsedGames { games, warnings } =
        read(text, RecordFormat::Jkf, ErrorPolicy::Refuse).unwrap();
    assert_eq!(games[0].headers.iter().count(), 2);
    let warnings_text: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    let line = |name: &str| format!("line 1: the header `{name}` has no text: left out");
    assert_eq!(warnings_text, ["a", "c"].map(line));
}
