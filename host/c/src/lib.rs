//! The host driver for programs in C: one handle for a card, the verbs of `bloomline device`, status codes.
//!
//! `include/bloomline.h` is generated from these files by cbindgen and committed; a test generates it again and compares. The
//! files:
//!
//! ```text
//!  device    open by URL and design, info, settings, counters, clear
//!  items     insert, query, test and insert, remove: one key or many
//!  events    events since the previous call
//!  path      packet paths and Ethernet ports: policies, learning, longest frame, links
//!  snapshot  arrays: read, write, files, union, intersection, estimate
//!  status    codes and the text of the last error       checks   panics, null pointers, texts
//! ```
//!
//! The library contains the driver alone: it has no simulator and does not accept `sim:` URLs. A simulated card is reached as a
//! real one is, through the transports: `bloomline serve SPEC --udp 0` or `--pty` prints the URL to open.
//!
//! # The binary interface
//!
//! [`BLOOMLINE_ABI_VERSION`] increases when a program that was compiled against an older header would not work with this library:
//! a signature, a layout or the meaning of a number changed. New functions, status codes and flags do not change it.
//! A panic never leaves a call: it becomes [`status::BloomlineStatus::BLOOMLINE_PANIC`]. A device that a call panicked in may still be closed.

mod checks;
pub mod device;
pub mod events;
pub mod items;
pub mod path;
pub mod snapshot;
pub mod status;

/// Version of the binary interface that this header describes. If it differs from `bloomline_abi_version()`, the program must not
/// call any other function.
pub const BLOOMLINE_ABI_VERSION: u32 = 1;

/// The version of the binary interface of the library. Compare it with `BLOOMLINE_ABI_VERSION` of the header.
#[no_mangle]
pub extern "C" fn bloomline_abi_version() -> u32 {
    BLOOMLINE_ABI_VERSION
}
