//! Cost of each method of emptying memory: a half of a recycling filter, all of a static one.

use super::Page;
use crate::forecast::whole;
use bloomline_spec::{CellGeometry, Design, Erase, RecyclingGeometry, Sizing};
use serde_json::{json, Value};

/// The filter as it is and as it could be, by how a half is emptied.
pub fn ways(geometry: &RecyclingGeometry) -> impl Iterator<Item = Sizing> + '_ {
    Erase::ALL
        .iter()
        .filter_map(|&erase| geometry.erased_by(erase))
}

fn latency_clocks(sizing: &Sizing) -> u32 {
    let timing = sizing.timing();
    let behind_decision = if sizing.has_verdict_queue() { 3 } else { 1 };
    timing.front_clocks + timing.decision_stage + behind_decision
}

/// The costs of one way.
pub fn as_json(sizing: &Sizing) -> Value {
    let spare_half = sizing.erase() == Erase::SpareHalf;
    json!({
        "stored_bits": sizing.stored_bits(),
        "latency_clocks": latency_clocks(sizing),
        "erase_clocks": if spare_half { sizing.erase_rows() } else { 0 },
        "stall_free_threshold": spare_half.then(|| sizing.stall_free_threshold()),
    })
}

/// The costs of every way, where there is a choice.
pub fn describe(page: &mut Page, geometry: &RecyclingGeometry) {
    let ways: Vec<Sizing> = ways(geometry).collect();
    if ways.len() < 2 {
        return;
    }
    let costs = ways.iter().map(|way| {
        let own = if way.erase() == geometry.erase() { " (this one)" } else { "" };
        let stored = whole(way.stored_bits() as f64);
        let of_both = format!(
            "\"{}\"{own} stores {stored} bits and answers in {} clocks",
            way.erase(),
            latency_clocks(way)
        );
        match way.erase() {
            Erase::Epoch => of_both,
            Erase::SpareHalf | Erase::InPlace => format!(
                "{of_both} on less logic; an erase takes {} clocks and holds nothing up from threshold {} on",
                whole(way.erase_rows() as f64),
                whole(way.stall_free_threshold() as f64),
            ),
        }
    });
    let costs: Vec<String> = costs.collect();
    page.briefly(format!(
        "\nTo empty a half, memory.erase: {}.\n",
        costs.join("; ")
    ));
}

/// The static filter as it is and as it could be, by how a clear empties it; nothing where there is no choice.
pub fn ways_to_clear(geometry: &CellGeometry) -> Vec<CellGeometry> {
    let ways = Erase::ALL
        .iter()
        .filter_map(|&erase| geometry.erased_by(erase));
    let ways: Vec<CellGeometry> = ways.collect();
    if ways.len() < 2 {
        return Vec::new();
    }
    ways
}

fn latency(way: &CellGeometry) -> u32 {
    Design::from(way).timing().latency_clocks()
}

/// The costs of one way.
pub fn clearing_as_json(way: &CellGeometry) -> Value {
    json!({
        "stored_bits": way.stored_bits(),
        "latency_clocks": latency(way),
        "clear_clocks": way.clear_clocks(),
        "access_clocks": way.timing().access_clocks,
    })
}

/// The costs of every way of clearing, where there is a choice.
pub fn describe_clearing(page: &mut Page, geometry: &CellGeometry) {
    let ways = ways_to_clear(geometry);
    if ways.is_empty() {
        return;
    }
    let costs = ways.iter().map(|way| {
        let own = if way.erase() == geometry.erase() { " (this one)" } else { "" };
        let logic = if way.erase() == Erase::InPlace { " on less logic" } else { "" };
        format!(
            "\"{}\"{own} stores {} bits, answers in {} clocks{logic} and clears in {}; a word that a host reads takes {}",
            way.erase(),
            whole(way.stored_bits() as f64),
            latency(way),
            whole(way.clear_clocks() as f64),
            way.timing().access_clocks,
        )
    });
    let costs: Vec<String> = costs.collect();
    page.briefly(format!("\nTo clear, memory.erase: {}.\n", costs.join(". ")));
}
