//! The many-lane engine's program: gates of two and three inputs on planes of one bit a lane.
//!
//! The words of the netlist become bits; gates go in batches of one kind; a register's bit is overwritten in place once
//! everything that reads its old value has run.

mod net;
mod order;

use crate::ir::{Bits, Id, Netlist, Op};
use net::{Net, Plane, NONE};
use order::{count, fuse, live, schedule, stores};
use std::collections::HashMap;

/// What a gate computes of its inputs `a`, `b` and `c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Gate {
    /// No gate: a constant, an input, a register or a bit that a memory gives.
    Leaf,
    Copy,
    Not,
    And,
    /// `a & !b`.
    AndNot,
    Or,
    Xor,
    /// `a ? b : c`.
    Choose,
    And3,
    Or3,
    Xor3,
    /// `(a & b) | c`.
    AndOr,
    /// `(a | b) & c`.
    OrAnd,
    /// `(a & b) ^ c`.
    AndXor,
    /// Addresses of lookup `a` from planes to words.
    Address,
    /// Words of lookup `a` from memory to planes.
    Read,
    /// Write `a`.
    Write,
}
const KINDS: usize = Gate::Write as usize + 1;

/// A store's addresses, and words at each.
type Store = (usize, usize);

/// Store of a memory, and which of the store's words at an address is the memory's first.
type Home = (u32, u32);

/// A gate with its slots: the result, then the inputs.
pub(crate) type GateCode = [u32; 4];

/// Gates of one kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Batch {
    pub gate: Gate,
    pub from: u32,
    pub to: u32,
}

/// A read of a memory.
#[derive(Debug, Clone)]
pub(crate) struct ReadCode {
    pub store: u32,
    /// Which of the store's words at an address.
    pub word: u32,
    /// Whose addresses.
    pub lookup: u32,
    pub data: Vec<u32>,
}

/// A write of a memory, by slots.
#[derive(Debug, Clone)]
pub(crate) struct WriteCode {
    pub store: u32,
    /// Which of the store's words at an address is the first.
    pub word: u32,
    pub enable: u32,
    pub address: Vec<u32>,
    /// The planes of each limb.
    pub data: Vec<Vec<u32>>,
}

#[derive(Debug, Clone)]
pub(crate) struct GateProgram {
    pub slots: usize,
    pub code: Vec<GateCode>,
    pub batches: Vec<Batch>,
    /// Store and slots of the address of each lookup.
    pub lookups: Vec<(u32, Vec<u32>)>,
    pub stores: Vec<Store>,
    /// Of each memory.
    pub homes: Vec<Home>,
    pub reads: Vec<ReadCode>,
    pub writes: Vec<WriteCode>,
    /// Registers' bits that are made beside and move when the clock has ended: to, from.
    pub late: Vec<(u32, u32)>,
    /// First slot of each register word and of each input word.
    pub registers: Vec<u32>,
    pub inputs: HashMap<u32, u32>,
    /// Slots of the bits of each word of the outputs.
    pub outputs: Vec<Vec<u32>>,
}

/// Something to be run, before it has slots.
struct Step {
    gate: Gate,
    /// Index of the lookup, read or write.
    index: u32,
    results: Vec<Plane>,
    operands: Vec<Plane>,
    /// Steps that come before, besides those that make the operands.
    after: Vec<usize>,
}

/// Compiles a netlist of one clock.
pub(crate) fn compile(netlist: &Netlist, outputs: &[Bits]) -> GateProgram {
    let graph = &netlist.graph;
    let mut net = Net::default();
    net.leaf();
    net.leaf();
    let live = live(netlist, outputs);
    let mut planes: Vec<Vec<Plane>> = vec![vec![]; graph.ops.len()];
    let (stores, homes) = stores(netlist, &live);
    // Reads of a store at one address are one lookup.
    let mut lookups: Vec<(u32, Id)> = vec![];
    let mut reads: Vec<(u32, u32, usize, Id)> = vec![];
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
                let store = homes[memory as usize].0;
                let lookup = lookups.iter().position(|l| *l == (store, address));
                let lookup = lookup.unwrap_or_else(|| {
                    lookups.push((store, address));
                    lookups.len() - 1
                });
                reads.push((memory, limb, lookup, id as Id));
                (0..width).map(|_| net.leaf()).collect()
            }
            _ => net.bits(graph, op, width, &|x| planes[x as usize].clone()),
        };
    }
    let of = |bits: &[Id]| -> Vec<Plane> {
        bits.iter()
            .flat_map(|l| planes[*l as usize].clone())
            .collect()
    };
    let mut roots: Vec<Plane> = vec![];
    for register in &netlist.registers {
        roots.extend(&planes[register.next as usize]);
    }
    for write in netlist.memories.iter().flat_map(|m| &m.writes) {
        roots.extend(of(&[write.enable, write.address]));
        roots.extend(of(&write.data.limbs));
    }
    for (_, address) in &lookups {
        roots.extend(&planes[*address as usize]);
    }
    for bits in outputs {
        roots.extend(of(&bits.limbs));
    }
    fuse(&mut net, &roots);
    let uses = count(&net, &roots);

    let mut steps: Vec<Step> = vec![];
    for (plane, node) in net.nodes.iter().enumerate() {
        if uses[plane] > 0 && node.gate != Gate::Leaf {
            steps.push(Step {
                gate: node.gate,
                index: 0,
                results: vec![plane as Plane],
                operands: node.operands().collect(),
                after: vec![],
            });
        }
    }
    let mut special = |gate, index: usize, results, operands, after| {
        steps.push(Step {
            gate,
            index: index as u32,
            results,
            operands,
            after,
        });
        steps.len() - 1
    };
    let mut address_steps = vec![];
    for (index, (_, address)) in lookups.iter().enumerate() {
        let operands = planes[*address as usize].clone();
        address_steps.push(special(Gate::Address, index, vec![], operands, vec![]));
    }
    let mut readers: Vec<Vec<usize>> = vec![vec![]; netlist.memories.len()];
    for (index, (memory, _, lookup, id)) in reads.iter().enumerate() {
        let results = planes[*id as usize].clone();
        let after = vec![address_steps[*lookup]];
        let step = special(Gate::Read, index, results, vec![], after);
        readers[*memory as usize].push(step);
    }
    let mut writes = vec![];
    for (index, memory) in netlist.memories.iter().enumerate() {
        let mut after = readers[index].clone();
        for write in &memory.writes {
            let data: Vec<Vec<Plane>> = write.data.limbs.iter().map(|l| of(&[*l])).collect();
            let (enable, address) = (planes[write.enable as usize][0], of(&[write.address]));
            let operands = [vec![enable], address.clone(), data.concat()].concat();
            let step = special(Gate::Write, writes.len(), vec![], operands, after.clone());
            after.push(step);
            writes.push((index as u32, enable, address, data));
        }
    }
    // Outputs are copied, so that registers among them can be overwritten.
    let mut names = net.nodes.len() as Plane;
    let mut output_planes = vec![];
    for limb in outputs.iter().flat_map(|b| &b.limbs) {
        let mut word = vec![];
        for &plane in &planes[*limb as usize] {
            special(Gate::Copy, 0, vec![names], vec![plane], vec![]);
            word.push(names);
            names += 1;
        }
        output_planes.push(word);
    }
    // What a register takes: the gate that makes it writes to its place, or a copy does.
    let made: Vec<bool> = (0..names as usize)
        .map(|p| net.nodes.get(p).is_some_and(|n| n.gate != Gate::Leaf))
        .collect();
    let mut place: HashMap<Plane, Plane> = HashMap::new();
    for register in &netlist.registers {
        let next = &planes[register.next as usize];
        let own = &planes[register.node as usize];
        for (&next, &q) in next.iter().zip(own) {
            if next == q {
                continue;
            }
            if made[next as usize] && !place.contains_key(&next) {
                place.insert(next, q);
            } else {
                special(Gate::Copy, 0, vec![names], vec![next], vec![]);
                place.insert(names, q);
                names += 1;
            }
        }
    }
    let (order, late) = schedule(&steps, &place, names);

    // Slots: constants, inputs, registers and outputs for good, the rest for as long as it is read.
    let mut slot = vec![NONE; names as usize];
    (slot[0], slot[1]) = (0, 1);
    let mut top = 2u32;
    let mut inputs = HashMap::new();
    let mut give = |planes: &[Plane], slot: &mut Vec<u32>| {
        for &plane in planes {
            slot[plane as usize] = top;
            top += 1;
        }
        top - planes.len() as u32
    };
    for (id, op) in graph.ops.iter().enumerate() {
        if let Op::Input(word) = op {
            if live[id] {
                inputs.insert(*word, give(&planes[id], &mut slot));
            }
        }
    }
    let registers: Vec<u32> = netlist
        .registers
        .iter()
        .map(|r| give(&planes[r.node as usize], &mut slot))
        .collect();
    for word in &output_planes {
        give(word, &mut slot);
    }
    let mut moves = vec![];
    for (&plane, &q) in &place {
        if late.contains(&plane) {
            let beside = give(&[plane], &mut slot);
            moves.push((slot[q as usize], beside));
        } else {
            slot[plane as usize] = slot[q as usize];
        }
    }
    moves.sort_unstable();
    let mut last = vec![0usize; names as usize];
    for (at, &step) in order.iter().enumerate() {
        for &operand in &steps[step].operands {
            last[operand as usize] = at;
        }
    }
    let mut free: Vec<u32> = vec![];
    let (mut code, mut batches): (Vec<GateCode>, Vec<Batch>) = (vec![], vec![]);
    let mut temporary = vec![false; names as usize];
    for (at, &index) in order.iter().enumerate() {
        let step = &steps[index];
        for &result in &step.results {
            if slot[result as usize] == NONE {
                temporary[result as usize] = true;
                slot[result as usize] = free.pop().unwrap_or_else(|| {
                    top += 1;
                    top - 1
                });
            }
        }
        // Freed after the results have theirs: a gate may read what it overwrites, a batch of planes may not.
        let mut seen = vec![];
        for &operand in &step.operands {
            if temporary[operand as usize]
                && last[operand as usize] == at
                && !seen.contains(&operand)
            {
                free.push(slot[operand as usize]);
                seen.push(operand);
            }
        }
        match batches.last_mut() {
            Some(batch) if batch.gate == step.gate => batch.to += 1,
            _ => batches.push(Batch {
                gate: step.gate,
                from: at as u32,
                to: at as u32 + 1,
            }),
        }
        let operand = |n: usize| step.operands.get(n).map_or(0, |p| slot[*p as usize]);
        code.push(match step.gate {
            Gate::Address | Gate::Read | Gate::Write => [step.index, 0, 0, 0],
            _ => [
                slot[step.results[0] as usize],
                operand(0),
                operand(1),
                operand(2),
            ],
        });
    }
    let slots =
        |planes: &[Plane]| -> Vec<u32> { planes.iter().map(|p| slot[*p as usize]).collect() };
    GateProgram {
        slots: top as usize,
        code,
        batches,
        lookups: lookups
            .iter()
            .map(|(store, address)| (*store, slots(&planes[*address as usize])))
            .collect(),
        reads: reads
            .iter()
            .map(|(memory, limb, lookup, id)| ReadCode {
                store: homes[*memory as usize].0,
                word: homes[*memory as usize].1 + limb,
                lookup: *lookup as u32,
                data: slots(&planes[*id as usize]),
            })
            .collect(),
        writes: writes
            .iter()
            .map(|(memory, enable, address, data)| WriteCode {
                store: homes[*memory as usize].0,
                word: homes[*memory as usize].1,
                enable: slot[*enable as usize],
                address: slots(address),
                data: data.iter().map(|limb| slots(limb)).collect(),
            })
            .collect(),
        stores,
        homes,
        late: moves,
        registers,
        inputs,
        outputs: output_planes.iter().map(|word| slots(word)).collect(),
    }
}
