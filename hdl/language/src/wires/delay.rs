//! Delay lines.

use super::about::About;
use super::port::Port;
use super::uint::UInt;
use super::value::Value;
use super::wide::Wide;
use rust_hdl::prelude::{Block, Clock, In, Logic, Out, Probe, Signal, Verilog};
use std::collections::VecDeque;

/// `q` shows `d` as it was `cycles` clocks ago (zero before that); use it as [`Delay`], [`FlagDelay`] or [`WideDelay`].
///
/// With `cycles` = 0 it is a wire. Latency `cycles`, one value a clock, no reset. Printed as one module with a register
/// a stage, shared between instances of one width and length.
#[derive(Clone, Debug)]
pub struct DelayLine<V: Value> {
    /// The clock.
    pub clock: Signal<In, Clock>,
    /// The value to delay.
    pub d: Port<In, V>,
    /// The delayed value.
    pub q: Port<Out, V>,
    about: About,
    stages: VecDeque<V>,
    initial: V,
}

/// A delay line of 1 to 128 bits.
pub type Delay = DelayLine<UInt>;
/// A delay line of one bit.
pub type FlagDelay = DelayLine<bool>;
/// A delay line of 1 to 1024 bits.
pub type WideDelay = DelayLine<Wide>;

impl<V: Value> DelayLine<V> {
    fn of(initial: V, cycles: usize) -> Self {
        let width = initial.bits();
        let unit = if cycles == 1 { "clock" } else { "clocks" };
        let bits = if width == 1 { "bit" } else { "bits" };
        let text = format!("Delays {width} {bits} by {cycles} {unit}.");
        DelayLine {
            clock: Signal::default(),
            d: Port::starting_at(initial),
            q: Port::starting_at(initial),
            about: About::new(format!("delay_{width}x{cycles}"), text),
            stages: vec![initial; cycles].into(),
            initial,
        }
    }

    /// The delay in clocks.
    pub fn cycles(&self) -> usize {
        self.stages.len()
    }
}

impl DelayLine<UInt> {
    /// Delays `width` bits (1..=128) by `cycles` clocks.
    pub fn new(width: usize, cycles: usize) -> Self {
        Self::of(UInt::new(0, width), cycles)
    }
}

impl DelayLine<bool> {
    /// Delays a flag by `cycles` clocks.
    pub fn new(cycles: usize) -> Self {
        Self::of(false, cycles)
    }
}

impl DelayLine<Wide> {
    /// Delays `width` bits (1..=1024) by `cycles` clocks.
    pub fn new(width: usize, cycles: usize) -> Self {
        Self::of(Wide::zero(width), cycles)
    }
}

impl<V: Value> Logic for DelayLine<V> {
    #[inline(always)]
    fn update(&mut self) {
        if self.stages.is_empty() {
            self.q.next = self.d.val();
        } else if self.clock.pos_edge() {
            self.stages.rotate_right(1);
            self.stages[0] = self.d.val();
            self.q.next = self.stages[self.stages.len() - 1];
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        let cycles = self.cycles();
        if cycles == 0 {
            return Verilog::Custom("wire unused_clock = clock;\nassign q = d;".into());
        }
        let width = self.initial.bits();
        let range = if width == 1 {
            String::new()
        } else {
            format!("[{}:0] ", width - 1)
        };
        let (mut stages, mut power_up, mut shift) = (String::new(), String::new(), String::new());
        for stage in 1..=cycles {
            let from = if stage == 1 {
                "d".into()
            } else {
                format!("stage_{}", stage - 1)
            };
            stages += &format!("reg {range}stage_{stage};\n");
            power_up += &format!("  stage_{stage} = {width}'d0;\n");
            shift += &format!("  stage_{stage} <= {from};\n");
        }
        Verilog::Custom(format!(
            "{stages}\nassign q = stage_{cycles};\n\ninitial begin\n{power_up}end\n\n\
             always @(posedge clock) begin\n{shift}end"
        ))
    }
}

impl<V: Value> Block for DelayLine<V> {
    fn connect_all(&mut self) {
        self.connect();
    }

    #[inline(always)]
    fn update_all(&mut self) {
        self.update();
        self.clock.update_all();
        self.d.update_all();
        self.q.update_all();
    }

    #[inline(always)]
    fn has_changed(&self) -> bool {
        self.clock.has_changed() || self.d.has_changed() || self.q.has_changed()
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        self.about.accept("about", probe);
        self.clock.accept("clock", probe);
        self.d.accept("d", probe);
        self.q.accept("q", probe);
        probe.visit_end_scope(name, self);
    }
}
