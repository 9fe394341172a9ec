//! An input and an output over channels, for sessions without a process. Each item is one write.

use std::io::{self, Read, Write};

use crossbeam::channel::{Receiver, Sender};

/// Ends when the channel does.
pub struct ChannelReader {
    writes: Receiver<Vec<u8>>,
    /// What is left of the last item.
    rest: Vec<u8>,
}

impl ChannelReader {
    pub fn new(writes: Receiver<Vec<u8>>) -> ChannelReader {
        ChannelReader { writes, rest: Vec::new() }
    }
}

impl Read for ChannelReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.writes.recv().unwrap_or_default();
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

/// A broken pipe when nobody receives any more.
pub struct ChannelWriter(pub Sender<Vec<u8>>);

impl Write for ChannelWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
        self.0.send(bytes.to_vec()).map_err(|_| closed())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
