//! Filters of cells, named hard cases played on the emitted Verilog in lockstep: exact on every port in every clock.

use bloomline_bench::filter::{emitted_cell_design, CellReference};
use bloomline_bench::lockstep::{Bench, Stimulus};
use bloomline_bench::toolchain::{Program, Toolchain};
use bloomline_bench::verilator::{BuildOptions, Initial};
use bloomline_model::{CellEvent, Inputs, ProbeHasher};
use bloomline_spec::registers::address;
use bloomline_spec::{CellGeometry, CellOperation, Key};
use bloomline_tests::CellSample;
use std::cell::RefCell;

/// Words of the packed outputs that the player looks at; their order is that of the ports.
const TREADY: usize = 0;
const AWREADY: usize = 4;
const BVALID: usize = 6;
const ARREADY: usize = 8;
const RVALID: usize = 9;

/// What is done beside the items.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Nothing for so many clocks.
    Run(u64),
    /// A register write, until its response.
    Write(u32, u32),
    /// A register read, until its response.
    Read(u32),
    /// Reset for so many clocks.
    Reset(u64),
}

/// What is offered on the item port: a key with its operation (and amount), or nothing for a clock.
type Offer = Option<(Key, u64)>;

/// Plays steps while a list of offers goes round and round, one a clock where the filter takes it.
struct Player {
    steps: Vec<Step>,
    offers: Vec<Offer>,
    key_bits: u32,
    next_offer: usize,
    step: usize,
    clocks_in_step: u64,
    taken: bool,
}

impl Player {
    fn new(geometry: &CellGeometry, offers: &[Offer], steps: &[Step]) -> Self {
        Self {
            steps: steps.to_vec(),
            offers: offers.to_vec(),
            key_bits: geometry.key_bits(),
            next_offer: 0,
            step: 0,
            clocks_in_step: 0,
            taken: false,
        }
    }
}

impl Stimulus for Player {
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool {
        let Some(&step) = self.steps.get(self.step) else {
            return false;
        };
        let shows = |word: usize| predicted[word] & 1 == 1;
        let mut now = Inputs {
            m_verdict_tready: true,
            s_axil_bready: true,
            s_axil_rready: true,
            s_axil_wstrb: 15,
            ..Inputs::default()
        };
        match &self.offers[self.next_offer] {
            Some((key, user)) => {
                now.s_item_tvalid = true;
                now.set_key(key);
                now.s_item_tuser = *user;
                self.next_offer += usize::from(shows(TREADY));
            }
            None => self.next_offer += 1,
        }
        self.next_offer %= self.offers.len();
        self.clocks_in_step += 1;
        let done = match step {
            Step::Run(clocks) => self.clocks_in_step >= clocks,
            Step::Write(byte, data) => {
                (now.s_axil_awvalid, now.s_axil_wvalid) = (!self.taken, !self.taken);
                (now.s_axil_awaddr, now.s_axil_wdata) = (byte as u8, data);
                self.taken |= shows(AWREADY);
                shows(BVALID)
            }
            Step::Read(byte) => {
                (now.s_axil_arvalid, now.s_axil_araddr) = (!self.taken, byte as u8);
                self.taken |= shows(ARREADY);
                shows(RVALID)
            }
            Step::Reset(clocks) => {
                now.reset = true;
                self.clocks_in_step == clocks
            }
        };
        if done {
            self.step += 1;
            self.clocks_in_step = 0;
            self.taken = false;
        }
        now.pack(self.key_bits, inputs);
        true
    }
}

/// What happened in a play, as the model tells it.
#[derive(Debug, Default)]
struct Told {
    events: Vec<CellEvent>,
    /// Clocks in which no epoch value was to spare.
    used_up: u64,
}

impl Told {
    fn items(&self) -> usize {
        let is_item = |event: &&CellEvent| matches!(event, CellEvent::Item(_));
        self.events.iter().filter(is_item).count()
    }
}

fn bench(geometry: &CellGeometry) -> Bench {
    let toolchain = Toolchain::discover().expect("toolchain");
    toolchain
        .find_or_install(Program::Verilator, &|p| eprintln!("{p}"))
        .expect("Verilator");
    let (design, _) = emitted_cell_design(geometry).expect("emit");
    Bench::new(&toolchain, &design, &BuildOptions::default()).expect("build")
}

/// Plays on the Verilog; every port equals the model's in every clock, or this panics with the place.
fn play(bench: &Bench, geometry: &CellGeometry, offers: &[Offer], steps: &[Step]) -> Told {
    let told = RefCell::new(Told::default());
    let mut steps = steps.to_vec();
    // What happened stands in the registers at the end: every verdict out, every counter counted.
    steps.push(Step::Run(100));
    steps.extend((address::CONTROL..256).step_by(4).map(Step::Read));
    let make = |_| {
        let mut reference = CellReference::new(geometry);
        reference.model.keep_events();
        (reference, Player::new(geometry, offers, &steps))
    };
    bench
        .run(1, Initial::Random(1), make, |clock| {
            let model = &clock.reference.model;
            model
                .check()
                .expect("no epoch is issued while a word bears it");
            let mut told = told.borrow_mut();
            told.used_up += u64::from(model.status().spare_epochs == 0);
            // The reference is read-only here: its events are drained from a copy once, at the end.
            if clock.outputs[RVALID] == 1 && clock.inputs[0] == 0 {
                told.events = model.clone().drain_events().collect();
            }
        })
        .unwrap_or_else(|error| panic!("{error}"));
    told.into_inner()
}

fn key(geometry: &CellGeometry, value: u128) -> Key {
    Key::from_integer(value, geometry.key_bits()).expect("fits")
}

/// Different keys whose probe of bank 0 lies in the given word.
fn keys_of_word(geometry: &CellGeometry, word: u32, count: usize) -> Vec<Key> {
    let hasher = ProbeHasher::new(geometry);
    (0_u128..)
        .map(|value| key(geometry, value))
        .filter(|key| hasher.probes(key).positions()[0] >> geometry.lane_bits() == word)
        .take(count)
        .collect()
}

const INSERT: u64 = CellOperation::TestAndInsert as u64;
const REMOVE: u64 = CellOperation::Remove as u64;
/// The same with an amount, for a sketch.
const INSERT_TWO: u64 = INSERT | 2 << 2;

#[test]
fn a_word_met_again_one_to_six_slots_later_counts_exactly() {
    for (sample, user) in [
        (CellSample::COUNTING, INSERT),
        (CellSample::SKETCH, INSERT_TWO),
    ] {
        let geometry = sample.geometry();
        let bench = bench(&geometry);
        let crowd = keys_of_word(&geometry, 3, 3);
        let others = keys_of_word(&geometry, 5, 6);
        for distance in 1..=6 {
            for (first, again) in [(0, 0), (0, 1)] {
                // The word, then others (or holes), then the word again; then quiet until all has left.
                for holes in [false, true] {
                    let mut offers = vec![Some((crowd[first], user))];
                    offers.extend(others.iter().take(distance - 1).map(|other| {
                        if holes {
                            None
                        } else {
                            Some((*other, user))
                        }
                    }));
                    offers.push(Some((crowd[again], user)));
                    offers.extend([None; 20]);
                    let told = play(&bench, &geometry, &offers, &[Step::Run(1_200)]);
                    assert!(told.items() > 50, "{sample:?} {distance}: {}", told.items());
                }
            }
        }
    }
}

#[test]
fn insertions_and_removals_of_one_key_back_to_back_cancel_exactly() {
    let geometry = CellSample::COUNTING.geometry();
    let bench = bench(&geometry);
    let key = key(&geometry, 77);
    for period in 1..=6 {
        let mut offers = vec![Some((key, INSERT)); period];
        offers.extend(vec![Some((key, REMOVE)); period]);
        let told = play(&bench, &geometry, &offers, &[Step::Run(500)]);
        let estimates: Vec<u32> = told
            .events
            .iter()
            .filter_map(|event| match event {
                CellEvent::Item(decision) => Some(decision.outcome.verdict.estimate),
                _ => None,
            })
            .collect();
        let up_and_down = (1..=period).chain((0..period).rev()).cycle();
        let expected: Vec<u32> = up_and_down
            .take(estimates.len())
            .map(|count| count as u32)
            .collect();
        assert!(estimates.len() > 400);
        assert_eq!(estimates, expected, "period {period}");
    }
}

#[test]
fn fetches_and_stores_between_items_of_the_same_word_lose_nothing_at_any_distance() {
    for (sample, user) in [
        (CellSample::COUNTING, INSERT),
        (CellSample::SKETCH, INSERT_TWO),
    ] {
        let geometry = sample.geometry();
        let bench = bench(&geometry);
        let crowd = keys_of_word(&geometry, 3, 4);
        for holes in 0..=7 {
            // One item of word 3 of bank 0 in every `holes + 1` clocks, and accesses of that word at every phase of it.
            let offers: Vec<Offer> = crowd
                .iter()
                .flat_map(|key| {
                    std::iter::once(Some((*key, user))).chain(std::iter::repeat_n(None, holes))
                })
                .collect();
            let mut steps = vec![Step::Run(60)];
            for round in 0..16 {
                steps.extend([
                    Step::Write(address::ARRAY_ADDRESS, 3),
                    Step::Run(1 + round % 9),
                    Step::Read(address::ARRAY_DATA),
                    Step::Write(
                        address::ARRAY_DATA,
                        0x1234_5678_u32.rotate_left(round as u32),
                    ),
                    Step::Run(1 + round % 7),
                    Step::Read(address::ARRAY_DATA),
                ]);
            }
            let told = play(&bench, &geometry, &offers, &steps);
            let accesses = told
                .events
                .iter()
                .filter(|event| matches!(event, CellEvent::Fetch { .. } | CellEvent::Store { .. }));
            assert_eq!(accesses.count(), 32, "{sample:?} {holes}");
        }
    }
}

#[test]
fn an_array_loaded_word_by_word_answers_for_its_keys_and_reads_back() {
    let geometry = CellSample::STATIC.geometry();
    let bench = bench(&geometry);
    let hasher = ProbeHasher::new(&geometry);
    let member = key(&geometry, 1234);
    let (words, lanes) = (geometry.words_per_bank() as u32, geometry.lanes());
    let mut steps = vec![Step::Run(200)];
    for (bank, position) in hasher.probes(&member).positions().iter().enumerate() {
        steps.extend([
            Step::Write(
                address::ARRAY_ADDRESS,
                bank as u32 * words + position / lanes,
            ),
            Step::Write(address::ARRAY_DATA, 1 << (position % lanes)),
            Step::Write(
                address::ARRAY_ADDRESS,
                bank as u32 * words + position / lanes,
            ),
            Step::Read(address::ARRAY_DATA),
        ]);
    }
    steps.push(Step::Run(100));
    let told = play(&bench, &geometry, &[Some((member, 0))], &steps);
    let seen: Vec<bool> = told
        .events
        .iter()
        .filter_map(|event| match event {
            CellEvent::Item(decision) => Some(decision.outcome.verdict.seen),
            _ => None,
        })
        .collect();
    // Not seen until the last of four words is loaded, and ever after.
    let first = seen.iter().position(|&seen| seen).expect("loaded");
    assert!(first > 100 && seen[first..].iter().all(|&seen| seen));
    let fetched = told
        .events
        .iter()
        .filter(|event| matches!(event, CellEvent::Fetch { data, .. } if data.count_ones() == 1));
    assert_eq!(fetched.count(), 4);
}

#[test]
fn forty_clears_in_a_row_wait_for_epochs_and_resurrect_nothing() {
    let geometry = CellSample {
        words: 256,
        cell_bits: 16,
        ..CellSample::COUNTING
    }
    .geometry();
    let bench = bench(&geometry);
    let offers: Vec<Offer> = (0..900)
        .map(|value| Some((key(&geometry, value), INSERT)))
        .collect();
    let mut steps = vec![Step::Run(2_000)];
    steps.extend([Step::Write(address::CONTROL, 1); 45]);
    steps.push(Step::Run(3_000));
    let told = play(&bench, &geometry, &offers, &steps);
    assert!(
        told.items() > 4_000 && told.used_up > 100,
        "{}",
        told.used_up
    );
}

#[test]
fn reset_while_a_clear_stands_in_any_stage_leaves_an_empty_filter() {
    let geometry = CellSample::COUNTING.geometry();
    let bench = bench(&geometry);
    let retire = u64::from(geometry.timing().retire_clocks);
    let offers: Vec<Offer> = (0..30)
        .map(|value| Some((key(&geometry, value), INSERT)))
        .collect();
    // From the clear's write to well past the last stage of its force.
    for wait in 0..2 * retire + 8 {
        let mut steps = vec![Step::Run(200), Step::Write(address::CONTROL, 1)];
        steps.extend([
            Step::Run(wait),
            Step::Reset(1 + wait % 3),
            Step::Run(retire + wait % retire),
            Step::Reset(1),
            Step::Run(200),
        ]);
        let told = play(&bench, &geometry, &offers, &steps);
        assert!(told.items() > 200, "{wait}: {}", told.items());
    }
}

#[test]
fn reset_while_an_access_stands_in_any_stage_drops_it() {
    let geometry = CellSample::COUNTING.geometry();
    let bench = bench(&geometry);
    let retire = u64::from(geometry.timing().retire_clocks);
    let offers = [Some((key(&geometry, 5), INSERT))];
    for wait in 0..retire + 4 {
        for (register, data) in [(address::ARRAY_ADDRESS, 3), (address::ARRAY_DATA, u32::MAX)] {
            let steps = [
                Step::Run(100),
                Step::Write(register, data),
                Step::Run(wait),
                Step::Reset(1),
                Step::Read(address::ARRAY_DATA),
                Step::Read(address::STATUS),
                Step::Run(100),
            ];
            let told = play(&bench, &geometry, &offers, &steps);
            assert!(told.items() > 100, "{wait}");
        }
    }
}
