//! What is tuned: parameters of the search, which are options of an engine built with the feature
//! `tuning`, or of a network, which any engine loads as a file.
//!
//! Defines how an engine gets its values and where the result is written.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{self, Path, PathBuf};
use std::sync::Arc;

use super::parameter::Parameter;
use super::parameter_rows::{not_once, other_value, rewritten, rounded};
use crate::nnue::file::{LoadError, NamedParameter, ParameterFile, ParameterKind};
use crate::search::params::OPTION_PREFIX;
use crate::search::params::PARAMS;
use crate::sys::{in_file, write_atomically};
use crate::tools::files::read_text;
use crate::tools::fingerprint;

/// The option for the network file.
const NETWORK_OPTION: &str = "EvalFile";
/// Files that engines read next to a network.
const NEIGHBOURS: [&str; 2] = ["eval_options.txt", "progress.bin"];

/// The target of a tuning.
#[derive(Clone, Debug)]
pub enum TuningTarget {
    Search,
    Network(Arc<TunedNetwork>),
}

/// A network whose parameters are tuned.
#[derive(Debug)]
pub struct TunedNetwork {
    path: PathBuf,
    file: ParameterFile,
    named: HashMap<String, NamedParameter>,
}

impl TuningTarget {
    /// The parameters of this network file.
    ///
    /// # Errors
    /// If it is not a network.
    pub fn network(path: &Path) -> Result<TuningTarget, LoadError> {
        let file = ParameterFile::read(path)?;
        let named =
            file.parameters().into_iter().map(|named| (named.name.clone(), named)).collect();
        // Engines may have another working directory.
        let path = path::absolute(path).unwrap_or_else(|_| path.into());
        Ok(TuningTarget::Network(Arc::new(TunedNetwork { path, file, named })))
    }

    /// All parameters that can be tuned.
    pub fn parameters(&self) -> Vec<Parameter> {
        match self {
            TuningTarget::Search => PARAMS.iter().map(Parameter::from).collect(),
            TuningTarget::Network(net) => {
                net.file.parameters().iter().map(|named| net.parameter(named)).collect()
            }
        }
    }

    /// The options of an engine with the start values.
    pub(super) fn start_options(&self, parameters: &[Parameter]) -> Vec<(String, String)> {
        match self {
            TuningTarget::Search => {
                let starts: Vec<i32> = parameters.iter().map(|parameter| parameter.start).collect();
                search_options(parameters, &starts)
            }
            TuningTarget::Network(net) => network_option(&net.path),
        }
    }

    /// The fingerprints of the files of a network, independent of their location.
    pub(super) fn fingerprints(&self) -> Option<String> {
        match self {
            TuningTarget::Search => None,
            TuningTarget::Network(net) => {
                let mut files = net.neighbours();
                files.insert(0, net.path.clone());
                Some(fingerprint::of_paths(&files))
            }
        }
    }

    /// The options that give an engine these values. A network with them is written to `folder`, which
    /// is created.
    pub(super) fn options(
        &self,
        parameters: &[Parameter],
        values: &[i32],
        folder: &Path,
    ) -> io::Result<Vec<(String, String)>> {
        match self {
            TuningTarget::Search => Ok(search_options(parameters, values)),
            TuningTarget::Network(net) => {
                let values = parameters.iter().zip(values.iter().copied());
                Ok(network_option(&net.put_into(&path::absolute(folder)?, values)?))
            }
        }
    }

    /// Writes the values: into this copy of the source of the search parameters, or to a new network
    /// file.
    ///
    /// # Errors
    /// If a file cannot be read or written, or a parameter is not one of the tuned source or network.
    pub fn write(&self, path: &Path, values: &[(Parameter, f64)]) -> Result<(), String> {
        let fail = |error: io::Error| in_file(path, error);
        let bytes = match self {
            TuningTarget::Search => {
                let is_known = |name: &str| PARAMS.iter().any(|row| row.name == name);
                if let Some((parameter, _)) =
                    values.iter().find(|(parameter, _)| !is_known(&parameter.name))
                {
                    let name = &parameter.name;
                    return Err(format!(
                        "{name} is not a parameter of the search; for a parameter of a network, give --eval"
                    ));
                }
                let source = read_text(path).map_err(fail)?;
                rewritten(path, &source, values)?.into_bytes()
            }
            TuningTarget::Network(net) => {
                values.iter().try_for_each(|(parameter, _)| net.check(parameter))?;
                net.with(values.iter().map(|(parameter, value)| (parameter, rounded(*value))))
            }
        };
        write_atomically(path, &bytes).map_err(fail)
    }
}

impl TunedNetwork {
    fn parameter(&self, named: &NamedParameter) -> Parameter {
        let start = self.file.get(named);
        let step = step(named.kind);
        let (min, max) = named.kind.range();
        // The range of a bias is limited to prevent overflow.
        let reach = 500 * step;
        Parameter {
            name: named.name.clone(),
            start,
            min: min.max(start.saturating_sub(reach)),
            max: max.min(start.saturating_add(reach)),
            step,
        }
    }

    /// Checks that the parameter is one of this network.
    fn check(&self, parameter: &Parameter) -> Result<(), String> {
        match self.named.get(&parameter.name) {
            None => Err(not_once(&self.path, &parameter.name)),
            Some(named) if self.file.get(named) != parameter.start => {
                Err(other_value(&self.path, &parameter.name))
            }
            Some(_) => Ok(()),
        }
    }

    /// The file with these values.
    fn with<'a>(&self, values: impl Iterator<Item = (&'a Parameter, i32)>) -> Vec<u8> {
        let mut file = self.file.clone();
        for (parameter, value) in values {
            file.set(&self.named[&parameter.name], value);
        }
        file.into_bytes()
    }

    /// The existing files next to the network that engines read.
    fn neighbours(&self) -> Vec<PathBuf> {
        let files = NEIGHBOURS.map(|name| self.path.with_file_name(name));
        files.into_iter().filter(|file| file.is_file()).collect()
    }

    /// Writes the network under its own name, with the files next to it.
    fn put_into<'a>(
        &self,
        folder: &Path,
        values: impl Iterator<Item = (&'a Parameter, i32)>,
    ) -> io::Result<PathBuf> {
        fs::create_dir_all(folder)?;
        for neighbour in self.neighbours() {
            fs::copy(&neighbour, folder.join(neighbour.file_name().unwrap_or_default()))?;
        }
        let path = folder.join(self.path.file_name().unwrap_or("nn.bin".as_ref()));
        fs::write(&path, self.with(values))?;
        Ok(path)
    }
}

/// The change of a parameter that changes the score of a typical position by about five centipawns: an
/// output bias is divided by `FV_SCALE`, 12 to 24; the others are sums of products of 7 and 8 bits,
/// divided by 64.
fn step(kind: ParameterKind) -> i32 {
    match kind {
        ParameterKind::Weight => 2,
        ParameterKind::OutputBias => 60,
        ParameterKind::FeatureTransformerBias => 4,
        ParameterKind::LayerBias => 200,
    }
}

fn search_options(parameters: &[Parameter], values: &[i32]) -> Vec<(String, String)> {
    let option = |(parameter, value): (&Parameter, &i32)| {
        (format!("{OPTION_PREFIX}{}", parameter.name), value.to_string())
    };
    parameters.iter().zip(values).map(option).collect()
}

fn network_option(path: &Path) -> Vec<(String, String)> {
    vec![(NETWORK_OPTION.into(), path.display().to_string())]
}

#[cfg(test)]
mod tests {
    use tempfile::tempdir;

    use super::*;
    use crate::nnue::file::{LoadOptions, load};
    use crate::tools::spsa::parameter_pattern::select;
    use crate::tools::spsa::tests::small_network;

    fn chosen(target: &TuningTarget, patterns: &[&str]) -> Vec<Parameter> {
        let patterns: Vec<String> = patterns.iter().map(ToString::to_string).collect();
        select(&target.parameters(), &patterns).unwrap()
    }

    #[test]
    fn parameters_of_the_search_are_tuned_as_options() {
        let parameters = chosen(&TuningTarget::Search, &["LMR_BASE", "LMR_TABLE"]);
        let options =
            TuningTarget::Search.options(&parameters, &[-3, 8], Path::new("none")).unwrap();
        let expected = parameters.iter().zip(["-3", "8"]);
        let expected =
            expected.map(|(parameter, value)| (format!("Tune_{}", parameter.name), value.into()));
        assert_eq!(options, expected.collect::<Vec<_>>());
    }

    #[test]
    fn engines_get_networks_with_the_values_in_them() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("nn.bin");
        small_network(&path);
        let target = TuningTarget::network(&path).unwrap();
        let parameters = chosen(&target, &["OUT_3", "L1_BIAS_*"]);
        assert_eq!(parameters.len(), 9);
        let first = target.start_options(&parameters);
        assert_eq!(first, [("EvalFile".to_string(), path.display().to_string())]);

        fs::write(folder.path().join("eval_options.txt"), "FV_SCALE 28").unwrap();
        let nets = folder.path().join("nets").join("1-plus");
        let values = [1, 2, 3, 4, 5, 6, 7, 8, -9];
        let options = target.options(&parameters, &values, &nets).unwrap();
        assert_eq!(fs::read_to_string(nets.join("eval_options.txt")).unwrap(), "FV_SCALE 28");
        let file = nets.join("nn.bin");
        assert_eq!(options, [("EvalFile".to_string(), file.display().to_string())]);
        let net = load(&file, &LoadOptions::default()).unwrap();
        let mut expected = load(&path, &LoadOptions::default()).unwrap().parameters();
        expected.stacks[0].l1.bias = values[..8].to_vec();
        expected.stacks[0].output.weights[3] = -9;
        assert!(net.parameters() == expected && net.fv_scale == Some(12));
    }

    #[test]
    fn a_tuned_network_is_written_from_the_one_that_was_tuned_only() {
        let folder = tempdir().unwrap();
        let [path, new] = ["nn.bin", "new.bin"].map(|name| folder.path().join(name));
        small_network(&path);
        let target = TuningTarget::network(&path).unwrap();
        let parameter = chosen(&target, &["OUT_BIAS"]).remove(0);
        let value = f64::from(parameter.start) + 1.6;
        target.write(&new, &[(parameter.clone(), value)]).unwrap();
        let written = TuningTarget::network(&new).unwrap();
        assert_eq!(chosen(&written, &["OUT_BIAS"])[0].start, parameter.start + 2);

        let refused = |target: &TuningTarget, parameter: &Parameter| {
            target.write(&path, &[(parameter.clone(), 0.0)]).unwrap_err()
        };
        let before = fs::read(&path).unwrap();
        let other =
            format!("{}: its parameter OUT_BIAS is not the one that was tuned", new.display());
        assert_eq!(refused(&written, &parameter), other);
        let of_network =
            "OUT_BIAS is not a parameter of the search; for a parameter of a network, give --eval";
        assert_eq!(refused(&TuningTarget::Search, &parameter), of_network);
        let other_stack = Parameter { name: "S1_OUT_BIAS".into(), ..parameter };
        let not_once =
            format!("{}: it does not have exactly one parameter S1_OUT_BIAS", path.display());
        assert_eq!(refused(&target, &other_stack), not_once);
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}
