//! The search. What it is asked and what it tells are plain values, in [`request`].

pub mod request;
