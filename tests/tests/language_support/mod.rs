//! Small designs that the language's tests share.

#![allow(dead_code, reason = "every test file uses its own part")]

pub mod generate;
pub mod harness;
pub mod interpret;
pub mod slots;

use bloomline_hdl::wires::prelude::*;

/// Simple dual-port memory, one clock of read latency.
#[derive(LogicBlock)]
pub struct Ram {
    pub clock: Signal<In, Clock>,
    pub read_address: Bus<In>,
    pub read_data: Bus<Out>,
    pub write_enable: Wire<In>,
    pub write_address: Bus<In>,
    pub write_data: Bus<In>,
    about: About,
    _words: Vec<UInt>,
}

impl Ram {
    pub fn new(depth: usize, width: usize) -> Self {
        let address = clog2(depth);
        Ram {
            clock: Default::default(),
            read_address: Bus::new(address),
            read_data: Bus::new(width).doc("Word at read_address one clock ago."),
            write_enable: Wire::default(),
            write_address: Bus::new(address),
            write_data: Bus::new(width),
            about: About::new(
                "ram",
                format!("Memory of {depth} words of {width} bits, one read and one write a clock."),
            ),
            _words: vec![UInt::new(0, width); depth],
        }
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

/// One bank of a partitioned filter: test and set one bit a clock, exact under back-to-back hits of one word.
#[derive(LogicBlock)]
pub struct Bank {
    pub clock: Signal<In, Clock>,
    pub valid: Wire<In>,
    pub bit_index: Bus<In>,
    pub seen: Wire<Out>,
    about: About,
    ram: Ram,
    valid_1: Flag,
    index_1: Reg,
    valid_2: Flag,
    address_2: Reg,
    word_2: Reg,
    address_1: Bus<Local>,
    word_1: Bus<Local>,
    select: Bus<Local>,
    one: Const,
    offset: Const,
    _address_bits: usize,
    _offset_bits: usize,
}

impl Bank {
    pub fn new(bits: usize, word_bits: usize) -> Self {
        let (index, address, offset) = (clog2(bits), clog2(bits / word_bits), clog2(word_bits));
        Bank {
            clock: Default::default(),
            valid: Wire::default().doc("bit_index is valid."),
            bit_index: Bus::new(index).doc("Bit to test and set."),
            seen: Wire::default().doc("The bit was set before; two clocks after valid."),
            about: About::new(
                "bank",
                format!("One bank of {bits} bits: tests and sets one bit a clock."),
            ),
            ram: Ram::new(bits / word_bits, word_bits),
            valid_1: Flag::default(),
            index_1: Reg::new(index),
            valid_2: Flag::default(),
            address_2: Reg::new(address),
            word_2: Reg::new(word_bits),
            address_1: Bus::new(address),
            word_1: Bus::new(word_bits).doc("Word as the item ahead leaves it."),
            select: Bus::new(word_bits),
            one: Const::new(1, word_bits),
            offset: Const::number(offset),
            _address_bits: address,
            _offset_bits: offset,
        }
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

/// k banks behind double hashing, and a count of new bits.
#[derive(LogicBlock)]
pub struct Filter {
    pub clock: Signal<In, Clock>,
    pub clear: Wire<In>,
    pub valid: Wire<In>,
    pub h1: Bus<In>,
    pub h2: Bus<In>,
    pub seen: Wire<Out>,
    pub bits_set: Bus<Out>,
    pub recycle: Wire<Out>,
    about: About,
    probe: Vec<Reg>,
    banks: Vec<Bank>,
    valid_0: Flag,
    valid_1: Flag,
    count: Reg,
    fresh: Bus<Local>,
    hits: Bus<Local>,
    sigma: Const,
    _k: usize,
    _count_bits: usize,
}

impl Filter {
    pub fn new(bits: usize, k: usize, sigma: u128) -> Self {
        let bank_bits = bits / k;
        let (width, count) = (clog2(bank_bits), clog2(bits + 1));
        Filter {
            clock: Default::default(),
            clear: Wire::default().doc("Sets the count to zero."),
            valid: Wire::default(),
            h1: Bus::new(width).doc("First hash."),
            h2: Bus::new(width).doc("Second hash."),
            seen: Wire::default(),
            bits_set: Bus::new(count).doc("Bits set since the last clear."),
            recycle: Wire::default(),
            about: About::new(
                "filter",
                format!("Filter of {bits} bits in {k} banks.\nSmall, for tests."),
            ),
            probe: (0..k).map(|_| Reg::new(width)).collect(),
            banks: (0..k).map(|_| Bank::new(bank_bits, 32)).collect(),
            valid_0: Flag::default(),
            valid_1: Flag::default(),
            count: Reg::new(count).doc("Bits set."),
            fresh: Bus::new(count),
            hits: Bus::new(k),
            sigma: Const::new(sigma, count).doc("Threshold."),
            _k: k,
            _count_bits: count,
        }
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
