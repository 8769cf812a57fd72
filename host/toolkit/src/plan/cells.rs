//! The plan of a filter of cells.

use super::summary::{count, rate, value};
use super::values::Values;
use super::{card, corrected, erasing, features, Page, Plan, Summary, Table};
use crate::forecast::{format_number, short, stated, things, whole, Line};
use crate::resolved::Cells;
use bloomline_spec::{CellGeometry, CellKind, Design, Layout, Parity, EPOCH_BITS, WORD_BITS};
use serde_json::{json, Map, Value};

/// The plan of a filter of cells.
pub fn plan(resolved: &Cells) -> Plan {
    Plan::new(as_json(resolved), summary(resolved), page(resolved))
}

fn as_json(resolved: &Cells) -> Map<String, Value> {
    let (geometry, forecast) = (&resolved.geometry, &resolved.forecast);
    let stated = json!({
        "name": geometry.name(),
        "kind": geometry.kind(),
        "memory_bits": geometry.memory_bits(),
        "hashes": geometry.hashes(),
        "layout": geometry.layout(),
        "distinct": geometry.distinct(),
        "conservative": geometry.conservative(),
        "banks": geometry.banks(),
        "bank_cells": geometry.cells_per_bank(),
        "range": geometry.range(),
        "initiation_interval_clocks": geometry.timing().initiation_interval(),
        "cell_bits": geometry.cell_bits(),
        "amount_bits": geometry.amount_bits(),
        "hashing": geometry.hashing(),
        "key_bits": geometry.key_bits(),
        "items": geometry.items(),
        "threshold": geometry.threshold(),
        "geometry_hash": format!("0x{:016x}", geometry.geometry_hash()),
    });
    let mut plan = Values {
        design: Design::from(geometry),
        stated,
        stored_bits: geometry.stored_bits(),
        lines: forecast.lines(),
        reasons: forecast.reasons().to_vec(),
        alternatives: json!({ "columns": forecast.columns(), "by_hashes": forecast.alternatives() }),
        warnings: forecast.warnings(),
    }
    .into_json();
    if geometry.copies() > 1 {
        plan.insert("copies".to_owned(), geometry.copies().into());
    }
    if let Some(window) = geometry.window() {
        plan.insert("window".to_owned(), window.into());
        plan.insert("panes".to_owned(), geometry.panes().into());
    }
    let logarithm = |line: &Line| Some((line.key.to_owned(), line.ln?.into()));
    let ln: Map<String, Value> = forecast.lines().iter().filter_map(logarithm).collect();
    if !ln.is_empty() {
        plan.insert("ln".to_owned(), ln.into());
    }
    let ways: Map<String, Value> = erasing::ways_to_clear(geometry)
        .iter()
        .map(|way| {
            (
                way.erase().word().to_owned(),
                erasing::clearing_as_json(way),
            )
        })
        .collect();
    if !ways.is_empty() {
        plan.insert("erase".to_owned(), geometry.erase().word().into());
        if let Some(reason) = geometry.erase_reason() {
            plan.insert("erase_reason".to_owned(), reason.to_string().into());
        }
        plan.insert("ways_to_clear".to_owned(), ways.into());
    }
    plan
}

/// The six lines that the plan begins with.
pub fn summary(resolved: &Cells) -> Summary {
    let (geometry, lines) = (&resolved.geometry, resolved.forecast.lines());
    let (items, threshold) = (
        whole(geometry.items() as f64),
        whole(geometry.threshold().into()),
    );
    let [remembers, errs] = match geometry.cell_kind() {
        CellKind::Static => [
            format!(
                "a set of {} (filter.items), until it is cleared",
                things(geometry.items(), "key")
            ),
            format!(
                "with that many keys an absent key is taken for a member in {} of cases",
                rate(lines, "fpr")
            ),
        ],
        CellKind::Counting if geometry.window().is_some() => {
            let window = whole(geometry.window().unwrap_or_default() as f64);
            [
                format!(
                    "how often each key came within the last {window} insertions (of some, up to {items}), and reports a key from {threshold} times on"
                ),
                format!(
                    "a key that did not come is reported with a probability of {}, one short of the threshold with {}; none is missed",
                    rate(lines, "false_report_absent"),
                    rate(lines, "false_report_one_short")
                ),
            ]
        }
        CellKind::Counting => [
            format!(
                "how often each key came, up to {}, and reports a key from {threshold} times on, until it is cleared",
                whole(geometry.cell_max().into())
            ),
            format!(
                "after {items} insertions a key that never came is reported with a probability of {}, one short of the threshold with {}",
                rate(lines, "false_report_absent"),
                rate(lines, "false_report_one_short")
            ),
        ],
        CellKind::CountMin => [
            format!(
                "how much each key brought, and reports a key from {threshold} on, until it is cleared"
            ),
            errors_of_estimates(lines, geometry, &items),
        ],
    };
    let watch = match resolved.forecast.warnings().first() {
        Some(warning) => warning.clone(),
        None if geometry.window().is_some() => format!(
            "how long the window is: up to {} insertions the report of a key one short of the threshold stays within 1 %",
            count(lines, "capacity_window")
        ),
        None => format!(
            "how much is inserted between two clears: up to {} {} stays within 1 %",
            count(lines, "capacity_items"),
            match geometry.cell_kind() {
                CellKind::Static => "the rate",
                CellKind::Counting => "the report of a key one short of the threshold",
                CellKind::CountMin => "the report of a key that brought nothing",
            }
        ),
    };
    let cell = match geometry.cell_kind() {
        CellKind::Static => "bits".to_owned(),
        CellKind::Counting | CellKind::CountMin => {
            format!("counters of {} bits", geometry.cell_bits())
        }
    };
    let cells = whole(geometry.cells_per_bank() as f64);
    let banks = match geometry.layout() {
        Layout::Partitioned => format!(
            "{} of {cells} {cell}",
            things(geometry.banks().into(), "bank")
        ),
        Layout::Shared => format!("one array of {cells} {cell}"),
    };
    Summary::new(
        geometry,
        &Design::from(geometry),
        lines,
        banks,
        [remembers, errs, watch],
    )
}

/// How far the estimates of a sketch may be off.
fn errors_of_estimates(
    lines: &[crate::forecast::Line],
    geometry: &CellGeometry,
    items: &str,
) -> String {
    let most = u64::from(geometry.cell_max());
    let low = match geometry.items() > most {
        true => format!("none below {} is too low", whole(most as f64)),
        false => "none is too low".to_owned(),
    };
    let high = match value(lines, "error_1pct").map(f64::ceil) {
        Some(error) if error >= geometry.items() as f64 => {
            "more than 1 % of the estimates may be too high by that much".to_owned()
        }
        error => format!(
            "at most 1 % of the estimates are more than {} too high",
            error.map_or_else(|| "?".to_owned(), whole)
        ),
    };
    format!("after {items} in all, {high}; {low}")
}

fn page(resolved: &Cells) -> Page {
    let (geometry, forecast) = (&resolved.geometry, &resolved.forecast);
    let mut numbers = Table::new(["quantity", "value", "unit", "accuracy"]);
    for line in forecast.lines() {
        numbers.add_row([
            line.key,
            &format_number(line.value, line.ln),
            line.unit,
            &stated(line.accuracy),
        ]);
    }
    let cells = match geometry.cell_kind() {
        CellKind::Counting | CellKind::CountMin => {
            let update = if geometry.conservative() {
                ", updated conservatively"
            } else {
                ""
            };
            format!(
                "counters of {} bits{update}, threshold {}",
                geometry.cell_bits(),
                whole(geometry.threshold().into())
            )
        }
        CellKind::Static => "bits".to_owned(),
    };
    let range = if geometry.range() == geometry.cells_per_bank() {
        String::new()
    } else {
        format!(" (positions 0 to {})", whole((geometry.range() - 1) as f64))
    };
    let per_bank = whole(geometry.cells_per_bank() as f64);
    let mut page = Page::default();
    page.text(format!(
        "{}: {}, {} bits, {}{range} {cells}, {}, keys of {} bits, {}\n\n",
        geometry.name(),
        geometry.kind(),
        whole(geometry.memory_bits() as f64),
        match geometry.layout() {
            Layout::Partitioned =>
                format!("{} of {per_bank}", things(geometry.banks().into(), "bank")),
            Layout::Shared => format!("one array of {per_bank}"),
        },
        probing(geometry),
        geometry.key_bits(),
        match geometry.window() {
            Some(window) => format!("two panes, a window of {} insertions", whole(window as f64)),
            None => things(geometry.items(), "item"),
        },
    ));
    page.table(numbers);
    page.text("\n");
    if geometry.ecc() {
        page.briefly(corrected(geometry.stored_bits()));
    }
    if geometry.parity() != Parity::None {
        page.briefly(format!(
            "\nParity: {}; {} bits are stored, in words of {WORD_BITS} data bits, {EPOCH_BITS} epoch bits and a parity bit\n",
            geometry.parity(),
            whole(geometry.stored_bits() as f64),
        ));
    }
    erasing::describe_clearing(&mut page, geometry);
    features::describe(&mut page, &Design::from(geometry));
    if let Some(card) = card::text(&Design::from(geometry), forecast.lines()) {
        page.briefly(format!("\n{card}\n"));
    }
    for (key, reason) in forecast.reasons() {
        let these = if key.ends_with('s') { "these" } else { "this" };
        page.briefly(format!("\nWhy {these} {key}: {reason}\n"));
    }
    if !forecast.alternatives().is_empty() {
        page.text("\nOther numbers of hashes in the same memory\n\n");
        page.table(alternatives(resolved));
        page.text("\n\n> the specification");
    }
    if forecast.alternatives().iter().any(|a| !a.buildable) {
        page.text("   * banks are no power of two: cannot be built");
    }
    if !forecast.alternatives().is_empty() {
        page.text("\n");
    }
    page.text("\nFormulas\n\n");
    for line in forecast.lines() {
        page.text(format!("{}: {}\n", line.key, line.formula));
    }
    page
}

fn probing(geometry: &CellGeometry) -> String {
    let distinct = if geometry.distinct() {
        ", distinct"
    } else {
        ""
    };
    let copies = match geometry.copies() {
        1 => String::new(),
        copies => format!(" in {copies} copies"),
    };
    format!("{}{distinct} hashing{copies}", geometry.hashing())
}

fn alternatives(resolved: &Cells) -> Table {
    let forecast = &resolved.forecast;
    let mut header = vec!["", "k", "bank"];
    header.extend(forecast.columns());
    let mut table = Table::of_numbers(header);
    for alternative in forecast.alternatives() {
        let marks: String = [(alternative.own, '>'), (!alternative.buildable, '*')]
            .into_iter()
            .filter_map(|(holds, mark)| holds.then_some(mark))
            .collect();
        let mut row = vec![
            marks,
            alternative.hashes.to_string(),
            whole(alternative.bank_cells as f64),
        ];
        let logarithm = |column: usize| alternative.ln.get(column).copied().flatten();
        let numbers = alternative.values.iter().enumerate();
        row.extend(numbers.map(|(column, &value)| {
            let number = match logarithm(column) {
                Some(ln) => format_number(value, Some(ln)),
                None if value >= 1.0 => whole(value),
                None => short(value),
            };
            match alternative.lower_bounds.get(column) {
                Some(true) => format!(">= {number}"),
                _ => number,
            }
        }));
        table.add_row(row);
    }
    table
}
