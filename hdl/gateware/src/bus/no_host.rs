//! A bus that nobody is at.

use crate::interface::AXIL_ASKED;
use crate::prelude::*;
use bloomline_spec::registers::ADDRESS_BITS;

block! {
    /// The host of a filter without AXI4-Lite: it asks for nothing. Registers behind it keep their values of reset, and synthesis leaves constants of them.
    pub struct NoHost {
        about: About = About::new("no_host", "A bus that nobody is at: no request ever."),
        pub axil: Axil<Master> = Axil::new(address).only(AXIL_ASKED).named(""),
        no_address: Const = Const::new(0, address),
        no_data: Const = Const::new(0, 32),
        no_strobes: Const = Const::new(0, 4),
    }

    fn default() {
        let address = ADDRESS_BITS as usize;
    }
}

impl Logic for NoHost {
    #[hdl_gen]
    fn update(&mut self) {
        self.axil.awvalid.next = false;
        self.axil.awaddr.next = self.no_address.val();
        self.axil.wvalid.next = false;
        self.axil.wdata.next = self.no_data.val();
        self.axil.wstrb.next = self.no_strobes.val();
        self.axil.bready.next = false;
        self.axil.arvalid.next = false;
        self.axil.araddr.next = self.no_address.val();
        self.axil.rready.next = false;
    }
}
