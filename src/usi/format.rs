//! Formats the lines of the protocol: `info`, `bestmove`, `checkmate`.
//!
//! Every known client accepts this order and spelling: single spaces, the bound directly after the
//! score, the PV last, ASCII only except in messages to the user.

use std::fmt::Write;
use std::time::Duration;

use crate::book::BookVariation;
use crate::engine::answer_check::CheckedAnswer;
use crate::mate::{INFINITE, SolverProgress};
use crate::search::request::{KeyedEntry, MateAnswer, PvEnding, PvLine};
use crate::types::{Bound, Depth, Move, Score};

/// A line with its PV: `info depth 9 seldepth 14 multipv 1 score cp 52 time 317 nodes ... pv 7g7f`.
///
/// The keyword for the end of the PV is written in consideration mode only, since most GUIs accept
/// only moves. `Score::NONE` is omitted.
pub(super) fn pv_line(line: &PvLine, consideration: bool) -> String {
    let mut text = format!("info {}", depth(line));
    let _ = write!(text, " multipv {}", line.rank);
    if line.score != Score::NONE {
        let _ = write!(text, " score {}{}", line.score, bound(line.bound));
    }
    text += &statistics(line.elapsed, line.nodes, line.hashfull_permille);
    let ending = line.ending.filter(|_| consideration).map(ending_word);
    if !line.pv.is_empty() || ending.is_some() {
        text += " pv";
    }
    push_moves(&mut text, &line.pv);
    if let Some(word) = ending {
        text.push(' ');
        text += word;
    }
    text
}

/// Entries for the other workers of a cluster: `info string entries`, then one word each.
pub(super) fn entries(entries: &[KeyedEntry]) -> String {
    let words: String = entries.iter().map(|entry| format!(" {entry}")).collect();
    format!("info string entries{words}")
}

/// A book move: `info depth 32 multipv 1 score cp 40 pv 7g7f 3c3d`, without the fields that the book
/// lacks.
pub(super) fn book_move(rank: usize, candidate: &BookVariation) -> String {
    let mut text = String::from("info");
    if let Some(depth) = candidate.depth {
        let _ = write!(text, " depth {depth}");
    }
    let _ = write!(text, " multipv {rank}");
    if let Some(eval) = candidate.eval {
        let _ = write!(text, " score cp {eval}");
    }
    with_moves(&(text + " pv"), &candidate.pv)
}

/// A line without score and moves, for a search of the position before the expected move.
pub(super) fn line_without_moves(line: &PvLine) -> String {
    let statistics = statistics(line.elapsed, line.nodes, line.hashfull_permille);
    format!("info {}{statistics}", depth(line))
}

/// The progress of a mate search: `info depth 7 seldepth 31 score mate 7 time 250 nodes ... pv ...` with
/// the mate found, or without a score and with the line being searched.
pub(super) fn mate_search(
    progress: &SolverProgress,
    elapsed: Duration,
    mate: Option<&[Move]>,
) -> String {
    let moves = mate.unwrap_or(&progress.line);
    // A mate from the table may be longer than the depth searched.
    let deepest = moves.len().max(progress.depth as usize);
    let mut text = format!("info depth {} seldepth {deepest}", moves.len());
    if mate.is_some() {
        let _ = write!(text, " score mate {}", moves.len());
    }
    text += &statistics(elapsed, progress.nodes, progress.hashfull_permille);
    if !moves.is_empty() {
        text += " pv";
    }
    push_moves(&mut text, moves);
    text
}

/// Proof and disproof number of the root.
pub(super) fn mate_numbers(progress: &SolverProgress) -> String {
    let number = |number: u64| {
        if number >= INFINITE { "infinite".to_owned() } else { number.to_string() }
    };
    format!("pn {} dn {}", number(progress.pn), number(progress.dn))
}

/// The root move being searched, and its number from 1.
pub(super) fn current_move(depth: Depth, mv: Move, number: usize) -> String {
    format!("info depth {depth} currmove {mv} currmovenumber {number}")
}

/// The line being searched.
pub(super) fn current_line(moves: &[Move]) -> String {
    with_moves("info currline", moves)
}

/// A root move and the line that refutes it.
pub(super) fn refutation(moves: &[Move]) -> String {
    with_moves("info refutation", moves)
}

/// The answer to `eval`: `info string eval 34 raw 547`, with the score in internal units (a pawn is
/// about 90) and the raw output of the network.
pub(super) fn evaluation(score: Score, raw: i32) -> String {
    format!("info string eval {} raw {raw}", score.0)
}

/// The answer to a search for a move: `bestmove 7g7f ponder 3c3d`.
pub(super) fn best_move(answer: &CheckedAnswer) -> String {
    match answer {
        CheckedAnswer::Move { best, ponder: Some(ponder) } => {
            format!("bestmove {best} ponder {ponder}")
        }
        CheckedAnswer::Move { best, ponder: None } => format!("bestmove {best}"),
        CheckedAnswer::Resign => "bestmove resign".into(),
        CheckedAnswer::DeclareWin => "bestmove win".into(),
    }
}

/// The answer to a mate search. A mate without moves is `nomate`: the side to move has lost already.
pub(super) fn checkmate(answer: &MateAnswer) -> String {
    match answer {
        MateAnswer::Mate(moves) if !moves.is_empty() => with_moves("checkmate", moves),
        MateAnswer::Mate(_) | MateAnswer::NoMate => "checkmate nomate".into(),
        MateAnswer::Unknown => "checkmate timeout".into(),
    }
}

/// The lines of one iteration: best first, without duplicate first moves, numbered from 1.
pub(super) fn sorted_lines(mut lines: Vec<PvLine>) -> Vec<PvLine> {
    lines.sort_by_key(|line| std::cmp::Reverse(line.score));
    let mut shown: Vec<PvLine> = Vec::with_capacity(lines.len());
    for mut line in lines {
        if shown.iter().all(|other| other.pv.first() != line.pv.first()) {
            line.rank = shown.len() + 1;
            shown.push(line);
        }
    }
    shown
}

/// Whether a winning declaration, the first of several lines, is left out because only one is wanted: it has no moves.
pub(super) fn leaves_out_declaration(lines: &[PvLine], wanted: usize) -> bool {
    wanted <= 1 && lines.len() > 1 && lines[0].pv.is_empty()
}

/// At most `wanted` of these lines (at least one), best first; see [`leaves_out_declaration`].
pub(super) fn wanted_lines(lines: &[PvLine], wanted: usize) -> Vec<PvLine> {
    let mut lines = lines.to_vec();
    if leaves_out_declaration(&lines, wanted) {
        lines.remove(0);
        lines[0].rank = 1;
    }
    lines.truncate(wanted.max(1));
    lines
}

fn depth(line: &PvLine) -> String {
    format!("depth {} seldepth {}", line.depth, line.selective_depth)
}

fn statistics(elapsed: Duration, nodes: u64, hashfull_permille: u32) -> String {
    let (millis, nps) = (elapsed.as_millis(), nodes_per_second(nodes, elapsed));
    format!(" time {millis} nodes {nodes} nps {nps} hashfull {hashfull_permille}")
}

/// Times below a millisecond count as one, to avoid meaningless figures.
fn nodes_per_second(nodes: u64, elapsed: Duration) -> u128 {
    u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1000)
}

fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
        Bound::Exact | Bound::None => "",
    }
}

/// The keywords of USI 2.0 for the end of a PV.
fn ending_word(ending: PvEnding) -> &'static str {
    match ending {
        PvEnding::Declaration => "win",
        PvEnding::RepetitionDraw => "rep_draw",
        PvEnding::RepetitionWin => "rep_win",
        PvEnding::RepetitionLoss => "rep_lose",
        PvEnding::Superior => "rep_sup",
        PvEnding::Inferior => "rep_inf",
        PvEnding::Mated => "resign",
    }
}

fn with_moves(head: &str, moves: &[Move]) -> String {
    let mut text = head.to_owned();
    push_moves(&mut text, moves);
    text
}

fn push_moves(text: &mut String, moves: &[Move]) {
    for mv in moves {
        let _ = write!(text, " {mv}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<Move> {
        text.split_whitespace().map(|word| word.parse().unwrap()).collect()
    }

    fn line(score: Score, pv: &str) -> PvLine {
        PvLine {
            depth: 9,
            selective_depth: 14,
            rank: 1,
            score,
            bound: Bound::Exact,
            elapsed: Duration::from_millis(250),
            nodes: 5_000_000_000,
            hashfull_permille: 31,
            pv: moves(pv),
            ending: None,
        }
    }

    /// A search for a mate with the best mate found, or none.
    fn mate_progress(mate: &str) -> SolverProgress {
        SolverProgress {
            nodes: 50_000,
            depth: 31,
            pn: 12,
            dn: INFINITE,
            hashfull_permille: 3,
            mate: moves(mate),
            line: moves("G*5b 5a4a"),
        }
    }

    /// Without `report_bounds`, the last line of an interrupted search showed a bound as a score.
    #[test]
    fn a_bound_is_never_reported_as_a_score() {
        let text = |score, bound| pv_line(&PvLine { bound, ..line(score, "7g7f") }, false);
        assert!(text(Score(90), Bound::Exact).contains(" score cp 100 time "));
        assert!(text(Score(-90), Bound::Lower).contains(" score cp -100 lowerbound time "));
        assert!(text(Score::mate_in(3), Bound::Upper).contains(" score mate 3 upperbound time "));
    }

    #[test]
    fn a_mate_search_reports_the_mate_or_the_line_being_searched() {
        let (progress, elapsed) = (mate_progress("G*5b"), Duration::from_millis(250));
        assert_eq!(
            mate_search(&progress, elapsed, Some(&progress.mate)),
            "info depth 1 seldepth 31 score mate 1 time 250 nodes 50000 nps 200000 hashfull 3 pv G*5b"
        );
        assert_eq!(
            mate_search(&mate_progress(""), elapsed, None),
            "info depth 2 seldepth 31 time 250 nodes 50000 nps 200000 hashfull 3 pv G*5b 5a4a"
        );
        assert_eq!(mate_numbers(&progress), "pn 12 dn infinite");
    }

    #[test]
    fn the_reported_depth_is_at_least_the_length_of_the_mate() {
        let progress = SolverProgress { depth: 1, ..mate_progress("G*5b 5a4a G*4b") };
        let text = mate_search(&progress, Duration::ZERO, Some(&progress.mate));
        assert!(text.starts_with("info depth 3 seldepth 3 score mate 3 "), "{text}");
    }

    #[test]
    fn the_fields_are_in_the_order_that_every_client_accepts() {
        assert_eq!(
            pv_line(&line(Score(90), "7g7f P*5e 8h2b+"), false),
            "info depth 9 seldepth 14 multipv 1 score cp 100 time 250 nodes 5000000000 \
             nps 20000000000 hashfull 31 pv 7g7f P*5e 8h2b+"
        );
    }

    #[test]
    fn mates_are_reported_in_plies_with_a_sign() {
        let text = |score| pv_line(&line(score, "7g7f"), false);
        assert!(text(Score::mate_in(5)).contains(" score mate 5 time"));
        assert!(text(Score::mated_in(4)).contains(" score mate -4 time"));
        assert!(text(Score::mated_in(0)).contains(" score mate -0 time"));
    }

    #[test]
    fn the_ending_of_a_line_is_its_last_token_if_the_option_is_on() {
        for (ending, word) in [
            (PvEnding::Declaration, "win"),
            (PvEnding::RepetitionDraw, "rep_draw"),
            (PvEnding::RepetitionWin, "rep_win"),
            (PvEnding::RepetitionLoss, "rep_lose"),
            (PvEnding::Superior, "rep_sup"),
            (PvEnding::Inferior, "rep_inf"),
            (PvEnding::Mated, "resign"),
        ] {
            let ended = PvLine { ending: Some(ending), ..line(Score(0), "7g7f 3c3d") };
            assert!(pv_line(&ended, true).ends_with(&format!(" pv 7g7f 3c3d {word}")));
            assert!(pv_line(&ended, false).ends_with(" pv 7g7f 3c3d"));
        }
    }

    #[test]
    fn a_line_without_moves_has_no_empty_pv() {
        let mated = PvLine { ending: Some(PvEnding::Mated), ..line(Score::mated_in(0), "") };
        assert!(pv_line(&mated, false).ends_with(" hashfull 31"));
        assert!(pv_line(&mated, true).ends_with(" hashfull 31 pv resign"));
    }

    #[test]
    fn an_unknown_score_is_left_out() {
        let text = pv_line(&line(Score::NONE, "7g7f"), false);
        assert!(text.starts_with("info depth 9 seldepth 14 multipv 1 time 250 "), "{text}");
    }

    #[test]
    fn a_search_of_no_measurable_time_has_a_plausible_speed() {
        assert_eq!(nodes_per_second(40, Duration::ZERO), 40_000);
        assert_eq!(nodes_per_second(u64::MAX, Duration::from_secs(1)), u128::from(u64::MAX));
    }

    #[test]
    fn every_checkmate_answer_has_moves_or_a_keyword() {
        assert_eq!(checkmate(&MateAnswer::Mate(moves("G*5b"))), "checkmate G*5b");
        assert_eq!(checkmate(&MateAnswer::Mate(vec![])), "checkmate nomate");
        assert_eq!(checkmate(&MateAnswer::NoMate), "checkmate nomate");
        assert_eq!(checkmate(&MateAnswer::Unknown), "checkmate timeout");
    }

    #[test]
    fn the_other_lines_have_the_format_of_the_protocol() {
        let mv = moves("7g7f")[0];
        assert_eq!(current_move(3, mv, 2), "info depth 3 currmove 7g7f currmovenumber 2");
        assert_eq!(current_line(&moves("7g7f 3c3d")), "info currline 7g7f 3c3d");
        assert_eq!(refutation(&moves("7g7f 3c3d")), "info refutation 7g7f 3c3d");
        let found = |ponder| best_move(&CheckedAnswer::Move { best: mv, ponder });
        assert_eq!(found(None), "bestmove 7g7f");
        assert_eq!(found(moves("3c3d").pop()), "bestmove 7g7f ponder 3c3d");
        assert_eq!(best_move(&CheckedAnswer::Resign), "bestmove resign");
        assert_eq!(best_move(&CheckedAnswer::DeclareWin), "bestmove win");
    }
}
