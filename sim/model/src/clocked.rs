//! Common part of the models of all pipelines.

use crate::{Inputs, Outputs};

/// A model of a pipeline, whatever the kind of filter: ports out, ports in.
pub trait ClockedModel {
    /// Values of the output ports in the present clock.
    fn outputs(&self) -> Outputs;
    /// `s_item_tready` in the present clock: as of [`ClockedModel::outputs`], without the rest.
    fn ready(&self) -> bool;
    /// Ends the present clock, in which the inputs had these values.
    fn clock(&mut self, inputs: &Inputs);
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

/// The observers of the model of a pipeline, whose events are of this type, and its [`ClockedModel`].
macro_rules! clocked {
    ($model:ty, $event:ty) => {
        impl $model {
            /// `s_item_tready` in the present clock.
            pub fn ready(&self) -> bool {
                self.admission.ready()
            }

            /// Whether items are taken in the present clock, as of [`Self::status`].
            pub fn running(&self) -> bool {
                self.sequencer.running()
            }

            /// The present clock: how many clocks have ended.
            pub fn now(&self) -> u64 {
                self.now
            }

            /// Starts to keep events; take them with [`Self::drain_events`] or they pile up.
            pub fn keep_events(&mut self) {
                self.events.get_or_insert_default();
            }

            /// The events since the last call, oldest first. The room they took is used again: in steady state nothing is
            /// allocated.
            pub fn drain_events(&mut self) -> impl Iterator<Item = $event> + '_ {
                self.events.iter_mut().flat_map(|events| events.drain(..))
            }
        }

        impl $crate::ClockedModel for $model {
            fn outputs(&self) -> $crate::Outputs {
                <$model>::outputs(self)
            }

            fn ready(&self) -> bool {
                <$model>::ready(self)
            }

            fn clock(&mut self, inputs: &$crate::Inputs) {
                <$model>::clock(self, inputs);
            }
        }
    };
}
pub(crate) use clocked;
