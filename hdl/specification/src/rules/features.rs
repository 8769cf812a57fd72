//! Rules for what is built beside the filter itself.

use super::{words_needed, Rules};
use crate::error::SpecError;
use crate::specification::FilterSpec;
use crate::timing::QueueNeed;
use crate::values::{CounterWidth, Erase, EraseSetting, HashFamily, Parity, RegisterSet};

/// What is built beside the filter itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Features {
    pub registers: RegisterSet,
    pub counters: CounterWidth,
    /// Whether the pipeline reads and writes words for a host. True for kinds without an array, too.
    pub array_access: bool,
    /// True for kinds without halves, too.
    pub max_age: bool,
    /// Places of the verdict queue, where they are not the usual ones.
    pub verdict_queue: Option<u32>,
}

/// Least and most places of a verdict queue that is built.
pub const VERDICT_QUEUE_DEPTHS: (u64, u64) = (8, 256);

impl Rules<'_> {
    /// `[features]`, as far as the kind has what it names and nothing else asks for what it leaves out.
    pub fn features(&self, spec: &FilterSpec) -> Result<Features, SpecError> {
        let section = spec.features();
        let registers = section.registers;
        let full = registers == RegisterSet::Full;
        self.register_set(spec, registers)?;
        if !section.counters.is_built() {
            self.needs_no_counters(spec, "features.counters", section.counters, "32")?;
        }
        if let Some(access) = section.array_access {
            self.array_access(spec, access)?;
        }
        if let Some(max_age) = section.max_age {
            self.max_age(spec, max_age)?;
        }
        Ok(Features {
            registers,
            counters: match full {
                true => section.counters,
                false => CounterWidth::None,
            },
            array_access: section
                .array_access
                .unwrap_or(full || spec.erase() == EraseSetting::Epoch),
            max_age: section.max_age.unwrap_or(
                registers != RegisterSet::None
                    || spec
                        .filter
                        .recycle
                        .as_ref()
                        .is_none_or(|recycle| recycle.max_age_ms > 0),
            ),
            verdict_queue: None,
        })
    }

    /// Places of the verdict queue, where they are not those that the pipeline would have anyway.
    pub fn verdict_queue(
        &self,
        spec: &FilterSpec,
        need: QueueNeed,
    ) -> Result<Option<u32>, SpecError> {
        let asked = self.asked_verdict_queue(spec, need)?;
        Ok(asked.filter(|&depth| depth != need.usual_depth))
    }

    /// Places of the verdict queue, where the specification says how many.
    pub fn asked_verdict_queue(
        &self,
        spec: &FilterSpec,
        need: QueueNeed,
    ) -> Result<Option<u32>, SpecError> {
        const KEY: &str = "features.verdict_queue";
        let Some(depth) = spec.features().verdict_queue else {
            return Ok(None);
        };
        if depth == 0 {
            self.no_verdict_queue(spec)?;
            return Ok(Some(0));
        }
        let (least, most) = VERDICT_QUEUE_DEPTHS;
        if !depth.is_power_of_two() || !(least..=most).contains(&depth) {
            let rule = format!("must be 0, or a power of two from {least} to {most}");
            let next = depth.clamp(least, most).next_power_of_two();
            return Err(self.broken(KEY, depth, rule, super::nearest(next)));
        }
        let depth = depth as u32;
        let least = need.least_for_full_rate();
        if !need.every_clock && depth < least {
            let rule = format!(
                "is less than the {least} places that this filter needs for its full rate, and what is left of the rate with less is known only for filters \
                 that take an item in every clock cycle"
            );
            return Err(self.broken(KEY, depth, rule, format!("use {least}, or leave it out")));
        }
        Ok(Some(depth))
    }

    /// Without a queue the sink is always ready: not what stands around the filter in a card, nor what a self-check looks at.
    fn no_verdict_queue(&self, spec: &FilterSpec) -> Result<(), SpecError> {
        const KEY: &str = "features.verdict_queue";
        if spec.card.is_some() {
            let rule = "has no back-pressure, and the item port of a [card] hands the stream's verdicts to a sink that may hold them, between those of the host";
            return Err(self.broken(
                KEY,
                0,
                rule,
                "use 8 or more, or leave out [card] and [packet]",
            ));
        }
        if spec.self_check() {
            let rule = "leaves no queue for protection.self_check to check and to restart";
            return Err(self.broken(
                KEY,
                0,
                rule,
                "use 8 or more, or leave out protection.self_check",
            ));
        }
        Ok(())
    }

    /// Whatever stands around the filter or in it must do without the registers that are left out.
    fn register_set(&self, spec: &FilterSpec, set: RegisterSet) -> Result<(), SpecError> {
        const KEY: &str = "features.registers";
        let quoted = super::quoted(set);
        if set == RegisterSet::Full {
            return Ok(());
        }
        self.needs_no_counters(spec, KEY, &quoted, "\"full\"")?;
        if spec.features().array_access == Some(true) {
            let rule =
                format!("is {quoted}, and leaves no registers for features.array_access = true");
            return Err(self.broken(
                KEY,
                &quoted,
                rule,
                "use \"full\", or leave out features.array_access",
            ));
        }
        if set == RegisterSet::None {
            if spec.card.is_some() {
                let rule = "leaves no registers for the host, which a [card] needs";
                return Err(self.broken(
                    KEY,
                    &quoted,
                    rule,
                    "use \"full\" or \"threshold\", or leave out [card] and [packet]",
                ));
            }
            if matches!(
                spec.hash.family,
                HashFamily::SipHash | HashFamily::SipHash24
            ) {
                let rule = format!(
                    "leaves no register for the secret of hash.family = \"{}\", which would be the one in the text for ever",
                    spec.hash.family
                );
                return Err(self.broken(
                    KEY,
                    &quoted,
                    rule,
                    "use \"full\", or hash.family = \"h3-sbox\"",
                ));
            }
            return Ok(());
        }
        if keeps_words(spec) && spec.filter.kind.has_array() {
            let reason = "filters of memory words with epochs read and write a word for the host on the way of an item, and have no pipeline between all registers and none yet";
            let advice = match single_cells(spec) {
                Some(Erase::SpareHalf) => {
                    "use \"full\" or \"none\", or memory.erase = \"spare-half\""
                }
                Some(_) => "use \"full\" or \"none\", or memory.erase = \"in-place\"",
                None => "use \"full\" or \"none\"",
            };
            return Err(self.unsupported(KEY, &quoted, reason, advice));
        }
        Ok(())
    }

    /// Errors that are counted need a counter, which `key` leaves out; `built` is what would not.
    fn needs_no_counters(
        &self,
        spec: &FilterSpec,
        key: &'static str,
        value: impl ToString,
        built: &str,
    ) -> Result<(), SpecError> {
        let (rule, advice) = if spec.parity() == Parity::Count {
            (
                "leaves no counter for the wrong words that memory.parity = \"count\" counts",
                "memory.parity = \"empty\" or \"none\"",
            )
        } else if spec.ecc() {
            (
                "leaves no counter for the words that memory.ecc corrects, and a memory that wears out would not be seen",
                "leave out memory.ecc",
            )
        } else if spec.self_check() {
            (
                "leaves no counter for the restarts of protection.self_check, which nobody would see",
                "leave out protection.self_check",
            )
        } else {
            return Ok(());
        };
        Err(self.broken(key, value, rule, format!("use {built}, or {advice}")))
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
        if keeps_words(spec) && !access {
            let reason = "filters of memory words with epochs read and write a word for the host on the way of an item, and have no pipeline without it yet";
            let advice = match single_cells(spec) {
                Some(Erase::SpareHalf) => "leave it out, or use memory.erase = \"spare-half\"",
                Some(_) => "leave it out, or use memory.erase = \"in-place\"",
                None => "leave it out",
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

/// Whether the specification leaves no choice but memory words with epochs.
fn keeps_words(spec: &FilterSpec) -> bool {
    match spec.erase() {
        EraseSetting::Epoch => true,
        EraseSetting::Auto => words_needed(spec).is_some(),
        EraseSetting::SpareHalf | EraseSetting::InPlace => false,
    }
}

/// How memory of single cells is emptied, where the rest of the specification leaves that choice.
fn single_cells(spec: &FilterSpec) -> Option<Erase> {
    match words_needed(spec) {
        Some(_) => None,
        None => spec.filter.kind.single_cells(),
    }
}
