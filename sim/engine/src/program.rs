//! The one-lane engine's program: operations on words of 64 bits, in batches of one kind.
//!
//! A batch runs in a loop without a branch, which is what makes an interpreter fast enough. Sums of bits (hash matrices) become
//! look-ups in tables of four bits each; shift registers move with one copy of their memory.

use crate::ir::{mask, Graph, Id, Netlist, Op};
use std::collections::HashMap;

/// What an operation does with the slots `a`, `b` and `c`; the result goes to slot `d`.
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
    /// Table from `b` on at index `a`.
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
    /// Who needs them: see [`OUTPUTS`], [`EVENTS`] and [`domain_bit`].
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

    /// Counts the uses of every live node, and who they are for.
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

    /// Gives slots to everything and orders the operations.
    fn link(mut self, roots: &[(Id, u64)], simple: bool) -> Program {
        let mut computed: HashMap<Id, usize> = HashMap::new();
        for (index, step) in self.steps.iter().enumerate() {
            computed.insert(step.result, index);
        }
        let mut slot_of: HashMap<Id, u32> = HashMap::new();
        let mut slots = 0u32;
        let mut take = || {
            slots += 1;
            slots - 1
        };
        // Registers: a chain of registers that pass a value on lies in order behind the slot of what the first one takes.
        let registers = &self.netlist.registers;
        let mut domains = vec![DomainCode::default(); self.netlist.domains.len()];
        let mut register_slots = vec![0; registers.len()];
        let mut copies: Vec<(u32, Id, u64)> = vec![];
        let mut place_of: HashMap<Id, u32> = HashMap::new();
        for (number, domain) in domains.iter_mut().enumerate() {
            let here = |r: usize| registers[r].domain as usize == number;
            let mut follower: HashMap<usize, usize> = HashMap::new();
            let mut follows = vec![false; registers.len()];
            for r in (0..registers.len()).filter(|r| here(*r)) {
                if let Op::Register(q) = *self.graph.op(registers[r].next) {
                    let q = q as usize;
                    // A ring has no beginning.
                    let mut end = r;
                    while let Some(next) = follower.get(&end) {
                        end = *next;
                    }
                    if here(q) && end != q && !follower.contains_key(&q) {
                        follower.insert(q, r);
                        follows[r] = true;
                    }
                }
            }
            domain.from = take();
            for first in (0..registers.len()).filter(|r| here(*r) && !follows[*r]) {
                let ahead = take();
                let next = registers[first].next;
                if computed.contains_key(&next) && !place_of.contains_key(&next) {
                    place_of.insert(next, ahead);
                } else {
                    let bit = if simple { OUTPUTS } else { domain_bit(number) };
                    copies.push((ahead, next, bit));
                }
                let mut r = first;
                loop {
                    register_slots[r] = take();
                    slot_of.insert(registers[r].node, register_slots[r]);
                    match follower.get(&r) {
                        Some(next) => r = *next,
                        None => break,
                    }
                }
            }
            domain.to = take();
        }
        let mut constants = vec![];
        for id in 0..self.graph.ops.len() as Id {
            match *self.graph.op(id) {
                Op::Input(_) => {
                    let slot = take();
                    slot_of.insert(id, slot);
                }
                Op::Register(r) if registers[r as usize].node == id => {}
                _ => {}
            }
        }
        let mut constant_slot: HashMap<u64, u32> = HashMap::new();
        let mut reads: Vec<Id> = roots.iter().map(|(id, _)| *id).collect();
        for step in &self.steps {
            reads.extend(&step.operands);
            if let Extra::Pieces(pieces) = &step.extra {
                reads.extend(pieces.iter().map(|p| p.0));
            }
        }
        for id in reads {
            if let Some(value) = self.graph.value(id) {
                let slot = *constant_slot.entry(value).or_insert_with(|| {
                    let slot = take();
                    constants.push((slot, value));
                    slot
                });
                slot_of.insert(id, slot);
            }
        }
        // Copies are operations, too.
        let mut all: Vec<(Option<u32>, Step)> = std::mem::take(&mut self.steps)
            .into_iter()
            .map(|s| (None, s))
            .collect();
        for (slot, next, users) in copies {
            let step = Step {
                result: Id::MAX,
                kind: Kind::Copy,
                operands: vec![next],
                extra: Extra::None,
                users,
            };
            all.push((Some(slot), step));
        }
        let mut groups: Vec<u64> = all.iter().map(|(_, s)| s.users).collect();
        groups.sort_by_key(|g| (std::cmp::Reverse(g.count_ones()), *g));
        groups.dedup();
        let mut order = vec![];
        let mut bounds = vec![];
        for users in &groups {
            let members: Vec<usize> = (0..all.len())
                .filter(|i| all[*i].1.users == *users)
                .collect();
            let first = order.len();
            batched(&members, &all, &computed, &mut order);
            bounds.push((*users, first, order.len()));
        }
        for &index in &order {
            let (fixed, step) = &all[index];
            if fixed.is_none() {
                let slot = match place_of.get(&step.result) {
                    Some(slot) => *slot,
                    None => take(),
                };
                slot_of.insert(step.result, slot);
            }
        }
        let mut code: Vec<Code> = vec![];
        let mut parts: Vec<Part> = vec![];
        let mut segments = vec![];
        for (users, from, to) in bounds {
            let mut batches: Vec<Batch> = vec![];
            for &index in &order[from..to] {
                let (fixed, step) = &all[index];
                let at = code.len() as u32;
                match batches.last_mut() {
                    Some(last) if last.kind == step.kind => last.to = at + 1,
                    _ => batches.push(Batch {
                        kind: step.kind,
                        from: at,
                        to: at + 1,
                    }),
                }
                let slot = |n: usize| step.operands.get(n).map_or(0, |id| slot_of[id]);
                let number = match step.extra {
                    Extra::Number(n) => n,
                    _ => 0,
                };
                let d = fixed.unwrap_or_else(|| slot_of[&step.result]);
                let (a, b, c) = match step.kind {
                    Kind::Slice => (slot(0), number, slot(1)),
                    Kind::Concat => (slot(0), slot(1), number),
                    Kind::Table => (slot(0), number, 0),
                    Kind::Read => match step.extra {
                        Extra::Memory { memory, limb } => {
                            let limbs = self.netlist.memories[memory as usize].limbs() as u32;
                            (slot(0), memory, limbs << 16 | limb)
                        }
                        _ => (slot(0), 0, 1 << 16),
                    },
                    Kind::Pieces | Kind::Parity | Kind::Linear => {
                        let begin = parts.len() as u32;
                        if let Extra::Pieces(pieces) = &step.extra {
                            for (word, right, left, mask) in pieces {
                                parts.push(Part {
                                    slot: slot_of[word],
                                    right: *right,
                                    left: *left,
                                    mask: *mask,
                                });
                            }
                        }
                        (begin, parts.len() as u32, 0)
                    }
                    _ => (slot(0), slot(1), slot(2)),
                };
                code.push(Code { d, a, b, c });
            }
            segments.push(Segment { users, batches });
        }
        for (index, memory) in self.netlist.memories.iter().enumerate() {
            for write in &memory.writes {
                domains[write.domain as usize].writes.push(WriteCode {
                    memory: index as u32,
                    enable: slot_of[&write.enable],
                    address: slot_of[&write.address],
                    data: write.data.limbs.iter().map(|l| slot_of[l]).collect(),
                });
            }
        }
        Program {
            slots: slots as usize,
            constants,
            code,
            parts,
            tables: self.tables,
            segments,
            domains,
            slot_of,
            registers: register_slots,
        }
    }
}

/// Orders the operations `members` so that many of one kind follow each other: of the kinds that are ready, the one with most goes first.
fn batched(
    members: &[usize],
    all: &[(Option<u32>, Step)],
    computed: &HashMap<Id, usize>,
    order: &mut Vec<usize>,
) {
    let place: HashMap<usize, usize> = members.iter().enumerate().map(|(i, m)| (*m, i)).collect();
    let mut waits = vec![0u32; members.len()];
    let mut readers: Vec<Vec<usize>> = vec![vec![]; members.len()];
    for (i, m) in members.iter().enumerate() {
        let step = &all[*m].1;
        let mut depend = |id: &Id| {
            if let Some(from) = computed.get(id).and_then(|s| place.get(s)) {
                waits[i] += 1;
                readers[*from].push(i);
            }
        };
        step.operands.iter().for_each(&mut depend);
        if let Extra::Pieces(pieces) = &step.extra {
            pieces.iter().for_each(|p| depend(&p.0));
        }
    }
    let mut ready: Vec<Vec<usize>> = vec![vec![]; KINDS];
    for (i, m) in members.iter().enumerate() {
        if waits[i] == 0 {
            ready[all[*m].1.kind as usize].push(i);
        }
    }
    while let Some(kind) = (0..KINDS)
        .filter(|k| !ready[*k].is_empty())
        .max_by_key(|k| ready[*k].len())
    {
        while let Some(i) = ready[kind].pop() {
            order.push(members[i]);
            for &reader in &readers[i] {
                waits[reader] -= 1;
                if waits[reader] == 0 {
                    ready[all[members[reader]].1.kind as usize].push(reader);
                }
            }
        }
    }
}
