//! DDR input and output registers and pin delays, as leaf modules.

use crate::prelude::*;
use bloomline_spec::mac::MAX_DELAY_STEPS;

block! {
    /// Takes a pin on both edges of a clock. A leaf that a device replaces.
    ///
    /// What the pin shows at the rising edge that begins clock t is `rising` in t + 1, what it shows at the falling edge in t is `falling` in t + 1.
    /// Native simulation has rising edges only: both show what the pin showed at the last one.
    /// New inputs in every clock. No reset.
    pub struct InputDdr {
        about: About = About::new("input_ddr", "A pin on both edges of a clock."),
        pub clock: Signal<In, Clock>,
        pub pin: Wire<In>,
        pub rising: Wire<Out> = Wire::default().doc("as it was at the rising edge before the last"),
        pub falling: Wire<Out> = Wire::default().doc("as it was at the falling edge between"),
        taken: bool = false,
    }
}

impl Logic for InputDdr {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.rising.next = self.taken;
            self.falling.next = self.taken;
            self.taken = self.pin.val();
        }
    }
    fn connect(&mut self) {
        self.rising.connect();
        self.falling.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(
            "reg at_rise, at_fall, rising_r, falling_r;\n\nalways @(negedge clock) at_fall <= pin;\nalways @(posedge clock) begin\n  at_rise <= pin;\n  rising_r <= at_rise;\n  falling_r <= at_fall;\nend\n\nassign rising = rising_r;\nassign falling = falling_r;".into(),
        )
    }
}

block! {
    /// Drives a pin with one bit while a clock is high and another while it is low. A leaf that a device replaces.
    ///
    /// Both are those of the clock before. Native simulation shows the first alone.
    /// New inputs in every clock. No reset.
    pub struct OutputDdr {
        about: About = About::new("output_ddr", "A pin with two bits a clock."),
        pub clock: Signal<In, Clock>,
        pub rising: Wire<In> = Wire::default().doc("for the next clock's high half"),
        pub falling: Wire<In> = Wire::default().doc("for its low half"),
        pub pin: Wire<Out>,
    }
}

impl Logic for OutputDdr {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.pin.next = self.rising.val();
        }
    }
    fn connect(&mut self) {
        self.pin.connect();
    }
    fn hdl(&self) -> Verilog {
        // The pin is the exclusive or of a register of each edge: no clock among data, no glitch. Each register feeds the other, so an
        // unknown value would stay for ever: `if` takes it for 0, where `^` would carry it on.
        Verilog::Custom(
            "reg after_rise, after_fall, later;\n\ninitial begin\n  after_rise = 1'b0;\n  after_fall = 1'b0;\n  later = 1'b0;\nend\n\nalways @(posedge clock) begin\n  later <= falling;\n  if (rising != after_fall) after_rise <= 1'b1;\n  else after_rise <= 1'b0;\nend\nalways @(negedge clock) begin\n  if (later != after_rise) after_fall <= 1'b1;\n  else after_fall <= 1'b0;\nend\n\nassign pin = after_rise ^ after_fall;".into(),
        )
    }
}

macro_rules! delay {
    ($(#[$doc:meta])* $name:ident, $module:literal, $text:literal) => {
        $(#[$doc])*
        #[derive(LogicBlock)]
        pub struct $name {
            about: About,
            pub a: Wire<In>,
            pub z: Wire<Out>,
        }

        impl Default for $name {
            fn default() -> Self {
                Self {
                    about: About::new($module, $text),
                    a: Default::default(),
                    z: Default::default(),
                }
            }
        }

        impl Logic for $name {
            fn update(&mut self) {
                self.z.next = self.a.val();
            }
            fn connect(&mut self) {
                self.z.connect();
            }
            fn hdl(&self) -> Verilog {
                Verilog::Custom("assign z = a;".into())
            }
        }
    };
}

delay! {
    /// From a pin, later. A leaf that a device replaces; without a device there is no delay.
    InputDelay, "input_delay", "A pin, delayed where a device does it."
}

delay! {
    /// To a pin, later. A leaf that a device replaces; without a device there is no delay.
    OutputDelay, "output_delay", "What goes to a pin, delayed where a device does it."
}

/// Modules at the pins that are written without a device, for one to take their place.
pub const RGMII_LEAVES: [&str; 4] = ["input_ddr", "output_ddr", "input_delay", "output_delay"];

/// The modules of [`RGMII_LEAVES`] for Lattice ECP5: IDDRX1F, ODDRX1F, and DELAYG with so
/// many steps of about 25 ps. `None` above [`MAX_DELAY_STEPS`].
///
/// Source: Lattice, ECP5 and ECP5-5G high-speed I/O interface (FPGA-TN-02035), generic DDR with static delay.
pub fn ecp5_rgmii_leaves(rx_delay_steps: u32, tx_delay_steps: u32) -> Option<String> {
    if rx_delay_steps.max(tx_delay_steps) > MAX_DELAY_STEPS {
        return None;
    }
    let delay = |name: &str, steps: u32| {
        format!(
            "module {name} (\n  input  wire a,\n  output wire z\n);\n  DELAYG #(.DEL_MODE (\"USER_DEFINED\"), .DEL_VALUE ({steps})) delay (.A (a), .Z (z));\nendmodule\n"
        )
    };
    Some(format!(
        "// Two bits a clock and delays at the pins of a Lattice ECP5.\n\
         // These take the place of the modules of their names that are written without a device.\n\
         module input_ddr (\n  input  wire clock,\n  input  wire pin,\n  output wire rising,\n  output wire falling\n);\n  \
         IDDRX1F ddr (.D (pin), .SCLK (clock), .RST (1'b0), .Q0 (rising), .Q1 (falling));\nendmodule\n\n\
         module output_ddr (\n  input  wire clock,\n  input  wire rising,\n  input  wire falling,\n  output wire pin\n);\n  \
         ODDRX1F ddr (.D0 (rising), .D1 (falling), .SCLK (clock), .RST (1'b0), .Q (pin));\nendmodule\n\n{}\n{}",
        delay("input_delay", rx_delay_steps),
        delay("output_delay", tx_delay_steps),
    ))
}
