//! Error correction between a bank and its memory.

use super::code_word::{check_row, checks, columns};
use crate::prelude::*;

/// Stages that carry the address of a read: until no write meets it, and until its word may be written back.
const ADDRESSES: [usize; 2] = [2, 4];
/// Writes of the memory that meet a read on its way: in the clock of the read and in the two behind it.
const MEETS: usize = 3;

block! {
    /// Stands between a bank and its memory of code words: corrects one flipped bit of a word (36 bits in a bank, a cell in a lane) and detects two. A word that was corrected is written back, unless the user writes every word
    /// that it reads.
    ///
    /// ```text
    /// clock     r - 2         r - 1      r              r + 1            r + 2
    /// read    | address     | array    | code word,   | correct,       | word,
    ///         |             |          | syndrome     | forward writes | write back
    /// clock     w                        w + 1
    /// write   | check bits of the word | memory
    /// ```
    ///
    /// Clock r is the one in which a [`BankMemory`](crate::bank::BankMemory) of words without a code would have been given the address: `read_data` is what it would have given, two clocks later, with every write
    /// up to clock r - 1 in it. A write in clock r is the user's to forward, as ever.
    /// A corrected word is written back in clock r + 2 if the read counts (`reading`) and nothing was written in the clocks r to r + 2; until it is, every read
    /// corrects it anew. Writing it back changes no word as it is read, so nothing else has to know.
    ///
    /// New inputs in every clock. No reset. Source: Hsiao 1970 (`bloomline_spec::ecc`). Rules: `docs/soft-errors.md`.
    pub struct EccPort {
        about: About = About::new(
            "ecc_port",
            format!(
                "Between {whose} of {words} words of {layout} and {checks} check bits: one flipped bit of a word is corrected, two are detected.\n\
                 {back}Source: Hsiao, IBM J. Res. Dev. 14 (1970)."
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub read_address: Bus<In> = Bus::new(address_bits).doc("word to read; every write up to two clocks from now counts"),
        pub read_data: Bus<Out> = Bus::new(payload_bits).doc(format!("{payload}, four clocks later")),
        pub corrected: Wire<Out> = Wire::default().doc("a bit of it was flipped, and is right"),
        pub uncorrectable: Wire<Out> = Wire::default().doc("more than one were, and it is as it was stored"),
        pub reading: Vec<Wire<In>> = (0..write_back).map(|_| Wire::default().doc("the read counts: write the word back if it was corrected")).collect(),
        pub write_enable: Wire<In> = Wire::default().doc("write this clock"),
        pub write_address: Bus<In> = Bus::new(address_bits).doc("word to write"),
        pub write_data: Bus<In> = Bus::new(payload_bits).doc(payload),
        pub memory_read: Bus<In> = Bus::new(code_bits).doc(format!("{code_word} from memory, two clocks behind the address")),
        pub memory_enable: Wire<Out> = Wire::default().doc("to memory: write this clock"),
        pub memory_address: Bus<Out> = Bus::new(address_bits).doc("word to write"),
        pub memory_write: Bus<Out> = Bus::new(code_bits).doc(code_word),
        row: Vec<Const> = (0..checks).map(|bit| check_row(payload_bits, bit)).collect(),
        column: Vec<Const> = columns(payload_bits),
        // write
        check_in: Bus<Local> = Bus::new(checks),
        scrub: Vec<Wire<Local>> = (0..write_back).map(|_| Wire::default().doc("write a corrected word back")).collect(),
        wrote: Vec<Reg> = (0..write_back).map(|_| Reg::new(2).doc("bit i: the last clock but i wrote")).collect(),
        put: Flag = Flag::default().doc("the memory is written"),
        put_address: Reg = Reg::new(address_bits),
        put_word: Reg = Reg::new(code_bits),
        // read
        address: Vec<Reg> = (0..addresses).map(|_| Reg::new(address_bits)).collect(),
        hit: Vec<Flag> = (0..MEETS)
            .map(|i| Flag::default().doc(format!("the memory was written {} behind the read of the same word", counted(i, "clock"))))
            .collect(),
        last_put: Reg = Reg::new(payload_bits),
        met: Reg = Reg::new(payload_bits).doc("what was written in the clock of the read"),
        forwarded: Flag,
        forward: Reg = Reg::new(payload_bits).doc("what was written up to a clock behind it"),
        wrong: Bus<Local> = Bus::new(checks),
        syndrome: Reg = Reg::new(checks),
        code_word: Reg = Reg::new(code_bits),
        flip: Bus<Local> = Bus::new(code_bits),
        meeting: Wire<Local> = Wire::default().doc("a write goes before what was read"),
        met_1: Flag,
        word: Reg = Reg::new(word_bits),
        corrected_r: Flag,
        uncorrectable_r: Flag,
        payload_bits: usize = payload_bits,
        checks: usize = checks,
        code_bits: usize = code_bits,
        word_bits: usize = word_bits,
        addresses: usize = addresses,
        write_back: usize = write_back,
        no_write_back: bool = !writes_back,
    }

    fn of(words: usize, payload_bits: usize, writes_back: bool, texts: [&str; 4]) {
        let [whose, layout, payload, code_word] = texts;
        let write_back = usize::from(writes_back);
        let addresses = ADDRESSES[write_back];
        let address_bits = clog2(words);
        let checks = checks(payload_bits);
        let code_bits = payload_bits + checks;
        let word_bits = payload_bits + write_back * checks;
        let back = match writes_back {
            true => "A word that was corrected is written back in a clock without a write. ",
            false => "",
        };
    }
}

impl EccPort {
    /// For a memory of `words` words of data and epoch, a power of two, which is given the read addresses that the port is given; what was corrected is written
    /// back, or the user writes it.
    pub fn new(words: usize, writes_back: bool) -> Self {
        let layout = format!("{WORD_BITS} data bits, {EPOCH_BITS} epoch bits");
        Self::of(
            words,
            WORD_BITS + EPOCH_BITS,
            writes_back,
            [
                "a bank and its memory",
                &layout,
                "{epoch, data}",
                "{check, epoch, data}",
            ],
        )
    }

    /// For a memory of `cells` cells of so many bits, a power of two; what was corrected is written back.
    pub fn of_cells(cells: usize, fingerprint_bits: usize, generation_bits: usize) -> Self {
        let layout =
            format!("{fingerprint_bits} bits of fingerprint, {generation_bits} of generation");
        Self::of(
            cells,
            fingerprint_bits + generation_bits,
            true,
            [
                "a lane and its memory",
                &layout,
                "{fingerprint, generation}",
                "{check, fingerprint, generation}",
            ],
        )
    }
}

impl Logic for EccPort {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("write: the word with its check bits, or a corrected word while there is none");
        for j in 0..self.checks {
            self.check_in
                .set_bit(j, (self.write_data.val() & self.row[j].val()).xor());
        }
        self.put.d.next = self.write_enable.val();
        if self.no_write_back {
            self.put_address.d.next = self.write_address.val();
            self.put_word.d.next = (bits_to(self.check_in.val(), self.code_bits)
                << self.payload_bits)
                | bits_to(self.write_data.val(), self.code_bits);
        }
        for b in 0..self.write_back {
            self.wrote[b].d.next =
                (self.wrote[b].q.val() << 1) | bits_of(self.write_enable.val(), 2);
            self.scrub[b].next = self.corrected_r.q.val()
                && self.reading[b].val()
                && !self.write_enable.val()
                && !self.wrote[b].q.val().any();
            self.put.d.next = self.write_enable.val() || self.scrub[b].val();
            self.put_address.d.next = self.address[b + 3].q.val();
            self.put_word.d.next = self.word.q.val();
            if self.write_enable.val() {
                self.put_address.d.next = self.write_address.val();
                self.put_word.d.next = (bits_to(self.check_in.val(), self.code_bits)
                    << self.payload_bits)
                    | bits_to(self.write_data.val(), self.code_bits);
            }
        }
        self.memory_enable.next = self.put.q.val();
        self.memory_address.next = self.put_address.q.val();
        self.memory_write.next = self.put_word.q.val();

        comment!("read; writes that meet it go before what it finds");
        self.address[0].d.next = self.read_address.val();
        for s in 1..self.addresses {
            self.address[s].d.next = self.address[s - 1].q.val();
        }
        self.hit[0].d.next =
            self.put.q.val() && (self.put_address.q.val() == self.read_address.val());
        self.hit[1].d.next =
            self.put.q.val() && (self.put_address.q.val() == self.address[0].q.val());
        self.hit[2].d.next =
            self.put.q.val() && (self.put_address.q.val() == self.address[1].q.val());
        self.last_put.d.next = bits_to(self.put_word.q.val(), self.payload_bits);
        self.met.d.next = self.last_put.q.val();
        self.met_1.d.next = self.hit[0].q.val();
        self.forwarded.d.next = self.met_1.q.val() || self.hit[1].q.val();
        self.forward.d.next = self.met.q.val();
        if self.hit[1].q.val() {
            self.forward.d.next = self.last_put.q.val();
        }

        comment!("syndrome");
        for j in 0..self.checks {
            self.wrong.set_bit(
                j,
                (bits_to(self.memory_read.val(), self.payload_bits) & self.row[j].val()).xor(),
            );
        }
        self.syndrome.d.next =
            self.wrong.val() ^ bits_to(self.memory_read.val() >> self.payload_bits, self.checks);
        self.code_word.d.next = self.memory_read.val();

        comment!("correction");
        for i in 0..self.code_bits {
            self.flip
                .set_bit(i, self.syndrome.q.val() == self.column[i].val());
        }
        self.word.d.next = bits_to(self.code_word.q.val() ^ self.flip.val(), self.word_bits);
        self.meeting.next = self.forwarded.q.val() || self.hit[2].q.val();
        if self.hit[2].q.val() {
            self.word.d.next = bits_to(self.last_put.q.val(), self.word_bits);
        } else if self.forwarded.q.val() {
            self.word.d.next = bits_to(self.forward.q.val(), self.word_bits);
        }
        self.corrected_r.d.next = self.flip.val().any() && !self.meeting.val();
        self.uncorrectable_r.d.next =
            self.syndrome.q.val().any() && !self.flip.val().any() && !self.meeting.val();
        self.read_data.next = bits_to(self.word.q.val(), self.payload_bits);
        self.corrected.next = self.corrected_r.q.val();
        self.uncorrectable.next = self.uncorrectable_r.q.val();
    }
}
