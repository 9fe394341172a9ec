//! Decides when networks and books are loaded: if the options or the files have changed, after a
//! failure, and if a file in use was truncated.

use super::file_lookup::{FileLookup, LookupLog};

/// A message for the user about a load, in English, as protocols require.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadMessage {
    Note(String),
    /// Something is not loaded, or was lost.
    Error(String),
}

#[cfg(test)]
impl LoadMessage {
    pub(super) fn into_text(self) -> String {
        let (LoadMessage::Note(text) | LoadMessage::Error(text)) = self;
        text
    }
}

/// What the engine loads from files: the network or the books.
pub(super) trait Resource: Clone {
    /// The options on which it depends.
    type Options: Clone + PartialEq;

    /// Loads the resource that the options name. `current` is the one in use, which may serve again. Returns
    /// the resource to use, and whether it is the requested one. May take long. Messages for the user go into
    /// `messages`.
    fn load(
        options: &Self::Options,
        current: &Self,
        lookup: &mut FileLookup,
        messages: &mut Vec<LoadMessage>,
    ) -> (Self, bool);

    /// Whether a file in use was truncated, so that part of it is lost.
    fn is_damaged(&self) -> bool;

    /// The resource after a load that panicked.
    fn after_panic(self) -> Self;
}

/// A request to load one resource; part of the job of the loader thread.
#[derive(Debug)]
pub(super) struct LoadRequest<R: Resource> {
    pub(super) options: R::Options,
    pub(super) current: R,
}

impl<R: Resource> LoadRequest<R> {
    /// Loads the resource.
    pub(super) fn run(self, mut lookup: FileLookup, messages: &mut Vec<LoadMessage>) -> Loaded<R> {
        let (resource, complete) = R::load(&self.options, &self.current, &mut lookup, messages);
        Loaded { resource, complete, log: lookup.log }
    }
}

/// The result of a load.
#[derive(Debug)]
pub(super) struct Loaded<R> {
    pub(super) resource: R,
    /// Whether everything requested was loaded.
    pub(super) complete: bool,
    pub(super) log: LookupLog,
}

/// A resource in use, and the state that decides when to load it again.
#[derive(Debug)]
pub(super) struct LoadManager<R: Resource> {
    /// The options of the last request, whatever its result.
    requested: R::Options,
    current: R,
    /// Whether the last load did not load everything requested.
    failed: bool,
    /// Whether the last load panicked. Then the loss of a file in use does not start another, which would panic
    /// again; only the next check of the files does.
    panicked: bool,
    /// The paths that the last load looked up.
    log: LookupLog,
    is_loading: bool,
    /// Whether to load even if the options are the same.
    reload: bool,
}

impl<R: Resource> LoadManager<R> {
    /// A manager whose resource in use is the one that these options name.
    pub(super) fn new(options: R::Options, current: R) -> LoadManager<R> {
        LoadManager {
            requested: options,
            current,
            failed: false,
            panicked: false,
            log: LookupLog::default(),
            is_loading: false,
            reload: false,
        }
    }

    /// The resource in use.
    pub(super) fn current(&self) -> &R {
        &self.current
    }

    /// Checks the files: after a change or a failure the next [`LoadManager::start`] loads them again.
    pub(super) fn recheck_files(&mut self) {
        self.reload |= !self.is_loading && (self.failed || !self.log.is_unchanged());
    }

    /// The load that these options require, if any. Its result goes to [`LoadManager::finish`].
    pub(super) fn start(&mut self, options: R::Options) -> Option<LoadRequest<R>> {
        let is_lost = self.current.is_damaged() && !self.panicked;
        if self.requested == options && !self.reload && !is_lost {
            return None;
        }
        self.requested.clone_from(&options);
        (self.is_loading, self.reload) = (true, false);
        Some(LoadRequest { options, current: self.current.clone() })
    }

    /// Accepts the result of a load; `None` if there was nothing to load, or if the load panicked.
    pub(super) fn finish(&mut self, loaded: Option<Loaded<R>>) {
        if let Some(loaded) = loaded {
            (self.current, self.failed) = (loaded.resource, !loaded.complete);
            (self.log, self.panicked) = (loaded.log, false);
        } else if self.is_loading {
            self.current = self.current.clone().after_panic();
            (self.failed, self.panicked) = (true, true);
        }
        self.is_loading = false;
    }
}
