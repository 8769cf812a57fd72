use crate::{
    CellPipelineModel, CuckooPipelineModel, Inputs, Outputs, PipelineModel, SlidingPipelineModel,
};

/// A model of a pipeline, whatever the kind of filter: ports out, ports in.
pub trait ClockedModel {
    /// Values of the output ports in the present clock.
    fn outputs(&self) -> Outputs;
    /// `s_item_tready` in the present clock: as of [`ClockedModel::outputs`], without the rest.
    fn ready(&self) -> bool;
    /// Ends the present clock, in which the inputs had these values.
    fn clock(&mut self, inputs: &Inputs);
}

impl ClockedModel for PipelineModel {
    fn outputs(&self) -> Outputs {
        PipelineModel::outputs(self)
    }

    fn ready(&self) -> bool {
        PipelineModel::ready(self)
    }

    fn clock(&mut self, inputs: &Inputs) {
        PipelineModel::clock(self, inputs);
    }
}

impl ClockedModel for CellPipelineModel {
    fn outputs(&self) -> Outputs {
        CellPipelineModel::outputs(self)
    }

    fn ready(&self) -> bool {
        CellPipelineModel::ready(self)
    }

    fn clock(&mut self, inputs: &Inputs) {
        CellPipelineModel::clock(self, inputs);
    }
}

impl ClockedModel for SlidingPipelineModel {
    fn outputs(&self) -> Outputs {
        SlidingPipelineModel::outputs(self)
    }

    fn ready(&self) -> bool {
        SlidingPipelineModel::ready(self)
    }

    fn clock(&mut self, inputs: &Inputs) {
        SlidingPipelineModel::clock(self, inputs);
    }
}

impl ClockedModel for CuckooPipelineModel {
    fn outputs(&self) -> Outputs {
        CuckooPipelineModel::outputs(self)
    }

    fn ready(&self) -> bool {
        CuckooPipelineModel::ready(self)
    }

    fn clock(&mut self, inputs: &Inputs) {
        CuckooPipelineModel::clock(self, inputs);
    }
}

impl<M: ClockedModel + ?Sized> ClockedModel for Box<M> {
    fn outputs(&self) -> Outputs {
        (**self).outputs()
    }

    fn ready(&self) -> bool {
        (**self).ready()
    }

    fn clock(&mut self, inputs: &Inputs) {
        (**self).clock(inputs);
    }
}
