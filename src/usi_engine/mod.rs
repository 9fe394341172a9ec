//! USI engines in processes of their own, from the side of whoever lets them play.
//!
//! A [`Link`] starts an engine, sets its options and carries lines to and fro; [`SearchInfo`] and
//! [`read_answer`] make values of what it says, and [`position_line`] is how it is told a position.
//! When to ask what is for those who play: the matches of the tools, and the client of CSA servers.

mod answer;
mod fault;
mod info;
mod link;
mod option;
mod pipes;
mod position;
mod process;
mod words;

use std::fmt;

pub use answer::{Answer, BadAnswer, read_answer};
pub use fault::{Fault, FaultKind};
pub use info::{EngineScore, InfoLine, SearchInfo, is_error};
pub use link::{Launch, Link, Patience, StartError, is_answer};
pub use option::{Declared, is_always_accepted, set_line};
pub use pipes::{Pipes, each_line};
pub use position::position_line;
pub use process::Heard;
pub use words::{OpenQuote, split_words};

/// The end of a game as one player sees it, in the words of `gameover`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOver {
    Win,
    Lose,
    Draw,
}

impl fmt::Display for GameOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameOver::Win => "win",
            GameOver::Lose => "lose",
            GameOver::Draw => "draw",
        })
    }
}
