//! Vector registers for the values of a clock, and the machine code.
//!
//! The order is known, so the value whose next use is furthest gives way (Belady, IBM Systems Journal 5(2), 1966). Between two pieces
//! of machine code, where memories are read and written, values lie in slots.

use super::encode::{Bitwise, Encoder, Operand};
use super::lower::Lowered;
use super::net::{Node, Plane, NONE};
use super::{Batch, Gate, GateProgram, Lookup, ReadCode, Slots, WriteCode};
use crate::machine::Machine;

/// A step of a clock, in order.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item {
    /// Computes the gate of a plane.
    Gate(Plane),
    /// Reads a leaf as the value `value`, which stays when the leaf's slot is overwritten.
    Load { value: Plane, leaf: Plane },
    /// Writes a value to a slot.
    Store { slot: u32, value: Plane },
    /// A lookup, read or write.
    Special { gate: Gate, index: u32 },
}

/// Registers for values; the last holds ones.
const REGISTERS: usize = 15;
const ONES: u8 = 15;
/// A leaf that is read again within so many steps is kept in a register.
const SOON: u32 = 40;
const NEVER: u32 = u32::MAX;

struct Allocator<'l> {
    lowered: &'l Lowered,
    slots: Slots,
    /// Steps that read each value, the next one last.
    uses: Vec<Vec<u32>>,
    register_of: Vec<Option<u8>>,
    held: [Option<Plane>; REGISTERS],
    /// Slots for values that have none of their own.
    free: Vec<u32>,
    borrowed: Vec<bool>,
    words: usize,
    encoder: Encoder,
    empty: bool,
    pieces: Vec<Vec<u8>>,
}

/// Makes the program of a sequence of steps.
pub(super) fn allocate(
    lowered: &Lowered,
    slots: Slots,
    items: &[Item],
    words: usize,
) -> Option<GateProgram> {
    let values = slots.of.len();
    let mut allocator = Allocator {
        uses: uses(lowered, items, values),
        register_of: vec![None; values],
        held: [None; REGISTERS],
        free: vec![],
        borrowed: vec![false; values],
        encoder: encoder(words),
        empty: true,
        pieces: vec![],
        lowered,
        slots,
        words,
    };
    let (mut batches, mut code): (Vec<Batch>, Vec<[u32; 4]>) = (vec![], vec![]);
    let mut put = |gate: Gate, index: u32| {
        let at = code.len() as u32;
        code.push([index, 0, 0, 0]);
        match batches.last_mut() {
            Some(batch) if batch.gate == gate => batch.to += 1,
            _ => batches.push(Batch {
                gate,
                from: at,
                to: at + 1,
            }),
        }
    };
    let mut lookups: Vec<Lookup> = lowered.lookups.clone();
    let mut reads: Vec<ReadCode> = lowered.reads.clone();
    let mut writes: Vec<WriteCode> = lowered.writes.clone();
    for (at, &item) in (0u32..).zip(items) {
        match item {
            Item::Gate(plane) => allocator.gate(plane, at),
            Item::Load { value, leaf } => {
                let register = allocator.in_register(leaf, at, &[]);
                allocator.used(leaf, at);
                // What reads the leaf later reads its slot.
                if let Some(old) = allocator.register_of[leaf as usize].take() {
                    allocator.held[old as usize] = None;
                }
                allocator.hold(value, register);
            }
            Item::Store { slot, value } => {
                let register = allocator.in_register(value, at, &[]);
                allocator.encoder.store(slot, register);
                allocator.used(value, at);
            }
            Item::Special { gate, index } => {
                if allocator.flush() {
                    put(Gate::Machine, allocator.pieces.len() as u32 - 1);
                }
                let i = index as usize;
                match gate {
                    Gate::Address => {
                        let planes = &lowered.lookups[i].address;
                        lookups[i].address = allocator.slots.list(planes);
                    }
                    Gate::Read => {
                        let planes = &lowered.reads[i].data;
                        for plane in planes {
                            allocator.home(*plane);
                        }
                        reads[i].data = allocator.slots.list(planes);
                    }
                    _ => {
                        let (write, slots) = (&lowered.writes[i], &allocator.slots);
                        writes[i].enable = slots.of[write.enable as usize];
                        writes[i].address = slots.list(&write.address);
                        writes[i].data = write.data.iter().map(|l| slots.list(l)).collect();
                    }
                }
                let planes = operands(lowered, gate, i);
                put(gate, index);
                planes.into_iter().for_each(|p| allocator.used(p, at));
            }
        }
    }
    if allocator.flush() {
        put(Gate::Machine, allocator.pieces.len() as u32 - 1);
    }
    let machine = Machine::new(&allocator.pieces).ok()?;
    let Slots {
        top,
        inputs,
        registers,
        outputs,
        ..
    } = allocator.slots;
    Some(GateProgram {
        slots: top as usize,
        code,
        batches,
        lookups,
        reads,
        writes,
        stores: lowered.stores.clone(),
        homes: lowered.homes.clone(),
        late: vec![],
        registers,
        inputs,
        outputs,
        machine: Some(machine),
        passes: None,
    })
}

fn encoder(words: usize) -> Encoder {
    let mut encoder = Encoder::new(words >= 4, 8 * words as u32);
    encoder.ones(ONES);
    encoder
}

/// Planes that a lookup or write reads.
fn operands(lowered: &Lowered, gate: Gate, index: usize) -> Vec<Plane> {
    match gate {
        Gate::Address => lowered.lookups[index].address.clone(),
        Gate::Write => {
            let write = &lowered.writes[index];
            let parts = [
                vec![write.enable],
                write.address.clone(),
                write.data.concat(),
            ];
            parts.concat()
        }
        _ => vec![],
    }
}

/// Steps that read each value, the first one last.
fn uses(lowered: &Lowered, items: &[Item], values: usize) -> Vec<Vec<u32>> {
    let mut uses: Vec<Vec<u32>> = vec![vec![]; values];
    for (at, item) in items.iter().enumerate().rev() {
        let at = at as u32;
        let planes: Vec<Plane> = match *item {
            Item::Gate(plane) => lowered.net.nodes[plane as usize].operands().collect(),
            Item::Load { leaf, .. } => vec![leaf],
            Item::Store { value, .. } => vec![value],
            Item::Special { gate, index } => operands(lowered, gate, index as usize),
        };
        for plane in planes {
            let list = &mut uses[plane as usize];
            if list.last() != Some(&at) {
                list.push(at);
            }
        }
    }
    uses
}

impl Allocator<'_> {
    fn next_use(&self, value: Plane) -> u32 {
        self.uses[value as usize].last().copied().unwrap_or(NEVER)
    }

    /// Slot of a value, which it gets if it has none.
    fn home(&mut self, value: Plane) -> u32 {
        let at = value as usize;
        if self.slots.of[at] == NONE {
            self.slots.of[at] = self.free.pop().unwrap_or_else(|| self.slots.fresh());
            self.borrowed[at] = true;
        }
        self.slots.of[at]
    }

    fn hold(&mut self, value: Plane, register: u8) {
        self.held[register as usize] = Some(value);
        self.register_of[value as usize] = Some(register);
    }

    /// Step `at` has read a value: after its last use it gives back register and slot.
    fn used(&mut self, value: Plane, at: u32) {
        let uses = &mut self.uses[value as usize];
        if uses.last() == Some(&at) {
            uses.pop();
        }
        if !uses.is_empty() {
            return;
        }
        if let Some(register) = self.register_of[value as usize].take() {
            self.held[register as usize] = None;
        }
        if self.borrowed[value as usize] {
            self.borrowed[value as usize] = false;
            self.free.push(self.slots.of[value as usize]);
        }
    }

    /// A register without a value; the values in `keep` stay.
    fn take_register(&mut self, keep: &[Plane]) -> u8 {
        if let Some(free) = self.held.iter().position(Option::is_none) {
            return free as u8;
        }
        let next = |value: Plane| match keep.contains(&value) {
            true => 0,
            false => self.next_use(value),
        };
        let held = self.held.iter().enumerate();
        let furthest = held.filter_map(|(r, value)| Some((next((*value)?), r)));
        let (_, register) = furthest.max().unwrap_or_default();
        self.spill(register as u8);
        register as u8
    }

    /// Frees a register; its value gets a slot if it has none.
    fn spill(&mut self, register: u8) {
        let Some(value) = self.held[register as usize].take() else {
            return;
        };
        self.register_of[value as usize] = None;
        if self.slots.of[value as usize] == NONE {
            let slot = self.home(value);
            self.encoder.store(slot, register);
        }
    }

    /// A register with a value; one that is not read again soon is not remembered.
    fn in_register(&mut self, value: Plane, at: u32, keep: &[Plane]) -> u8 {
        self.empty = false;
        if let Some(register) = self.register_of[value as usize] {
            return register;
        }
        let register = self.take_register(keep);
        let slot = self.home(value);
        self.encoder.load(register, slot);
        let _ = at;
        self.hold(value, register);
        register
    }

    /// A value where it is, or in a register if it is read again soon.
    fn operand(&mut self, value: Plane, at: u32, keep: &[Plane]) -> Operand {
        if let Some(register) = self.register_of[value as usize] {
            return Operand::Register(register);
        }
        let uses = &self.uses[value as usize];
        let after = uses.iter().rev().find(|u| **u > at).copied();
        if after.is_some_and(|next| next - at < SOON) {
            return Operand::Register(self.in_register(value, at, keep));
        }
        Operand::Slot(self.home(value))
    }

    fn gate(&mut self, plane: Plane, at: u32) {
        let Node { gate, a, b, c } = self.lowered.net.nodes[plane as usize];
        let operands: Vec<Plane> = self.lowered.net.nodes[plane as usize].operands().collect();
        use Bitwise::{And, AndNot, Or, Xor};
        // The first operation's result goes to `to`, which takes the second one, and so on.
        let to = match gate {
            Gate::Not => {
                let source = self.operand(a, at, &operands);
                let to = self.result(&operands, at);
                self.encoder.bitwise(Xor, to, ONES, source);
                to
            }
            // a & !b: the instruction inverts its first source.
            Gate::AndNot => self.binary(AndNot, b, a, &operands, at),
            Gate::And => self.binary(And, a, b, &operands, at),
            Gate::Or => self.binary(Or, a, b, &operands, at),
            Gate::Xor => self.binary(Xor, a, b, &operands, at),
            Gate::And3 => self.chain([And, And], [a, b, c], &operands, at),
            Gate::Or3 => self.chain([Or, Or], [a, b, c], &operands, at),
            Gate::Xor3 => self.chain([Xor, Xor], [a, b, c], &operands, at),
            Gate::AndOr => self.chain([And, Or], [a, b, c], &operands, at),
            Gate::OrAnd => self.chain([Or, And], [a, b, c], &operands, at),
            Gate::AndXor => self.chain([And, Xor], [a, b, c], &operands, at),
            // b ? ..: otherwise ^ (condition & (then ^ otherwise))
            Gate::Choose => {
                let last = self.operand(c, at, &operands);
                let condition = self.operand(a, at, &operands);
                let to = self.binary(Xor, b, c, &operands, at);
                self.encoder.bitwise(And, to, to, condition);
                self.encoder.bitwise(Xor, to, to, last);
                to
            }
            _ => 0,
        };
        for operand in operands {
            self.used(operand, at);
        }
        self.hold(plane, to);
    }

    /// A register for a result, while the operands stay where they are.
    fn result(&mut self, operands: &[Plane], _at: u32) -> u8 {
        self.empty = false;
        self.take_register(operands)
    }

    fn binary(
        &mut self,
        operation: Bitwise,
        first: Plane,
        second: Plane,
        operands: &[Plane],
        at: u32,
    ) -> u8 {
        let (mut first, mut second) = (first, second);
        let in_register = |allocator: &Self, v: Plane| allocator.register_of[v as usize].is_some();
        if operation.commutes() && !in_register(self, first) && in_register(self, second) {
            (first, second) = (second, first);
        }
        let source = self.operand(second, at, operands);
        let first = self.in_register(first, at, operands);
        let to = self.result(operands, at);
        self.encoder.bitwise(operation, to, first, source);
        to
    }

    /// `second(first(a, b), c)`; the operations of the second kind commute.
    fn chain(
        &mut self,
        [first, second]: [Bitwise; 2],
        [a, b, c]: [Plane; 3],
        operands: &[Plane],
        at: u32,
    ) -> u8 {
        let last = self.operand(c, at, operands);
        let to = self.binary(first, a, b, operands, at);
        self.encoder.bitwise(second, to, to, last);
        to
    }

    /// Ends a piece of code, with all values in slots. False if there is none.
    fn flush(&mut self) -> bool {
        for register in 0..REGISTERS as u8 {
            self.spill(register);
        }
        if self.empty {
            return false;
        }
        self.empty = true;
        let piece = std::mem::replace(&mut self.encoder, encoder(self.words));
        self.pieces.push(piece.finish());
        true
    }
}
