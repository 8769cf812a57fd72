//! Line and toggle coverage of the emitted Verilog under the torture runs, measured by Verilator for every pipeline.
//!
//! `hdl/docs/coverage.md` holds the measured table and explains the holes. `BLOOMLINE_SOAK` multiplies the runs; from 2 on a second,
//! larger filter of the partitioned layout is measured too.

use bloomline_bench::filter::{
    emitted_design, CardReference, CardTorture, CardTortureMix, CellReference, CellTorture,
    CellTortureMix, ClockedModel, ModelReference, SlidingReference, SlidingTorture,
    SlidingTortureMix, Torture, TortureMix,
};
use bloomline_bench::lockstep::{compare, Limits, Reference, Stimulus};
use bloomline_bench::verilator::{
    BuildOptions, Coverage, CoverageKind, CoveragePoint, CoverageShare, Design, Initial, Library,
};
use bloomline_model::CardModel;
use bloomline_spec::registers::field;
use bloomline_spec::{Common, RecyclingGeometry};
use bloomline_tests::{
    soak, thorough_mix, toolchain, with_card, CardSample, CardTask, CellSample, Sample,
    SharedArraySample, SlidingSample,
};
use bloomline_toolchain::Program;
use std::collections::{BTreeMap, BTreeSet};

/// Clocks a run; runs of the first filter, and of each other pipeline.
const CLOCKS: u64 = 20_000;
const RUNS: u64 = 24;
const RUNS_OF_OTHERS: u64 = 8;
/// Clocks a run of a card, whose commands take thousands.
const CARD_CLOCKS: u64 = 10 * CLOCKS;

/// One phase, k = 3, on messages: 1024 words a half, so that recycles come faster than its words can be covered.
const LARGE: Sample = Sample {
    phases: 1,
    hashes: 3,
    partition_bits: 32768,
    threshold: 30000,
    on: "messages",
    retain: false,
    ..Sample::BASE
};

/// A filter that was run, and what its runs met.
struct Subject {
    name: &'static str,
    /// The name of its top module.
    top: String,
    /// Of recycling filters.
    halves: Option<Halves>,
    /// Of a run.
    clocks: u64,
    coverage: Coverage,
}

/// What decides how far the registers of a recycling filter can count.
struct Halves {
    phases: u32,
    /// Bits of a half.
    bits: u64,
    retire_clocks: u32,
    /// Its hash has a secret.
    keyed: bool,
}

/// What `runs` runs of a design in lockstep meet.
fn measure<R: Reference, S: Stimulus>(
    design: &Design,
    runs: u64,
    make: impl Fn(u64) -> (R, S),
) -> Coverage {
    let toolchain = toolchain(&[Program::Verilator]);
    let options = BuildOptions {
        coverage: true,
        ..BuildOptions::default()
    };
    let library =
        Library::build(&toolchain, design, &options).unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut total = Coverage::default();
    for seed in 0..runs {
        let mut sim = library.open(Initial::Zeros).expect("opens");
        let (mut reference, mut stimulus) = make(seed);
        let limits = Limits::default();
        compare(
            design,
            &mut sim,
            &mut reference,
            &mut stimulus,
            seed,
            limits,
            |_| {},
        )
        .unwrap_or_else(|error| panic!("{}, seed {seed}: {error}", design.top));
        let path = folder.path().join(format!("{seed}.dat"));
        sim.write_coverage(&path).expect("written");
        total.merge(&Coverage::load(&path).expect("read"));
    }
    total
}

const EMITTED: &str = "every legal geometry can be printed";

impl Subject {
    /// A recycling filter, under the mixes that `mix` draws.
    fn recycling(
        name: &'static str,
        geometry: &RecyclingGeometry,
        runs: u64,
        mix: impl Fn(u64) -> TortureMix,
    ) -> Self {
        let (design, _) = emitted_design(geometry).expect(EMITTED);
        Self {
            name,
            top: design.top.clone(),
            halves: Some(Halves {
                phases: geometry.phases(),
                bits: geometry.half_bits(),
                retire_clocks: geometry.timing().retire_clocks,
                keyed: geometry.hash().secret.is_some(),
            }),
            clocks: CLOCKS,
            coverage: measure(&design, runs, |seed| {
                (
                    ModelReference::new(geometry),
                    Torture::new(geometry, mix(seed), seed),
                )
            }),
        }
    }

    fn thorough(name: &'static str, sample: &Sample, runs: u64) -> Self {
        let geometry = sample.geometry();
        Self::recycling(name, &geometry, runs, |seed| {
            thorough_mix(&geometry, seed, CLOCKS)
        })
    }

    fn cells(name: &'static str, sample: &CellSample, runs: u64) -> Self {
        let geometry = sample.geometry();
        let (design, _) = emitted_design(&geometry).expect(EMITTED);
        Self {
            name,
            top: design.top.clone(),
            halves: None,
            clocks: CLOCKS,
            coverage: measure(&design, runs, |seed| {
                let mix = CellTortureMix::draw(&geometry, seed, CLOCKS);
                (
                    CellReference::new(&geometry),
                    CellTorture::new(&geometry, mix, seed),
                )
            }),
        }
    }

    fn sliding(name: &'static str, sample: &SlidingSample, runs: u64) -> Self {
        let geometry = sample.geometry();
        let (design, _) = emitted_design(&geometry).expect(EMITTED);
        Self {
            name,
            top: design.top.clone(),
            halves: None,
            clocks: CLOCKS,
            coverage: measure(&design, runs, |seed| {
                let mix = SlidingTortureMix::draw(&geometry, seed, CLOCKS);
                (
                    SlidingReference::new(&geometry),
                    SlidingTorture::new(&geometry, mix, seed),
                )
            }),
        }
    }
}

/// The card of a filter, over a UART.
struct Card {
    name: &'static str,
    runs: u64,
}

impl CardTask for Card {
    type Result = Subject;

    fn run<M: ClockedModel + Clone>(
        self,
        common: &Common,
        design: Design,
        model: CardModel<M>,
    ) -> Subject {
        Subject {
            name: self.name,
            top: design.top.clone(),
            halves: None,
            clocks: CARD_CLOCKS,
            coverage: measure(&design, self.runs, |seed| {
                let mix = CardTortureMix::draw(common, seed, CARD_CLOCKS);
                let torture = CardTorture::new(common, mix, seed);
                (CardReference::new(common, model.clone()), torture)
            }),
        }
    }
}

/// Signal and bit of a toggle point: `("a", 3)` of `a[3]:0->1`, `("m", 2)` of `m[7][2]:1->0`; bit 0 where none is named.
fn signal(point: &CoveragePoint) -> (&str, u32) {
    let name = point.what.split(':').next().unwrap_or(&point.what);
    let base = name.split('[').next().unwrap_or(name);
    let bit = name
        .rsplit_once('[')
        .and_then(|(_, bit)| bit.trim_end_matches(']').parse().ok());
    (base, bit.unwrap_or(0))
}

/// Why a toggle point cannot be met in a run of so many clocks of this filter; `None` for all that could.
fn unreachable(point: &CoveragePoint, subject: &Subject) -> Option<&'static str> {
    if point.kind != CoverageKind::Toggle {
        return None;
    }
    let (name, bit) = signal(point);
    // the first bit that a count of every clock of a run cannot reach, and of every tick
    let clocks = subject.clocks;
    let (clock_bits, tick_bits) = (clocks.ilog2() + 1, (clocks / 1024).ilog2() + 1);
    // Bit 0 of a word of the counters' memory is the highest of a narrow counter, which has five bits or more.
    let counts = match (point.module.as_str(), name) {
        ("event_counters", "low")
        | ("register_file", "counters_low" | "counter_group" | "counter_group_r") => {
            bit >= clock_bits
        }
        ("event_counters", "above" | "written" | "memory_write_data" | "memory_read_data")
        | ("counter_memory", "entries" | "read_data" | "write_data") => bit + 4 >= clock_bits,
        ("event_counters", "sum") => bit + 5 >= clock_bits,
        _ => false,
    };
    let carries = matches!(
        (point.module.as_str(), name),
        (
            "event_counters",
            "high" | "carry" | "upper" | "upper_sum" | "upper_written" | "upper_memory_read_data"
        ) | ("counter_memory_2", "entries" | "read_data" | "write_data")
            | (
                _,
                "high_in" | "high_sample" | "counter_high_now" | "counters_high"
            )
    );
    match name {
        _ if carries || counts => {
            return Some("bits of 64-bit counters that a run is too short for")
        }
        "age" if bit >= tick_bits => return Some("bits of the age that a run is too short for"),
        "unused" => return Some("a name for bits that are not used"),
        _ => {}
    }
    // the registers of a recycling filter; others number theirs otherwise
    let halves = subject.halves.as_ref()?;
    let (one_phase, count_bits) = (halves.phases == 1, halves.bits.ilog2() + 1);
    // two recycles are as far apart as an item and the one behind it that is admitted once it has left every trace
    let turn_bits = (clocks / u64::from(halves.retire_clocks)).ilog2() + 1;
    // the flag "in frozen" on its way from the decision to the port
    let verdict = match point.module.as_str() {
        "queue_memory_2" => matches!(name, "entries" | "read_data" | "write_data"),
        "verdict_queue" => matches!(name, "data" | "data_r" | "flags" | "verdicts_read_data"),
        top if top == subject.top => matches!(
            name,
            "verdict" | "verdict_in" | "verdicts_data" | "m_verdict_tdata"
        ),
        _ => false,
    };
    match name {
        "live_0" | "status" if matches!(bit, 2 | 3 | 14 | 15) || (bit == 13 && !halves.keyed) => {
            Some("bits of STATUS that mean nothing and read 0")
        }
        "turns" | "turns_r" | "reader_turns" if bit >= turn_bits => {
            Some("bits of the count of turns that a run is too short for")
        }
        "live_0" | "status" if bit >= field::STATUS_TURNS + turn_bits => {
            Some("bits of the count of turns that a run is too short for")
        }
        "live_1" | "live_3" if bit >= count_bits => {
            Some("zeros above a register that is narrower than 32 bits")
        }
        "multiple_1" | "scaled_1" if bit == 0 => Some("bit 0 of a doubled value"),
        "phase"
        | "epochs_phase"
        | "clear_early_0"
        | "frozen"
        | "bits_frozen"
        | "occupancy_bits_frozen"
        | "live_2"
            if one_phase =>
        {
            Some("the frozen half that one phase does not have")
        }
        "live_0" | "status" if one_phase && bit == 1 => {
            Some("the frozen half that one phase does not have")
        }
        _ if one_phase && verdict && bit == 2 => {
            Some("the frozen half that one phase does not have")
        }
        _ if one_phase && name.ends_with("_clear_early_0") => {
            Some("the frozen half that one phase does not have")
        }
        _ => None,
    }
}

/// Prints the table of a filter and what is left, and returns the share of lines and of reachable toggles.
fn report(subject: &Subject) -> [CoverageShare; 2] {
    let coverage = &subject.coverage;
    println!("{}", subject.name);
    println!(
        "{:20} {:>16} {:>18} {:>18}",
        "module", "line", "toggle", "reachable"
    );
    let all = coverage.shares(|_| true);
    let reachable = coverage.shares(|point| unreachable(point, subject).is_none());
    let modules: BTreeSet<_> = all.keys().map(|(module, _)| module).collect();
    let mut totals = [CoverageShare::default(); 3];
    let cell =
        |share: CoverageShare| format!("{}/{} {:5.1}", share.met, share.points, share.percent());
    for module in modules {
        let share = |from: &BTreeMap<(String, CoverageKind), CoverageShare>, kind| {
            from.get(&(module.clone(), kind))
                .copied()
                .unwrap_or_default()
        };
        let row = [
            share(&all, CoverageKind::Line),
            share(&all, CoverageKind::Toggle),
            share(&reachable, CoverageKind::Toggle),
        ];
        for (total, share) in totals.iter_mut().zip(row) {
            total.met += share.met;
            total.points += share.points;
        }
        let [line, toggle, reached] = row.map(cell);
        println!("{module:20} {line:>16} {toggle:>18} {reached:>18}");
    }
    let [line, toggle, reached] = totals.map(cell);
    println!("{:20} {line:>16} {toggle:>18} {reached:>18}", "sum");
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for hole in coverage.holes() {
        match unreachable(hole, subject) {
            Some(reason) => *reasons.entry(reason).or_default() += 1,
            None => println!("hole: {} line {} {}", hole.module, hole.line, hole.what),
        }
    }
    for (reason, points) in reasons {
        println!("{points} points: {reason}");
    }
    [totals[0], totals[2]]
}

/// Bits that [`unreachable`] names and that both rose and fell; one edge is a constant that settles at power-up.
fn moving(subject: &Subject) -> Vec<String> {
    let mut edges: BTreeMap<String, u32> = BTreeMap::new();
    for (point, count) in subject.coverage.points() {
        if count > 0 && unreachable(point, subject).is_some() {
            let bit = point.what.split(':').next().unwrap_or(&point.what);
            *edges.entry(format!("{} {bit}", point.module)).or_default() += 1;
        }
    }
    edges
        .into_iter()
        .filter_map(|(bit, edges)| (edges > 1).then_some(bit))
        .collect()
}

/// Holds a filter to at least these percentages of its lines and of its reachable toggles.
fn hold(subject: &Subject, least: [f64; 2]) {
    assert_eq!(
        moving(subject),
        Vec::<String>::new(),
        "{}: these are called unreachable, yet rise and fall",
        subject.name
    );
    for ((share, what), least) in report(subject).iter().zip(["lines", "toggles"]).zip(least) {
        assert!(
            share.percent() >= least,
            "{}: {what}: {share:?}, {:.2} % of at least {least}",
            subject.name,
            share.percent()
        );
    }
}

#[test]
#[ignore = "a claim"]
fn torture_reaches_98_percent_of_lines_and_of_reachable_toggles() {
    hold(
        &Subject::thorough("small", &Sample::BASE, RUNS * soak()),
        [98.0; 2],
    );
    if soak() > 1 {
        hold(
            &Subject::thorough("large", &LARGE, RUNS * soak()),
            [98.0; 2],
        );
    }
}

/// One filter of each other pipeline, held to what these runs met when they were last looked at.
#[test]
#[ignore = "a claim"]
fn torture_reaches_every_other_pipeline() {
    let runs = RUNS_OF_OTHERS * soak();
    let keyed = Sample {
        family: "siphash",
        ..Sample::BASE
    };
    hold(
        &Subject::thorough("a secret per half", &keyed, runs),
        [98.0; 2],
    );
    let shared_array = SharedArraySample::BASE.geometry();
    let mix = |seed| thorough_mix(&shared_array, seed, CLOCKS);
    hold(
        &Subject::recycling("one array, recycling", &shared_array, runs, mix),
        [98.0, 96.0],
    );
    let one_array = CellSample {
        layout: "shared",
        ..CellSample::COUNTING
    };
    hold(
        &Subject::cells("counting", &CellSample::COUNTING, runs),
        [98.0, 96.0],
    );
    hold(
        &Subject::cells("single counters", &CellSample::SINGLE_COUNTERS, runs),
        [98.0, 96.0],
    );
    hold(
        &Subject::cells("one array, counting", &one_array, runs),
        [98.0, 95.0],
    );
    hold(
        &Subject::sliding("sliding", &SlidingSample::CROWDED, runs),
        [98.0, 95.0],
    );
}

/// A card over a UART. The filter in it is tortured by itself elsewhere: here a host comes in its own time.
#[test]
#[ignore = "a claim"]
fn torture_reaches_the_card() {
    let card = Card {
        name: "card",
        runs: RUNS_OF_OTHERS * soak(),
    };
    hold(&with_card(&CardSample::BASE, card), [95.0, 90.0]);
}
