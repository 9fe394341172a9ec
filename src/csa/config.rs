//! What the user has written into the configuration file, and what is wrong with it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use super::game::Manner;
use super::secret::{Secret, UNSOUND};
use super::session::Plan;

/// A configuration, as `docs/csa.md` describes it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    pub server: ServerConfig,
    pub play: PlayConfig,
    pub engine: EngineConfig,
    pub records: RecordsConfig,
    pub log: LogConfig,
}

/// The server, and who we are there.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ServerConfig {
    pub host: String,
    pub port: u16,
    pub name: String,
    /// At most one of the three says the password.
    pub password: Option<Secret>,
    /// The environment variable that holds it.
    pub password_env: Option<String>,
    /// The file whose first line it is.
    pub password_file: Option<PathBuf>,
    /// The name of the game that is wished for, such as `floodgate-300-10F`.
    pub game: Option<String>,
    /// Speak the extended mode of shogi-server.
    pub extended: bool,
    /// In the extended mode the colour that is wished for.
    pub color: ColorWish,
    /// The silence after which a sign of life is sent; 0 for never.
    pub keep_alive_s: u64,
    /// Counts outside the extended mode.
    pub logout_after_game: bool,
}

impl Default for ServerConfig {
    fn default() -> ServerConfig {
        ServerConfig {
            host: String::new(),
            port: 4081,
            name: String::new(),
            password: None,
            password_env: None,
            password_file: None,
            game: None,
            extended: false,
            color: ColorWish::Any,
            keep_alive_s: 40,
            logout_after_game: true,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColorWish {
    #[default]
    Any,
    Black,
    White,
}

/// How to play.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlayConfig {
    /// How many games; 0 for no end.
    pub games: u32,
    pub ponder: bool,
    /// How many workers ponder on different replies; 0 for one engine alone.
    pub multi_ponder: u16,
    /// Send score and line with each move.
    pub comments: bool,
    /// Kept back of every move's time besides what the network takes.
    pub margin_ms: u64,
    /// From a failure to the next attempt, at first; longer after each further failure.
    pub relogin_s: u64,
}

impl Default for PlayConfig {
    fn default() -> PlayConfig {
        PlayConfig {
            games: 0,
            ponder: false,
            multi_ponder: 0,
            comments: true,
            margin_ms: 200,
            relogin_s: 10,
        }
    }
}

/// The player.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EngineConfig {
    /// Program and arguments of a USI engine; empty for the engine of this program.
    pub command: Vec<String>,
    pub directory: Option<PathBuf>,
    /// Commands of the workers of `play.multi_ponder`, each in one text; none for this program.
    pub workers: Vec<String>,
    pub options: BTreeMap<String, OptionValue>,
}

/// The value of a USI option.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "a USI option is true, false, a whole number or a text in quotes")]
pub enum OptionValue {
    Check(bool),
    Spin(i64),
    Text(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Check(value) => value.fmt(f),
            OptionValue::Spin(value) => value.fmt(f),
            OptionValue::Text(value) => value.fmt(f),
        }
    }
}

/// Where games are kept.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecordsConfig {
    /// `None` for nowhere.
    pub folder: Option<PathBuf>,
    pub csa: bool,
    pub kif: bool,
}

impl Default for RecordsConfig {
    fn default() -> RecordsConfig {
        RecordsConfig { folder: Some("games".into()), csa: true, kif: true }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LogConfig {
    /// Where all lines to and from the server go, without the password.
    pub file: Option<PathBuf>,
}

/// What is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// The line, from 1, and what is wrong there.
    Text {
        line: usize,
        message: String,
    },
    Missing(&'static str),
    /// The key, and what it must be.
    Value(&'static str, &'static str),
    /// Nothing says the password, or more than one thing does.
    Password(String),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::Text { line, message } => write!(f, "line {line}: {message}"),
            ConfigError::Missing(key) => write!(f, "{key} is missing"),
            ConfigError::Value(key, must) => write!(f, "{key} {must}"),
            ConfigError::Password(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ConfigError {}

/// The longest name of a player or a game that servers take.
const LONGEST_NAME: usize = 32;
/// Servers forbid signs of life that follow each other sooner.
const SHORTEST_KEEP_ALIVE_S: u64 = 30;
/// The most workers of one engine.
const MOST_WORKERS: u16 = 256;
/// A day: no length of time in the file may be longer.
const LONGEST_S: u64 = 86_400;

impl Config {
    /// Reads a file's text.
    ///
    /// # Errors
    /// The line that is wrong. The message never shows a password.
    pub fn read(text: &str) -> Result<Config, ConfigError> {
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let start = error.span().map_or(0, |span| span.start.min(text.len()));
            let before = &text.as_bytes()[..start];
            let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
            let wrong = text.lines().nth(line - 1).unwrap_or_default();
            let message = if error.message().contains(UNSOUND) {
                UNSOUND.into()
            } else if wrong.to_ascii_lowercase().contains("password") {
                "this must be a text in quotes (single ones around a \\), and nothing else".into()
            } else {
                error.message().to_owned()
            };
            ConfigError::Text { line, message }
        })
    }

    /// Whether a game can be played with it.
    ///
    /// # Errors
    /// The first value that no server would take.
    pub fn check(&self) -> Result<(), ConfigError> {
        let ServerConfig { host, port, name, game, extended, keep_alive_s, .. } = &self.server;
        if host.trim().is_empty() {
            return Err(ConfigError::Missing("server.host"));
        }
        if *port == 0 {
            return Err(ConfigError::Value("server.port", "must be 1 to 65535"));
        }
        if name.is_empty() {
            return Err(ConfigError::Missing("server.name"));
        }
        if !is_name(name) {
            let must = "must be 1 to 32 letters, digits, or any of _ @ . -";
            return Err(ConfigError::Value("server.name", must));
        }
        if game.as_ref().is_some_and(|game| !is_word(game) || game.contains(',')) {
            return Err(ConfigError::Value("server.game", "must be a word without blank or comma"));
        }
        if *extended && game.is_none() {
            return Err(ConfigError::Missing("server.game, which the extended mode asks for,"));
        }
        if !(*keep_alive_s == 0 || (SHORTEST_KEEP_ALIVE_S..=LONGEST_S).contains(keep_alive_s)) {
            return Err(ConfigError::Value("server.keep_alive_s", "must be 0 or 30 to 86400"));
        }
        self.check_workers()?;
        if self.play.margin_ms > LONGEST_S * 1000 {
            return Err(ConfigError::Value("play.margin_ms", "must be 0 to 86400000"));
        }
        if !(1..=LONGEST_S).contains(&self.play.relogin_s) {
            return Err(ConfigError::Value("play.relogin_s", "must be 1 to 86400"));
        }
        Ok(())
    }

    fn check_workers(&self) -> Result<(), ConfigError> {
        let (count, EngineConfig { command, workers, .. }) = (self.play.multi_ponder, &self.engine);
        if count > MOST_WORKERS {
            return Err(ConfigError::Value("play.multi_ponder", "must be 0 to 256"));
        }
        if count > 0 && !command.is_empty() {
            let must = "must be 0 with engine.command; name other engines in engine.workers";
            return Err(ConfigError::Value("play.multi_ponder", must));
        }
        if workers.len() > usize::from(count) {
            let must = "must not be more than play.multi_ponder says";
            return Err(ConfigError::Value("engine.workers", must));
        }
        Ok(())
    }

    /// Whether the player thinks on the opponent's time.
    pub fn ponders(&self) -> bool {
        self.play.ponder || self.play.multi_ponder > 0
    }

    /// The line to log in by, password and all.
    pub(super) fn login_line(&self, password: Option<&Secret>) -> String {
        let ServerConfig { name, game, extended, .. } = &self.server;
        let password = password.map_or("", Secret::reveal);
        if *extended {
            return format!("LOGIN {name} {password} x1");
        }
        // Servers take the game from what stands in the password's place.
        match game {
            Some(game) if password.is_empty() => format!("LOGIN {name} {game}"),
            Some(game) => format!("LOGIN {name} {game},{password}"),
            None => format!("LOGIN {name} {password}"),
        }
    }

    /// What a session is to do.
    pub(super) fn plan(&self) -> Plan {
        let ServerConfig { game, extended, color, keep_alive_s, logout_after_game, .. } =
            &self.server;
        let color = match color {
            ColorWish::Any => "*",
            ColorWish::Black => "+",
            ColorWish::White => "-",
        };
        let game = game.as_ref().filter(|_| *extended);
        Plan {
            manner: Manner { ponder: self.ponders(), comments: self.play.comments },
            challenge: game.map(|game| format!("%%GAME {game} {color}")),
            logout: *logout_after_game && !*extended,
            keep_alive: Duration::from_secs(*keep_alive_s),
            margin: Duration::from_millis(self.play.margin_ms),
        }
    }
}

fn is_name(text: &str) -> bool {
    let known = |c: u8| c.is_ascii_alphanumeric() || b"_@.-".contains(&c);
    !text.is_empty() && text.len() <= LONGEST_NAME && text.bytes().all(known)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|c| c.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: &str = "[server]\nhost = \"localhost\"\nname = \"kawasemi\"\n";

    #[test]
    fn the_example_is_understood_and_shows_every_key() {
        let text = include_str!("../../docs/csa.example.toml");
        let config = Config::read(text).unwrap();
        assert_eq!(config.check(), Ok(()));
        // What is only shown is marked by `#key = value`.
        let whole = text.lines().map(|line| {
            let bare = line.strip_prefix('#').filter(|bare| !bare.starts_with(' '));
            bare.unwrap_or(line)
        });
        let whole = whole.collect::<Vec<_>>().join("\n");
        Config::read(&whole).unwrap();
        let keys = [
            "host",
            "port",
            "name",
            "password",
            "password_env",
            "password_file",
            "game",
            "extended",
            "color",
            "keep_alive_s",
            "logout_after_game",
            "games",
            "ponder",
            "multi_ponder",
            "comments",
            "margin_ms",
            "relogin_s",
            "command",
            "directory",
            "workers",
            "options",
            "folder",
            "csa",
            "kif",
            "file",
        ];
        let manual = include_str!("../../docs/csa.md");
        for key in keys {
            let given = |line: &str| line.starts_with(key) || line.contains(&format!(".{key}]"));
            assert!(whole.lines().any(given), "the example lacks {key}");
            assert!(manual.contains(&format!("| `{key}`")), "docs/csa.md lacks {key}");
        }
    }

    #[test]
    fn little_must_be_said() {
        let config = Config::read(LEAST).unwrap();
        assert_eq!(config.check(), Ok(()));
        assert_eq!((config.server.port, config.server.keep_alive_s), (4081, 40));
        assert_eq!(Config::default().check(), Err(ConfigError::Missing("server.host")));
    }

    #[test]
    fn mistakes_are_told_with_their_line_but_no_password() {
        let error = |text: &str| Config::read(text).unwrap_err().to_string();
        let text = error(&format!("{LEAST}hots = 1\n"));
        assert!(text.starts_with("line 4: ") && text.contains("hots"), "{text}");
        for password in ["password = hunter2", "password = 123456", "password = \"123456"] {
            let text = error(&format!("{LEAST}{password}\n"));
            assert!(text.starts_with("line 4: "), "{text}");
            assert!(!text.contains("hunter2") && !text.contains("123456"), "{text}");
        }
        for password in ["sek rit", "", "\u{8a9e}"] {
            let text = error(&format!("{LEAST}password = \"{password}\"\n"));
            assert_eq!(text, "line 4: a password is printable ASCII without blanks");
        }
        let config = Config::read(&format!("{LEAST}password = \"123456\"\n")).unwrap();
        assert!(!format!("{config:?}").contains("123456"));
    }

    #[test]
    fn a_path_of_windows_stands_in_single_quotes() {
        let read = |path: &str| Config::read(&format!("{LEAST}password_file = {path}\n"));
        let config = read(r"'C:\nets\word.txt'").unwrap();
        assert_eq!(config.server.password_file, Some(PathBuf::from(r"C:\nets\word.txt")));
        let error = read(r#""C:\Users\word.txt""#).unwrap_err().to_string();
        assert!(error.starts_with("line 4: ") && error.contains("single ones"), "{error}");
    }

    #[test]
    fn what_no_server_takes_is_refused() {
        let check = |more: &str| {
            let text = format!("{LEAST}{more}\n");
            Config::read(&text).unwrap().check().unwrap_err().to_string()
        };
        assert!(check("game = \"a b\"").starts_with("server.game"));
        assert!(check("extended = true").starts_with("server.game"));
        assert!(check("keep_alive_s = 29").starts_with("server.keep_alive_s"));
        assert!(check("[play]\nrelogin_s = 0").starts_with("play.relogin_s"));
        let margin = check("[play]\nmargin_ms = 86_400_001");
        assert_eq!(margin, "play.margin_ms must be 0 to 86400000");
        let long = LEAST.replace("kawasemi", "kawasemi at home");
        let error = Config::read(&long).unwrap().check().unwrap_err();
        assert!(error.to_string().starts_with("server.name must be"), "{error}");
    }

    #[test]
    fn several_workers_ponder_without_being_asked_and_are_no_other_engine() {
        let read = |more: &str| Config::read(&format!("{LEAST}{more}\n")).unwrap();
        let config = read("[play]\nmulti_ponder = 3\n[engine]\nworkers = [\"ssh a kawasemi\"]");
        assert_eq!(config.check(), Ok(()));
        assert!(config.plan().manner.ponder);
        assert!(!read("").plan().manner.ponder);
        let error = |more: &str| read(more).check().unwrap_err().to_string();
        let engine = "[play]\nmulti_ponder = 3\n[engine]\ncommand = [\"other\"]";
        assert!(error(engine).starts_with("play.multi_ponder must be 0 with engine.command"));
        assert!(error("[engine]\nworkers = [\"a\"]").starts_with("engine.workers must not"));
        assert!(error("[play]\nmulti_ponder = 257").starts_with("play.multi_ponder must be 0 to"));
    }

    #[test]
    fn the_game_stands_where_servers_look_for_it() {
        let secret = Secret::new("pass").unwrap();
        let mut config = Config::read(LEAST).unwrap();
        let line = |config: &Config, secret| config.login_line(secret);
        assert_eq!(line(&config, Some(&secret)), "LOGIN kawasemi pass");
        config.server.game = Some("floodgate-300-10F".into());
        assert_eq!(line(&config, Some(&secret)), "LOGIN kawasemi floodgate-300-10F,pass");
        assert_eq!(line(&config, None), "LOGIN kawasemi floodgate-300-10F");
        assert_eq!((config.plan().challenge, config.plan().logout), (None, true));
        (config.server.extended, config.server.color) = (true, ColorWish::White);
        assert_eq!(line(&config, Some(&secret)), "LOGIN kawasemi pass x1");
        assert_eq!(config.plan().challenge.unwrap(), "%%GAME floodgate-300-10F -");
        assert!(!config.plan().logout);
    }

    #[test]
    fn options_may_be_words_numbers_and_switches() {
        let text = "[engine.options]\nThreads = 4\nUSI_OwnBook = false\nEvalDir = \"eval\"\n";
        let options = Config::read(text).unwrap().engine.options;
        let options: Vec<String> =
            options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(options, ["EvalDir=eval", "Threads=4", "USI_OwnBook=false"]);
        let error = Config::read("[engine.options]\nDepthLimit = 1.5\n").unwrap_err().to_string();
        assert!(error.contains("true, false, a whole number or a text in quotes"), "{error}");
    }

    #[test]
    fn nobody_connects_to_port_0() {
        let mut config = Config::read(LEAST).unwrap();
        config.server.port = 0;
        let error = config.check().unwrap_err().to_string();
        assert_eq!(error, "server.port must be 1 to 65535");
    }
}
