use super::{Beat, Gmii};
use bloomline_spec::mac::{FCS_BYTES, FRAME_START_BYTE, MIN_FRAME_BYTES};
use crc32fast::Hasher;
use std::collections::VecDeque;

/// How a frame ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FrameEnd {
    /// Long enough, with the right FCS.
    Good,
    /// With a wrong FCS.
    BadFcs,
    /// Too short.
    Runt,
    /// With a byte that had an error.
    Error,
}

/// The receiver: frames from GMII.
#[derive(Debug, Clone)]
pub struct MacReceiverModel {
    state: State,
    beat: Option<Beat>,
    end: Option<FrameEnd>,
}

#[derive(Debug, Clone)]
enum State {
    Wait,
    Hunt,
    Data(Frame),
}

/// A frame so far.
#[derive(Debug, Clone, Default)]
struct Frame {
    /// What may be the FCS, and the byte before it.
    row: VecDeque<u8>,
    /// Over what has left the row.
    check: Hasher,
    bytes: u64,
    errored: bool,
}

impl Default for MacReceiverModel {
    /// As after reset.
    fn default() -> Self {
        Self {
            state: State::Wait,
            beat: None,
            end: None,
        }
    }
}

impl MacReceiverModel {
    /// The beat of this clock.
    pub fn beat(&self) -> Option<Beat> {
        self.beat
    }

    /// The frame's end that is told in this clock.
    pub fn end(&self) -> Option<FrameEnd> {
        self.end
    }

    /// One clock with these inputs.
    pub fn clock(&mut self, reset: bool, gmii: Gmii) {
        if reset {
            *self = Self::default();
            return;
        }
        (self.beat, self.end) = (None, None);
        let begins = gmii.valid && !gmii.error && gmii.data == FRAME_START_BYTE;
        match &mut self.state {
            State::Wait if gmii.valid => {}
            State::Wait => self.state = State::Hunt,
            State::Hunt if begins => self.state = State::Data(Frame::default()),
            State::Hunt => {}
            State::Data(frame) if gmii.valid => self.beat = frame.take(gmii),
            State::Data(frame) => {
                (self.beat, self.end) = frame.end();
                self.state = State::Hunt;
            }
        }
    }
}

impl Frame {
    /// Takes a byte; what leaves the row for it.
    fn take(&mut self, gmii: Gmii) -> Option<Beat> {
        self.bytes += 1;
        self.errored |= gmii.error;
        self.row.push_back(gmii.data);
        if self.row.len() <= FCS_BYTES + 1 {
            return None;
        }
        let data = self.row.pop_front()?;
        self.check.update(&[data]);
        Some(Beat {
            data,
            last: false,
            user: false,
        })
    }

    /// What comes of the frame.
    fn end(&mut self) -> (Option<Beat>, Option<FrameEnd>) {
        let last = (self.row.len() > FCS_BYTES).then(|| self.row.pop_front());
        let last = last.flatten();
        self.check.update(last.as_slice());
        let fcs = self.check.clone().finalize().to_le_bytes();
        let end = if self.errored {
            FrameEnd::Error
        } else if self.bytes < MIN_FRAME_BYTES as u64 {
            FrameEnd::Runt
        } else if self.row != fcs {
            FrameEnd::BadFcs
        } else {
            FrameEnd::Good
        };
        let beat = last.map(|data| Beat {
            data,
            last: true,
            user: end != FrameEnd::Good,
        });
        (beat, Some(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a receiver that has seen an idle line makes of these clocks: frames (bytes, bad), and how each ended.
    fn received(line: impl IntoIterator<Item = Gmii>) -> (Vec<(Vec<u8>, bool)>, Vec<FrameEnd>) {
        let mut receiver = MacReceiverModel::default();
        let (mut frames, mut bytes, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        let idle = [Gmii::default(); 2];
        for gmii in idle.into_iter().chain(line).chain(idle) {
            receiver.clock(false, gmii);
            ends.extend(receiver.end());
            if let Some(beat) = receiver.beat() {
                bytes.push(beat.data);
                if beat.last {
                    frames.push((std::mem::take(&mut bytes), beat.user));
                }
            }
        }
        assert!(bytes.is_empty(), "a frame without end");
        (frames, ends)
    }

    fn on_the_line(preamble: &[u8], frame: &[u8]) -> Vec<Gmii> {
        let fcs = crc32fast::hash(frame).to_le_bytes();
        let bytes = [preamble, &[FRAME_START_BYTE], frame, &fcs].concat();
        bytes.into_iter().map(Gmii::byte).collect()
    }

    fn frame(bytes: usize) -> Vec<u8> {
        (0..bytes).map(|i| (i * 7 + 3) as u8).collect()
    }

    #[test]
    fn a_frame_comes_whole_whatever_its_preamble() {
        for preamble in [
            vec![],
            vec![0x55; 1],
            vec![0x55; 7],
            vec![0x55; 40],
            vec![1, 2, 0x5D],
        ] {
            for bytes in [60, 61, 64, 1514, 9000] {
                let (frames, ends) = received(on_the_line(&preamble, &frame(bytes)));
                assert_eq!(frames, [(frame(bytes), false)], "{preamble:?}");
                assert_eq!(ends, [FrameEnd::Good]);
            }
        }
    }

    #[test]
    fn what_is_wrong_with_a_frame_is_told_once_with_its_last_byte() {
        let good = on_the_line(&[0x55; 7], &frame(60));
        for at in 8..good.len() {
            let mut line = good.clone();
            line[at].data ^= 0x10;
            let (frames, ends) = received(line.clone());
            assert_eq!((frames.len(), frames[0].1), (1, true));
            assert_eq!(ends, [FrameEnd::BadFcs], "byte {at}");
            line[at].error = true;
            let (frames, ends) = received(line);
            assert_eq!((frames.len(), frames[0].1), (1, true));
            assert_eq!(ends, [FrameEnd::Error], "byte {at}");
        }
    }

    #[test]
    fn short_frames_are_runts_and_without_a_byte_before_the_fcs_no_frames() {
        for bytes in 1..60 {
            let (frames, ends) = received(on_the_line(&[0x55; 7], &frame(bytes)));
            assert_eq!(frames, [(frame(bytes), true)]);
            assert_eq!(ends, [FrameEnd::Runt]);
        }
        for bytes in 0..5 {
            let mut line = on_the_line(&[0x55; 7], &[]);
            line.truncate(8 + bytes);
            let (frames, ends) = received(line);
            assert_eq!(frames, [], "{bytes} bytes behind the SFD");
            assert_eq!(ends, [FrameEnd::Runt]);
        }
    }

    #[test]
    fn no_start_no_frame_and_a_start_with_an_error_is_none() {
        let no_start: Vec<Gmii> = (0..200).map(|_| Gmii::byte(0x55)).collect();
        assert_eq!(received(no_start), (vec![], vec![]));
        let mut line: Vec<Gmii> = (0..200).map(|_| Gmii::byte(0x55)).collect();
        line[7] = Gmii {
            error: true,
            ..Gmii::byte(FRAME_START_BYTE)
        };
        assert_eq!(received(line), (vec![], vec![]));
    }

    #[test]
    fn a_frame_under_way_when_reset_ends_is_passed_over() {
        let mut receiver = MacReceiverModel::default();
        let line = on_the_line(&[0x55; 7], &[FRAME_START_BYTE; 100]);
        for (t, gmii) in line.into_iter().enumerate() {
            receiver.clock(t == 50, gmii);
            assert!(t < 50 || receiver.beat().is_none(), "clock {t}");
        }
        receiver.clock(false, Gmii::default());
        assert_eq!((receiver.beat(), receiver.end()), (None, None));
    }
}
