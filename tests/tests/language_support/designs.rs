//! Small designs that the tests print.

use bloomline_language::wires::prelude::*;

block! {
    /// Simple dual-port memory, one clock of read latency.
    pub struct Ram {
        pub clock: Signal<In, Clock>,
        pub read_address: Bus<In> = Bus::new(address),
        pub read_data: Bus<Out> = Bus::new(width).doc("Word at read_address one clock ago."),
        pub write_enable: Wire<In>,
        pub write_address: Bus<In> = Bus::new(address),
        pub write_data: Bus<In> = Bus::new(width),
        about: About = About::new(
            "ram",
            format!("Memory of {depth} words of {width} bits, one read and one write a clock."),
        ),
        _words: Vec<UInt> = vec![UInt::new(0, width); depth],
    }

    pub fn new(depth: usize, width: usize) {
        let address = clog2(depth);
    }
}

impl Logic for Ram {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.read_data.next = self._words[self.read_address.val().get() as usize];
            if self.write_enable.val() {
                self._words[self.write_address.val().get() as usize] = self.write_data.val();
            }
        }
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        let (depth, width) = (self._words.len(), self._words[0].bits());
        let (top_word, top_bit) = (depth - 1, width - 1);
        Verilog::Custom(format!(
            "(* no_rw_check *) reg [{top_bit}:0] words [0:{top_word}];
reg [{top_bit}:0] word;
assign read_data = word;

integer i;
initial begin
  for (i = 0; i < {depth}; i = i + 1) words[i] = {width}'d0;
  word = {width}'d0;
end

always @(posedge clock) begin
  word <= words[read_address];
  if (write_enable) words[write_address] <= write_data;
end"
        ))
    }
}

block! {
    /// One bank of a partitioned filter: test and set one bit a clock, exact under back-to-back hits of one word.
    pub struct Bank {
        pub clock: Signal<In, Clock>,
        pub valid: Wire<In> = Wire::default().doc("bit_index is valid."),
        pub bit_index: Bus<In> = Bus::new(index).doc("Bit to test and set."),
        pub seen: Wire<Out> = Wire::default().doc("The bit was set before; two clocks after valid."),
        about: About = About::new(
            "bank",
            format!("One bank of {bits} bits: tests and sets one bit a clock."),
        ),
        ram: Ram = Ram::new(bits / word_bits, word_bits),
        valid_1: Flag,
        index_1: Reg = Reg::new(index),
        valid_2: Flag,
        address_2: Reg = Reg::new(address),
        word_2: Reg = Reg::new(word_bits),
        address_1: Bus<Local> = Bus::new(address),
        word_1: Bus<Local> = Bus::new(word_bits).doc("Word as the item ahead leaves it."),
        select: Bus<Local> = Bus::new(word_bits),
        one: Const = Const::new(1, word_bits),
        offset: Const = Const::number(offset),
        _address_bits: usize = address,
        _offset_bits: usize = offset,
    }

    pub fn new(bits: usize, word_bits: usize) {
        let (index, address, offset) = (clog2(bits), clog2(bits / word_bits), clog2(word_bits));
    }
}

impl Logic for Bank {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, ram, valid_1, index_1, valid_2, address_2, word_2);
        self.ram.read_address.next = bits_to(
            self.bit_index.val() >> self.offset.val(),
            self._address_bits,
        );
        self.valid_1.d.next = self.valid.val();
        self.index_1.d.next = self.bit_index.val();

        self.address_1.next = bits_to(
            self.index_1.q.val() >> self.offset.val(),
            self._address_bits,
        );
        self.select.next = self.one.val() << bits_to(self.index_1.q.val(), self._offset_bits);
        comment!("A word written in the last clock is not in the memory's output yet.");
        self.word_1.next = self.ram.read_data.val();
        if self.valid_2.q.val() && self.address_2.q.val() == self.address_1.val() {
            self.word_1.next = self.word_2.q.val();
        }
        self.seen.next = (self.word_1.val() & self.select.val()).any();

        self.valid_2.d.next = self.valid_1.q.val();
        self.address_2.d.next = self.address_1.val();
        self.word_2.d.next = self.word_1.val() | self.select.val();
        self.ram.write_enable.next = self.valid_1.q.val();
        self.ram.write_address.next = self.address_1.val();
        self.ram.write_data.next = self.word_1.val() | self.select.val();
    }
}

block! {
    /// k banks behind double hashing, and a count of new bits.
    pub struct Filter {
        pub clock: Signal<In, Clock>,
        pub clear: Wire<In> = Wire::default().doc("Sets the count to zero."),
        pub valid: Wire<In>,
        pub h1: Bus<In> = Bus::new(width).doc("First hash."),
        pub h2: Bus<In> = Bus::new(width).doc("Second hash."),
        pub seen: Wire<Out>,
        pub bits_set: Bus<Out> = Bus::new(count).doc("Bits set since the last clear."),
        pub recycle: Wire<Out>,
        about: About = About::new(
            "filter",
            format!("Filter of {bits} bits in {k} banks.\nSmall, for tests."),
        ),
        probe: Vec<Reg> = (0..k).map(|_| Reg::new(width)).collect(),
        banks: Vec<Bank> = (0..k).map(|_| Bank::new(bank_bits, 32)).collect(),
        valid_0: Flag,
        valid_1: Flag,
        count: Reg = Reg::new(count).doc("Bits set."),
        fresh: Bus<Local> = Bus::new(count),
        hits: Bus<Local> = Bus::new(k),
        sigma: Const = Const::new(sigma, count).doc("Threshold."),
        _k: usize = k,
        _count_bits: usize = count,
    }

    pub fn new(bits: usize, k: usize, sigma: u128) {
        let bank_bits = bits / k;
        let (width, count) = (clog2(bank_bits), clog2(bits + 1));
    }
}

impl Logic for Filter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count);
        clock!(self, clock, valid_0, valid_1);
        self.valid_0.d.next = self.valid.val();
        self.valid_1.d.next = self.valid_0.q.val();
        clock!(self, clock, probe[0]);
        self.probe[0].d.next = self.h1.val();
        for i in 1..self._k {
            clock!(self, clock, probe[i]);
            self.probe[i].d.next = self.probe[i - 1].q.val() + self.h2.val();
        }
        self.fresh.next = self.count.q.val();
        for i in 0..self._k {
            clock!(self, clock, banks[i]);
            self.banks[i].valid.next = self.valid_0.q.val();
            self.banks[i].bit_index.next = self.probe[i].q.val();
            comment!("One bit a bank.");
            self.hits.next = self.hits.val().replace_bit(i, self.banks[i].seen.val());
            if !self.banks[i].seen.val() {
                self.fresh.next = self.fresh.val() + 1;
            }
        }
        self.seen.next = self.hits.val().all();
        self.recycle.next = self.fresh.val() > self.sigma.val();
        comment!("The count follows one clock behind.");
        if self.clear.val() {
            self.count.d.next = bits_to(0, self._count_bits);
        } else if self.valid_1.q.val() {
            self.count.d.next = self.fresh.val();
        }
        self.bits_set.next = self.count.q.val();
    }
}

block! {
    /// What goes wrong easily: keywords as names, one-bit buses, terms that need a name, unread bits, every kind of register,
    /// intermediate values, parts of wide keys.
    pub struct Corners {
        pub clock: Signal<In, Clock>,
        pub table: Bus<In> = Bus::new(12).doc("A name that Verilog reserves."),
        pub single: Bus<In> = Bus::new(1),
        pub key: WideBus<In> = WideBus::new(512).doc("The key.\nOnly a part of it is read."),
        pub restart: Wire<In>,
        pub value: Bus<Out> = Bus::new(8),
        pub case_: Wire<Out>,
        pub parity: Bus<Out> = Bus::new(1),
        about: About = About::new("corners", "Corners of the language.\n\n  table -> value"),
        signed: Bus<Local> = Bus::new(12),
        value_term: Bus<Local> = Bus::new(8),
        running: Bus<Local> = Bus::new(8),
        digest: Reg = Reg::with_init(8, 0xa5).doc("A digest that starts at a5."),
        age: ResetReg = ResetReg::with_init(4, 15),
        snapshot: EnableWideReg = EnableWideReg::new(512),
        armed: ResetFlag = ResetFlag::with_init(true),
        delay: WideDelay = WideDelay::new(512, 2),
        straight: FlagDelay = FlagDelay::new(0),
        low: Const = Const::number(130),
        limit: Const = Const::new(200, 8).doc("Highest digest."),
        _w: usize = 8,
    }

    pub fn new() {}
}

impl Logic for Corners {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, digest, age, snapshot, armed, delay, straight);
        self.signed.next = self.table.val() * 3;
        self.value_term.next = bits_to((self.signed.val() + self.table.val()) >> 4, self._w);
        comment!("Intermediate values keep the order of the kernel.");
        self.running.next = self.value_term.val();
        for i in 0..3 {
            if self.running.val().get_bit(i) {
                self.running.next =
                    (self.running.val() >> 1) ^ bits_to(self.key.val() >> self.low.val(), self._w);
            }
        }
        self.digest.d.next = self.digest.q.val();
        if self.digest.q.val() > self.limit.val() {
            self.digest.d.next = bits_to(0, self._w);
        } else if self.restart.val() && !self.armed.q.val() {
            self.digest.d.next = bits_to((self.running.val() + self.digest.q.val()) >> 2, self._w);
        }
        self.age.reset.next = self.restart.val();
        self.age.d.next = self.age.q.val() - 1;
        self.armed.reset.next = self.restart.val();
        self.armed.d.next = self.age.q.val() != 0 && self.straight.q.val();
        self.straight.d.next = self.single.val().any();
        self.snapshot.enable.next = self.armed.q.val();
        self.snapshot.d.next = self.key.val() ^ self.delay.q.val();
        self.delay.d.next =
            (bits_wide(self.table.val(), 512) << 500) | bits_wide(self.single.val(), 512);
        self.value.next = self.digest.q.val();
        self.case_.next = self.snapshot.q.val().all();
        self.parity.next = self.single.val() + bits_of(self.snapshot.q.val().xor(), 1);
    }
}

impl Default for Corners {
    fn default() -> Self {
        Self::new()
    }
}
