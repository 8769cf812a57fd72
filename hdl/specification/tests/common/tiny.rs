//! A small specification for tests to vary, of this crate's and of the command's.

/// Two phases on bits set, doubly hashed, with 104-bit keys.
pub const BASE: &str = "\
name = \"tiny\"
[filter]
kind = \"recycling\"
memory_bits = 131072
hashes = 4
hashing = \"double\"
[filter.recycle]
phases = 2
on = \"bits-set\"
threshold = 20000
[key]
bits = 104
[hash]
family = \"h3-sbox\"
seed = 1
";

/// The text with each first occurrence replaced; every replacement must find its place.
pub fn edited(text: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "`{from}` is not in the text");
        text.replacen(from, to, 1)
    })
}
