//! Geometry of the packet path around a card, and the values of its registers.

use crate::host_port::HostBinding;
use crate::values::words;
use crate::KeySource;
use serde::{de, Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Bytes of a frame, from its first on, that the parser reads at most: a header that lies behind them makes it too deep.
pub const PARSE_BYTES: u32 = 126;
/// UDP port that VXLAN goes to.
pub const VXLAN_PORT: u16 = 4_789;
/// UDP port that GTP-U goes to.
pub const GTP_U_PORT: u16 = 2_152;
/// Bits of a beat of frame data for which tunnels are opened.
pub const TUNNEL_DATA_BITS: [u32; 2] = [8, 64];
/// Bytes of an Ethernet and an IPv4 header: no frame with an IP packet is shorter.
const LEAST_IP_BYTES: u32 = 14 + 20;
/// Bytes of the shortest frame of Ethernet, without its FCS.
pub const LEAST_FRAME_BYTES: u32 = 60;
/// Items that may wait for the filter.
pub const KEY_QUEUE_ITEMS: u32 = 32;
/// Greatest differentiated-services code point.
pub const MAX_DSCP: u8 = 63;
/// Polynomial of the frame digest, CRC-64/XZ (ECMA-182, reflected, all ones before and after), highest power first, without
/// that of 64.
pub const DIGEST_POLYNOMIAL: u64 = 0x42F0_E1EB_A9EA_3693;

/// Widths of a beat of frame data, in bits.
pub const FRAME_DATA_BITS: [u32; 3] = [8, 64, 512];
/// Lanes of a line card, and its Ethernet ports.
pub const LANES: usize = 2;
/// Clock of a line card in hertz: that of RGMII at 1 Gb/s.
pub const LINECARD_CLOCK_HZ: u64 = 125_000_000;
/// Most clocks from a frame's last byte at the pins of one port of a line card to the first of its preamble at the other's, without those of
/// the filter from an item to its verdict, with nothing before it in either lane.
pub const LINECARD_CLOCKS: u32 = 68;
/// Most bytes of the longest frame of a line card: where its PHY's clock is 200 ppm faster, the FIFO behind the receiver
/// ([`MAC_FIFO_WORDS`](crate::mac::MAC_FIFO_WORDS)) takes up the ten bytes by which one of these is ahead in the end.
pub const LINECARD_MAX_FRAME_BYTES: u32 = 49_152;
/// Clocks that the parser of what tunnels hold adds to them.
pub const LINECARD_TUNNEL_CLOCKS: u32 = 5;
/// Most clocks that a host port at one of the two ports adds to them.
pub const LINECARD_HOST_CLOCKS: u32 = 8;

/// Least and most bytes of the frame buffer.
pub const FRAME_BUFFER_BYTES: std::ops::RangeInclusive<u64> = 4_096..=262_144;
/// Least and most bytes of the longest frame that is not oversize: those of the shortest frame of Ethernet without its FCS,
/// and what the register holds.
pub const MAX_FRAME_BYTES: std::ops::RangeInclusive<u64> = 60..=65_535;

words! {
    /// Where frames come from and go to (`packet.ports`).
    #[derive(Default)]
    Ports {
        /// AXI4-Stream in and out: one packet path.
        #[default]
        Streams = "streams",
        /// Two gigabit Ethernet ports on RGMII, each way a packet path, both through one filter: a line card.
        Rgmii = "rgmii",
    }
}

words! {
    /// A tunnel whose inner packet can be the key (`packet.tunnels`).
    Tunnel {
        /// Ethernet in UDP to port [`VXLAN_PORT`] (RFC 7348).
        Vxlan = "vxlan",
        /// IPv4, IPv6 or Ethernet behind a GRE header of version 0 (RFC 2784, RFC 2890).
        Gre = "gre",
        /// IPv4 or IPv6 right behind an IP header (RFC 2003, RFC 4213).
        IpInIp = "ip-in-ip",
        /// IPv4 or IPv6 in a G-PDU: UDP to port [`GTP_U_PORT`] (3GPP TS 29.281).
        GtpU = "gtp-u",
    }
}

/// Tunnels that a packet path opens: a set of [`Tunnel`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tunnels(u8);

impl Tunnels {
    /// These.
    pub fn of(tunnels: &[Tunnel]) -> Tunnels {
        Tunnels(
            tunnels
                .iter()
                .fold(0, |set, &tunnel| set | 1 << tunnel as u8),
        )
    }

    /// Whether this one is opened.
    pub fn has(self, tunnel: Tunnel) -> bool {
        self.0 >> tunnel as u8 & 1 == 1
    }

    /// Whether none is opened.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The tunnels, in the order of the documentation.
    pub fn iter(self) -> impl Iterator<Item = Tunnel> {
        let tunnels = Tunnel::ALL.iter().copied();
        tunnels.filter(move |&tunnel| self.has(tunnel))
    }
}

words! {
    /// What the packet path says of a frame. The number of a class is its place here; where more than one fits a frame, the
    /// highest counts.
    FrameClass {
        /// It has a key that the filter did not hold.
        Unseen = "unseen",
        /// It has a key that the filter held.
        Seen = "seen",
        /// It is no IP packet, or one of the version that the key's source does not name.
        Other = "other",
        /// A header, or the IP packet, is longer than the frame.
        Truncated = "truncated",
        /// Its headers contradict each other.
        Malformed = "malformed",
        /// A header lies behind the first [`PARSE_BYTES`] bytes.
        TooDeep = "too-deep",
        /// It has more than MAX_FRAME bytes.
        Oversize = "oversize",
        /// It was marked as bad where it came from.
        Bad = "bad",
    }
}

impl FrameClass {
    /// Number of classes.
    pub const COUNT: usize = 8;

    /// Number of the class, as in the addresses of its registers.
    pub fn number(self) -> u32 {
        self as u32
    }
}

/// What happens to a frame of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Policy {
    /// It goes on as it is.
    Pass,
    /// It does not go on.
    Drop,
    /// It goes on with this DSCP, from 0 to [`MAX_DSCP`], if it is an IP packet.
    Mark(u8),
}

/// Bits of a POLICY register: the action, from bit 0, and the DSCP.
const ACTION_BITS: u32 = 2;
const ACTION_DROP: u32 = 1;
const ACTION_MARK: u32 = 2;

impl Policy {
    /// Lowest bit of the DSCP in a POLICY register.
    pub const DSCP_BIT: u32 = 8;

    /// The value of a POLICY register that says this; the DSCP of a policy without one is 0.
    pub fn register(self) -> u32 {
        match self {
            Policy::Pass => 0,
            Policy::Drop => ACTION_DROP,
            Policy::Mark(dscp) => ACTION_MARK | u32::from(dscp & MAX_DSCP) << Policy::DSCP_BIT,
        }
    }

    /// What the value of a POLICY register says; other bits than those of action and DSCP say nothing, and action 3 passes.
    pub fn from_register(value: u32) -> Policy {
        match value & ((1 << ACTION_BITS) - 1) {
            ACTION_DROP => Policy::Drop,
            ACTION_MARK => Policy::Mark((value >> Policy::DSCP_BIT) as u8 & MAX_DSCP),
            _ => Policy::Pass,
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Policy::Pass => f.write_str("pass"),
            Policy::Drop => f.write_str("drop"),
            Policy::Mark(dscp) => write!(f, "mark:{dscp}"),
        }
    }
}

/// A word that is no policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no policy is called {word:?}; use \"pass\", \"drop\", or \"mark:N\" with a DSCP N from 0 to 63"
)]
pub struct UnknownPolicy {
    /// The word.
    pub word: String,
}

impl FromStr for Policy {
    type Err = UnknownPolicy;

    fn from_str(word: &str) -> Result<Policy, UnknownPolicy> {
        let unknown = || UnknownPolicy {
            word: word.to_owned(),
        };
        match word {
            "pass" => Ok(Policy::Pass),
            "drop" => Ok(Policy::Drop),
            _ => {
                let dscp = word.strip_prefix("mark:").ok_or_else(unknown)?;
                match dscp.parse() {
                    Ok(dscp) if dscp <= MAX_DSCP => Ok(Policy::Mark(dscp)),
                    _ => Err(unknown()),
                }
            }
        }
    }
}

impl Serialize for Policy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Policy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

/// The packet path around a card, validated: `[packet]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packet {
    pub(crate) ports: Ports,
    pub(crate) data_bits: u32,
    pub(crate) buffer_bytes: u32,
    pub(crate) max_frame_bytes: u32,
    pub(crate) learn: bool,
    pub(crate) mask_hops: bool,
    pub(crate) tunnels: Tunnels,
    pub(crate) trusted_keys: bool,
    /// Clocks from an item to its verdict.
    pub(crate) verdict_clocks: u32,
    pub(crate) policies: [Policy; FrameClass::COUNT],
    pub(crate) host: Option<HostBinding>,
}

impl Packet {
    /// Where frames come from and go to.
    pub fn ports(&self) -> Ports {
        self.ports
    }

    /// Bits of a beat of frame data: 8, 64 or 512.
    pub fn data_bits(&self) -> u32 {
        self.data_bits
    }

    /// Beats of the shortest frame that has a key: Ethernet and IPv4 headers, or anything where the key is a digest.
    pub fn fewest_beats(&self, source: KeySource) -> u64 {
        let bytes = match source {
            KeySource::FrameDigest => 1,
            _ => LEAST_IP_BYTES,
        };
        u64::from(bytes.div_ceil(self.beat_bytes()))
    }

    /// Bytes of a beat of frame data.
    pub fn beat_bytes(&self) -> u32 {
        self.data_bits / 8
    }

    /// Bytes of the frame buffer, a power of two.
    pub fn buffer_bytes(&self) -> u32 {
        self.buffer_bytes
    }

    /// Beats of the frame buffer, a power of two.
    pub fn buffer_beats(&self) -> u32 {
        self.buffer_bytes / self.beat_bytes()
    }

    /// Clocks from an item to its verdict, where the filter takes items as they come.
    pub fn verdict_clocks(&self) -> u32 {
        self.verdict_clocks
    }

    /// Frames that the frame queue holds, a power of two: as many of minimum size as come one right behind the other until the longest frame, which
    /// came before them, has its verdict (where the filter takes items as they come) and has left. At least 64, at 8 bits 256: as many of minimum size as the default buffer.
    pub fn frame_queue_frames(&self) -> u32 {
        let beats = |bytes: u32| bytes.div_ceil(self.beat_bytes());
        let clocks = beats(self.max_frame_bytes) + self.verdict_clocks;
        let frames = clocks.div_ceil(beats(LEAST_FRAME_BYTES));
        let least = if self.data_bits == 8 { 256 } else { 64 };
        frames.next_power_of_two().max(least)
    }

    /// Bytes of the longest frame that is not oversize, at reset.
    pub fn max_frame_bytes(&self) -> u32 {
        self.max_frame_bytes
    }

    /// Whether items are test-and-inserts (else queries), at reset.
    pub fn learn(&self) -> bool {
        self.learn
    }

    /// Whether the frame digest leaves out what changes with each hop.
    pub fn mask_hops(&self) -> bool {
        self.mask_hops
    }

    /// Tunnels whose inner packet is the key.
    pub fn tunnels(&self) -> Tunnels {
        self.tunnels
    }

    /// Whether the specification says that all senders of frames are trusted. It changes nothing of the gateware.
    pub fn trusted_keys(&self) -> bool {
        self.trusted_keys
    }

    /// Where registers are reached over Ethernet and who the card is there, if they are; only with two Ethernet ports.
    pub fn host(&self) -> Option<HostBinding> {
        self.host
    }

    /// What happens to the frames of a class, at reset.
    pub fn policy(&self, class: FrameClass) -> Policy {
        self.policies[class as usize]
    }
}
