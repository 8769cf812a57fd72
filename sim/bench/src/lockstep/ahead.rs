//! Lockstep with the reference and the stimulus ahead of the device, in batches and where there is a second core on a thread of their own.

use super::batch::{Batch, Failed, Words};
use super::engine::mismatch;
use super::{Device, Limits, LockstepError, Outcome, Reference, Stimulus, Waveform};
use crate::verilator::Design;
use std::sync::mpsc::sync_channel;
use std::time::Instant;

/// Clocks of a batch: its buffers stay in a core's cache.
const BATCH_CLOCKS: usize = 512;
/// Batches between the two threads.
const BATCHES: usize = 4;

/// What an observer sees of a clock that matched.
#[derive(Debug)]
pub struct Seen<'a> {
    /// The clock, from 0.
    pub cycle: u64,
    /// Its inputs.
    pub inputs: &'a [u64],
    /// The device's outputs.
    pub outputs: &'a [u64],
}

/// A run that has ended.
#[derive(Debug)]
pub struct Ran<R> {
    /// How it ended, as of [`super::compare`].
    pub result: Result<Outcome, LockstepError>,
    /// The reference. Where the run failed it is ahead of the failure, by as much as chance would have it.
    pub reference: R,
}

/// Runs `device` as [`super::compare`] does, with reference and stimulus ahead of it: neither sees what the device does, so nothing else
/// changes. `observe` is called after each clock that matched, `progress` after each batch with [`Reference::progress`].
///
/// No clock allocates.
pub fn compare_ahead<D: Device, R: Reference + Send, S: Stimulus + Send>(
    design: &Design,
    device: &mut D,
    (mut reference, mut stimulus): (R, S),
    seed: u64,
    limits: Limits,
    mut observe: impl FnMut(&Seen<'_>),
    mut progress: impl FnMut(u64),
) -> Ran<R> {
    let words = Words {
        inputs: design.input_words(),
        outputs: design.output_words(),
    };
    let mut judge = Judge {
        design,
        device,
        words,
        seed,
        limits,
        got: vec![0; BATCH_CLOCKS * words.outputs],
        cycle: 0,
        start: Instant::now(),
    };
    let two_cores = std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1);
    if !two_cores {
        let mut batch = Batch::default();
        loop {
            batch.fill(words, BATCH_CLOCKS, &mut reference, &mut stimulus);
            let ended = judge.take(&batch, &mut observe);
            progress(batch.progress);
            if let Some(result) = ended {
                return Ran { result, reference };
            }
        }
    }
    std::thread::scope(|scope| {
        let (full, filled) = sync_channel(BATCHES);
        let (empty, emptied) = sync_channel::<Batch>(BATCHES);
        for _ in 0..BATCHES {
            // The other end is in hand.
            let _ = empty.send(Batch::default());
        }
        let ahead = scope.spawn(move || {
            while let Ok(mut batch) = emptied.recv() {
                batch.fill(words, BATCH_CLOCKS, &mut reference, &mut stimulus);
                let ended = batch.ended;
                if full.send(batch).is_err() || ended {
                    break;
                }
            }
            reference
        });
        let mut result = None;
        while let Ok(batch) = filled.recv() {
            result = judge.take(&batch, &mut observe);
            progress(batch.progress);
            if result.is_some() {
                break;
            }
            // The other thread has ended where the last batch is on its way.
            let _ = empty.send(batch);
        }
        drop((filled, empty));
        let reference = match ahead.join() {
            Ok(reference) => reference,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        let result = result.expect("the last batch says that it is the last");
        Ran { result, reference }
    })
}

/// The device's side.
struct Judge<'a, D> {
    design: &'a Design,
    device: &'a mut D,
    words: Words,
    seed: u64,
    limits: Limits,
    got: Vec<u64>,
    cycle: u64,
    start: Instant,
}

impl<D: Device> Judge<'_, D> {
    /// Runs the device through a batch; how the run ended, if it did.
    fn take(
        &mut self,
        batch: &Batch,
        observe: &mut impl FnMut(&Seen<'_>),
    ) -> Option<Result<Outcome, LockstepError>> {
        let Words { inputs, outputs } = self.words;
        let left = self.limits.max_clocks - self.cycle;
        let clocks = batch
            .clocks
            .min(usize::try_from(left).unwrap_or(usize::MAX));
        let got = &mut self.got[..clocks * outputs];
        let failed = self
            .device
            .steps(&batch.inputs[..clocks * inputs], got, clocks)
            .err();
        let got = &*got;
        let good = failed.as_ref().map_or(clocks, |failed| failed.clock);
        let different = batch.first_difference(got, self.words, good);
        for clock in 0..different.unwrap_or(good) {
            observe(&Seen {
                cycle: self.cycle + clock as u64,
                inputs: &batch.inputs[clock * inputs..][..inputs],
                outputs: &got[clock * outputs..][..outputs],
            });
        }
        if let Some(clock) = different {
            let range = clock * outputs..(clock + 1) * outputs;
            return Some(Err(mismatch(
                self.design,
                self.cycle + clock as u64,
                self.seed,
                &batch.expected[range.clone()],
                &batch.care[range.clone()],
                &got[range],
            )));
        }
        if let Some(Failed { clock, source }) = failed {
            return Some(Err(LockstepError::Device {
                cycle: self.cycle + clock as u64,
                seed: self.seed,
                source,
                waveform: Waveform::None,
            }));
        }
        self.cycle += clocks as u64;
        if clocks < batch.clocks {
            return Some(Err(LockstepError::TooLong {
                clocks: self.cycle,
                seed: self.seed,
            }));
        }
        batch.ended.then(|| {
            Ok(Outcome {
                clocks: self.cycle,
                elapsed: self.start.elapsed(),
            })
        })
    }
}
