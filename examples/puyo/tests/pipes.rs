//! A GUI that speaks with a session through pipes in memory.

use std::io;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam::channel::{Receiver, Sender, unbounded};

use super::channel_io::{ChannelReader, ChannelWriter};
use super::engine::session::{Settings, run};

/// Longer than anything takes on a busy machine; only a failing test waits so long.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The time of a `go` without a time.
const TIME: Duration = Duration::from_millis(10);

pub struct Gui {
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
    unread: String,
    session: JoinHandle<io::Result<()>>,
}

impl Gui {
    pub fn new() -> Gui {
        let (input, lines) = unbounded();
        let (written, output) = unbounded();
        let session = thread::spawn(move || {
            let settings = Settings { time: TIME, log: None };
            run(settings, ChannelReader::new(lines), ChannelWriter(written))
        });
        Gui { input: Some(input), output, unread: String::new(), session }
    }

    /// A GUI that has sent the pairs of the example.
    pub fn with_pairs() -> Gui {
        let mut gui = Gui::new();
        gui.say(PAIRS);
        gui
    }

    pub fn say(&mut self, line: &str) {
        self.say_bytes(format!("{line}\n").as_bytes());
    }

    pub fn say_bytes(&mut self, bytes: &[u8]) {
        self.input.as_ref().unwrap().send(bytes.to_vec()).unwrap();
    }

    /// The next piece of output, which may be several lines.
    #[track_caller]
    pub fn read_piece(&mut self) -> String {
        let piece = self.output.recv_timeout(PATIENCE).expect("nothing is said");
        String::from_utf8(piece).unwrap()
    }

    #[track_caller]
    pub fn read_line(&mut self) -> String {
        loop {
            if let Some((line, rest)) = self.unread.split_once('\n') {
                let line = line.to_owned();
                self.unread = rest.to_owned();
                return line;
            }
            let piece = self.read_piece();
            self.unread += &piece;
        }
    }

    /// The move of a `bestmove` line.
    #[track_caller]
    pub fn read_move(&mut self) -> String {
        let line = self.read_line();
        line.strip_prefix("bestmove ").unwrap_or_else(|| panic!("{line}")).to_owned()
    }

    /// Ends the input, and returns all lines that are still said.
    #[track_caller]
    pub fn end(mut self) -> Vec<String> {
        self.input = None;
        while let Ok(piece) = self.output.recv_timeout(PATIENCE) {
            self.unread += std::str::from_utf8(&piece).unwrap();
        }
        self.session.join().expect("the session panicked").unwrap();
        self.unread.lines().map(str::to_owned).collect()
    }
}

/// The pairs in the example of the protocol's document.
pub const PAIRS: &str = "tumo ry rb gy gb rg yy rb gg yg rg yb gr rr yy by gr bb rb yb bg rb gy gy gy yy yr yg yy \
    rg rb bg br rr by gy rb bg gg yr yy rg rb by by gb yy bg bg rg yg rg yb yg yr yr rr br br gr gb rr yr rb gg gg \
    bg gy bb yg gg gb yr yg yb bg br gy br rb gy rr rr yb gy by gb yy gr bb yy gb gr rr by yb gb yr yg rr gg yy yy \
    gy by gr br rg gy yg gr yb by bg yr yr bb rr br yr gr gr yg bb yr rr gb yg gy";
