//! The choice that `memory.erase = "auto"` and `memory.row_bits = "auto"` leave open.

use crate::part::Part;
use crate::rules::ROW_BITS;
use crate::values::EraseSetting;
use std::fmt;

/// What a specification says of how memory is emptied, checked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EraseRequest {
    pub setting: EraseSetting,
    /// Bits of a row; `None` is `auto`.
    pub row_bits: Option<u32>,
    /// What only words with epochs have and the specification asks for, in its own words.
    pub words_for: Option<&'static str>,
    /// What only single bits have and the specification asks for.
    pub single_bits_for: Option<&'static str>,
}

impl EraseRequest {
    /// The widths of a row that may be chosen, by rising width.
    pub fn row_widths(&self, part: Option<Part>) -> Vec<u32> {
        match self.row_bits {
            Some(bits) => vec![bits],
            None => safe_row_widths(part),
        }
    }
}

/// Widths of a row that a part's block RAM is promised to read right; of an unknown part 1 bit.
pub(crate) fn safe_row_widths(part: Option<Part>) -> Vec<u32> {
    let wide = part.is_some_and(|part| part.block_ram.reads_old);
    let widths = ROW_BITS.iter().map(|&bits| bits as u32);
    widths.filter(|&bits| bits == 1 || wide).collect()
}

/// Why `memory.erase = "auto"` has become what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EraseReason {
    /// The specification asks for something that only memory words with epochs have.
    NeedsWords(&'static str),
    /// It asks for something that only single bits have.
    NeedsSingleBits(&'static str),
    /// A cycle may end before a half is erased, so that items would wait.
    ShortCycles {
        /// Threshold of the specification.
        threshold: u64,
        /// Least threshold at which an erase never holds an item up.
        least: u64,
        /// Bits of a row, the widest that may be chosen.
        row_bits: u32,
        /// Whether the items are the keys of a packet path, not one in every clock.
        of_path: bool,
        /// Whether the specification says the part.
        part_given: bool,
    },
    /// The part has too few block RAMs for the spare half.
    Memory {
        /// Block RAMs of all halves.
        needed: u64,
        /// Block RAMs of the part.
        available: u64,
        /// What they are called.
        name: &'static str,
    },
    /// The spare half is empty before it is needed, whatever items come.
    NeverWaits {
        /// Threshold of the specification.
        threshold: u64,
        /// Least threshold at which an erase never holds an item up.
        least: u64,
        /// Bits of a row, the narrowest that do.
        row_bits: u32,
        /// Whether the items are the keys of a packet path, not one in every clock.
        of_path: bool,
    },
    /// A filter of cells erases only when it is cleared.
    OnlyClears,
}

impl fmt::Display for EraseReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EraseReason::NeedsWords(what) => {
                write!(f, "only memory words with epochs have {what}")
            }
            EraseReason::NeedsSingleBits(what) => {
                write!(f, "only a memory of single bits has {what}")
            }
            EraseReason::ShortCycles {
                threshold,
                least,
                row_bits,
                of_path,
                part_given,
            } => {
                let widest = match (row_bits, part_given) {
                    (1, false) => "1 bit, the only width that is right on every part (target.part is not given)",
                    (1, true) => "1 bit, the only width that the block RAM of target.part promises to read right",
                    _ => "the widest that may be",
                };
                let items = match of_path {
                    false => "a new item in every clock",
                    true => "new keys of the shortest frames without a gap",
                };
                let rows = match row_bits {
                    1 => widest.to_owned(),
                    bits => format!("{bits} bits, {widest}"),
                };
                write!(
                    f,
                    "with a spare half {items} would wait for erases at threshold {threshold}: rows of {rows}, hold nothing up \
                     only from threshold {least} on"
                )
            }
            EraseReason::Memory {
                needed,
                available,
                name,
            } => write!(
                f,
                "a spare half takes {needed} {name}, and the part has {available}"
            ),
            EraseReason::NeverWaits {
                threshold,
                least,
                row_bits,
                of_path,
            } => {
                let bits = if *row_bits == 1 { "bit" } else { "bits" };
                let frames = match of_path {
                    false => "",
                    true => ", however fast frames come",
                };
                write!(
                    f,
                    "single bits take about half the logic, and with rows of {row_bits} {bits}, the narrowest that do, an erase holds nothing up from \
                     threshold {least} on{frames}; this one is {threshold}"
                )
            }
            EraseReason::OnlyClears => f.write_str(
                "single cells take less logic and no more memory, and nothing is erased but by a clear",
            ),
        }
    }
}
