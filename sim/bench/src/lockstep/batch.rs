//! Batches of clocks: what a reference predicts and a stimulus drives, without a device.

use super::{DeviceError, Reference, Stimulus};

/// The clock of a batch in which a device failed.
#[derive(Debug)]
pub struct Failed {
    /// The clock, from the batch's first.
    pub clock: usize,
    /// What the device said.
    pub source: DeviceError,
}

/// Inputs and predicted outputs of some clocks, one clock after the other. Its room is used again.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub inputs: Vec<u64>,
    pub expected: Vec<u64>,
    pub care: Vec<u64>,
    /// Clocks in it.
    pub clocks: usize,
    /// The stimulus ended behind them.
    pub ended: bool,
    /// [`Reference::progress`] behind them.
    pub progress: u64,
}

/// Words of the buffers of one clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words {
    pub inputs: usize,
    pub outputs: usize,
}

impl Batch {
    /// The next clocks of a run, `most` at most.
    pub fn fill(
        &mut self,
        words: Words,
        most: usize,
        reference: &mut impl Reference,
        stimulus: &mut impl Stimulus,
    ) {
        self.silence(words, most);
        self.ended = false;
        while self.clocks < most {
            let (from, at) = (self.clocks * words.outputs, self.clocks * words.inputs);
            let expected = &mut self.expected[from..][..words.outputs];
            reference.outputs(expected, &mut self.care[from..][..words.outputs]);
            let inputs = &mut self.inputs[at..][..words.inputs];
            if !stimulus.next(expected, inputs) {
                self.ended = true;
                break;
            }
            reference.clock(inputs);
            self.clocks += 1;
        }
        self.progress = reference.progress();
    }

    /// Clocks of a lane whose run has ended: all inputs low, nothing compared.
    pub fn silence(&mut self, words: Words, clocks: usize) {
        for (buffer, words) in [
            (&mut self.inputs, words.inputs),
            (&mut self.expected, words.outputs),
            (&mut self.care, words.outputs),
        ] {
            buffer.clear();
            buffer.resize(clocks * words, 0);
        }
        self.clocks = 0;
    }

    /// The first of its clocks, and before clock `end`, in which the outputs `got` differ from the predicted ones.
    pub fn first_difference(&self, got: &[u64], words: Words, end: usize) -> Option<usize> {
        let length = end * words.outputs;
        let all = self.expected[..length]
            .iter()
            .zip(&got[..length])
            .zip(&self.care[..length]);
        // Nearly always there is none: whole batches are looked at before single words.
        if all.clone().fold(0, |sum, ((e, g), c)| sum | ((e ^ g) & c)) == 0 {
            return None;
        }
        let mut all = all;
        all.position(|((e, g), c)| (e ^ g) & c != 0)
            .map(|word| word / words.outputs)
    }
}
