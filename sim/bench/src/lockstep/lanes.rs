//! Lockstep of many independent runs at once, in the lanes of the built-in simulator.

use super::batch::{Batch, Words};
use super::engine::mismatch;
use super::{LockstepError, Outcome, Reference, Seen, Stimulus};
use crate::built_in::EngineError;
use crate::verilator::Design;
use bloomline_engine::{self as engine, LaneCount};
use std::time::Instant;

/// Clocks that each lane's reference goes ahead: its state stays in the cache meanwhile.
const BATCH_CLOCKS: usize = 512;

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
    let mut values = vec![vec![0; lanes.lanes()]; words.outputs];
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
            &mut |clock, outputs| {
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
///
/// Each lane's clock is looked at in one go: the buffers of all lanes together are larger than a processor's first cache.
fn clocks(
    batches: &[Batch],
    words: Words,
    clocks: usize,
    (lanes, driven, values): (&mut engine::Lanes, &mut [Vec<u64>], &mut [Vec<u64>]),
    observe: &mut dyn FnMut(usize, &[u64]),
) -> Result<Option<(usize, usize, Vec<u64>)>, EngineError> {
    let of_lane = |values: &[Vec<u64>], lane: usize| -> Vec<u64> {
        values.iter().map(|of_word| of_word[lane]).collect()
    };
    let mut changed = vec![0; words.inputs];
    for clock in 0..clocks {
        changed.fill(0);
        for (lane, batch) in batches.iter().enumerate() {
            let inputs = &batch.inputs[clock * words.inputs..][..words.inputs];
            let all = driven.iter_mut().zip(&mut changed).zip(inputs);
            for ((driven, changed), input) in all {
                *changed |= driven[lane] ^ input;
                driven[lane] = *input;
            }
        }
        // Lanes begin with all inputs zero, and most of them never change.
        for (word, driven) in driven.iter().enumerate() {
            if changed[word] != 0 {
                lanes.set_input(word, driven)?;
            }
        }
        lanes.clock();
        for (word, values) in values.iter_mut().enumerate() {
            lanes.output(word, values)?;
        }
        let differs = |(lane, batch): (usize, &Batch)| {
            let range = clock * words.outputs..(clock + 1) * words.outputs;
            let all = batch.expected[range.clone()].iter().zip(&batch.care[range]);
            let all = all.zip(values.iter());
            all.fold(0, |sum, ((expected, care), got)| {
                sum | ((got[lane] ^ expected) & care)
            }) != 0
        };
        if let Some(lane) = batches.iter().enumerate().position(differs) {
            return Ok(Some((clock, lane, of_lane(values, lane))));
        }
        observe(clock, &of_lane(values, 0));
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
