use crate::design_file::{is_manifest, specification_in};
use crate::error::SpecError;
use crate::files;
use crate::host_port::HostSection;
use crate::key_source::KeySource;
use crate::packet::{FrameClass, Policy, Ports, Tunnel};
use crate::place::Place;
use crate::similar::nearest_word;
use crate::value_types::{missing, unknown, wrong_type};
use crate::values::{
    natural, some_natural, AutoOrInteger, ClockName, CounterWidth, EraseSetting, FilterKind,
    HashFamily, Hashing, Latency, Layout, Parity, RecycleOn, RegisterSet, ResetName, Threshold,
    WindowTable,
};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A filter specification as written: one TOML file, field by field.
///
/// Reading checks the shape only (keys, types, words). [`FilterSpec::validate`] checks the rules. The fields are public
/// so that sweeps can vary a specification and validate each variant.
///
/// | key | default | meaning |
/// |---|---|---|
/// | `name` | required | name of the top module and of the emitted files |
/// | `filter.*` | required | [`FilterSection`] |
/// | `filter.recycle.*` | required for `kind = "recycling"` | [`RecycleSection`] |
/// | `key.*` | required | [`KeySection`] |
/// | `hash.*` | `h3-sbox`, seed 1 | [`HashSection`] |
/// | `memory.*` | no parity | [`MemorySection`] |
/// | `protection.*` | no self-check | [`ProtectionSection`] |
/// | `features.*` | everything | [`FeaturesSection`] |
/// | `target.*` | 250 MHz, an unknown part | [`TargetSection`] |
/// | `card.*` | the filter alone | [`CardSection`] |
/// | `packet.*` | the card alone | [`PacketSection`] |
/// | `interface.*` | `clock` and `reset`, active high | [`InterfaceSection`] |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilterSpec {
    /// File the specification came from; only error messages use it.
    #[serde(skip)]
    pub file: PathBuf,
    /// Name of the top module and of the emitted files: a lower-case Verilog identifier.
    pub name: String,
    /// What filter, and how large.
    pub filter: FilterSection,
    /// What an item's key is.
    pub key: KeySection,
    /// How keys become probe positions.
    #[serde(default)]
    pub hash: HashSection,
    /// What the control logic notices of its own errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protection: Option<ProtectionSection>,
    /// What is built beside the filter itself; everything unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<FeaturesSection>,
    /// What the memory notices of its own errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemorySection>,
    /// What the gateware runs on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<TargetSection>,
    /// The card around the filter; without it the filter alone is built.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<CardSection>,
    /// The packet path around the card; without it the card alone is built.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packet: Option<PacketSection>,
    /// How clock and reset of the emitted module are called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interface: Option<InterfaceSection>,
}

/// `[interface]`: how clock and reset of the emitted module are called. It changes names at the edge of the design only: neither the
/// gateware within nor the geometry hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct InterfaceSection {
    /// Name of the clock.
    pub clock: ClockName,
    /// Name of the reset, which says its polarity too. Both are synchronous.
    pub reset: ResetName,
}

/// `[filter]`: what filter, and how large.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilterSection {
    /// Which filter.
    pub kind: FilterKind,
    /// Data bits. Recycling: all phases together, and `memory_bits / (phases * hashes)` is a multiple of 32 of at least 128
    /// bits. Static, counting, count-min: `memory_bits / hashes` is a power of two of cells of 1 bit or `counter_bits`, at
    /// least eight memory words of them.
    #[serde(deserialize_with = "natural")]
    pub memory_bits: u64,
    /// Probes an item makes, k: from 1 to 32.
    #[serde(deserialize_with = "natural")]
    pub hashes: u64,
    /// How the probes share the memory.
    #[serde(default)]
    pub layout: Layout,
    /// How the k probe positions come from hash functions.
    #[serde(default)]
    pub hashing: Hashing,
    /// Copies of a Count-Min sketch, C: the k rows are divided into C groups of k/C rows, each with two hash functions of its own.
    #[serde(
        default = "one",
        deserialize_with = "natural",
        skip_serializing_if = "is_one"
    )]
    pub copies: u64,
    /// Draw the k positions of an item without collisions (for the shared layout).
    #[serde(default)]
    pub distinct: bool,
    /// Conservative update: an insertion raises no cell above the least cell of its item and the amount (for counting filters and
    /// Count-Min sketches, in the shared layout).
    #[serde(default)]
    pub conservative: bool,
    /// Accept that two hash functions put a floor near n/m'^2 under the false-positive rate where it matters
    /// (above 10% of the rate, planning refuses without this).
    #[serde(default)]
    pub accept_two_hash_floor: bool,
    /// Positions of a bank (shared layout: of the array) that are used; all of them unless given. Under double hashing a prime, or
    /// all of them. For recycling, static, counting and count-min.
    #[serde(
        default,
        deserialize_with = "some_natural",
        skip_serializing_if = "Option::is_none"
    )]
    pub range: Option<u64>,
    /// When the filter forgets; required for `kind = "recycling"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recycle: Option<RecycleSection>,
    /// Insertions between two clears, at which rates are predicted; required for `static`, `counting` (without a window) and `count-min`
    /// (there: the sum of the amounts).
    #[serde(
        default,
        deserialize_with = "some_natural",
        skip_serializing_if = "Option::is_none"
    )]
    pub items: Option<u64>,
    /// The counters of `kind = "counting"`, and required there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counting: Option<CountingSection>,
    /// The counters of `kind = "count-min"`, and required there.
    #[serde(default, rename = "count-min", skip_serializing_if = "Option::is_none")]
    pub count_min: Option<CountMinSection>,
    /// The window of `kind = "sliding"`, and required there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sliding: Option<SlidingSection>,
}

fn one() -> u64 {
    1
}

fn is_one(value: &u64) -> bool {
    *value == 1
}

/// `[filter.sliding]`: what a sliding-window filter remembers, and the sizes of its tables. Sizes that are not given are
/// chosen as [`SlidingGeometry`](crate::SlidingGeometry) says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlidingSection {
    /// n: elements (inserts and test-and-inserts) back from now that are always seen.
    #[serde(deserialize_with = "natural")]
    pub window: u64,
    /// m: elements before those that may be seen or not.
    #[serde(deserialize_with = "natural")]
    pub slack: u64,
    /// eps: most probable false positive, above 0 and at most 0.5.
    pub target_fpr: f64,
    /// c: generations of the window.
    #[serde(
        default,
        deserialize_with = "some_natural",
        skip_serializing_if = "Option::is_none"
    )]
    pub generations: Option<u64>,
    /// How the elements are stored.
    #[serde(default)]
    pub table: WindowTable,
    /// Rows of each cuckoo table, a power of two.
    #[serde(
        default,
        deserialize_with = "some_natural",
        skip_serializing_if = "Option::is_none"
    )]
    pub rows: Option<u64>,
    /// Cells of a row of a cuckoo table, from 3 to 8.
    #[serde(
        default,
        deserialize_with = "some_natural",
        skip_serializing_if = "Option::is_none"
    )]
    pub row_cells: Option<u64>,
    /// Cells of the stash beside the cuckoo tables.
    #[serde(
        default,
        deserialize_with = "some_natural",
        skip_serializing_if = "Option::is_none"
    )]
    pub stash_cells: Option<u64>,
    /// Buckets of the front table, a power of two.
    #[serde(
        default,
        deserialize_with = "some_natural",
        skip_serializing_if = "Option::is_none"
    )]
    pub front_buckets: Option<u64>,
    /// Buckets of the back table, a power of two.
    #[serde(
        default,
        deserialize_with = "some_natural",
        skip_serializing_if = "Option::is_none"
    )]
    pub back_buckets: Option<u64>,
    /// Cells of a bucket, of either table: 2, 4 or 8.
    #[serde(
        default,
        deserialize_with = "some_natural",
        skip_serializing_if = "Option::is_none"
    )]
    pub bucket_cells: Option<u64>,
    /// Cells of the store behind both tables.
    #[serde(
        default,
        deserialize_with = "some_natural",
        skip_serializing_if = "Option::is_none"
    )]
    pub store_cells: Option<u64>,
    /// Bits of a fingerprint.
    #[serde(
        default,
        deserialize_with = "some_natural",
        skip_serializing_if = "Option::is_none"
    )]
    pub fingerprint_bits: Option<u64>,
    /// Bits of a generation number in a cell.
    #[serde(
        default,
        deserialize_with = "some_natural",
        skip_serializing_if = "Option::is_none"
    )]
    pub generation_bits: Option<u64>,
    /// Accept tables that lose more than one insertion in 10^12 (each loss is counted, and may become a false negative).
    #[serde(default)]
    pub accept_overflow: bool,
}

/// `[filter.counting]`: the counters of a counting filter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountingSection {
    /// Bits of a counter, from 2 to 16; it saturates at `2^counter_bits - 1`.
    #[serde(deserialize_with = "natural")]
    pub counter_bits: u64,
    /// Count from which a key is reported, theta: from 1 to the counter's greatest value.
    #[serde(deserialize_with = "natural")]
    pub threshold: u64,
    /// Insertions over which occurrences count, N: each arrival's estimate counts those among the last N insertions, and none
    /// that lies 2 N back. Counts since the last clear unless given.
    #[serde(
        default,
        deserialize_with = "some_natural",
        skip_serializing_if = "Option::is_none"
    )]
    pub window: Option<u64>,
}

/// `[filter.count-min]`: the counters of a Count-Min sketch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountMinSection {
    /// Bits of a counter, from 8 to 32; it saturates at `2^counter_bits - 1`.
    #[serde(deserialize_with = "natural")]
    pub counter_bits: u64,
    /// Bits of the amount that an item adds, from 1 to `counter_bits`.
    #[serde(deserialize_with = "natural")]
    pub amount_bits: u64,
    /// Estimate from which a key is reported; the counter's greatest value unless given.
    #[serde(
        default,
        deserialize_with = "some_natural",
        skip_serializing_if = "Option::is_none"
    )]
    pub threshold: Option<u64>,
}

/// `[filter.recycle]`: when a recycling filter forgets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecycleSection {
    /// Halves of the memory: 1 forgets everything at a recycle, 2 keeps the previous cycle readable.
    #[serde(deserialize_with = "natural")]
    pub phases: u64,
    /// What is counted against the threshold.
    pub on: RecycleOn,
    /// The threshold of one half, in bits set or messages, or `auto`.
    pub threshold: Threshold,
    /// Average false-positive rate that `auto` solves for, in (0, 1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_fpr: Option<f64>,
    /// The item that trips the recycle opens the new cycle (else it is forgotten).
    #[serde(default = "yes")]
    pub retain: bool,
    /// Longest time a half stays active, in milliseconds; 0 means no limit.
    #[serde(default, deserialize_with = "natural")]
    pub max_age_ms: u64,
}

/// `[key]`: what an item's key is. Either `bits` or `source`; both only if they agree.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeySection {
    /// Width of the key in bits, from 1 to 512.
    #[serde(
        default,
        deserialize_with = "some_natural",
        skip_serializing_if = "Option::is_none"
    )]
    pub bits: Option<u64>,
    /// Packet field that is the key; it fixes the width.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<KeySource>,
    /// Width in bits of the tag that an item carries to its verdict unchanged, from 1 to 64.
    #[serde(default = "default_tag_bits", deserialize_with = "natural")]
    pub tag_bits: u64,
}

/// `[hash]`: how keys become probe positions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HashSection {
    /// Hash family.
    pub family: HashFamily,
    /// Where every constant of the family comes from.
    #[serde(deserialize_with = "natural")]
    pub seed: u64,
}

/// `[memory]`: how the filter's memory is emptied, and what it notices of its own errors.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemorySection {
    /// Parity of every memory word, and what happens to a word whose parity is wrong; none unless given.
    #[serde(default)]
    pub parity: Parity,
    /// Whether every memory word bears an error-correcting code instead: one flipped bit is corrected, two are detected. Not unless given.
    #[serde(default)]
    pub ecc: bool,
    /// How memory is emptied; by epochs unless given.
    #[serde(default)]
    pub erase: EraseSetting,
    /// Bits of a row of single bits, which is erased in one clock; 1 unless given, and `auto` where `erase` is.
    #[serde(default)]
    pub row_bits: Option<AutoOrInteger>,
}

/// `[protection]`: what the control logic notices of its own errors.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProtectionSection {
    /// Whether the filter checks its verdict queue and its sequencer in every clock, and restarts them when they contradict themselves; not unless given.
    #[serde(default)]
    pub self_check: bool,
}

/// `[features]`: what is built beside the filter itself. A part that is not built has no registers: logic for less to be seen.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeaturesSection {
    /// Width of the event counters, or none.
    #[serde(default)]
    pub counters: CounterWidth,
    /// Whether a host can read and write the array: snapshots and restore. It can unless given; for the kinds with an array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array_access: Option<bool>,
    /// Whether a host can limit the age of a half. It can unless given; for recycling filters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_age: Option<bool>,
    /// Registers behind AXI4-Lite: all, those that are set in the field, or none.
    #[serde(default)]
    pub registers: RegisterSet,
    /// Places of the verdict queue, a power of two from 8 to 256, or 0 for none. As many as the full rate needs unless given.
    #[serde(
        default,
        deserialize_with = "some_natural",
        skip_serializing_if = "Option::is_none"
    )]
    pub verdict_queue: Option<u64>,
}

/// `[target]`: what the gateware runs on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TargetSection {
    /// Clock of the filter in hertz; turns `max_age_ms` into clocks and items a clock into items a second.
    #[serde(deserialize_with = "natural")]
    pub clock_hz: u64,
    /// Part or family of parts, whose block RAM `auto` in `[memory]` goes by; unknown unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// How short the way of an item is; for recycling filters with a spare half.
    #[serde(skip_serializing_if = "is_default")]
    pub latency: Latency,
}

/// `[card]`: the filter with an item port, by which a host inserts and queries keys, and with a way for the host to reach
/// its registers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardSection {
    /// Bits a second of the UART that the host speaks uartbone over; without it the host comes over AXI4-Lite.
    #[serde(
        default,
        deserialize_with = "some_natural",
        skip_serializing_if = "Option::is_none"
    )]
    pub uart_baud: Option<u64>,
}

/// `[packet]`: the card in a network path, between two streams of frames or two Ethernet ports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PacketSection {
    /// Streams of frames, or two Ethernet ports.
    #[serde(default)]
    pub ports: Ports,
    /// Bits of a beat of frame data: 8, 64 or 512.
    #[serde(deserialize_with = "natural")]
    pub data_bits: u64,
    /// Bytes of the buffer that holds whole frames, a power of two from 4,096 to 262,144.
    #[serde(default = "default_buffer_bytes", deserialize_with = "natural")]
    pub buffer_bytes: u64,
    /// Bytes, without FCS, of the longest frame that is not oversize at reset, from 60 to 65,535; the buffer holds one.
    #[serde(default = "default_max_frame_bytes", deserialize_with = "natural")]
    pub max_frame_bytes: u64,
    /// At reset items of frames are test-and-inserts, else queries.
    #[serde(default = "yes")]
    pub learn: bool,
    /// The frame digest leaves out what changes with each hop; belongs to `key.source = "frame-digest"`.
    #[serde(default)]
    pub mask_hops: bool,
    /// Tunnels whose inner packet is the key; none unless given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tunnels: Vec<Tunnel>,
    /// All senders of frames are trusted, so the hash family need not be keyed.
    #[serde(default)]
    pub trusted_keys: bool,
    /// What happens to the frames of each class.
    #[serde(default)]
    pub policy: PolicySection,
    /// The registers over Ethernet too, at one of two Ethernet ports; over the UART alone unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<HostSection>,
}

/// `[packet.policy]`: at reset, what happens to the frames of each class: `"pass"`, `"drop"` or `"mark:N"` with a DSCP N.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct PolicySection {
    /// Of [`FrameClass::Unseen`]; pass unless given.
    pub unseen: Policy,
    /// Of [`FrameClass::Seen`]; pass unless given.
    pub seen: Policy,
    /// Of [`FrameClass::Other`]; pass unless given.
    pub other: Policy,
    /// Of [`FrameClass::Truncated`]; drop unless given.
    pub truncated: Policy,
    /// Of [`FrameClass::Malformed`]; drop unless given.
    pub malformed: Policy,
    /// Of [`FrameClass::TooDeep`]; pass unless given.
    pub too_deep: Policy,
    /// Of [`FrameClass::Oversize`]; drop unless given.
    pub oversize: Policy,
    /// Of [`FrameClass::Bad`]; drop unless given.
    pub bad: Policy,
}

impl PolicySection {
    /// The policy of each class, by the class's number.
    pub fn by_class(&self) -> [Policy; FrameClass::COUNT] {
        [
            self.unseen,
            self.seen,
            self.other,
            self.truncated,
            self.malformed,
            self.too_deep,
            self.oversize,
            self.bad,
        ]
    }
}

impl Default for PolicySection {
    fn default() -> Self {
        PolicySection {
            unseen: Policy::Pass,
            seen: Policy::Pass,
            other: Policy::Pass,
            truncated: Policy::Drop,
            malformed: Policy::Drop,
            too_deep: Policy::Pass,
            oversize: Policy::Drop,
            bad: Policy::Drop,
        }
    }
}

impl Default for HashSection {
    fn default() -> Self {
        HashSection {
            family: HashFamily::H3Sbox,
            seed: 1,
        }
    }
}

impl Default for TargetSection {
    fn default() -> Self {
        TargetSection {
            clock_hz: 250_000_000,
            part: None,
            latency: Latency::Default,
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn yes() -> bool {
    true
}

fn default_tag_bits() -> u64 {
    16
}

fn default_buffer_bytes() -> u64 {
    16_384
}

fn default_max_frame_bytes() -> u64 {
    1_518
}

impl FilterSpec {
    /// Reads a specification from text; `file` is the name that errors show.
    ///
    /// # Errors
    /// [`SpecError::Syntax`] with line and column if the text is not the TOML of a specification; [`SpecError::Read`] if it is too long for one.
    pub fn from_toml(text: &str, file: &Path) -> Result<FilterSpec, SpecError> {
        files::check_length(text.len() as u64, files::MOST_TEXT_BYTES)
            .map_err(FilterSpec::cannot_read(file))?;
        let syntax = |span, message| SpecError::Syntax {
            file: file.to_owned(),
            at: Box::new(Place::of_span(text, span)),
            message,
        };
        if let Some((span, message)) = wrong_type(text) {
            return Err(syntax(span, message));
        }
        let mut spec: FilterSpec = toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(0..text.len());
            let message = with_suggestion(text, span.start, error.message());
            syntax(span, message)
        })?;
        spec.file = file.to_owned();
        Ok(spec)
    }

    /// Reads a specification from a file.
    ///
    /// # Errors
    /// [`SpecError::Read`] if the file cannot be read, and those of [`FilterSpec::from_toml`].
    pub fn load(path: impl AsRef<Path>) -> Result<FilterSpec, SpecError> {
        let path = path.as_ref();
        FilterSpec::from_toml(&FilterSpec::text_of(path)?, path)
    }

    /// The text of a specification's file, or of the specification in a manifest that `emit` wrote (a name that ends in `.json`).
    ///
    /// # Errors
    /// [`SpecError::Read`] if the file cannot be read, or is too long for a specification; [`SpecError::Manifest`].
    pub fn text_of(path: &Path) -> Result<String, SpecError> {
        match is_manifest(path) {
            true => specification_in(path),
            false => {
                files::text(path, files::MOST_TEXT_BYTES).map_err(FilterSpec::cannot_read(path))
            }
        }
    }

    fn cannot_read(file: &Path) -> impl FnOnce(std::io::Error) -> SpecError + '_ {
        move |source| SpecError::Read {
            file: file.to_owned(),
            source,
        }
    }

    /// The specification as canonical TOML: every key that has a value, defaults included, in a fixed order, without
    /// comments. Reading it back gives the same specification.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("tables of scalars always serialise")
    }

    /// The parity of memory words: that of `[memory]`, or none.
    pub fn parity(&self) -> Parity {
        self.memory
            .as_ref()
            .map_or(Parity::None, |memory| memory.parity)
    }

    /// How a sliding window stores its elements, as `[filter.sliding]` says.
    pub fn window_table(&self) -> WindowTable {
        let section = self.filter.sliding.as_ref();
        section.map_or_else(WindowTable::default, |section| section.table)
    }

    /// Whether memory words bear an error-correcting code, as `[memory]` says.
    pub fn ecc(&self) -> bool {
        self.memory.as_ref().is_some_and(|memory| memory.ecc)
    }

    /// Whether control logic checks itself, as `[protection]` says.
    pub fn self_check(&self) -> bool {
        self.protection
            .as_ref()
            .is_some_and(|protection| protection.self_check)
    }

    /// What is built beside the filter itself: as `[features]` says, or everything.
    pub fn features(&self) -> FeaturesSection {
        self.features.clone().unwrap_or_default()
    }

    /// How memory is to be emptied: as `[memory]` says, or by epochs.
    pub fn erase(&self) -> EraseSetting {
        self.memory
            .as_ref()
            .map_or(EraseSetting::Epoch, |memory| memory.erase)
    }

    /// How short the way of an item is to be: as `[target]` says, or as long as the fastest clock takes.
    pub fn latency(&self) -> Latency {
        self.target
            .as_ref()
            .map_or(Latency::Default, |target| target.latency)
    }

    /// The clock in hertz: that of `[target]`, or the default.
    pub fn clock_hz(&self) -> u64 {
        self.target
            .as_ref()
            .map_or(TargetSection::default().clock_hz, |target| target.clock_hz)
    }
}

/// The message about a key or word that is unknown, with the one that was likely meant, about a key that is missing, and about a value that is
/// neither number nor string.
fn with_suggestion(text: &str, at: usize, message: &str) -> String {
    if message.starts_with("string values must be quoted") {
        return format!(
            "{message}; write a number in digits, such as 65536 or 65_536, and a word in quotes"
        );
    }
    let words: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let Some((&word, others)) = words.split_first() else {
        return message.to_owned();
    };
    let explained = if message.starts_with("missing field") {
        missing(text, word)
    } else if message.starts_with("unknown field") || message.starts_with("unknown variant") {
        let meant = nearest_word(word, others.iter().copied());
        unknown(text, at, others, meant)
    } else {
        None
    };
    explained.unwrap_or_else(|| message.to_owned())
}
