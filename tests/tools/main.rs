//! The tools for developers as users call them.

#[path = "../common/folder.rs"]
mod folder;
#[path = "../common/program.rs"]
mod program;
#[cfg(unix)]
#[path = "../common/signal.rs"]
mod signal;
#[path = "../common/small_network.rs"]
mod small_network;

#[cfg(target_os = "linux")]
mod archives;
mod gauntlet;
mod join;
#[cfg(unix)]
mod pgo;
mod selfplay;
mod selfplay_command;
mod spsa;
#[cfg(unix)]
mod stand_ins;
mod train;
