//! The cycle-accurate model as a lockstep reference.

use crate::lockstep::Reference;
use bloomline_model::{Inputs, PipelineModel};
use bloomline_spec::Geometry;

/// The model of a filter's pipeline, packed as the ports of its design.
pub struct ModelReference {
    /// The model.
    pub model: PipelineModel,
    key_bits: u32,
    tag_bits: u32,
}

impl ModelReference {
    /// The model of `geometry` at power-up.
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            model: PipelineModel::new(geometry),
            key_bits: geometry.key_bits(),
            tag_bits: geometry.tag_bits(),
        }
    }
}

impl Reference for ModelReference {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        self.model.outputs().pack(self.tag_bits, outputs, care);
    }

    fn clock(&mut self, inputs: &[u64]) {
        self.model.clock(&Inputs::unpack(inputs, self.key_bits));
    }
}
