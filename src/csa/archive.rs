//! Games that are over, as files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::action::Finished;
use super::config::RecordsConfig;
use crate::record::{Encoding, Format, Game, write_bytes};

/// The longest name of a file, without its ending.
const LONGEST_NAME: usize = 200;

/// Makes the folder for the games, if they are to be kept.
///
/// # Errors
/// The folder that cannot be made.
pub(super) fn prepare(config: &RecordsConfig) -> Result<(), (PathBuf, io::Error)> {
    let Some(folder) = config.folder.as_ref().filter(|_| config.csa || config.kif) else {
        return Ok(());
    };
    fs::create_dir_all(folder).map_err(|error| (folder.clone(), error))
}

/// Writes a game as the configuration wants it; the files that were written.
///
/// # Errors
/// The file that could not be written.
pub(super) fn save(
    config: &RecordsConfig,
    finished: &Finished,
) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    let Some(folder) = &config.folder else { return Ok(Vec::new()) };
    let kinds =
        [(config.csa, "csa", csa_version(&finished.game)), (config.kif, "kif", Format::Kif)];
    let wanted: Vec<(&str, Format)> = kinds
        .into_iter()
        .filter(|kind| kind.0)
        .map(|(_, ending, format)| (ending, format))
        .collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    prepare(config)?;
    let base = free_name(folder, &file_name(&finished.id));
    let mut written = Vec::new();
    for (ending, format) in wanted {
        let path = folder.join(format!("{base}.{ending}"));
        let encoding = Format::of_extension(ending).map_or(Encoding::Utf8, |(_, usual)| usual);
        let (bytes, _) = write_bytes(std::slice::from_ref(&finished.game), format, encoding);
        fs::write(&path, bytes).map_err(|error| (path.clone(), error))?;
        written.push(path);
    }
    Ok(written)
}

/// The older version, which more programs read, unless it would lose parts of seconds.
fn csa_version(game: &Game) -> Format {
    let fraction = |time: std::time::Duration| time.subsec_nanos() > 0;
    let parts = game.nodes().any(|(_, node)| node.elapsed.is_some_and(fraction));
    if parts { Format::Csa3 } else { Format::Csa }
}

/// The number of a game as a name that every system takes.
fn file_name(id: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "+-_.@".contains(c);
    let name: String =
        id.chars().take(LONGEST_NAME).map(|c| if plain(c) { c } else { '_' }).collect();
    // No name of a file that is hidden, or means a folder.
    let name = name.trim_start_matches('.');
    if name.is_empty() { "game".into() } else { name.into() }
}

/// The name, with a number if there is such a game already.
fn free_name(folder: &Path, name: &str) -> String {
    let is_free = |name: &String| {
        ["csa", "kif"].iter().all(|ending| !folder.join(format!("{name}.{ending}")).exists())
    };
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(is_free).expect("there is no end of numbers")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::position::Setup;
    use crate::record::{Cursor, Evaluation, Policy, Special, Value, read_bytes};

    fn finished(id: &str) -> Finished {
        let mut cursor = Cursor::new(Setup::startpos()).unwrap();
        cursor.play("7g7f".parse().unwrap()).unwrap();
        let evaluation = Evaluation::new(Value::Centipawns(30), vec!["3c3d".parse().unwrap()]);
        cursor.node().evaluations.push(evaluation);
        cursor.node().elapsed = Some(Duration::from_secs(3));
        cursor.end(Special::Resign);
        Finished { id: id.into(), game: cursor.into_game() }
    }

    #[test]
    fn a_game_is_kept_in_both_notations_and_never_over_another() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("records");
        let config = RecordsConfig { folder: Some(folder.clone()), ..RecordsConfig::default() };
        for ending in ["", "-2", "-3"] {
            let written = save(&config, &finished("e+n-300-10F+a+b+1")).unwrap();
            let names: Vec<_> =
                written.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
            let expected = ["csa", "kif"].map(|kind| format!("e+n-300-10F+a+b+1{ending}.{kind}"));
            assert_eq!(names, expected);
            for path in written {
                let bytes = fs::read(path).unwrap();
                let game = read_bytes(&bytes, None, Policy::Refuse).unwrap().1.games.remove(0);
                assert_eq!(game.main_moves().count(), 1);
                assert_eq!(game.ending(), Some(&Special::Resign));
                let node = game.node(game.main_line().nth(1).unwrap());
                assert_eq!(node.elapsed, Some(Duration::from_secs(3)));
                assert_eq!(node.evaluations[0].value, Value::Centipawns(30));
            }
        }
        assert_eq!(fs::read_dir(folder).unwrap().count(), 6);
    }

    #[test]
    fn names_are_harmless() {
        assert_eq!(file_name("../../etc/pass wd"), "_.._etc_pass_wd");
        assert_eq!(file_name(""), "game");
        assert_eq!(file_name(".."), "game");
        assert_eq!(file_name(&"x".repeat(1000)).len(), LONGEST_NAME);
    }

    #[test]
    fn nothing_is_written_where_nothing_is_wanted() {
        let config = RecordsConfig { folder: None, ..RecordsConfig::default() };
        assert_eq!(save(&config, &finished("x")).unwrap(), Vec::<PathBuf>::new());
    }

    #[test]
    fn parts_of_seconds_want_the_newer_version() {
        let mut finished = finished("x");
        assert_eq!(csa_version(&finished.game), Format::Csa);
        let last = finished.game.main_line().nth(1).unwrap();
        finished.game.node_mut(last).elapsed = Some(Duration::from_millis(2500));
        assert_eq!(csa_version(&finished.game), Format::Csa3);
    }
}
