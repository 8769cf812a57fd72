//! The arbiter between two hosts is what its page says on every clock, whatever comes, and its bench has teeth.

use bloomline_bench::verilator::{Design, Initial, Port};
use bloomline_hdl::host_port::bus_arbiter_verilog;
use bloomline_tests::faults::{all_are_caught, module_with_fault, Fault, FaultTable};
use bloomline_tests::{simulation, soak, HOST_BUS_BITS};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ADDRESS: usize = HOST_BUS_BITS as usize;
/// What a master drives: its name has `a_` or `b_` before it.
const OF_MASTER: [(&str, usize); 8] = [
    ("awvalid", 1),
    ("awaddr", ADDRESS),
    ("wvalid", 1),
    ("wdata", 32),
    ("bready", 1),
    ("arvalid", 1),
    ("araddr", ADDRESS),
    ("rready", 1),
];
/// What the bus drives. What a master sees has the same names, with `a_` or `b_` before.
const OF_BUS: [&str; 5] = ["awready", "wready", "bvalid", "arready", "rvalid"];
/// Valids among what a master drives.
const VALIDS: [usize; 3] = [0, 2, 5];
/// For each number of a master the valid that it belongs to.
const NUMBERS: [(usize, usize); 3] = [(1, 0), (3, 2), (6, 5)];

/// Registers of the page.
#[derive(Debug, Default)]
struct Arbiter {
    granted: bool,
    to_b: bool,
    last_b: bool,
    /// For writes, for reads.
    addresses: [u64; 2],
}

/// Inputs: of the masters, of the bus.
#[derive(Debug, Default)]
struct Inputs {
    reset: bool,
    masters: [[u64; 8]; 2],
    bus: [u64; 5],
}

impl Inputs {
    fn words(&self) -> Vec<u64> {
        let masters = self.masters.iter().flatten();
        let all = masters.chain(&self.bus).copied();
        std::iter::once(self.reset.into()).chain(all).collect()
    }
}

impl Arbiter {
    /// Outputs, as the ports are: to the first master, to the second, to the bus.
    fn outputs(&self, inputs: &Inputs) -> Vec<u64> {
        let has = [!self.to_b, self.to_b].map(|own| self.granted && own);
        let seen = has.map(|has| inputs.bus.map(|bit| if has { bit } else { 0 }));
        let mut driven = match has {
            [true, _] => inputs.masters[0],
            [_, true] => inputs.masters[1],
            _ => [0; 8],
        };
        [driven[1], driven[6]] = self.addresses;
        [seen.as_flattened(), &driven].concat()
    }

    fn clock(&mut self, inputs: &Inputs) {
        let outputs = self.outputs(inputs);
        let driven = &outputs[10..];
        let [_, _, bvalid, _, rvalid] = inputs.bus;
        let ends = bvalid & driven[4] | rvalid & driven[7] != 0;
        let [a, b] = inputs
            .masters
            .map(|master| VALIDS.iter().any(|&valid| master[valid] != 0));
        if inputs.reset {
            *self = Self::default();
        } else if self.granted && ends {
            self.granted = false;
            self.last_b = self.to_b;
        } else if !self.granted && (a || b) {
            self.granted = true;
            self.to_b = b && (!a || !self.last_b);
            let master = inputs.masters[usize::from(self.to_b)];
            self.addresses = [master[1], master[6]];
        }
    }
}

/// The arbiter and its faulty twins, with the same inputs.
fn design(faults: &[Fault]) -> Design {
    let emitted = bus_arbiter_verilog(HOST_BUS_BITS, "")
        .expect("can be printed")
        .text();
    let mut inputs = vec![("reset".to_owned(), 1)];
    let mut outputs = Vec::new();
    for master in ["a", "b"] {
        inputs.extend(OF_MASTER.map(|(name, width)| (format!("{master}_{name}"), width)));
        outputs.extend(OF_BUS.map(|name| (format!("{master}_{name}"), 1)));
    }
    inputs.extend(OF_BUS.map(|name| (name.to_owned(), 1)));
    outputs.extend(OF_MASTER.map(|(name, width)| (name.to_owned(), width)));
    let range = |width: usize| match width {
        1 => String::new(),
        width => format!("[{}:0] ", width - 1),
    };
    let mut text = emitted.clone();
    let mut declared = vec!["input wire clock".to_owned()];
    let mut ports = Vec::new();
    for (name, width) in &inputs {
        declared.push(format!("input wire {}{name}", range(*width)));
        ports.push(Port::input(name.clone(), *width));
    }
    let mut body = String::new();
    for i in 0..=faults.len() {
        let module = match i.checked_sub(1) {
            None => "bus_arbiter".to_owned(),
            Some(fault) => {
                let twin = format!("bus_arbiter_twin_{fault}");
                text += &module_with_fault(&emitted, &faults[fault], &twin);
                twin
            }
        };
        let mut pins = vec![".clock(clock)".to_owned()];
        pins.extend(inputs.iter().map(|(name, _)| format!(".{name}({name})")));
        for (name, width) in &outputs {
            declared.push(format!("output wire {}of_{i}_{name}", range(*width)));
            ports.push(Port::output(format!("of_{i}_{name}"), *width));
            pins.push(format!(".{name}(of_{i}_{name})"));
        }
        body += &format!("  {module} number_{i} ({});\n", pins.join(", "));
    }
    let top = format!(
        "module arbiters ({});\n{body}endmodule\n",
        declared.join(", ")
    );
    Design {
        top: "arbiters".into(),
        clock: Some("clock".into()),
        sources: vec![("arbiters.v".into(), text + &top)],
        ports,
    }
}

const CLOCKS: u64 = 60_000;

#[test]
fn every_output_is_the_pages_and_every_fault_is_caught() {
    let faults = FaultTable::load("bus_arbiter.arbiter").faults;
    let design = design(&faults);
    let simulation = simulation(&design);
    let mut caught = vec![None; faults.len()];
    let mut both = 0;
    for seed in 0..soak() {
        let mut sim = simulation.open(Initial::Random(seed)).expect("opens");
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut arbiter = Arbiter::default();
        let mut outputs = vec![0; design.output_words()];
        for clock in 0..CLOCKS {
            let often = [0.05, 0.5, 0.95][(clock / 500 % 3) as usize];
            let bit = |rng: &mut ChaCha8Rng, chance: f64| u64::from(rng.random_bool(chance));
            let mut inputs = Inputs {
                reset: clock == 0 || rng.random_bool(0.001),
                ..Inputs::default()
            };
            for master in &mut inputs.masters {
                for (word, (_, width)) in master.iter_mut().zip(OF_MASTER) {
                    *word = match width {
                        1 => bit(&mut rng, often),
                        width => rng.random::<u64>() & ((1 << width) - 1),
                    };
                }
            }
            for word in &mut inputs.bus {
                *word = bit(&mut rng, often);
            }
            sim.step(&inputs.words(), &mut outputs).expect("runs");
            let expected = arbiter.outputs(&inputs);
            let differs = |shown: &[u64]| {
                expected.iter().zip(shown).enumerate().any(|(place, pair)| {
                    let number = NUMBERS.iter().find(|(at, _)| place == at + 10);
                    let counts = number.is_none_or(|(_, valid)| expected[valid + 10] != 0);
                    counts && pair.0 != pair.1
                })
            };
            let mut shown = outputs.chunks(expected.len());
            let sound = shown.next().expect("there is one");
            assert!(
                !differs(sound),
                "seed {seed}, clock {clock}: {inputs:X?} {sound:X?}"
            );
            for (twin, caught) in shown.zip(&mut caught) {
                if caught.is_none() && differs(twin) {
                    *caught = Some(clock);
                }
            }
            let asks = |master: &[u64; 8]| VALIDS.iter().any(|&valid| master[valid] != 0);
            both += u64::from(!arbiter.granted && inputs.masters.iter().all(asks));
            arbiter.clock(&inputs);
        }
    }
    assert!(both > 1000, "both asked in {both} clocks only");
    all_are_caught(&faults, &caught);
}
