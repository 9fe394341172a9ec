//! Castles and openings, and the rows of their tables.

use crate::types::language::Localized;

/// A castle or an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormationKind {
    /// 戦型: how a side or both sides open the game.
    Opening,
    /// 囲い: how a side shelters its king.
    Castle,
}

impl FormationKind {
    /// The name in JSON.
    pub const fn tag(self) -> &'static str {
        match self {
            FormationKind::Opening => "opening",
            FormationKind::Castle => "castle",
        }
    }
}

/// A castle or an opening with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formation {
    pub kind: FormationKind,
    pub name: Localized,
}

/// A row of the tables of castles and openings.
#[derive(Debug)]
pub(super) struct FormationRow {
    pub(super) formation: Formation,
    pub(super) family: Family,
    /// The last ply at which the formation is looked for.
    pub(super) last_ply: usize,
    pub(super) pattern: &'static str,
}

/// The group of names to which a formation belongs. A later name of a side replaces an earlier one only within
/// its family, and only if its row is further up in the table: variations stand above the opening that they
/// belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Castle,
    // Openings of one side, by the file of its rook.
    /// 居飛車: on the second file, or near it.
    StaticRook,
    /// 中飛車: on the fifth file.
    CentralRook,
    /// 四間飛車: on the sixth file, the fourth from the left.
    FourthFileRook,
    /// 三間飛車: on the seventh file.
    ThirdFileRook,
    /// 向かい飛車: on the eighth file.
    OpposingRook,
    // Openings of both sides together.
    /// 相居飛車.
    DoubleStaticRook,
    /// 角換わり.
    BishopExchange,
    /// 相矢倉.
    Yagura,
    /// 相振り飛車.
    DoubleRangingRook,
}

impl Family {
    /// Whether its openings belong to both sides.
    pub(super) const fn is_shared(self) -> bool {
        use Family::{BishopExchange, DoubleRangingRook, DoubleStaticRook, Yagura};
        matches!(self, DoubleStaticRook | BishopExchange | Yagura | DoubleRangingRook)
    }
}
