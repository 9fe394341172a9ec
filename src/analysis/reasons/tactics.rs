//! Tactics that a line carries out, whatever happens to the material afterwards.

use super::comparison::Comparison;
use super::material::wins_more;
use super::reason::{Reason, ReasonKind};
use super::wording::{spelled, tactic_to};
use crate::analysis::motifs::{GAIN, LineReplay, Motif, MotifMatch, matches_of};
use crate::types::message::message;

/// The last ply of a tactic that is attributed to the first move of its line.
const LATEST_TACTIC: usize = 2;

/// The first tactic in a line that wins a piece, with the ply of the capture.
fn tactic(line: &LineReplay) -> Option<(MotifMatch, usize)> {
    let mut found: Vec<MotifMatch> = matches_of(line)
        .into_iter()
        .filter(|found| found.motif.wins_a_piece() && found.ply <= LATEST_TACTIC)
        .collect();
    found.sort_by_key(|found| (found.ply, found.motif));
    found.into_iter().find_map(|found| {
        let is_it = |&ply: &usize| {
            found.targets.contains(&line.moves()[ply].to()) && line.captured(ply).is_some()
        };
        let capture = (found.ply..line.moves().len()).step_by(2).find(is_it)?;
        Some((found, capture))
    })
}

/// The opponent has a tactic, and has none in the better line.
pub(super) fn allows_tactic(lines: &Comparison) -> Option<Reason> {
    let (found, capture) = tactic(&lines.refutation)?;
    if lines.is_decided() || !lines.is_worth(GAIN) || lines.better.moves().len() <= capture + 1 {
        return None;
    }
    let taken = lines.refutation.moves()[capture].to();
    // The same capture in the better line.
    let is_taken_there = lines.better.moves().iter().skip(1).step_by(2).any(|mv| mv.to() == taken);
    if is_taken_there || !wins_more(&lines.played, capture + 1, &lines.better) {
        return None;
    }
    let way = tactic_to(&lines.refutation, &found, capture);
    let name = lines.refutation.captured(capture)?.kind().name();
    Some(Reason {
        kind: ReasonKind::AllowsTactic,
        motif: Some(found.motif),
        text: message!("Lets the opponent take the {1}: {0}.", "{0}で{1}を取られる。"; way, name),
    })
}

/// The better move is a tactic that is good without winning a piece at once.
pub(super) fn better_move(lines: &Comparison) -> Option<Reason> {
    let found = matches_of(&lines.better);
    let mut named: Vec<Motif> =
        found.iter().filter(|found| found.ply == 0).map(|found| found.motif).collect();
    named.retain(|motif| motif.is_a_move());
    named.sort_unstable();
    let &motif = named.first()?;
    let (better, name) = (spelled(&lines.better, 0), motif.name());
    Some(Reason {
        kind: ReasonKind::BetterMove,
        motif: Some(motif),
        text: message!("Better is {} ({}).", "{}（{}）がまさった。"; better, name),
    })
}
