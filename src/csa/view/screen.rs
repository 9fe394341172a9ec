//! A screen that is redrawn in place: board, clocks, search results, the last messages.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::Write;
use std::time::{Duration, Instant};

use chrono::Local;

use super::state::{PlayerView, View, ViewState};
use crate::csa::player::SearchUpdate;
use crate::position::Position;
use crate::record::format_duration;
use crate::sys::printable;
use crate::types::Color;

/// Messages shown.
const MESSAGES: usize = 10;
/// Moves shown of a PV.
const LINE_MOVES: usize = 12;
/// Characters shown of a line.
const WIDTH: usize = 100;
/// How often the clocks are redrawn.
const REFRESH: Duration = Duration::from_millis(500);
/// The least time between two redraws of the state.
const LEAST_INTERVAL: Duration = Duration::from_millis(100);

/// Redraws the terminal by escape sequences.
#[derive(Debug)]
pub struct ScreenView<W> {
    out: W,
    /// The state as it was drawn last, without the messages.
    drawn: String,
    messages: VecDeque<String>,
    /// When the state was rendered last.
    rendered: Option<Instant>,
    /// Whether the terminal has been cleared.
    is_cleared: bool,
}

impl<W: Write + std::fmt::Debug> ScreenView<W> {
    pub fn new(out: W) -> ScreenView<W> {
        let (drawn, messages) = (String::new(), VecDeque::new());
        ScreenView { out, drawn, messages, rendered: None, is_cleared: false }
    }

    fn message(&mut self, mark: &str, text: &str) {
        if self.messages.len() == MESSAGES {
            self.messages.pop_front();
        }
        let now = Local::now().format("%H:%M:%S");
        self.messages.push_back(format!("{now} {mark}{}", printable(text)));
        self.draw();
    }

    fn draw(&mut self) {
        let mut text = if self.is_cleared { "\x1b[H".to_owned() } else { "\x1b[2J\x1b[H".into() };
        self.is_cleared = true;
        for line in self.drawn.lines().chain(self.messages.iter().map(String::as_str)) {
            let end = line.char_indices().nth(WIDTH).map_or(line.len(), |(at, _)| at);
            let _ = write!(text, "{}\x1b[K\r\n", &line[..end]);
        }
        text += "\x1b[J";
        // A closed terminal must not end the game.
        let _ = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
    }
}

impl<W: Write + std::fmt::Debug> View for ScreenView<W> {
    fn say(&mut self, text: &str) {
        self.message("", text);
    }

    fn warn(&mut self, text: &str) {
        self.message("! ", text);
    }

    fn show(&mut self, state: &ViewState<'_>) {
        if self.rendered.is_some_and(|taken| taken.elapsed() < LEAST_INTERVAL) {
            return;
        }
        self.rendered = Some(Instant::now());
        let rendered = render(state);
        if rendered != self.drawn {
            self.drawn = rendered;
            self.draw();
        }
    }

    fn refresh_interval(&self) -> Option<Duration> {
        Some(REFRESH)
    }
}

/// The state as text.
fn render(state: &ViewState<'_>) -> String {
    let server = printable(state.server);
    let latency = state.latency.as_millis();
    let mut text = format!("{server}: {} (moves take {latency} ms)\n\n", state.status);
    let (Some(players), Some(position)) = (&state.players, state.position) else { return text };
    let side = position.side_to_move();
    let _ = writeln!(text, "{}", player_line(&players[Color::White], Color::White, side));
    text += &board(position);
    let _ = writeln!(text, "{}\n", player_line(&players[Color::Black], Color::Black, side));
    let last = state.last_move.map(|mv| mv.to_string()).unwrap_or_else(|| "-".into());
    let _ = writeln!(text, "move {}, last {last}", position.ply());
    text += &search_lines(state.update, state.pondering);
    text.push('\n');
    text
}

fn player_line(player: &PlayerView<'_>, color: Color, side: Color) -> String {
    let mark = if color == side { '*' } else { ' ' };
    let clock = format_duration(player.time);
    let ours = if player.is_us { " (we)" } else { "" };
    let name = printable(player.name);
    format!("{mark} {clock} {color:?} {name}{ours}")
}

/// Hands and board.
fn board(position: &Position) -> String {
    let text = position.to_string();
    // The lines after the hands are of no use here.
    text.lines()
        .take_while(|line| !line.starts_with("Move "))
        .map(|line| format!("{line}\n"))
        .collect()
}

fn search_lines(update: Option<&SearchUpdate>, pondering: bool) -> String {
    let Some(update) = update else { return "\n\n".into() };
    let mut text = if pondering { "ponders:".to_owned() } else { "thinks:".to_owned() };
    if let Some(score) = update.score {
        let _ = write!(text, " {score}");
    }
    if let Some(depth) = update.depth {
        let _ = write!(text, " depth {depth}");
    }
    if let Some(nodes) = update.nodes {
        let _ = write!(text, " nodes {nodes}");
    }
    text += "\n ";
    for mv in update.line.iter().take(LINE_MOVES) {
        let _ = write!(text, " {mv}");
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ByColor;
    use crate::usi_client::EngineScore;

    #[test]
    fn the_screen_shows_board_clocks_search_and_messages() {
        let position = Position::startpos();
        let update = SearchUpdate {
            depth: Some(12),
            nodes: Some(345),
            score: Some(EngineScore::Centipawns(-20)),
            line: vec!["7g7f".parse().unwrap()],
            best: None,
        };
        let player =
            |name, seconds, is_us| PlayerView { name, time: Duration::from_secs(seconds), is_us };
        let state = ViewState {
            server: "example.org",
            status: "playing",
            latency: Duration::from_millis(12),
            players: Some(ByColor([player("we\u{1b}[31m", 3661, true), player("they", 59, false)])),
            position: Some(&position),
            last_move: None,
            update: Some(&update),
            pondering: false,
        };
        let mut out = Vec::new();
        let mut view = ScreenView::new(&mut out);
        (0..20).for_each(|number| view.say(&format!("message {number}")));
        view.show(&state);
        // An unchanged state is not drawn again.
        view.rendered = None;
        view.show(&state);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches("\x1b[H").count(), 21);
        let text = text.rsplit("\x1b[H").next().unwrap();
        for part in [
            "example.org: playing (moves take 12 ms)",
            "* 1:01:01 Black we?[31m (we)",
            "  0:00:59 White they",
            "thinks: cp -20 depth 12 nodes 345",
            "  7g7f",
            "message 19",
            "message 10",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        assert!(!text.contains("message 9\x1b") && !text.contains("sfen "));
        assert!(text.contains("| a") && text.contains("in hand: none"));
    }
}
