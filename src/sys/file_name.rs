//! Names of files: those that come as bytes from other programs, those that messages begin with, and
//! whether two are of one file. Knows how the system spells them, and nothing of what the files are.

use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The file that these bytes name. On Unix a name may hold any bytes. On Windows it is text: UTF-8
/// if it can be, else in the code page of the system, since programs older than UTF-8 still write
/// that (Shift_JIS on a Japanese Windows).
///
/// ```
/// # use kawasemi::sys::file_name;
/// assert_eq!(file_name("a net.nnue".as_bytes()).to_str(), Some("a net.nnue"));
/// ```
pub fn file_name(bytes: &[u8]) -> PathBuf {
    PathBuf::from(os_string(bytes))
}

/// What is wrong with a file, or else to be said of it, in words.
pub fn in_file(path: &Path, what: impl Display) -> String {
    format!("{}: {what}", path.display())
}

/// Whether both names are of one file that is there, over symbolic links too.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
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
    if let Some(text) = code_page::decode(code_page::OF_THE_SYSTEM, bytes) {
        return text;
    }
    String::from_utf8_lossy(bytes).into_owned().into()
}

#[cfg(windows)]
mod code_page {
    use std::ffi::OsString;
    use std::os::windows::ffi::OsStringExt;
    use std::ptr::null_mut;

    pub(super) const OF_THE_SYSTEM: u32 = 0;
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

    /// `None` if the bytes are no text in this code page, or none that is known.
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
            // 0 is a failure, and the answer to no bytes too, which nobody asks about.
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
        fn what_is_no_text_is_not_read() {
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
        assert_eq!(file_name(name.as_bytes()), PathBuf::from(name));
        assert_eq!(file_name(b""), PathBuf::new());
    }

    #[test]
    fn no_bytes_are_refused() {
        let path = file_name(b"a\xff\x81");
        assert!(path.as_os_str().len() > 1);
        #[cfg(unix)]
        assert_eq!(path.as_os_str().as_encoded_bytes(), b"a\xff\x81");
    }
}
