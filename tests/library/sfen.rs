//! SFEN through the public interface: a corpus of accepted and refused texts, and properties of random
//! positions and random texts.

use kawasemi::position::{IllegalSetup, Position, Setup};
use kawasemi::types::{ByColor, Color, Hand, Piece, PieceKind, Square};
use proptest::prelude::*;

const ACCEPTED: &str = include_str!("data/sfen_accepted.txt");
const REFUSED: &str = include_str!("data/sfen_refused.txt");

/// The rows `TEXT => VALUE` of a corpus.
fn rows(corpus: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_row = |line: &&str| !line.is_empty() && !line.starts_with('#');
    corpus.lines().filter(is_row).map(|line| line.split_once(" => ").expect("TEXT => VALUE"))
}

#[test]
fn every_accepted_text_is_written_back_in_canonical_form() {
    assert!(rows(ACCEPTED).count() > 15);
    for (text, canonical) in rows(ACCEPTED) {
        let position = Position::from_sfen(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(position.to_sfen(), canonical, "{text}");
        assert_eq!(Position::from_sfen(canonical).unwrap().to_sfen(), canonical);
    }
}

#[test]
fn every_refused_text_is_refused_with_its_reason() {
    assert!(rows(REFUSED).count() > 60);
    for (text, reason) in rows(REFUSED) {
        match Position::from_sfen(text) {
            Ok(position) => panic!("{text} was read as {}", position.to_sfen()),
            Err(error) => assert!(error.to_string().contains(reason), "{text}: {error}"),
        }
    }
}

#[test]
fn every_prefix_of_a_text_is_read_or_refused_without_a_panic() {
    for (text, _) in rows(ACCEPTED) {
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            if let Ok(position) = Position::from_sfen(&text[..end]) {
                let written = position.to_sfen();
                assert_eq!(Position::from_sfen(&written).unwrap().to_sfen(), written);
            }
        }
    }
}

/// Any piece of either side, or none, anywhere.
fn any_board() -> impl Strategy<Value = [Option<Piece>; Square::COUNT]> {
    let pieces: Vec<Piece> = Piece::all().collect();
    let square = prop_oneof![2 => Just(None), 1 => prop::sample::select(pieces).prop_map(Some)];
    prop::collection::vec(square, Square::COUNT).prop_map(|board| board.try_into().unwrap())
}

/// Any hand that one side can hold.
fn any_hand() -> impl Strategy<Value = Hand> {
    let counts = PieceKind::HAND.map(|kind| 0..=kind.set_size());
    counts.prop_map(|counts| {
        let mut hand = Hand::EMPTY;
        for (kind, count) in PieceKind::HAND.into_iter().zip(counts) {
            (0..count).for_each(|_| hand.add(kind));
        }
        hand
    })
}

/// Any setup that has an SFEN, legal or not.
fn any_setup() -> impl Strategy<Value = Setup> {
    let side = prop::sample::select(Color::ALL.to_vec());
    (any_board(), [any_hand(), any_hand()], side, 1u32..=1_000_000).prop_map(
        |(board, hands, side, game_ply)| Setup { board, hands: ByColor(hands), side, game_ply },
    )
}

/// A full set distributed over squares and hands at random, with pieces only where they may be.
fn sound_setup() -> impl Strategy<Value = Setup> {
    let place = (any::<prop::sample::Index>(), any::<bool>(), any::<bool>(), any::<bool>());
    prop::collection::vec(place, 40).prop_map(|places| {
        let mut setup = Setup::empty();
        let kinds = PieceKind::ALL.into_iter().filter(|kind| !kind.is_promoted());
        let set = kinds.flat_map(|kind| (0..kind.set_size()).map(move |_| kind));
        for (kind, (index, white, promoted, in_hand)) in set.zip(places) {
            let color = if white { Color::White } else { Color::Black };
            let kind = kind.promoted().filter(|_| promoted).unwrap_or(kind);
            deal(&mut setup, Piece::new(color, kind), index.index(Square::COUNT), in_hand);
        }
        setup
    })
}

/// Puts the piece on its square if that is legal, else into the hand, else nowhere.
fn deal(setup: &mut Setup, piece: Piece, index: usize, in_hand: bool) {
    if !in_hand && setup.board[index].is_none() {
        setup.board[index] = Some(piece);
        if is_sound(setup) {
            return;
        }
        setup.board[index] = None;
    }
    if piece.kind() != PieceKind::King {
        setup.hands[piece.color()].add(piece.kind().unpromoted());
    }
}

fn is_sound(setup: &Setup) -> bool {
    matches!(Position::from_setup(setup), Ok(_) | Err(IllegalSetup::OpponentInCheck))
}

/// Text of the characters of SFEN.
fn nearly_sfen() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ /+0-9a-zA-Z*-]{0,120}",
        "([1-9KkGgPp+]{1,9}/){8}[1-9]{1,9} [bw] [0-9PpRrK-]{1,12}( [0-9]{1,12})?",
        "(9/){8}9 [bw] ([0-9]{0,3}[PLNSGBRplnsgbr]){0,6}( [0-9]{1,9})?",
    ]
}

proptest! {
    #[test]
    fn every_setup_is_restored_from_its_text(setup in any_setup()) {
        let text = setup.to_string();
        prop_assert_eq!(text.parse(), Ok(setup), "{}", text);
    }

    #[test]
    fn every_valid_setup_is_a_position_unless_the_opponent_is_in_check(setup in sound_setup()) {
        prop_assert!(is_sound(&setup), "{}", setup);
        let turned = Setup { side: !setup.side, ..setup.clone() };
        for setup in [setup, turned] {
            if let Ok(position) = Position::from_setup(&setup) {
                let text = position.to_sfen();
                prop_assert_eq!(text.parse(), Ok(setup), "{}", text);
                prop_assert_eq!(Position::from_sfen(&text).unwrap().key(), position.key());
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused_without_a_panic(text in any::<String>()) {
        let _ = Position::from_sfen(&text).map_err(|error| error.to_string());
    }

    #[test]
    fn slightly_damaged_text_is_read_correctly_or_refused_with_a_reason(text in nearly_sfen()) {
        match text.parse::<Setup>() {
            Ok(setup) => prop_assert_eq!(setup.to_string().parse(), Ok(setup)),
            Err(error) => prop_assert!(!error.to_string().contains(char::is_control)),
        }
    }
}
