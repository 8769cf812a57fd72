//! Etherbone packets as LiteX has them: one record of at most one write burst and one list of reads, 32-bit words and
//! addresses.
//!
//! ```text
//!  header   0x4E6F | version 1 in 7..4, no-reads 2, probe-reply 1, probe-flag 0 | 0x44: 32-bit addresses and words | 4 x 0
//!  record   flags | byte enable 0x0F | writes | reads
//!           base address of the writes, words to write            if writes > 0
//!           base address of the answer, addresses to read         if reads > 0
//! ```
//!
//! Numbers are sent most significant byte first, addresses are byte addresses. The answer to reads is a packet that writes
//! what was read at the base address of the answer, which a host is free to choose: it is what tells one answer from another.
//!
//! Source: `litex/tools/remote/etherbone.py` of LiteX 2024.12.

/// First two bytes of every packet.
pub const MAGIC: u16 = 0x4E6F;
/// Most words of a burst.
pub const LONGEST: usize = 255;
/// Bytes of the longest packet.
pub const LARGEST: usize = 8 + 4 + 2 * 4 * (1 + LONGEST);

const VERSION: u8 = 1 << 4;
const PROBE_REPLY: u8 = 1 << 1;
const PROBE: u8 = 1;
const SIZES: u8 = 0x44;
const BYTE_ENABLE: u8 = 0x0F;
const HEADER: usize = 8;

/// Words with the base address that they belong to.
pub type Burst = (u32, Vec<u32>);

/// What a packet says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Packet {
    /// Asks whether anybody is there.
    pub probe: bool,
    /// Answers a probe.
    pub probe_reply: bool,
    /// Writes, carried out first: the byte address of the first and the words.
    pub writes: Option<Burst>,
    /// Reads: the base address of the answer and the byte addresses.
    pub reads: Option<Burst>,
}

impl Packet {
    /// The bytes of the packet; bursts of more than [`LONGEST`] words are cut there.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(64);
        bytes.extend(MAGIC.to_be_bytes());
        bytes.push(VERSION | flag(self.probe_reply, PROBE_REPLY) | flag(self.probe, PROBE));
        bytes.extend([SIZES, 0, 0, 0, 0]);
        if self.probe || self.probe_reply {
            // A probe has no record; what follows fills it up to a whole 64-bit word, as LiteX does.
            bytes.extend([0; 4]);
            return bytes;
        }
        let lists = [&self.writes, &self.reads];
        let cut = |list: &Option<Burst>| {
            list.as_ref()
                .map_or(0, |(_, words)| words.len().min(LONGEST))
        };
        let counts = lists.map(cut);
        bytes.extend([0, BYTE_ENABLE, counts[0] as u8, counts[1] as u8]);
        for (list, count) in lists.into_iter().zip(counts) {
            if let (Some((base, words)), 1..) = (list, count) {
                bytes.extend(base.to_be_bytes());
                bytes.extend(words[..count].iter().flat_map(|word| word.to_be_bytes()));
            }
        }
        bytes
    }

    /// The packet in `bytes`; `None` if they are none, or one of another width of addresses or words.
    pub fn decode(bytes: &[u8]) -> Option<Packet> {
        let (header, body) = bytes.split_at_checked(HEADER)?;
        let [magic_high, magic_low, flags, sizes, ..] = *header else {
            return None;
        };
        if [magic_high, magic_low] != MAGIC.to_be_bytes() || flags & 0xF0 != VERSION {
            return None;
        }
        let mut packet = Packet {
            probe: flags & PROBE != 0,
            probe_reply: flags & PROBE_REPLY != 0,
            ..Packet::default()
        };
        if packet.probe || packet.probe_reply {
            return Some(packet);
        }
        let (record, mut body) = body.split_at_checked(4)?;
        let [record_flags, byte_enable, writes, reads] = *record else {
            return None;
        };
        if sizes != SIZES || record_flags != 0 || byte_enable != BYTE_ENABLE {
            return None;
        }
        packet.writes = list(writes, &mut body)?;
        packet.reads = list(reads, &mut body)?;
        Some(packet)
    }
}

fn flag(set: bool, bit: u8) -> u8 {
    if set {
        bit
    } else {
        0
    }
}

/// A base and `count` words from the start of `body`, which moves on; `None` inside if `count` is 0, outside if it is short.
fn list(count: u8, body: &mut &[u8]) -> Option<Option<Burst>> {
    if count == 0 {
        return Some(None);
    }
    let (taken, rest) = body.split_at_checked(4 * (1 + usize::from(count)))?;
    *body = rest;
    let mut words = taken.chunks_exact(4).map(|bytes| {
        bytes
            .iter()
            .fold(0, |word, &byte| word << 8 | u32::from(byte))
    });
    let base = words.next()?;
    Some(Some((base, words.collect())))
}
