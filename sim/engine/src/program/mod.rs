//! The one-lane engine's program: operations on words of 64 bits, in batches of one kind.
//!
//! A batch runs in a loop without a branch. Sums of bits (hash matrices) become
//! look-ups in tables of four bits each; shift registers move with one copy of their memory.

mod link;

use crate::ir::{mask, Graph, Id, Netlist, Op};
use std::collections::HashMap;

/// Operation on the slots `a`, `b` and `c`; the result goes to slot `d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(crate) enum Kind {
    Copy,
    And,
    AndNot,
    Or,
    OrNot,
    Xor,
    And3,
    Or3,
    Xor3,
    AndOr,
    OrAnd,
    /// `a & !b & !c`.
    AndNotNot,
    /// `a & b & !c`.
    AndAndNot,
    /// `(a + b) & c`; so the next two.
    Add,
    Sub,
    Mul,
    Equal,
    NotEqual,
    Less,
    /// `a <= b`.
    AtMost,
    Choose,
    /// `(a << b) & c`.
    ShiftLeft,
    ShiftRight,
    /// `(a >> number b) & c`.
    Slice,
    /// `a | b << number c`.
    Concat,
    /// Parts `a` to `b`: the bits of each, shifted right, masked, shifted left, together.
    Pieces,
    /// Parts `a` to `b`: the sum of the parities of each under its mask; inverted if `c`.
    Parity,
    /// Parts `a` to `b`: the exclusive or of the table entries at four bits of each.
    Linear,
    /// Table from `b` on at index `a`, which is at most `c`.
    Table,
    /// Memory `b` at address `a`: the upper half of `c` is the number of limbs of its words, the lower half the limb.
    Read,
}
const KINDS: usize = Kind::Read as usize + 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Code {
    pub d: u32,
    pub a: u32,
    pub b: u32,
    pub c: u32,
}

/// A part of an operation with many operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    pub slot: u32,
    pub right: u8,
    pub left: u8,
    /// Bits that count; for [`Kind::Linear`] where its table begins.
    pub mask: u64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Batch {
    pub kind: Kind,
    pub from: u32,
    pub to: u32,
}

/// Operations that are needed together.
#[derive(Debug, Clone)]
pub(crate) struct Segment {
    /// The users that need them: see [`OUTPUTS`], [`EVENTS`] and [`domain_bit`].
    pub users: u64,
    pub batches: Vec<Batch>,
}

/// The outputs.
pub(crate) const OUTPUTS: u64 = 1;
/// The signals whose edges clock registers.
pub(crate) const EVENTS: u64 = 2;

/// The registers and memories of a domain; from 61 on they share one bit.
pub(crate) fn domain_bit(domain: usize) -> u64 {
    1 << (domain + 2).min(63)
}

/// A write of a memory, by slots.
#[derive(Debug, Clone)]
pub(crate) struct WriteCode {
    pub memory: u32,
    pub enable: u32,
    pub address: u32,
    pub data: Vec<u32>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct DomainCode {
    /// Slots from, to: an event moves each to the slot after it.
    pub from: u32,
    pub to: u32,
    pub writes: Vec<WriteCode>,
}

#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub slots: usize,
    pub constants: Vec<(u32, u64)>,
    pub code: Vec<Code>,
    pub parts: Vec<Part>,
    pub tables: Vec<u64>,
    pub segments: Vec<Segment>,
    pub domains: Vec<DomainCode>,
    /// Slot of each node that has one.
    pub slot_of: HashMap<Id, u32>,
    pub registers: Vec<u32>,
}

#[derive(Debug, Clone)]
enum Extra {
    None,
    Number(u32),
    Memory { memory: u32, limb: u32 },
    Pieces(Vec<(Id, u8, u8, u64)>),
}

/// An operation before it has slots.
#[derive(Debug, Clone)]
struct Step {
    result: Id,
    kind: Kind,
    operands: Vec<Id>,
    extra: Extra,
    users: u64,
}

struct Compiler<'n> {
    netlist: &'n Netlist,
    graph: Graph,
    users: Vec<u64>,
    uses: Vec<u32>,
    steps: Vec<Step>,
    tables: Vec<u64>,
    table_at: HashMap<u32, u32>,
    done: Vec<bool>,
}

/// Compiles a netlist. `outputs` are read after every step; `simple`: every register has the same clock, so all is computed
/// together.
pub(crate) fn compile(netlist: &Netlist, outputs: &[Id], simple: bool) -> Program {
    let nodes = netlist.graph.ops.len();
    let mut compiler = Compiler {
        netlist,
        graph: netlist.graph.clone(),
        users: vec![0; nodes],
        uses: vec![0; nodes],
        steps: vec![],
        tables: vec![],
        table_at: HashMap::new(),
        done: vec![false; nodes],
    };
    let mut roots: Vec<(Id, u64)> = outputs.iter().map(|o| (*o, OUTPUTS)).collect();
    for edge in netlist.domains.iter().flatten() {
        roots.push((edge.signal, EVENTS));
    }
    for register in &netlist.registers {
        roots.push((register.next, domain_bit(register.domain as usize)));
    }
    for write in netlist.memories.iter().flat_map(|m| &m.writes) {
        let bit = domain_bit(write.domain as usize);
        for id in [write.enable, write.address]
            .iter()
            .chain(&write.data.limbs)
        {
            roots.push((*id, bit));
        }
    }
    if simple {
        roots.iter_mut().for_each(|(_, bit)| *bit = OUTPUTS);
    }
    compiler.mark(&roots);
    compiler.lower(&roots);
    compiler.link(&roots, simple)
}

impl Compiler<'_> {
    fn grow(&mut self) {
        let nodes = self.graph.ops.len();
        self.users.resize(nodes, 0);
        self.uses.resize(nodes, 0);
        self.done.resize(nodes, false);
    }

    /// Counts the uses of every live node and collects its users.
    fn mark(&mut self, roots: &[(Id, u64)]) {
        for (root, bit) in roots {
            self.users[*root as usize] |= bit;
            self.uses[*root as usize] += 1;
        }
        for id in (0..self.graph.ops.len()).rev() {
            let bits = self.users[id];
            if bits != 0 {
                let (users, uses) = (&mut self.users, &mut self.uses);
                self.graph.ops[id].operands(|x| {
                    users[x as usize] |= bits;
                    uses[x as usize] += 1;
                });
            }
        }
    }

    /// Chooses operations, users before their operands, so that an operand which only its user needs can become part of it.
    fn lower(&mut self, roots: &[(Id, u64)]) {
        let mut wanted = vec![false; self.graph.ops.len()];
        for (root, _) in roots {
            wanted[*root as usize] = true;
        }
        for id in (0..self.graph.ops.len() as Id).rev() {
            if !wanted[id as usize] {
                continue;
            }
            let first = self.steps.len();
            self.select(id);
            wanted.resize(self.graph.ops.len(), false);
            for step in &self.steps[first..] {
                for operand in &step.operands {
                    wanted[*operand as usize] = true;
                }
                if let Extra::Pieces(pieces) = &step.extra {
                    pieces.iter().for_each(|p| wanted[p.0 as usize] = true);
                }
            }
        }
        self.steps.reverse();
    }

    fn step(&mut self, result: Id, kind: Kind, operands: &[Id], extra: Extra) {
        let users = self.users[result as usize];
        self.steps.push(Step {
            result,
            kind,
            operands: operands.to_vec(),
            extra,
            users,
        });
    }

    fn constant(&mut self, value: u64) -> Id {
        let id = self.graph.constant(value, 64);
        self.grow();
        id
    }

    fn single(&self, id: Id) -> bool {
        self.uses[id as usize] == 1
    }

    fn select(&mut self, id: Id) {
        let width = self.graph.width(id);
        let op = self.graph.op(id).clone();
        match op {
            Op::Constant(_) | Op::Input(_) | Op::Register(_) => {}
            Op::Read {
                memory,
                limb,
                address,
            } => {
                let place = Extra::Memory { memory, limb };
                self.step(id, Kind::Read, &[address], place);
            }
            Op::Not(a) => match self.graph.op(a).clone() {
                Op::Equal(x, y) if self.single(a) => {
                    self.step(id, Kind::NotEqual, &[x, y], Extra::None);
                }
                Op::Less(x, y) if self.single(a) => {
                    self.step(id, Kind::AtMost, &[y, x], Extra::None);
                }
                Op::Xor(..) if self.sum(id, true) => {}
                _ => {
                    let ones = self.constant(mask(width));
                    self.step(id, Kind::Xor, &[a, ones], Extra::None);
                }
            },
            Op::And(a, b) => self.select_and(id, a, b),
            Op::Or(a, b) => self.select_or(id, a, b),
            Op::Xor(a, b) => {
                if self.sum(id, false) {
                    return;
                }
                for (x, y) in [(a, b), (b, a)] {
                    if let (Op::Xor(p, q), true) = (self.graph.op(x), self.single(x)) {
                        let operands = [*p, *q, y];
                        return self.step(id, Kind::Xor3, &operands, Extra::None);
                    }
                }
                self.step(id, Kind::Xor, &[a, b], Extra::None);
            }
            Op::Add(a, b) | Op::Sub(a, b) | Op::Mul(a, b) => {
                let kind = match op {
                    Op::Add(..) => Kind::Add,
                    Op::Sub(..) => Kind::Sub,
                    _ => Kind::Mul,
                };
                let ones = self.constant(mask(width));
                self.step(id, kind, &[a, b, ones], Extra::None);
            }
            Op::Equal(a, b) => self.step(id, Kind::Equal, &[a, b], Extra::None),
            Op::Less(a, b) => self.step(id, Kind::Less, &[a, b], Extra::None),
            Op::Parity(a) => {
                let pieces = vec![(a, 0, 0, u64::MAX)];
                self.step(id, Kind::Parity, &[], Extra::Pieces(pieces));
            }
            Op::Choose(c, a, b) => self.step(id, Kind::Choose, &[c, a, b], Extra::None),
            Op::ShiftLeft(a, b) => {
                let ones = self.constant(mask(width));
                self.step(id, Kind::ShiftLeft, &[a, b, ones], Extra::None);
            }
            Op::ShiftRight(a, b) => self.step(id, Kind::ShiftRight, &[a, b], Extra::None),
            Op::Slice(a, low) => {
                let ones = self.constant(mask(width));
                if low == 0 {
                    self.step(id, Kind::And, &[a, ones], Extra::None);
                } else {
                    self.step(id, Kind::Slice, &[a, ones], Extra::Number(low));
                }
            }
            Op::Concat(parts) => {
                if !self.matrix(id) {
                    self.concat(id, &parts);
                }
            }
            Op::Table(a, table) => {
                let at = match self.table_at.get(&table) {
                    Some(at) => *at,
                    None => {
                        let at = self.tables.len() as u32;
                        self.tables.extend(&self.graph.tables[table as usize]);
                        self.table_at.insert(table, at);
                        at
                    }
                };
                self.step(id, Kind::Table, &[a], Extra::Number(at));
            }
        }
    }

    fn select_and(&mut self, id: Id, a: Id, b: Id) {
        if let (Op::Not(x), Op::Not(y)) = (self.graph.op(a), self.graph.op(b)) {
            let (x, y) = (*x, *y);
            let ones = self.constant(mask(self.graph.width(id)));
            return self.step(id, Kind::AndNotNot, &[ones, x, y], Extra::None);
        }
        for (x, y) in [(a, b), (b, a)] {
            let (p, q) = (self.graph.op(x).clone(), self.graph.op(y).clone());
            match (p, q) {
                // (m & n) & !z
                (Op::And(m, n), Op::Not(z)) if self.single(x) => {
                    let (kind, operands) = match (self.graph.op(m), self.graph.op(n)) {
                        (Op::Not(m), _) => (Kind::AndNotNot, [n, *m, z]),
                        (_, Op::Not(n)) => (Kind::AndNotNot, [m, *n, z]),
                        _ => (Kind::AndAndNot, [m, n, z]),
                    };
                    return self.step(id, kind, &operands, Extra::None);
                }
                (Op::And(m, n), _) if self.single(x) => {
                    let (kind, operands) = match (self.graph.op(m), self.graph.op(n)) {
                        (Op::Not(m), Op::Not(n)) => (Kind::AndNotNot, [y, *m, *n]),
                        (Op::Not(m), _) => (Kind::AndAndNot, [n, y, *m]),
                        (_, Op::Not(n)) => (Kind::AndAndNot, [m, y, *n]),
                        _ => (Kind::And3, [m, n, y]),
                    };
                    return self.step(id, kind, &operands, Extra::None);
                }
                _ => {}
            }
        }
        for (x, y) in [(a, b), (b, a)] {
            match *self.graph.op(x) {
                Op::Not(z) => return self.step(id, Kind::AndNot, &[y, z], Extra::None),
                Op::Or(m, n) if self.single(x) => {
                    return self.step(id, Kind::OrAnd, &[m, n, y], Extra::None);
                }
                _ => {}
            }
        }
        self.step(id, Kind::And, &[a, b], Extra::None);
    }

    fn select_or(&mut self, id: Id, a: Id, b: Id) {
        for (x, y) in [(a, b), (b, a)] {
            if !self.single(x) {
                continue;
            }
            let kind = match *self.graph.op(x) {
                Op::Or(m, n) => Some((Kind::Or3, [m, n, y])),
                Op::And(m, n) => Some((Kind::AndOr, [m, n, y])),
                _ => None,
            };
            if let Some((kind, operands)) = kind {
                return self.step(id, kind, &operands, Extra::None);
            }
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Op::Not(z) = *self.graph.op(x) {
                let ones = self.constant(mask(self.graph.width(id)));
                return self.step(id, Kind::OrNot, &[y, z, ones], Extra::None);
            }
        }
        self.step(id, Kind::Or, &[a, b], Extra::None);
    }

    /// Adds the bits whose sum `id` is to `bits`, as masks of words; what is shared stays whole. Counts the additions.
    fn terms(&self, id: Id, root: bool, bits: &mut HashMap<Id, u64>, inverted: &mut bool) -> usize {
        match self.graph.op(id) {
            Op::Xor(a, b) if root || self.single(id) => {
                1 + self.terms(*a, false, bits, inverted) + self.terms(*b, false, bits, inverted)
            }
            Op::Not(a) => {
                *inverted = !*inverted;
                self.terms(*a, root, bits, inverted)
            }
            Op::Slice(a, low) => {
                *bits.entry(*a).or_default() ^= 1 << low;
                0
            }
            _ => {
                *bits.entry(id).or_default() ^= 1;
                0
            }
        }
    }

    /// A sum of many bits of few words as parities.
    fn sum(&mut self, id: Id, not: bool) -> bool {
        if self.graph.width(id) != 1 {
            return false;
        }
        let (mut bits, mut inverted) = (HashMap::new(), false);
        let root = match *self.graph.op(id) {
            Op::Not(a) if not && self.single(a) => a,
            Op::Not(_) => return false,
            _ => id,
        };
        inverted ^= root != id;
        let additions = self.terms(root, true, &mut bits, &mut inverted);
        if additions < 3 || bits.len() * 3 > additions + 1 {
            return false;
        }
        let mut pieces: Vec<_> = bits.into_iter().map(|(word, m)| (word, 0, 0, m)).collect();
        pieces.sort_unstable();
        if inverted {
            let one = self.constant(1);
            pieces.push((one, 0, 0, 1));
        }
        self.step(id, Kind::Parity, &[], Extra::Pieces(pieces));
        true
    }

    /// A word all of whose bits are sums of bits of few words, as look-ups.
    fn matrix(&mut self, id: Id) -> bool {
        let Op::Concat(parts) = self.graph.op(id).clone() else {
            return false;
        };
        // For each word, what each of its bits adds to the result.
        let mut columns: HashMap<Id, Vec<u64>> = HashMap::new();
        let (mut additions, mut fixed, mut at) = (0, 0u64, 0);
        for part in parts {
            let width = self.graph.width(part);
            let mut add = |word: Id, bit: u32, to: u32| {
                columns.entry(word).or_insert_with(|| vec![0; 64])[bit as usize] ^= 1 << to;
            };
            match *self.graph.op(part) {
                Op::Constant(value) => fixed |= value << at,
                Op::Slice(a, low) => (0..width).for_each(|i| add(a, low + i, at + i)),
                _ if width == 1 => {
                    let (mut bits, mut inverted) = (HashMap::new(), false);
                    additions += self.terms(part, true, &mut bits, &mut inverted);
                    for (word, mut m) in bits {
                        while m != 0 {
                            add(word, m.trailing_zeros(), at);
                            m &= m - 1;
                        }
                    }
                    fixed |= u64::from(inverted) << at;
                }
                _ => (0..width).for_each(|i| add(part, i, at + i)),
            }
            at += width;
        }
        let groups: usize = columns
            .values()
            .map(|c| c.chunks(4).filter(|g| g.iter().any(|c| *c != 0)).count())
            .sum();
        if additions < 8 || groups > additions {
            return false;
        }
        let mut words: Vec<_> = columns.into_iter().collect();
        words.sort_unstable();
        let mut pieces = vec![];
        for (word, columns) in words {
            for (group, columns) in columns.chunks(4).enumerate() {
                if columns.iter().all(|c| *c == 0) {
                    continue;
                }
                let begin = self.tables.len();
                for index in 0..16u32 {
                    let bits = (0..4).filter(|b| index >> b & 1 == 1);
                    let sum = bits.fold(0, |sum, b| sum ^ columns[b as usize]);
                    self.tables.push(sum ^ fixed);
                }
                fixed = 0;
                pieces.push((word, 4 * group as u8, 0, begin as u64));
            }
        }
        self.step(id, Kind::Linear, &[], Extra::Pieces(pieces));
        true
    }

    fn concat(&mut self, id: Id, parts: &[Id]) {
        let mut pieces = vec![];
        let mut at = 0;
        for &part in parts {
            let width = self.graph.width(part);
            match *self.graph.op(part) {
                Op::Constant(0) => {}
                Op::Slice(a, low) => pieces.push((a, low as u8, at as u8, mask(width))),
                _ => pieces.push((part, 0, at as u8, mask(width))),
            }
            at += width;
        }
        let plain = |p: &(Id, u8, u8, u64)| p.1 == 0 && p.3 == mask(self.graph.width(p.0));
        match pieces[..] {
            [one] if plain(&one) => {
                let zero = self.constant(0);
                let left = Extra::Number(u32::from(one.2));
                self.step(id, Kind::Concat, &[zero, one.0], left);
            }
            [low, high] if plain(&low) && plain(&high) && low.2 == 0 => {
                let left = Extra::Number(u32::from(high.2));
                self.step(id, Kind::Concat, &[low.0, high.0], left);
            }
            _ => self.step(id, Kind::Pieces, &[], Extra::Pieces(pieces)),
        }
    }
}
