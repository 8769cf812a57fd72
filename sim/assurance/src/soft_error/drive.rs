//! Flips memory bits during a lockstep run.

use super::{Flippable, FLIP_INPUTS};
use bloomline_bench::filter::{CellReference, CuckooReference, ModelReference, SlidingReference};
use bloomline_bench::lockstep::{Reference, Stimulus};
use bloomline_model::{CellBit, CuckooBit, MemoryBit};
use bloomline_spec::registers::address;
use bloomline_spec::{CuckooGeometry, SlidingGeometry};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rate of bit flips, and the bits that may flip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlipMix {
    /// Probability of a flip in a clock.
    pub rate: f64,
    /// Bits of a word that flip: those from `first` up to, not including, `end`.
    pub first: u32,
    /// See `first`.
    pub end: u32,
}

/// A stimulus whose reads of unused addresses go to the counters of memory errors, and which flips bits of memory besides.
pub struct Flipping<S> {
    stimulus: S,
    rng: ChaCha8Rng,
    mix: FlipMix,
    memories: u32,
    words: u32,
    read_address: usize,
    counters: Vec<u32>,
}

impl<S> Flipping<S> {
    /// Around `stimulus`, which drives the design without the inputs that flip; `counters` are the addresses of the low
    /// halves of PARITY_ERRORS, or of the counters of error correction.
    ///
    /// # Panics
    /// When the design is no filter: it has no port `s_axil_araddr`. When there is no counter.
    pub fn new(
        stimulus: S,
        flippable: &Flippable,
        mix: FlipMix,
        counters: &[u32],
        seed: u64,
    ) -> Self {
        let read_address = flippable.design.word_of("s_axil_araddr");
        Flipping {
            stimulus,
            rng: ChaCha8Rng::seed_from_u64(seed ^ 0x666c_6970),
            mix,
            memories: flippable.memories,
            words: flippable.words,
            read_address: read_address.expect("a filter has registers"),
            counters: counters.to_vec(),
        }
    }
}

impl<S> Flipping<S> {
    /// The counter that stands for an unused address.
    fn counter(&self, unused: u32) -> u32 {
        self.counters[unused as usize / 4 % self.counters.len()]
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
            unused @ 0x14..address::FILTER => self.counter(unused).into(),
            unused if unused >= self.counters[self.counters.len() - 1] + 8 => {
                (self.counter(unused) + 4).into()
            }
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

/// A bit to flip: index of the memory in the order of the design, word and bit.
#[derive(Debug, Clone, Copy)]
struct Flip {
    memory: u32,
    word: u32,
    bit: u32,
}

/// Function that flips a bit of a model's memory.
type FlipIn<R> = Box<dyn Fn(&mut R, Flip)>;

/// A model whose memory takes the same flips as the design.
pub struct Flipped<R> {
    /// The model, with memory.
    pub reference: R,
    flip: FlipIn<R>,
}

impl Flipped<ModelReference> {
    /// A recycling filter of so many phases. Memories are the halves of bank 0, then those of bank 1, ..
    pub fn recycling(reference: ModelReference, phases: u32) -> Self {
        let flip = move |reference: &mut ModelReference, flip: Flip| {
            reference.model.flip(MemoryBit {
                half: flip.memory % phases,
                bank: flip.memory / phases,
                word: flip.word,
                bit: flip.bit,
            });
        };
        Flipped {
            reference,
            flip: Box::new(flip),
        }
    }
}

impl Flipped<CellReference> {
    /// A filter of cells. Memories are the banks, in their order.
    pub fn cells(reference: CellReference) -> Self {
        let flip = |reference: &mut CellReference, flip: Flip| {
            reference.model.flip(MemoryBit {
                half: 0,
                bank: flip.memory,
                word: flip.word,
                bit: flip.bit,
            });
        };
        Flipped {
            reference,
            flip: Box::new(flip),
        }
    }
}

impl Flipped<SlidingReference> {
    /// A sliding-window filter of `geometry`. Memories are the lanes of the front table, then those of the back table.
    pub fn sliding(reference: SlidingReference, geometry: &SlidingGeometry) -> Self {
        let lanes = geometry.bucket_cells();
        let back_buckets = geometry.back_buckets() as u32;
        let flip = move |reference: &mut SlidingReference, flip: Flip| {
            let back = flip.memory >= lanes;
            reference.model.flip(CellBit {
                back,
                lane: flip.memory % lanes,
                // the back table has the low bits of the address
                bucket: if back {
                    flip.word % back_buckets
                } else {
                    flip.word
                },
                bit: flip.bit,
            });
        };
        Flipped {
            reference,
            flip: Box::new(flip),
        }
    }
}

impl Flipped<CuckooReference> {
    /// A sliding-window filter on cuckoo tables of `geometry`. Memories are the lanes of table 0, then those of table 1, ..
    pub fn cuckoo(reference: CuckooReference, geometry: &CuckooGeometry) -> Self {
        let lanes = geometry.row_cells();
        let flip = move |reference: &mut CuckooReference, flip: Flip| {
            reference.model.flip(CuckooBit {
                table: flip.memory / lanes,
                row: flip.word,
                lane: flip.memory % lanes,
                bit: flip.bit,
            });
        };
        Flipped {
            reference,
            flip: Box::new(flip),
        }
    }
}

impl<R: Reference> Reference for Flipped<R> {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        self.reference.outputs(outputs, care);
    }

    fn clock(&mut self, inputs: &[u64]) {
        let (inputs, flip) = inputs.split_at(inputs.len() - FLIP_INPUTS.len());
        if let Some(memory) = (flip[0] as u32).checked_sub(1) {
            let flip = Flip {
                memory,
                word: flip[1] as u32,
                bit: flip[2] as u32,
            };
            (self.flip)(&mut self.reference, flip);
        }
        self.reference.clock(inputs);
    }
}
