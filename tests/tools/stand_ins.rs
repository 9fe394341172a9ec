//! Shell scripts in place of programs that other scripts call.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::folder::Folder;

/// Writes the scripts, each with its name, into a folder. Returns a `PATH` that begins with it.
pub fn stand_ins(folder: &Folder, scripts: &[(&str, &str)]) -> String {
    for (name, script) in scripts {
        let path = folder.write(name, script);
        fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    }
    format!("{}:{}", folder.path(""), env::var("PATH").unwrap())
}
