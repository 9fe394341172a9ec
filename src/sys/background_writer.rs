//! Writing on its own thread, so that the caller never waits for a slow disk, pipe or terminal.

use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, bounded, unbounded};

use super::{Instant, refused_thread};

/// When a chunk was written; empty until then.
pub type WriteStamp = Arc<OnceLock<Instant>>;

#[derive(Debug)]
struct Chunk {
    bytes: Vec<u8>,
    stamp: Option<WriteStamp>,
}

/// A thread that writes queued chunks in order.
#[derive(Debug)]
pub struct BackgroundWriter {
    chunks: Sender<Chunk>,
    /// The number of bytes that are not written yet.
    waiting: Arc<AtomicUsize>,
    /// Receives a message after a chunk has been written.
    progress: Receiver<()>,
    /// Disconnects when the thread has stopped writing.
    ended: Receiver<()>,
}

impl BackgroundWriter {
    /// Starts the thread. It also opens the target, because even that may block. The first error
    /// ends the writing, and is then passed to `failed`.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn spawn<W: Write>(
        name: &str,
        open: impl FnOnce() -> io::Result<W> + Send + 'static,
        failed: impl FnOnce(io::Error) + Send + 'static,
    ) -> io::Result<BackgroundWriter> {
        let (chunks, incoming) = unbounded();
        let (alive, ended) = bounded(0);
        let (written, progress) = bounded(1);
        let waiting = Arc::new(AtomicUsize::new(0));
        let left = waiting.clone();
        let work = move || {
            let wrote = |bytes| {
                left.fetch_sub(bytes, Ordering::Relaxed);
                // One message stands for any number of chunks.
                let _ = written.try_send(());
            };
            let written = open().and_then(|target| write_all(target, &incoming, wrote));
            // `has_ended` must be true before the error is reported.
            drop(incoming);
            drop::<Sender<()>>(alive);
            if let Err(error) = written {
                failed(error);
            }
        };
        thread::Builder::new().name(name.into()).spawn(work).map_err(refused_thread)?;
        Ok(BackgroundWriter { chunks, waiting, progress, ended })
    }

    /// Queues a chunk. False if the thread has stopped writing.
    pub fn write(&self, bytes: Vec<u8>) -> bool {
        self.queue(Chunk { bytes, stamp: None })
    }

    /// Queues a chunk. The stamp is set to the time at which the thread writes it.
    pub fn write_stamped(&self, bytes: Vec<u8>, stamp: WriteStamp) -> bool {
        self.queue(Chunk { bytes, stamp: Some(stamp) })
    }

    fn queue(&self, chunk: Chunk) -> bool {
        self.waiting.fetch_add(chunk.bytes.len(), Ordering::Relaxed);
        self.chunks.send(chunk).is_ok()
    }

    /// The number of bytes that are not written yet.
    pub fn backlog(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Receives a message when the backlog has decreased.
    pub fn progress(&self) -> &Receiver<()> {
        &self.progress
    }

    /// Disconnects when the thread has stopped writing.
    pub fn ended(&self) -> &Receiver<()> {
        &self.ended
    }

    /// Whether the thread has stopped writing.
    pub fn has_ended(&self) -> bool {
        self.ended.try_recv() == Err(TryRecvError::Disconnected)
    }

    /// Waits until everything is written, but no longer than `timeout`. Whether the thread has stopped writing.
    pub fn close(self, timeout: Duration) -> bool {
        drop(self.chunks);
        self.ended.recv_timeout(timeout) == Err(RecvTimeoutError::Disconnected)
    }
}

/// Writes all chunks, and flushes whenever none is queued. `wrote` receives the size of each chunk.
fn write_all(
    mut target: impl Write,
    incoming: &Receiver<Chunk>,
    wrote: impl Fn(usize),
) -> io::Result<()> {
    for Chunk { bytes, stamp } in incoming {
        if let Some(stamp) = stamp {
            // Before the write: the answer to it may come before this thread runs again.
            let _ = stamp.set(Instant::now());
        }
        target.write_all(&bytes)?;
        wrote(bytes.len());
        if incoming.is_empty() {
            target.flush()?;
        }
    }
    target.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pipe to the test, which can close it.
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
    fn pieces_are_written_in_order() {
        let (writer, written) = writer();
        assert!(writer.write(b"one".to_vec()));
        assert!(writer.write(b"two".to_vec()));
        assert_eq!(written.recv().unwrap(), b"one");
        assert_eq!(written.recv().unwrap(), b"two");
        writer.close(Duration::from_secs(10));
        assert!(written.recv().is_err());
    }

    #[test]
    fn the_stamp_is_set_before_a_piece_can_be_read() {
        let (writer, written) = writer();
        let (before, stamp) = (Instant::now(), WriteStamp::default());
        assert!(writer.write_stamped(b"one".to_vec(), stamp.clone()));
        assert_eq!(written.recv().unwrap(), b"one");
        assert!(stamp.get().is_some_and(|&at| at >= before));
    }

    #[test]
    fn writing_does_not_wait_for_the_reader() {
        let (writer, _unread) = writer();
        // Without a reader, a write that waited would never return.
        for _ in 0..1000 {
            assert!(writer.write(vec![b'x'; 1000]));
        }
        assert_eq!(writer.backlog(), 1_000_000);
        writer.close(Duration::from_millis(10));
    }

    #[test]
    fn written_bytes_leave_the_backlog() {
        let (writer, written) = writer();
        assert!(writer.write(b"one".to_vec()) && writer.write(b"three".to_vec()));
        assert_eq!(writer.backlog(), 8);
        written.recv().unwrap();
        writer.progress().recv_timeout(Duration::from_secs(10)).unwrap();
        assert_eq!(writer.backlog(), 5);
    }

    #[test]
    fn a_closed_target_is_noticed() {
        let (writer, written) = writer();
        drop(written);
        writer.write(b"one".to_vec());
        let ended = writer.ended().recv_timeout(Duration::from_secs(10));
        assert_eq!(ended, Err(RecvTimeoutError::Disconnected));
        assert!(!writer.write(b"two".to_vec()));
    }

    #[test]
    fn a_target_that_cannot_be_opened_is_reported() {
        let (sender, error) = bounded(1);
        let open = || Err::<Pipe, _>(io::Error::other("no"));
        let writer =
            BackgroundWriter::spawn("test", open, move |error| sender.send(error).unwrap())
                .unwrap();
        assert_eq!(error.recv().unwrap().to_string(), "no");
        writer.close(Duration::from_secs(10));
    }
}
