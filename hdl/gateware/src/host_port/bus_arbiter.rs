//! Two hosts, one bus.

use crate::prelude::*;

/// AXI4-Lite of two masters, one access at a time, in turn where both ask.
///
/// Registered on the way are whose access it is, and its address. `docs/host-port.md`, "Bus arbiter".
#[derive(LogicBlock)]
pub struct BusArbiter {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub a_awvalid: Wire<In>,
    pub a_awready: Wire<Out>,
    pub a_awaddr: Bus<In>,
    pub a_wvalid: Wire<In>,
    pub a_wready: Wire<Out>,
    pub a_wdata: Bus<In>,
    pub a_bvalid: Wire<Out>,
    pub a_bready: Wire<In>,
    pub a_arvalid: Wire<In>,
    pub a_arready: Wire<Out>,
    pub a_araddr: Bus<In>,
    pub a_rvalid: Wire<Out>,
    pub a_rready: Wire<In>,
    pub b_awvalid: Wire<In>,
    pub b_awready: Wire<Out>,
    pub b_awaddr: Bus<In>,
    pub b_wvalid: Wire<In>,
    pub b_wready: Wire<Out>,
    pub b_wdata: Bus<In>,
    pub b_bvalid: Wire<Out>,
    pub b_bready: Wire<In>,
    pub b_arvalid: Wire<In>,
    pub b_arready: Wire<Out>,
    pub b_araddr: Bus<In>,
    pub b_rvalid: Wire<Out>,
    pub b_rready: Wire<In>,
    pub awvalid: Wire<Out>,
    pub awready: Wire<In>,
    pub awaddr: Bus<Out>,
    pub wvalid: Wire<Out>,
    pub wready: Wire<In>,
    pub wdata: Bus<Out>,
    pub bvalid: Wire<In>,
    pub bready: Wire<Out>,
    pub arvalid: Wire<Out>,
    pub arready: Wire<In>,
    pub araddr: Bus<Out>,
    pub rvalid: Wire<In>,
    pub rready: Wire<Out>,
    granted: Flag,
    to_b: Flag,
    last_b: Flag,
    awaddr_r: Reg,
    araddr_r: Reg,
    b_next: Wire<Local>,
    a: Wire<Local>,
    b: Wire<Local>,
    a_asks: Wire<Local>,
    b_asks: Wire<Local>,
    ends: Wire<Local>,
}

impl BusArbiter {
    /// For byte addresses of `address` bits.
    pub fn new(address: usize) -> Self {
        Self {
            about: About::new(
                "bus_arbiter",
                "AXI4-Lite of two masters, one access at a time. Strobes are all ones; responses and what is read go to both.",
            ),
            clock: Default::default(),
            reset: Wire::default().doc("no access is under way"),
            a_awvalid: Wire::default().doc("the first master"),
            a_awready: Default::default(),
            a_awaddr: Bus::new(address),
            a_wvalid: Default::default(),
            a_wready: Default::default(),
            a_wdata: Bus::new(32),
            a_bvalid: Default::default(),
            a_bready: Default::default(),
            a_arvalid: Default::default(),
            a_arready: Default::default(),
            a_araddr: Bus::new(address),
            a_rvalid: Default::default(),
            a_rready: Default::default(),
            b_awvalid: Wire::default().doc("the second"),
            b_awready: Default::default(),
            b_awaddr: Bus::new(address),
            b_wvalid: Default::default(),
            b_wready: Default::default(),
            b_wdata: Bus::new(32),
            b_bvalid: Default::default(),
            b_bready: Default::default(),
            b_arvalid: Default::default(),
            b_arready: Default::default(),
            b_araddr: Bus::new(address),
            b_rvalid: Default::default(),
            b_rready: Default::default(),
            awvalid: Wire::default().doc("to the registers"),
            awready: Default::default(),
            awaddr: Bus::new(address),
            wvalid: Default::default(),
            wready: Default::default(),
            wdata: Bus::new(32),
            bvalid: Default::default(),
            bready: Default::default(),
            arvalid: Default::default(),
            arready: Default::default(),
            araddr: Bus::new(address),
            rvalid: Default::default(),
            rready: Default::default(),
            granted: Flag::default().doc("an access is under way"),
            to_b: Flag::default().doc("the second master's"),
            last_b: Flag::default().doc("so was the last one"),
            awaddr_r: Reg::new(address).doc("its addresses, as the master showed them when it was granted"),
            araddr_r: Reg::new(address),
            b_next: Wire::default().doc("the next access is the second master's"),
            a: Wire::default().doc("the first master has the bus"),
            b: Wire::default().doc("the second has"),
            a_asks: Default::default(),
            b_asks: Default::default(),
            ends: Wire::default().doc("the response is taken"),
        }
    }
}

impl Logic for BusArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        self.a.next = self.granted.q.val() && !self.to_b.q.val();
        self.b.next = self.granted.q.val() && self.to_b.q.val();
        self.awvalid.next =
            (self.a.val() && self.a_awvalid.val()) || (self.b.val() && self.b_awvalid.val());
        self.wvalid.next =
            (self.a.val() && self.a_wvalid.val()) || (self.b.val() && self.b_wvalid.val());
        self.bready.next =
            (self.a.val() && self.a_bready.val()) || (self.b.val() && self.b_bready.val());
        self.arvalid.next =
            (self.a.val() && self.a_arvalid.val()) || (self.b.val() && self.b_arvalid.val());
        self.rready.next =
            (self.a.val() && self.a_rready.val()) || (self.b.val() && self.b_rready.val());
        self.awaddr.next = self.awaddr_r.q.val();
        self.araddr.next = self.araddr_r.q.val();
        self.wdata.next = self.a_wdata.val();
        if self.to_b.q.val() {
            self.wdata.next = self.b_wdata.val();
        }
        self.a_awready.next = self.a.val() && self.awready.val();
        self.a_wready.next = self.a.val() && self.wready.val();
        self.a_bvalid.next = self.a.val() && self.bvalid.val();
        self.a_arready.next = self.a.val() && self.arready.val();
        self.a_rvalid.next = self.a.val() && self.rvalid.val();
        self.b_awready.next = self.b.val() && self.awready.val();
        self.b_wready.next = self.b.val() && self.wready.val();
        self.b_bvalid.next = self.b.val() && self.bvalid.val();
        self.b_arready.next = self.b.val() && self.arready.val();
        self.b_rvalid.next = self.b.val() && self.rvalid.val();

        self.a_asks.next = self.a_awvalid.val() || self.a_wvalid.val() || self.a_arvalid.val();
        self.b_asks.next = self.b_awvalid.val() || self.b_wvalid.val() || self.b_arvalid.val();
        self.ends.next =
            (self.bvalid.val() && self.bready.val()) || (self.rvalid.val() && self.rready.val());
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
            self.awaddr_r.d.next = self.a_awaddr.val();
            self.araddr_r.d.next = self.a_araddr.val();
            if self.b_next.val() {
                self.awaddr_r.d.next = self.b_awaddr.val();
                self.araddr_r.d.next = self.b_araddr.val();
            }
        }
        if self.reset.val() {
            self.granted.d.next = false;
            self.to_b.d.next = false;
            self.last_b.d.next = false;
        }
    }
}
