//! The search: requests come in ([`request::Request`]), events go out ([`request::Event`]).
//!
//! Top down: [`ThreadPool`], [`SingleThreadSearcher`] and [`SlicedSearcher`] (for browsers) start searches. The threads
//! of one search share its `search_context`; each has a `worker`, and the main worker also the `search_manager`, with
//! the `time_manager` and the `reporter`. A worker runs `iterative_deepening`, which calls the recursive search: `node`
//! (its steps in order; start reading there), `pruning`, `move_loop` with `movepick`, and `qsearch`. What it learns is
//! in `history`, `correction_history` and the transposition table. At the end `best_thread` selects a worker, and
//! `answer` makes the answer from its lines; below full strength `level_move` chooses the move.

mod answer;
#[cfg(not(target_family = "wasm"))]
mod answer_thread;
#[cfg(not(target_family = "wasm"))]
pub mod bench;
mod best_thread;
mod correction_history;
mod game_end;
mod handicap;
mod history;
mod history_table;
mod human_error;
mod iterative_deepening;
mod level_move;
mod move_loop;
mod movepick;
mod node;
pub mod params;
#[cfg(not(target_family = "wasm"))]
mod pool_thread;
mod previous_scores;
mod pruning;
mod pv;
mod pv_lines;
mod qsearch;
mod quiet_scoring;
mod reporter;
pub mod request;
mod resignation;
mod root_mate;
mod root_move;
mod search_context;
mod search_manager;
mod shared_history;
mod shared_search;
mod shared_state;
#[cfg(not(target_family = "wasm"))]
mod single_thread;
mod sliced_search;
mod softmax;
mod stack;
mod static_choice;
mod strength;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
#[cfg(not(target_family = "wasm"))]
mod thread_pool;
mod time_budget;
mod time_manager;
mod update_histories;
mod worker;

pub use best_thread::VOTE_OFFSET;
#[cfg(not(target_family = "wasm"))]
pub use pool_thread::STACK_BYTES;
#[cfg(not(target_family = "wasm"))]
pub use single_thread::{RankedMove, SearchResult, SingleThreadSearcher};
pub use sliced_search::{SearchJob, SlicedSearcher};
#[cfg(not(target_family = "wasm"))]
pub use thread_pool::ThreadPool;
