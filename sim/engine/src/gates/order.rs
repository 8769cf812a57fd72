//! Placement of memories, and the order of gates.

use super::net::{Net, Node, Plane, NONE};
use super::{Gate, Home, Store, KINDS};
use crate::ir::{address_bits, Bits, Id, Netlist, Op};
use std::collections::{HashMap, VecDeque};

/// A step of a clock that has no slots yet.
pub(super) struct Step {
    pub(super) gate: Gate,
    /// Index of the lookup, read or write.
    pub(super) index: u32,
    pub(super) results: Vec<Plane>,
    pub(super) operands: Vec<Plane>,
    /// Steps that come before, besides those that make the operands.
    pub(super) after: Vec<usize>,
}

/// Places of memories. Memories that are read at the same addresses lie side by side, so that one address reaches all of them.
pub(super) fn stores(netlist: &Netlist, live: &[bool]) -> (Vec<Store>, Vec<Home>) {
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

/// Nodes on which registers, memories and outputs depend.
pub(crate) fn live(netlist: &Netlist, outputs: &[Bits]) -> Vec<bool> {
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

/// Number of readers of each plane.
pub(super) fn count(net: &Net, roots: &[Plane]) -> Vec<u32> {
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

/// Fuses a gate into its only reader.
pub(super) fn fuse(net: &mut Net, roots: &[Plane]) {
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
pub(super) fn schedule(
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
pub(super) fn memory_address_bits(depth: usize) -> u32 {
    address_bits(depth).max(1)
}
