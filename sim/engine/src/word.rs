//! One-lane simulation on 64-bit words.

use crate::compiled::Compiled;
use crate::design::Design;
use crate::error::EngineError;
use crate::initial::Initial;
use crate::ir::{limb_width, mask, shifted, Id, Named, Op};
use crate::machine::Machine;
use crate::program::{self, Code, Kind, Part, EVENTS, OUTPUTS};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Rounds of derived clocks and asynchronous resets after one change of the inputs.
const MOST_ROUNDS: usize = 100;

/// One instance of a design. A clone goes on from the same state; keep one to come back to it.
#[derive(Debug, Clone)]
pub struct Sim {
    design: Arc<Design>,
    compiled: Arc<Compiled>,
    slots: Vec<u64>,
    /// The words of all memories, one memory after the other.
    memories: Vec<u64>,
    /// Machine code for the segments.
    native: Option<Arc<Machine>>,
    /// Segments that hold for the present inputs and registers.
    valid: Vec<bool>,
    /// Values of the watched signals when they were last looked at.
    before: Vec<u64>,
    begun: bool,
    cycle: u64,
}

impl Design {
    /// Opens a simulation of one run.
    pub fn open(&self, initial: Initial) -> Sim {
        self.open_with(initial, None)
    }

    /// As [`Design::open`], in machine code: the first call compiles it with Cranelift, which takes a tenth of a second or more.
    ///
    /// # Errors
    /// [`EngineError::NoJit`] without cargo feature `jit`, and where this machine cannot run such code.
    pub fn open_jit(&self, initial: Initial) -> Result<Sim, EngineError> {
        Ok(self.open_with(initial, Some(self.native()?)))
    }

    fn open_with(&self, initial: Initial, native: Option<Arc<Machine>>) -> Sim {
        let compiled = self.compiled();
        let netlist = &self.netlist;
        let mut slots = vec![0; compiled.program.slots];
        for (slot, value) in &compiled.program.constants {
            slots[*slot as usize] = *value;
        }
        let mut fill = initial.words();
        for (register, slot) in netlist.registers.iter().zip(&compiled.program.registers) {
            let (value, given) = register.initial;
            slots[*slot as usize] = (value & given | fill() & !given) & mask(register.width);
        }
        let memories = netlist
            .memories
            .iter()
            .flat_map(|memory| memory.start(&mut fill))
            .collect();
        Sim {
            valid: vec![false; compiled.program.segments.len()],
            before: vec![0; compiled.watched.len()],
            design: Arc::new(self.clone()),
            compiled,
            slots,
            memories,
            native,
            begun: false,
            cycle: 0,
        }
    }
}

impl Sim {
    /// The design it runs.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// Words of the input buffer of one clock.
    pub fn input_words(&self) -> usize {
        self.compiled.inputs.len()
    }

    /// Words of the output buffer of one clock.
    pub fn output_words(&self) -> usize {
        self.compiled.outputs.len()
    }

    /// Clocks run so far.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Runs one clock: drives `inputs`, settles with the clock low, reads `outputs` (so those that depend on inputs of this
    /// clock are settled, and registers show their value before the edge), then raises the clock. Buffers as in [`Design`].
    /// Without a clock it only drives, settles and reads. Edges of other inputs act when the inputs are driven.
    ///
    /// # Errors
    /// [`EngineError::Buffer`] for a buffer of the wrong length, [`EngineError::Unsettled`].
    pub fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), EngineError> {
        self.step_seen(inputs, outputs, |_, _| Ok(()))
    }

    /// One clock; `see` looks at the settled state before the edge and after it, with the time in nanoseconds.
    pub(crate) fn step_seen(
        &mut self,
        inputs: &[u64],
        outputs: &mut [u64],
        see: impl FnMut(&Self, u64) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        self.check_buffers(inputs.len(), outputs.len(), 1)?;
        self.clock(inputs, outputs, see)
    }

    /// Runs `clocks` clocks in one call; the buffers hold those of the single clocks one after the other.
    ///
    /// # Errors
    /// As [`Sim::step`]; what the clocks before the end produced is in `outputs`.
    pub fn step_many(
        &mut self,
        inputs: &[u64],
        outputs: &mut [u64],
        clocks: usize,
    ) -> Result<(), EngineError> {
        self.check_buffers(inputs.len(), outputs.len(), clocks)?;
        let (n, m) = (self.input_words(), self.output_words());
        for clock in 0..clocks {
            let (inputs, outputs) = (&inputs[clock * n..][..n], &mut outputs[clock * m..][..m]);
            self.clock(inputs, outputs, |_, _| Ok(()))?;
        }
        Ok(())
    }

    fn check_buffers(
        &self,
        inputs: usize,
        outputs: usize,
        clocks: usize,
    ) -> Result<(), EngineError> {
        let fail = |what, expected, got| {
            Err(EngineError::Buffer {
                top: self.design.top().to_string(),
                what,
                expected,
                got,
            })
        };
        let (n, m) = (self.input_words() * clocks, self.output_words() * clocks);
        if inputs != n {
            return fail("the input buffer", n, inputs);
        }
        if outputs != m {
            return fail("the output buffer", m, outputs);
        }
        Ok(())
    }

    #[inline(always)]
    fn clock(
        &mut self,
        inputs: &[u64],
        outputs: &mut [u64],
        mut see: impl FnMut(&Self, u64) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let compiled = Arc::clone(&self.compiled);
        for ((slot, mask), word) in compiled.inputs.iter().zip(inputs) {
            self.slots[*slot as usize] = word & mask;
        }
        if let Some(clock) = compiled.clock {
            self.slots[clock as usize] = 0;
        }
        if compiled.simple {
            for segment in 0..compiled.program.segments.len() {
                self.run(&compiled, segment);
            }
        } else {
            self.valid.fill(false);
            self.settle(&compiled)?;
            self.evaluate(&compiled, OUTPUTS);
        }
        for (word, slot) in outputs.iter_mut().zip(&compiled.outputs) {
            *word = self.slots[*slot as usize];
        }
        see(self, 10 * self.cycle)?;
        if let Some(clock) = compiled.clock {
            self.slots[clock as usize] = 1;
            if !compiled.simple {
                if compiled.clock_is_data {
                    self.valid.fill(false);
                }
                self.settle(&compiled)?;
            } else if !compiled.program.domains.is_empty() {
                self.commit(&compiled, 0);
            }
            see(self, 10 * self.cycle + 5)?;
        }
        self.cycle += 1;
        Ok(())
    }

    /// Runs the segments that any of `users` needs and that do not hold yet.
    fn evaluate(&mut self, compiled: &Compiled, users: u64) {
        for (index, segment) in compiled.program.segments.iter().enumerate() {
            if segment.users & users != 0 && !self.valid[index] {
                self.run(compiled, index);
                self.valid[index] = true;
            }
        }
    }

    /// Runs one segment.
    #[inline]
    fn run(&mut self, compiled: &Compiled, segment: usize) {
        let program = &compiled.program;
        assert_eq!(self.slots.len(), program.slots);
        let Some(native) = &self.native else {
            for one in &program.segments[segment].batches {
                let code = &program.code[one.from as usize..one.to as usize];
                let slots = self.slots.as_mut_ptr();
                // SAFETY: `Compiled::check` has seen every index of the program against the number of slots.
                unsafe { batch(compiled, one.kind, code, slots, &self.memories) }
            }
            return;
        };
        // SAFETY: this is a segment of the program from which the code was made, so its slots, tables and memories are these; every index of
        // a table or memory is masked.
        unsafe {
            let run: extern "sysv64" fn(*mut u64, *const u64, *const u64) =
                std::mem::transmute(native.entry(segment));
            let (memories, tables) = (self.memories.as_ptr(), program.tables.as_ptr());
            run(self.slots.as_mut_ptr(), memories, tables);
        }
    }

    /// Lets edges act until there are no more.
    fn settle(&mut self, compiled: &Compiled) -> Result<(), EngineError> {
        for _ in 0..MOST_ROUNDS {
            self.evaluate(compiled, EVENTS);
            let now = |at: usize| self.slots[compiled.watched[at] as usize];
            let mut acting = vec![];
            if self.begun {
                for (domain, events) in compiled.events.iter().enumerate() {
                    let edge = |(at, rising): &(usize, bool)| {
                        self.before[*at] != now(*at) && *rising == (now(*at) == 1)
                    };
                    if events.iter().any(edge) {
                        acting.push(domain);
                    }
                }
            }
            self.begun = true;
            for at in 0..self.before.len() {
                self.before[at] = self.slots[compiled.watched[at] as usize];
            }
            if acting.is_empty() {
                return Ok(());
            }
            let users = acting
                .iter()
                .fold(0, |users, d| users | program::domain_bit(*d));
            self.evaluate(compiled, users);
            for domain in acting {
                self.commit(compiled, domain);
            }
            self.valid.fill(false);
        }
        Err(EngineError::Unsettled {
            top: self.design.top().to_string(),
            cycle: self.cycle,
        })
    }

    /// The registers and memories of a domain take their next values.
    #[inline]
    fn commit(&mut self, compiled: &Compiled, domain: usize) {
        let domain = &compiled.program.domains[domain];
        for write in &domain.writes {
            if self.slots[write.enable as usize] != 0 {
                let at = self.slots[write.address as usize] as usize * write.data.len();
                let at = compiled.memories[write.memory as usize].first + at;
                for (limb, slot) in write.data.iter().enumerate() {
                    self.memories[at + limb] = self.slots[*slot as usize];
                }
            }
        }
        let (from, to) = (domain.from as usize, domain.to as usize);
        self.slots.copy_within(from..to, from + 1);
    }

    // Signals and memories.

    fn missing(&self, kind: &'static str, name: &str) -> EngineError {
        EngineError::NoSignal {
            top: self.design.top().to_string(),
            kind,
            name: name.to_string(),
        }
    }

    /// Value of the signal `top.instance.signal` in words of 64 bits, settled for the inputs of the last clock and the registers
    /// after it.
    ///
    /// # Errors
    /// [`EngineError::NoSignal`].
    pub fn peek(&self, name: &str) -> Result<Vec<u64>, EngineError> {
        let bits = self
            .design
            .signal(name)
            .ok_or_else(|| self.missing("signal", name))?
            .clone();
        let mut known = HashMap::new();
        Ok(bits
            .limbs
            .iter()
            .map(|id| self.settled(*id, &mut known))
            .collect())
    }

    /// The value of a node by itself, from inputs, registers and memories.
    pub(crate) fn settled(&self, id: Id, known: &mut HashMap<Id, u64>) -> u64 {
        let graph = &self.design.netlist.graph;
        // Operands come before their users, so a stack of what is missing comes to an end.
        let mut stack = vec![id];
        while let Some(&top) = stack.last() {
            if known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let program = &self.compiled.program;
            let op = graph.op(top);
            let leaf = match op {
                Op::Register(_) | Op::Input(_) => {
                    let slot = program.slot_of.get(&top);
                    Some(slot.map_or(0, |s| self.slots[*s as usize]))
                }
                Op::Constant(value) => Some(*value),
                _ => None,
            };
            if let Some(value) = leaf {
                known.insert(top, value);
                stack.pop();
                continue;
            }
            let before = stack.len();
            op.operands(|x| {
                if !known.contains_key(&x) {
                    stack.push(x);
                }
            });
            if stack.len() > before {
                continue;
            }
            let value = match op {
                Op::Read {
                    memory,
                    limb,
                    address,
                } => self.read(*memory, *limb, known[address]),
                _ => graph.compute(top, |x| known[&x]),
            };
            known.insert(top, value);
            stack.pop();
        }
        known[&id]
    }

    /// Values of all nodes.
    pub(crate) fn values(&self, into: &mut Vec<u64>) {
        let netlist = &self.design.netlist;
        into.clear();
        for id in 0..netlist.graph.ops.len() as Id {
            let value = match netlist.graph.op(id) {
                Op::Register(_) | Op::Input(_) => {
                    let slot = self.compiled.program.slot_of.get(&id);
                    slot.map_or(0, |s| self.slots[*s as usize])
                }
                Op::Read {
                    memory,
                    limb,
                    address,
                } => self.read(*memory, *limb, into[*address as usize]),
                _ => netlist.graph.compute(id, |x| into[x as usize]),
            };
            into.push(value);
        }
    }

    fn read(&self, memory: u32, limb: u32, address: u64) -> u64 {
        let limbs = self.design.netlist.memories[memory as usize].limbs();
        let first = self.compiled.memories[memory as usize].first;
        self.memories[first + address as usize * limbs + limb as usize]
    }

    /// Inverts the bits `flip` (in words of 64 bits) of a register, as a disturbance would.
    ///
    /// # Errors
    /// [`EngineError::NoSignal`] when there is no register of that name.
    pub fn flip(&mut self, name: &str, flip: &[u64]) -> Result<(), EngineError> {
        let missing = self.missing("register", name);
        let Some(bits) = self.design.signal(name) else {
            return Err(missing);
        };
        let graph = &self.design.netlist.graph;
        if !bits
            .limbs
            .iter()
            .all(|l| matches!(graph.op(*l), Op::Register(_)))
        {
            return Err(missing);
        }
        for (id, flip) in bits.limbs.iter().zip(flip) {
            let slot = self.compiled.program.slot_of[id] as usize;
            self.slots[slot] ^= flip & mask(graph.width(*id));
        }
        self.valid.fill(false);
        Ok(())
    }

    /// Adds `bits` to the value of site `site` of [`Design::read_with_faults`] until they are set again.
    ///
    /// # Errors
    /// [`EngineError::Beyond`] for a site beyond the last.
    pub fn set_fault(&mut self, site: usize, bits: &[u64]) -> Result<(), EngineError> {
        let Some(fault) = self.design.netlist.faults.get(site) else {
            return Err(self.design.no_site(site));
        };
        for (limb, id) in fault.limbs.iter().enumerate() {
            let value = bits.get(limb).copied().unwrap_or(0);
            let slot = self.compiled.program.slot_of[id] as usize;
            self.slots[slot] = value & mask(self.design.netlist.graph.width(*id));
        }
        self.valid.fill(false);
        Ok(())
    }

    /// Index of a memory, and the words of one of its addresses.
    fn memory(&self, name: &str, address: usize) -> Result<(usize, Range<usize>), EngineError> {
        let missing = || self.missing("memory", name);
        let index = match self.design.named(name) {
            Some(Named::Memory(index)) => *index as usize,
            _ => return Err(missing()),
        };
        let memory = &self.design.netlist.memories[index];
        if address >= memory.depth {
            let depth = memory.depth;
            return Err(self.design.beyond("address of the memory", depth, address));
        }
        let at = self.compiled.memories[index].first + address * memory.limbs();
        Ok((index, at..at + memory.limbs()))
    }

    /// Word of the memory `top.instance.memory` at `address`, in words of 64 bits.
    ///
    /// # Errors
    /// [`EngineError::NoSignal`], [`EngineError::Beyond`] for an address beyond the last word.
    pub fn read_memory(&self, name: &str, address: usize) -> Result<Vec<u64>, EngineError> {
        let (_, words) = self.memory(name, address)?;
        Ok(self.memories[words].to_vec())
    }

    /// Writes a word of a memory between two clocks.
    ///
    /// # Errors
    /// As [`Sim::read_memory`].
    pub fn write_memory(
        &mut self,
        name: &str,
        address: usize,
        word: &[u64],
    ) -> Result<(), EngineError> {
        let (index, words) = self.memory(name, address)?;
        let width = self.design.netlist.memories[index].width;
        for (limb, at) in words.enumerate() {
            let value = word.get(limb).copied().unwrap_or(0);
            self.memories[at] = value & mask(limb_width(width, limb as u32));
        }
        self.valid.fill(false);
        Ok(())
    }
}

/// Runs operations of one kind.
///
/// # Safety
/// Every slot of `code` and of its parts, and every table, must exist.
#[inline(always)]
unsafe fn batch(compiled: &Compiled, kind: Kind, code: &[Code], slots: *mut u64, memories: &[u64]) {
    let program = &compiled.program;
    // SAFETY (both): by this function's own condition.
    let get = |slot: u32| unsafe { *slots.add(slot as usize) };
    let put = |slot: u32, value: u64| unsafe { *slots.add(slot as usize) = value };
    macro_rules! each {
        (|$o:ident| $value:expr) => {
            for $o in code {
                put($o.d, $value);
            }
        };
    }
    let parts = |o: &Code| -> &[Part] {
        // SAFETY: the range is one of the program's parts.
        unsafe { program.parts.get_unchecked(o.a as usize..o.b as usize) }
    };
    match kind {
        Kind::Copy => each!(|o| get(o.a)),
        Kind::And => each!(|o| get(o.a) & get(o.b)),
        Kind::AndNot => each!(|o| get(o.a) & !get(o.b)),
        Kind::Or => each!(|o| get(o.a) | get(o.b)),
        Kind::OrNot => each!(|o| get(o.a) | (get(o.b) ^ get(o.c))),
        Kind::Xor => each!(|o| get(o.a) ^ get(o.b)),
        Kind::And3 => each!(|o| get(o.a) & get(o.b) & get(o.c)),
        Kind::Or3 => each!(|o| get(o.a) | get(o.b) | get(o.c)),
        Kind::Xor3 => each!(|o| get(o.a) ^ get(o.b) ^ get(o.c)),
        Kind::AndOr => each!(|o| (get(o.a) & get(o.b)) | get(o.c)),
        Kind::OrAnd => each!(|o| (get(o.a) | get(o.b)) & get(o.c)),
        Kind::AndNotNot => each!(|o| get(o.a) & !(get(o.b) | get(o.c))),
        Kind::AndAndNot => each!(|o| get(o.a) & get(o.b) & !get(o.c)),
        Kind::Add => each!(|o| get(o.a).wrapping_add(get(o.b)) & get(o.c)),
        Kind::Sub => each!(|o| get(o.a).wrapping_sub(get(o.b)) & get(o.c)),
        Kind::Mul => each!(|o| get(o.a).wrapping_mul(get(o.b)) & get(o.c)),
        Kind::Equal => each!(|o| u64::from(get(o.a) == get(o.b))),
        Kind::NotEqual => each!(|o| u64::from(get(o.a) != get(o.b))),
        Kind::Less => each!(|o| u64::from(get(o.a) < get(o.b))),
        Kind::AtMost => each!(|o| u64::from(get(o.a) <= get(o.b))),
        Kind::Choose => each!(|o| {
            let (c, a, b) = (get(o.a), get(o.b), get(o.c));
            b ^ ((a ^ b) & c.wrapping_neg())
        }),
        Kind::ShiftLeft => each!(|o| shifted(get(o.a), get(o.b), true) & get(o.c)),
        Kind::ShiftRight => each!(|o| shifted(get(o.a), get(o.b), false)),
        Kind::Slice => each!(|o| (get(o.a) >> (o.b & 63)) & get(o.c)),
        Kind::Concat => each!(|o| get(o.a) | get(o.b) << (o.c & 63)),
        Kind::Pieces => each!(|o| {
            let mut word = 0;
            for part in parts(o) {
                word |= ((get(part.slot) >> (part.right & 63)) & part.mask) << (part.left & 63);
            }
            word
        }),
        Kind::Parity => each!(|o| {
            let mut word = 0;
            for part in parts(o) {
                word ^= get(part.slot) & part.mask;
            }
            word ^= word >> 32;
            word ^= word >> 16;
            word ^= word >> 8;
            word ^= word >> 4;
            (0x6996 >> (word & 15)) & 1
        }),
        Kind::Linear => each!(|o| {
            let mut word = 0;
            for part in parts(o) {
                let at = part.mask as usize + (get(part.slot) >> (part.right & 63) & 15) as usize;
                // SAFETY: sixteen entries follow the table's beginning.
                word ^= unsafe { *program.tables.get_unchecked(at) };
            }
            word
        }),
        Kind::Table => each!(|o| program.tables[o.b as usize + get(o.a) as usize]),
        Kind::Read => {
            for o in code {
                let first = compiled.memories[o.b as usize].first + (o.c & 0xffff) as usize;
                put(
                    o.d,
                    memories[first + get(o.a) as usize * (o.c >> 16) as usize],
                );
            }
        }
    }
}
