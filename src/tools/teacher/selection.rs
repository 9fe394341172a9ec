//! Selects the positions of games that a teacher labels.

use std::ops::Range;
use std::sync::Arc;

use super::input::{INPUT_BYTES, PlaneEncoder};
use super::model::Prediction;
use super::policy::policy_index;
use crate::position::{Position, Setup, see_value};
use crate::tools::game_file::{GameFileHeader, IllegalGame, Replay, ScoredGame};
use crate::tools::part::{PART, Part};
use crate::tools::referee::GameEnd;
use crate::tools::selfplay::SelfplayConfigError;
use crate::types::{Move, Random};

/// Games of one unit: enough to fill batches.
const GAMES_OF_UNIT: u64 = 128;
/// Maximum number of children of a position that are labelled.
const MAX_CHILDREN: usize = 64;
/// The children have random numbers of their own, so that their number does not change the choice of
/// positions.
const CHILDREN_STREAM: u64 = 1 << 63;
/// Maximum number of plies between a position and its child.
const MAX_CHILD_PLIES: usize = 8;

/// Without the moves before it the teacher misjudges a position: on 371 positions the squared error of the
/// win rate was 0.087 with no move, 0.006 with one, 0.003 with two and 0.0007 with three.
const MIN_HISTORY: usize = 3;

/// Chooses positions of games, and the positions after some other moves there.
#[derive(Clone, Debug)]
pub struct PositionSelection {
    pub games: Arc<[ScoredGame]>,
    /// Identifies the games in the header of a file.
    pub source: String,
    /// The part of the units that this run labels.
    pub part: Part,
    /// The choice follows from this seed and the number of the game.
    pub seed: u64,
    /// Percent of the quiet positions that are chosen.
    pub share_percent: u32,
    /// Maximum number of children of each chosen position. A child is the position after a random move and
    /// the captures with which both sides then win material. Most leaves of a search are of this kind: a
    /// bad move and its refutation.
    pub children: usize,
}

impl PositionSelection {
    /// # Errors
    /// If a number is out of range.
    pub(super) fn check(&self) -> Result<(), SelfplayConfigError> {
        match (self.share_percent, self.children) {
            (101.., _) => Err(SelfplayConfigError::Percent),
            (_, children) if children > MAX_CHILDREN => Err(SelfplayConfigError::Children),
            _ => Ok(()),
        }
    }

    /// Adds what the selection depends on.
    pub(super) fn describe(&self, header: &mut GameFileHeader) {
        header.set("seed", self.seed);
        header.set("share", self.share_percent);
        header.set("children", self.children);
        header.set("source", &self.source);
        if !self.part.is_whole() {
            header.set(PART, self.part);
        }
    }

    /// The units of this part.
    pub(super) fn units(&self) -> Range<u64> {
        self.part.units(self.all_units())
    }

    /// The number of units of all parts.
    pub(super) fn all_units(&self) -> u64 {
        (self.games.len() as u64).div_ceil(GAMES_OF_UNIT)
    }

    /// The numbers of the games of a unit.
    pub(super) fn games_of(&self, unit: u64) -> Range<usize> {
        let first = (unit * GAMES_OF_UNIT) as usize;
        first..self.games.len().min(first + GAMES_OF_UNIT as usize)
    }

    /// Calls `add` for every selected position of a unit, in order.
    ///
    /// # Errors
    /// If a game is illegal.
    pub(super) fn for_each(
        &self,
        unit: u64,
        add: &mut dyn FnMut(SelectedPosition<'_>),
    ) -> Result<(), String> {
        self.games_of(unit).try_for_each(|at| {
            let added = self.add_positions_of(at, add);
            added.map_err(|error| format!("game {at}, to be labelled: {error}"))
        })
    }

    fn add_positions_of(
        &self,
        number: usize,
        add: &mut dyn FnMut(SelectedPosition<'_>),
    ) -> Result<(), IllegalGame> {
        let game = &self.games[number];
        let mut random = Random::of_part(self.seed, number as u64);
        let mut children_random = Random::of_part(self.seed, CHILDREN_STREAM ^ number as u64);
        let (mut encoder, mut replay) = (PlaneEncoder::new(), Replay::new(game)?);
        let from_startpos = game.start == Setup::startpos();
        while let Some(sample) = replay.advance()? {
            let mut position = sample.position.clone();
            let has_history = from_startpos || encoder.history() >= MIN_HISTORY;
            if has_history && sample.is_quiet_position() && random.percent(self.share_percent) {
                let played = PlayedMove { mv: sample.mv(), is_best: sample.is_best() };
                let end = game.end;
                add(SelectedPosition { position: &mut position, played, end, encoder: &encoder });
                self.add_children(&mut position, end, &mut children_random, &encoder, add);
            }
            encoder.follow(&mut position, sample.mv());
        }
        Ok(())
    }

    /// The children: positions after random moves and the captures that these allow.
    fn add_children(
        &self,
        position: &mut Position,
        end: GameEnd,
        random: &mut Random,
        encoder: &PlaneEncoder,
        add: &mut dyn FnMut(SelectedPosition<'_>),
    ) {
        if self.children == 0 {
            return;
        }
        let mut moves: Vec<Move> = position.useful_moves().moves().collect();
        random.shuffle(&mut moves);
        let mut remaining = self.children;
        for mv in moves {
            if remaining == 0 {
                break;
            }
            let (mut encoder, mut line) = (encoder.clone(), vec![mv]);
            encoder.follow(position, mv);
            position.do_move(mv);
            while line.len() < MAX_CHILD_PLIES
                && let Some(capture) = winning_capture(position)
            {
                encoder.follow(position, capture);
                position.do_move(capture);
                line.push(capture);
            }
            let reply = position.legal_moves().moves().next();
            let is_quiet = line.len() < MAX_CHILD_PLIES && !position.in_check();
            if let Some(mv) = reply.filter(|_| is_quiet) {
                let played = PlayedMove { mv, is_best: false };
                add(SelectedPosition { position, played, end, encoder: &encoder });
                remaining -= 1;
            }
            line.into_iter().rev().for_each(|mv| position.undo_move(mv));
        }
    }
}

/// A position to be labelled.
pub(super) struct SelectedPosition<'a> {
    position: &'a mut Position,
    played: PlayedMove,
    end: GameEnd,
    encoder: &'a PlaneEncoder,
}

/// What the label of a selected position needs.
pub(super) struct UnlabelledPosition {
    pub(super) start: Setup,
    pub(super) played: PlayedMove,
    pub(super) end: GameEnd,
}

/// The move of the game in a selected position; in a child, any legal move.
#[derive(Clone, Copy)]
pub(super) struct PlayedMove {
    pub(super) mv: Move,
    /// It was the best move of a search.
    pub(super) is_best: bool,
}

impl SelectedPosition<'_> {
    /// The teacher's input.
    pub(super) fn input(&mut self) -> [u8; INPUT_BYTES] {
        self.encoder.encode(self.position)
    }

    pub(super) fn unlabelled(&self) -> UnlabelledPosition {
        UnlabelledPosition { start: self.position.setup(), played: self.played, end: self.end }
    }

    pub(super) fn key(&self) -> u64 {
        self.position.key()
    }

    pub(super) fn legal_moves(&self) -> Vec<Move> {
        self.position.legal_moves().moves().collect()
    }

    /// The policy indices of the legal moves, in their order.
    pub(super) fn policy_indices(&self) -> Vec<u16> {
        let index = |mv| policy_index(self.position, mv) as u16;
        self.position.legal_moves().moves().map(index).collect()
    }
}

/// The number of the teacher's most probable legal move among the legal moves, given as policy indices.
pub(super) fn best_legal_move(prediction: &Prediction, legal: &[u16]) -> Option<usize> {
    prediction.best.iter().find_map(|best| legal.iter().position(|index| index == best))
}

/// The capture of the most valuable piece, if one wins material by static exchange.
fn winning_capture(position: &Position) -> Option<Move> {
    let victim = |mv: &Move| position.piece_at(mv.to()).map_or(0, |piece| see_value(piece.kind()));
    let legal = position.legal_moves();
    let captures = legal.moves().filter(|&mv| position.is_capture(mv));
    captures.filter(|&mv| position.see_ge(mv, 1)).max_by_key(victim)
}
