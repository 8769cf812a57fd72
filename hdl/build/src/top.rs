//! Top module of a board, with registers around a filter that stands alone.

use super::board::{Board, Family};
use super::pll::PllSetting;
use bloomline_spec::ports::{design_name, design_ports, outer_ports, Direction};
use bloomline_spec::{Common, ResetName};

/// The top module `<name>_<board>` and its Verilog: the oscillator through the PLL to the card's clock, the reset, and the card.
///
/// It is text with holes, not a block in rust-hdl: nothing in it computes, and its two primitives would be wrapped leaves,
/// which are text too.
///
/// The card is in reset while the PLL is not locked or the button is pressed, and four clocks longer; the registers that hold
/// it there are set without a clock, since there may be none, and let go by the clock. The first LED blinks while the card is
/// out of reset, the second is on while the PLL is locked, the others are off. Nothing offers items on the card's item stream,
/// and every verdict on its verdict stream is taken: a host reaches the filter through the UART alone.
pub fn board_top(board: &Board, common: &Common, pll: &PllSetting) -> (String, String) {
    let module = format!("{}_{}", common.name(), board.identifier());
    let clock_hz = common.clock_hz();
    let mut ports = vec!["  input  wire oscillator".to_owned()];
    if board.reset.is_some() {
        ports.push("  input  wire reset_button".to_owned());
    }
    ports.push("  input  wire uart_rx".to_owned());
    ports.push("  output wire uart_tx".to_owned());
    let leds = board.leds.as_ref().map(|leds| {
        let count = leds.pins.len();
        ports.push(format!("  output wire [{}:0] led", count - 1));
        blink(count, leds.active_low, clock_hz)
    });
    let text = format!(
        "// {module}: the card {name}_card on the board {board}.
// Nothing offers items on the item stream: a host reaches the filter through the UART alone.
`default_nettype none
module {module} (
{ports}
);
{clock}  reg [3:0] held = 4'b1111;
  reg reset = 1'b1;
  always @(posedge card_clock or posedge hold) begin
    if (hold) held <= 4'b1111;
    else held <= {{held[2:0], 1'b0}};
  end
  always @(posedge card_clock) reset <= held[3];

  {name}_card card (
{pins}
  );
{leds}endmodule
`default_nettype wire
",
        name = common.name(),
        board = board.title,
        ports = ports.join(",\n"),
        clock = card_clock(board, clock_hz, pll),
        pins = card_pins(common),
        leds = leds.unwrap_or_default(),
    );
    (module, text)
}

/// The connections of a card: no items are offered, every verdict is taken.
fn card_pins(common: &Common) -> String {
    let pins = outer_ports(common).into_iter().map(|outer| {
        let port = outer.port;
        let wire = match outer.inner.as_ref().map(|inner| inner.name.as_str()) {
            Some("clock") => "card_clock".to_owned(),
            Some("reset") if common.interface().reset == ResetName::Aresetn => "!reset".to_owned(),
            Some(pin @ ("reset" | "uart_rx" | "uart_tx")) => pin.to_owned(),
            Some("m_verdict_tready") => "1'b1".to_owned(),
            _ if port.direction == Direction::Input => format!("{}'d0", port.width),
            _ => String::new(),
        };
        format!("    .{} ({wire})", port.name)
    });
    pins.collect::<Vec<_>>().join(",\n")
}

/// `card_clock`, `locked` and `hold` of a top module: the oscillator through the PLL, and what resets all that runs of it.
pub(super) fn card_clock(board: &Board, clock_hz: u64, pll: &PllSetting) -> String {
    let pressed = match &board.reset {
        Some(button) if button.active_low => " || !reset_button",
        Some(_) => " || reset_button",
        None => "",
    };
    format!(
        "  // {oscillator_hz} Hz / {input} * {feedback} = {clock_hz} Hz; the PLL's own oscillator at {vco_hz} Hz
  // kept: constraints and reports know the clock by this name, and yosys would take one from within the card
  (* keep *) wire card_clock;
  wire locked;
{pll}
  wire hold = !locked{pressed};
",
        oscillator_hz = board.oscillator.frequency_hz,
        input = pll.input_divider,
        feedback = pll.feedback_divider,
        vco_hz = pll.vco_hz,
        pll = match board.family {
            Family::Ecp5 => ehxplll(board, clock_hz, pll),
            Family::Gowin => rpll(board, pll),
        },
    )
}

/// The PLL of an ECP5.
fn ehxplll(board: &Board, clock_hz: u64, pll: &PllSetting) -> String {
    format!(
        "  (* FREQUENCY_PIN_CLKI = \"{oscillator_mhz}\", FREQUENCY_PIN_CLKOP = \"{clock_mhz}\",
     ICP_CURRENT = \"12\", LPF_RESISTOR = \"8\", MFG_ENABLE_FILTEROPAMP = \"1\", MFG_GMCREF_SEL = \"2\" *)
  EHXPLLL #(
    .CLKI_DIV ({input}),
    .CLKFB_DIV ({feedback}),
    .CLKOP_DIV ({output}),
    .CLKOP_CPHASE ({phase}),
    .CLKOP_FPHASE (0),
    .CLKOP_ENABLE (\"ENABLED\"),
    .OUTDIVIDER_MUXA (\"DIVA\"),
    .FEEDBK_PATH (\"CLKOP\"),
    .PLLRST_ENA (\"DISABLED\"),
    .INTFB_WAKE (\"DISABLED\"),
    .STDBY_ENABLE (\"DISABLED\"),
    .DPHASE_SOURCE (\"DISABLED\")
  ) pll (
    .CLKI (oscillator),
    .CLKFB (card_clock),
    .CLKOP (card_clock),
    .LOCK (locked),
    .RST (1'b0),
    .STDBY (1'b0),
    .PHASESEL0 (1'b0),
    .PHASESEL1 (1'b0),
    .PHASEDIR (1'b0),
    .PHASESTEP (1'b0),
    .PHASELOADREG (1'b0),
    .PLLWAKESYNC (1'b0),
    .ENCLKOP (1'b0)
  );
",
        oscillator_mhz = board.oscillator.frequency_hz as f64 / 1e6,
        clock_mhz = clock_hz as f64 / 1e6,
        input = pll.input_divider,
        feedback = pll.feedback_divider,
        output = pll.output_divider,
        // phases count from the last clock of the PLL's oscillator within a period: no shift
        phase = pll.output_divider - 1,
    )
}

/// The PLL of a Gowin part.
fn rpll(board: &Board, pll: &PllSetting) -> String {
    format!(
        "  rPLL #(
    .DEVICE (\"{die}\"),
    .FCLKIN (\"{oscillator_mhz}\"),
    .IDIV_SEL ({input}),
    .FBDIV_SEL ({feedback}),
    .ODIV_SEL ({output}),
    .DYN_IDIV_SEL (\"false\"),
    .DYN_FBDIV_SEL (\"false\"),
    .DYN_ODIV_SEL (\"false\"),
    .DYN_DA_EN (\"false\"),
    .DYN_SDIV_SEL (2),
    .PSDA_SEL (\"0000\"),
    .DUTYDA_SEL (\"1000\"),
    .CLKFB_SEL (\"internal\"),
    .CLKOUT_BYPASS (\"false\"),
    .CLKOUTP_BYPASS (\"false\"),
    .CLKOUTD_BYPASS (\"false\"),
    .CLKOUTD_SRC (\"CLKOUT\"),
    .CLKOUTD3_SRC (\"CLKOUT\")
  ) pll (
    .CLKIN (oscillator),
    .CLKFB (1'b0),
    .CLKOUT (card_clock),
    .LOCK (locked),
    .RESET (1'b0),
    .RESET_P (1'b0),
    .FBDSEL (6'd0),
    .IDSEL (6'd0),
    .ODSEL (6'd0),
    .PSDA (4'd0),
    .DUTYDA (4'd0),
    .FDLY (4'd0),
    .CLKOUTP (),
    .CLKOUTD (),
    .CLKOUTD3 ()
  );
",
        die = board.part.device,
        oscillator_mhz = board.oscillator.frequency_hz as f64 / 1e6,
        input = pll.input_divider - 1,
        feedback = pll.feedback_divider - 1,
        output = pll.output_divider,
    )
}

/// The LEDs' part of the top module.
fn blink(count: usize, active_low: bool, clock_hz: u64) -> String {
    // between one and two blinks a second
    let bits = clock_hz.max(2).ilog2();
    let lit = match count {
        1 => "blink[BLINK_BITS - 1]".to_owned(),
        2 => "{locked, blink[BLINK_BITS - 1]}".to_owned(),
        _ => format!("{{{}'d0, locked, blink[BLINK_BITS - 1]}}", count - 2),
    };
    format!(
        "
  localparam BLINK_BITS = {bits};
  reg [BLINK_BITS - 1:0] blink = 0;
  always @(posedge card_clock) blink <= reset ? {{BLINK_BITS{{1'b0}}}} : blink + 1'b1;
  assign led = {not}{lit};
",
        not = if active_low { "~" } else { "" },
    )
}

/// A filter, card or packet path between registers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BetweenRegisters {
    /// Verilog of the module `between_registers`: `clock`, `si`, `so`.
    pub text: String,
    /// Flip-flops it adds to the filter.
    pub added_ff: usize,
    /// Lookup tables it adds to the filter.
    pub added_lut4: usize,
}

/// A filter, or its card or packet path if it has one, has more ports than a package has pins, so to be placed alone it stands between registers: one shift
/// register feeds every input, one signature register takes every output. Neither adds logic between the filter's registers.
pub fn between_registers(common: &Common) -> BetweenRegisters {
    let ports = design_ports(common);
    let ports = ports
        .iter()
        .filter(|port| port.name != "clock")
        .map(|port| (&port.name[..], port.width as usize, port.direction));
    registers_around(&design_name(common), ports)
}

/// The same around any module with a port `clock`, whose other ports these are: name, bits, direction.
pub fn registers_around<'p>(
    module: &str,
    ports: impl IntoIterator<Item = (&'p str, usize, Direction)>,
) -> BetweenRegisters {
    let mut connections = vec!["    .clock (clock)".to_string()];
    let (mut inputs, mut outputs) = (0_usize, 0_usize);
    for (name, width, direction) in ports {
        let (register, at) = match direction {
            Direction::Input => ("feed", &mut inputs),
            Direction::Output => ("answer", &mut outputs),
        };
        connections.push(format!(
            "    .{name} ({register}[{}:{at}])",
            *at + width - 1
        ));
        *at += width;
    }
    let text = format!(
        "module between_registers (input wire clock, input wire si, output wire so);
  reg  [{i}:0] feed;
  wire [{o}:0] answer;
  reg  [{o}:0] taken, signature;
  always @(posedge clock) begin
    feed <= {{feed[{i_less}:0], si}};
    taken <= answer;
    signature <= {{signature[{o_less}:0], 1'b0}} ^ taken;
  end
  assign so = signature[{o}];
  {module} filter (
{}
  );
endmodule
",
        connections.join(",\n"),
        i = inputs - 1,
        o = outputs - 1,
        i_less = inputs - 2,
        o_less = outputs - 2,
    );
    BetweenRegisters {
        text,
        added_ff: inputs + 2 * outputs,
        added_lut4: outputs - 1,
    }
}
