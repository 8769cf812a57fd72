//! Delays beats by the latency of the parser.

use super::Beat;
use crate::prelude::*;

/// Beats some clocks later, by way of registers; a reset takes those back that are on their way.
#[derive(LogicBlock)]
pub struct BeatDelay {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub valid: Wire<In>,
    pub last: Wire<In>,
    pub bad: Wire<In>,
    pub most: Bus<In>,
    pub data: WideBus<In>,
    pub valid_out: Wire<Out>,
    pub last_out: Wire<Out>,
    pub bad_out: Wire<Out>,
    pub most_out: Bus<Out>,
    pub data_out: WideBus<Out>,
    valids: Vec<Flag>,
    lasts: FlagDelay,
    bads: FlagDelay,
    mosts: Delay,
    datas: WideDelay,
    final_stage: usize,
    clocks: usize,
}

impl BeatDelay {
    /// By `clocks`, at least 1.
    pub fn new(beat: Beat, clocks: usize) -> Self {
        Self {
            about: About::new(
                "beat_delay",
                format!(
                    "Beats {clocks} clocks later; a reset takes those back that are on their way."
                ),
            ),
            clock: Default::default(),
            reset: Default::default(),
            valid: Wire::default().doc("a beat"),
            last: Default::default(),
            bad: Default::default(),
            most: Bus::new(beat.most_bits()),
            data: WideBus::<In>::new(beat.bits()),
            valid_out: Wire::default().doc("the beat of then"),
            last_out: Default::default(),
            bad_out: Default::default(),
            most_out: Bus::new(beat.most_bits()),
            data_out: WideBus::<Out>::new(beat.bits()),
            valids: (0..clocks).map(|_| Flag::default()).collect(),
            lasts: FlagDelay::new(clocks),
            bads: FlagDelay::new(clocks),
            mosts: Delay::new(beat.most_bits(), clocks),
            datas: WideDelay::new(beat.bits(), clocks),
            final_stage: clocks - 1,
            clocks,
        }
    }
}

impl Logic for BeatDelay {
    #[hdl_gen]
    fn update(&mut self) {
        self.valids[0].d.next = self.valid.val() && !self.reset.val();
        for i in 1..self.clocks {
            self.valids[i].d.next = self.valids[i - 1].q.val() && !self.reset.val();
        }
        self.valid_out.next = self.valids[self.final_stage].q.val();
        self.lasts.d.next = self.last.val();
        self.last_out.next = self.lasts.q.val();
        self.bads.d.next = self.bad.val();
        self.bad_out.next = self.bads.q.val();
        self.mosts.d.next = self.most.val();
        self.most_out.next = self.mosts.q.val();
        self.datas.d.next = self.data.val();
        self.data_out.next = self.datas.q.val();
    }
}
