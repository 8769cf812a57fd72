use super::bus::{BusInputs, BusOutputs};

/// Bit of a byte address that chooses the item port.
const ITEM_PORT_BIT: u16 = 1 << 8;

/// One access a direction at a time goes to the slave of its address.
#[derive(Debug, Clone, Default)]
pub(super) struct BusSplit {
    writing: bool,
    reading: bool,
}

/// What the slaves see.
#[derive(Debug, Clone, Copy)]
pub(super) struct Routed {
    pub to_filter: BusInputs,
    pub to_item_port: BusInputs,
}

impl BusSplit {
    /// What the slaves see of the master in this clock.
    pub fn route(&self, master: &BusInputs) -> Routed {
        let write_to =
            |item_port: bool| !self.writing && (master.awaddr & ITEM_PORT_BIT != 0) == item_port;
        let read_to =
            |item_port: bool| !self.reading && (master.araddr & ITEM_PORT_BIT != 0) == item_port;
        let side = |item_port| BusInputs {
            awvalid: master.awvalid && write_to(item_port),
            wvalid: master.wvalid && write_to(item_port),
            arvalid: master.arvalid && read_to(item_port),
            ..*master
        };
        Routed {
            to_filter: side(false),
            to_item_port: side(true),
        }
    }

    /// One clock without reset, in which the master and the slaves together show these.
    pub fn clock(&mut self, master: &BusInputs, slaves: &BusOutputs) {
        if master.awvalid && slaves.awready {
            self.writing = true;
        } else if slaves.written.is_some() && master.bready {
            self.writing = false;
        }
        if master.arvalid && slaves.arready {
            self.reading = true;
        } else if slaves.read.is_some() && master.rready {
            self.reading = false;
        }
    }

    /// A clock with reset.
    pub fn reset(&mut self) {
        *self = BusSplit::default();
    }
}
