use crate::forecast::format_value;
use crate::output::{Ending, Output};
use crate::resolve::Resolved;
use bloomline_spec::ThresholdSetting;
use comfy_table::{presets, Table};
use serde_json::{json, Map, Value};
use std::path::PathBuf;

/// Arguments of `plan`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification (TOML)
    spec: PathBuf,
}

impl Cmd {
    /// Predicts and prints.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let resolved = Resolved::load(&self.spec)?;
        if let Err(error) = resolved.forecast.rates() {
            anyhow::bail!(
                "{}: no rates can be predicted: {error}",
                self.spec.display()
            );
        }
        for warning in &resolved.warnings {
            eprintln!("warning: {warning}");
        }
        output.result(&as_json(&resolved), || as_text(&resolved))?;
        Ok(Ending::Good)
    }
}

fn threshold_source(resolved: &Resolved) -> String {
    match resolved.geometry.threshold_setting() {
        ThresholdSetting::Fixed(_) => "given by the specification".to_owned(),
        ThresholdSetting::Auto { target_fpr } => {
            format!("greatest threshold whose average false-positive rate is at most target_fpr = {target_fpr}")
        }
    }
}

/// One flat object: a number a key, with the formulas and accuracies of the same keys beside them.
fn as_json(resolved: &Resolved) -> Value {
    let geometry = &resolved.geometry;
    let mut plan = Map::new();
    let mut formula = Map::new();
    let mut accuracy = Map::new();
    let stated = json!({
        "name": geometry.name(),
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
    if let Value::Object(stated) = stated {
        plan.extend(stated);
    }
    formula.insert("threshold".to_owned(), threshold_source(resolved).into());
    for line in resolved.forecast.lines() {
        plan.insert(line.key.to_owned(), line.value.into());
        formula.insert(line.key.to_owned(), line.formula.clone().into());
        accuracy.insert(line.key.to_owned(), json!(line.accuracy));
    }
    plan.insert("formula".to_owned(), formula.into());
    plan.insert("accuracy".to_owned(), accuracy.into());
    plan.insert("warnings".to_owned(), resolved.warnings.clone().into());
    plan.into()
}

fn as_text(resolved: &Resolved) -> String {
    let geometry = &resolved.geometry;
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_header(["quantity", "value", "unit", "formula"]);
    let threshold = geometry.threshold().to_string();
    let unit = match geometry.recycle_on() {
        bloomline_spec::RecycleOn::BitsSet => "bits set",
        bloomline_spec::RecycleOn::Messages => "messages",
    };
    table.add_row(["threshold", &threshold, unit, &threshold_source(resolved)]);
    for line in resolved.forecast.lines() {
        table.add_row([
            line.key,
            &format_value(line.value),
            line.unit,
            &line.formula,
        ]);
    }
    format!(
        "{}: {} bits, {} phase(s) of {} partitions of {} bits, {} hashing, keys of {} bits\n\n{}",
        geometry.name(),
        geometry.memory_bits(),
        geometry.phases(),
        geometry.hashes(),
        geometry.partition_bits(),
        geometry.hashing(),
        geometry.key_bits(),
        table.trim_fmt(),
    )
}
