//! Changes of width. rust-hdl's kernel macro maps every function whose name begins with `bits` to a cast.

use super::uint::UInt;
use super::wide::Wide;

/// What [`bits_to`] takes: a [`UInt`], a [`Wide`], a `bool` or an integer.
pub trait ToUInt {
    /// The value cut or zero-extended to `width` bits.
    fn to_uint(self, width: usize) -> UInt;
}

/// What [`bits_wide`] takes: a [`UInt`], a [`Wide`], a `bool` or an integer.
pub trait ToWide {
    /// The value cut or zero-extended to `width` bits.
    fn to_wide(self, width: usize) -> Wide;
}

impl ToUInt for UInt {
    #[inline(always)]
    fn to_uint(self, width: usize) -> UInt {
        UInt::new(self.get(), width)
    }
}

impl ToUInt for Wide {
    #[inline]
    fn to_uint(self, width: usize) -> UInt {
        UInt::new(self.low(), width)
    }
}

impl ToWide for UInt {
    fn to_wide(self, width: usize) -> Wide {
        Wide::new(self.get(), width)
    }
}

impl ToWide for Wide {
    fn to_wide(self, width: usize) -> Wide {
        self.resized(width)
    }
}

macro_rules! from_numbers {
    ($($number:ty)+) => { $(
        impl ToUInt for $number {
            #[inline(always)]
            fn to_uint(self, width: usize) -> UInt {
                UInt::new(self as u128, width)
            }
        }
        impl ToWide for $number {
            fn to_wide(self, width: usize) -> Wide {
                Wide::new(self as u128, width)
            }
        }
    )+ };
}

from_numbers!(bool i32 u32 u64 usize u128);

/// `x` cut or zero-extended to `width` bits (1..=128). `bits_to(3, w)` is a literal of `w` bits.
#[inline(always)]
pub fn bits_to<T: ToUInt>(x: T, width: usize) -> UInt {
    x.to_uint(width)
}

/// A flag as a number of `width` bits: 0 or 1.
#[inline(always)]
pub fn bits_of(flag: bool, width: usize) -> UInt {
    UInt::new(u128::from(flag), width)
}

/// `x` cut or zero-extended to a [`Wide`] of `width` bits (1..=1024).
#[inline]
pub fn bits_wide<T: ToWide>(x: T, width: usize) -> Wide {
    x.to_wide(width)
}
