//! A picture that is drawn over itself: board, clocks, what the engine thinks, the last messages.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::Write;
use std::time::{Duration, Instant};

use chrono::Local;

use super::{Face, Glance, View, harmless};
use crate::csa::player::Thought;
use crate::position::Position;
use crate::record::format_duration;
use crate::types::Color;

/// How many messages stay to be seen.
const MESSAGES: usize = 10;
/// How many moves of a line are shown.
const LINE_MOVES: usize = 12;
/// How many characters of a line are shown.
const WIDTH: usize = 100;
/// The clocks go on at this pace.
const PACE: Duration = Duration::from_millis(500);
/// At least so long between two pictures.
const REST: Duration = Duration::from_millis(100);

/// See the module's comment.
#[derive(Debug)]
pub struct ScreenView<W> {
    out: W,
    /// Everything but the messages, as it was shown last.
    picture: String,
    messages: VecDeque<String>,
    /// When the picture was taken.
    taken: Option<Instant>,
    /// Whether the terminal has been cleared.
    begun: bool,
}

impl<W: Write + std::fmt::Debug> ScreenView<W> {
    pub fn new(out: W) -> ScreenView<W> {
        let (picture, messages) = (String::new(), VecDeque::new());
        ScreenView { out, picture, messages, taken: None, begun: false }
    }

    fn message(&mut self, mark: &str, text: &str) {
        if self.messages.len() == MESSAGES {
            self.messages.pop_front();
        }
        let now = Local::now().format("%H:%M:%S");
        self.messages.push_back(format!("{now} {mark}{}", harmless(text)));
        self.draw();
    }

    fn draw(&mut self) {
        let mut text = if self.begun { "\x1b[H".to_owned() } else { "\x1b[2J\x1b[H".into() };
        self.begun = true;
        for line in self.picture.lines().chain(self.messages.iter().map(String::as_str)) {
            let end = line.char_indices().nth(WIDTH).map_or(line.len(), |(at, _)| at);
            let _ = write!(text, "{}\x1b[K\r\n", &line[..end]);
        }
        text += "\x1b[J";
        // A terminal that is gone must not cost the game.
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

    fn show(&mut self, glance: &Glance<'_>) {
        if self.taken.is_some_and(|taken| taken.elapsed() < REST) {
            return;
        }
        self.taken = Some(Instant::now());
        let picture = picture(glance);
        if picture != self.picture {
            self.picture = picture;
            self.draw();
        }
    }

    fn pace(&self) -> Option<Duration> {
        Some(PACE)
    }
}

/// Everything but the messages.
fn picture(glance: &Glance<'_>) -> String {
    let server = harmless(glance.server);
    let latency = glance.latency.as_millis();
    let mut text = format!("{server}: {} (moves take {latency} ms)\n\n", glance.status);
    let (Some(faces), Some(position)) = (&glance.faces, glance.position) else { return text };
    let side = position.side_to_move();
    let _ = writeln!(text, "{}", face(&faces[Color::White], Color::White, side));
    text += &board(position);
    let _ = writeln!(text, "{}\n", face(&faces[Color::Black], Color::Black, side));
    let last = glance.last_move.map(|mv| mv.to_string()).unwrap_or_else(|| "-".into());
    let _ = writeln!(text, "move {}, last {last}", position.ply());
    text += &thinking(glance.thought, glance.pondering);
    text.push('\n');
    text
}

fn face(face: &Face<'_>, color: Color, side: Color) -> String {
    let mark = if color == side { '*' } else { ' ' };
    let clock = format_duration(face.time);
    let ours = if face.is_ours { " (we)" } else { "" };
    let name = harmless(face.name);
    format!("{mark} {clock} {color:?} {name}{ours}")
}

/// Hands and board.
fn board(position: &Position) -> String {
    let text = position.to_string();
    // What stands behind the hands is for those who compare programs.
    text.lines()
        .take_while(|line| !line.starts_with("Move "))
        .map(|line| format!("{line}\n"))
        .collect()
}

fn thinking(thought: Option<&Thought>, pondering: bool) -> String {
    let Some(thought) = thought else { return "\n\n".into() };
    let mut text = if pondering { "ponders:".to_owned() } else { "thinks:".to_owned() };
    if let Some(score) = thought.score {
        let _ = write!(text, " {score}");
    }
    if let Some(depth) = thought.depth {
        let _ = write!(text, " depth {depth}");
    }
    if let Some(nodes) = thought.nodes {
        let _ = write!(text, " nodes {nodes}");
    }
    text += "\n ";
    for mv in thought.line.iter().take(LINE_MOVES) {
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
    fn the_picture_shows_board_clocks_thoughts_and_messages() {
        let position = Position::startpos();
        let thought = Thought {
            depth: Some(12),
            nodes: Some(345),
            score: Some(EngineScore::Centipawns(-20)),
            line: vec!["7g7f".parse().unwrap()],
        };
        let face =
            |name, seconds, is_ours| Face { name, time: Duration::from_secs(seconds), is_ours };
        let glance = Glance {
            server: "example.org",
            status: "playing",
            latency: Duration::from_millis(12),
            faces: Some(ByColor([face("we\u{1b}[31m", 3661, true), face("they", 59, false)])),
            position: Some(&position),
            last_move: None,
            thought: Some(&thought),
            pondering: false,
        };
        let mut out = Vec::new();
        let mut view = ScreenView::new(&mut out);
        (0..20).for_each(|number| view.say(&format!("message {number}")));
        view.show(&glance);
        // Nothing new is nothing to draw.
        view.taken = None;
        view.show(&glance);
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
