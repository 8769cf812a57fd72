//! Lockstep in a simulator; a failing run is repeated to record its waveform.

use super::lanes::{compare_lanes, lane_count};
use super::{
    compare, compare_ahead, Clock, Device, Limits, LockstepError, Outcome, Ran, Recording,
    Reference, Replay, Seen, Simulation, Stimulus, Waveform, Window,
};
use crate::built_in;
use crate::verilator::Initial;
use std::path::PathBuf;

/// Runs of many lanes that have ended.
#[derive(Debug)]
pub struct LanesRun<R> {
    /// Clocks of all lanes together, or the first lane that failed.
    pub result: Result<Outcome, LockstepError>,
    /// The references by lane. Where a lane failed they are ahead of the failure by less than a batch.
    pub references: Vec<R>,
}

/// A design ready for lockstep runs.
#[derive(Debug, Clone)]
pub struct Bench {
    simulation: Simulation,
    /// Bounds of a run.
    pub limits: Limits,
    /// Clocks before a mismatch that the waveform shows, the mismatching one included.
    pub window_clocks: u64,
    /// Folder that waveforms go to; made when needed.
    pub waveforms: PathBuf,
    /// Clocks of [`Bench::run_ahead`] whose waveform is written, however the run ends.
    pub record: Option<Window>,
}

impl Bench {
    /// Windows have 200 clocks and go to `out/waveforms` under the current folder, until the fields say otherwise.
    pub fn new(simulation: Simulation) -> Self {
        Self {
            simulation,
            limits: Limits::default(),
            window_clocks: 200,
            waveforms: PathBuf::from("out/waveforms"),
            record: None,
        }
    }

    /// Opens the design with registers and memories as `initial` says and runs it against a reference and a stimulus that
    /// `make` makes from `seed`.
    ///
    /// When the run fails, Verilator builds the design once more with tracing, `make` is called again with the same seed, and the
    /// clocks before the failure are written to a VCD file that the error names. That needs `make` to depend on the seed alone.
    ///
    /// # Errors
    /// As [`compare`], with the waveform; [`LockstepError::Verilator`] when the model cannot be opened.
    pub fn run<R: Reference, S: Stimulus>(
        &self,
        seed: u64,
        initial: Initial,
        mut make: impl FnMut(u64) -> (R, S),
        observe: impl FnMut(&Clock<'_, R>),
    ) -> Result<Outcome, LockstepError> {
        let mut sim = self.simulation.open(initial)?;
        let (mut reference, mut stimulus) = make(seed);
        let design = self.simulation.design();
        let result = compare(
            design,
            &mut sim,
            &mut reference,
            &mut stimulus,
            seed,
            self.limits,
            observe,
        );
        let Err(error) = result else { return result };
        Err(self.drawn(error, seed, initial, make))
    }

    /// As [`Bench::run`], with reference and stimulus ahead of the device ([`compare_ahead`]), and a waveform of [`Bench::record`].
    /// Gives the reference as the run left it: behind its last clock, or behind the clock before the one that failed.
    ///
    /// # Errors
    /// As [`Bench::run`] for what is no failure of the device, and the errors of a waveform, for which nothing is repeated; a failure of the device is in the result.
    pub fn run_ahead<R: Reference + Send, S: Stimulus + Send>(
        &self,
        seed: u64,
        initial: Initial,
        mut make: impl FnMut(u64) -> (R, S),
        observe: impl FnMut(&Seen<'_>),
        progress: impl FnMut(u64),
    ) -> Result<Ran<R>, LockstepError> {
        let run = make(seed);
        let ran = match &self.record {
            None => {
                let mut sim = self.simulation.open(initial)?;
                self.ahead(&mut sim, run, seed, observe, progress)
            }
            Some(window) => {
                let mut sim = Recording::open(&self.simulation, initial, window)?;
                let Ran { result, reference } = self.ahead(&mut sim, run, seed, observe, progress);
                let result = result.map_err(LockstepError::or_of_the_waveform);
                let ran = Ran { result, reference };
                match (&ran.result, sim.close()) {
                    // The failure is the greater news.
                    (Err(_), _) | (_, Ok(())) => ran,
                    (Ok(_), Err(error)) => return Err(error),
                }
            }
        };
        let error = match ran.result {
            Ok(_) => return Ok(ran),
            Err(error) => error,
        };
        let Some(cycle) = error.cycle() else {
            return Err(error);
        };
        let (mut reference, mut stimulus) = make(seed);
        self.advance(&mut reference, &mut stimulus, cycle);
        Ok(Ran {
            result: Err(self.drawn(error, seed, initial, make)),
            reference,
        })
    }

    /// Runs the design in as many lanes as there are `seeds`, each against a reference and a stimulus of its own, every output of every
    /// lane compared in every clock. In the built-in simulator, whatever the bench's own is; 64, 128, 256 or 512 lanes. Where `initial`
    /// is random, the power-up state differs from lane to lane. A failure is repeated for its waveform if `draw` says so. `observe` sees lane 0; `progress` hears the sum over the lanes.
    ///
    /// # Errors
    /// As [`Bench::run_ahead`], [`LockstepError::Lanes`], and [`LockstepError::BuiltIn`] for a design that has no lanes. The lane that failed
    /// is in the result, as [`LockstepError::Lane`].
    pub fn run_lanes<R: Reference, S: Stimulus>(
        &self,
        seeds: &[u64],
        initial: Initial,
        draw: bool,
        mut make: impl FnMut(u64) -> (R, S),
        observe: impl FnMut(&Seen<'_>),
        progress: impl FnMut(u64),
    ) -> Result<LanesRun<R>, LockstepError> {
        let lanes = seeds.len();
        let count = lane_count(lanes).ok_or(LockstepError::Lanes { lanes })?;
        let built_in = Bench {
            simulation: self.simulation.in_built_in()?,
            ..self.clone()
        };
        let open = built_in.simulation.open_lanes(count, initial)?;
        let runs = seeds.iter().map(|seed| make(*seed)).collect();
        let ran = compare_lanes(
            self.simulation.design(),
            open,
            runs,
            |lane| seeds[lane],
            self.limits.max_clocks,
            observe,
            progress,
        )?;
        let result = ran.result.map_err(|(lane, error)| {
            let initial = built_in::power_up_of_lane(initial, lane);
            let source = Box::new(match draw {
                true => built_in.drawn(error, seeds[lane], initial, make),
                false => error,
            });
            LockstepError::Lane { lane, source }
        });
        Ok(LanesRun {
            result,
            references: ran.references,
        })
    }

    fn ahead<D: Device, R: Reference + Send, S: Stimulus + Send>(
        &self,
        device: &mut D,
        run: (R, S),
        seed: u64,
        observe: impl FnMut(&Seen<'_>),
        progress: impl FnMut(u64),
    ) -> Ran<R> {
        let design = self.simulation.design();
        compare_ahead(design, device, run, seed, self.limits, observe, progress)
    }

    /// Runs a reference by itself.
    fn advance(&self, reference: &mut impl Reference, stimulus: &mut impl Stimulus, clocks: u64) {
        let design = self.simulation.design();
        let (mut inputs, mut expected, mut care) = (
            vec![0; design.input_words()],
            vec![0; design.output_words()],
            vec![0; design.output_words()],
        );
        for _ in 0..clocks {
            inputs.fill(0);
            expected.fill(0);
            care.fill(0);
            reference.outputs(&mut expected, &mut care);
            stimulus.next(&expected, &mut inputs);
            reference.clock(&inputs);
        }
    }

    /// A failure with the waveform of the clocks before it, for which the run is repeated.
    fn drawn<R: Reference, S: Stimulus>(
        &self,
        error: LockstepError,
        seed: u64,
        initial: Initial,
        mut make: impl FnMut(u64) -> (R, S),
    ) -> LockstepError {
        let Some(cycle) = error.cycle() else {
            return error;
        };
        let replay = Replay {
            simulation: &self.simulation,
            window: self.window_clocks,
            waveforms: &self.waveforms,
            seed,
            initial,
            clock: cycle,
            steps: cycle + 1,
        };
        let (mut reference, mut stimulus) = make(seed);
        let drawn = replay.waveform(|design, device| {
            let again = compare(
                design,
                device,
                &mut reference,
                &mut stimulus,
                seed,
                self.limits,
                |_| {},
            );
            Some(again.err()?.cycle()? + 1)
        });
        with_waveform(error, drawn)
    }
}

fn with_waveform(error: LockstepError, drawn: Waveform) -> LockstepError {
    match error {
        LockstepError::Mismatch {
            cycle,
            port,
            expected,
            got,
            seed,
            ..
        } => LockstepError::Mismatch {
            cycle,
            port,
            expected,
            got,
            seed,
            waveform: drawn,
        },
        LockstepError::Device {
            cycle,
            seed,
            source,
            ..
        } => LockstepError::Device {
            cycle,
            seed,
            source,
            waveform: drawn,
        },
        other => other,
    }
}
