//! Errors of reading a Verilog text and of running it.

use std::fmt;

/// A place in a source text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// Name of the file as given.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Errors of reading and simulating a Verilog text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The text uses a construct that the built-in simulator does not read.
    #[error("{place}: {construct} is not part of the Verilog that the built-in simulator reads; simulate this file with Verilator instead")]
    Refused {
        /// Place of the construct.
        place: Place,
        /// The construct.
        construct: String,
    },
    /// The text is not Verilog.
    #[error("{place}: expected {expected}, found {found}")]
    Syntax {
        /// Place of the unexpected token.
        place: Place,
        /// The tokens that could follow.
        expected: String,
        /// The token that follows.
        found: String,
    },
    /// The text contradicts itself: an unknown name, two drivers, a width that does not fit, a combinational loop.
    #[error("{place}: {problem}")]
    Contradiction {
        /// Place of the contradiction.
        place: Place,
        /// The broken rule, and the name that breaks it.
        problem: String,
    },
    /// No module has the name of the top module.
    #[error("no module {top} in the text; it has {available}")]
    NoTop {
        /// Name asked for.
        top: String,
        /// Names of the modules, separated by commas.
        available: String,
    },
    /// A port that was asked for does not exist.
    #[error("module {top} has no port {port}; it has {available}")]
    NoPort {
        /// Top module.
        top: String,
        /// Name asked for.
        port: String,
        /// Names of the ports, separated by commas.
        available: String,
    },
    /// A port differs from what was declared.
    #[error("module {top}: port {port} is declared as {declared}, the text has {built}")]
    PortMismatch {
        /// Top module.
        top: String,
        /// The port.
        port: String,
        /// Direction and width of the declaration.
        declared: String,
        /// Direction and width in the text.
        built: String,
    },
    /// A signal or memory that was asked for does not exist.
    #[error("design {top} has no {kind} {name}; names are paths as top.instance.signal")]
    NoSignal {
        /// Top module.
        top: String,
        /// `signal`, `register` or `memory`.
        kind: &'static str,
        /// Path asked for.
        name: String,
    },
    /// An index is beyond the last item of its kind.
    #[error("design {top}: {what} {index} does not exist; there are {count}, counted from 0")]
    Beyond {
        /// Top module.
        top: String,
        /// Kind of the item, for example `bit of the register`.
        what: &'static str,
        /// Index asked for.
        index: usize,
        /// Number of items.
        count: usize,
    },
    /// A buffer does not have the words that the ports need.
    #[error("design {top}: {what} needs {expected} words, got {got}")]
    Buffer {
        /// Top module.
        top: String,
        /// Which buffer.
        what: &'static str,
        /// Words needed.
        expected: usize,
        /// Words given.
        got: usize,
    },
    /// Clocks or resets that are made by registers keep triggering each other.
    #[error("design {top} does not settle in clock {cycle}: its derived clocks or asynchronous resets trigger each other; break that loop")]
    Unsettled {
        /// Top module.
        top: String,
        /// Clock, from 0.
        cycle: u64,
    },
    /// The many-lane engine cannot run the design.
    #[error("design {top} cannot run in lanes: {problem}; use the one-lane engine")]
    NotInLanes {
        /// Top module.
        top: String,
        /// What prevents it.
        problem: String,
    },
    /// The compiled one-lane engine is not there.
    #[error(
        "the simulator `jit` cannot run: {reason}. The simulator `built-in` runs the same designs"
    )]
    NoJit {
        /// Why, and what helps.
        reason: String,
    },
    /// The system gave no thread to elaborate in.
    #[error("cannot start a thread: {reason}")]
    Thread {
        /// The system's reason.
        reason: String,
    },
    /// A waveform could not be written.
    #[error("cannot write the waveform: {reason}")]
    Waves {
        /// The system's reason.
        reason: String,
    },
}
