//! Runs a filter's gateware against its model.

use crate::lanes;
use crate::latency::LatencyProbe;
use crate::{Keys, VerifyError};
use bloomline_bench::lockstep::{
    Bench, LockstepError, Outcome, Ran, Reference, Simulation, Stimulus, Window,
};
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Optimisation};
use bloomline_toolchain::{Program, Progress, Toolchain};

/// What runs the gateware.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Simulator {
    /// The emitted Verilog in Verilator, the pinned one.
    Verilator,
    /// The same in the Verilator on `PATH`, of which at least [`Program::oldest_on_path`] is asked.
    VerilatorOnPath,
    /// The emitted Verilog in the built-in simulator: begins at once, needs nothing but Rust.
    BuiltIn,
    /// The same, compiled to machine code; needs cargo feature `jit`.
    Jit,
}

impl Simulator {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Simulator::Verilator => "verilator",
            Simulator::VerilatorOnPath => "verilator-on-path",
            Simulator::BuiltIn => "built-in",
            Simulator::Jit => "jit",
        }
    }
}

/// What to verify a filter with.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Keys.
    pub keys: Keys,
    /// At most so many of them.
    pub items: u64,
    /// Seed of drawn keys, of what is asked for, and of the simulation's start values.
    pub seed: u64,
    /// What runs the gateware.
    pub simulator: Simulator,
    /// The predicted average rate of a recycling filter, when there is a prediction. The other kinds' prediction depends on the
    /// stream, and is made here.
    pub predicted: Option<f64>,
    /// What double hashing adds to that rate on average. The probability of an arrival given the bits set is that of
    /// independent probes; the state test adds this mean to it. 0 for independent functions.
    pub two_hash_excess: f64,
    /// Clocks whose waveform is written.
    pub waves: Option<Window>,
    /// Independent filters at once, each with drawn keys of its own and its share of the items: 64, 128, 256 or 512, in the built-in
    /// simulator. None: one filter.
    pub lanes: Option<usize>,
}

impl Plan {
    /// A plan without a prediction.
    pub fn new(keys: Keys, items: u64, seed: u64, simulator: Simulator) -> Plan {
        Plan {
            keys,
            items,
            seed,
            simulator,
            predicted: None,
            two_hash_excess: 0.0,
            waves: None,
            lanes: None,
        }
    }

    /// Items of one filter: all of them, or a lane's share.
    pub(crate) fn items_a_filter(&self) -> u64 {
        self.items.div_ceil(self.lanes.unwrap_or(1).max(1) as u64)
    }
}

/// What a caller hears of while a verification runs.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Tools that are being installed.
    pub tools: &'a dyn Fn(&Progress),
    /// Items decided so far, and items in all.
    pub items: &'a dyn Fn(u64, u64),
}

impl Watch<'_> {
    /// Hears nothing.
    pub fn silent() -> Watch<'static> {
        Watch {
            tools: &|_| {},
            items: &|_, _| {},
        }
    }
}

/// Clocks in which the filter was not ready, from the first item on.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Clocks {
    first: Option<u64>,
    last: u64,
    not_ready_running: u64,
    not_ready_control: u64,
    pending_running: u64,
    pending_control: u64,
}

impl Clocks {
    /// Counts the clocks of another filter too: spans and stalls are summed.
    pub fn add(&mut self, other: Clocks) {
        let (span, running, control) = clocks_of(*self);
        let (other_span, other_running, other_control) = clocks_of(other);
        *self = Clocks {
            first: Some(0),
            last: (span + other_span).saturating_sub(1),
            not_ready_running: running + other_running,
            not_ready_control: control + other_control,
            ..Clocks::default()
        };
    }

    /// Takes clock `now`: whether an item was offered, whether it was taken if so, and whether the filter ran.
    pub fn clock(&mut self, now: u64, offered: bool, ready: bool, running: bool) {
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

/// A lockstep that has ended.
pub(crate) struct Ended<R> {
    /// Its counts, where it ran to its end.
    pub finished: Option<Outcome>,
    /// What went wrong first.
    pub mismatch: Option<LockstepError>,
    /// The reference with its statistics.
    pub reference: R,
}

/// A model with its statistics, which can take those of independent filters in.
pub(crate) trait Pooled: Reference + Send + Sized {
    /// Takes the statistics of other filters in.
    fn pool(&mut self, others: Vec<Self>);
}

/// What a run needs to begin, made from a seed.
pub(crate) trait Prepared: Send + Sync {
    /// Items that it decides.
    fn items(&self) -> u64;
}

/// What a run is compared with on every clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Against {
    /// The cycle-accurate model.
    Model,
    /// The functional model's verdicts in the clocks of the contract, where the kind has that; else the cycle-accurate model.
    Contract,
}

/// Runs a design in the plan's simulator and lanes against what `start` makes of what `prepare` gives for a seed.
pub(crate) fn simulate<P: Prepared, R: Pooled, S: Stimulus + Send>(
    design: &Design,
    plan: &Plan,
    watch: &Watch<'_>,
    prepare: impl Fn(u64) -> Result<P, VerifyError> + Sync,
    start: impl Fn(&P, Against) -> (R, S) + Sync,
    latency: &mut LatencyProbe,
) -> Result<Ended<R>, VerifyError> {
    if let Some(lanes) = plan.lanes {
        return lanes::simulate(design, plan, lanes, watch, prepare, start, latency);
    }
    let prepared = prepare(plan.seed)?;
    let total = prepared.items();
    let make = |_seed: u64| start(&prepared, Against::Model);
    let simulation = match plan.simulator {
        Simulator::Verilator | Simulator::VerilatorOnPath => {
            let mut toolchain = Toolchain::discover()?;
            if plan.simulator == Simulator::VerilatorOnPath {
                toolchain = toolchain.with_tools_on_path();
            }
            toolchain.find_or_install(Program::Verilator, watch.tools)?;
            let options = BuildOptions {
                optimisation: Optimisation::Full,
                trace: plan.waves.is_some(),
                ..BuildOptions::default()
            };
            Simulation::verilator(&toolchain, design, &options).map_err(LockstepError::from)?
        }
        Simulator::BuiltIn => Simulation::built_in(design)?,
        Simulator::Jit => Simulation::jit(design)?,
    };
    let mut bench = Bench::new(simulation);
    bench.record = plan.waves.clone();
    let Ran { result, reference } = bench.run_ahead(
        plan.seed,
        Initial::Random(plan.seed),
        make,
        |seen| latency.clock(seen.cycle, seen.inputs, seen.outputs),
        |items| (watch.items)(items, total),
    )?;
    let (finished, mismatch) = match result {
        Ok(outcome) => (Some(outcome), None),
        Err(error) => (None, Some(error)),
    };
    Ok(Ended {
        finished,
        mismatch,
        reference,
    })
}

/// (clocks from the first to the last acceptance, not ready while running, not ready for control)
pub(crate) fn clocks_of(clocks: Clocks) -> (u64, u64, u64) {
    let span = clocks.first.map_or(0, |first| clocks.last - first + 1);
    (span, clocks.not_ready_running, clocks.not_ready_control)
}

/// Clocks a second of a finished run, 0 of one that failed.
pub(crate) fn speed(finished: Option<Outcome>) -> f64 {
    finished.map_or(0.0, |outcome| outcome.clocks_per_second())
}
