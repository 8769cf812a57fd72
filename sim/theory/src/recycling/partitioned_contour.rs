//! The partitioned law by integrals, for sizes where convolution is slow.
//!
//! The occupancy law of n balls in m' urns has the generating function `n!/m'^n [x^n] (1 + z(e^x - 1))^m'`. On the unit
//! circle z = e^(i theta) the coefficient is a Cauchy integral over a circle of radius n/m', where the integrand is
//! nearly Gaussian: the trapezoidal rule gives 1e-13 with some 20 points. The k-th power is the
//! characteristic function of the total, which a finite Fourier sum inverts; the total is a sum of independent Bernoulli
//! variables, so Bernstein's inequality bounds both its tails and the tail of its transform. The law needs these only
//! where the total crosses sigma, and there as a smooth bump over n, which again the trapezoidal rule sums with a step
//! of half its standard deviation, less where few bits are set. Every truncation is below 1e-12 of the result.

use super::cycle::CycleLaw;
use super::partitioned_half::{PartitionedHalf, Parts};
use crate::accuracy::Accuracy;
use crate::numeric::circle::Circle;
use crate::numeric::complex::{cis_minus_linear, Complex};
use crate::numeric::fill_sum::{direct_terms, occupied_fraction, partitioned_rate, RateSums};
use crate::numeric::sum::Sum;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// `-ln` of the truncation level of every window: 1e-14.
const TAIL: f64 = 32.0;
/// Numbers of messages per standard deviation of the crossing, at least: the rule's error is `e^(-2 pi^2 1.4^2)` where the crossing is
/// Gaussian.
const PLACES: f64 = 1.4;
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

/// The transform of one partition's count: plain at n and n + 1, weighted by b(n) at n, by b(n+1) at n + 1 and by b(n) at n + 1;
/// the weighted ones still carry the factor of the mean fill.
type Transforms = [Complex; 5];

/// What the integrand around one number of messages has at the points of its circle, which all angles share: every angle
/// takes a stretch of the same points, shifted by whole steps.
struct Points {
    load: f64,
    messages: f64,
    /// Points of a stretch.
    count: usize,
    step: f64,
    /// Place of the last point, in steps.
    last: i64,
    /// The points from the last one down, as stretches move down.
    kept: Vec<Point>,
    /// Whether the points are a whole circle.
    whole: bool,
    unit: [f64; 2],
}

/// One point of the circle.
#[derive(Clone, Copy)]
struct Point {
    /// `1 - e^-x`.
    filled: Complex,
    /// `n (e^(i psi) - 1 - i psi)`.
    exponent: Complex,
    /// `e^(-i psi)`.
    back: Complex,
}

impl Points {
    fn new(half: PartitionedHalf, messages: f64) -> Self {
        let circle = Circle::quick(messages);
        let (count, step) = (circle.points(), circle.step());
        let mut points = Self {
            load: messages / half.range() as f64,
            messages,
            count,
            step,
            last: (count - 1 - count / 2) as i64,
            kept: Vec::with_capacity(2 * count),
            whole: circle.is_whole(),
            unit: circle.units(),
        };
        let middle = 0.5 * (count - 1) as f64;
        if points.whole {
            points.kept = (0..count)
                .rev()
                .map(|j| points.point((j as f64 - middle) * step))
                .collect();
        } else {
            points.reach(-((count / 2) as i64));
        }
        points
    }

    fn point(&self, psi: f64) -> Point {
        let turn = Complex::cis(psi);
        let x = turn.scale(self.load);
        Point {
            filled: Complex::ZERO - (Complex::ZERO - x).exp_m1(),
            exponent: cis_minus_linear(psi).scale(self.messages),
            back: Complex::new(turn.re, -turn.im),
        }
    }

    /// Keeps points down to a place. Angles are positive, so that stretches move down.
    fn reach(&mut self, first: i64) {
        let lowest = self.last + 1 - self.kept.len() as i64;
        for j in (first..lowest).rev() {
            self.kept.push(self.point(j as f64 * self.step));
        }
    }

    /// The points around a centre at or below 0, to the nearest step.
    fn around(&mut self, centre: f64) -> impl Iterator<Item = &Point> {
        let mut end = self.count;
        if !self.whole {
            let first = (centre / self.step).round() as i64 - (self.count / 2) as i64;
            self.reach(first);
            end = (self.last + 1 - first) as usize;
        }
        self.kept[end - self.count..end].iter().rev()
    }
}

fn partition_transforms(half: PartitionedHalf, points: &mut Points, theta: f64) -> Transforms {
    let m = half.range() as f64;
    let load = points.load;
    let (step, unit) = (points.step, points.unit);
    let turn = Complex::cis_m1(theta);
    let z = Complex::cis(theta);
    let mean = m * -(-load).exp_m1();
    let mut sums = [Complex::ZERO; 5];
    for point in points.around(-(-load).exp() * theta) {
        let filled = point.filled;
        let shift = turn * filled;
        let re = point.exponent.re + shift.ln_norm_1p() * m;
        if re < -TAIL {
            continue;
        }
        let im = point.exponent.im + shift.arg_1p() * m - theta * mean;
        let exponent = Complex::new(re, im);
        let base = exponent.exp();
        let next = base * point.back;
        let fill = z * filled.div(Complex::ONE + shift); // stands for b/m'
        let fill_squared = fill * fill.scale(1.0 - 1.0 / m) + fill.scale(1.0 / m); // stands for (b/m')^2
        sums[0] = sums[0] + base;
        sums[1] = sums[1] + next;
        sums[2] = sums[2] + base * fill;
        sums[3] = sums[3] + next * fill;
        sums[4] = sums[4] + base * (fill_squared + z * (fill - fill_squared));
    }
    [
        sums[0].scale(step / unit[0]),
        sums[1].scale(step / unit[1]),
        sums[2].scale(step / unit[0]),
        sums[3].scale(step / unit[1]),
        sums[4].scale(step / unit[0]),
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
    let centre = f64::from(k) * m * -(-load).exp_m1();
    for (j, transforms) in (1_u32..).zip(transforms(half, messages, period, variance).iter()) {
        let j = f64::from(j);
        let theta = std::f64::consts::TAU * j / period;
        // sum over s = first..=sigma of e^(-i theta (s - centre))
        let ratio = Complex::cis_m1(-theta * values).div(Complex::cis_m1(-theta));
        let window = Complex::cis(-theta * (first - centre)) * ratio;
        let share = if 2.0 * j == period { 1.0 } else { 2.0 } / period;
        angle(transforms, window.scale(share));
    }
    Place::Near(values / period)
}

/// Numbers of messages whose transforms are kept: more than a law takes.
const MOST_KEPT: usize = 256;

/// The transforms of the half that was last asked for, by the number of messages.
#[derive(Default)]
struct Kept {
    half: Option<PartitionedHalf>,
    transforms: HashMap<u64, Rc<[Transforms]>>,
}

thread_local! {
    /// A search asks for thresholds beside each other, whose laws are sums over the same numbers of messages.
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// The transforms of a partition after `messages` messages at every angle that counts but 0, normalised to 1 at angle 0. They do not depend on the
/// threshold; those of the last half are kept.
fn transforms(
    half: PartitionedHalf,
    messages: f64,
    period: f64,
    variance: f64,
) -> Rc<[Transforms]> {
    KEPT.with_borrow_mut(|kept| {
        if kept.half != Some(half) || kept.transforms.len() >= MOST_KEPT {
            kept.half = Some(half);
            kept.transforms.clear();
        }
        let made = || transforms_anew(half, messages, period, variance).into();
        let found = kept.transforms.entry(messages.to_bits());
        Rc::clone(found.or_insert_with(made))
    })
}

/// The same, computed.
fn transforms_anew(
    half: PartitionedHalf,
    messages: f64,
    period: f64,
    variance: f64,
) -> Vec<Transforms> {
    let m = half.range() as f64;
    let fill = occupied_fraction(m, messages);
    let next_fill = occupied_fraction(m, messages + 1.0);
    let mut points = Points::new(half, messages);
    let mut all = Vec::new();
    let mut j = 1.0;
    while 2.0 * j <= period {
        let theta = std::f64::consts::TAU * j / period;
        let half_sine = (0.5 * theta).sin();
        if 2.0 * variance * half_sine * half_sine > TAIL + 3.0 {
            break;
        }
        let mut transforms = partition_transforms(half, &mut points, theta);
        for (transform, norm) in transforms.iter_mut().zip([1.0, 1.0, fill, next_fill, fill]) {
            *transform = transform.scale(1.0 / norm);
        }
        all.push(transforms);
        j += 1.0;
    }
    all
}

/// `P(S_n <= sigma)` after `messages` messages, at least one; good to 1e-13.
pub(crate) fn below(half: PartitionedHalf, messages: f64, sigma: u64) -> f64 {
    let k = half.hashes();
    let mut near = 0.0;
    let place = invert(half, messages, sigma, |transforms, weight| {
        near += (transforms[0].powu(k) * weight).re;
    });
    match place {
        Place::Above => 0.0,
        Place::Below => 1.0,
        Place::Near(zero) => (zero + near).clamp(0.0, 1.0),
    }
}

/// Messages at which the total passes sigma in about the middle of all cases, and the standard deviation of their number.
pub(crate) fn passing(half: PartitionedHalf, sigma: u64) -> (f64, f64) {
    let (m, k) = (half.range() as f64, half.hashes());
    let middle = messages_at(half, sigma as f64 + 0.5).round().max(1.0);
    let (_, variance) = total_moments(half, middle);
    let slope = f64::from(k) * (-middle / m).exp();
    (middle, (variance.sqrt() / slope).min(m / 4.0))
}

/// Messages at which the mean total equals `total` bits.
fn messages_at(half: PartitionedHalf, total: f64) -> f64 {
    let fill = (total / half.bits() as f64).min(1.0 - 0.5 / half.bits() as f64);
    (-fill).ln_1p() / (-1.0 / half.range() as f64).ln_1p()
}

/// Numbers of messages at which the crossing of sigma is summed: the middle one, and the step between them.
fn places(half: PartitionedHalf, sigma: u64) -> (f64, f64) {
    let (middle, deviation) = passing(half, sigma);
    let mut step = (deviation / PLACES).floor().max(1.0);
    while step > 1.0 && left_by_step(half, sigma, step) > STEP_ERROR {
        step -= 1.0 + (step / 8.0).floor();
    }
    (middle, step)
}

/// Logarithm of the relative error that a step between numbers of messages may leave: 1e-12.
const STEP_ERROR: f64 = -28.0;
/// Places of the integral over the bits set.
const FILLS: u32 = 64;

/// Logarithm of the transform of the crossing at the frequency of a step, which is what the trapezoidal rule leaves. By draws, the bits
/// come after waits of a geometric law each, `|p / (1 - q e^(i theta))|^2 = 1/(1 + 2 q (1 - cos theta)/p^2)`, q the share of bits
/// set; a message is k draws. The waits are Gaussian in sum only where they are many.
fn left_by_step(half: PartitionedHalf, sigma: u64, step: f64) -> f64 {
    let theta = std::f64::consts::TAU / (step * f64::from(half.hashes()));
    let half_sine = (0.5 * theta).sin();
    let bits = half.bits() as f64;
    // over the logarithm of the share of bits that are clear: the last ones are waited for longest
    let last = ((bits - sigma as f64) / bits).ln();
    let width = -last / f64::from(FILLS);
    let each = (0..FILLS).map(|place| {
        let clear = (last + (f64::from(place) + 0.5) * width).exp();
        let set = 1.0 - clear;
        clear * (4.0 * set * half_sine * half_sine / (clear * clear)).ln_1p()
    });
    -0.5 * bits * width * each.sum::<f64>()
}

/// Sums around the crossing of sigma: with message n + 1 the total passes it. Differences of `P(S_n <= sigma)` and
/// `P(S_(n+1) <= sigma)`, the laws tilted by what the name says, each normalised.
#[derive(Debug, Clone, Copy, Default)]
struct Crossing {
    /// Not tilted.
    plain: f64,
    /// By `prod b_i(n)` and `prod b_i(n+1)`.
    tilted: f64,
    /// By `prod b_i(n)` in both.
    frozen: f64,
    /// `P(S_n <= sigma)` itself.
    below: f64,
}

/// The same for one kind of keys in the halves of a retaining filter, see [`super::partitioned_joined`].
#[derive(Debug, Clone, Copy, Default)]
struct Joined {
    /// By `prod (b_i - 1)` over the partitions in which the key shares no position, at n and n + 1.
    tilted: f64,
    /// By `prod b_i(n)`, the message n + 1 retained.
    frozen: f64,
}

/// What happens around one number of messages, of at least one.
fn crossing(half: PartitionedHalf, messages: f64, sigma: u64, joined: &mut [Joined]) -> Crossing {
    let (m, k) = (half.range() as f64, half.hashes());
    let [first, fill, later] = [-1.0, 0.0, 1.0].map(|d| occupied_fraction(m, messages + d));
    joined.fill(Joined::default());
    let mut at = Crossing::default();
    let place = invert(half, messages, sigma, |transforms, weight| {
        let [here, after, filled, filled_after, kept] = *transforms;
        let add = |sum: &mut f64, value: Complex| *sum += (value * weight).re;
        let (now, whole) = (here.powu(k), filled.powu(k));
        add(&mut at.below, now);
        add(&mut at.plain, now - after.powu(k));
        add(&mut at.tilted, whole - filled_after.powu(k));
        add(&mut at.frozen, whole - kept.powu(k));
        if joined.is_empty() {
            return;
        }
        // (b - 1)/(m' - 1), and the kept match of a key that shares no position
        let beside = |filled: Complex, fill: f64, here: Complex, norm: f64| {
            (filled.scale(m * fill) - here).scale(1.0 / ((m - 1.0) * norm))
        };
        let tilted = beside(filled, fill, here, first.max(f64::MIN_POSITIVE));
        let tilted_after = beside(filled_after, later, after, fill);
        let apart = (kept.scale(m) - filled).scale(1.0 / (m - 1.0));
        for (j, sums) in joined.iter_mut().enumerate() {
            let (j, others) = (j as u32, k - j as u32);
            add(
                &mut sums.tilted,
                here.powu(j) * tilted.powu(others) - after.powu(j) * tilted_after.powu(others),
            );
            add(
                &mut sums.frozen,
                whole - filled.powu(j) * apart.powu(others),
            );
        }
    });
    match place {
        Place::Above => Crossing::default(),
        Place::Below => Crossing {
            below: 1.0,
            ..Crossing::default()
        },
        Place::Near(zero) => Crossing {
            below: zero + at.below,
            ..at
        },
    }
}

/// Share of the cycles that may be left out at either end of the crossing.
const ENDED: f64 = 1e-13;

/// Whether a cycle surely ended before so many messages, by more than rounding shows near a full half: Chernoff's bound of the
/// probability that as many positions are clear as the threshold leaves. Clear positions are negatively dependent, so the
/// bound of independent ones holds.
fn surely_ended(half: PartitionedHalf, messages: f64, sigma: u64) -> bool {
    let clear = half.bits() as f64 * (messages * (-1.0 / half.range() as f64).ln_1p()).exp();
    let left = (half.bits() - sigma) as f64;
    clear < left && left * (1.0 + (clear / left).ln()) - clear < ENDED.ln()
}

/// Exact to 1e-9; towards a full half a cycle's length spreads over its whole mean, and the rounding of phases, which grow
/// with the bits, is no longer divided by the root of its length.
fn accuracy(half: PartitionedHalf, sigma: u64) -> Accuracy {
    let rounding = 1e-13 * half.bits() as f64;
    if sigma as f64 <= 0.98 * half.bits() as f64 || rounding <= 1e-9 {
        Accuracy::exact(1e-9)
    } else {
        Accuracy::approximation(rounding)
    }
}

/// The law by integrals.
pub(crate) fn law(half: PartitionedHalf, sigma: u64) -> CycleLaw {
    law_and_parts(half, sigma, 0).0
}

/// The law, and for `kinds` kinds of keys what they match in the two halves of a retaining filter.
pub(crate) fn law_and_parts(half: PartitionedHalf, sigma: u64, kinds: usize) -> (CycleLaw, Parts) {
    let (m, k) = (half.range() as f64, half.hashes());
    let (middle, step) = places(half, sigma);
    let [mut weight, mut arrivals, mut positives, mut frozen, mut tilted_weight] =
        [Sum::default(); 5];
    let mut kept = vec![Joined::default(); kinds];
    // sums of the rate of k, k - 1, .. partitions: short ones are taken once, long ones have a closed form
    let most = if middle > direct_terms(k) {
        0.0
    } else {
        4.0 * middle + 64.0
    };
    let rates: Vec<RateSums> = (0..kinds.max(1) as u32)
        .filter(|j| *j < k)
        .map(|j| RateSums::new(m, k - j, most))
        .collect();
    let between = |j: usize, from: f64, to: f64| rates[j].to(to) - rates[j].to(from);
    let mut sums = vec![[Sum::default(); 3]; kinds]; // tilted weight, matches in the active half, in the frozen one
    let mut collect = |messages: f64| {
        let at = crossing(half, messages, sigma, &mut kept);
        let rate = partitioned_rate(m, k, messages);
        weight.add(at.plain);
        arrivals.add(at.plain * (messages - middle));
        tilted_weight.add(at.tilted);
        positives.add(at.tilted * between(0, middle, messages + 1.0));
        frozen.add(at.frozen * rate);
        for (j, (kind, [weight, active, frozen])) in kept.iter().zip(&mut sums).enumerate() {
            if j < rates.len() {
                weight.add(kind.tilted);
                active.add(kind.tilted * between(j, middle, messages));
            }
            frozen.add(kind.frozen * rate);
        }
        at.below
    };
    let mut messages = middle;
    while collect(messages) > ENDED && !surely_ended(half, messages, sigma) {
        messages += step;
    }
    messages = middle - step;
    while messages >= 1.0 && collect(messages) < 1.0 - ENDED {
        messages -= step;
    }
    // the bumps have total 1 over all n; dividing by what was summed removes the common part of the rounding
    let mean_arrivals = middle + 1.0 + arrivals.value() / weight.value();
    let positives = rates[0].to(middle) + positives.value() / tilted_weight.value();
    let law = CycleLaw {
        mean_arrivals,
        active_rate: positives / mean_arrivals,
        frozen_rate: frozen.value() * step,
        accuracy: accuracy(half, sigma),
    };
    let active = |j: usize, [weight, active, _]: &[Sum; 3]| match rates.get(j) {
        None => f64::NAN,
        Some(rates) => rates.to(middle) + active.value() / weight.value(),
    };
    let parts = Parts {
        active: sums
            .iter()
            .enumerate()
            .map(|(j, sums)| active(j, sums))
            .collect(),
        frozen: sums
            .iter()
            .map(|[_, _, frozen]| frozen.value() * step)
            .collect(),
    };
    (law, parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_thresholds_share_transforms_and_have_the_laws_that_they_have_alone() {
        let half = PartitionedHalf::new(1 << 19, 16).expect("a half");
        let law = move |sigma| format!("{:?}", law_and_parts(half, sigma, 3));
        let alone = |sigma| {
            let law = std::thread::spawn(move || law(sigma));
            law.join().expect("a law")
        };
        let sigma = (4_065_500..)
            .find(|sigma| places(half, *sigma) == places(half, sigma + 1))
            .expect("two of the same numbers of messages");
        let kept = || KEPT.with_borrow(|kept| kept.transforms.len());
        assert_eq!(law(sigma), alone(sigma));
        let first = kept();
        assert!(first > 10 && first < MOST_KEPT, "{first}");
        assert_eq!(law(sigma + 1), alone(sigma + 1));
        assert_eq!(kept(), first);
        // another half has its own
        let other = PartitionedHalf::new(1 << 18, 16).expect("a half");
        law_and_parts(other, 2_000_000, 0);
        assert_eq!(KEPT.with_borrow(|kept| kept.half), Some(other));
    }
}
