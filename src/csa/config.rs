//! The configuration file, and its errors.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::game::PlayOptions;
use super::password::{INVALID_PASSWORD, Password};
use super::session::SessionConfig;
use crate::sys::open_regular;
use crate::types::language::{Localized, localized};
use crate::types::message::{Message, message};

/// The configuration; `docs/csa.md` describes it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    pub server: ServerConfig,
    pub play: PlayConfig,
    pub engine: EngineConfig,
    pub records: RecordsConfig,
    pub log: LogConfig,
}

/// The server, and the login.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ServerConfig {
    pub host: String,
    pub port: u16,
    pub name: String,
    /// At most one of the three passwords may be given.
    pub password: Option<Password>,
    /// The environment variable that contains the password.
    pub password_env: Option<String>,
    /// The file with the password in its first line.
    pub password_file: Option<PathBuf>,
    /// The name of the requested game, such as `floodgate-300-10F`.
    pub game: Option<String>,
    /// Use the extended mode of shogi-server.
    pub extended: bool,
    /// The requested colour in the extended mode.
    pub color: RequestedColor,
    /// Seconds of silence after which an empty line is sent; 0 for never.
    pub keep_alive_s: u64,
    /// Ignored in the extended mode.
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
            color: RequestedColor::Any,
            keep_alive_s: 40,
            logout_after_game: true,
        }
    }
}

impl ServerConfig {
    /// The password; `None` if the server needs only the name of a game.
    ///
    /// # Errors
    /// If no password is given, or several, or it cannot be read.
    pub fn find_password(&self) -> Result<Option<Password>, ConfigError> {
        let ServerConfig { password, password_env, password_file, game, extended, .. } = self;
        match (password, password_env, password_file) {
            (Some(password), None, None) => Ok(Some(password.clone())),
            (None, Some(name), None) => password_from_environment(name).map(Some),
            (None, None, Some(path)) => password_from_file(path).map(Some),
            (None, None, None) if game.is_some() && !extended => Ok(None),
            (None, None, None) => Err(ConfigError::NoPassword),
            _ => Err(ConfigError::Password(message!(
                "more than one password is given",
                "パスワードが2つ以上指定されています"
            ))),
        }
    }
}

fn password_from_environment(name: &str) -> Result<Password, ConfigError> {
    let text = std::env::var(name).map_err(|_| {
        ConfigError::Password(message!(
            "the environment has no variable {name} for the password",
            "パスワードの環境変数{name}がありません"
        ))
    })?;
    password_of(
        text.trim(),
        &message!("the password in the variable {name}", "パスワードの環境変数{name}"),
    )
}

fn password_from_file(path: &Path) -> Result<Password, ConfigError> {
    let shown = path.display();
    let mut line = String::new();
    open_regular(path)
        .and_then(|file| BufReader::new(file.take(PASSWORD_BYTES)).read_line(&mut line))
        .map_err(|error| {
            ConfigError::Password(message!(
                "the password file {shown}: {}",
                "パスワードのファイル{shown}：{}";
                Message::from(&error)
            ))
        })?;
    // Editors on Windows put a byte order mark in front.
    let text = line.trim_start_matches('\u{feff}').trim();
    let place = message!(
        "the first line of the password file {shown}",
        "パスワードのファイル{shown}の1行目"
    );
    password_of(text, &place)
}

/// The text as a password; `place` says where it is written.
fn password_of(text: &str, place: &Message) -> Result<Password, ConfigError> {
    Password::new(text).ok_or_else(|| {
        ConfigError::Password(message!(
            "{} must be printable ASCII without spaces",
            "{}は空白を含まない半角の英数字と記号にしてください";
            place
        ))
    })
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RequestedColor {
    #[default]
    Any,
    Black,
    White,
}

/// How to play.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlayConfig {
    /// The number of games; 0 for no limit.
    pub games: u32,
    pub ponder: bool,
    /// The number of workers that ponder on different replies; 0 for a single engine.
    pub multi_ponder: u16,
    /// Send score and PV with each move.
    pub comments: bool,
    /// Subtracted from the time of every move in addition to the network delay.
    pub margin_ms: u64,
    /// The pause after a first failure; it grows with each further failure.
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

/// The engine that plays.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EngineConfig {
    /// Program and arguments of a USI engine; empty for this program.
    pub command: Vec<String>,
    pub directory: Option<PathBuf>,
    /// Command lines of the workers of `play.multi_ponder`; empty for this program.
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

/// Where records are saved.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecordsConfig {
    /// `None` if records are not saved.
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
    /// The log of all lines to and from the server, without the password.
    pub file: Option<PathBuf>,
}

/// An error in the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// The line number, from 1, and the error.
    Text {
        line: usize,
        message: Message,
    },
    Missing(&'static str),
    /// No password in any of the keys for it.
    NoPassword,
    /// The key, and what its value must be.
    Value(&'static str, Localized),
    /// More than one password, or an invalid one.
    Password(Message),
}

impl ConfigError {
    pub fn message(&self) -> Message {
        match self {
            ConfigError::Text { line, message } => {
                message!("line {line}: {}", "{line}行目：{}"; message)
            }
            ConfigError::Missing(key) => message!("{key} is missing", "{key}がありません"),
            ConfigError::NoPassword => message!(
                "server.password (or password_env, or password_file) is missing",
                "server.password（またはpassword_env、password_file）がありません"
            ),
            ConfigError::Value(key, must) => message!("{key} {}", "{key}：{}"; must),
            ConfigError::Password(why) => why.clone(),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for ConfigError {}

/// The longest name that servers accept.
const MAX_NAME_LENGTH: usize = 32;
/// Servers forbid shorter intervals.
const MIN_KEEP_ALIVE_S: u64 = 30;
/// Maximum number of workers of one engine.
const MAX_WORKERS: u16 = 256;
/// Bytes read of a password file.
const PASSWORD_BYTES: u64 = 4096;
/// The longest time in the file: a day.
const MAX_TIME_S: u64 = 86_400;

impl Config {
    /// Parses the text of a file.
    ///
    /// # Errors
    /// [`ConfigError::Text`], whose message never shows a password.
    pub fn read(text: &str) -> Result<Config, ConfigError> {
        toml::from_str(text).map_err(|error| parse_error(text, &error))
    }

    /// Checks the values.
    ///
    /// # Errors
    /// The first invalid value.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_server()?;
        self.check_names()?;
        self.check_workers()?;
        self.check_engine()?;
        self.check_play()
    }

    fn check_server(&self) -> Result<(), ConfigError> {
        let ServerConfig { host, port, name, game, keep_alive_s, .. } = &self.server;
        if host.trim().is_empty() {
            return Err(ConfigError::Missing("server.host"));
        }
        require(*port > 0, "server.port", "must be 1 to 65535", "1から65535までにしてください")?;
        if name.is_empty() {
            return Err(ConfigError::Missing("server.name"));
        }
        require(
            is_name(name),
            "server.name",
            "must be 1 to 32 letters, digits, or any of _ @ . -",
            "半角の英数字と_ @ . -で1字から32字までにしてください",
        )?;
        require(
            game.as_ref().is_none_or(|game| is_word(game) && !game.contains(',')),
            "server.game",
            "must be a word without spaces or commas",
            "空白やコンマのない単語にしてください",
        )?;
        require(
            *keep_alive_s == 0 || (MIN_KEEP_ALIVE_S..=MAX_TIME_S).contains(keep_alive_s),
            "server.keep_alive_s",
            "must be 0 or 30 to 86400",
            "0か30から86400までにしてください",
        )
    }

    /// The error of the system about an empty name would not say which.
    fn check_names(&self) -> Result<(), ConfigError> {
        let ServerConfig { password_env, password_file, .. } = &self.server;
        let EngineConfig { command, directory, workers, .. } = &self.engine;
        let is_empty = |path: &PathBuf| path.as_os_str().is_empty();
        for (key, is_empty) in [
            ("server.password_env", password_env.as_deref() == Some("")),
            ("server.password_file", password_file.as_ref().is_some_and(is_empty)),
            ("engine.command", command.first().is_some_and(String::is_empty)),
            ("engine.directory", directory.as_ref().is_some_and(is_empty)),
            ("engine.workers", workers.iter().any(|worker| worker.trim().is_empty())),
            ("log.file", self.log.file.as_ref().is_some_and(is_empty)),
        ] {
            require(!is_empty, key, "must not be empty", "空にできません")?;
        }
        Ok(())
    }

    fn check_workers(&self) -> Result<(), ConfigError> {
        let (count, EngineConfig { command, workers, .. }) = (self.play.multi_ponder, &self.engine);
        require(
            count <= MAX_WORKERS,
            "play.multi_ponder",
            "must be 0 to 256",
            "0から256までにしてください",
        )?;
        require(
            count == 0 || command.is_empty(),
            "play.multi_ponder",
            "must be 0 with engine.command (--engine); name other engines in engine.workers",
            "engine.command（--engine）があれば0にしてください。ほかのエンジンはengine.workersに書きます",
        )?;
        require(
            workers.len() <= usize::from(count),
            "engine.workers",
            "must not exceed play.multi_ponder",
            "play.multi_ponderの数より多くできません",
        )
    }

    fn check_engine(&self) -> Result<(), ConfigError> {
        let EngineConfig { command, directory, options, .. } = &self.engine;
        require(
            directory.is_none() || !command.is_empty() || self.play.multi_ponder > 0,
            "engine.directory",
            "belongs to engine.command or to the workers of play.multi_ponder",
            "engine.commandかplay.multi_ponderがあるときだけ指定できます",
        )?;
        // A line break would send the rest of the value as a separate command.
        let is_one_line = |text: &str| !text.contains(char::is_control);
        require(
            options.iter().all(|(name, value)| is_one_line(&format!("{name}{value}"))),
            "engine.options",
            "must not have line breaks or other control characters; \
             write paths with \\ in single quotes",
            "改行などの制御文字は使えません。\\を含むパスは一重引用符で囲んでください",
        )
    }

    fn check_play(&self) -> Result<(), ConfigError> {
        require(
            self.play.margin_ms <= MAX_TIME_S * 1000,
            "play.margin_ms",
            "must be 0 to 86400000",
            "0から86400000までにしてください",
        )?;
        require(
            (1..=MAX_TIME_S).contains(&self.play.relogin_s),
            "play.relogin_s",
            "must be 1 to 86400",
            "1から86400までにしてください",
        )
    }

    /// Whether the engine ponders.
    pub fn ponders(&self) -> bool {
        self.play.ponder || self.play.multi_ponder > 0
    }

    /// The login line, with the password.
    pub(super) fn login_line(&self, password: Option<&Password>) -> String {
        let ServerConfig { name, game, extended, .. } = &self.server;
        let password = password.map_or("", Password::reveal);
        if *extended {
            return format!("LOGIN {name} {password} x1");
        }
        // Servers read the game from the field of the password.
        match game {
            Some(game) if password.is_empty() => format!("LOGIN {name} {game}"),
            Some(game) => format!("LOGIN {name} {game},{password}"),
            None => format!("LOGIN {name} {password}"),
        }
    }

    /// The settings of a session.
    pub(super) fn session_config(&self) -> SessionConfig {
        let ServerConfig { game, extended, color, keep_alive_s, logout_after_game, .. } =
            &self.server;
        let color = match color {
            RequestedColor::Any => "*",
            RequestedColor::Black => "+",
            RequestedColor::White => "-",
        };
        let game = game.as_ref().filter(|_| *extended);
        SessionConfig {
            play: PlayOptions { ponder: self.ponders(), comments: self.play.comments },
            challenge: game.map(|game| format!("%%GAME {game} {color}")),
            logout: *logout_after_game && !*extended,
            keep_alive: Duration::from_secs(*keep_alive_s),
            margin: Duration::from_millis(self.play.margin_ms),
        }
    }
}

/// The error of the parser, without the text of a line that may contain a password.
fn parse_error(text: &str, error: &toml::de::Error) -> ConfigError {
    let start = error.span().map_or(0, |span| span.start.min(text.len()));
    let line = text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count() + 1;
    let wrong_line = text.lines().nth(line - 1).unwrap_or_default();
    let message = if error.message().contains(INVALID_PASSWORD) {
        message!("{INVALID_PASSWORD}", "パスワードは空白を含まない半角の英数字と記号にしてください")
    } else if error.message().contains("duplicate key") {
        message!("this key is set a second time", "同じキーがもう一度あります")
    } else if wrong_line.to_ascii_lowercase().contains("password") {
        message!(
            "this must be a text in quotes (single ones around a \\), and nothing else",
            "引用符で囲んだ文字列だけにしてください（\\があれば一重引用符）"
        )
    } else {
        // Use the word of this format instead of the parser's.
        Message::verbatim(
            error.message().replace("a sequence", "a list such as [\"one\", \"two\"]"),
        )
    };
    ConfigError::Text { line, message }
}

/// An error, in English and Japanese, about the value of this key unless it is valid.
fn require(
    is_valid: bool,
    key: &'static str,
    en: &'static str,
    ja: &'static str,
) -> Result<(), ConfigError> {
    if is_valid { Ok(()) } else { Err(ConfigError::Value(key, localized(en, ja))) }
}

fn is_name(text: &str) -> bool {
    let known = |c: u8| c.is_ascii_alphanumeric() || b"_@.-".contains(&c);
    !text.is_empty() && text.len() <= MAX_NAME_LENGTH && text.bytes().all(known)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|c| c.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINIMAL_CONFIG: &str = "[server]\nhost = \"localhost\"\nname = \"kawasemi\"\n";

    #[test]
    fn the_example_is_understood_and_shows_every_key() {
        let text = include_str!("../../docs/csa.example.toml");
        let config = Config::read(text).unwrap();
        assert_eq!(config.check(), Ok(()));
        // Keys that are only shown are written `#key = value`.
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
    fn host_and_name_are_enough() {
        let config = Config::read(MINIMAL_CONFIG).unwrap();
        assert_eq!(config.check(), Ok(()));
        assert_eq!((config.server.port, config.server.keep_alive_s), (4081, 40));
        assert_eq!(Config::default().check(), Err(ConfigError::Missing("server.host")));
    }

    #[test]
    fn errors_show_the_line_but_no_password() {
        let error = |text: &str| Config::read(text).unwrap_err().to_string();
        let text = error(&format!("{MINIMAL_CONFIG}hots = 1\n"));
        assert!(text.starts_with("line 4: ") && text.contains("hots"), "{text}");
        for password in ["password = hunter2", "password = 123456", "password = \"123456"] {
            let text = error(&format!("{MINIMAL_CONFIG}{password}\n"));
            assert!(text.starts_with("line 4: "), "{text}");
            assert!(!text.contains("hunter2") && !text.contains("123456"), "{text}");
        }
        for password in ["sek rit", "", "\u{8a9e}"] {
            let text = error(&format!("{MINIMAL_CONFIG}password = \"{password}\"\n"));
            assert_eq!(text, "line 4: a password is printable ASCII without spaces");
        }
        // Regression: the error said that the text needs quotes.
        let twice =
            error(&format!("{MINIMAL_CONFIG}password = \"123456\"\npassword = \"1234567\"\n"));
        assert_eq!(twice, "line 5: this key is set a second time");
        let config = Config::read(&format!("{MINIMAL_CONFIG}password = \"123456\"\n")).unwrap();
        assert!(!format!("{config:?}").contains("123456"));
    }

    #[test]
    fn a_windows_path_needs_single_quotes() {
        let read = |path: &str| Config::read(&format!("{MINIMAL_CONFIG}password_file = {path}\n"));
        let config = read(r"'C:\nets\word.txt'").unwrap();
        assert_eq!(config.server.password_file, Some(PathBuf::from(r"C:\nets\word.txt")));
        let error = read(r#""C:\Users\word.txt""#).unwrap_err().to_string();
        assert!(error.starts_with("line 4: ") && error.contains("single ones"), "{error}");
    }

    #[test]
    fn values_that_no_server_accepts_are_refused() {
        let check = |more: &str| {
            let text = format!("{MINIMAL_CONFIG}{more}\n");
            Config::read(&text).unwrap().check().unwrap_err().to_string()
        };
        assert!(check("game = \"a b\"").starts_with("server.game"));
        assert!(check("keep_alive_s = 29").starts_with("server.keep_alive_s"));
        assert!(check("[play]\nrelogin_s = 0").starts_with("play.relogin_s"));
        let margin = check("[play]\nmargin_ms = 86_400_001");
        assert_eq!(margin, "play.margin_ms must be 0 to 86400000");
        let long = MINIMAL_CONFIG.replace("kawasemi", "kawasemi at home");
        let error = Config::read(&long).unwrap().check().unwrap_err();
        assert!(error.to_string().starts_with("server.name must be"), "{error}");
    }

    #[test]
    fn several_workers_always_ponder_and_exclude_another_engine() {
        let read = |more: &str| Config::read(&format!("{MINIMAL_CONFIG}{more}\n")).unwrap();
        let config = read("[play]\nmulti_ponder = 3\n[engine]\nworkers = [\"ssh a kawasemi\"]");
        assert_eq!(config.check(), Ok(()));
        assert!(config.session_config().play.ponder);
        assert!(!read("").session_config().play.ponder);
        let error = |more: &str| read(more).check().unwrap_err().to_string();
        let engine = "[play]\nmulti_ponder = 3\n[engine]\ncommand = [\"other\"]";
        assert!(error(engine).starts_with("play.multi_ponder must be 0 with engine.command"));
        assert!(error("[engine]\nworkers = [\"a\"]").starts_with("engine.workers must not"));
        assert!(error("[play]\nmulti_ponder = 257").starts_with("play.multi_ponder must be 0 to"));
    }

    #[test]
    fn the_game_is_requested_in_the_login_or_by_a_challenge() {
        let password = Password::new("pass").unwrap();
        let mut config = Config::read(MINIMAL_CONFIG).unwrap();
        let line = |config: &Config, password| config.login_line(password);
        assert_eq!(line(&config, Some(&password)), "LOGIN kawasemi pass");
        config.server.game = Some("floodgate-300-10F".into());
        assert_eq!(line(&config, Some(&password)), "LOGIN kawasemi floodgate-300-10F,pass");
        assert_eq!(line(&config, None), "LOGIN kawasemi floodgate-300-10F");
        assert_eq!(
            (config.session_config().challenge, config.session_config().logout),
            (None, true)
        );
        (config.server.extended, config.server.color) = (true, RequestedColor::White);
        assert_eq!(line(&config, Some(&password)), "LOGIN kawasemi pass x1");
        assert_eq!(config.session_config().challenge.unwrap(), "%%GAME floodgate-300-10F -");
        assert!(!config.session_config().logout);
    }

    /// Regression: the configuration was refused, but some tournaments want this.
    #[test]
    fn in_the_extended_mode_the_server_may_choose_the_game() {
        let text = format!("{MINIMAL_CONFIG}extended = true\n");
        let config = Config::read(&text).unwrap();
        assert_eq!(config.check(), Ok(()));
        assert_eq!(config.login_line(Password::new("pass").as_ref()), "LOGIN kawasemi pass x1");
        assert_eq!(config.session_config().challenge, None);
        assert_eq!(config.server.find_password(), Err(ConfigError::NoPassword));
    }

    #[test]
    fn options_may_be_texts_numbers_and_booleans() {
        let text = "[engine.options]\nThreads = 4\nUSI_OwnBook = false\nEvalDir = \"eval\"\n";
        let options = Config::read(text).unwrap().engine.options;
        let options: Vec<String> =
            options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(options, ["EvalDir=eval", "Threads=4", "USI_OwnBook=false"]);
        let error = Config::read("[engine.options]\nDepthLimit = 1.5\n").unwrap_err().to_string();
        assert!(error.contains("true, false, a whole number or a text in quotes"), "{error}");
        let error = Config::read("[engine]\ncommand = \"e\"\n").unwrap_err().to_string();
        assert!(error.ends_with("expected a list such as [\"one\", \"two\"]"), "{error}");
    }

    #[test]
    fn an_option_value_with_a_line_break_is_refused() {
        let read = |value: &str| {
            Config::read(&format!("{MINIMAL_CONFIG}[engine.options]\nEvalFile = {value}\n"))
        };
        let error = read(r#""x\nquit""#).and_then(|config| config.check()).unwrap_err().to_string();
        assert!(error.contains("engine.options") && error.contains("line breaks"), "{error}");
        assert!(read(r"'C:\nets\nn.bin'").unwrap().check().is_ok());
    }

    #[test]
    fn a_directory_without_a_command_or_workers_is_refused() {
        let mut config = Config::read(MINIMAL_CONFIG).unwrap();
        config.engine.directory = Some("engines".into());
        assert!(config.check().unwrap_err().to_string().contains("engine.directory"));
        config.play.multi_ponder = 2;
        assert!(config.check().is_ok());
    }

    /// Regression: the error was `: No such file or directory`.
    #[test]
    fn an_empty_name_is_refused_by_its_key() {
        for (key, text) in [
            ("server.password_env", "password_env = ''"),
            ("server.password_file", "password_file = ''"),
            ("engine.command", "[engine]\ncommand = ['']"),
            ("engine.directory", "[engine]\ncommand = ['other']\ndirectory = ''"),
            ("engine.workers", "[play]\nmulti_ponder = 1\n[engine]\nworkers = [' ']"),
            ("log.file", "[log]\nfile = ''"),
        ] {
            let config = Config::read(&format!("{MINIMAL_CONFIG}{text}\n")).unwrap();
            let error = config.check().unwrap_err().to_string();
            assert_eq!(error, format!("{key} must not be empty"));
        }
    }

    #[test]
    fn port_0_is_refused() {
        let mut config = Config::read(MINIMAL_CONFIG).unwrap();
        config.server.port = 0;
        let error = config.check().unwrap_err().to_string();
        assert_eq!(error, "server.port must be 1 to 65535");
    }

    #[test]
    fn only_one_password_may_be_given() {
        let mut server = ServerConfig::default();
        let of = |server: &ServerConfig| server.find_password().map_err(|error| error.to_string());
        assert!(of(&server).unwrap_err().ends_with("is missing"));
        server.game = Some("floodgate-300-10F".into());
        assert_eq!(of(&server), Ok(None));
        server.password = Password::new("a");
        assert_eq!(of(&server), Ok(Password::new("a")));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("kawasemi-password");
        std::fs::write(&file, "from a file \nsecond line\n").unwrap();
        server.password_file = Some(file.clone());
        assert!(of(&server).unwrap_err().starts_with("more than one"));
        server.password = None;
        assert!(of(&server).unwrap_err().contains("must be printable"));
        std::fs::write(&file, "from_a_file\r\nsecond line\n").unwrap();
        assert_eq!(of(&server), Ok(Password::new("from_a_file")));
        std::fs::write(&file, "\u{feff}marked\r\n").unwrap();
        assert_eq!(of(&server), Ok(Password::new("marked")));
        std::fs::remove_file(&file).unwrap();
        assert!(of(&server).unwrap_err().contains("kawasemi-password"));
        server.password_file = None;
        server.password_env = Some("KAWASEMI_NO_SUCH_VARIABLE".into());
        assert!(of(&server).unwrap_err().contains("KAWASEMI_NO_SUCH_VARIABLE"));
    }
}
