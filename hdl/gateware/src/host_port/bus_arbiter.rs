//! Arbiter between two AXI4-Lite hosts on one bus.

use crate::prelude::*;
use crate::wires::Members;

/// What both masters are told alike, and strobes, which are all ones.
const TO_BOTH: Members = Axil::<Slave>::part(&["wstrb", "bresp", "rdata", "rresp"]);

block! {
    /// AXI4-Lite of two masters, one access at a time, in turn where both ask.
    ///
    /// Registered on the way are whose access it is, and its address. `docs/host-port.md`, "Bus arbiter".
    /// `reset` is synchronous and active high.
    pub struct BusArbiter {
        about: About = About::new(
            "bus_arbiter",
            "AXI4-Lite of two masters, one access at a time. Strobes are all ones; responses and what is read go to both.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no access is under way"),
        pub master_a: Axil<Slave> = Axil::new(address).without(TO_BOTH).doc("awvalid", "the first master").named("a"),
        pub master_b: Axil<Slave> = Axil::new(address).without(TO_BOTH).doc("awvalid", "the second").named("b"),
        pub axil: Axil<Master> = Axil::new(address)
            .without(TO_BOTH)
            .doc("awvalid", "to the registers")
            .named(""),
        granted: Flag = Flag::default().doc("an access is under way"),
        to_b: Flag = Flag::default().doc("the second master's"),
        last_b: Flag = Flag::default().doc("so was the last one"),
        awaddr_r: Reg = Reg::new(address).doc("its addresses, as the master showed them when it was granted"),
        araddr_r: Reg = Reg::new(address),
        b_next: Wire<Local> = Wire::default().doc("the next access is the second master's"),
        a: Wire<Local> = Wire::default().doc("the first master has the bus"),
        b: Wire<Local> = Wire::default().doc("the second has"),
        a_asks: Wire<Local>,
        b_asks: Wire<Local>,
        ends: Wire<Local> = Wire::default().doc("the response is taken"),
    }

    /// For byte addresses of `address` bits.
    pub fn new(address: usize) {}
}

impl Logic for BusArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        self.a.next = self.granted.q.val() && !self.to_b.q.val();
        self.b.next = self.granted.q.val() && self.to_b.q.val();
        self.axil.awvalid.next = (self.a.val() && self.master_a.awvalid.val())
            || (self.b.val() && self.master_b.awvalid.val());
        self.axil.wvalid.next = (self.a.val() && self.master_a.wvalid.val())
            || (self.b.val() && self.master_b.wvalid.val());
        self.axil.bready.next = (self.a.val() && self.master_a.bready.val())
            || (self.b.val() && self.master_b.bready.val());
        self.axil.arvalid.next = (self.a.val() && self.master_a.arvalid.val())
            || (self.b.val() && self.master_b.arvalid.val());
        self.axil.rready.next = (self.a.val() && self.master_a.rready.val())
            || (self.b.val() && self.master_b.rready.val());
        self.axil.awaddr.next = self.awaddr_r.q.val();
        self.axil.araddr.next = self.araddr_r.q.val();
        self.axil.wdata.next = self.master_a.wdata.val();
        if self.to_b.q.val() {
            self.axil.wdata.next = self.master_b.wdata.val();
        }
        self.master_a.awready.next = self.a.val() && self.axil.awready.val();
        self.master_a.wready.next = self.a.val() && self.axil.wready.val();
        self.master_a.bvalid.next = self.a.val() && self.axil.bvalid.val();
        self.master_a.arready.next = self.a.val() && self.axil.arready.val();
        self.master_a.rvalid.next = self.a.val() && self.axil.rvalid.val();
        self.master_b.awready.next = self.b.val() && self.axil.awready.val();
        self.master_b.wready.next = self.b.val() && self.axil.wready.val();
        self.master_b.bvalid.next = self.b.val() && self.axil.bvalid.val();
        self.master_b.arready.next = self.b.val() && self.axil.arready.val();
        self.master_b.rvalid.next = self.b.val() && self.axil.rvalid.val();

        self.a_asks.next = self.master_a.awvalid.val()
            || self.master_a.wvalid.val()
            || self.master_a.arvalid.val();
        self.b_asks.next = self.master_b.awvalid.val()
            || self.master_b.wvalid.val()
            || self.master_b.arvalid.val();
        self.ends.next = (self.axil.bvalid.val() && self.axil.bready.val())
            || (self.axil.rvalid.val() && self.axil.rready.val());
        self.b_next.next = self.b_asks.val() && (!self.a_asks.val() || !self.last_b.q.val());
        self.awaddr_r.d.next = self.awaddr_r.q.val();
        self.araddr_r.d.next = self.araddr_r.q.val();
        self.granted.d.next = self.granted.q.val();
        self.to_b.d.next = self.to_b.q.val();
        self.last_b.d.next = self.last_b.q.val();
        if self.granted.q.val() {
            if self.ends.val() {
                self.granted.d.next = false;
                self.last_b.d.next = self.to_b.q.val();
            }
        } else if self.a_asks.val() || self.b_asks.val() {
            self.granted.d.next = true;
            self.to_b.d.next = self.b_next.val();
            self.awaddr_r.d.next = self.master_a.awaddr.val();
            self.araddr_r.d.next = self.master_a.araddr.val();
            if self.b_next.val() {
                self.awaddr_r.d.next = self.master_b.awaddr.val();
                self.araddr_r.d.next = self.master_b.araddr.val();
            }
        }
        if self.reset.val() {
            self.granted.d.next = false;
            self.to_b.d.next = false;
            self.last_b.d.next = false;
        }
    }
}
