use crate::pipeline::ports::{Inputs, Outputs};

/// What a master of AXI4-Lite shows in one clock, with 9-bit byte addresses. Fields are named after the signals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub struct BusInputs {
    pub awvalid: bool,
    pub awaddr: u16,
    pub wvalid: bool,
    pub wdata: u32,
    pub wstrb: u8,
    pub bready: bool,
    pub arvalid: bool,
    pub araddr: u16,
    pub rready: bool,
}

/// What a slave of AXI4-Lite shows in one clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub struct BusOutputs {
    pub awready: bool,
    pub wready: bool,
    /// `bresp` while `bvalid`.
    pub written: Option<u8>,
    pub arready: bool,
    /// `rdata` and `rresp` while `rvalid`.
    pub read: Option<ReadBeat>,
}

/// The answer to a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadBeat {
    /// `rdata`.
    pub data: u32,
    /// `rresp`.
    pub response: u8,
}

impl BusInputs {
    /// Puts these on the ports of a slave that decodes the low eight bits of an address.
    pub(super) fn onto(&self, inputs: &mut Inputs) {
        inputs.s_axil_awvalid = self.awvalid;
        inputs.s_axil_awaddr = self.awaddr as u8;
        inputs.s_axil_wvalid = self.wvalid;
        inputs.s_axil_wdata = self.wdata;
        inputs.s_axil_wstrb = self.wstrb;
        inputs.s_axil_bready = self.bready;
        inputs.s_axil_arvalid = self.arvalid;
        inputs.s_axil_araddr = self.araddr as u8;
        inputs.s_axil_rready = self.rready;
    }
}

impl BusOutputs {
    /// What a filter's slave shows.
    pub(super) fn of_filter(outputs: &Outputs) -> BusOutputs {
        let read = outputs.s_axil_rdata.zip(outputs.s_axil_rresp);
        BusOutputs {
            awready: outputs.s_axil_awready,
            wready: outputs.s_axil_wready,
            written: outputs.s_axil_bresp,
            arready: outputs.s_axil_arready,
            read: read.map(|(data, response)| ReadBeat { data, response }),
        }
    }

    /// Two slaves on one bus, at most one of which is at work in each direction.
    pub(super) fn or(self, other: BusOutputs) -> BusOutputs {
        BusOutputs {
            awready: self.awready || other.awready,
            wready: self.wready || other.wready,
            written: self.written.or(other.written),
            arready: self.arready || other.arready,
            read: self.read.or(other.read),
        }
    }
}
