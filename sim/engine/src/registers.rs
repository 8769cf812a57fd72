//! The registers of a design.

use crate::design::Design;

/// A register of a design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegisterName<'a> {
    /// Path of the signal that holds it (`top.instance.signal`), as [`crate::Sim::flip`] and [`crate::Lanes::flip`] take it.
    pub path: &'a str,
    /// Width in bits.
    pub width: usize,
}

impl Design {
    /// Every register once, under the name that it has in the module whose process assigns it, in the order of the text. Memories are not among them.
    pub fn registers(&self) -> impl Iterator<Item = RegisterName<'_>> {
        let names = self.netlist.register_names.iter();
        names.map(|(path, width)| RegisterName {
            path,
            width: *width as usize,
        })
    }
}
