//! Writes a review into a game, as evaluations and comments.

use super::analysis_score::{AnalysisScore, WinReason};
use super::formations::{Formation, FormationEvent, FormationKind};
use super::line_review::{Grade, LineReview, ReviewedMove};
use super::position_analysis::{PositionAnalysis, Variation};
use super::win_rate::win_rate;
use crate::position::Position;
use crate::record::{Evaluation, EvaluationValue, GameRecord, NodeId, japanese_move, side_names};
use crate::types::language::Localized;
use crate::types::{Bound, ByColor, Color};

/// The heading of ShogiGUI's first analysis.
const HEADING: &str = "解析 0";
/// The heading of an evaluation in ShogiHome's format.
const SHOGIHOME_HEADING: &str = "#";

/// Words in comments, by which a later analysis recognises them.
const DUBIOUS: &str = "疑問手";
const MISTAKE: &str = "悪手";
const BLUNDER: &str = "大悪手";
const GRADES: [&str; 3] = [DUBIOUS, MISTAKE, BLUNDER];
const WIN_RATE: &str = " 勝率 ";
const VALUE: &str = "評価値 ";
const AT_LEAST: &str = " 以上";
const AT_MOST: &str = " 以下";
/// All names of sides: a handicap changes them.
const WINNERS: [&str; 4] = ["先手", "後手", "下手", "上手"];
const WINS: &str = "勝ち";
const FORMATIONS: [(FormationKind, &str); 2] =
    [(FormationKind::Opening, "【戦型】"), (FormationKind::Castle, "【囲い】")];
const SIDES: [&str; 2] = ["▲", "△"];
const PERPETUAL_CHECK: &str = "（連続王手の千日手）";
const DECLARATION: &str = "（入玉宣言）";
/// As earlier versions wrote it.
const OLD_DECLARATION: &str = "（入玉）";
const UNPROVEN: &str = "（手順未確認）";
const MATE: &str = "（詰み）";
const WIN_REASONS: [&str; 5] = [PERPETUAL_CHECK, DECLARATION, OLD_DECLARATION, UNPROVEN, MATE];

/// The format of the evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentStyle {
    /// ShogiGUI: with depth, time and nodes, one for each line.
    ShogiGui,
    /// Floodgate: a value and a line, which programs read in CSA records. A move that already has such a
    /// comment by its player gets the other format.
    Floodgate,
}

/// Adds evaluations to each move of a line, and comments to bad moves and to moves that complete an
/// opening or a castle. An earlier analysis in the same format is replaced, with its comments;
/// everything else stays.
pub fn annotate(game: &mut GameRecord, review: &LineReview, style: CommentStyle) {
    let mut position = game.start_position();
    if review.branch.is_none() {
        if style == CommentStyle::Floodgate {
            remove_own_values(game, review);
        }
        let first =
            review.moves.first().map(|reviewed| reviewed.as_ref().map(|reviewed| &reviewed.before));
        if let Some(found) = first.unwrap_or(review.end.as_ref()) {
            write_evaluations(game, NodeId::ROOT, &position, found, style);
        }
    }
    let (before, line) = review.line.split_at(review.first_ply());
    before.iter().for_each(|&(_, mv)| {
        position.do_move(mv);
    });
    let formations = review.formations(game);
    for (ply, (&(_, mv), reviewed)) in
        (review.first_ply() + 1..).zip(line.iter().zip(&review.moves))
    {
        let comment = reviewed.as_ref().and_then(|reviewed| grade_comment(reviewed, &position));
        position.do_move(mv);
        let Some(reviewed) = reviewed else { continue };
        write_evaluations(game, reviewed.node, &position, &reviewed.after, style);
        let names = formations.iter().filter(|event| event.ply == ply).map(formation_comment);
        game.node_mut(reviewed.node).comments.extend(names.chain(comment));
    }
}

/// Removes the values of an earlier analysis that have no heading. A player does not evaluate the start position; if
/// it has such a value, an analysis wrote it, and those after the moves too, except where it added its result to a value
/// by the player.
fn remove_own_values(game: &mut GameRecord, review: &LineReview) {
    let has_heading = |evaluation: &Evaluation| !evaluation.heading.is_empty();
    let start = game.node_mut(NodeId::ROOT);
    if start.evaluations.iter().all(has_heading) {
        return;
    }
    start.evaluations.retain(has_heading);
    for reviewed in review.moves.iter().flatten() {
        let node = game.node_mut(reviewed.node);
        let was_added = node.evaluations.iter().any(|old| old.heading == HEADING)
            || node.comments.iter().any(|old| is_score_comment(old));
        if !was_added {
            node.evaluations.retain(has_heading);
        }
    }
}

/// Adds the evaluations of a position to a node.
fn write_evaluations(
    game: &mut GameRecord,
    id: NodeId,
    position: &Position,
    found: &PositionAnalysis,
    style: CommentStyle,
) {
    let names = side_names(game.start());
    let node = game.node_mut(id);
    let is_best = |old: &&Evaluation| old.heading == HEADING && old.rank == Some(1);
    let earlier = node.evaluations.iter().find(is_best).and_then(|old| shogihome_mate(old.value));
    node.evaluations.retain(|old| old.heading != HEADING && Some(old) != earlier.as_ref());
    node.comments.retain(|old| !is_analysis_comment(old));
    let is_plain = style == CommentStyle::Floodgate && node.evaluations.is_empty();
    let side = position.side_to_move();
    // Beside a best line in words, programs would show the value of another line as that of the position.
    let is_in_words = evaluation_value(found.best(), side).is_none();
    let kept = if is_plain || is_in_words { &found.variations[..1] } else { &found.variations };
    // The best line comes last, because ShogiHome shows the last value as the value of the position.
    for (index, variation) in kept.iter().enumerate().rev() {
        let Some(value) = evaluation_value(variation, side) else {
            let comment = score_comment(variation, side, names);
            node.comments.extend(comment.filter(|_| index == 0));
            continue;
        };
        let plain = Evaluation::new(value, variation.moves.clone());
        if is_plain {
            // This format has no ranks, so only the best line is written.
            node.evaluations.push(plain);
            continue;
        }
        let depth = |depth: usize| u32::try_from(depth).ok().filter(|&depth| depth > 0);
        node.evaluations.push(Evaluation {
            rank: Some(index as u32 + 1),
            time: Some(found.elapsed),
            depth: depth(variation.depth.max(0) as usize),
            selective_depth: depth(variation.selective_depth),
            nodes: Some(found.nodes),
            heading: HEADING.to_owned(),
            ..plain
        });
        let mate =
            shogihome_mate(value).filter(|mate| index == 0 && !node.evaluations.contains(mate));
        node.evaluations.extend(mate);
    }
}

/// A mate as ShogiHome reads it. It takes a length of 0 for a win of White, so that length is left out.
fn shogihome_mate(value: EvaluationValue) -> Option<Evaluation> {
    let EvaluationValue::Mate { winner, plies } = value else { return None };
    let value = EvaluationValue::Mate { winner, plies: plies.filter(|&plies| plies > 0) };
    let heading = SHOGIHOME_HEADING.to_owned();
    Some(Evaluation { heading, ..Evaluation::new(value, Vec::new()) })
}

/// The value from Black's side; `None` for bounds and for wins other than mates, which the notations
/// cannot express.
fn evaluation_value(variation: &Variation, side: Color) -> Option<EvaluationValue> {
    let mate = |winner, reason| match reason {
        WinReason::Mate { plies, .. } => Some(EvaluationValue::Mate { winner, plies: Some(plies) }),
        WinReason::PerpetualCheck | WinReason::Declaration | WinReason::Unproven => None,
    };
    match variation.estimate.score {
        _ if variation.estimate.bound != Bound::Exact => None,
        AnalysisScore::Centipawns(value) if side == Color::Black => {
            Some(EvaluationValue::Centipawns(value.into()))
        }
        AnalysisScore::Centipawns(value) => Some(EvaluationValue::Centipawns(-i64::from(value))),
        AnalysisScore::Win(reason) => mate(side, reason),
        AnalysisScore::Loss(reason) => mate(!side, reason),
    }
}

/// The comment for a score that the notations cannot express.
fn score_comment(variation: &Variation, side: Color, names: ByColor<Localized>) -> Option<String> {
    let (winner, reason) = match variation.estimate.score {
        AnalysisScore::Win(reason) => (side, reason),
        AnalysisScore::Loss(reason) => (!side, reason),
        AnalysisScore::Centipawns(value) => {
            let value = if side == Color::Black { value } else { -value };
            let at_least = (variation.estimate.bound == Bound::Lower) == (side == Color::Black);
            let bound = if at_least { AT_LEAST } else { AT_MOST };
            return Some(format!("{VALUE}{value}{bound}"));
        }
    };
    let words = match reason {
        WinReason::PerpetualCheck => PERPETUAL_CHECK,
        WinReason::Declaration => DECLARATION,
        WinReason::Unproven => UNPROVEN,
        WinReason::Mate { .. } => MATE,
    };
    Some(format!("{}{WINS}{words}", names[winner].ja))
}

/// `【囲い】▲美濃囲い`
fn formation_comment(event: &FormationEvent) -> String {
    let heading = FORMATIONS.iter().find(|(kind, _)| *kind == event.formation.kind);
    let side = event.side.map_or("", |side| SIDES[side.index()]);
    format!("{}{side}{}", heading.map_or("", |(_, heading)| *heading), event.formation.name.ja)
}

/// Whether a comment is the name of an opening or a castle, as an analysis writes it.
fn is_formation_comment(comment: &str) -> bool {
    FORMATIONS.iter().any(|(kind, heading)| {
        let name = comment
            .strip_prefix(heading)
            .map(|rest| SIDES.iter().find_map(|side| rest.strip_prefix(side)).unwrap_or(rest));
        name.and_then(Formation::named).is_some_and(|formation| formation.kind == *kind)
    })
}

/// The text after one of these words, if it begins with one.
fn after_word<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    words.iter().find_map(|word| text.strip_prefix(*word))
}

/// Whether a comment is the score of an analysis in words.
fn is_score_comment(comment: &str) -> bool {
    let bounded = |value: &str| {
        [AT_LEAST, AT_MOST].iter().find_map(|bound| value.strip_suffix(*bound)?.parse::<i32>().ok())
    };
    after_word(comment, &WINNERS)
        .and_then(|rest| rest.strip_prefix(WINS))
        .is_some_and(|reason| WIN_REASONS.contains(&reason))
        || comment.strip_prefix(VALUE).and_then(bounded).is_some()
}

/// Whether a comment was written by an analysis, to be replaced by the next one.
fn is_analysis_comment(comment: &str) -> bool {
    after_word(comment, &GRADES).is_some_and(|rest| rest.starts_with(WIN_RATE))
        || is_score_comment(comment)
        || is_formation_comment(comment)
}

/// The comment on a bad move, in the position before it.
fn grade_comment(reviewed: &ReviewedMove, position: &Position) -> Option<String> {
    let word = match reviewed.grade()? {
        Grade::Dubious => DUBIOUS,
        Grade::Mistake => MISTAKE,
        Grade::Blunder => BLUNDER,
    };
    let percent = |score| (win_rate(score) * 100.0).round();
    let (before, after) = (reviewed.before.best().estimate.score, reviewed.score().score);
    let mut text = format!("{word}{WIN_RATE}{}% → {}%", percent(before), percent(after));
    if let Some(best) = reviewed.before.best_move() {
        text += &format!(" 最善手 {}", japanese_move(position, best));
    }
    // Without a full stop the moves of the reason would seem to follow the best move.
    if let Some(reason) = &reviewed.reason {
        text += &format!("。{}", reason.text.ja);
    } else if reviewed.misses_mate() {
        text += "。詰み逃し";
    }
    Some(text)
}
