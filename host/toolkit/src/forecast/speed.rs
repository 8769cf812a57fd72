//! Throughput of the pipeline, and the shortest cycle without a stall.

use super::line::Line;
use bloomline_spec::{Erase, Latency, Layout, RecycleOn, RecyclingGeometry};
use bloomline_theory::Accuracy;
use std::f64::consts::LN_2;

/// Clock of the example `lean` by its latency on LFE5UM5G-45F, grade 8, in MHz: the least of its seeds. `hdl/docs/results.md` has the command.
pub const MEASURED_MHZ: &[(Latency, f64)] = &[
    (Latency::Default, 274.6),
    (Latency::Low, 268.4),
    (Latency::Lowest, 195.7),
];

/// Rounding of the few operations here.
const ROUNDING: f64 = 1e-12;

/// Speed, latency and the two limits of short cycles.
pub fn lines(geometry: &RecyclingGeometry) -> Vec<Line> {
    let timing = geometry.timing();
    let clock_hz = geometry.clock_hz() as f64;
    let latency_clocks =
        f64::from(timing.front_clocks + timing.decision_stage + timing.verdict_clocks);
    let rate = match timing.initiation_interval {
        1 => "one item a clock".to_owned(),
        clocks => format!("one item in {clocks} clocks"),
    };
    let exact = |key, value, unit, formula: &str| Line {
        key,
        value,
        unit,
        formula: formula.to_owned(),
        accuracy: Accuracy::exact(ROUNDING),
        ln: None,
    };
    let shortest_cycle = match geometry.erase() {
        Erase::SpareHalf => exact(
            "no_stall_cycle_messages",
            erasing_arrivals(geometry) as f64,
            "messages",
            "shortest cycle that an erase never holds up: guard / unit + rows - 4 messages, 1 more with retain, and at least what full rate asks for; rows = partition_bits / \
             row_bits clocks of an erase, unit = what an item counts at most, guard = the next power of two from unit (retire_clocks + 1) on, room for \
             all that is in flight (hdl/docs/spare-half.md)",
        ),
        Erase::Epoch | Erase::InPlace => Line {
            key: "no_stall_cycle_messages",
            value: covering_arrivals(geometry),
            unit: "messages",
            formula: match geometry.layout() {
                Layout::Partitioned => {
                    "shortest mean cycle without a stall: W ln(k W / ln 2), W words a bank, k banks; the cycle in which a \
                      saturated stream of distinct inserting items writes all k W words of a half with probability 1/2, \
                      exp(-k W exp(-C/W)) = 1/2 (14 cycles of a half may pass until one does; clocks without an item help)"
                }
                Layout::Shared => {
                    "shortest mean cycle without a stall: (W / k) ln(W / ln 2), W words a half; the cycle in which a saturated \
                     stream of distinct inserting items writes all W words of a half with probability 1/2, exp(-W exp(-k C/W)) = \
                     1/2 (14 cycles of a half may pass until one does; clocks without an item help)"
                }
            }
            .to_owned(),
            // exp(-x) for (1 - ..)^C and independence of the words: of the order of 1/W.
            accuracy: Accuracy::approximation(1.0 / geometry.words_per_bank() as f64),
            ln: None,
        },
    };
    vec![
        shortest_cycle,
        exact(
            "full_rate_threshold",
            full_rate_threshold(geometry) as f64,
            threshold_unit(geometry),
            &format!(
                "least threshold at {rate}: room for {} items after a recycle; below it items go one at a time",
                timing.large_cycle_items
            ),
        ),
        exact(
            "items_per_second",
            clock_hz / f64::from(timing.initiation_interval),
            "items/s",
            &format!(
                "{rate} times target.clock_hz, while cycles are longer than the two limits above{}",
                if geometry.has_secret_per_half() {
                    "; after a rekey one item in two clocks until the next recycle"
                } else {
                    ""
                }
            ),
        ),
        exact(
            "latency_clocks",
            latency_clocks,
            "clocks",
            &format!(
                "front_clocks + decision_stage + {}, from acceptance to verdict without back-pressure",
                timing.verdict_clocks
            ),
        ),
    ]
}

/// What short cycles cost, and a clock that a low latency may not reach; `lines` hold the mean cycle and the limits.
pub fn warnings(geometry: &RecyclingGeometry, lines: &[Line]) -> Vec<String> {
    let mut warnings = of_short_cycles(geometry, lines);
    warnings.extend(of_low_latency(geometry));
    warnings
}

fn of_low_latency(geometry: &RecyclingGeometry) -> Option<String> {
    let latency = geometry.latency();
    let clock_mhz = geometry.clock_hz() as f64 / 1e6;
    let (_, mhz) = MEASURED_MHZ.iter().find(|(of, _)| *of == latency)?;
    (latency != Latency::Default && clock_mhz > *mhz).then(|| {
        format!(
            "target.clock_hz is {clock_mhz:.0} MHz, and with target.latency = \"{latency}\" the example lean came to {mhz:.0} MHz on an ECP5 of the fastest \
             grade: a part no faster will not keep that clock"
        )
    })
}

fn of_short_cycles(geometry: &RecyclingGeometry, lines: &[Line]) -> Vec<String> {
    let value = |key| {
        lines
            .iter()
            .find(|line| line.key == key)
            .map(|line| line.value)
    };
    let least = full_rate_threshold(geometry);
    if geometry.threshold() < least {
        return vec![format!(
            "threshold {} is below {least} {}: after a recycle there is room for fewer than {} items, so the pipeline takes \
             them one at a time ({} clocks each)",
            geometry.threshold(),
            threshold_unit(geometry),
            geometry.timing().large_cycle_items,
            geometry.timing().retire_clocks + 1,
        )];
    }
    let counted = match geometry.counter_width().is_built() {
        true => "; STALL_RECYCLE counts every such clock",
        false => "",
    };
    match (value("bit_setting_messages_per_cycle"), value("no_stall_cycle_messages")) {
        (Some(mean), Some(limit)) if mean < limit && geometry.erase() == Erase::SpareHalf => vec![format!(
            "the mean cycle of {mean:.0} bit-setting messages is shorter than {limit:.0}: a stream of new items on every clock waits for the spare half to be \
             erased, so that {:.2} new items a clock go through on average; fewer than that wait for nothing, and the filter stays exact{counted} \
             (memory.row_bits makes an erase of {} clocks shorter)",
            mean / geometry.erase_rows() as f64,
            geometry.erase_rows()
        )],
        (Some(mean), Some(limit)) if mean < limit => vec![format!(
            "the mean cycle of {mean:.0} bit-setting messages is shorter than {limit:.0}: a stream of new items on every clock may have to \
             wait for old words to be rewritten; the filter stays exact{counted}"
        )],
        _ => Vec::new(),
    }
}

/// Messages of the shortest cycle that an erase never holds up: as many as fit the room of
/// [`stall_free_threshold`](bloomline_spec::Sizing::stall_free_threshold), each at its most.
fn erasing_arrivals(geometry: &RecyclingGeometry) -> u64 {
    geometry.stall_free_threshold() / u64::from(geometry.unit())
}

/// Distinct inserting arrivals a cycle at which a saturated stream covers the half with probability 1/2.
fn covering_arrivals(geometry: &RecyclingGeometry) -> f64 {
    let words = geometry.words_per_bank() as f64;
    let banks = f64::from(geometry.banks());
    let probes_a_bank = f64::from(geometry.hashes()) / banks;
    words / probes_a_bank * (banks * words / LN_2).ln()
}

/// Least threshold with room for the items of a cycle at full rate after a recycle. On messages the limit is one below the threshold, since the
/// N-th message trips; a retained item takes its own share of the room.
fn full_rate_threshold(geometry: &RecyclingGeometry) -> u64 {
    let items = u64::from(geometry.timing().large_cycle_items) + u64::from(geometry.retain());
    match geometry.recycle_on() {
        RecycleOn::BitsSet => items * u64::from(geometry.hashes()),
        RecycleOn::Messages => items + 1,
    }
}

fn threshold_unit(geometry: &RecyclingGeometry) -> &'static str {
    match geometry.recycle_on() {
        RecycleOn::BitsSet => "bits set",
        RecycleOn::Messages => "messages",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomline_spec::{FilterSpec, EXAMPLES};
    use std::path::Path;

    fn example(index: usize, threshold: u64) -> RecyclingGeometry {
        let (file, text) = EXAMPLES[index];
        let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
        let sizing = spec.validate().expect("an example");
        sizing.with_threshold(threshold).expect("legal")
    }

    #[test]
    fn half_of_all_cycles_of_the_covering_length_cover_every_word() {
        let geometry = example(0, 30_000);
        let words = 512.0;
        let untouched = 4.0 * words * (-covering_arrivals(&geometry) / words).exp();
        assert!(((-untouched).exp() - 0.5).abs() < 1e-9);
    }

    #[test]
    fn full_rate_starts_where_the_pipeline_stops_taking_items_one_at_a_time() {
        // limit - base >= 64 unit, with limit = sigma and base = k, or limit = N - 1 and base = 1.
        assert_eq!(full_rate_threshold(&example(0, 30_000)), 64 * 4 + 4);
        assert_eq!(full_rate_threshold(&example(1, 8_192)), 64 + 1 + 1);
    }
}
