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
//! | [`WordFeed`], [`WordFacts`], [`NextHeader`], [`ParserStep`], [`Parser`] | what a frame is to the parser |
//! | [`KeyCapture`] | key |
//! | [`FrameClassifier`] | classes; checksum of a mark |
//! | [`FrameStore`], [`FrameMemory`], [`Queue`] | room and time |
//! | [`VerdictStage`], [`Egress`], [`WordPatch`] | classes 0 and 1; policies |
//! | [`PathRegisters`] | registers |

mod beat;
mod beat_delay;
mod descriptor;
mod egress;
mod fields;
mod frame_classifier;
mod frame_memory;
mod frame_store;
mod front;
mod intake;
mod key_capture;
mod network_order;
mod next_header;
mod packet_path;
mod parser;
mod parser_step;
mod path_registers;
mod queue;
mod queue_memory;
mod tops;
mod verdict_stage;
mod word_facts;
mod word_feed;
mod word_patch;

pub use beat::Beat;
pub use beat_delay::BeatDelay;
pub use egress::Egress;
pub use frame_classifier::{FrameClassifier, CLASS_CLOCKS};
pub use frame_memory::FrameMemory;
pub use frame_store::FrameStore;
pub use front::Front;
pub use intake::Intake;
pub use key_capture::{KeyCapture, KeyLayout};
pub use network_order::NetworkOrder;
pub use next_header::NextHeader;
pub use packet_path::PacketPath;
pub use parser::{Parser, PARSER_CLOCKS};
pub use parser_step::ParserStep;
pub use path_registers::PathRegisters;
pub use queue::Queue;
pub use queue_memory::WideQueueMemory;
pub use tops::{
    CellAxilBytePath, CellAxilWidePath, CellUartBytePath, CellUartWidePath, FoldedAxilBytePath,
    FoldedAxilWidePath, FoldedUartBytePath, FoldedUartWidePath, RecyclingAxilBytePath,
    RecyclingAxilWidePath, RecyclingUartBytePath, RecyclingUartWidePath, SlidingAxilBytePath,
    SlidingAxilWidePath, SlidingUartBytePath, SlidingUartWidePath,
};
pub use verdict_stage::VerdictStage;
pub use word_facts::WordFacts;
pub use word_feed::WordFeed;
pub use word_patch::WordPatch;
