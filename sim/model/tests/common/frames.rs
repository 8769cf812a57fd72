//! Frames and packets made by hand.
#![allow(dead_code, reason = "the tests of two crates use parts of this")]

/// A frame of a type and what stands behind it.
pub fn frame(kind: u16, parts: &[&[u8]]) -> Vec<u8> {
    let mut frame = vec![2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2];
    frame.extend(kind.to_be_bytes());
    frame.extend(parts.concat());
    frame
}

/// An IPv4 packet from 10.0.0.1 to 10.0.0.2 with a right checksum.
pub fn ipv4(protocol: u8, options: &[u8], fragment_offset: u16, payload: &[u8]) -> Vec<u8> {
    let header_bytes = 20 + options.len();
    let mut packet = vec![0x40 | (header_bytes / 4) as u8, 0];
    packet.extend(((header_bytes + payload.len()) as u16).to_be_bytes());
    packet.extend([0x12, 0x34]);
    packet.extend(fragment_offset.to_be_bytes());
    packet.extend([64, protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
    packet.extend(options);
    let checksum = !sum(&packet);
    packet[10..12].copy_from_slice(&checksum.to_be_bytes());
    packet.extend(payload);
    packet
}

/// Ones' complement sum of an even number of bytes.
pub fn sum(bytes: &[u8]) -> u16 {
    let mut sum: u32 = bytes
        .chunks(2)
        .map(|half| u32::from(half[0]) << 8 | u32::from(half[1]))
        .sum();
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    sum as u16
}

/// An IPv6 packet from 2001:db8::1 to 2001:db8::2.
pub fn ipv6(next: u8, payload: &[u8]) -> Vec<u8> {
    let mut packet = vec![0x60, 0, 0, 0];
    packet.extend((payload.len() as u16).to_be_bytes());
    packet.extend([next, 64]);
    for last in [1, 2] {
        packet.extend([0x20, 1, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last]);
    }
    packet.extend(payload);
    packet
}

/// Source port 1000, destination port 2000.
pub const UDP: [u8; 8] = [3, 232, 7, 208, 0, 8, 0, 0];
