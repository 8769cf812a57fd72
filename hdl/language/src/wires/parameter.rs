//! Numeric parameters of a block, as the back end sees them.

use super::describe::Fact;
use super::kernel::Number;
use rust_hdl::prelude::Probe;

/// Shows a number of a block to `probe`: a constant that has no width of its own unless it is a `bool`.
pub fn parameter(probe: &mut dyn Probe, name: &str, number: Number) {
    let fact = Fact {
        bits: usize::from(number.is_flag),
        ..Fact::new("number", "", &format!("{:x}", number.value))
    };
    probe.visit_atom(name, &fact);
}
