//! Scores from the view of the side to move, and bounds.

use std::fmt;

/// Maximum length of a search line in plies (the value of Stockfish and YaneuraOu).
pub const MAX_PLY: usize = 246;

/// A score from the view of the side to move in internal units (a pawn is about 90), with mates at both
/// ends. In the search mates count plies from the root, in the transposition table from the position. A win or
/// loss by declaration, by the try rule or by perpetual check is scored like a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(pub i32);

impl Score {
    pub const ZERO: Score = Score(0);
    /// Larger than every score.
    pub const INFINITE: Score = Score(32_001);
    /// Marks "no score". Larger than every score and bound.
    pub const NONE: Score = Score(32_002);
    /// Mate in 0 plies: `-MATE` is the score of the side that is mated on the board.
    pub const MATE: Score = Score(32_000);
    /// The smallest score of a win by mate, at [`MAX_PLY`] plies from the root.
    pub const MATE_IN_MAX_PLY: Score = Score(Score::MATE.0 - MAX_PLY as i32);
    /// Maximum of the static evaluation (YaneuraOu: `VALUE_MAX_EVAL`).
    pub const MAX_EVAL: Score = Score(27_000);

    /// A win by mate `ply` plies from the root.
    #[inline(always)]
    pub const fn mate_in(ply: usize) -> Score {
        Score(Score::MATE.0 - ply as i32)
    }

    /// A loss by mate `ply` plies from the root.
    #[inline(always)]
    pub const fn mated_in(ply: usize) -> Score {
        Score(ply as i32 - Score::MATE.0)
    }

    /// Whether the side to move wins by force: by mate, or by a rule that is scored like a mate.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 >= Score::MATE_IN_MAX_PLY.0
    }

    /// Whether the side to move loses by force.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Score::MATE_IN_MAX_PLY.0
    }

    /// Whether either side wins by force (the name of Stockfish).
    #[inline(always)]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Plies to the mate, negative for the side that is mated; `None` for ordinary scores.
    pub const fn mate_distance(self) -> Option<i32> {
        if self.is_win() {
            Some(Score::MATE.0 - self.0)
        } else if self.is_loss() {
            Some(-(Score::MATE.0 + self.0))
        } else {
            None
        }
    }

    /// The score in centipawns: 90 units are 100 centipawns.
    pub const fn centipawns(self) -> i32 {
        self.0 * 100 / 90
    }

    /// The score of this many centipawns.
    pub const fn from_centipawns(centipawns: i32) -> Score {
        Score(centipawns * 90 / 100)
    }

    /// An evaluation, clamped to the range without mates.
    #[inline(always)]
    pub fn from_eval(value: i32) -> Score {
        Score(value.clamp(-Score::MAX_EVAL.0, Score::MAX_EVAL.0))
    }
}

impl std::ops::Neg for Score {
    type Output = Score;

    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl std::ops::Add<i32> for Score {
    type Output = Score;

    #[inline(always)]
    fn add(self, rhs: i32) -> Score {
        Score(self.0 + rhs)
    }
}

impl std::ops::Sub<i32> for Score {
    type Output = Score;

    #[inline(always)]
    fn sub(self, rhs: i32) -> Score {
        Score(self.0 - rhs)
    }
}

impl std::ops::Sub for Score {
    type Output = i32;

    #[inline(always)]
    fn sub(self, rhs: Score) -> i32 {
        self.0 - rhs.0
    }
}

impl fmt::Display for Score {
    /// In the format of USI: `cp 34`, `mate 5`, `mate -4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_distance() {
            Some(0) if self.is_loss() => f.write_str("mate -0"),
            Some(plies) => write!(f, "mate {plies}"),
            None => write!(f, "cp {}", self.centipawns()),
        }
    }
}

/// How a score relates to the true value: a fail-high gives a lower bound, a fail-low an upper one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Bound {
    /// There is no score.
    #[default]
    None = 0,
    /// The true value is at most this.
    Upper = 1,
    /// The true value is at least this.
    Lower = 2,
    Exact = 3,
}

impl Bound {
    #[inline(always)]
    pub const fn from_bits(bits: u8) -> Bound {
        match bits & 3 {
            0 => Bound::None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        }
    }

    /// Whether the true value is at least the score.
    #[inline(always)]
    pub const fn is_lower(self) -> bool {
        self as u8 & Bound::Lower as u8 != 0
    }

    /// Whether the true value is at most the score.
    #[inline(always)]
    pub const fn is_upper(self) -> bool {
        self as u8 & Bound::Upper as u8 != 0
    }
}
