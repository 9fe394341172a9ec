//! Short marks of what files hold, to notice that one has changed.
//!
//! A match that goes on with a rebuilt engine or another net under the same name would measure
//! neither; the marks stand in the head of its record.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::spec::EngineSpec;

/// FNV-1a, 64 bits: no defence against malice, enough against mistakes.
#[derive(Clone, Copy, Debug)]
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// The mark of a list of texts.
pub fn of_texts<T: ToString>(texts: impl IntoIterator<Item = T>) -> String {
    let mut hash = Fnv::new();
    for text in texts {
        hash.add(text.to_string().as_bytes());
        hash.add(b"\n");
    }
    format!("{:016x}", hash.0)
}

/// The marks of all files that an engine's command and options name, with commas between.
pub fn of_engine(spec: &EngineSpec) -> String {
    let base = spec.directory.as_deref().unwrap_or(Path::new(""));
    let values = spec.options.iter().map(|(_, value)| base.join(value));
    let words = spec.command.iter().map(|word| Path::new(word).to_path_buf());
    let files = words.chain(values).filter(|path| path.is_file());
    let marks: Vec<String> =
        files.map(|path| of_file(&path).unwrap_or_else(|_| "unreadable".into())).collect();
    marks.join(",")
}

/// The mark of what is in a file.
///
/// # Errors
/// If it cannot be read.
pub fn of_file(path: &Path) -> io::Result<String> {
    let mut file = BufReader::new(File::open(path)?);
    let mut hash = Fnv::new();
    loop {
        let chunk = file.fill_buf()?;
        if chunk.is_empty() {
            return Ok(format!("{:016x}", hash.0));
        }
        hash.add(chunk);
        let length = chunk.len();
        file.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::super::spec::{SpecDefaults, read_spec};
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        let mut hash = Fnv::new();
        hash.add(b"foobar");
        assert_eq!(hash.0, 0x8594_4171_f739_67e8);
    }

    #[test]
    fn a_changed_net_changes_the_mark_of_its_engine() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net");
        let text = format!("cmd=nowhere option.EvalFile='{}' nodes=1", path.display());
        let spec = read_spec(&text, &SpecDefaults::default()).unwrap();
        assert_eq!(of_engine(&spec), "", "no file, no mark");
        let mark = |content| {
            std::fs::write(&path, content).unwrap();
            of_engine(&spec)
        };
        let (first, second) = (mark("first"), mark("second"));
        assert_ne!(first, second);
        assert_eq!(first.len(), 16);
    }

    #[test]
    fn the_mark_of_texts_depends_on_where_they_are_parted() {
        assert_eq!(of_texts(["a", "b"]), of_texts(vec!["a", "b"]));
        assert_ne!(of_texts(["a", "b"]), of_texts(["ab"]));
    }
}
