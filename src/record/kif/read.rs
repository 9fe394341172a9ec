//! Reads KIF and KI2, which may be mixed.
//!
//! Tolerates defects of real files: digits of any width, spaces and colons of either width, headers
//! without a value, comments between headers, diagrams without a side to move, missing times, numbers or endings,
//! several games in a file, unknown lines.

use super::diagram::Diagram;
use super::endings::{ending, footer_ending, footer_text, says_no_more};
use super::lines::KnownLines;
use super::steps::{
    begins_with_a_move, has_time, is_bare_ending, is_bare_move, is_move_line, looks_like_a_move,
    numbered, read_elapsed, split_time,
};
use super::words::{KifStyle, OTHER_START, PROBLEMS};
use crate::position::Setup;
use crate::position::sfen::MAX_MOVE_NUMBER;
use crate::record::ending::Ending;
use crate::record::error::{MoveError, RecordError, RecordErrorKind, WarningKind, quote};
use crate::record::game_builder::{ErrorPolicy, GameBuilder, LineReader};
use crate::record::game_record::NodeId;
use crate::record::handicap::{Handicap, named_start};
use crate::record::header::HeaderKey;
use crate::record::japanese_move;
use crate::record::japanese_text::{is_arabic, is_mark, leading_number};
use crate::record::line_detection::is_of_other_notation;
use crate::types::{Color, Square};

#[derive(Default)]
struct KifHeader {
    diagram: Diagram,
    /// The line and the value of the handicap header, whether known or not.
    handicap: Option<(usize, String)>,
    /// Whether a line was read that is found in KIF and KI2 only.
    is_certain: bool,
    /// Whether there were headers with known names, and whether there was an unknown header or line.
    has_known_headers: bool,
    has_unknown: bool,
    /// Whether there was a line that is not even a header.
    has_unknown_lines: bool,
    side: Option<Color>,
    /// Number of moves before the diagram.
    played: u32,
    /// The destination of the last of these moves, and the side that made it.
    last_square: Option<Square>,
    last_mover: Option<Color>,
}

/// Reads a file with one or several games.
pub(in crate::record) struct KifReader {
    builder: GameBuilder,
    head: KifHeader,
    /// The difference between the move numbers of the file and those of the game.
    number_offset: usize,
    /// Whether a move or an ending has been read, or skipped in the rest of a game after an error.
    has_seen_step: bool,
    /// The last ending from a footer, which has no number.
    footer: Option<NodeId>,
    lines: KnownLines,
    /// Whether a heading has begun a branch of this game.
    has_branch_headings: bool,
    /// Headers after the first step: those of the next game, if one follows.
    late_headers: Vec<(HeaderKey, String)>,
}

impl LineReader for KifReader {
    fn line(&mut self, line_number: usize, line: &str) -> Result<(), RecordError> {
        let line = line.trim();
        if self.begins_a_game(line) {
            self.finish(line_number)?;
            self.add_late_headers();
        }
        if self.builder.is_given_up() {
            self.has_seen_step |= line.starts_with(is_mark) || is_move_line(line);
            let known =
                header(line).map(|(name, value)| (HeaderKey::of_kif(name), value.to_owned()));
            self.late_headers.extend(known.filter(|(key, _)| self.has_seen_step && key.is_known()));
            return Ok(());
        }
        let error = self.read_line(line_number, line).err();
        self.builder.handle_error(line_number, error)
    }

    fn end_text(&mut self, last: usize) -> Result<(), RecordError> {
        self.add_late_headers();
        self.finish(last)
    }

    fn builder(&mut self) -> &mut GameBuilder {
        &mut self.builder
    }
}

impl KifReader {
    pub(in crate::record) fn new(policy: ErrorPolicy) -> KifReader {
        KifReader {
            builder: GameBuilder::new(policy),
            head: KifHeader::default(),
            number_offset: 0,
            has_seen_step: false,
            footer: None,
            lines: KnownLines::default(),
            has_branch_headings: false,
            late_headers: Vec::new(),
        }
    }

    fn finish(&mut self, line_number: usize) -> Result<(), RecordError> {
        if !self.builder.is_given_up() {
            if !self.is_game() {
                self.builder.discard();
            } else if self.builder.has_content() {
                let error = self.begin(line_number, "").err();
                self.builder.handle_error(line_number, error)?;
            }
        }
        self.builder.finish();
        (self.head, self.number_offset, self.has_seen_step) = (KifHeader::default(), 0, false);
        (self.lines, self.has_branch_headings, self.footer) = (KnownLines::default(), false, None);
        Ok(())
    }

    /// Whether the text is a game, and not another text with colons, such as a web page.
    fn is_game(&self) -> bool {
        let head = &self.head;
        let is_certain = head.is_certain || head.diagram.is_begun() || head.diagram.has_hands();
        is_certain
            || self.builder.has_steps()
            || head.handicap.is_some() && !head.has_unknown_lines
            || head.has_known_headers && !head.has_unknown
    }

    /// Adds the late headers to the current game.
    fn add_late_headers(&mut self) {
        for (key, value) in std::mem::take(&mut self.late_headers) {
            self.builder.header(key, &value);
        }
    }

    /// Whether a line can only be a header of another game.
    fn begins_a_game(&self, line: &str) -> bool {
        let is_over = self.has_seen_step || self.builder.is_given_up();
        if line.starts_with("#KIF") {
            return is_over || self.head.handicap.is_some() || self.head.diagram.is_begun();
        }
        match header(line) {
            Some(("手合割", _)) => is_over || self.head.handicap.is_some(),
            Some(("開始日時", _)) => is_over,
            // The players of a game may also come after its diagram, even an invalid one.
            Some(("先手" | "下手" | "後手" | "上手", _)) => self.has_seen_step,
            Some((name, _)) if hand_owner(name) == Some(Color::White) => {
                self.is_beyond_whites_hand()
            }
            _ => false,
        }
    }

    /// Whether White's hand can only belong to the next game. It may also follow the diagram of this game, so
    /// a diagram without it is not enough.
    fn is_beyond_whites_hand(&self) -> bool {
        let diagram = &self.head.diagram;
        let is_settled = diagram.is_complete() || self.builder.is_given_up();
        self.has_seen_step || is_settled && diagram.gives_hand(Color::White)
    }

    fn read_line(&mut self, line_number: usize, line: &str) -> Result<(), RecordErrorKind> {
        let Some(first) = line.chars().next() else { return Ok(()) };
        let rest = &line[first.len_utf8()..];
        match first {
            '#' if rest.starts_with("KIF") => {
                self.builder.mark_content();
                self.head.is_certain = true;
            }
            '#' => self.builder.remark(rest),
            '*' => self.builder.comment(rest),
            '&' => self.builder.bookmark(line_number, rest),
            '|' | '｜' => return self.add_to_diagram(line, |diagram| diagram.rank(line)),
            '+' if rest.starts_with("--") => {}
            // The board is to be shown from White's side.
            _ if line == "盤面回転" => {}
            _ if line.starts_with("変化") => return self.branch(line_number, line),
            _ if line.starts_with("まで") => return self.footer(line_number, line),
            _ if line.starts_with("手数") && header(line).is_none() => {
                self.read_move_count(line_number, line)
            }
            _ if is_mark(first) => return self.ki2_moves(line_number, line),
            _ if is_file_row(line) => {}
            _ => return self.read_other_line(line_number, line),
        }
        Ok(())
    }

    fn read_other_line(&mut self, line_number: usize, line: &str) -> Result<(), RecordErrorKind> {
        let side = match line {
            "先手番" | "下手番" => Some(Color::Black),
            "後手番" | "上手番" => Some(Color::White),
            _ => None,
        };
        if side.is_some() && !self.builder.is_begun() {
            self.head.side = side;
            return Ok(());
        }
        if let Some((move_number, step)) = numbered(line).filter(|step| self.is_step(*step)) {
            return self.step(line_number, line, move_number, step);
        }
        if is_bare_ending(line) || is_bare_move(line) {
            return self.unnumbered_step(line_number, line);
        }
        if let Some((name, value)) = header(line) {
            return self.header(line_number, line, name, value);
        }
        (self.head.has_unknown, self.head.has_unknown_lines) = (true, true);
        self.builder.warn(line_number, WarningKind::UnknownLine(quote(line)));
        Ok(())
    }

    /// The number of the next step in the file.
    fn next_number(&self) -> usize {
        self.builder.cursor.moves() + 1 + self.number_offset
    }

    /// Whether a number and the text after it are a step, not the beginning of a sentence.
    fn is_step(&self, (move_number, step): (usize, &str)) -> bool {
        let follows = move_number == self.next_number();
        follows || looks_like_a_move(step) || has_time(step) || ending(step, Color::Black).is_some()
    }

    fn header(
        &mut self,
        line_number: usize,
        line: &str,
        name: &str,
        value: &str,
    ) -> Result<(), RecordErrorKind> {
        if let Some(color) = hand_owner(name) {
            return self.add_to_diagram(line, |diagram| diagram.hand(color, value));
        }
        let side = stated_side(name, value).filter(|_| !self.builder.is_begun());
        if side.is_some() {
            self.head.side = side;
            return Ok(());
        }
        match name {
            "手合割" => {
                self.builder.mark_content();
                self.head.handicap = Some((line_number, value.trim().to_owned()));
            }
            _ => {
                let key = HeaderKey::of_kif(name);
                self.head.has_known_headers |= key.is_known();
                self.head.has_unknown |= !key.is_known();
                if self.has_seen_step {
                    self.late_headers.push((key, value.to_owned()));
                } else {
                    self.builder.header(key, value.trim());
                }
            }
        }
        Ok(())
    }

    /// Adds a part to the diagram.
    fn add_to_diagram(
        &mut self,
        line: &str,
        add: impl FnOnce(&mut Diagram) -> Option<()>,
    ) -> Result<(), RecordErrorKind> {
        self.builder.mark_content();
        let added = if self.builder.is_begun() { None } else { add(&mut self.head.diagram) };
        added.ok_or_else(|| RecordErrorKind::InvalidPosition(quote(line)))
    }

    /// `手数＝30 ▲３四馬 まで` gives the number of moves before a diagram, and possibly the last one;
    /// `手数----指手---` is only a heading.
    fn read_move_count(&mut self, line_number: usize, line: &str) {
        self.builder.mark_content();
        self.head.is_certain = true;
        let rest = line["手数".len()..].trim_start();
        let Some(statement) = rest.strip_prefix(['＝', '=']) else { return };
        let counted = leading_number(statement.trim_start());
        let played = counted.and_then(|(played, _)| u32::try_from(played).ok());
        match played.filter(|&played| played < MAX_MOVE_NUMBER) {
            Some(played) if !self.builder.is_begun() => {
                self.head.played = played;
                let statement = counted.map_or("", |(_, rest)| rest.trim_start_matches('手'));
                if !["", "まで"].contains(&statement.trim()) {
                    // No other line can hold the last move.
                    self.builder.remark(line);
                }
                let parsed_move =
                    japanese_move::read_move(statement).map(|(parsed_move, _)| parsed_move);
                self.head.last_square = parsed_move.and_then(|parsed_move| parsed_move.to);
                self.head.last_mover = parsed_move.and_then(|parsed_move| parsed_move.side);
            }
            _ => self.builder.warn(line_number, WarningKind::UnknownLine(quote(line))),
        }
    }

    /// Ends the headers of the game, if not yet done. `first` is the first step, if there is one.
    fn begin(&mut self, line_number: usize, first: &str) -> Result<(), RecordErrorKind> {
        if self.builder.is_begun() {
            return Ok(());
        }
        let setup = self.start(line_number, first)?;
        self.warn_of_other_handicap(&setup);
        self.keep_handicap_name(&setup);
        self.builder.begin(setup)
    }

    /// The start position: that of the diagram or else of the handicap.
    fn start(&mut self, line_number: usize, first: &str) -> Result<Setup, RecordErrorKind> {
        let site = self.builder.cursor.game().headers.get(&HeaderKey::Site);
        let KifHeader { diagram, handicap, side, played, last_mover, .. } = &self.head;
        let named = handicap.as_ref().and_then(|(_, name)| named_start(name, site));
        if diagram.is_begun() {
            if !diagram.is_complete() {
                return Err(RecordErrorKind::InvalidPosition(quote("|")));
            }
            let default_side = named.map_or(Color::Black, |start| start.side);
            let first_side =
                side.or_else(|| diagram.mover(first)).or(last_mover.map(|mover| !mover));
            return Ok(diagram.setup(first_side.unwrap_or(default_side), played + 1));
        }
        if diagram.has_hands() {
            self.builder.warn(line_number, WarningKind::UnknownLine(quote("持駒")));
        }
        if let (None, Some((line, name))) = (&named, handicap)
            && !["", OTHER_START].contains(&name.as_str())
            && !PROBLEMS.contains(&name.as_str())
        {
            self.builder.warn(*line, WarningKind::UnknownHandicap(quote(name)));
        }
        Ok(named.unwrap_or_else(Setup::startpos))
    }

    /// A handicap that the start position does not show is lost. An even game is also named above problems.
    fn warn_of_other_handicap(&mut self, start: &Setup) {
        let Some((line, name)) = &self.head.handicap else { return };
        let site = self.builder.cursor.game().headers.get(&HeaderKey::Site);
        let first = Setup { game_ply: 1, ..start.clone() };
        let is_handicap = Handicap::named(name).is_some_and(|named| !named.is_even());
        if is_handicap && named_start(name, site) != Some(first) {
            self.builder.warn(*line, WarningKind::OtherHandicap(quote(name)));
        }
    }

    /// Keeps a name that the writer does not find by the start position: a kind of problem or an unusual handicap.
    fn keep_handicap_name(&mut self, start: &Setup) {
        let Some((_, name)) = &self.head.handicap else { return };
        let is_told = !self.head.diagram.is_begun() && Handicap::of(start).is_some();
        let is_left = !is_told || PROBLEMS.contains(&name.as_str());
        if is_left && Handicap::named(name).is_none() && name != OTHER_START {
            self.builder.header(HeaderKey::of_kif("手合割"), name);
        }
    }

    fn branch(&mut self, line_number: usize, line: &str) -> Result<(), RecordErrorKind> {
        if !self.has_seen_step {
            // Some programs write such lines among the headers by mistake.
            self.builder.warn(line_number, WarningKind::UnknownLine(quote(line)));
            return Ok(());
        }
        let rest = line["変化".len()..].trim_start_matches([':', '：', ' ', '　']);
        let wrong = || RecordErrorKind::UnreachableBranch(quote(line));
        let (move_number, _) = leading_number(rest).ok_or_else(wrong)?;
        let own_number = move_number.checked_sub(self.number_offset).ok_or_else(wrong)?;
        self.has_branch_headings = true;
        self.lines.branch(&mut self.builder.cursor, own_number).then_some(()).ok_or_else(wrong)
    }

    /// A move or an ending with its number.
    fn step(
        &mut self,
        line_number: usize,
        line: &str,
        move_number: usize,
        step: &str,
    ) -> Result<(), RecordErrorKind> {
        if !self.has_seen_step {
            self.number_offset = move_number.saturating_sub(1);
            self.has_seen_step = true;
        }
        self.begin(line_number, step)?;
        let before = move_number.checked_sub(self.number_offset + 1);
        let cursor = &self.builder.cursor;
        let continues = self.footer == Some(cursor.current()) && before == Some(cursor.moves());
        match before {
            _ if continues => {}
            Some(before) if before <= cursor.moves() && !self.repeats_number(before, step) => {
                self.lines.add(cursor);
                self.builder.cursor.go_to(before);
            }
            // An illegal move is recorded as an ending, but counts as a move.
            Some(before)
                if self.builder.ends_with_illegal_move()
                    && before == self.builder.cursor.moves() + 1 => {}
            _ => self.builder.warn(line_number, WarningKind::UnexpectedNumber(quote(line))),
        }
        self.move_or_ending(line_number, step)
    }

    /// A move or an ending without its number: it is the next.
    fn unnumbered_step(&mut self, line_number: usize, step: &str) -> Result<(), RecordErrorKind> {
        self.has_seen_step = true;
        self.begin(line_number, step)?;
        self.move_or_ending(line_number, step)
    }

    /// Whether a step of a branch has the number of the one before by mistake. Where headings begin the
    /// branches, a number alone begins one only if the step cannot be the next.
    fn repeats_number(&self, before: usize, step: &str) -> bool {
        let cursor = &self.builder.cursor;
        if !self.has_branch_headings || before + 1 != cursor.moves() || cursor.is_at_ending() {
            return false;
        }
        let position = cursor.position();
        let found = japanese_move::read_move(step)
            .and_then(|(parsed_move, _)| parsed_move.resolve(position, cursor.last_square()).ok());
        found.map_or(ending(step, Color::Black).is_some(), |mv| position.is_legal(mv))
    }

    fn move_or_ending(&mut self, line_number: usize, step: &str) -> Result<(), RecordErrorKind> {
        let side = self.builder.cursor.position().side_to_move();
        if let Some((ending, rest)) = ending(step, side) {
            let has_ended = self.builder.ends_with_illegal_move();
            self.add_ending(line_number, step, ending);
            if !has_ended {
                self.elapsed(line_number, rest);
            }
        } else if let Some(rest) = self.play(line_number, step)? {
            self.elapsed(line_number, rest);
        } else if looks_like_a_move(step) {
            self.builder.play(line_number, step, Err(MoveError::Unreadable))?;
        } else {
            let (word, rest) = step.split_once(char::is_whitespace).unwrap_or((step, ""));
            let word = word.trim_end_matches('+');
            self.add_ending(line_number, step, Ending::Other(word.to_owned()));
            self.elapsed(line_number, rest);
        }
        Ok(())
    }

    /// Plays the move at the beginning of a text. Returns the rest; `None` if there is no move.
    fn play<'a>(
        &mut self,
        line_number: usize,
        text: &'a str,
    ) -> Result<Option<&'a str>, RecordErrorKind> {
        let Some((parsed_move, rest)) = japanese_move::read_move(text) else { return Ok(None) };
        let last = self.builder.cursor.last_square().or(self.head.last_square);
        let found = parsed_move.resolve(self.builder.cursor.position(), last);
        self.builder.play(line_number, &text[..text.len() - rest.len()], found)?;
        Ok(Some(rest))
    }

    fn add_ending(&mut self, line_number: usize, text: &str, ending: Ending) {
        self.has_seen_step = true;
        if !self.builder.end(ending) {
            self.builder.warn(line_number, WarningKind::DuplicateEnding(quote(text)));
        }
    }

    /// Reads the time after a step, and a comment after that.
    fn elapsed(&mut self, line_number: usize, rest: &str) {
        let (time, after) = split_time(rest);
        match read_elapsed(time) {
            Some(spent) => self.builder.elapsed(line_number, spent, time),
            None if time.is_empty() => {}
            None => self.builder.warn(line_number, WarningKind::InvalidTime(quote(time))),
        }
        match after.strip_prefix('*') {
            Some(comment) => self.builder.comment(comment),
            None if after.is_empty() => {}
            None => self.builder.warn(line_number, WarningKind::UnknownLine(quote(after))),
        }
    }

    /// The moves of a line of KI2.
    fn ki2_moves(&mut self, line_number: usize, line: &str) -> Result<(), RecordErrorKind> {
        if !self.has_seen_step && !line.split(is_mark).any(begins_with_a_move) {
            // Names of the players with their marks, above the moves.
            self.builder.warn(line_number, WarningKind::UnknownLine(quote(line)));
            return Ok(());
        }
        self.has_seen_step = true;
        self.begin(line_number, line)?;
        let mut rest = line;
        while !rest.is_empty() {
            let Some(after) = self.play(line_number, rest)? else {
                return self.ki2_ending(line_number, rest);
            };
            rest = after.trim_start();
        }
        Ok(())
    }

    /// An ending among the moves of KI2, or the text that belongs below them. Other text that is not a move is an
    /// error.
    fn ki2_ending(&mut self, line_number: usize, text: &str) -> Result<(), RecordErrorKind> {
        if text.starts_with("まで") {
            return self.footer(line_number, text);
        }
        let side = self.builder.cursor.position().side_to_move();
        match ending(text, side).filter(|_| is_bare_ending(text)) {
            Some((ending, rest)) => {
                self.add_ending(line_number, text, ending);
                self.elapsed(line_number, rest);
                Ok(())
            }
            None => self.builder.play(line_number, text, Err(MoveError::Unreadable)),
        }
    }

    /// `まで76手で先手の勝ち` is the ending, if no step has given it.
    fn footer(&mut self, line_number: usize, line: &str) -> Result<(), RecordErrorKind> {
        self.begin(line_number, "")?;
        let cursor = &self.builder.cursor;
        let side = cursor.position().side_to_move();
        match footer_ending(line, side) {
            Some(stated) if is_footer(line, &stated) => {
                self.stated_ending(line_number, line, stated);
            }
            // A number of moves alone.
            None if cursor.is_at_ending() => {}
            _ => self.builder.warn(line_number, WarningKind::UnknownLine(quote(line))),
        }
        Ok(())
    }

    /// The ending that the line below the moves states. It also tells how an interrupted game ended.
    fn stated_ending(&mut self, line_number: usize, line: &str, stated: Ending) {
        let cursor = &self.builder.cursor;
        match cursor.ending() {
            None => {
                self.add_ending(line_number, line, stated);
                self.footer = Some(self.builder.cursor.current());
            }
            Some(known) if says_no_more(&stated, known, cursor.position().side_to_move()) => {}
            Some(Ending::Interrupted) if self.is_about_this_line(line) => {
                self.builder.cursor.replace_ending(stated);
            }
            Some(_) => {
                let second = WarningKind::DuplicateEnding(quote(line));
                self.builder.warn(line_number, second);
            }
        }
    }

    /// Whether the number of moves below them, if there is one, is that of the current line.
    fn is_about_this_line(&self, footer: &str) -> bool {
        leading_number(footer_text(footer)).is_none_or(|(moves, _)| moves + 1 == self.next_number())
    }
}

/// Whether a line that begins with `まで` is below moves, not a sentence: it has their number or a known
/// word.
fn is_footer(line: &str, ending: &Ending) -> bool {
    let has_number =
        leading_number(footer_text(line)).is_some_and(|(_, rest)| rest.starts_with('手'));
    has_number || !matches!(ending, Ending::Other(_))
}

/// A header's name and value. Colons are of either width; one in a time does not end a name.
fn header(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(['：', ':'])?;
    let name = name.trim();
    (!name.is_empty() && !has_time(line)).then_some((name, value))
}

/// The side whose hand a header of this name gives, in either spelling.
fn hand_owner(name: &str) -> Option<Color> {
    let player = name.strip_suffix("の持駒").or_else(|| name.strip_suffix("の持ち駒"))?;
    match player {
        "先手" | "下手" => Some(Color::Black),
        "後手" | "上手" => Some(Color::White),
        _ => None,
    }
}

/// The side to move that a header states: `手番：後手`.
fn stated_side(name: &str, value: &str) -> Option<Color> {
    match value.trim_start().chars().next().filter(|_| name == "手番")? {
        '先' | '下' => Some(Color::Black),
        '後' | '上' => Some(Color::White),
        _ => None,
    }
}

/// Whether a line is the file digits above a diagram.
fn is_file_row(line: &str) -> bool {
    line.chars().all(|c| is_arabic(c) || c.is_whitespace())
}

/// Whether a word would be read again as the same unknown ending.
pub(super) fn reads_as_other(word: &str, side: Color, style: KifStyle) -> bool {
    let other = Some(Ending::Other(word.to_owned()));
    match style {
        KifStyle::Ki2 => footer_ending(&format!("まで0手で{word}"), side) == other,
        KifStyle::Kif => {
            !word.is_empty()
                && !word.contains(char::is_whitespace)
                && !looks_like_a_move(word)
                && !word.starts_with(['手', '目', '.', '('])
                && !word.ends_with('+')
                && ending(word, side).is_none()
        }
    }
}

/// Whether a header would be read again as a header.
pub(super) fn reads_as_header(name: &str, value: &str) -> bool {
    let line = format!("{name}：1");
    let is_word = |c: char| !is_mark(c) && !"#*&|｜+".contains(c);
    header(&line).is_some_and(|(found, _)| found == name)
        && name.starts_with(is_word)
        && !is_of_other_notation(&line)
        && !name.contains(char::is_control)
        && numbered(&line).is_none()
        && !["変化", "まで"].iter().any(|word| name.starts_with(word))
        && hand_owner(name).is_none()
        && stated_side(name, value).is_none()
        && name != "手合割"
}
