//! The engine in a browser: the functions that the WebAssembly module exports to
//! `web/engine/kawasemi.js`, and imports from it.
//!
//! The page passes lines ([`kawasemi_line`]) and calls [`kawasemi_search`] and then [`kawasemi_poll`] every
//! few milliseconds. The search is suspended inside [`crate::sys::pause_if_due`] when its slice is over; to
//! go on with it, the page calls `kawasemi_search` again (Asyncify). Nothing that it holds may be borrowed
//! meanwhile, because lines are handled between the slices.
//!
//! Texts come in a buffer that the page fills ([`kawasemi_buffer`]) and go out by `write` and `respond`.

#![allow(unsafe_code, reason = "functions of the page have no safe form")]

use std::cell::RefCell;
use std::io::{self, Write};

use crossbeam::channel::{Receiver, unbounded};

use crate::browser;
use crate::engine::{Engine, Settings, SlicedBackend, SlicedJob};
use crate::usi::Session;

#[link(wasm_import_module = "kawasemi")]
unsafe extern "C" {
    /// Lines of the engine, each with its line end.
    fn write(text: *const u8, len: usize);
    /// The answer to a call.
    fn respond(text: *const u8, len: usize);
    /// A message about a fault; the engine ends.
    fn fail(text: *const u8, len: usize);
}

/// The engine's only instance.
struct Module {
    session: Session<SlicedBackend>,
    jobs: Receiver<SlicedJob>,
}

thread_local! {
    static MODULE: RefCell<Option<Module>> = const { RefCell::new(None) };
    /// Text from the page.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Sends what the engine writes to the page.
struct PageOutput;

impl Write for PageOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // SAFETY: the page reads these bytes before it returns.
        unsafe { write(bytes.as_ptr(), bytes.len()) };
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn start() -> io::Result<Module> {
    let (sender, events) = unbounded();
    let (backend, jobs) = SlicedBackend::new(sender)?;
    let engine = Engine::new(backend, Settings::default())?;
    Ok(Module { session: Session::open(engine, events, PageOutput)?, jobs })
}

/// Starts the engine. False, after a message, if there is no memory for it.
#[unsafe(no_mangle)]
pub extern "C" fn kawasemi_start() -> bool {
    std::panic::set_hook(Box::new(|info| report_fault(&info.to_string())));
    match start() {
        Ok(module) => {
            MODULE.set(Some(module));
            true
        }
        Err(error) => {
            report_fault(&error.to_string());
            false
        }
    }
}

fn report_fault(text: &str) {
    // SAFETY: the page reads these bytes before it returns.
    unsafe { fail(text.as_ptr(), text.len()) };
}

/// A buffer of this size for the next text from the page.
#[unsafe(no_mangle)]
pub extern "C" fn kawasemi_buffer(len: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(len, 0);
        buffer.as_mut_ptr()
    })
}

/// Memory of this size for the stack of a suspended search, with the header that Asyncify wants: where
/// the free part begins and ends.
#[unsafe(no_mangle)]
pub extern "C" fn kawasemi_saved_stack(bytes: usize) -> *const u8 {
    let words = vec![0_usize; bytes.div_ceil(size_of::<usize>()) + 2].leak();
    let free = words[2..].as_ptr_range();
    (words[0], words[1]) = (free.start.addr(), free.end.addr());
    words.as_ptr().cast()
}

/// Handles the line in the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn kawasemi_line() {
    let line = BUFFER.take();
    MODULE.with_borrow_mut(|module| {
        if let Some(module) = module {
            module.session.receive(&line);
        }
    });
}

/// Runs the next search, if there is one, or goes on with the one that is suspended.
#[unsafe(no_mangle)]
pub extern "C" fn kawasemi_search() {
    if let Some(job) = next_job() {
        job.run();
    }
}

fn next_job() -> Option<SlicedJob> {
    MODULE.with_borrow(|module| module.as_ref()?.jobs.try_recv().ok())
}

/// Handles what the search has reported.
#[unsafe(no_mangle)]
pub extern "C" fn kawasemi_poll() {
    MODULE.with_borrow_mut(|module| {
        if let Some(module) = module {
            module.session.poll();
        }
    });
}

/// Answers the call in the buffer: see [`browser::call`].
#[unsafe(no_mangle)]
pub extern "C" fn kawasemi_call() {
    let answer = browser::call(&BUFFER.take());
    // SAFETY: the page reads these bytes before it returns.
    unsafe { respond(answer.as_ptr(), answer.len()) };
}
