//! Verification in lanes: independent filters at once, each with keys of its own, whose statistics are pooled.
//!
//! Every lane is a filter of its own with its share of the items, drawn from a seed of its own. Every output of every lane is compared
//! in every clock: of every [`MODEL_EVERY`]th lane with the cycle-accurate model, of the others with the functional model's verdicts in
//! the clocks of the contract, which is cheaper and knows of no stall. Where anything differs, all lanes run again, each against its
//! cycle-accurate model, and that run counts.
//!
//! The lanes' statistics are those of independent runs: counts and sums are added, and what is estimated from neighbouring cycles of one
//! filter is never estimated across two. Lanes go in groups, and groups on as many threads as there are cores; the result does not depend
//! on how many those are.

use crate::latency::LatencyProbe;
use crate::plan::{Plan, Simulator, Watch};
use crate::session::{Against, Ended, Pooled, Prepared};
use crate::{Keys, VerifyError};
use bloomline_bench::lockstep::{Bench, LockstepError, Outcome, Simulation, Stimulus};
use bloomline_bench::verilator::{Design, Initial};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{channel, Sender};
use std::time::Instant;

/// Lanes that a run may have.
const LANES: [usize; 4] = [64, 128, 256, 512];
/// Fewest lanes of a group.
const LEAST_GROUP: usize = 64;
/// Of so many lanes one is always compared with the cycle-accurate model.
pub(crate) const MODEL_EVERY: usize = 16;

/// A group's lanes after their run.
struct Group<R> {
    number: usize,
    result: Result<Outcome, LockstepError>,
    references: Vec<R>,
    latency: LatencyProbe,
}

/// Refuses what lanes do not do.
fn check(plan: &Plan, lanes: usize) -> Result<(), VerifyError> {
    let problem = match &plan.keys {
        _ if !LANES.contains(&lanes) => "must be 64, 128, 256 or 512",
        Keys::Capture(_) | Keys::Column { .. } => {
            "every lane draws keys of its own, and a file has one sequence; leave out --lanes or the file"
        }
        _ if plan.simulator != Simulator::BuiltIn => {
            "only the built-in simulator has lanes; leave out --simulator or give built-in"
        }
        _ if plan.waves.is_some() => {
            "a waveform is of one filter; leave out --lanes or --waves"
        }
        _ if plan.items < lanes as u64 => "there are fewer items than lanes; give more --items",
        _ => return Ok(()),
    };
    Err(VerifyError::Lanes { lanes, problem })
}

/// The seed of a lane; that of lane 0 is the run's.
pub(crate) fn seed_of_lane(seed: u64, lane: usize) -> u64 {
    if lane == 0 {
        return seed;
    }
    let z = seed ^ (lane as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// As [`crate::runner::simulate`], in lanes.
pub(crate) fn simulate<P: Prepared, R: Pooled, S: Stimulus + Send>(
    design: &Design,
    plan: &Plan,
    lanes: usize,
    watch: &Watch<'_>,
    prepare: impl Fn(u64, &dyn Fn()) -> Result<P, VerifyError> + Sync,
    start: impl Fn(&P, Against) -> (R, S) + Sync,
    latency: &mut LatencyProbe,
) -> Result<Ended<R>, VerifyError> {
    check(plan, lanes)?;
    let first = pass(
        design,
        plan,
        lanes,
        watch,
        &prepare,
        &start,
        (latency, Against::Contract),
    )?;
    if first.mismatch.is_none() {
        return Ok(first);
    }
    latency.items_by_clocks.clear();
    pass(
        design,
        plan,
        lanes,
        watch,
        &prepare,
        &start,
        (latency, Against::Model),
    )
}

/// One run of all lanes.
fn pass<P: Prepared, R: Pooled, S: Stimulus + Send>(
    design: &Design,
    plan: &Plan,
    lanes: usize,
    watch: &Watch<'_>,
    prepare: &(impl Fn(u64, &dyn Fn()) -> Result<P, VerifyError> + Sync),
    start: &(impl Fn(&P, Against) -> (R, S) + Sync),
    (latency, against): (&mut LatencyProbe, Against),
) -> Result<Ended<R>, VerifyError> {
    let bench = Bench::new(Simulation::built_in(design)?);
    let in_group = (lanes / 2).max(LEAST_GROUP);
    let groups = lanes / in_group;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (begun, total) = (Instant::now(), plan.items_a_filter() * lanes as u64);
    let next = AtomicUsize::new(0);
    let probe = latency.clone();
    let one = |number: usize, heard: &Sender<(usize, u64)>| -> Result<Group<R>, VerifyError> {
        let seeds: Vec<u64> = (number * in_group..(number + 1) * in_group)
            .map(|lane| seed_of_lane(plan.seed, lane))
            .collect();
        let prepared: Vec<P> = seeds
            .iter()
            .map(|seed| prepare(*seed, &|| ()))
            .collect::<Result<_, _>>()?;
        let make = |seed: u64| {
            let lane = seeds.iter().position(|other| *other == seed).unwrap_or(0);
            start(
                &prepared[lane],
                match lane % MODEL_EVERY {
                    0 => Against::Model,
                    _ => against,
                },
            )
        };
        let mut latency = probe.clone();
        let ran = bench.run_lanes(
            &seeds,
            Initial::Random(seeds[0]),
            against == Against::Model,
            make,
            |seen| latency.clock(seen.cycle, seen.inputs, seen.outputs),
            // Nobody listens any more where another group has failed.
            |done| {
                let _ = heard.send((number, done));
            },
        )?;
        Ok(Group {
            number,
            result: ran
                .result
                .map_err(|error| renumbered(error, number * in_group)),
            references: ran.references,
            latency,
        })
    };
    let mut ended: Vec<Group<R>> = std::thread::scope(|scope| {
        let (heard, hear) = channel();
        let workers: Vec<_> = (0..groups.min(cores))
            .map(|_| {
                let heard = heard.clone();
                let (next, one) = (&next, &one);
                scope.spawn(move || {
                    let numbers = std::iter::from_fn(|| {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        (number < groups).then_some(number)
                    });
                    numbers
                        .map(|number| one(number, &heard))
                        .collect::<Result<Vec<_>, _>>()
                })
            })
            .collect();
        drop(heard);
        let mut done = vec![0; groups];
        for (number, items) in hear {
            done[number] = items;
            (watch.items)(done.iter().sum(), total);
        }
        let mut ended = Vec::new();
        for worker in workers {
            match worker.join() {
                Ok(groups) => ended.extend(groups?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok::<_, VerifyError>(ended)
    })?;
    ended.sort_by_key(|group| group.number);
    let mut clocks = 0;
    let mut mismatch = None;
    let mut references = Vec::with_capacity(lanes);
    for group in ended {
        match group.result {
            Ok(outcome) => clocks += outcome.clocks,
            // The lowest group's failure is the one that is told.
            Err(error) => drop(mismatch.get_or_insert(error)),
        }
        latency.add(&group.latency);
        references.extend(group.references);
    }
    let mut references = references.into_iter();
    let Some(mut reference) = references.next() else {
        unreachable!("a run has at least {LEAST_GROUP} lanes")
    };
    reference.pool(references.collect());
    let outcome = Outcome {
        clocks,
        elapsed: begun.elapsed(),
    };
    Ok(Ended {
        finished: mismatch.is_none().then_some(outcome),
        mismatch,
        reference,
    })
}

/// A lane's failure by its number in the whole run.
fn renumbered(error: LockstepError, first: usize) -> LockstepError {
    match error {
        LockstepError::Lane { lane, source } => LockstepError::Lane {
            lane: first + lane,
            source,
        },
        other => other,
    }
}
