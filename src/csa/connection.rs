//! The connection to a server: lines in, lines out.

use std::fmt;
use std::io::{self, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, bounded};
use socket2::{SockRef, TcpKeepalive};

use crate::usi_client::each_line;

/// For each address of the server.
const CONNECT_PATIENCE: Duration = Duration::from_secs(10);
/// A server that takes nothing for so long is gone.
const SEND_PATIENCE: Duration = Duration::from_secs(5);
/// When the system begins to ask a silent peer whether it lives, and how often.
const PROBE_AFTER: Duration = Duration::from_secs(60);
const PROBE_EVERY: Duration = Duration::from_secs(15);
/// What nobody acknowledges for so long breaks the connection. While something is on its way, such as a
/// line that breaks a silence, no probes are sent: Linux would repeat it for a quarter of an hour. After
/// so long it gives up probes too, as others do after as many as they send.
#[cfg(any(target_os = "android", target_os = "linux"))]
const REPEAT_FOR: Duration = Duration::from_secs(180);
/// Lines read ahead. Beyond that the server waits.
const READ_AHEAD: usize = 1024;

/// An open connection. Dropped, it is closed.
pub(super) struct Connection {
    stream: TcpStream,
    /// The lines of the server, each with the moment of its arrival. What breaks the connection
    /// comes last; the channel disconnects when there is no more, as it does if the server ends it.
    pub(super) lines: Receiver<io::Result<(String, Instant)>>,
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
            // Who closed the connection reads no more of it.
            let tell = |heard| drop(sender.send(heard));
            if let Err(error) = each_line(input, |line| tell(Ok((line.to_owned(), Instant::now()))))
            {
                tell(Err(error));
            }
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
                limit_repeats(&stream);
                return Ok(stream);
            }
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

#[cfg(any(target_os = "android", target_os = "linux"))]
fn limit_repeats(stream: &TcpStream) {
    // A system that only looks like Linux may refuse; then the end of a connection shows later.
    let _ = SockRef::from(stream).set_tcp_user_timeout(Some(REPEAT_FOR));
}

/// Windows gives up after some 20 s by itself; others have no such limit that can be set here.
#[cfg(not(any(target_os = "android", target_os = "linux")))]
fn limit_repeats(_: &TcpStream) {}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// A connection and the server's end of it.
    fn pair() -> (Connection, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let connecting = Connection::open("127.0.0.1", port).unwrap();
        let (server, _) = listener.accept().unwrap();
        let connection = connecting.recv_timeout(CONNECT_PATIENCE).unwrap().unwrap();
        (connection, server)
    }

    /// Where no empty line is echoed, a server that was gone without a word was missed after a quarter
    /// of an hour.
    #[cfg(any(target_os = "android", target_os = "linux"))]
    #[test]
    fn what_nobody_acknowledges_breaks_the_connection_after_minutes() {
        let (connection, _server) = pair();
        let limit = SockRef::from(&connection.stream).tcp_user_timeout().unwrap();
        assert_eq!(limit, Some(REPEAT_FOR));
    }

    #[test]
    fn a_connection_that_is_reset_says_so() {
        let (connection, server) = pair();
        // Closed with this, a socket takes leave of nobody.
        SockRef::from(&server).set_linger(Some(Duration::ZERO)).unwrap();
        drop(server);
        let last = connection.lines.recv_timeout(SEND_PATIENCE).unwrap();
        assert_eq!(last.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
        assert!(connection.lines.recv_timeout(SEND_PATIENCE).is_err());
    }

    #[test]
    fn a_connection_that_the_server_ends_ends_without_an_error() {
        let (connection, mut server) = pair();
        server.write_all(b"LOGOUT:completed\n").unwrap();
        drop(server);
        let (line, _) = connection.lines.recv_timeout(SEND_PATIENCE).unwrap().unwrap();
        assert_eq!(line, "LOGOUT:completed");
        assert!(connection.lines.recv_timeout(SEND_PATIENCE).is_err());
    }
}
