//! What the test of the register map needs: the filter behind AXI4-Lite, and readers of the generated documents.

pub mod documents;
pub mod link;
