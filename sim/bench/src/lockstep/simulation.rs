//! A design in a simulator, ready to be opened.

use super::{Device, DeviceError, Failed, SimulatorError};
use crate::built_in::{self, BuiltIn, EngineError};
use crate::verilator::{BuildOptions, Design, Initial, Library, Sim, VerilatorError};
use bloomline_engine as engine;
use bloomline_toolchain::Toolchain;
use std::sync::Arc;

/// A design that Verilator has built or that the built-in simulator has read.
#[derive(Debug, Clone)]
pub struct Simulation {
    design: Arc<Design>,
    pub(super) simulator: Loaded,
}

#[derive(Debug, Clone)]
pub(super) enum Loaded {
    Verilator(Toolchain, Library),
    BuiltIn(Arc<engine::Design>),
    Jit(Arc<engine::Design>),
}

/// What runs a design.
#[derive(Debug, Clone, Copy)]
pub enum Simulator<'a> {
    /// The built-in simulator.
    BuiltIn,
    /// The built-in simulator with machine code; needs cargo feature `jit`.
    Jit,
    /// Verilator, of these tools.
    Verilator(&'a Toolchain),
}

impl Simulation {
    /// The design in a simulator; `options` are for Verilator.
    ///
    /// # Errors
    /// [`SimulatorError`] as [`Simulation::verilator`], [`Simulation::built_in`] and [`Simulation::jit`].
    pub fn new(
        design: &Design,
        simulator: Simulator<'_>,
        options: &BuildOptions,
    ) -> Result<Simulation, SimulatorError> {
        Ok(match simulator {
            Simulator::BuiltIn => Simulation::built_in(design)?,
            Simulator::Jit => Simulation::jit(design)?,
            Simulator::Verilator(toolchain) => Simulation::verilator(toolchain, design, options)?,
        })
    }

    /// The design in Verilator.
    ///
    /// # Errors
    /// As [`Library::build`].
    pub fn verilator(
        toolchain: &Toolchain,
        design: &Design,
        options: &BuildOptions,
    ) -> Result<Simulation, VerilatorError> {
        let library = Library::build(toolchain, design, options)?;
        Ok(Simulation {
            design: Arc::new(design.clone()),
            simulator: Loaded::Verilator(toolchain.clone(), library),
        })
    }

    /// The design in the built-in simulator, which reads it in milliseconds.
    ///
    /// # Errors
    /// As [`BuiltIn::open`].
    pub fn built_in(design: &Design) -> Result<Simulation, EngineError> {
        Ok(Simulation {
            design: Arc::new(design.clone()),
            simulator: Loaded::BuiltIn(Arc::new(built_in::read(design)?)),
        })
    }

    /// The same design in the built-in simulator.
    pub(super) fn in_built_in(&self) -> Result<Simulation, EngineError> {
        match self.simulator {
            Loaded::BuiltIn(_) | Loaded::Jit(_) => Ok(self.clone()),
            Loaded::Verilator(..) => Simulation::built_in(&self.design),
        }
    }

    /// Lanes of the design, which the built-in simulator has.
    pub(super) fn open_lanes(
        &self,
        count: engine::LaneCount,
        initial: Initial,
    ) -> Result<engine::Lanes, EngineError> {
        let initial = built_in::power_up(initial);
        match &self.simulator {
            Loaded::BuiltIn(read) | Loaded::Jit(read) => read.open_lanes(count, initial),
            Loaded::Verilator(..) => built_in::read(&self.design)?.open_lanes(count, initial),
        }
    }

    /// The design in the built-in simulator, compiled to machine code.
    ///
    /// # Errors
    /// As [`BuiltIn::open_jit`].
    pub fn jit(design: &Design) -> Result<Simulation, EngineError> {
        let read = built_in::read(design)?;
        built_in::open_jit(&read, Initial::Zeros)?;
        Ok(Simulation {
            design: Arc::new(design.clone()),
            simulator: Loaded::Jit(Arc::new(read)),
        })
    }

    /// The design.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// Opens a new instance of the design, with registers and memories as `initial` says.
    ///
    /// # Errors
    /// As [`Library::open`]; the built-in simulator has none.
    pub fn open(&self, initial: Initial) -> Result<Running, VerilatorError> {
        Ok(match &self.simulator {
            Loaded::Verilator(_, library) => Running::Verilator(library.open(initial)?),
            Loaded::BuiltIn(read) => Running::BuiltIn(built_in::open(read, initial)),
            Loaded::Jit(read) => {
                // It has been compiled when the simulation was made; the other engine gives the same results.
                let compiled = built_in::open_jit(read, initial);
                Running::BuiltIn(compiled.unwrap_or_else(|_| built_in::open(read, initial)))
            }
        })
    }
}

/// An instance of a design in a simulator.
#[derive(Debug)]
pub enum Running {
    /// In Verilator.
    Verilator(Sim),
    /// In the built-in simulator.
    BuiltIn(BuiltIn),
}

impl Running {
    /// Words of the input buffer of one clock.
    pub fn input_words(&self) -> usize {
        match self {
            Running::Verilator(sim) => sim.input_words(),
            Running::BuiltIn(sim) => sim.0.input_words(),
        }
    }

    /// Words of the output buffer of one clock.
    pub fn output_words(&self) -> usize {
        match self {
            Running::Verilator(sim) => sim.output_words(),
            Running::BuiltIn(sim) => sim.0.output_words(),
        }
    }

    /// As [`Device::step`].
    ///
    /// # Errors
    /// As [`Device::step`].
    #[inline]
    pub fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), SimulatorError> {
        match self {
            Running::Verilator(sim) => sim.step(inputs, outputs)?,
            Running::BuiltIn(sim) => sim.0.step(inputs, outputs)?,
        }
        Ok(())
    }
}

impl Device for Running {
    #[inline]
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DeviceError> {
        Ok(Running::step(self, inputs, outputs)?)
    }

    fn steps(&mut self, inputs: &[u64], outputs: &mut [u64], clocks: usize) -> Result<(), Failed> {
        match self {
            Running::Verilator(sim) => Device::steps(sim, inputs, outputs, clocks),
            Running::BuiltIn(sim) => sim.steps(inputs, outputs, clocks),
        }
    }
}
