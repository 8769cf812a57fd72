//! Sums and comparisons: carry chains, and gates where they are short.

use super::{Chain, ChainKind, Logic, Source};
use crate::gates::net::{Plane, ONE, ZERO};
use crate::ir::{Bits, Graph, Id, Netlist, Op};

/// Sums that only another sum of their width reads, so that both become one.
pub(super) fn inner_sums(netlist: &Netlist, outputs: &[Bits], live: &[bool]) -> Vec<bool> {
    let graph = &netlist.graph;
    let mut readers = vec![0u32; graph.ops.len()];
    let mut in_sum = vec![false; graph.ops.len()];
    for (id, op) in graph.ops.iter().enumerate().filter(|(id, _)| live[*id]) {
        op.operands(|x| {
            readers[x as usize] += 1;
            in_sum[x as usize] =
                matches!(op, Op::Add(..)) && graph.widths[id] == graph.widths[x as usize];
        });
    }
    let mut others: Vec<Id> = netlist.registers.iter().map(|r| r.next).collect();
    others.extend(outputs.iter().flat_map(|bits| bits.limbs.clone()));
    for write in netlist.memories.iter().flat_map(|m| &m.writes) {
        others.extend([write.enable, write.address]);
        others.extend(&write.data.limbs);
    }
    for id in others {
        readers[id as usize] += 2;
    }
    (0..graph.ops.len())
        .map(|id| matches!(graph.ops[id], Op::Add(..)) && in_sum[id] && readers[id] == 1)
        .collect()
}

/// The words that a sum adds, in the order of the netlist: a chain takes each bit of the first by itself, too.
pub(super) fn parts(graph: &Graph, sum: Id, inner: &[bool]) -> Vec<Id> {
    let mut open = vec![sum];
    let mut found = vec![];
    while let Some(id) = open.pop() {
        match *graph.op(id) {
            Op::Add(a, b) if id == sum || inner[id as usize] => open.extend([b, a]),
            _ => found.push(id),
        }
    }
    found
}

impl Logic<'_> {
    /// The sum of several words: one chain, and full adders before it that leave it two bits of each weight and a carry.
    pub(super) fn total(&mut self, words: &[&[Plane]]) -> Vec<Plane> {
        if let [a, b] = words {
            return self.sum(ChainKind::Sum, a, b, ZERO);
        }
        let width = words.iter().map(|word| word.len()).max().unwrap_or(0);
        let mut columns: Vec<Vec<Plane>> = vec![vec![]; width + 1];
        for word in words {
            for (column, plane) in columns.iter_mut().zip(*word) {
                column.extend((*plane != ZERO).then_some(*plane));
            }
        }
        let low = columns.iter().take_while(|column| column.len() < 2).count();
        for at in low..width {
            let most = if at == low { 3 } else { 2 };
            while columns[at].len() > most {
                let three: Vec<Plane> = columns[at].drain(..3).collect();
                let differ = self.net.xor(three[0], three[1]);
                let sum = self.net.xor(differ, three[2]);
                let carry = self.net.choose(differ, three[2], three[0]);
                columns[at].push(sum);
                columns[at + 1].push(carry);
            }
        }
        columns.truncate(width);
        let row = |place: usize| -> Vec<Plane> {
            let bit = |column: &Vec<Plane>| column.get(place).copied().unwrap_or(ZERO);
            columns.iter().map(bit).collect()
        };
        let (a, b, carry) = (row(0), row(1), row(2));
        let carry = carry.into_iter().find(|p| *p != ZERO);
        self.sum(ChainKind::Sum, &a, &b, carry.unwrap_or(ZERO))
    }

    /// A sum or difference: a chain between its lowest bit that carries and its highest.
    pub(super) fn sum(
        &mut self,
        kind: ChainKind,
        a: &[Plane],
        b: &[Plane],
        carry: Plane,
    ) -> Vec<Plane> {
        let width = a.len();
        let idle = |i: &usize| b[*i] == ZERO || (kind == ChainKind::Sum && a[*i] == ZERO);
        let low = (0..width).take_while(idle).count();
        let top = (0..width)
            .rev()
            .find(|i| a[*i] != ZERO || b[*i] != ZERO)
            .map_or(0, |i| i + 2)
            .min(width);
        let mut result: Vec<Plane> = (0..low)
            .map(|i| if b[i] == ZERO { a[i] } else { b[i] })
            .collect();
        let (a_part, b_part) = (&a[low..top.max(low)], &b[low..top.max(low)]);
        if a_part.len() > self.fabric.longest_sum_in_gates() {
            result.extend(self.chain(kind, a_part, b_part, carry));
        } else {
            let (b_part, carry): (Vec<Plane>, Plane) = match kind {
                ChainKind::Difference => (b_part.iter().map(|p| self.net.not(*p)).collect(), ONE),
                _ => (b_part.to_vec(), carry),
            };
            result.extend(self.net.add(a_part, &b_part, carry).0);
        }
        let above = match (kind, result.last()) {
            (ChainKind::Difference, Some(&sign)) => sign,
            _ => ZERO,
        };
        result.resize(width, above);
        result
    }

    pub(super) fn chain(
        &mut self,
        kind: ChainKind,
        a: &[Plane],
        b: &[Plane],
        carry: Plane,
    ) -> Vec<Plane> {
        let key = (kind, a.to_vec(), b.to_vec(), carry);
        if let Some(planes) = self.known_chains.get(&key) {
            return planes.clone();
        }
        let chain = self.chains.len() as u32;
        let wide = match kind {
            ChainKind::Less => 1,
            _ => a.len() as u32,
        };
        let planes: Vec<Plane> = (0..wide)
            .map(|bit| self.leaf(Source::Chain(chain, bit)))
            .collect();
        self.chains.push(Chain {
            kind,
            a: a.to_vec(),
            b: b.to_vec(),
            carry,
        });
        self.known_chains.insert(key, planes.clone());
        planes
    }

    /// A comparison: gates where one side is a constant and a table takes the other, a chain otherwise.
    pub(super) fn less(&mut self, a: &[Plane], b: &[Plane]) -> Plane {
        let top = (0..a.len())
            .rev()
            .find(|i| a[*i] != ZERO || b[*i] != ZERO)
            .map_or(0, |i| i + 1);
        let inputs = |i: &usize| usize::from(a[*i] > ONE) + usize::from(b[*i] > ONE);
        let places: Vec<usize> = (0..top).collect();
        let most = self.fabric.table_inputs();
        let one_side = places.iter().all(|i| a[*i] <= ONE) || places.iter().all(|i| b[*i] <= ONE);
        // groups of bits, of which two tables make the carry, where the family makes comparisons so
        let mut groups: Vec<Vec<usize>> = vec![];
        let mut room = 0;
        for place in places.iter().rev() {
            let needed = inputs(place);
            match groups.last_mut() {
                Some(group) if needed <= room && self.fabric.sums_in_tables() => group.push(*place),
                _ => {
                    groups.push(vec![*place]);
                    room = most;
                }
            }
            room -= needed.min(room);
        }
        let few = groups.len() <= self.fabric.longest_sum_in_gates();
        if few || (top <= most && one_side) {
            return places.iter().fold(ZERO, |borrow, i| {
                let differ = self.net.xor(a[*i], b[*i]);
                self.net.choose(differ, b[*i], borrow)
            });
        }
        if !self.fabric.sums_in_tables() {
            return self.chain(ChainKind::Less, &a[..top], &b[..top], ZERO)[0];
        }
        let (mut takes, mut passes) = (vec![], vec![]);
        for group in groups.iter().rev() {
            let (mut take, mut pass) = (ZERO, ONE);
            for i in group.iter().rev() {
                let differ = self.net.xor(a[*i], b[*i]);
                take = self.net.choose(differ, b[*i], take);
                let same = self.net.not(differ);
                pass = self.net.and(pass, same);
            }
            takes.push(take);
            passes.push(pass);
        }
        self.chain(ChainKind::Less, &takes, &passes, ZERO)[0]
    }
}
