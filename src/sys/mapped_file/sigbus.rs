//! The SIGBUS handler for mapped files: zeros replace what a truncated file has lost.
//!
//! A handler belongs to the whole process, so the table of mappings is global. It is made of atomics,
//! since a handler must not block. Faults elsewhere go to the previous handler, or end the process as
//! they would have.

use std::io;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use libc::{c_int, c_void, sigaction, siginfo_t};

use crate::types::message::message;

/// Maximum number of files that are mapped at a time.
pub(super) const SLOTS: usize = 256;

/// One mapping in the table.
struct MappingSlot {
    /// Its first address, [`FREE`], or [`TAKEN`] while the slot is being filled.
    start: AtomicUsize,
    /// The address after its last page.
    end: AtomicUsize,
    damaged: AtomicBool,
}

const FREE: usize = 0;
/// No mapping begins at this address: it is not page-aligned.
const TAKEN: usize = 1;

static TABLE: [MappingSlot; SLOTS] = [const {
    MappingSlot {
        start: AtomicUsize::new(FREE),
        end: AtomicUsize::new(0),
        damaged: AtomicBool::new(false),
    }
}; SLOTS];

/// The data of the handler, determined before it is installed.
struct HandlerContext {
    page_size: usize,
    previous: sigaction,
}

/// `None` if the system refused the handler.
static CONTEXT: OnceLock<Option<HandlerContext>> = OnceLock::new();

/// While this lives, faults in one mapping are handled.
#[derive(Debug)]
pub(super) struct MappingGuard(usize);

impl MappingGuard {
    /// Installs the handler if this is the first mapping of the process.
    pub(super) fn new(bytes: &[u8]) -> io::Result<MappingGuard> {
        let Some(context) = CONTEXT.get_or_init(prepare) else { return Err(no_handler()) };
        let take = |slot: &MappingSlot| {
            slot.start.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed).is_ok()
        };
        let Some(at) = TABLE.iter().position(take) else {
            return Err(io::Error::new(
                io::ErrorKind::ResourceBusy,
                message!("too many files are mapped", "メモリマップしたファイルが多すぎます"),
            ));
        };
        let start = bytes.as_ptr().addr();
        let end = start + bytes.len().next_multiple_of(context.page_size);
        TABLE[at].damaged.store(false, Ordering::Relaxed);
        TABLE[at].end.store(end, Ordering::Release);
        TABLE[at].start.store(start, Ordering::Release);
        let guard = MappingGuard(at);
        install()?;
        Ok(guard)
    }

    pub(super) fn is_damaged(&self) -> bool {
        TABLE[self.0].damaged.load(Ordering::Relaxed)
    }
}

impl Drop for MappingGuard {
    fn drop(&mut self) {
        TABLE[self.0].start.store(FREE, Ordering::Release);
    }
}

/// Gets the page size and the current handler.
fn prepare() -> Option<HandlerContext> {
    // SAFETY: only returns a number.
    let page_size = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
    let mut previous = MaybeUninit::<sigaction>::uninit();
    // SAFETY: without a new action the system only writes the current one, for which there is room.
    let done = unsafe { sigaction(libc::SIGBUS, std::ptr::null(), previous.as_mut_ptr()) };
    // SAFETY: the system has written the action.
    (done == 0).then(|| HandlerContext { page_size, previous: unsafe { previous.assume_init() } })
}

/// Installs the handler, once.
fn install() -> io::Result<()> {
    static DONE: OnceLock<bool> = OnceLock::new();
    let installed = DONE.get_or_init(|| {
        // SAFETY: zeros are a valid action: the default, without flags and with an empty mask.
        let mut action = unsafe { MaybeUninit::<sigaction>::zeroed().assume_init() };
        action.sa_sigaction = handle as extern "C" fn(c_int, *mut siginfo_t, *mut c_void) as usize;
        // On the alternate stack, because on some systems the standard library reports stack overflows
        // by this signal.
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: the action is complete, and its handler is async-signal-safe.
        unsafe { sigaction(libc::SIGBUS, &action, null_mut()) == 0 }
    });
    if *installed { Ok(()) } else { Err(no_handler()) }
}

fn no_handler() -> io::Error {
    io::Error::other(message!(
        "the system refuses a handler of SIGBUS",
        "SIGBUSの処理を登録できません"
    ))
}

/// The handler. Calls only async-signal-safe functions.
extern "C" fn handle(signal: c_int, info: *mut siginfo_t, ucontext: *mut c_void) {
    let Some(Some(context)) = CONTEXT.get() else { return };
    // SAFETY: the system passes a valid description of the signal.
    let (is_fault, address) = unsafe { ((*info).si_code > 0, (*info).si_addr().addr()) };
    if is_fault && map_zeros(address, context.page_size) {
        return;
    }
    call_previous(&context.previous, signal, info, ucontext);
}

/// Maps a page of zeros at the fault; `false` if the address is in none of our mappings.
fn map_zeros(address: usize, page_size: usize) -> bool {
    let has = |slot: &&MappingSlot| {
        let start = slot.start.load(Ordering::Acquire);
        let end = slot.end.load(Ordering::Acquire);
        // If another thread reuses the slot meanwhile, the two may be of different mappings.
        let is_one_mapping = slot.start.load(Ordering::Relaxed) == start;
        start > TAKEN && (start..end).contains(&address) && is_one_mapping
    };
    let Some(slot) = TABLE.iter().find(has) else { return false };
    let page = (address & !(page_size - 1)) as *mut c_void;
    let kind = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_FIXED;
    // SAFETY: the page is in a mapping of ours whose reader is interrupted right now, so it is still
    // mapped; read-only zeros replace read-only bytes that are gone.
    let mapped = unsafe { libc::mmap(page, page_size, libc::PROT_READ, kind, -1, 0) };
    slot.damaged.store(true, Ordering::Relaxed);
    mapped != libc::MAP_FAILED
}

/// Does what the system would do without this handler.
fn call_previous(previous: &sigaction, signal: c_int, info: *mut siginfo_t, ucontext: *mut c_void) {
    let handler = previous.sa_sigaction;
    // SAFETY: the system passes a valid description of the signal.
    let is_fault = unsafe { (*info).si_code > 0 };
    if handler == libc::SIG_IGN && !is_fault {
        // Sent by another process, and ignored.
    } else if handler == libc::SIG_DFL || handler == libc::SIG_IGN {
        // The faulting instruction is retried and ends the process; a signal that was sent is raised
        // again.
        // SAFETY: restores the previous action and raises a signal.
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
            handler(signal, info, ucontext);
        }
    } else {
        // SAFETY: without the flag the handler is of this type.
        unsafe {
            let handler: extern "C" fn(c_int) = std::mem::transmute(handler);
            handler(signal);
        }
    }
}
