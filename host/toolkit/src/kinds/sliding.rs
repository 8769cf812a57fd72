use super::{Plannable, Planned};
use crate::forecast::{Line, SlidingForecast};
use crate::plan::{sliding, Plan, Summary};
use crate::resolved::Sliding;
use crate::Error;
use bloomline_spec::{Design, FilterKind, SlidingGeometry};
use serde_json::{json, Value};
use std::path::Path;

impl Plannable for SlidingGeometry {
    fn planned(&self, file: &Path) -> Result<Box<dyn Planned>, Error> {
        Ok(Box::new(Sliding {
            forecast: SlidingForecast::of(file, self)?,
            geometry: self.clone(),
        }))
    }
}

impl Planned for Sliding {
    fn lines(&self) -> &[Line] {
        self.forecast.lines()
    }

    fn warnings(&self) -> &[String] {
        self.forecast.warnings()
    }

    fn plan(&self) -> Result<Plan, Error> {
        Ok(sliding::plan(self))
    }

    fn summary(&self) -> Result<Summary, Error> {
        Ok(sliding::summary(self))
    }

    fn noun(&self) -> &'static str {
        "sliding-window Bloom filter"
    }

    fn facts(&self) -> String {
        let geometry = &self.geometry;
        format!("window {}, slack {}", geometry.window(), geometry.slack())
    }

    fn description(&self) -> String {
        let geometry = &self.geometry;
        format!(
            "Sliding-window Bloom filter, the last {} elements, {} bits, buckets of {} cells",
            geometry.window(),
            geometry.memory_bits(),
            geometry.bucket_cells(),
        )
    }

    fn geometry_values(&self) -> Value {
        let geometry = &self.geometry;
        json!({
            "kind": FilterKind::Sliding,
            "layout": geometry.layout(),
            "distinct": geometry.distinct(),
            "memory_bits": geometry.memory_bits(),
            "hashes": geometry.hashes(),
            "range": geometry.range(),
            "index_bits": geometry.index_bits(),
            "window": geometry.window(),
            "slack": geometry.slack(),
            "target_fpr": geometry.target_fpr(),
            "generations": geometry.generations(),
            "generation_items": geometry.generation_items(),
            "live_items": geometry.live_items(),
            "generation_bits": geometry.generation_bits(),
            "scan_interval": geometry.scan_interval(),
            "front_buckets": geometry.front_buckets(),
            "back_buckets": geometry.back_buckets(),
            "bucket_cells": geometry.bucket_cells(),
            "store_cells": geometry.store_cells(),
            "fingerprint_bits": geometry.fingerprint_bits(),
            "cell_bits": geometry.cell_bits(),
            "operation_bits": geometry.operation_bits(),
            "verdict_bits": geometry.verdict_bits(),
            "position": {
                "front_bits": geometry.front_bits(),
                "back_bits": geometry.back_bits(),
                "doc": "position 0: the low front_bits are the front bucket; position 1: the low back_bits are the back bucket; the high \
                        fingerprint_bits of each are its fingerprint; a cell of the store holds all of position 0",
            },
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
            "initiation_interval_clocks": 1,
            "scan_interval": geometry.scan_interval(),
            "hash_clocks": timing.hash_clocks,
            "spread_clocks": timing.spread_clocks,
            "index_clocks": timing.index_clocks,
            "front_clocks": timing.front_clocks,
            "age_stage": timing.age_stage,
            "decision_stage": timing.decision_stage,
            "write_stage": timing.write_stage,
            "retire_clocks": timing.retire_clocks,
            "verdict_queue_depth": timing.verdict_queue_depth,
        })
    }

    fn provenance(&self) -> (&'static str, String) {
        ("predictions", "for distinct elements".to_owned())
    }
}
