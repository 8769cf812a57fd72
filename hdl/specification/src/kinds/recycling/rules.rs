//! Rules for recycling filters.

use super::geometry::{Sizing, ThresholdSetting, TICK_CLOCKS};
use crate::error::SpecError;
use crate::rules::{
    nearest, nearest_power_of_two, previous_power_of_two, quoted, Rules, MAX_HALF_BITS,
};
use crate::specification::{FilterSpec, RecycleSection};
use crate::timing::Timing;
use crate::values::{EraseSetting, FilterKind, Layout, RecycleOn};
use crate::word::{MIN_CELL_WORDS, WORD_BITS};

/// Least data bits of a bank: four words, so that an address has two bits.
const MIN_BANK_BITS: u64 = 128;
/// Least bits of a half that is one array.
const MIN_SHARED_HALF_BITS: u64 = MIN_CELL_WORDS * WORD_BITS as u64;

/// Most clocks from an item's acceptance to its decision: the gateware keeps a bit for each.
const MAX_DECISION_CLOCKS: u32 = 128;

impl Rules<'_> {
    /// The kind is the recycling filter's, and no other kind's section stands beside it.
    pub fn recycling(&self, spec: &FilterSpec) -> Result<(), SpecError> {
        let filter = &spec.filter;
        if filter.kind != FilterKind::Recycling {
            return Err(self.unsupported(
                "filter.kind",
                quoted(filter.kind),
                "this takes recycling filters only",
                "use \"recycling\"",
            ));
        }
        self.no_items(spec)?;
        self.sections(spec)
    }

    /// Words of the format that only later versions build.
    pub fn recycling_supported(&self, spec: &FilterSpec) -> Result<(), SpecError> {
        if spec.self_check() {
            self.self_check_supported(spec)?;
        }
        Ok(())
    }

    /// The self-check knows one pipeline: a bank a hash, words with epochs, one slot an item.
    fn self_check_supported(&self, spec: &FilterSpec) -> Result<(), SpecError> {
        let two_phases = spec.filter.recycle.as_ref().is_some_and(|r| r.phases == 2);
        let reason = if spec.filter.layout == Layout::Shared {
            "the shared layout has none yet"
        } else if spec.erase() == EraseSetting::SpareHalf {
            "filters with a spare half have none yet"
        } else if spec.hash.family.is_keyed() && two_phases {
            "filters with a secret for each half have none yet"
        } else if spec.card.is_some() || spec.packet.is_some() {
            "a restart drops verdicts that wait, and a card or a packet path would wait for them for ever"
        } else {
            return Ok(());
        };
        Err(self.self_check_unsupported(reason))
    }

    /// A recycling filter has no counters to update conservatively.
    pub fn recycling_has_no_counters(&self, spec: &FilterSpec) -> Result<(), SpecError> {
        self.conservative(
            spec,
            Some((
                "belongs to counters; a recycling filter keeps bits, and forgets by emptying a half",
                "leave it out, or use filter.kind = \"counting\" and clear it when an interval ends",
            )),
        )
    }

    pub fn recycle_section<'s>(
        &self,
        spec: &'s FilterSpec,
    ) -> Result<&'s RecycleSection, SpecError> {
        spec.filter.recycle.as_ref().ok_or_else(|| {
            let rule = "is required by filter.kind = \"recycling\"";
            self.broken(
                "filter.recycle",
                "(missing)",
                rule,
                "add it with phases, on and threshold",
            )
        })
    }

    /// The memory divides into phases and banks, each of whole words and of a legal size; gives the bits of a bank.
    pub fn memory(&self, memory_bits: u64, phases: u32, hashes: u32) -> Result<u64, SpecError> {
        let parts = u64::from(phases) * u64::from(hashes);
        let word = u64::from(WORD_BITS);
        let bank = memory_bits / parts;
        let most = MAX_HALF_BITS / u64::from(hashes) / word * word;
        let given = format!("gives banks of {bank} bits (over {phases} phases * {hashes} hashes)");
        let rule = if bank < MIN_BANK_BITS {
            format!("{given}; a bank must be at least {MIN_BANK_BITS} bits")
        } else if bank > most {
            format!(
                "{given}; with {hashes} hashes a bank must be at most {most} bits, so that a count of the bits of a half \
                 fits a 32-bit register"
            )
        } else if !memory_bits.is_multiple_of(parts * word) {
            format!(
                "must be divisible by filter.recycle.phases * filter.hashes * {word} = {phases} * {hashes} * {word} = {}: a \
                 bank is whole words of {word} bits (filter.range may use fewer positions of it)",
                parts * word
            )
        } else {
            return Ok(bank);
        };
        let words = (memory_bits / parts + word / 2) / word;
        let legal = parts * (words * word).clamp(MIN_BANK_BITS, most);
        Err(self.broken("filter.memory_bits", memory_bits, rule, nearest(legal)))
    }

    /// Positions of a bank that are used: some of every word, as only idle clocks refresh a word that no item reaches.
    pub fn partition(&self, spec: &FilterSpec, bank_bits: u64) -> Result<u64, SpecError> {
        let least = bank_bits - u64::from(WORD_BITS) + 1;
        self.range_from(least, spec, bank_bits, "a word less")
    }

    pub fn threshold_setting(
        &self,
        recycle: &RecycleSection,
    ) -> Result<ThresholdSetting, SpecError> {
        const KEY: &str = "filter.recycle.target_fpr";
        if let Some(target_fpr) = recycle.target_fpr {
            if !(target_fpr > 0.0 && target_fpr < 1.0) {
                let rule = "must be above 0 and below 1: it is a false-positive rate";
                return Err(self.broken(
                    KEY,
                    target_fpr,
                    rule,
                    "take the rate you can live with, such as 0.01",
                ));
            }
        }
        ThresholdSetting::new(recycle.threshold, recycle.target_fpr).ok_or_else(|| {
            let rule = "is required by filter.recycle.threshold = \"auto\"";
            self.broken(
                KEY,
                "(missing)",
                rule,
                "add the rate you can live with, such as 0.01, or give the threshold",
            )
        })
    }

    pub fn threshold(&self, threshold: u64, sizing: &Sizing) -> Result<(), SpecError> {
        let (least, most) = sizing.thresholds();
        let rule = match sizing.recycle_on() {
            RecycleOn::BitsSet => format!(
                "must be from {least} to {most} bits set: a half of {} bits recycles when an item would set more than the threshold, \
                 and below {least}, the bits of one item, an empty half has no room for any item",
                sizing.half_bits()
            ),
            RecycleOn::Messages => format!(
                "must be from 1 to {most} messages: the N-th bit-setting message trips the recycle, and a half of \
                 {most} bits accepts no more of them"
            ),
        };
        if (least..=most).contains(&threshold) {
            return Ok(());
        }
        Err(self.broken(
            "filter.recycle.threshold",
            threshold,
            rule,
            nearest(threshold.clamp(least, most)),
        ))
    }

    /// The maximum age in ticks: 0 for none, else rounded down but at least 1.
    pub fn max_age_ticks(&self, max_age_ms: u64, clock_hz: u64) -> Result<u32, SpecError> {
        if max_age_ms == 0 {
            return Ok(0);
        }
        let clocks_times_1000 = u128::from(max_age_ms) * u128::from(clock_hz);
        let ticks = (clocks_times_1000 / (1000 * u128::from(TICK_CLOCKS))).max(1);
        u32::try_from(ticks).map_err(|_| {
            let most_clocks_times_1000 = (u128::from(u32::MAX) + 1) * 1000 * u128::from(TICK_CLOCKS) - 1;
            let most_ms = most_clocks_times_1000 / u128::from(clock_hz);
            let rule = format!(
                "is {ticks} ticks of {TICK_CLOCKS} clocks at {clock_hz} Hz; the age register holds at most {} ticks",
                u32::MAX
            );
            self.broken("filter.recycle.max_age_ms", max_age_ms, rule, nearest(most_ms))
        })
    }

    /// A pipeline no longer than the gateware can follow: only many distinct probes under a keyed hash of long keys are over it.
    pub fn decision_clocks(&self, hashes: u32, timing: &Timing) -> Result<(), SpecError> {
        let clocks = timing.front_clocks + timing.decision_stage;
        if clocks <= MAX_DECISION_CLOCKS {
            return Ok(());
        }
        let rule = format!(
            "gives a pipeline of {clocks} clocks from an item to its decision, of which {} are the hash's; at most {MAX_DECISION_CLOCKS} are \
             followed",
            timing.front_clocks
        );
        let advice = "use fewer hashes, distinct = false, a shorter key or another hash.family";
        Err(self.broken("filter.hashes", hashes, rule, advice))
    }

    /// The memory of a recycling filter in the shared layout divides into phases, each an array of a power of two of bits; gives
    /// the bits of an array.
    pub fn shared_memory(&self, memory_bits: u64, phases: u32) -> Result<u64, SpecError> {
        let parts = u64::from(phases);
        let half = memory_bits / parts;
        let most = previous_power_of_two(MAX_HALF_BITS);
        let legal = parts * nearest_power_of_two(half).clamp(MIN_SHARED_HALF_BITS, most);
        let rule = if !memory_bits.is_multiple_of(parts) {
            format!("must be divisible by filter.recycle.phases = {phases}")
        } else if half < MIN_SHARED_HALF_BITS {
            format!(
                "gives halves of {half} bits (over {phases} phases); in the shared layout a half must be at least \
                 {MIN_SHARED_HALF_BITS} bits, {MIN_CELL_WORDS} memory words"
            )
        } else if !half.is_power_of_two() {
            format!(
                "gives halves of {half} bits (over {phases} phases); in the shared layout a half must be a power of two \
                 (filter.range may use fewer positions of it)"
            )
        } else if half > most {
            format!(
                "gives halves of {half} bits (over {phases} phases); a half must be at most {most} bits, so that a count of \
                 its bits fits a 32-bit register"
            )
        } else {
            return Ok(half);
        };
        Err(self.broken("filter.memory_bits", memory_bits, rule, nearest(legal)))
    }
}
