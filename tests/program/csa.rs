//! The client of CSA servers over real sockets, against servers that follow a script.

mod server;

use std::fs;
use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, bounded, unbounded};
use kawasemi::csa::player::{Ask, LocalPlayer, Order, Player, Terms, Told, UsiPlayer};
use kawasemi::csa::{Budget, ClientError, Clocks, Config, PlainView, run};
use kawasemi::engine::Settings;
use kawasemi::position::{Position, Setup};
use kawasemi::record::{ErrorPolicy, SpecialMove, read_bytes};
use kawasemi::types::ByColor;
use kawasemi::usi_client::{BestMove, EngineScore, EngineTimeouts, GameOver, LaunchConfig};
use server::{PATIENCE, Peer, Server};
use tempfile::{TempDir, tempdir};

const PASSWORD: &str = "hunter2";

/// Plays the first legal move at once.
struct Puppet(Sender<Told>, Receiver<Told>);

impl Player for Puppet {
    fn obey(&mut self, order: Order) {
        let told = match order {
            Order::Prepare(id, _) => Told::Ready(id),
            Order::Search(ask) if !ask.ponder => {
                let mut position = Position::from_setup(&ask.start).unwrap();
                ask.moves.iter().for_each(|&mv| _ = position.try_play(mv).unwrap());
                let best = position.legal_moves().moves().next().unwrap();
                Told::Answer(ask.id, BestMove::Move { best, ponder: None })
            }
            _ => return,
        };
        self.0.send(told).unwrap();
    }

    fn told(&self) -> &Receiver<Told> {
        &self.1
    }
}

fn puppet() -> Result<Box<dyn Player>, String> {
    let (sender, receiver) = unbounded();
    sender.send(Told::Started).unwrap();
    Ok(Box::new(Puppet(sender, receiver)))
}

/// What the user saw.
#[derive(Clone, Debug, Default)]
struct Seen(Arc<Mutex<Vec<u8>>>);

impl Write for Seen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A client under way.
struct Client {
    interrupts: Sender<()>,
    seen: Seen,
    thread: thread::JoinHandle<Result<(), ClientError>>,
}

impl Client {
    /// Plays with the players that `make` makes.
    fn start(
        config: &str,
        mut make: impl FnMut() -> Result<Box<dyn Player>, String> + Send + 'static,
    ) -> Client {
        let config = Config::read(config).unwrap();
        let (interrupts, interrupted) = bounded(4);
        let seen = Seen::default();
        let mut view = PlainView::new(seen.clone());
        let thread = thread::spawn(move || run(&config, &mut make, &interrupted, &mut view));
        Client { interrupts, seen, thread }
    }

    /// Waits until what the user has seen is as it should be.
    fn until(&self, is_seen: impl Fn(&str) -> bool) {
        let begun = Instant::now();
        while !is_seen(&String::from_utf8_lossy(&self.seen.0.lock().unwrap())) {
            assert!(begun.elapsed() < PATIENCE);
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// How it ended, and what the user saw.
    fn end(self) -> (Result<(), ClientError>, String) {
        let result = self.thread.join().unwrap();
        (result, String::from_utf8(self.seen.0.lock().unwrap().clone()).unwrap())
    }
}

/// The bytes of every file in a folder, by the ending of its name.
fn files(folder: &TempDir, ending: &str) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
    paths.sort();
    paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
}

/// The configuration for a server, with these lines under `[play]` and behind it.
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

/// A server's side of a game in which the client moves once and the opponent resigns.
fn short_game(peer: &mut Peer, id: &str) {
    peer.propose(id, '+', "");
    let line = peer.hear();
    peer.say(&format!("{line},T1\n%TORYO\n#RESIGN\n#WIN"));
}

#[test]
fn game_follows_game_with_a_login_for_each_and_all_are_kept() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, "games = 2"), puppet);
    for id in ["first", "second"] {
        let mut peer = server.accept();
        assert_eq!(peer.hear(), format!("LOGIN kawasemi {PASSWORD}"));
        peer.say("LOGIN:kawasemi OK");
        short_game(&mut peer, id);
    }
    let (result, seen) = client.end();
    result.unwrap();
    assert!(seen.contains("won by resignation, after 1 moves"), "{seen}");
    for ending in ["csa", "kif"] {
        let files = files(&folder, ending);
        assert_eq!(files.len(), 2);
        for bytes in files {
            let game = read_bytes(&bytes, None, ErrorPolicy::Refuse).unwrap().1.games.remove(0);
            assert_eq!(game.main_moves().count(), 1);
            assert_eq!(game.ending(), Some(&SpecialMove::Resign));
        }
    }
}

#[test]
fn a_connection_that_breaks_is_opened_again() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, "games = 1"), puppet);
    // Closed with its login unread it would be reset.
    server.accept().hear();
    let mut peer = server.accept();
    peer.login();
    peer.propose("broken", '+', "");
    peer.hear();
    // In the middle of a game.
    drop(peer);
    let mut peer = server.accept();
    peer.login();
    short_game(&mut peer, "whole");
    peer.take_leave();
    let (result, seen) = client.end();
    result.unwrap();
    assert_eq!(seen.matches("no connection: the server has closed it").count(), 2, "{seen}");
    assert_eq!(files(&folder, "csa").len(), 2);
}

#[test]
fn a_server_that_is_not_there_is_tried_until_the_user_has_enough() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let config = config(&server, &folder, "");
    drop(server);
    let client = Client::start(&config, puppet);
    client.until(|seen| seen.matches("connecting").count() >= 2);
    client.interrupts.send(()).unwrap();
    let (result, seen) = client.end();
    result.unwrap();
    assert!(seen.contains("no connection: "), "{seen}");
}

#[test]
fn pauses_grow_even_from_a_single_second() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, ""), puppet);
    drop(server.accept());
    client.until(|seen| seen.contains("next attempt in 1 s"));
    drop(server.accept());
    client.until(|seen| seen.contains("next attempt in 2 s"));
    client.interrupts.send(()).unwrap();
    client.end().0.unwrap();
}

/// It said that there was no connection, and came back after the first pause again and again.
#[test]
fn who_must_reject_every_game_says_so_and_waits_longer_each_time() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let text = config(&server, &folder, "");
    let text = text.replace("[records]", "game = \"n-300-10F\"\nextended = true\n[records]");
    let client = Client::start(&text, puppet);
    for pause in ["next attempt in 1 s", "next attempt in 2 s"] {
        let mut peer = server.accept();
        peer.login();
        for _ in 0..3 {
            assert_eq!(peer.hear(), "%%GAME n-300-10F *");
            peer.say("BEGIN Game_Summary\nGame_ID:a\nFormat:Go 1.0\nEND Game_Summary");
            assert_eq!(peer.hear(), "REJECT a");
            peer.say("REJECT:a by kawasemi");
        }
        assert_eq!(peer.hear(), "LOGOUT");
        peer.say("LOGOUT:completed");
        client.until(|seen| seen.contains(pause));
    }
    client.interrupts.send(()).unwrap();
    let (result, seen) = client.end();
    result.unwrap();
    assert_eq!(seen.matches("! no game that was proposed could be played").count(), 2, "{seen}");
    assert!(!seen.contains("no connection"), "{seen}");
}

#[test]
fn a_login_that_was_never_right_is_the_end() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, ""), puppet);
    let mut peer = server.accept();
    peer.hear();
    peer.say("LOGIN:incorrect");
    let error = client.end().0.unwrap_err();
    assert!(matches!(error, ClientError::Refused), "{error}");
}

/// After a power failure in a game only the password was blamed.
#[test]
fn a_refused_login_may_be_that_of_a_name_that_is_there_already() {
    let told = ClientError::Refused.to_string();
    assert!(told.contains("password") && told.contains("still logged in"), "{told}");
}

#[test]
fn a_folder_for_records_that_cannot_be_made_is_said_before_the_first_game() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let usual = format!("folder = '{}'", folder.path().display());
    let text = config(&server, &folder, "");
    let error = |place: &str| {
        let text = text.replace(&usual, &format!("folder = '{}{place}'", file.display()));
        Client::start(&text, puppet).end().0.unwrap_err()
    };
    let told = format!("the folder for records, {}, is not a folder", file.display());
    assert_eq!(error("").to_string(), told);
    let error = error("/games");
    let ClientError::Place(place, _) = &error else { panic!("{error}") };
    assert_eq!(*place, file.join("games"));
}

#[test]
fn a_game_that_cannot_be_saved_is_told_and_leaves_no_success() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let usual = format!("folder = '{}'", folder.path().display());
    let games = folder.path().join("games");
    let text = config(&server, &folder, "games = 1\n");
    let text = text.replace(&usual, &format!("folder = '{}'", games.display()));
    let client = Client::start(&text, puppet);
    let mut peer = server.accept();
    peer.login();
    fs::remove_dir(&games).unwrap();
    fs::write(&games, "").unwrap();
    short_game(&mut peer, "lost");
    peer.hear_all();
    let (result, seen) = client.end();
    let error = result.unwrap_err();
    assert!(matches!(error, ClientError::Unsaved(1)), "{error}");
    assert!(seen.contains("not saved: "), "{seen}");
}

#[test]
fn the_password_is_seen_by_nobody_even_if_the_server_repeats_it() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, "games = 1"), puppet);
    let mut peer = server.accept();
    let line = peer.hear();
    assert!(line.contains(PASSWORD));
    peer.say(&format!("unknown command {line}\n##[ERROR] {line}\nLOGIN:kawasemi OK\n'{line}"));
    short_game(&mut peer, "game");
    peer.take_leave();
    let (result, seen) = client.end();
    result.unwrap();
    let log = String::from_utf8(files(&folder, "log").remove(0)).unwrap();
    for text in [&seen, &log] {
        assert!(!text.contains(PASSWORD), "{text}");
        assert!(text.contains("LOGIN kawasemi *****"), "{text}");
    }
    assert!(log.contains(" > AGREE game\n") && log.contains(" < #WIN\n"), "{log}");
}

#[test]
fn bytes_that_are_no_text_and_lines_without_end_are_survived() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, "games = 1"), puppet);
    let mut peer = server.accept();
    peer.login();
    peer.send(&[0xff, 0x00, 0xa4, 0xb3, b'\r', b'\n', b'\n']);
    peer.send(&vec![b'x'; 1 << 20]);
    peer.say("\n##[CHAT][a]\u{1b}[2J hello");
    short_game(&mut peer, "game");
    peer.take_leave();
    let (result, seen) = client.end();
    result.unwrap();
    assert!(seen.contains("server: [CHAT][a]?[2J hello") && !seen.contains('\u{1b}'), "{seen}");
}

#[test]
fn the_first_interrupt_ends_after_the_game_and_the_second_at_once() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let text = config(&server, &folder, "");
    let client = Client::start(&text, puppet);
    let mut peer = server.accept();
    peer.login();
    peer.propose("last", '+', "");
    let line = peer.hear();
    client.interrupts.send(()).unwrap();
    peer.say(&format!("{line},T1\n%TORYO\n#RESIGN\n#WIN"));
    peer.take_leave();
    client.end().0.unwrap();

    let client = Client::start(&text, puppet);
    let mut peer = server.accept();
    peer.login();
    peer.propose("never over", '+', "");
    // Its move shows that the game has begun: before it one interrupt would be the end.
    peer.hear();
    client.interrupts.send(()).unwrap();
    client.interrupts.send(()).unwrap();
    client.end().0.unwrap();
    // Nothing was resigned, and the record is kept.
    assert_eq!(peer.hear_all(), Vec::<String>::new());
    assert_eq!(files(&folder, "csa").len(), 2);
}

/// An engine that plays one move, and does not end when it is told to quit.
#[cfg(unix)]
fn one_that_stays() -> Result<Box<dyn Player>, String> {
    let script = "while read line; do case $line in usi) echo usiok;; isready) echo readyok;; \
                  go*) echo bestmove 7g7f;; quit) sleep 1000;; esac; done";
    let command = ["sh", "-c", script].map(Into::into).into();
    let launch = LaunchConfig { command, own_group: true, ..LaunchConfig::default() };
    let patience = EngineTimeouts { quit: Duration::from_secs(600), ..EngineTimeouts::default() };
    Ok(Box::new(UsiPlayer::open(launch, patience).unwrap()))
}

#[cfg(unix)]
#[test]
fn the_second_interrupt_ends_an_engine_that_idles_at_once_too() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, ""), one_that_stays);
    let mut peer = server.accept();
    peer.login();
    peer.propose("never over", '+', "");
    let line = peer.hear();
    peer.say(&format!("{line},T1"));
    let begun = Instant::now();
    client.interrupts.send(()).unwrap();
    client.interrupts.send(()).unwrap();
    client.end().0.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[test]
fn an_engine_that_cannot_start_is_told_and_ends_the_client() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, ""), || {
        let launch =
            LaunchConfig { command: vec!["/no/such/engine".into()], ..LaunchConfig::default() };
        Ok(Box::new(UsiPlayer::open(launch, EngineTimeouts::default()).unwrap()))
    });
    let error = client.end().0.unwrap_err();
    assert!(error.to_string().contains("cannot start it"), "{error}");
    assert!(!server.is_called(), "a login without an engine");
}

/// It was told when the first game was proposed, which it was to be played with.
#[test]
fn a_network_that_is_not_there_is_told_before_the_login_and_keeps_nobody_from_it() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, ""), || {
        let settings = Settings { eval_file: Some("no/such/nn.bin".into()), ..settings() };
        Ok(Box::new(LocalPlayer::open(settings).unwrap()))
    });
    drop(server.accept());
    client.until(|seen| seen.contains("next attempt in 1 s"));
    client.interrupts.send(()).unwrap();
    let (result, seen) = client.end();
    result.unwrap();
    let before = seen.split("connecting to").next().unwrap();
    assert!(before.contains("engine: error: ") && before.contains("nn.bin"), "{seen}");
}

/// A USI engine that does this to get ready.
#[cfg(unix)]
fn readying(script: &str) -> Result<Box<dyn Player>, String> {
    let script = format!(
        "while read line; do case $line in usi) echo usiok;; isready) {script};; esac; done"
    );
    let command = ["sh", "-c", &script].map(Into::into).into();
    let launch = LaunchConfig { command, own_group: true, ..LaunchConfig::default() };
    Ok(Box::new(UsiPlayer::open(launch, EngineTimeouts::default()).unwrap()))
}

#[cfg(unix)]
#[test]
fn an_engine_that_cannot_get_ready_is_told_before_the_login() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let make = || readying("echo info string Error! no nn.bin; exit 1");
    let error = Client::start(&config(&server, &folder, ""), make).end().0.unwrap_err();
    let told = error.to_string();
    assert!(told.starts_with("the engine cannot play: ") && told.contains("no nn.bin"), "{told}");
    assert!(!server.is_called(), "a login without an engine");
}

#[cfg(unix)]
#[test]
fn nobody_needs_to_wait_for_an_engine_that_does_not_get_ready() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, ""), || readying("sleep 1000"));
    client.until(|seen| seen.contains("getting the engine ready"));
    let begun = Instant::now();
    client.interrupts.send(()).unwrap();
    client.end().0.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(60) && !server.is_called());
}

type Make = fn() -> Result<Box<dyn Player>, String>;

/// Plays some moves with a second for each, over a network that holds every line up; the longest
/// that a move of the client took by the server's clock. A machine that other guests share may be
/// slow for a whole game, but hardly for ten; who thinks too long does so in all of them.
fn longest_move(delay: Duration, make: Make) -> Duration {
    let mut longest = Duration::MAX;
    for _ in 0..10 {
        longest = longest.min(longest_move_of_a_game(delay, make));
        if longest < Duration::from_secs(1) {
            break;
        }
    }
    longest
}

fn longest_move_of_a_game(delay: Duration, make: Make) -> Duration {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, "games = 1\nponder = true"), make);
    let mut peer = server.accept();
    peer.delay = delay;
    peer.login();
    peer.propose("timed", '+', "BEGIN Time\nTotal_Time:0\nByoyomi:1\nEND Time");
    let longest = peer.play(3);
    peer.say("%TORYO\n#RESIGN\n#WIN");
    peer.take_leave();
    client.end().0.unwrap();
    longest
}

fn settings() -> Settings {
    Settings { threads: 1, hash_mb: 1, eval_dir: None, book_file: None, ..Settings::default() }
}

fn local() -> Result<Box<dyn Player>, String> {
    Ok(Box::new(LocalPlayer::open(settings()).unwrap()))
}

fn usi() -> Result<Box<dyn Player>, String> {
    let options = [("Threads", "1"), ("USI_Hash", "1"), ("EvalDir", ""), ("BookFile", "no_book")];
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let command = vec![env!("CARGO_BIN_EXE_kawasemi").into()];
    let options = options.into();
    let launch = LaunchConfig { command, options, ..LaunchConfig::default() };
    Ok(Box::new(UsiPlayer::open(launch, EngineTimeouts::default()).unwrap()))
}

/// One after the other, so that no game is in the way of another.
#[test]
fn no_time_is_lost_with_a_second_for_each_move() {
    let (no_delay, delay) = (Duration::ZERO, Duration::from_millis(100));
    // Of the second is used what the network leaves. On the slow one that was once taken off twice.
    let games: [(Duration, Make, u64); 3] =
        [(no_delay, local, 500), (delay, local, 600), (delay, usi, 0)];
    for (delay, make, least) in games {
        let longest = longest_move(delay, make);
        assert!(longest < Duration::from_secs(1), "{delay:?}: {longest:?}");
        assert!(longest > Duration::from_millis(least), "{delay:?}: {longest:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_engine_that_hangs_while_its_move_is_known_loses_no_game() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let client = Client::start(&config(&server, &folder, "games = 1"), || {
        let script = "while read -r line; do case $line in
            usi) echo usiok;;
            isready) echo readyok;;
            go*) echo info depth 1 score cp 5 pv 2g2f 8c8d;;
            esac; done";
        let command = ["sh", "-c", script].map(Into::into).into();
        let launch = LaunchConfig { command, ..LaunchConfig::default() };
        Ok(Box::new(UsiPlayer::open(launch, EngineTimeouts::default()).unwrap()))
    });
    let mut peer = server.accept();
    peer.login();
    peer.propose("hangs", '+', "BEGIN Time\nByoyomi:1\nEND Time");
    let begun = Instant::now();
    assert_eq!(peer.hear(), "+2726FU,'* 5 -8384FU");
    // Far from what a player has after the word to stop, even on a busy machine.
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    peer.say("+2726FU,T0\n%TORYO\n#RESIGN\n#WIN");
    peer.take_leave();
    client.end().0.unwrap();
}

/// The next that is no thought.
fn next(player: &dyn Player) -> Told {
    loop {
        match player.told().recv_timeout(PATIENCE).unwrap() {
            Told::Started | Told::Thought(..) | Told::Remark(_) => {}
            told => return told,
        }
    }
}

#[test]
fn every_player_obeys_every_order() {
    for mut player in [local().unwrap(), usi().unwrap()] {
        let budget = Budget { byoyomi: Duration::from_millis(300), ..Budget::default() };
        let sides = ByColor([budget; 2]);
        let clocks = Clocks { sides, whole: sides, overhead: Duration::ZERO };
        let ask = |id, moves: &str, ponder| {
            let moves = moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
            let (start, received) = (Setup::startpos(), Instant::now());
            Order::Search(Box::new(Ask { id, start, moves, clocks, ponder, received }))
        };
        let unit = Duration::from_millis(1);
        let terms = Terms { max_moves: None, unit, least: Duration::ZERO };
        assert_eq!(player.told().recv_timeout(PATIENCE), Ok(Told::Started));
        player.obey(Order::Prepare(0, terms));
        assert_eq!(next(player.as_ref()), Told::Ready(0));
        player.obey(ask(1, "7g7f", false));
        let mut thoughts = 0;
        while let Told::Thought(id, thought) = player.told().recv_timeout(PATIENCE).unwrap() {
            assert!(id == 1 && thought.score.is_some() && !thought.line.is_empty());
            thoughts += 1;
        }
        assert!(thoughts > 0);
        // Another move than expected; then a hit; then nobody wants to know.
        player.obey(ask(2, "7g7f 3c3d", true));
        player.obey(ask(3, "7g7f 8c8d", false));
        assert!(matches!(next(player.as_ref()), Told::Answer(3, BestMove::Move { .. })));
        player.obey(ask(4, "7g7f 3c3d", true));
        player.obey(Order::PonderHit { id: 4, clocks, received: Instant::now() });
        assert!(matches!(next(player.as_ref()), Told::Answer(4, BestMove::Move { .. })));
        player.obey(ask(5, "7g7f 3c3d", true));
        player.obey(Order::Abandon);
        player.obey(ask(6, "7g7f 3c3d", true));
        player.obey(Order::Stop);
        assert!(matches!(next(player.as_ref()), Told::Answer(6, BestMove::Move { .. })));
        // The next game while a search still ends.
        player.obey(ask(7, "7g7f 3c3d", true));
        player.obey(Order::GameOver(GameOver::Draw));
        player.obey(Order::Prepare(8, terms));
        assert_eq!(next(player.as_ref()), Told::Ready(8));
        player.obey(ask(9, "", false));
        assert!(matches!(next(player.as_ref()), Told::Answer(9, BestMove::Move { .. })));
    }
}

#[test]
fn a_limit_of_moves_in_one_game_is_none_in_the_next() {
    let mut player = local().unwrap();
    let sides = ByColor([Budget { byoyomi: Duration::from_millis(200), ..Budget::default() }; 2]);
    let clocks = Clocks { sides, whole: sides, overhead: Duration::ZERO };
    // White has neither rook nor bishop; but the first move may be the last.
    let start = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let start = Position::from_sfen(start).unwrap().setup();
    for (id, max_moves) in [(1, Some(1)), (2, None)] {
        let unit = Duration::from_millis(1);
        player.obey(Order::Prepare(0, Terms { max_moves, unit, least: Duration::ZERO }));
        assert_eq!(next(player.as_ref()), Told::Ready(0));
        let (start, received) = (start.clone(), Instant::now());
        let ask = Ask { id, start, moves: Vec::new(), clocks, ponder: false, received };
        player.obey(Order::Search(Box::new(ask)));
        let mut score = None;
        while let Told::Thought(_, thought) = player.told().recv_timeout(PATIENCE).unwrap() {
            score = thought.score;
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
    let text = config(&server, &folder, "").replace(&format!("\"{PASSWORD}\""), "\"${HIDDEN}\"");
    let text =
        text.replace("password = \"${HIDDEN}\"", "password_env = \"KAWASEMI_TEST_PASSWORD\"");
    let engine =
        "[engine.options]\nThreads = 1\nUSI_Hash = 1\nEvalDir = \"\"\nBookFile = \"no_book\"\n";
    fs::write(&file, format!("{text}\n{engine}")).unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_kawasemi"))
        .args(["csa", "--games", "1", "--config"])
        .arg(&file)
        .args(arguments)
        .env("KAWASEMI_TEST_PASSWORD", PASSWORD)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut peer = server.accept();
    assert_eq!(peer.hear(), format!("LOGIN kawasemi {PASSWORD}"));
    peer.say("LOGIN:kawasemi OK");
    peer.propose(name, '+', "BEGIN Time\nTime_Unit:100msec\nByoyomi:20\nEND Time");
    let line = peer.hear();
    let (mv, comment) = line.split_once(",'* ").expect("a score goes with the move");
    assert!(mv.starts_with('+') && comment.split(' ').next().unwrap().parse::<i64>().is_ok());
    peer.say(&format!("{mv},T0.4\n%TORYO\n#RESIGN\n#WIN"));
    peer.take_leave();
    assert!(program.wait().unwrap().success());
    let mut seen = String::new();
    io::Read::read_to_string(&mut program.stdout.take().unwrap(), &mut seen).unwrap();
    assert!(seen.contains(&format!("1 {mv} (0.4 s)")) && seen.contains(" depth "), "{seen}");
    assert_eq!((files(&folder, "csa").len(), files(&folder, "kif").len()), (1, 1));
}

#[test]
fn the_program_says_what_is_wrong_with_its_configuration() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("csa.toml");
    let complaint = |text: &str| {
        fs::write(&file, text).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_kawasemi"))
            .args(["csa", "--config"])
            .arg(&file)
            .output()
            .unwrap();
        assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(complaint("[server]\nhots = 1\n").contains("csa.toml: line 2: "));
    assert!(complaint("").contains("server.host is missing"));
    let server = "[server]\nhost = \"localhost\"\nname = \"a\"\n";
    assert!(complaint(server).contains("server.password"));
    let option = format!("{server}password = \"x\"\n[engine.options]\nTreads = 1\n");
    assert!(complaint(&option).contains("no option is called"));
    let with = |arguments: &[&str]| {
        fs::write(&file, server).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_kawasemi"));
        command.args(["csa", "--config"]).arg(&file).args(arguments);
        String::from_utf8(command.output().unwrap().stderr).unwrap()
    };
    for (arguments, wrong) in [(["--port", "0"], "server.port"), (["--name", "b c"], "server.name")]
    {
        let text = with(&arguments);
        assert!(text.contains(&format!("the command line: {wrong} must be")), "{text}");
        assert!(!text.contains("csa.toml"), "{text}");
    }
    let log = format!("{server}[engine.options]\nThinkingLog = \"x.log\"\n");
    let text = complaint(&log);
    assert!(text.contains("ThinkingLog have no effect here") && text.contains("server.password"));
}

/// It logged in, and played moves that nobody had searched for.
#[test]
fn workers_of_which_none_can_be_started_are_told_before_the_login() {
    let (server, folder) = (Server::open(), tempdir().unwrap());
    let file = folder.path().join("csa.toml");
    let engine = "multi_ponder = 2\n[engine]\nworkers = [\"/no/such/engine -- Threads=4\"]\n";
    fs::write(&file, config(&server, &folder, engine)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kawasemi"));
    let output = command.args(["csa", "--config"]).arg(&file).output().unwrap();
    assert!(!output.status.success() && !server.is_called());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("error: no worker can be started: worker "), "{error}");
}
