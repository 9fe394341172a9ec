//! Writes JKF.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::schema::{
    BOOKMARK, JkfColor, JkfGame, JkfHeader, JkfInitial, JkfMove, JkfPiece, JkfPlace, JkfSeconds,
    JkfState, JkfStep, JkfTime, JkfTimes, MAX_DEPTH, RELATIVE,
};
use crate::position::{Position, Setup};
use crate::record::csa_move::piece_code;
use crate::record::error::{ConversionLoss, ConversionLosses};
use crate::record::game_record::{GameNode, GameRecord, GameStep, NodeId};
use crate::record::game_walk::{GameWalk, VisitedNode};
use crate::record::handicap::{Handicap, is_handicap};
use crate::record::text::push_line;
use crate::record::{csa, japanese_move};
use crate::types::{Color, Move, Piece, PieceKind, Square};

/// Appends a game, on one line.
pub(in crate::record) fn write(
    game: &GameRecord,
    text: &mut String,
    losses: &mut ConversionLosses,
) {
    let is_handicap = is_handicap(game.start());
    let mut names = BTreeSet::new();
    let mut header = Vec::new();
    for (key, value) in game.headers.iter() {
        // Most JSON readers keep only one member of a name.
        let name = key.kif(is_handicap);
        if names.insert(name) {
            header.push((name.to_owned(), key.kif_value(value).into_owned()));
        } else {
            losses.add(ConversionLoss::Headers, 1);
        }
    }
    let mut tree = JkfTree { game, elements: elements(game, losses) };
    let jkf = JkfGame {
        header: JkfHeader { texts: header, others: Vec::new() },
        initial: initial(game.start()),
        moves: tree.line(NodeId::ROOT, 0),
    };
    let left_out = || tree.elements.iter().flatten();
    let moves = left_out().filter(|element| element.step.is_some()).count();
    losses.add(ConversionLoss::DeepBranches, moves);
    losses.add(ConversionLoss::Endings, left_out().count() - moves);
    losses.add(ConversionLoss::StartNumbers, usize::from(game.start().game_ply > 1));
    push_line(text, &serde_json::to_string(&jkf).expect("texts and numbers can be written"));
}

fn initial(start: &Setup) -> Option<JkfInitial> {
    match Handicap::of(start) {
        Some(handicap) => {
            let preset = handicap.preset.to_owned();
            Some(JkfInitial { preset, data: None })
        }
        None => Some(JkfInitial { preset: "OTHER".into(), data: Some(state(start)) }),
    }
}

const fn number(color: Color) -> JkfColor {
    JkfColor::Number(color as u8)
}

fn state(start: &Setup) -> JkfState {
    let piece = |piece: Piece| JkfPiece {
        color: Some(number(piece.color())),
        kind: Some(piece_code(piece.kind()).to_owned()),
    };
    let at = |file, rank| start.piece_at(Square::new(file, rank)).map(piece).unwrap_or_default();
    let board = (0..9).map(|file| (0..9).map(|rank| at(file, rank)).collect()).collect();
    let count = |color: Color| -> BTreeMap<String, u32> {
        let count = |kind| (piece_code(kind).to_owned(), start.hands[color].count(kind));
        PieceKind::HAND.into_iter().map(count).collect()
    };
    JkfState { color: number(start.side), board, hands: Color::ALL.map(count).to_vec() }
}

/// The elements of all nodes, by node, without the branches.
fn elements(game: &GameRecord, losses: &mut ConversionLosses) -> Vec<Option<JkfMove>> {
    let mut elements: Vec<Option<JkfMove>> = game.nodes().map(|_| None).collect();
    let mut walk = GameWalk::new(game);
    let root = game.node(NodeId::ROOT);
    elements[0] = Some(annotations(root, &mut walk, losses));
    while let Some(visit) = walk.next() {
        let node = game.node(visit.id);
        let mut element = JkfMove::default();
        match node.step() {
            GameStep::Start => {}
            GameStep::Move(mv) => {
                element.step = Some(Box::new(step(walk.position(), *mv, visit.last_square)));
            }
            GameStep::Ending(ending) => {
                let word = csa::ending_word(ending);
                losses.add(ConversionLoss::EndingWords, usize::from(word.is_none()));
                element.special = Some(word.unwrap_or("CHUDAN").to_owned());
            }
        }
        walk.enter();
        element.time = times(node, visit, losses);
        element.comments = annotations(node, &mut walk, losses).comments;
        elements[visit.id.index()] = Some(element);
    }
    elements
}

fn step(position: &Position, mv: Move, last: Option<Square>) -> JkfStep {
    let place = |square: Square| JkfPlace { x: square.file() + 1, y: square.rank() + 1 };
    let promote = position.may_promote(mv).then(|| mv.is_promotion());
    let letter = |word: char| RELATIVE.iter().find(|(known, _)| *known == word).map(|(_, l)| *l);
    let relative: String =
        japanese_move::disambiguation_words(position, mv).chars().filter_map(letter).collect();
    JkfStep {
        color: Some(number(position.side_to_move())),
        from: (!mv.is_drop()).then(|| place(mv.from())),
        to: Some(place(mv.to())),
        piece: piece_code(position.moved_kind_before(mv)).to_owned(),
        same: (last == Some(mv.to())).then_some(true),
        promote,
        capture: position.piece_at(mv.to()).map(|piece| piece_code(piece.kind()).to_owned()),
        relative: (!relative.is_empty()).then_some(relative),
    }
}

fn times(
    node: &GameNode,
    visit: VisitedNode,
    losses: &mut ConversionLosses,
) -> Option<Box<JkfTimes>> {
    let elapsed = node.elapsed?;
    losses.add(ConversionLoss::TimeFractions, usize::from(elapsed.subsec_nanos() > 0));
    let clock = |time: Duration, hours: Option<u64>| {
        let seconds = time.as_secs();
        let minutes = seconds / 60 - hours.unwrap_or(0) * 60;
        JkfTime { h: hours, m: minutes, s: JkfSeconds::Whole(seconds % 60) }
    };
    let total = clock(visit.spent, Some(visit.spent.as_secs() / 3600));
    Some(Box::new(JkfTimes { now: clock(elapsed, None), total: Some(total) }))
}

/// Evaluations, comments, and the bookmark. JKF has nothing else.
fn annotations(node: &GameNode, walk: &mut GameWalk<'_>, losses: &mut ConversionLosses) -> JkfMove {
    let mut comments = Vec::new();
    for evaluation in &node.evaluations {
        comments.push(evaluation.comment(node.mv(), walk.position()));
    }
    comments.extend(node.comments.iter().map(|comment| {
        // A comment must not begin like a bookmark.
        let guard = if comment.starts_with(BOOKMARK) { " " } else { "" };
        format!("{guard}{comment}")
    }));
    comments.extend(node.bookmark.iter().map(|bookmark| format!("{BOOKMARK}{bookmark}")));
    losses.add(ConversionLoss::Remarks, node.remarks.len());
    let comments = (!comments.is_empty()).then_some(comments);
    JkfMove { comments, ..JkfMove::default() }
}

struct JkfTree<'a> {
    game: &'a GameRecord,
    /// The elements that are not placed yet.
    elements: Vec<Option<JkfMove>>,
}

impl JkfTree<'_> {
    /// A node and its continuation with branches, `depth` levels below the main line.
    fn line(&mut self, first: NodeId, depth: usize) -> Vec<JkfMove> {
        let mut line = Vec::new();
        let mut next = Some((first, None));
        while let Some((id, parent)) = next {
            let mut element = self.elements[id.index()].take().unwrap_or_default();
            let others = parent.map_or(&[][..], |parent| &self.game.node(parent).children()[1..]);
            let forks = self.forks(others, depth + 1);
            element.forks = (!forks.is_empty()).then_some(forks);
            line.push(element);
            next = self.game.node(id).children().first().map(|&child| (child, Some(id)));
        }
        line
    }

    fn forks(&mut self, first_children: &[NodeId], depth: usize) -> Vec<Vec<JkfMove>> {
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        first_children.iter().map(|&id| self.line(id, depth)).collect()
    }
}

impl Serialize for JkfHeader {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.texts.len()))?;
        for (name, value) in &self.texts {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
