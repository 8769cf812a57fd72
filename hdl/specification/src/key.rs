use crate::word::WORD_BITS;
use std::fmt;

/// Widest key, in bits.
pub const MAX_KEY_BITS: u32 = 512;
const MAX_WORDS: usize = (MAX_KEY_BITS / 64) as usize;

/// The key of an item: a vector of 1 to 512 bits.
///
/// Bit 0 is `tdata[0]` of the item stream, and byte 0 (of a CSV value, a packet field or a host buffer) is `tdata[7:0]`:
/// little-endian throughout. A value narrower than the key is zero-extended; one that does not fit is an error.
///
/// | from | key |
/// |---|---|
/// | integer (CSV value) | bit i of the integer is key bit i |
/// | bytes | bit i of byte j is key bit 8 j + i |
/// | 5-tuple | the bytes of [`FiveTuple`](crate::FiveTuple), as above |
///
/// ```
/// use bloomline_spec::Key;
///
/// let key = Key::from_integer(0x1234, 104)?;
/// assert_eq!(key.to_bytes()[..3], [0x34, 0x12, 0x00]);
/// assert!(key.bit(2) && !key.bit(0));
/// assert_eq!(Key::from_bytes(&[0x34, 0x12], 104)?, key);
/// # Ok::<(), bloomline_spec::KeyError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    bits: u32,
    words: [u64; MAX_WORDS],
}

/// Why a value is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The width is outside what keys may have.
    #[error("a key of {bits} bits: must be from 1 to {MAX_KEY_BITS} bits; set key.bits to a width in that range")]
    Width {
        /// Width asked for.
        bits: u32,
    },
    /// The value has a bit set beyond the key.
    #[error("{value} does not fit a key of {bits} bits: bit {highest_bit} is set; set key.bits to at least {}", highest_bit + 1)]
    DoesNotFit {
        /// The value, in hexadecimal.
        value: String,
        /// Width of the key.
        bits: u32,
        /// Highest set bit of the value.
        highest_bit: u64,
    },
    /// The text is no integer.
    #[error("\"{text}\" is no key: expected a decimal integer below 2^128, or hexadecimal digits after 0x, as many as the key has; write 42 or 0x2a; of a table of keys, name a column of integers")]
    NoInteger {
        /// The text as found.
        text: String,
    },
    /// One of many keys is none.
    #[error("keys[{place}]: {source}")]
    At {
        /// Its place, the first being 0.
        place: usize,
        /// What is wrong with it.
        source: Box<KeyError>,
    },
}

impl KeyError {
    /// The error of the key at a place among many, the first being 0.
    pub fn at(self, place: usize) -> KeyError {
        KeyError::At {
            place,
            source: Box::new(self),
        }
    }
}

impl Key {
    /// The key of `bits` bits whose bit i is bit i of `value`.
    ///
    /// # Errors
    /// [`KeyError::Width`], [`KeyError::DoesNotFit`].
    pub fn from_integer(value: u128, bits: u32) -> Result<Key, KeyError> {
        Key::from_bytes(&value.to_le_bytes(), bits)
    }

    /// The key of `bits` bits from an integer as text, decimal below 2^128 or hexadecimal after `0x`, spaces around it ignored: a
    /// CSV value or a command-line argument. Reads what [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    /// [`KeyError::NoInteger`], [`KeyError::Width`], [`KeyError::DoesNotFit`].
    pub fn from_text(text: &str, bits: u32) -> Result<Key, KeyError> {
        let digits = text.trim();
        let bytes = match digits
            .strip_prefix("0x")
            .or_else(|| digits.strip_prefix("0X"))
        {
            Some(hexadecimal) => hexadecimal_bytes(hexadecimal),
            None => decimal(digits).map(|value| value.to_le_bytes().to_vec()),
        };
        let bytes = bytes.ok_or_else(|| KeyError::NoInteger {
            text: text.to_owned(),
        })?;
        Key::from_bytes(&bytes, bits)
    }

    /// The key of `bits` bits from little-endian bytes; bytes beyond the key must be zero.
    ///
    /// # Errors
    /// [`KeyError::Width`], [`KeyError::DoesNotFit`].
    pub fn from_bytes(bytes: &[u8], bits: u32) -> Result<Key, KeyError> {
        if !(1..=MAX_KEY_BITS).contains(&bits) {
            return Err(KeyError::Width { bits });
        }
        if let Some(index) = bytes.iter().rposition(|&byte| byte != 0) {
            let highest_bit = 8 * index as u64 + u64::from(bytes[index].ilog2());
            if highest_bit >= u64::from(bits) {
                let value = hexadecimal(&bytes[..=index]);
                return Err(KeyError::DoesNotFit {
                    value,
                    bits,
                    highest_bit,
                });
            }
        }
        let mut words = [0; MAX_WORDS];
        for (word, chunk) in words.iter_mut().zip(bytes.chunks(8)) {
            *word = chunk
                .iter()
                .rev()
                .fold(0, |value, &byte| value << 8 | u64::from(byte));
        }
        Ok(Key { bits, words })
    }

    /// The key of `bits` bits from 64-bit words, word 0 the lowest.
    ///
    /// # Errors
    /// [`KeyError::Width`], [`KeyError::DoesNotFit`].
    #[inline]
    pub fn from_words(words: &[u64], bits: u32) -> Result<Key, KeyError> {
        let mut own = [0; MAX_WORDS];
        let fits = (1..=MAX_KEY_BITS).contains(&bits) && words.len() <= bits.div_ceil(64) as usize;
        if !fits
            || !bits.is_multiple_of(64)
                && words
                    .get(bits as usize / 64)
                    .is_some_and(|word| word >> (bits % 64) != 0)
        {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            return Key::from_bytes(&bytes, bits);
        }
        own[..words.len()].copy_from_slice(words);
        Ok(Key { bits, words: own })
    }

    /// Width in bits.
    #[inline]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Bit `index`; bits beyond the width read as zero.
    pub fn bit(&self, index: u32) -> bool {
        index < self.bits && self.words[(index / 64) as usize] >> (index % 64) & 1 == 1
    }

    /// The 64-bit words, word 0 the lowest; bits beyond the width are zero.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words[..self.bits.div_ceil(64) as usize]
    }

    /// The 32-bit words, word 0 the lowest, as registers and simulators take them.
    pub fn words_32(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.bits.div_ceil(WORD_BITS) as usize)
            .map(|index| (self.words[index / 2] >> (32 * (index % 2))) as u32)
    }

    /// The bytes, byte 0 the lowest; bits beyond the width are zero.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self
            .words()
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        bytes.truncate(self.bits.div_ceil(8) as usize);
        bytes
    }
}

/// `0x` and the hexadecimal digits of the integer that is the whole key.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hexadecimal(&self.to_bytes()))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({} bits, {self})", self.bits)
    }
}

/// Digits only: neither signs nor an empty text.
fn decimal(digits: &str) -> Option<u128> {
    let all = digits.bytes().all(|digit| digit.is_ascii_digit());
    all.then(|| digits.parse().ok())?
}

/// Little-endian, of no more digits than the widest key has beside leading zeros.
fn hexadecimal_bytes(digits: &str) -> Option<Vec<u8>> {
    let nibbles = digits.chars().map(|digit| digit.to_digit(16));
    let nibbles: Vec<u8> = nibbles
        .map(|nibble| nibble.map(|nibble| nibble as u8))
        .collect::<Option<_>>()?;
    let leading = nibbles.iter().take_while(|nibble| **nibble == 0).count();
    if nibbles.is_empty() || nibbles.len() - leading > MAX_KEY_BITS as usize / 4 {
        return None;
    }
    let pairs = nibbles.rchunks(2);
    Some(
        pairs
            .map(|pair| pair.iter().fold(0, |byte, nibble| byte << 4 | nibble))
            .collect(),
    )
}

fn hexadecimal(little_endian: &[u8]) -> String {
    let digits: String = little_endian
        .iter()
        .rev()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let significant = digits.trim_start_matches('0');
    format!(
        "0x{}",
        if significant.is_empty() {
            "0"
        } else {
            significant
        }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_integer_becomes_its_bits() {
        let key = Key::from_integer(42_932_745, 104).expect("fits");
        assert_eq!(key.words(), [0x28F_1A09, 0]);
        assert_eq!(
            key.to_bytes(),
            [0x09, 0x1A, 0x8F, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        );
        assert_eq!(key.to_string(), "0x28f1a09");
        assert_eq!(key.words_32().collect::<Vec<_>>(), [0x28F_1A09, 0, 0, 0]);
    }

    #[test]
    fn long_keys_are_hexadecimal() {
        let text = format!("0x1{}", "0".repeat(73));
        let key = Key::from_text(&text, 296).expect("293 bits");
        assert!(key.bit(292) && !key.bit(291));
        assert_eq!(key.to_string(), text);
        assert!(matches!(
            Key::from_text(&text, 292),
            Err(KeyError::DoesNotFit {
                highest_bit: 292,
                ..
            })
        ));
        assert_eq!(
            Key::from_text(&format!("0x{}7", "0".repeat(99)), 8),
            Key::from_integer(7, 8)
        );
        assert!(matches!(
            Key::from_text(&format!("0x{}", "f".repeat(129)), 512),
            Err(KeyError::NoInteger { .. })
        ));
        assert!(matches!(
            Key::from_text("0x12g4", 512),
            Err(KeyError::NoInteger { .. })
        ));
    }

    #[test]
    fn text_is_decimal_or_prefixed_hexadecimal() {
        assert_eq!(Key::from_text(" 255 ", 8), Key::from_integer(255, 8));
        assert_eq!(Key::from_text("0xfF", 8), Key::from_integer(255, 8));
        for text in [
            "",
            "0x",
            "+1",
            "-1",
            "1.5",
            "ff",
            "0x+1",
            "1_000",
            "340282366920938463463374607431768211456",
        ] {
            assert_eq!(
                Key::from_text(text, 104),
                Err(KeyError::NoInteger {
                    text: text.to_owned()
                }),
                "{text}"
            );
        }
    }

    #[test]
    fn an_error_among_many_keys_says_which() {
        let error = Key::from_integer(0x1FF, 8).map_err(|error| error.at(3));
        let said = error.expect_err("it is too wide").to_string();
        assert!(
            said.starts_with("keys[3]: 0x1ff does not fit a key of 8 bits"),
            "{said}"
        );
    }

    #[test]
    fn errors_say_what_did_not_fit_and_what_to_do() {
        let message = |key: Result<Key, KeyError>| key.map_err(|error| error.to_string());
        assert_eq!(
            message(Key::from_integer(0x1FF, 8)),
            Err(
                "0x1ff does not fit a key of 8 bits: bit 8 is set; set key.bits to at least 9"
                    .to_owned()
            )
        );
        assert_eq!(
            message(Key::from_integer(0, 0)),
            Err("a key of 0 bits: must be from 1 to 512 bits; set key.bits to a width in that range".to_owned())
        );
        assert_eq!(
            message(Key::from_text("abc", 8)),
            Err("\"abc\" is no key: expected a decimal integer below 2^128, or hexadecimal digits after 0x, as many as the key has; \
                 write 42 or 0x2a; of a table of keys, name a column of integers"
                .to_owned())
        );
        assert!(Key::from_integer(0, 513).is_err());
    }

    proptest! {
        #[test]
        fn bytes_words_and_bits_are_views_of_one_vector(bits in 1u32..=512, raw in prop::array::uniform32(any::<u64>())) {
            let words: Vec<u64> = (0..8).map(|index| {
                let room = bits.saturating_sub(64 * index).min(64);
                if room == 0 { 0 } else { raw[index as usize] & (u64::MAX >> (64 - room)) }
            }).collect();
            let key = Key::from_words(&words, bits).expect("masked to the width");
            prop_assert_eq!(key.words(), &words[..bits.div_ceil(64) as usize]);
            prop_assert_eq!(Key::from_bytes(&key.to_bytes(), bits), Ok(key));
            for index in 0..600 {
                let expected = index < bits && words[index as usize / 64] >> (index % 64) & 1 == 1;
                prop_assert_eq!(key.bit(index), expected);
            }
        }

        #[test]
        fn an_integer_fits_exactly_when_it_is_below_two_to_the_width(value: u128, shift in 0u32..128, bits in 1u32..=127) {
            let value = value >> shift;
            let key = Key::from_integer(value, bits);
            prop_assert_eq!(key.is_ok(), value >> bits == 0);
            if let Ok(key) = key {
                prop_assert_eq!(Key::from_text(&value.to_string(), bits), Ok(key));
                prop_assert_eq!(Key::from_text(&key.to_string(), bits), Ok(key));
            }
        }

        #[test]
        fn no_text_panics(text in ".*", bits: u32) {
            let _ = Key::from_text(&text, bits);
        }
    }
}
