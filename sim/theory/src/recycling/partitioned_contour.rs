//! The partitioned law by integrals, for sizes where convolution is slow.
//!
//! The occupancy law of n balls in m' urns has the generating function `n!/m'^n [x^n] (1 + z(e^x - 1))^m'`. On the unit
//! circle z = e^(i theta) the coefficient is a Cauchy integral over a circle of radius n/m', where the integrand is
//! nearly Gaussian: the trapezoidal rule gives rounding accuracy with some 40 points. The k-th power is the
//! characteristic function of the total, which a finite Fourier sum inverts; the total is a sum of independent Bernoulli
//! variables, so Bernstein's inequality bounds both its tails and the tail of its transform. The law needs these only
//! where the total crosses sigma, and there as a smooth bump over n, which again the trapezoidal rule sums with a step
//! of a third of its standard deviation. Every truncation is below 1e-16 of the result; what remains is rounding.

use super::cycle::CycleLaw;
use super::partitioned::PartitionedHalf;
use super::partitioned_joined::Parts;
use crate::accuracy::Accuracy;
use crate::numeric::circle::Circle;
use crate::numeric::complex::{cis_minus_linear, Complex};
use crate::numeric::fill_sum::{occupied_fraction, partitioned_rate, partitioned_rate_sum};
use crate::numeric::sum::Sum;

/// `-ln` of the truncation level of every window.
const TAIL: f64 = 42.0;
/// Mean and variance of the total after `messages` messages (the variance in its Poisson form, for windows only).
fn total_moments(half: PartitionedHalf, messages: f64) -> (f64, f64) {
    let m = half.range() as f64;
    let load = messages / m;
    let empty = (-load).exp();
    let mean = half.bits() as f64 * occupied_fraction(m, messages);
    (
        mean,
        half.bits() as f64 * empty * (1.0 - empty * (1.0 + load)).max(0.0),
    )
}

/// What happens around one number of messages n, each as a probability: the total crosses sigma with message n + 1.
#[derive(Debug, Clone, Copy, Default)]
struct Crossing {
    /// `P(S_n <= sigma) - P(S_(n+1) <= sigma)`.
    plain: f64,
    /// The same, with both laws tilted by their fill: weights `prod b_i(n)` and `prod b_i(n+1)`, each normalised.
    tilted: f64,
    /// The same with the weight `prod b_i(n)` in both, normalised.
    frozen: f64,
    /// `P(S_n <= sigma)`.
    below: f64,
}

/// The transform of one partition's count: plain at n and n + 1, weighted by b(n) at n, by b(n+1) at n + 1 and by b(n) at n + 1;
/// the weighted ones still carry the factor of the mean fill.
type Transforms = [Complex; 5];

fn partition_transforms(
    half: PartitionedHalf,
    messages: f64,
    theta: f64,
    unit: &[f64; 2],
) -> Transforms {
    let m = half.range() as f64;
    let load = messages / m;
    let circle = Circle::new(messages, -(-load).exp() * theta);
    let turn = Complex::cis_m1(theta);
    let z = Complex::cis(theta);
    let mean = m * -(-load).exp_m1();
    let mut sums = [Complex::ZERO; 5];
    for psi in circle.angles() {
        let x = Complex::cis(psi).scale(load);
        let filled = Complex::ZERO - (Complex::ZERO - x).exp_m1(); // 1 - e^-x
        let shift = turn * filled;
        let mut exponent = cis_minus_linear(psi).scale(messages) + shift.ln_1p().scale(m);
        exponent.im -= theta * mean;
        let base = exponent.exp();
        let next = base * Complex::cis(-psi);
        let fill = z * filled.div(Complex::ONE + shift); // stands for b/m'
        let fill_squared = fill * fill.scale(1.0 - 1.0 / m) + fill.scale(1.0 / m); // stands for (b/m')^2
        sums[0] = sums[0] + base;
        sums[1] = sums[1] + next;
        sums[2] = sums[2] + base * fill;
        sums[3] = sums[3] + next * fill;
        sums[4] = sums[4] + base * (fill_squared + z * (fill - fill_squared));
    }
    [
        sums[0].scale(circle.step() / unit[0]),
        sums[1].scale(circle.step() / unit[1]),
        sums[2].scale(circle.step() / unit[0]),
        sums[3].scale(circle.step() / unit[1]),
        sums[4].scale(circle.step() / unit[0]),
    ]
}

/// Where a number of messages stands against the threshold.
enum Place {
    /// The total is surely above sigma.
    Above,
    /// The total is surely at most sigma.
    Below,
    /// Neither; the share of angle 0 in every probability.
    Near(f64),
}

/// Inverts the transform of the total of n messages: calls `angle` with the transforms of a partition, normalised to 1 at
/// angle 0, and the weight of the angle in `P(total <= sigma)`, for every angle but 0 that counts.
fn invert(
    half: PartitionedHalf,
    messages: f64,
    sigma: u64,
    mut angle: impl FnMut(&Transforms, Complex),
) -> Place {
    let k = half.hashes();
    let m = half.range() as f64;
    let (mean, variance) = total_moments(half, messages);
    let margin = 2.0 * f64::from(k) + 4.0;
    let reach = TAIL / 3.0 + (TAIL * TAIL / 9.0 + 2.0 * TAIL * variance).sqrt() + margin;
    let first = (mean - reach).floor();
    let sigma = sigma as f64;
    if sigma < first {
        return Place::Above;
    }
    if sigma > mean + reach {
        return Place::Below;
    }
    let period = 2.0 * (reach.ceil() + 1.0);
    let values = sigma - first + 1.0;
    let load = messages / m;
    let unit = Circle::new(messages, 0.0).units();
    let fill = occupied_fraction(m, messages);
    let next_fill = occupied_fraction(m, messages + 1.0);
    let centre = f64::from(k) * m * -(-load).exp_m1();
    let mut j = 1.0;
    while 2.0 * j <= period {
        let theta = std::f64::consts::TAU * j / period;
        let half_sine = (0.5 * theta).sin();
        if 2.0 * variance * half_sine * half_sine > TAIL + 4.0 {
            break;
        }
        let mut transforms = partition_transforms(half, messages, theta, &unit);
        for (transform, norm) in transforms.iter_mut().zip([1.0, 1.0, fill, next_fill, fill]) {
            *transform = transform.scale(1.0 / norm);
        }
        // sum over s = first..=sigma of e^(-i theta (s - centre))
        let ratio = Complex::cis_m1(-theta * values).div(Complex::cis_m1(-theta));
        let window = Complex::cis(-theta * (first - centre)) * ratio;
        let share = if 2.0 * j == period { 1.0 } else { 2.0 } / period;
        angle(&transforms, window.scale(share));
        j += 1.0;
    }
    Place::Near(values / period)
}

fn crossing(half: PartitionedHalf, messages: f64, sigma: u64) -> Crossing {
    let k = half.hashes();
    let mut below = [0.0; 5];
    let place = invert(half, messages, sigma, |transforms, weight| {
        for (total, transform) in below.iter_mut().zip(transforms) {
            *total += (transform.powu(k) * weight).re;
        }
    });
    match place {
        Place::Above => Crossing::default(),
        Place::Below => Crossing {
            below: 1.0,
            ..Crossing::default()
        },
        Place::Near(zero) => Crossing {
            plain: below[0] - below[1],
            tilted: below[2] - below[3],
            frozen: below[2] - below[4],
            below: zero + below[0],
        },
    }
}

/// Messages at which the mean total equals `total` bits.
fn messages_at(half: PartitionedHalf, total: f64) -> f64 {
    let fill = (total / half.bits() as f64).min(1.0 - 0.5 / half.bits() as f64);
    (-fill).ln_1p() / (-1.0 / half.range() as f64).ln_1p()
}

/// The law by integrals.
pub(crate) fn law(half: PartitionedHalf, sigma: u64) -> CycleLaw {
    let (m, k) = (half.range() as f64, half.hashes());
    let (middle, step) = places(half, sigma);
    let (mut weight, mut arrivals, mut positives, mut frozen_weight, mut frozen, mut tilted_weight) =
        Default::default();
    let mut collect = |messages: f64, at: Crossing| {
        let add = |sum: &mut Sum, term: f64| sum.add(term);
        let fill_rate = partitioned_rate(m, k, messages);
        add(&mut weight, at.plain);
        add(&mut arrivals, at.plain * (messages - middle));
        add(&mut tilted_weight, at.tilted);
        add(
            &mut positives,
            at.tilted * rate_sum_between(m, k, middle, messages + 1.0),
        );
        add(&mut frozen_weight, at.frozen);
        add(&mut frozen, at.frozen * fill_rate);
    };
    let mut messages = middle;
    loop {
        let at = crossing(half, messages, sigma);
        collect(messages, at);
        messages += step;
        if at.below <= 1e-17 || (at.below < 1e-13 && at.plain.abs() < 1e-15) {
            break;
        }
    }
    messages = middle - step;
    while messages >= 1.0 {
        let at = crossing(half, messages, sigma);
        collect(messages, at);
        messages -= step;
        if at.below >= 1.0 - 1e-15 && at.plain.abs() < 1e-15 {
            break;
        }
    }
    // the bumps have total 1 over all n; dividing by what was summed removes the common part of the rounding
    let mean_arrivals = middle + 1.0 + arrivals.value() / weight.value();
    let positives = partitioned_rate_sum(m, k, middle) + positives.value() / tilted_weight.value();
    CycleLaw {
        mean_arrivals,
        active_rate: positives / mean_arrivals,
        frozen_rate: frozen.value() * step,
        accuracy: Accuracy::exact(1e-9),
    }
}

/// Numbers of messages at which the crossing of sigma is summed: the middle one, and the step between them.
fn places(half: PartitionedHalf, sigma: u64) -> (f64, f64) {
    let (m, k) = (half.range() as f64, half.hashes());
    let middle = messages_at(half, sigma as f64 + 0.5).round().max(1.0);
    let (_, variance) = total_moments(half, middle);
    let slope = f64::from(k) * (-middle / m).exp();
    let step = ((variance.sqrt() / slope).min(m / 4.0) / 3.0)
        .floor()
        .max(1.0);
    (middle, step)
}

/// The matches of `most + 1` kinds of keys in the two halves of a retaining filter; see
/// [`super::partitioned_joined`], which says what they are.
pub(crate) fn parts(half: PartitionedHalf, sigma: u64, most: u32) -> Parts {
    let (m, k) = (half.range() as f64, half.hashes());
    let (middle, step) = places(half, sigma);
    let kinds = most as usize + 1;
    let mut weight = vec![Sum::default(); kinds];
    let mut active = vec![Sum::default(); kinds];
    let mut frozen = vec![Sum::default(); kinds];
    let mut below = vec![[0.0; 2]; kinds]; // differences of the tilted laws, and of the frozen ones
    let mut collect = |messages: f64| {
        below.fill([0.0; 2]);
        let (first, next) = (
            occupied_fraction(m, messages - 1.0),
            occupied_fraction(m, messages),
        );
        let fill = next;
        let later = occupied_fraction(m, messages + 1.0);
        let place = invert(half, messages, sigma, |transforms, weight| {
            let [here, after, filled, filled_after, kept] = *transforms;
            // (b - 1)/(m' - 1) at n and n + 1, and the kept match of a key that shares no position
            let beside = |filled: Complex, fill: f64, here: Complex, norm: f64| {
                (filled.scale(m * fill) - here).scale(1.0 / ((m - 1.0) * norm))
            };
            let tilted = beside(filled, fill, here, first.max(f64::MIN_POSITIVE));
            let tilted_after = beside(filled_after, later, after, next);
            let apart = (kept.scale(m) - filled).scale(1.0 / (m - 1.0));
            let whole = filled.powu(k);
            for (j, [tilt, freeze]) in below.iter_mut().enumerate() {
                let (j, others) = (j as u32, k - j as u32);
                *tilt += ((here.powu(j) * tilted.powu(others)
                    - after.powu(j) * tilted_after.powu(others))
                    * weight)
                    .re;
                *freeze += ((whole - filled.powu(j) * apart.powu(others)) * weight).re;
            }
        });
        let rate = fill.powi(k as i32);
        for (j, [tilt, freeze]) in below.iter().enumerate() {
            let others = k - j as u32;
            if others > 0 {
                weight[j].add(*tilt);
                active[j].add(tilt * rate_sum_between(m, others, middle, messages));
            }
            frozen[j].add(freeze * rate * step);
        }
        place
    };
    let mut messages = middle;
    while messages >= 2.0 {
        if matches!(collect(messages), Place::Below) {
            break;
        }
        messages -= step;
    }
    messages = middle + step;
    loop {
        if matches!(collect(messages), Place::Above) {
            break;
        }
        messages += step;
    }
    Parts {
        active: (0..kinds)
            .map(|j| match k - j as u32 {
                0 => f64::NAN,
                others => {
                    partitioned_rate_sum(m, others, middle) + active[j].value() / weight[j].value()
                }
            })
            .collect(),
        frozen: frozen.iter().map(|sum| sum.value()).collect(),
    }
}

/// `sum_{t=from}^{to-1}` of the rate, signed.
fn rate_sum_between(range: f64, hashes: u32, from: f64, to: f64) -> f64 {
    partitioned_rate_sum(range, hashes, to) - partitioned_rate_sum(range, hashes, from)
}
