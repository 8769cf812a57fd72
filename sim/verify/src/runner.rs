//! Runs a filter's gateware against its model.

use crate::lanes;
use crate::latency::LatencyProbe;
use crate::plan::{Plan, Simulator, Watch};
use crate::session::{Against, Ended, Pooled, Prepared};
use crate::VerifyError;
use bloomline_bench::lockstep::{Bench, LockstepError, Ran, Simulation, Stimulus};
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Optimisation};
use bloomline_toolchain::{Program, Progress, Toolchain};

impl Simulator {
    /// Reads a design, or has Verilator compile it with these options; `tools` hears of tools that are installed for that.
    ///
    /// # Errors
    /// That a tool is missing, or that the simulator does not take the design.
    pub fn load(
        self,
        design: &Design,
        options: &BuildOptions,
        tools: &dyn Fn(&Progress),
    ) -> Result<Simulation, VerifyError> {
        let toolchain = match self {
            Simulator::BuiltIn => return Ok(Simulation::built_in(design)?),
            Simulator::Jit => return Ok(Simulation::jit(design)?),
            Simulator::Verilator => Toolchain::discover()?,
            Simulator::VerilatorOnPath => Toolchain::discover()?.with_tools_on_path(),
        };
        for program in [Program::Verilator, Program::Cxx] {
            toolchain.find_or_install(program, tools)?;
        }
        Ok(Simulation::verilator(&toolchain, design, options).map_err(LockstepError::from)?)
    }
}

/// Runs a design in the plan's simulator and lanes against what `start` makes of what `prepare` gives for a seed;
/// `watch` hears that no item is decided while keys are drawn.
pub(crate) fn simulate<P: Prepared, R: Pooled, S: Stimulus + Send>(
    design: &Design,
    plan: &Plan,
    watch: &Watch<'_>,
    prepare: impl Fn(u64, &dyn Fn()) -> Result<P, VerifyError> + Sync,
    start: impl Fn(&P, Against) -> (R, S) + Sync,
    latency: &mut LatencyProbe,
) -> Result<Ended<R>, VerifyError> {
    if let Some(lanes) = plan.lanes {
        return lanes::simulate(design, plan, lanes, watch, prepare, start, latency);
    }
    let prepared = prepare(plan.seed, &|| (watch.items)(0, plan.items))?;
    let total = prepared.items();
    let make = |_seed: u64| start(&prepared, Against::Model);
    let options = BuildOptions {
        optimisation: Optimisation::Full,
        trace: plan.waves.is_some(),
        ..BuildOptions::default()
    };
    let simulation = plan.simulator.load(design, &options, watch.tools)?;
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
