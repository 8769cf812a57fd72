//! Name and comment that a block gives its Verilog module.

use super::describe::Fact;
use rust_hdl::prelude::{Block, Logic, Probe};

/// The name of a block's module and the comment above it: a field `about: About`.
///
/// Instances that print the same text share a module. Instances of one name that print different text get `_2`, `_3`, ...
/// in the order they are first met; put the distinguishing parameter into the name to choose better.
#[derive(Clone, Debug)]
pub struct About {
    module: String,
    text: String,
}

impl About {
    /// A module called `module` (a plain Verilog identifier) described by `text`, which may have several lines.
    pub fn new(module: impl Into<String>, text: impl Into<String>) -> Self {
        About {
            module: module.into(),
            text: text.into(),
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
        probe.visit_atom(name, &Fact::new("about", &self.text, &self.module));
    }
}
