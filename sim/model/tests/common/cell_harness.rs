//! Drives the pipeline model of a filter of cells through its ports and holds what comes out to a functional filter that is
//! told the same items and writes in the order the ports took them.

use super::cell_sample::CellSample;
use bloomline_model::{CellFilter, CellPipelineModel, Inputs, Outputs};
use bloomline_spec::registers::{address, CellCounter, RegisterMap};
use bloomline_spec::{CellGeometry, CellOperation, CellVerdict, FilterKind, Key};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// How the streams behave, in percent of the clocks, and how many keys there are: at most 256, and the low eight bits of a
/// tag say which.
#[derive(Debug, Clone, Copy)]
pub struct CellTraffic {
    pub items: u32,
    pub verdict_ready: u32,
    pub response_ready: u32,
    pub keys: u32,
}

impl CellTraffic {
    /// An item and a verdict in every clock.
    pub const FULL: CellTraffic = CellTraffic {
        items: 100,
        verdict_ready: 100,
        response_ready: 100,
        keys: 40,
    };
    /// Holes everywhere.
    pub const HOLES: CellTraffic = CellTraffic {
        items: 60,
        verdict_ready: 55,
        response_ready: 50,
        keys: 40,
    };
}

/// What the host does over AXI4-Lite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    Write { address: u32, data: u32 },
    Read { address: u32 },
}

#[derive(Debug)]
enum Entry {
    Item(Offered),
    /// With the secret that comes into force.
    Clear {
        secret: Option<u128>,
    },
    Fetch {
        address: u32,
    },
    Store {
        address: u32,
        data: u32,
    },
}

#[derive(Debug, Clone, Copy)]
struct Offered {
    key: Key,
    user: u64,
    tag: u64,
}

/// The model, the functional filter behind, and what is expected of the ports.
pub struct CellHarness {
    pub geometry: CellGeometry,
    pub model: CellPipelineModel,
    pub expected: CellFilter,
    pub random: ChaCha8Rng,
    pub traffic: CellTraffic,
    pub host: VecDeque<Host>,
    /// What reads answered: data and response; writes answer with data 0.
    pub answers: Vec<(Host, u32, u32)>,
    pub verdicts_compared: u64,
    /// Clocks since the last reset in which `ready` was low, those right behind reset not counted.
    pub ready_low: u64,
    /// Those of them in which the item before still has the array.
    pub folding: u64,
    totals: [u64; 6],
    name: String,
    to_decision: u64,
    array_address: u32,
    array_data: u32,
    next_secret: u128,
    /// In force before the last rekey was asked for, and after it.
    secrets: [u128; 2],
    /// By the clock they entered in.
    entries: VecDeque<(u64, Entry)>,
    verdicts: VecDeque<(u64, u64)>,
    offered: Option<Offered>,
    under_way: Option<(Host, bool)>,
    was_reset: bool,
    /// Clock from which the last item lets another in.
    next_item: u64,
}

impl CellHarness {
    pub fn new(shape: CellSample, traffic: CellTraffic, seed: u64) -> CellHarness {
        let geometry = shape.geometry();
        let timing = geometry.timing();
        CellHarness {
            model: CellPipelineModel::new(&geometry),
            expected: CellFilter::new(&geometry),
            random: ChaCha8Rng::seed_from_u64(seed),
            traffic,
            host: VecDeque::new(),
            answers: Vec::new(),
            verdicts_compared: 0,
            ready_low: 0,
            folding: 0,
            next_item: 0,
            totals: [0; 6],
            name: format!("{shape:?} {traffic:?} seed {seed}"),
            to_decision: (timing.front_clocks + timing.fold_clocks + timing.decision_stage).into(),
            array_address: 0,
            array_data: 0,
            next_secret: geometry.hash().secret.unwrap_or(0),
            secrets: [geometry.hash().secret.unwrap_or(0); 2],
            entries: VecDeque::new(),
            verdicts: VecDeque::new(),
            offered: None,
            under_way: None,
            was_reset: true,
            geometry,
        }
    }

    pub fn run(&mut self, clocks: u64) {
        (0..clocks).for_each(|_| self.clock(false));
    }

    pub fn reset(&mut self, clocks: u64) {
        (0..clocks).for_each(|_| self.clock(true));
    }

    pub fn write(&mut self, address: u32, data: u32) {
        self.host.push_back(Host::Write { address, data });
    }

    /// Runs until the host has its answers.
    pub fn finish_host(&mut self) {
        for _ in 0..200_000 {
            if self.host.is_empty() && self.under_way.is_none() {
                return;
            }
            self.clock(false);
        }
        panic!("{}: the host was not answered", self.name);
    }

    /// Reads a register; everything asked for before is answered first.
    pub fn read_now(&mut self, address: u32) -> (u32, u32) {
        self.host.push_back(Host::Read { address });
        self.finish_host();
        let (_, data, response) = self.answers[self.answers.len() - 1];
        (data, response)
    }

    /// Asks for a random register write, or a read of the array's word.
    pub fn ask_anything(&mut self) {
        let address_bits = self.geometry.array_address_bits();
        let request = match self.random.random_range(0..8) {
            0 => Host::Write {
                address: address::CONTROL,
                data: self.random.random_range(0..4),
            },
            // not of a keyed hash: an unmapped address
            1 if self.random.random_bool(0.3) => Host::Write {
                address: address::HASH_KEY + 4 * self.random.random_range(0..4),
                data: self.random.random(),
            },
            1 if self.geometry.kind() != FilterKind::Static => Host::Write {
                address: address::THRESHOLD,
                data: self.random.random_range(0..4),
            },
            1..=3 => Host::Write {
                address: address::ARRAY_ADDRESS,
                data: self.random.random_range(0..1 << address_bits),
            },
            4 | 5 => Host::Write {
                address: address::ARRAY_DATA,
                data: self.random.random(),
            },
            _ => Host::Read {
                address: address::ARRAY_DATA,
            },
        };
        self.host.push_back(request);
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
            let value = self.random.random_range(0..self.traffic.keys);
            self.offered = Some(Offered {
                key: Key::from_integer(value.into(), self.geometry.key_bits()).expect("fits"),
                user: self
                    .random
                    .random_range(0..1 << self.geometry.operation_bits()),
                tag: self.random.random_range(0..256_u64) << 8 | u64::from(value),
            });
        }
        if let Some(item) = self.offered {
            inputs.s_item_tvalid = true;
            inputs.set_key(&item.key);
            inputs.s_item_tuser = item.user;
            inputs.s_item_tid = item.tag;
        }
        inputs.m_verdict_tready = self.percent(self.traffic.verdict_ready);
        inputs.s_axil_bready = self.percent(self.traffic.response_ready);
        inputs.s_axil_rready = self.percent(self.traffic.response_ready);
        if self.under_way.is_none() {
            self.under_way = self.host.pop_front().map(|request| (request, false));
        }
        match self.under_way {
            Some((Host::Write { address, data }, false)) => {
                inputs.s_axil_awvalid = true;
                inputs.s_axil_awaddr = address as u8;
                inputs.s_axil_wvalid = true;
                inputs.s_axil_wdata = data;
                inputs.s_axil_wstrb = 15;
            }
            Some((Host::Read { address }, false)) => {
                inputs.s_axil_arvalid = true;
                inputs.s_axil_araddr = address as u8;
            }
            _ => {}
        }
        inputs
    }

    fn clock(&mut self, reset: bool) {
        let now = self.model.now();
        let outputs = self.model.outputs();
        let inputs = self.inputs(reset);
        self.model.clock(&inputs);
        self.model
            .check()
            .unwrap_or_else(|broken| panic!("{}: {broken}", self.name));

        let behind_item = now < self.next_item;
        assert!(
            !(outputs.s_item_tready && behind_item),
            "{} clock {now}: ready while probes are to be issued",
            self.name
        );
        let ready_low = !outputs.s_item_tready && !self.was_reset;
        self.ready_low += u64::from(ready_low);
        self.folding += u64::from(ready_low && behind_item);
        if inputs.s_item_tvalid && outputs.s_item_tready {
            let item = self.offered.take().expect("valid stands for an item");
            let operation = CellOperation::from_code(item.user, self.geometry.removes());
            self.next_item = now + u64::from(self.geometry.timing().item_clocks(operation));
            self.enter(now, Entry::Item(item));
        }
        if outputs.m_verdict_tvalid && inputs.m_verdict_tready && !reset {
            let expected = self.verdicts.pop_front();
            let got = outputs.m_verdict_tdata.zip(outputs.m_verdict_tid);
            assert_eq!(got, expected, "{} clock {now}: verdict", self.name);
            self.verdicts_compared += 1;
        }
        if reset {
            self.forget();
        } else {
            self.decide(now);
            self.follow_host(now, &inputs, &outputs);
        }
        self.was_reset = reset;
    }

    /// Keeps the entries in the order they entered in; a write that acts stands up to two clocks ahead of its time.
    fn enter(&mut self, clock: u64, entry: Entry) {
        let behind = self
            .entries
            .partition_point(|(entered, _)| *entered <= clock);
        self.entries.insert(behind, (clock, entry));
    }

    fn forget(&mut self) {
        self.entries.clear();
        self.verdicts.clear();
        self.under_way = None;
        self.totals = [0; 6];
        self.ready_low = 0;
        self.folding = 0;
        self.next_item = 0;
        self.array_address = 0;
        self.array_data = 0;
        // A reset drops a rekey that is pending, and leaves the secret alone once it is in force.
        let secret = self.model.filter().hasher().secret().unwrap_or(0);
        assert!(self.secrets.contains(&secret), "{}: secret", self.name);
        self.secrets = [secret; 2];
        self.expected = CellFilter::new(&self.geometry);
        self.expected.set_secret(secret);
    }

    /// Applies, in order, what entered so long ago that it is decided in this clock.
    fn decide(&mut self, now: u64) {
        while let Some((entered, _)) = self.entries.front() {
            if entered + self.to_decision > now {
                return;
            }
            match self.entries.pop_front() {
                Some((_, Entry::Item(item))) => self.decide_item(item),
                Some((_, Entry::Clear { secret })) => {
                    self.expected.clear();
                    if let Some(secret) = secret {
                        self.expected.set_secret(secret);
                    }
                }
                Some((_, Entry::Fetch { address })) => {
                    self.array_data = self.expected.word(address.into());
                }
                Some((_, Entry::Store { address, data })) => {
                    self.expected.set_word(address.into(), data);
                }
                None => {}
            }
        }
    }

    fn decide_item(&mut self, item: Offered) {
        let operation = CellOperation::from_code(item.user, self.geometry.removes());
        let outcome = self
            .expected
            .apply(&item.key, operation, (item.user >> 2) as u32);
        let verdict: CellVerdict = outcome.verdict;
        let data = match self.geometry.kind() {
            FilterKind::Static => verdict.seen.into(),
            _ => verdict.to_bits(),
        };
        let counts = [
            true,
            data & 1 == 1,
            operation.inserts(),
            operation == CellOperation::Remove,
            verdict.underflow,
            verdict.saturated && operation != CellOperation::Query,
        ];
        self.totals
            .iter_mut()
            .zip(counts)
            .for_each(|(total, count)| *total += u64::from(count));
        if operation.has_verdict() {
            self.verdicts.push_back((data, item.tag));
        }
    }

    fn follow_host(&mut self, now: u64, inputs: &Inputs, outputs: &Outputs) {
        let Some((request, taken)) = &mut self.under_way else {
            return;
        };
        let request = *request;
        let written = inputs.s_axil_awvalid && outputs.s_axil_awready;
        *taken |= written || (inputs.s_axil_arvalid && outputs.s_axil_arready);
        if let (true, Host::Write { address, data }) = (written, request) {
            self.written(now, address, data);
        }
        if outputs.s_axil_bvalid && inputs.s_axil_bready {
            let response = outputs.s_axil_bresp.expect("valid");
            self.answers.push((request, 0, response.into()));
            self.under_way = None;
        }
        if outputs.s_axil_rvalid && inputs.s_axil_rready {
            let (data, response) = outputs
                .s_axil_rdata
                .zip(outputs.s_axil_rresp)
                .expect("valid");
            if request
                == (Host::Read {
                    address: address::ARRAY_DATA,
                })
            {
                assert_eq!(data, self.array_data, "{} clock {now}: word", self.name);
            }
            self.answers.push((request, data, response.into()));
            self.under_way = None;
        }
    }

    /// A write that acts in this clock falls between the last item accepted before ready falls, two clocks on, and the
    /// first after. A threshold is what items meet that are decided from the next clock on.
    fn written(&mut self, now: u64, address: u32, data: u32) {
        let legal = RegisterMap::of(&self.geometry)
            .at(address)
            .is_some_and(|register| register.access.is_writable() && data <= register.max_value());
        if !legal {
            return;
        }
        let entry = match address {
            address::CONTROL if data > 0 => {
                let secret = (data & 2 > 0).then_some(self.next_secret);
                if let Some(secret) = secret {
                    self.secrets = [self.secrets[1], secret];
                }
                Entry::Clear { secret }
            }
            address::ARRAY_ADDRESS => {
                self.array_address = data;
                Entry::Fetch { address: data }
            }
            address::ARRAY_DATA => {
                self.array_data = data;
                let address = self.array_address;
                Entry::Store { address, data }
            }
            address::THRESHOLD => return self.expected.set_threshold(data),
            address::HASH_KEY..address::COUNTERS => {
                let lowest_bit = 8 * (address - address::HASH_KEY);
                self.next_secret &= !(0xffff_ffff << lowest_bit);
                self.next_secret |= u128::from(data) << lowest_bit;
                return;
            }
            _ => return,
        };
        self.enter(now + 2, entry);
    }

    /// Lets everything leave the pipeline and compares what remains: verdicts, cells and counters.
    pub fn settle(&mut self) {
        let traffic = self.traffic;
        self.finish_host();
        self.traffic.items = 0;
        self.run(2_000);
        assert!(
            self.offered.is_none(),
            "{}: an item was never taken",
            self.name
        );
        assert!(self.verdicts.is_empty(), "{}: verdicts missing", self.name);
        for address in 0..u64::from(self.geometry.banks()) * self.geometry.words_per_bank() {
            assert_eq!(
                self.model.filter().word(address),
                self.expected.word(address),
                "{}: word {address}",
                self.name
            );
        }
        let status = self.model.status();
        let places = [
            CellCounter::Items,
            CellCounter::Reported,
            CellCounter::Inserted,
            CellCounter::Removed,
            CellCounter::Underflows,
            CellCounter::Saturated,
        ];
        for (counter, total) in places.into_iter().zip(self.totals) {
            let has = self.geometry.counters().contains(&counter);
            let expected = if has { total } else { 0 };
            assert_eq!(
                status.counter(counter),
                expected,
                "{}: {counter:?}",
                self.name
            );
        }
        let stalls =
            status.counter(CellCounter::StallControl) + status.counter(CellCounter::StallVerdict);
        // A clock whose only reason is that probes are still to be issued is no stall; other reasons may fall on it.
        assert!(
            (self.ready_low - self.folding..=self.ready_low).contains(&stalls),
            "{}: {stalls} stalls, {} clocks with ready low, {} of them behind an item",
            self.name,
            self.ready_low,
            self.folding
        );
        self.traffic = traffic;
    }
}
