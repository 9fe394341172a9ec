//! Whole games between scripted players.

use super::super::engine_spec::{SpecDefaults, read_spec};
use super::super::scripted_player::{ScriptedPlayer, answer, scored};
use super::*;
use crate::position::EnteringKingRule;
use crate::tools::opening::read_openings;
use crate::tools::referee::ResignRule;

/// The settings that a test changes.
struct Setting {
    opening: &'static str,
    engine: &'static str,
    rules: GameRules,
}

impl Default for Setting {
    fn default() -> Setting {
        Setting {
            opening: "startpos",
            engine: "cmd=x time=1000 byoyomi=100 margin=20",
            rules: GameRules {
                max_moves: 512,
                entering_king: EnteringKingRule::Csa27,
                resign: None,
            },
        }
    }
}

impl Setting {
    fn try_play(
        &self,
        black: &mut ScriptedPlayer,
        white: &mut ScriptedPlayer,
    ) -> Result<PlayedGame, (Color, EngineFault)> {
        let spec = read_spec(self.engine, &SpecDefaults::default()).unwrap();
        let opening = read_openings(self.opening).unwrap().remove(0);
        let conditions = GameConditions {
            opening: &opening,
            engines: ByColor([&spec, &spec]),
            rules: &self.rules,
            move_timeout: Duration::from_secs(5),
        };
        play(conditions, ByColor([black, white]))
    }

    fn play(&self, black: &mut ScriptedPlayer, white: &mut ScriptedPlayer) -> PlayedGame {
        self.try_play(black, white).unwrap()
    }

    /// The end of a game with these answers.
    fn end(&self, black: &str, white: &str) -> GameEnd {
        self.play(&mut ScriptedPlayer::playing(black), &mut ScriptedPlayer::playing(white)).end
    }
}

fn black_wins(reason: GameEndReason) -> GameEnd {
    GameEnd::win(Color::Black, reason)
}

fn white_wins(reason: GameEndReason) -> GameEnd {
    GameEnd::win(Color::White, reason)
}

#[test]
fn the_whole_history_and_the_clocks_are_sent_every_time() {
    let (mut black, mut white) =
        (ScriptedPlayer::playing("7g7f, 2g2f"), ScriptedPlayer::playing("3c3d"));
    let mut setting = Setting::default();
    let played = setting.play(&mut black, &mut white);
    assert_eq!(played.end, black_wins(GameEndReason::Resign));
    let expected = [
        "new game",
        "position startpos; go btime 1000 wtime 1000 byoyomi 100",
        "position startpos moves 7g7f 3c3d; go btime 990 wtime 990 byoyomi 100",
        "gameover win",
    ];
    assert_eq!(black.log, expected);
    assert_eq!(white.log.last().unwrap(), "gameover lose");
    assert_eq!(played.moves.len(), 3);
    setting.opening = "startpos moves 7g7f";
    let mut white = ScriptedPlayer::playing("3c3d");
    setting.play(&mut ScriptedPlayer::default(), &mut white);
    assert_eq!(white.log[1], "position startpos moves 7g7f; go btime 1000 wtime 1000 byoyomi 100");
}

#[test]
fn an_illegal_move_loses_and_is_kept_with_its_position() {
    let (mut black, mut white) = (ScriptedPlayer::playing("7g7f"), ScriptedPlayer::playing("7f7e"));
    let played = Setting::default().play(&mut black, &mut white);
    assert_eq!(played.end, black_wins(GameEndReason::IllegalMove));
    let forfeit = played.forfeit.unwrap();
    assert_eq!(
        (forfeit.color, forfeit.position.as_str()),
        (Color::White, "position startpos moves 7g7f")
    );
    assert!(forfeit.detail.starts_with("bestmove 7f7e (the piece belongs"), "{}", forfeit.detail);
    assert_eq!(white.log.last().unwrap(), "gameover lose", "it is still told the end");
}

#[test]
fn a_line_that_is_no_answer_loses() {
    let end = Setting::default().end("7g7f", "nonsense");
    assert_eq!(end, black_wins(GameEndReason::Fault(EngineFaultKind::Protocol)));
}

#[test]
fn a_player_that_crashes_loses_and_gets_no_more_commands() {
    let mut white = ScriptedPlayer::answering([Err(EngineFault::crash("signal 11"))]);
    let played = Setting::default().play(&mut ScriptedPlayer::playing("7g7f"), &mut white);
    assert_eq!(played.end, black_wins(GameEndReason::Fault(EngineFaultKind::Crash)));
    assert_eq!(played.forfeit.unwrap().detail, "signal 11");
    assert!(!white.log.last().unwrap().starts_with("gameover"));
}

#[test]
fn a_player_that_does_not_get_ready_makes_no_game() {
    let mut white =
        ScriptedPlayer { ready_fault: Some(EngineFault::hang("")), ..ScriptedPlayer::default() };
    let result = Setting::default().try_play(&mut ScriptedPlayer::default(), &mut white);
    assert_eq!(result, Err((Color::White, EngineFault::hang(""))));
}

#[test]
fn exceeding_the_clock_by_more_than_the_margin_loses_and_less_is_recorded() {
    let late = |ms| Ok(SearchAnswer { elapsed: Duration::from_millis(ms), ..answer("7g7f") });
    let play = |ms| {
        let mut black = ScriptedPlayer::answering([late(ms)]);
        Setting::default().play(&mut black, &mut ScriptedPlayer::playing("resign"))
    };
    let within = play(1120);
    assert_eq!(within.end, black_wins(GameEndReason::Resign));
    assert_eq!(within.stats[Color::Black].excess_ms, 20);
    let beyond = play(1121);
    assert_eq!(beyond.end, white_wins(GameEndReason::TimeLoss));
    assert_eq!(beyond.forfeit.unwrap().detail, "bestmove 7g7f after 1121.0 ms of 1120.0");
}

#[test]
fn a_player_without_a_clock_has_the_move_timeout() {
    let setting = Setting { engine: "cmd=x nodes=1000", ..Setting::default() };
    let play = |ms| {
        let slow = SearchAnswer { elapsed: Duration::from_millis(ms), ..answer("7g7f") };
        setting
            .play(
                &mut ScriptedPlayer::answering([Ok(slow)]),
                &mut ScriptedPlayer::playing("resign"),
            )
            .end
    };
    assert_eq!(play(5000), black_wins(GameEndReason::Resign));
    assert_eq!(play(5001), white_wins(GameEndReason::TimeLoss));
}

#[test]
fn mate_ends_the_game_without_asking_the_mated_side() {
    let setting = Setting { opening: "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", ..Setting::default() };
    let mut white = ScriptedPlayer::default();
    let played = setting.play(&mut ScriptedPlayer::playing("G*5b"), &mut white);
    assert_eq!(played.end, black_wins(GameEndReason::NoMove));
    assert_eq!(white.log, ["new game", "gameover lose"]);
}

#[test]
fn repetition_counts_the_moves_of_the_opening() {
    let black = "2h3h, 3h2h, ".repeat(3);
    let white = "8b7b, 7b8b, ".repeat(3);
    let draw = GameEnd::draw(GameEndReason::Sennichite);
    let ends_after = |opening| {
        let setting = Setting { opening, ..Setting::default() };
        let mut players = [ScriptedPlayer::playing(&black), ScriptedPlayer::playing(&white)];
        let [one, two] = &mut players;
        let played = setting.play(one, two);
        assert_eq!(played.end, draw);
        played.moves.len()
    };
    assert_eq!(ends_after("startpos"), 12);
    assert_eq!(ends_after("startpos moves 2h3h 8b7b 3h2h 7b8b"), 8);
}

#[test]
fn too_long_a_game_is_drawn() {
    let mut setting = Setting::default();
    setting.rules.max_moves = 3;
    assert_eq!(setting.end("7g7f, 2g2f", "3c3d"), GameEnd::draw(GameEndReason::MaxMoves));
}

#[test]
fn declarations_win_when_they_hold_and_lose_when_they_do_not() {
    let entered = "GGGGKSSSS/+P+P7/9/9/9/9/9/9/4k4 b 2RB3P 1";
    let setting = Setting { opening: entered, ..Setting::default() };
    assert_eq!(setting.end("win", ""), black_wins(GameEndReason::Declaration));
    let mut black = ScriptedPlayer::playing("win");
    let played = Setting::default().play(&mut black, &mut ScriptedPlayer::default());
    assert_eq!(played.end, white_wins(GameEndReason::FalseDeclaration));
    assert_eq!(played.forfeit.unwrap().detail, "bestmove win");
}

#[test]
fn the_try_rule_ends_the_game_with_the_king_move_where_it_is_the_rule() {
    let mut setting =
        Setting { opening: "9/4K4/9/9/9/9/9/9/k8 b 2r2b4g4s4n4l18p 1", ..Setting::default() };
    assert_eq!(setting.end("5b5a", "resign"), black_wins(GameEndReason::Resign));
    setting.rules.entering_king = EnteringKingRule::Try;
    assert_eq!(setting.end("5b5a", "resign"), black_wins(GameEndReason::Try));
    assert_eq!(setting.end("5b4b", "resign"), black_wins(GameEndReason::Resign));
}

#[test]
fn a_game_is_adjudicated_to_the_side_that_both_engines_see_winning() {
    let mut setting = Setting::default();
    setting.rules.resign = Some(ResignRule { centipawns: 1000, moves: 2 });
    let script = |moves: [&str; 3], centipawns| {
        ScriptedPlayer::answering(moves.map(|mv| Ok(scored(mv, centipawns))))
    };
    let mut black = script(["7g7f", "2g2f", "2f2e"], -1500);
    let mut white = script(["3c3d", "8c8d", "8d8e"], 1500);
    let played = setting.play(&mut black, &mut white);
    assert_eq!((played.end, played.moves.len()), (white_wins(GameEndReason::Adjudication), 4));
}

/// Regression: a fail high of a losing engine, whose true score may be even, counted as its score.
#[test]
fn a_bound_counts_for_adjudication_only_if_the_true_score_is_no_nearer_to_zero() {
    let mut setting = Setting::default();
    setting.rules.resign = Some(ResignRule { centipawns: 1000, moves: 2 });
    let end = |black_bound, white_bound| {
        let script = |moves: [&str; 3], centipawns, bound| {
            ScriptedPlayer::answering(moves.map(|mv| {
                let mut answer = scored(mv, centipawns);
                answer.info.bound = bound;
                Ok(answer)
            }))
        };
        let mut black = script(["7g7f", "2g2f", "2f2e"], -1500, black_bound);
        let mut white = script(["3c3d", "8c8d", "8d8e"], 1500, white_bound);
        setting.play(&mut black, &mut white).end.reason
    };
    assert_eq!(end(Bound::Exact, Bound::Exact), GameEndReason::Adjudication);
    assert_eq!(end(Bound::Upper, Bound::Lower), GameEndReason::Adjudication);
    assert_eq!(end(Bound::Lower, Bound::Exact), GameEndReason::Resign);
    assert_eq!(end(Bound::Exact, Bound::Upper), GameEndReason::Resign);
}

const PONDERING: &str = "cmd=x time=1000 inc=10 ponder=true";

#[test]
fn a_ponder_hit_continues_the_search() {
    let setting = Setting { engine: PONDERING, ..Setting::default() };
    let mut black = ScriptedPlayer::playing("7g7f ponder 3c3d, 2g2f");
    setting.play(&mut black, &mut ScriptedPlayer::playing("3c3d"));
    let expected = [
        "new game",
        "position startpos; go btime 1000 wtime 1000 binc 10 winc 10",
        "position startpos moves 7g7f 3c3d; go ponder btime 1000 wtime 1000 binc 10 winc 10",
        "ponderhit",
        "gameover win",
    ];
    assert_eq!(black.log, expected);
}

#[test]
fn a_ponder_miss_is_stopped_before_the_next_go() {
    let setting = Setting { engine: PONDERING, ..Setting::default() };
    let mut black = ScriptedPlayer::playing("7g7f ponder 3c3d, 2g2f");
    let played = setting.play(&mut black, &mut ScriptedPlayer::playing("8c8d"));
    assert_eq!(black.log[3], "stop");
    assert!(black.log[4].starts_with("position startpos moves 7g7f 8c8d; go btime"));
    let stats = played.stats[Color::Black];
    assert_eq!((stats.ponder_searches, stats.ponder_hits), (1, 0));
}

/// Regression: GUIs count this time, so games were lost there that were won here.
#[test]
fn the_clock_runs_while_a_ponder_miss_is_stopped() {
    let setting =
        Setting { engine: "cmd=x byoyomi=100 margin=0 ponder=true", ..Setting::default() };
    for (stop_ms, end) in [(90, GameEndReason::Resign), (91, GameEndReason::TimeLoss)] {
        let mut black = ScriptedPlayer::playing("7g7f ponder 3c3d, 2g2f");
        black.stop_takes = Duration::from_millis(stop_ms);
        let played = setting.play(&mut black, &mut ScriptedPlayer::playing("8c8d, 8d8e"));
        assert_eq!(played.end.reason, end, "{stop_ms}");
    }
}

#[test]
fn pondering_is_stopped_before_the_end_is_reported_and_a_hang_there_is_kept() {
    let setting = Setting { engine: PONDERING, ..Setting::default() };
    let mut black = ScriptedPlayer::playing("7g7f ponder 3c3d");
    black.stop_fault = Some(EngineFault::hang("no answer"));
    let played = setting.play(&mut black, &mut ScriptedPlayer::playing("resign"));
    assert_eq!(played.end, black_wins(GameEndReason::Resign));
    assert_eq!(black.log.last().unwrap(), "stop");
    assert_eq!(played.late_faults, [(Color::Black, EngineFault::hang("no answer"))]);
}

#[test]
fn an_engine_does_not_ponder_on_an_illegal_move_or_without_permission() {
    let mut black = ScriptedPlayer::playing("7g7f ponder 7f7e");
    Setting { engine: PONDERING, ..Setting::default() }
        .play(&mut black, &mut ScriptedPlayer::playing("3c3d"));
    assert!(black.log.iter().all(|line| !line.contains("ponder")), "{:?}", black.log);
    let mut black = ScriptedPlayer::playing("7g7f ponder 3c3d");
    Setting::default().play(&mut black, &mut ScriptedPlayer::playing("3c3d"));
    assert!(black.log.iter().all(|line| !line.contains("ponder")), "{:?}", black.log);
}
