//! Games that were lost by an illegal move: servers write that move as the last one.

use kawasemi::record::{
    Ending, ErrorPolicy, GameStep, ParsedGames, RecordFormat, WarningKind, read,
};

use super::moves;

const NIFU: &str = "7g7f 7c7d 7f7e 7d7e 2g2f";

fn keep(format: RecordFormat, text: &str) -> ParsedGames {
    read(text, format, ErrorPolicy::Refuse).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

/// A game of five moves, and these lines, which begin with the sixth move on line 7.
fn kif(tail: &str) -> String {
    format!(
        "手合割：平手\n1 ７六歩(77)\n2 ７四歩(73)\n3 ７五歩(76)\n4 同　歩(74)\n5 ２六歩(27)\n{tail}"
    )
}

#[test]
fn a_foul_at_the_end_of_a_line_ends_it() {
    let texts = [
        (RecordFormat::Kif, kif("6 ７三歩打 ( 0:07/00:00:07)\n*反則手にて終局\n")),
        (RecordFormat::Kif, kif("6 ７三歩打 ( 0:07/00:00:07)\n7 反則勝ち\n*反則手にて終局\n")),
        (
            RecordFormat::Kif,
            kif(
                "6 ７三歩打 ( 0:07/00:00:07)\n7 反則負け ( 0:00/00:00:00)\n*反則手にて終局\nまで6手で先手の勝ち\n",
            ),
        ),
        (
            RecordFormat::Csa,
            "PI\n+\n+7776FU\n-7374FU\n+7675FU\n-7475FU\n+2726FU\n-0073FU,T7\n\
             '*反則手にて終局\n%-ILLEGAL_ACTION\n"
                .into(),
        ),
    ];
    for (format, text) in texts {
        let parsed = keep(format, &text);
        let game = &parsed.games[0];
        assert_eq!(moves(game), NIFU, "{text}");
        assert_eq!(game.ending(), Some(&Ending::IllegalMove), "{text}");
        let (_, end) = game.nodes().last().unwrap();
        assert_eq!(*end.step(), GameStep::Ending(Ending::IllegalMove));
        assert_eq!(end.elapsed.unwrap().as_secs(), 7, "{text}");
        assert_eq!(end.comments, ["反則手にて終局"], "{text}");
        let warnings: Vec<_> = parsed.warnings.iter().map(ToString::to_string).collect();
        let [warning] = &warnings[..] else { panic!("{warnings:?} in\n{text}") };
        assert!(warning.ends_with(
            "the file already has a pawn of the same side; read as the end of the game"
        ));
    }
}

#[test]
fn every_notation_may_end_with_a_foul() {
    let check = "7g7f 3c3d 8h3c+";
    let jkf = r#"{"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}},
        {"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"FU"}},
        {"move":{"from":{"x":8,"y":8},"to":{"x":3,"y":3},"piece":"KA","promote":true}},
        {"move":{"from":{"x":8,"y":3},"to":{"x":8,"y":4},"piece":"FU"}},
        {"special":"ILLEGAL_ACTION"}]}"#;
    let texts = [
        (RecordFormat::Ki2, "▲７六歩 △３四歩 ▲３三角成 △８四歩\nまで4手で先手の反則勝ち\n"),
        (RecordFormat::Usi, "startpos moves 7g7f 3c3d 8h3c+ 8c8d\n"),
        (RecordFormat::Jkf, jkf),
    ];
    for (format, text) in texts {
        let parsed = keep(format, text);
        assert_eq!(moves(&parsed.games[0]), check, "{text}");
        assert_eq!(parsed.games[0].ending(), Some(&Ending::IllegalMove), "{text}");
        let [warning] = &parsed.warnings[..] else { panic!("{:?} in\n{text}", parsed.warnings) };
        assert!(matches!(warning.kind, WarningKind::IllegalMove(_)), "{text}");
    }
}

#[test]
fn another_end_than_the_foul_is_reported() {
    let parsed = keep(RecordFormat::Kif, &kif("6 ７三歩打\n7 投了\n"));
    assert_eq!(parsed.games[0].ending(), Some(&Ending::IllegalMove));
    assert!(
        matches!(parsed.warnings[..], [_, ref warning] if matches!(warning.kind, WarningKind::DuplicateEnding(_)))
    );
}

#[test]
fn a_game_that_continues_after_a_foul_is_refused_at_the_foul() {
    let expected = "move 6, `７三歩打`: the file already has a pawn of the same side";
    for tail in ["6 ７三歩打\n*?\n7 ２五歩(26)\n", "6 ７三歩打\n▲２五歩\n"] {
        let text = kif(tail);
        let error = read(&text, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap_err();
        assert_eq!(error.to_string(), format!("line 7: {expected}"));
        let kept = read(&text, RecordFormat::Kif, ErrorPolicy::KeepPartial).unwrap();
        assert_eq!(moves(&kept.games[0]), NIFU);
        assert!(
            kept.warnings.iter().any(|warning| matches!(warning.kind, WarningKind::RestSkipped(_)))
        );
    }
}

#[test]
fn a_branch_may_be_a_foul_and_others_continue() {
    let text = kif("6 ３四歩(33)\n7 ２五歩(26)\n変化：6手\n6 ７三歩打\n変化：6手\n6 ８四歩(83)\n");
    let game = &keep(RecordFormat::Kif, &text).games[0];
    assert_eq!(moves(game), format!("{NIFU} 3c3d 2f2e"));
    let fifth = game.main_line().nth(5).unwrap();
    let steps: Vec<_> =
        game.node(fifth).children().iter().map(|&id| game.node(id).step().clone()).collect();
    let mv = |text: &str| GameStep::Move(text.parse().unwrap());
    assert_eq!(steps, [mv("3c3d"), GameStep::Ending(Ending::IllegalMove), mv("8c8d")]);
}

#[test]
fn an_impossible_move_is_not_a_foul() {
    for tail in ["6 ７三銀打\n", "6 ５五歩(53)\n", "6 ７三歩成(75)\n"] {
        let error = read(&kif(tail), RecordFormat::Kif, ErrorPolicy::Refuse).unwrap_err();
        assert_eq!(error.line, 7, "{tail}");
    }
}
