//! Sennichite, perpetual check, and positions better or worse than an earlier one.

use std::collections::HashMap;

use super::{Position, state::State};

/// How the present position relates to an earlier one, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    Draw,
    /// The opponent gave perpetual check, and loses.
    Win,
    /// The side to move gave perpetual check, and loses.
    Loss,
    /// The same board with more in hand. A truth of the search, not a rule of the game.
    Superior,
    /// The same board with less in hand.
    Inferior,
}

/// How many plies back the search looks: longer memory costs strength (YaneuraOu's finding).
const SEARCH_MEMORY: usize = 16;
/// So many plies from its root the search looks back over the whole game: there it is that the game may
/// end.
const NEAR_ROOT: usize = 2;
/// No position returns sooner.
const SHORTEST_CYCLE: usize = 4;

impl Position {
    /// The verdict of the rules on the present position: its fourth occurrence in the game ends
    /// it. Never `Superior` or `Inferior`.
    pub fn repetition(&self) -> Option<Repetition> {
        let now = self.states.len() - 1;
        let mut occurrences = 1;
        let mut back = SHORTEST_CYCLE;
        let mut first = 0;
        while back <= now {
            if self.same_position(back) {
                occurrences += 1;
                first = back;
            }
            back += 2;
            if occurrences == 4 {
                return Some(self.verdict(first));
            }
        }
        None
    }

    /// The verdict that the search acts on at `ply` plies from its root: a second occurrence
    /// within the search counts as if it were the fourth; the fourth in the game counts as the
    /// rules say, further from the root if no lap is longer than the memory.
    pub fn search_repetition(&self, ply: usize) -> Option<Repetition> {
        let near_root = ply <= NEAR_ROOT && self.state().since_null as usize >= ply;
        let ended = if near_root { self.repetition() } else { None };
        ended.or_else(|| self.recent_repetition(ply))
    }

    /// The same as far as no lap is longer than the memory, which is all there is in a search from a
    /// game in which no position has come three times.
    pub fn recent_repetition(&self, ply: usize) -> Option<Repetition> {
        let state = self.state();
        if state.earlier >= 3 {
            // The laps before the last one decide too whether every move was check.
            return self.repetition();
        }
        if state.same_board == 0 {
            return None;
        }
        let reach = SEARCH_MEMORY.min(state.since_null as usize);
        let mut back = state.same_board as usize;
        while back <= reach {
            let earlier = &self.states[self.states.len() - 1 - back];
            if earlier.board_key == state.board_key {
                let inside = back < ply;
                if earlier.hand == state.hand {
                    if inside {
                        return Some(self.verdict(back));
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

    /// Whether some position of the game has come three times, so that its next return ends the
    /// game. Counts the whole game, so it is for once a search.
    pub fn has_come_three_times(&self) -> bool {
        let mut occurrences = HashMap::with_capacity(self.states.len());
        self.states.iter().any(|state| {
            let count = occurrences.entry((state.board_key, state.hand)).or_insert(0);
            *count += 1;
            *count >= 3
        })
    }

    /// How many plies ago the board of a new state stood last (0 if it did not), and how often the
    /// position stood before.
    #[inline(always)]
    pub(super) fn look_back(&self, state: &State) -> (u8, u8) {
        let mut same_board = 0;
        let reach = SEARCH_MEMORY.min(state.since_null as usize);
        if reach < SHORTEST_CYCLE {
            return (same_board, 0);
        }
        // The new state is not on the stack yet: one less.
        let now = self.states.len();
        let window = &self.states[now - reach..=now - SHORTEST_CYCLE];
        for (i, earlier) in window.iter().rev().step_by(2).enumerate() {
            if earlier.board_key != state.board_key {
                continue;
            }
            if same_board == 0 {
                same_board = (SHORTEST_CYCLE + 2 * i) as u8;
            }
            if earlier.hand == state.hand {
                return (same_board, earlier.earlier.saturating_add(1));
            }
        }
        (same_board, 0)
    }

    fn same_position(&self, back: usize) -> bool {
        let (state, earlier) = (self.state(), &self.states[self.states.len() - 1 - back]);
        earlier.board_key == state.board_key && earlier.hand == state.hand
    }

    /// Who is to blame for the cycle of the last `plies` plies.
    fn verdict(&self, plies: usize) -> Repetition {
        let checks = self.state().checks_in_row;
        // Of a move list of megabytes this may be more than sixteen bits hold.
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
    fn a_lap_longer_than_sixteen_bits_is_no_perpetual_check() {
        let mut position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K3R b - 1").unwrap();
        position.try_play("1i1a".parse().unwrap()).unwrap();
        // One check was given.
        for (plies, verdict) in [
            (2, Repetition::Win),
            (4, Repetition::Draw),
            (1 << 17, Repetition::Draw),
            ((1 << 17) + 2, Repetition::Draw),
        ] {
            assert_eq!(position.verdict(plies), verdict, "{plies}");
        }
    }
}
