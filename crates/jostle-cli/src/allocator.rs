//! Memory that runs out is an error like any other: one sentence, and exit code 2.
//!
//! Rust's own answer is to abort, with a backtrace and without removing temporary files. A handler for this case is
//! not stable yet, and a global allocator cannot be had without `unsafe`.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{self, Write};

/// The system's allocator, except that the program ends when there is no memory left.
pub struct Allocator;

// SAFETY: every call is passed to the system's allocator as it is, so that the caller's promises are the ones that it
// asks for, and its own promises hold for what is returned. The only other thing done is to end the program, which neither
// returns nor unwinds.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the promises of this function, which are the same.
        or_exit(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        or_exit(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        or_exit(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

fn or_exit(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        exit(size);
    }
    memory
}

/// Nothing here allocates memory.
#[cold]
fn exit(size: usize) -> ! {
    // If standard error is closed, the exit code has to do.
    let _ = writeln!(io::stderr(), "error: out of memory: {size} more bytes were needed");
    jostle_lab::discard_unfinished_files();
    std::process::exit(2)
}
