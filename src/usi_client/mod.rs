//! The client side of USI: other engines, each in its own process.
//!
//! [`UsiEngine`] starts an engine, sets its options and exchanges lines with it. [`SearchInfo`] and
//! [`parse_bestmove`] read its output; [`GoCommand`] and [`position_line`](crate::types::usi::position_line) write
//! its input. What to search, and when, is left to the callers: the CSA client, the cluster and the matches of the
//! tools.

mod bestmove;
mod child;
mod command_line;
mod commands;
mod engine;
mod fault;
mod info;
mod launch;
mod option;
mod output;

pub use bestmove::{BestMove, BestMoveError, parse_bestmove, possible_answers};
pub use child::ChildProcess;
pub use command_line::{UnclosedQuote, split_command_line};
pub use commands::{GameOver, GoClock, GoCommand, ponderhit_line, setoption_line};
pub use engine::{UsiEngine, is_answer};
pub use fault::{EngineFault, EngineFaultKind};
pub use info::{EngineScore, InfoLine, SearchInfo, error_text};
pub use launch::{EngineTimeouts, LaunchConfig, StartError};
pub use option::{MAX_OPTIONS, OptionDeclaration, is_always_accepted};
pub use output::{EngineLine, EngineReport};
