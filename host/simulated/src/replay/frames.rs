//! Frames of captures, as a replay sends them.

use super::error::ReplayError;
use bloomline_spec::mac::{FCS_BYTES, GAP_CLOCKS, MIN_FRAME_BYTES, PREAMBLE_BYTES};
use bloomline_spec::{Design, Ports, LANES};
use bloomline_stimulus::{Capture, CapturedFrame, LinkType, StimulusError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Frames of Ethernet of a capture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EthernetFrames {
    /// The frames, as they were captured.
    pub frames: Vec<CapturedFrame>,
    /// How many of them were captured in part.
    pub cut: u64,
    /// Records that are no frames of Ethernet.
    pub others: u64,
}

/// Frames of Ethernet of a capture, the first of them.
///
/// # Errors
/// [`StimulusError`] as [`Capture`]'s.
pub fn ethernet_frames(file: &Path, most: usize) -> Result<EthernetFrames, StimulusError> {
    let mut capture = Capture::open(file)?;
    let mut read = EthernetFrames::default();
    while read.frames.len() < most {
        let Some(captured) = capture.next_captured() else {
            break;
        };
        let captured = captured?;
        if captured.link == Some(LinkType::Ethernet) && !captured.bytes.is_empty() {
            read.cut += u64::from(captured.is_cut());
            read.frames.push(captured);
        } else {
            read.others += 1;
        }
    }
    Ok(read)
}

/// Frames that a replay sends, of one capture a port.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReplayFrames {
    /// Names of the captures.
    pub source: String,
    /// Frames by the port that they come at, in their length on the wire: what was not captured of one is 0.
    pub ports: [Arc<Vec<CapturedFrame>>; LANES],
    /// Records of the captures that are no frames of Ethernet.
    pub skipped: u64,
    /// Frames that the captures hold in part.
    pub cut: u64,
}

impl ReplayFrames {
    /// Reads the captures (pcap or pcapng, plain or gzip) whose frames come at each port, of each the first so many frames.
    ///
    /// # Errors
    /// [`ReplayError::Frames`] for a capture that cannot be read, [`ReplayError::NoFrames`] for one without a frame of Ethernet.
    pub fn read(
        captures: [Option<PathBuf>; LANES],
        most: usize,
    ) -> Result<ReplayFrames, ReplayError> {
        let (mut frames, mut names) = (ReplayFrames::default(), Vec::new());
        for (port, capture) in captures.into_iter().enumerate() {
            let Some(file) = capture else { continue };
            let read = ethernet_frames(&file, most)?;
            let name = file.display().to_string();
            if read.frames.is_empty() {
                return Err(ReplayError::NoFrames { source_name: name });
            }
            frames.ports[port] = Arc::new(read.frames);
            frames.skipped += read.others;
            frames.cut += read.cut;
            names.push(name);
        }
        frames.source = names.join(", ");
        Ok(frames)
    }

    /// Frames in all.
    pub fn count(&self) -> u64 {
        self.ports.iter().map(|frames| frames.len() as u64).sum()
    }

    /// The frames of a port one by one, each in its length on the wire.
    pub(super) fn of_port(&self, port: usize) -> impl Iterator<Item = Vec<u8>> + Send + 'static {
        let frames = Arc::clone(&self.ports[port]);
        (0..frames.len()).map(move |at| frames[at].filled(0))
    }

    /// Clocks in which the frames come at a packet path or line card of this design, without those of its reset and of its registers.
    pub fn clocks(&self, design: &Design) -> u64 {
        let Some(packet) = design.packet() else {
            return 0;
        };
        let clocks = |bytes: usize| match packet.ports() {
            Ports::Streams => bytes.div_ceil(packet.beat_bytes() as usize),
            Ports::Rgmii => {
                let frame = bytes.max(MIN_FRAME_BYTES - FCS_BYTES) + FCS_BYTES;
                PREAMBLE_BYTES + 1 + frame + GAP_CLOCKS
            }
        };
        let of = |frames: &Arc<Vec<CapturedFrame>>| -> u64 {
            let lengths = frames.iter().map(CapturedFrame::wire_bytes);
            lengths.map(|bytes| clocks(bytes) as u64).sum()
        };
        self.ports.iter().map(of).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_take_the_clocks_of_their_lengths_on_the_wire() {
        let frame = |captured: usize, frame_bytes| CapturedFrame {
            link: Some(LinkType::Ethernet),
            bytes: vec![0; captured],
            timestamp_ns: 0,
            frame_bytes,
        };
        let frames = ReplayFrames {
            ports: [
                Arc::new(vec![frame(96, 1514); 3]),
                Arc::new(vec![frame(42, 42); 10]),
            ],
            ..ReplayFrames::default()
        };
        let clocks = |(file, text): (&str, &str), width: &str| {
            let text = text.replace("data_bits = 8 ", width);
            let spec = bloomline_spec::FilterSpec::from_toml(&text, Path::new(file));
            let sizing = spec.and_then(|spec| spec.validate()).expect("is legal");
            let geometry = sizing.with_threshold(20_000).expect("is legal");
            frames.clocks(&Design::from(geometry))
        };
        // of a line with preamble, FCS and gap, of streams whole beats
        let line_card = bloomline_spec::LINECARD_EXAMPLES[0];
        assert_eq!(clocks(line_card, "data_bits = 8 "), 3 * (1514 + 24));
        let path = bloomline_spec::PACKET_EXAMPLES[0];
        assert_eq!(clocks(path, "data_bits = 8 "), 3 * 1514);
        assert_eq!(clocks(path, "data_bits = 512 "), 3 * 24);
    }

    #[test]
    fn frames_that_were_captured_in_part_come_in_their_length_on_the_wire() {
        let mut bytes = Vec::new();
        let words = |words: &[u32]| -> Vec<u8> {
            let bytes = words.iter().flat_map(|word| word.to_le_bytes());
            bytes.collect()
        };
        bytes.extend(words(&[0xA1B2_3C4D, 0x0004_0002, 0, 0, 96, 1]));
        for (captured, wire) in [(60, 60), (96, 1514), (96, u32::MAX), (0, 0)] {
            bytes.extend(words(&[1, 2, captured, wire]));
            bytes.extend(vec![5; captured as usize]);
        }
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), bytes).expect("written");
        let read = ethernet_frames(file.path(), usize::MAX).expect("a capture");
        let frames: Vec<Vec<u8>> = read.frames.iter().map(|frame| frame.filled(0)).collect();
        let lengths: Vec<usize> = frames.iter().map(Vec::len).collect();
        // of a length that no frame has comes one more than any buffer holds
        assert_eq!(
            (&lengths[..], read.cut, read.others),
            (&[60, 1514, 262_145][..], 2, 1)
        );
        assert!(frames[1][..96].iter().all(|&byte| byte == 5));
        assert!(frames[1][96..].iter().all(|&byte| byte == 0));
    }
}
