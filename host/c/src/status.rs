//! What a call came to.

use bloomline_driver::ErrorClass;
use std::cell::RefCell;
use std::ffi::{c_char, CString};

/// What a call came to.
#[repr(C)]
#[allow(non_camel_case_types, reason = "these are the names in C")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BloomlineStatus {
    /// It was done.
    BLOOMLINE_OK = 0,
    /// The caller gave a value that cannot be, or a null pointer: nothing was sent.
    BLOOMLINE_ARGUMENT = 1,
    /// The manifest or specification is wrong or cannot be read.
    BLOOMLINE_DESIGN = 2,
    /// The link cannot be opened, or nothing answers there.
    BLOOMLINE_OPEN = 3,
    /// No answer came in time.
    BLOOMLINE_TIMEOUT = 4,
    /// The link failed, or carried what cannot be.
    BLOOMLINE_LINK = 5,
    /// Whether a write or an item was carried out cannot be said.
    BLOOMLINE_UNCERTAIN = 6,
    /// The device refuses the access.
    BLOOMLINE_REFUSED = 7,
    /// The device is another than the design.
    BLOOMLINE_WRONG_DEVICE = 8,
    /// This kind of filter has no such thing.
    BLOOMLINE_NOT_THERE = 9,
    /// The device is not ready, or another host came in between.
    BLOOMLINE_BUSY = 10,
    /// A snapshot file cannot be read or written, or is none.
    BLOOMLINE_FILE = 11,
    /// The library itself failed, which is a mistake in it; close the device.
    BLOOMLINE_PANIC = 12,
}

impl From<ErrorClass> for BloomlineStatus {
    fn from(class: ErrorClass) -> BloomlineStatus {
        match class {
            ErrorClass::Argument => BloomlineStatus::BLOOMLINE_ARGUMENT,
            ErrorClass::Design => BloomlineStatus::BLOOMLINE_DESIGN,
            ErrorClass::Open => BloomlineStatus::BLOOMLINE_OPEN,
            ErrorClass::Timeout => BloomlineStatus::BLOOMLINE_TIMEOUT,
            ErrorClass::Link => BloomlineStatus::BLOOMLINE_LINK,
            ErrorClass::Uncertain => BloomlineStatus::BLOOMLINE_UNCERTAIN,
            ErrorClass::Refused => BloomlineStatus::BLOOMLINE_REFUSED,
            ErrorClass::WrongDevice => BloomlineStatus::BLOOMLINE_WRONG_DEVICE,
            ErrorClass::NotThere => BloomlineStatus::BLOOMLINE_NOT_THERE,
            ErrorClass::Busy => BloomlineStatus::BLOOMLINE_BUSY,
            ErrorClass::File => BloomlineStatus::BLOOMLINE_FILE,
        }
    }
}

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// Keeps the text of an error for the calling thread.
pub(crate) fn keep(text: &str) {
    let text: Vec<u8> = text.bytes().filter(|&byte| byte != 0).collect();
    // A thread that is ending may have no place for it any more.
    let _ = LAST_ERROR.try_with(|last| {
        *last.borrow_mut() = CString::new(text).unwrap_or_default();
    });
}

/// What went wrong in the last call of this thread that did not give BLOOMLINE_OK: what failed, where, expected and got, and
/// the next step; an empty text before the first one. The library owns it; it stands until this thread's next call that fails.
#[no_mangle]
pub extern "C" fn bloomline_last_error() -> *const c_char {
    LAST_ERROR
        .try_with(|last| last.borrow().as_c_str().as_ptr())
        .unwrap_or(c"".as_ptr())
}

/// The text, for tests of this crate.
#[cfg(test)]
pub(crate) fn last() -> String {
    LAST_ERROR.with(|last| last.borrow().to_string_lossy().into_owned())
}
