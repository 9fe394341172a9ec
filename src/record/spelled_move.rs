//! A move in the notations that programs show.

use serde::Serialize;

use super::{japanese_move, western_move};
use crate::position::Position;
use crate::types::Move;

/// A move in USI and with its names in Japanese and English, for JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SpelledMove {
    pub usi: String,
    pub ja: String,
    pub en: String,
}

impl SpelledMove {
    /// Spells a legal move of the side to move.
    pub fn of(position: &Position, mv: Move) -> SpelledMove {
        let (ja, en) = (japanese_move(position, mv), western_move(position, mv));
        SpelledMove { usi: mv.to_string(), ja, en }
    }

    /// Spells the moves of a line, up to the first illegal one.
    pub fn line(start: &Position, moves: impl IntoIterator<Item = Move>) -> Vec<SpelledMove> {
        let mut position = start.clone();
        let mut spelled = Vec::new();
        for mv in moves {
            if !position.is_legal(mv) {
                break;
            }
            spelled.push(SpelledMove::of(&position, mv));
            position.do_move(mv);
        }
        spelled
    }
}
