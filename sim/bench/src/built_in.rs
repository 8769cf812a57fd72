//! Adapter for the built-in simulator, which needs no installation and starts within milliseconds.

use crate::lockstep::{Device, DeviceError};
use crate::verilator::{Design, Direction, Initial};
use bloomline_engine as engine;

pub use bloomline_engine::EngineError;

/// A design in the built-in simulator, as a device of lockstep.
#[derive(Debug)]
pub struct BuiltIn(pub(crate) engine::Sim);

/// Reads the text of a design, with its ports in the design's order.
///
/// # Errors
/// [`EngineError`] with file, line and construct where the text is not of the emitted language, or its ports are not the design's.
pub fn read(design: &Design) -> Result<engine::Design, EngineError> {
    read_with_faults(design, &[])
}

/// As [`read`], with signals that can be disturbed ([`engine::Design::read_with_faults`]).
///
/// # Errors
/// As [`read`], and for a signal that the text does not have.
pub fn read_with_faults(design: &Design, sites: &[String]) -> Result<engine::Design, EngineError> {
    let ports: Vec<engine::Port> = design
        .ports
        .iter()
        .map(|port| engine::Port {
            name: port.name.clone(),
            width: port.width,
            input: port.direction == Direction::Input,
        })
        .collect();
    let clock = design.clock.as_deref();
    engine::Design::read_with_faults(&design.sources, &design.top, clock, sites)?.with_ports(&ports)
}

pub(crate) fn open(read: &engine::Design, initial: Initial) -> BuiltIn {
    BuiltIn(read.open(power_up(initial)))
}

/// The power-up state as the simulator knows it.
pub(crate) fn power_up(initial: Initial) -> engine::Initial {
    match initial {
        Initial::Zeros => engine::Initial::Zeros,
        Initial::Ones => engine::Initial::Ones,
        Initial::Random(seed) => engine::Initial::Random(seed),
    }
}

/// The power-up state of a lane, by itself.
pub(crate) fn power_up_of_lane(initial: Initial, lane: usize) -> Initial {
    match power_up(initial).of_lane(lane as u64) {
        engine::Initial::Zeros => Initial::Zeros,
        engine::Initial::Ones => Initial::Ones,
        engine::Initial::Random(seed) => Initial::Random(seed),
    }
}

pub(crate) fn open_jit(read: &engine::Design, initial: Initial) -> Result<BuiltIn, EngineError> {
    Ok(BuiltIn(read.open_jit(power_up(initial))?))
}

impl BuiltIn {
    /// Reads the design's text and opens it at power-up.
    ///
    /// # Errors
    /// [`EngineError`] with file, line and construct where the text is not of the emitted language, or its ports are not the design's.
    pub fn open(design: &Design, initial: Initial) -> Result<BuiltIn, EngineError> {
        Ok(open(&read(design)?, initial))
    }

    /// As [`BuiltIn::open`], compiled to machine code.
    ///
    /// # Errors
    /// As [`BuiltIn::open`], and [`EngineError::NoJit`] without cargo feature `jit` or where it cannot run.
    pub fn open_jit(design: &Design, initial: Initial) -> Result<BuiltIn, EngineError> {
        open_jit(&read(design)?, initial)
    }
}

impl Device for BuiltIn {
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DeviceError> {
        self.0.step(inputs, outputs).map_err(DeviceError::from)
    }
}
