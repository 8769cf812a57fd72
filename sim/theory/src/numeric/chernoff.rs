//! Chernoff's bounds of a share of independent or negatively associated events, and of a count.

/// The least share that so many events, of which a share of `mean` is expected, exceed with a probability of at most `chance` by
/// Chernoff's bound: the root x of `count (x ln(x/mean) + (1-x) ln((1-x)/(1-mean))) = -ln chance`, or 1.
pub(crate) fn share_exceeded_by(count: f64, mean: f64, chance: f64) -> f64 {
    let wanted = -chance.ln() / count;
    let divergence = |x: f64| {
        let above = x - mean;
        let rest = 1.0 - x;
        let clear = match rest > 0.0 {
            true => rest * (-above / (1.0 - mean)).ln_1p(),
            false => 0.0,
        };
        x * (above / mean).ln_1p() + clear
    };
    if mean <= 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (mean, 1.0);
    if mean < 1.0 && divergence(1.0) > wanted {
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if divergence(middle) > wanted {
                high = middle;
            } else {
                low = middle;
            }
        }
    }
    high
}

/// The least count of events that is exceeded with a probability of at most `chance` where their probabilities, each given those before,
/// sum to at most `most`: the root x above it of `x ln(x/most) - x + most = -ln chance` (the exponential supermartingale of the count).
pub(crate) fn count_exceeded_by(most: f64, chance: f64) -> f64 {
    if most <= 0.0 {
        return 0.0;
    }
    let wanted = -chance.ln();
    // above most + x^2/(2 (most + x/3)) = wanted, Bernstein's weaker bound
    let third = wanted / 3.0;
    let (mut low, mut high) = (
        most,
        most + third + (third * third + 2.0 * wanted * most).sqrt() + 1.0,
    );
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle * (middle / most).ln() - middle + most > wanted {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}
