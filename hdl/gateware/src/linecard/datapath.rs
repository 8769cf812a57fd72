//! Datapath of the line card: everything between the pins and the filter's card.

use crate::bus::BusSlice;
use crate::card::{BusSplit, UartBridge};
use crate::host_port::{BusArbiter, HostPort};
use crate::linecard::{LaneMerge, PortRegisters};
use crate::mac::{MacPort, ResetCrossing};
use crate::packet::{PacketPath, NEXT_BLOCK_BITS};
use crate::prelude::*;
use bloomline_spec::host_port::HostAuth;
use bloomline_spec::registers::{address, field, ADDRESS_BITS};
use bloomline_spec::{Common, RegisterMap, LANES};

block! {
    /// Two Ethernet ports, a packet path from either to the other, and the UART to all registers; where the specification says so, a host port, too.
    ///
    /// ```text
    /// rgmii_0 --> port 0 --> lane 0 --> port 1 --> rgmii_1
    /// rgmii_0 <-- port 0 <-- lane 1 <-- port 1 <-- rgmii_1
    ///                        | ^ items, verdicts
    ///                       merge <---> card
    /// uart --> bridge --> slices and splits --> ports' registers, lanes, card
    /// ```
    ///
    /// A host port stands between its port and lanes, and shares the bus with the bridge:
    ///
    /// ```text
    /// port p --> host port --> lane p            bridge --> arbiter --> slice
    /// port p <-- host port <-- lane 1 - p     host port ---->+
    /// ```
    ///
    /// What no kind of filter changes, so that only a card has to be put beside it. `docs/linecard.md` is the contract.
    /// `hold` is an asynchronous reset, active high; every clock domain gets it synchronised.
    pub struct LineCardDatapath {
        about: About = About::new(
            "line_card_datapath",
            match host {
                None => "Two Ethernet ports, a packet path from either to the other, and the UART to all registers. Contract: linecard.md.",
                Some(_) => "Two Ethernet ports, a packet path from either to the other, and UART and host port to all registers. Contract: linecard.md.",
            },
        ),
        pub clock: Signal<In, Clock>,
        pub hold: Wire<In> = Wire::default().doc("reset, of any clock or none"),
        pub reset: Wire<Out> = Wire::default().doc("the same in clock, for the card"),
        pub rgmii_0_rx_clock: Signal<In, Clock>,
        pub rgmii_0_rx_control: Wire<In>,
        pub rgmii_0_rx_data: Bus<In> = Bus::new(4),
        pub rgmii_0_tx_clock: Wire<Out>,
        pub rgmii_0_tx_control: Wire<Out>,
        pub rgmii_0_tx_data: Bus<Out> = Bus::new(4),
        pub rgmii_1_rx_clock: Signal<In, Clock>,
        pub rgmii_1_rx_control: Wire<In>,
        pub rgmii_1_rx_data: Bus<In> = Bus::new(4),
        pub rgmii_1_tx_clock: Wire<Out>,
        pub rgmii_1_tx_control: Wire<Out>,
        pub rgmii_1_tx_data: Bus<Out> = Bus::new(4),
        pub uart_rx: Wire<In> = Wire::default().doc("line from the host, of any clock"),
        pub uart_tx: Wire<Out> = Wire::default().doc("line to the host"),
        pub link: Bus<Out> = Bus::new(LANES).doc("bit p: the PHY of port p tells of a link"),
        pub item_taken: Bus<Out> = Bus::new(LANES).doc("bit i: the card took an item of lane i a clock ago"),
        pub item_seen: Bus<Out> = Bus::new(LANES).doc("bit i: a verdict for lane i came a clock ago, and its bit 0 was 1"),
        pub item: ItemStream<Master> = ItemStream::new(key_bits, operation_bits, tag_bits).doc("tvalid", "items to the card").doc("tdata", "key").doc("tuser", "operation").doc("tid", "lane"),
        pub verdict: VerdictStream<Slave> = VerdictStream::seen(tag_bits).doc("tvalid", "verdicts from it").doc("seen", "bit 0 of the verdict"),
        pub axil: Axil<Master> = Axil::new(address_bits).doc("awvalid", "the card's registers, AXI4-Lite").named(""),
        card_reset: ResetCrossing,
        host_reset: Flag = Flag::with_init(true).doc("reset of the host's register path: its own register, which can be placed near it"),
        port: Vec<MacPort> = (0..LANES).map(|_| MacPort::default()).collect(),
        lane: Vec<PacketPath> = ["lane_0", "lane_1"]
            .map(|name| PacketPath::new(common, &packet, block(name)))
            .into(),
        next_block: Vec<Const> = [address::PACKET_PATH + address::LANE_BYTES, address::PORTS]
            .map(|next| Const::new(next.into(), NEXT_BLOCK_BITS))
            .into(),
        into: Vec<Bus<Local>> = (0..LANES).map(|_| Bus::new(8).doc("bytes into a lane")).collect(),
        out_of: Vec<Bus<Local>> = (0..LANES).map(|_| Bus::new(8).doc("bytes out of one")).collect(),
        merge: LaneMerge = LaneMerge::new(key_bits, operation_bits, tag_bits, frames),
        bridge: UartBridge = UartBridge::new(&uart, map_bits),
        hosts: Vec<HostPort> = host
            .iter()
            .map(|host| HostPort::new(&host.address, host.auth, map_bits))
            .collect(),
        arbiters: Vec<BusArbiter> = (0..hosts).map(|_| BusArbiter::new(map_bits)).collect(),
        slice: BusSlice = BusSlice::new(map_bits),
        to_ports: BusSplit = BusSplit::ports(),
        to_lanes: BusSplit = BusSplit::path(),
        lane_slice: Vec<BusSlice> = (0..LANES).map(|_| BusSlice::new(address_bits)).collect(),
        card_slice: BusSlice = BusSlice::new(address_bits),
        port_slice: BusSlice = BusSlice::new(ADDRESS_BITS as usize + 2),
        to_lane: BusSplit = BusSplit::lanes(),
        registers: PortRegisters = PortRegisters::new(block("ports")),
        whole: Const = Const::new(1, 1).doc("a beat is a byte"),
        host_at: usize = host_at,
        first_plain: usize = first_plain,
        lanes: usize = LANES,
        host_count: usize = hosts,
        tagged: usize = host.map_or(0, |host| usize::from(host.auth == HostAuth::SipHash24)),
        plain: usize = LANES - hosts,
        lane_address: usize = address_bits,
        link_bits: usize = field::LINK_BITS as usize * LANES,
    }

    /// For the card of `common`, whose specification is that of a line card, with the registers of `map`.
    pub fn new(common: &Common, map: &RegisterMap) {
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
    }
}

impl Logic for LineCardDatapath {
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
            self.lane[i].next_block.next = self.next_block[i].val();
            self.lane[i].s_frame.tkeep.next = self.whole.val();
            self.port[i].s_frame_tuser.next = false;
            self.lane_slice[i].reset.next = self.host_reset.q.val();
        }
        comment!("a reset register for each lane, which can be placed near it");
        self.lane[0].reset.next = self.card_reset.early.val();
        self.lane[1].reset.next = self.card_reset.holding.val();
        self.out_of[0].next = bits_to(self.lane[0].m_frame.tdata.val(), 8);
        self.out_of[1].next = bits_to(self.lane[1].m_frame.tdata.val(), 8);
        for i in 0..self.plain {
            self.lane[i + self.first_plain].s_frame.tvalid.next =
                self.port[i + self.first_plain].m_frame_tvalid.val();
            self.port[i + self.first_plain].m_frame_tready.next =
                self.lane[i + self.first_plain].s_frame.tready.val();
            self.into[i + self.first_plain].next =
                self.port[i + self.first_plain].m_frame_tdata.val();
            self.lane[i + self.first_plain].s_frame.tlast.next =
                self.port[i + self.first_plain].m_frame_tlast.val();
            self.lane[i + self.first_plain].s_frame.tuser.next =
                self.port[i + self.first_plain].m_frame_tuser.val();
            self.port[i + self.first_plain].s_frame_tvalid.next =
                self.lane[1 - i - self.first_plain].m_frame.tvalid.val();
            self.lane[1 - i - self.first_plain].m_frame.tready.next =
                self.port[i + self.first_plain].s_frame_tready.val();
            self.port[i + self.first_plain].s_frame_tdata.next =
                self.out_of[1 - i - self.first_plain].val();
            self.port[i + self.first_plain].s_frame_tlast.next =
                self.lane[1 - i - self.first_plain].m_frame.tlast.val();
        }
        for h in 0..self.host_count {
            comment!("but at the host port's port: there, what is the card's goes no further");
            self.hosts[h].reset.next = self.host_reset.q.val();
            self.hosts[h].s_rx_tvalid.next = self.port[self.host_at].m_frame_tvalid.val();
            self.port[self.host_at].m_frame_tready.next = self.hosts[h].s_rx_tready.val();
            self.hosts[h].s_rx_tdata.next = self.port[self.host_at].m_frame_tdata.val();
            self.hosts[h].s_rx_tlast.next = self.port[self.host_at].m_frame_tlast.val();
            self.hosts[h].s_rx_tuser.next = self.port[self.host_at].m_frame_tuser.val();
            self.lane[self.host_at].s_frame.tvalid.next = self.hosts[h].m_rx_tvalid.val();
            self.hosts[h].m_rx_tready.next = self.lane[self.host_at].s_frame.tready.val();
            self.into[self.host_at].next = self.hosts[h].m_rx_tdata.val();
            self.lane[self.host_at].s_frame.tlast.next = self.hosts[h].m_rx_tlast.val();
            self.lane[self.host_at].s_frame.tuser.next = self.hosts[h].m_rx_tuser.val();
            self.hosts[h].s_tx_tvalid.next = self.lane[1 - self.host_at].m_frame.tvalid.val();
            self.lane[1 - self.host_at].m_frame.tready.next = self.hosts[h].s_tx_tready.val();
            self.hosts[h].s_tx_tdata.next = self.out_of[1 - self.host_at].val();
            self.hosts[h].s_tx_tlast.next = self.lane[1 - self.host_at].m_frame.tlast.val();
            self.port[self.host_at].s_frame_tvalid.next = self.hosts[h].m_tx_tvalid.val();
            self.hosts[h].m_tx_tready.next = self.port[self.host_at].s_frame_tready.val();
            self.port[self.host_at].s_frame_tdata.next = self.hosts[h].m_tx_tdata.val();
            self.port[self.host_at].s_frame_tlast.next = self.hosts[h].m_tx_tlast.val();
        }
        self.lane[0].s_frame.tdata.next = bits_wide(self.into[0].val(), 8);
        self.lane[1].s_frame.tdata.next = bits_wide(self.into[1].val(), 8);

        comment!("items and verdicts");
        self.merge.reset.next = self.card_reset.reset.val();
        self.lane[0].item.join(&mut self.merge.item_0);
        self.merge.verdict_0.join(&mut self.lane[0].verdict);
        self.lane[1].item.join(&mut self.merge.item_1);
        self.merge.verdict_1.join(&mut self.lane[1].verdict);
        self.item.link(&mut self.merge.item);
        self.verdict.link(&mut self.merge.verdict);
        self.item_taken.next = self.merge.item_taken.val();
        self.item_seen.next = self.merge.item_seen.val();

        comment!("the host");
        self.host_reset.d.next = self.card_reset.holding.val();
        self.bridge.reset.next = self.host_reset.q.val();
        self.bridge.uart_rx.next = self.uart_rx.val();
        self.uart_tx.next = self.bridge.uart_tx.val();
        self.to_ports.reset.next = self.host_reset.q.val();
        self.to_lanes.reset.next = self.host_reset.q.val();
        self.to_lane.reset.next = self.host_reset.q.val();
        self.registers.reset.next = self.host_reset.q.val();
        self.slice.reset.next = self.host_reset.q.val();
        self.card_slice.reset.next = self.host_reset.q.val();
        self.port_slice.reset.next = self.host_reset.q.val();
        if self.host_count == 0 {
            self.bridge.axil.join(&mut self.slice.host);
        }
        for h in 0..self.host_count {
            comment!("the bridge and the host port, one access at a time");
            self.arbiters[h].reset.next = self.host_reset.q.val();
            self.bridge.axil.join(&mut self.arbiters[h].master_a);
            self.hosts[h].axil.join(&mut self.arbiters[h].master_b);
            self.hosts[h]
                .axil
                .join_part(&mut self.slice.host, AXIL_ANSWER);
            self.arbiters[h]
                .axil
                .join_part(&mut self.slice.host, AXIL_ARBITRATED);
            self.slice.host.wdata.next = self.arbiters[h].axil.wdata.val();
            self.slice.host.wstrb.next = self.bridge.axil.wstrb.val();
            self.slice.host.bready.next = self.arbiters[h].axil.bready.val();
            self.slice.host.rready.next = self.arbiters[h].axil.rready.val();
            self.bridge
                .axil
                .join_part(&mut self.slice.host, AXIL_ANSWER);
        }
        comment!("to the ports' registers, or what is below them");
        self.slice
            .axil
            .join_part(&mut self.to_ports.host, AXIL_ARBITRATED);
        self.to_ports.host.bready.next = self.slice.axil.bready.val();
        self.to_ports.host.rready.next = self.slice.axil.rready.val();
        self.to_ports.port.join(&mut self.port_slice.host);
        self.to_ports.slave.join(&mut self.port_slice.host);
        self.slice
            .axil
            .join_part(&mut self.port_slice.host, AXIL_SHARED);
        self.port_slice.axil.join(&mut self.registers.axil);
        comment!("to a lane, or to the card");
        self.to_ports.filter.join(&mut self.to_lanes.host);
        self.to_ports.slave.join(&mut self.to_lanes.host);
        self.slice
            .axil
            .join_part(&mut self.to_lanes.host, AXIL_SHARED);
        self.to_lanes.filter.join(&mut self.card_slice.host);
        self.to_lanes.slave.join(&mut self.card_slice.host);
        self.slice
            .axil
            .join_part(&mut self.card_slice.host, AXIL_SHARED);
        self.axil.link(&mut self.card_slice.axil);
        comment!("to lane 0, or to lane 1");
        self.to_lanes.port.join(&mut self.to_lane.host);
        self.to_lanes.slave.join(&mut self.to_lane.host);
        self.slice
            .axil
            .join_part(&mut self.to_lane.host, AXIL_SHARED);
        self.to_lane.filter.join(&mut self.lane_slice[0].host);
        self.to_lane.port.join(&mut self.lane_slice[1].host);
        for i in 0..self.lanes {
            self.lane_slice[i].host.awaddr.next =
                bits_to(self.to_lane.slave.awaddr.val(), self.lane_address);
            self.lane_slice[i].host.araddr.next =
                bits_to(self.to_lane.slave.araddr.val(), self.lane_address);
            self.slice
                .axil
                .join_part(&mut self.lane_slice[i].host, AXIL_SHARED);
            self.lane_slice[i].axil.join(&mut self.lane[i].axil);
        }

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
        for t in 0..self.tagged {
            self.hosts[t].secret[t].next = self.registers.host_secret[t].val();
            self.hosts[t].locked[t].next = self.registers.host_locked[t].val();
        }
        for h in 0..self.host_count {
            self.registers.event[0].next = self.hosts[h].frame_taken.val();
            self.registers.event[1].next = self.hosts[h].frame_missed.val();
            self.registers.event[2].next = self.hosts[h].frame_refused.val();
            self.registers.event[3].next = self.hosts[h].answer_sent.val();
            self.registers.event[4].next = self.hosts[h].access_late.val();
        }
    }
}
