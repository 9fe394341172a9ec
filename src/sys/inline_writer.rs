//! The writer without threads: writes at once.

use std::io::{self, Write};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use std::{fmt, mem};

use crossbeam::channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;

use super::Instant;

/// When a chunk was written; empty until then.
pub type WriteStamp = Arc<OnceLock<Instant>>;

/// Writes chunks in order.
pub struct BackgroundWriter {
    target: Mutex<Option<Box<dyn Write + Send>>>,
    ended: (Mutex<Option<Sender<()>>>, Receiver<()>),
}

impl BackgroundWriter {
    /// Opens the target. If that fails, nothing is written, and the error is passed to `failed`. An error of writing
    /// only ends the writing.
    ///
    /// # Errors
    /// Never.
    pub fn spawn<W: Write + Send + 'static>(
        _name: &str,
        open: impl FnOnce() -> io::Result<W> + Send + 'static,
        failed: impl FnOnce(io::Error) + Send + 'static,
    ) -> io::Result<BackgroundWriter> {
        let (alive, ended) = bounded(0);
        let target = match open() {
            Ok(target) => Some(Box::new(target) as Box<dyn Write + Send>),
            Err(error) => {
                failed(error);
                None
            }
        };
        let alive = Mutex::new(Some(alive).filter(|_| target.is_some()));
        Ok(BackgroundWriter { target: Mutex::new(target), ended: (alive, ended) })
    }

    /// Writes a chunk. False if nothing is written any more.
    pub fn write(&self, bytes: Vec<u8>) -> bool {
        let mut target = self.target.lock();
        let written = target.as_mut().is_some_and(|target| target.write_all(&bytes).is_ok());
        if !written {
            *target = None;
            self.ended.0.lock().take();
        }
        written
    }

    /// Writes a chunk, and sets the stamp to the time.
    pub fn write_stamped(&self, bytes: Vec<u8>, stamp: WriteStamp) -> bool {
        let _ = stamp.set(Instant::now());
        self.write(bytes)
    }

    /// Always zero.
    pub fn backlog(&self) -> usize {
        0
    }

    /// Disconnects when nothing is written any more.
    pub fn progress(&self) -> &Receiver<()> {
        &self.ended.1
    }

    /// Disconnects when nothing is written any more.
    pub fn ended(&self) -> &Receiver<()> {
        &self.ended.1
    }

    /// Whether nothing is written any more.
    pub fn has_ended(&self) -> bool {
        self.target.lock().is_none()
    }

    /// Ends the writing. Always true.
    pub fn close(self, _timeout: Duration) -> bool {
        mem::drop(self);
        true
    }
}

impl fmt::Debug for BackgroundWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BackgroundWriter")
    }
}
