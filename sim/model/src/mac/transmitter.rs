use super::{Beat, Gmii};
use bloomline_spec::mac::{
    FCS_BYTES, FRAME_START_BYTE, GAP_CLOCKS, MIN_FRAME_BYTES, PREAMBLE_BYTE, PREAMBLE_BYTES,
};
use crc32fast::Hasher;

/// What the transmitter shows in a clock, but for its `tready`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TransmitterOutputs {
    /// The line.
    pub gmii: Gmii,
    /// A frame was sent.
    pub sent: bool,
    /// A frame was sent as bad.
    pub broken: bool,
    /// The source ran dry within a frame.
    pub underrun: bool,
}

/// The transmitter: frames to GMII.
#[derive(Debug, Clone)]
pub struct MacTransmitterModel {
    state: State,
    drain: bool,
    outputs: TransmitterOutputs,
}

#[derive(Debug, Clone)]
enum State {
    /// Until a frame may begin, but for the clock in which it does.
    Gap {
        left: usize,
    },
    Idle,
    Preamble {
        done: usize,
    },
    Data {
        check: Hasher,
        bytes: usize,
    },
    Pad {
        left: usize,
        end: End,
    },
    Fcs {
        done: usize,
        end: End,
    },
}

/// What stands behind a frame's bytes.
#[derive(Debug, Clone, Copy)]
struct End {
    fcs: [u8; FCS_BYTES],
    broken: bool,
}

/// Bytes of a frame before its FCS, at least.
const LEAST: usize = MIN_FRAME_BYTES - FCS_BYTES;
/// Clocks of GAP: one of those between frames is the IDLE that meets the next.
const GAP: State = State::Gap {
    left: GAP_CLOCKS - 1,
};

impl End {
    fn of(mut check: Hasher, padding: usize, broken: bool) -> Self {
        check.update(&[0; LEAST][..padding]);
        let fcs = check.finalize().to_le_bytes();
        Self {
            fcs: fcs.map(|byte| if broken { !byte } else { byte }),
            broken,
        }
    }
}

impl Default for MacTransmitterModel {
    /// As after reset.
    fn default() -> Self {
        Self {
            state: GAP,
            drain: false,
            outputs: TransmitterOutputs::default(),
        }
    }
}

impl MacTransmitterModel {
    /// What it shows in this clock.
    pub fn outputs(&self) -> TransmitterOutputs {
        self.outputs
    }

    /// Whether a beat is taken in this clock.
    pub fn ready(&self) -> bool {
        self.drain || matches!(self.state, State::Data { .. })
    }

    /// One clock with these inputs.
    pub fn clock(&mut self, reset: bool, beat: Option<Beat>) {
        if reset {
            *self = Self::default();
            return;
        }
        let mut shown = TransmitterOutputs::default();
        let begins = beat.is_some() && !self.drain;
        self.drain &= !beat.is_some_and(|beat| beat.last);
        self.state = match std::mem::replace(&mut self.state, State::Idle) {
            State::Gap { left: 1 } => State::Idle,
            State::Gap { left } => State::Gap { left: left - 1 },
            State::Idle if begins => State::Preamble { done: 0 },
            State::Idle => State::Idle,
            State::Preamble {
                done: PREAMBLE_BYTES,
            } => {
                shown.gmii = Gmii::byte(FRAME_START_BYTE);
                State::Data {
                    check: Hasher::new(),
                    bytes: 0,
                }
            }
            State::Preamble { done } => {
                shown.gmii = Gmii::byte(PREAMBLE_BYTE);
                State::Preamble { done: done + 1 }
            }
            State::Data { mut check, bytes } => match beat {
                Some(beat) => {
                    shown.gmii = Gmii::byte(beat.data);
                    check.update(&[beat.data]);
                    let bytes = bytes + 1;
                    match beat.last {
                        false => State::Data { check, bytes },
                        true if beat.user => Self::behind(0, check, true),
                        true => Self::behind(LEAST.saturating_sub(bytes), check, false),
                    }
                }
                None => {
                    self.drain = true;
                    shown.underrun = true;
                    shown.gmii = Gmii {
                        error: true,
                        ..Gmii::byte(0)
                    };
                    Self::behind(0, check, true)
                }
            },
            State::Pad { left, end } => {
                shown.gmii = Gmii::byte(0);
                match left {
                    1 => State::Fcs { done: 0, end },
                    _ => State::Pad {
                        left: left - 1,
                        end,
                    },
                }
            }
            State::Fcs { done, end } => {
                shown.gmii = Gmii {
                    error: end.broken,
                    ..Gmii::byte(end.fcs[done])
                };
                if done + 1 == FCS_BYTES {
                    (shown.sent, shown.broken) = (!end.broken, end.broken);
                    GAP
                } else {
                    let done = done + 1;
                    State::Fcs { done, end }
                }
            }
        };
        self.outputs = shown;
    }

    /// The state behind a frame's last byte.
    fn behind(padding: usize, check: Hasher, broken: bool) -> State {
        let end = End::of(check, padding, broken);
        match padding {
            0 => State::Fcs { done: 0, end },
            left => State::Pad { left, end },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FrameEnd, MacReceiverModel};
    use super::*;

    /// The line while these beats are offered, each until it is taken; `None` is a clock without one.
    fn line(beats: &[Option<Beat>]) -> Vec<Gmii> {
        let mut transmitter = MacTransmitterModel::default();
        let mut waiting = beats.iter().copied().peekable();
        let mut line = Vec::new();
        while waiting.peek().is_some() || line.len() < 200 || !idle_at_end(&line) {
            let beat = waiting.peek().copied().flatten();
            if transmitter.ready() {
                waiting.next();
            }
            transmitter.clock(false, beat);
            line.push(transmitter.outputs().gmii);
        }
        line
    }

    fn idle_at_end(line: &[Gmii]) -> bool {
        line.iter().rev().take(20).all(|gmii| !gmii.valid)
    }

    fn beats(frame: &[u8], user: bool) -> Vec<Option<Beat>> {
        let last = frame.len() - 1;
        let beat = |(i, &data)| {
            Some(Beat {
                data,
                last: i == last,
                user: user && i == last,
            })
        };
        frame.iter().enumerate().map(beat).collect()
    }

    /// Frames and ends that a receiver makes of a line.
    fn received(line: &[Gmii]) -> (Vec<Vec<u8>>, Vec<FrameEnd>) {
        let mut receiver = MacReceiverModel::default();
        let (mut frames, mut frame, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        for &gmii in line {
            receiver.clock(false, gmii);
            ends.extend(receiver.end());
            if let Some(beat) = receiver.beat() {
                frame.push(beat.data);
                if beat.last {
                    frames.push(std::mem::take(&mut frame));
                }
            }
        }
        (frames, ends)
    }

    #[test]
    fn frames_are_received_as_sent_with_padding_and_gaps_of_twelve() {
        let sent: Vec<Vec<u8>> = [1, 2, 59, 60, 61, 300]
            .map(|bytes| (0..bytes).map(|i| (i * 11 + bytes) as u8).collect())
            .into();
        let offered: Vec<_> = sent.iter().flat_map(|frame| beats(frame, false)).collect();
        let line = line(&offered);
        let (frames, ends) = received(&line);
        for (frame, sent) in frames.iter().zip(&sent) {
            assert_eq!(frame[..sent.len()], *sent);
            assert_eq!(frame.len(), sent.len().max(60));
            assert!(frame[sent.len()..].iter().all(|&byte| byte == 0));
        }
        assert_eq!(ends, [FrameEnd::Good; 6]);
        let carriers: Vec<_> = line.chunk_by(|a, b| a.valid == b.valid).collect();
        let gaps: Vec<usize> = carriers[1..carriers.len() - 1]
            .iter()
            .filter(|run| !run[0].valid)
            .map(|run| run.len())
            .collect();
        assert_eq!(gaps, [12; 5]);
    }

    #[test]
    fn the_residue_of_a_sent_frame_is_the_known_one() {
        let line = line(&beats(b"123456789", false));
        let carrier: Vec<u8> = line.iter().filter(|g| g.valid).map(|g| g.data).collect();
        assert_eq!(carrier.len(), 8 + 64);
        // IEEE 802.3: a frame and its FCS leave 0xC704DD7B in the divider, which is this, bits reversed and inverted
        assert_eq!(
            crc32fast::hash(&carrier[8..]),
            !0xC704_DD7B_u32.reverse_bits()
        );
    }

    #[test]
    fn a_source_that_runs_dry_or_says_bad_ends_its_frame_with_an_error_and_the_next_is_whole() {
        let frame: Vec<u8> = (0..100).collect();
        let mut dry = beats(&frame, false);
        dry.insert(70, None);
        let bad = beats(&frame, true);
        for offered in [dry, bad] {
            let offered = [offered, beats(&frame, false)].concat();
            let (frames, ends) = received(&line(&offered));
            assert_eq!(ends, [FrameEnd::Error, FrameEnd::Good]);
            assert_eq!(frames[1], frame);
        }
    }

    #[test]
    fn a_broken_frame_has_a_wrong_fcs_beside_its_error() {
        let mut line = line(&beats(&[7; 80], true));
        line.iter_mut().for_each(|gmii| gmii.error = false);
        assert_eq!(received(&line).1, [FrameEnd::BadFcs]);
    }
}
