//! The words for the result of a game in USI notation.

const RESULT_WORDS: [&str; 15] = [
    "resign", "win", "lose", "draw", "rep_draw", "rep_win", "rep_lose", "rep_sup", "rep_inf",
    "timeout", "timeup", "break", "abort", "illegal", "none",
];

/// Whether a word is the result of a game, which ShogiHome and others write after the moves of a position.
///
/// ```
/// use kawasemi::types::is_result_word;
/// assert!(is_result_word("resign") && is_result_word(b"rep_draw") && !is_result_word("7g7f"));
/// ```
pub fn is_result_word(word: impl AsRef<[u8]>) -> bool {
    RESULT_WORDS.iter().any(|known| known.as_bytes() == word.as_ref())
}
