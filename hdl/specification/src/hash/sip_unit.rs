use crate::values::HashFamily;
use std::ops::Range;

/// Bits of a SipHash value.
const VALUE_BITS: u32 = 64;

/// One unit of the keyed families: SipHash-c-d (Aumasson and Bernstein, INDOCRYPT 2012) of the item's key under the filter's
/// secret of 128 bits (k0 the low half).
///
/// The message is the key's ceil(bits / 8) bytes, byte 0 first, the last one filled with zeros; where a filter has more than one
/// unit, one more byte holds the unit's number, so that no two units hash the same message. The local function l (counted from
/// `functions.start`) is bits `l F + F - 1 .. l F` of the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SipUnit {
    /// Rounds for a word of the message, c.
    pub compress: u32,
    /// Rounds at the end, d.
    pub finish: u32,
    /// Byte behind the key's bytes, where there is more than one unit.
    pub number: Option<u8>,
    /// Bytes of the message.
    pub message_bytes: u32,
    /// The functions this unit gives.
    pub functions: Range<usize>,
}

impl SipUnit {
    /// The units that give `functions` functions of `function_bits` bits.
    pub(super) fn for_functions(
        family: HashFamily,
        key_bits: u32,
        functions: usize,
        function_bits: u32,
    ) -> impl Iterator<Item = SipUnit> {
        let (compress, finish) = match family {
            HashFamily::SipHash24 => (2, 4),
            _ => (1, 3),
        };
        let functions_per_unit = (VALUE_BITS / function_bits) as usize;
        let single = functions <= functions_per_unit;
        (0..functions)
            .step_by(functions_per_unit)
            .zip(0_u8..)
            .map(move |(first, number)| SipUnit {
                compress,
                finish,
                number: (!single).then_some(number),
                message_bytes: key_bits.div_ceil(8) + u32::from(!single),
                functions: first..functions.min(first + functions_per_unit),
            })
    }

    /// Words of the message with its length: floor(bytes / 8) + 1.
    pub fn words(&self) -> u32 {
        self.message_bytes / 8 + 1
    }

    /// Register ranks from the key to the value: four a round, and one for the sum of the state.
    pub fn clocks(&self) -> u32 {
        4 * (self.compress * self.words() + self.finish) + 1
    }
}
