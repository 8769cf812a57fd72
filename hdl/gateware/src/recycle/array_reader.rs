//! Decodes the array address of a host access, and counts recycles.

use crate::prelude::*;

block! {
    /// Takes ARRAY_ADDRESS apart, and counts recycles, by which a host knows whether two words are of the same halves.
    ///
    /// Timing: the selects follow `address` in the same clock (it stands still while a word is fetched or bits are set).
    /// Of a word that a bank does not have, the address is that of word 0, in no bank.
    /// `turns` counts every slot that recycles in the decision stage; reset does not touch it. Rules: `docs/pipeline.md`, "Access to the array".
    pub struct ArrayReader {
        about: About = match access {
            true => About::new(
                "array_reader",
                "Takes the address of a word that a host means apart. Counts recycles, by which a host knows whether two\nwords are of the same halves.",
            ),
            false => About::new("turns", "Counts recycles of every cause."),
        },
        pub clock: Signal<In, Clock>,
        pub address: Optional<Bus<In>> = Optional::new(access, Bus::new(shape.array_address_bits).doc("register ARRAY_ADDRESS: half, bank, word")),
        pub trip: Wire<In> = Wire::default().doc("the slot in stage D recycles"),
        pub word_address: Optional<Bus<Out>> = Optional::new(access, Bus::new(word_address_bits).doc("the word in its bank")),
        pub in_bank: Vec<Bus<Out>> = (0..partitioned).map(|_| Bus::new(banks).doc("bit i: it is bank i")).collect(),
        pub of_frozen: Vec<Wire<Out>> = (0..frozen).map(|_| Wire::default().doc("it is the frozen half")).collect(),
        pub turns: Bus<Out> = Bus::new(TURNS_BITS).doc("recycles of every cause"),
        bank: Vec<Bus<Local>> = (0..several).map(|_| Bus::new(array_bank_bits)).collect(),
        beyond: Vec<Wire<Local>> = (0..checks).map(|_| Wire::default().doc("a bank has no such word")).collect(),
        turns_r: Reg = Reg::new(TURNS_BITS),
        bank_number: Vec<Const> = (0..several * banks).map(|i| Const::new(i as u128, array_bank_bits)).collect(),
        bank_from: Const = place(word_address_bits),
        half_at: Const = place(word_address_bits + array_bank_bits),
        last_word: Vec<Const> = (0..checks).map(|_| word(shape.words - 1)).collect(),
        first_word: Vec<Const> = (0..checks).map(|_| word(0)).collect(),
        no_bank: Vec<Const> = (0..checks).map(|_| Const::new(0, banks)).collect(),
        bank_bits: usize = array_bank_bits.max(1),
        one_bank: usize = partitioned - several,
        frozen_halves: usize = frozen,
        shape: Shape = *shape,
    }

    /// For the pipeline of this shape.
    pub fn new(shape: &Shape) {
        let Shape {
            banks,
            word_address_bits,
            array_bank_bits,
            ..
        } = *shape;
        let access = shape.array_access;
        let several = usize::from(banks > 1 && access);
        let frozen = if access { shape.phases - 1 } else { 0 };
        let partitioned = usize::from(shape.interval == 1 && access);
        let checks = usize::from(access && !shape.words.is_power_of_two());
        let word = |word: usize| Const::new(word as u128, word_address_bits);
        let place = |bit: usize| Const::new(bit as u128, width_of(bit));
    }
}

impl Logic for ArrayReader {
    #[hdl_gen]
    fn update(&mut self) {
        if self.shape.array_access {
            self.word_address.next = bits_to(self.address.val(), self.shape.word_address_bits);
        }
        for b in 0..self.bank.len() {
            self.bank[b].next = bits_to(self.address.val() >> self.bank_from.val(), self.bank_bits);
            for i in 0..self.shape.banks {
                self.in_bank[b].set_bit(i, self.bank[b].val() == self.bank_number[i].val());
            }
        }
        for b in 0..self.one_bank {
            self.in_bank[b].set_bit(0usize, true);
        }
        for c in 0..self.last_word.len() {
            self.beyond[c].next =
                bits_to(self.address.val(), self.shape.word_address_bits) > self.last_word[c].val();
            if self.beyond[c].val() {
                self.word_address.next = self.first_word[c].val();
                self.in_bank[0].next = self.no_bank[c].val();
            }
        }
        for h in 0..self.frozen_halves {
            self.of_frozen[h].next = self.address.val().get_bit(self.half_at.val());
        }
        self.turns_r.d.next = self.turns_r.q.val();
        if self.trip.val() {
            self.turns_r.d.next = self.turns_r.q.val() + 1;
        }
        self.turns.next = self.turns_r.q.val();
    }
}
