//! A line card with faults to choose from: one build does for all.

use crate::faults::{with_faults_to_choose, Fault, FAULT_PORT};
use crate::path_sample::{line_card_of, path_filter};
use crate::setup::toolchain;
use crate::CardGeometry;
use bloomline_bench::linecard::{run_line_card, LineCardReport, LineFailure, LineScript};
use bloomline_bench::lockstep::{Device, DeviceError};
use bloomline_bench::toolchain::Program;
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library, Sim};
use bloomline_model::LineCardModel;
use std::collections::BTreeSet;

/// The emitted line card of a geometry with faults in it, of which an input says which is in force.
pub struct FaultyLineCard {
    geometry: CardGeometry,
    design: Design,
    library: Library,
    faults: &'static [Fault],
}

/// The design with one of its faults in force.
struct Chosen {
    sim: Sim,
    place: usize,
    number: u64,
    inputs: Vec<u64>,
}

impl Device for Chosen {
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DeviceError> {
        self.inputs.copy_from_slice(inputs);
        self.inputs[self.place] = self.number;
        Ok(self.sim.step(&self.inputs, outputs)?)
    }
}

impl FaultyLineCard {
    /// Builds it.
    ///
    /// # Panics
    /// When it cannot be built, or a fault's text does not occur just once in its module.
    pub fn new(geometry: CardGeometry, faults: &'static [Fault]) -> FaultyLineCard {
        let design = with_faults_to_choose(&line_card_of(&geometry), faults);
        let toolchain = toolchain(&[Program::Verilator]);
        let library = Library::build(&toolchain, &design, &BuildOptions::default())
            .unwrap_or_else(|error| panic!("{error}"));
        FaultyLineCard {
            geometry,
            design,
            library,
            faults,
        }
    }

    /// A run of the card as emitted (0), or with one of its faults, from 1 on.
    ///
    /// # Errors
    /// Where device and model differ.
    ///
    /// # Panics
    /// When it cannot be run.
    pub fn run(
        &self,
        number: u64,
        seed: u64,
        script: LineScript,
    ) -> Result<LineCardReport, LineFailure> {
        let mut device = Chosen {
            sim: self.library.open(Initial::Random(seed)).expect("opens"),
            place: self.design.place(FAULT_PORT).expect("is there"),
            number,
            inputs: vec![0; self.design.input_words()],
        };
        let model = LineCardModel::new(path_filter(&self.geometry)).expect("is a line card");
        let design = &self.design;
        run_line_card(design, &mut device, model, script, seed, &mut |_, _, _| {})
            .expect("has every port")
    }

    /// Looks for a seed below `seeds` in whose run each fault shows, and says what showed; runs the card as emitted with each of these.
    ///
    /// # Panics
    /// When a fault is not found, or the card as emitted is not sound.
    pub fn every_fault_is_found(&self, seeds: u64, script: impl Fn(u64) -> LineScript) {
        let (mut missed, mut sound) = (Vec::new(), BTreeSet::new());
        for (number, fault) in (1..).zip(self.faults) {
            let found = (0..seeds).find_map(|seed| {
                let failure = self.run(number, seed, script(seed)).err()?;
                Some((seed, failure))
            });
            let Some((seed, failure)) = found else {
                println!("{}: NOT FOUND", fault.name);
                missed.push(fault.name);
                continue;
            };
            println!(
                "{}: seed {seed}, clock {}, lane {:?}: {}",
                fault.name, failure.clock, failure.lane, failure.problem
            );
            if sound.insert(seed) {
                let report = self.run(0, seed, script(seed));
                report.unwrap_or_else(|failure| panic!("seed {seed}, no fault: {failure:?}"));
            }
        }
        assert!(missed.is_empty(), "not found in {seeds} seeds: {missed:?}");
    }
}
