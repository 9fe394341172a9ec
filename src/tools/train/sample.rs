//! A position to learn from.

use crate::nnue::{Buckets, PieceList};
use crate::position::Position;
use crate::types::{Color, Move};

/// Stacks of layers that a sample can tell apart.
pub(super) const MOST_STACKS: usize = 1 << u16::BITS;

/// A position and what is known of it, all from the view of the side to move.
#[derive(Clone, Copy, Debug)]
pub struct TrainingSample {
    pub pieces: PieceList,
    pub side: Color,
    /// Which stack of layers judges it.
    pub stack: u16,
    pub label: Label,
    /// The move that the search found best, or none.
    pub best: Move,
}

impl TrainingSample {
    /// A position of which nothing is known. There are no more than [`MOST_STACKS`] to choose among.
    pub(super) fn unlabelled(position: &Position, buckets: &Buckets) -> TrainingSample {
        TrainingSample {
            pieces: PieceList::new(position),
            side: position.side_to_move(),
            stack: buckets.index(position) as u16,
            label: Label { score: 0, result: 0 },
            best: Move::NONE,
        }
    }

    /// The position again, without its game.
    pub(super) fn position(&self) -> Position {
        Position::from_setup(&self.pieces.setup(self.side)).expect("one of a game")
    }

    /// The same on the other wing, which is worth as much. Not for stacks that are chosen by the wing:
    /// the sample keeps its own.
    pub(super) fn mirrored(self) -> TrainingSample {
        TrainingSample { pieces: self.pieces.mirrored(), best: self.best.mirrored(), ..self }
    }
}

/// A sample by its number, as it is or mirrored.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampleRef {
    pub(super) sample: u32,
    mirrored: bool,
}

impl SampleRef {
    /// What an epoch makes of a sample: half of them are mirrored, if any is, and in the next epoch
    /// the others.
    pub(super) fn of_epoch(sample: u32, epoch: u64, mirror: bool) -> SampleRef {
        SampleRef { sample, mirrored: mirror && (u64::from(sample) ^ epoch) & 1 == 1 }
    }

    pub(super) fn of(self, samples: &[TrainingSample]) -> TrainingSample {
        let sample = samples[self.sample as usize];
        if self.mirrored { sample.mirrored() } else { sample }
    }
}

/// What a net is to learn of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The result of a search, in the engine's units.
    pub score: i16,
    /// What the game brought: 1 for a win, 0 for a draw, -1 for a loss.
    pub result: i8,
}

impl Label {
    /// The result as a share of the point.
    pub(super) fn points(self) -> f32 {
        (1.0 + f32::from(self.result)) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The manual and the help of the program said 96 in all long after there were more.
    #[test]
    fn a_position_and_its_place_in_the_order_take_a_hundred_bytes() {
        assert_eq!((size_of::<TrainingSample>(), size_of::<SampleRef>()), (92, 8));
    }

    #[test]
    fn two_epochs_see_every_position_from_both_wings() {
        let sample = TrainingSample::unlabelled(&Position::startpos(), &Buckets::One);
        let samples = [TrainingSample { best: "2g2f".parse().unwrap(), ..sample }; 3];
        let shown = |sample: u32, epoch: u64, mirror: bool| {
            SampleRef::of_epoch(sample, epoch, mirror).of(&samples).pieces.setup(Color::Black)
        };
        let (as_it_is, mirrored) =
            (sample.pieces.setup(Color::Black), sample.pieces.mirrored().setup(Color::Black));
        assert_ne!(as_it_is, mirrored);
        assert_eq!(SampleRef::of_epoch(0, 1, true).of(&samples).best.to_string(), "8g8f");
        for number in 0..3 {
            let both = [0, 1].map(|epoch| shown(number, epoch, true));
            assert!(both.contains(&as_it_is) && both.contains(&mirrored));
            assert_eq!(shown(number, 1, false), as_it_is);
        }
    }
}
