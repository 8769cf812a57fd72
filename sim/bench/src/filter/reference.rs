//! Cycle-accurate models as lockstep references.

use crate::lockstep::Reference;
use bloomline_model::{
    CardInputs, CardModel, CellPipelineModel, ClockedModel, CuckooPipelineModel, Inputs, Modelled,
    PipelineModel, SlidingPipelineModel,
};
use bloomline_spec::Common;

/// A model of a filter's pipeline, packed as the ports of its design.
#[derive(Debug, Clone)]
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
/// The model of a sliding-window filter on cuckoo tables.
pub type CuckooReference = PackedModel<CuckooPipelineModel>;

impl<M> PackedModel<M> {
    /// The model of `geometry` at power-up.
    pub fn new(geometry: &impl Modelled<Pipeline = M>) -> Self {
        Self::around(geometry.common(), geometry.pipeline())
    }

    /// The model of `geometry` at power-up, with its memory word for word: bits of it can be flipped.
    pub fn with_memory(geometry: &impl Modelled<Pipeline = M>) -> Self {
        Self::around(geometry.common(), geometry.pipeline_with_memory())
    }

    fn around(common: &Common, model: M) -> Self {
        Self {
            model,
            key_bits: common.key_bits(),
            verdict_bits: common.verdict_bits(),
            tag_bits: common.tag_bits(),
        }
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
