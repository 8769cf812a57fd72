//! Many runs of a design at once: every bit of every signal is a plane with one bit for each run ("lane").
//!
//! Memories hold the words of all lanes side by side; addresses and data pass between planes and words by transposing matrices
//! of 64 by 64 bits. On x86-64 with AVX2 the gates of 128 lanes and more are machine code; elsewhere, and for 64 lanes, they run as batches
//! of one kind.

mod groups;
mod planes;

use crate::design::Design;
use crate::error::EngineError;
use crate::gates::{GateProgram, PassCode};
use crate::initial::Initial;
use crate::ir::{mask, Named, Op};
pub use groups::Groups;
use planes::{Planes, State, Vectors};
use std::sync::Arc;

/// How many runs go at once. 256 suits processors whose second-level cache has a megabyte or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LaneCount {
    /// 64 lanes.
    L64,
    /// 128 lanes.
    L128,
    /// 256 lanes.
    #[default]
    L256,
    /// 512 lanes.
    L512,
}

impl LaneCount {
    /// Number of lanes.
    pub const fn lanes(self) -> usize {
        match self {
            LaneCount::L64 => 64,
            LaneCount::L128 => 128,
            LaneCount::L256 => 256,
            LaneCount::L512 => 512,
        }
    }
}

/// Many simulations of a design.
///
/// They share the clock; inputs (with them all other clocks), registers and memories are each lane's own.
pub struct Lanes {
    design: Arc<Design>,
    program: Arc<GateProgram>,
    planes: Box<dyn Planes>,
    /// Slot and width of each word of the input buffer.
    inputs: Vec<(u32, u32)>,
    lanes: usize,
    cycle: u64,
}

impl std::fmt::Debug for Lanes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lanes")
            .field("top", &self.design.top())
            .field("lanes", &self.lanes)
            .field("cycle", &self.cycle)
            .finish_non_exhaustive()
    }
}

impl Design {
    /// Opens simulations of as many runs. With [`Initial::Random`], what the text does not initialise differs from lane to lane.
    ///
    /// # Errors
    /// [`EngineError::NotInLanes`] for a design whose clocks or asynchronous resets depend on registers that they clock.
    pub fn open_lanes(&self, lanes: LaneCount, initial: Initial) -> Result<Lanes, EngineError> {
        self.open_lanes_from(0, lanes, initial)
    }

    /// As [`Design::open_lanes`], where the first lane has the power-up state of lane `first`.
    pub(super) fn open_lanes_from(
        &self,
        first: u64,
        lanes: LaneCount,
        initial: Initial,
    ) -> Result<Lanes, EngineError> {
        let native = Vectors::detect() != Vectors::Plain;
        let program = self.gates(lanes.lanes() / 64, native)?;
        let memories = &self.netlist.memories;
        let count = lanes.lanes();
        let mut fill: Vec<_> = (first..first + count as u64)
            .map(|lane| initial.of_lane(lane).words())
            .collect();
        let mut planes: Box<dyn Planes> = match lanes {
            LaneCount::L64 => Box::new(State::<1>::new(&program)),
            LaneCount::L128 => Box::new(State::<2>::new(&program)),
            LaneCount::L256 => Box::new(State::<4>::new(&program)),
            LaneCount::L512 => Box::new(State::<8>::new(&program)),
        };
        let (values, wide) = planes.parts();
        let words = count / 64;
        values[words..2 * words].fill(u64::MAX);
        for (register, slot) in self.netlist.registers.iter().zip(&program.registers) {
            let (value, given) = register.initial;
            for (lane, fill) in fill.iter_mut().enumerate() {
                let value = value & given | fill() & !given;
                for bit in 0..register.width as usize {
                    let at = (*slot as usize + bit) * words + lane / 64;
                    values[at] |= (value >> bit & 1) << (lane % 64);
                }
            }
        }
        for (memory, (store, first)) in memories.iter().zip(&program.homes) {
            let (content, limbs) = (&mut wide[*store as usize], memory.limbs());
            let (words, first) = (program.stores[*store as usize].1, *first as usize);
            let mut start = |lane: usize, values: &[u64]| {
                for (index, value) in values.iter().enumerate() {
                    let (address, limb) = (index / limbs, index % limbs);
                    content[(address * count + lane) * words + first + limb] = *value;
                }
            };
            if memory.given.iter().all(|g| *g) {
                // Fresh stores are zero.
                if memory.initial.iter().any(|v| *v != 0) {
                    (0..count).for_each(|lane| start(lane, &memory.initial));
                }
                continue;
            }
            for (lane, fill) in fill.iter_mut().enumerate() {
                start(lane, &memory.start(fill));
            }
        }
        let graph = &self.netlist.graph;
        let inputs = self.bits(true);
        let inputs = inputs.iter().flat_map(|b| &b.limbs).map(|id| {
            let slot = match graph.op(*id) {
                Op::Input(word) => program.inputs[word],
                _ => 0,
            };
            (slot, graph.width(*id))
        });
        Ok(Lanes {
            inputs: inputs.collect(),
            design: Arc::new(self.clone()),
            program,
            planes,
            lanes: count,
            cycle: 0,
        })
    }
}

impl Lanes {
    /// The design they run.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// Number of lanes.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Clocks run so far.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    fn buffer(&self, what: &'static str, expected: usize, got: usize) -> Result<(), EngineError> {
        if expected == got {
            return Ok(());
        }
        Err(EngineError::Buffer {
            top: self.design.top().to_string(),
            what,
            expected,
            got,
        })
    }

    fn beyond(&self, what: &'static str, count: usize, index: usize) -> EngineError {
        self.design.beyond(what, count, index)
    }

    /// Sets word `word` of the input buffer in every lane: `values` has one word for each lane. Inputs stay until they are set
    /// again.
    ///
    /// # Errors
    /// [`EngineError::Buffer`] for another number of values, [`EngineError::Beyond`] for a word beyond the last.
    pub fn set_input(&mut self, word: usize, values: &[u64]) -> Result<(), EngineError> {
        self.buffer("an input of all lanes", self.lanes, values.len())?;
        let Some(&(slot, width)) = self.inputs.get(word) else {
            return Err(self.beyond("word of the inputs", self.inputs.len(), word));
        };
        self.planes.load(slot as usize, width as usize, values);
        Ok(())
    }

    /// Sets word `word` of the input buffer to the same value in all lanes.
    ///
    /// # Errors
    /// [`EngineError::Beyond`] for a word beyond the last.
    pub fn set_input_everywhere(&mut self, word: usize, value: u64) -> Result<(), EngineError> {
        let Some(&(slot, width)) = self.inputs.get(word) else {
            return Err(self.beyond("word of the inputs", self.inputs.len(), word));
        };
        let words = self.lanes / 64;
        let (values, _) = self.planes.parts();
        for bit in 0..width as usize {
            let plane = 0u64.wrapping_sub(value >> bit & 1);
            values[(slot as usize + bit) * words..][..words].fill(plane);
        }
        Ok(())
    }

    /// Sets one bit of word `word` of the input buffer: lane `l` gets bit `l % 64` of word `l / 64` of `lanes`. The fastest way to give
    /// every lane random inputs of its own.
    ///
    /// # Errors
    /// [`EngineError::Buffer`] for another number of words, [`EngineError::Beyond`] for a word or bit beyond the last.
    pub fn set_input_bit(
        &mut self,
        word: usize,
        bit: usize,
        lanes: &[u64],
    ) -> Result<(), EngineError> {
        let words = self.lanes / 64;
        self.buffer("a mask of lanes", words, lanes.len())?;
        let Some(&(slot, width)) = self.inputs.get(word) else {
            return Err(self.beyond("word of the inputs", self.inputs.len(), word));
        };
        if bit >= width as usize {
            return Err(self.beyond("bit of the input", width as usize, bit));
        }
        let (values, _) = self.planes.parts();
        values[(slot as usize + bit) * words..][..words].copy_from_slice(lanes);
        Ok(())
    }

    /// Runs one clock in all lanes with the inputs that are set. The outputs are those before the rising edge, as in
    /// [`crate::Sim::step`].
    pub fn clock(&mut self) {
        match self.program.passes {
            None => self.planes.clock(&self.program),
            Some(passes) => self.settle(passes),
        }
        self.cycle += 1;
    }

    /// One clock of a design of several clocks: settles with the clock low, keeps the outputs, and settles with the clock high.
    fn settle(&mut self, passes: PassCode) {
        let words = self.lanes / 64;
        let range = |slot: u32| slot as usize * words..(slot as usize + 1) * words;
        let mut outputs: Vec<u64> = vec![];
        for level in [0, u64::MAX] {
            match passes.clock {
                Some(clock) => self.planes.parts().0[range(clock)].fill(level),
                None if level != 0 => break,
                None => {}
            }
            // The outputs hold only after a pass in which nothing acts; nobody asks for those with the clock high.
            for _ in 0..passes.most + u32::from(level == 0) {
                self.planes.clock(&self.program);
                if self.planes.values()[range(passes.acting)]
                    .iter()
                    .all(|w| *w == 0)
                {
                    break;
                }
            }
            if level == 0 {
                for slot in self.program.outputs.iter().flatten() {
                    outputs.extend(&self.planes.values()[range(*slot)]);
                }
            }
        }
        let (values, _) = self.planes.parts();
        let slots = self.program.outputs.iter().flatten();
        for (slot, output) in slots.zip(outputs.chunks(words)) {
            values[range(*slot)].copy_from_slice(output);
        }
    }

    /// Runs one clock: `inputs` and `outputs` hold the buffers of the lanes one after the other.
    ///
    /// # Errors
    /// [`EngineError::Buffer`] for a buffer of the wrong length.
    pub fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), EngineError> {
        let (n, m) = (self.inputs.len(), self.program.outputs.len());
        self.buffer("the input buffer", n * self.lanes, inputs.len())?;
        self.buffer("the output buffer", m * self.lanes, outputs.len())?;
        let mut lane_words = vec![0; self.lanes];
        for word in 0..n {
            for (lane, value) in lane_words.iter_mut().enumerate() {
                *value = inputs[lane * n + word];
            }
            self.set_input(word, &lane_words)?;
        }
        self.clock();
        for word in 0..m {
            self.output(word, &mut lane_words)?;
            for (lane, value) in lane_words.iter().enumerate() {
                outputs[lane * m + word] = *value;
            }
        }
        Ok(())
    }

    /// Word `word` of the output buffer of the last clock, one word for each lane.
    ///
    /// # Errors
    /// [`EngineError::Buffer`] for another number of values, [`EngineError::Beyond`] for a word beyond the last.
    pub fn output(&self, word: usize, values: &mut [u64]) -> Result<(), EngineError> {
        self.buffer("an output of all lanes", self.lanes, values.len())?;
        let Some(slots) = self.program.outputs.get(word) else {
            return Err(self.beyond("word of the outputs", self.program.outputs.len(), word));
        };
        self.planes.store(slots, values);
        Ok(())
    }

    /// Word `word` of the output buffer of the last clock in one lane.
    ///
    /// # Errors
    /// [`EngineError::Beyond`] for a lane or word beyond the last.
    pub fn output_of(&self, word: usize, lane: usize) -> Result<u64, EngineError> {
        self.lane(lane)?;
        let Some(slots) = self.program.outputs.get(word) else {
            return Err(self.beyond("word of the outputs", self.program.outputs.len(), word));
        };
        let (words, values) = (self.lanes / 64, self.planes.values());
        let bit = |slot: &u32| values[*slot as usize * words + lane / 64] >> (lane % 64) & 1;
        let bits = slots.iter().enumerate();
        Ok(bits.fold(0, |word, (i, slot)| word | bit(slot) << i))
    }

    /// Whether word `word` of the output buffer of the last clock differs from `value` in any lane, in any bit of `care`: cheaper than
    /// the words of all lanes ([`Lanes::output`]).
    ///
    /// # Errors
    /// [`EngineError::Beyond`] for a word beyond the last.
    pub fn output_differs(&self, word: usize, value: u64, care: u64) -> Result<bool, EngineError> {
        let Some(slots) = self.program.outputs.get(word) else {
            return Err(self.beyond("word of the outputs", self.program.outputs.len(), word));
        };
        let (words, values) = (self.lanes / 64, self.planes.values());
        // Bits above the port are 0.
        let above = u64::MAX.checked_shl(slots.len() as u32).unwrap_or(0);
        let cared = slots.iter().enumerate().filter(|(i, _)| care >> i & 1 == 1);
        let differ = cared.fold(value & care & above, |differ, (i, slot)| {
            let expected = 0u64.wrapping_sub(value >> i & 1);
            let plane = &values[*slot as usize * words..][..words];
            plane
                .iter()
                .fold(differ, |differ, word| differ | (word ^ expected))
        });
        Ok(differ != 0)
    }

    /// One bit of the outputs of the last clock: lane `l` is bit `l % 64` of word `l / 64`.
    ///
    /// # Errors
    /// [`EngineError::Beyond`] for a bit or word beyond the last.
    pub fn output_bit(&self, word: usize, bit: usize) -> Result<&[u64], EngineError> {
        let Some(slots) = self.program.outputs.get(word) else {
            return Err(self.beyond("word of the outputs", self.program.outputs.len(), word));
        };
        let Some(slot) = slots.get(bit) else {
            return Err(self.beyond("bit of the output", slots.len(), bit));
        };
        let words = self.lanes / 64;
        Ok(&self.planes.values()[*slot as usize * words..][..words])
    }

    /// The lanes whose outputs differed from those of lane 0 in the last clock: lane `l` is bit `l % 64` of word `l / 64`.
    pub fn differing(&self) -> Vec<u64> {
        let words = self.lanes / 64;
        let values = self.planes.values();
        let mut differ = vec![0; words];
        for slot in self.program.outputs.iter().flatten() {
            let plane = &values[*slot as usize * words..][..words];
            let first = 0u64.wrapping_sub(plane[0] & 1);
            for (differ, word) in differ.iter_mut().zip(plane) {
                *differ |= word ^ first;
            }
        }
        differ
    }

    fn missing(&self, kind: &'static str, name: &str) -> EngineError {
        EngineError::NoSignal {
            top: self.design.top().to_string(),
            kind,
            name: name.to_string(),
        }
    }

    /// Slots of the bits of a register.
    fn register(&self, name: &str) -> Result<Vec<u32>, EngineError> {
        let missing = || self.missing("register", name);
        let bits = self.design.signal(name).ok_or_else(missing)?;
        let graph = &self.design.netlist.graph;
        let mut slots = vec![];
        for id in &bits.limbs {
            let Op::Register(r) = *graph.op(*id) else {
                return Err(missing());
            };
            let first = self.program.registers[r as usize];
            slots.extend(first..first + graph.width(*id));
        }
        Ok(slots)
    }

    /// Value of a register in one lane, in words of 64 bits.
    ///
    /// # Errors
    /// [`EngineError::NoSignal`], [`EngineError::Beyond`] for a lane beyond the last.
    pub fn peek(&self, name: &str, lane: usize) -> Result<Vec<u64>, EngineError> {
        self.lane(lane)?;
        let (words, values) = (self.lanes / 64, self.planes.values());
        let slots = self.register(name)?;
        let bit = |slot: &u32| values[*slot as usize * words + lane / 64] >> (lane % 64) & 1;
        let limbs = slots.chunks(64);
        Ok(limbs
            .map(|limb| {
                let bits = limb.iter().enumerate();
                bits.fold(0, |word, (i, slot)| word | bit(slot) << i)
            })
            .collect())
    }

    /// Inverts bit `bit` of a register in the lanes of `lanes` (lane `l` is bit `l % 64` of word `l / 64`), as a disturbance would.
    ///
    /// # Errors
    /// [`EngineError::NoSignal`], [`EngineError::Beyond`] for a bit beyond the highest, [`EngineError::Buffer`] for another number of words.
    pub fn flip(&mut self, name: &str, bit: usize, lanes: &[u64]) -> Result<(), EngineError> {
        let words = self.lanes / 64;
        self.buffer("a mask of lanes", words, lanes.len())?;
        let slots = self.register(name)?;
        let Some(&slot) = slots.get(bit) else {
            return Err(self.beyond("bit of the register", slots.len(), bit));
        };
        let (values, _) = self.planes.parts();
        let plane = &mut values[slot as usize * words..][..words];
        plane.iter_mut().zip(lanes).for_each(|(p, l)| *p ^= l);
        Ok(())
    }

    /// Adds one to bit `bit` of site `site` of [`Design::read_with_faults`] in the lanes of `lanes` (lane `l` is bit `l % 64` of word
    /// `l / 64`) until they are set again.
    ///
    /// # Errors
    /// [`EngineError::Beyond`] for a site or bit beyond the last, [`EngineError::Buffer`] for another number of words.
    pub fn set_fault(&mut self, site: usize, bit: usize, lanes: &[u64]) -> Result<(), EngineError> {
        let words = self.lanes / 64;
        self.buffer("a mask of lanes", words, lanes.len())?;
        let Some(fault) = self.design.netlist.faults.get(site) else {
            return Err(self.design.no_site(site));
        };
        if bit >= fault.width as usize {
            return Err(self.beyond("bit of the fault site", fault.width as usize, bit));
        }
        let slot = match self.design.netlist.graph.op(fault.limbs[bit / 64]) {
            Op::Input(word) => self.program.inputs[word] as usize + bit % 64,
            _ => return Err(self.design.no_site(site)),
        };
        let (values, _) = self.planes.parts();
        values[slot * words..][..words].copy_from_slice(lanes);
        Ok(())
    }

    fn lane(&self, lane: usize) -> Result<(), EngineError> {
        if lane < self.lanes {
            return Ok(());
        }
        Err(self.beyond("lane", self.lanes, lane))
    }

    fn memory(
        &self,
        name: &str,
        address: usize,
        lane: usize,
    ) -> Result<(usize, usize), EngineError> {
        self.lane(lane)?;
        let Some(Named::Memory(index)) = self.design.named(name) else {
            return Err(self.missing("memory", name));
        };
        let index = *index as usize;
        let depth = self.design.netlist.memories[index].depth;
        if address >= depth {
            return Err(self.beyond("address of the memory", depth, address));
        }
        let (store, first) = self.program.homes[index];
        let words = self.program.stores[store as usize].1;
        Ok((
            index,
            (address * self.lanes + lane) * words + first as usize,
        ))
    }

    /// Word of a memory in one lane, in words of 64 bits.
    ///
    /// # Errors
    /// [`EngineError::NoSignal`], [`EngineError::Beyond`] for an address or lane beyond the last.
    pub fn read_memory(
        &self,
        name: &str,
        address: usize,
        lane: usize,
    ) -> Result<Vec<u64>, EngineError> {
        let (index, at) = self.memory(name, address, lane)?;
        let limbs = self.design.netlist.memories[index].limbs();
        let store = self.program.homes[index].0 as usize;
        Ok(self.planes.stores()[store][at..at + limbs].to_vec())
    }

    /// Inverts bits of a memory's word in one lane between two clocks.
    ///
    /// # Errors
    /// As [`Lanes::read_memory`].
    pub fn flip_memory(
        &mut self,
        name: &str,
        address: usize,
        lane: usize,
        flip: &[u64],
    ) -> Result<(), EngineError> {
        let (index, at) = self.memory(name, address, lane)?;
        let width = self.design.netlist.memories[index].width;
        let limbs = self.design.netlist.memories[index].limbs();
        let store = self.program.homes[index].0 as usize;
        let (_, stores) = self.planes.parts();
        for (limb, flip) in flip.iter().enumerate().take(limbs) {
            stores[store][at + limb] ^= flip & mask(crate::ir::limb_width(width, limb as u32));
        }
        Ok(())
    }
}
