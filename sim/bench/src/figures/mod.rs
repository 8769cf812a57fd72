//! The papers' experiments: simulation beside prediction, as charts and tables.
//!
//! ```text
//!  rbf occ km cbf    one experiment a figure: its units of simulation, its chart
//!      |   \
//!      |    simulate  the filters as the papers simulate them, with ideal hashes
//!      v
//!  run  ->  journal  units over the cores, each finished one kept; resumes, shards, merges
//!      v
//!  chart -> plot, table -> gallery      SVG and CSV, and a page of all
//! ```
//!
//! An experiment is a set of independent [`Unit`]s, each a seed and a point of the chart. A unit's [`Counts`] depend on nothing
//! but the unit, so it does not matter which machine ran it or when: a killed run goes on where it was, and shards
//! merge to the bytes of a run on one machine.
//! May depend on `stats` and the theory.

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
mod simulate;
mod table;

pub use chart::{Axis, Chart, Check, Point, Role, Series};
pub use error::FigureError;
pub use gallery::{write_gallery, Drawn};
pub use journal::{merge, Journal, JournalHeader, Shard};
pub use plot::svg;
pub use run::{run, Progress};
pub use simulate::CountingRun;
pub use table::csv;

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
    fn units(&self, size: Size) -> Vec<Unit>;

    /// Runs one unit with its seed.
    fn simulate(&self, size: Size, unit: Unit, seed: u64) -> Counts;

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

/// The seed of a unit: SplitMix64's finaliser over the run's seed, the experiment's name and the unit.
fn unit_seed(seed: u64, id: &str, unit: Unit) -> u64 {
    let mix = |state: u64, value: u64| {
        let mut z = (state ^ value).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
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
