//! The numbers of a file one by one, each with a name: for who tries others in their places.
//!
//! Owns the names, and where the numbers lie. They are changed in the bytes of the file, so all else
//! stays as it is. Rows of the feature transformer have none, nor have its biases where they are
//! compressed.

use std::path::Path;

use super::error::{LoadError, Problem};
use super::layout::{self, Layout};
use crate::nnue::parameters::{LayerShape, layer_shapes};

/// A file whose numbers can be changed.
#[derive(Clone, Debug)]
pub struct NumberedFile {
    bytes: Vec<u8>,
    layout: Layout,
}

/// Which part of a net a number belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Transformer,
    Layer1,
    Layer2,
    Output,
}

/// Where a number lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// `FT_BIAS_17`, `L1_BIAS_3`, `L1_3_200` (output 3, input 200), `L2_BIAS_3`, `L2_3_31`, `OUT_BIAS`,
    /// `OUT_7`; behind `S4_` for the fifth of several stacks.
    pub name: String,
    pub part: Part,
    pub kind: Kind,
    at: usize,
}

/// What a number is, which decides its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Of the transformer: 16 bits.
    SmallBias,
    /// Of a layer: 32 bits.
    Bias,
    /// Of a layer: 8 bits.
    Weight,
}

impl Kind {
    /// The least and the greatest number that its bytes hold.
    pub fn range(self) -> (i32, i32) {
        match self {
            Kind::SmallBias => (i16::MIN.into(), i16::MAX.into()),
            Kind::Bias => (i32::MIN, i32::MAX),
            Kind::Weight => (i8::MIN.into(), i8::MAX.into()),
        }
    }

    const fn bytes(self) -> usize {
        match self {
            Kind::SmallBias => 2,
            Kind::Bias => 4,
            Kind::Weight => 1,
        }
    }
}

impl NumberedFile {
    /// # Errors
    /// If it is no file of a net.
    pub fn read(path: &Path) -> Result<NumberedFile, LoadError> {
        let blame = |problem| LoadError::new(path, problem);
        let file = super::open(path).map_err(blame)?;
        let (bytes, recognised) = (file.to_vec(), layout::recognise(&file));
        if file.is_damaged() {
            return Err(blame(Problem::Damaged));
        }
        let (_, layout) = recognised.map_err(blame)?;
        Ok(NumberedFile { bytes, layout })
    }

    /// All that have a name, in the order of the file.
    pub fn places(&self) -> Vec<Place> {
        let Layout { architecture, bias, compressed, stacks, stack_step, .. } = &self.layout;
        let mut places = Vec::new();
        if !compressed {
            let kind = Kind::SmallBias;
            places.extend(bias.clone().step_by(kind.bytes()).enumerate().map(|(i, at)| {
                let name = format!("FT_BIAS_{i}");
                Place { name, part: Part::Transformer, kind, at }
            }));
        }
        let count = architecture.stacks();
        for stack in 0..count {
            let prefix = if count == 1 { String::new() } else { format!("S{stack}_") };
            let mut at = stacks + stack * stack_step;
            let parts = [Part::Layer1, Part::Layer2, Part::Output];
            for (part, shape) in parts.into_iter().zip(layer_shapes(architecture)) {
                layer(&mut places, &prefix, part, shape, at);
                at += shape.bytes();
            }
        }
        places
    }

    /// The number at one of its places.
    pub fn get(&self, place: &Place) -> i32 {
        let bytes = &self.bytes[place.at..][..place.kind.bytes()];
        match *bytes {
            [byte] => i32::from(byte as i8),
            [low, high] => i32::from(i16::from_le_bytes([low, high])),
            [a, b, c, d] => i32::from_le_bytes([a, b, c, d]),
            _ => unreachable!("no number is as long"),
        }
    }

    /// Puts another there, as near as its bytes can hold it.
    pub fn set(&mut self, place: &Place, number: i32) {
        let (least, greatest) = place.kind.range();
        let number = number.clamp(least, greatest).to_le_bytes();
        let length = place.kind.bytes();
        self.bytes[place.at..][..length].copy_from_slice(&number[..length]);
    }

    /// The file as it is now.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Adds the places of a layer that begins there.
fn layer(places: &mut Vec<Place>, prefix: &str, part: Part, shape: LayerShape, at: usize) {
    let LayerShape { inputs, outputs } = shape;
    let mut add = |name: String, kind, at| {
        places.push(Place { name: format!("{prefix}{name}"), part, kind, at });
    };
    let (bias, weight) = (Kind::Bias, Kind::Weight);
    let weights = at + outputs * bias.bytes();
    let row = shape.weights() / outputs;
    if part == Part::Output {
        add("OUT_BIAS".into(), bias, at);
        (0..inputs).for_each(|input| add(format!("OUT_{input}"), weight, weights + input));
        return;
    }
    let name = if part == Part::Layer1 { "L1" } else { "L2" };
    for output in 0..outputs {
        add(format!("{name}_BIAS_{output}"), bias, at + output * bias.bytes());
    }
    for output in 0..outputs {
        for input in 0..inputs {
            add(format!("{name}_{output}_{input}"), weight, weights + output * row + input);
        }
    }
}
