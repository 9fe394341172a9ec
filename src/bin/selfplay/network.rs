//! The network that a command searches or evaluates with.

use std::path::{Path, PathBuf};

use clap::Args;

use kawasemi::engine::{self, LoadedNetwork, Settings};
use kawasemi::nnue::Network;
use kawasemi::tools::fingerprint;
use kawasemi::tools::terminal::print_error;
use kawasemi::usi::options;

/// The network of a command.
#[derive(Debug, Args)]
pub(crate) struct NetworkArguments {
    /// Network file [default: the built-in network]
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
    /// A USI option of the engine, such as FV_SCALE=20
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) option: Vec<String>,
}

/// A loaded network.
pub(crate) struct NetworkWithName {
    pub(crate) network: Network,
    /// Identifies it in the header of a file.
    pub(crate) name: String,
    /// All settings of the engine, with the options that were given.
    pub(crate) settings: Settings,
}

impl NetworkArguments {
    /// # Errors
    /// If an option or the network is invalid.
    pub(crate) fn load(&self) -> Result<NetworkWithName, String> {
        self.load_network(self.eval.clone())
    }

    /// The network of another file, with the same options.
    ///
    /// # Errors
    /// As for [`load`](Self::load).
    pub(crate) fn load_file(&self, file: &Path) -> Result<NetworkWithName, String> {
        self.load_network(Some(file.to_path_buf()))
    }

    fn load_network(&self, file: Option<PathBuf>) -> Result<NetworkWithName, String> {
        let mut settings = Settings { eval_dir: None, eval_file: file, ..Settings::default() };
        for option in &self.option {
            options::assign(&mut settings, option.as_bytes()).map_err(|error| error.to_string())?;
        }
        // With a folder, the header of the games could not say which network was in it.
        if settings.eval_dir.is_some() {
            return Err("give the network file by --eval, not a folder".into());
        }
        let LoadedNetwork { network, files, messages } =
            engine::load_network(&settings).map_err(|error| error.en)?;
        messages.iter().for_each(print_error);
        let fingerprint = match &files[..] {
            [] => "built-in".into(),
            files => fingerprint::of_paths(files),
        };
        let name =
            format!("{} {fingerprint} scale {}", network.weights.architecture, network.fv_scale);
        Ok(NetworkWithName { network, name, settings })
    }
}
