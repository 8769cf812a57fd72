use super::status::SlidingStatus;
use crate::pipeline::axi_lite::{AxiLite, RegisterValues, Waits};
use crate::pipeline::ports::Inputs;
use bloomline_spec::registers::{address, field, RegisterMap};
use bloomline_spec::SlidingGeometry;

/// The registers of a sliding-window filter: the AXI4-Lite slave, and whether a clear is pending.
#[derive(Debug, Clone)]
pub(super) struct Registers {
    axi: AxiLite,
    clear_pending: bool,
}

/// The registers' values in one clock.
struct Values<'a> {
    clear_pending: &'a mut bool,
    status: &'a SlidingStatus,
}

impl Registers {
    pub fn new(geometry: &SlidingGeometry) -> Registers {
        Registers {
            axi: AxiLite::new(&RegisterMap::of(geometry)),
            clear_pending: false,
        }
    }

    /// The slave.
    pub fn axi(&self) -> &AxiLite {
        &self.axi
    }

    pub fn clear_pending(&self) -> bool {
        self.clear_pending
    }

    /// One clock without reset. `status` holds the read-only registers' values in this clock; `cleared` says that the
    /// sequencer has done the clear.
    pub fn clock(&mut self, inputs: &Inputs, cleared: bool, status: &SlidingStatus) {
        let waits = Waits {
            writes: self.clear_pending,
            reads: false,
        };
        // A write that acts in the clock in which what was pending ends is pending itself.
        self.clear_pending &= !cleared;
        let mut values = Values {
            clear_pending: &mut self.clear_pending,
            status,
        };
        self.axi.clock(inputs, waits, &mut values);
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        self.clear_pending = false;
        self.axi.reset();
    }
}

impl RegisterValues for Values<'_> {
    fn write(&mut self, offset: u32, value: u32) {
        debug_assert_eq!(
            offset,
            address::CONTROL,
            "no other register of the map is writable"
        );
        *self.clear_pending |= value >> field::CONTROL_CLEAR & 1 == 1;
    }

    fn value(&self, offset: u32) -> u32 {
        debug_assert_eq!(
            offset,
            address::STATUS,
            "no other register of the map has a value"
        );
        self.status.word()
    }

    fn counter(&self, place: usize) -> u64 {
        self.status.counters[place]
    }
}
