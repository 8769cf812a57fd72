//! AXI4-Stream sink that checks the protocol of the frames it receives.

use super::error::Problem;
use super::pins::{shows, FramePins, Place};

const PORT: &str = "m_frame";

/// A beat as it was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Beat {
    data: Vec<u64>,
    keep: u64,
    last: bool,
    /// Bytes of the frame.
    length: u64,
}

/// A frame that has left.
#[derive(Debug)]
pub struct LeftFrame {
    /// As they left.
    pub bytes: Vec<u8>,
    /// Clock in which its first beat was shown.
    pub first_clock: u64,
    /// Clock in which its last beat was taken.
    pub last_clock: u64,
}

/// The sink of frames, with the monitor of its port.
///
/// In every clock but those of a reset: a beat that was not taken stays as it is; between a frame's first beat and its last
/// `tvalid` does not fall; `tkeep` is all ones but in a last beat, where the lowest are, and bytes beyond it are 0; `tuser` is
/// the number of the frame's bytes, in each of its beats.
#[derive(Debug)]
pub(super) struct Sink {
    pins: FramePins,
    beat_bytes: usize,
    frame: Vec<u8>,
    /// Clock of the first beat of the frame that is leaving, from when it was shown.
    first_clock: Option<u64>,
    standing: Option<Beat>,
    length: u64,
}

impl Sink {
    pub fn new(pins: FramePins, beat_bytes: usize) -> Sink {
        Sink {
            pins,
            beat_bytes,
            frame: Vec::new(),
            first_clock: None,
            standing: None,
            length: 0,
        }
    }

    /// What a reset ends is forgotten.
    pub fn reset(&mut self) {
        *self = Sink::new(self.pins, self.beat_bytes);
    }

    /// Looks at the port in a clock in which it was ready or not; gives a frame whose last beat was taken.
    pub fn clock(
        &mut self,
        clock: u64,
        ready: bool,
        outputs: &[u64],
    ) -> Result<Option<LeftFrame>, Problem> {
        if !shows(outputs, self.pins.m_valid) {
            if self.standing.is_some() {
                return Err(broken("tvalid stays until the beat is taken", "0"));
            }
            if self.first_clock.is_some() {
                return Err(broken("tvalid does not fall within a frame", "0"));
            }
            return Ok(None);
        }
        let beat = self.beat(outputs);
        if let Some(standing) = &self.standing {
            if *standing != beat {
                let got = format!("{beat:x?} after {standing:x?}");
                return Err(broken("a beat stays as it is until it is taken", got));
            }
        } else {
            self.check(&beat)?;
        }
        let first_clock = *self.first_clock.get_or_insert(clock);
        if !ready {
            self.standing = Some(beat);
            return Ok(None);
        }
        self.standing = None;
        self.take(&beat);
        if !beat.last {
            return Ok(None);
        }
        let bytes = std::mem::take(&mut self.frame);
        self.first_clock = None;
        if bytes.len() as u64 & 0xFFFF != beat.length {
            let got = format!("{} after {} bytes", beat.length, bytes.len());
            return Err(broken("tuser is the number of the frame's bytes", got));
        }
        Ok(Some(LeftFrame {
            bytes,
            first_clock,
            last_clock: clock,
        }))
    }

    fn beat(&self, outputs: &[u64]) -> Beat {
        let word = |place: Option<Place>| place.map_or(1, |place| outputs[place]);
        Beat {
            data: outputs[self.pins.m_data..][..self.beat_bytes.div_ceil(8)].to_vec(),
            keep: word(self.pins.m_keep),
            last: shows(outputs, self.pins.m_last),
            length: outputs[self.pins.m_user],
        }
    }

    fn check(&mut self, beat: &Beat) -> Result<(), Problem> {
        let all = u64::MAX >> (64 - self.beat_bytes);
        let lowest = beat.keep != 0 && beat.keep & beat.keep.wrapping_add(1) == 0;
        if !(beat.keep == all || beat.last && lowest) {
            let rule = "tkeep is all ones, or in the last beat the lowest";
            return Err(broken(rule, format!("{:#x}", beat.keep)));
        }
        let beyond =
            (0..self.beat_bytes).find(|&at| beat.keep >> at & 1 == 0 && byte(beat, at) != 0);
        if let Some(at) = beyond {
            let got = format!("0x{:02x} in byte {at}", byte(beat, at));
            return Err(broken("bytes beyond tkeep are 0", got));
        }
        if self.first_clock.is_some() && beat.length != self.length {
            let got = format!("{} after {}", beat.length, self.length);
            return Err(broken("tuser is the same in each beat of a frame", got));
        }
        self.length = beat.length;
        Ok(())
    }

    fn take(&mut self, beat: &Beat) {
        let bytes = beat.keep.count_ones() as usize;
        self.frame.extend((0..bytes).map(|at| byte(beat, at)));
    }
}

fn byte(beat: &Beat, at: usize) -> u8 {
    (beat.data[at / 8] >> (8 * (at % 8))) as u8
}

fn broken(rule: &'static str, got: impl Into<String>) -> Problem {
    Problem::Protocol {
        port: PORT,
        rule,
        got: got.into(),
    }
}
