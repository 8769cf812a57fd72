//! The netlist compiled for the one-lane engine.

use crate::ir::{address_bits, mask, Bits, Id, Netlist};
use crate::program::{self, Kind, Program};

/// Place of a memory among the words of all memories.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MemoryPlace {
    /// Its first word.
    pub first: usize,
    /// Bits of an address; all that they reach is there.
    #[cfg_attr(not(feature = "jit"), allow(dead_code))]
    pub address_bits: u32,
}

/// The compiled form that all simulations of a design share.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) program: Program,
    /// Slot and mask of each word of the input buffer.
    pub(crate) inputs: Vec<(u32, u64)>,
    /// Slot of each word of the output buffer.
    pub(crate) outputs: Vec<u32>,
    pub(crate) clock: Option<u32>,
    /// All registers take their value at the rising edge of the clock, which nothing else reads.
    pub(crate) simple: bool,
    /// The clock is also read as data, not only as an edge.
    pub(crate) clock_is_data: bool,
    /// Slot of the signal and direction of each event, by domain.
    pub(crate) events: Vec<Vec<(usize, bool)>>,
    /// Slots of the signals whose edges count.
    pub(crate) watched: Vec<u32>,
    pub(crate) memories: Vec<MemoryPlace>,
}

impl Compiled {
    /// Compiles a netlist whose buffers hold these inputs and outputs.
    pub fn new(netlist: &Netlist, inputs: &[Bits], outputs: &[Bits], clock: Option<u32>) -> Self {
        let words =
            |bits: &[Bits]| -> Vec<Id> { bits.iter().flat_map(|b| b.limbs.clone()).collect() };
        let (inputs, outputs) = (words(inputs), words(outputs));
        let mut clock_is_data = clock.is_some_and(|c| {
            let roots = outputs
                .iter()
                .chain(netlist.registers.iter().map(|r| &r.next));
            let writes = netlist.memories.iter().flat_map(|m| &m.writes);
            roots
                .chain(
                    writes.flat_map(|w| [&w.enable, &w.address].into_iter().chain(&w.data.limbs)),
                )
                .any(|r| *r == c)
        });
        for op in &netlist.graph.ops {
            op.operands(|x| clock_is_data |= Some(x) == clock);
        }
        let simple = !clock_is_data
            && netlist.domains.len() <= 1
            && netlist
                .domains
                .iter()
                .all(|d| matches!(d[..], [e] if Some(e.signal) == clock && e.rising));
        let program = program::compile(netlist, &outputs, simple);
        let mut watched: Vec<u32> = vec![];
        let events = netlist
            .domains
            .iter()
            .map(|edges| {
                edges
                    .iter()
                    .map(|edge| {
                        let slot = program.slot_of[&edge.signal];
                        let at = watched.iter().position(|w| *w == slot);
                        let at = at.unwrap_or_else(|| {
                            watched.push(slot);
                            watched.len() - 1
                        });
                        (at, edge.rising)
                    })
                    .collect()
            })
            .collect();
        let mut words = 0;
        let memories = netlist.memories.iter().map(|memory| {
            let first = words;
            words += memory.words();
            MemoryPlace {
                first,
                address_bits: address_bits(memory.depth).max(1),
            }
        });
        let compiled = Self {
            memories: memories.collect(),
            inputs: inputs
                .iter()
                .map(|id| (program.slot_of[id], mask(netlist.graph.width(*id))))
                .collect(),
            outputs: outputs.iter().map(|id| program.slot_of[id]).collect(),
            clock: clock.map(|c| program.slot_of[&c]),
            simple,
            clock_is_data,
            events,
            watched,
            program,
        };
        compiled.check(netlist.memories.len());
        compiled
    }

    /// All registers take their value at the rising edge of the clock, which nothing else reads.
    pub fn is_simple(&self) -> bool {
        self.simple
    }

    /// Checks every index that the one-lane engine uses without a check of its own.
    fn check(&self, memories: usize) {
        let program = &self.program;
        let slot = |s: u32| assert!((s as usize) < program.slots, "a slot beyond the last");
        for batch in program.segments.iter().flat_map(|s| &s.batches) {
            for code in &program.code[batch.from as usize..batch.to as usize] {
                slot(code.d);
                match batch.kind {
                    Kind::Pieces | Kind::Parity | Kind::Linear => {
                        for part in &program.parts[code.a as usize..code.b as usize] {
                            slot(part.slot);
                            assert!(part.right < 64 && part.left < 64, "a shift beyond a word");
                            let table = batch.kind != Kind::Linear
                                || part.mask as usize + 16 <= program.tables.len();
                            assert!(table, "a table beyond the last");
                        }
                    }
                    Kind::Slice => {
                        [code.a, code.c].into_iter().for_each(slot);
                        assert!(code.b < 64, "a shift beyond a word");
                    }
                    Kind::Concat => {
                        [code.a, code.b].into_iter().for_each(slot);
                        assert!(code.c < 64, "a shift beyond a word");
                    }
                    Kind::Table => slot(code.a),
                    Kind::Read => {
                        slot(code.a);
                        assert!((code.b as usize) < memories, "a memory beyond the last");
                    }
                    _ => {
                        [code.a, code.b, code.c].into_iter().for_each(slot);
                    }
                }
            }
        }
    }
}
