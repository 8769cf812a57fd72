//! The plan of a filter of cells.

use super::table;
use crate::forecast::{format_value, short, stated, whole};
use crate::output::{wrapped, Ending, Output};
use crate::resolve::Cells;
use bloomline_spec::FilterKind;
use comfy_table::{CellAlignment, Table};
use serde_json::{json, Map, Value};

/// Prints the prediction.
pub fn run(resolved: &Cells, output: Output) -> anyhow::Result<Ending> {
    for warning in &resolved.warnings {
        eprintln!("warning: {warning}");
    }
    output.result(&as_json(resolved), || as_text(resolved))?;
    Ok(Ending::Good)
}

/// One flat object, as for the other kinds: a number a key, with the formulas and accuracies of the same keys beside them.
fn as_json(resolved: &Cells) -> Value {
    let (geometry, forecast) = (&resolved.geometry, &resolved.forecast);
    let mut plan = Map::new();
    let mut formula = Map::new();
    let mut accuracy = Map::new();
    let stated = json!({
        "name": geometry.name(),
        "kind": geometry.kind(),
        "memory_bits": geometry.memory_bits(),
        "hashes": geometry.hashes(),
        "bank_cells": geometry.range(),
        "cell_bits": geometry.cell_bits(),
        "amount_bits": geometry.amount_bits(),
        "hashing": geometry.hashing(),
        "key_bits": geometry.key_bits(),
        "items": geometry.items(),
        "threshold": geometry.threshold(),
        "geometry_hash": format!("0x{:016x}", geometry.geometry_hash()),
    });
    if let Value::Object(stated) = stated {
        plan.extend(stated);
    }
    for line in forecast.lines() {
        plan.insert(line.key.to_owned(), line.value.into());
        formula.insert(line.key.to_owned(), line.formula.clone().into());
        accuracy.insert(line.key.to_owned(), json!(line.accuracy));
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
        json!({ "columns": forecast.columns(), "by_hashes": forecast.alternatives() }),
    );
    plan.insert("warnings".to_owned(), resolved.warnings.clone().into());
    plan.into()
}

fn as_text(resolved: &Cells) -> String {
    let (geometry, forecast) = (&resolved.geometry, &resolved.forecast);
    let mut numbers = table(["quantity", "value", "unit", "accuracy"]);
    for line in forecast.lines() {
        numbers.add_row([
            line.key,
            &format_value(line.value),
            line.unit,
            &stated(line.accuracy),
        ]);
    }
    let cells = match geometry.kind() {
        FilterKind::Counting | FilterKind::CountMin => {
            format!(
                "counters of {} bits, threshold {}",
                geometry.cell_bits(),
                geometry.threshold()
            )
        }
        FilterKind::Static | FilterKind::Recycling | FilterKind::Sliding => "bits".to_owned(),
    };
    let mut text = format!(
        "{}: {}, {} bits, {} banks of {} {cells}, {} hashing, keys of {} bits, {} items\n\n{}\n",
        geometry.name(),
        geometry.kind(),
        geometry.memory_bits(),
        geometry.hashes(),
        geometry.range(),
        geometry.hashing(),
        geometry.key_bits(),
        geometry.items(),
        numbers.trim_fmt(),
    );
    for (key, reason) in forecast.reasons() {
        let these = if key.ends_with('s') { "these" } else { "this" };
        text += &format!("\nWhy {these} {key}: {reason}\n");
    }
    text += &format!(
        "\nOther numbers of hashes in the same memory\n\n{}\n\n> the specification",
        alternatives(resolved).trim_fmt()
    );
    if forecast.alternatives().iter().any(|a| !a.buildable) {
        text += "   * banks are no power of two: cannot be built";
    }
    text += "\n\nFormulas\n\n";
    for line in forecast.lines() {
        text += &format!("{}: {}\n", line.key, line.formula);
    }
    wrapped(&text)
}

fn alternatives(resolved: &Cells) -> Table {
    let forecast = &resolved.forecast;
    let mut header = vec!["", "k", "bank"];
    header.extend(forecast.columns());
    let mut table = table(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
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
        row.extend(alternative.values.iter().map(|&value| {
            if value >= 1.0 {
                whole(value)
            } else {
                short(value)
            }
        }));
        table.add_row(row);
    }
    table
}
