//! Cell counts of a netlist, as yosys reports them.

use super::BuildError;
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// Numbers of the cells of a whole design, by type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells(BTreeMap<String, u64>);

impl Cells {
    /// Reads what `stat -json` of yosys wrote.
    ///
    /// # Errors
    /// That the file cannot be read, or is something else.
    pub fn read(file: &Path) -> Result<Cells, BuildError> {
        let text = std::fs::read_to_string(file).map_err(BuildError::io("read", file))?;
        let report = |problem: String| BuildError::Report {
            file: file.to_owned(),
            problem,
            tool: "yosys",
        };
        let stat: Value = serde_json::from_str(&text).map_err(|error| report(error.to_string()))?;
        let cells = stat["design"]["num_cells_by_type"]
            .as_object()
            .ok_or_else(|| report("there is no design.num_cells_by_type".to_owned()))?;
        let numbers = cells
            .iter()
            .map(|(name, number)| (name.clone(), number.as_u64().unwrap_or(0)));
        Ok(Cells(numbers.collect()))
    }

    /// The text that [`Cells::read`] reads.
    pub fn text(&self) -> String {
        json!({ "design": { "num_cells_by_type": self.0 } }).to_string()
    }

    /// How many there are of a type.
    pub fn count(&self, name: &str) -> u64 {
        self.0.get(name).copied().unwrap_or(0)
    }

    /// Every type and its number.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(name, number)| (name.as_str(), *number))
    }
}

impl From<BTreeMap<String, u64>> for Cells {
    fn from(numbers: BTreeMap<String, u64>) -> Self {
        Cells(numbers)
    }
}
