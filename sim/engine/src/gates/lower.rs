//! The netlist as gates that have no slots yet.

use super::net::{Net, Plane};
use super::order::{fuse, live, stores};
use super::{Home, Lookup, ReadCode, Store, WriteCode};
use crate::ir::{Bits, Id, Netlist, Op};

/// A netlist of one clock as gates. Lookups, reads and writes name planes where they will name slots.
pub(crate) struct Lowered {
    pub(super) net: Net,
    /// Number and planes of each word of the inputs.
    pub(super) inputs: Vec<(u32, Vec<Plane>)>,
    /// Planes of each register word and of its next value.
    pub(super) registers: Vec<(Vec<Plane>, Vec<Plane>)>,
    pub(super) outputs: Vec<Vec<Plane>>,
    pub(super) stores: Vec<Store>,
    pub(super) homes: Vec<Home>,
    pub(super) lookups: Vec<Lookup>,
    pub(super) reads: Vec<ReadCode>,
    /// Memory of each read and of each write.
    pub(super) reads_of: Vec<u32>,
    pub(super) writes: Vec<WriteCode>,
    pub(super) writes_of: Vec<u32>,
}

impl Lowered {
    /// Planes that must be known at the end of a clock: next values, outputs, addresses and what is written.
    pub(super) fn roots(&self) -> Vec<Plane> {
        let mut roots: Vec<Plane> = vec![];
        self.registers
            .iter()
            .for_each(|(_, next)| roots.extend(next));
        self.outputs.iter().for_each(|word| roots.extend(word));
        self.lookups.iter().for_each(|l| roots.extend(&l.address));
        for write in &self.writes {
            roots.push(write.enable);
            roots.extend(&write.address);
            write.data.iter().for_each(|limb| roots.extend(limb));
        }
        roots
    }
}

/// Lowers a netlist of one clock.
pub(crate) fn lower(netlist: &Netlist, outputs: &[Bits]) -> Lowered {
    let graph = &netlist.graph;
    let mut net = Net::default();
    net.leaf();
    net.leaf();
    let live = live(netlist, outputs);
    let mut planes: Vec<Vec<Plane>> = vec![vec![]; graph.ops.len()];
    let (stores, homes) = stores(netlist, &live);
    // Reads of a store at one address are one lookup.
    let mut lookups: Vec<(u32, Id)> = vec![];
    let (mut reads, mut reads_of) = (vec![], vec![]);
    for id in 0..graph.ops.len() {
        if !live[id] {
            continue;
        }
        let (op, width) = (&graph.ops[id], u32::from(graph.widths[id]));
        planes[id] = match *op {
            Op::Input(_) | Op::Register(_) => (0..width).map(|_| net.leaf()).collect(),
            Op::Read {
                memory,
                limb,
                address,
            } => {
                let (store, first) = homes[memory as usize];
                let lookup = lookups.iter().position(|l| *l == (store, address));
                let lookup = lookup.unwrap_or_else(|| {
                    lookups.push((store, address));
                    lookups.len() - 1
                });
                let data: Vec<Plane> = (0..width).map(|_| net.leaf()).collect();
                reads_of.push(memory);
                reads.push(ReadCode {
                    store,
                    word: first + limb,
                    lookup: lookup as u32,
                    data: data.clone(),
                });
                data
            }
            _ => net.bits(graph, op, width, &|x| planes[x as usize].as_slice()),
        };
    }
    let of = |id: Id| planes[id as usize].clone();
    let (mut writes, mut writes_of) = (vec![], vec![]);
    for (index, memory) in netlist.memories.iter().enumerate() {
        for write in &memory.writes {
            writes_of.push(index as u32);
            writes.push(WriteCode {
                store: homes[index].0,
                word: homes[index].1,
                enable: of(write.enable)[0],
                address: of(write.address),
                data: write.data.limbs.iter().map(|l| of(*l)).collect(),
            });
        }
    }
    let inputs = graph.ops.iter().enumerate().filter(|(id, _)| live[*id]);
    let inputs = inputs.filter_map(|(id, op)| match op {
        Op::Input(word) => Some((*word, planes[id].clone())),
        _ => None,
    });
    let lookups = lookups.iter().map(|(store, address)| Lookup {
        store: *store,
        address: of(*address),
    });
    let registers = netlist.registers.iter();
    let mut lowered = Lowered {
        inputs: inputs.collect(),
        registers: registers.map(|r| (of(r.node), of(r.next))).collect(),
        outputs: outputs
            .iter()
            .flat_map(|b| &b.limbs)
            .map(|l| of(*l))
            .collect(),
        stores,
        homes,
        lookups: lookups.collect(),
        reads,
        reads_of,
        writes,
        writes_of,
        net,
    };
    let roots = lowered.roots();
    fuse(&mut lowered.net, &roots);
    lowered
}
