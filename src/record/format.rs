//! The notations, with their names and file extensions.

use std::fmt;
use std::str::FromStr;

use super::encoding::Encoding;
use crate::types::message::{Message, listed, message};

/// A notation of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// CSA, version 2.2.
    Csa,
    /// CSA, version 3.
    Csa3,
    Kif,
    Ki2,
    Jkf,
    /// `position startpos moves ...`, one game per line.
    Usi,
    /// The last position of each game, one per line.
    Sfen,
}

impl RecordFormat {
    pub const ALL: [RecordFormat; 7] = [
        RecordFormat::Csa,
        RecordFormat::Csa3,
        RecordFormat::Kif,
        RecordFormat::Ki2,
        RecordFormat::Jkf,
        RecordFormat::Usi,
        RecordFormat::Sfen,
    ];

    /// The known file extensions, with the notation and the usual encoding. `.sfen` files contain games too, one per
    /// line.
    pub const EXTENSIONS: [(&str, RecordFormat, Encoding); 10] = [
        ("kif", RecordFormat::Kif, Encoding::ShiftJis),
        ("kifu", RecordFormat::Kif, Encoding::Utf8),
        ("ki2", RecordFormat::Ki2, Encoding::ShiftJis),
        ("ki2u", RecordFormat::Ki2, Encoding::Utf8),
        ("csa", RecordFormat::Csa, Encoding::ShiftJis),
        ("jkf", RecordFormat::Jkf, Encoding::Utf8),
        ("json", RecordFormat::Jkf, Encoding::Utf8),
        ("usi", RecordFormat::Usi, Encoding::Utf8),
        ("sfen", RecordFormat::Usi, Encoding::Utf8),
        ("txt", RecordFormat::Usi, Encoding::Utf8),
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            RecordFormat::Csa => "csa",
            RecordFormat::Csa3 => "csa3",
            RecordFormat::Kif => "kif",
            RecordFormat::Ki2 => "ki2",
            RecordFormat::Jkf => "jkf",
            RecordFormat::Usi => "usi",
            RecordFormat::Sfen => "sfen",
        }
    }

    /// The notation and the usual encoding for a file extension, in any letter case.
    pub fn of_extension(extension: &str) -> Option<(RecordFormat, Encoding)> {
        let row = RecordFormat::EXTENSIONS
            .into_iter()
            .find(|(known, ..)| known.eq_ignore_ascii_case(extension));
        row.map(|(_, format, encoding)| (format, encoding))
    }

    /// Whether other programs expect several games in one file.
    pub const fn allows_several_games(self) -> bool {
        !matches!(self, RecordFormat::Kif | RecordFormat::Ki2 | RecordFormat::Jkf)
    }
}

impl fmt::Display for RecordFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of a notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownFormat;

impl UnknownFormat {
    /// The error in every language.
    pub fn message(&self) -> Message {
        let names = listed(&RecordFormat::ALL.map(RecordFormat::name));
        message!("the formats are {}", "形式は{}のどれかです"; names)
    }
}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for RecordFormat {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<RecordFormat, UnknownFormat> {
        let is_named = |format: &RecordFormat| format.name().eq_ignore_ascii_case(text);
        RecordFormat::ALL.into_iter().find(is_named).ok_or(UnknownFormat)
    }
}
