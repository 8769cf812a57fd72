//! Edits of the emitted Verilog that lockstep must catch.
//!
//! An edit replaces a piece of text that occurs exactly once in its module. All edits stand in one design, and a plus argument says which is in
//! force: one build does for all. A seed that catches one runs clean with none, so what is caught is the edit.

use crate::path_sample::{line_card_of, path_filter};
use crate::setup::{is_quick, toolchain};
use crate::CardGeometry;
use bloomline_bench::lockstep::{compare, Limits, LockstepError, Reference, Stimulus};
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library};
use bloomline_model::LineCardModel;
use bloomline_simulated::linecard::{run_line_card, LineScript};
use bloomline_toolchain::Program;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// An edit of the emitted text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// What it breaks.
    pub name: Cow<'static, str>,
    /// The module it is in.
    pub module: Cow<'static, str>,
    /// Text that occurs once there.
    #[serde(rename = "find")]
    pub from: Cow<'static, str>,
    /// What takes its place.
    #[serde(rename = "replace")]
    pub to: Cow<'static, str>,
}

/// An edit.
pub const fn fault(
    name: &'static str,
    module: &'static str,
    from: &'static str,
    to: &'static str,
) -> Fault {
    Fault {
        name: Cow::Borrowed(name),
        module: Cow::Borrowed(module),
        from: Cow::Borrowed(from),
        to: Cow::Borrowed(to),
    }
}

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

/// Where the text of a module is, from its head to its end.
fn module_span(text: &str, fault: &Fault) -> Range<usize> {
    let Fault { name, module, .. } = fault;
    let start = text
        .find(&format!("\nmodule {module} "))
        .unwrap_or_else(|| panic!("{name}: no module {module}"));
    let length = text[start..]
        .find("\nendmodule\n")
        .expect("every module ends");
    start..start + length
}

/// Where the fault's text is.
fn fault_span(text: &str, fault: &Fault) -> Range<usize> {
    let Fault {
        name,
        module,
        from,
        to,
    } = fault;
    assert_ne!(from, to, "{name}");
    let span = module_span(text, fault);
    let body = &text[span.clone()];
    assert_eq!(
        body.matches(&**from).count(),
        1,
        "{name}: {from:?} must occur once in {module}"
    );
    let start = span.start + body.find(&**from).expect("it is there");
    start..start + from.len()
}

/// `text` with the edit in its module.
///
/// # Panics
/// When its text does not occur once there.
pub fn with_fault(text: &str, fault: &Fault) -> String {
    let mut text = text.to_owned();
    let span = fault_span(&text, fault);
    text.replace_range(span, &fault.to);
    text
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

/// The plus argument of a design with many faults that says which is in force.
const FAULT: &str = "fault";

/// A design with every fault in it, each in force where `$value$plusargs` has its number, from 1 on ([`Library::with_plus_argument`]): one build
/// does for all. With 0, and without the argument, the design is as it was.
///
/// A fault's text may be any part of a connection, condition, declaration or statement, or some statements: what is chosen between is the expression or
/// the statements that it is in.
///
/// # Panics
/// When a fault's text does not occur just once in its module, or two faults are in texts that overlap without being the same.
fn with_faults_to_choose(design: &Design, faults: &[Fault]) -> Design {
    let mut chosen = design.clone();
    let text = &mut chosen.sources[0].1;
    let mut places: BTreeMap<usize, (Place, Vec<(usize, String)>)> = BTreeMap::new();
    for (fault, number) in faults.iter().zip(1..) {
        let span = fault_span(text, fault);
        let common =
            |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
        let before = common(&fault.from, &fault.to);
        let reversed = |text: &str| text.bytes().rev().map(char::from).collect::<String>();
        let behind = common(
            &reversed(&fault.from[before..]),
            &reversed(&fault.to[before..]),
        );
        let changed = span.start + before..span.end - behind;
        let place = Place::around(text, changed.clone(), &fault.name);
        let other = format!(
            "{}{}{}",
            &text[place.span.start..changed.start],
            &fault.to[before..fault.to.len() - behind],
            &text[changed.end..place.span.end]
        );
        let (known, others) = places
            .entry(place.span.start)
            .or_insert_with(|| (place.clone(), Vec::new()));
        assert_eq!(*known, place, "{}: overlaps another fault", fault.name);
        others.push((number, other));
    }
    let ends: Vec<_> = places
        .values()
        .map(|(place, _)| place.span.clone())
        .collect();
    assert!(
        ends.windows(2).all(|pair| pair[0].end <= pair[1].start),
        "texts of faults overlap"
    );
    let top = &design.top;
    // from the end on, so that places before stay where they are
    for (place, others) in places.into_values().rev() {
        let sound = &text[place.span.clone()];
        let either = others
            .into_iter()
            .rev()
            .fold(sound.to_owned(), |rest, (number, other)| {
                let in_force = format!("{top}.{FAULT} == {number}");
                match place.is_expression {
                    true => format!("(({in_force}) ? ({other}) : ({rest}))"),
                    false => format!("if ({in_force}) begin {other}\nend else begin {rest}\nend\n"),
                }
            });
        let declared = format!(
            "wire{}",
            &text[place.declaration.clone()].replacen("localparam", "", 1)
        );
        text.replace_range(place.span.clone(), &either);
        if !place.declaration.is_empty() {
            text.replace_range(place.declaration, &declared);
        }
    }
    let head = format!("module {top} ");
    let start = text.find(&head).expect("the top module is there");
    let body = start + text[start..].find(");\n").expect("its ports end") + 3;
    text.insert_str(
        body,
        &format!("  integer {FAULT};\n  initial if (!$value$plusargs(\"{FAULT}=%d\", {FAULT})) {FAULT} = 0;\n"),
    );
    chosen
}

/// What a fault is a part of.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    span: Range<usize>,
    /// An expression, or statements.
    is_expression: bool,
    /// Of a constant: `localparam` and what is before the equals sign, which has to become a wire. Else empty.
    declaration: Range<usize>,
}

impl Place {
    /// The expression or statements around a part of `text`, which is printed as everything emitted is: a statement begins a line, a connection is one.
    fn around(text: &str, part: Range<usize>, name: &str) -> Self {
        let line = text[..part.start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = |from: usize| text[from..].find('\n').map_or(text.len(), |at| from + at);
        let expression = |span: Range<usize>| {
            assert!(
                span.start <= part.start && part.end <= span.end,
                "{name}: more than an expression: {:?}",
                &text[line..line_end(part.end)]
            );
            Self {
                span,
                is_expression: true,
                declaration: 0..0,
            }
        };
        let indent = text[line..].len() - text[line..].trim_start_matches(' ').len();
        let begin = line + indent;
        let first = &text[begin..line_end(begin)];
        if first.starts_with('.') {
            let open = begin + first.find('(').expect("a connection has parentheses") + 1;
            let close = begin + first.rfind(')').expect("a connection has parentheses");
            return expression(open..close);
        }
        // a condition, of which the part is no more than what is in its parentheses
        if let (Some(at), Some(close)) = (first.find("if ("), first.rfind(") begin")) {
            if part.end <= begin + close {
                return expression(begin + at + 4..begin + close);
            }
        }
        let end_of = |from: usize| from + text[from..].find(';').expect("a statement ends") + 1;
        for keyword in ["assign ", "wire ", "localparam "] {
            if first.starts_with(keyword) {
                let equals = begin + first.find(" = ").expect("it has a value");
                let place = expression(equals + 3..end_of(part.start) - 1);
                let declaration = match keyword {
                    "localparam " => begin..equals,
                    _ => 0..0,
                };
                return Self {
                    declaration,
                    ..place
                };
            }
        }
        // whole statements: to the end of the last one that is changed
        let changed = text[part.clone()].trim_end();
        let end = match changed.ends_with(';') || changed.ends_with("end") {
            true => part.end,
            false => end_of(part.end),
        };
        Self {
            span: begin.min(part.start)..end,
            is_expression: false,
            declaration: 0..0,
        }
    }
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

/// As [`every_fault_is_caught`], simulated at any size.
///
/// # Panics
/// As [`every_fault_is_caught`].
pub fn every_fault_is_caught_at_any_size(
    design: &Design,
    faults: &[Fault],
    seeds: u64,
    run: impl Fn(&Library, &Design, u64) -> Option<(u64, String)>,
) {
    catch(with_faults_to_choose(design, faults), faults, seeds, run);
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
