//! A long mixed session, every line of which must be accepted by a strict client: the crate `usi`.

use std::path::Path;
use std::time::Instant;

use usi::{BestMoveParams, CheckmateParams, EngineCommand, InfoParams, OptionKind};

use super::engine::{Answer, Engine, ms};
use super::game::Game;

const POSITIONS: [&str; 6] = [
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "K+N5+L1/G+L+P+B1+R+P2/3+P2G2/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk b 2L7Pb5p 1",
    "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1",
    "9/9/9/9/9/9/9/9/9 b GSPrb 1",
    "7nl/5+P1gk/2np5/9/9/9/9/9/9 b RGr2b2g4s2n3l16p 1",
];

/// The strict client; counts the lines that it has read.
#[derive(Default)]
struct Client {
    lines: usize,
    moves: usize,
    questions: usize,
    answers: usize,
}

impl Client {
    /// Reads a line sent during this game.
    fn read(&mut self, game: &Game, line: &str) {
        self.lines += 1;
        let command = EngineCommand::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let moves = match command {
            EngineCommand::Info(entries) => {
                assert!(!entries.is_empty(), "{line}");
                entries.into_iter().find_map(|entry| match entry {
                    InfoParams::Pv(moves) => Some(moves),
                    _ => None,
                })
            }
            EngineCommand::BestMove(BestMoveParams::MakeMove(best, ponder)) => {
                self.answers += 1;
                Some([Some(best), ponder].into_iter().flatten().collect())
            }
            EngineCommand::Checkmate(CheckmateParams::Mate(moves)) => {
                self.answers += 1;
                Some(moves)
            }
            EngineCommand::BestMove(_) | EngineCommand::Checkmate(_) => {
                self.answers += 1;
                None
            }
            EngineCommand::Unknown => panic!("{line:?} means nothing to the client"),
            _ => None,
        };
        let moves = moves.unwrap_or_default();
        assert_eq!(game.playable(&moves), moves.len(), "{line} after {}", game.command());
        self.moves += moves.len();
    }

    fn read_all(&mut self, game: &Game, answer: &Answer) {
        answer.lines.iter().chain([&answer.text]).for_each(|line| self.read(game, line));
    }

    fn ask(&mut self, engine: &mut Engine, game: &Game, go: &str) -> Answer {
        self.questions += 1;
        let answer = engine.ask(game, go);
        self.read_all(game, &answer);
        answer
    }

    fn play(&mut self, engine: &mut Engine, go: &str, moves: usize) {
        engine.send("isready");
        self.read(&Game::new(), &engine.line());
        engine.send("usinewgame");
        let mut game = Game::new();
        while game.moves.len() < moves {
            match self.ask(engine, &game, go).best() {
                "resign" | "win" => break,
                best => game.play(best),
            }
        }
        engine.send("gameover draw");
    }

    /// Analysis, which `stop` ends.
    fn analyse(&mut self, engine: &mut Engine, game: &Game, go: &str, millis: u64) {
        engine.send(&game.command());
        self.questions += 1;
        engine.send(go);
        engine.during(ms(millis)).iter().for_each(|line| self.read(game, line));
        let answer = engine.stop(game);
        self.read_all(game, &answer);
    }

    fn ponder(&mut self, engine: &mut Engine, game: &Game, hit: &str) {
        engine.send(&game.command());
        self.questions += 1;
        engine.send("go ponder");
        engine.during(ms(10)).iter().for_each(|line| self.read(game, line));
        engine.send(hit);
        let answer = engine.answer_since(Instant::now(), "bestmove ");
        self.read_all(game, &answer);
    }

    fn mate(&mut self, engine: &mut Engine, game: &Game) {
        engine.send(&game.command());
        self.questions += 1;
        engine.send("go mate 50");
        let answer = engine.answer_since(Instant::now(), "checkmate ");
        self.read_all(game, &answer);
    }
}

#[test]
fn a_long_mixed_session_is_read_by_a_strict_client() {
    // The same lines can be given to other clients afterwards.
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformity.log");
    let _ = std::fs::remove_file(&log);
    let mut client = Client::default();
    let mut engine = Engine::ready(&["Threads=2", "PvInterval=0"]);
    engine.send(&format!("setoption name DebugLogFile value {}", log.display()));
    engine.send("debug on");
    client.play(&mut engine, "go nodes 1000", 80);
    client.play(&mut engine, "go btime 0 wtime 0 byoyomi 10", 30);
    for lines in [1, 5] {
        engine.send(&format!("setoption name MultiPV value {lines}"));
        for sfen in POSITIONS {
            let game = Game::from(sfen);
            client.analyse(&mut engine, &game, "go infinite", 30);
            // Networks are not trained on boards without kings, so more depth may take any time.
            let depth = if sfen.contains(['k', 'K']) { 6 } else { 3 };
            client.ask(&mut engine, &game, &format!("go depth {depth}"));
            client.ponder(&mut engine, &game, "ponderhit btime 0 wtime 0 byoyomi 10");
            client.ponder(&mut engine, &game, "stop");
            client.mate(&mut engine, &game);
        }
    }
    engine.send("position startpos moves 7g7f 7g7f");
    engine.send("setoption name Joho value 1");
    engine.settle().iter().for_each(|line| client.read(&Game::new(), line));
    engine.quit();
    assert_eq!(client.answers, client.questions);
    assert!(client.lines > 500 && client.moves > 2000, "{} {}", client.lines, client.moves);
}

#[test]
fn a_strict_client_reads_every_option() {
    let mut engine = Engine::start(&[]);
    engine.send("usi");
    let (lines, _) = engine.until("usiok");
    let mut names = Vec::new();
    for line in &lines {
        match EngineCommand::parse(line).unwrap_or_else(|error| panic!("{line}: {error}")) {
            EngineCommand::Option(option) => {
                let default = match &option.value {
                    OptionKind::Check { default } => default.is_some(),
                    OptionKind::Spin { default, min, .. } => default.is_some() && min.is_some(),
                    OptionKind::Combo { default, vars } => {
                        default.as_ref().is_some_and(|word| vars.contains(word))
                    }
                    OptionKind::String { default } | OptionKind::Filename { default } => {
                        default.is_some()
                    }
                    OptionKind::Button { .. } => true,
                };
                assert!(default, "{line}");
                names.push(option.name);
            }
            EngineCommand::Id(_) | EngineCommand::UsiOk => {}
            other => panic!("{line}: {other:?}"),
        }
    }
    assert!(names.len() > 20, "{names:?}");
    engine.quit();
}
