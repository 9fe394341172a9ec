//! The game of Puyo Puyo, a search for chains, and the Universal Puyo Interface.

pub mod chain;
pub mod command;
pub mod deadline;
pub mod evaluation;
pub mod field;
pub mod garbage;
pub mod measure;
pub mod pfen;
pub mod placement;
pub mod planner;
pub mod position;
pub mod rule;
pub mod search;
pub mod session;
pub mod tumo;
