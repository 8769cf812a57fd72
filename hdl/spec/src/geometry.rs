use crate::error::SpecError;
use crate::hash::{HashConstants, MIN_FUNCTION_BITS};
use crate::key_source::{KeyFormat, KeySource};
use crate::rules::{self, Rules};
use crate::specification::{FilterSpec, HashFamily, Hashing, RecycleOn, Threshold};
use crate::timing::Timing;
use sha2::{Digest, Sha256};
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

/// Data bits of a memory word.
pub const WORD_BITS: u32 = 32;
/// Bits of a memory word's epoch tag; with the data they fill a 36-bit block-RAM word.
pub const EPOCH_BITS: u32 = 4;
/// Clocks of one tick, the unit of the maximum age.
pub const TICK_CLOCKS: u32 = 1024;

/// What a specification asks of the threshold, once the rest is known to be sound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ThresholdSetting {
    /// Theory solves for the greatest threshold whose average false-positive rate is at most this.
    Auto {
        /// Target, in (0, 1).
        target_fpr: f64,
    },
    /// The specification gives the threshold (not yet checked: [`Sizing::with_threshold`] does).
    Fixed(u64),
}

/// A validated specification but for its threshold: what theory needs to solve `auto`.
///
/// Made by [`FilterSpec::validate`]; [`Sizing::with_threshold`] completes it. The hash constants are expanded once and
/// shared by every copy.
#[derive(Debug, Clone, PartialEq)]
pub struct Sizing {
    file: PathBuf,
    name: String,
    phases: u32,
    hashes: u32,
    memory_bits: u64,
    accept_two_hash_floor: bool,
    retain: bool,
    recycle_on: RecycleOn,
    threshold_setting: ThresholdSetting,
    target_fpr: Option<f64>,
    max_age_ticks: u32,
    key_format: KeyFormat,
    tag_bits: u32,
    hashing: Hashing,
    family: HashFamily,
    seed: u64,
    clock_hz: u64,
    timing: Timing,
    hash: Arc<HashConstants>,
}

/// A complete, validated geometry: nothing after this checks it again.
///
/// Dereferences to [`Sizing`], so every getter there is at hand here.
#[derive(Debug, Clone, PartialEq)]
pub struct Geometry {
    sizing: Sizing,
    threshold: u64,
    geometry_hash: u64,
}

impl FilterSpec {
    /// Checks every rule but the threshold's and expands the hash constants.
    ///
    /// # Errors
    /// [`SpecError::Rule`] with the nearest legal value for the first value that breaks a rule, or
    /// [`SpecError::Unsupported`] for a word of the format that this version's gateware does not offer.
    pub fn validate(&self) -> Result<Sizing, SpecError> {
        let rules = Rules::new(&self.file);
        rules.name(&self.name)?;
        rules.supported(self)?;
        let recycle = rules.recycle_section(self)?;
        let phases = rules.integer("filter.recycle.phases", recycle.phases, 1, 2)?;
        let hashes = rules.integer("filter.hashes", self.filter.hashes, 1, rules::MAX_HASHES)?;
        rules.memory(self.filter.memory_bits, phases, hashes)?;
        let threshold_setting = rules.threshold_setting(recycle)?;
        let key_format = rules.key_format(&self.key)?;
        let tag_bits = rules.integer("key.tag_bits", self.key.tag_bits, 1, 64)?;
        let clock_hz = self.clock_hz();
        rules.clock(clock_hz)?;
        let max_age_ticks = rules.max_age_ticks(recycle.max_age_ms, clock_hz)?;

        let partition_bits = self.filter.memory_bits / u64::from(phases) / u64::from(hashes);
        let function_bits = MIN_FUNCTION_BITS.max(partition_bits.trailing_zeros());
        let functions = match self.filter.hashing {
            Hashing::Independent => hashes as usize,
            Hashing::Double | Hashing::ExtendedDouble2 | Hashing::ExtendedDouble3 => 2,
        };
        let hash = HashConstants::expand(
            self.hash.family,
            self.hash.seed,
            key_format.bits,
            functions,
            function_bits,
        );
        Ok(Sizing {
            file: self.file.clone(),
            name: self.name.clone(),
            phases,
            hashes,
            memory_bits: self.filter.memory_bits,
            accept_two_hash_floor: self.filter.accept_two_hash_floor,
            retain: recycle.retain,
            recycle_on: recycle.on,
            threshold_setting,
            target_fpr: recycle.target_fpr,
            max_age_ticks,
            key_format,
            tag_bits,
            hashing: self.filter.hashing,
            family: self.hash.family,
            seed: self.hash.seed,
            clock_hz,
            timing: Timing::new(self.hash.family, self.filter.hashing, hashes),
            hash: Arc::new(hash),
        })
    }
}

impl ThresholdSetting {
    pub(crate) fn new(threshold: Threshold, target_fpr: Option<f64>) -> Option<ThresholdSetting> {
        match threshold {
            Threshold::Auto => target_fpr.map(|target_fpr| ThresholdSetting::Auto { target_fpr }),
            Threshold::Fixed(value) => Some(ThresholdSetting::Fixed(value)),
        }
    }
}

impl Sizing {
    /// Completes the geometry with a threshold: bits set (sigma) or messages (N), of one half.
    ///
    /// # Errors
    /// [`SpecError::Rule`] if the threshold is not from k to the bits of a half (on bits set), or from 1 to the bits of a
    /// half (on messages).
    pub fn with_threshold(&self, threshold: u64) -> Result<Geometry, SpecError> {
        Rules::new(&self.file).threshold(threshold, self)?;
        let geometry_hash = self.geometry_hash_with(threshold);
        Ok(Geometry {
            sizing: self.clone(),
            threshold,
            geometry_hash,
        })
    }

    /// SHA-256 over one line of JSON with sorted keys; its first eight bytes, the first the most significant.
    fn geometry_hash_with(&self, threshold: u64) -> u64 {
        let canonical = serde_json::json!({
            "format": 1,
            "kind": "recycling",
            "layout": "partitioned",
            "name": self.name,
            "phases": self.phases,
            "hashes": self.hashes,
            "memory_bits": self.memory_bits,
            "retain": self.retain,
            "on": self.recycle_on.word(),
            "threshold": threshold,
            "max_age_ticks": self.max_age_ticks,
            "key_bits": self.key_format.bits,
            "key_source": self.key_format.source.map(KeySource::word),
            "tag_bits": self.tag_bits,
            "hashing": self.hashing.word(),
            "family": self.family.word(),
            "seed": self.seed,
        });
        let digest = Sha256::digest(canonical.to_string().as_bytes());
        digest
            .iter()
            .take(8)
            .fold(0, |value, &byte| value << 8 | u64::from(byte))
    }

    /// Name of the top module and of the emitted files.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Halves of the memory, 1 or 2.
    pub fn phases(&self) -> u32 {
        self.phases
    }

    /// Probes an item makes, k, which is also the number of partitions of a half.
    pub fn hashes(&self) -> u32 {
        self.hashes
    }

    /// Data bits, all phases together.
    pub fn memory_bits(&self) -> u64 {
        self.memory_bits
    }

    /// Data bits of one half: `memory_bits / phases`.
    pub fn half_bits(&self) -> u64 {
        self.memory_bits / u64::from(self.phases)
    }

    /// Data bits of one partition of a half, m', a power of two.
    pub fn partition_bits(&self) -> u64 {
        self.half_bits() / u64::from(self.hashes)
    }

    /// Bits of an index into a partition: log2 m'.
    pub fn index_bits(&self) -> u32 {
        self.partition_bits().trailing_zeros()
    }

    /// Words of [`WORD_BITS`] data bits in one partition of a half: m' / 32, a power of two of at least 4.
    pub fn words_per_bank(&self) -> u64 {
        self.partition_bits() / u64::from(WORD_BITS)
    }

    /// Bits of a word's address in one partition of a half: the high bits of an index (the low five select the bit).
    pub fn word_address_bits(&self) -> u32 {
        self.index_bits() - WORD_BITS.trailing_zeros()
    }

    /// Whether two hash functions may put a floor under the false-positive rate where it matters.
    pub fn accept_two_hash_floor(&self) -> bool {
        self.accept_two_hash_floor
    }

    /// Whether the item that trips a recycle opens the new cycle.
    pub fn retain(&self) -> bool {
        self.retain
    }

    /// What is counted against the threshold.
    pub fn recycle_on(&self) -> RecycleOn {
        self.recycle_on
    }

    /// What the specification asks of the threshold.
    pub fn threshold_setting(&self) -> ThresholdSetting {
        self.threshold_setting
    }

    /// Average false-positive rate the specification aims at, in (0, 1).
    pub fn target_fpr(&self) -> Option<f64> {
        self.target_fpr
    }

    /// Longest time a half stays active, in ticks of [`TICK_CLOCKS`] clocks; 0 means no limit. `max_age_ms` rounded down
    /// to whole ticks, but at least one tick where there is a limit.
    pub fn max_age_ticks(&self) -> u32 {
        self.max_age_ticks
    }

    /// Width of the key in bits, from 1 to 512.
    pub fn key_bits(&self) -> u32 {
        self.key_format.bits
    }

    /// Packet field that is the key, if the specification names one.
    pub fn key_source(&self) -> Option<KeySource> {
        self.key_format.source
    }

    /// How integers, bytes and packets become keys.
    pub fn key_format(&self) -> KeyFormat {
        self.key_format
    }

    /// Width in bits of the tag an item carries to its verdict, from 1 to 64.
    pub fn tag_bits(&self) -> u32 {
        self.tag_bits
    }

    /// How the k probe positions come from hash functions.
    pub fn hashing(&self) -> Hashing {
        self.hashing
    }

    /// Hash family.
    pub fn family(&self) -> HashFamily {
        self.family
    }

    /// Seed of the hash constants.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Clock of the filter in hertz; only for turning clocks into times and rates.
    pub fn clock_hz(&self) -> u64 {
        self.clock_hz
    }

    /// Width of a count of bits set or messages of one half: enough for `half_bits` itself, at most 32.
    pub fn count_bits(&self) -> u32 {
        self.half_bits().ilog2() + 1
    }

    /// When things happen in the pipeline.
    pub fn timing(&self) -> Timing {
        self.timing
    }

    /// The expanded hash constants.
    pub fn hash(&self) -> &HashConstants {
        &self.hash
    }
}

impl Geometry {
    /// Threshold of one half as of reset: bits set (sigma) or messages (N).
    pub fn threshold(&self) -> u64 {
        self.threshold
    }

    /// First eight bytes of the SHA-256 of everything that changes the gateware: a host refuses a device whose geometry
    /// hash differs. Comments, `clock_hz` (but for the age in ticks), `target_fpr` and spelled-out defaults leave it as
    /// it is.
    pub fn geometry_hash(&self) -> u64 {
        self.geometry_hash
    }

    /// The validated specification without its threshold.
    pub fn sizing(&self) -> &Sizing {
        &self.sizing
    }
}

impl Deref for Geometry {
    type Target = Sizing;

    fn deref(&self) -> &Sizing {
        &self.sizing
    }
}
