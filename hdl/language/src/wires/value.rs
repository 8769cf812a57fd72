//! Values that a signal can carry.

use rust_hdl::prelude::VCDValue;
use std::fmt::Debug;

/// A value a signal, register or constant can carry: `bool`, [`super::UInt`] or [`super::Wide`].
pub trait Value: Copy + PartialEq + Debug + 'static {
    /// Name of the type in descriptions and errors.
    const TYPE: &'static str;

    /// Zero in `width` bits.
    fn zero(width: usize) -> Self;

    /// Width in bits.
    fn bits(&self) -> usize;

    /// The value as lower-case hexadecimal digits without prefix or leading zeros (`"0"` for zero).
    fn hex(&self) -> String;

    /// Bit `index`, false beyond the width.
    fn bit(&self, index: usize) -> bool;

    /// The value for a waveform file, most significant bit first.
    fn vcd(&self) -> VCDValue {
        let level = |set| if set { vcd::Value::V1 } else { vcd::Value::V0 };
        VCDValue::Vector((0..self.bits()).rev().map(|i| level(self.bit(i))).collect())
    }
}

impl Value for bool {
    const TYPE: &'static str = "bool";

    fn zero(_: usize) -> Self {
        false
    }

    fn bits(&self) -> usize {
        1
    }

    fn hex(&self) -> String {
        u8::from(*self).to_string()
    }

    fn bit(&self, index: usize) -> bool {
        *self && index == 0
    }
}
