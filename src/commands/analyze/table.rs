//! The report as a table for the terminal.

use std::fmt::Write;

use kawasemi::record::SpelledMove;
use kawasemi::types::Color;
use kawasemi::types::language::{Language, Localized, localized};
use kawasemi::types::message::{listed, message};

use super::report::{
    AnalysisReport, BranchReport, FormationReport, GameReport, LineReport, MoveAnalysis,
    MoveReport, PositionReport, ScoreReport, SideReport,
};
use crate::commands::columns::{pad_left, pad_right, width, wrap};
use crate::commands::source_game::game_name;

/// Number of moves shown of a line that does not end in mate.
const SHOWN: usize = 6;
const MOVE_WIDTH: usize = 12;
const SCORE_WIDTH: usize = 13;

const HEADING: [Localized; 6] = [
    localized("#", "手数"),
    localized("move", "指し手"),
    localized("score", "評価値"),
    localized("win", "勝率"),
    localized("loss", "損失"),
    localized("win loss", "勝率低下"),
];
const BEST: Localized = localized("best line", "最善の読み筋");
/// After the name of a side.
const SUMMARY: [Localized; 7] = [
    localized("moves", "手数"),
    localized("best", "最善手"),
    localized("?!", "疑問手"),
    localized("?", "悪手"),
    localized("??", "大悪手"),
    localized("mean loss", "平均損失"),
    localized("accuracy", "精度"),
];
/// Before the names of openings and of castles.
const FORMATIONS: [(&str, Localized); 2] =
    [("opening", localized("Opening:", "戦型：")), ("castle", localized("Castle:", "囲い："))];
const MATE: Localized = localized("mate", "詰");
/// The mate is on the board.
const MATED: Localized = localized("mate", "詰み");
const WIN_REASONS: [(&str, Localized); 3] = [
    ("perpetual_check", localized("by check", "連続王手")),
    ("declaration", localized("by entry", "宣言")),
    ("unshown", localized("wins", "勝ち")),
];
const MISSES_MATE: Localized = localized("misses mate", "詰み逃し");
const BOOK: Localized = localized("book", "定跡");
const NOT_ANALYSED: Localized = localized("not analysed", "未解析");
const END: Localized = localized("(end)", "（終局）");
const LEGEND: Localized = localized(
    "Scores and win rates are Black's, after the move; losses are the player's, against the \
     best line.\n* the best move, ?! dubious, ? mistake, ?? blunder: from 2.5, 5, 10 \
     percentage points on.\nmate 9: none by checks alone is shorter. mate <=9: within 9 plies, a \
     shorter one is not ruled out.\n>= and <=: a bound. by check, by entry: won by the \
     opponent's perpetual check, or by declaration or try.\nwins: won, but the line is not \
     known.\n",
    "評価値と勝率は指した後の先手（駒落ちでは下手）側の値、損失は最善の読み筋と比べた指し手側の値。\n\
     * 最善手、?! 疑問手、? 悪手、?? 大悪手（勝率で2.5、5、10ポイントの損失）。\n\
     詰9：王手だけの手順では最短の9手詰。詰<=9：9手以内の詰み（より短い手順がないとは限らない）。>= <=：下限・上限。\n\
     連続王手：相手の連続王手の千日手による勝ち。宣言：入玉宣言かトライによる勝ち。勝ち：手順未確認の勝ち。\n",
);

/// A terminal with fewer columns gets narrow rows, with the lines below them.
const WIDE: usize = 110;
/// Indentation of the lines that continue a row.
const INDENT: usize = 5;
/// Escape sequences around `?` and `??`.
const COLOURS: [(&str, &str); 2] = [("??", "\x1b[1;31m"), ("?", "\x1b[33m")];
const PLAIN: &str = "\x1b[0m";

const HUMAN_WIN_RATES: Localized = localized(
    "win: for games between people; losses are for games between engines.\n",
    "勝率は人間同士の対局のもの、損失はエンジン同士の対局のもの。\n",
);

/// The style of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableStyle {
    pub(super) language: Language,
    /// Whether win rates are those in games of people.
    pub(super) is_human: bool,
    /// Of the terminal; `None` for a file, whose lines may be long.
    pub(super) columns: Option<usize>,
    /// Whether `?` and `??` are coloured.
    pub(super) has_colours: bool,
}

struct ReportTable {
    style: TableStyle,
    text: String,
}

pub(super) fn text(report: &AnalysisReport, style: TableStyle) -> String {
    let language = style.language;
    let mut table = ReportTable { style, text: String::new() };
    for game in &report.games {
        table.game(game);
    }
    let human = if style.is_human { HUMAN_WIN_RATES.of(language) } else { "" };
    LEGEND.of(language).lines().chain(human.lines()).for_each(|line| table.line(line));
    table.text
}

impl ReportTable {
    fn game(&mut self, game: &GameReport) {
        let name = game_name(&game.file, game.number);
        let unnamed = || "?".to_owned();
        let [black, white] =
            [&game.black, &game.white].map(|name| name.clone().unwrap_or_else(unnamed));
        self.line(&format!("{}: ▲{black} △{white}", name.of(self.style.language)));
        self.formations(&game.formations);
        let [number, mv, score, win, loss, win_loss] =
            HEADING.map(|words| words.of(self.style.language));
        let mut head = format!("{} ", pad_left(number, 4));
        head += &pad_right(mv, MOVE_WIDTH + 3);
        head += &pad_left(score, self.score_width());
        head += &pad_left(win, 6);
        if !self.is_narrow() {
            head += &format!("{}{}  ", pad_left(loss, 7), pad_left(win_loss, 10));
            head += BEST.of(self.style.language);
        }
        self.line(&head);
        self.rows(&game.moves, game.end.as_ref());
        for (index, branch) in game.branches.iter().enumerate() {
            self.branch(index + 1, branch);
        }
        self.line("");
        let count = game.branches_left_out;
        if count > 0 {
            let left_out = message!(
                "Branches left out: {count}; --branches analyses them too.",
                "解析しなかった分岐：{count}（--branchesを付けると解析する）"
            );
            self.line(left_out.of(self.style.language));
            self.line("");
        }
        self.summary(&game.summary.black, game.side_names[Color::Black]);
        self.summary(&game.summary.white, game.side_names[Color::White]);
        self.line("");
    }

    /// The names of openings, then those of castles, each with the mark of its side.
    fn formations(&mut self, formations: &[FormationReport]) {
        for (kind, heading) in FORMATIONS {
            let mut text = heading.of(self.style.language).to_owned();
            for formation in formations.iter().filter(|formation| formation.kind == kind) {
                let mark = match formation.side {
                    Some("black") => "▲",
                    Some(_) => "△",
                    None => "",
                };
                let name = formation.name.of(self.style.language);
                let _ = write!(text, " {mark}{name}");
            }
            if text != heading.of(self.style.language) {
                self.line(&text);
            }
        }
    }

    fn branch(&mut self, number: usize, branch: &BranchReport) {
        let first = branch.after + 1;
        let heading = match branch.of {
            0 => message!(
                "Branch {number} (of the main line, from move {first})",
                "分岐{number}（本譜の{first}手目から）"
            ),
            of => message!(
                "Branch {number} (of branch {of}, from move {first})",
                "分岐{number}（分岐{of}の{first}手目から）"
            ),
        };
        self.line("");
        self.line(heading.of(self.style.language));
        self.formations(&branch.formations);
        self.rows(&branch.moves, branch.end.as_ref());
    }

    /// The moves of a line, and the position at its end.
    fn rows(&mut self, moves: &[MoveReport], end: Option<&PositionReport>) {
        moves.iter().for_each(|mv| self.mv(mv));
        if let Some(end) = end {
            let row = format!("{:>4} {}", "", END.of(self.style.language));
            self.row(&row, &end.lines, "");
        }
    }

    fn mv(&mut self, mv: &MoveReport) {
        let mut row = format!("{:>4} {}", mv.number, pad_right(self.spelled(&mv.mv), MOVE_WIDTH));
        let Some(analysis) = &mv.analysis else {
            row += &format!("   {}", NOT_ANALYSED.of(self.style.language));
            return self.line(&row);
        };
        row += &pad_right(mark(analysis), 3);
        row += &pad_left(&self.score(&analysis.score), self.score_width());
        row += &format!("{:>5.0}%", self.win_rate(&analysis.score) * 100.0);
        let loss = analysis.loss.map_or_else(|| "-".to_owned(), |loss| loss.to_string());
        if !self.is_narrow() {
            row += &format!("{loss:>7}{:>9.1}%  ", analysis.win_rate_loss * 100.0);
        }
        let mut remarks = String::new();
        for (applies, remark) in [(analysis.misses_mate, MISSES_MATE), (analysis.is_book, BOOK)] {
            if applies {
                let _ = write!(remarks, " [{}]", remark.of(self.style.language));
            }
        }
        let begin = self.text.len();
        if self.is_narrow() {
            self.line(&row);
            let lines = &analysis.before.lines;
            // A single line of a good move is left out for lack of room.
            if !analysis.is_best || !remarks.is_empty() || lines.len() > 1 {
                let lost = HEADING[4].of(self.style.language);
                let loss = format!("{lost} {loss} ({:.1}%)", analysis.win_rate_loss * 100.0);
                let best = lines.first().map(|line| self.variation(line)).unwrap_or_default();
                self.line(&format!("{}{loss}{remarks} {best}", " ".repeat(INDENT)));
                for line in lines.iter().skip(1) {
                    self.line(&format!("{}{}", " ".repeat(INDENT), self.variation(line)));
                }
            }
        } else {
            self.row(&row, &analysis.before.lines, &remarks);
        }
        self.colour(begin, mark(analysis));
        if let Some(reason) = &analysis.reason {
            self.line(&format!("     {}", reason.text.of(self.style.language)));
        }
    }

    fn is_narrow(&self) -> bool {
        self.style.columns.is_some_and(|columns| columns < WIDE)
    }

    fn score_width(&self) -> usize {
        if self.is_narrow() { 12 } else { SCORE_WIDTH }
    }

    /// Colours the mark of the row that begins at a byte of the text. No move has such a mark in its name.
    fn colour(&mut self, begin: usize, mark: &str) {
        let colour = COLOURS.into_iter().find(|&(known, _)| known == mark);
        if let Some((_, colour)) = colour.filter(|_| self.style.has_colours)
            && let Some(at) = self.text[begin..].find(mark)
        {
            let at = begin + at;
            self.text.replace_range(at..at + mark.len(), &format!("{colour}{mark}{PLAIN}"));
        }
    }

    /// A row whose last column is the best line; the other lines follow below.
    fn row(&mut self, start: &str, lines: &[LineReport], remarks: &str) {
        const BEFORE: usize = 5 + MOVE_WIDTH + 3 + SCORE_WIDTH + 6 + 7 + 10 + 2;
        if self.is_narrow() {
            self.line(start);
            for line in lines {
                self.line(&format!("{}{}", " ".repeat(INDENT), self.variation(line)));
            }
            return;
        }
        let mut start = format!("{start}{}", " ".repeat(BEFORE.saturating_sub(width(start))));
        let mut remarks = remarks;
        for line in lines {
            self.line(&format!("{start}{}{remarks}", self.variation(line)));
            (start, remarks) = (" ".repeat(BEFORE), "");
        }
    }

    /// `+35 P-7f P-3d ...`
    fn variation(&self, line: &LineReport) -> String {
        let mut text = self.score(&line.score);
        let is_mate = line.score.by == Some("mate");
        let shown = if is_mate { line.moves.len() } else { line.moves.len().min(SHOWN) };
        for mv in &line.moves[..shown] {
            text.push(' ');
            text += self.spelled(mv);
        }
        if shown < line.moves.len() {
            text += " ...";
        }
        text
    }

    fn spelled<'a>(&self, mv: &'a SpelledMove) -> &'a str {
        match self.style.language {
            Language::English => &mv.en,
            Language::Japanese => &mv.ja,
        }
    }

    fn score(&self, score: &ScoreReport) -> String {
        let bound = match score.bound {
            "lower" => ">=",
            "upper" => "<=",
            _ => "",
        };
        if let Some(value) = score.centipawns {
            return format!("{bound}{value:+}");
        }
        let sign = if score.winner == Some("black") { '+' } else { '-' };
        if score.plies == Some(0) {
            return format!("{sign}{}", MATED.of(self.style.language));
        }
        if let (Some(plies), Some(is_shortest)) = (score.plies, score.is_shortest) {
            let at_most = if is_shortest { "" } else { "<=" };
            let gap = if self.style.language == Language::English { " " } else { "" };
            return format!("{sign}{}{gap}{at_most}{plies}", MATE.of(self.style.language));
        }
        let how = WIN_REASONS.into_iter().find(|&(by, _)| score.by == Some(by));
        format!("{sign}{}", how.map_or("", |(_, words)| words.of(self.style.language)))
    }

    fn win_rate(&self, score: &ScoreReport) -> f64 {
        if self.style.is_human { score.human_win_rate } else { score.win_rate }
    }

    fn summary(&mut self, side: &SideReport, name: Localized) {
        let [moves, best, dubious, mistakes, blunders, mean_loss, accuracy] =
            SUMMARY.map(|words| words.of(self.style.language));
        let counts = [
            (moves, side.moves),
            (best, side.best),
            (dubious, side.dubious),
            (mistakes, side.mistakes),
            (blunders, side.blunders),
        ];
        let mut parts = Vec::from(counts.map(|(name, count)| format!("{name} {count}")));
        parts.extend(side.mean_loss.map(|loss| format!("{mean_loss} {loss:.0}")));
        parts.extend(side.accuracy.map(|share| format!("{accuracy} {:.1}%", share * 100.0)));
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let (name, parts) = (name.of(self.style.language), listed(&parts));
        self.line(&format!("{name}: {}", parts.of(self.style.language)));
    }

    fn line(&mut self, text: &str) {
        let text = text.trim_end();
        match self.style.columns {
            Some(columns) => self.text += &wrap(text, columns.max(20), INDENT),
            None => self.text += text,
        }
        self.text.push('\n');
    }
}

fn mark(analysis: &MoveAnalysis) -> &'static str {
    match analysis.grade {
        Some("dubious") => "?!",
        Some("mistake") => "?",
        Some(_) => "??",
        None if analysis.is_best => "*",
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(centipawns: Option<i32>, by: Option<&'static str>) -> ScoreReport {
        let winner = by.map(|_| "white");
        let is_mate = by == Some("mate");
        let (plies, is_shortest) = (is_mate.then_some(9), is_mate.then_some(false));
        ScoreReport {
            centipawns,
            bound: "exact",
            winner,
            by,
            plies,
            is_shortest,
            win_rate: 0.5,
            human_win_rate: 0.5,
        }
    }

    fn table(language: Language) -> ReportTable {
        let style = TableStyle { language, is_human: false, columns: None, has_colours: false };
        ReportTable { style, text: String::new() }
    }

    #[test]
    fn every_row_fits_a_terminal_of_40_columns() {
        for language in Language::ALL {
            let mut table = table(language);
            table.style.columns = Some(40);
            for is_best in [true, false] {
                table.mv(&MoveReport::for_tests(is_best));
            }
            LEGEND.of(language).lines().for_each(|line| table.line(line));
            let side = SideReport {
                moves: 100,
                best: 50,
                dubious: 10,
                mistakes: 10,
                blunders: 10,
                mean_loss: Some(123.0),
                accuracy: Some(0.891),
            };
            table.summary(&side, localized("Black", "先手"));
            for line in table.text.lines() {
                assert!(width(line) <= 40, "{line}");
            }
            assert!(table.text.contains("?? ") && table.text.contains("35.2%"), "{}", table.text);
        }
    }

    /// Regression: a terminal of 80 columns showed one line, however many were asked for.
    #[test]
    fn narrow_rows_show_all_of_several_lines() {
        let mut table = table(Language::English);
        table.style.columns = Some(80);
        let [mut mv, other] = [true, true].map(MoveReport::for_tests);
        // A remark would be printed below the row.
        mv.analysis.as_mut().unwrap().misses_mate = false;
        table.mv(&mv);
        assert_eq!(table.text.lines().count(), 1, "{}", table.text);
        let lines = other.analysis.unwrap().before.lines;
        mv.analysis.as_mut().unwrap().before.lines.extend(lines);
        table.text.clear();
        table.mv(&mv);
        assert_eq!(table.text.matches("+mate <=19").count(), 2, "{}", table.text);
    }

    /// Regression: the parts of a Japanese summary were separated by `, `.
    #[test]
    fn the_parts_of_a_summary_are_separated_as_in_the_language() {
        let side = SideReport {
            moves: 20,
            best: 9,
            dubious: 3,
            mistakes: 2,
            blunders: 1,
            mean_loss: Some(56.7),
            accuracy: Some(0.891),
        };
        let [english, japanese] = Language::ALL.map(|language| {
            let mut table = table(language);
            table.summary(&side, localized("Black", "先手"));
            table.text
        });
        assert!(english.starts_with("Black: moves 20, ") && english.ends_with(" 89.1%\n"));
        assert_eq!(english.matches(", ").count(), 6, "{english}");
        assert!(japanese.starts_with("先手: 手数 20、") && japanese.ends_with(" 89.1%\n"));
        assert_eq!((japanese.matches('、').count(), japanese.matches(',').count()), (6, 0));
    }

    #[test]
    fn mistakes_are_coloured_where_colours_are_shown_and_the_columns_stay() {
        let mut plain = table(Language::English);
        plain.mv(&MoveReport::for_tests(false));
        let mut coloured = table(Language::English);
        coloured.style.has_colours = true;
        coloured.mv(&MoveReport::for_tests(false));
        assert!(!plain.text.contains('\x1b'));
        assert!(coloured.text.contains("\x1b[1;31m??\x1b[0m "), "{}", coloured.text);
        let stripped = coloured.text.replace("\x1b[1;31m", "").replace(PLAIN, "");
        assert_eq!(stripped, plain.text);
    }

    #[test]
    fn every_kind_of_score_is_shown_as_such() {
        let [english, japanese] = Language::ALL.map(table);
        let bound = ScoreReport { bound: "lower", ..score(Some(-40), None) };
        for (score, en, ja) in [
            (score(Some(12), None), "+12", "+12"),
            (bound, ">=-40", ">=-40"),
            (score(None, Some("mate")), "-mate <=9", "-詰<=9"),
            // Regression: `-mate 0`.
            (ScoreReport { plies: Some(0), ..score(None, Some("mate")) }, "-mate", "-詰み"),
            (score(None, Some("perpetual_check")), "-by check", "-連続王手"),
            (score(None, Some("unshown")), "-wins", "-勝ち"),
        ] {
            assert_eq!((english.score(&score).as_str(), japanese.score(&score).as_str()), (en, ja));
        }
    }
}
