//! Testbench of a packet path; a failing run is repeated to record its waveform.

use super::error::PathError;
use super::run::{run_path, PathReport};
use super::script::Script;
use crate::lockstep::{Replay, Simulation};
use crate::verilator::Initial;
use bloomline_model::{PathFilter, PathModel};
use bloomline_spec::RegisterMap;
use std::path::PathBuf;

/// A packet path ready for runs.
#[derive(Debug, Clone)]
pub struct PathBench {
    simulation: Simulation,
    model: PathModel,
    map: RegisterMap,
    /// Clocks before a failure that the waveform shows, the failing one included.
    pub window_clocks: u64,
    /// Folder that waveforms go to; made when needed.
    pub waveforms: PathBuf,
}

impl PathBench {
    /// `simulation` has the packet path of `filter`. Windows have 2,000 clocks and go to `out/waveforms` under the current
    /// folder, until the fields say otherwise.
    ///
    /// # Errors
    /// [`PathError::NoPath`].
    pub fn new(simulation: Simulation, filter: PathFilter) -> Result<PathBench, PathError> {
        let name = filter.design().name().to_owned();
        let map = filter.design().register_map();
        let model = PathModel::new(filter).ok_or(PathError::NoPath { name })?;
        Ok(PathBench {
            simulation,
            model,
            map,
            window_clocks: 2_000,
            waveforms: PathBuf::from("out/waveforms"),
        })
    }

    /// Opens the design with registers and memories as `initial` says and runs it through the script that `make` makes from
    /// `seed`; `observe` is called with the clock of the first beat and the bytes of each frame that left.
    ///
    /// When the run fails, Verilator builds the design once more with tracing, `make` is called again with the same seed, and the
    /// clocks before the failure are written to a VCD file that the error names. That needs `make` to depend on the seed alone.
    ///
    /// # Errors
    /// [`PathError::Failed`] at the first thing that was wrong; [`PathError::Verilator`] when the model cannot be opened.
    pub fn run(
        &self,
        seed: u64,
        initial: Initial,
        make: impl Fn(u64) -> Script,
        observe: impl FnMut(u64, &[u8]),
    ) -> Result<PathReport, PathError> {
        let mut sim = self.simulation.open(initial)?;
        let design = self.simulation.design();
        let (model, map) = (self.model.clone(), &self.map);
        let failure = match run_path(design, &mut sim, model, map, make(seed), seed, observe)? {
            Ok(report) => return Ok(report),
            Err(failure) => failure,
        };
        let replay = Replay {
            simulation: &self.simulation,
            window: self.window_clocks,
            waveforms: &self.waveforms,
            seed,
            initial,
            clock: failure.clock,
            steps: failure.clock + 1,
        };
        let waveform = replay.waveform(|design, device| {
            let (model, script) = (self.model.clone(), make(seed));
            let again = run_path(design, device, model, map, script, seed, |_, _| {});
            Some(again.ok()?.err()?.clock + 1)
        });
        Err(PathError::Failed {
            clock: failure.clock,
            problem: Box::new(failure.problem),
            seed,
            waveform,
        })
    }
}
