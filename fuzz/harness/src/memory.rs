//! A limit on the memory that one run takes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Bytes that a run may have allocated at once, beyond the length of its input.
pub const LIMIT: usize = 64 << 20;

/// Bytes that are allocated.
static LIVE: AtomicUsize = AtomicUsize::new(0);
/// What `LIVE` must not exceed.
static CEILING: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The system's allocator, counting. It ends the process at the allocation that exceeds the limit of [`limited`], so that
/// a debugger or a sanitizer shows where it was.
///
/// To have an effect it must be a program's `#[global_allocator]`. It counts for all threads together.
#[derive(Debug)]
pub struct Counting;

/// Runs `work` on an input of `input` bytes, within [`LIMIT`].
pub fn limited<T>(input: usize, work: impl FnOnce() -> T) -> T {
    CEILING.store(LIVE.load(Relaxed).saturating_add(LIMIT).saturating_add(input), Relaxed);
    let outcome = work();
    CEILING.store(usize::MAX, Relaxed);
    outcome
}

fn add(size: usize) {
    let live = LIVE.fetch_add(size, Relaxed).saturating_add(size);
    if live > CEILING.load(Relaxed) {
        CEILING.store(usize::MAX, Relaxed);
        // Neither of these allocates.
        let _ = std::io::stderr()
            .write_all(b"\nmemory limit: a run allocated more than 64 MiB beyond its input\n");
        std::process::abort();
    }
}

fn subtract(size: usize) {
    LIVE.fetch_sub(size, Relaxed);
}

// SAFETY: every call is passed on to the system's allocator as it is; counting touches nothing else.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller's promise is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller's promise is the same.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // Both may be there at once.
        add(new_size);
        // SAFETY: the caller's promise is the same.
        let moved = unsafe { System.realloc(pointer, layout, new_size) };
        subtract(if moved.is_null() { new_size } else { layout.size() });
        moved
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        subtract(layout.size());
        // SAFETY: the caller's promise is the same.
        unsafe { System.dealloc(pointer, layout) }
    }
}
