//! Named access to single parameters of a file, for tuning. Changes are made in the bytes of the
//! file, so everything else stays the same. Rows of the feature transformer, compressed biases of
//! it and progress coefficients have no names.

use std::path::Path;

use super::detect;
use super::file_layout::FileLayout;
use super::load_error::LoadError;
use super::open::open;
use crate::nnue::parameters::{LayerShape, layer_shapes};

/// A file whose parameters can be changed.
#[derive(Clone, Debug)]
pub struct ParameterFile {
    bytes: Vec<u8>,
    layout: FileLayout,
}

/// A named parameter and its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedParameter {
    /// `FT_BIAS_17`, `L1_BIAS_3`, `L1_3_200` (output 3, input 200), `L2_BIAS_3`, `L2_3_31`,
    /// `OUT_BIAS`, `OUT_7`; with the prefix `S4_` for the fifth of several stacks.
    pub name: String,
    pub kind: ParameterKind,
    /// In bytes from the start of the file.
    offset: usize,
}

/// The kind of a parameter, which determines its size and unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// 16 bits, in 127ths of an activation.
    FeatureTransformerBias,
    /// 32 bits, in 127ths of an activation and 64ths of a weight.
    LayerBias,
    /// 32 bits, in the unit of the output; includes the bias of the shortcut of SFNN networks.
    OutputBias,
    /// 8 bits.
    Weight,
}

impl ParameterKind {
    /// The smallest and largest value.
    pub fn range(self) -> (i32, i32) {
        match self {
            ParameterKind::FeatureTransformerBias => (i16::MIN.into(), i16::MAX.into()),
            ParameterKind::LayerBias | ParameterKind::OutputBias => (i32::MIN, i32::MAX),
            ParameterKind::Weight => (i8::MIN.into(), i8::MAX.into()),
        }
    }

    const fn bytes(self) -> usize {
        match self {
            ParameterKind::FeatureTransformerBias => 2,
            ParameterKind::LayerBias | ParameterKind::OutputBias => 4,
            ParameterKind::Weight => 1,
        }
    }
}

impl ParameterFile {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is not a network.
    pub fn read(path: &Path) -> Result<ParameterFile, LoadError> {
        let at_path = |kind| LoadError::new(path, kind);
        let file = open(path).map_err(at_path)?;
        let bytes = file.to_vec();
        let (_, layout) = detect::detect_mapped(&file).map_err(at_path)?;
        Ok(ParameterFile { bytes, layout })
    }

    /// All named parameters in the order of the file.
    pub fn parameters(&self) -> Vec<NamedParameter> {
        let FileLayout { architecture, bias, encoding, stacks_at, stack_step, .. } = &self.layout;
        let mut parameters = Vec::new();
        if !encoding.is_compressed() {
            let kind = ParameterKind::FeatureTransformerBias;
            let biases = bias.clone().step_by(kind.bytes()).enumerate();
            parameters.extend(biases.map(|(i, at)| NamedParameter {
                name: format!("FT_BIAS_{i}"),
                kind,
                offset: at,
            }));
        }
        let count = architecture.stacks();
        for stack in 0..count {
            let prefix = if count == 1 { String::new() } else { format!("S{stack}_") };
            let mut at = stacks_at + stack * stack_step;
            let [l1, l2, output] = layer_shapes(architecture);
            for (name, shape, hidden) in
                [("L1", l1, architecture.h1), ("L2", l2, l2.outputs), ("OUT", output, 0)]
            {
                append_layer(&mut parameters, &format!("{prefix}{name}"), shape, hidden, at);
                at += shape.bytes();
            }
        }
        parameters
    }

    /// The value of a parameter.
    pub fn get(&self, parameter: &NamedParameter) -> i32 {
        let bytes = &self.bytes[parameter.offset..][..parameter.kind.bytes()];
        match *bytes {
            [byte] => i32::from(byte as i8),
            [low, high] => i32::from(i16::from_le_bytes([low, high])),
            [a, b, c, d] => i32::from_le_bytes([a, b, c, d]),
            _ => unreachable!("parameters have 1, 2 or 4 bytes"),
        }
    }

    /// Sets a parameter, clamped to its range.
    pub fn set(&mut self, parameter: &NamedParameter, number: i32) {
        let (min, max) = parameter.kind.range();
        let number = number.clamp(min, max).to_le_bytes();
        let length = parameter.kind.bytes();
        self.bytes[parameter.offset..][..length].copy_from_slice(&number[..length]);
    }

    /// The bytes of the changed file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Appends the parameters of a layer at offset `at`. Its outputs from `hidden` on are in the unit
/// of the output of the network.
fn append_layer(
    parameters: &mut Vec<NamedParameter>,
    layer: &str,
    shape: LayerShape,
    hidden: usize,
    at: usize,
) {
    // The last layer has one output, which needs no number.
    let number = |output| if hidden == 0 { String::new() } else { format!("_{output}") };
    for output in 0..shape.outputs {
        let kind =
            if output < hidden { ParameterKind::LayerBias } else { ParameterKind::OutputBias };
        let name = format!("{layer}_BIAS{}", number(output));
        parameters.push(NamedParameter { name, kind, offset: at + output * kind.bytes() });
    }
    let weights = at + shape.bytes() - shape.weights();
    let row = shape.weights() / shape.outputs;
    for output in 0..shape.outputs {
        for input in 0..shape.inputs {
            let name = format!("{layer}{}_{input}", number(output));
            parameters.push(NamedParameter {
                name,
                kind: ParameterKind::Weight,
                offset: weights + output * row + input,
            });
        }
    }
}
