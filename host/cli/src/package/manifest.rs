use super::{ports, top, vectors};
use crate::forecast::{cell_latency_clocks, sliding_latency_clocks};
use crate::resolve::{Cells, Recycling, Resolved, Sliding};
use bloomline_hdl::mac::RGMII_LEAVES;
use bloomline_hdl::packet::{parser_clocks, PATH_CLOCKS};
use bloomline_spec::ports::{design_ports, Direction};
use bloomline_spec::{
    CellGeometry, Common, FilterKind, Geometry, HashUnit, Parity, Ports, SlidingGeometry, LANES,
    LINECARD_CLOCKS, LINECARD_HOST_CLOCKS, PRESENT_SBOX, WORD_BITS,
};
use serde::Serialize;
use serde_json::{json, Value};

/// Version of the manifest's own layout.
const MANIFEST_VERSION: u32 = 1;

/// The manifest of a recycling filter: everything another program needs to know of an emitted filter. 64-bit constants are
/// hexadecimal text.
///
/// # Errors
/// Only if JSON cannot be written, which no value here causes.
pub fn recycling(resolved: &Recycling) -> anyhow::Result<String> {
    let geometry = &resolved.geometry;
    let special = Special {
        kind: FilterKind::Recycling,
        removes: false,
        geometry_hash: geometry.geometry_hash(),
        geometry: geometry_values(geometry),
        timing: timing(geometry),
    };
    text(resolved, geometry, special)
}

/// The manifest of a filter of cells, as [`recycling`].
///
/// # Errors
/// As [`recycling`].
pub fn cells(resolved: &Cells) -> anyhow::Result<String> {
    let geometry = &resolved.geometry;
    let special = Special {
        kind: geometry.kind(),
        removes: geometry.removes(),
        geometry_hash: geometry.geometry_hash(),
        geometry: cell_values(geometry),
        timing: cell_timing(geometry),
    };
    text(resolved, geometry, special)
}

/// The manifest of a sliding-window filter, as [`recycling`].
///
/// # Errors
/// As [`recycling`].
pub fn sliding(resolved: &Sliding) -> anyhow::Result<String> {
    let geometry = &resolved.geometry;
    let special = Special {
        kind: FilterKind::Sliding,
        removes: false,
        geometry_hash: geometry.geometry_hash(),
        geometry: sliding_values(geometry),
        timing: sliding_timing(geometry),
    };
    text(resolved, geometry, special)
}

/// What the kinds differ in.
struct Special {
    kind: FilterKind,
    /// It has the operation.
    removes: bool,
    geometry_hash: u64,
    geometry: Value,
    timing: Value,
}

fn text<G, F: Serialize>(
    resolved: &Resolved<G, F>,
    common: &Common,
    special: Special,
) -> anyhow::Result<String> {
    let mut manifest = json!({
        "manifest_version": MANIFEST_VERSION,
        "name": common.name(),
        "version": env!("CARGO_PKG_VERSION"),
        "top": top(common),
        "geometry_hash": hexadecimal(special.geometry_hash),
        "geometry": special.geometry,
        "ports": port_list(common, special.kind, special.removes),
        "timing": special.timing,
        "hash": hash(common),
        "vectors": vectors::vectors(common),
        "prediction": resolved.forecast,
        "specification": resolved.text,
    });
    if common.parity() != Parity::None {
        manifest["geometry"]["parity"] = common.parity().word().into();
    }
    if let Some(card) = common.card() {
        manifest["card"] = json!({
            "filter": common.name(),
            "tag_bits": common.stream_tag_bits(),
            "address_bits": common.map_address_bits(),
            "uart": card.uart.map(|uart| json!({
                "protocol": "uartbone",
                "baud": uart.baud,
                "clocks_per_bit": uart.clocks_per_bit,
                "timeout_clocks": uart.timeout_clocks,
            })),
        });
    }
    if let Some(packet) = common.packet() {
        let path = json!({
            "card": format!("{}_axil", common.name()),
            "data_bits": packet.data_bits(),
            "buffer_bytes": packet.buffer_bytes(),
            "frame_queue_frames": packet.frame_queue_frames(),
            "path_clocks": PATH_CLOCKS,
            "parser_clocks": parser_clocks(common),
        });
        match packet.ports() {
            Ports::Streams => manifest["path"] = path,
            Ports::Rgmii => {
                manifest["lane"] = path;
                manifest["line_card"] = json!({
                    "lanes": LANES,
                    "linecard_clocks": LINECARD_CLOCKS,
                    "leaves_of_a_part": RGMII_LEAVES,
                });
                if let Some(host) = packet.host() {
                    let [a, b, c, d] = host.address.ip;
                    manifest["line_card"]["host"] = json!({
                        "port": host.port,
                        "mac": host.address.mac.map(|byte| format!("{byte:02x}")).join(":"),
                        "ip": format!("{a}.{b}.{c}.{d}"),
                        "udp_port": host.address.udp_port,
                        "linecard_host_clocks": LINECARD_HOST_CLOCKS,
                    });
                }
            }
        }
    }
    Ok(format!("{}\n", serde_json::to_string_pretty(&manifest)?))
}

fn hexadecimal(value: u64) -> String {
    format!("0x{value:x}")
}

fn geometry_values(geometry: &Geometry) -> Value {
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
        "array": {
            "words_per_bank": geometry.words_per_bank(),
            "word_address_bits": geometry.word_address_bits(),
            "bank_bits": geometry.array_bank_bits(),
            "address_bits": geometry.array_address_bits(),
            "data_bits": WORD_BITS,
            "doc": "position p of bank b in half h (0 active, 1 frozen): word (h << bank_bits | b) << word_address_bits | p >> 5, bit p mod 32; read only",
        },
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

/// The geometry, and how the cells lie in the words that the host reads and writes through ARRAY_ADDRESS and ARRAY_DATA.
fn cell_values(geometry: &CellGeometry) -> Value {
    json!({
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
    })
}

/// The geometry, and what the parts of a position are.
fn sliding_values(geometry: &SlidingGeometry) -> Value {
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

/// Ports of the top module.
fn port_list(common: &Common, kind: FilterKind, removes: bool) -> Vec<Value> {
    design_ports(common)
        .iter()
        .map(|port| {
            let direction = match port.direction {
                Direction::Input => "input",
                Direction::Output => "output",
            };
            json!({ "name": port.name, "direction": direction, "width": port.width, "doc": ports::doc(&port.name, kind, removes) })
        })
        .collect()
}

fn timing(geometry: &Geometry) -> Value {
    let timing = geometry.timing();
    json!({
        "latency_clocks": latency_clocks(geometry),
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

fn cell_timing(geometry: &CellGeometry) -> Value {
    let timing = geometry.timing();
    json!({
        "latency_clocks": cell_latency_clocks(geometry),
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
    })
}

fn sliding_timing(geometry: &SlidingGeometry) -> Value {
    let timing = geometry.timing();
    json!({
        "latency_clocks": sliding_latency_clocks(geometry),
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

/// Clocks from the acceptance of an item until its verdict is valid, without back-pressure.
pub fn latency_clocks(geometry: &Geometry) -> u32 {
    let timing = geometry.timing();
    timing.front_clocks + timing.decision_stage + 3
}

fn hash(common: &Common) -> Value {
    let constants = common.hash();
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
                HashUnit::Sip(unit) => json!({
                    "functions": functions,
                    "compress": unit.compress,
                    "finish": unit.finish,
                    "number": unit.number,
                    "message_bytes": unit.message_bytes,
                }),
            }
        })
        .collect();
    let probing = common.probing();
    let mut hash = json!({
        "family": common.family(),
        "seed": hexadecimal(common.seed()),
        "hashing": common.hashing(),
        "functions": constants.functions,
        "function_bits": constants.function_bits,
        "sbox": PRESENT_SBOX,
        "probing": {
            "functions": probing.functions(),
            "function_bits": probing.function_bits(),
            "index_bits": probing.index_bits(),
            "range": probing.range,
            "distinct": probing.distinct,
            "scales": probing.scales(),
            "doc": if probing.scales() {
                "floor(H * range / 2^function_bits) for a function's value H; distinct: see bloomline_spec::Probing"
            } else {
                "the low index_bits bits of a function's value"
            },
        },
        "units": units,
    });
    if let Some(secret) = constants.secret {
        hash["public_secret"] = json!({
            "value": format!("0x{secret:032x}"),
            "doc": "in force at power-up, under which the vectors hold; anybody can compute it from hash.seed, so it protects nothing \
                    until HASH_KEY_0 to HASH_KEY_3 and CONTROL bit 1 (rekey) load another one",
        });
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomline_spec::{
        FilterSpec, Validated, CELL_EXAMPLES, EXAMPLES, SCHEME_EXAMPLES, SLIDING_EXAMPLES,
    };
    use std::path::Path;

    #[test]
    fn every_port_is_explained() {
        let examples = [EXAMPLES, CELL_EXAMPLES, SCHEME_EXAMPLES, SLIDING_EXAMPLES];
        for (file, text) in examples.into_iter().flatten() {
            let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
            let kind = spec.filter.kind;
            let ports = match spec.resolve().expect("an example") {
                Validated::Recycling(sizing) => bloomline_spec::ports::filter_ports(&sizing),
                Validated::Cells(geometry) => bloomline_spec::ports::filter_ports(&geometry),
                Validated::Sliding(geometry) => bloomline_spec::ports::filter_ports(&geometry),
            };
            for port in ports {
                assert!(
                    ports::doc(&port.name, kind, true).is_some(),
                    "{file}: {}",
                    port.name
                );
            }
        }
    }
}
