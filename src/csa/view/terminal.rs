//! A terminal output that never blocks. A terminal may accept no text for a long time (a Windows console
//! while text is selected, others after Ctrl-S), and the game clock keeps running.

use std::io::{self, Write};
use std::time::Duration;

use crate::sys::BackgroundWriter;

/// Maximum number of queued bytes. Further texts are dropped.
const MAX_QUEUED: usize = 256 << 10;
/// Maximum time to write the rest at the end.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Buffers writes, and sends them as one text when flushed.
#[derive(Debug)]
pub struct TerminalOutput {
    text: Vec<u8>,
    /// `None` while this is being dropped.
    writer: Option<BackgroundWriter>,
}

impl TerminalOutput {
    /// Starts the thread that writes to `out`.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn open(out: impl Write + Send + 'static) -> io::Result<TerminalOutput> {
        // A closed terminal must not end the game, so errors are ignored.
        let writer = BackgroundWriter::spawn("csa-view", || Ok(out), |_| ())?;
        Ok(TerminalOutput { text: Vec::new(), writer: Some(writer) })
    }
}

impl Write for TerminalOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.text);
        if let Some(writer) = self.writer.as_ref().filter(|writer| writer.backlog() < MAX_QUEUED) {
            writer.write(text);
        }
        Ok(())
    }
}

impl Drop for TerminalOutput {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            writer.close(CLOSE_TIMEOUT);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use crossbeam::channel::{Receiver, Sender, bounded, unbounded};

    use super::*;
    use crate::csa::view::{PlainView, View};
    use crate::types::language::Language;

    /// A terminal that accepts nothing while the other end of the first channel exists.
    struct Terminal(Receiver<Infallible>, Sender<Vec<u8>>);

    impl Write for Terminal {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            self.1.send(bytes.into()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Regression: such a terminal blocked the client, and so the next move.
    #[test]
    fn a_terminal_that_takes_nothing_does_not_block_the_client() {
        let (hold, held) = bounded(0);
        let (sender, shown) = unbounded();
        let mut view = PlainView::new(
            TerminalOutput::open(Terminal(held, sender)).unwrap(),
            Language::English,
        );
        let last = MAX_QUEUED / 10;
        (0..=last).for_each(|number| view.info(&format!("message {number}")));
        drop(hold);
        drop(view);
        let text = String::from_utf8(shown.iter().flatten().collect()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!((MAX_QUEUED..MAX_QUEUED + 100).contains(&text.len()), "{}", text.len());
        assert!(lines[0].ends_with(" message 0") && lines[1].ends_with(" message 1"));
        assert!(!text.contains(&format!("message {last}")));
    }

    #[test]
    fn the_last_message_is_shown_before_the_end() {
        let (_, held) = bounded(0);
        let (sender, shown) = unbounded();
        let mut view = PlainView::new(
            TerminalOutput::open(Terminal(held, sender)).unwrap(),
            Language::English,
        );
        view.warn("goodbye");
        drop(view);
        let text = String::from_utf8(shown.try_iter().flatten().collect()).unwrap();
        assert!(text.ends_with(" ! goodbye\n"), "{text}");
    }
}
