//! Enables and resets of flip-flops, and those that are constant or the same as others.

use super::{Bit, FlipFlop, Known, Logic, Uses};
use crate::area::fabric::{Fabric, Kind, Ports};
use crate::gates::net::{Plane, NONE, ONE, ZERO};
use crate::gates::Gate;
use crate::ir::{Id, Memory, Op};
use rustc_hash::FxHashMap;

impl Logic<'_> {
    /// Takes the reset of a word out of what the word becomes.
    pub(super) fn word_reset<'p>(
        &mut self,
        mut next: Id,
        of: &impl Fn(Id) -> &'p [Plane],
    ) -> (Id, Plane, u64) {
        let graph = &self.netlist.graph;
        let (mut reset, mut value) = (ZERO, None);
        while let Op::Choose(condition, then, otherwise) = *graph.op(next) {
            let mut condition = of(condition)[0];
            let (constant, rest) = match (graph.value(then), graph.value(otherwise)) {
                (Some(constant), _) => (constant, otherwise),
                (None, Some(constant)) => {
                    condition = self.net.not(condition);
                    (constant, then)
                }
                (None, None) => break,
            };
            if value.is_some_and(|value| value != constant) {
                break;
            }
            reset = self.net.or(reset, condition);
            (value, next) = (Some(constant), rest);
        }
        (next, reset, value.unwrap_or(0))
    }

    /// Takes enable and reset of a flip-flop out of its data.
    pub(super) fn settle(&mut self, flip_flop: &mut FlipFlop, resets: &[(Plane, bool)]) {
        let own = flip_flop.own;
        loop {
            let node = self.net.nodes[flip_flop.data as usize];
            let inner = self.net.inverted(flip_flop.data);
            let inner = inner.map(|plane| self.net.nodes[plane as usize]);
            let is_reset = |plane: Plane, high| resets.contains(&(plane, high));
            // what resets, to which value, and what is left
            let (reset, set, rest) = match (node.gate, inner) {
                (Gate::Choose, _) if node.b == own => {
                    let not = self.net.not(node.a);
                    flip_flop.enable = self.net.and(flip_flop.enable, not);
                    flip_flop.data = node.c;
                    continue;
                }
                (Gate::Choose, _) if node.c == own => {
                    flip_flop.enable = self.net.and(flip_flop.enable, node.a);
                    flip_flop.data = node.b;
                    continue;
                }
                (Gate::And, _) if node.a == own => (self.net.not(node.b), false, own),
                (Gate::And, _) if node.b == own => (self.net.not(node.a), false, own),
                (Gate::AndNot, _) if node.a == own => (node.b, false, own),
                (Gate::And, _) if is_reset(node.a, false) => (self.net.not(node.a), false, node.b),
                (Gate::And, _) if is_reset(node.b, false) => (self.net.not(node.b), false, node.a),
                (Gate::AndNot, _) if is_reset(node.b, true) => (node.b, false, node.a),
                (Gate::Or, _) if node.a == own => (node.b, true, own),
                (Gate::Or, _) if node.b == own => (node.a, true, own),
                (Gate::Not, Some(inner)) if inner.gate == Gate::AndNot && inner.b == own => {
                    (self.net.not(inner.a), true, own)
                }
                _ => break,
            };
            let enabled = flip_flop.enable != ONE && rest != own;
            if enabled || (flip_flop.reset != ZERO && flip_flop.set != set) {
                break;
            }
            flip_flop.reset = self.net.or(flip_flop.reset, reset);
            (flip_flop.set, flip_flop.data) = (set, rest);
        }
    }

    /// What this round knows more.
    pub(super) fn learn(&self, known: &Known, uses: &Uses, fabric: Fabric) -> Known {
        let mut next = known.clone();
        // what each plane is known to be; a flip-flop that takes another's output follows it at once
        let mut same: Vec<Plane> = (0..self.net.nodes.len() as Plane).collect();
        while self.learn_bits(&mut next.bits, &mut same) {}
        next.kinds = self.kinds(uses, fabric);
        next
    }

    /// Flip-flops that are constant or like an earlier one, as far as the planes that they take show it. Whether any was found.
    fn learn_bits(&self, bits: &mut [Bit], same: &mut [Plane]) -> bool {
        let mut different: FxHashMap<FlipFlop, u32> = FxHashMap::default();
        different.reserve(bits.len());
        let mut found = false;
        for (index, bit) in bits.iter_mut().enumerate() {
            if *bit != Bit::Free {
                continue;
            }
            let mut flip_flop = self.flip_flops[index];
            let own = flip_flop.own;
            for plane in [
                &mut flip_flop.data,
                &mut flip_flop.enable,
                &mut flip_flop.reset,
            ] {
                *plane = same[*plane as usize];
            }
            let mut values = flip_flop
                .initial
                .into_iter()
                .chain((flip_flop.reset != ZERO).then_some(flip_flop.set))
                .chain((flip_flop.data <= ONE).then_some(flip_flop.data == ONE));
            let fixed = flip_flop.data <= ONE || flip_flop.data == own;
            let value = values.next().unwrap_or(false);
            if fixed && values.all(|v| v == value) {
                *bit = Bit::Constant(value);
                same[own as usize] = Plane::from(value);
                found = true;
                continue;
            }
            // what only a reset changes is told by its reset, not by its own output
            if flip_flop.data == own {
                flip_flop.data = NONE;
            }
            flip_flop.own = NONE;
            let other = *different.entry(flip_flop).or_insert(index as u32);
            if other != index as u32 {
                *bit = Bit::Like(other);
                same[own as usize] = self.flip_flops[other as usize].own;
                found = true;
            }
        }
        found
    }

    /// What a family makes of each memory that is read.
    pub(super) fn kinds(&self, uses: &Uses, fabric: Fabric) -> Vec<Option<Kind>> {
        let memories = self.netlist.memories.iter().enumerate();
        let kind = |(index, memory): (usize, &Memory)| {
            let given = self.stores[index]
                .reads
                .values()
                .flat_map(|(_, given)| given);
            let mut given = given
                .map(|p| *p as usize)
                .filter(|p| uses.reached.planes[*p])
                .peekable();
            given.peek()?;
            let registered = given.all(|p| {
                let readers = uses.readers[p];
                readers.number == 1 && readers.data
            });
            let (reads, writes) = self.ports(index);
            let ports = Ports {
                reads: reads.len(),
                writes: writes.len(),
                two_suffice: self.copies(index) == 1,
            };
            let size = (memory.depth, memory.width as usize);
            Some(fabric.kind(size, registered, ports))
        };
        memories.map(kind).collect()
    }
}
