//! Errors of fault injection.

/// Why bits could not be flipped. What a flipped bit does is no error.
#[derive(Debug, thiserror::Error)]
pub enum SoftErrorError {
    /// The text has not the memory that was asked for, or it does not read as expected.
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
