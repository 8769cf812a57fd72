//! Synchronises an asynchronous reset to a clock.

use crate::prelude::*;

/// Registers in a row: four until `reset` falls, one more for `holding`.
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
        self.reset.next = self._stages[STAGES - 2];
        self.holding.next = self._stages[STAGES - 1];
    }
    fn connect(&mut self) {
        self.reset.connect();
        self.holding.connect();
    }
    fn hdl(&self) -> Verilog {
        let (last, before) = (STAGES - 1, STAGES - 2);
        Verilog::Custom(format!(
            "reg [{last}:0] stages;\n\ninitial stages = {{{STAGES}{{1'b1}}}};\n\nalways @(posedge clock or posedge hold) begin\n  if (hold) stages <= {{{STAGES}{{1'b1}}}};\n  else stages <= {{stages[{before}:0], 1'b0}};\nend\n\nassign reset = stages[{before}];\nassign holding = stages[{last}];"
        ))
    }
}
