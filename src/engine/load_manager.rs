//! Decides when networks and books are loaded: if the options or the files have changed, after a
//! failure, and if a file in use was truncated.

use super::file_lookup::{FileLookup, LookupLog};
use crate::types::message::{Message, message};

/// Something that is loaded from files.
pub(super) trait Resource: Clone {
    /// The options that determine it.
    type Options: Clone + PartialEq;

    /// Loads what the options name. Returns the resource to use from now on, and whether it is what
    /// was asked for. May take long. Messages for the user go into `messages`.
    fn load(
        options: &Self::Options,
        before: &Self,
        lookup: &mut FileLookup,
        messages: &mut Vec<Message>,
    ) -> (Self, bool);

    /// Whether a file in use was truncated, so that part of it is lost.
    fn is_damaged(&self) -> bool;

    /// The resource after a load that panicked.
    fn after_panic(self) -> Self;
}

/// A message that something was not loaded.
pub(super) fn error_message(error: &Message) -> Message {
    message!("error: {}", "エラー：{}"; error)
}

/// A load for the loader thread.
#[derive(Debug)]
pub(super) struct LoadRequest<R: Resource> {
    pub(super) options: R::Options,
    pub(super) before: R,
}

impl<R: Resource> LoadRequest<R> {
    /// Loads, with messages in English as protocols need them.
    pub(super) fn run(self, mut lookup: FileLookup, messages: &mut Vec<String>) -> Loaded<R> {
        let mut in_both_languages = Vec::new();
        let (resource, complete) =
            R::load(&self.options, &self.before, &mut lookup, &mut in_both_languages);
        messages.extend(in_both_languages.into_iter().map(|message| message.en));
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

/// A resource in use, and the state that decides when it is loaded again.
#[derive(Debug)]
pub(super) struct LoadManager<R: Resource> {
    /// The options of the last request, whatever its result.
    requested: R::Options,
    current: R,
    failed: bool,
    /// Whether the last load panicked: a repetition would panic again.
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

    /// The resource in use.
    pub(super) fn current(&self) -> &R {
        &self.current
    }

    /// Checks the files again, so that resources that have changed or could not be loaded are loaded.
    pub(super) fn recheck_files(&mut self) {
        self.reload |= !self.is_loading && (self.failed || !self.log.is_unchanged());
    }

    /// The load that these options need, if any. The result goes to [`LoadManager::finish`].
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
