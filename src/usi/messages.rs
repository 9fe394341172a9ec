//! Messages about commands that cannot be executed, shared by the session and the cluster.

use crate::engine::MoveListError;
use crate::position::SfenError;

/// For a `go` after a `position` that was refused or truncated.
pub(crate) const NO_SEARCH: &str = "no search, because the last position was refused";

/// For a board or an evaluation after a `position` that was refused or truncated.
pub(crate) const OTHER_POSITION: &str =
    "the last position was refused; this is the last one that is valid";

/// The least memory of the engine, with the smallest tables.
const MIN_MEMORY: u64 = 36 << 20;

/// For a start with only `left` bytes of memory available. Given at the start, because the system may kill
/// the engine without a message.
pub(crate) fn low_memory_warning(left: Option<u64>) -> Option<String> {
    let left = left.filter(|&left| left < MIN_MEMORY)? >> 20;
    let min_mib = MIN_MEMORY >> 20;
    Some(format!(
        "{left} MiB of memory are left and at least {min_mib} are needed; the system may end the engine"
    ))
}

/// For an invalid SFEN.
pub(crate) fn start_refused(error: &SfenError) -> String {
    format!("position refused: {error}; nothing is searched until the next position")
}

/// For an illegal move in a `position` command.
pub(crate) fn move_refused(refused: &MoveListError) -> String {
    format!("{refused}; nothing is searched until the next position")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: in a container with too little memory the engine was killed without a message.
    #[test]
    fn low_memory_is_reported() {
        assert_eq!(low_memory_warning(None), None);
        assert_eq!(low_memory_warning(Some(36 << 20)), None);
        let text = low_memory_warning(Some(25 << 20)).unwrap();
        assert!(text.starts_with("25 MiB of memory are left and at least 36"), "{text}");
    }
}
