//! Runs mutants in lanes until each is detected.

use super::flat::in_emitted_language;
use super::{Mutated, MutationError};
use crate::lanes::{first_differences, Difference, LaneDesign};
use bloomline_bench::lockstep::{Reference, Stimulus};
use bloomline_bench::verilator::Design;
use bloomline_engine::{Initial, Lanes};

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// Lane and reference differed.
    Killed {
        /// Seed of the run.
        seed: u64,
        /// The clock, from 0.
        clock: u64,
        /// The first port that differed.
        port: String,
    },
    /// No run showed it.
    Survived,
}

/// The mutants of a design, read by the built-in simulator.
#[derive(Debug, Clone)]
pub struct Hunt {
    lanes: LaneDesign,
}

impl Hunt {
    /// Reads the text with all mutants.
    ///
    /// # Errors
    /// [`MutationError::Text`] and [`MutationError::Lanes`] for a text that cannot be read.
    pub fn new(mutated: &Mutated) -> Result<Self, MutationError> {
        let mutants = mutated.mutants.iter().map(|mutant| mutant.number as usize);
        let most = mutants.max().unwrap_or(0);
        let text = in_emitted_language(&mutated.design, most)?;
        Ok(Hunt {
            lanes: LaneDesign::of_text(text, most)?,
        })
    }

    /// The design without the selecting input.
    pub fn design(&self) -> &Design {
        self.lanes.design()
    }

    /// Opens lanes at power-up: lane `i + 1` is mutant `mutants[i]`, by number; lane 0 is the unchanged text. Returns them and which lanes have a mutant.
    ///
    /// # Errors
    /// [`MutationError::Lanes`] for a number that no mutant has.
    pub fn open(&self, mutants: &[u32]) -> Result<(Lanes, Vec<u64>), MutationError> {
        let changes: Vec<usize> = mutants.iter().map(|number| *number as usize).collect();
        Ok(self.lanes.open(&changes, Initial::Zeros)?)
    }
}

/// Runs `mutants`, by number, with the seeds, one after the other, each until it differs from the reference. `make` gives the reference and the stimulus of
/// a seed. All mutants that no seed has shown run at once, beside the unchanged text in lane 0.
///
/// # Errors
/// [`MutationError::Lanes`], also when the unchanged text differs from the reference.
pub fn hunt<R: Reference, S: Stimulus>(
    hunt: &Hunt,
    mutants: &[u32],
    seeds: impl IntoIterator<Item = u64>,
    make: impl Fn(u64) -> (R, S),
) -> Result<Vec<Fate>, MutationError> {
    let mut fates = vec![Fate::Survived; mutants.len()];
    for seed in seeds {
        let left: Vec<usize> = (0..mutants.len())
            .filter(|&at| fates[at] == Fate::Survived)
            .collect();
        for some in left.chunks(LaneDesign::MOST) {
            let numbers: Vec<u32> = some.iter().map(|&at| mutants[at]).collect();
            let (mut lanes, watched) = hunt.open(&numbers)?;
            let (mut reference, mut stimulus) = make(seed);
            let differences = first_differences(
                hunt.design(),
                &mut lanes,
                &watched,
                &mut reference,
                &mut stimulus,
                seed,
                |_, _| Ok(()),
            )?;
            for (&at, difference) in some.iter().zip(differences.into_iter().skip(1)) {
                if let Some(Difference { clock, port }) = difference {
                    fates[at] = Fate::Killed { seed, clock, port };
                }
            }
        }
    }
    Ok(fates)
}
