use crate::{
    CellPipelineModel, CuckooPipelineModel, Inputs, Outputs, PipelineModel, SlidingPipelineModel,
};

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

impl ClockedModel for CuckooPipelineModel {
    fn outputs(&self) -> Outputs {
        CuckooPipelineModel::outputs(self)
    }

    fn clock(&mut self, inputs: &Inputs) {
        CuckooPipelineModel::clock(self, inputs);
    }
}

impl<M: ClockedModel + ?Sized> ClockedModel for Box<M> {
    fn outputs(&self) -> Outputs {
        (**self).outputs()
    }

    fn clock(&mut self, inputs: &Inputs) {
        (**self).clock(inputs);
    }
}
