//! Writes the frames that left the path to a capture file.

use super::error::PathError;
use pcap_file::pcap::{PcapHeader, PcapPacket, PcapWriter};
use pcap_file::DataLink;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

/// Writes frames into a pcap file; each has the time of its first clock at `clock_hz`.
///
/// # Errors
/// [`PathError::Capture`] when the file cannot be written.
pub fn write_capture<'a>(
    path: &Path,
    clock_hz: u64,
    frames: impl IntoIterator<Item = (u64, &'a [u8])>,
) -> Result<(), PathError> {
    let fail = |why: String| PathError::Capture {
        path: path.to_path_buf(),
        why,
    };
    let frames: Vec<_> = frames.into_iter().collect();
    let longest = frames.iter().map(|(_, frame)| frame.len()).max();
    let file = File::create(path)
        .map_err(|error| fail(format!("{error}; name a file in a folder that exists")))?;
    let header = PcapHeader {
        snaplen: u32::try_from(longest.unwrap_or(0))
            .map_or(u32::MAX, |longest| longest.max(65_535)),
        datalink: DataLink::ETHERNET,
        ..PcapHeader::default()
    };
    let mut writer = PcapWriter::with_header(BufWriter::new(file), header)
        .map_err(|error| fail(error.to_string()))?;
    for (clock, frame) in frames {
        let time = Duration::from_secs_f64(clock as f64 / clock_hz as f64);
        let length = u32::try_from(frame.len()).unwrap_or(u32::MAX);
        writer
            .write_packet(&PcapPacket::new(time, length, frame))
            .map_err(|error| fail(error.to_string()))?;
    }
    writer
        .into_writer()
        .flush()
        .map_err(|error| fail(error.to_string()))
}
