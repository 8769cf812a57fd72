//! Checks at the C interface: null pointers, text encoding, panics, error status.

use crate::status::{keep, BloomlineStatus};
use bloomline_driver::{
    Classed, ConnectError, DesignError, DriverError, ErrorClass, SnapshotError,
};
use bloomline_spec::KeyError;
use std::ffi::{c_char, CStr};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;

/// Reason for the failure of a call.
pub(crate) struct Failure {
    class: ErrorClass,
    text: String,
}

impl Failure {
    /// An invalid argument.
    pub(crate) fn argument(text: String) -> Failure {
        Failure {
            class: ErrorClass::Argument,
            text,
        }
    }
}

macro_rules! failure_from {
    ($($error:ty),+) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure { class: error.class(), text: error.to_string() }
            }
        })+
    };
}

failure_from!(
    ConnectError,
    DesignError,
    DriverError,
    KeyError,
    SnapshotError
);

/// Runs a call. A failure or a panic becomes a status and the thread's last error.
pub(crate) fn call(run: impl FnOnce() -> Result<(), Failure>) -> BloomlineStatus {
    // What a panic leaves behind is behind locks that let go of it, or is the caller's, who is told not to look.
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(())) => BloomlineStatus::BLOOMLINE_OK,
        Ok(Err(failure)) => {
            keep(&failure.text);
            failure.class.into()
        }
        Err(payload) => {
            let said = payload
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| payload.downcast_ref::<&str>().copied());
            keep(&format!(
                "the library failed ({}); please report this, with the call",
                said.unwrap_or("no text")
            ));
            BloomlineStatus::BLOOMLINE_PANIC
        }
    }
}

fn null(name: &str) -> Failure {
    Failure::argument(format!("{name} is a null pointer; give one that is not"))
}

/// Dereferences a pointer of the caller for reading.
///
/// # Safety
/// `pointer` is null or points to a `T` that is valid and not written to for `'a`.
pub(crate) unsafe fn shared<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(name))
}

/// Writes through a pointer of the caller.
///
/// # Safety
/// `pointer` is null or points to memory for a `T`.
pub(crate) unsafe fn write<T>(pointer: *mut T, name: &str, value: T) -> Result<(), Failure> {
    match pointer.is_null() {
        true => Err(null(name)),
        false => {
            // SAFETY: the caller's promise. What stood there is not dropped: it may be nothing yet.
            unsafe { pointer.write(value) };
            Ok(())
        }
    }
}

/// Rejects a null output pointer before the call has any effect.
pub(crate) fn present<T>(pointer: *const T, name: &str) -> Result<(), Failure> {
    match pointer.is_null() {
        true => Err(null(name)),
        false => Ok(()),
    }
}

/// The `length` values from `pointer` on. With length 0 the slice is empty and the pointer is not looked at.
///
/// # Safety
/// As [`shared`], for `length` values.
pub(crate) unsafe fn many<'a, T>(
    pointer: *const T,
    length: usize,
    name: &str,
) -> Result<&'a [T], Failure> {
    if length == 0 {
        return Ok(&[]);
    }
    present(pointer, name)?;
    // SAFETY: the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// A string of the caller, which must be UTF-8.
///
/// # Safety
/// `pointer` is null or points to bytes that end with a 0 and are not written to for `'a`.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Failure> {
    present(pointer, name)?;
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str()
        .map_err(|_| Failure::argument(format!("{name} is no UTF-8; give UTF-8")))
}

/// A path of the caller.
///
/// # Safety
/// As [`text`].
pub(crate) unsafe fn path<'a>(pointer: *const c_char, name: &str) -> Result<&'a Path, Failure> {
    // SAFETY: the caller's promise.
    unsafe { text(pointer, name) }.map(Path::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::last;

    #[test]
    fn a_panic_becomes_a_status_and_a_text() {
        let status = call(|| panic!("word {}", 7));
        assert_eq!(status, BloomlineStatus::BLOOMLINE_PANIC);
        assert!(last().contains("word 7"), "{}", last());
        let status = call(|| panic!("seven"));
        assert_eq!(status, BloomlineStatus::BLOOMLINE_PANIC);
        assert!(last().contains("seven"), "{}", last());
    }

    #[test]
    fn a_text_with_a_zero_in_it_is_kept_without() {
        assert_eq!(
            call(|| Err(Failure::argument("a\0b".to_owned()))),
            BloomlineStatus::BLOOMLINE_ARGUMENT
        );
        assert_eq!(last(), "ab");
    }
}
