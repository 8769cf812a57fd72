use super::{Sheet, SizeError};
use bloomline_spec::WindowTable;
use bloomline_theory::sliding::{Deletion, SlidingFilter};

/// What is wanted of a filter; what is not given is solved for.
#[derive(Debug, Clone, PartialEq)]
pub struct Sliding {
    /// Elements n that always answer yes: the last ones.
    pub window: u64,
    /// Elements m before the window that may answer either way [default: no limit, which as many as the window say as well].
    pub slack: Option<u64>,
    /// Largest rate eps of a yes for any other element.
    pub rate: f64,
    /// Generations c that make up a window [default: those with the fewest bits].
    pub generations: Option<u64>,
    /// How the elements are stored; the papers' numbers know one way.
    pub table: WindowTable,
}

impl Sliding {
    /// Elements before the window that may answer either way, and where the number comes from.
    pub(super) fn slack(&self) -> (u64, &'static str) {
        match self.slack {
            Some(slack) => (slack, "given"),
            None => (self.window, "no limit, which m = n says as well"),
        }
    }

    /// Solves for generations, cells and bits.
    pub fn sheet(self) -> Result<Sheet, SizeError> {
        SizeError::unless_share("rate", Some(self.rate))?;
        let (slack, slack_source) = self.slack();
        let filter = match self.generations {
            Some(generations) => {
                SlidingFilter::with_generations(self.window, slack, self.rate, generations)?
            }
            None => SlidingFilter::new(self.window, slack, self.rate)?,
        };
        let deletion = Deletion::TwoCellsAStep;
        let source = if self.generations.is_some() {
            "given"
        } else {
            "fewest bits with n/c <= m"
        };
        let per_element = |figure: bloomline_theory::Figure| bloomline_theory::Figure {
            value: figure.value / self.window as f64,
            ..figure
        };
        Ok(Sheet::new(
            "sliding-window filter: fingerprints with generation numbers, two cells scanned a step",
        )
        .whole("window", self.window, "elements", "given")
        .whole("slack", slack, "elements", slack_source)
        .given("target_fpr", self.rate)
        .whole(
            "generations_a_window",
            filter.generations_a_window(),
            "",
            source,
        )
        .whole(
            "generation_items",
            filter.generation_items(),
            "elements",
            "n/c rounded up",
        )
        .whole(
            "slack_used",
            filter.slack_used(),
            "elements",
            "capacity - n",
        )
        .figure("useful_slack", &filter.useful_slack(), "elements")
        .whole(
            "generation_values",
            filter.generation_values(deletion),
            "",
            "SBF 2.4: 2c + 3",
        )
        .whole(
            "capacity",
            filter.capacity(),
            "cells",
            "(c + 1) generations",
        )
        .derived("hash_range", filter.range(), "n'/eps rounded up")
        .figure("fpr_bound", &filter.union_bound(), "")
        .figure("bits", &filter.bits(), "bits")
        .figure("bits_per_element", &per_element(filter.bits()), "bits")
        .figure(
            "table_bits_per_element",
            &per_element(filter.table_bits(deletion)),
            "bits",
        )
        .figure(
            "lower_bound_bits_per_element",
            &per_element(filter.lower_bound_bits()),
            "bits",
        ))
    }
}
