//! Writes a network as a file. Spaces after the description align the rows of classic networks, so
//! that they can be used in the mapped file; YaneuraOu reads such a file as any other.

use std::io::{self, Write};

use super::deflate;
use super::file_layout::ROW_ALIGNMENT;
use super::header::{self, PROGRESS};
use super::leb128;
use super::version::VERSION;
use crate::nnue::architecture::{Architecture, Topology};
use crate::nnue::buckets::ProgressModel;
use crate::nnue::parameters::{LayerParameters, NetworkParameters};
use crate::types::message::message;

/// The description of an architecture as YaneuraOu writes it, with the bucket mode and the divisor
/// of the output if given.
pub fn description(
    architecture: &Architecture,
    mode: Option<&str>,
    fv_scale: Option<u32>,
) -> String {
    let Architecture { features, width, h1, h2, topology } = *architecture;
    let (name, dimensions) = (features.name(), features.dimensions());
    let mut text = match topology {
        Topology::Classic => {
            let inputs = 2 * width;
            format!(
                "Features={name}[{dimensions}->{width}x2],Network=AffineTransform[1<-{h2}]\
                 (ClippedReLU[{h2}](AffineTransform[{h2}<-{h1}](ClippedReLU[{h1}]\
                 (AffineTransformSparseInput[{h1}<-{inputs}](InputSlice[{inputs}(0:{inputs})])))))"
            )
        }
        Topology::Sfnn { stacks, .. } => {
            let mode = mode.map_or_else(String::new, |mode| format!("_{}", mode.to_uppercase()));
            format!(
                "ModelType=SFNNWithoutPsqt;Features={name}[{dimensions}->{width}x2],\
                 Network=SFNN_{width}_{h1}_{h2}{mode}{{LayerStack={stacks}}}"
            )
        }
    };
    if let Some(fv_scale) = fv_scale {
        text.push_str(&format!(",fv_scale={fv_scale}"));
    }
    text
}

/// Writes a network; see [`description()`] for the description.
///
/// # Errors
/// If writing to `out` fails.
///
/// # Panics
/// Unless all lengths match the architecture.
pub fn write(
    out: &mut impl Write,
    parameters: &NetworkParameters,
    description: &str,
) -> io::Result<()> {
    let architecture = &parameters.architecture;
    let width = architecture.width;
    assert_eq!(parameters.bias.len(), width);
    assert_eq!(parameters.rows.len(), architecture.features.dimensions() * width);
    assert_eq!(parameters.stacks.len(), architecture.stacks());
    let (transformer, network) =
        (header::transformer_hash(architecture), header::network_hash(architecture));
    let progress_hash = parameters.progress_model.as_ref().map_or(0, |_| PROGRESS);
    write_header(out, transformer ^ network ^ progress_hash, description.as_bytes(), width)?;
    out.write_all(&transformer.to_le_bytes())?;
    match architecture.topology {
        Topology::Classic => {
            assert!(parameters.progress_model.is_none(), "classic networks have one stack");
            write_numbers(out, &parameters.bias, i16::to_le_bytes)?;
            write_numbers(out, &parameters.rows, i16::to_le_bytes)?;
        }
        Topology::Sfnn { .. } => {
            write_leb128(out, &parameters.bias)?;
            if deflate::is_used_by(architecture.features) {
                out.write_all(&deflate::encode(architecture, &parameters.rows))?;
            } else {
                write_leb128(out, &parameters.rows)?;
            }
        }
    }
    if let Some(model) = &parameters.progress_model {
        assert_eq!(model.weights.len(), ProgressModel::WEIGHTS);
        out.write_all(&PROGRESS.to_le_bytes())?;
        write_numbers(out, &[model.bias], i32::to_le_bytes)?;
        write_numbers(out, &model.weights, i32::to_le_bytes)?;
    }
    for stack in &parameters.stacks {
        out.write_all(&network.to_le_bytes())?;
        write_layer(out, &stack.l1)?;
        write_layer(out, &stack.l2)?;
        write_layer(out, &stack.output)?;
    }
    Ok(())
}

/// Writes version, hash and description, padded with spaces so that the rows of a classic network
/// of this width are aligned.
pub(super) fn write_header(
    out: &mut impl Write,
    hash: u32,
    description: &[u8],
    width: usize,
) -> io::Result<()> {
    // Version, hash and length before the description; hash and biases after it.
    let around = 3 * 4 + 4 + 2 * width;
    let length = (around + description.len()).next_multiple_of(ROW_ALIGNMENT) - around;
    let too_long = |_| {
        io::Error::new(
            io::ErrorKind::InvalidInput,
            message!("the description is too long", "説明が長すぎます"),
        )
    };
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&hash.to_le_bytes())?;
    out.write_all(&u32::try_from(length).map_err(too_long)?.to_le_bytes())?;
    out.write_all(description)?;
    out.write_all(&vec![b' '; length - description.len()])
}

fn write_layer(out: &mut impl Write, layer: &LayerParameters) -> io::Result<()> {
    write_numbers(out, &layer.bias, i32::to_le_bytes)?;
    write_numbers(out, &layer.weights, i8::to_le_bytes)
}

fn write_leb128(out: &mut impl Write, numbers: &[i16]) -> io::Result<()> {
    let bytes = leb128::encode(numbers);
    let too_long = |_| {
        io::Error::new(
            io::ErrorKind::InvalidInput,
            message!("the network is too large", "評価関数が大きすぎます"),
        )
    };
    out.write_all(leb128::MAGIC)?;
    out.write_all(&u32::try_from(bytes.len()).map_err(too_long)?.to_le_bytes())?;
    out.write_all(&bytes)
}

fn write_numbers<T: Copy, const BYTES: usize>(
    out: &mut impl Write,
    numbers: &[T],
    to_bytes: fn(T) -> [u8; BYTES],
) -> io::Result<()> {
    numbers.chunks(CHUNK).try_for_each(|chunk| {
        let bytes: Vec<u8> = chunk.iter().flat_map(|&number| to_bytes(number)).collect();
        out.write_all(&bytes)
    })
}

/// Numbers converted at a time.
const CHUNK: usize = 1 << 16;
