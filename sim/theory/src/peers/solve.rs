//! The longest generation within a rate, and the greatest distance within a share.

/// A secant step, in the logarithm of the keys, behind which the root is closer than 1e-9.
const SMALL_STEP: f64 = 1e-6;

/// The greatest number of keys g, at least 1, with `exact(g) <= target`; `rough` is the same rate for real g and a little less
/// exact. Both must grow with g; `power` is about the power of g with which they do. None when one key exceeds the target.
pub(super) fn longest(
    target: f64,
    guess: f64,
    power: f64,
    rough: impl Fn(f64) -> f64,
    exact: impl Fn(u64) -> f64,
) -> Option<u64> {
    // the rate is close to a power of g: secant steps on logarithms, inside a bracket
    let wanted = target.ln();
    let value = |ln: f64| rough(ln.exp()).ln();
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
    let mut keys = (at.exp() + 1.0).min(1e15) as u64;
    while keys > 0 && exact(keys) > target {
        // a rough rate may be off by a key or two; far off only where generations are a few keys
        keys -= 1;
    }
    (keys > 0).then_some(keys)
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
}
