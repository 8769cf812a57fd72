//! Named hard cases of a secret per half, played on the emitted Verilog: exact on every port in every clock, and what is remembered
//! through a rekey is looked up.

use bloomline_bench::filter::{emitted_design, ModelReference};
use bloomline_bench::lockstep::{Bench, Stimulus};
use bloomline_bench::verilator::Initial;
use bloomline_model::Inputs;
use bloomline_spec::registers::{address, field, RecyclingCounter};
use bloomline_spec::{Key, RecyclingGeometry, VerdictFlags};
use bloomline_tests::{is_quick, runs, simulation, Sample};
use std::cell::RefCell;
use std::ops::Range;

/// Words of the packed outputs that the player looks at; their order is that of the ports.
const TREADY: usize = 0;
const AWREADY: usize = 4;
const BVALID: usize = 6;

const CLEAR: u32 = 1 << field::CONTROL_CLEAR;
const REKEY: u32 = 1 << field::CONTROL_REKEY;

/// Operations on the item port.
const QUERY: u64 = 0;
const TEST_AND_INSERT: u64 = 2;
/// Tag of items whose verdicts are kept.
const KEPT: u64 = 1;
/// Keys of the traffic behind the steps; those of [`Step::Items`] are below.
const TRAFFIC_KEYS: u64 = 1 << 40;

/// What is done, one after the other.
#[derive(Debug, Clone)]
enum Step {
    /// Nothing but traffic for so many clocks, at least one.
    Run(u64),
    /// A register write, until its response.
    Write(u32, u32),
    /// Reset for so many clocks.
    Reset(u64),
    /// Items with an operation, one a clock where the filter takes them.
    Items(Range<u64>, u64),
    /// From here on items of ever new keys are inserted in the steps above, one a clock where the filter takes them, or none.
    Traffic(bool),
}

use Step::{Items, Reset, Run, Traffic, Write};

/// Loads a secret.
fn secret(value: u32) -> impl Iterator<Item = Step> {
    (0..4).map(move |word| Write(address::HASH_KEY + 4 * word, value.wrapping_mul(word + 1)))
}

/// Plays steps.
struct Player {
    steps: Vec<Step>,
    key_bits: u32,
    step: usize,
    clocks_in_step: u64,
    /// Items of this step that were taken.
    taken: u64,
    written: bool,
    traffic: bool,
    fresh: u64,
}

impl Player {
    fn new(geometry: &RecyclingGeometry, steps: &[Step]) -> Self {
        Self {
            steps: steps.to_vec(),
            key_bits: geometry.key_bits(),
            step: 0,
            clocks_in_step: 0,
            taken: 0,
            written: false,
            traffic: false,
            fresh: TRAFFIC_KEYS,
        }
    }

    /// One clock of the step under way; true in its last.
    fn play(&mut self, now: &mut Inputs, predicted: &[u64]) -> bool {
        let shows = |word: usize| predicted[word] & 1 == 1;
        let traffic_item = (self.traffic, self.fresh, TEST_AND_INSERT, 0);
        let (item, done) = match &self.steps[self.step] {
            Traffic(_) => (traffic_item, true),
            Run(clocks) => (traffic_item, self.clocks_in_step >= *clocks),
            Reset(clocks) => {
                now.reset = true;
                (traffic_item, self.clocks_in_step >= *clocks)
            }
            Write(byte, data) => {
                now.s_axil_awvalid = !self.written;
                now.s_axil_wvalid = !self.written;
                now.s_axil_awaddr = *byte as u8;
                now.s_axil_wdata = *data;
                now.s_axil_wstrb = 15;
                self.written |= shows(AWREADY);
                (traffic_item, shows(BVALID))
            }
            Items(keys, operation) => {
                let key = keys.start + self.taken;
                let last = shows(TREADY) && key + 1 == keys.end;
                ((true, key, *operation, KEPT), last)
            }
        };
        let (valid, key, operation, tag) = item;
        now.s_item_tvalid = valid;
        now.set_key(&Key::from_integer(key.into(), self.key_bits).expect("wide enough"));
        now.s_item_tuser = operation;
        now.s_item_tid = tag;
        if valid && shows(TREADY) && !now.reset {
            self.taken += 1;
            self.fresh += u64::from(tag != KEPT);
        }
        done
    }
}

impl Stimulus for Player {
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool {
        while let Some(Traffic(on)) = self.steps.get(self.step) {
            self.traffic = *on;
            self.step += 1;
        }
        if self.step == self.steps.len() {
            return false;
        }
        let mut now = Inputs {
            m_verdict_tready: true,
            s_axil_bready: true,
            ..Inputs::default()
        };
        self.clocks_in_step += 1;
        if self.play(&mut now, predicted) {
            self.step += 1;
            (self.clocks_in_step, self.taken, self.written) = (0, 0, false);
        }
        now.pack(self.key_bits, inputs);
        true
    }
}

/// What a play came to.
#[derive(Debug, Clone, Default)]
struct End {
    /// Verdicts of the items of [`Step::Items`].
    verdicts: Vec<VerdictFlags>,
    recycles: u64,
    stalled_for_epochs: u64,
    /// Recycles by an item while the halves' secrets differed.
    tripped_while_differing: u32,
    secret: Option<u128>,
    differ: bool,
}

struct Stage {
    geometry: RecyclingGeometry,
    bench: Bench,
}

impl Stage {
    fn new(sample: Sample) -> Stage {
        let geometry = sample.geometry();
        let (design, _) = emitted_design(&geometry).expect("emit");
        let bench = Bench::new(simulation(&design));
        Stage { geometry, bench }
    }

    /// Plays on the Verilog; every port equals the model's in every clock, or this panics with the place.
    fn play(&self, steps: &[Step]) -> End {
        let end = RefCell::new(End::default());
        let make = |_| {
            (
                ModelReference::new(&self.geometry),
                Player::new(&self.geometry, steps),
            )
        };
        self.bench
            .run(1, Initial::Random(1), make, |clock| {
                let model = &clock.reference.model;
                model
                    .check()
                    .expect("no epoch is issued while a word bears it");
                let mut end = end.borrow_mut();
                let outputs = model.outputs();
                if let (Some(data), Some(KEPT)) = (outputs.m_verdict_tdata, outputs.m_verdict_tid) {
                    let flags = VerdictFlags::from_bits(data as u8);
                    end.verdicts.push(flags.expect("what a filter can say"));
                }
                let status = model.status();
                let differ = model.filter().older_hasher().is_some();
                end.tripped_while_differing += u32::from(end.differ && !differ && status.running);
                end.differ = differ;
                end.secret = model.filter().hasher().secret();
                end.recycles = status.counter(RecyclingCounter::Recycles);
                end.stalled_for_epochs = status.counter(RecyclingCounter::StallRecycle);
            })
            .unwrap_or_else(|error| panic!("{error}"));
        end.into_inner()
    }
}

/// Room for thousands of items; a bit in ten thousand is taken for another.
const ROOMY: Sample = Sample {
    family: "siphash",
    partition_bits: 1 << 14,
    threshold: 30_000,
    ..Sample::BASE
};

/// The steps of several lists, one after the other.
fn steps<const N: usize>(lists: [Vec<Step>; N]) -> Vec<Step> {
    lists.into_iter().flatten().collect()
}

fn rekey(value: u32) -> Vec<Step> {
    secret(value)
        .chain([Write(address::CONTROL, REKEY)])
        .collect()
}

#[test]
fn a_rekey_forgets_nothing_since_the_recycle_before_and_the_first_secret_ends_with_the_next() {
    let stage = Stage::new(ROOMY);
    // Inserted before and after a rekey, looked up through a second one.
    let end = stage.play(&steps([
        vec![Items(0..500, TEST_AND_INSERT)],
        rekey(7),
        vec![Items(0..500, QUERY), Items(500..900, TEST_AND_INSERT)],
        vec![Items(0..900, QUERY)],
        rekey(8),
        vec![Items(500..900, QUERY), Items(0..500, QUERY), Run(200)],
    ]));
    let seen = |range: Range<usize>| end.verdicts[range].iter().filter(|v| v.seen()).count();
    assert_eq!(end.verdicts.len(), 500 + 500 + 400 + 900 + 400 + 500);
    assert_eq!(
        (seen(500..1000), seen(1400..2700)),
        (500, 1300),
        "remembered"
    );
    assert!(seen(2700..3200) < 5, "the older half was emptied");
    assert_eq!((end.recycles, end.differ), (2, true));
    // Frozen or active: whose secret an item was inserted under decides which half holds it.
    assert!(end.verdicts[500..1000].iter().all(|v| v.in_frozen));
    assert!(end.verdicts[1900..2300].iter().all(|v| v.in_active));

    // Another first secret: other verdicts until the second rekey, the same ones after it.
    let story = |first: u32| {
        stage.play(&steps([
            secret(first).collect(),
            vec![Write(address::CONTROL, CLEAR | REKEY)],
            vec![Items(0..6_000, TEST_AND_INSERT)],
            rekey(20),
            vec![Items(4_000..9_000, TEST_AND_INSERT)],
            rekey(30),
            vec![Items(8_000..14_000, TEST_AND_INSERT), Run(200)],
        ]))
    };
    let (one, other) = (story(10), story(11));
    assert_ne!(one.verdicts[..11_000], other.verdicts[..11_000]);
    assert_eq!(one.verdicts[11_000..], other.verdicts[11_000..]);
    assert_eq!(one.verdicts.len(), 17_000);
}

#[test]
fn a_rekey_at_any_clock_of_a_drain_or_cut_off_by_a_reset_or_written_twice_is_exact() {
    let stage = Stage::new(Sample {
        partition_bits: 4096,
        threshold: 8_000,
        ..ROOMY
    });
    let begin = |traffic| {
        steps([
            secret(3).collect(),
            vec![Traffic(traffic), Run(600), Write(address::MAX_AGE, 2)],
        ])
    };
    let (mut merged, mut apart) = (0, 0);
    for clock in (0..170).step_by(if is_quick() { 3 } else { 1 }) {
        // Written around the clock in which the half comes of age.
        let end = stage.play(&steps([
            begin(true),
            vec![Run(1_330 + clock), Write(address::CONTROL, REKEY)],
            vec![Write(address::MAX_AGE, 0), Run(500)],
        ]));
        assert!(
            (1..=2).contains(&end.recycles) && end.differ,
            "{clock}: {end:?}"
        );
        merged += u32::from(end.recycles == 1);
        apart += u32::from(end.recycles == 2);
        // A reset in the middle of it.
        let before = stage.geometry.hash().secret;
        let end = stage.play(&steps([
            begin(clock % 2 == 0),
            vec![
                Write(address::CONTROL, REKEY),
                Run(clock),
                Reset(1 + clock % 3),
            ],
            vec![Traffic(true), Run(500)],
        ]));
        assert!(!end.differ, "{clock}");
        assert!(
            clock > 60 || end.secret == before,
            "{clock}: not yet in force"
        );
        assert!(clock < 160 || end.secret != before, "{clock}: in force");
    }
    assert!(merged > 0 && apart > 0, "{merged} {apart}");

    // Twice in a row, then with a clear, then a clear alone.
    for (second, differ) in [(REKEY, true), (CLEAR | REKEY, false), (CLEAR, false)] {
        let end = stage.play(&steps([
            vec![Traffic(true), Run(600)],
            rekey(3),
            vec![Write(address::CONTROL, second), Run(600)],
        ]));
        assert_eq!(end.differ, differ, "{second}");
        assert_eq!(end.recycles, if second == REKEY { 2 } else { 1 });
    }
}

#[test]
fn forty_rekeys_in_a_row_wait_for_epochs_and_resurrect_nothing() {
    let stage = Stage::new(Sample {
        partition_bits: 4096,
        threshold: 8_000,
        ..ROOMY
    });
    let end = stage.play(&steps([
        vec![Items(0..900, TEST_AND_INSERT)],
        (0..40).map(|_| Write(address::CONTROL, REKEY)).collect(),
        vec![Items(0..900, QUERY), Run(200)],
    ]));
    assert_eq!(end.recycles, 40);
    let seen = end.verdicts[900..].iter().filter(|v| v.seen()).count();
    assert_eq!(seen, 0, "both halves were emptied twenty times");
}

#[test]
fn items_that_trip_while_the_secrets_differ_end_the_difference_in_mid_stream() {
    for (retain, threshold) in [(true, 600), (false, 600), (true, 40)] {
        let stage = Stage::new(Sample {
            partition_bits: 512,
            retain,
            threshold,
            ..ROOMY
        });
        let mut list = vec![Traffic(true)];
        let rounds = runs(30, 60) as u32;
        for round in 0..rounds {
            list.extend(rekey(round));
            list.push(Run(
                if threshold == 40 { 3_000 } else { 600 } + u64::from(round)
            ));
        }
        let end = stage.play(&list);
        assert!(3 * end.tripped_while_differing > 2 * rounds, "{end:?}");
    }
}
