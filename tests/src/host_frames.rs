//! Frames for the host port: all that it answers, and each field of it harmed.

use bloomline_driver::mailbox::{Request, RECORD, RECORD_WORDS, REQUEST, REQUEST_WORDS};
use bloomline_driver::packet::Packet;
use bloomline_simulated::linecard::HostPeer;
use bloomline_spec::host_port::{HostAddress, HOST_PAYLOAD_BYTES};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// A frame on its way to the host port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostFrame {
    /// Without FCS.
    pub bytes: Vec<u8>,
    /// Its last beat says that it is bad.
    pub bad: bool,
}

fn draw_peer(rng: &mut ChaCha8Rng) -> HostPeer {
    let mut mac: [u8; 6] = rng.random();
    if !rng.random_ratio(1, 20) {
        // else a group's, which nobody sends from
        mac[0] &= !1;
    }
    let ip = match rng.random_range(0..8) {
        0 => [0xFF; 4],
        1 => [0; 4],
        _ => rng.random(),
    };
    let port = rng.random();
    HostPeer { mac, ip, port }
}

/// The internet checksum over `parts` of even length but for the last.
fn checksum(parts: &[&[u8]]) -> [u8; 2] {
    let sum: u64 = parts
        .iter()
        .flat_map(|part| part.chunks(2))
        .map(|pair| u64::from(pair[0]) << 8 | u64::from(*pair.get(1).unwrap_or(&0)))
        .sum();
    let left = (sum % 0xFFFF) as u16;
    // sums to all ones with it, and no sum of these is 0
    (!left).to_be_bytes()
}

/// Makes the checksums right that a frame has, as far as it is one.
fn repair(frame: &mut [u8]) {
    if frame.len() < 42 {
        return;
    }
    frame[24..26].fill(0);
    let check = checksum(&[&frame[14..34]]);
    frame[24..26].copy_from_slice(&check);
    let total = usize::from(u16::from_be_bytes([frame[16], frame[17]]));
    let end = (14 + total).min(frame.len()).max(42);
    match frame[23] {
        1 => {
            frame[36..38].fill(0);
            let check = checksum(&[&frame[34..end]]);
            frame[36..38].copy_from_slice(&check);
        }
        17 => {
            frame[40..42].fill(0);
            let pseudo = [&frame[26..34], &[0, 17], &frame[38..40]].concat();
            let check = checksum(&[&pseudo, &frame[34..end]]);
            frame[40..42].copy_from_slice(&check);
        }
        _ => {}
    }
}

/// First byte and bytes of each field of a frame with an Etherbone packet; echo and ARP have theirs in the same places.
const FIELDS: [(usize, usize); 29] = [
    (0, 6),
    (6, 1),
    (6, 6),
    (12, 2),
    (14, 1),
    (15, 1),
    (16, 2),
    (18, 2),
    (20, 2),
    (22, 1),
    (23, 1),
    (24, 2),
    (26, 4),
    (30, 4),
    (34, 2),
    (36, 2),
    (38, 2),
    (40, 2),
    (42, 2),
    (44, 1),
    (45, 1),
    (46, 4),
    (50, 1),
    (51, 1),
    (52, 1),
    (53, 1),
    (54, 4),
    (58, 4),
    (62, 40),
];

fn harm(rng: &mut ChaCha8Rng, frame: &mut Vec<u8>) {
    match rng.random_range(0..10) {
        0 => frame.truncate(rng.random_range(1..=frame.len())),
        1 => frame.extend((0..rng.random_range(1..40)).map(|_| 0xA5)),
        _ => {
            let (from, bytes) = FIELDS[rng.random_range(0..FIELDS.len())];
            let at = from + rng.random_range(0..bytes);
            if let Some(byte) = frame.get_mut(at) {
                *byte = match rng.random_range(0..4) {
                    0 => rng.random(),
                    1 => byte.wrapping_add(1),
                    2 => byte.wrapping_sub(1),
                    _ => *byte ^ 1 << rng.random_range(0..8),
                };
            }
            if rng.random_bool(0.85) {
                repair(frame);
            }
        }
    }
}

fn address(rng: &mut ChaCha8Rng) -> u32 {
    match rng.random_range(0..12) {
        0 => rng.random(),
        1 => rng.random_range(0..0x1000),
        2 => RECORD + rng.random_range(0..32),
        3 => REQUEST - 8 + rng.random_range(0..48),
        _ => rng.random_range(0..0x800),
    }
}

fn words(rng: &mut ChaCha8Rng, most: usize) -> Vec<u32> {
    (0..rng.random_range(1..=most))
        .map(|_| rng.random())
        .collect()
}

/// A packet of any kind; `count` is what the mailbox counts now, and most requests have a tag under `secret`.
fn packet(rng: &mut ChaCha8Rng, count: u32, secret: Option<u128>) -> Vec<u8> {
    let long = rng.random_bool(0.05);
    let most = if long { 58 } else { 4 };
    let reads = |rng: &mut ChaCha8Rng| {
        let addresses = (0..rng.random_range(1..=most))
            .map(|_| address(rng))
            .collect();
        Some((rng.random(), addresses))
    };
    let packet = match rng.random_range(0..10) {
        0 => Packet {
            probe: true,
            probe_reply: rng.random_bool(0.2),
            ..Packet::default()
        },
        1 => Packet {
            writes: Some((address(rng), words(rng, most))),
            ..Packet::default()
        },
        2 | 3 => Packet {
            reads: reads(rng),
            ..Packet::default()
        },
        4 => Packet {
            writes: Some((address(rng), words(rng, most))),
            reads: reads(rng),
            ..Packet::default()
        },
        5 => Packet {
            reads: (rng.random_bool(0.7)).then(|| (1, vec![0; rng.random_range(122..=124)])),
            ..Packet::default()
        },
        _ => {
            let request = Request {
                tag: rng.random(),
                write: rng.random(),
                address: address(rng),
                data: rng.random(),
                expect: count.wrapping_add(rng.random_range(0..8) / 7),
            };
            let mut written = match secret {
                Some(secret) if rng.random_bool(0.95) => {
                    let other = u128::from(rng.random_bool(0.05)) << rng.random_range(0..128);
                    request.encode_with_tag(secret ^ other).to_vec()
                }
                _ => request.encode().to_vec(),
            };
            if secret.is_some() && written.len() > REQUEST_WORDS && rng.random_bool(0.15) {
                // one half of the tag is right
                let place = rng.random_range(REQUEST_WORDS..written.len());
                written[place] ^= 1 << rng.random_range(0..32);
            }
            if rng.random_bool(0.1) {
                let place = rng.random_range(0..written.len());
                written[place] ^= 1 << rng.random_range(0..32);
            }
            let addresses = (0..RECORD_WORDS as u32).map(|i| RECORD + 4 * i).collect();
            Packet {
                writes: Some((REQUEST, written)),
                reads: rng.random_bool(0.9).then(|| (rng.random(), addresses)),
                ..Packet::default()
            }
        }
    };
    let mut bytes = packet.encode();
    if rng.random_ratio(1, 12) {
        // a list that is longer than the packet, or shorter
        let count = rng.random_range(10..12);
        bytes[count] = bytes[count].wrapping_add([1, 2, 0xFF][rng.random_range(0..3)]);
    }
    bytes
}

/// A frame of any kind, good or not; `count` is what the mailbox counts now, and most requests have a tag under `secret`, if there is one.
pub fn host_frame(
    rng: &mut ChaCha8Rng,
    card: &HostAddress,
    count: u32,
    secret: Option<u128>,
) -> HostFrame {
    let peer = draw_peer(rng);
    let bytes_of = |rng: &mut ChaCha8Rng, length: usize| -> Vec<u8> {
        (0..length).map(|_| rng.random()).collect()
    };
    let mut bytes = match rng.random_range(0..20) {
        0..3 => {
            let length = rng.random_range(1..80);
            bytes_of(rng, length)
        }
        3 => {
            let length = rng.random_range(6..60);
            let rest = bytes_of(rng, length);
            [&card.mac[..], &rest].concat()[..length].to_vec()
        }
        4 | 5 => {
            let to = if rng.random() { card.mac } else { [0xFF; 6] };
            peer.arp(card, to)
        }
        6..9 => {
            let length = match rng.random_range(0..8) {
                0 => HOST_PAYLOAD_BYTES - 2 + rng.random_range(0..4),
                1 => rng.random_range(0..200),
                _ => rng.random_range(0..30),
            };
            let data = bytes_of(rng, length);
            peer.echo(card, rng.random(), &data)
        }
        _ => {
            let mut payload = packet(rng, count, secret);
            if rng.random_bool(0.1) {
                let more = rng.random_range(1..9);
                payload.extend(bytes_of(rng, more));
            }
            let mut frame = peer.datagram(card, &payload);
            match rng.random_range(0..10) {
                0..3 => frame[40..42].fill(0),
                3 => frame[..6].fill(0xFF),
                4 => frame[rng.random_range(0..6)] ^= 1 << rng.random_range(0..8),
                _ => {}
            }
            frame
        }
    };
    if rng.random_bool(0.45) {
        harm(rng, &mut bytes);
    }
    if bytes.len() < 60 && rng.random_bool(0.5) {
        bytes.resize(60, 0);
    }
    HostFrame {
        bad: rng.random_bool(0.05),
        bytes,
    }
}
