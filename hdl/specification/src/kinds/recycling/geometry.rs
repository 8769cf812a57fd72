//! Geometry of a recycling filter.

use super::counters::RecyclingCounter;
use crate::card::UART_QUEUE_BYTES;
use crate::common::{geometry_hash, Common, Streams};
use crate::erase::{EraseReason, EraseRequest};
use crate::error::SpecError;
use crate::item::{OPERATION_BITS, VERDICT_BITS};
use crate::key_source::KeySource;
use crate::packet::{Ports, KEY_QUEUE_ITEMS, LANES};
use crate::rules::{Rules, MAX_HASHES};
use crate::specification::FilterSpec;
use crate::timing::Timing;
use crate::values::{
    Erase, EraseSetting, Latency, Layout, Parity, RecycleOn, RegisterSet, Threshold,
};
use crate::word::{EPOCH_BITS, WORD_BITS};
use std::ops::Deref;

/// Clocks of one tick, the unit of the maximum age.
pub const TICK_CLOCKS: u32 = 1024;

/// Clocks at the end of an erase in which an item that is counted holds nothing up any more.
const ERASE_LEAD: u64 = 4;

/// Clocks of a host's write to a register over AXI4-Lite, at least; an item takes one.
const WRITE_CLOCKS: u64 = 4;

/// Bits of a byte on a UART, with start and stop bit; an item over it takes more than one byte.
const BYTE_BITS: u64 = 10;

/// A half of a recycling filter by what it does at present; a recycle makes the one the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HalfRole {
    /// Items are inserted here.
    Active = 0,
    /// Kept as the last cycle left it; two phases only.
    Frozen = 1,
}

impl HalfRole {
    /// The halves of a filter of so many phases, 1 or 2, in the order of their array addresses.
    pub fn of(phases: u32) -> &'static [HalfRole] {
        match phases {
            1 => &[HalfRole::Active],
            _ => &[HalfRole::Active, HalfRole::Frozen],
        }
    }

    /// `active` or `frozen`.
    pub fn word(self) -> &'static str {
        match self {
            HalfRole::Active => "active",
            HalfRole::Frozen => "frozen",
        }
    }
}

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

/// A validated recycling filter but for its threshold: what theory needs to solve `auto`.
///
/// Made by [`FilterSpec::validate`]; [`Sizing::with_threshold`] completes it. Dereferences to [`Common`].
#[derive(Debug, Clone, PartialEq)]
pub struct Sizing {
    pub(super) common: Common,
    phases: u32,
    memory_bits: u64,
    bank_bits: u64,
    retain: bool,
    recycle_on: RecycleOn,
    /// How a half is emptied; where it is chosen with the threshold, one that may become another.
    erase: Erase,
    row_bits: u32,
    erase_request: EraseRequest,
    erase_reason: Option<EraseReason>,
    threshold_setting: ThresholdSetting,
    target_fpr: Option<f64>,
    max_age_ticks: u32,
    /// Places of the verdict queue, where the specification says how many.
    verdict_queue: Option<u32>,
    timing: Timing,
}

/// A complete, validated geometry of a recycling filter: nothing after this checks it again.
///
/// Dereferences to [`Sizing`], so every getter there and of [`Common`] is at hand here.
#[derive(Debug, Clone, PartialEq)]
pub struct RecyclingGeometry {
    pub(super) sizing: Sizing,
    threshold: u64,
    geometry_hash: u64,
}

impl FilterSpec {
    /// Checks every rule of a recycling filter but the threshold's and expands the hash constants.
    ///
    /// # Errors
    /// [`SpecError::Rule`] with the nearest legal value for the first value that breaks a rule, or
    /// [`SpecError::Unsupported`] for another kind of filter ([`FilterSpec::design`] takes all) or for a word of the format
    /// that this version's gateware does not offer.
    pub fn validate(&self) -> Result<Sizing, SpecError> {
        let rules = Rules::new(&self.file);
        rules.name(&self.name)?;
        rules.recycling(self)?;
        let erase_request = rules.erase(self)?;
        rules.recycling_supported(self)?;
        rules.probing(self)?;
        rules.recycling_has_no_counters(self)?;
        let recycle = rules.recycle_section(self)?;
        let phases = rules.integer("filter.recycle.phases", recycle.phases, 1, 2)?;
        let hashes = rules.integer("filter.hashes", self.filter.hashes, 1, MAX_HASHES)?;
        let (bank_bits, range) = match self.filter.layout {
            Layout::Partitioned => {
                let bits = rules.memory(self.filter.memory_bits, phases, hashes)?;
                (bits, rules.partition(self, bits)?)
            }
            Layout::Shared => {
                let bits = rules.shared_memory(self.filter.memory_bits, phases)?;
                (bits, rules.range(self, bits)?)
            }
        };
        let threshold_setting = rules.threshold_setting(recycle)?;
        let erase = match erase_request.setting.given() {
            Some(erase) => erase,
            None if erase_request.single_bits_for.is_some() => Erase::SpareHalf,
            None => Erase::Epoch,
        };
        let streams = Streams {
            range,
            operation_bits: OPERATION_BITS,
            verdict_bits: VERDICT_BITS,
        };
        let mut common = Common::new(self, &rules, streams)?;
        let need = usual_timing(&common, erase).queue_need();
        let verdict_queue = rules.asked_verdict_queue(self, need)?;
        let timing = settle(&mut common, erase, verdict_queue);
        rules.decision_clocks(hashes, &timing)?;
        let max_age_ticks = rules.max_age_ticks(recycle.max_age_ms, common.clock_hz())?;
        Ok(Sizing {
            phases,
            memory_bits: self.filter.memory_bits,
            bank_bits,
            retain: recycle.retain,
            recycle_on: recycle.on,
            erase,
            row_bits: erase_request.row_bits.unwrap_or(1),
            erase_request,
            erase_reason: None,
            threshold_setting,
            target_fpr: recycle.target_fpr,
            max_age_ticks,
            verdict_queue,
            timing,
            common,
        })
    }
}

/// When things happen in the pipeline of a filter that empties a half like this, with the usual verdict queue.
fn usual_timing(common: &Common, erase: Erase) -> Timing {
    match erase {
        Erase::Epoch => Timing::new(common.hash().clocks(), &common.probing())
            .reading_ahead(common.read_ahead_clocks(), common.layout()),
        Erase::SpareHalf | Erase::InPlace => {
            Timing::with_spare_half(common.hash(), &common.probing(), common.latency())
        }
    }
}

/// Settles what follows from how a half is emptied, with so many places in the verdict queue where the specification says it; gives when things happen
/// in the pipeline.
fn settle(common: &mut Common, erase: Erase, verdict_queue: Option<u32>) -> Timing {
    let usual = usual_timing(common, erase);
    let unusual = |&depth: &u32| depth != usual.verdict_queue_depth;
    common.choose_verdict_queue(verdict_queue.filter(unusual), &usual.queue_need());
    common.choose_array_logic(erase);
    usual.with_verdict_queue(verdict_queue)
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
    pub fn with_threshold(&self, threshold: u64) -> Result<RecyclingGeometry, SpecError> {
        Rules::new(self.file()).threshold(threshold, self)?;
        let sizing = self.with_erase_chosen(threshold);
        let geometry_hash = sizing.geometry_hash_with(threshold);
        Ok(RecyclingGeometry {
            sizing,
            threshold,
            geometry_hash,
        })
    }

    /// The same with what `memory.erase` and `memory.row_bits` leave open chosen for a threshold.
    fn with_erase_chosen(&self, threshold: u64) -> Sizing {
        let request = &self.erase_request;
        let rows = self.rows_chosen(threshold);
        let words = |reason| Sizing {
            erase_reason: Some(reason),
            ..self.with_words()
        };
        let single_bits = |reason| Sizing {
            erase_reason: Some(reason),
            ..rows.clone()
        };
        match request.setting {
            EraseSetting::Epoch => return self.clone(),
            EraseSetting::SpareHalf | EraseSetting::InPlace => return rows,
            EraseSetting::Auto => {}
        }
        if let Some(what) = request.words_for {
            return words(EraseReason::NeedsWords(what));
        }
        if let Some(what) = request.single_bits_for {
            return single_bits(EraseReason::NeedsSingleBits(what));
        }
        if let Some((needed, available, name)) = rows.block_rams_missing() {
            return words(EraseReason::Memory {
                needed,
                available,
                name,
            });
        }
        let (least, row_bits) = (rows.stall_free_threshold_in_place(), rows.row_bits);
        let of_path = self.common.packet().is_some();
        match threshold >= least {
            true => single_bits(EraseReason::NeverWaits {
                threshold,
                least,
                row_bits,
                of_path,
            }),
            false => words(EraseReason::ShortCycles {
                threshold,
                least,
                row_bits,
                of_path,
                part_given: self.part().is_some(),
            }),
        }
    }

    /// With a spare half, and the narrowest rows that may be chosen whose erase holds nothing up at a threshold; else the widest.
    fn rows_chosen(&self, threshold: u64) -> Sizing {
        let widths = self.erase_request.row_widths(self.part());
        let ways = widths.into_iter().map(|bits| self.with_rows_of(bits));
        let ways: Vec<Sizing> = ways.collect();
        let free = ways
            .iter()
            .find(|way| threshold >= way.stall_free_threshold_in_place());
        free.or(ways.last()).unwrap_or(self).clone()
    }

    fn erased(&self, setting: EraseSetting, erase: Erase, row_bits: u32) -> Sizing {
        let mut common = self.common.clone();
        let timing = settle(&mut common, erase, self.verdict_queue);
        Sizing {
            erase,
            row_bits,
            erase_request: EraseRequest {
                setting,
                row_bits: Some(row_bits),
                ..self.erase_request.clone()
            },
            erase_reason: None,
            timing,
            common,
            ..self.clone()
        }
    }

    fn with_words(&self) -> Sizing {
        self.erased(EraseSetting::Epoch, Erase::Epoch, 1)
    }

    /// The same filter with a spare half and rows of so many bits, a width of a block RAM's port.
    pub fn with_rows_of(&self, row_bits: u32) -> Sizing {
        self.erased(EraseSetting::SpareHalf, Erase::SpareHalf, row_bits)
    }

    /// Widths of a row that are right on the part of the specification; 1 bit where it says none.
    pub fn row_widths(&self) -> Vec<u32> {
        crate::erase::safe_row_widths(self.part())
    }

    /// Why `memory.erase = "auto"` has become what it is; `None` where the specification says how.
    pub fn erase_reason(&self) -> Option<&EraseReason> {
        self.erase_reason.as_ref()
    }

    /// Block RAMs of the memory and their name, where the specification says the part. Small memories may be built from lookup tables instead.
    pub fn block_rams(&self) -> Option<(u64, &'static str)> {
        let spare = u32::from(self.erase == Erase::SpareHalf);
        let memories = u64::from(self.banks() * (self.phases + spare));
        self.block_rams_of(
            memories,
            (self.bank_bits, 1),
            self.words_per_bank(),
            self.erase,
        )
    }

    /// Block RAMs of the memory, those of the part, and their name, where the part has too few.
    fn block_rams_missing(&self) -> Option<(u64, u64, &'static str)> {
        let available = self.part()?.block_rams?;
        let (needed, name) = self.block_rams()?;
        (needed > available).then_some((needed, available, name))
    }

    fn geometry_hash_with(&self, threshold: u64) -> u64 {
        let mut canonical = serde_json::json!({
                "format": 1,
                "kind": "recycling",
                "layout": self.layout().word(),
                "name": self.name(),
                "phases": self.phases,
                "hashes": self.hashes(),
                "memory_bits": self.memory_bits,
                "retain": self.retain,
                "on": self.recycle_on.word(),
                "threshold": threshold,
                "max_age_ticks": self.max_age_ticks,
                "key_bits": self.key_bits(),
                "key_source": self.key_source().map(KeySource::word),
                "tag_bits": self.tag_bits(),
                "hashing": self.hashing().word(),
                "family": self.family().word(),
                "seed": self.seed(),
        });
        if self.layout() == Layout::Shared {
            canonical["distinct"] = self.distinct().into();
        }
        if self.layout() == Layout::Shared || self.range() != self.bank_bits {
            canonical["range"] = self.range().into();
        }
        if self.erase == Erase::SpareHalf {
            canonical["erase"] = self.erase.word().into();
            canonical["row_bits"] = self.row_bits.into();
        }
        if self.latency() != Latency::Default {
            canonical["latency"] = self.latency().word().into();
        }
        geometry_hash(self, canonical)
    }

    /// Halves of the memory, 1 or 2.
    pub fn phases(&self) -> u32 {
        self.phases
    }

    /// Whether each half is hashed under a secret of its own, so that a rekey empties one half only: two phases and a
    /// keyed hash, in the partitioned layout.
    pub fn has_secret_per_half(&self) -> bool {
        let keyed = self.hash().secret.is_some();
        self.phases == 2 && keyed && self.layout() == Layout::Partitioned
    }

    /// Data bits of the memory words of all phases; probes reach [`Sizing::half_bits`] of each half.
    pub fn memory_bits(&self) -> u64 {
        self.memory_bits
    }

    /// Bits of one half that probes reach: `memory_bits / phases`, or less where the range of a bank is smaller than the bank.
    pub fn half_bits(&self) -> u64 {
        self.range() * u64::from(self.banks())
    }

    /// Banks of memory that a half consists of: one a hash in the partitioned layout, one in the shared layout.
    pub fn banks(&self) -> u32 {
        match self.layout() {
            Layout::Partitioned => self.hashes(),
            Layout::Shared => 1,
        }
    }

    /// Bits of one bank of a half that probes reach, [`Common::range`]: in the partitioned layout a partition, m'; in the
    /// shared layout the half.
    pub fn partition_bits(&self) -> u64 {
        self.range()
    }

    /// The counters, in the order of their addresses.
    pub fn counters(&self) -> &'static [RecyclingCounter] {
        match self.counter_width().is_built() {
            true => RecyclingCounter::of(self.parity(), self.ecc(), self.self_check()),
            false => &[],
        }
    }

    /// Bits of memory: data, epochs and check bits of every word of all phases; with a spare half the bits of all halves.
    pub fn stored_bits(&self) -> u64 {
        if self.erase == Erase::SpareHalf {
            return self.bank_bits * u64::from(self.hashes()) * u64::from(self.phases + 1);
        }
        let words = self.words_per_bank() * u64::from(self.banks() * self.phases());
        words * u64::from(WORD_BITS + EPOCH_BITS + self.check_bits(WORD_BITS + EPOCH_BITS))
    }

    /// Words of [`WORD_BITS`] data bits in one bank of a half: at least 4, in the shared layout a power of two and at least
    /// [`MIN_CELL_WORDS`](crate::MIN_CELL_WORDS).
    pub fn words_per_bank(&self) -> u64 {
        self.bank_bits / u64::from(WORD_BITS)
    }

    /// Bits of a word's address in one partition of a half: the high bits of an index (the low five select the bit).
    pub fn word_address_bits(&self) -> u32 {
        self.index_bits() - WORD_BITS.trailing_zeros()
    }

    /// Bits of a bank's number in ARRAY_ADDRESS: ceil(log2 banks).
    pub fn array_bank_bits(&self) -> u32 {
        self.banks().next_power_of_two().trailing_zeros()
    }

    /// Bits of ARRAY_ADDRESS: the word's address in its bank, above it the bank, and with two phases above that the half.
    pub fn array_address_bits(&self) -> u32 {
        self.word_address_bits() + self.array_bank_bits() + self.phases() - 1
    }

    /// ARRAY_ADDRESS of word `word` (below [`Sizing::words_per_bank`]) of bank `bank` (below [`Sizing::banks`]) in a half
    /// (the frozen one with two phases only).
    pub fn array_address(&self, half: HalfRole, bank: u32, word: u32) -> u32 {
        let bank = (half as u32) << self.array_bank_bits() | bank;
        bank << self.word_address_bits() | word
    }

    /// How a half is emptied.
    pub fn erase(&self) -> Erase {
        self.erase
    }

    /// The same filter as it would be if it emptied a half in another way; `None` where that does not go with the layout, with
    /// parity or error correction, or with what `features` leaves out.
    pub fn erased_by(&self, erase: Erase) -> Option<Sizing> {
        let single_bits = self.layout() == Layout::Partitioned
            && self.parity() == Parity::None
            && !self.ecc()
            && !self.self_check();
        match erase {
            Erase::Epoch => {
                let words = self.erase_request.single_bits_for.is_none();
                words.then(|| self.with_words())
            }
            Erase::SpareHalf => single_bits.then(|| self.with_rows_of(self.row_bits)),
            Erase::InPlace => None,
        }
    }

    /// Whether the pipeline has registers that tell how many bits are set: with epochs always, where a host reaches them or not.
    pub fn has_count_registers(&self) -> bool {
        self.erase == Erase::Epoch || self.register_set() == RegisterSet::Full
    }

    /// Bits of the spare half that are erased in one clock.
    pub fn row_bits(&self) -> u32 {
        self.row_bits
    }

    /// Clocks that erasing the spare half takes: the rows of a half of one bank.
    pub fn erase_rows(&self) -> u64 {
        self.bank_bits / u64::from(self.row_bits)
    }

    /// What an item counts at most against the threshold: k bits, or one message.
    pub fn unit(&self) -> u32 {
        match self.recycle_on {
            RecycleOn::BitsSet => self.hashes(),
            RecycleOn::Messages => 1,
        }
    }

    /// With a spare half that is being erased: room of the active half, in units of the threshold, below which no item is
    /// taken. A power of two, enough for everything in flight.
    pub fn erase_guard(&self) -> u64 {
        let items = u64::from(self.timing.retire_clocks) + 1;
        (u64::from(self.unit()) * items).next_power_of_two()
    }

    /// With a spare half: the least threshold with which erasing never holds an item up, whatever items come; it may be
    /// more than is legal. A cycle that takes an item's most bits in every clock comes to [`Sizing::erase_guard`] only when
    /// the spare half is empty.
    pub fn stall_free_threshold(&self) -> u64 {
        self.stall_free_with(self.erase_rows() - ERASE_LEAD)
    }

    /// As [`Sizing::stall_free_threshold`], with no more items than come where the filter stands: in a packet path a key comes with a frame, which takes
    /// some beats, and a key of the host's over the UART at most with every byte of it.
    pub fn stall_free_threshold_in_place(&self) -> u64 {
        let every_clock = self.erase_rows() - ERASE_LEAD;
        let Some(packet) = self.common.packet() else {
            return self.stall_free_threshold();
        };
        let clocks = self.erase_rows();
        let lanes = match packet.ports() {
            Ports::Rgmii => LANES as u64,
            Ports::Streams => 1,
        };
        let beats = packet.fewest_beats(self.common.key_format().packet_source());
        let of_lane = u64::from(KEY_QUEUE_ITEMS) + 1 + clocks / beats;
        let write = match (packet.host(), self.common.card().and_then(|card| card.uart)) {
            (None, Some(uart)) => u64::from(uart.clocks_per_bit) * BYTE_BITS,
            _ => WRITE_CLOCKS,
        };
        let of_host = u64::from(UART_QUEUE_BYTES) + 1 + clocks / write;
        self.stall_free_with(every_clock.min(lanes * of_lane + of_host))
    }

    /// The least threshold at which so many items, each of its most bits, come to the guard while a half is erased.
    fn stall_free_with(&self, items: u64) -> u64 {
        let unit = u64::from(self.unit());
        let filling = self.erase_guard() + unit * items;
        let room = filling.max(unit * u64::from(self.timing.large_cycle_items));
        let base = if self.retain { unit } else { 0 };
        let tripping = u64::from(self.recycle_on == RecycleOn::Messages);
        room + base + tripping
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

    /// Least and greatest legal threshold: from k to one less than the bits of a half (on bits set), or from 1 to the bits of a half (on
    /// messages). No item takes a half above all of its bits, so a threshold of all of them would never recycle.
    pub fn thresholds(&self) -> (u64, u64) {
        match self.recycle_on {
            RecycleOn::BitsSet => (self.hashes().into(), self.half_bits() - 1),
            RecycleOn::Messages => (1, self.half_bits()),
        }
    }

    /// Longest time a half stays active, in ticks of [`TICK_CLOCKS`] clocks; 0 means no limit. `max_age_ms` rounded down
    /// to whole ticks, but at least one tick where there is a limit.
    pub fn max_age_ticks(&self) -> u32 {
        self.max_age_ticks
    }

    /// Width of a count of bits set or messages of one half: enough for `half_bits` itself, at most 32. In the partitioned layout
    /// enough for every bit of the half's words, which a host may set.
    pub fn count_bits(&self) -> u32 {
        let bits = match self.layout() {
            Layout::Partitioned => self.memory_bits / u64::from(self.phases),
            Layout::Shared => self.half_bits(),
        };
        bits.ilog2() + 1
    }

    /// When things happen in the pipeline.
    pub fn timing(&self) -> Timing {
        self.timing
    }

    /// Clocks from the acceptance of an item to its verdict that a filter with a spare half would have with another latency; `None` where there
    /// is no such choice.
    pub fn latency_clocks_with(&self, latency: Latency) -> Option<u32> {
        let choice = self.erase == Erase::SpareHalf && self.hash().secret.is_none();
        choice.then(|| {
            let timing = Timing::with_spare_half(self.hash(), &self.probing(), latency)
                .with_verdict_queue(self.verdict_queue);
            timing.front_clocks + timing.decision_stage + timing.verdict_clocks
        })
    }
}

impl RecyclingGeometry {
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

impl Deref for RecyclingGeometry {
    type Target = Sizing;

    fn deref(&self) -> &Sizing {
        &self.sizing
    }
}

impl Deref for Sizing {
    type Target = Common;

    fn deref(&self) -> &Common {
        &self.common
    }
}
