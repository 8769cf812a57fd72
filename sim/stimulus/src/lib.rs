//! Sources of keys: captures, tables, popularity laws, structured sets, keys that never repeat.
//!
//! Nothing here knows a filter or a key's width. Captures and the structured address sets give [`Record`]s, the rest give
//! numbers; how either becomes the bits of a key is defined once, in the specification crate.
//!
//! Every source is an iterator, and a random one is a function of its seed alone.
//! Depends on no other crate of the project, so that what reads foreign files is fuzzed without the bench.

mod csv;
mod decode;
mod error;
mod input;
mod limited_lines;
mod lru;
mod pcap;
mod random_new;
mod record;
mod reuse;
mod structured;
mod zipf;

pub use self::csv::CsvColumn;
pub use decode::{decode_frame, LinkType};
pub use error::StimulusError;
pub use limited_lines::LimitedLines;
pub use lru::{Replayed, Requests};
pub use pcap::{Capture, CaptureCounts, CapturedFrame};
pub use random_new::RandomNew;
pub use record::{Record, Skip};
pub use reuse::reuse_distances;
pub use structured::{consecutive, grid, port_scan, slash16, stride};
pub use zipf::ZipfKeys;
