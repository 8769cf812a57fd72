//! The plan of a sliding-window filter on cuckoo tables.

use super::window::Window;
use super::{corrected_cells, Plan, Summary};
use crate::forecast::whole;
use crate::resolved::Cuckoo;
use bloomline_spec::{CuckooGeometry, Design, FilterKind, WindowTable, CUCKOO_TABLES};
use serde_json::{json, Value};

/// The plan of a sliding-window filter on cuckoo tables.
pub fn plan(resolved: &Cuckoo) -> Plan {
    window(resolved).plan()
}

/// The six lines that the plan begins with.
pub fn summary(resolved: &Cuckoo) -> Summary {
    window(resolved).summary()
}

fn window(resolved: &Cuckoo) -> Window<'_> {
    let geometry = &resolved.geometry;
    Window {
        design: Design::from(geometry),
        forecast: &resolved.forecast,
        window: geometry.window(),
        slack: geometry.slack(),
        stated: stated(geometry),
        heading: heading(geometry),
        banks: format!(
            "{CUCKOO_TABLES} cuckoo tables of {} rows of {} cells of {} bits",
            whole(geometry.rows() as f64),
            geometry.row_cells(),
            geometry.cell_bits()
        ),
        stored_bits: geometry.stored_bits(),
        protection: protection(geometry),
        others: "Other numbers of generations, with the tables that each takes",
        watch: "the counters STALL_STASH, clocks in which the stream was held because the stash could fill, and LOST, which stays 0 unless \
                that lasted for 1,023 clocks",
    }
}

fn stated(geometry: &CuckooGeometry) -> Value {
    json!({
        "name": geometry.name(),
        "kind": FilterKind::Sliding,
        "table": WindowTable::Cuckoo,
        "memory_bits": geometry.memory_bits(),
        "hashes": geometry.hashes(),
        "hashing": geometry.hashing(),
        "key_bits": geometry.key_bits(),
        "window": geometry.window(),
        "slack": geometry.slack(),
        "target_fpr": geometry.target_fpr(),
        "generations": geometry.generations(),
        "generation_items": geometry.generation_items(),
        "generation_bits": geometry.generation_bits(),
        "generation_values": geometry.generation_values(),
        "live_items": geometry.live_items(),
        "peak_live_items": geometry.peak_live_items(),
        "slack_used": geometry.live_items() - geometry.window(),
        "rows": geometry.rows(),
        "row_cells": geometry.row_cells(),
        "stash_cells": geometry.stash_cells(),
        "stash_limit": geometry.stash_limit(),
        "fingerprint_bits": geometry.fingerprint_bits(),
        "fingerprints": geometry.fingerprints(),
        "cell_bits": geometry.cell_bits(),
        "scan_quota": geometry.scan_quota(),
        "scan_room": geometry.scan_room(),
        "initiation_interval_clocks": 1,
        "geometry_hash": format!("0x{:016x}", geometry.geometry_hash()),
    })
}

fn protection(geometry: &CuckooGeometry) -> Vec<String> {
    let cell = [geometry.fingerprint_bits(), geometry.generation_bits()];
    let corrected = || corrected_cells(geometry.stored_bits(), cell);
    geometry.ecc().then(corrected).into_iter().collect()
}

fn heading(geometry: &CuckooGeometry) -> String {
    format!(
        "{}: sliding, the last {} elements always seen, {} before them perhaps, others at most {}, keys of {} bits\n\n\
         {} bits: {CUCKOO_TABLES} cuckoo tables of {} rows of {} cells of {} bits ({} fingerprints with {} generation numbers), and a stash of {} cells\n\n",
        geometry.name(),
        whole(geometry.window() as f64),
        whole(geometry.slack() as f64),
        geometry.target_fpr(),
        geometry.key_bits(),
        whole(geometry.memory_bits() as f64),
        whole(geometry.rows() as f64),
        geometry.row_cells(),
        geometry.cell_bits(),
        whole(geometry.fingerprints() as f64),
        geometry.generation_values(),
        geometry.stash_cells(),
    )
}
