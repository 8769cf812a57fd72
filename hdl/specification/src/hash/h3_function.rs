use super::SplitMix64;

/// One function of family `h3`: the XOR of the rows of the set key bits, and of the offset.
///
/// Drawn per function: for each key bit a word, whose low F bits are the row; then a word whose low F bits are the
/// offset. Linear over XOR, so structured keys (consecutive addresses) give structured indices; `h3-sbox` is the default
/// for that reason.
///
/// Source: H3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct H3Function {
    /// Which function this is.
    pub function: usize,
    /// One row of F bits for each key bit, key bit 0 first.
    pub rows: Vec<u64>,
    /// F bits; the value for the key 0.
    pub offset: u64,
}

impl H3Function {
    pub(super) fn draw(
        stream: &mut SplitMix64,
        key_bits: u32,
        function: usize,
        function_bits: u32,
    ) -> H3Function {
        let mask = u64::MAX >> (64 - function_bits);
        let rows = (0..key_bits).map(|_| stream.next_word() & mask).collect();
        H3Function {
            function,
            rows,
            offset: stream.next_word() & mask,
        }
    }
}
