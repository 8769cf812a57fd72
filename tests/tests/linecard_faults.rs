//! The bench of line cards has teeth: single edits of the emitted Verilog, in the merge, the wiring of lanes and ports, registers and policies, are
//! found from the pins.
//!
//! All faults stand in one design, and an input says which is in force: one build does for all.

use bloomline_bench::linecard::{run_line_card, LineCardReport, LineFailure, LineScript};
use bloomline_bench::lockstep::{Device, DeviceError};
use bloomline_bench::toolchain::Program;
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library, Sim};
use bloomline_model::LineCardModel;
use bloomline_tests::faults::{fault, with_faults_to_choose, Fault, FAULT_PORT};
use bloomline_tests::{line_card_of, packet_of, path_filter, toolchain, CardGeometry, PathSample};

const FAULTS: &[Fault] = &[
];

/// Seeds of a search.
const SEEDS: u64 = 6;

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

fn run(
    geometry: &CardGeometry,
    library: &Library,
    design: &Design,
    number: u64,
    seed: u64,
) -> Result<LineCardReport, LineFailure> {
    let mut device = Chosen {
        sim: library.open(Initial::Random(seed)).expect("opens"),
        place: design.place(FAULT_PORT).expect("is there"),
        number,
        inputs: vec![0; design.input_words()],
    };
    run_line_card(
        design,
        &mut device,
        LineCardModel::new(path_filter(geometry)).expect("is a line card"),
        LineScript::draw(&packet_of(geometry), 2, 100, 12_000, seed),
        seed,
        &mut |_, _, _| {},
    )
    .expect("has every port")
}

#[test]
fn every_fault_is_found_from_the_pins_and_the_card_as_emitted_is_sound() {
    let geometry = PathSample::BASE.line_card();
    let design = with_faults_to_choose(&line_card_of(&geometry), FAULTS);
    let toolchain = toolchain(&[Program::Verilator]);
    let library = Library::build(&toolchain, &design, &BuildOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let mut missed = Vec::new();
    let mut sound = [false; SEEDS as usize];
    for (number, fault) in (1..).zip(FAULTS) {
        let caught = (0..SEEDS).find_map(|seed| {
            let failure = run(&geometry, &library, &design, number, seed).err()?;
            Some((seed, failure))
        });
        let Some((seed, failure)) = caught else {
            println!("{}: NOT FOUND", fault.name);
            missed.push(fault.name);
            continue;
        };
        println!(
            "{}: seed {seed}, clock {}, lane {:?}: {}",
            fault.name, failure.clock, failure.lane, failure.problem
        );
        if !std::mem::replace(&mut sound[seed as usize], true) {
            let report = run(&geometry, &library, &design, 0, seed);
            report.unwrap_or_else(|failure| panic!("seed {seed}, no fault: {failure:?}"));
        }
    }
    assert!(missed.is_empty(), "not found in {SEEDS} seeds: {missed:?}");
}
