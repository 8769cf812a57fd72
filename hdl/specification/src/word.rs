//! Widths and sizes of memory words.

/// Data bits of a memory word.
pub const WORD_BITS: u32 = 32;
/// Bits of a memory word's epoch tag; with the data they fill a 36-bit block-RAM word.
pub const EPOCH_BITS: u32 = 4;
/// Least memory words of a bank whose words are refreshed one after the other: a refresh comes round to a word only when the last one has left the loop.
pub const MIN_CELL_WORDS: u64 = 8;
/// Least window of a counting filter, in insertions: a pane is emptied again only when its last emptying has left every trace.
pub const MIN_WINDOW: u64 = 64;
/// Greatest window of a counting filter, in insertions.
pub const MAX_WINDOW: u64 = u32::MAX as u64;
