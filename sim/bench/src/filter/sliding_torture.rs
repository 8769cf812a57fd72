//! Constrained-random stimulus for a sliding-window filter.

use super::host_pattern::{HostPattern, PatternedHost};
use super::offers::{set_key, Offers, Repeats, ResetPulses};
use crate::lockstep::Stimulus;
use bloomline_model::{Inputs, ProbeHasher};
use bloomline_spec::registers::{address, CuckooCounter, SlidingCounter};
use bloomline_spec::{Common, CuckooGeometry, Operation, SlidingGeometry};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A sliding-window filter, as far as torture of it has to know.
pub trait TorturedWindow {
    /// What all kinds have.
    fn common(&self) -> &Common;
    /// n.
    fn window(&self) -> u64;
    /// Address of each counter's low half.
    fn counters(&self) -> Vec<u32>;
    /// Keys looked at for a crowded run.
    fn candidates(&self) -> u64;
    /// Whether a key with these positions is one of a crowded run; `first` are those of the first candidate.
    fn crowds(&self, crowd: Crowd, positions: &[u32], first: &[u32]) -> bool;
}

/// What the keys of a crowded run have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crowd {
    /// The first few buckets or rows of all tables: they come again before they are old.
    FirstFew,
    /// A few buckets or rows far apart, which differ in the high bits of their numbers.
    FewApart,
    /// The first half of the buckets or rows: more elements than these have cells for, most of them new.
    FirstHalf,
    /// A fingerprint, but for a bit at most, in any bucket or row.
    Fingerprint,
}

impl Crowd {
    /// All.
    pub const ALL: [Crowd; 4] = [
        Crowd::FirstFew,
        Crowd::FewApart,
        Crowd::FirstHalf,
        Crowd::Fingerprint,
    ];

    /// Whether it takes place `place` of `places`, `few` of which are few.
    fn takes(self, place: u64, places: u64, few: u64) -> bool {
        match self {
            Crowd::FirstFew => place < few,
            Crowd::FewApart => place.is_multiple_of((places / few).max(1)),
            Crowd::FirstHalf => place < places.div_ceil(2),
            Crowd::Fingerprint => true,
        }
    }

    /// Whether it takes a fingerprint, where that of its first key is `first`.
    fn bears(self, fingerprint: u64, first: u64) -> bool {
        self != Crowd::Fingerprint || (fingerprint ^ first).count_ones() <= 1
    }
}

impl TorturedWindow for SlidingGeometry {
    fn common(&self) -> &Common {
        self
    }

    fn window(&self) -> u64 {
        SlidingGeometry::window(self)
    }

    fn counters(&self) -> Vec<u32> {
        SlidingCounter::PLAIN
            .iter()
            .map(|c| c.address_lo())
            .collect()
    }

    fn candidates(&self) -> u64 {
        6_000
    }

    fn crowds(&self, crowd: Crowd, positions: &[u32], first: &[u32]) -> bool {
        let (front, back) = (self.front_buckets(), self.back_buckets());
        let place = |position: u32, buckets: u64| u64::from(position) % buckets;
        let fingerprint = |positions: &[u32]| u64::from(positions[0]) / front;
        crowd.takes(place(positions[0], front), front, CROWDED_BUCKETS.0)
            && crowd.takes(place(positions[1], back), back, CROWDED_BUCKETS.1)
            && crowd.bears(fingerprint(positions), fingerprint(first))
    }
}

impl TorturedWindow for CuckooGeometry {
    fn common(&self) -> &Common {
        self
    }

    fn window(&self) -> u64 {
        CuckooGeometry::window(self)
    }

    fn counters(&self) -> Vec<u32> {
        CuckooCounter::ALL.iter().map(|c| c.address_lo()).collect()
    }

    fn candidates(&self) -> u64 {
        60_000
    }

    fn crowds(&self, crowd: Crowd, positions: &[u32], first: &[u32]) -> bool {
        let fingerprint = |positions: &[u32]| positions[0] >> self.row_bits();
        let row = positions[0] & (self.rows() - 1) as u32;
        let r = fingerprint(positions);
        let shift = |masks: &[u32]| {
            let bits = masks.iter().rev();
            bits.fold(0, |bits, mask| (bits << 1) | ((mask & r).count_ones() % 2))
        };
        let shifted = self.masks().iter().map(|masks| row ^ shift(masks));
        std::iter::once(row)
            .chain(shifted)
            .all(|row| crowd.takes(row.into(), self.rows(), CROWDED_ROWS))
            && crowd.bears(r.into(), fingerprint(first).into())
    }
}

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
    /// The keys have this in common.
    pub crowd: Option<Crowd>,
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
    pub fn draw(geometry: &impl TorturedWindow, seed: u64, clocks: u64) -> Self {
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
        let crowd = crowded.then(|| match rng.random_range(0..2 * Crowd::ALL.len()) {
            kind if kind < Crowd::ALL.len() => Crowd::ALL[kind],
            _ => Crowd::FirstFew,
        });
        Self {
            clocks,
            idle,
            hold_verdict,
            reset,
            write,
            read,
            keys,
            crowd,
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
    /// As many keys come in the beginning of a crowded run.
    earlier: u64,
    /// Address of each counter's low half.
    counters: Vec<u32>,
    host: PatternedHost,
}

/// Few front buckets and few back buckets, and few rows.
const CROWDED_BUCKETS: (u64, u64) = (4, 2);
const CROWDED_ROWS: u64 = 4;

/// Share of the items of a crowded run that ask for keys of its beginning.
const EARLIER: f64 = 0.125;

/// The values of the keys that a crowded run is made of.
fn crowded_keys(geometry: &impl TorturedWindow, crowd: Crowd) -> Vec<u64> {
    let common = geometry.common();
    let hasher = ProbeHasher::new(common);
    let key_bits = common.key_bits();
    let probes = |value: u64| {
        let mut inputs = Inputs::default();
        set_key(&mut inputs, key_bits, value);
        hasher.probes_of_words(&inputs.s_item_tdata[..key_bits.div_ceil(64) as usize])
    };
    let first = probes(0);
    (0..geometry.candidates())
        .filter(|&value| geometry.crowds(crowd, probes(value).positions(), first.positions()))
        .collect()
}

impl SlidingTorture {
    /// A run of `mix` with `seed` on the filter of `geometry`.
    pub fn new(geometry: &impl TorturedWindow, mix: SlidingTortureMix, seed: u64) -> Self {
        let mut offers = Offers::new(geometry.common());
        offers.eager = mix.pattern.eager;
        let counters = geometry.counters();
        Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            clock: 0,
            resets: ResetPulses::default(),
            repeats: Repeats::new(),
            offers,
            host: PatternedHost::new(mix.pattern, counters.iter().copied()),
            counters,
            crowd: mix
                .crowd
                .map_or_else(Vec::new, |crowd| crowded_keys(geometry, crowd)),
            earlier: geometry.window() * 3 / 2,
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
        // beside a crowd keys of the run's beginning are asked for, which an age that comes round would revive
        let beginning = self.clock < mix.clocks / 8;
        let value = if self.crowd.is_empty() {
            self.repeats.draw(rng, mix.repeat, mix.keys)
        } else if beginning || rng.random_bool(EARLIER) {
            if !beginning {
                code = Operation::Query as usize;
            }
            rng.random_range(0..self.earlier)
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
            1 => self.counters[rng.random_range(0..self.counters.len())],
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
