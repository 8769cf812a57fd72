//! Repeats a run and records the waveform of its end.

use super::{Recording, Simulation, Waveform, Window};
use crate::verilator::{Design, Initial};
use std::path::{Path, PathBuf};

/// Where and how to show the end of a run that failed.
pub struct Replay<'a> {
    /// The design as it was for the run.
    pub simulation: &'a Simulation,
    /// Steps of the device that the waveform shows, the failing one included.
    pub window: u64,
    /// Folder of the waveform; made when needed.
    pub waveforms: &'a Path,
    /// Seed of the run.
    pub seed: u64,
    /// Power-up state of registers and memories.
    pub initial: Initial,
    /// The clock in which it failed.
    pub clock: u64,
    /// Steps of the device up to there, the failing one included: one a clock, where it has one clock.
    pub steps: u64,
}

impl Replay<'_> {
    /// Opens the design with tracing (Verilator builds it once more) and has `again` run it, which gives the steps up to its failure.
    pub fn waveform(&self, again: impl FnOnce(&Design, &mut Recording) -> Option<u64>) -> Waveform {
        match self.written(again) {
            Ok(path) => Waveform::Written(path),
            Err(why) => Waveform::Failed(why),
        }
    }

    fn written(
        &self,
        again: impl FnOnce(&Design, &mut Recording) -> Option<u64>,
    ) -> Result<PathBuf, String> {
        let (seed, clock) = (self.seed, self.clock);
        let design = self.simulation.design();
        let folder = self.waveforms.display();
        std::fs::create_dir_all(self.waveforms)
            .map_err(|error| format!("cannot make the folder {folder}: {error}"))?;
        let file = format!("{}-seed{seed}-clock{clock}.vcd", design.top);
        let path = self.waveforms.join(file);
        let window = Window {
            path: path.clone(),
            from: self.steps.saturating_sub(self.window),
            to: u64::MAX,
        };
        let mut device = Recording::open(self.simulation, self.initial, &window)
            .map_err(|error| error.to_string())?;
        let failed = again(design, &mut device);
        device.close().map_err(|error| error.to_string())?;
        match failed == Some(self.steps) {
            true => Ok(path),
            false => Err(format!(
                "the replay of seed {seed} did not fail in clock {clock} again; the run depends on more than the seed"
            )),
        }
    }
}
