//! A mutant changes the named parts only, is in a lane what it is alone, and never shows where it is proved equivalent.

use bloomline_assurance::mutation::{equivalent, mutate, Hunt, Mutated, Parts};
use bloomline_bench::filter::{emitted_design, ModelReference, Torture};
use bloomline_bench::lockstep::{Reference, Stimulus};
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library, Port, Sim};
use bloomline_engine::Lanes;
use bloomline_tests::{thorough_mix, toolchain, Sample};
use bloomline_toolchain::{Program, Toolchain};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A counter that stops at five, in a module of its own: what would follow from greater numbers never shows.
const SMALL: &str = "\
module stopped (input clock, input reset, input step, output full, output [3:0] shown);
  wire at_end;
  reg full_r = 1'b0;
  assign full = full_r;
  stopping stopping (.clock(clock), .reset(reset), .step(step), .at_end(at_end), .count(shown));
  always @(posedge clock) full_r <= at_end && !reset;
endmodule

module stopping (input clock, input reset, input step, output at_end, output [3:0] count);
  reg [3:0] count_r = 4'd0;
  assign at_end = count_r >= 4'd5;
  assign count = count_r;
  always @(posedge clock) begin
    if (step && count_r != 4'd5) count_r <= count_r + 4'd1;
    if (reset) count_r <= 4'd0;
  end
endmodule
";

fn small() -> Design {
    Design {
        top: "stopped".into(),
        clock: Some("clock".into()),
        sources: vec![("stopped.v".into(), SMALL.into())],
        ports: vec![
            Port::input("reset", 1),
            Port::input("step", 1),
            Port::output("full", 1),
            Port::output("shown", 4),
        ],
    }
}

#[test]
#[ignore = "a claim"]
fn a_mutant_changes_the_named_parts_only() {
    let toolchain = toolchain(&[Program::Yosys]);
    let inside = |parts| {
        let mutated = mutate(&toolchain, &small(), 24, 3, parts).expect("mutants");
        let changes = mutated.mutants.iter();
        changes
            .map(|mutant| mutant.change.contains("$flatten\\stopping."))
            .collect::<Vec<bool>>()
    };
    let named = &["stopping"];
    let all = inside(Parts::All);
    assert!(all.contains(&true) && all.contains(&false), "{all:?}");
    let only = inside(Parts::Only(named));
    assert!(!only.is_empty() && !only.contains(&false), "{only:?}");
    let without = inside(Parts::AllBut(named));
    assert!(
        !without.is_empty() && !without.contains(&true),
        "{without:?}"
    );
}

#[test]
#[ignore = "a claim"]
fn a_mutant_that_is_proved_equivalent_never_shows() {
    const MUTANTS: u16 = 24;
    let toolchain = toolchain(&[Program::Verilator, Program::Yosys]);
    let mutated = mutate(&toolchain, &small(), MUTANTS, 3, Parts::All).expect("mutants");
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let stimulus: Vec<[u64; 2]> = (0..2_000)
        .map(|_| [random.random_bool(0.05), random.random_bool(0.5)].map(u64::from))
        .collect();
    let shown = shown_in_lanes_as_alone(&toolchain, &mutated, &stimulus);
    let (mut same, mut others) = (0, 0);
    for (mutant, shown) in mutated.mutants.iter().zip(shown) {
        let proved = equivalent(&toolchain, &mutated, mutant).expect("yosys runs");
        assert!(
            !(proved && shown),
            "said to be equivalent: {}",
            mutant.change
        );
        // a search that is over knows of each
        assert!(
            proved || shown,
            "neither equivalent nor seen: {}",
            mutant.change
        );
        (same, others) = (same + u32::from(proved), others + u32::from(shown));
    }
    assert!(same > 2 && others > 10, "{same} equivalent, {others} not");
}

/// Runs every mutant in a lane, and alone in Verilator on the text that yosys printed. Every output must be the same in every clock. Returns which mutants
/// differed from the unchanged text, in their order.
fn shown_in_lanes_as_alone<const N: usize>(
    toolchain: &Toolchain,
    mutated: &Mutated,
    stimulus: &[[u64; N]],
) -> Vec<bool> {
    let library = Library::build(toolchain, &mutated.design, &BuildOptions::default());
    let library = library.expect("it builds");
    let numbers: Vec<u32> = mutated.mutants.iter().map(|mutant| mutant.number).collect();
    let read = Hunt::new(mutated).unwrap_or_else(|error| panic!("{error}"));
    let (mut lanes, _): (Lanes, _) = read.open(&numbers).expect("as many lanes");
    let mut alone: Vec<Sim> = std::iter::once(&0)
        .chain(&numbers)
        .map(|_| library.open(Initial::Zeros).expect("the model starts"))
        .collect();
    let words = read.design().output_words();
    let mut shown = vec![false; numbers.len()];
    let (mut got, mut of_lanes) = (vec![0; words], vec![vec![0; lanes.lanes()]; words]);
    for (clock, inputs) in stimulus.iter().enumerate() {
        for (word, value) in inputs.iter().enumerate() {
            lanes.set_input_everywhere(word, *value).expect("an input");
        }
        lanes.clock();
        for (word, values) in of_lanes.iter_mut().enumerate() {
            lanes.output(word, values).expect("an output");
        }
        for (lane, sim) in alone.iter_mut().enumerate() {
            let number = lane.checked_sub(1).map_or(0, |mutant| numbers[mutant]);
            let selecting: Vec<u64> = inputs.iter().copied().chain([number.into()]).collect();
            sim.step(&selecting, &mut got).expect("the model runs");
            for (word, values) in of_lanes.iter().enumerate() {
                assert_eq!(
                    values[lane], got[word],
                    "clock {clock}, output word {word}, mutant {number}"
                );
                if values[lane] != values[0] {
                    shown[lane - 1] = true;
                }
            }
        }
    }
    shown
}

#[test]
#[ignore = "a claim"]
fn a_mutant_in_a_lane_does_in_every_clock_what_it_does_alone() {
    const MUTANTS: u16 = 63;
    const CLOCKS: u64 = 2_000;
    let sample = Sample {
        hashes: 3,
        key_bits: 16,
        ..Sample::BASE
    };
    let geometry = sample.geometry();
    let (design, _) = emitted_design(&geometry).expect("every legal geometry can be printed");
    let toolchain = toolchain(&[Program::Verilator, Program::Yosys]);
    let mutated = mutate(&toolchain, &design, MUTANTS, 2, Parts::All).expect("mutants");
    let mut reference = ModelReference::new(&geometry);
    let mut torture = Torture::new(&geometry, thorough_mix(&geometry, 0, CLOCKS), 0);
    const WORDS: usize = 15;
    assert_eq!(design.input_words(), WORDS);
    let mut stimulus = Vec::new();
    loop {
        let words = design.output_words();
        let (mut outputs, mut care, mut inputs) = (vec![0; words], vec![0; words], [0; WORDS]);
        reference.outputs(&mut outputs, &mut care);
        if !torture.next(&outputs, &mut inputs) {
            break;
        }
        reference.clock(&inputs);
        stimulus.push(inputs);
    }
    let shown = shown_in_lanes_as_alone(&toolchain, &mutated, &stimulus);
    let killed = shown.iter().filter(|shown| **shown).count();
    assert!(killed > 20, "{killed} of {MUTANTS} differ");
}
