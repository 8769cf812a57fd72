//! Errors of a replay.

use crate::linecard::LineCardError;
use bloomline_bench::path::PathError;
use bloomline_hdl::emit::EmitError;
use bloomline_stimulus::StimulusError;
use bloomline_verify::VerifyError;

/// Why a replay gave no result. A difference between device and model is one.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The specification has neither a packet path nor ports.
    #[error(
        "{name}: no packet path that frames could go through; add [packet] to the specification"
    )]
    NoPath {
        /// Name of the filter.
        name: String,
    },
    /// Frames for a port that a packet path does not have.
    #[error("{name}: frames come at port 1, which a packet path has not; give one capture, or say ports = \"rgmii\" in [packet]")]
    OneWay {
        /// Name of the filter.
        name: String,
    },
    /// A capture without a frame of Ethernet.
    #[error("{source_name}: no frame of Ethernet: it is empty, or of another link type than 1; give a capture of frames of Ethernet")]
    NoFrames {
        /// The capture.
        source_name: String,
    },
    /// Frames could not be read.
    #[error(transparent)]
    Frames(#[from] StimulusError),
    /// The gateware cannot be printed.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// A tool is missing, or the simulator does not take the design.
    #[error(transparent)]
    Verify(#[from] Box<VerifyError>),
    /// The packet path could not be run, or frames could not be written.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The line card could not be run.
    #[error(transparent)]
    LineCard(#[from] LineCardError),
}
