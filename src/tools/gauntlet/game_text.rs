//! Games as CSA files, and reports on faults of engines.

use super::match_file::MatchGameLine;
use super::match_game::{PlayedGame, PlayedMove};
use crate::record::{
    self, Encoding, Ending, Evaluation, EvaluationValue, GameCursor, HeaderKey, RecordFormat,
};
use crate::tools::opening::Opening;
use crate::tools::referee::{GameEnd, GameEndReason, GameOutcome};
use crate::types::{Color, Move};
use crate::usi_client::EngineScore;

/// A game as a CSA file.
pub fn csa_text(line: &MatchGameLine, opening: &Opening, played: &PlayedGame) -> String {
    let GameEnd { outcome, reason } = played.end;
    let mut cursor = GameCursor::new(opening.start().setup()).expect("checked when it was read");
    let remarks = [
        format!("game {}, opening of line {}", line.number, line.opening),
        format!("{outcome} by {reason}"),
    ];
    cursor.node_mut().remarks.extend(remarks);
    for (key, color) in [(HeaderKey::Black, Color::Black), (HeaderKey::White, Color::White)] {
        cursor.headers_mut().add(key, line.names[color].as_str());
    }
    let checked = "every move was checked when it was played";
    for &mv in opening.moves() {
        cursor.play(mv).expect(checked);
    }
    for played in &played.moves {
        let mover = cursor.position().side_to_move();
        cursor.play(played.mv).expect(checked);
        let node = cursor.node_mut();
        *node.elapsed = Some(played.elapsed);
        node.evaluations.extend(evaluation(mover, played));
    }
    cursor.end(ending(played.end));
    // CSA version 2.2 loses fractions of seconds and the lengths of mates.
    record::write(&[cursor.into_game()], RecordFormat::Csa, Encoding::Utf8).0
}

/// The evaluation of a played move. Records give scores from Black's side.
fn evaluation(mover: Color, played: &PlayedMove) -> Option<Evaluation> {
    let mate = |winner, plies: Option<u64>| EvaluationValue::Mate {
        winner,
        plies: plies.and_then(|plies| u32::try_from(plies).ok()),
    };
    let value = match played.score?.for_black(mover) {
        EngineScore::Centipawns(score) => EvaluationValue::Centipawns(score),
        EngineScore::Mates(plies) => mate(Color::Black, plies),
        EngineScore::Mated(plies) => mate(Color::White, plies),
    };
    Some(Evaluation::new(value, line_after(played)))
}

/// The reported principal variation after the played move; empty if it begins with another move.
fn line_after(played: &PlayedMove) -> Vec<Move> {
    let mut line = played.pv.split_whitespace().map_while(|word| word.parse().ok());
    if line.next() == Some(played.mv) { line.collect() } else { Vec::new() }
}

fn ending(end: GameEnd) -> Ending {
    let offender = match end.outcome {
        GameOutcome::Win(winner) => !winner,
        GameOutcome::Draw => return draw(end.reason),
    };
    match end.reason {
        GameEndReason::Resign | GameEndReason::Adjudication => Ending::Resign,
        GameEndReason::NoMove => Ending::Mate,
        GameEndReason::Declaration => Ending::Declaration,
        GameEndReason::PerpetualCheck => Ending::IllegalAction(offender),
        GameEndReason::TimeLoss => Ending::TimeUp,
        GameEndReason::IllegalMove | GameEndReason::FalseDeclaration => Ending::IllegalMove,
        GameEndReason::Fault(_) => Ending::Error,
        // CSA has no word for the try rule; the others are not wins.
        GameEndReason::Try | GameEndReason::Sennichite | GameEndReason::MaxMoves => {
            Ending::Interrupted
        }
    }
}

fn draw(reason: GameEndReason) -> Ending {
    match reason {
        GameEndReason::Sennichite => Ending::Sennichite,
        _ => Ending::Draw,
    }
}

/// A report on the faults in a game; empty if there was none.
pub fn fault_text(line: &MatchGameLine, played: &PlayedGame) -> String {
    let mut text = String::new();
    let name = |color: Color| format!("{} ({})", line.names[color], color.name());
    if let Some(forfeit) = &played.forfeit {
        text += &format!("game {}: {} lost by ", line.number, name(forfeit.color));
        text += &format!("{}: {}\n{}\n", played.end.reason, forfeit.detail, forfeit.position);
        for line in &forfeit.transcript {
            text += &format!("    {line}\n");
        }
        text.push('\n');
    }
    for (color, fault) in &played.late_faults {
        text += &format!("game {}: {} after the end: {fault}\n", line.number, name(*color));
        text += &format!("{}\n\n", line.position);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::match_file::tests::line;
    use super::super::match_game::Forfeit;
    use super::*;
    use crate::position::Setup;
    use crate::tools::dataset::convert::convert;
    use crate::tools::game_file::GameFileReader;
    use crate::tools::game_file::tests::Place;
    use crate::tools::opening::read_openings;
    use crate::types::{Bound, ByColor, Score};
    use crate::usi_client::EngineFault;

    fn played(reason: GameEndReason, outcome: GameOutcome) -> PlayedGame {
        let mv = |text: &str, score, pv: &str| PlayedMove {
            mv: text.parse().unwrap(),
            elapsed: Duration::from_millis(1500),
            score,
            bound: Bound::Exact,
            pv: pv.into(),
        };
        PlayedGame {
            moves: vec![
                mv("3c3d", Some(EngineScore::Centipawns(25)), "3c3d 2g2f (comment)"),
                mv("2g2f", Some(EngineScore::Mated(Some(2))), "6g6f"),
                mv("8c8d", None, ""),
            ],
            end: GameEnd { outcome, reason },
            stats: ByColor::default(),
            forfeit: None,
            late_faults: Vec::new(),
        }
    }

    #[test]
    fn a_game_is_written_with_its_opening_times_scores_and_end() {
        let opening = read_openings("startpos moves 7g7f").unwrap().remove(0);
        let white = GameOutcome::Win(Color::White);
        let text =
            csa_text(&line(3, ["a", "b"], white), &opening, &played(GameEndReason::Resign, white));
        let expected = "V2.2\n'game 3, opening of line 7\n'0-1 by resign\nN+a\nN-b\nPI\n+\n\
                        +7776FU\n-3334FU\nT1\n'** -25 +2726FU\n+2726FU\nT1\n'** -30000\n\
                        -8384FU\nT1\n%TORYO\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_game_is_read_back_with_its_moves_result_and_scores() {
        let opening = read_openings("startpos moves 7g7f").unwrap().remove(0);
        let white = GameOutcome::Win(Color::White);
        let draw = GameOutcome::Draw;
        let ends = [(white, GameEndReason::Resign), (draw, GameEndReason::Sennichite)];
        for (outcome, reason) in ends {
            let played = played(reason, outcome);
            let (csa, games) = (Place::new("game.csa"), Place::new("game.games"));
            let text = csa_text(&line(3, ["a", "b"], outcome), &opening, &played);
            std::fs::write(&csa.path, text).unwrap();
            let inputs = [csa.path.clone()];
            let counts = convert(&inputs, &games.path, &mut |text| panic!("{text}")).unwrap();
            assert_eq!((counts.games.kept, counts.positions.kept), (1, 2));
            let game = GameFileReader::open(&games.path).unwrap().next().unwrap().unwrap();
            assert_eq!((game.start, game.end), (Setup::startpos(), played.end));
            let moves = game.plies.iter().map(|ply| ply.mv());
            let made = played.moves.iter().map(|played| played.mv);
            assert!(moves.eq(opening.moves().iter().copied().chain(made)));
            let scores: Vec<Option<Score>> = game.plies.iter().map(|ply| ply.score()).collect();
            let mated = -Score::MATE_IN_MAX_PLY;
            assert_eq!(scores, [None, Some(Score::from_centipawns(25)), Some(mated), None]);
            assert!(game.plies[1].is_best());
        }
    }

    #[test]
    fn every_ending_has_a_last_line() {
        let white = GameOutcome::Win(Color::White);
        let end = |outcome, reason| ending(GameEnd { outcome, reason });
        assert_eq!(end(white, GameEndReason::PerpetualCheck), Ending::IllegalAction(Color::Black));
        assert_eq!(end(white, GameEndReason::Adjudication), Ending::Resign);
        assert_eq!(end(GameOutcome::Draw, GameEndReason::Sennichite), Ending::Sennichite);
        assert_eq!(end(GameOutcome::Draw, GameEndReason::MaxMoves), Ending::Draw);
    }

    #[test]
    fn rule_violations_are_reported_with_position_and_last_lines() {
        let black = GameOutcome::Win(Color::Black);
        let mut played = played(GameEndReason::IllegalMove, black);
        let line = line(3, ["a", "b"], black);
        assert_eq!(fault_text(&line, &played), "");
        played.forfeit = Some(Forfeit {
            color: Color::White,
            detail: "bestmove 1a1b".into(),
            position: "position startpos".into(),
            transcript: vec!["> go".into()],
        });
        played.late_faults = vec![(Color::Black, EngineFault::hang("no answer"))];
        let expected = [
            "game 3: b (white) lost by illegal_move: bestmove 1a1b",
            "position startpos",
            "    > go",
            "",
            "game 3: a (black) after the end: hang: no answer",
            "position startpos moves 7g7f 3c3d",
            "\n",
        ]
        .join("\n");
        assert_eq!(fault_text(&line, &played), expected);
    }
}
