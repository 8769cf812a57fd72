//! Flipping bits of memory in lockstep.

use super::{Flippable, FLIP_INPUTS};
use crate::filter::{ModelReference, SlidingReference};
use crate::lockstep::{Reference, Stimulus};
use bloomline_model::{CellBit, MemoryBit};
use bloomline_spec::registers::{address, CellCounter, Counter, SlidingCounter};
use bloomline_spec::SlidingGeometry;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How often bits flip, and which.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlipMix {
    /// Probability of a flip in a clock.
    pub rate: f64,
    /// Bits of a word that flip: those from `first` up to, not including, `end`.
    pub first: u32,
    /// See `first`.
    pub end: u32,
}

/// A stimulus whose reads of unused addresses go to PARITY_ERRORS, and which flips bits of memory besides.
pub struct Flipping<S> {
    stimulus: S,
    rng: ChaCha8Rng,
    mix: FlipMix,
    memories: u32,
    words: u32,
    read_address: usize,
    counter_lo: u32,
}

impl<S> Flipping<S> {
    /// Around `stimulus`, which drives the design without the inputs that flip.
    ///
    /// # Panics
    /// When the design is no filter: it has no port `s_axil_araddr`.
    pub fn new(stimulus: S, flippable: &Flippable, mix: FlipMix, seed: u64) -> Self {
        let read_address = flippable.design.word_of("s_axil_araddr");
        Flipping {
            stimulus,
            rng: ChaCha8Rng::seed_from_u64(seed ^ 0x666c_6970),
            mix,
            memories: flippable.memories,
            words: flippable.words,
            read_address: read_address.expect("a filter has registers"),
            counter_lo: Counter::ParityErrors.address_lo(),
        }
    }

    /// The same for a filter of cells, whose counter has another address.
    pub fn of_cells(self) -> Self {
        Flipping {
            counter_lo: CellCounter::ParityErrors.address_lo(),
            ..self
        }
    }

    /// The same for a sliding-window filter, whose counter has another address.
    pub fn of_sliding(self) -> Self {
        Flipping {
            counter_lo: SlidingCounter::ParityErrors.address_lo(),
            ..self
        }
    }
}

impl<S: Stimulus> Stimulus for Flipping<S> {
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool {
        let (inputs, flip) = inputs.split_at_mut(inputs.len() - FLIP_INPUTS.len());
        if !self.stimulus.next(predicted, inputs) {
            return false;
        }
        let asked = &mut inputs[self.read_address];
        *asked = match *asked as u32 {
            0x14..address::FILTER => self.counter_lo.into(),
            unused if unused >= self.counter_lo + 8 => (self.counter_lo + 4).into(),
            other => other.into(),
        };
        if self.rng.random_bool(self.mix.rate) {
            flip[0] = self.rng.random_range(1..=self.memories).into();
            flip[1] = self.rng.random_range(0..self.words).into();
            flip[2] = self.rng.random_range(self.mix.first..self.mix.end).into();
        }
        true
    }
}

/// The model of a recycling filter, whose memory takes the same flips. Memories are the halves of bank 0, then those of bank 1, ..
pub struct FlippedReference {
    /// The model, with memory.
    pub reference: ModelReference,
    phases: u32,
}

impl FlippedReference {
    /// Around a model of a filter of so many phases.
    pub fn new(reference: ModelReference, phases: u32) -> Self {
        FlippedReference { reference, phases }
    }
}

impl Reference for FlippedReference {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        self.reference.outputs(outputs, care);
    }

    fn clock(&mut self, inputs: &[u64]) {
        let (inputs, flip) = inputs.split_at(inputs.len() - FLIP_INPUTS.len());
        if let Some(memory) = (flip[0] as u32).checked_sub(1) {
            self.reference.model.flip(MemoryBit {
                half: memory % self.phases,
                bank: memory / self.phases,
                word: flip[1] as u32,
                bit: flip[2] as u32,
            });
        }
        self.reference.clock(inputs);
    }
}

/// The model of a sliding-window filter, whose memory takes the same flips. Memories are the lanes of the front table, then those of the back table.
pub struct FlippedSliding {
    /// The model, with memory.
    pub reference: SlidingReference,
    lanes: u32,
    back_buckets: u32,
}

impl FlippedSliding {
    /// Around a model of `geometry`.
    pub fn new(reference: SlidingReference, geometry: &SlidingGeometry) -> Self {
        FlippedSliding {
            reference,
            lanes: geometry.bucket_cells(),
            back_buckets: geometry.back_buckets() as u32,
        }
    }
}

impl Reference for FlippedSliding {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        self.reference.outputs(outputs, care);
    }

    fn clock(&mut self, inputs: &[u64]) {
        let (inputs, flip) = inputs.split_at(inputs.len() - FLIP_INPUTS.len());
        if let Some(memory) = (flip[0] as u32).checked_sub(1) {
            let back = memory >= self.lanes;
            let bucket = flip[1] as u32;
            self.reference.model.flip(CellBit {
                back,
                lane: memory % self.lanes,
                // the back table has the low bits of the address
                bucket: if back {
                    bucket % self.back_buckets
                } else {
                    bucket
                },
                bit: flip[2] as u32,
            });
        }
        self.reference.clock(inputs);
    }
}
