//! A copy of a stream: its beginning in memory, and from a limit on all of it in a temporary file.

use std::env;
use std::io::{self, Read, Seek, SeekFrom, Write};

use kawasemi::types::message::{Message, message};
use tempfile::SpooledTempFile;

/// What is kept in memory, in bytes.
const MEMORY: usize = 1 << 20;

pub struct Spool(SpooledTempFile);

impl Spool {
    pub fn new() -> Spool {
        Spool(SpooledTempFile::new(MEMORY))
    }
}

/// Names the temporary folder, as the user named other files only.
fn in_temporary_folder(error: io::Error) -> io::Error {
    let (folder, why) = (env::temp_dir(), Message::from(&error));
    let folder = folder.display();
    let text = message!(
        "no temporary file can be written in the folder {folder}: {}",
        "フォルダ{folder}に一時ファイルを書き込めません：{}";
        why
    );
    io::Error::new(error.kind(), text)
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(in_temporary_folder)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(in_temporary_folder)
    }
}

impl Read for Spool {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes)
    }
}

impl Seek for Spool {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}
