//! Errors of fault injection.

/// Reasons why a text cannot be instrumented for bit flips. The effect of a flip is not an error: see [`super::Effect`].
#[derive(Debug, thiserror::Error)]
pub enum SoftErrorError {
    /// The text does not contain the memory, or not in the form that the gateware emits.
    #[error(
        "the text of {top} has no module {module} with {expected:?} in it; expected what the gateware emits for a filter's \
         memory; name a module that holds a memory"
    )]
    Memory {
        /// Top module of the text.
        top: String,
        /// The module that was to hold the memory.
        module: String,
        /// What was looked for in it.
        expected: &'static str,
    },
}
