//! A run once more, with the waveform of its end.

use super::{Device, DeviceError, Waveform};
use crate::verilator::{BuildOptions, Design, Initial, Library, Sim};
use bloomline_toolchain::Toolchain;
use std::path::{Path, PathBuf};

/// Where and how to show the end of a run that failed.
pub struct Replay<'a> {
    /// Where Verilator is.
    pub toolchain: &'a Toolchain,
    /// The design as it was built for the run.
    pub library: &'a Library,
    /// Steps of the device that the waveform shows, the failing one included.
    pub window: u64,
    /// Folder of the waveform; made when needed.
    pub waveforms: &'a Path,
    /// Seed of the run.
    pub seed: u64,
    /// What registers and memories began with.
    pub initial: Initial,
    /// The clock in which it failed.
    pub clock: u64,
    /// Steps of the device up to there, the failing one included: one a clock, where it has one clock.
    pub steps: u64,
}

impl Replay<'_> {
    /// Builds the design with tracing and has `again` run it, which gives the steps up to its failure.
    pub fn waveform(&self, again: impl FnOnce(&Design, &mut Windowed) -> Option<u64>) -> Waveform {
        match self.written(again) {
            Ok(path) => Waveform::Written(path),
            Err(why) => Waveform::Failed(why),
        }
    }

    fn written(
        &self,
        again: impl FnOnce(&Design, &mut Windowed) -> Option<u64>,
    ) -> Result<PathBuf, String> {
        let (seed, clock) = (self.seed, self.clock);
        let design = self.library.design();
        let options = BuildOptions {
            trace: true,
            ..self.library.options().clone()
        };
        let library =
            Library::build(self.toolchain, design, &options).map_err(|error| error.to_string())?;
        let folder = self.waveforms.display();
        std::fs::create_dir_all(self.waveforms)
            .map_err(|error| format!("cannot make the folder {folder}: {error}"))?;
        let file = format!("{}-seed{seed}-clock{clock}.vcd", design.top);
        let path = self.waveforms.join(file);
        let mut device = Windowed {
            sim: library
                .open(self.initial)
                .map_err(|error| error.to_string())?,
            from: self.steps.saturating_sub(self.window),
            path: &path,
        };
        let failed = again(design, &mut device);
        device.sim.trace_close();
        match failed == Some(self.steps) {
            true => Ok(path),
            false => Err(format!(
                "the replay of seed {seed} did not fail in clock {clock} again; the run depends on more than the seed"
            )),
        }
    }
}

/// A model that writes a waveform from step `from` on.
pub struct Windowed<'a> {
    sim: Sim,
    from: u64,
    path: &'a Path,
}

impl Device for Windowed<'_> {
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DeviceError> {
        if self.sim.cycle() == self.from {
            self.sim.trace_open(self.path)?;
        }
        Ok(Sim::step(&mut self.sim, inputs, outputs)?)
    }
}
