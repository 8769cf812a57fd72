//! Enumerations and numbers of a specification, and how they are parsed.

use serde::{de, Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// An enum whose variants are words of the specification format: one table gives serde, `word` and `Display`.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$variant_meta])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// Every variant, in the order of the documentation.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// Every word, in the same order.
            pub fn words() -> Vec<&'static str> {
                $name::ALL.iter().map(|value| value.word()).collect()
            }

            /// The word that stands for this value in a specification.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}
pub(crate) use words;

words! {
    /// Which filter (`filter.kind`).
    FilterKind {
        /// Bits that are set and never cleared one by one.
        Static = "static",
        /// Forgets at a threshold, in one or two phases.
        Recycling = "recycling",
        /// Remembers the last items exactly.
        Sliding = "sliding",
        /// Counters instead of bits.
        Counting = "counting",
        /// Rows of counters, the least taken.
        CountMin = "count-min",
    }
}

impl FilterKind {
    /// `BLOCK_TYPE` of a filter of this kind, in registers and in files. Every block of the register map has its own: 2, 6 and 8 to 11
    /// are counter blocks, item port, packet path and Ethernet ports.
    pub const fn block_type(self) -> u32 {
        match self {
            FilterKind::Recycling => 1,
            FilterKind::Static => 3,
            FilterKind::Counting => 4,
            FilterKind::CountMin => 5,
            FilterKind::Sliding => 7,
        }
    }

    /// Whether a host can read and write the array.
    pub fn has_array(self) -> bool {
        self != FilterKind::Sliding
    }

    /// How memory of single cells is emptied (`memory.erase`); nothing for a kind whose elements grow old.
    pub fn single_cells(self) -> Option<Erase> {
        match self {
            FilterKind::Recycling => Some(Erase::SpareHalf),
            FilterKind::Static | FilterKind::Counting | FilterKind::CountMin => {
                Some(Erase::InPlace)
            }
            FilterKind::Sliding => None,
        }
    }
}

words! {
    /// How a sliding window stores its elements (`filter.sliding.table`).
    #[derive(Default)]
    WindowTable {
        /// Two tables of buckets, filled to 45 %, and a store behind them.
        #[default]
        Buckets = "buckets",
        /// Four cuckoo tables, filled to 86 %, and a stash beside them.
        Cuckoo = "cuckoo",
    }
}

words! {
    /// What a host finds behind AXI4-Lite (`features.registers`).
    #[derive(Default)]
    RegisterSet {
        /// Everything that the other features leave.
        #[default]
        Full = "full",
        /// What is set in the field, and what says that it is done: no counts, no counters, no array.
        Threshold = "threshold",
        /// No registers, and no port: what would be set is the specification's for ever.
        None = "none",
    }
}

words! {
    /// How the probes share the memory (`filter.layout`).
    #[derive(Default)]
    Layout {
        /// One bank a hash: one item a clock.
        #[default]
        Partitioned = "partitioned",
        /// One array for all hash functions.
        Shared = "shared",
    }
}

words! {
    /// How the k probe positions come from hash functions (`filter.hashing`); all sums modulo the partition.
    #[derive(Default)]
    Hashing {
        /// k functions: `p_i = h_i`.
        Independent = "independent",
        /// Two functions: `g_i = h1 + i h2` (KM).
        #[default]
        Double = "double",
        /// Two functions: `g_i = h1 + i h2 + i^2` (KM).
        ExtendedDouble2 = "extended-double-2",
        /// Two functions: `g_i = h1 + i h2 + i^3` (KM).
        ExtendedDouble3 = "extended-double-3",
    }
}

words! {
    /// What is counted against the threshold (`filter.recycle.on`).
    RecycleOn {
        /// Bits set in the active half.
        BitsSet = "bits-set",
        /// Bit-setting messages accepted in this cycle.
        Messages = "messages",
    }
}

words! {
    /// Hash family (`hash.family`).
    HashFamily {
        /// Sparse H3, PRESENT S-boxes, sparse H3: the default.
        H3Sbox = "h3-sbox",
        /// Plain H3: linear, so structured keys see structured collisions.
        H3 = "h3",
        /// Keyed SipHash-1-3, for hostile traffic.
        SipHash = "siphash",
        /// Keyed SipHash-2-4: more rounds, more registers.
        SipHash24 = "siphash-2-4",
    }
}

impl HashFamily {
    /// Whether positions depend on a secret that the host can replace.
    pub fn is_keyed(self) -> bool {
        matches!(self, HashFamily::SipHash | HashFamily::SipHash24)
    }
}

words! {
    /// What a parity bit with every memory word is for (`memory.parity`).
    #[derive(Default)]
    Parity {
        /// There is none: a flipped bit goes unnoticed.
        #[default]
        None = "none",
        /// A read that meets a wrong word is counted, and uses the word as it is.
        Count = "count",
        /// It is counted, and the word reads as empty.
        Empty = "empty",
    }
}

words! {
    /// How a filter's memory is emptied (`memory.erase`): a half of a recycling filter, all of one of cells.
    #[derive(Default)]
    Erase {
        /// Every memory word bears an epoch, and a recycle or clear makes all of them old: no clock is lost, no memory is idle.
        #[default]
        Epoch = "epoch",
        /// Single bits; a half more than the filter has phases is erased row by row while items go on.
        SpareHalf = "spare-half",
        /// Single bits of a static filter, or single counters; a clear erases them row by row while items wait.
        InPlace = "in-place",
    }
}

words! {
    /// What a specification says of how memory is emptied (`memory.erase`): a way, or `auto`.
    #[derive(Default)]
    EraseSetting {
        /// The part, the threshold and what else the specification asks for choose one of the others.
        Auto = "auto",
        /// [`Erase::Epoch`].
        #[default]
        Epoch = "epoch",
        /// [`Erase::SpareHalf`].
        SpareHalf = "spare-half",
        /// [`Erase::InPlace`].
        InPlace = "in-place",
    }
}

impl EraseSetting {
    /// The way that is asked for, if one is.
    pub fn given(self) -> Option<Erase> {
        match self {
            EraseSetting::Auto => None,
            EraseSetting::Epoch => Some(Erase::Epoch),
            EraseSetting::SpareHalf => Some(Erase::SpareHalf),
            EraseSetting::InPlace => Some(Erase::InPlace),
        }
    }
}

words! {
    /// How short the way of an item is (`target.latency`).
    #[derive(Default)]
    Latency {
        /// As many register ranks as the fastest clock takes.
        #[default]
        Default = "default",
        /// Few ranks: 12 clocks for up to four hashes, at a fast clock.
        Low = "low",
        /// As few as a slow clock allows: 9 clocks for up to four hashes.
        Lowest = "lowest",
    }
}

words! {
    /// Name of the clock of the emitted module (`interface.clock`).
    #[derive(Default)]
    ClockName {
        /// `clock`.
        #[default]
        Clock = "clock",
        /// `aclk`, as the AXI specification has it.
        Aclk = "aclk",
    }
}

words! {
    /// Name and polarity of the reset of the emitted module (`interface.reset`).
    #[derive(Default)]
    ResetName {
        /// `reset`, active high.
        #[default]
        Reset = "reset",
        /// `aresetn`, active low, as the AXI specification has it.
        Aresetn = "aresetn",
    }
}

impl Parity {
    /// Bits that it adds to a memory word.
    pub fn bits(self) -> u32 {
        u32::from(self != Parity::None)
    }
}

/// `"auto"` or an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AutoOrInteger {
    /// Left to the tool.
    Auto,
    /// Given.
    Fixed(u64),
}

/// `filter.recycle.threshold`: bits set (sigma) or messages (N) of one half; with `auto` theory solves for the threshold that meets
/// `target_fpr`.
pub type Threshold = AutoOrInteger;

impl Serialize for AutoOrInteger {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            AutoOrInteger::Auto => serializer.serialize_str("auto"),
            AutoOrInteger::Fixed(value) => serializer.serialize_u64(*value),
        }
    }
}

impl<'de> Deserialize<'de> for AutoOrInteger {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AutoOrNatural;

        impl de::Visitor<'_> for AutoOrNatural {
            type Value = AutoOrInteger;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"auto\" or an integer from 0 to 2^64 - 1")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<AutoOrInteger, E> {
                match text {
                    "auto" => Ok(AutoOrInteger::Auto),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<AutoOrInteger, E> {
                Ok(AutoOrInteger::Fixed(value))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<AutoOrInteger, E> {
                non_negative(value, &self).map(AutoOrInteger::Fixed)
            }

            fn visit_i128<E: de::Error>(self, value: i128) -> Result<AutoOrInteger, E> {
                Err(too_large(value, &self))
            }
        }

        deserializer.deserialize_any(AutoOrNatural)
    }
}

/// Width of the event counters (`features.counters`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CounterWidth {
    /// No counter is built.
    None,
    /// 32 bits, modulo 2^32.
    Bits32,
    /// 64 bits.
    #[default]
    Bits64,
}

impl CounterWidth {
    /// Widths that are built, in bits.
    pub(crate) const BITS: &'static [u64] = &[32, 64];

    /// Bits of a counter; 0 where none is built.
    pub fn bits(self) -> u32 {
        match self {
            CounterWidth::None => 0,
            CounterWidth::Bits32 => 32,
            CounterWidth::Bits64 => 64,
        }
    }

    /// Whether there are counters.
    pub fn is_built(self) -> bool {
        self != CounterWidth::None
    }

    /// Events between two readings of a counter of this width; `None` if it went back. One of 32 bits may have gone round: it went back
    /// where it would have gone on by 2^31 or more.
    pub fn advance(self, before: u64, now: u64) -> Option<u64> {
        match self {
            CounterWidth::Bits32 => {
                let events = (now as u32).wrapping_sub(before as u32);
                (events < 1 << 31).then_some(events.into())
            }
            CounterWidth::None | CounterWidth::Bits64 => now.checked_sub(before),
        }
    }
}

impl fmt::Display for CounterWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CounterWidth::None => f.write_str("\"none\""),
            built => write!(f, "{}", built.bits()),
        }
    }
}

impl Serialize for CounterWidth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            CounterWidth::None => serializer.serialize_str("none"),
            built => serializer.serialize_u32(built.bits()),
        }
    }
}

impl<'de> Deserialize<'de> for CounterWidth {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NoneOrBits;

        impl de::Visitor<'_> for NoneOrBits {
            type Value = CounterWidth;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"none\", 32 or 64")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<CounterWidth, E> {
                match text {
                    "none" => Ok(CounterWidth::None),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<CounterWidth, E> {
                match value {
                    32 => Ok(CounterWidth::Bits32),
                    64 => Ok(CounterWidth::Bits64),
                    _ => Err(E::invalid_value(de::Unexpected::Unsigned(value), &self)),
                }
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<CounterWidth, E> {
                match u64::try_from(value) {
                    Ok(value) => self.visit_u64(value),
                    Err(_) => Err(E::invalid_value(de::Unexpected::Signed(value), &self)),
                }
            }
        }

        deserializer.deserialize_any(NoneOrBits)
    }
}

/// An integer from 0; the error for anything else speaks of integers, not of types.
pub(crate) fn natural<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    struct Natural;

    impl de::Visitor<'_> for Natural {
        type Value = u64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an integer from 0 to 2^64 - 1")
        }

        fn visit_u64<E: de::Error>(self, value: u64) -> Result<u64, E> {
            Ok(value)
        }

        fn visit_i64<E: de::Error>(self, value: i64) -> Result<u64, E> {
            non_negative(value, &self)
        }

        fn visit_i128<E: de::Error>(self, value: i128) -> Result<u64, E> {
            Err(too_large(value, &self))
        }
    }

    deserializer.deserialize_u64(Natural)
}

pub(crate) fn some_natural<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<u64>, D::Error> {
    natural(deserializer).map(Some)
}

fn non_negative<E: de::Error>(value: i64, expected: &dyn de::Expected) -> Result<u64, E> {
    u64::try_from(value).map_err(|_| E::invalid_value(de::Unexpected::Signed(value), expected))
}

/// The reader hands over as 128 bits only what 64 bits do not hold.
fn too_large<E: de::Error>(value: i128, expected: &dyn de::Expected) -> E {
    E::invalid_value(
        de::Unexpected::Other(&format!("integer `{value}`")),
        expected,
    )
}
