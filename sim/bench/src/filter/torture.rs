//! Stimulus that looks for trouble.

use crate::lockstep::Stimulus;
use bloomline_model::Inputs;
use bloomline_spec::registers::address;
use bloomline_spec::Geometry;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Words of the packed outputs that handshakes look at; their order is that of the ports.
mod output {
    pub const TREADY: usize = 0;
    pub const AWREADY: usize = 4;
    pub const BVALID: usize = 6;
    pub const ARREADY: usize = 8;
    pub const RVALID: usize = 9;
}

/// What a torture run does, as probabilities a clock unless said otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct TortureMix {
    /// Clocks.
    pub clocks: u64,
    /// No item is offered.
    pub idle: f64,
    /// The verdict stream is not ready.
    pub hold_verdict: f64,
    /// Synchronous reset (one to three clocks).
    pub reset: f64,
    /// A register is written.
    pub write: f64,
    /// A register is read.
    pub read: f64,
    /// Distinct keys that items are drawn from.
    pub keys: u64,
    /// An item repeats one of the last eight keys.
    pub repeat: f64,
    /// Share of queries, and of plain inserts; the rest are test-and-insert.
    pub query: f64,
    /// See `query`.
    pub insert: f64,
    /// Threshold written in the first clock: cycles of a few items, whose epochs wrap, or cycles long enough for full rate.
    pub opening: Option<u32>,
    /// Thresholds that writes choose from.
    pub thresholds: Vec<u32>,
    /// Age limits in ticks that writes choose from.
    pub ages: Vec<u32>,
}

impl TortureMix {
    /// A mix drawn from `seed` for `geometry`: every run is of another kind (busy or idle, few or many keys, short or long cycles).
    pub fn draw(geometry: &Geometry, seed: u64, clocks: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x746f_7274);
        let mut pick = |choices: &[f64]| choices[rng.random_range(0..choices.len())];
        let (idle, hold_verdict) = (pick(&[0.0, 0.0, 0.1, 0.7]), pick(&[0.0, 0.0, 0.2, 0.8]));
        let (reset, write, read) = (
            pick(&[0.0, 1e-4, 3e-3]),
            pick(&[0.0, 1e-4, 1e-2]),
            pick(&[0.0, 0.02]),
        );
        let (repeat, query, insert) =
            (pick(&[0.0, 0.3, 0.9]), pick(&[0.0, 0.3]), pick(&[0.0, 0.3]));
        let span = geometry.half_bits();
        let keys = pick(&[8.0, 200.0, 1e5, 1e18]) as u64;
        let k = u64::from(geometry.hashes());
        let thresholds = [
            k,
            k + 1,
            3 * k,
            66 * k,
            80 * k,
            span / 8,
            span / 2,
            geometry.threshold(),
        ]
        .map(|t| t.clamp(1, span) as u32)
        .to_vec();
        let opening = if rng.random_bool(0.75) {
            Some(thresholds[rng.random_range(0..thresholds.len())])
        } else {
            None
        };
        Self {
            clocks,
            idle,
            hold_verdict,
            reset,
            write,
            read,
            keys,
            repeat,
            query,
            insert,
            opening,
            thresholds,
            ages: vec![0, 0, 1, 2, 5],
        }
    }
}

/// Draws inputs from a seed: items, idle clocks, back-pressure, resets, register traffic. Keeps to the AXI rules.
pub struct Torture {
    rng: ChaCha8Rng,
    mix: TortureMix,
    inputs: Inputs,
    key_bits: u32,
    tag_bits: u32,
    clock: u64,
    reset_left: u32,
    last: [u64; 8],
    offered: bool,
    writing: bool,
    reading: bool,
}

impl Torture {
    /// A run of `mix` with `seed` on the filter of `geometry`.
    pub fn new(geometry: &Geometry, mix: TortureMix, seed: u64) -> Self {
        Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            mix,
            inputs: Inputs::default(),
            key_bits: geometry.key_bits(),
            tag_bits: geometry.tag_bits(),
            clock: 0,
            reset_left: 0,
            last: [0; 8],
            offered: false,
            writing: false,
            reading: false,
        }
    }

    fn offer_item(&mut self) {
        let chosen = if self.rng.random_bool(self.mix.repeat) {
            self.last[self.rng.random_range(0..8)]
        } else {
            self.rng.random_range(0..self.mix.keys)
        };
        self.last[self.rng.random_range(0..8)] = chosen;
        let words = self.key_bits.div_ceil(64) as usize;
        let mut spread = chosen;
        for word in &mut self.inputs.s_item_tdata[..words] {
            *word = spread;
            spread = spread.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        let used = self.key_bits - 64 * (words as u32 - 1);
        self.inputs.s_item_tdata[words - 1] &= u64::MAX >> (64 - used);
        let kind: f64 = self.rng.random();
        self.inputs.s_item_tuser = if kind < self.mix.query {
            0
        } else if kind < self.mix.query + self.mix.insert {
            1
        } else {
            self.rng.random_range(2..4)
        };
        self.inputs.s_item_tid = self.rng.random::<u64>() & (u64::MAX >> (64 - self.tag_bits));
        self.inputs.s_item_tvalid = true;
    }

    /// A register write: the opening threshold in the first clock, then whatever is drawn.
    fn choose_write(&mut self) {
        if let Some(threshold) = self.mix.opening.take() {
            return self.offer_write(address::THRESHOLD, threshold, 15);
        }
        let from = |rng: &mut ChaCha8Rng, list: &[u32]| list[rng.random_range(0..list.len())];
        let (byte, data) = match self.rng.random_range(0..8) {
            0..3 => (address::CONTROL, 1),
            3..6 => (
                address::THRESHOLD,
                from(&mut self.rng, &self.mix.thresholds),
            ),
            6 => (address::MAX_AGE, from(&mut self.rng, &self.mix.ages)),
            _ => (self.rng.random_range(0..256), self.rng.random()),
        };
        let strobe = if self.rng.random_bool(0.9) {
            15
        } else {
            self.rng.random_range(0..16)
        };
        self.offer_write(byte, data, strobe);
    }

    fn offer_write(&mut self, byte: u32, data: u32, strobe: u8) {
        self.inputs.s_axil_awvalid = true;
        self.inputs.s_axil_wvalid = true;
        self.inputs.s_axil_awaddr = byte as u8;
        self.inputs.s_axil_wdata = data;
        self.inputs.s_axil_wstrb = strobe;
        self.writing = true;
    }
}

impl Stimulus for Torture {
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool {
        if self.clock == self.mix.clocks {
            return false;
        }
        self.clock += 1;
        if self.reset_left > 0 {
            self.reset_left -= 1;
        } else if self.rng.random_bool(self.mix.reset) {
            self.reset_left = self.rng.random_range(1..4);
        }
        self.inputs.reset = self.reset_left > 0;
        if !self.offered && !self.rng.random_bool(self.mix.idle) {
            self.offer_item();
            self.offered = true;
        }
        if !self.writing && (self.mix.opening.is_some() || self.rng.random_bool(self.mix.write)) {
            self.choose_write();
        }
        if !self.reading && self.rng.random_bool(self.mix.read) {
            self.inputs.s_axil_arvalid = true;
            self.inputs.s_axil_araddr = self.rng.random::<u8>();
            self.reading = true;
        }
        self.inputs.m_verdict_tready = !self.rng.random_bool(self.mix.hold_verdict);
        self.inputs.s_axil_bready = self.rng.random_bool(0.5);
        self.inputs.s_axil_rready = self.rng.random_bool(0.5);
        self.inputs.pack(self.key_bits, inputs);

        // what this clock hands over is withdrawn for the next one; a reset ends every transfer
        let shows = |word: usize| predicted[word] & 1 == 1;
        if (self.offered && shows(output::TREADY)) || self.inputs.reset {
            self.inputs.s_item_tvalid = false;
            self.offered = false;
        }
        if shows(output::AWREADY) || self.inputs.reset {
            self.inputs.s_axil_awvalid = false;
            self.inputs.s_axil_wvalid = false;
        }
        if (shows(output::BVALID) && self.inputs.s_axil_bready) || self.inputs.reset {
            self.writing = false;
        }
        if shows(output::ARREADY) || self.inputs.reset {
            self.inputs.s_axil_arvalid = false;
        }
        if (shows(output::RVALID) && self.inputs.s_axil_rready) || self.inputs.reset {
            self.reading = false;
        }
        true
    }
}
