//! Input register of the packet path.

use super::Beat;
use crate::prelude::*;

block! {
    /// Takes beats into registers, with bytes beyond the last one 0, and passes over what is left of a frame that a reset cut, if its source goes on with it.
    ///
    /// `s_tready` is 1 but in clocks behind one of reset: what there is no room for is dropped later. A beat is out in the clock after it came.
    /// `docs/packet.md`, "Ports" and "Registers".
    pub struct Intake {
        about: About = About::new(
            "intake",
            match source_resets {
                false => "Frames in: bytes beyond the last one become 0; what is left of a frame that a reset cut is passed over.",
                true => "Frames in: bytes beyond the last one become 0; a reset ends a frame, here and where it comes from.",
            },
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no frame"),
        pub s_tvalid: Wire<In> = Wire::default().doc("frames"),
        pub s_tready: Wire<Out> = Wire::default().doc("always but behind a reset"),
        pub s_tdata: WideBus<In> = WideBus::<In>::new(bits),
        pub s_tkeep: Bus<In> = Bus::new(beat.bytes()),
        pub s_tlast: Wire<In>,
        pub s_tuser: Wire<In> = Wire::default().doc("the frame is bad"),
        pub valid: Wire<Out> = Wire::default().doc("a beat"),
        pub last: Wire<Out> = Wire::default().doc("the last of its frame"),
        pub bad: Wire<Out> = Wire::default().doc("of a bad one"),
        pub most: Bus<Out> = Bus::new(most).doc("its last byte"),
        pub data: WideBus<Out> = WideBus::<Out>::new(bits),
        ready_r: Flag = Flag::with_init(true),
        valid_r: Flag,
        last_r: Flag,
        bad_r: Flag,
        most_r: Reg = Reg::new(most),
        data_r: WideReg = WideReg::new(bits),
        within: Flag = Flag::default().doc("a frame has begun and not ended; a reset does not change that"),
        passing: Flag = Flag::default().doc("this one was cut by a reset"),
        taken: Wire<Local>,
        cut: Wire<Local>,
        most_now: Bus<Local> = Bus::new(most),
        kept: WideBus<Local> = WideBus::<Local>::new(bits),
        byte: WideConst = WideConst::from_value(Wide::new(0xFF, bits)),
        number: Vec<Const> = (0..beat.bytes()).map(|i| Const::new(i as u128, most)).collect(),
        whole: Const = Const::new(ones(most), most).doc("all bytes"),
        none: Const = Const::new(0, most),
        bytes: usize = beat.bytes(),
        bits: usize = bits,
        wide: bool = beat.bytes() > 1,
        ends: bool = source_resets,
    }

    /// For beats of `beat`. `source_resets`: a reset takes the source, too, so that nothing of a frame that it cut comes behind it.
    pub fn new(beat: Beat, source_resets: bool) {
        let (bits, most) = (beat.bits(), beat.most_bits());
    }
}

impl Logic for Intake {
    #[hdl_gen]
    fn update(&mut self) {
        self.ready_r.d.next = !self.reset.val();
        self.s_tready.next = self.ready_r.q.val();
        self.taken.next = self.s_tvalid.val() && self.ready_r.q.val();
        self.within.d.next = self.within.q.val();
        self.cut.next = self.within.q.val();
        if self.taken.val() {
            self.within.d.next = !self.s_tlast.val();
            self.cut.next = !self.s_tlast.val();
        }
        self.passing.d.next = self.passing.q.val() && self.cut.val();
        if self.reset.val() {
            self.passing.d.next = self.cut.val();
        }
        if self.ends {
            self.passing.d.next = false;
            if self.reset.val() {
                self.within.d.next = false;
            }
        }
        self.valid_r.d.next = self.taken.val() && !self.passing.q.val() && !self.reset.val();
        self.last_r.d.next = self.s_tlast.val();
        self.bad_r.d.next = self.s_tuser.val();

        comment!(
            "the last byte is that behind which none is valid; a beat that is not the last has all"
        );
        self.most_now.next = self.none.val();
        self.kept.next = self.s_tdata.val();
        if self.wide {
            self.kept.next = bits_wide(0, self.bits);
            for i in 0..self.bytes {
                if self.s_tkeep.val().get_bit(i) && !self.s_tkeep.val().get_bit(i + 1) {
                    self.most_now.next = self.most_now.val() | self.number[i].val();
                }
                if self.s_tkeep.val().get_bit(i) {
                    self.kept.next =
                        self.kept.val() | (self.s_tdata.val() & (self.byte.val() << (8 * i)));
                }
            }
            if !self.s_tlast.val() {
                self.most_now.next = self.whole.val();
                self.kept.next = self.s_tdata.val();
            }
        }
        self.most_r.d.next = self.most_now.val();
        self.data_r.d.next = self.kept.val();
        self.valid.next = self.valid_r.q.val();
        self.last.next = self.last_r.q.val();
        self.bad.next = self.bad_r.q.val();
        self.most.next = self.most_r.q.val();
        self.data.next = self.data_r.q.val();
    }
}
