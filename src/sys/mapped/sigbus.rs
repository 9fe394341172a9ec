//! The answer to SIGBUS below mapped files: zeros in place of what is gone.
//!
//! Owns the handler of that signal and the table of mappings that it looks faults up in. Handlers
//! belong to the whole process, so this table does too: it is the one exception to the rule that
//! nothing is global. All of it is atomics, since a handler must not wait. Faults elsewhere go to
//! whoever handled the signal before, or end the process as they would have.

use std::io;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use libc::{c_int, c_void, sigaction, siginfo_t};

/// How many files may be mapped at a time.
pub(super) const PLACES: usize = 256;

/// The place of one mapping in the table.
struct Place {
    /// Its first address, [`FREE`], or [`TAKEN`] while the place is being filled.
    start: AtomicUsize,
    /// The address behind its last page.
    end: AtomicUsize,
    damaged: AtomicBool,
}

const FREE: usize = 0;
/// No mapping begins here, since it is no beginning of a page.
const TAKEN: usize = 1;

static TABLE: [Place; PLACES] = [const {
    Place {
        start: AtomicUsize::new(FREE),
        end: AtomicUsize::new(0),
        damaged: AtomicBool::new(false),
    }
}; PLACES];

/// What is needed in the handler, found out before it is installed.
struct Known {
    page_size: usize,
    previous: sigaction,
}

/// `None` if the system refused the handler.
static KNOWN: OnceLock<Option<Known>> = OnceLock::new();

/// Faults in this mapping are answered as long as this lives.
#[derive(Debug)]
pub(super) struct Watch(usize);

impl Watch {
    /// Installs the handler if this is the first mapping of the process.
    pub(super) fn over(bytes: &[u8]) -> io::Result<Watch> {
        let Some(known) = KNOWN.get_or_init(prepare) else {
            return Err(io::Error::other("the system refuses a handler of SIGBUS"));
        };
        let take = |place: &Place| {
            place.start.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed).is_ok()
        };
        let Some(at) = TABLE.iter().position(take) else {
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, "too many files are mapped"));
        };
        let start = bytes.as_ptr().addr();
        let end = start + bytes.len().next_multiple_of(known.page_size);
        TABLE[at].damaged.store(false, Ordering::Relaxed);
        TABLE[at].end.store(end, Ordering::Relaxed);
        TABLE[at].start.store(start, Ordering::Release);
        let watch = Watch(at);
        install()?;
        Ok(watch)
    }

    pub(super) fn is_damaged(&self) -> bool {
        TABLE[self.0].damaged.load(Ordering::Relaxed)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        TABLE[self.0].start.store(FREE, Ordering::Release);
    }
}

/// Asks for the size of a page and for the handler that there is.
fn prepare() -> Option<Known> {
    // SAFETY: asks for a number.
    let page_size = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
    let mut previous = MaybeUninit::<sigaction>::uninit();
    // SAFETY: no new action is given; the present one is written to where there is room for it.
    let done = unsafe { sigaction(libc::SIGBUS, std::ptr::null(), previous.as_mut_ptr()) };
    // SAFETY: the system said that it has written the action.
    (done == 0).then(|| Known { page_size, previous: unsafe { previous.assume_init() } })
}

/// Installs the handler, once.
fn install() -> io::Result<()> {
    static DONE: OnceLock<bool> = OnceLock::new();
    let installed = DONE.get_or_init(|| {
        // SAFETY: an action of zeros is one: the default, with no flags and an empty mask.
        let mut action = unsafe { MaybeUninit::<sigaction>::zeroed().assume_init() };
        action.sa_sigaction = answer as extern "C" fn(c_int, *mut siginfo_t, *mut c_void) as usize;
        // On the other stack, because the standard library reports overflows of the first by this
        // signal on some systems.
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: the action is complete, and its handler does only what handlers may.
        unsafe { sigaction(libc::SIGBUS, &action, null_mut()) == 0 }
    });
    if *installed {
        Ok(())
    } else {
        Err(io::Error::other("the system refuses a handler of SIGBUS"))
    }
}

/// The handler. Calls nothing but what may be called at any moment.
extern "C" fn answer(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let Some(Some(known)) = KNOWN.get() else { return };
    // SAFETY: the system passes what describes the signal.
    let (is_fault, address) = unsafe { ((*info).si_code > 0, (*info).si_addr().addr()) };
    if is_fault && mend(address, known.page_size) {
        return;
    }
    pass_on(&known.previous, signal, info, context);
}

/// Puts a page of zeros where the fault was; `false` if that is none of our mappings.
fn mend(address: usize, page_size: usize) -> bool {
    let has = |place: &&Place| {
        let start = place.start.load(Ordering::Acquire);
        start > TAKEN && (start..place.end.load(Ordering::Relaxed)).contains(&address)
    };
    let Some(place) = TABLE.iter().find(has) else { return false };
    let page = (address & !(page_size - 1)) as *mut c_void;
    let kind = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_FIXED;
    // SAFETY: the page lies in a mapping of ours whose reader is interrupted in this moment, so it
    // is still mapped; read-only zeros take the place of read-only bytes that are gone.
    let mapped = unsafe { libc::mmap(page, page_size, libc::PROT_READ, kind, -1, 0) };
    place.damaged.store(true, Ordering::Relaxed);
    mapped != libc::MAP_FAILED
}

/// Does what would have been done without us.
fn pass_on(previous: &sigaction, signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let handler = previous.sa_sigaction;
    // SAFETY: the system passes what describes the signal.
    let is_fault = unsafe { (*info).si_code > 0 };
    if handler == libc::SIG_IGN && !is_fault {
        // It was sent by somebody, and is ignored.
    } else if handler == libc::SIG_DFL || handler == libc::SIG_IGN {
        // The instruction that faulted is tried again, and ends the process; a signal that was
        // sent is sent again.
        // SAFETY: an action that stood before is put back, and a signal is raised.
        unsafe {
            sigaction(signal, previous, null_mut());
            if !is_fault {
                libc::raise(signal);
            }
        }
    } else if previous.sa_flags & libc::SA_SIGINFO != 0 {
        // SAFETY: whoever set the flag promised that the handler is of this type.
        unsafe {
            let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) =
                std::mem::transmute(handler);
            handler(signal, info, context);
        }
    } else {
        // SAFETY: without the flag the handler is of this type.
        unsafe {
            let handler: extern "C" fn(c_int) = std::mem::transmute(handler);
            handler(signal);
        }
    }
}
