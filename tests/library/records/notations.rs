//! The exact text of games in each notation.

use std::time::Duration;

use kawasemi::position::{Position, Setup};
use kawasemi::record::{
    ConversionLoss, Encoding, Ending, Evaluation, EvaluationValue, GameCursor, GameRecord,
    HeaderKey, RecordFormat, write,
};
use kawasemi::types::Color;

fn game() -> GameRecord {
    let mut cursor = GameCursor::new(Setup::startpos()).unwrap();
    cursor.headers_mut().add(HeaderKey::Black, "A");
    cursor.headers_mut().add(HeaderKey::White, "B");
    cursor.headers_mut().add(HeaderKey::TimeLimit, "00:10+30");
    cursor.node_mut().comments.push("a game".into());
    for (mv, millis) in [("7g7f", 12_500), ("3c3d", 1000), ("8h2b+", 3_600_000), ("3a2b", 0)] {
        cursor.play(mv.parse().unwrap()).unwrap();
        *cursor.node_mut().elapsed = Some(Duration::from_millis(millis));
    }
    let line = vec!["B*4e".parse().unwrap()];
    cursor.node_mut().evaluations.push(Evaluation::new(EvaluationValue::Centipawns(-30), line));
    cursor.end(Ending::Resign);
    cursor.go_to(2);
    cursor.play("2g2f".parse().unwrap()).unwrap();
    cursor.node_mut().comments.push("calm".into());
    cursor.into_game()
}

fn text(format: RecordFormat) -> String {
    write(&[game()], format, Encoding::Utf8).0
}

#[test]
fn csa_is_written_in_both_versions_with_its_losses() {
    let moves = "'*a game\n+7776FU\nT12\n-3334FU\nT1\n+8822UM\nT3600\n-3122GI\nT0\n\
                 '** -30 +0045KA\n%TORYO\n";
    let head = "V2.2\nN+A\nN-B\n$TIME_LIMIT:00:10+30\nPI\n+\n";
    assert_eq!(text(RecordFormat::Csa), format!("{head}{moves}"));
    let head = "'CSA encoding=UTF-8\nV3.0\nN+A\nN-B\n$TIME:600+30+0\nPI\n+\n";
    assert_eq!(text(RecordFormat::Csa3), format!("{head}{}", moves.replace("T12", "T12.5")));
    let (_, losses) = write(&[game()], RecordFormat::Csa, Encoding::Utf8);
    assert_eq!(
        (losses.count(ConversionLoss::Branches), losses.count(ConversionLoss::TimeFractions)),
        (1, 1)
    );
    let messages: Vec<String> = losses.messages().map(|message| message.en).collect();
    assert_eq!(messages, ["1 move of a branch left out", "1 time cut to whole seconds"]);
}

#[test]
fn csa_writes_another_start_rank_by_rank() {
    let position = Position::from_sfen("4k4/9/4+P4/9/9/9/9/9/4K3L w 2Pr 5").unwrap();
    let game = GameCursor::new(position.setup()).unwrap().into_game();
    let empty = format!("{}\n", " * ".repeat(9));
    let (left, right) = (" * ".repeat(4), " * ".repeat(3));
    let mut expected = format!("V2.2\nP1{left}-OU{left}\nP2{empty}P3{left}+TO{left}\n");
    (4..9).for_each(|rank| expected += &format!("P{rank}{empty}"));
    expected += &format!("P9{left}+OU{right}+KY\nP+00FU00FU\nP-00HI\n-\n");
    let (text, losses) = write(&[game], RecordFormat::Csa, Encoding::Utf8);
    assert_eq!((text, losses.count(ConversionLoss::StartNumbers)), (expected, 1));
}

#[test]
fn kif_has_times_evaluations_and_branches() {
    let expected = "#KIF version=2.0 encoding=UTF-8\n手合割：平手\n\
        先手：A\n後手：B\n持ち時間：00:10+30\n手数----指手---------消費時間--\n*a game\n   \
        1 ７六歩(77)   ( 0:12/00:00:12)\n   \
        2 ３四歩(33)   ( 0:01/00:00:01)\n   \
        3 ２二角成(88) (60:00/01:00:12)+\n   \
        4 同　銀(31)   ( 0:00/00:00:01)\n\
        ** -30 +0045KA\n   \
        5 投了\n\n変化：3手\n   3 ２六歩(27)\n*calm\n";
    assert_eq!(text(RecordFormat::Kif), expected);
}

#[test]
fn ki2_has_evaluations_branches_and_the_winner() {
    let expected = "手合割：平手\n先手：A\n後手：B\n持ち時間：00:10+30\n\n*a game\n\
        ▲７六歩    △３四歩    ▲２二角成  △同　銀\n** -30 +0045KA\nまで4手で先手の負け\n\n\
        変化：3手\n▲２六歩\n*calm\n";
    assert_eq!(text(RecordFormat::Ki2), expected.replace("先手の負け", "後手の勝ち"));
}

/// Regression: the ending of a branch counted as a move of it.
#[test]
fn moves_and_endings_of_branches_that_csa_leaves_out_are_counted_apart() {
    let mut cursor = GameCursor::open(game()).unwrap();
    cursor.play("7g7f".parse().unwrap()).unwrap();
    cursor.play("8c8d".parse().unwrap()).unwrap();
    cursor.end(Ending::Interrupted);
    let (_, losses) = write(&[cursor.into_game()], RecordFormat::Csa3, Encoding::Utf8);
    let messages: Vec<String> = losses.messages().map(|message| message.en).collect();
    assert_eq!(messages, ["2 moves of branches left out", "1 ending left out"]);
}

#[test]
fn an_ending_without_a_word_of_its_own_gets_a_more_general_one_and_is_counted() {
    use RecordFormat::{Csa, Csa3, Jkf, Ki2, Kif};
    // By the side to move.
    let foul = || Ending::IllegalAction(Color::Black);
    let other = || Ending::Other("two words".into());
    for (ending, format, words, lost) in [
        (Ending::MaxMoves, Csa, "\n%HIKIWAKE\n", 1),
        (Ending::MaxMoves, Csa3, "\n%MAX_MOVES\n", 0),
        (Ending::MaxMoves, Kif, "\n   1 持将棋\n", 1),
        (Ending::MaxMoves, Ki2, "\nまで0手で持将棋\n", 1),
        (Ending::MaxMoves, Jkf, r#"{"special":"MAX_MOVES"}"#, 0),
        (foul(), Csa, "\n%+ILLEGAL_ACTION\n", 0),
        (foul(), Kif, "\n   1 反則負け\n", 1),
        (foul(), Ki2, "\nまで0手で先手の反則負け\n", 1),
        (other(), Csa, "\n%CHUDAN\n", 1),
        (other(), Jkf, r#"{"special":"CHUDAN"}"#, 1),
    ] {
        let mut cursor = GameCursor::new(Setup::startpos()).unwrap();
        cursor.end(ending);
        let (text, losses) = write(&[cursor.into_game()], format, Encoding::Utf8);
        assert!(text.contains(words), "{format}: {text}");
        let messages: Vec<String> = losses.messages().map(|message| message.en).collect();
        assert_eq!(messages, vec!["1 ending written with a more general word"; lost], "{text}");
    }
}

#[test]
fn jkf_has_branches_as_forks() {
    let expected = concat!(
        r#"{"header":{"先手":"A","後手":"B","持ち時間":"00:10+30"},"initial":{"preset":"HIRATE"},"#,
        r#""moves":[{"comments":["a game"]},"#,
        r#"{"move":{"color":0,"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"},"#,
        r#""time":{"now":{"m":0,"s":12},"total":{"h":0,"m":0,"s":12}}},"#,
        r#"{"move":{"color":1,"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"FU"},"#,
        r#""time":{"now":{"m":0,"s":1},"total":{"h":0,"m":0,"s":1}}},"#,
        r#"{"move":{"color":0,"from":{"x":8,"y":8},"to":{"x":2,"y":2},"piece":"KA","#,
        r#""promote":true,"capture":"KA"},"time":{"now":{"m":60,"s":0},"total":{"h":1,"m":0,"s":12}},"#,
        r#""forks":[[{"comments":["calm"],"move":{"color":0,"from":{"x":2,"y":7},"#,
        r#""to":{"x":2,"y":6},"piece":"FU"}}]]},"#,
        r#"{"comments":["* -30 +0045KA"],"move":{"color":1,"from":{"x":3,"y":1},"to":{"x":2,"y":2},"#,
        r#""piece":"GI","same":true,"capture":"UM"},"#,
        r#""time":{"now":{"m":0,"s":0},"total":{"h":0,"m":0,"s":1}}},"#,
        r#"{"special":"TORYO"}]}"#,
        "\n"
    );
    assert_eq!(text(RecordFormat::Jkf), expected);
}

#[test]
fn usi_has_the_main_line_and_sfen_its_last_position() {
    assert_eq!(text(RecordFormat::Usi), "position startpos moves 7g7f 3c3d 8h2b+ 3a2b\n");
    let sfen = "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5\n";
    assert_eq!(text(RecordFormat::Sfen), sfen);
    let (_, losses) = write(&[game()], RecordFormat::Sfen, Encoding::Utf8);
    assert_eq!(losses.count(ConversionLoss::Moves), 5);
    let (_, losses) = write(&[game()], RecordFormat::Usi, Encoding::Utf8);
    let counts = [
        ConversionLoss::Headers,
        ConversionLoss::Branches,
        ConversionLoss::Comments,
        ConversionLoss::Times,
        ConversionLoss::Endings,
        ConversionLoss::Evaluations,
    ];
    assert_eq!(counts.map(|loss| losses.count(loss)), [3, 1, 2, 4, 1, 1]);
}

#[test]
fn a_record_can_be_opened_and_continued() {
    let mut cursor = GameCursor::open(game()).unwrap();
    cursor.play("7g7f".parse().unwrap()).unwrap();
    assert_eq!(cursor.game().nodes().count(), game().nodes().count());
    cursor.play("8c8d".parse().unwrap()).unwrap();
    let (text, _) = write(&[cursor.into_game()], RecordFormat::Kif, Encoding::Utf8);
    assert!(text.ends_with("変化：2手\n   2 ８四歩(83)\n"), "{text}");
}

#[test]
fn line_breaks_in_texts_do_not_break_the_record() {
    let mut cursor = GameCursor::new(Setup::startpos()).unwrap();
    cursor.node_mut().comments.push("one\n%TORYO\r\n1 ７六歩(77)".into());
    cursor.headers_mut().add(HeaderKey::Black, "A\nN-B");
    let game = cursor.into_game();
    for format in [RecordFormat::Csa, RecordFormat::Csa3, RecordFormat::Kif, RecordFormat::Ki2] {
        let (text, losses) = write(std::slice::from_ref(&game), format, Encoding::Utf8);
        assert_eq!(losses.count(ConversionLoss::LineBreaks), 2, "{text}");
        assert!(!text.lines().any(|line| line.starts_with(['%', '1']) || line == "N-B"), "{text}");
    }
}
