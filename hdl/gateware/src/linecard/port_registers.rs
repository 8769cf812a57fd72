//! The registers of the Ethernet ports.

use crate::bus::{RegisterFile, RegisterNames, RegisterPlan, SECRET_BITS};
use crate::prelude::*;
use bloomline_spec::registers::{address, field, PortCounter, RegisterBlock, ADDRESS_BITS};
use bloomline_spec::LANES;

/// Bits of an address from the block's start on: what stands above its 256 bytes has no register.
const ABOVE_BITS: usize = 2;

block! {
    /// LINK, HOST and the counters of both ports and the host port over AXI4-Lite, at addresses within the block's 256 bytes; addresses above have no register.
    ///
    /// The ports' counters count in the ports, here they are read; the host port's count here. Timing is that of the filter's registers with nothing pending. `docs/linecard.md`, "Registers".
    /// `reset` is synchronous and active high.
    pub struct PortRegisters {
        about: About = About::new(
            "port_registers",
            "AXI4-Lite registers of the Ethernet ports. The register map is in registers.md.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no access is under way"),
        pub axil: Axil<Slave> = Axil::new(file_address + ABOVE_BITS)
            .doc("awaddr", "above 0xFF there is no register")
            .named(""),
        pub link: Bus<In> = Bus::new(field::LINK_BITS as usize * LANES).doc("register LINK"),
        pub count: Vec<Bus<In>> = of_ports
            .iter()
            .map(|c| {
                Bus::new(64).doc(format!("counter {}, its upper half a clock late", c.name))
            })
            .collect(),
        pub event: Vec<Wire<In>> = of_host
            .iter()
            .map(|c| Wire::default().doc(format!("event of counter {}", c.name)))
            .collect(),
        pub host_secret: Vec<Bus<Out>> = (0..tagged)
            .map(|_| Bus::new(SECRET_BITS).doc("secret of the host port's tags"))
            .collect(),
        pub host_locked: Vec<Wire<Out>> = (0..tagged)
            .map(|_| Wire::default().doc("there is none"))
            .collect(),
        file: RegisterFile = RegisterFile::new(&plan),
        low: Vec<Slice> = halves(0),
        high: Vec<Slice> = halves(32),
        nowhere: Const = Const::new(0xFC, file_address).doc("an address without a register"),
        counters: usize = counters,
        event_count: usize = of_host.len(),
        file_address: usize = file_address,
        above: usize = ABOVE_BITS,
        link_register: usize = link_register,
        tagged: usize = tagged,
    }

    /// The registers of `block`.
    pub fn new(block: &RegisterBlock) {
        let mut plan = RegisterPlan::of_block(block, address::PORT_COUNTERS - address::PORTS);
        plan.outside = LANES * PortCounter::ALL.len();
        let file_address = ADDRESS_BITS as usize;
        let counters = plan.outside;
        let mut names = RegisterNames::new("Ethernet ports", &plan);
        let link_register = names.live("LINK");
        names.finish();
        let tagged = usize::from(!plan.secret_words.is_empty());
        let (of_ports, of_host) = plan.counters.split_at(counters);
        let halves = |from| (0..counters).map(|_| Slice::new(64, from, 32)).collect();
    }
}

impl Logic for PortRegisters {
    #[hdl_gen]
    fn update(&mut self) {
        self.file.reset.next = self.reset.val();
        self.file.finished.next = true;
        self.axil.link_part(&mut self.file.axil, AXIL_UNADDRESSED);
        self.file.axil.awaddr.next = bits_to(self.axil.awaddr.val(), self.file_address);
        if bits_to(self.axil.awaddr.val() >> 8, self.above).any() {
            self.file.axil.awaddr.next = self.nowhere.val();
        }
        self.file.axil.araddr.next = bits_to(self.axil.araddr.val(), self.file_address);
        if bits_to(self.axil.araddr.val() >> 8, self.above).any() {
            self.file.axil.araddr.next = self.nowhere.val();
        }

        self.file.live[self.link_register].next = self.link.val();
        for c in 0..self.counters {
            self.low[c].input.next = self.count[c].val();
            self.high[c].input.next = self.count[c].val();
            self.file.outside_low[c].next = self.low[c].output.val();
            self.file.outside_high[c].next = self.high[c].output.val();
        }
        for t in 0..self.tagged {
            self.host_secret[t].next = self.file.secret[t].val();
            self.host_locked[t].next = self.file.public_secret[t].val();
        }
        for c in 0..self.event_count {
            self.file.event[c].next = self.event[c].val();
        }
    }
}
