//! The connection to a server: lines in, lines out.

use std::fmt;
use std::io::{self, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, bounded};
use socket2::{SockRef, TcpKeepalive};

use crate::usi_engine::each_line;

/// For each address of the server.
const CONNECT_PATIENCE: Duration = Duration::from_secs(10);
/// A server that takes nothing for so long is gone.
const SEND_PATIENCE: Duration = Duration::from_secs(5);
/// When the system begins to ask a silent peer whether it lives, and how often.
const PROBE_AFTER: Duration = Duration::from_secs(60);
const PROBE_EVERY: Duration = Duration::from_secs(15);
/// Lines read ahead. Beyond that the server waits.
const READ_AHEAD: usize = 1024;

/// An open connection. Dropped, it is closed.
pub(super) struct Connection {
    stream: TcpStream,
    /// The lines of the server, each with the moment of its arrival; it disconnects at their end.
    pub(super) lines: Receiver<(String, Instant)>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("peer", &self.stream.peer_addr().ok()).finish()
    }
}

impl Connection {
    /// Connects on a thread of its own, so that nobody has to wait for it.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub(super) fn open(host: &str, port: u16) -> io::Result<Receiver<io::Result<Connection>>> {
        let (sender, receiver) = bounded(1);
        let host = host.to_owned();
        thread::Builder::new().name("csa-connect".into()).spawn(move || {
            // Who gave up waiting does not take it, and so it is closed again.
            let _ = sender.send(connect(&host, port).and_then(Connection::over));
        })?;
        Ok(receiver)
    }

    /// Reads on a thread of its own.
    fn over(stream: TcpStream) -> io::Result<Connection> {
        let input = stream.try_clone()?;
        let (sender, lines) = bounded(READ_AHEAD);
        thread::Builder::new().name("csa-reader".into()).spawn(move || {
            each_line(input, |line| {
                // Who closed the connection reads no more of it.
                let _ = sender.send((line.to_owned(), Instant::now()));
            });
        })?;
        Ok(Connection { stream, lines })
    }

    /// Sends a line at once.
    ///
    /// # Errors
    /// A server that is gone.
    pub(super) fn send(&mut self, line: &str) -> io::Result<()> {
        self.stream.write_all(format!("{line}\n").as_bytes())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // An error means that it is closed already.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

fn connect(host: &str, port: u16) -> io::Result<TcpStream> {
    let mut failure = io::Error::new(io::ErrorKind::NotFound, "it has no address");
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT_PATIENCE) {
            Ok(stream) => {
                // Each line is small, and the clock runs.
                stream.set_nodelay(true)?;
                stream.set_write_timeout(Some(SEND_PATIENCE))?;
                let probes = TcpKeepalive::new().with_time(PROBE_AFTER).with_interval(PROBE_EVERY);
                SockRef::from(&stream).set_tcp_keepalive(&probes)?;
                return Ok(stream);
            }
            Err(error) => failure = error,
        }
    }
    Err(failure)
}
