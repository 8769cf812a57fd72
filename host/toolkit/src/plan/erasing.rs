//! Cost of each method of emptying a half of a recycling filter.

use super::Page;
use crate::forecast::whole;
use bloomline_spec::{Erase, RecyclingGeometry, Sizing};
use serde_json::{json, Value};

/// The filter as it is and as it could be, by how a half is emptied.
pub fn ways(geometry: &RecyclingGeometry) -> impl Iterator<Item = Sizing> + '_ {
    Erase::ALL
        .iter()
        .filter_map(|&erase| geometry.erased_by(erase))
}

fn latency_clocks(sizing: &Sizing) -> u32 {
    let timing = sizing.timing();
    timing.front_clocks + timing.decision_stage + 3
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
            Erase::SpareHalf => format!(
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
