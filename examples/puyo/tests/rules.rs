//! The rules against the slow ones, on random fields and in random games.

use proptest::collection::vec;
use proptest::prelude::*;

use super::engine::chain::{self, Chain};
use super::engine::field::{COLUMNS, Field, Puyo, ROWS};
use super::engine::garbage::Garbage;
use super::engine::placement::Placement;
use super::engine::position::{Side, State};
use super::engine::rule::Rule;
use super::engine::tumo::Pair;
use super::slow_rules::{SlowChain, SlowField};

/// Columns of any height, of few colours so that much vanishes, some with garbage.
fn fields() -> impl Strategy<Value = String> {
    let letters = prop_oneof![Just("rg"), Just("rgb"), Just("rgbyo"), Just("rgbypo")];
    letters.prop_flat_map(|letters| {
        let letter = proptest::sample::select(letters.chars().collect::<Vec<_>>());
        vec(vec(letter, 0..=ROWS), COLUMNS..=COLUMNS).prop_map(|columns| {
            columns.into_iter().map(|letters| String::from_iter(letters) + "/").collect()
        })
    })
}

fn pair() -> impl Strategy<Value = Pair> {
    let color = || proptest::sample::select(Puyo::COLORS.to_vec());
    (color(), color()).prop_map(|(axis, child)| Pair { axis, child })
}

fn same(chain: Chain, slow: SlowChain) -> bool {
    (chain.links, chain.score) == (slow.links, slow.score)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn chains_run_and_score_as_by_the_slow_rules(text in fields()) {
        let mut field: Field = text.parse().unwrap();
        let mut slow = SlowField::parse(&text);
        let first = field.vanishing();
        let links = chain::count_links(&mut field.clone(), first);
        let (chain, expected) = (chain::run(&mut field), slow.run_chain());
        prop_assert!(same(chain, expected), "{chain:?} {expected:?}");
        prop_assert_eq!(field.to_string(), slow.text());
        prop_assert_eq!(links, chain.links);
    }

    #[test]
    fn a_field_is_written_as_it_was_read(text in fields()) {
        let field: Field = text.parse().unwrap();
        prop_assert_eq!(field.to_string(), text.clone());
        let slow = SlowField::parse(&text);
        for (column, letters) in slow.0.iter().enumerate() {
            prop_assert_eq!(field.height(column), letters.len());
            let read: Vec<char> =
                (0..ROWS).map_while(|row| field.puyo(column, row)).map(Puyo::letter).collect();
            prop_assert_eq!(&read, letters);
        }
    }

    #[test]
    fn the_placements_are_those_of_the_slow_rules(text in fields(), pair in pair()) {
        let field: Field = text.parse().unwrap();
        let expected = SlowField::parse(&text).moves();
        let placements: Vec<Placement> = Placement::all(&field, pair).collect();
        let mut moves: Vec<String> = placements.iter().map(Placement::to_string).collect();
        moves.sort();
        if pair.is_double() {
            // Both orders are the same; each is there once.
            prop_assert_eq!(2 * moves.len(), expected.len());
            prop_assert!(moves.iter().all(|text| expected.contains(text)));
        } else {
            prop_assert_eq!(&moves, &expected);
        }
        for placement in placements {
            prop_assert_eq!(Placement::parse(&placement.to_string()), Some(placement));
        }
    }

    #[test]
    fn games_go_as_by_the_slow_rules(choices in vec((any::<prop::sample::Index>(), pair()), 0..60)) {
        let (mut state, mut slow) = (State::default(), SlowField::default());
        for (choice, pair) in choices {
            let moves: Vec<Placement> = Placement::all(&state.side.field, pair).collect();
            if moves.is_empty() {
                break;
            }
            let placement = moves[choice.index(moves.len())];
            slow.put(&placement.to_string(), pair.axis.letter(), pair.child.letter());
            let chain = state.place(placement, pair, &Rule::default());
            let expected = slow.run_chain();
            prop_assert!(same(chain, expected), "{chain:?} {expected:?}");
            prop_assert_eq!(state.side.field.to_string(), slow.text());
            prop_assert_eq!(state.side.field.is_lost(), slow.0[2].len() >= 12);
        }
    }

    #[test]
    fn garbage_falls_in_rows_and_never_more_than_thirty(text in fields(), fixed in 0..100) {
        let before: Field = text.parse().unwrap();
        let (mut after, mut garbage) = (before, Garbage { fixed, unfixed: 0, frames: 0 });
        garbage.fall(&mut after);
        let falling = fixed.min(30);
        prop_assert_eq!(garbage.fixed, fixed - falling);
        for column in 0..COLUMNS {
            let [low, high] = [before.height(column), after.height(column)];
            let rows = falling as usize / COLUMNS;
            let reaches = |rows: usize| high == ROWS.min(low + rows);
            prop_assert!(reaches(rows) || falling % 6 != 0 && reaches(rows + 1));
            prop_assert!((low..high).all(|row| after.puyo(column, row) == Some(Puyo::Garbage)));
        }
        let room = 6 * ROWS - before.count();
        if room >= 36 && before.heights().iter().all(|&height| height <= 7) {
            prop_assert_eq!(after.count() - before.count(), falling as usize);
        }
    }
}

/// Places a pair in the second column, which must be empty.
fn fire(field: &str, pair: [Puyo; 2], side: Side, garbage: Garbage) -> (State, Chain) {
    let field: Field = field.parse().unwrap();
    let mut state = State { side: Side { field, ..side }, garbage };
    let pair = Pair { axis: pair[0], child: pair[1] };
    let chain = state.place(Placement::parse("2a2b").unwrap(), pair, &Rule::default());
    (state, chain)
}

#[test]
fn a_chain_offsets_fixed_garbage_then_unfixed_and_sends_the_rest() {
    let (prepared, red) = ("rrggg//g////", [Puyo::Red, Puyo::Red]);
    let garbage = Garbage { fixed: 2, unfixed: 1, frames: 500 };
    let (state, chain) = fire(prepared, red, Side::default(), garbage);
    assert_eq!(chain, Chain { links: 1, score: 40 });
    // Too few points for a garbage puyo: two fall.
    assert_eq!(state.side.points, 40);
    assert_eq!(state.garbage.fixed, 0);
    assert_eq!(state.side.field.to_string(), "gggo//go////");
    // With the points of before it is enough for one.
    let side = Side { points: 30, ..Side::default() };
    let (state, _) = fire(prepared, red, side, garbage);
    assert_eq!((state.side.points, state.side.field.to_string().as_str()), (0, "gggo//g////"));
    // With those for a cleared field it is enough for 31: two offset the fixed, 29 go on.
    let side = Side { points: 30, has_all_clear: true, ..Side::default() };
    let (state, _) = fire(prepared, red, side, garbage);
    assert_eq!((state.garbage.fixed, state.garbage.unfixed), (0, 1 - 29));
    assert_eq!(state.side.field.to_string(), "ggg//g////");
}

#[test]
fn garbage_that_becomes_fixed_while_a_pair_falls_falls_with_it() {
    let rule = Rule::default();
    let placement = Placement::parse("2a2b").unwrap();
    // Eleven rows at two frames, fifteen to be fixed, seven to the next pair.
    assert_eq!(rule.frames(placement, 0), 11 * 2 + 15 + 7);
    assert_eq!(rule.frames(placement, 3), 11 * 2 + 15 + 7 + 3 * 60);
    assert_eq!(rule.frames(Placement::parse("2c3a").unwrap(), 0), 10 * 2 + 2 * 15 + 7);
    for (frames, fallen) in [(44, 6), (45, 0)] {
        let garbage = Garbage { fixed: 0, unfixed: 6, frames };
        let (state, _) = fire("//////", [Puyo::Red, Puyo::Green], Side::default(), garbage);
        assert_eq!(state.side.field.count(), 2 + fallen);
    }
}

#[test]
fn an_emptied_field_is_remembered_until_the_next_chain() {
    let pair = [Puyo::Red, Puyo::Red];
    let (state, _) = fire("rr//////", pair, Side::default(), Garbage::default());
    assert!(state.side.field.is_empty() && state.side.has_all_clear);
    let side = Side { has_all_clear: true, ..Side::default() };
    let (state, _) = fire("rr//b////", pair, side, Garbage::default());
    assert!(!state.side.has_all_clear);
    assert_eq!(state.side.points, 40);
    let (state, _) = fire("//////", pair, side, Garbage::default());
    assert!(state.side.has_all_clear);
}
