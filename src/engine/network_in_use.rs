//! Decides which network the settings name, loads it, and decides which one stays in use after a
//! failure.
//!
//! A file takes precedence over a folder, an option over `eval_options.txt`, and that over the
//! network file. `nnue::file` reads the contents of network files.

#[cfg(test)]
mod tests;

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::eval_options_file::EvalOptionsFile;
use super::file_lookup::{FileLookup, FileStamp, FoundFile, searched_places};
use super::load_manager::{LoadMessage, Resource};
use super::settings::Settings;
use crate::nnue::file::{self, LoadError, LoadOptions};
use crate::nnue::{self, Buckets, Isa, Kernels, Network, NetworkWeights};
use crate::sys::Instant;
use crate::types::excerpt;
use crate::types::language::{Localized, localized};
use crate::types::message::{Message, message};

/// The network in a folder, and the files that may be next to it.
const NETWORK_NAME: &str = "nn.bin";
const OPTIONS_NAME: &str = "eval_options.txt";
const PROGRESS_NAME: &str = LoadOptions::PROGRESS_NAME;
/// A file of the evaluation before NNUE, which a folder may contain instead of a network.
const KPPT_NAME: &str = "KPP_synthesized.bin";

/// The evaluation options of the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EvalOptions {
    file: Option<PathBuf>,
    folder: Option<PathBuf>,
    fv_scale: Option<NonZeroU32>,
    bucket_mode: Option<String>,
    progress_file: Option<PathBuf>,
    isa: Option<Isa>,
}

impl EvalOptions {
    /// The built-in network with its own settings.
    pub(super) const BUILT_IN: EvalOptions = EvalOptions {
        file: None,
        folder: None,
        fv_scale: None,
        bucket_mode: None,
        progress_file: None,
        isa: None,
    };

    pub(super) fn of(settings: &Settings) -> EvalOptions {
        EvalOptions {
            file: settings.eval_file.clone(),
            folder: settings.eval_dir.clone(),
            fv_scale: NonZeroU32::new(settings.fv_scale),
            bucket_mode: settings.ls_bucket_mode.clone(),
            progress_file: settings.ls_progress_coeff.clone(),
            isa: settings.eval_kernel,
        }
    }
}

/// A network and the files from which it was loaded.
#[derive(Clone, Debug)]
pub(super) struct NetworkInUse {
    pub(super) network: Network,
    /// `None` for the built-in network.
    source: Option<NetworkSource>,
}

/// Everything that determines a network loaded from files.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NetworkSource {
    file: FoundFile,
    options: LoadOptions,
    /// The stamp of the file of progress coefficients that `options` name.
    progress_stamp: Option<FileStamp>,
}

impl NetworkInUse {
    pub(super) fn built_in() -> NetworkInUse {
        NetworkInUse { network: Network::built_in(), source: None }
    }

    pub(super) fn name(&self) -> Message {
        let architecture = &self.network.weights.architecture;
        match &self.source {
            Some(source) => {
                let path = source.file.path.display();
                message!("{architecture} from \"{path}\"", "「{path}」の{architecture}")
            }
            None => message!("the built-in {architecture}", "内蔵の{architecture}"),
        }
    }

    /// Whether the weights in memory are still intact.
    fn is_intact(&self) -> bool {
        let Some(source) = &self.source else { return true };
        let is_mapped = self.network.weights.transformer.is_mapped();
        !self.is_damaged() && (!is_mapped || source.file.is_unmodified())
    }

    /// The message that this network does not use the bucket mode, if one is given. Otherwise nobody would notice a
    /// misspelt one.
    fn unused_mode(&self, mode: Option<&str>) -> Option<Message> {
        let mode = mode.map(str::trim).filter(|mode| !mode.is_empty())?;
        let uses_mode =
            self.source.is_some() && !matches!(self.network.weights.buckets, Buckets::One);
        let mode = excerpt(mode);
        (!uses_mode).then(|| {
            message!(
                "evaluation: LS_BUCKET_MODE {mode} has no effect on {}",
                "評価関数：LS_BUCKET_MODEの{mode}は、{}では使いません";
                self.name()
            )
        })
    }

    /// Describes a loaded network in one line. `scale_source` is the origin of the divisor.
    fn describe(&self, scale_source: Localized, kept: bool, elapsed: Duration) -> Message {
        let Network { weights, kernels, fv_scale } = &self.network;
        let memory = match (kept, weights.transformer.is_mapped()) {
            (true, _) => localized("kept", "そのまま使用"),
            (false, true) => localized("mapped", "メモリマップ"),
            (false, false) => localized("copied", "コピー"),
        };
        let modes = weights.buckets.name();
        let buckets = match weights.architecture.stacks() {
            1 => Message::default(),
            _ => message!(", stacks by {modes}", "、層スタックは{modes}"),
        };
        let (kernels, millis) = (kernels.isa().name(), elapsed.as_millis());
        message!(
            "evaluation: {}, FV_SCALE {fv_scale}{}{}, {kernels} kernels, {}, {millis} ms",
            "評価関数：{}、FV_SCALE {fv_scale}{}{}、{kernels}の命令、{}、{millis} ms";
            self.name(), scale_source, buckets, memory
        )
    }
}

impl Resource for NetworkInUse {
    type Options = EvalOptions;

    /// After a failure the network in use is kept if it is sound; else the built-in one is used.
    fn load(
        options: &EvalOptions,
        current: &NetworkInUse,
        lookup: &mut FileLookup,
        messages: &mut Vec<LoadMessage>,
    ) -> (NetworkInUse, bool) {
        if current.is_damaged() {
            let error = format!("{} was truncated while in use; loading again", current.name());
            messages.push(LoadMessage::Error(error));
        }
        let mut notes = Vec::new();
        let loaded = options.load(current, lookup, &mut notes);
        messages.extend(notes.into_iter().map(|note| LoadMessage::Note(note.en)));
        match loaded {
            Ok(loaded) => (loaded, true),
            Err(error) => {
                let kept =
                    if current.is_intact() { current.clone() } else { NetworkInUse::built_in() };
                messages.push(LoadMessage::Error(error.message().en));
                messages.push(LoadMessage::Note(format!("continuing with {}", kept.name())));
                (kept, false)
            }
        }
    }

    fn is_damaged(&self) -> bool {
        self.network.weights.transformer.is_damaged()
    }

    /// The backend still has this network.
    fn after_panic(self) -> NetworkInUse {
        self
    }
}

/// A network for programs that search without an [`Engine`](super::Engine).
#[derive(Clone, Debug)]
pub struct LoadedNetwork {
    pub network: Network,
    /// The network and the files found next to it; none for the built-in network.
    pub files: Vec<PathBuf>,
    /// Messages for the user.
    pub messages: Vec<Message>,
}

/// The network that the settings name.
///
/// # Errors
/// A message that says what could not be loaded and why.
pub fn load_network(settings: &Settings) -> Result<LoadedNetwork, Message> {
    let (mut lookup, mut messages) = (FileLookup::new(), Vec::new());
    nnue::load_built_in().map_err(|error| error.message())?;
    let current = NetworkInUse::built_in();
    let loaded = EvalOptions::of(settings).load(&current, &mut lookup, &mut messages);
    let network = loaded.map_err(|error| error.message())?.network;
    Ok(LoadedNetwork { network, files: lookup.log.files(), messages })
}

/// Why the network that the options name cannot be used.
#[derive(Debug)]
enum NetworkError {
    NoFile(PathBuf),
    NoNetworkIn {
        folder: PathBuf,
        has_kppt: bool,
    },
    /// The folder is a file, perhaps a network.
    NotAFolder(PathBuf),
    NotLoaded(LoadError),
}

impl NetworkError {
    fn message(&self) -> Message {
        match self {
            NetworkError::NoFile(path) => {
                let name = path.display();
                message!(
                    "there is no file \"{name}\"{}; set EvalFile (or --eval) to a network file",
                    "「{name}」というファイルがありません{}。EvalFile（か--eval）に評価関数のファイルを指定してください";
                    searched_places(path)
                )
            }
            NetworkError::NoNetworkIn { folder, has_kppt } => {
                let name = folder.display();
                let kppt = if *has_kppt {
                    message!(
                        ", but {KPPT_NAME} of an evaluation without network (KPPT)",
                        "（ネットワークでないKPPTの{KPPT_NAME}はあります）"
                    )
                } else {
                    Message::default()
                };
                message!(
                    "there is no {NETWORK_NAME} in the folder \"{name}\"{}{}; set EvalDir to a folder \
                     that has one, or EvalFile to a network file",
                    "フォルダ「{name}」に{NETWORK_NAME}がありません{}{}。{NETWORK_NAME}のあるフォルダをEvalDirに\
                     指定するか、評価関数のファイルをEvalFileに指定してください";
                    searched_places(folder), kppt
                )
            }
            NetworkError::NotAFolder(path) => {
                let name = path.display();
                message!(
                    "\"{name}\" is a file, not a folder with {NETWORK_NAME}; if it is a network, set \
                     EvalFile to it instead of EvalDir",
                    "「{name}」は{NETWORK_NAME}のあるフォルダではなくファイルです。評価関数なら、EvalDirではなく\
                     EvalFileに指定してください"
                )
            }
            NetworkError::NotLoaded(error) => error.message(),
        }
    }
}

impl EvalOptions {
    /// Loads the network, or keeps the network of `current` if it is the same.
    fn load(
        &self,
        current: &NetworkInUse,
        lookup: &mut FileLookup,
        messages: &mut Vec<Message>,
    ) -> Result<NetworkInUse, NetworkError> {
        let start = Instant::now();
        let Some(file) = self.find_network(lookup)? else {
            return Ok(self.built_in(current, messages));
        };
        let file_options = options_beside(lookup, &file.path);
        messages.extend(file_options.messages.iter().cloned());
        let source = self.source(lookup, file, &file_options);
        let is_kept = current.source.as_ref() == Some(&source) && current.is_intact();
        let weights = if is_kept {
            current.network.weights.clone()
        } else {
            let loaded = file::load(&source.file.path, &source.options);
            Arc::new(loaded.map_err(NetworkError::NotLoaded)?)
        };
        let (network, scale_source) = self.network(weights, &file_options, messages);
        let mode = source.options.bucket_mode.clone();
        let in_use = NetworkInUse { network, source: Some(source) };
        messages.push(in_use.describe(scale_source, is_kept, start.elapsed()));
        let notes = in_use.network.weights.notes.iter();
        messages.extend(notes.map(|text| message!("evaluation: {}", "評価関数：{}"; text)));
        messages.extend(in_use.unused_mode(mode.as_deref()));
        Ok(in_use)
    }

    /// The built-in network, which is always in memory. Described only if another one was in use.
    fn built_in(&self, current: &NetworkInUse, messages: &mut Vec<Message>) -> NetworkInUse {
        let start = Instant::now();
        let file_options = EvalOptionsFile::default();
        let (network, scale_source) = self.network(nnue::built_in(), &file_options, messages);
        let in_use = NetworkInUse { network, source: None };
        if current.network != in_use.network {
            messages.push(in_use.describe(scale_source, true, start.elapsed()));
        }
        messages.extend(in_use.unused_mode(self.bucket_mode.as_deref()));
        in_use
    }

    /// The network file: the named one, else the one in the folder. `None` for the built-in
    /// network.
    fn find_network(&self, lookup: &mut FileLookup) -> Result<Option<FoundFile>, NetworkError> {
        if let Some(file) = &self.file {
            let found = lookup.find(file);
            return found.map(Some).ok_or_else(|| NetworkError::NoFile(file.clone()));
        }
        let Some(folder) = &self.folder else { return Ok(None) };
        match lookup.find(&folder.join(NETWORK_NAME)) {
            None if folder != Path::new(Settings::DEFAULT_EVAL_DIR) => {
                if lookup.find(folder).is_some_and(|found| found.path.is_file()) {
                    return Err(NetworkError::NotAFolder(folder.clone()));
                }
                let has_kppt = lookup.find(&folder.join(KPPT_NAME)).is_some();
                Err(NetworkError::NoNetworkIn { folder: folder.clone(), has_kppt })
            }
            found => Ok(found),
        }
    }

    /// Everything that determines the network: the file, its load options, and the progress coefficients found
    /// for it.
    fn source(
        &self,
        lookup: &mut FileLookup,
        file: FoundFile,
        file_options: &EvalOptionsFile,
    ) -> NetworkSource {
        let bucket_mode = self.bucket_mode.clone().or_else(|| file_options.bucket_mode.clone());
        let mode = bucket_mode.as_deref().filter(|mode| !mode.trim().is_empty());
        let named = self.progress_file.as_ref().or(file_options.progress_file.as_ref());
        let beside = |name: &Path| file.path.with_file_name("").join(name);
        let found = match (&self.progress_file, &file_options.progress_file) {
            (Some(path), _) => lookup.find(path).or_else(|| lookup.find_at(&beside(path))),
            // A name in `eval_options.txt` means the file next to this network; elsewhere there may
            // be a file of that name for another network.
            (None, Some(path)) => lookup.find_at(&beside(path)).or_else(|| lookup.find(path)),
            (None, None) if mode.is_none_or(Buckets::mode_uses_progress) => {
                lookup.find_at(&beside(PROGRESS_NAME.as_ref()))
            }
            (None, None) => None,
        };
        let stamp = found.as_ref().map(|found| found.stamp);
        let path = found.map(|found| found.path).or_else(|| named.cloned());
        // If neither the file nor a mode that needs one was named, the file may belong to another network.
        let is_required = named.is_some() || mode.is_some_and(Buckets::mode_needs_coefficients);
        let (progress_file, default_progress_file) =
            if is_required { (path, None) } else { (None, path) };
        let options = LoadOptions { bucket_mode, progress_file, default_progress_file };
        NetworkSource { file, options, progress_stamp: stamp }
    }

    /// The network with its kernels and divisor, and the origin of the divisor.
    fn network(
        &self,
        weights: Arc<NetworkWeights>,
        file_options: &EvalOptionsFile,
        messages: &mut Vec<Message>,
    ) -> (Network, Localized) {
        let kernels = self.kernels(messages);
        let scales = [
            (self.fv_scale, localized(" by option", "（オプション）")),
            (file_options.fv_scale, localized(" by eval_options.txt", "（eval_options.txt）")),
            (weights.fv_scale.and_then(NonZeroU32::new), localized(" by the file", "（ファイル）")),
        ];
        let named = scales.into_iter().find_map(|(fv_scale, source)| Some((fv_scale?, source)));
        let (fv_scale, source) =
            named.unwrap_or((Network::DEFAULT_FV_SCALE, localized(" as usual", "（標準）")));
        (Network { weights, kernels, fv_scale }, source)
    }

    /// The kernels that the options name, if the processor supports them, else the fastest.
    fn kernels(&self, messages: &mut Vec<Message>) -> Kernels {
        let best = Kernels::best();
        let Some(isa) = self.isa else { return best };
        Kernels::of(isa).unwrap_or_else(|| {
            let (isa, best_isa) = (isa.name(), best.isa().name());
            messages.push(message!(
                "this processor cannot run {isa} kernels; using {best_isa}",
                "このCPUは{isa}の命令を実行できません。{best_isa}を使います"
            ));
            best
        })
    }
}

/// The `eval_options.txt` next to a network called `nn.bin`. It does not apply to other networks.
fn options_beside(lookup: &mut FileLookup, net: &Path) -> EvalOptionsFile {
    let has_usual_name =
        net.file_name().is_some_and(|name| name.eq_ignore_ascii_case(NETWORK_NAME));
    if !has_usual_name {
        return EvalOptionsFile::default();
    }
    let found = lookup.find_at(&net.with_file_name(OPTIONS_NAME));
    found.map(|found| EvalOptionsFile::read(&found.path)).unwrap_or_default()
}
