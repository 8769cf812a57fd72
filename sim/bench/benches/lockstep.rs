//! Clocks a second of a trivial design: the model alone, and in lockstep with a reference.

use bloomline_bench::lockstep::{compare, Limits, Reference, Stimulus};
use bloomline_bench::toolchain::{Program, Toolchain};
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library, Optimisation, Port};
use criterion::{criterion_group, criterion_main, Criterion, Throughput};

const CLOCKS: u64 = 100_000;

struct Counter(u64);

impl Reference for Counter {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        outputs[0] = self.0;
        care[0] = u64::MAX;
    }

    fn clock(&mut self, inputs: &[u64]) {
        self.0 = self.0.wrapping_add(inputs[0]);
    }
}

struct Steps(u64);

impl Stimulus for Steps {
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool {
        inputs[0] = predicted[0] ^ self.0;
        self.0 -= 1;
        self.0 > 0
    }
}

fn lockstep(c: &mut Criterion) {
    let toolchain = Toolchain::discover().expect("a tools folder");
    toolchain
        .find_or_install(Program::Verilator, &|progress| eprintln!("{progress}"))
        .expect("verilator");
    let text = "module total(input wire clock, input wire [63:0] step, output reg [63:0] sum);\n\
                always @(posedge clock) sum <= sum + step;\nendmodule\n";
    let design = Design {
        top: "total".to_string(),
        clock: Some("clock".to_string()),
        sources: vec![("total.v".to_string(), text.to_string())],
        ports: vec![Port::input("step", 64), Port::output("sum", 64)],
    };
    let options = BuildOptions {
        optimisation: Optimisation::Full,
        ..BuildOptions::default()
    };
    let library = Library::build(&toolchain, &design, &options).expect("it builds");

    let mut group = c.benchmark_group("clocks");
    group
        .throughput(Throughput::Elements(CLOCKS))
        .sample_size(20);
    let (inputs, mut outputs) = (vec![3; CLOCKS as usize], vec![0; CLOCKS as usize]);
    let mut sim = library.open(Initial::Zeros).expect("it opens");
    group.bench_function("step", |b| {
        b.iter(|| {
            inputs.iter().zip(&mut outputs).for_each(|(i, o)| {
                sim.step(std::slice::from_ref(i), std::slice::from_mut(o))
                    .expect("a good clock");
            })
        });
    });
    group.bench_function("step_many", |b| {
        b.iter(|| {
            sim.step_many(&inputs, &mut outputs, CLOCKS as usize)
                .expect("good clocks")
        });
    });
    group.bench_function("lockstep", |b| {
        b.iter(|| {
            let mut sim = library.open(Initial::Zeros).expect("it opens");
            let (mut reference, mut stimulus) = (Counter(0), Steps(CLOCKS));
            compare(
                &design,
                &mut sim,
                &mut reference,
                &mut stimulus,
                0,
                Limits::default(),
                |_| {},
            )
            .expect("equal")
        });
    });
    group.finish();
}

criterion_group!(benches, lockstep);
criterion_main!(benches);
