//! The names of tactics.

use crate::types::language::{Localized, localized};

/// A tactic that a line of moves carries out: checks and mates, ways to win a piece, moves with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Motif {
    Mate,
    GoldAtHead,
    HangingKnight,
    DoubleCheck,
    DiscoveredCheck,
    KingRookFork,
    KnightFork,
    RookFork,
    SilverFork,
    Fork,
    LanceSkewer,
    Skewer,
    DiscoveredAttack,
    Pin,
    TrappedPiece,
    FreePiece,
    Sacrifice,
    RepeatedPawns,
    FocalPawn,
    StrikingPawn,
    DanglingPawn,
    JoiningPawn,
    AnchorPawn,
}

/// A tag for data, and the name.
struct Names {
    motif: Motif,
    tag: &'static str,
    name: Localized,
}

const fn row(motif: Motif, tag: &'static str, en: &'static str, ja: &'static str) -> Names {
    Names { motif, tag, name: localized(en, ja) }
}

/// In the order of the variants.
#[rustfmt::skip]
const NAMES: [Names; 23] = [
    row(Motif::Mate, "mate", "mate", "詰み"),
    row(Motif::GoldAtHead, "gold_at_head", "gold at the head", "頭金"),
    row(Motif::HangingKnight, "hanging_knight", "mate by the knight", "吊るし桂"),
    row(Motif::DoubleCheck, "double_check", "double check", "両王手"),
    row(Motif::DiscoveredCheck, "discovered_check", "discovered check", "空き王手"),
    row(Motif::KingRookFork, "king_rook_fork", "fork of king and rook", "王手飛車"),
    row(Motif::KnightFork, "knight_fork", "knight fork", "ふんどしの桂"),
    row(Motif::RookFork, "rook_fork", "rook fork", "十字飛車"),
    row(Motif::SilverFork, "silver_fork", "silver fork", "割り打ちの銀"),
    row(Motif::Fork, "fork", "fork", "両取り"),
    row(Motif::LanceSkewer, "lance_skewer", "lance skewer", "田楽刺し"),
    row(Motif::Skewer, "skewer", "skewer", "串刺し"),
    row(Motif::DiscoveredAttack, "discovered_attack", "discovered attack", "素抜き"),
    row(Motif::Pin, "pin", "pin", "ピン"),
    row(Motif::TrappedPiece, "trapped_piece", "trapped piece", "駒の捕獲"),
    row(Motif::FreePiece, "free_piece", "free piece", "ただ取り"),
    row(Motif::Sacrifice, "sacrifice", "sacrifice", "捨て駒"),
    row(Motif::RepeatedPawns, "repeated_pawns", "repeated pawn drops", "連打の歩"),
    row(Motif::FocalPawn, "focal_pawn", "focal pawn", "焦点の歩"),
    row(Motif::StrikingPawn, "striking_pawn", "striking pawn", "叩きの歩"),
    row(Motif::DanglingPawn, "dangling_pawn", "dangling pawn", "垂れ歩"),
    row(Motif::JoiningPawn, "joining_pawn", "joining pawn", "合わせの歩"),
    row(Motif::AnchorPawn, "anchor_pawn", "anchor pawn", "底歩"),
];

impl Motif {
    pub const COUNT: usize = NAMES.len();

    pub fn all() -> impl Iterator<Item = Motif> {
        NAMES.iter().map(|names| names.motif)
    }

    /// The name in JSON: lower case with underscores.
    pub const fn tag(self) -> &'static str {
        NAMES[self as usize].tag
    }

    /// Whether the motif is a way to win a piece.
    pub(in crate::analysis) fn wins_a_piece(self) -> bool {
        (Motif::KingRookFork..=Motif::FreePiece).contains(&self)
    }

    /// Whether the motif names a move that is good without winning a piece at once.
    pub(in crate::analysis) fn is_a_move(self) -> bool {
        (Motif::Sacrifice..=Motif::AnchorPawn).contains(&self)
    }

    pub const fn name(self) -> Localized {
        NAMES[self as usize].name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_motif_has_a_row_of_its_own_in_its_place() {
        assert!(Motif::all().enumerate().all(|(index, motif)| motif as usize == index));
        assert_eq!(Motif::AnchorPawn as usize + 1, Motif::COUNT);
        let mut tags: Vec<&str> = Motif::all().map(Motif::tag).collect();
        tags.sort_unstable();
        tags.dedup();
        assert_eq!(tags.len(), Motif::COUNT);
    }
}
