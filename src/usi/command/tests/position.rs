//! Positions and moves in all spellings in use.

use super::*;

fn after_7g7f(is_incomplete: bool) -> Command {
    let moves = UsiMoves { moves: vec!["7g7f".parse().unwrap()], is_incomplete };
    Command::Position { start: Start::Startpos, moves }
}

#[test]
fn every_syntax_of_position_is_parsed() {
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let start = || Start::Startpos;
    let set = |text: &str| Start::Sfen(text.into());
    for (line, expected, moves) in [
        ("position startpos".to_string(), start(), ""),
        ("position startpos moves".to_string(), start(), ""),
        (
            "position startpos moves 7g7f 3c3d 8h2b+ P*5e".to_string(),
            start(),
            "7g7f 3c3d 8h2b+ P*5e",
        ),
        ("position startpos 7g7f".to_string(), start(), "7g7f"),
        ("position sfen startpos moves 7g7f".to_string(), start(), "7g7f"),
        (format!("position sfen {sfen}"), set(sfen), ""),
        (format!("position {sfen}"), set(sfen), ""),
        (format!("position  sfen  {}  moves  7g7f", sfen.replace(' ', "\t ")), set(sfen), "7g7f"),
        (
            "position sfen 9/9/9/9/9/9/9/9/9 w moves 1a1b".to_string(),
            set("9/9/9/9/9/9/9/9/9 w"),
            "1a1b",
        ),
        ("position sfen 8k/9 b".to_string(), set("8k/9 b"), ""),
    ] {
        assert_eq!(position(&line), (expected, moves.to_string()), "{line}");
    }
}

/// Regression: a full-width space was reported as an unknown piece.
#[test]
fn any_unicode_blank_separates_tokens() {
    for blank in ["\u{3000}", "\u{a0}", "\u{2003} ", "\u{200b}"] {
        let line = "position startpos moves 7g7f 3c3d".replace(' ', blank);
        assert_eq!(position(&line), (Start::Startpos, "7g7f 3c3d".into()), "{line}");
        let line = " position sfen 9/9/9/9/9/9/9/9/9 w moves 1a1b ".replace(' ', blank);
        let start = Start::Sfen("9/9/9/9/9/9/9/9/9 w".into());
        assert_eq!(position(&line), (start, "1a1b".into()), "{line}");
    }
}

#[test]
fn a_result_after_the_moves_of_a_pasted_record_ends_the_list() {
    for ending in ["resign", "win", "rep_draw", "timeup"] {
        let line = format!("position startpos moves 7g7f 3c3d {ending} 2g2f");
        assert_eq!(position(&line), (Start::Startpos, "7g7f 3c3d".into()));
    }
}

#[test]
fn moves_after_an_invalid_move_are_not_played() {
    let parsed = parse(b"position startpos moves 7g7f 3c3x 2g2f");
    assert_eq!(parsed.command, Some(after_7g7f(true)));
    let expected = CommandError::NotAMove { word: "moves", token: "3c3x".into() };
    assert_eq!(parsed.errors, [expected]);
}

#[test]
fn a_stray_token_before_the_moves_is_skipped() {
    let parsed = parse(b"position startpos joho moves 7g7f");
    assert_eq!(parsed.command, Some(after_7g7f(false)));
    assert_eq!(parsed.errors[0].to_string(), "\"joho\" is not valid after startpos; ignored");
}

/// Regression: the message said that the token is ignored, although it makes the engine refuse the position.
#[test]
fn unknown_tokens_in_place_of_moves_make_the_list_incomplete() {
    for token in ["moves7g7f", "joho"] {
        let parsed = parse(format!("position startpos {token} 2g2f").as_bytes());
        let moves = UsiMoves { moves: Vec::new(), is_incomplete: true };
        assert_eq!(parsed.command, Some(Command::Position { start: Start::Startpos, moves }));
        let expected = CommandError::NotAMove { word: "startpos", token: token.to_owned() };
        assert_eq!(parsed.errors, [expected]);
    }
}

#[test]
fn a_position_command_without_a_position_has_no_fields() {
    for (line, moves) in [("position", ""), ("position sfen", ""), ("position moves 7g7f", "7g7f")]
    {
        assert_eq!(position(line), (Start::Sfen(String::new()), moves.to_string()), "{line}");
    }
}

#[test]
fn posdiff_is_a_list_of_moves() {
    let moves = ["7g7f", "3c3d"].map(|mv| mv.parse().unwrap()).to_vec();
    let list = UsiMoves { moves, is_incomplete: false };
    assert_eq!(clean("posdiff 7g7f 3c3d"), Command::PosDiff(list));
    let broken = UsiMoves { is_incomplete: true, ..UsiMoves::default() };
    assert_eq!(parse(b"posdiff x").command, Some(Command::PosDiff(broken)));
    assert!(parse(b"posdiff").command.is_none());
    assert_eq!(parse(b"posdiff").errors.len(), 1);
    let expected = CommandError::NotAMove { word: "posdiff", token: "x".into() };
    assert_eq!(parse(b"posdiff x").errors, [expected]);
}
