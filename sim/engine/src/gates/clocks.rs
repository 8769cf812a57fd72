//! Designs of several clocks for the many-lane engine, whose lanes each have edges of their own.
//!
//! A pass of the gates lets the edges of all lanes act once: a register or memory takes its next value in the lanes in which its event
//! has come. Passes repeat until no lane has an edge left, as [`crate::Sim`] does it for one run.

use crate::ir::{Bits, Id, Netlist, Op, Register};
use std::collections::HashMap;

/// A netlist whose every register takes a value in every pass.
pub(crate) struct Passes {
    pub netlist: Netlist,
    /// One in the lanes in which an edge acts in the pass.
    pub acting: Id,
    /// Passes in which edges can act after one change of the inputs.
    pub most: u32,
}

/// Rewrites a netlist of several clocks. An error says why its passes need not come to an end.
pub(crate) fn passes(netlist: &Netlist) -> Result<Passes, String> {
    let most = longest_chain(netlist)?;
    let mut netlist = netlist.clone();
    let graph = &mut netlist.graph;
    let mut state: Vec<Register> = vec![];
    let first = netlist.registers.len();
    let mut remember = |graph: &mut crate::ir::Graph, next: Id| {
        let node = graph.register((first + state.len()) as u32, 1);
        state.push(Register {
            node,
            width: 1,
            next,
            domain: 0,
            initial: (0, 1),
        });
        node
    };
    let one = graph.constant(1, 1);
    // In the first pass there is no edge yet.
    let begun = remember(graph, one);
    let mut edges: HashMap<Id, Id> = HashMap::new();
    for edge in netlist.domains.iter().flatten() {
        let signal = edge.signal;
        edges
            .entry(signal)
            .or_insert_with(|| remember(graph, signal));
    }
    let zero = graph.constant(0, 1);
    let mut acting = zero;
    let mut events = vec![];
    for domain in &netlist.domains {
        let mut event = zero;
        for edge in domain {
            let before = edges[&edge.signal];
            let (high, low) = match edge.rising {
                true => (edge.signal, before),
                false => (before, edge.signal),
            };
            let low = graph.not(low);
            let here = graph.and(high, low);
            event = graph.or(event, here);
        }
        let event = graph.and(begun, event);
        acting = graph.or(acting, event);
        events.push(event);
    }
    for register in &mut netlist.registers {
        let event = events[register.domain as usize];
        register.next = graph.choose(event, register.next, register.node);
    }
    for write in netlist.memories.iter_mut().flat_map(|m| &mut m.writes) {
        write.enable = graph.and(events[write.domain as usize], write.enable);
    }
    netlist.registers.extend(state);
    Ok(Passes {
        netlist,
        acting,
        most,
    })
}

/// The greatest number of domains of which each triggers the next.
fn longest_chain(netlist: &Netlist) -> Result<u32, String> {
    let count = netlist.domains.len();
    let mut triggers: Vec<Vec<usize>> = vec![vec![]; count];
    for (domain, edges) in netlist.domains.iter().enumerate() {
        let signals: Vec<Id> = edges.iter().map(|e| e.signal).collect();
        triggers[domain] = sources(netlist, &signals);
    }
    let mut chain: Vec<u32> = vec![1; count];
    // Without a ring, as many rounds as there are domains settle it.
    for _ in 0..=count {
        let before = chain.clone();
        for (domain, from) in triggers.iter().enumerate() {
            let behind = from.iter().map(|d| 1 + before[*d]).max();
            chain[domain] = behind.unwrap_or(1);
        }
        if chain == before {
            return Ok(chain.into_iter().max().unwrap_or(0));
        }
    }
    Err("its clocks or asynchronous resets depend on registers that they clock".to_string())
}

/// Domains of the registers and memories on which signals depend.
fn sources(netlist: &Netlist, signals: &[Id]) -> Vec<usize> {
    let mut seen = vec![false; netlist.graph.ops.len()];
    let mut stack = signals.to_vec();
    let mut domains = vec![];
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut seen[id as usize], true) {
            continue;
        }
        let op = netlist.graph.op(id);
        match op {
            Op::Register(r) => domains.push(netlist.registers[*r as usize].domain as usize),
            Op::Read { memory, .. } => {
                let writes = &netlist.memories[*memory as usize].writes;
                domains.extend(writes.iter().map(|w| w.domain as usize));
            }
            _ => {}
        }
        op.operands(|x| stack.push(x));
    }
    domains.sort_unstable();
    domains.dedup();
    domains
}

impl Passes {
    /// The outputs of a pass: those of the design, then [`Passes::acting`].
    pub fn outputs(&self, outputs: &[Bits]) -> Vec<Bits> {
        let acting = Bits {
            width: 1,
            limbs: vec![self.acting],
        };
        [outputs, &[acting]].concat()
    }
}
