use crate::half::Half;
use crate::hash::ProbeHasher;
use bloomline_spec::{
    HalfRole, Key, Layout, Operation, Probing, RecycleOn, RecyclingGeometry, VerdictFlags,
    WORD_BITS,
};

/// The recycling filter, one item at a time: what every item does, with no notion of time.
///
/// State: one or two halves of k partitions or of one array, one of them active; the bits set in each; the bit-setting messages of this
/// cycle. Two items a call apart are two items apart in the stream; the pipeline model says when each is decided.
///
/// ```
/// use bloomline_model::RecyclingFilter;
/// use bloomline_spec::{FilterSpec, Key, Operation, EXAMPLES};
/// use std::path::Path;
///
/// let (file, text) = EXAMPLES[0];
/// let geometry = FilterSpec::from_toml(text, Path::new(file))?.validate()?.with_threshold(30_000)?;
/// let mut filter = RecyclingFilter::new(&geometry);
/// let key = Key::from_integer(0x1234, geometry.key_bits()).expect("fits 104 bits");
/// assert!(!filter.apply(&key, Operation::TestAndInsert).seen());
/// assert!(filter.apply(&key, Operation::Query).seen());
/// # Ok::<(), bloomline_spec::SpecError>(())
/// ```
#[derive(Debug, Clone)]
pub struct RecyclingFilter {
    hasher: ProbeHasher,
    /// Hashes for the frozen half while its secret differs from the active half's.
    older_hasher: Option<Box<ProbeHasher>>,
    recycle_on: RecycleOn,
    retain: bool,
    threshold: u64,
    probing: Probing,
    active: Half,
    /// `None` with one phase.
    frozen: Option<Half>,
    /// For each partition (or the one array) the bits set in both halves; all 0 with one phase.
    overlap: Vec<u32>,
    messages: u64,
    recycles: u64,
}

/// What one item met and did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcome {
    /// Every probed bit of the active half was set before the item.
    pub in_active: bool,
    /// Two phases, and every probed bit of the frozen half was set before the item.
    pub in_frozen: bool,
    /// The item tripped a recycle.
    pub tripped: bool,
    /// Different probed bits that were clear in the active half before the item (of the old cycle if it tripped); 0 for a query.
    pub new_bits: u32,
    /// The item left its bits in the active half: an inserting item, unless it tripped and was not retained. True also
    /// where all its bits were set before.
    pub stored: bool,
}

impl Outcome {
    /// The verdict: in either half.
    pub fn seen(&self) -> bool {
        self.in_active || self.in_frozen
    }

    /// Whether the item set at least one bit that stands in the active half after it.
    pub fn wrote(&self) -> bool {
        self.stored && self.new_bits > 0
    }

    /// The flags of the verdict stream.
    pub fn flags(&self) -> VerdictFlags {
        VerdictFlags {
            in_active: self.in_active,
            in_frozen: self.in_frozen,
            tripped: self.tripped,
        }
    }
}

impl RecyclingFilter {
    /// An empty filter with the threshold of the specification.
    pub fn new(geometry: &RecyclingGeometry) -> RecyclingFilter {
        let words = geometry.words_per_bank() as usize;
        let half = match geometry.layout() {
            Layout::Partitioned => Half::new(geometry.hashes() as usize, words),
            Layout::Shared => Half::shared(words),
        };
        RecyclingFilter {
            hasher: ProbeHasher::new(geometry),
            older_hasher: None,
            recycle_on: geometry.recycle_on(),
            retain: geometry.retain(),
            threshold: geometry.threshold(),
            probing: geometry.probing(),
            frozen: (geometry.phases() == 2).then(|| half.clone()),
            overlap: vec![0; geometry.banks() as usize],
            active: half,
            messages: 0,
            recycles: 0,
        }
    }

    /// Does what the semantics say of one item.
    pub fn apply(&mut self, key: &Key, operation: Operation) -> Outcome {
        let probes = self.hasher.probes(key);
        match &self.older_hasher {
            Some(older) => {
                let older_probes = older.probes(key);
                self.apply_under(probes.positions(), older_probes.positions(), operation)
            }
            None => self.apply_probes(probes.positions(), operation),
        }
    }

    /// The same for an item whose probe positions are known, and are the same in both halves: the halves' secrets do not
    /// differ.
    ///
    /// `positions` holds k positions, position i below m' and in partition i, or in the one array ([`ProbeHasher::probes`] gives
    /// such). A position past the end of its words counts modulo them; partitions without a position are not probed.
    pub fn apply_probes(&mut self, positions: &[u32], operation: Operation) -> Outcome {
        self.apply_under(positions, positions, operation)
    }

    /// The same for an item with positions under the active half's secret, and others under the frozen half's.
    pub(crate) fn apply_under(
        &mut self,
        positions: &[u32],
        older_positions: &[u32],
        operation: Operation,
    ) -> Outcome {
        let clear_bits = self.active.clear_bits(positions);
        let mut outcome = Outcome {
            in_active: clear_bits == 0,
            in_frozen: self
                .frozen
                .as_ref()
                .is_some_and(|frozen| frozen.holds(older_positions)),
            ..Outcome::default()
        };
        if !operation.inserts() {
            return outcome;
        }
        outcome.new_bits = clear_bits;
        outcome.tripped = clear_bits > 0 && self.trips(clear_bits);
        outcome.stored = !outcome.tripped || self.retain;
        if outcome.tripped {
            self.recycle();
        }
        if outcome.wrote() {
            self.set(positions);
        }
        outcome
    }

    fn trips(&self, new_bits: u32) -> bool {
        match self.recycle_on {
            RecycleOn::BitsSet => self.active.bits() + u64::from(new_bits) > self.threshold,
            RecycleOn::Messages => self.messages + 1 >= self.threshold,
        }
    }

    fn set(&mut self, positions: &[u32]) {
        for (probe, &position) in positions.iter().enumerate() {
            self.set_bit(probe, position);
        }
        self.messages += 1;
    }

    /// Sets bits of a word of the active half for a host, and gives how many of them were clear: one message, if any was. A bank
    /// that is not there takes none. Nothing recycles, however many bits are set then.
    pub fn set_word(&mut self, bank: u32, word: u32, bits: u32) -> u32 {
        let new_bits = self.set_bits(bank, word, bits);
        self.messages += u64::from(new_bits > 0);
        new_bits
    }

    /// Sets bits of a word of the active half without counting a message, and gives how many of them were clear.
    pub(crate) fn set_bits(&mut self, bank: u32, word: u32, bits: u32) -> u32 {
        if bank as usize >= self.overlap.len() {
            return 0;
        }
        let mut new_bits = 0;
        for bit in (0..WORD_BITS).filter(|bit| bits >> bit & 1 == 1) {
            new_bits += u32::from(self.set_bit(bank as usize, word * WORD_BITS + bit));
        }
        new_bits
    }

    /// Bits that were set apart from each other are a message together.
    pub(crate) fn add_message(&mut self) {
        self.messages += 1;
    }

    /// Sets a bit; true if it was clear.
    fn set_bit(&mut self, probe: usize, position: u32) -> bool {
        let newly = self.active.set(probe, position);
        let in_both = |frozen: &Half| newly && frozen.bit(probe, position);
        if self.frozen.as_ref().is_some_and(in_both) {
            self.overlap[self.active.partition(probe)] += 1;
        }
        newly
    }

    /// A recycle without an item (ageing): the halves move as when an item trips, and nothing is inserted. Both halves are
    /// under the active half's secret from then on.
    pub fn recycle(&mut self) {
        self.older_hasher = None;
        if let Some(frozen) = &mut self.frozen {
            std::mem::swap(frozen, &mut self.active);
            self.overlap.fill(0);
        }
        self.active.empty();
        self.messages = 0;
        self.recycles += 1;
    }

    /// Empties both halves; threshold, secret and the count of recycles stay.
    pub fn clear(&mut self) {
        self.older_hasher = None;
        self.active.empty();
        if let Some(frozen) = &mut self.frozen {
            frozen.empty();
        }
        self.overlap.fill(0);
        self.messages = 0;
    }

    /// Replaces the threshold (bits set or messages of one half), from the next item on.
    pub fn set_threshold(&mut self, threshold: u64) {
        self.threshold = threshold;
    }

    /// Hashes with another secret, from the next item on, in both halves; changes nothing where the hash family has none.
    /// What is stored stays and means nothing under the new secret, so a clear goes with it.
    pub fn set_secret(&mut self, secret: u128) {
        self.older_hasher = None;
        self.hasher.set_secret(secret);
    }

    /// Rekeys: with two phases a recycle without an item, and a new secret for the half that it makes active; the half
    /// that freezes stays under its own until the next recycle. With one phase a clear and a new secret. Without a keyed
    /// hash there is nothing to rekey, and nothing changes.
    pub fn rekey(&mut self, secret: u128) {
        if self.hasher.secret().is_none() {
            return;
        }
        if self.frozen.is_none() {
            self.clear();
            self.set_secret(secret);
        } else {
            self.recycle();
            self.set_active_secret(secret);
        }
    }

    /// A new secret for the active half alone, which is empty; the frozen half stays under its own.
    pub(crate) fn set_active_secret(&mut self, secret: u128) {
        self.older_hasher = Some(Box::new(self.hasher.clone()));
        self.hasher.set_secret(secret);
    }

    /// Hashes for the frozen half while its secret differs from the active half's.
    pub fn older_hasher(&self) -> Option<&ProbeHasher> {
        self.older_hasher.as_deref()
    }

    /// The threshold in force, in bits set or messages of one half.
    pub fn threshold(&self) -> u64 {
        self.threshold
    }

    /// Bits set in the active half.
    pub fn bits_active(&self) -> u64 {
        self.active.bits()
    }

    /// Bits set in the frozen half; 0 with one phase.
    pub fn bits_frozen(&self) -> u64 {
        self.frozen.as_ref().map_or(0, Half::bits)
    }

    /// The 32 bits of word `word` (below the words of a bank) of a bank, the least position lowest; 0 where there is no such
    /// bank or half.
    pub fn word(&self, half: HalfRole, bank: u32, word: u32) -> u32 {
        match half {
            HalfRole::Active => self.active.word(bank, word),
            HalfRole::Frozen => self
                .frozen
                .as_ref()
                .map_or(0, |frozen| frozen.word(bank, word)),
        }
    }

    /// Bit-setting messages of this cycle.
    pub fn messages(&self) -> u64 {
        self.messages
    }

    /// Recycles since the filter was made, by items and by [`RecyclingFilter::recycle`]; a clear is none.
    pub fn recycles(&self) -> u64 {
        self.recycles
    }

    /// The hasher of the active half, for callers who compute positions ahead of time.
    pub fn hasher(&self) -> &ProbeHasher {
        &self.hasher
    }

    /// Probability that a fresh key gets the verdict seen, given the bits set now: the chance that k independent probes,
    /// each uniform over its partition, all hit set bits of one half.
    ///
    /// With a_i, f_i and o_i the bits set in partition i of the active half, of the frozen half and of both, over m':
    /// `prod a_i/m' + prod f_i/m' - prod o_i/m'` (both halves are probed at the same positions; while their secrets differ
    /// the probes of one half say nothing of the other's, and the last product is that of the two before). In the shared layout
    /// every probe goes to the one array of r positions: `(a/r)^k`, and with distinct positions `prod (a - i)/(r - i)`, i below k.
    /// Exact under that ideal of independent probes. Under double hashing the probes of one key are tied to each other, and the
    /// value is that ideal, not the exact probability over random (h1, h2); the difference is the floor of two hash functions.
    pub fn probability_seen(&self) -> f64 {
        let range = self.probing.range as f64;
        let hits = |bits: &[u32]| -> f64 {
            (0..self.probing.hashes)
                .map(|probe| {
                    let bits = f64::from(bits[self.active.partition(probe as usize)]);
                    let drawn = if self.probing.distinct { probe } else { 0 };
                    (bits - f64::from(drawn)).max(0.0) / (range - f64::from(drawn))
                })
                .product()
        };
        let frozen = self
            .frozen
            .as_ref()
            .map_or(0.0, |frozen| hits(frozen.bits_by_partition()));
        let active = hits(self.active.bits_by_partition());
        let both = match (&self.frozen, &self.older_hasher) {
            (None, _) => 0.0,
            (Some(_), None) => hits(&self.overlap),
            (Some(_), Some(_)) => active * frozen,
        };
        active + frozen - both
    }
}
