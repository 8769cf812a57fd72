//! The blocks, each by itself in rust-hdl's simulation. One binary: one link makes all of its tests.

mod card;
mod cell_bank;
mod checks;
mod memories;
mod positions;
mod register_names;
mod scale;
mod siphash;
mod wires;
mod xor_matrix;
