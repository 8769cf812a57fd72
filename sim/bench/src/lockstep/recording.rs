//! Waveform recording of a window of a run, in Verilator or in the built-in simulator.

use super::simulation::Loaded;
use super::{Device, DeviceError, LockstepError, Running, Simulation};
use crate::verilator::{BuildOptions, Initial, Library, Sim};
use bloomline_engine::Waves;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// Clock cycles whose waveform is written to a file as a value change dump (VCD).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// The file; an earlier one of that name is replaced.
    pub path: PathBuf,
    /// First clock cycle, from 0.
    pub from: u64,
    /// Last clock cycle.
    pub to: u64,
}

/// A model that writes the waveform of a window of its run. Clock `c` begins at 10 `c` ns, and its edge rises at 10 `c` + 5 ns.
pub struct Recording {
    running: Running,
    /// The built-in simulator's waveform; Verilator's model has its own.
    waves: Option<Waves<BufWriter<File>>>,
    window: Window,
    step: u64,
}

impl Recording {
    /// Opens the design at power-up. Verilator builds it with tracing, unless that was done before.
    ///
    /// # Errors
    /// [`LockstepError::Window`] for a window that ends before it begins, [`LockstepError::Waves`] when the file cannot be made,
    /// [`LockstepError::Verilator`] when the model cannot be built or opened.
    pub fn open(
        simulation: &Simulation,
        initial: Initial,
        window: &Window,
    ) -> Result<Recording, LockstepError> {
        let Window { path, from, to } = window;
        if to < from {
            return Err(LockstepError::Window {
                from: *from,
                to: *to,
            });
        }
        // A file that cannot be written must not end a long run; what is made here is replaced when the window begins.
        File::create(path).map_err(|error| LockstepError::Waves {
            path: path.clone(),
            reason: error.to_string(),
        })?;
        let running = match &simulation.simulator {
            Loaded::BuiltIn(_) | Loaded::Jit(_) => simulation.open(initial)?,
            Loaded::Verilator(toolchain, library) => {
                let options = BuildOptions {
                    trace: true,
                    ..library.options().clone()
                };
                let traced = Library::build(toolchain, simulation.design(), &options)?;
                Running::Verilator(traced.open(initial)?)
            }
        };
        Ok(Recording {
            running,
            waves: None,
            window: window.clone(),
            step: 0,
        })
    }

    /// Completes the file.
    ///
    /// # Errors
    /// [`LockstepError::Waves`] when it cannot be written, [`LockstepError::BeyondTheRun`] when the run ended before the window began;
    /// there is no file then.
    pub fn close(mut self) -> Result<(), LockstepError> {
        self.end().map_err(|error| LockstepError::Waves {
            path: self.window.path.clone(),
            reason: error.to_string(),
        })?;
        if self.step > self.window.from {
            return Ok(());
        }
        // It is empty; the error is the news, even if it cannot be removed.
        let _ = std::fs::remove_file(&self.window.path);
        Err(LockstepError::BeyondTheRun {
            from: self.window.from,
            clocks: self.step,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.window.path
    }

    fn end(&mut self) -> Result<(), DeviceError> {
        if let Running::Verilator(sim) = &mut self.running {
            sim.trace_close();
        }
        Ok(self.waves.take().map_or(Ok(()), Waves::finish)?)
    }
}

impl Device for Recording {
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DeviceError> {
        let begins = self.step == self.window.from;
        if self.step == self.window.to.saturating_add(1) {
            self.end()?;
        }
        self.step += 1;
        match &mut self.running {
            Running::Verilator(sim) => {
                if begins {
                    sim.trace_open(&self.window.path)?;
                }
                Ok(Sim::step(sim, inputs, outputs)?)
            }
            Running::BuiltIn(sim) => {
                if begins {
                    let file = BufWriter::new(File::create(&self.window.path)?);
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
