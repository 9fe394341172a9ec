//! The scripts that make and try packages, with a compiler that only leaves a file.

use std::env;
use std::fs;
use std::process::{Command, Output};

use crate::folder::Folder;
use crate::stand_ins::stand_ins;

/// The last word of the call is the target.
const CARGO: &str = r#"#!/bin/sh
for word; do last=$word; done
mkdir -p "$CARGO_TARGET_DIR/$last/release"
echo program > "$CARGO_TARGET_DIR/$last/release/kawasemi"
"#;

/// Its folder has the standard libraries of every Linux and of WebAssembly.
const RUSTC: &str = r#"#!/bin/sh
case $1 in
--version) echo rustc 99.0.0 ;;
*)
    for target in "$(uname -m)-unknown-linux-gnu" wasm32-unknown-unknown; do
        mkdir -p "$SYSROOT/lib/rustlib/$target/lib"
    done
    echo "$SYSROOT"
    ;;
esac
"#;

/// The last word of the call is the module, or asks for the version.
const WASM_OPT: &str = r#"#!/bin/sh
for word; do last=$word; done
case $last in
--version) echo wasm-opt version 99 ;;
*) echo module > "$last" ;;
esac
"#;

/// Its archive is the list of the files, each without the folder that has all.
const ZIP: &str = r#"#!/bin/sh
while read -r name; do
    [ -d "$name" ] || echo "${name#*/}"
done > "$4"
"#;

/// A script of the repository, called in the folder, with these programs instead of the real ones.
fn script(folder: &Folder, name: &str, programs: &[(&str, &str)]) -> Command {
    let mut command = Command::new(format!("{}/{name}", env!("CARGO_MANIFEST_DIR")));
    command
        .current_dir(folder.path(""))
        .envs([("PATH", stand_ins(folder, programs)), ("SYSROOT", folder.path("sysroot"))])
        .env("CARGO_TARGET_DIR", folder.path("target"));
    command
}

/// The text of a file of the repository.
fn read(name: &str) -> String {
    fs::read_to_string(format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The name of the archive of this machine.
fn platform() -> String {
    format!("linux-{}", env::consts::ARCH)
}

/// Makes the archive of a platform. Returns what is in the output folder too.
fn make(folder: &Folder, programs: &[(&str, &str)], platform: &str) -> (Output, Vec<String>) {
    let out = folder.path("out");
    let output = script(folder, "packaging/archives.sh", programs)
        .args(["--out", &out, platform])
        .output()
        .unwrap();
    let entries = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    (output, names)
}

/// Regression: the staging folder was left, and came into the sums of the next archives.
#[test]
fn an_archive_that_fails_leaves_nothing_behind() {
    let folder = Folder::new();
    let programs = [("cargo", CARGO), ("rustc", RUSTC)];
    let fails = [&programs[..], &[("gzip", "#!/bin/sh\ncat >/dev/null\nexit 1\n")]].concat();
    let (output, names) = make(&folder, &fails, &platform());
    assert!(!output.status.success() && names.is_empty(), "{names:?} {output:?}");
    fs::remove_file(folder.path("gzip")).unwrap();
    let (output, names) = make(&folder, &programs, &platform());
    assert!(output.status.success(), "{output:?}");
    let [sums, archive] = &names[..] else { panic!("{names:?}") };
    assert!(sums == "SHA256SUMS" && archive.ends_with(".tar.gz"), "{names:?}");
}

/// Regression: the page was in no download.
#[test]
fn the_archive_of_the_page_has_its_files_and_no_others() {
    let folder = Folder::new();
    let programs = [("cargo", CARGO), ("rustc", RUSTC), ("wasm-opt", WASM_OPT), ("zip", ZIP)];
    let (output, names) = make(&folder, &programs, "web");
    assert!(output.status.success(), "{output:?}");
    let [sums, archive] = &names[..] else { panic!("{names:?}") };
    assert!(sums == "SHA256SUMS" && archive.ends_with("-web.zip"), "{names:?}");
    let archive = fs::read_to_string(folder.path(&format!("out/{archive}"))).unwrap();
    let mut files: Vec<&str> = archive.lines().collect();
    files.sort_unstable();

    let worker = read("web/service_worker.js");
    let cached = worker.split_once("const FILES = [").unwrap().1.split_once(']').unwrap().0;
    let cached = cached.split('"').skip(1).step_by(2).filter(|&name| name != "./");
    let licences = ["LICENSE-APACHE", "LICENSE-MIT", "NOTICE", "THIRD-PARTY.txt"];
    let others = ["BUILD.txt", "README.md", "engine/engine.json", "service_worker.js"];
    let mut expected: Vec<&str> = cached.chain(licences).chain(others).collect();
    expected.sort_unstable();
    assert_eq!(files, expected);
}

/// Regression: a folder and a profile were looked for in the repository.
#[test]
fn paths_are_relative_to_the_folder_of_the_caller() {
    let folder = Folder::new();
    folder.write("kept.profdata", "counts");
    let output = script(&folder, "packaging/archives.sh", &[("cargo", CARGO), ("rustc", RUSTC)])
        .args(["--out", "my archives", "--profile", "kept.profdata", &platform()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(fs::exists(folder.path("my archives/SHA256SUMS")).unwrap());
}

/// Regression: an option without its value ended a script with 1, the status of a failed build. `deb.sh` ignored
/// further arguments, and a profile for a platform that was not asked for was ignored.
#[test]
fn a_wrong_argument_ends_a_script_with_two() {
    let folder = Folder::new();
    for call in [
        "packaging/archives.sh --out",
        "packaging/archives.sh --profile",
        "packaging/archives.sh --profile missing.profdata",
        "packaging/archives.sh --profile-guided windows-x86_64",
        "packaging/deb.sh --out",
        "packaging/deb.sh --out here there",
        "packaging/wasm.sh --out",
        "packaging/wasm.sh here there",
        "tests/packages.sh --dist",
        "tests/packages.sh --dist missing",
        "tests/cluster.sh nowhere",
        "tests/platforms.sh nowhere",
        "tests/wasm.sh nowhere",
        "tests/web.sh nowhere",
    ] {
        let mut words = call.split(' ');
        let path = words.next().unwrap();
        let output = script(&folder, path, &[]).args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{call}: {output:?}");
        let name = path.rsplit('/').next().unwrap();
        assert!(output.stderr.starts_with(format!("{name}: ").as_bytes()), "{call}: {output:?}");
    }
}

/// Regression: the `.deb` lacked the text of its licences, and documents to which others link.
#[test]
fn the_deb_has_the_files_of_the_archives() {
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let assets = manifest["package"]["metadata"]["deb"]["assets"].as_array().unwrap();
    let sources: Vec<&str> = assets.iter().map(|asset| asset[0].as_str().unwrap()).collect();
    let archives = read("packaging/archives.sh");
    let contents = archives.split_once("CONTENTS=(").unwrap().1.split_once(')').unwrap().0;
    for name in contents.split_whitespace() {
        let whole_folder = format!("{name}/*");
        assert!(sources.contains(&name) || sources.contains(&whole_folder.as_str()), "{name}");
    }
}
