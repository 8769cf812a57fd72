use crate::output::wrapped;
use bloomline_theory::{Accuracy, Figure};
use bloomline_toolkit::forecast::{format_number, stated};
use comfy_table::{presets, Table};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt;

/// Numbers with their formulas: a table for people, one object for programs.
pub struct Sheet {
    title: String,
    rows: Vec<Row>,
}

struct Row {
    key: &'static str,
    value: f64,
    unit: &'static str,
    formula: String,
    accuracy: Option<Accuracy>,
    /// Natural logarithm where doubles end.
    ln: Option<f64>,
}

impl Sheet {
    /// A sheet without rows.
    pub fn new(title: impl Into<String>) -> Sheet {
        Sheet {
            title: title.into(),
            rows: Vec::new(),
        }
    }

    /// Adds what was given or counted.
    pub fn whole(
        mut self,
        key: &'static str,
        value: u64,
        unit: &'static str,
        source: &str,
    ) -> Sheet {
        self.rows.push(Row {
            key,
            value: value as f64,
            unit,
            formula: source.to_owned(),
            accuracy: None,
            ln: None,
        });
        self
    }

    /// Adds what was given and is no count.
    pub fn given(self, key: &'static str, value: f64) -> Sheet {
        self.derived(key, value, "given")
    }

    /// Adds a number that follows from others.
    pub fn derived(mut self, key: &'static str, value: f64, source: &str) -> Sheet {
        self.rows.push(Row {
            key,
            value,
            unit: "",
            formula: source.to_owned(),
            accuracy: None,
            ln: None,
        });
        self
    }

    /// Adds a predicted number.
    pub fn figure(mut self, key: &'static str, figure: &Figure, unit: &'static str) -> Sheet {
        self.rows.push(Row {
            key,
            value: figure.value,
            unit,
            formula: figure.formula.clone(),
            accuracy: Some(figure.accuracy),
            ln: figure.ln,
        });
        self
    }
}

impl Serialize for Sheet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let mut formula = Map::new();
        let mut accuracy = Map::new();
        let mut ln = Map::new();
        for row in &self.rows {
            map.serialize_entry(row.key, &row.value)?;
            formula.insert(row.key.into(), row.formula.clone().into());
            if let Some(logarithm) = row.ln {
                ln.insert(row.key.into(), logarithm.into());
            }
            if let Some(stated) = row.accuracy {
                accuracy.insert(
                    row.key.into(),
                    serde_json::to_value(stated).unwrap_or(Value::Null),
                );
            }
        }
        if !ln.is_empty() {
            map.serialize_entry("ln", &ln)?;
        }
        map.serialize_entry("formula", &formula)?;
        map.serialize_entry("accuracy", &accuracy)?;
        map.end()
    }
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new();
        table
            .load_preset(presets::NOTHING)
            .set_header(["quantity", "value", "unit", "accuracy"]);
        let mut formulas = String::new();
        for row in &self.rows {
            let accuracy = row.accuracy.map_or(row.formula.clone(), stated);
            table.add_row([
                row.key,
                &format_number(row.value, row.ln),
                row.unit,
                &accuracy,
            ]);
            if row.accuracy.is_some() {
                formulas += &wrapped(&format!("{}: {}", row.key, row.formula));
            }
        }
        write!(
            f,
            "{}\n\n{}\n\nFormulas\n\n{formulas}",
            self.title,
            table.trim_fmt()
        )
    }
}
