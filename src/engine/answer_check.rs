//! Checks answers and PVs of a search against the rules before they are sent.
//!
//! An illegal move loses the game, and an illegal PV breaks the display of some GUIs. The check takes microseconds.

use crate::mate::is_mate;
use crate::position::Position;
use crate::search::request::{Answer, Limits, MateAnswer, PvLine, SearchOutcome};
use crate::types::{Bound, Move, Score};

/// A checked answer to a search for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckedAnswer {
    Move { best: Move, ponder: Option<Move> },
    Resign,
    DeclareWin,
}

// Messages about an answer that cannot be right.
const REPLACED: &str = "the search gave no usable answer; replaced by a legal one";
const FALSE_MATE: &str = "the search reported a false mate";

/// The answer to a search for a move, and a message if the answer had to be replaced. `limits` are those of
/// the search, without `ponder` after a ponder hit; `lines` are those reported before.
pub fn check_move(
    position: &mut Position,
    limits: &Limits,
    lines: &[PvLine],
    outcome: &SearchOutcome,
) -> (CheckedAnswer, Option<&'static str>) {
    let allowed = &limits.search_moves;
    match outcome.answer {
        Answer::Move { best, ponder } if position.is_legal(best) => {
            let ponder = ponder.or_else(|| expected_reply(lines, best));
            (CheckedAnswer::Move { best, ponder: legal_reply(position, best, ponder) }, None)
        }
        Answer::Resign => (CheckedAnswer::Resign, None),
        // GUIs drop the answer to a ponder miss, but shogi-server's usiToCsa declares by every `bestmove win`.
        Answer::DeclareWin if limits.ponder => (fallback_move(position, allowed, lines), None),
        Answer::DeclareWin => (CheckedAnswer::DeclareWin, None),
        Answer::Move { .. } | Answer::Mate(_) => {
            (fallback_move(position, allowed, lines), Some(REPLACED))
        }
    }
}

/// The answer to a search for a mate, and a message if the reported mate is wrong.
pub fn check_mate(
    position: &Position,
    outcome: SearchOutcome,
) -> (MateAnswer, Option<&'static str>) {
    let answer = match outcome.answer {
        Answer::Mate(MateAnswer::Mate(moves)) if !is_mate(position, &moves) => {
            return (MateAnswer::Unknown, Some(FALSE_MATE));
        }
        Answer::Mate(answer) => answer,
        // The side to move is mated, so it cannot mate.
        Answer::Resign if !position.has_legal_move() => MateAnswer::NoMate,
        Answer::Resign | Answer::DeclareWin | Answer::Move { .. } => MateAnswer::Unknown,
    };
    (answer, None)
}

/// Cuts the PV off before its first illegal move.
pub fn truncate_pv(position: &mut Position, line: &mut PvLine) {
    let legal = legal_prefix(position, &line.pv);
    if legal < line.pv.len() {
        line.pv.truncate(legal);
        line.ending = None;
    }
}

/// The last `info` line before the answer: the last PV that begins with the best move, with the final
/// node count, which some clients take for that of the search. Without such a PV, a line without a
/// score.
pub fn final_line(
    lines: &[PvLine],
    answer: CheckedAnswer,
    outcome: &SearchOutcome,
) -> Option<PvLine> {
    let CheckedAnswer::Move { best, ponder } = answer else {
        return lines.first().map(|line| with_final_nodes(line, outcome));
    };
    let known = lines.iter().find(|line| line.pv.first() == Some(&best));
    let mut line = match known {
        Some(line) => with_final_nodes(line, outcome),
        None => without_score(best, lines, outcome),
    };
    if line.pv.len() == 1 && line.ending.is_none() {
        line.pv.extend(ponder);
    }
    Some(line)
}

/// The line with the final node count, as the first line (rank 1).
fn with_final_nodes(line: &PvLine, outcome: &SearchOutcome) -> PvLine {
    let mut line = PvLine { rank: 1, ..line.clone() };
    // Otherwise a line that differs only in its time would be sent again.
    if outcome.nodes > line.nodes {
        (line.nodes, line.elapsed) = (outcome.nodes, outcome.elapsed);
    }
    line
}

fn without_score(best: Move, lines: &[PvLine], outcome: &SearchOutcome) -> PvLine {
    PvLine {
        depth: 1,
        selective_depth: 1,
        rank: 1,
        score: Score::NONE,
        bound: Bound::None,
        elapsed: outcome.elapsed,
        nodes: outcome.nodes,
        hashfull_permille: lines.first().map_or(0, |line| line.hashfull_permille),
        pv: vec![best],
        ending: None,
    }
}

/// The number of legal moves at the beginning of `moves`.
fn legal_prefix(position: &mut Position, moves: &[Move]) -> usize {
    let legal = moves.iter().take_while(|&&mv| position.try_play(mv).is_ok()).count();
    for &mv in moves.iter().take(legal).rev() {
        position.undo_move(mv);
    }
    legal
}

fn expected_reply(lines: &[PvLine], best: Move) -> Option<Move> {
    let line = lines.iter().find(|line| line.pv.first() == Some(&best))?;
    line.pv.get(1).copied()
}

fn legal_reply(position: &mut Position, best: Move, reply: Option<Move>) -> Option<Move> {
    reply.filter(|&reply| legal_prefix(position, &[best, reply]) == 2)
}

/// A legal replacement: the first move of a line, else the best allowed move that is found without a search, else
/// the best of all moves.
fn fallback_move(position: &mut Position, allowed: &[Move], lines: &[PvLine]) -> CheckedAnswer {
    let is_legal = |mv: &Move| position.is_legal(*mv);
    let found = lines.iter().find_map(|line| line.pv.first().copied()).filter(is_legal);
    let best = found
        .or_else(|| position.move_without_search(allowed.iter().copied().filter(is_legal)))
        .or_else(|| position.move_without_search(position.legal_moves().moves()));
    match best {
        Some(best) => {
            let ponder = expected_reply(lines, best);
            CheckedAnswer::Move { best, ponder: legal_reply(position, best, ponder) }
        }
        None => CheckedAnswer::Resign,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::request::PvEnding;

    fn moves(text: &str) -> Vec<Move> {
        text.split_whitespace().map(|word| word.parse().unwrap()).collect()
    }

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    fn line(pv: &str) -> PvLine {
        PvLine {
            depth: 5,
            selective_depth: 6,
            rank: 1,
            score: Score(30),
            bound: Bound::Exact,
            elapsed: Duration::from_millis(10),
            nodes: 100,
            hashfull_permille: 2,
            pv: moves(pv),
            ending: None,
        }
    }

    fn outcome(answer: Answer) -> SearchOutcome {
        let elapsed = Duration::from_millis(12);
        SearchOutcome { answer, lines: Vec::new(), nodes: 150, elapsed, planned_end: None }
    }

    fn answer(best: &str, ponder: Option<&str>) -> SearchOutcome {
        outcome(Answer::Move { best: mv(best), ponder: ponder.map(mv) })
    }

    fn checked_move(
        lines: &[PvLine],
        outcome: &SearchOutcome,
    ) -> (CheckedAnswer, Option<&'static str>) {
        check_move(&mut Position::startpos(), &Limits::default(), lines, outcome)
    }

    fn move_found(best: &str, ponder: Option<&str>) -> CheckedAnswer {
        CheckedAnswer::Move { best: mv(best), ponder: ponder.map(mv) }
    }

    /// White's king on 5a with a gold of Black's on 5c and two golds in hand.
    const MATE_IN_ONE: &str = "4k4/9/4G4/9/9/9/9/9/4K4 b G 1";

    #[test]
    fn a_ponder_move_is_sent_only_if_it_is_legal() {
        let good = checked_move(&[], &answer("7g7f", Some("3c3d")));
        assert_eq!(good, (move_found("7g7f", Some("3c3d")), None));
        let bad = checked_move(&[], &answer("7g7f", Some("2g2f")));
        assert_eq!(bad, (move_found("7g7f", None), None));
    }

    #[test]
    fn an_answer_without_a_ponder_move_takes_it_from_the_pv() {
        let lines = [line("2g2f 8c8d"), line("7g7f 3c3d")];
        let checked = checked_move(&lines, &answer("7g7f", None));
        assert_eq!(checked, (move_found("7g7f", Some("3c3d")), None));
    }

    #[test]
    fn an_illegal_answer_is_replaced_by_a_legal_one() {
        let lines = [line("2g2f 8c8d")];
        let checked = checked_move(&lines, &answer("5e5d", None));
        assert_eq!(checked, (move_found("2g2f", Some("8c8d")), Some(REPLACED)));
        let allowed = Limits { search_moves: moves("9g9f"), ..Limits::default() };
        let (checked, _) =
            check_move(&mut Position::startpos(), &allowed, &[], &answer("5e5d", None));
        assert_eq!(checked, move_found("9g9f", None));
        let (checked, _) = checked_move(&[], &outcome(Answer::Mate(MateAnswer::NoMate)));
        assert!(matches!(checked, CheckedAnswer::Move { .. }));
    }

    /// Regression: the first legal move was played.
    #[test]
    fn without_a_line_the_best_move_without_a_search_is_the_replacement() {
        let mut position = Position::from_sfen(MATE_IN_ONE).unwrap();
        let limits = Limits::default();
        let (checked, _) = check_move(&mut position, &limits, &[], &answer("5e5d", None));
        assert_eq!(checked, move_found("G*5b", None));
    }

    /// Regression: after a ponder miss usiToCsa declared a win in another position, and lost the game.
    #[test]
    fn a_win_is_declared_only_on_the_own_turn() {
        let mut position = Position::from_sfen(MATE_IN_ONE).unwrap();
        let mut checked = |ponder, answer| {
            let limits = Limits { ponder, ..Limits::default() };
            check_move(&mut position, &limits, &[], &outcome(answer))
        };
        assert_eq!(checked(false, Answer::DeclareWin), (CheckedAnswer::DeclareWin, None));
        assert_eq!(checked(true, Answer::DeclareWin), (move_found("G*5b", None), None));
        assert_eq!(checked(true, Answer::Resign), (CheckedAnswer::Resign, None));
    }

    #[test]
    fn a_pv_ends_before_its_first_illegal_move() {
        let mut position = Position::startpos();
        let mut wrong = line("7g7f 3c3d 8h2b+ 8b2b 5e5d");
        wrong.ending = Some(PvEnding::Mated);
        truncate_pv(&mut position, &mut wrong);
        assert_eq!(wrong.pv, moves("7g7f 3c3d 8h2b+ 8b2b"));
        assert_eq!(wrong.ending, None);
        assert_eq!(position.to_sfen(), Position::startpos().to_sfen());
    }

    #[test]
    fn a_mate_is_answered_only_with_a_line_that_mates() {
        let position = Position::from_sfen(MATE_IN_ONE).unwrap();
        let checked = |text: &str| {
            let found = Answer::Mate(MateAnswer::Mate(moves(text)));
            check_mate(&position, outcome(found)).0
        };
        assert_eq!(checked("G*5b"), MateAnswer::Mate(moves("G*5b")));
        // The first move of the third line gives no check.
        for wrong in ["G*6b", "G*5b 5a4a", "5i5h 5a6a G*6b", "G*5a", ""] {
            assert_eq!(checked(wrong), MateAnswer::Unknown, "{wrong}");
        }
    }

    #[test]
    fn a_mate_search_without_a_result_is_answered_as_unknown() {
        let position = Position::startpos();
        for wrong in [Answer::Resign, Answer::DeclareWin, answer("7g7f", None).answer] {
            let checked = check_mate(&position, outcome(wrong));
            assert_eq!(checked, (MateAnswer::Unknown, None));
        }
    }

    #[test]
    fn the_last_line_begins_with_the_answer_and_has_the_final_statistics() {
        let lines = [line("2g2f 8c8d"), PvLine { rank: 2, ..line("7g7f 3c3d 2g2f") }];
        let done = answer("7g7f", None);
        let last = final_line(&lines, move_found("7g7f", Some("3c3d")), &done).unwrap();
        assert_eq!((last.rank, last.pv), (1, moves("7g7f 3c3d 2g2f")));
        assert_eq!((last.nodes, last.elapsed), (150, Duration::from_millis(12)));
        let last = final_line(&lines, move_found("9g9f", None), &done).unwrap();
        assert_eq!((last.score, last.pv), (Score::NONE, moves("9g9f")));
        let last = final_line(&[line("7g7f")], move_found("7g7f", Some("3c3d")), &done).unwrap();
        assert_eq!((last.score, last.pv), (Score(30), moves("7g7f 3c3d")));
        assert_eq!(
            final_line(&lines, CheckedAnswer::Resign, &done).unwrap().pv,
            moves("2g2f 8c8d")
        );
        let idle = SearchOutcome { nodes: 100, ..done.clone() };
        let found = move_found("2g2f", Some("8c8d"));
        assert_eq!(final_line(&lines, found, &idle).as_ref(), Some(&lines[0]), "no node since");
        assert_eq!(final_line(&[], CheckedAnswer::Resign, &done), None);
    }
}
