//! The AXI4-Lite registers.

use crate::prelude::*;
use bloomline_spec::registers::{
    address, Access, Counter, ADDRESS_BITS, RESPONSE_DECERR, RESPONSE_SLVERR,
};
use bloomline_spec::{Geometry, RegisterMap};

/// 64-bit counters behind the registers.
pub const COUNTERS: usize = Counter::ALL.len();

/// Registers whose value comes from the filter, in the order of [`RegisterFile::live`].
const LIVE: [u32; 6] = [
    address::STATUS,
    address::THRESHOLD,
    address::MAX_AGE,
    address::BITS_ACTIVE,
    address::BITS_FROZEN,
    address::MESSAGES,
];

/// AXI4-Lite registers of the filter; addresses, constants and reset values come from the register map.
///
/// Write: address and data are taken together, the response follows two clocks after they are seen. Read: sampled two clocks after
/// the address is seen, answered four clocks after. Rules and timing: `docs/pipeline.md`, "Registers".
#[derive(LogicBlock)]
pub struct RegisterFile {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub awvalid: Wire<In>,
    pub awready: Wire<Out>,
    pub awaddr: Bus<In>,
    pub wvalid: Wire<In>,
    pub wready: Wire<Out>,
    pub wdata: Bus<In>,
    pub wstrb: Bus<In>,
    pub bvalid: Wire<Out>,
    pub bready: Wire<In>,
    pub bresp: Bus<Out>,
    pub arvalid: Wire<In>,
    pub arready: Wire<Out>,
    pub araddr: Bus<In>,
    pub rvalid: Wire<Out>,
    pub rready: Wire<In>,
    pub rdata: Bus<Out>,
    pub rresp: Bus<Out>,
    pub status: Bus<In>,
    pub bits_active: Bus<In>,
    pub bits_frozen: Bus<In>,
    pub messages: Bus<In>,
    pub counter_low: Vec<Bus<In>>,
    pub counter_high: Vec<Bus<In>>,
    pub finished: Wire<In>,
    pub threshold: Bus<Out>,
    pub max_age: Bus<Out>,
    pub clear_pending: Wire<Out>,
    pub write_pending: Wire<Out>,
    threshold_r: Reg,
    max_age_r: Reg,
    clear_r: Flag,
    pending_r: Flag,
    // write
    taking: Flag,
    bvalid_r: Flag,
    bresp_r: Reg,
    write_word: Bus<Local>,
    mapped: Wire<Local>,
    mapped_r: Flag,
    to_control: Wire<Local>,
    to_control_r: Flag,
    to_threshold: Wire<Local>,
    to_threshold_r: Flag,
    to_max_age: Wire<Local>,
    to_max_age_r: Flag,
    refused: Wire<Local>,
    refused_r: Flag,
    legal: Wire<Local>,
    // read
    reading: Flag,
    sampling: Flag,
    merging: Flag,
    read_word: Bus<Local>,
    fixed_hit: Vec<Flag>,
    live_hit: Vec<Flag>,
    low_hit: Vec<Flag>,
    low_hit_late: Vec<Flag>,
    high_hit: Flag,
    any_low_hit: Wire<Local>,
    any_low_hit_r: Flag,
    any_high_hit: Wire<Local>,
    live: Vec<Bus<Local>>,
    fixed_group: Bus<Local>,
    fixed_group_r: Reg,
    live_group: Bus<Local>,
    live_group_r: Reg,
    counter_group: Bus<Local>,
    counter_group_r: Reg,
    high_sample: Reg,
    high_in: Bus<Local>,
    counter_high_now: Bus<Local>,
    found: Wire<Local>,
    found_r: Flag,
    rvalid_r: Flag,
    rdata_r: Reg,
    rresp_r: Reg,
    fixed_address: Vec<Const>,
    fixed_value: Vec<Const>,
    live_address: Vec<Const>,
    low_address: Vec<Const>,
    high_address: Vec<Const>,
    control_address: Const,
    threshold_address: Const,
    max_age_address: Const,
    reset_threshold: Const,
    reset_max_age: Const,
    okay: Const,
    slave_error: Const,
    decode_error: Const,
    zero: Const,
    threshold_width: Const,
    _fixed: usize,
    _count_bits: usize,
}

impl RegisterFile {
    /// The registers of this geometry.
    pub fn new(geometry: &Geometry, shape: &Shape) -> Self {
        let map = RegisterMap::for_geometry(geometry);
        let word = ADDRESS_BITS as usize - 2;
        let at = |byte: u32| Const::new(u128::from(byte / 4), word);
        let registers = || map.blocks.iter().flat_map(|block| &block.registers);
        // CONTROL reads as 0, so a read finds it among the constants
        let fixed: Vec<(u32, u32)> = registers()
            .filter(|r| matches!(r.access, Access::Constant | Access::WritePulse))
            .map(|r| (r.offset, r.reset.unwrap_or(0)))
            .collect();
        let number = |value: u128| Const::new(value, 32);
        let flags = |n: usize| (0..n).map(|_| Flag::default()).collect::<Vec<_>>();
        let buses = |n: usize| (0..n).map(|_| Bus::new(32)).collect::<Vec<_>>();
        let response = |value: u32| Const::new(value.into(), 2);
        Self {
            about: About::new(
                "register_file",
                "AXI4-Lite registers: identification, filter, counters. The register map is in registers.md.\nReading the low half of a counter samples all 64 bits; the high half read next belongs to it.",
            ),
            clock: Default::default(),
            reset: Wire::default().doc("back to the specification's values"),
            awvalid: Default::default(),
            awready: Default::default(),
            awaddr: Bus::new(ADDRESS_BITS as usize),
            wvalid: Default::default(),
            wready: Default::default(),
            wdata: Bus::new(32),
            wstrb: Bus::new(4),
            bvalid: Default::default(),
            bready: Default::default(),
            bresp: Bus::new(2),
            arvalid: Default::default(),
            arready: Default::default(),
            araddr: Bus::new(ADDRESS_BITS as usize),
            rvalid: Default::default(),
            rready: Default::default(),
            rdata: Bus::new(32),
            rresp: Bus::new(2),
            status: Bus::new(32).doc("register STATUS"),
            bits_active: Bus::new(shape.count_bits).doc("register BITS_ACTIVE"),
            bits_frozen: Bus::new(shape.count_bits).doc("register BITS_FROZEN"),
            messages: Bus::new(shape.count_bits).doc("register MESSAGES"),
            counter_low: Counter::ALL.iter().map(|c| Bus::new(32).doc(format!("counter {}, lower half", c.name()))).collect(),
            counter_high: Counter::ALL.iter().map(|c| Bus::new(32).doc(format!("counter {}, upper half, a clock late", c.name()))).collect(),
            finished: Wire::default().doc("pending clear and threshold are done"),
            threshold: Bus::new(shape.count_bits).doc("register THRESHOLD"),
            max_age: Bus::new(32).doc("register MAX_AGE"),
            clear_pending: Wire::default().doc("a clear was written and is not done"),
            write_pending: Wire::default().doc("a clear or a threshold was written and is not done"),
            threshold_r: Reg::with_init(shape.count_bits, shape.threshold),
            max_age_r: Reg::with_init(32, shape.max_age_ticks),
            clear_r: Default::default(),
            pending_r: Default::default(),
            taking: Default::default(),
            bvalid_r: Default::default(),
            bresp_r: Reg::new(2),
            write_word: Bus::new(word),
            mapped: Default::default(),
            mapped_r: Default::default(),
            to_control: Default::default(),
            to_control_r: Default::default(),
            to_threshold: Default::default(),
            to_threshold_r: Default::default(),
            to_max_age: Default::default(),
            to_max_age_r: Default::default(),
            refused: Default::default(),
            refused_r: Default::default(),
            legal: Default::default(),
            reading: Default::default(),
            sampling: Default::default(),
            merging: Default::default(),
            read_word: Bus::new(word),
            fixed_hit: flags(fixed.len()),
            live_hit: flags(LIVE.len()),
            low_hit: flags(COUNTERS),
            low_hit_late: flags(COUNTERS),
            high_hit: Default::default(),
            any_low_hit: Default::default(),
            any_low_hit_r: Default::default(),
            any_high_hit: Default::default(),
            live: buses(LIVE.len()),
            fixed_group: Bus::new(32),
            fixed_group_r: Reg::new(32),
            live_group: Bus::new(32),
            live_group_r: Reg::new(32),
            counter_group: Bus::new(32),
            counter_group_r: Reg::new(32),
            high_sample: Reg::new(32),
            high_in: Bus::new(32),
            counter_high_now: Bus::new(32),
            found: Default::default(),
            found_r: Default::default(),
            rvalid_r: Default::default(),
            rdata_r: Reg::new(32),
            rresp_r: Reg::new(2),
            fixed_address: fixed.iter().map(|r| at(r.0)).collect(),
            fixed_value: fixed.iter().map(|r| number(r.1.into())).collect(),
            live_address: LIVE.iter().map(|&byte| at(byte)).collect(),
            low_address: Counter::ALL.iter().map(|c| at(c.address_lo())).collect(),
            high_address: Counter::ALL.iter().map(|c| at(c.address_hi())).collect(),
            control_address: at(address::CONTROL),
            threshold_address: at(address::THRESHOLD),
            max_age_address: at(address::MAX_AGE),
            reset_threshold: Const::new(shape.threshold, shape.count_bits),
            reset_max_age: number(shape.max_age_ticks),
            okay: response(0),
            slave_error: response(RESPONSE_SLVERR),
            decode_error: response(RESPONSE_DECERR),
            zero: number(0),
            threshold_width: Const::new(shape.count_bits as u128, 6),
            _fixed: fixed.len(),
            _count_bits: shape.count_bits,
        }
    }
}

impl Logic for RegisterFile {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self,
            clock,
            threshold_r,
            max_age_r,
            clear_r,
            pending_r,
            taking,
            bvalid_r,
            bresp_r,
            reading,
            sampling,
            merging,
            high_hit,
            any_low_hit_r
        );
        clock!(
            self,
            clock,
            fixed_group_r,
            live_group_r,
            counter_group_r,
            high_sample,
            found_r,
            rvalid_r,
            rdata_r,
            rresp_r
        );

        comment!("write");
        self.taking.d.next = self.awvalid.val()
            && self.wvalid.val()
            && !self.taking.q.val()
            && !self.bvalid_r.q.val()
            && !self.pending_r.q.val()
            && !self.reset.val();
        self.awready.next = self.taking.q.val();
        self.wready.next = self.taking.q.val();
        self.write_word.next = bits_to(self.awaddr.val() >> 2, 6);
        self.mapped.next = false;
        for i in 0..self._fixed {
            if self.write_word.val() == self.fixed_address[i].val() {
                self.mapped.next = true;
            }
        }
        for i in 0..6 {
            if self.write_word.val() == self.live_address[i].val() {
                self.mapped.next = true;
            }
        }
        for i in 0..7 {
            if (self.write_word.val() == self.low_address[i].val())
                || (self.write_word.val() == self.high_address[i].val())
            {
                self.mapped.next = true;
            }
        }
        self.to_control.next = self.write_word.val() == self.control_address.val();
        self.to_threshold.next = self.write_word.val() == self.threshold_address.val();
        self.to_max_age.next = self.write_word.val() == self.max_age_address.val();
        self.refused.next = !self.wstrb.val().all()
            || (!self.to_control.val() && !self.to_threshold.val() && !self.to_max_age.val());
        if self.to_control.val() && (self.wdata.val() >> 1usize).any() {
            self.refused.next = true;
        }
        if self.to_threshold.val() && (self.wdata.val() >> self.threshold_width.val()).any() {
            self.refused.next = true;
        }
        comment!("decoded while the address waits to be taken; AXI holds it until then");
        self.mapped_r.clock.next = self.clock.val();
        self.mapped_r.d.next = self.mapped.val();
        self.to_control_r.clock.next = self.clock.val();
        self.to_control_r.d.next = self.to_control.val();
        self.to_threshold_r.clock.next = self.clock.val();
        self.to_threshold_r.d.next = self.to_threshold.val();
        self.to_max_age_r.clock.next = self.clock.val();
        self.to_max_age_r.d.next = self.to_max_age.val();
        self.refused_r.clock.next = self.clock.val();
        self.refused_r.d.next = self.refused.val();
        self.legal.next = self.taking.q.val() && self.mapped_r.q.val() && !self.refused_r.q.val();
        self.bvalid_r.d.next = self.taking.q.val() || (self.bvalid_r.q.val() && !self.bready.val());
        self.bresp_r.d.next = self.bresp_r.q.val();
        if self.taking.q.val() {
            self.bresp_r.d.next = self.okay.val();
            if !self.mapped_r.q.val() {
                self.bresp_r.d.next = self.decode_error.val();
            } else if self.refused_r.q.val() {
                self.bresp_r.d.next = self.slave_error.val();
            }
        }
        self.bvalid.next = self.bvalid_r.q.val();
        self.bresp.next = self.bresp_r.q.val();
        self.threshold_r.d.next = self.threshold_r.q.val();
        self.pending_r.d.next = self.pending_r.q.val() && !self.finished.val();
        if self.legal.val() && self.to_threshold_r.q.val() {
            self.threshold_r.d.next = bits_to(self.wdata.val(), self._count_bits);
            self.pending_r.d.next = true;
        }
        self.max_age_r.d.next = self.max_age_r.q.val();
        if self.legal.val() && self.to_max_age_r.q.val() {
            self.max_age_r.d.next = self.wdata.val();
        }
        self.clear_r.d.next = self.clear_r.q.val() && !self.finished.val();
        if self.legal.val() && self.to_control_r.q.val() && self.wdata.val().get_bit(0) {
            self.clear_r.d.next = true;
            self.pending_r.d.next = true;
        }
        self.threshold.next = self.threshold_r.q.val();
        self.max_age.next = self.max_age_r.q.val();
        self.clear_pending.next = self.clear_r.q.val();
        self.write_pending.next = self.pending_r.q.val();

        comment!("read: address taken, registers sampled, groups merged, answer");
        self.reading.d.next = self.arvalid.val()
            && !self.reading.q.val()
            && !self.sampling.q.val()
            && !self.merging.q.val()
            && !self.rvalid_r.q.val()
            && !self.reset.val();
        self.sampling.d.next = self.reading.q.val() && !self.reset.val();
        self.merging.d.next = self.sampling.q.val() && !self.reset.val();
        self.arready.next = self.reading.q.val();
        self.read_word.next = bits_to(self.araddr.val() >> 2, 6);
        self.live[0].next = self.status.val();
        self.live[1].next = bits_to(self.threshold_r.q.val(), 32);
        self.live[2].next = self.max_age_r.q.val();
        self.live[3].next = bits_to(self.bits_active.val(), 32);
        self.live[4].next = bits_to(self.bits_frozen.val(), 32);
        self.live[5].next = bits_to(self.messages.val(), 32);
        self.fixed_group.next = self.zero.val();
        self.live_group.next = self.zero.val();
        self.counter_group.next = self.zero.val();
        self.found.next = false;
        for i in 0..self._fixed {
            self.fixed_hit[i].clock.next = self.clock.val();
            self.fixed_hit[i].d.next = self.read_word.val() == self.fixed_address[i].val();
            if self.fixed_hit[i].q.val() {
                self.fixed_group.next = self.fixed_group.val() | self.fixed_value[i].val();
                self.found.next = true;
            }
        }
        for i in 0..6 {
            self.live_hit[i].clock.next = self.clock.val();
            self.live_hit[i].d.next = self.read_word.val() == self.live_address[i].val();
            if self.live_hit[i].q.val() {
                self.live_group.next = self.live_group.val() | self.live[i].val();
                self.found.next = true;
            }
        }
        self.any_low_hit.next = false;
        self.any_high_hit.next = false;
        self.counter_high_now.next = self.zero.val();
        for i in 0..7 {
            self.low_hit[i].clock.next = self.clock.val();
            self.low_hit_late[i].clock.next = self.clock.val();
            self.low_hit[i].d.next = self.read_word.val() == self.low_address[i].val();
            self.low_hit_late[i].d.next = self.low_hit[i].q.val() && self.sampling.q.val();
            if self.read_word.val() == self.high_address[i].val() {
                self.any_high_hit.next = true;
            }
            if self.low_hit[i].q.val() {
                self.counter_group.next = self.counter_group.val() | self.counter_low[i].val();
                self.any_low_hit.next = true;
                self.found.next = true;
            }
            if self.low_hit_late[i].q.val() {
                self.counter_high_now.next =
                    self.counter_high_now.val() | self.counter_high[i].val();
            }
        }
        self.any_low_hit_r.d.next = self.any_low_hit.val() && self.sampling.q.val();
        self.high_hit.d.next = self.any_high_hit.val();
        if self.high_hit.q.val() {
            self.live_group.next = self.live_group.val() | self.high_sample.q.val();
            self.found.next = true;
        }
        self.high_in.next = self.high_sample.q.val();
        if self.any_low_hit_r.q.val() {
            self.high_in.next = self.counter_high_now.val();
        }
        self.fixed_group_r.d.next = self.fixed_group.val();
        self.live_group_r.d.next = self.live_group.val();
        self.counter_group_r.d.next = self.counter_group.val();
        self.high_sample.d.next = self.high_in.val();
        self.found_r.d.next = self.found.val();
        self.rvalid_r.d.next =
            self.merging.q.val() || (self.rvalid_r.q.val() && !self.rready.val());
        self.rdata_r.d.next = self.rdata_r.q.val();
        self.rresp_r.d.next = self.rresp_r.q.val();
        if self.merging.q.val() {
            self.rdata_r.d.next = self.fixed_group_r.q.val()
                | self.live_group_r.q.val()
                | self.counter_group_r.q.val();
            self.rresp_r.d.next = self.okay.val();
            if !self.found_r.q.val() {
                self.rresp_r.d.next = self.decode_error.val();
            }
        }
        self.rvalid.next = self.rvalid_r.q.val();
        self.rdata.next = self.rdata_r.q.val();
        self.rresp.next = self.rresp_r.q.val();

        if self.reset.val() {
            self.threshold_r.d.next = self.reset_threshold.val();
            self.max_age_r.d.next = self.reset_max_age.val();
            self.clear_r.d.next = false;
            self.pending_r.d.next = false;
            self.bvalid_r.d.next = false;
            self.rvalid_r.d.next = false;
            self.high_sample.d.next = self.zero.val();
        }
    }
}
