//! `eval_options.txt`, a file next to a network with the options for that network.
//!
//! Text after a number or a mode is a comment. Reading never fails; messages name the options that are unknown or
//! invalid. (The file is YaneuraOu's.)

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use super::option_file::{assignments, read_bytes, unreadable, word};
use crate::nnue::NetworkWeights;
use crate::sys::path_from_bytes;
use crate::types::excerpt;
use crate::types::message::{Message, message};
use crate::types::usi::non_empty;

/// Maximum number of unknown names in a message.
const MAX_NAMES: usize = 8;

/// The contents of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct EvalOptionsFile {
    pub(super) fv_scale: Option<NonZeroU32>,
    pub(super) bucket_mode: Option<String>,
    pub(super) progress_file: Option<PathBuf>,
    /// Messages for the user.
    pub(super) messages: Vec<Message>,
}

impl EvalOptionsFile {
    pub(super) fn read(path: &Path) -> EvalOptionsFile {
        match read_bytes(path) {
            Ok(bytes) => EvalOptionsFile::parse(&bytes),
            Err(error) => {
                let messages = vec![unreadable(path, &error)];
                EvalOptionsFile { messages, ..EvalOptionsFile::default() }
            }
        }
    }

    fn parse(bytes: &[u8]) -> EvalOptionsFile {
        let mut options = EvalOptionsFile::default();
        let mut unknown: Vec<String> = Vec::new();
        for (name, value) in assignments(bytes) {
            if !options.set(name, value) {
                unknown.push(excerpt(name));
            }
        }
        if !unknown.is_empty() {
            let more = if unknown.len() > MAX_NAMES { " ..." } else { "" };
            unknown.truncate(MAX_NAMES);
            let names = unknown.join(" ");
            options.messages.push(message!(
                "eval_options.txt: not used here: {names}{more}",
                "eval_options.txt：使わない項目：{names}{more}"
            ));
        }
        options
    }

    /// Sets the option with this name. Returns false if there is none.
    fn set(&mut self, name: &[u8], value: &[u8]) -> bool {
        let is = |known: &str| known.as_bytes().eq_ignore_ascii_case(name);
        // A comment may follow a single word. (A file name may contain spaces.)
        let (first, _) = word(value);
        if is("FV_SCALE") {
            self.fv_scale = fv_scale(first).or(self.fv_scale);
            if fv_scale(first).is_none() {
                let (number, max) = (excerpt(first), NetworkWeights::MAX_FV_SCALE);
                self.messages.push(message!(
                    "eval_options.txt: FV_SCALE is from 1 to {max}, not \"{number}\"",
                    "eval_options.txt：FV_SCALEは1から{max}までです。「{number}」は使えません"
                ));
            }
        } else if is("LS_BUCKET_MODE") {
            self.bucket_mode =
                non_empty(first).map(|mode| String::from_utf8_lossy(mode).into_owned());
        } else if is("LS_PROGRESS_COEFF") {
            self.progress_file = non_empty(value).map(path_from_bytes);
        } else {
            return false;
        }
        true
    }
}

fn fv_scale(value: &[u8]) -> Option<NonZeroU32> {
    let number: u32 = std::str::from_utf8(value).ok()?.parse().ok()?;
    NonZeroU32::new(number).filter(|number| number.get() <= NetworkWeights::MAX_FV_SCALE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale_of(text: &str) -> Option<u32> {
        EvalOptionsFile::parse(text.as_bytes()).fv_scale.map(NonZeroU32::get)
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
            let options = EvalOptionsFile::parse(line.as_bytes());
            assert_eq!(options.fv_scale.map(NonZeroU32::get), Some(24), "{line:?}");
            assert!(options.messages.is_empty(), "{line:?}: {options:?}");
        }
    }

    #[test]
    fn a_comment_after_a_number_is_ignored() {
        for line in ["FV_SCALE 24 // for this net", "FV_SCALE=24 # not 16", "FV_SCALE = 24\t; x"] {
            let options = EvalOptionsFile::parse(line.as_bytes());
            assert_eq!(options.fv_scale.map(NonZeroU32::get), Some(24), "{line}");
            assert!(options.messages.is_empty(), "{line}: {options:?}");
        }
    }

    /// Regression: a comment was read as part of the mode, and the network was refused.
    #[test]
    fn a_comment_after_a_mode_is_ignored() {
        for line in [
            "LS_BUCKET_MODE progress8ek // both kings",
            "LS_BUCKET_MODE=progress8ek # not k3k3",
            "option name LS_BUCKET_MODE type string default progress8ek ; x",
        ] {
            let options = EvalOptionsFile::parse(line.as_bytes());
            assert_eq!(options.bucket_mode.as_deref(), Some("progress8ek"), "{line}");
        }
        assert_eq!(
            EvalOptionsFile::parse(b"LS_BUCKET_MODE <empty> // none"),
            EvalOptionsFile::default()
        );
    }

    #[test]
    fn the_bucket_mode_and_a_file_name_with_spaces_are_read() {
        let text = "LS_BUCKET_MODE progress8kpabs\nLS_PROGRESS_COEFF my nets/progress 1.bin\n";
        let options = EvalOptionsFile::parse(text.as_bytes());
        assert_eq!(options.bucket_mode.as_deref(), Some("progress8kpabs"));
        assert_eq!(options.progress_file.as_deref(), Some(Path::new("my nets/progress 1.bin")));
        let line = "option name LS_PROGRESS_COEFF type string default a b.bin";
        assert_eq!(
            EvalOptionsFile::parse(line.as_bytes()).progress_file.as_deref(),
            Some(Path::new("a b.bin"))
        );
        // Regression: the name ended at a word of a range.
        let line = "option name LS_PROGRESS_COEFF type filename default a max b.bin";
        assert_eq!(
            EvalOptionsFile::parse(line.as_bytes()).progress_file.as_deref(),
            Some(Path::new("a max b.bin"))
        );
        let none = EvalOptionsFile::parse(b"LS_BUCKET_MODE=<empty>\nLS_PROGRESS_COEFF\n");
        assert_eq!(none, EvalOptionsFile::default());
    }

    #[test]
    fn other_options_are_listed_and_ignored() {
        let options = EvalOptionsFile::parse(b"Threads 4\nFV_SCALE 20\nBookFile=no_book\n");
        assert_eq!(options.fv_scale.map(NonZeroU32::get), Some(20));
        assert_eq!(options.messages[0].en, "eval_options.txt: not used here: Threads BookFile");
        let many = EvalOptionsFile::parse("x".repeat(100).as_bytes());
        assert!(many.messages[0].en.len() < 100, "{many:?}");
        let many: Vec<u8> = (0..1000).flat_map(|n| format!("a{n} 1\n").into_bytes()).collect();
        assert!(EvalOptionsFile::parse(&many).messages[0].en.ends_with(" a7 ..."));
    }

    /// Regression: a Japanese name was cut within a character.
    #[test]
    fn a_long_name_is_cut_between_two_characters() {
        let options = EvalOptionsFile::parse("評価".repeat(40).as_bytes());
        let text = format!("eval_options.txt: not used here: {}...", "評価".repeat(30));
        assert_eq!(options.messages[0].en, text);
    }

    #[test]
    fn an_invalid_divisor_is_reported_and_changes_nothing() {
        for wrong in ["0", "129", "-3", "x", ""] {
            let options =
                EvalOptionsFile::parse(format!("FV_SCALE 20\nFV_SCALE {wrong}\n").as_bytes());
            assert_eq!(options.fv_scale.map(NonZeroU32::get), Some(20));
            let message = format!("eval_options.txt: FV_SCALE is from 1 to 128, not \"{wrong}\"");
            assert_eq!(options.messages.len(), 1);
            assert_eq!(options.messages[0].en, message);
        }
        assert_eq!(scale_of(""), None);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let options = EvalOptionsFile::read(Path::new("no such folder/eval_options.txt"));
        assert_eq!(options.messages.len(), 1);
        assert!(options.messages[0].en.contains("no such folder"), "{options:?}");
        assert_eq!(EvalOptionsFile { messages: Vec::new(), ..options }, EvalOptionsFile::default());
    }

    /// Regression: the file was cut where the divisor 24 was read as 2.
    #[test]
    fn a_file_that_is_too_long_is_named_and_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("eval_options.txt");
        let comment = "#".repeat((64 << 10) - "\nFV_SCALE 2".len());
        std::fs::write(&path, comment + "\nFV_SCALE 24\n").unwrap();
        let options = EvalOptionsFile::read(&path);
        assert_eq!(options.fv_scale, None);
        assert!(options.messages[0].en.ends_with("it has more than 64 KiB"), "{options:?}");
    }

    proptest::proptest! {
        #[test]
        fn the_reader_accepts_any_bytes(bytes: Vec<u8>) {
            let options = EvalOptionsFile::parse(&bytes);
            proptest::prop_assert!(options.messages.iter().all(|text| text.en.len() < 1000));
        }
    }
}
