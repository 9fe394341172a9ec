//! Writes CSA.

use super::endings::ending_word;
use super::escapes::escape;
use super::read::names_encoding;
use crate::position::Setup;
use crate::record::csa_move::{csa_move, piece_code, side_sign};
use crate::record::encoding::Encoding;
use crate::record::ending::Ending;
use crate::record::error::{ConversionLoss, ConversionLosses};
use crate::record::game_record::{GameNode, GameRecord, GameStep, NodeId};
use crate::record::game_walk::{GameWalk, VisitedNode};
use crate::record::handicap::Handicap;
use crate::record::header::{HeaderKey, TimeLimit, csa_date_time};
use crate::record::text::{one_line, push_line};
use crate::record::time;
use crate::types::{Color, Square};

/// The version to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::record) enum CsaVersion {
    V2,
    /// Times may have fractions.
    V3,
}

/// Appends the line above the first game that names the encoding.
pub(in crate::record) fn write_encoding(
    version: CsaVersion,
    encoding: Encoding,
    text: &mut String,
) {
    if version == CsaVersion::V3 {
        push_line(text, &format!("'CSA encoding={}", encoding.label().to_uppercase()));
    }
}

/// Appends the line between two games.
pub(in crate::record) fn write_separator(text: &mut String) {
    push_line(text, "/");
}

/// Appends a game.
pub(in crate::record) fn write(
    game: &GameRecord,
    version: CsaVersion,
    text: &mut String,
    losses: &mut ConversionLosses,
) {
    // Found once: a file may have very many headers.
    let has = |key: &HeaderKey| game.headers.get(key).is_some();
    let (has_event, has_start) = (has(&HeaderKey::Event), has(&HeaderKey::Start));
    CsaWriter { game, version, text, losses, has_event, has_start }.write();
}

struct CsaWriter<'a> {
    game: &'a GameRecord,
    version: CsaVersion,
    text: &'a mut String,
    losses: &'a mut ConversionLosses,
    /// Whether the game has these headers, which others stand in for.
    has_event: bool,
    has_start: bool,
}

impl CsaWriter<'_> {
    fn write(mut self) {
        let version = if self.version == CsaVersion::V2 { "V2.2" } else { "V3.0" };
        push_line(self.text, version);
        let root = self.game.node(NodeId::ROOT);
        self.remarks(root);
        self.headers();
        self.start();
        let mut walk = GameWalk::main_line(self.game);
        self.comments(root, &mut walk);
        self.losses.add(ConversionLoss::Bookmarks, usize::from(root.bookmark.is_some()));
        while let Some(visit) = walk.next() {
            self.step(visit, &mut walk);
        }
        self.count_branches();
    }

    /// Counts the moves and the endings of branches, which CSA does not have.
    fn count_branches(&mut self) {
        let game = self.game;
        let steps = game.nodes().filter(|&(id, _)| id != NodeId::ROOT).count();
        let moves = game.nodes().filter(|(_, node)| node.mv().is_some()).count();
        let endings = steps - moves - usize::from(game.ending().is_some());
        self.losses.add(ConversionLoss::Branches, moves - game.main_moves().count());
        self.losses.add(ConversionLoss::Endings, endings);
    }

    fn headers(&mut self) {
        for (key, name) in [(HeaderKey::Black, "N+"), (HeaderKey::White, "N-")] {
            let mut values = self.game.headers.iter().filter(|(found, _)| **found == key);
            if let Some((_, value)) = values.next() {
                let value = one_line(value, self.losses);
                push_line(self.text, &format!("{name}{value}"));
            }
            // CSA has one name for each player.
            self.losses.add(ConversionLoss::Headers, values.count());
        }
        let others = |key: &HeaderKey| !matches!(key, HeaderKey::Black | HeaderKey::White);
        for (key, value) in self.game.headers.iter().filter(|(key, _)| others(key)) {
            match self.header(key, value) {
                Some(line) => {
                    let line = one_line(&line, self.losses);
                    push_line(self.text, &line);
                }
                None => self.losses.add(ConversionLoss::Headers, 1),
            }
        }
    }

    /// The line of a header, if this version supports it.
    fn header(&self, key: &HeaderKey, value: &str) -> Option<String> {
        let limit = || TimeLimit::read(value);
        let newer = matches!(
            key,
            HeaderKey::BlackTimeLimit
                | HeaderKey::WhiteTimeLimit
                | HeaderKey::MaxMoves
                | HeaderKey::Jishogi
                | HeaderKey::Note
        );
        match (key, self.version) {
            (HeaderKey::TimeLimit, CsaVersion::V2) => {
                Some(format!("$TIME_LIMIT:{}", limit()?.csa2()?))
            }
            (HeaderKey::TimeLimit, CsaVersion::V3) => Some(format!("$TIME:{}", limit()?.csa3())),
            (HeaderKey::Title, _) if !self.has_event => {
                Some(format!("${}:{value}", HeaderKey::Event.csa()?))
            }
            (HeaderKey::Date, _) if self.has_start => None,
            (HeaderKey::Date | HeaderKey::Start, _) => {
                Some(format!("${}:{}", HeaderKey::Start.csa()?, csa_date_time(value)?))
            }
            (HeaderKey::End, _) => Some(format!("${}:{}", key.csa()?, csa_date_time(value)?)),
            (_, CsaVersion::V2) if newer => None,
            (HeaderKey::Note, CsaVersion::V3) => Some(format!("$NOTE:{}", escape(value))),
            (HeaderKey::BlackTimeLimit | HeaderKey::WhiteTimeLimit, CsaVersion::V3) => {
                Some(format!("${}:{}", key.csa()?, limit()?.csa3()))
            }
            _ => Some(format!("${}:{value}", key.csa()?)),
        }
    }

    fn start(&mut self) {
        let start = self.game.start();
        match Handicap::of(start) {
            Some(handicap) => push_line(self.text, &handicap.csa()),
            None => {
                (0..9).for_each(|rank| push_rank(self.text, start, rank));
                Color::ALL.into_iter().for_each(|color| push_hand(self.text, start, color));
            }
        }
        push_line(self.text, side_sign(start.side).encode_utf8(&mut [0; 4]));
        self.losses.add(ConversionLoss::StartNumbers, usize::from(start.game_ply > 1));
    }

    fn step(&mut self, visit: VisitedNode, walk: &mut GameWalk<'_>) {
        let node = self.game.node(visit.id);
        match node.step() {
            GameStep::Start => {}
            GameStep::Move(mv) => push_line(self.text, &csa_move(walk.position(), *mv)),
            GameStep::Ending(ending) => {
                let line = format!("%{}", self.ending(ending));
                push_line(self.text, &line);
            }
        }
        walk.enter();
        self.elapsed(node);
        self.remarks(node);
        self.comments(node, walk);
        self.losses.add(ConversionLoss::Bookmarks, usize::from(node.bookmark.is_some()));
    }

    fn ending(&mut self, ending: &Ending) -> String {
        let wider = match ending {
            Ending::MaxMoves if self.version == CsaVersion::V2 => Ending::Draw,
            ending => ending.clone(),
        };
        let word = ending_word(&wider).map(str::to_owned);
        if wider != *ending || word.is_none() {
            self.losses.add(ConversionLoss::EndingWords, 1);
        }
        word.unwrap_or_else(|| "CHUDAN".into())
    }

    fn elapsed(&mut self, node: &GameNode) {
        let Some(elapsed) = node.elapsed else { return };
        let line = match self.version {
            CsaVersion::V3 => format!("T{}", time::decimal(elapsed)),
            CsaVersion::V2 => {
                self.losses
                    .add(ConversionLoss::TimeFractions, usize::from(elapsed.subsec_nanos() > 0));
                format!("T{}", elapsed.as_secs())
            }
        };
        push_line(self.text, &line);
    }

    fn remarks(&mut self, node: &GameNode) {
        for remark in &node.remarks {
            // A remark must not begin like a comment, or like the line that names the encoding.
            let is_other = remark.starts_with('*') || names_encoding(remark);
            let guard = if is_other { " " } else { "" };
            let line = format!("'{guard}{}", one_line(remark, self.losses));
            push_line(self.text, &line);
        }
    }

    /// Evaluations come first: servers write them directly after the move.
    fn comments(&mut self, node: &GameNode, walk: &mut GameWalk<'_>) {
        for evaluation in &node.evaluations {
            let with_nodes = self.version == CsaVersion::V3;
            let line = if evaluation.is_by_player() && !evaluation.is_shogihome() {
                let exact = evaluation.fits_floodgate(with_nodes);
                self.losses.add(ConversionLoss::EvaluationDetails, usize::from(!exact));
                let nodes =
                    evaluation.nodes.filter(|_| with_nodes).map(|nodes| format!(" #{nodes}"));
                evaluation.floodgate(walk.position()) + &nodes.unwrap_or_default()
            } else {
                evaluation.with_names(node.mv(), walk.position())
            };
            let line = format!("'*{}", one_line(&line, self.losses));
            push_line(self.text, &line);
        }
        for comment in &node.comments {
            let line = format!("'*{}", one_line(comment, self.losses));
            push_line(self.text, &line);
        }
    }
}

fn push_rank(text: &mut String, start: &Setup, rank: u8) {
    let cell = |file| match start.piece_at(Square::new(file, rank)) {
        Some(piece) => format!("{}{}", side_sign(piece.color()), piece_code(piece.kind())),
        None => " * ".into(),
    };
    let cells: String = (0..9).rev().map(cell).collect();
    push_line(text, &format!("P{}{cells}", rank + 1));
}

fn push_hand(text: &mut String, start: &Setup, color: Color) {
    let hand = start.hands[color];
    if hand.is_empty() {
        return;
    }
    let pieces: String = hand
        .iter()
        .map(|(kind, count)| format!("00{}", piece_code(kind)).repeat(count as usize))
        .collect();
    push_line(text, &format!("P{}{pieces}", side_sign(color)));
}
