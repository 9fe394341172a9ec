//! The sequence of pairs of a game (tumo, ツモ). Both players get the same 128 pairs, which then repeat.

use kawasemi::types::Random;

use super::field::Puyo;

/// Number of pairs of a game.
pub const TUMO_PAIRS: usize = 128;
/// Number of colours that occur in a game.
const COLORS_IN_GAME: usize = 4;

/// Two puyos that fall together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The lower one when the pair appears; the child rotates around it.
    pub axis: Puyo,
    pub child: Puyo,
}

impl Pair {
    pub fn is_double(self) -> bool {
        self.axis == self.child
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tumo([Pair; TUMO_PAIRS]);

impl Tumo {
    pub fn new(pairs: [Pair; TUMO_PAIRS]) -> Tumo {
        Tumo(pairs)
    }

    /// Pairs of four colours, each puyo drawn independently.
    pub fn random(random: &mut Random) -> Tumo {
        let mut colors = Puyo::COLORS;
        random.shuffle(&mut colors);
        let colors = &colors[..COLORS_IN_GAME];
        Tumo(std::array::from_fn(|_| Pair {
            axis: *random.pick(colors),
            child: *random.pick(colors),
        }))
    }

    /// The pair with this number, counted from 0.
    pub fn pair(&self, number: usize) -> Pair {
        self.0[number % TUMO_PAIRS]
    }

    /// Whether two numbers denote the same pair.
    pub fn is_same(one: usize, other: usize) -> bool {
        one % TUMO_PAIRS == other % TUMO_PAIRS
    }
}
