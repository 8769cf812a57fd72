use bloomline_spec::{HashUnit, SboxUnit, MAX_KEY_BITS, PRESENT_SBOX};
use siphasher::sip::{SipHasher13, SipHasher24};

/// Bytes of the longest message: a key of [`MAX_KEY_BITS`] and the unit's number.
const MAX_MESSAGE_BYTES: usize = MAX_KEY_BITS as usize / 8 + 1;

/// One piece of hash hardware: some functions of the key, side by side in one value, the first in the lowest bits.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    pub functions: usize,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Linear(Tables),
    Keyed(Keyed),
}

/// A sum of table look-ups: linear layers, with the S-boxes in between folded into the second one's tables.
#[derive(Debug, Clone)]
struct Tables {
    offset: u64,
    by_key_byte: Vec<[u64; 256]>,
    by_mixed_byte: Option<Box<[[u64; 256]; 8]>>,
}

/// SipHash of the key under a secret.
#[derive(Debug, Clone)]
struct Keyed {
    compress_rounds: u32,
    key_bits: u32,
    number: Option<u8>,
    secret: [u8; 16],
}

impl Unit {
    /// `secret` is looked at by the keyed families only.
    pub fn new(unit: &HashUnit, key_bits: u32, secret: u128) -> Unit {
        let kind = match unit {
            HashUnit::Sbox(sbox) => Kind::Linear(Tables {
                offset: sbox.offset,
                by_key_byte: byte_tables(&sbox.rows),
                by_mixed_byte: Some(substitution_tables(sbox)),
            }),
            HashUnit::H3(h3) => Kind::Linear(Tables {
                offset: h3.offset,
                by_key_byte: byte_tables(&h3.rows),
                by_mixed_byte: None,
            }),
            HashUnit::Sip(sip) => Kind::Keyed(Keyed {
                compress_rounds: sip.compress,
                key_bits,
                number: sip.number,
                secret: secret.to_le_bytes(),
            }),
        };
        Unit {
            functions: unit.functions().len(),
            kind,
        }
    }

    /// A new secret for a keyed unit; nothing to any other.
    pub fn set_secret(&mut self, secret: u128) {
        if let Kind::Keyed(keyed) = &mut self.kind {
            keyed.secret = secret.to_le_bytes();
        }
    }

    /// The functions' values, side by side.
    #[inline]
    pub fn evaluate(&self, key_words: &[u64]) -> u64 {
        match &self.kind {
            Kind::Linear(tables) => tables.evaluate(key_words),
            Kind::Keyed(keyed) => keyed.evaluate(key_words),
        }
    }
}

impl Tables {
    fn evaluate(&self, key_words: &[u64]) -> u64 {
        let mut mixed = self.offset;
        for (tables, word) in self.by_key_byte.chunks(8).zip(key_words) {
            for (table, byte) in tables.iter().zip(word.to_le_bytes()) {
                mixed ^= table[usize::from(byte)];
            }
        }
        match &self.by_mixed_byte {
            None => mixed,
            Some(tables) => tables
                .iter()
                .zip(mixed.to_le_bytes())
                .fold(0, |outputs, (table, byte)| {
                    outputs ^ table[usize::from(byte)]
                }),
        }
    }
}

impl Keyed {
    fn evaluate(&self, key_words: &[u64]) -> u64 {
        let key_bytes = self.key_bits.div_ceil(8) as usize;
        let mut message = [0; MAX_MESSAGE_BYTES];
        for (bytes, word) in message[..key_bytes].chunks_mut(8).zip(key_words) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
        message[key_bytes - 1] &= u8::MAX >> (8 * key_bytes as u32 - self.key_bits);
        let mut bytes = key_bytes;
        if let Some(number) = self.number {
            message[bytes] = number;
            bytes += 1;
        }
        let message = &message[..bytes];
        if self.compress_rounds == 1 {
            SipHasher13::new_with_key(&self.secret).hash(message)
        } else {
            SipHasher24::new_with_key(&self.secret).hash(message)
        }
    }
}

/// For each byte of a key and each of its values, the XOR of the rows of the byte's set bits.
fn byte_tables(rows: &[u64]) -> Vec<[u64; 256]> {
    rows.chunks(8)
        .map(|rows| {
            std::array::from_fn(|byte| {
                rows.iter()
                    .enumerate()
                    .filter(|(bit, _)| byte >> bit & 1 == 1)
                    .fold(0, |sum, (_, row)| sum ^ row)
            })
        })
        .collect()
}

/// For each byte between the layers and each of its values: substitute both nibbles, then their part of layer 2.
fn substitution_tables(unit: &SboxUnit) -> Box<[[u64; 256]; 8]> {
    let mut tables = Box::new([[0; 256]; 8]);
    for (index, table) in tables.iter_mut().enumerate() {
        for (byte, entry) in table.iter_mut().enumerate() {
            let substituted =
                u64::from(PRESENT_SBOX[byte & 15]) | u64::from(PRESENT_SBOX[byte >> 4]) << 4;
            let in_place = substituted << (8 * index);
            for (output, taps) in unit.taps.iter().enumerate() {
                let parity = taps
                    .iter()
                    .fold(0, |parity, tap| parity ^ (in_place >> tap & 1));
                *entry |= parity << output;
            }
        }
    }
    tables
}
