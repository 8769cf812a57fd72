//! Named hard cases of filters of cells: what is offered and written is listed, and the emitted Verilog must equal the model on
//! every port in every clock.

use crate::setup::simulation;
use bloomline_bench::filter::{emitted_design, CellReference};
use bloomline_bench::lockstep::{Bench, Stimulus};
use bloomline_bench::verilator::Initial;
use bloomline_model::{CellEvent, Inputs, ProbeHasher};
use bloomline_spec::registers::address;
use bloomline_spec::{CellGeometry, Key};
use std::cell::RefCell;

/// Words of the packed outputs that the player looks at; their order is that of the ports.
const TREADY: usize = 0;
const AWREADY: usize = 4;
const BVALID: usize = 6;
const ARREADY: usize = 8;
const RVALID: usize = 9;

/// What is done beside the items.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// Nothing for so many clocks.
    Run(u64),
    /// A register write, until its response.
    Write(u32, u32),
    /// A register read, until its response.
    Read(u32),
    /// Reset for so many clocks.
    Reset(u64),
    /// A register write with a reset in the clock so many clocks after it was offered.
    WriteMeetsReset(u32, u32, u64),
}

/// What is offered on the item port: a key with its operation (and amount), or nothing for a clock.
pub type Offer = Option<(Key, u64)>;

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
            Step::WriteMeetsReset(byte, data, after) => {
                (now.s_axil_awvalid, now.s_axil_wvalid) = (!self.taken, !self.taken);
                (now.s_axil_awaddr, now.s_axil_wdata) = (byte as u8, data);
                self.taken |= shows(AWREADY);
                now.reset = self.clocks_in_step > after;
                now.reset
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
pub struct Told {
    /// In the order of the stream.
    pub events: Vec<CellEvent>,
    /// Clocks in which no epoch value was to spare.
    pub used_up: u64,
}

impl Told {
    /// Items that were decided.
    pub fn items(&self) -> usize {
        let is_item = |event: &&CellEvent| matches!(event, CellEvent::Item(_));
        self.events.iter().filter(is_item).count()
    }
}

/// A bench with the emitted filter of a geometry.
///
/// # Panics
/// When it cannot be built.
pub fn bench(geometry: &CellGeometry) -> Bench {
    let (design, _) = emitted_design(geometry).expect("emit");
    Bench::new(simulation(&design))
}

/// Plays on the Verilog.
///
/// # Panics
/// With the place, unless every port equals the model's in every clock.
pub fn play(bench: &Bench, geometry: &CellGeometry, offers: &[Offer], steps: &[Step]) -> Told {
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

/// The key of a small number.
///
/// # Panics
/// When the number does not fit a key.
pub fn key(geometry: &CellGeometry, value: u128) -> Key {
    Key::from_integer(value, geometry.key_bits()).expect("fits")
}

/// Different keys whose probe of bank 0 lies in the given word.
pub fn keys_of_word(geometry: &CellGeometry, word: u32, count: usize) -> Vec<Key> {
    let hasher = ProbeHasher::new(geometry);
    (0_u128..)
        .map(|value| key(geometry, value))
        .filter(|key| hasher.probes(key).positions()[0] >> geometry.lane_bits() == word)
        .take(count)
        .collect()
}
