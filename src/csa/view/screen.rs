//! A screen that is redrawn in place: board, clocks, search results, the last messages.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::Write;
use std::time::{Duration, Instant};

use chrono::Local;
use unicode_width::UnicodeWidthChar;

use super::board::board;
use super::state::{SideView, View, ViewState};
use crate::record::{SpelledMove, format_duration};
use crate::types::language::{Language, Localized, localized};
use crate::types::{ByColor, Color, printable};

/// Maximum number of messages shown.
const MAX_MESSAGES: usize = 10;
/// Maximum number of PV moves shown.
const MAX_PV_MOVES: usize = 12;
/// Columns and rows of a terminal that does not report them.
const DEFAULT_SIZE: (usize, usize) = (80, 24);
/// Interval of redrawing the clocks.
const REFRESH: Duration = Duration::from_millis(500);
/// Minimum time between two redraws of the state.
const MIN_INTERVAL: Duration = Duration::from_millis(100);

/// Redraws the terminal by escape sequences.
#[derive(Debug)]
pub struct ScreenView<W> {
    out: W,
    language: Language,
    /// Columns and rows of the terminal, asked at every drawing because they change.
    size: fn() -> Option<(usize, usize)>,
    /// The state as it was drawn last, without the messages.
    drawn: String,
    messages: VecDeque<String>,
    /// When the state was rendered last.
    rendered: Option<Instant>,
    /// Whether the terminal has been cleared.
    is_cleared: bool,
}

impl<W: Write + std::fmt::Debug> ScreenView<W> {
    /// A screen on a terminal; `size` gives its columns and rows, if it reports them.
    pub fn new(out: W, language: Language, size: fn() -> Option<(usize, usize)>) -> ScreenView<W> {
        let (drawn, messages) = (String::new(), VecDeque::new());
        ScreenView { out, language, size, drawn, messages, rendered: None, is_cleared: false }
    }

    fn message(&mut self, mark: &str, text: &str) {
        if self.messages.len() == MAX_MESSAGES {
            self.messages.pop_front();
        }
        let now = Local::now().format("%H:%M:%S");
        self.messages.push_back(format!("{now} {mark}{}", printable(text)));
        self.draw();
    }

    fn draw(&mut self) {
        let mut text = if self.is_cleared { "\x1b[H".to_owned() } else { "\x1b[2J\x1b[H".into() };
        self.is_cleared = true;
        // The cursor needs a row below the text, and a column behind it.
        let (columns, rows) = (self.size)().unwrap_or(DEFAULT_SIZE);
        let (columns, rows) = (columns.saturating_sub(1), rows.saturating_sub(1));
        let is_short = self.drawn.lines().count() + MAX_MESSAGES > rows;
        let mut lines: Vec<&str> =
            self.drawn.lines().filter(|line| !(is_short && line.is_empty())).take(rows).collect();
        let hidden = self.messages.len().saturating_sub(rows - lines.len());
        lines.extend(self.messages.iter().skip(hidden).map(String::as_str));
        for line in lines {
            let _ = write!(text, "{}\x1b[K\r\n", beginning(line, columns));
        }
        text += "\x1b[J";
        // A closed terminal must not end the game.
        let _ = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
    }
}

impl<W: Write + std::fmt::Debug> View for ScreenView<W> {
    fn info(&mut self, text: &str) {
        self.message("", text);
    }

    fn warn(&mut self, text: &str) {
        self.message("! ", text);
    }

    fn show(&mut self, state: &ViewState<'_>) {
        if self.rendered.is_some_and(|taken| taken.elapsed() < MIN_INTERVAL) {
            return;
        }
        self.rendered = Some(Instant::now());
        let rendered = render(state, self.language);
        if rendered != self.drawn {
            self.drawn = rendered;
            self.draw();
        }
    }

    fn language(&self) -> Language {
        self.language
    }

    fn refresh_interval(&self) -> Option<Duration> {
        Some(REFRESH)
    }
}

/// The beginning of a line, at most `columns` columns, with all escape sequences of the line.
fn beginning(line: &str, columns: usize) -> String {
    let (mut text, mut used, mut is_escape) = (String::new(), 0, false);
    for c in line.chars() {
        is_escape |= c == '\x1b';
        used += if is_escape { 0 } else { c.width().unwrap_or(0) };
        if is_escape || used <= columns {
            text.push(c);
        }
        is_escape &= c != 'm';
    }
    text
}

const US: Localized = localized(" (us)", "（当方）");
const PONDERING: Localized = localized("pondering:", "先読み中：");
const THINKING: Localized = localized("thinking:", "思考中：");
const DEPTH: Localized = localized("depth", "深さ");
const NODES: Localized = localized("nodes", "ノード数");

/// The state as text.
fn render(state: &ViewState<'_>, language: Language) -> String {
    let server = printable(state.server);
    let latency = state.network_delay.as_millis();
    let status = state.status.of(language);
    let mut text = match language {
        Language::English => format!("{server}: {status} (latency {latency} ms)\n\n"),
        Language::Japanese => format!("{server}：{status}（通信遅延{latency}ミリ秒）\n\n"),
    };
    let (Some(sides), Some(position)) = (&state.sides, state.position) else { return text };
    let to_move = position.side_to_move();
    let side = |color| side_line(&sides[color], color == to_move, language);
    let colors = ByColor(Color::ALL.map(|color| sides[color].color));
    let _ = writeln!(text, "{}", side(Color::White));
    text += &board(position, state.last_move, &colors, language);
    let _ = writeln!(text, "{}\n", side(Color::Black));
    let last = last_move(state, language).unwrap_or_else(|| "-".into());
    let _ = match language {
        Language::English => writeln!(text, "move {}, last {last}", position.game_ply()),
        Language::Japanese => writeln!(text, "{}手目、直前の手 {last}", position.game_ply()),
    };
    text += &search_lines(state, language);
    text.push('\n');
    text
}

/// The last move, in English in the notation of USI.
fn last_move(state: &ViewState<'_>, language: Language) -> Option<String> {
    let mv = state.last_move?;
    if language == Language::English {
        return Some(mv.to_string());
    }
    let mut before = state.position?.clone();
    before.undo_move(mv);
    Some(SpelledMove::of(&before, mv).ja)
}

fn side_line(side: &SideView<'_>, is_to_move: bool, language: Language) -> String {
    let mark = if is_to_move { '*' } else { ' ' };
    let clock = format_duration(side.time);
    let ours = if side.is_us { US.of(language) } else { "" };
    let name = printable(side.name);
    format!("{mark} {clock} {} {name}{ours}", side.color.of(language))
}

fn search_lines(state: &ViewState<'_>, language: Language) -> String {
    let Some(update) = state.update else { return "\n\n".into() };
    let mut text = if state.pondering { PONDERING } else { THINKING }.of(language).to_owned();
    if let Some(score) = update.score {
        let _ = write!(text, " {score}");
    }
    if let Some(depth) = update.depth {
        let _ = write!(text, " {} {depth}", DEPTH.of(language));
    }
    if let Some(nodes) = update.nodes {
        let _ = write!(text, " {} {nodes}", NODES.of(language));
    }
    text += "\n ";
    for mv in update.pv.iter().take(MAX_PV_MOVES) {
        let _ = write!(text, " {mv}");
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;
    use crate::csa::player::SearchUpdate;
    use crate::position::{Position, Setup};
    use crate::record::{HANDICAPS, side_names};
    use crate::types::Move;
    use crate::usi_client::EngineScore;

    /// Us as Black and an opponent.
    fn sides_of(start: &Setup) -> ByColor<SideView<'static>> {
        let colors = side_names(start);
        ByColor(Color::ALL.map(|color| SideView {
            name: if color == Color::Black { "we" } else { "they" },
            color: colors[color],
            time: Duration::ZERO,
            is_us: color == Color::Black,
        }))
    }

    /// The state of a game after the move `last` from the start.
    fn after<'a>(last: Move, position: &'a mut Position) -> ViewState<'a> {
        *position = Position::startpos();
        let sides = sides_of(&position.setup());
        position.try_play(last).unwrap();
        ViewState {
            server: "example.org",
            status: localized("playing the last game", "最後の対局中"),
            network_delay: Duration::from_millis(12),
            sides: Some(sides),
            position: Some(position),
            last_move: Some(last),
            update: None,
            pondering: false,
        }
    }

    #[test]
    fn the_screen_shows_board_clocks_search_and_messages() {
        let position = Position::startpos();
        let update = SearchUpdate {
            depth: Some(12),
            nodes: Some(345),
            score: Some(EngineScore::Centipawns(-20)),
            pv: vec!["7g7f".parse().unwrap()],
            best: None,
        };
        let colors = side_names(&position.setup());
        let side = |name, color, seconds, is_us| {
            let time = Duration::from_secs(seconds);
            SideView { name, color: colors[color], time, is_us }
        };
        let state = ViewState {
            server: "example.org",
            status: localized("playing", "対局中"),
            network_delay: Duration::from_millis(12),
            sides: Some(ByColor([
                side("we\u{1b}[31m", Color::Black, 3661, true),
                side("they", Color::White, 59, false),
            ])),
            position: Some(&position),
            last_move: None,
            update: Some(&update),
            pondering: false,
        };
        let mut out = Vec::new();
        let mut view = ScreenView::new(&mut out, Language::English, || Some((100, 40)));
        (0..20).for_each(|number| view.info(&format!("message {number}")));
        view.show(&state);
        // An unchanged state is not drawn again.
        view.rendered = None;
        view.show(&state);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches("\x1b[H").count(), 21);
        let text = text.rsplit("\x1b[H").next().unwrap();
        for part in [
            "example.org: playing (latency 12 ms)",
            "* 1:01:01 Black we?[31m (us)",
            "  0:00:59 White they",
            "thinking: cp -20 depth 12 nodes 345",
            "  7g7f",
            "message 19",
            "message 10",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        assert!(!text.contains("message 9\x1b") && !text.contains("sfen "));
        assert!(text.contains("| a") && text.contains("in hand: none"));
    }

    /// Regression: the screen was longer than a terminal of 24 rows, so that each drawing scrolled it, and long
    /// lines wrapped.
    #[test]
    fn the_screen_fits_a_terminal_of_80_columns_and_24_rows() {
        for (language, size) in [
            (Language::English, (|| None) as fn() -> Option<(usize, usize)>),
            (Language::Japanese, || Some((80, 24))),
            (Language::Japanese, || Some((20, 5))),
            (Language::Japanese, || Some((0, 0))),
        ] {
            let mut position = Position::startpos();
            let state = after("7g7f".parse().unwrap(), &mut position);
            let mut out = Vec::new();
            let mut view = ScreenView::new(&mut out, language, size);
            (0..20).for_each(|number| view.info(&format!("{number} {}", "長い".repeat(50))));
            view.show(&state);
            let text = String::from_utf8(out).unwrap();
            let screen = text.rsplit("\x1b[H").next().unwrap();
            let (columns, rows) = size().unwrap_or((80, 24));
            assert!(screen.matches("\r\n").count() < rows.max(1), "{screen}");
            assert_eq!(screen.matches("\x1b[7m").count(), screen.matches("\x1b[27m").count());
            for line in screen.lines() {
                let plain = line.replace("\x1b[7m", "").replace("\x1b[27m", "");
                let plain = plain.replace("\x1b[K", "").replace("\x1b[J", "");
                assert!(plain.width() < columns.max(1), "{line}");
            }
            if rows == 24 {
                assert!(screen.contains("example.org") && screen.contains(" 19 長い"), "{screen}");
            }
        }
    }

    #[test]
    fn a_japanese_screen_has_a_kanji_board_and_the_last_move_in_kanji() {
        let mut position = Position::startpos();
        let state = after("7g7f".parse().unwrap(), &mut position);
        let text = render(&state, Language::Japanese);
        for part in [
            "example.org：最後の対局中（通信遅延12ミリ秒）",
            "* 0:00:00 後手 they",
            "先手 we（当方）",
            "|v香v桂v銀v金v玉v金v銀v桂v香|一",
            "直前の手 ▲７六歩",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
    }

    /// Regression: the giver of a handicap was called 後手, and the other player 先手.
    #[test]
    fn a_japanese_screen_names_the_sides_of_a_handicap_game() {
        let start = HANDICAPS[1].setup();
        let position = Position::from_setup(&start).unwrap();
        let state = ViewState {
            server: "example.org",
            status: localized("playing", "対局中"),
            network_delay: Duration::ZERO,
            sides: Some(sides_of(&start)),
            position: Some(&position),
            last_move: None,
            update: None,
            pondering: false,
        };
        let text = render(&state, Language::Japanese);
        for part in ["* 0:00:00 上手 they", "  0:00:00 下手 we（当方）", "上手の持駒：なし"]
        {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        assert!(!text.contains("先手") && !text.contains("後手"), "{text}");
        assert!(render(&state, Language::English).contains("* 0:00:00 White they"));
    }
}
