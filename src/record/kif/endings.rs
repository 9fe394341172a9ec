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
const MATED: [&str; 3] = ["詰み", "詰", "詰め"];
const ENTERED: [&str; 3] = ["入玉", "入玉宣言", "宣言"];
const PAUSES: [char; 3] = ['、', ' ', '　'];

/// An ending as a step, and the rest. Some programs mark it with its side, like a move.
pub(super) fn ending(step: &str, side: Color) -> Option<(Ending, &str)> {
    let step = step.trim_start_matches(|c: char| is_mark(c) || c.is_whitespace());
    let known = ENDINGS.iter().flat_map(|(ending, words)| words.iter().map(move |&w| (w, ending)));
    // `時間切れ勝ち` is no loss of the side to move.
    let is_it = |word: &str| step.strip_prefix(word).is_some_and(|rest| !rest.starts_with('勝'));
    // The longest matching word, because some words are prefixes of others.
    let found = known.filter(|(word, _)| is_it(word)).max_by_key(|(word, _)| word.len());
    if let Some((word, ending)) = found {
        return Some((ending.clone(), without_hand(&step[word.len()..])));
    }
    let rest = step.strip_prefix(ILLEGAL_BEFORE)?;
    Some((Ending::IllegalAction(!side), without_hand(rest)))
}

/// The text of the line below the moves, after its first word.
pub(super) fn footer_text(line: &str) -> &str {
    line["まで".len()..].trim_start_matches(PAUSES)
}

/// The ending in the line below the moves, with `side` to move. The winner and a foul that it names are kept,
/// as an ending in its own words if no other ending says the same.
pub(super) fn footer_ending(line: &str, side: Color) -> Option<Ending> {
    let statement = footer_text(line);
    let statement = leading_number(statement).map_or(statement, |(_, rest)| rest);
    let statement = statement.trim_start_matches('手');
    let statement =
        ["にて", "で"].iter().find_map(|word| statement.strip_prefix(word)).unwrap_or(statement);
    let statement = statement.trim_start_matches(PAUSES).trim_end();
    let own_words = || Ending::Other(statement.to_owned());
    if let Some((reason, result)) = split_reason(statement) {
        let found = won_by(reason, result, side).or_else(|| drawn_by(reason, result, side));
        let is_draw = statement.starts_with(DRAW) && of_player(result).is_none();
        return found.or_else(|| Some(if is_draw { Ending::Jishogi } else { own_words() }));
    }
    if TIME_IS_UP.contains(&statement) {
        return Some(Ending::TimeUp);
    }
    if let Some((color, how)) = of_player(statement) {
        return Some(result(color, how, side).unwrap_or_else(own_words));
    }
    match ending(statement, side) {
        Some((ending, "")) => Some(ending),
        _ if statement.is_empty() => None,
        _ if statement.starts_with(DRAW) => Some(Ending::Jishogi),
        _ => Some(own_words()),
    }
}

/// The reason and the result of `反則により後手の勝ち` or `後手の勝ち（反則）`.
fn split_reason(statement: &str) -> Option<(&str, &str)> {
    let in_brackets =
        statement.strip_suffix([')', '）']).and_then(|text| text.split_once(['(', '（']));
    in_brackets
        .map(|(result, reason)| (reason.trim(), result.trim()))
        .or_else(|| ["により", "で"].iter().find_map(|word| statement.split_once(word)))
}

/// The player named first in a text, and what it says after the name.
fn of_player(text: &str) -> Option<(Color, &str)> {
    let names = [
        ("先手", Color::Black),
        ("下手", Color::Black),
        ("後手", Color::White),
        ("上手", Color::White),
    ];
    let find = |(name, color)| text.strip_prefix(name).map(|how| (color, how));
    let (color, how) = names.into_iter().find_map(find)?;
    Some((color, how.strip_prefix('の').unwrap_or(how)))
}

/// The winner in a text that tells no reason but a foul.
fn named_winner(text: &str) -> Option<Color> {
    match of_player(text)? {
        (player, "勝ち" | "勝" | "反則勝ち") => Some(player),
        (player, "負け" | "反則負け") => Some(!player),
        _ => None,
    }
}

/// The ending of `反則により後手の勝ち`: a win for a reason.
fn won_by(reason: &str, won: &str, side: Color) -> Option<Ending> {
    let winner = named_winner(won)?;
    // The reason may name the loser too.
    let reason = match of_player(reason) {
        Some((loser, _)) if loser == winner => return None,
        Some((_, reason)) => reason,
        None => reason,
    };
    if FOULS.iter().any(|foul| reason.starts_with(foul)) {
        return Some(foul_by(!winner, side));
    }
    let mover_lost = winner != side;
    if ENTERED.contains(&reason) {
        return (!mover_lost).then_some(Ending::Declaration);
    }
    let how_lost = match reason {
        "投了" => Some(Ending::Resign),
        _ if TIME_IS_UP.contains(&reason) => Some(Ending::TimeUp),
        _ if MATED.contains(&reason) => Some(Ending::Mate),
        _ => None,
    };
    how_lost.filter(|_| mover_lost)
}

/// The ending of `千日手により引き分け`.
fn drawn_by(reason: &str, result: &str, side: Color) -> Option<Ending> {
    let whole = |text| ending(text, side).filter(|(_, rest)| rest.is_empty());
    whole(result).filter(|(result, _)| *result == Ending::Draw)?;
    let (how, _) = whole(reason)?;
    matches!(how, Ending::Sennichite | Ending::Jishogi).then_some(how)
}

/// The ending of `先手の反則負け`: a player's result.
fn result(player: Color, how: &str, side: Color) -> Option<Ending> {
    let to_move = player == side;
    match how {
        "反則勝ち" => Some(foul_by(!player, side)),
        "反則負け" => Some(foul_by(player, side)),
        "入玉勝ち" | "入玉宣言勝ち" | "宣言勝ち" => {
            to_move.then_some(Ending::Declaration)
        }
        "投了" | "負け" => to_move.then_some(Ending::Resign),
        "勝ち" | "勝" => (!to_move).then_some(Ending::Resign),
        "時間切れ勝ち" | "切れ勝ち" => (!to_move).then_some(Ending::TimeUp),
        _ => (to_move && TIME_IS_UP.contains(&how)).then_some(Ending::TimeUp),
    }
}

fn foul_by(color: Color, side: Color) -> Ending {
    if color == side { Ending::IllegalMove } else { Ending::IllegalAction(color) }
}

/// Whether the line below the moves adds nothing to the ending of the step above it: it states the same, or
/// only its winner, or only that it is a draw.
pub(super) fn says_no_more(stated: &Ending, known: &Ending, side: Color) -> bool {
    let only_winner = match stated {
        Ending::Resign => Some(!side),
        Ending::Other(words) => named_winner(words),
        _ => None,
    };
    let is_draw = matches!(known, Ending::Sennichite | Ending::Jishogi);
    stated == known
        || only_winner.is_some() && only_winner == winner(known, side)
        || is_draw && *stated == Ending::Draw
}

/// The winner of an ending.
fn winner(ending: &Ending, side: Color) -> Option<Color> {
    match ending {
        Ending::Resign
        | Ending::Mate
        | Ending::TimeUp
        | Ending::IllegalMove
        | Ending::LossByDefault => Some(!side),
        Ending::Declaration | Ending::WinByDefault => Some(side),
        Ending::IllegalAction(by) => Some(!*by),
        _ => None,
    }
}
