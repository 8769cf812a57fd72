//! Probe positions of keys: hash units, reduction to the range, and the scheme that gives k positions.

mod spread;
mod unit;

use bloomline_spec::{Common, Key};
use spread::Spread;
use std::sync::Arc;
use unit::Unit;

/// Most probes an item makes.
pub const MAX_PROBES: usize = 32;

/// The probe positions of one item: position i lies in partition i, or all lie in the one array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probes {
    count: u32,
    positions: [u32; MAX_PROBES],
}

impl Probes {
    /// No positions; what an empty slot carries.
    pub const NONE: Probes = Probes {
        count: 0,
        positions: [0; MAX_PROBES],
    };

    /// The positions in the order of the probes, counted from the start of the partition or array.
    pub fn positions(&self) -> &[u32] {
        &self.positions[..self.count as usize]
    }
}

/// Turns keys into probe positions, from the expanded constants of a geometry, as [`bloomline_spec::Probing`] says.
///
/// The unkeyed families are linear but for their S-boxes, so each unit is a sum of table look-ups: one table for each byte
/// of the key, and, for `h3-sbox`, one for each byte between the layers with S-boxes and layer 2 folded in. The keyed
/// families are SipHash under a secret, which is the specification's until [`ProbeHasher::set_secret`].
#[derive(Debug, Clone)]
pub struct ProbeHasher {
    key_bits: u32,
    functions: usize,
    function_bits: u32,
    spread: Spread,
    secret: Option<u128>,
    initial_secret: Option<u128>,
    /// Copies of a hasher share their tables, until one takes another secret.
    units: Arc<Vec<Unit>>,
}

impl ProbeHasher {
    /// Builds the tables of a geometry's hash; every kind of geometry dereferences to what is asked for.
    pub fn new(common: &Common) -> ProbeHasher {
        let constants = common.hash();
        let units = constants.units.iter();
        let secret = constants.secret.unwrap_or(0);
        ProbeHasher {
            key_bits: common.key_bits(),
            functions: constants.functions,
            function_bits: constants.function_bits,
            spread: Spread::new(&common.probing()),
            secret: constants.secret,
            initial_secret: constants.secret,
            units: Arc::new(
                units
                    .map(|unit| Unit::new(unit, common.key_bits(), secret))
                    .collect(),
            ),
        }
    }

    /// Width in bits of the keys this hasher takes. Bits of a wider key beyond it are ignored.
    pub fn key_bits(&self) -> u32 {
        self.key_bits
    }

    /// Probes an item makes, k.
    pub fn hashes(&self) -> usize {
        self.spread.hashes()
    }

    /// The secret in force; `None` where the family has none.
    pub fn secret(&self) -> Option<u128> {
        self.secret
    }

    /// Whether the family has a secret and the one in force is the specification's.
    pub fn has_public_secret(&self) -> bool {
        self.secret.is_some() && self.secret == self.initial_secret
    }

    /// Hashes with another secret from now on; changes nothing where the family has none.
    pub fn set_secret(&mut self, secret: u128) {
        if self.secret.is_some() {
            self.secret = Some(secret);
            Arc::make_mut(&mut self.units)
                .iter_mut()
                .for_each(|unit| unit.set_secret(secret));
        }
    }

    /// The probe positions of a key.
    pub fn probes(&self, key: &Key) -> Probes {
        self.probes_of_words(key.words())
    }

    /// The probe positions of many keys in succession, as many a key as it makes probes.
    pub fn positions(&self, keys: &[Key]) -> Vec<u32> {
        let mut positions = Vec::with_capacity(keys.len() * self.hashes());
        for key in keys {
            positions.extend_from_slice(self.probes(key).positions());
        }
        positions
    }

    /// The probe positions of a key given as 64-bit words, word 0 the lowest; missing words count as 0.
    pub fn probes_of_words(&self, key_words: &[u64]) -> Probes {
        // Two functions, which most filters have, take little room.
        if self.functions <= 2 {
            self.probes_from(key_words, [0; 2])
        } else {
            self.probes_from(key_words, [0; MAX_PROBES])
        }
    }

    #[inline]
    fn probes_from<const N: usize>(&self, key_words: &[u64], mut values: [u64; N]) -> Probes {
        let values = &mut values[..self.functions];
        self.functions_of_words(key_words, values);
        self.spread.probes(values)
    }

    /// The values of the hash functions 0, 1, .. of a key, each `function_bits` wide, as many as `values` has room for;
    /// entries beyond the last function stay as they are.
    pub fn functions(&self, key: &Key, values: &mut [u64]) {
        self.functions_of_words(key.words(), values);
    }

    fn functions_of_words(&self, words: &[u64], values: &mut [u64]) {
        let mask = u64::MAX >> (64 - self.function_bits);
        let mut values = values.iter_mut();
        for unit in self.units.iter() {
            let mut outputs = unit.evaluate(words);
            for value in values.by_ref().take(unit.functions) {
                *value = outputs & mask;
                outputs >>= self.function_bits;
            }
        }
    }
}
