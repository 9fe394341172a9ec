//! Plays games without an opponent and reports the longest chain of each.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kawasemi::types::Random;

use super::chain::Chain;
use super::placement::Placement;
use super::planner::{Planner, choose_placement};
use super::position::{Position, State};
use super::rule::Rule;
use super::search::{Game, Limits, MAX_NODES};
use super::tumo::Tumo;

/// The limit of the search for each pair.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    Time(Duration),
    /// The number of placements tried. The result is the same on every machine.
    Nodes(usize),
}

/// The result of one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub longest: Chain,
    /// The number of pairs placed when the longest chain was fired.
    pub after: usize,
    /// The number of pairs placed.
    pub placed: usize,
    /// The number of placements tried for all pairs.
    pub nodes: usize,
}

/// Plays a game of this many pairs at most.
pub fn play(tumo: Tumo, pairs: usize, budget: Budget) -> Outcome {
    let game = Arc::new(Game { tumo, rule: Rule::default() });
    let mut planner = Planner::default();
    let (mut position, mut outcome) = (Position::default(), Outcome::default());
    while position.number < pairs {
        let (deadline, nodes) = match budget {
            Budget::Time(time) => (Some(Instant::now() + time), MAX_NODES),
            Budget::Nodes(nodes) => (None, nodes),
        };
        let limits = Limits { deadline, nodes, is_stopped: &|| false };
        let found = planner.search(&game, &position, &[], limits);
        let placement = choose_placement(&game, &position, &[], &found.plan.placements);
        if placement == Placement::NONE {
            break;
        }
        let mut state = State::new(&position);
        let chain = state.place(placement, game.tumo.pair(position.number), &game.rule);
        position.own = state.side;
        position.number += 1;
        outcome.nodes += found.nodes;
        if chain.links > outcome.longest.links {
            outcome.longest = chain;
            outcome.after = position.number;
        }
    }
    outcome.placed = position.number;
    outcome
}

/// Plays a game with each of these random lists of pairs. `line` receives a line for each, then a summary.
///
/// # Errors
/// Those of `line`.
pub fn measure(
    seed: u64,
    lists: std::ops::Range<u64>,
    pairs: usize,
    budget: Budget,
    mut line: impl FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    let started = Instant::now();
    let mut outcomes = Vec::new();
    for list in lists {
        let tumo = Tumo::random(&mut Random::of_part(seed, list));
        let outcome = play(tumo, pairs, budget);
        let Outcome { longest: Chain { links, score }, after, .. } = outcome;
        line(&format!("list {list}: {links} links, {score} points, after {after} pairs"))?;
        outcomes.push(outcome);
    }
    line(&summary(&outcomes, started.elapsed()))
}

fn summary(outcomes: &[Outcome], elapsed: Duration) -> String {
    let games = outcomes.len().max(1) as f64;
    let mut links: Vec<u32> = outcomes.iter().map(|outcome| outcome.longest.links).collect();
    links.sort_unstable();
    let mean = f64::from(links.iter().sum::<u32>()) / games;
    let sum = |of: fn(&Outcome) -> usize| outcomes.iter().map(of).sum::<usize>() as f64;
    let (placed, nodes) = (sum(|outcome| outcome.placed), sum(|outcome| outcome.nodes));
    let seconds = elapsed.as_secs_f64();
    format!(
        "{} games: longest chain {mean:.2} links on average, {} to {}; after {:.1} pairs on average; \
         {:.0} placements tried per pair, {:.0} per second, {:.0} ms per pair; one thread",
        outcomes.len(),
        links.first().unwrap_or(&0),
        links.last().unwrap_or(&0),
        sum(|outcome| outcome.after) / games,
        nodes / placed,
        nodes / seconds,
        seconds * 1000.0 / placed,
    )
}
