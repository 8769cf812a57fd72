//! Hash values and probe positions once more, in the plainest words: bit by bit, and with the arithmetic of the definitions.

use bloomline_spec::{Common, HashUnit, Hashing, Key, PRESENT_SBOX};

/// SipHash-c-d of a message under k0 and k1, from its authors' description.
pub fn sip_hash(rounds: (u32, u32), k0: u64, k1: u64, message: &[u8]) -> u64 {
    let mut v = [
        k0 ^ 0x736f_6d65_7073_6575,
        k1 ^ 0x646f_7261_6e64_6f6d,
        k0 ^ 0x6c79_6765_6e65_7261,
        k1 ^ 0x7465_6462_7974_6573,
    ];
    let round = |v: &mut [u64; 4], times| {
        for _ in 0..times {
            for [a, b, turn] in [[0, 1, 13], [2, 3, 16]] {
                v[a] = v[a].wrapping_add(v[b]);
                v[b] = v[b].rotate_left(turn as u32) ^ v[a];
            }
            v[0] = v[0].rotate_left(32);
            for [a, b, turn] in [[2, 1, 17], [0, 3, 21]] {
                v[a] = v[a].wrapping_add(v[b]);
                v[b] = v[b].rotate_left(turn as u32) ^ v[a];
            }
            v[2] = v[2].rotate_left(32);
        }
    };
    let mut padded = message.to_vec();
    padded.resize(message.len() / 8 * 8 + 7, 0);
    padded.push(message.len() as u8);
    for word in padded.chunks(8) {
        let word = (0..8).map(|b| u64::from(word[b]) << (8 * b)).sum::<u64>();
        v[3] ^= word;
        round(&mut v, rounds.0);
        v[0] ^= word;
    }
    v[2] ^= 0xff;
    round(&mut v, rounds.1);
    v[0] ^ v[1] ^ v[2] ^ v[3]
}

/// The functions' values straight from the definition, under a secret where the family has one.
pub fn values(common: &Common, key: &Key, secret: u128) -> Vec<u64> {
    let constants = common.hash();
    let bits = constants.function_bits as usize;
    let mut values = Vec::new();
    for unit in &constants.units {
        match unit {
            HashUnit::H3(unit) => values.push(
                (0..common.key_bits())
                    .filter(|&i| key.bit(i))
                    .fold(unit.offset, |x, i| x ^ unit.rows[i as usize]),
            ),
            HashUnit::Sbox(unit) => {
                let x = (0..common.key_bits())
                    .filter(|&i| key.bit(i))
                    .fold(unit.offset, |x, i| x ^ unit.rows[i as usize]);
                let y: u64 = (0..16)
                    .map(|b| u64::from(PRESENT_SBOX[(x >> (4 * b) & 15) as usize]) << (4 * b))
                    .sum();
                for function in 0..unit.functions.len() {
                    values.push(
                        unit.taps[function * bits..][..bits]
                            .iter()
                            .enumerate()
                            .map(|(j, taps)| {
                                (taps.iter().map(|tap| y >> tap & 1).sum::<u64>() & 1) << j
                            })
                            .sum(),
                    );
                }
            }
            HashUnit::Sip(unit) => {
                let key_bytes = common.key_bits().div_ceil(8);
                let mut message: Vec<u8> = (0..key_bytes)
                    .map(|byte| {
                        (0..8)
                            .filter(|bit| 8 * byte + bit < common.key_bits())
                            .map(|bit| u8::from(key.bit(8 * byte + bit)) << bit)
                            .sum()
                    })
                    .collect();
                message.extend(unit.number);
                let (k0, k1) = (secret as u64, (secret >> 64) as u64);
                let value = sip_hash((unit.compress, unit.finish), k0, k1, &message);
                for local in 0..unit.functions.len() {
                    values.push(value >> (local * bits) & ((1 << bits) - 1));
                }
            }
        }
    }
    values
}

/// Probe positions straight from the definition.
pub fn positions(common: &Common, key: &Key, secret: u128) -> Vec<u64> {
    let values = values(common, key, secret);
    let probing = common.probing();
    let (k, r) = (u64::from(probing.hashes), probing.range);
    let floor = |value: u64, range: u64| {
        (u128::from(value) * u128::from(range) / (1 << probing.function_bits())) as u64
    };
    if probing.distinct {
        let mut taken = Vec::new();
        for i in 0..k {
            let drawn = floor(values[i as usize], r - k + 1 + i);
            taken.push(if taken.contains(&drawn) {
                r - k + i
            } else {
                drawn
            });
        }
        return taken;
    }
    let reduced: Vec<u64> = values
        .iter()
        .map(|&value| {
            if r.is_power_of_two() {
                value % r
            } else {
                floor(value, r)
            }
        })
        .collect();
    (0..k)
        .map(|i| match probing.hashing {
            Hashing::Independent => reduced[i as usize],
            Hashing::Double => {
                let rows = k / u64::from(probing.copies);
                let (copy, row) = ((i / rows) as usize, i % rows);
                (reduced[2 * copy] + row * reduced[2 * copy + 1]) % r
            }
            Hashing::ExtendedDouble2 => (reduced[0] + i * reduced[1] + i * i) % r,
            Hashing::ExtendedDouble3 => (reduced[0] + i * reduced[1] + i * i * i) % r,
        })
        .collect()
}
