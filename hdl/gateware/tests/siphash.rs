//! The SipHash block against the published function.

use bloomline_hdl::hash::SipHash;
use bloomline_language::wires::sim::NativeSim;
use bloomline_language::wires::{UInt, Wide};
use siphasher::sip::{SipHasher13, SipHasher24};

/// Values of the block for keys fed one a clock, each `latency` clocks later.
fn values(block: SipHash, keys: &[Wide], secret: u128, latency: usize) -> Vec<u64> {
    let mut sim = NativeSim::new(block, |b| &mut b.clock).expect("settles");
    sim.block_mut().secret.next = UInt::new(secret, 128);
    let mut values = Vec::new();
    for t in 0..keys.len() + latency {
        if let Some(key) = keys.get(t) {
            sim.block_mut().key.next = *key;
        }
        if t >= latency {
            values.push(sim.block().value.val().get() as u64);
        }
        sim.step().expect("settles");
    }
    values
}

#[test]
fn every_key_width_and_both_variants_equal_the_published_function_one_key_a_clock() {
    let secret: [u8; 16] = std::array::from_fn(|i| i as u8);
    for (key_bits, number) in [
        (1, None),
        (32, None),
        (56, Some(1)),
        (64, None),
        (104, None),
        (104, Some(0)),
        (104, Some(3)),
        (120, None),
        (296, None),
        (505, Some(31)),
        (512, None),
    ] {
        let bytes = usize::div_ceil(key_bits, 8);
        let messages: Vec<Vec<u8>> = (0..5_u64)
            .map(|n| {
                let word = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
                let message: Vec<u8> = (0..bytes).map(|i| word[i % 8] ^ i as u8).collect();
                Wide::from_bytes(&message, key_bits)
                    .words()
                    .iter()
                    .flat_map(|w| w.to_le_bytes())
                    .take(bytes)
                    .collect()
            })
            .collect();
        let keys: Vec<Wide> = messages
            .iter()
            .map(|m| Wide::from_bytes(m, key_bits))
            .collect();
        let whole = |message: &Vec<u8>| {
            let mut message = message.clone();
            message.extend(number);
            message
        };
        let words = (bytes + usize::from(number.is_some())) / 8 + 1;
        let expected: Vec<u64> = messages
            .iter()
            .map(|m| SipHasher13::new_with_key(&secret).hash(&whole(m)))
            .collect();
        let got = values(
            SipHash::new(key_bits, 1, 3, number),
            &keys,
            u128::from_le_bytes(secret),
            4 * (words + 3) + 1,
        );
        assert_eq!(got, expected, "1-3, {key_bits} bits");
        let expected: Vec<u64> = messages
            .iter()
            .map(|m| SipHasher24::new_with_key(&secret).hash(&whole(m)))
            .collect();
        let got = values(
            SipHash::new(key_bits, 2, 4, number),
            &keys,
            u128::from_le_bytes(secret),
            4 * (2 * words + 4) + 1,
        );
        assert_eq!(got, expected, "2-4, {key_bits} bits");
    }
}
