//! Support of the register map's test: the filter behind AXI4-Lite, and readers of the generated documents.

pub mod documents;
pub mod link;
