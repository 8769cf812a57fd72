//! The promises of the contract of a packet path, in numbers (`docs/packet.md`, `docs/linecard.md`, "Room and time").

use super::front;
use super::Beat;
use bloomline_spec::{
    Common, Design, KeySource, Ports, KEY_QUEUE_ITEMS, LINECARD_CLOCKS, LINECARD_HOST_CLOCKS,
    LINECARD_TUNNEL_CLOCKS,
};

/// Clocks from a frame's last byte at the stream to its first at the stream out, without the parser's ([`parser_clocks`]) and those of the filter, from an item to its verdict. Without
/// back-pressure, with nothing before it in the buffer, and with a key.
pub const PATH_CLOCKS: u32 = 10;

/// Clocks that the parser of a packet path, its class and its key take: from a frame's last beat at the stream until it is kept.
pub fn parser_clocks(common: &Common) -> Option<u32> {
    let packet = common.packet()?;
    let digest = common.key_format().packet_source() == KeySource::FrameDigest;
    Some(front::front_clocks(Beat::of(&packet), digest, packet.tunnels()) as u32)
}

/// Most clocks from a frame's last byte, or the last of the frame before it at the output, to its first there: at the streams, or at the pins of a line card, where
/// the first is that of the preamble.
pub fn latency_bound_clocks(design: &Design) -> Option<u32> {
    let packet = design.packet()?;
    let timing = design.timing();
    Some(match packet.ports() {
        // the filter may be within the interval of the item before
        Ports::Streams => {
            let path = PATH_CLOCKS + parser_clocks(design)?;
            path + timing.latency_clocks() + timing.longest_interval - 1
        }
        // an item of the other lane, and one of a host, may come first
        Ports::Rgmii => {
            let host = packet.host().map_or(0, |_| LINECARD_HOST_CLOCKS);
            let tunnels = match packet.tunnels().is_empty() {
                true => 0,
                false => LINECARD_TUNNEL_CLOCKS,
            };
            LINECARD_CLOCKS + host + tunnels + timing.latency_clocks() + 2 * timing.longest_interval
        }
    })
}

/// Bytes of the longest frames of which a packet path loses none where they come one right behind the other, for ever: each waits for its verdict, and
/// leaves while the next one comes.
pub fn lossless_frame_bytes(design: &Design) -> Option<u32> {
    let packet = design.packet()?;
    let waiting = PATH_CLOCKS + design.timing().latency_clocks();
    Some(packet.buffer_beats().saturating_sub(waiting) * packet.beat_bytes())
}

/// Frames with a key that a packet path, or a lane of a line card, keeps at least behind one that does not leave: their keys or verdicts wait.
pub fn keyed_frames_kept(design: &Design) -> Option<u32> {
    let packet = design.packet()?;
    Some(match packet.ports() {
        Ports::Streams => KEY_QUEUE_ITEMS + design.timing().verdict_queue_depth,
        // verdicts wait in the merge, which has twice as many places
        Ports::Rgmii => packet.frame_queue_frames(),
    })
}
