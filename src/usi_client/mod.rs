//! USI engines in processes of their own, from the side of whoever lets them play.
//!
//! A [`UsiEngine`] starts an engine, sets its options and carries lines to and fro; [`SearchInfo`] and
//! [`parse_bestmove`] make values of what it says, and [`position_line`] is how it is told a position.
//! When to ask what is for those who play: the matches of the tools, and the client of CSA servers.

mod bestmove;
mod child;
mod command_line;
mod engine;
mod fault;
mod info;
mod option;
mod position;
mod process;

use std::fmt;

pub use bestmove::{BestMove, BestMoveError, parse_bestmove};
pub use child::{ChildProcess, each_line};
pub use command_line::{UnclosedQuote, split_command_line};
pub use engine::{EngineTimeouts, LaunchConfig, StartError, UsiEngine, is_answer};
pub use fault::{EngineFault, EngineFaultKind};
pub use info::{EngineScore, InfoLine, SearchInfo, is_error};
pub use option::{OptionDeclaration, is_always_accepted, setoption_line};
pub use position::position_line;
pub use process::EngineLine;

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
