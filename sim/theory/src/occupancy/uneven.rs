//! Urns that balls do not reach equally often.

use super::pmf::Pmf;
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::double_double::Dd;

const NAME: &str = "uneven urns";
/// Most urns, and so the greatest total weight: whole numbers that doubles hold.
const MOST_WEIGHT: u128 = 1 << 53;
/// Most balls of the moments.
const MOST_BALLS: u64 = 1 << 46;
/// Most classes: moments look at all pairs of them.
const MOST_CLASSES: usize = 1000;
/// Most elementary steps of a distribution, about a second.
const MOST_STEPS: u64 = 100_000_000;
/// What the tests allow of the distribution.
const PMF_ACCURACY: f64 = 1e-12;
/// What the tests allow of the moments; a variance far below the squared mean is good to 1e-22 of that instead.
const ACCURACY: f64 = 1e-13;

/// Urns that a ball reaches equally often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UrnClass {
    /// Number of urns.
    pub urns: u64,
    /// Weight of each: a ball goes to it with its share of the sum of all weights.
    pub weight: u64,
}

/// The number of occupied urns after independent balls into urns of different weights.
///
/// OCC has equal urns only; a derivation of this project. It is what a filter holds whose positions are not uniform, such as a hash of w
/// bits taken modulo m: `2^w mod m` urns have a weight of one more than the others.
///
/// ```
/// use bloomline_theory::occupancy::{UnevenUrns, UrnClass};
///
/// // a hash of 4 bits modulo 12: four positions come twice as often as the other eight
/// let classes = [UrnClass { urns: 4, weight: 2 }, UrnClass { urns: 8, weight: 1 }];
/// let filled = UnevenUrns::new(&classes, 8)?;
/// assert!(filled.mean().value < 12.0 * (1.0 - (11.0f64 / 12.0).powi(8)));
/// assert!(filled.hit().value > filled.mean().value / 12.0);
/// # Ok::<(), bloomline_theory::TheoryError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnevenUrns {
    classes: Vec<UrnClass>,
    total: u64,
    balls: u64,
}

impl UnevenUrns {
    /// The urns, and the number of balls.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless there are 1 to 1,000 classes of at least an urn of a weight of at least 1, the weights sum to at
    /// most 2^53, and there are at most 2^46 balls.
    pub fn new(classes: &[UrnClass], balls: u64) -> Result<Self, TheoryError> {
        TheoryError::check_range(
            NAME,
            "classes",
            classes.len() as u64,
            (1, MOST_CLASSES as u64),
        )?;
        TheoryError::check_range(NAME, "balls", balls, (0, MOST_BALLS))?;
        let mut total = 0u128;
        for class in classes {
            TheoryError::check_range(NAME, "urns", class.urns, (1, MOST_WEIGHT as u64))?;
            TheoryError::check_range(NAME, "weight", class.weight, (1, MOST_WEIGHT as u64))?;
            total += u128::from(class.urns) * u128::from(class.weight);
        }
        if total > MOST_WEIGHT {
            return Err(TheoryError::domain(
                NAME,
                "sum of the weights",
                "at most 2^53",
                total,
            ));
        }
        Ok(Self {
            classes: classes.to_vec(),
            total: total as u64,
            balls,
        })
    }

    /// Number of urns.
    pub fn urns(&self) -> u64 {
        self.classes.iter().map(|class| class.urns).sum()
    }

    /// The probability that no ball reaches urns of this weight together.
    fn empty(&self, weight: u64) -> Dd {
        let others = (self.total - weight.min(self.total)) as f64;
        Dd::ratio(others, self.total as f64).powu(self.balls)
    }

    /// The sum over the urns of a class's value times that each is occupied.
    fn occupied(&self, value: impl Fn(&UrnClass) -> Dd) -> Dd {
        self.classes.iter().fold(Dd::ZERO, |sum, class| {
            sum + (Dd::ONE - self.empty(class.weight)) * value(class)
        })
    }

    /// Expected number of occupied urns: `sum 1 - (1 - p_i)^n`. Exact.
    pub fn mean(&self) -> Figure {
        Figure::new(
            self.occupied(|class| Dd::new(class.urns as f64)).value(),
            "sum over the urns of 1 - (1 - p_i)^n (derivation of this project)",
            Accuracy::exact(ACCURACY),
        )
    }

    /// Expected probability that one more ball finds its urn occupied: `sum p_i (1 - (1 - p_i)^n)`, more than the share of occupied
    /// urns. Exact.
    pub fn hit(&self) -> Figure {
        let total = self.total as f64;
        let share = |class: &UrnClass| Dd::ratio((class.urns * class.weight) as f64, total);
        Figure::new(
            self.occupied(share).value(),
            "sum over the urns of p_i (1 - (1 - p_i)^n) (derivation of this project)",
            Accuracy::exact(ACCURACY),
        )
    }

    /// Variance of the number of occupied urns, from the probabilities that two urns are empty. Exact; counts that can hardly vary are
    /// good to `10^-22` of the squared mean, and 0 below.
    pub fn variance(&self) -> Figure {
        let alone: Vec<Dd> = self
            .classes
            .iter()
            .map(|class| self.empty(class.weight))
            .collect();
        let mut sum = Dd::ZERO;
        for (a, (one, empty)) in self.classes.iter().zip(&alone).enumerate() {
            let urns = one.urns as f64;
            sum = sum + (*empty - *empty * *empty).times(urns);
            for (b, (other, other_empty)) in self.classes.iter().zip(&alone).enumerate().skip(a) {
                let pairs = match a == b {
                    true => urns * (urns - 1.0),
                    false => 2.0 * urns * other.urns as f64,
                };
                if pairs > 0.0 {
                    let both = self.empty(one.weight + other.weight);
                    sum = sum + (both - *empty * *other_empty).times(pairs);
                }
            }
        }
        let mean = self.mean().value;
        let value = sum.value();
        Figure::new(
            if value <= 1e-26 * (1.0 + mean * mean) { 0.0 } else { value },
            "sums over one and two urns of the probability that they stay empty (derivation of this project)",
            Accuracy::exact(ACCURACY),
        )
    }

    /// The distribution: the balls of the classes one after the other are binomial, and those of a class fall on equal urns (OCC 4, 12).
    /// Exact, in positive terms. Costs the square of the balls times the urns that can be occupied, for each class.
    ///
    /// # Errors
    /// [`TheoryError::TooLarge`] above 10^8 elementary steps.
    pub fn pmf(&self) -> Result<Pmf, TheoryError> {
        let balls = self.balls;
        let most = self.urns().min(balls);
        let steps = (self.classes.len() as u64)
            .saturating_mul(balls.saturating_mul(balls))
            .saturating_mul(
                most.saturating_add(1)
                    .saturating_mul(most.saturating_add(1)),
            );
        if steps > MOST_STEPS || self.urns() > MOST_STEPS {
            return Err(TheoryError::TooLarge {
                formula: "occupancy distribution of uneven urns",
                quantity: "classes times the squares of balls and urns",
                got: steps,
                limit: MOST_STEPS,
                next_step: "use the mean and the variance",
            });
        }
        let (balls, most) = (balls as usize, most as usize);
        // left[r][x]: r balls have not found their class yet, x urns are occupied
        let mut left = vec![vec![0.0; most + 1]; balls + 1];
        left[balls][0] = 1.0;
        let mut weight_left = self.total;
        for class in &self.classes {
            let weight = class.urns * class.weight;
            let others = weight_left - weight;
            let (here, elsewhere) = (
                weight as f64 / weight_left as f64,
                others as f64 / weight_left as f64,
            );
            let occupied = equal_urns(class.urns, balls);
            let mut next = vec![vec![0.0; most + 1]; balls + 1];
            // binomial[b]: so many of r balls come to this class
            let mut binomial = vec![1.0];
            for (r, row) in left.iter().enumerate() {
                if r > 0 {
                    binomial.push(0.0);
                    for b in (0..=r).rev() {
                        let grown = if b > 0 { binomial[b - 1] * here } else { 0.0 };
                        binomial[b] = binomial[b] * elsewhere + grown;
                    }
                }
                for (x, mass) in row.iter().enumerate().filter(|(_, mass)| **mass > 0.0) {
                    for (b, share) in binomial.iter().enumerate() {
                        for (i, chance) in occupied[b].iter().enumerate().take(most - x + 1) {
                            next[r - b][x + i] += mass * share * chance;
                        }
                    }
                }
            }
            left = next;
            weight_left = others;
        }
        let mut probabilities = left.swap_remove(0);
        probabilities.resize(self.urns() as usize + 1, 0.0);
        Ok(Pmf {
            probabilities,
            formula: "binomial classes of equal urns, by the positive recursion OCC (12) (derivation of this project)",
            accuracy: Accuracy::exact(PMF_ACCURACY),
        })
    }
}

/// The distributions of the occupied ones of equal urns after 0 to `balls` balls.
fn equal_urns(urns: u64, balls: usize) -> Vec<Vec<f64>> {
    let m = urns as f64;
    let mut rows = vec![vec![1.0]];
    for ball in 1..=balls {
        let before = &rows[ball - 1];
        let most = ball.min(urns as usize);
        let at = |i: usize| before.get(i).copied().unwrap_or(0.0);
        let row = (0..=most).map(|i| {
            let again = at(i) * i as f64;
            let fresh = match i {
                0 => 0.0,
                i => at(i - 1) * (m - (i - 1) as f64),
            };
            (again + fresh) / m
        });
        let row = row.collect();
        rows.push(row);
    }
    rows
}
