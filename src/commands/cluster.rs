//! The command `cluster` of the program: makes one USI engine of several.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::io;

use clap::Args;
use kawasemi::cluster::{self, WorkerSpec};
use kawasemi::engine::Settings;
use kawasemi::usi::options::{self, OptionGroup};
use kawasemi::usi_client::split_command_line;

/// Be one USI engine that lets several engines think (multi-ponder).
///
/// While the opponent thinks, each worker ponders on another reply. On the own turn the worker that
/// has pondered on what was played goes on, or all search and vote (MultiPonderOwnTurn). A worker that
/// fails costs no game: another goes on, and it is started again. docs/cluster.md tells all.
///
/// Threads and USI_Hash are for the workers on this machine together. Workers whose program is `ssh`
/// are on others, and keep what their own commands say.
#[derive(Debug, Args)]
pub struct Cluster {
    /// How many workers; without it 2, or as many as have commands.
    #[arg(long, short = 'n', value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: Option<u16>,
    /// The command of a worker, instead of this program: "ssh host kawasemi". May be repeated; the
    /// last serves for all workers that are left.
    #[arg(long = "worker", value_name = "COMMAND")]
    commands: Vec<String>,
}

impl Cluster {
    /// Speaks USI on the standard streams. Workers that are this program begin with the options
    /// `given`, which make these settings.
    pub fn run(self, settings: Settings, given: &[OsString]) -> Result<(), Box<dyn Error>> {
        let specs = self.specs(given)?;
        Ok(cluster::run(specs, settings, io::stdin(), io::stdout())?)
    }

    fn specs(&self, given: &[OsString]) -> Result<Vec<WorkerSpec>, Box<dyn Error>> {
        let mut commands = Vec::new();
        for text in &self.commands {
            let command =
                split_command_line(text).map_err(|error| format!("--worker {text}: {error}"))?;
            if command.is_empty() {
                return Err("--worker must name a program".into());
            }
            commands.push(command.into_iter().map(Into::into).collect());
        }
        if commands.is_empty() {
            commands.push(own_command(given)?);
        }
        let count = self.workers.map_or(commands.len().max(2), usize::from);
        if count < commands.len() {
            return Err("there must not be more --worker than --workers says".into());
        }
        let last = commands.len() - 1;
        Ok((0..count).map(|index| WorkerSpec::new(commands[index.min(last)].clone())).collect())
    }
}

/// The command line by which this program becomes one engine of so many workers.
///
/// # Errors
/// If the system does not say where this program is.
pub fn command(count: u16, workers: &[String], given: &[OsString]) -> io::Result<Vec<OsString>> {
    let mut command = vec![env::current_exe()?.into_os_string()];
    for option in given {
        command.extend(["--usi-option".into(), option.clone()]);
    }
    command.extend(["cluster".into(), "--workers".into(), count.to_string().into()]);
    for worker in workers {
        command.extend(["--worker".into(), worker.into()]);
    }
    Ok(command)
}

/// This very program as a USI engine with these options.
fn own_command(given: &[OsString]) -> io::Result<Vec<OsString>> {
    let mut command = vec![env::current_exe()?.into_os_string()];
    if !given.is_empty() {
        command.push("--".into());
    }
    command.extend(given.iter().filter(|option| !is_log(option)).cloned());
    Ok(command)
}

/// Whether `NAME=VALUE` sets one of the logs, which many writers would spoil.
fn is_log(option: &OsString) -> bool {
    let name = option.as_encoded_bytes().split(|&byte| byte == b'=').next();
    let row = options::find(name.unwrap_or_default());
    row.is_some_and(|row| row.group == OptionGroup::Files)
}
