//! Lockstep in a simulator; a failing run is repeated to record its waveform.

use super::{
    compare, Clock, Limits, LockstepError, Outcome, Reference, Replay, Simulation, Stimulus,
    Waveform,
};
use crate::verilator::Initial;
use std::path::PathBuf;

/// A design ready for lockstep runs.
#[derive(Debug, Clone)]
pub struct Bench {
    simulation: Simulation,
    /// Bounds of a run.
    pub limits: Limits,
    /// Clocks before a mismatch that the waveform shows, the mismatching one included.
    pub window_clocks: u64,
    /// Folder that waveforms go to; made when needed.
    pub waveforms: PathBuf,
}

impl Bench {
    /// Windows have 200 clocks and go to `out/waveforms` under the current folder, until the fields say otherwise.
    pub fn new(simulation: Simulation) -> Self {
        Self {
            simulation,
            limits: Limits::default(),
            window_clocks: 200,
            waveforms: PathBuf::from("out/waveforms"),
        }
    }

    /// Opens the design with registers and memories as `initial` says and runs it against a reference and a stimulus that
    /// `make` makes from `seed`.
    ///
    /// When the run fails, Verilator builds the design once more with tracing, `make` is called again with the same seed, and the
    /// clocks before the failure are written to a VCD file that the error names. That needs `make` to depend on the seed alone.
    ///
    /// # Errors
    /// As [`compare`], with the waveform; [`LockstepError::Verilator`] when the model cannot be opened.
    pub fn run<R: Reference, S: Stimulus>(
        &self,
        seed: u64,
        initial: Initial,
        mut make: impl FnMut(u64) -> (R, S),
        observe: impl FnMut(&Clock<'_, R>),
    ) -> Result<Outcome, LockstepError> {
        let mut sim = self.simulation.open(initial)?;
        let (mut reference, mut stimulus) = make(seed);
        let design = self.simulation.design();
        let result = compare(
            design,
            &mut sim,
            &mut reference,
            &mut stimulus,
            seed,
            self.limits,
            observe,
        );
        let Err(error) = result else { return result };
        let Some(cycle) = error.cycle() else {
            return Err(error);
        };
        let replay = Replay {
            simulation: &self.simulation,
            window: self.window_clocks,
            waveforms: &self.waveforms,
            seed,
            initial,
            clock: cycle,
            steps: cycle + 1,
        };
        let (mut reference, mut stimulus) = make(seed);
        let drawn = replay.waveform(|design, device| {
            let again = compare(
                design,
                device,
                &mut reference,
                &mut stimulus,
                seed,
                self.limits,
                |_| {},
            );
            Some(again.err()?.cycle()? + 1)
        });
        Err(with_waveform(error, drawn))
    }
}

fn with_waveform(error: LockstepError, drawn: Waveform) -> LockstepError {
    match error {
        LockstepError::Mismatch {
            cycle,
            port,
            expected,
            got,
            seed,
            ..
        } => LockstepError::Mismatch {
            cycle,
            port,
            expected,
            got,
            seed,
            waveform: drawn,
        },
        LockstepError::Device {
            cycle,
            seed,
            source,
            ..
        } => LockstepError::Device {
            cycle,
            seed,
            source,
            waveform: drawn,
        },
        other => other,
    }
}
