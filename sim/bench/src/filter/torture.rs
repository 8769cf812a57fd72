//! Constrained-random stimulus for a recycling filter.

use super::host_pattern::{HostPattern, PatternedHost};
use super::offers::{held, Offers, Repeats, ResetPulses};
use crate::lockstep::Stimulus;
use bloomline_spec::registers::{address, RecyclingCounter};
use bloomline_spec::RecyclingGeometry;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

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
    /// Registers written at clocks of their own, the earliest first. A drawn mix opens with a threshold as a rule: cycles of a few items, whose epochs
    /// wrap, or cycles long enough for full rate.
    pub script: Vec<Act>,
    /// Thresholds that writes choose from.
    pub thresholds: Vec<u32>,
    /// Age limits in ticks that writes choose from.
    pub ages: Vec<u32>,
    /// A write to a filter with a keyed hash is of its secret, or asks for a rekey.
    pub secret: f64,
    /// A word of the array is asked for; what is read next is as a rule that word.
    pub fetch: f64,
    /// Bits are set in it instead.
    pub set: f64,
    /// How the host goes about registers.
    pub pattern: HostPattern,
}

/// A register that is written at a clock of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Act {
    /// The first clock in which it is offered; it waits for the write before.
    pub clock: u64,
    /// Byte address.
    pub byte: u32,
    /// What is written.
    pub data: u32,
}

impl Act {
    /// A write.
    pub fn write(clock: u64, byte: u32, data: u32) -> Act {
        Act { clock, byte, data }
    }

    /// A threshold written in the first clock.
    pub fn opening(threshold: u32) -> Act {
        Act::write(0, address::THRESHOLD, threshold)
    }
}

impl TortureMix {
    /// A mix drawn from `seed` for `geometry`: every run is of another kind (busy or idle, few or many keys, short or long cycles).
    pub fn draw(geometry: &RecyclingGeometry, seed: u64, clocks: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x746f_7274);
        let mut pick = |choices: &[f64]| choices[rng.random_range(0..choices.len())];
        let (idle, hold_verdict) = (pick(&[0.0, 0.0, 0.1, 0.7]), pick(&[0.0, 0.0, 0.2, 0.8]));
        // Only a reader that is slow for long fills the queue of a filter that takes an item in many clocks: each kind in turn.
        let hold_verdict = match geometry.timing().initiation_interval {
            1 => hold_verdict,
            interval => held([0.0, 0.2, 0.8, 0.99][(seed % 4) as usize], interval),
        };
        let (reset, write, read) = (
            pick(&[0.0, 1e-4, 3e-3]),
            pick(&[0.0, 1e-4, 1e-2]),
            pick(&[0.0, 0.02]),
        );
        // A rekey takes up to four writes of registers and one that asks for it.
        let keyed = geometry.hash().secret.is_some();
        let write = if keyed { f64::max(write, 1e-2) } else { write };
        let (repeat, query, insert) =
            (pick(&[0.0, 0.3, 0.9]), pick(&[0.0, 0.3]), pick(&[0.0, 0.3]));
        let span = geometry.half_bits();
        let keys = pick(&[8.0, 200.0, 1e5, 1e18]) as u64;
        let k = u64::from(geometry.hashes());
        let cycle = u64::from(geometry.timing().large_cycle_items);
        let thresholds = [
            k,
            k + 1,
            3 * k,
            // just and well above what runs at full rate
            (cycle + 2) * k,
            (cycle + 16) * k,
            span / 8,
            span / 2,
            geometry.threshold(),
        ]
        .map(|t| t.clamp(1, span) as u32)
        .to_vec();
        let script = if rng.random_bool(0.75) {
            vec![Act::opening(
                thresholds[rng.random_range(0..thresholds.len())],
            )]
        } else {
            Vec::new()
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
            script,
            thresholds,
            ages: vec![0, 0, 1, 2, 5],
            secret: if keyed {
                [0.3, 0.6, 0.9][rng.random_range(0..3)]
            } else {
                0.0
            },
            fetch: {
                let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x6665_7463);
                [0.0, 0.003, 0.003, 0.2][rng.random_range(0..4)]
            },
            set: 0.1,
            pattern: HostPattern::default(),
        }
    }
}

/// What is written to CONTROL: mostly a clear or a recycle, the rest is both, neither, and a bit too much.
const COMMANDS: [u32; 12] = [1, 1, 1, 1, 4, 4, 4, 4, 5, 2, 0, 8];

/// Draws inputs from a seed: items, idle clocks, back-pressure, resets, register traffic. Keeps to the AXI rules.
pub struct Torture {
    rng: ChaCha8Rng,
    mix: TortureMix,
    clock: u64,
    resets: ResetPulses,
    repeats: Repeats,
    offers: Offers,
    /// Values that ARRAY_ADDRESS has.
    places: u32,
    /// A word was asked for and not looked at.
    asked: bool,
    host: PatternedHost,
}

impl Torture {
    /// A run of `mix` with `seed` on the filter of `geometry`.
    pub fn new(geometry: &RecyclingGeometry, mut mix: TortureMix, seed: u64) -> Self {
        // the next is the last
        mix.script.reverse();
        let mut offers = Offers::new(geometry);
        offers.eager = mix.pattern.eager;
        Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            host: PatternedHost::new(
                mix.pattern,
                RecyclingCounter::ALL
                    .iter()
                    .map(|counter| counter.address_lo()),
            ),
            mix,
            clock: 0,
            resets: ResetPulses::default(),
            repeats: Repeats::new(),
            offers,
            places: 1 << geometry.array_address_bits(),
            asked: false,
        }
    }

    /// Whether the clock of the next act of the script has come.
    fn due(&self) -> bool {
        let next = self.mix.script.last();
        next.is_some_and(|act| act.clock < self.clock)
    }

    fn choose_item(&mut self) {
        let (rng, mix) = (&mut self.rng, &self.mix);
        let value = self.repeats.draw(rng, mix.repeat, mix.keys);
        let kind: f64 = rng.random();
        let operation = if kind < mix.query {
            0
        } else if kind < mix.query + mix.insert {
            1
        } else {
            rng.random_range(2..4)
        };
        self.offers.offer_item(value, operation, rng.random());
    }

    /// A register write: what the script says, or whatever is drawn.
    fn choose_write(&mut self) {
        if self.due() {
            if let Some(Act { byte, data, .. }) = self.mix.script.pop() {
                return self.offers.offer_write(byte, data, 15);
            }
        }
        if self.host.offer_write(&mut self.rng, &mut self.offers) {
            return;
        }
        if self.mix.secret > 0.0 && self.rng.random_bool(self.mix.secret) {
            return self.offers.offer_secret(&mut self.rng);
        }
        let from = |rng: &mut ChaCha8Rng, list: &[u32]| list[rng.random_range(0..list.len())];
        let (byte, data) = match self.rng.random_range(0..8) {
            0..3 => (address::CONTROL, from(&mut self.rng, &COMMANDS)),
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
        self.offers.offer_write(byte, data, strobe);
    }

    /// A register read.
    fn choose_read(&mut self) {
        if !self.host.offer_read(&mut self.rng, &mut self.offers) {
            self.offers.offer_read(self.rng.random());
        }
    }

    /// Asks for a word of the array, or looks at the one that was asked for, or sets bits in it.
    fn choose_fetch(&mut self) {
        if self.asked {
            let byte = [address::ARRAY_DATA, address::ARRAY_DATA, address::STATUS];
            let byte = byte[self.rng.random_range(0..3)];
            self.offers.offer_read(byte as u8);
        } else if self.rng.random_bool(self.mix.set) {
            let [some, others]: [u32; 2] = self.rng.random();
            let bits = match self.rng.random_range(0..8) {
                0 => some,
                1 => some | others,
                2 => u32::MAX,
                3 => 1 << (others % 32),
                _ => some & others,
            };
            return self.offers.offer_write(address::ARRAY_DATA, bits, 15);
        } else {
            let place = self.rng.random_range(0..self.places);
            self.offers.offer_write(address::ARRAY_ADDRESS, place, 15);
        }
        self.asked = !self.asked;
    }
}

impl Stimulus for Torture {
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool {
        if self.clock == self.mix.clocks {
            return false;
        }
        self.clock += 1;
        self.offers.inputs.reset = self.resets.draw(&mut self.rng, self.mix.reset);
        if !self.offers.item() && !self.rng.random_bool(self.mix.idle) {
            self.choose_item();
        }
        if !self.offers.writing() && (self.due() || self.rng.random_bool(self.mix.write)) {
            self.choose_write();
        }
        if self.mix.fetch > 0.0
            && !self.offers.writing()
            && !self.offers.reading()
            && (self.asked || self.rng.random_bool(self.mix.fetch))
        {
            self.choose_fetch();
        }
        if !self.offers.reading() && self.rng.random_bool(self.mix.read) {
            self.choose_read();
        }
        self.offers
            .draw_readies(&mut self.rng, self.mix.hold_verdict);
        self.offers.hand_over(predicted, inputs);
        true
    }
}
