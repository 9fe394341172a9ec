//! Stops long work when the user interrupts it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kawasemi::sys::{self, stop_or_exit};

/// The stop flag, which is set when the user interrupts.
pub fn on_interrupt() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let shared = stop.clone();
    sys::on_interrupt(move || stop_or_exit(&shared))?;
    Ok(stop)
}
