//! Cost of each method of emptying memory: a half of a recycling filter, all of one of cells.

use super::{features, Page};
use crate::forecast::whole;
use bloomline_spec::{
    CellGeometry, CellKind, Design, Erase, EraseReason, RecyclingGeometry, Sizing,
};
use serde_json::{json, Value};

/// LUT4 sites of the example `onehit` on LFE5UM5G-45F, placed by nextpnr: `hdl/docs/results.md` has the commands.
const ONEHIT: u32 = 5_074;
/// Those of examples by epochs, and of the same filter in place.
const CELLS: [(CellKind, [(&str, u32); 2]); 3] = [
    (CellKind::Static, [("members", 2_887), ("roster", 1_527)]),
    (CellKind::Counting, [("hotkeys", 4_052), ("tally", 1_908)]),
    (CellKind::CountMin, [("heavy", 3_676), ("the same", 2_957)]),
];
/// Widths of a row, in bits.
const ROW_WIDTHS: [u32; 5] = [1, 2, 4, 8, 16];

/// The filter as it is and as it could be, by how a half is emptied.
pub fn ways(geometry: &RecyclingGeometry) -> impl Iterator<Item = Sizing> + '_ {
    Erase::ALL
        .iter()
        .filter_map(|&erase| geometry.erased_by(erase))
}

fn latency_clocks(sizing: &Sizing) -> u32 {
    let timing = sizing.timing();
    timing.front_clocks + timing.decision_stage + timing.verdict_clocks
}

/// The costs of one way.
pub fn as_json(sizing: &Sizing) -> Value {
    let spare_half = sizing.erase() == Erase::SpareHalf;
    json!({
        "stored_bits": sizing.stored_bits(),
        "block_rams": sizing.block_rams().map(|(count, _)| count),
        "latency_clocks": latency_clocks(sizing),
        "erase_clocks": if spare_half { sizing.erase_rows() } else { 0 },
        "stall_free_threshold": spare_half.then(|| sizing.stall_free_threshold_in_place()),
        "rows": spare_half.then(|| rows(sizing)),
    })
}

/// What rows of each width would give.
fn rows(sizing: &Sizing) -> Vec<Value> {
    let safe = sizing.row_widths();
    let row = |bits: u32| {
        let way = sizing.with_rows_of(bits);
        json!({
            "row_bits": bits,
            "erase_clocks": way.erase_rows(),
            "stall_free_threshold": way.stall_free_threshold_in_place(),
            "stall_free_messages": way.stall_free_threshold_in_place() / u64::from(way.unit()),
            "right_on_the_part": safe.contains(&bits),
        })
    };
    ROW_WIDTHS.into_iter().map(row).collect()
}

fn stored(bits: u64, block_rams: Option<(u64, &str)>) -> String {
    let bits = whole(bits as f64);
    match block_rams {
        Some((count, name)) => format!("{bits} bits ({} {name})", whole(count as f64)),
        None => format!("{bits} bits"),
    }
}

fn chosen(erase: Erase, reason: Option<&EraseReason>) -> String {
    reason.map_or_else(String::new, |reason| {
        format!("memory.erase = \"auto\" is \"{erase}\" here: {reason}.\n")
    })
}

fn listed(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

/// The costs of every way, where there is a choice.
pub fn describe(page: &mut Page, geometry: &RecyclingGeometry) {
    let ways: Vec<Sizing> = ways(geometry).collect();
    if ways.len() < 2 {
        let chosen = chosen(geometry.erase(), geometry.erase_reason());
        if !chosen.is_empty() {
            page.briefly(format!("\n{chosen}"));
        }
        return;
    }
    let costs = ways.iter().map(|way| {
        let own = if way.erase() == geometry.erase() { " (this one)" } else { "" };
        let of_both = format!(
            "\"{}\"{own} stores {} and answers in {} clocks",
            way.erase(),
            stored(way.stored_bits(), way.block_rams()),
            latency_clocks(way)
        );
        match way.erase() {
            Erase::Epoch => of_both,
            Erase::SpareHalf | Erase::InPlace => format!(
                "{of_both} on less logic; an erase takes {} clocks and causes no stall for thresholds of {} and above",
                whole(way.erase_rows() as f64),
                whole(way.stall_free_threshold_in_place() as f64),
            ),
        }
    });
    let costs: Vec<String> = costs.collect();
    let rows = ROW_WIDTHS.map(|bits| geometry.with_rows_of(bits));
    let of_unit = |way: &Sizing| way.stall_free_threshold_in_place() / u64::from(way.unit());
    page.briefly(format!(
        "\nTo empty a half, memory.erase: {}. Shortest cycle that an erase never holds up, with memory.row_bits = {}: {} messages (thresholds {}); more than 1 bit \
         only where block RAM reads old contents, as AMD's does. Measured on an ECP5: the example onehit, by epochs, takes {} LUT4 sites, lean, with a spare half, {}.\n{}",
        costs.join("; "),
        listed(ROW_WIDTHS.iter().map(u32::to_string)),
        listed(rows.iter().map(|way| whole(of_unit(way) as f64))),
        listed(rows.iter().map(|way| whole(way.stall_free_threshold_in_place() as f64))),
        whole(ONEHIT.into()),
        whole(features::FULL.into()),
        chosen(geometry.erase(), geometry.erase_reason()),
    ));
}

/// The filter of cells as it is and as it could be, by how a clear empties it; nothing where there is no choice.
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
        "block_rams": way.block_rams().map(|(count, _)| count),
        "latency_clocks": latency(way),
        "clear_clocks": way.clear_clocks(),
        "access_clocks": way.timing().access_clocks,
    })
}

/// The costs of every way of clearing, where there is a choice.
pub fn describe_clearing(page: &mut Page, geometry: &CellGeometry) {
    let ways = ways_to_clear(geometry);
    let chosen = chosen(geometry.erase(), geometry.erase_reason());
    if ways.is_empty() {
        if !chosen.is_empty() {
            page.briefly(format!("\n{chosen}"));
        }
        return;
    }
    let costs = ways.iter().map(|way| {
        let own = if way.erase() == geometry.erase() { " (this one)" } else { "" };
        let logic = if way.erase() == Erase::InPlace { " on less logic" } else { "" };
        format!(
            "\"{}\"{own} stores {}, answers in {} clocks{logic} and clears in {}; a word that a host reads takes {}",
            way.erase(),
            stored(way.stored_bits(), way.block_rams()),
            latency(way),
            whole(way.clear_clocks() as f64),
            way.timing().access_clocks,
        )
    });
    let costs: Vec<String> = costs.collect();
    let measured = CELLS.iter().find(|(kind, _)| *kind == geometry.cell_kind());
    let measured = measured.map(|(_, [(words, of_words), (cells, of_cells)])| {
        format!(
            " Measured on an ECP5: the example {words}, by epochs, takes {} LUT4 sites, {cells}, in place, {}.",
            whole(f64::from(*of_words)),
            whole(f64::from(*of_cells)),
        )
    });
    page.briefly(format!(
        "\nTo clear, memory.erase: {}.{}\n{chosen}",
        costs.join(". "),
        measured.unwrap_or_default(),
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sites_are_those_of_the_page_of_results() {
        let page = include_str!("../../../../hdl/docs/results.md");
        let of_cells = |row, kind, way: usize| {
            let (_, sites) = CELLS.iter().find(|(of, _)| *of == kind).expect("each kind");
            (row, sites[way].1)
        };
        for (row, sites) in [
            ("| recycling `onehit` |", ONEHIT),
            of_cells("| static `members` |", CellKind::Static, 0),
            of_cells("| single bits (`roster`)", CellKind::Static, 1),
            of_cells("| counting `hotkeys` |", CellKind::Counting, 0),
            of_cells("| single counters (`tally`)", CellKind::Counting, 1),
            of_cells("| Count-Min `heavy`,", CellKind::CountMin, 0),
            of_cells("| single counters (`heavy` with", CellKind::CountMin, 1),
        ] {
            let line = page.lines().find(|line| line.starts_with(row));
            let sites = whole(f64::from(sites));
            assert!(
                line.is_some_and(|line| line.contains(&sites)),
                "{row}: {sites}"
            );
        }
    }
}
