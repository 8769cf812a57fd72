//! The host driver for programs in C: one handle for a card, the verbs of `bloomline device`, status codes.
//!
//! `include/bloomline.h` is made from these files by cbindgen and committed; a test makes it again and compares. What each file
//! offers:
//!
//! ```text
//!  device    open by URL and design, info, settings, counters, clear
//!  items     insert, query, test and insert, remove: one key or many
//!  events    what happened since the last look
//!  path      packet paths and Ethernet ports: policies, learning, longest frame, links
//!  snapshot  arrays: read, write, files, union, intersection, estimate
//!  status    codes and the text of the last error       border   panics, null pointers, texts
//! ```
//!
//! The library links the driver and nothing else: it has no simulation in it and does not know `sim:`. A simulated card is
//! reached as a real one is, through the transports: `bloomline serve SPEC --udp 0` or `--pty` prints the URL to open.
//!
//! # The binary interface
//!
//! [`BLOOMLINE_ABI_VERSION`] counts up when a program that was compiled against an older header would go wrong with this library:
//! a signature, a layout or the meaning of a number changed. New functions, new status codes and new flags leave it.
//! No panic leaves a call: it becomes [`status::BloomlineStatus::BLOOMLINE_PANIC`]. A device that a call panicked in may still be closed.

mod border;
pub mod device;
pub mod events;
pub mod items;
pub mod path;
pub mod snapshot;
pub mod status;

/// Version of the binary interface that this header describes. A program that was compiled with another one than
/// `bloomline_abi_version()` gives must not call anything else.
pub const BLOOMLINE_ABI_VERSION: u32 = 1;

/// The version of the binary interface that the library has; compare with `BLOOMLINE_ABI_VERSION` of the header.
#[no_mangle]
pub extern "C" fn bloomline_abi_version() -> u32 {
    BLOOMLINE_ABI_VERSION
}
