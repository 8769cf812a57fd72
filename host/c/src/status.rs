//! Status codes, and the message of the last error.

use bloomline_driver::ErrorClass;
use std::cell::RefCell;
use std::ffi::{c_char, CString};

/// Status of a call.
#[repr(C)]
#[allow(non_camel_case_types, reason = "these are the names in C")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BloomlineStatus {
    /// The call succeeded.
    BLOOMLINE_OK = 0,
    /// An argument is invalid or a null pointer. Nothing was sent.
    BLOOMLINE_ARGUMENT = 1,
    /// The manifest or specification is invalid or cannot be read.
    BLOOMLINE_DESIGN = 2,
    /// The link cannot be opened, or no device answers.
    BLOOMLINE_OPEN = 3,
    /// The device did not answer in time.
    BLOOMLINE_TIMEOUT = 4,
    /// The link failed, or an answer is invalid.
    BLOOMLINE_LINK = 5,
    /// It is unknown whether a write or an item was carried out.
    BLOOMLINE_UNCERTAIN = 6,
    /// The device rejected the access.
    BLOOMLINE_REFUSED = 7,
    /// The device does not have the given design.
    BLOOMLINE_WRONG_DEVICE = 8,
    /// This kind of filter does not have the function.
    BLOOMLINE_NOT_THERE = 9,
    /// The device is not ready, or another host interfered.
    BLOOMLINE_BUSY = 10,
    /// A snapshot file cannot be read or written, or is not a snapshot.
    BLOOMLINE_FILE = 11,
    /// The library itself failed, which is a bug in it. Close the device.
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

/// Keeps the message of an error for the calling thread.
pub(crate) fn keep(text: &str) {
    let text: Vec<u8> = text.bytes().filter(|&byte| byte != 0).collect();
    // A thread that is ending may have no place for it any more.
    let _ = LAST_ERROR.try_with(|last| {
        *last.borrow_mut() = CString::new(text).unwrap_or_default();
    });
}

/// Message of the last call of this thread that did not return BLOOMLINE_OK: what failed, where, expected and actual value, and
/// the next step. An empty string before the first failure. It belongs to the library and is valid until this thread's next call
/// that fails.
#[no_mangle]
pub extern "C" fn bloomline_last_error() -> *const c_char {
    LAST_ERROR
        .try_with(|last| last.borrow().as_c_str().as_ptr())
        .unwrap_or(c"".as_ptr())
}

/// The message, for tests of this crate.
#[cfg(test)]
pub(crate) fn last() -> String {
    LAST_ERROR.with(|last| last.borrow().to_string_lossy().into_owned())
}
