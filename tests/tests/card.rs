//! The card: emitted Verilog equals the cycle-accurate model on every port of every clock.

use bloomline_tests::{
    cards_in_lockstep, runs, CardSample, CellSample, Sample, SampleFilter, SlidingSample,
};

/// Runs a sample, and clocks a run: over a UART for so many bits; `BLOOMLINE_SOAK` multiplies the runs.
const RUNS: u64 = 8;
const UART_BITS: u64 = 25_000;
const BUS_CLOCKS: u64 = 40_000;

const SKETCH: CellSample = CellSample {
    key_bits: 33,
    hashes: 2,
    ..CellSample::SKETCH
};

const STATIC: CellSample = CellSample {
    key_bits: 20,
    hashes: 2,
    tag_bits: 63,
    ..CellSample::STATIC
};

#[test]
fn a_recycling_filter_with_the_fewest_clocks_a_bit_equals_the_model() {
    let sample = CardSample {
        filter: SampleFilter::Recycling(Sample {
            key_bits: 40,
            ..Sample::BASE
        }),
        ..CardSample::BASE
    };
    cards_in_lockstep(runs(RUNS / 4, RUNS), UART_BITS, &[sample]);
}

#[test]
#[ignore = "a claim"]
fn filters_of_cells_with_odd_clocks_a_bit_equal_the_model() {
    let samples = [(STATIC, 9), (SKETCH, 13)].map(|(cells, n)| CardSample {
        filter: SampleFilter::Cells(cells),
        clocks_per_bit: Some(n),
        timeout: 400 * n,
    });
    cards_in_lockstep(RUNS, UART_BITS, &samples);
}

#[test]
#[ignore = "a claim"]
fn a_sliding_window_with_twenty_clocks_a_bit_equals_the_model() {
    let sample = CardSample {
        filter: SampleFilter::Sliding(SlidingSample {
            key_bits: 64,
            ..SlidingSample::CROWDED
        }),
        clocks_per_bit: Some(20),
        timeout: 8_000,
    };
    cards_in_lockstep(RUNS, UART_BITS, &[sample]);
}

#[test]
#[ignore = "a claim"]
fn cards_over_axi4_lite_equal_the_model() {
    let samples = [
        SampleFilter::Recycling(Sample {
            key_bits: 512,
            hashes: 2,
            threshold: 128,
            ..Sample::BASE
        }),
        SampleFilter::Cells(SKETCH),
        SampleFilter::Sliding(SlidingSample::BASE),
    ]
    .map(|filter| CardSample {
        filter,
        clocks_per_bit: None,
        ..CardSample::BASE
    });
    cards_in_lockstep(RUNS, BUS_CLOCKS, &samples);
}
