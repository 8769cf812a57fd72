//! Holds the secret of a keyed hash.

use crate::bus::SecretRegister;
use crate::prelude::*;

/// Words of a secret.
const WORDS: usize = 4;
/// Bits of a word.
const SECRET_WORD_BITS: usize = 32;
/// Bits of a secret.
pub(crate) const SECRET_BITS: usize = WORDS * SECRET_WORD_BITS;

block! {
    /// The secret that keys are hashed under, and the next one, which a host writes word by word.
    ///
    /// `rekey` remembers that the next one is asked for; in the clock with `finished` it comes into force, since then no item is in flight. Reset drops what is asked for and
    /// leaves both secrets alone. Rules: `docs/cells.md`, "Keyed hash".
    pub struct HashSecret {
        about: About = About::new(
            "hash_secret",
            "The secret that keys are hashed under, and the next one, which a host writes. It comes into force between two items.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("drop what is asked for; the secrets stay"),
        pub write: Bus<In> = Bus::new(WORDS).doc("bit i: word i of the next secret is written"),
        pub data: Bus<In> = Bus::new(SECRET_WORD_BITS).doc("with this"),
        pub rekey: Wire<In> = Wire::default().doc("the next secret is asked for"),
        pub finished: Wire<In> = Wire::default().doc("what is pending is done"),
        pub secret: Bus<Out> = Bus::new(SECRET_BITS).doc("secret in force"),
        pub public: Wire<Out> = Wire::default().doc("it is the specification's"),
        pub asking: Vec<Wire<Out>> = (0..told).map(|_| Wire::default().doc("the next secret is asked for and not yet in force")).collect(),
        pub taking: Vec<Wire<Out>> = (0..told).map(|_| Wire::default().doc("it comes into force in the next clock")).collect(),
        next_word: Vec<Reg> = registers.iter().map(|r| Reg::with_init(SECRET_WORD_BITS, r.initial.into())).collect(),
        place: Vec<Slice> = registers.iter().map(|_| Slice::new(SECRET_WORD_BITS, 0, SECRET_BITS)).collect(),
        place_from: Vec<usize> = (0..WORDS).map(|w| w * SECRET_WORD_BITS).collect(),
        whole: Bus<Local> = Bus::new(SECRET_BITS),
        asked: Flag = Flag::default().doc("the next secret comes into force when the pending clear is done"),
        secret_r: Reg = Reg::with_init(SECRET_BITS, secret),
        public_r: Flag = Flag::with_init(true),
        initial: Const = Const::new(secret, SECRET_BITS).doc("the specification's secret"),
        no_secret: Const = Const::new(0, SECRET_BITS),
        words: usize = registers.len(),
        told: usize = told,
    }

    /// Both secrets at power-up as `registers` say, the lowest word first. With `tells` the pipeline is told what is asked for and when
    /// it comes into force.
    pub fn new(registers: &[SecretRegister], tells: bool) {
        let told = usize::from(tells);
        let secret = registers.iter().rev().fold(0, |secret, r| {
            secret << SECRET_WORD_BITS | u128::from(r.initial)
        });
    }
}

impl Logic for HashSecret {
    #[hdl_gen]
    fn update(&mut self) {
        self.whole.next = self.no_secret.val();
        for w in 0..self.words {
            self.next_word[w].d.next = self.next_word[w].q.val();
            if self.write.val().get_bit(w) {
                self.next_word[w].d.next = self.data.val();
            }
            self.place[w].input.next = self.next_word[w].q.val();
            self.whole.next = self.whole.val() | (self.place[w].output.val() << self.place_from[w]);
        }
        self.secret_r.d.next = self.secret_r.q.val();
        self.public_r.d.next = self.public_r.q.val();
        self.asked.d.next = self.asked.q.val() && !self.finished.val();
        if self.rekey.val() {
            self.asked.d.next = true;
        }
        if self.finished.val() && self.asked.q.val() && !self.reset.val() {
            self.secret_r.d.next = self.whole.val();
            self.public_r.d.next = self.whole.val() == self.initial.val();
        }
        if self.reset.val() {
            self.asked.d.next = false;
        }
        self.secret.next = self.secret_r.q.val();
        self.public.next = self.public_r.q.val();
        for t in 0..self.told {
            self.asking[t].next = self.asked.q.val();
            self.taking[t].next = self.finished.val() && self.asked.q.val() && !self.reset.val();
        }
    }
}
