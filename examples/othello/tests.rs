//! The program as a GUI sees it, over pipes in memory and in a process of its own; and whole searches.

mod conversation;
mod gui;
mod random_session;
mod solving;
