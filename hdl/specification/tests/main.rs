//! Every claim about the specification, in one binary.

mod card;
mod cells;
mod common;
mod cuckoo;
mod erase;
mod errors;
mod features;
mod geometry;
mod in_place;
mod keys;
mod linecard;
mod packet;
mod registers;
mod shared_array;
mod sliding;
mod spare_half;
