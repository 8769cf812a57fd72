//! Line model: frames, gaps and link status on the pins of a PHY.

use bloomline_bench::path::OfferedFrame;
use bloomline_bench::rgmii::on_the_line;
use bloomline_model::mac::Gmii;
use bloomline_spec::mac::{
    FCS_BYTES, FRAME_START_BYTE, GAP_CLOCKS, MIN_FRAME_BYTES, PREAMBLE_BYTE, PREAMBLE_BYTES,
};
use rand::rngs::SmallRng;
use rand::Rng;

/// A frame as a PHY brings it, or what should be one, and the gap behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineFrame {
    /// Its bytes of GMII.
    pub line: Vec<Gmii>,
    /// Clocks behind it without a carrier, at least one.
    pub gap: Gap,
}

/// What stands between two frames.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gap {
    /// So many clocks in which the PHY tells of its link.
    Rest(usize),
    /// The same, with a false carrier in the first.
    Noise(usize),
}

/// How lines differ from clean ones, as probabilities of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineMix {
    /// A frame that is too short is not padded: a runt.
    pub runts: f64,
    /// The preamble has another length.
    pub preambles: f64,
    /// The gap is shorter than 12 clocks.
    pub short_gaps: f64,
    /// It is longer.
    pub long_gaps: f64,
    /// There is a false carrier in it.
    pub noise: f64,
}

impl LineMix {
    /// Frames as they should be, 12 clocks apart.
    pub const CLEAN: LineMix = LineMix {
        runts: 0.0,
        preambles: 0.0,
        short_gaps: 0.0,
        long_gaps: 0.0,
        noise: 0.0,
    };

    /// A mix of any kind.
    pub fn draw(rng: &mut SmallRng) -> LineMix {
        let mut pick = |choices: &[f64]| choices[rng.random_range(0..choices.len())];
        LineMix {
            runts: pick(&[0.0, 0.5, 1.0]),
            preambles: pick(&[0.0, 0.2]),
            short_gaps: pick(&[0.0, 0.0, 0.5]),
            long_gaps: pick(&[0.0, 0.3, 0.9]),
            noise: pick(&[0.0, 0.2]),
        }
    }
}

impl LineFrame {
    /// A good frame as any Ethernet sends it: padded to the least length, with its FCS, the least gap behind it.
    pub fn good(frame: &[u8]) -> LineFrame {
        LineFrame {
            line: on_the_line(&padded(frame)),
            gap: Gap::Rest(GAP_CLOCKS),
        }
    }

    /// A frame on a line of a mix; one that is bad has a wrong FCS, an error, or is cut.
    pub fn draw(frame: OfferedFrame, mix: LineMix, rng: &mut SmallRng) -> LineFrame {
        let bytes = match rng.random_bool(mix.runts) {
            true => frame.bytes,
            false => padded(&frame.bytes),
        };
        let mut line = on_the_line(&bytes);
        let first = PREAMBLE_BYTES + 1;
        if frame.bad {
            let at = rng.random_range(first..line.len());
            match rng.random_range(0..3) {
                0 => line[at].data ^= 1 << rng.random_range(0..8),
                1 => line[at].error = true,
                _ => line.truncate(at + 1),
            }
        }
        if rng.random_bool(mix.preambles) {
            let preamble = [0, 1, 6, 8, 30][rng.random_range(0..5)];
            let bytes = vec![Gmii::byte(PREAMBLE_BYTE); preamble];
            drop(line.splice(..PREAMBLE_BYTES, bytes));
        }
        let clocks = if rng.random_bool(mix.short_gaps) {
            rng.random_range(1..GAP_CLOCKS)
        } else if rng.random_bool(mix.long_gaps) {
            rng.random_range(GAP_CLOCKS..600)
        } else {
            GAP_CLOCKS
        };
        let gap = match rng.random_bool(mix.noise) {
            true => Gap::Noise(clocks),
            false => Gap::Rest(clocks),
        };
        LineFrame { line, gap }
    }

    /// Bytes of it that go to the frame buffer: those behind the start of the frame, without the FCS.
    pub fn buffered_bytes(&self) -> usize {
        let starts = |gmii: &Gmii| gmii.data == FRAME_START_BYTE;
        let frame = self.line.iter().skip_while(|gmii| !starts(gmii));
        frame.count().saturating_sub(1 + FCS_BYTES)
    }

    /// Clocks that it takes.
    pub fn clocks(&self) -> usize {
        let (Gap::Rest(gap) | Gap::Noise(gap)) = self.gap;
        self.line.len() + gap
    }
}

/// A frame of the least length at least, as whoever sends it makes it.
fn padded(frame: &[u8]) -> Vec<u8> {
    let mut bytes = frame.to_vec();
    bytes.resize(bytes.len().max(MIN_FRAME_BYTES - FCS_BYTES), 0);
    bytes
}
