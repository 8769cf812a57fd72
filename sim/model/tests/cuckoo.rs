//! The sliding window on cuckoo tables: the functional model against an exact record, the pipeline against the functional model, and what moves cost.

use bloomline_model::{
    functional_model, pipeline_model, CuckooDecision, CuckooEvent, CuckooFilter,
    CuckooPipelineModel, Inputs, WindowOracle,
};
use bloomline_spec::registers::{address, CuckooCounter};
use bloomline_spec::{
    CellOperation, CuckooGeometry, Design, FilterSpec, Key, Operation, SpecError, CUCKOO_EXAMPLES,
};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::path::Path;

/// A filter of these sizes; the memory is set to what they take.
fn geometry(window: u64, slack: u64, target_fpr: f64, rest: &str) -> CuckooGeometry {
    let sized = |memory_bits: &str| {
        let text = format!(
            "name = \"t\"\n[filter]\nkind = \"sliding\"\nmemory_bits = {memory_bits}\nhashes = 1\nhashing = \"independent\"\n[filter.sliding]\n\
             table = \"cuckoo\"\nwindow = {window}\nslack = {slack}\ntarget_fpr = {target_fpr}\n{rest}\n[key]\nbits = 64\n"
        );
        FilterSpec::from_toml(&text, Path::new("t.toml")).and_then(|spec| spec.cuckoo())
    };
    let memory = match sized("0") {
        Err(SpecError::Rule { advice, .. }) => advice,
        other => panic!("no filter takes 0 bits: {other:?}"),
    };
    let memory = memory.trim_start_matches("nearest legal value ");
    sized(memory).unwrap_or_else(|error| panic!("{error}"))
}

fn example() -> CuckooGeometry {
    let (file, text) = CUCKOO_EXAMPLES[0];
    FilterSpec::from_toml(text, Path::new(file))
        .and_then(|spec| spec.cuckoo())
        .expect("an example")
}

fn key(geometry: &CuckooGeometry, number: u64) -> Key {
    Key::from_integer(number.into(), geometry.key_bits()).expect("fits the key")
}

/// A stream through the functional filter, with how far back keys and identities last were.
struct Run<'a> {
    geometry: &'a CuckooGeometry,
    filter: CuckooFilter,
    keys: WindowOracle<u64>,
    identities: WindowOracle<u32>,
    inside: u64,
    /// Arrivals and verdicts seen in the slack, in eighths of it; equal identities left out.
    slack: [(u64, u64); 8],
    outside: u64,
    false_positives: u64,
}

impl<'a> Run<'a> {
    fn new(geometry: &'a CuckooGeometry) -> Self {
        Self {
            geometry,
            filter: CuckooFilter::new(geometry),
            keys: WindowOracle::new(),
            identities: WindowOracle::new(),
            inside: 0,
            slack: [(0, 0); 8],
            outside: 0,
            false_positives: 0,
        }
    }

    /// One item; panics where the promise of the window is broken.
    fn item(&mut self, number: u64, operation: Operation) {
        let key = key(self.geometry, number);
        let position = self.filter.hasher().probes(&key).positions()[0];
        let seen = self.filter.apply(&key, operation).verdict.seen;
        let (window, live) = (self.geometry.window(), self.geometry.live_items());
        let of_key = self.keys.arrival(number, operation);
        let of_identity = self.identities.arrival(position, operation);
        let told = format!("key {number}, {of_key:?} back, identity {of_identity:?} back");
        match of_identity {
            Some(back) if back <= window => assert!(seen, "{told}"),
            Some(back) if back <= live => {}
            _ => assert!(!seen, "{told}"),
        }
        match of_key {
            Some(back) if back <= window => self.inside += 1,
            Some(back) if back <= live => {
                if of_identity == of_key {
                    let eighth =
                        &mut self.slack[(8 * (back - window - 1) / (live - window)) as usize];
                    eighth.0 += 1;
                    eighth.1 += u64::from(seen);
                }
            }
            _ => {
                self.outside += 1;
                self.false_positives += u64::from(seen);
            }
        }
    }
}

/// The predicted probability of `seen` in each eighth of the slack, for generations that begin anywhere.
fn in_slack(geometry: &CuckooGeometry) -> [f64; 8] {
    let g = geometry.generation_items() as f64;
    let whole = f64::from(geometry.generations()) * g;
    let slack = (geometry.live_items() - geometry.window()) as f64;
    std::array::from_fn(|eighth| {
        let back = geometry.window() as f64 + slack * (eighth as f64 + 0.5) / 8.0;
        (1.0 - (back - whole) / g).clamp(0.0, 1.0)
    })
}

#[test]
fn nothing_of_the_window_is_forgotten_and_only_an_equal_identity_brings_back_what_is_older_than_the_slack(
) {
    let items: u64 = match std::env::var_os("BLOOMLINE_SOAK") {
        Some(_) => 10_000_000,
        None => 600_000,
    };
    let geometry = example();
    let mut run = Run::new(&geometry);
    let mut rng = ChaCha8Rng::seed_from_u64(20_261_101);
    let mut fresh = 0u64;
    let mut history = vec![0u64; 1 << 16];
    for item in 0..items {
        // half of the items are new, half come back from up to 65536 elements ago: window, slack and beyond
        let at = item as usize % history.len();
        let number = if rng.random_bool(0.5) {
            fresh += 1;
            fresh
        } else {
            let back = rng.random_range(1..=history.len());
            history[(at + history.len() - back) % history.len()]
        };
        history[at] = number;
        run.item(number, Operation::TestAndInsert);
    }
    assert!(run.inside > items / 20, "{} inside", run.inside);
    for (eighth, (&(arrivals, seen), predicted)) in
        run.slack.iter().zip(in_slack(&geometry)).enumerate()
    {
        let share = seen as f64 / arrivals as f64;
        println!("slack, eighth {eighth}: seen {share:.4}, predicted {predicted:.4}");
        // 99 % for all eight together
        let sigma = (predicted * (1.0 - predicted) / arrivals as f64).sqrt();
        assert!(
            (share - predicted).abs() < 3.23 * sigma,
            "eighth {eighth}: {share}, {predicted}"
        );
    }
    let rate = run.false_positives as f64 / run.outside as f64;
    println!("rate outside {rate:.6}, eps {}", geometry.target_fpr());
    assert!(rate <= geometry.target_fpr(), "{rate}");
}

#[test]
fn the_rate_of_fresh_keys_is_that_of_the_window_and_half_a_generation() {
    let geometry = example();
    let (items, seed) = (1_500_000u64, 31);
    let mut filter = CuckooFilter::new(&geometry);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let warm = 2 * geometry.live_items();
    let g = geometry.generation_items();
    let half_more = geometry.live_items() - g / 2;
    let (mut seen, mut by_state) = (0u64, 0.0);
    for item in 0..items + warm {
        let number = rng.random();
        if item >= warm {
            by_state += filter.probability_seen();
            // give or take g / 16, and 6 standard deviations of how the elements at either end fall to the phases
            let live = filter.live_cells();
            assert!(live.abs_diff(half_more) < g / 16 + 200, "{live} live cells");
        }
        let verdict = filter
            .apply(&key(&geometry, number), Operation::TestAndInsert)
            .verdict;
        seen += u64::from(item >= warm && verdict.seen);
    }
    let by_size = (items * half_more) as f64 / geometry.range() as f64;
    for (expected, of) in [(by_state, "live cells"), (by_size, "c g + g / 2")] {
        // 99 % for both together
        let z = (seen as f64 - expected) / expected.sqrt();
        println!("{of}: seen {seen}, expected {expected:.1}, z {z:.2}");
        assert!(
            z.abs() < 2.81,
            "seed {seed}, {of}: {seen} seen, {expected} expected"
        );
    }
}

#[test]
fn a_clear_forgets_everything() {
    let geometry = geometry(64, 64, 0.01, "");
    let mut filter = CuckooFilter::new(&geometry);
    for number in 0..40 {
        filter.apply(&key(&geometry, number), Operation::Insert);
    }
    assert!(filter.live_cells() >= 39 && filter.probability_seen() > 0.0);
    filter.clear();
    assert_eq!(
        (
            filter.live_cells(),
            filter.elements(),
            filter.generation(),
            filter.probability_seen()
        ),
        (0, 0, 0, 0.0)
    );
    assert!(
        !filter
            .apply(&key(&geometry, 7), Operation::Query)
            .verdict
            .seen
    );
}

#[test]
fn both_models_are_found_by_the_kind_of_the_design() {
    let geometry = example();
    let design = Design::from(&geometry);
    let mut filter = functional_model(&design);
    let mut item = || filter.item(&key(&geometry, 1), CellOperation::TestAndInsert, 0);
    assert_eq!((item(), item()), (0, 1));
    assert!(!pipeline_model(&design).outputs().s_item_tready);
}

fn until_ready(model: &mut CuckooPipelineModel) -> u64 {
    let start = model.now();
    while !model.outputs().s_item_tready {
        model.clock(&Inputs::default());
    }
    model.now() - start
}

/// An element in every clock, for as many elements.
struct Saturated {
    model: CuckooPipelineModel,
    clocks: u64,
    most_used: u32,
    least_allowance: u64,
}

impl Saturated {
    fn new(geometry: &CuckooGeometry) -> Self {
        let mut model = CuckooPipelineModel::new(geometry);
        until_ready(&mut model);
        Self {
            model,
            clocks: 0,
            most_used: 0,
            least_allowance: u64::MAX,
        }
    }

    fn elements(&mut self, elements: u64, mut number: impl FnMut() -> u64) {
        let mut item = Inputs {
            s_item_tvalid: true,
            s_item_tuser: 2,
            m_verdict_tready: true,
            ..Inputs::default()
        };
        for _ in 0..elements {
            item.s_item_tdata[0] = number();
            loop {
                let ready = self.model.outputs().s_item_tready;
                self.model.clock(&item);
                self.clocks += 1;
                self.most_used = self.most_used.max(self.model.stash_used());
                self.least_allowance = self.least_allowance.min(self.model.least_allowance());
                if ready {
                    break;
                }
            }
        }
    }

    fn count(&self, counter: CuckooCounter) -> u64 {
        self.model.status().counter(counter)
    }

    fn stall_share(&self) -> f64 {
        let stalls = self.count(CuckooCounter::StallScan) + self.count(CuckooCounter::StallStash);
        stalls as f64 / self.clocks as f64
    }

    /// Lets the last items be counted, prints what the stream cost, and checks that nothing was forgotten.
    fn end(&mut self, name: &str) {
        for _ in 0..64 {
            self.model.clock(&Inputs {
                m_verdict_tready: true,
                ..Inputs::default()
            });
        }
        let inserted = self.count(CuckooCounter::Inserted).max(1) as f64;
        println!(
            "{name}: {} elements, {} inserted; for each: stashed {:.4}, moves {:.4}; at most {} entries used, at least {} allowance; stalled {:.4} % \
             ({} scan, {} stash)",
            self.count(CuckooCounter::Items),
            inserted,
            self.count(CuckooCounter::Stashed) as f64 / inserted,
            self.count(CuckooCounter::Moves) as f64 / inserted,
            self.most_used,
            self.least_allowance,
            100.0 * self.stall_share(),
            self.count(CuckooCounter::StallScan),
            self.count(CuckooCounter::StallStash),
        );
        self.model
            .check()
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(self.count(CuckooCounter::Lost), 0, "{name}");
        assert_eq!(
            self.model.filter().elements(),
            self.count(CuckooCounter::Items),
            "{name}"
        );
    }
}

#[test]
fn a_saturated_stream_of_distinct_keys_loses_no_element_and_few_clocks() {
    let mut stream = Saturated::new(&example());
    let mut last = 0;
    stream.elements(800_000, || {
        last += 1;
        last
    });
    stream.end("distinct keys");
    let inserted = stream.count(CuckooCounter::Inserted) as f64;
    let stashed = stream.count(CuckooCounter::Stashed) as f64 / inserted;
    let moves = stream.count(CuckooCounter::Moves) as f64 / inserted;
    assert!((0.06..0.09).contains(&stashed), "{stashed}");
    assert!((0.2..0.27).contains(&moves), "{moves}");
    assert!(stream.stall_share() < 0.003, "{}", stream.stall_share());
    assert_eq!(stream.count(CuckooCounter::StallScan), 0);
    assert!(stream.least_allowance > 1_000, "{}", stream.least_allowance);
}

#[test]
fn a_hot_key_takes_one_cell_and_few_clocks() {
    let geometry = example();
    let mut stream = Saturated::new(&geometry);
    stream.elements(300_000, || 5);
    stream.end("one key");
    assert_eq!(stream.count(CuckooCounter::Inserted), 1);
    assert_eq!(stream.count(CuckooCounter::Seen), 299_999);
    assert_eq!(stream.count(CuckooCounter::Moves), 0);
    // the scan of a row that is read in every clock waits until the stream is held for it
    assert_eq!(stream.count(CuckooCounter::StallStash), 0);
    assert!(stream.stall_share() < 0.005, "{}", stream.stall_share());
    let generation =
        300_000 / geometry.generation_items() % u64::from(geometry.generation_values());
    assert_eq!(u64::from(stream.model.status().generation), generation);
}

#[test]
fn streams_that_repeat_lose_no_element() {
    let geometry = example();
    let (n, live) = (geometry.window(), geometry.live_items());
    // keys that come back inside the window, at its edge, in the slack and beyond it
    for cycle in [1_000, n, n + 1, (n + live) / 2, live + 1, 2 * live] {
        let mut stream = Saturated::new(&geometry);
        let mut number = 0;
        stream.elements(120_000, || {
            number = (number + 1) % cycle;
            number
        });
        stream.end(&format!("cycle of {cycle}"));
        assert!(stream.stall_share() < 0.004, "{}", stream.stall_share());
    }
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut stream = Saturated::new(&geometry);
    // Zipf's law with exponent 1: the key is below x with a probability in proportion to log x
    stream.elements(400_000, || {
        let uniform: f64 = rng.random();
        (uniform * (1e6f64).ln()).exp() as u64
    });
    stream.end("Zipf's law");
    assert!(stream.stall_share() < 0.001, "{}", stream.stall_share());
}

#[test]
fn start_and_clear_take_a_wipe_of_every_row() {
    let geometry = example();
    let wipe = u64::from(geometry.timing().retire_clocks) + geometry.rows();
    let mut model = CuckooPipelineModel::new(&geometry);
    model.keep_events();
    assert_eq!(until_ready(&mut model), wipe + 2);
    let mut item = Inputs {
        s_item_tvalid: true,
        s_item_tuser: 1,
        ..Inputs::default()
    };
    for number in 0..40_000 {
        item.s_item_tdata[0] = number;
        model.clock(&item);
    }
    while !model.outputs().s_axil_awready {
        model.clock(&clear());
    }
    model.clock(&clear());
    while model.outputs().s_item_tready {
        model.clock(&Inputs::default());
    }
    assert_eq!(until_ready(&mut model), wipe + 2);
    assert_eq!((model.filter().elements(), model.stash_used()), (0, 0));
    let clears = model
        .drain_events()
        .filter(|event| *event == CuckooEvent::Clear)
        .count();
    assert_eq!(clears, 2);
    assert!(
        model.status().counter(CuckooCounter::Items) > 35_000,
        "a clear keeps the counters"
    );
}

fn clear() -> Inputs {
    Inputs {
        s_axil_awvalid: true,
        s_axil_wvalid: true,
        s_axil_awaddr: address::CONTROL as u8,
        s_axil_wdata: 1,
        s_axil_wstrb: 15,
        s_axil_bready: true,
        ..Inputs::default()
    }
}

/// How a stream is disturbed: probabilities a clock.
#[derive(Debug, Clone, Copy)]
struct Disturbance {
    idle: f64,
    back_pressure: f64,
    reset: f64,
    clear: f64,
    /// Of an item: a key that came before.
    repeat: f64,
    /// Of an item: it is a query.
    query: f64,
}

/// The pipeline beside a functional filter of its own, with every verdict checked where it leaves.
struct Disturbed<'a> {
    geometry: &'a CuckooGeometry,
    model: CuckooPipelineModel,
    filter: CuckooFilter,
    /// Keys and operations accepted and not yet decided.
    accepted: VecDeque<(u64, Operation)>,
    /// Verdicts decided, by tag and bits, that have not left.
    verdicts: VecDeque<(u64, u64)>,
    left: u64,
    most_used: u32,
    lost: u64,
}

impl<'a> Disturbed<'a> {
    fn new(geometry: &'a CuckooGeometry) -> Self {
        let mut model = CuckooPipelineModel::with_memory(geometry);
        model.keep_events();
        Self {
            geometry,
            model,
            filter: CuckooFilter::new(geometry),
            accepted: VecDeque::new(),
            verdicts: VecDeque::new(),
            left: 0,
            most_used: 0,
            lost: 0,
        }
    }

    fn clock(&mut self, inputs: &Inputs) -> bool {
        let outputs = self.model.outputs();
        let accepted = outputs.s_item_tready && inputs.s_item_tvalid && !inputs.reset;
        if accepted {
            let operation = Operation::from_code(inputs.s_item_tuser as u8);
            self.accepted.push_back((inputs.s_item_tdata[0], operation));
        }
        if outputs.m_verdict_tvalid && inputs.m_verdict_tready && !inputs.reset {
            let verdict = outputs.m_verdict_tid.zip(outputs.m_verdict_tdata);
            assert_eq!(
                verdict,
                self.verdicts.pop_front(),
                "clock {}",
                self.model.now()
            );
            self.left += 1;
        }
        self.model.clock(inputs);
        let events: Vec<CuckooEvent> = self.model.drain_events().collect();
        for event in events {
            match event {
                CuckooEvent::Clear => self.filter.clear(),
                CuckooEvent::Item(decision) => self.decided(&decision),
            }
        }
        if inputs.reset {
            self.accepted.clear();
            self.verdicts.clear();
        }
        self.most_used = self.most_used.max(self.model.stash_used());
        accepted
    }

    fn decided(&mut self, decision: &CuckooDecision) {
        let (number, operation) = self.accepted.pop_front().expect("it was accepted");
        assert_eq!(operation, decision.operation);
        let expected = self.filter.apply(&key(self.geometry, number), operation);
        self.lost += u64::from(decision.outcome.verdict.lost);
        if self.lost == 0 {
            assert_eq!(decision.outcome, expected, "clock {}", decision.decided);
        }
        if operation.has_verdict() {
            let bits = decision.outcome.verdict.to_bits();
            self.verdicts.push_back((decision.tag, bits.into()));
        }
    }

    fn stream(&mut self, clocks: u64, how: Disturbance, rng: &mut ChaCha8Rng) {
        let mut item = Inputs::default();
        let mut history = vec![0u64; 512];
        let mut clearing = false;
        for clock in 0..clocks {
            if !item.s_item_tvalid && !rng.random_bool(how.idle) {
                item.s_item_tvalid = true;
                item.s_item_tuser = if rng.random_bool(how.query) {
                    0
                } else {
                    rng.random_range(1..4)
                };
                item.s_item_tid = rng.random_range(0..256);
                let at = rng.random_range(0..history.len());
                if !rng.random_bool(how.repeat) {
                    history[at] = rng.random();
                }
                item.s_item_tdata[0] = history[at];
            }
            clearing |= rng.random_bool(how.clear);
            let mut inputs = Inputs {
                reset: rng.random_bool(how.reset),
                m_verdict_tready: !rng.random_bool(how.back_pressure),
                ..item
            };
            if clearing {
                let asked = clear();
                inputs.s_axil_awvalid = true;
                inputs.s_axil_wvalid = true;
                inputs.s_axil_awaddr = asked.s_axil_awaddr;
                inputs.s_axil_wdata = asked.s_axil_wdata;
                inputs.s_axil_wstrb = asked.s_axil_wstrb;
                clearing = !self.model.outputs().s_axil_awready;
            }
            inputs.s_axil_bready = true;
            item.s_item_tvalid &= !self.clock(&inputs);
            if clock % 1024 == 0 {
                self.model
                    .check()
                    .unwrap_or_else(|error| panic!("{how:?}: {error}"));
            }
        }
        self.model
            .check()
            .unwrap_or_else(|error| panic!("{how:?}: {error}"));
    }
}

/// Small filters, filled as far as a specification may.
fn small_geometries() -> Vec<CuckooGeometry> {
    let sizes = [
        (100, 100, "rows = 16\nrow_cells = 3\nstash_cells = 32"),
        (128, 64, "rows = 16\nrow_cells = 4\nstash_cells = 32"),
        (256, 64, "rows = 32\nrow_cells = 3\nstash_cells = 32"),
        (400, 80, "rows = 16\nrow_cells = 8\nstash_cells = 32"),
        (240, 80, "rows = 32\nrow_cells = 3\nstash_cells = 32"),
        (384, 64, "rows = 16\nrow_cells = 8\nstash_cells = 48"),
    ];
    let sizes = sizes.into_iter();
    sizes
        .map(|(window, slack, rest)| geometry(window, slack, 0.02, rest))
        .collect()
}

#[test]
fn small_filters_keep_every_promise_under_idle_clocks_resets_clears_and_back_pressure() {
    let quiet = Disturbance {
        idle: 0.0,
        back_pressure: 0.0,
        reset: 0.0,
        clear: 0.0,
        repeat: 0.5,
        query: 0.2,
    };
    let streams = [
        quiet,
        Disturbance {
            repeat: 0.0,
            query: 0.0,
            ..quiet
        },
        Disturbance {
            repeat: 0.95,
            ..quiet
        },
        Disturbance { idle: 0.3, ..quiet },
        Disturbance {
            idle: 0.02,
            back_pressure: 0.3,
            ..quiet
        },
        Disturbance {
            reset: 0.0002,
            clear: 0.0003,
            ..quiet
        },
        Disturbance {
            idle: 0.5,
            back_pressure: 0.6,
            reset: 0.0005,
            clear: 0.0005,
            ..quiet
        },
    ];
    let mut rng = ChaCha8Rng::seed_from_u64(77);
    let mut moves = 0;
    for geometry in small_geometries() {
        for how in streams {
            let mut run = Disturbed::new(&geometry);
            run.stream(25_000, how, &mut rng);
            let status = run.model.status();
            let count = |counter| status.counter(counter);
            println!(
                "n {} g {} {} * {} cells, q {}, C {}: {} verdicts, {} moves, {} entries, stalls scan {} stash {}, lost {}",
                geometry.window(),
                geometry.generation_items(),
                geometry.rows(),
                geometry.row_cells(),
                geometry.scan_quota(),
                geometry.scan_room(),
                run.left,
                count(CuckooCounter::Moves),
                run.most_used,
                count(CuckooCounter::StallScan),
                count(CuckooCounter::StallStash),
                count(CuckooCounter::Lost),
            );
            assert!(run.left > 500);
            assert_eq!(run.lost, 0, "{how:?}");
            moves += count(CuckooCounter::Moves);
        }
    }
    assert!(moves > 5_000, "{moves}");
}

/// Keys whose rows are all among the first `rows` ones, in every table.
fn crowding_keys(geometry: &CuckooGeometry, rows: u32, keys: usize) -> Vec<u64> {
    let hasher = CuckooFilter::new(geometry);
    let hasher = hasher.hasher();
    let in_few_rows = |&number: &u64| {
        let position = hasher.probes(&key(geometry, number)).positions()[0];
        let (base, fingerprint) = (
            position % geometry.rows() as u32,
            position >> geometry.row_bits(),
        );
        let row = |masks: &Vec<u32>| {
            let bits = masks.iter().enumerate();
            bits.fold(base, |row, (bit, mask)| {
                row ^ (((fingerprint & mask).count_ones() % 2) << bit)
            })
        };
        base < rows && geometry.masks().iter().all(|masks| row(masks) < rows)
    };
    (0..).filter(in_few_rows).take(keys).collect()
}

#[test]
fn a_stream_that_never_settles_is_not_held_for_ever_and_the_filter_recovers() {
    let geometry = geometry(
        128,
        64,
        0.001,
        "rows = 16\nrow_cells = 4\nfingerprint_bits = 14",
    );
    let patience = u64::from(bloomline_spec::CUCKOO_PATIENCE_CLOCKS);
    // 128 keys of the window in 4 tables of 4 rows of 4 cells
    let keys = crowding_keys(&geometry, 4, 400);
    let mut run = Disturbed::new(&geometry);
    until_ready(&mut run.model);
    let mut item = Inputs {
        s_item_tvalid: true,
        s_item_tuser: 2,
        m_verdict_tready: true,
        ..Inputs::default()
    };
    let (mut longest_held, mut held) = (0, 0);
    let mut offer = |run: &mut Disturbed, number| {
        item.s_item_tdata[0] = number;
        while !run.clock(&item) {
            held += 1;
            longest_held = longest_held.max(held);
        }
        held = 0;
    };
    for number in (0..20).flat_map(|_| &keys) {
        offer(&mut run, *number);
    }
    run.model.check().expect("the scan goes on");
    let lost = run.model.status().counter(CuckooCounter::Lost);
    let crowded_clocks = run.model.now();
    println!("{crowded_clocks} clocks for 8000 elements, {lost} lost");
    assert!(lost > 1_000, "{lost}");
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..2 * geometry.live_items() {
        offer(&mut run, rng.random());
    }
    // what was crowded has expired
    let before = run.model.status();
    for _ in 0..10_000 {
        offer(&mut run, rng.random());
    }
    let after = run.model.status();
    assert_eq!(
        after.counter(CuckooCounter::Lost),
        before.counter(CuckooCounter::Lost)
    );
    run.model.check().expect("nothing else is forgotten");
    println!("held for {longest_held} clocks at most");
    assert!(
        (patience..patience + 8).contains(&longest_held),
        "{longest_held}"
    );
}

/// Elements that share few rows come one a clock: each takes an entry, and none becomes free.
#[test]
fn the_stash_has_room_for_all_that_come_before_they_are_stopped() {
    const SIZES: &str = "rows = 16\nrow_cells = 4\nfingerprint_bits = 14";
    for (rest, memory) in [(SIZES, ""), (SIZES, "\n[memory]\necc = true")] {
        let geometry = geometry(128, 64, 0.001, &format!("{rest}{memory}"));
        assert_eq!(geometry.ecc(), !memory.is_empty());
        let mut keys = crowding_keys(&geometry, 4, 400).into_iter();
        let mut model = CuckooPipelineModel::new(&geometry);
        until_ready(&mut model);
        let mut item = Inputs {
            s_item_tvalid: true,
            s_item_tuser: 2,
            m_verdict_tready: true,
            ..Inputs::default()
        };
        let (mut held, mut most_used) = (0, 0);
        while held < 500 {
            let ready = model.outputs().s_item_tready;
            if ready {
                item.s_item_tdata[0] = keys.next().expect("the stream is held before");
            }
            model.clock(&item);
            held = if ready { 0 } else { held + 1 };
            most_used = most_used.max(model.stash_used());
        }
        model.check().expect("nothing is forgotten");
        assert_eq!(model.status().counter(CuckooCounter::Lost), 0, "{memory}");
        // the last of them may still find a cell
        assert!(most_used + 1 >= geometry.stash_cells(), "{most_used}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn in_any_stream_the_window_is_seen_and_live_cells_are_never_more_than_live_elements(
        generations in 1u64..4,
        generation_items in 64u64..100,
        stream in proptest::collection::vec((0u64..600, 0u8..4), 1..3000),
    ) {
        let window = generations * generation_items;
        let geometry = geometry(window, generation_items, 0.01, "");
        let mut run = Run::new(&geometry);
        for &(number, code) in &stream {
            run.item(number, Operation::from_code(code));
            prop_assert!(run.filter.live_cells() <= geometry.live_items());
        }
    }

    #[test]
    fn a_query_changes_nothing(stream in proptest::collection::vec((0u64..100, 1u8..4), 1..500), queries in proptest::collection::vec(0u64..100, 1..20)) {
        let geometry = geometry(64, 64, 0.01, "");
        let mut asked = CuckooFilter::new(&geometry);
        let mut plain = asked.clone();
        for &(number, code) in &stream {
            for &query in &queries {
                asked.apply(&key(&geometry, query), Operation::Query);
            }
            let operation = Operation::from_code(code);
            prop_assert_eq!(asked.apply(&key(&geometry, number), operation), plain.apply(&key(&geometry, number), operation));
        }
    }
}
