//! The reasons why a network file is rejected. Every message is one line and names the file, what
//! was found, what was expected and what to do.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::limits::{LAYER_STEP, WIDTH_STEP};
use super::shards::Shards;
use super::version::{VERSION, version_name};
use crate::nnue::architecture::Architecture;
use crate::nnue::kernels::{MAX_CLASSIC_WIDTH, MAX_OUTPUTS, MAX_WIDTH};
use crate::sys::AllocationError;

/// Why a network was not loaded.
#[derive(Debug)]
pub struct LoadError {
    /// The file; `None` for bytes in memory.
    pub path: Option<PathBuf>,
    pub problem: LoadProblem,
}

/// The problem.
#[derive(Debug)]
pub enum LoadProblem {
    Access(AccessProblem),
    Format(FormatProblem),
    Shape(ShapeProblem),
    Buckets(BucketProblem),
}

/// The file cannot be read or written.
#[derive(Debug)]
pub enum AccessProblem {
    /// The system refuses to open or map it.
    Unreadable(io::Error),
    Folder,
    /// A pipe, a device or the like.
    NotAFile,
    Empty,
    /// Truncated while it was being read.
    Damaged,
    Memory(AllocationError),
    /// A conversion would overwrite its input.
    SameFile,
    /// The new file could not be written.
    Unwritable(io::Error),
}

/// The file is not in a supported format.
#[derive(Debug)]
pub enum FormatProblem {
    /// A known other format.
    Foreign {
        what: &'static str,
    },
    Version {
        version: u32,
    },
    /// A part extends past the end.
    Short {
        what: &'static str,
        needs: u64,
        has: u64,
    },
    /// A compressed section does not start where it must.
    NoSection {
        what: &'static str,
        at: u64,
    },
    /// Invalid LEB128.
    NoNumber {
        what: &'static str,
    },
    /// Compressed parameters cannot be aligned.
    Compressed,
}

/// The parameters do not make a supported architecture.
#[derive(Debug)]
pub enum ShapeProblem {
    /// No feature set and width have this hash.
    Transformer {
        hash: u32,
    },
    /// The layers of a classic network use another activation than ClippedReLU.
    Activation {
        activation: &'static str,
    },
    /// The size does not match the architecture that the hashes name.
    Size {
        architecture: String,
        needs: u64,
        has: u64,
    },
    /// No layers match the size.
    NoLayers {
        transformer: String,
        has: u64,
    },
    /// Several architectures match.
    Ambiguous {
        candidates: Vec<String>,
    },
    /// A feature set that needs the effects of pieces.
    HalfKpe9,
    /// A second network selects the layer stack.
    Router,
    /// The name of the network has a part with an unknown meaning.
    UnknownPart {
        part: String,
    },
    /// The name of the network divides its first layer in a way that does not fit it.
    Shards {
        shards: Shards,
        architecture: Architecture,
    },
    Width {
        width: u64,
    },
    /// No feature set has this number of weights.
    Features {
        weights: u64,
        width: u64,
    },
    /// A marker is not where it must be.
    Marker {
        what: &'static str,
        at: u64,
        found: u32,
    },
}

/// It is not known how to select a layer stack.
#[derive(Debug)]
pub enum BucketProblem {
    /// Nothing names the mode, which may be one of these.
    NoMode { stacks: usize, candidates: Vec<String> },
    /// The name of the network has a part with an unknown meaning, which may be the mode.
    UnknownPart { part: String, stacks: usize },
    /// Nothing says whether the mode of nine stacks uses these progress coefficients.
    NineStacks { coefficients: PathBuf },
    /// The mode is not usable.
    Mode { mode: String, why: String },
    /// The mode selects among another number of stacks.
    Count { mode: String, count: usize, stacks: usize },
    /// Not the size of progress coefficients.
    ProgressSize { needs: u64, has: u64 },
    /// Progress coefficients that are not finite.
    ProgressNumber,
}

impl LoadError {
    pub(super) fn new(path: &Path, problem: LoadProblem) -> LoadError {
        LoadError { path: Some(path.to_owned()), problem }
    }
}

impl From<AccessProblem> for LoadProblem {
    fn from(problem: AccessProblem) -> LoadProblem {
        LoadProblem::Access(problem)
    }
}

impl From<FormatProblem> for LoadProblem {
    fn from(problem: FormatProblem) -> LoadProblem {
        LoadProblem::Format(problem)
    }
}

impl From<ShapeProblem> for LoadProblem {
    fn from(problem: ShapeProblem) -> LoadProblem {
        LoadProblem::Shape(problem)
    }
}

impl From<BucketProblem> for LoadProblem {
    fn from(problem: BucketProblem) -> LoadProblem {
        LoadProblem::Buckets(problem)
    }
}

impl From<AllocationError> for LoadProblem {
    fn from(refused: AllocationError) -> LoadProblem {
        AccessProblem::Memory(refused).into()
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}: ", path.display())?;
        }
        self.problem.fmt(f)
    }
}

impl Error for LoadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.problem {
            LoadProblem::Access(
                AccessProblem::Unreadable(error) | AccessProblem::Unwritable(error),
            ) => Some(error),
            LoadProblem::Access(AccessProblem::Memory(refused)) => Some(refused),
            _ => None,
        }
    }
}

impl fmt::Display for LoadProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadProblem::Access(problem) => problem.fmt(f),
            LoadProblem::Format(problem) => problem.fmt(f),
            LoadProblem::Shape(problem) => problem.fmt(f),
            LoadProblem::Buckets(problem) => problem.fmt(f),
        }
    }
}

impl fmt::Display for AccessProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AccessProblem::Unreadable(error) => {
                write!(f, "cannot be read ({error}); check the name and the rights")
            }
            AccessProblem::Folder => {
                write!(f, "is a folder, not a file; name the file in it, or set EvalDir to it")
            }
            AccessProblem::NotAFile => {
                write!(f, "is not a regular file; name a file with a net")
            }
            AccessProblem::Empty => write!(f, "is empty, not a net; copy it again"),
            AccessProblem::Damaged => {
                write!(
                    f,
                    "was truncated while it was being read; load it again when it is complete"
                )
            }
            AccessProblem::Memory(refused) => {
                write!(f, "cannot be loaded: {refused}; free memory or use a smaller net")
            }
            AccessProblem::SameFile => {
                write!(f, "is the file to be converted; give the new file another name")
            }
            AccessProblem::Unwritable(error) => {
                write!(f, "cannot be written ({error}); check the folder, its rights and its space")
            }
        }
    }
}

impl fmt::Display for FormatProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatProblem::Foreign { what } => write!(f, "is {what}; expected a net (nn.bin)"),
            FormatProblem::Version { version } => {
                write!(f, "has version 0x{version:08X}")?;
                if let Some(name) = version_name(*version) {
                    write!(f, " ({name})")?;
                }
                write!(
                    f,
                    "; expected 0x{VERSION:08X}, the NNUE files of YaneuraOu; use a net in that \
                     format"
                )
            }
            FormatProblem::Short { what, needs, has } => write!(
                f,
                "ends too early: {what} needs {needs} bytes where {has} are left; the file is \
                 truncated or not a net; copy it again"
            ),
            FormatProblem::NoSection { what, at } => write!(
                f,
                "has no compressed section for {what} at byte {at}; expected the text \
                 COMPRESSED_LEB128; the file is damaged or written by an unknown program; copy it \
                 again or use another net"
            ),
            FormatProblem::NoNumber { what } => write!(
                f,
                "has bytes in {what} that are not 16-bit numbers in LEB128; the file is damaged; \
                 copy it again"
            ),
            FormatProblem::Compressed => write!(
                f,
                "is an SFNN net: its numbers are compressed, so they are copied when they are \
                 loaded, however the file is aligned; it needs no conversion"
            ),
        }
    }
}

impl fmt::Display for ShapeProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeProblem::Transformer { hash } => write!(
                f,
                "has an unknown feature transformer (hash 0x{hash:08X}); expected HalfKP, \
                 HalfKP_vm, K+P, K+A2, HalfKA1, HalfKA2, HalfKA_hm1 or HalfKA_hm2 with a width of \
                 {WIDTH_STEP} to {MAX_CLASSIC_WIDTH} in steps of {WIDTH_STEP}, or SFNN; use such a net"
            ),
            ShapeProblem::Activation { activation } => write!(
                f,
                "has the activation {activation} in its description, as nets of tatara and \
                 bullet-shogi may; expected ClippedReLU alone; use such a net"
            ),
            ShapeProblem::Size { architecture, needs, has } => {
                let how = if has < needs { "is truncated" } else { "has bytes after its end" };
                write!(
                    f,
                    "is {architecture} by its hashes, which takes {needs} bytes, but has {has}: \
                     it {how}; copy it again"
                )
            }
            ShapeProblem::NoLayers { transformer, has } => write!(
                f,
                "starts as {transformer}, but no layers match its size of {has} bytes; it is \
                 truncated, has bytes after its end, or has layers outside {LAYER_STEP} to \
                 {MAX_OUTPUTS} outputs in steps of {LAYER_STEP}; copy it again or use another net"
            ),
            ShapeProblem::Ambiguous { candidates } => write!(
                f,
                "may be {} by its size, and its description does not say which; use a file whose \
                 description does",
                candidates.join(" or ")
            ),
            ShapeProblem::HalfKpe9 => write!(
                f,
                "is HalfKPE9, which is not supported because it needs the effects of all pieces; \
                 use HalfKP, HalfKA or another feature set"
            ),
            ShapeProblem::Router => write!(
                f,
                "selects its layer stacks by a router of tatara, a second network, which is not \
                 supported; use a net for a mode of LS_BUCKET_MODE"
            ),
            ShapeProblem::UnknownPart { part } => write!(
                f,
                "has the part {part} in the name of its network, which is not supported; use \
                 another net"
            ),
            ShapeProblem::Shards { shards, architecture } => write!(
                f,
                "has the sharded first layer {shards} by its description, which does not fit \
                 {architecture}; the description or the file is damaged; copy it again"
            ),
            ShapeProblem::Width { width } => write!(
                f,
                "has a feature transformer of width {width}; expected {WIDTH_STEP} to {MAX_WIDTH} \
                 in steps of {WIDTH_STEP}; use another net"
            ),
            ShapeProblem::Features { weights, width } => write!(
                f,
                "has {weights} weights for a width of {width}, which matches no feature set; \
                 HalfKA_hm2 for example has {}; copy it again or use another net",
                73_305 * width
            ),
            ShapeProblem::Marker { what, at, found } => write!(
                f,
                "has 0x{found:08X} at byte {at}, where {what} was expected; the file is damaged \
                 or of an unknown shape; copy it again or use another net"
            ),
        }
    }
}

impl fmt::Display for BucketProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BucketProblem::NoMode { stacks, candidates } => {
                write!(f, "has {stacks} layer stacks and does not say how to select one; set ")?;
                match &candidates[..] {
                    [] => write!(
                        f,
                        "LS_BUCKET_MODE (and LS_PROGRESS_COEFF if the mode uses progress)"
                    ),
                    _ => write!(
                        f,
                        "LS_BUCKET_MODE to {}, whichever the net was trained with",
                        candidates.join(" or ")
                    ),
                }
            }
            BucketProblem::UnknownPart { part, stacks } => write!(
                f,
                "has the part {part} in the name of its network, which is not supported; use \
                 another net, or set LS_BUCKET_MODE if a known mode selects among its {stacks} layer \
                 stacks"
            ),
            BucketProblem::NineStacks { coefficients } => write!(
                f,
                "has 9 layer stacks and does not say whether to select one by the progress \
                 coefficients \"{}\"; set LS_BUCKET_MODE to progress8kpabs or progress8ek, \
                 whichever the net was trained with, or to k3k3 if it needs none",
                coefficients.display()
            ),
            BucketProblem::Mode { mode, why } => {
                write!(f, "cannot be used with LS_BUCKET_MODE {mode}: {why}")
            }
            BucketProblem::Count { mode, count, stacks } => write!(
                f,
                "has {stacks} layer stacks, but {mode} selects among {count}; set LS_BUCKET_MODE \
                 to what the net was trained with"
            ),
            BucketProblem::ProgressSize { needs, has } => write!(
                f,
                "has {has} bytes; progress coefficients have {needs} (81 x 1548 numbers of 64 \
                 bits); set LS_PROGRESS_COEFF to such a file"
            ),
            BucketProblem::ProgressNumber => write!(
                f,
                "has coefficients that are not finite; set LS_PROGRESS_COEFF to a file of progress \
                 coefficients"
            ),
        }
    }
}
