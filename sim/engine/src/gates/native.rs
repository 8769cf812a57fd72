//! Gates in an order that suits machine code: a root's gates follow each other, so that their values stay in registers.
//!
//! A register's bit is overwritten in place as soon as nothing reads its old value any more.

use super::allocate::{allocate, Item};
use super::lower::Lowered;
use super::net::{Net, Plane, NONE};
use super::{Gate, GateProgram, Slots};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Orders the gates and makes machine code of them, for slots of `words` words of 64 bits. `None` when this processor or system
/// cannot run it.
pub(crate) fn native(lowered: &Lowered, words: usize) -> Option<GateProgram> {
    if !cfg!(target_arch = "x86_64") || words < 2 {
        return None;
    }
    let mut slots = Slots::new(lowered);
    let (items, values) = Sequence::new(lowered, &slots).items();
    slots.of.resize(values as usize, NONE);
    allocate(lowered, slots, &items, words)
}

/// A slot to be written at the end of a clock.
#[derive(Debug, Clone, Copy)]
struct Root {
    value: Plane,
    slot: u32,
    /// The register's plane whose slot it is, or [`NONE`].
    register: Plane,
}

struct Sequence<'l> {
    lowered: &'l Lowered,
    net: &'l Net,
    roots: Vec<Root>,
    /// Root that overwrites a plane.
    root_of: Vec<Option<u32>>,
    /// Gates and roots still to come that read a leaf.
    pending: Vec<u32>,
    done: Vec<bool>,
    /// What a root writes once it is computed.
    waiting: Vec<Option<Plane>>,
    /// Roots by how many readers their old value still has.
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    items: Vec<Item>,
    values: Plane,
}

impl<'l> Sequence<'l> {
    fn new(lowered: &'l Lowered, slots: &Slots) -> Self {
        let net = &lowered.net;
        let mut roots = vec![];
        for (planes, word) in lowered.outputs.iter().zip(&slots.outputs) {
            for (&value, &slot) in planes.iter().zip(word) {
                roots.push(Root {
                    value,
                    slot,
                    register: NONE,
                });
            }
        }
        let mut root_of = vec![None; net.nodes.len()];
        for (own, next) in &lowered.registers {
            for (&value, &register) in next.iter().zip(own) {
                if value != register {
                    root_of[register as usize] = Some(roots.len() as u32);
                    let slot = slots.of[register as usize];
                    roots.push(Root {
                        value,
                        slot,
                        register,
                    });
                }
            }
        }
        let mut pending = vec![0; net.nodes.len()];
        let uses = super::order::count(net, &lowered.roots());
        for (plane, node) in net.nodes.iter().enumerate() {
            if uses[plane] > 0 {
                leaves(net, plane as Plane).for_each(|leaf| pending[leaf as usize] += 1);
                debug_assert!(node.gate == Gate::Leaf || node.a != NONE);
            }
        }
        for root in roots.iter().filter(|r| is_leaf(net, r.value)) {
            pending[root.value as usize] += 1;
        }
        Self {
            waiting: vec![None; roots.len()],
            done: net.nodes.iter().map(|n| n.gate == Gate::Leaf).collect(),
            values: net.nodes.len() as Plane,
            lowered,
            net,
            roots,
            root_of,
            pending,
            queue: BinaryHeap::new(),
            items: vec![],
        }
    }

    /// All steps in order, and the number of values.
    fn items(mut self) -> (Vec<Item>, Plane) {
        let lowered = self.lowered;
        // Reads whose address depends on what others read come after those.
        let depths = self.depths();
        let depth = |planes: &[Plane]| planes.iter().map(|p| depths[*p as usize]).max();
        let levels: Vec<u32> = lowered
            .lookups
            .iter()
            .map(|l| depth(&l.address).unwrap_or(0))
            .collect();
        for level in 0..=levels.iter().copied().max().unwrap_or(0) {
            let here = |lookup: u32| levels[lookup as usize] == level;
            for (index, lookup) in (0u32..).zip(&lowered.lookups).filter(|(i, _)| here(*i)) {
                lookup.address.iter().for_each(|p| self.compute(*p));
                self.special(Gate::Address, index);
            }
            for (index, _) in (0u32..).zip(&lowered.reads).filter(|(_, r)| here(r.lookup)) {
                self.special(Gate::Read, index);
            }
        }
        for write in &lowered.writes {
            self.compute(write.enable);
            write
                .address
                .iter()
                .chain(write.data.iter().flatten())
                .for_each(|p| self.compute(*p));
        }
        for index in 0..lowered.writes.len() {
            self.special(Gate::Write, index as u32);
        }
        for index in 0..self.roots.len() {
            self.enqueue(index as u32);
        }
        while let Some(Reverse((readers, root))) = self.queue.pop() {
            if self.waiting[root as usize].is_none() && readers == self.readers(root) {
                self.finish(root);
            }
        }
        // Roots whose old values read each other in a ring.
        for root in 0..self.roots.len() {
            if let Some(value) = self.waiting[root].filter(|v| *v != NONE) {
                let slot = self.roots[root].slot;
                self.items.push(Item::Store { slot, value });
            }
        }
        (self.items, self.values)
    }

    /// How many reads of memories lie one behind the other on the way to each plane.
    fn depths(&self) -> Vec<u32> {
        let mut read = vec![None; self.net.nodes.len()];
        for code in &self.lowered.reads {
            for plane in &code.data {
                read[*plane as usize] = Some(code.lookup as usize);
            }
        }
        let mut depths = vec![0; self.net.nodes.len()];
        for (plane, node) in self.net.nodes.iter().enumerate() {
            let behind = |planes: &mut dyn Iterator<Item = Plane>| {
                planes.map(|p| depths[p as usize]).max().unwrap_or(0)
            };
            depths[plane] = match read[plane] {
                Some(lookup) => {
                    1 + behind(&mut self.lowered.lookups[lookup].address.iter().copied())
                }
                None => behind(&mut node.operands()),
            };
        }
        depths
    }

    fn special(&mut self, gate: Gate, index: u32) {
        self.items.push(Item::Special { gate, index });
    }

    /// Readers of the value that a root overwrites.
    fn readers(&self, root: u32) -> u32 {
        match self.roots[root as usize].register {
            NONE => 0,
            register => self.pending[register as usize],
        }
    }

    fn enqueue(&mut self, root: u32) {
        let readers = self.readers(root);
        self.queue.push(Reverse((readers, root)));
    }

    /// Emits a gate with all that it needs.
    fn compute(&mut self, plane: Plane) {
        let mut stack = vec![plane];
        while let Some(&top) = stack.last() {
            let before = stack.len();
            if !self.done[top as usize] {
                let operands = self.net.nodes[top as usize].operands();
                let missing = operands.filter(|p| !self.done[*p as usize]);
                // The first operand first.
                stack.extend(missing);
                stack[before..].reverse();
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            if !self.done[top as usize] {
                self.done[top as usize] = true;
                self.items.push(Item::Gate(top));
                let read: Vec<Plane> = leaves(self.net, top).collect();
                read.into_iter().for_each(|leaf| self.has_read(leaf));
            }
        }
    }

    /// A reader of a leaf has been emitted.
    fn has_read(&mut self, leaf: Plane) {
        self.pending[leaf as usize] -= 1;
        let Some(root) = self.root_of[leaf as usize] else {
            return;
        };
        match self.waiting[root as usize] {
            None => self.enqueue(root),
            Some(value) if value != NONE => self.store(root, value),
            Some(_) => {}
        }
    }

    /// Computes a root, and writes it if nothing reads its slot's old value any more.
    fn finish(&mut self, root: u32) {
        let Root { value, .. } = self.roots[root as usize];
        self.compute(value);
        let mut held = value;
        if is_leaf(self.net, value) && value > super::net::ONE {
            held = self.values;
            self.values += 1;
            self.items.push(Item::Load {
                value: held,
                leaf: value,
            });
        }
        self.waiting[root as usize] = Some(held);
        self.store(root, held);
        if is_leaf(self.net, value) {
            self.has_read(value);
        }
    }

    fn store(&mut self, root: u32, value: Plane) {
        if self.readers(root) == 0 && self.waiting[root as usize] != Some(NONE) {
            let slot = self.roots[root as usize].slot;
            self.items.push(Item::Store { slot, value });
            self.waiting[root as usize] = Some(NONE);
        }
    }
}

fn is_leaf(net: &Net, plane: Plane) -> bool {
    net.nodes[plane as usize].gate == Gate::Leaf
}

/// The different leaves that a gate reads.
fn leaves(net: &Net, plane: Plane) -> impl Iterator<Item = Plane> + '_ {
    let node = net.nodes[plane as usize];
    let other = move |p: Plane, n: usize| [node.a, node.b][..n].iter().all(|q| *q != p);
    let list = node.operands().enumerate();
    list.filter(move |(n, p)| other(*p, (*n).min(2)))
        .map(|(_, p)| p)
        .filter(|p| is_leaf(net, *p))
}
