//! Slots and order of the operations.

use super::{
    domain_bit, Batch, Code, Compiler, DomainCode, Extra, Kind, Part, Program, Segment, Step,
    WriteCode, KINDS, OUTPUTS,
};
use crate::ir::{Id, Op};
use std::collections::HashMap;

impl Compiler<'_> {
    /// Gives slots to everything and orders the operations.
    pub(super) fn link(mut self, roots: &[(Id, u64)], simple: bool) -> Program {
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
                    Kind::Table => {
                        let indices = 1 << self.graph.width(step.operands[0]);
                        (slot(0), number, indices - 1)
                    }
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
