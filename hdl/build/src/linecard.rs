//! Top module of a board that runs as a line card.

use super::board::Board;
use super::ethernet::{Draft, EthernetTop, PHYS, TAKES_TEXT};
use super::BuildError;
use bloomline_hdl::emit::Emitted;
use bloomline_spec::{Common, LINECARD_CLOCK_HZ};
use std::fmt::Write;

/// How long a lamp shows what happened, at least, in parts of a second.
const SHOWN_A_SECOND: u64 = 16;

/// The top module `<name>_<board>`: the line card of `common` between the board's first two PHYs, its UART on the board's.
///
/// `emitted` is the emitted line card; its leaves at the pins are replaced by those of the part. PHYs and card are in reset until the PLL is
/// locked and the button is not pressed, and 10 ms longer. LEDs, as far as there are: alive (blinks once or twice a second), PLL locked, link of
/// the first PHY and of the second, items of lane 0 and of lane 1, items seen of lane 0 and of lane 1; each of the last four is lit for at
/// least a sixteenth of a second, so that one frame can be seen.
///
/// # Errors
/// [`BuildError::Unfit`] where the specification is not that of a line card, [`BuildError::Phys`] with fewer than two PHYs,
/// [`BuildError::Clock`] where the PLL cannot make 125 MHz.
pub fn linecard_top(
    board: &Board,
    common: &Common,
    emitted: &Emitted,
) -> Result<EthernetTop, BuildError> {
    if common.line_card().is_none() {
        return Err(BuildError::Unfit {
            board: board.name.clone(),
            key: "packet.ports",
            got: "\"streams\"".into(),
            rule: "the board has no pins for streams of frames",
            advice: "say \"rgmii\", or leave [packet] out",
        });
    }
    let mut draft = Draft::new(board)?;
    draft.port("input  wire uart_rx");
    draft.port("output wire uart_tx");
    let pins: String = (0..PHYS)
        .map(|i| PINS.replace('#', &i.to_string()))
        .collect();
    write!(
        draft.body,
        "
  wire [1:0] link, item_taken, item_seen;
  {name}_linecard card (
    .clock (card_clock),
    .hold (phy_hold),
{pins}    .uart_rx (uart_rx),
    .uart_tx (uart_tx),
    .link (link),
    .item_taken (item_taken),
    .item_seen (item_seen)
  );
{lamps}",
        name = common.name(),
        lamps = lamps(),
    )
    .expect(TAKES_TEXT);
    draft.leds(&[
        "beat[BEAT_BITS - 1]",
        "locked",
        "link[0]",
        "link[1]",
        "shown[0]",
        "shown[1]",
        "shown[2]",
        "shown[3]",
    ]);
    let name = format!("{}_{}", common.name(), board.identifier());
    let title = format!(
        "the line card {}_linecard on the board {}",
        common.name(),
        board.title
    );
    Ok(draft.finish(name, &title, emitted))
}

/// The pins of PHY `#`.
const PINS: &str = "    .rgmii_#_rx_clock (rgmii#_rx_clock),
    .rgmii_#_rx_control (rgmii#_rx_control),
    .rgmii_#_rx_data (rgmii#_rx_data),
    .rgmii_#_tx_clock (rgmii#_tx_clock),
    .rgmii_#_tx_control (rgmii#_tx_control),
    .rgmii_#_tx_data (rgmii#_tx_data),
";

/// A counter that blinks, and what happened in the last stretch of time or in this one.
fn lamps() -> String {
    let beat = LINECARD_CLOCK_HZ.ilog2();
    let stretch = (LINECARD_CLOCK_HZ / SHOWN_A_SECOND).ilog2() + 1;
    format!(
        "
  localparam BEAT_BITS = {beat};
  reg [BEAT_BITS - 1:0] beat = 0;
  wire [3:0] happens = {{item_seen, item_taken}};
  reg [3:0] happened = 4'd0, shown = 4'd0;
  wire stretch = &beat[{last}:0];
  always @(posedge card_clock) begin
    beat <= phy_hold ? {{BEAT_BITS{{1'b0}}}} : beat + 1'b1;
    happened <= stretch ? happens : happened | happens;
    shown <= stretch ? happened : shown | happened;
  end
",
        last = stretch - 1,
    )
}
