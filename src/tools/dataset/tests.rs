use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::balance::{BalanceConfig, balance};
use super::blend::{BlendConfig, blend};
use super::convert::convert;
use super::dedup::dedup;
use super::filter::{FilterConditions, GameFilter, PositionFilter, filter};
use super::positions::positions;
use super::shuffle::shuffle;
use super::stats::DatasetStats;
use super::*;
use crate::nnue::{Evaluator, Network};
use crate::position::Setup;
use crate::record::scored_position::ScoredPosition;
use crate::tools::game_file::tests::{Place, game};
use crate::tools::game_file::{
    GameFileHeader, GameFileReader, GameFileWriter, GameMove, Replay, ScoredGame,
};
use crate::tools::opening::read_openings;
use crate::tools::referee::{GameEnd, GameEndReason, GameOutcome};
use crate::types::{Color, Move, Score};

const STARTPOS: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// A file of these games.
fn file(name: &str, games: &[ScoredGame]) -> Place {
    let place = Place::new(name);
    let mut header = GameFileHeader::new();
    header.set("nodes", 1000);
    let (mut writer, _) = GameFileWriter::append(&place.path, &header, &mut |_| {}).unwrap();
    games.iter().for_each(|game| writer.push(game).unwrap());
    writer.finish().unwrap();
    place
}

fn games_in(place: &Place) -> Vec<ScoredGame> {
    GameFileReader::open(&place.path).unwrap().collect::<Result<_, _>>().unwrap()
}

fn positions_in(place: &Place, format: PositionFormat) -> Vec<ScoredPosition> {
    let bytes = fs::read(&place.path).unwrap();
    bytes.chunks(format.size()).map(|bytes| format.read(bytes).unwrap()).collect()
}

/// For valid files, which cause no warning.
fn no_warning(words: String) {
    panic!("{words}");
}

fn paths<const N: usize>(places: [&Place; N]) -> Vec<PathBuf> {
    places.map(|place| place.path.clone()).to_vec()
}

/// Games of forty random plies, all different.
fn many(count: u16) -> Vec<ScoredGame> {
    let make = |i: u16| {
        let choices: Vec<u16> =
            (0..40).map(|ply| i.wrapping_mul(7919).wrapping_add(ply * 331)).collect();
        let end = if i.is_multiple_of(2) {
            GameEnd::win(Color::White, GameEndReason::Resign)
        } else {
            GameEnd::draw(GameEndReason::Sennichite)
        };
        game(STARTPOS, &choices, end)
    };
    (0..count).map(make).collect()
}

fn scored(games: &[ScoredGame]) -> u64 {
    games.iter().map(|game| game.scored() as u64).sum()
}

#[test]
fn every_scored_position_of_a_game_is_converted_with_its_result() {
    let games = many(5);
    let source = file("convert.games", &games);
    let psv = Place::new("convert.psv");
    let counts = convert(&paths([&source]), &psv.path, &mut no_warning).unwrap();
    assert_eq!(counts.positions, KeptCount { seen: scored(&games), kept: scored(&games) });
    let mut encoded = positions_in(&psv, PositionFormat::Psv).into_iter();
    for game in &games {
        let mut replay = Replay::new(game).unwrap();
        while let Some(sample) = replay.advance().unwrap() {
            let Some(score) = sample.score() else { continue };
            let found = encoded.next().unwrap();
            assert_eq!(found.setup, sample.position.setup());
            assert_eq!((found.mv, found.score), (sample.mv(), score.0 as i16));
            assert_eq!(u32::from(found.number), sample.position.game_ply());
            assert_eq!(found.result, sample.result());
        }
    }
    assert!(encoded.next().is_none());
}

#[test]
fn a_conversion_loses_only_what_the_new_format_lacks() {
    let source = file("chain.games", &many(5));
    let [psv, hcpe, psv2, games, psv3] =
        ["chain.psv", "chain.hcpe", "chain2.psv", "chain2.games", "chain3.bin"].map(Place::new);
    for (from, to) in [(&source, &psv), (&psv, &hcpe), (&hcpe, &psv2)] {
        convert(&paths([from]), &to.path, &mut no_warning).unwrap();
    }
    let first = positions_in(&psv, PositionFormat::Psv);
    let without_numbers: Vec<ScoredPosition> = first
        .iter()
        .map(|scored| {
            let mut scored = scored.clone();
            (scored.number, scored.setup.game_ply) = (0, 1);
            scored
        })
        .collect();
    assert_eq!(positions_in(&psv2, PositionFormat::Psv), without_numbers);
    convert(&paths([&psv]), &games.path, &mut no_warning).unwrap();
    assert!(games_in(&games).iter().all(|game| game.plies.len() == 1));
    convert(&paths([&games]), &psv3.path, &mut no_warning).unwrap();
    assert_eq!(fs::read(&psv3.path).unwrap(), fs::read(&psv.path).unwrap());
}

/// The games of these game records, and the warnings without the folder.
fn read_back(records: &[(&str, &str)]) -> (Vec<ScoredGame>, Vec<String>) {
    let out = Place::new("out.games");
    let folder = out.path.parent().unwrap();
    let mut inputs = Vec::new();
    for (name, text) in records {
        inputs.push(folder.join(name));
        fs::write(folder.join(name), text).unwrap();
    }
    let mut words = Vec::new();
    let mut warn = |text: String| words.push(text.replace(&format!("{}/", folder.display()), ""));
    convert(&inputs, &out.path, &mut warn).unwrap();
    (games_in(&out), words)
}

#[test]
fn game_records_without_evaluations_have_no_scores_and_those_without_a_result_are_skipped() {
    let text = "startpos moves 7g7f 3c3d resign\n\
                startpos moves 7g7f\n\
                sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 5 moves G*5b\n\
                sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1 moves G*5b\n";
    let (games, words) = read_back(&[("games.usi", text)]);
    let no_king = "games.usi: game 3: the start cannot be packed: ";
    assert_eq!(words.len(), 2, "{words:?}");
    assert!(words[0] == "games.usi: game 1: it has no result" && words[1].starts_with(no_king));
    let ends: Vec<GameEnd> = games.iter().map(|game| game.end).collect();
    let resigned = GameEnd::win(Color::White, GameEndReason::Resign);
    assert_eq!(ends, [resigned, GameEnd::win(Color::Black, GameEndReason::NoMove)]);
    assert_eq!((scored(&games), games[0].plies.len(), games[1].start.game_ply), (0, 2, 5));
}

#[test]
fn the_last_line_of_a_game_record_gives_the_result() {
    use GameEndReason::*;
    let (black, white) = (Color::Black, Color::White);
    let ends = [
        ("TORYO", GameEnd::win(black, Resign)),
        ("TSUMI", GameEnd::win(black, NoMove)),
        ("KACHI", GameEnd::win(white, Declaration)),
        ("SENNICHITE", GameEnd::draw(Sennichite)),
        ("JISHOGI", GameEnd::draw(Adjudication)),
        ("HIKIWAKE", GameEnd::draw(Adjudication)),
        ("MAX_MOVES", GameEnd::draw(MaxMoves)),
        ("TIME_UP", GameEnd::win(black, TimeLoss)),
        ("ILLEGAL_MOVE", GameEnd::win(black, IllegalMove)),
        ("+ILLEGAL_ACTION", GameEnd::win(white, IllegalMove)),
    ];
    for (word, end) in ends {
        let (games, words) = read_back(&[("a.csa", &format!("PI\n+\n+7776FU\n%{word}\n"))]);
        assert_eq!((games[0].end, words.len()), (end, 0), "{word}");
    }
    for word in ["CHUDAN", "MATTA", "ERROR", "FUZUMI"] {
        let (games, words) = read_back(&[("a.csa", &format!("PI\n+\n+7776FU\n%{word}\n"))]);
        assert_eq!((games.len(), words), (0, vec!["a.csa: game 0: it has no result".into()]));
    }
    let checks = "9b9a 1a1b 9a9b 1b1a ".repeat(3);
    let text = format!("sfen 8k/R8/9/9/9/9/9/9/8K b - 1 moves {checks}illegal\n");
    let (games, _) = read_back(&[("check.usi", &text)]);
    assert_eq!(games[0].end, GameEnd::win(white, PerpetualCheck));
}

#[test]
fn evaluations_become_scores_of_the_players_who_moved() {
    let text = "PI\n+\n+7776FU\n'** 100 -3334FU\n-3334FU\n'** 100\n+2726FU\n'** 31111\n\
                -8384FU\n'**対局 評価値 +詰 7\n+2625FU\n'**対局 評価値 -詰 4\n\
                -8485FU\n'**解析 評価値 40\n%TORYO\n";
    let (games, words) = read_back(&[("a.csa", text)]);
    assert_eq!(words, Vec::<String>::new());
    let scores: Vec<Option<i32>> =
        games[0].plies.iter().map(|ply| ply.score().map(|score| score.0)).collect();
    let [mates, mated] = [Score::MATE_IN_MAX_PLY, Score::mated_in(7)].map(|score| Some(score.0));
    let given = [Some(90), Some(-90), mates, mated, Some(Score::mated_in(4).0), None];
    assert_eq!(scores, given, "an analysis is no score of a player");
}

#[test]
fn damaged_game_records_cost_no_other_games() {
    let good = "PI\n+\n+7776FU\n'** 50\n-3334FU\n%TORYO\n";
    let illegal = "PI\n+\n+7776FU\n-3335FU\n+2726FU\n%TORYO\n";
    let kif = "手合割：平手\n   1 ７六歩(77)\n   2 投了\n";
    let several = [good, illegal, good].join("/\n");
    let records = [("a.csa", &*several), ("b.kif", kif), ("c.csa", "nonsense"), ("d.csa", illegal)];
    let (games, words) = read_back(&records);
    assert_eq!((games.len(), scored(&games)), (3, 2), "{words:?}");
    let about = |name: &str| words.iter().filter(|text| text.starts_with(name)).count();
    assert!(about("a.csa: line ") > 0 && about("d.csa: line ") > 0, "{words:?}");
    assert!(about("b.kif") == 0 && about("c.csa: ") > 0, "{words:?}");
    assert!(words.iter().all(|text| !text.contains("no result")), "{words:?}");
}

/// Regression: `filter a.csa --out b.csa` asked for a game file as output, and then called it another kind.
#[test]
fn game_records_are_converted_before_they_are_shuffled() {
    let source = Place::new("game.csa");
    let out = Place::new("shuffled.games");
    let error = shuffle(&paths([&source]), &out.path, 1, 10_000, &mut no_warning).unwrap_err();
    assert!(matches!(error, DatasetError::ConvertFirst(_)) && !out.path.exists());
}

#[test]
fn game_records_are_not_written() {
    let source = file("source.games", &many(1));
    let out = Place::new("out.csa");
    let error = convert(&paths([&source]), &out.path, &mut no_warning).unwrap_err();
    assert!(matches!(error, DatasetError::ReadOnly(_)) && !out.path.exists());
}

#[test]
fn invalid_positions_are_reported_and_skipped() {
    let source = file("trouble.games", &many(2));
    let psv = Place::new("trouble.psv");
    convert(&paths([&source]), &psv.path, &mut no_warning).unwrap();
    let mut bytes = fs::read(&psv.path).unwrap();
    let whole = bytes.len() / 40;
    bytes[40 + 38] = 9;
    bytes[80 + 34..80 + 36].fill(0);
    bytes.extend([0; 7]);
    fs::write(&psv.path, bytes).unwrap();
    let out = Place::new("trouble2.games");
    let mut words = Vec::new();
    let counts = convert(&paths([&psv]), &out.path, &mut |text| words.push(text)).unwrap();
    assert_eq!(counts.positions, KeptCount { seen: whole as u64, kept: whole as u64 - 2 });
    let parts = ["position 1: no result", "position 2: ply 0", "the last 7 bytes"];
    assert_eq!(words.len(), parts.len(), "{words:?}");
    assert!(words.iter().zip(parts).all(|(words, part)| words.contains(part)), "{words:?}");
    let missing = convert(&[PathBuf::from("nowhere.psv")], &out.path, &mut no_warning);
    assert!(matches!(missing, Err(DatasetError::Read(..))));
    let again = convert(&paths([&psv]), &out.path, &mut no_warning);
    assert!(matches!(again, Err(DatasetError::Write(..))), "a file that exists");
}

/// Black to move in check, then White; a capture and a promotion.
fn eventful() -> ScoredGame {
    let moves = ["7g7f", "3c3d", "8h3c+", "5a6b", "3c2b", "3a2b"];
    let scores = [10, -900, 40, 31_990, -20, 30];
    let plies =
        moves.into_iter().zip(scores).enumerate().map(|(ply, (mv, score))| {
            GameMove::searched(mv.parse().unwrap(), Score(score), ply != 4)
        });
    let end = GameEnd { outcome: GameOutcome::Win(Color::Black), reason: GameEndReason::Resign };
    ScoredGame { start: Setup::startpos(), plies: plies.collect(), end }
}

/// The plies of the eventful game that these conditions keep.
fn left(positions: PositionFilter) -> Vec<usize> {
    let conditions = FilterConditions { positions, ..FilterConditions::default() };
    let source = file("source.games", &[eventful()]);
    let out = Place::new("out.games");
    let counts = filter(&paths([&source]), &out.path, &conditions, &mut no_warning).unwrap();
    let game = games_in(&out).remove(0);
    let moves = |game: &ScoredGame| game.plies.iter().map(|ply| ply.mv()).collect::<Vec<Move>>();
    assert_eq!(moves(&game), moves(&eventful()), "moves stay");
    let left: Vec<usize> = (0..6).filter(|&ply| game.plies[ply].score().is_some()).collect();
    assert_eq!(counts.positions, KeptCount { seen: 6, kept: left.len() as u64 });

    // The same in a position file, if it contains the necessary data.
    if conditions.positions.best_only {
        return left;
    }
    let [psv, psv_out] = ["source.psv", "out.psv"].map(Place::new);
    convert(&paths([&source]), &psv.path, &mut no_warning).unwrap();
    filter(&paths([&psv]), &psv_out.path, &conditions, &mut no_warning).unwrap();
    let numbers: Vec<usize> = positions_in(&psv_out, PositionFormat::Psv)
        .iter()
        .map(|scored| usize::from(scored.number) - 1)
        .collect();
    assert_eq!(numbers, left);
    left
}

#[test]
fn each_condition_drops_its_positions() {
    let none = PositionFilter::default;
    assert_eq!(left(none()), [0, 1, 2, 3, 4, 5]);
    assert_eq!(left(PositionFilter { min_number: Some(3), ..none() }), [2, 3, 4, 5]);
    assert_eq!(left(PositionFilter { max_number: Some(2), ..none() }), [0, 1]);
    let score = PositionFilter { max_score: Some(Score(900)), ..none() };
    assert_eq!(left(score), [0, 1, 2, 4, 5]);
    // White wins by its scores of plies 3 and 5, and loses the game.
    let contradiction = PositionFilter { contradiction: Some(Score(1000)), ..none() };
    assert_eq!(left(contradiction), [0, 1, 2, 4, 5]);
    assert_eq!(left(PositionFilter { no_check: true, ..none() }), [0, 1, 2, 4, 5]);
    let capture = PositionFilter { no_capture: true, ..none() };
    assert_eq!(left(capture), [0, 1, 2, 3]);
    let promotion = PositionFilter { no_promotion: true, ..none() };
    assert_eq!(left(promotion), [0, 1, 3, 4, 5]);
    assert_eq!(left(PositionFilter { best_only: true, ..none() }), [0, 1, 2, 3, 5]);
}

#[test]
fn games_are_removed_as_a_whole_and_some_positions_of_each_are_chosen() {
    let games = [many(20), vec![eventful()]].concat();
    let source = file("whole.games", &games);
    let out = Place::new("whole-out.games");
    let conditions = FilterConditions {
        games: GameFilter {
            min_plies: Some(10),
            max_plies: Some(40),
            end_reasons: vec![GameEndReason::Sennichite],
        },
        per_game: Some(5),
        ..FilterConditions::default()
    };
    let counts = filter(&paths([&source]), &out.path, &conditions, &mut no_warning).unwrap();
    assert_eq!(counts.games, KeptCount { seen: 21, kept: 10 });
    let kept = games_in(&out);
    assert!(kept.iter().all(|game| game.end.reason == GameEndReason::Resign && game.scored() == 5));
    let chosen: Vec<Vec<bool>> = kept
        .iter()
        .map(|game| game.plies.iter().map(|ply| ply.score().is_some()).collect())
        .collect();
    assert!(chosen.iter().any(|plies| *plies != chosen[0]), "not the same plies of each game");
    let header = GameFileReader::open(&out.path).unwrap().header().clone();
    assert_eq!(header.get("nodes"), Some("1000"));
    let then = "filter; game from 10 plies; game to 40 plies; 5 a game by seed 0; no sennichite";
    assert_eq!(header.get("then"), Some(then));
}

/// Regression: they silently removed nothing, or everything.
#[test]
fn conditions_on_data_that_the_format_lacks_are_refused() {
    let source = file("conditions.games", &many(2));
    let numbers = PositionFilter { min_number: Some(1), ..Default::default() };
    let best = PositionFilter { best_only: true, ..Default::default() };
    let long = GameFilter { min_plies: Some(10), ..Default::default() };
    let all = [
        (FilterConditions { per_game: Some(2), ..Default::default() }, false),
        (FilterConditions { games: long, ..Default::default() }, false),
        (FilterConditions { positions: best, ..Default::default() }, false),
        (FilterConditions { positions: numbers, ..Default::default() }, true),
    ];
    for (name, knows_numbers) in [("conditions.psv", true), ("conditions.hcpe", false)] {
        let [converted, out] =
            [name.to_owned(), format!("out-{name}")].map(|name| Place::new(&name));
        convert(&paths([&source]), &converted.path, &mut no_warning).unwrap();
        for (conditions, wants_numbers) in &all {
            let result = filter(&paths([&converted]), &out.path, conditions, &mut no_warning);
            if *wants_numbers && knows_numbers {
                result.unwrap();
                fs::remove_file(&out.path).unwrap();
            } else {
                assert!(matches!(result, Err(DatasetError::NotInFormat(_))), "{conditions}");
                assert!(!out.path.exists());
            }
        }
    }
}

#[test]
fn duplicates_are_removed() {
    let games = many(4);
    let longer = {
        let mut game = games[0].clone();
        game.plies.truncate(30);
        game
    };
    let [one, two] = [file("dup1.games", &games[..3]), {
        file("dup2.games", &[games[1].clone(), longer, games[3].clone()])
    }];
    let out = Place::new("dup-out.games");
    let counts = dedup(&paths([&one, &two]), &out.path, &mut no_warning).unwrap();
    assert_eq!(counts.games, KeptCount { seen: 6, kept: 5 });
    let kept = games_in(&out);
    assert_eq!(kept[3].scored(), 0, "all its positions came before");
    let stats = DatasetStats::of_files(&paths([&out]), &mut no_warning).unwrap();
    assert_eq!(stats.positions.scored, counts.positions.kept);
    assert!(stats.to_string().contains("repeated    0.00 % of them"), "{stats}");
    assert_eq!(GameFileReader::open(&out.path).unwrap().header().get("nodes"), Some("1000"));

    let [psv, psv_out] = ["dup.psv", "dup-out.psv"].map(Place::new);
    convert(&paths([&one, &two]), &psv.path, &mut no_warning).unwrap();
    let of_positions = dedup(&paths([&psv]), &psv_out.path, &mut no_warning).unwrap();
    assert_eq!(of_positions.positions.kept, counts.positions.kept);
}

/// Regression: the headers of two hundred files were too long for one header, and there was no way
/// around it.
#[test]
fn the_common_lines_of_many_headers_fit_into_one_header() {
    let files: Vec<Place> = (0..100)
        .map(|seed| {
            let place = Place::new("part.games");
            let mut header = GameFileHeader::new();
            header.set("program", "0123456789abcdef".repeat(45));
            header.set("seed", seed);
            header.set("then", "dedup");
            let (writer, _) = GameFileWriter::append(&place.path, &header, &mut |_| {}).unwrap();
            writer.finish().unwrap();
            place
        })
        .collect();
    let paths: Vec<PathBuf> = files.iter().map(|place| place.path.clone()).collect();
    let out = Place::new("all.games");
    dedup(&paths, &out.path, &mut no_warning).unwrap();
    let header = GameFileReader::open(&out.path).unwrap().header().clone();
    assert_eq!(header.get("program").unwrap().len(), 720);
    assert_eq!((header.get("100 seed"), header.get("100 then")), (Some("99"), Some("dedup")));
    assert_eq!((header.get("100 program"), header.get("then")), (None, Some("dedup")));
}

/// Regression: scores were removed that had occurred before only in a game that was not kept itself.
#[test]
fn an_illegal_game_removes_no_scores_of_other_games() {
    let mut broken = eventful();
    broken.plies.push(GameMove::searched("1a9b".parse().unwrap(), Score(0), true));
    let source = file("broken.games", &[broken, eventful()]);
    let out = Place::new("broken-out.games");
    let mut words = Vec::new();
    dedup(&paths([&source]), &out.path, &mut |text| words.push(text)).unwrap();
    assert!(words.len() == 1 && words[0].contains("is illegal"), "{words:?}");
    assert_eq!(games_in(&out), [eventful()]);
}

/// Regression: the positions before the illegal move were used, and the game counted as kept.
#[test]
fn an_illegal_game_is_skipped_as_a_whole() {
    let mut broken = eventful();
    broken.plies.push(GameMove::searched("1a9b".parse().unwrap(), Score(0), true));
    let source = file("broken.games", &[broken]);
    for name in ["out.psv", "out.games", "out.txt"] {
        let out = Place::new(name);
        let mut words = Vec::new();
        let work = |inputs: &[PathBuf], out: &Path, warning: OnWarning<'_>| {
            if name.ends_with(".txt") {
                positions(inputs, out, false, warning)
            } else {
                convert(inputs, out, warning)
            }
        };
        let counts = work(&paths([&source]), &out.path, &mut |text| words.push(text)).unwrap();
        assert!(words.len() == 1 && words[0].contains("is illegal"), "{words:?}");
        assert_eq!(
            (counts.games, counts.positions.kept),
            (KeptCount { seen: 1, kept: 0 }, 0),
            "{name}"
        );
        let is_empty = fs::metadata(&out.path).unwrap().len() == 0;
        assert!(is_empty || games_in(&out).is_empty(), "{name}");
    }
}

#[test]
fn shuffling_loses_nothing_and_depends_on_the_seed_only() {
    let games = many(60);
    let source = file("order.games", &games);
    let shuffled = |name: &str, seed, memory| {
        let out = Place::new(name);
        let counts = shuffle(&paths([&source]), &out.path, seed, memory, &mut no_warning).unwrap();
        assert_eq!(counts.games, KeptCount { seen: 60, kept: 60 });
        games_in(&out)
    };
    let sorted = |mut games: Vec<ScoredGame>| {
        games.sort_by_key(|game| format!("{:?}", game.plies));
        games
    };
    for memory in [u64::MAX, 3000] {
        let order = shuffled("order1.games", 1, memory);
        assert_ne!(order, games);
        assert_eq!(order, shuffled("order2.games", 1, memory));
        assert_ne!(order, shuffled("order3.games", 2, memory));
        assert_eq!(sorted(order), sorted(games.clone()));
    }
    let psv = Place::new("order.psv");
    convert(&paths([&source]), &psv.path, &mut no_warning).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.psv");
    let counts = shuffle(&paths([&psv]), &out, 1, 10_000, &mut no_warning).unwrap();
    assert_eq!(counts.positions.kept, scored(&games));
    let sorted = |path: &Path| {
        let mut positions: Vec<Vec<u8>> =
            fs::read(path).unwrap().chunks(40).map(<[u8]>::to_vec).collect();
        positions.sort();
        positions
    };
    assert_eq!(sorted(&out), sorted(&psv.path));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "buckets are removed");
    let again = shuffle(&paths([&psv]), &out, 1, 10_000, &mut no_warning);
    assert!(matches!(again, Err(DatasetError::Write(..))), "it must not exist");
    let mixed = shuffle(&paths([&source, &psv]), &PathBuf::from("x.games"), 1, 1, &mut no_warning);
    assert!(matches!(mixed, Err(DatasetError::Mixed(_))));
}

#[test]
fn the_statistics_count_games_and_positions() {
    let games = [many(2), vec![eventful()]].concat();
    let source = file("stats.games", &games);
    let stats = DatasetStats::of_files(&paths([&source]), &mut no_warning).unwrap();
    assert_eq!(stats.games.count(), 3);
    assert_eq!((stats.games.wins.0, stats.games.draws), ([1, 1], 1));
    assert_eq!(stats.games.plies(), 86);
    assert_eq!([0.0, 0.4, 1.0].map(|part| stats.games.quantile(part)), [6, 40, 40]);
    assert_eq!(stats.positions.scored, scored(&games));
    assert_eq!(stats.positions.scored + stats.positions.unscored, 86);
    let report = stats.to_string();
    for words in ["nodes=1000", "games       3: 1 won by Black", "resign            66.67 %"] {
        assert!(report.contains(words), "{words}\n{report}");
    }
    let psv = Place::new("stats.psv");
    convert(&paths([&source]), &psv.path, &mut no_warning).unwrap();
    let single = DatasetStats::of_files(&paths([&psv]), &mut no_warning).unwrap();
    assert_eq!(single.games.count(), 0);
    let counts = |stats: &DatasetStats| {
        let positions = &stats.positions;
        (positions.scored, positions.in_check, positions.captures, positions.score_histogram)
    };
    assert_eq!(counts(&single), counts(&stats));
}

/// Regression: an illegal game was skipped with a warning and counted all the same.
#[test]
fn the_statistics_do_not_count_an_illegal_game() {
    let mut broken = eventful();
    broken.plies.push(GameMove::searched("1a9b".parse().unwrap(), Score(0), true));
    let source = file("broken-stats.games", &[eventful(), broken]);
    let mut words = Vec::new();
    let stats = DatasetStats::of_files(&paths([&source]), &mut |text| words.push(text)).unwrap();
    assert!(words.len() == 1 && words[0].contains("is illegal"), "{words:?}");
    assert_eq!(stats.games.count(), 1);
    assert_eq!(stats.positions.scored, scored(&[eventful()]));
}

#[test]
fn positions_of_either_kind_of_file_become_openings_each_once() {
    let games = many(3);
    let (source, converted) = (file("opening-source.games", &games), Place::new("opening.psv"));
    convert(&paths([&source]), &converted.path, &mut no_warning).unwrap();
    let (one, two) = (Place::new("openings-of-games.txt"), Place::new("openings-of-psv.txt"));
    let counts = positions(&paths([&source, &source]), &one.path, false, &mut no_warning).unwrap();
    positions(&paths([&converted]), &two.path, false, &mut no_warning).unwrap();
    let text = fs::read_to_string(&one.path).unwrap();
    assert_eq!(text, fs::read_to_string(&two.path).unwrap());
    let openings = read_openings(&text).unwrap();
    let mut expected = HashSet::new();
    for game in &games {
        let mut replay = Replay::new(game).unwrap();
        while let Some(sample) = replay.advance().unwrap() {
            expected.extend(sample.score().map(|_| sample.position.key()));
        }
    }
    let keys: HashSet<u64> = openings.iter().map(|opening| opening.position().key()).collect();
    assert!(keys == expected && keys.len() == openings.len());
    assert_eq!(counts.positions.kept, openings.len() as u64);
    assert!(positions(&paths([&source]), &one.path, true, &mut no_warning).is_err(), "it exists");
}

/// Games of one position each, with these scores and move numbers.
fn labels(scores: &[(i32, u32)]) -> Vec<ScoredGame> {
    let game = &many(1)[0];
    let mut start = Replay::new(game).unwrap().position().setup();
    let mv = game.plies[0].mv();
    let end = game.end;
    let label = |&(score, number): &(i32, u32)| {
        start.game_ply = number;
        let plies = vec![GameMove::searched(mv, Score(score), true)];
        ScoredGame { start: start.clone(), plies, end }
    };
    scores.iter().map(label).collect()
}

fn balanced(name: &str, games: &[ScoredGame], shares_percent: [u8; 4]) -> Vec<ScoredGame> {
    let source = file(name, games);
    let out = Place::new(&format!("balanced-{name}"));
    let config = BalanceConfig { scale: 600.0, shares_percent, seed: 1 };
    balance(&paths([&source]), &out.path, &config, &mut no_warning).unwrap();
    games_in(&out)
}

#[test]
fn a_balance_keeps_as_many_lost_as_won_positions_of_each_stage() {
    let mut given = Vec::new();
    for (won, lost, number) in [(300, 100, 50), (20, 80, 120)] {
        given.extend((0..won).map(|_| (900, number)));
        given.extend((0..lost).map(|_| (-900, number)));
    }
    let kept = balanced("balance.games", &labels(&given), [100; 4]);
    let count = |score, number| {
        let is = |game: &&ScoredGame| {
            game.start.game_ply == number && game.plies[0].score() == Some(Score(score))
        };
        kept.iter().filter(is).count()
    };
    assert_eq!((count(-900, 50), count(900, 120)), (100, 20), "the rarer ones all stay");
    assert!((60..140).contains(&count(900, 50)), "{}", count(900, 50));
    assert!((5..40).contains(&count(-900, 120)), "{}", count(-900, 120));
}

/// Regression: they counted as won, so as many positions with a small advantage were left out.
#[test]
fn even_scores_take_no_part_in_a_balance() {
    let given: Vec<_> = (0..50).flat_map(|_| [(0, 50), (60, 50), (-60, 50)]).collect();
    assert_eq!(balanced("even.games", &labels(&given), [100; 4]).len(), 150);
}

#[test]
fn a_balance_keeps_the_given_shares_of_the_stages() {
    let given: Vec<_> = (0..25)
        .flat_map(|_| [10, 50, 90, 120])
        .flat_map(|number| [(90, number), (-90, number)])
        .collect();
    let kept = balanced("shares.games", &labels(&given), [0, 100, 50, 0]);
    let count = |number| kept.iter().filter(|game| game.start.game_ply == number).count();
    assert_eq!((count(10), count(50), count(120)), (0, 50, 0));
    assert!((10..40).contains(&count(90)), "{}", count(90));
}

/// Regression: all positions were taken for those of the first stage.
#[test]
fn positions_without_move_numbers_are_not_balanced() {
    let given: Vec<_> = (0..4).flat_map(|_| [(90, 120), (-90, 120)]).collect();
    let source = file("numbered.games", &labels(&given));
    let config = BalanceConfig { scale: 600.0, shares_percent: [0, 0, 0, 100], seed: 1 };
    for (name, knows_numbers) in [("numbered.psv", true), ("unnumbered.hcpe", false)] {
        let [converted, out] =
            [name.to_owned(), format!("balanced-{name}")].map(|name| Place::new(&name));
        convert(&paths([&source]), &converted.path, &mut no_warning).unwrap();
        match balance(&paths([&converted]), &out.path, &config, &mut no_warning) {
            Ok(counts) => assert!(knows_numbers && counts.positions.kept == 8, "{name}"),
            Err(DatasetError::NotInFormat(_)) => assert!(!knows_numbers, "{name}"),
            Err(error) => panic!("{name}: {error}"),
        }
        assert_eq!(out.path.exists(), knows_numbers, "{name}");
    }
}

/// The scores of `file` after mixing with the built-in network at this weight.
fn blended(file: &Place, weight: f64) -> Vec<i32> {
    let out = Place::new(&format!("blended-{weight}.games"));
    let network = Network::built_in();
    let config = BlendConfig {
        network,
        network_name: "built-in".into(),
        weight,
        scale: 600.0,
        network_scale: 600.0,
    };
    let counts = blend(&paths([file]), &out.path, &config, &mut no_warning).unwrap();
    assert_eq!(counts.positions.seen, counts.positions.kept);
    scores(&games_in(&out))
}

fn scores(games: &[ScoredGame]) -> Vec<i32> {
    games.iter().flat_map(|game| &game.plies).filter_map(|ply| ply.score()).map(|s| s.0).collect()
}

#[test]
fn a_blend_is_between_the_score_and_the_static_evaluation_and_keeps_mates() {
    let games = many(3);
    let source = file("blend.games", &games);
    let mut evaluations = Vec::new();
    for game in &games {
        let mut replay = Replay::new(game).unwrap();
        while let Some(sample) = replay.advance().unwrap() {
            if sample.score().is_some() {
                let mut evaluator = Evaluator::new(Network::built_in(), sample.position);
                evaluations.push(evaluator.evaluate(sample.position).0);
            }
        }
    }
    assert_eq!(blended(&source, 0.0), scores(&games));
    let by_network = blended(&source, 1.0);
    let mut mates = 0;
    let ends = scores(&games).into_iter().zip(evaluations).zip(by_network);
    for (((score, evaluation), by_network), mean) in ends.zip(blended(&source, 0.5)) {
        if score.abs() > Score::MAX_EVAL.0 {
            assert_eq!((by_network, mean), (score, score));
            mates += 1;
            continue;
        }
        assert_eq!(by_network, evaluation);
        let (low, high) = (score.min(evaluation), score.max(evaluation));
        assert!((low..=high).contains(&mean), "{mean} between {low} and {high}");
        assert!(high - low < 4 || (low < mean && mean < high), "{mean}, {low}, {high}");
    }
    assert!(mates > 0 && mates < scores(&games).len());
}

#[test]
fn a_blend_of_positions_keeps_all_but_the_score() {
    let source = file("blend-positions.games", &many(2));
    let [psv, out] = ["blend.psv", "blend-out.psv"].map(Place::new);
    convert(&paths([&source]), &psv.path, &mut no_warning).unwrap();
    let config = BlendConfig {
        network: Network::built_in(),
        network_name: "built-in".into(),
        weight: 1.0,
        scale: 600.0,
        network_scale: 300.0,
    };
    blend(&paths([&psv]), &out.path, &config, &mut no_warning).unwrap();
    let (before, after) =
        (positions_in(&psv, PositionFormat::Psv), positions_in(&out, PositionFormat::Psv));
    assert_eq!(before.len(), after.len());
    for (before, after) in before.into_iter().zip(after) {
        assert_eq!(ScoredPosition { score: before.score, ..after }, before);
    }
}
