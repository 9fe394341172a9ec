//! Which stack of layers judges a position: what the file, its description and the options say.
//!
//! Owns the choosing of a rule and the file of coefficients of progress; knows not how a rule
//! works.

use std::path::Path;

use super::LoadOptions;
use super::byte_reader;
use super::file_layout::FileLayout;
use super::header::NetHeader;
use super::load_error::{LoadError, LoadProblem};
use super::sfnn::PROGRESS_WEIGHTS;
use crate::nnue::architecture::Topology;
use crate::nnue::buckets::{Buckets, ProgressModel};
use crate::sys::MappedFile;

/// What is needed of a net to find its rule.
pub(super) fn buckets(
    file: &[u8],
    header: &NetHeader<'_>,
    layout: &FileLayout,
    options: &LoadOptions,
    at_path: &dyn Fn(LoadProblem) -> LoadError,
) -> Result<Buckets, LoadError> {
    let Topology::Sfnn { stacks, .. } = layout.architecture.topology else {
        return Ok(Buckets::One);
    };
    let said = options.buckets.as_deref().map(str::trim).filter(|mode| !mode.is_empty());
    let embedded = layout.progress.is_some();
    let beside = options.progress_beside.as_ref().filter(|_| !embedded);
    let external = options.progress.as_ref().or(beside);
    let usual = || usual(header.hints(), stacks, embedded, external.is_some());
    let Some(mode) = said.map(str::to_owned).or_else(usual) else {
        return match (stacks, external) {
            (1, _) => Ok(Buckets::One),
            (9, Some(path)) => {
                Err(at_path(LoadProblem::NineBuckets { coefficients: path.clone() }))
            }
            _ => Err(at_path(LoadProblem::NoBuckets { stacks })),
        };
    };
    let progress = match (external, &layout.progress) {
        _ if !mode.to_ascii_lowercase().contains("progress") => None,
        (Some(path), _) => {
            Some(external_progress(path).map_err(|problem| LoadError::new(path, problem))?)
        }
        (None, Some(range)) => {
            let mut numbers = byte_reader::i32s(&file[range.clone()]);
            let bias = numbers.remove(0);
            Some(ProgressModel::embedded(bias, numbers))
        }
        (None, None) => None,
    };
    let buckets = Buckets::parse(&mode, progress).map_err(|error| {
        at_path(LoadProblem::Buckets { mode: mode.clone(), why: error.to_string() })
    })?;
    let count = buckets.count();
    if !fits(&mode, count, stacks) {
        return Err(at_path(LoadProblem::BucketCount { mode, count, stacks }));
    }
    Ok(buckets)
}

/// Whether a mode that chooses among `count` stacks does for a net of so many. Nets for
/// `progress8kpabs` may have a ninth that is never used, since their trainers once knew no other
/// number.
fn fits(mode: &str, count: usize, stacks: usize) -> bool {
    let is_spare = mode.eq_ignore_ascii_case("progress8kpabs") && (count, stacks) == (8, 9);
    count == stacks || is_spare
}

/// The rule where nobody names one. None for nine stacks where there are coefficients: published
/// nets of that kind go by `progress8kpabs` or by `progress8ek`, and a net for `k3k3` may have come
/// to lie beside the coefficients of another.
fn usual(description: &[u8], stacks: usize, embedded: bool, external: bool) -> Option<String> {
    let described = described(description).filter(|mode| {
        // The word of a description counts only if it agrees with the file. If coefficients are
        // missing, that is to be said, not another rule to be taken.
        let progress = ProgressModel::embedded(0, vec![0; PROGRESS_WEIGHTS]);
        Buckets::parse(mode, Some(progress))
            .is_ok_and(|buckets| fits(mode, buckets.count(), stacks))
    });
    if described.is_some() {
        return described;
    }
    match stacks {
        2 | 3 | 4 | 8 | 16 | 32 if embedded => Some(format!("progress{stacks}")),
        8 if external => Some("progress8kpabs".to_owned()),
        9 if !embedded && !external => Some("k3k3".to_owned()),
        _ => None,
    }
}

/// The rule that YaneuraOu writes into the name of the network, the last parts of
/// `Network=SFNN_HALFKAHM2_1024_15_64_K3K3_PROGRESS8`.
fn described(description: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(description).ok()?;
    let (_, name) = text.split_once("Network=")?;
    let name =
        name.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').next()?;
    Buckets::mode_in(name)
}

/// Coefficients from a file of their own: `[81][1548]` numbers of 64 bits.
fn external_progress(path: &Path) -> Result<ProgressModel, LoadProblem> {
    let file = super::open(path)?;
    let (needs, has) = (8 * PROGRESS_WEIGHTS as u64, file.len() as u64);
    if needs != has {
        return Err(LoadProblem::ProgressSize { needs, has });
    }
    let numbers: Vec<f64> = doubles(&file);
    if !numbers.iter().all(|number| number.is_finite()) {
        return Err(LoadProblem::ProgressNumber);
    }
    if file.is_damaged() {
        return Err(LoadProblem::Damaged);
    }
    Ok(ProgressModel::external(numbers))
}

fn doubles(file: &MappedFile) -> Vec<f64> {
    let eight = |bytes: &[u8]| {
        let bits = bytes.iter().rev().fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
        f64::from_bits(bits)
    };
    file.chunks_exact(8).map(eight).collect()
}
