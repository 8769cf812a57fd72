//! Registers by their names in the register map.

use super::register_plan::{RegisterPlan, ValueRegister};
use crate::wires::{record_fault, Fault};

/// Finds the places of registers in a [`super::RegisterFile`] by the names that the register map gives them, and notes which were asked for.
///
/// A name that the map does not have, and a register that nobody has asked for when [`RegisterNames::finish`] is called, are a [`Fault`]
/// with the names of both: printing and simulating the block end with it.
#[derive(Debug)]
pub struct RegisterNames<'p> {
    block: &'static str,
    plan: &'p RegisterPlan,
    served: Vec<&'static str>,
}

impl<'p> RegisterNames<'p> {
    /// The registers of `plan`, served by gateware called `block` in errors.
    pub fn new(block: &'static str, plan: &'p RegisterPlan) -> Self {
        RegisterNames {
            block,
            plan,
            served: Vec::new(),
        }
    }

    fn place(&mut self, registers: &[ValueRegister], name: &'static str) -> usize {
        self.served.push(name);
        let place = registers.iter().position(|register| register.name == name);
        place.unwrap_or_else(|| {
            self.fail_unknown(name);
            0
        })
    }

    fn fail_unknown(&self, register: &'static str) {
        record_fault(Fault::UnknownRegister {
            block: self.block,
            register,
        });
    }

    /// The place in `RegisterFile::value` of a register that a host writes; 0, and a fault, where there is none.
    pub fn value(&mut self, name: &'static str) -> usize {
        self.place(&self.plan.values, name)
    }

    /// The place in `RegisterFile::live` of a register that the gateware drives; 0, and a fault, where there is none.
    pub fn live(&mut self, name: &'static str) -> usize {
        self.place(&self.plan.live, name)
    }

    /// As [`RegisterNames::live`], of a register that is packed of exactly these fields.
    pub fn packed(&mut self, name: &'static str, fields: &[&'static str]) -> usize {
        let known = |field: &&'static str| self.plan.fields.contains(&(name, *field));
        if let Some(field) = fields.iter().copied().find(|field| !known(field)) {
            self.fail_unknown(field);
        }
        for (_, field) in self.plan.fields.iter().filter(|(of, _)| *of == name) {
            if !fields.contains(field) {
                record_fault(Fault::UnservedRegister {
                    block: self.block,
                    register: field,
                });
            }
        }
        self.live(name)
    }

    /// The places of the registers that a host writes and whose names begin with `prefix`; a fault where there is none.
    pub fn group(&mut self, prefix: &'static str) -> Vec<usize> {
        let registers = self.plan.values.iter().enumerate();
        let group: Vec<_> = registers
            .filter(|(_, register)| register.name.starts_with(prefix))
            .collect();
        if group.is_empty() {
            self.fail_unknown(prefix);
        }
        self.served
            .extend(group.iter().map(|(_, register)| register.name));
        group.into_iter().map(|(place, _)| place).collect()
    }

    /// Records a fault for the first register that nobody has asked for.
    pub fn finish(self) {
        let registers = self.plan.live.iter().chain(&self.plan.values);
        let missed = registers
            .map(|register| register.name)
            .find(|name| !self.served.contains(name));
        if let Some(register) = missed {
            record_fault(Fault::UnservedRegister {
                block: self.block,
                register,
            });
        }
    }
}
