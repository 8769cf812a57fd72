//! Numeric parameters of a block, as the back end sees them.

use super::describe::{Fact, NUMBERS, SEPARATOR};
use super::kernel::Number;
use rust_hdl::prelude::Probe;
use std::fmt::Write;

/// Shows a number of a block to `probe`: a constant that has no width of its own unless it is a `bool`.
pub fn parameter(probe: &mut dyn Probe, name: &str, number: Number) {
    let fact = Fact {
        bits: usize::from(number.is_flag),
        ..Fact::new("number", "", &format!("{:x}", number.value))
    };
    probe.visit_atom(name, &fact);
}

/// Shows a list of numbers likewise, as one atom: memories have as many as words.
pub fn parameters(probe: &mut dyn Probe, name: &str, numbers: impl Iterator<Item = Number>) {
    let mut text = String::new();
    let mut is_flag = false;
    for number in numbers {
        is_flag = number.is_flag;
        if !text.is_empty() {
            text.push(SEPARATOR);
        }
        match number.value {
            0 => text.push('0'),
            value => write!(text, "{value:x}").expect("a string takes all"),
        }
    }
    if text.is_empty() {
        return;
    }
    let fact = Fact {
        bits: usize::from(is_flag),
        ..Fact::new(NUMBERS, "", &text)
    };
    probe.visit_atom(name, &fact);
}
