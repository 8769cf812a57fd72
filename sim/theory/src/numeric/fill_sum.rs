//! Sums over a cycle of the rate of a partitioned filter that holds exactly t messages.

/// `(1 - (1-1/range)^t)^hashes`, the false-positive rate of a partitioned filter with t messages (any real t >= 0).
pub(crate) fn partitioned_rate(range: f64, hashes: u32, messages: f64) -> f64 {
    occupied_fraction(range, messages).powi(hashes as i32)
}

/// `1 - (1-1/range)^t`, the expected fraction of set bits of a partition after t messages.
pub(crate) fn occupied_fraction(range: f64, messages: f64) -> f64 {
    if range <= 1.0 {
        return if messages > 0.0 { 1.0 } else { 0.0 };
    }
    -(messages * (-1.0 / range).ln_1p()).exp_m1()
}

/// [`partitioned_rate`] with 0 messages, 1 and so on.
fn partitioned_rates(range: f64, hashes: u32) -> impl Iterator<Item = f64> {
    let fills = std::iter::successors(Some(0.0_f64), move |fill| {
        Some((fill + (1.0 - fill) / range).min(1.0))
    });
    fills.map(move |fill| fill.powi(hashes as i32))
}

/// Above this many terms the sum is taken by Euler and Maclaurin.
pub(crate) fn direct_terms(hashes: u32) -> f64 {
    32.0 * f64::from(hashes) + 96.0
}

/// `sum_{t=0}^{n-1} (1-(1-1/range)^t)^hashes`, for real n by Euler and Maclaurin when n is large.
///
/// Direct for few terms (a fractional n takes that fraction of the next term); above [`direct_terms`] the first omitted term is
/// about `(hashes/n)^6/30240` of the sum, and as much with the range in the place of `n/hashes`: below 2e-12.
pub(crate) fn partitioned_rate_sum(range: f64, hashes: u32, messages: f64) -> f64 {
    if messages <= direct_terms(hashes) {
        let mut sum = super::sum::Sum::default();
        let whole = messages.floor();
        partitioned_rates(range, hashes)
            .take(whole as usize)
            .for_each(|rate| sum.add(rate));
        let part = messages - whole;
        if part > 0.0 {
            sum.add(part * partitioned_rate(range, hashes, whole));
        }
        return sum.value();
    }
    partitioned_rate_integral(range, hashes, messages)
}

/// [`partitioned_rate_sum`] at many places: what is summed directly is summed once.
pub(crate) struct RateSums {
    range: f64,
    hashes: u32,
    /// Sums of the first terms, from none to as many as are taken directly.
    direct: Vec<f64>,
}

impl RateSums {
    /// Sums over up to `most` messages.
    pub(crate) fn new(range: f64, hashes: u32, most: f64) -> Self {
        let mut sum = super::sum::Sum::default();
        let mut direct = vec![0.0];
        let terms = most.min(direct_terms(hashes)).ceil().max(0.0) as usize;
        direct.extend(partitioned_rates(range, hashes).take(terms).map(|rate| {
            sum.add(rate);
            sum.value()
        }));
        Self {
            range,
            hashes,
            direct,
        }
    }

    /// The sum over so many messages.
    pub(crate) fn to(&self, messages: f64) -> f64 {
        let whole = messages.floor();
        match self.direct.get(whole as usize) {
            Some(sum) if messages <= direct_terms(self.hashes) => {
                let part = messages - whole;
                sum + part * partitioned_rate(self.range, self.hashes, whole)
            }
            _ => partitioned_rate_sum(self.range, self.hashes, messages),
        }
    }
}

/// `-ln(1-fill) - sum_{j<=hashes} fill^j/j`, the integral of `fill^hashes/(1-fill)`; `load` is `-ln(1-fill)`.
pub(crate) fn log_tail(load: f64, fill: f64, hashes: u32) -> f64 {
    if fill >= 0.9 {
        let mut power = 1.0;
        let mut head = 0.0;
        for j in 1..=hashes {
            power *= fill;
            head += power / f64::from(j);
        }
        return load - head;
    }
    // as a series, which converges quickly here
    let mut power = fill.powi(hashes as i32 + 1);
    let mut j = f64::from(hashes) + 1.0;
    let mut total = 0.0;
    while power / j > 1e-18 * total {
        total += power / j;
        power *= fill;
        j += 1.0;
    }
    total
}

/// The Euler-Maclaurin form of [`partitioned_rate_sum`].
fn partitioned_rate_integral(range: f64, hashes: u32, messages: f64) -> f64 {
    let decay = -(-1.0 / range).ln_1p();
    let fill = occupied_fraction(range, messages);
    let k = f64::from(hashes);
    let rate = fill.powi(hashes as i32);
    let integral = log_tail(decay * messages, fill, hashes) / decay;
    let slope = |fill: f64| k * fill.powi(hashes as i32 - 1) * (1.0 - fill) * decay;
    // the third derivative
    let third = |fill: f64| {
        let clear = 1.0 - fill;
        let power = |less: i32| match hashes as i32 - less {
            exponent if exponent >= 0 => fill.powi(exponent),
            _ => 0.0, // its coefficient is 0
        };
        let terms = (k - 1.0) * (k - 2.0) * power(3) * clear * clear
            - 3.0 * (k - 1.0) * power(2) * clear
            + power(1);
        k * clear * terms * decay.powi(3)
    };
    integral - 0.5 * rate + (slope(fill) - slope(0.0)) / 12.0 - (third(fill) - third(0.0)) / 720.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn euler_maclaurin_equals_the_direct_sum() {
        for hashes in [1, 2, 3, 4, 7, 16, 32, 64] {
            for range in [40.0, 150.0, 900.0, 5000.0, 1e6] {
                for terms in [direct_terms(hashes), 4096.0] {
                    let direct: f64 = (0..terms as u32)
                        .map(|t| partitioned_rate(range, hashes, t.into()))
                        .sum();
                    let integral = partitioned_rate_integral(range, hashes, terms);
                    assert!(
                        (integral / direct - 1.0).abs() < 2e-12,
                        "{range} {hashes} {terms}: {integral} {direct}"
                    );
                }
            }
        }
    }
}
