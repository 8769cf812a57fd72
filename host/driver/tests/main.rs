//! Every claim about the driver, in one binary.

mod codecs;
mod common;
mod design_files;
mod device;
mod faults;
mod features;
mod halves;
mod interop;
mod items;
mod kinds;
mod lanes;
mod model;
mod opening;
mod proxy;
mod snapshots;
mod transports;
mod two_hosts;
mod watch;

#[path = "common/litex.rs"]
mod litex;
