//! An output that holds nobody up. A terminal takes nothing for as long as its user likes (a console of
//! Windows while text is marked in it, others after Ctrl-S), and the clock of the game runs on.

use std::convert::Infallible;
use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{Receiver, Sender, bounded};

/// Texts that wait to be taken. What comes when there are so many is not shown.
const WAITING: usize = 1024;
/// How long the output may take for what waits at the end.
const FAREWELL: Duration = Duration::from_secs(2);

/// See the module's comment. What is written goes out as one text when it is flushed.
#[derive(Debug)]
pub struct Aside {
    text: Vec<u8>,
    /// Taken when this is dropped, which ends the thread.
    texts: Option<Sender<Vec<u8>>>,
    /// Disconnects when the thread has ended.
    end: Receiver<Infallible>,
}

impl Aside {
    /// Writes on a thread of its own.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn open(mut out: impl Write + Send + 'static) -> io::Result<Aside> {
        let (sender, texts) = bounded::<Vec<u8>>(WAITING);
        let (life, end) = bounded(0);
        thread::Builder::new().name("csa-view".into()).spawn(move || {
            let _life: Sender<Infallible> = life;
            for text in texts {
                // An output that is gone must not cost the game.
                let _ = out.write_all(&text).and_then(|()| out.flush());
            }
        })?;
        Ok(Aside { text: Vec::new(), texts: Some(sender), end })
    }
}

impl Write for Aside {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.text);
        if let Some(texts) = &self.texts {
            // A picture or a line that is lost is worth less than a game.
            let _ = texts.try_send(text);
        }
        Ok(())
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        self.texts = None;
        // Nothing is ever sent: it is the end, or it takes too long.
        let _ = self.end.recv_timeout(FAREWELL);
    }
}

#[cfg(test)]
mod tests {
    use crossbeam::channel::unbounded;

    use super::*;
    use crate::csa::view::{PlainView, View};

    /// A terminal that takes nothing as long as the other end of the first channel is held.
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

    /// It held up the client itself, and with it the next move.
    #[test]
    fn a_terminal_that_takes_nothing_holds_nobody_up() {
        let (hold, held) = bounded(0);
        let (sender, shown) = unbounded();
        let mut view = PlainView::new(Aside::open(Terminal(held, sender)).unwrap());
        let last = 2 * WAITING;
        (0..=last).for_each(|number| view.say(&format!("message {number}")));
        drop(hold);
        drop(view);
        let text = String::from_utf8(shown.iter().flatten().collect()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!((WAITING..=WAITING + 1).contains(&lines.len()), "{}", lines.len());
        assert!(lines[0].ends_with(" message 0") && lines[1].ends_with(" message 1"));
        assert!(!text.contains(&format!("message {last}")));
    }

    #[test]
    fn what_is_said_last_is_shown_before_the_end() {
        let (_, held) = bounded(0);
        let (sender, shown) = unbounded();
        let mut view = PlainView::new(Aside::open(Terminal(held, sender)).unwrap());
        view.warn("goodbye");
        drop(view);
        let text = String::from_utf8(shown.try_iter().flatten().collect()).unwrap();
        assert!(text.ends_with(" ! goodbye\n"), "{text}");
    }
}
