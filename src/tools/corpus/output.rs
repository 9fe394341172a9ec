//! New files of either kind.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::input::Input;
use super::{CorpusError, Kind};
use crate::record::scored::Form;
use crate::sys::{Unfinished, sync_file};
use crate::tools::games::{Game, GameWriter, Head};

/// A file that is being made, and has its name only when it is whole. It must not exist before.
#[derive(Debug)]
pub(super) struct Output {
    path: PathBuf,
    // Closed before it is removed: the order in which they are dropped.
    body: Body,
    place: Unfinished,
}

/// An empty file that is to have this name, if nothing has it, and where it is until then.
pub(super) fn place(path: &Path) -> Result<(Unfinished, File), CorpusError> {
    let made = match path.symlink_metadata() {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => Unfinished::beside(path),
    };
    made.map_err(|error| CorpusError::writing(path, error))
}

#[derive(Debug)]
enum Body {
    Games(GameWriter),
    Positions(BufWriter<File>, Form),
}

impl Output {
    /// Makes a file of the kind that its name says. `head` is for games.
    pub(super) fn create(path: &Path, head: &Head) -> Result<Output, CorpusError> {
        let (place, file) = place(path)?;
        let body = match Kind::of_name(path) {
            Kind::Games => {
                let writer = GameWriter::begin(file, head);
                Body::Games(writer.map_err(|error| CorpusError::Write(path.into(), error))?)
            }
            Kind::Positions(form) => Body::Positions(BufWriter::new(file), form),
        };
        Ok(Output { path: path.into(), body, place })
    }

    /// Makes a file of the kind of these inputs.
    pub(super) fn like(path: &Path, inputs: &[Input], what: &str) -> Result<Output, CorpusError> {
        match inputs.first() {
            Some(input) if input.kind() != Kind::of_name(path) => {
                Err(CorpusError::Mixed(path.into()))
            }
            _ => Output::create(path, &head(inputs, what)),
        }
    }

    pub(super) fn kind(&self) -> Kind {
        match &self.body {
            Body::Games(_) => Kind::Games,
            Body::Positions(_, form) => Kind::Positions(*form),
        }
    }

    /// Adds a game to a file of games.
    pub(super) fn push_game(&mut self, game: &Game) -> Result<(), CorpusError> {
        match &mut self.body {
            Body::Games(writer) => {
                let written = writer.push(game);
                written.map_err(|error| CorpusError::Write(self.path.clone(), error))
            }
            Body::Positions(..) => unreachable!("games go into files of games"),
        }
    }

    /// Adds the bytes of a position to a file of such positions.
    pub(super) fn push_record(&mut self, bytes: &[u8]) -> Result<(), CorpusError> {
        match &mut self.body {
            Body::Positions(file, _) => {
                file.write_all(bytes).map_err(|error| CorpusError::writing(&self.path, error))
            }
            Body::Games(_) => unreachable!("positions go into files of positions"),
        }
    }

    pub(super) fn finish(self) -> Result<(), CorpusError> {
        let Output { path, body, place } = self;
        let finished = match body {
            Body::Games(writer) => writer.finish(),
            Body::Positions(file, _) => file
                .into_inner()
                .map_err(|error| error.into_error())
                .and_then(|file| sync_file(&file)),
        };
        let put = finished.and_then(|()| place.put(&path));
        put.map_err(|error| CorpusError::writing(&path, error))
    }
}

/// What was done with the games of a file: one line each time, in order.
const THEN: &str = "then";

/// How the games of these inputs were made, and what was done with them. Lines that all inputs have
/// stand once, or there would be no room for many; all others have the number of their file in front.
fn head(inputs: &[Input], what: &str) -> Head {
    let heads: Vec<&Head> = inputs.iter().filter_map(Input::head).collect();
    let is_common = |line: &(&str, &str)| {
        heads.len() == 1
            || line.0 != THEN && heads.iter().all(|head| head.entries().any(|other| other == *line))
    };
    let first = heads.first().into_iter().flat_map(|head| head.entries());
    let common: Vec<(&str, &str)> = first.filter(is_common).collect();
    let mut head = Head::new();
    common.iter().for_each(|(key, value)| head.set(key, value));
    for (number, old) in heads.iter().enumerate() {
        for line in old.entries().filter(|line| !common.contains(line)) {
            head.set(&format!("{} {}", number + 1, line.0), line.1);
        }
    }
    head.set(THEN, what);
    head
}
