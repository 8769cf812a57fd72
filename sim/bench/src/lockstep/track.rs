//! One word of all lanes' buffers over the clocks of a batch.

/// Words between the ends of two lanes, so that one clock of all lanes does not fall into the same sets of a cache.
const APART: usize = 8;

/// One word of the buffers of all lanes over the clocks of a batch: a single value as long as no lane and no clock has another. Most ports of a filter
/// under load stand still, and what stands still is neither stored nor transposed.
#[derive(Debug)]
pub(super) struct Track {
    lanes: usize,
    clocks: usize,
    /// What the word is everywhere, unless it moves.
    still: u64,
    moves: bool,
    /// By lane, and in it by clock. Its room is used again.
    values: Vec<u64>,
}

impl Track {
    /// Of so many lanes, and clocks of a batch, before a batch has begun.
    pub fn new(lanes: usize, clocks: usize) -> Self {
        Self {
            lanes,
            clocks,
            still: 0,
            moves: false,
            values: Vec::new(),
        }
    }

    /// Begins a batch in which the word is `still`, so far as is known.
    pub fn begin(&mut self, still: u64) {
        self.still = still;
        self.moves = false;
    }

    /// Takes the word of a lane in some clocks, from clock `from` of the batch on.
    pub fn take(&mut self, lane: usize, from: usize, word: impl Iterator<Item = u64> + Clone) {
        if !self.moves {
            // Without a way out, so that it is compiled to vector instructions.
            let other = word
                .clone()
                .fold(0, |other, value| other | (value ^ self.still));
            if other == 0 {
                return;
            }
            self.moves = true;
            self.values.clear();
            self.values.resize(self.lanes * self.stride(), self.still);
        }
        let first = lane * self.stride() + from;
        let places = self.values[first..].iter_mut();
        places.zip(word).for_each(|(place, value)| *place = value);
    }

    fn stride(&self) -> usize {
        self.clocks + APART
    }

    /// The value in all lanes and clocks, if there is only one.
    pub fn still(&self) -> Option<u64> {
        (!self.moves).then_some(self.still)
    }

    /// The value in a clock and lane.
    pub fn at(&self, clock: usize, lane: usize) -> u64 {
        match self.moves {
            true => self.values[lane * self.stride() + clock],
            false => self.still,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_stored_only_once_a_lane_or_a_clock_has_another_value() {
        let mut track = Track::new(3, 4);
        for still in [5, 6] {
            track.begin(still);
            track.take(0, 0, [still; 4].into_iter());
            assert_eq!((track.still(), track.at(3, 2)), (Some(still), still));
            track.take(1, 0, [still; 2].into_iter());
            track.take(1, 2, [9, still].into_iter());
            track.take(2, 0, [8; 4].into_iter());
            assert_eq!(track.still(), None);
            for (lane, values) in [[still; 4], [still, still, 9, still], [8; 4]]
                .iter()
                .enumerate()
            {
                let found: Vec<u64> = (0..4).map(|clock| track.at(clock, lane)).collect();
                assert_eq!(found, values, "lane {lane}");
            }
        }
    }
}
