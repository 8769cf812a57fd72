use bloomline_model::ProbeHasher;
use bloomline_spec::{Common, Key, SplitMix64};
use serde::Serialize;

/// Vectors of a manifest.
pub const VECTORS: usize = 16;
/// Where the keys without structure come from; no specification changes it.
const KEY_SEED: u64 = 0x424C_4D4C;

/// A key and what the hash makes of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Vector {
    /// The key as an integer, hexadecimal.
    pub key: String,
    /// Values of the hash functions, function 0 first, hexadecimal.
    pub functions: Vec<String>,
    /// Probe positions, partition 0 first, in bits from the partition's start.
    pub indices: Vec<u32>,
}

/// What the hash makes of [`keys`].
pub fn vectors(common: &Common) -> Vec<Vector> {
    let hasher = ProbeHasher::new(common);
    let keys = keys(common);
    keys.iter()
        .map(|key| vector(&hasher, common, key))
        .collect()
}

/// The keys 0, 1 and all ones, the highest bit alone, then keys without structure. Narrow keys repeat.
pub fn keys(common: &Common) -> Vec<Key> {
    let bits = common.key_bits();
    let mut stream = SplitMix64::new(KEY_SEED);
    let mut words = [[0; 8]; VECTORS];
    words[1][0] = 1;
    words[2] = [u64::MAX; 8];
    words[3][((bits - 1) / 64) as usize] = 1 << ((bits - 1) % 64);
    for words in &mut words[4..] {
        words.fill_with(|| stream.next_word());
    }
    words
        .iter()
        .filter_map(|words| key_of(*words, bits))
        .collect()
}

/// The key of the low `bits` bits.
fn key_of(mut words: [u64; 8], bits: u32) -> Option<Key> {
    for (place, word) in (0u32..).zip(&mut words) {
        let room = bits.saturating_sub(64 * place).min(64);
        *word &= u64::MAX.checked_shr(64 - room).unwrap_or(0);
    }
    Key::from_words(&words, bits).ok()
}

fn vector(hasher: &ProbeHasher, common: &Common, key: &Key) -> Vector {
    let mut functions = vec![0; common.hash().functions];
    hasher.functions(key, &mut functions);
    Vector {
        key: key.to_string(),
        functions: functions
            .iter()
            .map(|value| format!("0x{value:x}"))
            .collect(),
        indices: hasher.probes(key).positions().to_vec(),
    }
}
