//! Common description of sliding-window filters, however the window is stored.

use super::Planned;
use crate::forecast::{Line, SlidingForecast};
use crate::plan::{Plan, Summary};
use crate::resolved::Resolved;
use crate::Error;
use bloomline_spec::{Common, Design, SlidingTiming, WindowTable};
use serde_json::{json, Value};
use std::fmt;

/// A geometry of a sliding-window filter.
pub(super) trait Windowed: fmt::Debug + Send + Sync {
    /// How the window is stored.
    const TABLE: WindowTable;

    /// The kind as a noun, without article.
    const NOUN: &'static str;

    fn design(&self) -> Design;

    /// n and m, in elements.
    fn window_and_slack(&self) -> (u64, u64);

    /// Its tables in a few words, for the core description.
    fn tables(&self) -> String;

    fn plan(of: &Resolved<Self, SlidingForecast>) -> Plan
    where
        Self: Sized;

    fn summary(of: &Resolved<Self, SlidingForecast>) -> Summary
    where
        Self: Sized;

    /// The part of the geometry that another way of storing a window has not, or has under the same names.
    fn own_values(&self) -> Value;

    /// Stages of the pipeline, and what sets the pace of the scan.
    fn stages_and_scan(&self) -> (SlidingTiming, (&'static str, Value));
}

impl<G: Windowed> Planned for Resolved<G, SlidingForecast> {
    fn lines(&self) -> &[Line] {
        self.forecast.lines()
    }

    fn warnings(&self) -> &[String] {
        self.forecast.warnings()
    }

    fn plan(&self) -> Result<Plan, Error> {
        Ok(G::plan(self))
    }

    fn summary(&self) -> Result<Summary, Error> {
        Ok(G::summary(self))
    }

    fn noun(&self) -> &'static str {
        G::NOUN
    }

    fn facts(&self) -> String {
        let (window, slack) = self.geometry.window_and_slack();
        format!("window {window}, slack {slack}")
    }

    fn description(&self) -> String {
        let (window, _) = self.geometry.window_and_slack();
        let mut noun = G::NOUN.to_owned();
        noun[..1].make_ascii_uppercase();
        format!(
            "{noun}, the last {window} elements, {} bits, {}",
            self.geometry.design().memory_bits(),
            self.geometry.tables(),
        )
    }

    fn geometry_values(&self) -> Value {
        let design = self.geometry.design();
        let common: &Common = &design;
        let (window, slack) = self.geometry.window_and_slack();
        let mut values = json!({
            "kind": design.kind(),
            "table": G::TABLE,
            "layout": common.layout(),
            "distinct": common.distinct(),
            "memory_bits": design.memory_bits(),
            "hashes": common.hashes(),
            "range": common.range(),
            "index_bits": common.index_bits(),
            "window": window,
            "slack": slack,
            "target_fpr": design.target_fpr(),
            "operation_bits": common.operation_bits(),
            "verdict_bits": common.verdict_bits(),
            "key_bits": common.key_bits(),
            "key_source": common.key_source().map(|source| source.to_string()),
            "tag_bits": common.tag_bits(),
            "clock_hz": common.clock_hz(),
        });
        if let (Value::Object(values), Value::Object(own)) =
            (&mut values, self.geometry.own_values())
        {
            values.extend(own);
        }
        values
    }

    fn timing_values(&self) -> Value {
        let (timing, (scan, pace)) = self.geometry.stages_and_scan();
        json!({
            "latency_clocks": self.geometry.design().timing().latency_clocks(),
            "initiation_interval_clocks": 1,
            (scan): pace,
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
