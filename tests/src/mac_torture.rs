//! Stimulus of the MAC's blocks: good and damaged frames, sources that pause, readers with back-pressure.

use crate::mac_sides::{mac_beat, mac_ready, MacInputs};
use bloomline_bench::lockstep::Stimulus;
use bloomline_bench::rgmii::with_fcs;
use bloomline_model::mac::{Beat, Gmii};
use bloomline_spec::mac::{FRAME_START_BYTE, PREAMBLE_BYTE};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Frames that are offered beat by beat, with pauses between and, where the mix says so, within.
#[derive(Debug, Default)]
struct Source {
    beats: VecDeque<Beat>,
    offered: Option<Beat>,
    pause: u32,
    /// Chance of a pause behind a beat within a frame.
    dry: f64,
    /// Chance of one between frames.
    rest: f64,
}

impl Source {
    fn offer(&mut self, rng: &mut ChaCha8Rng) -> Option<Beat> {
        if self.offered.is_none() && self.pause > 0 {
            self.pause -= 1;
        } else if self.offered.is_none() {
            if self.beats.is_empty() {
                self.beats = frame_of_beats(rng);
            }
            self.offered = self.beats.pop_front();
        }
        self.offered
    }

    fn taken(&mut self, rng: &mut ChaCha8Rng) {
        self.offered = None;
        if rng.random_bool(if self.beats.is_empty() {
            self.rest
        } else {
            self.dry
        }) {
            self.pause = [1, 2, 5, 40, 120][rng.random_range(0..5)];
        }
    }
}

fn length(rng: &mut ChaCha8Rng) -> usize {
    match rng.random_range(0..20) {
        0..4 => rng.random_range(1..8),
        4..10 => rng.random_range(54..68),
        10..19 => rng.random_range(1..200),
        _ => rng.random_range(200..1600),
    }
}

fn frame_of_beats(rng: &mut ChaCha8Rng) -> VecDeque<Beat> {
    let length = length(rng);
    let bad = rng.random_bool(0.2);
    let beat = |i| Beat {
        data: rng.random(),
        last: i + 1 == length,
        user: bad && i + 1 == length,
    };
    (0..length).map(beat).collect()
}

/// Clocks between two changes of the mix.
const MIX_CLOCKS: u64 = 1500;

/// Torture of receiver, gate, buffer and transmitter at once.
pub struct MacTorture {
    rng: ChaCha8Rng,
    clock: u64,
    clocks: u64,
    line: VecDeque<Gmii>,
    buffer: Source,
    transmit: Source,
    /// Chances of a clock: a reset, a full FIFO where the last clock's was not, one where it was, a reader that is ready.
    reset: f64,
    full: [f64; 2],
    ready: f64,
    was_full: bool,
    /// Where a full FIFO has a place again just as a frame begins.
    spiteful: bool,
    /// No frame has begun since the last one ended.
    between: bool,
}

impl MacTorture {
    /// Of so many clocks.
    pub fn new(seed: u64, clocks: u64) -> Self {
        Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            clock: 0,
            clocks,
            line: VecDeque::new(),
            buffer: Source::default(),
            transmit: Source::default(),
            reset: 0.0,
            full: [0.0; 2],
            ready: 1.0,
            was_full: false,
            spiteful: false,
            between: true,
        }
    }

    fn mix(&mut self) {
        let rng = &mut self.rng;
        let mut one_of = |all: &[f64]| all[rng.random_range(0..all.len())];
        self.reset = one_of(&[0.0, 0.0, 0.002, 0.01]);
        self.full = [one_of(&[0.0, 0.02, 0.3]), one_of(&[0.0, 0.5, 0.95])];
        self.spiteful = one_of(&[0.0, 0.0, 1.0]) > 0.0;
        self.ready = one_of(&[1.0, 1.0, 0.9, 0.3, 0.02]);
        (self.buffer.dry, self.buffer.rest) = (one_of(&[0.0, 0.02, 0.5]), one_of(&[0.0, 0.5]));
        (self.transmit.dry, self.transmit.rest) =
            (one_of(&[0.0, 0.0, 0.003, 0.05]), one_of(&[0.0, 0.5]));
    }

    /// A frame, or what should be none, and the gap behind it.
    fn more_line(&mut self) {
        let rng = &mut self.rng;
        let preamble = match rng.random_range(0..6) {
            0 => rng.random_range(0..3),
            1 => rng.random_range(8..40),
            _ => 7,
        };
        let mut clocks: Vec<Gmii> = vec![Gmii::byte(PREAMBLE_BYTE); preamble];
        if rng.random_bool(0.1) {
            clocks.extend((0..rng.random_range(0..6)).map(|_| Gmii::byte(rng.random())));
        }
        if rng.random_bool(0.95) {
            clocks.push(Gmii::byte(FRAME_START_BYTE));
        }
        let length = length(rng);
        let frame: Vec<u8> = (0..length).map(|_| rng.random()).collect();
        clocks.extend(with_fcs(&frame).into_iter().map(Gmii::byte));
        match rng.random_range(0..12) {
            0 => {
                let at = rng.random_range(0..clocks.len());
                clocks[at].data ^= 1 << rng.random_range(0..8);
            }
            1 => {
                let at = rng.random_range(0..clocks.len());
                clocks[at].error = true;
            }
            2 => clocks.truncate(rng.random_range(0..clocks.len())),
            3 => {
                let last = clocks.len() - 1;
                clocks[last].error = true;
            }
            4 => {
                let left = (preamble + 1 + rng.random_range(0..9)).min(clocks.len());
                clocks.truncate(left);
            }
            _ => {}
        }
        let gap = match rng.random_range(0..8) {
            0 => 0,
            1 => 1,
            2 => rng.random_range(2..12),
            3 => rng.random_range(12..200),
            _ => 12,
        };
        let error = rng.random_bool(0.1);
        clocks.extend((0..gap).map(|_| Gmii {
            data: if rng.random_bool(0.3) {
                FRAME_START_BYTE
            } else {
                rng.random()
            },
            valid: false,
            error: error && rng.random(),
        }));
        self.line.extend(clocks);
    }
}

impl Stimulus for MacTorture {
    fn next(&mut self, predicted: &[u64], words: &mut [u64]) -> bool {
        if self.clock >= self.clocks {
            return false;
        }
        if self.clock.is_multiple_of(MIX_CLOCKS) {
            self.mix();
        }
        self.clock += 1;
        while self.line.is_empty() {
            self.more_line();
        }
        let rng = &mut self.rng;
        let [beat, last] = mac_beat(predicted);
        let begins = beat && self.between;
        self.was_full = match self.was_full && self.spiteful {
            true => !begins || rng.random(),
            false => rng.random_bool(self.full[usize::from(self.was_full)]),
        };
        if beat {
            self.between = last;
        }
        let inputs = MacInputs {
            reset: rng.random_bool(self.reset),
            line: self.line.pop_front().unwrap_or_default(),
            full: self.was_full,
            buffer: self.buffer.offer(rng),
            buffer_ready: rng.random_bool(self.ready),
            transmit: self.transmit.offer(rng),
        };
        inputs.pack(words);
        let [buffer, transmit] = mac_ready(predicted);
        if buffer && inputs.buffer.is_some() {
            self.buffer.taken(rng);
        }
        if transmit && inputs.transmit.is_some() {
            self.transmit.taken(rng);
        }
        true
    }
}
