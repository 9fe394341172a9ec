//! Random sessions with the real backend: no panic, no hang, exactly one answer to each `go` in their
//! order, and only legal answers.
//!
//! `FUZZ_SESSIONS=4000` runs more sessions; `FUZZ_SEED` starts with the session that failed.

use std::env;
use std::thread;
use std::time::Duration;

use crossbeam::channel::unbounded;
use kawasemi::engine::{Engine, PoolBackend, Settings};
use kawasemi::nnue::FeatureSet;
use kawasemi::position::{EnteringKingRule, Position};
use kawasemi::types::{Move, Random};
use kawasemi::usi::{Session, SessionTimeouts};

use super::harness::{RunningSession, whole_output};
use super::networks::{architecture, write_network_of};
use crate::channel_io::{ChannelReader, ChannelWriter};
use crate::folder::Folder;

/// Longer than a session takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

const STARTS: [&str; 9] = [
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1",
    "4k4/9/4G4/9/9/9/9/9/9 b G 1",
    "9/9/9/9/9/9/9/9/9 b GSPrb 1",
    "k8/9/1G7/9/9/9/9/9/8K w - 1",
    "GGGGKSSSS/+P+P7/9/9/9/9/9/9/4k4 b 2RB3P 1",
    "9/4K4/9/9/9/9/9/9/k8 b - 1",
    "4k4/9/9/9/9/9/9/9/4K4 b - 400",
];

const SETTINGS: [&str; 30] = [
    "MultiPV value 1",
    "MultiPV value 4",
    "MultiPV value 600",
    "Threads value 1",
    "Threads value 2",
    "USI_Hash value 1",
    "USI_Hash value 2",
    "Stochastic_Ponder value true",
    "Stochastic_Ponder value false",
    "USI_LimitStrength value true",
    "USI_LimitStrength value false",
    "USI_Strength value -15",
    "USI_Strength value -1",
    "ConsiderationMode value true",
    "USI_AnalyseMode value true",
    "PvInterval value 0",
    "GenerateAllLegalMoves value true",
    "EnteringKingRule value TryRule",
    "EnteringKingRule value CSARule24",
    "MaxMovesToDraw value 60",
    "MaxMovesToDraw value 0",
    "DrawValueBlack value 500",
    "DepthLimit value 3",
    "DepthLimit value 0",
    "NodesLimit value 700",
    "NodesLimit value 0",
    "EvalFile value no such file",
    "EvalFile value",
    "FV_SCALE value 24",
    "Joho value 1",
];

const OTHERS: [&str; 17] = [
    "stop",
    "stop",
    "stop",
    "ponderhit",
    "ponderhit",
    "ponderhit btime 0 wtime 0 byoyomi 9",
    "gameover win",
    "isready",
    "usinewgame",
    "usi",
    "moves",
    "key",
    "eval",
    "d",
    "getoption",
    "debug on",
    "joho",
];

/// A `go` and its position.
#[derive(Clone)]
struct Question {
    text: String,
    position: Position,
    /// The position was followed by an invalid move, so it was refused.
    is_refused: bool,
    allowed: Vec<Move>,
}

impl Question {
    /// The word with which its answer begins.
    fn answer(&self) -> &'static str {
        match () {
            () if self.text.contains(" mate") => "checkmate",
            () if self.text.contains(" perft") => "perft",
            () => "bestmove",
        }
    }

    /// Fails unless this is a valid answer.
    fn check(&self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        let about = || format!("{line:?} to {:?} at {}", self.text, self.position.to_sfen());
        assert_eq!(words[0], self.answer(), "{}", about());
        let plays = |moves: &[&str]| {
            let mut position = self.position.clone();
            moves.iter().all(|mv| mv.parse().is_ok_and(|mv| position.try_play(mv).is_ok()))
        };
        match words[1..] {
            ref nothing if self.is_refused => {
                let is_nothing = *nothing == ["resign"] || *nothing == ["timeout"];
                assert!(is_nothing || words[0] == "perft", "{}", about());
            }
            ["resign"] => assert!(self.position.legal_moves().is_empty(), "{}", about()),
            ["win"] => {
                use EnteringKingRule::{Csa24, Csa27};
                let holds = [Csa24, Csa27].map(|rule| self.position.declaration_win(rule));
                assert!(holds.contains(&true), "{}", about());
            }
            ["nomate" | "timeout"] if words[0] == "checkmate" => {}
            ref moves if words[0] == "checkmate" => assert!(plays(moves), "{}", about()),
            [best] | [best, "ponder", _] if words[0] == "bestmove" => {
                assert!(plays(&[&[best], &words[3.min(words.len())..]].concat()), "{}", about());
                let best: Move = best.parse().unwrap();
                assert!(self.allowed.is_empty() || self.allowed.contains(&best), "{}", about());
            }
            _ => assert_eq!(words[0], "perft", "{}", about()),
        }
    }
}

/// A GUI that sends random lines and remembers them.
struct Gui {
    random: Random,
    /// Network files, all of which can be loaded.
    nets: Vec<String>,
    position: Position,
    is_refused: bool,
    questions: Vec<Question>,
    isready_count: usize,
}

impl Gui {
    fn new(seed: u64, nets: &[String]) -> Gui {
        Gui {
            random: Random::new(seed),
            nets: nets.to_vec(),
            position: Position::startpos(),
            is_refused: false,
            questions: Vec::new(),
            isready_count: 0,
        }
    }

    fn legal_move(&mut self, position: &Position) -> Option<Move> {
        let moves: Vec<Move> = position.legal_moves().moves().collect();
        (!moves.is_empty()).then(|| *self.random.pick(&moves))
    }

    fn line(&mut self) -> String {
        match self.random.below(20) {
            0..=7 => self.question(),
            8..=11 => self.position(),
            12 if self.random.one_in(3) => {
                format!("setoption name EvalFile value {}", self.random.pick(&self.nets))
            }
            12..=14 => format!("setoption name {}", self.random.pick(&SETTINGS)),
            15 => self.step(),
            _ => {
                let line = *self.random.pick(&OTHERS);
                self.isready_count += usize::from(line == "isready");
                line.to_owned()
            }
        }
    }

    /// A position and moves from there, which may end in an invalid move.
    fn position(&mut self) -> String {
        let (mut text, mut position) = match self.random.pick(&STARTS) {
            _ if self.random.one_in(2) => ("position startpos".to_owned(), Position::startpos()),
            sfen => (format!("position sfen {sfen}"), Position::from_sfen(sfen).unwrap()),
        };
        text += " moves";
        for _ in 0..self.random.below(60) {
            let Some(mv) = self.legal_move(&position) else { break };
            position.try_play(mv).unwrap();
            text += &format!(" {mv}");
        }
        self.is_refused = self.random.one_in(10);
        if self.is_refused {
            text += " 5e5e+ 7g7f";
        }
        self.position = position;
        text
    }

    /// The game after one more move.
    fn step(&mut self) -> String {
        let position = self.position.clone();
        match self.legal_move(&position) {
            Some(mv) => {
                self.position.try_play(mv).unwrap();
                format!("posdiff {mv}")
            }
            None => "posdiff".into(),
        }
    }

    fn question(&mut self) -> String {
        let mut text = match self.random.below(14) {
            0..=2 => format!("go nodes {}", 1 + self.random.below(3000)),
            3 => format!("go movetime {}", self.random.below(12)),
            4 => format!("go btime 0 wtime 0 byoyomi {}", self.random.below(20)),
            5 => format!("go btime {0} wtime {0} binc 5 winc 5", self.random.below(60)),
            6 => format!("go depth {}", 1 + self.random.below(4)),
            7 => "go ponder btime 0 wtime 0 byoyomi 9".into(),
            8 => "go ponder".into(),
            9 => "go infinite".into(),
            10 => format!("go mate {}", self.random.below(9)),
            11 => "go mate infinite".into(),
            12 => "go btime 600000 wtime 600000".into(),
            _ => "go perft 2".into(),
        };
        let mut allowed = Vec::new();
        if !text.contains("perft") && self.random.one_in(4) {
            let position = self.position.clone();
            allowed.extend((0..2).filter_map(|_| self.legal_move(&position)));
            text += " searchmoves 5e5e+";
            allowed.iter().for_each(|mv| text += &format!(" {mv}"));
        }
        let (position, is_refused) = (self.position.clone(), self.is_refused);
        self.questions.push(Question { text: text.clone(), position, is_refused, allowed });
        text
    }

    /// Fails unless this is the complete output of the session.
    fn check(&self, output: &[String]) {
        let mut questions = self.questions.iter();
        for line in output {
            let word = line.split(' ').next().unwrap_or_default();
            if ["bestmove", "checkmate", "perft"].contains(&word) {
                let question = questions.next().unwrap_or_else(|| panic!("{line:?} to nothing"));
                question.check(line);
            }
            for error in ["error: search", "preparation failed", "replaced by", "a false mate"] {
                assert!(!line.contains(error), "{line}");
            }
        }
        assert_eq!(questions.len(), 0, "no answer to {:?}", questions.next().unwrap().text);
        let ready = output.iter().filter(|line| *line == "readyok").count();
        assert_eq!(ready, self.isready_count);
    }
}

/// Runs one session. Returns how many `go` commands were sent.
fn run(seed: u64, nets: &[String]) -> usize {
    let (events, event_receiver) = unbounded();
    let (input, reader) = unbounded();
    let (writer, output) = unbounded();
    let settings = Settings {
        threads: 1 + (seed % 2) as usize,
        hash_mib: 1,
        book_file: None,
        ..Settings::default()
    };
    let engine = Engine::new(PoolBackend::new(events).unwrap(), settings).unwrap();
    // A busy machine may take long for many answers at the end.
    let timeouts = SessionTimeouts { quit: PATIENCE, ..SessionTimeouts::default() };
    let session = Session::open(engine, event_receiver, ChannelWriter(writer)).unwrap();
    let session = session.with_timeouts(timeouts);
    let running = RunningSession::spawn(move || session.run(ChannelReader::new(reader)));
    let mut gui = Gui::new(seed, nets);
    for _ in 0..gui.random.below(150) {
        let line = gui.line() + "\n";
        input.send(line.into_bytes()).unwrap();
        if gui.random.one_in(3) {
            thread::sleep(Duration::from_micros(gui.random.below(4000) as u64));
        }
    }
    if gui.random.one_in(2) {
        input.send(b"quit\n".to_vec()).unwrap();
    }
    drop(input);
    running.join();
    gui.check(&whole_output(&output).lines().map(str::to_owned).collect::<Vec<_>>());
    gui.questions.len()
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().unwrap())
}

#[test]
fn in_random_sessions_every_go_gets_one_legal_answer() {
    let sessions = number("FUZZ_SESSIONS").unwrap_or(40);
    let first = number("FUZZ_SEED").unwrap_or(0);
    let folder = Folder::new();
    let sets = [FeatureSet::KP, FeatureSet::HalfKp, FeatureSet::HalfKaHm2];
    let write = |set: FeatureSet| write_network_of(&folder, set.name(), architecture(set, 64));
    let nets = sets.map(write);
    let mut questions = 0;
    for seed in first..first + sessions {
        let asked = std::panic::catch_unwind(|| run(seed, &nets));
        questions += asked.unwrap_or_else(|_| panic!("session {seed} went wrong"));
    }
    println!("{sessions} sessions, {questions} questions");
    assert!(questions > 0);
}
