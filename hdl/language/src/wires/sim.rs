//! A native simulator: rust-hdl's settle loop without its threads and waveforms.

use super::fault::{take_fault, Fault};
use rust_hdl::check_connected::check_connected;
use rust_hdl::check_error::CheckError;
use rust_hdl::check_write_inputs::check_inputs_not_written;
use rust_hdl::prelude::{Atom, Block, Clock, In, Probe, Signal};
use thiserror::Error;

/// Why a native simulation stopped.
#[derive(Debug, Error)]
pub enum SimError {
    /// rust-hdl's own check of the design failed.
    #[error("the design does not pass rust-hdl's check: {0:?}")]
    Check(CheckError),
    /// Signals kept changing: a combinational loop.
    #[error(
        "cycle {cycle}: the design did not settle in {passes} passes; still changing: {}; break the combinational loop",
        .changing.join(", ")
    )]
    NotSettled {
        /// Clock cycles completed.
        cycle: u64,
        /// Passes over the design that were tried.
        passes: usize,
        /// Paths of the signals that changed in the last pass.
        changing: Vec<String>,
    },
    /// A kernel broke a rule of the value types.
    #[error("cycle {cycle}: {fault}")]
    Fault {
        /// Clock cycles completed.
        cycle: u64,
        /// The rule.
        #[source]
        fault: Fault,
    },
}

/// Passes after which a design counts as one that never settles. A pass carries a change one level up or down the
/// hierarchy, so honest designs need about twice their depth.
pub const MOST_PASSES: usize = 1000;

/// Runs a block clock by clock.
///
/// ```
/// use bloomline_language::wires::{prelude::*, sim::NativeSim};
///
/// let mut sim = NativeSim::new(Reg::new(8), |r| &mut r.clock)?;
/// sim.block_mut().d.next = UInt::new(7, 8);
/// sim.step()?;
/// assert_eq!(sim.block().q.val(), 7);
/// # Ok::<(), bloomline_language::wires::sim::SimError>(())
/// ```
#[derive(Debug)]
pub struct NativeSim<B: Block> {
    block: Box<B>,
    clock: fn(&mut B) -> &mut Signal<In, Clock>,
    cycles: u64,
}

impl<B: Block> NativeSim<B> {
    /// Connects and checks `block` and settles it with the clock low. `clock` names its clock input.
    ///
    /// # Errors
    /// When rust-hdl's check fails, a fault was recorded, or the design does not settle.
    pub fn new(block: B, clock: fn(&mut B) -> &mut Signal<In, Clock>) -> Result<Self, SimError> {
        let mut block = Box::new(block);
        block.connect_all();
        // rust-hdl's check for loops looks at whole signals and refuses too much; here a real loop does not settle.
        check_connected(&*block).map_err(SimError::Check)?;
        check_inputs_not_written(&*block).map_err(SimError::Check)?;
        let mut sim = NativeSim {
            block,
            clock,
            cycles: 0,
        };
        sim.settle()?;
        Ok(sim)
    }

    /// The block, to read its outputs with `val()`.
    pub fn block(&self) -> &B {
        &self.block
    }

    /// The block, to assign its inputs' `next`.
    pub fn block_mut(&mut self) -> &mut B {
        &mut self.block
    }

    /// Clock cycles completed.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Lets the inputs' new values run through the combinational logic, without a clock edge.
    ///
    /// # Errors
    /// [`SimError::NotSettled`] after [`MOST_PASSES`] passes, [`SimError::Fault`] when a kernel broke a rule.
    pub fn settle(&mut self) -> Result<(), SimError> {
        for _ in 0..MOST_PASSES {
            self.block.update_all();
            if !self.block.has_changed() {
                return match take_fault() {
                    None => Ok(()),
                    Some(fault) => Err(SimError::Fault {
                        cycle: self.cycles,
                        fault,
                    }),
                };
            }
        }
        let mut probe = Changing::default();
        self.block.accept("top", &mut probe);
        Err(SimError::NotSettled {
            cycle: self.cycles,
            passes: MOST_PASSES,
            changing: probe.found,
        })
    }

    /// One clock cycle: settles the inputs with the clock low, raises the clock and settles again.
    ///
    /// # Errors
    /// As [`NativeSim::settle`].
    pub fn step(&mut self) -> Result<(), SimError> {
        (self.clock)(&mut self.block).next = Clock { clk: false };
        self.settle()?;
        (self.clock)(&mut self.block).next = Clock { clk: true };
        self.settle()?;
        self.cycles += 1;
        Ok(())
    }
}

/// Collects the paths of the signals that changed in the last pass.
#[derive(Default)]
struct Changing {
    path: Vec<String>,
    found: Vec<String>,
}

impl Probe for Changing {
    fn visit_start_scope(&mut self, name: &str, _: &dyn Block) {
        self.path.push(name.into());
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        if signal.changed() {
            self.found.push(format!("{}.{name}", self.path.join(".")));
        }
    }

    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        self.path.pop();
    }
}
