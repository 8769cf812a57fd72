//! The reference: functional model of each filter and cycle-accurate model of each pipeline.
