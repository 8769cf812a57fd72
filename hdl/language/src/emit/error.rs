//! Errors of the Verilog back end.

use crate::wires::Fault;
use rust_hdl::check_error::CheckError;
use thiserror::Error;

/// Where in a kernel something is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Path of the block from the top, `top.banks_0`.
    pub block: String,
    /// The statement as the kernel has it, loop indices included.
    pub statement: String,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, `{}`", self.block, self.statement)
    }
}

/// Why a design could not be printed. Nothing is printed when any part is refused.
#[derive(Debug, Error)]
pub enum EmitError {
    /// A card was asked for around a filter whose specification has none.
    #[error(
        "the specification of `{name}` has no [card]; add the section, or emit the filter alone"
    )]
    NoCard {
        /// Name of the filter.
        name: String,
    },
    /// A packet path was asked for.
    #[error(
        "the specification of `{name}` has no [packet]; add the section, or emit the card or the filter alone"
    )]
    NoPath {
        /// Name of the filter.
        name: String,
    },
    /// A line card was asked for.
    #[error(
        "the specification of `{name}` has no Ethernet ports; say packet.ports = \"rgmii\", or emit the packet path, the card or the filter alone"
    )]
    NoPorts {
        /// Name of the filter.
        name: String,
    },
    /// rust-hdl's own check of the design failed.
    #[error("the design does not pass rust-hdl's check: {0:?}; call `connect_all` on the top block first, drive every signal, write no input")]
    Check(CheckError),
    /// A value broke a rule while the design was built or its kernels' syntax trees were read.
    #[error("while the design was built: {0}")]
    Fault(#[from] Fault),
    /// Two values of different width meet.
    #[error("{place}: `{operator}` meets {left} and {right} bits; bring both to one width with `bits_to`")]
    Width {
        /// Where.
        place: Place,
        /// The operator as the kernel has it, `=` for an assignment.
        operator: String,
        /// Width of the left operand or target in bits.
        left: usize,
        /// Width of the right operand or value in bits.
        right: usize,
    },
    /// A number does not fit the width it is used at.
    #[error(
        "{place}: {number} does not fit {width} bits; widen the other operand with `bits_to` first"
    )]
    Number {
        /// Where.
        place: Place,
        /// The number.
        number: u128,
        /// The width in bits.
        width: usize,
    },
    /// Arithmetic on constants leaves the width (or range) of its operands.
    #[error("{place}: the constant expression `{expression}` overflows; use a `Const` that holds the result")]
    ConstantOverflow {
        /// Where.
        place: Place,
        /// The expression.
        expression: String,
    },
    /// A name in a kernel is no signal, constant or loop index of the block.
    #[error("{place}: `{name}` is no signal, bundle or number of this block; fields that begin with `_` are not part of the hardware")]
    UnknownName {
        /// Where.
        place: Place,
        /// The name as the kernel has it.
        name: String,
    },
    /// A construct of the kernel language that has no translation here.
    #[error("{place}: {construct} cannot be printed; {instead}")]
    Unsupported {
        /// Where.
        place: Place,
        /// What was met.
        construct: String,
        /// What to write in its place.
        instead: String,
    },
    /// A signal keeps its old value on some path through the kernel.
    #[error("{place}: `{signal}` is not assigned on every path, which would be a latch; assign a default before the first `if`")]
    Latch {
        /// The first assignment that only some paths reach.
        place: Place,
        /// The signal.
        signal: String,
    },
    /// A signal is read before the kernel has assigned it.
    #[error("{place}: `{signal}` is read before it is assigned; the simulation would use its value of the pass before, Verilog would not; move the assignment up")]
    ReadBeforeWrite {
        /// The reading statement.
        place: Place,
        /// The signal.
        signal: String,
    },
    /// The input of a sub-block is read back though it is assigned several times.
    #[error("{place}: the sub-block input `{signal}` is read back, which gives its final value in simulation but an intermediate one in Verilog; keep the value in a local signal")]
    InputReadBack {
        /// The reading statement.
        place: Place,
        /// The signal.
        signal: String,
    },
    /// Something is assigned that a kernel does not drive.
    #[error("{place}: `{signal}` is {role} and cannot be assigned; assign outputs, locals and inputs of sub-blocks")]
    NotAssignable {
        /// Where.
        place: Place,
        /// The signal.
        signal: String,
        /// What it is.
        role: String,
    },
    /// A clock is computed instead of connected.
    #[error(
        "{place}: the clock `{signal}` must be connected to a clock, once and outside any `if`"
    )]
    ClockLogic {
        /// Where.
        place: Place,
        /// The clock input.
        signal: String,
    },
    /// A signal has a type the back end does not know.
    #[error("{block}: `{signal}` has type {type_name}; use `Bus`, `Wire`, `WideBus`, `Const` or `Signal<_, Clock>`")]
    UnknownType {
        /// Path of the block.
        block: String,
        /// The signal.
        signal: String,
        /// rust-hdl's name of the type.
        type_name: String,
    },
    /// A block has no kernel and no Verilog of its own.
    #[error(
        "{block}: the block has {hdl}; give it an `#[hdl_gen]` kernel or `Verilog::Custom` text"
    )]
    NoKernel {
        /// Path of the block.
        block: String,
        /// What its `hdl()` returned.
        hdl: String,
    },
    /// A module or signal name Verilog does not accept.
    #[error("{block}: `{name}` is not a plain identifier (letters, digits and `_`, no digit first, no keyword)")]
    BadName {
        /// Path of the block.
        block: String,
        /// The name.
        name: String,
    },
}
