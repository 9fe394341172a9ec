//! A CSA server that is driven by a test.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use kawasemi::position::Position;
use kawasemi::record::{csa_move, read_csa_move};

/// Longer than anything takes, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A listening server.
pub struct Server(TcpListener);

impl Server {
    pub fn open() -> Server {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        // So that a test fails if no client comes.
        listener.set_nonblocking(true).unwrap();
        Server(listener)
    }

    pub fn port(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }

    /// Whether a client is waiting for a connection.
    pub fn is_called(&self) -> bool {
        self.0.accept().is_ok()
    }

    /// The next connection.
    #[track_caller]
    pub fn accept(&self) -> ServerConnection {
        let start = Instant::now();
        let stream = loop {
            match self.0.accept() {
                Ok((stream, _)) => break stream,
                Err(error) => assert!(start.elapsed() < PATIENCE, "no client: {error}"),
            }
            thread::sleep(Duration::from_millis(1));
        };
        // On some systems a connection inherits the mode of the listener.
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        let input = BufReader::new(stream.try_clone().unwrap());
        ServerConnection { stream, input }
    }
}

/// One connection.
pub struct ServerConnection {
    stream: TcpStream,
    input: BufReader<TcpStream>,
}

impl ServerConnection {
    /// The next line of the client.
    pub fn read_line(&mut self) -> String {
        let mut line = String::new();
        self.input.read_line(&mut line).unwrap();
        assert!(line.ends_with('\n'), "the client has gone, with {line:?}");
        line.trim_end().to_owned()
    }

    /// All lines until the client closes the connection.
    pub fn read_all(mut self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut line = String::new();
        while self.input.read_line(&mut line).is_ok_and(|count| count > 0) {
            lines.push(std::mem::take(&mut line));
        }
        lines
    }

    pub fn send_text(&mut self, lines: &str) {
        self.send(format!("{lines}\n").as_bytes());
    }

    pub fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    pub fn login(&mut self) {
        assert!(self.read_line().starts_with("LOGIN kawasemi "));
        self.send_text("LOGIN:kawasemi OK");
    }

    /// Answers the logout of a client, which otherwise waits for a while.
    pub fn log_out(&mut self) {
        assert_eq!(self.read_line(), "LOGOUT");
        self.send_text("LOGOUT:completed");
    }

    /// Proposes a game with this colour for the client, and starts it.
    pub fn propose(&mut self, id: &str, sign: char, lines: &str) {
        self.send_text(&format!(
            "BEGIN Game_Summary\nProtocol_Version:1.2\nFormat:Shogi 1.0\nGame_ID:{id}\n\
             Name+:one\nName-:two\nYour_Turn:{sign}\nTo_Move:+\n{lines}\nEND Game_Summary"
        ));
        assert_eq!(self.read_line(), format!("AGREE {id}"));
        self.send_text(&format!("START:{id}"));
    }

    /// Plays this many moves of each side from the initial position. The client is Black.
    pub fn play(&mut self, moves: usize) {
        let mut position = Position::startpos();
        for _ in 0..moves {
            let line = self.read_line();
            let text = line.split(',').next().unwrap();
            let mv = read_csa_move(text, &position).unwrap();
            position.try_play(mv).unwrap();
            let reply = position.legal_moves().moves().next().unwrap();
            let theirs = csa_move(&position, reply);
            position.try_play(reply).unwrap();
            self.send_text(&format!("{text},T0\n{theirs},T0"));
        }
    }
}
