use crate::values::{Hashing, Layout};

/// Bits of a hash value beyond those of a position where the value is scaled to the range: no position is likelier than another
/// by more than one part in 2^24.
const SCALE_MARGIN_BITS: u32 = 24;
/// Smallest number of bits a function gives, so that small ranges share their constants.
pub const MIN_FUNCTION_BITS: u32 = 15;
/// Most bits of a function, set by the smallest output of a hash unit.
pub const MAX_FUNCTION_BITS: u32 = 49;
/// Ranks of a multiplication by a constant range.
const SCALE_CLOCKS: u32 = 3;

/// How hash values become the k probe positions of an item.
///
/// With H_j the value of function j, F = [`Probing::function_bits`] wide, and r = [`Probing::range`]:
///
/// 1. *Reduction*. r a power of two, and positions need not be distinct: `v_j` = the low bits of H_j. Else `v_j = floor(H_j r / 2^F)`.
/// 2. *Independent*: `p_i = v_i`. *Double*: `p_i = v_0 + i v_1 + f(i) mod r` with `f(i)` = 0, or i^2 or i^3 (extended, KM).
///    *Copies* (double only): with d = k / [`Probing::copies`], position `c d + i` is `v_(2c) + i v_(2c+1) mod r` for i below d (KM 9.2).
/// 3. *Distinct* (independent only; Floyd's algorithm): `t_i = floor(H_i (r - k + 1 + i) / 2^F)`;
///    `p_i = t_i`, unless one of `p_0 .. p_(i-1)` is `t_i`: then `p_i = r - k + i`.
///
/// In the partitioned layout p_i is a position in bank i, in the shared layout all are positions in the one array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probing {
    /// Probes an item makes, k.
    pub hashes: u32,
    /// Functions and their combination.
    pub hashing: Hashing,
    /// Groups of probes with two functions each under double hashing; 1 in all other cases.
    pub copies: u32,
    /// One bank a probe, or one array.
    pub layout: Layout,
    /// Positions of one item differ from each other.
    pub distinct: bool,
    /// Positions that one probe chooses from, r.
    pub range: u64,
}

impl Probing {
    /// Hash functions: k, or two a copy for the double schemes.
    pub fn functions(&self) -> usize {
        match self.hashing {
            Hashing::Independent => self.hashes as usize,
            Hashing::Double | Hashing::ExtendedDouble2 | Hashing::ExtendedDouble3 => {
                2 * self.copies as usize
            }
        }
    }

    /// Probes of one copy: all, where there is one copy.
    pub fn hashes_per_copy(&self) -> u32 {
        self.hashes / self.copies
    }

    /// Bits of a position: ceil(log2 r).
    pub fn index_bits(&self) -> u32 {
        self.range.next_power_of_two().trailing_zeros()
    }

    /// Whether hash values are scaled to a range by multiplication instead of cut to their low bits.
    pub fn scales(&self) -> bool {
        self.distinct || !self.range.is_power_of_two()
    }

    /// Bits that a function gives, F.
    pub fn function_bits(&self) -> u32 {
        let bits = self.index_bits() + if self.scales() { SCALE_MARGIN_BITS } else { 0 };
        bits.clamp(MIN_FUNCTION_BITS, MAX_FUNCTION_BITS)
    }

    /// What is added to `v_0 + i v_1`: 0, i^2 or i^3.
    pub fn extension(&self, i: u64) -> u64 {
        match self.hashing {
            Hashing::Independent | Hashing::Double => 0,
            Hashing::ExtendedDouble2 => i.pow(2),
            Hashing::ExtendedDouble3 => i.pow(3),
        }
    }

    /// Register ranks from the hash values to the finished positions, the index register not counted.
    ///
    /// Scaling takes 3. Then, for k > 1: distinct positions k - 1, one comparison with the earlier ones after the other; double
    /// schemes on a power of two 2 (multiples of h2, then sums); on another range k - 1 (one conditional subtraction after the
    /// other), and one more to add the extension to h2. Copies stand side by side, so k is that of one copy.
    pub fn spread_clocks(&self) -> u32 {
        let scale = if self.scales() { SCALE_CLOCKS } else { 0 };
        let chain = self.hashes_per_copy() - 1;
        if chain == 0 {
            return scale;
        }
        scale
            + match self.hashing {
                Hashing::Independent if self.distinct => chain,
                Hashing::Independent => 0,
                _ if !self.scales() => 2,
                Hashing::Double => chain,
                Hashing::ExtendedDouble2 | Hashing::ExtendedDouble3 => chain + 1,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: Probing = Probing {
        hashes: 4,
        hashing: Hashing::Double,
        copies: 1,
        layout: Layout::Partitioned,
        distinct: false,
        range: 4096,
    };

    #[test]
    fn ranks_follow_scheme_and_range() {
        let ranks = |hashing, distinct, range, hashes| {
            Probing {
                hashes,
                hashing,
                distinct,
                range,
                ..BASE
            }
            .spread_clocks()
        };
        assert_eq!(ranks(Hashing::Double, false, 4096, 4), 2);
        assert_eq!(ranks(Hashing::ExtendedDouble3, false, 4096, 4), 2);
        assert_eq!(ranks(Hashing::Independent, false, 4096, 4), 0);
        assert_eq!(ranks(Hashing::Double, false, 4093, 4), 6);
        assert_eq!(ranks(Hashing::ExtendedDouble2, false, 4093, 4), 7);
        assert_eq!(ranks(Hashing::Independent, false, 4093, 4), 3);
        assert_eq!(ranks(Hashing::Independent, true, 4096, 4), 6);
        assert_eq!(ranks(Hashing::Double, false, 4096, 1), 0);
        assert_eq!(ranks(Hashing::Double, false, 4093, 1), 3);
    }

    #[test]
    fn copies_have_two_functions_each_and_stand_side_by_side() {
        let copies = |copies, range| Probing {
            hashes: 6,
            copies,
            range,
            ..BASE
        };
        let functions = [1, 2, 3].map(|c| copies(c, 4096).functions());
        assert_eq!(functions, [2, 4, 6]);
        let ranks = [1, 2, 3].map(|c| copies(c, 4093).spread_clocks());
        assert_eq!(ranks, [3 + 5, 3 + 2, 3 + 1]);
        assert_eq!(copies(3, 4096).spread_clocks(), 2);
    }

    #[test]
    fn scaled_functions_are_wide_enough_and_small_ranges_share_constants() {
        let bits = |range, distinct| {
            Probing {
                range,
                distinct,
                ..BASE
            }
            .function_bits()
        };
        assert_eq!([bits(128, false), bits(1 << 20, false)], [15, 20]);
        assert_eq!([bits(127, false), bits((1 << 20) - 3, false)], [31, 44]);
        assert_eq!([bits(1 << 20, true), bits((1 << 28) - 57, false)], [44, 49]);
    }
}
