//! Checked accesses over links that check nothing: the mailbox of a bridge.
//!
//! Plain uartbone carries no checksum, no acknowledgement of a write and no way to say that a register does not exist, and
//! Etherbone as LiteX has it leaves retries of a write to luck. A bridge of this project therefore answers at ten more
//! addresses, far from any device, with which a host makes an access that is either carried out exactly as meant or not at
//! all, and learns which:
//!
//! ```text
//!  write at REQUEST, in one burst of 6      read at RECORD, in one burst of 5
//!  0  head                                  0  head      what the last access was, whoever made it
//!  1  address                               1  count     accesses to the device since the bridge's reset
//!  2  data                                  2  address
//!  3  expect                                3  data      read or written
//!  4  check                                 4  check
//!
//!  head   31..24 0xB1 request, 0xB2 record | 23..8 tag | 2..1 response (record) | 0 write
//!  check  CRC-32 (IEEE 802.3) of the four words before it, each most significant byte first
//! ```
//!
//! The five words of a request, 160 bits from the most significant bit of the first on, travel as 24 bytes of seven bits each,
//! the last 8 bits 0, the top bit of every byte 1; that makes the six words that are written. A record travels as it is.
//!
//! Writing the sixth word makes the access, if the check is right and `expect` is the count. The access counts one on, so a copy
//! of the request that comes again, however late, does nothing, and of two hosts that expect the same count one is told (by a
//! record that is not its own) to try again. A write whose answer was lost, and after which more than one access of others may
//! have come, ends as unknown: it may have been the first of them. Plain accesses count too; their tag is 0. Hosts choose their
//! tags at random, so two that make the very same access at the very same count take one for both, one time in 65 536.
//!
//! A host port that asks for tags takes a request only with two more words, at its seventh and eighth place: [`Request::tag`], SipHash-2-4 of the first four words
//! under a secret that both know. `expect` is among these words and the count does not go back before power-down, so a request that was carried out is not
//! carried out again until then. Two words of their own say so ([`AUTH`]). Answers have no tag.
//!
//! Why seven bits: over uartbone, bytes that come after a lost or late one may be taken for commands. A command begins with 1 to
//! 4, and one for a device in the low 64 kB of the bus has two zero bytes in its address; no byte of a message has such a
//! value but the 1 and 2 that begin its own two commands, and these come with addresses that share no byte with a device's. So
//! however a message is cut up, it takes at least two bytes damaged to just these values, beside the cut, for an access that
//! nobody asked for. What remains else is a CRC-32 that is right by accident: 1 in 2^32, and never for up to six flipped bits
//! (Koopman, DSN 2002: Hamming distance 7 up to 171 bits).

use bloomline_spec::host_port::HOST_AUTH_WORD;
use siphasher::sip::SipHasher24;
use std::hash::Hasher;

/// Byte address of the request on the bridge's bus.
pub const REQUEST: u32 = 0xA5A5_A500;
/// Byte address of the record on the bridge's bus.
pub const RECORD: u32 = 0xA5A5_A520;
/// Byte address of the word that says whether requests need a tag.
pub const AUTH: u32 = REQUEST + 4 * HOST_AUTH_WORD;
/// Words of a request as it is written.
pub const REQUEST_WORDS: usize = 6;
/// Words of a record.
pub const RECORD_WORDS: usize = 5;
/// Response in a record: the device gave none.
pub const RESPONSE_NONE: u32 = 1;

const REQUEST_MARK: u32 = 0xB1;
const RECORD_MARK: u32 = 0xB2;

/// One access that a host wants made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Chosen by the host, given back in the record.
    pub tag: u16,
    /// A write, otherwise a read.
    pub write: bool,
    /// Byte address on the bus behind the bridge.
    pub address: u32,
    /// What to write; 0 for a read.
    pub data: u32,
    /// The count of accesses at which it may be made.
    pub expect: u32,
}

impl Request {
    /// The words to write at [`REQUEST`].
    pub fn encode(&self) -> [u32; REQUEST_WORDS] {
        seven_bit_groups(&checked([
            self.head(),
            self.address,
            self.data,
            self.expect,
        ]))
    }

    /// The words to write at [`REQUEST`] of a bridge that asks for tags under `secret`.
    pub fn encode_with_tag(&self, secret: u128) -> [u32; REQUEST_WORDS + 2] {
        let tag = self.tag_under(secret);
        let [a, b, c, d, e, f] = self.encode();
        [a, b, c, d, e, f, (tag >> 32) as u32, tag as u32]
    }

    /// The tag: SipHash-2-4 of the words before the check as a number, the first word highest, its least significant byte first.
    pub fn tag_under(&self, secret: u128) -> u64 {
        let words = [self.head(), self.address, self.data, self.expect];
        let number = words
            .iter()
            .fold(0, |number, &word| number << 32 | u128::from(word));
        let mut hasher = SipHasher24::new_with_key(&secret.to_le_bytes());
        hasher.write(&number.to_le_bytes());
        hasher.finish()
    }

    fn head(&self) -> u32 {
        REQUEST_MARK << 24 | u32::from(self.tag) << 8 | u32::from(self.write)
    }

    /// The request in `words`; `None` if they are damaged.
    pub fn decode(words: &[u32; REQUEST_WORDS]) -> Option<Request> {
        let [head, address, data, expect] = verified(&from_sevens(words))?;
        let request = Request {
            tag: (head >> 8) as u16,
            write: head & 1 == 1,
            address,
            data,
            expect,
        };
        (request.encode() == *words).then_some(request)
    }
}

/// The last access that a bridge made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Record {
    /// Of its request; 0 for a plain access.
    pub tag: u16,
    /// It was a write.
    pub write: bool,
    /// What the device said: 0 OKAY, [`RESPONSE_NONE`], 2 SLVERR or 3 DECERR.
    pub response: u32,
    /// Accesses since the bridge's reset, this one included; wraps.
    pub count: u32,
    /// Byte address on the bus behind the bridge.
    pub address: u32,
    /// What was written or read; 0 where a read was refused.
    pub data: u32,
}

impl Record {
    /// The words to be read at [`RECORD`].
    pub fn encode(&self) -> [u32; RECORD_WORDS] {
        let head = RECORD_MARK << 24
            | u32::from(self.tag) << 8
            | (self.response & 3) << 1
            | u32::from(self.write);
        checked([head, self.count, self.address, self.data])
    }

    /// The record in `words`; `None` if they are damaged or no record.
    pub fn decode(words: &[u32; RECORD_WORDS]) -> Option<Record> {
        let [head, count, address, data] = verified(words)?;
        let record = Record {
            tag: (head >> 8) as u16,
            write: head & 1 == 1,
            response: head >> 1 & 3,
            count,
            address,
            data,
        };
        (record.encode() == *words).then_some(record)
    }

    /// Whether it tells of `request`.
    pub fn answers(&self, request: &Request) -> bool {
        self.count == request.expect.wrapping_add(1)
            && self.tag == request.tag
            && self.write == request.write
            && self.address == request.address
            && (!request.write || self.data == request.data)
    }
}

/// 160 bits in 28s, the top bit of every byte 1.
fn seven_bit_groups(words: &[u32; RECORD_WORDS]) -> [u32; REQUEST_WORDS] {
    let bit = |place: usize| {
        words
            .get(place / 32)
            .map_or(0, |word| word >> (31 - place % 32) & 1)
    };
    let byte = |place: usize| (0..7).fold(1, |byte, i| byte << 1 | bit(7 * place + i));
    std::array::from_fn(|word| (0..4).fold(0, |bytes, i| bytes << 8 | byte(4 * word + i)))
}

/// The 160 bits of [`seven_bit_groups`]; what stands in the places of no meaning is passed over.
fn from_sevens(words: &[u32; REQUEST_WORDS]) -> [u32; RECORD_WORDS] {
    let byte = |place: usize| words[place / 4] >> (24 - 8 * (place % 4));
    let bit = |place: usize| byte(place / 7) >> (6 - place % 7) & 1;
    std::array::from_fn(|word| (0..32).fold(0, |bits, i| bits << 1 | bit(32 * word + i)))
}

fn checked(words: [u32; 4]) -> [u32; RECORD_WORDS] {
    let [a, b, c, d] = words;
    [a, b, c, d, check(words)]
}

fn verified(words: &[u32; RECORD_WORDS]) -> Option<[u32; 4]> {
    let [a, b, c, d, sum] = *words;
    (check([a, b, c, d]) == sum).then_some([a, b, c, d])
}

fn check(words: [u32; 4]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for word in words {
        hasher.update(&word.to_be_bytes());
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST_OF_A_WRITE: Request = Request {
        tag: 0x1234,
        write: true,
        address: 0x54,
        data: 30_000,
        expect: 7,
    };

    #[test]
    fn words_are_as_documented() {
        let plain = from_sevens(&REQUEST_OF_A_WRITE.encode());
        assert_eq!(plain[..4], [0xB112_3401, 0x54, 30_000, 7]);
        // zlib.crc32(bytes.fromhex("b1123401" "00000054" "00007530" "00000007"))
        assert_eq!(plain[4], 0x272A_EF0A);
        // The first bits are 1011000 1000100 1000110 1000000.
        assert_eq!(REQUEST_OF_A_WRITE.encode()[0], 0xD8C4_C6C0);
        assert_eq!(
            Request::decode(&REQUEST_OF_A_WRITE.encode()),
            Some(REQUEST_OF_A_WRITE)
        );
        let record = Record {
            tag: 0x1234,
            write: true,
            response: 2,
            count: 7,
            address: 0x54,
            data: 30_000,
        };
        assert_eq!(record.encode()[..4], [0xB212_3405, 7, 0x54, 30_000]);
    }

    #[test]
    fn a_tag_is_siphash_2_4_of_the_words_as_one_number() {
        // The message 00 01 .. 0f under the key 00 01 .. 0f, from the reference implementation's table of vectors.
        let secret = u128::from_le_bytes(std::array::from_fn(|i| i as u8));
        let mut hasher = SipHasher24::new_with_key(&secret.to_le_bytes());
        hasher.write(&secret.to_le_bytes());
        assert_eq!(hasher.finish(), 0x3F2A_CC7F_57C2_9BDB);
        let tagged = REQUEST_OF_A_WRITE.encode_with_tag(secret);
        assert_eq!(tagged[..6], REQUEST_OF_A_WRITE.encode());
        let number = 0xB112_3401_u128 << 96 | 0x54 << 64 | 30_000 << 32 | 7;
        let mut hasher = SipHasher24::new_with_key(&secret.to_le_bytes());
        hasher.write(&number.to_le_bytes());
        let tag = u64::from(tagged[6]) << 32 | u64::from(tagged[7]);
        assert_eq!(tag, hasher.finish());
        assert_ne!(REQUEST_OF_A_WRITE.tag_under(secret ^ 1), tag);
    }

    #[test]
    fn a_record_answers_the_request_it_repeats_and_no_other() {
        let request = REQUEST_OF_A_WRITE;
        let record = Record {
            tag: 0x1234,
            write: true,
            response: 0,
            count: 8,
            address: 0x54,
            data: 30_000,
        };
        assert!(record.answers(&request));
        for other in [
            Record { tag: 1, ..record },
            Record {
                write: false,
                ..record
            },
            Record { count: 7, ..record },
            Record { count: 9, ..record },
            Record {
                address: 0x58,
                ..record
            },
            Record {
                data: 30_001,
                ..record
            },
        ] {
            assert!(!other.answers(&request), "{other:?}");
        }
    }

    #[test]
    fn no_byte_of_a_request_is_a_command_or_zero() {
        for data in [0, 1, 0x0101_0101, 0x0203_0401, u32::MAX] {
            let request = Request {
                data,
                ..REQUEST_OF_A_WRITE
            };
            let bytes = request.encode().map(u32::to_be_bytes);
            assert!(
                bytes.iter().flatten().all(|&byte| byte >= 0x80),
                "{bytes:X?}"
            );
        }
    }

    #[test]
    fn every_single_double_and_triple_bit_error_is_found() {
        let words = REQUEST_OF_A_WRITE.encode();
        let bits = 32 * REQUEST_WORDS;
        let flip =
            |words: &mut [u32; REQUEST_WORDS], bit: usize| words[bit / 32] ^= 1 << (bit % 32);
        for first in 0..bits {
            for second in first..bits {
                for third in second..bits {
                    let mut damaged = words;
                    flip(&mut damaged, first);
                    flip(&mut damaged, second);
                    flip(&mut damaged, third);
                    assert_eq!(Request::decode(&damaged), None, "{first} {second} {third}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_record_or_request_is_found_out() {
        assert_eq!(Record::decode(&[0; RECORD_WORDS]), None);
        assert_eq!(Record::decode(&[u32::MAX; RECORD_WORDS]), None);
        assert_eq!(Request::decode(&[0; REQUEST_WORDS]), None);
        assert_eq!(Request::decode(&[u32::MAX; REQUEST_WORDS]), None);
        let request_as_record = from_sevens(&REQUEST_OF_A_WRITE.encode());
        assert_eq!(Record::decode(&request_as_record), None);
        assert_eq!(
            Record::decode(&Record::default().encode()),
            Some(Record::default())
        );
    }
}
