//! Packet paths and Ethernet ports as Python gives and takes them.

use crate::error::ArgumentError;
use bloomline_driver::{Part, PathSettings, PortLink};
use bloomline_spec::{FrameClass, Policy};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The class and the policy of these words.
pub fn policy(class: &str, policy: &str) -> PyResult<(FrameClass, Policy)> {
    let known = FrameClass::ALL.iter().find(|known| known.word() == class);
    let &class = known.ok_or_else(|| {
        let words: Vec<&str> = FrameClass::ALL.iter().map(|class| class.word()).collect();
        ArgumentError::new_err(format!(
            "no class of frames is called {class:?}; use one of {}",
            words.join(", ")
        ))
    })?;
    match policy.parse() {
        Ok(policy) => Ok((class, policy)),
        Err(error) => Err(ArgumentError::new_err(format!("{class}: {error}"))),
    }
}

/// What is set in a packet path.
pub fn as_dict<'py>(
    py: Python<'py>,
    part: Part,
    settings: &PathSettings,
) -> PyResult<Bound<'py, PyDict>> {
    let policies = PyDict::new(py);
    for &class in FrameClass::ALL {
        policies.set_item(class.word(), settings.policy(class).to_string())?;
    }
    let dict = PyDict::new(py);
    dict.set_item("name", part.to_string())?;
    dict.set_item("learn", settings.learn)?;
    dict.set_item("max_frame", settings.max_frame_bytes)?;
    dict.set_item("policies", policies)?;
    Ok(dict)
}

/// A link.
pub fn link_as_dict<'py>(py: Python<'py>, link: &PortLink) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("up", link.up)?;
    dict.set_item("megabits", link.megabits)?;
    dict.set_item("full_duplex", link.full_duplex)?;
    Ok(dict)
}
