//! Chooses placements, one position after the other.

use std::sync::Arc;

use super::field::Field;
use super::placement::Placement;
use super::position::{Position, State};
use super::search::{Found, Game, Limits, search};
use super::tumo::Tumo;

/// Remembers its plan, which is still good if nothing unforeseen has happened.
#[derive(Debug, Default)]
pub struct Thinker {
    expected: Option<Expected>,
}

/// The next position of the player, and what to do there.
#[derive(Debug)]
struct Expected {
    game: Arc<Game>,
    field: Field,
    number: usize,
    plan: Vec<Placement>,
}

impl Thinker {
    /// The placements found begin with the one to make; there are none if nothing is left but to lose.
    pub fn think(
        &mut self,
        game: &Arc<Game>,
        position: &Position,
        refused: &[Placement],
        limits: Limits<'_>,
    ) -> Found {
        let expected = self.expected.take().filter(|expected| expected.is(game, position));
        let earlier = expected.map(|expected| expected.plan).unwrap_or_default();
        let found = search(game, position, &earlier, refused, limits);
        if let Some((&placement, rest)) = found.plan.placements.split_first() {
            let mut state = State::new(position);
            state.place(placement, game.tumo.pair(position.number), &game.rule);
            self.expected = Some(Expected {
                game: Arc::clone(game),
                field: state.side.field,
                number: position.number + 1,
                plan: rest.to_vec(),
            });
        }
        found
    }
}

impl Expected {
    fn is(&self, game: &Arc<Game>, position: &Position) -> bool {
        let same_pair = Tumo::is_same(self.number, position.number);
        same_pair && self.field == position.own.field && Arc::ptr_eq(&self.game, game)
    }
}

/// The placement to make: the first of the plan, or any that is legal, or none.
pub fn choice(
    game: &Game,
    position: &Position,
    refused: &[Placement],
    plan: &[Placement],
) -> Placement {
    let all = || Placement::all(&position.own.field, game.tumo.pair(position.number));
    let planned = plan.first().copied().filter(|first| all().any(|legal| legal == *first));
    let other = || all().find(|placement| !refused.contains(placement));
    planned.or_else(other).unwrap_or(Placement::NONE)
}
