//! From the bytes of a file to a network in memory. Everything is copied except aligned rows in a
//! mapped file.

use std::sync::Arc;

use super::byte_reader::{self, ByteReader};
use super::deflate;
use super::file_layout::{Encoding, FileLayout, ROW_ALIGNMENT};
use super::leb128;
use super::load_error::LoadErrorKind;
use crate::nnue::buckets::Buckets;
use crate::nnue::parameters::{LayerParameters, LayerShape, LayerStackParameters, layer_shapes};
use crate::nnue::weights::{FeatureTransformer, NetworkWeights, WeightStorage};
use crate::sys::{HugePages, MappedFile, MappedView};
use crate::types::language::{Localized, localized};

/// The network at the places of the layout; `mapped` is the same file if it is mapped.
pub(super) fn weights(
    file: &[u8],
    mapped: Option<&Arc<MappedFile>>,
    layout: &FileLayout,
    buckets: Buckets,
    fv_scale: Option<u32>,
) -> Result<NetworkWeights, LoadErrorKind> {
    let architecture = layout.architecture;
    let width = architecture.width;
    let mut bias = HugePages::zeroed(width)?;
    decode_numbers(
        layout,
        &file[layout.bias.clone()],
        &mut bias,
        localized("the biases", "特徴量変換器のバイアス"),
    )?;
    let count = width * architecture.features.dimensions();
    let rows = match mapped.and_then(|mapped| in_place(mapped, layout, count)) {
        Some(rows) => WeightStorage::Mapped(rows),
        None => {
            let mut rows = HugePages::zeroed(count)?;
            let (bytes, what) = (
                &file[layout.rows.clone()],
                localized("the weights of the features", "特徴量の重み"),
            );
            match layout.encoding {
                Encoding::Deflate => deflate::decode(bytes, &architecture, &mut rows, what)?,
                _ => decode_numbers(layout, bytes, &mut rows, what)?,
            }
            WeightStorage::in_memory(rows, width)?
        }
    };
    let stacks = (0..architecture.stacks())
        .map(|stack| {
            let mut reader = ByteReader::new(&file[layout.stacks_at + stack * layout.stack_step..]);
            let [l1, l2, output] = layer_shapes(&architecture);
            let parameters = LayerStackParameters {
                l1: without_unused_weights(read_layer(&mut reader, l1)?, layout),
                l2: read_layer(&mut reader, l2)?,
                output: read_layer(&mut reader, output)?,
            };
            Ok(parameters.packed(&architecture)?)
        })
        .collect::<Result<_, LoadErrorKind>>()?;
    let transformer = FeatureTransformer::new(bias, rows);
    let notes = layout.assumption.iter().cloned().collect();
    Ok(NetworkWeights { architecture, transformer, stacks, buckets, fv_scale, notes })
}

/// Whether the rows can be used in the mapped file.
pub(super) fn can_map_in_place(layout: &FileLayout) -> bool {
    cfg!(target_endian = "little")
        && !layout.encoding.is_compressed()
        && layout.rows.start.is_multiple_of(ROW_ALIGNMENT)
}

fn in_place(file: &Arc<MappedFile>, layout: &FileLayout, count: usize) -> Option<MappedView<i16>> {
    if !can_map_in_place(layout) {
        return None;
    }
    let rows = file.view(layout.rows.start, count)?;
    // Otherwise the first searches would wait for the disk.
    file.populate();
    Some(rows)
}

/// Decodes the 16-bit numbers of the feature transformer, all but deflated rows.
fn decode_numbers(
    layout: &FileLayout,
    bytes: &[u8],
    to: &mut [i16],
    what: Localized,
) -> Result<(), LoadErrorKind> {
    if layout.encoding.is_compressed() {
        return Ok(leb128::decode(bytes, to, what)?);
    }
    byte_reader::i16s(bytes, to);
    Ok(())
}

/// The first layer without the weights that do not count if it is sharded.
fn without_unused_weights(mut layer: LayerParameters, layout: &FileLayout) -> LayerParameters {
    if let Some(shards) = layout.shards {
        shards.clear_unused_weights(&mut layer, &layout.architecture);
    }
    layer
}

fn read_layer(
    reader: &mut ByteReader<'_>,
    shape: LayerShape,
) -> Result<LayerParameters, LoadErrorKind> {
    let bias = reader
        .take(localized("the biases of a layer", "層のバイアス"), 4 * shape.outputs as u64)?;
    let weights =
        reader.take(localized("the weights of a layer", "層の重み"), shape.weights() as u64)?;
    Ok(LayerParameters {
        bias: byte_reader::i32s(bias),
        weights: weights.iter().map(|&byte| byte as i8).collect(),
    })
}
