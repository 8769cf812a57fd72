//! Performance of a packet path: frames a second, the line rate that it keeps up with, latency, and room.

use super::{short, whole, Line};
use bloomline_hdl::packet::{keyed_frames_kept, latency_bound_clocks, lossless_frame_bytes};
use bloomline_spec::{Design, Packet, Ports, LANES, LEAST_FRAME_BYTES};
use bloomline_verify::text::per_second;
use serde::Serialize;

/// What Ethernet adds to a frame on the line: preamble and start delimiter (8), FCS (4), the least gap (12).
const LINE_BYTES: u32 = 24;
/// Clock cycles an item within which a line card takes minimum-size frames in both directions (`hdl/docs/linecard.md`, "Room and time").
const LINE_CARD_ITEM_CLOCKS: f64 = 32.0;
/// Bits a second of each port of a line card.
const PORT_RATE: f64 = 1e9;

/// A packet path, or each direction of a line card.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PathForecast {
    /// Bits a second of the fastest line that it keeps up with, whatever the lengths of its frames, with the output ready.
    pub line_bits_per_second: f64,
    /// Bytes of the frames, without FCS, that set this rate.
    pub slowest_frame_bytes: u32,
    /// Frames of minimum size a second.
    pub minimum_frames_per_second: f64,
    /// Most clocks from a frame's last byte to its first at the output, with nothing before it ([`latency_bound_clocks`]).
    pub latency_clocks: u32,
    /// Frames of minimum size that are kept at least, with keys, while the output is not ready.
    pub minimum_frames_kept: u32,
    /// Frames of `packet.max_frame_bytes` that are.
    pub longest_frames_kept: u32,
    /// Bytes of the longest frames of which none is lost where they come one right behind the other, for ever.
    pub lossless_frame_bytes: u32,
    #[serde(skip)]
    item_clocks: f64,
    #[serde(skip)]
    packet: Packet,
    #[serde(skip)]
    clock_hz: f64,
}

impl PathForecast {
    /// Of a design with a packet path; `lines` have its items a second.
    pub fn of(design: &Design, lines: &[Line]) -> Option<PathForecast> {
        let packet = design.packet()?;
        let timing = design.timing();
        let clock_hz = design.clock_hz() as f64;
        let items = lines.iter().find(|line| line.key == "items_per_second");
        let item_clocks = match items {
            Some(items) => clock_hz / items.value,
            None => timing.initiation_interval.into(),
        };
        let beats = |bytes: u32| bytes.div_ceil(packet.beat_bytes());
        let lanes = match packet.ports() {
            Ports::Streams => 1.0,
            Ports::Rgmii => LANES as f64,
        };
        // where keys come faster than the filter takes them, frames are lost: each is taken to have one
        let frames_per_second = |bytes| clock_hz / f64::from(beats(bytes)).max(lanes * item_clocks);
        let line_rate = |bytes: u32| 8.0 * f64::from(bytes + LINE_BYTES) * frames_per_second(bytes);
        let slowest_frame_bytes = (LEAST_FRAME_BYTES..=packet.max_frame_bytes())
            .min_by(|&a, &b| line_rate(a).total_cmp(&line_rate(b)))?;
        let keys = keyed_frames_kept(design)?;
        let frames = packet.frame_queue_frames().min(keys);
        let kept = |bytes| frames.min(packet.buffer_beats() / beats(bytes));
        Some(PathForecast {
            line_bits_per_second: match packet.ports() {
                Ports::Streams => line_rate(slowest_frame_bytes),
                Ports::Rgmii => line_rate(slowest_frame_bytes).min(PORT_RATE),
            },
            slowest_frame_bytes,
            minimum_frames_per_second: frames_per_second(LEAST_FRAME_BYTES),
            latency_clocks: latency_bound_clocks(design)?,
            minimum_frames_kept: kept(LEAST_FRAME_BYTES),
            longest_frames_kept: kept(packet.max_frame_bytes()),
            lossless_frame_bytes: lossless_frame_bytes(design)?,
            item_clocks,
            packet,
            clock_hz,
        })
    }

    /// A paragraph for people.
    pub fn text(&self) -> String {
        let packet = &self.packet;
        let bytes = |bytes: u32| whole(bytes.into());
        let longest = bytes(packet.max_frame_bytes());
        let lengths =
            format!("frames of any length from {LEAST_FRAME_BYTES} to {longest} bytes without FCS");
        let slowest = bytes(self.slowest_frame_bytes);
        let line = match packet.ports() {
            Ports::Streams => format!(
                "a line of up to {} Gb/s with {lengths} ({slowest} bytes are the slowest) at {} bits a clock cycle; of minimum size, {} frames a second",
                short(self.line_bits_per_second / 1e9),
                packet.data_bits(),
                per_second(self.minimum_frames_per_second),
            ),
            Ports::Rgmii if self.line_bits_per_second < PORT_RATE => format!(
                "up to {} Gb/s in both directions at once with {lengths} ({slowest} bytes are the slowest): the filter takes an item in {} clock cycles",
                short(self.line_bits_per_second / 1e9),
                clock_cycles(self.item_clocks),
            ),
            Ports::Rgmii => format!("1 Gb/s in both directions at once with {lengths}"),
        };
        format!(
            "Path: {line}. A frame leaves at most {} clock cycles ({} ns) after its last byte came, with nothing before it. While the output is not ready, \
             at least {} frames of minimum size or {} of {longest} bytes are kept; further ones are dropped whole and counted (OVERFLOWS)",
            self.latency_clocks,
            whole(1e9 * f64::from(self.latency_clocks) / self.clock_hz),
            self.minimum_frames_kept,
            self.longest_frames_kept,
        )
    }

    /// Frames that are lost though the output is ready.
    pub fn warnings(&self) -> Vec<String> {
        let packet = &self.packet;
        let mut warnings = Vec::new();
        // a minimum-size frame on a line that brings a beat a clock
        let line_clocks =
            f64::from(LEAST_FRAME_BYTES + LINE_BYTES) / f64::from(packet.beat_bytes());
        let (most, whose) = match packet.ports() {
            Ports::Streams => (line_clocks, "a frame of minimum size comes"),
            Ports::Rgmii => (LINE_CARD_ITEM_CLOCKS, "it must take one"),
        };
        if self.item_clocks > most {
            warnings.push(format!(
                "the filter takes an item in {} clock cycles, and on a full line {whose} in {}: beyond {} frames a second{} that have a key, frames are \
                 lost (OVERFLOWS); layout = \"partitioned\" takes an item a clock cycle",
                clock_cycles(self.item_clocks),
                clock_cycles(most),
                per_second(self.clock_hz / self.item_clocks),
                match packet.ports() {
                    Ports::Streams => "",
                    Ports::Rgmii => " in both directions together",
                },
            ));
        }
        let beats = |bytes: u32| bytes.div_ceil(packet.beat_bytes());
        let wait = packet.verdict_clocks();
        let behind = (beats(packet.max_frame_bytes()) + wait) / beats(LEAST_FRAME_BYTES);
        if behind > self.minimum_frames_kept {
            warnings.push(format!(
                "while a frame of packet.max_frame_bytes = {} bytes waits and leaves, up to {behind} of minimum size come, of which at least {} with a key are kept: \
                 the others may be lost (OVERFLOWS){}",
                packet.max_frame_bytes(),
                self.minimum_frames_kept,
                match packet.ports() {
                    Ports::Streams => "; a greater features.verdict_queue keeps more, and so does a lower max_frame_bytes",
                    Ports::Rgmii => "; lower max_frame_bytes",
                },
            ));
        }
        if packet.max_frame_bytes() > self.lossless_frame_bytes {
            let larger = packet.buffer_bytes() * 2;
            let advice = match u64::from(larger) <= *bloomline_spec::FRAME_BUFFER_BYTES.end() {
                true => format!("take {larger}"),
                false => "no buffer is larger".to_owned(),
            };
            warnings.push(format!(
                "packet.buffer_bytes = {} has no room for the next frame while one of packet.max_frame_bytes = {} leaves, so of frames of more than {} bytes that \
                 come one right behind the other some are lost (OVERFLOWS): {advice}, or lower max_frame_bytes",
                packet.buffer_bytes(),
                packet.max_frame_bytes(),
                self.lossless_frame_bytes,
            ));
        }
        warnings
    }
}

/// A number of clock cycles, which need not be whole.
fn clock_cycles(clocks: f64) -> String {
    match clocks.fract() < 1e-9 {
        true => whole(clocks),
        false => short(clocks),
    }
}

/// The warnings of a design's packet path, where it has one.
pub(super) fn warnings(design: &Design, lines: &[Line]) -> Vec<String> {
    PathForecast::of(design, lines).map_or_else(Vec::new, |path| path.warnings())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Filter;
    use bloomline_spec::PACKET_EXAMPLES;
    use std::path::Path;

    /// The example with these settings in the place of its own.
    fn path(edits: &[(&str, &str)]) -> (PathForecast, Vec<String>) {
        let (file, text) = PACKET_EXAMPLES[0];
        let mut text = text.to_owned();
        for (from, to) in edits {
            assert!(text.contains(from), "{from}");
            text = text.replacen(from, to, 1);
        }
        let filter = Filter::from_text(Path::new(file), text).expect("is legal");
        let path = PathForecast::of(filter.design(), filter.lines()).expect("has a packet path");
        (path, filter.warnings().to_vec())
    }

    const WIDE: (&str, &str) = ("data_bits = 8 ", "data_bits = 512 ");
    const TEN: (&str, &str) = ("data_bits = 8 ", "data_bits = 64 ");

    #[test]
    fn the_line_that_a_path_keeps_up_with_is_that_of_its_slowest_frames() {
        let rates = |clock: &str, width| {
            let (path, _) = path(&[("clock_hz = 125_000_000", clock), width]);
            let gigabits = (path.line_bits_per_second / 1e7).round() / 100.0;
            (
                gigabits,
                path.slowest_frame_bytes,
                path.minimum_frames_per_second.round(),
            )
        };
        let gigabit = ("data_bits = 8 ", "data_bits = 8 ");
        assert_eq!(
            rates("clock_hz = 125_000_000", gigabit),
            (1.02, 1518, 2_083_333.0)
        );
        assert_eq!(rates("clock_hz = 100_000_000", gigabit).0, 0.81);
        assert_eq!(
            rates("clock_hz = 156_250_000", TEN),
            (10.11, 1513, 19_531_250.0)
        );
        // two beats, the second of one byte
        assert_eq!(rates("clock_hz = 250_000_000", WIDE), (89.0, 65, 250e6));
        assert!(rates("clock_hz = 281_000_000", WIDE).0 >= 100.0);
    }

    #[test]
    fn frames_that_would_be_lost_with_the_output_ready_are_warned_of() {
        let about = |edits: &[(&str, &str)], what: &str| {
            let (_, warnings) = path(edits);
            warnings.iter().filter(|text| text.contains(what)).count()
        };
        let jumbo = ("max_frame_bytes = 1518", "max_frame_bytes = 16384");
        assert_eq!(about(&[jumbo], "packet.buffer_bytes = 16384"), 1);
        let fits = ("max_frame_bytes = 1518", "max_frame_bytes = 9018");
        assert_eq!(about(&[fits, WIDE], "packet.buffer_bytes"), 0);
        // 141 of minimum size come while it leaves, and 21 while it waits for its verdict; 32 + 64 are kept
        assert_eq!(
            about(
                &[fits, WIDE],
                "162 of minimum size come, of which at least 96"
            ),
            1
        );
        let deep = ("[key]", "[features]\nverdict_queue = 256\n\n[key]");
        assert_eq!(about(&[fits, WIDE, deep], "of minimum size come"), 0);
        assert_eq!(about(&[], "OVERFLOWS"), 0);
        let slow = [
            (
                "hashing = \"double\"",
                "hashing = \"double\"\nlayout = \"shared\"",
            ),
            WIDE,
        ];
        assert_eq!(
            about(&slow, "the filter takes an item in 14 clock cycles"),
            1
        );
        assert_eq!(about(&slow[..1], "OVERFLOWS"), 0);
    }
}
