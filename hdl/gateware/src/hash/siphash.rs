//! Keyed hashing: SipHash, for traffic that may be chosen by an attacker.

use crate::prelude::*;

/// Bits of a word of SipHash's state.
pub(crate) const STATE_BITS: usize = 64;
/// Clocks of one half round: 64-bit sums are made in two halves of 32 bits.
const HALF_ROUND_CLOCKS: usize = 2;
/// Clocks of one round.
const ROUND_CLOCKS: usize = 2 * HALF_ROUND_CLOCKS;
/// The words that the key is added to at the start: "somepseudorandomlygeneratedbytes".
pub(crate) const START: [u128; 4] = [
    0x736f_6d65_7073_6575,
    0x646f_7261_6e64_6f6d,
    0x6c79_6765_6e65_7261,
    0x7465_6462_7974_6573,
];

block! {
    /// Half a round on two pairs of words: `a += b; c += d; b = (b <<< r) ^ a; d = (d <<< s) ^ c; a <<<= 32`. Two clocks.
    ///
    /// No reset.
    pub struct SipHalfRound {
        about: About = About::new(
            format!("sip_half_round_{rotate_b}_{rotate_d}"),
            format!("Half a round of SipHash: a += b, c += d, b = (b <<< {rotate_b}) ^ a, d = (d <<< {rotate_d}) ^ c, a <<<= 32.\nTwo clocks: the low halves of the sums, then the high halves."),
        ),
        pub clock: Signal<In, Clock>,
        pub a: Bus<In> = Bus::new(STATE_BITS),
        pub b: Bus<In> = Bus::new(STATE_BITS),
        pub c: Bus<In> = Bus::new(STATE_BITS),
        pub d: Bus<In> = Bus::new(STATE_BITS),
        pub a_out: Bus<Out> = Bus::new(STATE_BITS),
        pub b_out: Bus<Out> = Bus::new(STATE_BITS),
        pub c_out: Bus<Out> = Bus::new(STATE_BITS),
        pub d_out: Bus<Out> = Bus::new(STATE_BITS),
        low_ab: Reg = Reg::new(33).doc("{carry, low half}"),
        low_cd: Reg = Reg::new(33).doc("{carry, low half}"),
        a_high: Reg = Reg::new(32),
        c_high: Reg = Reg::new(32),
        b_1: Reg = reg(),
        d_1: Reg = reg(),
        sum_ab: Bus<Local> = word(),
        sum_cd: Bus<Local> = word(),
        a_2: Reg = reg(),
        b_2: Reg = reg(),
        c_2: Reg = reg(),
        d_2: Reg = reg(),
        left_b: usize = rotate_b,
        right_b: usize = STATE_BITS - rotate_b,
        left_d: usize = rotate_d,
        right_d: usize = STATE_BITS - rotate_d,
    }

    /// The half round that rotates `b` by `rotate_b` and `d` by `rotate_d` bits.
    pub fn new(rotate_b: usize, rotate_d: usize) {
        let word = || Bus::new(STATE_BITS);
        let reg = || Reg::new(STATE_BITS);
    }
}

impl Logic for SipHalfRound {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("low halves, with carry");
        self.low_ab.d.next =
            bits_to(bits_to(self.a.val(), 32), 33) + bits_to(bits_to(self.b.val(), 32), 33);
        self.low_cd.d.next =
            bits_to(bits_to(self.c.val(), 32), 33) + bits_to(bits_to(self.d.val(), 32), 33);
        self.a_high.d.next = bits_to(self.a.val() >> 32, 32);
        self.c_high.d.next = bits_to(self.c.val() >> 32, 32);
        self.b_1.d.next = self.b.val();
        self.d_1.d.next = self.d.val();
        comment!("high halves");
        self.sum_ab.next = (bits_to(
            self.a_high.q.val()
                + bits_to(self.b_1.q.val() >> 32, 32)
                + bits_to(self.low_ab.q.val() >> 32, 32),
            64,
        ) << 32)
            | bits_to(bits_to(self.low_ab.q.val(), 32), 64);
        self.sum_cd.next = (bits_to(
            self.c_high.q.val()
                + bits_to(self.d_1.q.val() >> 32, 32)
                + bits_to(self.low_cd.q.val() >> 32, 32),
            64,
        ) << 32)
            | bits_to(bits_to(self.low_cd.q.val(), 32), 64);
        self.a_2.d.next = (self.sum_ab.val() << 32) | (self.sum_ab.val() >> 32);
        self.b_2.d.next = ((self.b_1.q.val() << self.left_b) | (self.b_1.q.val() >> self.right_b))
            ^ self.sum_ab.val();
        self.c_2.d.next = self.sum_cd.val();
        self.d_2.d.next = ((self.d_1.q.val() << self.left_d) | (self.d_1.q.val() >> self.right_d))
            ^ self.sum_cd.val();
        self.a_out.next = self.a_2.q.val();
        self.b_out.next = self.b_2.q.val();
        self.c_out.next = self.c_2.q.val();
        self.d_out.next = self.d_2.q.val();
    }
}

block! {
    /// One round of SipHash on its four words. Four clocks.
    ///
    /// No reset.
    pub struct SipRound {
        about: About = About::new(
            "sip_round",
            "One round of SipHash (Aumasson and Bernstein, INDOCRYPT 2012). Four clocks.",
        ),
        pub clock: Signal<In, Clock>,
        pub v: Vec<Bus<In>> = (0..4).map(|_| Bus::new(STATE_BITS)).collect(),
        pub out: Vec<Bus<Out>> = (0..4).map(|_| Bus::new(STATE_BITS)).collect(),
        first: SipHalfRound = SipHalfRound::new(13, 16),
        second: SipHalfRound = SipHalfRound::new(17, 21),
    }
}

impl Logic for SipRound {
    #[hdl_gen]
    fn update(&mut self) {
        self.first.a.next = self.v[0].val();
        self.first.b.next = self.v[1].val();
        self.first.c.next = self.v[2].val();
        self.first.d.next = self.v[3].val();
        self.second.a.next = self.first.c_out.val();
        self.second.b.next = self.first.b_out.val();
        self.second.c.next = self.first.a_out.val();
        self.second.d.next = self.first.d_out.val();
        self.out[0].next = self.second.c_out.val();
        self.out[1].next = self.second.b_out.val();
        self.out[2].next = self.second.a_out.val();
        self.out[3].next = self.second.d_out.val();
    }
}

block! {
    /// Takes one word of the message: `v3 ^= m`, c rounds, `v0 ^= m`. Four clocks a round.
    ///
    /// No reset.
    pub struct SipCompress {
        about: About = About::new(
            "sip_compress",
            format!(
                "SipHash takes a word of the message: v3 ^= m, {}, v0 ^= m.",
                counted(rounds, "round")
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub message: Bus<In> = Bus::new(STATE_BITS).doc("word of the message, with the state that meets it"),
        pub v: Vec<Bus<In>> = (0..4).map(|_| Bus::new(STATE_BITS)).collect(),
        pub out: Vec<Bus<Out>> = (0..4).map(|_| Bus::new(STATE_BITS)).collect(),
        round: Vec<SipRound> = (0..rounds).map(|_| SipRound::default()).collect(),
        message_line: Delay = Delay::new(STATE_BITS, ROUND_CLOCKS * rounds),
        rounds: usize = rounds,
        last: usize = rounds - 1,
    }

    /// With `rounds` rounds (at least 1) a word.
    pub fn new(rounds: usize) {}
}

impl Logic for SipCompress {
    #[hdl_gen]
    fn update(&mut self) {
        self.message_line.d.next = self.message.val();
        self.round[0].v[0].next = self.v[0].val();
        self.round[0].v[1].next = self.v[1].val();
        self.round[0].v[2].next = self.v[2].val();
        self.round[0].v[3].next = self.v[3].val() ^ self.message.val();
        for r in 1..self.rounds {
            for w in 0..4 {
                self.round[r].v[w].next = self.round[r - 1].out[w].val();
            }
        }
        for r in self.last..self.rounds {
            self.out[0].next = self.round[r].out[0].val() ^ self.message_line.q.val();
            self.out[1].next = self.round[r].out[1].val();
            self.out[2].next = self.round[r].out[2].val();
            self.out[3].next = self.round[r].out[3].val();
        }
    }
}

block! {
    /// Ends SipHash: `v2 ^= 255`, d rounds, and the sum of the four words. Four clocks a round, and one.
    ///
    /// No reset.
    pub struct SipFinish {
        about: About = About::new(
            "sip_finish",
            format!("SipHash ends: v2 ^= 255, {rounds} rounds, v0 ^ v1 ^ v2 ^ v3."),
        ),
        pub clock: Signal<In, Clock>,
        pub v: Vec<Bus<In>> = (0..4).map(|_| Bus::new(STATE_BITS)).collect(),
        pub value: Bus<Out> = Bus::new(STATE_BITS).doc("hash value"),
        round: Vec<SipRound> = (0..rounds).map(|_| SipRound::default()).collect(),
        sum: Bus<Local> = Bus::new(STATE_BITS),
        value_r: Reg = Reg::new(STATE_BITS),
        last_byte: Const = Const::new(0xff, STATE_BITS),
        rounds: usize = rounds,
        last: usize = rounds - 1,
    }

    /// With `rounds` rounds (at least 1).
    pub fn new(rounds: usize) {}
}

impl Logic for SipFinish {
    #[hdl_gen]
    fn update(&mut self) {
        self.round[0].v[0].next = self.v[0].val();
        self.round[0].v[1].next = self.v[1].val();
        self.round[0].v[2].next = self.v[2].val() ^ self.last_byte.val();
        self.round[0].v[3].next = self.v[3].val();
        for r in 1..self.rounds {
            for w in 0..4 {
                self.round[r].v[w].next = self.round[r - 1].out[w].val();
            }
        }
        for r in self.last..self.rounds {
            self.sum.next = self.round[r].out[0].val()
                ^ self.round[r].out[1].val()
                ^ self.round[r].out[2].val()
                ^ self.round[r].out[3].val();
        }
        self.value_r.d.next = self.sum.val();
        self.value.next = self.value_r.q.val();
    }
}

block! {
    /// SipHash-c-d of a key of fixed width, one key a clock.
    ///
    /// The message is the key's bytes, the lowest first, and, where several units serve one filter, one more byte with the unit's
    /// number, so that no two units hash the same message. Latency: `4 (c n + d) + 1` clocks for n message words.
    /// No reset.
    pub struct SipHash {
        about: About = About::new(
            "siphash",
            format!(
                "SipHash-{compress}-{finish} of {key_bits} bits under a secret of 128 bits, one key a clock.\n\
                 Source: Aumasson and Bernstein, SipHash, INDOCRYPT 2012."
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub key: WideBus<In> = WideBus::new(key_bits).doc("key"),
        pub secret: Bus<In> = Bus::new(2 * STATE_BITS).doc("secret: {k1, k0}"),
        pub value: Bus<Out> = Bus::new(STATE_BITS).doc("hash value"),
        message: WideBus<Local> = WideBus::new(message_bits),
        word: Vec<WideSlice> = (0..words).map(|i| WideSlice::new(message_bits, STATE_BITS * i, STATE_BITS)).collect(),
        wait: Vec<Delay> = (0..words).map(|i| Delay::new(STATE_BITS, ROUND_CLOCKS * compress * i)).collect(),
        compress: Vec<SipCompress> = (0..words).map(|_| SipCompress::new(compress)).collect(),
        finish: SipFinish = SipFinish::new(finish),
        secret_low: Bus<Local> = Bus::new(STATE_BITS),
        secret_high: Bus<Local> = Bus::new(STATE_BITS),
        start: Vec<Const> = START.iter().map(|&word| Const::new(word, STATE_BITS)).collect(),
        padding: WideConst = WideConst::from_value(Wide::from_bytes(&constant, message_bits)).doc("number of the unit, length of the message"),
        message_bits: usize = message_bits,
        words: usize = words,
        last: usize = words - 1,
    }

    /// For keys of `key_bits` bits, `compress` rounds a word and `finish` rounds at the end; `number`, if there is one, is appended to
    /// the message.
    pub fn new(key_bits: usize, compress: usize, finish: usize, number: Option<u8>) {
        let mut bytes = key_bits.div_ceil(8);
        // what stands in the message beside the key: the unit's number and, in the last byte of the last word, the length
        let mut constant = vec![0_u8; bytes];
        if let Some(number) = number {
            constant.push(number);
            bytes += 1;
        }
        let words = bytes / 8 + 1;
        constant.resize(8 * words, 0);
        constant[8 * words - 1] = bytes as u8;
        let message_bits = STATE_BITS * words;
    }
}

impl Logic for SipHash {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("the message: key, unit, length; each word waits for the state that takes it");
        self.message.next = bits_wide(self.key.val(), self.message_bits) | self.padding.val();
        for i in 0..self.words {
            self.word[i].input.next = self.message.val();
            self.wait[i].d.next = self.word[i].output.val();
        }
        comment!("the state");
        self.secret_low.next = bits_to(self.secret.val(), 64);
        self.secret_high.next = bits_to(self.secret.val() >> 64, 64);
        self.compress[0].v[0].next = self.secret_low.val() ^ self.start[0].val();
        self.compress[0].v[1].next = self.secret_high.val() ^ self.start[1].val();
        self.compress[0].v[2].next = self.secret_low.val() ^ self.start[2].val();
        self.compress[0].v[3].next = self.secret_high.val() ^ self.start[3].val();
        for i in 0..self.words {
            self.compress[i].message.next = self.wait[i].q.val();
        }
        for i in 1..self.words {
            for w in 0..4 {
                self.compress[i].v[w].next = self.compress[i - 1].out[w].val();
            }
        }
        for i in self.last..self.words {
            for w in 0..4 {
                self.finish.v[w].next = self.compress[i].out[w].val();
            }
        }
        self.value.next = self.finish.value.val();
    }
}
