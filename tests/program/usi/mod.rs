//! The real program, driven through pipes as a GUI drives it, with time limits on everything.

mod analysis;
mod conformity;
mod ends;
pub mod engine;
mod game;
mod games;
mod info;
mod limits;
mod mate;
mod measure;
mod odd_positions;
mod protocol;
mod resources;
mod strength;
mod waiting;
