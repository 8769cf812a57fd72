//! Reachability: which bits the outputs depend on, and which read which.

use super::{ChainKind, FlipFlop, Logic, Reached, Readers, Source, Uses};
use crate::gates::net::{Plane, ONE, ZERO};
use crate::gates::Gate;

impl Logic<'_> {
    /// Different addresses at which a memory is read and written. Words at addresses that differ in constants alone are one wide word.
    pub(super) fn ports(&self, memory: usize) -> (Vec<Vec<Plane>>, Vec<Vec<Plane>>) {
        let store = &self.stores[memory];
        let distinct = |addresses: &mut dyn Iterator<Item = &Vec<Plane>>| {
            let mut found: Vec<Vec<Plane>> = vec![];
            for address in addresses {
                let varying: Vec<Plane> = address.iter().copied().filter(|p| *p > ONE).collect();
                if !found.contains(&varying) {
                    found.push(varying);
                }
            }
            found
        };
        (
            distinct(&mut store.reads.values().map(|(address, _)| address)),
            distinct(&mut store.writes.iter()),
        )
    }

    /// Copies of a memory: one where a port each for two addresses suffices, otherwise one for each address that is read.
    pub(super) fn copies(&self, memory: usize) -> usize {
        let (reads, writes) = self.ports(memory);
        let more = writes
            .iter()
            .filter(|address| !reads.contains(address))
            .count();
        match reads.len() + more {
            0..=2 => 1,
            _ => reads.len(),
        }
    }

    /// Flip-flops that remain.
    pub(super) fn kept<'a>(&'a self, reached: &'a Reached) -> impl Iterator<Item = &'a FlipFlop> {
        let all = self.flip_flops.iter().zip(&reached.flip_flops);
        all.filter(|(_, reached)| **reached).map(|(it, _)| it)
    }
}

impl Uses {
    /// Everything that the outputs depend on, and what reads it.
    pub(super) fn new(logic: &Logic) -> Self {
        let mut uses = Self {
            reached: Reached {
                planes: vec![false; logic.net.nodes.len()],
                flip_flops: vec![false; logic.flip_flops.len()],
                stores: vec![false; logic.stores.len()],
                tops: vec![None; logic.chains.len()],
            },
            readers: vec![Readers::default(); logic.net.nodes.len()],
            open: vec![],
        };
        uses.read(&logic.outputs);
        while let Some(plane) = uses.open.pop() {
            let node = logic.net.nodes[plane as usize];
            if node.gate != Gate::Leaf {
                node.operands().for_each(|operand| uses.read(&[operand]));
                continue;
            }
            match logic.sources.get(plane as usize).copied().flatten() {
                Some(Source::Register(index)) => {
                    uses.reached.flip_flops[index as usize] = true;
                    uses.read_by(&logic.flip_flops[index as usize]);
                }
                Some(Source::Chain(index, bit)) => {
                    let chain = &logic.chains[index as usize];
                    let bit = match chain.kind {
                        ChainKind::Less => chain.a.len() - 1,
                        _ => bit as usize,
                    };
                    let top = uses.reached.tops[index as usize];
                    if top.is_none() {
                        uses.read(&[chain.carry]);
                    }
                    let from = top.map_or(0, |top| top + 1);
                    if from <= bit {
                        uses.read(&chain.a[from..=bit]);
                        uses.read(&chain.b[from..=bit]);
                        uses.reached.tops[index as usize] = Some(bit);
                    }
                }
                Some(Source::Memory(index)) => {
                    if !std::mem::replace(&mut uses.reached.stores[index as usize], true) {
                        let store = &logic.stores[index as usize];
                        uses.read(&store.inputs);
                        for (address, _) in store.reads.values() {
                            uses.read(address);
                        }
                    }
                }
                Some(Source::Input) | None => {}
            }
        }
        uses
    }

    /// What something reads that is no flip-flop.
    fn read(&mut self, planes: &[Plane]) {
        for &plane in planes {
            self.readers[plane as usize].number += 1;
            if !std::mem::replace(&mut self.reached.planes[plane as usize], true) {
                self.open.push(plane);
            }
        }
    }

    /// What a flip-flop reads.
    fn read_by(&mut self, it: &FlipFlop) {
        if it.data != it.own {
            self.readers[it.data as usize].data |= it.reset == ZERO;
            self.read(&[it.data]);
        }
        self.read(&[it.enable, it.reset]);
    }
}
