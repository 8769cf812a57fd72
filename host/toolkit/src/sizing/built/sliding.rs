//! The sliding-window filter as the gateware has it.

use super::{specification, Built, Form};
use crate::sizing::{Sheet, SizeError, Sliding};
use bloomline_spec::{FilterKind, SlidingSection};

impl Sliding {
    /// The tables that the gateware takes for window, slack and rate.
    ///
    /// # Errors
    /// [`SizeError`], for wants that no tables meet.
    pub fn built(self, form: &Form) -> Result<Built, SizeError> {
        let paper = self.clone().sheet()?;
        let wants = Sheet::new("Sliding-window filter: the last elements, always")
            .whole("window", self.window, "elements", "given")
            .whole("slack", self.slack, "elements", "given")
            .given("target_fpr", self.rate);
        let mut spec = specification(form, FilterKind::Sliding, 0, 2)?;
        spec.filter.sliding = Some(SlidingSection {
            window: self.window,
            slack: self.slack,
            target_fpr: self.rate,
            generations: self.generations,
            front_buckets: None,
            back_buckets: None,
            bucket_cells: None,
            store_cells: None,
            fingerprint_bits: None,
            generation_bits: None,
            accept_overflow: false,
        });
        spec.filter.memory_bits = spec.sliding_memory_bits()?;
        let shown = [
            "fpr",
            "fpr_peak",
            "generations",
            "slack_used",
            "bits_per_element",
            "lower_bound_bits_per_element",
        ];
        Built::new(spec, wants, &shown, Some(&paper))
    }
}
