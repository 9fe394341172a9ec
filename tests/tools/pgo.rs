//! `src/tools/pgo.sh`, with a cargo that only notes how it is called.

use std::fs;
use std::process::Command;

use crate::folder::Folder;
use crate::stand_ins::stand_ins;

const CARGO: &str = r#"#!/bin/sh
printf '%s\n' "$CARGO_ENCODED_RUSTFLAGS" | tr '\037' '|' >> "$NOTES"
for word; do last=$word; done
mkdir -p "$last/release"
printf '#!/bin/sh\nmkdir -p "%s/counts"\npwd >> "$NOTES"\n' "$(dirname "$last")" > "$last/release/kawasemi"
chmod +x "$last/release/kawasemi"
"#;

/// Regression: the flags were cut at the blanks of the folder, and the bench, whose arguments are those of the user,
/// ran in the repository.
#[test]
fn profile_guided_optimisation_works_in_a_folder_with_blanks() {
    let folder = Folder::new();
    let empty = "#!/bin/sh\n";
    let path = stand_ins(&folder, &[("cargo", CARGO), ("llvm-profdata", empty), ("rustc", empty)]);
    let (target, notes) = (folder.path("my target"), folder.path("notes"));
    let output = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/tools/pgo.sh"))
        .current_dir(folder.path(""))
        .envs([("PATH", &path), ("CARGO_TARGET_DIR", &target), ("NOTES", &notes)])
        .env("LLVM_PROFDATA", folder.path("llvm-profdata"))
        .env("RUSTFLAGS", "-Copt-level=3  -Cdebuginfo=0")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_BUILD_TARGET")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let given = "-Copt-level=3|-Cdebuginfo=0";
    let caller = fs::canonicalize(folder.path("")).unwrap();
    let expected = format!(
        "{given}|-Cprofile-generate={target}/pgo/counts\n{}\n\
         {given}|-Cprofile-use={target}/pgo/kawasemi.profdata\n",
        caller.display()
    );
    assert_eq!(fs::read_to_string(notes).unwrap(), expected);
    assert!(fs::exists(format!("{target}/pgo/kawasemi")).unwrap());
}
