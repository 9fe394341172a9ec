//! The material at the end of two lines.

use super::comparison::Comparison;
use super::material::{Balance, NetCaptures, balances, net_material};
use super::pieces::pawn_value;
use super::reason::{Reason, ReasonKind};
use super::wording::{pieces, won_or_lost};
use crate::analysis::motifs::{GAIN, LineReplay};
use crate::types::message::{Message, message};
use crate::types::{Color, PieceKind};

/// The shortest lines that are compared.
const MIN_PLIES: usize = 6;
/// A difference of material explains a mistake only if the mistake costs less than this many times as much.
const MAX_COST_RATIO: i32 = 4;
/// Pieces in a sentence, without pawns.
const MAX_PIECES: usize = 3;

/// Material at the last quiet points of two lines within the shorter one's length.
struct Outcome {
    made: usize,
    net: NetCaptures,
}

impl Outcome {
    /// Within this many moves. `None` if the line ends in an exchange.
    fn new(line: &LineReplay, side: Color, within: usize) -> Option<Outcome> {
        let quiet: Vec<Balance> =
            balances(line, side, GAIN).into_iter().filter(|it| it.is_quiet).collect();
        let last = quiet.iter().rev().find(|it| it.made <= within)?;
        if last.made + 4 < within {
            return None;
        }
        Some(Outcome { made: last.made, net: NetCaptures::new(line, side, last.made) })
    }

    /// `a rook won for a silver`, `飛車得、銀損`; `a gold lost`, `金損`; `nothing is lost`, `駒の損得なし`.
    fn words(&self) -> Option<Message> {
        let NetCaptures { taken, lost } = &self.net;
        if self.net.pieces() > MAX_PIECES {
            return None;
        }
        let (won_en, lost_en) = (pieces(taken).en, pieces(lost).en);
        let (won_ja, lost_ja) = (won_or_lost(taken, "得"), won_or_lost(lost, "損"));
        Some(match (taken.is_empty(), lost.is_empty()) {
            (true, true) => message!("nothing is lost", "駒の損得なし"),
            (true, false) => message!("{lost_en} lost", "{lost_ja}"),
            (false, true) => message!("{won_en} won", "{won_ja}"),
            (false, false) => message!("{won_en} won for {lost_en}", "{won_ja}、{lost_ja}"),
        })
    }
}

/// The played line ends with less material than the better one, by a piece.
pub(super) fn ends_behind(lines: &Comparison) -> Option<Reason> {
    compare(lines, GAIN)
}

/// The played line ends with a pawn or two less and the same other pieces, if that is a good part of the mistake.
pub(super) fn ends_pawns_behind(lines: &Comparison) -> Option<Reason> {
    compare(lines, pawn_value())
}

/// Whether two outcomes differ in pawns only. Where other pieces differ, a pawn or two in value decides nothing:
/// players may prefer a rook and a pawn for a silver to a bishop and a knight for a gold.
fn differ_in_pawns_only(one: &NetCaptures, other: &NetCaptures) -> bool {
    let pieces = |kinds: &[PieceKind]| -> Vec<PieceKind> {
        let unpromoted = kinds.iter().map(|kind| kind.unpromoted());
        let mut pieces: Vec<_> = unpromoted.filter(|&kind| kind != PieceKind::Pawn).collect();
        pieces.sort_by_key(|kind| kind.index());
        pieces
    };
    pieces(&one.taken) == pieces(&other.taken) && pieces(&one.lost) == pieces(&other.lost)
}

fn compare(lines: &Comparison, min: i32) -> Option<Reason> {
    let within = lines.played.moves().len().min(lines.better.moves().len());
    if lines.is_decided() || within < MIN_PLIES {
        return None;
    }
    let here = Outcome::new(&lines.played, lines.side, within)?;
    let there = Outcome::new(&lines.better, lines.side, within)?;
    // As the sentence counts: a dragon for a rook is an exchange of equal pieces.
    let difference = there.net.value() - here.net.value();
    // Later moves must not make up for the difference.
    let total = |line: &LineReplay| net_material(line, lines.side, 0..line.moves().len());
    let lasts = total(&lines.better) - total(&lines.played) >= min;
    if difference < min
        || min < GAIN && !differ_in_pawns_only(&here.net, &there.net)
        || !lasts
        || !lines.is_worth(difference)
        || lines.is_worth(2 * MAX_COST_RATIO * difference)
    {
        return None;
    }
    let (made, made_there) = (here.made, there.made);
    let (here, there) = (here.words()?, there.words()?);
    let text = message!(
        "Ends with less material: {} after {made} moves, in the better line {} after {made_there}.",
        "駒の損得で劣る。この手順は{made}手で{}。最善の手順は{made_there}手で{}。";
        here, there
    );
    Some(Reason::new(ReasonKind::EndsBehind, text))
}
