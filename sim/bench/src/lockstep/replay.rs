//! Repeats a run and records the waveform of its end.

use super::simulation::Simulator;
use super::{Device, DeviceError, Running, Simulation, Waveform};
use crate::verilator::{BuildOptions, Design, Initial, Library, Sim};
use bloomline_engine::Waves;
use std::fs::File;
use std::io::BufWriter;
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
    /// What registers and memories began with.
    pub initial: Initial,
    /// The clock in which it failed.
    pub clock: u64,
    /// Steps of the device up to there, the failing one included: one a clock, where it has one clock.
    pub steps: u64,
}

impl Replay<'_> {
    /// Opens the design with tracing (Verilator builds it once more) and has `again` run it, which gives the steps up to its failure.
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
        let design = self.simulation.design();
        let folder = self.waveforms.display();
        std::fs::create_dir_all(self.waveforms)
            .map_err(|error| format!("cannot make the folder {folder}: {error}"))?;
        let file = format!("{}-seed{seed}-clock{clock}.vcd", design.top);
        let path = self.waveforms.join(file);
        let running = match &self.simulation.simulator {
            Simulator::BuiltIn(_) => self.simulation.open(self.initial),
            Simulator::Verilator(toolchain, library) => {
                let options = BuildOptions {
                    trace: true,
                    ..library.options().clone()
                };
                Library::build(toolchain, design, &options)
                    .and_then(|traced| traced.open(self.initial).map(Running::Verilator))
            }
        };
        let mut device = Windowed {
            running: running.map_err(|error| error.to_string())?,
            waves: None,
            step: 0,
            from: self.steps.saturating_sub(self.window),
            path: &path,
        };
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

/// A model that writes a waveform from step `from` on.
pub struct Windowed<'a> {
    running: Running,
    /// The built-in simulator's; Verilator's model has its own.
    waves: Option<Waves<BufWriter<File>>>,
    step: u64,
    from: u64,
    path: &'a Path,
}

impl Windowed<'_> {
    fn close(self) -> Result<(), DeviceError> {
        if let Running::Verilator(mut sim) = self.running {
            sim.trace_close();
        }
        Ok(self.waves.map_or(Ok(()), Waves::finish)?)
    }
}

impl Device for Windowed<'_> {
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DeviceError> {
        let begins = self.step == self.from;
        self.step += 1;
        match &mut self.running {
            Running::Verilator(sim) => {
                if begins {
                    sim.trace_open(self.path)?;
                }
                Ok(Sim::step(sim, inputs, outputs)?)
            }
            Running::BuiltIn(sim) => {
                if begins {
                    let file = BufWriter::new(File::create(self.path)?);
                    self.waves = Some(Waves::new(file, sim.0.design())?);
                }
                match &mut self.waves {
                    Some(waves) => Ok(sim.0.step_with_waves(inputs, outputs, waves)?),
                    None => Ok(sim.0.step(inputs, outputs)?),
                }
            }
        }
    }
}
