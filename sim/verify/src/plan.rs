//! Plan of a verification: keys, simulator, number of items, and progress callbacks.

use crate::Keys;
use bloomline_bench::lockstep::Window;
use bloomline_toolchain::Progress;

/// What runs the gateware.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Simulator {
    /// The emitted Verilog in Verilator, the pinned one.
    Verilator,
    /// The same in the Verilator on `PATH`, of which at least [`oldest_on_path`](bloomline_toolchain::Program::oldest_on_path) is asked.
    VerilatorOnPath,
    /// The emitted Verilog in the built-in simulator: begins at once, needs nothing but Rust.
    BuiltIn,
    /// The same, compiled to machine code; needs cargo feature `jit`.
    Jit,
}

impl Simulator {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Simulator::Verilator => "verilator",
            Simulator::VerilatorOnPath => "verilator-on-path",
            Simulator::BuiltIn => "built-in",
            Simulator::Jit => "jit",
        }
    }
}

/// What to verify a filter with.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Keys.
    pub keys: Keys,
    /// At most so many of them.
    pub items: u64,
    /// Seed of drawn keys, of what is asked for, and of the simulation's start values.
    pub seed: u64,
    /// What runs the gateware.
    pub simulator: Simulator,
    /// The predicted average rate of a recycling filter, when there is a prediction. The other kinds' prediction depends on the
    /// stream, and is made here.
    pub predicted: Option<f64>,
    /// What that rate may be off by: it agrees with a measured interval that holds it with so much at both ends.
    pub predicted_error: f64,
    /// What double hashing adds to that rate on average. The probability of an arrival given the bits set is that of
    /// independent probes; the state test adds this mean to it. 0 for independent functions.
    pub two_hash_excess: f64,
    /// Clocks whose waveform is written.
    pub waves: Option<Window>,
    /// Independent filters at once, each with drawn keys of its own and its share of the items: 64, 128, 256 or 512, in the built-in
    /// simulator. None: one filter.
    pub lanes: Option<usize>,
}

impl Plan {
    /// A plan without a prediction.
    pub fn new(keys: Keys, items: u64, seed: u64, simulator: Simulator) -> Plan {
        Plan {
            keys,
            items,
            seed,
            simulator,
            predicted: None,
            predicted_error: 0.0,
            two_hash_excess: 0.0,
            waves: None,
            lanes: None,
        }
    }

    /// Items of one filter: all of them, or a lane's share.
    pub(crate) fn items_a_filter(&self) -> u64 {
        self.items.div_ceil(self.lanes.unwrap_or(1).max(1) as u64)
    }
}

/// What a caller hears of while a verification runs.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Tools that are being installed.
    pub tools: &'a dyn Fn(&Progress),
    /// Items decided so far, and items in all.
    pub items: &'a dyn Fn(u64, u64),
}

impl Watch<'_> {
    /// Hears nothing.
    pub fn silent() -> Watch<'static> {
        Watch {
            tools: &|_| {},
            items: &|_, _| {},
        }
    }
}
