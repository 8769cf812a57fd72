//! Every way in which the positions of a few keys can fall, and Markov chains of a few cells.

use bloomline_theory::peers::{
    AgePartitioned, Blocked, Blocks, CountingQueue, Stable, TimeAware, TimeDecaying,
};

/// Calls `visit` with every vector of `places` numbers below `range`.
fn every(places: usize, range: usize, mut visit: impl FnMut(&[usize])) {
    let mut drawn = vec![0; places];
    loop {
        visit(&drawn);
        let Some(next) = drawn.iter().position(|value| value + 1 < range) else {
            return;
        };
        drawn[next] += 1;
        drawn[..next].fill(0);
    }
}

#[test]
fn slices_match_in_a_row_as_often_as_enumeration_finds() {
    // k = 2, l = 2, g = 2: slices hold t, 2 + t, 4 and 4 keys
    for (range, generation, t) in [(2, 2, 1), (2, 2, 2), (3, 1, 1)] {
        let older = 2;
        let keys = [t, generation + t, 2 * generation, 2 * generation];
        let places = keys.iter().sum::<u64>() as usize;
        let (mut seen, mut all) = (0u64, 0u64);
        every(places, range, |drawn| {
            let mut from = 0;
            let fills: Vec<f64> = keys
                .iter()
                .map(|keys| {
                    let to = from + *keys as usize;
                    let set = (0..range).filter(|p| drawn[from..to].contains(p)).count();
                    from = to;
                    set as f64
                })
                .collect();
            // of the range^4 new keys, those with two matches in a row
            let miss = |i: usize| range as f64 - fills[i];
            let mut unseen = 0.0;
            for pattern in 0u32..16 {
                let hit = |i: usize| pattern >> i & 1 == 1;
                if (0..3).all(|i| !(hit(i) && hit(i + 1))) {
                    unseen += (0..4)
                        .map(|i| if hit(i) { fills[i] } else { miss(i) })
                        .product::<f64>();
                }
            }
            let keys = range.pow(4) as u64;
            seen += keys - unseen as u64;
            all += keys;
        });
        let law = AgePartitioned::new(range as u64, 2, older, generation).expect("legal");
        let exact = seen as f64 / all as f64;
        assert!(
            (law.rate_after(t) - exact).abs() < 1e-14,
            "{range} {t}: {exact}"
        );
    }
}

#[test]
fn windows_of_bits_and_counters_match_as_often_as_enumeration_finds() {
    // one bank of 3 cells, windows of 2 keys: 3 or 4 keys have hit the cells that are set
    let share = |keys: usize| {
        let mut rate = 0.0;
        every(keys + 1, 3, |drawn| {
            let (key, stored) = drawn.split_first().expect("a key");
            rate += f64::from(u8::from(stored.contains(key))) / 3f64.powi(keys as i32 + 1);
        });
        rate
    };
    let aware = TimeAware::new(3, 1, 2).expect("legal").rate().value;
    assert!((aware - 0.5 * (share(3) + share(4))).abs() < 1e-14);
    for hashes in [1, 2] {
        let queue = CountingQueue::new(3, hashes, 4).expect("legal");
        let exact = share(4).powi(hashes as i32);
        assert!((queue.rate().value - exact).abs() < 1e-14);
        assert_eq!(
            queue.passed().value,
            0.0,
            "four keys raise no counter to 16"
        );
    }
    // 16 keys that all fall on one of two counters of one bank: 2^-15
    let queue = CountingQueue::new(2, 1, 16).expect("legal");
    assert!((queue.passed().value * 2f64.powi(15) - 1.0).abs() < 1e-12);
}

#[test]
fn blocks_and_blocked_halves_match_as_often_as_enumeration_finds() {
    // two filters of one partition of 3 bits, 2 keys each: the mean over 1 and 2 keys in the younger
    let mut rate = 0.0;
    for t in 1..=2 {
        every(2 + t + 1, 3, |drawn| {
            let (key, stored) = drawn.split_first().expect("a key");
            rate += f64::from(u8::from(stored.contains(key))) / 3f64.powi(3 + t as i32) / 2.0;
        });
    }
    let law = Blocks::new(3, 1, 1, 2).expect("legal").rate().value;
    assert!((law - rate).abs() < 1e-14, "{law} {rate}");

    // two halves of 2 blocks, k = 2 sectors of 2 bits, 2 keys each: a key is block, bit, bit of 8
    let matches = |key: usize, stored: &[usize]| {
        let in_block = |other: &&usize| **other & 1 == key & 1;
        let bit = |i: usize| {
            stored
                .iter()
                .filter(in_block)
                .any(|o| o >> i & 1 == key >> i & 1)
        };
        bit(1) && bit(2)
    };
    let mut rate = 0.0;
    for t in 1..=2 {
        every(2 + t + 1, 8, |drawn| {
            let seen = matches(drawn[0], &drawn[1..3]) || matches(drawn[0], &drawn[3..]);
            rate += f64::from(u8::from(seen)) / 8f64.powi(3 + t as i32) / 2.0;
        });
    }
    let law = Blocked::new(2, 2, 2, 2).expect("legal").rate().value;
    assert!((law - rate).abs() < 1e-12, "{law} {rate}");
}

#[test]
fn cells_that_decay_in_time_match_as_often_as_enumeration_finds() {
    // cells of 2 bits live for 2 generations and the present one: 2 g + t keys
    let mut rate = 0.0;
    for t in 1..=2 {
        every(4 + t + 1, 3, |drawn| {
            let hit = drawn[1..].contains(&drawn[0]);
            rate += f64::from(u8::from(hit)) / 3f64.powi(5 + t as i32) / 2.0;
        });
    }
    let law = TimeDecaying::new(3, 1, 2, 2).expect("legal").rate().value;
    assert!((law - rate).abs() < 1e-11, "{law} {rate}");
}

/// One step of a cell: decremented with probability p, then set with probability s.
fn step(law: &[f64], p: f64, s: f64) -> Vec<f64> {
    let most = law.len() - 1;
    let mut next = vec![0.0; law.len()];
    for (value, share) in law.iter().enumerate() {
        next[value.saturating_sub(1)] += share * p * (1.0 - s);
        next[value] += share * (1.0 - p) * (1.0 - s);
        next[most] += share * s;
    }
    next
}

#[test]
fn a_stable_filter_is_the_markov_chain_of_its_cells() {
    for (cells, hashes, cell_bits, decrements) in
        [(8u64, 2u32, 2u32, 3u64), (40, 3, 1, 2), (64, 4, 3, 20)]
    {
        let filter = Stable::new(cells, hashes, cell_bits, decrements).expect("legal");
        let (p, s) = (decrements as f64 / cells as f64, 1.0 / cells as f64);
        let mut fresh: Vec<f64> = vec![0.0; 1 << cell_bits];
        *fresh.last_mut().expect("states") = 1.0;
        // what no other key sets
        let mut alone = fresh.clone();
        for distance in 0..200u64 {
            let missed = 1.0 - (1.0 - fresh[0]).powi(hashes as i32);
            let law = filter.missed(distance as f64);
            assert!(
                (law - missed).abs() < 1e-12,
                "{cells} {distance}: {law} {missed}"
            );
            let forgotten = 1.0 - (1.0 - alone[0]).powi(hashes as i32);
            let law = filter.forgotten(distance as f64);
            assert!(
                (law - forgotten).abs() < 1e-12 && forgotten >= missed - 1e-12,
                "{cells} {distance}: {law} {forgotten}"
            );
            fresh = step(&fresh, p, s);
            alone = step(&alone, p, 0.0);
        }
        (0..20_000).for_each(|_| fresh = step(&fresh, p, s));
        let rate = (1.0 - fresh[0]).powi(hashes as i32);
        assert!((filter.rate().value / rate - 1.0).abs() < 1e-10);
    }
}
