//! Urns that hold a ball of every one of several unions: the committee intersection problem (OCC 2.3.3).

use super::moments::{Given, ACCURACY};
use super::pmf::Pmf;
use super::union::Union;
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::double_double::Dd;

/// Most elementary steps of a distribution, a few seconds.
const MAX_STEPS: u64 = 200_000_000;

/// The number of urns that every one of several independent unions occupies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intersection {
    urns: u64,
    unions: Vec<Union>,
}

impl Intersection {
    /// The intersection of unions over the same urns.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] without a union, or with unions over different numbers of urns.
    pub fn new(unions: &[Union]) -> Result<Self, TheoryError> {
        const NAME: &str = "occupancy of an intersection";
        let Some(first) = unions.first() else {
            return Err(TheoryError::domain(NAME, "unions", "at least one", 0));
        };
        if let Some(other) = unions.iter().find(|u| u.urns() != first.urns()) {
            return Err(TheoryError::domain(
                NAME,
                "urns",
                format!("{} in every union", first.urns()),
                other.urns(),
            ));
        }
        Ok(Self {
            urns: first.urns(),
            unions: unions.to_vec(),
        })
    }

    fn given(&self) -> Given {
        self.unions
            .iter()
            .fold(Given::CERTAIN, |all, union| all.and(union.given()))
    }

    /// Expected number of urns occupied in every union (OCC 39 with r = 1; 49 for standard filters). Exact.
    pub fn mean(&self) -> Figure {
        self.given().mean(self.urns, "OCC (39), r = 1")
    }

    /// Its variance, from the binomial moments (OCC 39); the signs printed in (50) are wrong. Exact, as
    /// [`Union::variance`].
    pub fn variance(&self) -> Figure {
        self.given().variance(
            self.urns,
            "OCC (39), r = 1, 2 (erratum to 50): E[X(X-1)] + E[X] - E[X]^2",
        )
    }

    /// Probability that `targets` given urns are occupied in every union (OCC 39 over `C(m,r)`). Exact.
    ///
    /// # Errors
    /// Those of [`Union::all_occupied`].
    pub fn all_occupied(&self, targets: u64) -> Result<Figure, TheoryError> {
        let mut value = 1.0;
        for union in &self.unions {
            value *= union.all_occupied(targets)?.value;
        }
        Ok(Figure::new(
            value,
            "OCC (39) over C(m,r)",
            Accuracy::exact(ACCURACY),
        ))
    }

    /// The distribution (OCC 37). Exact: given the counts of two sets their intersection is hypergeometric, so the
    /// unions are folded in one at a time in positive terms. Costs the cube of the urns that can be occupied.
    ///
    /// # Errors
    /// [`TheoryError::TooLarge`] above 2 10^8 elementary steps, and those of [`Union::pmf`].
    pub fn pmf(&self) -> Result<Pmf, TheoryError> {
        let steps = self.steps();
        if steps > MAX_STEPS {
            return Err(TheoryError::TooLarge {
                formula: "distribution of an intersection",
                quantity: "elementary steps",
                got: steps,
                limit: MAX_STEPS,
                next_step: "use the mean and the variance",
            });
        }
        let mut counts = self.unions[0].counts()?;
        for union in &self.unions[1..] {
            counts = intersect(&counts, &union.counts()?);
        }
        Ok(Pmf {
            probabilities: counts.iter().map(|p| p.value()).collect(),
            formula: "OCC (37), by hypergeometric mixing",
            accuracy: Accuracy::exact(ACCURACY),
        })
    }

    /// Sizes of the intersection so far, times sizes of the next union, times sizes of their intersection.
    fn steps(&self) -> u64 {
        let most = self.unions[0].most_occupied();
        self.unions[1..]
            .iter()
            .map(|union| {
                most.saturating_mul(union.most_occupied())
                    .saturating_mul(most)
            })
            .fold(0, u64::saturating_add)
    }
}

/// The distribution of the intersection of two independent sets of uniform position, from those of their sizes.
fn intersect(one: &[Dd], other: &[Dd]) -> Vec<Dd> {
    let urns = one.len() - 1;
    let largest = other.iter().rposition(|p| p.value() > 0.0).unwrap_or(0);
    let mut result = vec![Dd::ZERO; urns + 1];
    for (a, weight_a) in one.iter().enumerate() {
        if weight_a.value() == 0.0 {
            continue;
        }
        // chance[i]: the first b members of the other set meet i of the a
        let mut chance = vec![Dd::ZERO; a + 1];
        chance[0] = Dd::ONE;
        for (b, weight_b) in other.iter().enumerate().take(largest + 1) {
            let weight = *weight_a * *weight_b;
            if weight_b.value() > 0.0 {
                for (i, p) in chance.iter().enumerate() {
                    result[i] = result[i] + weight * *p;
                }
            }
            if b < largest {
                draw(&mut chance, a, b, urns);
            }
        }
    }
    result
}

/// One more draw without replacement, after `drawn`, from `urns` of which a are marked.
fn draw(chance: &mut [Dd], a: usize, drawn: usize, urns: usize) {
    let unit = Dd::ratio(1.0, (urns - drawn) as f64);
    for i in (0..=a).rev() {
        let unmarked = (urns - a) as f64 - (drawn as f64 - i as f64);
        let stay = chance[i].times(unmarked.max(0.0));
        let hit = if i > 0 {
            chance[i - 1].times((a - (i - 1)) as f64)
        } else {
            Dd::ZERO
        };
        chance[i] = (stay + hit) * unit;
    }
}
