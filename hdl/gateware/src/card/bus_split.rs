//! Splits one AXI4-Lite bus between the filter's registers and the item port's.

use crate::prelude::*;
use crate::wires::Members;
use bloomline_spec::registers::ADDRESS_BITS;

/// What both slaves are told alike.
const ADDRESSES: Members = Axil::<Master>::part(&["awaddr", "araddr"]);
/// What a slave has from elsewhere: the addresses, and what it shares with the host's side.
const LEFT: Members =
    Axil::<Master>::part(&["awaddr", "araddr", "wdata", "wstrb", "bready", "rready"]);

block! {
    /// AXI4-Lite from one host to two slaves, of which the highest bit of the address chooses: the filter below and the item port above address 0x100, or ([`BusSplit::path`]) the card
    /// below and the packet path above 0x200, or on a line card ([`BusSplit::ports`], [`BusSplit::lanes`]) the rest and the ports, lane 0 and lane 1. One write and one read at a time.
    ///
    /// Nothing is registered on the way but that an access is under way. Timing: `docs/card.md`, "Bus split".
    /// `reset` is synchronous and active high.
    pub struct BusSplit {
        about: About = About::new(name, text),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no access is under way"),
        pub host: Axil<Slave> = Axil::new(slave + 1)
            .without(Axil::<Slave>::part(&["wdata", "wstrb"]))
            .doc("awvalid", "from the host")
            .named(""),
        pub filter: Axil<Master> = Axil::new(slave).without(LEFT).doc(
            "awvalid",
            "to the filter; it takes data and readies of responses from the host",
        ),
        pub port: Axil<Master> = Axil::new(slave)
            .without(LEFT)
            .doc("awvalid", "to the item port"),
        pub slave: Axil<Master> = Axil::new(slave)
            .only(ADDRESSES)
            .doc("awaddr", "address within either")
            .doc("araddr", "address within either"),
        writing: Flag = Flag::default().doc("a write is taken and not answered"),
        reading: Flag = Flag::default().doc("a read is taken and not answered"),
        write_to_port: Wire<Local>,
        read_of_port: Wire<Local>,
        port_bit: usize = slave,
        slave_bits: usize = slave,
    }

    fn new(name: &str, text: &str, slave: usize) {}
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
}

impl Logic for BusSplit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("write");
        self.write_to_port.next = self.host.awaddr.val().get_bit(self.port_bit);
        self.slave.awaddr.next = bits_to(self.host.awaddr.val(), self.slave_bits);
        self.filter.awvalid.next =
            self.host.awvalid.val() && !self.writing.q.val() && !self.write_to_port.val();
        self.filter.wvalid.next =
            self.host.wvalid.val() && !self.writing.q.val() && !self.write_to_port.val();
        self.port.awvalid.next =
            self.host.awvalid.val() && !self.writing.q.val() && self.write_to_port.val();
        self.port.wvalid.next =
            self.host.wvalid.val() && !self.writing.q.val() && self.write_to_port.val();
        self.host.awready.next = self.filter.awready.val() || self.port.awready.val();
        self.host.wready.next = self.filter.wready.val() || self.port.wready.val();
        self.host.bvalid.next = self.filter.bvalid.val() || self.port.bvalid.val();
        self.host.bresp.next = self.filter.bresp.val();
        if self.port.bvalid.val() {
            self.host.bresp.next = self.port.bresp.val();
        }
        self.writing.d.next = self.writing.q.val();
        if self.host.bvalid.val() && self.host.bready.val() {
            self.writing.d.next = false;
        }
        if self.host.awvalid.val() && self.host.awready.val() {
            self.writing.d.next = true;
        }

        comment!("read");
        self.read_of_port.next = self.host.araddr.val().get_bit(self.port_bit);
        self.slave.araddr.next = bits_to(self.host.araddr.val(), self.slave_bits);
        self.filter.arvalid.next =
            self.host.arvalid.val() && !self.reading.q.val() && !self.read_of_port.val();
        self.port.arvalid.next =
            self.host.arvalid.val() && !self.reading.q.val() && self.read_of_port.val();
        self.host.arready.next = self.filter.arready.val() || self.port.arready.val();
        self.host.rvalid.next = self.filter.rvalid.val() || self.port.rvalid.val();
        self.host.rdata.next = self.filter.rdata.val();
        self.host.rresp.next = self.filter.rresp.val();
        if self.port.rvalid.val() {
            self.host.rdata.next = self.port.rdata.val();
            self.host.rresp.next = self.port.rresp.val();
        }
        self.reading.d.next = self.reading.q.val();
        if self.host.rvalid.val() && self.host.rready.val() {
            self.reading.d.next = false;
        }
        if self.host.arvalid.val() && self.host.arready.val() {
            self.reading.d.next = true;
        }
        if self.reset.val() {
            self.writing.d.next = false;
            self.reading.d.next = false;
        }
    }
}
