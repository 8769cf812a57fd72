//! Seeded faults: edits of the emitted Verilog that a test must detect.
//!
//! A [`Fault`] replaces a piece of text that occurs exactly once in its module. [`choose`] puts any number of faults into one text, of which a
//! simulation has none, one or, in lanes, a different one in every lane. [`with_fault`] is the text with one fault alone.

mod choice;

use serde::Deserialize;
use std::borrow::Cow;
use std::ops::Range;

pub use choice::{choose, site, Selection};

/// An edit of the emitted text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// What it breaks.
    pub name: Cow<'static, str>,
    /// The module it is in.
    pub module: Cow<'static, str>,
    /// Text that occurs once there.
    #[serde(rename = "find")]
    pub from: Cow<'static, str>,
    /// What takes its place.
    #[serde(rename = "replace")]
    pub to: Cow<'static, str>,
}

/// An edit.
pub const fn fault(
    name: &'static str,
    module: &'static str,
    from: &'static str,
    to: &'static str,
) -> Fault {
    Fault {
        name: Cow::Borrowed(name),
        module: Cow::Borrowed(module),
        from: Cow::Borrowed(from),
        to: Cow::Borrowed(to),
    }
}

/// Why a fault cannot be put into a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultError {
    /// The text has no such module.
    #[error("fault {fault:?}: the text has no module {module}; name a module of the emitted text")]
    NoModule {
        /// Name of the fault.
        fault: String,
        /// The module.
        module: String,
    },
    /// Its text is not there, or there more than once, or is what would replace it.
    #[error("fault {fault:?}: {from:?} must occur once in module {module} and differ from its replacement, but occurs {count} times; copy it from the text as emitted now")]
    NotOnce {
        /// Name of the fault.
        fault: String,
        /// The module.
        module: String,
        /// The text.
        from: String,
        /// How often it occurs.
        count: usize,
    },
    /// It changes more than one expression or some whole statements.
    #[error("fault {fault:?}: {line:?} holds an expression of which more than a part is changed; change an expression, or whole statements")]
    NotAnExpression {
        /// Name of the fault.
        fault: String,
        /// The line it begins in.
        line: String,
    },
    /// Two faults are in texts that overlap without being the same.
    #[error("fault {fault:?} is in a text that overlaps that of another fault; put it into a table of its own")]
    Overlap {
        /// Name of the fault.
        fault: String,
    },
}

/// Where the text of a module is, from its head to its end.
fn module_span(text: &str, fault: &Fault) -> Result<Range<usize>, FaultError> {
    let head = format!("\nmodule {} ", fault.module);
    let span = || {
        let start = text.find(&head)?;
        let length = text[start..].find("\nendmodule\n")?;
        Some(start..start + length)
    };
    span().ok_or_else(|| FaultError::NoModule {
        fault: fault.name.to_string(),
        module: fault.module.to_string(),
    })
}

/// Where the fault's text is.
fn fault_span(text: &str, fault: &Fault) -> Result<Range<usize>, FaultError> {
    let span = module_span(text, fault)?;
    let body = &text[span.clone()];
    let count = body.matches(&*fault.from).count();
    match body.find(&*fault.from) {
        Some(at) if count == 1 && fault.from != fault.to => {
            let start = span.start + at;
            Ok(start..start + fault.from.len())
        }
        _ => Err(FaultError::NotOnce {
            fault: fault.name.to_string(),
            module: fault.module.to_string(),
            from: fault.from.to_string(),
            count,
        }),
    }
}

/// `text` with the edit in its module.
///
/// # Errors
/// [`FaultError`] when the fault's text does not occur once there.
pub fn with_fault(text: &str, fault: &Fault) -> Result<String, FaultError> {
    let span = fault_span(text, fault)?;
    let mut text = text.to_owned();
    text.replace_range(span, &fault.to);
    Ok(text)
}

/// The module of the fault alone, with the fault in it and under another name.
///
/// # Errors
/// As [`with_fault`].
pub fn module_with_fault(text: &str, fault: &Fault, name: &str) -> Result<String, FaultError> {
    let text = with_fault(text, fault)?;
    let span = module_span(&text, fault)?;
    let body = text[span].split_once(" (").map_or("", |(_, body)| body);
    Ok(format!("\nmodule {name} ({body}\nendmodule\n"))
}
