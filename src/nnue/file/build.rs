//! From the bytes of a detected file to a net in memory.
//!
//! Owns the decision what is copied: everything but rows that lie in a mapped file as the kernels
//! want them.

use std::sync::Arc;

use super::byte_reader::{self, ByteReader};
use super::file_layout::FileLayout;
use super::load_error::LoadProblem;
use super::{ROW_ALIGNMENT, leb128};
use crate::nnue::buckets::Buckets;
use crate::nnue::net::{FeatureTransformer, Net, WeightStorage};
use crate::nnue::parameters::{LayerParameters, LayerShape, LayerStackParameters, layer_shapes};
use crate::sys::{MappedFile, MappedView, Pages};

/// The net that the layout finds in the file; `mapped` is the same file if it is mapped.
pub(super) fn net(
    file: &[u8],
    mapped: Option<&Arc<MappedFile>>,
    layout: &FileLayout,
    buckets: Buckets,
    scale: Option<u32>,
) -> Result<Net, LoadProblem> {
    let architecture = layout.architecture;
    let width = architecture.width;
    let mut bias = Pages::zeroed(width)?;
    numbers(layout, &file[layout.bias.clone()], &mut bias, "the biases")?;
    let count = width * architecture.features.dimensions();
    let rows = match mapped.and_then(|mapped| in_place(mapped, layout, count)) {
        Some(rows) => WeightStorage::Mapped(rows),
        None => {
            let mut rows = Pages::zeroed(count)?;
            numbers(layout, &file[layout.rows.clone()], &mut rows, "the weights of the features")?;
            WeightStorage::Owned(rows)
        }
    };
    let stacks = (0..architecture.stacks())
        .map(|stack| {
            let mut reader = ByteReader::new(&file[layout.stacks + stack * layout.stack_step..]);
            let [l1, l2, output] = layer_shapes(&architecture);
            let numbers = LayerStackParameters {
                l1: layer(&mut reader, l1)?,
                l2: layer(&mut reader, l2)?,
                output: layer(&mut reader, output)?,
            };
            Ok(numbers.packed(&architecture)?)
        })
        .collect::<Result<_, LoadProblem>>()?;
    let transformer = FeatureTransformer::new(bias, rows);
    Ok(Net { architecture, transformer, stacks, buckets, scale })
}

/// Whether rows at this place of a file can be used there.
pub(super) fn can_stay(layout: &FileLayout) -> bool {
    cfg!(target_endian = "little")
        && !layout.compressed
        && layout.rows.start.is_multiple_of(ROW_ALIGNMENT)
}

fn in_place(file: &Arc<MappedFile>, layout: &FileLayout, count: usize) -> Option<MappedView<i16>> {
    if !can_stay(layout) {
        return None;
    }
    let rows = file.view(layout.rows.start, count)?;
    // Else the first searches would wait for the disk.
    file.populate();
    Some(rows)
}

fn numbers(
    layout: &FileLayout,
    bytes: &[u8],
    to: &mut [i16],
    what: &'static str,
) -> Result<(), LoadProblem> {
    if layout.compressed {
        return leb128::decode(bytes, to, what);
    }
    byte_reader::i16s(bytes, to);
    Ok(())
}

fn layer(reader: &mut ByteReader<'_>, shape: LayerShape) -> Result<LayerParameters, LoadProblem> {
    let bias = reader.take("the biases of a layer", 4 * shape.outputs as u64)?;
    let weights = reader.take("the weights of a layer", shape.weights() as u64)?;
    Ok(LayerParameters {
        bias: byte_reader::i32s(bias),
        weights: weights.iter().map(|&byte| byte as i8).collect(),
    })
}
