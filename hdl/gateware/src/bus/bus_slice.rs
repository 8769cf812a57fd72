//! Register slice of an AXI4-Lite bus.

use crate::prelude::*;

block! {
    /// AXI4-Lite with a register in every channel, so that no path goes through from one side to the other.
    ///
    /// Each channel holds one transfer: it is taken while the register is empty, and shown from the next clock on until the other side takes it. An
    /// access takes two clocks more. `reset` is synchronous and active high; what is under way is dropped.
    pub struct BusSlice {
        about: About = About::new(
            "bus_slice",
            "AXI4-Lite with a register in every channel: no path goes through, and an access takes two clocks more.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("every channel is empty"),
        pub host: Axil<Slave> = Axil::new(address).doc("awvalid", "from the host").named("host"),
        pub axil: Axil<Master> = Axil::new(address).doc("awvalid", "to the registers").named(""),
        aw_full: Flag = Flag::default().doc("the channel holds a transfer"),
        w_full: Flag,
        b_full: Flag,
        ar_full: Flag,
        r_full: Flag,
        awaddr_r: Reg = Reg::new(address),
        wdata_r: Reg = Reg::new(32),
        wstrb_r: Reg = Reg::new(4),
        bresp_r: Reg = Reg::new(2),
        araddr_r: Reg = Reg::new(address),
        rdata_r: Reg = Reg::new(32),
        rresp_r: Reg = Reg::new(2),
    }

    /// For byte addresses of `address` bits.
    pub fn new(address: usize) {}
}

impl Logic for BusSlice {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("a write and its response");
        self.host.awready.next = !self.aw_full.q.val();
        self.axil.awvalid.next = self.aw_full.q.val();
        self.axil.awaddr.next = self.awaddr_r.q.val();
        self.awaddr_r.d.next = self.awaddr_r.q.val();
        self.aw_full.d.next = self.aw_full.q.val() && !self.axil.awready.val();
        if !self.aw_full.q.val() {
            self.aw_full.d.next = self.host.awvalid.val();
            self.awaddr_r.d.next = self.host.awaddr.val();
        }
        self.host.wready.next = !self.w_full.q.val();
        self.axil.wvalid.next = self.w_full.q.val();
        self.axil.wdata.next = self.wdata_r.q.val();
        self.axil.wstrb.next = self.wstrb_r.q.val();
        self.wdata_r.d.next = self.wdata_r.q.val();
        self.wstrb_r.d.next = self.wstrb_r.q.val();
        self.w_full.d.next = self.w_full.q.val() && !self.axil.wready.val();
        if !self.w_full.q.val() {
            self.w_full.d.next = self.host.wvalid.val();
            self.wdata_r.d.next = self.host.wdata.val();
            self.wstrb_r.d.next = self.host.wstrb.val();
        }
        self.axil.bready.next = !self.b_full.q.val();
        self.host.bvalid.next = self.b_full.q.val();
        self.host.bresp.next = self.bresp_r.q.val();
        self.bresp_r.d.next = self.bresp_r.q.val();
        self.b_full.d.next = self.b_full.q.val() && !self.host.bready.val();
        if !self.b_full.q.val() {
            self.b_full.d.next = self.axil.bvalid.val();
            self.bresp_r.d.next = self.axil.bresp.val();
        }

        comment!("a read and its response");
        self.host.arready.next = !self.ar_full.q.val();
        self.axil.arvalid.next = self.ar_full.q.val();
        self.axil.araddr.next = self.araddr_r.q.val();
        self.araddr_r.d.next = self.araddr_r.q.val();
        self.ar_full.d.next = self.ar_full.q.val() && !self.axil.arready.val();
        if !self.ar_full.q.val() {
            self.ar_full.d.next = self.host.arvalid.val();
            self.araddr_r.d.next = self.host.araddr.val();
        }
        self.axil.rready.next = !self.r_full.q.val();
        self.host.rvalid.next = self.r_full.q.val();
        self.host.rdata.next = self.rdata_r.q.val();
        self.host.rresp.next = self.rresp_r.q.val();
        self.rdata_r.d.next = self.rdata_r.q.val();
        self.rresp_r.d.next = self.rresp_r.q.val();
        self.r_full.d.next = self.r_full.q.val() && !self.host.rready.val();
        if !self.r_full.q.val() {
            self.r_full.d.next = self.axil.rvalid.val();
            self.rdata_r.d.next = self.axil.rdata.val();
            self.rresp_r.d.next = self.axil.rresp.val();
        }
        if self.reset.val() {
            self.aw_full.d.next = false;
            self.w_full.d.next = false;
            self.b_full.d.next = false;
            self.ar_full.d.next = false;
            self.r_full.d.next = false;
        }
    }
}
