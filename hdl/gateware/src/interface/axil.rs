//! AXI4-Lite interface.

use crate::wires::{Members, Side, Slave, UInt};
use bloomline_language::bundle;

bundle! {
    /// AXI4-Lite with 32 data bits, without protection bits.
    ///
    /// Source: AMBA AXI and ACE protocol specification, chapter B1.
    Axil {
        ahead awvalid: bool,
        back awready: bool,
        ahead awaddr: UInt,
        ahead wvalid: bool,
        back wready: bool,
        ahead wdata: UInt,
        ahead wstrb: UInt,
        back bvalid: bool,
        ahead bready: bool,
        back bresp: UInt,
        ahead arvalid: bool,
        back arready: bool,
        ahead araddr: UInt,
        back rvalid: bool,
        ahead rready: bool,
        back rdata: UInt,
        back rresp: UInt,
    }
}

/// What a slave tells every master alike.
pub const AXIL_ANSWER: Members = Axil::<Slave>::part(&["bresp", "rdata", "rresp"]);
/// What an arbiter leaves to the master: that responses are taken, which its slaves share.
pub const AXIL_ARBITRATED: Members = Members::ALL.but(AXIL_SHARED);
/// What a master says.
pub const AXIL_ASKED: Members = Axil::<Slave>::part(&[
    "awvalid", "awaddr", "wvalid", "wdata", "wstrb", "bready", "arvalid", "araddr", "rready",
]);
/// All but the addresses.
pub const AXIL_UNADDRESSED: Members = Members::ALL.but(Axil::<Slave>::part(&["awaddr", "araddr"]));
/// What a split leaves to the master: data, and that responses are taken.
pub const AXIL_SHARED: Members = Axil::<Slave>::part(&["wdata", "wstrb", "bready", "rready"]);

impl<S: Side> Axil<S> {
    /// For byte addresses of `address_bits`.
    pub fn new(address_bits: usize) -> Self {
        Self::of_widths(|member| {
            Some(match member {
                "awaddr" | "araddr" => address_bits,
                "wdata" | "rdata" => 32,
                "wstrb" => 4,
                "bresp" | "rresp" => 2,
                _ => 1,
            })
        })
    }

    /// The interface, left out unless a host can reach it.
    pub fn reached(self, reached: bool) -> Self {
        match reached {
            true => self,
            false => self.without(Members::ALL),
        }
    }

    /// The interface as a port of a design, documented.
    pub fn port(address_bits: usize) -> Self {
        Self::new(address_bits)
            .doc("awvalid", "registers, AXI4-Lite")
            .doc("awaddr", "byte address")
            .doc("araddr", "byte address")
    }
}
