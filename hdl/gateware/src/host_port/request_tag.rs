//! Computes the tag of a request: SipHash-2-4 under the host port's secret.

use crate::bus::SECRET_BITS;
use crate::hash::{SipRound, SIP_START, SIP_STATE_BITS};
use crate::prelude::*;

/// Bits of a request without its tag.
const MESSAGE_BITS: usize = 128;
/// Clocks of a round, the state's own register among them.
const ROUND_CLOCKS: usize = 5;
/// Rounds: two for each of two words and the length, four at the end.
const ROUNDS: usize = 10;
/// Length of the message in bytes, where SipHash has it.
const LENGTH: u128 = (MESSAGE_BITS as u128 / 8) << 56;

block! {
    /// SipHash-2-4 of 128 bits, one round at a time.
    ///
    /// `start` takes the message, which must stay until `done`; with `done` the tag is valid, for one clock. `message` is a number, its least significant byte the first
    /// byte of SipHash's message. Latency: 51 clocks from `start` to `done`.
    /// `reset` is synchronous and active high.
    pub struct RequestTag {
        about: About = About::new(
            "request_tag",
            "Tag of a request: SipHash-2-4 of its 128 bits under the secret, one round in five clocks.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("nothing is computed"),
        pub start: Wire<In> = Wire::default().doc("a message; it stays until done"),
        pub message: Bus<In> = Bus::new(MESSAGE_BITS).doc("a number, its least significant byte first"),
        pub secret: Bus<In> = Bus::new(SECRET_BITS).doc("secret: {k1, k0}"),
        pub done: Wire<Out> = Wire::default().doc("the tag is here"),
        pub tag: Bus<Out> = Bus::new(SIP_STATE_BITS).doc("with done"),
        round: SipRound,
        v0: Reg = reg(),
        v1: Reg = reg(),
        v2: Reg = reg(),
        v3: Reg = reg(),
        busy: Flag,
        step: Reg = Reg::new(3).doc("clock of the round"),
        rounds: Reg = Reg::new(4).doc("rounds that are done"),
        done_r: Flag,
        secret_low: Bus<Local> = word(),
        secret_high: Bus<Local> = word(),
        before: Bus<Local> = word().doc("what comes to v3 before the next round, the first of a word"),
        after: Bus<Local> = word().doc("what comes to v0 behind the round that ends, the last of a word"),
        ends: Bus<Local> = word().doc("what comes to v2 before the rounds at the end"),
        start_words: Vec<Const> = SIP_START.iter().map(|&word| Const::new(word, SIP_STATE_BITS)).collect(),
        length: Const = Const::new(LENGTH, SIP_STATE_BITS).doc("the last word: the message's length"),
        last_byte: Const = Const::new(0xFF, SIP_STATE_BITS),
        none: Const = Const::new(0, SIP_STATE_BITS),
        no_step: Const = Const::new(0, 3),
        last_step: Const = Const::new(ROUND_CLOCKS as u128 - 1, 3),
        no_round: Const = Const::new(0, 4),
        last_round: Const = Const::new(ROUNDS as u128 - 1, 4),
    }

    fn default() {
        let word = || Bus::new(SIP_STATE_BITS);
        let reg = || Reg::new(SIP_STATE_BITS);
    }
}

impl Logic for RequestTag {
    #[hdl_gen]
    fn update(&mut self) {
        self.secret_low.next = bits_to(self.secret.val(), 64);
        self.secret_high.next = bits_to(self.secret.val() >> 64, 64);
        self.round.v[0].next = self.v0.q.val();
        self.round.v[1].next = self.v1.q.val();
        self.round.v[2].next = self.v2.q.val();
        self.round.v[3].next = self.v3.q.val();

        comment!("words of the message: before their first round and behind their second");
        self.before.next = self.none.val();
        self.after.next = self.none.val();
        self.ends.next = self.none.val();
        if self.rounds.q.val() == 1 {
            self.before.next = bits_to(self.message.val() >> 64, 64);
            self.after.next = bits_to(self.message.val(), 64);
        }
        if self.rounds.q.val() == 3 {
            self.before.next = self.length.val();
            self.after.next = bits_to(self.message.val() >> 64, 64);
        }
        if self.rounds.q.val() == 5 {
            self.after.next = self.length.val();
            self.ends.next = self.last_byte.val();
        }

        comment!("rounds");
        self.v0.d.next = self.v0.q.val();
        self.v1.d.next = self.v1.q.val();
        self.v2.d.next = self.v2.q.val();
        self.v3.d.next = self.v3.q.val();
        self.busy.d.next = self.busy.q.val();
        self.step.d.next = self.no_step.val();
        self.rounds.d.next = self.rounds.q.val();
        self.done_r.d.next = false;
        if self.busy.q.val() {
            self.step.d.next = self.step.q.val() + 1;
        }
        if self.busy.q.val() && (self.step.q.val() == self.last_step.val()) {
            self.step.d.next = self.no_step.val();
            self.rounds.d.next = self.rounds.q.val() + 1;
            self.v0.d.next = self.round.out[0].val() ^ self.after.val();
            self.v1.d.next = self.round.out[1].val();
            self.v2.d.next = self.round.out[2].val() ^ self.ends.val();
            self.v3.d.next = self.round.out[3].val() ^ self.before.val();
            if self.rounds.q.val() == self.last_round.val() {
                self.busy.d.next = false;
                self.done_r.d.next = true;
            }
        }
        if self.start.val() {
            self.busy.d.next = true;
            self.rounds.d.next = self.no_round.val();
            self.v0.d.next = self.secret_low.val() ^ self.start_words[0].val();
            self.v1.d.next = self.secret_high.val() ^ self.start_words[1].val();
            self.v2.d.next = self.secret_low.val() ^ self.start_words[2].val();
            self.v3.d.next = self.secret_high.val()
                ^ self.start_words[3].val()
                ^ bits_to(self.message.val(), 64);
        }
        if self.reset.val() {
            self.busy.d.next = false;
            self.done_r.d.next = false;
        }
        self.done.next = self.done_r.q.val();
        self.tag.next = self.v0.q.val() ^ self.v1.q.val() ^ self.v2.q.val() ^ self.v3.q.val();
    }
}
