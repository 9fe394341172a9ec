//! Files with compressed numbers and stacks of layers.

use super::*;

fn shape(stacks: usize, h1: usize, h2: usize, shortcut: bool) -> Architecture {
    let topology = Topology::Sfnn { stacks, shortcut };
    Architecture { features: FeatureSet::KA2, width: 64, h1, h2, topology }
}

fn numbers(architecture: Architecture) -> NetworkParameters {
    RandomNetwork::new(architecture, 4).parameters()
}

fn with_progress(architecture: Architecture) -> NetworkParameters {
    RandomNetwork { has_progress_model: true, ..RandomNetwork::new(architecture, 4) }.parameters()
}

fn load_with_mode(file: &[u8], mode: &str) -> Result<NetworkWeights, LoadError> {
    let bucket_mode = Some(mode.to_owned());
    from_bytes(file, &LoadOptions { bucket_mode, ..LoadOptions::default() })
}

#[test]
fn sfnn_networks_are_read_as_they_were() {
    let shapes = [
        shape(1, 15, 32, true),
        shape(9, 7, 64, true),
        shape(9, 16, 32, false),
        Architecture { features: FeatureSet::HalfKaHm2, ..shape(9, 15, 64, true) },
        Architecture { features: FeatureSet::HalfKa2, ..shape(1, 8, 8, false) },
        Architecture { features: FeatureSet::ZoneKaHm1, ..shape(9, 15, 32, true) },
        Architecture { width: 1536, ..shape(9, 15, 32, true) },
        Architecture { width: 2304, ..shape(1, 31, 128, true) },
        Architecture { width: 32, ..shape(1, 7, 32, true) },
        Architecture { width: 8192, ..shape(1, 7, 64, true) },
    ];
    for architecture in shapes {
        let numbers = numbers(architecture);
        let net = loaded(&bytes_of(&numbers));
        assert_same(&net, &numbers);
        assert_eq!(net.buckets.count(), architecture.stacks());
    }
}

#[test]
fn features_that_other_programs_read_are_never_deflated() {
    let zones = Architecture { features: FeatureSet::ZoneKaHm1, ..shape(1, 15, 32, true) };
    let file = bytes_of(&numbers(zones));
    let magic = file.windows(20).position(|part| part == b"DEFLATED_DIFFERENCES").unwrap();
    let weights = |count: u32| {
        let mut file = file.clone();
        file[magic + 20..][..4].copy_from_slice(&count.to_le_bytes());
        from_bytes(&file, &LoadOptions::default())
    };
    assert!(weights(64 * 6840).is_ok());
    for features in FeatureSet::ALL.into_iter().filter(|&set| set != FeatureSet::ZoneKaHm1) {
        assert!(weights(64 * features.dimensions() as u32).is_err(), "{features:?}");
    }
}

#[test]
fn a_deflated_section_that_is_too_short_for_its_weights_is_refused_before_memory_is_allocated() {
    let zones = Architecture { features: FeatureSet::ZoneKaHm1, ..shape(1, 15, 32, true) };
    let file = bytes_of(&numbers(zones));
    let magic = file.windows(20).position(|part| part == b"DEFLATED_DIFFERENCES").unwrap();
    let short = [&file[..magic + 24], &[4, 0, 0, 0], &[0; 4]].concat();
    let error = from_bytes(&short, &LoadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("not compressed by DEFLATE"), "{error}");
}

#[test]
fn a_damaged_deflated_section_is_refused_as_such() {
    let zones = Architecture { features: FeatureSet::ZoneKaHm1, ..shape(1, 15, 32, true) };
    let mut file = bytes_of(&numbers(zones));
    let magic = file.windows(20).position(|part| part == b"DEFLATED_DIFFERENCES").unwrap();
    file[magic + 28..][..1000].fill(0xFF);
    let error = from_bytes(&file, &LoadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("not compressed by DEFLATE"), "{error}");
}

#[test]
fn a_missing_section_is_refused_with_its_name_and_place() {
    let mut file = bytes_of(&numbers(shape(1, 15, 32, true)));
    let at = (0..file.len()).rfind(|&at| file[at..].starts_with(leb128::MAGIC)).unwrap();
    file[at] ^= 1;
    let error = refused(&file);
    let words = format!("has no compressed section for the weights of the features at byte {at}; ");
    assert!(error.contains(&words), "{error}");
}

#[test]
fn sfnn_networks_of_extreme_numbers_are_read_as_they_were() {
    for features in [FeatureSet::KA2, FeatureSet::ZoneKaHm1] {
        let architecture = Architecture { features, ..shape(9, 15, 32, true) };
        let random = RandomNetwork { extreme: true, ..RandomNetwork::new(architecture, 8) };
        let numbers = random.parameters();
        assert_same(&loaded(&bytes_of(&numbers)), &numbers);
    }
}

#[test]
fn the_weights_reveal_the_shortcut_if_the_description_does_not() {
    for shortcut in [true, false] {
        let architecture = shape(9, if shortcut { 15 } else { 16 }, 32, shortcut);
        let numbers = numbers(architecture);
        for description in [
            "Network=SFNN-1536{LayerStack=9}",
            "Network trained with https://github.com/official-stockfish/nnue-pytorch",
            "",
        ] {
            let file = described(&bytes_of(&numbers), description.as_bytes());
            assert_same(&loaded(&file), &numbers);
        }
    }
}

#[test]
fn the_description_decides_between_shapes_that_fit_equally_well() {
    // Weights where there is padding, as some writers leave them.
    let numbers = numbers(shape(9, 16, 32, false));
    let file = bytes_of(&numbers);
    for text in ["SFNN_KA2_64_15_32_K3K3", "KA2 64x2-15-32"] {
        let named = described(&file, text.as_bytes());
        assert_eq!(loaded(&named).architecture, shape(9, 15, 32, true), "{text}");
    }
    let lie = described(&file, b"SFNN_KA2_64_31_32_K3K3");
    assert_eq!(loaded(&lie).architecture, shape(9, 16, 32, false));
}

/// Regression: any two numbers in a row were taken for the sizes of layers, here for 8-32, and the shortcut was lost.
#[test]
fn other_numbers_in_the_description_are_no_sizes_of_layers() {
    let numbers = with_progress(shape(8, 7, 32, true));
    for text in [
        "Network=SFNN-64{LayerStack=8},fv_scale=32",
        "8 stacks, 32 epochs",
        "trained 2026-08-32",
        "from net 18-32",
        "for 8-320 ms",
    ] {
        assert_same(&loaded(&described(&bytes_of(&numbers), text.as_bytes())), &numbers);
    }
}

/// The width at which 15-32, 16-32, 7-88 and 8-88 have one size.
const OF_ONE_SIZE: usize = 256;

/// A network with weights of ones only, which has no padding to reveal its shape.
fn of_ones(architecture: Architecture) -> NetworkParameters {
    let mut numbers = numbers(architecture);
    for stack in &mut numbers.stacks {
        for layer in [&mut stack.l1, &mut stack.l2, &mut stack.output] {
            layer.weights.fill(1);
        }
    }
    numbers
}

/// Regression: they were refused.
#[test]
fn layers_of_equal_size_are_resolved_to_the_architectures_in_use() {
    let width = OF_ONE_SIZE;
    let shape = |h1, h2, shortcut| Architecture { width, ..shape(1, h1, h2, shortcut) };
    let ones = of_ones(shape(16, 32, false));
    let file = described(&bytes_of(&ones), b"Network=SFNN-256{LayerStack=1}");
    let net = loaded(&file);
    assert_eq!(net.architecture, ones.architecture);
    assert!(net.notes[0].en.contains("taken for 16-32"), "the only one without padding");
    // Zeros fit every shape.
    let zeros = NetworkParameters::zeros(shape(15, 32, true));
    let file = described(&bytes_of(&zeros), b"Network=SFNN-256{LayerStack=1}");
    let net = loaded(&file);
    assert_eq!(net.architecture, zeros.architecture);
    let message = &net.notes[0].en;
    assert_eq!(
        message,
        "its layers are taken for 15-32, because other networks have these layers; 7-88 or 8-88 \
         would have the same size"
    );
}

#[test]
fn padding_distinguishes_layers_of_one_size() {
    let width = OF_ONE_SIZE;
    for (h1, h2, shortcut) in [(15, 32, true), (16, 32, false), (7, 88, true), (8, 88, false)] {
        let numbers = numbers(Architecture { width, ..shape(1, h1, h2, shortcut) });
        let net = loaded(&described(&bytes_of(&numbers), b"Network=SFNN-256{LayerStack=1}"));
        assert_same(&net, &numbers);
        let message = &net.notes[0].en;
        let taken = format!("its layers are taken for {h1}-{h2}, because its padding shows; ");
        assert!(message.starts_with(&taken), "{message}");
        let net = loaded(&bytes_of(&numbers));
        assert_eq!(net.architecture, numbers.architecture);
        assert!(net.notes.is_empty(), "described");
    }
}

#[test]
fn several_shapes_in_use_are_refused_by_name() {
    let ones = of_ones(shape(9, 8, 64, false));
    let error = refused(&described(&bytes_of(&ones), b""));
    let names = "K+A2 64x2-7-64 in 9 stacks or K+A2 64x2-8-64 in 9 stacks";
    assert!(error.contains(names), "{error}");
}

/// The spare stack of some networks has no weights at all.
#[test]
fn a_zero_stack_does_not_affect_the_detection_of_the_shortcut() {
    for shortcut in [true, false] {
        let mut numbers = numbers(shape(9, if shortcut { 15 } else { 16 }, 32, shortcut));
        numbers.stacks[8].l2.weights.fill(0);
        assert_same(&loaded(&described(&bytes_of(&numbers), b"")), &numbers);
    }
}

#[test]
fn a_stray_underscore_before_the_numbers_is_tolerated() {
    let numbers = numbers(shape(1, 15, 32, true));
    let file = bytes_of(&numbers);
    let magic = b"COMPRESSED_LEB128";
    let mut stray = Vec::new();
    for (at, &byte) in file.iter().enumerate() {
        if file[at..].starts_with(magic) {
            stray.push(b'_');
        }
        stray.push(byte);
    }
    assert_eq!(stray.len(), file.len() + 2);
    assert_same(&loaded(&stray), &numbers);
}

/// The file with other hashes before its parts.
fn rehashed(file: &[u8], transformer: u32, stack: u32) -> Vec<u8> {
    let mut file = file.to_vec();
    let start = 12 + u32::from_le_bytes(file[8..12].try_into().unwrap()) as usize;
    file[4..8].copy_from_slice(&(transformer ^ stack).to_le_bytes());
    file[start..start + 4].copy_from_slice(&transformer.to_le_bytes());
    let marker = header::SFNN_STACK.to_le_bytes();
    let markers: Vec<usize> =
        (0..file.len()).filter(|&at| file[at..].starts_with(&marker)).collect();
    for at in markers {
        file[at..at + 4].copy_from_slice(&stack.to_le_bytes());
    }
    file
}

/// Regression: Suisho 11 was refused, because it was taken for a classic HalfKA1 of half its width.
#[test]
fn an_sfnn_network_may_have_the_hashes_of_its_own_shape() {
    let features = FeatureSet::HalfKa2;
    let suisho = Architecture { features, width: 1024, ..shape(9, 7, 64, true) };
    let usual = Architecture { features, width: 1536, ..shape(9, 15, 32, true) };
    for (shape, transformer, stack) in
        [(suisho, 0x5F13_48B8, 0x6333_76A4), (usual, header::SFNN_TRANSFORMER, header::SFNN_STACK)]
    {
        assert_eq!(header::computed_transformer_hash(shape.width), transformer, "{shape}");
        assert_eq!(header::computed_network_hash(&shape), stack, "{shape}");
    }
    let folder = tempdir().unwrap();
    for shape in [shape(9, 7, 64, true), shape(9, 16, 32, false), shape(1, 15, 32, true)] {
        let transformer = header::computed_transformer_hash(shape.width);
        let stack = header::computed_network_hash(&shape);
        assert_ne!((transformer, stack), (header::SFNN_TRANSFORMER, header::SFNN_STACK));
        let numbers = numbers(shape);
        let file = rehashed(&described(&bytes_of(&numbers), b""), transformer, stack);
        assert_same(&loaded(&file), &numbers);
        assert!(info(&put(&folder, "nn.bin", &file)).unwrap().warnings.is_empty());
    }
}

/// Other programs use other hashes for their own architectures.
#[test]
fn an_sfnn_network_with_hashes_of_no_known_shape_is_refused() {
    let file = bytes_of(&numbers(shape(9, 7, 64, true)));
    let other = header::SFNN_TRANSFORMER ^ 0x50;
    assert!(refused(&rehashed(&file, other, header::SFNN_STACK)).contains("0x5F134AE8"));
    let other = header::SFNN_STACK ^ 0x484D_3202;
    let error = refused(&rehashed(&file, header::SFNN_TRANSFORMER, other));
    assert!(error.contains("marker") && error.contains("0x2B7E4388"), "{error}");
}

#[test]
fn a_classic_network_with_the_hash_of_sfnn_is_classic() {
    let architecture = Architecture { width: 768, ..classic(FeatureSet::HalfKa1, 8, 8) };
    assert_eq!(header::transformer_hash(&architecture), header::SFNN_TRANSFORMER);
    let folder = tempdir().unwrap();
    let path = folder.path().join("nn.bin");
    let mut file = fs::File::create(&path).unwrap();
    let hash = header::SFNN_TRANSFORMER ^ header::network_hash(&architecture);
    crate::nnue::file::write::write_header(&mut file, hash, b"", 768).unwrap();
    std::io::Write::write_all(&mut file, &header::SFNN_TRANSFORMER.to_le_bytes()).unwrap();
    let start = file.metadata().unwrap().len() - 4;
    // The rest is a sparse hole of zeros.
    file.set_len(start + crate::nnue::file::classic::payload(&architecture, 138_510)).unwrap();
    let info = info(&path).unwrap();
    assert_eq!(info.architecture, architecture);
    assert_eq!(info.warnings.len(), 1);
}

#[test]
fn the_default_bucket_mode_needs_no_option() {
    let count = |file: &[u8]| loaded(file).buckets.count();
    assert_eq!(count(&bytes_of(&numbers(shape(1, 15, 32, true)))), 1);
    assert_eq!(count(&bytes_of(&numbers(shape(9, 15, 32, true)))), 9);
    assert_eq!(count(&bytes_of(&with_progress(shape(8, 15, 32, true)))), 8);
    assert!(refused(&bytes_of(&numbers(shape(7, 15, 32, true)))).contains("LS_BUCKET_MODE"));
    assert!(refused(&bytes_of(&with_progress(shape(9, 15, 32, true)))).contains("LS_BUCKET_MODE"));
}

#[test]
fn the_description_may_name_the_bucket_mode() {
    let file = bytes_of(&with_progress(shape(72, 15, 32, true)));
    let both = "set LS_BUCKET_MODE to k3k3_progress8 or hand4_k3k3_progress2, whichever";
    assert!(refused(&file).contains(both));
    let named = described(&file, b"Network=SFNN_KA2_64_15_32_K3K3_PROGRESS8{LayerStack=72}");
    assert_eq!(loaded(&named).buckets.count(), 72);
    let lie = described(&file, b"Network=SFNN_KA2_64_15_32_K9K9_PROGRESS8{LayerStack=72}");
    assert!(refused(&lie).contains("LS_BUCKET_MODE"));
}

/// Regression: a network that was trained with one of these names could not be loaded again without
/// an option.
#[test]
fn the_description_may_name_the_bucket_mode_by_each_of_its_names() {
    for (mode, stacks) in [("king9_by_king9", 81), ("hand4_kingrank9", 36), ("hand4_k3k3", 36)] {
        let architecture = shape(stacks, 15, 32, true);
        let text = description(&architecture, Some(mode), None);
        let net = loaded(&written(&numbers(architecture), &text));
        assert_eq!((net.buckets.name(), net.buckets.count()), (mode, stacks));
    }
}

#[test]
fn a_bucket_mode_for_another_number_of_stacks_is_refused() {
    let nine = bytes_of(&numbers(shape(9, 15, 32, true)));
    assert_eq!(load_with_mode(&nine, " K3K3 ").unwrap().buckets.count(), 9);
    let error = load_with_mode(&nine, "k9k9").unwrap_err().to_string();
    assert!(error.contains("9 layer stacks") && error.contains("k9k9 selects among 81"), "{error}");
    let error = load_with_mode(&nine, "k4k4").unwrap_err().to_string();
    assert!(error.contains("k4k4"), "{error}");
    assert!(load_with_mode(&nine, "progress8").is_err(), "there are no coefficients");
    assert!(load_with_mode(&bytes_of(&numbers(shape(1, 15, 32, true))), "k3k3").is_err());
    // Networks with one stack ignore the mode.
    assert!(load_with_mode(&bytes_of(&small()), "k9k9").is_ok());
}

#[test]
fn progress_coefficients_may_come_from_a_file() {
    let folder = tempdir().unwrap();
    let coefficients = vec![0; 8 * 81 * 1548];
    let good = put(&folder, "progress.bin", &coefficients);
    let load = |file: &[u8], mode: &str, path: &PathBuf| {
        let (bucket_mode, progress_file) = (Some(mode.to_owned()), Some(path.clone()));
        from_bytes(file, &LoadOptions { bucket_mode, progress_file, ..LoadOptions::default() })
    };
    let eight = bytes_of(&numbers(shape(8, 15, 32, true)));
    let nine = bytes_of(&numbers(shape(9, 15, 32, true)));
    for mode in ["progress8kpabs", "", "progress8"] {
        assert_eq!(load(&eight, mode, &good).unwrap().buckets.count(), 8, "{mode}");
    }
    let net = load(&nine, "progress8kpabs", &good).unwrap();
    assert_eq!((net.buckets.count(), net.stacks.len()), (8, 9), "one stack is spare");
    assert!(load(&nine, "progress8", &good).is_err());

    let bad = put(&folder, "bad.bin", &coefficients[8..]);
    let infinite = put(&folder, "infinite.bin", &vec![0xFF; coefficients.len()]);
    for (path, words) in [
        (bad, "has 1003096 bytes; progress coefficients have 1003104 "),
        (infinite, "has coefficients that are not finite"),
        (folder.path().to_owned(), "is not a file"),
        (folder.path().join("none"), "cannot be read"),
    ] {
        let error = load(&eight, "progress8kpabs", &path).unwrap_err();
        assert_eq!(error.path.as_ref(), Some(&path), "{error}");
        assert!(error.to_string().contains(words), "{error}");
        // Modes without progress do not read them.
        assert!(load(&nine, "k3k3", &path).is_ok());
    }
}

/// Regression: the message named no option, as if the network could not be read.
#[test]
fn missing_progress_coefficients_are_reported_with_their_option() {
    let folder = tempdir().unwrap();
    let eight = bytes_of(&numbers(shape(8, 15, 32, true)));
    let progress_file = Some(folder.path().join("none"));
    let error = from_bytes(&eight, &LoadOptions { progress_file, ..LoadOptions::default() });
    let message = error.unwrap_err().kind.message().en;
    assert!(message.starts_with("cannot be read ("), "{message}");
    assert!(message.contains("set LS_PROGRESS_COEFF to "), "{message}");
}

/// Regression: the message told to set EvalDir to the folder.
#[test]
fn a_folder_or_an_empty_file_is_refused_as_progress_coefficients_not_as_a_network() {
    let folder = tempdir().unwrap();
    let empty = put(&folder, "empty.bin", &[]);
    let eight = bytes_of(&numbers(shape(8, 15, 32, true)));
    for path in [folder.path().to_owned(), empty] {
        let options = LoadOptions { progress_file: Some(path), ..LoadOptions::default() };
        let message = from_bytes(&eight, &options).unwrap_err().kind.message().en;
        assert!(message.contains("set LS_PROGRESS_COEFF to "), "{message}");
        assert!(!message.contains("net") && !message.contains("EvalDir"), "{message}");
    }
}

/// Regression: they defaulted to `k3k3`, so networks that use progress played badly without an
/// error.
#[test]
fn nine_stacks_with_progress_coefficients_have_no_default_mode() {
    let folder = tempdir().unwrap();
    let path = put(&folder, "progress.bin", &vec![0; 8 * 81 * 1548]);
    let given = LoadOptions { progress_file: Some(path.clone()), ..LoadOptions::default() };
    let beside = LoadOptions { default_progress_file: Some(path), ..LoadOptions::default() };
    let nine = bytes_of(&numbers(shape(9, 15, 32, true)));
    assert_eq!(loaded(&nine).buckets.name(), "k3k3");
    for options in [given, beside] {
        let error = from_bytes(&nine, &options).unwrap_err().to_string();
        for word in ["LS_BUCKET_MODE", "progress8kpabs", "progress8ek", "k3k3", "progress.bin"] {
            assert!(error.contains(word), "{error}");
        }
        for mode in ["progress8kpabs", "progress8ek", "k3k3"] {
            let options = LoadOptions { bucket_mode: Some(mode.to_owned()), ..options.clone() };
            assert_eq!(from_bytes(&nine, &options).unwrap().buckets.name(), mode);
        }
        for mode in ["progress8kpabs", "progress8ek", "k3k3"] {
            let name = format!("Network=SFNN_KA2_64_15_32_{}", mode.to_uppercase());
            let net = from_bytes(&described(&nine, name.as_bytes()), &options).unwrap();
            assert_eq!(net.buckets.name(), mode);
        }
    }
    let named = described(&nine, b"Network=SFNN_KA2_64_15_32_PROGRESS8EK{LayerStack=9}");
    assert!(refused(&named).contains("LS_PROGRESS_COEFF"));
}

#[test]
fn coefficients_beside_a_network_count_only_if_it_has_none() {
    let folder = tempdir().unwrap();
    let load = |numbers: &NetworkParameters, path: PathBuf| {
        let options = LoadOptions { default_progress_file: Some(path), ..LoadOptions::default() };
        from_bytes(&bytes_of(numbers), &options)
    };
    let good = put(&folder, "progress.bin", &vec![0; 8 * 81 * 1548]);
    let bad = put(&folder, "bad.bin", b"no coefficients");
    let eight = shape(8, 15, 32, true);
    assert_eq!(load(&numbers(eight), good).unwrap().buckets.name(), "progress8kpabs");
    assert!(load(&numbers(eight), bad.clone()).is_err());
    assert_eq!(load(&with_progress(eight), bad.clone()).unwrap().buckets.name(), "progress8");
    assert!(load(&small(), bad).is_ok());
}

#[test]
fn an_sfnn_file_cannot_be_converted() {
    let folder = tempdir().unwrap();
    let path = put(&folder, "nn.bin", &bytes_of(&with_progress(shape(8, 15, 32, true))));
    let error = convert(&path, &folder.path().join("new.bin")).unwrap_err();
    assert!(matches!(error.kind, LoadErrorKind::Format(FormatError::Compressed)));
    let text = info(&path).unwrap().to_string();
    assert!(text.starts_with("network      K+A2 64x2-15-32 in 8 stacks, SFNN with shortcut\n"));
    assert!(text.contains("compressed, copied") && text.contains("coefficients in the file"));
}

/// BulletOu, the trainer of YaneuraOu's author, names neither the layers nor the mode.
#[test]
fn the_number_of_stacks_names_the_mode_if_only_one_has_so_many() {
    let undescribed = |stacks| {
        described(&bytes_of(&numbers(shape(stacks, 7, 64, true))), b"Network=SFNN-64{LayerStack=1}")
    };
    for (stacks, mode) in [(4, "hand4"), (36, "hand4_k3k3"), (169, "k13k13z"), (441, "k21k21")] {
        assert_eq!(loaded(&undescribed(stacks)).buckets.name(), mode);
    }
    for (stacks, modes) in [(81, "k9k9 or k9k9z,"), (64, "hand64 or hand64z,")] {
        let error = refused(&undescribed(stacks));
        assert!(error.contains(&format!("set LS_BUCKET_MODE to {modes} whichever")), "{error}");
    }
}

/// The first layer has weights for inputs of other shards; they must not count.
#[test]
fn weights_of_other_shards_are_cleared() {
    let architecture = Architecture { width: 256, ..shape(9, 7, 64, true) };
    let numbers = numbers(architecture);
    for (name, common, inputs, count) in
        [("C128_S64X2", 128, 64, 2), ("C0_S64X4", 0, 64, 4), ("c192_s8x8", 192, 8, 8)]
    {
        let text = format!("Network=SFNN_KA2_256_7_64_{name}_K3K3{{LayerStack=9}}");
        let net = loaded(&described(&bytes_of(&numbers), text.as_bytes()));
        let mut expected = numbers.clone();
        for stack in &mut expected.stacks {
            for (output, row) in stack.l1.weights.chunks_exact_mut(256).enumerate() {
                let own = common + output / (8 / count) * inputs;
                for (input, weight) in row.iter_mut().enumerate() {
                    if input >= common && !(own..own + inputs).contains(&input) {
                        *weight = 0;
                    }
                }
            }
        }
        assert!(expected != numbers);
        assert_same(&net, &expected);
        assert_eq!(net.buckets.name(), "k3k3");
    }
}

#[test]
fn shards_are_named_in_the_information() {
    let folder = tempdir().unwrap();
    let file = bytes_of(&numbers(shape(9, 7, 64, true)));
    let file = described(&file, b"Network=SFNN_KA2_64_7_64_C32_S8X4_K3K3{LayerStack=9}");
    let text = info(&put(&folder, "nn.bin", &file)).unwrap().to_string();
    assert!(text.contains("\nfirst layer  32 common inputs and 4 shards of 8\n"), "{text}");
}

#[test]
fn shards_that_do_not_fit_the_network_are_refused_by_name() {
    let file = bytes_of(&numbers(shape(9, 7, 64, true)));
    for name in ["C32_S8X8", "C0_S64X1", "C4_S20X3"] {
        let text = format!("Network=SFNN_KA2_64_7_64_{name}_K3K3{{LayerStack=9}}");
        let error = refused(&described(&file, text.as_bytes()));
        let words =
            format!("the sharded first layer {name} by its description, which does not fit");
        assert!(error.contains(&words), "{error}");
    }
}

#[test]
fn a_name_with_an_unknown_part_is_refused_by_that_part_unless_a_mode_is_given() {
    let file = bytes_of(&numbers(shape(9, 7, 64, true)));
    let named = described(&file, b"Network=SFNN_KA2_64_7_64_K3K3_SQUARED{LayerStack=9}");
    let error = refused(&named);
    assert!(error.contains("has the part SQUARED in the name of its network"), "{error}");
    assert_eq!(load_with_mode(&named, "k3k3").unwrap().buckets.name(), "k3k3");
    // Regression: the error asked for a mode that selects among one stack, and there is none.
    let single = bytes_of(&numbers(shape(1, 7, 64, true)));
    let error = refused(&described(&single, b"Network=SFNN_KA2_64_7_64_SQUARED{LayerStack=1}"));
    assert!(error.ends_with("which is not supported; use another network"), "{error}");
    // Of a shape that fits nothing, the part is the reason.
    let longer = [&named[..], b"more"].concat();
    let error = load_with_mode(&longer, "k3k3").unwrap_err().to_string();
    assert!(error.contains("has the part SQUARED"), "{error}");
}

#[test]
fn a_router_is_refused_by_its_name() {
    let numbers = with_progress(shape(8, 7, 64, true));
    let mut file = bytes_of(&numbers);
    let progress = header::PROGRESS.to_le_bytes();
    let at = (0..file.len()).find(|&at| file[at..].starts_with(&progress)).unwrap();
    file[at..at + 4].copy_from_slice(&header::ROUTER.to_le_bytes());
    let error = refused(&file);
    assert!(error.contains("selects its layer stacks by a router of tatara"), "{error}");
}

#[test]
fn an_sfnn_network_of_halfkpe9_is_refused_by_its_name() {
    let numbers = numbers(shape(1, 7, 8, true));
    let file = described(&bytes_of(&numbers), b"");
    let (mut reader, magic) = (file.as_slice(), leb128::MAGIC);
    let start = (0..file.len()).rfind(|&at| file[at..].starts_with(magic)).unwrap();
    reader = &reader[..start];
    let count = 64 * crate::nnue::architecture::HALF_KPE9;
    let rows = vec![0; count];
    let file = [reader, magic, &(count as u32).to_le_bytes(), &rows].concat();
    assert!(refused(&file).contains("is HalfKPE9, which is not supported"));
}

/// The trainer makes some, but no engine reads them since August 2026.
#[test]
fn layers_of_other_sizes_are_refused_with_their_sizes() {
    let file = bytes_of(&numbers(shape(9, 7, 64, true)));
    let file = described(&file, b"Network=SFNN_KA2_64_3_64_C0_S16X4_K3K3{LayerStack=9}");
    let error = refused(&file[..file.len() - 1]);
    assert!(error.contains("SFNN with K+A2 of width 64 and layers 3-64, but no layers"), "{error}");
    assert!(error.contains("layers outside 8 to 128 outputs in steps of 8"), "{error}");
}

#[test]
fn other_widths_are_refused_by_their_number() {
    let file = described(&bytes_of(&numbers(shape(1, 7, 8, true))), b"");
    let start = 16;
    assert!(file[start..].starts_with(leb128::MAGIC));
    for width in [16, 48, 8224] {
        let biases = vec![0; width];
        let count = (width as u32).to_le_bytes();
        let file = [&file[..start], leb128::MAGIC, &count, &biases].concat();
        let words = format!("width {width}; expected 32 to 8192 in steps of 32");
        assert!(refused(&file).contains(&words), "{width}");
    }
}
