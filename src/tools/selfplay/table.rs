//! One game, from its start to its end.

use super::adjudicator::Adjudicator;
use super::config::Config;
use super::production::{NoGame, Searcher, end, rules};
use crate::position::Position;
use crate::search::Choice;
use crate::tools::games::{Game, Ply};
use crate::tools::opening::Opening;
use crate::tools::random::Random;
use crate::tools::referee::{End, Rules};
use crate::types::{Move, Score};

/// How many starts are drawn for a game before it is given up.
const MOST_STARTS: usize = 1000;

/// Where one searcher plays against itself.
pub(super) struct Table<'a, 's> {
    config: &'a Config,
    rules: Rules,
    searcher: &'a mut Searcher<'s>,
}

/// A game in progress.
struct Play {
    start: Opening,
    position: Position,
    plies: Vec<Ply>,
}

impl Play {
    fn play(&mut self, ply: Ply) {
        self.plies.push(ply);
        self.position.do_move(ply.mv());
    }

    fn into_game(self, end: End) -> Game {
        Game { start: self.start.start().setup(), plies: self.plies, end }
    }
}

impl<'a, 's> Table<'a, 's> {
    pub(super) fn new(config: &'a Config, searcher: &'a mut Searcher<'s>) -> Table<'a, 's> {
        Table { config, rules: rules(config.max_moves), searcher }
    }

    /// Plays the game of this number, which depends on nothing that was played before.
    pub(super) fn play(&mut self, number: u64) -> Result<Game, NoGame> {
        self.searcher.forget();
        let mut random = Random::of_part(self.config.production.seed, number);
        for _ in 0..MOST_STARTS {
            let Some(game) = self.start(&mut random)? else { continue };
            if let Some(game) = self.play_out(game, &mut random)? {
                return Ok(game);
            }
        }
        Err(NoGame::Impossible(format!("none of {MOST_STARTS} starts is balanced")))
    }

    /// Draws a start and plays its random moves, with searched ones between them; `None` if it is
    /// no good.
    fn start(&mut self, random: &mut Random) -> Result<Option<Play>, NoGame> {
        let (start, scattered) = self.config.starts.draw(random);
        let position = start.position();
        let plies = start.moves().iter().map(|&mv| Ply::unsearched(mv)).collect();
        let mut game = Play { start, position, plies };
        for is_random in scattered {
            if end(&game.position, &self.rules).is_some() {
                return Ok(None);
            }
            if is_random {
                let moves: Vec<Move> = game.position.legal_moves().moves().collect();
                game.play(Ply::unsearched(moves[random.below(moves.len())]));
                continue;
            }
            let best = self.searcher.search(&game.position, 1, random)?.choices[0];
            if !self.is_balanced(best.score) {
                return Ok(None);
            }
            game.play(Ply::searched(best.mv, best.score, true));
        }
        Ok(Some(game))
    }

    /// Plays a game to its end; `None` if the start is no good after all.
    fn play_out(&mut self, mut game: Play, random: &mut Random) -> Result<Option<Game>, NoGame> {
        let is_adjudicated = !random.percent(self.config.play_on);
        let (win, draw) = (self.config.win, self.config.draw);
        let mut adjudicator =
            if is_adjudicated { Adjudicator::new(win, draw) } else { Adjudicator::default() };
        for ply in 0.. {
            if let Some(end) = end(&game.position, &self.rules) {
                return Ok((ply > 0).then(|| game.into_game(end)));
            }
            let choosing = self.config.choosing.filter(|choosing| ply < choosing.plies);
            let lines = choosing.map_or(1, |choosing| choosing.lines);
            let found = self.searcher.search(&game.position, lines, random)?;
            let score = found.choices[0].score;
            if ply == 0 && !self.is_balanced(score) {
                return Ok(None);
            }
            let margin = choosing.map_or(0, |choosing| choosing.margin.0);
            let (mover, number) = (game.position.side_to_move(), game.position.ply());
            game.play(choose(&found.choices, margin, random));
            if let Some(end) = adjudicator.note(mover, number, score) {
                return Ok(Some(game.into_game(end)));
            }
        }
        unreachable!("the number of moves is limited")
    }

    fn is_balanced(&self, score: Score) -> bool {
        self.config.balance.is_none_or(|limit| score.0.abs() <= limit.0)
    }
}

/// One of the choices that are no worse than the best by more than this.
fn choose(choices: &[Choice], margin: i32, random: &mut Random) -> Ply {
    let best = choices[0].score;
    let good = choices.iter().take_while(|choice| best - choice.score <= margin).count();
    let chosen = if good > 1 { random.below(good) } else { 0 };
    Ply::searched(choices[chosen].mv, best, chosen == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_move_is_drawn_among_the_good_ones_and_the_score_is_that_of_the_best() {
        let choice = |mv: &str, score| Choice { mv: mv.parse().unwrap(), score: Score(score) };
        let choices = [choice("7g7f", 40), choice("2g2f", 10), choice("9g9f", 9)];
        let mut random = Random::new(5);
        let drawn: Vec<Ply> = (0..100).map(|_| choose(&choices, 30, &mut random)).collect();
        for ply in &drawn {
            assert_eq!(ply.score(), Some(Score(40)));
            assert_eq!(ply.is_best(), ply.mv() == choices[0].mv);
        }
        let count = |mv: Move| drawn.iter().filter(|ply| ply.mv() == mv).count();
        assert!(count(choices[0].mv) > 30 && count(choices[1].mv) > 30);
        assert_eq!(count(choices[2].mv), 0, "not good enough");
        assert!(choose(&choices, 0, &mut random).is_best());
    }
}
