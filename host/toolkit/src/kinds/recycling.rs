use super::{Plannable, Planned};
use crate::forecast::{Forecast, Line};
use crate::plan::{recycling, Plan, Summary};
use crate::resolved::Recycling;
use crate::Error;
use bloomline_spec::{Design, RecyclingGeometry, WORD_BITS};
use bloomline_theory::sizing::Prediction;
use serde_json::{json, Value};
use std::path::Path;

impl Plannable for RecyclingGeometry {
    fn planned(&self, file: &Path) -> Result<Box<dyn Planned>, Error> {
        Ok(Box::new(Recycling {
            forecast: Forecast::of(file, self)?,
            geometry: self.clone(),
        }))
    }
}

impl Planned for Recycling {
    fn lines(&self) -> &[Line] {
        self.forecast.lines()
    }

    fn warnings(&self) -> &[String] {
        self.forecast.warnings()
    }

    fn plan(&self) -> Result<Plan, Error> {
        recycling::plan(self)
    }

    fn summary(&self) -> Result<Summary, Error> {
        recycling::rates(self)?;
        Ok(recycling::summary(self))
    }

    fn prediction(&self) -> Result<Option<&Prediction>, Error> {
        recycling::rates(self).map(Some)
    }

    fn noun(&self) -> &'static str {
        "recycling Bloom filter"
    }

    fn facts(&self) -> String {
        let geometry = &self.geometry;
        format!("threshold {}", geometry.threshold())
    }

    fn description(&self) -> String {
        let geometry = &self.geometry;
        format!(
            "Recycling Bloom filter, {} bits, {} hashes, {} phases",
            geometry.memory_bits(),
            geometry.hashes(),
            geometry.phases(),
        )
    }

    fn geometry_values(&self) -> Value {
        let geometry = &self.geometry;
        json!({
            "kind": "recycling",
            "layout": geometry.layout(),
            "distinct": geometry.distinct(),
            "range": geometry.range(),
            "memory_bits": geometry.memory_bits(),
            "phases": geometry.phases(),
            "half_bits": geometry.half_bits(),
            "hashes": geometry.hashes(),
            "banks": geometry.banks(),
            "partition_bits": geometry.partition_bits(),
            "words_per_bank": geometry.words_per_bank(),
            "index_bits": geometry.index_bits(),
            "count_bits": geometry.count_bits(),
            "array": geometry.array_access().then(|| json!({
                "words_per_bank": geometry.words_per_bank(),
                "word_address_bits": geometry.word_address_bits(),
                "bank_bits": geometry.array_bank_bits(),
                "address_bits": geometry.array_address_bits(),
                "data_bits": WORD_BITS,
                "doc": "position p of bank b in half h (0 active, 1 frozen): word (h << bank_bits | b) << word_address_bits | p >> 5, bit p mod 32; a write of ARRAY_DATA sets bits of the active half, and clears none",
            })),
            "recycle_on": geometry.recycle_on(),
            "threshold": geometry.threshold(),
            "retain": geometry.retain(),
            "max_age_ticks": geometry.max_age_ticks(),
            "key_bits": geometry.key_bits(),
            "key_source": geometry.key_source().map(|source| source.to_string()),
            "tag_bits": geometry.tag_bits(),
            "clock_hz": geometry.clock_hz(),
        })
    }

    fn timing_values(&self) -> Value {
        let geometry = &self.geometry;
        let latency = Design::from(geometry).timing().latency_clocks();
        let timing = geometry.timing();
        json!({
            "latency_clocks": latency,
            "initiation_interval_clocks": timing.initiation_interval,
            "hash_clocks": timing.hash_clocks,
            "spread_clocks": timing.spread_clocks,
            "index_clocks": timing.index_clocks,
            "count_clocks": timing.count_clocks,
            "front_clocks": timing.front_clocks,
            "decision_stage": timing.decision_stage,
            "write_stage": timing.write_stage,
            "write_clocks": timing.write_clocks,
            "retire_clocks": timing.retire_clocks,
            "verdict_queue_depth": timing.verdict_queue_depth,
            "large_cycle_items": timing.large_cycle_items,
        })
    }

    fn rates(&self) -> Option<&Prediction> {
        self.forecast.rates().ok()
    }

    fn provenance(&self) -> (&'static str, String) {
        ("threshold", self.geometry.threshold().to_string())
    }
}
