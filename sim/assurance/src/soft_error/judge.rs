//! Classifies the effect of a flipped register bit on verdicts.

use bloomline_bench::lockstep::DeviceError;
use bloomline_model::Inputs;
use bloomline_spec::registers::{Access, RegisterMap};
use bloomline_spec::{RecyclingGeometry, VERDICT_SEEN, VERDICT_TRIPPED};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

/// Clocks that a run may take for each clock that the sound one took.
const PATIENCE: u64 = 4;
/// Clocks after the last item in which verdicts may still come.
const DRAIN_CLOCKS: u64 = 400;

/// What a flip did, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Nothing: every verdict is as it should be, and every register at the end.
    None,
    /// Every verdict is as it should be; a register or counter is not, at the end.
    Registers,
    /// Some verdicts were wrong, none behind the second recycle after the flip.
    Passing,
    /// Recycles came at other items from then on, for some cycles or all; no key of the two cycles is forgotten.
    Shifted,
    /// Verdicts are wrong behind the second recycle too, or keys are forgotten.
    Lasting,
    /// Verdicts are lost, doubled or out of order, or the filter stands still.
    Broken,
}

impl Effect {
    /// Every effect, the worst last.
    pub const ALL: [Effect; 6] = [
        Effect::None,
        Effect::Registers,
        Effect::Passing,
        Effect::Shifted,
        Effect::Lasting,
        Effect::Broken,
    ];

    /// In a few words.
    pub fn words(self) -> &'static str {
        match self {
            Effect::None => "nothing",
            Effect::Registers => "a register or counter",
            Effect::Passing => "verdicts, until the second recycle",
            Effect::Shifted => "when it recycles",
            Effect::Lasting => "verdicts, lasting",
            Effect::Broken => "stream broken",
        }
    }
}

/// Items for a recycling filter, one after the other, and when the verdict stream takes what comes.
#[derive(Debug, Clone)]
pub struct Workload {
    keys: Vec<u64>,
    inserts: Vec<bool>,
    seed: u64,
    tag_mask: u64,
    registers: Vec<u8>,
}

/// What came of a workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Tag and flags of each verdict.
    verdicts: Vec<(u64, u64)>,
    /// Registers at the end, by address.
    registers: Vec<(u8, u64)>,
    /// Items that had been accepted when the flip came.
    flipped_at: usize,
    clocks: u64,
}

impl Run {
    /// A register as it was at the end, by its address.
    pub fn register(&self, address: u32) -> Option<u64> {
        let found = self.registers.iter();
        let mut found = found.filter(|&&(at, _)| u32::from(at) == address);
        found.next().map(|&(_, value)| value)
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

    /// Gives the items to a filter, which `step` runs for a clock with packed inputs and gives packed outputs of. `flip_clock` is only
    /// noted; `most_clocks` ends a filter that stands still.
    ///
    /// # Errors
    /// When `step` fails.
    pub fn run(
        &self,
        outputs: usize,
        flip_clock: u64,
        most_clocks: u64,
        mut step: impl FnMut(u64, &Inputs, &mut [u64]) -> Result<(), DeviceError>,
    ) -> Result<Run, DeviceError> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed ^ 0x7265_6164);
        let mut out = vec![0; outputs];
        let mut run = Run {
            verdicts: Vec::with_capacity(self.keys.len()),
            registers: Vec::new(),
            flipped_at: 0,
            clocks: 0,
        };
        let (mut next, mut drained, mut offered) = (0, 0, false);
        while run.clocks < most_clocks && drained < DRAIN_CLOCKS {
            let mut inputs = Inputs {
                m_verdict_tready: rng.random_bool(0.9),
                ..Inputs::default()
            };
            if next < self.keys.len() {
                offered |= rng.random_bool(0.95);
                inputs.s_item_tdata[0] = self.keys[next];
                inputs.s_item_tvalid = offered;
                inputs.s_item_tuser = if self.inserts[next] { 2 } else { 0 };
                inputs.s_item_tid = next as u64 & self.tag_mask;
            } else {
                drained += 1;
            }
            step(run.clocks, &inputs, &mut out)?;
            if run.clocks == flip_clock {
                run.flipped_at = next;
            }
            if out[1] & 1 == 1 && inputs.m_verdict_tready {
                run.verdicts.push((out[3], out[2]));
            }
            if offered && out[0] & 1 == 1 {
                next += 1;
                offered = false;
            }
            run.clocks += 1;
        }
        for &register in &self.registers {
            let value = read(&mut out, run.clocks, register, &mut step)?;
            run.registers.push((register, value));
        }
        Ok(run)
    }

    /// Most clocks for a run that is to be compared with `sound`.
    pub fn patience(&self, sound: &Run) -> u64 {
        PATIENCE * sound.clocks
    }

    /// What the flip in `run` did, against a run of the same workload without it.
    pub fn effect(&self, sound: &Run, run: &Run) -> Effect {
        let tags = |run: &Run| {
            run.verdicts
                .iter()
                .map(|verdict| verdict.0)
                .collect::<Vec<_>>()
        };
        if tags(sound) != tags(run) {
            return Effect::Broken;
        }
        let pairs = sound.verdicts.iter().zip(&run.verdicts);
        let wrong: Vec<usize> = pairs
            .enumerate()
            .filter(|(_, (sound, run))| sound.1 != run.1)
            .map(|(i, _)| i)
            .collect();
        let Some(&last) = wrong.last() else {
            return match sound.registers == run.registers {
                true => Effect::None,
                false => Effect::Registers,
            };
        };
        if last <= second_trip(sound, run.flipped_at) {
            return Effect::Passing;
        }
        let unknown = self.false_positives(run) <= 10 + 3 * self.false_positives(sound);
        if trips(sound) != trips(run) && unknown && self.remembers(run) {
            return Effect::Shifted;
        }
        Effect::Lasting
    }

    /// What is behind [`Workload::effect`]: which verdicts differ, where both runs recycled, and which items' keys were forgotten.
    pub fn account(&self, sound: &Run, run: &Run) -> String {
        let pairs = sound.verdicts.iter().zip(&run.verdicts).enumerate();
        let wrong: Vec<usize> = pairs
            .filter(|(_, (sound, run))| sound != run)
            .map(|(i, _)| i)
            .collect();
        let forgotten = self.by_memory(run).filter(|&(known, seen)| known && !seen);
        format!(
            "flipped at item {}; wrong {wrong:?}; recycled at {:?}, to be at {:?}; {} forgotten; {} seen that are unknown, to be {}",
            run.flipped_at,
            trips(run),
            trips(sound),
            forgotten.count(),
            self.false_positives(run),
            self.false_positives(sound),
        )
    }

    /// Whether every key of the last two cycles, as the run itself recycled, was seen, behind the second recycle after the flip.
    fn remembers(&self, run: &Run) -> bool {
        self.by_memory(run).all(|(known, seen)| seen || !known)
    }

    /// Keys that were seen though they were of neither cycle.
    fn false_positives(&self, run: &Run) -> usize {
        self.by_memory(run)
            .filter(|&(known, seen)| seen && !known)
            .count()
    }

    /// For each item behind the second recycle after the flip: whether its key was inserted since the recycle before the last, and
    /// whether it was seen.
    fn by_memory<'a>(&'a self, run: &'a Run) -> impl Iterator<Item = (bool, bool)> + 'a {
        let from = second_trip(run, run.flipped_at);
        let mut inserted: HashMap<u64, usize> = HashMap::new();
        let (mut opened, mut before) = (0, 0);
        let items = run.verdicts.iter().enumerate();
        items.filter_map(move |(i, &(_, flags))| {
            let known = inserted.get(&self.keys[i]).is_some_and(|&at| at >= before);
            if self.inserts[i] {
                inserted.insert(self.keys[i], i);
            }
            if flags >> VERDICT_TRIPPED & 1 == 1 {
                (before, opened) = (opened, i);
            }
            (i > from).then_some((known, flags >> VERDICT_SEEN & 1 == 1))
        })
    }
}

/// Items that tripped.
fn trips(run: &Run) -> Vec<usize> {
    let items = run.verdicts.iter().enumerate();
    items
        .filter(|(_, verdict)| verdict.1 >> VERDICT_TRIPPED & 1 == 1)
        .map(|(i, _)| i)
        .collect()
}

/// The item of the second recycle behind item `from`, or the last item.
fn second_trip(run: &Run, from: usize) -> usize {
    let behind = trips(run).into_iter().filter(|&i| i > from).nth(1);
    behind.unwrap_or(run.verdicts.len())
}

/// One register over AXI4-Lite, in packed outputs as they stand in a design's layout; all ones when nothing answers.
fn read(
    out: &mut [u64],
    from: u64,
    register: u8,
    step: &mut impl FnMut(u64, &Inputs, &mut [u64]) -> Result<(), DeviceError>,
) -> Result<u64, DeviceError> {
    let mut inputs = Inputs {
        s_axil_arvalid: true,
        s_axil_araddr: register,
        s_axil_rready: true,
        ..Inputs::default()
    };
    for clock in 0..40 {
        step(from + clock, &inputs, out)?;
        if out[8] & 1 == 1 {
            inputs.s_axil_arvalid = false;
        }
        if out[9] & 1 == 1 {
            return Ok(out[10]);
        }
    }
    Ok(u64::MAX)
}
