//! Offline tools for developers: matches ([`gauntlet`]), tuning ([`spsa`]), training data ([`selfplay`], [`teacher`],
//! [`dataset`]; its format is the [`game_file`]) and training ([`train`]). Their command lines are in `src/bin`.
//! Playing needs none of them.

pub mod dataset;
pub mod files;
pub mod fingerprint;
pub mod game_file;
pub mod gauntlet;
pub mod numbers;
pub mod opening;
pub mod part;
pub mod referee;
pub mod selfplay;
pub mod spsa;
pub mod teacher;
pub mod terminal;
pub mod train;
