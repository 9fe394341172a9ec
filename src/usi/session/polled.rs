//! A session without threads, for a browser: the caller passes lines, runs searches, and polls for events.

use super::state::{Session, SessionEvent};
use crate::engine::SearchBackend;
use crate::session::{InputLine, MAX_LINE_BYTES};
use crate::sys::Instant;

impl<B: SearchBackend> Session<B> {
    /// Handles one line, without its line end, and the events that follow.
    pub fn receive(&mut self, line: &[u8]) {
        if line.is_empty() {
            return;
        }
        let bytes = line.get(..MAX_LINE_BYTES).unwrap_or(line).to_vec();
        let truncated = bytes.len() < line.len();
        self.handle(SessionEvent::Line(InputLine { bytes, truncated, received: Instant::now() }));
        self.poll();
    }

    /// Handles all pending events of the search, the loader and the logs.
    pub fn poll(&mut self) {
        while let Some(event) = self.next_event() {
            self.handle(event);
        }
        self.output.flush();
    }

    fn next_event(&self) -> Option<SessionEvent<B>> {
        let event = self.events.try_recv().map(SessionEvent::Search);
        event
            .or_else(|_| {
                let loaded = self.engine.load_results().try_recv();
                loaded.map(|loaded| SessionEvent::Loaded(Box::new(loaded)))
            })
            .or_else(|_| self.log_errors.try_recv().map(SessionEvent::LogError))
            .ok()
    }
}
