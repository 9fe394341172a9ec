//! Which non-promotions are generated.

/// Which moves that decline a promotion are generated. (YaneuraOu: `LEGAL_ALL` and `LEGAL`.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonPromotions {
    /// Every legal one.
    All,
    /// Not those of pawn, bishop, rook and second-rank lance, which are almost never useful.
    Useful,
}
