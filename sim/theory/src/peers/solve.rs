//! The longest generation within a rate, and the greatest distance within a share.

/// A secant step, in the logarithm of the keys, behind which the root is closer than 1e-9.
const SMALL_STEP: f64 = 1e-6;
/// More keys than any generation has.
const MOST_KEYS: u64 = 1_000_000_000_000_000;

/// The greatest number of keys g, at least 1, with `exact(g) <= target`; `rough` is the same rate for real g and a little less
/// exact. Both must grow with g; `power` is about the power of g with which they do. None when one key exceeds the target.
pub(super) fn longest(
    target: f64,
    guess: f64,
    power: f64,
    rough: impl Fn(f64) -> f64,
    exact: impl Fn(u64) -> f64,
) -> Option<u64> {
    // Near 0 the rate is close to a power of g, and near 1 what it lacks falls as an exponential: ln(-ln(1 - rate)) is nearly linear in
    // ln g. Secant steps inside a bracket.
    let scaled = |rate: f64| (-(-rate).ln_1p()).ln();
    let wanted = scaled(target);
    let value = |ln: f64| scaled(rough(ln.exp()));
    let (mut low, mut high) = (0.0_f64, 60.0_f64);
    let mut at = guess.max(1.0).ln();
    let mut before: Option<(f64, f64)> = None;
    for _ in 0..100 {
        let now = value(at);
        if now <= wanted {
            low = at;
        } else {
            high = at;
        }
        let step = match before {
            Some((x, y)) if (now - y).abs() > 1e-12 => (wanted - now) * (at - x) / (now - y),
            _ => (wanted - now) / power,
        };
        before = Some((at, now));
        let next = at + step;
        if high - low < 1e-9 {
            break;
        }
        at = if next.is_finite() && next > low && next < high {
            next
        } else {
            0.5 * (low + high)
        };
        if step.abs() < SMALL_STEP {
            break;
        }
    }
    // A rough rate is off by a key or two, but far off where generations are a few keys or most bits are set.
    let keeps = |keys: u64| exact(keys) <= target;
    let near = (at.exp() + 1.0).min(MOST_KEYS as f64) as u64;
    let (mut kept, mut lost) = (near, near);
    let mut step = 1;
    if near > 0 && keeps(near) {
        lost = near + step;
        while lost < MOST_KEYS && keeps(lost) {
            step *= 2;
            (kept, lost) = (lost, lost + step);
        }
    } else {
        while kept > 0 && (kept == lost || !keeps(kept)) {
            (lost, kept) = (kept, kept.saturating_sub(step));
            step *= 2;
        }
    }
    while lost - kept > 1 {
        let middle = kept + (lost - kept) / 2;
        match keeps(middle) {
            true => kept = middle,
            false => lost = middle,
        }
    }
    (kept > 0).then_some(kept)
}

/// The greatest distance at which at most `share` (above 0, below 1) of the keys are forgotten, by bisection. `forgotten` must not
/// fall, and reach more than `share`.
pub(super) fn last_within(forgotten: impl Fn(f64) -> f64, share: f64) -> f64 {
    let (mut kept, mut lost) = (0.0, 1.0);
    while forgotten(lost) <= share {
        (kept, lost) = (lost, 1.5 * lost);
    }
    while lost - kept > 1e-7 * lost {
        let middle = 0.5 * (kept + lost);
        if forgotten(middle) <= share {
            kept = middle;
        } else {
            lost = middle;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_generation_is_found() {
        let rate = |g: f64| (1.0 - (-g / 1000.0).exp()).powi(4);
        for target in [1e-6, 0.01, 0.7] {
            for guess in [1.0, 300.0, 1e6] {
                let keys =
                    longest(target, guess, 4.0, rate, |g| rate(g as f64)).expect("reachable");
                assert!(rate(keys as f64) <= target && rate(keys as f64 + 1.0) > target);
            }
        }
        assert_eq!(longest(1e-30, 1.0, 4.0, rate, |g| rate(g as f64)), None);
    }

    #[test]
    fn a_rough_rate_that_is_far_off_costs_few_steps() {
        let rate = |g: f64| -(-g / 1e9).exp_m1();
        for error in [0.5, 0.999, 1.001, 1.7] {
            let asked = std::cell::Cell::new(0);
            let exact = |keys: u64| {
                asked.set(asked.get() + 1);
                rate(keys as f64)
            };
            let keys = longest(0.9, 1.0, 1.0, |g| rate(error * g), exact).expect("reachable");
            assert!(rate(keys as f64) <= 0.9 && rate(keys as f64 + 1.0) > 0.9);
            assert!(asked.get() < 100, "{}", asked.get());
        }
    }
}
