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

    /// The same with its memory word for word, of which bits can be flipped.
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

/// The functional model of a design, empty.
pub fn functional_model(design: &Design) -> Box<dyn FilterModel> {
    by_kind!(design, geometry => geometry.functional())
}

/// The model of a design's pipeline at power-up.
pub fn pipeline_model(design: &Design) -> Box<dyn ClockedModel + Send> {
    by_kind!(design, geometry => Box::new(geometry.pipeline()))
}
