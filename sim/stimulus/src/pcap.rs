//! Reads captures in pcap and pcapng format, plain or gzip.

use super::{decode_frame, input, LinkType, Record, Skip, StimulusError};
use pcap_file::pcap::PcapReader;
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::pcapng::PcapNgReader;
use pcap_file::{Endianness, PcapError, TsResolution};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

/// What a capture has given so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CaptureCounts {
    /// Frames read.
    pub frames: u64,
    /// Frames that gave a record.
    pub records: u64,
    /// Frames that gave none, by reason.
    pub skipped: BTreeMap<Skip, u64>,
}

/// The flow records of a capture file, in the order of its frames.
///
/// Frames without flow fields are counted ([`Capture::counts`]) and left out. After an error it gives nothing more.
pub struct Capture {
    path: PathBuf,
    compressed: bool,
    reader: Reader,
    counts: CaptureCounts,
    /// Frames or blocks read so far.
    position: u64,
    /// Where the next one begins.
    offset: u64,
    ended: bool,
}

type Input = std::io::Chain<Cursor<Vec<u8>>, Box<dyn Read>>;

enum Reader {
    Pcap {
        reader: Box<PcapReader<Input>>,
        link: LinkType,
        ns_per_tick: u64,
    },
    PcapNg(Box<PcapNgReader<Input>>),
}

/// A frame as it was captured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapturedFrame {
    /// How it begins; `None` where that is not decoded.
    pub link: Option<LinkType>,
    /// What was captured of it.
    pub bytes: Vec<u8>,
    /// Time of capture in nanoseconds since 1970.
    pub timestamp_ns: u64,
    /// Length on the wire in bytes.
    pub frame_bytes: u32,
}

impl CapturedFrame {
    /// The flow fields, as [`decode_frame`] reads them.
    ///
    /// # Errors
    /// Why the frame has none.
    pub fn record(&self) -> Result<Record, Skip> {
        let link = self.link.ok_or(Skip::NotIp)?;
        decode_frame(link, &self.bytes, self.timestamp_ns, self.frame_bytes)
    }
}

/// A frame or, in pcapng, a block without one.
struct Frame {
    captured: Option<CapturedFrame>,
    bytes_in_file: u64,
}

/// Block types of pcapng that hold a frame; the first of them is obsolete.
const PACKET_BLOCK: u32 = 2;
const SIMPLE_PACKET_BLOCK: u32 = 3;
const ENHANCED_PACKET_BLOCK: u32 = 6;

/// Enough to tell the kinds apart and to read the length of the first pcapng block.
const HEAD_BYTES: u64 = 12;
const PCAP_HEADER_BYTES: u64 = 24;
const PCAP_RECORD_HEADER_BYTES: u64 = 16;

impl Capture {
    /// Opens a capture; the kind is told by its first bytes, not by its name.
    ///
    /// # Errors
    /// When the file cannot be read, is no capture, ends within its header, or has a link type that is not decoded (pcapng:
    /// frames of such interfaces are counted as [`Skip::NotIp`]).
    pub fn open(path: &Path) -> Result<Self, StimulusError> {
        let (mut source, compressed) = input::open(path)?;
        let mut head = Vec::new();
        let fail = |source| StimulusError::Open {
            path: path.to_path_buf(),
            source,
        };
        source
            .by_ref()
            .take(HEAD_BYTES)
            .read_to_end(&mut head)
            .map_err(fail)?;
        let magic = head.first_chunk().copied();
        let input = Cursor::new(head.clone()).chain(source);
        let bad_header = |why: PcapError| StimulusError::BadCapture {
            path: path.to_path_buf(),
            record: 0,
            offset: 0,
            compressed,
            why: format!("the file header is wrong: {}", describe(&why)),
        };
        let (reader, offset) = match magic {
            Some([0x0a, 0x0d, 0x0d, 0x0a]) => {
                let reader = Box::new(PcapNgReader::new(input).map_err(bad_header)?);
                let length = head[4..].first_chunk().copied().unwrap_or_default();
                let section_bytes = match reader.section().endianness {
                    Endianness::Big => u32::from_be_bytes(length),
                    Endianness::Little => u32::from_le_bytes(length),
                };
                (Reader::PcapNg(reader), u64::from(section_bytes))
            }
            // Microseconds and nanoseconds, either byte order.
            Some(
                [0xa1, 0xb2, 0xc3, 0xd4]
                | [0xd4, 0xc3, 0xb2, 0xa1]
                | [0xa1, 0xb2, 0x3c, 0x4d]
                | [0x4d, 0x3c, 0xb2, 0xa1],
            ) => {
                let reader = Box::new(PcapReader::new(input).map_err(bad_header)?);
                let header = reader.header();
                // The upper half says how many check bytes a frame ends with.
                let number = u32::from(header.datalink) & 0xffff;
                let link =
                    LinkType::from_number(number).ok_or_else(|| StimulusError::LinkType {
                        path: path.to_path_buf(),
                        link_type: number,
                    })?;
                let ns_per_tick = match header.ts_resolution {
                    TsResolution::MicroSecond => 1000,
                    TsResolution::NanoSecond => 1,
                };
                (
                    Reader::Pcap {
                        reader,
                        link,
                        ns_per_tick,
                    },
                    PCAP_HEADER_BYTES,
                )
            }
            _ => {
                let found = head
                    .iter()
                    .take(4)
                    .map(|byte| format!("{byte:02x}"))
                    .collect::<Vec<_>>()
                    .join(" ");
                let found = if found.is_empty() {
                    "nothing".to_string()
                } else {
                    found
                };
                return Err(StimulusError::NotACapture {
                    path: path.to_path_buf(),
                    found,
                });
            }
        };
        Ok(Self {
            path: path.to_path_buf(),
            compressed,
            reader,
            counts: CaptureCounts::default(),
            position: 0,
            offset,
            ended: false,
        })
    }

    /// What it has given so far.
    pub fn counts(&self) -> &CaptureCounts {
        &self.counts
    }

    fn next_frame(&mut self) -> Option<Result<Frame, PcapError>> {
        match &mut self.reader {
            Reader::Pcap {
                reader,
                link,
                ns_per_tick,
            } => {
                // Raw, because the crate's own check refuses frames longer than the snapshot length, which are good.
                let result = reader.next_raw_packet()?;
                Some(result.map(|packet| {
                    let seconds = u64::from(packet.ts_sec) * 1_000_000_000;
                    let timestamp = seconds + u64::from(packet.ts_frac) * *ns_per_tick;
                    Frame {
                        bytes_in_file: PCAP_RECORD_HEADER_BYTES + packet.data.len() as u64,
                        captured: Some(CapturedFrame {
                            link: Some(*link),
                            timestamp_ns: timestamp,
                            frame_bytes: packet.orig_len,
                            bytes: packet.data.into_owned(),
                        }),
                    }
                }))
            }
            Reader::PcapNg(reader) => {
                // Raw, because the crate reads every timestamp as nanoseconds and stops at comments that are not UTF-8.
                let result = reader.next_raw_block()?;
                let result = result.map(|block| {
                    (
                        block.type_,
                        u64::from(block.initial_len),
                        block.body.into_owned(),
                    )
                });
                Some(result.and_then(|(kind, bytes_in_file, body)| {
                    let big_endian = reader.section().endianness == Endianness::Big;
                    Ok(Frame {
                        captured: captured_in(kind, &body, big_endian, reader.interfaces())?,
                        bytes_in_file,
                    })
                }))
            }
        }
    }
}

impl Capture {
    /// The next frame as it was captured, decoded or not; [`CaptureCounts::frames`] counts it, and nothing else does.
    ///
    /// # Errors
    /// When the file ends in the middle of it, or its length is wrong.
    pub fn next_captured(&mut self) -> Option<Result<CapturedFrame, StimulusError>> {
        while !self.ended {
            let frame = match self.next_frame() {
                Some(Ok(frame)) => frame,
                Some(Err(error)) => {
                    self.ended = true;
                    return Some(Err(StimulusError::BadCapture {
                        path: self.path.clone(),
                        record: self.position + 1,
                        offset: self.offset,
                        compressed: self.compressed,
                        why: describe(&error),
                    }));
                }
                None => break,
            };
            self.position += 1;
            self.offset += frame.bytes_in_file;
            if let Some(captured) = frame.captured {
                self.counts.frames += 1;
                return Some(Ok(captured));
            }
        }
        self.ended = true;
        None
    }
}

impl Iterator for Capture {
    type Item = Result<Record, StimulusError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let captured = match self.next_captured()? {
                Ok(captured) => captured,
                Err(error) => return Some(Err(error)),
            };
            match captured.record() {
                Ok(record) => {
                    self.counts.records += 1;
                    return Some(Ok(record));
                }
                Err(skip) => *self.counts.skipped.entry(skip).or_default() += 1,
            }
        }
    }
}

impl std::fmt::Debug for Capture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Capture")
            .field("path", &self.path)
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

fn describe(error: &PcapError) -> String {
    match error {
        PcapError::IncompleteBuffer => END.to_string(),
        PcapError::IoError(source) if source.kind() == std::io::ErrorKind::UnexpectedEof => {
            END.to_string()
        }
        PcapError::IoError(source) => source.to_string(),
        other => other.to_string(),
    }
}

const END: &str = "the file ends in the middle of it, or its length is wrong; copy the capture again, or let `editcap IN OUT` keep its whole records";

/// Reads the packet blocks of pcapng (enhanced, simple, and the obsolete one); other blocks hold no frame.
fn captured_in(
    kind: u32,
    body: &[u8],
    big_endian: bool,
    interfaces: &[InterfaceDescriptionBlock<'static>],
) -> Result<Option<CapturedFrame>, PcapError> {
    const TOO_SHORT: PcapError = PcapError::InvalidField("packet block shorter than its fields");
    let word = |index: usize| -> Result<u32, PcapError> {
        let bytes = body
            .get(4 * index..)
            .and_then(|rest| rest.first_chunk())
            .ok_or(TOO_SHORT)?;
        Ok(if big_endian {
            u32::from_be_bytes(*bytes)
        } else {
            u32::from_le_bytes(*bytes)
        })
    };
    let (interface_number, ticks, captured, original, data) = match kind {
        SIMPLE_PACKET_BLOCK => {
            let limit = interfaces.first().map_or(0, |interface| interface.snaplen);
            let original = word(0)?;
            let captured = if limit == 0 {
                original
            } else {
                original.min(limit)
            };
            (0, 0, captured, original, &body[4..])
        }
        ENHANCED_PACKET_BLOCK | PACKET_BLOCK => {
            let ticks = u64::from(word(1)?) << 32 | u64::from(word(2)?);
            // The obsolete block keeps a drop count beside a 16-bit interface number.
            let number = match (kind, big_endian) {
                (PACKET_BLOCK, true) => word(0)? >> 16,
                (PACKET_BLOCK, false) => word(0)? & 0xffff,
                _ => word(0)?,
            };
            (number, ticks, word(3)?, word(4)?, &body[20..])
        }
        _ => return Ok(None),
    };
    let data = data.get(..captured as usize).ok_or(TOO_SHORT)?;
    let interface = interfaces
        .get(interface_number as usize)
        .ok_or(PcapError::InvalidInterfaceId(interface_number))?;
    Ok(Some(CapturedFrame {
        link: LinkType::from_number(u32::from(interface.linktype)),
        bytes: data.to_vec(),
        timestamp_ns: nanoseconds(ticks, &interface.options),
        frame_bytes: original,
    }))
}

/// Time of a pcapng packet: ticks of the interface's resolution (microseconds unless it says otherwise) after its offset.
fn nanoseconds(ticks: u64, options: &[InterfaceDescriptionOption<'_>]) -> u64 {
    let (mut resolution, mut offset_seconds) = (6_u8, 0_u64);
    for option in options {
        match option {
            InterfaceDescriptionOption::IfTsResol(value) => resolution = *value,
            InterfaceDescriptionOption::IfTsOffset(seconds) => offset_seconds = *seconds,
            _ => {}
        }
    }
    let exponent = u32::from(resolution & 0x7f);
    let billions = u128::from(ticks) * 1_000_000_000;
    let ns = if resolution & 0x80 != 0 {
        billions.checked_shr(exponent).unwrap_or(0)
    } else {
        10_u128
            .checked_pow(exponent)
            .map_or(0, |unit| billions / unit)
    };
    u64::try_from(ns + u128::from(offset_seconds) * 1_000_000_000).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_follow_the_resolution_of_their_interface() {
        let resolution = InterfaceDescriptionOption::IfTsResol;
        assert_eq!(nanoseconds(1_500_000, &[]), 1_500_000_000);
        assert_eq!(nanoseconds(1_500_000, &[resolution(9)]), 1_500_000);
        assert_eq!(
            nanoseconds(1_500_000_000_000, &[resolution(12)]),
            1_500_000_000
        );
        assert_eq!(nanoseconds(3 << 9, &[resolution(0x8a)]), 1_500_000_000);
        assert_eq!(
            nanoseconds(
                2,
                &[resolution(0), InterfaceDescriptionOption::IfTsOffset(10)]
            ),
            12_000_000_000
        );
        assert_eq!(nanoseconds(u64::MAX, &[resolution(127)]), 0);
        assert_eq!(nanoseconds(u64::MAX, &[resolution(0)]), u64::MAX);
    }
}
