//! Forecast of a sliding-window filter, and what it has in common on both kinds of tables.

use super::line::{chosen_keys, exact, few_keys, line, Line, LINEAR_HASH};
use super::{path, queue, short, whole};
use crate::sizing::{Form, Sliding};
use crate::Error;
use bloomline_spec::{Design, FilterSpec, HashFamily, SlidingGeometry, WindowTable};
use bloomline_theory::sliding::{Deletion, Dictionary, Overflow, SlidingFilter};
use bloomline_theory::{Accuracy, Figure, TheoryError};
use bloomline_verify::dictionary;
use serde::Serialize;
use std::path::Path;

/// Insertions lost, as a share, above which a warning says so: what a specification promises unless it accepts overflow.
const LOST_TO_NAME: f64 = 1e-12;
/// Generations of the alternatives, besides the specification's own.
const ALTERNATIVES: std::ops::RangeInclusive<u64> = 1..=16;

/// The same window, slack and rate with another number of generations.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GenerationAlternative {
    /// Whether this is the specification's own number.
    pub own: bool,
    /// Generations, c.
    pub generations: u64,
    /// Elements of a generation, g.
    pub generation_items: u64,
    /// Elements behind the window that may still be seen.
    pub slack_used: u64,
    /// Elements live at most, n'.
    pub live_items: u64,
    /// Bits an element of the window: those of the tables, and of the store or stash beside them.
    pub bits_per_element: f64,
}

impl GenerationAlternative {
    /// Of so many generations of so many elements, a window and the elements live at most, and the bits of all tables.
    pub(super) fn of(
        (generations, generation_items): (u32, u64),
        (window, live_items): (u64, u64),
        bits: u64,
    ) -> GenerationAlternative {
        GenerationAlternative {
            own: false,
            generations: generations.into(),
            generation_items,
            slack_used: live_items - window,
            live_items,
            bits_per_element: bits as f64 / window as f64,
        }
    }
}

/// Every predicted number of a sliding-window filter.
#[derive(Debug, Clone, PartialEq)]
pub struct SlidingForecast {
    pub(super) lines: Vec<Line>,
    pub(super) warnings: Vec<String>,
    pub(super) alternatives: Vec<GenerationAlternative>,
    pub(super) reasons: Vec<(&'static str, String)>,
}

impl SlidingForecast {
    /// Predicts, on tables of buckets.
    ///
    /// # Errors
    /// Sizes beyond what theory covers, which no legal geometry has.
    pub fn of(file: &Path, geometry: &SlidingGeometry) -> Result<SlidingForecast, Error> {
        predict(geometry).map_err(|source| Error::Theory {
            file: file.to_owned(),
            source,
        })
    }

    /// The numbers, in the order to show them.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// What the user should know before building this.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The same window with other numbers of generations.
    pub fn alternatives(&self) -> &[GenerationAlternative] {
        &self.alternatives
    }

    /// Why the filter is as it is, a sentence or two each.
    pub fn reasons(&self) -> &[(&'static str, String)] {
        &self.reasons
    }
}

/// Clocks without items that a clear takes.
fn clear_clocks(geometry: &SlidingGeometry) -> u64 {
    u64::from(geometry.timing().retire_clocks) + geometry.front_buckets() + 2
}

fn predict(geometry: &SlidingGeometry) -> Result<SlidingForecast, TheoryError> {
    let dictionary = dictionary(geometry).checked()?;
    let overflow = dictionary.overflow(geometry.live_items())?;
    let own = SlidingFilter::with_generations(
        geometry.window(),
        geometry.slack(),
        geometry.target_fpr(),
        geometry.generations().into(),
    )?;
    let mut lines = rates(geometry, &dictionary)?;
    lines.extend(window(geometry));
    lines.extend(space(
        geometry.window(),
        dictionary.bits(geometry.generation_bits()),
        "both tables and the store, over n",
        &own,
    ));
    lines.push(load(geometry));
    lines.extend(shares(&dictionary, &overflow)?);
    lines.extend(speed(geometry));
    let mut warnings = Vec::new();
    if overflow.lost.value > LOST_TO_NAME {
        warnings.push(format!(
            "these tables lose up to {} of the insertions (filter.sliding.accept_overflow = true); a lost element may be forgotten \
             inside the window, LOST counts them",
            short(overflow.lost.value)
        ));
    }
    add_common_warnings(
        &mut warnings,
        &Design::from(geometry),
        &lines,
        geometry.window(),
    );
    let alternatives = alternatives(alternative(geometry), &asked(geometry), |spec| {
        spec.sliding().ok().as_ref().map(alternative)
    });
    Ok(SlidingForecast {
        reasons: reasons(
            geometry,
            (&dictionary.mean_to_back()?, &overflow),
            &alternatives,
            &own.useful_slack(),
        ),
        lines,
        warnings,
        alternatives,
    })
}

/// False positives, outside window and slack.
fn rates(geometry: &SlidingGeometry, dictionary: &Dictionary) -> Result<Vec<Line>, TheoryError> {
    let mean = dictionary.mean_false_positive_rate()?;
    let peak = dictionary.false_positive_rate(geometry.live_items())?;
    let peak = Figure {
        formula: format!(
            "with n' distinct elements live, the most there are: {}",
            peak.formula
        ),
        ..peak
    };
    let most = dictionary.greatest_false_positive_rate(geometry.live_items())?;
    Ok(vec![
        line("fpr", "", &mean),
        line("fpr_peak", "", &peak),
        line("fpr_most", "", &most),
    ])
}

/// Warnings of every sliding-window filter: what whoever sends frames can do first, what a linear hash does last.
pub(super) fn add_common_warnings(
    warnings: &mut Vec<String>,
    design: &Design,
    lines: &[Line],
    window: u64,
) {
    warnings.extend(queue::warning(&design.timing()));
    let what = format!("filter.sliding.window = {window}");
    warnings.extend(few_keys(design, &what, window as f64));
    warnings.extend(path::warnings(design, lines));
    warnings.splice(0..0, chosen_keys(design));
    if design.family() == HashFamily::H3 {
        warnings.push(LINEAR_HASH.to_owned());
    }
}

/// Window and generations: how the number of generations was chosen, and what `live_items` are.
pub(super) fn generations(
    (window, generations, generation_items): (u64, u32, u64),
    chosen: &str,
    live_items: &str,
) -> [Line; 4] {
    let live = (u64::from(generations) + 1) * generation_items;
    [
        exact("generations", generations.into(), "", chosen),
        exact(
            "generation_items",
            generation_items as f64,
            "elements",
            "SBF 2.3: g = n/c, rounded up",
        ),
        exact(
            "live_items",
            live as f64,
            "elements",
            live_items,
        ),
        exact(
            "slack_used",
            (live - window) as f64,
            "elements",
            "n' - n: elements so far behind the window may be seen, of the m that may; d back with probability \
             min(1, ((c + 1) g - d) / g) over the place in the generation",
        ),
    ]
}

fn window(geometry: &SlidingGeometry) -> Vec<Line> {
    let sizes = (
        geometry.window(),
        geometry.generations(),
        geometry.generation_items(),
    );
    let chosen = "c: given, or that with the least memory of the tables whose n' - n is at most m and whose scan interval is 8 or more";
    let live = "SBF 2.3: n' = (c + 1) g, the most that are live";
    let mut lines = Vec::from(generations(sizes, chosen, live));
    lines.push(exact(
        "generation_values",
        f64::from(geometry.generation_bits()).exp2(),
        "",
        "2^generation_bits, where SBF 2.4 takes 2c + 3: ages are told apart until the scan comes round",
    ));
    lines
}

/// Bits, beside the least and beside a plain table.
pub(super) fn space(window: u64, bits: u64, counted: &str, own: &SlidingFilter) -> [Line; 4] {
    let n = window as f64;
    let per_element = |figure: Figure| Figure {
        value: figure.value / n,
        formula: format!("{}, over n", figure.formula),
        ..figure
    };
    [
        exact("bits_per_element", bits as f64 / n, "bits", counted),
        line(
            "lower_bound_bits_per_element",
            "bits",
            &per_element(own.lower_bound_bits()),
        ),
        line(
            "succinct_bits_per_element",
            "bits",
            &per_element(own.bits()),
        ),
        line(
            "plain_table_bits_per_element",
            "bits",
            &per_element(own.table_bits(Deletion::TwoCellsAStep)),
        ),
    ]
}

fn load(geometry: &SlidingGeometry) -> Line {
    let buckets = (geometry.front_buckets() + geometry.back_buckets()) as f64;
    exact(
        "table_load",
        geometry.live_items() as f64 / (buckets * f64::from(geometry.bucket_cells())),
        "",
        "n' over the cells of both tables: the most that are live",
    )
}

/// Where insertions go. A generation ends at once, so more of its last insertions go on than of its first: the shares are means over whole
/// generations, and the first has a bound for any moment beside it.
fn shares(dictionary: &Dictionary, overflow: &Overflow) -> Result<[Line; 4], TheoryError> {
    let share = |key, figure: &Figure, of: &str, holds: &str| {
        let formula = format!("share of insertions{of}: {}{holds}", figure.formula);
        let figure = Figure {
            formula,
            ..figure.clone()
        };
        line(key, "", &figure)
    };
    // no mean that was simulated is above the share of a steady load of n', and with few generations it is far below
    let mean = |key, figure: &Figure| {
        let figure = Figure {
            accuracy: Accuracy::approximation(1.0),
            ..figure.clone()
        };
        let holds = "; with n' live all the time, which is more than generations give; no bound";
        share(key, &figure, ", mean over a generation", holds)
    };
    Ok([
        share("to_back", &dictionary.mean_to_back()?, "", ""),
        share(
            "to_back_most",
            &dictionary.most_to_back()?,
            " at any moment",
            " (this project)",
        ),
        mean("to_store", &overflow.to_store),
        mean("lost", &overflow.lost),
    ])
}

/// Items that a saturated stream of elements gets through in a clock.
pub(crate) fn items_per_clock(geometry: &SlidingGeometry) -> f64 {
    let interval = f64::from(geometry.scan_interval());
    interval / (interval + 1.0)
}

/// Speed, latency, and what the scan and a clear take.
fn speed(geometry: &SlidingGeometry) -> Vec<Line> {
    let interval = f64::from(geometry.scan_interval());
    let rate = items_per_clock(geometry);
    let mut lines = vec![
        exact(
            "scan_interval",
            interval,
            "elements",
            "most elements between two scans: 2^b0 interval <= (2^generation_bits - c - 2) g, at most 64",
        ),
        exact(
            "items_per_clock",
            rate,
            "items",
            "interval / (interval + 1) of a saturated stream of elements; 1 where one clock in interval + 1 is idle",
        ),
    ];
    lines.extend(clocks(
        &Design::from(geometry),
        Accuracy::exact(1e-12),
        rate,
        clear_clocks(geometry),
        "retire_clocks + 2^b0 + 2 without items: every bucket is gone through",
    ));
    lines
}

/// Items a second, latency, and what a clear takes, of a filter that takes `rate` items a clock.
pub(super) fn clocks(
    design: &Design,
    accuracy: Accuracy,
    rate: f64,
    clear_clocks: u64,
    clear: &str,
) -> [Line; 3] {
    let items = Figure::new(
        rate * design.clock_hz() as f64,
        "items_per_clock times target.clock_hz",
        accuracy,
    );
    [
        line("items_per_second", "items/s", &items),
        queue::latency(&design.timing(), "front_clocks + decision_stage"),
        exact("clear_clocks", clear_clocks as f64, "clocks", clear),
    ]
}

/// What was asked for with other numbers of generations, each with the tables that it takes, and the filter's own.
pub(super) fn alternatives(
    own: GenerationAlternative,
    asked: &Sliding,
    built: impl Fn(&FilterSpec) -> Option<GenerationAlternative>,
) -> Vec<GenerationAlternative> {
    let given = own.generations;
    let with = |generations| {
        let wanted = Sliding {
            generations: Some(generations),
            ..asked.clone()
        };
        built(&wanted.specification(&Form::default()).ok()?)
    };
    ALTERNATIVES
        .chain((given > *ALTERNATIVES.end()).then_some(given))
        .filter_map(|generations| match generations == given {
            true => Some(GenerationAlternative {
                own: true,
                ..own.clone()
            }),
            false => with(generations),
        })
        .collect()
}

fn alternative(geometry: &SlidingGeometry) -> GenerationAlternative {
    let generations = (geometry.generations(), geometry.generation_items());
    let elements = (geometry.window(), geometry.live_items());
    GenerationAlternative::of(
        generations,
        elements,
        dictionary(geometry).bits(geometry.generation_bits()),
    )
}

fn asked(geometry: &SlidingGeometry) -> Sliding {
    wanted(
        geometry.window(),
        geometry.slack(),
        geometry.target_fpr(),
        WindowTable::Buckets,
    )
}

fn reasons(
    geometry: &SlidingGeometry,
    (to_back, overflow): (&Figure, &Overflow),
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
    let mut tables = format!(
        "{} front buckets hold {:.2} live elements on average, at most, in {} cells each; {} of the insertions find theirs full and go \
         to {} back buckets, {} go on to the {} cells of the store, {} are lost. A specification is refused above 4.5 elements a \
         front bucket unless it accepts the loss.",
        whole(geometry.front_buckets() as f64),
        geometry.live_items() as f64 / geometry.front_buckets() as f64,
        geometry.bucket_cells(),
        short(to_back.value),
        whole(geometry.back_buckets() as f64),
        short(overflow.to_store.value),
        geometry.store_cells(),
        short(overflow.lost.value),
    );
    if let Ok(bits) = asked(geometry).memory_bits_on(WindowTable::Cuckoo) {
        tables += &format!(
            " The same window, slack and rate on cuckoo tables (filter.sliding.table = \"cuckoo\") take {} bits, where these have {}, \
             and an item in every clock cycle.",
            whole(bits as f64),
            whole(geometry.memory_bits() as f64),
        );
    }
    vec![("generations", why), ("tables", tables)]
}

/// What a filter is asked for, with its sizes left open.
pub(super) fn wanted(window: u64, slack: u64, rate: f64, table: WindowTable) -> Sliding {
    Sliding {
        window,
        slack: Some(slack),
        rate,
        generations: None,
        table,
    }
}

/// Why the number of generations is as it is: what it keeps of the slack, what it costs, and whether less slack would do.
pub(super) fn why_generations(
    generations: u32,
    (slack, slack_used): (u64, u64),
    costs: &str,
    alternatives: &[GenerationAlternative],
    useful_slack: &Figure,
) -> String {
    let mut why = format!(
        "c = {generations} keeps up to {} elements behind the window, of the {} that may be seen.",
        whole(slack_used as f64),
        whole(slack as f64),
    );
    let own = alternatives.iter().find(|alternative| alternative.own);
    let least = alternatives
        .iter()
        .min_by(|a, b| a.bits_per_element.total_cmp(&b.bits_per_element));
    if let (Some(own), Some(least)) = (own, least) {
        why += &format!(
            " {costs} {:.2} bits an element; the least is {:.2} with c = {}.",
            own.bits_per_element, least.bits_per_element, least.generations
        );
    }
    if slack as f64 > useful_slack.value {
        why += &format!(
            " A slack above n / log2(1/eps) = {} elements saves next to nothing: the least bits of any such filter stay the same (SBF).",
            whole(useful_slack.value.ceil())
        );
    }
    why
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use bloomline_model::{pipeline_model, ClockedModel, Inputs};
    use bloomline_spec::registers::{address, field};
    use bloomline_spec::{FilterSpec, SLIDING_EXAMPLES};

    /// Until a bit of the outputs shows; how many clocks that took.
    fn clocks_until(model: &mut dyn ClockedModel, inputs: Inputs, ready: bool) -> u64 {
        let mut clocks = 0;
        while model.outputs().s_item_tready != ready {
            model.clock(&inputs);
            clocks += 1;
        }
        clocks
    }

    /// Clocks for which `ready` is low after a clear, as the model has it.
    pub fn clocks_of_a_clear(design: &Design) -> u64 {
        let mut model = pipeline_model(design);
        clocks_until(&mut model, Inputs::default(), true);
        let write = Inputs {
            s_axil_awvalid: true,
            s_axil_wvalid: true,
            s_axil_awaddr: address::CONTROL as u8,
            s_axil_wdata: 1 << field::CONTROL_CLEAR,
            s_axil_wstrb: 15,
            s_axil_bready: true,
            ..Inputs::default()
        };
        while !model.outputs().s_axil_awready {
            model.clock(&write);
        }
        model.clock(&write);
        clocks_until(&mut model, Inputs::default(), false);
        clocks_until(&mut model, Inputs::default(), true)
    }

    #[test]
    fn a_clear_takes_the_clocks_that_are_predicted() {
        let (file, text) = SLIDING_EXAMPLES[0];
        let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
        let geometry = spec.sliding().expect("an example");
        assert_eq!(
            clocks_of_a_clear(&Design::from(&geometry)),
            clear_clocks(&geometry)
        );
    }

    /// The numbers of a window of 1000 elements on tables of buckets, or why there are none.
    fn of_sizes(rate: f64, sizes: &str) -> Result<SlidingForecast, String> {
        let text = format!(
            "name = \"window\"\n[filter]\nkind = \"sliding\"\nmemory_bits = 1\nhashes = 2\n[filter.sliding]\nwindow = 1000\nslack = 1000\n\
             target_fpr = {rate:?}\n{sizes}[key]\nbits = 104\n"
        );
        let file = Path::new("window.toml");
        let mut spec = FilterSpec::from_toml(&text, file).expect("it can be read");
        let bits = spec
            .sliding_memory_bits()
            .map_err(|error| error.to_string())?;
        spec.filter.memory_bits = bits;
        let geometry = spec.sliding().expect("legal");
        Ok(SlidingForecast::of(file, &geometry).expect("within the domain"))
    }

    #[test]
    fn fingerprints_are_as_long_as_the_printed_rate_needs_and_no_longer() {
        let mut refused = 0;
        for generations in [1, 2, 4, 8, 20] {
            for tables in [
                "",
                "front_buckets = 256\nback_buckets = 256\naccept_overflow = true\n",
            ] {
                for rate in [0.4, 0.1, 0.02, 0.01, 0.007, 0.005, 1e-3, 1e-5] {
                    let of = |fingerprint: u32| {
                        let sizes = format!("generations = {generations}\nfingerprint_bits = {fingerprint}\n{tables}");
                        of_sizes(rate, &sizes)
                    };
                    let Some((bits, accepted)) =
                        (4..24).find_map(|bits| Some((bits, of(bits).ok()?)))
                    else {
                        panic!("{generations} {rate}: no fingerprint will do");
                    };
                    let peak = |forecast: &SlidingForecast| {
                        let mut lines = forecast.lines().iter();
                        let line = lines.find(|line| line.key == "fpr_peak").expect("there");
                        (line.value, line.accuracy.relative_error)
                    };
                    let (value, error) = peak(&accepted);
                    assert!(value <= rate, "{generations} {rate} {tables}: {value}");
                    if bits > 4 {
                        // a bit less is twice the rate, which the stated error takes above what is allowed
                        refused += 1;
                        assert!(
                            2.0 * value * (1.0 + 2.0 * error) > rate,
                            "{generations} {rate} {tables}: {bits} bits, {value}"
                        );
                    }
                }
            }
        }
        assert!(refused > 60, "{refused}");
    }
}
