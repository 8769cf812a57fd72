//! A packet path on Verilator, with a replay that writes the waveform.

use super::error::PathError;
use super::run::{run_path, PathReport};
use super::script::Script;
use crate::lockstep::{Device, DeviceError, Waveform};
use crate::toolchain::Toolchain;
use crate::verilator::{BuildOptions, Design, Initial, Library, Sim};
use bloomline_model::{PathFilter, PathModel};
use bloomline_spec::RegisterMap;
use std::path::{Path, PathBuf};

/// A packet path built for runs.
#[derive(Debug, Clone)]
pub struct PathBench {
    toolchain: Toolchain,
    library: Library,
    model: PathModel,
    map: RegisterMap,
    /// Clocks before a failure that the waveform shows, the failing one included.
    pub window_clocks: u64,
    /// Folder that waveforms go to; made when needed.
    pub waveforms: PathBuf,
}

impl PathBench {
    /// Builds `design`, the packet path of `filter`. Windows have 2,000 clocks and go to `out/waveforms` under the current
    /// folder, until the fields say otherwise.
    ///
    /// # Errors
    /// [`PathError::NoPath`]; [`PathError::Verilator`] as [`Library::build`].
    pub fn new(
        toolchain: &Toolchain,
        design: &Design,
        options: &BuildOptions,
        filter: PathFilter,
    ) -> Result<PathBench, PathError> {
        let name = filter.common().name().to_owned();
        let map = filter.register_map();
        let model = PathModel::new(filter).ok_or(PathError::NoPath { name })?;
        Ok(PathBench {
            toolchain: toolchain.clone(),
            library: Library::build(toolchain, design, options)?,
            model,
            map,
            window_clocks: 2_000,
            waveforms: PathBuf::from("out/waveforms"),
        })
    }

    /// The built design.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Opens the design with registers and memories as `initial` says and runs it through the script that `make` makes from
    /// `seed`; `observe` is called with the clock of the first beat and the bytes of each frame that left.
    ///
    /// When the run fails, the design is built once more with tracing, `make` is called again with the same seed, and the
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
        let mut sim = self.library.open(initial)?;
        let design = self.library.design();
        let (model, map) = (self.model.clone(), &self.map);
        let failure = match run_path(design, &mut sim, model, map, make(seed), seed, observe)? {
            Ok(report) => return Ok(report),
            Err(failure) => failure,
        };
        let waveform = match self.replay(seed, initial, failure.clock, make(seed)) {
            Ok(path) => Waveform::Written(path),
            Err(why) => Waveform::Failed(why),
        };
        Err(PathError::Failed {
            clock: failure.clock,
            problem: Box::new(failure.problem),
            seed,
            waveform,
        })
    }

    /// Runs again up to the failure in clock `clock`; returns the waveform, or why there is none.
    fn replay(
        &self,
        seed: u64,
        initial: Initial,
        clock: u64,
        script: Script,
    ) -> Result<PathBuf, String> {
        let options = BuildOptions {
            trace: true,
            ..self.library.options().clone()
        };
        let design = self.library.design();
        let library =
            Library::build(&self.toolchain, design, &options).map_err(|error| error.to_string())?;
        let folder = self.waveforms.display();
        std::fs::create_dir_all(&self.waveforms)
            .map_err(|error| format!("cannot make the folder {folder}: {error}"))?;
        let file = format!("{}-seed{seed}-clock{clock}.vcd", design.top);
        let path = self.waveforms.join(file);
        let mut device = Windowed {
            sim: library.open(initial).map_err(|error| error.to_string())?,
            from: (clock + 1).saturating_sub(self.window_clocks),
            path: &path,
        };
        let (model, map) = (self.model.clone(), &self.map);
        let result = run_path(design, &mut device, model, map, script, seed, |_, _| {});
        device.sim.trace_close();
        match result {
            Ok(Err(again)) if again.clock == clock => Ok(path),
            _ => Err(format!(
                "the replay of seed {seed} did not fail in clock {clock} again; the script depends on more than the seed"
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
        Ok(Sim::step(&mut self.sim, inputs, outputs)?)
    }
}
