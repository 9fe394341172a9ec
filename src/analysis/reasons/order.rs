//! Moves in the wrong order: the better move follows later, or the played move is right later.

use super::comparison::Comparison;
use super::material::{NetCaptures, net_material};
use super::reason::{Reason, ReasonKind};
use super::winning_captures::newly_attacked;
use super::wording::{pieces, spelled, spelled_with_square, won_or_lost};
use crate::analysis::motifs::{LineReplay, capture_value};
use crate::types::Move;
use crate::types::message::message;

/// The last ply at which the better move, or the played move, may follow.
const LATEST_PLY: usize = 6;

/// The ply of a move of the same side later in a line.
fn later_ply(line: &LineReplay, mv: Move) -> Option<usize> {
    (2..=LATEST_PLY).step_by(2).find(|&ply| line.moves().get(ply) == Some(&mv))
}

/// The better move follows later, or the played move is right later, and the order costs something.
pub(super) fn wrong_order(lines: &Comparison) -> Option<Reason> {
    if lines.is_decided() {
        return None;
    }
    pays_first(lines).or_else(|| too_early(lines))
}

/// Plies after the better move in which its gain appears.
const GAIN_PLIES: usize = 4;

/// Material is lost before the better move follows, which then brings no more than at once.
fn pays_first(lines: &Comparison) -> Option<Reason> {
    let mv = lines.better.moves()[0];
    let ply = later_ply(&lines.played, mv)?;
    let NetCaptures { taken, lost: lost_pieces } = NetCaptures::new(&lines.played, lines.side, ply);
    let last = (1..ply).step_by(2).rev().find(|&ply| lines.played.captured(ply).is_some())?;
    // A piece that is given up later, and an exchange that continues, have other purposes.
    let is_at_once = last == 1 || lines.played.moves()[last].to() == lines.played.moves()[0].to();
    let goes_on = mv.to() == lines.played.moves()[ply - 1].to();
    let value = |line: &LineReplay, plies: usize| {
        net_material(line, lines.side, 0..line.moves().len().min(plies + GAIN_PLIES))
    };
    let lost = -net_material(&lines.played, lines.side, 0..ply);
    let is_made_good = value(&lines.played, ply) - value(&lines.better, 0) > -lost;
    if goes_on || !is_at_once || !taken.is_empty() || lost_pieces.is_empty() || is_made_good {
        return None;
    }
    let (take, what) = (spelled(&lines.played, last), pieces(&lost_pieces));
    let better = spelled_with_square(&lines.better, 0);
    let text = message!(
        "Loses {1} ({0}) before {2} follows.",
        "先に{1}を{0}と取られ、その後で{2}となる。";
        take, what, better
    );
    Some(Reason::new(ReasonKind::WrongOrder, text))
}

/// The move is right a little later: then it threatens to win a piece, and now none.
fn too_early(lines: &Comparison) -> Option<Reason> {
    let mv = lines.played.moves()[0];
    // The same move with another capture is another one.
    let ply = later_ply(&lines.better, mv)
        .filter(|&ply| lines.better.captured(ply) == lines.played.captured(0))?;
    let (now, then) = (newly_attacked(&lines.played, 0)?, newly_attacked(&lines.better, ply)?);
    let after = lines.better.after(ply);
    let value = |at| after.piece_at(at).map_or(0, |piece| capture_value(piece.kind()));
    let at = then.without(now).into_iter().max_by_key(|&at| value(at))?;
    let (first, later) = (spelled(&lines.better, 0), spelled(&lines.better, ply));
    let kind = after.piece_at(at)?.kind();
    let (name, won_ja) = (kind.name().en, won_or_lost(&[kind], "得"));
    let text = message!(
        "Too early: only after {} does {} threaten to win the {name}.",
        "手順前後。先に{}なら、後の{}で{won_ja}を狙える。";
        first, later
    );
    Some(Reason::new(ReasonKind::WrongOrder, text))
}
