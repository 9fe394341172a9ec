//! The rules against slow ones, whole searches, and sessions over pipes in memory and with the program.

#[path = "../engine/mod.rs"]
mod engine;

mod conversation;
#[path = "../../../tests/common/example.rs"]
mod example;
mod gui;
mod program;
mod random_session;
mod slow_rules;
mod solving;
