//! The library through its public interface. The rules and the networks are compared with the slow
//! ones in `reference`.

#[path = "../common/channel_io.rs"]
mod channel_io;
#[path = "../common/folder.rs"]
mod folder;
mod reference;

mod errors;
mod mate;
mod nnue;
mod perft;
mod records;
mod rules_differential;
mod session;
mod sfen;
mod slow_rules;
mod tsume;
