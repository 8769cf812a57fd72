//! The contract: filter specification, validated geometry, hash constants, register map.
//!
//! One TOML file describes a filter. This crate turns it into everything that theory, model, gateware and driver must
//! agree on, and nothing else: it evaluates no hash and runs no filter. Model and gateware each write those on their
//! own from the constants given here, which is what makes comparing them mean something.
//!
//! ```
//! use bloomline_spec::{FilterSpec, ThresholdSetting, EXAMPLES};
//! use std::path::Path;
//!
//! let (file, text) = EXAMPLES[0];
//! let spec = FilterSpec::from_toml(text, Path::new(file))?;
//! let sizing = spec.validate()?;
//! assert_eq!(sizing.threshold_setting(), ThresholdSetting::Auto { target_fpr: 0.01 });
//! // Theory solves `auto`; here any legal threshold will do.
//! let geometry = sizing.with_threshold(30_000)?;
//! assert_eq!(geometry.index_bits(), 14);
//! assert_eq!(geometry.hash().functions, 2);
//! # Ok::<(), bloomline_spec::SpecError>(())
//! ```
//!
//! The way through the crate: [`FilterSpec`] (the file as written) → [`Design`] (a filter of any kind, complete; nothing checks it
//! again). A design holds the geometry of its kind: [`RecyclingGeometry`] of a recycling filter, [`CellGeometry`], [`SlidingGeometry`]. A
//! recycling filter goes by way of [`Sizing`] (every rule checked but the threshold's), from which theory solves the threshold.
//! [`Timing`], [`HashConstants`], [`RegisterMap`] and [`KeyFormat`] hang off those.
//!
//! # Sources
//!
//! - RBF: recycling Bloom filters, one and two phases: the filter of `kind = "recycling"`.
//! - KM: A. Kirsch and M. Mitzenmacher, "Less hashing, same performance: building a better Bloom filter", ESA 2006:
//!   double and extended double hashing.
//! - PRESENT: A. Bogdanov et al., "PRESENT: an ultra-lightweight block cipher", CHES 2007: the S-box of `h3-sbox`.
//! - H3: J. L. Carter and M. N. Wegman, "Universal classes of hash functions", JCSS 18, 1979.
//! - SplitMix64: G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.

mod array;
mod card;
mod common;
mod design;
mod design_file;
pub mod ecc;
mod erase;
mod error;
mod examples;
pub mod files;
pub mod hash;
pub mod host_port;
mod item;
mod key;
mod key_source;
mod key_table;
mod kinds;
mod latency;
pub mod mac;
mod packet;
mod part;
mod place;
mod port_docs;
pub mod ports;
mod probing;
pub mod registers;
mod rules;
mod schema;
mod similar;
mod specification;
mod timing;
mod value_types;
mod values;
mod word;

pub use array::ArrayShape;
pub use card::{
    Card, Uart, MAX_CLOCKS_PER_BIT, MIN_CLOCKS_PER_BIT, UART_QUEUE_BYTES, UART_SYNC_BYTE,
    UART_SYNC_RUN,
};
pub use common::Common;
pub use design::Design;
pub use design_file::{is_manifest, DesignError};
pub use erase::EraseReason;
pub use error::SpecError;
pub use examples::{
    all_examples, CARD_EXAMPLES, CELL_EXAMPLES, CUCKOO_EXAMPLES, EXAMPLES, IN_PLACE_EXAMPLES,
    LINECARD_EXAMPLES, PACKET_EXAMPLES, SCHEME_EXAMPLES, SHARED_ARRAY_EXAMPLES, SLIDING_EXAMPLES,
    SPARE_HALF_EXAMPLES,
};
pub use hash::{H3Function, HashConstants, HashUnit, SboxUnit, SipUnit, SplitMix64, PRESENT_SBOX};
pub use item::{
    CellOperation, CellVerdict, Operation, SlidingVerdict, VerdictFlags, CELL_VERDICT_ESTIMATE,
    CELL_VERDICT_REACHED, CELL_VERDICT_SATURATED, CELL_VERDICT_SEEN, CELL_VERDICT_UNDERFLOW,
    OPERATION_BITS, VERDICT_BITS, VERDICT_IN_ACTIVE, VERDICT_IN_FROZEN, VERDICT_SEEN,
    VERDICT_TRIPPED,
};
pub use key::{Key, KeyError, MAX_KEY_BITS};
pub use key_source::{FiveTuple, KeyFormat, KeySource, PacketFields};
pub use key_table::{
    explained, reference_page, similar_keys, spec_key, KeyType, Presence, SpecKey, KEYS,
};
pub use kinds::geometries::*;
pub use latency::FrontRanks;
pub use packet::{
    FrameClass, Packet, Policy, Ports, Tunnel, Tunnels, UnknownPolicy, DIGEST_POLYNOMIAL,
    FRAME_BUFFER_BYTES, FRAME_DATA_BITS, GTP_U_PORT, KEY_QUEUE_ITEMS, LANES, LEAST_FRAME_BYTES,
    LINECARD_CLOCKS, LINECARD_CLOCK_HZ, LINECARD_HOST_CLOCKS, LINECARD_MAX_FRAME_BYTES,
    LINECARD_TUNNEL_CLOCKS, MAX_DSCP, MAX_FRAME_BYTES, PARSE_BYTES, TUNNEL_DATA_BITS, VXLAN_PORT,
};
pub use part::{BlockRam, Part};
pub use place::Place;
pub use port_docs::{outer_port_doc, port_doc};
pub use probing::Probing;
pub use registers::{Access, Field, Register, RegisterBlock, RegisterMap};
pub use rules::{counted, legal_name, VERDICT_QUEUE_DEPTHS};
pub use schema::json_schema;
pub use specification::{
    CardSection, CountMinSection, CountingSection, FeaturesSection, FilterSection, FilterSpec,
    HashSection, InterfaceSection, KeySection, MemorySection, PacketSection, PolicySection,
    ProtectionSection, RecycleSection, SlidingSection, TargetSection,
};
pub use timing::{
    CellTiming, PipelineTiming, SlidingTiming, Timing, LARGE_CYCLE_ITEMS, VERDICT_CLOCKS,
    VERDICT_QUEUE_DEPTH,
};
pub use values::{
    AutoOrInteger, ClockName, CounterWidth, Erase, EraseSetting, FilterKind, HashFamily, Hashing,
    Latency, Layout, Parity, RecycleOn, RegisterSet, ResetName, Threshold, WindowTable,
};
pub use word::{EPOCH_BITS, MAX_WINDOW, MIN_CELL_WORDS, MIN_WINDOW, WORD_BITS};
