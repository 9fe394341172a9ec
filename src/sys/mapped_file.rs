//! Read-only memory-mapped files: processes that map the same file share its memory.
//!
//! A mapping shows the file as it is now. If the file is truncated while it is mapped, or its disk fails, a Unix
//! system raises SIGBUS in a thread that reads the lost part. A handler then maps a page of zeros there and marks
//! the mapping as damaged, so that its owner can find out (the idea is that of systemd's `sigbus.c`). On Windows a
//! mapped file cannot be truncated, but to read it from a disk that fails, or from a network share that is gone,
//! ends the program. A file that is replaced by a rename stays intact for those who have mapped it. A write in place
//! changes what is read; views are of plain numbers, for which any bytes are valid values.

use std::io;
use std::marker::PhantomData;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use bytemuck::AnyBitPattern;
use memmap2::Mmap;

use super::regular_file::open_regular;

#[cfg(unix)]
mod sigbus;

/// A whole file in memory, read-only. Copy its bytes before passing them to a system call: for a
/// truncated file the call fails instead of raising SIGBUS.
#[derive(Debug)]
pub struct MappedFile(Source);

#[derive(Debug)]
enum Source {
    File {
        /// Declared before the mapping, so that it is dropped first.
        #[cfg(unix)]
        guard: sigbus::MappingGuard,
        map: Mmap,
    },
    Static(&'static [u8]),
}

impl MappedFile {
    /// Maps a file. A folder, device or pipe is refused.
    ///
    /// # Errors
    /// I/O errors, and [`io::ErrorKind::ResourceBusy`] if too many files are mapped already.
    pub fn open(path: &Path) -> io::Result<MappedFile> {
        let file = open_regular(path)?;
        // SAFETY: the mapping is read-only. Other processes may change the file, as the head of this
        // module says: a fault becomes zeros, and every bit pattern is a valid value of the types
        // that the mapping can be viewed as.
        let map = unsafe { Mmap::map(&file)? };
        #[cfg(unix)]
        let guard = sigbus::MappingGuard::new(&map)?;
        Ok(MappedFile(Source::File {
            #[cfg(unix)]
            guard,
            map,
        }))
    }

    /// A file that is embedded in the program.
    pub fn from_static(bytes: &'static [u8]) -> MappedFile {
        MappedFile(Source::Static(bytes))
    }

    /// Whether the file was truncated since it was mapped and the missing part was read. That part
    /// reads as zeros as long as this mapping lives.
    pub fn is_damaged(&self) -> bool {
        match &self.0 {
            #[cfg(unix)]
            Source::File { guard, .. } => guard.is_damaged(),
            _ => false,
        }
    }

    /// `len` elements from the byte `offset` on; `None` unless they are within the file and aligned.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use kawasemi::sys::MappedFile;
    /// let file = Arc::new(MappedFile::open("Cargo.toml".as_ref()).unwrap());
    /// assert_eq!(file.view::<u8>(0, 9).unwrap()[..], *b"[package]");
    /// assert!(file.view::<u16>(1, 1).is_none());
    /// assert!(file.view::<u8>(0, usize::MAX).is_none());
    /// ```
    pub fn view<T: AnyBitPattern>(
        self: &Arc<Self>,
        offset: usize,
        len: usize,
    ) -> Option<MappedView<T>> {
        let bytes = len.checked_mul(size_of::<T>())?;
        let bytes = self.get(offset..offset.checked_add(bytes)?)?;
        let elements: &[T] = bytemuck::try_cast_slice(bytes).ok()?;
        let start = elements.as_ptr();
        Some(MappedView { start, len, file: Arc::clone(self), elements: PhantomData })
    }

    /// Asks the system to read the whole file into memory now, so that later reads do not wait.
    pub fn populate(&self) {
        #[cfg(unix)]
        if let Source::File { map, .. } = &self.0 {
            #[cfg(target_os = "linux")]
            if map.advise(memmap2::Advice::PopulateRead).is_ok() {
                return;
            }
            let _ = map.advise(memmap2::Advice::WillNeed);
        }
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Source::File { map, .. } => map,
            Source::Static(bytes) => bytes,
        }
    }
}

/// A part of a mapped file as elements of one type. Keeps the file mapped.
pub struct MappedView<T> {
    start: *const T,
    len: usize,
    file: Arc<MappedFile>,
    elements: PhantomData<T>,
}

// SAFETY: a view gives only shared references to `T`, into memory that its `Arc` keeps mapped, so it
// may be sent and shared wherever a `&[T]` may.
unsafe impl<T: Sync> Send for MappedView<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for MappedView<T> {}

impl<T> MappedView<T> {
    pub fn file(&self) -> &MappedFile {
        &self.file
    }
}

impl<T> Deref for MappedView<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `view` took both from a slice of that length within the file, which neither moves
        // nor ends before `file` is dropped.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

impl<T> std::fmt::Debug for MappedView<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MappedView").field("len", &self.len).finish_non_exhaustive()
    }
}

#[cfg(all(test, not(miri)))]
mod tests {
    use std::fs;

    use tempfile::{NamedTempFile, TempPath};

    use super::*;

    /// A file that is removed in the end.
    fn file_of(bytes: &[u8]) -> TempPath {
        let path = NamedTempFile::new().unwrap().into_temp_path();
        fs::write(&path, bytes).unwrap();
        path
    }

    fn mapped(file: &Path) -> Arc<MappedFile> {
        Arc::new(MappedFile::open(file).unwrap())
    }

    #[test]
    fn a_mapping_shows_the_bytes_of_the_file() {
        let scratch = file_of(&[1, 0, 2, 0, 3, 0, 4]);
        let file = mapped(&scratch);
        assert_eq!(file[..], [1, 0, 2, 0, 3, 0, 4]);
        assert!(!file.is_damaged());
        if cfg!(target_endian = "little") {
            assert_eq!(file.view::<u16>(0, 3).unwrap()[..], [1, 2, 3]);
        }
    }

    #[test]
    fn a_view_keeps_the_file_mapped() {
        let scratch = file_of(&[7; 5000]);
        let view = mapped(&scratch).view::<u8>(4000, 1000).unwrap();
        drop(scratch);
        assert!(view.iter().all(|&byte| byte == 7));
        assert!(!view.file().is_damaged());
    }

    #[test]
    fn views_beyond_the_end_or_out_of_line_are_refused() {
        let file = mapped(&file_of(&[0; 64]));
        assert!(file.view::<u32>(0, 16).is_some());
        assert!(file.view::<u32>(64, 0).is_some());
        for (offset, len) in [(0, 17), (1, 1), (62, 1), (65, 0), (usize::MAX, 1), (0, usize::MAX)] {
            assert!(file.view::<u32>(offset, len).is_none(), "{offset} {len}");
        }
    }

    #[test]
    fn an_embedded_file_is_read_like_any_other() {
        let file = Arc::new(MappedFile::from_static(b"abc"));
        assert_eq!((&file[..], &file.view::<u8>(1, 2).unwrap()[..]), (&b"abc"[..], &b"bc"[..]));
        file.populate();
        assert!(!file.is_damaged());
    }

    #[test]
    fn an_empty_file_is_mapped_as_nothing() {
        assert!(mapped(&file_of(&[])).is_empty());
    }

    #[test]
    fn only_regular_files_are_mapped() {
        for path in [std::env::temp_dir(), std::env::temp_dir().join("kawasemi-no-such-file")] {
            assert!(MappedFile::open(&path).is_err(), "{path:?}");
        }
        #[cfg(unix)]
        assert!(MappedFile::open("/dev/zero".as_ref()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_truncated_mapping_reads_as_zeros_and_is_damaged() {
        let scratch = file_of(&[9; 1 << 20]);
        let (file, other) = (mapped(&scratch), mapped(&scratch));
        assert_eq!(file[300_000], 9);
        fs::OpenOptions::new().write(true).open(&scratch).unwrap().set_len(100).unwrap();
        assert!(!file.is_damaged());
        let read = |at: usize| std::hint::black_box(&file)[at];
        assert_eq!([read(300_000), read(299_999), read((1 << 20) - 1)], [0; 3]);
        assert!(file.is_damaged());
        assert_eq!(read(50), 9);
        assert!(!other.is_damaged());
    }

    #[cfg(unix)]
    #[test]
    fn many_threads_may_read_a_truncated_mapping() {
        let scratch = file_of(&[9; 1 << 20]);
        let file = mapped(&scratch);
        fs::OpenOptions::new().write(true).open(&scratch).unwrap().set_len(0).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    assert!(std::hint::black_box(&*file).iter().all(|&byte| byte == 0));
                });
            }
        });
        assert!(file.is_damaged());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_replaced_by_renaming_stays_intact_for_existing_mappings() {
        let (scratch, other) = (file_of(&[1; 9000]), file_of(&[2; 10]));
        let file = mapped(&scratch);
        fs::rename(&other, &scratch).unwrap();
        assert!(file.iter().all(|&byte| byte == 1) && !file.is_damaged());
        assert_eq!(mapped(&scratch)[..], [2; 10]);
    }

    /// The process must end as without the handler: memory that others mapped must not read as zeros.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_fault_in_memory_that_is_not_ours_still_ends_the_process() {
        use std::os::fd::AsRawFd;
        let scratch = file_of(&[9; 5000]);
        let _ours = mapped(&scratch);
        let file = fs::OpenOptions::new().write(true).read(true).open(&scratch).unwrap();
        // SAFETY: a new mapping, placed by the system, touches no memory that anyone else holds;
        // the child of a program with threads calls only what a handler may call, and ends.
        let (child, status) = unsafe {
            let kind = (libc::PROT_READ, libc::MAP_SHARED);
            let page = libc::mmap(std::ptr::null_mut(), 5000, kind.0, kind.1, file.as_raw_fd(), 0);
            assert_ne!(page, libc::MAP_FAILED);
            file.set_len(0).unwrap();
            let child = libc::fork();
            if child == 0 {
                let no_dump = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
                libc::setrlimit(libc::RLIMIT_CORE, &no_dump);
                libc::_exit(i32::from(page.cast::<u8>().read_volatile()));
            }
            let mut status = 0;
            (child, if libc::waitpid(child, &mut status, 0) == child { status } else { -1 })
        };
        assert!(child > 0);
        assert!(libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGBUS, "{status}");
    }

    #[cfg(unix)]
    #[test]
    fn slots_of_the_table_are_reused() {
        let scratch = file_of(&[1; 10]);
        for _ in 0..3 * sigbus::SLOTS {
            mapped(&scratch);
        }
    }
}
