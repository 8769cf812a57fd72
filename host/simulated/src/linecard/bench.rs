//! A line card in a simulator, with a replay that writes the waveform.

use super::error::LineCardError;
use super::run::{run_line_card, LineCardReport, LineFailure};
use super::script::LineScript;
use bloomline_bench::lockstep::{Device, Replay, Simulation};
use bloomline_bench::verilator::Initial;
use bloomline_model::{LineCardModel, PathFilter};
use bloomline_spec::LANES;
use std::path::PathBuf;

/// Instants of a clock in which something moves: two edges of each of three clocks.
const INSTANTS_A_CLOCK: u64 = 2 * (1 + LANES as u64);

/// A line card ready for runs.
#[derive(Debug, Clone)]
pub struct LineCardBench {
    simulation: Simulation,
    model: LineCardModel,
    /// Clocks before a failure that the waveform shows, the failing one included. It has an instant of 10 ns for every edge of any clock.
    pub window_clocks: u64,
    /// Folder that waveforms go to; made when needed.
    pub waveforms: PathBuf,
}

impl LineCardBench {
    /// `simulation` has the line card of `filter`. Windows have 2,000 clocks and go to `out/waveforms` under the current folder, until the
    /// fields say otherwise.
    ///
    /// # Errors
    /// [`LineCardError::NoLineCard`].
    pub fn new(simulation: Simulation, filter: PathFilter) -> Result<LineCardBench, LineCardError> {
        let name = filter.design().name().to_owned();
        let model = LineCardModel::new(filter).ok_or(LineCardError::NoLineCard { name })?;
        Ok(LineCardBench {
            simulation,
            model,
            window_clocks: 2_000,
            waveforms: PathBuf::from("out/waveforms"),
        })
    }

    /// Opens the design with registers and memories as `initial` says and runs it through the script that `make` makes from `seed`; `observe`
    /// is called with the port, the clock of the first byte of the preamble, and the bytes of each frame that left.
    ///
    /// When the run fails, Verilator builds the design once more with tracing, `make` is called again with the same seed, and the clocks before the
    /// failure are written to a VCD file that the error names. That needs `make` to depend on the seed alone.
    ///
    /// # Errors
    /// [`LineCardError::Failed`] at the first thing that was wrong; [`LineCardError::Verilator`] when the model cannot be opened.
    pub fn run(
        &self,
        seed: u64,
        initial: Initial,
        make: impl Fn(u64) -> LineScript,
        mut observe: impl FnMut(usize, u64, &[u8]) + Send,
    ) -> Result<LineCardReport, LineCardError> {
        let mut sim = self.simulation.open(initial)?;
        let failure = match self.go(&mut sim, make(seed), seed, &mut observe)? {
            Ok(report) => return Ok(report),
            Err(failure) => failure,
        };
        let replay = Replay {
            simulation: &self.simulation,
            window: self.window_clocks * INSTANTS_A_CLOCK,
            waveforms: &self.waveforms,
            seed,
            initial,
            clock: failure.clock,
            steps: failure.instants,
        };
        let waveform = replay.waveform(|_, device| {
            let again = self.go(device, make(seed), seed, &mut |_, _, _| {});
            Some(again.ok()?.err()?.instants)
        });
        Err(LineCardError::Failed {
            clock: failure.clock,
            lane: failure.lane,
            problem: Box::new(failure.problem),
            seed,
            waveform,
        })
    }

    fn go<'a>(
        &'a self,
        device: &'a mut (impl Device + Send),
        script: LineScript,
        seed: u64,
        observe: &'a mut (dyn FnMut(usize, u64, &[u8]) + Send + 'a),
    ) -> Result<Result<LineCardReport, LineFailure>, LineCardError> {
        run_line_card(
            self.simulation.design(),
            device,
            self.model.clone(),
            script,
            seed,
            observe,
        )
    }
}
