//! Networks: which is loaded, when, what the user is told, and which one the engine uses afterwards.

use std::fs;
use std::path::Path;

use super::harness::{Call, Gui};
use super::networks::{shape, write_network};
use crate::folder::Folder;

/// The lines between `isready` and its answer.
fn ready(gui: &mut Gui) -> Vec<String> {
    gui.send("isready");
    let mut lines = Vec::new();
    loop {
        match gui.line() {
            line if line == "readyok" => return lines,
            line => lines.push(line),
        }
    }
}

/// The backend was given a network of this width and divisor, and no other.
#[track_caller]
fn expect_network(gui: &mut Gui, width: usize, fv_scale: u32) {
    match gui.call() {
        Call::Network(found, by) => assert_eq!((found, by), (shape(width), fv_scale)),
        call => panic!("{call:?}"),
    }
    gui.expect_no_call();
}

/// A description of the built-in network.
fn built_in() -> String {
    format!("the built-in {}", kawasemi::nnue::built_in().architecture)
}

/// The answer to `eval`: the score, and the raw output.
fn evaluation(gui: &mut Gui) -> (i32, i32) {
    gui.send("eval");
    read_evaluation(&gui.line())
}

#[track_caller]
fn read_evaluation(line: &str) -> (i32, i32) {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["info", "string", "eval", score, "raw", raw] => {
            (score.parse().unwrap(), raw.parse().unwrap())
        }
        _ => panic!("{line}"),
    }
}

#[test]
fn without_any_file_the_built_in_network_answers() {
    let mut gui = Gui::ready();
    let (start, _) = evaluation(&mut gui);
    gui.send("position sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    assert!(evaluation(&mut gui).0 > start + 500);
    gui.expect_no_call();
    gui.quit();
}

#[test]
fn a_network_is_loaded_and_described_at_isready() {
    let folder = Folder::new();
    let path = write_network(&folder, "a net.nnue", 64);
    let mut gui = Gui::ready();
    gui.set("EvalFile", &path);
    gui.expect_silence();
    gui.expect_no_call();
    let lines = ready(&mut gui);
    let [line] = &lines[..] else { panic!("{lines:?}") };
    let start = format!("info string evaluation: {} from \"{path}\", FV_SCALE 16", shape(64));
    assert!(line.starts_with(&start), "{line}");
    assert!(line.contains(" kernels, ") && line.ends_with(" ms"), "{line}");
    expect_network(&mut gui, 64, 16);
    let (score, raw) = evaluation(&mut gui);
    assert_eq!(score, raw / 16);
    gui.quit();
}

#[test]
fn unchanged_files_are_not_loaded_again() {
    let folder = Folder::new();
    let mut gui = Gui::ready();
    gui.set("EvalFile", &write_network(&folder, "net", 64));
    assert_eq!(ready(&mut gui).len(), 1);
    gui.forget_calls();
    gui.send("go movetime 10");
    gui.search().plays("7g7f");
    gui.expect_move("7g7f");
    assert_eq!(ready(&mut gui), Vec::<String>::new());
    assert!(matches!(gui.call(), Call::Clear));
    gui.expect_no_call();
    gui.quit();
}

// Windows refuses to replace a file that is mapped.
#[cfg(unix)]
#[test]
fn a_file_that_has_changed_is_loaded_at_the_next_isready() {
    let folder = Folder::new();
    let mut gui = Gui::ready();
    gui.set("EvalFile", &write_network(&folder, "net", 64));
    ready(&mut gui);
    let before = evaluation(&mut gui);
    gui.forget_calls();
    let fresh = write_network(&folder, "fresh", 96);
    fs::rename(fresh, folder.path("net")).unwrap();
    assert_eq!(evaluation(&mut gui), before);
    assert_eq!(ready(&mut gui).len(), 1);
    expect_network(&mut gui, 96, 16);
    assert_ne!(evaluation(&mut gui), before);
    gui.quit();
}

#[test]
fn an_option_changed_after_isready_counts_before_the_next_search() {
    let folder = Folder::new();
    let mut gui = Gui::ready();
    gui.set("EvalFile", &write_network(&folder, "net", 64));
    gui.send("go movetime 10");
    gui.expect_start("info string evaluation: ");
    assert!(matches!(gui.call(), Call::Network(..)));
    gui.search().plays("7g7f");
    gui.expect_move("7g7f");
    gui.set("FV_SCALE", "24");
    gui.send("eval");
    gui.expect_start("info string evaluation: ");
    let (score, raw) = read_evaluation(&gui.line());
    assert_eq!(score, raw / 24);
    expect_network(&mut gui, 64, 24);
    gui.quit();
}

#[test]
fn a_missing_network_file_is_reported_and_the_built_in_network_stays() {
    let mut gui = Gui::ready();
    let before = evaluation(&mut gui);
    gui.set("EvalFile", "no/such net.bin");
    for _ in 0..2 {
        assert_eq!(
            ready(&mut gui),
            [
                "info string error: there is no file \"no/such net.bin\", here or next to the \
                 program; set EvalFile (or --eval) to a network file",
                &format!("info string continuing with {}", built_in()),
            ]
        );
        assert_eq!(evaluation(&mut gui), before);
    }
    gui.expect_no_call();
    gui.quit();
}

#[test]
fn an_invalid_network_file_is_reported_and_the_network_in_use_stays() {
    let folder = Folder::new();
    let good = write_network(&folder, "good", 64);
    let mut gui = Gui::ready();
    gui.set("EvalFile", &good);
    ready(&mut gui);
    let before = evaluation(&mut gui);
    gui.forget_calls();
    let whole = fs::read(&good).unwrap();
    let cut = folder.write("cut", &whole[..whole.len() - 1]);
    let long = folder.write("long", [&whole[..], &[0]].concat());
    let empty = folder.write("empty", b"");
    let foreign = folder.write("foreign", b"P6\n640 480\n255\n");
    for path in [cut, long, empty, foreign, folder.path("")] {
        gui.set("EvalFile", &path);
        let lines = ready(&mut gui);
        let [error, rest] = &lines[..] else { panic!("{lines:?}") };
        assert!(error.starts_with("info string error: "), "{error}");
        let name = path.trim_end_matches(std::path::MAIN_SEPARATOR);
        assert!(error.contains(name), "{error}");
        let kept = format!("info string continuing with {} from \"{good}\"", shape(64));
        assert_eq!(*rest, kept);
        assert_eq!(evaluation(&mut gui), before);
    }
    gui.expect_no_call();
    gui.quit();
}

#[test]
fn a_file_is_tried_again_at_each_isready_until_it_can_be_loaded() {
    let folder = Folder::new();
    let mut gui = Gui::ready();
    gui.set("EvalFile", &folder.path("net"));
    assert_eq!(ready(&mut gui).len(), 2);
    assert_eq!(ready(&mut gui).len(), 2);
    gui.send("go movetime 10");
    gui.search().plays("7g7f");
    gui.expect_move("7g7f");
    gui.forget_calls();
    write_network(&folder, "net", 64);
    assert_eq!(ready(&mut gui).len(), 1);
    expect_network(&mut gui, 64, 16);
    gui.quit();
}

#[test]
fn no_file_means_the_folder_and_no_folder_the_built_in_evaluation() {
    let folder = Folder::new();
    let file = write_network(&folder, "some.nnue", 96);
    write_network(&folder, "nn.bin", 64);
    let mut gui = Gui::ready();
    gui.set("EvalDir", &folder.path(""));
    gui.set("EvalFile", &file);
    ready(&mut gui);
    expect_network(&mut gui, 96, 16);
    gui.set("EvalFile", "");
    ready(&mut gui);
    expect_network(&mut gui, 64, 16);
    gui.set("EvalDir", "<empty>");
    let start = format!("info string evaluation: {}, FV_SCALE ", built_in());
    assert!(ready(&mut gui)[0].starts_with(&start));
    assert!(matches!(gui.call(), Call::Network(shape, _) if built_in().ends_with(&shape)));
    gui.quit();
}

#[test]
fn a_folder_without_a_network_is_reported_unless_it_is_the_default() {
    let folder = Folder::new();
    let mut gui = Gui::ready();
    gui.set("EvalDir", &folder.path("x"));
    let lines = ready(&mut gui);
    let [error, rest] = &lines[..] else { panic!("{lines:?}") };
    let start =
        format!("info string error: there is no nn.bin in the folder \"{}\";", folder.path("x"));
    assert!(error.starts_with(&start), "{error}");
    assert_eq!(*rest, format!("info string continuing with {}", built_in()));
    if !Path::new("eval/nn.bin").exists() {
        gui.set("EvalDir", "eval");
        assert_eq!(ready(&mut gui), Vec::<String>::new());
    }
    gui.send("compiler");
    assert!(gui.line().contains(&format!("; evaluation: {}; kernels: ", built_in())));
    gui.expect_no_call();
    gui.quit();
}

#[test]
fn eval_options_txt_counts_after_the_options() {
    let folder = Folder::new();
    write_network(&folder, "nn.bin", 64);
    folder.write("eval_options.txt", b"FV_SCALE=24\nThreads 4\n");
    let mut gui = Gui::ready();
    gui.set("EvalDir", &folder.path(""));
    let lines = ready(&mut gui);
    assert_eq!(lines[0], "info string eval_options.txt: not used here: Threads");
    assert!(lines[1].contains(", FV_SCALE 24 by eval_options.txt, "), "{lines:?}");
    expect_network(&mut gui, 64, 24);
    gui.set("FV_SCALE", "20");
    assert!(ready(&mut gui)[1].contains(", FV_SCALE 20 by option, "));
    expect_network(&mut gui, 64, 20);
    gui.set("FV_SCALE", "0");
    folder.write("eval_options.txt", b"FV_SCALE 7");
    assert!(ready(&mut gui)[0].contains(", FV_SCALE 7 by eval_options.txt, "));
    expect_network(&mut gui, 64, 7);
    gui.quit();
}

#[test]
fn eval_options_txt_is_only_for_the_network_with_the_usual_name() {
    let folder = Folder::new();
    folder.write("eval_options.txt", b"FV_SCALE=24\n");
    let mut gui = Gui::ready();
    for (name, fv_scale) in [("nn.bin", 24), ("other.bin", 16)] {
        gui.set("EvalFile", &write_network(&folder, name, 64));
        ready(&mut gui);
        expect_network(&mut gui, 64, fv_scale);
    }
    gui.quit();
}

#[test]
fn eval_waits_for_a_network_that_is_being_loaded() {
    let folder = Folder::new();
    let path = write_network(&folder, "net", 64);
    let mut gui = Gui::gated();
    gui.set("EvalFile", &path);
    gui.send("isready");
    gui.send("eval");
    gui.send("position startpos moves 7g7f");
    gui.send("eval");
    gui.let_work(3);
    let mut lines: Vec<String> = Vec::new();
    while lines.iter().filter(|line| line.starts_with("info string eval ")).count() < 2 {
        lines.push(gui.line());
    }
    lines.retain(|line| !line.is_empty());
    assert!(lines[0].starts_with("info string evaluation: "), "{lines:?}");
    assert_eq!(lines[1], "readyok");
    let [before, after] = [2, 3].map(|index: usize| read_evaluation(&lines[index]).1);
    gui.send("position startpos");
    assert_eq!(evaluation(&mut gui).1, before);
    gui.send("position startpos moves 7g7f");
    assert_eq!(evaluation(&mut gui).1, after);
    gui.quit();
}

#[test]
fn eval_during_a_search_is_answered_at_once_and_does_not_affect_it() {
    let mut gui = Gui::ready();
    let before = evaluation(&mut gui);
    gui.send("go infinite");
    let search = gui.search();
    gui.set("EvalFile", "no such file");
    assert_eq!(evaluation(&mut gui), before);
    gui.expect_no_call();
    gui.stop_search(&search, "7g7f");
    gui.quit();
}

#[test]
fn unsupported_kernels_are_replaced_and_reported() {
    let folder = Folder::new();
    let foreign = if cfg!(target_arch = "aarch64") { "avx2" } else { "neon" };
    let mut gui = Gui::ready();
    gui.set("EvalFile", &write_network(&folder, "net", 64));
    gui.set("EvalKernel", "scalar");
    assert!(ready(&mut gui)[0].contains(", scalar kernels, "));
    let slow = evaluation(&mut gui);
    gui.send("compiler");
    let line = gui.line();
    let network = format!("; evaluation: {} from \"", shape(64));
    assert!(line.contains(&network) && line.contains("; kernels: scalar; available: "), "{line}");
    gui.set("EvalKernel", foreign);
    let lines = ready(&mut gui);
    let start = format!("info string this processor cannot run {foreign} kernels; using ");
    assert!(lines[0].starts_with(&start), "{lines:?}");
    gui.set("EvalKernel", "auto");
    ready(&mut gui);
    assert_eq!(evaluation(&mut gui), slow);
    gui.quit();
}
