//! How much of the emitted Verilog the torture suite reaches: line and toggle coverage, counted by Verilator.
//!
//! `hdl/docs/coverage.md` holds the measured table and explains every hole. `BLOOMLINE_SOAK` multiplies the runs, and above 1
//! adds the further samples.

use bloomline_bench::filter::{emitted_design, ModelReference, Torture, TortureMix};
use bloomline_bench::lockstep::{compare, Limits};
use bloomline_bench::toolchain::{Program, Toolchain};
use bloomline_bench::verilator::{
    BuildOptions, Coverage, CoverageKind, CoveragePoint, Initial, Library,
};
use bloomline_tests::Sample;

const CLOCKS: u64 = 20_000;
const RUNS: u64 = 24;

fn measure(sample: &Sample, runs: u64) -> Coverage {
    let toolchain = Toolchain::discover().expect("a folder for tools");
    toolchain
        .find_or_install(Program::Verilator, &|progress| eprintln!("{progress}"))
        .unwrap_or_else(|error| panic!("{error}"));
    let geometry = sample.geometry();
    let (design, _) = emitted_design(&geometry).expect("every legal geometry can be printed");
    let options = BuildOptions {
        coverage: true,
        ..BuildOptions::default()
    };
    let library = Library::build(&toolchain, &design, &options)
        .unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut total = Coverage::default();
    for seed in 0..runs {
        let mut sim = library.open(Initial::Zeros).expect("opens");
        compare(
            &design,
            &mut sim,
            &mut ModelReference::new(&geometry),
            &mut Torture::new(&geometry, TortureMix::draw(&geometry, seed, CLOCKS), seed),
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

#[test]
fn probe() {
    let c = measure(&Sample::BASE, 24);
    for ((m, k), s) in c.shares(|_| true) { println!("{m} {k:?} {}/{} {:.1}", s.met, s.points, s.percent()); }
    for h in c.holes() { println!("HOLE {} {:?} {}:{} {}", h.module, h.kind, h.line, h.column, h.what); }
    let _: Option<(&CoveragePoint, CoverageKind)> = None;
}
