//! The CSA client over real sockets, against servers that follow a script.

mod arguments;
mod secrets;
mod server;

use std::fs;
use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Sender, bounded};
use kawasemi::csa::player::{
    GameConditions, OwnEngineOptions, Player, PlayerChannels, PlayerCommand, PlayerEvent,
    SearchTask, start_engine,
};
use kawasemi::csa::{ClientError, Config, EngineClocks, PlainView, SideClock, run};
use kawasemi::position::{Position, Setup};
use kawasemi::record::{Ending, ErrorPolicy, read_bytes};
use kawasemi::types::language::Language;
use kawasemi::types::{ByColor, Move};
use kawasemi::usi_client::{EngineScore, EngineTimeouts, GameOver, LaunchConfig};
use server::{PATIENCE, Server, ServerConnection};
use tempfile::{TempDir, tempdir};

use crate::kawasemi::command;

const PASSWORD: &str = "hunter2";

/// A player that plays the first legal move at once.
fn first_move_player() -> Result<Player, String> {
    let player = Player::spawn(|PlayerChannels { commands, events, .. }| {
        for command in commands {
            let event = match command {
                PlayerCommand::NewGame(id, _) => PlayerEvent::Ready(id),
                PlayerCommand::Search(task) if !task.ponder => {
                    let mut position = Position::from_setup(&task.start).unwrap();
                    task.moves.iter().for_each(|&mv| _ = position.try_play(mv).unwrap());
                    let best = position.legal_moves().moves().next().unwrap();
                    PlayerEvent::Answer(task.id, format!("bestmove {best}"))
                }
                _ => continue,
            };
            // The client may be gone.
            let _ = events.send(event);
        }
    });
    Ok(player.unwrap())
}

/// The output that the user sees.
#[derive(Clone, Debug, Default)]
struct CapturedOutput(Arc<Mutex<Vec<u8>>>);

impl Write for CapturedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A USI engine that is this shell script.
#[cfg(unix)]
fn shell_engine(script: &str, timeouts: EngineTimeouts) -> Result<Player, String> {
    let command = ["sh", "-c", script].map(Into::into).into();
    let launch = LaunchConfig { command, own_group: true, ..LaunchConfig::default() };
    Ok(start_engine(launch, timeouts, None).unwrap())
}

/// A running client.
struct Client {
    interrupts: Sender<()>,
    seen: CapturedOutput,
    thread: thread::JoinHandle<Result<(), ClientError>>,
}

impl Client {
    /// Starts a client with the players that `make` starts.
    fn start(
        config: &str,
        mut make: impl FnMut() -> Result<Player, String> + Send + 'static,
    ) -> Client {
        let config = Config::read(config).unwrap();
        let (interrupts, interrupted) = bounded(4);
        let seen = CapturedOutput::default();
        let mut view = PlainView::new(seen.clone(), Language::English);
        let thread = thread::spawn(move || run(&config, &mut make, &interrupted, &mut view));
        Client { interrupts, seen, thread }
    }

    /// Waits until the output satisfies a condition.
    fn until(&self, is_seen: impl Fn(&str) -> bool) {
        let begun = Instant::now();
        while !is_seen(&String::from_utf8_lossy(&self.seen.0.lock().unwrap())) {
            assert!(begun.elapsed() < PATIENCE);
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for its end. Returns the result and the output.
    fn end(self) -> (Result<(), ClientError>, String) {
        let result = self.thread.join().unwrap();
        (result, String::from_utf8(self.seen.0.lock().unwrap().clone()).unwrap())
    }
}

/// The files of a folder with this extension.
fn files(folder: &TempDir, ending: &str) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
    paths.sort();
    paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
}

/// The configuration for a server, with these lines under `[play]` and after it.
fn config(server: &Server, folder: &TempDir, play: &str) -> String {
    format!(
        "[server]\nhost = \"127.0.0.1\"\nport = {}\nname = \"kawasemi\"\n\
         password = \"{PASSWORD}\"\n\
         [records]\nfolder = '{folder}'\n[log]\nfile = '{folder}/lines.log'\n\
         [play]\nrelogin_s = 1\n{play}",
        server.port(),
        folder = folder.path().display(),
    )
}

/// The server's side of a game in which the client moves once and the opponent resigns.
fn short_game(connection: &mut ServerConnection, id: &str) {
    connection.propose(id, '+', "");
    let line = connection.read_line();
    connection.send_text(&format!("{line},T1\n%TORYO\n#RESIGN\n#WIN"));
}

#[test]
fn each_game_has_its_own_login_and_is_saved() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, "games = 2"), first_move_player);
    for id in ["first", "second"] {
        let mut connection = server.accept();
        assert_eq!(connection.read_line(), format!("LOGIN kawasemi {PASSWORD}"));
        connection.send_text("LOGIN:kawasemi OK");
        short_game(&mut connection, id);
    }
    let (result, seen) = client.end();
    result.unwrap();
    assert!(seen.contains("won by resignation, after 1 move"), "{seen}");
    for ending in ["csa", "kif"] {
        let files = files(&folder, ending);
        assert_eq!(files.len(), 2);
        for bytes in files {
            let game = read_bytes(&bytes, None, ErrorPolicy::Refuse).unwrap().1.games.remove(0);
            assert_eq!(game.main_moves().count(), 1);
            assert_eq!(game.ending(), Some(&Ending::Resign));
        }
    }
}

#[test]
fn a_connection_that_breaks_is_opened_again() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, "games = 1"), first_move_player);
    // With the login unread, closing would reset the connection.
    server.accept().read_line();
    let mut connection = server.accept();
    connection.login();
    connection.propose("broken", '+', "");
    connection.read_line();
    // During a game.
    drop(connection);
    let mut connection = server.accept();
    connection.login();
    short_game(&mut connection, "whole");
    connection.log_out();
    let (result, seen) = client.end();
    result.unwrap();
    assert_eq!(seen.matches("no connection: the server has closed it").count(), 2, "{seen}");
    assert_eq!(files(&folder, "csa").len(), 2);
}

#[test]
fn connecting_is_repeated_until_the_user_interrupts() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let config = config(&server, &folder, "");
    drop(server);
    let client = Client::start(&config, first_move_player);
    client.until(|seen| seen.matches("connecting").count() >= 2);
    client.interrupts.send(()).unwrap();
    let (result, seen) = client.end();
    result.unwrap();
    assert!(seen.contains("no connection: "), "{seen}");
}

#[test]
fn a_refused_first_login_ends_the_client() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, ""), first_move_player);
    let mut connection = server.accept();
    connection.read_line();
    connection.send_text("LOGIN:incorrect");
    let error = client.end().0.unwrap_err();
    assert!(matches!(error, ClientError::Refused), "{error}");
}

/// Regression: after a power failure during a game the message blamed only the password.
#[test]
fn the_message_on_a_refused_login_mentions_a_duplicate_login() {
    let message = ClientError::Refused.to_string();
    assert!(message.contains("password") && message.contains("still be logged in"), "{message}");
}

#[test]
fn an_invalid_folder_for_records_is_reported_before_the_first_game() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let usual = format!("folder = '{}'", folder.path().display());
    let text = config(&server, &folder, "");
    let error = |place: &str| {
        let text = text.replace(&usual, &format!("folder = '{}{place}'", file.display()));
        Client::start(&text, first_move_player).end().0.unwrap_err()
    };
    let message = format!("the folder for records, {}, is not a folder", file.display());
    assert_eq!(error("").to_string(), message);
    let error = error("/games");
    let ClientError::File(place, _) = &error else { panic!("{error}") };
    assert_eq!(*place, file.join("games"));
}

#[test]
fn a_game_that_cannot_be_saved_is_reported_and_makes_the_client_fail() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let usual = format!("folder = '{}'", folder.path().display());
    let games = folder.path().join("games");
    let text = config(&server, &folder, "games = 1\n");
    let text = text.replace(&usual, &format!("folder = '{}'", games.display()));
    let client = Client::start(&text, first_move_player);
    let mut connection = server.accept();
    connection.login();
    fs::remove_dir(&games).unwrap();
    fs::write(&games, "").unwrap();
    short_game(&mut connection, "lost");
    connection.read_all();
    let (result, seen) = client.end();
    let error = result.unwrap_err();
    assert!(matches!(error, ClientError::Unsaved(1)), "{error}");
    assert!(seen.contains("not saved: "), "{seen}");
}

#[test]
fn invalid_text_and_endless_lines_are_ignored() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, "games = 1"), first_move_player);
    let mut connection = server.accept();
    connection.login();
    connection.send(&[0xff, 0x00, 0xa4, 0xb3, b'\r', b'\n', b'\n']);
    connection.send(&vec![b'x'; 1 << 20]);
    connection.send_text("\n##[CHAT][a]\u{1b}[2J hello");
    short_game(&mut connection, "game");
    connection.log_out();
    let (result, seen) = client.end();
    result.unwrap();
    assert!(seen.contains("server: [CHAT][a]?[2J hello") && !seen.contains('\u{1b}'), "{seen}");
}

#[test]
fn the_first_interrupt_ends_after_the_game_and_the_second_at_once() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let text = config(&server, &folder, "");
    let client = Client::start(&text, first_move_player);
    let mut connection = server.accept();
    connection.login();
    connection.propose("last", '+', "");
    let line = connection.read_line();
    client.interrupts.send(()).unwrap();
    connection.send_text(&format!("{line},T1\n%TORYO\n#RESIGN\n#WIN"));
    connection.log_out();
    client.end().0.unwrap();

    let client = Client::start(&text, first_move_player);
    let mut connection = server.accept();
    connection.login();
    connection.propose("never over", '+', "");
    // Its move shows that the game has begun: an interrupt before it would end the client.
    connection.read_line();
    client.interrupts.send(()).unwrap();
    client.interrupts.send(()).unwrap();
    client.end().0.unwrap();
    // The client has not resigned, and the record is kept.
    assert_eq!(connection.read_all(), Vec::<String>::new());
    assert_eq!(files(&folder, "csa").len(), 2);
}

/// An engine that plays one move, and ignores `quit`.
#[cfg(unix)]
fn ignores_quit() -> Result<Player, String> {
    let script = "while read line; do case $line in usi) echo usiok;; isready) echo readyok;; \
                  go*) echo bestmove 7g7f;; quit) sleep 1000;; esac; done";
    let timeouts = EngineTimeouts { quit: Duration::from_secs(600), ..EngineTimeouts::default() };
    shell_engine(script, timeouts)
}

#[cfg(unix)]
#[test]
fn the_second_interrupt_ends_an_engine_that_idles_at_once_too() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, ""), ignores_quit);
    let mut connection = server.accept();
    connection.login();
    connection.propose("never over", '+', "");
    let line = connection.read_line();
    connection.send_text(&format!("{line},T1"));
    let begun = Instant::now();
    client.interrupts.send(()).unwrap();
    client.interrupts.send(()).unwrap();
    client.end().0.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[test]
fn an_engine_that_cannot_start_ends_the_client() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, ""), || {
        let launch =
            LaunchConfig { command: vec!["/no/such/engine".into()], ..LaunchConfig::default() };
        Ok(start_engine(launch, EngineTimeouts::default(), None).unwrap())
    });
    let error = client.end().0.unwrap_err();
    assert!(error.to_string().contains("cannot start it"), "{error}");
    assert!(!server.is_called(), "a login without an engine");
}

/// Regression: it was reported only when the first game was proposed.
#[test]
fn a_missing_network_is_reported_before_the_login_which_follows() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, ""), || {
        let own = OwnEngineOptions {
            minimum_thinking_ms: 0,
            max_moves_to_draw: 0,
            network_delay2_ms: 150,
        };
        program(&[("EvalFile", "no/such/nn.bin")], Some(own))
    });
    drop(server.accept());
    client.until(|seen| seen.contains("next attempt in 1 s"));
    client.interrupts.send(()).unwrap();
    let (result, seen) = client.end();
    result.unwrap();
    let before = seen.split("connecting to").next().unwrap();
    assert!(before.contains("engine: error: ") && before.contains("nn.bin"), "{seen}");
}

/// A USI engine that runs this shell command at `isready`.
#[cfg(unix)]
fn engine_with_isready(script: &str) -> Result<Player, String> {
    let script = format!(
        "while read line; do case $line in usi) echo usiok;; isready) {script};; esac; done"
    );
    shell_engine(&script, EngineTimeouts::default())
}

#[cfg(unix)]
#[test]
fn an_engine_that_fails_at_isready_is_reported_before_the_login() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let make = || engine_with_isready("echo info string Error! no nn.bin; exit 1");
    let error = Client::start(&config(&server, &folder, ""), make).end().0.unwrap_err();
    let message = error.to_string();
    assert!(
        message.starts_with("the engine cannot play: ") && message.contains("no nn.bin"),
        "{message}"
    );
    assert!(!server.is_called(), "a login without an engine");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_wait_for_an_engine_that_does_not_get_ready() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, ""), || engine_with_isready("sleep 1000"));
    client.until(|seen| seen.contains("preparing the engine"));
    let begun = Instant::now();
    client.interrupts.send(()).unwrap();
    client.end().0.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(60) && !server.is_called());
}

/// One thread, little memory, and nothing from the working directory.
const TEST_OPTIONS: [(&str, &str); 4] =
    [("Threads", "1"), ("USI_Hash", "1"), ("EvalDir", ""), ("BookFile", "no_book")];

/// The program as the player, with these options in addition to [`TEST_OPTIONS`].
fn program(options: &[(&str, &str)], own: Option<OwnEngineOptions>) -> Result<Player, String> {
    let options = TEST_OPTIONS.iter().chain(options);
    let options = options.map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let command = vec![env!("CARGO_BIN_EXE_kawasemi").into()];
    let launch = LaunchConfig { command, options, ..LaunchConfig::default() };
    Ok(start_engine(launch, EngineTimeouts::default(), own).unwrap())
}

fn own() -> Result<Player, String> {
    let own =
        OwnEngineOptions { minimum_thinking_ms: 0, max_moves_to_draw: 0, network_delay2_ms: 150 };
    program(&[], Some(own))
}

fn other() -> Result<Player, String> {
    program(&[], None)
}

#[test]
fn the_program_plays_legal_moves_and_ponders() {
    for make in [own, other] {
        let (server, folder) = (Server::open(), tempdir().unwrap());
        let client = Client::start(&config(&server, &folder, "games = 1\nponder = true"), make);
        let mut connection = server.accept();
        connection.login();
        connection.propose("game", '+', "BEGIN Time\nTime_Unit:100msec\nByoyomi:3\nEND Time");
        connection.play(3);
        connection.send_text("%TORYO\n#RESIGN\n#WIN");
        connection.log_out();
        client.end().0.unwrap();
    }
}

#[cfg(unix)]
#[test]
fn the_best_reported_move_of_an_engine_that_hangs_is_played() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, "games = 1"), || {
        let script = "while read -r line; do case $line in
            usi) echo usiok;;
            isready) echo readyok;;
            go*) echo info depth 1 score cp 5 pv 2g2f 8c8d;;
            esac; done";
        shell_engine(script, EngineTimeouts::default())
    });
    let mut connection = server.accept();
    connection.login();
    // Time enough for the report to arrive on a busy machine too.
    connection.propose("hangs", '+', "BEGIN Time\nTime_Unit:100msec\nByoyomi:20\nEND Time");
    assert_eq!(connection.read_line(), "+2726FU,'* 5 -8384FU");
    connection.send_text("+2726FU,T0\n%TORYO\n#RESIGN\n#WIN");
    connection.log_out();
    client.end().0.unwrap();
}

/// The next `Ready`, `Answer` or `Failed`.
fn next(player: &Player) -> PlayerEvent {
    loop {
        match player.events().recv_timeout(PATIENCE).unwrap() {
            PlayerEvent::Update(..) | PlayerEvent::Message(_) => {}
            event => return event,
        }
    }
}

fn is_move(event: &PlayerEvent, search: u64) -> bool {
    let mv = match event {
        PlayerEvent::Answer(id, line) if *id == search => line.split(' ').nth(1),
        _ => None,
    };
    mv.is_some_and(|mv| mv.parse::<Move>().is_ok())
}

#[test]
fn every_player_command_is_executed() {
    for mut player in [own().unwrap(), other().unwrap()] {
        let budget = SideClock { byoyomi: Duration::from_millis(300), ..SideClock::default() };
        let sides = ByColor([budget; 2]);
        let clocks = EngineClocks { net: sides, gross: sides, overhead: Duration::ZERO };
        let ask = |id, moves: &str, ponder| {
            let moves = moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
            let (start, received) = (Setup::startpos(), Instant::now());
            PlayerCommand::Search(Box::new(SearchTask {
                id,
                start,
                moves,
                clocks,
                ponder,
                received,
            }))
        };
        let unit = Duration::from_millis(1);
        let conditions =
            GameConditions { max_moves: None, unit, least_time_per_move: Duration::ZERO };
        player.send(PlayerCommand::NewGame(0, conditions));
        assert_eq!(next(&player), PlayerEvent::Ready(0));
        player.send(ask(1, "7g7f", false));
        let mut updates = 0;
        while let PlayerEvent::Update(id, update) = player.events().recv_timeout(PATIENCE).unwrap()
        {
            assert!(id == 1 && update.score.is_some() && !update.pv.is_empty());
            updates += 1;
        }
        assert!(updates > 0);
        // First another move than expected; then a ponder hit; then a cancelled search.
        player.send(ask(2, "7g7f 3c3d", true));
        player.send(ask(3, "7g7f 8c8d", false));
        assert!(is_move(&next(&player), 3));
        player.send(ask(4, "7g7f 3c3d", true));
        player.send(PlayerCommand::PonderHit { id: 4, clocks, received: Instant::now() });
        assert!(is_move(&next(&player), 4));
        player.send(ask(5, "7g7f 3c3d", true));
        player.send(PlayerCommand::Cancel);
        player.send(ask(6, "7g7f 3c3d", true));
        player.send(PlayerCommand::Stop);
        assert!(is_move(&next(&player), 6));
        // The next game begins while a search is still ending.
        player.send(ask(7, "7g7f 3c3d", true));
        player.send(PlayerCommand::GameOver(GameOver::Draw));
        player.send(PlayerCommand::NewGame(8, conditions));
        assert_eq!(next(&player), PlayerEvent::Ready(8));
        player.send(ask(9, "", false));
        assert!(is_move(&next(&player), 9));
    }
}

#[test]
fn a_move_limit_of_one_game_does_not_affect_the_next() {
    let mut player = own().unwrap();
    let sides =
        ByColor([SideClock { byoyomi: Duration::from_millis(200), ..SideClock::default() }; 2]);
    let clocks = EngineClocks { net: sides, gross: sides, overhead: Duration::ZERO };
    // White has neither rook nor bishop, but the first move may be the last one.
    let start = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let start = Position::from_sfen(start).unwrap().setup();
    for (id, max_moves) in [(1, Some(1)), (2, None)] {
        let unit = Duration::from_millis(1);
        player.send(PlayerCommand::NewGame(
            0,
            GameConditions { max_moves, unit, least_time_per_move: Duration::ZERO },
        ));
        assert_eq!(next(&player), PlayerEvent::Ready(0));
        let (start, received) = (start.clone(), Instant::now());
        let ask = SearchTask { id, start, moves: Vec::new(), clocks, ponder: false, received };
        player.send(PlayerCommand::Search(Box::new(ask)));
        let mut score = None;
        while let PlayerEvent::Update(_, update) = player.events().recv_timeout(PATIENCE).unwrap() {
            score = update.score;
        }
        let Some(EngineScore::Centipawns(score)) = score else { panic!("{score:?}") };
        assert_eq!(score.abs() > 500, max_moves.is_none(), "{score}");
    }
}

#[test]
fn the_program_plays_a_game_and_ends() {
    play_as_program("program", &[]);
}

#[test]
fn the_program_plays_a_game_by_several_workers() {
    play_as_program("workers", &["--multi-ponder", "2"]);
}

/// A game of one move by the real program with these arguments.
fn play_as_program(name: &str, arguments: &[&str]) {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let file = folder.path().join("csa.toml");
    let password = format!("password = \"{PASSWORD}\"");
    let text = config(&server, &folder, "")
        .replace(&password, "password_env = \"KAWASEMI_TEST_PASSWORD\"");
    let engine =
        "[engine.options]\nThreads = 1\nUSI_Hash = 1\nEvalDir = \"\"\nBookFile = \"no_book\"\n";
    fs::write(&file, format!("{text}\n{engine}")).unwrap();
    let mut program = command(&["csa", "--games", "1", "--config"])
        .arg(&file)
        .args(arguments)
        .env("KAWASEMI_TEST_PASSWORD", PASSWORD)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut connection = server.accept();
    assert_eq!(connection.read_line(), format!("LOGIN kawasemi {PASSWORD}"));
    connection.send_text("LOGIN:kawasemi OK");
    connection.propose(name, '+', "BEGIN Time\nTime_Unit:100msec\nByoyomi:20\nEND Time");
    let line = connection.read_line();
    let (mv, comment) = line.split_once(",'* ").expect("a score goes with the move");
    assert!(mv.starts_with('+') && comment.split(' ').next().unwrap().parse::<i64>().is_ok());
    connection.send_text(&format!("{mv},T0.4\n%TORYO\n#RESIGN\n#WIN"));
    connection.log_out();
    assert!(program.wait().unwrap().success());
    let mut seen = String::new();
    io::Read::read_to_string(&mut program.stdout.take().unwrap(), &mut seen).unwrap();
    assert!(seen.contains(&format!("1 {mv} (0.4 s)")) && seen.contains(" depth "), "{seen}");
    assert_eq!((files(&folder, "csa").len(), files(&folder, "kif").len()), (1, 1));
}

/// The command `csa` of the program, with [`TEST_OPTIONS`].
fn csa_command() -> Command {
    let mut program = command(&[]);
    for (name, value) in TEST_OPTIONS {
        program.args(["--usi-option", &format!("{name}={value}")]);
    }
    program.arg("csa");
    program
}

/// Regression: a configuration file had to be written first.
#[test]
fn the_client_plays_without_a_configuration_file() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let file = folder.path().join("password");
    fs::write(&file, PASSWORD).unwrap();
    let csa = |arguments: &[&str]| {
        let mut command = csa_command();
        command.args(arguments).stdout(Stdio::null());
        command
    };
    let port = server.port().to_string();
    let flags = ["--host", "127.0.0.1", "--port", &port, "--name", "kawasemi", "--games", "1"];
    let mut program = csa(&flags)
        .arg("--password-file")
        .arg(&file)
        .args(["--margin", "0", "--records"])
        .arg(folder.path())
        .spawn()
        .unwrap();
    let mut connection = server.accept();
    connection.login();
    connection.propose("game", '+', "BEGIN Time\nTime_Unit:100msec\nByoyomi:20\nEND Time");
    let line = connection.read_line();
    let (mv, _) = line.split_once(',').unwrap_or((&line, ""));
    connection.send_text(&format!("{mv},T0.4\n%TORYO\n#RESIGN\n#WIN"));
    connection.log_out();
    assert!(program.wait().unwrap().success());
    assert_eq!(files(&folder, "csa").len(), 1);
    let complaint = |arguments: &[&str]| crate::program::stderr_of(&mut csa(arguments));
    assert!(complaint(&[]).contains("--host is missing"));
    assert!(complaint(&flags[..4]).contains("--name is missing"));
    assert!(complaint(&flags).contains("--password-file"));
}

/// Scripts depend on it.
#[cfg(unix)]
#[test]
fn the_exit_status_tells_whether_an_interrupt_has_left_a_game() {
    use std::io::{BufRead, BufReader};

    for (signal, leaves) in [("TERM", false), ("INT", true)] {
        let (server, folder) = (Server::open(), tempdir().unwrap());
        let mut command = csa_command();
        command.args(["--plain", "--lang", "en", "--host", "127.0.0.1", "--port"]);
        command.arg(server.port().to_string()).args(["--name", "kawasemi", "--game", "test"]);
        command.current_dir(&folder).stdout(Stdio::piped());
        let mut program = command.spawn().unwrap();
        let mut told = BufReader::new(program.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut connection = server.accept();
        connection.login();
        connection.propose("game", '+', "BEGIN Time\nTime_Unit:100msec\nByoyomi:20\nEND Time");
        let line = connection.read_line();
        let (mv, _) = line.split_once(',').unwrap_or((&line, ""));
        crate::signal::send(signal, program.id());
        assert!(told.any(|line| line.contains("leaving after this game")));
        if leaves {
            // Until one counts as the second.
            while program.try_wait().unwrap().is_none() {
                crate::signal::send(signal, program.id());
                thread::sleep(Duration::from_millis(100));
            }
        } else {
            connection.send_text(&format!("{mv},T0.4\n%TORYO\n#RESIGN\n#WIN"));
            connection.log_out();
        }
        let status = program.wait().unwrap();
        assert_eq!(status.code(), Some(if leaves { 130 } else { 0 }));
    }
}

#[test]
fn errors_in_the_configuration_are_reported() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("csa.toml");
    let complaint = |text: &str| {
        fs::write(&file, text).unwrap();
        crate::program::stderr_of(command(&["csa", "--config"]).arg(&file))
    };
    assert!(complaint("[server]\nhots = 1\n").contains("csa.toml: line 2: "));
    assert!(complaint("").contains("server.host is missing"));
    let server = "[server]\nhost = \"localhost\"\nname = \"a\"\n";
    assert!(complaint(server).contains("server.password"));
    let option = format!("{server}password = \"x\"\n[engine.options]\nTreads = 1\n");
    assert!(complaint(&option).contains("no option is called"));
    // Regression: the workers were not told of such an option, and used one thread.
    for (option, why) in [
        ("Threads = 0", "csa.toml: option Threads is from 1 to 1024, not \"0\""),
        ("MultiPonderTime = 5", "csa.toml: MultiPonderTime is from 10 to 10000"),
        ("Treads = 1", "csa.toml: no option is called \"Treads\"; did you mean Threads?"),
    ] {
        let play = "password = \"x\"\n[play]\nmulti_ponder = 2\n[engine.options]\n";
        let text = complaint(&format!("{server}{play}{option}\n"));
        assert!(text.contains(why), "{text}");
    }
    let with = |arguments: &[&str]| {
        fs::write(&file, server).unwrap();
        crate::program::stderr_of(command(&["csa", "--config"]).arg(&file).args(arguments))
    };
    for (arguments, why) in [
        (["--port", "0"], "'0' for '--port <PORT>': this must be a whole number from 1 to 65535"),
        (["--name", "b c"], "the command line: --name must be"),
    ] {
        let text = with(&arguments);
        assert!(text.contains(why), "{text}");
        assert!(!text.contains("csa.toml"), "{text}");
    }
    let log = format!("{server}[engine.options]\nThinkingLog = \"x.log\"\n");
    let text = complaint(&log);
    assert!(text.contains("ThinkingLog have no effect here") && text.contains("server.password"));
}

/// Regression: it was started again, and at the third such answer the game was resigned.
#[cfg(unix)]
#[test]
fn an_engine_with_invalid_answers_plays_the_first_move_of_its_pv() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let script = "while read line; do case $line in usi) echo usiok;; isready) echo readyok;; \
                  go*) echo info depth 1 pv 2g2f 8c8d; echo bestmove pass;; quit) exit;; esac; done";
    let players = move || shell_engine(script, EngineTimeouts::default());
    let client = Client::start(&config(&server, &folder, "games = 1"), players);
    let mut connection = server.accept();
    connection.login();
    connection.propose("g", '+', "");
    assert_eq!(connection.read_line(), "+2726FU");
    connection.send_text("+2726FU,T1\n%TORYO\n#RESIGN\n#WIN");
    connection.log_out();
    let (result, seen) = client.end();
    result.unwrap();
    assert!(seen.contains("\"bestmove pass\" is not legal; another move is played"), "{seen}");
}

/// Regression: the client logged in, and played moves without a search.
#[test]
fn workers_that_cannot_start_are_reported_before_the_login() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let file = folder.path().join("csa.toml");
    let engine = "multi_ponder = 2\n[engine]\nworkers = [\"/no/such/engine -- Threads=4\"]\n";
    fs::write(&file, config(&server, &folder, engine)).unwrap();
    let output = command(&["csa", "--config"]).arg(&file).output().unwrap();
    assert!(!output.status.success() && !server.is_called());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("error: no worker can be started: worker "), "{error}");
}
