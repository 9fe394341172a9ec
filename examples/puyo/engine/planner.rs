//! Plans the placements of a game, from position to position.

use std::sync::Arc;

use super::field::Field;
use super::placement::Placement;
use super::position::{Position, State};
use super::search::{Game, Limits, SearchResult, search};
use super::tumo::Tumo;

/// Keeps the plan of the last search, from which the next search starts if its position is the expected one.
#[derive(Debug, Default)]
pub struct Planner {
    expected: Option<Expected>,
}

/// The expected next position of the player, and the rest of the plan.
#[derive(Debug)]
struct Expected {
    game: Arc<Game>,
    field: Field,
    number: usize,
    plan: Vec<Placement>,
}

impl Planner {
    /// Searches a position. The plan begins with the best placement; it is empty if every placement loses.
    pub fn search(
        &mut self,
        game: &Arc<Game>,
        position: &Position,
        refused: &[Placement],
        limits: Limits<'_>,
    ) -> SearchResult {
        let expected = self.expected.take().filter(|expected| expected.matches(game, position));
        let previous_plan = expected.map(|expected| expected.plan).unwrap_or_default();
        let found = search(game, position, &previous_plan, refused, limits);
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
    fn matches(&self, game: &Arc<Game>, position: &Position) -> bool {
        let same_pair = Tumo::is_same(self.number, position.number);
        same_pair && self.field == position.own.field && Arc::ptr_eq(&self.game, game)
    }
}

/// The placement to play: the first of the plan if it is legal, else one that is legal and not refused, else
/// [`Placement::NONE`].
pub fn choose_placement(
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
