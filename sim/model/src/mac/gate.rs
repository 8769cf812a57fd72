use super::Beat;

/// The frame gate: what does not fit is dropped whole, or ends as bad.
#[derive(Debug, Clone, Default)]
pub struct FrameGateModel {
    stored: Stored,
    skip: bool,
    overflow: bool,
}

/// What the FIFO has of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stored {
    /// None, or all of it.
    #[default]
    Whole,
    /// Its beginning, and the rest is to come.
    Inside,
    /// Its beginning, and the rest is lost.
    Owed,
}

impl FrameGateModel {
    /// What is to be written in a clock with this beat.
    pub fn write(&self, beat: Option<Beat>) -> Option<Beat> {
        if self.stored == Stored::Owed {
            return Some(Beat {
                data: 0,
                last: true,
                user: true,
            });
        }
        let beat = beat.filter(|_| !self.skip)?;
        Some(Beat {
            user: beat.user && beat.last,
            ..beat
        })
    }

    /// Whether a frame's loss is told in this clock.
    pub fn overflow(&self) -> bool {
        self.overflow
    }

    /// One clock with these inputs.
    pub fn clock(&mut self, reset: bool, beat: Option<Beat>, full: bool) {
        if reset {
            *self = Self::default();
            return;
        }
        let owed = self.stored == Stored::Owed;
        if owed && !full {
            self.stored = Stored::Whole;
        }
        self.overflow = false;
        let Some(beat) = beat else { return };
        let ends = beat.last;
        if self.skip {
            self.skip = !ends;
            return;
        }
        if owed || full {
            self.overflow = true;
            self.skip = !ends;
            if self.stored == Stored::Inside {
                self.stored = Stored::Owed;
            }
            return;
        }
        self.stored = match ends {
            true => Stored::Whole,
            false => Stored::Inside,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is stored of frames of so many beats that follow each other, where `full(t)`.
    fn stored(frames: &[u8], full: impl Fn(usize) -> bool) -> (Vec<Beat>, usize) {
        let mut gate = FrameGateModel::default();
        let beats = frames.iter().flat_map(|&length| {
            (1..=length).map(move |data| {
                Some(Beat {
                    data,
                    last: data == length,
                    user: false,
                })
            })
        });
        let (mut stored, mut lost) = (Vec::new(), 0);
        for (t, beat) in beats.chain([None; 20]).enumerate() {
            if !full(t) {
                stored.extend(gate.write(beat));
            }
            gate.clock(false, beat, full(t));
            lost += usize::from(gate.overflow());
        }
        (stored, lost)
    }

    #[test]
    fn what_is_stored_is_whole_frames_and_cut_ones_that_end_as_bad() {
        for begin in 0..30 {
            for length in 1..20 {
                let full = |t: usize| (begin..begin + length).contains(&t);
                let (beats, lost) = stored(&[5, 1, 7, 9, 4], full);
                let mut expected_next = 1;
                let mut cut = 0;
                for beat in &beats {
                    let is_cut = beat.user;
                    assert!(is_cut || beat.data == expected_next, "{beats:?}");
                    assert!(!is_cut || (beat.last && beat.data == 0 && expected_next > 1));
                    cut += usize::from(is_cut);
                    expected_next = if beat.last { 1 } else { beat.data + 1 };
                }
                assert_eq!(expected_next, 1, "the last frame has its end");
                let ends = beats.iter().filter(|beat| beat.last).count();
                assert_eq!(
                    ends - cut + lost,
                    5,
                    "every frame is stored or told as lost"
                );
            }
        }
    }
}
