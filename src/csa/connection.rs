//! The connection to a server, by lines.

use std::fmt;
use std::io::{self, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, bounded};
use socket2::{SockRef, TcpKeepalive};

use crate::sys::{each_line, refused_thread};
use crate::types::message::message;

/// The timeout for each address of the server.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// A server that accepts no data for this time is gone.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);
/// The silence after which the system sends keep-alive probes, and their interval.
const KEEPALIVE_TIME: Duration = Duration::from_secs(60);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(15);
/// Data without an acknowledgement for this time breaks the connection (`TCP_USER_TIMEOUT`). While data is on its way,
/// such as an empty line, no probes are sent, and Linux would retransmit the data for a quarter of an hour. Probes end
/// after this time too.
#[cfg(any(target_os = "android", target_os = "linux"))]
const USER_TIMEOUT: Duration = Duration::from_secs(180);
/// Number of lines read ahead. Beyond that the reader blocks.
const READ_AHEAD: usize = 1024;

/// An open connection, closed when dropped.
pub(super) struct Connection {
    stream: TcpStream,
    /// The lines of the server, each with the time of its arrival. A read error comes last. The channel
    /// disconnects at the end of the connection.
    pub(super) lines: Receiver<io::Result<(String, Instant)>>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("peer", &self.stream.peer_addr().ok()).finish()
    }
}

impl Connection {
    /// Connects on its own thread, so that the user can interrupt the wait.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub(super) fn open(host: &str, port: u16) -> io::Result<Receiver<io::Result<Connection>>> {
        let (sender, receiver) = bounded(1);
        let host = host.to_owned();
        let open = move || {
            // If the receiver is gone, the connection is dropped, and so closed.
            let _ = sender.send(connect(&host, port).and_then(Connection::new));
        };
        thread::Builder::new().name("csa-connect".into()).spawn(open).map_err(refused_thread)?;
        Ok(receiver)
    }

    /// Starts the reader thread.
    fn new(stream: TcpStream) -> io::Result<Connection> {
        let input = stream.try_clone()?;
        let (sender, lines) = bounded(READ_AHEAD);
        let read = move || {
            // The receiver is gone when this side has closed the connection.
            let send = |line| drop(sender.send(line));
            if let Err(error) = each_line(input, |line| send(Ok((line.to_owned(), Instant::now()))))
            {
                send(Err(error));
            }
        };
        thread::Builder::new().name("csa-reader".into()).spawn(read).map_err(refused_thread)?;
        Ok(Connection { stream, lines })
    }

    /// Sends a line.
    ///
    /// # Errors
    /// If the connection is lost.
    pub(super) fn send(&mut self, line: &str) -> io::Result<()> {
        self.stream.write_all(format!("{line}\n").as_bytes())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // An error means that the connection is already closed.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

fn connect(host: &str, port: u16) -> io::Result<TcpStream> {
    let no_address = message!("the host has no address", "ホストのアドレスがありません");
    let mut failure = io::Error::new(io::ErrorKind::NotFound, no_address);
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
            Ok(stream) => {
                // Lines are small, and must not be delayed.
                stream.set_nodelay(true)?;
                stream.set_write_timeout(Some(SEND_TIMEOUT))?;
                let probes =
                    TcpKeepalive::new().with_time(KEEPALIVE_TIME).with_interval(KEEPALIVE_INTERVAL);
                SockRef::from(&stream).set_tcp_keepalive(&probes)?;
                limit_retransmission(&stream);
                return Ok(stream);
            }
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

#[cfg(any(target_os = "android", target_os = "linux"))]
fn limit_retransmission(stream: &TcpStream) {
    // A Linux-like system may refuse the option; a dead connection is then detected later.
    let _ = SockRef::from(stream).set_tcp_user_timeout(Some(USER_TIMEOUT));
}

/// Windows gives up after about 20 s by itself; other systems have no such setting.
#[cfg(not(any(target_os = "android", target_os = "linux")))]
fn limit_retransmission(_: &TcpStream) {}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use crossbeam::channel::RecvTimeoutError;

    use super::*;

    /// Longer than anything takes, even on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(60);

    /// A connection and the server's end of it.
    fn pair() -> (Connection, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let connecting = Connection::open("127.0.0.1", port).unwrap();
        let (server, _) = listener.accept().unwrap();
        let connection = connecting.recv_timeout(PATIENCE).unwrap().unwrap();
        (connection, server)
    }

    /// No more lines come.
    #[track_caller]
    fn assert_ended(connection: &Connection) {
        let end = connection.lines.recv_timeout(PATIENCE).unwrap_err();
        assert_eq!(end, RecvTimeoutError::Disconnected);
    }

    /// Regression: without echoes of empty lines a dead connection was detected only after a quarter of an
    /// hour.
    #[cfg(any(target_os = "android", target_os = "linux"))]
    #[test]
    fn unacknowledged_data_breaks_the_connection_after_minutes() {
        let (connection, _server) = pair();
        let limit = SockRef::from(&connection.stream).tcp_user_timeout().unwrap();
        assert_eq!(limit, Some(USER_TIMEOUT));
    }

    #[test]
    fn a_reset_connection_ends_with_an_error() {
        let (connection, server) = pair();
        // With this a socket is reset when it is closed.
        SockRef::from(&server).set_linger(Some(Duration::ZERO)).unwrap();
        drop(server);
        let last = connection.lines.recv_timeout(PATIENCE).unwrap();
        assert_eq!(last.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
        assert_ended(&connection);
    }

    #[test]
    fn a_connection_that_the_server_ends_ends_without_an_error() {
        let (connection, mut server) = pair();
        server.write_all(b"LOGOUT:completed\n").unwrap();
        drop(server);
        let (line, _) = connection.lines.recv_timeout(PATIENCE).unwrap().unwrap();
        assert_eq!(line, "LOGOUT:completed");
        assert_ended(&connection);
    }
}
