//! The pipeline of a recycling filter with a spare half: exact however short its cycles are, held up by an erase only where a cycle is shorter than it, and
//! never recycled while it erases.

use crate::common::harness::{Harness, Traffic};
use bloomline_model::{Inputs, PipelineModel, RecyclingFilter};
use bloomline_spec::registers::{address, field, RecyclingCounter};
use bloomline_spec::{FilterSpec, HalfRole, Key, RecyclingGeometry};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

#[derive(Debug, Clone, Copy)]
struct SpareHalf {
    phases: u64,
    on: &'static str,
    retain: bool,
    hashes: u64,
    partition_bits: u64,
    row_bits: u64,
    threshold: u64,
    family: &'static str,
    latency: &'static str,
}

const BASE: SpareHalf = SpareHalf {
    phases: 2,
    on: "bits-set",
    retain: true,
    hashes: 4,
    partition_bits: 128,
    row_bits: 1,
    threshold: 300,
    family: "h3-sbox",
    latency: "default",
};

const LATENCIES: [&str; 3] = ["default", "low", "lowest"];

impl SpareHalf {
    /// The eight combinations of phases, recycling rule and retention.
    fn modes(self) -> impl Iterator<Item = SpareHalf> {
        (0..8).map(move |index| SpareHalf {
            phases: 1 + (index & 1),
            on: ["bits-set", "messages"][(index >> 1 & 1) as usize],
            retain: index & 4 == 0,
            ..self
        })
    }

    fn geometry(&self) -> RecyclingGeometry {
        let text = format!(
            "name = \"tested\"\n[filter]\nkind = \"recycling\"\nmemory_bits = {}\nhashes = {}\nhashing = \"double\"\naccept_two_hash_floor = true\n\
             [filter.recycle]\nphases = {}\non = \"{}\"\nthreshold = {}\nretain = {}\n[key]\nbits = 64\n[hash]\nfamily = \"{}\"\nseed = 1\n\
             [memory]\nerase = \"spare-half\"\nrow_bits = {}\n[target]\nlatency = \"{}\"\n",
            self.partition_bits * self.hashes * self.phases,
            self.hashes,
            self.phases,
            self.on,
            self.threshold,
            self.retain,
            self.family,
            self.row_bits,
            self.latency,
        );
        FilterSpec::from_toml(&text, Path::new("tested.toml"))
            .and_then(|spec| spec.validate())
            .and_then(|sizing| sizing.with_threshold(self.threshold))
            .unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }

    fn harness(&self, traffic: Traffic, seed: u64) -> Harness {
        let name = format!("{self:?} {traffic:?} seed {seed}");
        Harness::on(self.geometry(), name, traffic, seed)
    }
}

/// Clears, recycles, threshold and age writes, words read and set, and resets, every few hundred clocks.
fn disturb(harness: &mut Harness, rounds: u32) {
    let half_bits = harness.geometry.half_bits() as u32;
    for _ in 0..rounds {
        let clocks = harness.random.random_range(1..500);
        harness.run(clocks);
        let threshold = harness.random.random_range(0..half_bits);
        let places = 1 << harness.geometry.array_address_bits();
        let place = harness.random.random_range(0..places);
        match harness.random.random_range(0..12) {
            8..10 => {
                harness.write(address::ARRAY_ADDRESS, place);
                harness.read_now(address::ARRAY_DATA);
            }
            10..12 => {
                harness.write(address::ARRAY_ADDRESS, place);
                let bits = harness.random.random();
                harness.write(address::ARRAY_DATA, bits);
                harness.finish_accesses();
            }
            0 => harness.write(address::CONTROL, 1),
            1 => harness.write(address::CONTROL, 1 << field::CONTROL_RECYCLE),
            2..4 => harness.write(address::THRESHOLD, threshold),
            4 => harness.write(address::MAX_AGE, threshold % 5),
            5 => harness.write(address::THRESHOLD, harness.geometry.threshold() as u32),
            6 => harness.finish_accesses(),
            _ => {
                let clocks = harness.random.random_range(1..4);
                harness.reset(clocks);
            }
        }
    }
    harness.settle();
}

#[test]
fn verdicts_words_and_counts_match_the_functional_model_in_every_mode() {
    for (index, shape) in BASE.modes().enumerate() {
        for (threshold, traffic) in [(90, Traffic::HOLES), (300, Traffic::FULL)] {
            let latency = LATENCIES[(index + threshold as usize) % 3];
            let shape = SpareHalf {
                threshold,
                latency,
                ..shape
            };
            let mut harness = shape.harness(traffic, 700 + index as u64);
            disturb(&mut harness, 60);
            assert!(
                harness.verdicts_compared > 500 && harness.fetches > 2 && harness.sets > 2,
                "{shape:?} {} {} {}",
                harness.verdicts_compared,
                harness.fetches,
                harness.sets
            );
        }
    }
}

#[test]
fn a_keyed_hash_keeps_a_secret_for_each_half() {
    let shape = SpareHalf {
        family: "siphash",
        ..BASE
    };
    let mut harness = shape.harness(Traffic::FULL, 31);
    for round in 0..12 {
        harness.run(700);
        harness.write(address::HASH_KEY, 77 + round);
        harness.write(address::CONTROL, 1 << field::CONTROL_REKEY);
    }
    harness.settle();
    assert!(harness.rekeys > 8 && harness.verdicts_compared > 1_000);
}

#[test]
fn shortest_cycles_wait_for_the_spare_half_and_stay_exact() {
    for (index, shape) in BASE.modes().enumerate() {
        let threshold = if shape.on == "messages" { 1 } else { 4 };
        let latency = LATENCIES[index % 3];
        let shape = SpareHalf {
            threshold,
            latency,
            ..shape
        };
        let mut harness = shape.harness(Traffic::FULL, 800 + index as u64);
        harness.run(20_000);
        harness.settle();
        let status = harness.model.status();
        let recycles = status.counter(RecyclingCounter::Recycles);
        let rows = harness.geometry.erase_rows();
        let waits = status.counter(RecyclingCounter::StallRecycle);
        assert!(
            recycles > 60 && waits > recycles * (rows - 10),
            "{shape:?}: {recycles} {waits}"
        );
    }
}

/// Keys of which each sets a bit that no other of them sets, in the one bank.
fn apart(geometry: &RecyclingGeometry) -> Vec<Key> {
    let filter = RecyclingFilter::new(geometry);
    let positions = geometry.partition_bits() as usize;
    let mut taken = vec![false; positions];
    let keys = (0u128..).map(|value| Key::from_integer(value, geometry.key_bits()).expect("a key"));
    keys.filter(|key| {
        let position = filter.hasher().probes(key).positions()[0] as usize;
        !std::mem::replace(&mut taken[position], true)
    })
    .take(positions * 9 / 10)
    .collect()
}

/// Clocks that items waited for the spare half while cycles of new bits in every clock went by.
fn waits(geometry: &RecyclingGeometry) -> u64 {
    let keys = apart(geometry);
    let mut model = PipelineModel::new(geometry);
    let mut inputs = Inputs {
        s_item_tvalid: true,
        s_item_tuser: 2,
        m_verdict_tready: true,
        ..Inputs::default()
    };
    let mut next = 0;
    for _ in 0..8_000 {
        inputs.s_item_tdata[0] = keys[next % keys.len()].words()[0];
        next += usize::from(model.outputs().s_item_tready);
        model.clock(&inputs);
    }
    model.check().expect("no recycle while erasing");
    assert!(model.filter().recycles() > 8);
    model.status().counter(RecyclingCounter::StallRecycle)
}

#[test]
fn an_erase_holds_nothing_up_from_the_stall_free_threshold_on_and_does_one_below_it() {
    for (phases, retain, row_bits, latency) in [
        (2, true, 2, "default"),
        (2, false, 4, "default"),
        (1, true, 4, "default"),
        (1, false, 8, "default"),
        (2, true, 2, "low"),
        (1, false, 4, "low"),
        (2, false, 2, "lowest"),
        (1, true, 8, "lowest"),
    ] {
        let shape = SpareHalf {
            phases,
            retain,
            row_bits,
            latency,
            hashes: 1,
            partition_bits: 1024,
            threshold: 1023,
            ..BASE
        };
        let least = shape.geometry().stall_free_threshold();
        assert!(least < 900, "{shape:?}: {least}");
        let at = |threshold| waits(&SpareHalf { threshold, ..shape }.geometry());
        assert_eq!(at(least), 0, "{shape:?} at {least}");
        assert!(at(least - 1) > 0, "{shape:?} below {least}");
    }
}

/// Clocks that keys of a packet path waited for the spare half. They come as fast as frames bring them, and now and then as many at once as may wait for the filter.
fn waits_in_a_path(geometry: &RecyclingGeometry, seed: u64) -> u64 {
    const WAITING: u64 = 32 + 1 + 16 + 1;
    let keys = apart(geometry);
    let beats = 34;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut model = PipelineModel::new(geometry);
    let mut inputs = Inputs {
        s_item_tuser: 2,
        m_verdict_tready: true,
        ..Inputs::default()
    };
    let (mut next, mut waiting, mut held) = (0, 0, 0);
    for clock in 0..200_000 {
        waiting = (waiting + u64::from(clock % beats == 0)).min(WAITING);
        held = match held {
            0 if waiting == 0 && random.random_ratio(1, 200) => WAITING * beats,
            held => held.saturating_sub(1),
        };
        inputs.s_item_tvalid = held == 0 && waiting > 0;
        inputs.s_item_tdata[0] = keys[next % keys.len()].words()[0];
        if inputs.s_item_tvalid && model.outputs().s_item_tready {
            next += 1;
            waiting -= 1;
        }
        model.clock(&inputs);
    }
    model.check().expect("no recycle while erasing");
    assert!(model.filter().recycles() > 8);
    model.status().counter(RecyclingCounter::StallRecycle)
}

#[test]
fn in_a_packet_path_an_erase_holds_no_frame_up_from_a_far_lower_threshold_on() {
    let at = |threshold: u64| {
        let text = format!(
            "name = \"tested\"\n[filter]\nkind = \"recycling\"\nmemory_bits = 8192\nhashes = 1\n[filter.recycle]\nphases = 1\n\
             on = \"bits-set\"\nthreshold = {threshold}\n[key]\nsource = \"ipv4-5tuple\"\n[memory]\nerase = \"spare-half\"\n\
             [card]\nuart_baud = 1_000_000\n[packet]\ndata_bits = 8\ntrusted_keys = true\n[target]\nclock_hz = 125_000_000\n"
        );
        let spec = FilterSpec::from_toml(&text, Path::new("tested.toml")).expect("TOML");
        let sizing = spec.validate().unwrap_or_else(|error| panic!("{error}"));
        sizing.with_threshold(threshold).expect("a legal threshold")
    };
    let of_path = at(1_000).stall_free_threshold_in_place();
    let of_any_stream = at(1_000).stall_free_threshold();
    assert!(
        of_path < 500 && of_any_stream > 8_000,
        "{of_path}, {of_any_stream}"
    );
    for seed in 0..4 {
        assert_eq!(waits_in_a_path(&at(of_path), seed), 0, "seed {seed}");
    }
    let below = (0..4).map(|seed| waits_in_a_path(&at(of_path * 2 / 3), seed));
    assert!(below.sum::<u64>() > 0, "the bound is far from what happens");
}

#[test]
fn a_reset_in_any_clock_of_an_erase_comes_back_empty_and_exact() {
    for clocks in (0..170).step_by(9) {
        for phases in [1, 2] {
            let latency = LATENCIES[clocks as usize % 3];
            let shape = SpareHalf {
                phases,
                latency,
                ..BASE
            };
            let mut harness = shape.harness(Traffic::FULL, clocks);
            harness.run(900);
            harness.write(address::CONTROL, 1 << field::CONTROL_RECYCLE);
            harness.run(clocks);
            harness.accesses.clear();
            harness.reset(1);
            harness.run(700);
            for word in 0..4 {
                let place = harness.geometry.array_address(HalfRole::Active, 1, word);
                harness.write(address::ARRAY_ADDRESS, place);
            }
            harness.settle();
            assert!(harness.fetches > 0);
        }
    }
}

#[test]
fn a_word_holds_the_stream_while_its_bits_pass() {
    for latency in LATENCIES {
        a_word_holds_the_stream(latency);
    }
}

fn a_word_holds_the_stream(latency: &'static str) {
    let shape = SpareHalf {
        partition_bits: 1024,
        threshold: 2_000,
        latency,
        ..BASE
    };
    let mut harness = shape.harness(Traffic::FULL, 8);
    harness.run(4_000);
    let timing = harness.geometry.timing();
    let stalled = |harness: &Harness| {
        harness
            .model
            .status()
            .counter(RecyclingCounter::StallControl)
    };
    for round in 0..20 {
        let before = stalled(&harness);
        harness.run(round);
        let place = harness.geometry.array_address(HalfRole::Frozen, 1, 2);
        harness.write(address::ARRAY_ADDRESS, place);
        harness.read_now(address::ARRAY_DATA);
        harness.run(100);
        let held = u64::from(timing.retire_clocks + timing.decision_stage + 34);
        assert_eq!(stalled(&harness) - before, held, "round {round}");
    }
}

#[test]
fn status_says_when_the_spare_half_is_empty() {
    let mut harness = BASE.harness(Traffic::FULL, 5);
    let (mut full, mut empty) = (0, 0);
    for _ in 0..3_000 {
        harness.run(1);
        let status = harness.model.status();
        assert_eq!(
            (status.epoch, status.spare_epochs),
            (0, status.covered.into())
        );
        full += u32::from(!status.covered);
        empty += u32::from(status.covered);
    }
    assert!(full > 100 && empty > 100);
}

#[test]
fn verdicts_come_after_the_clocks_of_the_contract_and_past_an_empty_queue_without_waiting() {
    for (latency, clocks) in [("default", 18), ("low", 12), ("lowest", 9)] {
        let geometry = SpareHalf { latency, ..BASE }.geometry();
        let mut model = PipelineModel::new(&geometry);
        let mut item = Inputs {
            s_item_tvalid: true,
            s_item_tuser: 2,
            m_verdict_tready: true,
            ..Inputs::default()
        };
        while !model.outputs().s_item_tready {
            model.clock(&Inputs::default());
        }
        for value in 0..40 {
            item.s_item_tdata[0] = value;
            item.s_item_tid = value;
            model.clock(&item);
            let now = model.outputs();
            let due = (value + 1).checked_sub(clocks);
            assert_eq!(now.m_verdict_tvalid, due.is_some(), "{latency}, {value}");
            if let Some(tag) = due {
                assert_eq!(now.m_verdict_tid, Some(tag), "{latency}");
            }
        }
    }
}
