//! One bus to the filter's registers and to those of the item port.

use crate::prelude::*;
use bloomline_spec::registers::ADDRESS_BITS;

/// AXI4-Lite from one host to two slaves, of which the highest bit of the address chooses: the filter below and the item port above address 0x100, or ([`BusSplit::path`]) the card
/// below and the packet path above 0x200, or on a line card ([`BusSplit::ports`], [`BusSplit::lanes`]) the rest and the ports, lane 0 and lane 1. One write and one read at a time.
///
/// Nothing is registered on the way but that an access is under way. Timing: `docs/card.md`, "Bus split".
#[derive(LogicBlock)]
pub struct BusSplit {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub awvalid: Wire<In>,
    pub awready: Wire<Out>,
    pub awaddr: Bus<In>,
    pub wvalid: Wire<In>,
    pub wready: Wire<Out>,
    pub bvalid: Wire<Out>,
    pub bready: Wire<In>,
    pub bresp: Bus<Out>,
    pub arvalid: Wire<In>,
    pub arready: Wire<Out>,
    pub araddr: Bus<In>,
    pub rvalid: Wire<Out>,
    pub rready: Wire<In>,
    pub rdata: Bus<Out>,
    pub rresp: Bus<Out>,
    pub filter_awvalid: Wire<Out>,
    pub filter_awready: Wire<In>,
    pub filter_wvalid: Wire<Out>,
    pub filter_wready: Wire<In>,
    pub filter_bvalid: Wire<In>,
    pub filter_bresp: Bus<In>,
    pub filter_arvalid: Wire<Out>,
    pub filter_arready: Wire<In>,
    pub filter_rvalid: Wire<In>,
    pub filter_rdata: Bus<In>,
    pub filter_rresp: Bus<In>,
    pub port_awvalid: Wire<Out>,
    pub port_awready: Wire<In>,
    pub port_wvalid: Wire<Out>,
    pub port_wready: Wire<In>,
    pub port_bvalid: Wire<In>,
    pub port_bresp: Bus<In>,
    pub port_arvalid: Wire<Out>,
    pub port_arready: Wire<In>,
    pub port_rvalid: Wire<In>,
    pub port_rdata: Bus<In>,
    pub port_rresp: Bus<In>,
    pub slave_awaddr: Bus<Out>,
    pub slave_araddr: Bus<Out>,
    writing: Flag,
    reading: Flag,
    write_to_port: Wire<Local>,
    read_of_port: Wire<Local>,
    port_bit: usize,
    slave_bits: usize,
}

impl Default for BusSplit {
    fn default() -> Self {
        Self::new(
            "bus_split",
            "AXI4-Lite to the filter (bit 8 of the address 0) and the item port (1); one write and one read at a time.",
            ADDRESS_BITS as usize,
        )
    }
}

impl BusSplit {
    /// The split in front of a card and its packet path: the card is the `filter`, the packet path the `port`.
    pub fn path() -> Self {
        Self::new(
            "path_split",
            "AXI4-Lite to the card (bit 9 of the address 0, called filter) and the packet path (1, called port); one write and one read at a time.",
            ADDRESS_BITS as usize + 1,
        )
    }

    /// The split of a line card in front of what a packet path has (`filter`) and the ports' registers (`port`).
    pub fn ports() -> Self {
        Self::new(
            "ports_split",
            "AXI4-Lite to card and lanes (bit 10 of the address 0, called filter) and the ports (1, called port); one write and one read at a time.",
            ADDRESS_BITS as usize + 2,
        )
    }

    /// The split of a line card in front of lane 0 (`filter`) and lane 1 (`port`).
    pub fn lanes() -> Self {
        Self::new(
            "lane_split",
            "AXI4-Lite to lane 0 (bit 8 of the address 0, called filter) and lane 1 (1, called port); one write and one read at a time.",
            ADDRESS_BITS as usize,
        )
    }

    fn new(name: &str, text: &str, slave: usize) -> Self {
        Self {
            about: About::new(name, text),
            clock: Default::default(),
            reset: Wire::default().doc("no access is under way"),
            awvalid: Wire::default().doc("from the host"),
            awready: Default::default(),
            awaddr: Bus::new(slave + 1),
            wvalid: Default::default(),
            wready: Default::default(),
            bvalid: Default::default(),
            bready: Default::default(),
            bresp: Bus::new(2),
            arvalid: Default::default(),
            arready: Default::default(),
            araddr: Bus::new(slave + 1),
            rvalid: Default::default(),
            rready: Default::default(),
            rdata: Bus::new(32),
            rresp: Bus::new(2),
            filter_awvalid: Wire::default()
                .doc("to the filter; it takes data and readies of responses from the host"),
            filter_awready: Default::default(),
            filter_wvalid: Default::default(),
            filter_wready: Default::default(),
            filter_bvalid: Default::default(),
            filter_bresp: Bus::new(2),
            filter_arvalid: Default::default(),
            filter_arready: Default::default(),
            filter_rvalid: Default::default(),
            filter_rdata: Bus::new(32),
            filter_rresp: Bus::new(2),
            port_awvalid: Wire::default().doc("to the item port"),
            port_awready: Default::default(),
            port_wvalid: Default::default(),
            port_wready: Default::default(),
            port_bvalid: Default::default(),
            port_bresp: Bus::new(2),
            port_arvalid: Default::default(),
            port_arready: Default::default(),
            port_rvalid: Default::default(),
            port_rdata: Bus::new(32),
            port_rresp: Bus::new(2),
            slave_awaddr: Bus::new(slave).doc("address within either"),
            slave_araddr: Bus::new(slave).doc("address within either"),
            writing: Flag::default().doc("a write is taken and not answered"),
            reading: Flag::default().doc("a read is taken and not answered"),
            write_to_port: Default::default(),
            read_of_port: Default::default(),
            port_bit: slave,
            slave_bits: slave,
        }
    }
}

impl Logic for BusSplit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("write");
        self.write_to_port.next = self.awaddr.val().get_bit(self.port_bit);
        self.slave_awaddr.next = bits_to(self.awaddr.val(), self.slave_bits);
        self.filter_awvalid.next =
            self.awvalid.val() && !self.writing.q.val() && !self.write_to_port.val();
        self.filter_wvalid.next =
            self.wvalid.val() && !self.writing.q.val() && !self.write_to_port.val();
        self.port_awvalid.next =
            self.awvalid.val() && !self.writing.q.val() && self.write_to_port.val();
        self.port_wvalid.next =
            self.wvalid.val() && !self.writing.q.val() && self.write_to_port.val();
        self.awready.next = self.filter_awready.val() || self.port_awready.val();
        self.wready.next = self.filter_wready.val() || self.port_wready.val();
        self.bvalid.next = self.filter_bvalid.val() || self.port_bvalid.val();
        self.bresp.next = self.filter_bresp.val();
        if self.port_bvalid.val() {
            self.bresp.next = self.port_bresp.val();
        }
        self.writing.d.next = self.writing.q.val();
        if self.bvalid.val() && self.bready.val() {
            self.writing.d.next = false;
        }
        if self.awvalid.val() && self.awready.val() {
            self.writing.d.next = true;
        }

        comment!("read");
        self.read_of_port.next = self.araddr.val().get_bit(self.port_bit);
        self.slave_araddr.next = bits_to(self.araddr.val(), self.slave_bits);
        self.filter_arvalid.next =
            self.arvalid.val() && !self.reading.q.val() && !self.read_of_port.val();
        self.port_arvalid.next =
            self.arvalid.val() && !self.reading.q.val() && self.read_of_port.val();
        self.arready.next = self.filter_arready.val() || self.port_arready.val();
        self.rvalid.next = self.filter_rvalid.val() || self.port_rvalid.val();
        self.rdata.next = self.filter_rdata.val();
        self.rresp.next = self.filter_rresp.val();
        if self.port_rvalid.val() {
            self.rdata.next = self.port_rdata.val();
            self.rresp.next = self.port_rresp.val();
        }
        self.reading.d.next = self.reading.q.val();
        if self.rvalid.val() && self.rready.val() {
            self.reading.d.next = false;
        }
        if self.arvalid.val() && self.arready.val() {
            self.reading.d.next = true;
        }
        if self.reset.val() {
            self.writing.d.next = false;
            self.reading.d.next = false;
        }
    }
}
