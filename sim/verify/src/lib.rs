//! Verification of a filter: its gateware on real or drawn keys, clock for clock against the model, and its rates against theory.
//!
//! Two tests of the rate:
//! * **state test**, on any traffic: each counted arrival is a false positive with a probability that the bits then set give;
//!   observed minus expected is a martingale with variance sum p (1 - p). It needs few cycles and separates the hash from the occupancy.
//! * **model test**, on random new keys: the rate over whole cycles against the predicted average.
//!
//! One of the false negatives, on traffic with few repeats among random new keys: those not seen against what theory expects of
//! their reuse distances. And one of the latency, measured at the device's ports: it is what the contract says.
//!
//! [`run`] is for recycling filters, [`run_cells`] for static filters, counting filters and Count-Min sketches, [`run_sliding`]
//! for sliding-window filters.

pub mod figures;
pub mod report;
pub mod stats;

mod cells;
mod forgetting;
mod judge;
mod keys;
mod latency;
mod outcome;
mod rows;
mod sliding;
mod statistics;

pub use cells::{
    run_cells, Bound, CellVerification, ConservativeFound, CountMinFound, CountingFound, Details,
    HotKey, Quantile, StaticFound,
};
pub use forgetting::Forgotten;
pub use keys::{Keys, LoadedKeys};
pub use outcome::{FirstMismatch, Latency, Rate, StateResult, Verification};
pub use sliding::{
    dictionary, run_sliding, OverflowFound, RateTest, Share, SlackBand, SlackFound,
    SlidingVerification, WindowFound,
};
pub use statistics::Statistics;

use crate::stats::StatsError;
use bloomline_bench::built_in::{BuiltIn, EngineError};
use bloomline_bench::filter::{emitted_design, ModelReference, Traffic, TrafficItem};
use bloomline_bench::lockstep::{
    compare, Bench, Limits, LockstepError, Outcome, Reference, Stimulus,
};
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Optimisation, VerilatorError};
use bloomline_hdl::emit::EmitError;
use bloomline_model::Event;
use bloomline_spec::{Geometry, Key, KeyError, Operation};
use bloomline_stimulus::StimulusError;
use bloomline_toolchain::{Program, Progress, Toolchain, ToolchainError};
use latency::LatencyProbe;
use std::cell::RefCell;
use std::rc::Rc;
use thiserror::Error;

/// Confidence of intervals and tests.
pub const CONFIDENCE: f64 = 0.99;

/// Why a verification could not be made.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// Finding, installing or running a tool.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// Building a model for Verilator.
    #[error(transparent)]
    Verilator(#[from] VerilatorError),
    /// A lockstep run.
    #[error(transparent)]
    Lockstep(#[from] LockstepError),
    /// A source of keys.
    #[error(transparent)]
    Stimulus(#[from] StimulusError),
    /// A statistic.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// A key that does not fit.
    #[error("{source_name}: record {number}: {source}")]
    Key {
        /// The source.
        source_name: String,
        /// The record, from 0.
        number: u64,
        /// What is wrong with it.
        source: KeyError,
    },
    /// More distinct keys than are told apart.
    #[error("more than 2^32 distinct keys; give fewer --items")]
    TooManyKeys,
    /// The filter lies outside what theory covers.
    #[error("no prediction for this filter: {0}")]
    Theory(#[from] bloomline_theory::TheoryError),
    /// A source without keys.
    #[error("{source_name}: no record has the field that is the key; choose another source or another [key] source")]
    NoKeys {
        /// The source.
        source_name: String,
    },
    /// The gateware cannot be printed.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// The built-in simulator does not take the Verilog.
    #[error(transparent)]
    BuiltIn(#[from] EngineError),
}

/// What runs the gateware.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Simulator {
    /// The emitted Verilog in Verilator, the pinned one.
    Verilator,
    /// The same in the Verilator on `PATH`, of which at least [`Program::oldest_on_path`] is asked.
    VerilatorOnPath,
    /// The emitted Verilog in the built-in simulator: begins at once, needs nothing but Rust.
    BuiltIn,
}

impl Simulator {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Simulator::Verilator => "verilator",
            Simulator::VerilatorOnPath => "verilator-on-path",
            Simulator::BuiltIn => "built-in",
        }
    }
}

/// What to verify with.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Keys.
    pub keys: Keys,
    /// At most so many items.
    pub items: u64,
    /// Seed of drawn keys and of the simulation's start values.
    pub seed: u64,
    /// What runs the gateware.
    pub simulator: Simulator,
    /// The predicted average rate, when there is a prediction.
    pub predicted: Option<f64>,
    /// What double hashing adds to the predicted rate on average. The probability of an arrival given the bits set is that of
    /// independent probes; the state test adds this mean to it. 0 for independent functions.
    pub two_hash_excess: f64,
}

/// What to verify a filter with whose prediction is made from its geometry: filters of cells, and sliding windows.
#[derive(Debug, Clone, PartialEq)]
pub struct RunPlan {
    /// Keys.
    pub keys: Keys,
    /// At most so many of them.
    pub items: u64,
    /// Seed of drawn keys, of what is asked for, and of the simulation's start values.
    pub seed: u64,
    /// What runs the gateware.
    pub simulator: Simulator,
}

/// The model with the statistics attached: a reference like any other.
struct Measured<'a> {
    inner: ModelReference,
    statistics: Rc<RefCell<Statistics>>,
    clocks: Rc<RefCell<Clocks>>,
    now: u64,
    watch: &'a Watch<'a>,
    total: u64,
}

/// What a caller hears of while a verification runs.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Tools that are being installed.
    pub tools: &'a dyn Fn(&Progress),
    /// Items decided so far, and items in all.
    pub items: &'a dyn Fn(u64, u64),
}

/// Clocks between two calls of [`Watch::items`].
const CLOCKS_A_REPORT: u64 = 4096;

/// Clocks in which the filter was not ready, from the first item on.
#[derive(Debug, Default, Clone, Copy)]
struct Clocks {
    first: Option<u64>,
    last: u64,
    not_ready_running: u64,
    not_ready_control: u64,
    pending_running: u64,
    pending_control: u64,
}

impl Clocks {
    /// Takes clock `now`: whether an item was offered, whether it was taken if so, and whether the filter ran.
    fn clock(&mut self, now: u64, offered: bool, ready: bool, running: bool) {
        if ready && offered {
            self.first.get_or_insert(now);
            self.last = now;
            // stalls behind the last item hold nobody up
            self.not_ready_running = self.pending_running;
            self.not_ready_control = self.pending_control;
        } else if !ready && self.first.is_some() {
            if running {
                self.pending_running += 1;
            } else {
                self.pending_control += 1;
            }
        }
    }
}

impl Reference for Measured<'_> {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        self.inner.outputs(outputs, care);
    }

    fn clock(&mut self, inputs: &[u64]) {
        let ready = self.inner.model.outputs().s_item_tready;
        let running = self.inner.model.status().running;
        if !self.inner.model.within_interval() {
            self.clocks
                .borrow_mut()
                .clock(self.now, inputs[1] & 1 == 1, ready, running);
        }
        self.inner.clock(inputs);
        self.now += 1;
        let mut statistics = self.statistics.borrow_mut();
        for event in self.inner.model.drain_events() {
            match event {
                Event::Item(decision) => statistics.decided(&decision),
                Event::Force { cause, .. } if cause.counts() => statistics.aged(),
                Event::Force { .. } | Event::Fetch(_) | Event::Set(_) => {}
            }
        }
        if self.now.is_multiple_of(CLOCKS_A_REPORT) {
            (self.watch.items)(statistics.items, self.total);
        }
    }
}

/// Runs the gateware of `geometry` on the plan's keys.
///
/// # Errors
/// [`VerifyError`] when it cannot be run. A mismatch is no error: it is in the result.
pub fn run(
    geometry: &Geometry,
    plan: &Plan,
    progress: &dyn Fn(&Progress),
) -> Result<Verification, VerifyError> {
    let watch = Watch {
        tools: progress,
        items: &|_, _| {},
    };
    run_watched(geometry, plan, &watch)
}

/// As [`run`], and tells how far it is.
///
/// # Errors
/// As [`run`].
pub fn run_watched(
    geometry: &Geometry,
    plan: &Plan,
    watch: &Watch<'_>,
) -> Result<Verification, VerifyError> {
    let loaded = plan.keys.load(geometry, plan.items, plan.seed)?;
    let keys = Rc::new(loaded.keys);
    let statistics = RefCell::new(None);
    let clocks = RefCell::new(Rc::new(RefCell::new(Clocks::default())));
    let make = |_seed: u64| {
        let shared = Rc::new(RefCell::new(Statistics::new(
            geometry,
            keys.clone(),
            plan.two_hash_excess,
        )));
        // the first run is the one that counts; a replay for the waveform counts for itself
        let mut slot = statistics.borrow_mut();
        if slot.is_none() {
            *slot = Some(shared.clone());
        }
        let mut inner = ModelReference::new(geometry);
        inner.model.keep_events();
        let measured = Measured {
            inner,
            statistics: shared,
            clocks: clocks.borrow().clone(),
            now: 0,
            watch,
            total: keys.len() as u64,
        };
        let items: Items = Items {
            keys: keys.clone(),
            next: 0,
        };
        (measured, Traffic::new(geometry, items))
    };
    let (design, _) = emitted_design(geometry)?;
    let timing = geometry.timing();
    let mut latency = LatencyProbe::new(geometry, timing.front_clocks + timing.decision_stage + 3);
    let (finished, mismatch) = simulate(
        &design,
        (plan.simulator, plan.seed),
        watch,
        make,
        &mut latency,
    )?;
    let clocks = *clocks.borrow().borrow();
    let statistics = statistics
        .into_inner()
        .expect("the run made its statistics");
    let statistics = statistics.borrow();
    outcome::conclude(
        plan,
        loaded.skipped,
        finished,
        mismatch,
        clocks_of(clocks),
        latency,
        &statistics,
    )
}

/// How a lockstep ended: its counts, or what went wrong first.
type Ended = (Option<Outcome>, Option<LockstepError>);

/// Runs a design against what `make` gives, in Verilator or in the built-in simulator.
fn simulate<R: Reference, S: Stimulus>(
    design: &Design,
    (simulator, seed): (Simulator, u64),
    watch: &Watch<'_>,
    make: impl Fn(u64) -> (R, S),
    latency: &mut LatencyProbe,
) -> Result<Ended, VerifyError> {
    let result = match simulator {
        Simulator::Verilator | Simulator::VerilatorOnPath => {
            let mut toolchain = Toolchain::discover()?;
            if simulator == Simulator::VerilatorOnPath {
                toolchain = toolchain.with_tools_on_path();
            }
            toolchain.find_or_install(Program::Verilator, watch.tools)?;
            let options = BuildOptions {
                optimisation: Optimisation::Full,
                ..BuildOptions::default()
            };
            Bench::new(&toolchain, design, &options)?.run(
                seed,
                Initial::Random(seed),
                make,
                |clock| latency.clock(clock.cycle, clock.inputs, clock.outputs),
            )
        }
        Simulator::BuiltIn => {
            let (mut reference, mut stimulus) = make(seed);
            let mut device = BuiltIn::open(design, Initial::Random(seed))?;
            compare(
                design,
                &mut device,
                &mut reference,
                &mut stimulus,
                seed,
                Limits::default(),
                |clock| latency.clock(clock.cycle, clock.inputs, clock.outputs),
            )
        }
    };
    match result {
        Ok(outcome) => Ok((Some(outcome), None)),
        Err(error @ (LockstepError::Mismatch { .. } | LockstepError::Device { .. })) => {
            Ok((None, Some(error)))
        }
        Err(error) => Err(error.into()),
    }
}

/// (clocks from the first to the last acceptance, not ready while running, not ready for control)
fn clocks_of(clocks: Clocks) -> (u64, u64, u64) {
    let span = clocks.first.map_or(0, |first| clocks.last - first + 1);
    (span, clocks.not_ready_running, clocks.not_ready_control)
}

/// The keys as test-and-insert items.
struct Items {
    keys: Rc<Vec<Key>>,
    next: usize,
}

impl Iterator for Items {
    type Item = TrafficItem;

    fn next(&mut self) -> Option<TrafficItem> {
        let key = *self.keys.get(self.next)?;
        self.next += 1;
        Some(TrafficItem {
            key,
            operation: Operation::TestAndInsert,
        })
    }
}

/// Clocks a second of a finished run, 0 of one that failed.
fn speed(finished: Option<Outcome>) -> f64 {
    finished.map_or(0.0, |outcome| outcome.clocks_per_second())
}

/// A small specification for the tests of this folder.
#[cfg(test)]
const TINY: &str = "\
name = \"tiny\"
[filter]
kind = \"recycling\"
memory_bits = 8192
hashes = 4
hashing = \"double\"
accept_two_hash_floor = true
[filter.recycle]
phases = 2
on = \"bits-set\"
threshold = 1000
[key]
bits = 64
[hash]
family = \"h3-sbox\"
seed = 1
";

#[cfg(test)]
mod tests {
    use super::*;
    use bloomline_spec::FilterSpec;
    use std::path::Path;

    #[test]
    fn a_watcher_hears_of_the_items_as_they_are_decided() {
        let spec = FilterSpec::from_toml(TINY, Path::new("tiny.toml")).expect("legal");
        let sizing = spec.validate().expect("legal");
        let geometry = sizing.with_threshold(1000).expect("legal");
        let plan = Plan {
            keys: Keys::RandomNew,
            items: 10_000,
            seed: 1,
            simulator: Simulator::BuiltIn,
            predicted: None,
            two_hash_excess: 0.0,
        };
        let heard = RefCell::new(Vec::new());
        let watch = Watch {
            tools: &|_| {},
            items: &|done, total| heard.borrow_mut().push((done, total)),
        };
        let result = run_watched(&geometry, &plan, &watch).expect("it runs");
        assert_eq!((result.items, result.mismatches), (10_000, 0));
        let heard = heard.into_inner();
        assert_eq!(heard.len() as u64, result.cycles / CLOCKS_A_REPORT);
        assert!(heard.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(heard.iter().all(|&(_, total)| total == 10_000));
    }
}
