//! Checked accesses over links that check nothing: the mailbox of a bridge.
//!
//! Plain uartbone carries no checksum, no acknowledgement of a write and no way to say that a register does not exist, and
//! Etherbone as LiteX has it leaves retries of a write to luck. A bridge of this project therefore answers at ten more
//! addresses, far from any device, with which a host makes an access that is either carried out exactly as meant or not at
//! all, and learns which:
//!
//! ```text
//!  write, in one burst              read, in one burst
//!  REQUEST + 0x00  head             RECORD + 0x00  head       what the last access was, whoever made it
//!  REQUEST + 0x04  address          RECORD + 0x04  count      accesses to the device since the bridge's reset
//!  REQUEST + 0x08  data             RECORD + 0x08  address
//!  REQUEST + 0x0C  expect           RECORD + 0x0C  data       read or written
//!  REQUEST + 0x10  check            RECORD + 0x10  check
//!
//!  head   31..24 0xB1 request, 0xB2 record | 23..8 tag | 2..1 response (record) | 0 write
//!  check  CRC-32 (IEEE 802.3) of the four words before it, each most significant byte first
//! ```
//!
//! Writing `check` makes the access, if the check is right and `expect` is the count. The access counts one on, so a copy of
//! the request that comes again, however late, does nothing, and of two hosts that expect the same count one is told (by a
//! record that is not its own) to try again. Plain accesses count too; their tag is 0.
//!
//! The addresses share no byte with those of a device in the low 16 MB of the space, and no byte of a request before its check
//! is a command of uartbone as long as the device's addresses are below 0x01000000, `data` aside. One damaged or lost byte
//! therefore never turns a request into another access; what remains is a CRC-32 that is right by accident, 1 in 2^32 for damage
//! beyond the six bit errors (at this length) that it finds for certain.

/// Byte address of the request on the bridge's bus.
pub const REQUEST: u32 = 0xA5A5_A500;
/// Byte address of the record on the bridge's bus.
pub const RECORD: u32 = 0xA5A5_A520;
/// Words of a request, and of a record.
pub const WORDS: usize = 5;
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
    pub fn encode(&self) -> [u32; WORDS] {
        let head = REQUEST_MARK << 24 | u32::from(self.tag) << 8 | u32::from(self.write);
        checked([head, self.address, self.data, self.expect])
    }

    /// The request in `words`; `None` if they are damaged.
    pub fn decode(words: &[u32; WORDS]) -> Option<Request> {
        let [head, address, data, expect] = verified(words)?;
        let tag = (head >> 8) as u16;
        let write = head & 1 == 1;
        let request = Request {
            tag,
            write,
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
    pub fn encode(&self) -> [u32; WORDS] {
        let head = RECORD_MARK << 24
            | u32::from(self.tag) << 8
            | (self.response & 3) << 1
            | u32::from(self.write);
        checked([head, self.count, self.address, self.data])
    }

    /// The record in `words`; `None` if they are damaged or no record.
    pub fn decode(words: &[u32; WORDS]) -> Option<Record> {
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

fn checked(words: [u32; 4]) -> [u32; WORDS] {
    let [a, b, c, d] = words;
    [a, b, c, d, check(words)]
}

fn verified(words: &[u32; WORDS]) -> Option<[u32; 4]> {
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
        let words = REQUEST_OF_A_WRITE.encode();
        assert_eq!(words[..4], [0xB112_3401, 0x54, 30_000, 7]);
        // zlib.crc32(bytes.fromhex("b1123401" "00000054" "00007530" "00000007"))
        assert_eq!(words[4], 0x272A_EF0A);
        assert_eq!(Request::decode(&words), Some(REQUEST_OF_A_WRITE));
    }

    #[test]
    fn every_single_double_and_triple_bit_error_is_found() {
        let words = REQUEST_OF_A_WRITE.encode();
        let bits = 32 * WORDS;
        let flip = |words: &mut [u32; WORDS], bit: usize| words[bit / 32] ^= 1 << (bit % 32);
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
    fn a_record_is_no_request_and_nothing_is_neither() {
        assert_eq!(Request::decode(&Record::default().encode()), None);
        assert_eq!(Record::decode(&REQUEST_OF_A_WRITE.encode()), None);
        assert_eq!(Record::decode(&[0; WORDS]), None);
        assert_eq!(Record::decode(&[u32::MAX; WORDS]), None);
        assert_eq!(
            Record::decode(&Record::default().encode()),
            Some(Record::default())
        );
    }
}
