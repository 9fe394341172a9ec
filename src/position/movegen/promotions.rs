//! The choice of non-promotions.

/// Which non-promotions are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotions {
    /// Every legal one.
    All,
    /// Not those of pawn, bishop, rook and second-rank lance, which are almost never useful.
    Useful,
}
