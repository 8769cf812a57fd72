//! Waveform recording of a window of a run, in Verilator or in the built-in simulator.

use super::simulation::Loaded;
use super::{Device, DeviceError, LockstepError, Running, Simulation};
use crate::built_in::EngineError;
use crate::verilator::{BuildOptions, Initial, Library, Sim};
use bloomline_engine::Waves;
use bloomline_spec::files;
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

impl Window {
    /// The error that the file cannot be written.
    fn unwritten(&self, reason: impl ToString) -> LockstepError {
        LockstepError::Waves {
            path: self.path.clone(),
            reason: reason.to_string(),
        }
    }

    /// An error of the built-in simulator while it writes the waveform.
    fn of_engine(&self, error: EngineError) -> LockstepError {
        match error {
            EngineError::Waves { reason } => self.unwritten(reason),
            other => other.into(),
        }
    }
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
        File::create(path).map_err(|error| window.unwritten(error))?;
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
        self.end()?;
        if self.step > self.window.from {
            return Ok(());
        }
        // It is empty; the error is the news, even if it cannot be removed. A device is left.
        let _ = files::regular(&self.window.path).and_then(std::fs::remove_file);
        Err(LockstepError::BeyondTheRun {
            from: self.window.from,
            clocks: self.step,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.window.path
    }

    fn end(&mut self) -> Result<(), LockstepError> {
        if let Running::Verilator(sim) = &mut self.running {
            sim.trace_close();
        }
        let finished = self.waves.take().map_or(Ok(()), Waves::finish);
        finished.map_err(|error| self.window.of_engine(error))
    }
}

impl Device for Recording {
    /// An error of the waveform, which says nothing of the device, is [`LockstepError::Waves`].
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DeviceError> {
        let begins = self.step == self.window.from;
        if self.step == self.window.to.saturating_add(1) {
            self.end()?;
        }
        self.step += 1;
        match &mut self.running {
            Running::Verilator(sim) => {
                if begins {
                    let opened = sim.trace_open(&self.window.path);
                    opened.map_err(|error| self.window.unwritten(error))?;
                }
                Ok(Sim::step(sim, inputs, outputs)?)
            }
            Running::BuiltIn(sim) => {
                if begins {
                    let file = File::create(&self.window.path);
                    let file = file.map_err(|error| self.window.unwritten(error))?;
                    let waves = Waves::new(BufWriter::new(file), sim.0.design());
                    self.waves = Some(waves.map_err(|error| self.window.of_engine(error))?);
                }
                match &mut self.waves {
                    Some(waves) => match sim.0.step_with_waves(inputs, outputs, waves) {
                        Err(error @ EngineError::Waves { .. }) => {
                            Err(self.window.of_engine(error).into())
                        }
                        stepped => Ok(stepped?),
                    },
                    None => Ok(sim.0.step(inputs, outputs)?),
                }
            }
        }
    }
}
