//! Constrained-random stimulus for a sliding-window filter.

use super::host_pattern::{HostPattern, PatternedHost};
use super::offers::{set_key, Offers, Repeats, ResetPulses};
use crate::lockstep::Stimulus;
use bloomline_model::{Inputs, ProbeHasher};
use bloomline_spec::registers::{address, SlidingCounter};
use bloomline_spec::SlidingGeometry;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What a torture run of a sliding-window filter does, as probabilities a clock unless said otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct SlidingTortureMix {
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
    /// The keys are those that crowd most into few buckets of both tables.
    pub crowded: bool,
    /// An item repeats one of the last eight keys.
    pub repeat: f64,
    /// Weights of the operation codes 0 to 3.
    pub operations: [u32; 4],
    /// Share of writes that ask for a clear; the others go anywhere.
    pub clears: f64,
    /// How the host goes about registers.
    pub pattern: HostPattern,
}

impl SlidingTortureMix {
    /// A mix drawn from `seed`: every run is of another kind (busy or idle, few or many keys, crowded or spread).
    pub fn draw(geometry: &SlidingGeometry, seed: u64, clocks: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x736c_6964);
        let mut pick = |choices: &[f64]| choices[rng.random_range(0..choices.len())];
        let (idle, hold_verdict) = (pick(&[0.0, 0.0, 0.1, 0.7]), pick(&[0.0, 0.0, 0.2, 0.8]));
        // a reset or clear costs a wipe: often enough to meet every state, seldom enough to fill the filter in between
        let reset = pick(&[0.0, 0.0, 1e-4, 1e-3]);
        let (write, read) = (pick(&[0.0, 1e-3, 5e-3]), pick(&[0.0, 0.02, 0.2]));
        let window = geometry.window() as f64;
        let keys = pick(&[1.0, 3.0, 40.0, window, 1.5 * window, 3.0 * window, 1e18]) as u64;
        let repeat = pick(&[0.0, 0.0, 0.3, 0.9]);
        let crowded = rng.random_bool(0.3);
        let operations = [[0, 1, 8, 1], [1, 1, 1, 1], [0, 1, 0, 0], [5, 0, 1, 1]];
        let operations = operations[rng.random_range(0..operations.len())];
        let clears = [0.2, 1.0][rng.random_range(0..2)];
        Self {
            clocks,
            idle,
            hold_verdict,
            reset,
            write,
            read,
            keys,
            crowded,
            repeat,
            operations,
            clears,
            pattern: HostPattern::default(),
        }
    }
}

/// Draws inputs from a seed: items, idle clocks, back-pressure, resets, register traffic. Keeps to the AXI rules.
pub struct SlidingTorture {
    rng: ChaCha8Rng,
    mix: SlidingTortureMix,
    clock: u64,
    resets: ResetPulses,
    repeats: Repeats,
    offers: Offers,
    /// Values of the keys of a crowded run; empty in any other.
    crowd: Vec<u64>,
    host: PatternedHost,
}

/// Keys looked at for a crowded run; and front buckets, back buckets they must lie in.
const CANDIDATES: u64 = 6_000;
const CROWDED_BUCKETS: (u32, u32) = (4, 2);

/// The values, below [`CANDIDATES`], of the keys that lie in the first buckets of both tables.
fn crowd(geometry: &SlidingGeometry) -> Vec<u64> {
    let hasher = ProbeHasher::new(geometry);
    let key_bits = geometry.key_bits();
    let (front, back) = CROWDED_BUCKETS;
    let (front_mask, back_mask) = (
        (geometry.front_buckets() - 1) as u32,
        (geometry.back_buckets() - 1) as u32,
    );
    let crowded = |value: &u64| {
        let mut inputs = Inputs::default();
        set_key(&mut inputs, key_bits, *value);
        let probes = hasher.probes_of_words(&inputs.s_item_tdata[..key_bits.div_ceil(64) as usize]);
        let [p0, p1] = [probes.positions()[0], probes.positions()[1]];
        p0 & front_mask < front && p1 & back_mask < back
    };
    (0..CANDIDATES).filter(crowded).collect()
}

impl SlidingTorture {
    /// A run of `mix` with `seed` on the filter of `geometry`.
    pub fn new(geometry: &SlidingGeometry, mix: SlidingTortureMix, seed: u64) -> Self {
        let mut offers = Offers::new(geometry);
        offers.eager = mix.pattern.eager;
        let counters = &SlidingCounter::PLAIN;
        Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            clock: 0,
            resets: ResetPulses::default(),
            repeats: Repeats::new(),
            offers,
            host: PatternedHost::new(
                mix.pattern,
                counters.iter().map(|counter| counter.address_lo()),
            ),
            crowd: if mix.crowded {
                crowd(geometry)
            } else {
                Vec::new()
            },
            mix,
        }
    }

    fn choose_item(&mut self) {
        let (rng, mix) = (&mut self.rng, &self.mix);
        let mut left = rng.random_range(0..mix.operations.iter().sum());
        let mut code = 0;
        while left >= mix.operations[code] {
            left -= mix.operations[code];
            code += 1;
        }
        let value = if self.crowd.is_empty() {
            self.repeats.draw(rng, mix.repeat, mix.keys)
        } else {
            let keys = mix.keys.min(self.crowd.len() as u64);
            self.crowd[self.repeats.draw(rng, mix.repeat, keys) as usize]
        };
        self.offers.offer_item(value, code as u64, rng.random());
    }

    fn choose_write(&mut self) {
        if self.host.offer_write(&mut self.rng, &mut self.offers) {
            return;
        }
        let rng = &mut self.rng;
        let (byte, data) = if rng.random_bool(self.mix.clears) {
            (address::CONTROL, 1)
        } else {
            (
                rng.random_range(0..256),
                rng.random::<u32>() >> rng.random_range(0..32),
            )
        };
        let strobe = if rng.random_bool(0.9) {
            15
        } else {
            rng.random_range(0..16)
        };
        self.offers.offer_write(byte, data, strobe);
    }

    /// Half of the reads are of what changes: state and counters.
    fn choose_read(&mut self) {
        if self.host.offer_read(&mut self.rng, &mut self.offers) {
            return;
        }
        let rng = &mut self.rng;
        let byte = match rng.random_range(0..4) {
            0 => address::STATUS,
            1 => {
                let all = SlidingCounter::PLAIN;
                all[rng.random_range(0..all.len())].address_lo()
            }
            _ => rng.random_range(0..256),
        };
        self.offers.offer_read(byte as u8);
    }
}

impl Stimulus for SlidingTorture {
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool {
        if self.clock == self.mix.clocks {
            return false;
        }
        self.clock += 1;
        self.offers.inputs.reset = self.resets.draw(&mut self.rng, self.mix.reset);
        if !self.offers.item() && !self.rng.random_bool(self.mix.idle) {
            self.choose_item();
        }
        if !self.offers.writing() && self.rng.random_bool(self.mix.write) {
            self.choose_write();
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
