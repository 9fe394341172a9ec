//! Reads endings: as a step, and in the line below the moves, `まで76手で先手の勝ち`.

use super::words::{DRAW, ENDINGS, ILLEGAL_BEFORE};
use crate::record::ending::Ending;
use crate::record::japanese_move::without_hand;
use crate::record::japanese_text::{is_mark, leading_number};
use crate::types::Color;

/// The rules that a player may have broken, as the reason of a win.
const FOULS: [&str; 7] =
    ["反則", "二歩", "二手指し", "打ち歩詰め", "打歩詰", "王手放置", "連続王手の千日手"];
const TIME_IS_UP: [&str; 3] = ["時間切れ", "切れ負け", "時間切れ負け"];
const ENTERED: [&str; 3] = ["入玉", "入玉宣言", "宣言"];

/// An ending as a step, and the rest. Some programs mark it with its side, like a move.
pub(super) fn ending(step: &str, side: Color) -> Option<(Ending, &str)> {
    let step = step.trim_start_matches(|c: char| is_mark(c) || c.is_whitespace());
    let known = ENDINGS.iter().flat_map(|(ending, words)| words.iter().map(move |&w| (w, ending)));
    // The longest matching word, because some words are prefixes of others.
    let found = known.filter(|(word, _)| step.starts_with(word)).max_by_key(|(word, _)| word.len());
    if let Some((word, ending)) = found {
        return Some((ending.clone(), without_hand(&step[word.len()..])));
    }
    let rest = step.strip_prefix(ILLEGAL_BEFORE)?;
    Some((Ending::IllegalAction(!side), without_hand(rest)))
}

/// The ending in the line below the moves, with `side` to move. The winner and a foul that it names are kept,
/// as an ending in its own words if no other ending says the same.
pub(super) fn footer_ending(line: &str, side: Color) -> Option<Ending> {
    let statement = line["まで".len()..].trim_start_matches(['、', ' ', '　']);
    let statement = leading_number(statement).map_or(statement, |(_, rest)| rest);
    let statement = statement.trim_start_matches(['手', 'で']).trim();
    let own_words = || Ending::Other(statement.to_owned());
    if let Some((reason, result)) = statement.split_once("により") {
        return Some(won_by(reason, result, side).unwrap_or_else(own_words));
    }
    if TIME_IS_UP.contains(&statement) {
        return Some(Ending::TimeUp);
    }
    if let Some(color) = player(statement) {
        let how = statement.split_once('の').map_or("", |(_, how)| how);
        return Some(result(color, how, side).unwrap_or_else(own_words));
    }
    match ending(statement, side) {
        Some((ending, "")) => Some(ending),
        _ if statement.is_empty() => None,
        _ if statement.starts_with(DRAW) => Some(Ending::Jishogi),
        _ => Some(own_words()),
    }
}

/// The player named first in a text.
fn player(statement: &str) -> Option<Color> {
    match statement.chars().next()? {
        '先' | '下' => Some(Color::Black),
        '後' | '上' => Some(Color::White),
        _ => None,
    }
}

/// The ending of `反則により後手の勝ち`: a win for a reason.
fn won_by(reason: &str, won: &str, side: Color) -> Option<Ending> {
    let winner =
        player(won).filter(|_| won.split_once('の').is_some_and(|(_, how)| how == "勝ち"))?;
    // The reason may name the loser too.
    let reason = match player(reason) {
        Some(loser) if loser == winner => return None,
        Some(_) => reason.split_once('の').map_or(reason, |(_, reason)| reason),
        None => reason,
    };
    if FOULS.iter().any(|foul| reason.starts_with(foul)) {
        return Some(foul_by(!winner, side));
    }
    let mover_lost = winner != side;
    if TIME_IS_UP.contains(&reason) {
        return mover_lost.then_some(Ending::TimeUp);
    }
    if ENTERED.contains(&reason) {
        return (!mover_lost).then_some(Ending::Declaration);
    }
    (reason == "投了" && mover_lost).then_some(Ending::Resign)
}

/// The ending of `先手の反則負け`: a player's result.
fn result(player: Color, how: &str, side: Color) -> Option<Ending> {
    let to_move = player == side;
    match how {
        "反則勝ち" => Some(foul_by(!player, side)),
        "反則負け" => Some(foul_by(player, side)),
        "入玉勝ち" | "宣言勝ち" => to_move.then_some(Ending::Declaration),
        "勝ち" => (!to_move).then_some(Ending::Resign),
        "投了" | "負け" => to_move.then_some(Ending::Resign),
        _ => (to_move && TIME_IS_UP.contains(&how)).then_some(Ending::TimeUp),
    }
}

fn foul_by(color: Color, side: Color) -> Ending {
    if color == side { Ending::IllegalMove } else { Ending::IllegalAction(color) }
}
