//! Edits of the emitted Verilog that lockstep must catch.
//!
//! An edit replaces a piece of text that occurs exactly once in its module. All edits stand in one design. A filter or card of one clock runs in lanes, each
//! with an edit of its own beside one without ([`every_fault_is_caught_in_lanes`]); for the others a plus argument says which edit is in force, so that one
//! build of Verilator does for all. A seed that catches an edit runs clean with none, so what is caught is the edit.

use crate::path_sample::{line_card_of, path_filter};
use crate::setup::{is_quick, toolchain};
use crate::CardGeometry;
use bloomline_assurance::faults::{self, Selection};
use bloomline_assurance::lanes::{first_differences, LaneDesign};
use bloomline_bench::lockstep::{Reference, Stimulus};
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library};
use bloomline_model::LineCardModel;
use bloomline_simulated::linecard::{run_line_card, LineScript};
use bloomline_toolchain::Program;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

pub use bloomline_assurance::faults::{fault, Fault};

/// Edits that one run must catch: a table of a file of `tests/faults`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultTable {
    /// What they are about.
    #[serde(default)]
    pub says: String,
    /// Seeds of the search for a catch, where the run has several.
    #[serde(default)]
    pub seeds: u64,
    /// Clocks of a seed, where the run is as long as it is told.
    #[serde(default)]
    pub clocks: u64,
    /// The edits.
    pub faults: Vec<Fault>,
}

impl FaultTable {
    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("faults")
    }

    fn read(file: &Path) -> BTreeMap<String, FaultTable> {
        let place = file.display();
        let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{place}: {error}"));
        toml::from_str(&text).unwrap_or_else(|error| panic!("{place}: {error}"))
    }

    /// The table `<file>.<table>`.
    ///
    /// # Panics
    /// When there is none.
    pub fn load(name: &str) -> FaultTable {
        let (file, table) = name.split_once('.').expect("a file and a table");
        let file = Self::folder().join(format!("{file}.toml"));
        let table = Self::read(&file).remove(table);
        table.unwrap_or_else(|| panic!("{}: no table {name}", file.display()))
    }

    /// Names of all tables.
    ///
    /// # Panics
    /// When a file cannot be read.
    pub fn names() -> Vec<String> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(Self::folder()).expect("the folder of faults") {
            let path = entry.expect("an entry").path();
            let file = path.file_stem().unwrap_or_default().to_string_lossy();
            names.extend(
                Self::read(&path)
                    .keys()
                    .map(|table| format!("{file}.{table}")),
            );
        }
        names
    }
}

/// Says what caught each fault.
///
/// # Panics
/// When nothing caught one.
pub fn all_are_caught<T: Debug>(faults: &[Fault], caught: &[Option<T>]) {
    let mut missed = Vec::new();
    for (fault, caught) in faults.iter().zip(caught) {
        match caught {
            Some(by) => println!("{}: {by:?}", fault.name),
            None => missed.push(&fault.name),
        }
    }
    assert!(missed.is_empty(), "not caught: {missed:?}");
}

/// `text` with the edit in its module.
///
/// # Panics
/// When its text does not occur once there.
pub fn with_fault(text: &str, fault: &Fault) -> String {
    faults::with_fault(text, fault).unwrap_or_else(|error| panic!("{error}"))
}

/// The module of the fault alone, with the fault in it and under another name.
///
/// # Panics
/// When the module is not there, or the fault's text not just once in it.
pub fn module_with_fault(text: &str, fault: &Fault, name: &str) -> String {
    faults::module_with_fault(text, fault, name).unwrap_or_else(|error| panic!("{error}"))
}

/// Clocks of the one run that looks for faults in lanes at the small size of a test.
const QUICK_CLOCKS: u64 = 4_000;

/// A stimulus that ends sooner.
struct Shortened<S> {
    stimulus: S,
    clocks: u64,
}

impl<S: Stimulus> Stimulus for Shortened<S> {
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool {
        let goes_on = self.clocks > 0;
        self.clocks = self.clocks.saturating_sub(1);
        goes_on && self.stimulus.next(predicted, inputs)
    }
}

/// Looks for a seed below `seeds` whose run, of the reference and stimulus that `make` gives, shows each fault. All faults that no seed has shown so far run
/// at once, each in a lane of its own; lane 0 has none and must not differ from the reference. At the small size of a test ([`is_quick`]) one short run must
/// show some of the faults.
///
/// # Panics
/// When a fault is not caught, has no place in the text, or when the design differs from the reference without any.
pub fn every_fault_is_caught_in_lanes<R: Reference, S: Stimulus>(
    design: &Design,
    faults: &[Fault],
    seeds: u64,
    make: impl Fn(u64) -> (R, S),
) {
    if !is_quick() {
        return every_fault_is_caught_at_any_size(design, faults, seeds, make);
    }
    let make = |seed| {
        let (reference, stimulus) = make(seed);
        let clocks = QUICK_CLOCKS;
        (reference, Shortened { stimulus, clocks })
    };
    let missed = missed_in_lanes(design, faults, 1, make);
    // tables of a few faults are of what only long runs show
    assert!(
        faults.len() < 6 || missed.len() < faults.len(),
        "none is caught in {QUICK_CLOCKS} clocks: {missed:?}"
    );
}

/// As [`every_fault_is_caught_in_lanes`], with every seed at any size.
///
/// # Panics
/// As [`every_fault_is_caught_in_lanes`].
pub fn every_fault_is_caught_at_any_size<R: Reference, S: Stimulus>(
    design: &Design,
    faults: &[Fault],
    seeds: u64,
    make: impl Fn(u64) -> (R, S),
) {
    let missed = missed_in_lanes(design, faults, seeds, make);
    assert!(missed.is_empty(), "not caught in {seeds} seeds: {missed:?}");
}

/// Names of the faults that no seed shows.
fn missed_in_lanes<R: Reference, S: Stimulus>(
    design: &Design,
    faults: &[Fault],
    seeds: u64,
    make: impl Fn(u64) -> (R, S),
) -> Vec<String> {
    let with_all = LaneDesign::with_faults(design, faults).unwrap_or_else(|e| panic!("{e}"));
    let mut caught: Vec<Option<(u64, u64, String)>> = vec![None; faults.len()];
    for seed in 0..seeds {
        let left: Vec<usize> = (1..=faults.len())
            .filter(|number| caught[number - 1].is_none())
            .collect();
        for some in left.chunks(LaneDesign::MOST) {
            let initial = bloomline_engine::Initial::Random(seed);
            let opened = with_all.open(some, initial);
            let (mut lanes, watched) = opened.unwrap_or_else(|error| panic!("{error}"));
            let (mut reference, mut stimulus) = make(seed);
            let differences = first_differences(
                design,
                &mut lanes,
                &watched,
                &mut reference,
                &mut stimulus,
                seed,
                |_, _| Ok(()),
            )
            .unwrap_or_else(|error| panic!("{error}"));
            for (number, difference) in some.iter().zip(&differences[1..]) {
                caught[number - 1] = difference
                    .as_ref()
                    .map(|found| (seed, found.clock, found.port.clone()));
            }
        }
    }
    for (fault, caught) in faults.iter().zip(&caught) {
        if let Some((seed, clock, port)) = caught {
            println!("{}: seed {seed}, clock {clock}, port {port}", fault.name);
        }
    }
    let missed = faults.iter().zip(&caught).filter(|(_, c)| c.is_none());
    missed.map(|(fault, _)| fault.name.to_string()).collect()
}

/// The plus argument of a design with many faults that says which is in force.
const FAULT: &str = "fault";

/// A design with every fault in it, each in force where `$value$plusargs` has its number, from 1 on ([`Library::with_plus_argument`]): one build
/// does for all. With 0, and without the argument, the design is as it was.
///
/// # Panics
/// When a fault's text does not occur just once in its module, or two faults are in texts that overlap without being the same.
fn with_faults_to_choose(design: &Design, faults: &[Fault]) -> Design {
    let mut chosen = design.clone();
    let text = &mut chosen.sources[0].1;
    let selection = Selection::PlusArgument(FAULT);
    *text = faults::choose(text, &design.top, faults, selection).unwrap_or_else(|e| panic!("{e}"));
    chosen
}

/// Builds the design with every fault in it to choose and looks for a seed below `seeds` whose `run` gives a difference, and gives none with
/// no fault in force. At the small size of a test ([`is_quick`]) only finds the place of each fault in the text: that is what a change of the
/// gateware breaks, and it takes no build.
///
/// # Panics
/// When a fault is not caught, or a fault's text does not occur just once.
pub fn every_fault_is_caught(
    design: &Design,
    faults: &[Fault],
    seeds: u64,
    run: impl Fn(&Library, &Design, u64) -> Option<(u64, String)>,
) {
    let chosen = with_faults_to_choose(design, faults);
    match is_quick() {
        true => println!("{} faults have their places", faults.len()),
        false => catch(chosen, faults, seeds, run),
    }
}

fn catch(
    design: Design,
    faults: &[Fault],
    seeds: u64,
    run: impl Fn(&Library, &Design, u64) -> Option<(u64, String)>,
) {
    let toolchain = toolchain(&[Program::Verilator]);
    let sound = Library::build(&toolchain, &design, &BuildOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let mut missed = Vec::new();
    let mut is_sound = vec![false; seeds as usize];
    for (fault, number) in faults.iter().zip(1..) {
        let library = sound.with_plus_argument(FAULT, number);
        let caught = (0..seeds).find_map(|seed| Some((seed, run(&library, &design, seed)?)));
        let Some((seed, (cycle, port))) = caught else {
            println!("{}: NOT CAUGHT", fault.name);
            missed.push(&fault.name);
            continue;
        };
        println!("{}: seed {seed}, clock {cycle}, port {port}", fault.name);
        if !std::mem::replace(&mut is_sound[seed as usize], true) {
            let difference = run(&sound, &design, seed);
            assert_eq!(difference, None, "seed {seed} fails without a fault too");
        }
    }
    assert!(missed.is_empty(), "not caught in {seeds} seeds: {missed:?}");
}

/// As [`every_fault_is_caught`], for the emitted line card of a geometry in runs of a script.
///
/// # Panics
/// As [`every_fault_is_caught`].
pub fn every_line_card_fault_is_caught(
    geometry: &CardGeometry,
    table: &str,
    script: impl Fn(&CardGeometry, u64) -> LineScript,
) {
    let table = FaultTable::load(table);
    let (design, seeds) = (line_card_of(geometry), table.seeds);
    every_fault_is_caught(&design, &table.faults, seeds, |library, design, seed| {
        let mut sim = library.open(Initial::Random(seed)).expect("opens");
        let model = LineCardModel::new(path_filter(geometry)).expect("is a line card");
        let script = script(geometry, seed);
        let result = run_line_card(design, &mut sim, model, script, seed, &mut |_, _, _| {});
        let failure = result.expect("has every port").err()?;
        let lane = failure.lane;
        Some((failure.clock, format!("lane {lane:?}: {}", failure.problem)))
    });
}
