//! Items for a recycling filter, and what comes of them.

use bloomline_bench::lockstep::DeviceError;
use bloomline_model::Inputs;
use bloomline_spec::registers::{Access, RegisterMap};
use bloomline_spec::RecyclingGeometry;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Clocks without an accepted item after which a filter has stopped for good: no wait that ends is as long.
const STOPPED_CLOCKS: u64 = 20_000;
/// Clocks after the last item in which verdicts may still come.
const DRAIN_CLOCKS: u64 = 400;
/// Clocks in which a register answers, or not at all.
const ANSWER_CLOCKS: u64 = 40;

/// Items for a recycling filter, one after the other, and when the verdict stream takes what comes.
#[derive(Debug, Clone)]
pub struct Workload {
    pub(super) keys: Vec<u64>,
    pub(super) inserts: Vec<bool>,
    seed: u64,
    tag_mask: u64,
    registers: Vec<u8>,
}

/// What came of a workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Tag and flags of each verdict.
    pub(super) verdicts: Vec<(u64, u64)>,
    /// Registers at the end, by address.
    pub(super) registers: Vec<(u8, u64)>,
    /// Items that had been accepted when the flip came.
    pub(super) flipped_at: usize,
    /// The filter took no item any more before all were taken.
    pub(super) stopped: bool,
    clocks: u64,
}

impl Run {
    /// A register as it was at the end, by its address.
    pub fn register(&self, address: u32) -> Option<u64> {
        let found = self.registers.iter();
        let mut found = found.filter(|&&(at, _)| u32::from(at) == address);
        found.next().map(|&(_, value)| value)
    }

    /// Clocks that the items took, without those of reading registers.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }
}

impl Workload {
    /// `items` items, three in five with a new key, the rest with one of the 200 keys before; one in five only queries.
    pub fn new(geometry: &RecyclingGeometry, items: usize, seed: u64) -> Workload {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let most = u64::MAX >> (64 - geometry.key_bits().min(64));
        let mut keys: Vec<u64> = Vec::with_capacity(items);
        for i in 0..items {
            let again = i > 0 && rng.random_bool(0.4);
            let key = match again {
                true => keys[rng.random_range(i.saturating_sub(200)..i)],
                false => rng.random::<u64>() & most,
            };
            keys.push(key);
        }
        let map = RegisterMap::of(geometry);
        let readable = map
            .filter_registers()
            .filter(|register| matches!(register.access, Access::ReadOnly | Access::ReadWrite));
        Workload {
            inserts: (0..items).map(|_| rng.random_bool(0.8)).collect(),
            keys,
            seed,
            tag_mask: u64::MAX >> (64 - geometry.tag_bits()),
            registers: readable.map(|register| register.offset as u8).collect(),
        }
    }

    /// Begins a run; the clock of the flip, if there is one, is only noted.
    pub fn begin(&self, flip_clock: Option<u64>) -> Session<'_> {
        Session {
            workload: self,
            rng: ChaCha8Rng::seed_from_u64(self.seed ^ 0x7265_6164),
            flip_clock,
            run: Run {
                verdicts: Vec::with_capacity(self.keys.len()),
                registers: Vec::new(),
                flipped_at: 0,
                stopped: false,
                clocks: 0,
            },
            phase: Phase::Items,
            next: 0,
            offered: false,
            waited: 0,
            inputs: Inputs::default(),
        }
    }

    /// Gives the items to a filter, which `step` runs for a clock with packed inputs and gives packed outputs of.
    ///
    /// # Errors
    /// When `step` fails.
    pub fn run(
        &self,
        outputs: usize,
        flip_clock: Option<u64>,
        mut step: impl FnMut(u64, &Inputs, &mut [u64]) -> Result<(), DeviceError>,
    ) -> Result<Run, DeviceError> {
        let mut session = self.begin(flip_clock);
        let mut out = vec![0; outputs];
        let mut clock = 0;
        while let Some(inputs) = session.inputs() {
            step(clock, inputs, &mut out)?;
            session.take(&out);
            clock += 1;
        }
        Ok(session.run)
    }
}

/// What a run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Offers items.
    Items,
    /// Waits for the last verdicts.
    Drain,
    /// Reads a register, by its index.
    Read(usize),
    Done,
}

/// A run of a workload under way, clock by clock: [`Session::inputs`], then [`Session::take`].
#[derive(Debug, Clone)]
pub struct Session<'a> {
    workload: &'a Workload,
    rng: ChaCha8Rng,
    flip_clock: Option<u64>,
    run: Run,
    phase: Phase,
    next: usize,
    offered: bool,
    /// Clocks without an item, of draining, or of waiting for a register.
    waited: u64,
    inputs: Inputs,
}

impl Session<'_> {
    /// The inputs of the next clock, or `None` at the end.
    pub fn inputs(&mut self) -> Option<&Inputs> {
        let mut inputs = Inputs::default();
        match self.phase {
            Phase::Items | Phase::Drain => {
                inputs.m_verdict_tready = self.rng.random_bool(0.9);
                if self.phase == Phase::Items {
                    self.offered |= self.rng.random_bool(0.95);
                    inputs.s_item_tdata[0] = self.workload.keys[self.next];
                    inputs.s_item_tvalid = self.offered;
                    inputs.s_item_tuser = match self.workload.inserts[self.next] {
                        true => 2,
                        false => 0,
                    };
                    inputs.s_item_tid = self.next as u64 & self.workload.tag_mask;
                }
            }
            Phase::Read(index) => {
                inputs.s_axil_arvalid = self.waited == 0 || self.inputs.s_axil_arvalid;
                inputs.s_axil_araddr = self.workload.registers[index];
                inputs.s_axil_rready = true;
            }
            Phase::Done => return None,
        }
        self.inputs = inputs;
        Some(&self.inputs)
    }

    /// Takes the packed outputs of the clock, as they stand in the design's layout.
    pub fn take(&mut self, out: &[u64]) {
        match self.phase {
            Phase::Items | Phase::Drain => {
                if Some(self.run.clocks) == self.flip_clock {
                    self.run.flipped_at = self.next;
                }
                if out[1] & 1 == 1 && self.inputs.m_verdict_tready {
                    self.run.verdicts.push((out[3], out[2]));
                }
                self.run.clocks += 1;
                self.waited += 1;
                if self.phase == Phase::Drain {
                    if self.waited == DRAIN_CLOCKS {
                        self.read_next(0);
                    }
                } else if self.offered && out[0] & 1 == 1 {
                    self.next += 1;
                    (self.offered, self.waited) = (false, 0);
                    if self.next == self.workload.keys.len() {
                        self.phase = Phase::Drain;
                    }
                } else if self.waited == STOPPED_CLOCKS {
                    self.run.stopped = true;
                    self.read_next(0);
                }
            }
            Phase::Read(index) => {
                self.waited += 1;
                self.inputs.s_axil_arvalid &= out[8] & 1 == 0;
                let answered = out[9] & 1 == 1;
                if answered || self.waited == ANSWER_CLOCKS {
                    // all ones when nothing answers
                    let value = if answered { out[10] } else { u64::MAX };
                    let register = self.workload.registers[index];
                    self.run.registers.push((register, value));
                    self.read_next(index + 1);
                }
            }
            Phase::Done => {}
        }
    }

    fn read_next(&mut self, index: usize) {
        self.waited = 0;
        self.phase = match index < self.workload.registers.len() {
            true => Phase::Read(index),
            false => Phase::Done,
        };
    }

    /// What came of it.
    pub fn finish(self) -> Run {
        self.run
    }
}
