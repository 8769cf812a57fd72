//! The papers' experiments: simulation and prediction, as charts and tables.
//!
//! ```text
//!  rbf occ km cbf    one experiment a figure: its units of simulation, its chart
//!      |              on `bloomline_model::ideal`: filters as the papers simulate them
//!      v
//!  run  ->  journal  units over the cores, each finished one kept; resumes
//!      v
//!  chart -> plot, table -> gallery      SVG and CSV, and a page of all
//! ```
//!
//! An experiment is a set of independent [`Unit`]s, each a seed and a point of the chart. A unit's [`Counts`] depend on nothing
//! but the unit, so it does not matter which core ran it or when: a killed run goes on where it was and
//! draws the same bytes. `sim/verify/docs/figures.md` is the user's page.
//! May depend on `stats` and the theory, whose documentation has the papers' full titles.
//!
//! Simulated points have two-sided intervals that are 99 % for a whole figure; a check that says "inside" asks that each of
//! them holds the prediction. "Computed" figures have formulas only.
//!
//! # Recycling filters (RBF)
//!
//! Filters of M = 1000 bits in all and k = 4 (the paper does not print its k), colliding, non-retaining. A false positive is an
//! arrival that is seen though no half that is still read had it. Whole cycles count, from the first with no empty half.
//!
//! | Figure | Simulated in full (quick) | Claim that is checked |
//! |---|---|---|
//! | `rbf-3` | 8 thresholds, 1 and 2 phases, 1000 different messages and all new: 200 (10) epochs of 100,000 (20,000) arrivals | RBF (18) and the exact two-phase rate inside; with 1000 messages and two phases never above it, as the halves share messages |
//! | `rbf-4` | 10 thresholds on messages: 140 (10) epochs of 1,000,000 (40,000) arrivals | the exact rate inside; f_o <= f_a <= exact |
//! | `rbf-5`, `rbf-6` | computed: capacity by f_w and by f_a over M and over the rate | the worst case gives away 30 % or more |
//! | `rbf-7` | computed: mean cycle of one phase over two phases | one phase has the longer cycle |
//!
//! # Occupancy (OCC)
//!
//! Standard filters draw k positions with repeats, classic ones k different positions.
//!
//! | Figure | Simulated in full (quick) | Claim that is checked |
//! |---|---|---|
//! | `occ-6` | m = 100, n = 20, 9 values of k, both kinds: 200 (20) batches of 10,000 (200) filters, 10 queries each | OCC (56) and (60) inside |
//! | `occ-7` | computed: m = 1000, n = 20, k = 25 to 50 | L and M below, U above; the best k are 34 and 33 |
//! | `occ-8` | computed: m = 1024 | at n = 5 the best k are 133 and 124 |
//! | `occ-9`, `occ-10` | computed: m = 100, efficiency over n | greatest standard efficiency 0.69 at n = 69; classic 0.96 at n = 1, k = 50 |
//!
//! # Two hashes in place of k (KM)
//!
//! Arrays and partitions have prime sizes, the greatest of at most cn and cn/k; k is the better neighbour of c ln 2.
//!
//! | Figure | Simulated in full (quick) | Claim that is checked |
//! |---|---|---|
//! | `km-1` | five schemes, c = 4, 8, 12, 16, four n: 10,000 (30) filters, ceil(10/p) queries each | each scheme's law inside |
//! | `km-3` | Count-Min, w = 251, d = 4, skewed counts: 100,000 (400) sketches, two schemes | below (1/(eps w))^d and KM Theorem 9.1; two functions hardly worse |
//! | `km-2` | Q among 464 queries of 10,000 (500) filters, n = 5000, c = 8, two schemes | binomial with the law's rate, chi-squared |
//!
//! # Counting filters with a threshold (CBF)
//!
//! m = 4 n counters. The paper draws its hashes from tables of random numbers; here each entry draws its positions, which is
//! the same law.
//!
//! | Figure | Simulated in full (quick) | Claim that is checked |
//! |---|---|---|
//! | `cbf-1` | computed: the exact rate over k = 1 to 20, thresholds 1 to 5 | Theorem 1 finds each lowest rate |
//! | `cbf-2` | computed: the Poisson form (3) against the exact (2) | below 0.48 % at the best k |
//! | `cbf-3`, `cbf-4` | computed: the curves by which Theorem 1 is shown, theta = 5 | kappa_1, kappa_2 and kappa* as printed; one root |
//! | `cbf-5` | computed: kappa* and its linear fit | Table 1 to its printed digits |
//! | `cbf-6` | computed: error of the linear fit | below about 2 % above threshold 30 |
//! | `cbf-7` | n = 10^7 (10^5) entries and n queries, k = 1 to 20: 100 (10) filters each, all thresholds at once | the exact rate inside |

mod cbf;
mod chart;
mod error;
mod gallery;
mod journal;
mod km;
mod measured;
mod occ;
mod plot;
mod rbf;
mod run;
mod table;

pub use chart::{Axis, Chart, Check, Point, Role, Series};
pub use error::FigureError;
pub use gallery::{write_gallery, Drawn};
pub use journal::{Journal, JournalHeader};
pub use plot::svg;
pub use run::{run, Progress};
pub use table::csv;

use bloomline_spec::SplitMix64;
use std::collections::BTreeMap;

/// How much is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Size {
    /// Fewer or smaller simulations: seconds a figure.
    Quick,
    /// The papers' sizes or more.
    Full,
}

/// One independent piece of simulation.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct Unit {
    /// Which point of the experiment; its meaning is the experiment's.
    pub point: u32,
    /// Which repetition.
    pub part: u32,
}

/// What a unit counted; the meaning of each number is the experiment's.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Counts(pub Vec<u64>);

/// The counts of an experiment's units.
pub type Results = BTreeMap<Unit, Counts>;

/// One figure or table of a paper.
pub trait Experiment: Sync {
    /// Short name for the command line and for files, such as `rbf-3`.
    fn id(&self) -> &'static str;

    /// Paper, figure and what it shows, in a line.
    fn title(&self) -> &'static str;

    /// The simulations of a size, in a fixed order; none for a figure that is only computed.
    fn units(&self, _size: Size) -> Vec<Unit> {
        Vec::new()
    }

    /// Runs one unit with its seed. A figure that is only computed has none and is not asked.
    fn simulate(&self, _size: Size, _unit: Unit, _seed: u64) -> Counts {
        Counts(Vec::new())
    }

    /// The chart, from the counts of every unit.
    ///
    /// # Errors
    /// [`FigureError::Counts`] for counts of a damaged journal; [`FigureError::Theory`] or [`FigureError::Stats`], neither of
    /// which happens with the parameters of this module.
    fn chart(&self, size: Size, results: &Results) -> Result<Chart, FigureError>;
}

/// Every experiment, in the order of the papers.
pub fn all() -> Vec<Box<dyn Experiment>> {
    let mut every: Vec<Box<dyn Experiment>> = Vec::new();
    every.extend(rbf::experiments());
    every.extend(occ::experiments());
    every.extend(km::experiments());
    every.extend(cbf::experiments());
    every
}

/// The units of `points` points with `parts` repetitions each.
fn grid(points: usize, parts: u32) -> Vec<Unit> {
    (0..points as u32)
        .flat_map(|point| (0..parts).map(move |part| Unit { point, part }))
        .collect()
}

/// The seed of a unit: SplitMix64 over the run's seed, the experiment's name and the unit.
fn unit_seed(seed: u64, id: &str, unit: Unit) -> u64 {
    let mix = |state: u64, value: u64| SplitMix64::new(state ^ value).next_word();
    let named = id
        .bytes()
        .fold(mix(seed, 0), |state, byte| mix(state, u64::from(byte)));
    mix(mix(named, u64::from(unit.point)), u64::from(unit.part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use itertools::Itertools;

    #[test]
    fn names_are_unique_and_units_too() {
        let every = all();
        assert!(every.iter().map(|experiment| experiment.id()).all_unique());
        for experiment in &every {
            for size in [Size::Quick, Size::Full] {
                assert!(
                    experiment.units(size).iter().all_unique(),
                    "{}",
                    experiment.id()
                );
            }
        }
    }

    #[test]
    fn seeds_differ_between_experiments_points_and_parts() {
        let units = grid(20, 20);
        let seeds = ["rbf-3", "rbf-4"]
            .iter()
            .flat_map(|id| units.iter().map(move |&unit| unit_seed(1, id, unit)))
            .collect_vec();
        assert!(seeds.iter().all_unique());
    }
}
