use super::*;

fn flat(bias: i32) -> Option<ProgressModel> {
    Some(ProgressModel::embedded(bias, vec![0; ProgressModel::WEIGHTS]))
}

fn parse(mode: &str) -> Buckets {
    Buckets::parse(mode, flat(0)).unwrap()
}

fn index(mode: &str, sfen: &str) -> usize {
    parse(mode).index(&Position::from_sfen(sfen).unwrap())
}

/// The kings on 4g and 8b, for each side on ranks 7 and 8, on files 4 and 2; Black has a bishop and
/// a pawn in hand, White two knights.
const BLACK: &str = "9/1k7/9/9/9/9/5K3/9/9 b BP2n 1";
const WHITE: &str = "9/1k7/9/9/9/9/5K3/9/9 w BP2n 1";

#[test]
fn counts_are_products_of_the_parts() {
    for (mode, count) in [
        ("k3k3", 9),
        ("k9k9", 81),
        ("k9k9z", 81),
        ("k13k13z", 169),
        ("k21k21", 441),
        ("k29k29", 841),
        ("hand4", 4),
        ("hand64z_k3k3", 576),
        ("hand1024_k29k29", 861_184),
        ("k3k3_progress8", 72),
        ("hand256_k3k3_progress16", 36_864),
        ("progress3", 3),
        ("progress8kpabs", 8),
        ("progress8ek", 9),
    ] {
        assert_eq!(parse(mode).count(), count, "{mode}");
    }
    assert_eq!(Buckets::One.count(), 1);
}

#[test]
fn other_names_and_other_orders_mean_the_same() {
    let meaning = |mode| {
        let Buckets::Product(product) = parse(mode) else { panic!("{mode}") };
        let BucketProduct { name: _, hands, kings, stages } = product;
        format!("{hands:?} {kings:?} {stages:?}")
    };
    for (one, other) in [
        ("k3k3", "kingrank9"),
        ("k3k3", " K3K3 "),
        ("k3k3", "king3_by_king3"),
        ("k21k21", "king21_by_king21"),
        ("hand64_k9k9", "king9_by_king9_hand64"),
        ("hand16_k13k13z_progress4", "progress4_hand16_k13k13z"),
    ] {
        assert_eq!(meaning(one), meaning(other));
    }
}

#[test]
fn the_side_to_move_comes_first() {
    assert_eq!(index("k9k9", BLACK), 6 * 9 + 7);
    assert_eq!(index("k9k9", WHITE), 7 * 9 + 6);
    assert_eq!(index("k3k3", "4k4/9/9/9/9/4K4/9/9/9 b - 1"), 3 + 2);
    assert_eq!(index("k3k3", "4k4/9/9/9/9/4K4/9/9/9 w - 1"), 2 * 3 + 1);
    assert_eq!(index("hand1024", BLACK), (1 + 8) * 32 + 2);
    assert_eq!(index("hand1024", WHITE), 2 * 32 + 1 + 8);
    // White's king stands on its 2h.
    assert_eq!(index("k29k29", BLACK), (2 + 3) * 29 + 2 + 9 + 1);
}

#[test]
fn hands_take_precedence_over_kings_and_kings_over_progress() {
    let (hands, kings) = ((1 + 8) * 32 + 2, 6 * 9 + 7);
    assert_eq!(index("k9k9_hand1024", BLACK), hands * 81 + kings);
    let both = Buckets::parse("progress4_k9k9_hand1024", flat(i32::MAX)).unwrap();
    let black = Position::from_sfen(BLACK).unwrap();
    assert_eq!(both.index(&black), (hands * 81 + kings) * 4 + 3);
}

#[test]
fn two_entered_kings_have_a_stack_of_their_own() {
    for (sfen, entered) in [
        ("9/9/9/9/K7k/9/9/9/9 b - 1", true),
        ("9/9/9/9/K7k/9/9/9/9 w - 1", true),
        ("9/4K4/9/9/9/4k4/9/9/9 b - 1", true),
        ("9/9/9/8k/K8/9/9/9/9 b - 1", false),
        ("9/9/9/9/8k/K8/9/9/9 b - 1", false),
        ("9/9/9/9/K8/9/9/9/9 b - 1", false),
    ] {
        assert_eq!(index("progress8ek", sfen), if entered { 8 } else { 4 }, "{sfen}");
        assert_eq!(index("progress8kpabs", sfen), 4);
    }
}

#[test]
fn a_missing_king_counts_as_on_its_initial_square() {
    assert_eq!(index("k9k9", "9/9/9/9/9/4K4/9/9/9 b - 1"), 5 * 9 + 8);
    assert_eq!(index("k21k21", "9/9/9/9/9/9/9/9/9 b - 1"), 16 * 21 + 16);
}

#[test]
fn a_mode_keeps_its_given_name() {
    assert_eq!(Buckets::One.name(), "one");
    for mode in [
        "k3k3",
        "kingrank9",
        "hand4_king21_by_king21",
        "hand64_k3k3_progress8",
        "progress8kpabs",
        "progress8ek",
    ] {
        assert_eq!(parse(mode).name(), mode);
        assert_eq!(parse(&format!(" {} ", mode.to_uppercase())).name(), mode);
    }
}

#[test]
fn the_name_of_a_network_tells_the_mode_under_each_of_its_names() {
    for (name, mode) in [
        ("SFNN_HALFKAHM2_1024_15_64_K3K3_PROGRESS8", Some("k3k3_progress8")),
        ("SFNN_64_15_32_KINGRANK9_HAND4", Some("kingrank9_hand4")),
        ("SFNN_64_15_32_HAND4_KING9_BY_KING9", Some("hand4_king9_by_king9")),
        ("SFNN_64_15_32_PROGRESS8EK", Some("progress8ek")),
        ("SFNN_64_15_32_K4K4", None),
        ("SFNN", None),
        ("", None),
    ] {
        assert_eq!(Buckets::split_mode(name).0.as_deref(), mode, "{name}");
    }
}

/// Regression: a network was refused if its name contained them, because YaneuraOu writes a name
/// into the file as it was given.
#[test]
fn zones_of_kings_have_other_names_too() {
    for (mode, short) in [
        ("king9z_by_king9z", "k9k9z"),
        ("king9zone_by_king9zone", "k9k9z"),
        ("king13z_by_king13z", "k13k13z"),
        ("king13zone_by_king13zone", "k13k13z"),
    ] {
        for sfen in [BLACK, WHITE, "9/9/9/9/9/9/9/7k1/1K7 b - 1"] {
            assert_eq!(index(mode, sfen), index(short, sfen), "{mode}");
        }
        assert_eq!((parse(mode).count(), parse(mode).name()), (parse(short).count(), mode));
        let name = format!("SFNN_64_15_32_HAND4_{}", mode.to_uppercase());
        assert_eq!(Buckets::split_mode(&name).0, Some(format!("hand4_{mode}")));
    }
}

#[test]
fn unknown_modes_are_refused_with_the_known_ones() {
    let wrong = [
        "",
        "_",
        "k3",
        "k3k3_",
        "k3k3_k9k9",
        "hand4_hand4",
        "progress",
        "progress5",
        "progress08",
        "progress8_progress8",
        "progress8ek_k3k3",
        "progress8kpabs_hand4",
        "hand",
        "k9k9z k3k3",
        "progress8_progress8ek",
        // In the name of a network the mode would end at the hyphen.
        "king9-by-king9",
        "\u{7389}\n",
    ];
    for mode in wrong {
        let error = Buckets::parse(mode, flat(0)).unwrap_err();
        assert_eq!(error, BucketsError::Unknown(mode.to_string()), "{mode}");
        let text = error.to_string();
        assert!(!text.contains(char::is_control) && text.contains("k13k13z"), "{text}");
    }
}

#[test]
fn modes_that_need_progress_say_so_when_there_is_none() {
    for mode in ["progress8", "k3k3_progress2", "progress8ek", "progress8kpabs"] {
        let error = Buckets::parse(mode, None).unwrap_err();
        assert_eq!(error, BucketsError::NoProgress(mode.to_string()));
        assert!(error.to_string().contains("LS_PROGRESS_COEFF"));
    }
    assert!(Buckets::parse("hand64_k3k3", None).is_ok());
}

#[test]
fn the_needs_of_a_mode_are_known_before_it_is_read() {
    for (mode, uses_progress, needs_coefficients) in [
        ("k3k3", false, false),
        ("hand64_k3k3_Progress8", true, false),
        (" PROGRESS8KPABS ", true, true),
        ("progress8ek", true, true),
    ] {
        assert_eq!(Buckets::mode_uses_progress(mode), uses_progress, "{mode}");
        assert_eq!(Buckets::parse(mode, None).is_err(), uses_progress, "{mode}");
        assert_eq!(Buckets::mode_needs_coefficients(mode), needs_coefficients, "{mode}");
    }
}

#[test]
fn the_modes_for_a_number_of_stacks_are_all_that_have_so_many() {
    for (stacks, progress, modes) in [
        (9, false, &["k3k3"][..]),
        (81, false, &["k9k9", "k9k9z"]),
        (169, false, &["k13k13z"]),
        (64, false, &["hand64", "hand64z"]),
        (36, false, &["hand4_k3k3"]),
        (8, true, &["progress8", "hand4_progress2"]),
        (72, true, &["k3k3_progress8", "hand4_k3k3_progress2"]),
        (7, false, &[]),
        (9, true, &[]),
    ] {
        assert_eq!(Buckets::modes_for(stacks, progress), modes, "{stacks} {progress}");
        assert!(modes.iter().all(|mode| parse(mode).count() == stacks));
    }
}
