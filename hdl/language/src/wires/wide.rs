//! Unsigned values of up to 1024 bits, for keys.

use super::fault::{record, Fault};
use super::uint::{BitIndex, UInt};
use super::value::Value;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

const WORDS: usize = 16;

/// A value of 1 to 1024 bits: bitwise operators, equality, shifts and slices, no arithmetic.
///
/// Cut a [`UInt`] out of it with `bits_to(self.key.val() >> low, width)`.
#[derive(Clone, Copy, Debug)]
pub struct Wide {
    words: [u64; WORDS],
    width: u32,
}

impl Wide {
    /// The greatest width.
    pub const MOST_BITS: usize = 64 * WORDS;

    /// Zero in `width` bits. A width outside 1..=1024 is a [`Fault`] and taken as the nearest one allowed.
    pub fn zero(width: usize) -> Self {
        Self::from_words(&[], width)
    }

    /// `value` cut or extended to `width` bits.
    pub fn new(value: u128, width: usize) -> Self {
        Self::from_words(&[value as u64, (value >> 64) as u64], width)
    }

    /// Little-endian 64-bit `words` (missing ones are zero), cut to `width` bits.
    pub fn from_words(words: &[u64], width: usize) -> Self {
        if width == 0 || width > Self::MOST_BITS {
            record(Fault::Width {
                width,
                most: Self::MOST_BITS,
            });
        }
        let mut all = [0; WORDS];
        for (to, from) in all.iter_mut().zip(words) {
            *to = *from;
        }
        Wide {
            words: all,
            width: width.clamp(1, Self::MOST_BITS) as u32,
        }
        .cut()
    }

    /// Little-endian `bytes` (missing ones are zero), cut to `width` bits.
    pub fn from_bytes(bytes: &[u8], width: usize) -> Self {
        let mut words = [0; WORDS];
        for (i, byte) in bytes.iter().take(8 * WORDS).enumerate() {
            words[i / 8] |= u64::from(*byte) << (8 * (i % 8));
        }
        Self::from_words(&words, width)
    }

    fn cut(mut self) -> Self {
        let whole = self.bits() / 64;
        let rest = self.bits() % 64;
        if whole < WORDS {
            self.words[whole] &= (1 << rest) - 1;
            self.words[whole + 1..].fill(0);
        }
        self
    }

    fn same(self, operator: &'static str, other: Wide) {
        if self.width != other.width {
            record(Fault::WidthMismatch {
                operator,
                left: self.bits(),
                right: other.bits(),
            });
        }
    }

    fn zip(mut self, operator: &'static str, other: Wide, function: fn(u64, u64) -> u64) -> Self {
        self.same(operator, other);
        for (a, b) in self.words.iter_mut().zip(other.words) {
            *a = function(*a, b);
        }
        self.cut()
    }

    /// Width in bits.
    #[inline(always)]
    pub fn bits(&self) -> usize {
        self.width as usize
    }

    /// The value as little-endian words; those beyond the width are zero.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The low 128 bits.
    #[inline]
    pub fn low(&self) -> u128 {
        u128::from(self.words[0]) | u128::from(self.words[1]) << 64
    }

    /// The value cut or zero-extended to `width` bits.
    pub fn resized(&self, width: usize) -> Wide {
        Self::from_words(&self.words, width)
    }

    /// Whether any bit is set.
    pub fn any(&self) -> bool {
        self.words.iter().any(|w| *w != 0)
    }

    /// Whether every bit is set.
    pub fn all(&self) -> bool {
        self.words
            .iter()
            .map(|w| w.count_ones() as usize)
            .sum::<usize>()
            == self.bits()
    }

    /// Whether an odd number of bits is set.
    pub fn xor(&self) -> bool {
        self.words.iter().fold(0, |a, w| a ^ w).count_ones() & 1 == 1
    }

    /// Bit `index`, false beyond the width.
    pub fn get_bit(&self, index: impl BitIndex) -> bool {
        let index = index.position();
        index < self.bits() && self.words[index / 64] >> (index % 64) & 1 == 1
    }

    /// The value with bit `index` set to `bit`; unchanged when `index` is beyond the width.
    pub fn replace_bit(mut self, index: impl BitIndex, bit: bool) -> Self {
        let index = index.position();
        if index < self.bits() {
            let word = &mut self.words[index / 64];
            *word = *word & !(1 << (index % 64)) | u64::from(bit) << (index % 64);
        }
        self
    }

    fn shifted_left(self, by: u128) -> Self {
        let mut out = Wide {
            words: [0; WORDS],
            width: self.width,
        };
        if by < Self::MOST_BITS as u128 {
            let (whole, part) = (by as usize / 64, by as u32 % 64);
            for i in whole..WORDS {
                let carried = if part > 0 && i > whole {
                    self.words[i - whole - 1] >> (64 - part)
                } else {
                    0
                };
                out.words[i] = self.words[i - whole] << part | carried;
            }
        }
        out.cut()
    }

    fn shifted_right(self, by: u128) -> Self {
        let mut out = Wide {
            words: [0; WORDS],
            width: self.width,
        };
        if by < Self::MOST_BITS as u128 {
            let (whole, part) = (by as usize / 64, by as u32 % 64);
            for i in 0..WORDS - whole {
                let next = self.words.get(i + whole + 1).copied().unwrap_or(0);
                let carried = if part > 0 { next << (64 - part) } else { 0 };
                out.words[i] = self.words[i + whole] >> part | carried;
            }
        }
        out
    }
}

impl PartialEq for Wide {
    #[inline]
    fn eq(&self, other: &Wide) -> bool {
        self.same("==", *other);
        self.words == other.words
    }
}

impl Eq for Wide {}

impl BitAnd for Wide {
    type Output = Wide;
    fn bitand(self, other: Wide) -> Wide {
        self.zip("&", other, |a, b| a & b)
    }
}

impl BitOr for Wide {
    type Output = Wide;
    fn bitor(self, other: Wide) -> Wide {
        self.zip("|", other, |a, b| a | b)
    }
}

impl BitXor for Wide {
    type Output = Wide;
    fn bitxor(self, other: Wide) -> Wide {
        self.zip("^", other, |a, b| a ^ b)
    }
}

impl Not for Wide {
    type Output = Wide;
    fn not(mut self) -> Wide {
        self.words.iter_mut().for_each(|w| *w = !*w);
        self.cut()
    }
}

macro_rules! shifts {
    ($($number:ty)+) => { $(
        impl Shl<$number> for Wide {
            type Output = Wide;
            fn shl(self, by: $number) -> Wide {
                self.shifted_left(by as u128)
            }
        }
        impl Shr<$number> for Wide {
            type Output = Wide;
            fn shr(self, by: $number) -> Wide {
                self.shifted_right(by as u128)
            }
        }
    )+ };
}

shifts!(i32 u32 u64 usize);

impl Shl<UInt> for Wide {
    type Output = Wide;
    fn shl(self, by: UInt) -> Wide {
        self.shifted_left(by.get())
    }
}

impl Shr<UInt> for Wide {
    type Output = Wide;
    fn shr(self, by: UInt) -> Wide {
        self.shifted_right(by.get())
    }
}

impl Value for Wide {
    const TYPE: &'static str = "Wide";

    fn zero(width: usize) -> Self {
        Wide::from_words(&[], width)
    }

    #[inline(always)]
    fn bits(&self) -> usize {
        self.width as usize
    }

    fn hex(&self) -> String {
        let digits: String = self
            .words
            .iter()
            .rev()
            .map(|w| format!("{w:016x}"))
            .collect();
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() { "0" } else { digits }.to_string()
    }

    fn bit(&self, index: usize) -> bool {
        self.get_bit(index)
    }
}
