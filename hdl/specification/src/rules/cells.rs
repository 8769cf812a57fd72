//! The rules of the kinds that keep a cell for each position: static, counting, count-min.

use super::{nearest, nearest_power_of_two, previous_power_of_two, Rules, MAX_HALF_BITS};
use crate::cells::{lanes, MIN_CELL_WORDS};
use crate::error::SpecError;
use crate::specification::FilterSpec;
use crate::values::{FilterKind, Hashing, Layout};

/// Distinct draws need at least as many positions as probes.
const MAX_DISTINCT: u32 = super::MAX_HASHES as u32;

/// What `[filter.counting]` or `[filter.count-min]` say, checked.
pub struct Cells {
    /// Bits of a cell: 1 for a static filter.
    pub bits: u32,
    /// Bits of an item's amount; 0 where every item counts as one.
    pub amount_bits: u32,
    /// Count from which a key is reported.
    pub threshold: u32,
}

impl Rules<'_> {
    /// A section that belongs to another kind is a contradiction.
    pub fn sections(&self, spec: &FilterSpec) -> Result<(), SpecError> {
        let filter = &spec.filter;
        let sections = [
            (
                "filter.recycle",
                FilterKind::Recycling,
                filter.recycle.is_some(),
            ),
            (
                "filter.counting",
                FilterKind::Counting,
                filter.counting.is_some(),
            ),
            (
                "filter.count-min",
                FilterKind::CountMin,
                filter.count_min.is_some(),
            ),
            (
                "filter.sliding",
                FilterKind::Sliding,
                filter.sliding.is_some(),
            ),
        ];
        for (key, kind, given) in sections {
            if given && kind != filter.kind {
                let rule = format!(
                    "belongs to filter.kind = \"{kind}\", and this is \"{}\"",
                    filter.kind
                );
                return Err(self.broken(
                    key,
                    "(given)",
                    rule,
                    "leave the section out, or change the kind",
                ));
            }
        }
        Ok(())
    }

    /// `filter.items` says nothing of a filter that forgets by itself.
    pub fn no_items(&self, spec: &FilterSpec) -> Result<(), SpecError> {
        match spec.filter.items {
            None => Ok(()),
            Some(items) => {
                let rule = format!(
                    "belongs to filters that forget only when cleared; the threshold of filter.kind = \"{}\" says how much it holds",
                    spec.filter.kind
                );
                Err(self.broken("filter.items", items, rule, "leave it out"))
            }
        }
    }

    /// Conservative update goes with counters of which an item has several in one array.
    pub fn conservative(&self, spec: &FilterSpec) -> Result<(), SpecError> {
        let filter = &spec.filter;
        if !filter.conservative {
            return Ok(());
        }
        let broken =
            |rule: &str, advice: &str| Err(self.broken("filter.conservative", true, rule, advice));
        match filter.kind {
            FilterKind::Static => broken(
                "belongs to counters; a bit that is set cannot be raised too high",
                "leave it out, or use filter.kind = \"counting\"",
            ),
            FilterKind::Recycling => broken(
                "belongs to counters; a recycling filter keeps bits, and forgets by emptying a half",
                "leave it out, or use filter.kind = \"counting\" and clear it when an interval ends",
            ),
            FilterKind::Sliding => broken(
                "belongs to counters; a sliding-window filter keeps fingerprints, and removes old ones",
                "leave it out, or use filter.kind = \"counting\" and clear it when an interval ends",
            ),
            FilterKind::Counting | FilterKind::CountMin if filter.layout == Layout::Partitioned => {
                broken(
                    "belongs to filter.layout = \"shared\"; at one item a clock the least of all banks would have to be back at \
                     each of them in the clock in which the next item reads",
                    "use filter.layout = \"shared\", at one insertion in 2 k + 4 clocks, or leave it out",
                )
            }
            FilterKind::Counting | FilterKind::CountMin if filter.hashes == 1 => broken(
                "needs at least two hashes; the one counter of an item is its least, and is raised by every insertion",
                "leave it out, or use filter.hashes = 2 or more",
            ),
            FilterKind::Counting | FilterKind::CountMin => Ok(()),
        }
    }

    /// Insertions at which rates are predicted, at least 1.
    pub fn items(&self, spec: &FilterSpec) -> Result<u64, SpecError> {
        match spec.filter.items {
            None => {
                let rule = format!(
                    "is required by filter.kind = \"{}\": the insertions between two clears, at which rates are predicted",
                    spec.filter.kind
                );
                Err(self.broken(
                    "filter.items",
                    "(missing)",
                    rule,
                    "add it, such as items = 10000",
                ))
            }
            Some(0) => Err(self.broken("filter.items", 0, "must be at least 1", nearest(1))),
            Some(items) => Ok(items),
        }
    }

    /// Cell width, amount and threshold of the kind.
    pub fn cells(&self, spec: &FilterSpec) -> Result<Cells, SpecError> {
        let filter = &spec.filter;
        let missing = |key, advice: &str| {
            let rule = format!("is required by filter.kind = \"{}\"", filter.kind);
            Err(self.broken(key, "(missing)", rule, advice))
        };
        match filter.kind {
            FilterKind::Counting => {
                let Some(section) = &filter.counting else {
                    return missing("filter.counting", "add it with counter_bits and threshold");
                };
                let bits =
                    self.integer("filter.counting.counter_bits", section.counter_bits, 2, 16)?;
                let threshold =
                    self.cell_threshold("filter.counting.threshold", section.threshold, bits)?;
                Ok(Cells {
                    bits,
                    amount_bits: 0,
                    threshold,
                })
            }
            FilterKind::CountMin => {
                let Some(section) = &filter.count_min else {
                    return missing(
                        "filter.count-min",
                        "add it with counter_bits and amount_bits",
                    );
                };
                let bits =
                    self.integer("filter.count-min.counter_bits", section.counter_bits, 8, 32)?;
                let amount_bits = self.amount_bits(section.amount_bits, bits)?;
                let most = greatest(bits);
                let threshold = section.threshold.unwrap_or(most);
                let threshold =
                    self.cell_threshold("filter.count-min.threshold", threshold, bits)?;
                Ok(Cells {
                    bits,
                    amount_bits,
                    threshold,
                })
            }
            FilterKind::Static | FilterKind::Recycling | FilterKind::Sliding => Ok(Cells {
                bits: 1,
                amount_bits: 0,
                threshold: 1,
            }),
        }
    }

    fn amount_bits(&self, value: u64, counter_bits: u32) -> Result<u32, SpecError> {
        let most = u64::from(counter_bits);
        if (1..=most).contains(&value) {
            return self.integer("filter.count-min.amount_bits", value, 1, most);
        }
        let rule = format!(
            "must be from 1 to {most}: one item may not add more than a counter of {counter_bits} bits holds"
        );
        Err(self.broken(
            "filter.count-min.amount_bits",
            value,
            rule,
            nearest(value.clamp(1, most)),
        ))
    }

    fn cell_threshold(&self, key: &'static str, value: u64, bits: u32) -> Result<u32, SpecError> {
        let most = greatest(bits);
        match u32::try_from(value) {
            Ok(threshold) if (1..=most).contains(&value) => Ok(threshold),
            _ => {
                let rule =
                    format!("must be from 1 to {most}, the range of a counter of {bits} bits");
                Err(self.broken(key, value, rule, nearest(value.clamp(1, most))))
            }
        }
    }

    /// The memory divides into banks, each a power of two of cells and at least [`MIN_CELL_WORDS`] words; gives the cells of
    /// a bank.
    pub fn cell_memory(&self, spec: &FilterSpec, banks: u32, bits: u32) -> Result<u64, SpecError> {
        let memory_bits = spec.filter.memory_bits;
        let parts = u64::from(banks) * u64::from(bits);
        let least = MIN_CELL_WORDS * u64::from(lanes(bits));
        let most = previous_power_of_two(MAX_HALF_BITS / parts);
        let cells = memory_bits / parts;
        let legal = parts * nearest_power_of_two(cells).clamp(least, most);
        let what = match (bits, banks) {
            (1, 1) => "the array".to_owned(),
            (_, 1) => format!("counter_bits = {bits}"),
            (1, _) => format!("filter.hashes = {banks}"),
            _ => format!("filter.hashes * counter_bits = {banks} * {bits} = {parts}"),
        };
        let cell = if bits == 1 { "bits" } else { "counters" };
        let rule = if !memory_bits.is_multiple_of(parts) {
            format!("must be divisible by {what}")
        } else if cells < least {
            format!("gives banks of {cells} {cell} ({what}); a bank must have at least {least}, {MIN_CELL_WORDS} memory words")
        } else if !cells.is_power_of_two() {
            format!("gives banks of {cells} {cell} ({what}); a bank must be a power of two of them")
        } else if cells > most {
            format!("gives banks of {cells} {cell} ({what}); a bank may have at most {most}, so that the filter stays below 2^32 bits")
        } else {
            return Ok(cells);
        };
        Err(self.broken("filter.memory_bits", memory_bits, rule, nearest(legal)))
    }

    /// Positions of a bank that are used.
    pub fn range(&self, spec: &FilterSpec, cells: u64) -> Result<u64, SpecError> {
        const KEY: &str = "filter.range";
        let filter = &spec.filter;
        if filter.distinct && cells < filter.hashes {
            let rule = format!(
                "{} distinct positions do not fit an array of {cells} cells",
                filter.hashes
            );
            let advice = "use false, more memory_bits or fewer hashes";
            return Err(self.broken("filter.distinct", true, rule, advice));
        }
        let Some(range) = filter.range else {
            return Ok(cells);
        };
        let fits = |n| filter.hashing == Hashing::Independent || n == cells || is_prime(n);
        let least = (cells / 2 + 1).max(u64::from(MAX_DISTINCT)).min(cells);
        if !(least..=cells).contains(&range) {
            let rule = format!(
                "must be from {least} to {cells}: a bank has {cells} cells, and half of them would do for fewer positions"
            );
            let legal = (range.clamp(least, cells)..=cells).find(|&n| fits(n));
            return Err(self.broken(KEY, range, rule, nearest(legal.unwrap_or(cells))));
        }
        if fits(range) {
            return Ok(range);
        }
        let below = (least..range).rev().find(|&n| is_prime(n));
        let above = (range..=cells).find(|&n| is_prime(n));
        let primes = [below, above].into_iter().flatten().map(|n| n.to_string());
        let rule = format!(
            "is no prime; under filter.hashing = \"{}\" a range that shares a factor with h2 is not gone through, so it is a prime or \
             the whole bank of {cells}",
            filter.hashing
        );
        let advice = format!(
            "nearest primes {}",
            primes.collect::<Vec<_>>().join(" and ")
        );
        Err(self.broken(KEY, range, rule, advice))
    }
}

/// Whether `n` is a prime, by trial division: ranges have at most 32 bits.
fn is_prime(n: u64) -> bool {
    n >= 2
        && (2..)
            .take_while(|d| d * d <= n)
            .all(|d| !n.is_multiple_of(d))
}

/// Greatest value of a counter.
fn greatest(bits: u32) -> u64 {
    u64::from(u32::MAX >> (32 - bits))
}
