//! The filter in rust-hdl's own simulation, for machines without Verilator.

use crate::lockstep::{Device, DeviceError};
use bloomline_hdl::pipeline::RecyclingFilter;
use bloomline_hdl::wires::sim::{NativeSim, SimError};
use bloomline_hdl::wires::{UInt, Wide};
use bloomline_model::{Inputs, Outputs};
use bloomline_spec::Geometry;

/// The gateware of a filter, run by rust-hdl's settle loop instead of Verilator.
pub struct NativeFilter {
    sim: NativeSim<RecyclingFilter>,
    key_bits: u32,
    verdict_bits: u32,
    tag_bits: u32,
    care: Vec<u64>,
}

impl NativeFilter {
    /// The filter of `geometry` at power-up.
    ///
    /// # Errors
    /// As [`NativeSim::new`].
    pub fn new(geometry: &Geometry) -> Result<Self, SimError> {
        Ok(Self {
            sim: NativeSim::new(RecyclingFilter::new(geometry), |filter| &mut filter.clock)?,
            key_bits: geometry.key_bits(),
            verdict_bits: geometry.verdict_bits(),
            tag_bits: geometry.tag_bits(),
            care: Vec::new(),
        })
    }
}

impl Device for NativeFilter {
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DeviceError> {
        let inputs = Inputs::unpack(inputs, self.key_bits);
        let key_bits = self.key_bits as usize;
        let f = self.sim.block_mut();
        f.clock.next.clk = false;
        f.reset.next = inputs.reset;
        f.s_item_tvalid.next = inputs.s_item_tvalid;
        f.s_item_tdata.next = Wide::from_words(&inputs.s_item_tdata, key_bits);
        f.s_item_tuser.next = UInt::new(inputs.s_item_tuser.into(), 2);
        f.s_item_tid.next = UInt::new(inputs.s_item_tid.into(), self.tag_bits as usize);
        f.m_verdict_tready.next = inputs.m_verdict_tready;
        f.s_axil_awvalid.next = inputs.s_axil_awvalid;
        f.s_axil_awaddr.next = UInt::new(inputs.s_axil_awaddr.into(), 8);
        f.s_axil_wvalid.next = inputs.s_axil_wvalid;
        f.s_axil_wdata.next = UInt::new(inputs.s_axil_wdata.into(), 32);
        f.s_axil_wstrb.next = UInt::new(inputs.s_axil_wstrb.into(), 4);
        f.s_axil_bready.next = inputs.s_axil_bready;
        f.s_axil_arvalid.next = inputs.s_axil_arvalid;
        f.s_axil_araddr.next = UInt::new(inputs.s_axil_araddr.into(), 8);
        f.s_axil_rready.next = inputs.s_axil_rready;
        // every output is a function of registers: what they show now is what they show in this clock
        let f = self.sim.block();
        let shown = Outputs {
            s_item_tready: f.s_item_tready.val(),
            m_verdict_tvalid: f.m_verdict_tvalid.val(),
            m_verdict_tdata: Some(f.m_verdict_tdata.val().get() as u64),
            m_verdict_tid: Some(f.m_verdict_tid.val().get() as u64),
            s_axil_awready: f.s_axil_awready.val(),
            s_axil_wready: f.s_axil_wready.val(),
            s_axil_bvalid: f.s_axil_bvalid.val(),
            s_axil_bresp: Some(f.s_axil_bresp.val().get() as u8),
            s_axil_arready: f.s_axil_arready.val(),
            s_axil_rvalid: f.s_axil_rvalid.val(),
            s_axil_rdata: Some(f.s_axil_rdata.val().get() as u32),
            s_axil_rresp: Some(f.s_axil_rresp.val().get() as u8),
        };
        self.care.resize(outputs.len(), 0);
        shown.pack(self.verdict_bits, self.tag_bits, outputs, &mut self.care);
        self.sim.step().map_err(DeviceError::from)
    }
}
