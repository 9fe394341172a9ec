//! Tactics that a line carries out, whatever happens to the material afterwards.

use super::comparison::Comparison;
use super::material::wins_more;
use super::reason::{Reason, ReasonKind};
use super::wording::{piece, spelled, tactic_to};
use crate::analysis::motifs::{GAIN, LineReplay, Motif, MotifMatch, matches_of};

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
    let (way_en, way_ja) = tactic_to(&lines.refutation, &found, capture);
    let (name_en, name_ja) = piece(lines.refutation.captured(capture)?.kind());
    Some(Reason {
        kind: ReasonKind::AllowsTactic,
        motif: Some(found.motif),
        en: format!("Lets the opponent take the {name_en}: {way_en}."),
        ja: format!("{way_ja}で{name_ja}を取られる。"),
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
    let (en, ja) = spelled(&lines.better, 0);
    Some(Reason {
        kind: ReasonKind::BetterMove,
        motif: Some(motif),
        en: format!("Better is {en} ({}).", motif.name().en),
        ja: format!("{ja}（{}）がまさった。", motif.name().ja),
    })
}
