use super::{nearest, nearest_power_of_two, previous_power_of_two, Rules, MAX_HALF_BITS};
use crate::cells::MIN_CELL_WORDS;
use crate::error::SpecError;
use crate::geometry::WORD_BITS;
use crate::timing::Timing;

/// Least bits of a half that is one array.
const MIN_SHARED_HALF_BITS: u64 = MIN_CELL_WORDS * WORD_BITS as u64;

/// Most clocks from an item's acceptance to its decision: the gateware keeps a bit for each.
const MAX_DECISION_CLOCKS: u32 = 128;

impl Rules<'_> {
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
