//! Reference of the specification's keys: one row a key, from which the documentation, `explain` and the JSON Schema are made.

use crate::host_port::{HostAuth, HOST_UDP_PORT};
use crate::key::MAX_KEY_BITS;
use crate::key_source::KeySource;
use crate::packet::{Ports, Tunnel, FRAME_BUFFER_BYTES, FRAME_DATA_BITS, LANES, MAX_FRAME_BYTES};
use crate::part::Part;
use crate::rules::{MAX_CLOCK_HZ, MAX_HALF_BITS, MAX_HASHES, ROW_BITS, VERDICT_QUEUE_DEPTHS};
use crate::similar::letters_changed;
use crate::values::{
    ClockName, CounterWidth, EraseSetting, FilterKind, HashFamily, Hashing, Latency, Layout,
    Parity, RecycleOn, RegisterSet, ResetName, WindowTable,
};
use crate::word::{MAX_WINDOW, MIN_WINDOW};
use std::fmt;

/// What a key takes.
#[derive(Debug, Clone, Copy)]
pub enum KeyType {
    /// A table, `[filter]` for example.
    Table,
    /// A Verilog identifier in lower case, between quotes.
    Identifier,
    /// One of these words, between quotes.
    Word(fn() -> Vec<&'static str>),
    /// An integer in a range; `u64::MAX` is no limit.
    Integer(u64, u64),
    /// One of these integers.
    OneOf(&'static [u64]),
    /// A rate above 0 and below this.
    RateBelow(f64),
    /// A rate above 0 and at most this.
    RateUpTo(f64),
    /// A list of these words, each once.
    Words(fn() -> Vec<&'static str>),
    /// `true` or `false`.
    Flag,
    /// `"auto"` or an integer.
    AutoOrInteger,
    /// `"auto"` or one of these integers.
    AutoOrOneOf(&'static [u64]),
    /// An FPGA part's ordering code, or the word of a family.
    Part,
    /// `"none"` or one of these integers.
    NoneOrOneOf(&'static [u64]),
    /// `"pass"`, `"drop"` or `"mark:N"`.
    Policy,
    /// A MAC address, `"02:b1:00:00:00:01"` for example.
    Mac,
    /// An IPv4 address, `"192.168.1.50"` for example.
    Ipv4,
}

/// What holds when a key is not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// The key is required wherever its table is given (`filter`, `key`: always), for the kinds that it belongs to.
    Required,
    /// This value, as TOML, is taken.
    Default(&'static str),
    /// No value is taken; the text says what happens then.
    Optional(&'static str),
}

/// One key of a specification: a row of [`KEYS`].
#[derive(Debug, Clone, Copy)]
pub struct SpecKey {
    /// Dotted name, such as `filter.hashes`.
    pub path: &'static str,
    /// What it takes.
    pub value: KeyType,
    /// Unit of a number; empty where there is none.
    pub unit: &'static str,
    /// Whether it is required, and what holds where it is not given.
    pub presence: Presence,
    /// Kinds of filter that it belongs to; empty for all kinds.
    pub kinds: &'static [FilterKind],
    /// What it is, in a few words.
    pub meaning: &'static str,
    /// Rule beyond the type; empty where there is none.
    pub rule: &'static str,
    /// What changing it does.
    pub effect: &'static str,
    /// A value that it may have, as TOML; empty for a table.
    pub example: &'static str,
}

impl SpecKey {
    /// Table that it stands in: `filter.recycle` for `filter.recycle.phases`, empty for `name`.
    pub fn table(&self) -> &'static str {
        self.path.rsplit_once('.').map_or("", |(table, _)| table)
    }

    /// The key without its table.
    pub fn word(&self) -> &'static str {
        self.path.rsplit('.').next().unwrap_or(self.path)
    }

    /// Whether it is a table.
    pub fn is_table(&self) -> bool {
        matches!(self.value, KeyType::Table)
    }
}

impl fmt::Display for KeyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyType::Table => f.write_str("table"),
            KeyType::Identifier => f.write_str("text: a Verilog identifier in lower case"),
            KeyType::Word(words) => {
                let words: Vec<String> = words().iter().map(|word| format!("{word:?}")).collect();
                f.write_str(&words.join(", "))
            }
            KeyType::Words(words) => write!(f, "list of {}", KeyType::Word(*words)),
            KeyType::Integer(least, u64::MAX) => write!(f, "integer from {least}"),
            KeyType::Integer(least, most) => write!(f, "integer from {least} to {most}"),
            KeyType::OneOf(values) => {
                let values: Vec<String> = values.iter().map(u64::to_string).collect();
                write!(f, "integer: {}", values.join(", "))
            }
            KeyType::RateBelow(most) => write!(f, "number above 0 and below {most}"),
            KeyType::RateUpTo(most) => write!(f, "number above 0 and at most {most}"),
            KeyType::Flag => f.write_str("true or false"),
            KeyType::AutoOrInteger => f.write_str("\"auto\" or an integer"),
            KeyType::AutoOrOneOf(values) => {
                write!(f, "\"auto\" or an {}", KeyType::OneOf(values))
            }
            KeyType::Part => write!(
                f,
                "text: a part's ordering code, or its family ({})",
                Part::families().join(", ")
            ),
            KeyType::NoneOrOneOf(values) => {
                write!(f, "\"none\" or an {}", KeyType::OneOf(values))
            }
            KeyType::Policy => {
                f.write_str("\"pass\", \"drop\" or \"mark:N\" with a DSCP N from 0 to 63")
            }
            KeyType::Mac => f.write_str("text: six bytes in hexadecimal, between colons"),
            KeyType::Ipv4 => f.write_str("text: an IPv4 address in dotted decimal"),
        }
    }
}

impl fmt::Display for Presence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Presence::Required => f.write_str("none: required"),
            Presence::Default(value) => f.write_str(value),
            Presence::Optional(text) => f.write_str(text),
        }
    }
}

/// The row of a key by its dotted name.
pub fn spec_key(path: &str) -> Option<&'static SpecKey> {
    KEYS.iter().find(|key| key.path == path)
}

/// The keys that a word may have meant, best first: those that end in it or contain it, else those with the fewest letters changed.
pub fn similar_keys(word: &str) -> Vec<&'static SpecKey> {
    let word = word.to_lowercase().replace([' ', '_'], "-");
    let plain = |text: &str| text.replace('_', "-");
    let mut close: Vec<(usize, &SpecKey)> = KEYS
        .iter()
        .filter_map(|key| {
            let (path, own) = (plain(key.path), plain(key.word()));
            let changes = letters_changed(&own, &word).min(letters_changed(&path, &word));
            let near = changes <= 1 + word.chars().count() / 4;
            match () {
                () if own == word => Some((0, key)),
                () if word.len() > 2 && own.contains(&word) => Some((1, key)),
                () if near => Some((changes, key)),
                () if word.len() > 2 && path.contains(&word) => Some((10, key)),
                () => None,
            }
        })
        .collect();
    close.sort_by_key(|(distance, _)| *distance);
    close.into_iter().map(|(_, key)| key).collect()
}

/// The reference of one key as text, for a terminal.
pub fn explained(key: &SpecKey) -> String {
    let mut text = format!("{}: {}\n\n", key.path, key.meaning);
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            text += &format!("  {name:<8} {value}\n");
        }
    };
    line("type", key.value.to_string());
    line("unit", key.unit.to_owned());
    line("default", key.presence.to_string());
    line("kinds", kinds(key));
    line("rule", key.rule.to_owned());
    line("effect", key.effect.to_owned());
    if !key.is_table() {
        line("example", format!("{} = {}", key.word(), key.example));
    }
    let inside: Vec<&SpecKey> = KEYS.iter().filter(|row| row.table() == key.path).collect();
    if !inside.is_empty() {
        text += "\nIts keys:\n";
        for row in inside {
            text += &format!("  {:<24} {}\n", row.word(), row.meaning);
        }
    }
    text
}

/// The reference of every key as a page of Markdown.
pub fn reference_page() -> String {
    let mut page = String::from(
        "# Keys of a specification\n\n\
         Made by `bloomline explain --all`. One key: `bloomline explain filter.hashes`. For editors: `bloomline schema`.\n",
    );
    let cell = |text: &str| text.replace('|', "\\|");
    let tables = std::iter::once("").chain(KEYS.iter().filter(|k| k.is_table()).map(|k| k.path));
    for table in tables {
        let rows: Vec<&SpecKey> = KEYS
            .iter()
            .filter(|key| key.table() == table && !key.is_table())
            .collect();
        match spec_key(table) {
            None => page += "\n## At the top\n",
            Some(key) => {
                page += &format!("\n## `[{table}]`\n\n{}. {}.", key.meaning, key.effect);
                match (kinds(key).as_str(), key.presence) {
                    ("", Presence::Required) => page += " Required.",
                    (kinds, Presence::Required) => page += &format!(" Required for {kinds}."),
                    _ => page += " Optional.",
                }
                page += "\n";
            }
        }
        page += "\n| key | type | unit | default | rule | effect | example |\n|---|---|---|---|---|---|---|\n";
        for key in rows {
            let kinds = match kinds(key) {
                kinds if kinds.is_empty() => String::new(),
                kinds => format!(" ({kinds})"),
            };
            let effect = format!("{}. {}", key.meaning, key.effect);
            let default = match key.presence {
                Presence::Required => format!("required{kinds}"),
                Presence::Default(value) => format!("`{value}`{kinds}"),
                Presence::Optional(text) => format!("{text}{kinds}"),
            };
            page += &format!(
                "| `{}` | {} | {} | {} | {} | {} | `{}` |\n",
                key.word(),
                cell(&key.value.to_string()),
                key.unit,
                cell(&default),
                cell(key.rule),
                cell(&effect),
                key.example,
            );
        }
    }
    page
}

fn kinds(key: &SpecKey) -> String {
    let words: Vec<&str> = key.kinds.iter().map(|kind| kind.word()).collect();
    words.join(", ")
}

const RECYCLING: &[FilterKind] = &[FilterKind::Recycling];
const COUNTING: &[FilterKind] = &[FilterKind::Counting];
const COUNT_MIN: &[FilterKind] = &[FilterKind::CountMin];
const SLIDING: &[FilterKind] = &[FilterKind::Sliding];
const CELLS: &[FilterKind] = &[
    FilterKind::Static,
    FilterKind::Counting,
    FilterKind::CountMin,
];
const CHOSEN: Presence = Presence::Optional("chosen from window, slack and target_fpr");
const POLICY: &str = "`mark:N` writes the DSCP N into the frames of IP packets; a host can change it while frames pass";

/// A table of the specification.
const fn table(
    path: &'static str,
    presence: Presence,
    kinds: &'static [FilterKind],
    meaning: &'static str,
    effect: &'static str,
) -> SpecKey {
    SpecKey {
        path,
        value: KeyType::Table,
        unit: "",
        presence,
        kinds,
        meaning,
        rule: "",
        effect,
        example: "",
    }
}

/// What happens to the frames of one class.
const fn policy(path: &'static str, default: &'static str, meaning: &'static str) -> SpecKey {
    SpecKey {
        path,
        value: KeyType::Policy,
        unit: "",
        presence: Presence::Default(default),
        kinds: &[],
        meaning,
        rule: "",
        effect: POLICY,
        example: "\"mark:8\"",
    }
}

/// Every key and every table of a specification, in the order of the documentation: a key that the specification reads has a row here.
#[rustfmt::skip]
pub const KEYS: &[SpecKey] = &[
    SpecKey {
        path: "name", value: KeyType::Identifier, unit: "", presence: Presence::Required, kinds: &[],
        meaning: "Name of the filter",
        rule: "at most 64 characters, no `__`, no keyword of Verilog, SystemVerilog or C++, no port of the design, no library or type of VHDL",
        effect: "Names the top module and the emitted files",
        example: "\"onehit\"",
    },
    table("filter", Presence::Required, &[], "Which filter, and how large", "Decides memory, rates and throughput"),
    SpecKey {
        path: "filter.kind", value: KeyType::Word(FilterKind::words), unit: "", presence: Presence::Required, kinds: &[],
        meaning: "Kind of filter: what it remembers and how it forgets",
        rule: "recycling, counting, count-min and sliding take a table of the same name; static, counting and count-min take `items`",
        effect: "recycling: recent keys, in cycles; static: a set until it is cleared; counting: how often; count-min: how much; \
                 sliding: the last elements, always",
        example: "\"recycling\"",
    },
    SpecKey {
        path: "filter.memory_bits", value: KeyType::Integer(1, 2 * MAX_HALF_BITS), unit: "bits", presence: Presence::Required, kinds: &[],
        meaning: "Data bits of the whole filter",
        rule: "recycling, partitioned: a multiple of phases * hashes * 32, at least 128 bits a bank. Else every bank (memory_bits over phases, hashes \
               and counter bits; shared layout: every array) is a power of two; \
               sliding: the product of its table sizes, which `plan` names",
        effect: "Twice the memory holds twice the keys at the same rate, or lowers the rate",
        example: "131072",
    },
    SpecKey {
        path: "filter.hashes", value: KeyType::Integer(1, MAX_HASHES), unit: "probes an item", presence: Presence::Required, kinds: &[],
        meaning: "Number of hash positions of an item, k",
        rule: "sliding: 2, with table = \"cuckoo\" 1",
        effect: "Every memory and load has a best number; `plan --explain` shows its neighbours. In the shared layout each costs a clock cycle or two",
        example: "4",
    },
    SpecKey {
        path: "filter.layout", value: KeyType::Word(Layout::words), unit: "", presence: Presence::Default("\"partitioned\""), kinds: &[],
        meaning: "How the hash positions share the memory",
        rule: "sliding: partitioned",
        effect: "partitioned: one bank a hash and one item a clock cycle; shared: one array for all hashes, several clock cycles an item",
        example: "\"shared\"",
    },
    SpecKey {
        path: "filter.hashing", value: KeyType::Word(Hashing::words), unit: "", presence: Presence::Default("\"double\""), kinds: &[],
        meaning: "How k positions are made from hash functions",
        rule: "the extended forms belong to layout = \"shared\"",
        effect: "double: two functions, least logic, with a floor under very low rates; independent: k functions and no floor",
        example: "\"independent\"",
    },
    SpecKey {
        path: "filter.copies", value: KeyType::Integer(1, MAX_HASHES / 2), unit: "", presence: Presence::Optional("1"), kinds: &[],
        meaning: "Copies of a Count-Min sketch, each with two hash functions of its own and hashes / copies of the rows",
        rule: "divides hashes into two rows or more a copy; belongs to count-min with layout = \"partitioned\" and hashing = \"double\"",
        effect: "The estimate is the least of all copies: the bound of the failure probability is that of one copy to the power of copies \
                 (KM 9.2); the memory is unchanged; each copy takes two more hash functions",
        example: "2",
    },
    SpecKey {
        path: "filter.distinct", value: KeyType::Flag, unit: "", presence: Presence::Default("false"), kinds: &[],
        meaning: "The k positions of an item differ from each other",
        rule: "belongs to layout = \"shared\" with hashing = \"independent\"",
        effect: "The filter that the papers calculate exactly; costs logic for each pair of positions",
        example: "true",
    },
    SpecKey {
        path: "filter.conservative", value: KeyType::Flag, unit: "", presence: Presence::Default("false"), kinds: &[],
        meaning: "Conservative update of counters",
        rule: "belongs to counting and count-min with layout = \"shared\" and two hashes or more",
        effect: "An insertion raises only the least counters of its key: fewer false alarms, 2 k + 4 clock cycles an insertion, no removal",
        example: "true",
    },
    SpecKey {
        path: "filter.accept_two_hash_floor", value: KeyType::Flag, unit: "", presence: Presence::Default("false"), kinds: &[],
        meaning: "Accept the floor that two hash functions put under the false-positive rate",
        rule: "",
        effect: "Without it `plan` refuses a filter whose floor is above 10 % of its rate",
        example: "true",
    },
    SpecKey {
        path: "filter.range", value: KeyType::Integer(1, MAX_HALF_BITS), unit: "positions", presence: Presence::Optional("all positions"), kinds: &[],
        meaning: "Positions of a bank (shared layout: of the array) that are used",
        rule: "more than half of the bank (recycling, partitioned: reaching into its last 32-bit word); under double hashing a prime or the whole bank; not for \
               sliding",
        effect: "Partitions of any size; hash values are scaled to a range of no power of two, 3 clock cycles more. A prime range removes collisions in \
                 several rows at once under double hashing",
        example: "4093",
    },
    SpecKey {
        path: "filter.items", value: KeyType::Integer(1, u64::MAX), unit: "insertions", presence: Presence::Optional("required, but not with filter.counting.window"), kinds: CELLS,
        meaning: "Insertions between two clears (count-min: the sum of the amounts)",
        rule: "not for recycling, sliding and counting with a window, which forget by themselves",
        effect: "The load at which rates are predicted; nothing in the gateware depends on it",
        example: "16384",
    },
    table("filter.recycle", Presence::Required, RECYCLING, "When a recycling filter forgets", "Decides the length of a cycle and with it the rate"),
    SpecKey {
        path: "filter.recycle.phases", value: KeyType::Integer(1, 2), unit: "halves", presence: Presence::Required, kinds: &[],
        meaning: "Halves of the memory",
        rule: "",
        effect: "1 forgets everything at a recycle and has cycles about twice as long; 2 keeps the previous cycle readable",
        example: "2",
    },
    SpecKey {
        path: "filter.recycle.on", value: KeyType::Word(RecycleOn::words), unit: "", presence: Presence::Required, kinds: &[],
        meaning: "What is counted against the threshold",
        rule: "",
        effect: "bits-set: the rate at the end of a cycle is the same in every cycle; messages: every cycle holds the same number of new keys",
        example: "\"bits-set\"",
    },
    SpecKey {
        path: "filter.recycle.threshold", value: KeyType::AutoOrInteger, unit: "bits set or messages", presence: Presence::Required, kinds: &[],
        meaning: "Count at which the active half is recycled",
        rule: "\"auto\" needs target_fpr; bits-set: from the bits of one item to one less than those of a half",
        effect: "A higher threshold remembers more keys and errs more often",
        example: "\"auto\"",
    },
    SpecKey {
        path: "filter.recycle.target_fpr", value: KeyType::RateBelow(1.0), unit: "", presence: Presence::Optional("none: no target"), kinds: &[],
        meaning: "Average false-positive rate that threshold = \"auto\" is solved for",
        rule: "required by threshold = \"auto\"",
        effect: "A lower target gives shorter cycles",
        example: "0.01",
    },
    SpecKey {
        path: "filter.recycle.retain", value: KeyType::Flag, unit: "", presence: Presence::Default("true"), kinds: &[],
        meaning: "The item that causes the recycle opens the new cycle",
        rule: "",
        effect: "false forgets that item, and its next occurrence is taken for new",
        example: "true",
    },
    SpecKey {
        path: "filter.recycle.max_age_ms", value: KeyType::Integer(0, u64::MAX), unit: "milliseconds", presence: Presence::Default("0"), kinds: &[],
        meaning: "Longest time that a half stays active",
        rule: "at most 2^32 - 1 ticks of 1024 clock cycles",
        effect: "Recycles a half that fills slowly; 0 sets no limit",
        example: "100",
    },
    table("filter.counting", Presence::Required, COUNTING, "Counters of a counting filter", "Decides which keys are reported"),
    SpecKey {
        path: "filter.counting.counter_bits", value: KeyType::Integer(2, 16), unit: "bits", presence: Presence::Required, kinds: &[],
        meaning: "Bits of a counter",
        rule: "",
        effect: "A counter stops at 2^counter_bits - 1; every bit costs memory",
        example: "4",
    },
    SpecKey {
        path: "filter.counting.threshold", value: KeyType::Integer(1, 65_535), unit: "occurrences", presence: Presence::Required, kinds: &[],
        meaning: "Count from which a key is reported",
        rule: "at most 2^counter_bits - 1",
        effect: "A higher threshold has fewer false alarms at the same memory",
        example: "5",
    },
    SpecKey {
        path: "filter.counting.window", value: KeyType::Integer(MIN_WINDOW, MAX_WINDOW), unit: "insertions", presence: Presence::Optional("none: counts since the last clear"), kinds: &[],
        meaning: "Insertions over which occurrences count, N",
        rule: "layout = \"partitioned\"; memory_bits is then that of two panes; takes the place of filter.items",
        effect: "Every occurrence among the last N insertions counts, none that lies 2 N back; nothing can be removed; four clock cycles are lost every N insertions",
        example: "100000",
    },
    table("filter.count-min", Presence::Required, COUNT_MIN, "Counters of a Count-Min sketch", "Decides what is added and which keys are reported"),
    SpecKey {
        path: "filter.count-min.counter_bits", value: KeyType::Integer(8, 32), unit: "bits", presence: Presence::Required, kinds: &[],
        meaning: "Bits of a counter",
        rule: "",
        effect: "A counter stops at 2^counter_bits - 1; every bit costs memory",
        example: "32",
    },
    SpecKey {
        path: "filter.count-min.amount_bits", value: KeyType::Integer(1, 32), unit: "bits", presence: Presence::Required, kinds: &[],
        meaning: "Bits of the amount that an item adds",
        rule: "at most counter_bits; at most 30 with [card]",
        effect: "16 bits count the bytes of a frame",
        example: "16",
    },
    SpecKey {
        path: "filter.count-min.threshold", value: KeyType::Integer(1, 4_294_967_295), unit: "amount", presence: Presence::Optional("greatest value of a counter"), kinds: &[],
        meaning: "Estimate from which a key is reported",
        rule: "at most 2^counter_bits - 1",
        effect: "A host can change it while items pass",
        example: "1000000",
    },
    table("filter.sliding", Presence::Required, SLIDING, "Window of a sliding-window filter, and the sizes of its tables", "Sizes that are not given are chosen"),
    SpecKey {
        path: "filter.sliding.window", value: KeyType::Integer(16, 1 << 23), unit: "elements", presence: Presence::Required, kinds: &[],
        meaning: "Elements back from now that are always seen, n",
        rule: "",
        effect: "Memory grows with it",
        example: "16384",
    },
    SpecKey {
        path: "filter.sliding.slack", value: KeyType::Integer(1, u64::MAX), unit: "elements", presence: Presence::Required, kinds: &[],
        meaning: "Elements before the window that may be seen or not, m",
        rule: "holds at least one generation, window / generations",
        effect: "More slack allows fewer generations and smaller cells",
        example: "4096",
    },
    SpecKey {
        path: "filter.sliding.target_fpr", value: KeyType::RateUpTo(0.5), unit: "", presence: Presence::Required, kinds: &[],
        meaning: "Greatest false-positive rate",
        rule: "",
        effect: "Half the rate takes one bit more in every cell",
        example: "0.001",
    },
    SpecKey {
        path: "filter.sliding.generations", value: KeyType::Integer(1, 64), unit: "generations", presence: CHOSEN, kinds: &[],
        meaning: "Parts of the window that age together, c",
        rule: "at least 16 elements each",
        effect: "More of them need less slack and wider cells",
        example: "8",
    },
    SpecKey {
        path: "filter.sliding.front_buckets", value: KeyType::Integer(16, 1 << 22), unit: "buckets", presence: CHOSEN, kinds: &[],
        meaning: "Buckets of the front table",
        rule: "a power of two; at most 4.5 live elements a bucket unless accept_overflow",
        effect: "More buckets overflow less and take more memory",
        example: "4096",
    },
    SpecKey {
        path: "filter.sliding.back_buckets", value: KeyType::Integer(4, 1 << 22), unit: "buckets", presence: CHOSEN, kinds: &[],
        meaning: "Buckets of the back table, for what the front table has no room for",
        rule: "a power of two, at most front_buckets; at least a quarter of them unless accept_overflow",
        effect: "More buckets overflow less and take more memory",
        example: "1024",
    },
    SpecKey {
        path: "filter.sliding.bucket_cells", value: KeyType::OneOf(&[2, 4, 8]), unit: "cells", presence: Presence::Optional("8"), kinds: &[],
        meaning: "Cells of a bucket, of either table",
        rule: "8 unless accept_overflow",
        effect: "Fewer cells overflow more often",
        example: "8",
    },
    SpecKey {
        path: "filter.sliding.store_cells", value: KeyType::Integer(1, 32), unit: "cells", presence: Presence::Optional("16"), kinds: &[],
        meaning: "Cells of the store behind both tables",
        rule: "at least 16 unless accept_overflow",
        effect: "Each is compared with every key, in logic",
        example: "16",
    },
    SpecKey {
        path: "filter.sliding.table", value: KeyType::Word(WindowTable::words), unit: "", presence: Presence::Default("\"buckets\""), kinds: &[],
        meaning: "How the elements are stored",
        rule: "cuckoo: hashes = 1, hashing = \"independent\", no parity",
        effect: "cuckoo takes half the memory and no clock for the scan, and more logic",
        example: "\"cuckoo\"",
    },
    SpecKey {
        path: "filter.sliding.rows", value: KeyType::Integer(16, 1 << 18), unit: "rows", presence: CHOSEN, kinds: &[],
        meaning: "Rows of each cuckoo table",
        rule: "a power of two; table = \"cuckoo\"",
        effect: "More rows are filled less, and cause fewer moves",
        example: "1024",
    },
    SpecKey {
        path: "filter.sliding.row_cells", value: KeyType::Integer(3, 8), unit: "cells", presence: CHOSEN, kinds: &[],
        meaning: "Cells of a row of a cuckoo table",
        rule: "table = \"cuckoo\"",
        effect: "Wider rows can be filled more, and take more logic",
        example: "5",
    },
    SpecKey {
        path: "filter.sliding.stash_cells", value: KeyType::Integer(16, 64), unit: "cells", presence: Presence::Optional("24"), kinds: &[],
        meaning: "Cells of the stash beside the cuckoo tables",
        rule: "room for every element on its way from the hash unit and 4 more; table = \"cuckoo\"",
        effect: "Each is compared with every key, in logic; more of them hold the stream less often",
        example: "32",
    },
    SpecKey {
        path: "filter.sliding.fingerprint_bits", value: KeyType::Integer(4, 32), unit: "bits", presence: CHOSEN, kinds: &[],
        meaning: "Bits of a key's fingerprint in a cell",
        rule: "enough for target_fpr; with the bits of a front bucket's number at most 32",
        effect: "One bit more halves the false-positive rate",
        example: "13",
    },
    SpecKey {
        path: "filter.sliding.generation_bits", value: KeyType::Integer(3, 8), unit: "bits", presence: CHOSEN, kinds: &[],
        meaning: "Bits of a generation number in a cell",
        rule: "tells the live generations from those that the scan has not removed yet",
        effect: "More bits let a saturated stream wait less often for the scan",
        example: "5",
    },
    SpecKey {
        path: "filter.sliding.accept_overflow", value: KeyType::Flag, unit: "", presence: Presence::Default("false"), kinds: &[],
        meaning: "Accept tables that lose more than one insertion in 10^12",
        rule: "",
        effect: "Smaller tables; each loss is counted, and may become a false negative",
        example: "true",
    },
    table("key", Presence::Required, &[], "What the key of an item is", "Either bits or source is given; both only if they agree"),
    SpecKey {
        path: "key.bits", value: KeyType::Integer(1, MAX_KEY_BITS as u64), unit: "bits", presence: Presence::Optional("the width of key.source"), kinds: &[],
        meaning: "Width of the key",
        rule: "required without key.source",
        effect: "Wider keys take more logic for hashing, and no more memory",
        example: "104",
    },
    SpecKey {
        path: "key.source", value: KeyType::Word(KeySource::words), unit: "", presence: Presence::Optional("none: items bring their keys"), kinds: &[],
        meaning: "Field of a packet that is the key",
        rule: "required by [packet]",
        effect: "Fixes the width; a packet of the other IP version has no key. ipv4-5tuple is 13 bytes, byte 0 in key bits 7:0: source address 0..4, destination address 4..8, source port 8..10, destination port 10..12, protocol 12 (ipv6-5tuple 37: 0..16, 16..32, 32..34, 34..36, 36); addresses and ports in network byte order",
        example: "\"ipv4-5tuple\"",
    },
    SpecKey {
        path: "key.tag_bits", value: KeyType::Integer(1, 64), unit: "bits", presence: Presence::Default("16"), kinds: &[],
        meaning: "Width of the tag that an item carries to its verdict unchanged",
        rule: "at most 63 with [card]",
        effect: "Finds the request that a verdict belongs to",
        example: "16",
    },
    table("hash", Presence::Optional("the defaults of its keys"), &[], "Hash functions", "Decides how keys spread over positions"),
    SpecKey {
        path: "hash.family", value: KeyType::Word(HashFamily::words), unit: "", presence: Presence::Default("\"h3-sbox\""), kinds: &[],
        meaning: "Hash family",
        rule: "sliding: h3-sbox or h3",
        effect: "h3-sbox spreads structured keys, with least logic; siphash and siphash-2-4 are keyed, against an attacker who knows the seed",
        example: "\"siphash\"",
    },
    SpecKey {
        path: "hash.seed", value: KeyType::Integer(0, u64::MAX), unit: "", presence: Presence::Default("1"), kinds: &[],
        meaning: "Number that every constant of the hash family comes from",
        rule: "",
        effect: "Another seed gives other positions and the same rates",
        example: "2",
    },
    table("memory", Presence::Optional("no parity, epochs"), &[], "What the memory notices of its own errors, and how it is emptied", "Detects bits that are flipped by radiation; trades memory for logic"),
    SpecKey {
        path: "memory.parity", value: KeyType::Word(Parity::words), unit: "", presence: Presence::Default("\"none\""), kinds: &[],
        meaning: "Parity bit of every memory word, and what happens to a word whose parity is wrong",
        rule: "none with memory.erase = \"spare-half\" and \"in-place\"",
        effect: "count counts the read and uses the word; empty also reads the word as empty",
        example: "\"count\"",
    },
    SpecKey {
        path: "memory.ecc", value: KeyType::Flag, unit: "", presence: Presence::Default("false"), kinds: &[],
        meaning: "Error-correcting code of every memory word (SECDED): a flipped bit is corrected when it is read and written back, two are detected",
        rule: "in place of memory.parity; every kind, but not with memory.erase = \"spare-half\" and \"in-place\"",
        effect: "7 bits more for each word of 36, 5 to 7 for a cell of a sliding window; counters ECC_CORRECTED and ECC_UNCORRECTABLE; an uncorrectable word is used as it is",
        example: "true",
    },
    SpecKey {
        path: "memory.erase", value: KeyType::Word(EraseSetting::words), unit: "", presence: Presence::Default("\"epoch\""), kinds: &[],
        meaning: "How memory is emptied: words with epochs; single bits and a spare half that is erased while items go on; single cells (bits or counters) that a clear erases while items wait",
        rule: "spare-half: kind = \"recycling\"; in-place: kind = \"static\", \"counting\" without a window and \"count-min\"; both in the partitioned layout; auto: every kind but \"sliding\", in any layout",
        effect: "spare-half takes about half the logic and phases + 1 halves of memory instead of phases; cycles shorter than an erase are held up. in-place takes about half the logic (of counters of 32 bits four fifths) and no more memory; a clear takes partition / row_bits clocks. auto takes single bits or counters where the rest of the specification and the part allow them and no new item would ever wait for an erase, and words with epochs elsewhere; `plan` says which and why",
        example: "\"spare-half\"",
    },
    SpecKey {
        path: "memory.row_bits", value: KeyType::AutoOrOneOf(ROW_BITS), unit: "bits", presence: Presence::Optional("rows of 1 bit; auto with memory.erase = \"auto\""), kinds: &[],
        meaning: "Bits of a bank that are erased in one clock",
        rule: "1 for counters; needs memory.erase = \"spare-half\", \"in-place\" or \"auto\"; above 1 only on a part whose block RAM reads the old contents in a read during a write of the other port: of the families of target.part those of AMD",
        effect: "An erase takes partition / row_bits clocks. auto: with a spare half the narrowest whose erase holds no item up, else the widest that is right on target.part; in place 1",
        example: "8",
    },
    table("protection", Presence::Optional("no self-check"), &[], "Error detection in the control logic", "With it no flipped register stops the stream for ever"),
    SpecKey {
        path: "protection.self_check", value: KeyType::Flag, unit: "", presence: Presence::Default("false"), kinds: &[],
        meaning: "Check of the verdict queue, its credits and the sequencer in every clock cycle; what contradicts itself is drained and restarted",
        rule: "kind = \"recycling\" in the partitioned layout, with epochs and without [card]; without a secret for each half",
        effect: "Counter CONTROL_ERRORS and command restart; a restart loses the verdicts that wait, not what is stored",
        example: "true",
    },
    table("features", Presence::Optional("everything is built"), &[], "What is built beside the filter itself", "Saves the logic of parts that are not used; `plan` says how much"),
    SpecKey {
        path: "features.counters", value: KeyType::NoneOrOneOf(CounterWidth::BITS), unit: "bits", presence: Presence::Default("64"), kinds: &[],
        meaning: "Width of the event counters of the filter: items, verdicts, stalls",
        rule: "32 or 64 with memory.parity = \"count\" or protection.self_check",
        effect: "32 count modulo 2^32, so a host must look at least every 2^31 clock cycles; none builds no counters: `info` and `watch` say so, and snapshots, which compare counters, are refused",
        example: "\"none\"",
    },
    SpecKey {
        path: "features.array_access", value: KeyType::Flag, unit: "", presence: Presence::Optional("true, where the kind has an array"), kinds: &[],
        meaning: "Access of a host to the array: registers ARRAY_ADDRESS and ARRAY_DATA",
        rule: "not for kind = \"sliding\"; false needs memory.erase = \"spare-half\" or \"in-place\" (or \"auto\", which then chooses it)",
        effect: "with false, snapshot and restore are not available",
        example: "false",
    },
    SpecKey {
        path: "features.max_age", value: KeyType::Flag, unit: "", presence: Presence::Optional("true, where halves have an age"), kinds: &[],
        meaning: "Timer of the active half's age: register MAX_AGE",
        rule: "kind = \"recycling\"; true with filter.recycle.max_age_ms above 0",
        effect: "false never recycles by age; a host can recycle by command",
        example: "false",
    },
    SpecKey {
        path: "features.registers", value: KeyType::Word(RegisterSet::words), unit: "", presence: Presence::Default("\"full\""), kinds: &[],
        meaning: "Registers behind AXI4-Lite",
        rule: "threshold: kind = \"sliding\", or memory.erase = \"spare-half\" or \"in-place\" (or \"auto\", which then chooses it); none: not with [card] and a keyed hash; neither with features.array_access = true, \
               memory.parity = \"count\", memory.ecc and protection.self_check",
        effect: "threshold: identification, CONTROL, STATUS and what is set in the field (THRESHOLD, MAX_AGE, HASH_KEY); neither counters nor counts of bits nor access to the array. \
                 none: no AXI4-Lite port; the specification's values are in force for ever, and only reset clears",
        example: "\"threshold\"",
    },
    SpecKey {
        path: "features.verdict_queue", value: KeyType::Integer(0, VERDICT_QUEUE_DEPTHS.1), unit: "verdicts", presence: Presence::Optional("what the full rate needs: 32 with single bits or counters, else 64; twice as many with a long hash"), kinds: &[],
        meaning: "Places of the queue in which verdicts wait for their sink",
        rule: "a power of two from 8, or 0 for none; 0 not with [card] and protection.self_check; not less than the full rate needs for kind = \"sliding\", filter.counting.window and layout = \"shared\"",
        effect: "Less logic. Few places in a long pipeline cost rate, and `plan` says how much; 0 has no m_verdict_tready: the sink takes every verdict in its clock cycle, two cycles earlier (not with a lower target.latency)",
        example: "16",
    },
    table("target", Presence::Optional("250 MHz, an unknown part"), &[], "What the gateware runs on", "Turns clock cycles into seconds"),
    SpecKey {
        path: "target.clock_hz", value: KeyType::Integer(1, MAX_CLOCK_HZ), unit: "Hz", presence: Presence::Default("250000000"), kinds: &[],
        meaning: "Clock of the filter",
        rule: "125000000 with packet.ports = \"rgmii\"",
        effect: "Converts items a clock cycle into items a second, and max_age_ms into clock cycles; a build for a board uses it as its constraint",
        example: "125000000",
    },
    SpecKey {
        path: "target.part", value: KeyType::Part, unit: "", presence: Presence::Optional("unknown"), kinds: &[],
        meaning: "FPGA part, or family of parts, that it is for",
        rule: "",
        effect: "memory.erase = \"auto\" and memory.row_bits = \"auto\" go by its block RAM; changes nothing else",
        example: "\"LFE5UM5G-45F\"",
    },
    SpecKey {
        path: "target.latency", value: KeyType::Word(Latency::words), unit: "", presence: Presence::Optional("default"), kinds: &[],
        meaning: "How many clock cycles an item takes to its verdict",
        rule: "low, lowest: kind = \"recycling\" with memory.erase = \"spare-half\" (or \"auto\", which then chooses it), without a keyed hash",
        effect: "With up to four hashes, h3-sbox and whole banks of a power of two: default 18 clock cycles, low 12, lowest 9, at slower clocks; `plan` says how slow",
        example: "\"low\"",
    },
    table("card", Presence::Optional("the filter alone"), &[], "A card around the filter, with registers and an item port for a host", "A host can insert and query keys and read counters"),
    SpecKey {
        path: "card.uart_baud", value: KeyType::Integer(1, MAX_CLOCK_HZ), unit: "bit/s", presence: Presence::Optional("AXI4-Lite instead of a UART"), kinds: &[],
        meaning: "Rate of the UART over which the host speaks uartbone",
        rule: "8 to 65535 clock cycles a bit, within 1 %; required by packet.ports = \"rgmii\"",
        effect: "Gives the card two pins instead of a bus",
        example: "1000000",
    },
    table("packet", Presence::Optional("no packet path"), &[], "A packet path around the card, between two streams of frames or two Ethernet ports", "Needs [card] and key.source"),
    SpecKey {
        path: "packet.ports", value: KeyType::Word(Ports::words), unit: "", presence: Presence::Default("\"streams\""), kinds: &[],
        meaning: "Where frames come from and go to",
        rule: "rgmii: data_bits = 8, clock_hz = 125000000 and a UART",
        effect: "streams: AXI4-Stream in and out; rgmii: two gigabit Ethernet ports, both ways through one filter",
        example: "\"rgmii\"",
    },
    SpecKey {
        path: "packet.data_bits", value: KeyType::OneOf(&[FRAME_DATA_BITS[0] as u64, FRAME_DATA_BITS[1] as u64, FRAME_DATA_BITS[2] as u64]), unit: "bits", presence: Presence::Required, kinds: &[],
        meaning: "Width of a beat of frame data",
        rule: "8 with packet.ports = \"rgmii\"",
        effect: "8 bits carry 1 Gb/s at 125 MHz, 64 bits 10 Gb/s at 156.25 MHz, 512 bits 100 Gb/s at 250 MHz, but for long runs of frames of 65 to 75 bytes (89 Gb/s)",
        example: "8",
    },
    SpecKey {
        path: "packet.buffer_bytes", value: KeyType::OneOf(&BUFFER_BYTES), unit: "bytes", presence: Presence::Default("16384"), kinds: &[],
        meaning: "Buffer that holds whole frames",
        rule: "at least max_frame_bytes",
        effect: "Holds frames until their verdicts are known",
        example: "16384",
    },
    SpecKey {
        path: "packet.max_frame_bytes", value: KeyType::Integer(*MAX_FRAME_BYTES.start(), *MAX_FRAME_BYTES.end()), unit: "bytes", presence: Presence::Default("1518"), kinds: &[],
        meaning: "Longest frame, without FCS, that is not oversize at reset",
        rule: "at most buffer_bytes",
        effect: "Longer frames are of the class oversize",
        example: "1518",
    },
    SpecKey {
        path: "packet.learn", value: KeyType::Flag, unit: "", presence: Presence::Default("true"), kinds: &[],
        meaning: "At reset, frames insert the keys that they are asked about",
        rule: "",
        effect: "false only queries: the keys come from the host",
        example: "true",
    },
    SpecKey {
        path: "packet.mask_hops", value: KeyType::Flag, unit: "", presence: Presence::Default("false"), kinds: &[],
        meaning: "The frame digest leaves out what changes with each hop",
        rule: "belongs to key.source = \"frame-digest\"",
        effect: "A frame and its copy behind a router have the same key",
        example: "true",
    },
    SpecKey {
        path: "packet.tunnels", value: KeyType::Words(Tunnel::words), unit: "", presence: Presence::Optional("the outer header is the key"), kinds: &[],
        meaning: "Tunnels whose inner packet is the key",
        rule: "needs data_bits = 8 or 64; not with key.source = \"frame-digest\"",
        effect: "A packet in one of them has the key of its inner IP header",
        example: "[\"vxlan\", \"gre\"]",
    },
    SpecKey {
        path: "packet.trusted_keys", value: KeyType::Flag, unit: "", presence: Presence::Default("false"), kinds: &[],
        meaning: "All senders of frames are trusted",
        rule: "true with a hash.family that has no secret (h3-sbox, h3)",
        effect: "Allows a public hash, for which anyone can compute keys that are taken for seen; changes nothing of the gateware",
        example: "true",
    },
    table("packet.policy", Presence::Optional("the defaults of its keys"), &[], "What happens to the frames of each class at reset", "A host can change each policy while frames pass"),
    policy("packet.policy.unseen", "\"pass\"", "Frames with a key that the filter did not hold"),
    policy("packet.policy.seen", "\"pass\"", "Frames with a key that the filter held"),
    policy("packet.policy.other", "\"pass\"", "Frames without a key: no IP, or the other IP version"),
    policy("packet.policy.truncated", "\"drop\"", "Frames that end within a header or an IP packet"),
    policy("packet.policy.malformed", "\"drop\"", "Frames whose headers contradict each other"),
    policy("packet.policy.too-deep", "\"pass\"", "Frames with a header behind the first 126 bytes"),
    policy("packet.policy.oversize", "\"drop\"", "Frames longer than max_frame_bytes"),
    policy("packet.policy.bad", "\"drop\"", "Frames that were marked as bad where they came from"),
    table("packet.host", Presence::Optional("the registers are reached over the UART alone"), &[], "Access to the registers over Ethernet", "Needs packet.ports = \"rgmii\""),
    SpecKey {
        path: "packet.host.port", value: KeyType::Integer(0, LANES as u64 - 1), unit: "", presence: Presence::Required, kinds: &[],
        meaning: "Ethernet port that the card answers at",
        rule: "",
        effect: "Hosts on the network of that port reach the registers, by requests as packet.host.auth says",
        example: "0",
    },
    SpecKey {
        path: "packet.host.mac", value: KeyType::Mac, unit: "", presence: Presence::Required, kinds: &[],
        meaning: "MAC address of the card",
        rule: "not zero and not a group's address",
        effect: "No other device on the network may have it",
        example: "\"02:b1:00:00:00:01\"",
    },
    SpecKey {
        path: "packet.host.ip", value: KeyType::Ipv4, unit: "", presence: Presence::Required, kinds: &[],
        meaning: "IPv4 address of the card",
        rule: "the address of one host",
        effect: "The URL of the card is etherbone:IP, or etherbone:IP:PORT where `udp_port` is not 1234",
        example: "\"192.168.1.50\"",
    },
    SpecKey {
        path: "packet.host.udp_port", value: KeyType::Integer(1, u16::MAX as u64), unit: "", presence: Presence::Default(HOST_UDP_PORT_TEXT), kinds: &[],
        meaning: "UDP port of Etherbone",
        rule: "",
        effect: "Fixed in the gateware; the URL of the card names the same port",
        example: "1234",
    },
    SpecKey {
        path: "packet.host.auth", value: KeyType::Word(HostAuth::words), unit: "", presence: Presence::Default("\"siphash-2-4\""), kinds: &[],
        meaning: "How the card knows who may ask for accesses over Ethernet",
        rule: "",
        effect: "siphash-2-4: each request has a tag under a secret that is loaded over the UART, and none is taken before; none: whoever can send frames to the card can read and write every register",
        example: "\"none\"",
    },
    table("interface", Presence::Optional("clock and reset, active high"), &[], "Names of clock and reset of the emitted module", "Changes the module's ports, not the gateware within"),
    SpecKey {
        path: "interface.clock", value: KeyType::Word(ClockName::words), unit: "", presence: Presence::Default("\"clock\""), kinds: &[],
        meaning: "Name of the clock",
        rule: "\"clock\" with packet.ports = \"rgmii\"",
        effect: "aclk is the name of the AXI specification",
        example: "\"aclk\"",
    },
    SpecKey {
        path: "interface.reset", value: KeyType::Word(ResetName::words), unit: "", presence: Presence::Default("\"reset\""), kinds: &[],
        meaning: "Name and polarity of the reset, which is synchronous",
        rule: "\"reset\" with packet.ports = \"rgmii\"",
        effect: "reset is active high; aresetn is active low, as in the AXI specification",
        example: "\"aresetn\"",
    },
];

/// [`HOST_UDP_PORT`] as the table shows it.
const HOST_UDP_PORT_TEXT: &str = "1234";
const _: () = assert!(HOST_UDP_PORT == 1234);

/// The powers of two in [`FRAME_BUFFER_BYTES`].
const BUFFER_BYTES: [u64; 7] = [4_096, 8_192, 16_384, 32_768, 65_536, 131_072, 262_144];
const _: () = assert!(
    BUFFER_BYTES[0] == *FRAME_BUFFER_BYTES.start() && BUFFER_BYTES[6] == *FRAME_BUFFER_BYTES.end()
);
