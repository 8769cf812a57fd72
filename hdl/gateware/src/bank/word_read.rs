//! Registers and checks the word that the memory returns.

use crate::prelude::*;

block! {
    /// Registers the word read from one half and whether it bears the half's epoch; the word of a write that met the read takes its place.
    ///
    /// With parity it also checks the word that came from memory: `wrong`, and by policy such a word reads as one that bears no epoch. What takes the place of a read
    /// is not checked. Rules: `docs/soft-errors.md`.
    ///
    /// Timing: inputs in stage 6, outputs in stage 7; of the parity two of three steps are before the registers.
    /// New inputs in every clock. No reset.
    pub struct WordRead {
        about: About = About::new(
            "word_read",
            format!("The word read from one half, and whether it bears the half's epoch (if not, it reads as empty).{about}"),
        ),
        pub clock: Signal<In, Clock>,
        pub read_data: Bus<In> = Bus::new(WORD_BITS + EPOCH_BITS + parity)
            .doc(format!("{layout} from memory, stage 6")),
        pub epoch: Bus<In> = Bus::new(EPOCH_BITS).doc("the half's epoch"),
        pub bypass: Wire<In> = Wire::default().doc("a write met this read: take its word"),
        pub bypass_word: Bus<In> = Bus::new(WORD_BITS).doc("that word"),
        pub word: Bus<Out> = Bus::new(WORD_BITS).doc("data bits, stage 7"),
        pub current: Wire<Out> = Wire::default().doc("they bear the half's epoch"),
        pub wrong: Vec<Wire<Out>> = (0..parity)
            .map(|_| Wire::default().doc("the parity of the word from memory is wrong"))
            .collect(),
        word_r: Reg = Reg::new(WORD_BITS),
        current_r: Flag,
        part: Vec<Reg> = (0..parity).map(|_| Reg::new(PARTS)).collect(),
        part_in: Vec<Bus<Local>> = (0..parity).map(|_| Bus::new(PARTS)).collect(),
        no_part: Vec<Const> = (0..parity).map(|_| Const::new(0, PARTS)).collect(),
        shape: Shape = *shape,
    }

    /// For the memory words of the pipeline of this shape.
    pub fn new(shape: &Shape) {
        let parity = shape.parity;
        let (about, layout) = match (parity, shape.parity_empties) {
            (0, _) => ("", "{epoch, data}"),
            (_, 0) => (
                "\nTells words whose parity is wrong.",
                "{parity, epoch, data}",
            ),
            (_, _) => (
                "\nTells words whose parity is wrong; they read as empty too.",
                "{parity, epoch, data}",
            ),
        };
    }
}

/// Registers between the steps of a parity.
const PARTS: usize = 4;

impl Logic for WordRead {
    #[hdl_gen]
    fn update(&mut self) {
        self.word_r.d.next = bits_to(self.read_data.val(), WORD_BITS);
        if self.bypass.val() {
            self.word_r.d.next = self.bypass_word.val();
        }
        self.current_r.d.next = self.bypass.val()
            || (bits_to(self.read_data.val() >> 32, EPOCH_BITS) == self.epoch.val());
        self.word.next = self.word_r.q.val();
        self.current.next = self.current_r.q.val();
        for p in 0..self.shape.parity {
            self.part_in[p].next = self.no_part[p].val();
            if !self.bypass.val() {
                self.part_in[p].set_bit(0, bits_to(self.read_data.val(), 10).xor());
                self.part_in[p].set_bit(1, bits_to(self.read_data.val() >> 10, 10).xor());
                self.part_in[p].set_bit(2, bits_to(self.read_data.val() >> 20, 10).xor());
                self.part_in[p].set_bit(3, bits_to(self.read_data.val() >> 30, 7).xor());
            }
            self.part[p].d.next = self.part_in[p].val();
            self.wrong[p].next = self.part[p].q.val().xor();
        }
        for p in 0..self.shape.parity_empties {
            self.current.next = self.current_r.q.val() && !self.part[p].q.val().xor();
        }
    }
}
