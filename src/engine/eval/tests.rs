//! Where files are found, what counts before what, and files that change under a net.

use std::fs;

use tempfile::{TempDir, tempdir};

use super::*;
use crate::nnue::{Architecture, FeatureSet, RandomNet, Topology};

/// A folder of a test's own.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A net of random numbers that names its divisor.
    fn write_net(&self, name: &str, topology: Topology, scale: Option<u32>) -> PathBuf {
        let features = FeatureSet::KP;
        let architecture = Architecture { features, width: 64, h1: 8, h2: 16, topology };
        let numbers = RandomNet::new(architecture, 1).parameters();
        let mut bytes = Vec::new();
        let description = file::description(&architecture, None, scale);
        file::write(&mut bytes, &numbers, &description).unwrap();
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }
}

const CLASSIC: Topology = Topology::Classic;

fn wish(change: impl FnOnce(&mut Settings)) -> Wish {
    let mut settings = Settings { eval_dir: None, ..Settings::default() };
    change(&mut settings);
    Wish::of(&settings)
}

fn for_file(path: PathBuf) -> Wish {
    wish(|settings| settings.eval_file = Some(path))
}

/// What comes of a wish for a program that lies in this folder, and what is said.
fn load(wish: Wish, before: Option<InUse>, home: Option<&Path>) -> (Delivery, Vec<String>) {
    let mut messages = Vec::new();
    let before = before.unwrap_or_else(InUse::built_in);
    let order = Order { wish, before };
    let delivery = order.carry_out_with(Finder::at_home_in(home), &mut messages);
    (delivery, messages)
}

fn in_use(wish: Wish) -> InUse {
    let (delivery, messages) = load(wish, None, None);
    assert!(delivery.in_use.origin.is_some(), "{messages:?}");
    delivery.in_use
}

fn origin(in_use: &InUse) -> &Origin {
    in_use.origin.as_ref().expect("comes from a file")
}

fn is_built_in(in_use: &InUse) -> bool {
    in_use.origin.is_none()
}

#[test]
fn a_file_is_sought_as_given_and_then_beside_the_program() {
    let folder = Folder::new();
    let net = folder.write_net("nets/some.nnue", CLASSIC, None);
    let relative = PathBuf::from("nets/some.nnue");
    let (delivery, messages) = load(for_file(relative.clone()), None, Some(folder.0.path()));
    assert_eq!(origin(&delivery.in_use).file.path, net, "{messages:?}");
    let (delivery, messages) = load(for_file(relative), None, None);
    assert!(delivery.failed && is_built_in(&delivery.in_use));
    assert!(messages[0].contains("\"nets/some.nnue\", here or beside the program"), "{messages:?}");
    assert_eq!(origin(&in_use(for_file(net.clone()))).file.path, net);
}

#[test]
fn the_usual_folder_is_sought_beside_the_program_and_need_not_be_there() {
    let folder = Folder::new();
    let usual = || wish(|settings| settings.eval_dir = Settings::default().eval_dir);
    let (delivery, messages) = load(usual(), None, Some(folder.0.path()));
    assert!(!delivery.failed && !delivery.changed && is_built_in(&delivery.in_use));
    assert!(messages.is_empty(), "{messages:?}");
    let net = folder.write_net("eval/nn.bin", CLASSIC, None);
    assert!(!delivery.seen.hold());
    let (delivery, messages) = load(usual(), None, Some(folder.0.path()));
    assert_eq!(origin(&delivery.in_use).file.path, net, "{messages:?}");
    assert!(delivery.changed && delivery.seen.hold());
}

/// It was only said that there is no `nn.bin`, though the folder has what its engine wants.
#[test]
fn a_folder_with_the_tables_of_three_pieces_is_told_by_them() {
    let folder = Folder::new();
    let messages = || {
        let wish = wish(|settings| settings.eval_dir = Some(folder.0.path().to_owned()));
        let (delivery, messages) = load(wish, None, None);
        assert!(delivery.failed && is_built_in(&delivery.in_use));
        messages
    };
    let told = messages();
    assert!(told[0].contains("\"; set EvalDir to a folder that has one"), "{told:?}");
    fs::write(folder.path("KPP_synthesized.bin"), "tables").unwrap();
    let told = messages();
    assert!(told[0].contains("but KPP_synthesized.bin of an evaluation without"), "{told:?}");
}

#[test]
fn the_divisor_is_that_of_the_option_then_the_folder_then_the_net_then_the_usual_one() {
    let folder = Folder::new();
    let scale = |path: &Path, option: u32| {
        let wish = wish(|settings| {
            (settings.eval_file, settings.fv_scale) = (Some(path.to_owned()), option);
        });
        in_use(wish).network.scale.get()
    };
    let plain = folder.write_net("plain.bin", CLASSIC, None);
    assert_eq!((scale(&plain, 0), scale(&plain, 9)), (16, 9));
    let net = folder.write_net("nn.bin", CLASSIC, Some(28));
    assert_eq!((scale(&net, 0), scale(&net, 9)), (28, 9));
    fs::write(folder.path(OPTIONS_NAME), "FV_SCALE 24").unwrap();
    assert_eq!((scale(&net, 0), scale(&net, 9)), (24, 9));
    assert_eq!(scale(&plain, 0), 16);
}

/// A file of coefficients of progress.
fn coefficients() -> Vec<u8> {
    std::iter::repeat_n(0.001_f64.to_le_bytes(), 81 * 1548).flatten().collect()
}

#[test]
fn coefficients_of_progress_are_found_beside_the_net() {
    let folder = Folder::new();
    let topology = Topology::Sfnn { stacks: 8, shortcut: false };
    let net = folder.write_net("nn.bin", topology, None);
    let write = |name: &str| fs::write(folder.path(name), coefficients()).unwrap();
    let by_option = |file: Option<&str>| {
        wish(|settings| {
            settings.eval_file = Some(net.clone());
            settings.ls_bucket_mode = Some("progress8kpabs".into());
            settings.ls_progress_coeff = file.map(PathBuf::from);
        })
    };
    let (delivery, messages) = load(by_option(None), None, None);
    assert!(delivery.failed, "{messages:?}");
    write(PROGRESS_NAME);
    assert!(!delivery.seen.hold());
    let found = origin(&in_use(by_option(None))).choice.progress.clone();
    assert_eq!(found, Some(folder.path(PROGRESS_NAME)));
    write("other.bin");
    let found = origin(&in_use(by_option(Some("other.bin")))).choice.progress.clone();
    assert_eq!(found, Some(folder.path("other.bin")));
    let (delivery, messages) = load(by_option(Some("none.bin")), None, None);
    assert!(delivery.failed && messages[0].contains("none.bin"), "{messages:?}");
}

/// The coefficients of another net, beside the program or where the engine was started, won.
#[test]
fn coefficients_that_a_nets_own_options_name_are_sought_beside_it_first() {
    let folder = Folder::new();
    let topology = Topology::Sfnn { stacks: 8, shortcut: false };
    let net = folder.write_net("eval/nn.bin", topology, None);
    let options = "LS_BUCKET_MODE progress8kpabs\nLS_PROGRESS_COEFF own.bin\n";
    fs::write(folder.path("eval/eval_options.txt"), options).unwrap();
    let found = |by_option: bool| {
        let wish = wish(|settings| {
            settings.eval_file = Some(net.clone());
            settings.ls_progress_coeff = by_option.then(|| "own.bin".into());
        });
        let (delivery, messages) = load(wish, None, Some(folder.0.path()));
        assert!(!delivery.failed, "{messages:?}");
        origin(&delivery.in_use).choice.progress.clone()
    };
    fs::write(folder.path("own.bin"), coefficients()).unwrap();
    assert_eq!(found(false), Some(folder.path("own.bin")));
    fs::write(folder.path("eval/own.bin"), coefficients()).unwrap();
    assert_eq!(found(false), Some(folder.path("eval/own.bin")));
    assert_eq!(found(true), Some(folder.path("own.bin")));
}

/// A `progress.bin` beside a net was not looked at unless the mode was set, and `k3k3` was taken
/// without a word.
#[test]
fn nine_stacks_beside_coefficients_need_a_mode_and_the_mode_is_said() {
    let folder = Folder::new();
    let topology = Topology::Sfnn { stacks: 9, shortcut: false };
    let net = folder.write_net("nn.bin", topology, None);
    let by_mode = |mode: Option<&str>| {
        wish(|settings| {
            settings.eval_file = Some(net.clone());
            settings.ls_bucket_mode = mode.map(str::to_owned);
        })
    };
    let is_said = |mode: &str, messages: &[String]| {
        let rule = format!(", stacks by {mode}, ");
        messages.iter().any(|message| message.contains(&rule))
    };
    let (alone, messages) = load(by_mode(None), None, None);
    assert!(!alone.failed && is_said("k3k3", &messages), "{messages:?}");
    fs::write(folder.path(PROGRESS_NAME), coefficients()).unwrap();
    assert!(!alone.seen.hold());
    let (delivery, messages) = load(by_mode(None), Some(alone.in_use), None);
    assert!(delivery.failed && !delivery.changed, "the net before stays: {messages:?}");
    assert!(messages[0].contains("set LS_BUCKET_MODE to progress8kpabs or"), "{messages:?}");
    for mode in ["k3k3", "progress8kpabs", "progress8ek"] {
        let (delivery, messages) = load(by_mode(Some(mode)), None, None);
        assert!(!delivery.failed && is_said(mode, &messages), "{messages:?}");
    }
    fs::write(folder.path(OPTIONS_NAME), "LS_BUCKET_MODE progress8ek").unwrap();
    let (delivery, messages) = load(by_mode(None), None, None);
    assert!(!delivery.failed && is_said("progress8ek", &messages), "{messages:?}");
}

#[test]
fn a_net_is_not_loaded_again_for_another_divisor_or_other_kernels() {
    let folder = Folder::new();
    let net = folder.write_net("net.bin", CLASSIC, None);
    let first = in_use(for_file(net.clone()));
    let other = wish(|settings| {
        settings.eval_file = Some(net.clone());
        settings.fv_scale = 20;
        settings.eval_kernel = Some(Isa::Scalar);
    });
    let (delivery, messages) = load(other, Some(first.clone()), None);
    let second = delivery.network();
    assert!(Arc::ptr_eq(&first.network.net, &second.net) && delivery.changed);
    assert_eq!((second.scale.get(), second.kernels.isa()), (20, Isa::Scalar));
    assert!(messages[0].contains(", kept, "), "{messages:?}");
    let (delivery, _) = load(for_file(net), Some(first), None);
    assert!(!delivery.changed);
}

/// It was said to be copied, as from a file.
#[test]
fn the_built_in_net_is_kept_while_another_is_in_use() {
    let folder = Folder::new();
    let other = in_use(for_file(folder.write_net("net.bin", CLASSIC, None)));
    let (delivery, messages) = load(wish(|_| {}), Some(other), None);
    assert!(delivery.changed && is_built_in(&delivery.in_use));
    assert!(messages[0].contains("the built-in K+P ") && messages[0].contains(", kept, "));
}

#[test]
fn a_file_is_as_it_was_until_somebody_changes_it() {
    let folder = Folder::new();
    let path = folder.path("file");
    let mut finder = Finder::at_home_in(None);
    assert!(finder.at(&path).is_none() && finder.seen.hold());
    fs::write(&path, "1").unwrap();
    assert!(!finder.seen.hold());
    let mut finder = Finder::at_home_in(None);
    let found = finder.at(&path).unwrap();
    assert!(finder.seen.hold() && found.is_untouched());
    fs::write(&path, "12").unwrap();
    assert!(!finder.seen.hold() && !found.is_untouched());
}

/// Who has a file mapped keeps it when another comes in its place, but not what is cut off it.
#[cfg(unix)]
#[test]
fn a_net_whose_file_was_cut_is_not_kept_and_one_whose_file_was_replaced_is() {
    let folder = Folder::new();
    let net = folder.write_net("net.bin", CLASSIC, None);
    let first = in_use(for_file(net.clone()));
    assert!(first.network.net.transformer.is_mapped());
    fs::write(folder.path("garbage"), "garbage").unwrap();
    fs::rename(folder.path("garbage"), &net).unwrap();
    let (delivery, messages) = load(for_file(net.clone()), Some(first), None);
    assert!(delivery.failed && !delivery.changed && !is_built_in(&delivery.in_use), "{messages:?}");
    assert!(messages[1].starts_with("going on with K+P "), "{messages:?}");

    folder.write_net("net.bin", CLASSIC, None);
    let second = in_use(for_file(net.clone()));
    fs::File::options().write(true).open(&net).unwrap().set_len(5000).unwrap();
    let (delivery, messages) = load(for_file(net), Some(second), None);
    assert!(delivery.failed && delivery.changed && is_built_in(&delivery.in_use), "{messages:?}");
    assert!(messages[1].starts_with("going on with the built-in K+P "), "{messages:?}");
}

/// It was ordered again as soon as the searcher came back, without end.
#[cfg(unix)]
#[test]
fn a_net_that_was_cut_waits_for_the_next_look_after_an_order_came_to_grief() {
    let folder = Folder::new();
    let net = folder.write_net("net.bin", CLASSIC, None);
    let mut desk = EvalDesk::new();
    let order = desk.take_order(for_file(net.clone())).unwrap();
    desk.accept(Some(order.carry_out(&mut Vec::new())));
    assert!(desk.take_order(for_file(net.clone())).is_none());
    fs::File::options().write(true).open(&net).unwrap().set_len(5000).unwrap();
    let rows = std::hint::black_box(desk.network()).net.transformer.rows();
    assert_eq!(rows.last(), Some(&0));
    assert!(desk.in_use.is_damaged());
    assert!(desk.take_order(for_file(net.clone())).is_some());
    desk.accept(None);
    assert!(desk.take_order(for_file(net.clone())).is_none());
    desk.look_again();
    assert!(desk.take_order(for_file(net)).is_some());
}
