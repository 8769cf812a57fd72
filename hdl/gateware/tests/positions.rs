//! The blocks between hash values and positions, each against the plain formula, one item a clock.

use bloomline_hdl::hash::{ChainSpread, DistinctDraws, Scale, Spread};
use bloomline_language::wires::sim::NativeSim;
use bloomline_language::wires::UInt;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

const ITEMS: usize = 60;
const HASHES: [usize; 6] = [2, 3, 4, 7, 16, 32];

/// What a block of `latency` clocks makes of items fed one a clock.
macro_rules! run {
    ($block:expr, $items:expr, $latency:expr, |$b:ident, $item:ident| $feed:block, |$out:ident| $read:expr) => {{
        let mut sim = NativeSim::new($block, |b| &mut b.clock).expect("settles");
        let (items, latency) = ($items, $latency);
        let mut results = Vec::new();
        for t in 0..items.len() + latency {
            // what a block without a clock makes of an item shows in the same clock
            if t < items.len() {
                let $b = sim.block_mut();
                let $item = &items[t];
                $feed
            }
            sim.settle().expect("settles");
            if t >= latency {
                let $out = sim.block();
                results.push($read);
            }
            sim.step().expect("settles");
        }
        results
    }};
}

/// Prime, even, odd; next to a power of two and far from one.
const RANGES: [u128; 9] = [
    33,
    127,
    251,
    1000,
    1021,
    65_537,
    131_071,
    1_000_003,
    (1 << 28) - 57,
];

fn bits(range: u128) -> usize {
    range.next_power_of_two().trailing_zeros() as usize
}

/// Pairs below `range`, the corners among them.
fn pairs(rng: &mut ChaCha8Rng, range: u128) -> Vec<[u128; 2]> {
    let mut pairs = vec![
        [0, 0],
        [range - 1, range - 1],
        [0, range - 1],
        [range - 1, 0],
        [1, range - 1],
    ];
    pairs.extend((pairs.len()..ITEMS).map(|_| [0; 2].map(|_: u128| rng.random_range(0..range))));
    pairs
}

fn extensions(k: usize) -> [Vec<u64>; 3] {
    [|_| 0, |i: u64| i * i, |i: u64| i * i * i].map(|f| (0..k as u64).map(f).collect())
}

fn double(pairs: &[[u128; 2]], extension: &[u64], range: u128) -> Vec<Vec<u128>> {
    let position =
        |[h1, h2]: &[u128; 2], i: usize| (h1 + i as u128 * h2 + u128::from(extension[i])) % range;
    pairs
        .iter()
        .map(|pair| (0..extension.len()).map(|i| position(pair, i)).collect())
        .collect()
}

#[test]
fn scaling_gives_the_high_part_of_the_product_for_every_range() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let drawn: Vec<u128> = (0..200).map(|_| rng.random_range(33..1 << 31)).collect();
    for range in RANGES.into_iter().chain(drawn).chain([1 << 5, 1 << 17]) {
        let (y_bits, x_bits) = (bits(range), (bits(range) + 24).min(49));
        let mut xs: Vec<u128> = vec![0, (1 << x_bits) - 1];
        xs.extend((0..20).map(|_| rng.random_range(0..1 << x_bits)));
        let expected: Vec<u128> = xs.iter().map(|x| (x * range) >> x_bits).collect();
        let got = run!(
            Scale::new(x_bits, range, y_bits),
            &xs,
            3,
            |b, x| {
                b.x.next = UInt::new(*x, x_bits);
            },
            |b| b.y.val().get()
        );
        assert_eq!(got, expected, "{range}");
    }
}

#[test]
fn double_hashing_wraps_on_a_power_of_two_with_and_without_extension() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for index_bits in [5, 8, 20] {
        for k in HASHES {
            for extension in extensions(k) {
                let pairs = pairs(&mut rng, 1 << index_bits);
                let expected = double(&pairs, &extension, 1 << index_bits);
                for (between, clocks) in [(true, 2), (false, 1)] {
                    let got = run!(
                        Spread::new(&extension, index_bits, between),
                        &pairs,
                        clocks,
                        |b, pair| {
                            b.h1.next = UInt::new(pair[0], index_bits);
                            b.h2.next = UInt::new(pair[1], index_bits);
                        },
                        |b| b.index.iter().map(|i| i.val().get()).collect::<Vec<_>>()
                    );
                    assert_eq!(
                        got, expected,
                        "k = {k}, f = {extension:?}, {clocks} clock(s)"
                    );
                }
            }
        }
    }
}

#[test]
fn double_hashing_on_any_range_is_a_chain_with_and_without_extension() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for range in RANGES {
        for k in HASHES {
            for extension in extensions(k) {
                let pairs = pairs(&mut rng, range);
                let extended = extension[1] > 0;
                let got = run!(
                    ChainSpread::new(&extension, range, bits(range)),
                    &pairs,
                    k - 1 + usize::from(extended),
                    |b, pair| {
                        b.h1.next = UInt::new(pair[0], bits(range));
                        b.h2.next = UInt::new(pair[1], bits(range));
                    },
                    |b| b.index.iter().map(|i| i.val().get()).collect::<Vec<_>>()
                );
                let expected = double(&pairs, &extension, range);
                assert_eq!(got, expected, "range {range}, k = {k}, f = {extension:?}");
            }
        }
    }
}

#[test]
fn distinct_draws_follow_floyd_and_never_meet() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for range in RANGES.into_iter().chain([1 << 5, 1 << 17]) {
        for k in HASHES {
            let draws: Vec<Vec<u128>> = (0..ITEMS)
                .map(|_| {
                    // half of the draws come from few values, so that many meet
                    (0..k)
                        .map(|i| {
                            let most = range - (k - i) as u128;
                            let few = rng.random_bool(0.5);
                            rng.random_range(0..=if few { most.min(3) } else { most })
                        })
                        .collect()
                })
                .collect();
            let expected: Vec<Vec<u128>> = draws
                .iter()
                .map(|draws| {
                    let mut positions: Vec<u128> = Vec::new();
                    for (i, draw) in draws.iter().enumerate() {
                        positions.push(if positions.contains(draw) {
                            range - k as u128 + i as u128
                        } else {
                            *draw
                        });
                    }
                    positions
                })
                .collect();
            let got = run!(
                DistinctDraws::new(k, range, bits(range)),
                &draws,
                k - 1,
                |b, draws| {
                    for (port, draw) in b.draw.iter_mut().zip(draws) {
                        port.next = UInt::new(*draw, bits(range));
                    }
                },
                |b| b.index.iter().map(|i| i.val().get()).collect::<Vec<_>>()
            );
            assert_eq!(got, expected, "range {range}, k = {k}");
            for positions in got {
                assert_eq!(positions.iter().collect::<HashSet<_>>().len(), k);
            }
        }
    }
}
