//! The command `cluster` of the program: runs several engines as one USI engine.

use std::env;
use std::ffi::OsString;
use std::io;

use clap::Args;
use kawasemi::cluster::{self, WorkerSpec};
use kawasemi::engine::Settings;
use kawasemi::types::message::message;
use kawasemi::usi::options::{self, OptionGroup};
use kawasemi::usi_client::split_command_line;

use crate::commands::arguments;
use crate::commands::failure::Failure;
use crate::commands::notice::in_system_language;

/// Run several engines as one USI engine (shared search, multi-ponder, voting).
///
/// While the opponent thinks, each worker ponders on a different reply. When the opponent has moved,
/// the worker that pondered on this move continues its search, and by default the others join it: they
/// exchange entries of their transposition tables and vote (MultiPonderOwnTurn). If a worker fails,
/// another one takes over, and the failed one is restarted. See docs/cluster.md.
///
/// Threads and USI_Hash are divided among the workers on this machine. Workers whose program is
/// `ssh` run on other machines, and keep the options of their own commands.
#[derive(Debug, Args)]
pub struct ClusterArgs {
    /// Number of workers; by default the number of --worker commands, but at least 2.
    #[arg(long, short = 'n', value_parser = arguments::number::<u16>(1..=256))]
    workers: Option<u16>,
    /// The command of a worker, instead of this program: "ssh host kawasemi". May be repeated; the
    /// remaining workers use the last one.
    #[arg(long = "worker", value_name = "COMMAND")]
    commands: Vec<String>,
}

impl ClusterArgs {
    /// Speaks USI on the standard streams. Workers that are this program get the options `given`, from
    /// which `settings` are made.
    pub fn run(self, settings: Settings, given: &[OsString]) -> Result<(), Failure> {
        let specs = self.specs(given)?;
        Ok(cluster::run(specs, settings, io::stdin(), io::stdout())?)
    }

    fn specs(&self, given: &[OsString]) -> Result<Vec<WorkerSpec>, Failure> {
        let mut commands = Vec::new();
        for text in &self.commands {
            let command = split_command_line(text).map_err(|error| {
                let error = in_system_language(&error.message());
                Failure::Arguments(format!("--worker {text}: {error}"))
            })?;
            if command.is_empty() {
                let error =
                    message!("--worker must name a program", "--workerにはプログラムが必要です");
                return Err(Failure::arguments(&error));
            }
            commands.push(command.into_iter().map(Into::into).collect());
        }
        if commands.is_empty() {
            commands.push(own_command(given)?);
        }
        let count = self.workers.map_or(commands.len().max(2), usize::from);
        if count < commands.len() {
            let error = message!(
                "there are more --worker commands than --workers",
                "--workerの数が--workersより多くあります"
            );
            return Err(Failure::arguments(&error));
        }
        let last = commands.len() - 1;
        Ok((0..count).map(|index| WorkerSpec::new(commands[index.min(last)].clone())).collect())
    }
}

/// The command line that runs this program as a cluster of `count` workers.
///
/// # Errors
/// If the path of this program is unknown.
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

/// The command line that runs this program as a USI engine with these options, but without logs.
///
/// # Errors
/// If the path of this program is unknown.
pub fn own_command(given: &[OsString]) -> io::Result<Vec<OsString>> {
    let mut command = vec![env::current_exe()?.into_os_string()];
    if !given.is_empty() {
        command.push("--".into());
    }
    command.extend(given.iter().filter(|option| !is_log(option)).cloned());
    Ok(command)
}

/// Whether `NAME=VALUE` sets a log file, which several processes must not write.
fn is_log(option: &OsString) -> bool {
    let name = option.as_encoded_bytes().split(|&byte| byte == b'=').next();
    let row = options::find(name.unwrap_or_default());
    row.is_some_and(|row| row.group == OptionGroup::Logs)
}
