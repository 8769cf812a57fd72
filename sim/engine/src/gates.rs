//! The many-lane engine's program: gates of two and three inputs on planes of one bit a lane.
//!
//! The words of the netlist become bits; gates go in batches of one kind; a register's bit is overwritten in place once
//! everything that reads its old value has run.

use crate::ir::{address_bits, Bits, Graph, Id, Netlist, Op};
use std::collections::{HashMap, VecDeque};

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

/// Index of a plane.
type Plane = u32;
const NONE: Plane = u32::MAX;
const ZERO: Plane = 0;
const ONE: Plane = 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    gate: Gate,
    a: Plane,
    b: Plane,
    c: Plane,
}

impl Node {
    fn operands(&self) -> impl Iterator<Item = Plane> {
        [self.a, self.b, self.c].into_iter().filter(|p| *p != NONE)
    }
}

/// Gates under construction.
#[derive(Default)]
struct Net {
    nodes: Vec<Node>,
    known: HashMap<Node, Plane>,
}

impl Net {
    fn leaf(&mut self) -> Plane {
        self.nodes.push(Node {
            gate: Gate::Leaf,
            a: NONE,
            b: NONE,
            c: NONE,
        });
        self.nodes.len() as Plane - 1
    }

    fn put(&mut self, gate: Gate, a: Plane, b: Plane, c: Plane) -> Plane {
        let node = Node { gate, a, b, c };
        let nodes = &mut self.nodes;
        *self.known.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() as Plane - 1
        })
    }

    fn inverted(&self, a: Plane) -> Option<Plane> {
        let node = self.nodes[a as usize];
        (node.gate == Gate::Not).then_some(node.a)
    }

    fn not(&mut self, a: Plane) -> Plane {
        match (a, self.inverted(a)) {
            (ZERO, _) => ONE,
            (ONE, _) => ZERO,
            (_, Some(x)) => x,
            _ => self.put(Gate::Not, a, NONE, NONE),
        }
    }

    fn and(&mut self, a: Plane, b: Plane) -> Plane {
        let (a, b) = (a.min(b), a.max(b));
        if a == ZERO {
            return ZERO;
        }
        if a == ONE || a == b {
            return b;
        }
        match (self.inverted(a), self.inverted(b)) {
            (Some(x), _) if x == b => ZERO,
            (_, Some(y)) if y == a => ZERO,
            (Some(x), Some(y)) => {
                let any = self.or(x, y);
                self.not(any)
            }
            (Some(x), None) => self.put(Gate::AndNot, b, x, NONE),
            (None, Some(y)) => self.put(Gate::AndNot, a, y, NONE),
            (None, None) => self.put(Gate::And, a, b, NONE),
        }
    }

    fn or(&mut self, a: Plane, b: Plane) -> Plane {
        let (a, b) = (a.min(b), a.max(b));
        if a == ONE || b == ONE {
            return ONE;
        }
        if a == ZERO || a == b {
            return b;
        }
        // a | !b = !(b & !a)
        let none = match (self.inverted(a), self.inverted(b)) {
            (Some(x), _) if x == b => return ONE,
            (_, Some(y)) if y == a => return ONE,
            (Some(x), Some(y)) => self.and(x, y),
            (Some(x), None) => self.put(Gate::AndNot, x, b, NONE),
            (None, Some(y)) => self.put(Gate::AndNot, y, a, NONE),
            (None, None) => return self.put(Gate::Or, a, b, NONE),
        };
        self.not(none)
    }

    fn xor(&mut self, a: Plane, b: Plane) -> Plane {
        let (x, y) = (self.inverted(a), self.inverted(b));
        let odd = x.is_some() ^ y.is_some() ^ (a == ONE) ^ (b == ONE);
        let strip = |whole: Plane, inner: Option<Plane>| match whole {
            ONE => ZERO,
            _ => inner.unwrap_or(whole),
        };
        let (x, y) = (strip(a, x), strip(b, y));
        let (x, y) = (x.min(y), x.max(y));
        let sum = if x == y {
            ZERO
        } else if x == ZERO {
            y
        } else {
            self.put(Gate::Xor, x, y, NONE)
        };
        if odd {
            self.not(sum)
        } else {
            sum
        }
    }

    fn choose(&mut self, c: Plane, a: Plane, b: Plane) -> Plane {
        if a == b || c == ONE {
            return a;
        }
        if c == ZERO {
            return b;
        }
        if let Some(c) = self.inverted(c) {
            return self.choose(c, b, a);
        }
        if a == ONE || a == c {
            return self.or(c, b);
        }
        if b == ZERO || b == c {
            return self.and(c, a);
        }
        if a == ZERO || b == ONE {
            let not = self.not(c);
            return if a == ZERO {
                self.and(not, b)
            } else {
                self.or(not, a)
            };
        }
        if self.inverted(a) == Some(b) || self.inverted(b) == Some(a) {
            return self.xor(c, b);
        }
        self.put(Gate::Choose, c, a, b)
    }

    fn tree(&mut self, mut list: Vec<Plane>, f: fn(&mut Self, Plane, Plane) -> Plane) -> Plane {
        while list.len() > 1 {
            list = list
                .chunks(2)
                .map(|pair| match *pair {
                    [a, b] => f(self, a, b),
                    _ => pair[0],
                })
                .collect();
        }
        list.first().copied().unwrap_or(ZERO)
    }

    /// Sum with carry in; the carry out.
    fn add(&mut self, a: &[Plane], b: &[Plane], mut carry: Plane) -> (Vec<Plane>, Plane) {
        let sum = a
            .iter()
            .zip(b)
            .map(|(&a, &b)| {
                let differ = self.xor(a, b);
                let sum = self.xor(differ, carry);
                carry = self.choose(differ, carry, a);
                sum
            })
            .collect();
        (sum, carry)
    }

    fn shift(&mut self, a: &[Plane], by: &[Plane], left: bool) -> Vec<Plane> {
        let mut now = a.to_vec();
        for (k, &bit) in by.iter().enumerate() {
            let amount = if k < 16 { 1usize << k } else { usize::MAX };
            now = (0..now.len())
                .map(|i| {
                    let from = if left {
                        i.checked_sub(amount)
                    } else {
                        i.checked_add(amount).filter(|j| *j < a.len())
                    };
                    let moved = from.map_or(ZERO, |j| now[j]);
                    self.choose(bit, moved, now[i])
                })
                .collect();
        }
        now
    }

    /// The bits of what a node computes; leaves are known to the caller.
    fn bits(
        &mut self,
        graph: &Graph,
        op: &Op,
        width: u32,
        of: &dyn Fn(Id) -> Vec<Plane>,
    ) -> Vec<Plane> {
        let each = |net: &mut Self, a: Id, b: Id, f: fn(&mut Self, Plane, Plane) -> Plane| {
            let pairs = of(a).into_iter().zip(of(b));
            pairs.map(|(a, b)| f(net, a, b)).collect()
        };
        match *op {
            Op::Constant(value) => (0..width).map(|i| (value >> i & 1) as Plane).collect(),
            Op::Input(_) | Op::Register(_) | Op::Read { .. } => vec![],
            Op::Not(a) => of(a).into_iter().map(|a| self.not(a)).collect(),
            Op::And(a, b) => each(self, a, b, Self::and),
            Op::Or(a, b) => each(self, a, b, Self::or),
            Op::Xor(a, b) => each(self, a, b, Self::xor),
            Op::Add(a, b) => self.add(&of(a), &of(b), ZERO).0,
            Op::Sub(a, b) => {
                let not: Vec<Plane> = of(b).into_iter().map(|b| self.not(b)).collect();
                self.add(&of(a), &not, ONE).0
            }
            Op::Mul(a, b) => {
                let (a, b) = (of(a), of(b));
                let mut sum = vec![ZERO; width as usize];
                for (i, &bit) in b.iter().enumerate() {
                    let term: Vec<Plane> = (0..width as usize)
                        .map(|j| match j.checked_sub(i) {
                            Some(j) => self.and(bit, a[j]),
                            None => ZERO,
                        })
                        .collect();
                    sum = self.add(&sum, &term, ZERO).0;
                }
                sum
            }
            Op::Equal(a, b) => {
                let differ: Vec<Plane> = each(self, a, b, Self::xor);
                let any = self.tree(differ, Self::or);
                vec![self.not(any)]
            }
            Op::Less(a, b) => {
                let not: Vec<Plane> = of(b).into_iter().map(|b| self.not(b)).collect();
                let mut carry = ONE;
                for (&a, &b) in of(a).iter().zip(&not) {
                    let differ = self.xor(a, b);
                    carry = self.choose(differ, carry, a);
                }
                vec![self.not(carry)]
            }
            Op::Parity(a) => vec![self.tree(of(a), Self::xor)],
            Op::Choose(c, a, b) => {
                let c = of(c)[0];
                let pairs = of(a).into_iter().zip(of(b));
                pairs.map(|(a, b)| self.choose(c, a, b)).collect()
            }
            Op::ShiftLeft(a, b) => self.shift(&of(a), &of(b), true),
            Op::ShiftRight(a, b) => self.shift(&of(a), &of(b), false),
            Op::Slice(a, low) => of(a)[low as usize..(low + width) as usize].to_vec(),
            Op::Concat(ref parts) => parts.iter().flat_map(|p| of(*p)).collect(),
            Op::Table(a, table) => {
                let (index, entries) = (of(a), &graph.tables[table as usize]);
                (0..width)
                    .map(|bit| {
                        let mut column: Vec<Plane> =
                            entries.iter().map(|e| (e >> bit & 1) as Plane).collect();
                        for &bit in &index {
                            column = column
                                .chunks(2)
                                .map(|pair| self.choose(bit, pair[1], pair[0]))
                                .collect();
                        }
                        column[0]
                    })
                    .collect()
            }
        }
    }
}

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

/// Where memories lie: those that are read at the same addresses lie side by side, so that one address reaches all of them.
fn stores(netlist: &Netlist, live: &[bool]) -> (Vec<Store>, Vec<Home>) {
    let mut addresses: Vec<Vec<Id>> = vec![vec![]; netlist.memories.len()];
    for (op, live) in netlist.graph.ops.iter().zip(live) {
        if let (
            Op::Read {
                memory, address, ..
            },
            true,
        ) = (op, live)
        {
            let list = &mut addresses[*memory as usize];
            if !list.contains(address) {
                list.push(*address);
            }
        }
    }
    let mut stores: Vec<Store> = vec![];
    let mut homes: Vec<Home> = vec![];
    for (index, memory) in netlist.memories.iter().enumerate() {
        let together = (0..index).find(|other| {
            netlist.memories[*other].depth == memory.depth
                && !addresses[index].is_empty()
                && addresses[*other] == addresses[index]
        });
        let store = match together {
            Some(other) => homes[other].0,
            None => {
                stores.push((1 << memory_address_bits(memory.depth), 0));
                stores.len() as u32 - 1
            }
        };
        let words = &mut stores[store as usize].1;
        homes.push((store, *words as u32));
        *words += memory.limbs();
    }
    (stores, homes)
}

/// The nodes that registers, memories and outputs depend on.
fn live(netlist: &Netlist, outputs: &[Bits]) -> Vec<bool> {
    let graph = &netlist.graph;
    let mut live = vec![false; graph.ops.len()];
    let writes = netlist.memories.iter().flat_map(|m| &m.writes);
    let roots = netlist
        .registers
        .iter()
        .flat_map(|r| [r.next, r.node])
        .chain(writes.flat_map(|w| {
            [w.enable, w.address]
                .into_iter()
                .chain(w.data.limbs.clone())
        }))
        .chain(outputs.iter().flat_map(|b| b.limbs.clone()));
    for root in roots {
        live[root as usize] = true;
    }
    for id in (0..graph.ops.len()).rev() {
        if live[id] {
            graph.ops[id].operands(|x| live[x as usize] = true);
        }
        // All inputs have a place, read or not.
        live[id] |= matches!(graph.ops[id], Op::Input(_));
    }
    live
}

/// How often each plane is read.
fn count(net: &Net, roots: &[Plane]) -> Vec<u32> {
    let mut uses = vec![0; net.nodes.len()];
    for &root in roots {
        uses[root as usize] += 1;
    }
    for plane in (0..net.nodes.len()).rev() {
        if uses[plane] > 0 {
            for operand in net.nodes[plane].operands() {
                uses[operand as usize] += 1;
            }
        }
    }
    uses
}

/// Makes a gate that only one other reads part of that.
fn fuse(net: &mut Net, roots: &[Plane]) {
    let uses = count(net, roots);
    let mut gone = vec![false; net.nodes.len()];
    for plane in (0..net.nodes.len()).rev() {
        if uses[plane] == 0 || gone[plane] {
            continue;
        }
        let node = net.nodes[plane];
        for (inner, other) in [(node.a, node.b), (node.b, node.a)] {
            if inner == NONE || other == NONE || uses[inner as usize] != 1 {
                continue;
            }
            let part = net.nodes[inner as usize];
            let gate = match (node.gate, part.gate) {
                (Gate::Xor, Gate::Xor) => Gate::Xor3,
                (Gate::And, Gate::And) => Gate::And3,
                (Gate::Or, Gate::Or) => Gate::Or3,
                (Gate::Or, Gate::And) => Gate::AndOr,
                (Gate::And, Gate::Or) => Gate::OrAnd,
                (Gate::Xor, Gate::And) => Gate::AndXor,
                _ => continue,
            };
            net.nodes[plane] = Node {
                gate,
                a: part.a,
                b: part.b,
                c: other,
            };
            gone[inner as usize] = true;
            break;
        }
    }
}

/// An order in which steps of one kind follow each other, and the planes that cannot be made in their register's place because
/// its old value is still read: those move when the clock has ended.
fn schedule(
    steps: &[Step],
    place: &HashMap<Plane, Plane>,
    names: Plane,
) -> (Vec<usize>, std::collections::HashSet<Plane>) {
    let mut by = vec![usize::MAX; names as usize];
    for (index, step) in steps.iter().enumerate() {
        for &result in &step.results {
            by[result as usize] = index;
        }
    }
    let mut readers: Vec<Vec<usize>> = vec![vec![]; names as usize];
    let mut users: Vec<Vec<usize>> = vec![vec![]; steps.len()];
    // Steps to wait for, and readers of old values to wait for.
    let (mut left, mut old) = (vec![0u32; steps.len()], vec![0u32; steps.len()]);
    for (index, step) in steps.iter().enumerate() {
        let makers = step.operands.iter().map(|p| by[*p as usize]);
        for maker in makers
            .filter(|m| *m != usize::MAX)
            .chain(step.after.iter().copied())
        {
            users[maker].push(index);
            left[index] += 1;
        }
        for &operand in &step.operands {
            readers[operand as usize].push(index);
        }
    }
    let mut blocks: Vec<Vec<usize>> = vec![vec![]; steps.len()];
    for (&plane, &q) in place {
        let writer = by[plane as usize];
        for &reader in &readers[q as usize] {
            if reader != writer {
                blocks[reader].push(writer);
                old[writer] += 1;
            }
        }
    }
    let mut ready: Vec<VecDeque<usize>> = vec![VecDeque::new(); KINDS];
    let mut queued = vec![false; steps.len()];
    let mut late = std::collections::HashSet::new();
    for index in 0..steps.len() {
        if left[index] + old[index] == 0 {
            queued[index] = true;
            ready[steps[index].gate as usize].push_back(index);
        }
    }
    let mut order = vec![];
    while order.len() < steps.len() {
        // Addresses as early as can be, so that their words are on the way; words as late as can be.
        let weight = |kind: usize| match ready[kind].len() {
            0 => 0,
            _ if kind == Gate::Address as usize => usize::MAX,
            _ if kind == Gate::Read as usize || kind == Gate::Write as usize => 1,
            n => 2 * n,
        };
        let kind = (0..KINDS).max_by_key(|k| weight(*k)).unwrap_or(0);
        if ready[kind].is_empty() {
            // Only readers of old values are waited for, in a ring: the one with most users gives way.
            let stuck = (0..steps.len())
                .filter(|i| !queued[*i] && left[*i] == 0)
                .max_by_key(|i| (users[*i].len(), std::cmp::Reverse(*i)));
            let Some(stuck) = stuck else {
                break;
            };
            queued[stuck] = true;
            late.insert(steps[stuck].results[0]);
            ready[steps[stuck].gate as usize].push_back(stuck);
            continue;
        }
        while let Some(index) = ready[kind].pop_back() {
            order.push(index);
            for list in [&users[index], &blocks[index]] {
                let waits = std::ptr::eq(list, &users[index]);
                for &next in list {
                    if waits {
                        left[next] -= 1;
                    } else {
                        old[next] -= 1;
                    }
                    let free = left[next] == 0 && old[next] == 0;
                    if free && !queued[next] {
                        queued[next] = true;
                        ready[steps[next].gate as usize].push_back(next);
                    }
                }
            }
        }
    }
    assert_eq!(order.len(), steps.len(), "the netlist has no loops");
    (order, late)
}

/// Bits of an address that a memory's words need.
fn memory_address_bits(depth: usize) -> u32 {
    address_bits(depth).max(1)
}
