//! The filters in rust-hdl's own simulation, whose memories give garbage where they are read and written in one clock.

use bloomline_bench::lockstep::{Device, DeviceError};
use bloomline_hdl::pipeline::{CellFilter, RecyclingFilter, SlidingFilter};
use bloomline_hdl::shared_array::SharedArrayFilter;
use bloomline_hdl::spare_half::SpareHalfFilter;
use bloomline_hdl::wires::sim::{NativeSim, SimError};
use bloomline_hdl::wires::{UInt, Wide};
use bloomline_model::{Inputs, Outputs};
use bloomline_spec::{
    by_kind, CellGeometry, Common, Design, Erase, RecyclingGeometry, SlidingGeometry,
};

/// Widths of the ports that differ from filter to filter, and room for the mask that a device has no use for.
struct Layout {
    key_bits: u32,
    operation_bits: u32,
    verdict_bits: u32,
    tag_bits: u32,
    care: Vec<u64>,
}

impl Layout {
    fn new(common: &Common) -> Self {
        Self {
            key_bits: common.key_bits(),
            operation_bits: common.operation_bits(),
            verdict_bits: common.verdict_bits(),
            tag_bits: common.tag_bits(),
            care: Vec::new(),
        }
    }
}

/// The gateware of a filter of any kind, run by rust-hdl's settle loop instead of Verilator.
pub struct NativeFilter {
    sim: Box<dyn Settled>,
    layout: Layout,
}

/// A filter's blocks in the settle loop.
trait Settled {
    fn step(
        &mut self,
        layout: &mut Layout,
        inputs: &[u64],
        outputs: &mut [u64],
    ) -> Result<(), DeviceError>;
}

impl NativeFilter {
    /// The filter of a design, or of a geometry of any kind, at power-up.
    ///
    /// # Errors
    /// As [`NativeSim::new`].
    pub fn new(design: impl Into<Design>) -> Result<Self, SimError> {
        let design = design.into();
        Ok(Self {
            layout: Layout::new(&design),
            sim: by_kind!(&design, geometry => geometry.settled())?,
        })
    }
}

/// A geometry whose blocks can stand in the settle loop.
trait Native {
    fn settled(&self) -> Result<Box<dyn Settled>, SimError>;
}

/// Boxes a block with a field `clock` into the settle loop.
macro_rules! settled {
    ($block:expr) => {{
        let sim = NativeSim::new($block, |block| &mut block.clock)?;
        Ok(Box::new(sim) as Box<dyn Settled>)
    }};
}

impl Native for RecyclingGeometry {
    fn settled(&self) -> Result<Box<dyn Settled>, SimError> {
        match self.layout() {
            bloomline_spec::Layout::Partitioned if self.erase() == Erase::SpareHalf => {
                settled!(SpareHalfFilter::new(self))
            }
            bloomline_spec::Layout::Partitioned => settled!(RecyclingFilter::new(self)),
            bloomline_spec::Layout::Shared => settled!(SharedArrayFilter::new(self)),
        }
    }
}

impl Native for CellGeometry {
    fn settled(&self) -> Result<Box<dyn Settled>, SimError> {
        settled!(CellFilter::new(self))
    }
}

impl Native for SlidingGeometry {
    fn settled(&self) -> Result<Box<dyn Settled>, SimError> {
        settled!(SlidingFilter::new(self))
    }
}

/// One clock of a filter, whose ports have the same names whatever its kind.
macro_rules! step {
    ($sim:expr, $layout:expr, $inputs:expr, $outputs:expr) => {{
        let layout = $layout;
        let inputs = Inputs::unpack($inputs, layout.key_bits);
        let user = u128::from(inputs.s_item_tuser);
        let f = $sim.block_mut();
        f.clock.next.clk = false;
        f.reset.next = inputs.reset;
        f.s_item.tvalid.next = inputs.s_item_tvalid;
        f.s_item.tdata.next = Wide::from_words(&inputs.s_item_tdata, layout.key_bits as usize);
        f.s_item.tuser.next = UInt::new(user, layout.operation_bits as usize);
        f.s_item.tid.next = UInt::new(inputs.s_item_tid.into(), layout.tag_bits as usize);
        f.m_verdict.tready.next = inputs.m_verdict_tready;
        f.s_axil.awvalid.next = inputs.s_axil_awvalid;
        f.s_axil.awaddr.next = UInt::new(inputs.s_axil_awaddr.into(), 8);
        f.s_axil.wvalid.next = inputs.s_axil_wvalid;
        f.s_axil.wdata.next = UInt::new(inputs.s_axil_wdata.into(), 32);
        f.s_axil.wstrb.next = UInt::new(inputs.s_axil_wstrb.into(), 4);
        f.s_axil.bready.next = inputs.s_axil_bready;
        f.s_axil.arvalid.next = inputs.s_axil_arvalid;
        f.s_axil.araddr.next = UInt::new(inputs.s_axil_araddr.into(), 8);
        f.s_axil.rready.next = inputs.s_axil_rready;
        // every output is a function of registers: what they show now is what they show in this clock
        let f = $sim.block();
        let shown = Outputs {
            s_item_tready: f.s_item.tready.val(),
            m_verdict_tvalid: f.m_verdict.tvalid.val(),
            m_verdict_tdata: Some(f.m_verdict.tdata.val().get() as u64),
            m_verdict_tid: Some(f.m_verdict.tid.val().get() as u64),
            s_axil_awready: f.s_axil.awready.val(),
            s_axil_wready: f.s_axil.wready.val(),
            s_axil_bvalid: f.s_axil.bvalid.val(),
            s_axil_bresp: Some(f.s_axil.bresp.val().get() as u8),
            s_axil_arready: f.s_axil.arready.val(),
            s_axil_rvalid: f.s_axil.rvalid.val(),
            s_axil_rdata: Some(f.s_axil.rdata.val().get() as u32),
            s_axil_rresp: Some(f.s_axil.rresp.val().get() as u8),
        };
        layout.care.resize($outputs.len(), 0);
        shown.pack(
            layout.verdict_bits,
            layout.tag_bits,
            $outputs,
            &mut layout.care,
        );
        $sim.step().map_err(DeviceError::from)
    }};
}

macro_rules! settles {
    ($($filter:ident),+) => {
        $(impl Settled for NativeSim<$filter> {
            fn step(
                &mut self,
                layout: &mut Layout,
                inputs: &[u64],
                outputs: &mut [u64],
            ) -> Result<(), DeviceError> {
                step!(self, layout, inputs, outputs)
            }
        })+
    };
}

settles!(
    RecyclingFilter,
    SharedArrayFilter,
    SpareHalfFilter,
    CellFilter,
    SlidingFilter
);

impl Device for NativeFilter {
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DeviceError> {
        self.sim.step(&mut self.layout, inputs, outputs)
    }
}
