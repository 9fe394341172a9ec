//! A thread that writes, so that a GUI that stops reading, a full disk or a hanging network share
//! blocks nobody.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{Receiver, Sender, TryRecvError, bounded, unbounded};

#[derive(Debug)]
pub(crate) struct BackgroundWriter {
    chunks: Sender<Vec<u8>>,
    /// Disconnects when the writer has ended.
    ended: Receiver<()>,
}

impl BackgroundWriter {
    /// Opens the target on the new thread, since even that may hang. An error in opening or writing
    /// ends the writer, and then calls `failed`.
    pub(crate) fn spawn<W: Write>(
        name: &str,
        open: impl FnOnce() -> io::Result<W> + Send + 'static,
        failed: impl FnOnce(io::Error) + Send + 'static,
    ) -> io::Result<BackgroundWriter> {
        let (chunks, incoming) = unbounded();
        let (alive, ended) = bounded(0);
        thread::Builder::new().name(name.into()).spawn(move || {
            let written = open().and_then(|target| write_all(target, &incoming));
            // When `failed` is called, `has_ended` must already be true.
            drop(incoming);
            drop::<Sender<()>>(alive);
            if let Err(error) = written {
                failed(error);
            }
        })?;
        Ok(BackgroundWriter { chunks, ended })
    }

    /// Queues a chunk. False if the writer has ended.
    pub(crate) fn write(&self, chunk: Vec<u8>) -> bool {
        self.chunks.send(chunk).is_ok()
    }

    /// Number of queued chunks.
    pub(crate) fn backlog(&self) -> usize {
        self.chunks.len()
    }

    /// Disconnects when the writer has ended.
    pub(crate) fn ended(&self) -> &Receiver<()> {
        &self.ended
    }

    /// Whether the writer has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended.try_recv() == Err(TryRecvError::Disconnected)
    }

    /// Waits for at most `patience` until everything is written.
    pub(crate) fn close(self, patience: Duration) {
        drop(self.chunks);
        let _ = self.ended.recv_timeout(patience);
    }
}

/// Flushes whenever the queue is empty.
fn write_all(mut target: impl Write, incoming: &Receiver<Vec<u8>>) -> io::Result<()> {
    for chunk in incoming {
        target.write_all(&chunk)?;
        if incoming.is_empty() {
            target.flush()?;
        }
    }
    target.flush()
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// A pipe to the test; closed with the test's end.
    struct Pipe(Sender<Vec<u8>>);

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_vec()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn writer() -> (BackgroundWriter, Receiver<Vec<u8>>) {
        let (sender, written) = bounded(0);
        (BackgroundWriter::spawn("test", || Ok(Pipe(sender)), |_| ()).unwrap(), written)
    }

    #[test]
    fn what_is_handed_over_is_written_in_order() {
        let (writer, written) = writer();
        assert!(writer.write(b"one".to_vec()));
        assert!(writer.write(b"two".to_vec()));
        assert_eq!(written.recv().unwrap(), b"one");
        assert_eq!(written.recv().unwrap(), b"two");
        writer.close(Duration::from_secs(10));
        assert!(written.recv().is_err());
    }

    #[test]
    fn nobody_waits_for_a_reader_that_does_not_read() {
        let (writer, _unread) = writer();
        let start = Instant::now();
        for _ in 0..1000 {
            assert!(writer.write(vec![b'x'; 1000]));
        }
        assert!(writer.backlog() > 900);
        writer.close(Duration::from_millis(10));
        assert!(start.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn the_end_of_the_reader_is_noticed() {
        let (writer, written) = writer();
        drop(written);
        writer.write(b"one".to_vec());
        assert!(writer.ended().recv_timeout(Duration::from_secs(10)).is_err());
        assert!(!writer.write(b"two".to_vec()));
    }

    #[test]
    fn a_target_that_cannot_be_opened_is_told() {
        let (sender, told) = bounded(1);
        let open = || Err::<Pipe, _>(io::Error::other("no"));
        let writer =
            BackgroundWriter::spawn("test", open, move |error| sender.send(error).unwrap())
                .unwrap();
        assert_eq!(told.recv().unwrap().to_string(), "no");
        writer.close(Duration::from_secs(10));
    }
}
