use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use tempfile::{TempDir, tempdir};

use super::scored_game::END_REASONS;
use super::*;
use crate::position::{Position, Setup};
use crate::tools::referee::{GameEnd, GameEndReason, GameOutcome};
use crate::types::{Color, Move, Score};

/// A path in a temporary folder, which is removed with its contents.
pub(in crate::tools) struct Place {
    pub(in crate::tools) path: PathBuf,
    _folder: TempDir,
}

impl Place {
    pub(in crate::tools) fn new(name: &str) -> Place {
        let folder = tempdir().unwrap();
        Place { path: folder.path().join(name), _folder: folder }
    }
}

const HANDICAP: &str = "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 7";

/// A game of legal moves selected by these numbers, with a score for every third one.
pub(in crate::tools) fn game(start: &str, choices: &[u16], end: GameEnd) -> ScoredGame {
    let mut position = Position::from_sfen(start).unwrap();
    let setup = position.setup();
    let mut plies = Vec::new();
    for &choice in choices {
        let moves: Vec<Move> = position.legal_moves().moves().collect();
        let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
        let score = Score(i32::from(choice) - 32_000).max(Score::mated_in(0));
        let searched = GameMove::searched(mv, score.min(Score::MATE), choice.is_multiple_of(2));
        plies.push(if choice.is_multiple_of(3) { GameMove::unsearched(mv) } else { searched });
        position.do_move(mv);
    }
    ScoredGame { start: setup, plies, end }
}

/// Short games, all different.
fn games(count: u16) -> Vec<ScoredGame> {
    let startpos = Setup::startpos().to_string();
    let make = |i: u16| {
        let choices: Vec<u16> =
            (0..i % 5).map(|ply| i.wrapping_mul(7919).wrapping_add(ply * 104)).collect();
        let start = if i.is_multiple_of(3) { HANDICAP } else { &startpos };
        let (_, reason) = END_REASONS[usize::from(i) % END_REASONS.len()];
        game(start, &choices, GameEnd::win(Color::White, reason))
    };
    (0..count).map(make).collect()
}

fn header() -> GameFileHeader {
    let mut header = GameFileHeader::new();
    header.set("nodes", 1000);
    header.set("net", "a b=c");
    header
}

/// A file with these games in blocks of this many games.
fn file(place: &Place, games: &[ScoredGame], in_block: usize) -> Vec<u8> {
    // A file without games has a header too.
    append(place, &[]);
    for block in games.chunks(in_block) {
        append(place, block);
    }
    fs::read(&place.path).unwrap()
}

/// Adds these games as a block; returns the existing contents and the number of the first new game.
fn append(place: &Place, games: &[ScoredGame]) -> (Vec<ScoredGame>, ExistingGames) {
    let mut before = Vec::new();
    let visit = &mut |game: &ScoredGame| before.push(game.clone());
    let (mut writer, contents) = GameFileWriter::append(&place.path, &header(), visit).unwrap();
    games.iter().for_each(|game| writer.push(game).unwrap());
    writer.finish().unwrap();
    (before, contents)
}

/// The games of a file, and the errors of its reader.
fn read(bytes: &[u8]) -> (Vec<ScoredGame>, Vec<GameReadError>) {
    let mut errors = Vec::new();
    let reader = GameFileReader::new(bytes).unwrap();
    let games = reader.filter_map(|item| item.map_err(|error| errors.push(error)).ok()).collect();
    (games, errors)
}

#[test]
fn a_file_reads_back_whatever_its_blocks() {
    let games = games(40);
    for in_block in [1, 7, 40] {
        let place = Place::new("reads-back.games");
        let bytes = file(&place, &games, in_block);
        let (found, errors) = read(&bytes);
        assert_eq!(found, games);
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(GameFileReader::new(&bytes[..]).unwrap().header().get("net"), Some("a b=c"));
    }
}

#[test]
fn long_files_are_many_blocks_and_take_four_bytes_a_ply() {
    let place = Place::new("long.games");
    let choices: Vec<u16> = (0..200).map(|i: u16| i.wrapping_mul(331)).collect();
    let end = GameEnd::draw(GameEndReason::MaxMoves);
    let one = game(&Setup::startpos().to_string(), &choices, end);
    let games = vec![one; 300];
    let bytes = file(&place, &games, games.len());
    let plies = 200 * games.len();
    assert!(bytes.len() < 4 * plies + plies / 10, "{}", bytes.len());
    assert!(bytes.windows(8).filter(|part| part == b"\xb1KWBLOCK").count() > 2);
    assert_eq!(read(&bytes), (games, vec![]));
}

/// Errors are compared by their messages.
impl PartialEq for GameReadError {
    fn eq(&self, other: &GameReadError) -> bool {
        self.to_string() == other.to_string()
    }
}

#[test]
fn a_file_truncated_anywhere_keeps_its_complete_blocks_and_can_be_continued() {
    let games = games(12);
    let place = Place::new("cut.games");
    let bytes = file(&place, &games, 3);
    for length in 0..=bytes.len() {
        fs::write(&place.path, &bytes[..length]).unwrap();
        let (before, contents) = append(&place, &games[..2]);
        assert_eq!(before[..], games[..before.len()], "{length}");
        assert_eq!(before.len() % 3, 0, "{length}");
        assert_eq!(contents.games, before.len() as u64);
        assert!(contents.damage.is_empty());
        let (after, errors) = read(&fs::read(&place.path).unwrap());
        assert_eq!(after, [&before, &games[..2]].concat(), "{length}");
        assert_eq!(errors, []);
    }
    let whole = header().to_bytes().unwrap().len();
    for length in whole..bytes.len() {
        let (found, errors) = read(&bytes[..length]);
        let end_of_block = errors.is_empty();
        assert_eq!(found[..], games[..found.len()]);
        let expected =
            |error: &GameReadError| matches!(error, GameReadError::Damage { at_end: true, .. });
        assert!(end_of_block || errors.len() == 1 && expected(&errors[0]), "{errors:?}");
    }
}

#[test]
fn damage_at_any_byte_loses_one_block_and_is_reported_with_its_offset() {
    let games = games(12);
    let place = Place::new("damage.games");
    let bytes = file(&place, &games, 3);
    let marker = b"\xb1KWBLOCK";
    let starts: Vec<usize> =
        (0..bytes.len()).filter(|&at| bytes[at..].starts_with(marker)).collect();
    assert_eq!(starts.len(), 4);
    for at in starts[0]..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        let block = starts.iter().rposition(|&start| start <= at).unwrap();
        let (found, errors) = read(&damaged);
        assert_eq!(found, [&games[..3 * block], &games[3 * block + 3..]].concat(), "{at}");
        let end = starts.get(block + 1).copied().unwrap_or(bytes.len());
        let expected = GameReadError::Damage {
            offset: starts[block] as u64,
            bytes: (end - starts[block]) as u64,
            at_end: block == 3,
        };
        assert_eq!(errors, [expected]);
    }
    let mut damaged = bytes.clone();
    damaged[starts[1] + 40] ^= 1;
    fs::write(&place.path, damaged).unwrap();
    let (before, contents) = append(&place, &games[..1]);
    assert_eq!(before.len(), 9);
    assert_eq!((contents.games, contents.cut, contents.damage.len()), (12, 0, 1));
}

#[test]
fn missing_bytes_lose_at_most_two_blocks() {
    let games = games(12);
    let bytes = file(&Place::new("missing.games"), &games, 3);
    let starts: Vec<usize> =
        (0..bytes.len()).filter(|&at| bytes[at..].starts_with(b"\xb1KWBLOCK")).collect();
    for at in starts[0]..starts[1] {
        let short = [&bytes[..at], &bytes[at + 1..]].concat();
        let (found, errors) = read(&short);
        assert!(found.ends_with(&games[6..]), "{at}");
        assert_eq!(errors.len(), 1);
    }
}

#[test]
fn a_file_of_other_games_or_of_another_kind_is_refused_and_left_as_it_is() {
    let place = Place::new("other.games");
    let bytes = file(&place, &games(3), 3);
    let mut other = GameFileHeader::new();
    other.set("nodes", 2000);
    let refused = |header: &GameFileHeader| {
        GameFileWriter::append(&place.path, header, &mut |_| {}).unwrap_err()
    };
    let error = refused(&other).to_string();
    assert!(error.contains("nodes=1000") && error.contains("nodes=2000"), "{error}");
    assert_eq!(fs::read(&place.path).unwrap(), bytes);
    for stranger in [&b"Dear diary"[..], b"KWSGAMES\x02\0\0\0\0\0\0\0", b"\0"] {
        fs::write(&place.path, stranger).unwrap();
        assert!(matches!(refused(&header()), GameWriteError::Header(_)));
        assert_eq!(fs::read(&place.path).unwrap(), stranger);
        assert!(GameFileReader::new(stranger).is_err());
    }
    let mut damaged = bytes;
    damaged[20] ^= 1;
    assert!(matches!(
        GameFileReader::new(&damaged[..]),
        Err(GameReadError::Header(HeaderError::Damaged))
    ));
}

#[test]
fn a_file_has_at_most_one_writer() {
    let place = Place::new("lock.games");
    let first = GameFileWriter::append(&place.path, &header(), &mut |_| {}).unwrap();
    let second = GameFileWriter::append(&place.path, &header(), &mut |_| {});
    assert_eq!(second.unwrap_err().to_string(), "another process writes it");
    drop(first);
    assert!(GameFileWriter::append(&place.path, &header(), &mut |_| {}).is_ok());
}

/// Regression: the file itself was locked, which on Windows kept readers away too.
#[test]
fn a_file_can_be_read_while_it_grows() {
    let place = Place::new("grows.games");
    let _writer = GameFileWriter::append(&place.path, &header(), &mut |_| {}).unwrap();
    let file = fs::File::open(&place.path).unwrap();
    assert!(file.try_lock().is_ok(), "no lock is on it");
    assert_eq!(GameFileReader::new(file).unwrap().count(), 0);
}

#[test]
fn a_block_with_invalid_games_is_reported_and_skipped() {
    let games = games(9);
    let bytes = file(&Place::new("senseless.games"), &games, 3);
    let header = super::block::HEADER_BYTES;
    let at = bytes.windows(8).rposition(|part| part == b"\xb1KWBLOCK").unwrap();
    for (place, value) in [(2, 3u8), (3, 0), (4, 9), (0, 200)] {
        let mut strange = bytes.clone();
        strange[at + header + place] = value;
        let body = strange[at + header..].to_vec();
        let sound = super::block::BlockHeader::of(6, 3, &body).to_bytes();
        strange[at..at + header].copy_from_slice(&sound);
        let (found, errors) = read(&strange);
        assert_eq!(found, games[..6]);
        assert!(matches!(errors[..], [GameReadError::Game { number: 6, .. }]), "{errors:?}");
    }
}

/// Regression: the manual said four bytes per ply, which is the size in a file.
#[test]
fn a_game_that_was_read_takes_six_bytes_a_ply() {
    assert!(
        size_of::<GameMove>() == 6 && size_of::<ScoredGame>() <= 150,
        "{}",
        size_of::<ScoredGame>()
    );
    let start = Setup::startpos().to_string();
    let mut bytes = Vec::new();
    game(&start, &[1; 11], GameEnd::draw(GameEndReason::MaxMoves)).write(&mut bytes).unwrap();
    let read = ScoredGame::read(&mut &bytes[..]).unwrap();
    assert_eq!(read.plies.capacity(), read.plies.len());
}

#[test]
fn every_ending_has_a_code_of_its_own() {
    for reason in GameEndReason::ALL {
        assert_eq!(END_REASONS.iter().filter(|(_, known)| *known == reason).count(), 1);
    }
    let mut codes: Vec<u8> = END_REASONS.iter().map(|&(code, _)| code).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), END_REASONS.len());
}

#[test]
fn a_replay_visits_every_position_with_its_score_and_result() {
    let moves = ["7g7f", "3c3d", "8h2b+", "3a2b"].map(|mv| mv.parse::<Move>().unwrap());
    let plies = vec![
        GameMove::unsearched(moves[0]),
        GameMove::searched(moves[1], Score(-30), true),
        GameMove::searched(moves[2], Score(25), false),
        GameMove::searched(moves[3], Score::mate_in(5), true),
    ];
    let end = GameEnd::win(Color::White, GameEndReason::Resign);
    let game = ScoredGame { start: Setup::startpos(), plies, end };
    let mut replay = Replay::new(&game).unwrap();
    let mut seen = Vec::new();
    while let Some(sample) = replay.advance().unwrap() {
        assert_eq!(sample.position.game_ply(), sample.ply as u32 + 1);
        seen.push((sample.mv(), sample.score(), sample.result()));
        assert_eq!(sample.is_quiet(), sample.ply < 2);
        assert_eq!(sample.is_best(), sample.ply % 2 == 1);
    }
    let scores = [None, Some(Score(-30)), Some(Score(25)), Some(Score::mate_in(5))];
    let results = [-1, 1, -1, 1];
    let expected: Vec<_> = (0..4).map(|i| (moves[i], scores[i], results[i])).collect();
    assert_eq!(seen, expected);
    assert_eq!(replay.position().game_ply(), 5);
    assert_eq!(game.scored(), 3);
    assert!(replay.advance().unwrap().is_none());
}

#[test]
fn neither_captures_nor_promotions_are_quiet() {
    let setup: Setup = "4k4/9/9/4p4/4P4/9/9/R8/4K4 b - 1".parse().unwrap();
    let position = Position::from_setup(&setup).unwrap();
    let quiet = |mv: &str| is_quiet(&position, mv.parse().unwrap());
    assert!(quiet("9h1h") && quiet("9h9d"));
    assert!(!quiet("5e5d"), "a capture");
    assert!(!quiet("9h9c+"), "a promotion");
}

#[test]
fn a_replay_ends_with_an_error_at_an_illegal_move() {
    let mv = |text: &str| GameMove::unsearched(text.parse().unwrap());
    let plies = vec![mv("7g7f"), mv("7g7f")];
    let game =
        ScoredGame { start: Setup::startpos(), plies, end: GameEnd::draw(GameEndReason::MaxMoves) };
    let mut replay = Replay::new(&game).unwrap();
    assert!(replay.advance().is_ok_and(|sample| sample.is_some()));
    assert!(matches!(replay.advance(), Err(IllegalGame::Move { ply: 1, .. })));
    assert!(replay.advance().unwrap().is_none());
}

#[test]
fn a_game_that_is_too_long_is_refused_and_the_file_stays_readable() {
    let place = Place::new("too-long.games");
    let plies = vec![GameMove::unsearched("7g7f".parse().unwrap()); ScoredGame::MAX_PLIES + 1];
    let mut long =
        ScoredGame { start: Setup::startpos(), plies, end: GameEnd::draw(GameEndReason::MaxMoves) };
    let (mut writer, _) = GameFileWriter::append(&place.path, &header(), &mut |_| {}).unwrap();
    assert!(matches!(
        writer.push(&long),
        Err(GameWriteError::Game(GameFormatError::TooManyPlies(_)))
    ));
    long.plies.pop();
    writer.push(&long).unwrap();
    writer.finish().unwrap();
    assert_eq!(read(&fs::read(&place.path).unwrap()), (vec![long], vec![]));
}

fn any_end() -> impl Strategy<Value = GameEnd> {
    let outcomes =
        [GameOutcome::Draw, GameOutcome::Win(Color::Black), GameOutcome::Win(Color::White)];
    (prop::sample::select(outcomes.to_vec()), prop::sample::select(END_REASONS.to_vec()))
        .prop_map(|(outcome, (_, reason))| GameEnd { outcome, reason })
}

proptest! {
    #[test]
    fn every_game_reads_back(
        handicap: bool,
        choices in prop::collection::vec(any::<u16>(), 0..150),
        end in any_end(),
    ) {
        let startpos = Setup::startpos().to_string();
        let game = game(if handicap { HANDICAP } else { &startpos }, &choices, end);
        let mut bytes = Vec::new();
        game.write(&mut bytes).unwrap();
        let mut rest = &bytes[..];
        prop_assert_eq!(ScoredGame::read(&mut rest), Ok(game));
        prop_assert!(rest.is_empty());
        for length in 0..bytes.len() {
            prop_assert!(ScoredGame::read(&mut &bytes[..length]).is_err());
        }
    }

    #[test]
    fn random_bytes_are_refused_or_are_a_game_that_reads_back(noise in prop::collection::vec(0..20u8, 0..60)) {
        if let Ok(game) = ScoredGame::read(&mut &noise[..]) {
            let mut bytes = Vec::new();
            game.write(&mut bytes).unwrap();
            prop_assert_eq!(ScoredGame::read(&mut &bytes[..]), Ok(game));
        }
    }

    #[test]
    fn a_reader_ends_whatever_follows_a_header(
        noise in prop::collection::vec(any::<u8>(), 0..2000),
        markers in prop::collection::vec(0..1900usize, 0..4),
    ) {
        let mut noise = noise;
        for at in markers {
            if let Some(place) = noise.get_mut(at..at + 8) {
                place.copy_from_slice(b"\xb1KWBLOCK");
            }
        }
        let (games, errors) = read(&[header().to_bytes().unwrap(), noise.clone()].concat());
        prop_assert!(games.is_empty());
        prop_assert_eq!(errors.len(), usize::from(!noise.is_empty()));
    }
}
