//! The plan of a sliding-window filter.

use super::summary::rate;
use super::{card, corrected_cells, features, Page, Plan, Summary, Table};
use crate::forecast::{format_value, stated, whole};
use crate::resolved::Sliding;
use bloomline_spec::{Design, FilterKind, Parity};
use serde_json::{json, Map, Value};

/// The plan of a sliding-window filter.
pub fn plan(resolved: &Sliding) -> Plan {
    Plan::new(as_json(resolved), summary(resolved), page(resolved))
}

/// One flat object, as for the other kinds: a number a key, with the formulas and accuracies of the same keys beside them.
fn as_json(resolved: &Sliding) -> Map<String, Value> {
    let (geometry, forecast) = (&resolved.geometry, &resolved.forecast);
    let mut plan = Map::new();
    let mut formula = Map::new();
    let mut accuracy = Map::new();
    for line in forecast.lines() {
        plan.insert(line.key.to_owned(), line.value.into());
        formula.insert(line.key.to_owned(), line.formula.clone().into());
        accuracy.insert(line.key.to_owned(), json!(line.accuracy));
    }
    // whole numbers as such, in the place of the predicted ones of the same keys
    let stated = json!({
        "name": geometry.name(),
        "kind": FilterKind::Sliding,
        "memory_bits": geometry.memory_bits(),
        "hashes": geometry.hashes(),
        "layout": geometry.layout(),
        "hashing": geometry.hashing(),
        "key_bits": geometry.key_bits(),
        "window": geometry.window(),
        "slack": geometry.slack(),
        "target_fpr": geometry.target_fpr(),
        "generations": geometry.generations(),
        "generation_items": geometry.generation_items(),
        "generation_bits": geometry.generation_bits(),
        "live_items": geometry.live_items(),
        "slack_used": geometry.live_items() - geometry.window(),
        "front_buckets": geometry.front_buckets(),
        "back_buckets": geometry.back_buckets(),
        "bucket_cells": geometry.bucket_cells(),
        "store_cells": geometry.store_cells(),
        "fingerprint_bits": geometry.fingerprint_bits(),
        "cell_bits": geometry.cell_bits(),
        "scan_interval": geometry.scan_interval(),
        "initiation_interval_clocks": 1,
        "geometry_hash": format!("0x{:016x}", geometry.geometry_hash()),
    });
    if let Value::Object(stated) = stated {
        plan.extend(stated);
    }
    if geometry.parity() != Parity::None {
        plan.insert("parity".to_owned(), geometry.parity().word().into());
        plan.insert("stored_bits".to_owned(), geometry.stored_bits().into());
    }
    if geometry.ecc() {
        plan.insert("ecc".to_owned(), true.into());
        plan.insert("stored_bits".to_owned(), geometry.stored_bits().into());
    }
    if let Some(chosen) = features::as_json(&Design::from(geometry)) {
        plan.insert("features".to_owned(), chosen);
    }
    if let Some(card) = card::json(geometry) {
        plan.insert("card".to_owned(), card);
    }
    plan.insert("formula".to_owned(), formula.into());
    plan.insert("accuracy".to_owned(), accuracy.into());
    let reasons: Map<String, Value> = forecast
        .reasons()
        .iter()
        .map(|(key, text)| ((*key).to_owned(), text.clone().into()))
        .collect();
    plan.insert("reasons".to_owned(), reasons.into());
    plan.insert(
        "alternatives".to_owned(),
        json!({ "by_generations": forecast.alternatives() }),
    );
    plan.insert(
        "warnings".to_owned(),
        resolved.forecast.warnings().to_vec().into(),
    );
    plan
}

/// The six lines that the plan begins with.
pub fn summary(resolved: &Sliding) -> Summary {
    let (geometry, lines) = (&resolved.geometry, resolved.forecast.lines());
    let remembers = format!(
        "exactly the last {} elements, of the {} before them perhaps some; older ones go by themselves",
        whole(geometry.window() as f64),
        whole(geometry.slack() as f64)
    );
    let errs = format!(
        "any other element is taken for one of them in {} of cases on average, at most {}",
        rate(lines, "fpr"),
        rate(lines, "fpr_peak")
    );
    let watch = match resolved.forecast.warnings().first() {
        Some(warning) => warning.clone(),
        None => "the counter LOST: insertions for which there was no room; it stays 0".to_owned(),
    };
    let banks = format!(
        "a front table of {} and a back table of {} buckets of {} cells of {} bits",
        whole(geometry.front_buckets() as f64),
        whole(geometry.back_buckets() as f64),
        geometry.bucket_cells(),
        geometry.cell_bits()
    );
    Summary::new(
        geometry,
        &Design::from(geometry),
        lines,
        banks,
        [remembers, errs, watch],
    )
}

fn page(resolved: &Sliding) -> Page {
    let (geometry, forecast) = (&resolved.geometry, &resolved.forecast);
    let mut numbers = Table::new(["quantity", "value", "unit", "accuracy"]);
    for line in forecast.lines() {
        numbers.add_row([
            line.key,
            &format_value(line.value),
            line.unit,
            &stated(line.accuracy),
        ]);
    }
    let mut page = Page::default();
    page.text(format!(
        "{}: sliding, the last {} elements always seen, {} before them perhaps, others at most {}, keys of {} bits\n\n\
         {} bits: {} front and {} back buckets of {} cells of {} + {} bits, and {} cells behind them, {} hashing\n\n",
        geometry.name(),
        whole(geometry.window() as f64),
        whole(geometry.slack() as f64),
        geometry.target_fpr(),
        geometry.key_bits(),
        geometry.memory_bits(),
        geometry.front_buckets(),
        geometry.back_buckets(),
        geometry.bucket_cells(),
        geometry.fingerprint_bits(),
        geometry.generation_bits(),
        geometry.store_cells(),
        geometry.hashing(),
    ));
    page.table(numbers);
    page.text("\n");
    if geometry.parity() != Parity::None {
        page.briefly(format!(
            "\nParity: {}; {} bits are stored in the tables, in cells of {} + {} bits and a parity bit\n",
            geometry.parity(),
            geometry.stored_bits(),
            geometry.fingerprint_bits(),
            geometry.generation_bits(),
        ));
    }
    if geometry.ecc() {
        page.briefly(corrected_cells(geometry));
    }
    features::describe(&mut page, &Design::from(geometry));
    if let Some(card) = card::text(geometry) {
        page.briefly(format!("\n{card}\n"));
    }
    for (key, reason) in forecast.reasons() {
        page.briefly(format!("\nWhy these {key}: {reason}\n"));
    }
    page.text("\nOther numbers of generations, by SBF 2.3\n\n");
    page.table(alternatives(resolved));
    page.text("\n\n> the specification\n\nFormulas\n\n");
    for line in forecast.lines() {
        page.text(format!("{}: {}\n", line.key, line.formula));
    }
    page
}

fn alternatives(resolved: &Sliding) -> Table {
    let mut table = Table::of_numbers([
        "",
        "c",
        "elements each",
        "live",
        "slack used",
        "bits an element",
    ]);
    for alternative in resolved.forecast.alternatives() {
        table.add_row([
            if alternative.own { ">" } else { "" }.to_owned(),
            alternative.generations.to_string(),
            whole(alternative.generation_items as f64),
            whole(alternative.live_items as f64),
            whole(alternative.slack_used as f64),
            format!("{:.2}", alternative.bits_per_element),
        ]);
    }
    table
}
