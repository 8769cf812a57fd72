//! Register block of a line card's Ethernet ports and host port.

use super::blocks::{block_header, constant, half_pair, secret};
use super::counters::counters;
use super::numbers::BLOCK_PORTS;
use super::register::{Access, Field, Register, RegisterBlock};
use super::{address, field};
use crate::host_port::{HostAddress, HostAuth, HostBinding};
use crate::packet::LANES;

/// 2: the host port asks for tags, whose secret is loaded here.
const PORTS_BLOCK_VERSION: u32 = 1;
const TAGGED_PORTS_BLOCK_VERSION: u32 = 2;

/// A 64-bit counter of an Ethernet port, by its place among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PortCounter {
    /// Frames received that were good.
    FramesGood = 0,
    /// Frames received with a wrong FCS.
    FramesBadFcs = 1,
    /// Frames received of less than 64 bytes.
    FramesRunt = 2,
    /// Frames received with an error from the PHY.
    FramesError = 3,
    /// Frames received that met a full FIFO.
    Overflows = 4,
    /// Frames sent.
    FramesSent = 5,
    /// Frames sent as bad.
    FramesBroken = 6,
    /// Frames sent as bad for want of bytes.
    Underruns = 7,
}

impl PortCounter {
    /// Every counter, in the order of its address.
    pub const ALL: [PortCounter; 8] = [
        PortCounter::FramesGood,
        PortCounter::FramesBadFcs,
        PortCounter::FramesRunt,
        PortCounter::FramesError,
        PortCounter::Overflows,
        PortCounter::FramesSent,
        PortCounter::FramesBroken,
        PortCounter::Underruns,
    ];

    /// Byte address of the low half, of port `port`.
    pub fn address_lo(self, port: usize) -> u32 {
        address::PORT_COUNTERS + address::PORT_BYTES * port as u32 + 8 * self as u32
    }

    /// Byte address of the high half as captured by the last read of the low half.
    pub fn address_hi(self, port: usize) -> u32 {
        self.address_lo(port) + 4
    }
}

counters! {
    /// A 64-bit counter of the host port, by its place among them.
    HostCounter at HOST_COUNTERS {
        FramesTaken = "HOST_FRAMES_TAKEN": "Frames to the card's MAC address",
        FramesMissed = "HOST_FRAMES_MISSED": "Of those, the ones that began while another was worked on",
        FramesRefused = "HOST_FRAMES_REFUSED": "Of those, the ones of which nothing was done",
        ///
        /// Answers to broadcast frames count too.
        AnswersSent = "HOST_ANSWERS_SENT": "Answers sent",
        AccessesLate = "HOST_ACCESSES_LATE": "Accesses that had no response in time",
    }
}

/// Names of a counter's halves and what it counts, for both ports.
macro_rules! texts {
    ($($name:literal: $doc:literal,)+) => {
        [
            [$((concat!("PORT_0_", $name, "_LO"), concat!("PORT_0_", $name, "_HI"), concat!("Port 0: ", $doc, ", low half.")),)+],
            [$((concat!("PORT_1_", $name, "_LO"), concat!("PORT_1_", $name, "_HI"), concat!("Port 1: ", $doc, ", low half.")),)+],
        ]
    };
}

/// By port and counter: names of the halves, and what it counts.
const COUNTER_TEXTS: [[(&str, &str, &str); PortCounter::ALL.len()]; LANES] = texts! {
    "FRAMES_GOOD": "frames received that were good",
    "FRAMES_BAD_FCS": "frames received with a wrong FCS",
    "FRAMES_RUNT": "frames received of less than 64 bytes",
    "FRAMES_ERROR": "frames received with an error from the PHY",
    "OVERFLOWS": "frames received that met a full FIFO",
    "FRAMES_SENT": "frames sent",
    "FRAMES_BROKEN": "frames sent as bad",
    "UNDERRUNS": "frames sent as bad for want of bytes",
};

/// Names of the parts of LINK and what they say, by port.
const LINK_TEXTS: [[(&str, u32, &str); 3]; LANES] = [
    [
        ("up_0", 1, "Port 0: its PHY tells of a link."),
        ("speed_0", 2, "Port 0: 0 10 Mb/s, 1 100 Mb/s, 2 1 Gb/s."),
        ("full_duplex_0", 1, "Port 0: full duplex."),
    ],
    [
        ("up_1", 1, "Port 1: its PHY tells of a link."),
        ("speed_1", 2, "Port 1: 0 10 Mb/s, 1 100 Mb/s, 2 1 Gb/s."),
        ("full_duplex_1", 1, "Port 1: full duplex."),
    ],
];

/// The ports' block: the last.
pub(super) fn ports(host: Option<HostBinding>) -> RegisterBlock {
    let version = match host.map(|host| host.auth) {
        Some(HostAuth::SipHash24) => TAGGED_PORTS_BLOCK_VERSION,
        _ => PORTS_BLOCK_VERSION,
    };
    let mut registers = block_header(
        address::PORTS,
        BLOCK_PORTS,
        "11: Ethernet ports.",
        version,
        0,
    )
    .to_vec();
    registers.extend([
        Register::new(
            "LINK",
            address::LINK,
            Access::ReadOnly,
            field::LINK_BITS * LANES as u32,
            None,
            "What the PHYs tell of their links.",
        )
        .with_fields(link_fields()),
        Register {
            fields: host_fields(),
            ..constant(
                "HOST",
                address::HOST,
                host.map_or(0, |host| host.register()),
                "Where registers are reached over Ethernet; 0: nowhere.",
            )
        },
    ]);
    if let Some(host) = host {
        registers.extend(host_address(&host.address));
        if host.auth == HostAuth::SipHash24 {
            registers.extend(host_key());
        }
    }
    for (port, texts) in COUNTER_TEXTS.into_iter().enumerate() {
        for (counter, (low, high, doc)) in PortCounter::ALL.into_iter().zip(texts) {
            registers.extend(half_pair(counter.address_lo(port), low, high, doc));
        }
    }
    if host.is_some() {
        for counter in HostCounter::ALL {
            let (low, high, doc) = counter.text();
            registers.extend(half_pair(counter.address_lo(), low, high, doc));
        }
    }
    RegisterBlock {
        name: "ports",
        offset: address::PORTS,
        doc: "The Ethernet ports. Their 64-bit counters are read as the filter's: low, then high.",
        registers,
    }
}

/// The fields of HOST.
fn host_fields() -> Vec<Field> {
    vec![
        Field::new(
            "at_port",
            0,
            LANES as u32,
            "Bit p: the host port stands at port p.",
        ),
        Field::new(
            "tagged",
            field::HOST_TAGGED,
            1,
            "1: requests over Ethernet need a tag.",
        ),
        Field::new(
            "udp_port",
            field::HOST_UDP_PORT,
            16,
            "UDP port of Etherbone.",
        ),
    ]
}

/// Who the card is on its network.
fn host_address(card: &HostAddress) -> [Register; 3] {
    let [mac_lo, mac_hi] = card.mac_registers();
    [
        constant(
            "HOST_IP",
            address::HOST_IP,
            card.ip_register(),
            "The card's IPv4 address, its first byte the most significant.",
        ),
        constant(
            "HOST_MAC_LO",
            address::HOST_MAC_LO,
            mac_lo,
            "Last four bytes of the card's MAC address.",
        ),
        constant(
            "HOST_MAC_HI",
            address::HOST_MAC_HI,
            mac_hi,
            "First two bytes of the card's MAC address.",
        ),
    ]
}

/// The secret of the tags.
fn host_key() -> [Register; 4] {
    let texts = [
        (
            "HOST_KEY_0",
            "Secret of the tags, bits 31:0. Acts with the write of HOST_KEY_3; reads as 0; reset does not touch it. 0 (at power-up): no access over Ethernet.",
        ),
        ("HOST_KEY_1", "Secret, bits 63:32."),
        ("HOST_KEY_2", "Secret, bits 95:64."),
        ("HOST_KEY_3", "Secret, bits 127:96."),
    ];
    secret(address::HOST_KEY, Some(0), texts)
}

/// The fields of LINK, the lowest first.
fn link_fields() -> Vec<Field> {
    let mut lowest_bit = 0;
    LINK_TEXTS
        .into_iter()
        .flatten()
        .map(|(name, width, doc)| {
            let field = Field::new(name, lowest_bit, width, doc);
            lowest_bit += width;
            field
        })
        .collect()
}
