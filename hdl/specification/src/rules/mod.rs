//! The rules of a specification, one function each. An error names the nearest legal value where there is one.

use crate::error::SpecError;
use crate::geometry::{Sizing, ThresholdSetting, TICK_CLOCKS};
use crate::key::MAX_KEY_BITS;
use crate::key_source::KeyFormat;
use crate::specification::{FilterSpec, KeySection, RecycleSection};
use crate::values::{FilterKind, HashFamily, Hashing, Layout, RecycleOn};
use std::path::Path;

mod card;
mod cells;
mod packet;
mod recycling;
pub mod sliding;

/// Most probes an item may make.
pub const MAX_HASHES: u64 = 32;
/// Least data bits of a partition: four words, so that an address has two bits.
const MIN_PARTITION_BITS: u64 = 128;
/// Most data bits of a half: counts of them fit the 32-bit registers.
const MAX_HALF_BITS: u64 = u32::MAX as u64;
/// Fastest clock, in hertz; no FPGA fabric runs faster.
const MAX_CLOCK_HZ: u64 = 1_000_000_000;
/// Longest module name; file names are built from it.
const MAX_NAME_CHARACTERS: usize = 64;

/// The rules, with the file their errors name.
pub struct Rules<'a> {
    file: &'a Path,
}

impl<'a> Rules<'a> {
    pub fn new(file: &'a Path) -> Rules<'a> {
        Rules { file }
    }

    fn broken(
        &self,
        key: &'static str,
        value: impl ToString,
        rule: impl Into<String>,
        advice: impl Into<String>,
    ) -> SpecError {
        SpecError::Rule {
            file: self.file.to_owned(),
            key,
            value: value.to_string(),
            rule: rule.into(),
            advice: advice.into(),
        }
    }

    fn unsupported(
        &self,
        key: &'static str,
        value: impl ToString,
        reason: &'static str,
        advice: impl Into<String>,
    ) -> SpecError {
        SpecError::Unsupported {
            file: self.file.to_owned(),
            key,
            value: value.to_string(),
            reason,
            advice: advice.into(),
        }
    }

    /// An integer in a range whose upper end fits 32 bits.
    pub fn integer(
        &self,
        key: &'static str,
        value: u64,
        least: u64,
        most: u64,
    ) -> Result<u32, SpecError> {
        if (least..=most).contains(&value) {
            if let Ok(value) = u32::try_from(value) {
                return Ok(value);
            }
        }
        let rule = format!("must be from {least} to {most}");
        Err(self.broken(key, value, rule, nearest(value.clamp(least, most))))
    }

    pub fn name(&self, name: &str) -> Result<(), SpecError> {
        let legal = legal_name(name);
        if legal == name {
            return Ok(());
        }
        let rule = format!(
            "must be a Verilog identifier in lower case (a letter or _, then letters, digits or _), no keyword, at most \
             {MAX_NAME_CHARACTERS} characters: it names the top module"
        );
        Err(self.broken("name", quoted(name), rule, nearest(quoted(&legal))))
    }

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
    pub fn supported(&self, spec: &FilterSpec) -> Result<(), SpecError> {
        let filter = &spec.filter;
        if filter.layout != Layout::Partitioned && filter.kind == FilterKind::Sliding {
            return Err(self.unsupported(
                "filter.layout",
                quoted(filter.layout),
                "the sliding-window filter has one table",
                "use \"partitioned\"",
            ));
        }
        if let Some(range) = filter.range {
            let reason = match (filter.kind, filter.layout) {
                (FilterKind::Sliding, _) => Some("the sliding-window filter uses every position"),
                (FilterKind::Recycling, Layout::Partitioned) => {
                    Some("a recycling filter in the partitioned layout uses every position")
                }
                _ => None,
            };
            if let Some(reason) = reason {
                return Err(self.unsupported("filter.range", range, reason, "leave it out"));
            }
        }
        let keyed = matches!(
            spec.hash.family,
            HashFamily::SipHash | HashFamily::SipHash24
        );
        if keyed && filter.kind == FilterKind::Sliding {
            return Err(self.unsupported(
                "hash.family",
                quoted(spec.hash.family),
                "the sliding-window filter has no registers for a secret",
                "use \"h3-sbox\", which does not resist an attacker who knows the seed",
            ));
        }
        Ok(())
    }

    /// Hashing, layout and distinct draws fit each other.
    pub fn probing(&self, spec: &FilterSpec) -> Result<(), SpecError> {
        let filter = &spec.filter;
        let partitioned = filter.layout == Layout::Partitioned;
        let independent = filter.hashing == Hashing::Independent;
        if filter.distinct && partitioned {
            let rule = "belongs to filter.layout = \"shared\"; in the partitioned layout positions never collide";
            return Err(self.broken("filter.distinct", true, rule, nearest(false)));
        }
        if filter.distinct && !independent {
            let rule = format!(
                "needs k independent functions; filter.hashing = \"{}\" ties the k positions to two",
                filter.hashing
            );
            return Err(self.broken(
                "filter.distinct",
                true,
                rule,
                "use false, or filter.hashing = \"independent\"",
            ));
        }
        if partitioned && !independent && filter.hashing != Hashing::Double {
            let rule = "belongs to filter.layout = \"shared\"; in the partitioned layout f(i) only renumbers the positions of bank i \
                        and changes no rate";
            let advice =
                "use \"double\", or \"independent\" where the floor of two hash functions matters";
            return Err(self.broken("filter.hashing", quoted(filter.hashing), rule, advice));
        }
        Ok(())
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

    /// The memory divides into phases and partitions, each partition a power of two of a legal size; gives that size.
    pub fn memory(&self, memory_bits: u64, phases: u32, hashes: u32) -> Result<u64, SpecError> {
        let parts = u64::from(phases) * u64::from(hashes);
        let partition = memory_bits / parts;
        let most_partition = previous_power_of_two(MAX_HALF_BITS / u64::from(hashes));
        let legal =
            parts * nearest_power_of_two(partition).clamp(MIN_PARTITION_BITS, most_partition);
        let broken = |rule: String| {
            Err(self.broken("filter.memory_bits", memory_bits, rule, nearest(legal)))
        };
        if !memory_bits.is_multiple_of(parts) {
            return broken(format!(
                "must be divisible by filter.recycle.phases * filter.hashes = {phases} * {hashes} = {parts}"
            ));
        }
        if partition < MIN_PARTITION_BITS {
            return broken(format!(
                "gives partitions of {partition} bits (over {phases} phases * {hashes} hashes); a partition must be at \
                 least {MIN_PARTITION_BITS} bits"
            ));
        }
        if !partition.is_power_of_two() {
            return broken(format!(
                "gives partitions of {partition} bits (over {phases} phases * {hashes} hashes); a partition must be a \
                 power of two (other ranges come with reduction by multiply-high, not in this version)"
            ));
        }
        if partition > most_partition {
            return broken(format!(
                "gives partitions of {partition} bits (over {phases} phases * {hashes} hashes); with {hashes} hashes a \
                 partition must be at most {most_partition} bits, so that a count of the bits of a half fits a 32-bit \
                 register"
            ));
        }
        Ok(partition)
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
        let most = sizing.half_bits();
        let (least, rule) = match sizing.recycle_on() {
            RecycleOn::BitsSet => {
                let hashes = u64::from(sizing.hashes());
                let rule = format!(
                    "must be from {hashes} to {most} bits set: a half has {most} bits, and below {hashes}, the bits of \
                     one item, an empty half has no room for any item"
                );
                (hashes, rule)
            }
            RecycleOn::Messages => {
                let rule = format!(
                    "must be from 1 to {most} messages: the N-th bit-setting message trips the recycle, and a half of \
                     {most} bits accepts no more of them"
                );
                (1, rule)
            }
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

    pub fn key_format(&self, key: &KeySection) -> Result<KeyFormat, SpecError> {
        if let Some(bits) = key.bits {
            self.integer("key.bits", bits, 1, u64::from(MAX_KEY_BITS))?;
        }
        match (key.bits, key.source) {
            (None, None) => {
                let rule = "either key.bits or key.source is required";
                Err(self.broken(
                    "key.bits",
                    "(missing)",
                    rule,
                    "add bits = 104, the width of an IPv4 5-tuple",
                ))
            }
            (Some(bits), Some(source)) if bits != u64::from(source.bits()) => {
                let rule = format!(
                    "contradicts key.source = \"{source}\", which is {} bits wide",
                    source.bits()
                );
                Err(self.broken(
                    "key.bits",
                    bits,
                    rule,
                    format!("{}, or leave key.bits out", nearest(source.bits())),
                ))
            }
            (_, Some(source)) => Ok(KeyFormat {
                bits: source.bits(),
                source: Some(source),
            }),
            (Some(bits), None) => Ok(KeyFormat {
                bits: self.integer("key.bits", bits, 1, u64::from(MAX_KEY_BITS))?,
                source: None,
            }),
        }
    }

    pub fn clock(&self, clock_hz: u64) -> Result<(), SpecError> {
        self.integer("target.clock_hz", clock_hz, 1, MAX_CLOCK_HZ)
            .map(|_| ())
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
}

fn nearest(value: impl ToString) -> String {
    format!("nearest legal value {}", value.to_string())
}

fn quoted(value: impl ToString) -> String {
    format!("{:?}", value.to_string())
}

/// The nearest power of two, the lower of two equally near; 1 for 0.
fn nearest_power_of_two(value: u64) -> u64 {
    let below = previous_power_of_two(value);
    match below.checked_mul(2) {
        Some(above) if value > below && above - value < value - below => above,
        _ => below,
    }
}

/// The greatest power of two that is not above `value`; 1 for 0.
fn previous_power_of_two(value: u64) -> u64 {
    1 << value.max(1).ilog2()
}

/// The name itself if it is legal, else a legal one like it.
fn legal_name(name: &str) -> String {
    let mut legal: String = name
        .chars()
        .map(|character| character.to_ascii_lowercase())
        .map(|character| {
            if matches!(character, 'a'..='z' | '0'..='9' | '_') {
                character
            } else {
                '_'
            }
        })
        .take(MAX_NAME_CHARACTERS)
        .collect();
    if !legal.starts_with(|first: char| first == '_' || first.is_ascii_lowercase()) {
        legal.insert(0, '_');
        legal.truncate(MAX_NAME_CHARACTERS);
    }
    if KEYWORDS.contains(&legal.as_str()) {
        legal.push_str("_filter");
    }
    legal
}

/// Reserved words of Verilog (IEEE 1364-2005) and SystemVerilog (IEEE 1800-2017).
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "accept_on", "alias", "always", "always_comb", "always_ff", "always_latch", "and", "assert", "assign", "assume",
    "automatic", "before", "begin", "bind", "bins", "binsof", "bit", "break", "buf", "bufif0", "bufif1", "byte", "case",
    "casex", "casez", "cell", "chandle", "checker", "class", "clocking", "cmos", "config", "const", "constraint",
    "context", "continue", "cover", "covergroup", "coverpoint", "cross", "deassign", "default", "defparam", "design",
    "disable", "dist", "do", "edge", "else", "end", "endcase", "endchecker", "endclass", "endclocking", "endconfig",
    "endfunction", "endgenerate", "endgroup", "endinterface", "endmodule", "endpackage", "endprimitive", "endprogram",
    "endproperty", "endsequence", "endspecify", "endtable", "endtask", "enum", "event", "eventually", "expect", "export",
    "extends", "extern", "final", "first_match", "for", "force", "foreach", "forever", "fork", "forkjoin", "function",
    "generate", "genvar", "global", "highz0", "highz1", "if", "iff", "ifnone", "ignore_bins", "illegal_bins",
    "implements", "implies", "import", "incdir", "include", "initial", "inout", "input", "inside", "instance", "int",
    "integer", "interconnect", "interface", "intersect", "join", "join_any", "join_none", "large", "let", "liblist",
    "library", "local", "localparam", "logic", "longint", "macromodule", "matches", "medium", "modport", "module", "nand",
    "negedge", "nettype", "new", "nexttime", "nmos", "nor", "noshowcancelled", "not", "notif0", "notif1", "null", "or",
    "output", "package", "packed", "parameter", "pmos", "posedge", "primitive", "priority", "program", "property",
    "protected", "pull0", "pull1", "pulldown", "pullup", "pulsestyle_ondetect", "pulsestyle_onevent", "pure", "rand",
    "randc", "randcase", "randsequence", "rcmos", "real", "realtime", "ref", "reg", "reject_on", "release", "repeat",
    "restrict", "return", "rnmos", "rpmos", "rtran", "rtranif0", "rtranif1", "s_always", "s_eventually", "s_nexttime",
    "s_until", "s_until_with", "scalared", "sequence", "shortint", "shortreal", "showcancelled", "signed", "small",
    "soft", "solve", "specify", "specparam", "static", "string", "strong", "strong0", "strong1", "struct", "super",
    "supply0", "supply1", "sync_accept_on", "sync_reject_on", "table", "tagged", "task", "this", "throughout", "time",
    "timeprecision", "timeunit", "tran", "tranif0", "tranif1", "tri", "tri0", "tri1", "triand", "trior", "trireg",
    "type", "typedef", "union", "unique", "unique0", "unsigned", "until", "until_with", "untyped", "use", "uwire", "var",
    "vectored", "virtual", "void", "wait", "wait_order", "wand", "weak", "weak0", "weak1", "while", "wildcard", "wire",
    "with", "within", "wor", "xnor", "xor",
];

#[cfg(test)]
mod tests {
    use super::*;
    use itertools::Itertools;
    use proptest::prelude::*;

    #[test]
    fn keywords_are_sorted_and_unique() {
        assert!(KEYWORDS.iter().tuple_windows().all(|(a, b)| a < b));
    }

    #[test]
    fn nearest_power_of_two_is_nearest() {
        let cases = [
            (0, 1),
            (1, 1),
            (3, 2),
            (5, 4),
            (7, 8),
            (95, 64),
            (96, 64),
            (97, 128),
            (u64::MAX, 1 << 63),
        ];
        for (value, expected) in cases {
            assert_eq!(nearest_power_of_two(value), expected, "{value}");
        }
    }

    proptest! {
        #[test]
        fn the_name_offered_is_legal_itself(name in ".{0,100}") {
            let legal = legal_name(&name);
            prop_assert_eq!(legal_name(&legal), legal.clone());
            prop_assert!(!legal.is_empty() && legal.len() <= MAX_NAME_CHARACTERS);
        }
    }
}
