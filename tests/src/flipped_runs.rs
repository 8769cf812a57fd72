use crate::setup::{is_quick, soak, toolchain};
use bloomline_assurance::lanes::lockstep;
use bloomline_assurance::soft_error::Flippable;
use bloomline_bench::built_in::read;
use bloomline_bench::lockstep::{Reference, Stimulus};
use bloomline_bench::verilator::{lint, Design};
use bloomline_engine::{Initial, LaneCount};
use bloomline_model::Flaws;
use bloomline_spec::Parity;
use bloomline_toolchain::Program;

/// Clocks of a run under flipped bits.
pub const FLIPPED_CLOCKS: u64 = 20_000;

/// Whether the run of a seed has resets, which empty the counter of parity errors: every other one.
pub fn has_resets(seed: u64) -> bool {
    seed % 2 == 1
}

/// Runs of an emitted filter in lockstep with its model while bits of its memory flip, whatever its kind. Each run is a lane with a model of its own.
pub struct FlippedRuns<'a, R, S> {
    /// What the filter is, for messages.
    pub sample: &'a str,
    /// Its emitted text, which must lint clean.
    pub emitted: &'a Design,
    /// The same with inputs that flip bits.
    pub flippable: &'a Flippable,
    /// What it does about wrong parity.
    pub parity: Parity,
    /// Model and stimulus of a seed, [`FLIPPED_CLOCKS`] long.
    pub make: &'a dyn Fn(u64) -> (R, S),
    /// What the model met, and its counter of parity errors.
    pub met: &'a dyn Fn(&R) -> (Flaws, u64),
}

impl<R: Reference, S: Stimulus> FlippedRuns<'_, R, S> {
    /// Runs the seeds below `runs`, the environment's `BLOOMLINE_SOAK` times as many. Gives the clocks, and what was met in all.
    ///
    /// # Panics
    /// At the first difference, and when a word of wrong parity that was read is not counted once.
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
            let mut ended = vec![(Flaws::default(), 0); seeds.len()];
            clocks += lockstep(design, &mut lanes, &mut sides, |lane, clock, reference| {
                if clock + 1 == FLIPPED_CLOCKS {
                    ended[lane] = (self.met)(reference);
                }
            })
            .unwrap_or_else(|error| panic!("{sample}, seeds from {}: {error}", seeds[0]));
            for (seed, (flaws, count)) in seeds.iter().zip(ended) {
                let expected = match self.parity {
                    Parity::None => 0,
                    Parity::Count | Parity::Empty => flaws.met,
                };
                // an event is in the counter two clocks after it
                assert!(
                    (has_resets(*seed) && count <= expected)
                        || (count..=count + 2).contains(&expected),
                    "{sample}, seed {seed}: {count} counted, {flaws:?}"
                );
                sum.met += flaws.met;
                sum.doubled += flaws.doubled;
                sum.overwritten += flaws.overwritten;
            }
        }
        println!("{sample}: {sum:?}");
        (clocks, sum)
    }
}
