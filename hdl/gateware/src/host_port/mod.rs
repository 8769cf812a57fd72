//! The host port: frames to the card itself, taken out of a stream, and the registers behind them. Depends on `wires`, the mailbox of `card`, and the memory of
//! `packet`. `docs/host-port.md` is the contract.

mod access;
mod answer;
mod bus_arbiter;
mod divert;
mod head;
mod port;
mod reader;
mod reply_merge;
mod request_handler;
mod request_tag;

pub use access::HostAccess;
pub use answer::HostAnswer;
pub use bus_arbiter::BusArbiter;
pub use divert::HostDivert;
pub use head::HostHead;
pub use port::HostPort;
pub use reader::HostReader;
pub use reply_merge::ReplyMerge;
pub use request_handler::RequestHandler;
pub use request_tag::RequestTag;

use crate::emit::{self, EmitError, Emitted, Options};
use bloomline_spec::host_port::{HostAddress, HostAuth};
use rust_hdl::prelude::Block;

/// The Verilog of the host port of `address`, for whom `auth` says, to registers at byte addresses of `bits` bits: top module `host_port`. Every module starts with `header` as a comment.
///
/// # Errors
/// As [`crate::filter_verilog`].
pub fn host_port_verilog(
    address: &HostAddress,
    auth: HostAuth,
    bits: u32,
    header: &str,
) -> Result<Emitted, EmitError> {
    print(
        HostPort::new(address, auth, bits as usize),
        "host_port",
        header,
    )
}

/// The Verilog of the arbiter between two hosts of a bus with byte addresses of `bits` bits: top module `bus_arbiter`. Every module starts with `header` as a comment.
///
/// # Errors
/// As [`crate::filter_verilog`].
pub fn bus_arbiter_verilog(bits: u32, header: &str) -> Result<Emitted, EmitError> {
    print(BusArbiter::new(bits as usize), "bus_arbiter", header)
}

fn print(mut top: impl Block, name: &str, header: &str) -> Result<Emitted, EmitError> {
    top.connect_all();
    let header = header.into();
    emit::verilog(&top, name, &Options { header })
}
