//! Every bench has teeth: each edit of the emitted Verilog that stands in `tests/faults` is caught by the run that its table is for.
//!
//! An edit replaces a piece of text that occurs exactly once in its module. A seed that catches it runs clean on the text as emitted, so what is
//! caught is the edit. Edits of filters and cards are simulated in lanes at any size of a test. Of packet paths, line cards, the MAC and the host port a quick
//! test finds the places of the edits alone, which is what a change of the gateware breaks.

use bloomline_assurance::lanes::LaneDesign;
use bloomline_bench::built_in::BuiltIn;
use bloomline_bench::filter::{
    Act, CellReference, CellTorture, CellTortureMix, ModelReference, Torture, TortureMix,
};
use bloomline_bench::lockstep::{Device, Reference, Stimulus};
use bloomline_bench::path::{
    run_path, Episode, FrameMaker, FrameMix, Room, Script as PathScript, ScriptMix,
};
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library};
use bloomline_model::PathModel;
use bloomline_simulated::linecard::{LineEpisode, LineFrame, LineScript, Lines};
use bloomline_tests::faults::{self, FaultTable};
use bloomline_tests::{
    emitted_path, every_card_fault_is_caught, host_design, is_quick, mac_sides, packet_of,
    path_filter, soak, tagged_host_design, toolchain, CardGeometry, CardSample, CellSample,
    CuckooSample, HostBench, MacReference, MacTorture, PathSample, Sample, SampleFilter,
    SharedArraySample, SlidingSample, Tortured,
};
use bloomline_toolchain::Program;
use std::collections::BTreeSet;

/// Finds the faults of a table by torture of a filter.
fn caught(table: &str, filter: &impl Tortured) {
    let table = FaultTable::load(table);
    let sides = |seed| filter.sides(seed, table.clocks);
    faults::every_fault_is_caught_in_lanes(&filter.emitted(), &table.faults, table.seeds, sides);
}

#[test]
fn every_table_is_of_a_run() {
    let source = include_str!("faults.rs").to_owned()
        + include_str!("boundaries.rs")
        + include_str!("bus_arbiter.rs")
        + include_str!("bus_slice.rs")
        + include_str!("linecard_host.rs")
        + include_str!("linecard_merge.rs")
        + include_str!("soft_errors.rs")
        + include_str!("soft_errors_cells.rs")
        + include_str!("soft_errors_cuckoo.rs")
        + include_str!("soft_errors_sliding.rs");
    let tables = FaultTable::names();
    assert!(tables.len() > 30);
    let mut count = 0;
    for name in tables {
        count += FaultTable::load(&name).faults.len();
        let has_run = source.contains(&format!("\"{name}\""))
            || name
                .strip_prefix("boundaries.")
                .is_some_and(|block| source.contains(&format!("\"{block}\"")));
        assert!(has_run, "{name} has no run");
    }
    println!("{count} faults");
}

#[test]
fn recycling_two_phases() {
    caught("recycling.two_phases", &Sample::BASE.geometry());
}

#[test]
fn recycling_two_secrets() {
    let sample = Sample {
        family: "siphash",
        partition_bits: 512,
        threshold: 800,
        ..Sample::BASE
    };
    caught("recycling.two_secrets", &sample.geometry());
}

#[test]
fn recycling_epoch_reuse() {
    let sample = Sample {
        partition_bits: 4096,
        threshold: 8192,
        ..Sample::BASE
    };
    caught("recycling.epochs", &sample.geometry());
}

#[test]
fn recycling_words_for_the_host() {
    let sample = Sample {
        partition_bits: 1024,
        threshold: 2048,
        ..Sample::BASE
    };
    caught("recycling.fetches", &sample.geometry());
}

#[test]
fn recycling_counting_behind_two_undecided_slots() {
    let sample = Sample {
        hashes: 5,
        threshold: 320,
        ..Sample::BASE
    };
    caught("recycling.two_near", &sample.geometry());
}

#[test]
fn recycling_one_phase_on_messages() {
    let sample = Sample {
        phases: 1,
        on: "messages",
        threshold: 90,
        ..Sample::BASE
    };
    caught("recycling.one_phase", &sample.geometry());
}

/// Ten words a bank, of which 317 positions are used.
const TEN_WORDS: Sample = Sample {
    partition_bits: 320,
    range: Some(317),
    threshold: 600,
    ..Sample::BASE
};

#[test]
fn recycling_partitions_of_any_size() {
    caught("recycling.any_partition", &TEN_WORDS.geometry());
}

/// On one array a half.
fn caught_on_one_array(table: &str, sample: SharedArraySample) {
    let geometry = sample.geometry();
    let table = FaultTable::load(table);
    faults::every_fault_is_caught_in_lanes(
        &geometry.emitted(),
        &table.faults,
        table.seeds,
        |seed| {
            let mut mix = TortureMix::draw(&geometry, seed, table.clocks);
            // short cycles under a host that only reads: counts that are a little wrong from the item on that trips
            if seed % 4 == 3 {
                (mix.write, mix.read) = (0.0, 0.5);
                mix.script = vec![Act::opening(40)];
                (mix.keys, mix.repeat, mix.reset) = (u64::MAX, 0.0, 0.0);
            }
            let reference = ModelReference::new(&geometry);
            (reference, Torture::new(&geometry, mix, seed))
        },
    );
}

#[test]
fn shared_array() {
    let small = SharedArraySample {
        half_bits: 256,
        threshold: 128,
        ..SharedArraySample::BASE
    };
    caught_on_one_array("shared_array.small", small);
    let large = SharedArraySample {
        half_bits: 8192,
        threshold: 4000,
        ..small
    };
    caught_on_one_array("shared_array.large", large);
}

/// With a spare half; of five runs one is of a host that reads and sets words, and one of a host that resets the filter amid them.
fn caught_beside_a_spare_half(table: &str, sample: Sample) {
    let geometry = sample.geometry();
    let table = FaultTable::load(table);
    faults::every_fault_is_caught_in_lanes(
        &geometry.emitted(),
        &table.faults,
        table.seeds,
        |seed| {
            let mut mix = TortureMix::draw(&geometry, seed, table.clocks);
            if seed % 5 > 2 {
                mix.reset = if seed % 5 == 3 { 0.0 } else { 3e-3 };
                (mix.idle, mix.write) = (0.5, 0.1);
                (mix.set, mix.fetch) = (0.5, 0.6);
            }
            let reference = ModelReference::new(&geometry);
            (reference, Torture::new(&geometry, mix, seed))
        },
    );
}

#[test]
fn spare_half() {
    caught_beside_a_spare_half("spare_half.two_phases", Sample::SPARE_HALF);
    let any = Sample {
        row_bits: Some(2),
        ..TEN_WORDS
    };
    caught_beside_a_spare_half("spare_half.any_partition", any);
}

#[test]
fn spare_half_with_a_low_latency() {
    let low = Sample {
        latency: "low",
        ..Sample::SPARE_HALF
    };
    caught_beside_a_spare_half("spare_half.low", low);
}

#[test]
fn cells_counting() {
    caught("cells.counting", &CellSample::COUNTING.geometry());
}

#[test]
fn cells_epoch_reuse() {
    let sample = CellSample {
        words: 256,
        cell_bits: 16,
        ..CellSample::COUNTING
    };
    caught("cells.epochs", &sample.geometry());
}

#[test]
fn cells_sketch() {
    caught("cells.sketch", &CellSample::SKETCH.geometry());
}

#[test]
fn cells_static() {
    caught("cells.static", &CellSample::STATIC.geometry());
}

#[test]
fn single_bits() {
    caught_of_single_cells("single_bits.four_banks", &CellSample::SINGLE_BITS);
}

#[test]
fn single_counters() {
    caught_of_single_cells("single_counters.four_banks", &CellSample::SINGLE_COUNTERS);
    caught_of_single_cells(
        "single_counters.sketch",
        &CellSample {
            row_bits: 1,
            ..CellSample::SKETCH
        },
    );
}

/// Of three runs one is of a host that does little else than read and store words, and one of a host that resets the filter amid them.
fn caught_of_single_cells(table: &str, sample: &CellSample) {
    let geometry = sample.geometry();
    let table = FaultTable::load(table);
    faults::every_fault_is_caught_in_lanes(
        &geometry.emitted(),
        &table.faults,
        table.seeds,
        |seed| {
            let mut mix = CellTortureMix::draw(&geometry, seed, table.clocks);
            if seed % 3 > 0 {
                mix.reset = if seed % 3 == 1 { 0.0 } else { 3e-3 };
                (mix.idle, mix.write) = (0.5, 0.6);
            }
            let reference = CellReference::new(&geometry);
            (reference, CellTorture::new(&geometry, mix, seed))
        },
    );
}

/// One array of 64 counters, four probes an item.
const SHARED: CellSample = CellSample {
    layout: "shared",
    ..CellSample::COUNTING
};

#[test]
fn probing_one_after_the_other() {
    caught("probing.fold", &SHARED.geometry());
    let sample = CellSample {
        hashes: 8,
        ..SHARED
    };
    caught("probing.long_fold", &sample.geometry());
}

#[test]
fn probing_distinct_draws() {
    let sample = CellSample {
        distinct: true,
        hashing: "independent",
        hashes: 6,
        ..SHARED
    };
    caught("probing.distinct", &sample.geometry());
}

#[test]
fn copies_of_a_sketch() {
    let sample = CellSample {
        hashes: 6,
        copies: 2,
        ..CellSample::SKETCH
    };
    caught("copies.two", &sample.geometry());
    let sample = CellSample {
        words: 16,
        range: 61,
        ..sample
    };
    caught("copies.prime", &sample.geometry());
}

#[test]
fn probing_modulo_a_prime() {
    let sample = CellSample {
        range: 61,
        hashes: 7,
        ..SHARED
    };
    caught("probing.prime", &sample.geometry());
}

#[test]
fn probing_with_a_secret() {
    let sample = CellSample {
        family: "siphash",
        ..CellSample::COUNTING
    };
    caught("probing.secret", &sample.geometry());
}

#[test]
fn conservative_update() {
    let counting = CellSample {
        conservative: true,
        ..SHARED
    };
    caught("conservative.raises", &counting.geometry());
    caught("conservative.levels", &counting.geometry());
    let sketch = CellSample {
        layout: "shared",
        conservative: true,
        ..CellSample::SKETCH
    };
    caught("conservative.amounts", &sketch.geometry());
}

#[test]
fn sliding_forwarding_first_fit_ages_and_admission() {
    caught("sliding.crowded", &SlidingSample::CROWDED.geometry());
}

#[test]
fn cuckoo_tables() {
    caught("cuckoo.crowded", &CuckooSample::HELD.geometry());
}

#[test]
fn sliding_scan() {
    let sample = SlidingSample {
        sizes: "generations = 4\ngeneration_bits = 4",
        ..SlidingSample::BASE
    };
    caught("sliding.scan", &sample.geometry());
}

#[test]
fn counting_over_a_window() {
    let sample = CellSample {
        window: 64,
        ..CellSample::COUNTING
    };
    caught("cells.window", &sample.geometry());
}

fn caught_in_a_card(table: &str, key_bits: u32, clocks_per_bit: Option<u64>) {
    let sample = CardSample {
        filter: SampleFilter::Cells(CellSample {
            key_bits,
            hashes: 2,
            ..CellSample::STATIC
        }),
        clocks_per_bit,
        ..CardSample::BASE
    };
    let table = FaultTable::load(table);
    every_card_fault_is_caught(&sample, &table.faults, table.seeds, table.clocks);
}

#[test]
fn card_receiver_queue_bridge_and_mailbox() {
    caught_in_a_card("card.uart", 20, Some(8));
}

#[test]
fn card_item_port_and_bus_split() {
    caught_in_a_card("card.bus", 33, None);
}

/// Torture, or for every third seed frames behind a sink that is blocked for long.
fn path_script(geometry: &CardGeometry, seed: u64) -> PathScript {
    const MIX: ScriptMix = ScriptMix {
        episodes: 4,
        frames: 600,
        beats: 30_000,
    };
    let mut script = PathScript::draw(&packet_of(geometry), true, MIX, seed);
    if seed % 3 == 1 {
        let maker = FrameMaker::new(FrameMix::minimum(3), seed);
        let full = Episode {
            room: Room::Awaited,
            blocked: true,
            ..Episode::of(maker.take(100))
        };
        script.episodes.insert(0, full);
    }
    script
}

/// One fault of every part of a path of these beats; `BLOOMLINE_SOAK=2` looks for further ones.
fn caught_in_a_path(data_bits: u32, table: &str, further: &str) {
    let sample = PathSample {
        data_bits,
        packet: "buffer_bytes = 16384",
        ..PathSample::BASE
    };
    caught_in_the_path_of(sample, table, further);
}

fn caught_in_the_path_of(sample: PathSample, table: &str, further: &str) {
    let geometry = sample.geometry();
    let mut table = FaultTable::load(table);
    if soak() > 1 {
        table.faults.extend(FaultTable::load(further).faults);
    }
    faults::every_fault_is_caught(
        &emitted_path(&geometry),
        &table.faults,
        table.seeds,
        |library, design, seed| {
            let filter = path_filter(&geometry);
            let map = filter.design().register_map();
            let model = PathModel::new(filter).expect("has a packet path");
            let mut sim = library.open(Initial::Random(seed)).expect("opens");
            let script = path_script(&geometry, seed);
            run_path(design, &mut sim, model, &map, script, seed, |_, _| {})
                .expect("has every port")
                .err()
                .map(|failure| (failure.clock, failure.problem.to_string()))
        },
    );
}

#[test]
fn path_from_the_beats_to_the_class() {
    caught_in_a_path(8, "path.in", "path.more_in");
}

#[test]
fn path_from_the_buffer_to_the_beats() {
    caught_in_a_path(8, "path.out", "path.more_out");
}

#[test]
fn path_of_64_bits_from_the_beats_to_what_is_found() {
    caught_in_a_path(64, "path.pair", "path.more_pair");
}

#[test]
fn path_from_the_outer_packet_to_what_a_tunnel_holds() {
    caught_in_the_path_of(PathSample::OPENING, "path.tunnels", "path.more_tunnels");
}

#[test]
fn path_of_64_bits_from_the_outer_packet_to_what_a_tunnel_holds() {
    let sample = PathSample {
        data_bits: 64,
        ..PathSample::OPENING
    };
    caught_in_the_path_of(sample, "path.pair_tunnels", "path.more_pair_tunnels");
}

/// Drawn lines; before them a long frame at either port, behind which many short ones wait for it to leave.
fn line_script(geometry: &CardGeometry, seed: u64) -> LineScript {
    let mut script = LineScript::draw(&packet_of(geometry), 2, 100, 12_000, seed);
    let lines = [seed, seed + 1].map(|seed| {
        let short = FrameMaker::new(FrameMix::minimum(8), seed).take(25);
        let frames = std::iter::once(vec![0xA5; 1514]).chain(short.map(|frame| frame.bytes));
        Box::new(frames.map(|frame| LineFrame::good(&frame))) as Lines
    });
    script.episodes.insert(0, LineEpisode::of(lines));
    script
}

#[test]
fn linecard_lanes() {
    let geometry = PathSample::BASE.line_card();
    faults::every_line_card_fault_is_caught(&geometry, "linecard.lanes", line_script);
}

/// All faulty blocks stand in one design beside the sound ones and have the same inputs.
#[test]
fn mac_blocks() {
    let table = FaultTable::load("mac.blocks");
    let (design, twins) = mac_sides(&table.faults);
    if is_quick() {
        return println!("{} faults have their places", table.faults.len());
    }
    let toolchain = toolchain(&[Program::Verilator]);
    let library = Library::build(&toolchain, &design, &BuildOptions::default()).expect("builds");
    let mut caught: Vec<Option<u64>> = vec![None; table.faults.len()];
    let mut sim = library.open(Initial::Random(5)).expect("opens");
    let mut reference = MacReference::default();
    let mut torture = MacTorture::new(5, table.clocks);
    let mut inputs = vec![0; design.input_words()];
    let mut outputs = vec![0; design.output_words()];
    for clock in 0.. {
        let mut expected = vec![0; design.output_words()];
        let mut care = expected.clone();
        reference.outputs(&mut expected, &mut care);
        if !torture.next(&expected, &mut inputs) {
            break;
        }
        sim.step(&inputs, &mut outputs).expect("runs");
        let differs =
            |place: usize, twin: usize| (expected[place] ^ outputs[twin]) & care[place] != 0;
        for ([block, twin], caught) in twins.iter().zip(&mut caught) {
            let mut pairs = block.clone().zip(twin.clone());
            if caught.is_none() && pairs.any(|(place, twin)| differs(place, twin)) {
                *caught = Some(clock);
            }
            let mut sound = block.clone();
            assert!(!sound.any(|place| differs(place, place)), "clock {clock}");
        }
        reference.clock(&inputs);
    }
    faults::all_are_caught(&table.faults, &caught);
}

#[test]
fn host_port_modules() {
    let table = FaultTable::load("host_port.port");
    host_port_faults(&table, &host_design(&table.faults), false);
}

#[test]
fn host_port_tags() {
    let table = FaultTable::load("host_port.tags");
    host_port_faults(&table, &tagged_host_design(&table.faults), true);
}

/// Faulty modules stand in one design beside the sound ones; an input chooses.
fn host_port_faults(table: &FaultTable, design: &Design, tagged: bool) {
    if is_quick() {
        return println!("{} faults have their places", table.faults.len());
    }
    let toolchain = toolchain(&[Program::Verilator]);
    let library = Library::build(&toolchain, design, &BuildOptions::default()).expect("builds");
    let run = |which: usize, seed: u64| {
        let mut sim = library.open(Initial::Random(seed)).expect("opens");
        let bench = match tagged {
            true => HostBench::tagged(&mut sim, which, seed),
            false => HostBench::new(&mut sim, which, seed),
        };
        bench.run(table.clocks)
    };
    let mut sound = BTreeSet::new();
    let mut all = Vec::new();
    for which in 1..=table.faults.len() {
        let caught = (0..table.seeds).find_map(|seed| Some((seed, run(which, seed).err()?)));
        if let Some((seed, _)) = &caught {
            if sound.insert(*seed) {
                run(0, *seed).unwrap_or_else(|error| panic!("as emitted, seed {seed}: {error}"));
            }
        }
        all.push(caught);
    }
    faults::all_are_caught(&table.faults, &all);
}

/// A fault in a lane, and the text with that fault alone in a simulation of its own: every output, care or not, in every clock.
#[test]
fn a_fault_in_a_lane_does_in_every_clock_what_it_does_alone() {
    const CLOCKS: u64 = 1_500;
    let geometry = Sample::BASE.geometry();
    let table = FaultTable::load("recycling.two_phases");
    let design = geometry.emitted();
    let chosen: Vec<usize> = (1..=table.faults.len()).step_by(5).collect();
    let in_lanes = LaneDesign::with_faults(&design, &table.faults).expect("has places for all");
    let opened = in_lanes.open(&chosen, bloomline_engine::Initial::Zeros);
    let (mut lanes, _) = opened.expect("one clock");
    let mut alone: Vec<BuiltIn> = std::iter::once(design.clone())
        .chain(chosen.iter().map(|number| {
            let mut faulty = design.clone();
            for (_, text) in &mut faulty.sources {
                *text = faults::with_fault(text, &table.faults[number - 1]);
            }
            faulty
        }))
        .map(|faulty| BuiltIn::open(&faulty, Initial::Zeros).expect("reads"))
        .collect();
    let (mut reference, mut stimulus) = geometry.sides(0, CLOCKS);
    let words = design.output_words();
    let (mut inputs, mut got) = (vec![0; design.input_words()], vec![0; words]);
    let mut of_lanes = vec![vec![0; lanes.lanes()]; words];
    let mut shown = BTreeSet::new();
    for clock in 0..CLOCKS {
        let (mut expected, mut care) = (vec![0; words], vec![0; words]);
        inputs.fill(0);
        reference.outputs(&mut expected, &mut care);
        assert!(stimulus.next(&expected, &mut inputs), "clock {clock}");
        reference.clock(&inputs);
        for (word, value) in inputs.iter().enumerate() {
            lanes.set_input_everywhere(word, *value).expect("an input");
        }
        lanes.clock();
        for (word, values) in of_lanes.iter_mut().enumerate() {
            lanes.output(word, values).expect("an output");
        }
        for (lane, sim) in alone.iter_mut().enumerate() {
            sim.step(&inputs, &mut got).expect("runs");
            for (word, values) in of_lanes.iter().enumerate() {
                assert_eq!(
                    values[lane], got[word],
                    "clock {clock}, lane {lane}, word {word}"
                );
                if values[lane] != values[0] {
                    shown.insert(lane);
                }
            }
        }
    }
    assert!(!shown.is_empty(), "no fault shows in {CLOCKS} clocks");
}
