//! Saving game records.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::action::FinishedGame;
use super::config::RecordsConfig;
use crate::record::{Encoding, GameRecord, RecordFormat, write_bytes};
use crate::sys::AtomicFile;

/// Maximum length of a file name, without the extension.
const MAX_NAME_LENGTH: usize = 200;

/// The path that cannot be written, and the reason.
pub(super) type SaveError = (PathBuf, io::Error);

/// The folder for records, if records are saved.
fn folder(config: &RecordsConfig) -> Option<&PathBuf> {
    config.folder.as_ref().filter(|_| config.csa || config.kif)
}

/// Creates the folder for records, if records are saved, and checks that it can be written.
///
/// # Errors
/// If the folder cannot be created or written.
pub(super) fn prepare(config: &RecordsConfig) -> Result<(), SaveError> {
    let Some(folder) = folder(config) else { return Ok(()) };
    let made = fs::create_dir_all(folder);
    let tried = made.and_then(|()| AtomicFile::create(&folder.join("trial")).map(drop));
    tried.map_err(|error| (folder.clone(), error))
}

/// Saves a game in the formats of the configuration. Returns each file, or the reason why it is not written.
pub(super) fn save(
    config: &RecordsConfig,
    finished: &FinishedGame,
) -> Vec<Result<PathBuf, SaveError>> {
    let Some(folder) = folder(config) else { return Vec::new() };
    if let Err(error) = fs::create_dir_all(folder) {
        return vec![Err((folder.clone(), error))];
    }
    let game = &finished.game;
    let formats = [(config.csa, "csa", csa_version(game)), (config.kif, "kif", RecordFormat::Kif)];
    let formats = formats.into_iter().filter(|&(is_wanted, ..)| is_wanted);
    let files: Vec<(&str, Vec<u8>)> = formats
        .map(|(_, extension, format)| (extension, encode(game, extension, format)))
        .collect();
    free_names(folder, &file_name(&finished.id))
        .find_map(|name| write_files(folder, &name, &files))
        .expect("numbers have no end")
}

fn encode(game: &GameRecord, extension: &str, format: RecordFormat) -> Vec<u8> {
    let encoding = RecordFormat::of_extension(extension).map_or(Encoding::Utf8, |(_, usual)| usual);
    write_bytes(std::slice::from_ref(game), format, encoding).0
}

/// Writes the files of a game. `None` if another client has taken the name meanwhile: the two players of a game
/// may save it in the same folder at the same time.
fn write_files(
    folder: &Path,
    name: &str,
    files: &[(&str, Vec<u8>)],
) -> Option<Vec<Result<PathBuf, SaveError>>> {
    let mut written: Vec<Result<PathBuf, SaveError>> = Vec::new();
    for (extension, bytes) in files {
        let path = folder.join(format!("{name}.{extension}"));
        written.push(match write_new(&path, bytes) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.exists() => {
                written.iter().flatten().for_each(|path| _ = fs::remove_file(path));
                return None;
            }
            Err(error) => Err((path, error)),
            Ok(()) => Ok(path),
        });
    }
    Some(written)
}

/// Writes a file that does not exist yet. If the disk is full, no part of it stays.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes).inspect_err(|_| _ = fs::remove_file(path))
}

/// The older version, which more programs read, unless it would lose fractions of seconds.
fn csa_version(game: &GameRecord) -> RecordFormat {
    let fraction = |time: std::time::Duration| time.subsec_nanos() > 0;
    let has_fractions = game.nodes().any(|(_, node)| node.elapsed.is_some_and(fraction));
    if has_fractions { RecordFormat::Csa3 } else { RecordFormat::Csa }
}

/// The id of a game as a file name that is valid on every system.
fn file_name(id: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "+-_.@".contains(c);
    let name: String =
        id.chars().take(MAX_NAME_LENGTH).map(|c| if plain(c) { c } else { '_' }).collect();
    // No hidden file, and no parent folder.
    let name = name.trim_start_matches('.');
    match name {
        "" => "game".into(),
        name if is_device(name) => format!("_{name}"),
        name => name.into(),
    }
}

/// Whether Windows takes this name for a device, whatever its extensions.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_ascii_uppercase();
    match stem.strip_suffix(|c: char| c.is_ascii_digit()) {
        Some(numbered) => ["COM", "LPT"].contains(&numbered),
        None => ["CON", "PRN", "AUX", "NUL"].contains(&&*stem),
    }
}

/// The name, then the name with the numbers from 2, without the names of existing files.
fn free_names(folder: &Path, name: &str) -> impl Iterator<Item = String> {
    let is_free = |name: &String| {
        ["csa", "kif"].iter().all(|extension| !folder.join(format!("{name}.{extension}")).exists())
    };
    let numbered = (2..).map(move |number| format!("{name}-{number}"));
    std::iter::once(name.to_owned()).chain(numbered).filter(is_free)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::position::Setup;
    use crate::record::{Ending, ErrorPolicy, Evaluation, EvaluationValue, GameCursor, read_bytes};

    fn finished(id: &str) -> FinishedGame {
        let mut cursor = GameCursor::new(Setup::startpos()).unwrap();
        cursor.play("7g7f".parse().unwrap()).unwrap();
        let evaluation =
            Evaluation::new(EvaluationValue::Centipawns(30), vec!["3c3d".parse().unwrap()]);
        cursor.node_mut().evaluations.push(evaluation);
        *cursor.node_mut().elapsed = Some(Duration::from_secs(3));
        cursor.end(Ending::Resign);
        FinishedGame { id: id.into(), game: cursor.into_game() }
    }

    #[test]
    fn a_game_is_saved_in_both_formats_and_overwrites_no_other() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("records");
        let config = RecordsConfig { folder: Some(folder.clone()), ..RecordsConfig::default() };
        for ending in ["", "-2", "-3"] {
            let written: Vec<_> = save(&config, &finished("e+n-300-10F+a+b+1"))
                .into_iter()
                .map(Result::unwrap)
                .collect();
            let names: Vec<_> =
                written.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
            let expected = ["csa", "kif"].map(|kind| format!("e+n-300-10F+a+b+1{ending}.{kind}"));
            assert_eq!(names, expected);
            for path in written {
                let bytes = fs::read(path).unwrap();
                let game = read_bytes(&bytes, None, ErrorPolicy::Refuse).unwrap().1.games.remove(0);
                assert_eq!(game.main_moves().count(), 1);
                assert_eq!(game.ending(), Some(&Ending::Resign));
                let node = game.node(game.main_line().nth(1).unwrap());
                assert_eq!(node.elapsed, Some(Duration::from_secs(3)));
                assert_eq!(node.evaluations[0].value, EvaluationValue::Centipawns(30));
            }
        }
        assert_eq!(fs::read_dir(folder).unwrap().count(), 6);
    }

    #[test]
    fn file_names_are_valid_on_every_system() {
        assert_eq!(file_name("../../etc/pass wd"), "_.._etc_pass_wd");
        assert_eq!(file_name(""), "game");
        assert_eq!(file_name(".."), "game");
        assert_eq!(file_name(&"x".repeat(1000)).len(), MAX_NAME_LENGTH);
    }

    /// Regression: Windows wrote the record of a game with such an id to the device, and no file.
    #[test]
    fn no_record_has_the_name_of_a_device() {
        for device in ["CON", "prn", "Aux", "NUL", "nul.1", "COM1", "lpt9", "..con"] {
            let name = file_name(device);
            assert!(name.starts_with('_') && !is_device(&name), "{device}: {name}");
        }
        for id in ["CONN", "COM", "COM10", "x.con", "wdoor+floodgate-300-10F+a+b+20260101"] {
            assert_eq!(file_name(id), id);
        }
    }

    #[test]
    fn nothing_is_written_without_a_folder() {
        let config = RecordsConfig { folder: None, ..RecordsConfig::default() };
        assert!(save(&config, &finished("x")).is_empty());
    }

    /// Regression: if the first file could not be written, the second was not tried.
    #[test]
    fn a_file_that_cannot_be_written_does_not_prevent_others() {
        let folder = tempfile::tempdir().unwrap();
        let config =
            RecordsConfig { folder: Some(folder.path().into()), ..RecordsConfig::default() };
        // A link into a missing folder: the name is free, but cannot be written.
        #[cfg(unix)]
        std::os::unix::fs::symlink("no/such", folder.path().join("x.csa")).unwrap();
        let written = save(&config, &finished("x"));
        #[cfg(unix)]
        assert_eq!(written[0].as_ref().unwrap_err().0, folder.path().join("x.csa"));
        assert_eq!(written[1].as_ref().unwrap(), &folder.path().join("x.kif"));
    }

    /// Regression: two clients that saved their game at the same time took the same name.
    #[test]
    fn a_name_that_another_client_has_taken_meanwhile_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csa");
        fs::write(&path, "of another client").unwrap();
        // It may have taken any of the names.
        let files = [("csa", b"ours".to_vec()), ("kif", b"ours".to_vec())];
        for files in [&files[..], &[files[1].clone(), files[0].clone()]] {
            assert!(write_files(folder.path(), "x", files).is_none());
        }
        assert_eq!(fs::read(&path).unwrap(), b"of another client");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        let config =
            RecordsConfig { folder: Some(folder.path().into()), ..RecordsConfig::default() };
        let both = || save(&config, &finished("g"));
        let saved: Vec<_> = std::thread::scope(|scope| {
            let clients = [(); 4].map(|()| scope.spawn(both));
            clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
        });
        assert!(saved.iter().all(Result::is_ok), "{saved:?}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1 + 2 * 4);
    }

    #[test]
    fn fractions_of_seconds_need_the_newer_version() {
        let mut finished = finished("x");
        assert_eq!(csa_version(&finished.game), RecordFormat::Csa);
        let last = finished.game.main_line().nth(1).unwrap();
        *finished.game.node_mut(last).elapsed = Some(Duration::from_millis(2500));
        assert_eq!(csa_version(&finished.game), RecordFormat::Csa3);
    }
}
