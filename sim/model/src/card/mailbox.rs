/// Byte address of the request on the bridge's bus.
const REQUEST: u32 = 0xA5A5_A500;
const REQUEST_MARK: u32 = 0xB1;
/// Words of a request as it is written.
pub(crate) const REQUEST_WORDS: usize = 6;

/// An access to the device, by a command or a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Access {
    /// 0 for a command's.
    pub tag: u16,
    pub write: bool,
    /// Byte address.
    pub address: u32,
    /// What to write.
    pub data: u32,
}

/// The words that were written for a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Request {
    words: [u32; REQUEST_WORDS],
}

impl Request {
    /// Which word of the request a byte address is.
    pub fn place(address: u32) -> Option<usize> {
        let place = (address.checked_sub(REQUEST)? / 4) as usize;
        (place < REQUEST_WORDS).then_some(place)
    }

    /// Keeps a word.
    pub fn keep(&mut self, place: usize, word: u32) {
        self.words[place] = word;
    }

    /// The access that is asked for, if the request is good and expects `count`.
    pub fn access(&self, count: u32) -> Option<Access> {
        let [head, address, data, expect, check, rest] = self.carried()?;
        let whole = rest == 0 && checked([head, address, data, expect])[4] == check;
        let (mark, tag, write) = (head >> 24, (head >> 8) as u16, head & 0xFF);
        (whole && mark == REQUEST_MARK && write <= 1 && expect == count).then_some(Access {
            tag,
            write: write == 1,
            address,
            data,
        })
    }

    /// The four words that a tag is made of, the first highest; none while a byte's top bit is 0.
    pub fn message(&self) -> Option<u128> {
        let words = self.carried()?;
        let number = |number, &word| number << 32 | u128::from(word);
        Some(words[..4].iter().fold(0, number))
    }

    /// The 168 bits that the bytes carry under their top bits, as five words and a byte; `None` if a top bit is 0.
    fn carried(&self) -> Option<[u32; 6]> {
        let bytes = self.words.map(u32::to_be_bytes);
        let mut carried = [0; 6];
        let mut bits = 0;
        for &byte in bytes.as_flattened() {
            if byte & 0x80 == 0 {
                return None;
            }
            for place in (0..7).rev() {
                carried[bits / 32] = carried[bits / 32] << 1 | u32::from(byte >> place & 1);
                bits += 1;
            }
        }
        Some(carried)
    }
}

/// Four words and the CRC-32 of them.
pub(crate) fn checked(words: [u32; 4]) -> [u32; 5] {
    let check = crc32fast::hash(words.map(u32::to_be_bytes).as_flattened());
    let [a, b, c, d] = words;
    [a, b, c, d, check]
}
