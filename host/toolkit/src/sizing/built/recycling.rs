//! The smallest recycling filter that can be built.

use super::{slower, specification, Built, Form};
use crate::sizing::{Recycling, Sheet, SizeError};
use bloomline_spec::{FilterKind, Hashing, RecycleOn, RecycleSection, Threshold, WORD_BITS};
use bloomline_theory::sizing::{self, Candidate, On, Ranges, RecyclingParams};
use bloomline_theory::TheoryError;
use std::panic::resume_unwind;
use std::thread::ScopedJoinHandle;

/// Least bits of a bank that can be built.
const LEAST_BANK: u64 = 128;

/// Most bits of a half that can be built: a register of 32 bits counts them.
const MOST_HALF_BITS: u64 = u32::MAX as u64;

impl Recycling {
    /// The smallest filter with banks of whole words, at one item a clock where no memory is given and there is such a filter; also
    /// solves for the memory that partitions of a power of two would take, or where those are asked for, for the memory that the law
    /// alone asks for.
    ///
    /// # Errors
    /// [`SizeError`], with the nearest there is where nothing meets the wants.
    pub fn built(self, form: &Form) -> Result<Built, SizeError> {
        self.check()?;
        let smallest = self.smallest(self.messages, form)?;
        match self.memory {
            None => Ok(self.at_full_rate(&smallest, form).unwrap_or(smallest)),
            Some(_) => Ok(smallest),
        }
    }

    /// The smallest filter whose threshold is one at full rate, where that of the smallest filter is not: of enough more messages a cycle.
    /// `None` where the smallest has full rate, or none is found.
    fn at_full_rate(&self, smallest: &Built, form: &Form) -> Option<Built> {
        /// Messages that are tried, and by how much they differ at last.
        const STEPS: usize = 12;
        const NEAR: f64 = 1.005;
        let number = |built: &Built, key| {
            let mut lines = built.filter.lines().iter();
            lines.find(|line| line.key == key).map(|line| line.value)
        };
        // above 1 where the threshold is below the least
        let lacks = |built: &Built| {
            let threshold = built.filter.design().threshold()?;
            Some(number(built, "full_rate_threshold")? / threshold as f64)
        };
        let mut low = number(smallest, "messages_per_cycle")?;
        let mut factor = lacks(smallest).filter(|lack| *lack > 1.0)?;
        let mut high = None;
        let mut found: Option<Built> = None;
        for _ in 0..STEPS {
            let messages = match high {
                Some(high) if high < low * NEAR => break,
                Some(high) => f64::midpoint(low, high),
                None => low * factor.max(NEAR),
            };
            let built = self.smallest(Some(messages), form).ok()?;
            let lack = lacks(&built)?;
            if lack > 1.0 {
                (low, factor) = (messages, lack);
            } else {
                high = Some(messages);
                let bits = |built: &Built| built.filter.design().memory_bits();
                found = match found {
                    Some(less) if bits(&less) <= bits(&built) => Some(less),
                    _ => Some(built),
                };
            }
        }
        let found = found?;
        let less = format!(
            "; {} bits are enough at {}",
            crate::forecast::whole(smallest.filter.design().memory_bits() as f64),
            slower(&smallest.filter)?
        );
        let sheet = found.sheet.clone().with_note("memory_bits", &less);
        Some(Built { sheet, ..found })
    }

    /// The smallest filter of so many messages a cycle.
    fn smallest(&self, messages: Option<f64>, form: &Form) -> Result<Built, SizeError> {
        let wanted = Recycling {
            messages,
            ..self.clone()
        };
        wanted.of_any_rate(self.messages, form)
    }

    /// The same of these wants, at any rate of items; `least_messages` were given.
    fn of_any_rate(&self, least_messages: Option<f64>, form: &Form) -> Result<Built, SizeError> {
        let mut wants = Sheet::new("Recycling filter: recent keys, forgotten in cycles");
        if let Some(memory) = self.memory {
            wants = wants.whole("most_bits", memory, "bits", "given");
        }
        if let Some(rate) = self.rate {
            wants = wants.given("target_fpr", rate);
        }
        if let Some(messages) = least_messages {
            wants = wants.given("least_messages", messages);
        }
        let compared = !self.powers_of_two && self.memory.is_none();
        let (powers_of_two, found) = std::thread::scope(|scope| {
            let smallest = || self.clone().design(Ranges::PowersOfTwo, self.most_bits());
            let other = compared.then(|| scope.spawn(smallest));
            let found = self.of_least_banks();
            (other.and_then(|other| joined(other).ok()), found)
        });
        let found = found?;
        // banks of any size are within a word of what the law alone asks for
        let law = match self.powers_of_two && self.memory.is_none() {
            true => Some(
                Recycling {
                    powers_of_two: false,
                    ..self.clone()
                }
                .sheet()?,
            ),
            false => None,
        };
        let (given, rate, memory) = (self.threshold, self.rate, self.memory);
        let params = &found.params;
        let (_, partition, bank) = banks(params);
        if let (true, Some(memory)) = (bank < LEAST_BANK, memory) {
            return Err(SizeError::SmallMemory { memory });
        }
        let memory_bits = built_bits(params);
        if memory_bits / u64::from(params.phases) > MOST_HALF_BITS {
            return Err(self.too_large());
        }
        let mut spec = specification(form, FilterKind::Recycling, memory_bits, params.hashes)?;
        spec.filter.range = (bank > partition && bank >= LEAST_BANK).then_some(partition);
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
        let built = Built::new(spec, wants, memory.is_some(), &shown, law.as_ref())?;
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
        let mut sheet = sheet.whole("threshold", threshold, "", "solved, or given");
        if let Some(other) = powers_of_two {
            let other = &other.chosen.params;
            let other_bits = built_bits(other);
            let more = 100.0 * (other_bits as f64 / memory_bits as f64 - 1.0);
            let formula = format!(
                "smallest with partitions of a power of two, k = {}: {more:+.0}%",
                other.hashes
            );
            sheet = sheet.whole("power_of_two_memory_bits", other_bits, "bits", &formula);
        }
        Ok(Built { sheet, ..built })
    }

    /// Most bits of all halves.
    fn most_bits(&self) -> u64 {
        let either = if self.false_negatives.is_some() { 2 } else { 1 };
        MOST_HALF_BITS * u64::from(self.phases.unwrap_or(either))
    }

    /// The error that what is wanted cannot be built.
    fn too_large(&self) -> SizeError {
        let options = [
            self.memory.map(|bits| format!("a memory of {bits} bits")),
            self.messages
                .map(|messages| format!("{messages} new keys a cycle")),
            self.rate.map(|rate| format!("a rate of {rate:?}")),
            self.false_negatives
                .as_ref()
                .map(|budget| format!("false negatives of {:?}", budget.rate)),
        ];
        let (why, next_step) = match self.memory {
            Some(_) => (
                "the best filter of so much memory is larger than can be built",
                "give less memory".to_owned(),
            ),
            None => {
                let steps = [
                    self.rate.map(|_| "ask for a higher rate"),
                    self.messages.map(|_| "ask for fewer new keys"),
                    self.false_negatives
                        .as_ref()
                        .map(|_| "allow more false negatives"),
                    (!self.independent).then_some(
                        "take independent functions (`bloomline size recycling ... --independent`)",
                    ),
                ];
                let steps: Vec<&str> = steps.into_iter().flatten().collect();
                ("no filter that can be built meets this", steps.join(" or "))
            }
        };
        SizeError::LargeHalf {
            wants: options.into_iter().flatten().collect::<Vec<_>>().join(", "),
            why,
            next_step,
        }
    }

    /// The best filter with banks of whole words; where those are smaller than can be built, of the number of hashes that takes the least
    /// memory with banks of the least size.
    fn of_least_banks(&self) -> Result<Candidate, SizeError> {
        let found = self.of_whole_words()?;
        let open = self.memory.is_none() && self.hashes.is_none();
        if !open || banks(&found.params).2 >= LEAST_BANK {
            return Ok(found);
        }
        let fewer = (1..found.params.hashes).filter_map(|hashes| {
            let hashes = Some(hashes);
            let given = Recycling {
                hashes,
                ..self.clone()
            };
            given.of_whole_words().ok()
        });
        let all = std::iter::once(found.clone()).chain(fewer);
        Ok(all
            .min_by_key(|found| built_bits(&found.params))
            .unwrap_or(found))
    }

    /// The best filter with banks of whole words: all of them used or, where two hash functions make the probes, a prime of
    /// positions, whose excess is less.
    fn of_whole_words(&self) -> Result<Candidate, SizeError> {
        let of = |ranges| match self.clone().design(ranges, self.most_bits()) {
            Ok(design) => Ok(design.chosen),
            Err(SizeError::Theory(TheoryError::Infeasible { .. })) if self.memory.is_none() => {
                Err(self.too_large())
            }
            Err(error) => Err(error),
        };
        if self.independent || self.powers_of_two {
            return of(Ranges::WordsOf(WORD_BITS));
        }
        let (whole, prime) = std::thread::scope(|scope| {
            let prime = scope.spawn(|| of(Ranges::PrimesInWordsOf(WORD_BITS)));
            (of(Ranges::WordsOf(WORD_BITS)), joined(prime))
        });
        match (whole, prime) {
            (Ok(whole), Ok(prime)) if self.prefers(&prime, &whole) => Ok(prime),
            (Err(_), Ok(prime)) => Ok(prime),
            (whole, _) => whole,
        }
    }

    /// Whether the first filter is better than the second: smaller, if no memory is given, or else by what is left open.
    fn prefers(&self, first: &Candidate, second: &Candidate) -> bool {
        let bits = |candidate: &Candidate| {
            let (parts, _, bank) = banks(&candidate.params);
            parts * bank
        };
        if self.memory.is_none() && bits(first) != bits(second) {
            return bits(first) < bits(second);
        }
        let (one, other) = (&first.prediction, &second.prediction);
        match (&first.false_negatives, &second.false_negatives) {
            (Some(first), Some(second)) => first.value < second.value,
            _ if self.rate.is_some() => one.cycle_arrivals.value > other.cycle_arrivals.value,
            _ => one.fpr_average.value < other.fpr_average.value,
        }
    }
}

/// What a thread gives; its panic goes on here.
fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// Bits of all halves, with banks as large as can be built.
fn built_bits(params: &RecyclingParams) -> u64 {
    let (parts, _, bank) = banks(params);
    bank.max(LEAST_BANK) * parts
}

/// Banks of all halves, bits of each that probes reach, and bits of its whole words.
fn banks(params: &RecyclingParams) -> (u64, u64, u64) {
    let parts = u64::from(params.phases * params.hashes);
    let partition = params.memory_bits / parts;
    (
        parts,
        partition,
        partition.next_multiple_of(WORD_BITS.into()),
    )
}
