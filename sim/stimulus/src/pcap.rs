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
        fcs_bytes: u32,
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
    /// Length on the wire in bytes, without the FCS.
    pub frame_bytes: u32,
}

/// Most bytes that a frame is filled up to: one more than libpcap's greatest snapshot length and than the greatest frame buffer, so that a longer frame,
/// which only the segments of a host's network card are, or a damaged record claims to be, overflows the buffer as it would in its full length.
const MAX_FILLED_BYTES: usize = 262_145;

/// Bytes of FCS that frames of a pcap file end with: its link type says how many halves of a word, where it says so at all.
fn fcs_bytes(link_type: u32) -> u32 {
    const IS_SAID: u32 = 1 << 26;
    match link_type & IS_SAID {
        0 => 0,
        _ => 2 * (link_type >> 28),
    }
}

/// The same of an interface of a pcapng file; its option is in octets or, as earlier drafts of the format have it, in bits.
fn fcs_bytes_of(options: &[InterfaceDescriptionOption<'_>]) -> u32 {
    let said = options.iter().find_map(|option| match option {
        InterfaceDescriptionOption::IfFcsLen(length) => Some(u32::from(*length)),
        _ => None,
    });
    match said.unwrap_or(0) {
        bits @ (16 | 32 | 64) => bits / 8,
        bytes @ 0..=8 => bytes,
        _ => 0,
    }
}

impl CapturedFrame {
    /// The frame without what was captured of the FCS at its end.
    fn without_fcs(mut self, fcs_bytes: u32) -> Self {
        self.frame_bytes = self.frame_bytes.saturating_sub(fcs_bytes);
        if fcs_bytes > 0 {
            self.bytes.truncate(self.frame_bytes as usize);
        }
        self
    }

    /// Whether less was captured of it than went over the wire.
    pub fn is_cut(&self) -> bool {
        self.bytes.len() < self.frame_bytes as usize
    }

    /// Bytes of the frame in its length on the wire; of one that was cut 262,145 at most, or what was captured of it if that is more.
    pub fn wire_bytes(&self) -> usize {
        let filled = (self.frame_bytes as usize).min(MAX_FILLED_BYTES);
        self.bytes.len().max(filled)
    }

    /// The frame in the length of [`Self::wire_bytes`]: what was not captured is `fill`.
    pub fn filled(&self, fill: u8) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        bytes.resize(self.wire_bytes(), fill);
        bytes
    }

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
                let field = u32::from(header.datalink);
                let number = field & 0xffff;
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
                        fcs_bytes: fcs_bytes(field),
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
                fcs_bytes,
            } => {
                // Raw, because the crate's own check refuses frames longer than the snapshot length, which are good.
                let result = reader.next_raw_packet()?;
                Some(result.map(|packet| {
                    let seconds = u64::from(packet.ts_sec) * 1_000_000_000;
                    let timestamp = seconds + u64::from(packet.ts_frac) * *ns_per_tick;
                    let captured = CapturedFrame {
                        link: Some(*link),
                        timestamp_ns: timestamp,
                        frame_bytes: packet.orig_len,
                        bytes: packet.data.into_owned(),
                    };
                    Frame {
                        bytes_in_file: PCAP_RECORD_HEADER_BYTES + captured.bytes.len() as u64,
                        captured: Some(captured.without_fcs(*fcs_bytes)),
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

/// What is wrong with a record, and what to do about it.
fn describe(error: &PcapError) -> String {
    const COPY: &str = "copy the capture again, or let `editcap IN OUT` keep its whole records";
    let cut = || format!("the file ends in the middle of it, or its length is wrong; {COPY}");
    match error {
        PcapError::IncompleteBuffer => cut(),
        PcapError::IoError(source) if source.kind() == std::io::ErrorKind::UnexpectedEof => cut(),
        PcapError::IoError(source) => format!("cannot be read: {source}; copy the capture again"),
        PcapError::InvalidInterfaceId(number) => format!(
            "its frame is of interface {number} (counted from 0), which no block before it describes; {COPY}"
        ),
        PcapError::InvalidField(rule) => {
            let rule = match *rule {
                "Block: (initial_len % 4) != 0" => "the length of its block must be a multiple of 4",
                "Block: initial_len < 12" => "the length of its block must be at least 12",
                "Block: initial_length != trailer_length" => {
                    "the lengths at the begin and at the end of its block differ"
                }
                other => other,
            };
            format!("{rule}; {COPY}")
        }
        PcapError::Utf8Error(_) | PcapError::FromUtf8Error(_) => {
            "a text in it is not UTF-8; `editcap -F pcap IN OUT` makes a copy without texts".to_owned()
        }
    }
}

/// Reads the packet blocks of pcapng (enhanced, simple, and the obsolete one); other blocks hold no frame.
fn captured_in(
    kind: u32,
    body: &[u8],
    big_endian: bool,
    interfaces: &[InterfaceDescriptionBlock<'static>],
) -> Result<Option<CapturedFrame>, PcapError> {
    const TOO_SHORT: PcapError =
        PcapError::InvalidField("its block is shorter than the lengths in it say");
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
    let captured = captured as usize;
    let (data, options) = data.split_at_checked(captured).ok_or(TOO_SHORT)?;
    // options begin with the next word
    let padding = captured.next_multiple_of(4) - captured;
    let options = options
        .get(padding..)
        .filter(|_| kind != SIMPLE_PACKET_BLOCK);
    let interface = interfaces
        .get(interface_number as usize)
        .ok_or(PcapError::InvalidInterfaceId(interface_number))?;
    let captured = CapturedFrame {
        link: LinkType::from_number(u32::from(interface.linktype)),
        bytes: data.to_vec(),
        timestamp_ns: nanoseconds(ticks, &interface.options),
        frame_bytes: original,
    };
    // what a packet says goes before what its interface says
    let fcs_bytes = options
        .and_then(|options| fcs_bytes_in_flags(options, big_endian))
        .unwrap_or_else(|| fcs_bytes_of(&interface.options));
    Ok(Some(captured.without_fcs(fcs_bytes)))
}

/// Bytes of FCS that the flags among a packet's options say (`epb_flags`, and `pack_flags` of the obsolete block): bits 8 to 5, where 0 says nothing.
fn fcs_bytes_in_flags(mut options: &[u8], big_endian: bool) -> Option<u32> {
    const END: u16 = 0;
    const FLAGS: u16 = 2;
    loop {
        let (head, rest) = options.split_first_chunk::<4>()?;
        let half = |bytes: [u8; 2]| match big_endian {
            true => u16::from_be_bytes(bytes),
            false => u16::from_le_bytes(bytes),
        };
        let (code, length) = (
            half([head[0], head[1]]),
            usize::from(half([head[2], head[3]])),
        );
        if code == FLAGS && length == 4 {
            let flags = *rest.first_chunk()?;
            let flags = match big_endian {
                true => u32::from_be_bytes(flags),
                false => u32::from_le_bytes(flags),
            };
            return Some(flags >> 5 & 0xF).filter(|&bytes| bytes > 0);
        }
        if code == END {
            return None;
        }
        options = rest.get(length.next_multiple_of(4)..)?;
    }
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
    fn the_fcs_that_a_capture_says_it_has_is_no_part_of_its_frames() {
        let frame = |bytes: &[u8], frame_bytes, fcs| {
            let captured = CapturedFrame {
                link: Some(LinkType::Ethernet),
                bytes: bytes.to_vec(),
                timestamp_ns: 0,
                frame_bytes,
            };
            let left = captured.without_fcs(fcs);
            (left.bytes.len(), left.frame_bytes)
        };
        assert_eq!(fcs_bytes(1), 0);
        assert_eq!(fcs_bytes(0x2400_0001), 4);
        assert_eq!(fcs_bytes(0x2000_0001), 0, "without the bit that says so");
        let length = InterfaceDescriptionOption::IfFcsLen;
        assert_eq!(
            [0, 4, 32, 99].map(|n| fcs_bytes_of(&[length(n)])),
            [0, 4, 4, 0]
        );
        assert_eq!(fcs_bytes_of(&[]), 0);
        assert_eq!(frame(&[1; 64], 64, 4), (60, 60));
        assert_eq!(frame(&[1; 62], 64, 4), (60, 60), "cut in the FCS");
        assert_eq!(frame(&[1; 50], 64, 4), (50, 60), "cut before it");
        assert_eq!(frame(&[1; 2], 2, 4), (0, 0));
        assert_eq!(frame(&[1; 64], 60, 0), (64, 60), "as it came");
        // and where it stands in a file
        let words = [
            0xA1B2_C3D4_u32,
            0x0002_0004,
            0,
            0,
            65_535,
            0x2400_0001,
            1,
            2,
            64,
            64,
        ];
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        bytes.extend([7; 64]);
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), bytes).expect("written");
        let mut capture = Capture::open(file.path()).expect("a capture");
        let captured = capture.next_captured().expect("a frame").expect("whole");
        assert_eq!((captured.bytes.len(), captured.frame_bytes), (60, 60));
    }

    #[test]
    fn the_fcs_that_a_packet_says_it_has_is_no_part_of_it() {
        // section, interface of Ethernet without options, packets; words in either byte order
        for big_endian in [false, true] {
            let word = |word: u32| match big_endian {
                true => word.to_be_bytes(),
                false => word.to_le_bytes(),
            };
            let half = |half: u16| match big_endian {
                true => half.to_be_bytes(),
                false => half.to_le_bytes(),
            };
            let block = |kind: u32, body: Vec<u8>| -> Vec<u8> {
                let length = word(12 + body.len() as u32);
                [&word(kind)[..], &length, &body, &length].concat()
            };
            let flags = |bytes: u32| -> Vec<u8> {
                let flags = word(bytes << 5 | 1);
                [&half(2)[..], &half(4), &flags].concat()
            };
            let comment = [&half(1)[..], &half(5), b"noted\0\0\0"].concat();
            let packet = |options: Vec<u8>| {
                let head: Vec<u8> = [0, 0, 0, 66, 66].into_iter().flat_map(word).collect();
                block(6, [head, vec![7; 66], vec![0; 2], options].concat())
            };
            let end = vec![0; 4];
            let header = [&word(0x1A2B_3C4D)[..], &half(1), &half(0), &[0xFF; 8]].concat();
            let mut fcs_len = [&half(1)[..], &half(0), &word(0), &half(13), &half(1)].concat();
            fcs_len.extend([4, 0, 0, 0, 0, 0, 0, 0]);
            let file = [
                block(0x0A0D_0D0A, header),
                block(1, fcs_len),
                packet(vec![]),
                packet([flags(2), end.clone()].concat()),
                packet([comment.clone(), flags(8), end.clone()].concat()),
                packet([comment, end.clone(), flags(8)].concat()),
                packet([flags(0), end].concat()),
                packet(vec![0, 9, 0xFF, 0xFF]),
            ]
            .concat();
            let place = tempfile::NamedTempFile::new().expect("a file");
            std::fs::write(place.path(), file).expect("written");
            let mut capture = Capture::open(place.path()).expect("a capture");
            let mut lengths = Vec::new();
            while let Some(frame) = capture.next_captured() {
                let frame = frame.expect("whole");
                assert_eq!(frame.bytes.len(), frame.frame_bytes as usize);
                lengths.push(frame.frame_bytes);
            }
            // 4 of the interface where the packet says nothing that can be read
            assert_eq!(lengths, [62, 64, 58, 62, 62, 62], "{big_endian}");
        }
    }

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

    /// A capture of one record of Ethernet: 64 bytes of it, and its length on the wire.
    fn with_length(frame_bytes: u32) -> Vec<u8> {
        let head = [0xA1B2_C3D4, 0x0002_0004, 0, 0, 262_144, 1];
        let record = [1, 2, 64, frame_bytes];
        let words = head.into_iter().chain(record);
        let mut bytes: Vec<u8> = words.flat_map(u32::to_be_bytes).collect();
        bytes.extend([7; 64]);
        bytes
    }

    #[test]
    fn a_frame_of_any_length_on_the_wire_that_is_not_held_whole_is_cut() {
        for (frame_bytes, is_cut, wire_bytes) in [
            (60, false, 64),
            (64, false, 64),
            (65, true, 65),
            (262_144, true, 262_144),
            (262_145, true, 262_145),
            (300_000, true, 262_145),
            (u32::MAX, true, 262_145),
        ] {
            let file = tempfile::NamedTempFile::new().expect("a file");
            std::fs::write(file.path(), with_length(frame_bytes)).expect("written");
            let mut capture = Capture::open(file.path()).expect("a capture");
            let frame = capture.next_captured().expect("a frame").expect("whole");
            assert_eq!(frame.is_cut(), is_cut, "{frame_bytes}");
            assert_eq!(frame.wire_bytes(), wire_bytes, "{frame_bytes}");
            assert_eq!(frame.filled(0).len(), wire_bytes, "{frame_bytes}");
        }
    }

    #[test]
    fn errors_of_blocks_name_file_and_record_and_say_what_to_do() {
        let block = |kind: u32, length: u32, body: &[u32], end: u32| -> Vec<u8> {
            let words = [&[kind, length], body, &[end]].concat();
            words.into_iter().flat_map(u32::to_be_bytes).collect()
        };
        let section = block(0x0A0D_0D0A, 28, &[0x1A2B_3C4D, 0x0001_0000, !0, !0], 28);
        let interface = block(1, 20, &[0x0001_0000, 0], 20);
        let frame_of = |interface| [interface, 0, 0, 4, 4, 7];
        for (packet, expected) in [
            (
                block(6, 36, &frame_of(5), 36),
                "interface 5 (counted from 0)",
            ),
            (block(6, 37, &frame_of(0), 37), "must be a multiple of 4"),
            (block(6, 8, &frame_of(0), 8), "must be at least 12"),
            (block(6, 36, &frame_of(0), 40), "begin and at the end"),
            (
                block(6, 36, &[0, 0, 0, 400, 400, 7], 36),
                "shorter than the lengths",
            ),
        ] {
            let file = tempfile::NamedTempFile::new().expect("a file");
            let bytes = [section.clone(), interface.clone(), packet].concat();
            std::fs::write(file.path(), bytes).expect("written");
            let mut capture = Capture::open(file.path()).expect("its header is good");
            let result = capture.next_captured().expect("a result");
            let error = result.expect_err("damaged").to_string();
            let place = format!("{}: record 2 at byte 48: ", file.path().display());
            assert!(error.starts_with(&place), "{error}");
            assert!(error.contains(expected), "{error}");
            assert!(error.contains("; copy the capture again"), "{error}");
            assert!(capture.next_captured().is_none(), "nothing after an error");
        }
    }
}
