//! Drives the pipeline model through its ports and holds what comes out to a functional filter that is told the same
//! items and writes in the order the ports took them.

use super::Shape;
use bloomline_model::{
    BitsSet, Event, Fetched, ForceCause, Inputs, Outcome, Outputs, PipelineModel, RecyclingFilter,
};
use bloomline_spec::registers::address::HASH_KEY;
use bloomline_spec::registers::{address, RecyclingCounter};
use bloomline_spec::{HalfRole, Key, Operation, RecyclingGeometry};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// How the streams behave.
#[derive(Debug, Clone, Copy)]
pub struct Traffic {
    /// Percentage of clocks in which an item waits to be taken.
    pub items: u32,
    /// Percentage of clocks in which a verdict is taken.
    pub verdict_ready: u32,
    /// Percentage of clocks in which the host takes a response.
    pub response_ready: u32,
    /// Keys are drawn from 0 up to this.
    pub keys: u32,
}

impl Traffic {
    /// An item and a verdict in every clock.
    pub const FULL: Traffic = Traffic {
        items: 100,
        verdict_ready: 100,
        response_ready: 100,
        keys: 600,
    };
    /// Holes everywhere.
    pub const HOLES: Traffic = Traffic {
        items: 60,
        verdict_ready: 55,
        response_ready: 50,
        keys: 600,
    };
}

/// What the host does over AXI4-Lite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Write { address: u8, data: u32, strobes: u8 },
    Read { address: u8 },
}

#[derive(Debug)]
enum Entry {
    Item {
        key: Key,
        operation: Operation,
        tag: u64,
    },
    /// Under another secret from then on, if there is one.
    Clear(Option<u128>),
    Threshold(u64),
}

/// The model, the functional filter behind, and what is expected of the ports.
pub struct Harness {
    pub geometry: RecyclingGeometry,
    pub model: PipelineModel,
    pub expected: RecyclingFilter,
    pub random: ChaCha8Rng,
    pub traffic: Traffic,
    pub accesses: VecDeque<Access>,
    pub answers: Vec<(Access, u32, u32)>,
    /// If set, keys come from this list and not from `traffic.keys`.
    pub key_list: Vec<Key>,
    pub verdicts_compared: u64,
    pub accepted: u64,
    pub outcomes: Vec<Outcome>,
    /// Clocks since the last reset in which `ready` was low, those right behind reset and those that an item takes not counted.
    pub ready_low: u64,
    totals: [u64; 4],
    name: String,
    to_decision: u64,
    entries: VecDeque<(u64, Entry)>,
    verdicts: VecDeque<(u64, u64)>,
    offered: Option<(Key, u8, u64)>,
    driven: Option<Driven>,
    last: Option<(Inputs, Outputs)>,
    /// As the HASH_KEY registers hold it.
    next_secret: u128,
    /// Recycles by rekey.
    pub rekeys: u64,
    /// Words fetched, each held to the functional filter.
    pub fetches: u64,
    /// As the array registers hold them.
    array_address: u32,
    array_data: u32,
    /// Writes of bits to the array, each held to it too.
    pub sets: u64,
}

/// The access under way and which of its channels have been offered.
#[derive(Debug, Clone, Copy)]
struct Driven {
    access: Access,
    address_offered: bool,
    data_offered: bool,
    accepted: bool,
}

impl Harness {
    pub fn new(shape: Shape, traffic: Traffic, seed: u64) -> Harness {
        let name = format!("{shape:?} {traffic:?} seed {seed}");
        Harness::on(shape.geometry(), name, traffic, seed)
    }

    /// On a geometry that is no [`Shape`]; `name` stands in failures.
    pub fn on(geometry: RecyclingGeometry, name: String, traffic: Traffic, seed: u64) -> Harness {
        let timing = geometry.timing();
        let mut model = PipelineModel::new(&geometry);
        model.keep_events();
        Harness {
            model,
            expected: RecyclingFilter::new(&geometry),
            random: ChaCha8Rng::seed_from_u64(seed),
            traffic,
            accesses: VecDeque::new(),
            answers: Vec::new(),
            key_list: Vec::new(),
            verdicts_compared: 0,
            accepted: 0,
            outcomes: Vec::new(),
            ready_low: 0,
            totals: [0; 4],
            name,
            to_decision: u64::from(timing.front_clocks + timing.decision_stage),
            entries: VecDeque::new(),
            verdicts: VecDeque::new(),
            offered: None,
            driven: None,
            last: None,
            next_secret: geometry.hash().secret.unwrap_or(0),
            rekeys: 0,
            fetches: 0,
            array_address: 0,
            array_data: 0,
            sets: 0,
            geometry,
        }
    }

    pub fn run(&mut self, clocks: u64) {
        for _ in 0..clocks {
            self.clock(false);
        }
    }

    pub fn reset(&mut self, clocks: u64) {
        for _ in 0..clocks {
            self.clock(true);
        }
    }

    /// Runs until every access asked for has been answered.
    pub fn finish_accesses(&mut self) {
        for _ in 0..200_000 {
            if self.accesses.is_empty() && self.driven.is_none() {
                return;
            }
            self.clock(false);
        }
        panic!("{}: accesses unanswered", self.name);
    }

    pub fn write(&mut self, address: u32, data: u32) {
        self.accesses.push_back(Access::Write {
            address: address as u8,
            data,
            strobes: 0b1111,
        });
    }

    pub fn read_now(&mut self, address: u32) -> (u32, u32) {
        self.accesses.push_back(Access::Read {
            address: address as u8,
        });
        self.finish_accesses();
        let (_, data, response) = self.answers[self.answers.len() - 1];
        (data, response)
    }

    fn percent(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    fn inputs(&mut self, reset: bool) -> Inputs {
        let mut inputs = Inputs {
            reset,
            ..Inputs::default()
        };
        if self.offered.is_none() && self.percent(self.traffic.items) {
            let key = match self.key_list.len() {
                0 => {
                    let value = u128::from(self.random.random_range(0..self.traffic.keys));
                    Key::from_integer(value, self.geometry.key_bits()).expect("small keys fit")
                }
                keys => self.key_list[self.random.random_range(0..keys)],
            };
            let code = [0, 1, 2, 2, 2, 2, 2, 3][self.random.random_range(0..8)];
            self.offered = Some((key, code, self.random.random_range(0..1 << 16)));
        }
        if let Some((key, code, tag)) = self.offered {
            inputs.s_item_tvalid = true;
            inputs.set_key(&key);
            inputs.s_item_tuser = code.into();
            inputs.s_item_tid = tag;
        }
        inputs.m_verdict_tready = self.percent(self.traffic.verdict_ready);
        inputs.s_axil_bready = self.percent(self.traffic.response_ready);
        inputs.s_axil_rready = self.percent(self.traffic.response_ready);
        self.drive_bus(&mut inputs);
        inputs
    }

    fn drive_bus(&mut self, inputs: &mut Inputs) {
        if self.driven.is_none() {
            self.driven = self.accesses.pop_front().map(|access| Driven {
                access,
                address_offered: false,
                data_offered: false,
                accepted: false,
            });
        }
        let (address_now, data_now) = (self.percent(70), self.percent(70));
        let Some(driven) = &mut self.driven else {
            return;
        };
        if driven.accepted {
            return;
        }
        driven.address_offered |= address_now;
        driven.data_offered |= data_now;
        match driven.access {
            Access::Write {
                address,
                data,
                strobes,
            } => {
                inputs.s_axil_awvalid = driven.address_offered;
                inputs.s_axil_awaddr = address;
                inputs.s_axil_wvalid = driven.data_offered;
                inputs.s_axil_wdata = data;
                inputs.s_axil_wstrb = strobes;
            }
            Access::Read { address } => {
                inputs.s_axil_arvalid = driven.address_offered;
                inputs.s_axil_araddr = address;
            }
        }
    }

    fn clock(&mut self, reset: bool) {
        let now = self.model.now();
        let outputs = self.model.outputs();
        let within_interval = self.model.within_interval();
        let inputs = self.inputs(reset);
        self.check_protocol(&inputs, &outputs);
        self.model.clock(&inputs);
        self.model
            .check()
            .unwrap_or_else(|broken| panic!("{}: {broken}", self.name));

        let counted = self.last.as_ref().is_some_and(|(before, _)| !before.reset);
        self.ready_low += u64::from(!outputs.s_item_tready && counted && !within_interval);
        if inputs.s_item_tvalid && outputs.s_item_tready {
            let (key, code, tag) = self.offered.take().expect("valid stands for an item");
            let operation = Operation::from_code(code);
            self.accepted += 1;
            self.entries.push_back((
                now,
                Entry::Item {
                    key,
                    operation,
                    tag,
                },
            ));
        }
        if outputs.m_verdict_tvalid && inputs.m_verdict_tready && !reset {
            let expected = self.verdicts.pop_front();
            let got = outputs.m_verdict_tdata.zip(outputs.m_verdict_tid);
            assert_eq!(got, expected, "{} clock {now}: verdict", self.name);
            self.verdicts_compared += 1;
        }
        self.follow_bus(now, &inputs, &outputs);
        self.decide(now, reset);
        if reset {
            self.entries.clear();
            self.verdicts.clear();
            self.driven = None;
            self.totals = [0; 4];
            self.ready_low = 0;
            self.expected.clear();
            // A rekey that had not come into force is dropped: which it was, only the model knows.
            if let Some(secret) = self.model.filter().hasher().secret() {
                self.expected.set_secret(secret);
            }
            self.expected.set_threshold(self.geometry.threshold());
            (self.array_address, self.array_data) = (0, 0);
        }
        self.last = Some((inputs, outputs));
    }

    /// Applies, in order, what entered so long ago that it is decided in this clock.
    fn decide(&mut self, now: u64, reset: bool) {
        while self
            .entries
            .front()
            .is_some_and(|(entered, _)| entered + self.to_decision <= now)
        {
            match self.entries.pop_front() {
                Some((
                    _,
                    Entry::Item {
                        key,
                        operation,
                        tag,
                    },
                )) => {
                    let outcome = self.expected.apply(&key, operation);
                    self.outcomes.push(outcome);
                    let counts = [true, outcome.seen(), outcome.wrote(), outcome.tripped];
                    self.totals
                        .iter_mut()
                        .zip(counts)
                        .for_each(|(total, count)| *total += u64::from(count));
                    if operation.has_verdict() && !reset {
                        self.verdicts
                            .push_back((outcome.flags().to_bits().into(), tag));
                    }
                }
                Some((_, Entry::Clear(secret))) => {
                    self.expected.clear();
                    if let Some(secret) = secret {
                        self.expected.set_secret(secret);
                    }
                }
                Some((_, Entry::Threshold(threshold))) => self.expected.set_threshold(threshold),
                None => {}
            }
        }
        for event in self.model.drain_events().collect::<Vec<_>>() {
            let cause = match event {
                Event::Force { cause, .. } => cause,
                Event::Fetch(fetched) => {
                    self.check_fetch(fetched);
                    continue;
                }
                Event::Set(set) => {
                    self.check_set(set);
                    continue;
                }
                Event::Item(_) => continue,
            };
            match cause {
                ForceCause::Emptying => continue,
                ForceCause::Age | ForceCause::Command => self.expected.recycle(),
                ForceCause::Rekey => {
                    self.expected.rekey(self.next_secret);
                    self.rekeys += 1;
                }
            }
            self.totals[RecyclingCounter::Recycles as usize] += 1;
        }
    }

    /// The word is the one asked for, as every item left it that came before the fetch and none that came after.
    fn check_fetch(&mut self, fetched: Fetched) {
        let Fetched {
            half, bank, word, ..
        } = fetched;
        let place = format!("{} {fetched:?}", self.name);
        assert_eq!(
            self.geometry.array_address(half, bank, word),
            self.array_address,
            "{place}: address"
        );
        let of_items = |(entered, entry): &(u64, Entry)| {
            matches!(entry, Entry::Item { .. }).then_some(*entered)
        };
        let undecided = self.entries.iter().filter_map(of_items).min();
        assert!(
            undecided.is_none_or(|entered| entered > fetched.issued),
            "{place}: an item before it is undecided"
        );
        assert_eq!(
            fetched.data,
            self.expected.word(half, bank, word),
            "{place}"
        );
        self.array_data = fetched.data;
        self.fetches += 1;
    }

    /// The bits are those written last, and set what the functional model says while no item is undecided.
    fn check_set(&mut self, set: BitsSet) {
        let place = format!("{} {set:?}", self.name);
        let address = self
            .geometry
            .array_address(HalfRole::Active, set.bank, set.word);
        let half = 1u32.wrapping_shl(self.geometry.array_address_bits() - 1);
        let half = if self.geometry.phases() == 2 { half } else { 0 };
        assert_eq!(address, self.array_address & !half, "{place}: address");
        assert_eq!(set.bits, self.array_data, "{place}: bits");
        assert!(
            self.entries
                .iter()
                .all(|(_, entry)| !matches!(entry, Entry::Item { .. })),
            "{place}: an item is undecided"
        );
        assert_eq!(
            set.new_bits,
            self.expected.set_word(set.bank, set.word, set.bits),
            "{place}"
        );
        self.sets += 1;
    }

    fn keyed(&self) -> bool {
        self.geometry.hash().secret.is_some()
    }

    fn per_half(&self) -> bool {
        self.keyed() && self.geometry.phases() == 2
    }

    fn follow_bus(&mut self, now: u64, inputs: &Inputs, outputs: &Outputs) {
        let Some(mut driven) = self.driven else {
            return;
        };
        let written = !inputs.reset
            && inputs.s_axil_awvalid
            && outputs.s_axil_awready
            && inputs.s_axil_wvalid
            && outputs.s_axil_wready;
        let addressed = inputs.s_axil_arvalid && outputs.s_axil_arready;
        driven.accepted |= written || addressed;
        self.driven = Some(driven);
        if let (
            true,
            Access::Write {
                address,
                data,
                strobes: 0b1111,
            },
        ) = (written, driven.access)
        {
            // It acts between the last item accepted before ready falls, two clocks on, and the first after.
            match u32::from(address) {
                address::CONTROL if data == 1 => {
                    self.entries.push_back((now + 2, Entry::Clear(None)));
                }
                // With two phases a rekey alone recycles, of which an event tells.
                address::CONTROL
                    if self.keyed() && (data == 3 || (data == 2 && !self.per_half())) =>
                {
                    let entry = Entry::Clear(Some(self.next_secret));
                    self.entries.push_back((now + 2, entry));
                }
                byte if self.keyed() && (HASH_KEY..HASH_KEY + 16).contains(&byte) => {
                    let lowest_bit = 8 * (byte - HASH_KEY);
                    self.next_secret &= !(u128::from(u32::MAX) << lowest_bit);
                    self.next_secret |= u128::from(data) << lowest_bit;
                }
                address::THRESHOLD if data >> self.geometry.count_bits() == 0 => {
                    self.entries
                        .push_back((now + 2, Entry::Threshold(u64::from(data))));
                }
                address::ARRAY_DATA => self.array_data = data,
                address::ARRAY_ADDRESS if data >> self.geometry.array_address_bits() == 0 => {
                    self.array_address = data;
                }
                _ => {}
            }
            self.entries
                .make_contiguous()
                .sort_by_key(|(entered, _)| *entered);
        } else if !self.entries.is_empty() {
            self.entries
                .make_contiguous()
                .sort_by_key(|(entered, _)| *entered);
        }
        if outputs.s_axil_bvalid && inputs.s_axil_bready {
            self.answers.push((
                driven.access,
                0,
                u32::from(outputs.s_axil_bresp.expect("valid")),
            ));
            self.driven = None;
        }
        if outputs.s_axil_rvalid && inputs.s_axil_rready {
            let (data, response) = outputs
                .s_axil_rdata
                .zip(outputs.s_axil_rresp)
                .expect("valid");
            if matches!(driven.access, Access::Read { address } if u32::from(address) == address::ARRAY_DATA)
            {
                assert_eq!(data, self.array_data, "{} clock {now}: word", self.name);
            }
            self.answers
                .push((driven.access, data, u32::from(response)));
            self.driven = None;
        }
    }

    /// A valid does not fall, nor its payload change, until it is taken (reset aside).
    fn check_protocol(&self, inputs: &Inputs, outputs: &Outputs) {
        let Some((was_in, was)) = &self.last else {
            return;
        };
        let place = format!("{} clock {}", self.name, self.model.now());
        if was_in.reset {
            assert!(
                !outputs.s_item_tready && !outputs.m_verdict_tvalid,
                "{place}: reset"
            );
            assert!(
                !outputs.s_axil_bvalid && !outputs.s_axil_rvalid,
                "{place}: reset"
            );
            return;
        }
        if was.m_verdict_tvalid && !was_in.m_verdict_tready {
            let payload = |outputs: &Outputs| (outputs.m_verdict_tdata, outputs.m_verdict_tid);
            assert!(outputs.m_verdict_tvalid, "{place}: verdict valid fell");
            assert_eq!(payload(outputs), payload(was), "{place}: verdict changed");
        }
        if was.s_axil_bvalid && !was_in.s_axil_bready {
            assert_eq!(
                outputs.s_axil_bresp, was.s_axil_bresp,
                "{place}: write response fell or changed"
            );
        }
        if was.s_axil_rvalid && !was_in.s_axil_rready {
            let payload = |outputs: &Outputs| (outputs.s_axil_rdata, outputs.s_axil_rresp);
            assert_eq!(
                payload(outputs),
                payload(was),
                "{place}: read response fell or changed"
            );
        }
        let item = |inputs: &Inputs| (inputs.s_item_tdata, inputs.s_item_tuser, inputs.s_item_tid);
        if was_in.s_item_tvalid && !was.s_item_tready {
            assert_eq!(
                item(inputs),
                item(was_in),
                "{place}: the test's own item stream breaks the rules"
            );
        }
    }

    /// Lets everything leave the pipeline and compares what remains: verdicts, counts and counters.
    pub fn settle(&mut self) {
        let traffic = self.traffic;
        self.finish_accesses();
        self.traffic = Traffic {
            items: 0,
            ..traffic
        };
        if self.offered.is_some() {
            self.run(2_000);
            assert!(
                self.offered.is_none(),
                "{}: an item was never taken",
                self.name
            );
        }
        self.run(2_000);
        // A recycle by age may be under way: counted or stalling already, but not told. Events are counted two clocks on.
        let mut ready_clocks = 0;
        for _ in 0..2_000 {
            if ready_clocks == 3 {
                break;
            }
            let ready = self.model.outputs().s_item_tready;
            ready_clocks = if ready { ready_clocks + 1 } else { 0 };
            self.run(1);
        }
        assert!(
            self.verdicts.is_empty(),
            "{}: {} verdicts never came",
            self.name,
            self.verdicts.len()
        );
        let status = self.model.status();
        let (expected, got) = (&self.expected, status);
        assert_eq!(
            u64::from(got.bits_active),
            expected.bits_active(),
            "{}: bits active",
            self.name
        );
        assert_eq!(
            u64::from(got.bits_frozen),
            expected.bits_frozen(),
            "{}: bits frozen",
            self.name
        );
        assert_eq!(
            u64::from(got.messages),
            expected.messages(),
            "{}: messages",
            self.name
        );
        assert_eq!(
            got.counters[..4],
            self.totals,
            "{}: items, seen, inserted, recycles",
            self.name
        );
        let stalls: u64 = [
            RecyclingCounter::StallControl,
            RecyclingCounter::StallRecycle,
            RecyclingCounter::StallVerdict,
        ]
        .map(|c| got.counter(c))
        .iter()
        .sum();
        assert_eq!(
            stalls, self.ready_low,
            "{}: clocks with ready low",
            self.name
        );
        self.traffic = traffic;
    }
}
