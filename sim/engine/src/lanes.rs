//! Many runs of a design at once: every bit of every signal is a plane with one bit for each run ("lane").
//!
//! Memories hold the words of all lanes side by side; addresses and data pass between planes and words by transposing matrices
//! of 64 by 64 bits. The code is plain; on x86-64 with AVX2 the same code compiled for it runs instead.

use crate::design::Design;
use crate::error::EngineError;
use crate::gates::{self, Gate, GateProgram};
use crate::initial::Initial;
use crate::ir::{mask, Named, Op};
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

/// Many simulations of a design with one clock.
///
/// They share the clock; inputs, registers and memories are each lane's own.
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
    /// [`EngineError::NotInLanes`] for a design with registers at other events than the rising edge of its clock.
    pub fn open_lanes(&self, lanes: LaneCount, initial: Initial) -> Result<Lanes, EngineError> {
        if !self.compiled().is_simple() {
            return Err(EngineError::NotInLanes {
                top: self.top().to_string(),
                problem: "it has registers at other events than the rising edge of its clock"
                    .into(),
            });
        }
        let program = self.gates();
        let memories = &self.netlist.memories;
        let count = lanes.lanes();
        let mut fill: Vec<_> = (0..count as u64)
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

    /// Sets word `word` of the input buffer in every lane: `values` has one word for each lane. Inputs stay until they are set
    /// again.
    ///
    /// # Errors
    /// [`EngineError::Buffer`] for another number of values or a word beyond the buffer.
    pub fn set_input(&mut self, word: usize, values: &[u64]) -> Result<(), EngineError> {
        self.buffer("an input of all lanes", self.lanes, values.len())?;
        let Some(&(slot, width)) = self.inputs.get(word) else {
            return self.buffer("the input buffer", self.inputs.len(), word + 1);
        };
        self.planes.load(slot as usize, width as usize, values);
        Ok(())
    }

    /// Sets word `word` of the input buffer to the same value in all lanes.
    ///
    /// # Errors
    /// [`EngineError::Buffer`] for a word beyond the buffer.
    pub fn set_input_everywhere(&mut self, word: usize, value: u64) -> Result<(), EngineError> {
        let Some(&(slot, width)) = self.inputs.get(word) else {
            return self.buffer("the input buffer", self.inputs.len(), word + 1);
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
    /// [`EngineError::Buffer`] for another number of words, or a word or bit beyond the input.
    pub fn set_input_bit(
        &mut self,
        word: usize,
        bit: usize,
        lanes: &[u64],
    ) -> Result<(), EngineError> {
        let words = self.lanes / 64;
        self.buffer("a mask of lanes", words, lanes.len())?;
        let Some(&(slot, width)) = self.inputs.get(word) else {
            return self.buffer("the input buffer", self.inputs.len(), word + 1);
        };
        if bit >= width as usize {
            return self.buffer("a bit of an input; the input", width as usize, bit + 1);
        }
        let (values, _) = self.planes.parts();
        values[(slot as usize + bit) * words..][..words].copy_from_slice(lanes);
        Ok(())
    }

    /// Runs one clock in all lanes with the inputs that are set. The outputs are those before the rising edge, as in
    /// [`crate::Sim::step`].
    pub fn clock(&mut self) {
        self.planes.clock(&self.program);
        self.cycle += 1;
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
    /// [`EngineError::Buffer`] for another number of values or a word beyond the buffer.
    pub fn output(&self, word: usize, values: &mut [u64]) -> Result<(), EngineError> {
        self.buffer("an output of all lanes", self.lanes, values.len())?;
        let Some(slots) = self.program.outputs.get(word) else {
            return self.buffer("the output buffer", self.program.outputs.len(), word + 1);
        };
        self.planes.store(slots, values);
        Ok(())
    }

    /// One bit of the outputs of the last clock: lane `l` is bit `l % 64` of word `l / 64`.
    ///
    /// # Errors
    /// [`EngineError::Buffer`] for a bit or word beyond the buffer.
    pub fn output_bit(&self, word: usize, bit: usize) -> Result<&[u64], EngineError> {
        let slot = self.program.outputs.get(word).and_then(|w| w.get(bit));
        let Some(&slot) = slot else {
            self.buffer("the output buffer", self.program.outputs.len(), word + 1)?;
            self.buffer(
                "a bit of an output; the output",
                self.program.outputs[word].len(),
                bit + 1,
            )?;
            return Ok(&[]);
        };
        let words = self.lanes / 64;
        Ok(&self.planes.values()[slot as usize * words..][..words])
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
    /// [`EngineError::NoSignal`], [`EngineError::Buffer`] for a lane beyond the last.
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
    /// [`EngineError::NoSignal`], [`EngineError::Buffer`] for a bit beyond the highest or another number of words.
    pub fn flip(&mut self, name: &str, bit: usize, lanes: &[u64]) -> Result<(), EngineError> {
        let words = self.lanes / 64;
        self.buffer("a mask of lanes", words, lanes.len())?;
        let slots = self.register(name)?;
        let Some(&slot) = slots.get(bit) else {
            return self.buffer("a bit of a register; the register", slots.len(), bit + 1);
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
    /// [`EngineError::Buffer`] for a site or bit beyond the last, or another number of words.
    pub fn set_fault(&mut self, site: usize, bit: usize, lanes: &[u64]) -> Result<(), EngineError> {
        let words = self.lanes / 64;
        self.buffer("a mask of lanes", words, lanes.len())?;
        let Some(fault) = self.design.netlist.faults.get(site) else {
            return Err(self.design.no_site(site));
        };
        if bit >= fault.width as usize {
            self.buffer("a bit of a site; the site", fault.width as usize, bit + 1)?;
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
        self.buffer("a lane; the design", self.lanes, lane + 1)
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
            self.buffer("an address; the memory", depth, address + 1)?;
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
    /// [`EngineError::NoSignal`], [`EngineError::Buffer`] for an address or lane beyond the last.
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

/// The state of `64 * W` lanes, whatever `W`.
trait Planes: Send {
    fn clock(&mut self, program: &GateProgram);
    fn load(&mut self, slot: usize, width: usize, values: &[u64]);
    fn store(&self, slots: &[u32], values: &mut [u64]);
    /// The planes, `W` words each, and the memories.
    fn parts(&mut self) -> (&mut [u64], &mut [Content]);
    fn values(&self) -> &[u64];
    fn stores(&self) -> &[Content];
}

/// Zeroed words; on huge pages where the system gives them, because lanes read far apart.
enum Content {
    Mapped(memmap2::MmapMut, usize),
    Plain(Vec<u64>),
}

impl Content {
    fn new(words: usize) -> Self {
        match memmap2::MmapMut::map_anon((words * 8).max(1)) {
            Ok(map) => {
                #[cfg(target_os = "linux")]
                // Without them it is slower, not wrong.
                let _ = map.advise(memmap2::Advice::HugePage);
                Content::Mapped(map, words)
            }
            Err(_) => Content::Plain(vec![0; words]),
        }
    }
}

impl std::ops::Deref for Content {
    type Target = [u64];

    #[inline(always)]
    fn deref(&self) -> &[u64] {
        match self {
            // SAFETY: a mapping begins at a page, has that many words, and any bytes are words.
            Content::Mapped(map, words) => unsafe {
                std::slice::from_raw_parts(map.as_ptr().cast(), *words)
            },
            Content::Plain(words) => words,
        }
    }
}

impl std::ops::DerefMut for Content {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64] {
        match self {
            // SAFETY: as above.
            Content::Mapped(map, words) => unsafe {
                std::slice::from_raw_parts_mut(map.as_mut_ptr().cast(), *words)
            },
            Content::Plain(words) => words,
        }
    }
}

struct State<const W: usize> {
    planes: Vec<[u64; W]>,
    /// Word `n` of a store's `words` at address `a` in lane `l` is at `(a * lanes + l) * words + n`.
    stores: Vec<Content>,
    /// Addresses of each lookup, by lane.
    addresses: Vec<[[u32; 64]; W]>,
    /// The program's code in half the space, where its slots' numbers allow.
    short: Option<Vec<[u16; 4]>>,
    vectors: Vectors,
}

impl<const W: usize> State<W> {
    fn new(program: &GateProgram) -> Self {
        check(program);
        let stores = program.stores.iter();
        Self {
            planes: vec![[0; W]; program.slots],
            stores: stores
                .map(|(addresses, words)| Content::new(addresses * words * 64 * W))
                .collect(),
            addresses: vec![[[0; 64]; W]; program.lookups.len()],
            short: short(&program.code),
            vectors: Vectors::detect(),
        }
    }
}

fn short(code: &[gates::GateCode]) -> Option<Vec<[u16; 4]>> {
    let one = |code: &gates::GateCode| -> Option<[u16; 4]> {
        let [d, a, b, c] = code.map(|slot| u16::try_from(slot).ok());
        Some([d?, a?, b?, c?])
    };
    code.iter().map(one).collect()
}

/// Vector instructions of this processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Vectors {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Vectors {
    fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx2") && has!("bmi1") && has!("bmi2") {
                return Self::Avx2;
            }
        }
        Self::Plain
    }
}

/// Checks every slot that [`clock_here`] uses without a check of its own.
fn check(program: &GateProgram) {
    let slot = |s: u32| assert!((s as usize) < program.slots, "a slot beyond the last");
    for batch in &program.batches {
        for code in &program.code[batch.from as usize..batch.to as usize] {
            let index = code[0] as usize;
            match batch.gate {
                Gate::Address => assert!(index < program.lookups.len(), "a lookup beyond the last"),
                Gate::Read => assert!(index < program.reads.len(), "a read beyond the last"),
                Gate::Write => assert!(index < program.writes.len(), "a write beyond the last"),
                _ => code.iter().for_each(|s| slot(*s)),
            }
        }
    }
}

impl<const W: usize> Planes for State<W> {
    fn clock(&mut self, program: &GateProgram) {
        assert_eq!(self.planes.len(), program.slots);
        match self.short.take() {
            Some(code) => {
                self.run(program, &code);
                self.short = Some(code);
            }
            None => self.run(program, &program.code),
        }
    }

    fn load(&mut self, slot: usize, width: usize, values: &[u64]) {
        let mut rows = [[0u64; W]; 64];
        for (lane, value) in values.iter().enumerate() {
            rows[lane % 64][lane / 64] = *value;
        }
        self.transpose(&mut rows);
        self.planes[slot..slot + width].copy_from_slice(&rows[..width]);
    }

    fn store(&self, slots: &[u32], values: &mut [u64]) {
        let mut rows = [[0u64; W]; 64];
        for (row, slot) in rows.iter_mut().zip(slots) {
            *row = self.planes[*slot as usize];
        }
        self.transpose(&mut rows);
        for (lane, value) in values.iter_mut().enumerate() {
            *value = rows[lane % 64][lane / 64];
        }
    }

    fn parts(&mut self) -> (&mut [u64], &mut [Content]) {
        (self.planes.as_flattened_mut(), &mut self.stores)
    }

    fn values(&self) -> &[u64] {
        self.planes.as_flattened()
    }

    fn stores(&self) -> &[Content] {
        &self.stores
    }
}

impl<const W: usize> State<W> {
    /// One clock; `code` is that of the program.
    fn run<S: Copy + Into<u32>>(&mut self, program: &GateProgram, code: &[[S; 4]]) {
        // SAFETY (each): `check` has seen the program's slots, and `Vectors::detect` the processor.
        match self.vectors {
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 => unsafe { clock_avx2(self, program, code) },
            Vectors::Plain => unsafe { clock_here(self, program, code) },
        }
    }

    fn transpose(&self, rows: &mut [[u64; W]; 64]) {
        match self.vectors {
            Vectors::Plain => transpose::<W, 64>(rows),
            // SAFETY: the processor has AVX2.
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 => unsafe { transpose_avx2(rows) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn transpose_avx2<const W: usize>(rows: &mut [[u64; W]; 64]) {
    transpose::<W, 64>(rows);
}

/// The clock, compiled for processors with AVX2.
///
/// # Safety
/// The program must have passed [`check`], and `code` must be its code.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2")]
unsafe fn clock_avx2<const W: usize, S: Copy + Into<u32>>(
    state: &mut State<W>,
    program: &GateProgram,
    code: &[[S; 4]],
) {
    // SAFETY: as this function's own condition.
    unsafe { clock_here(state, program, code) }
}

/// Transposes squares of `N` bits: bit `c` of row `r` goes to bit `r` of row `c`, in every word and every `N` bits of it.
#[inline(always)]
fn transpose<const W: usize, const N: usize>(rows: &mut [[u64; W]; N]) {
    let mut distance = N / 2;
    // The lower half of every 2 * distance bits.
    let mut low = match N {
        64 => 0x0000_0000_ffff_ffffu64,
        32 => 0x0000_ffff_0000_ffff,
        16 => 0x00ff_00ff_00ff_00ff,
        _ => 0x0f0f_0f0f_0f0f_0f0f,
    };
    while distance > 0 {
        let mut row = 0;
        while row < N {
            for i in row..row + distance {
                let (mut x, mut y) = (rows[i], rows[i + distance]);
                for w in 0..W {
                    let swap = ((x[w] >> distance) ^ y[w]) & low;
                    y[w] ^= swap;
                    x[w] ^= swap << distance;
                }
                rows[i] = x;
                rows[i + distance] = y;
            }
            row += 2 * distance;
        }
        distance /= 2;
        low ^= low << distance;
    }
}

/// The words of all lanes from planes, lowest bit first: `out[w][l]` is that of lane `64 w + l`.
#[inline(always)]
fn words_of<const W: usize>(planes: &[[u64; W]], slots: &[u32], out: &mut [[u64; W]; 64]) {
    if slots.len() <= 16 {
        let mut rows = [[0u64; W]; 16];
        for (row, slot) in rows.iter_mut().zip(slots) {
            *row = planes[*slot as usize];
        }
        transpose::<W, 16>(&mut rows);
        for (l, row) in rows.iter().enumerate() {
            for quarter in 0..4 {
                for w in 0..W {
                    out[16 * quarter + l][w] = row[w] >> (16 * quarter) & 0xffff;
                }
            }
        }
        return;
    }
    for (k, row) in out.iter_mut().enumerate() {
        *row = slots.get(k).map_or([0; W], |slot| planes[*slot as usize]);
    }
    transpose::<W, 64>(out);
}

/// Runs gates of one kind.
///
/// # Safety
/// Every slot of `code` must exist.
#[inline(always)]
unsafe fn gates<const W: usize, const INPUTS: usize, S: Copy + Into<u32>>(
    planes: &mut [[u64; W]],
    code: &[[S; 4]],
    f: impl Fn(u64, u64, u64) -> u64,
) {
    for code in code {
        let [d, a, b, c]: [u32; 4] = code.map(Into::into);
        // SAFETY: by this function's own condition.
        unsafe {
            let x = *planes.get_unchecked(a as usize);
            let y = if INPUTS > 1 {
                *planes.get_unchecked(b as usize)
            } else {
                x
            };
            let z = if INPUTS > 2 {
                *planes.get_unchecked(c as usize)
            } else {
                x
            };
            let mut result = [0; W];
            for w in 0..W {
                result[w] = f(x[w], y[w], z[w]);
            }
            *planes.get_unchecked_mut(d as usize) = result;
        }
    }
}

/// One clock of all lanes.
///
/// # Safety
/// The program must have passed [`check`], and `code` must be its code.
#[inline(always)]
unsafe fn clock_here<const W: usize, S: Copy + Into<u32>>(
    state: &mut State<W>,
    program: &GateProgram,
    code: &[[S; 4]],
) {
    let planes = &mut state.planes[..];
    for batch in &program.batches {
        let code = &code[batch.from as usize..batch.to as usize];
        macro_rules! run {
            ($inputs:literal, $f:expr) => {
                // SAFETY: by this function's own condition.
                unsafe { gates::<W, $inputs, S>(planes, code, $f) }
            };
        }
        match batch.gate {
            Gate::Leaf => {}
            Gate::Copy => run!(1, |a, _, _| a),
            Gate::Not => run!(1, |a, _, _| !a),
            Gate::And => run!(2, |a, b, _| a & b),
            Gate::AndNot => run!(2, |a, b, _| a & !b),
            Gate::Or => run!(2, |a, b, _| a | b),
            Gate::Xor => run!(2, |a, b, _| a ^ b),
            Gate::Choose => run!(3, |c, a, b| b ^ (c & (a ^ b))),
            Gate::And3 => run!(3, |a, b, c| a & b & c),
            Gate::Or3 => run!(3, |a, b, c| a | b | c),
            Gate::Xor3 => run!(3, |a, b, c| a ^ b ^ c),
            Gate::AndOr => run!(3, |a, b, c| (a & b) | c),
            Gate::OrAnd => run!(3, |a, b, c| (a | b) & c),
            Gate::AndXor => run!(3, |a, b, c| (a & b) ^ c),
            Gate::Address => {
                for index in code.iter().map(|c| c[0].into() as usize) {
                    let (store, slots) = &program.lookups[index];
                    let (_, words) = program.stores[*store as usize];
                    let content = &state.stores[*store as usize][..];
                    let mut rows = [[0; W]; 64];
                    words_of(planes, slots, &mut rows);
                    let addresses = &mut state.addresses[index];
                    for w in 0..W {
                        for l in 0..64 {
                            let address = rows[l][w] as u32;
                            addresses[w][l] = address;
                            let at = (address as usize * 64 * W + 64 * w + l) * words;
                            prefetch(content, at);
                        }
                    }
                }
            }
            Gate::Read => {
                for index in code.iter().map(|c| c[0].into() as usize) {
                    let read = &program.reads[index];
                    let (_, words) = program.stores[read.store as usize];
                    let content = &state.stores[read.store as usize][..];
                    let addresses = &state.addresses[read.lookup as usize];
                    let word = |w: usize, l: usize| {
                        let at = addresses[w][l] as usize * 64 * W + 64 * w + l;
                        content[at * words + read.word as usize]
                    };
                    if read.data.len() <= 16 {
                        let mut rows = [[0u64; W]; 16];
                        for (l, row) in rows.iter_mut().enumerate() {
                            for (w, value) in row.iter_mut().enumerate() {
                                *value = (0..4).fold(0, |v, q| v | word(w, 16 * q + l) << (16 * q));
                            }
                        }
                        transpose::<W, 16>(&mut rows);
                        for (slot, row) in read.data.iter().zip(&rows) {
                            planes[*slot as usize] = *row;
                        }
                        continue;
                    }
                    let mut rows = [[0u64; W]; 64];
                    for (l, row) in rows.iter_mut().enumerate() {
                        for (w, value) in row.iter_mut().enumerate() {
                            *value = word(w, l);
                        }
                    }
                    transpose::<W, 64>(&mut rows);
                    for (slot, row) in read.data.iter().zip(&rows) {
                        planes[*slot as usize] = *row;
                    }
                }
            }
            Gate::Write => {
                let mut addresses = [[0; W]; 64];
                let mut last: &[u32] = &[];
                let mut data = [[0; W]; 64];
                let mut last_data: &[u32] = &[];
                for index in code.iter().map(|c| c[0].into() as usize) {
                    let write = &program.writes[index];
                    let enable = planes[write.enable as usize];
                    if enable == [0; W] {
                        continue;
                    }
                    let (_, words) = program.stores[write.store as usize];
                    let content = &mut state.stores[write.store as usize][..];
                    if *last != write.address[..] {
                        words_of(planes, &write.address, &mut addresses);
                        last = &write.address;
                    }
                    for (limb, slots) in write.data.iter().enumerate() {
                        if *last_data != slots[..] {
                            words_of(planes, slots, &mut data);
                            last_data = slots;
                        }
                        for w in 0..W {
                            let mut left = enable[w];
                            while left != 0 {
                                let l = left.trailing_zeros() as usize;
                                left &= left - 1;
                                let at = addresses[l][w] as usize * 64 * W + 64 * w + l;
                                content[at * words + write.word as usize + limb] = data[l][w];
                            }
                        }
                    }
                }
            }
        }
    }
    for (to, from) in &program.late {
        planes[*to as usize] = planes[*from as usize];
    }
}

/// Asks for the word at `at`, which will be read soon.
#[inline(always)]
fn prefetch(content: &[u64], at: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch of any address does nothing but ask for it.
    unsafe {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        _mm_prefetch::<_MM_HINT_T0>(content.as_ptr().wrapping_add(at).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (content, at);
}
