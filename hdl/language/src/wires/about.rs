//! Name and comment that a block gives its Verilog module.

use super::describe::Description;
use rust_hdl::prelude::{
    Atom, AtomKind, Block, Logic, PinConstraint, Probe, TypeDescriptor, VCDValue, VerilogLiteral,
};
use rust_hdl::signal::get_signal_id;

/// The name of a block's module and the comment above it: a field `about: About`.
///
/// Instances that print the same text share a module. Instances of one name that print different text get `_2`, `_3`, ...
/// in the order they are first met; put the distinguishing parameter into the name to choose better.
#[derive(Clone, Debug)]
pub struct About {
    module: String,
    text: String,
    id: usize,
}

impl About {
    /// A module called `module` (a plain Verilog identifier) described by `text`, which may have several lines.
    pub fn new(module: impl Into<String>, text: impl Into<String>) -> Self {
        About {
            module: module.into(),
            text: text.into(),
            id: get_signal_id(),
        }
    }
}

impl Logic for About {
    fn update(&mut self) {}
}

impl Block for About {
    fn connect_all(&mut self) {}

    #[inline(always)]
    fn update_all(&mut self) {}

    #[inline(always)]
    fn has_changed(&self) -> bool {
        false
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_atom(name, self);
    }
}

impl Atom for About {
    fn bits(&self) -> usize {
        0
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
            type_name: "about".into(),
            doc: self.text.clone(),
            value: self.module.clone(),
        }
        .pack()
    }

    fn vcd(&self) -> VCDValue {
        VCDValue::Vector(vec![])
    }

    fn id(&self) -> usize {
        self.id
    }

    fn verilog(&self) -> VerilogLiteral {
        false.into()
    }

    fn constraints(&self) -> Vec<PinConstraint> {
        vec![]
    }
}
