//! Packed predictions of the teacher: two bytes for each position.
//!
//! The positions follow from the games and the settings, so they are not in the file. The teacher can run
//! on one machine, and the labels can be made on another. `docs/selfplay.md` describes the format.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::sys::{AtomicFile, in_file, open_input};
use crate::tools::files::{FileLock, check_absent, check_header, with_suffix};
use crate::tools::part::{PART, Part};

const MAGIC: [u8; 8] = *b"KWSANSW2";
/// The header of a block: number of the unit, number of predictions, checksum of the positions, and a checksum of
/// these, so that a damaged number does not look like an incomplete block.
const BLOCK_HEADER_BYTES: usize = 16;
const CHECKSUM_BYTES: usize = 4;
/// The key of the header with the number of units of all parts.
pub(super) const UNITS: &str = "units";
const MAX_HEADER_BYTES: usize = 64 << 10;
/// Maximum number of predictions of a block.
const MAX_PREDICTIONS: usize = 1 << 24;
/// Steps of a value between -1 and 1.
const STEPS: f32 = 255.0;
/// The byte for a move that is not among the first 254 legal ones, or not known.
const NO_MOVE: u8 = u8::MAX;
/// The byte in place of the move if the value is not a number.
const NO_VALUE: u8 = NO_MOVE - 1;

/// The teacher's value and move in two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedPrediction {
    value: u8,
    best: u8,
}

impl PackedPrediction {
    /// `value` is from -1 to 1, `best` is the number of the move among the legal ones. If the value is not a number,
    /// the move is lost.
    pub(super) fn new(value: f32, best: Option<usize>) -> PackedPrediction {
        if !value.is_finite() {
            return PackedPrediction { value: 0, best: NO_VALUE };
        }
        let step = ((value.clamp(-1.0, 1.0) + 1.0) / 2.0 * STEPS).round();
        let best = best.and_then(|best| u8::try_from(best).ok()).filter(|&best| best < NO_VALUE);
        PackedPrediction { value: step as u8, best: best.unwrap_or(NO_MOVE) }
    }

    /// NaN if the teacher's value was not a number.
    pub(super) fn value(self) -> f32 {
        if self.best == NO_VALUE { f32::NAN } else { f32::from(self.value) / STEPS * 2.0 - 1.0 }
    }

    pub(super) fn best(self) -> Option<usize> {
        (self.best < NO_VALUE).then_some(self.best.into())
    }
}

/// The predictions for the positions of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnitPredictions {
    /// Of the keys of the positions.
    pub(super) positions_checksum: u32,
    pub(super) predictions: Vec<PackedPrediction>,
}

impl UnitPredictions {
    /// The block of a file for the unit of this number.
    fn block(&self, number: u64) -> Vec<u8> {
        let mut block =
            Vec::with_capacity(BLOCK_HEADER_BYTES + 2 * self.predictions.len() + CHECKSUM_BYTES);
        block.extend((number as u32).to_le_bytes());
        block.extend((self.predictions.len() as u32).to_le_bytes());
        block.extend(self.positions_checksum.to_le_bytes());
        block.extend(crc32fast::hash(&block).to_le_bytes());
        block.extend(
            self.predictions.iter().flat_map(|prediction| [prediction.value, prediction.best]),
        );
        block.extend(crc32fast::hash(&block).to_le_bytes());
        block
    }
}

/// A file of packed predictions, complete in memory.
#[derive(Debug)]
pub struct PackedPredictions {
    /// Lines of `key=value`.
    header: String,
    units: HashMap<u64, UnitPredictions>,
}

impl PackedPredictions {
    /// Reads a file. An incomplete block at its end is ignored.
    ///
    /// # Errors
    /// If it cannot be read, is not a file of predictions, or is damaged.
    pub fn read(path: &Path) -> Result<PackedPredictions, String> {
        let mut file = open_input(path).map_err(|error| in_file(path, error))?;
        let contents = Contents::read(&mut file);
        contents.map(|contents| contents.predictions).map_err(|error| in_file(path, error))
    }

    /// Whether the extension of this name is that of prediction files.
    pub fn is_named(path: &Path) -> bool {
        path.extension().is_some_and(|found| found.eq_ignore_ascii_case("predictions"))
    }

    /// Joins the predictions of all parts in a new file; returns the number of units.
    ///
    /// # Errors
    /// If a unit is missing or duplicate, the settings differ, or a file cannot be read or written. Then there
    /// is no new file.
    pub fn join(inputs: &[PathBuf], out: &Path) -> Result<u64, String> {
        let parts = inputs.iter().map(|path| PackedPredictions::read(path));
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        let header = parts.first().map(PackedPredictions::header_without_part).unwrap_or_default();
        let mut units: BTreeMap<u64, (&UnitPredictions, &Path)> = BTreeMap::new();
        for (part, path) in parts.iter().zip(inputs) {
            check_header(part.header_without_part().lines(), header.lines()).map_err(|other| {
                let text = format!("it was made with other settings than the first file; {other}");
                in_file(path, text)
            })?;
            for (&number, unit) in &part.units {
                if let Some((_, earlier)) = units.insert(number, (unit, path)) {
                    let (earlier, path) = (earlier.display(), path.display());
                    return Err(format!("{earlier} and {path} have the same unit {number}"));
                }
            }
        }
        let count = parts.first().and_then(|part| part.value(UNITS)?.parse().ok());
        let count: u64 = count.ok_or("these predictions are not parts")?;
        if let Some(missing) = (0..count).find(|number| !units.contains_key(number)) {
            return Err(format!("the predictions of unit {missing} of {count} are missing"));
        }
        let fail = |error| in_file(out, error);
        let created = check_absent(out).and_then(|()| AtomicFile::create(out));
        let mut file = created.map_err(fail)?;
        file.write_all(&header_bytes(&header)).map_err(fail)?;
        for (&number, (unit, _)) in &units {
            file.write_all(&unit.block(number)).map_err(fail)?;
        }
        file.commit().map_err(fail)?;
        Ok(count)
    }

    /// The header without the part.
    fn header_without_part(&self) -> String {
        let is_kept = |line: &&str| line.split_once('=').is_none_or(|(key, _)| key != PART);
        self.header.lines().filter(is_kept).map(|line| format!("{line}\n")).collect()
    }

    /// The value of this key of the header.
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        self.header.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='))
    }

    /// Identifies the units of a file that lacks some of its part; the teacher may add them later.
    pub(super) fn incomplete_units(&self) -> Option<String> {
        let all: u64 = self.value(UNITS)?.parse().ok()?;
        let part: Part = self.value(PART).map_or(Some(Part::WHOLE), |part| part.parse().ok())?;
        if part.units(all).all(|unit| self.has(unit)) {
            return None;
        }
        let mut units: Vec<u64> = self.units.keys().copied().collect();
        units.sort_unstable();
        let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        Some(format!("{} of {all} units, {:08x}", units.len(), crc32fast::hash(&bytes)))
    }

    pub(super) fn unit(&self, number: u64) -> Option<&UnitPredictions> {
        self.units.get(&number)
    }

    pub(super) fn has(&self, unit: u64) -> bool {
        self.units.contains_key(&unit)
    }

    /// The number of all predictions.
    pub fn count(&self) -> u64 {
        self.units.values().map(|unit| unit.predictions.len() as u64).sum()
    }
}

/// Appends units to a file.
#[derive(Debug)]
pub(super) struct PredictionWriter {
    file: BufWriter<File>,
    _lock: FileLock,
}

impl PredictionWriter {
    /// Opens or creates a file and returns what it contains. An incomplete header is completed, and an
    /// incomplete block at the end removed.
    ///
    /// # Errors
    /// If the file cannot be written, or was made from other positions or by another teacher.
    pub(super) fn append(
        path: &Path,
        header: &str,
    ) -> io::Result<(PredictionWriter, PackedPredictions)> {
        let lock = FileLock::take(with_suffix(path, ".lock"))?;
        let options =
            File::options().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = options?;
        let (head, mut start) = (header_bytes(header), Vec::new());
        (&file).take(head.len() as u64).read_to_end(&mut start)?;
        file.rewind()?;
        if start.len() < head.len() && head.starts_with(&start) {
            // Empty, or cut off within the header.
            file.write_all(&head)?;
            file.rewind()?;
        }
        let Contents { predictions, length } = Contents::read(&mut file)?;
        check_header(predictions.header.lines(), header.lines()).map_err(|other| {
            let text = format!("it was made with other settings; {other}");
            io::Error::new(ErrorKind::InvalidData, text)
        })?;
        file.set_len(length)?;
        file.seek(SeekFrom::End(0))?;
        Ok((PredictionWriter { file: BufWriter::new(file), _lock: lock }, predictions))
    }

    pub(super) fn push(&mut self, unit: u64, predictions: &UnitPredictions) -> io::Result<()> {
        self.file.write_all(&predictions.block(unit))
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn header_bytes(header: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// The content of a file, up to its last complete block.
struct Contents {
    predictions: PackedPredictions,
    length: u64,
}

impl Contents {
    fn read(file: &mut File) -> io::Result<Contents> {
        let damaged = |what: &str| io::Error::new(ErrorKind::InvalidData, what.to_owned());
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if !bytes.starts_with(&MAGIC) {
            return Err(damaged("it is not a file of predictions"));
        }
        let size = read_u32(&bytes, 8).filter(|&size| size <= MAX_HEADER_BYTES);
        let end = MAGIC.len() + 4 + size.ok_or_else(|| damaged("its header is too long"))?;
        let (header, mut at) = (bytes.get(12..end), end + CHECKSUM_BYTES);
        let header = header.filter(|_| is_intact(&bytes, 0, end)).map(<[u8]>::to_vec);
        let header = header.and_then(|header| String::from_utf8(header).ok());
        let header = header.ok_or_else(|| damaged("its header is damaged"))?;
        let mut units = HashMap::new();
        while bytes.len() >= at + BLOCK_HEADER_BYTES {
            let damaged_block = || damaged(&format!("the block at byte {at} is damaged"));
            let [unit, count, checksum] = block_header(&bytes, at).ok_or_else(damaged_block)?;
            let start = at + BLOCK_HEADER_BYTES;
            let end = start + 2 * count;
            if bytes.len() < end + CHECKSUM_BYTES {
                break;
            }
            if !is_intact(&bytes, at, end) {
                return Err(damaged_block());
            }
            let pairs = bytes[start..end].as_chunks::<2>().0.iter();
            let predictions =
                pairs.map(|&[value, best]| PackedPrediction { value, best }).collect();
            units.insert(
                unit as u64,
                UnitPredictions { positions_checksum: checksum as u32, predictions },
            );
            at = end + CHECKSUM_BYTES;
        }
        Ok(Contents { predictions: PackedPredictions { header, units }, length: at as u64 })
    }
}

/// The numbers of the block header at this byte; `None` if it is damaged.
fn block_header(bytes: &[u8], at: usize) -> Option<[usize; 3]> {
    let end = at + BLOCK_HEADER_BYTES - CHECKSUM_BYTES;
    let header = [read_u32(bytes, at)?, read_u32(bytes, at + 4)?, read_u32(bytes, at + 8)?];
    (is_intact(bytes, at, end) && header[1] <= MAX_PREDICTIONS).then_some(header)
}

/// Whether the checksum at `end` matches the bytes before it.
fn is_intact(bytes: &[u8], start: usize, end: usize) -> bool {
    read_u32(bytes, end) == Some(crc32fast::hash(&bytes[start..end]) as usize)
}

fn read_u32(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at + 4)?.try_into().ok()?;
    Some(u32::from_le_bytes(bytes) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(values: &[f32]) -> UnitPredictions {
        let predictions =
            values.iter().map(|&value| PackedPrediction::new(value, Some(7))).collect();
        UnitPredictions { positions_checksum: values.len() as u32, predictions }
    }

    #[test]
    fn a_packed_value_is_within_half_a_step() {
        for step in -100..=100 {
            let value = step as f32 / 100.0;
            let packed = PackedPrediction::new(value, None);
            assert!((packed.value() - value).abs() <= 1.001 / STEPS, "{value}");
        }
        assert_eq!(PackedPrediction::new(-2.0, None).value(), -1.0);
        assert_eq!(PackedPrediction::new(0.0, Some(253)).best(), Some(253));
        for number in [254, 255, 300] {
            let packed = PackedPrediction::new(0.0, Some(number));
            assert_eq!(packed.best(), None);
            assert!(packed.value().is_finite());
        }
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let packed = PackedPrediction::new(value, Some(7));
            assert!(packed.value().is_nan() && packed.best().is_none(), "{value}");
        }
    }

    #[test]
    fn a_file_is_continued_after_its_last_complete_block() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.predictions");
        let (mut writer, old) = PredictionWriter::append(&path, "seed=1\n").unwrap();
        assert_eq!(old.count(), 0);
        writer.push(3, &unit(&[0.5, -0.25])).unwrap();
        writer.push(1, &unit(&[0.0])).unwrap();
        writer.finish().unwrap();
        let length = std::fs::metadata(&path).unwrap().len();
        let file = File::options().write(true).open(&path).unwrap();
        file.set_len(length - 1).unwrap();
        let (mut writer, old) = PredictionWriter::append(&path, "seed=1\n").unwrap();
        assert_eq!((old.has(3), old.has(1), old.count()), (true, false, 2));
        writer.push(1, &unit(&[1.0])).unwrap();
        writer.finish().unwrap();
        let read = PackedPredictions::read(&path).unwrap();
        assert_eq!(read.unit(3), Some(&unit(&[0.5, -0.25])));
        assert_eq!(read.unit(1), Some(&unit(&[1.0])));
        assert_eq!(read.header, "seed=1\n");
    }

    /// Regression: it was taken for a damaged file or one of another kind.
    #[test]
    fn a_file_that_was_cut_off_within_its_header_is_begun_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.predictions");
        let head = header_bytes("seed=1\n");
        for end in 0..head.len() {
            std::fs::write(&path, &head[..end]).unwrap();
            let (writer, old) = PredictionWriter::append(&path, "seed=1\n").unwrap();
            assert_eq!(old.count(), 0);
            writer.finish().unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), head, "{end} bytes");
        }
    }

    /// Regression: the block was taken for an incomplete one, and removed with all blocks after it.
    #[test]
    fn a_block_whose_number_of_predictions_is_damaged_is_an_error_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.predictions");
        let (mut writer, _) = PredictionWriter::append(&path, "seed=1\n").unwrap();
        (0..3).for_each(|number| writer.push(number, &unit(&[0.5, 0.5])).unwrap());
        writer.finish().unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        let first = header_bytes("seed=1\n").len();
        bytes[first + 5] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let error = PredictionWriter::append(&path, "seed=1\n").unwrap_err().to_string();
        assert_eq!(error, format!("the block at byte {first} is damaged"));
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }

    #[test]
    fn other_settings_other_files_and_damage_are_errors_and_change_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.predictions");
        let (mut writer, _) = PredictionWriter::append(&path, "seed=1\n").unwrap();
        writer.push(0, &unit(&[0.5, 0.5])).unwrap();
        writer.finish().unwrap();
        let good = std::fs::read(&path).unwrap();
        let error = PredictionWriter::append(&path, "seed=2\n").unwrap_err().to_string();
        let expected = "it was made with other settings; it says\n  seed=1\n\
                        where it should say\n  seed=2";
        assert_eq!(error, expected);
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            std::fs::write(&path, &bad).unwrap();
            assert!(PackedPredictions::read(&path).is_err(), "byte {at}");
        }
        std::fs::write(&path, "something else").unwrap();
        assert!(PredictionWriter::append(&path, "seed=1\n").is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"something else");
    }
}
