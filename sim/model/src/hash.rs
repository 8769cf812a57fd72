use bloomline_spec::{Common, HashConstants, HashUnit, Hashing, Key, SboxUnit, PRESENT_SBOX};

/// Most probes an item makes.
pub const MAX_PROBES: usize = 32;

/// The probe positions of one item: position i lies in partition i.
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

    /// The positions, one a partition, in bits from the partition's start.
    pub fn positions(&self) -> &[u32] {
        &self.positions[..self.count as usize]
    }
}

/// Turns keys into probe positions, from the expanded constants of a geometry.
///
/// Double hashing gives `g_i = h1 + i h2 mod m'`, independent hashing `g_i = h_i mod m'`; m', the range of a bank, is a power of two, so the
/// reduction takes low bits (KM; extended double hashing is refused when a specification is validated).
///
/// Both layers are linear but for the S-boxes, so each is a sum of table look-ups: one table for each byte of the key,
/// and, for `h3-sbox`, one for each byte between the layers with S-boxes and layer 2 folded in.
#[derive(Debug, Clone)]
pub struct ProbeHasher {
    key_bits: u32,
    hashes: usize,
    double: bool,
    position_mask: u32,
    function_bits: u32,
    units: Vec<UnitTables>,
}

/// Functions by XOR of table entries.
#[derive(Debug, Clone)]
struct UnitTables {
    offset: u64,
    by_key_byte: Vec<[u64; 256]>,
    by_mixed_byte: Option<Box<[[u64; 256]; 8]>>,
    functions: usize,
}

impl ProbeHasher {
    /// Builds the tables of a geometry's hash; every kind of geometry dereferences to what is asked for.
    pub fn new(common: &Common) -> ProbeHasher {
        let constants: &HashConstants = common.hash();
        let units = constants
            .units
            .iter()
            .map(|unit| match unit {
                HashUnit::Sbox(sbox) => UnitTables {
                    offset: sbox.offset,
                    by_key_byte: byte_tables(&sbox.rows),
                    by_mixed_byte: Some(substitution_tables(sbox)),
                    functions: sbox.functions.len(),
                },
                HashUnit::H3(h3) => UnitTables {
                    offset: h3.offset,
                    by_key_byte: byte_tables(&h3.rows),
                    by_mixed_byte: None,
                    functions: 1,
                },
            })
            .collect();
        ProbeHasher {
            key_bits: common.key_bits(),
            hashes: common.hashes() as usize,
            double: common.hashing() != Hashing::Independent,
            position_mask: (common.range() - 1) as u32,
            function_bits: constants.function_bits,
            units,
        }
    }

    /// Width in bits of the keys this hasher takes. Bits of a wider key beyond it are ignored.
    pub fn key_bits(&self) -> u32 {
        self.key_bits
    }

    /// Probes an item makes, k.
    pub fn hashes(&self) -> usize {
        self.hashes
    }

    /// The probe positions of a key.
    pub fn probes(&self, key: &Key) -> Probes {
        self.probes_of_words(key.words())
    }

    /// The probe positions of a key given as 64-bit words, word 0 the lowest; missing words count as 0.
    pub fn probes_of_words(&self, key_words: &[u64]) -> Probes {
        let mut probes = Probes {
            count: self.hashes as u32,
            positions: [0; MAX_PROBES],
        };
        let positions = &mut probes.positions[..self.hashes];
        if self.double {
            let mut values = [0; 2];
            self.functions_of_words(key_words, &mut values);
            let [mut sum, step] = values;
            for position in positions {
                *position = sum as u32 & self.position_mask;
                sum = sum.wrapping_add(step);
            }
        } else {
            let mut values = [0; MAX_PROBES];
            self.functions_of_words(key_words, &mut values);
            for (position, value) in positions.iter_mut().zip(values) {
                *position = value as u32 & self.position_mask;
            }
        }
        probes
    }

    /// The values of the hash functions 0, 1, .. of a key, each `function_bits` wide, as many as `values` has room for;
    /// entries beyond the last function stay as they are.
    pub fn functions(&self, key: &Key, values: &mut [u64]) {
        self.functions_of_words(key.words(), values);
    }

    fn functions_of_words(&self, words: &[u64], values: &mut [u64]) {
        let mask = u64::MAX >> (64 - self.function_bits);
        let mut values = values.iter_mut();
        for unit in &self.units {
            let mut outputs = unit.evaluate(words);
            for value in values.by_ref().take(unit.functions) {
                *value = outputs & mask;
                outputs >>= self.function_bits;
            }
        }
    }
}

impl UnitTables {
    fn evaluate(&self, key_words: &[u64]) -> u64 {
        let mut mixed = self.offset;
        for (tables, word) in self.by_key_byte.chunks(8).zip(key_words) {
            for (table, byte) in tables.iter().zip(word.to_le_bytes()) {
                mixed ^= table[usize::from(byte)];
            }
        }
        match &self.by_mixed_byte {
            None => mixed,
            Some(tables) => tables
                .iter()
                .zip(mixed.to_le_bytes())
                .fold(0, |outputs, (table, byte)| {
                    outputs ^ table[usize::from(byte)]
                }),
        }
    }
}

/// For each byte of a key and each of its values, the XOR of the rows of the byte's set bits.
fn byte_tables(rows: &[u64]) -> Vec<[u64; 256]> {
    rows.chunks(8)
        .map(|rows| {
            std::array::from_fn(|byte| {
                rows.iter()
                    .enumerate()
                    .filter(|(bit, _)| byte >> bit & 1 == 1)
                    .fold(0, |sum, (_, row)| sum ^ row)
            })
        })
        .collect()
}

/// For each byte between the layers and each of its values: substitute both nibbles, then their part of layer 2.
fn substitution_tables(unit: &SboxUnit) -> Box<[[u64; 256]; 8]> {
    let mut tables = Box::new([[0; 256]; 8]);
    for (index, table) in tables.iter_mut().enumerate() {
        for (byte, entry) in table.iter_mut().enumerate() {
            let substituted =
                u64::from(PRESENT_SBOX[byte & 15]) | u64::from(PRESENT_SBOX[byte >> 4]) << 4;
            let in_place = substituted << (8 * index);
            for (output, taps) in unit.taps.iter().enumerate() {
                let parity = taps
                    .iter()
                    .fold(0, |parity, tap| parity ^ (in_place >> tap & 1));
                *entry |= parity << output;
            }
        }
    }
    tables
}
