//! Whole games, analysed and reviewed with the real search and the real solver.

use std::sync::atomic::AtomicBool;

use super::score_propagation::PropagationStep;
use super::*;
use crate::nnue::Network;
use crate::position::{EnteringKingRule, Position};
use crate::record::{
    Encoding, ErrorPolicy, Evaluation, EvaluationValue, GameRecord, RecordFormat, read, write,
};
use crate::search::request::{PvEnding, SearchOptions};
use crate::types::{Bound, Color, Move};

fn config(limit: AnalysisLimit, multi_pv: usize) -> AnalysisConfig {
    let options = SearchOptions {
        multi_pv,
        report_bounds: false,
        root_mates: false,
        analysis: true,
        ..SearchOptions::for_tests()
    };
    AnalysisConfig { limit, options, threads: 1, hash_mib: 2 }
}

fn analyzer(nodes: u64, multi_pv: usize) -> Analyzer {
    let config = config(AnalysisLimit::Nodes(nodes), multi_pv);
    let (analyzer, messages) = Analyzer::new(config, Network::built_in()).unwrap();
    assert!(messages.is_empty(), "{messages:?}");
    analyzer
}

fn game(line: &str) -> GameRecord {
    read(line, RecordFormat::Usi, ErrorPolicy::Refuse).unwrap().games.remove(0)
}

fn analyze_game(analyzer: &mut Analyzer, game: &GameRecord) {
    analyzer.analyze_game(game, &AtomicBool::new(false), &mut |_| {}).unwrap();
}

fn reviewed(analyzer: &mut Analyzer, game: &GameRecord) -> LineReview {
    analyze_game(analyzer, game);
    LineReview::new(game, analyzer.results(), None)
}

/// The mate is G*5b; Black plays the king instead, and White takes the gold on 5c.
const MISSED: &str = "sfen 4k4/9/4G4/9/9/9/9/9/4K4 b G2r2b2g4s4n4l18p 1 moves 5i5h 5a6a";
/// A mate in three that is missed twice.
const SHARP: &str = "sfen 7nl/7k1/6ppp/9/9/9/9/9/8K b RG2S 1 \
                     moves S*3b 2b1b 3b4c 1b2b 1i1h";

#[test]
fn a_missed_mate_is_reported_with_its_whole_line() {
    let review = reviewed(&mut analyzer(500, 1), &game(MISSED));
    let first = review.moves[0].as_ref().unwrap();
    let mate = WinReason::Mate { plies: 1, is_shortest: true };
    assert_eq!(first.before.best().estimate, BoundedScore::exact(AnalysisScore::Win(mate)));
    assert_eq!(first.before.best().moves, ["G*5b".parse().unwrap()]);
    assert!(first.misses_mate() && !first.is_best && first.loss.centipawns.is_none());
    assert!(review.is_complete());
    assert_eq!((review.stats[Color::Black].moves, review.stats[Color::White].moves), (1, 1));
}

/// Checks that a line ends as its score says.
fn check(position: &Position, variation: &Variation) {
    let mut position = position.clone();
    variation.moves.iter().for_each(|&mv| {
        position.try_play(mv).unwrap();
    });
    let plies = match variation.estimate.score {
        AnalysisScore::Win(WinReason::Mate { plies, .. })
        | AnalysisScore::Loss(WinReason::Mate { plies, .. }) => plies,
        AnalysisScore::Centipawns(value) => return assert!(value.abs() <= 30_000, "{variation:?}"),
        _ => return,
    };
    assert!(!position.has_legal_move(), "{variation:?}");
    assert_eq!(variation.ending, Some(PvEnding::Mated));
    let (moves, wins) = (variation.moves.len(), variation.estimate.score.rank() > 0);
    assert_eq!(moves % 2 == 1, wins, "{variation:?}");
    assert!(moves as u32 <= plies, "{variation:?}");
}

#[test]
fn every_mate_has_a_line_and_no_loss_is_negative() {
    let game = game(SHARP);
    let mut analyzer = analyzer(1500, 2);
    let review = reviewed(&mut analyzer, &game);
    let (mut cursor, mut mates) = (LineCursor::new(&game), 0);
    loop {
        let found = analyzer.results().get(cursor.key(cursor.ply())).unwrap();
        assert!((1..=2).contains(&found.variations.len()));
        for variation in &found.variations {
            check(cursor.position(), variation);
            mates += usize::from(variation.estimate.score.is_mate());
        }
        if !cursor.step_back() {
            break;
        }
    }
    assert!(mates > 0, "nothing was put to the test");
    for reviewed in review.moves.iter().flatten() {
        assert!((0.0..=1.0).contains(&reviewed.loss.win_rate), "{reviewed:?}");
        assert!(reviewed.loss.centipawns.is_none_or(|loss| loss >= 0), "{reviewed:?}");
        assert!(reviewed.is_best <= (reviewed.loss.win_rate == 0.0), "{reviewed:?}");
    }
}

#[test]
fn transpositions_get_one_score_in_every_run() {
    let games = ["7g7f 3c3d 2g2f 8c8d", "2g2f 3c3d 7g7f 4a3b"]
        .map(|moves| game(&format!("startpos moves {moves}")));
    let run = || {
        let mut analyzer = analyzer(400, 1);
        let mut searched = 0;
        for game in &games {
            let mut told = Vec::new();
            let tell = &mut |is_new| told.push(is_new);
            analyzer.analyze_game(game, &AtomicBool::new(false), tell).unwrap();
            searched += told[..5].iter().filter(|&&is_new| is_new).count();
        }
        // The start position and the position after three moves are in both.
        assert_eq!(searched, 8);
        games.clone().map(|game| {
            let review = LineReview::new(&game, analyzer.results(), None);
            let moves = review.moves.into_iter().flatten();
            moves.map(|reviewed| reviewed.after.best().clone()).collect::<Vec<Variation>>()
        })
    };
    let [one, other] = run();
    assert_eq!(one[2], other[2]);
    assert_eq!([one, other], run());
}

#[test]
fn a_game_is_analysed_as_by_a_new_analyzer_once_the_results_are_forgotten() {
    let (game, mut analyzer) = (game(SHARP), analyzer(1500, 1));
    let positions = LineCursor::new(&game).moves().len() + 1;
    let mut analyze = || {
        let mut told = Vec::new();
        let tell = &mut |is_new| told.push(is_new);
        analyzer.analyze_game(&game, &AtomicBool::new(false), tell).unwrap();
        let searched = told[..positions].iter().filter(|&&is_new| is_new).count();
        let review = LineReview::new(&game, analyzer.results(), None);
        let best = review.moves.into_iter().flatten();
        let best: Vec<Variation> = best.map(|reviewed| reviewed.after.best().clone()).collect();
        let deepened = analyzer.deepened.len();
        analyzer.forget_results();
        (searched, best, deepened)
    };
    let (first, again) = (analyze(), analyze());
    assert_eq!(first.0, positions);
    assert_eq!(first, again);
}

/// Regression: the scores before and after the best move differed by up to half a game, and the next player
/// was blamed for the difference.
#[test]
fn the_best_move_keeps_its_win_rate_in_the_position_after_it() {
    let moves = "2g2f 8c8d 2f2e 3c3d 3i3h 2b3c 3h2g 8d8e 7g7f 3a2b 6i7h 4a3b 4i5h 9c9d 5i6h 7a7b \
                 9g9f 7c7d 2g2f 7b7c 6g6f 1c1d 5h6g 7c6d 6g5f 7d7e 6f6e 6d7c 7f7e 5a4a 8h7g 4a3a \
                 7g3c+ 2b3c 7i8h 6a5b 7h7g 6c6d B*4f 5b6c 6e6d 6c6d P*6e P*6g 6h7h 6d5d 7e7d 8b8c";
    let review = reviewed(&mut analyzer(1000, 1), &game(&format!("startpos moves {moves}")));
    let mut best = 0;
    for reviewed in review.moves.iter().flatten() {
        let before = win_rate(reviewed.before.best().estimate.score);
        let fall = before - win_rate(reviewed.score().score);
        assert!(fall - reviewed.loss.win_rate < 0.02, "{reviewed:?}");
        best += usize::from(reviewed.is_best);
    }
    assert!(best > 5, "nothing was put to the test");
}

/// Regression: a pawn that promoted was graded as a mistake, because it should not have promoted.
#[test]
fn the_same_move_without_promotion_is_no_other_move() {
    let position = Position::from_sfen("4k4/9/9/4P4/9/9/9/9/4K4 b - 1").unwrap();
    let (limit, stop) = (AnalysisLimit::Nodes(2000), AtomicBool::new(false));
    let [with, without]: [Move; 2] = ["5d5c+", "5d5c"].map(|mv| mv.parse().unwrap());
    let found = analyzer(2000, 10).search_other_moves(limit, &position, with, &stop);
    let others = found.unwrap().unwrap().variations;
    assert!(others.len() > 1 && others.iter().all(|other| other.moves[0] != without), "{others:?}");
}

#[test]
fn a_move_that_gets_a_grade_is_searched_with_four_times_the_nodes() {
    // The last move hangs the bishop.
    let game = game("startpos moves 7g7f 3c3d 2g2f 8c8d 6i7h 4a3b 8h4d");
    let mut analyzer = analyzer(3000, 1);
    let review = reviewed(&mut analyzer, &game);
    let cursor = LineCursor::new(&game);
    let (positions, blunder) = (cursor.moves().len() + 1, cursor.moves().len() - 1);
    let is_graded = |ply: &usize| review.moves[*ply].as_ref().unwrap().grade().is_some();
    let is_deepened =
        |ply| [ply, ply + 1].iter().all(|&ply| analyzer.deepened.contains(cursor.key(ply)));
    assert!(is_graded(&blunder) && is_deepened(blunder));
    let nodes: u64 =
        (0..positions).map(|ply| analyzer.results().get(cursor.key(ply)).unwrap().nodes).sum();
    let per_position = 3000 + 3000 / 4;
    let all_nodes = positions as u64 * per_position;
    assert!(nodes <= all_nodes, "{nodes}");
    // Only when the nodes left do not allow another analysis is a grade not confirmed.
    let is_used_up = nodes + 4 * per_position / 3 > positions as u64 * 3000;
    assert!(is_used_up || (0..blunder).filter(is_graded).all(is_deepened), "{nodes}");
}

#[test]
fn a_move_of_a_book_is_never_graded() {
    struct Everything;
    impl OpeningBook for Everything {
        fn contains(&self, _: &Position, _: Move) -> bool {
            true
        }
    }
    let game = game("startpos moves 7g7f 3c3d 8h3c+");
    let mut analyzer = analyzer(300, 1);
    analyze_game(&mut analyzer, &game);
    let grades = |openings: Option<&dyn OpeningBook>| {
        let review = LineReview::new(&game, analyzer.results(), openings);
        assert_eq!(review.stats[Color::Black].blunders, usize::from(openings.is_none()));
        review.moves[2].as_ref().unwrap().grade()
    };
    assert_eq!((grades(None), grades(Some(&Everything))), (Some(Grade::Blunder), None));
}

/// Regression: a record had a mate in 15 and, two plies later, one in 19.
#[test]
fn no_mate_is_longer_than_the_one_before_it_in_the_line() {
    let start = "7nl/7k1/6ppp/9/9/9/9/9/8K b RG2S 1";
    let position = Position::from_sfen(start).unwrap();
    let mut analyzer = analyzer(4000, 1);
    let solved = analyzer.analyze(&position, &AtomicBool::new(false)).unwrap();
    let line: Vec<String> = solved.best().moves.iter().map(Move::to_string).collect();
    let game = game(&format!("sfen {start} moves {} {}", line[0], line[1]));
    let cursor = LineCursor::new(&game);
    // As if the solver had found only a longer mate there.
    let longer = WinReason::Mate { plies: 7, is_shortest: false };
    let longer = Variation {
        estimate: BoundedScore::exact(AnalysisScore::Win(longer)),
        moves: vec![line[2].parse().unwrap()],
        ..Variation::default()
    };
    let found =
        PositionAnalysis { variations: vec![longer], nodes: 1, elapsed: std::time::Duration::ZERO };
    analyzer.results.insert(cursor.key(2).clone(), found);
    let review = reviewed(&mut analyzer, &game);
    let plies = |analysis: &PositionAnalysis| match analysis.best().estimate.score {
        AnalysisScore::Win(WinReason::Mate { plies, .. })
        | AnalysisScore::Loss(WinReason::Mate { plies, .. }) => plies,
        score => panic!("{score:?}"),
    };
    let mut mates: Vec<u32> =
        review.moves.iter().flatten().map(|reviewed| plies(&reviewed.before)).collect();
    mates.push(plies(review.end.as_ref().unwrap()));
    assert_eq!(mates, [3, 2, 1]);
}

#[test]
fn an_interrupted_analysis_keeps_its_results() {
    let game = game(SHARP);
    let mut analyzer = analyzer(300, 1);
    let stop = AtomicBool::new(false);
    let mut told = 0;
    let halt = analyzer.analyze_game(&game, &stop, &mut |_| {
        told += 1;
        stop.store(told == 2, std::sync::atomic::Ordering::Relaxed);
    });
    assert_eq!(halt, Err(AnalysisError::Stopped));
    let review = LineReview::new(&game, analyzer.results(), None);
    assert!(!review.is_complete() && review.end.is_some());
    let reviewed: Vec<bool> = review.moves.iter().map(Option::is_some).collect();
    assert_eq!(reviewed, [false, false, false, false, true]);
}

#[test]
fn a_repetition_ends_the_game_and_one_that_gains_a_piece_is_a_number() {
    let cycle = "2h3h 8b7b 3h2h 7b8b ".repeat(3);
    let review = reviewed(&mut analyzer(200, 1), &game(&format!("startpos moves {cycle}")));
    let end = review.end.unwrap();
    assert_eq!(end.best().estimate, BoundedScore::exact(AnalysisScore::Centipawns(0)));
    assert_eq!(end.best().ending, Some(PvEnding::RepetitionDraw));
    // The same board again and again, each time with one more pawn in Black's hand.
    let start = "4k4/9/9/9/9/9/9/4K4/9 w 18p 1";
    let moves = "P*4g 5h4g 5a5b 4g4h 5b5a 4h5h ".repeat(2);
    let review = reviewed(&mut analyzer(500, 1), &game(&format!("sfen {start} moves {moves}")));
    for reviewed in review.moves.iter().flatten() {
        let score = reviewed.after.best().estimate.score;
        assert!(
            matches!(score, AnalysisScore::Centipawns(value) if value.abs() < 30_000)
                || score.is_mate()
        );
    }
}

/// With the last move Black gives the check of this position for the fourth time.
const PERPETUAL: &str = "sfen 7k1/9/4K4/9/9/9/9/9/7R1 w GP 1 moves 2a1a 2i1i 1a2a 1i2i \
                         2a1a 2i1i 1a2a 1i2i 2a1a 2i1i 1a2a 1i2i";

#[test]
fn a_move_that_loses_by_perpetual_check_is_not_the_beginning_of_a_mate() {
    let review = reviewed(&mut analyzer(1000, 1), &game(PERPETUAL));
    let last = review.moves[11].as_ref().unwrap();
    assert_eq!(last.score(), BoundedScore::exact(AnalysisScore::Loss(WinReason::PerpetualCheck)));
    assert!(!last.is_best && last.before.best_move() != Some(last.mv), "{last:?}");
    assert!(last.loss.win_rate > 0.4 && !last.before.best().is_solved, "{last:?}");
}

#[test]
fn a_king_in_check_wins_by_the_try_rule_and_the_game_is_over() {
    let mut config = config(AnalysisLimit::Nodes(1000), 1);
    config.options.entering_king = EnteringKingRule::Try;
    let (mut analyzer, _) = Analyzer::new(config, Network::built_in()).unwrap();
    let sfen = "8K/9/9/9/9/2+R1+B4/9/9/3k5 b GS 1";
    let review = reviewed(&mut analyzer, &game(&format!("sfen {sfen} moves 5f4g 6i5i")));
    let [check, tried] = [0, 1].map(|index: usize| review.moves[index].as_ref().unwrap());
    let (won, lost) =
        (AnalysisScore::Win(WinReason::Declaration), AnalysisScore::Loss(WinReason::Declaration));
    assert_eq!(review.end.as_ref().unwrap().best().estimate, BoundedScore::exact(lost));
    assert_eq!(tried.before.best().estimate, BoundedScore::exact(won));
    assert!(tried.is_best && tried.score() == BoundedScore::exact(won), "{tried:?}");
    assert!(!check.is_best && check.score() == BoundedScore::exact(lost), "{check:?}");
    assert!(!check.before.best().is_solved, "{check:?}");
}

/// Regression: such a mate was reported as a win, and the opponent's move before it as a mistake.
#[test]
fn a_mate_beyond_the_move_limit_does_not_count() {
    let mut position = Position::from_sfen("7nl/7k1/6ppp/9/9/9/9/9/8K b RG2S 1").unwrap();
    let analyze = |max_moves, position: &Position| {
        let mut config = config(AnalysisLimit::Nodes(4000), 1);
        config.options.max_moves = Some(max_moves);
        let (mut analyzer, _) = Analyzer::new(config, Network::built_in()).unwrap();
        let found = analyzer.analyze(position, &AtomicBool::new(false)).unwrap();
        found.best().estimate.score
    };
    let mate = AnalysisScore::Win(WinReason::Mate { plies: 3, is_shortest: true });
    assert_eq!(analyze(3, &position), mate);
    assert!(matches!(analyze(2, &position), AnalysisScore::Centipawns(_)));
    position.try_play("R*4b".parse().unwrap()).unwrap();
    position.try_play("2b3a".parse().unwrap()).unwrap();
    assert!(matches!(analyze(3, &position), AnalysisScore::Win(WinReason::Mate { plies: 1, .. })));
}

/// The positions after all legal moves.
fn next(position: &Position) -> Vec<Position> {
    let after = |mv| {
        let mut position = position.clone();
        position.do_move(mv);
        position
    };
    position.legal_moves().moves().map(after).collect()
}

#[test]
fn a_mate_is_called_the_shortest_only_among_mates_by_checks() {
    let position = Position::from_sfen("1k7/9/9/9/9/1G+R6/9/9/9 b GS 1").unwrap();
    let found = analyzer(20_000, 1).analyze(&position, &AtomicBool::new(false)).unwrap();
    let mate = WinReason::Mate { plies: 9, is_shortest: true };
    assert_eq!(found.best().estimate, BoundedScore::exact(AnalysisScore::Win(mate)));
    // Here a quiet move mates in three.
    let mut quiet = position;
    quiet.try_play("G*8c".parse().unwrap()).unwrap();
    let mates = |reply: &Position| next(reply).iter().any(|end| !end.has_legal_move());
    assert!(!quiet.in_check() && next(&quiet).iter().all(mates));
}

#[test]
fn a_best_move_that_proves_to_lose_is_replaced_by_another() {
    let game = game("startpos moves 7g7f 3c3d");
    let mut analyzer = analyzer(300, 1);
    let mut cursor = LineCursor::new(&game);
    let stop = AtomicBool::new(false);
    let mut after = analyzer.analyze(cursor.position(), &stop).unwrap();
    after.variations[0].estimate = BoundedScore::exact(AnalysisScore::Win(WinReason::Unproven));
    analyzer.results.insert(cursor.key(2).clone(), after);
    cursor.step_back();
    let mv: Move = "3c3d".parse().unwrap();
    let mut found = analyzer.analyze(cursor.position(), &stop).unwrap();
    found.variations[0] = Variation { moves: vec![mv], ..found.variations[0].clone() };
    let (position, limit) = (cursor.position(), AnalysisLimit::Nodes(300));
    let step = PropagationStep { position, mv, limit, stop: &stop };
    analyzer.update_from_next(step, cursor.key(2), &mut found).unwrap();
    assert_eq!(found.variations.len(), 1);
    assert!(found.best_move() != Some(mv) && !found.best().estimate.score.is_decided());
}

/// Regression: the best move was said to miss the mate that begins with it.
#[test]
fn a_mate_that_begins_with_the_move_played_is_one_in_the_position_after_it() {
    let start = "7nl/7k1/6ppp/9/9/9/9/9/8K b RG2S 1";
    let position = Position::from_sfen(start).unwrap();
    let solved = analyzer(4000, 1).analyze(&position, &AtomicBool::new(false)).unwrap();
    let mate = &solved.best().moves;
    assert_eq!(mate.len(), 3);
    let game = game(&format!("sfen {start} moves {}", mate[0]));
    let cursor = LineCursor::new(&game);
    // As if the search had seen nothing after the move.
    let unseen = Variation {
        estimate: BoundedScore::exact(AnalysisScore::Centipawns(-2000)),
        moves: vec![mate[1]],
        ..Variation::default()
    };
    let elapsed = std::time::Duration::ZERO;
    let position_analysis = PositionAnalysis { variations: vec![unseen], nodes: 1, elapsed };
    let mut analyzer = analyzer(4000, 1);
    analyzer.results.insert(cursor.key(1).clone(), position_analysis);
    let review = reviewed(&mut analyzer, &game);
    let first = review.moves[0].as_ref().unwrap();
    assert!(
        matches!(first.score().score, AnalysisScore::Win(WinReason::Mate { plies: 3, .. })),
        "{first:?}"
    );
    assert!(first.is_best && !first.misses_mate());
    let end = review.end.as_ref().unwrap().best();
    assert_eq!(end.moves, mate[1..]);
    check(cursor.position(), end);
}

/// The opening move of every game.
struct OneMove;

impl OpeningBook for OneMove {
    fn contains(&self, position: &Position, mv: Move) -> bool {
        position.game_ply() == 1 && mv.to_string() == "7g7f"
    }
}

#[test]
fn moves_of_a_book_are_marked() {
    let game = game("startpos moves 7g7f 3c3d");
    let mut analyzer = analyzer(100, 1);
    analyze_game(&mut analyzer, &game);
    let marks = |openings: Option<&dyn OpeningBook>| {
        let review = LineReview::new(&game, analyzer.results(), openings);
        review.moves.iter().flatten().map(|reviewed| reviewed.is_book).collect::<Vec<bool>>()
    };
    assert_eq!(marks(Some(&OneMove)), [true, false]);
    assert_eq!(marks(None), [false, false]);
}

#[test]
fn an_annotated_game_is_read_back_with_its_evaluations() {
    let mut game = game(MISSED);
    let review = reviewed(&mut analyzer(500, 2), &game);
    annotate(&mut game, &review, CommentStyle::ShogiGui);
    // A second annotation adds nothing.
    annotate(&mut game, &review, CommentStyle::ShogiGui);
    let (text, losses) = write(&[game.clone()], RecordFormat::Kif, Encoding::Utf8);
    assert!(losses.is_empty(), "{:?}", losses.messages().collect::<Vec<_>>());
    assert!(text.contains("**解析 0 候補1 時間 "), "{text}");
    assert!(text.contains("評価値 +詰 1 読み筋 ▲５二金打"), "{text}");
    // Regression: nothing stood between the best move and the moves of the reason.
    assert!(text.contains("最善手 ▲５二金打。"), "{text}");
    let again = read(&text, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap().games.remove(0);
    for (old, new) in game.main_line().zip(again.main_line()) {
        let (old, new) = (game.node(old), again.node(new));
        assert_eq!(old.comments, new.comments);
        let values = |node: &crate::record::GameNode| {
            let evaluations = node.evaluations.iter();
            evaluations.map(|e| (e.rank, e.value, e.line.clone())).collect::<Vec<_>>()
        };
        assert_eq!(values(old), values(new));
        assert!(!values(new).is_empty());
    }
    // The best comes last.
    let root = again.node(crate::record::NodeId::ROOT).evaluations.last().unwrap();
    assert_eq!(root.value, EvaluationValue::Mate { winner: Color::Black, plies: Some(1) });
}

/// Regression: ShogiHome showed the value of the second line, or none, because it reads no mate in ShogiGUI's format.
#[test]
fn a_mate_of_the_best_line_is_also_written_in_shogihomes_format() {
    let mated = "sfen 4k4/9/4G4/9/9/9/9/9/4K4 b G2r2b2g4s4n4l18p 1 moves G*5b";
    for (line, expected) in [(MISSED, "*#詰み=先手勝ち:1手\n   1 "), (mated, "*#詰み=先手勝ち\n")]
    {
        let mut game = game(line);
        let review = reviewed(&mut analyzer(500, 2), &game);
        annotate(&mut game, &review, CommentStyle::ShogiGui);
        let (text, _) = write(&[game.clone()], RecordFormat::Kif, Encoding::Utf8);
        assert!(text.contains(expected), "{text}");
        // A later analysis replaces it.
        let parsed = read(&text, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap();
        let mut again = parsed.games;
        annotate(&mut again[0], &review, CommentStyle::ShogiGui);
        let (second, _) = write(&again, RecordFormat::Kif, Encoding::Utf8);
        assert_eq!(second.matches("*#詰み=").count(), text.matches("*#詰み=").count(), "{second}");
    }
}

/// Regression: both grades remained, although they contradicted each other.
#[test]
fn a_new_analysis_replaces_the_words_of_the_last_one() {
    const EARLIER: [&str; 8] = [
        "大悪手 勝率 90% → 10% 最善手 ▲９八香",
        "疑問手 勝率 52% → 49%",
        "評価値 -70 以下",
        "後手勝ち（手順未確認）",
        "先手勝ち（連続王手の千日手）",
        "上手勝ち（手順未確認）",
        "下手勝ち（入玉宣言）",
        // As earlier versions wrote it.
        "先手勝ち（入玉）",
    ];
    const OF_OTHERS: [&str; 4] =
        ["大悪手", "悪手でしょう", "評価値 は500 以上", "先手勝ち（と思う）"];
    let mut game = game("startpos moves 7g7f");
    let review = reviewed(&mut analyzer(300, 1), &game);
    let last = game.main_line().last().unwrap();
    for id in [crate::record::NodeId::ROOT, last] {
        let words = EARLIER.iter().chain(&OF_OTHERS).map(ToString::to_string);
        game.node_mut(id).comments.extend(words);
    }
    annotate(&mut game, &review, CommentStyle::ShogiGui);
    assert_eq!(game.node(crate::record::NodeId::ROOT).comments, OF_OTHERS);
    let comments = &game.node(last).comments;
    assert_eq!(comments[..4], OF_OTHERS);
    assert!(EARLIER.iter().all(|&earlier| comments[4..].iter().all(|new| new != earlier)));
}

#[test]
fn csa_records_get_comments_in_floodgates_format() {
    let mut game = game("startpos moves 7g7f 3c3d");
    let review = reviewed(&mut analyzer(300, 2), &game);
    annotate(&mut game, &review, CommentStyle::Floodgate);
    let (text, _) = write(&[game], RecordFormat::Csa, Encoding::Utf8);
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("'** ")).collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].contains(" +") && lines[1].contains(" -"), "{text}");
}

/// Regression: the second analysis of a CSA record stood beside the first, which programs went on to show.
#[test]
fn a_second_analysis_of_a_csa_record_replaces_the_first_but_no_value_of_a_player() {
    let mut record = game("startpos moves 7g7f 3c3d");
    let review = reviewed(&mut analyzer(300, 2), &record);
    let of_player = record.clone();
    annotate(&mut record, &review, CommentStyle::Floodgate);
    let once = record.clone();
    annotate(&mut record, &review, CommentStyle::Floodgate);
    assert_eq!(record, once);
    let mut record = of_player;
    let last = record.main_line().last().unwrap();
    let value = once.node(last).evaluations[0].clone();
    record.node_mut(last).evaluations.push(value.clone());
    annotate(&mut record, &review, CommentStyle::Floodgate);
    assert_eq!(record.node(last).evaluations[0], value);
    assert!(record.node(last).evaluations.len() > 1);
}

/// Regression: the second analysis removed the value of a player beside which the first had written its own.
#[test]
fn further_analyses_of_a_csa_record_keep_the_value_of_a_player() {
    let mut record = game("startpos moves 7g7f 3c3d");
    let mut review = reviewed(&mut analyzer(300, 1), &record);
    let last = record.main_line().last().unwrap();
    let value = Evaluation::new(EvaluationValue::Centipawns(38), Vec::new());
    record.node_mut(last).evaluations.push(value.clone());
    // The second score is written in words.
    for bound in [Bound::Exact, Bound::Lower] {
        let reviewed = review.moves[1].as_mut().unwrap();
        std::sync::Arc::make_mut(&mut reviewed.after).variations[0].estimate.bound = bound;
        annotate(&mut record, &review, CommentStyle::Floodgate);
        let once = record.clone();
        annotate(&mut record, &review, CommentStyle::Floodgate);
        assert_eq!(record, once, "{bound:?}");
        assert_eq!(record.node(last).evaluations[0], value, "{bound:?}");
    }
}

#[test]
fn a_score_that_is_a_bound_is_written_in_words() {
    let mut game = game("startpos moves 7g7f");
    let mut review = reviewed(&mut analyzer(100, 1), &game);
    let reviewed = review.moves[0].as_mut().unwrap();
    let mut after = PositionAnalysis::clone(&reviewed.after);
    // White to move has at least this, so Black has at most that.
    after.variations[0].estimate =
        BoundedScore { score: AnalysisScore::Centipawns(70), bound: Bound::Lower };
    reviewed.after = after.into();
    annotate(&mut game, &review, CommentStyle::ShogiGui);
    let node = game.node(game.main_line().last().unwrap());
    // The grade of the move itself depends on the evaluation.
    assert_eq!(node.comments[0], "評価値 -70 以下");
    assert!(node.evaluations.is_empty());
}

/// Regression: programs showed the value of the second line as that of the position.
#[test]
fn a_best_line_in_words_stands_alone() {
    let mut game = game("startpos moves 7g7f");
    let mut review = reviewed(&mut analyzer(300, 2), &game);
    let reviewed = review.moves[0].as_mut().unwrap();
    let mut after = PositionAnalysis::clone(&reviewed.after);
    assert_eq!(after.variations.len(), 2);
    let won = AnalysisScore::Win(WinReason::PerpetualCheck);
    after.variations[0].estimate = BoundedScore::exact(won);
    reviewed.after = after.into();
    annotate(&mut game, &review, CommentStyle::ShogiGui);
    let node = game.node(game.main_line().last().unwrap());
    assert_eq!(node.comments[0], "後手勝ち（連続王手の千日手）");
    assert!(node.evaluations.is_empty(), "{:?}", node.evaluations);
}

/// Regression: the sides of a handicap game were 先手 and 後手.
#[test]
fn a_win_is_written_with_the_names_of_the_sides() {
    let rook = "sfen lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 3c3d";
    let cases = [
        (rook, AnalysisScore::Win(WinReason::Declaration), "下手勝ち（入玉宣言）"),
        (rook, AnalysisScore::Loss(WinReason::Unproven), "上手勝ち（手順未確認）"),
        ("startpos moves 7g7f", AnalysisScore::Win(WinReason::Declaration), "後手勝ち（入玉宣言）"),
    ];
    for (line, score, words) in cases {
        let mut game = game(line);
        let mut review = reviewed(&mut analyzer(100, 1), &game);
        let reviewed = review.moves[0].as_mut().unwrap();
        let mut after = PositionAnalysis::clone(&reviewed.after);
        after.variations[0].estimate = BoundedScore::exact(score);
        reviewed.after = after.into();
        // The second time replaces the comment.
        annotate(&mut game, &review, CommentStyle::ShogiGui);
        annotate(&mut game, &review, CommentStyle::ShogiGui);
        let comments = &game.node(game.main_line().last().unwrap()).comments;
        assert_eq!(comments.iter().filter(|comment| *comment == words).count(), 1, "{comments:?}");
    }
}

/// In one branch Black gives away the bishop; in the other the first move differs.
const BRANCHED: &str = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n\n\
    変化：3手\n3 ３三角成(88)\n*a word\n4 同　桂(21)\n\n変化：1手\n1 ９六歩(97)\n";

/// A game with its main line and all branches analysed, and the number of positions of each.
fn with_branches(nodes: u64) -> (GameRecord, Analyzer, Vec<usize>) {
    let game = read(BRANCHED, RecordFormat::Kif, ErrorPolicy::Refuse).unwrap().games.remove(0);
    let (mut analyzer, stop) = (analyzer(nodes, 1), AtomicBool::new(false));
    let mut counts = vec![0];
    analyzer.analyze_game(&game, &stop, &mut |_| counts[0] += 1).unwrap();
    for branch in branches(&game) {
        let mut count = 0;
        analyzer.analyze_branch(&game, &branch, &stop, &mut |_| count += 1).unwrap();
        counts.push(count);
    }
    (game, analyzer, counts)
}

#[test]
fn branches_are_examined_and_judged_beside_the_main_line() {
    let (game, analyzer, counts) = with_branches(500);
    // Each position is looked at twice.
    assert_eq!(counts, [8, 2, 4]);
    let found = branches(&game);
    let review = |branch: Branch| LineReview::of_branch(&game, branch, analyzer.results(), None);
    let [other, blunder] = [found[0], found[1]].map(review);
    assert!(LineReview::new(&game, analyzer.results(), None).is_complete());
    assert!(other.is_complete() && blunder.is_complete());
    assert_eq!((blunder.first_ply(), blunder.moves.len(), blunder.line.len()), (2, 2, 4));
    let reviewed = blunder.moves[0].as_ref().unwrap();
    assert_eq!((reviewed.mv.to_string(), reviewed.side), ("8h3c+".to_owned(), Color::Black));
    assert!(reviewed.grade().is_some() && blunder.stats[Color::Black].moves == 1, "{reviewed:?}");
    // Both lines from the same position are compared with the same result.
    let main = LineReview::new(&game, analyzer.results(), None);
    assert_eq!(main.moves[2].as_ref().unwrap().before, reviewed.before);
    assert_eq!((other.first_ply(), other.moves.len()), (0, 1));
}

#[test]
fn annotating_a_branch_changes_nothing_else() {
    let (mut game, analyzer, _) = with_branches(300);
    let before = game.clone();
    let evaluated = |game: &GameRecord| {
        let nodes = game.nodes().filter(|(_, node)| !node.evaluations.is_empty());
        nodes.map(|(id, _)| id).collect::<Vec<_>>()
    };
    let branch = branches(&game)[1];
    let review = LineReview::of_branch(&game, branch, analyzer.results(), None);
    annotate(&mut game, &review, CommentStyle::ShogiGui);
    let own: Vec<_> = review.line[2..].iter().map(|&(id, _)| id).collect();
    assert_eq!(evaluated(&game), own);
    let comments = &game.node(branch.head).comments;
    assert!(comments[0] == "a word" && comments[1].contains("最善手 "), "{comments:?}");
    for (id, node) in before.nodes().filter(|(id, _)| !own.contains(id)) {
        assert_eq!(game.node(id), node);
    }
    // The main line is annotated too, but the start position gets its evaluation once.
    for style in [CommentStyle::Floodgate, CommentStyle::ShogiGui] {
        let mut game = before.clone();
        let review = LineReview::new(&game, analyzer.results(), None);
        annotate(&mut game, &review, style);
        for branch in branches(&game) {
            let review = LineReview::of_branch(&game, branch, analyzer.results(), None);
            annotate(&mut game, &review, style);
        }
        assert_eq!(evaluated(&game).len(), before.nodes().count());
        assert!(game.nodes().all(|(_, node)| node.evaluations.len() == 1));
    }
}

#[test]
fn openings_and_castles_become_comments_that_a_later_analysis_replaces() {
    let mut game = game("startpos moves 7g7f 3c3d 6g6f 8c8d 2h6h");
    let review = reviewed(&mut analyzer(50, 1), &game);
    let last = review.line[4].0;
    game.node_mut(last).comments.push("【戦型】の話".into());
    for style in [CommentStyle::ShogiGui, CommentStyle::Floodgate] {
        annotate(&mut game, &review, style);
        let comments = &game.node(last).comments;
        let named = comments.iter().filter(|comment| *comment == "【戦型】▲四間飛車").count();
        assert_eq!(named, 1, "{comments:?}");
        assert!(comments.iter().any(|comment| comment == "【戦型】の話"), "{comments:?}");
    }
}
