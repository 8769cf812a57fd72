//! Delays beats by the latency of the parser.

use super::Beat;
use crate::prelude::*;

block! {
    /// Beats some clocks later, by way of registers; a reset takes those back that are on their way.
    pub struct BeatDelay {
        about: About = About::new(
            "beat_delay",
            format!(
                "Beats {clocks} clocks later; a reset takes those back that are on their way."
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In>,
        pub valid: Wire<In> = Wire::default().doc("a beat"),
        pub last: Wire<In>,
        pub bad: Wire<In>,
        pub most: Bus<In> = Bus::new(beat.most_bits()),
        pub data: WideBus<In> = WideBus::<In>::new(beat.bits()),
        pub valid_out: Wire<Out> = Wire::default().doc("the beat of then"),
        pub last_out: Wire<Out> = Wire::default().doc("it, and it was the last of its frame"),
        pub bad_out: Wire<Out>,
        pub most_out: Bus<Out> = Bus::new(beat.most_bits()),
        pub data_out: WideBus<Out> = WideBus::<Out>::new(beat.bits()),
        valids: Vec<Flag> = (0..clocks).map(|_| Flag::default()).collect(),
        lasts: Vec<Flag> = (0..clocks).map(|_| Flag::default()).collect(),
        bads: FlagDelay = FlagDelay::new(clocks),
        mosts: Delay = Delay::new(beat.most_bits(), clocks),
        datas: WideDelay = WideDelay::new(beat.bits(), clocks),
        final_stage: usize = clocks - 1,
        clocks: usize = clocks,
    }

    /// By `clocks`, at least 1.
    pub fn new(beat: Beat, clocks: usize) {}
}

impl Logic for BeatDelay {
    #[hdl_gen]
    fn update(&mut self) {
        self.valids[0].d.next = self.valid.val();
        self.lasts[0].d.next = self.valid.val() && self.last.val();
        for i in 1..self.clocks {
            self.valids[i].d.next = self.valids[i - 1].q.val();
            self.lasts[i].d.next = self.lasts[i - 1].q.val();
        }
        self.valid_out.next = self.valids[self.final_stage].q.val();
        self.last_out.next = self.lasts[self.final_stage].q.val();
        self.bads.d.next = self.bad.val();
        self.bad_out.next = self.bads.q.val();
        self.mosts.d.next = self.most.val();
        self.most_out.next = self.mosts.q.val();
        self.datas.d.next = self.data.val();
        self.data_out.next = self.datas.q.val();
        if self.reset.val() {
            for i in 0..self.clocks {
                self.valids[i].d.next = false;
                self.lasts[i].d.next = false;
            }
        }
    }
}
