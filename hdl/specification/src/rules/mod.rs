//! The rules of a specification, one function each. An error names the nearest legal value where there is one.

use crate::common::Common;
use crate::erase::{safe_row_widths, EraseRequest};
use crate::error::SpecError;
use crate::key::MAX_KEY_BITS;
use crate::key_source::KeyFormat;
use crate::packet::Ports;
use crate::part::Part;
use crate::ports::{design_name, outer_ports};
use crate::specification::{FilterSpec, InterfaceSection, KeySection};
use crate::values::{
    AutoOrInteger, EraseSetting, FilterKind, Hashing, Latency, Layout, Parity, RegisterSet,
};
use std::path::Path;

mod card;
mod features;
mod packet;

pub(crate) use features::Features;
pub use features::VERDICT_QUEUE_DEPTHS;

/// Most probes an item may make.
pub const MAX_HASHES: u64 = 32;
/// Most data bits of a half: counts of them fit the 32-bit registers.
pub(crate) const MAX_HALF_BITS: u64 = u32::MAX as u64;
/// Fastest clock, in hertz; no FPGA fabric runs faster.
pub(crate) const MAX_CLOCK_HZ: u64 = 1_000_000_000;
/// Bits of a row of the spare half: widths of a block RAM's port.
pub(crate) const ROW_BITS: &[u64] = &[1, 2, 4, 8, 16];
/// Distinct draws need at least as many positions as probes.
const MAX_DISTINCT: u64 = MAX_HASHES;
/// Longest module name; file names are built from it.
const MAX_NAME_CHARACTERS: usize = 64;
/// Widest tag, in bits, of which a card takes one.
const MAX_TAG_BITS: u64 = 64;

/// The rules, with the file their errors name.
pub struct Rules<'a> {
    file: &'a Path,
}

impl<'a> Rules<'a> {
    pub fn new(file: &'a Path) -> Rules<'a> {
        Rules { file }
    }

    pub(crate) fn broken(
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
            at: None,
        }
    }

    pub(crate) fn unsupported(
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
            at: None,
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

    pub fn tag_bits(&self, bits: u64, has_card: bool) -> Result<u32, SpecError> {
        const KEY: &str = "key.tag_bits";
        let most = MAX_TAG_BITS - u64::from(has_card);
        if has_card && bits > most {
            let rule = format!("must be from 1 to {most} (a [card] takes one tag bit)");
            return Err(self.broken(KEY, bits, rule, nearest(most)));
        }
        self.integer(KEY, bits, 1, most)
    }

    pub fn name(&self, name: &str) -> Result<(), SpecError> {
        let legal = legal_name(name);
        if legal == name {
            return Ok(());
        }
        let rule = format!(
            "must be a Verilog identifier in lower case (a letter or _, then letters, digits or _), without __, no keyword, no \
             library or type of VHDL, at most {MAX_NAME_CHARACTERS} characters: it names the top module, and NAME__ begins the names of its parts"
        );
        Err(self.broken("name", quoted(name), rule, nearest(quoted(&legal))))
    }

    /// The emitted module is not called like one of its ports: in VHDL a component and a signal are of one name space.
    pub fn name_beside_ports(&self, common: &Common) -> Result<(), SpecError> {
        let name = design_name(common);
        match outer_ports(common)
            .iter()
            .any(|outer| outer.port.name == name)
        {
            false => Ok(()),
            true => Err(self.broken(
                "name",
                quoted(common.name()),
                "must not be the name of a port of the design",
                nearest(quoted(format!("{name}{SUFFIX}"))),
            )),
        }
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

    /// Copies belong to a Count-Min sketch in banks under double hashing, and share its rows evenly, two or more each.
    pub fn copies(&self, spec: &FilterSpec, hashes: u32) -> Result<u32, SpecError> {
        const KEY: &str = "filter.copies";
        let filter = &spec.filter;
        let misplaced = if filter.copies == 1 {
            return Ok(1);
        } else if filter.kind != FilterKind::CountMin {
            Some((
                "belongs to filter.kind = \"count-min\", whose estimate is the least of its copies",
                "leave it out, or use filter.kind = \"count-min\"",
            ))
        } else if filter.layout == Layout::Shared {
            Some((
                "belongs to filter.layout = \"partitioned\", in which each row of each copy has a bank",
                "leave it out, or use filter.layout = \"partitioned\"",
            ))
        } else if filter.hashing == Hashing::Independent {
            Some((
                "belongs to filter.hashing = \"double\"; where each row has a function of its own, copies change nothing",
                "leave it out, or use filter.hashing = \"double\"",
            ))
        } else {
            None
        };
        if let Some((rule, advice)) = misplaced {
            return Err(self.broken(KEY, filter.copies, rule, advice));
        }
        let copies = self.integer(KEY, filter.copies, 1, u64::from(hashes / 2).max(1))?;
        if hashes.is_multiple_of(copies) {
            return Ok(copies);
        }
        let rule = format!("must divide filter.hashes = {hashes} into as many rows for each copy");
        let fewer = (1..copies)
            .rev()
            .find(|&fewer| hashes.is_multiple_of(fewer));
        Err(self.broken(KEY, copies, rule, nearest(fewer.unwrap_or(1))))
    }

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
                    "{...}",
                    rule,
                    "leave the section out, or change the kind",
                ));
            }
        }
        Ok(())
    }

    /// A self-check is there for some filters only, for `reason`.
    pub fn self_check_unsupported(&self, reason: &'static str) -> SpecError {
        let advice = "leave out protection.self_check; a reset brings a filter back whose stream has stopped";
        self.unsupported("protection.self_check", true, reason, advice)
    }

    /// A word bears a parity bit or an error-correcting code.
    pub fn ecc_without_parity(&self, spec: &FilterSpec) -> Result<(), SpecError> {
        if spec.ecc() && spec.parity() != Parity::None {
            let rule = "stands in the place of a parity bit: what memory.ecc cannot correct it counts, and uses as it is";
            return Err(self.broken("memory.ecc", true, rule, "leave out memory.parity"));
        }
        Ok(())
    }

    /// A self-check belongs to recycling filters.
    pub fn no_self_check(&self, spec: &FilterSpec) -> Result<(), SpecError> {
        match spec.self_check() {
            true => Err(self.self_check_unsupported("only recycling filters have one yet")),
            false => Ok(()),
        }
    }

    /// How memory is to be emptied, which not every kind can do in every way.
    pub fn erase(&self, spec: &FilterSpec) -> Result<EraseRequest, SpecError> {
        let kind = spec.filter.kind;
        let setting = spec.erase();
        let refused = match setting {
            EraseSetting::SpareHalf if kind != FilterKind::Recycling => {
                Some("belongs to filter.kind = \"recycling\", which erases one half while others are in use")
            }
            EraseSetting::InPlace if matches!(kind, FilterKind::Recycling | FilterKind::Sliding) => {
                Some("belongs to filter.kind = \"static\", \"counting\" and \"count-min\", whose cells are erased when they are cleared")
            }
            EraseSetting::Auto if kind == FilterKind::Sliding => {
                Some("belongs to filters that can be emptied in two ways, of every kind but \"sliding\"")
            }
            _ => None,
        };
        if let Some(rule) = refused {
            let rule = format!("{rule}; this is \"{kind}\"");
            return Err(self.broken("memory.erase", quoted(setting), rule, "leave it out"));
        }
        if matches!(setting, EraseSetting::SpareHalf | EraseSetting::InPlace) {
            self.single_cells_supported(spec)?;
        }
        let latency = self.latency(spec)?;
        let section = spec.features();
        let needs = [
            (latency != Latency::Default, "a lower target.latency"),
            (
                section.array_access == Some(false),
                "features.array_access = false",
            ),
            (
                section.registers == RegisterSet::Threshold,
                "features.registers = \"threshold\"",
            ),
        ];
        Ok(EraseRequest {
            setting,
            row_bits: self.row_bits(spec, self.part(spec)?)?,
            words_for: words_needed(spec),
            single_bits_for: first_that_holds(&needs),
        })
    }

    /// What banks of single cells cannot do.
    fn single_cells_supported(&self, spec: &FilterSpec) -> Result<(), SpecError> {
        let (reason, advice) = if spec.filter.layout == Layout::Shared {
            (
                "the shared layout writes k cells of one array one after the other, in words with epochs",
                "use memory.erase = \"epoch\", or filter.layout = \"partitioned\"",
            )
        } else if spec.ecc() {
            (
                "cells that stand alone have no word that could bear a code",
                "use memory.erase = \"epoch\", or leave out memory.ecc",
            )
        } else if spec.parity() != Parity::None {
            (
                "cells that stand alone have no word whose parity could be kept",
                "use memory.erase = \"epoch\", or leave out memory.parity",
            )
        } else if has_window(spec) {
            (
                "the panes of a window are emptied amid the items, which only words with epochs can",
                "use memory.erase = \"epoch\", or leave out filter.counting.window",
            )
        } else {
            return Ok(());
        };
        Err(self.unsupported("memory.erase", quoted(spec.erase()), reason, advice))
    }

    /// How short the way of an item is to be, which only some filters can choose.
    fn latency(&self, spec: &FilterSpec) -> Result<Latency, SpecError> {
        let latency = spec.latency();
        let single_bits = match spec.erase() {
            EraseSetting::SpareHalf => true,
            EraseSetting::Auto => words_needed(spec).is_none(),
            EraseSetting::Epoch | EraseSetting::InPlace => false,
        };
        let (reason, advice) = if latency == Latency::Default {
            return Ok(latency);
        } else if spec.filter.kind != FilterKind::Recycling {
            (
                "only recycling filters with a spare half have another pipeline yet",
                "leave it out",
            )
        } else if !single_bits {
            (
                "filters of memory words have no other pipeline",
                "use memory.erase = \"spare-half\", in the partitioned layout and without parity, error correction and self-check",
            )
        } else if spec.hash.family.is_keyed() {
            (
                "a keyed hash takes more clocks than everything else, and has no other pipeline",
                "leave it out, or use hash.family = \"h3-sbox\" where no attacker chooses keys",
            )
        } else {
            return Ok(latency);
        };
        Err(self.unsupported("target.latency", quoted(latency), reason, advice))
    }

    /// The part, if the specification says it.
    pub fn part(&self, spec: &FilterSpec) -> Result<Option<Part>, SpecError> {
        let Some(name) = spec.target.as_ref().and_then(|target| target.part.as_ref()) else {
            return Ok(None);
        };
        match Part::named(name) {
            Some(part) => Ok(Some(part)),
            None => Err(self.broken(
                "target.part",
                quoted(name),
                "is no part whose block RAM is known",
                format!(
                    "use a family ({}), or leave it out",
                    Part::families().join(", ")
                ),
            )),
        }
    }

    /// Bits of a row that is erased in one clock; `None` is `auto`.
    fn row_bits(&self, spec: &FilterSpec, part: Option<Part>) -> Result<Option<u32>, SpecError> {
        const KEY: &str = "memory.row_bits";
        let setting = spec.erase();
        let Some(bits) = spec.memory.as_ref().and_then(|memory| memory.row_bits) else {
            return Ok((setting != EraseSetting::Auto).then_some(1));
        };
        if setting == EraseSetting::Epoch {
            let rule = "belongs to memory.erase = \"spare-half\", \"in-place\" and \"auto\"; by epochs nothing is erased";
            let value = match bits {
                AutoOrInteger::Auto => quoted("auto"),
                AutoOrInteger::Fixed(bits) => bits.to_string(),
            };
            return Err(self.broken(KEY, value, rule, "leave it out"));
        }
        let AutoOrInteger::Fixed(bits) = bits else {
            return Ok(None);
        };
        let counts = matches!(
            spec.filter.kind,
            FilterKind::Counting | FilterKind::CountMin
        );
        if bits != 1 && counts {
            let rule = format!(
                "belongs to single bits; of filter.kind = \"{}\" a clear erases one counter in each clock",
                spec.filter.kind
            );
            return Err(self.broken(KEY, bits, rule, "leave it out"));
        }
        if !ROW_BITS.contains(&bits) {
            let legal = nearest_power_of_two(bits).clamp(1, ROW_BITS[ROW_BITS.len() - 1]);
            let rule = "must be 1, 2, 4, 8 or 16: a width of a block RAM's port";
            return Err(self.broken(KEY, bits, rule, nearest(legal)));
        }
        let safe = safe_row_widths(part);
        if part.is_some() && !safe.contains(&(bits as u32)) {
            let rule = "needs block RAM that reads the old bits of a row while the other port sets one of them, which nobody promises of target.part";
            return Err(self.broken(KEY, bits, rule, nearest(1)));
        }
        Ok(Some(bits as u32))
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

    /// Conservative update goes with counters of which an item has several in one array; `no_counters` says why a kind without counters
    /// has no use for it, and what to do.
    pub fn conservative(
        &self,
        spec: &FilterSpec,
        no_counters: Option<(&str, &str)>,
    ) -> Result<(), SpecError> {
        let filter = &spec.filter;
        if !filter.conservative {
            return Ok(());
        }
        let (rule, advice) = match no_counters {
            Some(refused) => refused,
            None if filter.layout == Layout::Partitioned => (
                "belongs to filter.layout = \"shared\"; at one item a clock the least of all banks would have to be back at \
                 each of them in the clock in which the next item reads",
                "use filter.layout = \"shared\", at one insertion in 2 k + 4 clocks, or leave it out",
            ),
            None if filter.hashes == 1 => (
                "needs at least two hashes; the one counter of an item is its least, and is raised by every insertion",
                "leave it out, or use filter.hashes = 2 or more",
            ),
            None => return Ok(()),
        };
        Err(self.broken("filter.conservative", true, rule, advice))
    }

    /// Positions of a bank of a power of two that are used.
    pub fn range(&self, spec: &FilterSpec, cells: u64) -> Result<u64, SpecError> {
        self.range_from(cells / 2 + 1, spec, cells, "half of them")
    }

    /// The same of a bank that could be smaller in finer steps: with `enough` for fewer positions than `least`.
    pub fn range_from(
        &self,
        least: u64,
        spec: &FilterSpec,
        cells: u64,
        enough: &str,
    ) -> Result<u64, SpecError> {
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
        let least = least.max(MAX_DISTINCT).min(cells);
        if !(least..=cells).contains(&range) {
            let rule = format!(
                "must be from {least} to {cells}: a bank has {cells} cells, and {enough} would do for fewer positions"
            );
            let legal = (range.clamp(least, cells)..=cells).find(|&n| fits(n));
            return Err(self.broken(KEY, range, rule, nearest(legal.unwrap_or(cells))));
        }
        if fits(range) {
            return Ok(range);
        }
        let below = (least..range).rev().find(|&n| is_prime(n));
        let above = (range..=cells).find(|&n| is_prime(n));
        let legal = [below, above].into_iter().flatten().map(|n| n.to_string());
        let legal: Vec<String> = legal.collect();
        let rule = format!(
            "is no prime; under filter.hashing = \"{}\" a range that shares a factor with h2 is not gone through, so it is a prime or \
             the whole bank of {cells}",
            filter.hashing
        );
        let advice = match legal.is_empty() {
            true => nearest(cells),
            false => format!("nearest primes {}", legal.join(" and ")),
        };
        Err(self.broken(KEY, range, rule, advice))
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

    /// The names of clock and reset; a line card has those of its pins.
    pub fn interface(&self, spec: &FilterSpec) -> Result<InterfaceSection, SpecError> {
        let interface = spec.interface.unwrap_or_default();
        let ports = spec.packet.as_ref().map(|packet| packet.ports);
        if ports != Some(Ports::Rgmii) || interface == InterfaceSection::default() {
            return Ok(interface);
        }
        let rule = "belongs to designs with streams; a line card's clock and reset are `clock` and `hold`, and go to pins";
        let (key, word) = match interface.clock == InterfaceSection::default().clock {
            true => ("interface.reset", quoted(interface.reset)),
            false => ("interface.clock", quoted(interface.clock)),
        };
        Err(self.broken(key, word, rule, "leave the section [interface] out"))
    }

    pub fn clock(&self, clock_hz: u64) -> Result<(), SpecError> {
        self.integer("target.clock_hz", clock_hz, 1, MAX_CLOCK_HZ)
            .map(|_| ())
    }
}

/// What a specification asks for that only memory words with epochs have, in its own words.
fn words_needed(spec: &FilterSpec) -> Option<&'static str> {
    let needs = [
        (
            spec.filter.layout == Layout::Shared,
            "filter.layout = \"shared\"",
        ),
        (has_window(spec), "filter.counting.window"),
        (spec.ecc(), "memory.ecc"),
        (spec.parity() != Parity::None, "memory.parity"),
        (spec.self_check(), "protection.self_check"),
    ];
    first_that_holds(&needs)
}

/// A counting filter that counts over a window.
fn has_window(spec: &FilterSpec) -> bool {
    let counting = spec.filter.counting.as_ref();
    counting.is_some_and(|section| section.window.is_some())
}

fn first_that_holds(needs: &[(bool, &'static str)]) -> Option<&'static str> {
    let mut held = needs.iter().filter(|(holds, _)| *holds);
    held.next().map(|(_, what)| *what)
}

/// Whether `n` is a prime, by trial division: ranges have at most 32 bits.
fn is_prime(n: u64) -> bool {
    n >= 2
        && (2..)
            .take_while(|d| d * d <= n)
            .all(|d| !n.is_multiple_of(d))
}

pub(crate) fn nearest(value: impl ToString) -> String {
    format!("nearest legal value {}", value.to_string())
}

pub(crate) fn quoted(value: impl ToString) -> String {
    format!("{:?}", value.to_string())
}

/// The nearest power of two, the lower of two equally near; 1 for 0.
pub(crate) fn nearest_power_of_two(value: u64) -> u64 {
    let below = previous_power_of_two(value);
    match below.checked_mul(2) {
        Some(above) if value > below && above - value < value - below => above,
        _ => below,
    }
}

/// The greatest power of two that is not above `value`; 1 for 0.
pub(crate) fn previous_power_of_two(value: u64) -> u64 {
    1 << value.max(1).ilog2()
}

/// How many of what, in words: "1 bank", "4 banks".
pub fn counted(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// What makes a legal name of one that is taken.
const SUFFIX: &str = "_filter";

/// The name itself if it is legal for a filter, else a legal one like it.
pub fn legal_name(name: &str) -> String {
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
    while legal.contains("__") {
        legal = legal.replace("__", "_");
    }
    if !legal.starts_with(|first: char| first == '_' || first.is_ascii_lowercase()) {
        legal.insert(0, '_');
        legal.truncate(MAX_NAME_CHARACTERS);
    }
    if [KEYWORDS, CPP_WORDS, VHDL_NAMES]
        .iter()
        .any(|names| names.contains(&legal.as_str()))
    {
        legal.push_str(SUFFIX);
    }
    legal
}

/// Libraries and types that a component of the name would hide from VHDL's text.
const VHDL_NAMES: &[&str] = &[
    "ieee",
    "std",
    "std_logic",
    "std_logic_vector",
    "std_ulogic",
    "work",
];

/// Reserved words of C++, to which Verilator compiles.
#[rustfmt::skip]
const CPP_WORDS: &[&str] = &[
    "alignas", "alignof", "asm", "auto", "bool", "catch", "char", "compl", "concept", "const_cast", "constexpr",
    "decltype", "delete", "double", "dynamic_cast", "explicit", "false", "float", "friend", "goto", "inline", "long",
    "mailbox", "mutable", "namespace", "noexcept", "nullptr", "operator", "private", "public", "register",
    "reinterpret_cast", "requires", "shared", "short", "sizeof", "static_assert", "static_cast", "std", "switch",
    "template", "thread_local", "throw", "true", "try", "typeid", "typename", "using", "volatile", "wchar_t",
];

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
