//! What can be wrong with a file of a net, in words that help whoever has it.
//!
//! Owns the words; every message names the file, as it is called, what was found, what was expected
//! and what to do, in one line.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::header::version_name;
use crate::sys::MemoryRefused;

/// Why a net was not loaded.
#[derive(Debug)]
pub struct LoadError {
    /// The file that is to at_path; `None` for bytes that came from no file.
    pub path: Option<PathBuf>,
    pub problem: LoadProblem,
}

/// What is wrong.
#[derive(Debug)]
pub enum LoadProblem {
    /// The system refuses to open or map it.
    Unreadable(io::Error),
    Folder,
    /// A pipe, a device or the like.
    NoFile,
    Empty,
    /// It is something else altogether.
    Stranger {
        what: &'static str,
    },
    Version {
        version: u32,
    },
    /// A part would reach beyond the end.
    Short {
        what: &'static str,
        needs: u64,
        has: u64,
    },
    /// No feature set and width have this hash.
    FeatureTransformer {
        hash: u32,
    },
    /// The layers of a classic net do not just clip.
    Activation {
        activation: &'static str,
    },
    /// The hashes say what it is, the size denies it.
    Size {
        architecture: String,
        needs: u64,
        has: u64,
    },
    /// The feature set and the width are known, but no layers make such a size.
    NoLayers {
        transformer: String,
        has: u64,
    },
    /// Several shapes are possible.
    Ambiguous {
        candidates: Vec<String>,
    },
    /// A set of features that needs the effects of pieces.
    HalfKpe9,
    NoSection {
        what: &'static str,
        at: u64,
    },
    /// The coding of a number is none.
    NoNumber {
        what: &'static str,
    },
    Width {
        width: u64,
    },
    /// No set of features has as many.
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
    /// Nothing says how a stack is chosen.
    NoBuckets {
        stacks: usize,
    },
    /// Nothing says whether a stack of nine is chosen by these coefficients of progress.
    NineBuckets {
        coefficients: PathBuf,
    },
    Buckets {
        mode: String,
        why: String,
    },
    BucketCount {
        mode: String,
        count: usize,
        stacks: usize,
    },
    /// Not the size of coefficients of progress.
    ProgressSize {
        needs: u64,
        has: u64,
    },
    ProgressNumber,
    /// Cut off by somebody in the meantime.
    Damaged,
    Memory(MemoryRefused),
    /// Nothing to be aligned.
    Compressed,
    /// A file cannot be its own twin.
    SameFile,
    /// The new file could not be written.
    Unwritable(io::Error),
}

impl LoadError {
    pub(super) fn new(path: &Path, problem: LoadProblem) -> LoadError {
        LoadError { path: Some(path.to_owned()), problem }
    }
}

impl From<MemoryRefused> for LoadProblem {
    fn from(refused: MemoryRefused) -> LoadProblem {
        LoadProblem::Memory(refused)
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}: ", path.display())?;
        }
        write!(f, "{}", self.problem)
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            LoadProblem::Unreadable(error) | LoadProblem::Unwritable(error) => Some(error),
            LoadProblem::Memory(refused) => Some(refused),
            _ => None,
        }
    }
}

/// What was found is said first, then what was expected, then what to do.
impl fmt::Display for LoadProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadProblem::Unreadable(error) => {
                write!(f, "cannot be read ({error}); check the name and the rights")
            }
            LoadProblem::Folder => {
                write!(f, "is a folder, not a file; name the file in it, or set EvalDir to it")
            }
            LoadProblem::NoFile => write!(f, "is no regular file; name a file with a net"),
            LoadProblem::Empty => write!(f, "is empty, not a net; copy it again"),
            LoadProblem::Stranger { what } => write!(f, "is {what}; expected a net (nn.bin)"),
            LoadProblem::Version { version } => {
                write!(f, "has version 0x{version:08X}")?;
                if let Some(name) = version_name(*version) {
                    write!(f, " ({name})")?;
                }
                write!(
                    f,
                    "; expected 0x{:08X}, the NNUE files of YaneuraOu; ",
                    super::header::VERSION
                )?;
                write!(f, "use a net in that format")
            }
            LoadProblem::Short { what, needs, has } => write!(
                f,
                "ends too early: {what} needs {needs} bytes where {has} are left; \
                 the file is cut off or no net; copy it again"
            ),
            LoadProblem::FeatureTransformer { hash } => write!(
                f,
                "has a feature transformer of unknown kind (hash 0x{hash:08X}); expected HalfKP, \
                 HalfKP_vm, K+P, K+A2, HalfKA1, HalfKA2, HalfKA_hm1 or HalfKA_hm2 with a width of \
                 {} to {} in steps of {}, or SFNN; use such a net",
                super::MIN_WIDTH,
                super::MAX_WIDTH,
                super::WIDTH_STEP,
            ),
            LoadProblem::Activation { activation } => write!(
                f,
                "has by its description the activation {activation}, as nets of tatara and \
                 bullet-shogi may; expected ClippedReLU alone; use such a net"
            ),
            LoadProblem::Size { architecture, needs, has } => {
                let how = if has < needs { "is cut off" } else { "has bytes behind its end" };
                write!(
                    f,
                    "is by its hashes {architecture}, which takes {needs} bytes, but has {has}: \
                     it {how}; copy it again"
                )
            }
            LoadProblem::NoLayers { transformer, has } => write!(
                f,
                "begins as {transformer}, but no layers make its size of {has} bytes; it is cut \
                 off, has bytes behind its end, or has layers of more or less than {} to {} \
                 outputs in steps of {}; copy it again or use another net",
                super::LAYER_STEP,
                super::MAX_OUTPUTS,
                super::LAYER_STEP,
            ),
            LoadProblem::Ambiguous { candidates } => write!(
                f,
                "may be {} by its size, and its description does not say which; use a file whose \
                 description does",
                candidates.join(" or ")
            ),
            LoadProblem::HalfKpe9 => write!(
                f,
                "is HalfKPE9, which is not supported because it needs the effects of all pieces; \
                 use HalfKP, HalfKA or another set of features"
            ),
            LoadProblem::NoSection { what, at } => write!(
                f,
                "has no compressed section for {what} at byte {at}; expected the text \
                 COMPRESSED_LEB128; the file is damaged or written by an unknown program; copy it \
                 again or use another net"
            ),
            LoadProblem::NoNumber { what } => write!(
                f,
                "has bytes in {what} that are no 16-bit numbers in LEB128; the file is damaged; \
                 copy it again"
            ),
            LoadProblem::Width { width } => write!(
                f,
                "has a feature transformer {width} wide; expected {} to {} in steps of {}; use \
                 another net",
                super::MIN_WIDTH,
                super::MAX_WIDTH,
                super::WIDTH_STEP,
            ),
            LoadProblem::Features { weights, width } => write!(
                f,
                "has {weights} weights for a width of {width}, as no known set of features has; \
                 expected one such as HalfKA_hm2 with {}; copy it again or use another net",
                73_305 * width
            ),
            LoadProblem::Marker { what, at, found } => write!(
                f,
                "has 0x{found:08X} at byte {at}, where {what} was expected; the file is damaged \
                 or of an unknown shape; copy it again or use another net"
            ),
            LoadProblem::NoBuckets { stacks } => write!(
                f,
                "has {stacks} stacks of layers and does not say how to choose among them; set \
                 LS_BUCKET_MODE (and LS_PROGRESS_COEFF if that goes by progress)"
            ),
            LoadProblem::NineBuckets { coefficients } => write!(
                f,
                "has 9 stacks of layers and does not say whether to choose among them by the \
                 coefficients of progress \"{}\"; set LS_BUCKET_MODE to progress8kpabs or \
                 progress8ek, whichever the net was trained with, or to k3k3 if it needs none",
                coefficients.display()
            ),
            LoadProblem::Buckets { mode, why } => {
                write!(f, "cannot be used with LS_BUCKET_MODE {mode}: {why}")
            }
            LoadProblem::BucketCount { mode, count, stacks } => write!(
                f,
                "has {stacks} stacks of layers, but {mode} chooses among {count}; set \
                 LS_BUCKET_MODE to what the net was trained with"
            ),
            LoadProblem::ProgressSize { needs, has } => write!(
                f,
                "has {has} bytes; coefficients of progress have {needs} (81 x 1548 numbers of 64 \
                 bits); set LS_PROGRESS_COEFF to such a file"
            ),
            LoadProblem::ProgressNumber => write!(
                f,
                "has coefficients that are infinite or no numbers; set LS_PROGRESS_COEFF to a \
                 file of progress coefficients"
            ),
            LoadProblem::Damaged => {
                write!(f, "was cut off while it was being read; load it again when it is whole")
            }
            LoadProblem::Memory(refused) => {
                write!(f, "cannot be loaded: {refused}; free memory or use a smaller net")
            }
            LoadProblem::Compressed => write!(
                f,
                "is an SFNN net: its numbers are compressed, so they cannot be used where they \
                 lie, however the file is aligned; it needs no conversion"
            ),
            LoadProblem::SameFile => {
                write!(f, "is the file to be converted; give the new file another name")
            }
            LoadProblem::Unwritable(error) => {
                write!(f, "cannot be written ({error}); check the folder, its rights and its space")
            }
        }
    }
}
