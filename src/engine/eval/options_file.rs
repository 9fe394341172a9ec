//! `eval_options.txt`, by which those who publish a net say how it is to be used.
//!
//! Owns the grammar: a line is `Name value`, `Name=value` or the `option` line of the protocol, whose
//! default is the value. Lines that begin with `#`, `//` or `;` are remarks, and so is what follows a
//! number or a mode. Nothing in it can fail as a whole; what is not understood is said. (The file and
//! its forms are YaneuraOu's.)

use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use crate::nnue::Network;
use crate::sys::path_from_bytes;

/// Longer than any such file; the rest is not read.
const LONGEST: u64 = 64 << 10;
/// Most names that a message repeats, and most characters of each.
const MOST_NAMES: usize = 8;
const LONGEST_NAME: usize = 40;

/// What the file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FileOptions {
    pub(super) scale: Option<NonZeroU32>,
    pub(super) bucket_mode: Option<String>,
    pub(super) progress: Option<PathBuf>,
    /// What the user should know.
    pub(super) messages: Vec<String>,
}

/// Reads the file.
pub(super) fn read(path: &Path) -> FileOptions {
    match bytes_of(path) {
        Ok(bytes) => parse(&bytes),
        Err(error) => {
            let message = format!("\"{}\" cannot be read and is not used: {error}", path.display());
            FileOptions { messages: vec![message], ..FileOptions::default() }
        }
    }
}

fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    // To open something else, such as a pipe, may take forever.
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no ordinary file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn parse(bytes: &[u8]) -> FileOptions {
    let mut options = FileOptions::default();
    let mut unknown: Vec<String> = Vec::new();
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    for line in bytes.split(|&byte| byte == b'\n' || byte == b'\r') {
        if let Some((name, value)) = assignment(line.trim_ascii())
            && !options.take(name, value)
        {
            unknown.push(shown(name));
        }
    }
    if !unknown.is_empty() {
        let more = if unknown.len() > MOST_NAMES { " ..." } else { "" };
        unknown.truncate(MOST_NAMES);
        let names = unknown.join(" ");
        options.messages.push(format!("eval_options.txt: not used here: {names}{more}"));
    }
    options
}

/// Name and value of a line; `None` if it is empty or a remark.
fn assignment(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let is_remark = [&b"#"[..], b"//", b";"].iter().any(|mark| line.starts_with(mark));
    if line.is_empty() || is_remark {
        return None;
    }
    let (first, rest) = word(line);
    if first != b"option" {
        let end = line.iter().position(|&byte| byte == b'=' || byte.is_ascii_whitespace());
        let (name, value) = line.split_at(end.unwrap_or(line.len()));
        let value = value.trim_ascii();
        return Some((name, value.strip_prefix(b"=").unwrap_or(value).trim_ascii()));
    }
    let (label, rest) = word(rest);
    let (name, mut rest) = if label == b"name" { word(rest) } else { (label, rest) };
    while !rest.is_empty() {
        let (label, value) = word(rest);
        if label == b"default" {
            return Some((name, until_range(value)));
        }
        rest = value;
    }
    Some((name, b""))
}

/// The first word, and what follows the blanks behind it.
fn word(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (word, rest.trim_ascii())
}

/// The default of an `option` line, which ends where its range begins.
fn until_range(text: &[u8]) -> &[u8] {
    let ends = [&b" min "[..], b" max ", b" var "]
        .into_iter()
        .filter_map(|label| text.windows(label.len()).position(|window| window == label));
    text[..ends.min().unwrap_or(text.len())].trim_ascii()
}

impl FileOptions {
    /// False if the name is not known here.
    fn take(&mut self, name: &[u8], value: &[u8]) -> bool {
        let is = |known: &str| known.as_bytes().eq_ignore_ascii_case(name);
        let given = |text: &[u8]| !text.is_empty() && !text.eq_ignore_ascii_case(b"<empty>");
        // Behind a single word there may be a remark. (The name of a file may have blanks in it.)
        let (first, _) = word(value);
        if is("FV_SCALE") {
            self.scale = scale(first).or(self.scale);
            if scale(first).is_none() {
                let number = shown(first);
                let message =
                    format!("FV_SCALE is from 1 to {}, not \"{number}\"", Network::MAX_SCALE);
                self.messages.push(format!("eval_options.txt: {message}"));
            }
        } else if is("LS_BUCKET_MODE") {
            self.bucket_mode = given(first).then(|| String::from_utf8_lossy(first).into_owned());
        } else if is("LS_PROGRESS_COEFF") {
            self.progress = given(value).then(|| path_from_bytes(value));
        } else {
            return false;
        }
        true
    }
}

fn scale(value: &[u8]) -> Option<NonZeroU32> {
    let number: u32 = std::str::from_utf8(value).ok()?.parse().ok()?;
    NonZeroU32::new(number).filter(|number| number.get() <= Network::MAX_SCALE)
}

fn shown(text: &[u8]) -> String {
    let cut = text.get(..LONGEST_NAME).unwrap_or(text);
    String::from_utf8_lossy(cut).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale_of(text: &str) -> Option<u32> {
        parse(text.as_bytes()).scale.map(NonZeroU32::get)
    }

    #[test]
    fn a_line_may_be_written_in_each_known_form() {
        for line in [
            "FV_SCALE 24",
            "FV_SCALE=24",
            "  fv_scale\t=  24  ",
            "\u{feff}FV_SCALE 24",
            "# FV_SCALE 16\r\n\r\nFV_SCALE 24\r\n",
            "option name FV_SCALE type spin default 24 min 1 max 128",
            "option FV_SCALE default 24",
        ] {
            let options = parse(line.as_bytes());
            assert_eq!(options.scale.map(NonZeroU32::get), Some(24), "{line:?}");
            assert!(options.messages.is_empty(), "{line:?}: {options:?}");
        }
    }

    #[test]
    fn a_remark_behind_a_number_is_passed_over() {
        for line in ["FV_SCALE 24 // for this net", "FV_SCALE=24 # not 16", "FV_SCALE = 24\t; x"] {
            let options = parse(line.as_bytes());
            assert_eq!(options.scale.map(NonZeroU32::get), Some(24), "{line}");
            assert!(options.messages.is_empty(), "{line}: {options:?}");
        }
    }

    /// The remark was taken for part of the mode, and the net was refused.
    #[test]
    fn a_remark_behind_a_mode_is_passed_over() {
        for line in [
            "LS_BUCKET_MODE progress8ek // both kings",
            "LS_BUCKET_MODE=progress8ek # not k3k3",
            "option name LS_BUCKET_MODE type string default progress8ek ; x",
        ] {
            let options = parse(line.as_bytes());
            assert_eq!(options.bucket_mode.as_deref(), Some("progress8ek"), "{line}");
        }
        assert_eq!(parse(b"LS_BUCKET_MODE <empty> // none"), FileOptions::default());
    }

    #[test]
    fn buckets_and_their_file_are_read_blanks_and_all() {
        let text = "LS_BUCKET_MODE progress8kpabs\nLS_PROGRESS_COEFF my nets/progress 1.bin\n";
        let options = parse(text.as_bytes());
        assert_eq!(options.bucket_mode.as_deref(), Some("progress8kpabs"));
        assert_eq!(options.progress.as_deref(), Some(Path::new("my nets/progress 1.bin")));
        let line = "option name LS_PROGRESS_COEFF type string default a b.bin";
        assert_eq!(parse(line.as_bytes()).progress.as_deref(), Some(Path::new("a b.bin")));
        let none = parse(b"LS_BUCKET_MODE=<empty>\nLS_PROGRESS_COEFF\n");
        assert_eq!(none, FileOptions::default());
    }

    #[test]
    fn other_options_are_named_and_do_no_harm() {
        let options = parse(b"Threads 4\nFV_SCALE 20\nBookFile=no_book\n");
        assert_eq!(options.scale.map(NonZeroU32::get), Some(20));
        assert_eq!(options.messages, ["eval_options.txt: not used here: Threads BookFile"]);
        let many = parse("x".repeat(100).as_bytes());
        assert!(many.messages[0].len() < 100, "{many:?}");
        let many: Vec<u8> = (0..1000).flat_map(|n| format!("a{n} 1\n").into_bytes()).collect();
        assert!(parse(&many).messages[0].ends_with(" a7 ..."));
    }

    #[test]
    fn a_divisor_that_is_none_is_said_and_changes_nothing() {
        for wrong in ["0", "129", "-3", "x", ""] {
            let options = parse(format!("FV_SCALE 20\nFV_SCALE {wrong}\n").as_bytes());
            assert_eq!(options.scale.map(NonZeroU32::get), Some(20));
            let said = format!("eval_options.txt: FV_SCALE is from 1 to 128, not \"{wrong}\"");
            assert_eq!(options.messages, [said]);
        }
        assert_eq!(scale_of(""), None);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let options = read(Path::new("no such folder/eval_options.txt"));
        assert_eq!(options.messages.len(), 1);
        assert!(options.messages[0].contains("no such folder"), "{options:?}");
        assert_eq!(FileOptions { messages: Vec::new(), ..options }, FileOptions::default());
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_upset_the_reader(bytes: Vec<u8>) {
            let options = parse(&bytes);
            proptest::prop_assert!(options.messages.iter().all(|text| text.len() < 1000));
        }
    }
}
