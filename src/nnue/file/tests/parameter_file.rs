//! Files whose numbers are changed one by one.

use std::collections::HashSet;

use super::*;
use crate::nnue::parameters::{LayerShape, layer_shapes};

fn numbered(bytes: &[u8]) -> ParameterFile {
    let folder = tempdir().unwrap();
    ParameterFile::read(&put(&folder, "nn.bin", bytes)).unwrap()
}

fn sfnn() -> NetworkParameters {
    let topology = Topology::Sfnn { stacks: 9, shortcut: true };
    let architecture =
        Architecture { features: FeatureSet::KA2, width: 64, h1: 7, h2: 16, topology };
    RandomNetwork { has_progress_model: true, ..RandomNetwork::new(architecture, 4) }.parameters()
}

/// The numbers of the layers in the order of files, without padding.
fn flat(numbers: &NetworkParameters) -> Vec<i32> {
    let shapes = layer_shapes(&numbers.architecture);
    let layer = |(shape, layer): (LayerShape, &LayerParameters)| {
        let rows = layer.weights.chunks_exact(shape.weights() / shape.outputs);
        let weights = rows.flat_map(|row| row[..shape.inputs].iter().map(|&w| i32::from(w)));
        layer.bias.iter().copied().chain(weights).collect::<Vec<i32>>()
    };
    let stacks = numbers.stacks.iter();
    let layers =
        stacks.flat_map(|stack| shapes.into_iter().zip([&stack.l1, &stack.l2, &stack.output]));
    layers.flat_map(layer).collect()
}

#[test]
fn every_number_has_a_name_of_its_own_and_the_value_of_the_file() {
    let classic = small();
    let mut expected: Vec<i32> = classic.bias.iter().map(|&bias| bias.into()).collect();
    expected.extend(flat(&classic));
    for (numbers, expected) in [(&classic, &expected), (&sfnn(), &flat(&sfnn()))] {
        let file = numbered(&bytes_of(numbers));
        let parameters = file.parameters();
        let values: Vec<i32> = parameters.iter().map(|place| file.get(place)).collect();
        assert!(values == *expected);
        let names: HashSet<&str> = parameters.iter().map(|place| place.name.as_str()).collect();
        assert_eq!(names.len(), parameters.len());
    }
}

#[test]
fn a_changed_parameter_is_changed_in_the_file() {
    let mut numbers = sfnn();
    let mut file = numbered(&bytes_of(&numbers));
    let parameters = file.parameters();
    for (name, value) in [
        ("S0_L1_BIAS_7", -100_000),
        ("S4_L1_7_63", -7),
        ("S8_L2_15_13", 99),
        ("S8_OUT_BIAS", 12_345),
        // Eight bits hold 127.
        ("S8_OUT_15", 200),
    ] {
        file.set(parameters.iter().find(|place| place.name == name).unwrap(), value);
    }
    let row = |layer: &LayerParameters, outputs: usize| layer.weights.len() / outputs;
    numbers.stacks[0].l1.bias[7] = -100_000;
    let at = 7 * row(&numbers.stacks[4].l1, 8) + 63;
    numbers.stacks[4].l1.weights[at] = -7;
    let at = 15 * row(&numbers.stacks[8].l2, 16) + 13;
    numbers.stacks[8].l2.weights[at] = 99;
    numbers.stacks[8].output.bias[0] = 12_345;
    numbers.stacks[8].output.weights[15] = 127;
    assert!(file.into_bytes() == bytes_of(&numbers));
}

#[test]
fn biases_of_the_transformer_are_numbers_of_sixteen_bits() {
    let mut numbers = small();
    let mut file = numbered(&bytes_of(&numbers));
    let place = file.parameters().swap_remove(63);
    assert_eq!(
        (place.name.as_str(), place.kind),
        ("FT_BIAS_63", ParameterKind::FeatureTransformerBias)
    );
    file.set(&place, -300);
    assert_eq!(file.get(&place), -300);
    numbers.bias[63] = -300;
    assert_same(&loaded(&file.into_bytes()), &numbers);
}

#[test]
fn the_shortcut_of_the_first_layer_has_a_bias_in_the_unit_of_the_output() {
    let parameters = numbered(&bytes_of(&sfnn())).parameters();
    let kind = |name: &str| parameters.iter().find(|place| place.name == name).unwrap().kind;
    assert_eq!(kind("S3_L1_BIAS_6"), ParameterKind::LayerBias);
    assert_eq!(kind("S3_L1_BIAS_7"), ParameterKind::OutputBias);
    assert_eq!(kind("S3_L2_BIAS_7"), ParameterKind::LayerBias);
    assert_eq!(kind("S3_OUT_BIAS"), ParameterKind::OutputBias);
}

#[test]
fn a_file_that_is_no_network_has_no_parameters() {
    let folder = tempdir().unwrap();
    let path = put(&folder, "nn.bin", b"no network at all");
    let error = ParameterFile::read(&path).unwrap_err().to_string();
    assert!(error.contains("nn.bin"), "{error}");
}
