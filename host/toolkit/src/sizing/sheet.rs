use bloomline_theory::{Accuracy, Figure};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// Numbers with their formulas; serialises as one object, a number a key.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    title: String,
    pub(super) rows: Vec<Row>,
}

/// A number of a sheet.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its key in JSON.
    pub key: &'static str,
    /// The number, in `unit`.
    pub value: f64,
    /// Unit of the number; empty for a ratio.
    pub unit: &'static str,
    /// Where it comes from: a formula, or that it was given.
    pub formula: String,
    /// How good a predicted number is.
    pub accuracy: Option<Accuracy>,
    /// Natural logarithm where doubles end.
    pub ln: Option<f64>,
    /// It is a count, which JSON has as an integer.
    pub is_count: bool,
}

impl Sheet {
    /// What they are the numbers of.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The numbers, in the order to show them.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// A number by its key.
    pub fn value(&self, key: &str) -> Option<f64> {
        let mut rows = self.rows.iter();
        rows.find(|row| row.key == key).map(|row| row.value)
    }

    /// A sheet without rows.
    pub(super) fn new(title: impl Into<String>) -> Sheet {
        Sheet {
            title: title.into(),
            rows: Vec::new(),
        }
    }

    /// Adds what was given or counted.
    pub(super) fn whole(
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
            is_count: true,
        });
        self
    }

    /// Says more of where a number comes from.
    pub(super) fn with_note(mut self, key: &str, note: &str) -> Sheet {
        let row = self.rows.iter_mut().find(|row| row.key == key);
        row.into_iter().for_each(|row| row.formula += note);
        self
    }

    /// Adds what was given and is no count.
    pub(super) fn given(self, key: &'static str, value: f64) -> Sheet {
        self.derived(key, value, "given")
    }

    /// Adds a number that follows from others.
    pub(super) fn derived(mut self, key: &'static str, value: f64, source: &str) -> Sheet {
        self.rows.push(Row {
            key,
            value,
            unit: "",
            formula: source.to_owned(),
            accuracy: None,
            ln: None,
            is_count: false,
        });
        self
    }

    /// Adds a predicted number.
    pub(super) fn figure(
        mut self,
        key: &'static str,
        figure: &Figure,
        unit: &'static str,
    ) -> Sheet {
        self.rows.push(Row {
            key,
            value: figure.value,
            unit,
            formula: figure.formula.clone(),
            accuracy: Some(figure.accuracy),
            ln: figure.ln,
            is_count: false,
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
            match row.is_count {
                true => map.serialize_entry(row.key, &(row.value as u64))?,
                false => map.serialize_entry(row.key, &row.value)?,
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_integers_in_json_as_in_a_plan() {
        let sheet = Sheet::new("A filter")
            .whole("hashes", 7, "", "given")
            .given("target_fpr", 1.0);
        let json = serde_json::to_value(&sheet).expect("JSON");
        assert_eq!(json["hashes"].as_u64(), Some(7));
        assert_eq!(json["target_fpr"].as_f64(), Some(1.0));
    }
}
