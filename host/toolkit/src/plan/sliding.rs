//! The plan of a sliding-window filter on tables of buckets.

use super::corrected_cells;
use super::window::Window;
use super::{Plan, Summary};
use crate::forecast::whole;
use crate::resolved::Sliding;
use bloomline_spec::{Design, FilterKind, Parity, SlidingGeometry, WindowTable};
use serde_json::{json, Value};

/// The plan of a sliding-window filter.
pub fn plan(resolved: &Sliding) -> Plan {
    window(resolved).plan()
}

/// The six lines that the plan begins with.
pub fn summary(resolved: &Sliding) -> Summary {
    window(resolved).summary()
}

fn window(resolved: &Sliding) -> Window<'_> {
    let geometry = &resolved.geometry;
    Window {
        design: Design::from(geometry),
        forecast: &resolved.forecast,
        window: geometry.window(),
        slack: geometry.slack(),
        stated: stated(geometry),
        heading: heading(geometry),
        banks: format!(
            "a front table of {} and a back table of {} buckets of {} cells of {} bits",
            whole(geometry.front_buckets() as f64),
            whole(geometry.back_buckets() as f64),
            geometry.bucket_cells(),
            geometry.cell_bits()
        ),
        stored_bits: geometry.stored_bits(),
        protection: protection(geometry),
        others: "Other numbers of generations, with the tables that each takes",
        watch: "the counter LOST: insertions for which there was no room; it stays 0",
    }
}

fn stated(geometry: &SlidingGeometry) -> Value {
    json!({
        "name": geometry.name(),
        "kind": FilterKind::Sliding,
        "table": WindowTable::Buckets,
        "memory_bits": geometry.memory_bits(),
        "hashes": geometry.hashes(),
        "layout": geometry.layout(),
        "hashing": geometry.hashing(),
        "key_bits": geometry.key_bits(),
        "window": geometry.window(),
        "slack": geometry.slack(),
        "target_fpr": geometry.target_fpr(),
        "generations": geometry.generations(),
        "generation_items": geometry.generation_items(),
        "generation_bits": geometry.generation_bits(),
        "live_items": geometry.live_items(),
        "slack_used": geometry.live_items() - geometry.window(),
        "front_buckets": geometry.front_buckets(),
        "back_buckets": geometry.back_buckets(),
        "bucket_cells": geometry.bucket_cells(),
        "store_cells": geometry.store_cells(),
        "fingerprint_bits": geometry.fingerprint_bits(),
        "cell_bits": geometry.cell_bits(),
        "scan_interval": geometry.scan_interval(),
        "initiation_interval_clocks": 1,
        "geometry_hash": format!("0x{:016x}", geometry.geometry_hash()),
    })
}

fn heading(geometry: &SlidingGeometry) -> String {
    format!(
        "{}: sliding, the last {} elements always seen, {} before them perhaps, others at most {}, keys of {} bits\n\n\
         {} bits: {} front and {} back buckets of {} cells of {} + {} bits, and {} cells behind them, {} hashing\n\n",
        geometry.name(),
        whole(geometry.window() as f64),
        whole(geometry.slack() as f64),
        geometry.target_fpr(),
        geometry.key_bits(),
        whole(geometry.memory_bits() as f64),
        whole(geometry.front_buckets() as f64),
        whole(geometry.back_buckets() as f64),
        geometry.bucket_cells(),
        geometry.fingerprint_bits(),
        geometry.generation_bits(),
        geometry.store_cells(),
        geometry.hashing(),
    )
}

fn protection(geometry: &SlidingGeometry) -> Vec<String> {
    let mut protection = Vec::new();
    if geometry.parity() != Parity::None {
        protection.push(format!(
            "\nParity: {}; {} bits are stored in the tables, in cells of {} + {} bits and a parity bit\n",
            geometry.parity(),
            whole(geometry.stored_bits() as f64),
            geometry.fingerprint_bits(),
            geometry.generation_bits(),
        ));
    }
    if geometry.ecc() {
        let cell = [geometry.fingerprint_bits(), geometry.generation_bits()];
        protection.push(corrected_cells(geometry.stored_bits(), cell));
    }
    protection
}
