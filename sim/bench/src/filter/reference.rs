//! The cycle-accurate models as lockstep references.

use crate::lockstep::Reference;
use bloomline_model::{CellPipelineModel, Inputs, Outputs, PipelineModel, SlidingPipelineModel};
use bloomline_spec::{CellGeometry, Common, Geometry, SlidingGeometry};

/// A model of a pipeline, whatever the kind of filter: ports out, ports in.
pub trait ClockedModel {
    /// Values of the output ports in the present clock.
    fn outputs(&self) -> Outputs;
    /// Ends the present clock, in which the inputs had these values.
    fn clock(&mut self, inputs: &Inputs);
}

impl ClockedModel for PipelineModel {
    fn outputs(&self) -> Outputs {
        PipelineModel::outputs(self)
    }

    fn clock(&mut self, inputs: &Inputs) {
        PipelineModel::clock(self, inputs);
    }
}

impl ClockedModel for CellPipelineModel {
    fn outputs(&self) -> Outputs {
        CellPipelineModel::outputs(self)
    }

    fn clock(&mut self, inputs: &Inputs) {
        CellPipelineModel::clock(self, inputs);
    }
}

impl ClockedModel for SlidingPipelineModel {
    fn outputs(&self) -> Outputs {
        SlidingPipelineModel::outputs(self)
    }

    fn clock(&mut self, inputs: &Inputs) {
        SlidingPipelineModel::clock(self, inputs);
    }
}

/// A model of a filter's pipeline, packed as the ports of its design.
pub struct PackedModel<M> {
    /// The model.
    pub model: M,
    key_bits: u32,
    verdict_bits: u32,
    tag_bits: u32,
}

/// The model of a recycling filter.
pub type ModelReference = PackedModel<PipelineModel>;
/// The model of a filter of cells.
pub type CellReference = PackedModel<CellPipelineModel>;
/// The model of a sliding-window filter.
pub type SlidingReference = PackedModel<SlidingPipelineModel>;

impl<M> PackedModel<M> {
    fn around(common: &Common, model: M) -> Self {
        Self {
            model,
            key_bits: common.key_bits(),
            verdict_bits: common.verdict_bits(),
            tag_bits: common.tag_bits(),
        }
    }
}

impl ModelReference {
    /// The model of `geometry` at power-up.
    pub fn new(geometry: &Geometry) -> Self {
        Self::around(geometry, PipelineModel::new(geometry))
    }
}

impl CellReference {
    /// The model of `geometry` at power-up.
    pub fn new(geometry: &CellGeometry) -> Self {
        Self::around(geometry, CellPipelineModel::new(geometry))
    }
}

impl SlidingReference {
    /// The model of `geometry` at power-up.
    pub fn new(geometry: &SlidingGeometry) -> Self {
        Self::around(geometry, SlidingPipelineModel::new(geometry))
    }
}

impl<M: ClockedModel> Reference for PackedModel<M> {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        self.model
            .outputs()
            .pack(self.verdict_bits, self.tag_bits, outputs, care);
    }

    fn clock(&mut self, inputs: &[u64]) {
        self.model.clock(&Inputs::unpack(inputs, self.key_bits));
    }
}
