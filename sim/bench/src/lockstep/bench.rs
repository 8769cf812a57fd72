//! Lockstep on Verilator, with a replay that writes the waveform.

use super::{
    compare, Clock, Device, DeviceError, Limits, LockstepError, Outcome, Reference, Stimulus,
    Waveform,
};
use crate::toolchain::Toolchain;
use crate::verilator::{BuildOptions, Design, Initial, Library, Sim, VerilatorError};
use std::path::{Path, PathBuf};

/// A design built for lockstep runs.
#[derive(Debug, Clone)]
pub struct Bench {
    toolchain: Toolchain,
    library: Library,
    /// Bounds of a run.
    pub limits: Limits,
    /// Clocks before a mismatch that the waveform shows, the mismatching one included.
    pub window_clocks: u64,
    /// Folder that waveforms go to; made when needed.
    pub waveforms: PathBuf,
}

impl Bench {
    /// Builds `design` (without tracing: that is only built when a run fails). Windows have 200 clocks and go to
    /// `out/waveforms` under the current folder, until the fields say otherwise.
    ///
    /// # Errors
    /// As [`Library::build`].
    pub fn new(
        toolchain: &Toolchain,
        design: &Design,
        options: &BuildOptions,
    ) -> Result<Self, LockstepError> {
        Ok(Self {
            toolchain: toolchain.clone(),
            library: Library::build(toolchain, design, options)?,
            limits: Limits::default(),
            window_clocks: 200,
            waveforms: PathBuf::from("out/waveforms"),
        })
    }

    /// The built design.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Opens the design with registers and memories as `initial` says and runs it against a reference and a stimulus that
    /// `make` makes from `seed`.
    ///
    /// When the run fails, the design is built once more with tracing, `make` is called again with the same seed, and the
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
        let mut sim = self.library.open(initial)?;
        let (mut reference, mut stimulus) = make(seed);
        let design = self.library.design();
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
        let (mut reference, mut stimulus) = make(seed);
        let drawn = match self.replay(seed, initial, cycle, &mut reference, &mut stimulus) {
            Ok(path) => Waveform::Written(path),
            Err(why) => Waveform::Failed(why),
        };
        Err(with_waveform(error, drawn))
    }

    /// Runs again up to the failure in clock `cycle`; returns the waveform, or why there is none.
    fn replay<R: Reference, S: Stimulus>(
        &self,
        seed: u64,
        initial: Initial,
        cycle: u64,
        reference: &mut R,
        stimulus: &mut S,
    ) -> Result<PathBuf, String> {
        let design = self.library.design();
        let options = BuildOptions {
            trace: true,
            ..self.library.options().clone()
        };
        let library =
            Library::build(&self.toolchain, design, &options).map_err(|error| error.to_string())?;
        std::fs::create_dir_all(&self.waveforms).map_err(|error| {
            format!(
                "cannot make the folder {}: {error}",
                self.waveforms.display()
            )
        })?;
        let path = self
            .waveforms
            .join(format!("{}-seed{seed}-clock{cycle}.vcd", design.top));
        let sim = library.open(initial).map_err(|error| error.to_string())?;
        let from = (cycle + 1).saturating_sub(self.window_clocks);
        let mut device = Windowed {
            sim,
            from,
            path: &path,
        };
        let result = compare(
            design,
            &mut device,
            reference,
            stimulus,
            seed,
            self.limits,
            |_| {},
        );
        device.sim.trace_close();
        match result.as_ref().map_err(LockstepError::cycle) {
            Err(Some(again)) if again == cycle => Ok(path),
            _ => Err(format!(
                "the replay of seed {seed} did not fail in clock {cycle} again; \
                 reference or stimulus depend on more than the seed"
            )),
        }
    }
}

/// A model that writes a waveform from clock `from` on.
struct Windowed<'a> {
    sim: Sim,
    from: u64,
    path: &'a Path,
}

impl Device for Windowed<'_> {
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DeviceError> {
        if self.sim.cycle() == self.from {
            self.sim.trace_open(self.path)?;
        }
        Sim::step(&mut self.sim, inputs, outputs).map_err(|error: VerilatorError| error.into())
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
