//! Holds the secret of a keyed hash.

use crate::bus::SecretRegister;
use crate::prelude::*;

/// Words of a secret.
const WORDS: usize = 4;
/// Bits of a word.
const SECRET_WORD_BITS: usize = 32;
/// Bits of a secret.
pub(crate) const SECRET_BITS: usize = WORDS * SECRET_WORD_BITS;

/// The secret that keys are hashed under, and the next one, which a host writes word by word.
///
/// `rekey` remembers that the next one is asked for; in the clock with `finished` it comes into force, since then no item is in flight. Reset drops what is asked for and
/// leaves both secrets alone. Rules: `docs/cells.md`, "Keyed hash".
#[derive(LogicBlock)]
pub struct HashSecret {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub write: Bus<In>,
    pub data: Bus<In>,
    pub rekey: Wire<In>,
    pub finished: Wire<In>,
    pub secret: Bus<Out>,
    pub public: Wire<Out>,
    pub asking: Vec<Wire<Out>>,
    pub taking: Vec<Wire<Out>>,
    next_word: Vec<Reg>,
    place: Vec<Slice>,
    place_from: Vec<usize>,
    whole: Bus<Local>,
    asked: Flag,
    secret_r: Reg,
    public_r: Flag,
    initial: Const,
    no_secret: Const,
    words: usize,
    told: usize,
}

impl HashSecret {
    /// Both secrets at power-up as `registers` say, the lowest word first. With `tells` the pipeline is told what is asked for and when
    /// it comes into force.
    pub fn new(registers: &[SecretRegister], tells: bool) -> Self {
        let told = usize::from(tells);
        let secret = registers.iter().rev().fold(0, |secret, r| {
            secret << SECRET_WORD_BITS | u128::from(r.initial)
        });
        Self {
            about: About::new(
                "hash_secret",
                "The secret that keys are hashed under, and the next one, which a host writes. It comes into force between two items.",
            ),
            clock: Default::default(),
            reset: Wire::default().doc("drop what is asked for; the secrets stay"),
            write: Bus::new(WORDS).doc("bit i: word i of the next secret is written"),
            data: Bus::new(SECRET_WORD_BITS).doc("with this"),
            rekey: Wire::default().doc("the next secret is asked for"),
            finished: Wire::default().doc("what is pending is done"),
            secret: Bus::new(SECRET_BITS).doc("secret in force"),
            public: Wire::default().doc("it is the specification's"),
            asking: (0..told).map(|_| Wire::default().doc("the next secret is asked for and not yet in force")).collect(),
            taking: (0..told).map(|_| Wire::default().doc("it comes into force in the next clock")).collect(),
            next_word: registers.iter().map(|r| Reg::with_init(SECRET_WORD_BITS, r.initial.into())).collect(),
            place: registers.iter().map(|_| Slice::new(SECRET_WORD_BITS, 0, SECRET_BITS)).collect(),
            place_from: (0..WORDS).map(|w| w * SECRET_WORD_BITS).collect(),
            whole: Bus::new(SECRET_BITS),
            asked: Flag::default().doc("the next secret comes into force when the pending clear is done"),
            secret_r: Reg::with_init(SECRET_BITS, secret),
            public_r: Flag::with_init(true),
            initial: Const::new(secret, SECRET_BITS).doc("the specification's secret"),
            no_secret: Const::new(0, SECRET_BITS),
            words: registers.len(),
            told,
        }
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
