//! The line card without the card.

use crate::card::{BusSplit, UartBridge};
use crate::host_port::{BusArbiter, HostPort};
use crate::linecard::{LaneMerge, PortRegisters};
use crate::mac::{MacPort, ResetCrossing};
use crate::packet::{PacketPath, NEXT_BLOCK_BITS};
use crate::prelude::*;
use bloomline_spec::registers::{address, field, ADDRESS_BITS};
use bloomline_spec::{Common, RegisterMap, LANES};

/// Two Ethernet ports, a packet path from either to the other, and the UART to all registers; where the specification says so, a host port, too.
///
/// ```text
/// rgmii_0 --> port 0 --> lane 0 --> port 1 --> rgmii_1
/// rgmii_0 <-- port 0 <-- lane 1 <-- port 1 <-- rgmii_1
///                        | ^ items, verdicts
///                       merge <---> card
/// uart --> bridge --> splits --> ports' registers, lanes, card
/// ```
///
/// A host port stands between its port and lanes, and shares the splits with the bridge:
///
/// ```text
/// port p --> host port --> lane p            bridge --> arbiter --> splits
/// port p <-- host port <-- lane 1 - p     host port ---->+
/// ```
///
/// What no kind of filter changes, so that only a card has to be put beside it. `docs/linecard.md` is the contract.
#[derive(LogicBlock)]
pub struct Lines {
    about: About,
    pub clock: Signal<In, Clock>,
    pub hold: Wire<In>,
    pub reset: Wire<Out>,
    pub rgmii_0_rx_clock: Signal<In, Clock>,
    pub rgmii_0_rx_control: Wire<In>,
    pub rgmii_0_rx_data: Bus<In>,
    pub rgmii_0_tx_clock: Wire<Out>,
    pub rgmii_0_tx_control: Wire<Out>,
    pub rgmii_0_tx_data: Bus<Out>,
    pub rgmii_1_rx_clock: Signal<In, Clock>,
    pub rgmii_1_rx_control: Wire<In>,
    pub rgmii_1_rx_data: Bus<In>,
    pub rgmii_1_tx_clock: Wire<Out>,
    pub rgmii_1_tx_control: Wire<Out>,
    pub rgmii_1_tx_data: Bus<Out>,
    pub uart_rx: Wire<In>,
    pub uart_tx: Wire<Out>,
    pub link: Bus<Out>,
    pub item_taken: Bus<Out>,
    pub item_seen: Bus<Out>,
    pub item_tvalid: Wire<Out>,
    pub item_tready: Wire<In>,
    pub item_tdata: WideBus<Out>,
    pub item_tuser: Bus<Out>,
    pub item_tid: Bus<Out>,
    pub verdict_tvalid: Wire<In>,
    pub verdict_tready: Wire<Out>,
    pub verdict_tid: Bus<In>,
    pub verdict_seen: Wire<In>,
    pub awvalid: Wire<Out>,
    pub awready: Wire<In>,
    pub awaddr: Bus<Out>,
    pub wvalid: Wire<Out>,
    pub wready: Wire<In>,
    pub wdata: Bus<Out>,
    pub wstrb: Bus<Out>,
    pub bvalid: Wire<In>,
    pub bready: Wire<Out>,
    pub bresp: Bus<In>,
    pub arvalid: Wire<Out>,
    pub arready: Wire<In>,
    pub araddr: Bus<Out>,
    pub rvalid: Wire<In>,
    pub rready: Wire<Out>,
    pub rdata: Bus<In>,
    pub rresp: Bus<In>,
    card_reset: ResetCrossing,
    port: Vec<MacPort>,
    lane: Vec<PacketPath>,
    next_block: Vec<Const>,
    into: Vec<Bus<Local>>,
    out_of: Vec<Bus<Local>>,
    merge: LaneMerge,
    bridge: UartBridge,
    hosts: Vec<HostPort>,
    arbiters: Vec<BusArbiter>,
    to_ports: BusSplit,
    to_lanes: BusSplit,
    to_lane: BusSplit,
    registers: PortRegisters,
    whole: Const,
    host_at: usize,
    first_plain: usize,
    lanes: usize,
    hosts_count: usize,
    plain: usize,
    alone: bool,
    lane_address: usize,
    link_bits: usize,
}

impl Lines {
    /// For the card of `common`, whose specification is that of a line card, with the registers of `map`.
    pub fn new(common: &Common, map: &RegisterMap) -> Self {
        let packet = common
            .line_card()
            .expect("the specification has two Ethernet ports");
        let block = |name| map.block(name).expect("the map of a line card has it");
        let uart = common
            .card()
            .and_then(|card| card.uart)
            .expect("a line card has a UART");
        let key_bits = common.key_bits() as usize;
        let operation_bits = common.operation_bits() as usize;
        let tag_bits = common.stream_tag_bits() as usize;
        let address_bits = ADDRESS_BITS as usize + 1;
        let frames = packet.frame_queue_frames() as usize;
        let map_bits = common.map_address_bits() as usize;
        let host = packet.host();
        let hosts = usize::from(host.is_some());
        let host_at = host.map_or(0, |host| host.port);
        let first_plain = host.map_or(0, |host| 1 - host.port);
        Self {
            about: About::new(
                "lines",
                match host {
                    None => "Two Ethernet ports, a packet path from either to the other, and the UART to all registers. Contract: linecard.md.",
                    Some(_) => "Two Ethernet ports, a packet path from either to the other, and UART and host port to all registers. Contract: linecard.md.",
                },
            ),
            clock: Default::default(),
            hold: Wire::default().doc("reset, of any clock or none"),
            reset: Wire::default().doc("the same in clock, for the card"),
            rgmii_0_rx_clock: Default::default(),
            rgmii_0_rx_control: Default::default(),
            rgmii_0_rx_data: Bus::new(4),
            rgmii_0_tx_clock: Default::default(),
            rgmii_0_tx_control: Default::default(),
            rgmii_0_tx_data: Bus::new(4),
            rgmii_1_rx_clock: Default::default(),
            rgmii_1_rx_control: Default::default(),
            rgmii_1_rx_data: Bus::new(4),
            rgmii_1_tx_clock: Default::default(),
            rgmii_1_tx_control: Default::default(),
            rgmii_1_tx_data: Bus::new(4),
            uart_rx: Wire::default().doc("line from the host, of any clock"),
            uart_tx: Wire::default().doc("line to the host"),
            link: Bus::new(LANES).doc("bit p: the PHY of port p tells of a link"),
            item_taken: Bus::new(LANES).doc("bit i: the card took an item of lane i a clock ago"),
            item_seen: Bus::new(LANES).doc("bit i: a verdict for lane i came a clock ago, and its bit 0 was 1"),
            item_tvalid: Wire::default().doc("items to the card"),
            item_tready: Default::default(),
            item_tdata: WideBus::<Out>::new(key_bits).doc("key"),
            item_tuser: Bus::new(operation_bits).doc("operation"),
            item_tid: Bus::new(tag_bits).doc("lane"),
            verdict_tvalid: Wire::default().doc("verdicts from it"),
            verdict_tready: Default::default(),
            verdict_tid: Bus::new(tag_bits),
            verdict_seen: Wire::default().doc("bit 0 of the verdict"),
            awvalid: Wire::default().doc("the card's registers, AXI4-Lite"),
            awready: Default::default(),
            awaddr: Bus::new(address_bits),
            wvalid: Default::default(),
            wready: Default::default(),
            wdata: Bus::new(32),
            wstrb: Bus::new(4),
            bvalid: Default::default(),
            bready: Default::default(),
            bresp: Bus::new(2),
            arvalid: Default::default(),
            arready: Default::default(),
            araddr: Bus::new(address_bits),
            rvalid: Default::default(),
            rready: Default::default(),
            rdata: Bus::new(32),
            rresp: Bus::new(2),
            card_reset: Default::default(),
            port: (0..LANES).map(|_| MacPort::default()).collect(),
            lane: ["lane_0", "lane_1"]
                .map(|name| PacketPath::new(common, &packet, block(name)))
                .into(),
            next_block: [address::PACKET_PATH + address::LANE_BYTES, address::PORTS]
                .map(|next| Const::new(next.into(), NEXT_BLOCK_BITS))
                .into(),
            into: (0..LANES).map(|_| Bus::new(8).doc("bytes into a lane")).collect(),
            out_of: (0..LANES).map(|_| Bus::new(8).doc("bytes out of one")).collect(),
            merge: LaneMerge::new(key_bits, operation_bits, tag_bits, frames),
            bridge: UartBridge::new(&uart, map_bits),
            hosts: host
                .iter()
                .map(|host| HostPort::new(&host.address, map_bits))
                .collect(),
            arbiters: (0..hosts).map(|_| BusArbiter::new(map_bits)).collect(),
            to_ports: BusSplit::ports(),
            to_lanes: BusSplit::path(),
            to_lane: BusSplit::lanes(),
            registers: PortRegisters::new(block("ports")),
            whole: Const::new(1, 1).doc("a beat is a byte"),
            host_at,
            first_plain,
            lanes: LANES,
            hosts_count: hosts,
            plain: LANES - hosts,
            alone: hosts == 0,
            lane_address: address_bits,
            link_bits: field::LINK_BITS as usize * LANES,
        }
    }
}

impl Logic for Lines {
    #[hdl_gen]
    fn update(&mut self) {
        self.card_reset.hold.next = self.hold.val();
        self.reset.next = self.card_reset.reset.val();

        comment!("what comes in at one port goes through its lane and out at the other");
        self.port[0].rgmii_rx_clock.next = self.rgmii_0_rx_clock.val();
        self.port[0].rgmii_rx_control.next = self.rgmii_0_rx_control.val();
        self.port[0].rgmii_rx_data.next = self.rgmii_0_rx_data.val();
        self.rgmii_0_tx_clock.next = self.port[0].rgmii_tx_clock.val();
        self.rgmii_0_tx_control.next = self.port[0].rgmii_tx_control.val();
        self.rgmii_0_tx_data.next = self.port[0].rgmii_tx_data.val();
        self.port[1].rgmii_rx_clock.next = self.rgmii_1_rx_clock.val();
        self.port[1].rgmii_rx_control.next = self.rgmii_1_rx_control.val();
        self.port[1].rgmii_rx_data.next = self.rgmii_1_rx_data.val();
        self.rgmii_1_tx_clock.next = self.port[1].rgmii_tx_clock.val();
        self.rgmii_1_tx_control.next = self.port[1].rgmii_tx_control.val();
        self.rgmii_1_tx_data.next = self.port[1].rgmii_tx_data.val();
        for i in 0..self.lanes {
            self.port[i].hold.next = self.hold.val();
            self.lane[i].reset.next = self.card_reset.reset.val();
            self.lane[i].next_block.next = self.next_block[i].val();
            self.lane[i].s_frame_tkeep.next = self.whole.val();
            self.port[i].s_frame_tuser.next = false;
        }
        self.out_of[0].next = bits_to(self.lane[0].m_frame_tdata.val(), 8);
        self.out_of[1].next = bits_to(self.lane[1].m_frame_tdata.val(), 8);
        for i in 0..self.plain {
            self.lane[i + self.first_plain].s_frame_tvalid.next =
                self.port[i + self.first_plain].m_frame_tvalid.val();
            self.port[i + self.first_plain].m_frame_tready.next =
                self.lane[i + self.first_plain].s_frame_tready.val();
            self.into[i + self.first_plain].next =
                self.port[i + self.first_plain].m_frame_tdata.val();
            self.lane[i + self.first_plain].s_frame_tlast.next =
                self.port[i + self.first_plain].m_frame_tlast.val();
            self.lane[i + self.first_plain].s_frame_tuser.next =
                self.port[i + self.first_plain].m_frame_tuser.val();
            self.port[i + self.first_plain].s_frame_tvalid.next =
                self.lane[1 - i - self.first_plain].m_frame_tvalid.val();
            self.lane[1 - i - self.first_plain].m_frame_tready.next =
                self.port[i + self.first_plain].s_frame_tready.val();
            self.port[i + self.first_plain].s_frame_tdata.next =
                self.out_of[1 - i - self.first_plain].val();
            self.port[i + self.first_plain].s_frame_tlast.next =
                self.lane[1 - i - self.first_plain].m_frame_tlast.val();
        }
        for h in 0..self.hosts_count {
            comment!("but at the host port's port: there, what is the card's goes no further");
            self.hosts[h].reset.next = self.card_reset.reset.val();
            self.hosts[h].s_rx_tvalid.next = self.port[self.host_at].m_frame_tvalid.val();
            self.port[self.host_at].m_frame_tready.next = self.hosts[h].s_rx_tready.val();
            self.hosts[h].s_rx_tdata.next = self.port[self.host_at].m_frame_tdata.val();
            self.hosts[h].s_rx_tlast.next = self.port[self.host_at].m_frame_tlast.val();
            self.hosts[h].s_rx_tuser.next = self.port[self.host_at].m_frame_tuser.val();
            self.lane[self.host_at].s_frame_tvalid.next = self.hosts[h].m_rx_tvalid.val();
            self.hosts[h].m_rx_tready.next = self.lane[self.host_at].s_frame_tready.val();
            self.into[self.host_at].next = self.hosts[h].m_rx_tdata.val();
            self.lane[self.host_at].s_frame_tlast.next = self.hosts[h].m_rx_tlast.val();
            self.lane[self.host_at].s_frame_tuser.next = self.hosts[h].m_rx_tuser.val();
            self.hosts[h].s_tx_tvalid.next = self.lane[1 - self.host_at].m_frame_tvalid.val();
            self.lane[1 - self.host_at].m_frame_tready.next = self.hosts[h].s_tx_tready.val();
            self.hosts[h].s_tx_tdata.next = self.out_of[1 - self.host_at].val();
            self.hosts[h].s_tx_tlast.next = self.lane[1 - self.host_at].m_frame_tlast.val();
            self.port[self.host_at].s_frame_tvalid.next = self.hosts[h].m_tx_tvalid.val();
            self.hosts[h].m_tx_tready.next = self.port[self.host_at].s_frame_tready.val();
            self.port[self.host_at].s_frame_tdata.next = self.hosts[h].m_tx_tdata.val();
            self.port[self.host_at].s_frame_tlast.next = self.hosts[h].m_tx_tlast.val();
        }
        self.lane[0].s_frame_tdata.next = bits_wide(self.into[0].val(), 8);
        self.lane[1].s_frame_tdata.next = bits_wide(self.into[1].val(), 8);

        comment!("items and verdicts");
        self.merge.reset.next = self.card_reset.reset.val();
        self.merge.item_0_tvalid.next = self.lane[0].item_tvalid.val();
        self.lane[0].item_tready.next = self.merge.item_0_tready.val();
        self.merge.item_0_tdata.next = self.lane[0].item_tdata.val();
        self.merge.item_0_tuser.next = self.lane[0].item_tuser.val();
        self.lane[0].verdict_tvalid.next = self.merge.verdict_0_tvalid.val();
        self.merge.verdict_0_tready.next = self.lane[0].verdict_tready.val();
        self.lane[0].verdict_seen.next = self.merge.verdict_0_seen.val();
        self.merge.item_1_tvalid.next = self.lane[1].item_tvalid.val();
        self.lane[1].item_tready.next = self.merge.item_1_tready.val();
        self.merge.item_1_tdata.next = self.lane[1].item_tdata.val();
        self.merge.item_1_tuser.next = self.lane[1].item_tuser.val();
        self.lane[1].verdict_tvalid.next = self.merge.verdict_1_tvalid.val();
        self.merge.verdict_1_tready.next = self.lane[1].verdict_tready.val();
        self.lane[1].verdict_seen.next = self.merge.verdict_1_seen.val();
        self.item_tvalid.next = self.merge.item_tvalid.val();
        self.merge.item_tready.next = self.item_tready.val();
        self.item_tdata.next = self.merge.item_tdata.val();
        self.item_tuser.next = self.merge.item_tuser.val();
        self.item_tid.next = self.merge.item_tid.val();
        self.merge.verdict_tvalid.next = self.verdict_tvalid.val();
        self.verdict_tready.next = self.merge.verdict_tready.val();
        self.merge.verdict_tid.next = self.verdict_tid.val();
        self.merge.verdict_seen.next = self.verdict_seen.val();
        self.item_taken.next = self.merge.item_taken.val();
        self.item_seen.next = self.merge.item_seen.val();

        comment!("the host");
        self.bridge.reset.next = self.card_reset.reset.val();
        self.bridge.uart_rx.next = self.uart_rx.val();
        self.uart_tx.next = self.bridge.uart_tx.val();
        self.to_ports.reset.next = self.card_reset.reset.val();
        self.to_lanes.reset.next = self.card_reset.reset.val();
        self.to_lane.reset.next = self.card_reset.reset.val();
        self.registers.reset.next = self.card_reset.reset.val();
        self.wstrb.next = self.bridge.wstrb.val();
        if self.alone {
            self.to_ports.awvalid.next = self.bridge.awvalid.val();
            self.to_ports.awaddr.next = self.bridge.awaddr.val();
            self.to_ports.wvalid.next = self.bridge.wvalid.val();
            self.wdata.next = self.bridge.wdata.val();
            self.bready.next = self.bridge.bready.val();
            self.to_ports.arvalid.next = self.bridge.arvalid.val();
            self.to_ports.araddr.next = self.bridge.araddr.val();
            self.rready.next = self.bridge.rready.val();
            self.bridge.awready.next = self.to_ports.awready.val();
            self.bridge.wready.next = self.to_ports.wready.val();
            self.bridge.bvalid.next = self.to_ports.bvalid.val();
            self.bridge.arready.next = self.to_ports.arready.val();
            self.bridge.rvalid.next = self.to_ports.rvalid.val();
        }
        for h in 0..self.hosts_count {
            comment!("the bridge and the host port, one access at a time");
            self.arbiters[h].reset.next = self.card_reset.reset.val();
            self.arbiters[h].a_awvalid.next = self.bridge.awvalid.val();
            self.bridge.awready.next = self.arbiters[h].a_awready.val();
            self.arbiters[h].a_awaddr.next = self.bridge.awaddr.val();
            self.arbiters[h].a_wvalid.next = self.bridge.wvalid.val();
            self.bridge.wready.next = self.arbiters[h].a_wready.val();
            self.arbiters[h].a_wdata.next = self.bridge.wdata.val();
            self.bridge.bvalid.next = self.arbiters[h].a_bvalid.val();
            self.arbiters[h].a_bready.next = self.bridge.bready.val();
            self.arbiters[h].a_arvalid.next = self.bridge.arvalid.val();
            self.bridge.arready.next = self.arbiters[h].a_arready.val();
            self.arbiters[h].a_araddr.next = self.bridge.araddr.val();
            self.bridge.rvalid.next = self.arbiters[h].a_rvalid.val();
            self.arbiters[h].a_rready.next = self.bridge.rready.val();
            self.arbiters[h].b_awvalid.next = self.hosts[h].awvalid.val();
            self.hosts[h].awready.next = self.arbiters[h].b_awready.val();
            self.arbiters[h].b_awaddr.next = self.hosts[h].awaddr.val();
            self.arbiters[h].b_wvalid.next = self.hosts[h].wvalid.val();
            self.hosts[h].wready.next = self.arbiters[h].b_wready.val();
            self.arbiters[h].b_wdata.next = self.hosts[h].wdata.val();
            self.hosts[h].bvalid.next = self.arbiters[h].b_bvalid.val();
            self.arbiters[h].b_bready.next = self.hosts[h].bready.val();
            self.hosts[h].bresp.next = self.to_ports.bresp.val();
            self.arbiters[h].b_arvalid.next = self.hosts[h].arvalid.val();
            self.hosts[h].arready.next = self.arbiters[h].b_arready.val();
            self.arbiters[h].b_araddr.next = self.hosts[h].araddr.val();
            self.hosts[h].rvalid.next = self.arbiters[h].b_rvalid.val();
            self.arbiters[h].b_rready.next = self.hosts[h].rready.val();
            self.hosts[h].rdata.next = self.to_ports.rdata.val();
            self.hosts[h].rresp.next = self.to_ports.rresp.val();
            self.to_ports.awvalid.next = self.arbiters[h].awvalid.val();
            self.arbiters[h].awready.next = self.to_ports.awready.val();
            self.to_ports.awaddr.next = self.arbiters[h].awaddr.val();
            self.to_ports.wvalid.next = self.arbiters[h].wvalid.val();
            self.arbiters[h].wready.next = self.to_ports.wready.val();
            self.wdata.next = self.arbiters[h].wdata.val();
            self.arbiters[h].bvalid.next = self.to_ports.bvalid.val();
            self.bready.next = self.arbiters[h].bready.val();
            self.to_ports.arvalid.next = self.arbiters[h].arvalid.val();
            self.arbiters[h].arready.next = self.to_ports.arready.val();
            self.to_ports.araddr.next = self.arbiters[h].araddr.val();
            self.arbiters[h].rvalid.next = self.to_ports.rvalid.val();
            self.rready.next = self.arbiters[h].rready.val();
        }
        self.bridge.bresp.next = self.to_ports.bresp.val();
        self.bridge.rdata.next = self.to_ports.rdata.val();
        self.bridge.rresp.next = self.to_ports.rresp.val();
        comment!("to the ports' registers, or what is below them");
        self.to_ports.bready.next = self.bready.val();
        self.to_ports.rready.next = self.rready.val();
        self.registers.awvalid.next = self.to_ports.port_awvalid.val();
        self.to_ports.port_awready.next = self.registers.awready.val();
        self.registers.awaddr.next = self.to_ports.slave_awaddr.val();
        self.registers.wvalid.next = self.to_ports.port_wvalid.val();
        self.to_ports.port_wready.next = self.registers.wready.val();
        self.registers.wdata.next = self.wdata.val();
        self.registers.wstrb.next = self.wstrb.val();
        self.to_ports.port_bvalid.next = self.registers.bvalid.val();
        self.registers.bready.next = self.bready.val();
        self.to_ports.port_bresp.next = self.registers.bresp.val();
        self.registers.arvalid.next = self.to_ports.port_arvalid.val();
        self.to_ports.port_arready.next = self.registers.arready.val();
        self.registers.araddr.next = self.to_ports.slave_araddr.val();
        self.to_ports.port_rvalid.next = self.registers.rvalid.val();
        self.registers.rready.next = self.rready.val();
        self.to_ports.port_rdata.next = self.registers.rdata.val();
        self.to_ports.port_rresp.next = self.registers.rresp.val();
        comment!("to a lane, or to the card");
        self.to_lanes.awvalid.next = self.to_ports.filter_awvalid.val();
        self.to_ports.filter_awready.next = self.to_lanes.awready.val();
        self.to_lanes.awaddr.next = self.to_ports.slave_awaddr.val();
        self.to_lanes.wvalid.next = self.to_ports.filter_wvalid.val();
        self.to_ports.filter_wready.next = self.to_lanes.wready.val();
        self.to_ports.filter_bvalid.next = self.to_lanes.bvalid.val();
        self.to_lanes.bready.next = self.bready.val();
        self.to_ports.filter_bresp.next = self.to_lanes.bresp.val();
        self.to_lanes.arvalid.next = self.to_ports.filter_arvalid.val();
        self.to_ports.filter_arready.next = self.to_lanes.arready.val();
        self.to_lanes.araddr.next = self.to_ports.slave_araddr.val();
        self.to_ports.filter_rvalid.next = self.to_lanes.rvalid.val();
        self.to_lanes.rready.next = self.rready.val();
        self.to_ports.filter_rdata.next = self.to_lanes.rdata.val();
        self.to_ports.filter_rresp.next = self.to_lanes.rresp.val();
        self.awvalid.next = self.to_lanes.filter_awvalid.val();
        self.to_lanes.filter_awready.next = self.awready.val();
        self.awaddr.next = self.to_lanes.slave_awaddr.val();
        self.wvalid.next = self.to_lanes.filter_wvalid.val();
        self.to_lanes.filter_wready.next = self.wready.val();
        self.to_lanes.filter_bvalid.next = self.bvalid.val();
        self.to_lanes.filter_bresp.next = self.bresp.val();
        self.arvalid.next = self.to_lanes.filter_arvalid.val();
        self.to_lanes.filter_arready.next = self.arready.val();
        self.araddr.next = self.to_lanes.slave_araddr.val();
        self.to_lanes.filter_rvalid.next = self.rvalid.val();
        self.to_lanes.filter_rdata.next = self.rdata.val();
        self.to_lanes.filter_rresp.next = self.rresp.val();
        comment!("to lane 0, or to lane 1");
        self.to_lane.awvalid.next = self.to_lanes.port_awvalid.val();
        self.to_lanes.port_awready.next = self.to_lane.awready.val();
        self.to_lane.awaddr.next = self.to_lanes.slave_awaddr.val();
        self.to_lane.wvalid.next = self.to_lanes.port_wvalid.val();
        self.to_lanes.port_wready.next = self.to_lane.wready.val();
        self.to_lanes.port_bvalid.next = self.to_lane.bvalid.val();
        self.to_lane.bready.next = self.bready.val();
        self.to_lanes.port_bresp.next = self.to_lane.bresp.val();
        self.to_lane.arvalid.next = self.to_lanes.port_arvalid.val();
        self.to_lanes.port_arready.next = self.to_lane.arready.val();
        self.to_lane.araddr.next = self.to_lanes.slave_araddr.val();
        self.to_lanes.port_rvalid.next = self.to_lane.rvalid.val();
        self.to_lane.rready.next = self.rready.val();
        self.to_lanes.port_rdata.next = self.to_lane.rdata.val();
        self.to_lanes.port_rresp.next = self.to_lane.rresp.val();
        self.lane[0].awvalid.next = self.to_lane.filter_awvalid.val();
        self.to_lane.filter_awready.next = self.lane[0].awready.val();
        self.lane[0].awaddr.next = bits_to(self.to_lane.slave_awaddr.val(), self.lane_address);
        self.lane[0].wvalid.next = self.to_lane.filter_wvalid.val();
        self.to_lane.filter_wready.next = self.lane[0].wready.val();
        self.lane[0].wdata.next = self.wdata.val();
        self.lane[0].wstrb.next = self.wstrb.val();
        self.to_lane.filter_bvalid.next = self.lane[0].bvalid.val();
        self.lane[0].bready.next = self.bready.val();
        self.to_lane.filter_bresp.next = self.lane[0].bresp.val();
        self.lane[0].arvalid.next = self.to_lane.filter_arvalid.val();
        self.to_lane.filter_arready.next = self.lane[0].arready.val();
        self.lane[0].araddr.next = bits_to(self.to_lane.slave_araddr.val(), self.lane_address);
        self.to_lane.filter_rvalid.next = self.lane[0].rvalid.val();
        self.lane[0].rready.next = self.rready.val();
        self.to_lane.filter_rdata.next = self.lane[0].rdata.val();
        self.to_lane.filter_rresp.next = self.lane[0].rresp.val();
        self.lane[1].awvalid.next = self.to_lane.port_awvalid.val();
        self.to_lane.port_awready.next = self.lane[1].awready.val();
        self.lane[1].awaddr.next = bits_to(self.to_lane.slave_awaddr.val(), self.lane_address);
        self.lane[1].wvalid.next = self.to_lane.port_wvalid.val();
        self.to_lane.port_wready.next = self.lane[1].wready.val();
        self.lane[1].wdata.next = self.wdata.val();
        self.lane[1].wstrb.next = self.wstrb.val();
        self.to_lane.port_bvalid.next = self.lane[1].bvalid.val();
        self.lane[1].bready.next = self.bready.val();
        self.to_lane.port_bresp.next = self.lane[1].bresp.val();
        self.lane[1].arvalid.next = self.to_lane.port_arvalid.val();
        self.to_lane.port_arready.next = self.lane[1].arready.val();
        self.lane[1].araddr.next = bits_to(self.to_lane.slave_araddr.val(), self.lane_address);
        self.to_lane.port_rvalid.next = self.lane[1].rvalid.val();
        self.lane[1].rready.next = self.rready.val();
        self.to_lane.port_rdata.next = self.lane[1].rdata.val();
        self.to_lane.port_rresp.next = self.lane[1].rresp.val();

        comment!("what the ports tell");
        self.link.next =
            (bits_of(self.port[1].link_up.val(), 2) << 1) | bits_of(self.port[0].link_up.val(), 2);
        self.registers.link.next = (bits_of(self.port[1].link_full_duplex.val(), self.link_bits)
            << 7)
            | (bits_to(self.port[1].link_speed.val(), self.link_bits) << 5)
            | (bits_of(self.port[1].link_up.val(), self.link_bits) << 4)
            | (bits_of(self.port[0].link_full_duplex.val(), self.link_bits) << 3)
            | (bits_to(self.port[0].link_speed.val(), self.link_bits) << 1)
            | bits_of(self.port[0].link_up.val(), self.link_bits);
        for p in 0..self.lanes {
            self.registers.count[8 * p].next = self.port[p].frames_good.val();
            self.registers.count[8 * p + 1].next = self.port[p].frames_bad_fcs.val();
            self.registers.count[8 * p + 2].next = self.port[p].frames_runt.val();
            self.registers.count[8 * p + 3].next = self.port[p].frames_error.val();
            self.registers.count[8 * p + 4].next = self.port[p].overflows.val();
            self.registers.count[8 * p + 5].next = self.port[p].frames_sent.val();
            self.registers.count[8 * p + 6].next = self.port[p].frames_broken.val();
            self.registers.count[8 * p + 7].next = self.port[p].underruns.val();
        }
        for h in 0..self.hosts_count {
            self.registers.event[0].next = self.hosts[h].frame_taken.val();
            self.registers.event[1].next = self.hosts[h].frame_missed.val();
            self.registers.event[2].next = self.hosts[h].frame_refused.val();
            self.registers.event[3].next = self.hosts[h].answer_sent.val();
            self.registers.event[4].next = self.hosts[h].access_late.val();
        }
    }
}
