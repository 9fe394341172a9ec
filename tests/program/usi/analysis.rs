//! The lines of a search: several lines, their order, and the lines of an interrupted search.

use std::collections::HashSet;

use super::engine::{Answer, Engine, ms};
use super::game::Game;
use super::info::{Info, Score};

const POSITIONS: [&str; 3] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l2g3nl/1ks2rg2/pppp1sbpp/4ppp2/7P1/2PPPPP2/PP1GSSN1P/2GB3R1/LNK5L w n 50",
    "ln3gsn1/7kl/3+B1p1p1/p4s2p/2P6/P2B3PP/1PNP+rPP2/2G3SK1/L4G1NL b G3Prs3p 65",
];

/// The lines that were sent together. The last group is the line before the answer.
fn groups(answer: &Answer) -> Vec<Vec<Info>> {
    let mut groups: Vec<Vec<Info>> = Vec::new();
    for info in answer.infos() {
        match groups.last_mut() {
            Some(group) if info.multi_pv > 1 => group.push(info),
            _ => groups.push(vec![info]),
        }
    }
    groups
}

/// Ranks from 1, best first, no duplicate first moves.
fn check_group(group: &[Info]) {
    assert!(group.iter().map(|info| info.multi_pv).eq(1..=group.len()), "{group:?}");
    assert!(group.is_sorted_by(|better, worse| better.score >= worse.score), "{group:?}");
    let first_moves: HashSet<&String> = group.iter().map(|info| &info.pv[0]).collect();
    assert_eq!(first_moves.len(), group.len(), "{group:?}");
}

#[test]
fn with_multipv_5_five_distinct_sorted_lines_are_reported() {
    let mut engine = Engine::ready(&["MultiPV=5", "PvInterval=0"]);
    for sfen in POSITIONS {
        let answer = engine.ask(&Game::from(sfen), "go depth 7");
        let groups = groups(&answer);
        let (last, whole) = groups.split_last().unwrap();
        assert!(whole.len() >= 7, "{sfen}");
        for group in whole {
            assert_eq!(group.len(), 5, "{group:?}");
            check_group(group);
        }
        assert_eq!((last.len(), &last[0].pv), (1, &whole.last().unwrap()[0].pv));
    }
    engine.quit();
}

#[test]
fn the_lines_of_a_stopped_search_are_consistent_and_the_best_is_played() {
    let mut engine = Engine::ready(&["MultiPV=5", "PvInterval=0"]);
    for sfen in POSITIONS {
        for nodes in (100..6000).step_by(171) {
            let answer = engine.ask(&Game::from(sfen), &format!("go nodes {nodes}"));
            let groups = groups(&answer);
            let group = match &groups[..] {
                [.., group, last] if last.len() == 1 => group,
                [.., last] => last,
                [] => panic!("nothing was shown"),
            };
            check_group(group);
            assert_eq!(group[0].pv[0], answer.best(), "{nodes}: {group:?}");
            assert!(group.iter().all(|info| info.depth == group[0].depth), "{group:?}");
        }
    }
    engine.quit();
}

#[test]
fn more_lines_than_there_are_moves_are_not_shown() {
    let mut engine = Engine::ready(&["MultiPV=600"]);
    let game = Game::from("k8/9/1G7/9/9/9/9/9/8K w - 1");
    let moves = game.position.legal_moves().len();
    let answer = engine.ask(&game, "go depth 4");
    assert!(groups(&answer).iter().all(|group| group.len() <= moves));
    assert!(groups(&answer).iter().any(|group| group.len() == moves));
    engine.quit();
}

#[test]
fn a_non_promotion_of_a_pawn_is_a_candidate_only_with_all_legal_moves() {
    let mut engine = Engine::ready(&["MultiPV=600"]);
    let game = Game::from("k8/9/4P4/9/9/9/9/9/8K b - 1");
    for (option, is_candidate) in [("false", false), ("true", true)] {
        engine.send(&format!("setoption name GenerateAllLegalMoves value {option}"));
        let infos = engine.ask(&game, "go depth 1").infos();
        let is_shown = |mv: &str| infos.iter().any(|info| info.pv[0] == mv);
        assert!(is_shown("5c5b+"), "{infos:?}");
        assert_eq!(is_shown("5c5b"), is_candidate, "{infos:?}");
    }
    engine.quit();
}

#[test]
fn the_last_score_is_exact_unless_its_move_has_just_become_the_best() {
    let mut engine = Engine::ready(&["PvInterval=0"]);
    for sfen in POSITIONS {
        for nodes in (1000..12_000).step_by(613) {
            let answer = engine.ask(&Game::from(sfen), &format!("go nodes {nodes}"));
            let last = answer.last();
            let whole = answer.infos().into_iter().rfind(|info| info.bound.is_none());
            // Only a move that has just become the best may still lack its line and score.
            assert!(last.bound != Some("upperbound"), "{last:?}");
            assert!(last.bound.is_none() || whole.is_none_or(|info| info.pv[0] != last.pv[0]));
        }
    }
    engine.quit();
}

#[test]
fn bounds_are_shown_unless_the_option_hides_them() {
    for (option, are_shown) in [("true", true), ("false", false)] {
        let mut engine = Engine::ready(&["PvInterval=0", &format!("OutputFailLHPV={option}")]);
        let mut bounds = 0;
        for sfen in POSITIONS {
            let infos = engine.ask(&Game::from(sfen), "go depth 10").infos();
            bounds += infos.iter().filter(|info| info.bound.is_some()).count();
        }
        assert_eq!(bounds > 0, are_shown, "{bounds}");
        engine.quit();
    }
}

#[test]
fn no_info_string_comes_between_the_last_pv_and_the_answer() {
    let mut engine = Engine::ready(&[]);
    engine.send("debug on");
    for sfen in POSITIONS.iter().chain(&["4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1"]) {
        let game = Game::from(sfen);
        for go in ["go depth 1", "go nodes 1", "go nodes 2000", "go movetime 10"] {
            // Looks at the line before the answer.
            engine.ask(&game, go);
        }
        engine.send(&game.command());
        engine.send("go infinite");
        engine.during(ms(10));
        engine.send("setoption name Joho");
        engine.stop(&game);
    }
    engine.quit();
}

#[test]
fn a_search_of_one_node_or_one_ply_has_a_legal_line() {
    let mut engine = Engine::ready(&[]);
    for sfen in POSITIONS {
        for go in ["go nodes 1", "go depth 1", "go nodes 10", "go depth 1 nodes 1"] {
            engine.send("usinewgame");
            let last = engine.ask(&Game::from(sfen), go).last();
            assert!(last.score.is_some() && last.bound.is_none(), "{last:?}");
            assert!(last.depth <= 1 && last.nodes > 0 && !last.pv.is_empty(), "{last:?}");
            assert!(last.selective_depth >= last.depth && last.hashfull <= 1000, "{last:?}");
        }
    }
    engine.quit();
}

#[test]
fn depth_time_and_nodes_never_decrease() {
    let mut engine = Engine::ready(&["Threads=2", "PvInterval=0"]);
    for sfen in POSITIONS {
        let infos = engine.ask(&Game::from(sfen), "go movetime 60").infos();
        let counts = |info: &Info| (info.time_ms, info.nodes);
        for pair in infos.windows(2) {
            let (before, after) = (counts(&pair[0]), counts(&pair[1]));
            assert!(before.0 <= after.0 && before.1 <= after.1, "{pair:?}");
        }
        let whole: Vec<u32> =
            infos.iter().filter(|info| info.bound.is_none()).map(|info| info.depth).collect();
        assert!(whole[..whole.len() - 1].is_sorted(), "{whole:?}");
    }
    engine.quit();
}

#[test]
fn a_mate_is_counted_in_plies_and_shown_to_its_end() {
    let mut engine = Engine::ready(&[]);
    for (sfen, plies) in [
        ("4k4/9/4G4/9/9/9/9/9/4K4 b G 1", 1),
        ("7nl/7k1/6ppp/9/9/9/9/9/8K b RG2S 1", 3),
        ("8l/7k1/6ppp/9/7N1/9/9/9/9 b RGS 1", 3),
    ] {
        let game = Game::from(sfen);
        let last = engine.ask(&game, "go depth 9").last();
        assert_eq!(last.score, Some(Score::Mates(-plies)), "{last:?}");
        assert_eq!(last.pv.len(), plies as usize, "{last:?}");
        let end = game.after(&last.pv.join(" "));
        assert!(end.position.legal_moves().is_empty(), "{last:?}");
    }
    engine.quit();
}

#[test]
fn all_lines_of_a_report_have_its_depth_and_few_change_with_depth() {
    let mut engine = Engine::ready(&["MultiPV=4", "PvInterval=0", "USI_AnalyseMode=true"]);
    for sfen in POSITIONS {
        let answer = engine.ask(&Game::from(sfen), "go depth 9");
        let groups = groups(&answer);
        let whole = &groups[..groups.len() - 1];
        let depths = whole.iter().map(|group| group[0].depth);
        assert!(depths.clone().is_sorted_by(|before, after| after - before <= 1), "{sfen}");
        assert_eq!((depths.min(), whole.last().unwrap()[0].depth), (Some(1), 9));
        let mut stayed = 0;
        for pair in whole.windows(2).filter(|pair| pair[0][0].depth >= 4) {
            assert!(
                pair[1].iter().all(|info| info.depth == pair[1][0].depth && info.bound.is_none())
            );
            let first_moves = |group: &[Info]| -> HashSet<String> {
                group.iter().map(|info| info.pv[0].clone()).collect()
            };
            stayed += first_moves(&pair[0]).intersection(&first_moves(&pair[1])).count();
        }
        let pairs = whole.windows(2).filter(|pair| pair[0][0].depth >= 4).count();
        assert!(stayed >= 2 * pairs, "of 4 lines only {stayed} stay in {pairs} steps: {sfen}");
    }
    engine.quit();
}

/// A GUI that changes the number of lines during analysis stops the search, sets the option, and
/// starts again.
#[test]
fn the_number_of_lines_can_be_changed_between_searches_and_the_table_stays() {
    let game = Game::from(POSITIONS[1]);
    let (mut kept, mut fresh) = (Engine::ready(&["PvInterval=0"]), Engine::ready(&[]));
    let ask = |engine: &mut Engine, count: usize| {
        engine.send(&format!("setoption name MultiPV value {count}"));
        let answer = engine.ask(&game, "go depth 8");
        assert_eq!(groups(&answer).iter().map(Vec::len).max(), Some(count));
        answer.last().nodes
    };
    ask(&mut kept, 3);
    let (mut with_table, mut without) = (0, 0);
    for count in [2, 1, 3, 5] {
        with_table += ask(&mut kept, count);
        fresh.send("usinewgame");
        without += ask(&mut fresh, count);
    }
    assert!(with_table * 10 < without * 9, "{with_table} nodes, {without} without a table");
    // In the middle of an infinite search too.
    kept.send(&game.command());
    kept.send("go infinite");
    kept.during(ms(50));
    kept.stop(&game);
    ask(&mut kept, 4);
    kept.quit();
    fresh.quit();
}

#[test]
fn a_worker_of_a_cluster_sends_entries_which_another_one_uses() {
    let search = |engine: &mut Engine| {
        engine.send("position startpos");
        engine.send("go depth 10");
        engine.until("bestmove ").0
    };
    let mut sender = Engine::ready(&["ClusterWorker=1"]);
    let lines = search(&mut sender);
    let words = |line: &String| Some(line.strip_prefix("info string entries ")?.to_owned());
    let entries: Vec<String> = lines.iter().filter_map(words).collect();
    assert!(!entries.is_empty(), "{lines:?}");
    sender.quit();
    let nodes = |entries: &[String]| {
        let mut engine = Engine::ready(&[]);
        entries.iter().for_each(|words| engine.send(&format!("entries {words} no entry")));
        let lines = search(&mut engine);
        assert!(lines.iter().all(|line| !line.contains("entries")), "{lines:?}");
        engine.quit();
        let count =
            |line: &String| Some(line.split(" nodes ").nth(1)?.split(' ').next()?.to_owned());
        lines.iter().rev().find_map(count).unwrap()
    };
    assert_ne!(nodes(&entries), nodes(&[]));
}
