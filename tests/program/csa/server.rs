//! A server that does what a test says, one connection after the other.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use kawasemi::position::Position;
use kawasemi::record::{csa_move, read_csa_move};

/// Longer than anything here takes on the busiest machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A server that listens.
pub struct Server(TcpListener);

impl Server {
    pub fn open() -> Server {
        Server(TcpListener::bind(("127.0.0.1", 0)).unwrap())
    }

    pub fn port(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }

    /// Whether a connection waits.
    pub fn is_called(&self) -> bool {
        self.0.set_nonblocking(true).unwrap();
        self.0.accept().is_ok()
    }

    /// The next connection.
    pub fn accept(&self) -> Peer {
        let (stream, _) = self.0.accept().unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        let input = BufReader::new(stream.try_clone().unwrap());
        Peer { stream, input, delay: Duration::ZERO }
    }
}

/// One connection.
pub struct Peer {
    stream: TcpStream,
    input: BufReader<TcpStream>,
    /// How long each line is on its way, in each direction.
    pub delay: Duration,
}

impl Peer {
    /// The next line of the client.
    pub fn hear(&mut self) -> String {
        let mut line = String::new();
        self.input.read_line(&mut line).unwrap();
        thread::sleep(self.delay);
        assert!(line.ends_with('\n'), "the client has gone, with {line:?}");
        line.trim_end().to_owned()
    }

    /// All lines until the client is gone.
    pub fn hear_all(mut self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut line = String::new();
        while self.input.read_line(&mut line).is_ok_and(|count| count > 0) {
            lines.push(std::mem::take(&mut line));
        }
        lines
    }

    pub fn say(&mut self, lines: &str) {
        thread::sleep(self.delay);
        self.send(format!("{lines}\n").as_bytes());
    }

    pub fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    pub fn login(&mut self) {
        assert!(self.hear().starts_with("LOGIN kawasemi "));
        self.say("LOGIN:kawasemi OK");
    }

    /// Lets a client go at once that has played enough. Otherwise it waits for a while.
    pub fn take_leave(&mut self) {
        assert_eq!(self.hear(), "LOGOUT");
        self.say("LOGOUT:completed");
    }

    /// Proposes a game that the client plays with this colour, and starts it.
    pub fn propose(&mut self, id: &str, sign: char, lines: &str) {
        self.say(&format!(
            "BEGIN Game_Summary\nProtocol_Version:1.2\nFormat:Shogi 1.0\nGame_ID:{id}\n\
             Name+:one\nName-:two\nYour_Turn:{sign}\nTo_Move:+\n{lines}\nEND Game_Summary"
        ));
        assert_eq!(self.hear(), format!("AGREE {id}"));
        self.say(&format!("START:{id}"));
    }

    /// Plays so many moves of each side from the start, the client with Black; the longest that the
    /// client took, with the network, as servers count.
    pub fn play(&mut self, moves: usize) -> Duration {
        let mut position = Position::startpos();
        let mut longest = Duration::ZERO;
        let mut begun = Instant::now() - self.delay;
        for _ in 0..moves {
            let line = self.hear();
            let taken = begun.elapsed();
            longest = longest.max(taken);
            let text = line.split(',').next().unwrap();
            let mv = read_csa_move(text, &position).unwrap();
            position.try_play(mv).unwrap();
            let reply = position.legal_moves().moves().next().unwrap();
            let theirs = csa_move(&position, reply);
            position.try_play(reply).unwrap();
            // The clock runs again from here, though the line is still to come.
            self.say(&format!("{text},T{}", taken.as_secs()));
            begun = Instant::now();
            self.say(&format!("{theirs},T0"));
        }
        longest
    }
}
