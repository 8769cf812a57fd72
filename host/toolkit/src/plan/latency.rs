//! Plan section about the latencies that a filter with a spare half may have.

use super::Page;
use crate::forecast::MEASURED_MHZ;
use bloomline_spec::{Latency, RecyclingGeometry};
use serde_json::{json, Value};

/// Clocks of each choice of `target.latency`; empty where there is none.
fn choices(geometry: &RecyclingGeometry) -> Vec<(Latency, u32, f64)> {
    let clocks = |&(latency, mhz): &(Latency, f64)| {
        let clocks = geometry.latency_clocks_with(latency)?;
        Some((latency, clocks, mhz))
    };
    MEASURED_MHZ.iter().filter_map(clocks).collect()
}

/// Clocks of each choice, and the clock that it was measured at.
pub fn as_json(geometry: &RecyclingGeometry) -> Option<Value> {
    let choices = choices(geometry);
    let list = choices.iter().map(|(latency, clocks, mhz)| {
        json!({ "latency": latency, "clocks": clocks, "measured_mhz": mhz })
    });
    (!choices.is_empty()).then(|| list.collect())
}

/// Describes the choices on the page of a plan.
pub fn describe(page: &mut Page, geometry: &RecyclingGeometry) {
    let choices = choices(geometry);
    if choices.is_empty() {
        return;
    }
    let list = choices.iter().map(|(latency, clocks, mhz)| {
        let own = if *latency == geometry.latency() {
            " (this one)"
        } else {
            ""
        };
        format!("\"{latency}\"{own} {clocks} clocks, {mhz:.0} MHz")
    });
    let list: Vec<String> = list.collect();
    page.briefly(format!(
        "\nLatency, target.latency: {}. The frequencies are those of the example lean on an ECP5 of the fastest grade, the least of its seeds; yours may differ.\n",
        list.join("; ")
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clocks_are_those_of_the_page_of_results() {
        let page = include_str!("../../../../hdl/docs/results.md");
        for (latency, mhz) in MEASURED_MHZ {
            let row = page
                .lines()
                .find(|line| line.starts_with(&format!("| `latency = \"{latency}\"` |")));
            let row = row.unwrap_or_else(|| panic!("{latency} has no row"));
            let seeds = row.split('|').nth(3).expect("a column of clocks");
            let seeds = seeds.split(',').map(|mhz| mhz.trim().parse::<f64>());
            let least = seeds.map(|mhz| mhz.expect("MHz")).fold(f64::MAX, f64::min);
            assert_eq!(least, *mhz, "{latency}");
        }
    }
}
