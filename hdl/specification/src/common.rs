use crate::card::Card;
use crate::hash::HashConstants;
use crate::host_port::HostAuth;
use crate::key_source::{KeyFormat, KeySource};
use crate::latency::FrontRanks;
use crate::packet::{FrameClass, Packet, Ports};
use crate::part::Part;
use crate::probing::Probing;
use crate::registers::numbers::ADDRESS_BITS;
use crate::rules::{self, Features, Rules};
use crate::specification::{FilterSpec, InterfaceSection};
use crate::timing::QueueNeed;
use crate::values::{
    CounterWidth, Erase, HashFamily, Hashing, Latency, Layout, Parity, RegisterSet,
};
use crate::word::{EPOCH_BITS, WORD_BITS};
use crate::SpecError;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What every kind of filter has: a name, keys and tags, and hash functions that give one probe position a bank.
///
/// Every validated geometry dereferences to it. The hash constants are expanded once and shared by every copy.
#[derive(Debug, Clone, PartialEq)]
pub struct Common {
    file: PathBuf,
    name: String,
    probing: Probing,
    key_format: KeyFormat,
    tag_bits: u32,
    operation_bits: u32,
    verdict_bits: u32,
    accept_two_hash_floor: bool,
    family: HashFamily,
    seed: u64,
    parity: Parity,
    ecc: bool,
    self_check: bool,
    features: Features,
    clock_hz: u64,
    part: Option<Part>,
    latency: Latency,
    pub(crate) card: Option<Card>,
    packet: Option<Packet>,
    interface: InterfaceSection,
    hash: Arc<HashConstants>,
}

/// What a kind of filter adds to the part of a specification that all kinds share.
pub(crate) struct Streams {
    /// Positions a probe chooses from.
    pub range: u64,
    /// Width of `s_item_tuser`.
    pub operation_bits: u32,
    /// Width of `m_verdict_tdata`.
    pub verdict_bits: u32,
}

impl Common {
    /// Checks key, tag and clock, and expands the hash constants; name, hashes and range are checked already.
    pub(crate) fn new(
        spec: &FilterSpec,
        rules: &Rules<'_>,
        streams: Streams,
    ) -> Result<Common, SpecError> {
        rules.ecc_without_parity(spec)?;
        let hashes = rules.integer("filter.hashes", spec.filter.hashes, 1, rules::MAX_HASHES)?;
        let key_format = rules.key_format(&spec.key)?;
        let clock_hz = spec.clock_hz();
        rules.clock(clock_hz)?;
        let card = rules.card(spec, clock_hz)?;
        let packet = rules.packet(spec, card, key_format)?;
        let interface = rules.interface(spec)?;
        let tag_bits = rules.tag_bits(spec.key.tag_bits, card.is_some())?;
        let probing = Probing {
            hashes,
            hashing: spec.filter.hashing,
            copies: rules.copies(spec, hashes)?,
            layout: spec.filter.layout,
            distinct: spec.filter.distinct,
            range: streams.range,
        };
        let hash = HashConstants::expand(
            spec.hash.family,
            spec.hash.seed,
            key_format.bits,
            probing.functions(),
            probing.function_bits(),
        );
        Ok(Common {
            file: spec.file.clone(),
            name: spec.name.clone(),
            probing,
            key_format,
            tag_bits,
            operation_bits: streams.operation_bits,
            verdict_bits: streams.verdict_bits,
            accept_two_hash_floor: spec.filter.accept_two_hash_floor,
            family: spec.hash.family,
            seed: spec.hash.seed,
            parity: spec.parity(),
            ecc: spec.ecc(),
            self_check: spec.self_check(),
            features: rules.features(spec)?,
            clock_hz,
            part: rules.part(spec)?,
            latency: spec.latency(),
            card,
            packet,
            interface,
            hash: Arc::new(hash),
        })
    }

    /// File the specification came from.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Name of the top module and of the emitted files.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How hash values become probe positions.
    pub fn probing(&self) -> Probing {
        self.probing
    }

    /// Probes an item makes, k: in the partitioned layout also the number of banks (of each half).
    pub fn hashes(&self) -> u32 {
        self.probing.hashes
    }

    /// One bank a hash, or one array.
    pub fn layout(&self) -> Layout {
        self.probing.layout
    }

    /// Whether the positions of one item differ from each other (shared layout).
    pub fn distinct(&self) -> bool {
        self.probing.distinct
    }

    /// Positions that one probe chooses from.
    pub fn range(&self) -> u64 {
        self.probing.range
    }

    /// Bits of a probe position: ceil(log2 [`Common::range`]).
    pub fn index_bits(&self) -> u32 {
        self.probing.index_bits()
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

    /// Width in bits of the tag an item of the stream carries to its verdict, from 1 to 64.
    pub fn stream_tag_bits(&self) -> u32 {
        self.tag_bits
    }

    /// Width in bits of the filter's tags: those of the stream, and within a card one bit above them for the host's items.
    pub fn tag_bits(&self) -> u32 {
        self.tag_bits + u32::from(self.card.is_some())
    }

    /// The card around the filter, if the specification has one.
    pub fn card(&self) -> Option<Card> {
        self.card
    }

    /// The packet path around the card, if the specification has one.
    pub fn packet(&self) -> Option<Packet> {
        self.packet
    }

    /// The packet path of either lane, if the specification is that of a line card: two Ethernet ports around the card.
    pub fn line_card(&self) -> Option<Packet> {
        self.packet.filter(|packet| packet.ports() == Ports::Rgmii)
    }

    /// How clock and reset of the emitted module are called.
    pub fn interface(&self) -> InterfaceSection {
        self.interface
    }

    /// Bits of a byte address of the register map: 8, 9 on a card, 10 in a packet path, 11 on a line card.
    pub fn map_address_bits(&self) -> u32 {
        let outer_blocks = [
            self.card.is_some(),
            self.packet.is_some(),
            self.line_card().is_some(),
        ];
        ADDRESS_BITS + outer_blocks.into_iter().map(u32::from).sum::<u32>()
    }

    /// Words of 32 bits that a key takes in the registers of the item port.
    pub fn key_words(&self) -> u32 {
        self.key_bits().div_ceil(32)
    }

    /// Width of what an item asks for, on `s_item_tuser`: the operation, and the amount where a kind has one.
    pub fn operation_bits(&self) -> u32 {
        self.operation_bits
    }

    /// Width of a verdict on `m_verdict_tdata`.
    pub fn verdict_bits(&self) -> u32 {
        self.verdict_bits
    }

    /// How the k probe positions come from hash functions.
    pub fn hashing(&self) -> Hashing {
        self.probing.hashing
    }

    /// Copies of a Count-Min sketch, each with two hash functions of its own and as many rows; 1 for any other filter.
    pub fn copies(&self) -> u32 {
        self.probing.copies
    }

    /// Whether two hash functions may put a floor under the false-positive rate where it matters.
    pub fn accept_two_hash_floor(&self) -> bool {
        self.accept_two_hash_floor
    }

    /// Hash family.
    pub fn family(&self) -> HashFamily {
        self.family
    }

    /// Seed of the hash constants.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The part that it is for, if the specification says it.
    pub fn part(&self) -> Option<Part> {
        self.part
    }

    /// How short the way of an item is.
    pub fn latency(&self) -> Latency {
        self.latency
    }

    /// Register ranks in front of the positions.
    pub fn front_ranks(&self) -> FrontRanks {
        FrontRanks::of(self.latency, self.family, &self.probing)
    }

    /// Block RAMs, and their name, of so many memories of so many single cells of so many bits each, or of so many words with epochs; `None` for an unknown part.
    pub(crate) fn block_rams_of(
        &self,
        memories: u64,
        (cells, cell_bits): (u64, u32),
        words: u64,
        erase: Erase,
    ) -> Option<(u64, &'static str)> {
        let ram = self.part?.block_ram;
        let each = match erase {
            Erase::SpareHalf | Erase::InPlace => ram.of_cells(cells, cell_bits.into()),
            Erase::Epoch => {
                let stored = WORD_BITS + EPOCH_BITS;
                ram.of_words(words, u64::from(stored + self.check_bits(stored)))
            }
        };
        Some((memories * each, ram.name))
    }

    /// Whether control logic checks itself.
    pub fn self_check(&self) -> bool {
        self.self_check
    }

    /// Width of the event counters of the filter.
    pub fn counter_width(&self) -> CounterWidth {
        self.features.counters
    }

    /// What a host finds behind AXI4-Lite.
    pub fn register_set(&self) -> RegisterSet {
        self.features.registers
    }

    /// Whether there is AXI4-Lite: without it nothing is set in the field, and nothing is read.
    pub fn has_registers(&self) -> bool {
        self.features.registers != RegisterSet::None
    }

    /// Whether a host can read and write the array, where the kind has one.
    pub fn array_access(&self) -> bool {
        self.features.array_access && self.features.registers == RegisterSet::Full
    }

    /// Whether the pipeline reads and writes words for a host, which a filter without registers never asks for.
    pub fn has_array_logic(&self) -> bool {
        self.features.array_access
    }

    /// Whether the age of a half can be limited, in a recycling filter.
    pub fn has_max_age(&self) -> bool {
        self.features.max_age
    }

    /// Follows the choice of how memory is emptied: where no register asks for words, only a pipeline of words has the logic for them.
    pub(crate) fn choose_array_logic(&mut self, erase: Erase) {
        if self.features.registers != RegisterSet::Full {
            self.features.array_access = erase == Erase::Epoch;
        }
    }

    /// Places of the verdict queue where the specification chose other than the usual ones; 0 for no queue.
    pub(crate) fn chosen_verdict_queue(&self) -> Option<u32> {
        self.features.verdict_queue
    }

    /// Takes the choice, once the pipeline that it belongs to is known; and how long a frame waits for its verdict.
    pub(crate) fn choose_verdict_queue(&mut self, depth: Option<u32>, need: &QueueNeed) {
        self.features.verdict_queue = depth;
        if let Some(packet) = &mut self.packet {
            packet.verdict_clocks = need.latency_clocks();
        }
    }

    /// Whether the verdict queue has other than the usual places.
    pub fn chose_verdict_queue(&self) -> bool {
        self.features.verdict_queue.is_some()
    }

    /// Whether verdicts wait in a queue for a sink that is not always ready.
    pub fn has_verdict_queue(&self) -> bool {
        self.features.verdict_queue != Some(0)
    }

    /// What `features` leaves out, each in a word or two.
    pub fn left_out(&self) -> Vec<&'static str> {
        let parts = [
            (self.has_registers(), "registers"),
            (
                self.features.registers != RegisterSet::Threshold,
                "statistics",
            ),
            (self.counter_width().is_built(), "counters"),
            (self.array_access(), "array access"),
            (self.has_max_age(), "maximum age"),
            (self.has_verdict_queue(), "verdict queue"),
        ];
        let missing = parts.into_iter().filter(|(built, _)| !built);
        missing.map(|(_, part)| part).collect()
    }

    /// What the parity of memory words is for.
    pub fn parity(&self) -> Parity {
        self.parity
    }

    /// Whether every memory word bears an error-correcting code ([`crate::ecc`]).
    pub fn ecc(&self) -> bool {
        self.ecc
    }

    /// Clocks that memory is read ahead because of it: 0 without.
    pub fn read_ahead_clocks(&self) -> u32 {
        match self.ecc {
            true => crate::ecc::READ_AHEAD_CLOCKS,
            false => 0,
        }
    }

    /// Bits that parity or the error-correcting code adds to a memory word of `payload_bits` bits.
    pub fn check_bits(&self, payload_bits: u32) -> u32 {
        match self.ecc {
            true => crate::ecc::check_bits(payload_bits),
            false => self.parity.bits(),
        }
    }

    /// Clock of the filter in hertz; only for turning clocks into times and rates.
    pub fn clock_hz(&self) -> u64 {
        self.clock_hz
    }

    /// The expanded hash constants.
    pub fn hash(&self) -> &HashConstants {
        &self.hash
    }
}

/// SHA-256 over one line of JSON with sorted keys, those of parity, error correction, self-check, features that are left out, card and packet path
/// among them if there are such; its first eight bytes, the first the
/// most significant.
pub(crate) fn geometry_hash(common: &Common, mut canonical: serde_json::Value) -> u64 {
    if common.parity != Parity::None {
        canonical["parity"] = common.parity.word().into();
    }
    if common.ecc {
        canonical["ecc"] = true.into();
    }
    if common.self_check {
        canonical["self_check"] = true.into();
    }
    if common.features.counters != CounterWidth::default() {
        canonical["counters"] = common.features.counters.bits().into();
    }
    if !common.features.array_access {
        canonical["array_access"] = false.into();
    }
    if !common.features.max_age {
        canonical["max_age"] = false.into();
    }
    if common.features.registers != RegisterSet::Full {
        canonical["registers"] = common.features.registers.word().into();
    }
    if let Some(depth) = common.features.verdict_queue {
        canonical["verdict_queue"] = depth.into();
    }
    if let Some(card) = common.card {
        canonical["card"] = serde_json::json!({
            "uart_clocks_per_bit": card.uart.map(|uart| uart.clocks_per_bit),
            "uart_timeout_clocks": card.uart.map(|uart| uart.timeout_clocks),
        });
    }
    if let Some(packet) = common.packet {
        let policies: Vec<u32> = FrameClass::ALL
            .iter()
            .map(|&class| packet.policy(class).register())
            .collect();
        canonical["packet"] = serde_json::json!({
            "buffer_bytes": packet.buffer_bytes(),
            "data_bits": packet.data_bits(),
            "learn": packet.learn(),
            "mask_hops": packet.mask_hops(),
            "max_frame_bytes": packet.max_frame_bytes(),
            "policies": policies,
        });
        if !packet.tunnels().is_empty() {
            let words: Vec<&str> = packet
                .tunnels()
                .iter()
                .map(|tunnel| tunnel.word())
                .collect();
            canonical["packet"]["tunnels"] = words.into();
        }
        if packet.ports() != Ports::Streams {
            canonical["packet"]["ports"] = packet.ports().word().into();
        }
        if let Some(host) = packet.host() {
            canonical["packet"]["host"] = serde_json::json!({
                "ip": host.address.ip,
                "mac": host.address.mac,
                "port": host.port,
                "udp_port": host.address.udp_port,
            });
            if host.auth != HostAuth::None {
                canonical["packet"]["host"]["auth"] = host.auth.word().into();
            }
        }
    }
    Sha256::digest(canonical.to_string().as_bytes())
        .iter()
        .take(8)
        .fold(0, |value, &byte| value << 8 | u64::from(byte))
}
