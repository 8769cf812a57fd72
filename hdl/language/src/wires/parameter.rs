//! Numeric parameters of a block, as the back end sees them.

use super::describe::Description;
use super::kernel::Number;
use rust_hdl::prelude::{
    Atom, AtomKind, PinConstraint, Probe, TypeDescriptor, VCDValue, VerilogLiteral,
};

/// A field that is a number, shown as a constant that has no width of its own unless it is a `bool`.
struct Parameter(Number);

/// Shows a number of a block to `probe`.
pub fn parameter(probe: &mut dyn Probe, name: &str, number: Number) {
    probe.visit_atom(name, &Parameter(number));
}

impl Atom for Parameter {
    fn bits(&self) -> usize {
        usize::from(self.0.is_flag)
    }

    fn connected(&self) -> bool {
        true
    }

    fn changed(&self) -> bool {
        false
    }

    fn kind(&self) -> AtomKind {
        AtomKind::Constant
    }

    fn descriptor(&self) -> TypeDescriptor {
        Description {
            type_name: "number".into(),
            doc: String::new(),
            value: format!("{:x}", self.0.value),
        }
        .pack()
    }

    fn vcd(&self) -> VCDValue {
        VCDValue::Vector(vec![])
    }

    fn id(&self) -> usize {
        0
    }

    fn verilog(&self) -> VerilogLiteral {
        false.into()
    }

    fn constraints(&self) -> Vec<PinConstraint> {
        vec![]
    }
}
