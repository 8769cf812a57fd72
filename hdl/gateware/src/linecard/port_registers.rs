//! The registers of the Ethernet ports.

use crate::bus::{EventCounter, RegisterFile, RegisterPlan};
use crate::prelude::*;
use bloomline_spec::registers::{address, field, PortCounter, RegisterBlock, ADDRESS_BITS};
use bloomline_spec::LANES;

/// Bits of an address from the block's start on: what stands above its 256 bytes has no register.
const ABOVE_BITS: usize = 2;

/// LINK, HOST and the counters of both ports and the host port over AXI4-Lite, at addresses within the block's 256 bytes; addresses above have no register.
///
/// The ports' counters count in the ports, here they are read; the host port's count here. Timing is that of the filter's registers with nothing pending. `docs/linecard.md`, "Registers".
#[derive(LogicBlock)]
pub struct PortRegisters {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub awvalid: Wire<In>,
    pub awready: Wire<Out>,
    pub awaddr: Bus<In>,
    pub wvalid: Wire<In>,
    pub wready: Wire<Out>,
    pub wdata: Bus<In>,
    pub wstrb: Bus<In>,
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
    pub link: Bus<In>,
    pub count: Vec<Bus<In>>,
    pub event: Vec<Wire<In>>,
    file: RegisterFile,
    events: Vec<EventCounter>,
    first_event: usize,
    low: Vec<Slice>,
    high: Vec<Slice>,
    nowhere: Const,
    counters: usize,
    events_count: usize,
    file_address: usize,
    above: usize,
}

impl PortRegisters {
    /// The registers of `block`.
    pub fn new(block: &RegisterBlock) -> Self {
        let plan = RegisterPlan::of_block(block, address::PORT_COUNTERS - address::PORTS);
        let file_address = ADDRESS_BITS as usize;
        let counters = LANES * PortCounter::ALL.len();
        let (of_ports, of_host) = plan.counters.split_at(counters);
        let halves = |from| (0..counters).map(|_| Slice::new(64, from, 32)).collect();
        Self {
            about: About::new(
                "port_registers",
                "AXI4-Lite registers of the Ethernet ports. The register map is in registers.md.",
            ),
            clock: Default::default(),
            reset: Wire::default().doc("no access is under way"),
            awvalid: Default::default(),
            awready: Default::default(),
            awaddr: Bus::new(file_address + ABOVE_BITS).doc("above 0xFF there is no register"),
            wvalid: Default::default(),
            wready: Default::default(),
            wdata: Bus::new(32),
            wstrb: Bus::new(4),
            bvalid: Default::default(),
            bready: Default::default(),
            bresp: Bus::new(2),
            arvalid: Default::default(),
            arready: Default::default(),
            araddr: Bus::new(file_address + ABOVE_BITS),
            rvalid: Default::default(),
            rready: Default::default(),
            rdata: Bus::new(32),
            rresp: Bus::new(2),
            link: Bus::new(field::LINK_BITS as usize * LANES).doc("register LINK"),
            count: of_ports
                .iter()
                .map(|c| {
                    Bus::new(64).doc(format!("counter {}, its upper half a clock late", c.name))
                })
                .collect(),
            event: of_host
                .iter()
                .map(|c| Wire::default().doc(format!("event of counter {}", c.name)))
                .collect(),
            events: of_host.iter().map(|_| Default::default()).collect(),
            first_event: counters,
            events_count: of_host.len(),
            file: RegisterFile::new(&plan),
            low: halves(0),
            high: halves(32),
            nowhere: Const::new(0xFC, file_address).doc("an address without a register"),
            counters,
            file_address,
            above: ABOVE_BITS,
        }
    }
}

impl Logic for PortRegisters {
    #[hdl_gen]
    fn update(&mut self) {
        self.file.reset.next = self.reset.val();
        self.file.finished.next = true;
        self.file.awvalid.next = self.awvalid.val();
        self.awready.next = self.file.awready.val();
        self.file.awaddr.next = bits_to(self.awaddr.val(), self.file_address);
        if bits_to(self.awaddr.val() >> 8, self.above).any() {
            self.file.awaddr.next = self.nowhere.val();
        }
        self.file.wvalid.next = self.wvalid.val();
        self.wready.next = self.file.wready.val();
        self.file.wdata.next = self.wdata.val();
        self.file.wstrb.next = self.wstrb.val();
        self.bvalid.next = self.file.bvalid.val();
        self.file.bready.next = self.bready.val();
        self.bresp.next = self.file.bresp.val();
        self.file.arvalid.next = self.arvalid.val();
        self.arready.next = self.file.arready.val();
        self.file.araddr.next = bits_to(self.araddr.val(), self.file_address);
        if bits_to(self.araddr.val() >> 8, self.above).any() {
            self.file.araddr.next = self.nowhere.val();
        }
        self.rvalid.next = self.file.rvalid.val();
        self.file.rready.next = self.rready.val();
        self.rdata.next = self.file.rdata.val();
        self.rresp.next = self.file.rresp.val();

        self.file.live[0].next = self.link.val();
        for c in 0..self.counters {
            self.low[c].input.next = self.count[c].val();
            self.high[c].input.next = self.count[c].val();
            self.file.counter_low[c].next = self.low[c].output.val();
            self.file.counter_high[c].next = self.high[c].output.val();
        }
        for c in 0..self.events_count {
            self.events[c].reset.next = self.reset.val();
            self.events[c].event.next = self.event[c].val();
            self.file.counter_low[c + self.first_event].next = self.events[c].low.val();
            self.file.counter_high[c + self.first_event].next = self.events[c].high.val();
        }
    }
}
