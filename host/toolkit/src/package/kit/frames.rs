//! Frames for the testbench of a packet path, and what leaves in their place.

use bloomline_model::{PathFilter, PathModel};
use bloomline_spec::Design;
use serde_json::{json, Value};

/// A frame that comes, without FCS, and what leaves for it.
#[derive(Debug, Clone)]
pub struct Passed {
    /// From the destination address on.
    pub came: Vec<u8>,
    /// By the model; nothing where it is dropped.
    pub left: Option<Vec<u8>>,
}

/// Frames of three flows over IPv4, one of them with a VLAN tag, of one over IPv6, and one that is no IP; each flow more than once.
pub fn frames(design: &Design) -> Vec<Passed> {
    let Some(mut model) = PathModel::new(PathFilter::new(design)) else {
        return Vec::new();
    };
    let frames = [
        ethernet(&[0x08, 0x00], &ipv4(1, 20)),
        ethernet(&[0x08, 0x00], &ipv4(2, 61)),
        ethernet(&[0x08, 0x00], &ipv4(1, 20)),
        ethernet(&[0x08, 0x06], &[0x55; 46]),
        ethernet(&[0x81, 0x00, 0x00, 0x05, 0x08, 0x00], &ipv4(3, 90)),
        ethernet(&[0x86, 0xDD], &ipv6(7, 33)),
        ethernet(&[0x08, 0x00], &ipv4(3, 90)),
        ethernet(&[0x86, 0xDD], &ipv6(7, 33)),
        ethernet(&[0x08, 0x00], &ipv4(2, 61)),
    ];
    frames
        .into_iter()
        .map(|came| Passed {
            left: model.pass(&came, false),
            came,
        })
        .collect()
}

/// The frames as the manifest lists them, bytes in hexadecimal.
pub fn listed(design: &Design) -> Vec<Value> {
    let text =
        |bytes: &[u8]| -> String { bytes.iter().map(|byte| format!("{byte:02x}")).collect() };
    let frames = frames(design).into_iter();
    frames
        .map(|frame| json!({ "came": text(&frame.came), "left": frame.left.as_deref().map(text) }))
        .collect()
}

/// A frame of minimum size at least.
fn ethernet(kind: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x02, 0, 0, 0, 0, 1, 0x02, 0, 0, 0, 0, 2];
    frame.extend(kind);
    frame.extend(payload);
    frame.resize(frame.len().max(60), 0);
    frame
}

/// A UDP datagram of a flow, without a checksum.
fn udp(flow: u8, bytes: u16) -> Vec<u8> {
    let mut datagram = [0x10, flow, 0x13, 0x88].to_vec();
    datagram.extend((bytes + 8).to_be_bytes());
    datagram.extend([0, 0]);
    datagram.extend((0..bytes).map(|byte| byte as u8));
    datagram
}

fn ipv4(flow: u8, bytes: u16) -> Vec<u8> {
    let datagram = udp(flow, bytes);
    let mut header = vec![0x45, 0];
    header.extend((20 + datagram.len() as u16).to_be_bytes());
    header.extend([0, flow, 0x40, 0, 64, 17, 0, 0, 10, 0, 0, flow, 10, 0, 0, 99]);
    let words = header
        .chunks(2)
        .map(|word| u32::from(word[0]) << 8 | u32::from(word[1]));
    let sum: u32 = words.sum();
    let folded = (sum & 0xFFFF) + (sum >> 16);
    let checksum = !((folded & 0xFFFF) + (folded >> 16)) as u16;
    header[10..12].copy_from_slice(&checksum.to_be_bytes());
    header.extend(datagram);
    header
}

fn ipv6(flow: u8, bytes: u16) -> Vec<u8> {
    let datagram = udp(flow, bytes);
    let mut header = vec![0x60, 0, 0, 0];
    header.extend((datagram.len() as u16).to_be_bytes());
    header.extend([17, 64]);
    for last in [flow, 99] {
        header.extend([0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last]);
    }
    header.extend(datagram);
    header
}

/// A frame on the line: preamble, the frame padded to 60 bytes, FCS.
pub fn wire_bytes(frame: &[u8]) -> Vec<u8> {
    let mut padded = frame.to_vec();
    padded.resize(frame.len().max(60), 0);
    let mut crc = u32::MAX;
    for byte in &padded {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = crc >> 1 ^ if crc & 1 == 1 { 0xEDB8_8320 } else { 0 };
        }
    }
    let preamble = [[0x55; 7].as_slice(), &[0xD5]].concat();
    [preamble, padded, (!crc).to_le_bytes().to_vec()].concat()
}
