use super::{Plannable, Planned};
use crate::forecast::{CellForecast, Line};
use crate::plan::{cells, Plan, Summary};
use crate::resolved::Cells;
use crate::Error;
use bloomline_spec::{CellGeometry, CellKind, Design, WORD_BITS};
use serde_json::{json, Value};
use std::path::Path;

impl Plannable for CellGeometry {
    fn planned(&self, file: &Path) -> Result<Box<dyn Planned>, Error> {
        Ok(Box::new(Cells {
            forecast: CellForecast::of(file, self)?,
            geometry: self.clone(),
        }))
    }
}

impl Planned for Cells {
    fn lines(&self) -> &[Line] {
        self.forecast.lines()
    }

    fn warnings(&self) -> &[String] {
        self.forecast.warnings()
    }

    fn plan(&self) -> Result<Plan, Error> {
        Ok(cells::plan(self))
    }

    fn summary(&self) -> Result<Summary, Error> {
        Ok(cells::summary(self))
    }

    fn noun(&self) -> &'static str {
        match self.geometry.cell_kind() {
            CellKind::Counting => "counting Bloom filter",
            CellKind::CountMin => "Count-Min sketch",
            CellKind::Static => "static Bloom filter",
        }
    }

    fn facts(&self) -> String {
        let geometry = &self.geometry;
        match geometry.window() {
            None => format!("threshold {} at reset", geometry.threshold()),
            Some(window) => format!(
                "threshold {} at reset, over a window of {window} insertions",
                geometry.threshold()
            ),
        }
    }

    fn description(&self) -> String {
        let geometry = &self.geometry;
        let mut description = format!(
            "{}, {} bits, {} hashes, cells of {} bits",
            self.noun(),
            geometry.memory_bits(),
            geometry.hashes(),
            geometry.cell_bits(),
        );
        description[..1].make_ascii_uppercase();
        description
    }

    fn geometry_values(&self) -> Value {
        let geometry = &self.geometry;
        let mut values = json!({
            "kind": geometry.kind(),
            "layout": geometry.layout(),
            "distinct": geometry.distinct(),
            "conservative": geometry.conservative(),
            "memory_bits": geometry.memory_bits(),
            "hashes": geometry.hashes(),
            "banks": geometry.banks(),
            "bank_cells": geometry.cells_per_bank(),
            "range": geometry.range(),
            "cell_bits": geometry.cell_bits(),
            "cell_max": geometry.cell_max(),
            "amount_bits": geometry.amount_bits(),
            "operation_bits": geometry.operation_bits(),
            "verdict_bits": geometry.verdict_bits(),
            "threshold": geometry.threshold(),
            "items": geometry.items(),
            "index_bits": geometry.index_bits(),
            "array": {
                "lanes": geometry.lanes(),
                "lane_bits": geometry.lane_bits(),
                "words_per_bank": geometry.words_per_bank(),
                "word_address_bits": geometry.word_address_bits(),
                "address_bits": geometry.array_address_bits(),
                "data_bits": WORD_BITS,
                "doc": "cell p of bank b: word b << word_address_bits | p >> lane_bits, bits (p mod lanes) * cell_bits and up",
            },
            "key_bits": geometry.key_bits(),
            "key_source": geometry.key_source().map(|source| source.to_string()),
            "tag_bits": geometry.tag_bits(),
            "clock_hz": geometry.clock_hz(),
        });
        if geometry.copies() > 1 {
            values["copies"] = geometry.copies().into();
        }
        if let Some(window) = geometry.window() {
            values["window"] = window.into();
            values["panes"] = geometry.panes().into();
        }
        values
    }

    fn timing_values(&self) -> Value {
        let geometry = &self.geometry;
        let latency = Design::from(geometry).timing().latency_clocks();
        let timing = geometry.timing();
        let mut values = json!({
            "latency_clocks": latency,
            "initiation_interval_clocks": timing.initiation_interval(),
            "fold_clocks": timing.fold_clocks,
            "raise_clocks": timing.raise_clocks,
            "hash_clocks": timing.hash_clocks,
            "spread_clocks": timing.spread_clocks,
            "index_clocks": timing.index_clocks,
            "front_clocks": timing.front_clocks,
            "clear_stage": timing.clear_stage,
            "write_stage": timing.write_stage,
            "least_clocks": timing.least_clocks,

            "decision_stage": timing.decision_stage,
            "retire_clocks": timing.retire_clocks,
            "verdict_queue_depth": timing.verdict_queue_depth,
        });
        if geometry.window().is_some() {
            values["sum_clocks"] = timing.sum_clocks.into();
            values["turn_clocks"] = timing.turn_clocks().into();
        }
        values
    }

    fn provenance(&self) -> (&'static str, String) {
        let text = match self.geometry.window() {
            Some(window) => format!("for filter.counting.window = {window}"),
            None => format!("for filter.items = {}", self.geometry.items()),
        };
        ("predictions", text)
    }
}
