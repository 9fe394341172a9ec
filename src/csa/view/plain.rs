//! Plain lines with the time of day.

use std::io::Write;
use std::time::Duration;

use chrono::Local;

use super::state::{View, ViewState};
use crate::sys::printable;

/// Writes a line for every message.
#[derive(Debug)]
pub struct PlainView<W>(W);

impl<W: Write + std::fmt::Debug> PlainView<W> {
    pub fn new(out: W) -> PlainView<W> {
        PlainView(out)
    }

    fn line(&mut self, mark: &str, text: &str) {
        let now = Local::now().format("%m-%d %H:%M:%S");
        // A failing output must not end the game.
        let _ = writeln!(self.0, "{now} {mark}{}", printable(text)).and_then(|()| self.0.flush());
    }
}

impl<W: Write + std::fmt::Debug> View for PlainView<W> {
    fn info(&mut self, text: &str) {
        self.line("", text);
    }

    fn warn(&mut self, text: &str) {
        self.line("! ", text);
    }

    fn show(&mut self, _state: &ViewState<'_>) {}

    fn refresh_interval(&self) -> Option<Duration> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_message_is_one_line_without_control_characters() {
        let mut out = Vec::new();
        let mut view = PlainView::new(&mut out);
        view.info("hello\u{1b}[2J\nworld");
        view.warn("語");
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() == 2 && lines[0].ends_with(" hello?[2J world"), "{text}");
        assert!(lines[1].ends_with(" ! 語"), "{text}");
    }
}
