//! Edits of the emitted Verilog that lockstep must catch.
//!
//! An edit replaces a piece of text that occurs exactly once in its module. A seed that catches it runs clean on the text as
//! emitted, so what is caught is the edit.

use crate::setup::toolchain;
use crate::CellSample;
use bloomline_bench::filter::{emitted_cell_design, CellReference, CellTorture, CellTortureMix};
use bloomline_bench::lockstep::{compare, Limits, LockstepError, Reference, Stimulus};
use bloomline_bench::toolchain::Program;
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library, Port};

/// An edit of the emitted text.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// What it breaks.
    pub name: &'static str,
    /// The module it is in.
    pub module: &'static str,
    /// Text that occurs once there.
    pub from: &'static str,
    /// What takes its place.
    pub to: &'static str,
}

/// An edit.
pub const fn fault(
    name: &'static str,
    module: &'static str,
    from: &'static str,
    to: &'static str,
) -> Fault {
    Fault {
        name,
        module,
        from,
        to,
    }
}

/// `text` with the fault in its module.
fn with_fault(text: &str, fault: &Fault) -> String {
    with_edit(text, fault, fault.to)
}

/// `text` with this in the place of the fault's text.
fn with_edit(text: &str, fault: &Fault, to: &str) -> String {
    let Fault {
        name, module, from, ..
    } = fault;
    let start = text
        .find(&format!("\nmodule {module} "))
        .unwrap_or_else(|| panic!("{name}: no module {module}"));
    let end = start
        + text[start..]
            .find("\nendmodule\n")
            .expect("every module ends");
    let body = &text[start..end];
    assert_eq!(
        body.matches(from).count(),
        1,
        "{name}: {from:?} must occur once in {module}"
    );
    assert_ne!(*from, to, "{name}");
    format!(
        "{}{}{}",
        &text[..start],
        body.replacen(from, to, 1),
        &text[end..]
    )
}

/// The module of the fault alone, with the fault in it and under another name.
///
/// # Panics
/// When the module is not there, or the fault's text not just once in it.
pub fn module_with_fault(text: &str, fault: &Fault, name: &str) -> String {
    let text = with_fault(text, fault);
    let head = format!("\nmodule {} (", fault.module);
    let (_, rest) = text.split_once(&head).expect("the module is there");
    let (body, _) = rest.split_once("\nendmodule\n").expect("it ends");
    format!("\nmodule {name} ({body}\nendmodule\n")
}

/// The input of a design with many faults that says which is in force.
pub const FAULT_PORT: &str = "fault";

/// A design with every fault in it, each an expression in the place of another (or a connection `.port (expression)` in that of one of the same
/// port, as it is printed), and in force while the input [`FAULT_PORT`] has its number,
/// from 1 on: so one build does for all. With 0 the design is as it was.
///
/// # Panics
/// When a fault's text does not occur just once in its module.
pub fn with_faults_to_choose(design: &Design, faults: &[Fault]) -> Design {
    let mut faulty = design.clone();
    faulty.ports.push(Port::input(FAULT_PORT, 8));
    let text = &mut faulty.sources[0].1;
    let top = &design.top;
    for (number, fault) in faults.iter().enumerate() {
        let number = number + 1;
        // of a connection the expression in it
        let is_connection = fault.from.starts_with('.');
        let before = if is_connection {
            fault.from.find('(').map_or(0, |at| at + 1)
        } else {
            0
        };
        let after = usize::from(is_connection);
        let within = |text: &'static str| &text[before..text.len() - after];
        let either = format!(
            "{}(({top}.{FAULT_PORT} == 8'd{number}) ? ({}) : ({})){}",
            &fault.from[..before],
            within(fault.to),
            within(fault.from),
            &fault.from[fault.from.len() - after..],
        );
        *text = with_edit(text, fault, &either);
    }
    let head = format!("module {top} (\n");
    assert_eq!(text.matches(&head).count(), 1, "{head}");
    *text = text.replacen(
        &head,
        &format!("{head}  input  wire [7:0] {FAULT_PORT},\n"),
        1,
    );
    faulty
}

/// Runs a design against a reference and a stimulus; the clock and port of the first difference, if there is one.
///
/// # Panics
/// When the run fails in any other way.
pub fn first_difference(
    library: &Library,
    design: &Design,
    reference: &mut impl Reference,
    stimulus: &mut impl Stimulus,
    seed: u64,
) -> Option<(u64, String)> {
    let mut sim = library.open(Initial::Random(seed)).expect("opens");
    let limits = Limits::default();
    match compare(design, &mut sim, reference, stimulus, seed, limits, |_| {}) {
        Ok(_) => None,
        Err(LockstepError::Mismatch { cycle, port, .. }) => Some((cycle, port)),
        Err(error) => panic!("seed {seed}: {error}"),
    }
}

/// Builds each faulty design and looks for a seed below `seeds` whose `run` gives a difference, and gives none on the
/// design as emitted.
///
/// # Panics
/// When a fault is not caught, or a fault's text does not occur just once.
pub fn every_fault_is_caught(
    design: &Design,
    faults: &[Fault],
    seeds: u64,
    run: impl Fn(&Library, &Design, u64) -> Option<(u64, String)>,
) {
    let toolchain = toolchain(&[Program::Verilator]);
    let build = |design: &Design| {
        Library::build(&toolchain, design, &BuildOptions::default()).expect("builds")
    };
    let sound = build(design);
    let mut missed = Vec::new();
    for fault in faults {
        let mut faulty = design.clone();
        faulty.sources[0].1 = with_fault(&design.sources[0].1, fault);
        let library = build(&faulty);
        let caught = (0..seeds).find_map(|seed| Some((seed, run(&library, &faulty, seed)?)));
        match caught {
            Some((seed, (cycle, port))) => {
                println!("{}: seed {seed}, clock {cycle}, port {port}", fault.name);
                assert_eq!(
                    run(&sound, design, seed),
                    None,
                    "{}: the text as emitted fails too",
                    fault.name
                );
            }
            None => {
                println!("{}: NOT CAUGHT", fault.name);
                missed.push(fault.name);
            }
        }
    }
    assert!(missed.is_empty(), "not caught in {seeds} seeds: {missed:?}");
}

/// As [`every_fault_is_caught`], for the emitted filter of cells of `sample` under torture of `clocks` clocks a seed.
///
/// # Panics
/// As [`every_fault_is_caught`].
pub fn every_cell_fault_is_caught(sample: CellSample, faults: &[Fault], seeds: u64, clocks: u64) {
    let geometry = sample.geometry();
    let (design, _) = emitted_cell_design(&geometry).expect("emit");
    every_fault_is_caught(&design, faults, seeds, |library, design, seed| {
        let mix = CellTortureMix::draw(&geometry, seed, clocks);
        first_difference(
            library,
            design,
            &mut CellReference::new(&geometry),
            &mut CellTorture::new(&geometry, mix, seed),
            seed,
        )
    });
}
