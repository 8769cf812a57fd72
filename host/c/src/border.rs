//! What every call does at the border to C.

use crate::status::{keep, BloomlineStatus};
use bloomline_driver::{
    Classed, ConnectError, DesignError, DriverError, ErrorClass, SnapshotError,
};
use bloomline_spec::KeyError;
use std::ffi::{c_char, CStr};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;

/// Why a call did not do what it was to do.
pub(crate) struct Failure {
    class: ErrorClass,
    text: String,
}

impl Failure {
    /// The caller's mistake.
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

/// Runs a call: its failure becomes a status and the thread's last error, and so does a panic.
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

/// What a pointer of the caller leads to.
///
/// # Safety
/// `pointer` is null or leads to a `T` that lives and is not written to for `'a`.
pub(crate) unsafe fn shared<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(name))
}

/// Writes where a pointer of the caller leads to.
///
/// # Safety
/// `pointer` is null or leads to room for a `T`.
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

/// Fails for a null pointer, before anything is done that it should be told of.
pub(crate) fn present<T>(pointer: *const T, name: &str) -> Result<(), Failure> {
    match pointer.is_null() {
        true => Err(null(name)),
        false => Ok(()),
    }
}

/// `length` things from `pointer` on; none, with any pointer, where the length is 0.
///
/// # Safety
/// As [`shared`], for so many.
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

/// The caller's text.
///
/// # Safety
/// `pointer` is null or leads to bytes that end in 0 and are not written to for `'a`.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Failure> {
    present(pointer, name)?;
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str()
        .map_err(|_| Failure::argument(format!("{name} is no UTF-8; give UTF-8")))
}

/// The caller's path.
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
