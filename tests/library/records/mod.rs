//! Game records: each notation keeps what it can hold, common defects are tolerated, errors name their
//! line, and no text causes harm.

mod errors;
mod generate;
mod hostile;
mod illegal_moves;
mod notations;
mod nothing_lost;
mod other_programs;
mod round_trip;
mod tolerance;

use kawasemi::record::{ErrorPolicy, GameRecord, ParsedGames, detect, read};
use proptest::prelude::ProptestConfig;

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// The moves of the main line in USI notation.
fn moves(game: &GameRecord) -> String {
    game.main_moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

/// The games of a text whose notation is found out.
fn parsed(text: &str) -> ParsedGames {
    let format = detect(text).unwrap_or_else(|| panic!("no format: {text}"));
    read(text, format, ErrorPolicy::Refuse).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

/// The only game of a text that gives no warning.
fn clean(text: &str) -> GameRecord {
    let ParsedGames { mut games, warnings } = parsed(text);
    assert_eq!((warnings, games.len()), (vec![], 1), "{text}");
    games.remove(0)
}

/// The ranks of a diagram in KIF: the king of White, written like this, and that of Black.
fn diagram(king: &str) -> String {
    let rank = |piece: &str| format!("| ・ ・ ・ ・{piece} ・ ・ ・ ・|\n");
    format!("{}{}{}", rank(king), rank(" ・").repeat(7), rank(" 玉"))
}
