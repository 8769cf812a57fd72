//! The smallest recycling filter that can be built.

use super::{specification, Built, Form};
use crate::sizing::{Recycling, Sheet, SizeError};
use bloomline_spec::{FilterKind, Hashing, RecycleOn, RecycleSection, Threshold};
use bloomline_theory::sizing::{self, On};

/// Least bits of a partition that can be built.
const LEAST_PARTITION: u64 = 128;

impl Recycling {
    /// The smallest filter with partitions of a power of two, at one item a clock; `paper` also solves for the memory that partitions of
    /// any size would take.
    ///
    /// # Errors
    /// [`SizeError`], with the nearest there is where nothing meets the wants.
    pub fn built(self, form: &Form, paper: bool) -> Result<Built, SizeError> {
        let mut wants = Sheet::new("Recycling filter: recent keys, forgotten in cycles");
        if let Some(memory) = self.memory {
            wants = wants.whole("most_bits", memory, "bits", "given");
        }
        if let Some(rate) = self.rate {
            wants = wants.given("target_fpr", rate);
        }
        if let Some(messages) = self.messages {
            wants = wants.given("least_messages", messages);
        }
        let any = Recycling {
            any_partition: true,
            ..self.clone()
        };
        let any = match paper && self.memory.is_none() {
            true => Some(any.sheet()?),
            false => None,
        };
        let (given, rate, memory) = (self.threshold, self.rate, self.memory);
        let found = self.design()?.chosen;
        let params = &found.params;
        let partition = params.memory_bits / u64::from(params.phases * params.hashes);
        if let (true, Some(memory)) = (partition < LEAST_PARTITION, memory) {
            return Err(SizeError::SmallMemory { memory });
        }
        let enlarged = partition.max(LEAST_PARTITION) * u64::from(params.phases * params.hashes);
        let mut spec = specification(form, FilterKind::Recycling, enlarged, params.hashes)?;
        spec.filter.hashing = match params.hashing {
            sizing::Hashing::Independent => Hashing::Independent,
            sizing::Hashing::Double => Hashing::Double,
        };
        spec.filter.recycle = Some(RecycleSection {
            phases: params.phases.into(),
            on: match params.on {
                On::BitsSet => RecycleOn::BitsSet,
                On::Messages => RecycleOn::Messages,
            },
            threshold: match rate {
                Some(_) if given.is_none() => Threshold::Auto,
                _ => Threshold::Fixed(params.threshold),
            },
            target_fpr: rate,
            retain: params.retain,
            max_age_ms: 0,
        });
        let shown = [
            "fpr_average",
            "fpr_worst_case",
            "two_hash_excess",
            "messages_per_cycle",
        ];
        let built = Built::new(spec, wants, &shown, any.as_ref())?;
        let sheet = match &found.false_negatives {
            Some(missed) => built
                .sheet
                .clone()
                .figure("false_negative_rate", missed, ""),
            None => built.sheet.clone(),
        };
        let threshold = built
            .filter
            .design()
            .threshold()
            .unwrap_or(params.threshold);
        let sheet = sheet.whole("threshold", threshold, "", "solved, or given");
        Ok(Built { sheet, ..built })
    }
}
