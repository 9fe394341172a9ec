//! Where files are found, which source takes precedence, and files that change while in use.

use std::fs;

use tempfile::{TempDir, tempdir};

#[cfg(unix)]
use super::super::load_manager::LoadManager;
use super::super::load_manager::{LoadRequest, Loaded};
use super::*;
use crate::nnue::{Architecture, FeatureSet, RandomNetwork, Topology};

/// The folder of a test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a network of random numbers that names this divisor.
    fn write_network(&self, name: &str, topology: Topology, fv_scale: Option<u32>) -> PathBuf {
        let features = FeatureSet::KP;
        let architecture = Architecture { features, width: 64, h1: 8, h2: 16, topology };
        let numbers = RandomNetwork::new(architecture, 1).parameters();
        let mut bytes = Vec::new();
        let description = file::description(&architecture, None, fv_scale);
        file::write(&mut bytes, &numbers, &description).unwrap();
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }
}

const CLASSIC: Topology = Topology::Classic;

fn options(change: impl FnOnce(&mut Settings)) -> EvalOptions {
    let mut settings = Settings { eval_dir: None, ..Settings::default() };
    change(&mut settings);
    EvalOptions::of(&settings)
}

fn for_file(path: PathBuf) -> EvalOptions {
    options(|settings| settings.eval_file = Some(path))
}

/// The result of a load by a program in this folder, and the messages.
fn load(
    options: EvalOptions,
    before: Option<NetworkInUse>,
    program_folder: Option<&Path>,
) -> (Loaded<NetworkInUse>, Vec<String>) {
    let mut messages = Vec::new();
    let before = before.unwrap_or_else(NetworkInUse::built_in);
    let request = LoadRequest { options, current: before };
    let loaded = request.run(FileLookup::beside(program_folder), &mut messages);
    (loaded, messages.into_iter().map(LoadMessage::into_text).collect())
}

fn in_use(options: EvalOptions) -> NetworkInUse {
    let (loaded, messages) = load(options, None, None);
    assert!(loaded.resource.source.is_some(), "{messages:?}");
    loaded.resource
}

fn source(in_use: &NetworkInUse) -> &NetworkSource {
    in_use.source.as_ref().expect("comes from a file")
}

fn is_built_in(in_use: &NetworkInUse) -> bool {
    in_use.source.is_none()
}

#[test]
fn a_file_is_looked_up_as_given_and_then_next_to_the_program() {
    let folder = Folder::new();
    let net = folder.write_network("nets/some.nnue", CLASSIC, None);
    let relative = PathBuf::from("nets/some.nnue");
    let (loaded, messages) = load(for_file(relative.clone()), None, Some(folder.0.path()));
    assert_eq!(source(&loaded.resource).file.path, net, "{messages:?}");
    let (loaded, messages) = load(for_file(relative), None, None);
    assert!(!loaded.complete && is_built_in(&loaded.resource));
    assert!(
        messages[0].contains("\"nets/some.nnue\", here or next to the program"),
        "{messages:?}"
    );
    assert_eq!(source(&in_use(for_file(net.clone()))).file.path, net);
}

#[test]
fn the_default_folder_is_looked_up_beside_the_program_and_need_not_exist() {
    let folder = Folder::new();
    let usual = || options(|settings| settings.eval_dir = Settings::default().eval_dir);
    let (loaded, messages) = load(usual(), None, Some(folder.0.path()));
    assert!(loaded.complete && is_built_in(&loaded.resource));
    assert!(messages.is_empty(), "{messages:?}");
    let net = folder.write_network("eval/nn.bin", CLASSIC, None);
    assert!(!loaded.log.is_unchanged());
    let (loaded, messages) = load(usual(), None, Some(folder.0.path()));
    assert_eq!(source(&loaded.resource).file.path, net, "{messages:?}");
    assert!(loaded.log.is_unchanged());
}

/// 256x2-15-32 has the size of 256x2-8-88.
#[test]
fn an_assumption_about_a_file_is_reported() {
    let folder = Folder::new();
    let topology = Topology::Sfnn { stacks: 1, shortcut: true };
    let features = FeatureSet::KP;
    let architecture = Architecture { features, width: 256, h1: 15, h2: 32, topology };
    let numbers = RandomNetwork::new(architecture, 1).parameters();
    let mut bytes = Vec::new();
    file::write(&mut bytes, &numbers, "Network=SFNN-256{LayerStack=1}").unwrap();
    fs::write(folder.path("nn.bin"), bytes).unwrap();
    let (loaded, messages) = load(for_file(folder.path("nn.bin")), None, None);
    assert_eq!(loaded.resource.network.weights.architecture, architecture, "{messages:?}");
    assert!(
        messages[1].starts_with("evaluation: its layers are taken for 15-32, "),
        "{messages:?}"
    );
    assert!(messages[1].ends_with("; 7-88 or 8-88 would have the same size"), "{messages:?}");
}

#[test]
fn a_folder_with_kppt_tables_is_recognised() {
    let folder = Folder::new();
    let messages = || {
        let options = options(|settings| settings.eval_dir = Some(folder.0.path().to_owned()));
        let (loaded, messages) = load(options, None, None);
        assert!(!loaded.complete && is_built_in(&loaded.resource));
        messages
    };
    let shown = messages();
    assert!(shown[0].contains("\"; set EvalDir to a folder that has one"), "{shown:?}");
    fs::write(folder.path("KPP_synthesized.bin"), "tables").unwrap();
    let shown = messages();
    assert!(shown[0].contains("but KPP_synthesized.bin of an evaluation without"), "{shown:?}");
}

/// Regression: the message missed nn.bin in a folder nn.bin.
#[test]
fn a_network_given_as_the_folder_is_recognised() {
    let folder = Folder::new();
    let net = folder.write_network("nn.bin", CLASSIC, None);
    let (loaded, messages) = load(options(|settings| settings.eval_dir = Some(net)), None, None);
    assert!(!loaded.complete && is_built_in(&loaded.resource));
    assert!(messages[0].contains("nn.bin\" is a file, not a folder with nn.bin; "), "{messages:?}");
}

#[test]
fn the_divisor_is_from_the_option_or_the_folder_or_the_network_or_the_default() {
    let folder = Folder::new();
    let fv_scale = |path: &Path, option: u32| {
        let options = options(|settings| {
            (settings.eval_file, settings.fv_scale) = (Some(path.to_owned()), option);
        });
        in_use(options).network.fv_scale.get()
    };
    let plain = folder.write_network("plain.bin", CLASSIC, None);
    assert_eq!((fv_scale(&plain, 0), fv_scale(&plain, 9)), (16, 9));
    let net = folder.write_network("nn.bin", CLASSIC, Some(28));
    assert_eq!((fv_scale(&net, 0), fv_scale(&net, 9)), (28, 9));
    fs::write(folder.path(OPTIONS_NAME), "FV_SCALE 24").unwrap();
    assert_eq!((fv_scale(&net, 0), fv_scale(&net, 9)), (24, 9));
    assert_eq!(fv_scale(&plain, 0), 16);
}

/// A file of coefficients of progress.
fn coefficients() -> Vec<u8> {
    std::iter::repeat_n(0.001_f64.to_le_bytes(), 81 * 1548).flatten().collect()
}

#[test]
fn coefficients_of_progress_are_found_beside_the_network() {
    let folder = Folder::new();
    let topology = Topology::Sfnn { stacks: 8, shortcut: false };
    let net = folder.write_network("nn.bin", topology, None);
    let write = |name: &str| fs::write(folder.path(name), coefficients()).unwrap();
    let by_option = |file: Option<&str>| {
        options(|settings| {
            settings.eval_file = Some(net.clone());
            settings.ls_bucket_mode = Some("progress8kpabs".into());
            settings.ls_progress_coeff = file.map(PathBuf::from);
        })
    };
    let (loaded, messages) = load(by_option(None), None, None);
    assert!(!loaded.complete, "{messages:?}");
    write(PROGRESS_NAME);
    assert!(!loaded.log.is_unchanged());
    let found = source(&in_use(by_option(None))).options.progress_file.clone();
    assert_eq!(found, Some(folder.path(PROGRESS_NAME)));
    write("other.bin");
    let found = source(&in_use(by_option(Some("other.bin")))).options.progress_file.clone();
    assert_eq!(found, Some(folder.path("other.bin")));
    let (loaded, messages) = load(by_option(Some("none.bin")), None, None);
    assert!(!loaded.complete && messages[0].contains("none.bin"), "{messages:?}");
}

/// Newer networks of BulletOu need this. Regression: with the mode set they were refused.
#[test]
fn stages_of_progress_use_the_coefficients_beside_a_network_that_has_none() {
    let folder = Folder::new();
    let topology = Topology::Sfnn { stacks: 8, shortcut: false };
    let net = folder.write_network("nn.bin", topology, None);
    let by_mode = || {
        options(|settings| {
            settings.eval_file = Some(net.clone());
            settings.ls_bucket_mode = Some("progress8".into());
        })
    };
    let (loaded, messages) = load(by_mode(), None, None);
    assert!(
        !loaded.complete && messages[0].contains("progress.bin beside the network"),
        "{messages:?}"
    );
    fs::write(folder.path(PROGRESS_NAME), coefficients()).unwrap();
    let (loaded, messages) = load(by_mode(), None, None);
    assert!(loaded.complete && messages[0].contains(", stacks by progress8, "), "{messages:?}");
    // Those of the network itself come first.
    let features = FeatureSet::KP;
    let architecture = Architecture { features, width: 64, h1: 8, h2: 16, topology };
    let numbers = RandomNetwork { has_progress_model: true, ..RandomNetwork::new(architecture, 1) }
        .parameters();
    let mut bytes = Vec::new();
    file::write(&mut bytes, &numbers, "").unwrap();
    fs::write(&net, bytes).unwrap();
    fs::write(folder.path(PROGRESS_NAME), "of another network").unwrap();
    let (loaded, messages) = load(by_mode(), None, None);
    assert!(loaded.complete, "{messages:?}");
}

#[test]
fn coefficients_named_in_eval_options_are_looked_up_beside_the_network_first() {
    let folder = Folder::new();
    let topology = Topology::Sfnn { stacks: 8, shortcut: false };
    let net = folder.write_network("eval/nn.bin", topology, None);
    let file_options = "LS_BUCKET_MODE progress8kpabs\nLS_PROGRESS_COEFF own.bin\n";
    fs::write(folder.path("eval/eval_options.txt"), file_options).unwrap();
    let found = |by_option: bool| {
        let options = options(|settings| {
            settings.eval_file = Some(net.clone());
            settings.ls_progress_coeff = by_option.then(|| "own.bin".into());
        });
        let (loaded, messages) = load(options, None, Some(folder.0.path()));
        assert!(loaded.complete, "{messages:?}");
        source(&loaded.resource).options.progress_file.clone()
    };
    fs::write(folder.path("own.bin"), coefficients()).unwrap();
    assert_eq!(found(false), Some(folder.path("own.bin")));
    fs::write(folder.path("eval/own.bin"), coefficients()).unwrap();
    assert_eq!(found(false), Some(folder.path("eval/own.bin")));
    assert_eq!(found(true), Some(folder.path("own.bin")));
}

#[test]
fn nine_layer_stacks_next_to_coefficients_need_a_mode_which_is_reported() {
    let folder = Folder::new();
    let topology = Topology::Sfnn { stacks: 9, shortcut: false };
    let net = folder.write_network("nn.bin", topology, None);
    let by_mode = |mode: Option<&str>| {
        options(|settings| {
            settings.eval_file = Some(net.clone());
            settings.ls_bucket_mode = mode.map(str::to_owned);
        })
    };
    let is_said = |mode: &str, messages: &[String]| {
        let rule = format!(", stacks by {mode}, ");
        messages.iter().any(|message| message.contains(&rule))
    };
    let (alone, messages) = load(by_mode(None), None, None);
    assert!(alone.complete && is_said("k3k3", &messages), "{messages:?}");
    fs::write(folder.path(PROGRESS_NAME), coefficients()).unwrap();
    assert!(!alone.log.is_unchanged());
    let before = alone.resource;
    let (loaded, messages) = load(by_mode(None), Some(before.clone()), None);
    assert!(!loaded.complete && loaded.resource.network == before.network, "{messages:?}");
    assert!(messages[0].contains("set LS_BUCKET_MODE to progress8kpabs or"), "{messages:?}");
    for mode in ["k3k3", "progress8kpabs", "progress8ek"] {
        let (loaded, messages) = load(by_mode(Some(mode)), None, None);
        assert!(loaded.complete && is_said(mode, &messages), "{messages:?}");
    }
    fs::write(folder.path(OPTIONS_NAME), "LS_BUCKET_MODE progress8ek").unwrap();
    let (loaded, messages) = load(by_mode(None), None, None);
    assert!(loaded.complete && is_said("progress8ek", &messages), "{messages:?}");
}

/// Regression: nothing showed that a mode was misspelt.
#[test]
fn a_bucket_mode_that_the_network_does_not_use_is_reported() {
    let folder = Folder::new();
    let net = folder.write_network("net.bin", CLASSIC, None);
    for file in [None, Some(net)] {
        let messages_by = |mode: &str| {
            let options = options(|settings| {
                settings.eval_file = file.clone();
                settings.ls_bucket_mode = Some(mode.to_owned());
            });
            load(options, None, None).1
        };
        let is_said =
            |messages: &[String], text: &str| messages.iter().any(|message| message.contains(text));
        let messages = messages_by("foo");
        assert!(is_said(&messages, "LS_BUCKET_MODE foo has no effect on "), "{messages:?}");
        assert!(!is_said(&messages_by(" "), "LS_BUCKET_MODE"));
    }
}

#[test]
fn a_network_is_not_loaded_again_for_another_divisor_or_other_kernels() {
    let folder = Folder::new();
    let net = folder.write_network("net.bin", CLASSIC, None);
    let first = in_use(for_file(net.clone()));
    let other = options(|settings| {
        settings.eval_file = Some(net.clone());
        settings.fv_scale = 20;
        settings.eval_kernel = Some(Isa::Scalar);
    });
    let (loaded, messages) = load(other, Some(first.clone()), None);
    let second = &loaded.resource.network;
    assert!(Arc::ptr_eq(&first.network.weights, &second.weights) && *second != first.network);
    assert_eq!((second.fv_scale.get(), second.kernels.isa()), (20, Isa::Scalar));
    assert!(messages[0].contains(", kept, "), "{messages:?}");
    let (loaded, _) = load(for_file(net), Some(first.clone()), None);
    assert!(loaded.resource.network == first.network);
}

#[test]
fn the_built_in_network_is_kept_while_another_is_in_use() {
    let folder = Folder::new();
    let other = in_use(for_file(folder.write_network("net.bin", CLASSIC, None)));
    let (loaded, messages) = load(options(|_| {}), Some(other), None);
    assert!(is_built_in(&loaded.resource));
    assert!(messages[0].contains("the built-in ") && messages[0].contains(", kept, "));
}

/// A mapped file stays intact when another replaces it by renaming, but not when it is truncated.
#[cfg(unix)]
#[test]
fn a_network_is_kept_when_its_file_is_replaced_but_not_when_it_is_truncated() {
    let folder = Folder::new();
    let net = folder.write_network("net.bin", CLASSIC, None);
    let first = in_use(for_file(net.clone()));
    assert!(first.network.weights.transformer.is_mapped());
    fs::write(folder.path("garbage"), "garbage").unwrap();
    fs::rename(folder.path("garbage"), &net).unwrap();
    let (loaded, messages) = load(for_file(net.clone()), Some(first.clone()), None);
    assert!(loaded.resource.network == first.network);
    assert!(!loaded.complete && !is_built_in(&loaded.resource), "{messages:?}");
    assert!(messages[1].starts_with("continuing with K+P "), "{messages:?}");

    folder.write_network("net.bin", CLASSIC, None);
    let second = in_use(for_file(net.clone()));
    fs::File::options().write(true).open(&net).unwrap().set_len(5000).unwrap();
    let (loaded, messages) = load(for_file(net), Some(second), None);
    assert!(!loaded.complete && is_built_in(&loaded.resource), "{messages:?}");
    assert!(messages[1].starts_with("continuing with the built-in "), "{messages:?}");
}

/// Regression: such a network was loaded again, endlessly, whenever the backend came back.
#[cfg(unix)]
#[test]
fn a_truncated_network_is_loaded_again_only_at_the_next_check_after_a_load_that_panicked() {
    let folder = Folder::new();
    let net = folder.write_network("net.bin", CLASSIC, None);
    let mut manager = LoadManager::new(EvalOptions::BUILT_IN, NetworkInUse::built_in());
    let request = manager.start(for_file(net.clone())).unwrap();
    manager.finish(Some(request.run(FileLookup::new(), &mut Vec::new())));
    assert!(manager.start(for_file(net.clone())).is_none());
    fs::File::options().write(true).open(&net).unwrap().set_len(5000).unwrap();
    let rows =
        std::hint::black_box(&manager.current().network).weights.transformer.rows_in_16_bits();
    assert_eq!(rows.last(), Some(&0));
    assert!(manager.current().is_damaged());
    let mut messages = Vec::new();
    manager.start(for_file(net.clone())).unwrap().run(FileLookup::new(), &mut messages);
    let told = messages.into_iter().map(LoadMessage::into_text).next().unwrap();
    assert!(told.ends_with("net.bin\" was truncated while in use; loading again"), "{told}");
    manager.finish(None);
    assert!(manager.start(for_file(net.clone())).is_none());
    manager.recheck_files();
    assert!(manager.start(for_file(net)).is_some());
}
