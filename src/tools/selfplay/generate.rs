//! Plays whole games, each from its start to its end.

use std::iter;

use super::adjudicator::Adjudicator;
use super::common_config::{end_by_rules, game_rules};
use super::config_error::{SelfplayConfigError, first_error};
use super::generate_config::{GenerateConfig, MoveSampling};
use super::job::{GameFailure, GameJob, RunTarget};
use super::searcher::SelfplaySearcher;
use super::start_positions::{RandomPlies, StartPositions};
use super::stop::StopState;
use crate::nnue::Network;
use crate::position::Position;
use crate::search::{RankedMove, SearchResult};
use crate::sys::AllocationError;
use crate::tools::fingerprint;
use crate::tools::game_file::{GameFileHeader, GameMove, ScoredGame};
use crate::tools::opening::Opening;
use crate::tools::referee::{GameEnd, GameRules};
use crate::types::{ByColor, Move, Random, Score};

/// Every game is a separate unit.
impl GameJob for GenerateConfig {
    type Worker<'a> = Players<'a>;

    fn target(&self) -> RunTarget<'_> {
        self.common.target()
    }

    fn check(&self) -> Result<(), SelfplayConfigError> {
        self.common.check()?;
        let StartPositions { openings, random_from_startpos, random_after_opening, .. } =
            &self.starts;
        let is_whole_game = |ply, random: &RandomPlies| ply + random.within >= self.max_moves;
        let long = openings
            .iter()
            .find(|it| is_whole_game(it.position().game_ply(), random_after_opening));
        if let Some(opening) = long {
            return Err(SelfplayConfigError::LongOpening(opening.line));
        }
        first_error([
            (self.games.is_none() && self.common.positions.is_none(), SelfplayConfigError::Endless),
            (
                [self.starts.openings_percent, self.unadjudicated_percent].iter().any(|&p| p > 100),
                SelfplayConfigError::Percent,
            ),
            (self.win.is_some_and(|rule| rule.plies < 2), SelfplayConfigError::WinPlies),
            (self.draw.is_some_and(|rule| rule.plies == 0), SelfplayConfigError::DrawPlies),
            (is_whole_game(1, random_from_startpos), SelfplayConfigError::LongStart),
        ])
    }

    fn header(&self, program: &str) -> GameFileHeader {
        let mut header = self.common.header("generate", program);
        let starts = &self.starts;
        if !starts.openings.is_empty() {
            let count = starts.openings.len();
            let fingerprint = fingerprint::of_texts(starts.openings.iter());
            header.set("openings", format!("{count} {fingerprint}"));
            header.set("openings share", starts.openings_percent);
            header.set("random plies behind openings", starts.random_after_opening);
        }
        if !self.opponents.is_empty() {
            let names: Vec<&str> = self.opponents.iter().map(|it| it.name.as_str()).collect();
            header.set("opponents", names.join(", "));
        }
        header.set("random plies", starts.random_from_startpos);
        header.set("balance", or_none(self.max_start_score.map(|score| score.0)));
        let sampling = self.sampling.map(|sampling| {
            let MoveSampling { lines, margin, plies } = sampling;
            format!("{lines} lines within {} in {plies} plies", margin.0)
        });
        header.set("choosing", or_none(sampling));
        let win = self.win.map(|rule| format!("{} for {} plies", rule.score.0, rule.plies));
        header.set("win", or_none(win));
        let draw = self.draw.map(|rule| {
            format!("{} for {} plies from move {}", rule.score.0, rule.plies, rule.from)
        });
        header.set("draw", or_none(draw));
        header.set("played on", self.unadjudicated_percent);
        header.set("max moves", self.max_moves);
        if self.first_game > 0 {
            header.set(FIRST_GAME, self.first_game);
        }
        header
    }

    fn end_unit(&self) -> Option<u64> {
        self.games.map(|games| self.first_game.saturating_add(games))
    }

    fn unit_after(&self, games: u64) -> Result<(u64, usize), String> {
        Ok((self.first_game.saturating_add(games), 0))
    }

    fn worker<'a>(&'a self, stop: &'a StopState<'a>) -> Result<Players<'a>, String> {
        Players::new(self, stop).map_err(|error| error.to_string())
    }

    fn play_unit(
        &self,
        number: u64,
        players: &mut Players<'_>,
    ) -> Result<Vec<ScoredGame>, GameFailure> {
        let rules = game_rules(self.max_moves);
        Ok(vec![GamePlayer { config: self, rules, players }.play(number)?])
    }
}

/// The searchers of a self-play thread, and those of the current game.
#[derive(Debug)]
pub struct Players<'a> {
    /// For the configured network first, then for its opponents.
    searchers: Vec<SelfplaySearcher<'a>>,
    /// Indices of the searchers of both sides.
    sides: ByColor<usize>,
}

impl<'a> Players<'a> {
    fn new(
        config: &'a GenerateConfig,
        stop: &'a StopState<'a>,
    ) -> Result<Players<'a>, AllocationError> {
        let opponents = config.opponents.iter().map(|opponent| &opponent.network);
        let networks = iter::once(&config.common.network).chain(opponents);
        let searcher = |network: &Network| SelfplaySearcher::new(&config.common, network, stop);
        let searchers = networks.map(searcher).collect::<Result<Vec<_>, _>>()?;
        Ok(Players { searchers, sides: ByColor([0; 2]) })
    }

    /// Chooses the searchers of the game of this number and clears them.
    fn begin(&mut self, number: u64) {
        self.sides = sides(number, self.searchers.len() - 1);
        for (index, searcher) in self.searchers.iter_mut().enumerate() {
            if self.sides.0.contains(&index) {
                searcher.clear();
            }
        }
    }

    /// The player to move.
    fn player_to_move(&mut self, position: &Position) -> &mut SelfplaySearcher<'a> {
        &mut self.searchers[self.sides[position.side_to_move()]]
    }
}

/// The searchers of a game: 0, and one of the opponents, which are numbered from 1. The first game of each
/// opponent is with White, its second with Black.
fn sides(number: u64, opponents: usize) -> ByColor<usize> {
    if opponents == 0 {
        return ByColor([0, 0]);
    }
    let opponent = 1 + (number / 2 % opponents as u64) as usize;
    if number.is_multiple_of(2) { ByColor([0, opponent]) } else { ByColor([opponent, 0]) }
}

/// The key of the header of a file that does not begin with game 0.
pub const FIRST_GAME: &str = "first game";

fn or_none<T: ToString>(value: Option<T>) -> String {
    value.map_or("none".into(), |value| value.to_string())
}

/// Start positions that are tried for a game before the run fails.
const MAX_STARTS: usize = 1000;

/// Plays one game.
struct GamePlayer<'a, 's> {
    config: &'a GenerateConfig,
    rules: GameRules,
    players: &'a mut Players<'s>,
}

/// A game in progress.
struct GameInProgress {
    start: Opening,
    position: Position,
    plies: Vec<GameMove>,
}

impl GameInProgress {
    fn play(&mut self, ply: GameMove) {
        self.plies.push(ply);
        self.position.do_move(ply.mv());
    }

    fn into_game(self, end: GameEnd) -> ScoredGame {
        ScoredGame { start: self.start.start().setup(), plies: self.plies, end }
    }
}

impl GamePlayer<'_, '_> {
    /// Plays the game of this number, which does not depend on earlier games.
    fn play(&mut self, number: u64) -> Result<ScoredGame, GameFailure> {
        self.players.begin(number);
        let mut random = Random::of_part(self.config.common.seed, number);
        for _ in 0..MAX_STARTS {
            let Some(game) = self.start(&mut random)? else { continue };
            if let Some(game) = self.play_out(game, &mut random)? {
                return Ok(game);
            }
        }
        Err(GameFailure::Impossible(format!("none of {MAX_STARTS} starts is balanced")))
    }

    /// Takes a random start and plays its random moves, with searched ones between them; `None` if the start
    /// is unbalanced or the game ends in it.
    fn start(&mut self, random: &mut Random) -> Result<Option<GameInProgress>, GameFailure> {
        let (start, random_plies) = self.config.starts.sample(random);
        let position = start.position();
        let plies = start.moves().iter().map(|&mv| GameMove::unsearched(mv)).collect();
        let mut game = GameInProgress { start, position, plies };
        for is_random in random_plies {
            if end_by_rules(&game.position, &self.rules).is_some() {
                return Ok(None);
            }
            if is_random {
                let moves: Vec<Move> = game.position.legal_moves().moves().collect();
                game.play(GameMove::unsearched(moves[random.below(moves.len())]));
                continue;
            }
            let best = self.search(&game.position, 1, random)?.moves.swap_remove(0);
            if !self.is_balanced(best.score) {
                return Ok(None);
            }
            game.play(GameMove::searched(best.mv, best.score, true));
        }
        Ok(Some(game))
    }

    /// Plays a game to its end; `None` if the first search finds the start unbalanced.
    fn play_out(
        &mut self,
        mut game: GameInProgress,
        random: &mut Random,
    ) -> Result<Option<ScoredGame>, GameFailure> {
        let is_adjudicated = !random.percent(self.config.unadjudicated_percent);
        let (win, draw) = (self.config.win, self.config.draw);
        let mut adjudicator =
            if is_adjudicated { Adjudicator::new(win, draw) } else { Adjudicator::default() };
        for ply in 0.. {
            if let Some(end) = end_by_rules(&game.position, &self.rules) {
                return Ok((ply > 0).then(|| game.into_game(end)));
            }
            let sampling = self.config.sampling.filter(|sampling| ply < sampling.plies);
            let lines = sampling.map_or(1, |sampling| sampling.lines);
            let found = self.search(&game.position, lines, random)?;
            let score = found.moves[0].score;
            if ply == 0 && !self.is_balanced(score) {
                return Ok(None);
            }
            let margin = sampling.map_or(0, |sampling| sampling.margin.0);
            let (mover, number) = (game.position.side_to_move(), game.position.game_ply());
            game.play(sample_move(&found.moves, margin, random));
            if let Some(end) = adjudicator.add_score(mover, number, score) {
                return Ok(Some(game.into_game(end)));
            }
        }
        unreachable!("the number of moves is limited")
    }

    fn search(
        &mut self,
        position: &Position,
        lines: usize,
        random: &mut Random,
    ) -> Result<SearchResult, GameFailure> {
        self.players.player_to_move(position).search(position, lines, random)
    }

    fn is_balanced(&self, score: Score) -> bool {
        self.config.max_start_score.is_none_or(|limit| score.0.abs() <= limit.0)
    }
}

/// One of the choices that are at most `margin` worse than the best one.
fn sample_move(choices: &[RankedMove], margin: i32, random: &mut Random) -> GameMove {
    let best = choices[0].score;
    let good = choices.iter().take_while(|choice| best - choice.score <= margin).count();
    let chosen = if good > 1 { random.below(good) } else { 0 };
    GameMove::searched(choices[chosen].mv, best, chosen == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_opponent_plays_a_pair_of_games_in_turn() {
        assert_eq!(sides(7, 0).0, [0, 0]);
        let games: Vec<_> = (0..6).map(|number| sides(number, 2).0).collect();
        assert_eq!(games, [[0, 1], [1, 0], [0, 2], [2, 0], [0, 1], [1, 0]]);
    }

    #[test]
    fn a_random_multi_pv_move_has_the_score_of_the_best_move() {
        let choice = |mv: &str, score| RankedMove {
            mv: mv.parse().unwrap(),
            pv: Vec::new(),
            score: Score(score),
        };
        let choices = [choice("7g7f", 40), choice("2g2f", 10), choice("9g9f", 9)];
        let mut random = Random::new(5);
        let sampled: Vec<GameMove> =
            (0..100).map(|_| sample_move(&choices, 30, &mut random)).collect();
        for ply in &sampled {
            assert_eq!(ply.score(), Some(Score(40)));
            assert_eq!(ply.is_best(), ply.mv() == choices[0].mv);
        }
        let count = |mv: Move| sampled.iter().filter(|ply| ply.mv() == mv).count();
        assert!(count(choices[0].mv) > 30 && count(choices[1].mv) > 30);
        assert_eq!(count(choices[2].mv), 0, "not good enough");
        assert!(sample_move(&choices, 0, &mut random).is_best());
    }
}
