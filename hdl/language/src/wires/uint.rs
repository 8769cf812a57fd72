//! Unsigned values of up to 128 bits.

use super::fault::{record, Fault};
use super::value::Value;
use std::cmp::Ordering;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Neg, Not, Shl, Shr, Sub};

/// An unsigned number of 1 to 128 bits that wraps at its width.
///
/// Both operands of `+ - * & | ^` and of comparisons have the same width, or one is an integer that fits the other's
/// width. Shifts keep the width of the left operand and give zero from that width on. A broken rule is a [`Fault`].
#[derive(Clone, Copy, Debug, Default)]
pub struct UInt {
    value: u128,
    width: u32,
}

/// What names a bit in `get_bit` and `replace_bit`: an integer, or a [`UInt`] for a bit chosen by a signal.
///
/// There is no way from a signal's value to a Rust integer inside a kernel: arithmetic on that integer would not wrap,
/// and the kernel's syntax tree could not tell.
pub trait BitIndex {
    /// The bit's position, 0 for the least significant.
    fn position(self) -> usize;
}

impl BitIndex for usize {
    #[inline(always)]
    fn position(self) -> usize {
        self
    }
}

impl BitIndex for i32 {
    #[inline(always)]
    fn position(self) -> usize {
        usize::try_from(self).unwrap_or(usize::MAX)
    }
}

impl BitIndex for UInt {
    #[inline(always)]
    fn position(self) -> usize {
        usize::try_from(self.value).unwrap_or(usize::MAX)
    }
}

/// All ones in the low `width` bits.
#[inline(always)]
fn ones(width: u32) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1 << width) - 1
    }
}

impl UInt {
    /// The greatest width.
    pub const MOST_BITS: usize = 128;

    /// `value` cut to `width` bits. A width outside 1..=128 is a [`Fault`] and taken as the nearest one allowed.
    #[inline]
    pub fn new(value: u128, width: usize) -> Self {
        if width == 0 || width > Self::MOST_BITS {
            record(Fault::Width {
                width,
                most: Self::MOST_BITS,
            });
        }
        Self::cut(value, width.clamp(1, Self::MOST_BITS) as u32)
    }

    #[inline(always)]
    fn cut(value: u128, width: u32) -> Self {
        UInt {
            value: value & ones(width),
            width,
        }
    }

    /// Width in bits.
    #[inline(always)]
    pub fn bits(&self) -> usize {
        self.width as usize
    }

    /// The number.
    #[inline(always)]
    pub fn get(&self) -> u128 {
        self.value
    }

    /// Whether any bit is set.
    #[inline(always)]
    pub fn any(&self) -> bool {
        self.value != 0
    }

    /// Whether every bit is set.
    #[inline(always)]
    pub fn all(&self) -> bool {
        self.value == ones(self.width)
    }

    /// Whether an odd number of bits is set.
    #[inline(always)]
    pub fn xor(&self) -> bool {
        self.value.count_ones() & 1 == 1
    }

    /// Bit `index`, false beyond the width.
    #[inline(always)]
    pub fn get_bit(&self, index: impl BitIndex) -> bool {
        let index = index.position();
        index < self.bits() && (self.value >> index) & 1 == 1
    }

    /// The value with bit `index` set to `bit`; unchanged when `index` is beyond the width.
    #[inline]
    pub fn replace_bit(&self, index: impl BitIndex, bit: bool) -> Self {
        let index = index.position();
        if index >= self.bits() {
            return *self;
        }
        UInt {
            value: self.value & !(1 << index) | u128::from(bit) << index,
            width: self.width,
        }
    }

    #[inline(always)]
    fn pair(self, operator: &'static str, other: UInt) {
        if self.width != other.width {
            record(Fault::WidthMismatch {
                operator,
                left: self.bits(),
                right: other.bits(),
            });
        }
    }

    #[inline(always)]
    fn fits(self, operator: &'static str, number: u128) -> u128 {
        if number > ones(self.width) {
            record(Fault::NumberTooWide {
                operator,
                number,
                width: self.bits(),
            });
        }
        number
    }

    #[inline(always)]
    fn shifted_left(self, by: u128) -> Self {
        Self::cut(if by > 127 { 0 } else { self.value << by }, self.width)
    }

    #[inline(always)]
    fn shifted_right(self, by: u128) -> Self {
        UInt {
            value: if by > 127 { 0 } else { self.value >> by },
            width: self.width,
        }
    }
}

macro_rules! arithmetic {
    ($($trait:ident $method:ident $operator:literal $function:expr;)+) => { $(
        impl $trait<UInt> for UInt {
            type Output = UInt;
            #[inline(always)]
            fn $method(self, other: UInt) -> UInt {
                self.pair($operator, other);
                let function: fn(u128, u128) -> u128 = $function;
                UInt::cut(function(self.value, other.value), self.width)
            }
        }
        arithmetic!(@numbers $trait $method $operator $function; i32 u32 u64 usize u128);
    )+ };
    (@numbers $trait:ident $method:ident $operator:literal $function:expr; $($number:ty)+) => { $(
        impl $trait<$number> for UInt {
            type Output = UInt;
            #[inline(always)]
            fn $method(self, other: $number) -> UInt {
                let number = self.fits($operator, other as u128);
                let function: fn(u128, u128) -> u128 = $function;
                UInt::cut(function(self.value, number), self.width)
            }
        }
    )+ };
}

arithmetic! {
    Add add "+" |a, b| a.wrapping_add(b);
    Sub sub "-" |a, b| a.wrapping_sub(b);
    Mul mul "*" |a, b| a.wrapping_mul(b);
    BitAnd bitand "&" |a, b| a & b;
    BitOr bitor "|" |a, b| a | b;
    BitXor bitxor "^" |a, b| a ^ b;
}

impl Not for UInt {
    type Output = UInt;
    #[inline(always)]
    fn not(self) -> UInt {
        UInt::cut(!self.value, self.width)
    }
}

impl Neg for UInt {
    type Output = UInt;
    #[inline(always)]
    fn neg(self) -> UInt {
        UInt::cut(self.value.wrapping_neg(), self.width)
    }
}

macro_rules! with_numbers {
    ($($number:ty)+) => { $(
        impl Shl<$number> for UInt {
            type Output = UInt;
            #[inline(always)]
            fn shl(self, by: $number) -> UInt {
                self.shifted_left(by as u128)
            }
        }
        impl Shr<$number> for UInt {
            type Output = UInt;
            #[inline(always)]
            fn shr(self, by: $number) -> UInt {
                self.shifted_right(by as u128)
            }
        }
        impl PartialEq<$number> for UInt {
            #[inline(always)]
            fn eq(&self, number: &$number) -> bool {
                self.value == self.fits("==", *number as u128)
            }
        }
        impl PartialOrd<$number> for UInt {
            #[inline(always)]
            fn partial_cmp(&self, number: &$number) -> Option<Ordering> {
                Some(self.value.cmp(&self.fits("<", *number as u128)))
            }
        }
    )+ };
}

with_numbers!(i32 u32 u64 usize u128);

impl Shl<UInt> for UInt {
    type Output = UInt;
    #[inline(always)]
    fn shl(self, by: UInt) -> UInt {
        self.shifted_left(by.value)
    }
}

impl Shr<UInt> for UInt {
    type Output = UInt;
    #[inline(always)]
    fn shr(self, by: UInt) -> UInt {
        self.shifted_right(by.value)
    }
}

impl PartialEq for UInt {
    #[inline(always)]
    fn eq(&self, other: &UInt) -> bool {
        self.pair("==", *other);
        self.value == other.value
    }
}

impl Eq for UInt {}

impl PartialOrd for UInt {
    #[inline(always)]
    fn partial_cmp(&self, other: &UInt) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for UInt {
    #[inline(always)]
    fn cmp(&self, other: &UInt) -> Ordering {
        self.pair("<", *other);
        self.value.cmp(&other.value)
    }
}

impl Value for UInt {
    const TYPE: &'static str = "UInt";

    fn zero(width: usize) -> Self {
        UInt::new(0, width)
    }

    #[inline(always)]
    fn bits(&self) -> usize {
        self.width as usize
    }

    fn hex(&self) -> String {
        format!("{:x}", self.value)
    }

    fn bit(&self, index: usize) -> bool {
        self.get_bit(index)
    }
}
