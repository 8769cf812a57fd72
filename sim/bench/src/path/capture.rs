//! Writes the frames that left the path to a capture file.

use super::error::PathError;
use bloomline_toolchain::whole_file;
use pcap_file::pcap::{PcapHeader, PcapPacket, PcapWriter};
use pcap_file::{DataLink, Endianness, TsResolution};
use std::path::Path;
use std::time::Duration;

/// Writes frames into a pcap file with times in nanoseconds; each has the time of its first clock at `clock_hz`. The file is written whole or not at all.
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
    let header = PcapHeader {
        snaplen: u32::try_from(longest.unwrap_or(0))
            .map_or(u32::MAX, |longest| longest.max(65_535)),
        datalink: DataLink::ETHERNET,
        ts_resolution: TsResolution::NanoSecond,
        endianness: Endianness::Big,
        ..PcapHeader::default()
    };
    let mut writer =
        PcapWriter::with_header(Vec::new(), header).map_err(|error| fail(error.to_string()))?;
    for (clock, frame) in frames {
        let length = u32::try_from(frame.len()).unwrap_or(u32::MAX);
        writer
            .write_packet(&PcapPacket::new(time(clock, clock_hz), length, frame))
            .map_err(|error| fail(error.to_string()))?;
    }
    whole_file::write(path, writer.into_writer()).map_err(|error| {
        fail(format!(
            "{error}; an earlier file of that name is as it was: name a file in a folder with room for it"
        ))
    })
}

/// When a clock begins, to the nanosecond below.
fn time(clock: u64, clock_hz: u64) -> Duration {
    let rest = u128::from(clock % clock_hz) * 1_000_000_000 / u128::from(clock_hz);
    Duration::new(clock / clock_hz, u32::try_from(rest).unwrap_or(0))
}
