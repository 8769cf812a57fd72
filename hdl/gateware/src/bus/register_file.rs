//! The AXI4-Lite registers.

use crate::bus::{EventCounters, HashSecret, RegisterPlan, SECRET_BITS};
use crate::prelude::*;
use bloomline_spec::registers::{address, field, ADDRESS_BITS, RESPONSE_DECERR, RESPONSE_SLVERR};

block! {
    /// AXI4-Lite registers of a filter of any kind; addresses, widths, constants and reset values come from the register map.
    ///
    /// Write: address and data are taken together, the response follows three clocks after they are seen. Read: sampled two clocks after
    /// the address is seen, answered four clocks after. Rules and timing: `docs/pipeline.md`, "Registers".
    pub struct RegisterFile {
        about: About = About::new(
            "register_file",
            match (counted, long_counters) {
                (_, true) => "AXI4-Lite registers: identification, filter, counters. The register map is in registers.md.\nReading the low half of a counter samples all 64 bits; the high half read next belongs to it.",
                (true, false) => "AXI4-Lite registers: identification, filter, counters of 32 bits. The register map is in registers.md.",
                (false, false) => "AXI4-Lite registers: identification, filter. The register map is in registers.md.",
            },
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("back to the specification's values"),
        pub axil: Axil<Slave> = Axil::new(ADDRESS_BITS as usize).named(""),
        pub live: Vec<Bus<In>> = live.iter().map(|r| Bus::new(r.width).doc(format!("register {}", r.name))).collect(),
        pub event: Vec<Wire<In>> = own.iter().map(|c| Wire::default().doc(format!("count in {}", c.name))).collect(),
        pub outside_low: Vec<Bus<In>> = outside.iter().map(|c| Bus::new(32).doc(format!("counter {}, lower half", c.name))).collect(),
        pub outside_high: Vec<Bus<In>> = outside.iter().map(|c| Bus::new(32).doc(format!("counter {}, upper half, a clock late", c.name))).collect(),
        pub hold_reads: Vec<Wire<In>> = (0..holds).map(|_| Wire::default().doc("take no read")).collect(),
        pub finished: Wire<In> = Wire::default().doc("what is pending is done"),
        pub load: Vec<Wire<In>> = (0..loaded).map(|_| Wire::default().doc(format!("load {}", name(first_loaded)))).collect(),
        pub load_value: Vec<Bus<In>> = (0..loaded).map(|_| Bus::new(32).doc("its value")).collect(),
        pub fetched: Vec<Wire<In>> = (0..fetches).map(|_| Wire::default().doc("the word that was asked for is there in the next clock")).collect(),
        pub value: Vec<Bus<Out>> = values.iter().map(|r| Bus::new(r.width).doc(format!("register {}", r.name))).collect(),
        pub stored: Vec<Wire<Out>> = (0..loaded).map(|_| Wire::default().doc(format!("{} is being written", name(first_loaded)))).collect(),
        pub fetch_asked: Vec<Wire<Out>> = (0..fetches).map(|_| Wire::default().doc(format!("{} is being written", name(first_fetching)))).collect(),
        pub clear_pending: Wire<Out> = Wire::default().doc("a clear was written and is not done"),
        pub write_pending: Wire<Out> = Wire::default().doc(format!(
            "a clear{}{}{} was written and is not done",
            if plan.recycles { ", a recycle" } else { "" },
            if plan.secret_per_half { ", a rekey" } else { "" },
            plan.awaited().map(|name| format!(" or {name}")).collect::<String>()
        )),
        pub secret: Vec<Bus<Out>> = (0..keyed).map(|_| Bus::new(SECRET_BITS).doc("secret of the keyed hash")).collect(),
        pub public_secret: Vec<Wire<Out>> = (0..keyed).map(|_| Wire::default().doc("it is the specification's")).collect(),
        pub recycle_pending: Vec<Wire<Out>> = (0..recycles).map(|_| Wire::default().doc("a recycle was written and is not done")).collect(),
        pub restart_asked: Vec<Wire<Out>> = (0..restarts).map(|_| Wire::default().doc("a restart of control logic was written")).collect(),
        pub rekey_pending: Vec<Wire<Out>> = (0..per_half).map(|_| Wire::default().doc("a rekey was written and is not done")).collect(),
        pub rekeyed: Vec<Wire<Out>> = (0..per_half)
            .map(|_| Wire::default().doc("secret changes with this clock, for the active half alone"))
            .collect(),
        value_r: Vec<Reg> = values.iter().map(|r| Reg::with_init(r.width, r.reset.into())).collect(),
        clear_r: Flag,
        recycle_r: Vec<Flag> = flags(recycles),
        restart_r: Vec<Flag> = flags(restarts),
        pending_r: Flag,
        fetching: Vec<Flag> = (0..fetches).map(|_| Flag::default().doc("a word was asked for and is not there")).collect(),
        secrets: Vec<HashSecret> = (0..keyed).map(|_| HashSecret::new(&plan.secret_words, plan.secret_per_half)).collect(),
        // write
        seen: Flag = Flag::default().doc("a write is judged"),
        taking: Flag = Flag::default().doc("it is taken"),
        known: Flag = Flag::default().doc("there is a register at its address"),
        legal_r: Flag = Flag::default().doc("it is done"),
        bvalid_r: Flag,
        bresp_r: Reg = Reg::new(2),
        write_word: Bus<Local> = Bus::new(word),
        mapped: Wire<Local>,
        mapped_r: Flag,
        to_control: Wire<Local>,
        to_control_r: Flag,
        to_value: Vec<Wire<Local>> = values.iter().map(|_| Wire::default()).collect(),
        to_value_r: Vec<Flag> = flags(values.len()),
        to_secret: Vec<Bus<Local>> = (0..keyed).map(|_| Bus::new(secret_words)).collect(),
        to_secret_r: Vec<Reg> = (0..keyed).map(|_| Reg::new(secret_words)).collect(),
        command: Bus<Local> = Bus::new(plan.control_bits.max(1)),
        commanded: Wire<Local>,
        recycle_bit: usize = field::CONTROL_RECYCLE as usize,
        written: Vec<Slice> = values.iter().map(|r| Slice::new(32, 0, r.width)).collect(),
        writable: Wire<Local>,
        too_wide: Wire<Local>,
        unwritable_r: Flag,
        control_wide: Flag = Flag::default().doc("the data are wider than CONTROL"),
        value_wide: Vec<Flag> = values.iter().map(|r| Flag::default().doc(format!("wider than {}", r.name))).collect(),
        refused: Wire<Local>,
        legal: Wire<Local>,
        // read
        offered: Wire<Local> = Wire::default().doc("an address is valid, and no read is under way"),
        beginning: Wire<Local> = Wire::default().doc("it is taken"),
        resting: Flag = Flag::with_init(true).doc("no read is under way"),
        answering: Wire<Local> = Wire::default().doc("there is an answer in the next clock"),
        reading: Flag,
        sampling: Flag,
        merging: Flag,
        read_word: Bus<Local> = Bus::new(word),
        held: Wire<Local>,
        fixed_hit: Vec<Flag> = flags(fixed.len()),
        live_hit: Vec<Flag> = flags(live.len()),
        value_hit: Vec<Flag> = flags(values.len()),
        counters: Optional<EventCounters> = Optional::new(has_own, EventCounters::new(&names, long_counters)),
        which: Optional<Bus<Local>> = Optional::new(has_own, Bus::new(place_bits).doc("the counter at the address")),
        number: Vec<Const> = (0..own.len()).map(|c| Const::new(c as u128, place_bits)).collect(),
        to_low: Optional<Wire<Local>> = Optional::new(has_own, Wire::default()),
        low_hit: Optional<Flag> = Optional::new(has_own, Flag::default()),
        outside_hit: Vec<Flag> = flags(outside.len()),
        outside_hit_late: Vec<Flag> = flags(outside.len()),
        low_hit_late: Optional<Flag> = Optional::new(has_own && long_counters, Flag::default()),
        high_sampled: Optional<Wire<Local>> = Optional::new(long_counters, Wire::default()),
        to_high: Optional<Wire<Local>> = Optional::new(long_counters, Wire::default()),
        high_hit: Optional<Flag> = Optional::new(long_counters, Flag::default()),
        live_word: Vec<Slice> = live.iter().map(|r| Slice::new(r.width, 0, 32)).collect(),
        value_word: Vec<Slice> = values.iter().map(|r| Slice::new(r.width, 0, 32)).collect(),
        fixed_group: Bus<Local> = Bus::new(32),
        fixed_group_r: Reg = Reg::new(32),
        live_group: Bus<Local> = Bus::new(32),
        live_group_r: Reg = Reg::new(32),
        counter_group: Optional<Bus<Local>> = Optional::new(counted, Bus::new(32)),
        counter_group_r: Optional<Reg> = Optional::new(counted, Reg::new(32)),
        high_sample: Optional<Reg> = Optional::new(long_counters, Reg::new(32)),
        high_in: Optional<Bus<Local>> = Optional::new(long_counters, Bus::new(32)),
        counter_high_now: Optional<Bus<Local>> = Optional::new(long_counters, Bus::new(32)),
        found: Wire<Local>,
        found_r: Flag,
        rvalid_r: Flag,
        rdata_r: Reg = Reg::new(32),
        rresp_r: Reg = Reg::new(2),
        fixed_address: Vec<Const> = fixed.iter().map(|r| at(r.offset)).collect(),
        fixed_value: Vec<Const> = fixed.iter().map(|r| number(r.value)).collect(),
        live_address: Vec<Const> = live.iter().map(|r| at(r.offset)).collect(),
        value_address: Vec<Const> = values.iter().map(|r| at(r.offset)).collect(),
        value_width: Vec<Const> = values.iter().map(|r| Const::new(r.width as u128, 6)).collect(),
        value_reset: Vec<Const> = values.iter().map(|r| Const::new(r.reset.into(), r.width).doc(format!("{} after reset", r.name))).collect(),
        low_address: Vec<Const> = own.iter().map(|c| at(c.low)).collect(),
        outside_address: Vec<Const> = outside.iter().map(|c| at(c.low)).collect(),
        no_number: Const = Const::new(0, place_bits),
        high_address: Vec<Const> = counters.iter().map(|c| at(c.low + 4)).collect(),
        mapped_words: Const = Const::new(plan.mapped_words(), 1 << word).doc("bit w: there is a register at word w"),
        writable_words: Const = Const::new(plan.writable_words(), 1 << word).doc("bit w: that a host may write"),
        control_address: Const = at(address::CONTROL),
        control_width: Const = Const::new(plan.control_bits as u128, 6),
        commands: Const = Const::new(plan.commands.into(), plan.control_bits.max(1)).doc("bits of CONTROL that command something"),
        clears: Const = Const::new(plan.clears.into(), plan.control_bits.max(1)).doc("those that clear"),
        secret_address: Vec<Const> = plan.secret_words.iter().map(|r| at(r.offset)).collect(),
        kept: Const = Const::new(plan.kept_bits.into(), values.get(plan.kept_from).map_or(1, |r| r.width)).doc("bits that are kept"),
        no_word: Const = Const::new(0, secret_words.max(1)),
        okay: Const = response(0),
        slave_error: Const = response(RESPONSE_SLVERR),
        decode_error: Const = response(RESPONSE_DECERR),
        zero: Const = number(0),
        fixed: usize = fixed.len(),
        live_count: usize = live.len(),
        values: usize = values.len(),
        own: usize = own.len(),
        outside: usize = outside.len(),
        counted: bool = counted,
        long_counters: bool = long_counters,
        kept_from: usize = plan.kept_from,
        awaited_from: usize = plan.awaited.start,
        awaited_to: usize = plan.awaited.end,
        first_loaded: usize = first_loaded,
        first_fetching: usize = first_fetching,
        loaded: usize = loaded,
        fetches: usize = fetches,
        recycles: usize = recycles,
        restarts: usize = restarts,
        restart_bit: usize = field::CONTROL_RESTART as usize,
        holds: usize = holds,
        keyed: usize = keyed,
        secret_words: usize = secret_words,
        by_last_word: usize = usize::from(plan.secret_by_last_word),
        per_half: usize = per_half,
        control_bits: usize = plan.control_bits.max(1),
        without_control: bool = plan.control_bits == 0,
    }

    /// The registers of a plan.
    pub fn new(plan: &RegisterPlan) {
        let word = ADDRESS_BITS as usize - 2;
        let at = |byte: u32| Const::new(u128::from(byte / 4), word);
        let number = |value: u32| Const::new(value.into(), 32);
        let flags = |n: usize| (0..n).map(|_| Flag::default()).collect::<Vec<_>>();
        let response = |value: u32| Const::new(value.into(), 2);
        let RegisterPlan {
            fixed,
            live,
            values,
            counters,
            ..
        } = plan;
        let loaded = usize::from(plan.loaded);
        let fetches = usize::from(plan.fetches);
        let recycles = usize::from(plan.recycles);
        let restarts = usize::from(plan.restarts);
        let holds = loaded - fetches;
        let long_counters = plan.long_counters;
        let counted = !counters.is_empty();
        let (outside, own) = counters.split_at(plan.outside);
        let has_own = !own.is_empty();
        let names: Vec<&str> = match own {
            [] => vec![""],
            own => own.iter().map(|c| c.name).collect(),
        };
        let place_bits = EventCounters::place_bits(names.len());
        let secret_words = plan.secret_words.len();
        let keyed = usize::from(secret_words > 0);
        let per_half = usize::from(plan.secret_per_half);
        let first_loaded = values.len() - loaded;
        let first_fetching = first_loaded - fetches;
        let name = |at: usize| values.get(at).map_or("", |register| register.name);
    }
}

impl Logic for RegisterFile {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("write");
        self.seen.d.next = self.axil.awvalid.val()
            && self.axil.wvalid.val()
            && !self.seen.q.val()
            && !self.taking.q.val()
            && !self.bvalid_r.q.val()
            && !self.pending_r.q.val()
            && !self.reset.val();
        for f in 0..self.fetches {
            if self.fetching[f].q.val() {
                self.seen.d.next = false;
            }
        }
        self.taking.d.next = self.seen.q.val() && !self.reset.val();
        self.axil.awready.next = self.taking.q.val();
        self.axil.wready.next = self.taking.q.val();
        self.write_word.next = bits_to(self.axil.awaddr.val() >> 2, 6);
        self.to_control.next = self.write_word.val() == self.control_address.val();
        if self.without_control {
            self.to_control.next = false;
        }
        comment!(
            "decoded while the address waits to be taken; AXI holds it and the data until then"
        );
        self.writable.next = self.writable_words.val().get_bit(self.write_word.val());
        self.control_wide.d.next = (self.axil.wdata.val() >> self.control_width.val()).any();
        for i in 0..self.values {
            self.to_value[i].next = self.write_word.val() == self.value_address[i].val();
            self.value_wide[i].d.next = (self.axil.wdata.val() >> self.value_width[i].val()).any();
        }
        for k in 0..self.keyed {
            self.to_secret[k].next = self.no_word.val();
            for i in 0..self.secret_words {
                if self.write_word.val() == self.secret_address[i].val() {
                    self.to_secret[k].set_bit(i, true);
                }
            }
            self.to_secret_r[k].d.next = self.to_secret[k].val();
        }
        self.mapped.next = self.mapped_words.val().get_bit(self.write_word.val());
        self.mapped_r.d.next = self.mapped.val();
        self.to_control_r.d.next = self.to_control.val();
        self.unwritable_r.d.next = !self.axil.wstrb.val().all() || !self.writable.val();
        self.too_wide.next = self.to_control_r.q.val() && self.control_wide.q.val();
        for i in 0..self.values {
            self.to_value_r[i].d.next = self.to_value[i].val();
            self.too_wide.next =
                self.too_wide.val() || (self.to_value_r[i].q.val() && self.value_wide[i].q.val());
        }
        self.refused.next = self.unwritable_r.q.val() || self.too_wide.val();
        comment!("judged in the clock behind");
        self.known.d.next = self.mapped_r.q.val();
        self.legal_r.d.next =
            self.seen.q.val() && self.mapped_r.q.val() && !self.refused.val() && !self.reset.val();
        self.legal.next = self.legal_r.q.val();
        self.bvalid_r.d.next =
            self.taking.q.val() || (self.bvalid_r.q.val() && !self.axil.bready.val());
        self.bresp_r.d.next = self.bresp_r.q.val();
        if self.taking.q.val() {
            self.bresp_r.d.next = self.okay.val();
            if !self.known.q.val() {
                self.bresp_r.d.next = self.decode_error.val();
            } else if !self.legal.val() {
                self.bresp_r.d.next = self.slave_error.val();
            }
        }
        self.axil.bvalid.next = self.bvalid_r.q.val();
        self.axil.bresp.next = self.bresp_r.q.val();
        self.clear_r.d.next = self.clear_r.q.val() && !self.finished.val();
        self.pending_r.d.next = self.pending_r.q.val() && !self.finished.val();
        self.command.next = bits_to(self.axil.wdata.val(), self.control_bits) & self.commands.val();
        self.commanded.next =
            self.legal.val() && self.to_control_r.q.val() && self.command.val().any();
        if self.commanded.val() {
            self.clear_r.d.next = (self.command.val() & self.clears.val()).any();
            self.pending_r.d.next = true;
        }
        for r in 0..self.recycles {
            self.recycle_r[r].d.next = self.recycle_r[r].q.val() && !self.finished.val();
            if self.commanded.val() {
                self.recycle_r[r].d.next = self.axil.wdata.val().get_bit(self.recycle_bit);
            }
            if self.reset.val() {
                self.recycle_r[r].d.next = false;
            }
            self.recycle_pending[r].next = self.recycle_r[r].q.val();
        }
        for r in 0..self.restarts {
            self.restart_r[r].d.next = self.legal.val()
                && self.to_control_r.q.val()
                && self.axil.wdata.val().get_bit(self.restart_bit)
                && !self.reset.val();
            self.restart_asked[r].next = self.restart_r[r].q.val();
        }
        for i in self.awaited_from..self.awaited_to {
            if self.legal.val() && self.to_value_r[i].q.val() {
                self.pending_r.d.next = true;
            }
        }
        for i in 0..self.values {
            self.written[i].input.next = self.axil.wdata.val();
            self.value_r[i].d.next = self.value_r[i].q.val();
            self.value[i].next = self.value_r[i].q.val();
        }
        for i in 0..self.kept_from {
            if self.legal.val() && self.to_value_r[i].q.val() {
                self.value_r[i].d.next = self.written[i].output.val();
            }
        }
        for i in self.kept_from..self.values {
            if self.legal.val() && self.to_value_r[i].q.val() {
                self.value_r[i].d.next = self.written[i].output.val() & self.kept.val();
            }
        }
        for k in 0..self.keyed {
            self.secrets[k].reset.next = self.reset.val();
            self.secrets[k].write.next = self.no_word.val();
            if self.legal.val() && !self.reset.val() {
                self.secrets[k].write.next = self.to_secret_r[k].q.val();
            }
            self.secrets[k].data.next = self.axil.wdata.val();
            self.secrets[k].rekey.next = self.commanded.val() && self.axil.wdata.val().get_bit(1);
            self.secrets[k].finished.next = self.finished.val();
            for w in self.secret_words - self.by_last_word..self.secret_words {
                if self.legal.val() && !self.reset.val() && self.to_secret_r[k].q.val().get_bit(w) {
                    self.secrets[k].rekey.next = true;
                }
            }
            self.secret[k].next = self.secrets[k].secret.val();
            self.public_secret[k].next = self.secrets[k].public.val();
        }
        for h in 0..self.per_half {
            self.rekey_pending[h].next = self.secrets[h].asking[h].val();
            self.rekeyed[h].next = self.secrets[h].taking[h].val() && !self.clear_r.q.val();
        }
        self.held.next = false;
        for l in 0..self.loaded {
            for i in self.first_loaded..self.values {
                if self.load[l].val() {
                    self.value_r[i].d.next = self.load_value[l].val();
                }
                self.stored[l].next = self.legal.val() && self.to_value_r[i].q.val();
                if self.stored[l].val() {
                    self.pending_r.d.next = true;
                }
            }
        }
        for h in 0..self.holds {
            self.held.next = self.hold_reads[h].val();
        }
        for f in 0..self.fetches {
            self.fetching[f].d.next = self.fetching[f].q.val() && !self.fetched[f].val();
            self.fetch_asked[f].next = false;
            for i in self.first_fetching..self.first_loaded {
                if self.legal.val() && self.to_value_r[i].q.val() {
                    self.fetching[f].d.next = true;
                    self.fetch_asked[f].next = true;
                }
            }
            self.held.next = self.held.val() || self.fetching[f].q.val();
        }
        self.clear_pending.next = self.clear_r.q.val();
        self.write_pending.next = self.pending_r.q.val();

        comment!("read: address taken, registers sampled, groups merged, answer");
        self.offered.next = self.axil.arvalid.val() && self.resting.q.val() && !self.held.val();
        self.beginning.next = self.offered.val() && !self.reset.val();
        self.reading.d.next = self.beginning.val();
        self.sampling.d.next = self.reading.q.val() && !self.reset.val();
        self.merging.d.next = self.sampling.q.val() && !self.reset.val();
        self.axil.arready.next = self.reading.q.val();
        self.read_word.next = bits_to(self.axil.araddr.val() >> 2, 6);
        self.fixed_group.next = self.zero.val();
        self.live_group.next = self.zero.val();
        if self.counted {
            self.counter_group.next = self.zero.val();
        }
        self.found.next = false;
        for i in 0..self.fixed {
            self.fixed_hit[i].d.next = self.read_word.val() == self.fixed_address[i].val();
            if self.fixed_hit[i].q.val() {
                self.fixed_group.next = self.fixed_group.val() | self.fixed_value[i].val();
                self.found.next = true;
            }
        }
        for i in 0..self.live_count {
            self.live_hit[i].d.next = self.read_word.val() == self.live_address[i].val();
            self.live_word[i].input.next = self.live[i].val();
            if self.live_hit[i].q.val() {
                self.live_group.next = self.live_group.val() | self.live_word[i].output.val();
                self.found.next = true;
            }
        }
        for i in 0..self.values {
            self.value_hit[i].d.next = self.read_word.val() == self.value_address[i].val();
            self.value_word[i].input.next = self.value_r[i].q.val();
            if self.value_hit[i].q.val() {
                self.live_group.next = self.live_group.val() | self.value_word[i].output.val();
                self.found.next = true;
            }
        }
        for i in 0..self.outside {
            self.outside_hit[i].d.next = self.read_word.val() == self.outside_address[i].val();
            self.outside_hit_late[i].d.next = self.outside_hit[i].q.val() && self.sampling.q.val();
            if self.outside_hit[i].q.val() {
                self.counter_group.next = self.counter_group.val() | self.outside_low[i].val();
                self.found.next = true;
            }
        }
        if self.own > 0 {
            self.which.next = self.no_number.val();
            self.to_low.next = false;
            for i in 0..self.own {
                self.counters.event[i].next = self.event[i].val();
                if self.read_word.val() == self.low_address[i].val() {
                    self.which.next = self.which.val() | self.number[i].val();
                    self.to_low.next = true;
                }
            }
            self.low_hit.d.next = self.to_low.val();
            self.counters.reset.next = self.reset.val();
            self.counters.read.next = self.offered.val();
            self.counters.which.next = self.which.val();
            if self.low_hit.q.val() {
                self.counter_group.next = self.counter_group.val() | self.counters.low.val();
                self.found.next = true;
            }
        }
        if self.long_counters {
            self.high_sampled.next = false;
            self.counter_high_now.next = self.zero.val();
            if self.own > 0 {
                self.low_hit_late.d.next = self.low_hit.q.val() && self.sampling.q.val();
                if self.low_hit_late.q.val() {
                    self.high_sampled.next = true;
                    self.counter_high_now.next = self.counters.high.val();
                }
            }
            for i in 0..self.outside {
                if self.outside_hit_late[i].q.val() {
                    self.high_sampled.next = true;
                    self.counter_high_now.next =
                        self.counter_high_now.val() | self.outside_high[i].val();
                }
            }
            self.high_in.next = self.high_sample.q.val();
            if self.high_sampled.val() {
                self.high_in.next = self.counter_high_now.val();
            }
            self.to_high.next = false;
            for i in 0..self.high_address.len() {
                if self.read_word.val() == self.high_address[i].val() {
                    self.to_high.next = true;
                }
            }
            self.high_hit.d.next = self.to_high.val();
            if self.high_hit.q.val() {
                self.live_group.next = self.live_group.val() | self.high_sample.q.val();
                self.found.next = true;
            }
        }
        self.fixed_group_r.d.next = self.fixed_group.val();
        self.live_group_r.d.next = self.live_group.val();
        if self.counted {
            self.counter_group_r.d.next = self.counter_group.val();
        }
        if self.long_counters {
            self.high_sample.d.next = self.high_in.val();
        }
        self.found_r.d.next = self.found.val();
        self.answering.next =
            self.merging.q.val() || (self.rvalid_r.q.val() && !self.axil.rready.val());
        self.rvalid_r.d.next = self.answering.val();
        self.resting.d.next = !self.beginning.val()
            && !self.reading.q.val()
            && !self.sampling.q.val()
            && !self.answering.val();
        self.rdata_r.d.next = self.rdata_r.q.val();
        self.rresp_r.d.next = self.rresp_r.q.val();
        if self.merging.q.val() {
            if self.counted {
                self.rdata_r.d.next = self.fixed_group_r.q.val()
                    | self.live_group_r.q.val()
                    | self.counter_group_r.q.val();
            } else {
                self.rdata_r.d.next = self.fixed_group_r.q.val() | self.live_group_r.q.val();
            }
            self.rresp_r.d.next = self.okay.val();
            if !self.found_r.q.val() {
                self.rresp_r.d.next = self.decode_error.val();
            }
        }
        self.axil.rvalid.next = self.rvalid_r.q.val();
        self.axil.rdata.next = self.rdata_r.q.val();
        self.axil.rresp.next = self.rresp_r.q.val();

        if self.reset.val() {
            for i in 0..self.values {
                self.value_r[i].d.next = self.value_reset[i].val();
            }
            self.clear_r.d.next = false;
            self.pending_r.d.next = false;
            for f in 0..self.fetches {
                self.fetching[f].d.next = false;
            }
            self.bvalid_r.d.next = false;
            self.rvalid_r.d.next = false;
            self.resting.d.next = true;
            if self.long_counters {
                self.high_sample.d.next = self.zero.val();
            }
        }
    }
}
