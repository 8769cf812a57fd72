//! Constrained-random stimulus for a filter of cells.

use super::host_pattern::{HostPattern, PatternedHost};
use super::offers::{held, set_key, Offers, Repeats, ResetPulses};
use crate::lockstep::Stimulus;
use bloomline_model::{Inputs, ProbeHasher};
use bloomline_spec::registers::{address, CellCounter};
use bloomline_spec::{CellGeometry, FilterKind, OPERATION_BITS};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What a torture run of a filter of cells does, as probabilities a clock unless said otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct CellTortureMix {
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
    /// The keys are those that crowd most into word 0 of the banks.
    pub crowded: bool,
    /// An item repeats one of the last eight keys.
    pub repeat: f64,
    /// Weights of the operation codes 0 to 3.
    pub operations: [u32; 4],
    /// Amounts that items choose from; `None` draws any.
    pub amounts: Vec<Option<u32>>,
    /// Clears asked for as fast as the filter takes them, from the first clock on: epochs wrap. A keyed hash is rekeyed at some.
    pub opening_clears: u32,
    /// Weights of what a write does: clear, threshold, fetch, store, anything anywhere.
    pub writes: [u32; 5],
    /// A write to a filter with a keyed hash is of its secret, or asks for a rekey.
    pub secret: f64,
    /// How the host goes about registers.
    pub pattern: HostPattern,
}

impl CellTortureMix {
    /// A mix drawn from `seed`: every run is of another kind (busy or idle, few or many keys, inserting or removing,
    /// clearing or saturating).
    pub fn draw(geometry: &CellGeometry, seed: u64, clocks: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x6365_6c6c);
        let mut pick = |choices: &[f64]| choices[rng.random_range(0..choices.len())];
        let (idle, hold_verdict) = (pick(&[0.0, 0.0, 0.1, 0.7]), pick(&[0.0, 0.0, 0.2, 0.8]));
        // An array that takes an item in several clocks is held up as much as one that takes an item a clock.
        let hold_verdict = held(hold_verdict, geometry.timing().initiation_interval());
        let reset = pick(&[0.0, 1e-4, 3e-3]);
        let (write, read) = (pick(&[0.0, 1e-3, 0.02, 0.2]), pick(&[0.0, 0.02, 0.5]));
        let (repeat, keys) = (
            pick(&[0.0, 0.3, 0.9]),
            pick(&[1.0, 2.0, 8.0, 200.0, 1e5, 1e18]) as u64,
        );
        let crowded = rng.random_bool(0.2);
        let one_of = |rng: &mut ChaCha8Rng, choices: &[[u32; 4]]| {
            choices[rng.random_range(0..choices.len())]
        };
        let operations = one_of(
            &mut rng,
            &[
                [1, 1, 1, 1],
                [3, 0, 1, 0],
                [0, 1, 8, 1],
                [1, 2, 2, 5],
                [1, 0, 0, 9],
            ],
        );
        let max = u32::MAX.checked_shr(32 - geometry.amount_bits());
        let amounts = match rng.random_range(0..4) {
            0 => vec![Some(0), Some(1), max, None],
            1 => vec![Some(1), Some(2)],
            2 => vec![max],
            _ => vec![Some(0), Some(0), Some(1)],
        };
        let opening_clears = [0, 0, 0, 20, 45][rng.random_range(0..5)];
        let writes = [[1, 1, 1, 1, 2], [0, 1, 5, 5, 1], [9, 1, 1, 1, 0]][rng.random_range(0..3)];
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
            amounts,
            opening_clears,
            writes,
            secret: if geometry.hash().secret.is_some() {
                [0.0, 0.2, 0.6][rng.random_range(0..3)]
            } else {
                0.0
            },
            pattern: HostPattern::default(),
        }
    }
}

/// Draws inputs from a seed: items, idle clocks, back-pressure, resets, register traffic. Keeps to the AXI rules.
pub struct CellTorture {
    rng: ChaCha8Rng,
    mix: CellTortureMix,
    clock: u64,
    resets: ResetPulses,
    repeats: Repeats,
    offers: Offers,
    /// Values of the keys of a crowded run; empty in any other.
    crowd: Vec<u64>,
    has_threshold: bool,
    cell_max: u32,
    threshold: u32,
    array_words: u32,
    counters: &'static [CellCounter],
    host: PatternedHost,
}

/// Keys looked at for a crowded run, and most that are kept.
const CANDIDATES: u64 = 2_000;
const CROWD: u64 = 16;

/// The values, below [`CANDIDATES`], of the keys with the most probes in word 0 of their bank.
fn crowd(geometry: &CellGeometry) -> Vec<u64> {
    let hasher = ProbeHasher::new(geometry);
    let key_bits = geometry.key_bits();
    let in_word_0 = |value: &u64| {
        let mut inputs = Inputs::default();
        set_key(&mut inputs, key_bits, *value);
        let probes = hasher.probes_of_words(&inputs.s_item_tdata[..key_bits.div_ceil(64) as usize]);
        let positions = probes.positions().iter();
        positions
            .filter(|&&position| position < geometry.lanes())
            .count()
    };
    let mut values: Vec<u64> = (0..CANDIDATES).collect();
    values.sort_by_cached_key(|value| std::cmp::Reverse(in_word_0(value)));
    values.truncate(CROWD as usize);
    values
}

impl CellTorture {
    /// A run of `mix` with `seed` on the filter of `geometry`.
    pub fn new(geometry: &CellGeometry, mix: CellTortureMix, seed: u64) -> Self {
        let mut offers = Offers::new(geometry);
        offers.eager = mix.pattern.eager;
        let counters = geometry.counters();
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
            has_threshold: geometry.kind() != FilterKind::Static,
            cell_max: geometry.cell_max(),
            threshold: geometry.threshold(),
            // up to the end of the address register: past the last bank where k is no power of two
            array_words: 1 << geometry.array_address_bits(),
            counters,
        }
    }

    /// A place drawn by weight.
    fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut left = self.rng.random_range(0..weights.iter().sum());
        let chosen = weights.iter().position(|&weight| {
            let here = left < weight;
            left = left.saturating_sub(weight);
            here
        });
        chosen.unwrap_or(0)
    }

    fn choose_item(&mut self) {
        let code = self.weighted(&self.mix.operations.clone()) as u64;
        let (rng, mix) = (&mut self.rng, &self.mix);
        let value = if self.crowd.is_empty() {
            self.repeats.draw(rng, mix.repeat, mix.keys)
        } else {
            let keys = mix.keys.min(self.crowd.len() as u64);
            self.crowd[self.repeats.draw(rng, mix.repeat, keys) as usize]
        };
        let amount = match mix.amounts[rng.random_range(0..mix.amounts.len())] {
            Some(amount) => amount,
            None => rng.random(),
        };
        let user = u64::from(amount) << OPERATION_BITS | code;
        self.offers.offer_item(value, user, rng.random());
    }

    /// A register write: the opening clears, then whatever is drawn.
    fn choose_write(&mut self) {
        if self.mix.opening_clears > 0 {
            self.mix.opening_clears -= 1;
            let data = if self.mix.secret > 0.0 {
                self.rng.random_range(1..4)
            } else {
                1
            };
            return self.offers.offer_write(address::CONTROL, data, 15);
        }
        if self.host.offer_write(&mut self.rng, &mut self.offers) {
            return;
        }
        if self.mix.secret > 0.0 && self.rng.random_bool(self.mix.secret) {
            return self.offers.offer_secret(&mut self.rng);
        }
        let what = self.weighted(&self.mix.writes.clone());
        let rng = &mut self.rng;
        let (byte, data) = match what {
            0 => (address::CONTROL, 1),
            1 if self.has_threshold => (address::THRESHOLD, {
                let near = [0, 1, 2, 3, self.threshold, self.cell_max];
                near[rng.random_range(0..near.len())]
            }),
            1 | 2 => (
                address::ARRAY_ADDRESS,
                rng.random_range(0..self.array_words),
            ),
            3 => (address::ARRAY_DATA, {
                let patterns = [0, u32::MAX, rng.random(), rng.random()];
                patterns[rng.random_range(0..patterns.len())]
            }),
            _ => {
                let data = [0, 1, rng.random()];
                (
                    rng.random_range(0..256),
                    data[rng.random_range(0..data.len())],
                )
            }
        };
        let strobe = if rng.random_bool(0.95) {
            15
        } else {
            rng.random_range(0..16)
        };
        self.offers.offer_write(byte, data, strobe);
    }

    /// Half of the reads are of what changes: state, array, counters.
    fn choose_read(&mut self) {
        if self.host.offer_read(&mut self.rng, &mut self.offers) {
            return;
        }
        let rng = &mut self.rng;
        let byte = match rng.random_range(0..8) {
            0 => address::STATUS,
            1 | 2 => address::ARRAY_DATA,
            3 if !self.counters.is_empty() => {
                self.counters[rng.random_range(0..self.counters.len())].address_lo()
            }
            _ => rng.random_range(0..256),
        };
        self.offers.offer_read(byte as u8);
    }
}

impl Stimulus for CellTorture {
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool {
        if self.clock == self.mix.clocks {
            return false;
        }
        self.clock += 1;
        self.offers.inputs.reset = self.resets.draw(&mut self.rng, self.mix.reset);
        if !self.offers.item() && !self.rng.random_bool(self.mix.idle) {
            self.choose_item();
        }
        if !self.offers.writing()
            && (self.mix.opening_clears > 0 || self.rng.random_bool(self.mix.write))
        {
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
