//! Flipping bits of a filter of cells in lockstep.

use super::FLIP_INPUTS;
use crate::filter::CellReference;
use crate::lockstep::Reference;
use bloomline_model::MemoryBit;

/// The model of a filter of cells, whose memory takes the flips that the design takes. Memories are the banks, in their order.
pub struct FlippedCells {
    /// The model, with memory.
    pub reference: CellReference,
}

impl Reference for FlippedCells {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        self.reference.outputs(outputs, care);
    }

    fn clock(&mut self, inputs: &[u64]) {
        let (inputs, flip) = inputs.split_at(inputs.len() - FLIP_INPUTS.len());
        if let Some(bank) = (flip[0] as u32).checked_sub(1) {
            self.reference.model.flip(MemoryBit {
                half: 0,
                bank,
                word: flip[1] as u32,
                bit: flip[2] as u32,
            });
        }
        self.reference.clock(inputs);
    }
}
