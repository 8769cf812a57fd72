//! The emitted host port in front of an emitted filter, at the end of a line of datagrams: each is wrapped into a frame for the pins, and what leaves is unwrapped.

use crate::host_frames::HostPeer;
use crate::host_pins::HOST_CARD;
use bloomline_bench::filter::emitted_design;
use bloomline_bench::toolchain::Toolchain;
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library, Port, Sim};
use bloomline_driver::serve::Responder;
use bloomline_hdl::host_port::host_port_verilog;
use bloomline_hdl::mac::mac_port_verilog;
use bloomline_model::{ports, Direction};
use bloomline_spec::registers::ADDRESS_BITS;
use bloomline_spec::Geometry;
use etherparse::{NetSlice, SlicedPacket, TransportSlice};
use std::time::Instant;

/// Clocks after a frame's last beat in which an answer begins, or none comes.
const PATIENCE: u64 = 20_000;
/// Clocks of the reset, and until the filter runs.
const RESET_CLOCKS: u64 = 4;
const START_CLOCKS: u64 = 2000;

/// AXI4-Lite between the two, with widths.
const BUS: [(&str, usize); 17] = [
    ("awvalid", 1),
    ("awready", 1),
    ("awaddr", ADDRESS_BITS as usize),
    ("wvalid", 1),
    ("wready", 1),
    ("wdata", 32),
    ("wstrb", 4),
    ("bvalid", 1),
    ("bready", 1),
    ("bresp", 2),
    ("arvalid", 1),
    ("arready", 1),
    ("araddr", ADDRESS_BITS as usize),
    ("rvalid", 1),
    ("rready", 1),
    ("rdata", 32),
    ("rresp", 2),
];

/// Host port and filter.
pub struct HostResponder {
    sim: Sim,
    peer: HostPeer,
    /// Of how many frames one comes damaged, as the MAC's FCS shows; 0 for none.
    pub damage: u64,
    /// Datagrams that came, and how many of them damaged.
    pub counts: [u64; 2],
}

/// The design `host_card`: a host port, its registers those of the filter of `geometry`. Only the frames of its port, and `busy`, are pins.
fn host_card(geometry: &Geometry) -> Design {
    let port = host_port_verilog(&HOST_CARD, ADDRESS_BITS, "").expect("can be printed");
    let (filter, _) = emitted_design(geometry).expect("can be printed");
    let range = |width: usize| match width {
        1 => String::new(),
        width => format!("[{}:0] ", width - 1),
    };
    let mut text = String::from(
        "module host_card (input wire clock, input wire reset, input wire s_rx_tvalid, output wire s_rx_tready, input wire [7:0] s_rx_tdata, input wire s_rx_tlast, input wire s_rx_tuser, \
         output wire m_tx_tvalid, input wire m_tx_tready, output wire [7:0] m_tx_tdata, output wire m_tx_tlast, output wire busy);\n",
    );
    let mut pins = vec![
        ".clock(clock), .reset(reset), .s_rx_tvalid(s_rx_tvalid), .s_rx_tready(s_rx_tready), .s_rx_tdata(s_rx_tdata), .s_rx_tlast(s_rx_tlast), .s_rx_tuser(s_rx_tuser)".to_owned(),
        ".m_rx_tvalid(), .m_rx_tready(1'b1), .m_rx_tdata(), .m_rx_tlast(), .m_rx_tuser()".to_owned(),
        ".s_tx_tvalid(1'b0), .s_tx_tready(), .s_tx_tdata(8'd0), .s_tx_tlast(1'b0)".to_owned(),
        ".m_tx_tvalid(m_tx_tvalid), .m_tx_tready(m_tx_tready), .m_tx_tdata(m_tx_tdata), .m_tx_tlast(m_tx_tlast)".to_owned(),
        ".busy(busy), .frame_taken(), .frame_missed(), .frame_refused(), .answer_sent(), .access_late()".to_owned(),
    ];
    for (name, width) in BUS {
        text += &format!("  wire {}{name};\n", range(width));
        pins.push(format!(".{name}({name})"));
    }
    text += &format!("  host_port port ({});\n", pins.join(", "));
    let filter_pins: Vec<String> = ports(geometry)
        .iter()
        .map(|port| {
            let bus = port.name.strip_prefix("s_axil_");
            let driver = match (port.name, bus) {
                ("clock" | "reset", _) => port.name.to_owned(),
                (_, Some(bus)) => bus.to_owned(),
                ("m_verdict_tready", _) => "1'b1".to_owned(),
                _ if port.direction == Direction::Output => String::new(),
                _ => format!("{}'d0", port.width),
            };
            format!(".{}({driver})", port.name)
        })
        .collect();
    text += &format!(
        "  {} filter ({});\nendmodule\n",
        filter.top,
        filter_pins.join(", ")
    );
    let mut sources = filter.sources;
    sources.push(("host_port.v".into(), port.text()));
    sources.push(("host_card.v".into(), text));
    Design {
        top: "host_card".into(),
        clock: Some("clock".into()),
        sources,
        ports: vec![
            Port::input("reset", 1),
            Port::input("s_rx_tvalid", 1),
            Port::output("s_rx_tready", 1),
            Port::input("s_rx_tdata", 8),
            Port::input("s_rx_tlast", 1),
            Port::input("s_rx_tuser", 1),
            Port::output("m_tx_tvalid", 1),
            Port::input("m_tx_tready", 1),
            Port::output("m_tx_tdata", 8),
            Port::output("m_tx_tlast", 1),
            Port::output("busy", 1),
        ],
    }
}

/// The design `host_card_on_rgmii`: the same behind the pins of an Ethernet port.
pub fn host_card_on_rgmii(geometry: &Geometry) -> Design {
    let mut design = host_card(geometry);
    let port = mac_port_verilog("").expect("can be printed");
    let pins = [
        ("clock", 1),
        ("rgmii_rx_clock", 1),
        ("hold", 1),
        ("rgmii_rx_control", 1),
        ("rgmii_rx_data", 4),
        ("rgmii_tx_clock", 1),
        ("rgmii_tx_control", 1),
        ("rgmii_tx_data", 4),
    ];
    let is_input = |name: &str| !name.starts_with("rgmii_tx");
    let range = |width: usize| if width == 1 { "" } else { "[3:0] " };
    let declared: Vec<String> = pins
        .iter()
        .map(|&(name, width)| {
            let direction = if is_input(name) { "input" } else { "output" };
            format!("{direction} wire {}{name}", range(width))
        })
        .collect();
    let of_port: Vec<String> = pins
        .iter()
        .map(|(name, _)| format!(".{name}({name})"))
        .collect();
    let unread = [
        "link_up",
        "link_speed",
        "link_full_duplex",
        "frames_good",
        "frames_bad_fcs",
        "frames_runt",
        "frames_error",
        "overflows",
        "frames_sent",
        "frames_broken",
        "underruns",
    ]
    .map(|name| format!(".{name}()"));
    let text = format!(
        "module host_card_on_rgmii ({});\n  wire reset, r_tvalid, r_tready, r_tlast, r_tuser, t_tvalid, t_tready, t_tlast;\n  wire [7:0] r_tdata, t_tdata;\n  \
         mac_port port ({}, {}, .reset(reset), .m_frame_tvalid(r_tvalid), .m_frame_tready(r_tready), .m_frame_tdata(r_tdata), .m_frame_tlast(r_tlast), .m_frame_tuser(r_tuser), \
         .s_frame_tvalid(t_tvalid), .s_frame_tready(t_tready), .s_frame_tdata(t_tdata), .s_frame_tlast(t_tlast), .s_frame_tuser(1'b0));\n  \
         host_card card (.clock(clock), .reset(reset), .s_rx_tvalid(r_tvalid), .s_rx_tready(r_tready), .s_rx_tdata(r_tdata), .s_rx_tlast(r_tlast), .s_rx_tuser(r_tuser), \
         .m_tx_tvalid(t_tvalid), .m_tx_tready(t_tready), .m_tx_tdata(t_tdata), .m_tx_tlast(t_tlast), .busy());\nendmodule\n",
        declared.join(", "),
        of_port.join(", "),
        unread.join(", ")
    );
    // the CRC's modules are in the mailbox's file already
    design.sources.push((
        "mac_port.v".into(),
        without_twice(&port.text(), &design.sources),
    ));
    design.sources.push(("host_card_on_rgmii.v".into(), text));
    Design {
        top: "host_card_on_rgmii".into(),
        clock: None,
        ports: pins
            .iter()
            .map(|&(name, width)| match is_input(name) {
                true => Port::input(name, width),
                false => Port::output(name, width),
            })
            .collect(),
        ..design
    }
}

/// `text` without the modules that stand in `sources`.
fn without_twice(text: &str, sources: &[(String, String)]) -> String {
    let mut left = String::new();
    for module in text.split_inclusive("\nendmodule\n") {
        let name = module
            .split("\nmodule ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        let twice = name.is_some_and(|name| {
            let head = format!("\nmodule {name} (");
            sources.iter().any(|(_, text)| text.contains(&head))
        });
        if !twice {
            left += module;
        }
    }
    left
}

impl HostResponder {
    /// In front of the filter of `geometry`, which takes items when this returns.
    ///
    /// # Panics
    /// When it cannot be built or run.
    pub fn new(toolchain: &Toolchain, geometry: &Geometry) -> Self {
        let library = Library::build(toolchain, &host_card(geometry), &BuildOptions::default())
            .expect("builds");
        let mut responder = Self {
            sim: library.open(Initial::Random(3)).expect("opens"),
            peer: HostPeer {
                mac: [0x02, 0, 0, 0, 0, 0x99],
                ip: [10, 0, 0, 99],
                port: 40_000,
            },
            damage: 0,
            counts: [0; 2],
        };
        for clock in 0..RESET_CLOCKS + START_CLOCKS {
            responder.clock(clock < RESET_CLOCKS, None, false);
        }
        responder
    }

    /// One clock; whether the beat was taken, what left, whether the card is busy.
    fn clock(
        &mut self,
        reset: bool,
        beat: Option<(u8, bool)>,
        bad: bool,
    ) -> (bool, Option<(u8, bool)>, bool) {
        let (data, last) = beat.unwrap_or_default();
        let flags = [reset, beat.is_some(), last, last && bad].map(u64::from);
        let inputs = [flags[0], flags[1], data.into(), flags[2], flags[3], 1];
        let mut outputs = [0; 5];
        self.sim.step(&inputs, &mut outputs).expect("runs");
        let [ready, valid, data, last, busy] = outputs;
        let left = (valid != 0).then_some((data as u8, last != 0));
        (ready != 0, left, busy != 0)
    }

    /// Brings a frame to the card; the frame that comes back.
    pub fn exchange(&mut self, frame: &[u8]) -> Option<Vec<u8>> {
        self.exchange_as(frame, false)
    }

    fn exchange_as(&mut self, frame: &[u8], bad: bool) -> Option<Vec<u8>> {
        for (place, &byte) in frame.iter().enumerate() {
            let beat = Some((byte, place + 1 == frame.len()));
            while !self.clock(false, beat, bad).0 {}
        }
        let mut answer = Vec::new();
        for _ in 0..PATIENCE {
            let (_, left, busy) = self.clock(false, None, false);
            if let Some((byte, last)) = left {
                answer.push(byte);
                if last {
                    return Some(answer);
                }
            } else if !busy {
                return None;
            }
        }
        panic!("the card is busy for ever");
    }
}

impl Responder for HostResponder {
    fn answer(&mut self, bytes: &[u8], _now: Instant) -> Vec<u8> {
        self.counts[0] += 1;
        let mut frame = self.peer.datagram(&HOST_CARD, bytes);
        let bad = self.damage > 0 && self.counts[0].is_multiple_of(self.damage);
        if bad {
            self.counts[1] += 1;
            let place = (self.counts[1] as usize * 5) % frame.len();
            frame[place] ^= 0x10;
        }
        let Some(answer) = self.exchange_as(&frame, bad) else {
            return Vec::new();
        };
        let packet = SlicedPacket::from_ethernet(&answer).expect("a frame");
        let Some(NetSlice::Ipv4(ip)) = &packet.net else {
            panic!("no IPv4: {packet:?}");
        };
        let Some(TransportSlice::Udp(udp)) = &packet.transport else {
            panic!("no UDP: {packet:?}");
        };
        let header = ip.header();
        assert_eq!(
            (
                answer[..6].to_vec(),
                header.destination(),
                udp.destination_port()
            ),
            (self.peer.mac.to_vec(), self.peer.ip, self.peer.port)
        );
        assert_eq!(
            (header.source(), udp.source_port()),
            (HOST_CARD.ip, HOST_CARD.udp_port)
        );
        assert_eq!(
            header.to_header().calc_header_checksum(),
            header.header_checksum()
        );
        udp.payload().to_vec()
    }
}
