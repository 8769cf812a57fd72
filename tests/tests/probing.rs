//! Every scheme of hash families, ranges, draws and layouts: the emitted Verilog is what Verilator takes without a word, and equals the
//! cycle-accurate model on every port of every clock.
//!
//! `BLOOMLINE_SOAK` multiplies the runs.

use bloomline_bench::verilator::{lint, Design};
use bloomline_spec::{CellGeometry, FilterSpec, RecyclingGeometry};
use bloomline_tests::{few, in_lockstep, simulation, soak, toolchain, Sample, Tortured};
use bloomline_toolchain::{Program, Toolchain};
use std::path::Path;

/// Clocks a run, and runs a combination.
const CLOCKS: u64 = 8_000;
const RUNS: u64 = 6;

/// A filter of cells as far as its probing matters.
#[derive(Debug, Clone, Copy)]
struct Combination {
    /// `kind` and the section that it needs.
    kind: Kind,
    hashes: u64,
    /// Memory words of the array, or of each bank.
    words: u64,
    shared: bool,
    distinct: bool,
    hashing: &'static str,
    /// Positions fewer than there are cells: 0 is the whole bank.
    short: u64,
    family: &'static str,
    key_bits: u32,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Static,
    /// Bits of a counter.
    Counting(u64),
    /// Bits of a counter.
    Sketch(u64),
}

impl Combination {
    const BASE: Combination = Combination {
        kind: Kind::Static,
        hashes: 4,
        words: 8,
        shared: false,
        distinct: false,
        hashing: "double",
        short: 0,
        family: "h3-sbox",
        key_bits: 104,
    };
    const SHARED: Combination = Combination {
        shared: true,
        kind: Kind::Counting(4),
        ..Combination::BASE
    };

    fn toml(&self) -> String {
        let (kind, cell_bits, section) = match self.kind {
            Kind::Static => ("static", 1, String::new()),
            Kind::Counting(bits) => (
                "counting",
                bits,
                format!("[filter.counting]\ncounter_bits = {bits}\nthreshold = 2\n"),
            ),
            Kind::Sketch(bits) => (
                "count-min",
                bits,
                format!("[filter.count-min]\ncounter_bits = {bits}\namount_bits = {bits}\n"),
            ),
        };
        let cells = self.words << (32 / cell_bits).ilog2();
        let banks = if self.shared { 1 } else { self.hashes };
        let (layout, range) = (
            if self.shared { "shared" } else { "partitioned" },
            cells - self.short,
        );
        format!(
            "name = \"probing\"\n[filter]\nkind = \"{kind}\"\nmemory_bits = {}\nhashes = {}\nlayout = \"{layout}\"\ndistinct = {}\nhashing = \"{}\"\n\
             range = {range}\naccept_two_hash_floor = true\nitems = 100\n{section}[key]\nbits = {}\ntag_bits = 16\n[hash]\nfamily = \"{}\"\nseed = 1\n",
            cells * cell_bits * banks, self.hashes, self.distinct, self.hashing, self.key_bits, self.family
        )
    }

    fn geometry(&self) -> CellGeometry {
        let resolved = FilterSpec::from_toml(&self.toml(), Path::new("probing.toml"))
            .and_then(|spec| spec.cells());
        resolved.unwrap_or_else(|error| panic!("{self:?} is no legal filter of cells: {error}"))
    }
}

fn keyed() -> Vec<Combination> {
    let base = Combination::BASE;
    vec![
        Combination {
            family: "siphash",
            ..base
        },
        Combination {
            family: "siphash-2-4",
            hashing: "independent",
            hashes: 5,
            key_bits: 56,
            ..base
        },
        Combination {
            family: "siphash",
            hashing: "independent",
            hashes: 7,
            key_bits: 63,
            kind: Kind::Counting(4),
            ..base
        },
    ]
}

/// Banks of 256, 1024, 64 cells whose greatest primes are 251, 1021, 61.
fn ranges() -> Vec<Combination> {
    let base = Combination::BASE;
    vec![
        Combination { short: 5, ..base },
        Combination {
            short: 5,
            hashes: 1,
            ..base
        },
        Combination {
            short: 100,
            hashing: "independent",
            hashes: 3,
            family: "h3",
            ..base
        },
        Combination {
            kind: Kind::Counting(4),
            short: 3,
            hashes: 7,
            family: "siphash",
            ..base
        },
        Combination {
            kind: Kind::Sketch(8),
            words: 256,
            short: 3,
            hashes: 2,
            ..base
        },
    ]
}

fn shared() -> Vec<Combination> {
    let base = Combination::SHARED;
    let mut list = vec![
        base,
        Combination { hashes: 1, ..base },
        Combination {
            hashes: 2,
            kind: Kind::Static,
            hashing: "extended-double-2",
            ..base
        },
        Combination {
            hashes: 3,
            kind: Kind::Sketch(8),
            hashing: "extended-double-3",
            ..base
        },
        Combination {
            hashes: 17,
            hashing: "extended-double-3",
            ..base
        },
        Combination {
            hashing: "extended-double-2",
            short: 3,
            ..base
        },
        Combination {
            hashes: 6,
            hashing: "extended-double-3",
            kind: Kind::Static,
            short: 5,
            family: "siphash-2-4",
            ..base
        },
        Combination {
            short: 3,
            hashes: 5,
            ..base
        },
        Combination {
            hashing: "independent",
            short: 9,
            kind: Kind::Sketch(16),
            words: 32,
            ..base
        },
    ];
    for (hashes, short, kind) in [
        (4, 0, Kind::Counting(4)),
        (1, 0, Kind::Static),
        (2, 3, Kind::Counting(2)),
        (9, 7, Kind::Static),
        (32, 0, Kind::Static),
        (3, 0, Kind::Sketch(12)),
    ] {
        list.push(Combination {
            distinct: true,
            hashing: "independent",
            hashes,
            short,
            kind,
            words: 32,
            ..base
        });
    }
    list
}

fn runs() -> u64 {
    RUNS * soak()
}

fn has_no_warning(toolchain: &Toolchain, design: &Design, what: &str) {
    let warnings = lint(toolchain, &design.sources, &design.top).expect("lint runs");
    assert!(
        warnings.is_empty(),
        "{what}: {} warning(s), first: {}",
        warnings.len(),
        warnings[0]
    );
}

fn linted_and_in_lockstep(combinations: &[Combination]) {
    let toolchain = toolchain(&[Program::Verilator]);
    let mut clocks = 0;
    for combination in few(combinations, 1) {
        let geometry = combination.geometry();
        let design = geometry.emitted();
        has_no_warning(&toolchain, &design, &format!("{combination:?}"));
        let mut reported = 0;
        clocks += in_lockstep(&geometry, simulation(&design), runs(), CLOCKS, |clock| {
            reported += clock.outputs[1] & clock.outputs[2] & 1;
        });
        assert!(reported > 100, "{combination:?}: {reported} keys found");
    }
    println!("{clocks} clocks in lockstep");
}

#[test]
fn keyed_hashes_are_printed_without_a_warning_and_equal_the_model() {
    linted_and_in_lockstep(&keyed());
}

#[test]
fn ranges_of_any_size_are_printed_without_a_warning_and_equal_the_model() {
    linted_and_in_lockstep(&ranges());
}

#[test]
fn shared_arrays_are_printed_without_a_warning_and_equal_the_model() {
    linted_and_in_lockstep(&shared());
}

/// Two phases or one, a single unit or several.
fn keyed_recycling() -> Vec<RecyclingGeometry> {
    [
        Sample {
            family: "siphash",
            ..Sample::BASE
        },
        Sample {
            family: "siphash-2-4",
            hashing: "independent",
            hashes: 5,
            phases: 1,
            key_bits: 296,
            threshold: 150,
            ..Sample::BASE
        },
    ]
    .map(|sample| sample.geometry())
    .to_vec()
}

#[test]
fn recycling_filters_with_a_keyed_hash_are_printed_without_a_warning_and_equal_the_model() {
    let toolchain = toolchain(&[Program::Verilator]);
    for geometry in few(&keyed_recycling(), 1) {
        let design = geometry.emitted();
        has_no_warning(&toolchain, &design, "recycling");
        in_lockstep(geometry, simulation(&design), runs(), CLOCKS, |_| {});
    }
}
