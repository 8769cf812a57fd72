//! The cycle-accurate models as lockstep references.

use crate::lockstep::Reference;
use bloomline_model::{
    CardInputs, CardModel, CellPipelineModel, ClockedModel, Inputs, PipelineModel,
    SlidingPipelineModel,
};
use bloomline_spec::{CellGeometry, Common, Geometry, SlidingGeometry};

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

    /// The same with its memory word for word, of which bits can be flipped.
    pub fn with_memory(geometry: &Geometry) -> Self {
        Self::around(geometry, PipelineModel::with_memory(geometry))
    }
}

impl CellReference {
    /// The model of `geometry` at power-up.
    pub fn new(geometry: &CellGeometry) -> Self {
        Self::around(geometry, CellPipelineModel::new(geometry))
    }

    /// The same with its memory word for word, of which bits can be flipped.
    pub fn with_memory(geometry: &CellGeometry) -> Self {
        Self::around(geometry, CellPipelineModel::with_memory(geometry))
    }
}

impl SlidingReference {
    /// The model of `geometry` at power-up.
    pub fn new(geometry: &SlidingGeometry) -> Self {
        Self::around(geometry, SlidingPipelineModel::new(geometry))
    }

    /// The same with its memory cell by cell, of which bits can be flipped.
    pub fn with_memory(geometry: &SlidingGeometry) -> Self {
        Self::around(geometry, SlidingPipelineModel::with_memory(geometry))
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

/// The model of a card, packed as the ports of its design.
pub struct CardReference<M> {
    /// The model.
    pub model: CardModel<M>,
    common: Common,
}

impl<M: ClockedModel> CardReference<M> {
    /// `model`, the card of `common`, at power-up.
    pub fn new(common: &Common, model: CardModel<M>) -> Self {
        Self {
            model,
            common: common.clone(),
        }
    }
}

impl<M: ClockedModel> Reference for CardReference<M> {
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]) {
        self.model.outputs().pack(&self.common, outputs, care);
    }

    fn clock(&mut self, inputs: &[u64]) {
        self.model.clock(&CardInputs::unpack(inputs, &self.common));
    }
}
