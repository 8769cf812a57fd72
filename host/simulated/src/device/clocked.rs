use bloomline_bench::lockstep::SimulatorError;
use bloomline_driver::serve::Responder;
use std::time::Instant;

/// Something at the end of a line with a clock that goes on by itself.
pub trait Clocked: Responder {
    /// Lets `clocks` clocks pass at the computer's time `now`; what it sends meanwhile.
    ///
    /// # Errors
    /// [`SimulatorError`] when the model ends.
    fn run(&mut self, clocks: u64, now: Instant) -> Result<Vec<u8>, SimulatorError>;
}
