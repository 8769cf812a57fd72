//! Nothing depends on what hardware leaves undefined: registers without an initial value, and block RAM that is read where it is written.

use bloomline_bench::filter::{
    emitted_design, CellReference, CellTorture, CellTortureMix, CuckooReference, ModelReference,
    SlidingReference, SlidingTorture, SlidingTortureMix, Torture, TortureMix,
};
use bloomline_bench::lockstep::{Bench, LockstepError, Reference, Simulation, Stimulus};
use bloomline_bench::undefined::with_random_collisions;
use bloomline_bench::verilator::{Design, Initial, Port};
use bloomline_hdl::CardFilter;
use bloomline_spec::{
    all_examples, by_kind, CellGeometry, CuckooGeometry, Design as Filter, FilterSpec,
    RecyclingGeometry, SlidingGeometry,
};
use std::path::Path;

/// A filter with what drives it.
trait Tortured: CardFilter {
    type Reference: Reference;
    type Stimulus: Stimulus;
    fn sides(&self, seed: u64, clocks: u64) -> (Self::Reference, Self::Stimulus);
}

macro_rules! tortured {
    ($geometry:ty, $reference:ty, $torture:ty, $mix:ty) => {
        impl Tortured for $geometry {
            type Reference = $reference;
            type Stimulus = $torture;
            fn sides(&self, seed: u64, clocks: u64) -> ($reference, $torture) {
                let mix = <$mix>::draw(self, seed, clocks);
                (<$reference>::new(self), <$torture>::new(self, mix, seed))
            }
        }
    };
}

tortured!(RecyclingGeometry, ModelReference, Torture, TortureMix);
tortured!(CellGeometry, CellReference, CellTorture, CellTortureMix);
tortured!(
    SlidingGeometry,
    SlidingReference,
    SlidingTorture,
    SlidingTortureMix
);
tortured!(
    CuckooGeometry,
    CuckooReference,
    SlidingTorture,
    SlidingTortureMix
);

/// 64 lanes under resets, back-pressure and register traffic, each with other undefined values, each against its model on every clock.
fn holds<G: Tortured>(geometry: &G, clocks: u64) {
    let (mut design, _) = emitted_design(geometry).expect("legal");
    let edited = with_random_collisions(&design.sources[0].1);
    assert!(!edited.edited.is_empty(), "{}: no block RAM", design.top);
    assert_eq!(edited.missed, [""; 0], "{}", design.top);
    design.sources[0].1 = edited.text;
    let bench = Bench::new(Simulation::built_in(&design).expect("it reads"));
    let seeds: Vec<u64> = (0..64).collect();
    let ran = bench
        .run_lanes(
            &seeds,
            Initial::Random(5),
            true,
            |seed| geometry.sides(seed, clocks),
            |_| {},
            |_| {},
        )
        .expect("it runs");
    let outcome = ran
        .result
        .unwrap_or_else(|error| panic!("{}: {error}", design.top));
    assert_eq!(outcome.clocks, 64 * clocks);
}

/// An example, with `more` behind its text.
fn example(name: &str, more: &str) -> Filter {
    edited_example(name, ["", ""], more)
}

/// The same with a piece of its text in the place of another.
fn edited_example(name: &str, [from, to]: [&str; 2], more: &str) -> Filter {
    let (file, text) = all_examples()
        .find(|(file, _)| file.contains(name))
        .expect("an example");
    let text = text.replacen(from, to, 1) + more;
    let spec = FilterSpec::from_toml(&text, Path::new(file)).expect("legal");
    spec.design().unwrap_or_else(|_| {
        // `auto` is for theory to solve; any threshold will do here.
        let sizing = spec.validate().expect("a recycling filter");
        let bits = sizing.memory_bits() / u64::from(sizing.phases());
        Filter::from(&sizing.with_threshold(bits / 4).expect("legal"))
    })
}

#[test]
fn undefined_values_change_nothing_in_four_kinds_of_filter() {
    for name in ["onehit", "hotkeys", "window", "recent"] {
        by_kind!(&example(name, ""), geometry => holds(geometry, 300));
    }
}

#[test]
fn undefined_values_change_nothing_with_error_correction() {
    let ecc = "\n[memory]\necc = true\n";
    for name in ["onehit", "hotkeys", "window", "recent"] {
        by_kind!(&example(name, ecc), geometry => holds(geometry, 300));
    }
    let one_array = ["layout = \"partitioned\"", "layout = \"shared\""];
    by_kind!(&edited_example("onehit", one_array, ecc), geometry => holds(geometry, 300));
}

#[test]
#[ignore = "a claim"]
fn undefined_values_change_nothing_in_all_examples() {
    for (file, text) in all_examples() {
        eprintln!("{file}");
        // With parity a word that is read while it is written must not count as wrong either. Single cells and cuckoo tables have none.
        let parity = [
            "\n[memory]\nparity = \"count\"\n",
            "\n[memory]\nparity = \"empty\"\n",
        ];
        let parity = if text.contains("[memory]") || text.contains("\"cuckoo\"") {
            &[]
        } else {
            &parity[..]
        };
        for more in std::iter::once(&"").chain(parity) {
            by_kind!(&example(file, more), geometry => holds(geometry, 5_000));
        }
    }
}

/// A memory of 4 words that is written with a count and read at the same address, and its read data.
const READS_WHAT_IT_WRITES: &str =
    "module ram(input wire clock, input wire [1:0] at, output wire [7:0] q);
  (* no_rw_check *)
  reg [7:0] words [0:3];
  reg [7:0] out;
  reg [7:0] count;
  integer i;

  initial begin
    for (i = 0; i <= 3; i = i + 1) words[i] = 8'd0;
    out = 8'd0;
    count = 8'd0;
  end

  always @(posedge clock) begin
    count <= count + 8'd1;
    out <= words[at];
    if (count[0]) words[at] <= count;
  end

  assign q = out;
endmodule
";

/// What a memory gives that always reads the old word.
#[derive(Default)]
struct OldWord {
    words: [u64; 4],
    out: u64,
    count: u64,
}

impl Reference for OldWord {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        (outputs[0], care[0]) = (self.out, 0xff);
    }

    fn clock(&mut self, inputs: &[u64]) {
        let word = &mut self.words[inputs[0] as usize];
        self.out = *word;
        if self.count & 1 == 1 {
            *word = self.count;
        }
        self.count = (self.count + 1) & 0xff;
    }
}

struct Addresses(u64);

impl Stimulus for Addresses {
    fn next(&mut self, _: &[u64], inputs: &mut [u64]) -> bool {
        inputs[0] = self.0 % 3;
        self.0 -= 1;
        self.0 > 0
    }
}

/// How 64 lanes of a text end against [`OldWord`].
fn ends(text: String, initial: Initial) -> Result<u64, LockstepError> {
    let design = Design {
        top: "ram".into(),
        clock: Some("clock".into()),
        sources: vec![("ram.v".into(), text)],
        ports: vec![Port::input("at", 2), Port::output("q", 8)],
    };
    let bench = Bench::new(Simulation::built_in(&design).expect("it reads"));
    let make = |_| (OldWord::default(), Addresses(100));
    let ran = bench.run_lanes(&[0; 64], initial, false, make, |_| {}, |_| {});
    ran.expect("it runs").result.map(|outcome| outcome.clocks)
}

#[test]
fn a_design_that_needs_the_old_word_fails_with_lane_clock_and_port() {
    let plain = ends(READS_WHAT_IT_WRITES.into(), Initial::Random(1));
    assert_eq!(
        plain.expect("a simulator's memory gives the old word"),
        64 * 99
    );
    let edited = with_random_collisions(READS_WHAT_IT_WRITES);
    assert_eq!(edited.edited, ["ram.words"]);
    assert_eq!(edited.missed, [""; 0]);
    let error = ends(edited.text, Initial::Random(1)).expect_err("it needs the old word");
    assert!(
        matches!(&error, LockstepError::Lane { lane: 0..64, source }
            if matches!(&**source, LockstepError::Mismatch { port, cycle: 2, .. } if port == "q")),
        "{error}"
    );
}

#[test]
fn a_register_without_an_initial_value_fails_where_it_is_seen() {
    let text = READS_WHAT_IT_WRITES.replace("    count = 8'd0;\n", "");
    assert!(ends(text.clone(), Initial::Zeros).is_ok(), "zero by chance");
    let error = ends(text, Initial::Random(1)).expect_err("it needs a zero");
    assert!(error.to_string().starts_with("lane "), "{error}");
}

#[test]
fn a_memory_of_another_form_is_told() {
    let text = READS_WHAT_IT_WRITES.replace("out <= words[at];", "out <= words[at] + 8'd0;");
    assert_eq!(with_random_collisions(&text).missed, ["ram.words"]);
}
