//! Hash constants, expanded from the seed of a specification.
//!
//! Everything comes from one SplitMix64 stream whose state starts at the seed. Units are drawn one after the other, each
//! in the order its type documents. This module draws constants; it evaluates no hash. Model, gateware, driver and the
//! manifest read the constants and never the generator. Nothing in here depends on the rest of the crate but for the
//! words of the specification ([`HashFamily`]).
//!
//! Common to all families: function j gives F = [`HashConstants::function_bits`] bits, and an index is the low
//! `index_bits` of them, so a smaller range takes the low bits of the same function. What becomes of them is
//! [`Probing`](crate::Probing)'s.

mod h3_function;
mod sbox_unit;
mod sip_unit;
mod split_mix;
mod unit;

pub use h3_function::H3Function;
pub use sbox_unit::{SboxUnit, PRESENT_SBOX};
pub use sip_unit::SipUnit;
pub use split_mix::SplitMix64;
pub use unit::HashUnit;

use crate::values::HashFamily;

/// The expanded constants of a specification's hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashConstants {
    /// Family the units belong to.
    pub family: HashFamily,
    /// Hash functions: 2 for double hashing, k for independent functions.
    pub functions: usize,
    /// Bits a function gives, F: [`Probing::function_bits`](crate::Probing::function_bits).
    pub function_bits: u32,
    /// The units in the order they were drawn; together they give every function once, in order.
    pub units: Vec<HashUnit>,
    /// The keyed families' secret until the host loads another: the first word drawn in the low half. As public as the seed.
    pub secret: Option<u128>,
}

impl HashConstants {
    /// Draws all constants.
    ///
    /// `key_bits` is from 1 to 512, `function_bits` from 15 to 49 (validation sees to both). A `h3-sbox` unit serves
    /// floor([`SboxUnit::MAX_OUTPUTS`] / F) functions, a unit of the keyed families floor(64 / F), the last one fewer.
    pub(crate) fn expand(
        family: HashFamily,
        seed: u64,
        key_bits: u32,
        functions: usize,
        function_bits: u32,
    ) -> HashConstants {
        let mut stream = SplitMix64::new(seed);
        let mut secret = None;
        let units = match family {
            HashFamily::H3Sbox => {
                let functions_per_unit = (SboxUnit::MAX_OUTPUTS / function_bits) as usize;
                (0..functions)
                    .step_by(functions_per_unit)
                    .map(|first| {
                        let served = first..functions.min(first + functions_per_unit);
                        HashUnit::Sbox(SboxUnit::draw(&mut stream, key_bits, served, function_bits))
                    })
                    .collect()
            }
            HashFamily::H3 => (0..functions)
                .map(|function| {
                    HashUnit::H3(H3Function::draw(
                        &mut stream,
                        key_bits,
                        function,
                        function_bits,
                    ))
                })
                .collect(),
            HashFamily::SipHash | HashFamily::SipHash24 => {
                let (low, high) = (stream.next_word(), stream.next_word());
                secret = Some(u128::from(high) << 64 | u128::from(low));
                let units = SipUnit::for_functions(family, key_bits, functions, function_bits);
                units.map(HashUnit::Sip).collect()
            }
        };
        HashConstants {
            family,
            functions,
            function_bits,
            units,
            secret,
        }
    }

    /// Register ranks from the key to the functions' values.
    pub fn clocks(&self) -> u32 {
        match self.units.first() {
            Some(HashUnit::Sbox(_)) => 3,
            Some(HashUnit::H3(_)) | None => 2,
            Some(HashUnit::Sip(unit)) => unit.clocks(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The 64 bits after layer 1 and the S-boxes, then the outputs: written from the definition, for tests only.
    fn evaluate(unit: &SboxUnit, key: u128) -> u64 {
        let mixed = (0..unit.rows.len())
            .filter(|&i| key >> i & 1 == 1)
            .fold(unit.offset, |x, i| x ^ unit.rows[i]);
        let substituted = (0..16).fold(0u64, |word, nibble| {
            word | u64::from(PRESENT_SBOX[(mixed >> (4 * nibble) & 15) as usize]) << (4 * nibble)
        });
        unit.taps.iter().enumerate().fold(0, |outputs, (j, taps)| {
            outputs
                | taps
                    .iter()
                    .fold(0, |bit, &tap| bit ^ (substituted >> tap & 1))
                    << j
        })
    }

    fn sbox_units(constants: &HashConstants) -> Vec<&SboxUnit> {
        constants
            .units
            .iter()
            .map(|unit| match unit {
                HashUnit::Sbox(unit) => unit,
                _ => unreachable!("family h3-sbox has S-box units"),
            })
            .collect()
    }

    #[test]
    fn seed_one_at_104_bits_gives_the_published_check_values() {
        let constants = HashConstants::expand(HashFamily::H3Sbox, 1, 104, 2, 15);
        let [unit] = sbox_units(&constants)[..] else {
            panic!("two functions of 15 bits fit one unit")
        };
        let h1_h2 = |key| {
            let outputs = evaluate(unit, key);
            (outputs & 0x7fff, outputs >> 15)
        };
        assert_eq!(h1_h2(0), (0x6248, 0x36bd));
        assert_eq!(h1_h2(1), (0x5db7, 0x0e0e));
    }

    /// The expected values come from a second expansion, written in Python from the definition alone, with the rules in
    /// their plainest form (all pairwise sums kept, rank by elimination).
    #[test]
    fn constants_match_an_independent_expansion() {
        let cases = [
            (1, 104, 2, 15, 0x00bc_d1c7_dc46_306f),
            (2, 104, 16, 19, 0xfd36_0e55_8ecf_7736),
            (3, 512, 4, 15, 0xc74d_1056_82f8_3654),
            (4, 296, 2, 27, 0x985f_ebd4_051b_d8eb),
        ];
        for (seed, key_bits, functions, function_bits, expected) in cases {
            let constants =
                HashConstants::expand(HashFamily::H3Sbox, seed, key_bits, functions, function_bits);
            let digest = sbox_units(&constants).iter().fold(0u64, |digest, unit| {
                let outputs = unit
                    .taps
                    .iter()
                    .map(|taps| taps.iter().fold(0u64, |row, &bit| row | 1 << bit));
                let words = unit
                    .rows
                    .iter()
                    .copied()
                    .chain([unit.offset])
                    .chain(outputs);
                words.fold(digest, |digest, word| digest.rotate_left(7) ^ word)
            });
            assert_eq!(digest, expected, "seed {seed}: {digest:#x}");
        }
    }

    #[test]
    fn units_cover_every_function_once_and_in_order() {
        for (functions, function_bits) in [
            (1, 15),
            (2, 15),
            (4, 15),
            (16, 20),
            (32, 15),
            (2, 27),
            (32, 31),
            (7, 24),
        ] {
            for family in [HashFamily::H3Sbox, HashFamily::H3] {
                let constants = HashConstants::expand(family, 7, 24, functions, function_bits);
                let covered: Vec<usize> = constants
                    .units
                    .iter()
                    .flat_map(HashUnit::functions)
                    .collect();
                assert_eq!(
                    covered,
                    (0..functions).collect::<Vec<_>>(),
                    "{family} {functions} {function_bits}"
                );
            }
        }
    }

    #[test]
    fn every_function_output_has_taps() {
        let constants = HashConstants::expand(HashFamily::H3Sbox, 3, 104, 16, 20);
        for unit in sbox_units(&constants) {
            assert_eq!(unit.taps.len(), unit.functions.len() * 20);
            assert_eq!(unit.rows.len(), 104);
        }
    }

    #[test]
    fn another_seed_gives_other_constants_and_the_same_seed_the_same() {
        let expand = |seed| HashConstants::expand(HashFamily::H3Sbox, seed, 64, 2, 15);
        assert_eq!(expand(5), expand(5));
        assert_ne!(expand(5), expand(6));
    }

    #[test]
    fn plain_h3_draws_rows_then_offset_function_by_function() {
        let constants = HashConstants::expand(HashFamily::H3, 9, 3, 2, 15);
        let mut stream = SplitMix64::new(9);
        for unit in &constants.units {
            let HashUnit::H3(unit) = unit else {
                panic!("family h3 has H3 units")
            };
            for row in &unit.rows {
                assert_eq!(*row, stream.next_word() & 0x7fff);
            }
            assert_eq!(unit.offset, stream.next_word() & 0x7fff);
        }
    }

    #[test]
    fn the_widest_key_and_the_most_functions_take_eleven_units() {
        let constants = HashConstants::expand(HashFamily::H3Sbox, 1, 512, 32, 15);
        assert_eq!(constants.units.len(), 11);
    }
}
