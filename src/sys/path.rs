//! Paths: conversion from bytes, messages about them, and comparison.

use std::ffi::OsString;
use std::fmt::Display;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The path in these bytes. On Unix a path may hold any bytes. On Windows it is read as UTF-8 if
/// valid, otherwise in the code page of the system, which older programs still use (Shift_JIS on a
/// Japanese Windows).
///
/// ```
/// # use kawasemi::sys::path_from_bytes;
/// assert_eq!(path_from_bytes("a net.nnue".as_bytes()).to_str(), Some("a net.nnue"));
/// ```
pub fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(os_string(bytes))
}

/// A message about a file: `PATH: MESSAGE`.
pub fn in_file(path: &Path, what: impl Display) -> String {
    format!("{}: {what}", path.display())
}

/// Whether both paths lead to the same existing file; all links are followed.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other || has_same_id(&one, &other),
        _ => false,
    }
}

/// Whether two canonical paths lead to one file: hard links, two mounts, or on Linux names that differ in the
/// case of letters on a disk that ignores it (FAT, NTFS). Elsewhere a canonical path has the case of the disk.
#[cfg(unix)]
fn has_same_id(one: &Path, other: &Path) -> bool {
    match (one.metadata(), other.metadata()) {
        (Ok(one), Ok(other)) => one.is_file() && file_id(&one) == file_id(&other),
        _ => false,
    }
}

#[cfg(not(unix))]
fn has_same_id(_: &Path, _: &Path) -> bool {
    false
}

/// The disk, and the number of the file on it.
#[cfg(unix)]
fn file_id(metadata: &std::fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

/// Whether this path still leads to the open file; always where files cannot be identified.
pub fn is_open_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        match (file.metadata(), path.metadata()) {
            (Ok(open), Ok(named)) => file_id(&open) == file_id(&named),
            _ => false,
        }
    }
    #[cfg(windows)]
    {
        let Some(open) = file_id::of(file) else { return true };
        File::open(path).is_ok_and(|named| file_id::of(&named) == Some(open))
    }
    #[cfg(not(any(unix, windows)))]
    {
        let _ = (file, path);
        true
    }
}

/// Windows removes and replaces open files too, since version 1809 at once.
#[cfg(windows)]
mod file_id {
    use std::ffi::c_void;
    use std::fs::File;
    use std::os::windows::io::AsRawHandle;

    /// `BY_HANDLE_FILE_INFORMATION`: the attributes, three times of two numbers each, the volume, the size in two
    /// numbers, the number of links, and the index of the file on the volume in two numbers.
    type Information = [u32; 13];

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetFileInformationByHandle(file: *mut c_void, information: *mut Information) -> i32;
    }

    /// Volume and index; `None` if the system does not say.
    pub(super) fn of(file: &File) -> Option<[u32; 3]> {
        let mut information: Information = [0; 13];
        // SAFETY: the file keeps its handle open, and the structure is local.
        let is_known =
            unsafe { GetFileInformationByHandle(file.as_raw_handle(), &mut information) } != 0;
        is_known.then_some([information[7], information[11], information[12]])
    }
}

#[cfg(unix)]
fn os_string(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStringExt;
    OsString::from_vec(bytes.to_vec())
}

#[cfg(not(unix))]
fn os_string(bytes: &[u8]) -> OsString {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.into();
    }
    #[cfg(windows)]
    if let Some(text) = code_page::decode(code_page::SYSTEM_CODE_PAGE, bytes) {
        return text;
    }
    String::from_utf8_lossy(bytes).into_owned().into()
}

#[cfg(windows)]
mod code_page {
    use std::ffi::OsString;
    use std::os::windows::ffi::OsStringExt;
    use std::ptr::null_mut;

    pub(super) const SYSTEM_CODE_PAGE: u32 = 0;
    const MB_ERR_INVALID_CHARS: u32 = 8;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn MultiByteToWideChar(
            code_page: u32,
            flags: u32,
            bytes: *const u8,
            byte_count: i32,
            units: *mut u16,
            unit_count: i32,
        ) -> i32;
    }

    /// `None` if the bytes are not valid text in this code page, or the code page is unknown.
    pub(super) fn decode(code_page: u32, bytes: &[u8]) -> Option<OsString> {
        let length = i32::try_from(bytes.len()).ok()?;
        let convert = |units: *mut u16, count: i32| {
            // SAFETY: the system reads as many bytes as the slice has, and writes at most `count`
            // units, for which there is room in both calls below. With no room it only counts.
            let count = unsafe {
                MultiByteToWideChar(
                    code_page,
                    MB_ERR_INVALID_CHARS,
                    bytes.as_ptr(),
                    length,
                    units,
                    count,
                )
            };
            // 0 is a failure; it is also the result for no bytes, which are not asked about.
            usize::try_from(count).ok().filter(|&count| count > 0)
        };
        let mut units = vec![0; convert(null_mut(), 0)?];
        let written = convert(units.as_mut_ptr(), i32::try_from(units.len()).ok()?)?;
        Some(OsString::from_wide(units.get(..written)?))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        const SHIFT_JIS: u32 = 932;

        #[test]
        fn names_in_shift_jis_are_read() {
            let text = decode(SHIFT_JIS, b"C:\\\x8f\xab\x8a\xfb\\nn.bin");
            assert_eq!(text, Some("C:\\\u{5c06}\u{68cb}\\nn.bin".into()));
        }

        #[test]
        fn bytes_that_are_no_text_are_not_decoded() {
            assert_eq!(decode(SHIFT_JIS, b"a\x81"), None);
            assert_eq!(decode(SHIFT_JIS, b""), None);
            assert_eq!(decode(u32::MAX, b"\x8f\xab"), None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_utf8_are_read() {
        let name = "\u{5c06}\u{68cb} 1.txt";
        assert_eq!(path_from_bytes(name.as_bytes()), PathBuf::from(name));
        assert_eq!(path_from_bytes(b""), PathBuf::new());
    }

    /// Regression: on a disk that ignores the case of letters, a record was overwritten by a part of it under
    /// another spelling of its name. A hard link is found in the same way.
    #[cfg(unix)]
    #[test]
    fn one_file_with_two_names_is_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link, other] = ["a.kif", "A.KIF", "b.kif"].map(|name| folder.path().join(name));
        std::fs::write(&file, "a game").unwrap();
        std::fs::write(&other, "a game").unwrap();
        // Where the case is ignored, the name exists already.
        let _ = std::fs::hard_link(&file, &link);
        assert!(is_same_file(&file, &link) && is_same_file(&file, &file));
        assert!(!is_same_file(&file, &other) && !is_same_file(&file, &folder.path().join("c.kif")));
    }

    #[test]
    fn no_bytes_are_refused() {
        let path = path_from_bytes(b"a\xff\x81");
        assert!(path.as_os_str().len() > 1);
        #[cfg(unix)]
        assert_eq!(path.as_os_str().as_encoded_bytes(), b"a\xff\x81");
    }
}
