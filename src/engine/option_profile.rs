//! `engine_option_profile.txt`, in which users of YaneuraOu choose between two sets of book options
//! (since July 2026). It is read once, before the options are declared.
//!
//! A line is `BOOK_OPTIONS=V2`, `BOOK_OPTIONS V2` or `BOOK_OPTIONS_V2`, and the same for V1, in any letter
//! case. (The file is YaneuraOu's.)

use std::path::Path;

use super::file_lookup::FileLookup;
use super::option_file::{assignments, read_bytes, unreadable, word};
use crate::types::excerpt;

const PROFILE_NAME: &str = "engine_option_profile.txt";
/// A file by which YaneuraOu sets options at `isready`.
const OPTIONS_NAME: &str = "engine_options.txt";

/// The book options to declare, with their defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BookOptionSet {
    #[default]
    V1,
    /// For large books from searches: limits for each colour, no choice by counts.
    V2,
}

/// The content of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionProfile {
    pub book_options: BookOptionSet,
    /// Messages for the user.
    pub messages: Vec<String>,
}

impl OptionProfile {
    /// Reads the file in the working directory, else the one next to the program.
    pub fn find() -> OptionProfile {
        OptionProfile::find_in(&mut FileLookup::new())
    }

    fn find_in(lookup: &mut FileLookup) -> OptionProfile {
        let mut profile = match lookup.find(PROFILE_NAME.as_ref()) {
            Some(found) => OptionProfile::read(&found.path),
            None => OptionProfile::default(),
        };
        if let Some(found) = lookup.find(OPTIONS_NAME.as_ref()) {
            profile.messages.push(format!(
                "\"{}\", which sets options of YaneuraOu, is not used here; set them in the GUI or \
                 by --usi-option",
                found.path.display()
            ));
        }
        profile
    }

    fn read(path: &Path) -> OptionProfile {
        match read_bytes(path) {
            Ok(bytes) => OptionProfile::parse(&bytes),
            Err(error) => {
                let messages = vec![unreadable(path, &error).en];
                OptionProfile { messages, ..OptionProfile::default() }
            }
        }
    }

    fn parse(bytes: &[u8]) -> OptionProfile {
        let mut profile = OptionProfile::default();
        for (name, value) in assignments(bytes) {
            let (value, _) = word(value);
            match book_options(name, value) {
                Some(book_options) => profile.book_options = book_options,
                None => {
                    let line = [name, value].map(excerpt).join(" ");
                    profile
                        .messages
                        .push(format!("{PROFILE_NAME}: {} is unknown", line.trim_end()));
                }
            }
        }
        profile.messages.truncate(MAX_MESSAGES);
        if profile.book_options == BookOptionSet::V2 {
            profile.messages.push(format!("{PROFILE_NAME}: book options of version 2"));
        }
        profile
    }
}

/// Maximum number of unknown lines that are reported.
const MAX_MESSAGES: usize = 8;

fn book_options(name: &[u8], value: &[u8]) -> Option<BookOptionSet> {
    match (&name.to_ascii_uppercase()[..], &value.to_ascii_uppercase()[..]) {
        (b"BOOK_OPTIONS", b"V1" | b"1") | (b"BOOK_OPTIONS_V1", _) => Some(BookOptionSet::V1),
        (b"BOOK_OPTIONS", b"V2" | b"2") | (b"BOOK_OPTIONS_V2", _) => Some(BookOptionSet::V2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn book_options_of(text: &str) -> BookOptionSet {
        OptionProfile::parse(text.as_bytes()).book_options
    }

    #[test]
    fn the_second_set_is_chosen_in_each_known_form() {
        for text in [
            "BOOK_OPTIONS=V2",
            "book_options v2",
            "  BOOK_OPTIONS = 2  ",
            "BOOK_OPTIONS_V2",
            "\u{feff}# for large books\r\n\r\nBOOK_OPTIONS=V1\r\n// no\r\nBOOK_OPTIONS=V2\r\n",
        ] {
            let profile = OptionProfile::parse(text.as_bytes());
            assert_eq!(profile.book_options, BookOptionSet::V2, "{text}");
            assert_eq!(profile.messages, ["engine_option_profile.txt: book options of version 2"]);
        }
        for text in ["", "BOOK_OPTIONS=V1", "BOOK_OPTIONS=V2\nBOOK_OPTIONS=1", "# BOOK_OPTIONS=V2"]
        {
            assert_eq!(book_options_of(text), BookOptionSet::V1, "{text}");
        }
    }

    /// Regression: the form with an underscore was unknown, so an earlier line for V2 stayed in force.
    #[test]
    fn the_first_set_is_chosen_in_each_known_form() {
        for text in ["BOOK_OPTIONS=V1", "book_options v1", "BOOK_OPTIONS = 1", "BOOK_OPTIONS_V1"] {
            let profile = OptionProfile::parse(format!("BOOK_OPTIONS=V2\n{text}\n").as_bytes());
            assert_eq!(profile, OptionProfile::default(), "{text}");
        }
    }

    #[test]
    fn unknown_lines_are_reported_and_ignored() {
        let profile = OptionProfile::parse(b"BOOK_OPTIONS=V3\nTIME_OPTIONS=V2\n");
        assert_eq!(profile.book_options, BookOptionSet::V1);
        assert_eq!(
            profile.messages,
            [
                "engine_option_profile.txt: BOOK_OPTIONS V3 is unknown",
                "engine_option_profile.txt: TIME_OPTIONS V2 is unknown",
            ]
        );
        let many = OptionProfile::parse("X\n".repeat(1000).as_bytes());
        assert_eq!(many.messages[0], "engine_option_profile.txt: X is unknown");
        assert_eq!(many.messages.len(), MAX_MESSAGES);
    }

    #[test]
    fn the_file_is_found_beside_the_program_and_other_option_files_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let find = || OptionProfile::find_in(&mut FileLookup::beside(Some(folder.path())));
        assert_eq!(find(), OptionProfile::default());
        fs::write(folder.path().join(PROFILE_NAME), "BOOK_OPTIONS=V2").unwrap();
        assert_eq!(find().book_options, BookOptionSet::V2);
        fs::write(folder.path().join(OPTIONS_NAME), "Threads 4").unwrap();
        let messages = find().messages;
        assert!(
            messages[1].contains("engine_options.txt\", which sets options of Yane"),
            "{messages:?}"
        );
    }

    #[test]
    fn a_file_that_cannot_be_read_is_reported_and_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(PROFILE_NAME);
        fs::write(&path, "BOOK_OPTIONS=V2\n".repeat(5000)).unwrap();
        let OptionProfile { book_options, messages } = OptionProfile::read(&path);
        assert_eq!((book_options, messages.len()), (BookOptionSet::V1, 1));
        let reason = "txt\" cannot be read and is not used: it has more than 64 KiB";
        assert!(messages[0].ends_with(reason), "{messages:?}");
    }

    proptest::proptest! {
        #[test]
        fn the_reader_accepts_any_bytes(bytes: Vec<u8>) {
            let profile = OptionProfile::parse(&bytes);
            proptest::prop_assert!(profile.messages.len() <= MAX_MESSAGES + 1);
        }
    }
}
