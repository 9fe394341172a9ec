//! The search, the planner and the measurement.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kawasemi::types::Random;

use super::engine::chain::Chain;
use super::engine::evaluation::evaluate;
use super::engine::field::{Field, Puyo};
use super::engine::garbage::Garbage;
use super::engine::measure::{Budget, measure, play};
use super::engine::placement::Placement;
use super::engine::planner::{Planner, choose_placement};
use super::engine::position::{Position, Side, State};
use super::engine::rule::Rule;
use super::engine::search::{Game, Limits, SearchResult, search};
use super::engine::tumo::{Pair, TUMO_PAIRS, Tumo};

fn limits(nodes: usize) -> Limits<'static> {
    Limits { deadline: None, nodes, is_stopped: &|| false }
}

fn random_game(list: u64) -> Arc<Game> {
    let tumo = Tumo::random(&mut Random::of_part(7, list));
    Arc::new(Game { tumo, rule: Rule::default() })
}

/// A game of pairs of one colour only.
fn game_of(axis: Puyo, child: Puyo) -> Game {
    Game { tumo: Tumo::new([Pair { axis, child }; TUMO_PAIRS]), rule: Rule::default() }
}

fn position_of(field: &str, garbage: Garbage) -> Position {
    let field: Field = field.parse().unwrap();
    Position { own: Side { field, ..Side::default() }, garbage, ..Position::default() }
}

/// The chain that a plan ends with.
fn outcome(game: &Game, position: &Position, plan: &[Placement]) -> Chain {
    let mut state = State::new(position);
    let mut last = Chain::default();
    for (depth, placement) in plan.iter().enumerate() {
        let pair = game.tumo.pair(position.number + depth);
        let mut legal = Placement::all(&state.side.field, pair);
        assert!(legal.any(|legal| legal == *placement), "{placement}");
        last = state.place(*placement, pair, &game.rule);
        assert!(!state.side.field.is_lost());
    }
    last
}

#[test]
fn a_plan_is_legal_and_ends_with_its_chain() {
    for list in 0..4 {
        let game = random_game(list);
        for number in [0, 100] {
            let position = Position { number, ..Position::default() };
            let SearchResult { plan, nodes } = search(&game, &position, &[], &[], limits(1500));
            assert!(nodes >= 1500);
            assert!(plan.chain.links >= 3, "{:?}", plan.chain);
            assert_eq!(outcome(&game, &position, &plan.placements), plan.chain);
        }
    }
}

#[test]
fn an_earlier_plan_is_not_forgotten() {
    let game = random_game(11);
    let position = Position::default();
    let first = search(&game, &position, &[], &[], limits(3000)).plan;
    let second = search(&game, &position, &first.placements, &[], limits(1)).plan;
    assert_eq!(second, first);
    // Unless its first move is refused.
    let refused = [first.placements[0]];
    let third = search(&game, &position, &first.placements, &refused, limits(1)).plan;
    assert_ne!(third.placements[0], first.placements[0]);
}

#[test]
fn a_search_whose_time_is_over_answers_all_the_same() {
    let (game, position) = (random_game(3), Position::default());
    let late = Limits { deadline: Some(Instant::now()), ..limits(usize::MAX) };
    let stopped = Limits { is_stopped: &|| true, ..limits(usize::MAX) };
    for limits in [late, stopped] {
        let found = search(&game, &position, &[], &[], limits);
        assert!(!found.plan.placements.is_empty() && found.nodes < 200, "{}", found.nodes);
    }
}

/// Red in the first column fires four links, as many points as 33 garbage puyos. Thirty that fall now would bury
/// the trigger, and thirty more end the game.
#[test]
fn garbage_that_would_bury_the_field_is_answered_with_the_chain_at_hand() {
    let game = game_of(Puyo::Red, Puyo::Red);
    let garbage = Garbage { fixed: 60, unfixed: 0, frames: 0 };
    let threatened = position_of("/rrrg/gggb/bbby/yyy//", garbage);
    let plan = search(&game, &threatened, &[], &[], limits(500)).plan;
    assert_eq!((plan.placements.len(), plan.chain.links), (1, 4), "{plan:?}");
}

#[test]
fn a_visible_chain_evaluates_better_than_none() {
    let evaluation = |text: &str| evaluate(&text.parse::<Field>().unwrap());
    assert!(evaluation("rrr//////") > evaluation("rgr//////"));
    assert!(evaluation("/rrrg/ggg////") > evaluation("/rrrb/ggg////"));
}

#[test]
fn a_planner_keeps_its_plan_only_as_long_as_nothing_else_has_happened() {
    let (game, mut planner) = (random_game(5), Planner::default());
    let mut position = Position::default();
    let found = planner.search(&game, &position, &[], limits(4000));
    let placement = choose_placement(&game, &position, &[], &found.plan.placements);
    let mut state = State::new(&position);
    state.place(placement, game.tumo.pair(0), &game.rule);
    position = Position { own: state.side, number: 1, ..position };
    let next = planner.search(&game, &position, &[], limits(1));
    assert_eq!(next.plan.chain, found.plan.chain);
    // Another field, or another game, and the plan is void.
    let other = position_of("o//////", Garbage::default());
    assert!(
        planner.search(&game, &other, &[], limits(1)).plan.chain.links < found.plan.chain.links
    );
}

#[test]
fn a_measurement_with_a_budget_of_nodes_repeats_itself() {
    let measured = || {
        let mut lines = Vec::new();
        let keep = |line: &str| {
            lines.push(line.to_owned());
            Ok(())
        };
        measure(1, 0..2, 8, Budget::Nodes(100), keep).unwrap();
        lines
    };
    let (lines, again) = (measured(), measured());
    assert_eq!(lines[..2], again[..2]);
    assert!(lines[2].starts_with("2 games: longest chain "), "{}", lines[2]);
}

#[test]
fn a_game_without_any_time_is_played_all_the_same() {
    let tumo = Tumo::random(&mut Random::of_part(1, 0));
    assert_eq!(play(tumo, 5, Budget::Time(Duration::ZERO)).placed, 5);
}

/// Far below what the search does with the time of a game, so that it holds with a small budget.
#[test]
fn chains_of_a_game_are_long() {
    let tumo = Tumo::random(&mut Random::of_part(1, 0));
    let outcome = play(tumo, 45, Budget::Nodes(600));
    assert!(outcome.longest.links >= 8, "{outcome:?}");
}
