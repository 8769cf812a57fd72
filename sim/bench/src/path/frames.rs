//! Random frames of every type that the parser distinguishes.

use bloomline_spec::{Packet, Tunnel, GTP_U_PORT, VXLAN_PORT};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::ops::Range;

/// A frame as it is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedFrame {
    /// Its bytes, at least one.
    pub bytes: Vec<u8>,
    /// It is marked as bad.
    pub bad: bool,
}

impl OfferedFrame {
    /// A good frame of these bytes.
    pub fn good(bytes: Vec<u8>) -> OfferedFrame {
        OfferedFrame { bytes, bad: false }
    }
}

/// Which frames come, as probabilities of a frame unless said otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameMix {
    /// Flows that plain packets are drawn from.
    pub flows: u64,
    /// A plain packet of such a flow; what is left is a packet of anything under tags, labels, extensions.
    pub plain: f64,
    /// A packet that is not plain is in a tunnel.
    pub tunnelled: f64,
    /// Bytes of its headers are damaged, or it is cut (not of plain ones).
    pub damaged: f64,
    /// It is bad.
    pub bad: f64,
    /// It has a few bytes only.
    pub tiny: f64,
    /// It is as long as this at most, by what its payload or its padding has.
    pub longest: usize,
    /// It is made longer than its headers ask for; all others have 60 bytes at least and seldom more.
    pub long: f64,
    /// Its last eight bytes are its number.
    pub numbered: bool,
}

impl FrameMix {
    /// Plain packets of minimum size from so many flows.
    pub fn minimum(flows: u64) -> FrameMix {
        FrameMix {
            flows,
            plain: 1.0,
            tunnelled: 0.0,
            damaged: 0.0,
            bad: 0.0,
            tiny: 0.0,
            longest: 60,
            long: 0.0,
            numbered: false,
        }
    }

    /// A mix of any kind.
    pub fn draw(packet: &Packet, rng: &mut SmallRng) -> FrameMix {
        let mut pick = |choices: &[f64]| choices[rng.random_range(0..choices.len())];
        let longest = pick(&[60.0, 300.0, 300.0, 1518.0, 1600.0, 5000.0]) as usize;
        FrameMix {
            flows: pick(&[2.0, 20.0, 1000.0, 1e12]) as u64,
            plain: pick(&[0.0, 0.5, 0.9, 1.0]),
            tunnelled: match packet.tunnels().is_empty() {
                true => 0.0,
                false => 0.7,
            },
            damaged: pick(&[0.0, 0.3, 1.0]),
            bad: pick(&[0.0, 0.02, 0.3]),
            tiny: pick(&[0.0, 0.0, 0.05, 0.5]),
            // now and then one that no buffer holds
            longest: longest.min(packet.buffer_bytes() as usize + 200),
            long: pick(&[0.0, 0.1, 0.9]),
            numbered: false,
        }
    }

    /// A mix of frames that differ from each other.
    pub fn serial(packet: &Packet, rng: &mut SmallRng) -> FrameMix {
        FrameMix {
            plain: 1.0,
            tiny: 0.0,
            damaged: 0.0,
            numbered: true,
            ..FrameMix::draw(packet, rng)
        }
    }
}

/// Makes frames without end.
#[derive(Debug)]
pub struct FrameMaker {
    mix: FrameMix,
    rng: SmallRng,
    made: u64,
}

/// Protocols of packets, with ports and without.
const PROTOCOLS: [u8; 10] = [6, 17, 33, 132, 136, 1, 47, 58, 59, 4];
const SHORTEST: usize = 60;

impl FrameMaker {
    /// Frames of `mix`, a function of `seed`.
    pub fn new(mix: FrameMix, seed: u64) -> FrameMaker {
        FrameMaker {
            mix,
            rng: SmallRng::seed_from_u64(seed),
            made: 0,
        }
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.rng.fill(&mut bytes[..]);
        bytes
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.rng.random_range(0..choices.len())]
    }

    /// A packet of UDP, or of TCP's first bytes, with addresses and ports of a flow.
    fn plain(&mut self) -> Vec<u8> {
        let flow = self.rng.random_range(0..self.mix.flows).to_be_bytes();
        let long = self.long();
        let version = if flow[7] & 4 == 0 { 4 } else { 6 };
        let mut ip = vec![0; if version == 4 { 20 } else { 40 }];
        let least = if version == 4 { 8 } else { 6 };
        let payload = long.saturating_sub(14 + ip.len()).max(least);
        ip[0] = version << 4;
        ip[1] = self.rng.random();
        if version == 4 {
            ip[0] |= 5;
            let total = (20 + payload).min(65_535) as u16;
            ip[2..4].copy_from_slice(&total.to_be_bytes());
            (ip[8], ip[9]) = (64, 17);
            ip[12..16].copy_from_slice(&flow[..4]);
            ip[16..20].copy_from_slice(&flow[4..]);
            let sum: u32 = ip
                .chunks(2)
                .map(|half| u32::from(half[0]) << 8 | u32::from(half[1]))
                .sum();
            let sum = (sum & 0xFFFF) + (sum >> 16);
            let checksum = !((sum & 0xFFFF) + (sum >> 16)) as u16;
            ip[10..12].copy_from_slice(&checksum.to_be_bytes());
        } else {
            let length = payload.min(65_535) as u16;
            ip[4..6].copy_from_slice(&length.to_be_bytes());
            (ip[6], ip[7]) = (6, 64);
            ip[8..16].copy_from_slice(&flow);
            ip[24..32].copy_from_slice(&flow);
        }
        let kind: u16 = if version == 4 { 0x0800 } else { 0x86DD };
        let mut frame = self.bytes(12);
        frame.extend(kind.to_be_bytes());
        frame.extend(ip);
        frame.extend([flow[7], flow[6], 0, 53]);
        frame.extend(self.bytes(payload - 4));
        frame
    }

    /// Bytes that a frame ought to have.
    fn long(&mut self) -> usize {
        match self.rng.random_bool(self.mix.long) {
            true => self
                .rng
                .random_range(SHORTEST..=self.mix.longest.max(SHORTEST)),
            false => 0,
        }
    }

    /// A packet of anything.
    fn wild(&mut self) -> Vec<u8> {
        let version = self.pick(&[4, 6]);
        let body = match self.tunnelled() {
            true => self.tunnel(version),
            false => self.packet(version),
        };
        self.link(version, body)
    }

    /// Whether the next packet is in a tunnel; nothing is drawn where none ever is.
    fn tunnelled(&mut self) -> bool {
        self.mix.tunnelled > 0.0 && self.rng.random_bool(self.mix.tunnelled)
    }

    /// A frame of Ethernet with a packet of a version under tags and labels, or under a type that is not IP's.
    fn link(&mut self, version: u8, mut body: Vec<u8>) -> Vec<u8> {
        let mut kind: u16 = match self.pick(&[0, 0, 0, 0, 0, 0, 0, 1]) {
            1 => self.pick(&[0x0806, 0x8864, 0x6558, 46, 1500, 0x0801]),
            _ if version == 4 => 0x0800,
            _ => 0x86DD,
        };
        if self.rng.random_bool(0.25) {
            let labels = self.pick(&[1, 1, 1, 2, 3, 20, 27]);
            let mut stack = self.bytes(4 * labels);
            for (place, label) in stack.chunks_mut(4).enumerate() {
                label[2] = label[2] & !1 | u8::from(place + 1 == labels);
            }
            body = [stack, body].concat();
            kind = self.pick(&[0x8847, 0x8847, 0x8848]);
        }
        for _ in 0..self.pick(&[0, 0, 0, 0, 1, 1, 2, 3, 5, 24]) {
            body = [&self.bytes(2)[..], &kind.to_be_bytes(), &body].concat();
            kind = self.pick(&[0x8100, 0x88A8, 0x9100]);
        }
        let mut frame = self.bytes(12);
        frame.extend(kind.to_be_bytes());
        frame.extend(body);
        frame
    }

    /// An IP packet with options or extension headers.
    fn packet(&mut self, version: u8) -> Vec<u8> {
        let next = self.pick(&PROTOCOLS);
        let payload = self.rng.random_range(0..60);
        let behind = self.bytes(payload);
        self.around(version, next, behind)
    }

    /// An IP packet with options or extension headers around these bytes of a protocol.
    fn around(&mut self, version: u8, mut next: u8, mut behind: Vec<u8>) -> Vec<u8> {
        for _ in 0..self.pick(&[0, 0, 0, 1, 1, 2, 3, 6]) {
            let kind = match version {
                4 => 51,
                _ => self.pick(&[43, 44, 51, 60]),
            };
            behind = [self.extension(kind, next), behind].concat();
            next = kind;
        }
        if version == 6 && self.rng.random_bool(0.2) {
            behind = [self.extension(0, next), behind].concat();
            next = 0;
        }
        let mut header = self.bytes(if version == 4 { 20 } else { 40 });
        if version == 4 {
            let options = 4 * self.pick(&[0, 0, 0, 0, 1, 2, 10]);
            header[0] = 0x45 + (options / 4) as u8;
            let total = (20 + options + behind.len()) as u16;
            header[2..4].copy_from_slice(&total.to_be_bytes());
            if self.rng.random_bool(0.8) {
                header[6..8].fill(0);
            }
            header[9] = next;
            header.extend(self.bytes(options));
        } else {
            header[0] = 0x60 | header[0] & 0xF;
            header[4..6].copy_from_slice(&(behind.len() as u16).to_be_bytes());
            header[6] = next;
        }
        header.extend(behind);
        header
    }

    /// A packet in a tunnel: most are what they ought to be, inside and out.
    fn tunnel(&mut self, version: u8) -> Vec<u8> {
        let (inner_version, mut inner) = match self.rng.random_range(0..10) {
            0..3 => {
                let packet = self.plain().split_off(14);
                (packet[0] >> 4, packet)
            }
            3 => (4, self.tunnel(4)),
            _ => {
                let version = self.pick(&[4, 6]);
                (version, self.packet(version))
            }
        };
        // a whole packet around one that is not
        if self.rng.random_bool(self.mix.damaged) {
            let length = if inner_version == 4 { 2 } else { 4 };
            match inner.get_mut(length..length + 2) {
                // a length that the headers do not fit into
                Some(bytes) if self.rng.random_bool(0.2) => {
                    bytes.copy_from_slice(&[0, self.rng.random_range(0..30)]);
                }
                _ => self.damage_in(&mut inner, 0..24),
            }
        }
        let (next, behind) = match self.pick(Tunnel::ALL) {
            Tunnel::IpInIp => {
                let right = if inner_version == 4 { 4 } else { 41 };
                (self.pick(&[right, right, right, right, 4, 41]), inner)
            }
            Tunnel::Gre => (47, self.gre(inner_version, inner)),
            Tunnel::Vxlan => {
                let flags = self.pick(&[8, 8, 8, 8, 8, 0x0C, 0x88, 0xFF, 0]);
                let mut header = self.udp(VXLAN_PORT);
                header.extend([flags, 0, 0, 0]);
                header.extend(self.bytes(4));
                (17, [header, self.link(inner_version, inner)].concat())
            }
            Tunnel::GtpU => (17, [self.gtp_u(), inner].concat()),
        };
        let mut packet = self.around(version, next, behind);
        if version == 4 && self.rng.random_bool(0.1) {
            // more fragments, a later one, and one that must not be cut
            packet[6..8].copy_from_slice(&self.pick(&[[0x20, 0], [0, 1], [0x40, 0]]));
        }
        packet
    }

    /// A UDP header; now and then the port is a neighbour of the one that it ought to be.
    fn udp(&mut self, port: u16) -> Vec<u8> {
        let mut header = self.bytes(8);
        let port = port ^ self.pick(&[0, 0, 0, 0, 0, 0, 0, 1]);
        header[2..4].copy_from_slice(&port.to_be_bytes());
        header
    }

    /// A GRE header with some of its optional words, and behind it the packet, or an Ethernet frame with it.
    fn gre(&mut self, version: u8, inner: Vec<u8>) -> Vec<u8> {
        let flags: u8 = self.rng.random::<u8>() & 0xB0;
        let strange = self.pick(&[0, 0, 0, 0, 0, 0, 1, 2]);
        let (flags, second) = match strange {
            0 => (flags, 0),
            // bits that are ignored, and those that are not
            1 => (flags | self.pick(&[1, 2, 3]), self.pick(&[0x80, 0xF8])),
            _ => (flags | self.pick(&[0, 0x40, 8, 4]), self.pick(&[0, 1, 7])),
        };
        let own: u16 = if version == 4 { 0x0800 } else { 0x86DD };
        let kind = self.pick(&[own, own, own, own, 0x6558, 0x6558, 0x88BE, 0x0800]);
        let inside = match kind {
            0x6558 => self.link(version, inner),
            _ => inner,
        };
        let mut header = vec![flags, second];
        header.extend(kind.to_be_bytes());
        header.extend(self.bytes(4 * (flags & 0xB0).count_ones() as usize));
        [header, inside].concat()
    }

    /// UDP and GTP-U headers with extensions.
    fn gtp_u(&mut self) -> Vec<u8> {
        let mut header = self.udp(GTP_U_PORT);
        let more: u8 = self.pick(&[0, 0, 1, 2, 4, 4, 4, 6, 7]);
        header.push(self.pick(&[0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x38, 0x20, 0x50]) | more);
        header.push(self.pick(&[255, 255, 255, 255, 255, 255, 1, 26]));
        header.extend(self.bytes(6));
        if more != 0 {
            header.extend(self.bytes(3));
            let mut extensions = self.pick(&[0, 1, 1, 1, 2, 3, 6]);
            // a type that says nothing where there is no chain
            if more & 4 == 0 {
                header.push(self.rng.random());
                extensions = 0;
            } else {
                header.push(if extensions == 0 { 0 } else { 0x85 });
            }
            for left in (0..extensions).rev() {
                let words: u8 = self.pick(&[1, 1, 1, 2, 3, 40, 0]);
                let mut extension = self.bytes(4 * usize::from(words.max(1)));
                extension[0] = words;
                *extension.last_mut().expect("has a word") = if left == 0 { 0 } else { 0xC0 };
                header.extend(extension);
            }
        }
        header
    }

    fn extension(&mut self, kind: u8, next: u8) -> Vec<u8> {
        let units: u8 = self.rng.random_range(0..4);
        let length = match kind {
            51 => 4 * (usize::from(units) + 2),
            44 => 8,
            _ => 8 * (usize::from(units) + 1),
        };
        let mut header = self.bytes(length);
        (header[0], header[1]) = (next, units);
        if kind == 44 && self.rng.random_bool(0.6) {
            header[2..4].fill(0);
        }
        header
    }

    /// Damages a frame: some bytes, a cut, both, or nothing.
    fn damage(&mut self, frame: &mut Vec<u8>) {
        self.damage_in(frame, 12..140);
    }

    /// Damages headers that stand in these bytes.
    fn damage_in(&mut self, frame: &mut Vec<u8>, headers: Range<usize>) {
        for _ in 0..self.pick(&[0, 0, 1, 1, 2, 4]) {
            let reach = frame.len().min(headers.end);
            if reach > headers.start {
                let at = self.rng.random_range(headers.start..reach);
                frame[at] = match self.rng.random_range(0..3) {
                    0 => self.rng.random(),
                    1 => frame[at] ^ 1 << self.rng.random_range(0..8),
                    _ => self.pick(&[0, 1, 4, 6, 43, 44, 51, 60, 0x45, 0x60, 0xFF]),
                };
            }
        }
        if self.rng.random_bool(0.25) {
            let length = self.rng.random_range(1..=frame.len().max(1));
            frame.truncate(length);
        }
    }

    /// The next frame, good or bad.
    pub fn make(&mut self) -> OfferedFrame {
        let number = self.made;
        self.made += 1;
        let bad = self.rng.random_bool(self.mix.bad);
        if self.rng.random_bool(self.mix.tiny) {
            let length = self.rng.random_range(1..40);
            let bytes = self.bytes(length);
            return OfferedFrame { bytes, bad };
        }
        let plain = self.rng.random_bool(self.mix.plain);
        let mut bytes = if plain { self.plain() } else { self.wild() };
        if !plain && self.rng.random_bool(self.mix.damaged) {
            self.damage(&mut bytes);
        } else {
            let padded = match plain {
                true => SHORTEST,
                false => self.long().max(SHORTEST),
            };
            let padding = padded.saturating_sub(bytes.len());
            bytes.extend(self.bytes(padding));
        }
        if self.mix.numbered {
            let place = bytes.len() - 8;
            bytes[place..].copy_from_slice(&number.to_be_bytes());
        }
        OfferedFrame { bytes, bad }
    }
}

impl Iterator for FrameMaker {
    type Item = OfferedFrame;

    fn next(&mut self) -> Option<OfferedFrame> {
        Some(self.make())
    }
}
