//! The many-lane engine's program: gates on planes of one bit a lane.
//!
//! [`lower`] turns the words of the netlist into bits. Two back ends order the gates and give them slots: [`batches`] for any
//! processor, as batches of one kind, and [`native`] as machine code for x86-64 with AVX2.

mod allocate;
mod batches;
mod clocks;
mod encode;
mod lower;
mod native;
pub(crate) mod net;
pub(crate) mod order;

use crate::machine::Machine;
use lower::Lowered;
use net::{Plane, NONE};
use std::collections::HashMap;

pub(crate) use batches::batches;
pub(crate) use clocks::passes;
pub(crate) use lower::lower;
pub(crate) use native::native;

/// The operation of a gate on its inputs `a`, `b` and `c`, or another step of a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Gate {
    /// No gate: a constant, an input, a register or a bit that a memory gives.
    Leaf,
    Copy,
    Not,
    And,
    /// `a & !b`.
    AndNot,
    Or,
    Xor,
    /// `a ? b : c`.
    Choose,
    And3,
    Or3,
    Xor3,
    /// `(a & b) | c`.
    AndOr,
    /// `(a | b) & c`.
    OrAnd,
    /// `(a & b) ^ c`.
    AndXor,
    /// Addresses of lookup `a` from planes to words.
    Address,
    /// Words of lookup `a` from memory to planes.
    Read,
    /// Write `a`.
    Write,
    /// Piece `a` of the machine code.
    Machine,
}
const KINDS: usize = Gate::Machine as usize + 1;

/// A store's addresses, and words at each.
type Store = (usize, usize);

/// Store of a memory, and which of the store's words at an address is the memory's first.
type Home = (u32, u32);

/// A gate with its slots: the result, then the inputs.
pub(crate) type GateCode = [u32; 4];

/// Gates of one kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Batch {
    pub gate: Gate,
    pub from: u32,
    pub to: u32,
}

/// The address of one or more reads.
#[derive(Debug, Clone)]
pub(crate) struct Lookup {
    pub store: u32,
    pub address: Vec<u32>,
}

/// A read of a memory.
#[derive(Debug, Clone)]
pub(crate) struct ReadCode {
    pub store: u32,
    /// Index of the word among those of the store at an address.
    pub word: u32,
    /// The lookup with its addresses.
    pub lookup: u32,
    pub data: Vec<u32>,
}

/// A write of a memory.
#[derive(Debug, Clone)]
pub(crate) struct WriteCode {
    pub store: u32,
    /// Index of the first word among those of the store at an address.
    pub word: u32,
    pub enable: u32,
    pub address: Vec<u32>,
    /// The planes of each limb.
    pub data: Vec<Vec<u32>>,
}

/// A program with slots.
#[derive(Debug)]
pub(crate) struct GateProgram {
    pub slots: usize,
    pub code: Vec<GateCode>,
    pub batches: Vec<Batch>,
    pub lookups: Vec<Lookup>,
    pub stores: Vec<Store>,
    /// Of each memory.
    pub homes: Vec<Home>,
    pub reads: Vec<ReadCode>,
    pub writes: Vec<WriteCode>,
    /// Registers' bits that are computed in a slot beside and move at the end of the clock: to, from.
    pub late: Vec<(u32, u32)>,
    /// First slot of each register word and of each input word.
    pub registers: Vec<u32>,
    pub inputs: HashMap<u32, u32>,
    /// Slots of the bits of each word of the outputs.
    pub outputs: Vec<Vec<u32>>,
    /// The machine code of [`Gate::Machine`].
    pub machine: Option<Machine>,
    /// How a design of several clocks runs; `None` runs one pass a clock.
    pub passes: Option<PassCode>,
}

/// The passes of a design of several clocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PassCode {
    /// Slot of the clock.
    pub clock: Option<u32>,
    /// Slot that has a one in each lane in which an edge has acted.
    pub acting: u32,
    /// Passes in which edges can act after one change of the inputs.
    pub most: u32,
}

/// Slots under construction: those of constants, inputs, registers and outputs are for good.
struct Slots {
    /// Of each plane, or [`NONE`].
    of: Vec<u32>,
    top: u32,
    inputs: HashMap<u32, u32>,
    registers: Vec<u32>,
    outputs: Vec<Vec<u32>>,
}

impl Slots {
    fn new(lowered: &Lowered) -> Self {
        let mut slots = Self {
            of: vec![NONE; lowered.net.nodes.len()],
            top: 2,
            inputs: HashMap::new(),
            registers: vec![],
            outputs: vec![],
        };
        (slots.of[0], slots.of[1]) = (0, 1);
        for (word, planes) in &lowered.inputs {
            let first = slots.give(planes);
            slots.inputs.insert(*word, first);
        }
        for (own, _) in &lowered.registers {
            let first = slots.give(own);
            slots.registers.push(first);
        }
        for word in &lowered.outputs {
            let word = word.iter().map(|_| slots.fresh()).collect();
            slots.outputs.push(word);
        }
        slots
    }

    fn fresh(&mut self) -> u32 {
        self.top += 1;
        self.top - 1
    }

    /// Gives planes slots, one after the other, and returns the first.
    fn give(&mut self, planes: &[Plane]) -> u32 {
        let first = self.top;
        for &plane in planes {
            self.of[plane as usize] = self.fresh();
        }
        first
    }

    /// Slots of planes.
    fn list(&self, planes: &[Plane]) -> Vec<u32> {
        planes.iter().map(|p| self.of[*p as usize]).collect()
    }
}
