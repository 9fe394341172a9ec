//! Games and positions one a line: `position startpos moves 7g7f`, `sfen ...`, a bare SFEN.
//!
//! The word `position` may be missing, and a word for the end may stand behind the moves, as GUIs
//! put it there. Lines that begin with `#` or `//` are remarks on the game that follows.

use super::draft::{self, Draft};
use super::error::{Fault, Loss, Losses, MoveFault, RecordError};
use super::game::{Game, Node, NodeId};
use super::text::push_line;
use super::{Policy, Reading, Special};
use crate::position::Setup;

/// The end of a game by the word that stands behind its moves, as ShogiHome and others write it;
/// `None` for what is no such word.
pub fn ending(word: &str) -> Option<Special> {
    Some(match word {
        "resign" => Special::Resign,
        "win" => Special::Declaration,
        "rep_draw" => Special::Sennichite,
        "draw" => Special::Draw,
        "timeout" | "timeup" => Special::TimeUp,
        "break" | "abort" => Special::Interrupted,
        "illegal" => Special::IllegalMove,
        "lose" | "rep_win" | "rep_lose" | "rep_sup" | "rep_inf" | "none" => {
            Special::Other(word.to_owned())
        }
        _ => return None,
    })
}

/// Reads a collection.
pub(super) fn read(text: &str, policy: Policy) -> Result<Reading, RecordError> {
    let mut draft = Draft::new(policy);
    let mut last = 1;
    for (number, line) in draft::lines(text) {
        last = number;
        let line = line.trim();
        if let Some(remark) = line.strip_prefix('#').or_else(|| line.strip_prefix("//")) {
            draft.remark(remark);
        } else if !line.is_empty() {
            let fault = read_game(number, line, &mut draft).err();
            draft.settle(number, fault)?;
            draft.finish();
        }
    }
    // Remarks behind the last game belong to none.
    if draft.is_touched() {
        let what = super::error::Passed::Line(super::error::Quote::of("#"));
        draft.pass(last, what);
    }
    Ok(draft.into_reading())
}

fn read_game(number: usize, line: &str, draft: &mut Draft) -> Result<(), Fault> {
    let line = line.strip_prefix("position").map_or(line, str::trim_start);
    let (start, moves) = split_moves(line);
    draft.begin(read_start(start)?)?;
    let mut words = moves.split_ascii_whitespace();
    while let Some(word) = words.next() {
        if let Some(special) = ending(word) {
            draft.end(special);
            return match words.next() {
                Some(word) => draft.play(number, word, Err(MoveFault::Unreadable)),
                None => Ok(()),
            };
        }
        draft.play(number, word, word.parse().map_err(|_| MoveFault::Unreadable))?;
    }
    Ok(())
}

/// What stands before the word `moves`, and behind it.
fn split_moves(line: &str) -> (&str, &str) {
    let mut at = 0;
    for word in line.split_ascii_whitespace() {
        at += line[at..].find(word).expect("words of a line are in it");
        if word == "moves" {
            return (line[..at].trim_end(), &line[at + word.len()..]);
        }
        at += word.len();
    }
    (line, "")
}

fn read_start(text: &str) -> Result<Setup, Fault> {
    match text {
        "" | "startpos" => Ok(Setup::startpos()),
        _ => {
            let sfen = text.strip_prefix("sfen").filter(|rest| rest.starts_with(' '));
            sfen.unwrap_or(text).parse().map_err(Fault::Sfen)
        }
    }
}

/// Whether a line begins as one of a collection does.
pub(super) fn is_line(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("position" | "startpos" | "sfen" | "moves") => true,
        Some(word) => word.matches('/').count() == 8 && words.next().is_some(),
        None => false,
    }
}

/// Writes the main line of a game.
pub(super) fn write_game(game: &Game, text: &mut String, losses: &mut Losses) {
    let mut line = match *game.start() == Setup::startpos() {
        true => String::from("position startpos"),
        false => format!("position sfen {}", game.start()),
    };
    let mut kept = 0;
    for (nth, mv) in game.main_moves().enumerate() {
        line.push_str(if nth == 0 { " moves " } else { " " });
        line.push_str(&mv.to_string());
        kept += 1;
    }
    push_line(text, &line);
    count_losses(game, losses);
    let moves = game.nodes().filter(|(_, node)| node.mv().is_some()).count();
    losses.add(Loss::Branches, moves - kept);
}

/// Writes the position after the main line of a game.
pub(super) fn write_position(game: &Game, text: &mut String, losses: &mut Losses) {
    let mut position = game.start_position();
    game.main_moves().for_each(|mv| {
        position.do_move(mv);
    });
    push_line(text, &position.to_sfen());
    count_losses(game, losses);
    losses.add(Loss::Moves, game.nodes().filter(|(_, node)| node.mv().is_some()).count());
}

/// Counts all but the moves.
fn count_losses(game: &Game, losses: &mut Losses) {
    losses.add(Loss::Headers, game.headers.iter().count());
    for (id, node) in game.nodes() {
        let ends = id != NodeId::ROOT && node.mv().is_none();
        losses.add(Loss::Endings, usize::from(ends));
        count_words(node, losses);
    }
}

fn count_words(node: &Node, losses: &mut Losses) {
    losses.add(Loss::Times, usize::from(node.elapsed.is_some()));
    losses.add(Loss::Comments, node.comments.len());
    losses.add(Loss::Remarks, node.remarks.len());
    losses.add(Loss::Evaluations, node.evaluations.len());
    losses.add(Loss::Bookmarks, usize::from(node.bookmark.is_some()));
}
