//! Lockstep of many independent runs at once, in the lanes of the built-in simulator.

use super::batch::{Batch, Words};
use super::engine::mismatch;
use super::track::Track;
use super::{LockstepError, Outcome, Reference, Seen, Stimulus};
use crate::built_in::EngineError;
use crate::verilator::Design;
use bloomline_engine::{self as engine, LaneCount};
use std::time::Instant;

/// Clocks that each lane's reference goes ahead: its memory stays in the cache meanwhile.
const BATCH_CLOCKS: usize = 1024;
/// Of these, clocks between which what moved is put aside.
const PART_CLOCKS: usize = 64;

/// Runs of as many lanes that have ended.
#[derive(Debug)]
pub(crate) struct LanesRan<R> {
    /// Clocks of all lanes together, or the first lane that failed and how: of those of one clock the lowest.
    pub result: Result<Outcome, (usize, LockstepError)>,
    /// The references.
    pub references: Vec<R>,
}

/// Runs each lane against its own reference and stimulus until all stimuli have ended; every output of every lane is compared in
/// every clock. `observe` sees lane 0, `progress` the sum over the lanes.
pub(crate) fn compare_lanes<R: Reference, S: Stimulus>(
    design: &Design,
    lanes: engine::Lanes,
    runs: Vec<(R, S)>,
    seed_of: impl Fn(usize) -> u64,
    max_clocks: u64,
    mut observe: impl FnMut(&Seen<'_>),
    mut progress: impl FnMut(u64),
) -> Result<LanesRan<R>, EngineError> {
    let words = Words {
        inputs: design.input_words(),
        outputs: design.output_words(),
    };
    let (mut references, mut stimuli): (Vec<R>, Vec<S>) = runs.into_iter().unzip();
    let mut batch = Batch::default();
    let mut ended = vec![false; references.len()];
    let mut tracks = Tracks::new(lanes, words);
    let (mut cycle, mut lane_clocks) = (0, 0);
    let start = Instant::now();
    let result = loop {
        let (mut longest, mut first) = (0, 0);
        let runs = references.iter_mut().zip(&mut stimuli);
        for (lane, (ended, (reference, stimulus))) in ended.iter_mut().zip(runs).enumerate() {
            let mut clocks = 0;
            for from in (0..BATCH_CLOCKS).step_by(PART_CLOCKS) {
                if *ended {
                    batch.silence(words, PART_CLOCKS);
                } else {
                    batch.fill(words, PART_CLOCKS, reference, stimulus);
                    *ended = batch.ended;
                }
                tracks.take(lane, from, &batch);
                clocks += batch.clocks;
            }
            longest = longest.max(clocks);
            lane_clocks += clocks as u64;
            if lane == 0 {
                first = clocks;
            }
        }
        let failed = tracks.run(longest, &mut |clock, inputs, outputs| {
            if clock < first {
                observe(&Seen {
                    cycle: cycle + clock as u64,
                    inputs,
                    outputs,
                });
            }
        })?;
        progress(references.iter().map(Reference::progress).sum());
        if let Some(Difference {
            clock,
            lane,
            expected,
            care,
            got,
        }) = failed
        {
            let (clock, seed) = (cycle + clock as u64, seed_of(lane));
            let error = mismatch(design, clock, seed, &expected, &care, &got);
            break Err((lane, error));
        }
        cycle += longest as u64;
        if ended.iter().all(|ended| *ended) {
            break Ok(Outcome {
                clocks: lane_clocks,
                elapsed: start.elapsed(),
            });
        }
        if cycle >= max_clocks {
            let seed = seed_of(0);
            break Err((
                0,
                LockstepError::TooLong {
                    clocks: cycle,
                    seed,
                },
            ));
        }
    };
    Ok(LanesRan { result, references })
}

/// The simulator, and a batch of all lanes word for word.
struct Tracks {
    lanes: engine::Lanes,
    words: Words,
    inputs: Vec<Track>,
    expected: Vec<Track>,
    care: Vec<Track>,
    /// Inputs in all lanes, as they are.
    driven: Vec<Vec<u64>>,
    /// An output in all lanes.
    values: Vec<u64>,
}

/// Sees a clock of lane 0: its number, inputs and outputs.
type Observer<'a> = dyn FnMut(usize, &[u64], &[u64]) + 'a;

/// The first lane that differs in a clock, and its outputs.
struct Difference {
    clock: usize,
    lane: usize,
    expected: Vec<u64>,
    care: Vec<u64>,
    got: Vec<u64>,
}

impl Tracks {
    fn new(lanes: engine::Lanes, words: Words) -> Self {
        let count = lanes.lanes();
        let tracks = |words| {
            (0..words)
                .map(|_| Track::new(count, BATCH_CLOCKS))
                .collect()
        };
        Self {
            lanes,
            words,
            inputs: tracks(words.inputs),
            expected: tracks(words.outputs),
            care: tracks(words.outputs),
            driven: vec![vec![0; count]; words.inputs],
            values: vec![0; count],
        }
    }

    /// Takes a part of a lane's batch, from clock `from` on; the first of lane 0 comes first.
    fn take(&mut self, lane: usize, from: usize, part: &Batch) {
        let Words { inputs, outputs } = self.words;
        for (tracks, buffer, words) in [
            (&mut self.inputs, &part.inputs, inputs),
            (&mut self.expected, &part.expected, outputs),
            (&mut self.care, &part.care, outputs),
        ] {
            for (word, track) in tracks.iter_mut().enumerate() {
                if (lane, from) == (0, 0) {
                    track.begin(buffer[word]);
                }
                track.take(lane, from, buffer[word..].iter().step_by(words).copied());
            }
        }
    }

    /// Runs all lanes through so many clocks of the batch, up to the first in which a lane differs. `observe` sees inputs and outputs of
    /// lane 0.
    fn run(
        &mut self,
        clocks: usize,
        observe: &mut Observer<'_>,
    ) -> Result<Option<Difference>, EngineError> {
        let mut inputs = vec![0; self.words.inputs];
        let mut outputs = vec![0; self.words.outputs];
        for clock in 0..clocks {
            self.drive(clock)?;
            self.lanes.clock();
            if self.differs(clock)? {
                for lane in 0..self.lanes.lanes() {
                    if let Some(difference) = self.difference(clock, lane)? {
                        return Ok(Some(difference));
                    }
                }
            }
            at(&self.inputs, clock, 0, &mut inputs);
            self.outputs(0, &mut outputs)?;
            observe(clock, &inputs, &outputs);
        }
        Ok(None)
    }

    /// Sets the inputs that some lane changes in this clock.
    fn drive(&mut self, clock: usize) -> Result<(), EngineError> {
        for (word, (track, driven)) in self.inputs.iter().zip(&mut self.driven).enumerate() {
            if clock > 0 && track.still().is_some() {
                continue;
            }
            let mut changed = 0;
            for (lane, driven) in driven.iter_mut().enumerate() {
                let value = track.at(clock, lane);
                changed |= *driven ^ value;
                *driven = value;
            }
            // Lanes begin with all inputs zero.
            if changed != 0 {
                self.lanes.set_input(word, driven)?;
            }
        }
        Ok(())
    }

    /// Whether some lane differs in this clock.
    fn differs(&mut self, clock: usize) -> Result<bool, EngineError> {
        let all = self.expected.iter().zip(&self.care).enumerate();
        for (word, (expected, care)) in all {
            let differ = match (expected.still(), care.still()) {
                (_, Some(0)) => false,
                (Some(expected), Some(care)) => self.lanes.output_differs(word, expected, care)?,
                _ => {
                    self.lanes.output(word, &mut self.values)?;
                    let all = self.values.iter().enumerate();
                    all.fold(0, |sum, (lane, got)| {
                        sum | ((got ^ expected.at(clock, lane)) & care.at(clock, lane))
                    }) != 0
                }
            };
            if differ {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What differs in a lane.
    fn difference(&self, clock: usize, lane: usize) -> Result<Option<Difference>, EngineError> {
        let [mut expected, mut care, mut got] = [(); 3].map(|()| vec![0; self.words.outputs]);
        at(&self.expected, clock, lane, &mut expected);
        at(&self.care, clock, lane, &mut care);
        self.outputs(lane, &mut got)?;
        let mut all = expected.iter().zip(&care).zip(&got);
        let differs = all.any(|((expected, care), got)| (got ^ expected) & care != 0);
        Ok(differs.then_some(Difference {
            clock,
            lane,
            expected,
            care,
            got,
        }))
    }

    /// The outputs of a lane in the last clock.
    fn outputs(&self, lane: usize, outputs: &mut [u64]) -> Result<(), EngineError> {
        for (word, value) in outputs.iter_mut().enumerate() {
            *value = self.lanes.output_of(word, lane)?;
        }
        Ok(())
    }
}

/// The words of a lane in a clock.
fn at(tracks: &[Track], clock: usize, lane: usize, words: &mut [u64]) {
    for (track, word) in tracks.iter().zip(words) {
        *word = track.at(clock, lane);
    }
}

/// The lane count of the simulator for so many lanes.
pub(crate) fn lane_count(lanes: usize) -> Option<LaneCount> {
    [
        LaneCount::L64,
        LaneCount::L128,
        LaneCount::L256,
        LaneCount::L512,
    ]
    .into_iter()
    .find(|count| count.lanes() == lanes)
}
