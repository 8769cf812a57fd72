const MAGIC: [u8; 2] = [0x4E, 0x6F];
const VERSION: u8 = 1;
const PROBE: u8 = 1;
const PROBE_REPLY: u8 = 2;
const WIDTHS: u8 = 0x44;
const ALL_BYTES: u8 = 0x0F;

/// What a datagram says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Packet {
    Probe,
    Accesses {
        /// Byte address and word, in order.
        writes: Vec<(u32, u32)>,
        /// Base for the answer and byte addresses, in order.
        reads: Option<(u32, Vec<u32>)>,
    },
}

/// The packet in a datagram; `None` if there is none.
pub(super) fn packet(bytes: &[u8]) -> Option<Packet> {
    let (header, rest) = bytes.split_first_chunk::<8>()?;
    if header[..2] != MAGIC || header[2] >> 4 != VERSION {
        return None;
    }
    if header[2] & PROBE != 0 {
        return Some(Packet::Probe);
    }
    let (record, rest) = rest.split_first_chunk::<4>()?;
    if header[2] & PROBE_REPLY != 0 || header[3] != WIDTHS || record[..2] != [0, ALL_BYTES] {
        return None;
    }
    let [writes, reads] = [record[2], record[3]].map(usize::from);
    let words: Vec<u32> = rest
        .chunks_exact(4)
        .map(|word| u32::from_be_bytes([word[0], word[1], word[2], word[3]]))
        .collect();
    let size = |words: usize| if words > 0 { words + 1 } else { 0 };
    let (written, words) = words.split_at_checked(size(writes))?;
    let (read, _) = words.split_at_checked(size(reads))?;
    let list = |words: &[u32]| {
        words
            .split_first()
            .map(|(&base, rest)| (base, rest.to_vec()))
    };
    let (base, data) = list(written).unwrap_or_default();
    Some(Packet::Accesses {
        writes: (0u32..)
            .map(|i| base.wrapping_add(4 * i))
            .zip(data)
            .collect(),
        reads: list(read),
    })
}

/// What a probe is answered with.
pub(super) fn probe_answer() -> Vec<u8> {
    vec![0x4E, 0x6F, 0x12, 0x44, 0, 0, 0, 0, 0, 0, 0, 0]
}

/// What reads are answered with.
pub(super) fn answer(base: u32, words: &[u32]) -> Vec<u8> {
    let mut bytes = vec![0x4E, 0x6F, 0x10, 0x44, 0, 0, 0, 0, 0, ALL_BYTES];
    bytes.extend([words.len() as u8, 0]);
    bytes.extend(base.to_be_bytes());
    bytes.extend(words.iter().flat_map(|word| word.to_be_bytes()));
    bytes
}
