//! Plan section about what is built beside the filter itself, and what each part takes.

use super::Page;
use crate::forecast::whole;
use bloomline_spec::{CounterWidth, Design, Erase};
use serde_json::{json, Value};

/// LUT4 sites of the example `lean` on LFE5UM5G-45F, placed by nextpnr: `hdl/docs/results.md` has the command.
pub(super) const FULL: u32 = 2_514;
const WITH_SHORT_COUNTERS: u32 = 2_357;
const WITHOUT_COUNTERS: u32 = 2_131;
const LEAST: u32 = 1_763;
const THRESHOLD: u32 = 1_702;
const NONE_WITHOUT_QUEUE: u32 = 1_333;

/// Whether the plan speaks of them: where something is left out, and of every filter with a spare half, which is chosen for little logic.
fn matter(design: &Design) -> bool {
    let spare_half = design
        .recycling()
        .is_some_and(|geometry| geometry.erase() == Erase::SpareHalf);
    let width = design.counter_width();
    let chosen_queue = design.chose_verdict_queue();
    spare_half || chosen_queue || !design.left_out().is_empty() || width != CounterWidth::default()
}

/// What the specification chose.
pub fn as_json(design: &Design) -> Option<Value> {
    let chosen = json!({
        "registers": design.register_set(),
        "counters": design.counter_width(),
        "array_access": design.array_access(),
        "max_age": design.has_max_age(),
        "verdict_queue": design.timing().verdict_queue_depth,
    });
    matter(design).then_some(chosen)
}

/// What the specification chose, and the price of the parts.
pub fn describe(page: &mut Page, design: &Design) {
    if !matter(design) {
        return;
    }
    let counters = match design.counter_width() {
        CounterWidth::None => "no counters".to_owned(),
        built => format!("counters of {} bits", built.bits()),
    };
    let left_out = match design.left_out().as_slice() {
        [] => "nothing left out".to_owned(),
        parts => format!("not built: {}", parts.join(", ")),
    };
    let queue = match design.timing().verdict_queue_depth {
        0 => "no verdict queue".to_owned(),
        depth => format!("a verdict queue of {depth}"),
    };
    page.briefly(format!(
        "\nFeatures: {counters}; {queue}; {left_out}. In the example lean, measured on an ECP5, everything takes {} LUT4 sites, with 32-bit counters \
         {}, without counters {}, {} without counters, array access and maximum age, {} with \
         registers = \"threshold\" and no maximum age, and {} with neither registers nor verdict queue.\n",
        whole(FULL.into()),
        whole(WITH_SHORT_COUNTERS.into()),
        whole(WITHOUT_COUNTERS.into()),
        whole(LEAST.into()),
        whole(THRESHOLD.into()),
        whole(NONE_WITHOUT_QUEUE.into())
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prices_are_those_of_the_page_of_results() {
        let page = include_str!("../../../../hdl/docs/results.md");
        let rows = [
            ("everything", FULL),
            ("`counters = 32`", WITH_SHORT_COUNTERS),
            ("`counters = \"none\"`", WITHOUT_COUNTERS),
            (
                "`counters = \"none\"`, `array_access = false`, `max_age = false`",
                LEAST,
            ),
            ("`registers = \"threshold\"`, `max_age = false`", THRESHOLD),
            (
                "`registers = \"none\"`, `verdict_queue = 0`",
                NONE_WITHOUT_QUEUE,
            ),
        ];
        for (features, sites) in rows {
            let row = page
                .lines()
                .find(|line| line.starts_with(&format!("| {features} |")));
            let sites = format!("| {} |", whole(f64::from(sites)));
            assert!(
                row.is_some_and(|row| row.contains(&sites)),
                "{features}: {sites} in {row:?}"
            );
        }
    }
}
