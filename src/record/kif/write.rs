//! Writes KIF and KI2.

use super::diagram::push_diagram;
use super::read::{reads_as_header, reads_as_other};
use super::words::{DRAW, ENDINGS, ILLEGAL_BEFORE, KifStyle, OTHER_START};
use crate::record::encoding::Encoding;
use crate::record::ending::Ending;
use crate::record::error::{ConversionLoss, ConversionLosses};
use crate::record::game_record::{GameNode, GameRecord, GameStep, NodeId};
use crate::record::game_walk::{GameWalk, VisitedNode};
use crate::record::handicap::{Handicap, is_handicap, side_names};
use crate::record::header::HeaderKey;
use crate::record::japanese_move;
use crate::record::text::{one_line, pad, push_line};
use crate::types::{Color, Move};

/// Columns of a move with the spaces after it.
const MOVE_COLUMNS: usize = 12;
/// Moves on a line of KI2.
const KI2_MOVES_PER_LINE: usize = 6;

/// Appends a game.
pub(in crate::record) fn write(
    game: &GameRecord,
    style: KifStyle,
    encoding: Encoding,
    text: &mut String,
    losses: &mut ConversionLosses,
) {
    let mut writer = KifWriter { game, style, text, losses, moves_on_line: 0, last_move_offset: 0 };
    writer.head(encoding);
    writer.tree();
}

struct KifWriter<'a> {
    game: &'a GameRecord,
    style: KifStyle,
    text: &'a mut String,
    losses: &'a mut ConversionLosses,
    /// Moves in the unfinished line, and the offset of the last one.
    moves_on_line: usize,
    last_move_offset: usize,
}

/// The name of a start position without a named handicap: that in a header, unless readers would take it for
/// another position.
fn name_without_handicap(game: &GameRecord) -> &str {
    let stated = game.headers.get(&HeaderKey::Other("手合割".to_owned()));
    let is_free = |name: &&str| !name.trim().is_empty() && Handicap::named(name).is_none();
    stated.filter(is_free).unwrap_or(OTHER_START)
}

impl KifWriter<'_> {
    fn head(&mut self, encoding: Encoding) {
        if self.style == KifStyle::Kif {
            push_line(self.text, &format!("#KIF version=2.0 encoding={}", encoding.label()));
        }
        // The first header, because readers recognise a new game by it.
        let start = self.game.start();
        let named = Handicap::of(start).filter(|_| start.game_ply == 1);
        let word = named.map_or_else(|| name_without_handicap(self.game), |named| named.name);
        let line = one_line(&format!("手合割：{word}"), self.losses);
        push_line(self.text, &line);
        // Before the diagram, because Kifu for JS cannot read remarks in KI2 after it.
        self.remarks(self.game.node(NodeId::ROOT));
        if named.is_none() {
            push_diagram(self.text, start, &side_names(start));
            if start.game_ply > 1 {
                push_line(self.text, &format!("手数＝{}", start.game_ply - 1));
            }
        }
        let is_handicap = is_handicap(start);
        for (key, value) in self.game.headers.iter() {
            let name = key.kif(is_handicap);
            if (name, value) == ("手合割", word) {
                continue;
            }
            if !reads_as_header(name, value) {
                self.losses.add(ConversionLoss::Headers, 1);
                continue;
            }
            let line = one_line(&format!("{name}：{}", key.kif_value(value)), self.losses);
            push_line(self.text, &line);
        }
        match self.style {
            KifStyle::Kif => push_line(self.text, "手数----指手---------消費時間--"),
            KifStyle::Ki2 => self.text.push('\n'),
        }
    }

    fn tree(&mut self) {
        let mut walk = GameWalk::new(self.game);
        let root = self.game.node(NodeId::ROOT);
        self.annotations(root, &mut walk);
        while let Some(visit) = walk.next() {
            if visit.is_branch {
                self.end_line();
                self.text.push('\n');
                push_line(self.text, &format!("変化：{}手", visit.number));
            }
            let node = self.game.node(visit.id);
            match (self.style, node.step()) {
                (_, GameStep::Start) => {}
                (KifStyle::Kif, step) => self.kif_step(visit, step, &mut walk),
                (KifStyle::Ki2, GameStep::Move(mv)) => self.ki2_move(visit, *mv, &mut walk),
                (KifStyle::Ki2, GameStep::Ending(ending)) => self.footer(visit, ending),
            }
            walk.enter();
            self.time_losses(node);
            self.remarks(node);
            self.annotations(node, &mut walk);
        }
        self.end_line();
    }

    fn kif_step(&mut self, visit: VisitedNode, step: &GameStep, walk: &mut GameWalk<'_>) {
        let word = match step {
            GameStep::Move(mv) => japanese_move::kif_move(walk.position(), *mv, visit.last_square),
            GameStep::Ending(ending) => self.ending(ending, visit.side),
            GameStep::Start => return,
        };
        self.text.push_str(&format!("{:4} ", visit.number));
        let at = self.text.len();
        self.text.push_str(&word);
        if let Some(elapsed) = self.game.node(visit.id).elapsed {
            pad(self.text, at, MOVE_COLUMNS);
            let (now, sum) = (elapsed.as_secs(), visit.spent.as_secs());
            let (hours, minutes, seconds) = (sum / 3600, sum / 60 % 60, sum % 60);
            let now = format!("{:2}:{:02}", now / 60, now % 60);
            self.text.push_str(&format!(" ({now}/{hours:02}:{minutes:02}:{seconds:02})"));
        }
        push_line(self.text, if visit.branches_follow { "+" } else { "" });
    }

    fn ki2_move(&mut self, visit: VisitedNode, mv: Move, walk: &mut GameWalk<'_>) {
        if self.moves_on_line == KI2_MOVES_PER_LINE {
            self.end_line();
        }
        if self.moves_on_line > 0 {
            pad(self.text, self.last_move_offset, MOVE_COLUMNS);
        }
        self.last_move_offset = self.text.len();
        self.moves_on_line += 1;
        self.text.push_str(&japanese_move::ki2_move(walk.position(), mv, visit.last_square));
    }

    fn end_line(&mut self) {
        if self.moves_on_line > 0 {
            self.text.push('\n');
            self.moves_on_line = 0;
        }
    }

    fn footer(&mut self, visit: VisitedNode, ending: &Ending) {
        self.end_line();
        let sides = side_names(self.game.start());
        let (mover, other) = (sides[visit.side].ja, sides[!visit.side].ja);
        let statement = match ending {
            Ending::Resign => format!("{other}の勝ち"),
            Ending::TimeUp => format!("時間切れにより{other}の勝ち"),
            Ending::Declaration => format!("{mover}の入玉勝ち"),
            Ending::IllegalMove => format!("{mover}の反則負け"),
            Ending::IllegalAction(by) if *by == visit.side => {
                self.losses.add(ConversionLoss::EndingWords, 1);
                format!("{mover}の反則負け")
            }
            Ending::IllegalAction(_) => format!("{mover}の反則勝ち"),
            ending => self.ending(ending, visit.side),
        };
        push_line(self.text, &format!("まで{}手で{statement}", visit.number - 1));
    }

    /// The word for an ending as a step.
    fn ending(&mut self, ending: &Ending, side: Color) -> String {
        // Most programs know only the word for an impasse, so it is written for all draws.
        let known = ENDINGS.iter().find(|(known, _)| known == ending && *ending != Ending::Draw);
        if let Some((_, words)) = known {
            return words[0].to_owned();
        }
        match ending {
            Ending::IllegalAction(by) if *by != side => ILLEGAL_BEFORE.to_owned(),
            Ending::IllegalAction(_) => {
                self.losses.add(ConversionLoss::EndingWords, 1);
                self.ending(&Ending::IllegalMove, side)
            }
            Ending::Other(word) => self.other_ending(word, side),
            _ => {
                self.losses.add(ConversionLoss::EndingWords, 1);
                DRAW.to_owned()
            }
        }
    }

    /// An unknown word, if it would be read again as the same one.
    fn other_ending(&mut self, word: &str, side: Color) -> String {
        let written = one_line(word, self.losses);
        let again = reads_as_other(&written, side, self.style);
        if again {
            return written;
        }
        self.losses.add(ConversionLoss::EndingWords, 1);
        "中断".into()
    }

    fn time_losses(&mut self, node: &GameNode) {
        let Some(elapsed) = node.elapsed else { return };
        match self.style {
            KifStyle::Ki2 => self.losses.add(ConversionLoss::Times, 1),
            KifStyle::Kif => {
                self.losses
                    .add(ConversionLoss::TimeFractions, usize::from(elapsed.subsec_nanos() > 0));
            }
        }
    }

    fn remarks(&mut self, node: &GameNode) {
        for remark in &node.remarks {
            self.end_line();
            let line = one_line(remark, self.losses);
            // A remark must not look like the first line of a file.
            let guard = if line.starts_with("KIF") { " " } else { "" };
            push_line(self.text, &format!("#{guard}{line}"));
        }
    }

    /// Evaluations, comments, and the bookmark.
    fn annotations(&mut self, node: &GameNode, walk: &mut GameWalk<'_>) {
        for evaluation in &node.evaluations {
            self.end_line();
            let comment = evaluation.comment(node.mv(), walk.position());
            let line = one_line(&comment, self.losses);
            push_line(self.text, &format!("*{line}"));
        }
        for comment in &node.comments {
            self.end_line();
            let line = one_line(comment, self.losses);
            push_line(self.text, &format!("*{line}"));
        }
        if let Some(bookmark) = &node.bookmark {
            self.end_line();
            let line = one_line(bookmark, self.losses);
            push_line(self.text, &format!("&{line}"));
        }
    }
}
