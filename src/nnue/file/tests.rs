use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use tempfile::{TempDir, tempdir};

use super::limits::layer_sizes;
use super::*;
use crate::nnue::affine_layer::AffineLayer;
use crate::nnue::architecture::{Architecture, FeatureSet, Topology};
use crate::nnue::byte_rows::FeatureRows;
use crate::nnue::parameters::{LayerParameters, NetworkParameters};
use crate::nnue::random_network::RandomNetwork;
use crate::nnue::weights::NetworkWeights;

mod hostile;
mod parameter_file;
mod sfnn;

/// Puts a file into a folder.
fn put(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn classic(features: FeatureSet, h1: usize, h2: usize) -> Architecture {
    Architecture { features, width: 64, h1, h2, topology: Topology::Classic }
}

/// The smallest network.
fn small() -> NetworkParameters {
    RandomNetwork::new(classic(FeatureSet::KP, 8, 16), 3).parameters()
}

fn written(numbers: &NetworkParameters, description: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes, numbers, description).unwrap();
    bytes
}

/// The file of a network with its own description.
fn bytes_of(numbers: &NetworkParameters) -> Vec<u8> {
    written(numbers, &description(&numbers.architecture, None, None))
}

/// The file with another description and no padding, as other programs write it.
fn described(file: &[u8], description: &[u8]) -> Vec<u8> {
    let length = u32::from_le_bytes(file[8..12].try_into().unwrap()) as usize;
    let new = u32::try_from(description.len()).unwrap().to_le_bytes();
    [&file[..8], &new, description, &file[12 + length..]].concat()
}

fn loaded(file: &[u8]) -> NetworkWeights {
    from_bytes(file, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The error for bytes that are refused.
fn refused(file: &[u8]) -> String {
    let error = from_bytes(file, &LoadOptions::default()).expect_err("a refusal").to_string();
    assert!(error.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()), "{error}");
    error
}

#[track_caller]
fn assert_layer(layer: &AffineLayer, numbers: &LayerParameters) {
    let packed =
        AffineLayer::new(layer.inputs(), layer.outputs(), &numbers.bias, &numbers.weights).unwrap();
    assert_eq!(layer.bias(), packed.bias());
    assert!(layer.groups() == packed.groups());
}

#[track_caller]
fn assert_same(net: &NetworkWeights, numbers: &NetworkParameters) {
    assert!(net.parameters() == NetworkParameters { progress_model: None, ..numbers.clone() });
    assert_eq!(net.architecture, numbers.architecture);
    assert_eq!(net.transformer.bias(), numbers.bias);
    assert!(net.transformer.rows_in_16_bits() == numbers.rows);
    assert_eq!(net.stacks.len(), numbers.stacks.len());
    for (stack, numbers) in net.stacks.iter().zip(&numbers.stacks) {
        assert_layer(&stack.l1, &numbers.l1);
        assert_layer(&stack.l2, &numbers.l2);
        assert_layer(&stack.output, &numbers.output);
    }
}

#[test]
fn a_written_network_of_every_set_of_features_is_read_as_it_was() {
    for (seed, features) in FeatureSet::ALL.into_iter().enumerate() {
        let numbers = RandomNetwork::new(classic(features, 8, 16), seed as u64).parameters();
        assert_same(&loaded(&bytes_of(&numbers)), &numbers);
    }
}

#[test]
fn layers_of_every_size_are_read_as_they_were() {
    let sizes = [(32, 32), (16, 64), (8, 96), (128, 8), (8, 128), (40, 24), (128, 128)];
    for (width, (h1, h2)) in [64, 96, 256, 768, 1024, 2304, 512].into_iter().zip(sizes) {
        let architecture = Architecture { width, ..classic(FeatureSet::KP, h1, h2) };
        let numbers =
            RandomNetwork { extreme: true, ..RandomNetwork::new(architecture, 1) }.parameters();
        assert_same(&loaded(&bytes_of(&numbers)), &numbers);
    }
}

#[test]
fn a_description_may_be_wrong_and_have_any_length() {
    let numbers = small();
    let file = bytes_of(&numbers);
    let wrong = "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-256](x)";
    for description in ["", wrong, "\u{68cb}\0\u{ff}", &"long ".repeat(20_000)] {
        assert_same(&loaded(&described(&file, description.as_bytes())), &numbers);
    }
    assert_same(&loaded(&described(&file, b"\xFF\xFE\0")), &numbers);
}

#[test]
fn descriptions_are_as_yaneuraou_writes_them() {
    let kp = Architecture { width: 256, ..classic(FeatureSet::KP, 32, 32) };
    assert_eq!(
        description(&kp, None, None),
        "Features=K+P[1710->256x2],Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[3\
         2<-32](ClippedReLU[32](AffineTransformSparseInput[32<-512](InputSlice[512(0:512)])))))"
    );
}

#[test]
fn the_file_states_the_divisor_of_its_output() {
    let numbers = small();
    let text = description(&numbers.architecture, None, Some(24));
    assert_eq!(loaded(&written(&numbers, &text)).fv_scale, Some(24));
    assert_eq!(loaded(&bytes_of(&numbers)).fv_scale, None);
    let fv_scale = |text: &str| header::fv_scale(text.as_bytes());
    for text in
        ["FV_SCALE=16", "x;fv_scale = 16;y", "fv_scale:16", "\"fv_scale\": 16}", "fv_scale=16."]
    {
        assert_eq!(fv_scale(text), Some(Ok(16)), "{text}");
    }
    for text in ["fv_scale", "fv_scale=", "fv_scale=auto", "fv_scale=-", "fv_scale16"] {
        assert_eq!(fv_scale(text), None, "{text}");
    }
    for usable in [1, NetworkWeights::MAX_FV_SCALE] {
        assert_eq!(fv_scale(&format!("fv_scale={usable}")), Some(Ok(usable)));
    }
}

/// Regression: only the first place with the word was looked at.
#[test]
fn the_divisor_may_follow_a_mention_without_a_number() {
    let fv_scale = |text: &str| header::fv_scale(text.as_bytes());
    assert_eq!(fv_scale("trained with fv_scale_fit; fv_scale=16"), Some(Ok(16)));
    assert_eq!(fv_scale("fv_scale: see below. FV_SCALE = 20"), Some(Ok(20)));
    assert_eq!(fv_scale("fv_scale=18, fv_scale=16"), Some(Ok(18)));
}

/// Regression: the fraction was cut off, so 0.5 was shown as 0, and 16.5 used as 16.
#[test]
fn a_divisor_with_a_fraction_is_unusable() {
    let fv_scale = |text: &str| header::fv_scale(text.as_bytes());
    for number in ["0.5", "16.5", "-0.5"] {
        assert_eq!(fv_scale(&format!("fv_scale={number}")), Some(Err(number.to_owned())));
    }
    assert_eq!(fv_scale("fv_scale=16.0"), Some(Ok(16)));
}

/// Regression: it was said to be missing.
#[test]
fn an_unusable_divisor_in_the_file_is_shown_as_that() {
    let folder = tempdir().unwrap();
    let beyond = (NetworkWeights::MAX_FV_SCALE + 1).to_string();
    for number in ["0", "-3", &beyond, "99999999999999999999"] {
        let text = format!("fv_scale={number} 16");
        assert_eq!(header::fv_scale(text.as_bytes()), Some(Err(number.to_owned())));
        let file = described(&bytes_of(&small()), text.as_bytes());
        let net = loaded(&file);
        assert_eq!(net.fv_scale, None);
        let why = "not a whole number from 1 to 128";
        let note = format!("FV_SCALE in the file is {number}, {why}, so it is not used");
        assert_eq!(net.notes[0].en, note);
        let shown = info(&put(&folder, "nn.bin", &file)).unwrap().to_string();
        let line = format!("FV_SCALE     {number} in the file, {why}, so not used\n");
        assert!(shown.ends_with(&line), "{shown}");
    }
}

#[test]
fn wrong_hashes_are_tolerated_if_the_rest_agrees() {
    let numbers = small();
    let file = bytes_of(&numbers);
    let mut wrong_head = file.clone();
    wrong_head[4] ^= 1;
    assert_same(&loaded(&wrong_head), &numbers);
    let layers = file.len() - classic_layer_bytes(&numbers) - 4;
    let mut wrong_layers = file.clone();
    wrong_layers[layers] ^= 1;
    assert_same(&loaded(&wrong_layers), &numbers);
    let folder = tempdir().unwrap();
    assert_eq!(info(&put(&folder, "a", &file)).unwrap().warnings.len(), 0);
    assert_eq!(info(&put(&folder, "b", &wrong_head)).unwrap().warnings.len(), 1);
    assert_eq!(info(&put(&folder, "c", &wrong_layers)).unwrap().warnings.len(), 1);
}

/// The file of a network with the hash that another set of features has.
fn with_hash_of(features: FeatureSet, numbers: &NetworkParameters) -> Vec<u8> {
    let architecture = Architecture { features, ..numbers.architecture };
    let transformer = header::transformer_hash(&architecture);
    let head = transformer ^ header::network_hash(&architecture);
    let mut file = described(&bytes_of(numbers), b"");
    file[4..8].copy_from_slice(&head.to_le_bytes());
    file[12..16].copy_from_slice(&transformer.to_le_bytes());
    file
}

/// Regression: all but the first were refused, as HalfKA1 of a wrong size.
#[test]
fn kinds_of_halfka_with_one_hash_are_distinguished_by_size() {
    use FeatureSet::{HalfKa1, HalfKa2, HalfKaHm1, HalfKaHm2};
    let folder = tempdir().unwrap();
    for features in [HalfKa1, HalfKa2, HalfKaHm1, HalfKaHm2] {
        let numbers = RandomNetwork::new(classic(features, 8, 16), 5).parameters();
        let file = with_hash_of(HalfKa1, &numbers);
        assert_same(&loaded(&file), &numbers);
        let warnings = info(&put(&folder, "nn.bin", &file)).unwrap().warnings;
        assert_eq!(warnings.len(), usize::from(features != HalfKa1), "{features:?}");
    }
}

/// The default of bullet-shogi and tatara. Regression: it was refused as a truncated HalfKA_hm1.
#[test]
fn halfka_hm2_with_the_hash_of_halfka_hm1_is_detected_by_its_size() {
    use FeatureSet::{HalfKaHm1, HalfKaHm2};
    let folder = tempdir().unwrap();
    for features in [HalfKaHm1, HalfKaHm2] {
        let numbers = RandomNetwork::new(classic(features, 8, 16), 7).parameters();
        let file = with_hash_of(HalfKaHm1, &numbers);
        assert_same(&loaded(&file), &numbers);
        let warnings = info(&put(&folder, "nn.bin", &file)).unwrap().warnings;
        assert_eq!(warnings.len(), usize::from(features != HalfKaHm1), "{features:?}");
    }
}

/// Regression: it was refused, because only the first of the architectures with a hash was considered, here 32-8.
#[test]
fn layers_are_detected_by_a_hash_that_others_share() {
    let (other, architecture) = (classic(FeatureSet::KP, 32, 8), classic(FeatureSet::KP, 64, 24));
    assert_eq!(header::network_hash(&other), header::network_hash(&architecture));
    let numbers = RandomNetwork::new(architecture, 5).parameters();
    let mut file = bytes_of(&numbers);
    // Only the hash in the header remains.
    let layers = file.len() - classic_layer_bytes(&numbers) - 4;
    file[layers + 3] ^= 1;
    assert_same(&loaded(&file), &numbers);
}

/// Regression: they were refused if the hash of the layers was wrong.
#[test]
fn padding_distinguishes_classic_layers_of_one_size() {
    let sizes = |h1, h2| {
        let layers = crate::nnue::parameters::layer_shapes(&classic(FeatureSet::KP, h1, h2));
        layers.iter().map(|shape| shape.bytes()).sum::<usize>()
    };
    let all: Vec<(usize, usize)> =
        layer_sizes().flat_map(|h1| layer_sizes().map(move |h2| (h1, h2))).collect();
    let twins = all.iter().flat_map(|&one| all.iter().map(move |&other| (one, other)));
    let (one, other) = twins
        .filter(|&(one, other)| one < other && sizes(one.0, one.1) == sizes(other.0, other.1))
        .find(|&(one, _)| one.0 % 32 != 0)
        .expect("some two architectures have one size");
    for (h1, h2) in [one, other] {
        let numbers = RandomNetwork::new(classic(FeatureSet::KP, h1, h2), 5).parameters();
        let mut file = bytes_of(&numbers);
        let layers = file.len() - classic_layer_bytes(&numbers) - 4;
        file[layers + 3] ^= 1;
        file[7] ^= 2;
        let net = loaded(&file);
        assert_same(&net, &numbers);
        let message = &net.notes[0].en;
        assert!(
            message.contains(&format!("taken for {h1}-{h2}, because its padding")),
            "{message}"
        );
    }
}

fn classic_layer_bytes(numbers: &NetworkParameters) -> usize {
    let bytes = |layer: &LayerParameters| 4 * layer.bias.len() + layer.weights.len();
    let stack = &numbers.stacks[0];
    bytes(&stack.l1) + bytes(&stack.l2) + bytes(&stack.output)
}

#[test]
fn a_written_file_is_used_in_the_mapping() {
    let numbers = small();
    let folder = tempdir().unwrap();
    let net = load(&put(&folder, "nn.bin", &bytes_of(&numbers)), &LoadOptions::default()).unwrap();
    assert_same(&net, &numbers);
    assert_eq!(net.transformer.is_mapped(), cfg!(target_endian = "little"));
    let FeatureRows::Words(rows) = net.transformer.rows() else { panic!("the rows are copied") };
    assert_eq!(rows.as_ptr().addr() % 64, 0);
}

#[test]
fn a_converted_file_is_aligned_and_has_equal_parameters() {
    let folder = tempdir().unwrap();
    for width in [64, 96, 1024] {
        let architecture = Architecture { width, ..classic(FeatureSet::KP, 8, 16) };
        let numbers = RandomNetwork::new(architecture, 9).parameters();
        let text = description(&architecture, None, Some(20));
        let file = described(&written(&numbers, &text), text.as_bytes());
        let (old, new) = (put(&folder, "old.bin", &file), folder.path().join("new.bin"));
        assert!(!info(&old).unwrap().in_place);
        assert!(!load(&old, &LoadOptions::default()).unwrap().transformer.is_mapped());
        convert(&old, &new).unwrap();
        let converted = load(&new, &LoadOptions::default()).unwrap();
        assert_same(&converted, &numbers);
        assert_eq!(converted.transformer.is_mapped(), cfg!(target_endian = "little"));
        assert_eq!(converted.fv_scale, Some(20));
        let of = info(&new).unwrap();
        assert_eq!((of.description.trim_end(), of.rows_at % 64), (&text[..], 0));
        drop(converted);
        // An aligned file does not change.
        let third = folder.path().join("third.bin");
        convert(&new, &third).unwrap();
        assert!(fs::read(&new).unwrap() == fs::read(&third).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "no other file is left");
    }
}

#[test]
fn a_file_is_never_converted_into_itself() {
    let folder = tempdir().unwrap();
    let file = bytes_of(&small());
    let path = put(&folder, "nn.bin", &file);
    let same = folder.path().join(".").join("nn.bin");
    assert!(convert(&path, &path).unwrap_err().to_string().contains("another name"));
    assert!(matches!(
        convert(&path, &same).unwrap_err().kind,
        LoadErrorKind::Access(AccessError::SameFile)
    ));
    assert!(fs::read(&path).unwrap() == file);
}

#[test]
fn a_conversion_that_fails_leaves_no_file_and_says_why() {
    let folder = tempdir().unwrap();
    let good = put(&folder, "good.bin", &bytes_of(&small()));
    let bad = put(&folder, "bad.bin", b"nothing");
    assert!(convert(&bad, &folder.path().join("new.bin")).is_err());
    assert!(matches!(
        convert(&good, folder.path()).unwrap_err().kind,
        LoadErrorKind::Access(AccessError::Unwritable(_))
    ));
    let nowhere = folder.path().join("no such folder").join("new.bin");
    let error = convert(&good, &nowhere).unwrap_err();
    assert_eq!(error.path, Some(nowhere));
    assert!(error.to_string().contains("cannot be written"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[cfg(unix)]
#[test]
fn a_network_whose_file_is_truncated_continues_with_zeros_and_reports_it() {
    let folder = tempdir().unwrap();
    let numbers = small();
    let path = put(&folder, "nn.bin", &bytes_of(&numbers));
    let net = load(&path, &LoadOptions::default()).unwrap();
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(1000).unwrap();
    let rows = std::hint::black_box(&net).transformer.rows_in_16_bits();
    assert_eq!(rows.len(), numbers.rows.len());
    assert_eq!(*rows.last().unwrap(), 0);
    assert!(net.transformer.is_damaged());
    assert_layer(&net.stacks[0].l1, &numbers.stacks[0].l1);
}

#[test]
fn a_network_whose_file_is_replaced_by_renaming_stays_whole() {
    let folder = tempdir().unwrap();
    let numbers = small();
    let path = put(&folder, "nn.bin", &bytes_of(&numbers));
    let net = load(&path, &LoadOptions::default()).unwrap();
    let other = put(&folder, "other.bin", b"other");
    // Windows refuses, so the file stays intact as well.
    let _ = fs::rename(other, &path);
    assert_same(&net, &numbers);
    assert!(!net.transformer.is_damaged());
}

#[test]
fn the_information_on_a_network_is_lines_of_text() {
    let folder = tempdir().unwrap();
    let numbers = small();
    let file = described(&bytes_of(&numbers), "\u{68cb}\n fv_scale=24 ".as_bytes());
    let text = info(&put(&folder, "nn.bin", &file)).unwrap().to_string();
    assert_eq!(
        text,
        "network      K+P 64x2-8-16, classic\n\
         size         220713 bytes\n\
         hash         0x5C6461B3\n\
         description  \u{68cb}\\n fv_scale=24\n\
         rows         at byte 161, 33 past a multiple of 64, copied when loaded\n\
         FV_SCALE     24\n"
    );
}

/// Regression: the length of the part that is examined was shown, counted after its conversion to UTF-8.
#[test]
fn the_length_of_a_long_description_is_that_in_the_file() {
    let folder = tempdir().unwrap();
    let file = bytes_of(&small());
    for (byte, length) in [(b'x', 1000), (b'x', 100_000), (0x82, 1000)] {
        let long = described(&file, &[&vec![byte; length][..], b"  "].concat());
        let text = info(&put(&folder, "nn.bin", &long)).unwrap().to_string();
        assert!(text.contains(&format!("... ({length} bytes)\n")), "{text}");
    }
}
