//! The sliding window's pipeline, clock by clock: what the scan costs, what a clear costs, what reset forgets.

use bloomline_model::{Inputs, SlidingEvent, SlidingPipelineModel};
use bloomline_spec::registers::{address, SlidingCounter};
use bloomline_spec::{FilterSpec, SlidingGeometry, SLIDING_EXAMPLES};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

fn example() -> SlidingGeometry {
    let (file, text) = SLIDING_EXAMPLES[0];
    FilterSpec::from_toml(text, Path::new(file))
        .and_then(|spec| spec.sliding())
        .expect("an example")
}

fn until_ready(model: &mut SlidingPipelineModel) -> u64 {
    let start = model.now();
    while !model.outputs().s_item_tready {
        model.clock(&Inputs::default());
    }
    model.now() - start
}

/// Offers items with probability `offered` a clock, all elements; gives the items taken.
fn stream(
    model: &mut SlidingPipelineModel,
    clocks: u64,
    offered: f64,
    rng: &mut ChaCha8Rng,
) -> u64 {
    let mut inputs = Inputs {
        s_item_tuser: 2,
        m_verdict_tready: true,
        ..Inputs::default()
    };
    let mut taken = 0;
    for _ in 0..clocks {
        if !inputs.s_item_tvalid && rng.random_bool(offered) {
            inputs.s_item_tvalid = true;
            inputs.s_item_tdata[0] = rng.random();
        }
        let ready = model.outputs().s_item_tready;
        model.clock(&inputs);
        if ready && inputs.s_item_tvalid {
            taken += 1;
            inputs.s_item_tvalid = false;
        }
    }
    taken
}

#[test]
fn a_saturated_stream_loses_one_clock_in_interval_plus_one_and_the_scan_is_never_late() {
    let geometry = example();
    let mut model = SlidingPipelineModel::new(&geometry);
    until_ready(&mut model);
    let period = u64::from(geometry.scan_interval()) + 1;
    let clocks = 20_000 * period;
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let taken = stream(&mut model, clocks, 1.0, &mut rng);
    assert!(
        taken.abs_diff(clocks - clocks / period) <= 1,
        "{taken} of {clocks}"
    );
    model.check().expect("the scan keeps up");
    // two clocks until an event is counted
    let stalls = model.status().counter(SlidingCounter::StallScan);
    assert!((clocks / period).abs_diff(stalls) <= 2, "{stalls}");
}

#[test]
fn a_stream_that_pauses_often_enough_loses_nothing() {
    let geometry = example();
    let mut model = SlidingPipelineModel::new(&geometry);
    until_ready(&mut model);
    let mut item = Inputs {
        s_item_tuser: 2,
        m_verdict_tready: true,
        ..Inputs::default()
    };
    for clock in 0..200_000u64 {
        item.s_item_tvalid = clock % (u64::from(geometry.scan_interval()) + 1) != 0;
        item.s_item_tdata[0] = clock;
        let ready = model.outputs().s_item_tready;
        assert!(ready || !item.s_item_tvalid, "clock {clock}");
        model.clock(&item);
    }
    model.check().expect("the scan keeps up");
}

#[test]
fn the_scan_is_never_late_whatever_the_stream() {
    let geometry = example();
    for (offered, seed) in [(0.99, 2), (0.9, 3), (0.5, 4)] {
        let mut model = SlidingPipelineModel::new(&geometry);
        until_ready(&mut model);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let taken = stream(&mut model, 300_000, offered, &mut rng);
        println!("offered {offered}: taken {taken} of 300000 clocks");
        model.check().expect("the scan keeps up");
    }
}

#[test]
fn start_and_clear_take_a_wipe_of_every_bucket() {
    let geometry = example();
    let timing = geometry.timing();
    let wipe = u64::from(timing.retire_clocks) + geometry.front_buckets();
    let mut model = SlidingPipelineModel::new(&geometry);
    model.keep_events();
    assert_eq!(until_ready(&mut model), wipe + 2);
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    stream(&mut model, 5_000, 1.0, &mut rng);
    let clear = Inputs {
        s_axil_awvalid: true,
        s_axil_wvalid: true,
        s_axil_awaddr: address::CONTROL as u8,
        s_axil_wdata: 1,
        s_axil_wstrb: 15,
        s_axil_bready: true,
        ..Inputs::default()
    };
    while !model.outputs().s_axil_awready {
        model.clock(&clear);
    }
    model.clock(&clear);
    while model.outputs().s_item_tready {
        model.clock(&Inputs::default());
    }
    assert_eq!(until_ready(&mut model), wipe + 2);
    assert_eq!(model.filter().elements(), 0);
    let clears = model
        .drain_events()
        .filter(|event| *event == SlidingEvent::Clear)
        .count();
    assert_eq!(clears, 2);
    assert!(
        model.status().counter(SlidingCounter::Items) > 4_000,
        "a clear keeps the counters"
    );
}
