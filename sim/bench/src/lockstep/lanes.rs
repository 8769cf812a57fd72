//! Lockstep of many independent runs at once, in the lanes of the built-in simulator.

use super::batch::{Batch, Words};
use super::engine::mismatch;
use super::{LockstepError, Outcome, Reference, Seen, Stimulus};
use crate::built_in::EngineError;
use crate::verilator::Design;
use bloomline_engine::{self as engine, LaneCount};
use std::time::Instant;

/// Clocks that each lane's reference goes ahead: its state stays in the cache meanwhile.
const BATCH_CLOCKS: usize = 256;

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
    mut lanes: engine::Lanes,
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
    let mut batches: Vec<Batch> = references.iter().map(|_| Batch::default()).collect();
    let mut ended = vec![false; references.len()];
    let mut values = vec![0; lanes.lanes()];
    let mut driven = vec![vec![0; lanes.lanes()]; words.inputs];
    let (mut cycle, mut lane_clocks) = (0, 0);
    let start = Instant::now();
    let result = loop {
        let mut longest = 0;
        let mut done = 0;
        let runs = references.iter_mut().zip(&mut stimuli);
        for ((batch, ended), (reference, stimulus)) in batches.iter_mut().zip(&mut ended).zip(runs)
        {
            if *ended {
                batch.silence(words, BATCH_CLOCKS);
            } else {
                batch.fill(words, BATCH_CLOCKS, reference, stimulus);
                *ended = batch.ended;
            }
            longest = longest.max(batch.clocks);
            lane_clocks += batch.clocks as u64;
            done += batch.progress;
        }
        let fault = clocks(
            &batches,
            words,
            longest,
            (&mut lanes, &mut driven, &mut values),
            |clock, outputs| {
                if clock < batches[0].clocks {
                    observe(&Seen {
                        cycle: cycle + clock as u64,
                        inputs: &batches[0].inputs[clock * words.inputs..][..words.inputs],
                        outputs,
                    });
                }
            },
        )?;
        progress(done);
        if let Some((clock, lane, got)) = fault {
            let range = clock * words.outputs..(clock + 1) * words.outputs;
            let error = mismatch(
                design,
                cycle + clock as u64,
                seed_of(lane),
                &batches[lane].expected[range.clone()],
                &batches[lane].care[range],
                &got,
            );
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

/// Runs the lanes through their batches; the first clock and lane that differ, with that lane's outputs.
fn clocks(
    batches: &[Batch],
    words: Words,
    clocks: usize,
    (lanes, driven, values): (&mut engine::Lanes, &mut [Vec<u64>], &mut [u64]),
    mut observe: impl FnMut(usize, &[u64]),
) -> Result<Option<(usize, usize, Vec<u64>)>, EngineError> {
    let mut of_lane_0 = vec![0; words.outputs];
    for clock in 0..clocks {
        for (word, driven) in driven.iter_mut().enumerate() {
            let at = clock * words.inputs + word;
            let mut changed = 0;
            for (value, batch) in driven.iter_mut().zip(batches) {
                changed |= *value ^ batch.inputs[at];
                *value = batch.inputs[at];
            }
            // Lanes begin with all inputs zero, and most of them never change.
            if changed != 0 {
                lanes.set_input(word, driven)?;
            }
        }
        lanes.clock();
        let mut first = usize::MAX;
        for (word, own) in of_lane_0.iter_mut().enumerate() {
            let at = clock * words.outputs + word;
            lanes.output(word, values)?;
            *own = values[0];
            let difference = values.iter().zip(batches).fold(0, |sum, (value, batch)| {
                sum | ((value ^ batch.expected[at]) & batch.care[at])
            });
            if difference != 0 {
                let differs = |(value, batch): (&u64, &Batch)| {
                    (value ^ batch.expected[at]) & batch.care[at] != 0
                };
                let lane = values.iter().zip(batches).position(differs);
                first = first.min(lane.unwrap_or(usize::MAX));
            }
        }
        if first != usize::MAX {
            let mut got = vec![0; words.outputs];
            for (word, got) in got.iter_mut().enumerate() {
                lanes.output(word, values)?;
                *got = values[first];
            }
            return Ok(Some((clock, first, got)));
        }
        observe(clock, &of_lane_0);
    }
    Ok(None)
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
