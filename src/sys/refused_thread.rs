//! Why no thread can be started. The system says only that a resource is unavailable.

use std::io;

use crate::types::message::message;

/// An error of [`std::thread::Builder`], which names the memory for the stack and the number of threads if the
/// system refuses one of them.
pub fn refused_thread(error: io::Error) -> io::Error {
    match error.kind() {
        kind @ (io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory) => {
            let why = message!(
                "the system refused a thread: there is too little memory, or there are too many threads",
                "スレッドを起動できません。メモリが足りないか、スレッドが多すぎます"
            );
            io::Error::new(kind, why)
        }
        _ => error,
    }
}

#[cfg(all(test, target_os = "linux", target_pointer_width = "64"))]
mod tests {
    use super::*;
    use crate::types::message::Message;

    /// Regression: a thread whose stack was refused was reported as `Resource temporarily unavailable`.
    #[test]
    fn a_thread_without_memory_for_its_stack_is_reported_as_that_in_both_languages() {
        let refused = std::thread::Builder::new().stack_size(1 << 60).spawn(|| ()).unwrap_err();
        let message = Message::from(&refused_thread(refused));
        assert!(message.en.contains("too little memory"), "{message}");
        assert!(message.ja.contains("メモリが足りないか"), "{}", message.ja);
        let other = refused_thread(io::ErrorKind::NotFound.into());
        assert_eq!(other.kind(), io::ErrorKind::NotFound);
    }
}
