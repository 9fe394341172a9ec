//! The rules against slow ones, the notation, the search, and sessions over pipes and with the program.

#[path = "../engine/mod.rs"]
mod engine;

#[path = "../../../tests/common/channel_io.rs"]
mod channel_io;
mod deadlines;
#[path = "../../../tests/common/example.rs"]
mod example;
mod fuzz;
mod pipes;
mod program;
mod rules;
mod scores;
mod searches;
mod sessions;
mod slow_rules;
mod texts;
