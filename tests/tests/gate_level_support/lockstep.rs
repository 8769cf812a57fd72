//! Netlists of a filter in lockstep with its model.

use super::{
    build_options, cells, gate_design, invert_lut, synthesise, Synthesis, BLOCK_RAM,
    DISTRIBUTED_RAM,
};
use bloomline_bench::lockstep::{compare, Limits, LockstepError};
use bloomline_bench::verilator::{Design, Initial, Library};
use bloomline_tests::{soak, toolchain, Tortured};
use bloomline_toolchain::Program;
use std::collections::BTreeMap;
use std::time::Instant;

/// What synthesis and lockstep run.
pub const TOOLS: [Program; 2] = [Program::Verilator, Program::Yosys];

/// Clocks a run, and runs a netlist.
const CLOCKS: u64 = 20_000;
const RUNS: u64 = 6;

/// How often each of what a filter must meet has happened in its runs, at the least.
const MET: u64 = 100;

/// A filter, synthesised.
pub struct Synthesised<F> {
    /// Its geometry.
    pub filter: F,
    /// The text that was synthesised.
    pub emitted: Design,
    /// What came of it.
    pub synthesis: Synthesis,
}

/// Seed, clock and port of a first difference from the model.
pub type Difference = (u64, u64, String);

/// What lockstep runs saw.
#[derive(Default)]
struct Tally {
    clocks: u64,
    met: BTreeMap<&'static str, u64>,
    log: String,
}

impl<F: Tortured> Synthesised<F> {
    /// The filter as it is emitted.
    pub fn new(filter: F) -> Self {
        let emitted = filter.emitted();
        Self::of_text(filter, emitted)
    }

    /// The filter from a text that is not quite what is emitted of it.
    pub fn of_text(filter: F, emitted: Design) -> Self {
        let start = Instant::now();
        let synthesis = synthesise(&toolchain(&TOOLS), &emitted);
        let count = |kind| cells(&synthesis.netlist, kind);
        println!(
            "{} synthesised in {:.1} s: {} LUT4, {} CCU2C, {} TRELLIS_FF, {} {BLOCK_RAM}, {} {DISTRIBUTED_RAM}, {} registers moved",
            emitted.top,
            start.elapsed().as_secs_f64(),
            count("LUT4"),
            count("CCU2C"),
            count("TRELLIS_FF"),
            count(BLOCK_RAM),
            count(DISTRIBUTED_RAM),
            synthesis.moved,
        );
        Self {
            filter,
            emitted,
            synthesis,
        }
    }

    /// How many cells of a kind the netlist has.
    pub fn cells(&self, kind: &str) -> usize {
        cells(&self.synthesis.netlist, kind)
    }

    /// The netlist as synthesis leaves it equals the model; returns what its cells printed.
    pub fn equals_the_model(&self) -> String {
        self.in_lockstep(&self.synthesis.netlist)
    }

    /// The netlist with its read registers in the block RAM equals the model; returns what its cells printed.
    pub fn settled_equals_the_model(&self) -> String {
        self.in_lockstep(&self.synthesis.settled)
    }

    /// The first difference of the netlist from the model.
    pub fn first_difference(&self) -> Option<Difference> {
        self.difference(&self.synthesis.netlist)
    }

    /// The first difference of the netlist from the model when one LUT4, `part` of `parts` equal steps through it, is inverted.
    pub fn with_inverted_lut(&self, part: usize, parts: usize) -> Option<Difference> {
        let count = self.cells("LUT4");
        let lut = part * count / parts;
        let difference = self.difference(&invert_lut(&self.synthesis.netlist, lut));
        println!("LUT4 {lut} of {count} inverted: {difference:?}");
        difference
    }

    fn build(&self, netlist: &str) -> Library {
        let toolchain = toolchain(&TOOLS);
        let design = gate_design(&toolchain, &self.emitted, netlist.to_owned());
        let start = Instant::now();
        let library = Library::build(&toolchain, &design, &build_options())
            .unwrap_or_else(|error| panic!("{error}"));
        println!("built in {:.1} s", start.elapsed().as_secs_f64());
        library
    }

    fn run(&self, library: &Library, seed: u64, tally: &mut Tally) -> Result<(), LockstepError> {
        let mut sim = library.open(Initial::Random(seed))?;
        let (mut reference, mut stimulus) = self.filter.sides(seed, CLOCKS);
        let mut before = self.filter.met(&reference);
        let outcome = compare(
            library.design(),
            &mut sim,
            &mut reference,
            &mut stimulus,
            seed,
            Limits::default(),
            |clock| {
                let now = self.filter.met(clock.reference);
                for ((name, now), (_, before)) in now.iter().zip(&before) {
                    let more = now.checked_sub(*before).unwrap_or(*now);
                    *tally.met.entry(*name).or_default() += more;
                }
                before = now;
            },
        )?;
        tally.clocks += outcome.clocks;
        tally.log += &sim.take_log();
        Ok(())
    }

    fn in_lockstep(&self, netlist: &str) -> String {
        let library = self.build(netlist);
        let start = Instant::now();
        let mut tally = Tally::default();
        for seed in 0..RUNS * soak() {
            self.run(&library, seed, &mut tally)
                .unwrap_or_else(|error| panic!("{}, seed {seed}: {error}", self.emitted.top));
        }
        println!(
            "{} clocks, {:?}, no mismatch, in {:.1} s",
            tally.clocks,
            tally.met,
            start.elapsed().as_secs_f64()
        );
        let met = &tally.met;
        assert!(met.values().all(|&count| count > MET), "{met:?}");
        tally.log
    }

    fn difference(&self, netlist: &str) -> Option<Difference> {
        let library = self.build(netlist);
        (0..RUNS).find_map(
            |seed| match self.run(&library, seed, &mut Tally::default()) {
                Ok(()) => None,
                Err(LockstepError::Mismatch { cycle, port, .. }) => Some((seed, cycle, port)),
                Err(error) => panic!("seed {seed}: {error}"),
            },
        )
    }
}

/// Whether a read of a block RAM met a write of the same word, by what the cells printed. Such reads return noise.
pub fn a_read_met_a_write(log: &str) -> bool {
    log.contains("a word was read while it was written")
}
