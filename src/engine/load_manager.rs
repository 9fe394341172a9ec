//! When files that the settings name are loaded, for a network and for books alike: if the options
//! change, if the files change, after a failure, and if a file in use was cut off.

use super::file_lookup::{FileLookup, LookupLog};

/// Something that is loaded from files.
pub(super) trait Resource: Clone {
    /// What the settings say of it.
    type Options: Clone + PartialEq;

    /// Loads what the options name. Returns what is to be used from now on, and whether that is all
    /// that was asked for. May take long. What the user should know goes into `messages`.
    fn load(
        options: &Self::Options,
        before: &Self,
        lookup: &mut FileLookup,
        messages: &mut Vec<String>,
    ) -> (Self, bool);

    /// Whether a file in use was cut off, so that part of it is lost.
    fn is_damaged(&self) -> bool;

    /// What is used after a load that panicked.
    fn after_panic(self) -> Self;
}

/// A load to be done on the loader thread.
#[derive(Debug)]
pub(super) struct LoadRequest<R: Resource> {
    pub(super) options: R::Options,
    pub(super) before: R,
}

impl<R: Resource> LoadRequest<R> {
    pub(super) fn run(self, mut lookup: FileLookup, messages: &mut Vec<String>) -> Loaded<R> {
        let (resource, complete) = R::load(&self.options, &self.before, &mut lookup, messages);
        Loaded { resource, complete, log: lookup.log }
    }
}

/// The result of a load.
#[derive(Debug)]
pub(super) struct Loaded<R> {
    pub(super) resource: R,
    /// Whether everything was loaded that was asked for.
    pub(super) complete: bool,
    pub(super) log: LookupLog,
}

/// A resource in use, and what decides when it is loaded again.
#[derive(Debug)]
pub(super) struct LoadManager<R: Resource> {
    /// The options of the last request, whatever came of it.
    requested: R::Options,
    current: R,
    failed: bool,
    /// Whether the last load panicked, as the same one would again.
    panicked: bool,
    log: LookupLog,
    is_loading: bool,
    /// Whether to load although the options are the same.
    reload: bool,
}

impl<R: Resource> LoadManager<R> {
    /// With something in use that these options would load.
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

    /// What is in use.
    pub(super) fn current(&self) -> &R {
        &self.current
    }

    /// Looks at the files again: what has changed, or could not be loaded, is to be loaded.
    pub(super) fn recheck_files(&mut self) {
        self.reload |= !self.is_loading && (self.failed || !self.log.is_unchanged());
    }

    /// What is to be loaded for these options, if anything. The result goes to
    /// [`LoadManager::finish`].
    pub(super) fn start(&mut self, options: R::Options) -> Option<LoadRequest<R>> {
        let is_lost = self.current.is_damaged() && !self.panicked;
        if self.requested == options && !self.reload && !is_lost {
            return None;
        }
        self.requested.clone_from(&options);
        (self.is_loading, self.reload) = (true, false);
        Some(LoadRequest { options, before: self.current.clone() })
    }

    /// Takes the result of a load; `None` if there was none to do, or if it panicked.
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
