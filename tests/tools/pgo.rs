//! `src/tools/pgo.sh`, with a cargo that only notes how it is called.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::folder::Folder;

const CARGO: &str = r#"#!/bin/sh
printf '%s\n' "$CARGO_ENCODED_RUSTFLAGS" | tr '\037' '|' >> "$NOTES"
for word; do last=$word; done
mkdir -p "$last/release"
printf '#!/bin/sh\nmkdir -p "%s/counts"\n' "$(dirname "$last")" > "$last/release/kawasemi"
chmod +x "$last/release/kawasemi"
"#;

/// Regression: the flags were cut at the blanks of the folder.
#[test]
fn profile_guided_optimisation_works_in_a_folder_with_blanks() {
    let folder = Folder::new();
    for (name, text) in
        [("cargo", CARGO), ("llvm-profdata", "#!/bin/sh\n"), ("rustc", "#!/bin/sh\n")]
    {
        let path = folder.write(name, text);
        fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    }
    let (target, notes) = (folder.path("my target"), folder.path("notes"));
    let path = format!("{}:{}", folder.path(""), env::var("PATH").unwrap());
    let output = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/tools/pgo.sh"))
        .envs([("PATH", &path), ("CARGO_TARGET_DIR", &target), ("NOTES", &notes)])
        .env("LLVM_PROFDATA", folder.path("llvm-profdata"))
        .env("RUSTFLAGS", "-Copt-level=3  -Cdebuginfo=0")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_BUILD_TARGET")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let given = "-Copt-level=3|-Cdebuginfo=0";
    let expected = format!(
        "{given}|-Cprofile-generate={target}/pgo/counts\n{given}|-Cprofile-use={target}/pgo/kawasemi.profdata\n"
    );
    assert_eq!(fs::read_to_string(notes).unwrap(), expected);
    assert!(fs::exists(format!("{target}/pgo/kawasemi")).unwrap());
}
