//! The command `csa` of the program: plays on a server that speaks the CSA protocol.

use std::ffi::OsString;
use std::fmt::Debug;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use crossbeam::channel::{Receiver, bounded};
use kawasemi::cluster::check_cluster_option;
use kawasemi::csa::player::{OwnEngineOptions, start_engine};
use kawasemi::csa::{
    self, Config, ConfigError, PlainView, READY_TIMEOUT, ScreenView, TerminalOutput, View,
};
use kawasemi::engine::{OptionProfile, Settings};
use kawasemi::sys::{enable_ansi_escapes, on_interrupt};
use kawasemi::types::language::{Language, Localized, localized};
use kawasemi::types::message::{Message, message};
use kawasemi::usi::options::{self, OptionError, OptionGroup};
use kawasemi::usi_client::{EngineTimeouts, LaunchConfig};

use crate::commands::arguments;
use crate::commands::cluster;
use crate::commands::failure::Failure;
use crate::commands::games;
use crate::commands::language::system_language;
use crate::commands::notice::{
    file_error, in_system_language, notify, system_error, warn_of_unused_logs,
};
use crate::commands::terminal::output_size;

/// The place of an error that is not in the configuration file.
const COMMAND_LINE: Localized = localized("the command line", "コマンドライン");

/// Play on a server that speaks the CSA protocol: floodgate, a championship, a local shogi-server.
///
/// --host, --name and either --game or a password suffice. A configuration file can set everything (see
/// docs/csa.md and docs/csa.example.toml); arguments override it. The first interrupt ends the program after
/// the current game, the second at once.
#[derive(Debug, Args)]
pub struct CsaArgs {
    /// The configuration file.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Name or address of the server.
    #[arg(long)]
    host: Option<String>,
    /// Port of the server; 4081 on floodgate.
    #[arg(long, value_parser = arguments::number::<u16>(1..=65_535))]
    port: Option<u16>,
    /// The login name.
    #[arg(long)]
    name: Option<String>,
    /// The environment variable that holds the password.
    #[arg(long, value_name = "VARIABLE", conflicts_with = "password_file")]
    password_env: Option<String>,
    /// The file whose first line is the password.
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// The name of the requested game, such as floodgate-300-10F.
    #[arg(long)]
    game: Option<String>,
    /// Number of games; 0 for no limit.
    #[arg(long, value_parser = arguments::number::<u32>(0..=u32::MAX as i64))]
    games: Option<u32>,
    /// A USI engine to play with instead of this one.
    #[arg(long, value_name = "PROGRAM", value_parser = NonEmptyStringValueParser::new())]
    engine: Option<String>,
    /// An argument of that engine. May be repeated.
    #[arg(long = "engine-arg", value_name = "ARGUMENT", requires = "engine")]
    #[arg(allow_hyphen_values = true)]
    engine_args: Vec<String>,
    /// Ponder: think on the opponent's time.
    #[arg(long)]
    ponder: bool,
    /// Ponder with this number of workers, each on a different reply.
    #[arg(long, value_name = "WORKERS", value_parser = arguments::number::<u16>(0..=256))]
    multi_ponder: Option<u16>,
    /// Milliseconds that are subtracted from the time of every move, in addition to the network
    /// delay.
    #[arg(long, value_name = "MS", value_parser = arguments::number::<u64>(0..=86_400_000))]
    margin: Option<u64>,
    /// Folder for the game records.
    #[arg(long, value_name = "FOLDER")]
    records: Option<PathBuf>,
    /// Log file for all lines to and from the server.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print plain lines instead of a screen, even in a terminal.
    #[arg(long)]
    plain: bool,
    /// Language of the screen and the messages: en or ja; by default the system language.
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<Language>,
}

impl CsaArgs {
    /// Plays all games. `settings` are those of this program's engine, made from the options `given`.
    pub fn run(self, settings: Settings, given: &[OsString]) -> Result<(), Failure> {
        let plain = self.plain;
        let language = self.lang.unwrap_or_else(system_language);
        let place = match &self.config {
            Some(path) => path.display().to_string(),
            None => COMMAND_LINE.of(system_language()).into(),
        };
        let config = self.configure()?;
        let engine = if config.engine.command.is_empty() && config.play.multi_ponder == 0 {
            own_engine(&config, settings, given).map_err(|error| error.at(&place))?
        } else {
            if config.play.multi_ponder > 0 {
                check_cluster_options(&config).map_err(|error| error.at(&place))?;
            }
            if let Some(warning) = unused_options_warning(&config, given) {
                notify(&warning);
            }
            other_engine(&config, given)?
        };
        let timeouts = EngineTimeouts { ready: READY_TIMEOUT, ..EngineTimeouts::default() };
        let mut players = || {
            let player = start_engine(engine.launch.clone(), timeouts, engine.own);
            player.map_err(|error| in_system_language(&Message::from(&error)))
        };
        let is_drawn = !plain && enable_ansi_escapes(&io::stdout());
        let mut view = view(TerminalOutput::open(io::stdout())?, is_drawn, language);
        let (interrupts, count) = interrupts()?;
        let played = csa::run(&config, &mut players, &interrupts, view.as_mut());
        played.map_err(|error| error.message().of(language).to_owned())?;
        // After the first interrupt the client finishes its work; the second interrupts it.
        if count.load(Ordering::Relaxed) > 1 { Err(Failure::Interrupted) } else { Ok(()) }
    }

    /// The configuration file, if there is one, overridden by the command line.
    fn configure(self) -> Result<Config, Failure> {
        let path = self.config;
        let mut config = path.as_deref().map(read_config).transpose()?.unwrap_or_default();
        let before = config.check().err();
        let server = &mut config.server;
        server.host = self.host.unwrap_or(std::mem::take(&mut server.host));
        server.port = self.port.unwrap_or(server.port);
        server.name = self.name.unwrap_or(std::mem::take(&mut server.name));
        server.game = self.game.or(server.game.take());
        if self.password_env.is_some() || self.password_file.is_some() {
            server.password = None;
            server.password_env = self.password_env;
            server.password_file = self.password_file;
        }
        config.play.margin_ms = self.margin.unwrap_or(config.play.margin_ms);
        config.play.games = self.games.unwrap_or(config.play.games);
        config.play.multi_ponder = self.multi_ponder.unwrap_or(config.play.multi_ponder);
        config.play.ponder |= self.ponder;
        if let Some(engine) = self.engine {
            config.engine.command = [engine].into_iter().chain(self.engine_args).collect();
        }
        config.records.folder = self.records.or(config.records.folder.take());
        config.log.file = self.log.or(config.log.file.take());
        let lacks_password = matches!(config.server.find_password(), Err(ConfigError::NoPassword));
        match (config.check(), path) {
            (Ok(()), None) if lacks_password => {
                Err(Failure::arguments(&argument_error(&ConfigError::NoPassword)))
            }
            (Ok(()), _) => Ok(config),
            // The configuration file alone causes the same error.
            (Err(error), Some(path)) if before.as_ref() == Some(&error) => {
                Err(file_error(&path, &error.message()).into())
            }
            (Err(error), _) => Err(Failure::arguments(&argument_error(&error))),
        }
    }
}

/// The flags that set keys of the configuration file.
const FLAGS: [(&str, &str); 6] = [
    ("server.host", "--host"),
    ("server.port", "--port"),
    ("server.name", "--name"),
    ("server.password_env", "--password-env"),
    ("server.game", "--game"),
    ("play.multi_ponder", "--multi-ponder"),
];

/// An error in the arguments, which names flags instead of keys of the configuration file.
fn argument_error(error: &ConfigError) -> Message {
    let flag = |key| FLAGS.iter().find(|flag| flag.0 == key).map_or(key, |flag| flag.1);
    let error = match *error {
        ConfigError::Missing(key) => {
            let flag = flag(key);
            return message!(
                "{flag} is missing; it is required without --config FILE",
                "{flag}がありません。--config FILEがなければ必要です"
            );
        }
        ConfigError::NoPassword => {
            return message!(
                "--password-env VARIABLE or --password-file FILE is missing, or --game GAME on a server that asks \
                 for no password",
                "--password-env VARIABLEか--password-file FILEがありません。\
                 パスワードのいらないサーバーなら--game GAMEが必要です"
            );
        }
        ConfigError::Value(key, must) => ConfigError::Value(flag(key), must).message(),
        ref error => error.message(),
    };
    message!("{}: {}", "{}: {}"; COMMAND_LINE, error)
}

fn read_config(path: &Path) -> Result<Config, String> {
    let bytes = games::read_bytes(path).map_err(|error| system_error(path, &error))?;
    let not_utf8 = |_| {
        let error = message!("the file is not text in UTF-8", "UTF-8のファイルではありません");
        file_error(path, &error)
    };
    let text = String::from_utf8(bytes).map_err(not_utf8)?;
    Config::read(&text).map_err(|error| file_error(path, &error.message()))
}

/// The engine that plays.
struct Engine {
    launch: LaunchConfig,
    /// Set if the engine is this program.
    own: Option<OwnEngineOptions>,
}

/// This program as a USI engine, started with the options `given`. The options of the configuration
/// override these.
///
/// # Errors
/// If this program does not have an option, or a value is invalid.
fn own_engine(
    config: &Config,
    mut settings: Settings,
    given: &[OsString],
) -> Result<Engine, Failure> {
    settings.ponder = config.play.ponder;
    let mut options = vec![("USI_Ponder".to_owned(), config.play.ponder.to_string())];
    for (name, value) in &config.engine.options {
        let value = value.to_string();
        let row = options::set(&mut settings, name.as_bytes(), Some(value.as_bytes()))
            .map_err(|error| error.message())?;
        if row.group != OptionGroup::Logs {
            options.push((row.name.to_owned(), value));
        }
    }
    warn_of_unused_logs(&settings);
    let own = OwnEngineOptions {
        minimum_thinking_ms: settings.minimum_thinking_ms,
        max_moves_to_draw: settings.max_moves_to_draw,
        network_delay2_ms: settings.network_delay2_ms,
    };
    let command = cluster::own_command(given)?;
    let launch = launch(config, command, None, options);
    Ok(Engine { launch, own: Some(own) })
}

/// Checks the options of several workers. (The cluster would reject a wrong one with a message that nobody
/// reads.) Workers with commands of their own may have options that this program does not have.
///
/// # Errors
/// If a value is invalid, or neither the workers nor the cluster have an option.
fn check_cluster_options(config: &Config) -> Result<(), Failure> {
    for (name, value) in &config.engine.options {
        let value = value.to_string();
        if check_cluster_option(name, &value)? {
            continue;
        }
        let mut settings = Settings::with_profile(OptionProfile::find());
        match options::set(&mut settings, name.as_bytes(), Some(value.as_bytes())) {
            Err(OptionError::UnknownName { .. } | OptionError::OtherBookOptions { .. })
                if !config.engine.workers.is_empty() => {}
            set => _ = set.map_err(|error| error.message())?,
        }
    }
    Ok(())
}

/// The warning about options before the command, which another engine does not receive.
fn unused_options_warning(config: &Config, given: &[OsString]) -> Option<Message> {
    let is_unused = !config.engine.command.is_empty() && !given.is_empty();
    is_unused.then(|| {
        message!(
            "options before the command are not sent to another engine; write them into [engine.options]",
            "コマンドの前のオプションは別のエンジンには送りません。[engine.options]に書いてください"
        )
    })
}

/// Another engine, or several workers as one. `given` are options of workers that are this program.
fn other_engine(config: &Config, given: &[OsString]) -> io::Result<Engine> {
    let engine = &config.engine;
    let command = match config.play.multi_ponder {
        0 => engine.command.iter().map(Into::into).collect(),
        count => cluster::command(count, &engine.workers, given)?,
    };
    let options = engine.options.iter().map(|(name, value)| (name.clone(), value.to_string()));
    let mut options: Vec<(String, String)> = options.collect();
    if config.ponders() {
        options.push(("USI_Ponder".into(), "true".into()));
    }
    let launch = launch(config, command, engine.directory.clone(), options);
    Ok(Engine { launch, own: None })
}

/// The launch of an engine: in its own process group, because the game continues after the first interrupt, and
/// without the password of the client.
fn launch(
    config: &Config,
    command: Vec<OsString>,
    directory: Option<PathBuf>,
    options: Vec<(String, String)>,
) -> LaunchConfig {
    let without_variables = config.server.password_env.iter().map(Into::into).collect();
    LaunchConfig { command, directory, options, without_variables, own_group: true }
}

/// A screen where it can be drawn, else plain lines.
fn view<'a>(
    out: impl Write + Debug + 'a,
    is_drawn: bool,
    language: Language,
) -> Box<dyn View + 'a> {
    if is_drawn {
        Box::new(ScreenView::new(out, language, output_size))
    } else {
        Box::new(PlainView::new(out, language))
    }
}

/// Receives a message for each interrupt or signal to end, and counts them.
fn interrupts() -> Result<(Receiver<()>, Arc<AtomicUsize>), Failure> {
    let (sender, receiver) = bounded(4);
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    let report = move || {
        counter.fetch_add(1, Ordering::Relaxed);
        // More than two make no difference.
        let _ = sender.try_send(());
    };
    on_interrupt(report)?;
    Ok((receiver, count))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    /// Regression: the error named only keys of the configuration file.
    #[test]
    fn without_a_configuration_file_a_missing_password_is_reported_by_its_flags() {
        #[derive(Parser)]
        struct Line {
            #[command(flatten)]
            csa: CsaArgs,
        }
        let configure = |flags: &[&str]| {
            let server = ["csa", "--host", "localhost", "--name", "kawasemi"];
            Line::parse_from([&server[..], flags].concat()).csa.configure()
        };
        let Err(Failure::Arguments(error)) = configure(&[]) else { panic!("no error") };
        assert!(error.contains("--password-file"), "{error}");
        let Err(Failure::Arguments(error)) = configure(&["--password-env", ""]) else {
            panic!("no error")
        };
        assert!(error.contains("--password-env") && !error.contains("server."), "{error}");
        for flags in [["--game", "test-60-5"], ["--password-env", "PASSWORD"]] {
            assert!(configure(&flags).is_ok(), "{flags:?}");
        }
    }

    /// Regression: they were ignored without a message.
    #[test]
    fn options_that_another_engine_does_not_receive_are_reported() {
        let given = [OsString::from("Threads=4")];
        let mut config = Config::default();
        assert!(unused_options_warning(&config, &given).is_none());
        config.engine.command = vec!["other".into()];
        assert!(unused_options_warning(&config, &given).is_some());
        assert!(unused_options_warning(&config, &[]).is_none());
    }

    /// Some Windows consoles printed the escape sequences as text.
    #[test]
    fn a_console_without_escape_sequences_gets_plain_lines() {
        for is_drawn in [false, true] {
            let mut out = Vec::new();
            view(&mut out, is_drawn, Language::English).info("hello");
            let text = String::from_utf8(out).unwrap();
            assert!(text.contains("hello") && text.contains('\x1b') == is_drawn, "{text}");
        }
    }
}
