//! Determines the bucket mode of a network from the options, the description and the number of
//! stacks, and reads the file of progress coefficients.

use std::path::{Path, PathBuf};

use super::byte_reader;
use super::file_layout::FileLayout;
use super::header::FileHeader;
use super::load_error::{AccessError, BucketModeError, LoadError, LoadErrorKind};
use super::load_options::LoadOptions;
use super::network_name::NetworkName;
use super::open::open;
use crate::nnue::architecture::Topology;
use crate::nnue::buckets::{Buckets, ProgressModel};

pub(super) fn buckets(
    file: &[u8],
    header: &FileHeader<'_>,
    layout: &FileLayout,
    options: &LoadOptions,
    at_path: &dyn Fn(LoadErrorKind) -> LoadError,
) -> Result<Buckets, LoadError> {
    let Topology::Sfnn { stacks, .. } = layout.architecture.topology else {
        return Ok(Buckets::One);
    };
    let given = options.bucket_mode.as_deref().map(str::trim).filter(|mode| !mode.is_empty());
    let embedded = layout.progress.is_some();
    let default_file = options.default_progress_file.as_ref().filter(|_| !embedded);
    let external = options.progress_file.as_ref().or(default_file);
    let mode = match given {
        Some(mode) => Some(mode.to_owned()),
        None => default_mode(header, stacks, embedded, external)
            .map_err(|error| at_path(error.into()))?,
    };
    let Some(mode) = mode else { return Ok(Buckets::One) };
    let model = match (external, &layout.progress) {
        _ if !Buckets::mode_uses_progress(&mode) => None,
        (Some(path), _) => Some(external_model(path).map_err(|kind| LoadError::new(path, kind))?),
        (None, Some(range)) => {
            let mut numbers = byte_reader::i32s(&file[range.clone()]);
            let bias = numbers.remove(0);
            Some(ProgressModel::embedded(bias, numbers))
        }
        (None, None) => None,
    };
    let buckets = Buckets::parse(&mode, model).map_err(|error| {
        at_path(BucketModeError::Mode { mode: mode.clone(), why: error.message() }.into())
    })?;
    let count = buckets.count();
    if !fits(&mode, count, stacks) {
        return Err(at_path(BucketModeError::Count { mode, count, stacks }.into()));
    }
    Ok(buckets)
}

/// Whether a mode that selects among `count` stacks fits a network with `stacks`. Networks for
/// `progress8kpabs` may have an unused ninth one, because their trainers once supported nine only.
fn fits(mode: &str, count: usize, stacks: usize) -> bool {
    let has_unused_stack =
        mode.eq_ignore_ascii_case(Buckets::KP_ABSOLUTE) && (count, stacks) == (8, 9);
    count == stacks || has_unused_stack
}

/// The mode if none is given; `None` for one stack. There is no default for nine stacks with
/// coefficients: published networks of that kind use `progress8kpabs` or `progress8ek`, and a
/// network for `k3k3` may be beside the coefficients of another.
fn default_mode(
    header: &FileHeader<'_>,
    stacks: usize,
    embedded: bool,
    external: Option<&PathBuf>,
) -> Result<Option<String>, BucketModeError> {
    let name = NetworkName::in_description(header.description_start());
    if let Some(part) = name.unknown {
        return Err(BucketModeError::UnknownPart { part, stacks });
    }
    let described = name.mode.filter(|mode| {
        // The description counts only if it matches the number of stacks. Missing coefficients are
        // an error later, not a reason for another mode.
        let model = ProgressModel::embedded(0, vec![0; ProgressModel::WEIGHTS]);
        Buckets::parse(mode, Some(model)).is_ok_and(|buckets| fits(mode, buckets.count(), stacks))
    });
    if described.is_some() {
        return Ok(described);
    }
    match (stacks, external) {
        (1, _) => return Ok(None),
        (2 | 3 | 4 | 8 | 16 | 32, _) if embedded => return Ok(Some(format!("progress{stacks}"))),
        (8, Some(_)) => return Ok(Some(Buckets::KP_ABSOLUTE.to_owned())),
        (9, Some(coefficients)) if !embedded => {
            return Err(BucketModeError::NineStacks { coefficients: coefficients.clone() });
        }
        _ => {}
    }
    let mut candidates = Vec::new();
    if !embedded {
        candidates.extend(Buckets::modes_for(stacks, false));
    }
    if embedded || external.is_some() {
        candidates.extend(Buckets::modes_for(stacks, true));
    }
    match &candidates[..] {
        [only] => Ok(Some(only.clone())),
        _ => Err(BucketModeError::NoMode { stacks, candidates }),
    }
}

/// Progress coefficients from a separate file: `[81][1548]` numbers of 64 bits.
fn external_model(path: &Path) -> Result<ProgressModel, LoadErrorKind> {
    let needs = 8 * ProgressModel::WEIGHTS as u64;
    let file = open(path).map_err(|kind| match kind {
        // Their messages are about a network.
        LoadErrorKind::Access(AccessError::Unreadable(error)) => {
            BucketModeError::ProgressUnreadable(error).into()
        }
        LoadErrorKind::Access(AccessError::Folder | AccessError::NotAFile) => {
            BucketModeError::ProgressNotAFile.into()
        }
        LoadErrorKind::Access(AccessError::Empty) => {
            BucketModeError::ProgressSize { needs, has: 0 }.into()
        }
        other => other,
    })?;
    let has = file.len() as u64;
    if needs != has {
        return Err(BucketModeError::ProgressSize { needs, has }.into());
    }
    let numbers = byte_reader::f64s(&file);
    if !numbers.iter().all(|number| number.is_finite()) {
        return Err(BucketModeError::ProgressNumber.into());
    }
    if file.is_damaged() {
        return Err(AccessError::Damaged.into());
    }
    Ok(ProgressModel::external(numbers))
}
