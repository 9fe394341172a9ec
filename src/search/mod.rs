//! The search: what is asked of it and what it tells, and how positions are judged.

mod evaluate;

pub use evaluate::Evaluator;
