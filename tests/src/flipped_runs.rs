use crate::setup::{is_quick, soak, toolchain};
use bloomline_assurance::lanes::lockstep;
use bloomline_assurance::soft_error::Flippable;
use bloomline_bench::built_in::read;
use bloomline_bench::lockstep::{Reference, Stimulus};
use bloomline_bench::verilator::{lint, Design};
use bloomline_engine::{Initial, LaneCount};
use bloomline_model::Flaws;
use bloomline_spec::{Common, Parity};
use bloomline_toolchain::Program;

/// Clocks of a run under flipped bits.
pub const FLIPPED_CLOCKS: u64 = 20_000;

/// Whether the run of a seed has resets, which empty the counter of parity errors: every other one.
pub fn has_resets(seed: u64) -> bool {
    seed % 2 == 1
}

/// What memory words bear beside what they hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryCheck {
    /// A parity bit, or nothing.
    Parity(Parity),
    /// An error-correcting code.
    Ecc,
}

impl MemoryCheck {
    /// That of a filter.
    pub fn of(common: &Common) -> MemoryCheck {
        match common.ecc() {
            true => MemoryCheck::Ecc,
            false => MemoryCheck::Parity(common.parity()),
        }
    }

    /// Fewest and most events of each counter after what was met.
    fn expected(self, flaws: Flaws) -> [(u64, u64); 2] {
        // a word with more than two flipped bits may be taken for one with one or two
        let about = |met: u64| (met.saturating_sub(flaws.many), met + flaws.many);
        match self {
            MemoryCheck::Parity(Parity::None) => [(0, 0); 2],
            MemoryCheck::Parity(_) => [(flaws.met, flaws.met), (0, 0)],
            MemoryCheck::Ecc => [about(flaws.met), about(flaws.doubled)],
        }
    }
}

/// Runs of an emitted filter in lockstep with its model while bits of its memory flip, whatever its kind. Each run is a lane with a model of its own.
pub struct FlippedRuns<'a, R, S> {
    /// What the filter is, for messages.
    pub sample: &'a str,
    /// Its emitted text, which must lint clean.
    pub emitted: &'a Design,
    /// The same with inputs that flip bits.
    pub flippable: &'a Flippable,
    /// What its memory words bear.
    pub check: MemoryCheck,
    /// Model and stimulus of a seed, [`FLIPPED_CLOCKS`] long.
    pub make: &'a dyn Fn(u64) -> (R, S),
    /// What the model met, and its counters: of parity errors, or of corrected words and of those that cannot be.
    pub met: &'a dyn Fn(&R) -> (Flaws, [u64; 2]),
}

impl<R: Reference, S: Stimulus> FlippedRuns<'_, R, S> {
    /// Runs the seeds below `runs`, the environment's `BLOOMLINE_SOAK` times as many. Gives the clocks, and what was met in all.
    ///
    /// # Panics
    /// At the first difference, and when a wrong word that was read is not counted once.
    pub fn in_lockstep(&self, runs: u64) -> (u64, Flaws) {
        let FlippedRuns { sample, .. } = self;
        if !is_quick() {
            let toolchain = toolchain(&[Program::Verilator]);
            let Design { sources, top, .. } = self.emitted;
            let warnings = lint(&toolchain, sources, top).expect("lint runs");
            assert!(warnings.is_empty(), "{sample}: {warnings:?}");
        }
        let design = &self.flippable.design;
        let read = read(design).unwrap_or_else(|error| panic!("{sample}: {error}"));
        let (mut clocks, mut sum) = (0, Flaws::default());
        let seeds: Vec<u64> = (0..runs * soak()).collect();
        for seeds in seeds.chunks(LaneCount::L64.lanes()) {
            let initial = Initial::Random(seeds[0]);
            let mut lanes = read.open_lanes(LaneCount::L64, initial).expect("one clock");
            let mut sides: Vec<_> = seeds.iter().map(|seed| (self.make)(*seed)).collect();
            let mut ended = vec![(Flaws::default(), [0; 2]); seeds.len()];
            clocks += lockstep(design, &mut lanes, &mut sides, |lane, clock, reference| {
                if clock + 1 == FLIPPED_CLOCKS {
                    ended[lane] = (self.met)(reference);
                }
            })
            .unwrap_or_else(|error| panic!("{sample}, seeds from {}: {error}", seeds[0]));
            for (seed, (flaws, counts)) in seeds.iter().zip(ended) {
                let expected = self.check.expected(flaws);
                for (count, (fewest, most)) in counts.into_iter().zip(expected) {
                    // an event is in the counter two clocks after it
                    assert!(
                        count <= most && (has_resets(*seed) || count + 2 >= fewest),
                        "{sample}, seed {seed}: {counts:?} counted, {flaws:?}"
                    );
                }
                sum.met += flaws.met;
                sum.doubled += flaws.doubled;
                sum.many += flaws.many;
                sum.written_back += flaws.written_back;
                sum.overwritten += flaws.overwritten;
            }
        }
        println!("{sample}: {sum:?}");
        (clocks, sum)
    }
}
