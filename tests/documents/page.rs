//! The page of the browser names files, options and measures of the engine. They are there.

use std::fs;

use kawasemi::analysis::{AnalysisScore, Grade, win_rate};
use kawasemi::engine::Settings;
use kawasemi::record::{Ending, HANDICAPS};
use kawasemi::usi::options;

use crate::{path, read};

/// The text of a file between two marks.
fn part(file: &str, begin: &str, end: &str) -> String {
    let text = read(file);
    let (_, rest) = text.split_once(begin).unwrap_or_else(|| panic!("{file}: no {begin}"));
    rest.split_once(end).unwrap_or_else(|| panic!("{file}: no {end}")).0.to_owned()
}

/// A file that is missing in the list would be missing without a network.
#[test]
fn the_service_worker_keeps_every_file_of_the_page() {
    let list = part("web/service_worker.js", "const FILES = [", "]");
    let mut kept: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    kept.sort_unstable();
    let files = fs::read_dir(path("web")).unwrap().map(|entry| entry.unwrap());
    let files = files.filter(|entry| entry.file_type().unwrap().is_file());
    let names = files.map(|entry| entry.file_name().into_string().unwrap());
    let mut expected: Vec<String> = names.filter(|name| name != "service_worker.js").collect();
    expected.extend(["./", "engine/kawasemi.js", "engine/kawasemi.wasm"].map(str::to_owned));
    expected.sort_unstable();
    assert_eq!(kept, expected);
}

#[test]
fn the_page_judges_moves_as_the_analysis_does() {
    let slope: i32 = part("web/usi.js", "CENTIPAWNS_PER_E = ", ";").parse().unwrap();
    let at_one = 1.0 / (1.0 + (-1.0_f64).exp());
    assert!((win_rate(AnalysisScore::Centipawns(slope)) - at_one).abs() < 1e-9);
    let grades = part("web/move_analysis.js", "const GRADES = [", "];");
    let mut found = 0;
    for row in grades.split('[').filter_map(|row| row.split_once(", ")) {
        let least: f64 = row.0.parse().unwrap();
        let grade = match row.1.split('"').nth(1).unwrap() {
            "dubious" => Grade::Dubious,
            "mistake" => Grade::Mistake,
            "blunder" => Grade::Blunder,
            other => panic!("no grade {other}"),
        };
        assert_eq!(Grade::of(least), Some(grade));
        assert_ne!(Grade::of(least - 1e-6), Some(grade));
        found += 1;
    }
    assert_eq!(found, 3);
}

/// The engine leaves out an option that it does not know without a word to the page.
#[test]
fn the_options_that_the_page_sets_exist_and_take_its_values() {
    let mut set = 0;
    for file in ["web/levels.js", "web/analyzer.js"] {
        let text = read(file);
        let parts: Vec<&str> = text.split(": \"").collect();
        for pair in parts.windows(2) {
            let is_in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let name = pair[0].rsplit(|c| !is_in_name(c)).next().unwrap();
            // All options begin with a capital, and nothing else in these files does.
            if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
                continue;
            }
            let value = pair[1].split('"').next().unwrap();
            let result =
                options::set(&mut Settings::default(), name.as_bytes(), Some(value.as_bytes()));
            assert!(result.is_ok(), "{file}: {name} = {value}: {result:?}");
            set += 1;
        }
    }
    assert!(set >= 8, "only {set} options found");
}

#[test]
fn the_page_offers_every_level_of_the_engine_and_no_other() {
    let kyu: i32 = part("web/levels.js", "WEAKEST_KYU = ", ";").parse().unwrap();
    let takes = |level: i32| {
        let level = level.to_string();
        options::set(&mut Settings::default(), b"USI_Strength", Some(level.as_bytes())).is_ok()
    };
    assert!((-kyu..=9).all(takes));
    assert!(!takes(-kyu - 1) && !takes(10));
}

#[test]
fn the_page_has_an_english_name_for_every_handicap() {
    let names = part("web/play_text.js", "handicaps: { ", "},");
    for handicap in HANDICAPS {
        let (plain, quoted) =
            (format!("{}: ", handicap.preset), format!("\"{}\": ", handicap.preset));
        let is_named = names.split(',').any(|row| {
            let row = row.trim();
            row.starts_with(&plain) || row.starts_with(&quoted)
        });
        assert!(is_named, "{}", handicap.preset);
    }
}

#[test]
fn the_pages_have_a_text_for_every_end_of_a_game_in_both_languages() {
    let texts = read("web/text.js");
    let tables: Vec<&str> = texts.split("\n    endings: {").skip(1).collect();
    assert_eq!(tables.len(), 2);
    for table in tables {
        let rows: Vec<&str> = table.split('}').next().unwrap().split(',').map(str::trim).collect();
        for keyword in Ending::known().map(|ending| ending.keyword()) {
            assert!(rows.iter().any(|row| row.starts_with(&format!("{keyword}: "))), "{keyword}");
        }
    }
}
