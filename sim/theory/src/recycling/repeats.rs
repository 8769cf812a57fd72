//! False positives over all arrivals of keys that come again (RBF II-E and Appendix A).
//!
//! The paper counts first arrivals alone (count-instance), all arrivals with a false positive at the first (count-first), or every
//! arrival of a key that was a false positive at its first (count-each). Its Theorem 1 says that count-each is at most H times
//! count-instance, with `H = max E[h_(j-1)]/E[h_j]` over the probabilities `E[h_j]` that a cycle has a j-th new key.
//!
//! Two remarks on the appendix, found by this project:
//! * Lemma 4 takes the fill at a key's arrival, which makes it a false positive, as independent of the cycle having lasted so far. The
//!   inequality holds with the rate given that the cycle has lasted in the place of `E[f_i]`, if that rate and `E[h_(j-1)]/E[h_j]`
//!   (Claim 1, stated there without proof) grow along a cycle.
//! * H is no small constant. A cycle that has lasted very long sits at its fullest state and leaves it by a bit that is set, so the
//!   ratio tends to one over the greatest rate: 16 for k = 4 at half the bits.
//!
//! [`uniform_requests`] has all three exactly for uniform requests, [`crate::sizing::by_arrivals`] in good approximation for a law of
//! popularity, any threshold and two phases.

use super::half::SharedHalf;
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;

const NAME: &str = "rates over all arrivals";
/// Share of the cycles that may be left out.
const ENDED: f64 = 1e-13;
/// Most elementary steps, about a second.
const MOST_STEPS: f64 = 3e8;

/// H of RBF, Appendix A, for one phase with a threshold on bits: `1/f_w(sigma)`, from the greatest rate just before a recycle. A bound
/// of count-each over count-instance that rests on the paper's Claim 1.
pub fn repeat_factor(largest_rate: f64) -> Figure {
    Figure::new(
        1.0 / largest_rate,
        "RBF Theorem 1: count-each <= H count-instance, H = 1/(greatest rate before a recycle); rests on Claim 1 of the paper",
        Accuracy::bound(),
    )
}

/// The three rates of RBF II-E.
#[derive(Debug, Clone, PartialEq)]
pub struct Averages {
    /// False positives over first arrivals.
    pub count_instance: Figure,
    /// False positives over all arrivals.
    pub count_first: Figure,
    /// False positives and all later arrivals of their keys, over all arrivals.
    pub count_each: Figure,
}

/// The three rates of a half that recycles above `sigma` bits, one phase, the tripping message forgotten, when every request is for
/// one of `universe` keys, uniformly and independently. Exact: with i keys so far, `i/(U - i)` requests for them come before the
/// next new key, alike for all of them, and none changes the half.
///
/// Source: derivation of this project. Held against simulation.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `k <= sigma < M`, and where so few keys may leave the half below its threshold for ever;
/// [`TheoryError::TooLarge`] when it would take more than seconds.
pub fn uniform_requests(
    half: SharedHalf,
    sigma: u64,
    universe: u64,
) -> Result<Averages, TheoryError> {
    let k = half.hashes() as usize;
    TheoryError::check_range(NAME, "sigma", sigma, (k as u64, half.bits() - 1))?;
    TheoryError::check_range(NAME, "universe", universe, (2, 1 << 40))?;
    let states = sigma as usize + 1;
    // mass and expected false positives so far of the cycles that have lasted, by bits set
    let (mut mass, mut positives) = (vec![0.0; states], vec![0.0; states]);
    mass[0] = 1.0;
    let (mut first, mut wrong, mut all, mut each) = (0.0, 0.0, 0.0, 0.0);
    let mut steps = 0.0;
    for keys in 0..universe {
        let running: f64 = mass.iter().sum();
        if running < ENDED {
            let figure = |value: f64, which: &str| {
                Figure::new(
                    value,
                    format!(
                        "{which}, chain over keys and bits of a cycle (derivation of this project)"
                    ),
                    Accuracy::exact(1e-9),
                )
            };
            return Ok(Averages {
                count_instance: figure(wrong / first, "count-instance"),
                count_first: figure(wrong / all, "count-first"),
                count_each: figure(each / all, "count-each"),
            });
        }
        steps += (states * k) as f64;
        if steps > MOST_STEPS {
            return Err(TheoryError::TooLarge {
                formula: NAME,
                quantity: "elementary steps",
                got: steps as u64,
                limit: MOST_STEPS as u64,
                next_step: "take a smaller half of the same fill",
            });
        }
        // requests for the keys so far, before the next new key: each of them has 1/(U - i)
        let more = 1.0 / (universe - keys) as f64;
        first += running;
        all += running * (1.0 + keys as f64 * more);
        each += positives.iter().sum::<f64>() * more;
        // the new key, draw by draw: a column of bits set for each number of draws
        let (mut next, mut next_positives) = (vec![0.0; states], vec![0.0; states]);
        for set in 0..states {
            if mass[set] == 0.0 {
                continue;
            }
            let mut reached = [0.0; super::half::MAX_HASHES as usize + 1];
            reached[0] = 1.0;
            for drawn in 0..k {
                for new in (0..=drawn).rev() {
                    let bits = (set + new) as f64;
                    let share = reached[new];
                    reached[new + 1] += share * half.set_one(bits, drawn as u32);
                    reached[new] = share * half.stay(bits, drawn as u32);
                }
            }
            wrong += mass[set] * reached[0];
            each += mass[set] * reached[0];
            for (new, share) in reached[..=k].iter().enumerate() {
                if set + new < states {
                    next[set + new] += mass[set] * share;
                    next_positives[set + new] += positives[set] * share;
                }
            }
            next_positives[set] += mass[set] * reached[0];
        }
        (mass, positives) = (next, next_positives);
    }
    let expected = "so many keys that a cycle ends before all have come";
    Err(TheoryError::domain(NAME, "universe", expected, universe))
}
