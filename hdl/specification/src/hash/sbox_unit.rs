use super::SplitMix64;
use std::collections::HashSet;
use std::ops::Range;

/// The S-box of the block cipher PRESENT, by input nibble.
pub const PRESENT_SBOX: [u8; 16] = [
    0xC, 0x5, 0x6, 0xB, 0x9, 0x0, 0xA, 0xD, 0x3, 0xE, 0xF, 0x8, 0x4, 0x7, 0x1, 0x2,
];

/// Taps two rows of layer 1 may share.
const MAX_SHARED_TAPS: u32 = 4;
/// Taps that, of three rows whose XOR is a fourth, the two sharing most with that fourth share at least with it.
const TAPS_SHARED_BY_TWO_OF_THREE: (u32, u32) = (3, 2);

/// One unit of family `h3-sbox`: a sparse H3 to 64 bits, sixteen PRESENT S-boxes, a sparse H3 to the outputs.
///
/// ```text
/// key --rows, offset--> 64 bits --16 S-boxes--> 64 bits --taps--> outputs
/// ```
///
/// Drawn in this order from the stream:
/// 1. `rows`: for each key bit a word w; the row has bit `8 b + ((w >> 3 b) & 7)` set for b = 0..7. A row is drawn again
///    while it shares more than four taps with an earlier row of the unit, or equals the XOR of three earlier rows.
/// 2. `offset`: a word.
/// 3. `taps`: for each output a word w; its taps are S-box output bits `4 b + ((w >> 2 b) & 3)` for b = 0..15. An output
///    that depends linearly on earlier ones is drawn again, so layer 2 has full rank. The definition of the family
///    rejects a seed that lacks full rank; for every seed which that accepts, the constants here are the same.
///
/// A unit has at most [`SboxUnit::MAX_OUTPUTS`] outputs: every output takes one bit of each nibble, and such rows span
/// no more than 16 * 3 + 1 = 49 dimensions, so no fiftieth output could be independent.
///
/// Evaluation: x = offset XOR the rows of the set key bits; y = x with every nibble b (bits 4b+3 .. 4b) replaced by
/// [`PRESENT_SBOX`]; output j = XOR of the bits of y that `taps[j]` names. The local function l (counted from
/// `functions.start`) takes outputs `l F + F - 1 .. l F`, lowest output as bit 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SboxUnit {
    /// One 64-bit row of layer 1 for each key bit, key bit 0 first.
    pub rows: Vec<u64>,
    /// Value of the 64 bits for the key 0.
    pub offset: u64,
    /// For each output the sixteen S-box output bits it is the XOR of, one a nibble, nibble 0 first.
    pub taps: Vec<[u8; 16]>,
    /// The functions this unit gives.
    pub functions: Range<usize>,
}

impl SboxUnit {
    /// Most outputs of a unit: the greatest rank layer 2 can have.
    pub const MAX_OUTPUTS: u32 = 49;

    /// Draws the unit of `functions`, each of `function_bits` outputs.
    pub(super) fn draw(
        stream: &mut SplitMix64,
        key_bits: u32,
        functions: Range<usize>,
        function_bits: u32,
    ) -> SboxUnit {
        let (rows, _redraws) = draw_layer_1(stream, key_bits);
        let offset = stream.next_word();
        let taps = draw_layer_2(stream, functions.len() * function_bits as usize);
        SboxUnit {
            rows,
            offset,
            taps,
            functions,
        }
    }
}

/// The rows of layer 1, and how many draws the rules refused.
fn draw_layer_1(stream: &mut SplitMix64, key_bits: u32) -> (Vec<u64>, usize) {
    let mut rows = Vec::with_capacity(key_bits as usize);
    let mut known = HashSet::new();
    let mut redraws = 0;
    while rows.len() < key_bits as usize {
        let word = stream.next_word();
        let row = (0..8).fold(0, |row, b| row | 1u64 << (8 * b + (word >> (3 * b) & 7)));
        if shares_too_much(row, &rows) || is_xor_of_three(row, &rows, &known) {
            redraws += 1;
        } else {
            rows.push(row);
            known.insert(row);
        }
    }
    (rows, redraws)
}

fn shares_too_much(row: u64, earlier: &[u64]) -> bool {
    earlier
        .iter()
        .any(|other| (row & other).count_ones() > MAX_SHARED_TAPS)
}

/// Whether `row`, which shares at most four taps with each row of `earlier`, is the XOR of three of them (`known` is the
/// same rows as a set).
///
/// In each of the eight bytes at least one of the three must have the tap of `row`. So the three share at least eight
/// taps with it in all, none more than four: the most sharing one at least three, the next at least two.
fn is_xor_of_three(row: u64, earlier: &[u64], known: &HashSet<u64>) -> bool {
    let (most, next) = TAPS_SHARED_BY_TWO_OF_THREE;
    let shared = |other: u64| (row & other).count_ones();
    let mut candidates = vec![];
    for &other in earlier {
        if shared(other) >= next {
            candidates.push(other);
        }
    }
    for &first in &candidates {
        if shared(first) < most {
            continue;
        }
        let rest = row ^ first;
        for &second in &candidates {
            let third = rest ^ second;
            if third.count_ones() == 8 && second != first && known.contains(&third) {
                return true;
            }
        }
    }
    false
}

/// The taps of `outputs` linearly independent outputs of layer 2.
fn draw_layer_2(stream: &mut SplitMix64, outputs: usize) -> Vec<[u8; 16]> {
    let mut taps = Vec::with_capacity(outputs);
    let mut basis = Basis::default();
    while taps.len() < outputs {
        let word = stream.next_word();
        let bits: [u8; 16] = std::array::from_fn(|b| (4 * b) as u8 + (word >> (2 * b) & 3) as u8);
        if basis.extend_by(bits.iter().fold(0, |row, &bit| row | 1 << bit)) {
            taps.push(bits);
        }
    }
    taps
}

/// A basis of a space of 64-bit rows over GF(2): `reduced[i]` is 0 or has i as its highest bit.
struct Basis {
    reduced: [u64; 64],
}

impl Default for Basis {
    fn default() -> Self {
        Basis { reduced: [0; 64] }
    }
}

impl Basis {
    /// Adds a row; false, and no change, if it depends on the rows before.
    fn extend_by(&mut self, mut row: u64) -> bool {
        while row != 0 {
            let highest = row.ilog2() as usize;
            if self.reduced[highest] == 0 {
                self.reduced[highest] = row;
                return true;
            }
            row ^= self.reduced[highest];
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use itertools::Itertools;

    #[test]
    fn seed_one_redraws_rows_as_often_as_published() {
        for (key_bits, expected) in [(32, 1), (104, 11), (296, 58)] {
            let (_, redraws) = draw_layer_1(&mut SplitMix64::new(1), key_bits);
            assert_eq!(redraws, expected, "{key_bits} key bits");
        }
    }

    #[test]
    fn no_two_rows_share_five_taps_and_no_four_rows_cancel() {
        let (rows, _) = draw_layer_1(&mut SplitMix64::new(12), 120);
        assert!(rows
            .iter()
            .tuple_combinations()
            .all(|(a, b)| (a & b).count_ones() <= 4));
        let pairs: Vec<u64> = rows
            .iter()
            .tuple_combinations()
            .map(|(a, b)| a ^ b)
            .collect();
        assert!(
            pairs.iter().all_unique(),
            "two pairs with one XOR are four rows that cancel"
        );
    }

    /// Two taps to choose from in each byte instead of eight, so that sums of three are common.
    #[test]
    fn xor_of_three_is_found_exactly_where_a_plain_search_finds_it() {
        let (mut found, mut absent) = (0, 0);
        for seed in 0..200 {
            let mut stream = SplitMix64::new(seed);
            let mut earlier: Vec<u64> = Vec::new();
            for _ in 0..100 {
                let word = stream.next_word();
                let row = (0..8).fold(0, |row, b| row | 1u64 << (8 * b + (word >> (3 * b) & 1)));
                if shares_too_much(row, &earlier) {
                    continue;
                }
                let plain = earlier
                    .iter()
                    .tuple_combinations()
                    .any(|(a, b, c)| a ^ b ^ c == row);
                let known = earlier.iter().copied().collect();
                assert_eq!(is_xor_of_three(row, &earlier, &known), plain, "seed {seed}");
                *if plain { &mut found } else { &mut absent } += 1;
                earlier.push(row);
            }
        }
        assert!(
            found >= 100 && absent >= 100,
            "both outcomes must occur: {found} and {absent}"
        );
    }

    #[test]
    fn full_width_layer_two_reaches_the_greatest_rank() {
        for seed in 0..50 {
            let taps = draw_layer_2(&mut SplitMix64::new(seed), SboxUnit::MAX_OUTPUTS as usize);
            let mut basis = Basis::default();
            let rank = taps
                .iter()
                .filter(|bits| basis.extend_by(bits.iter().fold(0, |row, &bit| row | 1 << bit)));
            assert_eq!(rank.count(), 49, "seed {seed}");
        }
    }

    #[test]
    fn no_output_extends_layer_two_beyond_the_greatest_rank() {
        let mut basis = Basis::default();
        for bits in draw_layer_2(&mut SplitMix64::new(1), SboxUnit::MAX_OUTPUTS as usize) {
            basis.extend_by(bits.iter().fold(0, |row, &bit| row | 1 << bit));
        }
        let mut stream = SplitMix64::new(2);
        for _ in 0..10_000 {
            let word = stream.next_word();
            assert!(!basis
                .extend_by((0..16).fold(0, |row, b| row | 1 << (4 * b + (word >> (2 * b) & 3)))));
        }
    }
}
