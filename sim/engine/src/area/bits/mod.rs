//! The netlist as gates, flip-flops, carry chains and memories, as synthesis sees them.

mod chains;
mod count;
mod flip_flops;
mod reach;

use super::fabric::{Fabric, Kind};
use super::Census;
use crate::gates::net::{Net, Plane, ONE, ZERO};
use crate::gates::order::live;
use crate::ir::{Bits, Id, Memory, Netlist, Op, Register};
use chains::{inner_sums, parts};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;

/// Most rounds of removing flip-flops.
const MOST_ROUNDS: usize = 64;
/// Names of inputs that reset flip-flops: at one, and at zero.
const RESETS: [(&str, bool); 2] = [("reset", true), ("aresetn", false)];

/// Census of a netlist; and of another family, if that one's memories alone differ, and in no round in how they are sliced.
pub(super) fn census(
    netlist: &Netlist,
    outputs: &[Bits],
    fabric: Fabric,
    other: Option<Fabric>,
) -> (Census, Option<Census>) {
    let mut other = other.filter(|other| other.logic_is_alike(fabric));
    let order = Order::new(netlist, outputs);
    let mut known = Known::new(netlist);
    let mut other_kinds = known.kinds.clone();
    let mut logic = Logic::new(netlist, fabric, Net::default());
    logic.make(&order, &known, None);
    for round in 0.. {
        let mut uses = Uses::new(&logic);
        let next = logic.learn(&known, &uses, fabric);
        if next == known || round == MOST_ROUNDS {
            if round > 0 {
                // the cover depends on the order of the gates: that in which they are made at once
                logic = Logic::new(netlist, fabric, logic.net);
                logic.make(&order, &known, None);
                uses = Uses::new(&logic);
            }
            let of_other = other.map(|_| logic.memories(&other_kinds, &uses.reached));
            let census = logic.count(&known, &uses);
            let other = of_other.map(|(block_rams, memory_tables)| Census {
                block_rams,
                memory_tables,
                ..census.clone()
            });
            return (census, other);
        }
        if let Some(fabric) = other {
            other_kinds = logic.kinds(&uses, fabric);
            if !sliced_alike(&other_kinds, &next.kinds) {
                other = None;
            }
        }
        logic.make(&order, &next, Some(&known));
        known = next;
    }
    unreachable!("the rounds end")
}

/// Whether memories differ in the number of their tables and block RAMs alone.
fn sliced_alike(some: &[Option<Kind>], others: &[Option<Kind>]) -> bool {
    some.iter().map(slice).eq(others.iter().map(slice))
}

/// Words of a slice of a memory, if it is known and has slices.
fn slice(kind: &Option<Kind>) -> Option<Option<usize>> {
    kind.map(|kind| match kind {
        Kind::Block(_) => None,
        Kind::Distributed { slice_words, .. } => Some(slice_words),
    })
}

/// What is known of a bit of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bit {
    Free,
    Constant(bool),
    /// Always equal to this earlier bit.
    Like(u32),
}

/// What earlier rounds found.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Known {
    bits: Vec<Bit>,
    kinds: Vec<Option<Kind>>,
}

impl Known {
    fn new(netlist: &Netlist) -> Self {
        let bits = netlist.registers.iter().map(|r| r.width as usize).sum();
        Self {
            bits: vec![Bit::Free; bits],
            kinds: vec![None; netlist.memories.len()],
        }
    }
}

/// What gives a leaf.
#[derive(Debug, Clone, Copy)]
enum Source {
    Input,
    /// Index of a flip-flop.
    Register(u32),
    /// Index of a chain.
    Chain(u32, u32),
    /// Index of a memory.
    Memory(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ChainKind {
    Sum,
    Difference,
    Less,
}

/// A carry chain.
#[derive(Debug)]
struct Chain {
    kind: ChainKind,
    a: Vec<Plane>,
    b: Vec<Plane>,
    carry: Plane,
}

/// A flip-flop: its data, enables and resets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct FlipFlop {
    own: Plane,
    data: Plane,
    enable: Plane,
    reset: Plane,
    /// Value at a reset.
    set: bool,
    domain: u32,
    initial: Option<bool>,
}

/// Inputs of a memory's writes, and planes that it gives.
#[derive(Debug, Default)]
struct Store {
    inputs: Vec<Plane>,
    writes: Vec<Vec<Plane>>,
    /// Address and planes of each node of the netlist that reads it.
    reads: BTreeMap<Id, (Vec<Plane>, Vec<Plane>)>,
}

/// Kind, both words and the carry that enters.
type ChainKey = (ChainKind, Vec<Plane>, Vec<Plane>, Plane);

/// What every round goes by.
struct Order<'n> {
    outputs: &'n [Bits],
    live: Vec<bool>,
    /// Sums that become one with another.
    inner: Vec<bool>,
    /// Of each word of registers its first bit among all.
    firsts: Vec<u32>,
}

impl<'n> Order<'n> {
    fn new(netlist: &Netlist, outputs: &'n [Bits]) -> Self {
        let live = live(netlist, outputs);
        let first = |at: &mut u32, register: &Register| {
            *at += register.width;
            Some(*at - register.width)
        };
        Self {
            outputs,
            inner: inner_sums(netlist, outputs, &live),
            live,
            firsts: netlist.registers.iter().scan(0, first).collect(),
        }
    }
}

struct Logic<'n> {
    netlist: &'n Netlist,
    fabric: Fabric,
    net: Net,
    /// What gives each plane that is a leaf.
    sources: Vec<Option<Source>>,
    /// The planes of each node of the netlist, and of each bit of a register.
    planes: Vec<Vec<Plane>>,
    own: Vec<Plane>,
    chains: Vec<Chain>,
    known_chains: HashMap<ChainKey, Vec<Plane>>,
    flip_flops: Vec<FlipFlop>,
    stores: Vec<Store>,
    outputs: Vec<Plane>,
}

impl<'n> Logic<'n> {
    /// Without any gates; of `net` the room is used.
    fn new(netlist: &'n Netlist, fabric: Fabric, mut net: Net) -> Self {
        net.clear();
        net.leaf();
        net.leaf();
        Self {
            netlist,
            fabric,
            net,
            sources: vec![],
            planes: vec![vec![]; netlist.graph.ops.len()],
            own: vec![],
            chains: vec![],
            known_chains: HashMap::default(),
            flip_flops: vec![],
            stores: netlist.memories.iter().map(|_| Store::default()).collect(),
            outputs: vec![],
        }
    }

    /// Makes everything for what is known; where it is made for what was known `before`, only what differs.
    fn make(&mut self, order: &Order, known: &Known, before: Option<&Known>) {
        let graph = &self.netlist.graph;
        for (index, bit) in known.bits.iter().enumerate() {
            let own = match *bit {
                Bit::Free if before.is_some() => continue,
                Bit::Free => self.leaf(Source::Register(index as u32)),
                Bit::Constant(value) => Plane::from(value),
                Bit::Like(other) => self.own[other as usize],
            };
            match before {
                None => self.own.push(own),
                Some(_) => self.own[index] = own,
            }
        }
        let mut planes = std::mem::take(&mut self.planes);
        let mut changed = vec![before.is_none(); graph.ops.len()];
        for id in (0..graph.ops.len()).filter(|id| order.live[*id]) {
            let op = &graph.ops[id];
            if let Some(before) = before {
                let mut again = match op {
                    Op::Register(_) => true,
                    Op::Read { memory, .. } => {
                        let at = *memory as usize;
                        slice(&known.kinds[at]).flatten() != slice(&before.kinds[at]).flatten()
                    }
                    _ => false,
                };
                op.operands(|x| again |= changed[x as usize]);
                if !again {
                    continue;
                }
            }
            let now = self.word(order, id as Id, known, &planes);
            changed[id] |= order.inner[id] || now != planes[id];
            planes[id] = now;
        }
        let of = |id: Id| planes[id as usize].as_slice();
        for (index, memory) in self.netlist.memories.iter().enumerate() {
            let inputs = self.writes(memory, known.kinds[index], &of);
            self.stores[index].inputs = inputs;
            let addresses = memory.writes.iter().map(|w| of(w.address).to_vec());
            self.stores[index].writes = addresses.collect();
        }
        let limbs = order.outputs.iter().flat_map(|bits| &bits.limbs);
        self.outputs = limbs.flat_map(|limb| of(*limb)).copied().collect();
        let resets = self.resets(&planes);
        self.flip_flops.clear();
        for (register, first) in self.netlist.registers.iter().zip(&order.firsts) {
            let (next, reset, value) = self.word_reset(register.next, &of);
            let next = of(next);
            for bit in 0..register.width {
                let initial = (register.initial.1 >> bit & 1 == 1)
                    .then_some(register.initial.0 >> bit & 1 == 1);
                let mut flip_flop = FlipFlop {
                    own: self.own[(first + bit) as usize],
                    data: next[bit as usize],
                    enable: ONE,
                    reset,
                    set: value >> bit & 1 == 1,
                    domain: register.domain,
                    initial,
                };
                self.settle(&mut flip_flop, &resets);
                self.flip_flops.push(flip_flop);
            }
        }
        self.planes = planes;
    }

    /// The planes of a node, from those of the nodes before it.
    fn word(&mut self, order: &Order, id: Id, known: &Known, planes: &[Vec<Plane>]) -> Vec<Plane> {
        let graph = &self.netlist.graph;
        let (op, width) = (graph.op(id), u32::from(graph.widths[id as usize]));
        let of = |x: &Id| planes[*x as usize].as_slice();
        match op {
            Op::Input(_) => (0..width).map(|_| self.leaf(Source::Input)).collect(),
            Op::Register(word) => {
                let first = order.firsts[*word as usize] as usize;
                self.own[first..first + width as usize].to_vec()
            }
            Op::Read {
                memory, address, ..
            } => self.read(id, *memory, of(address), width, known),
            // what adds it up adds its parts
            Op::Add(..) if order.inner[id as usize] => vec![],
            Op::Add(..) => {
                let parts = parts(graph, id, &order.inner);
                let words: Vec<&[Plane]> = parts.iter().map(of).collect();
                self.total(&words)
            }
            Op::Sub(a, b) => self.sum(ChainKind::Difference, of(a), of(b), ZERO),
            Op::Less(a, b) => vec![self.less(of(a), of(b))],
            Op::Parity(a) => {
                let bits = of(a).iter().copied().filter(|p| *p != ZERO).collect();
                vec![self.net.tree(bits, Net::xor)]
            }
            _ => self.net.bits(graph, op, width, &|x| of(&x)),
        }
    }

    fn leaf(&mut self, source: Source) -> Plane {
        let plane = self.net.leaf();
        self.sources.resize(plane as usize, None);
        self.sources.push(Some(source));
        plane
    }

    /// Planes of the inputs that reset, each with the value at which it does.
    fn resets(&self, planes: &[Vec<Plane>]) -> Vec<(Plane, bool)> {
        let ports = self.netlist.ports.iter().zip(&self.netlist.port_bits);
        ports
            .filter(|(port, _)| port.input && port.width == 1)
            .filter_map(|(port, bits)| {
                let (_, high) = RESETS.iter().find(|(name, _)| *name == port.name)?;
                let plane = planes[*bits.limbs.first()? as usize].first()?;
                Some((*plane, *high))
            })
            .collect()
    }

    /// What is read: words of block RAM, or of slices of distributed RAM behind a choice.
    fn read(
        &mut self,
        id: Id,
        memory: u32,
        address: &[Plane],
        width: u32,
        known: &Known,
    ) -> Vec<Plane> {
        let words = self.netlist.memories[memory as usize].depth;
        let slice = match known.kinds[memory as usize] {
            Some(Kind::Distributed { slice_words, .. }) => slice_words,
            _ => words,
        };
        let low = (slice.ilog2() as usize).min(address.len());
        let mut slices: Vec<Vec<Plane>> = (0..words.div_ceil(slice).max(1))
            .map(|_| {
                (0..width)
                    .map(|_| self.leaf(Source::Memory(memory)))
                    .collect()
            })
            .collect();
        let given: Vec<Plane> = slices.concat();
        for bit in &address[low..] {
            if slices.len() == 1 {
                break;
            }
            let pairs: Vec<Vec<Vec<Plane>>> = slices.chunks(2).map(<[_]>::to_vec).collect();
            slices = pairs
                .into_iter()
                .map(|pair| match pair.as_slice() {
                    [even, odd] => even
                        .iter()
                        .zip(odd)
                        .map(|(even, odd)| self.net.choose(*bit, *odd, *even))
                        .collect(),
                    _ => pair[0].clone(),
                })
                .collect();
        }
        let store = &mut self.stores[memory as usize];
        store.reads.insert(id, (address.to_vec(), given));
        slices.swap_remove(0)
    }

    /// What the writes of a memory need.
    fn writes<'p>(
        &mut self,
        memory: &Memory,
        kind: Option<Kind>,
        of: &impl Fn(Id) -> &'p [Plane],
    ) -> Vec<Plane> {
        let mut inputs = vec![];
        for write in &memory.writes {
            let (enable, address) = (of(write.enable)[0], of(write.address));
            inputs.extend(write.data.limbs.iter().flat_map(|limb| of(*limb)));
            match kind {
                Some(Kind::Distributed { slice_words, .. }) if slice_words < memory.depth => {
                    let low = slice_words.ilog2() as usize;
                    inputs.extend(&address[..low]);
                    for slice in 0..memory.depth.div_ceil(slice_words) {
                        let mut all = vec![enable];
                        for (at, bit) in address[low..].iter().enumerate() {
                            all.push(match slice >> at & 1 {
                                1 => *bit,
                                _ => self.net.not(*bit),
                            });
                        }
                        let chosen = self.net.tree(all, Net::and);
                        inputs.push(chosen);
                    }
                }
                _ => {
                    inputs.push(enable);
                    inputs.extend(address);
                }
            }
        }
        inputs
    }
}

/// What reads a plane: how many, and whether a flip-flop without reset takes it as it is.
#[derive(Debug, Clone, Copy, Default)]
struct Readers {
    number: u32,
    data: bool,
}

/// Everything that the outputs depend on, and what reads it.
struct Uses {
    reached: Reached,
    readers: Vec<Readers>,
    /// Planes that are reached and whose own inputs are not yet.
    open: Vec<Plane>,
}

/// Everything that the outputs depend on.
struct Reached {
    planes: Vec<bool>,
    flip_flops: Vec<bool>,
    stores: Vec<bool>,
    /// Highest bit of each chain that is read.
    tops: Vec<Option<usize>>,
}
