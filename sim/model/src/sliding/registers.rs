use crate::pipeline::axi_lite::{AxiLite, RegisterValues, Waits};
use crate::pipeline::ports::Inputs;
use bloomline_spec::registers::{address, field, RegisterMap};

/// The registers of a sliding-window filter, on tables of either form: the AXI4-Lite slave, and whether a clear is pending.
#[derive(Debug, Clone)]
pub(crate) struct Registers {
    axi: AxiLite,
    clear_pending: bool,
}

/// Values of the read-only registers in one clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Values<'a> {
    /// STATUS.
    pub word: u32,
    pub counters: &'a [u64],
}

/// All registers in one clock.
struct Map<'a> {
    clear_pending: &'a mut bool,
    values: Values<'a>,
}

impl Registers {
    pub fn new(map: &RegisterMap) -> Registers {
        Registers {
            axi: AxiLite::new(map),
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

    /// One clock without reset. `cleared` says that the sequencer has done the clear.
    pub fn clock(&mut self, inputs: &Inputs, cleared: bool, values: Values) {
        let waits = Waits {
            writes: self.clear_pending,
            reads: false,
        };
        // A write that acts in the clock in which what was pending ends is pending itself.
        self.clear_pending &= !cleared;
        let mut map = Map {
            clear_pending: &mut self.clear_pending,
            values,
        };
        self.axi.clock(inputs, waits, &mut map);
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        self.clear_pending = false;
        self.axi.reset();
    }
}

impl RegisterValues for Map<'_> {
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
        self.values.word
    }

    fn counter(&self, place: usize) -> u64 {
        self.values.counters[place]
    }
}
