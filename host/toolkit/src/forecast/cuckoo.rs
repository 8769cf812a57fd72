//! Forecast of a sliding-window filter on cuckoo tables.

use super::line::{exact, line, Line};
use super::sliding::{
    add_common_warnings, alternatives, clocks, generations, space, wanted, why_generations,
    GenerationAlternative, SlidingForecast,
};
use super::UNLIKELY;
use super::{short, whole};
use crate::sizing::Sliding;
use crate::Error;
use bloomline_spec::{CuckooGeometry, Design, WindowTable, CUCKOO_PATIENCE_CLOCKS, CUCKOO_TABLES};
use bloomline_theory::sliding::{Displacement, SlidingFilter};
use bloomline_theory::{Accuracy, Figure, TheoryError};
use bloomline_verify::cuckoo_tables;
use bloomline_verify::text::percent;
use std::path::Path;

/// What the scan may take of a saturated stream where it has room, and what else is not predicted, as a share of its clocks.
const STALLS: f64 = 0.01;
/// Share of clocks in which the stream is held for the stash, above which a warning says so.
const HELD_TO_NAME: f64 = 0.02;

impl SlidingForecast {
    /// Predicts, on cuckoo tables.
    ///
    /// # Errors
    /// Sizes beyond what theory covers, which no legal geometry has.
    pub fn on_cuckoo_tables(
        file: &Path,
        geometry: &CuckooGeometry,
    ) -> Result<SlidingForecast, Error> {
        predict(geometry).map_err(|source| Error::Theory {
            file: file.to_owned(),
            source,
        })
    }
}

/// Clocks without items that a clear takes.
fn clear_clocks(geometry: &CuckooGeometry) -> u64 {
    u64::from(geometry.timing().retire_clocks) + geometry.rows() + 2
}

fn predict(geometry: &CuckooGeometry) -> Result<SlidingForecast, TheoryError> {
    let tables = cuckoo_tables(geometry).checked()?;
    let displacement = tables.displacement()?;
    let own = SlidingFilter::with_generations(
        geometry.window(),
        geometry.slack(),
        geometry.target_fpr(),
        geometry.generations().into(),
    )?;
    let mut lines = vec![
        line("fpr", "", &tables.mean_false_positive_rate()?),
        line("fpr_peak", "", &tables.peak_false_positive_rate()?),
        line(
            "fpr_peak_1pct",
            "",
            &tables.peak_rate_exceeded_by(UNLIKELY)?,
        ),
        line("fpr_most", "", &tables.greatest_false_positive_rate()?),
    ];
    lines.extend(window(geometry));
    lines.extend(space(
        geometry.window(),
        tables.bits(),
        "tables and stash, over n",
        &own,
    ));
    lines.push(exact(
        "table_load",
        tables.load(),
        "",
        "(c g + (g - 1)/2) / (4 B s): elements live on average over the cells of the tables",
    ));
    lines.extend(shares(&displacement));
    let held = tables.held(geometry.stash_limit())?;
    lines.extend(speed(geometry, &held));
    let mut warnings = Vec::new();
    if held.value > HELD_TO_NAME {
        warnings.push(format!(
            "a stream without idle cycles is held in about {} of the clock cycles, since more than {} entries of the stash are used then; \
             more filter.sliding.stash_cells, more generations or more cells in the tables hold it less often",
            percent(held.value),
            geometry.stash_limit()
        ));
    }
    if !geometry.scan_has_room() {
        warnings.push(format!(
            "filter.sliding.generation_bits = {} lets a table be {} elements ahead of its scan: a saturated stream may be held for it in several of 100 \
             clock cycles; leave filter.sliding.generation_bits out, or take one more",
            geometry.generation_bits(),
            geometry.scan_room()
        ));
    }
    add_common_warnings(
        &mut warnings,
        &Design::from(geometry),
        &lines,
        geometry.window(),
    );
    let alternatives = alternatives(alternative(geometry), &asked(geometry), |spec| {
        spec.cuckoo().ok().as_ref().map(alternative)
    });
    Ok(SlidingForecast {
        reasons: reasons(geometry, &displacement, &alternatives, &own.useful_slack()),
        lines,
        warnings,
        alternatives,
    })
}

/// Window and generations.
fn window(geometry: &CuckooGeometry) -> Vec<Line> {
    let sizes = (
        geometry.window(),
        geometry.generations(),
        geometry.generation_items(),
    );
    let chosen = "c: given, or that with the least memory of the tables whose n' - n is at most m";
    let live = "n' = (c + 1) g: no element further back is seen, but by an equal identity";
    let mut lines = Vec::from(generations(sizes, chosen, live));
    lines.extend([
        exact(
            "peak_live_items",
            geometry.peak_live_items() as f64,
            "elements",
            "c g + 9 g / 16, rounded up: the most that are expected live at a time, since an eighth of the elements expires every g/8 elements",
        ),
        exact(
            "generation_values",
            geometry.generation_values().into(),
            "",
            "2^generation_bits - 1: ages are told apart until the scan comes round, and one code extends the fingerprints",
        ),
    ]);
    lines
}

/// What full rows cause.
fn shares(displacement: &Displacement) -> [Line; 3] {
    const LIMIT: &str = "in the limit of many rows, ages within a row neglected; no bound";
    let share = |key, unit, of: &str, figure: &Figure| {
        let figure = Figure {
            formula: format!("{of}: {}; {LIMIT}", figure.formula),
            ..figure.clone()
        };
        line(key, unit, &figure)
    };
    [
        share(
            "full_rows",
            "",
            "share of rows that are full",
            &displacement.full_rows,
        ),
        share(
            "stashed",
            "",
            "share of insertions that find their four rows full",
            &displacement.stashed,
        ),
        share(
            "moves",
            "moves",
            "moves from the stash into a row, per insertion",
            &displacement.moves,
        ),
    ]
}

/// Speed, latency, and what the scan and a clear take.
fn speed(geometry: &CuckooGeometry, held: &Figure) -> Vec<Line> {
    // what the stash holds is known to a factor alone
    let error = STALLS + held.accuracy.relative_error * held.value;
    let accuracy = match geometry.scan_has_room() {
        true => Accuracy::approximation(error),
        false => held.accuracy,
    };
    let rate = 1.0 - held.value;
    let entries = Figure {
        formula: format!(
            "share of clocks of a saturated stream in which more than {} entries of the stash are used: {}; within a factor of ten",
            geometry.stash_limit(),
            held.formula
        ),
        ..held.clone()
    };
    let items = "1 - held, of a saturated stream of distinct elements; holding for the scan (none measured for the example recent) is left out";
    let mut lines = vec![
        exact(
            "scan_quota",
            geometry.scan_quota() as f64,
            "elements",
            "q: elements that the scan of a row pays for, 7 (2^generation_bits - c - 3) g / (8 B), rounded down",
        ),
        line("held", "", &entries),
        line("items_per_clock", "items", &Figure::new(rate, items, accuracy)),
    ];
    lines.extend(clocks(
        &Design::from(geometry),
        accuracy,
        rate,
        clear_clocks(geometry),
        "retire_clocks + B + 2 without items: every row is gone through",
    ));
    lines
}

fn alternative(geometry: &CuckooGeometry) -> GenerationAlternative {
    let generations = (geometry.generations(), geometry.generation_items());
    let elements = (geometry.window(), geometry.live_items());
    GenerationAlternative::of(generations, elements, cuckoo_tables(geometry).bits())
}

fn asked(geometry: &CuckooGeometry) -> Sliding {
    wanted(
        geometry.window(),
        geometry.slack(),
        geometry.target_fpr(),
        WindowTable::Cuckoo,
    )
}

fn reasons(
    geometry: &CuckooGeometry,
    displacement: &Displacement,
    alternatives: &[GenerationAlternative],
    useful_slack: &Figure,
) -> Vec<(&'static str, String)> {
    let why = why_generations(
        geometry.generations(),
        (geometry.slack(), geometry.live_items() - geometry.window()),
        "With the tables that it takes, that costs",
        alternatives,
        useful_slack,
    );
    let mut tables = "filter.sliding.table = \"cuckoo\" stores the window in the least memory, and its scan takes no clock cycle from the stream.".to_owned();
    if let Ok(bits) = asked(geometry).memory_bits_on(WindowTable::Buckets) {
        tables += &format!(
            " Tables of buckets take {} bits for the same window, slack and rate, {:.2} times as many as these {}.",
            whole(bits as f64),
            bits as f64 / geometry.memory_bits() as f64,
            whole(geometry.memory_bits() as f64),
        );
    }
    tables += &format!(
        " A parity bit of memory words exists only there. {CUCKOO_TABLES} tables of {} rows of {} cells are filled to {:.0} % on average; {} \
         of the insertions find their four rows full and go to the stash of {} cells, from where {} moves an insertion make room beside the stream. \
         Where the stash could fill, the stream is held, for {} clocks at most; LOST counts elements that find it full after that.",
        whole(geometry.rows() as f64),
        geometry.row_cells(),
        100.0 * cuckoo_tables(geometry).load(),
        short(displacement.stashed.value),
        geometry.stash_cells(),
        short(displacement.moves.value),
        whole(f64::from(CUCKOO_PATIENCE_CLOCKS)),
    );
    vec![("generations", why), ("tables", tables)]
}

#[cfg(test)]
mod tests {
    use super::super::sliding::tests::clocks_of_a_clear;
    use super::*;
    use bloomline_model::{CuckooPipelineModel, Inputs};
    use bloomline_spec::{FilterSpec, CUCKOO_EXAMPLES, CUCKOO_LOAD_LIMITS};

    fn example() -> CuckooGeometry {
        let (file, text) = CUCKOO_EXAMPLES[0];
        let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
        spec.cuckoo().expect("an example")
    }

    #[test]
    fn a_clear_takes_the_clocks_that_are_predicted() {
        let geometry = example();
        assert_eq!(
            clocks_of_a_clear(&Design::from(&geometry)),
            clear_clocks(&geometry)
        );
    }

    /// Windows of many sizes, the tables as full as they may be and less so, under a saturated stream of distinct elements.
    #[test]
    fn saturated_streams_keep_the_rate_that_is_said() {
        const CLOCKS: u64 = 60_000;
        let mut checked = 0;
        for (window, stash) in [64, 100, 150, 260, 400, 510, 750, 1_000, 2_100, 5_300]
            .into_iter()
            .flat_map(|window| [(window, 20), (window, 24), (window, 56)])
        {
            let text = format!(
                "name = \"window\"\n[filter]\nkind = \"sliding\"\nmemory_bits = 1\nhashes = 1\nhashing = \"independent\"\n[filter.sliding]\n\
                 table = \"cuckoo\"\nwindow = {window}\nslack = {}\ntarget_fpr = 0.01\nstash_cells = {stash}\n[key]\nbits = 64\n",
                window / 3 + 20,
            );
            let mut spec =
                FilterSpec::from_toml(&text, Path::new("window.toml")).expect("it reads");
            let Ok(bits) = spec.cuckoo_memory_bits() else {
                continue;
            };
            spec.filter.memory_bits = bits;
            let Ok(geometry) = spec.cuckoo() else {
                continue;
            };
            let mut model = CuckooPipelineModel::new(&geometry);
            let mut inputs = Inputs {
                s_item_tvalid: true,
                s_item_tuser: 2,
                m_verdict_tready: true,
                ..Inputs::default()
            };
            let start = CLOCKS / 4;
            let mut taken = 0;
            for clock in 0..start + CLOCKS {
                let accepted = model.outputs().s_item_tready;
                model.clock(&inputs);
                inputs.s_item_tdata[0] += u64::from(accepted);
                taken += u64::from(accepted && clock >= start);
            }
            let measured = taken as f64 / CLOCKS as f64;
            let held = cuckoo_tables(&geometry)
                .held(geometry.stash_limit())
                .expect("legal");
            let said = speed(&geometry, &held)
                .into_iter()
                .find(|line| line.key == "items_per_clock")
                .expect("a rate");
            let error = said.accuracy.relative_error * said.value;
            assert!(
                (measured - said.value).abs() <= error,
                "{text}{measured} measured, {} +- {error} said",
                said.value
            );
            checked += 1;
        }
        assert!(checked > 20, "{checked}");
    }

    #[test]
    fn at_the_greatest_loads_about_a_quarter_of_the_elements_cause_a_move() {
        for (row_cells, limit) in CUCKOO_LOAD_LIMITS {
            let rows = 1u64 << 18;
            let generations = 16;
            let live = limit * CUCKOO_TABLES as u64 * rows * u64::from(row_cells) / 1000;
            let tables = bloomline_theory::sliding::CuckooTables {
                generations,
                generation_items: 2 * live / (2 * generations + 1),
                rows,
                row_cells,
                ..cuckoo_tables(&example())
            };
            let displacement = tables.displacement().expect("legal");
            let moves = displacement.moves.value;
            assert!((0.25..0.3).contains(&moves), "{row_cells} cells: {moves}");
            let stashed = displacement.stashed.value;
            assert!(
                (0.08..0.095).contains(&stashed),
                "{row_cells} cells: {stashed}"
            );
        }
    }

    #[test]
    fn identities_of_theory_and_specification_are_as_many() {
        let geometry = example();
        let tables = cuckoo_tables(&geometry);
        assert_eq!(tables.fingerprints(), geometry.fingerprints());
        assert_eq!(tables.rows * tables.fingerprints(), geometry.range());
        let bits = tables.bits() - u64::from(geometry.stash_cells()) * (10 + 15 + 4 + 2);
        assert_eq!(bits, geometry.memory_bits());
        let peak = geometry.peak_live_items() as f64;
        assert!((peak - 3.0..=peak).contains(&tables.peak_live()));
        let rate = tables.peak_false_positive_rate().expect("legal").value;
        assert!(rate <= geometry.target_fpr());
        let same = asked(&geometry).memory_bits_on(WindowTable::Cuckoo);
        assert_eq!(same.expect("legal"), geometry.memory_bits());
    }
}
