//! The plan of a recycling filter.

use super::summary::{count, rate, value};
use super::values::Values;
use super::{card, corrected, erasing, features, latency, Page, Plan, Summary, Table};
use crate::forecast::{
    cycle_of, format_value, may_stall, short, stated, things, whole, why_threshold, Alternative,
    Alternatives, Probes, Variants,
};
use crate::resolved::Recycling;
use crate::Error;
use bloomline_spec::{
    counted, Design, Erase, Hashing, Layout, Parity, RecyclingGeometry, ThresholdSetting,
    EPOCH_BITS, WORD_BITS,
};
use bloomline_theory::sizing::Prediction;
use serde_json::{json, Map, Value};

/// The predicted rates.
///
/// # Errors
/// That none can be predicted.
pub fn rates(resolved: &Recycling) -> Result<&Prediction, Error> {
    let rates = resolved.forecast.rates();
    rates.map_err(|source| Error::NoRates {
        file: resolved.geometry.file().to_owned(),
        threshold: resolved.geometry.threshold(),
        source: source.clone(),
    })
}

/// The plan of a recycling filter.
///
/// # Errors
/// As [`rates`].
pub fn plan(resolved: &Recycling) -> Result<Plan, Error> {
    let rates = rates(resolved)?;
    let beside = Beside::of(&resolved.geometry, rates);
    Ok(Plan::new(
        as_json(resolved, &beside),
        summary(resolved),
        page(resolved, &beside),
    ))
}

/// The filters beside the specification's own.
enum Beside {
    /// Other numbers of hashes and phases, in the partitioned layout.
    Partitioned(Alternatives),
    /// The variants of the shared layout, and why the threshold is what it is.
    Shared(Variants, String),
}

impl Beside {
    fn of(geometry: &RecyclingGeometry, own: &Prediction) -> Beside {
        match Variants::of(geometry, own) {
            Some(variants) => Beside::Shared(variants, why_threshold(geometry, own)),
            None => Beside::Partitioned(Alternatives::of(geometry, own)),
        }
    }

    fn reasons(&self, resolved: &Recycling) -> Vec<(&'static str, String)> {
        match self {
            Beside::Partitioned(alternatives) => {
                alternatives.reasons(&resolved.geometry, &resolved.forecast)
            }
            Beside::Shared(_, why) => vec![("threshold", why.clone())],
        }
    }

    fn as_json(&self) -> Value {
        match self {
            Beside::Partitioned(alternatives) => json!(alternatives),
            Beside::Shared(variants, _) => json!(variants),
        }
    }
}

fn threshold_source(resolved: &Recycling) -> String {
    match resolved.geometry.threshold_setting() {
        ThresholdSetting::Fixed(_) => "given by the specification".to_owned(),
        ThresholdSetting::Auto { target_fpr } => {
            format!("greatest threshold whose average false-positive rate is at most target_fpr = {target_fpr}")
        }
    }
}

fn as_json(resolved: &Recycling, beside: &Beside) -> Map<String, Value> {
    let geometry = &resolved.geometry;
    let stated = json!({
        "name": geometry.name(),
        "layout": geometry.layout(),
        "distinct": geometry.distinct(),
        "memory_bits": geometry.memory_bits(),
        "hashes": geometry.hashes(),
        "phases": geometry.phases(),
        "partition_bits": geometry.partition_bits(),
        "hashing": geometry.hashing(),
        "recycle_on": geometry.recycle_on(),
        "retain": geometry.retain(),
        "key_bits": geometry.key_bits(),
        "threshold": geometry.threshold(),
        "target_fpr": geometry.target_fpr(),
        "geometry_hash": format!("0x{:016x}", geometry.geometry_hash()),
    });
    let mut plan = Values {
        design: Design::from(geometry),
        stated,
        stored_bits: geometry.stored_bits(),
        lines: resolved.forecast.lines(),
        reasons: beside.reasons(resolved),
        alternatives: beside.as_json(),
        warnings: resolved.forecast.warnings(),
    }
    .into_json();
    plan["formula"]["threshold"] = threshold_source(resolved).into();
    if geometry.erase() == Erase::SpareHalf {
        plan.insert("stored_bits".to_owned(), geometry.stored_bits().into());
    }
    plan.insert("erase".to_owned(), geometry.erase().word().into());
    if let Some(reason) = geometry.erase_reason() {
        plan.insert("erase_reason".to_owned(), reason.to_string().into());
    }
    let ways: Map<String, Value> = erasing::ways(geometry)
        .map(|way| (way.erase().word().to_owned(), erasing::as_json(&way)))
        .collect();
    plan.insert("ways_to_erase".to_owned(), ways.into());
    if let Some(choices) = latency::as_json(geometry) {
        plan.insert("latencies".to_owned(), choices);
    }
    plan
}

/// The six lines that the plan begins with.
pub fn summary(resolved: &Recycling) -> Summary {
    let (geometry, lines) = (&resolved.geometry, resolved.forecast.lines());
    let cycle = value(lines, "messages_per_cycle").unwrap_or_default();
    let remembers = match geometry.phases() {
        1 => format!(
            "up to {} new keys; then it forgets them all at once",
            whole(cycle)
        ),
        _ => format!(
            "at least the last {} new keys and at most {}; older ones are forgotten half by half",
            whole(cycle),
            whole(2.0 * cycle)
        ),
    };
    let errs = format!(
        "a new key is taken for a known one in {} of cases on average, {} just before it forgets",
        rate(lines, "fpr_average"),
        rate(lines, "fpr_worst_case")
    );
    let watch = match resolved.forecast.warnings().first() {
        Some(warning) => warning.clone(),
        None => format!(
            "cycles shorter than {} new keys: they may stall the stream",
            count(lines, "no_stall_cycle_messages")
        ),
    };
    let halves = match geometry.phases() {
        1 => "one half".to_owned(),
        phases => format!("{phases} halves"),
    };
    let banks = match geometry.layout() {
        Layout::Partitioned => format!(
            "{halves} of {} of {} bits",
            things(geometry.hashes().into(), "bank"),
            whole(geometry.partition_bits() as f64)
        ),
        Layout::Shared => format!(
            "{halves} of one array of {} bits",
            whole(geometry.half_bits() as f64)
        ),
    };
    let summary = Summary::new(
        geometry,
        &Design::from(geometry),
        lines,
        banks,
        [remembers, errs, watch],
    );
    match may_stall(geometry, lines) {
        true => summary.at_most(),
        false => summary,
    }
}

fn page(resolved: &Recycling, beside: &Beside) -> Page {
    let geometry = &resolved.geometry;
    let unit = match geometry.recycle_on() {
        bloomline_spec::RecycleOn::BitsSet => "bits set",
        bloomline_spec::RecycleOn::Messages => "messages",
    };
    let mut numbers = Table::new(["quantity", "value", "unit", "accuracy"]);
    let threshold = whole(geometry.threshold() as f64);
    numbers.add_row(["threshold", &threshold, unit, ""]);
    for line in resolved.forecast.lines() {
        numbers.add_row([
            line.key,
            &format_value(line.value),
            line.unit,
            &stated(line.accuracy),
        ]);
    }
    let arrays = match geometry.layout() {
        Layout::Partitioned => {
            let whole_bank = geometry.words_per_bank() * u64::from(WORD_BITS);
            let of = match geometry.partition_bits() == whole_bank {
                true => String::new(),
                false => format!(" (in banks of {})", whole(whole_bank as f64)),
            };
            format!(
                "{} of {} bits{of}",
                things(geometry.hashes().into(), "partition"),
                whole(geometry.partition_bits() as f64)
            )
        }
        Layout::Shared => format!(
            "one array of {} bits, {} {} probes",
            whole(geometry.half_bits() as f64),
            geometry.hashes(),
            match (geometry.distinct(), geometry.hashing()) {
                (true, _) => "distinct",
                (false, Hashing::Independent) => "colliding",
                (false, _) => "two-hash",
            },
        ),
    };
    let mut page = Page::default();
    page.text(format!(
        "{}: {} bits, {} of {arrays}, {} hashing, keys of {} bits\n\n",
        geometry.name(),
        whole(geometry.memory_bits() as f64),
        counted(geometry.phases() as usize, "phase"),
        geometry.hashing(),
        geometry.key_bits(),
    ));
    page.table(numbers);
    page.text("\n");
    if geometry.parity() != Parity::None {
        page.briefly(format!(
            "\nParity: {}; {} bits are stored, in words of {WORD_BITS} data bits, {EPOCH_BITS} epoch bits and a parity bit\n",
            geometry.parity(),
            whole(geometry.stored_bits() as f64),
        ));
    }
    if geometry.ecc() {
        page.briefly(corrected(geometry.stored_bits()));
    }
    erasing::describe(&mut page, geometry);
    latency::describe(&mut page, geometry);
    features::describe(&mut page, &Design::from(geometry));
    if let Some(card) = card::text(&Design::from(geometry), resolved.forecast.lines()) {
        page.briefly(format!("\n{card}\n"));
    }
    for (key, reason) in beside.reasons(resolved) {
        page.briefly(
            format!("\nWhy these {key}: {reason}\n").replace("these threshold", "this threshold"),
        );
    }
    match beside {
        Beside::Partitioned(found) => alternatives(&mut page, geometry, found),
        Beside::Shared(found, _) => variants(&mut page, found, unit),
    }
    page.text("\n\nFormulas\n\n");
    page.text(format!("threshold: {}\n", threshold_source(resolved)));
    for line in resolved.forecast.lines() {
        page.text(format!("{}: {}\n", line.key, line.formula));
    }
    page
}

/// Other numbers of hashes and phases.
fn alternatives(page: &mut Page, geometry: &RecyclingGeometry, alternatives: &Alternatives) {
    let unit = match geometry.recycle_on() {
        bloomline_spec::RecycleOn::BitsSet => "bits set",
        bloomline_spec::RecycleOn::Messages => "messages",
    };
    let rate = short(alternatives.rate);
    page.text(format!(
        "\nOther numbers of hashes, {}, at an average rate of at most {rate}\n\n",
        counted(geometry.phases() as usize, "phase"),
    ));
    page.table(rows(&alternatives.by_hashes, unit));
    page.text(format!(
        "\n\nOne phase against two, k = {}, at the same rate\n\n",
        geometry.hashes(),
    ));
    page.table(rows(&alternatives.by_phases, unit));
    page.text("\n");
    let shown: Vec<&Alternative> = alternatives
        .by_hashes
        .iter()
        .chain(&alternatives.by_phases)
        .collect();
    page.text("\n> the specification");
    if shown.iter().any(|a| !a.power_of_two) {
        page.text("   * partitions of no power of two: hash values are scaled to them, which takes logic and 3 clock cycles more");
    }
    if shown.iter().any(|a| !a.floor_accepted) {
        page.text("\n! two hashes add over 10% of the rate: refused unless accept_two_hash_floor");
    }
}

/// The variants of the shared layout.
fn variants(page: &mut Page, variants: &Variants, unit: &str) {
    let mut table = Table::of_numbers([
        "",
        "phases",
        "probes",
        "half",
        unit,
        "new messages a cycle",
        "average",
        "worst case",
    ]);
    for variant in &variants.variants {
        let numbers = &variant.prediction;
        table.add_row([
            if variant.own { ">" } else { "" }.to_owned(),
            variant.phases.to_string(),
            match variant.probes {
                Probes::Colliding => "colliding",
                Probes::Distinct => "distinct",
                Probes::TwoHash => "two-hash",
            }
            .to_owned(),
            whole(variant.half_bits as f64),
            whole(variant.threshold as f64),
            whole(numbers.cycle_arrivals.value),
            short(numbers.fpr_average.value),
            short(numbers.fpr_worst_case.value),
        ]);
    }
    page.text(format!(
        "\nOther probes, one phase and two, in the same memory at an average rate of at most {}\n\n",
        short(variants.rate),
    ));
    page.table(table);
    page.text("\n\n> the specification");
}

fn rows(alternatives: &[Alternative], unit: &str) -> Table {
    let mut table = Table::of_numbers([
        "",
        "phases",
        "k",
        "partition",
        unit,
        "new messages a cycle",
        "average",
        "worst case",
        "two-hash floor",
    ]);
    for alternative in alternatives {
        let (params, numbers) = (&alternative.filter.params, &alternative.filter.prediction);
        let marks: String = [
            (alternative.own, '>'),
            (!alternative.power_of_two, '*'),
            (!alternative.floor_accepted, '!'),
        ]
        .into_iter()
        .filter_map(|(holds, mark)| holds.then_some(mark))
        .collect();
        table.add_row([
            marks,
            params.phases.to_string(),
            params.hashes.to_string(),
            whole(alternative.partition_bits as f64),
            whole(params.threshold as f64),
            whole(cycle_of(alternative)),
            short(numbers.fpr_average.value),
            short(numbers.fpr_worst_case.value),
            short(numbers.two_hash_excess.value),
        ]);
    }
    table
}
