//! The flattened design as a graph of words of at most 64 bits.
//!
//! Equal nodes are one node, constants are folded, and a node's operands come before it, so the order of the nodes is an order
//! of evaluation. Registers and inputs are leaves; what a register takes at its event is a root.

mod wide;

use rustc_hash::FxHashMap;
use std::collections::HashMap;

/// Index of a node.
pub(crate) type Id = u32;

/// Operation of a node. Bits of its result above its width are zero.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Constant(u64),
    /// Word of the inputs.
    Input(u32),
    /// Word of the registers.
    Register(u32),
    /// Word `limb` of the memory's word at an address; zero beyond its last word.
    Read {
        memory: u32,
        limb: u32,
        address: Id,
    },
    Not(Id),
    And(Id, Id),
    Or(Id, Id),
    Xor(Id, Id),
    Add(Id, Id),
    Sub(Id, Id),
    Mul(Id, Id),
    Equal(Id, Id),
    /// Unsigned.
    Less(Id, Id),
    Parity(Id),
    /// Condition, then, otherwise.
    Choose(Id, Id, Id),
    ShiftLeft(Id, Id),
    ShiftRight(Id, Id),
    /// Bits from this one up.
    Slice(Id, u32),
    /// Lowest first.
    Concat(Box<[Id]>),
    /// Entry of a table at an index whose width is the table's logarithm.
    Table(Id, u32),
}

impl Op {
    /// Calls `visit` with every operand.
    pub fn operands(&self, mut visit: impl FnMut(Id)) {
        match self {
            Op::Constant(_) | Op::Input(_) | Op::Register(_) => {}
            Op::Not(a) | Op::Parity(a) | Op::Slice(a, _) | Op::Table(a, _) => visit(*a),
            Op::Read { address, .. } => visit(*address),
            Op::And(a, b)
            | Op::Or(a, b)
            | Op::Xor(a, b)
            | Op::Add(a, b)
            | Op::Sub(a, b)
            | Op::Mul(a, b)
            | Op::Equal(a, b)
            | Op::Less(a, b)
            | Op::ShiftLeft(a, b)
            | Op::ShiftRight(a, b) => {
                visit(*a);
                visit(*b);
            }
            Op::Choose(a, b, c) => {
                visit(*a);
                visit(*b);
                visit(*c);
            }
            Op::Concat(parts) => parts.iter().for_each(|p| visit(*p)),
        }
    }
}

/// A value of any width, in nodes of 64 bits, lowest first; the last has the rest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Bits {
    pub width: u32,
    pub limbs: Vec<Id>,
}

/// Ones in the low `width` bits.
pub(crate) const fn mask(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

/// Width of limb `limb` of `width` bits.
pub(crate) fn limb_width(width: u32, limb: u32) -> u32 {
    (width - 64 * limb).min(64)
}

/// Bits of an address that reaches all words.
pub(crate) fn address_bits(depth: usize) -> u32 {
    usize::BITS - depth.saturating_sub(1).leading_zeros()
}

/// Nodes under construction.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    pub ops: Vec<Op>,
    pub widths: Vec<u8>,
    /// Entries of the tables.
    pub tables: Vec<Vec<u64>>,
    known: FxHashMap<(Op, u8), Id>,
    known_tables: HashMap<Vec<u64>, u32>,
}

impl Graph {
    pub fn width(&self, id: Id) -> u32 {
        u32::from(self.widths[id as usize])
    }

    pub fn op(&self, id: Id) -> &Op {
        &self.ops[id as usize]
    }

    pub fn value(&self, id: Id) -> Option<u64> {
        match self.ops[id as usize] {
            Op::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn node(&mut self, op: Op, width: u32) -> Id {
        debug_assert!((1..=64).contains(&width));
        let ops = &mut self.ops;
        let widths = &mut self.widths;
        *self
            .known
            .entry((op, width as u8))
            .or_insert_with_key(|(op, width)| {
                ops.push(op.clone());
                widths.push(*width);
                ops.len() as Id - 1
            })
    }

    pub fn constant(&mut self, value: u64, width: u32) -> Id {
        self.node(Op::Constant(value & mask(width)), width)
    }

    pub fn input(&mut self, word: u32, width: u32) -> Id {
        self.node(Op::Input(word), width)
    }

    pub fn register(&mut self, word: u32, width: u32) -> Id {
        self.node(Op::Register(word), width)
    }

    pub fn read(&mut self, memory: u32, limb: u32, address: Id, width: u32) -> Id {
        let op = Op::Read {
            memory,
            limb,
            address,
        };
        self.node(op, width)
    }

    fn inverse(&self, a: Id, b: Id) -> bool {
        matches!(self.op(a), Op::Not(x) if *x == b) || matches!(self.op(b), Op::Not(x) if *x == a)
    }

    pub fn not(&mut self, a: Id) -> Id {
        let width = self.width(a);
        match *self.op(a) {
            Op::Constant(value) => self.constant(!value, width),
            Op::Not(x) => x,
            _ => self.node(Op::Not(a), width),
        }
    }

    pub fn and(&mut self, a: Id, b: Id) -> Id {
        self.and_or(a, b, false)
    }

    pub fn or(&mut self, a: Id, b: Id) -> Id {
        self.and_or(a, b, true)
    }

    /// AND or OR, which are the same but for zeros and ones.
    fn and_or(&mut self, a: Id, b: Id, or: bool) -> Id {
        let (a, b) = (a.min(b), a.max(b));
        let width = self.width(a);
        let (deciding, neutral) = match or {
            false => (0, mask(width)),
            true => (mask(width), 0),
        };
        if a == b {
            return a;
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.value(x) {
                Some(v) if v == deciding => return x,
                Some(v) if v == neutral => return y,
                Some(v) => {
                    if let Some(w) = self.value(y) {
                        return self.constant(if or { v | w } else { v & w }, width);
                    }
                }
                None => {}
            }
        }
        if self.inverse(a, b) {
            return self.constant(deciding, width);
        }
        let op = match or {
            false => Op::And(a, b),
            true => Op::Or(a, b),
        };
        self.node(op, width)
    }

    pub fn xor(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = (a.min(b), a.max(b));
        let width = self.width(a);
        if a == b {
            return self.constant(0, width);
        }
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => return self.constant(x ^ y, width),
            (Some(0), _) => return b,
            (_, Some(0)) => return a,
            (Some(v), _) if v == mask(width) => return self.not(b),
            (_, Some(v)) if v == mask(width) => return self.not(a),
            _ => {}
        }
        // Inversions move outwards, so that sums of bits are seen as such.
        match (self.op(a).clone(), self.op(b).clone()) {
            (Op::Not(x), Op::Not(y)) => self.xor(x, y),
            (Op::Not(x), _) => {
                let sum = self.xor(x, b);
                self.not(sum)
            }
            (_, Op::Not(y)) => {
                let sum = self.xor(a, y);
                self.not(sum)
            }
            _ => self.node(Op::Xor(a, b), width),
        }
    }

    pub fn add(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = (a.min(b), a.max(b));
        let width = self.width(a);
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x.wrapping_add(y), width),
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ if width == 1 => self.xor(a, b),
            _ => self.node(Op::Add(a, b), width),
        }
    }

    pub fn sub(&mut self, a: Id, b: Id) -> Id {
        let width = self.width(a);
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x.wrapping_sub(y), width),
            (_, Some(0)) => a,
            _ if width == 1 => self.xor(a, b),
            _ if a == b => self.constant(0, width),
            _ => self.node(Op::Sub(a, b), width),
        }
    }

    pub fn mul(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = (a.min(b), a.max(b));
        let width = self.width(a);
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x.wrapping_mul(y), width),
            (Some(0), _) => a,
            (_, Some(0)) => b,
            (Some(1), _) => b,
            (_, Some(1)) => a,
            _ if width == 1 => self.and(a, b),
            _ => self.node(Op::Mul(a, b), width),
        }
    }

    pub fn equal(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = (a.min(b), a.max(b));
        if a == b {
            return self.constant(1, 1);
        }
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            return self.constant(u64::from(x == y), 1);
        }
        if self.width(a) == 1 {
            let differ = self.xor(a, b);
            return self.not(differ);
        }
        self.node(Op::Equal(a, b), 1)
    }

    pub fn less(&mut self, a: Id, b: Id) -> Id {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(u64::from(x < y), 1),
            (_, Some(0)) => self.constant(0, 1),
            _ if a == b => self.constant(0, 1),
            _ if self.width(a) == 1 => {
                let low = self.not(a);
                self.and(low, b)
            }
            _ => self.node(Op::Less(a, b), 1),
        }
    }

    pub fn parity(&mut self, a: Id) -> Id {
        if let Some(value) = self.value(a) {
            return self.constant(u64::from(value.count_ones() & 1), 1);
        }
        if self.width(a) == 1 {
            return a;
        }
        self.node(Op::Parity(a), 1)
    }

    pub fn choose(&mut self, condition: Id, then: Id, otherwise: Id) -> Id {
        if then == otherwise {
            return then;
        }
        match *self.op(condition) {
            Op::Constant(0) => return otherwise,
            Op::Constant(_) => return then,
            Op::Not(x) => return self.choose(x, otherwise, then),
            _ => {}
        }
        let width = self.width(then);
        if width == 1 {
            match (self.value(then), self.value(otherwise)) {
                (Some(1), _) => return self.or(condition, otherwise),
                (_, Some(0)) => return self.and(condition, then),
                (Some(0), _) => {
                    let not = self.not(condition);
                    return self.and(not, otherwise);
                }
                (_, Some(1)) => {
                    let not = self.not(condition);
                    return self.or(not, then);
                }
                _ => {}
            }
        }
        // Nested choices of one condition.
        if let Op::Choose(c, t, _) = *self.op(then) {
            if c == condition {
                return self.choose(condition, t, otherwise);
            }
        }
        if let Op::Choose(c, _, e) = *self.op(otherwise) {
            if c == condition {
                return self.choose(condition, then, e);
            }
        }
        if let Some(table) = self.as_table(condition, then, otherwise) {
            return table;
        }
        self.node(Op::Choose(condition, then, otherwise), width)
    }

    /// A choice among constants by the value of one narrow word, as a table.
    fn as_table(&mut self, condition: Id, then: Id, otherwise: Id) -> Option<Id> {
        let case = |graph: &Self, condition: Id| match *graph.op(condition) {
            Op::Equal(a, b) => match (graph.value(a), graph.value(b)) {
                (Some(v), None) if graph.width(b) <= 8 => Some((b, v)),
                (None, Some(v)) if graph.width(a) <= 8 => Some((a, v)),
                _ => None,
            },
            _ => None,
        };
        let (index, at) = case(self, condition)?;
        let value = self.value(then)?;
        let size = 1usize << self.width(index);
        let mut entries = match *self.op(otherwise) {
            Op::Table(i, table) if i == index => self.tables[table as usize].clone(),
            Op::Choose(c, t, e) => {
                let (i, first) = case(self, c)?;
                if i != index {
                    return None;
                }
                let (t, e) = (self.value(t)?, self.value(e)?);
                let mut entries = vec![e; size];
                entries[first as usize] = t;
                entries
            }
            _ => return None,
        };
        entries[at as usize] = value;
        let width = self.width(then);
        Some(self.table(index, entries, width))
    }

    pub fn table(&mut self, index: Id, entries: Vec<u64>, width: u32) -> Id {
        if let Some(v) = self.value(index) {
            return self.constant(entries[v as usize], width);
        }
        let tables = &mut self.tables;
        let table = *self
            .known_tables
            .entry(entries)
            .or_insert_with_key(|entries| {
                tables.push(entries.clone());
                tables.len() as u32 - 1
            });
        self.node(Op::Table(index, table), width)
    }

    pub fn shift_left(&mut self, a: Id, by: Id) -> Id {
        let width = self.width(a);
        if let Some(by) = self.value(by) {
            if by == 0 {
                return a;
            }
            if by >= u64::from(width) {
                return self.constant(0, width);
            }
            let zeros = self.constant(0, by as u32);
            let rest = self.slice(a, 0, width - by as u32);
            return self.concat(&[zeros, rest]);
        }
        if self.value(a) == Some(0) {
            return a;
        }
        self.node(Op::ShiftLeft(a, by), width)
    }

    pub fn shift_right(&mut self, a: Id, by: Id) -> Id {
        let width = self.width(a);
        if let Some(by) = self.value(by) {
            if by == 0 {
                return a;
            }
            if by >= u64::from(width) {
                return self.constant(0, width);
            }
            let rest = self.slice(a, by as u32, width - by as u32);
            let zeros = self.constant(0, by as u32);
            return self.concat(&[rest, zeros]);
        }
        if self.value(a) == Some(0) {
            return a;
        }
        self.node(Op::ShiftRight(a, by), width)
    }

    pub fn slice(&mut self, a: Id, low: u32, width: u32) -> Id {
        if low == 0 && width == self.width(a) {
            return a;
        }
        match self.op(a).clone() {
            Op::Constant(value) => self.constant(value >> low, width),
            Op::Slice(x, more) => self.slice(x, low + more, width),
            Op::Concat(parts) => {
                let mut found = vec![];
                let mut at = 0;
                for part in parts {
                    let w = self.width(part);
                    let (from, to) = (low.max(at), (low + width).min(at + w));
                    if from < to {
                        found.push(self.slice(part, from - at, to - from));
                    }
                    at += w;
                }
                self.concat(&found)
            }
            Op::Not(x) => {
                let part = self.slice(x, low, width);
                self.not(part)
            }
            _ => self.node(Op::Slice(a, low), width),
        }
    }

    /// Parts together, lowest first; at most 64 bits.
    pub fn concat(&mut self, parts: &[Id]) -> Id {
        let mut flat: Vec<Id> = vec![];
        for &part in parts {
            match self.op(part).clone() {
                Op::Concat(inner) => {
                    for part in inner {
                        self.append(&mut flat, part);
                    }
                }
                _ => self.append(&mut flat, part),
            }
        }
        if let [one] = flat[..] {
            return one;
        }
        let width = flat.iter().map(|p| self.width(*p)).sum();
        self.node(Op::Concat(flat.into()), width)
    }

    /// Adds a part, as one with the part before where they belong together.
    fn append(&mut self, flat: &mut Vec<Id>, part: Id) {
        let Some(&last) = flat.last() else {
            flat.push(part);
            return;
        };
        let (low, high) = (self.width(last), self.width(part));
        let source = |graph: &Self, id: Id| match *graph.op(id) {
            Op::Slice(x, from) => (x, from),
            _ => (id, 0),
        };
        if let (Some(x), Some(y)) = (self.value(last), self.value(part)) {
            flat.pop();
            let both = self.constant(x | y << low, low + high);
            flat.push(both);
            return;
        }
        let ((x, from), (y, next)) = (source(self, last), source(self, part));
        if x == y && next == from + low {
            flat.pop();
            let both = self.slice(x, from, low + high);
            flat.push(both);
            return;
        }
        flat.push(part);
    }
}

/// A shift by any amount.
#[inline(always)]
pub(crate) fn shifted(value: u64, by: u64, left: bool) -> u64 {
    if by >= 64 {
        0
    } else if left {
        value << by
    } else {
        value >> by
    }
}

/// A word of a register.
#[derive(Debug, Clone)]
pub(crate) struct Register {
    /// Node that reads it.
    pub node: Id,
    pub width: u32,
    /// The value that it takes at an event of its domain.
    pub next: Id,
    pub domain: u32,
    /// Power-up value, and which of its bits the text gives.
    pub initial: (u64, u64),
}

/// A write of a memory.
#[derive(Debug, Clone)]
pub(crate) struct Write {
    pub domain: u32,
    pub enable: Id,
    pub address: Id,
    pub data: Bits,
}

#[derive(Debug, Clone)]
pub(crate) struct Memory {
    pub width: u32,
    pub depth: usize,
    /// Power-up words, `limbs` a word; those that the text does not give are not in `given`.
    pub initial: Vec<u64>,
    pub given: Vec<bool>,
    /// In the order in which they act.
    pub writes: Vec<Write>,
}

impl Memory {
    pub fn limbs(&self) -> usize {
        self.width.div_ceil(64) as usize
    }

    /// Words of 64 bits for as many words as addresses of its width.
    pub fn words(&self) -> usize {
        self.limbs() << address_bits(self.depth).max(1)
    }

    /// The power-up content, with `fill` where the text gives none; as many words as addresses of its width.
    pub fn start(&self, mut fill: impl FnMut() -> u64) -> Vec<u64> {
        let limbs = self.limbs();
        let mut content = self.initial.clone();
        for word in (0..self.depth).filter(|w| !self.given[*w]) {
            for limb in 0..limbs {
                let width = limb_width(self.width, limb as u32);
                content[word * limbs + limb] = fill() & mask(width);
            }
        }
        content.resize(self.words(), 0);
        content
    }
}

/// The object that a name of the text denotes.
#[derive(Debug, Clone)]
pub(crate) enum Named {
    Signal(Bits),
    Memory(u32),
}

/// An edge of a one-bit signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Edge {
    pub signal: Id,
    pub rising: bool,
}

/// A port of the top module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    /// Name in the text.
    pub name: String,
    /// Width in bits.
    pub width: usize,
    /// Driven from outside.
    pub input: bool,
}

impl Port {
    /// Words of 64 bits that it takes in a buffer.
    pub fn words(&self) -> usize {
        self.width.div_ceil(64)
    }
}

/// A flattened design.
#[derive(Debug, Clone, Default)]
pub(crate) struct Netlist {
    pub graph: Graph,
    /// All ports, in the order of the text.
    pub ports: Vec<Port>,
    /// Value of each port: for an input the nodes that read it.
    pub port_bits: Vec<Bits>,
    pub registers: Vec<Register>,
    /// Paths of the signals that are registers, and their widths, in the order of `registers`.
    pub register_names: Vec<(String, u32)>,
    pub memories: Vec<Memory>,
    /// Events of each domain.
    pub domains: Vec<Vec<Edge>>,
    /// Inputs, besides the ports, that are added to the signals that can be disturbed.
    pub faults: Vec<Bits>,
    /// Every signal by its path, in the order of the text.
    pub names: Vec<(String, Named)>,
}
