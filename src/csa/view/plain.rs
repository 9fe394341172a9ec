//! Lines with the time of day, for logs and for whoever does not sit at a terminal.

use std::io::Write;
use std::time::Duration;

use chrono::Local;

use super::{Glance, View, harmless};

/// See the module's comment.
#[derive(Debug)]
pub struct PlainView<W>(W);

impl<W: Write + std::fmt::Debug> PlainView<W> {
    pub fn new(out: W) -> PlainView<W> {
        PlainView(out)
    }

    fn line(&mut self, mark: &str, text: &str) {
        let now = Local::now().format("%m-%d %H:%M:%S");
        // A log that cannot be written must not cost the game.
        let _ = writeln!(self.0, "{now} {mark}{}", harmless(text)).and_then(|()| self.0.flush());
    }
}

impl<W: Write + std::fmt::Debug> View for PlainView<W> {
    fn say(&mut self, text: &str) {
        self.line("", text);
    }

    fn warn(&mut self, text: &str) {
        self.line("! ", text);
    }

    fn show(&mut self, _glance: &Glance<'_>) {}

    fn pace(&self) -> Option<Duration> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_is_one_line_without_anything_that_moves_the_cursor() {
        let mut out = Vec::new();
        let mut view = PlainView::new(&mut out);
        view.say("hello\u{1b}[2J\nworld");
        view.warn("語");
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() == 2 && lines[0].ends_with(" hello?[2J?world"), "{text}");
        assert!(lines[1].ends_with(" ! 語"), "{text}");
    }
}
