//! What real files say in unusual ways is read, or a warning tells what is left out.

use kawasemi::record::{ErrorPolicy, GameRecord, HeaderKey, detect, read};

use super::moves;

fn seconds(game: &GameRecord) -> Vec<Option<u64>> {
    let times = game.main_line().skip(1).map(|id| game.node(id).elapsed);
    times.map(|time| time.map(|time| time.as_secs())).collect()
}

/// Regression: the notation was detected, but no line was understood.
#[test]
fn csa_may_be_indented() {
    let text = "  V2.2\n  N+A\n\t$EVENT:x\n  PI\n  +\n  +7776FU, T12\n　-3334FU\n  T3, 'seen, twice\n \
                %TORYO\n /\n  PI\n  +\n  +2726FU\n";
    let parsed = read(text, detect(text).unwrap(), ErrorPolicy::Refuse).unwrap();
    assert_eq!(parsed.warnings, []);
    let played: Vec<String> = parsed.games.iter().map(moves).collect();
    assert_eq!(played, ["7g7f 3c3d", "2g2f"]);
    let game = &parsed.games[0];
    assert_eq!(seconds(game), [Some(12), Some(3), None]);
    assert_eq!(game.headers.get(&HeaderKey::Event), Some("x"));
    let second = game.node(game.main_line().nth(2).unwrap());
    assert_eq!(second.remarks, ["seen, twice"]);
}
