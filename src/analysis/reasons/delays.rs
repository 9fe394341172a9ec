//! Moves that give the opponent time: rules about playing the better move after the reply, and the reply
//! after the better move.

use super::comparison::Comparison;
use super::reason::{Reason, ReasonKind};
use super::winning_captures::{after_pass, best_capture, newly_attacked, winnable};
use super::wording::{spelled, spelled_with_square};
use crate::analysis::motifs::{GAIN, LineReplay, can_be_captured, capture_value};
use crate::types::language::localized;
use crate::types::message::message;

/// The reply weakens the better move, or the better move would have weakened the reply.
pub(super) fn gives_time(lines: &Comparison) -> Option<Reason> {
    // A reply to the move itself (a check, or a capture on its square) does not use the time.
    let is_answer = lines.refutation.moves()[0].to() == lines.played.moves()[0].to();
    if lines.is_decided() || is_answer || lines.played.after(0).in_check() {
        return None;
    }
    reply_refutes_better_move(lines)
        .or_else(|| better_move_refutes_reply(lines))
        .or_else(|| reply_prevents_better_move(lines))
        .or_else(|| better_move_prevents_reply(lines))
}

/// The better move after the move played and the reply.
fn better_move_after_reply(lines: &Comparison) -> Option<LineReplay> {
    let line = LineReplay::new(lines.refutation.after(0), &lines.better.moves()[..1]);
    (!line.moves().is_empty()).then_some(line)
}

/// After the reply the better move would lose a piece.
fn reply_refutes_better_move(lines: &Comparison) -> Option<Reason> {
    let later = better_move_after_reply(lines)?;
    let mv = later.moves()[0];
    let won = |line: &LineReplay| line.captured(0).map_or(0, |piece| capture_value(piece.kind()));
    let is_lost = can_be_captured(later.after(0), mv.to(), won(&later) + GAIN)
        && !can_be_captured(lines.better.after(0), mv.to(), won(&lines.better) + 1);
    // Only if that is not due to the move played.
    let before = LineReplay::new(&after_pass(lines.played.after(0)), &[mv]);
    let was_safe =
        !before.moves().is_empty() && !can_be_captured(before.after(0), mv.to(), won(&before) + 1);
    if !is_lost || !was_safe {
        return None;
    }
    let (reply, better) = (spelled(&lines.refutation, 0), spelled(&later, 0));
    let name = later.after(0).piece_at(mv.to())?.kind().name();
    let text = message!(
        "Gives time for {}, after which {} loses the {}.",
        "{}と指す余裕を与えた。その後の{}は{}を取られる。";
        reply, better, name
    );
    Some(Reason::new(ReasonKind::GivesTime, text))
}

/// The better move attacks a piece, which the reply would leave to be taken.
fn better_move_refutes_reply(lines: &Comparison) -> Option<Reason> {
    let (reply, after) = (lines.refutation.moves()[0], lines.better.after(0));
    let targets = newly_attacked(&lines.better, 0)?;
    if !after.is_legal(reply) || lines.refutation.captured(0).is_some() {
        return None;
    }
    let there = LineReplay::new(after, &[reply]);
    let here = winnable(lines.refutation.after(0));
    let (take, taken) = best_capture(there.after(0), targets.without(here))?;
    let (reply, better) = (spelled(&lines.refutation, 0), spelled(&lines.better, 0));
    let take = spelled(&LineReplay::new(there.after(0), &[take]), 0);
    let text = message!(
        "Gives time for {0}: after {1} it would leave the {3} to {2}.",
        "{0}と指す余裕を与えた。先に{1}なら、{0}には{3}を{2}と取れた。";
        reply, better, take, taken.name()
    );
    Some(Reason::new(ReasonKind::GivesTime, text))
}

/// After the reply, which may take its piece, the better move is not possible.
fn reply_prevents_better_move(lines: &Comparison) -> Option<Reason> {
    let mv = lines.better.moves()[0];
    let after = lines.refutation.after(0);
    let was_possible = after_pass(lines.played.after(0)).is_legal(mv);
    if !was_possible || after.in_check() || after.is_legal(mv) {
        return None;
    }
    let (reply, better) = (spelled(&lines.refutation, 0), spelled_with_square(&lines.better, 0));
    let takes_it = !mv.is_drop() && lines.refutation.moves()[0].to() == mv.from();
    let text = match lines.refutation.captured(0).filter(|_| takes_it) {
        Some(taken) => {
            let how = if lines.better.captured(0).is_some() {
                localized("takes first", "取る")
            } else {
                localized("moves it away first", "指す")
            };
            message!(
                "Leaves the {1} to {0}: {2} {3}.",
                "{1}を{0}と取られる。先に{2}と{3}ところだった。";
                reply, taken.kind().name(), better, how
            )
        }
        None => message!(
            "Gives time for {}, after which {} is not possible.",
            "{}と指す余裕を与えた。その後は{}と指せない。";
            reply, better
        ),
    };
    Some(Reason::new(ReasonKind::GivesTime, text))
}

/// After the better move the reply is not possible.
fn better_move_prevents_reply(lines: &Comparison) -> Option<Reason> {
    let (reply, after) = (lines.refutation.moves()[0], lines.better.after(0));
    if after.in_check() || after.is_legal(reply) || lines.better.before(0).in_check() {
        return None;
    }
    let was_possible = after_pass(lines.better.before(0)).is_legal(reply);
    let (reply, better) = (spelled(&lines.refutation, 0), spelled_with_square(&lines.better, 0));
    let text = if was_possible {
        message!(
            "Allows {}, which {} makes impossible.",
            "{}を許した。{}なら指せない手だった。";
            reply, better
        )
    } else {
        message!(
            "Makes {} possible, which was not before.",
            "この手で{}の筋が生じた。";
            reply
        )
    };
    Some(Reason::new(ReasonKind::AllowsMove, text))
}
