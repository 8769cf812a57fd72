//! Conversion of a specification given in Python to a planned filter.

use crate::error::{raise as raise_driver, ArgumentError, BloomlineError, DesignError, FileError};
use bloomline_toolkit::{Error, Filter};
use bloomline_verify::VerifyError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::path::{Path, PathBuf};

/// Name that errors show for a specification given as text.
const TEXT: &str = "specification";

/// A specification: the path of a TOML file, or its text (a `str` of more than one line).
pub fn read(py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Filter> {
    let text = value.cast::<PyString>().ok();
    let text = text
        .map(|text| text.to_str().map(str::to_owned))
        .transpose()
        .map_err(|error| {
            ArgumentError::new_err(format!(
                "spec: the text is not valid UTF-8: {error}; give the text of a specification"
            ))
        })?;
    match text.filter(|text| text.contains('\n')) {
        Some(text) => py.detach(|| Filter::from_text(Path::new(TEXT), text).map_err(Box::new)),
        None => {
            let file = path(value)?;
            py.detach(|| Filter::read(&file).map_err(Box::new))
        }
    }
    .map_err(|error| raise(*error))
}

/// A path, in any form that Python has for one.
pub fn path(value: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    value.extract().map_err(|_| {
        ArgumentError::new_err(format!(
            "spec = {value}: give the path of a specification, or its text"
        ))
    })
}

/// The exception for an error of the library under the command.
pub fn raise(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::Connect(error) => raise_driver(*error),
        Error::Folder(_) => {
            let text = text.replacen("--out", "out", 1);
            FileError::new_err(text.replace("add --force", "give force=True"))
        }
        Error::Report(_) | Error::Write { .. } | Error::Stimulus(_) | Error::Requests { .. } => {
            FileError::new_err(text)
        }
        Error::Verify(error) => match *error {
            VerifyError::Stimulus(_)
            | VerifyError::Key { .. }
            | VerifyError::NoKeys { .. }
            | VerifyError::NoRecords { .. } => FileError::new_err(text),
            _ => BloomlineError::new_err(text),
        },
        Error::Emit(_) | Error::AreaText { .. } | Error::AreaTable { .. } | Error::Json(_) => {
            BloomlineError::new_err(text)
        }
        _ => DesignError::new_err(text),
    }
}

/// A value as Python's own types, by way of JSON.
pub fn as_python<'py>(
    py: Python<'py>,
    value: &impl serde::Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    let text =
        serde_json::to_string(value).map_err(|error| DesignError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}
