use super::{ports, vectors};
use crate::resolve::Resolved;
use bloomline_model::Direction;
use bloomline_spec::{Geometry, HashUnit, PRESENT_SBOX};
use serde_json::{json, Value};

/// Version of the manifest's own layout.
const MANIFEST_VERSION: u32 = 1;

/// The manifest: everything another program needs to know of an emitted filter. 64-bit constants are hexadecimal text.
///
/// # Errors
/// Only if JSON cannot be written, which no value here causes.
pub fn text(resolved: &Resolved) -> anyhow::Result<String> {
    let geometry = &resolved.geometry;
    let manifest = json!({
        "manifest_version": MANIFEST_VERSION,
        "name": geometry.name(),
        "version": env!("CARGO_PKG_VERSION"),
        "top": geometry.name(),
        "geometry_hash": hexadecimal(geometry.geometry_hash()),
        "geometry": geometry_values(geometry),
        "ports": port_list(geometry),
        "timing": timing(geometry),
        "hash": hash(geometry),
        "vectors": vectors::vectors(geometry),
        "prediction": resolved.forecast,
        "specification": resolved.text,
    });
    Ok(format!("{}\n", serde_json::to_string_pretty(&manifest)?))
}

fn hexadecimal(value: u64) -> String {
    format!("0x{value:x}")
}

fn geometry_values(geometry: &Geometry) -> Value {
    json!({
        "kind": "recycling",
        "layout": "partitioned",
        "memory_bits": geometry.memory_bits(),
        "phases": geometry.phases(),
        "half_bits": geometry.half_bits(),
        "hashes": geometry.hashes(),
        "partition_bits": geometry.partition_bits(),
        "words_per_bank": geometry.words_per_bank(),
        "index_bits": geometry.index_bits(),
        "count_bits": geometry.count_bits(),
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

fn port_list(geometry: &Geometry) -> Vec<Value> {
    bloomline_model::ports(geometry)
        .iter()
        .map(|port| {
            let direction = match port.direction {
                Direction::Input => "input",
                Direction::Output => "output",
            };
            json!({ "name": port.name, "direction": direction, "width": port.width, "doc": ports::doc(port.name) })
        })
        .collect()
}

fn timing(geometry: &Geometry) -> Value {
    let timing = geometry.timing();
    json!({
        "latency_clocks": latency_clocks(geometry),
        "initiation_interval_clocks": 1,
        "hash_clocks": timing.hash_clocks,
        "spread_clocks": timing.spread_clocks,
        "index_clocks": timing.index_clocks,
        "count_clocks": timing.count_clocks,
        "front_clocks": timing.front_clocks,
        "decision_stage": timing.decision_stage,
        "write_stage": timing.write_stage,
        "retire_clocks": timing.retire_clocks,
        "verdict_queue_depth": timing.verdict_queue_depth,
        "large_cycle_items": timing.large_cycle_items,
    })
}

/// Clocks from the acceptance of an item until its verdict is valid, without back-pressure.
pub fn latency_clocks(geometry: &Geometry) -> u32 {
    let timing = geometry.timing();
    timing.front_clocks + timing.decision_stage + 3
}

fn hash(geometry: &Geometry) -> Value {
    let constants = geometry.hash();
    let units: Vec<Value> = constants
        .units
        .iter()
        .map(|unit| {
            let functions: Vec<usize> = unit.functions().collect();
            let words = |rows: &[u64]| rows.iter().copied().map(hexadecimal).collect::<Vec<_>>();
            match unit {
                HashUnit::Sbox(unit) => json!({
                    "functions": functions,
                    "rows": words(&unit.rows),
                    "offset": hexadecimal(unit.offset),
                    "taps": unit.taps,
                }),
                HashUnit::H3(unit) => json!({
                    "functions": functions,
                    "rows": words(&unit.rows),
                    "offset": hexadecimal(unit.offset),
                }),
            }
        })
        .collect();
    json!({
        "family": geometry.family(),
        "seed": hexadecimal(geometry.seed()),
        "hashing": geometry.hashing(),
        "functions": constants.functions,
        "function_bits": constants.function_bits,
        "sbox": PRESENT_SBOX,
        "units": units,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomline_spec::{FilterSpec, EXAMPLES};
    use std::path::Path;

    #[test]
    fn every_port_is_explained() {
        for (file, text) in EXAMPLES {
            let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
            let sizing = spec.validate().expect("an example");
            let geometry = sizing.with_threshold(sizing.half_bits()).expect("legal");
            for port in bloomline_model::ports(&geometry) {
                assert!(ports::doc(port.name).is_some(), "{file}: {}", port.name);
            }
        }
    }
}
