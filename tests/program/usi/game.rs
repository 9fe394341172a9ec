//! A game from the view of a GUI, which knows the legal moves.

use kawasemi::position::{EnteringKingRule, Position};

use super::engine::Answer;

#[derive(Clone)]
pub struct Game {
    start: String,
    pub moves: Vec<String>,
    pub position: Position,
    /// The rule under which the engine may declare.
    pub rule: EnteringKingRule,
    /// Whether the engine was told to resign lost games.
    pub may_resign: bool,
}

impl Game {
    pub fn new() -> Game {
        Game::at("startpos".into(), Position::startpos())
    }

    pub fn from(sfen: &str) -> Game {
        Game::at(format!("sfen {sfen}"), Position::from_sfen(sfen).unwrap())
    }

    /// With the default rules of the engine.
    fn at(start: String, position: Position) -> Game {
        let rule = EnteringKingRule::Csa27;
        Game { start, moves: Vec::new(), position, rule, may_resign: false }
    }

    /// The same game after these moves.
    pub fn after(mut self, moves: &str) -> Game {
        moves.split_whitespace().for_each(|text| self.play(text));
        self
    }

    pub fn play(&mut self, text: &str) {
        let mv = text.parse().unwrap_or_else(|_| panic!("{text} is no move"));
        self.position.try_play(mv).unwrap_or_else(|error| panic!("{text}: {error}"));
        self.moves.push(text.to_owned());
    }

    pub fn command(&self) -> String {
        if self.moves.is_empty() {
            format!("position {}", self.start)
        } else {
            format!("position {} moves {}", self.start, self.moves.join(" "))
        }
    }

    /// How many of these moves can be played one after the other.
    pub fn playable(&self, moves: &[String]) -> usize {
        let mut position = self.position.clone();
        let mut plays = |text: &String| text.parse().is_ok_and(|mv| position.try_play(mv).is_ok());
        moves.iter().take_while(|text| plays(text)).count()
    }

    /// Checks everything that holds for every answer to a `go`: the move is legal, or there is a
    /// reason for no move; the line before it agrees with it; and every variation is legal.
    pub fn check(&self, answer: &Answer) {
        for info in answer.infos() {
            assert_eq!(self.playable(&info.pv), info.pv.len(), "{info:?}");
        }
        let last = answer.last();
        match answer.best() {
            "resign" => {
                assert_eq!(answer.ponder(), None);
                let is_over = self.position.legal_moves().is_empty();
                assert!(self.may_resign || is_over, "resigned after {}", self.command());
            }
            "win" => {
                assert_eq!(answer.ponder(), None);
                let wins = self.position.declaration_win(self.rule);
                assert!(wins, "declared after {}", self.command());
            }
            best => {
                let line: Vec<String> =
                    [Some(best), answer.ponder()].into_iter().flatten().map(Into::into).collect();
                assert_eq!(self.playable(&line), line.len(), "{}", answer.text);
                assert_eq!(last.pv.first().map(String::as_str), Some(best), "{last:?}");
                assert_eq!(last.multi_pv, 1, "{last:?}");
            }
        }
    }
}
