//! The command `csa` of the program: plays on a server that speaks the CSA protocol.

use std::error::Error;
use std::ffi::OsString;
use std::fmt::Debug;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use crossbeam::channel::{Receiver, bounded};
use kawasemi::csa::player::{LocalPlayer, Player, UsiPlayer};
use kawasemi::csa::{self, Aside, Config, PlainView, READY_PATIENCE, ScreenView, View};
use kawasemi::engine::Settings;
use kawasemi::sys::{debounce, enable_ansi_escapes, in_file, keep_nohup};
use kawasemi::usi::options;
use kawasemi::usi_client::{EngineTimeouts, LaunchConfig};

use crate::commands::cluster;
use crate::commands::notice::warn_of_unused_logs;

/// Play on a server that speaks the CSA protocol: floodgate, a championship, a local shogi-server.
///
/// The file says everything (docs/csa.md and docs/csa.example.toml show how); what is given here
/// counts before it. The first interrupt ends the program after the game that is being played, the
/// second at once.
#[derive(Debug, Args)]
pub struct Online {
    /// The configuration.
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// The server's name or address.
    #[arg(long)]
    host: Option<String>,
    /// The server's port; 4081 on floodgate.
    #[arg(long)]
    port: Option<u16>,
    /// Our name there.
    #[arg(long)]
    name: Option<String>,
    /// The game that is wished for, such as floodgate-300-10F.
    #[arg(long)]
    game: Option<String>,
    /// How many games; 0 for no end.
    #[arg(long)]
    games: Option<u32>,
    /// A USI engine to play in the place of this one.
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<String>,
    /// An argument for it. May be repeated.
    #[arg(long = "engine-arg", value_name = "ARGUMENT", requires = "engine")]
    #[arg(allow_hyphen_values = true)]
    engine_args: Vec<String>,
    /// Think on the opponent's time.
    #[arg(long)]
    ponder: bool,
    /// Think on the opponent's time with so many workers, each on another reply.
    #[arg(long, value_name = "WORKERS")]
    multi_ponder: Option<u16>,
    /// The folder for the records of games.
    #[arg(long, value_name = "FOLDER")]
    records: Option<PathBuf>,
    /// The file for all lines to and from the server.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Plain lines instead of a picture, at a terminal too.
    #[arg(long)]
    plain: bool,
}

impl Online {
    /// Plays, with these settings for the engine of this program.
    /// `given` are the options that made them.
    pub fn run(self, settings: Settings, given: &[OsString]) -> Result<(), Box<dyn Error>> {
        let (plain, path) = (self.plain, self.config.clone());
        let config = self.configure()?;
        let mut settings = settings;
        if config.engine.command.is_empty() && config.play.multi_ponder == 0 {
            settings.ponder = config.play.ponder;
            for (name, value) in &config.engine.options {
                options::set(&mut settings, name.as_bytes(), Some(value.to_string().as_bytes()))
                    .map_err(|error| in_file(&path, error))?;
            }
            warn_of_unused_logs(&settings);
        }
        let mut players = || player(&config, &settings, given).map_err(|error| error.to_string());
        let is_drawn = !plain && enable_ansi_escapes(&io::stdout());
        let mut view = view(Aside::open(io::stdout())?, is_drawn);
        Ok(csa::run(&config, &mut players, &interrupts()?, view.as_mut())?)
    }

    /// The file, with what the command line says over it.
    fn configure(self) -> Result<Config, Box<dyn Error>> {
        let path = self.config;
        let text = fs::read_to_string(&path).map_err(|error| in_file(&path, error))?;
        let mut config = Config::read(&text).map_err(|error| in_file(&path, error))?;
        let before = config.check().err();
        let server = &mut config.server;
        server.host = self.host.unwrap_or(std::mem::take(&mut server.host));
        server.port = self.port.unwrap_or(server.port);
        server.name = self.name.unwrap_or(std::mem::take(&mut server.name));
        server.game = self.game.or(server.game.take());
        config.play.games = self.games.unwrap_or(config.play.games);
        config.play.multi_ponder = self.multi_ponder.unwrap_or(config.play.multi_ponder);
        config.play.ponder |= self.ponder;
        if let Some(engine) = self.engine {
            config.engine.command = [engine].into_iter().chain(self.engine_args).collect();
        }
        config.records.folder = self.records.or(config.records.folder.take());
        config.log.file = self.log.or(config.log.file.take());
        match config.check() {
            Ok(()) => Ok(config),
            // What the file alone was wrong in as well is its fault.
            Err(error) if before.as_ref() == Some(&error) => Err(in_file(&path, error).into()),
            Err(error) => Err(format!("the command line: {error}").into()),
        }
    }
}

/// The player that the configuration wants; `given` are options of this program's engine.
fn player(config: &Config, settings: &Settings, given: &[OsString]) -> io::Result<Box<dyn Player>> {
    let engine = &config.engine;
    let command = match config.play.multi_ponder {
        0 if engine.command.is_empty() => {
            return Ok(Box::new(LocalPlayer::open(settings.clone())?));
        }
        0 => engine.command.iter().map(Into::into).collect(),
        count => cluster::command(count, &engine.workers, given)?,
    };
    let given = engine.options.iter().map(|(name, value)| (name.clone(), value.to_string()));
    let mut options: Vec<(String, String)> = given.collect();
    if config.ponders() {
        options.push(("USI_Ponder".into(), "true".into()));
    }
    let directory = engine.directory.clone();
    // The first interrupt lets the game go on, so the engine must not hear of it.
    let launch = LaunchConfig { command, directory, options, own_group: true };
    let patience = EngineTimeouts { ready: READY_PATIENCE, ..EngineTimeouts::default() };
    Ok(Box::new(UsiPlayer::open(launch, patience)?))
}

/// A picture where it can be drawn, else plain lines.
fn view<'a>(out: impl Write + Debug + 'a, is_drawn: bool) -> Box<dyn View + 'a> {
    if is_drawn { Box::new(ScreenView::new(out)) } else { Box::new(PlainView::new(out)) }
}

/// A message for each time that the user, or the system, wants an end.
fn interrupts() -> Result<Receiver<()>, Box<dyn Error>> {
    let (sender, receiver) = bounded(4);
    let tell = move || {
        // Who is told twice already needs no more.
        let _ = sender.try_send(());
    };
    keep_nohup(|| ctrlc::set_handler(debounce(tell)))?;
    Ok(receiver)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Consoles of Windows showed the escapes themselves.
    #[test]
    fn a_console_that_knows_no_escapes_gets_plain_lines() {
        for is_drawn in [false, true] {
            let mut out = Vec::new();
            view(&mut out, is_drawn).say("hello");
            let text = String::from_utf8(out).unwrap();
            assert!(text.contains("hello") && text.contains('\x1b') == is_drawn, "{text}");
        }
    }
}
