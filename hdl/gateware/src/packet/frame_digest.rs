//! CRC-64/XZ digest of each frame.

use super::Beat;
use crate::hash::XorMatrix;
use crate::prelude::*;
use bloomline_spec::DIGEST_POLYNOMIAL;

/// Bits of the register.
const BITS: usize = 64;
/// Clocks from a beat to the register that has it: its share of the register, then the sum.
const ABSORB_CLOCKS: usize = 2;

block! {
    /// CRC-64/XZ of each frame, a beat a clock; bytes that the parser says change from hop to hop count as 0. `docs/packet.md`, "Key".
    ///
    /// ```text
    /// data, mask --> share of the beat --> [ ] --> + --> [crc] --> back by 32, 16, .. 1 bytes, a clock each --> digest
    ///                                              ^       |
    ///                                              +-------+ on by a beat
    /// ```
    ///
    /// Every beat counts as a whole one, padded with 0; as the register's step is linear and can be undone, what a last beat has too much is undone behind.
    /// A byte that counts as 0 but belongs to the beat before ([`Beat`]s of 8 and 64 bits learn of it late) is taken back with `before`.
    /// `reset` is synchronous and active high.
    pub struct FrameDigest {
        about: About = About::new(
            "frame_digest",
            "CRC-64/XZ of each frame. A last beat counts as a whole one; what it has too much is undone behind.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("a frame begins"),
        pub valid: Wire<In> = Wire::default().doc("a beat"),
        pub last: Wire<In> = Wire::default().doc("the last of its frame"),
        pub most: Bus<In> = Bus::new(most).doc("its last valid byte"),
        pub data: WideBus<In> = WideBus::<In>::new(beat.bits()).doc("bytes beyond that are 0"),
        pub zeroes: Bus<In> = Bus::new(bytes).doc("bytes that count as 0"),
        pub before: Wire<In> = Wire::default().doc("so do bytes of the beat before"),
        pub digest: WideBus<Out> = WideBus::<Out>::new(BITS),
        share: XorMatrix = matrix("digest_share", "What a beat leaves in the register.", &share),
        late: XorMatrix = matrix("digest_late", "What bytes before this beat have left there behind it.", &late),
        on: XorMatrix = matrix("digest_on", "The register a beat of 0 later.", &whole),
        back: Vec<XorMatrix> = back,
        past: WideReg = WideReg::new(past_bits).doc("bytes before the beat"),
        joined: WideBus<Local> = WideBus::<Local>::new(past_bits + beat.bits()),
        masked: WideBus<Local> = WideBus::<Local>::new(beat.bits()),
        byte: WideConst = WideConst::from_value(Wide::new(0xFF, beat.bits())),
        valid_1: Flag,
        last_1: Flag,
        most_1: Reg = Reg::new(most),
        share_1: WideReg = WideReg::new(BITS),
        crc: WideReg = WideReg::with_init(all_ones()),
        stepped: WideBus<Local> = WideBus::<Local>::new(BITS),
        ended: Vec<WideReg> = (0..=backs).map(|_| WideReg::new(BITS)).collect(),
        ended_most: Vec<Reg> = (0..=backs).map(|_| Reg::new(most)).collect(),
        start: WideConst = WideConst::from_value(all_ones()),
        beat_bits: usize = beat.bits(),
        most_bit: Vec<usize> = (0..backs).map(|i| backs - 1 - i).collect(),
        final_stage: usize = backs,
        bytes: usize = bytes,
        past_bits: usize = past_bits,
        joined_bits: usize = past_bits + beat.bits(),
        backs: usize = backs,
        stages: usize = backs + 1,
    }

    /// For beats of `beat`.
    pub fn new(beat: Beat) {
        let bytes = beat.bytes();
        let matrix =
            |name: &str, text: &str, rows: &[u64]| XorMatrix::from_rows(name, text, rows, BITS, 0);
        let unit = |bit: usize| 1u64 << bit;
        // byte i of the beat, bit by bit, at the end of the beat
        let share: Vec<u64> = (0..8 * bytes)
            .map(|bit| on(unit(bit % 8), bytes - bit / 8))
            .collect();
        // bytes of the beat before that the parser learned of with this one: at 8 bits the first and third of its word, of which it is the last, at 64 the first of one that is half in it
        let past = past_bytes(beat);
        let late: Vec<u64> = (0..8 * past)
            .map(|bit| {
                let byte = bit / 8;
                let taken_back = if bytes == 1 { byte != 1 } else { byte == 0 };
                if taken_back {
                    on(unit(bit % 8), past - byte + bytes)
                } else {
                    0
                }
            })
            .collect();
        let whole: Vec<u64> = (0..BITS).map(|bit| on(unit(bit), bytes)).collect();
        let backs = bytes.ilog2() as usize;
        let back = (0..backs)
            .map(|i| {
                let by = bytes >> (i + 1);
                let rows: Vec<u64> = (0..BITS).map(|bit| back(unit(bit), by)).collect();
                matrix(
                    "digest_back",
                    &format!("The register {by} bytes of 0 earlier."),
                    &rows,
                )
            })
            .collect();
        let most = beat.most_bits();
        let past_bits = 8 * past;
    }
}

impl FrameDigest {
    /// Clocks from a frame's last beat to its digest.
    pub fn clocks(beat: Beat) -> usize {
        ABSORB_CLOCKS + beat.bytes().ilog2() as usize
    }
}

/// Bytes before a beat that the parser may learn of with it.
fn past_bytes(beat: Beat) -> usize {
    match beat.bytes() {
        1 => 3,
        _ => 2,
    }
}

fn all_ones() -> Wide {
    Wide::new(u64::MAX.into(), BITS)
}

/// The register after `bytes` bytes of 0.
pub fn on(register: u64, bytes: usize) -> u64 {
    let polynomial = DIGEST_POLYNOMIAL.reverse_bits();
    (0..8 * bytes).fold(register, |register, _| {
        register >> 1 ^ if register & 1 == 1 { polynomial } else { 0 }
    })
}

/// The register before `bytes` bytes of 0: the polynomial's highest bit tells what was shifted out.
pub fn back(register: u64, bytes: usize) -> u64 {
    let polynomial = DIGEST_POLYNOMIAL.reverse_bits();
    (0..8 * bytes).fold(register, |register, _| {
        if register >> 63 == 1 {
            (register ^ polynomial) << 1 | 1
        } else {
            register << 1
        }
    })
}

impl Logic for FrameDigest {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("what the beat leaves in the register");
        self.masked.next = self.data.val();
        for i in 0..self.bytes {
            if self.zeroes.val().get_bit(i) {
                self.masked.next = self.masked.val() & !(self.byte.val() << (8 * i));
            }
        }
        self.joined.next = bits_wide(self.past.q.val(), self.joined_bits)
            | (bits_wide(self.data.val(), self.joined_bits) << self.past_bits);
        self.past.d.next = self.past.q.val();
        if self.valid.val() {
            self.past.d.next = bits_wide(self.joined.val() >> self.beat_bits, self.past_bits);
        }
        self.share.x.next = self.masked.val();
        self.late.x.next = self.past.q.val();
        self.share_1.d.next = self.share.y.val();
        if self.before.val() {
            self.share_1.d.next = self.share.y.val() ^ self.late.y.val();
        }
        self.valid_1.d.next = self.valid.val() && !self.reset.val();
        self.last_1.d.next = self.last.val();
        self.most_1.d.next = self.most.val();

        comment!("the register");
        self.on.x.next = self.crc.q.val();
        self.stepped.next = self.on.y.val() ^ self.share_1.q.val();
        self.crc.d.next = self.crc.q.val();
        if self.valid_1.q.val() {
            self.crc.d.next = self.stepped.val();
            if self.last_1.q.val() {
                self.crc.d.next = self.start.val();
            }
        }
        if self.reset.val() {
            self.crc.d.next = self.start.val();
        }

        comment!("what a last beat has too much is undone");
        self.ended[0].d.next = self.stepped.val();
        self.ended_most[0].d.next = self.most_1.q.val();
        for i in 0..self.backs {
            self.back[i].x.next = self.ended[i].q.val();
            self.ended[i + 1].d.next = self.ended[i].q.val();
            if !self.ended_most[i].q.val().get_bit(self.most_bit[i]) {
                self.ended[i + 1].d.next = self.back[i].y.val();
            }
            self.ended_most[i + 1].d.next = self.ended_most[i].q.val();
        }
        self.digest.next = !self.ended[self.final_stage].q.val();
    }
}
