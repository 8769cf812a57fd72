//! The registers of the item port.

use crate::prelude::*;
use bloomline_spec::registers::{
    address, Access, RegisterBlock, ADDRESS_BITS, RESPONSE_DECERR, RESPONSE_SLVERR,
};

/// Bits of a register.
const REGISTER_BITS: usize = 32;

block! {
    /// AXI4-Lite registers of the item port: constants, what it drives, the operation and the words of the key.
    ///
    /// Addresses are those within the block's 256 bytes. Operation and key refuse writes while an item is not done. Timing is that of the filter's registers
    /// with nothing pending; rules: `docs/card.md`, "Register map".
    /// `reset` is synchronous and active high.
    pub struct ItemRegisters {
        about: About = About::new(
            "item_registers",
            "AXI4-Lite registers of the item port. The register map is in registers.md.\nOperation and key refuse writes while an item is not done.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("all 0"),
        pub axil: Axil<Slave> = Axil::new(ADDRESS_BITS as usize).named(""),
        pub busy: Wire<In> = Wire::default().doc("an item is not done"),
        pub live: Vec<Bus<In>> = live.iter().map(|r| Bus::new(r.width as usize).doc(format!("register {}", r.name))).collect(),
        pub operation: Bus<Out> = Bus::new(operation_bits).doc("register ITEM_OPERATION"),
        pub key: WideBus<Out> = WideBus::new(key_bits).doc("registers ITEM_KEY"),
        pub offered: Wire<Out> = Wire::default().doc("the highest word of the key is being written"),
        operation_r: Reg = Reg::new(operation_bits),
        key_r: WideReg = WideReg::new(key_bits),
        // write
        seen: Flag = Flag::default().doc("a write is judged"),
        taking: Flag = Flag::default().doc("it is taken"),
        known: Flag = Flag::default().doc("there is a register at its address"),
        unfit: Flag = Flag::default().doc("it is no legal one"),
        bvalid_r: Flag,
        bresp_r: Reg = Reg::new(2),
        write_word: Bus<Local> = Bus::new(word),
        to_operation: Wire<Local>,
        to_operation_r: Flag,
        to_key: Bus<Local> = Bus::new(keys.len()),
        to_key_r: Reg = Reg::new(keys.len()),
        mapped: Wire<Local>,
        mapped_r: Flag,
        read_only: Wire<Local>,
        unwritable_r: Flag = Flag::default().doc("read only, or in part"),
        operation_wide: Flag = Flag::default().doc("the data are wider than ITEM_OPERATION"),
        last_wide: Flag = Flag::default().doc("wider than the highest word of the key"),
        too_wide: Wire<Local>,
        refused: Wire<Local>,
        acts: Wire<Local>,
        written: WideBus<Local> = WideBus::new(key_bits),
        // read
        reading: Flag,
        sampling: Flag,
        merging: Flag,
        read_word: Bus<Local> = Bus::new(word),
        fixed_hit: Vec<Flag> = flags(fixed.len()),
        live_hit: Vec<Flag> = flags(live.len()),
        live_word: Vec<Slice> = live.iter().map(|r| Slice::new(r.width as usize, 0, REGISTER_BITS)).collect(),
        operation_hit: Flag,
        key_hit: Vec<Flag> = flags(keys.len()),
        key_word: Vec<WideSlice> = (0..keys.len()).map(|i| WideSlice::new(key_bits, REGISTER_BITS * i, REGISTER_BITS)).collect(),
        sample: Bus<Local> = Bus::new(REGISTER_BITS),
        sample_r: Reg = Reg::new(REGISTER_BITS),
        found: Wire<Local>,
        found_r: Flag,
        rvalid_r: Flag,
        rdata_r: Reg = Reg::new(REGISTER_BITS),
        rresp_r: Reg = Reg::new(2),
        fixed_address: Vec<Const> = fixed.iter().map(|r| at(r.offset)).collect(),
        fixed_value: Vec<Const> = fixed.iter().map(|r| number(r.reset.unwrap_or(0))).collect(),
        live_address: Vec<Const> = live.iter().map(|r| at(r.offset)).collect(),
        operation_address: Const = at(address::ITEM_OPERATION),
        key_address: Vec<Const> = keys.iter().map(|r| at(r.offset)).collect(),
        key_keep: Vec<WideConst> = (0..keys.len()).map(|i| WideConst::from_value(place(i)).doc("the other words")).collect(),
        key_from: Vec<usize> = (0..keys.len()).map(|i| REGISTER_BITS * i).collect(),
        operation_width: Const = Const::new(operation_bits as u128, 6),
        last_width: Const = Const::new((key_bits - REGISTER_BITS * last) as u128, 6),
        no_operation: Const = Const::new(0, operation_bits),
        no_key: WideConst = WideConst::from_value(Wide::zero(key_bits)),
        no_word: Const = Const::new(0, keys.len()),
        okay: Const = response(0),
        slave_error: Const = response(RESPONSE_SLVERR),
        decode_error: Const = response(RESPONSE_DECERR),
        zero: Const = number(0),
        operation_bits: usize = operation_bits,
        key_bits: usize = key_bits,
        fixed: usize = fixed.len(),
        live_count: usize = live.len(),
        words: usize = keys.len(),
        last: usize = last,
    }

    /// The registers of `block` for keys of `key_bits` bits.
    pub fn new(block: &RegisterBlock, key_bits: usize) {
        let word = ADDRESS_BITS as usize - 2;
        let at = |byte: u32| Const::new(u128::from((byte - block.offset) / 4), word);
        let response = |value: u32| Const::new(value.into(), 2);
        let number = |value: u32| Const::new(value.into(), REGISTER_BITS);
        let flags = |n: usize| (0..n).map(|_| Flag::default()).collect::<Vec<_>>();
        let of = |access| block.registers.iter().filter(move |r| r.access == access);
        let fixed = of(Access::Constant).collect::<Vec<_>>();
        let live = of(Access::ReadOnly).collect::<Vec<_>>();
        let (operations, keys): (Vec<_>, Vec<_>) =
            of(Access::ReadWrite).partition(|r| r.offset < address::ITEM_KEY);
        let operation_bits = operations.iter().map(|r| r.width as usize).sum();
        let last = keys.len() - 1;
        let place = |i: usize| {
            let ones = Wide::from_words(&[u64::MAX; 16], key_bits);
            !(ones
                & (Wide::new(u32::MAX.into(), Wide::MOST_BITS) << (REGISTER_BITS * i))
                    .resized(key_bits))
        };
    }
}

impl Logic for ItemRegisters {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("write: decoded while the address waits to be taken; AXI holds it until then");
        self.seen.d.next = self.axil.awvalid.val()
            && self.axil.wvalid.val()
            && !self.seen.q.val()
            && !self.taking.q.val()
            && !self.bvalid_r.q.val()
            && !self.reset.val();
        self.taking.d.next = self.seen.q.val() && !self.reset.val();
        self.axil.awready.next = self.taking.q.val();
        self.axil.wready.next = self.taking.q.val();
        self.write_word.next = bits_to(self.axil.awaddr.val() >> 2, 6);
        self.to_operation.next = self.write_word.val() == self.operation_address.val();
        self.to_key.next = self.no_word.val();
        self.mapped.next = self.to_operation.val();
        self.read_only.next = !self.to_operation.val();
        for i in 0..self.words {
            if self.write_word.val() == self.key_address[i].val() {
                self.to_key.set_bit(i, true);
                self.mapped.next = true;
                self.read_only.next = false;
            }
        }
        for i in 0..self.fixed {
            if self.write_word.val() == self.fixed_address[i].val() {
                self.mapped.next = true;
            }
        }
        for i in 0..self.live_count {
            if self.write_word.val() == self.live_address[i].val() {
                self.mapped.next = true;
            }
        }
        self.to_operation_r.d.next = self.to_operation.val();
        self.to_key_r.d.next = self.to_key.val();
        self.mapped_r.d.next = self.mapped.val();
        self.unwritable_r.d.next = self.read_only.val() || !self.axil.wstrb.val().all();
        self.operation_wide.d.next = (self.axil.wdata.val() >> self.operation_width.val()).any();
        self.last_wide.d.next = (self.axil.wdata.val() >> self.last_width.val()).any();
        self.too_wide.next = self.to_operation_r.q.val() && self.operation_wide.q.val();
        for i in self.last..self.words {
            self.too_wide.next =
                self.too_wide.val() || (self.to_key_r.q.val().get_bit(i) && self.last_wide.q.val());
        }
        comment!("judged in the clock behind");
        self.known.d.next = self.mapped_r.q.val();
        self.unfit.d.next = self.unwritable_r.q.val() || self.too_wide.val();
        self.refused.next = self.unfit.q.val() || self.busy.val();
        self.bvalid_r.d.next =
            self.taking.q.val() || (self.bvalid_r.q.val() && !self.axil.bready.val());
        self.bresp_r.d.next = self.bresp_r.q.val();
        if self.taking.q.val() {
            self.bresp_r.d.next = self.okay.val();
            if !self.known.q.val() {
                self.bresp_r.d.next = self.decode_error.val();
            } else if self.refused.val() {
                self.bresp_r.d.next = self.slave_error.val();
            }
        }
        self.axil.bvalid.next = self.bvalid_r.q.val();
        self.axil.bresp.next = self.bresp_r.q.val();
        self.acts.next = self.taking.q.val() && !self.refused.val();
        self.operation_r.d.next = self.operation_r.q.val();
        if self.acts.val() && self.to_operation_r.q.val() {
            self.operation_r.d.next = bits_to(self.axil.wdata.val(), self.operation_bits);
        }
        self.operation.next = self.operation_r.q.val();
        self.written.next = bits_wide(self.axil.wdata.val(), self.key_bits);
        self.key_r.d.next = self.key_r.q.val();
        self.offered.next = false;
        for i in 0..self.words {
            if self.acts.val() && self.to_key_r.q.val().get_bit(i) {
                self.key_r.d.next = (self.key_r.q.val() & self.key_keep[i].val())
                    | (self.written.val() << self.key_from[i]);
            }
        }
        for i in self.last..self.words {
            self.offered.next = self.acts.val() && self.to_key_r.q.val().get_bit(i);
        }
        self.key.next = self.key_r.q.val();

        comment!("read: address taken, registers sampled, answer");
        self.reading.d.next = self.axil.arvalid.val()
            && !self.reading.q.val()
            && !self.sampling.q.val()
            && !self.merging.q.val()
            && !self.rvalid_r.q.val()
            && !self.reset.val();
        self.sampling.d.next = self.reading.q.val() && !self.reset.val();
        self.merging.d.next = self.sampling.q.val() && !self.reset.val();
        self.axil.arready.next = self.reading.q.val();
        self.read_word.next = bits_to(self.axil.araddr.val() >> 2, 6);
        self.sample.next = self.zero.val();
        self.found.next = false;
        for i in 0..self.fixed {
            self.fixed_hit[i].d.next = self.read_word.val() == self.fixed_address[i].val();
            if self.fixed_hit[i].q.val() {
                self.sample.next = self.sample.val() | self.fixed_value[i].val();
                self.found.next = true;
            }
        }
        for i in 0..self.live_count {
            self.live_hit[i].d.next = self.read_word.val() == self.live_address[i].val();
            self.live_word[i].input.next = self.live[i].val();
            if self.live_hit[i].q.val() {
                self.sample.next = self.sample.val() | self.live_word[i].output.val();
                self.found.next = true;
            }
        }
        self.operation_hit.d.next = self.read_word.val() == self.operation_address.val();
        if self.operation_hit.q.val() {
            self.sample.next = self.sample.val() | bits_to(self.operation_r.q.val(), 32);
            self.found.next = true;
        }
        for i in 0..self.words {
            self.key_hit[i].d.next = self.read_word.val() == self.key_address[i].val();
            self.key_word[i].input.next = self.key_r.q.val();
            if self.key_hit[i].q.val() {
                self.sample.next = self.sample.val() | self.key_word[i].output.val();
                self.found.next = true;
            }
        }
        self.sample_r.d.next = self.sample.val();
        self.found_r.d.next = self.found.val();
        self.rvalid_r.d.next =
            self.merging.q.val() || (self.rvalid_r.q.val() && !self.axil.rready.val());
        self.rdata_r.d.next = self.rdata_r.q.val();
        self.rresp_r.d.next = self.rresp_r.q.val();
        if self.merging.q.val() {
            self.rdata_r.d.next = self.sample_r.q.val();
            self.rresp_r.d.next = self.okay.val();
            if !self.found_r.q.val() {
                self.rresp_r.d.next = self.decode_error.val();
            }
        }
        self.axil.rvalid.next = self.rvalid_r.q.val();
        self.axil.rdata.next = self.rdata_r.q.val();
        self.axil.rresp.next = self.rresp_r.q.val();

        if self.reset.val() {
            self.operation_r.d.next = self.no_operation.val();
            self.key_r.d.next = self.no_key.val();
            self.bvalid_r.d.next = false;
            self.rvalid_r.d.next = false;
        }
    }
}
