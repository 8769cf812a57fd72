use super::slot::Access;
use super::status::CellStatus;
use crate::pipeline::axi_lite::{AxiLite, RegisterValues, Waits};
use crate::pipeline::next_secret::NextSecret;
use crate::pipeline::ports::Inputs;
use bloomline_spec::registers::{address, field, RegisterMap};
use bloomline_spec::CellGeometry;

/// The registers of a filter of cells: the AXI4-Lite slave, the writable registers, and what is pending.
#[derive(Debug, Clone)]
pub(super) struct Registers {
    axi: AxiLite,
    as_reset: Settings,
    settings: Settings,
    next_secret: NextSecret,
}

/// What writes change.
#[derive(Debug, Clone, Copy)]
struct Settings {
    threshold: u32,
    array_address: u32,
    array_data: u32,
    clear_pending: bool,
    pending: Option<Pending>,
}

#[derive(Debug, Clone, Copy)]
enum Pending {
    Fetch,
    Store,
}

/// What the pipeline reports to the registers in a clock.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reports {
    /// The sequencer has done the clear.
    pub cleared: bool,
    /// The pending access is done.
    pub access_done: bool,
    /// The word that a fetch found.
    pub fetched: Option<u32>,
}

/// The registers' values in one clock.
struct Values<'a> {
    settings: &'a mut Settings,
    next_secret: &'a mut NextSecret,
    status: &'a CellStatus,
}

impl Registers {
    pub fn new(geometry: &CellGeometry) -> Registers {
        let as_reset = Settings {
            threshold: geometry.threshold(),
            array_address: 0,
            array_data: 0,
            clear_pending: false,
            pending: None,
        };
        Registers {
            axi: AxiLite::new(&RegisterMap::of(geometry)),
            as_reset,
            settings: as_reset,
            next_secret: NextSecret::new(geometry),
        }
    }

    /// The slave.
    pub fn axi(&self) -> &AxiLite {
        &self.axi
    }

    pub fn threshold(&self) -> u32 {
        self.settings.threshold
    }

    pub fn clear_pending(&self) -> bool {
        self.settings.clear_pending
    }

    /// The access that is pending, with the registers as they stand.
    pub fn access(&self) -> Option<Access> {
        let address = self.settings.array_address;
        let data = self.settings.array_data;
        self.settings.pending.map(|pending| match pending {
            Pending::Fetch => Access::Fetch { address },
            Pending::Store => Access::Store { address, data },
        })
    }

    /// One clock without reset. `status` holds the read-only registers' values in this clock. Gives the secret that is in
    /// force from the next clock on, if it changes.
    pub fn clock(
        &mut self,
        inputs: &Inputs,
        reports: Reports,
        status: &CellStatus,
    ) -> Option<u128> {
        let settings = &mut self.settings;
        let access_pending = settings.pending.is_some();
        let waits = Waits {
            writes: settings.clear_pending || access_pending,
            reads: access_pending,
        };
        // A write that acts in the clock in which what was pending ends is pending itself.
        let mut new_secret = None;
        if reports.cleared {
            settings.clear_pending = false;
            new_secret = self.next_secret.cleared();
        }
        if reports.access_done {
            settings.pending = None;
        }
        let mut values = Values {
            settings,
            next_secret: &mut self.next_secret,
            status,
        };
        self.axi.clock(inputs, waits, &mut values);
        if let Some(word) = reports.fetched {
            self.settings.array_data = word;
        }
        new_secret
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        self.settings = self.as_reset;
        self.next_secret.reset();
        self.axi.reset();
    }
}

impl RegisterValues for Values<'_> {
    fn write(&mut self, offset: u32, value: u32) {
        match offset {
            address::THRESHOLD => self.settings.threshold = value,
            address::ARRAY_ADDRESS => {
                self.settings.array_address = value;
                self.settings.pending = Some(Pending::Fetch);
            }
            address::ARRAY_DATA => {
                self.settings.array_data = value;
                self.settings.pending = Some(Pending::Store);
            }
            address::CONTROL => {
                let asks = |field: u32| value >> field & 1 == 1;
                let rekey = asks(field::CONTROL_REKEY);
                self.settings.clear_pending |= rekey || asks(field::CONTROL_CLEAR);
                if rekey {
                    self.next_secret.rekey();
                }
            }
            _ if NextSecret::owns(offset) => self.next_secret.write(offset, value),
            _ => debug_assert!(
                false,
                "no other register of the map is writable: {offset:#x}"
            ),
        }
    }

    fn value(&self, offset: u32) -> u32 {
        match offset {
            address::STATUS => self.status.word(),
            address::THRESHOLD => self.settings.threshold,
            address::ARRAY_ADDRESS => self.settings.array_address,
            address::ARRAY_DATA => self.settings.array_data,
            _ => {
                debug_assert!(
                    false,
                    "no other register of the map has a value: {offset:#x}"
                );
                0
            }
        }
    }

    fn counter(&self, place: usize) -> u64 {
        self.status.counters[place]
    }
}
