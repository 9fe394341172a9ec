//! Archives and compressed files, which are recognised but not read.

use super::language::{Localized, localized};

/// The first bytes of archives and compressed files, and what such a file is.
const MAGICS: [(&[u8], Localized); 6] = [
    (
        b"PK\x03\x04",
        localized(
            "a ZIP archive, which must be unpacked first",
            "ZIP形式の書庫です。先に展開してください",
        ),
    ),
    (
        b"7z\xBC\xAF",
        localized(
            "a 7z archive, which must be unpacked first",
            "7z形式の書庫です。先に展開してください",
        ),
    ),
    (
        b"Rar!\x1A\x07",
        localized(
            "a RAR archive, which must be unpacked first",
            "RAR形式の書庫です。先に展開してください",
        ),
    ),
    (
        b"\x1F\x8B",
        localized(
            "compressed by gzip, and must be unpacked first",
            "gzipで圧縮されています。先に展開してください",
        ),
    ),
    (
        b"\xFD7zXZ",
        localized(
            "compressed by xz, and must be unpacked first",
            "xzで圧縮されています。先に展開してください",
        ),
    ),
    (
        b"\x28\xB5\x2F\xFD",
        localized(
            "compressed by zstd, and must be unpacked first",
            "zstdで圧縮されています。先に展開してください",
        ),
    ),
];

/// What a file with these first bytes is if it must be unpacked before it can be read.
pub fn archive_format(file: &[u8]) -> Option<Localized> {
    MAGICS.iter().find(|(magic, _)| file.starts_with(magic)).map(|&(_, what)| what)
}
