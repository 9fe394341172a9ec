//! The evaluation that the settings ask for: what is to be loaded, and what comes of it.
//!
//! Owns the order in which sources count (a file before a folder; the option before the folder's
//! own options before the net's), what remains in use when something cannot be loaded, and the words
//! in which the user is told. Knows nothing of what is in a net file.

mod options_file;
#[cfg(test)]
mod tests;

use std::fmt;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use self::options_file::FileOptions;
use super::Settings;
use super::file_lookup::{Finder, Found, Sightings, Stamp, places};
use crate::nnue::file::{self, LoadError, LoadOptions};
use crate::nnue::{self, Isa, Kernels, Net, Network};

/// The net in a folder, and what stands beside it.
const NET_NAME: &str = "nn.bin";
const OPTIONS_NAME: &str = "eval_options.txt";
const PROGRESS_NAME: &str = "progress.bin";
/// What folders hold instead that are of the time before nets.
const KPPT_NAME: &str = "KPP_synthesized.bin";

/// What the settings say of the evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    file: Option<PathBuf>,
    folder: Option<PathBuf>,
    scale: Option<NonZeroU32>,
    bucket_mode: Option<String>,
    progress: Option<PathBuf>,
    isa: Option<Isa>,
}

impl Wish {
    /// The network of the program, used as it is meant.
    const BUILT_IN: Wish = Wish {
        file: None,
        folder: None,
        scale: None,
        bucket_mode: None,
        progress: None,
        isa: None,
    };

    pub(super) fn of(settings: &Settings) -> Wish {
        Wish {
            file: settings.eval_file.clone(),
            folder: settings.eval_dir.clone(),
            scale: NonZeroU32::new(settings.fv_scale),
            bucket_mode: settings.ls_bucket_mode.clone(),
            progress: settings.ls_progress_coeff.clone(),
            isa: settings.eval_kernel,
        }
    }
}

/// A network in use, and all that it was loaded from.
#[derive(Clone, Debug)]
pub(super) struct InUse {
    network: Network,
    /// `None` for the network of the program.
    origin: Option<Origin>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Origin {
    file: Found,
    choice: LoadOptions,
    progress: Option<Stamp>,
}

impl fmt::Display for InUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let architecture = &self.network.net.architecture;
        match &self.origin {
            Some(origin) => write!(f, "{architecture} from \"{}\"", origin.file.path.display()),
            None => write!(f, "the built-in {architecture}"),
        }
    }
}

impl InUse {
    fn built_in() -> InUse {
        InUse { network: Network::built_in(), origin: None }
    }

    /// Whether the file under the network was cut off, so that part of it is lost.
    fn is_damaged(&self) -> bool {
        self.network.net.transformer.is_damaged()
    }

    /// Whether the network can still be relied upon.
    fn is_sound(&self) -> bool {
        let Some(origin) = &self.origin else { return true };
        let in_place = self.network.net.transformer.is_mapped();
        !self.is_damaged() && (!in_place || origin.file.is_untouched())
    }
}

/// A loading that is to be done.
#[derive(Debug)]
pub(super) struct Order {
    wish: Wish,
    before: InUse,
}

/// What came of a loading.
#[derive(Debug)]
pub(super) struct Delivery {
    /// What is to be used from now on.
    in_use: InUse,
    /// Whether that is another evaluation than before.
    pub(super) changed: bool,
    failed: bool,
    seen: Sightings,
}

impl Delivery {
    pub(super) fn network(&self) -> &Network {
        &self.in_use.network
    }
}

/// The evaluation in use, and what is known of where it came from.
#[derive(Debug)]
pub(super) struct EvalDesk {
    /// What was last asked for, whatever came of it.
    asked: Wish,
    in_use: InUse,
    failed: bool,
    /// Whether the last order came to grief, as the same one would once more.
    came_to_grief: bool,
    seen: Sightings,
    /// Whether an order is being carried out.
    loading: bool,
    /// Whether to load though the wish is the same.
    again: bool,
}

impl EvalDesk {
    /// The network of the program, as searchers have it at first.
    pub(super) fn new() -> EvalDesk {
        EvalDesk {
            asked: Wish::BUILT_IN,
            in_use: InUse::built_in(),
            failed: false,
            came_to_grief: false,
            seen: Sightings::default(),
            loading: false,
            again: false,
        }
    }

    pub(super) fn network(&self) -> &Network {
        &self.in_use.network
    }

    /// The evaluation in use, in words.
    pub(super) fn name(&self) -> String {
        self.in_use.to_string()
    }

    /// Looks again at the files: what has changed, or could not be loaded, is to be loaded.
    pub(super) fn look_again(&mut self) {
        self.again |= !self.loading && (self.failed || !self.seen.hold());
    }

    /// What is to be loaded to fulfil the wish, if anything. Comes back by [`EvalDesk::accept`].
    pub(super) fn take_order(&mut self, wish: Wish) -> Option<Order> {
        let is_lost = self.in_use.is_damaged() && !self.came_to_grief;
        if self.asked == wish && !self.again && !is_lost {
            return None;
        }
        self.asked.clone_from(&wish);
        (self.loading, self.again) = (true, false);
        Some(Order { wish, before: self.in_use.clone() })
    }

    /// Takes what came of an order; nothing, if it came to grief.
    pub(super) fn accept(&mut self, delivery: Option<Delivery>) {
        if let Some(delivery) = delivery {
            (self.in_use, self.failed) = (delivery.in_use, delivery.failed);
            (self.seen, self.came_to_grief) = (delivery.seen, false);
        } else if self.loading {
            (self.failed, self.came_to_grief) = (true, true);
        }
        self.loading = false;
    }
}

impl Order {
    /// Loads what is wanted, which may take long. What the user should know goes into `messages`.
    pub(super) fn carry_out(self, messages: &mut Vec<String>) -> Delivery {
        self.carry_out_with(Finder::new(), messages)
    }

    fn carry_out_with(self, mut finder: Finder, messages: &mut Vec<String>) -> Delivery {
        let Order { wish, before } = self;
        if before.is_damaged() {
            messages.push(format!("error: {before} was cut off while in use; loading again"));
        }
        let loaded = wish.load(&mut finder, &before, messages);
        let failed = loaded.is_err();
        let in_use = loaded.unwrap_or_else(|error| {
            let kept = if before.is_sound() { before.clone() } else { InUse::built_in() };
            messages.push(format!("error: {error}"));
            messages.push(format!("going on with {kept}"));
            kept
        });
        let changed = before.network != in_use.network;
        Delivery { in_use, changed, failed, seen: finder.seen }
    }
}

/// A network, for those who search without an engine.
#[derive(Clone, Debug)]
pub struct LoadedNetwork {
    pub network: Network,
    /// The net and what was found beside it, wherever that was; none for the network of the program.
    pub files: Vec<PathBuf>,
    /// What the user should know.
    pub messages: Vec<String>,
}

/// The network that the settings ask for.
///
/// # Errors
/// In words, what could not be loaded and why.
pub fn load_network(settings: &Settings) -> Result<LoadedNetwork, String> {
    let (mut finder, mut messages) = (Finder::new(), Vec::new());
    let loaded = Wish::of(settings).load(&mut finder, &InUse::built_in(), &mut messages);
    let network = loaded.map_err(|failure| failure.to_string())?.network;
    Ok(LoadedNetwork { network, files: finder.seen.files(), messages })
}

/// Why there is no evaluation as wished.
#[derive(Debug)]
enum Failure {
    NoFile(PathBuf),
    NoNetIn { folder: PathBuf, has_kppt: bool },
    NotLoaded(LoadError),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NoFile(path) => {
                let (name, sought) = (path.display(), places(path));
                write!(
                    f,
                    "there is no file \"{name}\"{sought}; set EvalFile (or --eval) to a network \
                     file"
                )
            }
            Failure::NoNetIn { folder, has_kppt } => {
                let (name, sought) = (folder.display(), places(folder));
                write!(f, "there is no {NET_NAME} in the folder \"{name}\"{sought}")?;
                if *has_kppt {
                    write!(f, ", but {KPPT_NAME} of an evaluation without network (KPPT)")?;
                }
                write!(f, "; set EvalDir to a folder that has one, or EvalFile to a network file")
            }
            Failure::NotLoaded(error) => error.fmt(f),
        }
    }
}

impl Wish {
    fn load(
        &self,
        finder: &mut Finder,
        before: &InUse,
        messages: &mut Vec<String>,
    ) -> Result<InUse, Failure> {
        let start = Instant::now();
        let Some(found) = self.find(finder)? else {
            return Ok(self.built_in(before, messages));
        };
        let beside = options_beside(finder, &found.path);
        messages.extend(beside.messages.iter().cloned());
        let origin = self.origin(finder, found, &beside);
        let is_kept = before.origin.as_ref() == Some(&origin) && before.is_sound();
        let net = if is_kept {
            before.network.net.clone()
        } else {
            let path = &origin.file.path;
            Arc::new(file::load(path, &origin.choice).map_err(Failure::NotLoaded)?)
        };
        let (kernels, refused) = kernels(self.isa);
        messages.extend(refused);
        let (scale, said_by) = self.scale(&beside, &net);
        let network = Network { net, kernels, scale };
        let in_use = InUse { network, origin: Some(origin) };
        messages.push(in_use.praise(said_by, is_kept, start.elapsed()));
        Ok(in_use)
    }

    /// The network of the program, which is always in memory. Who had no other before is told nothing.
    fn built_in(&self, before: &InUse, messages: &mut Vec<String>) -> InUse {
        let start = Instant::now();
        let net = nnue::built_in();
        let (kernels, refused) = kernels(self.isa);
        messages.extend(refused);
        let (scale, said_by) = self.scale(&FileOptions::default(), &net);
        let in_use = InUse { network: Network { net, kernels, scale }, origin: None };
        if before.network != in_use.network {
            messages.push(in_use.praise(said_by, true, start.elapsed()));
        }
        in_use
    }

    /// The net file: what is named, else the one in the folder.
    fn find(&self, finder: &mut Finder) -> Result<Option<Found>, Failure> {
        if let Some(file) = &self.file {
            let found = finder.find(file);
            return found.map(Some).ok_or_else(|| Failure::NoFile(file.clone()));
        }
        let Some(folder) = &self.folder else { return Ok(None) };
        match finder.find(&folder.join(NET_NAME)) {
            None if *folder != *Settings::DEFAULT_EVAL_DIR => {
                let has_kppt = finder.find(&folder.join(KPPT_NAME)).is_some();
                Err(Failure::NoNetIn { folder: folder.clone(), has_kppt })
            }
            found => Ok(found),
        }
    }

    fn origin(&self, finder: &mut Finder, file: Found, beside: &FileOptions) -> Origin {
        let buckets = self.bucket_mode.clone().or_else(|| beside.bucket_mode.clone());
        let named = buckets.as_deref().is_some_and(|mode| !mode.trim().is_empty());
        let asked = self.progress.as_ref().or(beside.progress.as_ref());
        let near = |name: &Path| file.path.with_file_name("").join(name);
        let found = match (&self.progress, &beside.progress) {
            (Some(path), _) => finder.find(path).or_else(|| finder.at(&near(path))),
            // What a net's own options name belongs to it; elsewhere another net's may have that name.
            (None, Some(path)) => finder.at(&near(path)).or_else(|| finder.find(path)),
            // Published beside nets whose stacks it chooses among, under this name.
            (None, None) if !named || needs_coefficients(buckets.as_deref()) => {
                finder.at(&near(PROGRESS_NAME.as_ref()))
            }
            (None, None) => None,
        };
        let stamp = found.as_ref().map(|found| found.stamp);
        let path = found.map(|found| found.path).or_else(|| asked.cloned());
        // Without a word of a mode, the file may as well be of another net.
        let is_meant = named || asked.is_some();
        let (progress, progress_beside) = if is_meant { (path, None) } else { (None, path) };
        Origin { file, choice: LoadOptions { buckets, progress, progress_beside }, progress: stamp }
    }

    /// The divisor, and who says so.
    fn scale(&self, beside: &FileOptions, net: &Net) -> (NonZeroU32, &'static str) {
        let own = net.scale.and_then(NonZeroU32::new);
        let sources = [
            (self.scale, " by option"),
            (beside.scale, " by eval_options.txt"),
            (own, " by the file"),
        ];
        let said = sources.into_iter().find_map(|(scale, who)| Some((scale?, who)));
        said.unwrap_or((Network::DEFAULT_SCALE, " as usual"))
    }
}

/// Whether this way to choose stacks goes by coefficients that stand in a file of their own.
fn needs_coefficients(bucket_mode: Option<&str>) -> bool {
    let mode = bucket_mode.unwrap_or_default().trim().to_ascii_lowercase();
    mode == "progress8kpabs" || mode == "progress8ek"
}

/// What stands in `eval_options.txt` beside a `nn.bin`. It speaks of no other net.
fn options_beside(finder: &mut Finder, net: &Path) -> FileOptions {
    let speaks_of = net.file_name().is_some_and(|name| name.eq_ignore_ascii_case(NET_NAME));
    let found = if speaks_of { finder.at(&net.with_file_name(OPTIONS_NAME)) } else { None };
    found.map(|found| options_file::read(&found.path)).unwrap_or_default()
}

/// The kernels of this kind, else the best; and what the user should know.
fn kernels(wanted: Option<Isa>) -> (Kernels, Option<String>) {
    let best = Kernels::best();
    let Some(isa) = wanted else { return (best, None) };
    match Kernels::of(isa) {
        Some(kernels) => (kernels, None),
        None => {
            let (isa, best_isa) = (isa.name(), best.isa().name());
            let message = format!("this processor cannot run {isa} kernels; using {best_isa}");
            (best, Some(message))
        }
    }
}

impl InUse {
    /// What was loaded and how it is used, in a line.
    fn praise(&self, said_by: &str, kept: bool, taken: Duration) -> String {
        let Network { net, kernels, scale } = &self.network;
        let memory = match (kept, net.transformer.is_mapped()) {
            (true, _) => "kept",
            (false, true) => "mapped",
            (false, false) => "copied",
        };
        let millis = taken.as_millis();
        let kernels = kernels.isa().name();
        let rule = match net.architecture.stacks() {
            1 => String::new(),
            _ => format!(", stacks by {}", net.buckets.name()),
        };
        format!(
            "evaluation: {self}, FV_SCALE {scale}{said_by}{rule}, {kernels} kernels, {memory}, \
             {millis} ms"
        )
    }
}
