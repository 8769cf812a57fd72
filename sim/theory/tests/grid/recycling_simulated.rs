//! Recycling filters as a whole, with two phases, the retained message and two hash functions: simulated.

use super::{domain, over, Drawn};
use bloomline_theory::sizing::{
    predict, predict_shared, Hashing, On, RecyclingParams, SharedParams,
};
use bloomline_theory::two_hash::Extension;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// A filter whose verdicts are counted.
pub fn draw(random: &mut ChaCha8Rng) -> Drawn {
    let partitioned = random.random_bool(0.5);
    let hashes = random.random_range(1..=5u64);
    let scheme = random.random_range(0..4);
    let distinct = !partitioned && scheme == 0 && random.random_bool(0.5);
    let range = match partitioned {
        true => random.random_range(16..=128u64),
        false => 2 * hashes * hashes + random.random_range(30..300u64),
    };
    let half_bits = if partitioned { range * hashes } else { range };
    let phases = random.random_range(1..=2u32);
    let retain = random.random_bool(0.5);
    let on = if random.random_bool(0.6) {
        On::BitsSet
    } else {
        On::Messages
    };
    let threshold = match on {
        On::BitsSet => random.random_range(2 * hashes..half_bits * 7 / 10),
        On::Messages => random.random_range(3..=3 + half_bits / (2 * hashes)),
    };
    let mut drawn = Drawn::new(format!(
        "partitioned {partitioned} k {hashes} scheme {scheme} distinct {distinct} range {range} phases {phases} \
         {on:?} {threshold} retain {retain}"
    ));
    let predicted = if partitioned {
        let hashing = match scheme {
            0 => Hashing::Independent,
            _ => Hashing::Double,
        };
        predict(&RecyclingParams {
            memory_bits: half_bits * u64::from(phases),
            phases,
            hashes: hashes as u32,
            hashing,
            on,
            threshold,
            retain,
        })
    } else {
        let two_hash = [
            None,
            Some(Extension::None),
            Some(Extension::Square),
            Some(Extension::Cube),
        ];
        predict_shared(&SharedParams {
            half_bits,
            phases,
            hashes: hashes as u32,
            distinct,
            two_hash: two_hash[scheme],
            on,
            threshold,
            retain,
        })
    };
    let small = partitioned && on == On::Messages && hashes > 1 && range < 32;
    let of_law = domain(&[(small, "messages, partitions below 32 bits")]);
    let Some(predicted) = drawn.answer(of_law, predicted) else {
        return drawn;
    };
    let positions = |random: &mut ChaCha8Rng| -> Vec<usize> {
        let (start, stride) = (random.random_range(0..range), random.random_range(0..range));
        let mut taken: Vec<usize> = Vec::new();
        for i in 0..hashes {
            let more = match (partitioned, scheme) {
                (false, 2) => i * i,
                (false, 3) => i * i * i,
                _ => 0,
            };
            loop {
                let position = match scheme {
                    0 => random.random_range(0..range),
                    _ => (start + i * stride + more) % range,
                };
                let at = if partitioned {
                    i * range + position
                } else {
                    position
                };
                if distinct && taken.contains(&(at as usize)) {
                    continue;
                }
                taken.push(at as usize);
                break;
            }
        }
        taken
    };
    let mut active = vec![false; half_bits as usize];
    let mut frozen = active.clone();
    let (mut bits, mut messages) = (0, 0);
    let mut arrival = || {
        let probes = positions(random);
        let mut fresh: Vec<usize> = probes.iter().copied().filter(|at| !active[*at]).collect();
        fresh.sort_unstable();
        fresh.dedup();
        let in_frozen = phases == 2 && probes.iter().all(|at| frozen[*at]);
        let new = fresh.len() as u64;
        if new > 0 {
            let trips = match on {
                On::BitsSet => bits + new > threshold,
                On::Messages => messages + 1 >= threshold,
            };
            if trips {
                std::mem::swap(&mut active, &mut frozen);
                active.fill(false);
                (bits, messages) = (0, 0);
            }
            if !trips || retain {
                for at in probes {
                    bits += u64::from(!std::mem::replace(&mut active[at], true));
                }
                messages += 1;
            }
        }
        new == 0 || in_frozen
    };
    let cycles = (predicted.cycle_arrivals.value as u32).clamp(1, 2000);
    (0..3 * cycles).for_each(|_| {
        arrival();
    });
    let batch = (2 * cycles).max(500);
    let measured = over(60, || {
        f64::from((0..batch).filter(|_| arrival()).count() as u32) / f64::from(batch)
    });
    drawn.simulated("average", &predicted.fpr_average, measured);
    drawn
}
