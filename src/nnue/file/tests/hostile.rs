//! Invalid files, by accident or on purpose: each is refused with a message, without a panic and
//! without allocating much memory.

use super::*;

fn sfnn() -> Vec<u8> {
    let topology = Topology::Sfnn { stacks: 9, shortcut: true };
    let architecture = Architecture { topology, ..classic(FeatureSet::KP, 15, 16) };
    bytes_of(&RandomNetwork::new(architecture, 3).parameters())
}

/// A file with a deflated section.
fn deflated() -> Vec<u8> {
    let topology = Topology::Sfnn { stacks: 9, shortcut: true };
    let architecture = Architecture { topology, ..classic(FeatureSet::ZoneKaHm1, 15, 16) };
    bytes_of(&RandomNetwork::new(architecture, 3).parameters())
}

/// Every length near the parts of the header and near the end, and some in between.
fn lengths(file: &[u8]) -> impl Iterator<Item = usize> {
    let length = file.len();
    (0..length).filter(move |&at| at < 500 || at + 6000 > length || at % 1009 == 0)
}

#[test]
fn a_file_truncated_anywhere_is_refused() {
    for file in [bytes_of(&small()), sfnn(), deflated()] {
        for length in lengths(&file) {
            refused(&file[..length]);
        }
        assert!(from_bytes(&file, &LoadOptions::default()).is_ok());
    }
}

#[test]
fn a_classic_file_of_a_wrong_size_is_refused_with_the_expected_size() {
    let file = bytes_of(&small());
    // The last but one is the size of another architecture.
    for length in [file.len() - 1, file.len() - 10_000, file.len() - 288, file.len() + 1] {
        let mut other = file.clone();
        other.resize(length, 0);
        let error = refused(&other);
        assert!(error.contains("K+P 64x2-8-16"), "{error}");
        let how = if length < file.len() { "is truncated" } else { "has bytes after its end" };
        let words = format!("takes {} bytes, but has {length}: it {how}; ", file.len());
        assert!(error.contains(&words), "{error}");
    }
}

/// Regression: it was called a 16-88 with bytes after its end, because that has the same hash.
#[test]
fn a_truncated_file_has_the_layers_in_use_among_those_with_its_hash() {
    let architecture = Architecture { width: 128, ..classic(FeatureSet::KP, 32, 32) };
    let other = Architecture { h1: 16, h2: 88, ..architecture };
    assert_eq!(header::network_hash(&architecture), header::network_hash(&other));
    let file = bytes_of(&RandomNetwork::new(architecture, 3).parameters());
    let error = refused(&file[..file.len() - 1]);
    assert!(error.contains("is K+P 128x2-32-32 by its hashes"), "{error}");
    assert!(error.contains("it is truncated; "), "{error}");
}

#[test]
fn bytes_after_the_end_are_refused() {
    for file in [bytes_of(&small()), sfnn()] {
        for more in [1, 2, 3, 4, 64, 4096, 100_000] {
            let mut longer = file.clone();
            longer.resize(file.len() + more, 0);
            refused(&longer);
        }
    }
}

#[test]
fn lengths_of_four_gibibytes_are_refused() {
    let mut file = bytes_of(&small());
    file[8..12].fill(0xFF);
    let error = refused(&file);
    assert!(error.contains("the description would take 4294967295 bytes"), "{error}");
    let mut file = sfnn();
    let sections: Vec<usize> =
        (0..file.len()).filter(|&at| file[at..].starts_with(leb128::MAGIC)).collect();
    assert_eq!(sections.len(), 2);
    for at in sections.into_iter().rev() {
        file[at + 17..at + 21].fill(0xFF);
        assert!(refused(&file).contains("take 4294967295 bytes"));
    }
}

#[test]
fn endless_numbers_are_refused() {
    let file = sfnn();
    let at = (0..file.len()).rfind(|&at| file[at..].starts_with(leb128::MAGIC)).unwrap();
    let length = u32::from_le_bytes(file[at + 17..at + 21].try_into().unwrap()) as usize;
    let numbers = at + 21..at + 21 + length;
    let mut endless = file.clone();
    endless[numbers.clone()].fill(0x80);
    assert!(refused(&endless).contains("has 0 weights"));
    // The right number of numbers, but one of them has too many bytes.
    let mut uneven = file.clone();
    let tail = uneven[numbers.end - 4..numbers.end].to_vec();
    assert!(tail.iter().all(|&byte| byte < 0x80), "small numbers have one byte");
    let long = [&file[..numbers.start], &[0xFF, 0xFF, 0xFF, 0x01], &file[numbers.start + 1..]];
    uneven = long.concat();
    uneven[at + 17..at + 21].copy_from_slice(&(length as u32 + 3).to_le_bytes());
    let error = refused(&uneven);
    assert!(error.contains("not 16-bit numbers"), "{error}");
}

#[test]
fn other_known_formats_are_named() {
    let known: [(&[u8], &str); 8] = [
        (b"\x20\x2F\xF3\x7A and more of it", "Stockfish"),
        (b"\x21\x2F\xF3\x7A and more of it", "rshogi or tatara"),
        (b"\x17\x2F\xF3\x7A and more of it", "BulletOu"),
        (b"\0\0\0\0 and more of it", "has version 0x00000000; expected 0x7AF32F16"),
        (b"PK\x03\x04 and more of it", "unpacked"),
        (b"version https://git-lfs.github.com/spec/v1", "Git LFS"),
        (b"nobody knows bulletbulletbulletbullet", "bullet"),
        (b"\x16\x2F", "ends too early"),
    ];
    for (file, words) in known {
        let error = refused(file);
        assert!(error.contains(words), "{error}");
    }
}

/// Regression: the errors named a version, and said that the checkpoint must be unpacked.
#[test]
fn old_archives_models_of_other_programs_and_checkpoints_are_named() {
    let known: [(&[u8], &str); 5] = [
        (b"Rar!\x1A\x07\x01\0 and more of it", "is a RAR archive"),
        (b"\x22\x8F-lh5-\0\x10 and more of it", "is an LZH archive"),
        (b"\x08\x07\x12\x07pytorch\x1A\x051.9.0", "is an ONNX model"),
        (b"PK\x03\x04\0\0\x08\x08epoch=9/data.pklFB", "is a checkpoint of PyTorch"),
        (b"KWTRAIN1\x09\0\0\0epochs = 5", "is a checkpoint of train"),
    ];
    for (file, words) in known {
        let error = refused(file);
        assert!(error.contains(words), "{error}");
    }
}

/// Regression: only capitals at the start were detected.
#[test]
fn a_web_page_is_named_however_its_site_writes_it() {
    for page in [
        "<!DOCTYPE html><html lang=\"en\">",
        "<!doctype html>\n<html class=\"\">",
        "\n\n\n\n\n<!DOCTYPE html>\n",
        " <HTML>",
    ] {
        let error = refused(page.as_bytes());
        assert!(error.contains("is a web page"), "{page}: {error}");
    }
}

/// Regression: they were loaded as clipped networks, because hashes and mostly sizes are the same.
#[test]
fn networks_of_other_activations_are_refused_by_their_description() {
    let file = bytes_of(&small());
    for text in [
        "Features=K+P[1710->64x2],Network=AffineTransform[1<-16](SqrClippedReLU[16](x))",
        "Features=HalfKA_hm^[73305->256x2]-SCReLU,fv_scale=13,qa=127,qb=64,scale=600",
        "Features=HalfKP(Friend)[125388->512/2x2]-Pairwise,Network=AffineTransform[1<-32](x)",
    ] {
        let error = refused(&described(&file, text.as_bytes()));
        assert!(error.contains("; expected ClippedReLU alone; "), "{error}");
    }
}

#[test]
fn halfkpe9_is_refused_by_its_name() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("nn.bin");
    let architecture = Architecture { width: 256, ..classic(FeatureSet::HalfKp, 32, 32) };
    let transformer = header::transformer_hash(&architecture);
    let mut file = fs::File::create(&path).unwrap();
    let hash = transformer ^ header::network_hash(&architecture);
    crate::nnue::file::write::write_header(&mut file, hash, b"HalfKPE9(Friend)", 256).unwrap();
    std::io::Write::write_all(&mut file, &transformer.to_le_bytes()).unwrap();
    let start = file.metadata().unwrap().len() - 4;
    // The rest is a sparse hole of zeros, which takes no disk space.
    file.set_len(start + crate::nnue::file::classic::payload(&architecture, 1_128_492)).unwrap();
    let error = load(&path, &LoadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("is HalfKPE9, which is not supported"), "{error}");
}

#[test]
fn unreadable_files_are_refused_with_their_names() {
    let folder = tempdir().unwrap();
    let empty = put(&folder, "empty", b"");
    let cases = [
        (empty, "is empty"),
        (folder.path().to_owned(), "is a folder"),
        (folder.path().join("none"), "cannot be read"),
    ];
    for (path, words) in cases {
        let error = load(&path, &LoadOptions::default()).unwrap_err();
        assert_eq!(error.path.as_ref(), Some(&path));
        assert!(error.to_string().contains(words), "{error}");
        assert!(info(&path).unwrap_err().to_string().contains(words));
    }
    #[cfg(unix)]
    assert!(matches!(
        load("/dev/zero".as_ref(), &LoadOptions::default()).unwrap_err().kind,
        LoadErrorKind::Access(AccessError::NotAFile)
    ));
}

#[test]
fn errors_contain_the_name_of_the_file_in_any_language() {
    let error = LoadError::new("評価.bin".as_ref(), AccessError::Empty.into()).to_string();
    assert_eq!(error, "評価.bin: is empty, not a network; copy it again");
}

/// One change of a file.
#[derive(Clone, Debug)]
enum Corruption {
    Set(usize, u8),
    Flip(usize, u8),
    Cut(usize),
    Insert(usize, Vec<u8>),
    Remove(usize, usize),
    Number(usize, u32),
}

fn corruption() -> impl Strategy<Value = Corruption> {
    // Half of the places are in the header, where most decisions are made.
    let place = || prop_oneof![0..400_usize, any::<usize>()];
    prop_oneof![
        (place(), any::<u8>()).prop_map(|(at, byte)| Corruption::Set(at, byte)),
        (place(), 0..8_u8).prop_map(|(at, bit)| Corruption::Flip(at, bit)),
        place().prop_map(Corruption::Cut),
        (place(), prop::collection::vec(any::<u8>(), 1..40))
            .prop_map(|(a, b)| Corruption::Insert(a, b)),
        (place(), 1..40_usize).prop_map(|(at, length)| Corruption::Remove(at, length)),
        (place(), prop_oneof![Just(u32::MAX), Just(0), Just(1 << 31), any::<u32>()])
            .prop_map(|(at, number)| Corruption::Number(at, number)),
    ]
}

fn corrupt(file: &mut Vec<u8>, corruption: &Corruption) {
    if file.is_empty() {
        return;
    }
    let length = file.len();
    match corruption {
        Corruption::Set(at, byte) => file[at % length] = *byte,
        Corruption::Flip(at, bit) => file[at % length] ^= 1 << bit,
        Corruption::Cut(at) => file.truncate(at % length),
        Corruption::Insert(at, bytes) => {
            let at = at % length;
            file.splice(at..at, bytes.iter().copied());
        }
        Corruption::Remove(at, count) => {
            let at = at % length;
            file.drain(at..(at + count).min(length));
        }
        Corruption::Number(at, number) => {
            let bytes = number.to_le_bytes();
            file.iter_mut().skip(at % length).zip(bytes).for_each(|(to, byte)| *to = byte);
        }
    }
}

proptest! {
    #[test]
    fn corrupted_files_are_loaded_or_refused(
        kind in 0..3,
        corruptions in prop::collection::vec(corruption(), 1..5),
    ) {
        let mut file = match kind {
            0 => bytes_of(&small()),
            1 => sfnn(),
            _ => deflated(),
        };
        for corruption in &corruptions {
            corrupt(&mut file, corruption);
        }
        match from_bytes(&file, &LoadOptions::default()) {
            Ok(net) => {
                let count = net.architecture.features.dimensions() * net.architecture.width;
                prop_assert_eq!(net.transformer.rows_in_16_bits().len(), count);
                prop_assert_eq!(net.stacks.len(), net.architecture.stacks());
            }
            Err(error) => prop_assert!(!error.to_string().contains(char::is_control)),
        }
    }

    #[test]
    fn any_bytes_are_loaded_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(from_bytes(&bytes, &LoadOptions::default()).is_err());
        let headed = [&version::VERSION.to_le_bytes()[..], &bytes].concat();
        prop_assert!(from_bytes(&headed, &LoadOptions::default()).is_err());
    }
}
