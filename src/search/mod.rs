//! The search: requests come in ([`request::Request`]), events go out ([`request::Event`]).
//!
//! It makes no text for a protocol. What the threads of a search share is in `shared`; everything else
//! belongs to a `worker`.

mod answer;
pub mod bench;
mod best_thread;
mod correction_history;
mod game_end;
mod history;
mod history_table;
mod iterative_deepening;
mod move_loop;
mod movepick;
mod node;
pub mod params;
mod pruning;
mod pv;
mod pv_lines;
mod qsearch;
mod quiet_scoring;
pub mod request;
mod root_mate;
mod root_move;
mod search_manager;
mod shared;
mod shared_history;
mod single_thread;
mod stack;
mod strength;
#[cfg(test)]
mod tests;
mod thread_pool;
mod time_budget;
mod update_histories;
mod worker;

pub use single_thread::{RankedMove, SearchResult, SingleThreadSearcher};
pub use thread_pool::{STACK_BYTES, ThreadPool};
