//! Interface of the models of every kind of filter, and the dispatch between kinds.

mod cells;
mod cuckoo;
mod recycling;
mod sliding;

use crate::ClockedModel;
use bloomline_spec::{by_kind, CellOperation, Common, Design, Key};
use std::fmt;

/// A geometry whose pipeline is modelled clock by clock.
pub trait Modelled {
    /// The model.
    type Pipeline: ClockedModel + Send + 'static;

    /// What every kind has.
    fn common(&self) -> &Common;

    /// The pipeline at power-up.
    fn pipeline(&self) -> Self::Pipeline;

    /// The pipeline at power-up, with its memory word for word: bits of it can be flipped.
    fn pipeline_with_memory(&self) -> Self::Pipeline;

    /// The functional model, empty.
    fn functional(&self) -> Box<dyn FilterModel>;
}

/// The functional model of a filter of any kind: one item at a time, with no notion of time.
pub trait FilterModel: fmt::Debug + Send {
    /// Does what an item asks for, with its `amount` where items have one; gives its verdict as the bits of the verdict stream, whether
    /// or not the operation has a verdict beat.
    fn item(&mut self, key: &Key, operation: CellOperation, amount: u32) -> u64;

    /// Empties the filter.
    fn clear(&mut self);

    /// A copy.
    fn boxed(&self) -> Box<dyn FilterModel>;
}

/// The models of a geometry: those of these types.
macro_rules! modelled {
    ($geometry:ty, $pipeline:ty, $functional:ty) => {
        impl $crate::kinds::Modelled for $geometry {
            type Pipeline = $pipeline;

            fn common(&self) -> &bloomline_spec::Common {
                self
            }

            fn pipeline(&self) -> $pipeline {
                <$pipeline>::new(self)
            }

            fn pipeline_with_memory(&self) -> $pipeline {
                <$pipeline>::with_memory(self)
            }

            fn functional(&self) -> Box<dyn $crate::kinds::FilterModel> {
                Box::new(<$functional>::new(self))
            }
        }
    };
}
use modelled;

/// A filter whose items have no amounts, with the bits of an outcome's verdict.
macro_rules! without_amounts {
    ($filter:ty, $outcome:ident => $bits:expr) => {
        impl $crate::kinds::FilterModel for $filter {
            fn item(&mut self, key: &Key, operation: CellOperation, _amount: u32) -> u64 {
                let $outcome = self.apply(key, Operation::from_code(operation.code()));
                $bits.into()
            }

            fn clear(&mut self) {
                <$filter>::clear(self);
            }

            fn boxed(&self) -> Box<dyn $crate::kinds::FilterModel> {
                Box::new(self.clone())
            }
        }
    };
}
use without_amounts;

/// The functional model of a design, empty.
pub fn functional_model(design: &Design) -> Box<dyn FilterModel> {
    by_kind!(design, geometry => geometry.functional())
}

/// The model of a design's pipeline at power-up.
pub fn pipeline_model(design: &Design) -> Box<dyn ClockedModel + Send> {
    by_kind!(design, geometry => Box::new(geometry.pipeline()))
}
