//! The registers of the packet path.

use crate::bus::{RegisterFile, RegisterNames, RegisterPlan};
use crate::prelude::*;
use bloomline_spec::registers::{address, field, RegisterBlock, ADDRESS_BITS};

/// What the names of the policies' registers begin with.
const POLICY: &str = "POLICY_";

/// Bits of NEXT_BLOCK, an input: the one register in which the lanes of a line card differ.
pub(crate) const NEXT_BLOCK_BITS: usize = ADDRESS_BITS as usize + 3;

block! {
    /// LEARN, MAX_FRAME, the policies and the counters over AXI4-Lite, at addresses within the block's 256 bytes; addresses above it have no register.
    ///
    /// Timing is that of the filter's registers with nothing pending. `docs/packet.md`, "Registers".
    /// `reset` is synchronous and active high.
    pub struct PathRegisters {
        about: About = About::new(
            "path_registers",
            "AXI4-Lite registers of the packet path. The register map is in registers.md.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("back to the specification's values; counters 0"),
        pub axil: Axil<Slave> = Axil::new(file_address + 1)
            .doc("awaddr", "above 0xFF there is no register")
            .named(""),
        pub learn: Wire<Out> = Wire::default().doc("register LEARN"),
        pub max_frame: Bus<Out> = Bus::new(plan.values[max_frame_register].width).doc("register MAX_FRAME"),
        pub policy: Vec<Bus<Out>> = policies
            .iter()
            .map(|place| &plan.values[*place])
            .map(|r| Bus::new(r.width).doc(format!("register {}", r.name)))
            .collect(),
        pub event: Vec<Wire<In>> = plan
            .counters
            .iter()
            .map(|c| Wire::default().doc(format!("event of counter {}", c.name)))
            .collect(),
        pub next_block: Bus<In> = Bus::new(NEXT_BLOCK_BITS).doc("register NEXT_BLOCK"),
        file: RegisterFile = RegisterFile::new(&plan),
        learn_register: usize = learn_register,
        max_frame_register: usize = max_frame_register,
        policies: Vec<usize> = policies,
        next_block_register: usize = next_block_register,
        nowhere: Const = Const::new(0xFC, file_address).doc("an address without a register"),
        counter_count: usize = plan.counters.len(),
        file_address: usize = file_address,
    }

    /// The registers of `block`.
    pub fn new(block: &RegisterBlock) {
        let plan = RegisterPlan::of_block(block, address::PATH_COUNTERS - address::PACKET_PATH)
            .with_live(
                address::PACKET_PATH_NEXT - address::PACKET_PATH,
                "NEXT_BLOCK",
                NEXT_BLOCK_BITS,
            )
            .with_kept(POLICY, field::POLICY_KEPT);
        let mut names = RegisterNames::new("packet path", &plan);
        let learn_register = names.value("LEARN");
        let max_frame_register = names.value("MAX_FRAME");
        let next_block_register = names.live("NEXT_BLOCK");
        let policies = names.group(POLICY);
        names.finish();
        let file_address = ADDRESS_BITS as usize;
    }
}

impl Logic for PathRegisters {
    #[hdl_gen]
    fn update(&mut self) {
        self.file.reset.next = self.reset.val();
        self.file.finished.next = true;
        self.axil.link_part(&mut self.file.axil, AXIL_UNADDRESSED);
        self.file.axil.awaddr.next = bits_to(self.axil.awaddr.val(), self.file_address);
        if self.axil.awaddr.val().get_bit(8) {
            self.file.axil.awaddr.next = self.nowhere.val();
        }
        self.file.axil.araddr.next = bits_to(self.axil.araddr.val(), self.file_address);
        if self.axil.araddr.val().get_bit(8) {
            self.file.axil.araddr.next = self.nowhere.val();
        }

        self.file.live[self.next_block_register].next = self.next_block.val();
        self.learn.next = self.file.value[self.learn_register].val().get_bit(0);
        self.max_frame.next = self.file.value[self.max_frame_register].val();
        for c in 0..self.policies.len() {
            self.policy[c].next = self.file.value[self.policies[c]].val();
        }
        for c in 0..self.counter_count {
            self.file.event[c].next = self.event[c].val();
        }
    }
}
