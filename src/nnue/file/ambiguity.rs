//! Which architecture a file has if several fit it equally well.

use std::ops::Range;

use super::load_error::ArchitectureError;
use crate::nnue::architecture::{Architecture, Topology};
use crate::nnue::parameters::layer_shapes;
use crate::types::language::{Localized, localized};
use crate::types::message::{Message, message};

/// Outputs of the first two layers of classic networks in use: Suisho and most others; tanuki-;
/// tatara; AobaNNUE.
const CLASSIC_IN_USE: [(usize, usize); 6] =
    [(32, 32), (8, 32), (8, 64), (8, 96), (16, 32), (16, 64)];
/// Outputs of the first two layers of SFNN networks in use, the shortcut included: 7-32, 7-64 (Suisho 11), 15-32
/// (YaneuraOu's SFNN-1536), 15-64 (NAGISA) and 31-64.
const SFNN_IN_USE: [(usize, usize); 5] = [(8, 32), (8, 64), (16, 32), (16, 64), (32, 64)];

/// The architecture taken, and what to tell the user if that was not certain.
pub(super) type Choice = (Architecture, Option<Message>);

/// Chooses among architectures whose sizes fit: those with the most bytes of `padding` (see [`padding()`]), then
/// those that networks in use have.
pub(super) fn choose(
    fitting: &[Architecture],
    padding: impl Fn(&Architecture) -> Option<usize>,
) -> Result<Choice, ArchitectureError> {
    let largest = fitting.iter().filter_map(&padding).max();
    let left: Vec<Architecture> = fitting
        .iter()
        .filter(|architecture| largest.is_none() || padding(architecture) == largest)
        .copied()
        .collect();
    let in_use: Vec<Architecture> =
        left.iter().filter(|architecture| is_in_use(architecture)).copied().collect();
    let (chosen, reason) = match (&left[..], &in_use[..]) {
        ([only], _) => (*only, localized("its padding shows", "パディングの位置から")),
        (_, [known]) => {
            (*known, localized("other networks have these layers", "ほかの評価関数と同じ"))
        }
        (_, several) => {
            let named = if several.is_empty() { &left[..] } else { several };
            let candidates = named.iter().map(ToString::to_string).collect();
            return Err(ArchitectureError::Ambiguous { candidates });
        }
    };
    Ok((chosen, assumption(&chosen, fitting, reason)))
}

/// Whether networks in use have these layers.
pub(super) fn is_in_use(architecture: &Architecture) -> bool {
    let layers = (architecture.l1_outputs(), architecture.h2);
    match architecture.topology {
        Topology::Classic => CLASSIC_IN_USE.contains(&layers),
        Topology::Sfnn { .. } => SFNN_IN_USE.contains(&layers),
    }
}

/// The assumption; none if only the shortcut was ambiguous, which the padding reveals.
fn assumption(
    chosen: &Architecture,
    fitting: &[Architecture],
    reason: Localized,
) -> Option<Message> {
    let layers = |architecture: &Architecture| (architecture.l1_outputs(), architecture.h2);
    let others: Vec<String> = fitting
        .iter()
        .filter(|architecture| layers(architecture) != layers(chosen))
        .map(|architecture| format!("{}-{}", architecture.h1, architecture.h2))
        .collect();
    (!others.is_empty()).then(|| {
        let (h1, h2, or, ja) = (chosen.h1, chosen.h2, others.join(" or "), others.join("、"));
        message!(
            "its layers are taken for {h1}-{h2}, because {}; {or} would have the same size",
            "層を{h1}-{h2}とみなしました（{}）。{ja}も同じサイズです";
            reason
        )
    })
}

/// The bytes of padding of an architecture in these layer stacks, given without their hashes: zeros
/// after the last input of every row. `None` if others are there. If the first layer has no
/// shortcut, the last two inputs must have weights: otherwise it has one more output, the shortcut,
/// and they are padding. If there are no weights at all, zeros are no padding.
pub(super) fn padding<'a>(
    stacks: impl Iterator<Item = &'a [u8]> + Clone,
    architecture: &Architecture,
) -> Option<usize> {
    let [l1, l2, output] = layer_shapes(architecture);
    let second = l1.bytes() + 4 * l2.outputs;
    let last = l1.bytes() + l2.bytes() + 4 * output.outputs;
    let is_zero = |weights: &[u8]| weights.iter().all(|&weight| weight == 0);
    let rows = stacks.clone().flat_map(|stack| {
        stack[second..second + l2.weights()].chunks_exact(l2.weights() / l2.outputs)
    });
    let mut outputs = stacks.map(|stack| &stack[last..last + output.weights()]);
    let all_zero = |columns: Range<usize>| rows.clone().all(|row| is_zero(&row[columns.clone()]));
    let lacks_shortcut = matches!(architecture.topology, Topology::Sfnn { shortcut: false, .. });
    let is_padded = all_zero(l2.inputs..l2.weights() / l2.outputs)
        && outputs.all(|weights| is_zero(&weights[output.inputs..]))
        && !(lacks_shortcut && all_zero(l2.inputs - 2..l2.inputs));
    let bytes = l2.weights() - l2.inputs * l2.outputs + output.weights() - output.inputs;
    is_padded.then_some(if all_zero(0..l2.inputs) { 0 } else { bytes })
}
