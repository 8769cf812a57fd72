//! Rules for what is built beside the filter itself.

use super::{words_needed, Rules};
use crate::error::SpecError;
use crate::specification::FilterSpec;
use crate::values::{CounterWidth, EraseSetting, FilterKind, Parity};

/// What is built beside the filter itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Features {
    pub counters: CounterWidth,
    /// True for kinds without an array, too.
    pub array_access: bool,
    /// True for kinds without halves, too.
    pub max_age: bool,
}

impl Rules<'_> {
    /// `[features]`, as far as the kind has what it names and nothing else asks for what it leaves out.
    pub fn features(&self, spec: &FilterSpec) -> Result<Features, SpecError> {
        let section = spec.features();
        self.counter_width(spec, section.counters)?;
        if let Some(access) = section.array_access {
            self.array_access(spec, access)?;
        }
        if let Some(max_age) = section.max_age {
            self.max_age(spec, max_age)?;
        }
        Ok(Features {
            counters: section.counters,
            array_access: section.array_access.unwrap_or(true),
            max_age: section.max_age.unwrap_or(true),
        })
    }

    /// Errors that are counted need a counter.
    fn counter_width(&self, spec: &FilterSpec, width: CounterWidth) -> Result<(), SpecError> {
        if width.is_built() {
            return Ok(());
        }
        let (rule, advice) = if spec.parity() == Parity::Count {
            (
                "leaves no counter for the wrong words that memory.parity = \"count\" counts",
                "use 32, or memory.parity = \"empty\" or \"none\"",
            )
        } else if spec.ecc() {
            (
                "leaves no counter for the words that memory.ecc corrects, and a memory that wears out would not be seen",
                "use 32, or leave out memory.ecc",
            )
        } else if spec.self_check() {
            (
                "leaves no counter for the restarts of protection.self_check, which nobody would see",
                "use 32, or leave out protection.self_check",
            )
        } else {
            return Ok(());
        };
        Err(self.broken("features.counters", width, rule, advice))
    }

    /// Access to the array can be left out where it is logic of its own.
    fn array_access(&self, spec: &FilterSpec, access: bool) -> Result<(), SpecError> {
        const KEY: &str = "features.array_access";
        let kind = spec.filter.kind;
        if !kind.has_array() {
            let rule = format!(
                "belongs to filters whose array a host can read; filter.kind = \"{kind}\" has no access to its tables"
            );
            return Err(self.broken(KEY, access, rule, "leave it out"));
        }
        let words = match spec.erase() {
            EraseSetting::Epoch => true,
            EraseSetting::Auto => words_needed(spec).is_some(),
            EraseSetting::SpareHalf | EraseSetting::InPlace => false,
        };
        if words && !access {
            let reason = "filters of memory words with epochs read and write a word for the host on the way of an item, and have no pipeline without it yet";
            let advice = match kind {
                FilterKind::Recycling => "leave it out, or use memory.erase = \"spare-half\"",
                FilterKind::Static => "leave it out, or use memory.erase = \"in-place\"",
                _ => "leave it out",
            };
            return Err(self.unsupported(KEY, access, reason, advice));
        }
        Ok(())
    }

    /// Only halves have an age, and a limit that the specification sets needs its timer.
    fn max_age(&self, spec: &FilterSpec, max_age: bool) -> Result<(), SpecError> {
        const KEY: &str = "features.max_age";
        let Some(recycle) = &spec.filter.recycle else {
            let rule = format!(
                "belongs to filter.kind = \"recycling\", whose halves grow old; filter.kind = \"{}\" has none",
                spec.filter.kind
            );
            return Err(self.broken(KEY, max_age, rule, "leave it out"));
        };
        if !max_age && recycle.max_age_ms > 0 {
            let rule = format!(
                "leaves out the timer that filter.recycle.max_age_ms = {} needs",
                recycle.max_age_ms
            );
            return Err(self.broken(KEY, max_age, rule, "use true, or max_age_ms = 0"));
        }
        Ok(())
    }
}
