//! The lane merge on every clock against a model of a few lines, and faults of it that the model tells apart.
//!
//! All twins with a fault stand in one design beside the sound one and have its inputs.

use bloomline_bench::verilator::{Design, Initial, Port};
use bloomline_hdl::linecard::LaneMerge;
use bloomline_language::emit::{self, Options};
use bloomline_tests::faults::{all_are_caught, module_with_fault, Fault, FaultTable};
use bloomline_tests::{runs, simulation};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rust_hdl::prelude::Block;
use std::collections::VecDeque;

const KEY_BITS: usize = 20;
const OPERATION_BITS: usize = 2;
const TAG_BITS: usize = 3;
/// Frames that wait in a lane's queue; three more may be behind it with their verdicts to come.
const FRAMES: usize = 8;
const MOST: usize = FRAMES + 3;
const CLOCKS: u64 = 6_000;

const INPUTS: [(&str, usize); 12] = [
    ("reset", 1),
    ("item_0_tvalid", 1),
    ("item_0_tdata", KEY_BITS),
    ("item_0_tuser", OPERATION_BITS),
    ("item_1_tvalid", 1),
    ("item_1_tdata", KEY_BITS),
    ("item_1_tuser", OPERATION_BITS),
    ("verdict_0_tready", 1),
    ("verdict_1_tready", 1),
    ("item_tready", 1),
    ("verdict_tvalid", 1),
    // tag of the verdict, and above it its bit 0
    ("verdict", TAG_BITS + 1),
];

const OUTPUTS: [(&str, usize); 13] = [
    ("item_0_tready", 1),
    ("item_1_tready", 1),
    ("verdict_0_tvalid", 1),
    ("verdict_0_seen", 1),
    ("verdict_1_tvalid", 1),
    ("verdict_1_seen", 1),
    ("item_tvalid", 1),
    ("item_tdata", KEY_BITS),
    ("item_tuser", OPERATION_BITS),
    ("item_tid", TAG_BITS),
    ("verdict_tready", 1),
    ("item_taken", 2),
    ("item_seen", 2),
];

/// The contract in a few lines: who is asked, the item that waits, and the verdicts of either lane with the clock from which each may be read and, behind that, is offered.
#[derive(Debug, Default)]
struct Model {
    now: u64,
    lane: usize,
    /// Its lane, key and operation.
    waits: Option<(usize, u64, u64)>,
    verdicts: [VecDeque<(u64, bool)>; 2],
    /// The oldest of those is offered, or on its way out of the memory, from this clock on.
    out: [Option<u64>; 2],
    /// First clock behind the last reset.
    begun: u64,
    taken: [bool; 2],
    seen: [bool; 2],
}

/// One clock of inputs.
#[derive(Debug, Clone, Copy, Default)]
struct Offer {
    reset: bool,
    items: [Option<(u64, u64)>; 2],
    lane_ready: [bool; 2],
    card_ready: bool,
    verdict: Option<(u64, bool)>,
}

impl Offer {
    fn words(&self) -> Vec<u64> {
        let [first, second] = self.items.map(|item| {
            let (key, operation) = item.unwrap_or((0x5_5AA5, 1));
            [item.is_some().into(), key, operation]
        });
        let (tag, seen) = self.verdict.unwrap_or((1, true));
        let mut words = vec![self.reset.into()];
        words.extend(first);
        words.extend(second);
        words.extend(self.lane_ready.map(u64::from));
        words.extend([
            self.card_ready.into(),
            self.verdict.is_some().into(),
            u64::from(seen) << TAG_BITS | tag,
        ]);
        words
    }
}

impl Model {
    /// The verdict that a lane is offered.
    fn offered(&self, lane: usize) -> Option<bool> {
        let is_out = self.out[lane].is_some_and(|from| from <= self.now);
        let first = self.verdicts[lane].front();
        first.filter(|_| is_out).map(|&(_, seen)| seen)
    }

    /// Whether a lane's item is taken in this clock, if it offers one.
    fn asks(&self, lane: usize) -> bool {
        self.waits.is_none() && self.lane == lane
    }

    /// What each output shows; `None` where it means nothing.
    fn outputs(&self) -> [Option<u64>; OUTPUTS.len()] {
        let ready = |lane| u64::from(self.asks(lane));
        let pair = |bits: [bool; 2]| Some(u64::from(bits[1]) << 1 | u64::from(bits[0]));
        let verdict = |lane| {
            let offered = self.offered(lane);
            [Some(offered.is_some().into()), offered.map(u64::from)]
        };
        let [valid_0, seen_0] = verdict(0);
        let [valid_1, seen_1] = verdict(1);
        [
            Some(ready(0)),
            Some(ready(1)),
            valid_0,
            seen_0,
            valid_1,
            seen_1,
            Some(self.waits.is_some().into()),
            self.waits.map(|(_, key, _)| key),
            self.waits.map(|(_, _, operation)| operation),
            self.waits.map(|(lane, ..)| lane as u64),
            Some(1),
            pair(self.taken),
            pair(self.seen),
        ]
    }

    fn clock(&mut self, offer: &Offer) {
        let goes = self.waits.filter(|_| offer.card_ready);
        self.taken = [0, 1].map(|lane| goes.is_some_and(|(of, ..)| of == lane));
        self.seen = [0, 1].map(|lane| {
            offer
                .verdict
                .is_some_and(|(tag, seen)| seen && tag & 1 == lane)
        });
        let turn = (self.now - self.begun) as usize & 1;
        let first = self.verdicts[turn].front();
        if self.out[turn].is_none() && first.is_some_and(|&(from, _)| from <= self.now) {
            self.out[turn] = Some(self.now + 3);
        }
        for lane in [0, 1] {
            if offer.lane_ready[lane] && self.offered(lane).is_some() {
                self.verdicts[lane].pop_front();
                self.out[lane] = None;
            }
        }
        if let Some((tag, seen)) = offer.verdict {
            self.verdicts[tag as usize & 1].push_back((self.now + 2, seen));
        }
        if self.waits.is_none() {
            let item = offer.items[self.lane];
            self.waits = item.map(|(key, operation)| (self.lane, key, operation));
            self.lane = 1 - self.lane;
        } else if goes.is_some() {
            self.waits = None;
        }
        self.now += 1;
        if offer.reset {
            *self = Model {
                now: self.now,
                begun: self.now,
                ..Model::default()
            };
        }
    }
}

/// Two lanes, a card and their moods; offers that stand are not taken back.
struct Traffic {
    rng: ChaCha8Rng,
    offer: Offer,
    /// Chances of: an item of lane 0, of lane 1, a lane taking a verdict, the card taking an item, a verdict.
    chances: [f64; 6],
}

impl Traffic {
    fn new(seed: u64) -> Traffic {
        Traffic {
            rng: ChaCha8Rng::seed_from_u64(seed),
            offer: Offer::default(),
            chances: [1.0; 6],
        }
    }

    /// `asked`: whose items the clock before took.
    fn next(&mut self, model: &Model, asked: [bool; 2]) -> Offer {
        let rng = &mut self.rng;
        if model.now.is_multiple_of(100) {
            let chances = [0.0, 0.1, 0.5, 0.9, 1.0];
            self.chances = std::array::from_fn(|_| chances[rng.random_range(0..5)]);
        }
        for lane in [0, 1] {
            if asked[lane] || self.offer.items[lane].is_none() || self.offer.reset {
                let more = rng.random_bool(self.chances[lane]);
                self.offer.items[lane] =
                    more.then(|| (rng.random_range(0..1 << KEY_BITS), rng.random_range(0..4)));
            }
            self.offer.lane_ready[lane] = rng.random_bool(self.chances[2 + lane]);
        }
        self.offer.card_ready = rng.random_bool(self.chances[4]);
        let tag = rng.random_range(0..1 << TAG_BITS);
        let room = model.verdicts[tag as usize & 1].len() < MOST;
        self.offer.verdict =
            (room && rng.random_bool(self.chances[5])).then(|| (tag, rng.random()));
        self.offer.reset = model.now < 2 || rng.random_bool(0.002);
        self.offer
    }
}

/// `lane_merge` and its twins, the sound one first, with the same inputs.
fn design(faults: &[Fault]) -> Design {
    let mut merge = LaneMerge::new(KEY_BITS, OPERATION_BITS, TAG_BITS, FRAMES);
    merge.connect_all();
    let emitted = emit::verilog(&merge, "lane_merge", &Options::default()).expect("prints");
    let text = emitted.text();
    let wire = |direction: &str, name: &str, width: usize| {
        format!("{direction} wire [{}:0] {name}", width - 1)
    };
    let mut declared = vec!["input wire clock".to_owned()];
    declared.extend(INPUTS.map(|(name, width)| wire("input", name, width)));
    let mut ports: Vec<Port> = INPUTS
        .iter()
        .map(|&(name, width)| Port::input(name, width))
        .collect();
    let mut twins = String::new();
    let mut body = String::new();
    for twin in 0..=faults.len() {
        let module = match twin {
            0 => "lane_merge".to_owned(),
            _ => format!("lane_merge_fault_{twin}"),
        };
        if let Some(fault) = twin.checked_sub(1).map(|i| &faults[i]) {
            if fault.module == "lane_merge" {
                twins += &module_with_fault(&text, fault, &module);
            } else {
                let inner = format!("{}_fault_{twin}", fault.module);
                twins += &module_with_fault(&text, fault, &inner);
                let around = Fault {
                    module: "lane_merge".into(),
                    from: format!("  {} ", fault.module).into(),
                    to: format!("  {inner} ").into(),
                    ..fault.clone()
                };
                twins += &module_with_fault(&text, &around, &module);
            }
        }
        let mut pins: Vec<String> = INPUTS
            .iter()
            .filter(|(name, _)| *name != "verdict")
            .map(|(name, _)| format!(".{name}({name})"))
            .collect();
        pins.push(format!(
            ".clock(clock), .verdict_tid(verdict[{}:0]), .verdict_seen(verdict[{TAG_BITS}])",
            TAG_BITS - 1
        ));
        for (name, width) in OUTPUTS {
            let of_twin = format!("{name}_{twin}");
            pins.push(format!(".{name}({of_twin})"));
            declared.push(wire("output", &of_twin, width));
            ports.push(Port::output(of_twin, width));
        }
        body += &format!("  {module} twin_{twin} ({});\n", pins.join(", "));
    }
    let wrapper = format!(
        "\nmodule merges ({});\n{body}endmodule\n",
        declared.join(", ")
    );
    Design {
        top: "merges".into(),
        clock: Some("clock".into()),
        sources: vec![("merges.sv".into(), text + &twins + &wrapper)],
        ports,
    }
}

#[test]
fn items_come_in_turn_and_verdicts_go_to_their_lanes_and_every_fault_is_caught() {
    let mut faults = FaultTable::load("lane_merge.merge").faults;
    faults.extend(FaultTable::load("lane_merge.verdicts").faults);
    let simulation = simulation(&design(&faults));
    let mut caught = vec![None; faults.len()];
    for seed in 0..runs(1, 4) {
        let mut sim = simulation.open(Initial::Random(seed)).expect("opens");
        let mut outputs = vec![0; sim.output_words()];
        let (mut model, mut traffic) = (Model::default(), Traffic::new(seed));
        let (mut taken, mut full, mut asked) = ([0_u64; 2], [0_u64; 2], [false; 2]);
        while model.now < CLOCKS {
            let offer = traffic.next(&model, asked);
            asked = [0, 1].map(|lane| model.asks(lane));
            sim.step(&offer.words(), &mut outputs).expect("runs");
            let expected = model.outputs();
            // the first reset has not acted yet
            if model.now > 0 {
                for (twin, shown) in outputs.chunks(OUTPUTS.len()).enumerate() {
                    let wrong = (0..OUTPUTS.len())
                        .find(|&i| expected[i].is_some_and(|value| value != shown[i]))
                        .map(|i| {
                            format!(
                                "clock {}: {} is {:#x}, not {:#x?}",
                                model.now, OUTPUTS[i].0, shown[i], expected[i]
                            )
                        });
                    match twin.checked_sub(1) {
                        None => assert_eq!(wrong, None, "seed {seed}"),
                        Some(fault) => caught[fault] = caught[fault].take().or(wrong),
                    }
                }
            }
            model.clock(&offer);
            for lane in [0, 1] {
                taken[lane] += u64::from(model.taken[lane]);
                full[lane] += u64::from(model.verdicts[lane].len() == MOST);
            }
        }
        assert!(
            taken.iter().all(|&n| n > 500) && full.iter().all(|&n| n > 20),
            "seed {seed}: {taken:?} items, {full:?} clocks with every place taken"
        );
    }
    all_are_caught(&faults, &caught);
}
