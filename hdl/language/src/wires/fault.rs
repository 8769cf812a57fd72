//! Mistakes in kernels that only show when values meet: recorded where they happen, reported by whoever runs the block.

use std::cell::Cell;
use thiserror::Error;

/// A rule of the value types that a kernel broke.
///
/// The operators cannot return a `Result` (kernels are plain Rust expressions), so the first fault on a thread is kept
/// until [`take_fault`] collects it; [`super::sim::NativeSim`] and [`crate::emit::verilog`] do so and return it as an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// Gateware asks for a register, or a field of one, that the register map does not have.
    #[error("the gateware of the `{block}` serves `{register}`, which its register map does not have; add it to the map, or ask for one that is there")]
    UnknownRegister {
        /// What serves the registers.
        block: &'static str,
        /// The register or field.
        register: &'static str,
    },
    /// The register map has a register, or a field of one, that no gateware serves.
    #[error("the register map has `{register}`, which the gateware of the `{block}` does not serve; serve it, or take it out of the map")]
    UnservedRegister {
        /// What serves the registers.
        block: &'static str,
        /// The register or field.
        register: &'static str,
    },
    /// Two values of different width met in an operator.
    #[error("`{operator}` met values of {left} and {right} bits; bring both to one width with `bits_to`")]
    WidthMismatch {
        /// The operator as written.
        operator: &'static str,
        /// Width of the left operand in bits.
        left: usize,
        /// Width of the right operand in bits.
        right: usize,
    },
    /// An integer operand does not fit the value's width.
    #[error("the number {number} in `{operator}` does not fit {width} bits; widen the value with `bits_to` first")]
    NumberTooWide {
        /// The operator as written.
        operator: &'static str,
        /// The number.
        number: u128,
        /// Width of the other operand in bits.
        width: usize,
    },
    /// A signal was assigned a value of another width.
    #[error("a signal of {signal} bits was assigned a value of {value} bits; use `bits_to`")]
    AssignmentWidth {
        /// Width of the signal in bits.
        signal: usize,
        /// Width of the value in bits.
        value: usize,
    },
    /// A width outside what the type can hold.
    #[error("a width of {width} bits was asked for, {most} is the most a value of this type holds and 1 the least")]
    Width {
        /// The width asked for.
        width: usize,
        /// The greatest width of the type.
        most: usize,
    },
}

thread_local! {
    static FIRST: Cell<Option<Fault>> = const { Cell::new(None) };
}

/// Keeps `fault` unless an earlier one waits to be collected.
#[cold]
#[inline(never)]
pub fn record(fault: Fault) {
    FIRST.with(|first| {
        if first.get().is_none() {
            first.set(Some(fault));
        }
    });
}

/// Returns and clears the first fault recorded on this thread.
pub fn take_fault() -> Option<Fault> {
    FIRST.with(Cell::take)
}
