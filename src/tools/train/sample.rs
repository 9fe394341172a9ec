//! Training samples.

use crate::nnue::{Buckets, PieceList};
use crate::position::Position;
use crate::types::{Color, Move};

/// Maximum number of layer stacks that a sample can refer to.
pub(super) const MAX_STACKS: usize = 1 << u16::BITS;

/// A position with its label, from the perspective of the side to move.
#[derive(Clone, Copy, Debug)]
pub struct TrainingSample {
    pub pieces: PieceList,
    pub side: Color,
    /// The layer stack of the position.
    pub stack: u16,
    pub label: Label,
    /// The best move of the search, or none.
    pub best: Move,
}

impl TrainingSample {
    /// A position without a label; `buckets` select among [`MAX_STACKS`] at most.
    pub(super) fn unlabelled(position: &Position, buckets: &Buckets) -> TrainingSample {
        TrainingSample {
            pieces: PieceList::new(position),
            side: position.side_to_move(),
            stack: buckets.index(position) as u16,
            label: Label { score: 0, result: 0 },
            best: Move::NONE,
        }
    }

    /// The position without its game.
    pub(super) fn position(&self) -> Position {
        Position::from_setup(&self.pieces.setup(self.side)).expect("a position of a game")
    }

    /// The mirrored sample. Keeps the layer stack, so the buckets must be mirror symmetric.
    pub(super) fn mirrored(self) -> TrainingSample {
        TrainingSample { pieces: self.pieces.mirrored(), best: self.best.mirrored(), ..self }
    }
}

/// A reference to a sample, possibly mirrored.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampleRef {
    pub(super) sample: u32,
    mirrored: bool,
}

impl SampleRef {
    /// The reference for an epoch: with `mirror`, every other sample is mirrored, and in the next
    /// epoch the others.
    pub(super) fn of_epoch(sample: u32, epoch: u64, mirror: bool) -> SampleRef {
        SampleRef { sample, mirrored: mirror && (u64::from(sample) ^ epoch) & 1 == 1 }
    }

    /// The sample.
    pub(super) fn get(self, samples: &[TrainingSample]) -> TrainingSample {
        let sample = samples[self.sample as usize];
        if self.mirrored { sample.mirrored() } else { sample }
    }
}

/// The label of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The score of the search (a pawn is 90).
    pub score: i16,
    /// The result of the game: 1 for a win, 0 for a draw, -1 for a loss.
    pub result: i8,
}

impl Label {
    /// The result as 1, 1/2 or 0.
    pub(super) fn points(self) -> f32 {
        (1.0 + f32::from(self.result)) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The manual and the help state 100 bytes.
    #[test]
    fn a_position_and_its_place_in_the_order_take_a_hundred_bytes() {
        assert_eq!((size_of::<TrainingSample>(), size_of::<SampleRef>()), (92, 8));
    }

    #[test]
    fn two_epochs_train_on_every_position_and_its_mirror_image() {
        let sample = TrainingSample::unlabelled(&Position::startpos(), &Buckets::One);
        let samples = [TrainingSample { best: "2g2f".parse().unwrap(), ..sample }; 3];
        let shown = |sample: u32, epoch: u64, mirror: bool| {
            SampleRef::of_epoch(sample, epoch, mirror).get(&samples).pieces.setup(Color::Black)
        };
        let (as_it_is, mirrored) =
            (sample.pieces.setup(Color::Black), sample.pieces.mirrored().setup(Color::Black));
        assert_ne!(as_it_is, mirrored);
        assert_eq!(SampleRef::of_epoch(0, 1, true).get(&samples).best.to_string(), "8g8f");
        for number in 0..3 {
            let both = [0, 1].map(|epoch| shown(number, epoch, true));
            assert!(both.contains(&as_it_is) && both.contains(&mirrored));
            assert_eq!(shown(number, 1, false), as_it_is);
        }
    }
}
