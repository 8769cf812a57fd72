//! Runs mutants in lockstep until each is detected.

use super::{Mutant, Mutated, MutationError};
use bloomline_bench::lockstep::{compare, Limits, LockstepError, Reference, Stimulus};
use bloomline_bench::verilator::{BuildOptions, Initial, Library};
use bloomline_toolchain::Toolchain;

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// Device and reference differed.
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

/// The mutants of a design, built.
pub struct Hunt<'a> {
    mutated: &'a Mutated,
    library: Library,
}

impl<'a> Hunt<'a> {
    /// Builds the text with all mutants.
    ///
    /// # Errors
    /// As [`Library::build`].
    pub fn new(toolchain: &Toolchain, mutated: &'a Mutated) -> Result<Self, MutationError> {
        Ok(Hunt {
            mutated,
            library: Library::build(toolchain, &mutated.design, &BuildOptions::default())?,
        })
    }
}

/// A stimulus that also selects a mutant: the last word of the inputs.
struct Selecting<S> {
    stimulus: S,
    number: u32,
}

impl<S: Stimulus> Stimulus for Selecting<S> {
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool {
        let Some((select, inputs)) = inputs.split_last_mut() else {
            return false;
        };
        *select = self.number.into();
        self.stimulus.next(predicted, inputs)
    }
}

/// A reference that knows nothing of the last word.
struct Unselected<R>(R);

impl<R: Reference> Reference for Unselected<R> {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        self.0.outputs(outputs, care);
    }

    fn clock(&mut self, inputs: &[u64]) {
        if let Some((_, inputs)) = inputs.split_last() {
            self.0.clock(inputs);
        }
    }
}

/// Runs a mutant (`None`: the unchanged text) with the seeds, one after the other, until it differs from the reference. `make` gives
/// the reference and the stimulus of a seed, both for the design without the selecting input.
///
/// # Errors
/// [`MutationError::Run`] when a run ends with something else than a mismatch.
pub fn hunt<R: Reference, S: Stimulus>(
    hunt: &Hunt<'_>,
    mutant: Option<&Mutant>,
    seeds: impl IntoIterator<Item = u64>,
    make: impl Fn(u64) -> (R, S),
) -> Result<Fate, MutationError> {
    let number = mutant.map_or(0, |mutant| mutant.number);
    for seed in seeds {
        let mut sim = hunt.library.open(Initial::Zeros)?;
        let (reference, stimulus) = make(seed);
        let mut reference = Unselected(reference);
        let mut stimulus = Selecting { stimulus, number };
        let result = compare(
            &hunt.mutated.design,
            &mut sim,
            &mut reference,
            &mut stimulus,
            seed,
            Limits::default(),
            |_| {},
        );
        match result {
            Ok(_) => {}
            Err(LockstepError::Mismatch { cycle, port, .. }) => {
                return Ok(Fate::Killed {
                    seed,
                    clock: cycle,
                    port,
                });
            }
            Err(source) => return Err(MutationError::Run { number, source }),
        }
    }
    Ok(Fate::Survived)
}
