//! The netlist as gates, flip-flops, carry chains and memories, as synthesis sees them.

mod chains;
mod count;
mod flip_flops;
mod reach;

use super::fabric::{Fabric, Kind};
use super::Census;
use crate::gates::net::{Net, Plane, ONE, ZERO};
use crate::gates::order::live;
use crate::ir::{Bits, Id, Memory, Netlist, Op};
use chains::{inner_sums, parts};
use rustc_hash::FxHashMap as HashMap;

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
    let mut known = Known::new(netlist);
    let mut other_kinds = known.kinds.clone();
    for round in 0.. {
        let logic = Logic::new(netlist, outputs, fabric, &known);
        let uses = Uses::new(&logic);
        let next = logic.learn(&known, &uses, fabric);
        if next == known || round == MOST_ROUNDS {
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
        known = next;
    }
    unreachable!("the rounds end")
}

/// Whether memories differ in the number of their tables and block RAMs alone.
fn sliced_alike(some: &[Option<Kind>], others: &[Option<Kind>]) -> bool {
    let slice = |kind: &Option<Kind>| {
        kind.map(|kind| match kind {
            Kind::Block(_) => None,
            Kind::Distributed { slice_words, .. } => Some(slice_words),
        })
    };
    some.iter().map(slice).eq(others.iter().map(slice))
}

/// What is known of a bit of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bit {
    Free,
    Constant(bool),
    /// The same as this earlier one.
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
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
    reads: Vec<(Vec<Plane>, Vec<Plane>)>,
}

/// Kind, both words and the carry that enters.
type ChainKey = (ChainKind, Vec<Plane>, Vec<Plane>, Plane);

struct Logic<'n> {
    netlist: &'n Netlist,
    fabric: Fabric,
    net: Net,
    sources: HashMap<Plane, Source>,
    chains: Vec<Chain>,
    known_chains: HashMap<ChainKey, Vec<Plane>>,
    flip_flops: Vec<FlipFlop>,
    stores: Vec<Store>,
    outputs: Vec<Plane>,
}

impl<'n> Logic<'n> {
    fn new(netlist: &'n Netlist, outputs: &[Bits], fabric: Fabric, known: &Known) -> Self {
        let graph = &netlist.graph;
        let mut logic = Self {
            netlist,
            fabric,
            net: Net::default(),
            sources: HashMap::default(),
            chains: vec![],
            known_chains: HashMap::default(),
            flip_flops: vec![],
            stores: netlist.memories.iter().map(|_| Store::default()).collect(),
            outputs: vec![],
        };
        logic.net.leaf();
        logic.net.leaf();
        let live = live(netlist, outputs);
        let inner = inner_sums(netlist, outputs, &live);
        let mut planes: Vec<Vec<Plane>> = vec![vec![]; graph.ops.len()];
        let firsts: Vec<u32> = netlist
            .registers
            .iter()
            .scan(0, |at, register| {
                let first = *at;
                *at += register.width;
                Some(first)
            })
            .collect();
        let total: u32 = netlist.registers.iter().map(|r| r.width).sum();
        let mut own: Vec<Plane> = vec![ZERO; total as usize];
        for index in 0..total {
            own[index as usize] = match known.bits[index as usize] {
                Bit::Free => logic.leaf(Source::Register(index)),
                Bit::Constant(value) => Plane::from(value),
                Bit::Like(other) => own[other as usize],
            };
        }
        for id in 0..graph.ops.len() {
            if !live[id] {
                continue;
            }
            let (op, width) = (&graph.ops[id], u32::from(graph.widths[id]));
            let of = |x: &Id| planes[*x as usize].clone();
            planes[id] = match op {
                Op::Input(_) => (0..width).map(|_| logic.leaf(Source::Input)).collect(),
                Op::Register(word) => {
                    let first = firsts[*word as usize] as usize;
                    own[first..first + width as usize].to_vec()
                }
                Op::Read {
                    memory, address, ..
                } => logic.read(*memory, &of(address), width, known),
                // what adds it up adds its parts
                Op::Add(..) if inner[id] => vec![],
                Op::Add(..) => {
                    let parts = parts(graph, id as Id, &inner);
                    logic.total(parts.iter().map(of).collect())
                }
                Op::Sub(a, b) => logic.sum(ChainKind::Difference, &of(a), &of(b), ZERO),
                Op::Less(a, b) => vec![logic.less(&of(a), &of(b))],
                Op::Parity(a) => {
                    let bits = of(a).into_iter().filter(|p| *p != ZERO).collect();
                    vec![logic.net.tree(bits, Net::xor)]
                }
                _ => logic
                    .net
                    .bits(graph, op, width, &|x| planes[x as usize].clone()),
            };
        }
        let of = |id: Id| planes[id as usize].clone();
        for (index, memory) in netlist.memories.iter().enumerate() {
            let inputs = logic.writes(memory, known.kinds[index], &of);
            logic.stores[index].inputs = inputs;
            logic.stores[index].writes = memory.writes.iter().map(|w| of(w.address)).collect();
        }
        logic.outputs = outputs
            .iter()
            .flat_map(|bits| &bits.limbs)
            .flat_map(|limb| of(*limb))
            .collect();
        let resets = logic.resets(&planes);
        for (register, first) in netlist.registers.iter().zip(&firsts) {
            let (next, reset, value) = logic.word_reset(register.next, &of);
            let next = of(next);
            for bit in 0..register.width {
                let own = own[(first + bit) as usize];
                let initial = (register.initial.1 >> bit & 1 == 1)
                    .then_some(register.initial.0 >> bit & 1 == 1);
                let mut flip_flop = FlipFlop {
                    own,
                    data: next[bit as usize],
                    enable: ONE,
                    reset,
                    set: value >> bit & 1 == 1,
                    domain: register.domain,
                    initial,
                };
                logic.settle(&mut flip_flop, &resets);
                logic.flip_flops.push(flip_flop);
            }
        }
        logic
    }

    fn leaf(&mut self, source: Source) -> Plane {
        let plane = self.net.leaf();
        self.sources.insert(plane, source);
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
    fn read(&mut self, memory: u32, address: &[Plane], width: u32, known: &Known) -> Vec<Plane> {
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
        store.reads.push((address.to_vec(), given));
        slices.swap_remove(0)
    }

    /// What the writes of a memory need.
    fn writes(
        &mut self,
        memory: &Memory,
        kind: Option<Kind>,
        of: &impl Fn(Id) -> Vec<Plane>,
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

/// What reads a plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// A flip-flop without reset takes it as it is.
    Data,
    Logic,
}

/// What reads a plane: how many, and whether the first is a flip-flop.
#[derive(Debug, Clone, Copy, Default)]
struct Readers {
    number: u32,
    first_is_data: bool,
}

/// Everything that the outputs depend on, and what reads it.
struct Uses {
    reached: Reached,
    readers: Vec<Readers>,
}

impl Uses {
    fn new(logic: &Logic) -> Self {
        let reached = logic.reach();
        let readers = logic.readers(&reached);
        Self { reached, readers }
    }
}

/// Everything that the outputs depend on.
struct Reached {
    planes: Vec<bool>,
    flip_flops: Vec<bool>,
    stores: Vec<bool>,
    /// Highest bit of each chain that is read.
    tops: Vec<Option<usize>>,
}
