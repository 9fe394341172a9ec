//! Repetition: sennichite, perpetual check, superior and inferior positions.

use std::collections::HashMap;

use super::board::Position;
use super::state::StateInfo;

/// How the current position relates to an earlier one, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    Draw,
    /// The opponent gave perpetual check, and loses.
    Win,
    /// The side to move gave perpetual check, and loses.
    Loss,
    /// The same board with more in hand. Used by the search, not a rule of the game.
    Superior,
    /// The same board with less in hand.
    Inferior,
}

/// The plies that the search looks back: a longer window costs strength (YaneuraOu's finding).
const SEARCH_WINDOW: usize = 16;
/// Up to this ply from the root the search checks the whole game, because the game may end there.
const NEAR_ROOT: usize = 2;
/// The shortest possible repetition in plies.
const MIN_CYCLE: usize = 4;

impl Position {
    /// The result by the rules of the game: the fourth occurrence of a position ends the game. Never
    /// `Superior` or `Inferior`.
    pub fn repetition(&self) -> Option<Repetition> {
        let now = self.states.len() - 1;
        let mut occurrences = 1;
        for back in (MIN_CYCLE..=now).step_by(2) {
            if self.same_position(back) {
                occurrences += 1;
                if occurrences == 4 {
                    return Some(self.cycle_result(back));
                }
            }
        }
        None
    }

    /// The result for the search at `ply` plies from its root. The second occurrence counts as the fourth if the
    /// first is below the root too. A fourth occurrence counts by the rules: up to ply 2 wherever the others are in
    /// the game, further from the root only if none is more than 16 plies after the one before.
    pub fn search_repetition(&self, ply: usize) -> Option<Repetition> {
        let near_root = ply <= NEAR_ROOT && self.state().plies_from_null as usize >= ply;
        let ended = if near_root { self.repetition() } else { None };
        ended.or_else(|| self.recent_repetition(ply))
    }

    /// As [`Position::search_repetition`], but only for cycles within the window. The results are the
    /// same unless a position of the game has occurred three times.
    pub fn recent_repetition(&self, ply: usize) -> Option<Repetition> {
        let state = self.state();
        if state.earlier_occurrences >= 3 {
            // Whether all moves were checks depends on the earlier cycles too.
            return self.repetition();
        }
        if state.same_board_plies == 0 {
            return None;
        }
        let reach = SEARCH_WINDOW.min(state.plies_from_null as usize);
        let mut back = state.same_board_plies as usize;
        while back <= reach {
            let earlier = &self.states[self.states.len() - 1 - back];
            if earlier.board_key == state.board_key {
                let inside = back < ply;
                if earlier.hand == state.hand {
                    if inside {
                        return Some(self.cycle_result(back));
                    }
                } else if inside && state.hand.covers(earlier.hand) {
                    return Some(Repetition::Superior);
                } else if inside && earlier.hand.covers(state.hand) {
                    return Some(Repetition::Inferior);
                }
            }
            back += 2;
        }
        None
    }

    /// Whether a position of the game has occurred three times, so that the next occurrence ends it.
    /// Counts the whole game: call it once per search.
    pub fn has_threefold_position(&self) -> bool {
        let mut occurrences = HashMap::with_capacity(self.states.len());
        self.states.iter().any(|state| {
            let count = occurrences.entry((state.board_key, state.hand)).or_insert(0);
            *count += 1;
            *count >= 3
        })
    }

    /// For a new state: the plies since its board last occurred (0 for never), and the number of earlier
    /// occurrences of the position.
    #[inline(always)]
    pub(super) fn previous_occurrences(&self, state: &StateInfo) -> (u8, u8) {
        let mut same_board_plies = 0;
        let reach = SEARCH_WINDOW.min(state.plies_from_null as usize);
        if reach < MIN_CYCLE {
            return (same_board_plies, 0);
        }
        // The new state is not on the stack yet.
        let now = self.states.len();
        let window = &self.states[now - reach..=now - MIN_CYCLE];
        for (i, earlier) in window.iter().rev().step_by(2).enumerate() {
            if earlier.board_key != state.board_key {
                continue;
            }
            if same_board_plies == 0 {
                same_board_plies = (MIN_CYCLE + 2 * i) as u8;
            }
            if earlier.hand == state.hand {
                return (same_board_plies, earlier.earlier_occurrences.saturating_add(1));
            }
        }
        (same_board_plies, 0)
    }

    fn same_position(&self, back: usize) -> bool {
        let (state, earlier) = (self.state(), &self.states[self.states.len() - 1 - back]);
        earlier.board_key == state.board_key && earlier.hand == state.hand
    }

    /// The result of a cycle of the last `plies` plies: perpetual check if all moves of one side in it were checks.
    fn cycle_result(&self, plies: usize) -> Repetition {
        let checks = self.state().continuous_checks;
        let cycle = plies / 2;
        if usize::from(checks[!self.side]) >= cycle {
            Repetition::Win
        } else if usize::from(checks[self.side]) >= cycle {
            Repetition::Loss
        } else {
            Repetition::Draw
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_longer_than_sixteen_bits_is_no_perpetual_check() {
        let mut position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K3R b - 1").unwrap();
        position.try_play("1i1a".parse().unwrap()).unwrap();
        // One check was given.
        for (plies, expected) in [
            (2, Repetition::Win),
            (4, Repetition::Draw),
            (1 << 17, Repetition::Draw),
            ((1 << 17) + 2, Repetition::Draw),
        ] {
            assert_eq!(position.cycle_result(plies), expected, "{plies}");
        }
    }
}
