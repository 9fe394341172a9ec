//! Plain lines with the time of day.

use std::io::Write;
use std::time::Duration;

use chrono::Local;

use super::state::{View, ViewState};
use crate::types::language::Language;
use crate::types::printable;

/// Writes a line for every message.
#[derive(Debug)]
pub struct PlainView<W> {
    out: W,
    language: Language,
}

impl<W: Write + std::fmt::Debug> PlainView<W> {
    pub fn new(out: W, language: Language) -> PlainView<W> {
        PlainView { out, language }
    }

    fn line(&mut self, mark: &str, text: &str) {
        let now = Local::now().format("%m-%d %H:%M:%S");
        // A failing output must not end the game.
        let _ =
            writeln!(self.out, "{now} {mark}{}", printable(text)).and_then(|()| self.out.flush());
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

    fn language(&self) -> Language {
        self.language
    }

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
        let mut view = PlainView::new(&mut out, Language::English);
        view.info("hello\u{1b}[2J\nworld");
        view.warn("語");
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() == 2 && lines[0].ends_with(" hello?[2J world"), "{text}");
        assert!(lines[1].ends_with(" ! 語"), "{text}");
    }
}
