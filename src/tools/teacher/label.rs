//! Labels positions of games with the values of a teacher.

use std::path::PathBuf;
use std::sync::Arc;

use super::input::{PlaneEncoder, RECORD_BYTES};
use super::model::{TeacherAnswer, TeacherPool};
use super::policy::policy_index;
use crate::engine;
use crate::position::Setup;
use crate::tools::game_file::{
    GameFileHeader, GameMove, GameSample, IllegalGame, Replay, ScoredGame,
};
use crate::tools::referee::GameEnd;
use crate::tools::selfplay::{GameFailure, GameJob, RunTarget, SelfplayConfigError, StopState};
use crate::types::{Move, Random, Score};

/// Games of one unit: enough to fill batches.
const GAMES_OF_UNIT: u64 = 128;
/// Values are clamped to this, because the logarithm of the odds is infinite at 1.
const MAX_VALUE: f32 = 0.996;

/// A job that makes a game of one move from each suitable position of `games`, with the teacher's value
/// as the score, its most probable legal move, and the end of the original game.
#[derive(Debug)]
pub struct LabelConfig {
    pub out: PathBuf,
    pub positions: Option<u64>,
    /// Threads that prepare inputs; the teacher has its own.
    pub threads: usize,
    /// The choice of positions follows from this seed and the number of the game.
    pub seed: u64,
    pub games: Arc<[ScoredGame]>,
    /// Identifies the games in the header of the file.
    pub source: String,
    /// Percent of the suitable positions that are labelled.
    pub share: u32,
    /// A value v becomes the score s for which v is 2 / (1 + exp(-s / scale)) - 1.
    pub scale: f32,
    pub teacher: TeacherPool,
}

impl GameJob for LabelConfig {
    type Worker<'a> = &'a StopState<'a>;

    fn target(&self) -> RunTarget<'_> {
        RunTarget { out: &self.out, positions: self.positions, threads: self.threads }
    }

    fn check(&self) -> Result<(), SelfplayConfigError> {
        match self.share {
            _ if self.threads == 0 => Err(SelfplayConfigError::NoThread),
            0..=100 => Ok(()),
            _ => Err(SelfplayConfigError::Percent),
        }
    }

    fn header(&self, program: &str) -> GameFileHeader {
        let mut header = GameFileHeader::new();
        header.set("made by", "selfplay label");
        header.set("engine", engine::NAME);
        header.set("program", program);
        header.set("teacher", self.teacher.name());
        header.set("scale", self.scale);
        header.set("seed", self.seed);
        header.set("share", self.share);
        header.set("source", &self.source);
        header
    }

    fn unit_count(&self) -> Option<u64> {
        Some((self.games.len() as u64).div_ceil(GAMES_OF_UNIT))
    }

    fn unit_after(&self, games: u64) -> Result<(u64, usize), String> {
        let (mut number, mut left) = (0, games as usize);
        while left > 0 {
            let questions = self.unit(number).map_err(|_| "a game cannot be replayed")?;
            if questions.len() > left || number >= self.unit_count().unwrap_or_default() {
                break;
            }
            left -= questions.len();
            number += 1;
        }
        Ok((number, left))
    }

    fn worker<'a>(&'a self, stop: &'a StopState<'a>) -> Result<&'a StopState<'a>, String> {
        Ok(stop)
    }

    fn play_unit(
        &self,
        number: u64,
        stop: &mut &StopState<'_>,
    ) -> Result<Vec<ScoredGame>, GameFailure> {
        if stop.must_abandon() {
            return Err(GameFailure::Abandoned);
        }
        let (questions, records): (Vec<_>, Vec<_>) = self.unit(number)?.into_iter().unzip();
        let answers = self.teacher.ask(&records).map_err(GameFailure::Impossible)?;
        let label = |(question, answer): (Question, &TeacherAnswer)| {
            let score = score_of(answer.value, self.scale);
            let (mv, is_best) = question.choose(answer);
            let plies = vec![GameMove::searched(mv, score, is_best)];
            ScoredGame { start: question.start, plies, end: question.end }
        };
        Ok(questions.into_iter().zip(&answers).map(label).collect())
    }
}

impl LabelConfig {
    /// The suitable positions of a unit with their inputs.
    fn unit(&self, number: u64) -> Result<Vec<(Question, [u8; RECORD_BYTES])>, GameFailure> {
        let first = (number * GAMES_OF_UNIT) as usize;
        let last = self.games.len().min(first + GAMES_OF_UNIT as usize);
        let mut asked = Vec::new();
        for at in first..last {
            let mut random = Random::of_part(self.seed, at as u64);
            self.add_questions(&self.games[at], &mut random, &mut asked).map_err(|error| {
                GameFailure::Impossible(format!("game {at}, to be labelled: {error}"))
            })?;
        }
        Ok(asked)
    }

    fn add_questions(
        &self,
        game: &ScoredGame,
        random: &mut Random,
        asked: &mut Vec<(Question, [u8; RECORD_BYTES])>,
    ) -> Result<(), IllegalGame> {
        let (mut encoder, mut replay) = (PlaneEncoder::new(), Replay::new(game)?);
        while let Some(sample) = replay.advance()? {
            let mut position = sample.position.clone();
            if is_suitable(&sample) && random.percent(self.share) {
                asked.push((Question::new(game, &sample), encoder.encode(&mut position)));
            }
            encoder.follow(&mut position, sample.mv());
        }
        Ok(())
    }
}

/// A position to be labelled by the teacher.
struct Question {
    start: Setup,
    played: Move,
    /// The legal moves with their policy indices.
    legal: Vec<(u16, Move)>,
    end: GameEnd,
}

impl Question {
    fn new(game: &ScoredGame, sample: &GameSample<'_>) -> Question {
        let position = sample.position;
        let indexed = |mv| (policy_index(position, mv) as u16, mv);
        let legal = position.legal_moves().moves().map(indexed).collect();
        Question { start: position.setup(), played: sample.mv(), legal, end: game.end }
    }

    /// The teacher's most probable legal move and `true`; if it names no legal move, the played move and
    /// `false`.
    fn choose(&self, answer: &TeacherAnswer) -> (Move, bool) {
        let legal = |index: &u16| self.legal.iter().find(|(known, _)| known == index);
        answer.best.iter().find_map(legal).map_or((self.played, false), |&(_, mv)| (mv, true))
    }
}

/// Positions that an evaluation without a search can judge: not in check, and the move that was played
/// neither captures nor promotes. Only those with a score, so that positions that a filter dropped stay out.
fn is_suitable(sample: &GameSample<'_>) -> bool {
    sample.score().is_some() && sample.is_quiet() && !sample.is_in_check()
}

fn score_of(value: f32, scale: f32) -> Score {
    let value = value.clamp(-MAX_VALUE, MAX_VALUE);
    Score((scale * ((1.0 + value) / (1.0 - value)).ln()).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_becomes_the_score_of_the_same_winning_chance() {
        assert_eq!(score_of(0.0, 650.0), Score(0));
        let value = 2.0 / (1.0 + (-300.0_f32 / 650.0).exp()) - 1.0;
        assert_eq!(score_of(value, 650.0), Score(300));
        assert_eq!(score_of(-value, 650.0), Score(-300));
        assert_eq!(score_of(1.0, 650.0), score_of(0.999, 650.0));
        assert_eq!(score_of(-1.0, 650.0), Score(-4038));
    }
}
