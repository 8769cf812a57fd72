//! Shared parts of top modules with Ethernet, and the loop between a board's two PHYs.

use super::board::Board;
use super::pll::PllSetting;
use super::top::card_clock;
use super::BuildError;
use bloomline_hdl::emit::Emitted;
use bloomline_hdl::mac::{ecp5_rgmii_leaves, RGMII_LEAVES};
use bloomline_spec::{LANES, LINECARD_CLOCK_HZ};
use std::fmt::Write;

/// A top module and all that makes it up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EthernetTop {
    /// Name of the module.
    pub name: String,
    /// File names and texts.
    pub sources: Vec<(String, String)>,
    /// Clock of the net `card_clock` in hertz, with which frames are sent.
    pub clock_hz: u64,
}

/// PHYs of a board that are used.
pub(super) const PHYS: usize = LANES;
/// Least time for which PHYs are in reset, in parts of a second: 10 ms (Marvell 88E1512, RESETn after power-up).
const PHY_RESETS_A_SECOND: u64 = 100;
pub(super) const TAKES_TEXT: &str = "a String takes any text";

/// A top module in the making: its ports, and what stands in it.
pub(super) struct Draft<'a> {
    board: &'a Board,
    pll: PllSetting,
    ports: Vec<String>,
    pub body: String,
}

impl Draft<'_> {
    /// Oscillator and button, and the pins of both PHYs, which are in reset with `hold` and 10 ms longer: `phy_hold`.
    ///
    /// # Errors
    /// [`BuildError::Phys`] with fewer than two PHYs, [`BuildError::Clock`] where the PLL cannot make 125 MHz.
    pub fn new(board: &Board) -> Result<Draft<'_>, BuildError> {
        let found = board.rgmii.len();
        if found < PHYS {
            return Err(BuildError::Phys {
                board: board.name.clone(),
                found,
                needed: PHYS,
            });
        }
        let mut draft = Draft {
            board,
            pll: board.pll_setting(LINECARD_CLOCK_HZ)?,
            ports: vec!["input  wire oscillator".to_owned()],
            body: phy_hold(),
        };
        if board.reset.is_some() {
            draft.port("input  wire reset_button");
        }
        if board.rgmii_shared.is_some() {
            draft.port("output wire rgmii_reset_n");
            draft.body += "  assign rgmii_reset_n = !phy_hold;\n";
        }
        for (i, phy) in board.rgmii.iter().take(PHYS).enumerate() {
            for (way, wire) in [
                ("input ", "wire rgmii#_rx_clock"),
                ("input ", "wire rgmii#_rx_control"),
                ("input ", "wire [3:0] rgmii#_rx_data"),
                ("output", "wire rgmii#_tx_clock"),
                ("output", "wire rgmii#_tx_control"),
                ("output", "wire [3:0] rgmii#_tx_data"),
            ] {
                draft.port(&format!("{way} {}", wire.replace('#', &i.to_string())));
            }
            if phy.reset_n.is_some() {
                draft.port(&format!("output wire rgmii{i}_reset_n"));
                writeln!(draft.body, "  assign rgmii{i}_reset_n = !phy_hold;").expect(TAKES_TEXT);
            }
        }
        Ok(draft)
    }

    /// One more port.
    pub fn port(&mut self, port: &str) {
        self.ports.push(port.to_owned());
    }

    /// The LEDs that there are, lit by what `shown` says, the first first; those for which there is nothing are off.
    pub fn leds(&mut self, shown: &[&str]) {
        let Some(leds) = &self.board.leds else {
            return;
        };
        let count = leds.pins.len();
        let lit: Vec<&str> = (0..count)
            .rev()
            .map(|led| *shown.get(led).unwrap_or(&"1'b0"))
            .collect();
        let not = if leds.active_low { "~" } else { "" };
        writeln!(self.body, "  assign led = {not}{{{}}};", lit.join(", ")).expect(TAKES_TEXT);
        self.port(&format!("output wire [{}:0] led", count - 1));
    }

    /// The top module `name`, described by `title`, of the modules of `emitted`, whose leaves at the pins are replaced by those of the part.
    pub fn finish(self, name: String, title: &str, emitted: &Emitted) -> EthernetTop {
        let delay = self.board.rgmii_delay;
        let leaves = ecp5_rgmii_leaves(delay.rx_steps, delay.tx_steps)
            .expect("the board's delays were checked when it was read");
        let mut sources = emitted.files();
        sources.retain(|(file, _)| !RGMII_LEAVES.iter().any(|leaf| *file == format!("{leaf}.v")));
        sources.push(("leaves.v".into(), leaves));
        let text = format!(
            "// {name}: {title}.\n`default_nettype none\nmodule {name} (\n  {}\n);\n{}\n{}endmodule\n`default_nettype wire\n",
            self.ports.join(",\n  "),
            card_clock(self.board, LINECARD_CLOCK_HZ, &self.pll),
            self.body,
        );
        sources.push((format!("{name}.v"), text));
        EthernetTop {
            name,
            sources,
            clock_hz: LINECARD_CLOCK_HZ,
        }
    }
}

fn phy_hold() -> String {
    let bits = (LINECARD_CLOCK_HZ / PHY_RESETS_A_SECOND).ilog2() + 1;
    format!(
        "  // PHYs want 10 ms of reset
  reg [{bits}:0] waited = 0;
  reg phy_hold = 1'b1;
  always @(posedge card_clock or posedge hold) begin
    if (hold) begin
      waited <= 0;
      phy_hold <= 1'b1;
    end else begin
      waited <= waited + 1'b1;
      if (waited[{bits}]) phy_hold <= 1'b0;
    end
  end
"
    )
}

/// The top module `wire_<board>`: what comes in at one PHY goes out at the other, in both directions, through two `mac_port`s.
///
/// `port` is the emitted `mac_port`; its leaves at the pins are replaced by those of the part. The PHYs are in reset until the
/// PLL is locked and the button is not pressed, and 10 ms longer. LEDs, as far as there are: PLL locked, link of the first PHY, link of the second.
///
/// # Errors
/// [`BuildError::Phys`] with fewer than two PHYs, [`BuildError::Clock`] where the PLL cannot make 125 MHz.
pub fn wire_top(board: &Board, port: &Emitted) -> Result<EthernetTop, BuildError> {
    let mut draft = Draft::new(board)?;
    for i in 0..PHYS {
        draft.body += &PORT
            .replace('#', &i.to_string())
            .replace('@', &(PHYS - 1 - i).to_string());
    }
    draft.leds(&["locked", "link_0", "link_1"]);
    let title = format!(
        "a wire between the two Ethernet PHYs of the board {}",
        board.title
    );
    let name = format!("wire_{}", board.identifier());
    Ok(draft.finish(name, &title, port))
}

/// A port, `#`, whose frames go to the other one, `@`.
const PORT: &str = "
  wire link_#, from_#_valid, from_#_ready, from_#_last, from_#_bad;
  wire [7:0] from_#_data;
  mac_port port_# (
    .clock (card_clock),
    .hold (phy_hold),
    .reset (),
    .rgmii_rx_clock (rgmii#_rx_clock),
    .rgmii_rx_control (rgmii#_rx_control),
    .rgmii_rx_data (rgmii#_rx_data),
    .rgmii_tx_clock (rgmii#_tx_clock),
    .rgmii_tx_control (rgmii#_tx_control),
    .rgmii_tx_data (rgmii#_tx_data),
    .m_frame_tvalid (from_#_valid),
    .m_frame_tready (from_#_ready),
    .m_frame_tdata (from_#_data),
    .m_frame_tlast (from_#_last),
    .m_frame_tuser (from_#_bad),
    .s_frame_tvalid (from_@_valid),
    .s_frame_tready (from_@_ready),
    .s_frame_tdata (from_@_data),
    .s_frame_tlast (from_@_last),
    .s_frame_tuser (from_@_bad),
    .link_up (link_#),
    .link_speed (),
    .link_full_duplex (),
    .frames_good (),
    .frames_bad_fcs (),
    .frames_runt (),
    .frames_error (),
    .overflows (),
    .frames_sent (),
    .frames_broken (),
    .underruns ()
  );
";
