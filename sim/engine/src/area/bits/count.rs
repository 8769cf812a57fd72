//! The count at the end.

use super::{FlipFlop, Known, Logic, Reached, Readers, Uses};
use crate::area::cover::{cover, under};
use crate::area::fabric::{BlockRams, Kind};
use crate::area::Census;
use crate::gates::net::{Plane, ONE, ZERO};
use crate::gates::Gate;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// A delay that becomes a shift register has as many clocks at least, and so many in one table.
const SHORTEST_SHIFT: u64 = 3;
const MOST_SHIFT: u64 = 32;
/// What yosys adds to a block RAM that holds its word between two reads and shows what is written meanwhile: flip-flops, and tables.
const HELD_FLIP_FLOPS: u64 = 8;
const HELD_TABLES: u64 = 7;

impl Logic<'_> {
    /// Delays of three clocks and more without a reset, of which nothing else reads the inner flip-flops: tables, and flip-flops that they replace.
    fn shifts(
        &self,
        reached: &Reached,
        readers: &[Readers],
        merged: &HashSet<Plane>,
    ) -> (u64, u64) {
        let link = |it: &FlipFlop| it.reset == ZERO && !merged.contains(&it.own);
        let before: HashMap<Plane, &FlipFlop> = self
            .kept(reached)
            .filter(|it| link(it))
            .map(|it| (it.own, it))
            .collect();
        let previous = |it: &FlipFlop| {
            before.get(&it.data).copied().filter(|p| {
                p.own != it.own
                    && readers[p.own as usize].number == 1
                    && p.enable == it.enable
                    && p.domain == it.domain
            })
        };
        let inner: HashSet<Plane> = before
            .values()
            .filter_map(|it| previous(it))
            .map(|it| it.own)
            .collect();
        let (mut tables, mut replaced) = (0, 0);
        for last in before.values().filter(|it| !inner.contains(&it.own)) {
            let (mut length, mut at) = (1, *last);
            while let Some(earlier) = previous(at) {
                length += 1;
                at = earlier;
            }
            if length >= SHORTEST_SHIFT {
                tables += length.div_ceil(MOST_SHIFT);
                replaced += length;
            }
        }
        (tables, replaced)
    }

    /// Block RAMs, and tables that are memory.
    pub(super) fn memories(&self, kinds: &[Option<Kind>], reached: &Reached) -> (BlockRams, u64) {
        let (mut block_rams, mut tables_in_all) = (BlockRams::default(), 0);
        for (index, kind) in kinds.iter().enumerate().filter(|(i, _)| reached.stores[*i]) {
            match *kind {
                Some(Kind::Block(rams)) => {
                    for _ in 0..self.copies(index) {
                        block_rams += rams;
                    }
                }
                Some(Kind::Distributed {
                    tables,
                    slice_words,
                }) => {
                    let slices = self.netlist.memories[index].depth.div_ceil(slice_words);
                    tables_in_all += tables * slices as u64;
                }
                None => {}
            }
        }
        (block_rams, tables_in_all)
    }

    /// Counts everything.
    pub(super) fn count(mut self, known: &Known, uses: &Uses) -> Census {
        let Uses {
            reached, readers, ..
        } = uses;
        let (block_rams, memory_tables) = self.memories(&known.kinds, reached);
        let mut census = Census {
            block_rams,
            memory_tables,
            ..Census::default()
        };
        let mut roots: Vec<Plane> = self.outputs.clone();
        let mut merged: HashSet<Plane> = HashSet::default();
        for (index, store) in self.stores.iter().enumerate() {
            if !reached.stores[index] {
                continue;
            }
            roots.extend(&store.inputs);
            for (address, given) in store.reads.values() {
                roots.extend(address);
                if matches!(known.kinds[index], Some(Kind::Block(_))) {
                    merged.extend(given);
                }
            }
        }
        let merged: HashSet<Plane> = self
            .kept(reached)
            .filter(|it| merged.contains(&it.data))
            .map(|it| it.own)
            .collect();
        for it in self.kept(reached) {
            roots.extend([it.enable, it.reset]);
            if it.data != it.own {
                roots.push(it.data);
            }
        }
        let held = self
            .kept(reached)
            .filter(|it| merged.contains(&it.own) && it.enable != ONE);
        let held = held.count() as u64;
        let kept = self.kept(reached).count();
        census.flip_flops = (kept - merged.len()) as u64;
        if held > 0 {
            census.flip_flops += 2 * held + HELD_FLIP_FLOPS;
            census.tables += held + HELD_TABLES;
        }
        if self.fabric.shifts_in_tables() {
            let (tables, replaced) = self.shifts(reached, readers, &merged);
            census.shift_tables = tables;
            census.flip_flops -= replaced;
        }
        let chains = std::mem::take(&mut self.chains);
        for (chain, top) in chains.iter().zip(&reached.tops) {
            let Some(top) = *top else { continue };
            census.carry_bits += (top as u64 + 1).next_multiple_of(2);
            roots.push(chain.carry);
            for (&a, &b) in chain.a[..=top].iter().zip(&chain.b[..=top]) {
                roots.push(a);
                roots.push(match self.fabric.sums_in_tables() {
                    true => self.net.xor(a, b),
                    false => b,
                });
            }
        }
        roots.sort_unstable();
        roots.dedup();
        let inverters = roots.iter().filter(|root| {
            let inner = under(&self.net, **root);
            inner != **root && self.net.nodes[inner as usize].gate == Gate::Leaf && inner > ONE
        });
        let nodes = self.net.nodes.iter().zip(&reached.planes);
        let sums = nodes.filter(|(node, live)| **live && node.gate == Gate::Xor);
        census.exclusive_ors = sums.count() as u64;
        census.tables =
            inverters.count() as u64 + cover(&self.net, &roots, self.fabric.table_sizes());
        census
    }
}
