//! The command, run as a user runs it. One binary: its tests share the cores.

mod answer_times;
mod bad_input;
mod build;
mod campaign;
mod card;
mod cells;
mod common;
mod cuckoo;
mod device;
mod device_arrays;
mod emit;
mod figures;
mod help;
mod hostile_http;
mod kit;
mod lanes;
mod line_card;
mod mistakes;
mod pages;
mod plan;
mod program;
mod prove;
mod reach;
mod recorded_traffic;
mod schemes;
mod serve;
mod serve_support;
mod shared_array;
mod size;
mod sliding;
mod start;
mod verify;
mod walk;

// specifications of any kind at sizes that are built
#[path = "../../../tests/src/drawn_spec.rs"]
mod drawn_spec;
#[path = "../../driver/tests/common/mod.rs"]
mod fake;
#[path = "../../driver/tests/common/litex.rs"]
mod litex;
#[path = "../../driver/tests/model/mod.rs"]
mod model;
