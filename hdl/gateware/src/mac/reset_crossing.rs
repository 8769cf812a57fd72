//! Synchronises an asynchronous reset to a clock.

use crate::prelude::*;

/// Registers in a row: three until `early` falls, four until `reset` does, five until `holding` does.
const STAGES: usize = 5;

block! {
    /// A reset that comes without a clock and goes with one. A leaf: registers that are set without a clock are not in the language.
    ///
    /// Timing: `docs/mac.md`, "Reset crossing".
    pub struct ResetCrossing {
        about: About = About::new(
            "reset_crossing",
            "A reset that comes without a clock and goes with one.",
        ),
        pub clock: Signal<In, Clock>,
        pub hold: Wire<In> = Wire::default().doc("reset, of any clock or none"),
        pub early: Wire<Out> = Wire::default().doc("falls a clock before reset: for what may leave its reset sooner"),
        pub reset: Wire<Out> = Wire::default()
            .doc("reset of this clock: falls with its fourth edge after hold"),
        pub holding: Wire<Out> = Wire::default().doc("a clock longer: to hold what must leave its reset later"),
        _stages: [bool; STAGES] = [true; STAGES],
    }
}

impl Logic for ResetCrossing {
    fn update(&mut self) {
        if self.hold.val() {
            self._stages = [true; STAGES];
        } else if self.clock.pos_edge() {
            self._stages.rotate_right(1);
            self._stages[0] = false;
        }
        self.early.next = self._stages[STAGES - 3];
        self.reset.next = self._stages[STAGES - 2];
        self.holding.next = self._stages[STAGES - 1];
    }
    fn connect(&mut self) {
        self.early.connect();
        self.reset.connect();
        self.holding.connect();
    }
    fn hdl(&self) -> Verilog {
        let (last, before, second) = (STAGES - 1, STAGES - 2, STAGES - 3);
        Verilog::Custom(format!(
            "(* ASYNC_REG = \"TRUE\" *)\nreg [{last}:0] stages;\n\ninitial stages = {{{STAGES}{{1'b1}}}};\n\nalways @(posedge clock or posedge hold) begin\n  if (hold) stages <= {{{STAGES}{{1'b1}}}};\n  else stages <= {{stages[{before}:0], 1'b0}};\nend\n\nassign early = stages[{second}];\nassign reset = stages[{before}];\nassign holding = stages[{last}];"
        ))
    }
}
