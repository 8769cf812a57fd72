use bloomline_model::mac::Gmii;
use bloomline_spec::mac::{
    FCS_BYTES, FRAME_START_BYTE, GAP_CLOCKS, MIN_FRAME_BYTES, PREAMBLE_BYTE, PREAMBLE_BYTES,
};

/// A frame as it was heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeardFrame {
    /// Its bytes, without preamble and FCS.
    pub bytes: Vec<u8>,
    /// Clock of the first byte of its preamble.
    pub first_clock: u64,
    /// Clock of the last byte of its FCS.
    pub last_clock: u64,
}

/// Listens to a line on which nothing but good frames may stand: seven bytes of preamble and the start, 64 bytes or more of which the last four
/// are the right FCS, no error, and twelve clocks at least between two.
#[derive(Debug, Clone, Default)]
pub struct FrameListener {
    bytes: Vec<u8>,
    first_clock: u64,
    last_clock: Option<u64>,
}

impl FrameListener {
    /// What was heard of a frame is forgotten.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Whether a frame is being heard.
    pub fn is_within(&self) -> bool {
        !self.bytes.is_empty()
    }

    /// One clock of the line, and the frame that has ended before it.
    ///
    /// # Errors
    /// The rule that was broken, and how.
    #[inline]
    pub fn clock(
        &mut self,
        clock: u64,
        gmii: Gmii,
    ) -> Result<Option<HeardFrame>, (&'static str, String)> {
        if !gmii.valid {
            return match self.bytes.is_empty() {
                true => Ok(None),
                false => self.frame().map(Some),
            };
        }
        if gmii.error {
            return Err((
                "no byte of a frame has an error",
                format!("byte {} has one", self.bytes.len()),
            ));
        }
        if self.bytes.is_empty() {
            self.first_clock = clock;
            let gap = self.last_clock.map(|last| clock - last - 1);
            if let Some(gap) = gap.filter(|&gap| gap < GAP_CLOCKS as u64) {
                return Err(("12 clocks at least lie between two frames", gap.to_string()));
            }
        }
        self.last_clock = Some(clock);
        self.bytes.push(gmii.data);
        Ok(None)
    }

    /// The frame that has ended.
    fn frame(&mut self) -> Result<HeardFrame, (&'static str, String)> {
        const BEFORE: usize = PREAMBLE_BYTES + 1;
        let bytes = std::mem::take(&mut self.bytes);
        if bytes.len() < BEFORE + MIN_FRAME_BYTES {
            let got = format!("{} bytes with the preamble", bytes.len());
            return Err(("a frame has 64 bytes at least", got));
        }
        let (preamble, frame) = bytes.split_at(BEFORE);
        let (plain, start) = preamble.split_at(PREAMBLE_BYTES);
        if plain != [PREAMBLE_BYTE; PREAMBLE_BYTES] || start != [FRAME_START_BYTE] {
            let got = format!("{preamble:02x?}");
            return Err(("a frame begins with seven bytes of 55 and d5", got));
        }
        let (frame, fcs) = frame.split_at(frame.len() - FCS_BYTES);
        let right = crc32fast::hash(frame).to_le_bytes();
        if fcs != right {
            let got = format!("{fcs:02x?} where {right:02x?} is right");
            return Err(("a frame has the right FCS", got));
        }
        Ok(HeardFrame {
            bytes: frame.to_vec(),
            first_clock: self.first_clock,
            last_clock: self.last_clock.unwrap_or(self.first_clock),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rgmii::on_the_line;

    /// What is heard of lines with gaps behind them.
    fn heard(lines: &[(Vec<Gmii>, usize)]) -> Result<Vec<HeardFrame>, (&'static str, String)> {
        let mut listener = FrameListener::default();
        let mut clock = 0;
        let mut frames = Vec::new();
        for (line, gap) in lines {
            for &gmii in line.iter().chain(&vec![Gmii::default(); *gap]) {
                frames.extend(listener.clock(clock, gmii)?);
                clock += 1;
            }
        }
        Ok(frames)
    }

    #[test]
    fn good_frames_are_heard_with_their_clocks() {
        let line = on_the_line(&[7; 60]);
        let frames = heard(&[(line.clone(), 12), (line, 1)]).expect("are good");
        let clocks: Vec<_> = frames
            .iter()
            .map(|f| (f.first_clock, f.last_clock))
            .collect();
        assert_eq!(clocks, [(0, 71), (84, 155)]);
        assert!(frames.iter().all(|frame| frame.bytes == [7; 60]));
    }

    #[test]
    fn every_rule_is_watched() {
        let good = on_the_line(&[7; 60]);
        let broken = |change: fn(&mut Vec<Gmii>), gap: usize| {
            let mut line = good.clone();
            change(&mut line);
            let (rule, _) = heard(&[(line, gap), (good.clone(), 1)]).expect_err("is broken");
            rule
        };
        let rules = [
            broken(|_| {}, 11),
            broken(|line| line[40].error = true, 12),
            broken(|line| line[70].data ^= 1, 12),
            broken(|line| line[3].data = 0x54, 12),
            broken(|line| *line = line.split_off(1), 12),
            broken(|line| *line = on_the_line(&[7; 59]), 12),
        ];
        let words = [
            "between two",
            "an error",
            "FCS",
            "seven bytes",
            "64 bytes",
            "64 bytes",
        ];
        for (rule, word) in rules.iter().zip(words) {
            assert!(rule.contains(word), "{rule}: {word}");
        }
    }
}
