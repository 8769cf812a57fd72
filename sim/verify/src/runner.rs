//! Runs a filter's gateware against its model.

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
        }
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

/// Runs a design against what `make` gives, in the plan's simulator; the watch hears of the reference's progress out of `total`.
pub(crate) fn simulate<R: Reference + Send, S: Stimulus + Send>(
    design: &Design,
    plan: &Plan,
    watch: &Watch<'_>,
    total: u64,
    make: impl Fn(u64) -> (R, S),
    latency: &mut LatencyProbe,
) -> Result<Ended<R>, VerifyError> {
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
