//! Searches over integers.

/// The argument in `lo..=hi` with the smallest `exact` value, and that value; the smallest argument on a tie.
///
/// `bound(a, b)` must not exceed `exact` anywhere in `a..=b`; whole ranges whose bound lies above the best value so far
/// are left out, so the result is that of trying every argument. `first` is tried first.
pub(crate) fn minimum<E>(
    range: (u64, u64),
    first: u64,
    bound: &impl Fn(u64, u64) -> f64,
    exact: &mut impl FnMut(u64) -> Result<f64, E>,
) -> Result<(u64, f64), E> {
    let mut best = (first, exact(first)?);
    narrow(range, first, &mut best, bound, exact)?;
    Ok(best)
}

fn narrow<E>(
    (lo, hi): (u64, u64),
    first: u64,
    best: &mut (u64, f64),
    bound: &impl Fn(u64, u64) -> f64,
    exact: &mut impl FnMut(u64) -> Result<f64, E>,
) -> Result<(), E> {
    let slack = 1e-9 * best.1.abs(); // the bound's own rounding
    if bound(lo, hi) > best.1 + slack {
        return Ok(());
    }
    if lo == hi {
        if lo != first {
            let value = exact(lo)?;
            if value < best.1 || (value == best.1 && lo < best.0) {
                *best = (lo, value);
            }
        }
        return Ok(());
    }
    let middle = lo + (hi - lo) / 2;
    narrow((lo, middle), first, best, bound, exact)?;
    narrow((middle + 1, hi), first, best, bound, exact)
}

/// The smallest argument from `start` to `limit` for which `holds`, which must stay true once true; None when there is none.
/// Gallops from `guess`, so a good guess costs little.
pub(crate) fn first_true<E>(
    (start, limit): (u64, u64),
    guess: u64,
    holds: &mut impl FnMut(u64) -> Result<bool, E>,
) -> Result<Option<u64>, E> {
    let guess = guess.clamp(start, limit);
    let mut step = 1;
    // (below, above]: false at below, true at above
    let (mut below, mut above);
    if holds(guess)? {
        above = guess;
        loop {
            if above == start {
                return Ok(Some(start));
            }
            below = above.saturating_sub(step).max(start);
            if !holds(below)? {
                break;
            }
            above = below;
            step *= 2;
        }
    } else {
        below = guess;
        loop {
            if below == limit {
                return Ok(None);
            }
            above = below.saturating_add(step).min(limit);
            if holds(above)? {
                break;
            }
            below = above;
            step *= 2;
        }
    }
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        if holds(middle)? {
            above = middle;
        } else {
            below = middle;
        }
    }
    Ok(Some(above))
}

/// The smallest argument from `start` (at least 1) to `limit` whose `value`, which is not negative and must not fall, is above `target`;
/// None when there is none. By secants on logarithms, in which values are close to straight lines, from `guess`, and by halves
/// where that is slow.
pub(crate) fn first_above<E>(
    range: (u64, u64),
    guess: u64,
    target: f64,
    value: &mut impl FnMut(u64) -> Result<f64, E>,
) -> Result<Option<u64>, E> {
    first_above_near(range, (guess, guess as f64 / 64.0), target, value)
}

/// The same from a guess that is about as close as its second number.
pub(crate) fn first_above_near<E>(
    (start, limit): (u64, u64),
    (guess, mut reach): (u64, f64),
    target: f64,
    value: &mut impl FnMut(u64) -> Result<f64, E>,
) -> Result<Option<u64>, E> {
    // below and at most: not above the target; above and at least: above it, or beyond the limit
    let (mut below, mut above) = (start - 1, limit + 1);
    let (mut low, mut high) = (None, None);
    let mut next = guess.clamp(start, limit);
    let mut halve = false;
    while above - below > 1 {
        let at = next.clamp(below + 1, above - 1);
        let width = above - below;
        let over = (value(at)? / target).ln().clamp(-1e3, 1e3);
        if over > 0.0 {
            (above, high) = (at, Some(over));
        } else {
            (below, low) = (at, Some(over));
        }
        next = match (low, high) {
            (Some(low), Some(high)) => {
                halve = !halve && above - below > width / 2;
                let share = if halve { 0.5 } else { -low / (high - low) };
                let (from, to) = ((below as f64).ln(), (above as f64).ln());
                // a little towards the far end, so that both ends close in
                let aside = 0.01 * (0.5 - share).signum();
                (from + (share + aside).clamp(0.0, 1.0) * (to - from)).exp() as u64
            }
            _ => {
                let step = reach as u64 + 1;
                reach = 8.0 * reach + 1.0;
                match high {
                    Some(_) => at.saturating_sub(step),
                    None => at.saturating_add(step),
                }
            }
        };
    }
    Ok((above <= limit).then_some(above))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn the_minimum_is_that_of_every_argument() {
        let value = |x: u64| ((x as f64) * 0.7).sin() + 0.01 * x as f64;
        let by_hand = (1..=200)
            .min_by(|a, b| value(*a).total_cmp(&value(*b)))
            .expect("not empty");
        let found = minimum((1, 200), 77, &|lo, _| 0.01 * lo as f64 - 1.0, &mut |x| {
            Ok::<_, Infallible>(value(x))
        });
        assert_eq!(found.map(|best| best.0), Ok(by_hand));
    }

    #[test]
    fn the_first_argument_above_a_target_is_found_from_any_guess() {
        let searched = |power: i32, target: f64, guess: u64| {
            let mut tries = 0;
            let mut value = |x: u64| {
                tries += 1;
                Ok::<_, Infallible>((x as f64 / 1e6).powi(power).min(1.0))
            };
            let found = first_above((1, 1 << 40), guess, target, &mut value);
            (found, tries)
        };
        for power in [1, 4, 300] {
            for first in [1_u64, 2, 77, 123_456, 999_999] {
                // between the values of two neighbours
                let target = ((first as f64 - 0.5) / 1e6).powi(power);
                for guess in [0, 1, 100, 123_456, 1_000_000, 1 << 39] {
                    let (found, tries) = searched(power, target, guess);
                    if target > 0.0 {
                        assert_eq!(found, Ok(Some(first)), "{power} {first} {guess}");
                        assert!(tries < 80, "{power} {first} {guess}: {tries}");
                    }
                }
            }
        }
        let (never, _) = searched(1, 1.5, 10);
        assert_eq!(never, Ok(None));
    }

    #[test]
    fn the_first_true_argument_is_found_from_any_guess() {
        for guess in [1, 41, 42, 43, 100] {
            let found = first_true((1, 100), guess, &mut |x| Ok::<_, Infallible>(x >= 42));
            assert_eq!(found, Ok(Some(42)), "{guess}");
        }
        let never = first_true((1, 100), 50, &mut |_| Ok::<_, Infallible>(false));
        assert_eq!(never, Ok(None));
    }
}
