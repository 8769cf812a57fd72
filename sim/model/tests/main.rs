//! Every claim about the models, in one binary.

mod array;
mod cells_functional;
mod cells_pipeline;
mod common;
mod conservative;
mod cuckoo;
mod functional;
mod linecard;
mod packet_parse;
mod packet_path;
mod packet_tunnels;
mod pipeline;
mod probing;
mod registers;
mod secret_per_half;
mod shared_array;
mod sliding;
mod sliding_pipeline;
mod soft_errors;
mod spare_half;
mod truth;

#[path = "common/frames.rs"]
mod frames;
