//! Throughput of the pipeline, and the shortest cycle without a stall.

use super::line::Line;
use super::{queue, whole};
use bloomline_spec::{Design, Erase, Latency, Layout, RecycleOn, RecyclingGeometry, WORD_BITS};
use bloomline_theory::Accuracy;
use std::f64::consts::LN_2;

/// Clock of the example `lean` by its latency on LFE5UM5G-45F, grade 8, in MHz: the least of its seeds. `hdl/docs/results.md` has the command.
pub const MEASURED_MHZ: &[(Latency, f64)] = &[
    (Latency::Default, 286.5),
    (Latency::Low, 259.9),
    (Latency::Lowest, 190.8),
];

/// Rounding of the few operations here.
const ROUNDING: f64 = 1e-12;

/// Speed, latency and the two limits of short cycles.
pub fn lines(geometry: &RecyclingGeometry) -> Vec<Line> {
    let timing = geometry.timing();
    let clock_hz = geometry.clock_hz() as f64;
    let pipeline = Design::from(geometry).timing();
    let rate = match timing.initiation_interval {
        1 => "one item a clock".to_owned(),
        clocks => format!("one item in {clocks} clocks"),
    };
    let least = full_rate_threshold(geometry);
    let one_at_a_time = takes_one_at_a_time(geometry);
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
            "shortest cycle that an erase never holds up: guard / unit + rows - 4 messages, 1 more with retain, and at least what full rate asks for; rows = the bits of a bank / \
             row_bits clocks of an erase, unit = what an item counts at most, guard = the next power of two from unit (retire_clocks + 1) on, room for \
             all that is in flight (hdl/docs/spare-half.md)",
        ),
        Erase::Epoch | Erase::InPlace => Line {
            key: "no_stall_cycle_messages",
            value: covering_arrivals(geometry),
            unit: "messages",
            formula: match geometry.layout() {
                Layout::Partitioned if last_word_bits(geometry) < u64::from(WORD_BITS) => {
                    "shortest mean cycle without a stall: C with k ((W - 1) exp(-32 C/r) + exp(-(r - 32 (W - 1)) C/r)) = ln 2, W words a \
                      bank, of which items reach r bits, k banks; the cycle in which a saturated stream of distinct inserting items \
                      writes all k W words of a half with probability 1/2 (14 cycles of a half may pass until one does; clocks without \
                      an item help)"
                }
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
    let mut lines = vec![
        shortest_cycle,
        exact(
            "full_rate_threshold",
            least as f64,
            threshold_unit(geometry),
            &format!(
                "least threshold at {rate}: room for {} items after a recycle; below it items go one at a time",
                timing.large_cycle_items
            ),
        ),
        exact(
            "items_per_second",
            clock_hz * pipeline.queue_rate() / f64::from(item_clocks(geometry)),
            "items/s",
            &match one_at_a_time {
                true => format!(
                    "one item in {} clocks times target.clock_hz, retire_clocks and 2 more, as the threshold is below {least} {}{}",
                    item_clocks(geometry),
                    threshold_unit(geometry),
                    match erases_in_a_cycle(geometry) {
                        true => "",
                        false => "; at most, as a recycle may wait for memory to be erased",
                    }
                ),
                false => format!(
                "{rate} times target.clock_hz{}, while cycles are longer than the two limits above{}",
                if pipeline.queue_rate() < 1.0 { " and verdict_queue_rate" } else { "" },
                if geometry.has_secret_per_half() {
                    "; after a rekey one item in two clocks until the next recycle"
                } else {
                    ""
                }
                ),
            },
        ),
        queue::latency(&pipeline, "front_clocks + decision_stage"),
    ];
    lines.extend(queue::lines(&pipeline));
    if one_at_a_time && !erases_in_a_cycle(geometry) {
        let items = lines.iter_mut().find(|line| line.key == "items_per_second");
        items
            .into_iter()
            .for_each(|items| items.accuracy = Accuracy::bound());
    }
    lines
}

/// Clocks from an item to the next, while no recycle waits for memory to be erased.
pub fn item_clocks(geometry: &RecyclingGeometry) -> u32 {
    let timing = geometry.timing();
    match takes_one_at_a_time(geometry) {
        true => timing.initiation_interval.max(timing.retire_clocks + 2),
        false => timing.initiation_interval,
    }
}

/// Whether an item waits until the one before it has retired, as cycles may be shorter than what is in flight.
fn takes_one_at_a_time(geometry: &RecyclingGeometry) -> bool {
    geometry.threshold() < full_rate_threshold(geometry)
}

/// Whether no recycle waits for memory where items come one at a time: even the shortest cycle has a clock
/// for each word of a bank, in which it is erased.
fn erases_in_a_cycle(geometry: &RecyclingGeometry) -> bool {
    if geometry.layout() == Layout::Shared || geometry.erase() == Erase::SpareHalf {
        return false;
    }
    let unit = u64::from(geometry.unit());
    let limit = match geometry.recycle_on() {
        RecycleOn::BitsSet => geometry.threshold(),
        RecycleOn::Messages => geometry.threshold() - 1,
    };
    let items = (limit / unit).saturating_sub(u64::from(geometry.retain()));
    let retire_clocks = u64::from(geometry.timing().retire_clocks);
    items * u64::from(item_clocks(geometry)) >= geometry.words_per_bank() + retire_clocks
}

/// What short cycles cost, and a clock that a low latency may not reach; `lines` hold the mean cycle and the limits.
pub fn warnings(geometry: &RecyclingGeometry, lines: &[Line]) -> Vec<String> {
    let mut warnings = of_short_cycles(geometry, lines);
    warnings.extend(of_low_latency(geometry));
    warnings
}

/// Whether new items that come as fast as `items_per_second` may stall, as cycles are shorter than an erase.
pub fn may_stall(geometry: &RecyclingGeometry, lines: &[Line]) -> bool {
    match takes_one_at_a_time(geometry) {
        true => !erases_in_a_cycle(geometry),
        false => !of_short_cycles(geometry, lines).is_empty(),
    }
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
    if takes_one_at_a_time(geometry) {
        return vec![format!(
            "threshold {} is below {least} {}: after a recycle there is room for fewer than {} items, so the pipeline takes \
             them one at a time ({} clocks each)",
            geometry.threshold(),
            threshold_unit(geometry),
            geometry.timing().large_cycle_items,
            item_clocks(geometry),
        )];
    }
    let counted = match geometry.counter_width().is_built() {
        true => "; STALL_RECYCLE counts every such clock",
        false => "",
    };
    let items = match geometry.packet() {
        None => "a stream of new items on every clock",
        Some(_) => "a stream of the shortest frames of new keys",
    };
    match (value("bit_setting_messages_per_cycle"), value("no_stall_cycle_messages")) {
        (Some(mean), Some(limit)) if mean < limit && geometry.erase() == Erase::SpareHalf => vec![format!(
            "the mean cycle of {} bit-setting messages is shorter than {}: {items} waits for the spare half to be \
             erased, so that {:.2} new items a clock go through on average; fewer than that wait for nothing, and the filter stays exact{counted} \
             (memory.row_bits makes an erase of {} clocks shorter)",
            whole(mean),
            whole(limit),
            mean / geometry.erase_rows() as f64,
            whole(geometry.erase_rows() as f64)
        )],
        (Some(mean), Some(limit)) if mean < limit => vec![format!(
            "the mean cycle of {} bit-setting messages is shorter than {}: a stream of new items on every clock may have to \
             wait for old words to be rewritten; the filter stays exact{counted}",
            whole(mean),
            whole(limit)
        )],
        _ => Vec::new(),
    }
}

/// Messages of the shortest cycle that an erase never holds up: as many as fit the room of
/// [`stall_free_threshold_in_place`](bloomline_spec::Sizing::stall_free_threshold_in_place), each at its most.
fn erasing_arrivals(geometry: &RecyclingGeometry) -> u64 {
    geometry.stall_free_threshold_in_place() / u64::from(geometry.unit())
}

/// Distinct inserting arrivals a cycle at which a saturated stream covers the half with probability 1/2.
fn covering_arrivals(geometry: &RecyclingGeometry) -> f64 {
    let words = geometry.words_per_bank() as f64;
    let banks = f64::from(geometry.banks());
    let probes_a_bank = f64::from(geometry.hashes()) / banks;
    let alike = words / probes_a_bank * (banks * words / LN_2).ln();
    let last = last_word_bits(geometry) as f64;
    if last == f64::from(WORD_BITS) || geometry.layout() == Layout::Shared {
        return alike;
    }
    // items come more seldom to the last word, which has fewer positions
    let range = geometry.range() as f64;
    let untouched = |arrivals: f64| {
        let missed = |bits: f64| (-bits * arrivals / range).exp();
        banks * ((words - 1.0) * missed(WORD_BITS.into()) + missed(last))
    };
    let (mut low, mut high) = (0.0, f64::from(WORD_BITS) * alike);
    for _ in 0..f64::MANTISSA_DIGITS {
        let middle = 0.5 * (low + high);
        *(if untouched(middle) > LN_2 {
            &mut low
        } else {
            &mut high
        }) = middle;
    }
    high
}

/// Bits of the last word of a bank that probes reach.
fn last_word_bits(geometry: &RecyclingGeometry) -> u64 {
    let before = (geometry.words_per_bank() - 1) * u64::from(WORD_BITS);
    geometry.range().saturating_sub(before)
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
    use bloomline_theory::AccuracyKind;
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
    fn a_last_word_that_is_used_in_part_is_covered_later() {
        let (file, text) = EXAMPLES[0];
        let of = |memory: &str, hashing: &str| {
            let text = text
                .replace("131072", memory)
                .replace("hashing = \"double\"", hashing);
            let spec = FilterSpec::from_toml(&text, Path::new(file)).expect("legal");
            let sizing = spec.validate().expect("legal");
            sizing.with_threshold(1000).expect("legal")
        };
        // 129 words a bank: all, and all but the last with its one position
        let whole = of("33024", "hashing = \"independent\"");
        let less = of("32768", "hashing = \"double\"");
        let part = of("33024", "hashing = \"independent\"\nrange = 4097");
        let arrivals = covering_arrivals(&part);
        let words = |arrivals: f64| 4.0 * 128.0 * (-32.0 * arrivals / 4097.0).exp();
        let last = 4.0 * (-arrivals / 4097.0).exp();
        assert!((words(arrivals) + last - LN_2).abs() < 1e-9);
        assert!(covering_arrivals(&whole) > covering_arrivals(&less));
        assert!(arrivals > 8.0 * covering_arrivals(&whole));
    }

    #[test]
    fn items_below_full_rate_come_one_at_a_time() {
        let items = |threshold| {
            let geometry = example(0, threshold);
            let lines = lines(&geometry);
            let items = lines.iter().find(|line| line.key == "items_per_second");
            let items = items.expect("a throughput");
            let clocks = geometry.clock_hz() as f64 / items.value;
            (clocks, items.accuracy.kind, may_stall(&geometry, &lines))
        };
        let alone = f64::from(example(0, 259).timing().retire_clocks + 2);
        assert_eq!(items(260).0, 1.0);
        assert_eq!(items(259), (alone, AccuracyKind::Exact, false));
        // so short a cycle leaves no time to erase 512 words
        assert_eq!(items(20), (alone, AccuracyKind::Bound, true));
    }

    #[test]
    fn full_rate_starts_where_the_pipeline_stops_taking_items_one_at_a_time() {
        // limit - base >= 64 unit, with limit = sigma and base = k, or limit = N - 1 and base = 1.
        assert_eq!(full_rate_threshold(&example(0, 30_000)), 64 * 4 + 4);
        assert_eq!(full_rate_threshold(&example(1, 8_192)), 64 + 1 + 1);
    }
}
