//! Games that are written are read back unchanged.

use kawasemi::record::{
    Encoding, ErrorPolicy, GameRecord, ParsedGames, RecordFormat, detect, read, read_bytes, write,
    write_bytes,
};
use proptest::prelude::*;

use super::generate::{Features, flat, game};

fn read_clean(text: &str, format: RecordFormat) -> Vec<GameRecord> {
    let parsed = read(text, format, ErrorPolicy::Refuse);
    let ParsedGames { games, warnings } =
        parsed.unwrap_or_else(|error| panic!("{error} in\n{text}"));
    assert_eq!(warnings, [], "{text}");
    games
}

/// A notation keeps everything that it can hold.
fn is_read_back(game: &GameRecord, format: RecordFormat) {
    let games = [game.clone(), game.clone()];
    let (text, losses) = write(&games, format, Encoding::Utf8);
    assert!(losses.is_empty(), "{losses:?} in\n{text}");
    let back = read_clean(&text, format);
    assert_eq!(back.len(), 2, "{text}");
    for back in back {
        assert_eq!(flat(&back), flat(game), "{text}");
    }
}

/// Whatever was lost the first time, nothing more is lost the second time, and the main line stays.
fn loses_no_more_when_written_again(game: &GameRecord, format: RecordFormat) {
    let (text, _) = write(std::slice::from_ref(game), format, Encoding::Utf8);
    let back = read_clean(&text, format);
    assert_eq!(back.len(), 1, "{text}");
    let (again, losses) = write(&back, format, Encoding::Utf8);
    assert_eq!(again, text);
    assert!(losses.is_empty(), "{losses:?} in\n{text}");
    if format != RecordFormat::Sfen {
        assert!(back[0].main_moves().eq(game.main_moves()), "{text}");
    }
}

macro_rules! round_trips {
    ($($read_back:ident $written_again:ident $format:expr;)*) => {
        proptest! {
            #![proptest_config(super::cases(48))]
            $(
                #[test]
                fn $read_back(game in game(Features::held_by($format))) {
                    is_read_back(&game, $format);
                }

                #[test]
                fn $written_again(game in game(Features::EVERYTHING)) {
                    loses_no_more_when_written_again(&game, $format);
                }
            )*
        }
    };
}

round_trips! {
    csa_is_read_back csa_loses_no_more_when_written_again RecordFormat::Csa;
    csa3_is_read_back csa3_loses_no_more_when_written_again RecordFormat::Csa3;
    kif_is_read_back kif_loses_no_more_when_written_again RecordFormat::Kif;
    ki2_is_read_back ki2_loses_no_more_when_written_again RecordFormat::Ki2;
    jkf_is_read_back jkf_loses_no_more_when_written_again RecordFormat::Jkf;
    usi_is_read_back usi_loses_no_more_when_written_again RecordFormat::Usi;
}

proptest! {
    #![proptest_config(super::cases(48))]

    #[test]
    fn format_and_encoding_are_found_from_the_bytes(game in game(Features::EVERYTHING)) {
        for format in RecordFormat::ALL {
            for encoding in Encoding::ALL {
                let (bytes, _) = write_bytes(std::slice::from_ref(&game), format, encoding);
                let (found, parsed) = read_bytes(&bytes, None, ErrorPolicy::Refuse).unwrap();
                let family = |format| match format {
                    RecordFormat::Csa3 => RecordFormat::Csa,
                    RecordFormat::Sfen => RecordFormat::Usi,
                    other => other,
                };
                let moveless = game.main_moves().next().is_none();
                // Without moves KIF and KI2 can hardly be told apart.
                let alike = moveless && matches!((format, found), (RecordFormat::Ki2, RecordFormat::Kif));
                prop_assert!(family(found) == family(format) || alike, "{format} as {found}");
                prop_assert_eq!(parsed.games.len(), 1);
            }
        }
    }
}

#[test]
fn a_text_without_a_game_has_no_notation() {
    for text in ["", "\n\n", "hello", "1. e4 e5", "<html>", "# a remark"] {
        assert_eq!(detect(text), None, "{text}");
    }
}
