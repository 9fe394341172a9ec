//! Input lines with the time of their arrival, read on their own thread.
//!
//! Line ends may be LF, CR or CR LF in any mixture; a byte order mark before the first line is dropped.

use std::io::{self, ErrorKind, Read};
use std::thread;

use crossbeam::channel::{Receiver, SendError, Sender, bounded};

use crate::sys::{Instant, refused_thread};

/// Maximum length of a line. The longest games take tens of kilobytes.
pub const MAX_LINE_BYTES: usize = 16 << 20;

/// Number of lines read ahead of the session. Beyond that the GUI waits, as for a full pipe. Few, because each line
/// may be as long as the maximum.
const READ_AHEAD: usize = 16;

/// One line without its line end. Never empty.
#[derive(Debug, PartialEq, Eq)]
pub struct InputLine {
    pub bytes: Vec<u8>,
    /// Whether the line was longer than the maximum; the rest is dropped.
    pub truncated: bool,
    pub received: Instant,
}

/// The message about a truncated line, which is not executed.
pub fn line_too_long() -> String {
    format!("a line of more than {} MiB was ignored", MAX_LINE_BYTES >> 20)
}

/// Reads lines on a new thread until the input ends or the receiver is dropped. The channel then
/// disconnects.
pub fn spawn(input: impl Read + Send + 'static) -> io::Result<Receiver<InputLine>> {
    let (sender, receiver) = bounded(READ_AHEAD);
    let read = move || read_all(input, &sender);
    thread::Builder::new().name("gui-reader".into()).spawn(read).map_err(refused_thread)?;
    Ok(receiver)
}

/// A read error counts as the end of the input.
fn read_all(mut input: impl Read, lines: &Sender<InputLine>) {
    let mut buffer = vec![0; 64 << 10];
    let mut splitter = LineSplitter::default();
    loop {
        let count = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let Some(bytes) = buffer.get(..count) else { break };
        if splitter.feed(bytes, lines).is_err() {
            return;
        }
    }
    // The last line may lack its line end.
    let _ = splitter.end_line(lines);
}

/// The line being collected.
#[derive(Debug, Default)]
struct LineSplitter {
    line: Vec<u8>,
    truncated: bool,
    /// Whether the first line, which may begin with a byte order mark, has been read.
    past_first_line: bool,
}

impl LineSplitter {
    fn feed(
        &mut self,
        mut bytes: &[u8],
        lines: &Sender<InputLine>,
    ) -> Result<(), SendError<InputLine>> {
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (head, tail) = bytes.split_at(end);
            self.extend(head);
            self.end_line(lines)?;
            bytes = tail.get(1..).unwrap_or_default();
        }
        self.extend(bytes);
        Ok(())
    }

    fn extend(&mut self, bytes: &[u8]) {
        let room = MAX_LINE_BYTES - self.line.len();
        let kept = bytes.get(..room).unwrap_or(bytes);
        self.line.extend_from_slice(kept);
        self.truncated |= kept.len() < bytes.len();
    }

    fn end_line(&mut self, lines: &Sender<InputLine>) -> Result<(), SendError<InputLine>> {
        let mut bytes = std::mem::take(&mut self.line);
        let truncated = std::mem::take(&mut self.truncated);
        if !std::mem::replace(&mut self.past_first_line, true)
            && let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf")
        {
            bytes = rest.to_vec();
        }
        if bytes.is_empty() {
            return Ok(());
        }
        lines.send(InputLine { bytes, truncated, received: Instant::now() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the input in chunks of this size.
    struct Chunks<'a>(&'a [u8], usize);

    impl Read for Chunks<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            let (head, tail) = self.0.split_at(count);
            buffer[..count].copy_from_slice(head);
            self.0 = tail;
            Ok(count)
        }
    }

    fn lines_of(input: &[u8], chunk: usize) -> Vec<Vec<u8>> {
        let (sender, receiver) = crossbeam::channel::unbounded();
        read_all(Chunks(input, chunk), &sender);
        drop(sender);
        receiver.iter().map(|line| line.bytes).collect()
    }

    #[test]
    fn every_mixture_of_line_ends_gives_the_same_lines() {
        for chunk in [1, 2, 3, 100] {
            for end in ["\n", "\r", "\r\n", "\n\r", "\r\r\n\n"] {
                let text = ["usi", "isready", "quit"].join(end);
                let lines = lines_of(text.as_bytes(), chunk);
                assert_eq!(lines, [&b"usi"[..], b"isready", b"quit"], "{end:?} {chunk}");
            }
        }
    }

    #[test]
    fn a_byte_order_mark_is_dropped_before_the_first_line_only() {
        assert_eq!(lines_of(b"\xef\xbb\xbfusi\n", 1), [b"usi"]);
        assert_eq!(lines_of(b"\xef\xbb\xbf\nusi\n", 7), [b"usi"]);
        assert_eq!(lines_of(b"usi\n\xef\xbb\xbfd\n", 7), [&b"usi"[..], b"\xef\xbb\xbfd"]);
    }

    #[test]
    fn a_last_line_without_a_line_end_is_read() {
        assert_eq!(lines_of(b"usi\nquit", 64), [&b"usi"[..], b"quit"]);
    }

    #[test]
    fn a_line_of_megabytes_is_read_completely() {
        let long = vec![b'x'; 5 << 20];
        assert_eq!(lines_of(&long, 4096), [long.as_slice()]);
    }

    #[test]
    fn an_endless_line_has_bounded_memory() {
        let (sender, receiver) = crossbeam::channel::unbounded();
        let endless = io::repeat(b'x').take(MAX_LINE_BYTES as u64 + 99);
        read_all(endless.chain(&b"\nusi\n"[..]), &sender);
        drop(sender);
        let lines: Vec<(usize, bool)> =
            receiver.iter().map(|line| (line.bytes.len(), line.truncated)).collect();
        assert_eq!(lines, [(MAX_LINE_BYTES, true), (3, false)]);
    }

    #[test]
    fn the_reader_stops_when_the_receiver_is_gone() {
        struct Endless;
        impl Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let line = b"usi\n";
                buffer[..line.len()].copy_from_slice(line);
                Ok(line.len())
            }
        }
        let (sender, receiver) = bounded(1);
        let reader = thread::spawn(move || read_all(Endless, &sender));
        drop(receiver);
        assert!(reader.join().is_ok());
    }
}
