//! Named hard cases, played on the emitted Verilog in lockstep: exact on every port, and the clocks they cost counted.

use bloomline_bench::filter::{emitted_design, ModelReference};
use bloomline_bench::lockstep::{Bench, Stimulus};
use bloomline_bench::verilator::Initial;
use bloomline_model::{Inputs, ProbeHasher};
use bloomline_spec::registers::{address, RecyclingCounter};
use bloomline_spec::{Key, RecyclingGeometry, WORD_BITS};
use bloomline_tests::{few, simulation, Sample};
use std::cell::Cell;

/// Words of the packed outputs that the player looks at; their order is that of the ports.
const TREADY: usize = 0;
const AWREADY: usize = 4;

/// What is done beside the items, which are offered in every clock.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Nothing for so many clocks.
    Run(u64),
    /// A register write, as soon as the filter takes it.
    Write(u32, u32),
    /// Reset for so many clocks.
    Reset(u64),
}

/// Plays steps while a list of keys is inserted over and over, one a clock where the filter takes it.
struct Player {
    steps: Vec<Step>,
    keys: Vec<Key>,
    key_bits: u32,
    next_key: usize,
    step: usize,
    clocks_in_step: u64,
}

impl Player {
    fn new(geometry: &RecyclingGeometry, keys: &[Key], steps: &[Step]) -> Self {
        Self {
            steps: steps.to_vec(),
            keys: keys.to_vec(),
            key_bits: geometry.key_bits(),
            next_key: 0,
            step: 0,
            clocks_in_step: 0,
        }
    }
}

impl Stimulus for Player {
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool {
        let Some(&step) = self.steps.get(self.step) else {
            return false;
        };
        let mut now = Inputs {
            m_verdict_tready: true,
            s_axil_bready: true,
            s_item_tvalid: true,
            s_item_tuser: 2,
            ..Inputs::default()
        };
        let words = self.key_bits.div_ceil(64) as usize;
        now.s_item_tdata[..words].copy_from_slice(&self.keys[self.next_key].words()[..words]);
        if predicted[TREADY] & 1 == 1 {
            self.next_key = (self.next_key + 1) % self.keys.len();
        }
        self.clocks_in_step += 1;
        let done = match step {
            Step::Run(clocks) => self.clocks_in_step == clocks,
            Step::Write(byte, data) => {
                (now.s_axil_awvalid, now.s_axil_wvalid) = (true, true);
                (now.s_axil_awaddr, now.s_axil_wdata, now.s_axil_wstrb) = (byte as u8, data, 15);
                predicted[AWREADY] & 1 == 1
            }
            Step::Reset(clocks) => {
                now.reset = true;
                self.clocks_in_step == clocks
            }
        };
        if done {
            self.step += 1;
            self.clocks_in_step = 0;
        }
        now.pack(self.key_bits, inputs);
        true
    }
}

/// What the model's counters said in the last clock.
#[derive(Debug, Clone, Copy, Default)]
struct End {
    items: u64,
    recycles: u64,
    stalled_for_epochs: u64,
    stalled_for_control: u64,
}

/// Plays on the Verilog; every port equals the model's in every clock, or this panics with the place.
fn play(geometry: &RecyclingGeometry, keys: &[Key], steps: &[Step]) -> End {
    let (design, _) = emitted_design(geometry).expect("emit");
    let bench = Bench::new(simulation(&design));
    let end = Cell::new(End::default());
    let make = |_| {
        (
            ModelReference::new(geometry),
            Player::new(geometry, keys, steps),
        )
    };
    bench
        .run(1, Initial::Random(1), make, |clock| {
            let status = clock.reference.model.status();
            clock
                .reference
                .model
                .check()
                .expect("no epoch is issued while a word bears it");
            end.set(End {
                items: status.counter(RecyclingCounter::Items),
                recycles: status.counter(RecyclingCounter::Recycles),
                stalled_for_epochs: status.counter(RecyclingCounter::StallRecycle),
                stalled_for_control: status.counter(RecyclingCounter::StallControl),
            });
        })
        .unwrap_or_else(|error| panic!("{error}"));
    end.get()
}

/// Different keys whose every probe lies in the first `words` words of its partition.
fn keys_within(geometry: &RecyclingGeometry, words: u64, count: usize) -> Vec<Key> {
    let hasher = ProbeHasher::new(geometry);
    let within = |key: &Key| {
        let probes = hasher.probes(key);
        let mut positions = probes.positions().iter();
        positions.all(|position| u64::from(position / WORD_BITS) < words)
    };
    (0u128..)
        .map(|value| Key::from_integer(value, geometry.key_bits()).expect("fits"))
        .filter(within)
        .take(count)
        .collect()
}

fn any_keys(geometry: &RecyclingGeometry, count: usize) -> Vec<Key> {
    keys_within(geometry, geometry.words_per_bank(), count)
}

#[test]
fn a_threshold_of_one_item_recycles_with_every_second_one() {
    for &phases in few(&[2, 1], 1) {
        for &retain in few(&[true, false], 1) {
            let geometry = Sample {
                phases,
                retain,
                threshold: 5,
                ..Sample::BASE
            }
            .geometry();
            let end = play(&geometry, &any_keys(&geometry, 500), &[Step::Run(30_000)]);
            assert!(
                end.recycles > 300 && end.stalled_for_epochs > 10_000,
                "{phases} {retain} {end:?}"
            );
        }
    }
}

#[test]
fn forty_clears_in_a_row_wait_for_epochs_and_resurrect_nothing() {
    for phases in [1, 2] {
        let geometry = Sample {
            phases,
            partition_bits: 4096,
            threshold: 8000,
            ..Sample::BASE
        }
        .geometry();
        let mut steps = vec![Step::Run(2_000)];
        steps.extend([Step::Write(address::CONTROL, 1); 40]);
        steps.push(Step::Run(6_000));
        let end = play(&geometry, &any_keys(&geometry, 900), &steps);
        assert!(end.items > 4_000, "{phases} phases: {end:?}");
    }
}

#[test]
fn reset_while_a_half_is_being_covered_leaves_no_old_bit() {
    for phases in [1, 2] {
        let geometry = Sample {
            phases,
            partition_bits: 4096,
            threshold: 8000,
            ..Sample::BASE
        }
        .geometry();
        let keys = any_keys(&geometry, 900);
        for &wait in few(&[1, 90, 128, 7, 40, 127, 200], 3) {
            let mut steps = vec![Step::Run(1_500)];
            // the spare epochs run out, then words are refreshed one a clock
            steps.extend([Step::Write(address::CONTROL, 1); 16]);
            steps.extend([
                Step::Run(wait),
                Step::Reset(1),
                Step::Run(wait),
                Step::Reset(3),
                Step::Run(3_000),
            ]);
            let end = play(&geometry, &keys, &steps);
            assert!(end.items > 2_000, "{phases} phases, {wait} clocks: {end:?}");
        }
    }
}

#[test]
fn keys_that_avoid_a_word_exhaust_the_epochs_and_stay_exact() {
    for phases in [1, 2] {
        // room for just over 64 items at one probe each: full rate, short cycles, and no clock free for a refresh
        let geometry = Sample {
            phases,
            hashes: 1,
            partition_bits: 256,
            threshold: 70,
            ..Sample::BASE
        }
        .geometry();
        let keys = keys_within(&geometry, 7, 2_000);
        let end = play(&geometry, &keys, &[Step::Run(30_000)]);
        assert!(
            end.stalled_for_epochs > 50 && end.recycles > 50,
            "{phases} phases: {end:?}"
        );
    }
}

#[test]
fn keys_that_crowd_into_one_word_are_exact_back_to_back() {
    for phases in [1, 2] {
        // full rate at first (room for 64 items of two bits), then one item at a time
        let geometry = Sample {
            phases,
            hashes: 2,
            threshold: 140,
            ..Sample::BASE
        }
        .geometry();
        let crowded = keys_within(&geometry, 1, 300);
        let keys: Vec<Key> = crowded
            .chunks(6)
            .zip(any_keys(&geometry, 100).chunks(2))
            .flat_map(|(crowd, others)| crowd.iter().chain(others))
            .cloned()
            .collect();
        let full_rate = play(&geometry, &keys, &[Step::Run(20_000)]);
        assert!(
            full_rate.items > 15_000 && full_rate.recycles > 50,
            "{phases} phases: {full_rate:?}"
        );
        let one_at_a_time = [
            Step::Run(2_000),
            Step::Write(address::THRESHOLD, 20),
            Step::Run(20_000),
        ];
        let slow = play(&geometry, &keys, &one_at_a_time);
        assert!(
            slow.recycles > 50 && slow.stalled_for_epochs > 10_000,
            "{phases} phases: {slow:?}"
        );
    }
}

#[test]
fn bits_of_a_host_are_set_between_items_and_cost_what_the_contract_says() {
    for sample in [
        Sample::BASE,
        Sample {
            phases: 1,
            on: "messages",
            threshold: 90,
            ..Sample::BASE
        },
        Sample {
            parity: "empty",
            ..Sample::BASE
        },
    ] {
        let geometry = sample.geometry();
        let places = 1 << geometry.array_address_bits();
        let set = |number: u32| {
            [
                Step::Write(address::ARRAY_ADDRESS, number * 7 % places),
                Step::Write(address::ARRAY_DATA, 0x8421_1248u32.rotate_left(number)),
                Step::Run(200),
            ]
        };
        let keys = any_keys(&geometry, 300);
        let sets = 60;
        let mut steps = vec![Step::Run(2_000)];
        steps.extend((0..sets).flat_map(set));
        let without = play(&geometry, &keys, &steps[..1]);
        let with = play(&geometry, &keys, &steps);
        let retire = u64::from(geometry.timing().retire_clocks);
        let clocks = (with.stalled_for_control - without.stalled_for_control) / u64::from(sets);
        // a fetch, and a set
        let write = u64::from(geometry.timing().write_stage);
        let promised = 2 * retire + 12 + write + 2;
        assert!(
            (promised - 12..=promised).contains(&clocks),
            "{sample:?}: {clocks} clocks a word, {promised} promised"
        );
        steps.extend([Step::Write(address::CONTROL, 4), Step::Run(100)]);
        let recycled = play(&geometry, &keys, &steps);
        assert!(recycled.recycles > with.recycles, "{sample:?}");
    }
}

#[test]
fn a_reset_in_any_stage_of_a_set_leaves_nothing_of_it() {
    for phases in [1, 2] {
        let sample = Sample {
            phases,
            ..Sample::BASE
        };
        let geometry = sample.geometry();
        let steps = (1..90).flat_map(|wait| {
            [
                Step::Run(150),
                Step::Write(address::ARRAY_ADDRESS, wait as u32 % 8),
                Step::Write(address::ARRAY_DATA, 0xFFFF_0001),
                Step::Run(wait),
                Step::Reset(1 + wait % 2),
            ]
        });
        let steps: Vec<Step> = steps.collect();
        play(&geometry, &any_keys(&geometry, 40), &steps);
    }
}
