//! How much of the emitted Verilog the torture suite reaches: line and toggle coverage, counted by Verilator.
//!
//! `hdl/docs/coverage.md` holds the measured table and explains every hole. `BLOOMLINE_SOAK` multiplies the runs.

use bloomline_bench::filter::{emitted_design, ModelReference, Torture};
use bloomline_bench::lockstep::{compare, Limits};
use bloomline_bench::toolchain::Program;
use bloomline_bench::verilator::{
    BuildOptions, Coverage, CoverageKind, CoveragePoint, CoverageShare, Design, Initial, Library,
    Port,
};
use bloomline_spec::registers::field;
use bloomline_spec::Geometry;
use bloomline_tests::{soak, thorough_mix, toolchain, Sample};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};

/// Clocks a run, and runs a sample.
const CLOCKS: u64 = 20_000;
const RUNS: u64 = 24;

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

/// What `runs` runs of `sample` in lockstep meet.
fn measure(sample: &Sample, runs: u64) -> Coverage {
    let toolchain = toolchain(&[Program::Verilator]);
    let geometry = sample.geometry();
    let (design, _) = emitted_design(&geometry).expect("every legal geometry can be printed");
    let options = BuildOptions {
        coverage: true,
        ..BuildOptions::default()
    };
    let library =
        Library::build(&toolchain, &design, &options).unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut total = Coverage::default();
    for seed in 0..runs {
        let mut sim = library.open(Initial::Zeros).expect("opens");
        compare(
            &design,
            &mut sim,
            &mut ModelReference::new(&geometry),
            &mut Torture::new(&geometry, thorough_mix(&geometry, seed, CLOCKS), seed),
            seed,
            Limits::default(),
            |_| {},
        )
        .unwrap_or_else(|error| panic!("{sample:?}, seed {seed}: {error}"));
        let path = folder.path().join(format!("{seed}.dat"));
        sim.write_coverage(&path).expect("written");
        total.merge(&Coverage::load(&path).expect("read"));
    }
    total
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

/// Why a toggle point cannot be met in a run of [`CLOCKS`] clocks of this geometry; `None` for all that could.
fn unreachable(point: &CoveragePoint, geometry: &Geometry) -> Option<&'static str> {
    if point.kind != CoverageKind::Toggle {
        return None;
    }
    let (name, bit) = signal(point);
    // the first bit that a count of every clock of a run cannot reach, and of every tick
    let (clock_bits, tick_bits) = (CLOCKS.ilog2() + 1, (CLOCKS / 1024).ilog2() + 1);
    // two recycles are as far apart as an item and the one behind it that is admitted once it has left every trace
    let turn_bits = (CLOCKS as u32 / geometry.timing().retire_clocks).ilog2() + 1;
    let count_bits = geometry.half_bits().ilog2() + 1;
    let counts = match point.module.as_str() {
        "event_counter" => matches!(name, "low" | "low_r"),
        _ => name.starts_with("counter_") && !name.contains("high"),
    };
    let carries = matches!(
        (point.module.as_str(), name),
        ("event_counter", "high" | "high_r" | "carry") | (_, "high_in" | "high_sample")
    ) || (name.starts_with("counter_") && name.contains("high"));
    let one_phase = geometry.phases() == 1;
    // the flag "in frozen" on its way from the decision to the port
    let verdict = match point.module.as_str() {
        "queue_memory_2" => matches!(name, "entries" | "read_data" | "write_data"),
        "verdict_queue" => matches!(name, "data" | "data_r" | "flags" | "verdicts_read_data"),
        "sample" => matches!(
            name,
            "verdict" | "verdict_in" | "verdicts_data" | "m_verdict_tdata"
        ),
        _ => false,
    };
    match name {
        _ if carries || (counts && bit >= clock_bits) => {
            Some("bits of 64-bit counters that a run is too short for")
        }
        "age" if bit >= tick_bits => Some("bits of the age that a run is too short for"),
        "live_0" | "status" if matches!(bit, 2 | 3 | 13..16) => {
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
        "unused" => Some("a name for bits that are not used"),
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

/// Prints the table of `sample` and what is left, and returns the share of lines and of reachable toggles.
fn report(sample: &Sample, coverage: &Coverage) -> [CoverageShare; 2] {
    let geometry = sample.geometry();
    println!("{sample:?}");
    println!(
        "{:20} {:>16} {:>18} {:>18}",
        "module", "line", "toggle", "reachable"
    );
    let all = coverage.shares(|_| true);
    let reachable = coverage.shares(|point| unreachable(point, &geometry).is_none());
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
        match unreachable(hole, &geometry) {
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
fn moving(coverage: &Coverage, geometry: &Geometry) -> Vec<String> {
    let mut edges: BTreeMap<String, u32> = BTreeMap::new();
    for (point, count) in coverage.points() {
        if count > 0 && unreachable(point, geometry).is_some() {
            let bit = point.what.split(':').next().unwrap_or(&point.what);
            *edges.entry(format!("{} {bit}", point.module)).or_default() += 1;
        }
    }
    edges
        .into_iter()
        .filter_map(|(bit, edges)| (edges > 1).then_some(bit))
        .collect()
}

#[test]
fn torture_reaches_98_percent_of_lines_and_of_reachable_toggles() {
    let soak = soak();
    for sample in [Sample::BASE, LARGE] {
        let coverage = measure(&sample, RUNS * soak);
        assert_eq!(
            moving(&coverage, &sample.geometry()),
            Vec::<String>::new(),
            "these are called unreachable, yet rise and fall"
        );
        for (share, what) in report(&sample, &coverage).iter().zip(["lines", "toggles"]) {
            assert!(
                share.percent() >= 98.0,
                "{sample:?}: {what}: {share:?}, {:.2} %",
                share.percent()
            );
        }
    }
}

/// The one part of the emitted text that no run reaches because it takes 2^32 events, by itself and set to shortly before.
#[test]
fn counters_carry_into_their_upper_half() {
    const SEED: u64 = 1;
    let toolchain = toolchain(&[Program::Verilator]);
    let (whole, _) = emitted_design(&Sample::BASE.geometry()).expect("samples can be printed");
    let design = Design {
        top: "event_counter".into(),
        ports: vec![
            Port::input("reset", 1),
            Port::input("event_", 1),
            Port::output("low", 32),
            Port::output("high", 32),
        ],
        ..whole
    };
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    for start in [0xffff_fff0, 0x7fff_ffff_ffff_fff0, u64::MAX - 20] {
        let mut design = design.clone();
        let text = &mut design.sources[0].1;
        let module = text.find("module event_counter (").expect("the module");
        for (register, value) in [("low_r", start & 0xffff_ffff), ("high_r", start >> 32)] {
            let zero = format!("    {register} = 32'd0;");
            let at = module + text[module..].find(&zero).expect("its initial value");
            text.replace_range(
                at..at + zero.len(),
                &format!("    {register} = 32'd{value};"),
            );
        }
        let library = Library::build(&toolchain, &design, &BuildOptions::default())
            .unwrap_or_else(|error| panic!("{error}"));
        let mut sim = library.open(Initial::Ones).expect("opens");
        let (mut before, mut count, mut registered) = (start, start, false);
        for clock in 0..400 {
            let (reset, event) = (clock == 200, rng.random_bool(0.7));
            let mut outputs = [0; 2];
            sim.step(&[reset.into(), event.into()], &mut outputs)
                .expect("runs");
            assert_eq!(
                outputs,
                [count & 0xffff_ffff, before >> 32],
                "from {start:#x}, clock {clock}, seed {SEED}: the upper half is that of a clock ago"
            );
            (before, count, registered) = match reset {
                true => (0, 0, false),
                false => (count, count.wrapping_add(registered.into()), event),
            };
        }
    }
}
