//! Rules for static filters, counting filters and Count-Min sketches.

use super::kind::{lanes, CellKind};
use crate::error::SpecError;
use crate::item::OPERATION_BITS;
use crate::rules::{
    nearest, nearest_power_of_two, previous_power_of_two, quoted, Rules, MAX_HALF_BITS,
};
use crate::specification::FilterSpec;
use crate::values::Layout;
use crate::word::{MAX_WINDOW, MIN_CELL_WORDS, MIN_WINDOW};

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
    /// The kind is one of cells.
    pub fn cell_kind(&self, spec: &FilterSpec) -> Result<CellKind, SpecError> {
        CellKind::of(spec.filter.kind).ok_or_else(|| {
            self.unsupported(
                "filter.kind",
                quoted(spec.filter.kind),
                "this takes filters of cells only",
                "use \"static\", \"counting\" or \"count-min\"",
            )
        })
    }

    /// A static filter has no counters to update conservatively.
    pub fn cells_conservative(&self, spec: &FilterSpec, kind: CellKind) -> Result<(), SpecError> {
        let no_counters = match kind {
            CellKind::Static => Some((
                "belongs to counters; a bit that is set cannot be raised too high",
                "leave it out, or use filter.kind = \"counting\"",
            )),
            CellKind::Counting | CellKind::CountMin => None,
        };
        self.conservative(spec, no_counters)
    }

    /// The insertions over which occurrences count, if not since the last clear.
    pub fn window(&self, spec: &FilterSpec) -> Result<Option<u64>, SpecError> {
        const KEY: &str = "filter.counting.window";
        let filter = &spec.filter;
        let Some(window) = filter.counting.as_ref().and_then(|section| section.window) else {
            return Ok(None);
        };
        if !(MIN_WINDOW..=MAX_WINDOW).contains(&window) {
            let rule = format!("must be from {MIN_WINDOW} to {MAX_WINDOW} insertions");
            let legal = window.clamp(MIN_WINDOW, MAX_WINDOW);
            return Err(self.broken(KEY, window, rule, nearest(legal)));
        }
        if filter.layout == Layout::Shared {
            return Err(self.broken(
                KEY,
                window,
                "belongs to filter.layout = \"partitioned\", in which each pane has a bank a hash",
                "use filter.layout = \"partitioned\", or leave the window out",
            ));
        }
        Ok(Some(window))
    }

    /// Insertions at which rates are predicted, at least 1; over a window all that its two panes can hold.
    pub fn items(&self, spec: &FilterSpec, window: Option<u64>) -> Result<u64, SpecError> {
        if let Some(window) = window {
            return match spec.filter.items {
                None => Ok(2 * window),
                Some(items) => Err(self.broken(
                    "filter.items",
                    items,
                    "counts insertions between two clears, and filter.counting.window forgets by itself",
                    "leave it out, or leave the window out",
                )),
            };
        }
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
    pub fn cells(&self, spec: &FilterSpec, kind: CellKind) -> Result<Cells, SpecError> {
        let filter = &spec.filter;
        let missing = |key, advice: &str| {
            let rule = format!("is required by filter.kind = \"{}\"", filter.kind);
            Err(self.broken(key, "(missing)", rule, advice))
        };
        match kind {
            CellKind::Counting => {
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
            CellKind::CountMin => {
                let Some(section) = &filter.count_min else {
                    return missing(
                        "filter.count-min",
                        "add it with counter_bits and amount_bits",
                    );
                };
                let bits =
                    self.integer("filter.count-min.counter_bits", section.counter_bits, 8, 32)?;
                let amount_bits =
                    self.amount_bits(section.amount_bits, bits, spec.card.is_some())?;
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
            CellKind::Static => Ok(Cells {
                bits: 1,
                amount_bits: 0,
                threshold: 1,
            }),
        }
    }

    /// An item's amount is no wider than a counter; on a card it stands in a register of 32 bits beside the operation.
    fn amount_bits(&self, value: u64, counter_bits: u32, has_card: bool) -> Result<u32, SpecError> {
        const KEY: &str = "filter.count-min.amount_bits";
        let most = match has_card {
            true => counter_bits.min(u32::BITS - OPERATION_BITS),
            false => counter_bits,
        };
        let most_value = u64::from(most);
        if (1..=most_value).contains(&value) {
            return self.integer(KEY, value, 1, most_value);
        }
        let why = match most < counter_bits {
            true => "a [card] has one register of 32 bits for operation and amount".to_owned(),
            false => {
                format!("one item may not add more than a counter of {counter_bits} bits holds")
            }
        };
        Err(self.broken(
            KEY,
            value,
            format!("must be from 1 to {most}: {why}"),
            nearest(value.clamp(1, most_value)),
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
        let windowed = spec
            .filter
            .counting
            .as_ref()
            .is_some_and(|s| s.window.is_some());
        let what = match (bits, banks) {
            _ if windowed => format!(
                "two panes * filter.hashes * counter_bits = 2 * {} * {bits} = {parts}",
                banks / 2
            ),
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
}

/// Greatest value of a counter.
fn greatest(bits: u32) -> u64 {
    u64::from(u32::MAX >> (32 - bits))
}
