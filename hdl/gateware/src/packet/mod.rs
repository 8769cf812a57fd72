//! The packet path: frames in, verdict, frames out, around a card. Depends on `wires`, `bus`, `card` and the specification; nothing depends on it but what prints.
//! `docs/packet.md` is the contract.
//!
//! ```text
//!            PacketPath
//!            +----------------------------------------------------------------------------+
//! s_frame -->| Intake --> Front ----------+--> FrameStore --> FrameMemory --+              |
//!            |            Parser          |                                 v              |
//!            |            FrameClassifier +--> VerdictStage ------------> Egress --> out --|--> m_frame
//!            |                            |     ^                           ^              |
//!            |                            +--> key Queue                    |              |
//!            |                                  |  ^                   PathRegisters       |
//!            +----------------------------------|--|-----------------------^---------------+
//!                                        items  v  | verdicts              |
//!                                             +------+                     |
//!                                             | card |<----- BusSplit -----+------------------ bus
//!                                             +------+
//! ```
//!
//! | block | section of the contract |
//! |---|---|
//! | [`Intake`] | ports; frames cut by a reset |
//! | [`WordFeed`], [`NextHeader`]; 8 bits: [`WordFacts`], [`ParserLook`], [`ParserStep`], [`Parser`]; 512: the same words in [`ParserArray`], [`WideParser`]; 64: [`WordClass`], [`LinkStage`], [`HeaderStage`], [`ExtensionStage`], [`ReachStage`], [`FindingStage`], [`PairParser`] | what a frame is to the parser |
//! | [`TunnelStep`], [`InnerFront`]; 8 bits: [`TunnelStage`], [`InnerParser`]; 64: [`TunnelBeats`] | tunnels |
//! | [`KeyPart`], [`KeyCapture`], [`FindingStage`], [`FrameDigest`] | key |
//! | [`FrameClassifier`] | classes; checksum of a mark |
//! | [`FrameStore`], [`FrameMemory`], [`Queue`] | room and time |
//! | [`VerdictStage`], [`RegisterQueue`], [`Egress`], [`WordPatch`] | classes 0 and 1; policies |
//! | [`PathRegisters`] | registers |

mod beat;
mod beat_delay;
mod contract;
mod descriptor;
mod egress;
mod extension_stage;
mod fields;
mod finding_stage;
mod frame_classifier;
mod frame_digest;
mod frame_memory;
mod frame_store;
mod front;
mod header_stage;
mod inner_front;
mod inner_parser;
mod intake;
mod key_capture;
mod link_stage;
mod network_order;
mod next_header;
mod outer_packet;
mod packet_path;
mod pair_parser;
mod parser;
mod parser_array;
mod parser_look;
mod parser_step;
mod path_registers;
mod queue;
mod queue_memory;
mod reach_stage;
mod register_queue;
mod tops;
mod tunnel_beats;
mod tunnel_stage;
mod tunnel_step;
mod verdict_stage;
mod wide_parser;
mod word_class;
mod word_facts;
mod word_feed;
mod word_patch;

pub use beat::Beat;
pub use beat_delay::BeatDelay;
pub use contract::{
    keyed_frames_kept, latency_bound_clocks, lossless_frame_bytes, parser_clocks, PATH_CLOCKS,
};
pub use egress::Egress;
pub use extension_stage::ExtensionStage;
pub use finding_stage::FindingStage;
pub use frame_classifier::FrameClassifier;
pub use frame_digest::{back as crc64_back, on as crc64_on, FrameDigest};
pub use frame_memory::FrameMemory;
pub use frame_store::FrameStore;
pub use front::Front;
pub use header_stage::HeaderStage;
pub use inner_front::InnerFront;
pub use inner_parser::InnerParser;
pub use intake::Intake;
pub use key_capture::{KeyCapture, KeyLayout, KeyPart};
pub use link_stage::LinkStage;
pub use network_order::NetworkOrder;
pub use next_header::NextHeader;
pub use outer_packet::OuterPacket;
pub use packet_path::PacketPath;
pub use pair_parser::PairParser;
pub use parser::Parser;
pub use parser_array::ParserArray;
pub use parser_look::ParserLook;
pub use parser_step::ParserStep;
pub use path_registers::PathRegisters;
pub(crate) use path_registers::NEXT_BLOCK_BITS;
pub use queue::Queue;
pub use queue_memory::WideQueueMemory;
pub use reach_stage::ReachStage;
pub use register_queue::RegisterQueue;
pub use tops::{AxilPath, UartPath};
pub use tunnel_beats::TunnelBeats;
pub use tunnel_stage::TunnelStage;
pub use tunnel_step::TunnelStep;
pub use verdict_stage::VerdictStage;
pub use wide_parser::WideParser;
pub use word_class::WordClass;
pub use word_facts::WordFacts;
pub use word_feed::WordFeed;
pub use word_patch::WordPatch;
