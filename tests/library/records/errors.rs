//! Errors name their line, and games before them can be kept.

use kawasemi::record::{ErrorPolicy, HeaderKey, RecordFormat, WarningKind, read, read_bytes};

fn refused(format: RecordFormat, text: &str) -> String {
    read(text, format, ErrorPolicy::Refuse).unwrap_err().to_string()
}

#[test]
fn an_impossible_move_is_reported_with_its_line() {
    let cases = [
        (
            RecordFormat::Kif,
            "手合割：平手\n1 ７六歩(77)\n2 ３三歩(33)\n",
            "line 3: move 2, `３三歩(33)`: the piece does not move that way",
        ),
        (
            RecordFormat::Kif,
            "1 ７五歩(77)\n",
            "line 1: move 1, `７五歩(77)`: the piece does not move that way",
        ),
        (
            RecordFormat::Kif,
            "1 同　歩(77)\n",
            "line 1: move 1, `同　歩(77)`: there is no move before it",
        ),
        (
            RecordFormat::Kif,
            "1 ７六銀(77)\n",
            "line 1: move 1, `７六銀(77)`: the piece there is a pawn",
        ),
        (RecordFormat::Kif, "1 ７六ほ(77)\n", "line 1: move 1, `７六ほ(77)`: this is not a move"),
        (
            RecordFormat::Ki2,
            "▲７六歩\n▲２六歩\n",
            "line 2: move 2, `▲２六歩`: the other side is to move",
        ),
        (
            RecordFormat::Ki2,
            "▲５八金\n",
            "line 1: move 1, `▲５八金`: several pieces could be meant",
        ),
        (
            RecordFormat::Csa,
            "+7776FU\n+3334FU\n",
            "line 2: move 2, `+3334FU`: the other side is to move",
        ),
        (RecordFormat::Csa, "+7776KI\n", "line 1: move 1, `+7776KI`: the piece there is a pawn"),
        // Regression: it was a ProSilver.
        (
            RecordFormat::Csa,
            "P-51OU\nP+55NG\n+\n+5554KI\n",
            "line 4: move 1, `+5554KI`: the piece there is a promoted silver",
        ),
        (RecordFormat::Csa, "+7776FX\n", "line 1: move 1, `+7776FX`: this is not a move"),
        (
            RecordFormat::Usi,
            "startpos\nstartpos moves 7g7f 7g7f\n",
            "line 2: move 2, `7g7f`: there is no piece on the origin square",
        ),
        (
            RecordFormat::Usi,
            "startpos moves resign 7g7f\n",
            "line 1: move 1, `7g7f`: this is not a move",
        ),
        (
            RecordFormat::Jkf,
            "\n\n{\"moves\":[{\"move\":{\"to\":{\"x\":5,\"y\":5},\"piece\":\"HI\"}}]}",
            "line 3: move 1, `0055HI`: the piece does not move that way",
        ),
    ];
    for (format, text, message) in cases {
        assert_eq!(refused(format, text), message);
    }
}

#[test]
fn impossible_positions_and_branches_are_reported_with_their_line() {
    let cases = [
        (
            RecordFormat::Csa,
            "PI\nP+00FU\n+\n",
            "line 3: the start cannot be played: 19 pawns in all, but a set has 18",
        ),
        (RecordFormat::Csa, "P1 *\n", "line 1: `P1 *` is not part of a position"),
        (RecordFormat::Csa, "PI55FU\n", "line 1: `PI55FU` is not part of a position"),
        (RecordFormat::Csa, "P+00FU0\n", "line 1: `P+00FU0` is not part of a position"),
        (RecordFormat::Csa, "PI\n+\nPI\n", "line 3: `PI` is not part of a position"),
        (RecordFormat::Kif, "| ・ ・|\n", "line 1: `| ・ ・|` is not part of a position"),
        (
            RecordFormat::Kif,
            "先手の持駒：歩十九\n",
            "line 1: `先手の持駒：歩十九` is not part of a position",
        ),
        (
            RecordFormat::Kif,
            "1 ７六歩(77)\n変化：9手\n",
            "line 2: no line is long enough for a branch at `変化：9手`",
        ),
        (RecordFormat::Usi, "sfen 9/9 b - 1\n", "line 1: the board has 2 of nine ranks"),
        (
            RecordFormat::Jkf,
            "{\"initial\":{\"preset\":\"NONE\"},\"moves\":[]}",
            "line 1: `NONE` is not part of a position",
        ),
    ];
    for (format, text, message) in cases {
        assert_eq!(refused(format, text), message);
    }
}

#[test]
fn invalid_json_is_reported_with_its_line_and_the_reason() {
    let game = r#"{"moves":[]}"#;
    for (text, reason) in [
        (format!("[{game}\n{game}]"), "line 2: expected `,` or `]`"),
        (format!("[{game},\n{game}"), "line 2: expected `,` or `]`"),
        (format!("[{game}]\n\nx"), "line 3: text after the end"),
        (r#"{"moves":["#.to_owned(), "line 1: EOF while parsing a list"),
        (format!("[{game},\n]"), "line 2: expected value"),
        ("{\n\"moves\":\n3}".to_owned(), "line 3: invalid type: integer `3`, expected a sequence"),
        // Regression: the end was cut off.
        (
            format!("{{\"moves\":\"{}\"}}", "a".repeat(65)),
            "line 1: invalid type: string \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..., expected a sequence",
        ),
    ] {
        let message = refused(RecordFormat::Jkf, &text);
        assert_eq!(message.replace("this is not valid JKF: ", ""), reason, "{text}");
    }
}

#[test]
fn bytes_that_are_no_characters_are_replaced_with_a_warning() {
    let (before, after) = ("手合割：平手\n先手：羽", "生\n1 ７六歩(77)\n");
    let bytes = [before.as_bytes(), b"\xff", after.as_bytes()].concat();
    let (format, parsed) = read_bytes(&bytes, None, ErrorPolicy::Refuse).unwrap();
    assert_eq!((format, super::moves(&parsed.games[0])), (RecordFormat::Kif, "7g7f".to_owned()));
    assert_eq!(parsed.games[0].headers.get(&HeaderKey::Black), Some("羽\u{fffd}生"));
    let warnings: Vec<String> = parsed.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["invalid bytes were replaced by \u{fffd}"]);
}

#[test]
fn the_moves_before_a_fault_can_be_kept() {
    let kif = "1 ７六歩(77)\n2 ３三歩(33)\n3 ２六歩(27)\n手合割：平手\n1 ２六歩(27)\n";
    let csa = "+7776FU\n+3334FU\n%TORYO\n/\nPI\nP+00FU\n+\n/\n+2726FU\n";
    let usi = "moves 7g7f 7g7f\nsfen 9 b - 1\nmoves 2g2f\n";
    let cases =
        [(RecordFormat::Kif, kif, 1), (RecordFormat::Csa, csa, 2), (RecordFormat::Usi, usi, 2)];
    for (format, text, faults) in cases {
        let parsed = read(text, format, ErrorPolicy::KeepPartial).unwrap();
        let first_moves: Vec<_> = parsed
            .games
            .iter()
            .map(|game| game.main_moves().map(|mv| mv.to_string()).collect::<String>())
            .collect();
        assert_eq!(first_moves, ["7g7f", "2g2f"], "{format}");
        assert_eq!(parsed.warnings.len(), faults, "{format}");
        assert!(
            parsed
                .warnings
                .iter()
                .all(|warning| matches!(warning.kind, WarningKind::RestSkipped(_)))
        );
    }
}
