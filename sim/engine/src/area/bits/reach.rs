//! What the outputs depend on, and what reads what.

use super::{ChainKind, FlipFlop, Logic, Reached, Reader, Readers, Source};
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
            distinct(&mut store.reads.iter().map(|(address, _)| address)),
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

    /// Everything that the outputs depend on.
    pub(super) fn reach(&self) -> Reached {
        let mut reached = Reached {
            planes: vec![false; self.net.nodes.len()],
            flip_flops: vec![false; self.flip_flops.len()],
            stores: vec![false; self.stores.len()],
            tops: vec![None; self.chains.len()],
        };
        let mut open: Vec<Plane> = self.outputs.clone();
        while let Some(plane) = open.pop() {
            if std::mem::replace(&mut reached.planes[plane as usize], true) {
                continue;
            }
            let node = self.net.nodes[plane as usize];
            if node.gate != Gate::Leaf {
                open.extend(node.operands());
                continue;
            }
            match self.sources.get(&plane) {
                Some(Source::Register(index)) => {
                    reached.flip_flops[*index as usize] = true;
                    let it = &self.flip_flops[*index as usize];
                    open.extend([it.data, it.enable, it.reset]);
                }
                Some(Source::Chain(index, bit)) => {
                    let chain = &self.chains[*index as usize];
                    let top = &mut reached.tops[*index as usize];
                    let bit = match chain.kind {
                        ChainKind::Less => chain.a.len() - 1,
                        _ => *bit as usize,
                    };
                    open.push(chain.carry);
                    let from = top.map_or(0, |top| top + 1);
                    if from <= bit {
                        open.extend(&chain.a[from..=bit]);
                        open.extend(&chain.b[from..=bit]);
                        *top = Some(bit);
                    }
                }
                Some(Source::Memory(index)) => {
                    reached.stores[*index as usize] = true;
                    let store = &self.stores[*index as usize];
                    open.extend(&store.inputs);
                    for (address, _) in &store.reads {
                        open.extend(address);
                    }
                }
                Some(Source::Input) | None => {}
            }
        }
        reached
    }

    /// Flip-flops that remain.
    pub(super) fn kept<'a>(&'a self, reached: &'a Reached) -> impl Iterator<Item = &'a FlipFlop> {
        let all = self.flip_flops.iter().zip(&reached.flip_flops);
        all.filter(|(_, reached)| **reached).map(|(it, _)| it)
    }

    /// What reads each plane.
    pub(super) fn readers(&self, reached: &Reached) -> Vec<Readers> {
        let mut readers = vec![Readers::default(); self.net.nodes.len()];
        let mut add = |plane: Plane, reader| {
            let readers = &mut readers[plane as usize];
            readers.first_is_data |= readers.number == 0 && reader == Reader::Data;
            readers.number += 1;
        };
        for (plane, node) in self.net.nodes.iter().enumerate() {
            if reached.planes[plane] {
                node.operands().for_each(|p| add(p, Reader::Logic));
            }
        }
        for it in self.kept(reached) {
            if it.data != it.own {
                add(
                    it.data,
                    if it.reset == ZERO {
                        Reader::Data
                    } else {
                        Reader::Logic
                    },
                );
            }
            add(it.enable, Reader::Logic);
            add(it.reset, Reader::Logic);
        }
        self.outputs.iter().for_each(|p| add(*p, Reader::Logic));
        for (chain, top) in self.chains.iter().zip(&reached.tops) {
            if let Some(top) = top {
                add(chain.carry, Reader::Logic);
                chain.a[..=*top]
                    .iter()
                    .chain(&chain.b[..=*top])
                    .for_each(|p| add(*p, Reader::Logic));
            }
        }
        for (store, _) in self.stores.iter().zip(&reached.stores).filter(|(_, r)| **r) {
            store.inputs.iter().for_each(|p| add(*p, Reader::Logic));
            for (address, _) in &store.reads {
                address.iter().for_each(|p| add(*p, Reader::Logic));
            }
        }
        readers
    }
}
