//! `packaging/archives.sh`, with a compiler that only leaves a file.

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

/// Its folder has the standard library of every Linux.
const RUSTC: &str = r#"#!/bin/sh
case $1 in
--version) echo rustc 99.0.0 ;;
*)
    mkdir -p "$SYSROOT/lib/rustlib/$(uname -m)-unknown-linux-gnu/lib"
    echo "$SYSROOT"
    ;;
esac
"#;

/// Makes the archive of this machine with these programs instead of the real ones. Returns what is in the
/// output folder too.
fn make(folder: &Folder, programs: &[(&str, &str)]) -> (Output, Vec<String>) {
    let path = stand_ins(folder, programs);
    let out = folder.path("out");
    let platform = format!("linux-{}", env::consts::ARCH);
    let output = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/archives.sh"))
        .args(["--out", &out, &platform])
        .envs([("PATH", path), ("SYSROOT", folder.path("sysroot"))])
        .env("CARGO_TARGET_DIR", folder.path("target"))
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
    let (output, names) = make(&folder, &fails);
    assert!(!output.status.success() && names.is_empty(), "{names:?} {output:?}");
    fs::remove_file(folder.path("gzip")).unwrap();
    let (output, names) = make(&folder, &programs);
    assert!(output.status.success(), "{output:?}");
    let [sums, archive] = &names[..] else { panic!("{names:?}") };
    assert!(sums == "SHA256SUMS" && archive.ends_with(".tar.gz"), "{names:?}");
}
