//! Files of either kind, looked at and read.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::{CorpusError, Kind, Trouble};
use crate::record::scored::Form;
use crate::sys::is_stream;
use crate::tools::games::{Game, GameReader, Head};

/// A file that was looked at. It is open only while it is read, as no system lets a program have any
/// number of files open.
#[derive(Debug)]
pub(super) struct Input {
    path: PathBuf,
    kind: Kind,
    head: Option<Head>,
    /// Of what can be opened only once: a pipe gives its bytes no second time.
    opened: Option<Body>,
}

#[derive(Debug)]
enum Body {
    Games(GameReader<BufReader<File>>),
    Positions(Records<BufReader<File>>),
}

/// A piece of a file.
#[derive(Debug)]
pub(super) enum Item<'a> {
    Game(Game),
    /// The bytes of one position.
    Record(&'a [u8], Form),
}

/// Why an item was not taken.
#[derive(Debug)]
pub(super) enum Refusal {
    /// There is something wrong with it. The others are not concerned.
    Bad(String),
    Stop(CorpusError),
}

impl Refusal {
    pub(super) fn bad(error: impl fmt::Display) -> Refusal {
        Refusal::Bad(error.to_string())
    }
}

impl From<CorpusError> for Refusal {
    fn from(error: CorpusError) -> Refusal {
        Refusal::Stop(error)
    }
}

impl Body {
    /// Opens a file whose name says what it is.
    fn open(path: &Path) -> Result<Body, CorpusError> {
        match Kind::of_name(path) {
            Kind::Games => {
                let reader = GameReader::open(path);
                Ok(Body::Games(reader.map_err(|error| CorpusError::Read(path.into(), error))?))
            }
            Kind::Positions(form) => {
                let file = File::open(path).map_err(|error| CorpusError::reading(path, error))?;
                Ok(Body::Positions(Records::new(BufReader::new(file), form)))
            }
        }
    }

    /// How the games were made; nothing for positions.
    fn head(&self) -> Option<&Head> {
        match self {
            Body::Games(reader) => Some(reader.head()),
            Body::Positions(_) => None,
        }
    }
}

impl Input {
    /// Looks at a file whose name says what it is.
    pub(super) fn open(path: &Path) -> Result<Input, CorpusError> {
        let body = Body::open(path)?;
        let head = body.head().cloned();
        let opened = is_stream(path).then_some(body);
        Ok(Input { path: path.into(), kind: Kind::of_name(path), head, opened })
    }

    /// Looks at files.
    pub(super) fn open_all(paths: &[PathBuf]) -> Result<Vec<Input>, CorpusError> {
        paths.iter().map(|path| Input::open(path)).collect()
    }

    /// Looks at files, which must be of one kind.
    pub(super) fn open_alike(paths: &[PathBuf]) -> Result<Vec<Input>, CorpusError> {
        let kinds: Vec<Kind> = paths.iter().map(|path| Kind::of_name(path)).collect();
        match kinds.iter().position(|&kind| kind != kinds[0]) {
            Some(other) => Err(CorpusError::Mixed(paths[other].clone())),
            None => Input::open_all(paths),
        }
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// How the games were made; nothing for positions.
    pub(super) fn head(&self) -> Option<&Head> {
        self.head.as_ref()
    }

    /// Shows everything that can be read.
    pub(super) fn read(
        self,
        trouble: Trouble<'_>,
        see: &mut dyn FnMut(Item<'_>) -> Result<(), Refusal>,
    ) -> Result<(), CorpusError> {
        let Input { path, opened, .. } = self;
        let body = match opened {
            Some(body) => body,
            None => Body::open(&path)?,
        };
        let name = path.display();
        match body {
            Body::Games(mut reader) => {
                while let Some(item) = reader.next() {
                    let number = reader.number().saturating_sub(1);
                    match item.map(|game| see(Item::Game(game))) {
                        Ok(Ok(())) => {}
                        Ok(Err(Refusal::Bad(words))) => {
                            trouble(format!("{name}: game {number}: {words}"));
                        }
                        Ok(Err(Refusal::Stop(error))) => return Err(error),
                        Err(error) if error.is_fatal() => {
                            return Err(CorpusError::Read(path, error));
                        }
                        Err(error) => trouble(format!("{name}: {error}")),
                    }
                }
            }
            Body::Positions(mut records) => {
                let (form, fail) = (records.form, |error| CorpusError::reading(&path, error));
                while let Some((number, bytes)) = records.advance().map_err(fail)? {
                    match see(Item::Record(bytes, form)) {
                        Ok(()) => {}
                        Err(Refusal::Bad(words)) => {
                            trouble(format!("{name}: position {number}: {words}"));
                        }
                        Err(Refusal::Stop(error)) => return Err(error),
                    }
                }
                if records.rest > 0 {
                    let rest = records.rest;
                    trouble(format!("{name}: the last {rest} bytes are no whole position"));
                }
            }
        }
        Ok(())
    }
}

/// Records of a fixed size, one behind the other.
#[derive(Debug)]
struct Records<R> {
    input: R,
    form: Form,
    bytes: Vec<u8>,
    /// Of the next one, from 0.
    number: u64,
    /// Bytes behind the last whole one.
    rest: usize,
}

impl<R: Read> Records<R> {
    fn new(input: R, form: Form) -> Records<R> {
        Records { input, form, bytes: Vec::new(), number: 0, rest: 0 }
    }

    /// The next record and its number; `None` where no whole one is left.
    fn advance(&mut self) -> io::Result<Option<(u64, &[u8])>> {
        let size = self.form.size();
        self.bytes.clear();
        self.input.by_ref().take(size as u64).read_to_end(&mut self.bytes)?;
        if self.bytes.len() < size {
            self.rest = self.bytes.len();
            return Ok(None);
        }
        self.number += 1;
        Ok(Some((self.number - 1, &self.bytes)))
    }
}
